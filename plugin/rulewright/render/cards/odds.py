"""A roller before it rolls: its inputs, where they start, and the odds there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from markupsafe import Markup

from ...checks.amounts import is_exact as amounts_is_exact
from ...checks.model import Checked, OddsTable, Proof, Worth
from ...game.model import SIDES, Rule, Table
from ...odds.answer import chances
from ...odds.distribution import AROUND, BELOW, BEYOND, Chance
from ..numbers import counted, figure, figures_fraction, figures_percent, figures_rounded, mean, percent, value
from ..strings import Words
from .dice import mark
from .wording import Asked, Given, asked, begun, given, label_of, named

HEAT = (0.04, 0.56)  # how dense the colour is where nothing is, and how much denser where most is
TRACK = '<rect class="rw-track" width="100" height="8"/>'


class Bar(NamedTuple):
    """A chance by name; `here` marks the one that came true."""

    name: str
    text: str
    svg: Markup
    here: bool = False


def bars(chances: Mapping[str, Chance], words: Words, here: str | None = None) -> list[Bar]:
    return [
        Bar(
            words("nobody") if name == "none" else named(name),
            figures_percent(chance, words),
            bar(float(chance)),
            name == here,
        )
        for name, chance in chances.items()
    ]


def bar(share: float, whole: bool = True) -> Markup:
    """A line as long as the share, on a ground that is the whole; the number beside it says the same."""
    width = f"{max(min(share, 1.0), 0.0) * 100:.2f}".rstrip("0").rstrip(".")
    return Markup(
        '<svg class="rw-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'{TRACK if whole else ""}<rect class="rw-share" width="{width}" height="8"/></svg>'
    )


def heat(share: float) -> Markup:
    """The ground of a cell, darker where more is."""
    opacity = f"{HEAT[0] + HEAT[1] * max(min(share, 1.0), 0.0):.2f}"
    return Markup(
        '<svg class="rw-heat" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="1" height="1" fill-opacity="{opacity}"/></svg>'
    )


DECIMAL = re.compile(r"[.,](\d+)\s*%?$")
RARE = Fraction(1, 2000)  # what is printed as less than 0.1%
RESTS = (BEYOND, BELOW, AROUND)
LONG = 5  # columns; a single row with more is turned, so that it can be read on a phone


class Cell(NamedTuple):
    text: str
    svg: Markup | None = None

    @property
    def is_number(self) -> bool:
        return any(character.isdecimal() for character in self.text[:2]) or not self.text


class Grid(NamedTuple):
    """`wide` tables move sideways on a small screen while their first column stays."""

    name: str
    caption: str
    corner: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]
    look: str
    inputs: list[Given]

    @property
    def wide(self) -> bool:
        return len(self.columns) > LONG

    @property
    def wordy(self) -> list[bool]:
        """Columns of numbers stand at the right, columns of words at the left."""
        return [not all(cells[at].is_number for _, cells in self.rows) for at in range(len(self.columns))]


def odds(checked: Checked, words: Words) -> Grid | None:
    table, rule = checked.odds, checked.rule
    if table is None or rule is None:
        return None
    scale, places, table = scale_of(table), decimals(checked, table), without_rare_end(table, words)
    columns = [minus(named(signs(name))) for name in table.columns]
    if has_rest(table):
        columns[-1] = words(table.columns[-1])
    lines = [[cell(one, table, scale, places, words) for one in line] for line in table.values]
    rows = list(zip(map(minus, table.rows), lines, strict=True))
    inputs = [] if rule.contest else given(rule, checked.inputs, words)
    corner = label_of(rule, table.row_name, words)
    grid = Grid(rule.label, caption(table, rule, words), corner, columns, rows, table.look, inputs)
    return turned(grid, table, rule, words) if len(rows) == 1 and len(columns) > 1 else grid


def has_rest(table: OddsTable) -> bool:
    """Whether the last column is for values that are not listed; elsewhere an outcome may be called so."""
    return table.show == "distribution" and table.columns[-1:] != () and table.columns[-1] in RESTS


def without_rare_end(table: OddsTable, words: Words) -> OddsTable:
    """Of an endless distribution, values at the end that hardly ever come are one: «30 or more»."""
    if not has_rest(table) or table.columns[-1] != BEYOND:
        return table
    kept = 1 + max(
        (number for line in table.values for number, one in enumerate(line[:-1]) if one is None or one.high >= RARE),
        default=0,
    )
    if kept >= len(table.columns) - 2:
        return table
    name = words("or more", number=table.columns[kept])
    values = tuple((*line[:kept], together(line[kept:])) for line in table.values)
    return replace(table, columns=(*table.columns[:kept], name), values=values)


def together(chances: Sequence[Chance | None]) -> Chance:
    """The chance that any of them comes; they exclude each other, and leave the same open."""
    known = [one for one in chances if one]
    low = sum((one.low for one in known), Fraction(0))
    return Chance(low, low + max((one.high - one.low for one in known), default=Fraction(0)))


def turned(grid: Grid, table: OddsTable, rule: Rule, words: Words) -> Grid:
    """A single row becomes a column, where it is long or its cells are bars."""
    if len(grid.columns) <= LONG and table.look != "bars":
        return grid
    rows = [(column, [found]) for column, found in zip(grid.columns, grid.rows[0][1], strict=True)]
    return grid._replace(
        corner=label_of(rule, table.column_name, words), columns=[words(f"figure {table.show}")], rows=rows
    )


def scale_of(table: OddsTable) -> float:
    """What fills a cell: certainty, or the largest of values that are far from it or no chances."""
    if table.show == "chance":
        return 1.0
    return max((float(one) for row in table.values for one in row if one), default=1.0) or 1.0


def decimals(checked: Checked, table: OddsTable) -> int:
    """One for percentages and two for means, or as many as the author expects; fewer where all means need fewer."""
    asked = [DECIMAL.search(one.value) for one in checked.block.entries if one.key == "expect"]
    most = max(1 if table.is_chance else 2, *(len(found[1]) for found in asked if found), 0)
    if table.is_chance:
        return most
    exact = [one for row in table.cells for one in row if one is not None]
    return next((few for few in range(most) if all((one * 10**few).denominator == 1 for one in exact)), most)


def cell(found: Chance | None, table: OddsTable, scale: float, places: int, words: Words) -> Cell:
    if found is None:
        return Cell("")
    text, share = figures_rounded(found, table.is_chance, places, words), float(found) / scale
    if table.look == "bars":
        return Cell(text, bar(share, table.show == "chance"))
    return Cell(text, heat(share) if table.look == "heatmap" else None)


def minus(text: str) -> str:
    return text.replace("-", "−") if text.startswith("-") else text


def quantity(table: OddsTable, rule: Rule, words: Words) -> str:
    """«Chance of success»."""
    if not table.of:
        return words("shows outcomes")
    if rule.contest and table.of in SIDES:
        return words("shows winner", side=words(f"side {SIDES.index(table.of) + 1}"))
    return words(f"shows {table.show}", what=named(signs(table.of)))


def caption(table: OddsTable, rule: Rule, words: Words) -> str:
    """What the numbers are, and what runs down and across."""
    what, distribution = quantity(table, rule, words), table.show == "distribution"
    down = inside(label_of(rule, table.row_name, words), words)
    across = "" if distribution else inside(label_of(rule, table.column_name, words), words)
    if down and across:
        return words("by both", what=what, down=down, across=across)
    return words("by one", what=what, by=down or across) if down or across else what


def signs(text: str) -> str:
    return text.replace(">=", "≥").replace("<=", "≤").replace("!=", "≠")


def inside(label: str, words: Words) -> str:
    """A label in the middle of a sentence; where nouns have capitals it keeps its own."""
    return label if words.language.startswith("de") or label[1:2].isupper() else label[:1].lower() + label[1:]


def table(checked: Checked, words: Words) -> Grid | None:
    found = checked.table
    if found is None:
        return None
    wanted = [found.columns.index(name) for name in checked.columns or found.columns]
    rows = [(minus(name), cells_of(cells, wanted, words)) for name, cells in lines(found)]
    columns = [words("number") if name == "number" else named(name) for name in (found.columns[one] for one in wanted)]
    return Grid(begun(found.name), "", "", columns, rows, "table", [])


def lines(found: Table) -> list[tuple[str, tuple[Any, ...]]]:
    return [*found.rows.items(), *((span(low, high), cells) for low, high, cells in found.ranges)]


def cells_of(cells: Sequence[Any], wanted: list[int], words: Words) -> list[Cell]:
    return [Cell(value(cells[number], words)) for number in wanted]


def span(low: int | None, high: int | None) -> str:
    """«11–15», «41+», «≤ 0»."""
    if low is None or high is None:
        return f"{low}+" if low is not None else f"≤ {high}".replace("-", "−")
    return (str(low) if low == high else f"{low}–{high}").replace("-", "−")


SPELLED = {"<=": "≤", ">=": "≥", "~": "≈"}


class Statement(NamedTuple):
    """`verdict` says in a word whether it holds; it is empty where nobody could tell."""

    text: str
    verdict: str
    mark: Markup
    lines: list[str]


class Claim(NamedTuple):
    inputs: list[Given]
    statements: list[Statement]


def claim(checked: Checked, words: Words) -> Claim | None:
    proofs = {proof.statement.start: proof for proof in checked.proofs}
    statements = [statement(span.text.strip(), proofs.get(span.start), words) for span in checked.block.statements]
    inputs = given(checked.rule, checked.inputs, words) if checked.rule and not checked.rule.contest else []
    return Claim(inputs, statements) if statements else None


def statement(text: str, proof: Proof | None, words: Words) -> Statement:
    for written, sign in SPELLED.items():
        text = text.replace(written, sign)
    if proof is None:
        return Statement(text, "", Markup(), [])
    sign, verdict = ("good", "holds") if proof.holds else ("bad", "holds not")
    lines = [line for line in (values(proof, words), cases(proof, words)) if line]
    return Statement(text, words(verdict), mark(sign), lines)


def values(proof: Proof, words: Words) -> str:
    """The value of each side that was worked out; two that are the same once."""
    return ", ".join(dict.fromkeys(worth(one, words) for one in proof.worths))


def worth(found: Worth, words: Words) -> str:
    least, greatest = figure(found.least, found.is_chance, words), figure(found.greatest, found.is_chance, words)
    if found.least != found.greatest:
        return words("from to", low=least, high=greatest)
    exact = certain(found) or figures_fraction(found.least, words)
    if not exact:
        return least
    return words("exactly" if is_exact(found.least, found.is_chance) else "about", fraction=exact, number=least)


def certain(found: Worth) -> str:
    """Never and always are said as whole numbers: 0.0% alone might have been rounded."""
    exact = found.least.exact if found.is_chance else None
    return str(exact) if exact in (0, 1) else ""


def is_exact(chance: Chance, is_chance: bool) -> bool:
    """Whether nothing is rounded away in the number that is shown."""
    if chance.exact is None:
        return False
    shown = percent(chance.exact) if is_chance else mean(chance.exact)
    return shown[0] not in "<>" and amounts_is_exact(chance.exact, shown)


def cases(proof: Proof, words: Words) -> str:
    if proof.cases == 1:
        return ""
    return counted("holds in" if proof.holds else "looked at", proof.cases, words)


class Part(NamedTuple):
    """The inputs of one side of a contest, or of a roll by itself, which needs no heading."""

    heading: str
    inputs: list[Asked]


class Roller(NamedTuple):
    parts: list[Part]
    odds: list[Bar]

    @property
    def inputs(self) -> list[Asked]:
        """All in one list, for what has no room for headings."""
        return [
            one._replace(label=f"{part.heading}: {one.label}" if part.heading else one.label)
            for part in self.parts
            for one in part.inputs
        ]


def roller(checked: Checked, words: Words) -> Roller | None:
    rule = checked.rule
    if rule is None:
        return None
    known = chances(rule, checked.inputs, checked.policy)
    if not rule.contest:
        return Roller([Part("", asked(rule, words, checked.inputs))], bars(known, words))
    parts = [
        Part(words(f"side {number}"), asked(side, words, own_inputs(checked, number)))
        for number, side in enumerate(rule.contest.of, 1)
    ]
    sides = {words(f"side {SIDES.index(name) + 1}") if name in SIDES else name: one for name, one in known.items()}
    return Roller(parts, bars(sides, words))


def own_inputs(checked: Checked, number: int) -> dict[str, str]:
    """What is written for one side of a contest."""
    place = f"{SIDES[number - 1]}."
    return {name.removeprefix(place): text for name, text in checked.inputs.items() if name.startswith(place)}
