"""Finds values for the inputs of a rule in the text of a passage, by name or from its dice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import NamedTuple

from ..game.formula import PICKS, collect_names, walk
from ..game.inputs import parse_value
from ..game.model import DiceKind, Formula, Input, Rule
from ..prose.evidence import Evidence, parse_signed
from ..prose.mood import StatedValue
from ..prose.number_words import NUMBER, WORD, number
from ..prose.signed import BRACKETED

_DIFFICULTY_NAMES = ("difficulty", "target", "target_number", "tn", "dc")
TOTALS = ("total", "result", "sum", "score")


@dataclass(frozen=True)
class _InputRoles:
    """Inputs by what they decide; an input without any of these roles is in no list."""

    counts: tuple[Input, ...]  # how many dice
    sides: tuple[Input, ...]  # which dice
    targets: tuple[Input, ...]  # what must be reached, and whatever else a result rests on
    adders: tuple[Input, ...]  # what is added to the dice
    switches: tuple[Input, ...]  # flags and choices


def input_roles(rule: Rule) -> _InputRoles:
    return rule.cached(("input roles",), lambda: _find_input_roles(rule))


def stated_totals(rule: Rule, clues: Evidence) -> tuple[int, ...]:
    """Totals that the text states with a sign, or by the names of numbers that the rule knows."""
    return clues.signed_totals(rule.cached(("number names",), lambda: _number_names(rule)))


def lonely_totals(rule: Rule, clues: Evidence) -> list[tuple[int, int]]:
    """Places and values of results that are one number without a die: "gets a 25"."""
    kinds = {kind.name.lower() for kind in rule.dice}
    sums = {bit.start for bit in clues.dice_sums}
    return [
        (bit.start, bit.value[0])
        for bit in clues.facts.faces
        if bit.sure and bit.subject not in kinds and isinstance(bit.value, tuple) and len(bit.value) == 1
        if not any(bit.start <= start < bit.end for start in sums)
    ]


def rival_totals(rule: Rule, clues: Evidence) -> tuple[int, ...]:
    """Totals of opponents, which a roll has to reach: all but the first that the text states."""
    if any(entry.names for entry in rule.inputs):
        return stated_totals(rule, clues)[1:]
    return tuple(value for _, value in lonely_totals(rule, clues)[1:])


def _number_names(rule: Rule) -> dict[str, int]:
    tables = [entry.names for entry in rule.inputs if entry.names]
    return {name: int(value) for table in tables for name, value in table.named_numbers.items()}


def _find_input_roles(rule: Rule) -> _InputRoles:
    steps = [step.formula for step in rule.steps]
    ends = [one for outcome in rule.outcomes for one in (outcome.when, outcome.degree) if one]
    good = [test for kind in rule.dice for test in kind.tests.values()]
    numbers = [entry for entry in rule.inputs if entry.form == "number"]
    counts = tuple(entry for entry in numbers if _is_dice_count(rule, entry))
    free = [entry for entry in numbers if entry not in counts]
    adders = tuple(
        e for e in free if e.default == 0 and not e.names and not is_difficulty(e) and e.name in _added_names(steps)
    )
    looked = _formula_names([*good, *ends, *steps])
    targets = tuple(entry for entry in free if entry not in adders and entry.name in looked)
    dice = tuple(entry for entry in rule.inputs if entry.form in ("die", "code"))
    switches = tuple(entry for entry in rule.inputs if entry.form in ("flag", "choice"))
    return _InputRoles(counts, dice, targets, adders, switches)


def _added_names(formulas: Iterable[Formula]) -> set[str]:
    """Names that are operands of an addition."""
    sums = (node for formula in formulas for node in walk(formula.node) if node.op == "+")
    return {arg.args[0] for node in sums for arg in node.child_nodes() if arg.op == "name"}


def _is_dice_count(rule: Rule, entry: Input) -> bool:
    """True if the input is a number of dice, rolled or kept."""
    own = [kind for kind in rule.dice if entry.name in collect_names(kind.count.node)]
    return any(kind.count.node.op in ("name", "if", "+") for kind in own) or (
        not own and entry.name in kept_inputs(rule)
    )


def kept_inputs(rule: Rule) -> set[str]:
    """The inputs that say how many of the dice that lie there count."""
    numbers = [node.args[0] for step in rule.steps for node in walk(step.formula.node) if node.op in PICKS]
    return {name for number in numbers for name in collect_names(number)}


def _formula_names(formulas: Iterable[Formula]) -> set[str]:
    return {name for one in formulas for name in collect_names(one.node)}


def fixed_sides(kind: DiceKind) -> int | None:
    """The number of sides of a kind whose dice always have the same."""
    text = kind.sides.text.strip() if kind.sides else ""
    return int(text) if text.isdecimal() else None


def _input_words(entry: Input, rule: Rule) -> tuple[str, ...]:
    """Words by which a text may name an input: its name, its label (also without filler words), its other words."""
    taken = {step.name for step in rule.steps} | {outcome.name for outcome in rule.outcomes}
    label = entry.label.lower()
    short = re.sub(r"^(?:number of|using an?|using|current|has an?|the)\s+", "", label)
    words = dict.fromkeys([entry.name.replace("_", " "), label, short, *(word.lower() for word in entry.also)])
    if rule.traits and rule.traits.most == 1 and rule.traits.into == (entry.name,):  # the one trait of a roll
        words |= dict.fromkeys(name.lower() for category in rule.categories.values() for name in category.names)
    others = {one.name for one in rule.inputs if one is not entry}
    return tuple(word for word in words if len(word) > 1 and word not in taken | others and word not in ("the", "dice"))


def is_neutral(entry: Input) -> bool:
    """True if the default of an input has no effect."""
    if entry.form in ("flag", "choice"):
        return True
    return entry.default is not None and entry.default in (0, entry.least)


def is_difficulty(entry: Input) -> bool:
    words = " ".join([entry.label, *entry.also]).lower()
    return entry.name in _DIFFICULTY_NAMES or any(word in words for word in ("difficulty", "target"))


_SIGNED = rf"(?:[+−–-][0-9]{{1,3}}|{NUMBER})"
_IS = (
    r"(?:\s+(?:of|is|was|at|to|has|equals?|rating|value|level|score|defen[sc]e|being|only|just|an?|set|now)){0,4}"
    r"\s*[:=(]?\s*"
)
_FROM = r"\s+(?:points?\sof\s|ranks?\sin\s|dots?\sin\s|(?:in|for|as|of)\s)?(?:(?:the|an?|his|her|their|its|my|your)\s)?"
_NEEDS = re.compile(rf"\bneed(?:s|ed|ing)?\s(?:at\sleast\s)?(?:an?\s)?({NUMBER})(?!\sdice)", re.IGNORECASE)
_NEEDED = re.compile(rf"({NUMBER})\s(?:[^\W\d]+\s){{1,3}}(?:needed|required)\b", re.IGNORECASE)
_KEEPS = re.compile(rf"\bkeep(?:s|ing)?\s(?:only\s)?(?:the\s)?(?:best\s|highest\s)?({WORD})(?=[\s.,;:])", re.IGNORECASE)
_PERCENT = re.compile(r"(?<![\w.])([0-9]{1,3})\s?%")
_CODE = re.compile(r"[0-9]{1,2}[dD](?:[+][0-9])?")
_NO = re.compile(r"\b(?:no|not|without|never|lacks?|nor|n['’]t)\b[^.;]{0,30}$", re.IGNORECASE)


class InputValue(NamedTuple):
    """A value of an input as an author would write it; `named` if the text names the input."""

    text: str
    is_named: bool


def _is_readable(entry: Input, text: str) -> bool:
    return not parse_value(entry, text)[1]


def _stated_values(rule: Rule, entry: Input, clues: Evidence) -> Iterator[InputValue]:
    """Values that the text gives to an input by name."""
    if entry.form in ("flag", "choice"):
        yield from _switch_values(rule, entry, clues)
        return
    texts = [*_standard_values(rule, entry, clues), *_mentioned_values(rule, entry, clues)]
    if entry.form == "die" and not texts:
        texts = [
            "none"
            for word in _input_words(entry, rule)
            if re.search(rf"\b(?:no|without)\s{re.escape(word)}\b", clues.lowercase_text)
        ]
    if not texts and (entry.name in _reroll_inputs(rule) or _is_extra_die(rule, entry)):
        texts = ["1"] if _is_mentioned(entry, clues) else []
    if not texts and entry.default is None and any(fixed_sides(kind) == 100 for kind in rule.dice):
        texts = _PERCENT.findall(clues.text)
    yield from (InputValue(text, True) for text in texts if _is_readable(entry, text))


def _reroll_inputs(rule: Rule) -> set[str]:
    """Inputs that set the number of rerolls."""
    return {name for reroll in rule.rerolls for name in collect_names(reroll.times.node)}


def _is_extra_die(rule: Rule, entry: Input) -> bool:
    """Whether an input that is usually 0 adds dice to those of another: one more for a lantern."""
    sums = (kind.count.node for kind in rule.dice if kind.count.node.op == "+")
    return entry.default == 0 and entry.most == 1 and any(entry.name in collect_names(node) for node in sums)


def _only_adds_dice(rule: Rule, entry: Input) -> bool:
    """Whether an input that is usually 0 adds dice to a number that other values decide."""
    own = [kind.count.node for kind in rule.dice if entry.name in collect_names(kind.count.node)]
    return entry.default == 0 and bool(own) and all(node.op == "+" for node in own)


def _is_mentioned(entry: Input, clues: Evidence) -> bool:
    words = "|".join(map(re.escape, filter(None, (entry.name.replace("_", " "), entry.label))))
    found = re.search(rf"\b(?:{words})\b", clues.text, re.IGNORECASE)
    return bool(found and not _NO.search(clues.reading.before(found.start())))


def _standard_values(rule: Rule, entry: Input, clues: Evidence) -> Iterator[str]:
    """Values of difficulty and threshold, which every prose example may state."""
    bits = (
        clues.facts.difficulties
        if is_difficulty(entry)
        else clues.facts.thresholds
        if entry.name == "threshold"
        else ()
    )
    yield from (str(bit.number) for bit in bits if not clues.is_supposed(bit.start, bit.end))
    if entry.name in kept_inputs(rule) and not any(entry.name in collect_names(kind.count.node) for kind in rule.dice):
        yield from (str(parse_signed(found[1])) for found in _KEEPS.finditer(clues.text))
    needed = entry.name in ("needed", "required") or "needed" in entry.label.lower()
    if needed or (is_difficulty(entry) and not bits):
        for found in (*_NEEDS.finditer(clues.text), *_NEEDED.finditer(clues.text)):
            value = parse_signed(found[1])
            if value is not None:
                yield str(value)


def _value_patterns(rule: Rule, entry: Input) -> tuple[re.Pattern[str], ...]:
    """Patterns for the value of an input in a text: `skill of 12`, `12 in skill`, `Hard difficulty`."""
    words = "|".join(re.escape(word).replace(r"\ ", r"\s") for word in _input_words(entry, rule))
    if not words:
        return ()
    value = r"d(?:100|[1-9][0-9]?)|none" if entry.form == "die" else _CODE.pattern if entry.form == "code" else _SIGNED
    if entry.names:
        value += "|" + "|".join(
            re.escape(name) for name in sorted(entry.names.named_numbers, key=len, reverse=True) if name
        )
    plain = r"(?!\s?(?:dice\b|die\b|%)|\.[0-9])"
    many = r"(?:\sdice)?"
    return (
        re.compile(rf"\b(?:{words})s?\b{_IS}({value})\b{plain}", re.IGNORECASE),
        re.compile(rf"(?<![\w.])({value})(?:{BRACKETED})?{_FROM}(?:{words})\b{many}", re.IGNORECASE),
    )


def _needed_names(rule: Rule, entry: Input) -> re.Pattern[str]:
    """Pattern for the name of a number that a roll has to reach: `needed a Good (+3)`."""
    assert entry.names
    names = "|".join(map(re.escape, entry.names.named_numbers))
    return rule.cached(("needed", entry), lambda: re.compile(rf"\b(?:needs?|needed|against)\s(?:an?\s)?({names})\b"))


def _mentioned_values(rule: Rule, entry: Input, clues: Evidence) -> Iterator[str]:
    begin = clues.reading.label_end
    if is_difficulty(entry) and entry.names:
        yield from (found[1] for found in _needed_names(rule, entry).finditer(clues.text, begin))
    patterns = rule.cached(("value patterns", entry), lambda: _value_patterns(rule, entry))
    found = (one for pattern in patterns for one in pattern.finditer(clues.text, begin))
    meant = (one for one in found if not clues.is_supposed(one.start(), one.end()) and not clues.is_face(one.start(1)))
    hits = [(one.start(1), one[1]) for one in meant]
    if not hits and entry.names:
        hits = list(_named_values(rule, entry, clues))
    for _, text in sorted(hits):
        value = parse_signed(text)
        yield str(value) if value is not None and entry.form == "number" else text


def _named_values(rule: Rule, entry: Input, clues: Evidence) -> Iterator[tuple[int, str]]:
    """Named values without the name of the input: `a Hard lock`; only if no other input has these names."""
    assert entry.names
    if sum(one.names is entry.names for one in rule.inputs) > 1:
        return
    for name in entry.names.named_numbers:
        for found in re.finditer(rf"\b{re.escape(name)}\b(?!\s+(?:to|not)\b)", clues.text):
            begins = found.start() == clues.reading.sentence(found.start()).start
            if name[:1].isupper() and not begins and clues.reading.sure(found.start(), found.end()):
                yield found.start(), name


def _switch_values(rule: Rule, entry: Input, clues: Evidence) -> Iterator[InputValue]:
    """Values of flags and choices that the text mentions."""
    if entry.form == "choice":
        others = {*(kind.name for kind in rule.dice), *(one.name for one in rule.inputs)}
        for choice in entry.choices:
            found = re.search(rf"\b{re.escape(choice)}\b", clues.text, re.IGNORECASE)
            if (
                found
                and choice != entry.default
                and choice not in others
                and not _NO.search(clues.reading.before(found.start()))
            ):
                yield InputValue(choice, True)
        return
    for word in _input_words(entry, rule):
        stem = re.escape(word[: max(len(word) - 3, 5)]).replace(r"\ ", r"\s")
        for found in re.finditer(rf"\b{stem}", clues.text, re.IGNORECASE):
            denied = _NO.search(clues.reading.before(found.start()))
            yield InputValue("no" if denied else "yes", True)
            yield InputValue("yes" if entry.default else "no", False)  # the word may mean something else


_TERM = re.compile(r"(?<![\w])([0-9]{0,2})[dD](100|[1-9][0-9]?|%)")
_COUNTED = re.compile(rf"({NUMBER})\s$")
_OF_DICE = re.compile(rf"({NUMBER})\s(?:\w+\s)?dice\s?[:(]", re.IGNORECASE)
_POINTS = re.compile(r"([+−-])\s?([0-9]{1,2})(?![0-9dD])")
_MAX_CHOICES = 4


Options = dict[str, list[InputValue]]


def input_options(rule: Rule, clues: Evidence, shown: bool = True) -> list[Options]:
    """Candidate values for each input, best first; several sets where its dice have several readings.

    Without faces (`shown`), a number that is added says nothing about the inputs.
    """
    part, found = input_roles(rule), Options()
    for entry in rule.inputs:
        values = [*_stated_values(rule, entry, clues)]
        if values:
            found[entry.name] = list(dict.fromkeys(values))[:_MAX_CHOICES]
    for entry in rule.inputs:
        if entry.name not in found and is_difficulty(entry) and (entry.names or not shown):
            texts = [InputValue(str(total), False) for total in dict.fromkeys(rival_totals(rule, clues))]
            readable = [value for value in texts if _is_readable(entry, value.text)]
            found |= {entry.name: readable[:_MAX_CHOICES]} if readable else {}
    _add_counts(rule, clues, found)
    if part.adders and not any(entry.name in found for entry in part.adders):
        spare = [*clues.added, *([0] if clues.added else [])]  # it may have been added to something else
        bonus = list(_code_constants(clues)) or (spare if shown else [])
        texts = [
            InputValue(str(value), False) for value in dict.fromkeys(bonus) if _is_readable(part.adders[0], str(value))
        ]
        if texts:
            found[part.adders[0].name] = texts[:_MAX_CHOICES]
    return [{**found, **sizes} for sizes in _dice_options(rule, clues, found)]


def _add_counts(rule: Rule, clues: Evidence, found: Options) -> None:
    """Add the number of dice if no input was named."""
    counts = [
        entry for entry in input_roles(rule).counts if entry.name not in found and not _only_adds_dice(rule, entry)
    ]
    if clues.kept and len(input_roles(rule).counts) > 1:
        for entry, value in zip(input_roles(rule).counts, clues.kept, strict=False):
            found[entry.name] = [InputValue(str(value), True)]
        return
    thrown_by = {name for kind in rule.dice for name in collect_names(kind.count.node)}
    if not counts or any(entry.name in thrown_by and entry.name in found for entry in input_roles(rule).counts):
        return
    by_word = counts[0].name in ("pool", "dice") or "dice" in counts[0].label.lower()
    sizes = ((str(value), named and by_word) for value, named in _pool_sizes(rule, clues))
    said = [InputValue(text, named) for text, named in sizes if _is_readable(counts[0], text)]
    if said:
        found[counts[0].name] = list(dict.fromkeys(said))[:_MAX_CHOICES]


def _pool_sizes(rule: Rule, clues: Evidence) -> Iterator[tuple[int, bool]]:
    yield from ((bit.number, True) for bit in clues.facts.pools if bit.sure)
    for found in _OF_DICE.finditer(clues.text, clues.reading.label_end):
        value = number(found[1])
        if value is not None:
            yield value, True
    sizes = {fixed_sides(kind) for kind in rule.dice}
    for many, sides in _rolled_dice(clues):
        if sides in sizes or None in sizes:
            yield many, False
    dots = [bit for bit in clues.facts.dots if isinstance(bit.value, int) and bit.sure]
    if rule.traits and dots:
        yield sum({str(bit.subject): bit.number for bit in dots}.values()), False


def _rolled_dice(clues: Evidence) -> Iterator[tuple[int, int]]:
    """Dice with a number: 3d8, two d8."""
    for bit in _certain_codes(clues):
        before = _COUNTED.search(clues.reading.before(bit.start))
        many = number(before[1]) if before else None
        found = _TERM.match(str(bit.value))
        if found and (found[1] or many):
            yield int(found[1] or many or 1), 100 if found[2] == "%" else int(found[2])


def _certain_codes(clues: Evidence) -> list[StatedValue]:
    return [bit for bit in clues.facts.codes if not clues.is_supposed(bit.start, bit.end)]


def longest_code(clues: Evidence) -> list[tuple[int, int]]:
    """The dice of the longest dice code: number and size."""
    codes = [str(bit.value) for bit in _certain_codes(clues)]
    found = [[(int(m or 1), 100 if s == "%" else int(s)) for m, s in _TERM.findall(code)] for code in codes]
    return max(found, key=len, default=[])


def _code_constants(clues: Evidence) -> Iterator[int]:
    """Constants in dice codes: 1 in d6+d4+1."""
    for bit in _certain_codes(clues):
        rest = _TERM.sub("", str(bit.value))
        if not _CODE.fullmatch(str(bit.value)):
            yield from (int(number) * (-1 if sign in "-−" else 1) for sign, number in _POINTS.findall(rest))


def _dice_options(rule: Rule, clues: Evidence, found: Options) -> list[Options]:
    """Dice that the die inputs may have."""
    inputs = [entry for entry in input_roles(rule).sides if entry.name not in found]
    codes = [entry for entry in inputs if entry.form == "code"]
    if codes:
        texts = [text for bit in _certain_codes(clues) if (text := _code_text(str(bit.value)))]
        return [{codes[0].name: [InputValue(text, False)]} for text in dict.fromkeys(texts)] or [{}]
    dice = [entry for entry in inputs if entry.form == "die"]
    named = [value.text.lower() for entry in input_roles(rule).sides for value in found.get(entry.name, [])[:1]]
    ways = [way for sizes in _size_lists(clues) for way in _assign_dice(rule, dice, _remaining_sizes(sizes, named))]
    unique = {tuple(way.items()): {name: [InputValue(f"d{size}", False)] for name, size in way.items()} for way in ways}
    return list(unique.values())[:_MAX_CHOICES] or [{}]


def _remaining_sizes(sizes: Sequence[int], named: Sequence[str]) -> list[int]:
    """The sizes of the dice without those of named inputs."""
    left = list(sizes)
    for name in named:
        size = int(name[1:]) if name[1:].isdecimal() else 0
        if size in left:
            left.remove(size)
    return left


def _code_text(code: str) -> str:
    return (
        code.upper()
        if _CODE.fullmatch(code)
        else re.sub("[dD]6", "D", code)
        if re.fullmatch(r"[0-9]+[dD]6(?:\+[12])?", code)
        else ""
    )


def _size_lists(clues: Evidence) -> Iterator[list[int]]:
    """Sizes of the dice in the order of the text: from one long dice code, else from all."""
    longest = longest_code(clues)
    if len(longest) > 1:
        yield [sides for _, sides in longest]
        return
    rated = {(bit.start, bit.end) for bit in clues.facts.dots}
    codes = _certain_codes(clues)
    apart = [bit for bit in codes if (bit.start, bit.end) not in rated] or codes
    sizes = [100 if s == "%" else int(s) for bit in apart for _, s in _TERM.findall(str(bit.value))]
    yield list(dict.fromkeys(sizes))
    yield sizes[:8]


def _assign_dice(rule: Rule, inputs: Sequence[Input], sizes: Sequence[int]) -> Iterator[dict[str, int]]:
    """Assign dice to inputs in order; the rest must be dice that the rule always rolls."""
    always = {size for kind in rule.dice if (size := fixed_sides(kind))}
    choices: list[list[int | None]] = [[*range(len(sizes)), None] for _ in inputs]
    for row in islice(product(*choices), 2_000):
        used = [place for place in row if place is not None]
        if used != sorted(set(used)):
            continue
        left = [size for place, size in enumerate(sizes) if place not in used]
        pairs = {entry.name: sizes[place] for entry, place in zip(inputs, row, strict=True) if place is not None}
        fits = all(_is_readable(entry, f"d{pairs[entry.name]}") for entry in inputs if entry.name in pairs)
        due = all(entry.default is not None or entry.name in pairs for entry in inputs)
        if fits and (due or not sizes) and all(size in always for size in left) and (pairs or not sizes):
            yield pairs


def value_rows(found: Options, names: Iterable[str], most: int) -> Iterator[dict[str, InputValue]]:
    """All combinations of one value for each input."""
    keys = [name for name in names if name in found]
    for values in islice(product(*(found[key] for key in keys)), most):
        yield dict(zip(keys, values, strict=True))
