"""What traits and specialties give the inputs of a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .bounds import Bounds, exactly
from .expression import Slip, Term, crowded, example_of, known_terms, read_terms
from .inputs import bind, variables
from .model import Formula, Input, Rule, Sum
from .outline import told
from .ranges import evaluate
from .tree import names_in


@dataclass
class Filling:
    """Inputs while the values of traits go into them, each into the first that takes it."""

    inputs: Sequence[Input]
    numbers: dict[str, int] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    codes: dict[str, list[int]] = field(default_factory=dict)

    def put(self, form: str, number: int) -> bool:
        """Whether there is room for the value."""
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
    """The traits of a sum, the inputs that they give, and what is wrong with the sum."""
    assert rule.traits
    terms, slips = read_terms(text, example_of(rule.register))
    terms, more = known_terms(terms, rule.register)
    slips += [*more, *crowded(terms, rule.traits)]
    inputs = {entry.name: entry for entry in rule.inputs}
    filling = Filling([inputs[name] for name in rule.traits.into])
    if all(entry.form == "number" for entry in filling.inputs):
        filling.put("number", 0)  # without a dot there is still a pool, of none
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
    """The inputs that change because a trait has no dots; or that it cannot be rolled at all."""
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
    """A formula over inputs; None where one of them is not known."""
    known = variables(rule, bind(rule, texts)[0])
    if not names_in(formula.node) <= known.keys():
        return None
    values = {name: exactly(value) for name, value in known.items()}
    return told(evaluate(formula.node, Bounds({}, values, rule.tables)))
