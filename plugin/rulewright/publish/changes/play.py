"""What the changes mean at the table, in words: throws that end differently, chances, examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...editions.apart import Apart
from ...editions.chances import OddsChange
from ...editions.matching import RulePair
from ...editions.parting import Parting
from ...editions.whole import Editions
from ...game.model import SIDES
from ..words import Words
from .outline import Grid, Line, Section, grid
from .shown import example_sections
from .values import difference, settings, share, value, whole, with_settings

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
    pair = found.pair
    yield from smallest(pair, found.smallest, words("smallest throws"), words)
    yield from (Line(text) for text in further_texts(found, words))
    yield from smallest(pair, found.further.smallest if found.further else (), words("smallest of these"), words)
    for name, both in pair.defaults.items() if found.tried else ():
        old, new = (value(pair.old, name, one, words) for one in both)
        yield Line(words("left out otherwise", input=name, old=old, new=new))
    shown = {key: chance for key, chance in found.chances.items() if chance}
    if pair.old.dice and shown:
        cells = {key: share(chance, words) for key, chance in found.chances.items()}
        caption = with_settings(words("how often they part"), pair, found.fixed, words)
        yield table(pair, (found.rows, found.columns), cells, shown, caption, words)


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


def smallest(pair: RulePair, throws: Sequence[Apart], title: str, words: Words) -> Iterator[Line]:
    if throws:
        yield Line(title)
    for one in throws:
        said = settings(pair, one.inputs, words)
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
    number, tried = whole(one.unlike if found.condition else one.apart, words), whole(one.tried, words)
    if found.condition:
        yield words("onward unlike" if one.unlike else "onward same", number=number, tried=tried)
    else:
        yield words("onward apart" if one.apart else "onward agree", number=number, tried=tried)
    bounds = words("onward all" if one.complete else "onward some", most=one.most)
    ranges = {} if found.tried and one.ranges == found.ranges else one.ranges
    yield with_settings(bounds, found.pair, ranges, words) + "."
    if one.longer or one.taken:
        yield " ".join(
            words(name) for name, holds in (("onward longer", one.longer), ("onward taken", one.taken)) if holds
        )


def sign(part: str, words: Words) -> str:
    """Minus signs as they are printed; `and` and `or` as the language has them."""
    return words(SIGNS[part]) if part in SIGNS else part.replace(" - ", " − ")


def tried(found: Parting, words: Words) -> str:
    number = whole(found.tried, words)
    if not found.complete:
        told = words("throws tried", number=number)
    else:
        name = "throws all" if found.dice > 1 else "throws all one" if found.dice else "settings all"
        told = words(name, number=number, dice=found.dice)
    return with_settings(told, found.pair, found.ranges, words)


def odds_body(odds: OddsChange, words: Words) -> Iterator[Line | Grid]:
    if odds.why:
        yield Line(words(f"no odds {odds.why}"))
    elif odds.largest is None:
        yield Line(words("chances same", number=whole(odds.asked, words)))
    else:
        pair, largest = odds.pair, odds.largest
        both = {"old": share(largest.old, words), "new": share(largest.new, words)}
        inputs = settings(pair, largest.inputs, words)
        yield Line(words("largest change", outcome=outcome(pair, largest.outcome, words), inputs=inputs, **both))
        shown = {(cell.row, cell.column): difference(cell.old, cell.new, words) for cell in odds.cells}
        caption = with_settings(changed(pair, largest.outcome, words), pair, odds.fixed, words)
        cells = {(cell.row, cell.column): cell.new - cell.old for cell in odds.cells}
        telling = {key: one for key, one in cells.items() if one}
        yield table(pair, (odds.rows, odds.columns), shown, telling, caption, words)


def outcome(pair: RulePair, name: str, words: Words) -> str:
    """As the author calls it; who wins a contest is said in words."""
    if not pair.old.contest:
        return name
    return words(f"side {SIDES.index(name) + 1}") if name in SIDES else words("tie")


def changed(pair: RulePair, name: str, words: Words) -> str:
    phrase = "change of winning" if pair.old.contest and name in SIDES else "change of chance"
    return words(phrase, outcome=outcome(pair, name, words))


def table(
    pair: RulePair, heads: Sequence[str], cells: Mapping[tuple[str, str], str],
    telling: Mapping[tuple[str, str], object], caption: str, words: Words,
) -> Grid:  # fmt: skip
    """The first rows and columns in which anything happens at all."""
    useful, broad = ({key[place] for key in telling} for place in range(2))
    rows = [row for row in dict.fromkeys(row for row, _ in cells) if row in useful][:MOST_ROWS]
    columns = [column for column in dict.fromkeys(column for _, column in cells) if column in broad][:MOST_COLUMNS]
    both = zip(heads, (rows, columns), strict=True)
    down, across = ([value(pair.old, head, one, words) for one in keys] for head, keys in both)
    body = [[head, *(cells.get((row, column), "") for column in columns)] for head, row in zip(down, rows, strict=True)]
    return grid([word for word in heads if word], across, body, caption)
