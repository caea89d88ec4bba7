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

from ..game.codegen import EvaluationError
from ..game.inputs import bind_inputs, parse_value
from ..game.model import Rule
from ..play.bound_rule import BoundRule, RollError
from ..play.compiled_rule import compile_rule
from ..play.result import RollProblem, error_problem
from .answer import Odds
from .distribution import Chance
from .generating_function import NotExactError
from .group import PoolGroup
from .plan import BudgetError, Plan, Question
from .policies import policies_in_use
from .tail import OddsCache, dice_names, find_cutoff, outcome_runs

_RowParts = tuple[int, list[tuple[int, list[tuple[int, int]], list[tuple[int, int]]]]]


@dataclass(frozen=True, slots=True)
class _PoolRows:
    """The rows of one pool size, and the parts that are cached for rows of this shape."""

    factors: list[int]
    sums: list[list[int]]
    total: int
    parts: dict[tuple[Any, ...], _RowParts]


class _PoolOdds:
    """Chances for all pool sizes and all inputs that do not affect single dice."""

    def __init__(self, odds: Odds, plan: Plan, group: PoolGroup) -> None:
        self.odds, self.plan, self.group = odds, plan, group
        self.cache, self.setting = odds.solver.cache, odds.setting
        self.kind = group.starts[0][0].kind
        self.outcome_names = [outcome.name for outcome in odds.rule.outcomes]
        self.rows: dict[int, _PoolRows] = {}
        self.tail_outcomes: dict[tuple[Any, ...], int] = {}
        self.low = group.family.axis_low(group.starts[0][0])
        self.end = self.axis_length = self.most_dice = 0

    def pool(self, dice: int) -> PoolGroup:
        return PoolGroup(
            self.group.family, [(self.group.starts[0][0], dice)], self.group.known_powers, least_length=self.axis_length
        )

    def is_nested(self) -> bool:
        """Whether a small pool has only values that a large one has too, apart from the axis."""
        start, family = self.group.starts[0][0], self.group.family
        return all(family.low[number][start] <= 0 <= family.high[number][start] for number in family.others)

    def find_end(self, fewest: int, most: int, questions: Sequence[Mapping[str, Any]]) -> bool:
        """Finds one end for all questions; the largest pool decides."""
        if not self.is_nested():
            return False
        largest, self.most_dice = self.pool(most), most
        for known in questions:
            cutoff = find_cutoff(self.plan, known, [largest], self.cache)
            if cutoff is None or any(tail_answer.others is not None for tail_answer in cutoff.answers):
                return False
            self.end = max(self.end, cutoff.end)
            self.tail_outcomes[self.plan.input_values(known)] = (
                cutoff.answers[0].outcome if cutoff.answers else len(self.plan.question.conditions)
            )
        self.axis_length = max(largest.axis_length(self.end), self.pool(fewest).axis_length(self.end))
        self.powers = self.group.powers(self.group.starts[0][0], self.axis_length, most)
        if self.rows_agree:
            self.powers.needed_lengths = self.needed_lengths(questions)
        return True

    def needed_lengths(self, questions: Sequence[Mapping[str, Any]]) -> list[int]:
        """How many coefficients of each power any question uses: a power of many dice is in few rows."""
        furthest = [1] * (self.most_dice + 1)
        for known in questions:
            for _, upto, before in self.find_parts(
                self.most_dice, known, self.tail_outcomes[self.plan.input_values(known)]
            )[1]:
                for row, place in (*upto, *before):
                    furthest[row] = max(furthest[row], place + 1)
        return list(accumulate(furthest, max))[::-1]

    def rows_of(self, dice: int) -> _PoolRows:
        powers = self.powers
        if powers.is_pair:
            factors, sums = powers.pair_weights(dice)
            shape: Any = (powers.small[0][:2], powers.others, () if self.rows_agree else dice)
        else:
            rows = list(powers.rows(dice))
            factors, sums = [row.factor for row in rows], [row.sums for row in rows]
            shape = (dice, tuple([(row.others, row.shift) for row in rows]))
        parts = self.cache.table_parts.setdefault((self.plan, self.end, powers.cut, self.low, shape), {})
        self.rows[dice] = _PoolRows(factors, sums, powers.total_weight(dice), parts)
        return self.rows[dice]

    @cached_property
    def rows_agree(self) -> bool:
        """Whether row k is the same for all pool sizes, so that a small pool has the first rows of a large one."""
        return self.powers.is_pair and not any(self.powers.others) and not self.low

    def chances(self, dice: int, input_values: tuple[Any, ...], known: Mapping[str, Any]) -> dict[str, Chance]:
        """The chances of all outcomes, for one pool size and the inputs of one question."""
        pool = self.rows.get(dice) or self.rows_of(dice)
        key = (input_values, dice)
        parts = pool.parts.get(key)
        if parts is None:
            parts = pool.parts[key] = self.parts_of_size(dice, input_values, known, pool.parts)
        rest, counted = parts
        factors, sums, left, by_outcome = pool.factors, pool.sums, pool.total, {}
        for outcome, upto, before in counted:
            weight = sum([factors[row] * sums[row][place] for row, place in upto])
            if before:
                weight -= sum([factors[row] * sums[row][place] for row, place in before])
            left -= weight
            by_outcome[outcome] = Fraction(weight, pool.total)
        by_outcome[rest] = Fraction(left, pool.total)
        return {name: Chance(chance := by_outcome[number], chance) for number, name in enumerate(self.outcome_names)}

    def parts_of_size(
        self, dice: int, input_values: tuple[Any, ...], known: Mapping[str, Any], all_parts: dict[Any, _RowParts]
    ) -> _RowParts:
        if not self.rows_agree or dice == self.most_dice:
            return self.find_parts(dice, known, self.tail_outcomes[input_values])
        if (input_values, self.most_dice) not in all_parts:
            all_parts[input_values, self.most_dice] = self.find_parts(
                self.most_dice, known, self.tail_outcomes[input_values]
            )
        rest, counted = all_parts[input_values, self.most_dice]
        last = (len(self.rows[dice].factors), -1)
        return rest, [
            (outcome, upto[: bisect(upto, last)], before[: bisect(before, last)]) for outcome, upto, before in counted
        ]

    def find_parts(self, dice: int, known: Mapping[str, Any], rest: int) -> _RowParts:
        """For each outcome but one, the ends of its runs (row, place), and the places where these runs begin."""
        pool = self.pool(dice)
        cut = pool.axis_length(self.end)
        upto: dict[int, list[tuple[int, int]]] = {number: [] for number in range(len(self.outcome_names))}
        before: dict[int, list[tuple[int, int]]] = {number: [] for number in range(len(self.outcome_names))}
        for number, (others, shift) in enumerate(self.powers.row_shape(dice)):
            at = 0
            for end, outcome in outcome_runs(self.plan, known, pool, others, cut, self.cache):
                if end > shift:
                    upto[outcome].append((number, end - shift - 1))
                    if at > shift:
                        before[outcome].append((number, at - shift - 1))
                at = end
        return rest, [
            (number, upto[number], before[number]) for number in range(len(self.outcome_names)) if number != rest
        ]


