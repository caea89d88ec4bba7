"""A book with all its fixes: first thought through in memory, then written, page by page."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File

from ..checks.prose import WrongSentence, left_wrong
from ..root import EVERYWHERE, Root, real_path
from ..text import Problem, Source
from .books import CheckedPage, Compiled, Opened, by_path, compile_book, open_page
from .fixes import Fixed, fixed

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
