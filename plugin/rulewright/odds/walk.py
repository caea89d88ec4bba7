"""The walk: exact odds of rules, whatever their formulas ask of the dice; dice without end leave open numbers.

What a question needs is worked out along `order`, the program of a rule. Dice that are rolled become sources of
chance (walk_pools.py), formulas over sets become formulas over what these decide (unroll.py), and elimination.py adds
up one source after the other, keeping only what the rest of the question still needs.

Where something later depends on dice (how many dice are rolled next, which are rolled again), the walk stops: a frame
(walk_frames.py) holds what is left of the question there, and the values that are known by then tell states apart.
From each state the walk goes on by itself. What a state leads to is the distribution of the outcome and the values of
the question from there on, remembered by state. So a choice only has to compare what its ways lead to, and chances
add up.

Frames and what they are compiled to are shared by all states, and by all settings that roll the same dice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..game.core import ROLLS_AGAIN, CoreInput, Expression, Reroll, Stage
from ..game.formula import Node, walk
from ..game.intervals import Interval, evaluate_bounds
from ..play.bound_rule import BoundRule
from ..play.compiled_rule import input_values
from .budget import MOST_TURNS, Budget, BudgetError, NotExactError
from .fold import ZERO, choose, constant, is_number, substitute
from .plan import Question
from .rule_facts import earned_by_rule, entry_kinds, find_earning, goes_on, kinds_in, names_in
from .unroll import Unroller, chosen_name
from .walk_again import DiceClass, find_dice
from .walk_choices import LAST, Goal, RerollPlan, Walked, Worth, join_walked, pick_best
from .walk_decks import count_draws, take_drawn
from .walk_entries import RuleEntries
from .walk_frames import Frame, Known, Setup, Weights, find_asked, find_bounds, needed_statements
from .walk_picks import pick_dice, pick_parameters
from .walk_pools import Pool, check_count, list_faces
from .walk_shapes import PoolShaper

_STATE_COST = 40  # what a state costs where the walk stops, in steps
CLOSED = -70  # dice without end are followed until less than 2^-70 is left, which is left out
_MOST_VIRTUAL = 2  # so many dice are rolled even if it is not known whether they are there

States = Mapping[tuple[tuple[str, Any], ...], int]  # what is known in each state, with weights


class Walk:
    """Answers one question about a bound rule; `cache` keeps what other settings can use."""

    def __init__(
        self,
        setting: BoundRule,
        question: Question,
        budget: Budget,
        cache: dict[Any, Any],
        eager: bool = True,
        worth: Worth | None = None,
        left_open: int = CLOSED,
    ) -> None:
        self.setting, self.rule, self.budget = setting, setting.rule, budget
        self.left_open = left_open  # of dice without end: less than 2^-n; if negative, that is left out
        program = setting.program
        self.open = {  # questions that are asked between dice, and choices that are not given
            name: entry
            for name, entry in program.asked.items()
            if setting.leaves_open(entry) or name in program.asked_early - set(program.fixed) or name in self.rule.picks
        }
        self.late = {
            name: self.late_value(name)
            for name in program.order
            if name not in program.fixed or (self.open and name not in setting.known)
        }
        self.known = {name: value for name, value in setting.known.items() if name not in self.late}
        self.entries = RuleEntries(setting, self.known, self.open.keys(), self.late)
        self.goals = self.find_goals(question)
        self.goal: Goal = LAST - len(self.goals)  # of choices that the aim of the rule decides
        if worth:
            own = len(self.goals)
            self.goal = (lambda key: worth(key[:-own])) if own else worth
        question = Question(question.conditions, (*question.values, *self.goals.values()))
        nodes = [formula.node for formula in (*question.conditions, *question.values)]
        self.needed, self.kinds = self.find_needs(nodes)
        setting.require(sorted(self.needed - self.late.keys() - set(map(chosen_name, self.open))))
        self.constants = {name: constant(value) for name, value in self.known.items()}
        self.given: dict[int, Reroll] = {}  # stages in which dice are rolled that an entry of the rule earns
        self.setup = Setup(self.rule, question, tuple(self.find_program()), self.constants, eager)
        positions = range(len(self.setup.program) + 1)
        self.rerolled = [self.rerolled_kinds(position) for position in positions]
        self.held = [self.rerolled[at] | self.picked_kinds(at) | self.setup.decks_from(at) for at in positions]
        self.shaper = PoolShaper(self.setup, self.held, budget, left_open)
        asked = sorted(self.named_by_dice(nodes) - self.late.keys())
        given = [setting.values.get(name) for name in self.late if name in program.asked]
        key = (question, self.setup.program, eager, left_open, *given, *(self.known[name] for name in asked))
        if key not in cache:
            cache[key] = self.root(nodes)
        self.frame: Frame = cache[key]
        self.memory: dict[Any, Walked] = {}
        self.plans: dict[Any, RerollPlan] = {}

    # What is needed

    def late_value(self, name: str) -> Node:
        """The formula of a value that dice decide; a question that is not asked leaves the default."""
        program = self.setting.program
        node, entry = program.get_formula(name).node, program.asked.get(name)
        if not entry:
            return node
        given = constant(self.setting.values.get(name, entry.default))
        return choose(node, self.answer(name) if name in self.open else given, constant(entry.default))

    def answer(self, name: str) -> Node:
        return Node("name", (chosen_name(name),))

    def find_goals(self, question: Question) -> dict[Node, Expression]:
        """What choices of rules that are rolled are made for; these are the last values of a question."""
        goals = dict[Node, Expression]()
        while True:
            formulas = (*question.conditions, *question.values, *goals.values())
            needed, kinds = self.find_needs([formula.node for formula in formulas])
            own = [entry.goal for name, entry in self.open.items() if chosen_name(name) in needed and entry.goal]
            picking = [
                entry for number, entry in enumerate(self.rule.again) if kinds.intersection(self.entry_kinds(number))
            ]
            own += [entry.goal for entry in picking if entry.goal]
            if goals.keys() >= {goal.node for goal in own}:
                return goals
            goals |= {goal.node: goal for goal in own}

    def goal_of(self, entry: CoreInput | Reroll) -> Goal:
        """What a choice makes the most of."""
        return self.goal if entry.goal is None else list(self.goals).index(entry.goal.node) - len(self.goals)

    def find_needs(self, nodes: Sequence[Node]) -> tuple[frozenset[str], frozenset[int]]:
        """All names and all kinds of dice that a question depends on."""
        names, kinds, waiting = set[str](), set[int](), list(nodes)
        while waiting:
            node = waiting.pop()
            for name in names_in(self.rule, node) - names:
                names.add(name)
                waiting += [self.late[name]] if name in self.late else []
            for kind in kinds_in(self.rule, node) - kinds:
                kinds.add(kind)
                waiting += self.kind_nodes(kind)
        return frozenset(names), frozenset(kinds)

    def kind_nodes(self, kind: int) -> Iterator[Node]:
        """What decides how many dice of a kind are rolled, what they show, and what is rolled again."""
        own = self.rule.kinds[kind]
        formulas = [own.count, own.sides, *own.tests.values(), *own.deck]
        onward = [entry for entry in own.again if entry.roll in (*ROLLS_AGAIN, kind)]
        for entries in (onward, *find_earning(self.rule, kind).values()):
            formulas += [formula for entry in entries for formula in (entry.when, entry.count, entry.optional)]
        formulas += [entry.times for entry in earned_by_rule(self.rule, kind)]
        for entry in self.rule.again:
            formulas += [entry.times, entry.when, entry.turn] if kind in entry_kinds(self.rule, entry) else []
        yield from (formula.node for formula in formulas if formula)
        yield from (
            Node("faces", ("", other)) for other in (*find_earning(self.rule, kind), *self.rule.find_deck(kind))
        )
        for number, entry in enumerate(self.rule.again):
            if kind in self.entry_kinds(number) and self.entries.is_stage(number):
                yield Node("faces", ("", *self.entry_kinds(number)))
                yield from [] if self.rule.is_whole(entry.of) else [Node("dice", (entry.of,))]

    def entry_kinds(self, number: int) -> tuple[int, ...]:
        return entry_kinds(self.rule, self.rule.again[number])

    def named_by_dice(self, nodes: Sequence[Node]) -> set[str]:
        """The names that decide what single dice do."""
        names = set[str]()
        for node in (*nodes, *(self.late[name] for name in self.needed if name in self.late)):
            for inner in walk(node):
                names |= names_in(self.rule, inner) if inner.op == "tally" else set()
        for kind in self.kinds:
            names |= names_in(self.rule, *self.kind_nodes(kind))
        return names & self.needed

    def find_program(self) -> list[Stage]:
        """The stages in which something happens; dice are earned kind by kind, those that earn others first.

        Dice that an entry of the rule earns are rolled at once, if nobody chooses anything before they are."""
        program, waiting = list[Stage](), set[int]()
        for stage in self.rule.order:
            numbers = [int(number) for number in stage.of] if stage.what != "values" else []
            own = [kind for kind in numbers if kind in self.kinds] if stage.what in ("dice", "earned") else []
            if stage.what == "dice":
                program += [Stage("dice", tuple(own))] if own else []
            elif stage.what == "values":
                chosen = [str(name) for name in stage.of if name in self.open and chosen_name(str(name)) in self.needed]
                program += [Stage("choice", (name,)) for name in chosen]
            elif stage.what == "earned":
                waiting -= set(numbers)
                for kind in self.sort_earned([kind for kind in own if self.entries.may_earn(kind)]):
                    program += [Stage("earned", (kind,))] * count_draws(self.setting, kind, self.known, self.constants)
            for number in numbers if stage.what == "again" else ():
                entry = self.rule.again[number]
                if entry.roll in self.kinds:
                    self.given[len(program)] = entry
                    program.append(Stage("earned", (entry.roll,)))
                    waiting.add(int(entry.roll))
                elif set(self.entry_kinds(number)) & self.kinds and self.entries.is_stage(number):
                    program.append(Stage("again", (number,)))
            last = program[-1] if program else stage
            is_choice = last.what == "choice" or (last.what == "again" and self.rule.again[int(last.of[0])].chooses)
            if waiting and is_choice:
                raise NotExactError("something is chosen before dice are rolled that have been earned")
        return program

    def sort_earned(self, kinds: Sequence[int]) -> list[int]:
        """Kinds in an order in which each is final before it earns others."""
        done: list[int] = []
        left = list(kinds)
        while left:
            ready = next((kind for kind in left if not self.earners(kind) & set(left)), None)
            if ready is None:
                raise NotExactError("dice earn dice of their own kind")
            left.remove(ready)
            done.append(ready)
        return done

    def earners(self, kind: int) -> set[int]:
        """The kinds that earn dice of a kind and must be final before; a deck can earn cards of its own."""
        return set(find_earning(self.rule, kind)) - ({kind} if self.rule.kinds[kind].deck else set())

    def rerolled_kinds(self, position: int) -> frozenset[int]:
        """The kinds of dice that may be rolled again from a stage on."""
        later = [stage for stage in self.setup.program[position:] if stage.what == "again"]
        return frozenset(kind for stage in later for kind in self.entry_kinds(int(stage.of[0])))

    def picked_kinds(self, position: int) -> frozenset[int]:
        """The kinds of dice that may be picked from a stage on."""
        stages = self.setup.program[position:]
        return kinds_in(self.rule, *(own for stage in stages for own in pick_parameters(self.rule, stage, 0).values()))

    def root(self, nodes: Sequence[Node]) -> Frame:
        statements = {name: node for name, node in self.late.items() if name in self.needed}
        parameters, since, rerolled = dict[tuple[str, int], Node](), dict[int, int](), set[int]()
        for position, stage in enumerate(self.setup.program):
            parameters |= pick_parameters(self.rule, stage, position)
            for number in map(int, stage.of if stage.what != "choice" else ()):
                if stage.what == "again":
                    again = self.rule.again[number]
                    rerolled |= set(self.entry_kinds(number))
                    parameters["times", position] = again.times.node
                    if not self.rule.is_whole(again.of):
                        parameters["of", position] = Node("dice", (again.of,))
                    continue
                own = self.rule.kinds[number]
                if since.get(number) and find_earning(self.rule, number).keys() & rerolled:
                    raise NotExactError("dice that have earned dice are rolled again, and may earn more")
                count = Node("earned", (number, since.get(number, 0)))
                if position in self.given:
                    count = self.given[position].times.node
                else:
                    since[number] = position if stage.what == "earned" else 0
                parameters["count", 100 * position + number] = own.count.node if stage.what == "dice" else count
                for place, copies in enumerate(own.deck):
                    parameters["copies", 1000 * (100 * position + number) + place] = copies.node
                if own.sides:
                    parameters["sides", 100 * position + number] = own.sides.node
        bounds = self.setting.program.bounds
        for name, entry in self.open.items():
            bounds = bounds.with_value(chosen_name(name), input_values(entry)[name])
        return Frame(0, statements, tuple(nodes), parameters, {}, {}, bounds)

    # The walk

    def follow(self, frame: Frame, known: Known) -> Walked:
        """Where the walk leads to from a frame, with what is known there; this is what a state is worth."""
        names = frame.remembered("names", lambda: frame.names(self.rule))
        key = (id(frame), *(known.get(name) for name in names))
        if key not in self.memory:
            self.memory[key] = self.follow_state(frame, known)
        return self.memory[key]

    def follow_state(self, frame: Frame, known: Known) -> Walked:
        program, position, pools = self.setup.program, frame.position, list[Pool]()
        while position < len(program):
            stage = program[position]
            if stage.what == "choice":
                picked = kinds_in(self.rule, *pick_parameters(self.rule, stage, 0).values())
                if position == frame.position and self.is_cut(frame, picked):
                    return self.choose(frame, known, str(stage.of[0]))[1]
                break
            if stage.what == "again":
                if position == frame.position and self.is_cut(frame, self.entry_kinds(int(stage.of[0]))):
                    return self.roll_again(frame, known, int(stage.of[0]))
                break
            decks = {own for kind in stage.of for own in self.rule.find_deck(int(kind))}
            is_deck_known = not any(pool.kind in decks for pool in pools)
            rolled = self.roll_stage(stage, position, frame, known) if is_deck_known else None
            if rolled is None:
                break
            pools += rolled
            position += 1
            while not rolled and position < len(program) and program[position] is stage:
                position += 1  # cards that earn no cards
        return self.run_segment(frame, known, position, pools)

    def is_cut(self, frame: Frame, kinds: Collection[int]) -> bool:
        """Whether the numbers of all dice of these kinds are known, which may be rolled again or picked."""
        members = [member for kind in kinds for member in frame.tables.get(kind, ())]
        return frame.tables.keys() >= set(kinds) and all(own.number.op in ("name", "number") for own in members)

    def roll_again(self, frame: Frame, known: Known, number: int) -> Walked:
        """Rolls dice again as an entry of the rule says, and goes on from each state."""
        times = self.work_out(frame, known, frame.parameters["times", frame.position])
        if not is_number(times):
            raise NotExactError("it is not known how often dice are rolled again")
        left = int(times.args[0])
        plan = self.find_plan(frame, known, self.rule.again[number], left)
        return plan.best(left, tuple([int(known[own.name]) for own in plan.classes]))[1]

    def find_plan(self, frame: Frame, known: Known, entry: Reroll, left: int) -> RerollPlan:
        """The plan for an entry of the rule; states that differ only in the dice share it."""
        if left > MOST_TURNS:
            raise BudgetError
        if left > 1 and not self.rule.is_whole(entry.of):
            raise NotExactError("picked dice are told apart after they have been rolled again")
        others = frame.remembered("others", lambda: self.find_others(frame, entry))
        key = (id(frame), "plan", *(known.get(name) for name in others))
        if key not in self.plans:
            classes, able = find_dice(self.setup, frame, known, entry)
            end = partial(self.follow_counts, self.after(frame), known, classes)
            self.plans[key] = RerollPlan(entry, classes, end, self.budget, self.goal_of(entry), able, self.rule.kinds)
        return self.plans[key]

    def find_others(self, frame: Frame, entry: Reroll) -> list[str]:
        """The names known in a frame but for the numbers of dice that an entry may take."""
        own = {member.number for kind in entry_kinds(self.rule, entry) for member in frame.tables[kind]}
        numbers = {node.args[0] for node in own if node.op == "name"}
        return [name for name in frame.names(self.rule) if name not in numbers]

    def work_out(self, frame: Frame, known: Known, node: Node) -> Node:
        """A formula over the dice that lie, as far as its value is known."""
        unroller = Unroller(self.rule, self.setup.constants, frame.tables, frame.domains, self.setup.eager)
        values = dict(known)
        for own, formula in needed_statements(frame.statements, [node]).items():
            value = substitute(unroller.unroll(formula), values, self.rule.tables)
            if value.op in ("number", "word"):
                values[own] = value.args[0]
        return substitute(unroller.unroll(node), values, self.rule.tables)

    def after(self, frame: Frame) -> Frame:
        """The frame behind a stage that rolls no new dice."""
        return frame.remembered("after", lambda: self.after_stage(frame))  # type: ignore[no-any-return]

    def after_stage(self, frame: Frame) -> Frame:
        at = frame.position
        later = {key: own for key, own in frame.parameters.items() if key not in (("times", at), ("of", at))}
        after = replace(frame, position=at + 1, parameters=later, found={})
        asked = find_asked(self.rule, after.nodes) | self.held[at + 1]
        return replace(after, tables={kind: own if kind in asked else () for kind, own in frame.tables.items()})

    def follow_counts(self, frame: Frame, known: Known, classes: Sequence[DiceClass], counts: Sequence[int]) -> Walked:
        self.budget.spend(_STATE_COST)
        return self.follow(frame, {**known, **{own.name: count for own, count in zip(classes, counts, strict=True)}})

    def choose(self, frame: Frame, known: Known, name: str) -> tuple[Any, Walked]:
        """The best answer to a question, and where it leads to; of equal ones the first."""
        if name in self.rule.picks:
            return pick_dice(self, frame, known, self.open[name])
        entry, values = self.open[name], self.setting.values
        left = {own: node for own, node in frame.statements.items() if own != name}
        after = frame.remembered("after", lambda: replace(self.after_stage(frame), statements=left))
        settled = constant(known.get(name, entry.default))  # where no dice are left to ask of
        node = self.work_out(frame, known, frame.statements[name]) if name in frame.statements else settled
        options = [values[name]] if name in values else entry.options
        if node.op in ("number", "word"):
            options = [node.args[0]]
        elif node != self.answer(name):
            raise NotExactError("it is not known whether something is asked")
        self.budget.spend(_STATE_COST * len(options))
        ways = [(option, partial(self.follow, after, {**known, name: option})) for option in options]
        return pick_best(ways, self.goal_of(entry) if len(ways) > 1 else LAST)

    def go_on(
        self, frame: Frame, known: Known, states: Mapping[tuple[tuple[str, Any], ...], int], whole: int
    ) -> Walked:
        """Follows states, each with what is known there, and adds up what they lead to."""
        self.budget.spend(_STATE_COST * len(states))
        found: dict[int, Weights] = {}
        for state, weight in states.items():
            after = self.follow(frame, {**known, **dict(state)})
            own = found.setdefault(after.whole, {})
            for end, share in after.weights.items():
                own[end] = own.get(end, 0) + weight * share
        return join_walked(found, whole)

    def roll_stage(self, stage: Stage, position: int, frame: Frame, known: Known) -> list[Pool] | None:
        """The pools of a stage; None if it is not known yet what is rolled."""
        pools = []
        for kind in map(int, stage.of):
            key = 100 * position + kind
            count, sides = (
                frame.settle(self.rule, known, frame.parameters.get((what, key), ZERO)) for what in ("count", "sides")
            )
            if is_number(count) and not count.args[0]:
                continue
            most = int(count.args[0]) if is_number(count) else self.most_virtual(frame, count, kind, position)
            if most is None or not is_number(sides):
                return None
            copies = [frame.settle(self.rule, known, node) for node in self.copies_nodes(frame, key, kind)]
            if not all(map(is_number, copies)):
                return None
            numbers = [int(own.args[0]) for own in copies]
            if any(own < 0 for own in numbers):
                self.setting.kinds[kind].count_copies(numbers.index(min(numbers)))  # says why this cannot be
            dice = check_count(self.setting, kind, most)
            faces, drawn = list_faces(self.setting, kind, int(sides.args[0]), numbers), 0
            if numbers:
                if kind in self.rerolled[position] or self.rule.kinds[kind].rolls_on:
                    raise NotExactError("cards are drawn again from the same deck")
                gone = [member for own in self.rule.find_deck(kind) for member in frame.tables.get(own, ())]
                faces, drawn = take_drawn(faces, gone, known)
                dice = min(dice, sum(face.weight for face in faces))
            elif stage.what == "dice":
                faces = self.entries.settle(kind, faces, self.setup)
            present = None if is_number(count) else frame.parameters["count", key]
            if dice:
                pools.append(Pool(kind, key, dice, "", faces, position, present, bool(numbers), drawn))
        return pools

    def copies_nodes(self, frame: Frame, key: int, kind: int) -> list[Node]:
        """How many copies of each card a deck has."""
        return [frame.parameters["copies", 1000 * key + place] for place in range(len(self.rule.kinds[kind].deck))]

    def most_virtual(self, frame: Frame, count: Node, kind: int, position: int) -> int | None:
        """How many dice there are at most, if these are so few that they can be rolled in any case."""
        if any(inner.op in ("dice", "faces", "earned") for inner in walk(count)):
            return None
        value = evaluate_bounds(count, find_bounds(frame.bounds, frame.statements, [count]))
        is_free = isinstance(value, Interval) and value.low >= 0 and kind not in self.held[position]
        is_free = is_free and not self.rule.kinds[kind].deck and not goes_on(self.rule, kind)
        return int(value.high) if is_free and value.high <= _MOST_VIRTUAL else None  # type: ignore[union-attr]

    def run_segment(self, frame: Frame, known: Known, position: int, pools: Sequence[Pool]) -> Walked:
        shape = partial(self.shaper.shape_pools, frame, position, pools)
        ready, segment = frame.remembered((position, tuple(pools)), shape)
        self.budget.spend(_STATE_COST)
        weights, whole = segment.run(known, ready, self.budget), 1
        for pool in ready:
            whole *= pool.whole
        if not segment.frame:
            return Walked(weights, whole)
        states = {tuple(zip(segment.names, key[1:], strict=True)): weight for key, weight in weights.items()}
        return self.go_on(segment.frame, known, states, whole)
