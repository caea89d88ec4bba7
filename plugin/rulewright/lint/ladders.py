"""Checks named ratings such as "Superb (+5)" against the ladder of the book, and Fate dice against their total."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..book.tables import Row, Table
from ..book.text import Passage
from ..source import Problem, Span
from .check import Check, Noticed, Reading, after, before, texts

STEPS = 5  # fewer named numbers in a row are not a ladder
SIGNED = r"(?:[+\-−–][0-9]{1,2}|[+±−-]?0)(?![0-9])"
NAME = r"[A-ZÄÖÜ][^\W\d_]{1,20}(?:[ -][A-ZÄÖÜ][^\W\d_]{1,20}){0,2}"
NUMBER_CELL = re.compile(rf"\(?({SIGNED})\)?")
NAME_CELL = re.compile(rf"({NAME})[:.]?")
BOTH = re.compile(
    rf"(?P<first>{SIGNED})[:,]?\s(?:[=–—-]\s)?(?P<named>{NAME})|(?P<name>{NAME})[:,]?\s?\(?(?P<value>{SIGNED})\)?"
)
BEHIND = re.compile(r"$|[.:;,(—–]|\s[(—–-]")
USE = re.compile(rf"(?P<name>{NAME})\s?\((?P<value>{SIGNED})\)|(?<![\w(+])(?P<first>{SIGNED})\s?\((?P<named>{NAME})\)")
CALLED = re.compile(r"\b(?:ladders?|scales?|adjectives?|ranks?|ratings?|grades?|degrees?)\b", re.IGNORECASE)
OTHER = re.compile(
    r"\b(?:skills?|approach\w*|attributes?|abilit\w+|traits?|weapons?|armou?r|spells?|characters?|npcs?|creatures?|monsters?"
    r"|gear|bonus\w*)\b",
    re.IGNORECASE,
)
WELL_KNOWN = frozenset(
    ["Legendary", "Epic", "Fantastic", "Superb", "Great", "Good", "Fair", "Average", "Mediocre", "Poor", "Terrible"]
)


class Step(NamedTuple):
    name: str
    value: int


Ladder = tuple[Step, ...]


def amount(text: str) -> int:
    size = int(text.strip("+-−–±"))
    return -size if text[0] in "-−–" else size


def ladders(reading: Reading) -> Iterator[Ladder]:
    for table in reading.tables:
        words = " ".join([*table.trail[-1:], table.caption, *(cell.text for cell in table.header)])
        yield from clear(found_in(table), words)
    for group, words in lists(reading.passages):
        yield from clear(runs(group), words)
    for text in reading.passages:
        yield from clear(runs([step(found) for found in USE.finditer(text.text)]), text.text[:400])


def clear(found: Iterable[Ladder], words: str) -> Iterator[Ladder]:
    """Keep real ladders: they have well-known names, or the text calls them one. Lists of skills look the same."""
    for ladder in found:
        if sum(one.name in WELL_KNOWN for one in ladder) >= 3 or (CALLED.search(words) and not OTHER.search(words)):
            yield ladder


def found_in(table: Table) -> Iterator[Ladder]:
    """Ladders in a table: names and numbers in two columns, or both in each cell."""
    rows = (table.header, *table.rows)  # some tables begin with their first step
    for column in zip(*rows, strict=True):
        yield from runs([step(found) for cell in column if (found := BOTH.fullmatch(cell.text.strip()))])
    names, numbers = columns(rows, NAME_CELL), columns(rows, NUMBER_CELL)
    if len(names) >= 1 and len(numbers) == 1:
        pairs = zip(names[0], numbers[0], strict=True)
        yield from runs([Step(name[1], amount(number[1])) for name, number in pairs if name and number])


def columns(rows: Sequence[Row], shape: re.Pattern[str]) -> list[list[re.Match[str] | None]]:
    """The columns in which nearly all cells match."""
    matches = ([shape.fullmatch(cell.text.strip()) for cell in column] for column in zip(*rows, strict=True))
    return [column for column in matches if sum(map(bool, column)) >= max(STEPS, len(column) - 2)]


def lists(passages: Iterable[Passage]) -> Iterator[tuple[list[Step], str]]:
    """Consecutive paragraphs or items that begin with a name and a number, each group with the text above it."""
    group: list[Step] = []
    above, words = "", ""
    for text in passages:
        found = BOTH.match(text.text)
        if found and BEHIND.match(text.text, found.end()):
            words = words if group else " ".join([*text.trail[-1:], above])
            group.append(step(found))
        else:
            yield group, words
            group, above = [], text.text[-400:]
    yield group, words


def step(found: re.Match[str]) -> Step:
    return Step(found["name"] or found["named"], amount(found["value"] or found["first"]))


def runs(steps: Sequence[Step]) -> Iterator[Ladder]:
    """Runs of steps whose values rise or fall by one and whose names are unique."""
    start = 0
    for at in range(1, len(steps) + 1):
        if at == len(steps) or abs(steps[at].value - steps[at - 1].value) != 1 or turned(steps[start : at + 1]):
            ladder = tuple(steps[start:at])
            if len(ladder) >= STEPS and len({one.name for one in ladder}) == len(ladder):
                yield ladder
            start = at


def turned(steps: Sequence[Step]) -> bool:
    return len(steps) > 2 and steps[-1].value - steps[-2].value != steps[1].value - steps[0].value


def known(every: Iterable[Ladder]) -> dict[str, int]:
    """The value of each name; names with different values in two ladders are left out."""
    found: dict[str, set[int]] = {}
    for ladder in every:
        for one in ladder:
            found.setdefault(one.name, set()).add(one.value)
    return {name: values.pop() for name, values in found.items() if len(values) == 1}


FACE = r"[+\-−–0]"
FACES = re.compile(
    rf"\[\s?(?P<listed>{FACE}(?:\s?[,/|]?\s?{FACE}){{2,5}})\s?\]|\((?P<round>{FACE}(?:\s?[,/|]?\s?{FACE}){{3}})\)"
    rf"|(?P<glyphs>[⊞⊟⊡](?:\s?[⊞⊟⊡]){{2,5}})|(?<![\w+\-−–])(?P<tight>{FACE}{{4}})(?![\w+\-−–])"
    rf"|(?<=\s)(?P<apart>{FACE}(?:,?\s{FACE}){{3}})(?=[\s.,;:)])(?!\s{FACE})"
)
VALUES = {"+": 1, "⊞": 1, "-": -1, "−": -1, "–": -1, "⊟": -1, "0": 0, "⊡": 0}
ROLLING = re.compile(r"\b(?:roll\w*|throw\w*|threw|dice|gets?|got|comes?\sup|came\sup|show\w*)\b", re.IGNORECASE)
TOTAL = re.compile(
    r"(?:\b(?:for|totals?|totall?ing|results?|giving|gives?|gave|makes?|made|making|is|gets?|got|getting|yields?|ends?|comes?"
    r"|reach\w*|scor\w+|achiev\w+|final|outcome|becomes?)\b|=)[^0-9+−–;]{0,25}$",
    re.IGNORECASE,
)
OTHERWISE = re.compile(  # something else is added, or a number means something else
    r"\b(?:invok\w+|stunts?|bonus\w*|boosts?|re-?roll\w*|plus|minus|penalt\w+|another|more|less|help\w*|teamwork|weapon\w*|armou?r"
    r"|against|vs|versus|oppos\w+|difficult\w*|shifts?|again|if|would|could|needs?|aspects?|spends?|target|beats?|defen\w+|extra)\b",
    re.IGNORECASE,
)
ITSELF = re.compile(rf"\s?(?:=|\()\s?(?P<value>{SIGNED})\)?")


class Throw(NamedTuple):
    """Fate dice in a sentence, judged as soon as the ladder is known."""

    shown: str
    sum: int
    before: str
    after: str
    span: Span
    trail: tuple[str, ...]


class Told(NamedTuple):
    """A number in the sentence, as digits or as the name of a step."""

    value: int
    shown: str
    start: int


def throws(text: Passage) -> Iterator[Throw]:
    for found in FACES.finditer(text.text):
        faces = [VALUES[sign] for sign in found[0] if sign in VALUES]
        ahead = before(text.text, found.start())
        behind = after(text.text, found.end())
        if any(faces) and (ROLLING.search(ahead) or behind.lstrip().startswith("=")):
            yield Throw(found[0], sum(faces), ahead, behind, text.span(*found.span()), text.trail)


def wrong(throw: Throw, ladder: Mapping[str, int]) -> tuple[str, str] | None:
    """The computed and the stated total, if they differ."""
    itself, behind = ITSELF.match(throw.after), throw.after
    mods = told(throw.before, ladder)
    if itself:
        value = amount(itself["value"])
        whole = throw.sum + mods[0].value if len(mods) == 1 and "=" in itself[0] else throw.sum
        if value not in (throw.sum, whole):
            return signed(throw.sum), itself["value"]
        behind = behind[itself.end() :]
    rest = told(behind, ladder)
    more = OTHERWISE.search(throw.before + behind) or FACES.search(throw.before) or FACES.search(behind)
    return None if more else summed(throw, behind, mods, rest)


def summed(throw: Throw, behind: str, mods: list[Told], rest: list[Told]) -> tuple[str, str] | None:
    """Compare dice plus one modifier with the total, if the sentence has no other numbers."""
    if len(mods) + len(rest) != 2 or not rest or not TOTAL.search(behind[: rest[-1].start]):
        return None
    mod, total = [*mods, *rest]
    if throw.sum + mod.value == total.value:
        return None
    return f"{signed(throw.sum)}, with {mod.shown} to {signed(throw.sum + mod.value)}", total.shown


def told(text: str, ladder: Mapping[str, int]) -> list[Told]:
    """The numbers in a part of a sentence: "Good (+3)", "+3", and "Good" if the ladder has it."""
    names = "|".join(map(re.escape, sorted(ladder, key=len, reverse=True))) or "(?!)"
    pattern = rf"(?:\b(?:{names})\s?)?\(?(?<![\w+])(?P<value>{SIGNED})\)?(?![\w%])|\b(?P<name>{names})\b(?!\s[A-Z])"
    found = re.finditer(pattern, text)
    return [
        Told(amount(one["value"]) if one["value"] else ladder[one["name"]], one[0].strip(), one.start())
        for one in found
    ]


def signed(value: int) -> str:
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


HABIT = 3  # a different number that is written so often is not a typo
FARTHEST = 6  # a number farther off is something else
STRONGER = ("Very", "Extra", "Almost", "Nearly", "Not", "Quite", "More", "Less", "Super")


class Use(NamedTuple):
    """A name followed by a number in brackets."""

    name: str
    value: int
    span: Span
    trail: tuple[str, ...]


def look(reading: Reading) -> Noticed:
    steps = tuple(ladders(reading))
    named = tuple(use for text in texts(reading) for use in uses(text))
    rolls = tuple(throw for text in texts(reading) for throw in throws(text))
    return Noticed(len(named) + len(rolls), facts=(*steps, *named, *rolls))


def uses(text: Passage) -> Iterator[Use]:
    for found in USE.finditer(text.text):
        name, value = step(found)
        yield Use(name, value, text.span(*found.span("value" if found["value"] else "first")), text.trail)


def settled(facts: Sequence[Ladder | Use | Throw]) -> list[Problem]:
    named = [fact for fact in facts if isinstance(fact, Use)]
    rolls = [fact for fact in facts if isinstance(fact, Throw)]
    ladder = known(fact for fact in facts if not isinstance(fact, Use | Throw))
    return [*misnamed(named, ladder), *(told for throw in rolls if (told := miscounted(throw, ladder)))]


def misnamed(named: Sequence[Use], ladder: Mapping[str, int]) -> Iterator[Problem]:
    often = Counter((on_ladder(use.name, ladder), use.value) for use in named)
    for use in named:
        name = on_ladder(use.name, ladder)
        right = ladder.get(name)
        if right is not None and 0 < abs(right - use.value) <= FARTHEST and often[name, use.value] < HABIT:
            yield other_step(use, name, right, ladder)


def on_ladder(name: str, ladder: Mapping[str, int]) -> str:
    """The step at the end of a name: "Her Superb" is Superb, but "Very Good" is not Good."""
    words = name.split(" ")
    for at in range(len(words)):
        ending = " ".join(words[at:])
        if ending in ladder and not (at and words[at - 1] in STRONGER):
            return ending
    return ""


def other_step(use: Use, name: str, right: int, ladder: Mapping[str, int]) -> Problem:
    others = [other for other, value in ladder.items() if value == use.value]
    either = f", or {others[0]} if {signed(use.value)} is meant" if others else ""
    message = f"{name} is {signed(right)} on the ladder of this book, but the text says {signed(use.value)}"
    return Problem("ladder-step", message, use.span, "warning", (f"write {signed(right)}{either}",), use.trail)


def miscounted(throw: Throw, ladder: Mapping[str, int]) -> Problem | None:
    found = wrong(throw, ladder)
    if not found:
        return None
    message = f"the dice {throw.shown} come to {found[0]}, but the text says {found[1]}"
    note = "change the faces, the number that is added or the total"
    return Problem("ladder-total", message, throw.span, "warning", (note,), throw.trail)


LADDER = Check("ladder", "named steps", look, settled)
