"""Applies fixes to pages (`rulewright check --fix`) and adds moved headings to `aliases.toml` (`diff --learn`)."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File

from ..book.finished_site import FinishedSite
from ..checks.prose_examples import WrongSentence, find_wrong_sentences
from ..paths import replace_file
from ..root import UNRESTRICTED, Root, real_path
from ..source import LINE_BREAK, Fix, Problem, Source
from .aliases import ALIASES_FILE, read_alias_file, read_aliases
from .book import CheckedPage, CompiledBook, compile_book, group_by_path
from .files import OpenedPage, open_page
from .games import display_path


@dataclass(frozen=True)
class _FixedText:
    """A text after some fixes, and the fixes in reading order."""

    text: str
    edits: tuple[Fix, ...]


def apply_fixes(source: Source, problems: Iterable[Problem]) -> _FixedText:
    """Apply the fixes of problems to a text. Of overlapping ones only the first; the others need another round."""
    edits = _non_overlapping(problem.fix for problem in problems if problem.fix and problem.fix.span.source == source)
    text = source.text
    for edit in reversed(edits):
        text = text[: edit.span.start] + _with_line_ends(edit.text, source) + text[edit.span.end :]
    return _FixedText(text, tuple(edits))


def _non_overlapping(fixes: Iterable[Fix]) -> list[Fix]:
    """The fixes that change the text and do not overlap an earlier one."""
    kept: list[Fix] = []
    for fix in sorted(fixes, key=lambda fix: fix.span.start):
        if fix.text != fix.span.text and not (kept and _is_overlapping(kept[-1], fix)):
            kept.append(fix)
    return kept


def _is_overlapping(first: Fix, second: Fix) -> bool:
    return second.span.start < first.span.end or second.span.start == first.span.start


def _with_line_ends(text: str, source: Source) -> str:
    """Use the line ends of the page."""
    usual = LINE_BREAK.search(source.text)
    return text.replace("\n", usual.group()) if usual else text


_ProblemKey = tuple[str, str, str, str]  # identity of a problem that does not depend on its line


def _problem_key(problem: Problem) -> _ProblemKey:
    return problem.span.source.path, problem.code, problem.message, problem.span.text


def _find_harmed_paths(before: CompiledBook, after: CompiledBook, fixed: Iterable[Problem]) -> set[str]:
    """The pages with new problems after some fixes.

    Each fix may reveal one problem of its own kind, as in a claim that is wrong in two places; what the prose next to
    a block now contradicts is shown to the author.
    """
    new_problems = Counter(map(_problem_key, _certain_problems(after)))
    new_problems.subtract(map(_problem_key, _certain_problems(before)))
    room = Counter((problem.path, _kind(problem.code)) for problem in fixed)
    for (path, code, _, _), count in new_problems.items():
        if count > 0:
            room[path, _kind(code)] -= count
    return {path for (path, kind), left in room.items() if left < 0 and kind != "prose"}


def _certain_problems(book: CompiledBook) -> Iterator[Problem]:
    enabled = book.options.enabled_problems(problem for page in book.pages for problem in page.problems)
    return (problem for problem in enabled if problem.severity != "info")


def _kind(code: str) -> str:
    return code.partition("-")[0]


_MAX_ROUNDS = 8  # a fix may reveal another problem, such as a claim that is wrong in two places


@dataclass(frozen=True)
class FixedPage:
    """A page before and after its fixes, and the ids of the changed blocks."""

    file: File
    before: Source
    after: Source
    blocks: frozenset[str]
    project: Root = UNRESTRICTED  # what may be written


@dataclass
class BookFixer:
    """Checks a book and fixes its pages in memory until no fix is left."""

    places: Sequence[File]
    here: File
    select: Callable[[CompiledBook], CompiledBook] = lambda compiled: (
        compiled
    )  # narrows the book to what `--only` names
    read: Callable[[File, File], OpenedPage] = open_page
    pages: dict[File, FixedPage] = field(default_factory=dict)
    project: Root = UNRESTRICTED  # set as soon as the book is compiled
    finished: FinishedSite | None = None  # the site by whose pages links are judged
    whole: CompiledBook = field(init=False)  # the book as it is now, before `select`

    def run(self) -> CompiledBook:
        """Compile and fix until nothing changes. Returns the fixed book; nothing is written to disk.

        After each round the book is checked again: fixes of a page that led to problems of other kinds are taken back.
        """
        compiled = self.compile()
        refused = set[_ProblemKey]()
        for _ in range(_MAX_ROUNDS):
            fixable = [problem for problem in compiled.problems if problem.fix and _problem_key(problem) not in refused]
            problems, before, pages = group_by_path(fixable), self.whole, dict(self.pages)
            self.project = compiled.project
            changed = [page for page in compiled.pages if self.fix_page(page, problems.get(page.page.source.path, ()))]
            if not changed:
                break
            compiled = self.compile()
            if harmed := _find_harmed_paths(before, self.whole, fixable):
                own = [page for page in changed if page.page.source.path in harmed]
                blamed = own if len(own) == len(harmed) else changed
                refused |= {_problem_key(one) for page in blamed for one in problems[page.page.source.path]}
                self.take_back([page.file for page in blamed], pages)
                compiled = self.compile()
        self.pages = {file: page for file, page in self.pages.items() if page.before.text != page.after.text}
        return compiled

    def take_back(self, files: Iterable[File], pages: Mapping[File, FixedPage]) -> None:
        """Let some pages be as they were in `pages`."""
        for file in files:
            del self.pages[file]
            if file in pages:
                self.pages[file] = pages[file]

    def compile(self) -> CompiledBook:
        self.whole = compile_book(self.places, self.here, read=self.open, finished=self.finished)
        return self.select(self.whole)

    def open(self, file: File, here: File) -> OpenedPage:
        return (self.pages[file].after, None) if file in self.pages else self.read(file, here)

    def fix_page(self, page: CheckedPage, problems: Iterable[Problem]) -> bool:
        source = page.page.source
        new = apply_fixes(source, problems)
        if new.edits:
            fixed_page = self.pages.get(page.file) or FixedPage(page.file, source, source, frozenset(), self.project)
            after = Source(source.path, new.text)
            self.pages[page.file] = replace(
                fixed_page, after=after, blocks=fixed_page.blocks | _fixed_blocks(page, new)
            )
        return bool(new.edits)


def _fixed_blocks(page: CheckedPage, new: _FixedText) -> frozenset[str]:
    spans = [(block.id, block.span.start, block.span.end) for block in page.page.blocks]
    places = [edit.span.start for edit in new.edits]
    return frozenset(name for name, start, end in spans if any(start <= place < end for place in places))


def contradicting_sentences(fixed_page: FixedPage, compiled: CompiledBook) -> list[WrongSentence]:
    """The sentences that contradict a changed block next to them."""
    page = next((page for page in compiled.pages if page.file == fixed_page.file), None)
    sentences = find_wrong_sentences(page.page, page.blocks) if page else []
    remaining = (
        (sentence, tuple(problem for problem in sentence.problems if _is_about_fixed_block(problem, fixed_page)))
        for sentence in sentences
    )
    return [replace(sentence, problems=problems) for sentence, problems in remaining if problems]


def _is_about_fixed_block(problem: Problem, fixed_page: FixedPage) -> bool:
    return bool(problem.trail) and problem.trail[-1] in fixed_page.blocks


def write_page(page: FixedPage) -> bool:
    """Replace the file atomically. Returns False and writes nothing if it has changed since it was read."""
    if refusal := page.project.find_refusal(page.file):
        raise PermissionError(1, f"{refusal.message}; {refusal.repair}", str(page.file))
    file = real_path(page.file)
    if not os.access(file, os.W_OK):
        raise PermissionError(13, "this page may not be written", str(page.file))
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".tmp", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(page.after.text.encode())
            new.flush()
            os.fsync(new.fileno())
        shutil.copymode(file, name)
        is_unchanged = file.read_bytes() == page.before.text.encode()
        if is_unchanged:
            replace_file(File(name), file)
        return is_unchanged
    finally:
        File(name).unlink(missing_ok=True)


_ALIASES_HEADER = """\
# Where headings and pages are that have another name or another place now: old = new.
# `rulewright diff --learn` adds to this list. Links to the old places go on working.

