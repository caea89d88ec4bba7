"""The example block: evaluates recorded dice or stated results part by part and compares them with the expectations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..book.page import Block, Entry, Part
from ..game.inputs import bind
from ..source import Problem
from .expectations import compare, unreadable
from .model import Around, Checked, Move, is_skipped, trouble, without_reason, wrong_show
from .roll import deal_again, declined_of, own_roll, work_out
from .scene import Scene, any_of, read_scene, settled, spans_of


def misread(scene: Scene) -> Iterator[Problem]:
    """Every problem of a step that cannot be evaluated, reported at once."""
    from .contest import misread_sides
    from .stated_results import read_given

    spans = spans_of(scene)
    yield from out_of_place(scene)
    for name, message in bind(scene.rule, scene.texts)[1]:
        yield trouble(scene.block, "block-value", message, spans[name])
    yield from read_given(scene)[1]
    yield from () if scene.rule.contest else unreadable(scene)
    problem = declined_of(scene)[1]
    if problem:
        yield problem
    if scene.rule.contest and scene.sides:
        yield from misread_sides(scene)


def out_of_place(scene: Scene) -> Iterator[Problem]:
    """Entries that do not fit the rule: sides and a winner without a contest, dice outside the sides of a contest."""
    contest = bool(scene.rule.contest)
    wrong = ("dice", "given", "rerolled", "declined", "outcome", "degree") if contest else ("side", "winner")
    what = "is a contest: its dice and results belong to its sides" if contest else "is no contest"
    for entry in scene.part.entries:
        if entry.key == "policy":
            yield from undecided(scene, entry)
        if entry.key in wrong:
            message = f"the rule {scene.rule.name} {what}"
            notes = ("write side NAME: with its inputs and dice, and winner:",) if contest else ()
            yield trouble(scene.block, "example-side", message, entry.key_span, notes)


def undecided(scene: Scene, entry: Entry) -> Iterator[Problem]:
    """A policy that does not exist or has no effect in this rule."""
    from .settings import wrong_policy  # imports the odds engine, which most examples do not need

    if message := wrong_policy(scene.rule, entry.value):
        yield trouble(scene.block, "block-value", message, entry.value_span)


FALSE = {
    "example-outcome", "example-degree", "example-step", "example-winner", "example-unknown", "example-given",
    "example-input",
}  # fmt: skip


def check_example(block: Block, around: Around) -> Checked:
    """Checks every part of an example."""
    return told(block, around).closed()


def told(block: Block, around: Around) -> Story:
    """Runs the parts of a block in order; stops after a part that has no rule."""
    story = Story(block, around)
    for part in block.parts:
        if not story.tell(part):
            break
    return story


@dataclass
class Story:
    """State of the check of an example, part by part."""

    block: Block
    around: Around
    problems: list[Problem] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    scenes: list[tuple[Scene | None, Move | None]] = field(default_factory=list)  # one per part
    base: Scene | None = None  # the step that a following `instead:` changes
    move: Move | None = None  # the move of that step
    is_clear: bool = True  # whether that step was read without errors

    def tell(self, part: Part) -> bool:
        """Evaluates one part; False if the following parts cannot be read."""
        scene, problems = read_scene(self.block, part, self.around, self.base, self.move)
        move, is_clear = None, not any_of(problems) and not self.block.problems
        if scene and is_clear and not is_skipped(self.block) and self.can_run(scene):
            move, problems = run(scene, self.move)
        if scene and move is None:
            problems = [*problems, *misread(scene)]
        self.problems += problems
        self.scenes.append((scene, move))
        self.moves += [move._replace(part=part)] if move else []
        if part.name != "instead":
            self.base, self.move, self.is_clear = scene, move, is_clear
        return self.base is not None

    def can_run(self, scene: Scene) -> bool:
        """Whether a step can be evaluated; not if it depends on a step that was not read or evaluated."""
        waits = scene.part.name == "instead" and (not self.is_clear or (self.move is None and not own_roll(scene)))
        return not scene.hollow and not waits

    def closed(self) -> Checked:
        """The checked block; a block marked `wrong:` passes if it has problems."""
        wrong = self.block.get("wrong")
        problems = distinct(self.problems)
        if wrong and not is_skipped(self.block):
            problems = unexpected(self.block, wrong, problems)
        problems += [*without_reason(self.block), *badly_headed(self.block)]
        status = "skipped" if is_skipped(self.block) else "passed"
        if problems:
            status = "failed" if all(one.code in {*FALSE, "wrong-passes"} for one in problems) else "error"
        return Checked(self.block, status, tuple(problems), self.base.rule if self.base else None, tuple(self.moves))


def run(scene: Scene, before: Move | None) -> tuple[Move | None, list[Problem]]:
    """Evaluates a scene: its move, and the problems found."""
    if scene.rule.contest:
        from .contest import check_contest

        problems = list(out_of_place(scene))
        return (None, problems) if problems else check_contest(scene)
    problems = list(out_of_place(scene)) or list(says_nothing(scene))
    if problems:
        return None, problems
    if scene.part.name == "instead" and before and before.result and not own_roll(scene):
        move, problems = deal_again(scene, before.result)
    else:
        move, problems = work_out(scene)
    if move is None or any(problem.code == "example-given" for problem in problems):
        return move, problems
    return move, [*problems, *compare(scene, move)]


def says_nothing(scene: Scene) -> Iterator[Problem]:
    if scene.expected or "given" in scene.roll or ("traits" in scene.roll and scene.own & set(settled(scene.rule))):
        return
    dice = scene.part.get("dice")
    span = dice.value_span if dice else scene.part.span if scene.part.name else scene.block.word
    message = "nothing is said of what comes of this"
    if dice:
        message = "these dice are thrown, but nothing is said of what comes of it"
    note = "write outcome:, degree: or a step of the rule"
    yield trouble(scene.block, "example-empty", message, span, (note,))


def distinct(problems: Iterable[Problem]) -> list[Problem]:
    """Removes duplicates: a what-if repeats the entries of its step."""
    return list({(one.code, one.message, one.span.start, one.span.end): one for one in problems}.values())


def unexpected(block: Block, wrong: Entry, problems: list[Problem]) -> list[Problem]:
    """The problems of a block marked `wrong:`: an unknown key, or that the block has no problem."""
    if problems:
        return [problem for problem in problems if problem.code == "block-key"]
    message = "this example is said to be wrong, but the rules agree with it"
    return [trouble(block, "wrong-passes", message, wrong.key_span)]


def badly_headed(block: Block) -> Iterator[Problem]:
    wrong = block.get("wrong")
    if wrong and not wrong.value:
        yield trouble(block, "block-value", "say why this is wrong: wrong: reason", wrong.key_span)
    yield from wrong_show(block)
