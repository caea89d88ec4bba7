"""Odds for many values of some inputs at once: cells that roll the same dice share the distribution of these dice."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, product
from operator import itemgetter
from typing import Any

from ..game.codegen import Stuck
from ..game.inputs import bind, read_value
from ..game.model import Rule
from ..play.bound_rule import Refused, Setting
from ..play.compiled_rule import program
from ..play.result import Complaint, refusal
from .answer import Odds
from .distribution import Chance
from .generating_function import NotExact
from .group import PoolGroup
from .plan import Plan, Question, TooMuch
from .policies import chosen_policies
from .tail import Memory, dice_names, runs, settle

Parts = tuple[int, list[tuple[int, list[tuple[int, int]], list[tuple[int, int]]]]]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one pool size, and the parts that are cached for rows of this shape."""

    factors: list[int]
    sums: list[list[int]]
    whole: int
    parts: dict[tuple[Any, ...], Parts]


class Sheet:
    """Chances for all pool sizes and all inputs that do not affect single dice."""

    def __init__(self, odds: Odds, plan: Plan, group: PoolGroup) -> None:
        self.odds, self.plan, self.group = odds, plan, group
        self.memory, self.setting = odds.solver.memory, odds.setting
        self.kind = group.starts[0][0].kind
        self.names = [outcome.name for outcome in odds.rule.outcomes]
        self.rows: dict[int, Rows] = {}
        self.rest: dict[tuple[Any, ...], int] = {}
        self.low = group.family.axis_low(group.starts[0][0])
        self.end = self.room = self.most = 0

    def pool(self, dice: int) -> PoolGroup:
        return PoolGroup(self.group.family, [(self.group.starts[0][0], dice)], self.group.known, room=self.room)

    def nested(self) -> bool:
        """Whether a small pool has only values that a large one has too, apart from the axis."""
        start, family = self.group.starts[0][0], self.group.family
        return all(family.low[number][start] <= 0 <= family.high[number][start] for number in family.others)

    def settle(self, fewest: int, most: int, asked: Sequence[Mapping[str, Any]]) -> bool:
        """Finds one end for all questions; the largest pool decides."""
        if not self.nested():
            return False
        largest, self.most = self.pool(most), most
        for known in asked:
            found = settle(self.plan, known, [largest], self.memory)
            if found is None or any(beyond.others is not None for beyond in found.beyond):
                return False
            self.end = max(self.end, found.end)
            self.rest[self.plan.values(known)] = (
                found.beyond[0].outcome if found.beyond else len(self.plan.question.whens)
            )
        self.room = max(largest.cut(self.end), self.pool(fewest).cut(self.end))
        self.powers = self.group.powers(self.group.starts[0][0], self.room, most)
        if self.alike:
            self.powers.needs = self.needs(asked)
        return True

    def needs(self, asked: Sequence[Mapping[str, Any]]) -> list[int]:
        """How many coefficients of each power any question uses: a power of many dice is in few rows."""
        furthest = [1] * (self.most + 1)
        for known in asked:
            for _, upto, before in self.find_parts(self.most, known, self.rest[self.plan.values(known)])[1]:
                for row, place in (*upto, *before):
                    furthest[row] = max(furthest[row], place + 1)
        return list(accumulate(furthest, max))[::-1]

    def rows_of(self, dice: int) -> Rows:
        powers = self.powers
        if powers.paired:
            factors, sums = powers.pair_weights(dice)
            shape: Any = (powers.small[0][:2], powers.others, () if self.alike else dice)
        else:
            rows = list(powers.rows(dice))
            factors, sums = [row.factor for row in rows], [row.sums for row in rows]
            shape = (dice, tuple([(row.others, row.shift) for row in rows]))
        parts = self.memory.parts.setdefault((self.plan, self.end, powers.cut, self.low, shape), {})
        self.rows[dice] = Rows(factors, sums, powers.whole(dice), parts)
        return self.rows[dice]

    @cached_property
    def alike(self) -> bool:
        """Whether row k is the same for all pool sizes, so that a small pool has the first rows of a large one."""
        return self.powers.paired and not any(self.powers.others) and not self.low

    def chances(self, dice: int, asked: tuple[Any, ...], known: Mapping[str, Any]) -> dict[str, Chance]:
        """The chances of all outcomes, for one pool size and the inputs of one question."""
        pool = self.rows.get(dice) or self.rows_of(dice)
        key = (asked, dice)
        parts = pool.parts.get(key)
        if parts is None:
            parts = pool.parts[key] = self.parts(dice, asked, known, pool.parts)
        rest, counted = parts
        factors, sums, left, found = pool.factors, pool.sums, pool.whole, {}
        for outcome, upto, before in counted:
            weight = sum([factors[row] * sums[row][place] for row, place in upto])
            if before:
                weight -= sum([factors[row] * sums[row][place] for row, place in before])
            left -= weight
            found[outcome] = Fraction(weight, pool.whole)
        found[rest] = Fraction(left, pool.whole)
        return {name: Chance(chance := found[number], chance) for number, name in enumerate(self.names)}

    def parts(self, dice: int, asked: tuple[Any, ...], known: Mapping[str, Any], all_parts: dict[Any, Parts]) -> Parts:
        if not self.alike or dice == self.most:
            return self.find_parts(dice, known, self.rest[asked])
        if (asked, self.most) not in all_parts:
            all_parts[asked, self.most] = self.find_parts(self.most, known, self.rest[asked])
        rest, counted = all_parts[asked, self.most]
        last = (len(self.rows[dice].factors), -1)
        return rest, [
            (outcome, upto[: bisect(upto, last)], before[: bisect(before, last)]) for outcome, upto, before in counted
        ]

    def find_parts(self, dice: int, known: Mapping[str, Any], rest: int) -> Parts:
        """For each outcome but one, the ends of its runs (row, place), and the places where these runs begin."""
        pool = self.pool(dice)
        cut = pool.cut(self.end)
        upto: dict[int, list[tuple[int, int]]] = {number: [] for number in range(len(self.names))}
        before: dict[int, list[tuple[int, int]]] = {number: [] for number in range(len(self.names))}
        for number, (others, shift) in enumerate(self.powers.shape(dice)):
            at = 0
            for end, outcome in runs(self.plan, known, pool, others, cut, self.memory):
                if end > shift:
                    upto[outcome].append((number, end - shift - 1))
                    if at > shift:
                        before[outcome].append((number, at - shift - 1))
                at = end
        return rest, [(number, upto[number], before[number]) for number in range(len(self.names)) if number != rest]


