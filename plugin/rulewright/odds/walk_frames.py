"""Frames and segments of a walk: what is left of a question where the walk stops, and what leads to the next stop.

A frame holds formulas, and the dice that lie as members (unroll.py). A segment unrolls them over the dice that are
rolled next and compiles them for the elimination. Where the walk does not end with it, its formulas are cut: every
part that is known once these dice lie gets a name, and the values of these names are what states are told apart by.
Dice that may be rolled again are **held**: only their numbers are named, because no formula over them is final."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ..game import dependencies
from ..game.core import CoreRule, Expression, Stage
from ..game.formula import ROUNDING_FUNCTIONS, Node, collect_names, walk
from ..game.intervals import Bounds, evaluate_bounds, interval_between
from ..play.compiled_rule import MAX_TALLY
from .budget import Budget, BudgetError, NotExactError
from .elimination import Elimination, Source
from .fold import ZERO, DiceWriter, is_sum, split_comparisons, substitute
from .open_values import OpenWriter
from .plan import Question
from .rule_facts import find_earning, goes_on, is_tally, kinds_in, names_in
from .unroll import Member, Unroller, Words, chosen_name, question_of
from .walk_pools import Pool

Weights = dict[tuple[Any, ...], int]  # by the number of the outcome and the values of a question
Known = Mapping[str, Any]
Domains = Mapping[int, Mapping[str, Sequence[int | str]]]  # the values of faces, by kind and word
Parameters = Mapping[tuple[str, int], Node]


@dataclass(frozen=True, eq=False)
class Frame:
    """What is left of a question before a stage of the walk: values to work out, and dice that lie.

    `parameters` are the formulas of what is still to happen, such as how many dice of a kind are rolled."""

    position: int
    statements: Mapping[str, Node]
    targets: tuple[Node, ...]
    parameters: Parameters
    tables: Mapping[int, tuple[Member, ...]]
    domains: Domains
    bounds: Bounds
    found: dict[Any, Any] = field(default_factory=dict)  # segments, and where states lead to

    @property
    def nodes(self) -> Iterator[Node]:
        """All formulas."""
        yield from self.statements.values()
        yield from self.targets
        yield from self.parameters.values()

    def names(self, rule: CoreRule) -> tuple[str, ...]:
        """The values that formulas name, by which states are told apart."""
        members = (member for members in self.tables.values() for member in members)
        own = [node for member in members for node in (member.number, *member.words.values())]
        return tuple(sorted(names_in(rule, *self.nodes, *own)))

    def settle(self, rule: CoreRule, known: Mapping[str, Any], node: Node) -> Node:
        """A formula with all that is known: values, and statements that follow from them."""
        value = substitute(node, known, rule.tables)
        values = dict(known)
        for own, formula in needed_statements(self.statements, [value]).items():
            found = substitute(formula, values, rule.tables)
            if found.op in ("number", "word"):
                values[own] = found.args[0]
        return substitute(value, values, rule.tables) if len(values) > len(known) else value

    def remembered(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self.found:
            self.found[key] = make()
        return self.found[key]


class _Formulas:
    """What the elimination asks of a compiled rule."""

    def __init__(self, rule: CoreRule, text: Expression) -> None:
        self.text, self.asked = text, dict[str, Any]()
        self.formulas = {step.name: step.formula for step in rule.steps}

    def get_formula(self, name: str) -> Expression:
        return self.formulas.get(name, self.text)


class SegmentPlan:
    """A question for the elimination: statements and targets over the variables of sources."""

    has_stage_costs = True
    is_thorough = False

    def __init__(
        self,
        rule: CoreRule,
        question: Question,
        statements: Mapping[str, Node],
        targets: Sequence[Node],
        bounds: Bounds,
    ) -> None:
        shown = [*question.conditions, *question.values]
        self.rule = rule
        self.writer = OpenWriter if any(goes_on(rule, kind) for kind in range(len(rule.kinds))) else DiceWriter
        self.compiled = _Formulas(rule, shown[0] if shown else Expression("", ZERO))
        self.question, self.targets, self.bounds = question, list(targets), bounds
        self.statements = needed_statements(statements, targets)
        nodes = [*self.statements.values(), *targets]
        self.inputs = tuple(sorted(set().union(*map(collect_names, nodes)) - self.statements.keys()))
        self.eliminations: dict[Any, Elimination] = {}

    @property
    def size(self) -> int:
        """How many nodes the formulas have."""
        return sum(1 for node in (*self.statements.values(), *self.targets) for _ in walk(node))

    def with_formulas(self, change: Callable[[Node], Node]) -> SegmentPlan:
        """The same plan with other formulas, which is thorough."""
        statements = {name: change(node) for name, node in self.statements.items()}
        plan = SegmentPlan(self.rule, self.question, statements, list(map(change, self.targets)), self.bounds)
        plan.is_thorough = True
        return plan


def needed_statements(statements: Mapping[str, Node], targets: Sequence[Node]) -> dict[str, Node]:
    needed: set[str] = set()
    waiting = list(targets)
    while waiting:
        for name in (collect_names(waiting.pop()) & statements.keys()) - needed:
            needed.add(name)
            waiting.append(statements[name])
    return {name: node for name, node in statements.items() if name in needed}


class Segment:
    """The walk from a frame to the next stop, or to the end, for pools of certain shapes.

    `held` are kinds of dice that may be rolled again there, and decks from which cards may be drawn."""

    def __init__(self, setup: Setup, frame: Frame, position: int, pools: Sequence[Pool], held: Collection[int]) -> None:
        unroller, domains = lay_pools(setup, frame, position, pools)
        statements = {name: unroller.unroll(node) for name, node in frame.statements.items()}
        targets = [unroller.unroll(node) for node in frame.targets]
        self.frame: Frame | None = None
        self.names: tuple[str, ...] = ()  # of the values by which states are told apart
        question = setup.question
        if position < len(setup.program):
            later = {
                key: node if node.op == "earned" and key[1] // 100 > position else unroller.unroll(node)
                for key, node in frame.parameters.items()
            }
            chosen = set(map(chosen_name, setup.choices_from(position)))
            cut = _Cut(setup.rule, position, statements, [*targets, *later.values()], unroller.tables, held, chosen)
            self.frame = cut.make_frame(frame, len(targets), domains)
            self.names = tuple(cut.names.values())
            targets = list(cut.names)
            question = Question((), tuple([Expression("", node) for node in targets]))
        self.plan = SegmentPlan(setup.rule, question, statements, targets, frame.bounds)

    def run(self, known: Known, pools: Sequence[Pool], budget: Budget) -> Weights:
        """Rolls pool after pool. Where that costs too much, all pools are rolled together, high faces first."""
        counted = [pool for pool in pools if pool.is_by_faces]
        if len(counted) < 2:
            return self.add_up(self.plan, known, [source for pool in pools for source in pool.sources()], budget)
        left = budget.left
        try:
            return self.add_up(self.plan, known, [source for pool in pools for source in pool.sources()], budget)
        except BudgetError:
            budget.left = left / 2
        first = [source for pool in pools if pool not in counted for source in pool.sources()]
        together = sorted((pair for pool in counted for pair in pool.face_sources()), key=lambda pair: -pair[0])
        return self.add_up(self.compared, known, [*first, *(source for _, source in together)], budget)

    def add_up(self, plan: SegmentPlan, known: Known, sources: Sequence[Source], budget: Budget) -> Weights:
        shape = tuple([source.shape for source in sources])
        if shape not in plan.eliminations:
            plan.eliminations[shape] = Elimination(plan, shape, {})
        weights: Weights = plan.eliminations[shape].run(known, sources, True, budget)
        return weights

    @cached_property
    def compared(self) -> SegmentPlan:
        """The same question with comparisons of single sums, which are decided as soon as their difference is."""
        sums = {name: node for name, node in self.plan.statements.items() if is_sum(node)}
        return self.plan.with_formulas(lambda node: split_comparisons(node, sums))


def lay_pools(setup: Setup, frame: Frame, position: int, pools: Sequence[Pool]) -> tuple[Unroller, Domains]:
    """The formulas of a rule once these pools lie, and the values of their faces."""
    rule, tables, domains = setup.rule, dict(frame.tables), dict(frame.domains)
    for kind in setup.kinds_before(position):
        tables.setdefault(kind, ())
    for pool in sorted(pools, key=lambda pool: pool.present is not None):
        unroller = Unroller(rule, setup.constants, tables, domains, setup.eager)
        present = unroller.unroll(pool.present) if pool.present else None
        if present and any(map(is_late, walk(present))):
            raise NotExactError
        tables[pool.kind] = (*tables[pool.kind], *pool.members(unroller, rule.kinds[pool.kind], present))
        full = next((domains[kind] for kind in rule.find_deck(pool.kind) if kind in domains), pool.domain)
        domains[pool.kind] = full if pool.drawn else pool.domain
    waiting = setup.kinds_from(position)
    return Unroller(rule, setup.constants, tables, domains, setup.eager, waiting), domains


def count_pairs(probe: Unroller, frame: Frame, pools: Sequence[Pool]) -> int:
    """How many members are compared with one another where formulas pick the highest or lowest dice of a set."""
    sizes = {kind: len(members) for kind, members in frame.tables.items()}
    for pool in pools:
        sizes[pool.kind] = sizes.get(pool.kind, 0) + pool.size_of_form
    sets = [number for number, _ in probe.sets if probe.rule.sets[number].op in ("highest", "lowest")]
    return sum(sum(sizes.get(kind, 0) for kind in dependencies.set_kinds(probe.rule, number)) ** 2 for number in sets)


def foresee(setup: Setup, frame: Frame, position: int, pools: Sequence[Pool]) -> None:
    """An OrderMattersError if a formula that waits for other dice will tell equal dice of these pools apart."""
    if setup.kinds_from(position):
        laid, domains = lay_pools(setup, frame, position, pools)
        tables = {kind: laid.tables.get(kind, ()) for kind in range(len(setup.rule.kinds))}
        unroller = Unroller(setup.rule, setup.constants, tables, domains, setup.eager)
        for node in frame.nodes:
            unroller.unroll(node)


class Setup(NamedTuple):
    """What all frames of a walk have in common."""

    rule: CoreRule
    question: Question
    program: tuple[Stage, ...]
    constants: Words
    eager: bool

    def choices_from(self, position: int) -> list[str]:
        """The choices that are still to be made."""
        return [str(name) for stage in self.program[position:] if stage.what == "choice" for name in stage.of]

    def kinds_before(self, position: int) -> list[int]:
        """The kinds of dice that are rolled by then."""
        return _kinds_rolled(self.program[:position])

    def kinds_from(self, position: int) -> list[int]:
        """The kinds of dice that are rolled then or later."""
        return _kinds_rolled(self.program[position:])

    def decks_from(self, position: int) -> frozenset[int]:
        """The kinds of cards of the decks from which cards are drawn then or later."""
        return frozenset(own for kind in self.kinds_from(position) for own in self.rule.find_deck(kind))

    def lay_probes(self, frame: Frame, pools: Sequence[Pool]) -> tuple[dict[int, Any], dict[int, Any]]:
        """A member for each pool, and for each kind that shares its deck, to find out what is asked about its dice."""
        tables, domains = dict(frame.tables), dict(frame.domains)
        for kind in range(len(self.rule.kinds)):
            tables.setdefault(kind, ())
        for pool in pools:
            leaf = Node("tally", (f"f{pool.number}",))
            for kind in self.rule.find_deck(pool.kind) or (pool.kind,):
                tables[kind] = (*tables[kind], Member(kind, {}, leaf, 0, None, pool.since))
                domains[kind] = pool.domain
        return tables, domains


def _kinds_rolled(stages: Iterable[Stage]) -> list[int]:
    return sorted({int(kind) for stage in stages if stage.what in ("dice", "earned") for kind in stage.of})


class _Cut:
    """Where the walk stops: finds the parts of formulas that are known by then, and names them."""

    def __init__(
        self,
        rule: CoreRule,
        position: int,
        statements: Mapping[str, Node],
        targets: Sequence[Node],
        tables: Mapping[int, Sequence[Member]],
        held: Collection[int],
        chosen: Collection[str],
    ) -> None:
        self.rule, self.position, self.statements = rule, position, statements
        self.chosen = chosen
        self.held = {
            leaf
            for kind in held
            for member in tables.get(kind, ())
            for leaf in walk(member.number)
            if leaf.op != "number"
        }
        self.names: dict[Node, str] = {}
        self.open = self.find_open()
        self.left = {name: self.split(node) for name, node in statements.items() if name in self.open}
        self.targets = tuple(map(self.split, targets))
        asked = find_asked(rule, (*self.left.values(), *self.targets))
        self.tables = {
            kind: tuple(map(self.cut_member, members)) if kind in asked or kind in held else ()
            for kind, members in tables.items()
        }

    def is_chosen(self, node: Node) -> bool:
        """Whether this is an answer that is still to be given, or a part of one."""
        return node.op == "name" and question_of(str(node.args[0])) in self.chosen

    def is_waiting(self, node: Node) -> bool:
        """Whether this part of a formula waits by itself for dice or an answer."""
        return is_late(node) or node in self.held or self.is_chosen(node)

    def find_open(self) -> set[str]:
        """The statements that are not known; those that name them may come before them."""
        users, found = defaultdict[str, list[str]](list), list[str]()
        for name, node in self.statements.items():
            for inner in walk(node):
                if inner.op == "name":
                    users[inner.args[0]].append(name)
                if self.is_waiting(inner):
                    found.append(name)
        is_open: set[str] = set()
        while found:
            if (name := found.pop()) not in is_open:
                is_open.add(name)
                found += users[name]
        return is_open

    def is_known(self, node: Node) -> bool:
        return node in self.held or not any(
            self.is_waiting(inner) or (inner.op == "name" and inner.args[0] in self.open) for inner in walk(node)
        )

    def needs_dice(self, node: Node) -> bool:
        return any(
            inner.op == "tally"
            or inner in self.held
            or self.is_chosen(inner)
            or (inner.op == "name" and inner.args[0] in self.statements)
            for inner in walk(node)
        )

    def split(self, node: Node) -> Node:
        """A formula in which every part that is known is a name."""
        if is_late(node):
            for name in sorted(names_in(self.rule, node) & self.statements.keys() - self.open):
                self.name(Node("name", (name,)))
            return node
        if not self.needs_dice(node):
            return node
        if self.is_known(node) and (node.op in ("name", "tally") or not _may_fail(node)):
            return self.name(node)
        args = list(node.args)
        if node.op in ("+", "max", "min"):
            ready = [
                arg
                for arg in args
                if arg not in self.held and self.needs_dice(arg) and self.is_known(arg) and not _may_fail(arg)
            ]
            if len(ready) > 1:
                args = [self.name(Node(node.op, tuple(ready))), *(arg for arg in args if arg not in ready)]
        return Node(node.op, tuple([self.split(arg) if isinstance(arg, Node) else arg for arg in args]))

    def name(self, node: Node) -> Node:
        if node.op == "name" and node.args[0] in self.names.values():
            return node
        if node not in self.names:
            own = str(node.args[0]) if node.op == "name" else f"p{self.position}_{len(self.names)}"
            self.names[node] = own
        return Node("name", (self.names[node],))

    def cut_member(self, member: Member) -> Member:
        words = {name: self.split(node) for name, node in member.words.items()}
        follows = member.follows and self.split(member.follows)
        return member._replace(words=words, number=self.split(member.number), follows=follows)

    def make_frame(self, frame: Frame, targets: int, domains: Mapping[int, Mapping[str, Sequence[int | str]]]) -> Frame:
        bounds = frame.bounds
        wide = find_bounds(bounds, self.statements, self.names)
        for node, name in self.names.items():
            bounds = bounds.with_value(name, evaluate_bounds(node, wide))
        later = dict(zip(frame.parameters, self.targets[targets:], strict=True))
        return Frame(self.position, self.left, self.targets[:targets], later, self.tables, domains, bounds)


def find_bounds(bounds: Bounds, statements: Mapping[str, Node], nodes: Iterable[Node]) -> Bounds:
    """Bounds of all values that formulas name, where nothing is known of dice."""
    values = dict(bounds.values)
    most = interval_between(-MAX_TALLY, MAX_TALLY)
    for node in (*statements.values(), *nodes):
        for inner in walk(node):
            if inner.op == "tally" or (inner.op == "name" and question_of(str(inner.args[0])) != inner.args[0]):
                values.setdefault(inner.args[0], most)
    found = Bounds(bounds.variables, values, bounds.tables)
    for name, node in statements.items():
        values[name] = evaluate_bounds(node, found)
    return found


def is_late(node: Node) -> bool:
    """Whether this is a function over dice that are still to be rolled, not a variable of some that lie."""
    return node.op in ("dice", "faces", "earned") or is_tally(node)


def find_asked(rule: CoreRule, nodes: Iterable[Node]) -> set[int]:
    """The kinds of dice that functions in formulas look at which are still to be worked out."""
    late = [inner for node in nodes for inner in walk(node) if is_late(inner)]
    return {kind for inner in late for kind in find_kinds(rule, inner)}


def find_kinds(rule: CoreRule, node: Node) -> frozenset[int]:
    """The kinds of dice that a function over dice looks at."""
    return frozenset(find_earning(rule, int(node.args[0]))) if node.op == "earned" else kinds_in(rule, node)


def _may_fail(node: Node) -> bool:
    return any(inner.op == "lookup" or inner.op in ROUNDING_FUNCTIONS for inner in walk(node))
