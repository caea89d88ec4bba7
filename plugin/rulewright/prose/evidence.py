"""Evidence of a roll in a passage: labeled faces, explosions, symbols, kept dice, rerolls, rivals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..book.text import Passage
from .dice import BETWEEN, PART, TRIGGER, die_kind, is_sum_of_one_die, parse_faces
from .facts import ProseFacts, read_facts
from .mood import MODAL, Reading, StatedValue
from .number_words import AFTER_RESULT, LIMIT, NUMBER, number
from .signed import find_dice_sums, find_signed_totals

_POSSESSIVE = r"(?:the|an?|his|her|their|its|your|my|each)"
_SIZE = r"d(?:100|[1-9][0-9]?)"
_VERBS = (
    r"(?:shows|showed|show|comes?\sup|came\sup|lands?\son|landed\son|reads?|is|gives|turns?\sup|goes\son\swith"
    r"|explodes\sinto|adds)"
)
_ON_SIZE = re.compile(rf"({NUMBER})\s(?:on|from|with)\s{_POSSESSIVE}\s(?:[\w-]+\s)?({_SIZE})\b", re.IGNORECASE)
_ON_NAMED = re.compile(
    rf"({NUMBER})\s(?:on|from|with)\s{_POSSESSIVE}\s((?:[\w-]+\s)?[\w-]+)\s(?:die|dice)\b", re.IGNORECASE
)
_SHOWS = re.compile(
    rf"\b(?<!on\s)(?<!from\s)(?<!with\s)(?:the|his|her|their|its|your|my)\s(?:([\w-]+)\s(?:die|dice)|({_SIZE}))\s"
    rf"(?:(?:only\s|then\s)?{_VERBS}\s(?:an?\s)?|an?\s)({NUMBER})",
    re.IGNORECASE,
)
_SET_OFF = re.compile(
    rf",\son\s{_POSSESSIVE}\s(?:([\w-]+)\s(?:die|dice)|({_SIZE})),\s(?:an?\s)?({NUMBER})", re.IGNORECASE
)
_IN_BRACKETS = re.compile(rf"({NUMBER})\s\(([^\W\d_]{{3,12}})\)", re.IGNORECASE)
_ONWARD = re.compile(
    r"\b(?:followed\sby|(?:explod\w+|goes\son),?\s(?:into|with|(?:and\s)?then|for|shows|showing)|then\scomes|(?<=,\s)then)\s"
    rf"(?:an?\s)?({NUMBER})(?!\s(?:dice|die)\b)",
    re.IGNORECASE,
)
_ITEM = r"[0-9]{1,3}(?:\+[0-9]{1,3}){0,8}"
_LISTED = re.compile(
    rf"(?<![\w+./\-−])(?:{_ITEM}(?:\s{_ITEM}){{2,40}}|{_ITEM}(?:{BETWEEN}{_ITEM}){{0,40}})(?![\w%/]|\.[0-9]|\s?[=+])",
    re.IGNORECASE,
)
_HEADED = re.compile(
    rf"\b(?:dice|die|rolls?|rolled|rolling|throws?|pool|[0-9]{{1,2}}D(?:\+[0-9])?|[0-9]{{0,2}}{_SIZE}(?:[+−-][0-9]{{1,2}})?"
    r"|[0-9]k[0-9])(?:\s[^.;:(]{0,30})?\s?[:(]\s?(?:an?\s)?$",
    re.IGNORECASE,
)
_SINGLY = re.compile(rf"\b(?:rolls?|rolled|die|{_SIZE}):\s?$", re.IGNORECASE)
_POOL_BEFORE = re.compile(r"\s?[:(]\s?(?:an?\s)?$")


_SUMMED = re.compile(r"\b(?:total|sum|result|score|roll)(?:\s(?:of|is|was|comes\sto))?\s[0-9]+\s\($", re.IGNORECASE)
_OTHER_DIE = re.compile(r"\b(?:another|other|second|next)\b", re.IGNORECASE)


class Token(NamedTuple):
    """A face that came up: its die if the text names it; `alone` if it may only repeat a face of a list."""

    face: int
    label: str
    alone: bool


class _Group(NamedTuple):
    """Adjacent faces and their location."""

    start: int
    end: int
    tokens: tuple[Token, ...]


def _find_faces(reading: Reading, told: ProseFacts) -> tuple[_Group, ...]:
    """All faces in the order of the text; where two readings overlap, the one with more faces wins."""
    labels = dict(_find_labeled_faces(reading))
    groups = [*_find_lists(reading), *(_split_list(reading, bit, labels) for bit in told.faces if bit.sure)]
    groups += [
        _Group(*found.span(1), (Token(number(found[1]) or 0, "", True),)) for found in _find_further_rolls(reading)
    ]
    single = (_Group(at, at + 1, (Token(face, name, True),)) for at, (face, name) in labels.items())
    groups += [group for group in single if reading.sure(group.start, group.end)]
    taken: list[_Group] = []
    for group in sorted(groups, key=lambda one: -len(one.tokens)):
        if _SUMMED.search(reading.before(group.start)):
            continue  # "a total of 17 (7+1+6+3)" shows no further dice
        if group.tokens and not any(group.start < other.end and other.start < group.end for other in taken):
            taken.append(group)
    taken.sort()
    shown = list(_drop_repetitions(reading, _label_further_rolls(reading, taken)))
    return tuple(_drop_pool_sizes(reading, shown))


def _drop_repetitions(reading: Reading, groups: Iterable[_Group]) -> Iterator[_Group]:
    """Drop mentions of a face that a certain die shows: `the d20 shows a 16, and 16 plus 2 is 18` has one die."""
    text, onward = reading.text, {found.start(1) for found in _ONWARD.finditer(reading.text, reading.label_end)}
    shown = {found.start(3): (number(found[3]), found[1] or found[2]) for found in _SHOWS.finditer(text)}
    known = list[tuple[int | None, str]]()
    for group in groups:
        face, label = group.tokens[0].face, group.tokens[0].label
        sentence = reading.sentence(group.start)
        is_other = group.start in onward or _OTHER_DIE.search(text, sentence.start, sentence.end)
        is_single = group.tokens[0].alone and len(group.tokens) == 1 and not is_other
        if is_single and any(face == value and label in ("", name.lower()) for value, name in known):
            continue
        known += [entry for start, entry in shown.items() if group.start <= start < group.end]
        yield group


def _label_further_rolls(reading: Reading, groups: Sequence[_Group]) -> Iterator[_Group]:
    """Label faces of further rolls with the die that was named last."""
    onward = {found.start(1) for found in _ONWARD.finditer(reading.text, reading.label_end)}
    last = ""
    for group in groups:
        if group.start in onward and len(group.tokens) == 1 and not group.tokens[0].label:
            yield _Group(group.start, group.end, (group.tokens[0]._replace(label=last),))
        else:
            last = group.tokens[-1].label
            yield group


def _drop_pool_sizes(reading: Reading, groups: Sequence[_Group]) -> Iterator[_Group]:
    """Drop pool sizes: in `rolls three: 6, 6 and 4` the three is not a face."""
    for place, group in enumerate(groups):
        after = groups[place + 1] if place + 1 < len(groups) else None
        size = after and len(group.tokens) == 1 and group.tokens[0].face == len(after.tokens)
        if not (size and after and _POOL_BEFORE.fullmatch(reading.text[group.end : after.start])):
            yield group


def _find_lists(reading: Reading) -> Iterator[_Group]:
    """Lists of numbers: rolls of one die joined by +, separated by spaces, after a colon."""
    text = reading.text
    for found in _LISTED.finditer(text, reading.label_end):
        start, end = found.span()
        figures = [int(face) for face in re.findall("[0-9]+", found[0])]
        rolled = TRIGGER.search(text, reading.clause_start(start), start) or _HEADED.search(reading.before(start))
        name = die_kind(reading, start, end)
        several = len(figures) > 1 or bool(_SINGLY.search(reading.before(start)))
        ends = bool(name or AFTER_RESULT.match(text, end)) and not LIMIT.match(text, end)
        meant = several and ends and bool(rolled or name) and not is_sum_of_one_die(reading, start, end)
        if meant and reading.sure(start, end):
            yield _Group(start, end, tuple(Token(face, name, False) for face in figures))


def _find_further_rolls(reading: Reading) -> list[re.Match[str]]:
    """Matches of further rolls of the same die."""
    return [one for one in _ONWARD.finditer(reading.text, reading.label_end) if reading.sure(one.start(1), one.end(1))]


def _find_labeled_faces(reading: Reading) -> Iterator[tuple[int, tuple[int, str]]]:
    """Offsets of faces with a named die: value, and name or size of the die."""
    text, begin = reading.text, reading.label_end
    for pattern in (_ON_SIZE, _ON_NAMED, _IN_BRACKETS):
        for found in pattern.finditer(text, begin):
            yield from _labeled_face(found.start(1), found[1], found[2])
    for found in (*_SHOWS.finditer(text, begin), *_SET_OFF.finditer(text, begin)):
        yield from _labeled_face(found.start(3), found[3], found[1] or found[2])


def _labeled_face(start: int, figure: str, label: str) -> Iterator[tuple[int, tuple[int, str]]]:
    value = number(figure)
    if value is not None:
        yield start, (value, label.strip().lower())


def _split_list(reading: Reading, bit: StatedValue, labels: dict[int, tuple[int, str]]) -> _Group:
    """The faces of one list, each with its die if the text names it."""
    alone = isinstance(bit.value, tuple) and len(bit.value) == 1
    tokens: list[Token] = []
    for found in PART.finditer(reading.text, bit.start, bit.end):
        inside = [label for place, label in labels.items() if found.start() <= place < found.end()]
        label = inside[0][1] if inside else bit.subject
        tokens += [Token(face, label, alone) for face in parse_faces(found[0])]
    return _Group(bit.start, bit.end, tuple(tokens))


_DUE = re.compile(r"need|must|ha[sd]|have|tr|want|hop", re.IGNORECASE)
_SIGNS = re.compile(r"(?<![\w+−–\-/])[+−–\-0](?:(?:\s*,\s*(?:and\s)?|\s+and\s|\s+|/)[+−–\-0]){2,11}(?![\w+%/]|\.[0-9])")
_CLOSE_SIGNS = re.compile(r"(?<!\S)[+−–\-0]{4}(?=[\s,.;:)]|$)")
_SIGN = re.compile(r"[+−–\-0]")
_SIGN_WORDS = re.compile(
    r"(?<![\w-])(one|two|three|four|an?|1|2|3|4)\s(?:\w+\s)?(plus(?:es)?|blanks?|minus(?:es)?)\b", re.IGNORECASE
)
_KEEP = re.compile(r"\b([1-9][0-9]?)k([1-9][0-9]?)\b", re.IGNORECASE)
_REROLL = re.compile(
    rf"\b(?:re-?rolls?|re-?rolled|throws?\s(?:again|anew)|rolls?\s(?:again|anew))\s(?:{_POSSESSIVE}\s)?(?:lower\s|higher\s)?({NUMBER})"
    rf"[^.;]{{0,40}}?\b(?:gets?|got|shows?|for|into|to|comes\sup|rolls?|is)\s(?:an?\s)?({NUMBER})",
    re.IGNORECASE,
)
_THROWN_AGAIN = re.compile(
    rf"\b(?:the|his|her|their)\s({NUMBER})\s(?:is|was|gets|got)\s(?:re-?rolled|(?:thrown|rolled)\s(?:again|anew))"
    rf"[^.;]{{0,30}}?\b(?:gets?|shows?|for|into|to|comes\sup|becomes|is|gives)\s(?:an?\s)?({NUMBER})",
    re.IGNORECASE,
)
_ADDED = re.compile(
    r"(?:\b(plus|adds?|adding|added|bonus\sof|modifier\sof|minus|subtracts?)\s(?:(?:the|his|her|their|its|an?)\s)?"
    r"|(?<![\w+.\])])(?=[+−-][0-9]))"
    rf"([+−-]?[0-9]{{1,2}}|{NUMBER})(?![0-9dD]|\.[0-9]|\s(?:dice|die|success|hit|to\s(?:\w+\s)?difficulty))",
    re.IGNORECASE,
)
_RATING = re.compile(r"[A-Z]\w+\s\($")  # Good (+3): the name of a number, or a trait
_RIVAL = re.compile(
    rf"\b([A-Z][\w’'-]+)\s(?:rolls?|rolled|gets?|got|throws?|threw|scores?|scored|reaches|reached|comes\sto|has)\s"
    rf"(?:only\s|just\s)?(?:an?\s)?(?:total\sof\s(?:an?\s)?)?({NUMBER})(?!\s(?:dice|die|successes|dots|on))"
)
_WINS = re.compile(
    r"\b([A-Z][\w’'-]+)\s(?:wins?|won|beats?|defeats?|defeated|outdoes|comes\sout\sahead|prevails?|overpowers?)\b"
)
_TIED = re.compile(r"\b(?:a\stie|tied|a\sdraw|nobody\swins|no\sone\swins|neither\swins)\b", re.IGNORECASE)


class Reroll(NamedTuple):
    """A reroll: the face before and after."""

    before: int
    after: int


@dataclass(frozen=True)
class Evidence:
    """The evidence in a passage."""

    passage: Passage

    @cached_property
    def facts(self) -> ProseFacts:
        return read_facts(self.passage)

    @cached_property
    def reading(self) -> Reading:
        return Reading(self.passage)

    @property
    def text(self) -> str:
        return self.passage.text

    @cached_property
    def lowercase_text(self) -> str:
        """The text with the headings above it, in lower case."""
        return " ".join([*self.passage.trail[-2:], self.text]).lower()

    def is_supposed(self, start: int, end: int) -> bool:
        """True if a value is not a fact; what a character needs to reach counts as a fact."""
        if self.reading.sure(start, end):
            return False
        modal = [one[0] for one in MODAL.finditer(self.text, self.reading.clause_begin(start), start)]
        return self.reading.sentence(start).is_supposed or not modal or not all(map(_DUE.match, modal))

    @cached_property
    def rerolls(self) -> tuple[Reroll, ...]:
        found = [*_REROLL.finditer(self.text), *_THROWN_AGAIN.finditer(self.text)]
        told = (
            one for one in sorted(found, key=lambda one: one.start()) if not self.is_supposed(one.start(1), one.end())
        )
        pairs = ((number(one[1]), number(one[2])) for one in told)
        return tuple(Reroll(before, after) for before, after in pairs if before is not None and after is not None)

    @cached_property
    def groups(self) -> tuple[_Group, ...]:
        return _find_faces(self.reading, self.facts)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All faces in the order of the text."""
        return tuple(token for group in self.groups for token in group.tokens)

    def is_face(self, place: int) -> bool:
        return any(group.start <= place < group.end for group in self.groups)

    def is_labeled_face(self, place: int) -> bool:
        """True for the face of a die that the text names: `a result of 5 on the wild die` is no total."""
        return any(group.start <= place < group.end and group.tokens[0].label for group in self.groups)

    @cached_property
    def sign_lists(self) -> tuple[tuple[str, ...], ...]:
        """Lists of symbols + - 0."""
        text = re.sub(r"[][]", " ", self.text)
        found = (*_SIGNS.finditer(text), *_CLOSE_SIGNS.finditer(text))
        sure = (one for one in found if self.reading.sure(one.start(), one.end()))
        return tuple(dict.fromkeys(tuple(map(_canonical_sign, _SIGN.findall(one[0]))) for one in sure))

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """Symbols + - 0 of dice without numbers."""
        if self.sign_lists:
            return self.sign_lists[0]
        counted = [
            (_canonical_sign(one[2]), number(one[1]) or 1)
            for one in _SIGN_WORDS.finditer(self.text)
            if self.reading.sure(one.start(), one.end())
        ]
        return tuple(sign for sign, times in counted for _ in range(times))

    @cached_property
    def dice_sums(self) -> tuple[StatedValue, ...]:
        """What dice with signs add up to, in the order of the text."""
        return tuple(bit for bit in find_dice_sums(self.reading) if bit.sure)

    @cached_property
    def _totals_by_names(self) -> dict[tuple[str, ...], tuple[int, ...]]:
        return {}

    def signed_totals(self, names: Mapping[str, int]) -> tuple[int, ...]:
        """Totals of rolls with a sign or the name of the number, in the order of the text."""
        key = tuple(names)
        if key not in self._totals_by_names:
            sums = {bit.start for bit in find_dice_sums(self.reading)}
            bits = find_signed_totals(self.reading, names)
            self._totals_by_names[key] = tuple(bit.number for bit in bits if bit.sure and bit.start not in sums)
        return self._totals_by_names[key]

    @cached_property
    def added(self) -> tuple[int, ...]:
        """Numbers that are added to the dice."""
        results = [*self.dice_sums, *find_signed_totals(self.reading, {})]
        found = (
            one
            for one in _ADDED.finditer(self.text, self.reading.label_end)
            if not any(bit.start <= one.start(2) < bit.end for bit in results)
            and not _RATING.search(self.text, max(one.start(2) - 40, 0), one.start(2))
        )
        told = (_parse_change(one[1] or "", one[2]) for one in found if self.reading.sure(one.start(2), one.end()))
        return tuple(dict.fromkeys(value for value in told if value is not None))

    @cached_property
    def kept(self) -> tuple[int, int] | None:
        """5k3: number of dice rolled, and of dice kept."""
        found = _KEEP.search(self.text)
        return (int(found[1]), int(found[2])) if found else None

    @cached_property
    def rivals(self) -> tuple[tuple[str, int], ...]:
        """The two sides of a contest with their results."""
        found = ((one[1], number(one[2])) for one in _RIVAL.finditer(self.text, self.reading.label_end))
        return tuple({name: value for name, value in found if value is not None}.items())

    @cached_property
    def winner(self) -> str:
        """Name of the winner; none for a tie."""
        names = {name for name, _ in self.rivals}
        found = [one[1] for one in _WINS.finditer(self.text) if one[1] in names]
        return found[-1] if found else "none" if _TIED.search(self.text) else ""


def _canonical_sign(text: str) -> str:
    """Canonical symbol: + - 0."""
    low = text.lower()
    return "+" if low == "+" or low.startswith("plus") else "0" if low == "0" or low.startswith("blank") else "-"


def _parse_change(word: str, figure: str) -> int | None:
    """The number that is added; negative after `minus`."""
    value = parse_signed(figure)
    return -value if value and word.lower().startswith(("minus", "subtract")) else value


def parse_signed(text: str) -> int | None:
    plain = re.sub("[−–]", "-", text).lstrip("+")
    return -int(plain[1:]) if re.fullmatch(r"-[0-9]+", plain) else number(plain)
