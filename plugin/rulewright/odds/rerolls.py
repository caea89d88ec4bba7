"""Rerolls: which dice a player picks, and the distribution of the dice after all rerolls.

Dice that no reroll can pick stay as they are; where they only shift the expected result, the choices are the same.
Expected results that differ by less than one part in ALIKE are equal: the rarest branches of exploding dice are not
followed, and ties must not depend on them. A player who neither gains nor loses by a reroll takes it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from operator import mul

from ..game.core import Reroll
from ..play.bound_rule import BoundRule
from .budget import MOST_TURNS, BudgetError
from .die_states import FinalState, IndependentParts, RolledDice, kept_after_reroll
from .state_search import StateSearch


@dataclass(frozen=True, slots=True)
class _Turn:
    """One reroll of a die, or of a round of dice."""

    entry: int  # index among the rerolls of the rule
    left: int  # turns that this reroll has left, including this one
    reroll: Reroll
    kinds: tuple[int, ...]
    following: int  # the turn that follows if the player stops here


def make_turns(setting: BoundRule, kinds: Sequence[int]) -> Iterator[_Turn]:
    """The turns in which dice of these kinds may be rerolled."""
    number = 0
    for entry, reroll in enumerate(setting.rule.again):
        own = tuple(kind for kind in setting.rule.kinds_of(reroll.of) if kind in kinds)
        times = max(setting.evaluate(reroll.times), 0) if own else 0
        number += times
        if number > MOST_TURNS:
            raise BudgetError
        for left in range(times, 0, -1):
            yield _Turn(entry, left, reroll, own, number)


_Score = Callable[[RolledDice], Fraction]
_State = tuple[int, ...]  # the final states of the dice that may be picked, by number
_States = dict[_State, int]
_ExpectedValue = Fraction | int
_ALIKE = 10**12


class Rerolls:
    """The rerolls of a bound rule for dice of some kinds; by default for all kinds that are rolled."""

    def __init__(self, search: StateSearch, score: _Score, kinds: Sequence[int] | None = None) -> None:
        self.search, self.score = search, score
        thrown = [
            ready.number for ready in search.setting.kinds if ready.count and (kinds is None or ready.number in kinds)
        ]
        self.turns = list(make_turns(search.setting, thrown))
        touched = {kind for turn in self.turns for kind in turn.kinds}
        self.kinds, self.others = [k for k in thrown if k in touched], [k for k in thrown if k not in touched]
        self.final_states = sorted(
            (rest for kind in thrown for rest in search.final_states.of_kind(kind)), key=lambda rest: rest.key
        )
        self.numbers = {rest: number for number, rest in enumerate(self.final_states)}
        self.order_matters = self.find_order()  # now: dice on a table may have other final states
        self.size = lcm(*(search.final_states.totals[kind] for kind in self.kinds))
        self.scales = [self.size ** (self.count_dice(turn) if turn.reroll.pick == "all" else 1) for turn in self.turns]
        self.scales_ahead = list(accumulate(reversed(self.scales), mul, initial=1))[::-1]
        self.reroll_weights: dict[tuple[str, int], list[tuple[int, int]]] = {}
        self.choices_by_others: dict[_State, _BestChoices] = {}

    def count_dice(self, turn: _Turn) -> int:
        return sum(self.search.setting.kinds[kind].count for kind in turn.kinds)

    def all_parts(self) -> tuple[list[IndependentParts], int]:
        """The distribution of the dice after all rerolls, in parts; in each part the dice that stay are independent."""
        states, whole = self.first_round(self.kinds)
        others, more = self.first_round(self.others)
        parts = []
        for alike in self.group_by_choices(list(states), list(others)):
            ended = self.run_turns(states, self.choices_with(alike[0]))
            self.search.spend(10 * (len(ended) + len(alike)))
            parts.append((self.to_weights(ended), self.to_weights({rest: others[rest] for rest in alike})))
        return parts, whole * self.scales_ahead[0] * more

    def to_weights(self, states: _States) -> dict[RolledDice, int]:
        return {self.to_dice(state, ()): weight for state, weight in states.items()}

    def first_round(self, kinds: Sequence[int]) -> tuple[_States, int]:
        """The dice of the first round, before any reroll."""
        whole, states = 1, _States({(): 1})
        for kind in kinds:
            ways = self.search.final_states.of_kind(kind)
            for _ in range(self.search.setting.kinds[kind].count):
                self.search.spend(2 * len(states) * len(ways))
                after: _States = {}
                for state, weight in states.items():
                    for rest, share in ways.items():
                        new = self.place_die(state, len(state), self.numbers[rest])
                        after[new] = after.get(new, 0) + weight * share
                states, whole = after, whole * self.search.final_states.totals[kind]
        return states, whole

    def find_order(self) -> bool:
        """Whether the order of equal dice matters: they may look the same but count differently."""
        kinds = {kind for turn in self.turns if turn.reroll.pick != "all" for kind in turn.kinds}
        kinds |= {ready.number for ready in self.search.setting.kinds if ready.keep_count is not None}
        values = [(rest.kind, rest.value) for rest in self.final_states if rest.kind in kinds]
        return len(values) > len(set(values))

    def place_die(self, state: _State, at: int, rest: int) -> _State:
        """The state with one more die: at its position, or sorted if the order does not matter."""
        if self.order_matters:
            return (*state[:at], rest, *state[at:])
        dice = list(state)
        insort(dice, rest)
        return tuple(dice)

    def to_dice(self, state: _State, others: _State) -> RolledDice:
        dice = (*state, *others)
        return tuple(self.final_states[number] for number in (dice if self.order_matters else sorted(dice)))

    def group_by_choices(self, states: Sequence[_State], others: Sequence[_State]) -> list[list[_State]]:
        """Groups the dice that stay by which choices are best with them."""
        if not any(turn.reroll.pick == "any" for turn in self.turns):
            return [list(others)]
        classes: dict[tuple[int, ...], list[_State]] = {}
        for rest in others:
            self.search.spend(25 * len(states))
            scores = [self.score(self.to_dice(state, rest)) for state in states]
            classes.setdefault(_normalize_differences(scores), []).append(rest)
        return list(classes.values())

    def run_turns(self, states: _States, chooser: _BestChoices) -> _States:
        """The states after all turns, with weights."""
        for number, turn in enumerate(self.turns):
            weights: _States = {}
            for state, weight in states.items():
                for after, share in self.moves(state, number, self.pick(state, number, turn, chooser)):
                    weights[after] = weights.get(after, 0) + weight * share
            states = weights
        return states

    def pick(self, state: _State, number: int, turn: _Turn, chooser: _BestChoices) -> int | None:
        if turn.reroll.pick == "any":
            return chooser.value(state, number)[1]
        return self.forced_pick(state, turn) if turn.reroll.pick != "all" else None

    def forced_pick(self, state: _State, turn: _Turn) -> int | None:
        """The highest or lowest die; among equals the first."""
        best = max if turn.reroll.pick == "highest" else min
        return best(self.candidates(state, turn), key=lambda number: self.final_states[number].value, default=None)

    def may_roll(self, turn: _Turn, number: int) -> bool:
        """Whether a turn is about a die."""
        rest = self.final_states[number]
        return rest.kind in turn.kinds and self.search.setting.is_rerolled(turn.reroll, rest.kind, rest.value)

    def candidates(self, state: _State, turn: _Turn) -> list[int]:
        """The dice that may be picked, by kind, then by value; among equals the first is picked."""
        ordered = sorted(state, key=lambda number: self.final_states[number].value)
        able = [number for number in ordered if self.may_roll(turn, number)]
        return [number for kind in turn.kinds for number in able if self.final_states[number].kind == kind]

    def moves(self, state: _State, number: int, picked: int | None) -> Iterator[tuple[_State, int]]:
        """The states after a turn, with weights."""
        turn = self.turns[number]
        if turn.reroll.pick == "all":
            yield from self.reroll_all(state, turn)
        elif picked is None:
            yield state, self.size
        else:
            at, ways = state.index(picked), self.reroll_die(turn.reroll, picked)
            self.search.spend(2 * len(ways))
            for rest, weight in ways:
                yield self.place_die((*state[:at], *state[at + 1 :]), at, rest), weight

    def reroll_die(self, reroll: Reroll, old: int) -> list[tuple[int, int]]:
        """The states of a die after its reroll, with weights."""
        if (reroll.keep, old) not in self.reroll_weights:
            kind, weights = self.final_states[old].kind, dict[int, int]()
            step = self.size // self.search.final_states.totals[kind]
            for new, weight in self.search.final_states.of_kind(kind).items():
                number = self.numbers[kept_after_reroll(reroll, self.final_states[old], new)]
                weights[number] = weights.get(number, 0) + weight * step
            self.reroll_weights[reroll.keep, old] = list(weights.items())
        return self.reroll_weights[reroll.keep, old]

    def reroll_all(self, state: _State, turn: _Turn) -> Iterator[tuple[_State, int]]:
        """Rerolls every die that meets the condition; a die that stays has the full weight."""
        states: _States = {(): 1}
        for old in state:
            rest, after = self.final_states[old], dict[_State, int]()
            stay = self.size if rest.kind in turn.kinds else 1
            ways = self.reroll_die(turn.reroll, old) if self.may_roll(turn, old) else [(old, stay)]
            self.search.spend(2 * len(states) * len(ways))
            for dice, weight in states.items():
                for new, share in ways:
                    key = self.place_die(dice, len(dice), new)
                    after[key] = after.get(key, 0) + weight * share
            states = after
        yield from states.items()

    def choices_with(self, others: _State) -> _BestChoices:
        if others not in self.choices_by_others:
            self.choices_by_others[others] = _BestChoices(self, others)
        return self.choices_by_others[others]

    def expected_value(self, lying: RolledDice, number: int, left: int) -> tuple[Fraction, FinalState | None]:
        """The expected result with so many rerolls of an entry left, and the die to pick for it."""
        for rest in lying:
            if rest not in self.numbers:
                self.numbers[rest] = len(self.final_states)
                self.final_states.append(rest)
        dice = [
            self.numbers[rest] for rest in (lying if self.order_matters else sorted(lying, key=lambda rest: rest.key))
        ]
        chooser = self.choices_with(tuple(die for die in dice if self.final_states[die].kind in self.others))
        turn = next(at for at, turn in enumerate(self.turns) if (turn.entry, turn.left) == (number, left))
        expected, picked = chooser.value(tuple(die for die in dice if self.final_states[die].kind in self.kinds), turn)
        return Fraction(expected) / self.scales_ahead[turn], None if picked is None else self.final_states[picked]


@dataclass
class _BestChoices:
    """The choices with the best expected result, given the dice that stay."""

    rerolls: Rerolls
    others: _State

    def __post_init__(self) -> None:
        self.known_values: dict[tuple[_State, int], tuple[_ExpectedValue, int | None]] = {}

    def value(self, state: _State, number: int) -> tuple[_ExpectedValue, int | None]:
        """The best expected result, times the scales of the turns ahead, and the die to pick for it."""
        best = self.known_values.get((state, number))
        if best is None:
            best = self.known_values[state, number] = self.compute_value(state, number)
        return best

    def compute_value(self, state: _State, number: int) -> tuple[_ExpectedValue, int | None]:
        rerolls = self.rerolls
        if number == len(rerolls.turns):
            rerolls.search.spend(10 * len(state))
            score = rerolls.score(rerolls.to_dice(state, self.others))
            return (score.numerator if score.denominator == 1 else score), None
        turn = rerolls.turns[number]
        if turn.reroll.pick != "any":
            return self.mean_value(state, number, rerolls.pick(state, number, turn, self)), None
        stop, whole = self.value(state, turn.following)[0], rerolls.scales_ahead[number]
        best, chosen = stop * (whole // rerolls.scales_ahead[turn.following]), None
        for picked in dict.fromkeys(rerolls.candidates(state, turn)):
            mean = self.mean_value(state, number, picked)
            gain, slack = _ALIKE * (mean - best), max(whole, best, -best)
            if gain > slack:
                best, chosen = mean, picked
            elif gain > -slack and chosen is None:
                chosen = picked
        return best, chosen

    def mean_value(self, state: _State, number: int, picked: int | None) -> _ExpectedValue:
        moves = self.rerolls.moves(state, number, picked)
        return sum(self.value(after, number + 1)[0] * weight for after, weight in moves)


def _normalize_differences(scores: Sequence[Fraction]) -> tuple[int, ...]:
    """The differences of the scores from the first one, reduced: equal results mean equal choices."""
    whole = lcm(*{score.denominator for score in scores})
    numbers = [score.numerator * (whole // score.denominator) for score in scores]
    differences = [number - numbers[0] for number in numbers]
    common = gcd(whole, *differences)
    return (whole // common, *(number // common for number in differences))
