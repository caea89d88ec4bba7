"""Odds for many values of some inputs at once: what the dice yield is worked out once for all that share it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any

from ..inputs import bind, read_value
from ..model import Rule
from ..program import program
from ..python import Stuck
from ..result import Complaint, refusal
from ..setting import Refused, Setting
from .answer import Chance, Odds
from .limits import TooMuch
from .memory import Memory, dice_names
from .policies import chosen_policies
from .sheet import Sheet, make_sheet

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
    """Takes the axes apart: those that decide what a die does, how many there are, and what is asked of them."""

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
        """The cells in groups that throw the same kinds of dice."""
        made = program(self.rule)
        names = made.behind(dice_names(made))
        pick = self.picker(lambda name: name in self.shaping or self.variables[name] & names)
        groups: dict[Cells, list[Cells]] = {}
        for cells in self.cells:
            groups.setdefault(pick(cells), []).append(cells)
        return list(groups.values())

    def picker(self, wanted: Callable[[str], Any]) -> Callable[[Cells], Cells]:
        """Picks the cells of some of the axes."""
        places = [place for place, name in enumerate(self.names) if wanted(name)]
        return itemgetter(*places) if places else lambda _cells: ()

    def setting(self, cells: Cells) -> Setting:
        return Setting(self.rule, {**self.values, **dict(zip(self.names, cells, strict=True))})

    def solver(self, cells: Cells) -> Odds:
        setting = self.setting(cells)
        return Odds(setting, chosen_policies(setting, self.policy), self.memory)

    def one_by_one(self, group: list[Cells]) -> Iterator[tuple[Cells, dict[str, Chance]]]:
        """The largest pools come first: what is settled for them holds for the smaller ones."""
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
