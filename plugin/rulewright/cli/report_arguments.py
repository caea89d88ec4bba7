"""The options `--format` and `-o` of `rulewright check`: one report is printed, others go to files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from .terminal import CommandError

FORMATS = ("text", "json", "github", "gitlab", "sarif", "markdown", "badge")


class FormatAction(argparse.Action):
    """Collects `--format` and `-o` in `reports`, in the order in which they were given."""

    def __call__(
        self, _parser: object, options: argparse.Namespace, value: str | Sequence[Any] | None, _option: object = None
    ) -> None:
        options.reports = (*options.reports, (self.dest, str(value)))


def read_formats(reports: Iterable[tuple[str, str]]) -> tuple[str, dict[str, str]]:
    """The format to print, and the format of each file: `-o FILE` belongs to the `--format` before it."""
    words = list(reports)
    if [name for name, _ in words] == ["output", "format"]:
        words.reverse()  # with one of each there is no doubt
    printed, files, form = list[str](), dict[str, str](), ""
    for name, value in [*words, ("format", "")]:
        if name == "format":
            printed += [form] if form else []
            form = value
        elif not form:
            raise CommandError(f"-o {value} has no format; write --format FORMAT -o {value}")
        else:
            files[value], form = form, ""
    if len(printed) > 1:
        raise CommandError(f"only one report can be printed: {', '.join(printed)}; write -o FILE after the others")
    return (printed or ["text"])[0], files
