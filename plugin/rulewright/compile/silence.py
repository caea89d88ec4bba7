"""Leaves out problems that the author knows, by comments in the page and by the option `ignore`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..book.page import Ignore, Page
from ..globs import matches_any
from ..source import Problem, Span, suggest
from .options import Options
from .problem_families import GROUPS, can_be_ignored, is_about_rules, is_about_settings

_UNUSED = "ignore-unused"


def _covers(name: str, code: str) -> bool:
    """Whether a code, or the name of a group as in `checks`, covers a code."""
    return can_be_ignored(code) and (code == name or code.partition("-")[0] in GROUPS.get(name, (name,)))


class Silenced(NamedTuple):
    """The problems of a page that are left, the number of the others, and what of the option `ignore` applied."""

    problems: list[Problem]
    ignored_count: int
    used: frozenset[Span]


def silence_page(page: Page, path: str, problems: Iterable[Problem], options: Options) -> Silenced:
    """Leave out what the comments of a page, and the option `ignore` for its path, name; report useless comments."""
    ignored = [item for item in options.ignore if matches_any(path, [item.pattern])]
    left, used, count = list[Problem](), set[Span](), 0
    for problem in problems:
        inside = (
            code
            for ignore in page.ignores
            if ignore.scope and ignore.scope.start <= problem.span.start < ignore.scope.end
            for code in ignore.codes
        )
        names = [*inside, *(item.code for item in ignored)]
        matches = {name for name in names if _covers(name.text, problem.code)}
        used |= matches
        count += bool(matches) and options.is_enabled(problem.code)
        left += [] if matches else [problem]
    wrong = (problem for ignore in page.ignores for problem in _check_ignore(ignore, used, options))
    return Silenced([*left, *wrong], count, frozenset(used))


def _check_ignore(ignore: Ignore, used: set[Span], options: Options) -> Iterator[Problem]:
    """The problems of a comment: it names no code, an unknown code, or one that cannot be ignored."""
    if not ignore.codes:
        message = "this comment names no code; write <!-- rulewright: ignore link-missing -->"
        yield Problem("ignore-code", message, ignore.span, "warning")
    for code in ignore.codes:
        if message := find_wrong_code(code.text, options):
            yield Problem("ignore-code", message, code, "warning")
        elif ignore.scope is None:
            message = "no block element follows this comment; put it on the line above one"
            yield Problem(_UNUSED, message, code, "info")
        elif code not in used and options.is_enabled(code.text):
            yield Problem(_UNUSED, f"nothing below has the problem `{code.text}`; delete this comment", code, "info")


def find_wrong_code(name: str, options: Options) -> str:
    """What is wrong with a name to ignore; empty if a problem may have it."""
    from ..handbook import read_explanations

    if is_about_rules(name):
        return (
            f"`{name}` is about a block or a game and cannot be ignored; "
            "write `skip:` with the reason into the block, or `wrong:` if it is wrong on purpose"
        )
    if is_about_settings(name):
        return f"`{name}` cannot be ignored; correct the settings or the file"
    known = (*GROUPS, *read_explanations())
    if name in known or options.extensions.find_name(name):
        return ""
    return f"there is no problem `{name}`; {suggest(name, known) or '`rulewright explain` lists them'}"


def check_ignored_paths(options: Options, used: Iterable[frozenset[Span]], is_whole: bool) -> Iterator[Problem]:
    """Entries of the option `ignore` that are wrong or, in a check of the whole book, that no problem needs."""
    applied = frozenset[Span]().union(*used) if options.ignore else ()
    for item in options.ignore:
        if message := find_wrong_code(item.code.text, options):
            yield Problem("ignore-code", message, item.code, "warning")
        elif is_whole and item.code not in applied and options.is_enabled(item.code.text):
            message = f"no page that {item.pattern} names has the problem `{item.code.text}`; delete this entry"
            yield Problem(_UNUSED, message, item.code, "info")
