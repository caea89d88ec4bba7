"""Finds outcomes that no roll can have: with exact chances for all inputs, where these are few and the dice cheap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from math import prod
from typing import Any

from ..game.codegen import EvaluationError
from ..game.core import Expression
from ..game.formula import collect_names
from ..game.inputs import format_value
from ..game.lower import lower_rule
from ..game.model import Game, Input, Outcome, Rule
from ..odds.aims import relevant_aims
from ..odds.budget import BudgetError, NotExactError
from ..odds.cache import OddsCache
from ..odds.rule_odds import Odds, compute_odds
from ..play.bound_rule import RollError
from ..play.compiled_rule import compile_rule
from ..source import Problem

_MAX_COMBINATIONS = 400  # of inputs; with more, nothing is said
_MAX_STEPS = 300_000  # for dice that look at other dice, as budgets of odds count them
_MAX_CORNERS = 8  # combinations of extreme inputs, which usually show that all outcomes are possible
_NEVER = "this never holds, whatever is rolled, so the outcome can never come about; change it or remove the outcome"
_SHADOWED = (
    "whenever this holds, an outcome above it holds too and is taken, so this one can never come about; move it up"
)


@dataclass
class _Budget:
    """The work that is left for a rule: states of the tallies of its dice, added up over all questions.

    Dice that look at other dice are paid for as they are worked out, from one budget for all questions."""

    states: int = 40_000

    def spend(self, odds: Odds) -> None:
        if not odds.rule.is_one_wave:
            return
        faces = sum(ready.count * len(ready.face_set) for ready in odds.setting.kinds)
        self.states -= (faces + 1) ** len(odds.setting.program.tallies)
        if self.states < 0:
            raise BudgetError


def find_impossible_outcomes(
    game: Game, find_seen: Callable[[Rule], frozenset[str]] = lambda _: frozenset()
) -> Iterator[Problem]:
    """A warning for each outcome whose condition is never true, or only where an earlier one is taken.

    `find_seen` gives outcomes of a rule that are known to be possible."""
    for rule in game.rules.values():
        if rule.contest or rule.has_rounds or _leaves_choices(rule):
            continue
        for outcome, message in rule.cached(("impossible outcomes",), partial(_list_impossible, rule, find_seen)):
            assert outcome.when
            yield Problem("outcome", f'"{outcome.name}": {message}', outcome.when.span, "warning")


def _leaves_choices(rule: Rule) -> bool:
    """Whether the choice of a player may make an outcome possible."""
    return bool(relevant_aims(rule)) or any(entry.is_choice for entry in rule.inputs)


def _list_impossible(rule: Rule, find_seen: Callable[[Rule], frozenset[str]]) -> list[tuple[Outcome, str]]:
    return list(_find_impossible(rule, find_seen(rule)))


def _find_impossible(rule: Rule, seen: frozenset[str]) -> Iterator[tuple[Outcome, str]]:
    core = lower_rule(rule)
    effort, cache = _Budget(), rule.cached(("odds",), OddsCache) if core.is_one_wave else OddsCache()

    def ask(inputs: Mapping[str, str]) -> Odds | None:
        odds, problems = compute_odds(rule, inputs, compute_now=False, cache=cache)
        if not isinstance(odds, Odds) or problems:
            return None
        effort.spend(odds)
        return odds

    try:
        if not core.is_one_wave:
            cache.budget.left, cache.budget.is_in_use = _MAX_STEPS, True
        if len(seen) < len(rule.outcomes):
            seen |= _possible_outcomes(rule, ask, islice(_combinations(rule, _corner_values), _MAX_CORNERS))
        conditions: list[Expression] = []
        for outcome, lowered in zip(rule.outcomes, core.outcomes, strict=True):
            conditions += [lowered.when] if lowered.when else []
            if outcome.name in seen or not lowered.when:
                continue
            if _holds_never(rule, ask, lowered.when):
                yield outcome, _NEVER
            elif outcome.name not in _all_possible_outcomes(rule, ask, conditions, outcome.name):
                yield outcome, _SHADOWED
    except (BudgetError, NotExactError, EvaluationError):
        return


_Ask = Callable[[Mapping[str, str]], Odds | None]


def _possible_outcomes(rule: Rule, ask: _Ask, rows: Iterator[dict[str, str]], wanted: str = "") -> set[str]:
    """The outcomes that some of these inputs can have; ends when all, or the wanted one, were found."""
    seen = set[str]()
    for row in rows:
        try:
            odds = ask(row)
            seen |= {name for name, chance in odds.chances.items() if chance.high} if odds else set()
        except RollError as error:
            _skip_row(rule, error)
        if wanted in seen or len(seen) == len(rule.outcomes):
            break
    return seen


def _all_possible_outcomes(rule: Rule, ask: _Ask, conditions: Sequence[Expression], wanted: str) -> set[str]:
    """The outcomes of all inputs that these conditions depend on; all outcomes if there are too many inputs."""
    deciding = _deciding_inputs(rule, conditions)
    if not _is_small(deciding):
        return {outcome.name for outcome in rule.outcomes}
    return _possible_outcomes(rule, ask, _all_rows(rule, deciding), wanted)


def _holds_never(rule: Rule, ask: _Ask, condition: Expression) -> bool:
    deciding = _deciding_inputs(rule, [condition])
    if not _is_small(deciding):
        return False
    asked = False
    for row in _all_rows(rule, deciding):
        try:
            odds = ask(row)
            if odds and odds.chance(condition).high:
                return False
        except RollError as error:
            _skip_row(rule, error)
        else:
            asked |= odds is not None
    return asked


def _skip_row(rule: Rule, error: RollError) -> None:
    """Go on after inputs that allow no roll; where that depends on earlier dice, other rolls may be possible."""
    if not lower_rule(rule).is_one_wave:
        raise NotExactError from error


def _deciding_inputs(rule: Rule, conditions: Sequence[Expression]) -> list[Input]:
    """The inputs that dice and conditions depend on."""
    program = compile_rule(rule)
    needed = program.dice_names | program.expand_dependencies(
        set().union(*(collect_names(condition.node) for condition in conditions))
    )
    return [entry for entry in rule.inputs if needed & set(entry.variable_names)]


def _all_rows(rule: Rule, deciding: Sequence[Input]) -> Iterator[dict[str, str]]:
    """All values of the deciding inputs, with one of each other input."""
    return _combinations(rule, lambda entry: _all_values(entry) if entry in deciding else _corner_values(entry)[:1])


def _is_small(entries: Sequence[Input]) -> bool:
    return prod(len(_all_values(entry)) for entry in entries) <= _MAX_COMBINATIONS


def _combinations(rule: Rule, values_of: Callable[[Input], Sequence[Any]]) -> Iterator[dict[str, str]]:
    """Rows of values, as an author would write them."""
    columns = [[format_value(entry, value) for value in values_of(entry)] for entry in rule.inputs]
    names = [entry.name for entry in rule.inputs]
    return (dict(zip(names, row, strict=True)) for row in product(*columns))


def _all_values(entry: Input) -> Sequence[Any]:
    if entry.form == "choice":
        return entry.choices
    if entry.form == "die":
        return entry.dice
    if entry.form == "flag":
        return (True, False)
    numbers = range(entry.least, entry.most + 1)
    if entry.form == "code":
        return [(number, pips) for number in numbers[: _MAX_COMBINATIONS + 1] for pips in range(3)]
    return numbers


def _corner_values(entry: Input) -> Sequence[Any]:
    values = _all_values(entry)
    return [values[-1], values[0]] if len(values) > 1 else values
