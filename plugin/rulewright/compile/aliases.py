"""Reads and checks `aliases.toml`: where moved headings and pages of a book are now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as File

from ..book.resolver import LinkResolver, follow_aliases
from ..game.toml import read_toml
from ..root import Root
from ..source import Problem, Source, Span
from .games import display_path

ALIASES_FILE = "aliases.toml"


@dataclass(frozen=True)
class Aliases:
    """The new target of each old one, both as `page.md#id` relative to the root of the book."""

    targets: Mapping[str, str] = field(default_factory=dict)
    spans: Mapping[str, Span] = field(default_factory=dict)  # of the new targets in the file
    problems: tuple[Problem, ...] = ()


def read_aliases(root: File, here: File, project: Root) -> Aliases:
    file = root / ALIASES_FILE
    if not file.is_file():
        return Aliases()
    source, problem = read_alias_file(file, here, project)
    if problem:
        return Aliases(problems=(problem,))
    data, places, problems = read_toml(source)
    if problems:
        return Aliases(problems=tuple(toml_problem._replace(code="link-history") for toml_problem in problems))
    targets, wrong = dict[str, str](), []
    for old, new in data.items():
        span = places.values.get((old,)) or places.keys.get((old,)) or Span(source, 0, 0)
        if isinstance(new, str) and new:
            targets[old] = new
        else:
            wrong.append(
                Problem("link-history", f'"{old}" needs a page with a heading, such as "page.md#heading"', span)
            )
    return Aliases(targets, {old: places.values[old,] for old in targets}, tuple(wrong))


def read_alias_file(file: File, here: File, project: Root) -> tuple[Source, Problem | None]:
    path = display_path(file, here)
    empty = Source(path, "")
    if problem := project.find_problem(file, path):
        return empty, problem
    try:
        return Source(path, file.read_bytes().decode("utf-8")), None
    except UnicodeDecodeError as error:
        return empty, Problem("link-history", f"this file is not UTF-8 text (byte {error.start})", Span(empty, 0, 0))
    except OSError as error:
        return empty, Problem("link-history", f"this file cannot be read: {error.strerror}", Span(empty, 0, 0))


def _check_aliases(aliases: Aliases, resolver: LinkResolver) -> list[Problem]:
    """The problems of the file, including targets that do not exist in the book."""
    return [*aliases.problems, *_lost_targets(aliases, resolver)]


def with_all_problems(aliases: Aliases, resolver: LinkResolver) -> Aliases:
    """The aliases with all their problems, as soon as the pages are known."""
    return replace(aliases, problems=tuple(_check_aliases(aliases, resolver)))


def _lost_targets(aliases: Aliases, resolver: LinkResolver) -> Iterator[Problem]:
    for old, new in aliases.targets.items():
        if follow_aliases(resolver, old) is None:
            path, _, name = new.partition("#")
            missing = f"there is no #{name} on {path}" if path in resolver.anchors else f"there is no page {path}"
            note = "write the place where it is now, or remove the line"
            yield Problem("link-history", missing, aliases.spans[old], "warning", (note,))
