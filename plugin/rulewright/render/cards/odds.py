"""Data of cards with numbers: tables of odds, tables of a game, claims, rollers and their bars."""

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

HEAT = (0.04, 0.56)  # opacity at 0, and what is added at the maximum
TRACK = '<rect class="rw-track" width="100" height="8"/>'


class Bar(NamedTuple):
    """A chance as a labeled bar; `here` marks the outcome of the roll."""

    name: str
    text: str
    svg: Markup
    here: bool = False


def bars(chances: Mapping[str, Chance], words: Words, here: str | None = None) -> list[Bar]:
    """A bar for each outcome."""
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
    """SVG of a bar as long as the share, on a track if it is a share of a whole.

    Hidden from screen readers, because the number next to it says the same.
    """
    width = f"{max(min(share, 1.0), 0.0) * 100:.2f}".rstrip("0").rstrip(".")
    return Markup(
        '<svg class="rw-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'{TRACK if whole else ""}<rect class="rw-share" width="{width}" height="8"/></svg>'
    )


def heat(share: float) -> Markup:
    """SVG for the background of a cell, darker for a larger share."""
    opacity = f"{HEAT[0] + HEAT[1] * max(min(share, 1.0), 0.0):.2f}"
    return Markup(
        '<svg class="rw-heat" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="1" height="1" fill-opacity="{opacity}"/></svg>'
    )


DECIMAL = re.compile(r"[.,](\d+)\s*%?$")
RARE = Fraction(1, 2000)  # printed as less than 0.1%
RESTS = (BEYOND, BELOW, AROUND)
LONG = 5  # columns; a single row with more is transposed, so that it fits on a phone


class Cell(NamedTuple):
    """The text of a cell, and its bar or background."""

    text: str
    svg: Markup | None = None

    @property
    def is_number(self) -> bool:
        return any(character.isdecimal() for character in self.text[:2]) or not self.text


class Grid(NamedTuple):
    """A table of numbers or texts.

    `wide` tables scroll sideways on a small screen, while their first column stays in place.
    """

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
        """For each column whether it contains text: text is aligned left, numbers right."""
        return [not all(cells[at].is_number for _, cells in self.rows) for at in range(len(self.columns))]


def odds(checked: Checked, words: Words) -> Grid | None:
    """The data of a table of odds."""
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
    """Whether the last column sums up values that are not listed; in other tables an outcome may have its name."""
    return table.show == "distribution" and table.columns[-1:] != () and table.columns[-1] in RESTS


def without_rare_end(table: OddsTable, words: Words) -> OddsTable:
    """Merges the rare values at the end of an infinite distribution into one column, such as "30 or more"."""
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
    """The chance of any of these values; they exclude each other and share the same unresolved probability."""
    known = [one for one in chances if one]
    low = sum((one.low for one in known), Fraction(0))
    return Chance(low, low + max((one.high - one.low for one in known), default=Fraction(0)))


def turned(grid: Grid, table: OddsTable, rule: Rule, words: Words) -> Grid:
    """Transposes a grid with one row if it is long or its cells are bars."""
    if len(grid.columns) <= LONG and table.look != "bars":
        return grid
    rows = [(column, [found]) for column, found in zip(grid.columns, grid.rows[0][1], strict=True)]
    return grid._replace(
        corner=label_of(rule, table.column_name, words), columns=[words(f"figure {table.show}")], rows=rows
    )


def scale_of(table: OddsTable) -> float:
    """The value of a full bar: 1 in a table of chances, else the maximum of the table."""
    if table.show == "chance":
        return 1.0
    return max((float(one) for row in table.values for one in row if one), default=1.0) or 1.0


def decimals(checked: Checked, table: OddsTable) -> int:
    """The number of decimals: one for percentages and two for means, or as many as the `expect` entries have.

    Fewer if all means are exact with fewer.
    """
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
    """Replaces a leading hyphen by a minus sign."""
    return text.replace("-", "−") if text.startswith("-") else text


def quantity(table: OddsTable, rule: Rule, words: Words) -> str:
    """The quantity in a table, such as "Chance of success"."""
    if not table.of:
        return words("shows outcomes")
    if rule.contest and table.of in SIDES:
        return words("shows winner", side=words(f"side {SIDES.index(table.of) + 1}"))
    return words(f"shows {table.show}", what=named(signs(table.of)))


def caption(table: OddsTable, rule: Rule, words: Words) -> str:
    """The caption of a table: its quantity and the names of its rows and columns."""
    what, distribution = quantity(table, rule, words), table.show == "distribution"
    down = inside(label_of(rule, table.row_name, words), words)
    across = "" if distribution else inside(label_of(rule, table.column_name, words), words)
    if down and across:
        return words("by both", what=what, down=down, across=across)
    return words("by one", what=what, by=down or across) if down or across else what


def signs(text: str) -> str:
    """Replaces comparison operators by mathematical signs."""
    return text.replace(">=", "≥").replace("<=", "≤").replace("!=", "≠")