def make_sheet(odds: Odds) -> Sheet | None:
    """A sheet if the question is about a single free pool; otherwise None."""
    question = Question(odds.whens)
    plan = odds.solver.plan(question)
    if len(plan.active) != 1 or not odds.rule.outcomes:
        return None
    try:
        group = odds.solver.group(plan, plan.active[0])
    except NotExact:
        return None
    if not isinstance(group, PoolGroup) or len(group.starts) != 1:
        return None
    return Sheet(odds, plan, group)


Cells = tuple[Any, ...]
Table = dict[Cells, dict[str, Chance]]


def odds_table(
    rule: Rule, inputs: Mapping[str, Any], axes: Mapping[str, Sequence[Any]], policy: str = ""
) -> tuple[Table, list[Complaint]]:
    """The chances of all outcomes for each combination of the values of the axes."""
    values, complaints = bind(rule, inputs)
    columns, more = read_axes(rule, axes)
    if complaints or more:
        return {}, [Complaint(name, message) for name, message in [*complaints, *more]]
    try:
        return TableMaker(rule, values, list(axes), columns, policy).table(list(product(*axes.values()))), []
    except (Refused, Stuck) as error:
        return {}, [refusal(error)]
    except TooMuch as error:
        return {}, [Complaint("rule", str(error))]


