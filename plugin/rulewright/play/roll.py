"""Rolls the dice of a bound rule: explosions, earned dice, rerolls and kept dice.

Faces and decisions come from a FaceSource: random numbers, or a recorded roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from ..game.model import Reroll
from .bound_rule import MOST_DICE, Landing, Ready, Refused, Setting
from .compiled_rule import throw_tallies, value_tallies

MASK = 0xFFFFFFFF


class Generator:
    """A seeded pseudorandom generator (mulberry32), with the same sequence as in the browser."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def number(self) -> int:
        self.state = (self.state + 0x6D2B79F5) & MASK
        mixed = (self.state ^ self.state >> 15) * (self.state | 1) & MASK
        mixed ^= (mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & MASK)) & MASK
        return mixed ^ mixed >> 14

    def below(self, sides: int) -> int:
        """A uniform number from 0 to sides - 1; at most 2**32 sides."""
        limit = 2**32 - 2**32 % sides
        while (number := self.number()) >= limit:
            pass
        return number % sides


MOST_THROWS = 10_000


class Die(NamedTuple):
    """A die on the table: its throws, the round in which it was rolled, and whether it was earned and kept."""

    kind: int
    throws: tuple[Landing, ...]
    round: int = 1
    earned: bool = False
    kept: bool = True
    tries: tuple[tuple[Landing, ...], ...] = ()  # if rerolled: the throws of each attempt, the first included

    @property
    def value(self) -> int:
        return sum(landing.face for landing in self.throws)

    @property
    def faces(self) -> list[int]:
        return [landing.face for landing in self.throws]


class Anew(NamedTuple):
    """A rerolled die before and after, and the index of the reroll."""

    old: Die
    new: Die
    turn: int = 0


class Throw(NamedTuple):
    """The dice in the order rolled, the number of optional throws declined, and the rerolls in order."""

    dice: tuple[Die, ...]
    declined: int
    rerolls: tuple[Anew, ...] = ()
    parted: bool = False  # a player stopped one reroll early, and dice were rerolled after that