def inside(label: str, words: Words) -> str:
    """A label for the middle of a sentence: lowercase, except in German, where nouns are capitalized."""
    return label if words.language.startswith("de") or label[1:2].isupper() else label[:1].lower() + label[1:]


def table(checked: Checked, words: Words) -> Grid | None:
    """The data of a table of a game, with the selected columns."""
    found = checked.table
    if found is None:
        return None
    wanted = [found.columns.index(name) for name in checked.columns or found.columns]
    rows = [(minus(name), cells_of(cells, wanted, words)) for name, cells in lines(found)]
    columns = [words("number") if name == "number" else named(name) for name in (found.columns[one] for one in wanted)]
    return Grid(begun(found.name), "", "", columns, rows, "table", [])


def lines(found: Table) -> list[tuple[str, tuple[Any, ...]]]:
    """The rows of a table, named ones before ranges of numbers."""
    return [*found.rows.items(), *((span(low, high), cells) for low, high, cells in found.ranges)]


def cells_of(cells: Sequence[Any], wanted: list[int], words: Words) -> list[Cell]:
    return [Cell(value(cells[number], words)) for number in wanted]


def span(low: int | None, high: int | None) -> str:
    """A range of numbers as text: "11–15", "41+", "≤ 0"."""
    if low is None or high is None:
        return f"{low}+" if low is not None else f"≤ {high}".replace("-", "−")
    return (str(low) if low == high else f"{low}–{high}").replace("-", "−")


SPELLED = {"<=": "≤", ">=": "≥", "~": "≈"}


class Statement(NamedTuple):
    """A statement of a claim; `verdict` says whether it holds and is empty if it was not checked."""

    text: str
    verdict: str
    mark: Markup
    lines: list[str]


class Claim(NamedTuple):
    """The inputs of a claim and its statements."""

    inputs: list[Given]
    statements: list[Statement]


def claim(checked: Checked, words: Words) -> Claim | None:
    """The data of a claim; None without statements."""
    proofs = {proof.statement.start: proof for proof in checked.proofs}
    statements = [statement(span.text.strip(), proofs.get(span.start), words) for span in checked.block.statements]
    inputs = given(checked.rule, checked.inputs, words) if checked.rule and not checked.rule.contest else []
    return Claim(inputs, statements) if statements else None


def statement(text: str, proof: Proof | None, words: Words) -> Statement:
    """A statement with its verdict, the values of its sides and the number of cases."""
    for written, sign in SPELLED.items():
        text = text.replace(written, sign)
    if proof is None:
        return Statement(text, "", Markup(), [])
    sign, verdict = ("good", "holds") if proof.holds else ("bad", "holds not")
    lines = [line for line in (values(proof, words), cases(proof, words)) if line]
    return Statement(text, words(verdict), mark(sign), lines)


def values(proof: Proof, words: Words) -> str:
    """The values of the sides of a statement, without repetitions."""
    return ", ".join(dict.fromkeys(worth(one, words) for one in proof.worths))


def worth(found: Worth, words: Words) -> str:
    """The value of one side: a number, a range, or a fraction with its rounded number."""
    least, greatest = figure(found.least, found.is_chance, words), figure(found.greatest, found.is_chance, words)
    if found.least != found.greatest:
        return words("from to", low=least, high=greatest)
    exact = certain(found) or figures_fraction(found.least, words)
    if not exact:
        return least
    return words("exactly" if is_exact(found.least, found.is_chance) else "about", fraction=exact, number=least)


def certain(found: Worth) -> str:
    """0 or 1 for an impossible or certain event, since 0.0% might have been rounded; otherwise empty."""
    exact = found.least.exact if found.is_chance else None
    return str(exact) if exact in (0, 1) else ""


def is_exact(chance: Chance, is_chance: bool) -> bool:
    """Whether the printed number is the exact value."""
    if chance.exact is None:
        return False
    shown = percent(chance.exact) if is_chance else mean(chance.exact)
    return shown[0] not in "<>" and amounts_is_exact(chance.exact, shown)


def cases(proof: Proof, words: Words) -> str:
    """How many cases were checked; empty for a single one."""
    if proof.cases == 1:
        return ""
    return counted("holds in" if proof.holds else "looked at", proof.cases, words)


class Part(NamedTuple):
    """The inputs of one side of a contest, or of a single roll, which has no heading."""

    heading: str
    inputs: list[Asked]


class Roller(NamedTuple):
    """The inputs of a roller and the odds for their initial values."""

    parts: list[Part]
    odds: list[Bar]

    @property
    def inputs(self) -> list[Asked]:
        """All inputs in one list, with the headings in their labels."""
        return [
            one._replace(label=f"{part.heading}: {one.label}" if part.heading else one.label)
            for part in self.parts
            for one in part.inputs
        ]


def roller(checked: Checked, words: Words) -> Roller | None:
    """The data of a roller: its inputs with their initial values and the odds."""
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
    """The inputs of one side of a contest, without its prefix."""
    place = f"{SIDES[number - 1]}."
    return {name.removeprefix(place): text for name, text in checked.inputs.items() if name.startswith(place)}
