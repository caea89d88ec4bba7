"""Proves the odds of a rule on a small setting: all rolls, one by one through the roller, must give the same chances.

The setting is small, but most of the rule is alive at it. Dice without end are cut off; the weight of the rolls that
were not followed makes bounds, and only what is certain is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import islice, product
from math import prod
from typing import Any, NamedTuple

from ..game.codegen import EvaluationError
from ..game.core import CoreInput
from ..game.inputs import format_inputs, format_value, to_variables
from ..game.lower import lower_rule
from ..game.model import Game, Rule
from ..play.bound_rule import BoundKind, BoundRule, RollError
from ..play.result import play_roll
from ..play.roll import DiceRoller, Die, RandomGenerator
from ..play.rounds import RoundsError
from ..source import Problem, Span
from .advise import RerollAdviser
from .aims import choose_aims, relevant_aims
from .budget import BudgetError, NotExactError
from .cache import OddsCache
from .plan import Question
from .rounds import RoundsSolver
from .rule_odds import Odds, compute_odds
from .walk_solver import is_plain

MOST_ROLLS = 2_000
_FEW_OF_ALL = 100  # times as many rolls as are followed: hardly anything would be certain
_ENOUGH_ROLLS = 250  # from which on a setting counts as too large, if there is a smaller one
_MOST_SETTINGS = 48
_MOST_PROVED = 3
_MOST_FURTHER_FACES = 3  # that a roll shows beyond the first of each die
_CHECK_STEPS = 200_000  # for rounds that may not end
_MOST_CHECKED = 40  # combinations of inputs
_REPORT = "this is a mistake in Rulewright itself; please report it, with this rule"


Chances = dict[Any, Fraction]
_Weights = Counter[tuple[Any, int]]  # by the result, and the weight of all rolls with as many faces


class _CutOffError(Exception):
    """A roll is not followed any further."""


class _AllRolls:
    """Faces for one roll after another, in all ways; each roll has a chance."""

    def __init__(self, setting: BoundRule, aim: str = "") -> None:
        self.setting = setting
        aims = choose_aims(setting.rule, aim)
        self.takes, self.choose = aims.takes, RerollAdviser(aims)
        self.prefers = self.choose.prefers
        self.faces: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        self.most_faces = sum(kind.count for kind in setting.kinds) + _MOST_FURTHER_FACES
        self.most_faces += sum(max(setting.evaluate(reroll.times), 0) for reroll in setting.rule.again)
        self.path: list[int] = []
        self.numbers: list[int] = []  # of ways at each place of the path

    def results(self, most: int) -> tuple[Chances, Chances, Fraction]:
        """The chances of outcomes and of values of the last step in the rolls followed, and that of the others."""
        outcomes, values = _Weights(), _Weights()
        for _ in range(most):
            self.weight, self.whole, self.numbers = 1, 1, []
            with suppress(_CutOffError):
                steps, outcome, _ = play_roll(self.setting, self).evaluation
                outcomes[outcome and outcome.name, self.whole] += self.weight
                values[_last(steps), self.whole] += self.weight
            if not self.advance():
                break
        chances = _to_chances(outcomes)
        return chances, _to_chances(values), 1 - sum(chances.values(), Fraction(0))

    def advance(self) -> bool:
        """Turns to the next roll; False after the last one."""
        self.path = self.path[: len(self.numbers)]
        while self.path and self.path[-1] + 1 == self.numbers[len(self.path) - 1]:
            self.path.pop()
        if self.path:
            self.path[-1] += 1
        return bool(self.path)

    def face(self, kind: BoundKind, _way: str) -> int:
        if kind.faces not in self.faces:
            self.faces[kind.faces] = sorted(Counter(kind.faces).items())
        place, ways = len(self.numbers), self.faces[kind.faces]
        if place == self.most_faces:
            raise _CutOffError
        if place == len(self.path):
            self.path.append(0)
        self.numbers.append(len(ways))
        face, weight = ways[self.path[place]]
        self.weight, self.whole = self.weight * weight, self.whole * len(kind.faces)
        return face

    def onward(self, _kind: BoundKind, _way: str) -> bool:
        return self.takes

    def offered(self, kind: BoundKind) -> bool:  # noqa: ARG002
        return self.takes

    def begin(self, kind: BoundKind, fresh: bool) -> None:
        """Nothing to do."""

    def end(self, kind: BoundKind) -> None:
        """Nothing to do."""

    def round(self, earned: Mapping[int, int]) -> None:
        """Nothing to do."""

    def rethrow(self, kind: BoundKind, die: Die) -> None:
        """Nothing to do."""

    def turn_die(
        self, _play: DiceRoller, _dice: list[Die], _place: int, _number: int, _left: int, face: int | None
    ) -> int:
        assert face is not None, "rules in which a player chooses faces are not proved"
        return face

    def answer(self, play: DiceRoller, dice: list[Die], entry: CoreInput) -> None:
        """Rules with such choices are not proved."""

    def goes_on(self, number: int) -> bool:
        return number > 0


def _to_chances(weights: _Weights) -> Chances:
    chances = Chances()
    for (result, whole), weight in weights.items():
        chances[result] = chances.get(result, Fraction(0)) + Fraction(weight, whole)
    return chances


def _last(steps: Mapping[str, Any]) -> Any:
    return next(reversed(list(steps.values())), None)


class _Candidate(NamedTuple):
    """A setting that may be proved: how much of the rule is alive at it, and about how many rolls it has."""

    alive: int
    rolls: int
    values: dict[str, Any]


def find_false_odds(game: Game) -> Iterator[Problem]:
    """An error for each rule that never ends, or whose odds are not those of all its rolls."""
    yield from _find_stuck_rounds(game)
    for rule in game.rules.values():
        if message := prove_rule(rule):
            yield Problem("odds-proof", message, rule.span)


def _find_stuck_rounds(game: Game) -> Iterator[Problem]:
    """An error for each rule that, from some usual inputs on, cannot go on or never ends."""
    for rule in game.rules.values():
        if rule.has_rounds and (found := rule.cached(("stuck",), partial(_find_stuck, rule))):
            yield Problem("rounds", *found)


def _find_stuck(rule: Rule) -> tuple[str, Span] | None:
    cache = OddsCache()
    with cache.budget.question():
        cache.budget.left = _CHECK_STEPS
        for values in islice(product(*(_usual_values(entry) for entry in rule.declared_inputs)), _MOST_CHECKED):
            named = dict(zip((entry.name for entry in rule.declared_inputs), values, strict=True))
            try:
                RoundsSolver(BoundRule(rule, named), choose_aims(rule), cache).count(Question())
            except RoundsError as error:
                inputs = format_inputs(rule, named, to_variables(rule, named))
                repair, span = _keep_in_range(rule, error)
                return (f"with {inputs}: {error}{repair}" if inputs else f"{error}{repair}"), span
            except (RollError, EvaluationError, NotExactError):
                continue
            except BudgetError:
                break
    return None


def _keep_in_range(rule: Rule, error: RoundsError) -> tuple[str, Span]:
    """How to keep a carried value in the range of its input, and where; empty if a round fails for another reason."""
    name, value = error.carried or ("", 0)
    entry = next((entry for entry in rule.inputs if entry.name == name and entry.form == "number"), None)
    if not entry or not rule.rounds or not isinstance(value, int):
        return "", rule.span
    formula = rule.rounds.carry[name]
    function, limit = ("min", entry.most) if value > entry.most else ("max", entry.least)
    return f'; write {name} = "{function}({formula.text}, {limit})"', getattr(formula, "span", rule.span)


def _usual_values(entry: CoreInput) -> list[Any]:
    """The default, and both ends."""
    sides = [number for number in entry.dice if number]
    ends: dict[str, list[Any]] = {
        "flag": [0, 1], "choice": list(entry.choices), "die": [*sides[:1], *sides[-1:]],
        "code": [(entry.least, 0), (entry.most, 0)], "number": [entry.most, entry.least],
    }  # fmt: skip
    return list(dict.fromkeys([*([] if entry.default is None else [entry.default]), *ends[entry.form]]))


def prove_rule(rule: Rule) -> str:
    """What is wrong with the odds of a rule at a small setting; empty if nothing is. Proved once."""
    if rule.contest:
        return next(filter(None, map(prove_rule, rule.contest.of)), "")
    if len(rule.declared_inputs) < len(rule.inputs):
        return ""  # dice that a player picks cannot be said before they lie
    return rule.cached(("proof",), partial(_prove, rule))


def _prove(rule: Rule) -> str:
    """Proves the liveliest of the small settings; others if only one thing can happen there."""
    if any(entry.chooses for entry in lower_rule(rule).again) and not is_plain(lower_rule(rule)):
        return ""  # each pick of each roll would be planned by itself
    candidates = sorted(_candidates(rule), key=lambda one: (one.rolls > _ENOUGH_ROLLS, -one.alive, one.rolls))
    for candidate in candidates[:_MOST_PROVED]:
        if candidate.rolls > _FEW_OF_ALL * MOST_ROLLS:
            break
        outcomes = set[Any]()
        for aim in relevant_aims(rule) or ("",):
            with suppress(RollError, EvaluationError, BudgetError, NotExactError):
                found, fact = _compare(rule, candidate.values, aim)
                if fact:
                    inputs = format_inputs(rule, candidate.values, to_variables(rule, candidate.values))
                    where = f" with {inputs}" if inputs else ""
                    return f"the odds of {rule.name}{where} are wrong: {fact}; {_REPORT}"
                outcomes |= found
        if len(outcomes) > 1:
            break
    return ""


def _compare(rule: Rule, values: Mapping[str, Any], aim: str) -> tuple[set[Any], str]:
    """The outcomes at a setting, and where its odds are wrong."""
    written = {entry.name: format_value(entry, values[entry.name]) for entry in rule.inputs}
    odds, _ = compute_odds(rule, written, aim)
    if not isinstance(odds, Odds):
        return set(), ""
    outcomes, counted, missing = _AllRolls(BoundRule(rule, values), aim).results(MOST_ROLLS)
    for name, chance in odds.chances.items():
        low = outcomes.get(name, Fraction(0))
        if chance.low > low + missing or chance.high < low:
            return set(outcomes), _describe(name, chance.low, low)
    if name := _last({step.name: step.name for step in rule.steps if not step.is_set}):
        listed = odds.distribution(name)
        rest = listed.tail + listed.unknown
        for value in (*listed.values, *counted):
            low, chances = counted.get(value, Fraction(0)), listed.values.get(value, Fraction(0))
            if chances > low + missing or chances + rest < low:
                return set(outcomes), _describe(f"{name} {value}", chances, low)
    return set(outcomes), ""


def _describe(what: str, chance: Fraction, low: Fraction) -> str:
    return f"{what} has {_percent(chance)} by the odds, and {_percent(low)} when all dice are tried"


def _percent(chance: Fraction) -> str:
    return f"{float(100 * chance):.2f} %"


def _candidates(rule: Rule) -> Iterator[_Candidate]:
    """Small settings, as far as they can be rolled."""
    for values in _small_settings(rule):
        with suppress(RollError, EvaluationError):
            setting = BoundRule(rule, values)
            yield _Candidate(_count_alive(setting), _estimate_rolls(setting), values)


def _small_settings(rule: Rule) -> Iterator[dict[str, Any]]:
    """Combinations of small values: all if there are few, else some, always the same."""
    columns = {entry.name: _small_values(entry) for entry in rule.inputs}
    if prod(map(len, columns.values())) <= _MOST_SETTINGS:
        for row in product(*columns.values()):
            yield dict(zip(columns, row, strict=True))
        return
    generator = RandomGenerator(0)
    for _ in range(_MOST_SETTINGS):
        yield {name: values[generator.next_below(len(values))] for name, values in columns.items()}


def _small_values(entry: CoreInput) -> list[Any]:
    """Some values of an input, those that are likely to keep dice alive but few first."""
    if entry.form == "flag":
        return [True, False]
    if entry.form == "choice":
        return list(entry.choices[:2])
    if entry.form == "die":
        return sorted(sides for sides in entry.dice if sides)[:2] or [0]
    if entry.form == "code":
        return [(min(max(2, entry.least), entry.most), 1)]
    usual = [2, entry.default, 3, 1]
    fits = [min(max(value, entry.least), entry.most) for value in usual if value is not None]
    return list(dict.fromkeys(fits))[:3]


def _count_alive(setting: BoundRule) -> int:
    """How much of a rule has an effect: dice, several dice, dropped dice, rerolls, switches."""
    alive: int = sum(value is True for value in setting.values.values())
    for kind in setting.kinds:
        alive += 3 * min(kind.count, 2)
        alive += kind.keep_count is not None and 0 < kind.keep_count < kind.count
    return alive + sum(2 for reroll in setting.rule.again if setting.evaluate(reroll.times) > 0)


def _estimate_rolls(setting: BoundRule) -> int:
    rolls: int = prod(len(kind.face_set) ** kind.count for kind in setting.kinds if kind.count)
    for kind in setting.kinds:
        if kind.count and kind.kind.again:
            rolls *= 2
    for reroll in setting.rule.again:
        most = max((len(kind.face_set) for kind in setting.kinds if kind.count), default=1)
        rolls *= most ** max(setting.evaluate(reroll.times), 0)
    return rolls
