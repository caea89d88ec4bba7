"""Replays an example step by step with the rules of the other edition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..book.page import Entry
from ..checks.contest import read_side
from ..checks.model import Bout, Move
from ..checks.model import Side as Party
from ..checks.roll import RedealtRecord, apply_spends, has_own_roll, make_move
from ..checks.scene import TRAIT_KEYS, Scene, StatedValue, derived_input_names, move_values, with_spends, with_traits
from ..checks.stated_results import read_given, recorded_tallies
from ..game.codegen import EvaluationError
from ..game.inputs import bind_inputs, parse_value
from ..game.intervals import exact_value
from ..game.lower import lower_rule
from ..game.model import Contest, Rule
from ..play.bound_rule import BoundRule, RollError, evaluate_partially
from ..play.record import RECORDS, RecordError, parse_again
from ..play.result import Result, play_roll
from .rule_pairs import RulePair
from .step_mapping import infer_tallies, map_same_steps


class Reason(NamedTuple):
    """Why a block is undecided: a name in the catalogue, and what it is about."""

    name: str
    about: str = ""


class _PreviousStep(NamedTuple):
    """The previous step (or the one that a what-if changes) by the other rules."""

    pair: RulePair | None
    scene: Scene | None
    move: Move | None


def _find_input(pair: RulePair, name: str) -> str | None:
    """What the other edition calls an input; dice that a player picks are steps."""
    return pair.new_names.get(("input", name)) or pair.new_names.get(("step", name))


def _translate_scene(scene: Scene, pair: RulePair, before: _PreviousStep | None) -> Scene | Reason:
    decided = set(derived_input_names(pair.new)) if scene.roll.keys() & trait_keys(scene) else set[str]()
    inputs: dict[str, StatedValue] = {}
    for name, stated in scene.stated.items():
        new_name = _find_input(pair, name)
        if new_name is None:
            if not _is_default(scene.rule, name, stated.text):
                return Reason("input", name)
        elif new_name not in decided:
            value = (
                stated if not _is_carried(stated) else _carried_value(stated, name in scene.own, new_name, pair, before)
            )
            if value is None:
                return Reason("carried", name)
            inputs[new_name] = value
    roll = {
        key: _rename_traits(stated, pair.traits) if key in TRAIT_KEYS else stated for key, stated in scene.roll.items()
    }
    own = frozenset(new_name for name in scene.own if (new_name := _find_input(pair, name)) in inputs and new_name)
    return _add_traits_and_spends(
        replace(scene, rule=pair.new, inputs=inputs, stated=inputs, own=own, expected=(), roll=roll)
    )


def _rename_traits(stated: StatedValue, names: Mapping[str, str]) -> StatedValue:
    """A line about traits with their new names."""
    if not names:
        return stated
    every = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    now = {name.lower(): other for name, other in names.items()}
    return stated._replace(
        text=re.sub(rf"\b(?:{every})\b", lambda match: now[match[0].lower()], stated.text, flags=re.IGNORECASE)
    )


def _add_traits_and_spends(twin: Scene) -> Scene | Reason:
    """Adds the inputs that follow from traits and spent points."""
    for keys, fill in ((set(TRAIT_KEYS), lambda scene: with_traits(scene, {})), ({"spends"}, with_spends)):
        if twin.roll.keys() & keys:
            twin, problems = fill(twin)
            if problems:
                return Reason("said", problems[0].message)
    return twin


def trait_keys(scene: Scene) -> set[str]:
    """The keys about traits that this step has itself, or in the phrase of its side."""
    own = scene.part.by_key
    return {key for key in TRAIT_KEYS if key in own or "side" in own}


def _is_default(rule: Rule, name: str, text: str) -> bool:
    """Whether the value is the default: then nothing is lost if the input no longer exists."""
    entry = next(entry for entry in rule.inputs if entry.name == name)
    return entry.default is not None and parse_value(entry, text) == (entry.default, "")


def _is_carried(stated: StatedValue) -> bool:
    return isinstance(stated.origin, Entry) and stated.origin.value.startswith("=")


def _carried_value(
    stated: StatedValue, own: bool, new_name: str, pair: RulePair, before: _PreviousStep | None
) -> StatedValue | None:
    """A value of the previous step by the other rules; None if it is unknown."""
    if before is None or before.scene is None or before.pair is None:
        return None
    if not own:  # a what-if repeats the carried value of its step
        return before.scene.stated.get(new_name)
    assert isinstance(stated.origin, Entry)
    name = stated.origin.value[1:].strip()
    values: Mapping[str, str] = dict(move_values(before.move)) if before.move else {}
    new_names = before.pair.new_names
    text = values.get(new_names.get(("step", name)) or new_names.get(("input", name)) or name)
    flag = any(entry.name == new_name and entry.form == "flag" for entry in pair.new.inputs)
    return stated._replace(text={"1": "yes", "0": "no"}.get(text, text) if flag else text) if text is not None else None


def _stated_inputs(scene: Scene) -> dict[str, StatedValue]:
    """The inputs that the phrase of a side states itself."""
    return {name: stated for name, stated in scene.inputs.items() if not scene.own or name in scene.own}


_ReplayResult = Move | Reason


@dataclass
class Replay:
    """The state of a replay; `pairs` is keyed by the rules of the block's own edition."""

    pairs: Mapping[int, RulePair]
    before: Move | None = None  # the last step that is not a what-if, by its own rules
    before_there: _PreviousStep | None = None  # the same step by the other rules

    def judge(self, scene: Scene, move: Move) -> tuple[Scene | None, _ReplayResult]:
        """Replays one more step: its scene in the other edition, and its result there."""
        pair = self.pairs.get(id(scene.rule))
        twin = _translate_scene(scene, pair, self.before_there) if pair else Reason("rule", scene.rule.name)
        other = twin if isinstance(twin, Scene) else None
        if isinstance(twin, Reason) or pair is None:
            result: _ReplayResult = twin if isinstance(twin, Reason) else Reason("rule", scene.rule.name)
        else:
            result = _replay_step(scene, twin, pair, self.original(scene, move))
        if not scene.part.is_what_if:
            self.before, self.before_there = (
                move,
                _PreviousStep(pair, other, result if isinstance(result, Move) else None),
            )
        return other, result

    def original(self, scene: Scene, move: Move) -> Move:
        """A what-if uses the dice of its step again: other rules may need dice that were dropped."""
        again = scene.part.is_what_if and not has_own_roll(scene) and self.before and not move.sides
        return move._replace(result=self.before.result) if again and self.before and self.before.result else move


