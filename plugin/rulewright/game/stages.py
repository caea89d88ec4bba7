"""Finds the order of a roll: which values are worked out, dice rolled and entries of `again` applied, wave by wave.

Nothing is used before it is known; dice that wait for themselves are a circle."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .core import CoreInput, CoreKind, CoreStep, DiceSet, Expression, Reroll, Stage, Tally
from .dependencies import kinds_in, names_in, set_kinds, set_names
from .formula import SET_OPERATIONS, Node, collect_names, collect_sets


@dataclass(frozen=True)
class RuleParts:
    """The parts of a rule that decide what comes first."""

    inputs: Sequence[CoreInput]
    kinds: Sequence[CoreKind]
    sets: Sequence[DiceSet]
    tallies: Sequence[Tally]
    again: Sequence[Reroll]
    steps: Sequence[CoreStep]


@dataclass(frozen=True)
class Circle:
    """A kind of dice that waits for itself, and the values and kinds on the way back to it."""

    kind: int
    path: tuple[str, ...]


def find_stages(parts: RuleParts) -> tuple[Stage, ...]:
    """The program of a roll."""
    stages: list[Stage] = []
    for stage in _Ordering(parts).stages():
        if stages and stages[-1].what == stage.what == "again":
            stages[-1] = Stage("again", stages[-1].of + stage.of)
        elif stage.of:
            stages.append(stage)
    return tuple(stages)


def find_circle(parts: RuleParts) -> Circle | None:
    """The first kind of dice that is never rolled, because it waits for itself."""
    ordering = _Ordering(parts)
    list(ordering.stages())
    return ordering.circle


def order_formulas(formulas: Mapping[str, Node]) -> list[str]:
    """The names of formulas, each after those that it names, otherwise as they are; a circle begins anywhere."""
    sets = {name for name, node in formulas.items() if node.op in (*SET_OPERATIONS, "name")}
    return order_names({name: collect_names(node) | collect_sets(node) & sets for name, node in formulas.items()})


def order_names(needs: Mapping[str, Collection[str]]) -> list[str]:
    """Names, each after those that it needs, otherwise as they are; a circle begins anywhere."""
    waiting = {name: needs.keys() & set(needed) - {name} for name, needed in needs.items()}
    ordered: dict[str, None] = {}
    while waiting:
        ready = (name for name, needed in waiting.items() if needed <= ordered.keys())
        name = next(ready, None) or next(name for name in waiting if name in _find_reachable(waiting, name))
        ordered[name] = None
        del waiting[name]
    return list(ordered)


def _find_reachable(links: Mapping[str, Iterable[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = set(links.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


class _Ordering:
    """Orders the parts of one rule."""

    def __init__(self, parts: RuleParts) -> None:
        self.parts = parts
        self.questions = {entry.name: entry.asked.node for entry in parts.inputs if entry.asked}
        self.values = {**self.questions, **{step.name: step.formula.node for step in parts.steps if step.set is None}}
        self.order = order_names({name: self.find_names(node) for name, node in self.values.items()})
        self.dice_of_value: dict[str, frozenset[int]] = {}
        for name in self.order:
            self.dice_of_value[name] = self.find_dice([self.values[name]])
        self.needs = [self.find_dice(_nodes(*_kind_formulas(kind))) for kind in parts.kinds]
        for number, kind in enumerate(parts.kinds):  # one deck: cards that are declared first are drawn first
            if kind.deck_of is not None:
                before = (other for other in range(number) if parts.kinds[other].deck_of == kind.deck_of)
                self.needs[number] |= {kind.deck_of, *before}
        self.earners = [self.find_earners(number) for number in range(len(parts.kinds))]
        self.current: set[str] = set()  # values that agree with the dice on the table
        self.rolled: set[int] = set()
        self.complete: set[int] = set()  # kinds whose dice are all on the table, earned ones included
        self.circle: Circle | None = None

    # What depends on what

    def find_dice(self, nodes: Iterable[Node]) -> frozenset[int]:
        """The kinds of dice that these formulas look at, directly or through values."""
        nodes = list(nodes)
        values = [self.dice_of_value.get(name, frozenset()) for name in names_in(self.parts, *nodes)]
        return kinds_in(self.parts, *nodes).union(*values)

    def find_dice_of_set(self, number: int) -> frozenset[int]:
        values = [self.dice_of_value.get(name, frozenset()) for name in set_names(self.parts, number)]
        return set_kinds(self.parts, number).union(*values)

    def find_earners(self, kind: int) -> frozenset[int]:
        """The kinds that earn dice of this kind, directly or not."""
        found: set[int] = set()
        waiting = [kind]
        while waiting:
            earned = waiting.pop()
            new = {number for number, own in enumerate(self.parts.kinds) if earned in own.earned_kinds} - found
            new |= self.find_dice(entry.times.node for entry in self.parts.again if entry.roll == earned) - found
            found |= new
            waiting += new
        return frozenset(found)

    def is_on_table(self, kind: int) -> bool:
        """Whether dice of a kind have been rolled: first dice, or for a kind that is only earned, those earned."""
        own = self.parts.kinds[kind]
        return kind in self.complete or (
            kind in self.rolled and not (self.earners[kind] - {kind} and own.is_only_earned)
        )

    # The order

    def stages(self) -> Iterator[Stage]:
        yield from self.work_out(name for name in self.order if not self.dice_of_value[name])
        kinds, entries = list(range(len(self.parts.kinds))), list(range(len(self.parts.again)))
        while kinds:
            wave = [kind for kind in kinds if self.needs[kind] <= self.complete]
            if not wave:
                self.circle = self.circle or self.describe_circle(kinds)
                wave = list(kinds)
            kinds = [kind for kind in kinds if kind not in wave]
            yield from self.prepare(_nodes(*(own for kind in wave for own in _kind_formulas(self.parts.kinds[kind]))))
            yield Stage("dice", tuple(wave))
            self.rolled |= set(wave)
            self.forget(wave)
            yield from self.follow_wave(set(wave), entries)
        yield from self.work_out(self.order)

    def follow_wave(self, new: set[int], entries: list[int]) -> Iterator[Stage]:
        """What comes of a wave: entries of the rule, then dice that are earned, then entries that waited for those."""
        while new:
            for number in [number for number in entries if self.can_apply(self.parts.again[number])]:
                entries.remove(number)
                entry, own = self.parts.again[number], self.find_dice_of_set(self.parts.again[number].of)
                yield from self.prepare([*_nodes(entry.times, entry.when, entry.turn), Node("dice", (entry.of,))])
                yield Stage("again", (number,))
                if not isinstance(entry.roll, int):
                    self.forget(own)
                    new |= own
            earned = {kind for kind in self.rolled if self.earners[kind] & (self.rolled if kind in new else new)}
            yield Stage("earned", tuple(sorted(earned)))
            self.forget(earned)
            self.complete = {kind for kind in self.rolled if self.earners[kind] <= self.rolled}
            new = set(earned) if any(map(self.can_apply, (self.parts.again[number] for number in entries))) else set()

    def can_apply(self, entry: Reroll) -> bool:
        kinds = self.find_dice_of_set(entry.of) | self.find_dice(_nodes(entry.times, entry.when, entry.turn))
        return all(map(self.is_on_table, kinds))

    def prepare(self, nodes: Iterable[Node]) -> Iterator[Stage]:
        """The values that these formulas need, directly or not."""
        waiting, needed = list(nodes), set[str]()
        while waiting:
            names = self.find_names(waiting.pop()) - needed
            needed |= names
            waiting += [self.values[name] for name in names]
        return self.work_out(name for name in self.order if name in needed)

    def find_names(self, node: Node) -> set[str]:
        """The values that a formula names, also in its tallies."""
        return set(names_in(self.parts, node) & self.values.keys())

    def work_out(self, names: Iterable[str]) -> Iterator[Stage]:
        new = tuple(name for name in names if name not in self.current)
        self.current |= set(new)
        yield Stage("values", new)

    def forget(self, kinds: Iterable[int]) -> None:
        """Values over dice that changed must be worked out again; a question is asked once."""
        changed = set(kinds)
        self.current = {
            name for name in self.current if name in self.questions or not self.dice_of_value[name] & changed
        }

    def describe_circle(self, kinds: Sequence[int]) -> Circle:
        """The shortest way from one of these kinds back to it."""
        ways = [(kind, self.find_way_back(kind)) for kind in kinds]
        return min((Circle(kind, path) for kind, path in ways if path is not None), key=lambda way: len(way.path))

    def find_way_back(self, kind: int) -> tuple[str, ...] | None:
        """The values and kinds through which a kind of dice waits for itself; None if it does not."""
        waiting: list[tuple[str | int, tuple[str, ...]]] = [(kind, ())]
        seen: set[str | int] = {kind}
        for here, path in waiting:
            links = [*self.find_links(here), *(self.earners[here] if isinstance(here, int) and here != kind else ())]
            if kind in links:
                return path
            for after in links:
                if after not in seen:
                    seen.add(after)
                    name = after if isinstance(after, str) else f"{self.parts.kinds[after].name} dice"
                    waiting.append((after, (*path, name)))
        return None

    def find_links(self, here: str | int) -> Iterator[str | int]:
        """The values and kinds that a value or a kind must wait for, one step away."""
        nodes = [self.values[here]] if isinstance(here, str) else _nodes(*_kind_formulas(self.parts.kinds[here]))
        for node in nodes:
            names = self.find_names(node)
            yield from sorted(names)
            yield from sorted(self.find_dice([node]).difference(*(self.dice_of_value[name] for name in names)))


def _kind_formulas(kind: CoreKind) -> tuple[Expression | None, ...]:
    return (kind.count, kind.sides, *kind.deck, *kind.tests.values(), *kind.throw_formulas.values())


def _nodes(*formulas: Expression | None) -> list[Node]:
    return [formula.node for formula in formulas if formula]
