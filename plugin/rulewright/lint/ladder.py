"""Checks named ratings such as "Superb (+5)" against the ladder of the book, and Fate dice against their total."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..book.tables import Row, Table
from ..book.text import Passage
from ..prose.sentences import sentence_after, sentence_before
from ..source import Problem, Span
from .interface import Check, LintContext, LintResult

_MIN_STEPS = 5  # fewer named numbers in a row are not a ladder
_SIGNED = r"(?:[+\-−–][0-9]{1,2}|[+±−-]?0)(?![0-9])"
NAME = r"[A-ZÄÖÜ][^\W\d_]{1,20}(?:[ -][A-ZÄÖÜ][^\W\d_]{1,20}){0,2}"
_NUMBER_CELL = re.compile(rf"\(?({_SIGNED})\)?")
_NAME_CELL = re.compile(rf"({NAME})[:.]?")
_BOTH = re.compile(
    rf"(?P<first>{_SIGNED})[:,]?\s(?:[=–—-]\s)?(?P<named>{NAME})|(?P<name>{NAME})[:,]?\s?\(?(?P<value>{_SIGNED})\)?"
)
_NAME_END = re.compile(r"$|[.:;,(—–]|\s[(—–-]")
_USE = re.compile(
    rf"(?P<name>{NAME})\s?\((?P<value>{_SIGNED})\)|(?<![\w(+])(?P<first>{_SIGNED})\s?\((?P<named>{NAME})\)"
)
_LADDER_WORDS = re.compile(r"\b(?:ladders?|scales?|adjectives?|ranks?|ratings?|grades?|degrees?)\b", re.IGNORECASE)
_OTHER_TRAITS = re.compile(
    r"\b(?:skills?|approach\w*|attributes?|abilit\w+|traits?|weapons?|armou?r|spells?|characters?|npcs?|creatures?|monsters?"
    r"|gear|bonus\w*)\b",
    re.IGNORECASE,
)
_WELL_KNOWN = frozenset(
    ["Legendary", "Epic", "Fantastic", "Superb", "Great", "Good", "Fair", "Average", "Mediocre", "Poor", "Terrible"]
)


class _LadderStep(NamedTuple):
    name: str
    value: int


_Ladder = tuple[_LadderStep, ...]


def _parse_amount(text: str) -> int:
    size = int(text.strip("+-−–±"))
    return -size if text[0] in "-−–" else size


def _find_ladders(context: LintContext, with_uses: Iterable[Passage]) -> Iterator[_Ladder]:
    for table in context.tables:
        words = " ".join([*table.trail[-1:], table.caption, *(cell.text for cell in table.header)])
        yield from _real_ladders(_ladders_in_table(table), words)
    for group, words in _step_lists(context.passages):
        yield from _real_ladders(_split_ladders(group), words)
    for text in with_uses:
        if text.kind != "cell":
            listed = _split_ladders([_parse_step(match) for match in _USE.finditer(text.text)])
            yield from _real_ladders(listed, text.text[:400])


def _real_ladders(candidates: Iterable[_Ladder], words: str) -> Iterator[_Ladder]:
    """Keep real ladders: they have well-known names, or the text calls them one. Lists of skills look the same."""
    for ladder in candidates:
        if sum(ladder_step.name in _WELL_KNOWN for ladder_step in ladder) >= 3 or (
            _LADDER_WORDS.search(words) and not _OTHER_TRAITS.search(words)
        ):
            yield ladder


def _ladders_in_table(table: Table) -> Iterator[_Ladder]:
    """Ladders in a table: names and numbers in two columns, or both in each cell."""
    rows = (table.header, *table.rows)  # some tables begin with their first step
    for column in zip(*rows, strict=True):
        yield from _split_ladders(
            [_parse_step(match) for cell in column if (match := _BOTH.fullmatch(cell.text.strip()))]
        )
    names, numbers = _matching_columns(rows, _NAME_CELL), _matching_columns(rows, _NUMBER_CELL)
    if len(names) >= 1 and len(numbers) == 1:
        pairs = zip(names[0], numbers[0], strict=True)
        yield from _split_ladders(
            [_LadderStep(name[1], _parse_amount(number[1])) for name, number in pairs if name and number]
        )


def _matching_columns(rows: Sequence[Row], shape: re.Pattern[str]) -> list[list[re.Match[str] | None]]:
    """The columns in which nearly all cells match."""
    matches = ([shape.fullmatch(cell.text.strip()) for cell in column] for column in zip(*rows, strict=True))
    return [column for column in matches if sum(map(bool, column)) >= max(_MIN_STEPS, len(column) - 2)]


def _step_lists(passages: Iterable[Passage]) -> Iterator[tuple[list[_LadderStep], str]]:
    """Consecutive paragraphs or items that begin with a name and a number, each group with the text above it."""
    group: list[_LadderStep] = []
    above, words = "", ""
    for text in passages:
        match = _BOTH.match(text.text)
        if match and _NAME_END.match(text.text, match.end()):
            words = words if group else " ".join([*text.trail[-1:], above])
            group.append(_parse_step(match))
        else:
            yield group, words
            group, above = [], text.text[-400:]
    yield group, words


def _parse_step(match: re.Match[str]) -> _LadderStep:
    return _LadderStep(match["name"] or match["named"], _parse_amount(match["value"] or match["first"]))


def _split_ladders(steps: Sequence[_LadderStep]) -> Iterator[_Ladder]:
    """Runs of steps whose values rise or fall by one and whose names are unique."""
    start = 0
    for at in range(1, len(steps) + 1):
        if (
            at == len(steps)
            or abs(steps[at].value - steps[at - 1].value) != 1
            or _changes_direction(steps[start : at + 1])
        ):
            ladder = tuple(steps[start:at])
            if len(ladder) >= _MIN_STEPS and len({ladder_step.name for ladder_step in ladder}) == len(ladder):
                yield ladder
            start = at


def _changes_direction(steps: Sequence[_LadderStep]) -> bool:
    return len(steps) > 2 and steps[-1].value - steps[-2].value != steps[1].value - steps[0].value


def _step_values(ladders: Iterable[_Ladder]) -> dict[str, int]:
    """The value of each name; names with different values in two ladders are left out."""
    values_by_name: dict[str, set[int]] = {}
    for ladder in ladders:
        for ladder_step in ladder:
            values_by_name.setdefault(ladder_step.name, set()).add(ladder_step.value)
    return {name: values.pop() for name, values in values_by_name.items() if len(values) == 1}


_FACE = r"[+\-−–0]"
_FACES = re.compile(
    rf"[\[(+\-−–0⊞⊟⊡](?:(?<=\[)\s?{_FACE}(?:\s?[,/|]?\s?{_FACE}){{2,5}}\s?\]"
    rf"|(?<=\(){_FACE}(?:\s?[,/|]?\s?{_FACE}){{3}}\)|(?<=[⊞⊟⊡])(?:\s?[⊞⊟⊡]){{2,5}}"
    rf"|(?<={_FACE})(?<![\w+\-−–].){_FACE}{{3}}(?![\w+\-−–])"
    rf"|(?<=\s{_FACE})(?:,?\s{_FACE}){{3}}(?=[\s.,;:)])(?!\s{_FACE}))"
)
_VALUES = {"+": 1, "⊞": 1, "-": -1, "−": -1, "–": -1, "⊟": -1, "0": 0, "⊡": 0}
_ROLLING = re.compile(r"\b(?:roll\w*|throw\w*|threw|dice|gets?|got|comes?\sup|came\sup|show\w*)\b", re.IGNORECASE)
_TOTAL = re.compile(
    r"(?:\b(?:for|totals?|totall?ing|results?|giving|gives?|gave|makes?|made|making|is|gets?|got|getting|yields?|ends?|comes?"
    r"|reach\w*|scor\w+|achiev\w+|final|outcome|becomes?)\b|=)[^0-9+−–;]{0,25}$",
    re.IGNORECASE,
)
_OTHER_CHANGES = re.compile(  # something else is added, or a number means something else
    r"\b(?:invok\w+|stunts?|bonus\w*|boosts?|re-?roll\w*|plus|minus|penalt\w+|another|more|less|help\w*|teamwork|weapon\w*|armou?r"
    r"|against|vs|versus|oppos\w+|difficult\w*|shifts?|again|if|would|could|needs?|aspects?|spends?|target|beats?|defen\w+|extra)\b",
    re.IGNORECASE,
)
_STATED_TOTAL = re.compile(rf"\s?(?:=|\()\s?(?P<value>{_SIGNED})\)?")


class _FateRoll(NamedTuple):
    """Fate dice in a sentence, judged as soon as the ladder is known."""

    dice_text: str
    total: int
    text_before: str
    text_after: str
    span: Span
    trail: tuple[str, ...]


class _StatedNumber(NamedTuple):
    """A number in the sentence, as digits or as the name of a step."""

    value: int
    number_text: str
    start: int


def _find_rolls(text: Passage) -> Iterator[_FateRoll]:
    for match in _FACES.finditer(text.text):
        faces = [_VALUES[sign] for sign in match[0] if sign in _VALUES]
        text_before = sentence_before(text.text, match.start())
        text_after = sentence_after(text.text, match.end())
        if any(faces) and (_ROLLING.search(text_before) or text_after.lstrip().startswith("=")):
            yield _FateRoll(match[0], sum(faces), text_before, text_after, text.span(*match.span()), text.trail)


def _compare_total(fate_roll: _FateRoll, ladder: Mapping[str, int]) -> tuple[str, str] | None:
    """The computed and the stated total, if they differ."""
    stated_total, text_after = _STATED_TOTAL.match(fate_roll.text_after), fate_roll.text_after
    modifiers = _parse_numbers(fate_roll.text_before, ladder)
    if stated_total:
        value = _parse_amount(stated_total["value"])
        whole = (
            fate_roll.total + modifiers[0].value if len(modifiers) == 1 and "=" in stated_total[0] else fate_roll.total
        )
        if value not in (fate_roll.total, whole):
            return _format_signed(fate_roll.total), stated_total["value"]
        text_after = text_after[stated_total.end() :]
    rest = _parse_numbers(text_after, ladder)
    more = (
        _OTHER_CHANGES.search(fate_roll.text_before + text_after)
        or _FACES.search(fate_roll.text_before)
        or _FACES.search(text_after)
    )
    return None if more else _compare_modified_total(fate_roll, text_after, modifiers, rest)


def _compare_modified_total(
    fate_roll: _FateRoll, text_after: str, modifiers: list[_StatedNumber], rest: list[_StatedNumber]
) -> tuple[str, str] | None:
    """Compare dice plus one modifier with the total, if the sentence has no other numbers."""
    if len(modifiers) + len(rest) != 2 or not rest or not _TOTAL.search(text_after[: rest[-1].start]):
        return None
    modifier, total = [*modifiers, *rest]
    if fate_roll.total + modifier.value == total.value:
        return None
    shifted = fate_roll.total + modifier.value
    return (
        f"{_format_signed(fate_roll.total)}, and to {_format_signed(shifted)} with {modifier.number_text}",
        total.number_text,
    )


def _parse_numbers(text: str, ladder: Mapping[str, int]) -> list[_StatedNumber]:
    """The numbers in a part of a sentence: "Good (+3)", "+3", and "Good" if the ladder has it."""
    names = "|".join(map(re.escape, sorted(ladder, key=len, reverse=True))) or "(?!)"
    pattern = rf"(?:\b(?:{names})\s?)?\(?(?<![\w+])(?P<value>{_SIGNED})\)?(?![\w%])|\b(?P<name>{names})\b(?!\s[A-Z])"
    matches = re.finditer(pattern, text)
    return [
        _StatedNumber(
            _parse_amount(match["value"]) if match["value"] else ladder[match["name"]], match[0].strip(), match.start()
        )
        for match in matches
    ]


def _format_signed(value: int) -> str:
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


_MIN_HABIT = 3  # a different number that is written so often is not a typo,
_HABIT_SHARE = 10  # unless the number of the ladder is written so many times as often
_MAX_DIFFERENCE = 6  # a number farther off is something else
_MODIFYING_WORDS = ("Very", "Extra", "Almost", "Nearly", "Not", "Quite", "More", "Less", "Super")


class _StepUse(NamedTuple):
    """A name followed by a number in brackets."""

    name: str
    value: int
    span: Span
    trail: tuple[str, ...]


def _check_page(context: LintContext) -> LintResult:
    with_uses = context.figures_with(_USE)
    steps = tuple(_find_ladders(context, with_uses))
    named = tuple(use for text in with_uses for use in _find_uses(text))
    rolls = tuple(fate_roll for text in context.passages_with(_FACES) for fate_roll in _find_rolls(text))
    return LintResult(len(named) + len(rolls), facts=(*steps, *named, *rolls))


def _find_uses(text: Passage) -> Iterator[_StepUse]:
    for match in _USE.finditer(text.text):
        name, value = _parse_step(match)
        yield _StepUse(name, value, text.span(*match.span("value" if match["value"] else "first")), text.trail)


def _check_book(facts: Sequence[_Ladder | _StepUse | _FateRoll]) -> list[Problem]:
    named = [fact for fact in facts if isinstance(fact, _StepUse)]
    rolls = [fact for fact in facts if isinstance(fact, _FateRoll)]
    ladder = _step_values(fact for fact in facts if not isinstance(fact, _StepUse | _FateRoll))
    return [
        *_wrong_steps(named, ladder),
        *(problem for fate_roll in rolls if (problem := _check_total(fate_roll, ladder))),
    ]


def _wrong_steps(named: Sequence[_StepUse], ladder: Mapping[str, int]) -> Iterator[Problem]:
    often = Counter((_find_step(use.name, ladder), use.value) for use in named)
    for use in named:
        name = _find_step(use.name, ladder)
        right = ladder.get(name)
        if right is None or not 0 < abs(right - use.value) <= _MAX_DIFFERENCE:
            continue
        number = often[name, use.value]
        if number < _MIN_HABIT or number * _HABIT_SHARE <= often[name, right]:
            yield _wrong_step_problem(use, name, right, ladder)


def _find_step(name: str, ladder: Mapping[str, int]) -> str:
    """The step at the end of a name: "Her Superb" is Superb, but "Very Good" is not Good."""
    words = name.split(" ")
    for at in range(len(words)):
        ending = " ".join(words[at:])
        if ending in ladder and not (at and words[at - 1] in _MODIFYING_WORDS):
            return ending
    return ""


def _wrong_step_problem(use: _StepUse, name: str, right: int, ladder: Mapping[str, int]) -> Problem:
    others = [other for other, value in ladder.items() if value == use.value]
    either = f", or {others[0]} if {_format_signed(use.value)} is meant" if others else ""
    message = (
        f"{name} is {_format_signed(right)} on the ladder of this book, but the text says {_format_signed(use.value)}"
    )
    return Problem("ladder-step", message, use.span, "warning", (f"write {_format_signed(right)}{either}",), use.trail)


def _check_total(fate_roll: _FateRoll, ladder: Mapping[str, int]) -> Problem | None:
    totals = _compare_total(fate_roll, ladder)
    if not totals:
        return None
    message = f"the dice {fate_roll.dice_text} add up to {totals[0]}, but the text says {totals[1]}"
    note = "change the faces, the number that is added or the total"
    return Problem("ladder-total", message, fate_roll.span, "error", (note,), fate_roll.trail)


CHECK = Check("ladder", "named steps", _check_page, _check_book)
