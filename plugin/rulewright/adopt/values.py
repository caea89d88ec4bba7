"""The values that a passage gives to the inputs of a rule, by name or as dice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from ..checks.told.mood import Bit
from ..checks.told.numbers import NUMBER, number
from ..game.model import Input, Rule
from ..game.tree import names_in
from .clues import Clues
from .mentions import CODE, Found, readable, told_values
from .roles import fixed_sides, roles

TERM = re.compile(r"(?<![\w])([0-9]{0,2})[dD](100|[1-9][0-9]?|%)")
COUNTED = re.compile(rf"({NUMBER})\s$")
OF_DICE = re.compile(rf"({NUMBER})\s(?:\w+\s)?dice\s?[:(]", re.IGNORECASE)
POINTS = re.compile(r"([+−-])\s?([0-9]{1,2})(?![0-9dD])")
MOST_CHOICES = 4


Options = dict[str, list[Found]]


def options(rule: Rule, clues: Clues, shown: bool = True) -> list[Options]:
    """What the text may say of each input, the likeliest first; several where its dice can be meant in several ways.

    Where no dice are shown, a number that is added to something tells nothing of the inputs."""
    part, found = roles(rule), Options()
    for entry in rule.inputs:
        values = [*told_values(rule, entry, clues)]
        if values:
            found[entry.name] = list(dict.fromkeys(values))[:MOST_CHOICES]
    counted(rule, clues, found)
    if part.adders and not any(entry.name in found for entry in part.adders):
        spare = [*clues.added, *([0] if clues.added else [])]  # it may have been added to something else
        bonus = list(constants(clues)) or (spare if shown else [])
        texts = [Found(str(value), False) for value in dict.fromkeys(bonus) if readable(part.adders[0], str(value))]
        if texts:
            found[part.adders[0].name] = texts[:MOST_CHOICES]
    return [{**found, **sizes} for sizes in dice_options(rule, clues, found)]


def counted(rule: Rule, clues: Clues, found: Options) -> None:
    """How many dice are thrown, where no input was named."""
    counts = [entry for entry in roles(rule).counts if entry.name not in found]
    if clues.kept and len(roles(rule).counts) > 1:
        for entry, value in zip(roles(rule).counts, clues.kept, strict=False):
            found[entry.name] = [Found(str(value), True)]
        return
    thrown_by = {name for kind in rule.dice for name in names_in(kind.count.node)}
    if not counts or any(entry.name in thrown_by and entry.name in found for entry in roles(rule).counts):
        return
    by_word = counts[0].name in ("pool", "dice") or "dice" in counts[0].label.lower()
    sizes = ((str(value), named and by_word) for value, named in pool_sizes(rule, clues))
    said = [Found(text, named) for text, named in sizes if readable(counts[0], text)]
    if said:
        found[counts[0].name] = list(dict.fromkeys(said))[:MOST_CHOICES]


def pool_sizes(rule: Rule, clues: Clues) -> Iterator[tuple[int, bool]]:
    yield from ((bit.number, True) for bit in clues.told.pools if bit.sure)
    for found in OF_DICE.finditer(clues.text, clues.reading.label_end):
        value = number(found[1])
        if value is not None:
            yield value, True
    sizes = {fixed_sides(kind) for kind in rule.dice}
    for many, sides in thrown(clues):
        if sides in sizes or None in sizes:
            yield many, False
    dots = [bit for bit in clues.told.dots if isinstance(bit.value, int) and bit.sure]
    if rule.traits and dots:
        yield sum({str(bit.what): bit.number for bit in dots}.values()), False


def thrown(clues: Clues) -> Iterator[tuple[int, int]]:
    """Dice that are counted: 3d8, two d8."""
    for bit in meant_codes(clues):
        before = COUNTED.search(clues.reading.before(bit.start))
        many = number(before[1]) if before else None
        found = TERM.match(str(bit.value))
        if found and (found[1] or many):
            yield int(found[1] or many or 1), 100 if found[2] == "%" else int(found[2])


def meant_codes(clues: Clues) -> list[Bit]:
    return [bit for bit in clues.told.codes if not clues.supposed(bit.start, bit.end)]


def terms(clues: Clues) -> list[tuple[int, int]]:
    """The dice of the longest code: how many of which size."""
    codes = [str(bit.value) for bit in meant_codes(clues)]
    found = [[(int(m or 1), 100 if s == "%" else int(s)) for m, s in TERM.findall(code)] for code in codes]
    return max(found, key=len, default=[])


def constants(clues: Clues) -> Iterator[int]:
    """The number at the end of a code: 1 in d6+d4+1."""
    for bit in meant_codes(clues):
        rest = TERM.sub("", str(bit.value))
        if not CODE.fullmatch(str(bit.value)):
            yield from (int(number) * (-1 if sign in "-−" else 1) for sign, number in POINTS.findall(rest))


def dice_options(rule: Rule, clues: Clues, found: Options) -> list[Options]:
    """Which dice the die inputs may stand for."""
    inputs = [entry for entry in roles(rule).sides if entry.name not in found]
    codes = [entry for entry in inputs if entry.form == "code"]
    if codes:
        texts = [text for bit in meant_codes(clues) if (text := code_text(str(bit.value)))]
        return [{codes[0].name: [Found(text, False)]} for text in dict.fromkeys(texts)] or [{}]
    dice = [entry for entry in inputs if entry.form == "die"]
    named = [value.text.lower() for entry in roles(rule).sides for value in found.get(entry.name, [])[:1]]
    ways = [way for sizes in size_lists(clues) for way in matched(rule, dice, without(sizes, named))]
    unique = {tuple(way.items()): {name: [Found(f"d{size}", False)] for name, size in way.items()} for way in ways}
    return list(unique.values())[:MOST_CHOICES] or [{}]


def without(sizes: Sequence[int], named: Sequence[str]) -> list[int]:
    """The sizes that are left when the dice that belong to an input by name are taken away."""
    left = list(sizes)
    for name in named:
        size = int(name[1:]) if name[1:].isdecimal() else 0
        if size in left:
            left.remove(size)
    return left


def code_text(code: str) -> str:
    return (
        code.upper()
        if CODE.fullmatch(code)
        else re.sub("[dD]6", "D", code)
        if re.fullmatch(r"[0-9]+[dD]6(?:\+[12])?", code)
        else ""
    )


def size_lists(clues: Clues) -> Iterator[list[int]]:
    """The sizes of the dice that are thrown, in the order told: of one long code, else of all codes apart."""
    longest = terms(clues)
    if len(longest) > 1:
        yield [sides for _, sides in longest]
        return
    rated = {(bit.start, bit.end) for bit in clues.told.dots}
    codes = meant_codes(clues)
    apart = [bit for bit in codes if (bit.start, bit.end) not in rated] or codes
    sizes = [100 if s == "%" else int(s) for bit in apart for _, s in TERM.findall(str(bit.value))]
    yield list(dict.fromkeys(sizes))
    yield sizes[:8]


def matched(rule: Rule, inputs: Sequence[Input], sizes: Sequence[int]) -> Iterator[dict[str, int]]:
    """Dice given to inputs in order; what is left must be dice that the rule always throws."""
    always = {size for kind in rule.dice if (size := fixed_sides(kind))}
    choices: list[list[int | None]] = [[*range(len(sizes)), None] for _ in inputs]
    for row in islice(product(*choices), 2_000):
        used = [place for place in row if place is not None]
        if used != sorted(set(used)):
            continue
        left = [size for place, size in enumerate(sizes) if place not in used]
        pairs = {entry.name: sizes[place] for entry, place in zip(inputs, row, strict=True) if place is not None}
        fits = all(readable(entry, f"d{pairs[entry.name]}") for entry in inputs if entry.name in pairs)
        due = all(entry.default is not None or entry.name in pairs for entry in inputs)
        if fits and (due or not sizes) and all(size in always for size in left) and (pairs or not sizes):
            yield pairs


def rows(found: Options, names: Iterable[str], most: int) -> Iterator[dict[str, Found]]:
    """Every way to take one value of each input that the text speaks of."""
    keys = [name for name in names if name in found]
    for values in islice(product(*(found[key] for key in keys)), most):
        yield dict(zip(keys, values, strict=True))
