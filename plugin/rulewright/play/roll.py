"""Rolls the dice of a bound rule: explosions, earned dice, rerolls and kept dice.

Faces and decisions come from a FaceSource: random numbers, or a recorded roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..game.core import EXPLODE, PICKED, REROLL, TURN, CoreInput, Reroll, Stage
from .bound_rule import MAX_DICE, BoundKind, BoundRule, RollError, Transition, keeps_old
from .compiled_rule import NO_KIND
from .picked_dice import read_picked
from .table import Tallies

_UINT32_MASK = 0xFFFFFFFF


class RandomGenerator:
    """A seeded pseudorandom generator (mulberry32), with the same sequence as in the browser."""

    def __init__(self, seed: int) -> None:
        self.state = seed & _UINT32_MASK

    def next_number(self) -> int:
        self.state = (self.state + 0x6D2B79F5) & _UINT32_MASK
        mixed = (self.state ^ self.state >> 15) * (self.state | 1) & _UINT32_MASK
        mixed ^= (mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & _UINT32_MASK)) & _UINT32_MASK
        return mixed ^ mixed >> 14

    def next_below(self, sides: int) -> int:
        """A uniform number from 0 to sides - 1; at most 2**32 sides."""
        limit = 2**32 - 2**32 % sides
        while (number := self.next_number()) >= limit:
            pass
        return number % sides


_MAX_THROWS = 10_000
_IF_WANTED = 2  # of what an entry leads to if the player wants that


class Die(NamedTuple):
    """A die on the table: its throws that stand, the round that rolled it, and whether it was earned and kept."""

    kind: int
    throws: tuple[Transition, ...]
    round: int = 1
    earned: bool = False
    kept: bool = True
    tries: tuple[tuple[Transition, ...], ...] = ()  # if rerolled: all throws of each attempt, the first included
    rolled: tuple[Transition, ...] = ()  # its throws with those that were replaced at once

    @property
    def value(self) -> int:
        return sum(transition.value for transition in self.throws)

    @property
    def faces(self) -> list[int]:
        return [transition.face for transition in self.throws]


class _RerolledDie(NamedTuple):
    """A die before and after it was rerolled or turned, the index of the reroll, and whether the old die stays where
    that is chosen."""

    old: Die
    new: Die
    reroll_index: int = 0
    stays: bool | None = None
    is_turned: bool = False


class DiceRoll(NamedTuple):
    """The dice in the order rolled, the number of optional throws declined, and the rerolls in order."""

    dice: tuple[Die, ...]
    declined: int
    rerolls: tuple[_RerolledDie, ...] = ()
    has_split_rerolls: bool = False  # a player stopped one reroll early, and dice were rerolled after that


class FaceSource(Protocol):
    """A source of faces and of the player's decisions."""

    def begin(self, bound_kind: BoundKind, fresh: bool) -> None:
        """Called before each die; `fresh` for the first of a kind or round."""

    def face(self, bound_kind: BoundKind, way: str) -> int:
        """The next face of the die; `way` is explode or reroll for further throws."""

    def onward(self, bound_kind: BoundKind, way: str) -> bool:
        """Whether the player wants that the die explodes, or is rerolled."""

    def end(self, bound_kind: BoundKind) -> None:
        """Called after the last throw of a die."""

    def offered(self, bound_kind: BoundKind) -> bool:
        """Whether to roll an optional earned die."""

    def round(self, earned: Mapping[int, int]) -> None:
        """Called before each further round with the dice earned of each kind, optional ones included."""

    def choose(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        """The die to reroll, one of `places`, for entry `number` of the rerolls; None to stop. Where several are
        picked together, `play.taken` has those before."""

    def prefers(self, play: DiceRoller, dice: list[Die], place: int, new: Die, number: int, left: int) -> bool:
        """Whether a new die takes the place of the old one, for an entry that keeps the better."""

    def rethrow(self, bound_kind: BoundKind, die: Die) -> None:
        """Called before a die is rerolled."""

    def turn_die(self, play: DiceRoller, dice: list[Die], place: int, number: int, left: int, face: int | None) -> int:
        """The face to which a die is turned; `face` unless the player chooses it."""

    def answer(self, play: DiceRoller, dice: list[Die], entry: CoreInput) -> Any:
        """What the player chooses for an input whose question arises; None if nobody says."""

    def goes_on(self, number: int) -> bool:
        """Called when the rule is rolled again, with the number of that round; False if it is not yet rolled."""


class DiceRoller:
    """Rolls all dice of a bound rule with faces from one source; `setting` comes to know what the dice decide."""

    def __init__(self, bound_rule: BoundRule, faces: FaceSource) -> None:
        self.setting, self.faces = bound_rule, faces
        self.declined = self.throws = 0
        self.before = (-1, 0)
        self.rerolls: list[_RerolledDie] = []
        self.turn = -1  # of the entries that take dice
        self.taken: list[int] = []  # dice that are picked together
        self.passed = self.parted = False
        self.round = 1
        self.rolled: set[int] = set()  # kinds whose first dice have been rolled
        self.collected: set[int] = set()  # dice whose earned dice are known, by their place
        self.offers: list[tuple[int, bool]] = []  # earned dice that are still to be rolled
        self.drawn: dict[int, list[int]] = {}  # the cards drawn from each deck

    def roll_all(self) -> DiceRoll:
        dice: list[Die] = []
        stages = self.setting.rule.order
        for place, stage in enumerate(stages, 1):
            numbers = [number for number in stage.of if isinstance(number, int)]
            if stage.what == "values" and ((dice and place < len(stages)) or self.has_choice(stage)):
                self.look_at(dice, [str(name) for name in stage.of])
            elif stage.what == "dice":
                self.roll_wave(dice, numbers)
            elif stage.what == "again":
                for entry in numbers:
                    self.apply_again(dice, entry, self.setting.rule.again[entry])
            elif stage.what == "earned":
                self.roll_earned(dice, numbers)
        dice = mark_dropped(self.setting, dice)
        return DiceRoll(tuple(dice), self.declined, tuple(self.rerolls), self.parted)

    def look_at(self, dice: list[Die], names: Sequence[str] = ()) -> None:
        """Work out values from the dice on the table."""
        tallies = count_tallies(self.setting, mark_dropped(self.setting, list(dice)))
        self.setting = self.setting.continue_with(tallies, (), self.rolled)
        for name in names:
            self.setting.work_out([name])
            if self.setting.is_open(name):
                self.answer(dice, self.setting.program.asked[name])

    def answer(self, dice: list[Die], entry: CoreInput) -> None:
        """Take the answer to a question that arises, if there is one."""
        is_given = entry.name in self.setting.values
        answer = self.setting.values[entry.name] if is_given else self.faces.answer(self, dice, entry)
        if answer is not None:
            means = read_picked(self.setting, entry.name, answer) if entry.form == PICKED else answer
            self.setting.choose(entry.name, answer, means)

    def has_choice(self, stage: Stage) -> bool:
        """Whether something is chosen here that has not been given, or is found only on the table."""
        asked, values = self.setting.program.asked, self.setting.values
        entries = [asked[str(name)] for name in stage.of if name in asked]
        return any(entry.form == PICKED or (entry.is_choice and entry.name not in values) for entry in entries)

    def roll_wave(self, dice: list[Die], numbers: Sequence[int]) -> None:
        """Roll the first dice of these kinds."""
        if self.rolled:
            self.look_at(dice)
            self.begin_round({})
        for number in numbers:
            kind = self.setting.kinds[number]
            dice += [self.roll_new_die(kind) for _ in range(self.thrown(self.left(kind)))]
        self.rolled |= set(numbers)

    def begin_round(self, earned: Mapping[int, int]) -> None:
        self.round += 1
        self.faces.round(earned)

    def roll_earned(self, dice: list[Die], numbers: Sequence[int]) -> None:
        """Add the dice of these kinds that dice have earned, round by round, until there are no more."""
        while True:
            self.offers += self.collect_earned(dice)
            offers = self.drop_beyond_deck(sorted(offer for offer in self.offers if offer[0] in numbers))
            self.offers = [offer for offer in self.offers if offer[0] not in numbers]
            if not offers:
                return
            self.begin_round(Counter(kind for kind, _ in offers))
            dice += [
                self.roll_new_die(self.setting.kinds[kind], True) for kind, may in offers if self.accepts(kind, may)
            ]

    def drop_beyond_deck(self, offers: list[tuple[int, bool]]) -> list[tuple[int, bool]]:
        """The earned dice without cards that a deck no longer has."""
        earned = (self.setting.kinds[number] for number in {kind for kind, _ in offers})
        room = {own.number: len(self.left(own).faces) for own in earned if own.kind.deck}
        if not room:
            return offers
        kept: list[tuple[int, bool]] = []
        for kind, optional in offers:
            if room.get(kind, 1) > 0:
                kept.append((kind, optional))
            if kind in room:
                room[kind] -= 1
        return kept

    def left(self, bound_kind: BoundKind) -> BoundKind:
        """A kind of dice, or what is left of a deck."""
        if not bound_kind.kind.deck:
            return bound_kind
        return bound_kind.without(self.drawn.get(self.setting.rule.find_deck(bound_kind.number)[0], ()))

    def thrown(self, bound_kind: BoundKind) -> int:
        """The number of dice of a kind in the first round."""
        return bound_kind.count

    def apply_again(self, dice: list[Die], number: int, reroll: Reroll) -> None:
        if isinstance(reroll.roll, int):
            self.look_at(dice)
        times = min(max(self.setting.evaluate(reroll.times), 0), _MAX_THROWS)
        if isinstance(reroll.roll, int):
            self.offers += [(reroll.roll, False)] * times
        elif times:
            move = self.turn_die if reroll.roll == TURN else self.reroll_die
            for place, left in self.pick_dice(dice, number, reroll, times):
                new = move(dice, place, number, left)
                if new.rolled is not dice[place].rolled:
                    self.collected.discard(place)
                dice[place] = new

    def pick_dice(self, dice: list[Die], number: int, reroll: Reroll, times: int) -> Iterator[tuple[int, int]]:
        """The dice to reroll, one at a time, so that each choice sees the results so far, with the picks left."""
        places = self.find_dice(dice, reroll.of)
        if not places:
            return
        self.turn += 1
        for left in range(times, 0, -1):
            able = [place for place in places if self.meets(reroll, dice[place])]
            picked = self.pick_some(dice, able, number, left) if able else []
            yield from ((place, left) for place in picked)
            if not picked:
                return

    def meets(self, reroll: Reroll, die: Die) -> bool:
        return self.setting.is_rerolled(reroll, die.kind, die.value, die.throws[-1].face)

    def pick_some(self, dice: list[Die], able: list[int], number: int, left: int) -> list[int]:
        """The dice of one pick; none if the player stops."""
        pick = self.setting.rule.again[number].pick
        if pick == "all":
            return able
        if pick not in ("any", "some"):
            return [(max if pick == "highest" else min)(able, key=lambda place: dice[place].value)]
        self.taken = []
        while len(self.taken) < len(able) and (pick == "some" or not self.taken):
            rest = [place for place in able if place not in self.taken]
            chosen = self.faces.choose(self, dice, rest, number, left)
            if chosen is None:
                break
            self.taken.append(next(place for place in rest if _is_same_die(dice[place], dice[chosen])))
        self.passed |= not self.taken
        return self.taken

    def find_dice(self, dice: list[Die], number: int) -> list[int]:
        """The places of the dice of a set: of whole kinds, by kind, then in the order rolled."""
        rule, setting = self.setting.rule, self.setting
        if rule.is_whole(number):
            kinds = rule.kinds_of(number)
            return [place for kind in kinds for place, die in enumerate(dice) if die.kind == kind]
        run, needs = setting.program.get_set(number)
        setting.require(needs)
        return [die.place for die in run(setting.known, count_tallies(setting, mark_dropped(setting, list(dice))))]

    def reroll_die(self, dice: list[Die], place: int, number: int, left: int) -> Die:
        reroll, old = self.setting.rule.again[number], dice[place]
        bound_kind = self.setting.kinds[old.kind]
        if not self.left(bound_kind).faces:
            return old
        self.faces.rethrow(self.left(bound_kind), old)
        new = self.roll_die(bound_kind, old.round, old.earned)
        if reroll.keep == "better":
            stays = not self.faces.prefers(self, dice, place, new, number, left)
        else:
            stays = keeps_old(reroll, old.value, new.value)
        self.rerolls.append(_RerolledDie(old, new, self.turn, stays if reroll.keep == "better" else None))
        self.parted |= self.passed
        return (old if stays else new)._replace(tries=(*(old.tries or (old.rolled,)), new.rolled))

    def turn_die(self, dice: list[Die], place: int, number: int, left: int) -> Die:
        """Set a die to another face; it is not rolled, so it does not roll on."""
        reroll, old = self.setting.rule.again[number], dice[place]
        bound_kind, face = self.setting.kinds[old.kind], None
        if reroll.turn:
            face = bound_kind.find_face(self.setting.ask_die(reroll.turn, old.kind, old.value, old.throws[-1].face))
        rolled = (bound_kind.get_transition(self.faces.turn_die(self, dice, place, number, left, face)),)
        new = Die(old.kind, rolled, old.round, old.earned, rolled=rolled)
        self.rerolls.append(_RerolledDie(old, new, self.turn, is_turned=True))
        self.parted |= self.passed
        return new._replace(tries=(*(old.tries or (old.rolled,)), rolled))

    def roll_new_die(self, bound_kind: BoundKind, is_earned: bool = False) -> Die:
        fresh, self.before = self.before != (bound_kind.number, self.round), (bound_kind.number, self.round)
        self.faces.begin(self.left(bound_kind), fresh)
        return self.roll_die(bound_kind, self.round, is_earned)

    def roll_die(self, bound_kind: BoundKind, number: int, is_earned: bool) -> Die:
        """Roll one die of a round until it no longer explodes."""
        rolled: list[Transition] = []
        last, way = 0, ""
        while True:
            if self.throws == _MAX_THROWS:
                raise RollError(f"this roll needs more than {_MAX_THROWS:,} throws")
            self.throws += 1
            face = self.faces.face(self.left(bound_kind), way)
            if bound_kind.kind.deck:
                self.drawn.setdefault(self.setting.rule.find_deck(bound_kind.number)[0], []).append(face)
            transition = bound_kind.get_transition(face, last, len(rolled) + 1)
            way = self.find_way(bound_kind, transition) if transition.rerolls or transition.explodes else ""
            rolled.append(transition._replace(is_replaced=True) if way == REROLL else transition)
            if not way:
                break
            last = transition.value
        self.faces.end(bound_kind)
        throws = tuple([transition for transition in rolled if not transition.is_replaced])
        return Die(bound_kind.number, throws, number, is_earned, rolled=tuple(rolled))

    def find_way(self, bound_kind: BoundKind, transition: Transition) -> str:
        """How the same die is rolled again, if it is; the player decides if the entry is optional (2)."""
        for way, holds in ((REROLL, transition.rerolls), (EXPLODE, transition.explodes)):
            if holds and self.left(bound_kind).faces:
                if holds != _IF_WANTED or self.faces.onward(bound_kind, way):
                    return way
                self.declined += 1
        return ""

    def collect_earned(self, dice: list[Die]) -> list[tuple[int, bool]]:
        """The dice that dice have earned since this was asked: kind, and whether it is optional."""
        offers: list[tuple[int, bool]] = []
        for die in [die for place, die in enumerate(dice) if place not in self.collected]:
            for transition in die.rolled:
                for kind, count, may_decline in transition.earned:
                    offers += [(kind, may_decline)] * min(count, MAX_DICE + 1)
        self.collected = set(range(len(dice)))
        if len(offers) > MAX_DICE:
            raise RollError(f"this roll earns more than {MAX_DICE:,} dice at once")
        return offers

    def accepts(self, kind: int, optional: bool) -> bool:
        if not optional or self.faces.offered(self.setting.kinds[kind]):
            return True
        self.declined += 1
        return False


def _is_same_die(first: Die, other: Die) -> bool:
    return (first.kind, first.faces) == (other.kind, other.faces)


def mark_dropped(bound_rule: BoundRule, dice: list[Die]) -> list[Die]:
    """Mark the dice that are not kept; of equal dice, the first ones are kept."""
    for bound_kind in bound_rule.kinds:
        own_indices = [place for place, die in enumerate(dice) if die.kind == bound_kind.number]
        if bound_kind.kept_set and own_indices and bound_kind.keep_count is not None:
            sign = -1 if bound_kind.kept_set.op == "highest" else 1
            for place in sorted(own_indices, key=lambda place: sign * dice[place].value)[bound_kind.keep_count :]:
                dice[place] = dice[place]._replace(kept=False)
    return dice


def count_tallies(bound_rule: BoundRule, dice: Sequence[Die]) -> list[int]:
    """The values of all tallies over the kept dice; those over other dice look at the table that comes with them."""
    compiled_rule = bound_rule.program
    values_by_tally = [0] * len(compiled_rule.tallies)
    kept = [[die for die in dice if die.kind == number and die.kept] for number in range(len(bound_rule.kinds))]
    for place, tally in enumerate(compiled_rule.tallies):
        own = kept[tally.kind] if tally.kind != NO_KIND else []
        if tally.body is None and own:
            values = [die.value for die in own]
            values_by_tally[place] = _VALUE_FUNCTIONS[tally.function](values)
    for number, own in enumerate(kept):
        for at, place in enumerate(compiled_rule.kinds[number].throw_tally_indices):
            values_by_tally[place] = sum(transition.hits[at] for die in own for transition in die.throws)
        for at, place in enumerate(compiled_rule.kinds[number].value_tally_indices):
            values_by_tally[place] = sum(bound_rule.kinds[number].value_tests[at](die.value) for die in own)
    if not compiled_rule.looks_at_table:
        return values_by_tally
    known = zip(compiled_rule.tallies, values_by_tally, strict=True)
    return Tallies((None if tally.kind == NO_KIND else found for tally, found in known), bound_rule.lay_out(dice))


_VALUE_FUNCTIONS: Mapping[str, Any] = {"sum": sum, "count": len, "highest": max, "lowest": min}


RerollChooser = Callable[[DiceRoller, list[Die], list[int], int, int], int | None]
Judge = Callable[[DiceRoller, list[Die], int, Die, int, int], bool]
FaceChooser = Callable[[DiceRoller, list[Die], int, int, int], int]
Answerer = Callable[[DiceRoller, list[Die], CoreInput], Any]


def choose_worst(play: DiceRoller, dice: list[Die], places: list[int], number: int, _left: int) -> int | None:
    """Choose the worst die: the lowest if the higher face is kept, the highest if the lower one is."""
    pick = max if play.setting.rule.again[number].keep == "lower" else min
    return pick(places, key=lambda place: dice[place].value)


def is_higher(_play: DiceRoller, dice: list[Die], place: int, new: Die, _number: int, _left: int) -> bool:
    """Whether a new die is worth more than the old one."""
    return new.value > dice[place].value


def turn_highest(play: DiceRoller, dice: list[Die], place: int, _number: int, _left: int) -> int:
    """The face of a die with the highest value."""
    bound_kind, names = play.setting.kinds[dice[place].kind], play.setting.rule.kinds[dice[place].kind].faces
    return max(bound_kind.faces, key=lambda face: names[face].value if names else face)


class RandomFaces:
    """Random faces; `aim` (always or never) decides on optional dice, `chooser` on rerolls, `judge` on what is
    better, `turner` on the faces that dice are turned to."""

    def __init__(
        self,
        generator: RandomGenerator,
        aim: str = "always",
        chooser: RerollChooser = choose_worst,
        answerer: Answerer | None = None,
        judge: Judge = is_higher,
        turner: FaceChooser = turn_highest,
    ) -> None:
        self.generator, self.aim, self.chooser, self.answerer = generator, aim, chooser, answerer
        self.judge, self.turner = judge, turner

    def begin(self, bound_kind: BoundKind, fresh: bool) -> None:
        """Nothing to do."""

    def face(self, bound_kind: BoundKind, _way: str) -> int:
        return bound_kind.faces[self.generator.next_below(len(bound_kind.faces))]

    def onward(self, ready: BoundKind, _way: str) -> bool:
        return ready.kind.takes(self.aim == "always")

    def end(self, bound_kind: BoundKind) -> None:
        """Nothing to do."""

    def offered(self, ready: BoundKind) -> bool:
        return ready.kind.takes(self.aim == "always")

    def round(self, earned: Mapping[int, int]) -> None:
        """Nothing to do."""

    def choose(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        return self.chooser(play, dice, places, number, left)

    def prefers(self, play: DiceRoller, dice: list[Die], place: int, new: Die, number: int, left: int) -> bool:
        return self.judge(play, dice, place, new, number, left)

    def rethrow(self, bound_kind: BoundKind, die: Die) -> None:
        """Nothing to do."""

    def turn_die(self, play: DiceRoller, dice: list[Die], place: int, number: int, left: int, face: int | None) -> int:
        return self.turner(play, dice, place, number, left) if face is None else face

    def answer(self, play: DiceRoller, dice: list[Die], entry: CoreInput) -> Any:
        return self.answerer(play, dice, entry) if self.answerer else None

    def goes_on(self, number: int) -> bool:
        return number > 0
