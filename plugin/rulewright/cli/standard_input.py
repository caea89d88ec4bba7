"""A page from standard input (`rulewright check -`), checked as if it were a file of its book."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path as File

from ..book.page import LARGEST_PAGE
from ..compile.files import OpenedPage, decode_page, open_page
from ..compile.fixes import BookFixer
from ..compile.games import display_path
from ..project import is_page_name
from ..render.fingerprints import STANDARD_INPUT
from .terminal import CommandError

_UNNAMED = "-.md"  # the file that a page without a name would be, in the current folder


@dataclass(frozen=True)
class StandardInput:
    """A page that was read from standard input, and the file whose place it takes."""

    file: File
    page: OpenedPage

    def open(self, file: File, here: File) -> OpenedPage:
        """Open a page of the book, or this one."""
        return self.page if file == self.file else open_page(file, here)

    def write(self, fixer: BookFixer) -> None:
        """Write the page to standard output, with the changes of a fixer, byte for byte otherwise."""
        source = fixer.pages[self.file].after if self.file in fixer.pages else self.page[0]
        sys.stdout.flush()
        sys.stdout.buffer.write(source.text.encode())
        sys.stdout.buffer.flush()


def read_standard_input(options: Namespace, here: File) -> StandardInput | None:
    """The page from standard input, if `-` asks for it."""
    name: str | None = options.stdin_filename
    if STANDARD_INPUT not in options.paths:
        if name is not None:
            raise CommandError("--stdin-filename names a page from standard input; write check - --stdin-filename PATH")
        return None
    if len(options.paths) > 1:
        raise CommandError("- is the only page of its check; leave out the other paths")
    if options.watch:
        raise CommandError("--watch follows files, and standard input is none; leave out one of them")
    if name is not None and not is_page_name(name):
        raise CommandError(f"{name} is not the name of a page; it ends in .md")
    file = File(os.path.normpath(here / (name or _UNNAMED)))
    if not file.parent.is_dir():
        raise CommandError(f"there is no folder {display_path(file.parent, here)}")
    page = decode_page(display_path(file, here) if name else STANDARD_INPUT, sys.stdin.buffer.read(LARGEST_PAGE + 1))
    if (options.fix or options.diff) and page[1]:
        raise CommandError(f"{page[0].path}: {page[1].message}; nothing was fixed")
    return StandardInput(file, page)
