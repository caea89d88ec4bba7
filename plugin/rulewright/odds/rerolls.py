"""Rerolls: which dice a player picks, and the distribution of the dice after all rerolls.

Dice that no reroll can pick stay as they are; where they only shift the expected result, the choices are the same.
Expected results that differ by less than one part in ALIKE are equal: the rarest branches of exploding dice are not
followed, and ties must not depend on them. A player who neither gains nor loses by a reroll takes it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, lcm
from operator import mul

from ..game.model import Reroll
from ..play.bound_rule import Setting
from .die_states import Lying, Part, Rest, stays
from .plan import TooMuch
from .state_search import Walk

MOST_TURNS = 100


@dataclass(frozen=True, slots=True)
class Turn:
    """One reroll of a die, or of a round of dice."""

    entry: int  # index among the rerolls of the rule
    left: int  # turns that this reroll has left, including this one
    reroll: Reroll
    kinds: tuple[int, ...]
    following: int  # the turn that follows if the player stops here


def make_turns(setting: Setting, kinds: Sequence[int]) -> Iterator[Turn]:
    """The turns in which dice of these kinds may be rerolled."""
    number = 0
    for entry, reroll in enumerate(setting.rule.rerolls):
        among = [setting.rule.kind_numbers[name] for name in reroll.among]
        own = tuple(kind for kind in among if kind in kinds)
        times = max(setting.of(reroll.times), 0) if own else 0
        number += times
        if number > MOST_TURNS:
            raise TooMuch
        for left in range(times, 0, -1):
            yield Turn(entry, left, reroll, own, number)


Score = Callable[[Lying], Fraction]
State = tuple[int, ...]  # the final states of the dice that may be picked, by number
States = dict[State, int]
Hope = Fraction | int
ALIKE = 10**12


class Rerolls:
    """The rerolls of a bound rule for dice of some kinds; by default for all kinds that are rolled."""

    def __init__(self, walk: Walk, score: Score, kinds: Sequence[int] | None = None) -> None:
        self.walk, self.score = walk, score
        thrown = [
            ready.number for ready in walk.setting.kinds if ready.count and (kinds is None or ready.number in kinds)
        ]
        self.turns = list(make_turns(walk.setting, thrown))
        touched = {kind for turn in self.turns for kind in turn.kinds}
        self.kinds, self.others = [k for k in thrown if k in touched], [k for k in thrown if k not in touched]
        self.rests = sorted((rest for kind in thrown for rest in walk.rests.of(kind)), key=lambda rest: rest.key)
        self.numbers = {rest: number for number, rest in enumerate(self.rests)}
        self.size = lcm(*(walk.rests.wholes[kind] for kind in self.kinds))
        self.scales = [self.size ** (self.dice(turn) if turn.reroll.pick == "all" else 1) for turn in self.turns]
        self.ahead = list(accumulate(reversed(self.scales), mul, initial=1))[::-1]
        self.ways: dict[tuple[str, int], list[tuple[int, int]]] = {}
        self.choosers: dict[State, Chooser] = {}

    def dice(self, turn: Turn) -> int:
        return sum(self.walk.setting.kinds[kind].count for kind in turn.kinds)

    def all(self) -> tuple[list[Part], int]:
        """The distribution of the dice after all rerolls, in parts; in each part the dice that stay are independent."""
        states, whole = self.first(self.kinds)
        others, more = self.first(self.others)
        parts = []
        for alike in self.sorted_by_hopes(list(states), list(others)):
            ended = self.ended(states, self.chooser(alike[0]))
            self.walk.spend(10 * (len(ended) + len(alike)))
            parts.append((self.shown(ended), self.shown({rest: others[rest] for rest in alike})))
        return parts, whole * self.ahead[0] * more

    def shown(self, states: States) -> dict[Lying, int]:
        return {self.lying(state, ()): weight for state, weight in states.items()}

    def first(self, kinds: Sequence[int]) -> tuple[States, int]:
        """The dice of the first round, before any reroll."""
        whole, states = 1, States({(): 1})
        for kind in kinds:
            ways = self.walk.rests.of(kind)
            for _ in range(self.walk.setting.kinds[kind].count):
                self.walk.spend(2 * len(states) * len(ways))
                after: States = {}
                for state, weight in states.items():
                    for rest, share in ways.items():
                        new = self.placed(state, len(state), self.numbers[rest])
                        after[new] = after.get(new, 0) + weight * share
                states, whole = after, whole * self.walk.rests.wholes[kind]
        return states, whole

    @cached_property
    def in_order(self) -> bool:
        """Whether the order of equal dice matters: they may look the same but count differently."""
        kinds = {kind for turn in self.turns if turn.reroll.pick != "all" for kind in turn.kinds}
        kinds |= {ready.number for ready in self.walk.setting.kinds if ready.keep is not None}
        values = [(rest.kind, rest.value) for rest in self.rests if rest.kind in kinds]
        return len(values) > len(set(values))

    def placed(self, state: State, at: int, rest: int) -> State:
        """The state with one more die: at its position, or sorted if the order does not matter."""
        if self.in_order:
            return (*state[:at], rest, *state[at:])
        found = list(state)
        insort(found, rest)
        return tuple(found)

    def lying(self, state: State, others: State) -> Lying:
        dice = (*state, *others)
        return tuple(self.rests[number] for number in (dice if self.in_order else sorted(dice)))

    def sorted_by_hopes(self, states: Sequence[State], others: Sequence[State]) -> list[list[State]]:
        """Groups the dice that stay by which choices are best with them."""
        if not any(turn.reroll.pick == "any" for turn in self.turns):
            return [list(others)]
        classes: dict[tuple[int, ...], list[State]] = {}
        for rest in others:
            self.walk.spend(25 * len(states))
            scores = [self.score(self.lying(state, rest)) for state in states]
            classes.setdefault(apart(scores), []).append(rest)
        return list(classes.values())

    def ended(self, states: States, chooser: Chooser) -> States:
        """The states after all turns, with weights."""
        for number, turn in enumerate(self.turns):
            found: States = {}
            for state, weight in states.items():
                for after, share in self.moves(state, number, self.pick(state, number, turn, chooser)):
                    found[after] = found.get(after, 0) + weight * share
            states = found
        return states

    def pick(self, state: State, number: int, turn: Turn, chooser: Chooser) -> int | None:
        if turn.reroll.pick == "any":
            return chooser.value(state, number)[1]
        return self.forced(state, turn) if turn.reroll.pick != "all" else None

    def forced(self, state: State, turn: Turn) -> int:
        """The highest or lowest die; among equals the first."""
        best = max if turn.reroll.pick == "highest" else min
        return best(self.candidates(state, turn), key=lambda number: self.rests[number].value)

    def candidates(self, state: State, turn: Turn) -> list[int]:
        """The dice that may be picked, by kind, then by value; among equals the first is picked."""
        ordered = sorted(state, key=lambda number: self.rests[number].value) if self.in_order else state
        return [number for kind in turn.kinds for number in ordered if self.rests[number].kind == kind]

    def moves(self, state: State, number: int, picked: int | None) -> Iterator[tuple[State, int]]:
        """The states after a turn, with weights."""
        turn = self.turns[number]
        if turn.reroll.pick == "all":
            yield from self.every(state, turn)
        elif picked is None:
            yield state, self.size
        else:
            at, ways = state.index(picked), self.anew(turn.reroll, picked)
            self.walk.spend(2 * len(ways))
            for rest, weight in ways:
                yield self.placed((*state[:at], *state[at + 1 :]), at, rest), weight

    def anew(self, reroll: Reroll, old: int) -> list[tuple[int, int]]:
        """The states of a die after its reroll, with weights."""
        if (reroll.keep, old) not in self.ways:
            kind, found = self.rests[old].kind, dict[int, int]()
            step = self.size // self.walk.rests.wholes[kind]
            for new, weight in self.walk.rests.of(kind).items():
                number = self.numbers[stays(reroll, self.rests[old], new)]
                found[number] = found.get(number, 0) + weight * step
            self.ways[reroll.keep, old] = list(found.items())
        return self.ways[reroll.keep, old]

    def every(self, state: State, turn: Turn) -> Iterator[tuple[State, int]]:
        """Rerolls every die that meets the condition; a die that stays has the full weight."""
        found: States = {(): 1}
        for old in state:
            rest, after = self.rests[old], dict[State, int]()
            meets = rest.kind in turn.kinds and self.walk.setting.meets(turn.reroll, rest.kind, rest.value)
            stay = self.size if rest.kind in turn.kinds else 1
            ways = self.anew(turn.reroll, old) if meets else [(old, stay)]
            self.walk.spend(2 * len(found) * len(ways))
            for dice, weight in found.items():
                for new, share in ways:
                    key = self.placed(dice, len(dice), new)
                    after[key] = after.get(key, 0) + weight * share
            found = after
        yield from found.items()

    def chooser(self, others: State) -> Chooser:
        if others not in self.choosers:
            self.choosers[others] = Chooser(self, others)
        return self.choosers[others]

    def value(self, lying: Lying, number: int, left: int) -> tuple[Fraction, Rest | None]:
        """The expected result with so many rerolls of an entry left, and the die to pick for it."""
        for rest in lying:
            if rest not in self.numbers:
                self.numbers[rest] = len(self.rests)
                self.rests.append(rest)
        dice = [self.numbers[rest] for rest in (lying if self.in_order else sorted(lying, key=lambda rest: rest.key))]
        chooser = self.chooser(tuple(one for one in dice if self.rests[one].kind in self.others))
        turn = next(at for at, turn in enumerate(self.turns) if (turn.entry, turn.left) == (number, left))
        hope, picked = chooser.value(tuple(one for one in dice if self.rests[one].kind in self.kinds), turn)
        return Fraction(hope) / self.ahead[turn], None if picked is None else self.rests[picked]


@dataclass
class Chooser:
    """The choices with the best expected result, given the dice that stay."""

    rerolls: Rerolls
    others: State

    def __post_init__(self) -> None:
        self.known: dict[tuple[State, int], tuple[Hope, int | None]] = {}

    def value(self, state: State, number: int) -> tuple[Hope, int | None]:
        """The best expected result, times the scales of the turns ahead, and the die to pick for it."""
        found = self.known.get((state, number))
        if found is None:
            found = self.known[state, number] = self.weigh(state, number)
        return found

    def weigh(self, state: State, number: int) -> tuple[Hope, int | None]:
        rerolls = self.rerolls
        if number == len(rerolls.turns):
            score = rerolls.score(rerolls.lying(state, self.others))
            return (score.numerator if score.denominator == 1 else score), None
        turn = rerolls.turns[number]
        if turn.reroll.pick != "any":
            return self.mean(state, number, rerolls.pick(state, number, turn, self)), None
        stop, whole = self.value(state, turn.following)[0], rerolls.ahead[number]
        best, chosen = stop * (whole // rerolls.ahead[turn.following]), None
        for picked in dict.fromkeys(rerolls.candidates(state, turn)):
            mean = self.mean(state, number, picked)
            gain, slack = ALIKE * (mean - best), max(whole, best, -best)
            if gain > slack:
                best, chosen = mean, picked
            elif gain > -slack and chosen is None:
                chosen = picked
        return best, chosen

    def mean(self, state: State, number: int, picked: int | None) -> Hope:
        moves = self.rerolls.moves(state, number, picked)
        return sum(self.value(after, number + 1)[0] * weight for after, weight in moves)


def apart(scores: Sequence[Fraction]) -> tuple[int, ...]:
    """The differences of the scores from the first one, reduced: equal results mean equal choices."""
    whole = lcm(*{score.denominator for score in scores})
    numbers = [score.numerator * (whole // score.denominator) for score in scores]
    far = [number - numbers[0] for number in numbers]
    common = gcd(whole, *far)
    return (whole // common, *(number // common for number in far))