class TableMaker:
    """Groups the cells of a table by inputs: those that affect single dice, the pool size, or only the question."""

    def __init__(
        self, rule: Rule, values: Mapping[str, Any], names: list[str], columns: Sequence[Sequence[Any]], policy: str
    ) -> None:
        self.rule, self.values, self.names, self.policy = rule, values, names, policy
        self.cells = list(product(*columns))
        self.memory = Memory()
        self.variables = {entry.name: set(entry.variables) for entry in rule.inputs}
        self.known: dict[Cells, Mapping[str, Any]] = {}
        self.counts: dict[Cells, int] = {}
        self.shaping = [entry.name for entry in rule.inputs if entry.form in ("flag", "choice")]

    def table(self, keys: list[Cells]) -> Table:
        found: dict[Cells, dict[str, Chance]] = {}
        for cells in self.by_dice():
            sheet = make_sheet(self.solver(cells[0]))
            found.update(self.from_sheet(sheet, cells) if sheet else self.one_by_one(cells))
        return {key: found[cells] for key, cells in zip(keys, self.cells, strict=True)}

    def by_dice(self) -> list[list[Cells]]:
        """The cells, grouped by the dice that they roll."""
        made = program(self.rule)
        names = made.behind(dice_names(made))
        pick = self.picker(lambda name: name in self.shaping or self.variables[name] & names)
        groups: dict[Cells, list[Cells]] = {}
        for cells in self.cells:
            groups.setdefault(pick(cells), []).append(cells)
        return list(groups.values())

    def picker(self, wanted: Callable[[str], Any]) -> Callable[[Cells], Cells]:
        """A function that takes the values of some axes from a cell."""
        places = [place for place, name in enumerate(self.names) if wanted(name)]
        return itemgetter(*places) if places else lambda _cells: ()

    def setting(self, cells: Cells) -> Setting:
        return Setting(self.rule, {**self.values, **dict(zip(self.names, cells, strict=True))})

    def solver(self, cells: Cells) -> Odds:
        setting = self.setting(cells)
        return Odds(setting, chosen_policies(setting, self.policy), self.memory)

    def one_by_one(self, group: list[Cells]) -> Iterator[tuple[Cells, dict[str, Chance]]]:
        """The largest pools first, because their ends are valid for smaller ones too."""
        every = [(cells, self.solver(cells)) for cells in group]
        for cells, odds in sorted(every, key=lambda pair: -sum(ready.count for ready in pair[1].setting.kinds)):
            yield cells, odds.chances

    def from_sheet(self, sheet: Sheet, group: list[Cells]) -> Iterator[tuple[Cells, dict[str, Chance]]]:
        made = program(self.rule)
        counting, asking = made.needed(kind.count for kind in self.rule.dice), made.behind(sheet.plan.inputs)
        pick_pool = self.picker(lambda name: self.variables[name] & counting)
        pick_asked = self.picker(lambda name: self.variables[name] & asking)
        pools = {pick_pool(cells): cells for cells in group}
        asked = {pick_asked(cells): cells for cells in group}
        dice = {pool: self.count(sheet, pool, cells) for pool, cells in pools.items()}
        known = {question: self.known_of(question, cells) for question, cells in asked.items()}
        values = {question: sheet.plan.values(found) for question, found in known.items()}
        if not sheet.settle(min(dice.values()), max(dice.values()), list(known.values())):
            yield from self.one_by_one(group)
            return
        for cells in group:
            question = pick_asked(cells)
            yield cells, sheet.chances(dice[pick_pool(cells)], values[question], known[question])

    def count(self, sheet: Sheet, pool: Cells, cells: Cells) -> int:
        if pool not in self.counts:
            self.counts[pool] = self.setting(cells).kinds[sheet.kind].count
        return self.counts[pool]

    def known_of(self, question: Cells, cells: Cells) -> Mapping[str, Any]:
        if question not in self.known:
            self.known[question] = self.setting(cells).known
        return self.known[question]


def read_axes(rule: Rule, axes: Mapping[str, Sequence[Any]]) -> tuple[list[list[Any]], list[tuple[str, str]]]:
    entries = {entry.name: entry for entry in rule.inputs}
    columns, complaints = [], []
    for name, raw in axes.items():
        if name not in entries:
            complaints.append((name, f"{rule.name} has no input «{name}»"))
            continue
        cells = [read_value(entries[name], one) for one in raw]
        complaints += [(name, complaint) for _, complaint in cells if complaint]
        columns.append([value for value, _ in cells])
    return columns, complaints
