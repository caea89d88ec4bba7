"""What was learned of moved headings, added to the file of the book that remembers them."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File

from ..checks.prose_examples import WrongSentence, left_wrong
from ..root import EVERYWHERE, Root, real_path
from ..source import LINE_END, Fix, Problem, Source
from .aliases import FILE, open_aliases, read_aliases
from .book import CheckedPage, Compiled, Opened, by_path, compile_book, open_page
from .games import shown


@dataclass(frozen=True)
class Fixed:
    """A text with the fixes in it, and which ones they are, in reading order."""

    text: str
    edits: tuple[Fix, ...]


def fixed(source: Source, problems: Iterable[Problem]) -> Fixed:
    """Of fixes that overlap the first is written; the others are found again when the page is checked again."""
    edits = apart(problem.fix for problem in problems if problem.fix and problem.fix.span.source == source)
    text = source.text
    for edit in reversed(edits):
        text = text[: edit.span.start] + with_line_ends(edit.text, source) + text[edit.span.end :]
    return Fixed(text, tuple(edits))


def apart(fixes: Iterable[Fix]) -> list[Fix]:
    """Those that change something and do not overlap one before them."""
    found: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: fix.span.start):
        if fix.text != fix.span.text and not (found and overlap(found[-1], fix)):
            found.append(fix)
    return found


def overlap(first: Fix, second: Fix) -> bool:
    return second.span.start < first.span.end or second.span.start == first.span.start


def with_line_ends(text: str, source: Source) -> str:
    """New lines end as the lines of the page do."""
    usual = LINE_END.search(source.text)
    return text.replace("\n", usual.group()) if usual else text


MOST_ROUNDS = 8  # a fix may bring up another one: a claim that is false in two places


@dataclass(frozen=True)
class MendedPage:
    """A page before and after, and the ids of the blocks that were mended."""

    file: File
    before: Source
    after: Source
    blocks: frozenset[str]
    project: Root = EVERYWHERE  # what may be written


@dataclass
class Mending:
    """Checks a book and mends it in memory until there is nothing left to mend."""

    places: Sequence[File]
    here: File
    chosen: Callable[[Compiled], Compiled] = lambda compiled: compiled  # the part of the book that is asked for
    pages: dict[File, MendedPage] = field(default_factory=dict)
    project: Root = EVERYWHERE  # of the book, as soon as it is read

    def run(self) -> Compiled:
        """What the book is then; the pages on the disk are still as they were."""
        compiled = self.compile()
        for _ in range(MOST_ROUNDS):
            problems = by_path(compiled.problems)
            self.project = compiled.project
            mended = [self.mend(page, problems.get(page.page.source.path, ())) for page in compiled.pages]
            if True not in mended:
                break
            compiled = self.compile()
        self.pages = {file: page for file, page in self.pages.items() if page.before.text != page.after.text}
        return compiled

    def compile(self) -> Compiled:
        return self.chosen(compile_book(self.places, self.here, read=self.open))

    def open(self, file: File, here: File) -> Opened:
        return (self.pages[file].after, None) if file in self.pages else open_page(file, here)

    def mend(self, page: CheckedPage, problems: Iterable[Problem]) -> bool:
        source = page.page.source
        new = fixed(source, problems)
        if new.edits:
            known = self.pages.get(page.file) or MendedPage(page.file, source, source, frozenset(), self.project)
            after = Source(source.path, new.text)
            self.pages[page.file] = replace(known, after=after, blocks=known.blocks | mended_blocks(page, new))
        return bool(new.edits)


def mended_blocks(page: CheckedPage, new: Fixed) -> frozenset[str]:
    spans = [(block.id, block.span.start, block.span.end) for block in page.page.blocks]
    places = [edit.span.start for edit in new.edits]
    return frozenset(name for name, start, end in spans if any(start <= place < end for place in places))


def still_wrong(mended: MendedPage, compiled: Compiled) -> list[WrongSentence]:
    """The sentences beside the blocks that were mended which now say something else than these."""
    page = next((page for page in compiled.pages if page.file == mended.file), None)
    found = left_wrong(page.page, page.blocks) if page else []
    told = ((one, tuple(problem for problem in one.problems if beside(problem, mended))) for one in found)
    return [replace(one, problems=problems) for one, problems in told if problems]


def beside(problem: Problem, mended: MendedPage) -> bool:
    return bool(problem.trail) and problem.trail[-1] in mended.blocks


def write(page: MendedPage) -> bool:
    """Puts the new text in place of the old; a page that somebody has changed in the meantime is left alone."""
    if refusal := page.project.refusal(page.file):
        raise PermissionError(1, f"{refusal.fact}; {refusal.repair}", str(page.file))
    file = real_path(page.file)
    if not os.access(file, os.W_OK):
        raise PermissionError(13, "this page may not be written", str(page.file))
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".tmp", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(page.after.text.encode())
        shutil.copymode(file, name)
        same = file.read_bytes() == page.before.text.encode()
        if same:
            File(name).replace(file)
        return same
    finally:
        File(name).unlink(missing_ok=True)


HEAD = """\
# Where headings and pages are that have another name or another place now: old = new.
# `rulewright diff --learn` adds to this list. Links to the old places go on working.

"""
Where = tuple[str, str]


def with_aliases(root: File, here: File, learned: Mapping[Where, Where], project: Root) -> MendedPage | None:
    """The file with what was learned; nothing where that is nothing new. Lines that are there stay as they are."""
    file = root / FILE
    source, problem = open_aliases(file, here, project) if file.is_file() else (Source(shown(file, here), ""), None)
    known = read_aliases(root, here, project)
    if problem or known.problems:
        return None
    more = {written(old): written(new) for old, new in learned.items()}
    fresh = {old: new for old, new in more.items() if old not in known.found and old != new}
    if not fresh:
        return None
    before = source.text or HEAD
    end = "" if before.endswith("\n") else "\n"
    after = Source(source.path, before + end + "".join(lines(fresh)))
    return MendedPage(file, source, after, frozenset(), project)


def written(where: Where) -> str:
    return "#".join(filter(None, where))


def lines(aliases: Mapping[str, str]) -> Iterable[str]:
    return [f"{text(old)} = {text(new)}\n" for old, new in aliases.items()]


def text(name: str) -> str:
    """As TOML; what JSON escapes, TOML escapes alike."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_history(page: MendedPage) -> bool:
    """A new file, or new lines in the one that is there; not where somebody has changed it meanwhile."""
    if page.before.text:
        return write(page)
    try:
        with page.file.open("xb") as file:
            file.write(page.after.text.encode())
    except FileExistsError:
        return write(page)
    return True
