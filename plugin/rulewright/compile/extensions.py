"""Lints and block kinds that other packages add through entry points; a broken one becomes a problem.

The groups are `rulewright.lints` (each entry a `Check`) and `rulewright.blocks` (each entry a `BlockKind`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import EntryPoint, entry_points
from typing import Any
from xml.etree.ElementTree import fromstring

from ..book.page import Block
from ..checks.model import BlockCheck, BlockContext, BlockKind, CheckedBlock, finish_block, is_skipped
from ..lint.interface import Check, LintContext, LintResult, no_book_problems
from ..source import Problem, Source, Span

_LINTS, _BLOCKS = "rulewright.lints", "rulewright.blocks"  # groups of entry points
_NAMES = {_LINTS: re.compile(r"[a-z]+(-[a-z]+)*"), _BLOCKS: re.compile(r"[a-z]+")}
_NOUNS = {_LINTS: "lint", _BLOCKS: "block kind"}
_TYPES: dict[str, type[Check | BlockKind]] = {_LINTS: Check, _BLOCKS: BlockKind}
_SEVERITIES = ("error", "warning", "info")
_BROKEN = "extension-broken"


@dataclass(frozen=True)
class Extensions:
    """What other packages add, and the problems of those that cannot be used."""

    lints: tuple[Check, ...] = ()
    block_checks: Mapping[str, BlockCheck] = field(default_factory=dict)  # by the name of the block kind
    helps: Mapping[str, str] = field(default_factory=dict)  # explanations in Markdown, by the name of the extension
    problems: tuple[Problem, ...] = ()

    def find_name(self, code: str) -> str | None:
        """The extension that a code belongs to: its name is also the beginning of its codes."""
        return next((name for name in self.helps if code == name or code.startswith(f"{name}-")), None)


def load_extensions(reserved: Collection[str]) -> Extensions:
    """Load the extensions of all installed packages, in the order of their names.

    Names that begin with a `reserved` word are refused: their codes would look like ours."""
    added: dict[str, Check | BlockKind] = {}
    problems = []
    installed = entry_points()
    for group in (_LINTS, _BLOCKS):
        for entry in sorted(installed.select(group=group), key=lambda entry: (entry.name, entry.value)):
            extension, complaint = _load(entry, group)
            if extension and (_first_word(extension.name) in reserved or extension.name in added):
                complaint = f"has the name of another: {extension.name}"
            if complaint:
                problems.append(_entry_problem(entry, group, complaint))
            elif extension:
                added[extension.name] = extension
    lints = tuple(_guard(extension) for extension in added.values() if isinstance(extension, Check))
    checks = {name: _make_check(kind) for name, kind in added.items() if isinstance(kind, BlockKind)}
    return Extensions(lints, checks, {name: extension.help for name, extension in added.items()}, tuple(problems))


def _first_word(name: str) -> str:
    return name.partition("-")[0]


def _load(entry: EntryPoint, group: str) -> tuple[Check | BlockKind | None, str]:
    """The object of an entry point, or what is wrong with it."""
    try:
        extension = entry.load()
    except Exception as error:  # whatever the module of another package does
        return None, f"cannot be loaded: {_describe(error)}"
    if not isinstance(extension, _TYPES[group]):
        return None, f"is not a {_TYPES[group].__name__}"
    if not isinstance(extension.name, str) or not _NAMES[group].fullmatch(extension.name):
        letters = "lower-case letters" + (" and hyphens" if group == _LINTS else "")
        return None, f"has the name {extension.name!r}; a name has {letters} only"
    return extension, ""


def _entry_problem(entry: EntryPoint, group: str, complaint: str) -> Problem:
    package = entry.dist.name if entry.dist else entry.module
    message = f"the {_NOUNS[group]} `{entry.name}` of the package {package} {complaint}"
    note = f"correct the entry point {entry.name} = {entry.value}, or uninstall {package}"
    return Problem(_BROKEN, message, Span(Source(package, ""), 0, 0), notes=(note,))


def _describe(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(": ").removesuffix(":")


def _failure(noun: str, name: str, error: Exception, span: Span) -> Problem:
    message = f"the {noun} `{name}` stopped with an error: {_describe(error)}"
    return Problem(_BROKEN, message, span, notes=("tell the author of its package",))


def report_once(problems: Iterable[Problem]) -> list[Problem]:
    """Keep the first problem of each extension that stops on many pages or blocks."""
    known: set[str] = set()
    kept = []
    for problem in problems:
        cause = problem.message.partition(":")[0] if problem.code == _BROKEN else ""
        if cause not in known:
            kept.append(problem)
        if cause:
            known.add(cause)
    return kept


def _own_problems(name: str, problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems of an extension: their codes begin with its name, so that options can switch them."""
    for problem in problems:
        if not isinstance(problem, Problem):
            raise TypeError(f"{problem!r} is not a Problem")
        if problem.severity not in _SEVERITIES:
            raise ValueError(f"{problem.severity!r} is not a severity; known are {', '.join(_SEVERITIES)}")
        code = problem.code if problem.code == name or problem.code.startswith(f"{name}-") else f"{name}-{problem.code}"
        yield problem._replace(code=code)


def _guard(lint: Check) -> Check:
    """A lint whose errors become problems. Each fact is stored with its page, where such a problem can be reported."""

    def check_page(context: LintContext) -> LintResult:
        try:
            result = lint.check_page(context)
            problems = tuple(_own_problems(lint.name, result.problems))
            facts = tuple((context.page.source.path, fact) for fact in result.facts)
            return LintResult(result.checked_count, problems, facts)
        except Exception as error:
            return LintResult(0, (_failure("lint", lint.name, error, Span(context.page.source, 0, 0)),))

    def check_book(facts: Sequence[Any]) -> list[Problem]:
        try:
            return list(_own_problems(lint.name, lint.check_book([fact for _, fact in facts])))
        except Exception as error:
            span = Span(Source(facts[0][0], ""), 0, 0)
            return [_failure("lint", lint.name, error, span)] if facts else []

    needs_book = lint.check_book is not no_book_problems
    return lint._replace(check_page=check_page, check_book=check_book if needs_book else no_book_problems)


def _make_check(kind: BlockKind) -> BlockCheck:
    """The check of a block kind; its errors become problems."""

    def check(block: Block, context: BlockContext) -> CheckedBlock:
        try:
            problems = [] if is_skipped(block) else list(_own_problems(kind.name, kind.check(block, context)))
            html = "" if problems or block.problems else _render(kind, block)
        except Exception as error:
            problems, html = [_failure("block kind", kind.name, error, block.word)], ""
        trail = (*block.trail, block.id)
        problems = [problem if problem.trail else problem._replace(trail=trail) for problem in problems]
        checked = finish_block(block, problems, label=kind.label or kind.name.capitalize(), html=html)
        is_broken = any(problem.code == _BROKEN for problem in problems)
        return replace(checked, status="failed") if checked.status == "error" and not is_broken else checked

    return check


def _render(kind: BlockKind, block: Block) -> str:
    """The HTML of a block. It must be well-formed, because an EPUB holds nothing else."""
    html = kind.render(block) if kind.render else ""
    fromstring(f"<div>{html}</div>")
    return html
