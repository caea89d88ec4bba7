"""Checks the links `roll:`, `chance:` and `value:` of a page against the odds and the tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from urllib.parse import unquote_plus

from ..book.entries import Item, parse_query
from ..book.page import Link, Page
from ..book.rule_links import SCHEMES
from ..game.model import Game, Rule, Table
from ..odds.distribution import Chance
from ..play.result import LookedUp
from ..source import Fix, Problem, Source, Span, suggest
from .amounts import NUMBER, Written, both_ways, said, written
from .model import Around, find_game, no_game, rule_of, trouble
from .questions import Answers, Refusal, Setup, Wrong, read_chance
from .safe_fixes import safe_numbers
from .settings import override
from .static_blocks import find_table

SCHEME = re.compile(rf"({'|'.join(SCHEMES)}):([^?]*)(?:\?(.*))?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class NumberLink:
    """A parsed link such as `chance:NAME?items`."""

    link: Link
    kind: str  # roll, chance, value
    name: Span
    items: Sequence[Item]

    @cached_property
    def place(self) -> Span | None:
        """The span of the link text in the page, including markup."""
        text, end = self.link.span.source.text, self.link.span.start
        end -= text[:end].endswith("<")
        opening = text.rfind("[", 0, end)
        if opening < 0 or text[end - 2 : end] != "](":
            return None
        return Span(self.link.span.source, opening + 1, end - 2)

    @cached_property
    def number(self) -> Written | None:
        """The number in the link text; None unless there is exactly one."""
        found = [number for number in NUMBER.finditer(self.link.text) if stands_alone(number)]
        if len(found) != 1:
            return None
        bare = Span(Source("", self.link.text), *found[0].span())
        return written(found[0], self.within(found[0][0]) or bare)

    def within(self, shown: str) -> Span | None:
        """The span of a part of the link text in the page; None if it is ambiguous or hidden by markup."""
        if self.place is None or self.place.text.count(shown) != 1:
            return None
        start = self.place.text.index(shown)
        return self.place.part(start, start + len(shown))

    def trouble(self, message: str, span: Span | None = None, notes: tuple[str, ...] = (), new: str = "") -> Problem:
        """A problem of this link; `new` replaces its number."""
        number = self.number
        place = number.span if number and number.span.source is self.link.span.source else None
        problem = trouble(self.link, f"link-{self.kind}", message, span or self.link.span, notes)
        return problem._replace(fix=Fix(place, new)) if new and place else problem

    def as_own(self, problem: Problem) -> Problem:
        """Turns a problem from a shared check into a problem of this link."""
        own = problem.span.source is self.link.span.source
        return self.trouble(problem.message, problem.span if own else None, problem.notes)


def read_link(link: Link) -> NumberLink | None:
    """Parses a link; None if it has another scheme."""
    found = SCHEME.fullmatch(link.target) if link.kind not in ("image", "wiki") else None
    if not found:
        return None
    whole = link.span if link.span.text == link.target else Span(Source("", link.target), 0, len(link.target))
    name, query = whole.part(*found.span(2)), whole.part(*found.span(3)) if found[3] else None
    if unquote_plus(name.text) != name.text:
        decoded = unquote_plus(name.text)
        name = Span(Source("", decoded), 0, len(decoded))
    return NumberLink(link, found[1].lower(), name, parse_query(query) if query else [])


def stands_alone(found: re.Match[str]) -> bool:
    """Whether the match is a number of its own, not a part of a word such as d20."""
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


HERE = ("rule", "game")


@dataclass(frozen=True)
class CheckedLink:
    """A link after its check: passed, failed (its number is wrong) or error (unreadable)."""

    link: Link
    kind: str  # roll, chance, value
    status: str
    problems: tuple[Problem, ...] = ()
    rule: Rule | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)
    policy: str = ""
    value: Chance | int | str | None = None


def check_numbers(page: Page, around: Around) -> tuple[list[CheckedLink], list[Problem]]:
    """Checks all links with the schemes `roll:`, `chance:` and `value:` on a page."""
    answers = Answers()
    links = [link for link in map(read_link, page.links) if link]
    found = [CHECKS[link.kind](link, around, answers) for link in links]
    results = [replace(one, problems=safe_numbers(one.problems, page)) if one.problems else one for one in found]
    return results, [problem for result in results for problem in result.problems]


def failed(link: NumberLink, *problems: Problem, status: str = "error") -> CheckedLink:
    return CheckedLink(link.link, link.kind, status, problems)


def check_roll(link: NumberLink, around: Around, _answers: Answers) -> CheckedLink:
    setup, problems = read_setup(link, around, link.name.text)
    if setup is None:
        return failed(link, *problems)
    return CheckedLink(link.link, link.kind, "passed", (), setup.rule, setup.inputs, setup.policy)


def check_chance(link: NumberLink, around: Around, answers: Answers) -> CheckedLink:
    setup, problems = read_setup(link, around, value_of(link, "rule"))
    if setup is None:
        return failed(link, *problems)
    quantity = read_chance(setup.rule, link.name)
    if isinstance(quantity, Wrong):
        own = quantity.span.source is link.link.span.source
        return failed(link, link.trouble(quantity.message, quantity.span if own else None))
    answer = answers.single(quantity, setup)
    if isinstance(answer, Refusal):
        return failed(link, link.trouble(f"this cannot be worked out: {answer.message}"))
    found = CheckedLink(link.link, link.kind, "passed", (), setup.rule, setup.inputs, setup.policy, answer)
    return with_problems(found, compared(link, answer, is_chance=True))


def check_value(link: NumberLink, around: Around, _answers: Answers) -> CheckedLink:
    game, problems = game_of(link, around)
    if game is None:
        return failed(link, *problems)
    table = find_table(game, link.name.text)
    if table is None:
        note = suggest(link.name.text, game.tables)
        return failed(link, link.trouble(f"{game.title} has no table «{link.name.text}»; {note}".rstrip("; ")))
    cell, problem = cell_of(link, table)
    if cell is None or problem:
        return failed(link, *filter(None, [problem]))
    found = CheckedLink(link.link, link.kind, "passed", value=cell.value)
    if isinstance(cell.value, int):
        problems = compared(link, Chance(Fraction(cell.value), Fraction(cell.value)), is_chance=False)
    else:
        problems = words(link, str(cell.value))
    return with_problems(found, [one._replace(notes=(*one.notes, cell.said)) for one in problems])


CHECKS: dict[str, Callable[[NumberLink, Around, Answers], CheckedLink]] = {
    "roll": check_roll,
    "chance": check_chance,
    "value": check_value,
}


def with_problems(found: CheckedLink, problems: list[Problem]) -> CheckedLink:
    return replace(found, status="failed", problems=tuple(problems)) if problems else found


def read_setup(link: NumberLink, around: Around, named: str) -> tuple[Setup | None, list[Problem]]:
    """The rule and settings of a link; `named` is `rule`, `game/rule` or empty."""
    folder, _, name = named.rpartition("/")
    rule, problems = rule_of(link.link, around, folder or value_of(link, "game"), name, link.link.span)
    if rule is None:
        return None, [link.as_own(problem) for problem in problems]
    items = [item for item in link.items if item.name.lower() not in HERE]
    setup, problems = override(Setup(rule, {}), items, link.link, around)
    return setup, [link.as_own(problem) for problem in problems]


def value_of(link: NumberLink, name: str) -> str:
    return next((item.value for item in link.items if item.name.lower() == name), "")


def game_of(link: NumberLink, around: Around) -> tuple[Game | None, list[Problem]]:
    folder = value_of(link, "game")
    game = find_game(around, folder)
    said = "" if game else no_game(around, folder, "write &game= with the folder of one")
    return game, [link.trouble(said)] if said else []


def cell_of(link: NumberLink, table: Table) -> tuple[LookedUp | None, Problem | None]:
    """Looks up the table cell at the row and column of a link."""
    strange = [item for item in link.items if item.name.lower() not in ("row", "column", "game")]
    if strange:
        return None, unknown_key(link, strange[0])
    row, column = value_of(link, "row"), value_of(link, "column")
    known = {name.lower(): place for place, name in enumerate(table.columns)}
    if not column and len(known) == 1:
        column = table.columns[0]
    if column.lower() not in known:
        fact = f"has no column «{column}»" if column else "has several columns; name one: &column="
        return None, link.trouble(f"the table {table.name} {fact}; {suggest(column, table.columns)}".rstrip("; "))
    number, place = table.number(row), known[column.lower()]
    if number is None and row.lstrip("+-").isdecimal() and len(row) < 16:
        number = table.number(int(row))
    if number is None:
        fact = f"has no row «{row}»" if row else "needs a row: row="
        return None, link.trouble(f"the table {table.name} {fact}; {suggest(row, table.rows)}".rstrip("; "))
    value, span = table.cells[number][place], table.places[number][place]
    return LookedUp(table, row, table.columns[place], value, span), None


def unknown_key(link: NumberLink, item: Item) -> Problem:
    own = item.name_span.source is link.link.span.source
    message = f"a value has a row, a column and perhaps a game, but no «{item.name}»"
    return link.trouble(message, item.name_span if own else None)


def compared(link: NumberLink, value: Chance, is_chance: bool) -> list[Problem]:
    """Compares the number in the link text with the actual value, after rounding."""
    shown = both_ways(value, is_chance)
    number = link.number
    if number is None:
        message = f"the text of this link should hold one number: the rules give {shown}"
        return [link.trouble(message)]
    agrees = number.agrees(value)
    if agrees:
        return []
    span = number.span if number.span.source is link.link.span.source else None
    if agrees is None:
        return [link.trouble(f"whether this is so cannot be told: the rules give {shown}", span)]
    right = number.like_this(value.exact) if value.exact is not None else ""
    message = f"the rules give {right or said(value, is_chance, number.exactly)}, the text says {number.text}"
    return [link.trouble(message, span, (f"the rules: {shown}",), right)]


def words(link: NumberLink, cell: str) -> list[Problem]:
    if link.link.text.strip().lower() == cell.strip().lower():
        return []
    return [link.trouble(f"the table says {cell}, the text says {link.link.text}")]
