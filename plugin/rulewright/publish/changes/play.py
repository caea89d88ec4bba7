"""What the changes mean at the table, in words: throws that end differently, chances, examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ...editions.apart import Apart
from ...editions.chances import OddsChange
from ...editions.matching import RulePair
from ...editions.parting import Parting
from ...editions.whole import Editions
from .. import figures
from ..words import Words
from .outline import Grid, Line, Section, grid
from .shown import example_sections

MOST_ROWS, MOST_COLUMNS = 10, 9
SIGNS = {"and": "and", "or": "or"}


def play_sections(found: Editions, words: Words) -> Iterator[Section]:
    for parting in found.partings:
        yield Section(words("where they part", rule=name(parting.pair)), tuple(parting_body(parting, words)))
    for odds in found.odds:
        yield Section(words("chances of rule", rule=name(odds.pair)), tuple(odds_body(odds, words)))
    yield from example_sections(found, words)


def name(pair: RulePair) -> str:
    own = pair.new.label or pair.new.name
    return f"{pair.game}/{own}" if pair.game else own


def parting_body(found: Parting, words: Words) -> Iterator[Line | Grid]:
    yield from (Line(text) for text in parting_texts(found, words))
    yield from smallest(found.smallest, words("smallest throws"), words)
    yield from (Line(text) for text in further_texts(found, words))
    yield from smallest(found.further.smallest if found.further else (), words("smallest of these"), words)
    for name, (old, new) in found.pair.defaults.items() if found.tried else ():
        yield Line(words("left out otherwise", input=name, old=old, new=new))
    shown = {key: chance for key, chance in found.chances.items() if chance}
    if found.pair.old.dice and shown:
        cells = {key: figures.percent(chance) for key, chance in found.chances.items()}
        yield table((found.rows, found.columns), cells, shown, with_settings(words("how often they part"), found.fixed))


def parting_texts(found: Parting, words: Words) -> Iterator[str]:
    throws = tried(found, words)
    if found.why:
        yield words(f"no parting {found.why}")
    elif not found.tried:
        return
    elif not found.parted:
        yield words("never part", throws=throws)
    elif found.condition:
        said = " ".join(sign(part, words) for part in found.condition)
        more = found.further is not None and (found.further.unlike or not found.further.tried)
        yield words("part when nothing goes on" if more else "part exactly when", condition=said)
        for old, new in found.names.items():
            yield words("called now", old=old, new=new)
        yield words("holds on", throws=throws)
    else:
        yield words("part without condition", throws=throws)


def smallest(throws: Sequence[Apart], title: str, words: Words) -> Iterator[Line]:
    if throws:
        yield Line(title)
    for one in throws:
        said = settings(one.inputs)
        dice = words("with dice", dice=one.dice, inputs=said) if one.dice else said
        yield Line(words("ends before and after", what=dice, old=one.old.text, new=one.new.text), 1)


def further_texts(found: Parting, words: Words) -> Iterator[str]:
    """Throws in which dice are earned, thrown on or thrown anew."""
    one = found.further
    if one is None:
        return
    if not one.tried:
        yield words("onward left out")
        return
    number, tried = f"{one.unlike if found.condition else one.apart:,}", f"{one.tried:,}"
    if found.condition:
        yield words("onward unlike" if one.unlike else "onward same", number=number, tried=tried)
    else:
        yield words("onward apart" if one.apart else "onward agree", number=number, tried=tried)
    bounds = words("onward all" if one.complete else "onward some", most=one.most)
    yield with_settings(bounds, {} if found.tried and one.ranges == found.ranges else one.ranges) + "."
    if one.longer or one.taken:
        yield " ".join(
            words(name) for name, holds in (("onward longer", one.longer), ("onward taken", one.taken)) if holds
        )


def sign(part: str, words: Words) -> str:
    """Minus signs as they are printed; `and` and `or` as the language has them."""
    return words(SIGNS[part]) if part in SIGNS else part.replace(" - ", " − ")


def tried(found: Parting, words: Words) -> str:
    number = f"{found.tried:,}"
    if not found.complete:
        told = words("throws tried", number=number)
    else:
        name = "throws all" if found.dice > 1 else "throws all one" if found.dice else "settings all"
        told = words(name, number=number, dice=found.dice)
    return with_settings(told, found.ranges)


def settings(inputs: Mapping[str, str]) -> str:
    """«pool 3, difficulty 6»."""
    return ", ".join(f"{key} {value}" for key, value in inputs.items())


def with_settings(text: str, inputs: Mapping[str, str]) -> str:
    return f"{text} ({settings(inputs)})" if inputs else text


def odds_body(odds: OddsChange, words: Words) -> Iterator[Line | Grid]:
    if odds.why:
        yield Line(words(f"no odds {odds.why}"))
    elif odds.largest is None:
        yield Line(words("chances same", number=f"{odds.asked:,}"))
    else:
        largest = odds.largest
        both = {"old": figures.percent(largest.old), "new": figures.percent(largest.new)}
        yield Line(words("largest change", outcome=largest.outcome, inputs=settings(largest.inputs), **both))
        shown = {(cell.row, cell.column): difference(cell.old, cell.new) for cell in odds.cells}
        caption = with_settings(words("change of chance", outcome=largest.outcome), odds.fixed)
        cells = {(cell.row, cell.column): cell.new - cell.old for cell in odds.cells}
        yield table((odds.rows, odds.columns), shown, {key: one for key, one in cells.items() if one}, caption)


def difference(old: Fraction, new: Fraction) -> str:
    """«+3.1»: percentage points."""
    if old == new:
        return "0"
    return ("+" if new > old else "−") + figures.percent(abs(new - old)).removesuffix("%")


def table(
    heads: Sequence[str], cells: Mapping[tuple[str, str], str], telling: Mapping[tuple[str, str], object], caption: str
) -> Grid:
    """The first rows and columns in which anything happens at all."""
    useful, broad = ({key[place] for key in telling} for place in range(2))
    rows = [row for row in dict.fromkeys(row for row, _ in cells) if row in useful][:MOST_ROWS]
    columns = [column for column in dict.fromkeys(column for _, column in cells) if column in broad][:MOST_COLUMNS]
    body = [[row, *(cells.get((row, column), "") for column in columns)] for row in rows]
    return grid([word for word in heads if word], columns, body, caption)
