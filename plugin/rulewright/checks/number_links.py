"""Checks the links `roll:`, `chance:` and `value:` of a page against the odds and the tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from urllib.parse import unquote_plus

from ..book.page import Link, Page
from ..book.rule_links import SCHEMES
from ..book.settings import PIECE, PIECES, Item, Setting, SettingNames, parse_query
from ..game.model import Game, Rule, Table
from ..odds.distribution import Chance
from ..source import Fix, Problem, Source, Span, suggest
from .answers import Answers, Refusal, Setup
from .model import BlockContext, find_game, find_rule_by_name, make_problem, missing_game_message
from .quantities import InvalidQuantity, read_chance
from .safe_fixes import keep_safe_numbers
from .settings import override_settings
from .static_blocks import find_table
from .table_lookups import TableLookup
from .written_numbers import (
    NUMBER_PATTERN,
    WrittenNumber,
    format_value,
    format_with_fraction,
    number_from_match,
    number_in_words,
)

_SCHEME_PATTERN = re.compile(  # another sign may stand for a missing `?` if a setting follows it
    rf"({'|'.join(SCHEMES)}):(?://)?([^?]*?)(?:\?(.*)|[&;/](?=\w[\w.]*=)([^?]*))?", re.IGNORECASE | re.DOTALL
)


def link_text_span(link: Link) -> Span | None:
    """The span of the text of a link in the page, including markup; None if it is not written `[text](target)`."""
    text, end = link.span.source.text, link.span.start
    end -= text.endswith("<", 0, end)
    opening = text.rfind("[", 0, end)
    if opening < 0 or text[end - 2 : end] != "](":
        return None
    return Span(link.span.source, opening + 1, end - 2)


@dataclass(frozen=True)
class _NumberLink:
    """A parsed link such as `chance:NAME?items`."""

    link: Link
    kind: str  # roll, chance, value
    name: Span
    query: Span | None

    def read(self, *keys: Setting) -> list[Item]:
        """What the link says by these names, or of its rule and game."""
        names = {key.name: key for key in (*keys, *(Setting(name, PIECE) for name in _GAME_KEYS))}
        return parse_query(self.query, SettingNames(names)) if self.query else []

    @cached_property
    def text_span(self) -> Span | None:
        return link_text_span(self.link)

    @cached_property
    def number(self) -> WrittenNumber | None:
        """The number in the link text; None unless there is exactly one."""
        matches = [number for number in NUMBER_PATTERN.finditer(self.link.text) if _is_separate_number(number)]
        if not matches and self.kind == "chance":
            return number_in_words(Span(Source("", self.link.text), 0, len(self.link.text)))
        if len(matches) != 1:
            return None
        text_only_span = Span(Source("", self.link.text), *matches[0].span())
        return number_from_match(matches[0], self.find_span(matches[0][0]) or text_only_span)

    def find_span(self, part: str) -> Span | None:
        """The span of a part of the link text in the page; None if it is ambiguous or hidden by markup."""
        if self.text_span is None or self.text_span.text.count(part) != 1:
            return None
        start = self.text_span.text.index(part)
        return self.text_span.subspan(start, start + len(part))

    def make_problem(
        self, message: str, span: Span | None = None, notes: tuple[str, ...] = (), new: str = ""
    ) -> Problem:
        """A problem of this link; `new` replaces its number."""
        number = self.number
        number_span = number.span if number and number.span.source is self.link.span.source else None
        problem = make_problem(self.link, f"link-{self.kind}", message, span or self.link.span, notes)
        return problem._replace(fix=Fix(number_span, new)) if new and number_span else problem

    def convert_problem(self, problem: Problem) -> Problem:
        """Turns a problem from a shared check into a problem of this link."""
        is_in_page = problem.span.source is self.link.span.source
        return self.make_problem(problem.message, problem.span if is_in_page else None, problem.notes)


def _parse_link(link: Link) -> _NumberLink | None:
    """Parses a link; None if it has another scheme."""
    match = _SCHEME_PATTERN.fullmatch(link.target) if link.kind not in ("image", "wiki") else None
    if not match:
        return None
    target_span = link.span if link.span.text == link.target else Span(Source("", link.target), 0, len(link.target))
    settings = 3 if match[3] else 4
    name, query = target_span.subspan(*match.span(2)), None
    if match[settings]:
        query = target_span.subspan(*match.span(settings))
    if unquote_plus(name.text) != name.text:
        decoded = unquote_plus(name.text)
        name = Span(Source("", decoded), 0, len(decoded))
    return _NumberLink(link, match[1].lower(), name, query)


def _is_separate_number(match: re.Match[str]) -> bool:
    """Whether the match is a number of its own, not a part of a word such as d20."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


