"""What the changes mean at the table, in words: rolls that end differently, chances, examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...editions.chances import OddsChange
from ...editions.counterexample import Counterexample, RollComparison
from ...editions.matching import RulePair
from ...editions.whole import EditionDiff
from ...game.model import SIDES
from ..words import Words
from .outline import Grid, Line, Section, make_grid
from .shown import example_sections, result_text
from .values import inputs_text, integer_text, percent_text, points_text, value_text, with_inputs_text

MOST_ROWS, MOST_COLUMNS = 10, 9


def play_sections(found: EditionDiff, words: Words) -> Iterator[Section]:
    """One for each rule that works differently: the smallest roll that shows it, then the chances."""
    rolls, odds = {id(one.pair): one for one in found.rolls}, {id(one.pair): one for one in found.odds}
    pairs = {id(pair): pair for pair in [*(one.pair for one in found.rolls), *(one.pair for one in found.odds)]}
    for key, pair in pairs.items():
        body = [*roll_lines(rolls.get(key), words), *odds_lines(odds.get(key), words)]
        yield Section(words("rolls and chances", rule=rule_name(pair)), tuple(body))
    yield from example_sections(found, words)


def rule_name(pair: RulePair) -> str:
    own = pair.new.label or pair.new.name
    return f"{pair.game}/{own}" if pair.game else own


def roll_lines(rolls: RollComparison | None, words: Words) -> Iterator[Line]:
    if rolls is None:
        return
    pair, smallest = rolls.pair, rolls.smallest
    kind = "roll" if pair.old.dice else "inputs"
    if rolls.why:
        yield Line(words(f"no rolls {rolls.why}"))
    elif smallest is None:
        yield Line(words(f"no {kind} differ", number=integer_text(rolls.rolls, words)))
    else:
        ends = {"old": result_text(smallest.old, words), "new": result_text(smallest.new, words)}
        yield Line(words(f"smallest {kind}", what=roll_text(pair, smallest, words), **ends))
    for name, both in pair.defaults.items():
        old, new = (value_text(pair.old, name, one, words) for one in both)
        yield Line(words("left out otherwise", input=name, old=old, new=new))


def roll_text(pair: RulePair, roll: Counterexample, words: Words) -> str:
    """«1 1 6 (pool 3, difficulty 6)»."""
    said = inputs_text(pair, roll.inputs, words)
    dice = words("with rerolls", dice=roll.dice, rerolled=roll.rerolled) if roll.rerolled else roll.dice
    return words("with inputs", dice=dice, inputs=said) if dice and said else dice or said


def odds_lines(odds: OddsChange | None, words: Words) -> Iterator[Line | Grid]:
    if odds is None:
        return
    if odds.why:
        yield Line(words(f"no odds {odds.why}"))
    elif odds.largest is None:
        yield Line(words("chances same", number=integer_text(odds.asked, words)))
    else:
        pair, largest = odds.pair, odds.largest
        both = {"old": percent_text(largest.old, words), "new": percent_text(largest.new, words)}
        inputs = inputs_text(pair, largest.inputs, words)
        yield Line(words("largest change", outcome=outcome_text(pair, largest.outcome, words), inputs=inputs, **both))
        shown = {(cell.row, cell.column): points_text(cell.old, cell.new, words) for cell in odds.cells}
        caption = with_inputs_text(grid_caption(pair, largest.outcome, words), pair, odds.fixed, words)
        cells = {(cell.row, cell.column): cell.new - cell.old for cell in odds.cells}
        telling = {key: one for key, one in cells.items() if one}
        yield odds_grid(pair, (odds.rows, odds.columns), shown, telling, caption, words)


def outcome_text(pair: RulePair, name: str, words: Words) -> str:
    """As the author calls it; who wins a contest is said in words."""
    if not pair.old.contest:
        return name
    return words(f"side {SIDES.index(name) + 1}") if name in SIDES else words("tie")


def grid_caption(pair: RulePair, name: str, words: Words) -> str:
    phrase = "change of winning" if pair.old.contest and name in SIDES else "change of chance"
    return words(phrase, outcome=outcome_text(pair, name, words))


def odds_grid(
    pair: RulePair, heads: Sequence[str], cells: Mapping[tuple[str, str], str],
    telling: Mapping[tuple[str, str], object], caption: str, words: Words,
) -> Grid:  # fmt: skip
    """The first rows and columns in which anything happens at all."""
    useful, broad = ({key[place] for key in telling} for place in range(2))
    rows = [row for row in dict.fromkeys(row for row, _ in cells) if row in useful][:MOST_ROWS]
    columns = [column for column in dict.fromkeys(column for _, column in cells) if column in broad][:MOST_COLUMNS]
    both = zip(heads, (rows, columns), strict=True)
    down, across = ([value_text(pair.old, head, one, words) for one in keys] for head, keys in both)
    body = [[head, *(cells.get((row, column), "") for column in columns)] for head, row in zip(down, rows, strict=True)]
    return make_grid([word for word in heads if word], across, body, caption)
