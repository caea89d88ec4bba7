"""The oracle: the language of games once more, slow and obvious, from the text of a game.toml. No code of the engine.

It rolls the dice in all ways and evaluates the steps and outcomes for each. Dice that may go on forever are followed
until that is too unlikely: the probability of the rest is `missing`, and every chance has two bounds. A player's choice
takes the plan with the best result, by trying all of them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

from oracle_formulas import FailedError, Function, Parser, Tally

ZERO = Fraction(0)
MOST_WORK = 25_000  # rolls that are followed, for one question
FAILED = "(failed)"  # the value of a step without one
NEVER = {"when": 0, "roll": ""}  # an entry of `again` that no throw meets


class TooManyRollsError(Exception):
    """There are more ways to roll than the oracle tries."""


class RollResult(NamedTuple):
    """The result of a roll. `FAILED` where a formula has no value."""

    outcome: str
    degree: Any
    steps: tuple[tuple[str, Any], ...]

    def value(self, step: str) -> Any:
        return dict(self.steps)[step]


@dataclass(frozen=True)
class Enumerated:
    """Every result with its chance; `complete` if nothing was left out on which a choice may depend."""

    results: Mapping[RollResult, Fraction]
    complete: bool

    @cached_property
    def missing(self) -> Fraction:
        return 1 - sum(self.results.values(), ZERO)

    def chance(self, holds: Callable[[RollResult], bool]) -> Fraction:
        return sum((chance for end, chance in self.results.items() if holds(end)), ZERO)

    def distribution(self, value: Callable[[RollResult], Any]) -> dict[Any, Fraction]:
        chances: defaultdict[Any, Fraction] = defaultdict(Fraction)
        for end, chance in self.results.items():
            chances[value(end)] += chance
        return dict(chances)

    def mean(self, value: Callable[[RollResult], int]) -> Fraction:
        return sum((chance * value(end) for end, chance in self.results.items()), ZERO)


class Die(NamedTuple):
    """A die on the table, with all that can matter about its throws."""

    kind: str
    value: int
    hits: tuple[int, ...]  # for each tally with a test, how often it or one of its throws passes
    earned: int  # dice


Dice = tuple[Die, ...]  # in the order rolled
Chances = dict[Any, Fraction]


class ThrowFacts(NamedTuple):
    """What a throw does."""

    explodes: bool
    is_optional: bool  # the explosion
    earned: int
    may_decline: bool


class World(dict[str, Any]):
    """The values of names; those of formulas are worked out when they are asked for."""

    tallies: Mapping[int, int]

    def __init__(self, values: Mapping[str, Any], formulas: Mapping[str, Function], around: World | None = None):
        super().__init__(values)
        self.formulas, self.around = formulas, around

    def __missing__(self, name: str) -> Any:
        if name not in self.formulas and self.around is not None:
            return self.around[name]
        value = self[name] = self.formulas[name](self)
        return value


def read_value(entry: Mapping[str, Any], text: str, tables: Mapping[str, Any]) -> Any:
    """The value of an input as an author writes it: a number, a word, or the two numbers of a die code."""
    if "flag" in entry:
        return int(text in ("yes", "true"))
    if "choice" in entry:
        return text
    if "code" in entry:
        dice, _, pips = text.partition("D")
        return int(dice), int(pips or 0)
    if "die" in entry:
        return 0 if text == "none" else int(text.removeprefix("d"))
    if re.fullmatch(r"[-−]?\d+", text):
        return int(text.replace("−", "-"))
    table = tables[entry["names"]]
    if "ranges" not in table:
        cells = table.get("rows", table)[text]
        return cells[0] if isinstance(cells, list) else cells
    (ends,) = (ends for ends, cells in table["ranges"].items() if cells[0] == text)
    low, _, high = ends.partition("..")
    return int(low or high)


class Oracle:
    """One rule of a game with its inputs; `takes` says whether optional dice are rolled. None: some may be."""

    def __init__(self, text: str, rule: str, inputs: Mapping[str, str], takes: bool | None = True) -> None:
        game = tomllib.loads(text)
        self.rule, self.takes, self.is_cut = game["rules"][rule], takes, False
        self.parsed: dict[str, Function] = {}
        self.kinds: Mapping[str, Mapping[str, Any]] = self.rule.get("dice", {})
        tests = frozenset(test for kind in self.kinds.values() for test in kind.get("tests", {}))
        self.parser = Parser(game.get("tables", {}), tests)
        self.steps: Mapping[str, str] = self.rule.get("steps", {})
        self.outcomes: Mapping[str, Mapping[str, str]] = self.rule.get("outcomes", {})
        self.rerolls = _listed(self.rule.get("again", []))
        self.formulas: dict[str, Function] = {name: self.parse(formula) for name, formula in self.steps.items()}
        self.values: dict[str, Any] = {"true": 1, "false": 0}
        self.parse_rest()
        for name, entry in self.rule.get("inputs", {}).items():
            self.bind(name, entry, read_value(entry, inputs[name], self.parser.tables))
        self.before = World(self.values, self.formulas)
        self.work = 0
        self.facts = cache(self.throw_facts)
        self.evaluate_tallies = cache(self.evaluate)

    def parse(self, formula: Any) -> Function:
        text = str(formula).lower() if isinstance(formula, bool) else str(formula)
        if text not in self.parsed:
            self.parsed[text] = self.parser.parse(text)
        return self.parsed[text]

    def parse_rest(self) -> None:
        """The formulas after the steps, so that all tallies are known."""
        for entry in self.outcomes.values():
            for key in ("when", "degree"):
                self.parse(entry.get(key, 1))
        for formula in self.rule.get("marks", {}).values():
            self.parse(formula)

    def bind(self, name: str, entry: Mapping[str, Any], value: Any) -> None:
        if "code" in entry:
            self.values.update(zip(entry["code"], value, strict=True))
        elif "asked" in entry:
            asked, default = self.parse(entry["asked"]), entry["default"]
            other = int(default) if isinstance(default, bool) else default
            self.formulas[name] = lambda world: value if asked(world) else other
        else:
            self.values[name] = value

    # One die

    @cached_property
    def faces(self) -> Mapping[str, Mapping[int, Fraction]]:
        """The faces of each kind with their chances."""
        return _Lazy(self.find_faces)

    def find_faces(self, kind: str) -> Mapping[int, Fraction]:
        entry = self.kinds[kind]
        faces = entry["faces"].values() if "faces" in entry else range(1, self.number(entry["sides"]) + 1)
        return {face: Fraction(count, len(faces)) for face, count in Counter(faces).items()}

    def number(self, formula: Any) -> int:
        value: int = self.parse(formula)(self.before)
        return value

    def sides(self, kind: str) -> int:
        entry = self.kinds[kind]
        return len(entry["faces"]) if "faces" in entry else self.number(entry["sides"])

    def test_world(self, kind: str, **values: int) -> World:
        tests = self.kinds[kind].get("tests", {})
        words = {word: partial(_truth, self.parse(test)) for word, test in tests.items()}
        return World({**values, "sides": self.sides(kind)}, words, self.before)

    def explosion(self, kind: str) -> Mapping[str, Any]:
        """What makes dice of a kind explode."""
        return next(
            (entry for entry in _listed(self.kinds[kind].get("again", [])) if entry["roll"] == "explode"), NEVER
        )

    def earning(self, kind: str) -> Mapping[str, Any]:
        """What makes dice of a kind earn others."""
        return next(
            (entry for entry in _listed(self.kinds[kind].get("again", [])) if entry["roll"] != "explode"), NEVER
        )

    def throw_facts(self, kind: str, face: int, last: int, throw: int) -> ThrowFacts:
        world = self.test_world(kind, face=face, last=last, throw=throw)
        explode, again = self.explosion(kind), self.earning(kind)
        earns = bool(self.parse(again["when"])(world))
        return ThrowFacts(
            bool(self.parse(explode["when"])(world)),
            bool(self.parse(explode.get("optional", 0))(world)),
            self.parse(again.get("count", 1))(world) if earns else 0,
            earns and bool(self.parse(again.get("optional", 0))(world)),
        )

    def throw_facts_of(self, kind: str, throws: tuple[int, ...]) -> Iterator[ThrowFacts]:
        return (self.facts(kind, *throw) for throw in _with_last(throws))

    def may_go_on(self, kind: str, throws: tuple[int, ...]) -> set[bool]:
        """Whether a die is rolled again after these throws."""
        *_, facts = self.throw_facts_of(kind, throws)
        if not (facts.explodes and facts.is_optional):
            return {facts.explodes}
        return {True, False} if self.takes is None else {self.takes}

    def die_rolls(self, kind: str, unlikely: Fraction) -> dict[Die, Fraction]:
        """The ways to roll one die."""
        rolls = defaultdict[Die, Fraction](Fraction)
        pending: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
        while pending:
            throws, chance = pending.pop()
            self.spend(len(self.faces[kind]))
            for face, share in self.faces[kind].items():
                longer, part = (*throws, face), chance * share
                may_go_on = self.may_go_on(kind, longer)
                for die in self.make_dice(kind, longer) if False in may_go_on else ():
                    rolls[die] += part
                if True in may_go_on and part >= unlikely:
                    pending.append((longer, part))
                self.is_cut |= True in may_go_on and part < unlikely
        return dict(rolls)

    def make_dice(self, kind: str, throws: tuple[int, ...]) -> list[Die]:
        """The die with these throws, once for each number of dice that it may earn."""
        hits = [self.count_hits(tally, throws) if tally.kind == kind and tally.test else 0 for tally in self.tallies]
        facts = list(self.throw_facts_of(kind, throws))
        most = sum(fact.earned for fact in facts)
        least = sum(fact.earned for fact in facts if not fact.may_decline)
        numbers = range(least, most + 1) if self.takes is None else [most if self.takes else least]
        return [Die(kind, sum(throws), tuple(hits), earned) for earned in numbers]

    def count_hits(self, tally: Tally, throws: tuple[int, ...]) -> int:
        """How often a die, or one of its throws, passes the test of a tally."""
        assert tally.test
        if not tally.is_per_throw:
            return int(bool(tally.test(self.test_world(tally.kind, value=sum(throws)))))
        worlds = (
            self.test_world(tally.kind, face=face, last=last, throw=throw) for face, last, throw in _with_last(throws)
        )
        return sum(bool(tally.test(world)) for world in worlds)

    def spend(self, rolls: int) -> None:
        self.work += rolls
        if self.work > MOST_WORK:
            raise TooManyRollsError

    def earns(self, kind: str) -> str:
        """The kind of the dice that dice of this kind earn."""
        roll: str = self.earning(kind)["roll"]
        return roll

    # What the dice mean

    @cached_property
    def tallies(self) -> list[Tally]:
        return list(self.parser.tallies.values())

    def picked_dice(self, dice: Iterable[Die], tally: Tally) -> list[Die]:
        """The dice that a tally is about."""
        own = [die for die in dice if die.kind == tally.kind]
        if tally.number:
            own.sort(key=lambda die: -die.value if tally.pick == "highest" else die.value)
            own = own[: tally.number(self.before)]
        return own

    def finish(self, dice: Dice) -> RollResult:
        """The result of the dice on the table."""
        result: RollResult = self.evaluate_tallies(self.count_tallies(dice))
        return result

    def count_tallies(self, dice: Dice) -> tuple[int, ...]:
        picked = [self.picked_dice(dice, tally) for tally in self.tallies]
        totals: dict[str, Callable[[list[int]], int]] = {"sum": sum, "count": len, "highest": max, "lowest": min}
        return tuple(
            sum(die.hits[number] for die in own)
            if tally.test
            else totals[tally.function]([die.value for die in own] or [0] * (tally.function != "count"))
            for number, (tally, own) in enumerate(zip(self.tallies, picked, strict=True))
        )

    def world_of(self, tallies: tuple[int, ...]) -> World:
        world = World(self.values, self.formulas)
        world.tallies = dict(enumerate(tallies))
        return world

    def evaluate(self, tallies: tuple[int, ...]) -> RollResult:
        world = self.world_of(tallies)
        steps = tuple((name, _or_failed(partial(world.__getitem__, name))) for name in self.steps)
        outcome = _or_failed(lambda: self.find_outcome(world)) if self.outcomes else ""
        formula = self.outcomes.get(outcome, {}).get("degree")
        return RollResult(outcome, _or_failed(lambda: self.parse(formula)(world)) if formula else None, steps)

    def find_outcome(self, world: World) -> str:
        return next(name for name, entry in self.outcomes.items() if self.parse(entry.get("when", 1))(world))

    def marks(self, dice: Dice) -> dict[str, Any]:
        world = self.world_of(self.count_tallies(dice))
        marks = {
            name: _or_failed(partial(self.parse(f"max({formula}, 0)"), world))
            for name, formula in self.rule.get("marks", {}).items()
        }
        return {name: number for name, number in marks.items() if number != FAILED}


def _listed(entries: Any) -> list[Mapping[str, Any]]:
    """One entry, or a list of them, as a list."""
    return entries if isinstance(entries, list) else [entries]


def _truth(test: Function, world: World) -> int:
    return int(bool(test(world)))


def _or_failed(compute: Callable[[], Any]) -> Any:
    try:
        return compute()
    except FailedError:
        return FAILED


def _with_last(throws: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """Face, last face and number of each throw."""
    return zip(throws, (0, *throws), range(1, len(throws) + 1), strict=False)


class _Lazy(dict[str, Any]):
    def __init__(self, compute: Callable[[str], Any]) -> None:
        super().__init__()
        self.compute = compute

    def __missing__(self, key: str) -> Any:
        self[key] = self.compute(key)
        return self[key]


class Turn(NamedTuple):
    """One reroll of a die, or of all that meet a condition; `after` is the turn that follows if the player stops."""

    entry: Mapping[str, Any]
    after: int


class Enumerator:
    """All ways to roll the dice of a rule."""

    def __init__(self, oracle: Oracle, worth: Callable[[RollResult], Fraction], unlikely: Fraction) -> None:
        self.oracle, self.worth, self.unlikely = oracle, worth, unlikely
        self.one = _Lazy(lambda kind: oracle.die_rolls(kind, unlikely))
        # Where one die of a kind is picked or kept, the order of those with the same value may matter.
        picks = bool(oracle.rerolls) or any(tally.number for tally in oracle.tallies)
        self.has_order = picks and any(oracle.explosion(kind) is not NEVER for kind in oracle.kinds)
        self.turns = list(self.make_turns())
        self.hope, self.best = cache(self.find_hope), cache(self.find_best)
        self.has_choice = any(turn.entry["pick"] == "any" for turn in self.turns)

    def make_turns(self) -> Iterator[Turn]:
        number = 0
        for entry in self.oracle.rerolls:
            times = max(self.oracle.number(entry.get("times", 1)), 0)
            number += times
            yield from [Turn(entry, number)] * times

    def order(self, dice: Iterable[Die]) -> Dice:
        return tuple(dice) if self.has_order else tuple(sorted(dice))

    def add_dice(self, states: Mapping[Dice, Fraction], kind: str, count: int) -> dict[Dice, Fraction]:
        """These states with more dice of a kind."""
        for _ in range(count):
            after: defaultdict[Dice, Fraction] = defaultdict(Fraction)
            self.oracle.spend(len(states) * len(self.one[kind]))
            for dice, chance in states.items():
                for die, share in self.one[kind].items():
                    if share >= self.unlikely * 10 or chance * share >= self.unlikely / 10:
                        after[self.order((*dice, die))] += chance * share
                    else:
                        self.oracle.is_cut = True
            states = after
        return dict(states)

    def enumerate(self) -> Enumerated:
        states: dict[Dice, Fraction] = {(): Fraction(1)}
        for kind, entry in self.oracle.kinds.items():
            states = self.add_dice(states, kind, self.oracle.number(entry.get("count", 1)))
        if self.has_choice and self.oracle.is_cut:
            return Enumerated({}, False)  # what is best is not known
        if any(self.is_only_earned(kind) for turn in self.turns for kind in self.among(turn.entry)):
            return Enumerated({}, False)  # the entry waits until these dice are earned, which is not told here
        for number in range(len(self.turns)):
            after: defaultdict[tuple[Dice, int], Fraction] = defaultdict(Fraction)
            for dice, chance in states.items():
                for (new, _), share in self.moves(dice, number).items():
                    after[new, number + 1] += chance * share
            states = {dice: chance for (dice, _), chance in after.items()}
        results: defaultdict[RollResult, Fraction] = defaultdict(Fraction)
        for dice, chance in states.items():
            for end, share in self.ends(dice, chance).items():
                results[end] += chance * share
        fails = any(FAILED in (end.outcome, *dict(end.steps).values()) for end in results)
        return Enumerated(dict(results), not (self.has_choice and (self.oracle.is_cut or fails)))

    # Rerolls

    def candidates(self, dice: Dice, entry: Mapping[str, Any]) -> list[int]:
        """The places of the dice that may be picked."""
        return [place for kind in self.among(entry) for place, die in enumerate(dice) if die.kind == kind]

    def among(self, entry: Mapping[str, Any]) -> list[str]:
        """The kinds of dice that an entry rolls again, as listed."""
        if "of" not in entry:
            return [name for name in self.oracle.kinds if not self.is_only_earned(name)]
        return [entry["of"]] if isinstance(entry["of"], str) else list(entry["of"])

    def is_only_earned(self, kind: str) -> bool:
        is_earned = any(self.oracle.earns(other) == kind for other in self.oracle.kinds)
        return is_earned and str(self.oracle.kinds[kind].get("count", 1)) == "0"

    def moves(self, dice: Dice, number: int) -> dict[tuple[Dice, int], Fraction]:
        """The states after a turn, each with the turn that follows."""
        turn = self.turns[number]
        places, pick = self.candidates(dice, turn.entry), turn.entry["pick"]
        if pick == "all":
            return {(after, number + 1): share for after, share in self.reroll_all(dice, places, turn.entry).items()}
        if not places:
            return {(dice, number + 1): Fraction(1)}
        if pick == "any":
            if self.oracle.takes is None:
                return {
                    state: share
                    for place in (*places, None)
                    for state, share in self.choose(dice, number, place).items()
                }
            place = self.best(dice, number)
        else:
            place = (max if pick == "highest" else min)(places, key=lambda place: dice[place].value)
        return self.choose(dice, number, place)

    def choose(self, dice: Dice, number: int, place: int | None) -> dict[tuple[Dice, int], Fraction]:
        if place is None:
            return {(dice, self.turns[number].after): Fraction(1)}
        rolls = self.reroll({dice: Fraction(1)}, place, self.turns[number].entry)
        ordered: defaultdict[tuple[Dice, int], Fraction] = defaultdict(Fraction)
        for after, share in rolls.items():
            ordered[self.order(after), number + 1] += share
        return dict(ordered)

    def reroll(self, states: Mapping[Dice, Fraction], place: int, entry: Mapping[str, Any]) -> dict[Dice, Fraction]:
        """These states with the die in one place thrown once more."""
        after: defaultdict[Dice, Fraction] = defaultdict(Fraction)
        for dice, chance in states.items():
            old = dice[place]
            self.oracle.spend(len(self.one[old.kind]))
            for new, share in self.one[old.kind].items():
                stays = {"higher": old.value >= new.value, "lower": old.value <= new.value, "new": False}
                die = old if stays[entry.get("keep", "new")] else new
                after[(*dice[:place], die, *dice[place + 1 :])] += chance * share
        return dict(after)

    def reroll_all(self, dice: Dice, places: list[int], entry: Mapping[str, Any]) -> dict[Dice, Fraction]:
        states, test = {dice: Fraction(1)}, self.oracle.parse(entry["when"])
        for place in places:
            if test(self.oracle.test_world(dice[place].kind, face=dice[place].value)):
                states = self.reroll(states, place, entry)
        ordered: defaultdict[Dice, Fraction] = defaultdict(Fraction)
        for after, share in states.items():
            ordered[self.order(after)] += share
        return dict(ordered)

    def find_hope(self, dice: Dice, number: int) -> Fraction:
        """The expected worth from this turn on, with the best choices."""
        if number == len(self.turns):
            return sum((self.worth(end) * share for end, share in self.ends(dice, Fraction(1)).items()), ZERO)
        return self.expected(self.moves(dice, number))

    def expected(self, states: Mapping[tuple[Dice, int], Fraction]) -> Fraction:
        return sum((self.hope(*state) * share for state, share in states.items()), ZERO)

    def find_best(self, dice: Dice, number: int) -> int | None:
        """The die to pick; None to stop. Of equal hopes the first kind in `of` and its lowest die."""
        entry = self.turns[number].entry
        among = self.among(entry)
        places = sorted(
            self.candidates(dice, entry), key=lambda place: (among.index(dice[place].kind), dice[place].value)
        )
        return max([*places, None], key=lambda place: self.expected(self.choose(dice, number, place)))

    # Earned dice

    def ends(self, dice: Dice, chance: Fraction) -> dict[RollResult, Fraction]:
        """All results once the dice of the first round lie; branches that are too unlikely are left out."""
        results: defaultdict[RollResult, Fraction] = defaultdict(Fraction)
        pending = {(dice, 0): Fraction(1)}
        while pending:
            after: defaultdict[tuple[Dice, int], Fraction] = defaultdict(Fraction)
            self.oracle.spend(len(pending))
            for (lying, old), share in pending.items():
                earned = self.earned(lying[old:])
                if not earned:
                    results[self.oracle.finish(lying)] += share
                elif not old or chance * share >= self.unlikely:
                    states: dict[Dice, Fraction] = {(): share}
                    for kind in self.oracle.kinds:
                        states = self.add_dice(states, kind, earned[kind])
                    for new, part in states.items():
                        after[(*lying, *new), len(lying)] += part
                else:
                    self.oracle.is_cut = True
            pending = dict(after)
        return dict(results)

    def earned(self, dice: Iterable[Die]) -> Counter[str]:
        """The number of dice of each kind that these dice earn."""
        earned = Counter[str]()
        for die in dice:
            if die.earned:
                earned[self.oracle.earns(die.kind)] += die.earned
        return earned


def enumerate_rule(
    text: str, rule: str, inputs: Mapping[str, str], aim: str = "", unlikely: Fraction = ZERO
) -> Enumerated:
    """All results of a rule of a game. An aim that is not given is that of the rule, or the mean of its last step that
    is a number."""
    oracle = Oracle(text, rule, inputs)
    wanted = (aim, oracle.rule.get("aim", ""))
    oracle.takes = next((name for name in wanted if name in ("always", "never")), "always") == "always"
    goal = next((name for name in wanted if "(" in name), "mean()")
    what, _, name = goal.removesuffix(")").partition("(")

    def worth(end: RollResult) -> Fraction:
        if what.endswith("chance"):
            value: Any = int(end.outcome in name.split(" or "))
        else:
            values = [end.value(step) for step in ([name] if name else reversed([*oracle.steps]))]
            value = next((value for value in values if not isinstance(value, str)), 0)
        return ZERO if isinstance(value, str) else Fraction(value) * (-1 if what.startswith("-") else 1)

    return Enumerator(oracle, worth, unlikely).enumerate()


def possible_results(text: str, rule: str, inputs: Mapping[str, str], unlikely: Fraction) -> set[RollResult] | None:
    """All results that are possible at all, whatever the player decides; None if not all are followed."""
    oracle = Oracle(text, rule, inputs, None)
    ends = set(Enumerator(oracle, lambda _: ZERO, unlikely).enumerate().results)
    return None if oracle.is_cut else ends
