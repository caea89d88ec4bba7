"""The example block: evaluates recorded dice or stated results part by part and compares them with the expectations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..book.page import Block, Entry, Part
from ..game.core import AIM
from ..game.inputs import bind_inputs
from ..play.record import RECORD_KEYS
from ..source import Problem
from .expectations import compare_expectations, invalid_expectations
from .model import (
    BlockContext,
    CheckedBlock,
    Move,
    check_proves,
    check_show,
    check_skip_reason,
    is_skipped,
    make_problem,
    value_notes,
)
from .roll import evaluate_redealt, evaluate_roll, has_own_roll, read_declined
from .rolled_sides import name_winners
from .scene import Scene, derived_input_names, has_errors, input_spans, read_scene


def _find_unreadable(scene: Scene) -> Iterator[Problem]:
    """Every problem of a step that cannot be evaluated, reported at once."""
    from .contest import check_sides
    from .stated_results import read_given

    spans = input_spans(scene)
    yield from _misplaced_entries(scene)
    for name, message in bind_inputs(scene.rule, scene.texts)[1]:
        yield make_problem(scene.block, "block-value", message, spans[name], value_notes(spans[name].text))
    yield from read_given(scene)[1]
    yield from () if scene.rule.contest else invalid_expectations(scene)
    problem = read_declined(scene)[1]
    if problem:
        yield problem
    if scene.rule.contest and scene.sides:
        yield from check_sides(scene)


def _misplaced_entries(scene: Scene) -> Iterator[Problem]:
    """Entries that do not fit the rule: sides and a winner without a contest, dice outside the sides of a contest."""
    contest = bool(scene.rule.contest)
    wrong = (*RECORD_KEYS, "given", "outcome", "degree") if contest else ("side", "winner")
    what = "is a contest: its dice and results belong to its sides" if contest else "is no contest"
    for entry in scene.part.entries:
        if entry.key == AIM and entry.key in scene.roll:
            yield from _invalid_aim(scene, entry)
        if entry.key in wrong and not scene.rule.sides:
            message = f"the rule {scene.rule.name} {what}"
            notes = ("write side NAME: with its inputs and dice, and winner:",) if contest else ()
            yield make_problem(scene.block, "example-side", message, entry.key_span, notes)


def _invalid_aim(scene: Scene, entry: Entry) -> Iterator[Problem]:
    """An aim that does not exist or has no effect in this rule."""
    from ..odds.aims import invalid_aim_message  # imports the odds engine, which most examples do not need

    if message := invalid_aim_message(scene.rule, entry.value):
        yield make_problem(scene.block, "block-value", message, entry.value_span)


_FALSE_EXAMPLE_CODES = {
    "example-outcome", "example-degree", "example-step", "example-winner", "example-unknown", "example-given",
    "example-input",
}  # fmt: skip


def check_example(block: Block, context: BlockContext) -> CheckedBlock:
    """Checks every part of an example."""
    return run_parts(block, context).finish()


def run_parts(block: Block, context: BlockContext) -> ExampleRun:
    """Runs the parts of a block in order; stops after a part that has no rule."""
    example_run = ExampleRun(block, context)
    for part in block.parts:
        if not example_run.run_part(part):
            break
    return example_run


@dataclass
class ExampleRun:
    """State of the check of an example, part by part."""

    block: Block
    context: BlockContext
    problems: list[Problem] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    scenes: list[tuple[Scene | None, Move | None]] = field(default_factory=list)  # one per part
    base: Scene | None = None  # the step that a following `instead:` changes
    move: Move | None = None  # the move of that step
    is_readable: bool = True  # whether that step was read without errors

    def run_part(self, part: Part) -> bool:
        """Evaluates one part; False if the following parts cannot be read."""
        scene, problems = read_scene(self.block, part, self.context, self.base, self.move)
        move, is_readable = None, not has_errors(problems) and not self.block.problems
        if scene and is_readable and not is_skipped(self.block) and self.can_evaluate(scene):
            move, problems = _evaluate_scene(scene, self.move)
        if scene and move is None:
            problems = [*problems, *_find_unreadable(scene)]
        self.problems += problems
        self.scenes.append((scene, move))
        if scene and move:
            winners = name_winners(scene.rule, scene.sides) if scene.sides and scene.rule.sides else {}
            self.moves.append(move._replace(part=part, winners=winners))
        if not part.is_what_if:
            self.base, self.move, self.is_readable = scene, move, is_readable
        return self.base is not None

    def can_evaluate(self, scene: Scene) -> bool:
        """Whether a step can be evaluated; not if it depends on a step that was not read or evaluated."""
        is_blocked = scene.part.is_what_if and (not self.is_readable or (self.move is None and not has_own_roll(scene)))
        return not scene.lacks_value and not is_blocked

    def finish(self) -> CheckedBlock:
        """The checked block; a block marked `wrong:` passes if it has problems."""
        wrong = self.block.get("wrong")
        problems = _deduplicate(self.problems)
        if wrong and not is_skipped(self.block):
            problems = _check_marked_wrong(self.block, wrong, problems)
        problems += [*check_skip_reason(self.block), *_check_head(self.block)]
        status = "skipped" if is_skipped(self.block) else "passed"
        if problems:
            status = (
                "failed"
                if all(problem.code in {*_FALSE_EXAMPLE_CODES, "wrong-passes"} for problem in problems)
                else "error"
            )
        first = self.scenes[0][0] if self.scenes else None
        return CheckedBlock(self.block, status, tuple(problems), first.rule if first else None, tuple(self.moves))


def _evaluate_scene(scene: Scene, previous: Move | None) -> tuple[Move | None, list[Problem]]:
    """Evaluates a scene: its move, and the problems found."""
    if scene.rule.contest:
        from .contest import check_contest

        problems = list(_misplaced_entries(scene))
        return (None, problems) if problems else check_contest(scene)
    problems = list(_misplaced_entries(scene)) or list(_missing_expectation(scene))
    if problems:
        return None, problems
    if scene.part.is_what_if and previous and previous.result and not has_own_roll(scene):
        move, problems = evaluate_redealt(scene, previous.result)
    else:
        move, problems = evaluate_roll(scene)
    if move is None or any(problem.code == "example-given" for problem in problems):
        return move, problems
    return move, [*problems, *compare_expectations(scene, move)]


def _missing_expectation(scene: Scene) -> Iterator[Problem]:
    if (
        scene.expected
        or "given" in scene.roll
        or ("traits" in scene.roll and scene.own & set(derived_input_names(scene.rule)))
    ):
        return
    dice = scene.part.get("dice")
    span = dice.value_span if dice else scene.part.span if scene.part.name else scene.block.word
    message = "nothing is said of what comes of this"
    if dice:
        message = "these dice are rolled, but the text does not say what comes of it"
    note = "write outcome:, degree: or a step of the rule"
    yield make_problem(scene.block, "example-empty", message, span, (note,))


def _deduplicate(problems: Iterable[Problem]) -> list[Problem]:
    """Removes duplicates: a what-if repeats the entries of its step."""
    return list(
        {
            (problem.code, problem.message, problem.span.start, problem.span.end): problem for problem in problems
        }.values()
    )


def _check_marked_wrong(block: Block, wrong: Entry, problems: list[Problem]) -> list[Problem]:
    """The problems of a block marked `wrong:`: an unknown key, or that the block has no problem."""
    if problems:
        return [problem for problem in problems if problem.code == "block-key"]
    message = "this example is said to be wrong, but the rules agree with it"
    return [make_problem(block, "wrong-passes", message, wrong.key_span)]


def _check_head(block: Block) -> Iterator[Problem]:
    wrong = block.get("wrong")
    if wrong and not wrong.value:
        yield make_problem(block, "block-value", "say why this is wrong: wrong: reason", wrong.key_span)
    yield from check_show(block)
    yield from check_proves(block)