def _make_pool_odds(odds: Odds) -> _PoolOdds | None:
    """A sheet if the question is about a single pool that drops no dice in any cell; otherwise None."""
    question = Question(odds.conditions)
    plan = odds.solver.plan(question)
    if len(plan.active) != 1 or not odds.rule.outcomes:
        return None
    try:
        group = odds.solver.group(plan, plan.active[0])
    except NotExactError:
        return None
    if not isinstance(group, PoolGroup) or len(group.starts) != 1:
        return None
    if odds.setting.kinds[group.starts[0][0].kind].keep_count is not None:
        return None
    return _PoolOdds(odds, plan, group)


_CellInputs = tuple[Any, ...]
_ChancesByInputs = dict[_CellInputs, dict[str, Chance]]


def compute_odds_table(
    rule: Rule, inputs: Mapping[str, Any], axes: Mapping[str, Sequence[Any]], policy: str = ""
) -> tuple[_ChancesByInputs, list[RollProblem]]:
    """The chances of all outcomes for each combination of the values of the axes."""
    values, complaints = bind_inputs(rule, inputs)
    columns, more = _read_axes(rule, axes)
    if complaints or more:
        return {}, [RollProblem(name, message) for name, message in [*complaints, *more]]
    try:
        return _OddsTable(rule, values, list(axes), columns, policy).compute(list(product(*axes.values()))), []
    except (RollError, EvaluationError) as error:
        return {}, [error_problem(error)]
    except BudgetError as error:
        return {}, [RollProblem("rule", str(error))]


