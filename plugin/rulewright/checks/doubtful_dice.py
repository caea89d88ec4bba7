"""Finds dice of a game that are doubtful: tests that no die can meet, and counts that fall below 0 for some inputs.

What is found is certain: values that are not known may be anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from ..game.core import MARK, TEST_WORDS, CoreKind, CoreRule, Expression
from ..game.dependencies import names_in, tally_number
from ..game.formula import Node, walk
from ..game.intervals import ANY_NUMBER, Bounds, Interval, ValueSet, evaluate_bounds, exact_value, interval_between
from ..game.lower import lower_rule
from ..game.model import MAX_SIDES, Formula, Game, Rule
from ..game.toml import inner_span
from ..play.compiled_rule import compile_rule
from ..play.negative_counts import find_negative_count
from ..source import Problem, Span

_MAX_FACES = 200  # that are looked at one by one


def find_doubtful_dice(game: Game) -> Iterator[Problem]:
    """A warning for each test that no die can meet, and a remark for each kind of which there may be fewer than 0, or
    that draws from a second deck that is like the first.

    The author may mean that there is no roll with these inputs, or that they never come together."""
    for rule in game.rules.values():
        vain = ((span, message, "warning") for span, message in _find_vain_tests(rule))
        remarks = (*_find_negative_counts(rule), *_find_twin_decks(rule))
        for span, message, severity in (*vain, *((*remark, "info") for remark in remarks)):
            if span.source is rule.span.source:  # what a rule inherits is judged where it comes from
                yield Problem("dice", message, span, severity)


def _find_negative_counts(rule: Rule) -> Iterator[tuple[Span, str]]:
    """Dice that may be fewer than 0 for several inputs together; for one input that is an error."""
    core = lower_rule(rule)
    for kind, own in zip(rule.dice, core.kinds, strict=True):
        bounds = evaluate_bounds(own.count.node, compile_rule(core).bounds)
        if "." not in kind.name and isinstance(bounds, Interval) and bounds.low < 0:
            found = find_negative_count(core, own)
            if found:
                yield kind.count.span, found.message


def _find_twin_decks(rule: Rule) -> Iterator[tuple[Span, str]]:
    """Kinds with decks that are alike, where one deck may be meant."""
    seen: dict[tuple[object, ...], str] = {}
    for kind in rule.dice:
        if kind.deck and not kind.deck_of and "." not in kind.name:
            deck = tuple((face.mark, copies.text) for face, copies in zip(kind.faces, kind.deck, strict=True))
            first = seen.setdefault(deck, kind.name)
            if first != kind.name:
                yield kind.span, f'{kind.name} is a deck of its own; for what is left of {first} write deck = "{first}"'


def _find_vain_tests(rule: Rule) -> Iterator[tuple[Span, str]]:
    core = lower_rule(rule)
    search = _Search(core)
    for kinds, test, lowered in _pair_tests(rule, core):
        if message := search.describe_vain(kinds, lowered.node):
            yield test.span, message
    for formula, core_formula, dice_set in _pair_formulas(rule, core):
        yield from _find_in_formula(search, formula, core_formula, dice_set)


def _pair_tests(rule: Rule, core: CoreRule) -> Iterator[tuple[Sequence[int], Formula, Expression]]:
    """The tests of throws and of dice that are rolled again, each with its kinds."""
    for number, (kind, own) in enumerate(zip(rule.dice, core.kinds, strict=True)):
        if "." not in kind.name:
            yield from (([number], test, own.tests[word]) for word, test in kind.tests.items())
            yield from (([number], entry.when, again.when) for entry, again in zip(kind.again, own.again, strict=True))
    for reroll, lowered in zip(rule.rerolls, core.again, strict=True):
        if reroll.when and lowered.when:
            yield core.kinds_of(lowered.of), reroll.when, lowered.when


def _pair_formulas(rule: Rule, core: CoreRule) -> Iterator[tuple[Formula, Expression, int | None]]:
    """The formulas of a rule that look at dice on the table, as written and as lowered; for a set its number."""
    for step, own in zip(rule.steps, core.steps, strict=True):
        if "." not in step.name:
            yield step.formula, own.formula, own.set
    for outcome, lowered in zip(rule.outcomes, core.outcomes, strict=True):
        if outcome.when and lowered.when:
            yield outcome.when, lowered.when, None
        if outcome.degree and lowered.degree:
            yield outcome.degree, lowered.degree, None


def _find_in_formula(
    search: _Search, formula: Formula, lowered: Expression, dice_set: int | None
) -> Iterator[tuple[Span, str]]:
    if dice_set is not None and (message := search.describe_vain_set(dice_set)):
        yield formula.span, message
    for start, end, slot in lowered.slots:
        if isinstance(slot, tuple) and (message := search.describe_vain_tallies(slot)):
            yield inner_span(formula.span, formula.text, start, end), message


class _Search:
    """Finds tests of a rule that no face of any of their kinds meets, whatever the inputs are."""

    def __init__(self, rule: CoreRule) -> None:
        self.rule = rule
        self.bounds = compile_rule(rule).bounds

    def describe_vain_tallies(self, numbers: Sequence[int]) -> str:
        """What is wrong with the tests behind a function over dice; empty if nothing is."""
        tallies = [self.rule.tallies[number] for number in numbers]
        counted = [
            (own.set, own.body) for own in tallies if own.function == "count" and own.body and own.set is not None
        ]
        if len(counted) == len(tallies):
            kinds = [kind for dice, _ in counted for kind in self.rule.kinds_of(dice)]
            body = counted[0][1]
            if all(other == body for _, other in counted) and (message := self.describe_vain(kinds, body)):
                return message
        for own in tallies:
            inner = [tally_number(node) for node in walk(own.body) if node.op == "tally"] if own.body else []
            message = "" if own.set is None else self.describe_vain_set(own.set)
            message = message or next(filter(None, (self.describe_vain_tallies([each]) for each in inner)), "")
            if message:
                return message
        return ""

    def describe_vain_set(self, number: int) -> str:
        own = self.rule.sets[number]
        if own.op == "kind":
            return ""
        message = self.describe_vain(self.rule.kinds_of(own.of[0]), own.test) if own.test else ""
        return message or next(filter(None, map(self.describe_vain_set, own.of)), "")

    def describe_vain(self, kinds: Sequence[int], test: Node) -> str:
        """What is wrong with a test that no die of these kinds meets; empty if one may meet it."""
        if test.op == "name" and any(test.args[0] in self.rule.kinds[number].tests for number in kinds):
            return ""  # judged where it is declared
        words = self.rule.face_words.keys() | {MARK}
        if words.isdisjoint(names_in(self.rule, test)) or any(self.may_meet(number, test) for number in kinds):
            return ""
        names = " or ".join(dict.fromkeys(self.rule.kinds[number].name for number in kinds))
        faces = [self.list_faces(self.rule.kinds[number]) for number in kinds]
        shown = f"from {min(map(min, faces))} to {max(map(max, faces))}"
        words_asked = names_in(self.rule, test) & set(TEST_WORDS)
        note = f"; their faces go {shown}" if words_asked <= {"face", "value"} and words_asked else ""
        return f"no {names} die can meet this test{note}"

    def list_faces(self, kind: CoreKind) -> Sequence[int]:
        """The values that faces of a kind can show."""
        if kind.faces:
            return [face.value for face in kind.faces]
        assert kind.sides
        sides = evaluate_bounds(kind.sides.node, self.bounds)
        high = sides.high if isinstance(sides, Interval) else inf
        return range(1, int(min(max(high, 1), MAX_SIDES)) + 1)

    def may_meet(self, number: int, test: Node) -> bool:
        kind = self.rule.kinds[number]
        values = self.list_faces(kind)
        if not kind.faces and len(values) > _MAX_FACES:
            face = interval_between(1, len(values))
            return self.may_hold(kind, test, values, {"face": face, MARK: exact_value("")})
        places = range(len(values)) if kind.faces else values
        words = ({**self.rule.face_words, **self.rule.words_on(number, place)} for place in places)
        return any(
            self.may_hold(kind, test, values, {name: exact_value(word) for name, word in own.items()}) for own in words
        )

    def may_hold(self, kind: CoreKind, test: Node, values: Sequence[int], words: Mapping[str, ValueSet]) -> bool:
        """Whether a test may hold for a face with these words."""
        every = interval_between(min(0, *values), max(0, *values))
        known = {
            **words, "last": every, "first": every, "throw": interval_between(1, inf),
            "value": ANY_NUMBER if kind.rolls_on else words["face"], "sides": interval_between(1, MAX_SIDES),
        }  # fmt: skip
        bounds = Bounds({}, {**self.bounds.values, **known}, self.rule.tables)
        for word, own in kind.tests.items():
            bounds = bounds.with_value(word, evaluate_bounds(own.node, bounds))
        missing = names_in(self.rule, test) - bounds.values.keys()
        bounds = Bounds({}, {**dict.fromkeys(missing, ANY_NUMBER), **bounds.values}, self.rule.tables)
        found = evaluate_bounds(test, bounds)
        return not isinstance(found, Interval) or found.truth is not False
