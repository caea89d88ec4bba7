"""Fills inputs from a sum of traits, and applies points that are spent after a roll.

A point changes inputs, or sets a die to its highest face."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..game.formula import names_in
from ..game.inputs import bind, shown, variables
from ..game.intervals import Bounds, evaluate, exactly
from ..game.model import Formula, Input, Rule, Spend, Sum
from ..game.traits import ITEM, Slip, Term, crowded, example_of, known_terms, read_terms
from ..source import suggest
from .bound_rule import told, work_out
from .result import Result
from .roll import Die, count_tallies, drop


@dataclass
class Filling:
    """Collects the values of traits in inputs, each in the first input that accepts it."""

    inputs: Sequence[Input]
    numbers: dict[str, int] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    codes: dict[str, list[int]] = field(default_factory=dict)

    def put(self, form: str, number: int) -> bool:
        """Add a value to an input; whether one accepts it."""
        return form == "none" or {"number": self.number, "die": self.die, "code": self.code}[form](number)

    def first(self, form: str) -> Input | None:
        return next((entry for entry in self.inputs if entry.form == form and entry.name not in self.dice), None)

    def number(self, number: int) -> bool:
        entry, code = self.first("number"), self.first("code")
        if entry:
            self.numbers[entry.name] = self.numbers.get(entry.name, 0) + number
        elif code:
            self.codes.setdefault(code.name, [0, 0])[1] += number
        return bool(entry or code)

    def die(self, sides: int) -> bool:
        entry = self.first("die")
        if entry:
            self.dice[entry.name] = sides
        return bool(entry)

    def code(self, dice: int) -> bool:
        entry = self.first("code")
        if entry:
            self.codes.setdefault(entry.name, [0, 0])[0] += dice
        return bool(entry)

    @property
    def texts(self) -> dict[str, str]:
        found = {name: str(number) for name, number in self.numbers.items()}
        found |= {name: f"d{sides}" for name, sides in self.dice.items()}
        return found | {name: f"{dice}D" + (f"+{pips}" if pips else "") for name, (dice, pips) in self.codes.items()}


def gather(rule: Rule, text: str) -> tuple[list[Term], dict[str, str], list[Slip]]:
    """Parse a sum of traits: its terms, the resulting inputs, and the mistakes in it."""
    assert rule.traits
    terms, slips = read_terms(text, example_of(rule.register))
    terms, more = known_terms(terms, rule.register)
    slips += [*more, *crowded(terms, rule.traits)]
    inputs = {entry.name: entry for entry in rule.inputs}
    filling = Filling([inputs[name] for name in rule.traits.into])
    if all(entry.form == "number" for entry in filling.inputs):
        filling.put("number", 0)  # without dots the pool is 0, not missing
    for term in terms:
        slips += poured(filling, term, rule.traits)
    return terms, filling.texts, slips


def poured(filling: Filling, term: Term, into: Sum) -> Iterator[Slip]:
    for form, number in term.values:
        if not filling.put(form, number):
            names = " or ".join(into.into)
            what = {"die": f"the die of {term.name}", "code": f"the code of {term.name}"}.get(form, f"the {number}")
            yield Slip(f"there is no room for {what} in {names}", term.start, term.end)


def untrained(rule: Rule, terms: Iterable[Term], inputs: Mapping[str, str]) -> tuple[dict[str, str], list[Slip]]:
    """The inputs that change because a trait has no dots, and the traits that cannot be rolled without dots."""
    texts, slips = dict(inputs), []
    own = {entry.name for entry in rule.inputs}
    for term in terms:
        if term.dots or term.category is None:
            continue
        if term.category.untrained is None:
            slips.append(Slip(f"{term.name} cannot be rolled without a dot in it", term.start, term.end))
            continue
        for name, formula in term.category.untrained.items():
            value = worked_out(rule, formula, texts) if name in own else None
            if value is not None:
                texts[name] = str(value)
            elif name in own:
                slips.append(Slip(f"{term.name} has no dots, and {name} cannot be told here", term.start, term.end))
    return {name: text for name, text in texts.items() if inputs.get(name) != text}, slips


def worked_out(rule: Rule, formula: Formula, texts: Mapping[str, str]) -> Any:
    """The value of a formula over inputs; None if one of them is unknown."""
    known = variables(rule, bind(rule, texts)[0])
    if not names_in(formula.node) <= known.keys():
        return None
    values = {name: exactly(value) for name, value in known.items()}
    return told(evaluate(formula.node, Bounds({}, values, rule.tables)))


class Spent(NamedTuple):
    """A point that is spent, and the kind of dice that it is spent on (may be empty)."""

    spend: Spend
    kind: str
    start: int
    end: int

    def slip(self, message: str) -> Slip:
        return Slip(message, self.start, self.end)


def read_spends(rule: Rule, text: str) -> tuple[list[Spent], list[Slip]]:
    """Parse a list of points such as `point bonus, fate luck`: names, each followed by a kind of dice if needed."""
    found: list[Spent] = []
    slips: list[Slip] = []
    for item in ITEM.finditer(text):
        piece = item[0].strip()
        if not piece:
            continue
        start = item.start() + item[0].index(piece)
        end, spend = start + len(piece), named(rule, piece)
        if spend is None:
            note = suggest(piece, [one.name for one in rule.spends])
            slips.append(Slip(f"{rule.name} has nothing to spend called «{piece}»; {note}".rstrip("; "), start, end))
            continue
        one = Spent(spend, piece[len(spend.name) :].strip().lower(), start, end)
        slips += strange(one)
        found.append(one)
    return found, [*slips, *too_many(found)]


def named(rule: Rule, piece: str) -> Spend | None:
    """The spend with the longest name that the text begins with; else None."""
    low = piece.lower()
    fitting = [one for one in rule.spends if low == one.name.lower() or low.startswith(one.name.lower() + " ")]
    return max(fitting, key=lambda one: len(one.name), default=None)


def strange(one: Spent) -> Iterator[Slip]:
    """Report a kind that is not needed, an unknown one, or a missing one."""
    kinds = [kind.lower() for kind in one.spend.highest]
    if one.kind and not kinds:
        yield one.slip(f"{one.spend.name} is spent on no die; leave «{one.kind}» out")
    elif one.kind and one.kind not in kinds:
        yield one.slip(f"{one.spend.name} cannot be spent on «{one.kind}»; {suggest(one.kind, one.spend.highest)}")
    elif not one.kind and len(kinds) > 1:
        yield one.slip(f"say which die: {one.spend.name} {one.spend.highest[0]}")


def too_many(found: Sequence[Spent]) -> Iterator[Slip]:
    """Report more points of one type than a roll allows."""
    counts: dict[str, int] = {}
    for one in found:
        point = one.spend.point
        counts[point] = counts.get(point, 0) + 1
        if one.spend.most and counts[point] > one.spend.most:
            yield one.slip(f"a roll takes {one.spend.most} {point} at most")


def misplaced(found: Sequence[Spent], traits: str | None) -> Iterator[Slip]:
    """Report points that are reserved for traits that are not rolled."""
    if traits is None:
        return
    rolled = {term.name.lower() for term in read_terms(traits)[0]}
    for one in found:
        if one.spend.traits and not rolled & {name.lower() for name in one.spend.traits}:
            yield one.slip(f"{one.spend.name} is only for {', '.join(one.spend.traits)}")


def changed(rule: Rule, found: Sequence[Spent], inputs: Mapping[str, str]) -> tuple[dict[str, str], list[Slip]]:
    """The inputs that points change, applied in order."""
    texts, slips = dict(inputs), []
    entries = {entry.name: entry for entry in rule.inputs}
    for one in found:
        for name, formula in one.spend.changes.items():
            value = worked_out(rule, formula, texts)
            if value is None:
                slips.append(one.slip(f"{name} has to be known before {one.spend.name} changes it"))
                continue
            texts[name] = shown(entries[name], value)
    return {name: text for name, text in texts.items() if inputs.get(name) != text}, slips


def maximised(result: Result, found: Sequence[Spent]) -> tuple[Result, list[Slip]]:
    """The result after each point that sets a die to its highest face has done so, to the lowest die of its kind."""
    slips = []
    for one in found:
        if not one.spend.highest:
            continue
        kind = one.kind or one.spend.highest[0].lower()
        dice = list(result.throw.dice)
        places = [place for place, die in enumerate(dice) if result.rule.dice[die.kind].name.lower() == kind]
        if not places:
            slips.append(one.slip(f"no {kind} die lies on the table"))
            continue
        place = min(places, key=lambda place: dice[place].value)
        dice[place] = highest(result, dice[place])
        result = with_dice(result, dice)
    return result, slips


def highest(result: Result, die: Die) -> Die:
    ready = result.setting.kinds[die.kind]
    throws = (ready.land(max(ready.faces)),)
    return die._replace(throws=throws, tries=(*(die.tries or (die.throws,)), throws))


def with_dice(result: Result, dice: list[Die]) -> Result:
    """The result with other dice."""
    kept = tuple(drop(result.setting, [die._replace(kept=True) for die in dice]))
    tallies = count_tallies(result.setting, kept)
    throw = result.throw._replace(dice=kept)
    return replace(result, throw=throw, tallies=tuple(tallies), worked=work_out(result.setting, tallies))