"""
_Target = tuple[str, str]


def add_aliases(root: File, here: File, learned: Mapping[_Target, _Target], project: Root) -> FixedPage | None:
    """Append moved targets to `aliases.toml`; None if there is nothing new. Existing lines are not touched."""
    file = root / ALIASES_FILE
    source, problem = (
        read_alias_file(file, here, project) if file.is_file() else (Source(display_path(file, here), ""), None)
    )
    known = read_aliases(root, here, project)
    if problem or known.problems:
        return None
    targets = {_format_target(old): _format_target(new) for old, new in learned.items()}
    new_targets = {old: new for old, new in targets.items() if old not in known.targets and old != new}
    if not new_targets:
        return None
    before = source.text or _ALIASES_HEADER
    end = "" if before.endswith("\n") else "\n"
    after = Source(source.path, before + end + "".join(_alias_lines(new_targets)))
    return FixedPage(file, source, after, frozenset(), project)


def _format_target(target: _Target) -> str:
    return "#".join(filter(None, target))


def _alias_lines(aliases: Mapping[str, str]) -> Iterable[str]:
    return [f"{_toml_string(old)} = {_toml_string(new)}\n" for old, new in aliases.items()]


def _toml_string(name: str) -> str:
    """A TOML string; JSON has the same escapes except for DEL."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_aliases(page: FixedPage) -> bool:
    """Write `aliases.toml`, new or extended. Returns False if it has changed since it was read."""
    if page.before.text:
        return write_page(page)
    try:
        with page.file.open("xb") as file:
            file.write(page.after.text.encode())
    except FileExistsError:
        return write_page(page)
    return True
