"""`rulewright odds`: prints the exact chances of a rule."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from ..game.codegen import Stuck
from ..game.model import Step
from ..odds.answer import ContestOdds, Odds, compute_odds
from ..odds.distribution import Chance
from ..odds.generating_function import NotExactError
from ..odds.plan import BudgetError, FormulaTooLongError
from ..play.bound_rule import Refused
from ..play.result import Complaint, refusal
from ..render.numbers import all_digits, count_digits, format_bounds, format_fraction, format_percent
from ..render.numbers import format_mean as figures_mean
from .rule_arguments import Asked, read_request
from .rule_text import heading, input_lines, is_condition, plain_inputs, policy_lines, stop, ties
from .terminal import INDENT, NOTHING_WRONG, WIDTH, Screen, cells, pad, wrap

BAR = 24
BOUNDED = "These chances have no exact value that could be found; each lies between the two bounds given."


def run(options: Namespace) -> int:
    screen = Screen(sys.stdout)
    asked = read_request(options.words, judging=False)
    found, complaints = compute_odds(asked.rule, asked.inputs, asked.policy)
    if found is None or complaints:
        raise stop(asked, complaints)
    if isinstance(found, Odds) and not found.chances:
        need_means(asked, found)
    screen.print(*([as_json(asked, found)] if options.json else lines(asked, found, screen)))
    return NOTHING_WRONG


def lines(asked: Asked, found: Odds | ContestOdds, screen: Screen) -> Iterator[str]:
    yield heading(asked, screen)
    yield from input_lines(asked, screen)
    yield from policy_lines(asked, found.policy.split(", ") if found.policy else [])
    if isinstance(found, ContestOdds):
        yield ties(asked.rule)
    yield from ("", *chance_lines(found.chances, screen)) if found.chances else ()
    averages = [] if isinstance(found, ContestOdds) else [*mean_lines(found)]
    yield from ("", "on average", *averages) if averages else ()


def chance_lines(chances: dict[str, Chance], screen: Screen) -> Iterator[str]:
    """A line for each outcome with percentage, bar and fraction. If a fraction is too long, all are listed below."""
    room = max(map(cells, chances))
    shares = [(chance.low + chance.high) / 2 for chance in chances.values()]
    exact = [exactly(chance) for chance in chances.values()]
    percents = aligned([format_percent(share) for share in shares])
    leads = [f"{INDENT}{pad(name, room)}{INDENT}{text}{INDENT}" for name, text in zip(chances, percents, strict=True)]
    fits = all(cells(lead) + BAR + len(INDENT + text) <= WIDTH for lead, text in zip(leads, exact, strict=True))
    for lead, share, text in zip(leads, shares, exact, strict=True):
        yield lead + screen.paint(screen.bar(share, BAR), "bar") + (INDENT + text if fits else "")
    if not fits:
        yield from ("", "bounds" if any(chance.exact is None for chance in chances.values()) else "exactly")
        for name, text in zip(chances, exact, strict=True):
            yield from broken(text, f"{INDENT}{pad(name, room)}{INDENT}")
    if any(chance.exact is None for chance in chances.values()):
        yield from ("", *wrap(BOUNDED, ""))


def exactly(chance: Chance) -> str:
    if chance.exact is None:
        return format_bounds(chance.low, chance.high)
    return format_fraction(chance.exact) or f"a fraction of {count_digits(chance.exact):,} digits; --json prints it"


def broken(text: str, first: str) -> Iterator[str]:
    """Break a long fraction into lines."""
    room = WIDTH - cells(first)
    for start in range(0, len(text), room):
        yield (" " * cells(first) if start else first) + text[start : start + room]


def aligned(numbers: list[str]) -> list[str]:
    """Pad numbers so that their decimal points are aligned."""
    parts = [(whole, point + rest) for whole, point, rest in (number.partition(".") for number in numbers)]
    left, right = (max(len(part[side]) for part in parts) for side in range(2))
    return [whole.rjust(left) + rest.ljust(right) for whole, rest in parts]


def mean_lines(found: Odds) -> Iterator[str]:
    """The mean of each step (for a condition, its chance), then the mean degrees."""
    outcomes = [outcome.name for outcome in found.rule.outcomes if outcome.degree]
    told = {step.name: mean_of_step(found, step) for step in found.rule.steps}
    told |= {f"degree of {name}": mean_of_degree(found, name) for name in outcomes}
    known = {label: text for label, text in told.items() if text}
    room = max(map(cells, known), default=0)
    yield from (f"{INDENT}{pad(label, room)}{INDENT}{text}" for label, text in known.items())


def mean_of(found: Odds, step: str) -> Fraction | None:
    return possible(lambda: found.mean(step))


def possible(ask: Callable[[], Fraction | None]) -> Fraction | None:
    """A mean, or None if it cannot be computed."""
    try:
        return ask()
    except (NotExactError, Refused, Stuck, BudgetError):
        return None


def as_json(asked: Asked, found: Odds | ContestOdds) -> str:
    from json import dumps

    with all_digits():
        report = {
            "version": 1,
            "game": asked.game,
            "rule": asked.rule.name,
            "inputs": plain_inputs(asked),
            "policy": found.policy or None,
            "outcomes": [outcome(name, chance) for name, chance in found.chances.items()],
            "steps": {name: None if mean is None else float(mean) for name, mean in step_means(found).items()},
        }
        return dumps(report, ensure_ascii=False, indent=2)


def outcome(name: str, chance: Chance) -> dict[str, Any]:
    if chance.exact is not None:
        return {"name": name, "exact": str(chance.exact), "chance": float(chance)}
    return {"name": name, "exact": None, "chance": float(chance), "low": float(chance.low), "high": float(chance.high)}


def step_means(found: Odds | ContestOdds) -> dict[str, Fraction | None]:
    if isinstance(found, Odds):
        return {step.name: mean_of(found, step.name) for step in found.rule.steps}
    step = found.contest.compare
    return {f"{name}.{step}": mean_of(side, step) for name, side in zip(("first", "second"), found.sides, strict=True)}


def mean_of_step(found: Odds, step: Step) -> str:
    mean = mean_of(found, step.name)
    if mean is None:
        return ""
    return format_percent(mean) if is_condition(step) else figures_mean(mean)


def mean_of_degree(found: Odds, outcome: str) -> str:
    """The text "2.0688 over all rolls, 2.4512 when it happens"."""
    mean, chance = possible(lambda: found.mean_degree(outcome)), found.chances[outcome].exact
    if mean is None or not chance:
        return ""
    return f"{figures_mean(mean)} over all rolls, {figures_mean(mean / chance)} when it happens"


def need_means(asked: Asked, found: Odds) -> None:
    """Stop if the means of a rule cannot be computed: without outcomes there is nothing else to print."""
    try:
        for step in found.rule.steps:
            found.mean(step.name)
    except (Refused, Stuck) as error:
        raise stop(asked, [refusal(error)]) from None
    except FormulaTooLongError as error:
        raise stop(asked, [Complaint("rule", str(error))]) from None
    except (NotExactError, BudgetError):
        pass
