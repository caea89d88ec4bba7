"""Impossible dice: 1d0, six faces from a roll of 5d6, an 8 on a d6."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.text import Passage
from ..prose.dice import AFTER_RESULT, LIMIT, WORD, number
from ..source import Fix, Problem, Source, Span
from .check import Check, Noticed, Reading, after, before, texts

SHAPES = {"four": 4, "six": 6, "eight": 8, "ten": 10, "twelve": 12, "twenty": 20}
VERB = r"\b(?:(?:you|I)\s(?:roll|throw)|rolls|rolled|rolling|throws|threw|throwing)"
FEW = r"[0-9]{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
DICE = (
    r"(?:(?P<count>[0-9]{0,2})[dDwW](?P<sides>4|6|8|10|12|20|100|%)(?![0-9])(?P<plus>\s?[+−–-]\s?[0-9]{1,2})?"
    rf"(?!\w|\s?[+]|/)|(?P<many>{FEW})\s(?:(?P<shape>{'|'.join(SHAPES)})[- ]sided\s|d(?P<size>4|6|8|10|12|20)\s)?"
    r"(?:dice|d(?P<plural>4|6|8|10|12|20)s?)\b)"
)
GETS = (
    r"(?P<gets>,?\s(?:(?:and|which|that|they|it)\s)?(?:gets?|got|getting|shows?|showed|showing|come\sup|comes\sup|came\sup|coming\sup"
    r"|turns?\sup|lands?\son|landed\son)(?:\sas|\swith)?\s|:\s|\s?(?=[(\[])|,\s(?=\[))"
)
FACE = rf"(?:an?\s)?(?:[0-9]{{1,3}}|{WORD})(?![\w%])"
LISTED = rf"[(\[]?(?P<faces>{FACE}(?:(?:,\s?(?:and\s)?|\sand\s|\s?&\s?|\s?\+\s?){FACE}){{0,30}})[)\]]?"
ROLL = re.compile(
    rf"{VERB}\s(?:(?:an?|his|her|their|its|your|the|my|all|only|just)\s){{0,2}}{DICE}"
    rf"(?P<middle>(?:\s[a-z’']+){{0,4}}?){GETS}(?:only\s|just\s)?{LISTED}",
    re.IGNORECASE,
)
ON_DIE = re.compile(
    rf"\b(?:rolls|rolled|rolling|throws|threw|gets|got|shows)\san?\s(?P<face>[0-9]{{1,2}}|{WORD})\son\s(?:an?|the|his|her|their|your)"
    r"\s1?d(?P<sides>4|6|8|10|12)\b(?!\s?[+−–-])",
    re.IGNORECASE,
)
PHYSICAL = re.compile(r"show|com|came|turn|land", re.IGNORECASE)
CHANGED = re.compile(  # other dice are rolled, or these are changed after the roll
    r"\b(?:explod\w+|again|bonus\w*|extra|wild|aces?|open[- ]ended|re-?roll\w*|re-?throw\w*|keep\w*|kept|drop\w*"
    r"|discard\w*|best|worst|highest|lowest|higher|lower|(?:dis)?advantage|additional|another|more|add(?:s|ed|ing)?|spend\w*|push\w*"
    r"|replac\w*|chang\w+|becom\w+|second|specialty|luck\w*)\b",
    re.IGNORECASE,
)
SUPPOSED = re.compile(  # hypothetical, or several rolls
    r"\b(?:twice|thrice|times|each|both|every|respectively|plus|minus|penalt\w+|among|including|pairs?|sets?|modif\w*|would|could"
    r"|might|if|per|players?|everybody|everyone|they|we|then\srolls)\b",
    re.IGNORECASE,
)
SOME = re.compile(r"\b(?:success\w*|hits?|totals?|sum|steps?|doubles|triples|matching|only)\b", re.IGNORECASE)
SEVERAL = re.compile(r"\band\s[A-Z][a-z]+\s(?:roll|throw)|\bversus\b|\bvs\b")


class Doubt(NamedTuple):
    """A problem that may be withdrawn if dice explode in this book."""

    problem: Problem
    exploding: bool  # exploding dice would explain it


class Roll(NamedTuple):
    """Dice that were rolled in the text, and the faces they showed."""

    text: Passage
    dice: str
    many: int
    sides: int  # 0: unknown
    faces: tuple[int, ...]
    start: int
    end: int


def doubts(text: Passage) -> Iterator[Doubt]:
    for found in ROLL.finditer(text.text):
        one = roll(text, found)
        if one and closed(text.text, found) and not beyond(text.text, found.start(), found.end()):
            yield from doubted(one, found)
    for found in ON_DIE.finditer(text.text):
        face, sides = number(found["face"]) or 0, int(found["sides"])
        if face > sides and not beyond(text.text, found.start(), found.end()):
            one = Roll(text, f"a d{sides}", 1, sides, (face,), *found.span("face"))
            yield Doubt(no_such_face(one, face), exploding=True)


def roll(text: Passage, found: re.Match[str]) -> Roll | None:
    faces = tuple(number(re.sub(r"^an?\s", "", face[0], flags=re.IGNORECASE)) for face in faces_of(found["faces"]))
    sides = found["sides"] or found["size"] or found["plural"] or str(SHAPES.get((found["shape"] or "").lower(), 0))
    count = number(found["many"]) if found["many"] else int(found["count"] or 1)
    dice = text.text[found.start("many" if found["many"] else "count") : dice_end(found)].strip()
    known = tuple(face for face in faces if face is not None)
    if not count or len(known) != len(faces):
        return None
    return Roll(text, dice, count, 100 if sides == "%" else int(sides), known, *found.span("faces"))


def dice_end(found: re.Match[str]) -> int:
    return found.start("middle")


def faces_of(listed: str) -> Iterator[re.Match[str]]:
    return re.finditer(FACE, listed, re.IGNORECASE)


def closed(text: str, found: re.Match[str]) -> bool:
    """Whether the list of faces ends here: no noun that is counted, no range, no limit follows."""
    return bool(AFTER_RESULT.match(text, found.end())) and not LIMIT.match(text, found.end())


def beyond(text: str, start: int, end: int) -> bool:
    """Whether this sentence or the next one mentions other dice, or the roll is hypothetical."""
    behind = after(text, end)
    sentence = f"{before(text, start)} … {text[start:end]} {behind}"
    told = CHANGED.search(sentence) or SUPPOSED.search(sentence) or SEVERAL.search(sentence)
    return bool(told or CHANGED.search(after(text, end + len(behind) + 2)))


def doubted(one: Roll, found: re.Match[str]) -> Iterator[Doubt]:
    listed = len(one.faces)
    if listed == 1:
        yield from single(one, found)
    elif listed > one.many or (listed == one.many - 1 and only_one_lacks(one)):
        if not found["plus"]:
            yield Doubt(miscounted(one), exploding=listed > one.many)
    elif listed == one.many:
        strange = [face for face in one.faces if impossible(face, one.sides)]
        if strange and one.sides:
            yield Doubt(no_such_face(one, max(strange)), exploding=False)


def only_one_lacks(one: Roll) -> bool:
    """Whether the numbers are faces of all dice but one, not a selection such as successes."""
    near = after(one.text.text, one.end)
    return all(face <= (one.sides or face) for face in one.faces) and not SOME.search(near)


def single(one: Roll, found: re.Match[str]) -> Iterator[Doubt]:
    """Check a single face, only where the verb is about the die ("comes up") and not about a result."""
    face = one.faces[0]
    if (
        one.many == 1
        and one.sides
        and PHYSICAL.search(found["gets"])
        and not found["plus"]
        and impossible(face, one.sides)
    ):
        yield Doubt(no_such_face(one, face), exploding=True)


def impossible(face: int, sides: int) -> bool:
    return face > sides or (face == 0 and sides not in (10, 20, 100))


def miscounted(one: Roll) -> Problem:
    listed = len(one.faces)
    are = f"{one.dice} is one die" if one.many == 1 else f"{one.dice} are {one.many} dice"
    are = are if one.sides else f"{one.dice} were thrown"
    message = f"{are}, but the text lists {listed} faces"
    note = f"list {one.many} faces, or roll {listed} dice"
    return Problem("die-count", message, one.text.span(one.start, one.end), "warning", (note,), one.text.trail)


def no_such_face(one: Roll, face: int) -> Problem:
    message = f"a d{one.sides} has no {face}"
    note = f"change the {face} to a face from 1 to {one.sides}, or the dice"
    return Problem("die-face", message, one.text.span(one.start, one.end), "warning", (note,), one.text.trail)


HABIT = 3  # what is written so often is not a typo
USUAL = r"(?:4|6|8|10|12|20|100)"
CODE = re.compile(r"(?<![\w.])[1-9]?[0-9]?[dDwW](?:[1-9][0-9]{0,2}|%)(?!\w)")
NO_SIDES = re.compile(r"(?<![\w.,])(?P<count>[1-9]|[1-9][0-9](?=[dw]))[dDwW](?P<zeros>0{1,3})(?![\w%]|[.-][0-9A-F])")
NO_DICE = re.compile(rf"(?<![\w.,+−–-])0[dDwW]{USUAL}(?!\w)")
DOUBLED = re.compile(rf"(?<![\w.])[1-9][0-9]?(?P<slip>dd){USUAL}(?!\w)")
LETTER = re.compile(rf"(?<![\w.'’-])(?P<slip>[lI])d{USUAL}(?!\w)")
NAUGHT = re.compile(r"(?<![\w.])[1-9]?[0-9]?d[12](?P<slip>O|O0|0O)(?!\w)")
SLIPS = (
    (LETTER, "1", "the letter {} for the figure 1"),
    (DOUBLED, "d", "{} where one d will do"),
    (NAUGHT, "0", "the letter O for a nought"),
)
DEALING = re.compile(
    r"\b(?:rolls?|rolled|throws?|deals?|dealing|takes?|taking|inflicts?|does|causes?|heals?|restores?|suffers?|for|loses?)\s$",
    re.IGNORECASE,
)
ON_PURPOSE = re.compile(
    r"\b(?:zero|no\sdice|none|nothing|reduc\w+|drops?|below|less|fewer|lower\w*|minimum|instead|untrained|means|counts?|is|as|or|if"
    r"|when|down\sto|never|nobody|pool)\b",
    re.IGNORECASE,
)
EXPLODING = re.compile(
    r"\bexplod\w+|\bopen[- ]ended|\brolls?\s(?:\w+\s){0,2}again\b|\bwild\sdi(?:e|ce)\b|\bpenetrat\w+\sdi", re.IGNORECASE
)


class Odd(NamedTuple):
    """An impossible dice code; a book that uses it often means something by it."""

    kind: str  # sides, dice, slip
    problem: Problem


class Seen(NamedTuple):
    """The number of dice codes on a page, and its text."""

    codes: int
    source: Source


def look(reading: Reading) -> Noticed:
    every = list(texts(reading))
    codes = sum(len(CODE.findall(text.text)) for text in every)
    seen = Seen(codes, reading.page.source)
    odd = [one for text in every for one in oddities(text)]
    told = [doubt for text in every for doubt in doubts(text)]
    return Noticed(codes + len(odd), facts=(seen, *odd, *told))


def oddities(text: Passage) -> Iterator[Odd]:
    """Impossible dice codes. Those set as code, like `1d0`, are about notation and are left out."""
    yield from (one for one in every_oddity(text) if not set_as_code(one.problem.span))


def set_as_code(span: Span) -> bool:
    return span.source.text[max(span.start - 1, 0) : span.start] == "`"


def every_oddity(text: Passage) -> Iterator[Odd]:
    for found in NO_SIDES.finditer(text.text):
        note = f"write {found['count']}d100" if found["zeros"] == "00" else "write how many sides the die has"
        yield odd("sides", text, found.span(), "a die with no sides cannot be rolled", note)
    for found in NO_DICE.finditer(text.text):
        if text.kind != "cell" and throws(text.text, *found.span()):
            yield odd("dice", text, found.span(), "no dice are rolled here", "write how many dice are rolled")
    for shape, right, what in SLIPS:
        for found in shape.finditer(text.text):
            span = text.span(*found.span("slip"))
            better = right + ("0" if len(found["slip"]) == 2 and right == "0" else "")
            problem = slip(text, text.span(*found.span()), what.format(found["slip"]), Fix(span, better))
            yield Odd("slip", problem)


def throws(text: str, start: int, end: int) -> bool:
    sentence = before(text, start), after(text, end)
    return bool(DEALING.search(sentence[0])) and not any(ON_PURPOSE.search(part) for part in sentence)


def odd(kind: str, text: Passage, place: tuple[int, int], why: str, note: str) -> Odd:
    message = f"{text.text[slice(*place)]}: {why}"
    return Odd(kind, Problem("die-impossible", message, text.span(*place), "warning", (note,), text.trail))


def slip(text: Passage, span: Span, what: str, fix: Fix) -> Problem:
    message = f"{span.text} has {what}"
    return Problem("die-written", message, span, "warning", (f"write {fix.text} there",), text.trail, fix)


def settled(facts: Sequence[Odd | Seen | Doubt]) -> list[Problem]:
    pages = [fact for fact in facts if isinstance(fact, Seen)]
    codes = sum(page.codes for page in pages)
    odd = [fact for fact in facts if isinstance(fact, Odd)]
    told = [fact for fact in facts if isinstance(fact, Doubt)]
    exploding = any(one.exploding for one in told) and any(EXPLODING.search(page.source.text) for page in pages)
    return [*slips(odd, codes), *(one.problem for one in told if not (exploding and one.exploding))]


def slips(odd: Sequence[Odd], codes: int) -> Iterator[Problem]:
    """Problems that are rare enough to be typos; letters for digits count only in books with dice."""
    for kind, most in (("sides", HABIT - 1), ("dice", 1), ("slip", len(odd))):
        alike = [one.problem for one in odd if one.kind == kind]
        if len(alike) <= most and (kind != "slip" or codes >= HABIT):
            yield from alike


DICE_DICE = Check("die", "dice codes", look, settled)
