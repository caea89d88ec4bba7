"""Fills inputs from a sum of traits, and applies points that are spent after a roll.

A point changes inputs, or sets a die to its highest face."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..game.core import CoreInput, CoreRule, CoreSpend, Expression, TraitSum
from ..game.formula import collect_names
from ..game.inputs import bind_inputs, format_value, to_variables
from ..game.intervals import Bounds, evaluate_bounds, exact_value
from ..game.lower import lower_rule
from ..game.model import Rule
from ..game.traits import LIST_ITEM, TextProblem, TraitTerm, example_term, find_extra_traits, parse_terms, resolve_terms
from ..source import suggest
from .bound_rule import certain_value, evaluate_roll
from .result import Result
from .roll import Die, count_tallies, mark_dropped


@dataclass
class _InputFiller:
    """Collects the values of traits in inputs, each in the first input that accepts it."""

    inputs: Sequence[CoreInput]
    numbers: dict[str, int] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    codes: dict[str, list[int]] = field(default_factory=dict)

    def add_value(self, form: str, number: int) -> bool:
        """Add a value to an input; whether one accepts it."""
        return form == "none" or {"number": self.add_number, "die": self.add_die, "code": self.add_die_code}[form](
            number
        )

    def first_free(self, form: str) -> CoreInput | None:
        return next((entry for entry in self.inputs if entry.form == form and entry.name not in self.dice), None)

    def add_number(self, number: int) -> bool:
        entry, code = self.first_free("number"), self.first_free("code")
        if entry:
            self.numbers[entry.name] = self.numbers.get(entry.name, 0) + number
        elif code:
            self.codes.setdefault(code.name, [0, 0])[1] += number
        return bool(entry or code)

    def add_die(self, sides: int) -> bool:
        entry = self.first_free("die")
        if entry:
            self.dice[entry.name] = sides
        return bool(entry)

    def add_die_code(self, dice: int) -> bool:
        entry = self.first_free("code")
        if entry:
            self.codes.setdefault(entry.name, [0, 0])[0] += dice
        return bool(entry)

    @property
    def input_texts(self) -> dict[str, str]:
        texts_by_input = {name: str(number) for name, number in self.numbers.items()}
        texts_by_input |= {name: f"d{sides}" for name, sides in self.dice.items()}
        return texts_by_input | {
            name: f"{dice}D" + (f"+{pips}" if pips else "") for name, (dice, pips) in self.codes.items()
        }


def gather_inputs(rule: Rule | CoreRule, text: str) -> tuple[list[TraitTerm], dict[str, str], list[TextProblem]]:
    """Parse a sum of traits: its terms, the resulting inputs, and the mistakes in it."""
    rule = lower_rule(rule)
    assert rule.traits
    terms, problems = parse_terms(text, example_term(rule.categories))
    terms, more = resolve_terms(terms, rule.categories)
    problems += [*more, *find_extra_traits(terms, rule.traits)]
    inputs = {entry.name: entry for entry in rule.inputs}
    filler = _InputFiller([inputs[name] for name in rule.traits.into])
    if all(entry.form == "number" for entry in filler.inputs):
        filler.add_value("number", 0)  # without dots the pool is 0, not missing
    for term in terms:
        problems += _fill_term(filler, term, rule.traits)
    return terms, filler.input_texts, problems


def _fill_term(filler: _InputFiller, term: TraitTerm, into: TraitSum) -> Iterator[TextProblem]:
    for form, number in term.values:
        if not filler.add_value(form, number):
            names = " or ".join(into.into)
            value_text = {"die": f"the die of {term.name}", "code": f"the code of {term.name}"}.get(
                form, f"the {number}"
            )
            yield TextProblem(f"there is no room for {value_text} in {names}", term.start, term.end)


def apply_untrained(
    rule: Rule | CoreRule, terms: Iterable[TraitTerm], inputs: Mapping[str, str]
) -> tuple[dict[str, str], list[TextProblem]]:
    """The inputs that change because a trait has no dots, and the traits that cannot be rolled without dots."""
    rule, texts, problems = lower_rule(rule), dict(inputs), []
    input_names = {entry.name for entry in rule.inputs}
    for term in terms:
        if term.dots or term.category is None:
            continue
        if term.category.untrained is None:
            problems.append(TextProblem(f"{term.name} cannot be rolled without a dot in it", term.start, term.end))
            continue
        for name, formula in term.category.untrained.items():
            value = _evaluate_inputs(rule, formula, texts) if name in input_names else None
            if value is not None:
                texts[name] = str(value)
            elif name in input_names:
                problems.append(
                    TextProblem(f"{term.name} has no dots, and {name} cannot be told here", term.start, term.end)
                )
    return {name: text for name, text in texts.items() if inputs.get(name) != text}, problems


def _evaluate_inputs(rule: CoreRule, formula: Expression, texts: Mapping[str, str]) -> Any:
    """The value of a formula over inputs; None if one of them is unknown."""
    known = to_variables(rule, bind_inputs(rule, texts)[0])
    if not collect_names(formula.node) <= known.keys():
        return None
    values = {name: exact_value(value) for name, value in known.items()}
    return certain_value(evaluate_bounds(formula.node, Bounds({}, values, rule.tables)))


class _SpentPoint(NamedTuple):
    """A point that is spent, and the kind of dice that it is spent on (may be empty)."""

    spend: CoreSpend
    kind: str
    start: int
    end: int

    def problem(self, message: str) -> TextProblem:
        return TextProblem(message, self.start, self.end)


def parse_spends(rule: Rule | CoreRule, text: str) -> tuple[list[_SpentPoint], list[TextProblem]]:
    """Parse a list of points such as `point bonus, fate luck`: names, each followed by a kind of dice if needed."""
    rule = lower_rule(rule)
    points: list[_SpentPoint] = []
    problems: list[TextProblem] = []
    for item in LIST_ITEM.finditer(text):
        piece = item[0].strip()
        if not piece:
            continue
        start = item.start() + item[0].index(piece)
        end, spend = start + len(piece), _find_spend(rule, piece)
        if spend is None:
            note = suggest(piece, [entry.name for entry in rule.spends])
            problems.append(
                TextProblem(f'{rule.name} has nothing to spend called "{piece}"; {note}'.rstrip("; "), start, end)
            )
            continue
        one = _SpentPoint(spend, piece[len(spend.name) :].strip().lower(), start, end)
        problems += _find_wrong_kind(one)
        points.append(one)
    return points, [*problems, *_find_excess(points)]


def _find_spend(rule: CoreRule, piece: str) -> CoreSpend | None:
    """The spend with the longest name that the text begins with; else None."""
    low = piece.lower()
    matching = [
        candidate
        for candidate in rule.spends
        if low == candidate.name.lower() or low.startswith(candidate.name.lower() + " ")
    ]
    return max(matching, key=lambda candidate: len(candidate.name), default=None)


def _find_wrong_kind(point: _SpentPoint) -> Iterator[TextProblem]:
    """Report a kind that is not needed, an unknown one, or a missing one."""
    kinds = [kind.lower() for kind in point.spend.highest]
    if point.kind and not kinds:
        yield point.problem(f'{point.spend.name} is spent on no die; leave "{point.kind}" out')
    elif point.kind and point.kind not in kinds:
        yield point.problem(
            f'{point.spend.name} cannot be spent on "{point.kind}"; {suggest(point.kind, point.spend.highest)}'
        )
    elif not point.kind and len(kinds) > 1:
        yield point.problem(f"say which die: {point.spend.name} {point.spend.highest[0]}")


def _find_excess(points: Sequence[_SpentPoint]) -> Iterator[TextProblem]:
    """Report more points of one type than a roll allows."""
    counts: dict[str, int] = {}
    for spent_point in points:
        point = spent_point.spend.point
        counts[point] = counts.get(point, 0) + 1
        if spent_point.spend.most and counts[point] > spent_point.spend.most:
            yield spent_point.problem(f"a roll takes {spent_point.spend.most} {point} at most")


def find_misplaced(points: Sequence[_SpentPoint], traits: str | None) -> Iterator[TextProblem]:
    """Report points that are reserved for traits that are not rolled."""
    if traits is None:
        return
    rolled = {term.name.lower() for term in parse_terms(traits)[0]}
    for point in points:
        if point.spend.traits and not rolled & {name.lower() for name in point.spend.traits}:
            yield point.problem(f"{point.spend.name} is only for {', '.join(point.spend.traits)}")


def apply_changes(
    rule: Rule | CoreRule, points: Sequence[_SpentPoint], inputs: Mapping[str, str]
) -> tuple[dict[str, str], list[TextProblem]]:
    """The inputs that points change, applied in order."""
    rule, texts, problems = lower_rule(rule), dict(inputs), []
    entries = {entry.name: entry for entry in rule.inputs}
    for point in points:
        for name, formula in point.spend.changes.items():
            value = _evaluate_inputs(rule, formula, texts)
            if value is None:
                problems.append(point.problem(f"{name} has to be known before {point.spend.name} changes it"))
                continue
            texts[name] = format_value(entries[name], value)
    return {name: text for name, text in texts.items() if inputs.get(name) != text}, problems


def apply_highest(result: Result, points: Sequence[_SpentPoint]) -> tuple[Result, list[TextProblem]]:
    """The result after each point that sets a die to its highest face has done so, to the lowest die of its kind."""
    problems = []
    for point in points:
        if not point.spend.highest:
            continue
        kind = point.kind or point.spend.highest[0].lower()
        dice = list(result.roll.dice)
        places = [place for place, die in enumerate(dice) if result.rule.kinds[die.kind].name.lower() == kind]
        if not places:
            problems.append(point.problem(f"no {kind} die is on the table"))
            continue
        place = min(places, key=lambda place: dice[place].value)
        dice[place] = _set_highest(result, dice[place])
        result = _replace_dice(result, dice)
    return result, problems


def _set_highest(result: Result, die: Die) -> Die:
    bound_kind = result.setting.kinds[die.kind]
    throws = (max(map(bound_kind.get_transition, bound_kind.faces), key=lambda transition: transition.value),)
    return die._replace(throws=throws, rolled=throws, tries=(*(die.tries or (die.rolled,)), throws))


def _replace_dice(result: Result, dice: list[Die]) -> Result:
    """The result with other dice."""
    kept = tuple(mark_dropped(result.setting, [die._replace(kept=True) for die in dice]))
    tallies = count_tallies(result.setting, kept)
    throw = result.roll._replace(dice=kept)
    return replace(result, roll=throw, tallies=tallies, evaluation=evaluate_roll(result.setting, tallies))