_GAME_KEYS = ("rule", "game")


@dataclass(frozen=True)
class CheckedLink:
    """A link after its check: passed, failed (its number is wrong) or error (unreadable)."""

    link: Link
    kind: str  # roll, chance, value
    status: str
    problems: tuple[Problem, ...] = ()
    rule: Rule | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    aim: str = ""
    value: Chance | int | str | None = None


def check_number_links(page: Page, context: BlockContext) -> tuple[list[CheckedLink], list[Problem]]:
    """Checks all links with the schemes `roll:`, `chance:` and `value:` on a page."""
    answers = Answers()
    links = [link for link in map(_parse_link, page.links) if link]
    checked_links = [LINK_CHECKS[link.kind](link, context, answers) for link in links]
    results = [
        replace(checked_link, problems=keep_safe_numbers(checked_link.problems, page))
        if checked_link.problems
        else checked_link
        for checked_link in checked_links
    ]
    return results, [problem for result in results for problem in result.problems]


def _fail_link(link: _NumberLink, *problems: Problem, status: str = "error") -> CheckedLink:
    return CheckedLink(link.link, link.kind, status, problems)


def _check_roll(link: _NumberLink, context: BlockContext, _answers: Answers) -> CheckedLink:
    setup, problems = _read_setup(link, context, link.name.text)
    if setup is None:
        return _fail_link(link, *problems)
    return CheckedLink(link.link, link.kind, "passed", (), setup.rule, setup.inputs, setup.aim)


def _check_chance(link: _NumberLink, context: BlockContext, answers: Answers) -> CheckedLink:
    setup, problems = _read_setup(link, context, _item_value(link, "rule"))
    if setup is None:
        return _fail_link(link, *problems)
    quantity = read_chance(setup.rule, link.name)
    if isinstance(quantity, InvalidQuantity):
        is_in_page = quantity.span.source is link.link.span.source
        return _fail_link(link, link.make_problem(quantity.message, quantity.span if is_in_page else None))
    answer = answers.get_single(quantity, setup)
    if isinstance(answer, Refusal):
        missing = answer.message.removesuffix(" must be given").partition(",")[0]
        notes = (f"add {missing}=… after the ?",) if missing != answer.message.partition(",")[0] else ()
        return _fail_link(link, link.make_problem(f"this cannot be worked out: {answer.message}", notes=notes))
    checked = CheckedLink(link.link, link.kind, "passed", (), setup.rule, setup.inputs, setup.aim, answer)
    return _with_problems(checked, _compare_link_number(link, answer, is_chance=True))


def _check_value(link: _NumberLink, context: BlockContext, _answers: Answers) -> CheckedLink:
    game, problems = _find_link_game(link, context)
    if game is None:
        return _fail_link(link, *problems)
    table = find_table(game, link.name.text)
    if table is None:
        note = suggest(link.name.text, game.tables)
        return _fail_link(link, link.make_problem(f'{game.title} has no table "{link.name.text}"; {note}'.rstrip("; ")))
    cell, problem = _find_cell(link, table)
    if cell is None or problem:
        return _fail_link(link, *filter(None, [problem]))
    checked = CheckedLink(link.link, link.kind, "passed", value=cell.value)
    if isinstance(cell.value, int):
        problems = _compare_link_number(link, Chance(Fraction(cell.value), Fraction(cell.value)), is_chance=False)
    else:
        problems = _compare_link_text(link, str(cell.value))
    return _with_problems(
        checked, [link_problem._replace(notes=(*link_problem.notes, cell.description)) for link_problem in problems]
    )


LINK_CHECKS: dict[str, Callable[[_NumberLink, BlockContext, Answers], CheckedLink]] = {
    "roll": _check_roll,
    "chance": _check_chance,
    "value": _check_value,
}


