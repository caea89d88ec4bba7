"""Applies fixes to pages (`rulewright check --fix`) and adds moved headings to `aliases.toml` (`diff --learn`)."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File

from ..checks.prose_examples import WrongSentence, find_wrong_sentences
from ..root import EVERYWHERE, Root, real_path
from ..source import LINE_END, Fix, Problem, Source
from .aliases import FILE, open_aliases, read_aliases
from .book import CheckedPage, Compiled, Opened, by_path, compile_book, open_page
from .games import shown


@dataclass(frozen=True)
class Fixed:
    """A text after some fixes, and the fixes in reading order."""

    text: str
    edits: tuple[Fix, ...]


def fixed(source: Source, problems: Iterable[Problem]) -> Fixed:
    """Apply the fixes of problems to a text. Of overlapping ones only the first; the others need another round."""
    edits = apart(problem.fix for problem in problems if problem.fix and problem.fix.span.source == source)
    text = source.text
    for edit in reversed(edits):
        text = text[: edit.span.start] + with_line_ends(edit.text, source) + text[edit.span.end :]
    return Fixed(text, tuple(edits))


def apart(fixes: Iterable[Fix]) -> list[Fix]:
    """The fixes that change the text and do not overlap an earlier one."""
    found: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: fix.span.start):
        if fix.text != fix.span.text and not (found and overlap(found[-1], fix)):
            found.append(fix)
    return found


def overlap(first: Fix, second: Fix) -> bool:
    return second.span.start < first.span.end or second.span.start == first.span.start


def with_line_ends(text: str, source: Source) -> str:
    """Use the line ends of the page."""
    usual = LINE_END.search(source.text)
    return text.replace("\n", usual.group()) if usual else text


MOST_ROUNDS = 8  # a fix may reveal another problem, such as a claim that is wrong in two places


@dataclass(frozen=True)
class MendedPage:
    """A page before and after its fixes, and the ids of the changed blocks."""

    file: File
    before: Source
    after: Source
    blocks: frozenset[str]
    project: Root = EVERYWHERE  # what may be written


@dataclass
class Mending:
    """Checks a book and fixes its pages in memory until no fix is left."""

    places: Sequence[File]
    here: File
    chosen: Callable[[Compiled], Compiled] = lambda compiled: compiled  # narrows the book to what `--only` names
    pages: dict[File, MendedPage] = field(default_factory=dict)
    project: Root = EVERYWHERE  # set as soon as the book is compiled

    def run(self) -> Compiled:
        """Compile and fix until nothing changes. Returns the fixed book; nothing is written to disk."""
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
    """The sentences that contradict a changed block next to them."""
    page = next((page for page in compiled.pages if page.file == mended.file), None)
    found = find_wrong_sentences(page.page, page.blocks) if page else []
    told = ((one, tuple(problem for problem in one.problems if beside(problem, mended))) for one in found)
    return [replace(one, problems=problems) for one, problems in told if problems]


def beside(problem: Problem, mended: MendedPage) -> bool:
    return bool(problem.trail) and problem.trail[-1] in mended.blocks


def write(page: MendedPage) -> bool:
    """Replace the file atomically. Returns False and writes nothing if it has changed since it was read."""
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
    """Append moved targets to `aliases.toml`; None if there is nothing new. Existing lines are not touched."""
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
    """A TOML string; JSON has the same escapes except for DEL."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_history(page: MendedPage) -> bool:
    """Write `aliases.toml`, new or extended. Returns False if it has changed since it was read."""
    if page.before.text:
        return write(page)
    try:
        with page.file.open("xb") as file:
            file.write(page.after.text.encode())
    except FileExistsError:
        return write(page)
    return True
