"""`rulewright odds`: prints the exact chances of a rule, or an estimate where they cost too much."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from fractions import Fraction

from ..api.describe import hidden_steps
from ..api.odds import mean_or_none, name_costs, odds_data
from ..api.request import RuleRequest
from ..game.codegen import EvaluationError
from ..game.model import Rule
from ..odds.budget import BudgetError, NotExactError
from ..odds.distribution import Chance
from ..odds.proof import prove_rule
from ..odds.rule_odds import NO_FRACTION, ContestOdds, Odds, compute_odds
from ..play.bound_rule import RollError
from ..play.result import RollProblem, error_problem
from ..render.chance_lines import format_chances
from ..render.number_format import format_estimated_mean, format_mean, format_percent
from .roll_text import aim_lines, complaint_error, heading, input_lines, is_condition, tie_line
from .rule_arguments import read_request
from .streams import json_text
from .terminal import INDENT, NOTHING_WRONG, CommandError, Screen, pad, screen_width


def run(options: Namespace) -> int:
    screen = Screen(sys.stdout)
    request = read_request(options.words, allow_record=False)
    if fact := prove_rule(request.rule):
        raise CommandError(fact)
    answer, complaints = compute_odds(request.rule, request.inputs, request.aim, estimating=True)
    if answer is None or complaints:
        raise complaint_error(request, name_costs(request, complaints))
    if isinstance(answer, Odds) and not answer.chances:
        _require_means(request, answer)
    screen.print(*([_as_json(request, answer)] if options.json else _odds_lines(request, answer, screen)))
    return NOTHING_WRONG


def _odds_lines(request: RuleRequest, answer: Odds | ContestOdds, screen: Screen) -> Iterator[str]:
    yield heading(request, screen)
    yield from input_lines(request, screen)
    yield from aim_lines(answer.aim.split(", ") if answer.aim else [])
    if isinstance(answer, ContestOdds):
        yield tie_line(request.rule)
    yield from ("", *chance_lines(answer.chances, screen)) if answer.chances else ()
    averages = [] if isinstance(answer, ContestOdds) else [*_mean_lines(request.rule, answer)]
    yield from ("", "on average", *averages) if averages else ()


def chance_lines(chances: Mapping[str, Chance], screen: Screen) -> Iterator[str]:
    """A line for each outcome."""

    def bar(share: Fraction, length: int) -> str:
        return screen.paint(screen.bar(share, length), "bar")

    return format_chances(chances, bar, INDENT, "; --json prints it")


def _mean_lines(rule: Rule, answer: Odds) -> Iterator[str]:
    """The mean of each step (for a condition, its chance), then the mean degrees."""
    outcomes = [outcome.name for outcome in answer.rule.outcomes if outcome.degree]
    conditions = {step.name for step in answer.rule.steps if is_condition(step)}
    shown = [step for step in answer.steps if step not in hidden_steps(rule)]
    means = {step: _mean_of_step(answer, step, step in conditions) for step in shown}
    means |= {f"degree of {name}": _mean_of_degree(answer, name) for name in outcomes}
    known = {label: text for label, text in means.items() if text}
    room = max(map(screen_width, known), default=0)
    yield from (f"{INDENT}{pad(label, room)}{INDENT}{text}" for label, text in known.items())


def _mean_of(answer: Odds, step: str) -> Fraction | None:
    return mean_or_none(lambda: answer.mean(step))


def _as_json(request: RuleRequest, answer: Odds | ContestOdds) -> str:
    return json_text(odds_data(request, answer))


def _mean_of_step(answer: Odds, step: str, is_truth: bool) -> str:
    mean = _mean_of(answer, step)
    if mean is None:
        mean = answer.estimated_mean(step)
        return "" if mean is None else f"about {format_estimated_mean(mean)}"
    return format_percent(mean) if is_truth else format_mean(mean)


def _mean_of_degree(answer: Odds, outcome: str) -> str:
    """The text "2.0688 over all rolls, 2.4512 when it happens"."""
    mean, chance = mean_or_none(lambda: answer.mean_degree(outcome)), answer.chances[outcome].exact
    if mean is None or not chance:
        return ""
    return f"{format_mean(mean)} over all rolls, {format_mean(mean / chance)} when it happens"


def _require_means(request: RuleRequest, answer: Odds) -> None:
    """Stop if the means of a rule cannot be computed: without outcomes there is nothing else to print."""
    refusals, hidden = list[str](), hidden_steps(request.rule)
    steps = [step for step in answer.steps if step not in hidden] or answer.steps
    for step in steps:
        try:
            answer.mean(step)
        except (RollError, EvaluationError) as error:
            raise complaint_error(request, [error_problem(error)]) from None
        except (NotExactError, BudgetError) as error:
            refusals += [str(error) or NO_FRACTION] if answer.estimated_mean(step) is None else []
    if len(refusals) == len(steps) > 0:
        raise complaint_error(request, name_costs(request, [RollProblem("rule", refusals[0])]))