def _with_problems(checked: CheckedLink, problems: list[Problem]) -> CheckedLink:
    return replace(checked, status="failed", problems=tuple(problems)) if problems else checked


def _read_setup(link: _NumberLink, context: BlockContext, named: str) -> tuple[Setup | None, list[Problem]]:
    """The rule and settings of a link; `named` is `rule`, `game/rule` or empty."""
    folder, _, name = named.rpartition("/")
    rule, problems = find_rule_by_name(link.link, context, folder or _item_value(link, "game"), name, link.link.span)
    if rule is None:
        return None, [link.convert_problem(problem) for problem in problems]
    phrase, problems = override_settings(Setup(rule, {}), link.query, link.link, context)
    return phrase and phrase.setup, [link.convert_problem(problem) for problem in problems]


def _item_value(link: _NumberLink, name: str) -> str:
    return next((item.value for item in link.read() if item.name == name), "")


def _find_link_game(link: _NumberLink, context: BlockContext) -> tuple[Game | None, list[Problem]]:
    folder = _item_value(link, "game")
    game = find_game(context, folder)
    message = "" if game else missing_game_message(context, folder, "write &game= with the folder of one")
    return game, [link.make_problem(message)] if message else []


def _find_cell(link: _NumberLink, table: Table) -> tuple[TableLookup | None, Problem | None]:
    """Looks up the table cell at the row and column of a link."""
    known = {name.lower(): index for index, name in enumerate(table.columns)}
    keys = (
        Setting("row", PIECES, lambda text: _find_row(table, text) is not None),
        Setting("column", PIECES, lambda text: text.lower() in known),
    )
    items = link.read(*keys)
    if unknown_items := [item for item in items if item.name not in ("row", "column", *_GAME_KEYS[1:])]:
        return None, _unknown_item_problem(link, unknown_items[0])
    row, column = (next((item.value for item in items if item.name == name), "") for name in ("row", "column"))
    if not column and len(known) == 1:
        column = table.columns[0]
    if column.lower() not in known:
        fact = f'has no column "{column}"' if column else "has several columns; name one: &column="
        return None, link.make_problem(f"the table {table.name} {fact}; {suggest(column, table.columns)}".rstrip("; "))
    number, column_index = _find_row(table, row), known[column.lower()]
    if number is None:
        fact = f'has no row "{row}"' if row else "needs a row: row="
        return None, link.make_problem(f"the table {table.name} {fact}; {suggest(row, table.rows)}".rstrip("; "))
    value, span = table.cells[number][column_index], table.cell_spans[number][column_index]
    return TableLookup(table, row, table.columns[column_index], value, span), None


def _find_row(table: Table, row: str) -> int | None:
    number = table.row_index(row)
    return table.row_index(int(row)) if number is None and row.lstrip("+-").isdecimal() and len(row) < 16 else number


def _unknown_item_problem(link: _NumberLink, item: Item) -> Problem:
    is_in_page = item.name_span.source is link.link.span.source
    message = f'a value has a row, a column and perhaps a game, but no "{item.name}"'
    return link.make_problem(message, item.name_span if is_in_page else None)


def _compare_link_number(link: _NumberLink, value: Chance, is_chance: bool) -> list[Problem]:
    """Compares the number in the link text with the actual value, after rounding."""
    actual = format_with_fraction(value, is_chance)
    number = link.number
    if number is None:
        message = f"the text of this link should hold one number: the rules give {actual}"
        return [link.make_problem(message)]
    agrees = number.agrees(value, is_chance)
    if agrees:
        return []
    span = number.span if number.span.source is link.link.span.source else None
    if agrees is None:
        return [link.make_problem(f"it is not known whether this is so: the rules give {actual}", span)]
    percent_notes = number.percent_notes(is_chance)
    corrected = number.format_like(value.exact) if value.exact is not None and not percent_notes else ""
    message = (
        f"the rules give {corrected or format_value(value, is_chance, number.as_chance)}, the text says {number.text}"
    )
    return [link.make_problem(message, span, (f"the rules: {actual}", *percent_notes), corrected)]


def _compare_link_text(link: _NumberLink, cell: str) -> list[Problem]:
    if link.link.text.strip().lower() == cell.strip().lower():
        return []
    return [link.make_problem(f"the table says {cell}, the text says {link.link.text}")]
