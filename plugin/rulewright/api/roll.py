"""Rolls a rule or a contest: the dice, the steps, the outcome, and why."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..game.inputs import bind_inputs
from ..game.lower import lower_rule
from ..game.model import CONTEST_SIDES, Rule
from ..odds.advise import make_judge, make_player
from ..odds.aims import choose_aims
from ..play.record import RECORDS
from ..play.result import (
    RenderedFace,
    Result,
    RollProblem,
    check_roll,
    describe_outcome,
    dice_line,
    find_unneeded_answers,
    format_outcome,
    roll_dice,
)
from ..play.roll import RandomGenerator
from ..render.explanation_text import explain_in_text
from .request import MISSING, RuleRequest, RulewrightError, Side, key_of, plain_inputs, refuse

_MAX_TIES = 100


class RollRefusedError(Exception):
    """The inputs or the given dice allow no result; `side` is the side of a contest that they belong to."""

    def __init__(self, complaints: Sequence[RollProblem], side: Side | None = None) -> None:
        super().__init__("; ".join(complaint.message for complaint in complaints))
        self.complaints, self.side = complaints, side


class EndlessTieError(Exception):
    """A contest that rolls ties again had too many of them."""

    def __init__(self) -> None:
        super().__init__(f"still a tie after {_MAX_TIES} throws")


def random_seed() -> int:
    return int.from_bytes(os.urandom(4))


def roll_side(request: RuleRequest, side: Side, generator: RandomGenerator) -> tuple[Result, list[RollProblem]]:
    """Roll the dice of a side or evaluate the given ones; returns the result, and complaints that do not void it."""
    if side.record:
        text, rerolled, turned = (side.record.get(key, "") for key in RECORDS)
        judge = make_judge(side.rule)
        result, complaints = check_roll(
            side.rule, side.inputs, text, side.declined, rerolled, judge=judge, turned=turned
        )
    else:
        result, complaints = roll_dice(
            side.rule, side.inputs, make_player(side.rule, generator, side.aim or request.aim)
        )
        complaints += find_unneeded_answers(result, side.inputs) if result else []
    if result is None:
        raise RollRefusedError(complaints, side)
    return result, complaints


def aims_of_roll(request: RuleRequest, side: Side, result: Result) -> list[str]:
    """The aims that decided choices of this roll; none for given dice."""
    if side.record:
        return []
    aims = choose_aims(side.rule, side.aim or request.aim)
    kinds = result.rule.kinds
    throws = [die_throw for die in result.roll.dice if kinds[die.kind].follows_aim for die_throw in die.rolled]
    has_optional_dice = any(die_throw.has_choice for die_throw in throws)
    has_optional_reroll = any(
        reroll.follows_aim and result.setting.evaluate(reroll.times) > 0 for reroll in lower_rule(side.rule).again
    )
    return [aims.taking.text] * has_optional_dice + [aims.goal.text] * has_optional_reroll


@dataclass(frozen=True)
class ContestRound:
    """One round of a contest: the results of both sides."""

    results: tuple[Result, ...]
    values: tuple[int, ...]

    @property
    def winner(self) -> str:
        """The side with the higher value; empty for a tie."""
        first, second = self.values
        return "" if first == second else CONTEST_SIDES[first < second]


@dataclass
class PlayedContest:
    """All rounds of a contest, and complaints that do not void them."""

    request: RuleRequest
    rounds: list[ContestRound] = field(default_factory=list)
    complaints: list[tuple[Side, RollProblem]] = field(default_factory=list)

    @property
    def winner(self) -> str:
        """The winner: "first", "second" or "none"; empty if a tie must still be rolled again."""
        assert self.request.rule.contest
        ties = self.request.rule.contest.ties
        return self.rounds[-1].winner or ("" if ties == "again" else ties)

    @property
    def used_aims(self) -> list[str]:
        pairs = [pair for played in self.rounds for pair in zip(self.request.sides, played.results, strict=True)]
        return list(dict.fromkeys(name for side, result in pairs for name in aims_of_roll(self.request, side, result)))

    @property
    def is_rolled_again(self) -> bool:
        """Whether a tie is rolled again; given dice are not."""
        assert self.request.rule.contest
        has_record = any(side.record for side in self.request.sides)
        return self.request.rule.contest.ties == "again" and not self.rounds[-1].winner and not has_record

    def roll_round(self, generator: RandomGenerator) -> None:
        assert self.request.rule.contest
        step, results, values = self.request.rule.contest.compare, [], []
        for side in self.request.sides:
            result, complaints = roll_side(self.request, side, generator)
            value = result.steps[step]
            if not isinstance(value, int):
                raise RollRefusedError([_unknown_value(side, step)], side)
            self.complaints += [(side, complaint) for complaint in complaints]
            results.append(result)
            values.append(value)
        self.rounds.append(ContestRound(tuple(results), tuple(values)))


def _unknown_value(side: Side, step: str) -> RollProblem:
    absent = [entry for entry in side.rule.inputs if entry.default is None and entry.name not in side.inputs]
    names = ", ".join(name for entry in absent for name in entry.variable_names)
    return RollProblem("rule", f"{names}{MISSING}" if names else f"{step} is not known")


def play_contest(request: RuleRequest, seed: int) -> PlayedContest:
    """Roll both sides until one wins, or once if ties are not rolled again."""
    contest, generator = PlayedContest(request), RandomGenerator(seed)
    contest.roll_round(generator)
    while contest.is_rolled_again:
        if len(contest.rounds) == _MAX_TIES:
            raise EndlessTieError
        contest.roll_round(generator)
    return contest


def _result_data(result: Result) -> dict[str, Any]:
    """A result, and each round before it."""
    data = _round_data(result)
    return {**data, "before": list(map(_round_data, result.before))} if result.before else data


def _round_data(result: Result) -> dict[str, Any]:
    outcome = result.outcome.name if result.outcome else None
    return {
        "dice": [_die_data(die) for die in result.faces if die],
        "record": {
            "dice": result.dice,
            "rerolled": result.rerolled,
            **({"turned": result.turned} if result.turned else {}),
            "declined": result.roll.declined,
        },
        "result": {"outcome": outcome, "degree": result.degree, "values": dict(result.steps)},
        **({"round": result.setting.round} if result.rule.has_rounds else {}),
    }


def _die_data(die: Sequence[RenderedFace]) -> dict[str, Any]:
    faces = [{"face": face.text, "roles": list(face.roles)} for face in die]
    return {"kind": die[0].kind, "round": die[0].round, "faces": faces}


def _head_data(request: RuleRequest, aims: Iterable[str], seed: int | None) -> dict[str, Any]:
    return {
        "version": 1,
        "game": request.game,
        "rule": request.rule.name,
        "inputs": plain_inputs(request),
        "aim": ", ".join(aims) or None,
        "seed": seed,
    }


def roll_data(
    request: RuleRequest, result: Result, complaints: Iterable[RollProblem], seed: int | None
) -> dict[str, Any]:
    """A roll as data for JSON."""
    side = request.sides[0]
    return {
        **_head_data(request, aims_of_roll(request, side, result), seed),
        **_result_data(result),
        **({"winner": _find_winner(request.rule, result)} if request.rule.sides else {}),
        "says": describe_outcome(result),
        "complaints": [_write_complaint(complaint, side) for complaint in complaints],
    }


def _find_winner(rule: Rule, result: Result) -> str | None:
    """The side that wins, of a rule that rolls two; None if that is not known."""
    outcome = result.outcome.name.lower() if result.outcome else None
    return "none" if outcome and outcome not in rule.sides else outcome


def contest_data(contest: PlayedContest, seed: int | None) -> dict[str, Any]:
    """A contest as data for JSON."""
    return {
        **_head_data(contest.request, contest.used_aims, seed),
        "throws": [
            {name: _result_data(result) for name, result in zip(CONTEST_SIDES, played.results, strict=True)}
            for played in contest.rounds
        ],
        "winner": contest.winner or None,
        "complaints": [_write_complaint(complaint, side) for side, complaint in contest.complaints],
    }


def _write_complaint(complaint: RollProblem, side: Side) -> str:
    return (f"{side.name}: {complaint.message}" if side.name else complaint.message).rstrip("; ")


@dataclass(frozen=True)
class Face:
    """A face of a rolled die; `roles` says what it counts as, such as `good`, `bad` or `dropped`."""

    text: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Die:
    """A die: its kind, the round in which it was rolled, and its faces (several if it was rerolled or exploded)."""

    kind: str
    round: int
    faces: tuple[Face, ...]

    def __str__(self) -> str:
        return " ".join(face.text for face in self.faces)


@dataclass(frozen=True, repr=False)
class Roll:
    """One roll of a rule.

    `steps` has the value of each step by name, `record` the dice as an example block states them, `says` what the
    outcome means, `seed` repeats the roll (None if the dice were given), and `notes` what to mind about the inputs.
    """

    rule: str
    inputs: Mapping[str, Any]
    outcome: str | None
    degree: int | None
    steps: Mapping[str, int | str | None]
    dice: tuple[Die, ...]
    record: str
    says: str
    seed: int | None
    notes: tuple[str, ...]
    _lines: tuple[str, ...] = field(init=False)
    _data: Mapping[str, Any] = field(init=False)

    def explain(self) -> str:
        """The dice, each step with its numbers, and the outcome, as lines of text."""
        return "\n".join(self._lines)

    def to_dict(self) -> dict[str, Any]:
        """The data that `rulewright roll --json` prints."""
        return dict(self._data)

    def __str__(self) -> str:
        """The outcome with its meaning."""
        return self._lines[-1] if self._lines else ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.rule}: {self}>"


@dataclass(frozen=True, repr=False)
class ContestRoll(Roll):
    """A contest: `outcome` is its winner, `rounds` has the rolls of both sides until the tie was broken."""

    rounds: tuple[Mapping[str, Roll], ...] = ()

    @property
    def winner(self) -> str | None:
        """`first`, `second`, `none`, or None if given dice tie and the rule rolls ties again."""
        return self.outcome


_AnyRoll = TypeVar("_AnyRoll", bound=Roll)


def roll(request: RuleRequest, seed: int) -> Roll:
    """Roll a request. The same seed gives the same dice, here, on the command line and in the browser."""
    for side in request.sides:
        if not side.record and (missing := _missing_inputs(side)):
            raise refuse(request, [RollProblem("rule", f"{', '.join(missing)}{MISSING}")])
    try:
        return _roll_contest(request, seed) if request.rule.contest else _roll_rule(request, seed)
    except RollRefusedError as error:
        raise refuse(request, error.complaints, error.side) from None
    except EndlessTieError as error:
        raise RulewrightError(str(error)) from None


def _missing_inputs(side: Side) -> list[str]:
    """The inputs without a value and without a default; choices are made by the aim."""
    values, _ = bind_inputs(side.rule, side.inputs)
    return [key_of(side, entry.name) for entry in side.rule.inputs if entry.name not in values and not entry.is_choice]


def _roll_rule(request: RuleRequest, seed: int) -> Roll:
    side = request.sides[0]
    result, complaints = roll_side(request, side, RandomGenerator(seed))
    shown_seed = None if side.record else seed
    notes = tuple(complaint.message for complaint in complaints)
    data = roll_data(request, result, complaints, shown_seed)
    return _make_roll(side, result, plain_inputs(request), shown_seed, notes, data)


def _make_roll(
    side: Side,
    result: Result,
    inputs: Mapping[str, Any],
    seed: int | None,
    notes: tuple[str, ...],
    data: Mapping[str, Any],
) -> Roll:
    made = Roll(
        side.rule.name,
        inputs,
        result.outcome.name if result.outcome else None,
        result.degree,
        dict(result.steps),
        _make_dice(result),
        result.dice,
        describe_outcome(result),
        seed,
        notes,
    )
    return _with_report(made, _explain(side.rule, result), data)


def _with_report(made: _AnyRoll, lines: Iterable[str], data: Mapping[str, Any]) -> _AnyRoll:
    """A roll with what `explain` and `to_dict` return; these fields are private, so `Roll(…)` does not take them."""
    object.__setattr__(made, "_lines", tuple(lines))
    object.__setattr__(made, "_data", data)
    return made


def _make_dice(result: Result) -> tuple[Die, ...]:
    return tuple(
        Die(die[0].kind, die[0].round, tuple(Face(face.text, tuple(face.roles)) for face in die))
        for die in result.faces
        if die
    )


def _explain(rule: Rule, result: Result) -> Iterator[str]:
    """The dice, the derivation of each step, and the outcome with its meaning."""
    if dice := dice_line(result):
        yield dice
    if result.rerolled:
        yield f"rerolled: {result.rerolled}"
    if result.turned:
        yield f"turned: {result.turned}"
    yield from (f"{name}: {text}" for name, text in explain_in_text(rule, result))
    if outcome := format_outcome(result):
        says = describe_outcome(result)
        yield f"{outcome}: {says}" if says else outcome


def _roll_contest(request: RuleRequest, seed: int) -> ContestRoll:
    contest = play_contest(request, seed)
    assert request.rule.contest
    step, values = request.rule.contest.compare, contest.rounds[-1].values
    shown_seed = None if all(side.record for side in request.sides) else seed
    data = contest_data(contest, shown_seed)
    rounds = tuple(
        {
            side.name: _make_roll(side, result, plain_inputs(_alone(request, side)), shown_seed, (), side_data)
            for side, result, side_data in zip(request.sides, played.results, throws.values(), strict=True)
        }
        for played, throws in zip(contest.rounds, data["throws"], strict=True)
    )
    last = rounds[-1]
    lines = [
        f"{name}: {line}" for played in rounds for name, own in played.items() for line in own.explain().split("\n")
    ]
    verdict = {"": "a tie", "none": "nobody wins"}.get(contest.winner, f"{contest.winner} wins")
    made = ContestRoll(
        request.rule.name,
        plain_inputs(request),
        contest.winner or None,
        None,
        {f"{name}.{step}": value for name, value in zip(CONTEST_SIDES, values, strict=True)},
        tuple(die for own in last.values() for die in own.dice),
        "; ".join(f"{name}: {own.record}" for name, own in last.items()),
        "",
        shown_seed,
        tuple(_write_complaint(complaint, side) for side, complaint in contest.complaints),
        rounds,
    )
    return _with_report(made, [*lines, f"{verdict}, {values[0]} to {values[1]}"], data)


def _alone(request: RuleRequest, side: Side) -> RuleRequest:
    """The part of a request that is about one side, as if it rolled alone."""
    return RuleRequest(request.game, request.title, side.rule, [Side("", side.rule, side.inputs, side.record)])