def _replay_step(scene: Scene, twin: Scene, pair: RulePair, move: Move) -> _ReplayResult:
    """The result of a step by the other rules, or why it is undecided."""
    if move.sides:
        return _replay_contest(scene, pair, move)
    if move.result:
        result = _replay_dice(twin, move.result)
        return result if isinstance(result, Reason) or _settled_test(scene, move, pair)(result) else Reason("open")
    return _replay_given(scene, twin, pair, _settled_test(scene, move, pair))


def _settled_test(scene: Scene, move: Move, pair: RulePair) -> Callable[[Move], bool]:
    """A test whether the other result has an outcome too, or else the steps that both have."""
    names = [pair.new_names.get(("step", name)) for name, value in move.steps.items() if value is not None]
    shared = [name for name in names if name]
    if move.outcome is not None:
        return lambda result: result.outcome is not None
    return lambda result: all(result.steps.get(name) is not None for name in shared) and bool(shared or scene.roll)


def _replay_dice(twin: Scene, result: Result) -> _ReplayResult:
    """The result of the same faces, as in a what-if."""
    used_inputs = {
        name: text for name, text in twin.texts.items() if name in twin.own or name not in result.unasked_questions
    }
    values, complaints = bind_inputs(twin.rule, used_inputs)
    if complaints:
        return Reason("said", complaints[0][1].strip())
    again = {key: twin.roll[key].text for key in RECORDS[1:] if key in twin.roll and twin.rule.rerolls}
    try:
        rerolls = parse_again(lower_rule(twin.rule), **again)
        result_there, problems = apply_spends(
            twin, play_roll(BoundRule(twin.rule, values), RedealtRecord(result, twin.rule, rerolls))
        )
    except (RecordError, RollError, EvaluationError) as error:
        return Reason("said", _message_without_fix(error))
    return Reason("said", problems[0].message) if problems else make_move(twin, result_there)


