"""Examples: recorded dice, told results, what-ifs and stories, judged by the rules."""

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
    """All at once, for an example of which nothing can be worked out."""
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
    """Sides and a winner where there is no contest; dice and results of nobody where there is one."""
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
    """A policy that there is none of, or that decides nothing here."""
    from .settings import wrong_policy  # knows the odds engine, for which examples do not wait

    if message := wrong_policy(scene.rule, entry.value):
        yield trouble(scene.block, "block-value", message, entry.value_span)


FALSE = {
    "example-outcome", "example-degree", "example-step", "example-winner", "example-unknown", "example-given",
    "example-input",
}  # fmt: skip


def check_example(block: Block, around: Around) -> Checked:
    """All steps of an example, each as far as it can be read."""
    return told(block, around).closed()


def told(block: Block, around: Around) -> Story:
    """The story of a block, up to the part of which nothing can be made."""
    story = Story(block, around)
    for part in block.parts:
        if not story.tell(part):
            break
    return story


@dataclass
class Story:
    """What has come of the parts of a block so far."""

    block: Block
    around: Around
    problems: list[Problem] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    scenes: list[tuple[Scene | None, Move | None]] = field(default_factory=list)  # of each part, and what came of it
    base: Scene | None = None  # the step on which a what-if stands
    move: Move | None = None  # and what came of it
    is_clear: bool = True  # could all of that step be read?

    def tell(self, part: Part) -> bool:
        """One more part; False where nothing can be made of what follows."""
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
        """A step that rests on one that could not be read or worked out has to wait until that one is mended."""
        waits = scene.part.name == "instead" and (not self.is_clear or (self.move is None and not own_roll(scene)))
        return not scene.hollow and not waits

    def closed(self) -> Checked:
        """The block with its status; one that is meant to be wrong has passed when it fails."""
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
    """What comes of a scene: its move, and what is wrong with it."""
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
    """Each problem once: a what-if repeats what its step says."""
    return list({(one.code, one.message, one.span.start, one.span.end): one for one in problems}.values())


def unexpected(block: Block, wrong: Entry, problems: list[Problem]) -> list[Problem]:
    """What remains to be said of a block that is said to be wrong: a key that nobody knows proves nothing."""
    if problems:
        return [problem for problem in problems if problem.code == "block-key"]
    message = "this example is said to be wrong, but the rules agree with it"
    return [trouble(block, "wrong-passes", message, wrong.key_span)]


def badly_headed(block: Block) -> Iterator[Problem]:
    wrong = block.get("wrong")
    if wrong and not wrong.value:
        yield trouble(block, "block-value", "say why this is wrong: wrong: reason", wrong.key_span)
    yield from wrong_show(block)
