"""Parses a record of dice and replays it, with a precise error where it does not match the rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from ..game.core import REROLL, TURN, CoreInput, CoreKind, CoreRule
from ..game.formula import collect_names
from ..game.inputs import format_inputs
from ..source import suggest
from .bound_rule import BoundKind
from .face_text import (
    OWN_DICE,
    SIGNS,
    RecordToken,
    find_signs,
    format_face,
    format_throws,
    kind_pattern,
    parse_face,
    parse_throws,
    split_throws,
)
from .roll import DiceRoller, Die, Judge

_MOST_LISTED = 20  # faces in a message
RECORDS = DICE, REROLLED, TURNED = "dice", "rerolled", "turned"  # keys of what dice show, first and after that
RECORD_KEYS = (*RECORDS, "declined")
ARROW = re.compile(r"\s*(?:->|→)\s*")


class RecordedReroll(NamedTuple):
    """One entry of the key `rerolled` or `turned`: the faces of a die before and after."""

    kind: int | None
    before: str
    after: str
    start: int
    end: int
    reroll_index: int | None = None  # the number of bars before it; None in a text without bars
    round: int = 0  # the number of semicolons before it
    lies: str = ""  # which of the two lies there now, where that is a choice
    key: str = REROLLED


class RecordError(Exception):
    """A record that does not match the rule; `start` and `end` are offsets in the text of `part`: dice or rerolled."""

    def __init__(self, message: str, start: int = 0, end: int = 0, part: str = "dice") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.part = message, start, end, part


def _read_signs(kind: CoreKind, text: str) -> list[str]:
    """The sign before each throw of one die; empty before the first."""
    if text.isdigit():
        return [""]
    signs = find_signs(kind)
    return ["", *(sign for sign in text if sign in signs)]


def parse_rerolls(text: str, rule: CoreRule, key: str = REROLLED) -> list[RecordedReroll]:
    """Parse rerolls such as "skill 2 -> 4, attribute 1 -> 3", or turned dice. The kind is optional if it is
    unambiguous; a bar separates the entries of the rule that take dice, a semicolon rounds. Those of one roll may stand
    apart, as its dice."""
    rerolls, numbers, round_ = list[RecordedReroll](), {kind.name: at for at, kind in enumerate(rule.kinds)}, 0
    for own in re.finditer(rf"(?:{OWN_DICE}(\S+) )?([^{OWN_DICE};]*);?", text):
        kinds = {name.removeprefix(own[1] or ""): at for name, at in numbers.items() if name.startswith(own[1] or "")}
        start = own.start(2)
        for turn, entries in enumerate(own[2].split("|")):
            for part in entries.split(","):
                if part.strip():
                    reroll = _parse_reroll(part, kinds, start, turn if "|" in own[2] else None, key)
                    lone = [*kinds.values()] if own[1] and len(kinds) == 1 else [reroll.kind]
                    rerolls.append(reroll._replace(round=round_, kind=lone[0], key=key))
                start += len(part) + 1
        round_ += own[0].endswith(";")
    return rerolls


def parse_again(rule: CoreRule, rerolled: str = "", turned: str = "") -> list[RecordedReroll]:
    """The dice that entries of the rule take, as recorded."""
    texts = {REROLLED: rerolled, TURNED: turned}
    return [entry for key, text in texts.items() if text for entry in parse_rerolls(text, rule, key)]


def _parse_reroll(part: str, kinds: Mapping[str, int], start: int, turn: int | None, key: str) -> RecordedReroll:
    bare = part.strip()
    start += part.index(bare)
    end, names = start + len(bare), kind_pattern(kinds)
    kind_match = names.match(bare)
    kind_match = None if kind_match and ARROW.match(bare, kind_match.end()) else kind_match
    numbers = {name.lower(): number for name, number in kinds.items()}
    bare, _, lies = (own.strip() for own in bare.partition(" = "))
    sides = ARROW.split(bare[kind_match.end() :].strip() if kind_match else bare)
    if len(sides) != 2 or not all(sides) or any(" " in side for side in sides):
        example = f"{next(iter(kinds), 'skill')} 2 -> 4"
        message = (
            f'"{part.strip()}" does not say which die is {key}; write the kind, the face before, an arrow and the '
            f"face after: {example}"
        )
        raise RecordError(message, start, end, key)
    return RecordedReroll(
        numbers[kind_match.group().lower()] if kind_match else None, sides[0], sides[1], start, end, turn, lies=lies
    )


class Record:
    """A source of faces that replays a record; raises RecordError at the first die that does not match the rule."""

    def __init__(
        self,
        marks: Sequence[RecordToken],
        rerolls: Sequence[RecordedReroll],
        length: int,
        answers: Mapping[str, Sequence[Any]] = MappingProxyType({}),
        judge: Judge | None = None,
    ) -> None:
        self.answers, self.judge = answers, judge  # choices round by round, and who says which of two dice is better
        self.records, self.number = _split_rounds(marks), 0  # of all rounds, and the number of this one
        self.all_rerolls, self.end_of_text = list(rerolls), length
        self.open_round()
        self.text, self.here = "", (0, length, "dice")  # the current die and its location
        self.chain: list[int] = []  # its remaining faces
        self.shown: list[int] = []  # its faces so far
        self.misfit = ""
        for mark, after in zip(marks, [*marks, None][1:], strict=True):
            if mark.token_type == "kind" and (after is None or after.token_type != "die"):
                raise RecordError(f'"{mark.text}" is named, but no face follows it', mark.start, mark.end)

    def open_round(self) -> None:
        """Begin the record of a round."""
        marks, end = self.records[self.number]
        self.length, self.dice = self.end_of_text if end is None else end, _DiceOfRoll([])
        self.parts = {"": self.dice}  # by what the names of kinds begin with
        for mark in marks:
            self.parts.setdefault(mark.lead, _DiceOfRoll([])).marks.append(mark)
        own = [entry for entry in self.all_rerolls if entry.round == self.number]
        self.rerolls = {key: [entry for entry in own if entry.key == key] for key in RECORDS[1:]}
        self.again = dict.fromkeys(RECORDS[1:], 0)  # the next positions in rerolls
        self.groups: list[_DiceGroup] = []
        self.rounds, self.earned = 1, dict[int, int]()

    def goes_on(self, number: int) -> bool:  # noqa: ARG002
        """Whether the record has a further round."""
        if self.number + 1 == len(self.records):
            return False
        self.close_round()
        self.number += 1
        self.open_round()
        return True

    def begin(self, bound_kind: BoundKind, fresh: bool) -> None:
        self.dice = self.find_dice(bound_kind)
        if fresh:
            self.groups.append(_DiceGroup(bound_kind, self.rounds, self.earned.get(bound_kind.number)))
        while (mark := self.next_token()) and mark.token_type != "die":
            if mark.token_type == "bar" and not fresh:
                raise RecordError(self.groups[-1].describe_missing("before this bar"), mark.start, mark.end)
            if mark.token_type == "kind" and mark.text != bound_kind.kind.name.lower():
                raise RecordError(self.groups[-1].describe_missing(f'before "{mark.text}"'), mark.start, mark.end)
            self.dice.at += 1
        if mark is None:
            is_own = self.dice is not self.parts[""] or "." not in bound_kind.kind.name
            end = self.dice.marks[-1].end if is_own and self.dice.marks and len(self.parts) > 1 else self.length
            raise RecordError(self.groups[-1].describe_missing("here"), end, end)
        self.groups[-1].dice += 1
        self.load_die(bound_kind, mark.text, (mark.start, mark.end, "dice"))
        self.dice.at += 1

    def find_dice(self, bound_kind: BoundKind) -> _DiceOfRoll:
        """The dice among which those of this kind are recorded: those of its roll, if they stand apart."""
        if len(self.parts) == 1:
            return self.parts[""]
        name = bound_kind.kind.name.lower()
        return next((own for lead, own in self.parts.items() if lead and name.startswith(lead)), self.parts[""])

    def round(self, earned: Mapping[int, int]) -> None:
        self.rounds, self.earned = self.rounds + 1, dict(earned)

    def next_token(self) -> RecordToken | None:
        return self.dice.marks[self.dice.at] if self.dice.at < len(self.dice.marks) else None

    def load_die(self, bound_kind: BoundKind, text: str, location_of_die: tuple[int, int, str]) -> None:
        throws = parse_throws(bound_kind.kind, text)
        if throws is None or not bound_kind.face_set.issuperset(throws):
            raise RecordError(_describe_impossible_die(bound_kind, text), *location_of_die)
        self.text, self.chain, self.shown, self.here = text, throws, [], location_of_die
        self.signs = _read_signs(bound_kind.kind, text)

    def face(self, bound_kind: BoundKind, way: str) -> int:
        sign = SIGNS.get(way, "")
        if not self.chain or self.signs[-len(self.chain)] != sign:
            name, last = bound_kind.kind.name, format_face(bound_kind.kind, self.shown[-1])
            fact = f"after {last} this {name} die is {'rerolled' if way == REROLL else 'rolled again'}"
            repair = "write its next face too: " + self.text if not self.chain else f"write {last}"
            raise RecordError(f"{fact}; {repair}{sign}…", *self.here)
        face = self.chain.pop(0)
        if bound_kind.kind.deck and face not in bound_kind.face_set:
            raise RecordError(_describe_impossible_card(bound_kind, format_face(bound_kind.kind, face)), *self.here)
        self.shown.append(face)
        return face

    def onward(self, _ready: BoundKind, way: str) -> bool:
        return bool(self.chain) and self.signs[-len(self.chain)] == SIGNS[way]

    def end(self, bound_kind: BoundKind) -> None:
        if self.chain:
            signs = iter(self.signs)
            shown_text, rest = (
                "".join(next(signs) + format_face(bound_kind.kind, face) for face in part)
                for part in (self.shown, self.chain)
            )
            raise RecordError(f'a {bound_kind.kind.name} die stops at {shown_text}; remove "{rest}"', *self.here)

    def offered(self, bound_kind: BoundKind) -> bool:
        """Optional dice are rolled as long as the record has dice for them in this round."""
        own = self.find_dice(bound_kind)
        group, at, marks = self.groups[-1], own.at, own.marks
        while at < len(marks) and marks[at].token_type == "bar":
            if group.ready.number == bound_kind.number and group.round == self.rounds:
                return False
            at += 1
        return at < len(marks) and (marks[at].token_type == "die" or marks[at].text == bound_kind.kind.name.lower())

    def choose(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, _left: int) -> int | None:
        """The die that the next recorded reroll matches; None if it belongs to a later reroll of the rule."""
        key, kinds = TURNED if play.setting.rule.again[number].roll == TURN else REROLLED, play.setting.kinds
        written, at = self.rerolls[key], self.again[key] + len(play.taken)
        if at >= len(written) or written[at].reroll_index not in (None, play.turn):
            return None
        entry = written[at]
        matching = [place for place in places if _matches_reroll(kinds[dice[place].kind], dice[place], entry)]
        names = list(dict.fromkeys(kinds[dice[place].kind].kind.name for place in matching))
        if len(names) > 1:
            both = f"{' and '.join(names)} dice show {entry.before}"
            message = f"{both}; write which one is {key}: {names[0]} {entry.before} -> {entry.after}"
            raise RecordError(message, entry.start, entry.end, key)
        if not matching and not play.taken:
            dice_text = ", ".join(_format_rolled_die(kinds[dice[place].kind], dice[place]) for place in places[:12])
            self.misfit = f"no die that may be {key} shows this: there is {dice_text}"
        exact = (place for place in matching if _faces_before(kinds[dice[place].kind], entry) == dice[place].faces)
        return next(exact, matching[0] if matching else None)

    def rethrow(self, bound_kind: BoundKind, die: Die) -> None:
        self.take_entry(bound_kind, die, REROLLED)

    def take_entry(self, bound_kind: BoundKind, die: Die, key: str) -> None:
        """Read what a die shows that is rerolled or turned."""
        now, written = _format_rolled_die(bound_kind, die), self.rerolls[key]
        if self.again[key] == len(written):
            at = (written[-1].end,) * 2 + (key,) if written else (self.length, self.length, "dice")
            raise RecordError(f"{now} must be {key}; write {key}: {now} -> …", *at)
        entry = written[self.again[key]]
        self.again[key] += 1
        entry_location = (entry.start, entry.end, key)
        if not _matches_reroll(bound_kind, die, entry):
            raise RecordError(f"here {now} is {key}; write {now} -> …", *entry_location)
        self.load_die(bound_kind, entry.after, entry_location)

    def turn_die(
        self, play: DiceRoller, dice: list[Die], place: int, _number: int, _left: int, face: int | None
    ) -> int:
        """The face that is written; where nothing is written at all, the one that the rule says."""
        bound_kind = play.setting.kinds[dice[place].kind]
        if face is not None and not any(entry.key == TURNED for entry in self.all_rerolls):
            return face
        self.take_entry(bound_kind, dice[place], TURNED)
        shown = self.chain.pop(0)
        if self.chain:
            raise RecordError(f"a die is turned to one face, not to {self.text}", *self.here)
        if face not in (None, shown):
            now, right = _format_rolled_die(bound_kind, dice[place]), format_face(bound_kind.kind, face or 0)
            raise RecordError(f"{now} is turned to {right} here, not to {self.text}", *self.here)
        return shown

    def prefers(self, play: DiceRoller, dice: list[Die], place: int, new: Die, number: int, left: int) -> bool:
        """Which of two dice stays: what is written, otherwise what is better."""
        entry, bound_kind, old = (
            self.rerolls[REROLLED][self.again[REROLLED] - 1],
            play.setting.kinds[new.kind],
            dice[place],
        )
        texts = [format_throws(bound_kind.kind, die.rolled) for die in (new, old)]
        if not entry.lies and old.faces == new.faces:
            return True
        if not entry.lies and self.judge:
            return self.judge(play, dice, place, new, number, left)
        if entry.lies not in texts:
            line = f"{bound_kind.kind.name} {texts[1]} -> {texts[0]}"
            message = f"write which of the two is there now: {line} = {texts[0]}, or {line} = {texts[1]}"
            raise RecordError(message, entry.start, entry.end, REROLLED)
        return entry.lies == texts[0]

    def answer(self, _play: DiceRoller, _dice: list[Die], entry: CoreInput) -> Any:
        """Choices are inputs of a record, perhaps round by round; one that is missing stays open."""
        own = self.answers.get(entry.name, ())
        return own[self.number] if self.number < len(own) else None

    def close(self) -> None:
        """Report dice and rerolls that are left over, and rounds."""
        self.close_round()
        if self.number + 1 < len(self.records):
            raise RecordError(self.describe_extra_round(), self.length, self.end_of_text)
        if late := next((entry for entry in self.all_rerolls if entry.round > self.number), None):
            raise RecordError(self.describe_extra_round(), late.start, late.end, late.key)

    def describe_extra_round(self) -> str:
        setting = self.groups[-1].ready.setting if self.groups else None
        if not (setting and setting.rule.has_rounds):
            return "this rule is rolled once; leave out what follows the semicolon"
        return f"round {setting.round} is the last; leave out what follows it"

    def close_round(self) -> None:
        left = ([mark for mark in own.marks[own.at :] if mark.token_type == "die"] for own in self.parts.values())
        if rest := next(filter(None, left), None):
            dice = "this die" if len(rest) == 1 else f"these {len(rest)} dice"
            raise RecordError(
                f"nothing calls for {dice}: {', which '.join(_describe_groups(self.groups))}",
                rest[0].start,
                rest[-1].end,
            )
        for key, written in self.rerolls.items():
            if self.again[key] < len(written):
                entry = written[self.again[key]]
                raise RecordError(self.misfit or self.describe_extra_reroll(entry), entry.start, entry.end, key)

    def describe_extra_reroll(self, entry: RecordedReroll) -> str:
        """Why the rule has no further reroll."""
        turn, used, done = entry.reroll_index, self.again[entry.key], entry.key
        if turn is not None:
            return f"by its bars this belongs to reroll {turn + 1} of this roll, which rolls no further die"
        if used:
            return f"only {used} can be {done}, this is one more"
        known = any(group.ready.setting.rule.again for group in self.groups)
        return f"with these inputs nothing is {done}" if known else f"in this rule nothing is {done}"


@dataclass
class _DiceOfRoll:
    """Recorded dice that are taken one after the other, and how many have been: those of one roll, or all others."""

    marks: list[RecordToken]
    at: int = 0


class _RoundRecord(NamedTuple):
    """The tokens of one round, and where the semicolon after it stands."""

    marks: list[RecordToken]
    end: int | None


def _split_rounds(marks: Sequence[RecordToken]) -> list[_RoundRecord]:
    rounds: list[_RoundRecord] = []
    own: list[RecordToken] = []
    for mark in marks:
        if mark.token_type == "round":
            rounds.append(_RoundRecord(own, mark.start))
            own = []
        else:
            own.append(mark)
    return [*rounds, _RoundRecord(own, None)]


class _DiceGroup:
    """The dice of one kind in one round: how many are due, and how many the record contains."""

    def __init__(self, bound_kind: BoundKind, number: int, earned: int | None) -> None:
        self.ready, self.round, self.is_earned, self.dice = bound_kind, number, earned is not None, 0
        self.due = bound_kind.count if earned is None else earned

    @property
    def description(self) -> str:
        """The number of dice due and the inputs that it depends on, as in "4 regular dice (pool 4)"."""
        bound_rule, count = self.ready.setting, self.ready.kind.count
        inputs = "" if self.is_earned else format_inputs(bound_rule.rule, bound_rule.values, collect_names(count.node))
        name, deck = self.ready.kind.name, self.ready.kind.deck
        one, many = (f"card from {name}", f"cards from {name}") if deck else (f"{name} die", f"{name} dice")
        return f"{self.due} {one if self.due == 1 else many}" + (f" ({inputs})" if inputs else "")

    def describe_missing(self, location: str) -> str:
        due = f"the dice before earn {self.description}" if self.is_earned else f"the rule rolls {self.description}"
        written = {0: "none is", 1: "only 1 is"}.get(self.dice, f"only {self.dice} are")
        return f"{due}, but {written} written {location}"


def _describe_groups(groups: Sequence[_DiceGroup]) -> Iterator[str]:
    """The dice of the rule, in words."""
    first = [group.description for group in groups if not group.is_earned]
    yield f"the rule rolls {' and '.join(first) or 'none'}"
    earned = [f"{group.dice} {group.ready.kind.name}" for group in groups if group.is_earned]
    if earned:
        yield f"earn {', then '.join(earned)}"
    elif any(group.ready.kind.earned_kinds for group in groups):
        yield "earn no more"


def _matches_reroll(bound_kind: BoundKind, die: Die, entry: RecordedReroll) -> bool:
    """Whether a recorded reroll matches this die."""
    rolled = [transition.face for transition in die.rolled]
    before = _faces_before(bound_kind, entry)
    return entry.kind in (None, bound_kind.number) and before in (rolled, die.faces, [die.value])


def _faces_before(bound_kind: BoundKind, entry: RecordedReroll) -> list[int] | None:
    """The faces before a recorded reroll; None if they are not on the die."""
    return parse_throws(bound_kind.kind, entry.before)


def _format_rolled_die(bound_kind: BoundKind, die: Die) -> str:
    """A die with its kind and faces, as in "skill 2" or "wild 6+4"."""
    return f"{bound_kind.kind.name} {format_throws(bound_kind.kind, die.rolled)}"


def _describe_impossible_die(bound_kind: BoundKind, text: str) -> str:
    """Why a text is not a die of this kind."""
    kind, name = bound_kind.kind, bound_kind.kind.name
    signs = find_signs(kind)
    parts = re.split("[+>]", text) if not signs else split_throws(kind, text)
    wrong = [part for part in parts if not _is_on_die(bound_kind, part)]
    if not signs and len(parts) > 1 and not wrong:
        return f"{name} dice are not rolled again; write them separately: {' '.join(parts)}"
    joined = re.split(r"[-/;:&]", text)
    if len(joined) > 1 and all(_is_on_die(bound_kind, part) for part in joined):
        return f"faces are separated by spaces; write {' '.join(joined)}"
    if text.lower() in ("and", "&", "und", "=", "=>", "->"):
        return f"`{text}` is not a face; leave it out, and separate the faces by spaces"
    if re.fullmatch(r"[0-9]*[dw][0-9]+", text.lower()) and not kind.faces:
        return f"`{text}` is not a face; write the numbers that the dice show, separated by spaces"
    if signs and "" in wrong:
        return f'a face is missing beside the {next(sign for sign in text if sign in signs)} of "{text}"'
    wrong_text = wrong[0] if signs and wrong else text
    if kind.deck:
        return _describe_impossible_card(bound_kind, wrong_text)
    if text[0].isalpha() and not kind.faces:
        others = [other.name for other in bound_kind.setting.rule.kinds]
        return f'"{text}" is no face of the {name} dice, and no kind of dice; {suggest(text, others)}'
    return f'no {name} die shows "{wrong_text}": {_describe_faces(bound_kind)}'


def _describe_impossible_card(bound_kind: BoundKind, text: str) -> str:
    """Why a text cannot be the next card."""
    name, place = bound_kind.kind.name, parse_face(bound_kind.kind, text)
    drawn = bound_kind.drawn.count(place) if place is not None else 0
    if drawn:
        return f"{name} has only {drawn} of {text}, and this is one more"
    if place is not None:
        return f"there is no {text} in {name} with these inputs"
    return f'there is no card "{text}" in {name}: {_describe_faces(bound_kind)}'


def _is_on_die(bound_kind: BoundKind, text: str) -> bool:
    throws = parse_throws(bound_kind.kind, text)
    return throws is not None and bound_kind.face_set.issuperset(throws)


def _describe_faces(bound_kind: BoundKind) -> str:
    if bound_kind.kind.faces:
        marks = [face.mark for face in bound_kind.kind.faces]
        listed = marks if len(marks) <= _MOST_LISTED else [*marks[: _MOST_LISTED - 2], "…", marks[-1]]
        return f"its {'cards' if bound_kind.kind.deck else 'faces'} are {', '.join(listed)}"
    return f"its faces go from 1 to {len(bound_kind.faces)}"
