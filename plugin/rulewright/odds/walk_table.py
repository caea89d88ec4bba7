"""The best answer to a question in the middle of a roll: a walk that begins with the dice that lie on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..game.core import PICKED, CoreInput, Expression, Stage
from ..game.dependencies import tally_kinds
from ..game.formula import Node
from ..game.intervals import interval_between
from ..play.bound_rule import BoundRule
from ..play.picked_dice import find_pickable, write_picked
from ..play.roll import Die
from .aims import Aims
from .budget import NotExactError
from .cache import OddsCache
from .fold import ONE, constant
from .plan import Question
from .rounds import RoundsSolver
from .rule_facts import goes_on
from .unroll import Member, Unroller, taken_name
from .walk import Walk
from .walk_again import DiceClass
from .walk_choices import RerollPlan
from .walk_frames import Frame
from .walk_pools import Face, complete_words, face_values, list_faces


def find_best_answer(setting: BoundRule, aims: Aims, dice: Sequence[Die], entry: CoreInput) -> Any:
    """What is best for an aim, with these dice on the table; what does not matter has its default."""
    table = lay_table(setting, aims, dice, Stage("choice", (entry.name,)), entry.goal)
    if not table:
        return entry.default
    best = table.walk.choose(table.frame, table.known, entry.name)[0]
    return table.write_picked(entry.name, best) if entry.form == PICKED else best


def lay_table(
    setting: BoundRule, aims: Aims, dice: Sequence[Die], stage: Stage, goal: Expression | None = None
) -> Table | None:
    """A walk that begins with these dice before a stage; None if nothing depends on what is chosen there. Without a
    goal of its own, the choice is made for the aim."""
    formula = goal or aims.goal.formula
    if not formula:
        return None
    question, worth, budget = Question((), (formula,)), None, OddsCache().budget
    if setting.rule.has_rounds and not goal:
        rounds = RoundsSolver(setting, aims)
        with rounds.budget.question():
            question, worth = rounds.ask_now()
    walk = Walk(setting, question, budget, {}, aims.takes, worth)
    return Table(walk, dice, walk.setup.program.index(stage)) if stage in walk.setup.program else None


class Table:
    """Dice on the table before a stage of a walk, and what is known by then."""

    def __init__(self, walk: Walk, dice: Sequence[Die], position: int) -> None:
        self.walk, self.dice, self.position = walk, dice, position
        self.known = dict(walk.known)
        self.numbers: list[str] = []  # of dice that may be rolled again
        self.places: dict[int, list[list[int]]] = {}  # of the dice of each member, by kind
        self.frame = self.lay()

    def find_best_dice(self, dice: Sequence[Die], number: int, left: int) -> dict[int, int | None]:
        """The places of the dice that are best picked next for an entry of the rule, with the faces that these are
        turned to, if a player chooses; none to stop. Of dice turned together the first show the lowest faces."""
        plan, counts = self.plan(dice, number, left)
        move = plan.best(left, counts)[0]
        if not move:
            return {}
        wanted = {own.name: times for own, times in zip(plan.classes, move.taken, strict=True)}
        faces = self.list_turned(plan.classes, move.turned or ())
        found: dict[int, int | None] = {}
        for place, die in enumerate(dice):
            if wanted.get(name := self.name_of(die), 0):
                wanted[name] -= 1
                found[place] = faces[die.kind, self.since(die.kind, die)].pop(0) if faces else None
        return found

    def list_turned(self, classes: Sequence[DiceClass], turned: Sequence[int]) -> dict[tuple[int, int], list[int]]:
        """The faces that dice of each group are turned to, the lowest first."""
        faces: dict[tuple[int, int], list[int]] = {}
        for own, number in sorted(zip(classes, turned, strict=bool(turned)), key=lambda pair: pair[0].value):
            face = int(own.name.rpartition("_")[2]) + (0 if self.walk.rule.kinds[own.group[0]].faces else 1)
            faces.setdefault(own.group, []).extend([face] * number)
        return faces

    def is_better_die(self, dice: Sequence[Die], place: int, new: Die, number: int, left: int) -> bool:
        """Whether a new die is at least as good in its place as the old one."""
        plan, before = self.plan(dice, number, left)
        old_name, new_name = self.name_of(dice[place]), self.name_of(new)
        moved = [(own.name == new_name) - (own.name == old_name) for own in plan.classes]
        after = tuple([count + move for count, move in zip(before, moved, strict=True)])
        return plan.better(left - 1, after, before)[0] == after

    def plan(self, dice: Sequence[Die], number: int, left: int) -> tuple[RerollPlan, tuple[int, ...]]:
        """The plan for an entry of the rule, and how many dice show each of its faces."""
        plan = self.walk.find_plan(self.frame, self.known, self.walk.rule.again[number], left)
        shown = Counter(map(self.name_of, dice))
        return plan, tuple([shown[own.name] for own in plan.classes])

    def name_of(self, die: Die) -> str:
        """What formulas call the number of dice such as this one, which may be rolled again."""
        face = die.throws[-1].face - (0 if self.walk.rule.kinds[die.kind].faces else 1)
        return f"TABLE_{die.kind}_{self.since(die.kind, die)}_{face}"

    def lay(self) -> Frame:
        walk, program = self.walk, self.walk.setup.program[: self.position]
        statements = dict(walk.frame.statements)
        chosen = [str(name) for stage in program if stage.what == "choice" for name in stage.of]
        for name in chosen:
            del statements[name]
            self.known[name] = walk.setting.known[name]
        tables: dict[int, tuple[Member, ...]] = dict.fromkeys(walk.setup.kinds_before(self.position), ())
        domains = {}
        for kind in tables:
            own = [die for die in self.dice if die.kind == kind]
            if own:
                faces = list_faces(walk.setting, kind, len(walk.setting.kinds[kind].faces), self.copies(kind))
                domains[kind] = face_values(faces)
                unroller = Unroller(walk.rule, walk.setup.constants, tables, domains, walk.setup.eager)
                tables[kind] = tuple(self.list_members(kind, own, faces, unroller))
        for name in chosen:
            self.read_picked(name)
        bounds = walk.frame.bounds
        for name in self.numbers:
            bounds = bounds.with_value(name, interval_between(0, len(self.dice)))
        changed: dict[str, Any] = {"statements": statements, "tables": tables, "domains": domains, "bounds": bounds}
        return replace(walk.frame, position=self.position, found={}, **changed)

    def copies(self, kind: int) -> list[int]:
        """How many cards of a deck show each face; nothing for dice."""
        bound_kind = self.walk.setting.kinds[kind]
        return [bound_kind.count_copies(place) for place in range(len(bound_kind.kind.deck))]

    def list_members(
        self, kind: int, dice: Sequence[Die], faces: Sequence[Face], unroller: Unroller
    ) -> Iterator[Member]:
        """The dice of a kind; of those that may be rolled again, how many show each face."""
        sides, own = sum(face.weight for face in faces), unroller.rule.kinds[kind].faces
        places = [place for place, number in enumerate(self.copies(kind) or [1] * len(own)) if number]
        words = [
            complete_words(unroller, unroller.rule.kinds[kind], {n: constant(v) for n, v in face.words}, sides)
            for face in faces
        ]
        if goes_on(unroller.rule, kind):
            yield from self.list_endless(kind, dice, unroller, sides)
            return
        numbers = [die.throws[-1].face for die in dice]
        shown = [
            (self.since(kind, die), places.index(number) if own else number - 1)
            for die, number in zip(dice, numbers, strict=True)
        ]
        lying, members = [place for place, die in enumerate(self.dice) if die.kind == kind], list[list[int]]()
        self.places[kind] = members
        if kind not in self.walk.held[self.position]:
            for place, (since, number) in enumerate(shown):
                members.append([lying[place]])
                yield Member(kind, words[number], ONE, place, None, since)
            return
        for since in dict.fromkeys(since for since, _ in shown):
            for place, face in enumerate(faces):
                name = f"TABLE_{kind}_{since}_{place}"
                self.numbers.append(name)
                members.append([at for at, one in zip(lying, shown, strict=True) if one == (since, place)])
                self.known[name] = len(members[-1])
                yield Member(kind, words[place], Node("name", (name,)), None, None, since, face.weight, face.words)

    def list_endless(self, kind: int, dice: Sequence[Die], unroller: Unroller, sides: int) -> Iterator[Member]:
        """Dice that go on are not rolled any more; what asks each of several throws is not known."""
        tallies = enumerate(unroller.rule.tallies)
        asked = any(own.every_throw and kind in tally_kinds(unroller.rule, number) for number, own in tallies)
        if kind in self.walk.held[self.position] or (asked and any(len(die.throws) > 1 for die in dice)):
            raise NotExactError("the throws of dice that are rolled on")
        for place, die in enumerate(dice):
            last = die.throws[-2].value if len(die.throws) > 1 else 0
            shown = {"face": die.value, "first": die.throws[0].value, "last": last, "throw": len(die.throws)}
            words = {name: constant(value) for name, value in shown.items()}
            own = complete_words(unroller, unroller.rule.kinds[kind], words, sides)
            yield Member(kind, own, ONE, place, None, self.since(kind, die))

    def since(self, kind: int, die: Die) -> int:
        """The stage of the walk in which a die was rolled; -1 for dice that it does not need."""
        what, program = "earned" if die.earned else "dice", self.walk.setup.program
        stages = (number for number, stage in enumerate(program) if stage.what == what and kind in stage.of)
        return next(stages, -1)

    def read_picked(self, name: str) -> None:
        """How many dice of each member have been picked for an answer that is given."""
        if name in self.walk.rule.picks:
            picked = set(map(int, self.known[name].split()))
            for kind, members in self.places.items():
                for number, places in enumerate(members):
                    self.numbers.append(taken_name(name, kind, number))
                    self.known[self.numbers[-1]] = len(picked.intersection(places))

    def write_picked(self, name: str, best: Mapping[str, Any]) -> str:
        """The dice that an answer picks."""
        chosen = set[int]()
        for kind, members in self.places.items():
            for number, places in enumerate(members):
                chosen.update(places[: best.get(taken_name(name, kind, number), 0)])
        able, _ = find_pickable(self.walk.setting, name)
        return write_picked(self.walk.rule, [die for die in able if die.place in chosen])
