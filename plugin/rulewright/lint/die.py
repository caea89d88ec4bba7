"""Impossible dice: 1d0, six faces from a roll of 5d6, an 8 on a d6."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.text import Passage
from ..prose.number_words import AFTER_RESULT, LIMIT, WORD, number
from ..prose.sentences import sentence_after, sentence_before
from ..source import Fix, Problem, Source, Span
from .interface import Check, LintContext, LintResult

_VERB = r"\b(?:(?:you|I)\s(?:roll|throw)|rolls|rolled|rolling|throws|threw|throwing)"
_DICE = (
    r"(?:(?P<count>[0-9]{0,2})[dDwW](?P<sides>4|6|8|10|12|20|100|%)(?![0-9])(?P<plus>\s?[+−–-]\s?[0-9]{1,2})?"
    rf"(?!\w|\s?[+]|/)|(?P<many>[0-9]{{1,2}}|{WORD})\s"
    rf"(?:(?P<shape>{WORD})[- ]sided\s|d(?P<size>4|6|8|10|12|20)\s)?"
    r"(?:dice|d(?P<plural>4|6|8|10|12|20)s?)\b)"
)
_GETS = (
    r"(?P<gets>,?\s(?:(?:and|which|that|they|it)\s)?(?:gets?|got|getting|shows?|showed|showing|come\sup|comes\sup|came\sup|coming\sup"
    r"|turns?\sup|lands?\son|landed\son)(?:\sas|\swith)?\s|:\s|\s?(?=[(\[])|,\s(?=\[))"
)
_FACE = rf"(?:an?\s)?(?:[0-9]{{1,3}}|{WORD})(?![\w%])"
_LISTED = rf"[(\[]?(?P<faces>{_FACE}(?:(?:,\s?(?:and\s)?|\sand\s|\s?&\s?|\s?\+\s?){_FACE}){{0,30}})[)\]]?"
_ROLL = re.compile(
    rf"{_VERB}\s(?:(?:an?|his|her|their|its|your|the|my|all|only|just)\s){{0,2}}{_DICE}"
    rf"(?P<middle>(?:\s[a-z’']+){{0,4}}?){_GETS}(?:only\s|just\s)?{_LISTED}",
    re.IGNORECASE,
)
_ON_DIE = re.compile(
    rf"\b(?:rolls|rolled|rolling|throws|threw|gets|got|shows)\san?\s(?P<face>[0-9]{{1,2}}|{WORD})\son\s(?:an?|the|his|her|their|your)"
    r"\s1?d(?P<sides>4|6|8|10|12)\b(?!\s?[+−–-])",
    re.IGNORECASE,
)
_PHYSICAL = re.compile(r"show|com|came|turn|land", re.IGNORECASE)
_OTHER_DICE = re.compile(  # other dice are rolled, or these are changed after the roll
    r"\b(?:explod\w+|again|bonus\w*|extra|wild|aces?|open[- ]ended|re-?roll\w*|re-?throw\w*|keep\w*|kept|drop\w*"
    r"|discard\w*|best|worst|highest|lowest|higher|lower|(?:dis)?advantage|additional|another|more|add(?:s|ed|ing)?|spend\w*|push\w*"
    r"|replac\w*|chang\w+|becom\w+|second|specialty|luck\w*)\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(  # hypothetical, or several rolls
    r"\b(?:twice|thrice|times|each|both|every|respectively|plus|minus|penalt\w+|among|including|pairs?|sets?|modif\w*|would|could"
    r"|might|if|per|players?|everybody|everyone|they|we|then\srolls)\b",
    re.IGNORECASE,
)
_SELECTION_WORDS = re.compile(
    r"\b(?:success\w*|hits?|totals?|sum|steps?|doubles|triples|matching|only)\b", re.IGNORECASE
)
_SEVERAL_PEOPLE = re.compile(r"\band\s[A-Z][a-z]+\s(?:roll|throw)|\bversus\b|\bvs\b")


class _TentativeProblem(NamedTuple):
    """A problem that may be withdrawn if dice explode in this book."""

    problem: Problem
    explained_by_exploding: bool  # exploding dice would explain it


class _RolledDice(NamedTuple):
    """Dice that were rolled in the text, and the faces they showed."""

    passage: Passage
    dice: str
    dice_count: int
    sides: int  # 0: unknown
    faces: tuple[int, ...]
    start: int
    end: int


def _check_rolls(passage: Passage) -> Iterator[_TentativeProblem]:
    for match in _ROLL.finditer(passage.text):
        rolled_dice = _parse_roll(passage, match)
        if (
            rolled_dice
            and _is_list_complete(passage.text, match)
            and not _is_modified(passage.text, match.start(), match.end())
        ):
            yield from _check_faces(rolled_dice, match)


def _check_faces_of_one_die(passage: Passage) -> Iterator[_TentativeProblem]:
    for match in _ON_DIE.finditer(passage.text):
        face, sides = number(match["face"]) or 0, int(match["sides"])
        if face > sides and not _is_modified(passage.text, match.start(), match.end()):
            rolled_dice = _RolledDice(passage, f"a d{sides}", 1, sides, (face,), *match.span("face"))
            yield _TentativeProblem(_face_problem(rolled_dice, face), explained_by_exploding=True)


def _parse_roll(passage: Passage, match: re.Match[str]) -> _RolledDice | None:
    faces = tuple(number(re.sub(r"^an?\s", "", face[0], flags=re.IGNORECASE)) for face in _split_faces(match["faces"]))
    sides = match["sides"] or match["size"] or match["plural"] or str(number(match["shape"] or "") or 0)
    count = number(match["many"]) if match["many"] else int(match["count"] or 1)
    dice = passage.text[match.start("many" if match["many"] else "count") : _dice_end(match)].strip()
    known = tuple(face for face in faces if face is not None)
    if not count or len(known) != len(faces):
        return None
    return _RolledDice(passage, dice, count, 100 if sides == "%" else int(sides), known, *match.span("faces"))


def _dice_end(match: re.Match[str]) -> int:
    return match.start("middle")


def _split_faces(listed: str) -> Iterator[re.Match[str]]:
    return re.finditer(_FACE, listed, re.IGNORECASE)


def _is_list_complete(text: str, match: re.Match[str]) -> bool:
    """Whether the list of faces ends here: no noun that is counted, no range, no limit follows."""
    return bool(AFTER_RESULT.match(text, match.end())) and not LIMIT.match(text, match.end())


def _is_modified(text: str, start: int, end: int) -> bool:
    """Whether this sentence or the next one mentions other dice, or the roll is hypothetical."""
    text_after = sentence_after(text, end)
    sentence = f"{sentence_before(text, start)} … {text[start:end]} {text_after}"
    other_meaning = _OTHER_DICE.search(sentence) or _HYPOTHETICAL.search(sentence) or _SEVERAL_PEOPLE.search(sentence)
    return bool(other_meaning or _OTHER_DICE.search(sentence_after(text, end + len(text_after) + 2)))


def _check_faces(rolled_dice: _RolledDice, match: re.Match[str]) -> Iterator[_TentativeProblem]:
    listed = len(rolled_dice.faces)
    if listed == 1:
        yield from _check_single_face(rolled_dice, match)
    elif listed > rolled_dice.dice_count or (
        listed == rolled_dice.dice_count - 1 and _is_one_face_missing(rolled_dice)
    ):
        if not match["plus"]:
            yield _TentativeProblem(_count_problem(rolled_dice), explained_by_exploding=listed > rolled_dice.dice_count)
    elif listed == rolled_dice.dice_count:
        strange = [face for face in rolled_dice.faces if _is_impossible_face(face, rolled_dice.sides)]
        if strange and rolled_dice.sides:
            yield _TentativeProblem(_face_problem(rolled_dice, max(strange)), explained_by_exploding=False)


def _is_one_face_missing(rolled_dice: _RolledDice) -> bool:
    """Whether the numbers are faces of all dice but one, not a selection such as successes."""
    near = sentence_after(rolled_dice.passage.text, rolled_dice.end)
    return all(face <= (rolled_dice.sides or face) for face in rolled_dice.faces) and not _SELECTION_WORDS.search(near)


def _check_single_face(rolled_dice: _RolledDice, match: re.Match[str]) -> Iterator[_TentativeProblem]:
    """Check a single face, only where the verb is about the die ("comes up") and not about a result."""
    face = rolled_dice.faces[0]
    if (
        rolled_dice.dice_count == 1
        and rolled_dice.sides
        and _PHYSICAL.search(match["gets"])
        and not match["plus"]
        and _is_impossible_face(face, rolled_dice.sides)
    ):
        yield _TentativeProblem(_face_problem(rolled_dice, face), explained_by_exploding=True)


def _is_impossible_face(face: int, sides: int) -> bool:
    return face > sides or (face == 0 and sides not in (10, 20, 100))


def _count_problem(rolled_dice: _RolledDice) -> Problem:
    listed = len(rolled_dice.faces)
    are = (
        f"{rolled_dice.dice} is one die"
        if rolled_dice.dice_count == 1
        else f"{rolled_dice.dice} are {rolled_dice.dice_count} dice"
    )
    are = are if rolled_dice.sides else f"{rolled_dice.dice} were rolled"
    message = f"{are}, but the text lists {listed} faces"
    note = f"list {rolled_dice.dice_count} faces, or roll {listed} dice"
    return Problem(
        "die-count",
        message,
        rolled_dice.passage.span(rolled_dice.start, rolled_dice.end),
        "warning",
        (note,),
        rolled_dice.passage.trail,
    )


def _face_problem(rolled_dice: _RolledDice, face: int) -> Problem:
    message = f"a d{rolled_dice.sides} has no {face}"
    note = f"change the {face} to a face from 1 to {rolled_dice.sides}, or the dice"
    return Problem(
        "die-face",
        message,
        rolled_dice.passage.span(rolled_dice.start, rolled_dice.end),
        "warning",
        (note,),
        rolled_dice.passage.trail,
    )


_MIN_HABIT = 3  # what is written so often is not a typo
_USUAL = r"(?:4|6|8|10|12|20|100)"
_DICE_CODE = re.compile(r"(?<![\w.])[1-9]?[0-9]?[dDwW](?:[1-9][0-9]{0,2}|%)(?!\w)")
_NO_SIDES = re.compile(r"(?<![\w.,])(?P<count>[1-9]|[1-9][0-9](?=[dw]))[dDwW](?P<zeros>0{1,3})(?![\w%]|[.-][0-9A-F])")
_NO_DICE = re.compile(rf"(?<![\w.,+−–-])0[dDwW]{_USUAL}(?!\w)")
_DOUBLE_D = re.compile(rf"(?<![\w.])[1-9][0-9]?(?P<slip>dd){_USUAL}(?!\w)")
_LETTER_FOR_ONE = re.compile(rf"(?<![\w.'’-])(?P<slip>[lI])d{_USUAL}(?!\w)")
_LETTER_FOR_ZERO = re.compile(r"(?<![\w.])[1-9]?[0-9]?d[12](?P<slip>O|O0|0O)(?!\w)")
_TYPOS = (
    (_LETTER_FOR_ONE, "1", "the letter {} for the figure 1"),
    (_DOUBLE_D, "d", "{} where one d will do"),
    (_LETTER_FOR_ZERO, "0", "the letter O for a nought"),
)
_DEALING = re.compile(
    r"\b(?:rolls?|rolled|throws?|deals?|dealing|takes?|taking|inflicts?|does|causes?|heals?|restores?|suffers?|for|loses?)\s$",
    re.IGNORECASE,
)
_ON_PURPOSE = re.compile(
    r"\b(?:zero|no\sdice|none|nothing|reduc\w+|drops?|below|less|fewer|lower\w*|minimum|instead|untrained|means|counts?|is|as|or|if"
    r"|when|down\sto|never|nobody|pool)\b",
    re.IGNORECASE,
)
_EXPLODING = re.compile(
    r"\bexplod\w+|\bopen[- ]ended|\brolls?\s(?:\w+\s){0,2}again\b|\bwild\sdi(?:e|ce)\b|\bpenetrat\w+\sdi", re.IGNORECASE
)


class _ImpossibleCode(NamedTuple):
    """An impossible dice code; a book that uses it often means something by it."""

    kind: str  # sides, dice, slip
    problem: Problem


class _PageFacts(NamedTuple):
    """The number of dice codes on a page, and its text."""

    code_count: int
    source: Source


def _check_page(context: LintContext) -> LintResult:
    codes = sum(len(_DICE_CODE.findall(text.text)) for text in context.figures_with(_DICE_CODE))
    page_facts = _PageFacts(codes, context.page.source)
    slips = context.figures_with(_NO_SIDES, _NO_DICE, *(shape for shape, *_ in _TYPOS))
    impossible = [code for text in slips for code in _impossible_codes(text)]
    tentative = [doubt for text in context.passages_with(_ROLL) for doubt in _check_rolls(text)]
    tentative += [doubt for text in context.figures_with(_ON_DIE) for doubt in _check_faces_of_one_die(text)]
    return LintResult(codes + len(impossible), facts=(page_facts, *impossible, *tentative))


def _impossible_codes(passage: Passage) -> Iterator[_ImpossibleCode]:
    """Impossible dice codes. Those set as code, like `1d0`, are about notation and are left out."""
    yield from (code for code in _find_impossible_codes(passage) if not _is_code(code.problem.span))


def _is_code(span: Span) -> bool:
    return span.source.text[max(span.start - 1, 0) : span.start] == "`"


def _find_impossible_codes(passage: Passage) -> Iterator[_ImpossibleCode]:
    for match in _NO_SIDES.finditer(passage.text):
        note = f"write {match['count']}d100" if match["zeros"] == "00" else "write how many sides the die has"
        yield _make_impossible_code("sides", passage, match.span(), "a die with no sides cannot be rolled", note)
    for match in _NO_DICE.finditer(passage.text):
        if passage.kind != "cell" and _is_rolled(passage.text, *match.span()):
            yield _make_impossible_code(
                "dice", passage, match.span(), "no dice are rolled here", "write how many dice are rolled"
            )
    for shape, right, description in _TYPOS:
        for match in shape.finditer(passage.text):
            span = passage.span(*match.span("slip"))
            better = right + ("0" if len(match["slip"]) == 2 and right == "0" else "")
            problem = _typo_problem(
                passage, passage.span(*match.span()), description.format(match["slip"]), Fix(span, better)
            )
            yield _ImpossibleCode("slip", problem)


def _is_rolled(text: str, start: int, end: int) -> bool:
    sentence = sentence_before(text, start), sentence_after(text, end)
    return bool(_DEALING.search(sentence[0])) and not any(_ON_PURPOSE.search(part) for part in sentence)


def _make_impossible_code(
    kind: str, passage: Passage, offsets: tuple[int, int], reason: str, note: str
) -> _ImpossibleCode:
    message = f"{passage.text[slice(*offsets)]}: {reason}"
    return _ImpossibleCode(
        kind, Problem("die-impossible", message, passage.span(*offsets), "warning", (note,), passage.trail)
    )


def _typo_problem(passage: Passage, span: Span, description: str, fix: Fix) -> Problem:
    message = f"{span.text} has {description}"
    return Problem("die-written", message, span, "warning", (f"write {fix.text} there",), passage.trail, fix)


def _check_book(facts: Sequence[_ImpossibleCode | _PageFacts | _TentativeProblem]) -> list[Problem]:
    pages = [fact for fact in facts if isinstance(fact, _PageFacts)]
    codes = sum(page.code_count for page in pages)
    impossible = [fact for fact in facts if isinstance(fact, _ImpossibleCode)]
    tentative = [fact for fact in facts if isinstance(fact, _TentativeProblem)]
    exploding = any(candidate.explained_by_exploding for candidate in tentative) and any(
        _EXPLODING.search(page.source.text) for page in pages
    )
    return [
        *_rare_problems(impossible, codes),
        *(candidate.problem for candidate in tentative if not (exploding and candidate.explained_by_exploding)),
    ]


def _rare_problems(impossible: Sequence[_ImpossibleCode], codes: int) -> Iterator[Problem]:
    """Problems that are rare enough to be typos; letters for digits count only in books with dice."""
    for kind, most in (("sides", _MIN_HABIT - 1), ("dice", 1), ("slip", len(impossible))):
        problems = [code.problem for code in impossible if code.kind == kind]
        if len(problems) <= most and (kind != "slip" or codes >= _MIN_HABIT):
            yield from problems


CHECK = Check("die", "dice codes", _check_page, _check_book)
