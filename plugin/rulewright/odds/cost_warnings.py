"""Finds rules whose odds cost too much at settings that are likely to be asked for, and the step that is to blame.

Tried are a typical setting and a large one. A rule that only a hundred dice make expensive gets no warning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any, cast

from ..game.codegen import EvaluationError
from ..game.core import REROLL, CoreInput, CoreOutcome, CoreStep, Expression, Reroll
from ..game.formula import collect_names, walk
from ..game.inputs import format_value
from ..game.lower import lower_rule
from ..game.model import Game, Rule
from ..play.bound_rule import RollError
from ..play.compiled_rule import CompiledRule
from ..source import Problem, Span
from .budget import NO_ANSWER, TOO_MANY_STATES, BudgetError, NotExactError
from .construction import Construction, find_construction
from .plan import Question
from .rule_odds import Odds, compute_odds

_TYPICAL = 4  # of a number without a default
_LARGE = 12
_WIDE = Fraction(1, 1000)  # bounds
_Expense = tuple[str, Span, str]  # what is said, where, and how severe it is


def find_expensive_odds(game: Game) -> Iterator[Problem]:
    """A warning for each rule whose odds would be refused, or wide bounds, at a setting that is no rarity."""
    for rule in game.rules.values():
        if rule.dice and not rule.contest:
            found, _ = _try_settings(rule)
            if found:
                yield Problem("odds-cost", *found)


def find_seen_outcomes(rule: Rule) -> frozenset[str]:
    """The outcomes that a rule can have at the settings that were tried for what they cost."""
    return _try_settings(rule)[1]


def explain_refusal(rule: Rule, inputs: Mapping[str, str], aim: str, reason: str) -> str:
    """What makes the odds of a rule too expensive with these inputs, and what would help; empty if nobody knows."""
    with suppress(RollError, EvaluationError, NotExactError, BudgetError):
        odds, _ = compute_odds(rule, inputs, aim, compute_now=False)
        if isinstance(odds, Odds):
            return _describe(rule, odds, reason, "")[1]
    return ""


def _try_settings(rule: Rule) -> tuple[_Expense | None, frozenset[str]]:
    return rule.cached(("expense",), partial(_find_expense, rule))


def _find_expense(rule: Rule) -> tuple[_Expense | None, frozenset[str]]:
    """What is said of the odds of a rule, and the outcomes that were seen."""
    bounds, seen = cast("_Expense | None", None), set[str]()
    for values in (_setting(rule, _TYPICAL, False), _setting(rule, _LARGE, True)):
        with suppress(RollError, EvaluationError, NotExactError):
            odds, _ = compute_odds(rule, values, compute_now=False)
            inputs = ", ".join(f"{name} {value}" for name, value in values.items())
            where = f" with {inputs}" if inputs else ""
            if isinstance(odds, Odds) and (reason := _find_reason(rule, odds)):
                span, message = _describe(rule, odds, reason, where)
                return (message, span, "warning"), frozenset(seen)
            if isinstance(odds, Odds):
                bounds = bounds or _describe_bounds(rule, odds, where)
                seen |= {name for name, chance in odds.chances.items() if chance.low}
    return bounds, frozenset(seen)


def _describe_bounds(rule: Rule, odds: Odds, where: str) -> _Expense | None:
    """A remark on a rule whose chances are narrow bounds, not fractions."""
    open_outcomes = [name for name, chance in odds.chances.items() if chance.exact is None]
    if not open_outcomes:
        return None
    outcome = next(own for own in odds.rule.outcomes if own.name == open_outcomes[0])
    named = collect_names(outcome.when.node) if outcome.when else set()
    steps = [step for step in odds.rule.steps if step.name in named]
    part: CoreStep | CoreOutcome = steps[0] if len(steps) == 1 else outcome
    name = f'the outcome "{outcome.name}"' if part is outcome else f"the step {part.name}"
    reason = _find_construction(odds, part).reason
    because = f", because {reason}" if reason else ""
    message = f"{name} makes the odds of {rule.name} bounds instead of fractions{where}{because}"
    return message, _find_span(rule, part), "info"


def _describe(rule: Rule, odds: Odds, reason: str, where: str) -> tuple[Span, str]:
    if rule.has_rounds and rule.rounds:
        note = "let it carry fewer values, or end it with `most`"
        return getattr(
            rule.rounds.until, "span", rule.span
        ), f"the rounds make the odds of {rule.name} too expensive{where}; {note}"
    part, name = _find_culprit(odds)
    span = _find_span(rule, part)
    if reason == NO_ANSWER:
        note = "cards show estimates at best, and claims cannot prove them"
        return span, f"no exact odds of {rule.name} are known, because of {name}{where}; {note}"
    construction = _find_construction(odds, part)
    because = f", because {construction.reason}" if construction.reason else ""
    return span, f"{name} makes the odds of {rule.name} too expensive{where}{because}; {construction.repair}"


def _find_construction(odds: Odds, part: CoreStep | CoreOutcome | Reroll) -> Construction:
    formula = part.times if isinstance(part, Reroll) else part.formula if isinstance(part, CoreStep) else part.when
    return find_construction(odds.setting.program, formula or odds.rule.steps[-1].formula)


def _find_reason(rule: Rule, odds: Odds) -> str:
    """Why there are no exact odds, or bounds that are wide; empty if there is nothing to say."""
    try:
        if not odds.rule.outcomes:
            for step in odds.rule.steps:
                if step.set is None and rule.find_whole(step.name) == step.name:
                    odds.mean(step.name)
        is_wide = any(chance.high - chance.low > _WIDE for chance in odds.chances.values())
    except BudgetError as error:
        return str(error)
    return TOO_MANY_STATES if is_wide else ""


def _find_span(rule: Rule, part: CoreStep | CoreOutcome | Reroll) -> Span:
    if isinstance(part, Reroll):
        return rule.rerolls[lower_rule(rule).again.index(part)].times.span
    if isinstance(part, CoreStep):
        return next(step.formula.span for step in rule.steps if step.name == part.name)
    return next(outcome.span for outcome in rule.outcomes if outcome.name == part.name)


def _find_culprit(odds: Odds) -> tuple[CoreStep | CoreOutcome | Reroll, str]:
    """A choice of dice if no step over dice is cheap; else the first step that costs too much alone, otherwise the
    widest one that the first such condition rests on."""
    rule, program = odds.rule, odds.setting.program
    rolled = (own for own in rule.again if own.roll == REROLL and own.pick != "all")
    rerolls = [own for own in rolled if odds.setting.evaluate(own.times) > 0]
    choices: list[tuple[CoreStep | CoreOutcome | Reroll, str]] = [
        *((own, f'the reroll with pick = "{own.pick}"') for own in rerolls),
        *((step, f"the step {step.name}") for step in rule.steps if step.name in rule.picks),
    ]
    if choices and all(
        _costs_too_much(odds, Question((), (step.formula,))) for step in rule.steps if _tallies(program, step.formula)
    ):
        return choices[0]
    for step in rule.steps:
        if _costs_too_much(odds, Question((), (step.formula,))):
            return step, f"the step {step.name}"
    conditions = [(outcome.when, outcome) for outcome in rule.outcomes if outcome.when]
    if not conditions:
        return rule.steps[-1], f"the step {rule.steps[-1].name}"
    dear = (pair for pair in conditions if _costs_too_much(odds, Question((pair[0],))))
    condition, outcome = next(dear, conditions[-1])
    needed = program.get_dependencies(condition)
    steps = [step for step in reversed(rule.steps) if step.name in needed]
    if not steps:
        return outcome, f'the outcome "{outcome.name}"'
    widest = max(steps, key=lambda step: len(_tallies(program, step.formula)))
    return widest, f'the step {widest.name}, which "{outcome.name}" asks for,'


def _tallies(program: CompiledRule, formula: Expression) -> set[str]:
    """The functions over dice that a step rests on."""
    names = program.get_dependencies(formula) & program.formulas.keys()
    nodes = [own.node for own in (formula, *(program.formulas[name] for name in names))]
    return {inner.args[0] for node in nodes for inner in walk(node) if inner.op == "tally"}


def _costs_too_much(odds: Odds, question: Question) -> bool:
    try:
        return odds.solver.list_values(question).unknown > _WIDE
    except BudgetError:
        return True
    except (RollError, EvaluationError, NotExactError):
        return False


def _setting(rule: Rule, number: int, is_large: bool) -> Mapping[str, str]:
    entries = rule.declared_inputs
    return {entry.name: format_value(entry, _value(entry, number, is_large)) for entry in entries}


def _value(entry: CoreInput, number: int, is_large: bool) -> Any:
    """The default of an input, or a usual value; in a large setting the greatest that is usual."""
    if entry.default is not None and not is_large:
        return entry.default
    if entry.form == "flag":
        return is_large
    if entry.form == "choice":
        return entry.default or entry.choices[0]
    if entry.form == "die":
        return max(entry.dice) if is_large else sorted(entry.dice)[len(entry.dice) // 2]
    least = entry.default if isinstance(entry.default, int) else entry.least
    amount = min(max(number, least), entry.most)
    return (amount, 0) if entry.form == "code" else amount
