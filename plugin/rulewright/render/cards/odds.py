"""Data of cards with numbers: tables of odds, tables of a game, claims, rollers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from markupsafe import Markup

from ...checks.model import CheckedBlock, OddsTable, Proof, ValueRange
from ...checks.written_numbers import is_exact
from ...game.model import CONTEST_SIDES, Rule, Table
from ...odds.distribution import TAIL_ABOVE, TAIL_BELOW, TAIL_ON_BOTH_SIDES, Chance
from ...odds.rule_odds import compute_chances
from ..number_format import (
    counted_noun,
    format_mean,
    format_percent,
    format_value,
    localized_figure,
    localized_fraction,
    localized_rounded,
)
from ..strings import Words
from .chips import Chip, list_chips
from .dice import draw_mark
from .outcome_odds import OutcomeOdds, build_outcome_odds, draw_bar, name_outcomes
from .wording import describe_event, find_label, format_name, format_title, lowercase_label, reader_name

HEAT_OPACITY = (0.04, 0.56)  # opacity at 0, and what is added at the maximum


def _draw_heat(opacity: float) -> Markup:
    """SVG for the background of a cell."""
    return Markup(
        '<svg class="rw-heat" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="1" height="1" fill-opacity="{opacity:.2f}"/></svg>'
    )


_DECIMAL_PLACES = re.compile(r"[.,](\d+)\s*%?$")
_RARE_CHANCE = Fraction(1, 2000)  # printed as less than 0.1%
_REST_COLUMNS = (TAIL_ABOVE, TAIL_BELOW, TAIL_ON_BOTH_SIDES)
_MOST_COLUMNS = 5  # columns; a single row with more is transposed, so that it fits on a phone


class Cell(NamedTuple):
    """The text of a cell, and the share that its bar or background shows."""

    text: str
    share: float = 0.0
    look: str = ""  # "heat", "bar", or "gauge" for a bar on a track; empty for text alone

    @property
    def svg(self) -> Markup:
        """What HTML draws beside or below the text."""
        return _draw_heat(self.heat) if self.look == "heat" else draw_bar(self.share, self.look == "gauge")

    @property
    def heat(self) -> float:
        """The opacity of its background: darker for a larger share."""
        return HEAT_OPACITY[0] + HEAT_OPACITY[1] * max(min(self.share, 1.0), 0.0)

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
    chips: list[Chip]

    @property
    def wide(self) -> bool:
        return len(self.columns) > _MOST_COLUMNS

    @property
    def wordy(self) -> list[bool]:
        """For each column whether it contains text: text is aligned left, numbers right."""
        return [not all(cells[index].is_number for _, cells in self.rows) for index in range(len(self.columns))]


def build_odds_grid(checked: CheckedBlock, words: Words) -> Grid | None:
    """The data of a table of odds."""
    table, rule = checked.odds, checked.rule
    if table is None or rule is None:
        return None
    scale, decimals, table = _find_scale(table), _count_decimals(checked, table), _merge_rare_columns(table, words)
    columns = [_format_minus(reader_name(rule, _format_signs(name))) for name in table.columns]
    if _has_rest(table):
        columns[-1] = words(table.columns[-1])
    cell_rows = [[_build_cell(chance, table, scale, decimals, words) for chance in line] for line in table.values]
    rows = list(zip(map(_format_minus, table.rows), cell_rows, strict=True))
    chips = [] if rule.contest else list_chips(rule, checked.inputs, words)
    corner = find_label(rule, table.row_name, words)
    grid = Grid(rule.label, _build_caption(table, rule, words), corner, columns, rows, table.look, chips)
    return _transpose_row(grid, table, rule, words) if len(rows) == 1 and len(columns) > 1 else grid


def _has_rest(table: OddsTable) -> bool:
    """Whether the last column sums up values that are not listed; in other tables an outcome may have its name."""
    return table.show == "distribution" and table.columns[-1:] != () and table.columns[-1] in _REST_COLUMNS


def _merge_rare_columns(table: OddsTable, words: Words) -> OddsTable:
    """Merges the rare values at the end of an infinite distribution into one column, such as "30 or more"."""
    if not _has_rest(table) or table.columns[-1] != TAIL_ABOVE:
        return table
    kept_count = 1 + max(
        (
            number
            for line in table.values
            for number, chance in enumerate(line[:-1])
            if chance is None or chance.high >= _RARE_CHANCE
        ),
        default=0,
    )
    if kept_count >= len(table.columns) - 2:
        return table
    name = words("or more", number=table.columns[kept_count])
    values = tuple((*line[:kept_count], _sum_chances(line[kept_count:])) for line in table.values)
    return replace(table, columns=(*table.columns[:kept_count], name), values=values)


def _sum_chances(chances: Sequence[Chance | None]) -> Chance:
    """The chance of any of these values; they exclude each other and share the same unresolved probability."""
    known_chances = [chance for chance in chances if chance]
    low = sum((chance.low for chance in known_chances), Fraction(0))
    return Chance(low, low + max((chance.high - chance.low for chance in known_chances), default=Fraction(0)))


def _transpose_row(grid: Grid, table: OddsTable, rule: Rule, words: Words) -> Grid:
    """Transposes a grid with one row if it is long or its cells are bars."""
    if len(grid.columns) <= _MOST_COLUMNS and table.look != "bars":
        return grid
    rows = [(column, [cell]) for column, cell in zip(grid.columns, grid.rows[0][1], strict=True)]
    return grid._replace(
        corner=find_label(rule, table.column_name, words), columns=[words(f"figure {table.show}")], rows=rows
    )


def _find_scale(table: OddsTable) -> float:
    """The value of a full bar: 1 in a table of chances, else the maximum of the table."""
    if table.show == "chance":
        return 1.0
    return max((float(chance) for row in table.values for chance in row if chance), default=1.0) or 1.0


def _count_decimals(checked: CheckedBlock, table: OddsTable) -> int:
    """The number of decimals: one for percentages and two for means, or as many as the `expect` entries have.

    Fewer if all means are exact with fewer.
    """
    matches = [_DECIMAL_PLACES.search(entry.value) for entry in checked.block.entries if entry.key == "expect"]
    most_decimals = max(1 if table.is_chance else 2, *(len(match[1]) for match in matches if match), 0)
    if table.is_chance:
        return most_decimals
    means = [mean_value for row in table.cells for mean_value in row if mean_value is not None]
    return next(
        (
            decimals
            for decimals in range(most_decimals)
            if all((mean_value * 10**decimals).denominator == 1 for mean_value in means)
        ),
        most_decimals,
    )


def _build_cell(chance: Chance | None, table: OddsTable, scale: float, decimals: int, words: Words) -> Cell:
    if chance is None:
        return Cell("")
    text, share = localized_rounded(chance, table.is_chance, decimals, words), float(chance) / scale
    if table.look == "bars":
        return Cell(text, share, "gauge" if table.show == "chance" else "bar")
    return Cell(text, share, "heat" if table.look == "heatmap" else "")


def _format_minus(text: str) -> str:
    """Replaces a leading hyphen by a minus sign."""
    return text.replace("-", "−") if text.startswith("-") else text


def _describe_quantity(table: OddsTable, rule: Rule, words: Words) -> str:
    """The quantity in a table, such as "Chance of success"."""
    if not table.of:
        return words("shows outcomes")
    if rule.contest and table.of in CONTEST_SIDES:
        return words("shows winner", side=words(f"side {CONTEST_SIDES.index(table.of) + 1}"))
    return words(f"shows {table.show}", what=describe_event(rule, table.of, words))


def _build_caption(table: OddsTable, rule: Rule, words: Words) -> str:
    """The caption of a table: its quantity and the names of its rows and columns."""
    quantity, is_distribution = _describe_quantity(table, rule, words), table.show == "distribution"
    down = lowercase_label(find_label(rule, table.row_name, words), words)
    across = "" if is_distribution else lowercase_label(find_label(rule, table.column_name, words), words)
    if down and across:
        return words("by both", what=quantity, down=down, across=across)
    return words("by one", what=quantity, by=down or across) if down or across else quantity


def _format_signs(text: str) -> str:
    """Replaces comparison operators by mathematical signs."""
    return text.replace(">=", "≥").replace("<=", "≤").replace("!=", "≠")


def build_table_grid(checked: CheckedBlock, words: Words) -> Grid | None:
    """The data of a table of a game, with the selected columns."""
    table = checked.table
    if table is None:
        return None
    column_numbers = [table.columns.index(name) for name in checked.columns or table.columns]
    rows = [(_format_minus(name), _select_cells(cells, column_numbers, words)) for name, cells in _list_rows(table)]
    columns = [
        words("number") if name == "number" else format_name(name)
        for name in (table.columns[number] for number in column_numbers)
    ]
    return Grid(format_title(table.name), "", "", columns, rows, "table", [])


def _list_rows(table: Table) -> list[tuple[str, tuple[Any, ...]]]:
    """The rows of a table, named ones before ranges of numbers."""
    return [*table.rows.items(), *((_format_range(low, high), cells) for low, high, cells in table.ranges)]


def _select_cells(cells: Sequence[Any], column_numbers: list[int], words: Words) -> list[Cell]:
    return [Cell(format_value(cells[number], words)) for number in column_numbers]


def _format_range(low: int | None, high: int | None) -> str:
    """A range of numbers as text: "11–15", "41+", "≤ 0"."""
    if low is None or high is None:
        return f"{low}+" if low is not None else f"≤ {high}".replace("-", "−")
    return (str(low) if low == high else f"{low}–{high}").replace("-", "−")


_OPERATOR_SIGNS = {"<=": "≤", ">=": "≥", "~": "≈"}


class Statement(NamedTuple):
    """A statement of a claim; `verdict` says whether it holds and is empty if it was not checked."""

    text: str
    verdict: str
    mark: Markup
    lines: list[str]


class Claim(NamedTuple):
    """The inputs of a claim and its statements."""

    chips: list[Chip]
    statements: list[Statement]


def build_claim(checked: CheckedBlock, words: Words) -> Claim | None:
    """The data of a claim; None without statements."""
    proofs = {proof.statement.start: proof for proof in checked.proofs}
    statements = [
        _build_statement(span.text.strip(), proofs.get(span.start), words) for span in checked.block.statements
    ]
    chips = list_chips(checked.rule, checked.inputs, words) if checked.rule else []
    return Claim(chips, statements) if statements else None


def _build_statement(text: str, proof: Proof | None, words: Words) -> Statement:
    """A statement with its verdict, the values of its sides and the number of cases."""
    for operator, sign in _OPERATOR_SIGNS.items():
        text = text.replace(operator, sign)
    if proof is None:
        return Statement(text, "", Markup(), [])
    sign, verdict = ("good", "holds") if proof.holds else ("bad", "holds not")
    lines = [line for line in (_describe_values(proof, words), _describe_cases(proof, words)) if line]
    return Statement(text, words(verdict), draw_mark(sign), lines)


def _describe_values(proof: Proof, words: Words) -> str:
    """The values of the sides of a statement, without repetitions."""
    return ", ".join(dict.fromkeys(_describe_worth(worth, words) for worth in proof.value_ranges))


def _describe_worth(worth: ValueRange, words: Words) -> str:
    """The value of one side: a number, a range, or a fraction with its rounded number."""
    least, greatest = (
        localized_figure(worth.least, worth.is_chance, words),
        localized_figure(worth.greatest, worth.is_chance, words),
    )
    if worth.least != worth.greatest:
        return words("from to", low=least, high=greatest)
    fraction = _format_certainty(worth) or localized_fraction(worth.least, words)
    if not fraction:
        return least
    return words(
        "exactly" if _is_shown_exactly(worth.least, worth.is_chance) else "about", fraction=fraction, number=least
    )


def _format_certainty(worth: ValueRange) -> str:
    """0 or 1 for an impossible or certain event, since 0.0% might have been rounded; otherwise empty."""
    exact = worth.least.exact if worth.is_chance else None
    return str(exact) if exact in (0, 1) else ""


def _is_shown_exactly(chance: Chance, is_chance: bool) -> bool:
    """Whether the printed number is the exact value."""
    if chance.exact is None:
        return False
    text = format_percent(chance.exact) if is_chance else format_mean(chance.exact)
    return text[0] not in "<>" and is_exact(chance.exact, text)


def _describe_cases(proof: Proof, words: Words) -> str:
    """How many cases were checked; empty for a single one."""
    if proof.cases == 1:
        return ""
    return counted_noun("holds in" if proof.holds else "looked at", proof.cases, words)


class Roller(NamedTuple):
    """A card without a roll: the inputs that are set, and the odds for them."""

    chips: list[Chip]
    odds: OutcomeOdds | None
    how: tuple[()] = ()  # nothing was rolled
    marks: tuple[()] = ()


def build_roller(checked: CheckedBlock, words: Words) -> Roller | None:
    rule = checked.rule
    if rule is None:
        return None
    chances = compute_chances(rule, checked.inputs, checked.aim)
    return Roller(
        list_chips(rule, checked.inputs, words), build_outcome_odds(name_outcomes(rule, chances, words), words)
    )