class Faces(Protocol):
    """A source of faces and of the player's decisions."""

    def begin(self, ready: Ready, fresh: bool) -> None:
        """Called before each die; `fresh` for the first of a kind or round."""

    def face(self, ready: Ready) -> int:
        """The next face of the die."""

    def onward(self, ready: Ready) -> bool:
        """Whether to roll an optional explosion."""

    def end(self, ready: Ready) -> None:
        """Called after the last throw of a die."""

    def offered(self, ready: Ready) -> bool:
        """Whether to roll an optional earned die."""

    def round(self, earned: Mapping[int, int]) -> None:
        """Called before each further round with the dice earned of each kind, optional ones included."""

    def choose(self, play: Play, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        """The die to reroll, one of `indices`, for entry `number` of the rerolls; None to stop."""

    def rethrow(self, ready: Ready, die: Die) -> None:
        """Called before a die is rerolled."""


class Play:
    """Rolls all dice of a bound rule with faces from one source."""

    def __init__(self, setting: Setting, faces: Faces) -> None:
        self.setting, self.faces = setting, faces
        self.declined = self.throws = 0
        self.before = (-1, 0)
        self.rerolls: list[Anew] = []
        self.turn = -1
        self.passed = self.parted = False

    def run(self) -> Throw:
        dice = [self.die(ready) for ready in self.setting.kinds for _ in range(self.thrown(ready))]
        for number, reroll in enumerate(self.setting.rule.rerolls):
            self.reroll(dice, number, reroll)
        newest, rounds, thrown = dice, 1, list(dice)
        while newest:
            rounds += 1
            offers = self.earned(newest)
            self.faces.round(Counter(kind for kind, _ in offers))
            newest = [self.die(self.setting.kinds[kind], rounds) for kind, may in offers if self.taken(kind, may)]
            thrown += newest
        return Throw(tuple(drop(self.setting, thrown)), self.declined, tuple(self.rerolls), self.parted)

    def thrown(self, ready: Ready) -> int:
        """The number of dice of a kind in the first round."""
        return ready.count

    def reroll(self, dice: list[Die], number: int, reroll: Reroll) -> None:
        times = min(max(self.setting.of(reroll.times), 0), MOST_THROWS)
        if times:
            for place in self.picks(dice, number, reroll, times):
                dice[place] = self.anew(reroll, dice[place])

    def picks(self, dice: list[Die], number: int, reroll: Reroll, times: int) -> Iterator[int]:
        """The dice to reroll, one at a time, so that each choice sees the results so far."""
        places = in_order(self.setting, dice, reroll)
        if not places:
            return
        self.turn += 1
        meets = self.setting.meets
        for left in range(times, 0, -1):
            if reroll.pick == "all":
                yield from [place for place in places if meets(reroll, dice[place].kind, dice[place].value)]
            elif reroll.pick == "any":
                chosen = self.faces.choose(self, dice, places, number, left)
                if chosen is None:
                    self.passed = True
                    return
                yield next(place for place in places if alike(dice[place], dice[chosen]))
            else:
                pick = max if reroll.pick == "highest" else min
                yield pick(places, key=lambda place: dice[place].value)

    def anew(self, reroll: Reroll, old: Die) -> Die:
        ready = self.setting.kinds[old.kind]
        self.faces.rethrow(ready, old)
        new = self.throw(ready, 1)
        stays = {"higher": old.value >= new.value, "lower": old.value <= new.value, "new": False}[reroll.keep]
        self.rerolls.append(Anew(old, new, self.turn))
        self.parted |= self.passed
        return (old if stays else new)._replace(tries=(*(old.tries or (old.throws,)), new.throws))

    def die(self, ready: Ready, rounds: int = 1) -> Die:
        fresh, self.before = self.before != (ready.number, rounds), (ready.number, rounds)
        self.faces.begin(ready, fresh)
        return self.throw(ready, rounds)

    def throw(self, ready: Ready, rounds: int) -> Die:
        """Roll one die until it no longer explodes."""
        throws: list[Landing] = []
        last = 0
        while True:
            landing = ready.land(self.faces.face(ready), last, len(throws) + 1)
            throws.append(landing)
            self.count()
            if not landing.explodes:
                break
            if landing.may_stop and not self.faces.onward(ready):
                self.declined += 1
                break
            last = landing.face
        self.faces.end(ready)
        return Die(ready.number, tuple(throws), rounds, rounds > 1)

    def count(self) -> None:
        self.throws += 1
        if self.throws > MOST_THROWS:
            raise Refused(f"this roll needs more than {MOST_THROWS:,} throws")

    def earned(self, dice: list[Die]) -> list[tuple[int, bool]]:
        """The dice that a round earns: kind, and whether it is optional; sorted by kind, optional ones last."""
        rule, offers = self.setting.rule, []
        for die in dice:
            again = rule.dice[die.kind].again
            if again:
                roll = rule.kind_numbers[again.roll]
                offers += [(roll, landing.may_decline) for landing in die.throws for _ in range(landing.earns)]
        if len(offers) > MOST_DICE:
            raise Refused(f"this roll earns more than {MOST_DICE:,} dice at once")
        return sorted(offers)

    def taken(self, kind: int, optional: bool) -> bool:
        if not optional or self.faces.offered(self.setting.kinds[kind]):
            return True
        self.declined += 1
        return False


def alike(one: Die, other: Die) -> bool:
    return (one.kind, one.faces) == (other.kind, other.faces)


def in_order(setting: Setting, dice: list[Die], reroll: Reroll) -> list[int]:
    """The indices of the dice that a reroll may pick, by kind, then in the order rolled."""
    kinds = [setting.rule.kind_numbers[name] for name in reroll.among]
    return [place for kind in kinds for place, die in enumerate(dice) if die.kind == kind]


def drop(setting: Setting, dice: list[Die]) -> list[Die]:
    """Mark the dice that are not kept; of equal dice, the first ones are kept."""
    for ready in setting.kinds:
        if ready.keep is not None and ready.kind.keep:
            sign = -1 if ready.kind.keep.highest else 1
            own = [place for place, die in enumerate(dice) if die.kind == ready.number]
            for place in sorted(own, key=lambda place: sign * dice[place].value)[ready.keep :]:
                dice[place] = dice[place]._replace(kept=False)
    return dice


def count_tallies(setting: Setting, dice: tuple[Die, ...]) -> list[int]:
    """The values of all tallies over the kept dice."""
    made = setting.program
    found = [0] * len(made.tallies)
    kept = [[die for die in dice if die.kind == number and die.kept] for number in range(len(setting.kinds))]
    for place, tally in enumerate(made.tallies):
        own = kept[tally.kind]
        if tally.test is None and own:
            values = [die.value for die in own]
            found[place] = WHOLE[tally.function](values)
    for number, own in enumerate(kept):
        for at, place in enumerate(throw_tallies(made, number)):
            found[place] = sum(landing.hits[at] for die in own for landing in die.throws)
        for at, place in enumerate(value_tallies(made, number)):
            found[place] = sum(setting.kinds[number].value_tests[at](die.value) for die in own)
    return found


WHOLE: Mapping[str, Any] = {"sum": sum, "count": len, "highest": max, "lowest": min}


Chooser = Callable[[Play, list[Die], list[int], int, int], int | None]


def worst_first(play: Play, dice: list[Die], places: list[int], number: int, _left: int) -> int | None:
    """Choose the worst die: the lowest if the higher face is kept, the highest if the lower one is."""
    pick = max if play.setting.rule.rerolls[number].keep == "lower" else min
    return pick(places, key=lambda place: dice[place].value)


class Dealt:
    """Random faces; `policy` (always or never) decides on optional dice, `chooser` on rerolls."""

    def __init__(self, generator: Generator, policy: str = "always", chooser: Chooser = worst_first) -> None:
        self.generator, self.policy, self.chooser = generator, policy, chooser

    def begin(self, ready: Ready, fresh: bool) -> None:
        """Nothing to do."""

    def face(self, ready: Ready) -> int:
        return ready.faces[self.generator.below(len(ready.faces))]

    def onward(self, _ready: Ready) -> bool:
        return self.policy == "always"

    def end(self, ready: Ready) -> None:
        """Nothing to do."""

    def offered(self, _ready: Ready) -> bool:
        return self.policy == "always"

    def round(self, earned: Mapping[int, int]) -> None:
        """Nothing to do."""

    def choose(self, play: Play, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        return self.chooser(play, dice, places, number, left)

    def rethrow(self, ready: Ready, die: Die) -> None:
        """Nothing to do."""
