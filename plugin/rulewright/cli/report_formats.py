"""The options `--format` and `-o` of `rulewright check`: one report is printed, others go to files."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import Any

from .terminal import CommandError

STANDARD_OUTPUT = "-"
FORMATS = ("text", "json", "github", "gitlab", "sarif", "markdown", "badge")


class FormatAction(argparse.Action):
    """Collects `--format` and `-o` in `reports`, in the order in which they were given."""

    def __call__(
        self, _parser: object, options: argparse.Namespace, value: str | Sequence[Any] | None, _option: object = None
    ) -> None:
        options.reports = (*options.reports, (self.dest, str(value)))


def read_formats(reports: Iterable[tuple[str, str]]) -> tuple[str, dict[str, str]]:
    """The format to print, and that of each file: `-o FILE` belongs to the `--format` before it; `-o -` prints it."""
    words = list(reports)
    if [name for name, _ in words] == ["output", "format"]:
        words.reverse()  # with one of each there is no doubt
    printed, files, form = list[str](), dict[str, str](), ""
    for name, value in [*words, ("format", "")]:
        if name == "format":
            printed += [form] if form else []
            form = value
        elif value == STANDARD_OUTPUT and form:
            printed, form = [*printed, form], ""
        elif any(os.path.normpath(value) == os.path.normpath(other) for other in files):
            raise CommandError(f"two reports go to {value}; write -o with another file for one of them")
        elif not form:
            raise CommandError(f"-o {value} has no format; write --format FORMAT -o {value}")
        else:
            files[value], form = form, ""
    if len(printed) > 1:
        raise CommandError(f"only one report can be printed: {', '.join(printed)}; write -o FILE after the others")
    return (printed or ["text"])[0], files