class _OddsTable:
    """Groups the cells of a table by inputs: those that affect single dice, the pool size, or only the question."""

    def __init__(
        self, rule: Rule, values: Mapping[str, Any], names: list[str], columns: Sequence[Sequence[Any]], policy: str
    ) -> None:
        self.rule, self.values, self.names, self.policy = rule, values, names, policy
        self.cells = list(product(*columns))
        self.cache = OddsCache()
        self.variables = {entry.name: set(entry.variable_names) for entry in rule.inputs}
        self.known: dict[_CellInputs, Mapping[str, Any]] = {}
        self.counts: dict[_CellInputs, int] = {}
        self.switch_names = [entry.name for entry in rule.inputs if entry.form in ("flag", "choice")]

    def compute(self, keys: list[_CellInputs]) -> _ChancesByInputs:
        chances: dict[_CellInputs, dict[str, Chance]] = {}
        for cells in self.group_by_dice():
            pool_odds = _make_pool_odds(self.odds_of_cell(cells[0]))
            chances.update(self.pool_cells(pool_odds, cells) if pool_odds else self.single_cells(cells))
        return {key: chances[cells] for key, cells in zip(keys, self.cells, strict=True)}

    def group_by_dice(self) -> list[list[_CellInputs]]:
        """The cells, grouped by the dice that they roll."""
        compiled = compile_rule(self.rule)
        names = compiled.expand_dependencies(dice_names(compiled))
        pick = self.picker(lambda name: name in self.switch_names or self.variables[name] & names)
        groups: dict[_CellInputs, list[_CellInputs]] = {}
        for cells in self.cells:
            groups.setdefault(pick(cells), []).append(cells)
        return list(groups.values())

    def picker(self, wanted: Callable[[str], Any]) -> Callable[[_CellInputs], _CellInputs]:
        """A function that takes the values of some axes from a cell."""
        places = [place for place, name in enumerate(self.names) if wanted(name)]
        return itemgetter(*places) if places else lambda _cells: ()

    def setting(self, cells: _CellInputs) -> BoundRule:
        return BoundRule(self.rule, {**self.values, **dict(zip(self.names, cells, strict=True))})

    def odds_of_cell(self, cells: _CellInputs) -> Odds:
        setting = self.setting(cells)
        return Odds(setting, policies_in_use(setting, self.policy), self.cache)

    def single_cells(self, group: list[_CellInputs]) -> Iterator[tuple[_CellInputs, dict[str, Chance]]]:
        """The largest pools first, because their ends are valid for smaller ones too."""
        every = [(cells, self.odds_of_cell(cells)) for cells in group]
        for cells, odds in sorted(every, key=lambda pair: -sum(ready.count for ready in pair[1].setting.kinds)):
            yield cells, odds.chances

    def pool_cells(
        self, pool_odds: _PoolOdds, group: list[_CellInputs]
    ) -> Iterator[tuple[_CellInputs, dict[str, Chance]]]:
        compiled = compile_rule(self.rule)
        counting, asking = (
            compiled.collect_dependencies(kind.count for kind in self.rule.dice),
            compiled.expand_dependencies(pool_odds.plan.inputs),
        )
        pick_pool = self.picker(lambda name: self.variables[name] & counting)
        pick_asked = self.picker(lambda name: self.variables[name] & asking)
        pools = {pick_pool(cells): cells for cells in group}
        questions = {pick_asked(cells): cells for cells in group}
        dice = {pool: self.count_dice(pool_odds, pool, cells) for pool, cells in pools.items()}
        known = {question: self.known_inputs(question, cells) for question, cells in questions.items()}
        values = {question: pool_odds.plan.input_values(inputs) for question, inputs in known.items()}
        if not pool_odds.find_end(min(dice.values()), max(dice.values()), list(known.values())):
            yield from self.single_cells(group)
            return
        for cells in group:
            question = pick_asked(cells)
            yield cells, pool_odds.chances(dice[pick_pool(cells)], values[question], known[question])

    def count_dice(self, sheet: _PoolOdds, pool: _CellInputs, cells: _CellInputs) -> int:
        if pool not in self.counts:
            self.counts[pool] = self.setting(cells).kinds[sheet.kind].count
        return self.counts[pool]

    def known_inputs(self, question: _CellInputs, cells: _CellInputs) -> Mapping[str, Any]:
        if question not in self.known:
            self.known[question] = self.setting(cells).known
        return self.known[question]


def _read_axes(rule: Rule, axes: Mapping[str, Sequence[Any]]) -> tuple[list[list[Any]], list[tuple[str, str]]]:
    entries = {entry.name: entry for entry in rule.inputs}
    columns, complaints = [], []
    for name, raw in axes.items():
        if name not in entries:
            complaints.append((name, f"{rule.name} has no input «{name}»"))
            continue
        cells = [parse_value(entries[name], text) for text in raw]
        complaints += [(name, complaint) for _, complaint in cells if complaint]
        columns.append([value for value, _ in cells])
    return columns, complaints