def _message_without_fix(error: Exception) -> str:
    """The message without its repair: the example is correct in its own edition."""
    return str(error).partition("; write ")[0]


def _replay_given(scene: Scene, twin: Scene, pair: RulePair, is_settled: Callable[[Move], bool]) -> _ReplayResult:
    """The result of given steps that have the same definition in both editions, and of the dice that are shown."""
    given, _ = read_given(scene)
    before, _ = bind_inputs(scene.rule, scene.texts)
    after, complaints = bind_inputs(twin.rule, twin.texts)
    if complaints:
        return Reason("said", complaints[0][1].strip())
    try:
        old, new = BoundRule(scene.rule, before), BoundRule(twin.rule, after)
        same = map_same_steps(pair, old, new)
        kept = {same[name]: value for name, value in given.items() if name in same}
        tallies = recorded_tallies(new, twin.roll["dice"].text, kept) if "dice" in twin.roll else {}
        tallies = {**infer_tallies(pair, given, old, new), **tallies}
        evaluated = evaluate_partially(new, {name: exact_value(value) for name, value in tallies.items()}, kept)
    except (RecordError, RollError, EvaluationError) as error:
        return Reason("said", _message_without_fix(error))
    outcome = evaluated.outcome.name if evaluated.outcome else None
    move = Move(twin.rule, twin.texts, None, evaluated.steps, outcome, evaluated.degree)
    if is_settled(move):
        return move
    lost = [name for name in given if name not in same]
    return Reason("told", ", ".join(lost)) if lost else Reason("open")


def _replay_contest(scene: Scene, pair: RulePair, move: Move) -> _ReplayResult:
    """Replays each bout of both sides, then decides the winner."""
    contest = pair.new.contest
    if contest is None or len(pair.sides) != len(move.sides):
        return Reason("contest", pair.new.name)
    parties: list[Party] = []
    for entry, party, side in zip(scene.sides, move.sides, pair.sides, strict=True):
        bouts: list[Bout] = []
        for bout in _replay_bouts(scene, entry, party, side, contest.compare):
            if isinstance(bout, Reason):
                return bout
            bouts.append(bout)
        parties.append(Party(party.name, tuple(bouts), party.span))
    winner = _find_winner(contest, parties)
    if winner is None:
        return Reason("tie")
    return Move(pair.new, {}, None, {}, winner, None, sides=tuple(parties))


def _replay_bouts(scene: Scene, entry: Entry, party: Party, pair: RulePair, compare: str) -> Iterator[Bout | Reason]:
    def is_settled(move: Move) -> bool:
        return isinstance(move.steps.get(compare), int)

    for scene_of_bout, bout in zip(read_side(scene, entry, pair.old)[0].scenes, party.bouts, strict=False):
        own = replace(scene_of_bout, stated=_stated_inputs(scene_of_bout))
        twin = _translate_scene(own, pair, None)
        if isinstance(twin, Reason):
            yield twin
        else:
            result = bout.move.result
            replayed = _replay_dice(twin, result) if result else _replay_given(own, twin, pair, is_settled)
            value = replayed.steps.get(compare) if isinstance(replayed, Move) else None
            yield (
                replayed
                if isinstance(replayed, Reason)
                else Bout(value, replayed)
                if isinstance(value, int)
                else Reason("open")
            )


def _find_winner(contest: Contest, parties: Sequence[Party]) -> str | None:
    """None for a tie after which both sides would roll again."""
    first, second = parties
    for bout, opposing in zip(first.bouts, second.bouts, strict=False):
        if bout.value != opposing.value:
            return first.name if bout.value > opposing.value else second.name
        if contest.ties != "again":
            return {"first": first.name, "second": second.name}.get(contest.ties, "none")
    return None
