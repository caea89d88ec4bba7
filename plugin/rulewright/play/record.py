"""Parses a record of dice and replays it, with a precise error where it does not match the rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..game.formula import names_in
from ..game.inputs import said
from ..game.model import Kind, Rule
from ..source import suggest
from .bound_rule import Ready
from .roll import Die, Play

ARROW = re.compile(r"\s*(?:->|→)\s*")


class Mark(NamedTuple):
    """A token of a record: a die, a bar, or the name of a kind, with its offsets."""

    what: str  # die, bar, kind
    text: str
    start: int
    end: int
    kind: int = -1


class Thrown(NamedTuple):
    """One entry of the key `rerolled`: the faces of a die before and after."""

    kind: int | None
    before: str
    after: str
    start: int
    end: int
    turn: int | None = None  # the number of bars before it; None in a text without bars


class Unreadable(Exception):
    """A record that does not match the rule; `start` and `end` are offsets in the text of `part`: dice or rerolled."""

    def __init__(self, message: str, start: int = 0, end: int = 0, part: str = "dice") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.part = message, start, end, part


def read_dice(text: str, rule: Rule) -> list[Mark]:
    """The tokens of a record, in order."""
    return list(marks(text, rule))


def kind_names(rule: Rule) -> re.Pattern[str]:
    """A regex for the name of a kind; longer names come first."""
    names = sorted((kind.name for kind in rule.dice), key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, names))})(?![^\\s,|\\[\\]])" if names else "(?!)", re.IGNORECASE)


def pieces(rule: Rule) -> re.Pattern[str]:
    """A regex for the tokens of a record: names of kinds, bars, dice."""
    return re.compile(rf"(?P<kind>{kind_names(rule).pattern})|(?P<bar>[|\[\]])|(?P<die>[^\s,|\[\]]+)", re.IGNORECASE)


def marks(text: str, rule: Rule) -> Iterator[Mark]:
    for found in pieces(rule).finditer(text):
        what = "kind" if found["kind"] else "bar" if found["bar"] else "die"
        yield Mark(what, found[0].lower() if what == "kind" else found[0], found.start(), found.end())


def read_throws(kind: Kind, text: str) -> list[int] | None:
    """Parse the faces of one die; None if one is not a face of the kind."""
    if not kind.faces and text.isdigit() and text.isascii() and len(text) < 9:  # fast path for most dice
        return [int(text)]
    faces = [face_number(kind, part) for part in throw_texts(kind, text)]
    return None if None in faces else [face for face in faces if face is not None]


def throw_texts(kind: Kind, text: str) -> list[str]:
    """The throws of one die: separated by + if it can explode; otherwise + can be a face."""
    return text.split("+") if kind.explode else [text]


def face_number(kind: Kind, text: str) -> int | None:
    text = text.replace("−", "-").lower()
    if kind.faces:
        return next((number for label, number in kind.faces if label.replace("−", "-").lower() == text), None)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def face_text(kind: Kind, face: int) -> str:
    if not kind.faces:
        return str(face)
    return next((label for label, number in kind.faces if number == face), str(face))


def read_rerolls(text: str, rule: Rule) -> list[Thrown]:
    """Parse rerolls such as "skill 2 -> 4, attribute 1 -> 3". The kind is optional if it is unambiguous; a bar
    separates the rerolls of the rule."""
    found, start = [], 0
    for turn, own in enumerate(text.split("|")):
        for part in own.split(","):
            if part.strip():
                found.append(read_reroll(part, rule, start, turn if "|" in text else None))
            start += len(part) + 1
    return found


def read_reroll(part: str, rule: Rule, start: int, turn: int | None) -> Thrown:
    bare = part.strip()
    start += part.index(bare)
    end, names = start + len(bare), kind_names(rule)
    named = names.match(bare)
    numbers = {kind.name.lower(): number for number, kind in enumerate(rule.dice)}
    sides = ARROW.split(bare[named.end() :].strip() if named else bare)
    if len(sides) != 2 or not all(sides) or any(" " in side for side in sides):
        example = f"{rule.dice[0].name if rule.dice else 'skill'} 2 -> 4"
        message = f"«{bare}» is no reroll; write the kind, the face before, an arrow and the face after: {example}"
        raise Unreadable(message, start, end, "rerolled")
    return Thrown(numbers[named.group().lower()] if named else None, sides[0], sides[1], start, end, turn)


class Record:
    """A source of faces that replays a record; raises RecordError at the first die that does not match the rule."""

    def __init__(self, marks: Sequence[Mark], rerolls: Sequence[Thrown], length: int) -> None:
        self.marks, self.rerolls, self.length = list(marks), list(rerolls), length
        self.at = self.again = 0  # next positions in tokens and rerolls
        self.groups: list[Group] = []
        self.rounds, self.earned = 1, dict[int, int]()
        self.text, self.here = "", (0, length, "dice")  # the current die and its location
        self.chain: list[int] = []  # its remaining faces
        self.shown: list[int] = []  # its faces so far
        self.misfit = ""
        for mark, after in zip(self.marks, [*self.marks, None][1:], strict=True):
            if mark.what == "kind" and (after is None or after.what != "die"):
                raise Unreadable(f"«{mark.text}» is named, but no face follows it", mark.start, mark.end)

    def begin(self, ready: Ready, fresh: bool) -> None:
        if fresh:
            self.groups.append(Group(ready, self.rounds, self.earned.get(ready.number, ready.count)))
        while (mark := self.next_mark()) and mark.what != "die":
            if mark.what == "bar" and not fresh:
                raise Unreadable(self.groups[-1].missing("before this bar"), mark.start, mark.end)
            if mark.what == "kind" and mark.text != ready.kind.name.lower():
                raise Unreadable(self.groups[-1].missing(f"before «{mark.text}»"), mark.start, mark.end)
            self.at += 1
        if mark is None:
            raise Unreadable(self.groups[-1].missing("here"), self.length, self.length)
        self.groups[-1].dice += 1
        self.load(ready, mark.text, (mark.start, mark.end, "dice"))
        self.at += 1

    def round(self, earned: Mapping[int, int]) -> None:
        self.rounds, self.earned = self.rounds + 1, dict(earned)

    def next_mark(self) -> Mark | None:
        return self.marks[self.at] if self.at < len(self.marks) else None

    def load(self, ready: Ready, text: str, here: tuple[int, int, str]) -> None:
        throws = read_throws(ready.kind, text)
        if throws is None or not ready.face_set.issuperset(throws):
            raise Unreadable(impossible(ready, text), *here)
        self.text, self.chain, self.shown, self.here = text, throws, [], here

    def face(self, ready: Ready) -> int:
        if not self.chain:
            last = face_text(ready.kind, self.shown[-1])
            message = f"after {last} this {ready.kind.name} die is thrown on; write its next face too: {self.text}+…"
            raise Unreadable(message, *self.here)
        self.shown.append(self.chain.pop(0))
        return self.shown[-1]

    def onward(self, _ready: Ready) -> bool:
        return bool(self.chain)

    def end(self, ready: Ready) -> None:
        if self.chain:
            shown, rest = ("+".join(face_text(ready.kind, face) for face in part) for part in (self.shown, self.chain))
            raise Unreadable(f"a {ready.kind.name} die comes to rest at {shown}; «+{rest}» is too much", *self.here)

    def offered(self, ready: Ready) -> bool:
        """Optional dice are rolled as long as the record has dice for them in this round."""
        group, at = self.groups[-1], self.at
        while at < len(self.marks) and self.marks[at].what == "bar":
            if group.ready.number == ready.number and group.round == self.rounds:
                return False
            at += 1
        return at < len(self.marks) and (self.marks[at].what == "die" or self.marks[at].text == ready.kind.name.lower())

    def choose(self, play: Play, dice: list[Die], places: list[int], _number: int, _left: int) -> int | None:
        """The die that the next recorded reroll matches; None if it belongs to a later reroll of the rule."""
        if self.again == len(self.rerolls) or self.rerolls[self.again].turn not in (None, play.turn):
            return None
        entry, kinds = self.rerolls[self.again], play.setting.kinds
        fitting = [place for place in places if fits(kinds[dice[place].kind], dice[place], entry)]
        names = list(dict.fromkeys(kinds[dice[place].kind].kind.name for place in fitting))
        if len(names) > 1:
            both = f"{' and '.join(names)} dice show {entry.before}"
            message = f"{both}; write which one is thrown anew: {names[0]} {entry.before} -> {entry.after}"
            raise Unreadable(message, entry.start, entry.end, "rerolled")
        if not fitting:
            lying = ", ".join(lying_text(kinds[dice[place].kind], dice[place]) for place in places[:12])
            self.misfit = f"no die that may be thrown anew shows this: there is {lying}"
        exact = (place for place in fitting if shown(kinds[dice[place].kind], entry) == dice[place].faces)
        return next(exact, fitting[0] if fitting else None)

    def rethrow(self, ready: Ready, die: Die) -> None:
        now = lying_text(ready, die)
        if self.again == len(self.rerolls):
            at = (self.rerolls[-1].end,) * 2 + ("rerolled",) if self.rerolls else (self.length, self.length, "dice")
            raise Unreadable(f"{now} must be thrown anew; write rerolled: {now} -> …", *at)
        entry = self.rerolls[self.again]
        self.again += 1
        here = (entry.start, entry.end, "rerolled")
        if not fits(ready, die, entry):
            raise Unreadable(f"here {now} is thrown anew; write {now} -> …", *here)
        self.load(ready, entry.after, here)

    def close(self) -> None:
        """Report dice and rerolls that are left over."""
        rest = [mark for mark in self.marks[self.at :] if mark.what == "die"]
        if rest:
            dice = "this die" if len(rest) == 1 else f"these {len(rest)} dice"
            raise Unreadable(
                f"nothing calls for {dice}: {', which '.join(account(self.groups))}", rest[0].start, rest[-1].end
            )
        if self.again < len(self.rerolls):
            entry = self.rerolls[self.again]
            raise Unreadable(self.misfit or self.uncalled(), entry.start, entry.end, "rerolled")

    def uncalled(self) -> str:
        """Why the rule has no further reroll."""
        turn = self.rerolls[self.again].turn
        if turn is not None:
            return f"by its bars this belongs to reroll {turn + 1} of this roll, which throws no further die"
        if self.again:
            return f"only {self.again} can be thrown anew, this is one more"
        known = any(group.ready.setting.rule.rerolls for group in self.groups)
        return "with these inputs nothing is thrown anew" if known else "in this rule nothing is thrown anew"


class Group:
    """The dice of one kind in one round: how many are due, and how many the record contains."""

    def __init__(self, ready: Ready, number: int, due: int) -> None:
        self.ready, self.round, self.due, self.dice = ready, number, due, 0

    @property
    def told(self) -> str:
        """The number of dice due and the inputs that it depends on, as in "4 regular dice (pool 4)"."""
        setting, count = self.ready.setting, self.ready.kind.count
        inputs = said(setting.rule, setting.values, names_in(count.node)) if self.round == 1 else ""
        return f"{self.due} {self.ready.kind.name} {'die' if self.due == 1 else 'dice'}" + (
            f" ({inputs})" if inputs else ""
        )

    def missing(self, where: str) -> str:
        due = f"the rule throws {self.told}" if self.round == 1 else f"the dice before earn {self.told}"
        written = {0: "none is", 1: "only 1 is"}.get(self.dice, f"only {self.dice} are")
        return f"{due}, but {written} written {where}"


def account(groups: Sequence[Group]) -> Iterator[str]:
    """The dice of the rule, in words."""
    first = [group.told for group in groups if group.round == 1]
    yield f"the rule throws {' and '.join(first) or 'none'}"
    earned = [f"{group.dice} {group.ready.kind.name}" for group in groups if group.round > 1]
    if earned:
        yield f"earn {', then '.join(earned)}"
    elif any(group.ready.kind.again for group in groups):
        yield "earn no more"


def fits(ready: Ready, die: Die, entry: Thrown) -> bool:
    """Whether a recorded reroll matches this die."""
    return entry.kind in (None, ready.number) and shown(ready, entry) in (die.faces, [die.value])


def shown(ready: Ready, entry: Thrown) -> list[int] | None:
    """The faces before a recorded reroll; None if they are not on the die."""
    return read_throws(ready.kind, entry.before)


def lying_text(ready: Ready, die: Die) -> str:
    """A die with its kind and faces, as in "skill 2" or "wild 6+4"."""
    return f"{ready.kind.name} " + "+".join(face_text(ready.kind, landing.face) for landing in die.throws)


def impossible(ready: Ready, text: str) -> str:
    """Why a text is not a die of this kind."""
    kind, name = ready.kind, ready.kind.name
    parts = throw_texts(kind, text) if kind.explode else text.split("+")
    wrong = [part for part in parts if not on_die(ready, part)]
    if not kind.explode and len(parts) > 1 and not wrong:
        return f"{name} dice are not thrown on; write them apart: {' '.join(parts)}"
    if kind.explode and "" in wrong:
        return f"a face is missing beside the + of «{text}»"
    shown = wrong[0] if kind.explode else text
    if text[0].isalpha() and not kind.faces:
        others = [other.name for other in ready.setting.rule.dice]
        return f"«{text}» is no face of the {name} dice, and no kind of dice; {suggest(text, others)}"
    return f"no {name} die shows «{shown}»: {faces_of(ready)}"


def on_die(ready: Ready, text: str) -> bool:
    throws = read_throws(ready.kind, text)
    return throws is not None and ready.face_set.issuperset(throws)


def faces_of(ready: Ready) -> str:
    if ready.kind.faces:
        return "its faces are " + ", ".join(label for label, _ in ready.kind.faces)
    return f"its faces go from 1 to {len(ready.faces)}"
