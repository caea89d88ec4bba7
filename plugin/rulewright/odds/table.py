"""Odds for many values of some inputs at once: cells that roll the same dice share the distribution of these dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from operator import itemgetter
from typing import Any

from ..game.codegen import EvaluationError
from ..game.core import CoreRule
from ..game.inputs import bind_inputs, parse_value
from ..game.lower import lower_rule
from ..game.model import Rule
from ..play.bound_rule import BoundRule, RollError
from ..play.compiled_rule import compile_rule
from ..play.result import RollProblem, error_problem
from .budget import BudgetError
from .cache import OddsCache
from .distribution import Chance
from .plan import Question
from .rule_odds import Odds
from .solve import Solver

_Cell = tuple[Any, ...]  # a value for each axis
_ChancesByCell = dict[_Cell, dict[str, Chance]]


def compute_odds_table(
    declared_rule: Rule | CoreRule,
    inputs: Mapping[str, Any],
    axes: Mapping[str, Sequence[Any]],
    aim: str = "",
    cache: OddsCache | None = None,
) -> tuple[_ChancesByCell, list[RollProblem]]:
    """The chances of all outcomes for each combination of the values of the axes. Tables may share a cache."""
    rule = lower_rule(declared_rule)
    values, complaints = bind_inputs(rule, inputs)
    columns, more = _read_axes(rule, axes)
    if complaints or more:
        return {}, [RollProblem(name, message) for name, message in [*complaints, *more]]
    try:
        chances = _OddsTable(rule, values, list(axes), columns, aim, cache or OddsCache()).compute()
    except (RollError, EvaluationError) as error:
        return {}, [error_problem(error)]
    except BudgetError as error:
        return {}, [RollProblem("rule", str(error))]
    return dict(zip(product(*axes.values()), chances, strict=True)), []


class _OddsTable:
    """The cells of a table, grouped by the dice that they roll, and those again by what they ask."""

    def __init__(
        self,
        rule: CoreRule,
        values: Mapping[str, Any],
        names: list[str],
        columns: Sequence[Sequence[Any]],
        aim: str,
        cache: OddsCache,
    ) -> None:
        self.rule, self.values, self.names, self.aim, self.cache = rule, values, names, aim, cache
        self.cells = list(product(*columns))
        self.variables = {entry.name: set(entry.variable_names) for entry in rule.inputs}
        self.switches = {entry.name for entry in rule.inputs if entry.form in ("flag", "choice")}
        compiled = compile_rule(rule)
        self.single = compiled.expand_dependencies(compiled.die_names)
        self.counting = compiled.count_names

    def compute(self) -> list[dict[str, Chance]]:
        """The chances of all cells, in order. The largest pools come first: their ends are valid for smaller ones."""
        has_aims = any(name not in self.variables for name in self.names)
        if has_aims or self.rule.has_rounds or any(entry.is_choice for entry in self.rule.inputs):
            return [self.odds_of_cell(cell).chances for cell in self.cells]
        pick_dice = self.picker(lambda name: name in self.switches or bool(self.variables[name] & self.single))
        groups: dict[_Cell, list[_Cell]] = {}
        for cell in dict.fromkeys(self.cells):
            groups.setdefault(pick_dice(cell), []).append(cell)
        chances: _ChancesByCell = {}
        for group in groups.values():
            self.compute_group(group, chances)
        return [chances[cell] for cell in self.cells]

    def compute_group(self, group: list[_Cell], chances: _ChancesByCell) -> None:
        """Cells with the same kinds of dice, pool by pool, and in each pool question by question."""
        if not isinstance(self.odds_of_cell(group[0]).solver, Solver):  # walks share what they can by themselves
            chances.update((cell, self.odds_of_cell(cell).chances) for cell in group)
            return
        pick_pool = self.picker(lambda name: bool(self.variables[name] & self.counting))
        pools: dict[_Cell, list[_Cell]] = {}
        for cell in group:
            pools.setdefault(pick_pool(cell), []).append(cell)
        every = [(self.odds_of_cell(cells[0]), cells) for cells in pools.values()]
        every.sort(key=lambda pair: -sum(ready.count for ready in pair[0].setting.kinds))
        solver, question = every[0][0].solver, Question(every[0][0].conditions)
        assert isinstance(solver, Solver)
        asking = compile_rule(self.rule).expand_dependencies(solver.plan(question).inputs)
        pick_asked = self.picker(lambda name: bool(self.variables[name] & asking))
        bound = {asked: self.bind(cell) for asked, cell in {pick_asked(cell): cell for cell in group}.items()}
        for odds, cells in every:
            assert isinstance(odds.solver, Solver)
            shared = not odds.aim and odds.solver.count_each(question, [bound[pick_asked(cell)] for cell in cells])
            for number, cell in enumerate(cells):
                chances[cell] = odds.to_chances(shared[number]) if shared else self.odds_of_cell(cell).chances

    def bind(self, cell: _Cell) -> BoundRule:
        return BoundRule(self.rule, {**self.values, **dict(zip(self.names, cell, strict=True))})

    def odds_of_cell(self, cell: _Cell) -> Odds:
        setting = self.bind(cell)
        return Odds(setting, self.aim, self.cache)

    def picker(self, wanted: Callable[[str], bool]) -> Callable[[_Cell], Any]:
        """A function that takes the values of some axes from a cell."""
        places = [place for place, name in enumerate(self.names) if wanted(name)]
        return itemgetter(*places) if places else lambda _cell: ()


def _read_axes(rule: CoreRule, axes: Mapping[str, Sequence[Any]]) -> tuple[list[list[Any]], list[tuple[str, str]]]:
    entries = {entry.name: entry for entry in (*(rule.aims_of_rolls or ()), *rule.inputs)}
    columns, complaints = [], []
    for name, raw in axes.items():
        if name not in entries:
            complaints.append((name, f'{rule.name} has no input "{name}"'))
            continue
        cells = [parse_value(entries[name], text) for text in raw]
        complaints += [(name, complaint) for _, complaint in cells if complaint]
        columns.append([value for value, _ in cells])
    return columns, complaints
