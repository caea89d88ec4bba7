"""Compares the numbers of a text with the blocks below it that say `proves: text`.

The text is the paragraph, list or table right above. Each of its numbers has to be one that a block writes: a setting,
a face, a result, the size of a die, or how many dice there are. A small number that the block has for another reason
is not tied. Numbers that state a figure of the game are compared with that instead."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..book.page import Block, Page, Part
from ..game.figures import name_phrases
from ..game.model import Game, NamedPart, Rule
from ..prose.frames import Frame
from ..prose.numbers import find_numbers
from ..prose.statements import Vocabulary
from ..prose.stems import stems_of
from ..source import Problem, Span
from .dice_lists import fixed_sides
from .free_numbers import is_reference
from .page_numbers import Beside, PageNumber, is_named

_PROVES = "proves"
_UNREAD = re.compile(
    rf"^[ \t]*(?:id|title|game|rule|show|skip|wrong|{_PROVES})[ \t]*:.*$", re.IGNORECASE | re.MULTILINE
)
_DICE = re.compile(r"\b(?:dice|rolled)[ \t]*:?[ \t]+([^\n]*)", re.IGNORECASE)
_ROUND_END = re.compile(r"[|;]")
_FACE = re.compile(r"[−-]?[0-9]\S*")
_DECIMAL = re.compile(r"[0-9]+[.,][0-9]+")
_PART_END = re.compile(r"[,;+|]")
_NAME = re.compile(r"[^\W\d_]\w*")
_EMPTY_LINE = re.compile(r"\n[ \t>]*\n")
_DIE_WORDS = frozenset(("die", "würfel"))  # stems
_SIZES = frozenset(("size", "side", "seiten"))
_ADVERBS = stems_of("still itself again twice alone")  # after a face, which counts nothing
_OUT_OF = re.compile(r"\d\s+(?:out\s+of|of|von)\s+$")  # 15 of 23 hit points
_MOST_LENGTH = 20_000  # characters of a text that are looked at
_MOST_SMALL = 6  # up to this a number may be among those of a block by chance
_WHERE = "the block below"

Stems = frozenset[str]


class _Proof(NamedTuple):
    """A part of a page, and the numbers of the blocks that prove it."""

    text: Span
    values: Mapping[int, Stems]  # settings and results, with the words for what they are
    faces: frozenset[int]
    counts: frozenset[int]  # of dice
    sides: frozenset[int]  # of dice that are written
    decimals: frozenset[str]
    named: Mapping[Stems, frozenset[int]]  # the values of what readers call so

    def names(self, number: PageNumber) -> frozenset[int]:
        """What the blocks say of what a number is directly called: "difficulty 7", "two successes"; and of what has a
        word in common with it, as "hits needed" with "hits"."""
        frame = number.frame
        is_plain = frame.number.form in ("digits", "word") and not (frame.limit or frame.is_change or frame.is_face)
        if not is_plain or _OUT_OF.search(frame.before):
            return frozenset()
        cores = [core for core in self.named if is_named(number, core)]
        alike = [value for value, label in self.values.items() if any(not core.isdisjoint(label) for core in cores)]
        return frozenset(alike).union(*(self.named[core] for core in cores))

    def has(self, number: PageNumber) -> bool:
        frame = number.frame
        if frame.number.form == "decimal" or "." in frame.span.text:
            return frame.span.text.replace(",", ".") in self.decimals
        if frame.number.form == "sides":
            return frame.value in self.sides or not self.sides
        if named := self.names(number):
            return frame.value in named
        if frame.is_face and self.faces and frame.value <= max(self.sides, default=0):
            return frame.value in self.faces
        is_count = _counts_dice(frame) and not frame.is_face
        return frame.value in self.values or frame.value in (self.counts if is_count else self.faces)

    def is_about(self, frame: Frame, vocabulary: Vocabulary) -> bool:
        """Whether a number that the blocks have is the same there: a large one, one with a word in common, or one that
        measures nothing else."""
        if frame.number.form == "sides":
            return bool(self.sides)
        rolled = self.counts if _counts_dice(frame) and not frame.is_face else self.faces
        is_roll = frame.value in rolled and (
            rolled is self.counts or frame.is_face or _ADVERBS.issuperset(frame.noun[:1])
        )
        if frame.value > _MOST_SMALL or is_roll or frame.number.form in ("decimal", "percent"):
            return True
        around = frame.sentence.union(frame.nearby, *frame.headings)
        is_bare = frame.is_face or not (frame.noun or frame.target or vocabulary.knows(frame.head[:2]))
        return is_bare or not around.isdisjoint(self.values.get(frame.value, ()))


def _counts_dice(frame: Frame) -> bool:
    return frame.number.form == "dice" or not _DIE_WORDS.isdisjoint(frame.noun)


def compare_proved(page: Page, numbers: Sequence[PageNumber], game: Game, vocabulary: Vocabulary) -> dict[int, Beside]:
    """What blocks say of the numbers of the text that they prove, by the identity of the frame.

    A word such as "two" counts only before something that the game declares or a block names."""
    proofs = list(_find_proofs(page, game))
    ordered = sorted(numbers, key=lambda number: number.frame.span.start) if proofs else []
    starts = [number.frame.span.start for number in ordered]
    found: dict[int, Beside] = {}
    for proof in proofs:
        for number in ordered[bisect_left(starts, proof.text.start) : bisect_left(starts, proof.text.end)]:
            frame = number.frame
            is_word = frame.number.form == "word" and not (vocabulary.declares(frame) or proof.names(number))
            if is_word or is_reference(frame):
                continue
            if not proof.has(number):
                found[id(frame)] = Beside("", _problem(number, proof.names(number)))
            elif proof.names(number) or proof.is_about(frame, vocabulary):
                found[id(frame)] = Beside(_WHERE)
    return found


def _problem(number: PageNumber, right: Collection[int]) -> Problem:
    frame = number.frame
    fact = f"says {' or '.join(map(str, sorted(right)))}" if right else "has no such number"
    message = f"the text says {frame.span.text}, {_WHERE} {fact}"
    notes = ("correct the number here, or the block; what it does not prove belongs in another paragraph",)
    return Problem("prose-number", message, frame.span, notes=notes, trail=number.trail)


def _find_proofs(page: Page, game: Game) -> Iterator[_Proof]:
    """The proved texts of a page; blocks that follow each other share their text."""
    text, end, above = page.source.text, -1, None
    proving: list[Block] = []
    for block in page.blocks:
        if end < 0 or text[end : block.span.start].strip(" \t\r\n>"):
            if above and proving:
                yield _read_proof(above, proving, game)
            above, proving = _text_above(page, block), []
        end = block.span.end
        proves = block.get(_PROVES) and not block.get("skip") and not block.get("wrong")
        proving += [block] if proves else []
    if above and proving:
        yield _read_proof(above, proving, game)


def _text_above(page: Page, block: Block) -> Span:
    """The lines right above a block, up to an empty one."""
    text, first = page.source.text, max(block.span.start - _MOST_LENGTH, 0)
    end = first + len(text[first : block.span.start].rstrip(" \t\r\n>"))
    empty = [match.end() for match in _EMPTY_LINE.finditer(text, first, end)]
    return Span(page.source, empty[-1] if empty else first, end)


def _read_proof(above: Span, blocks: Sequence[Block], game: Game) -> _Proof:
    text = "\n".join(_UNREAD.sub("", block.text.content) for block in blocks)
    dice = [match[1] for match in _DICE.finditer(text)]
    rounds = [[len(_FACE.findall(part.replace(",", " "))) for part in _ROUND_END.split(line)] for line in dice]
    codes = (number.value for number in find_numbers(text) if number.form == "dice")
    counts = frozenset((*codes, *(count for line in rounds for count in (*line, sum(line)))))
    decimals = frozenset(found.replace(",", ".") for found in _DECIMAL.findall(text))
    values = _read_values(_DICE.sub("", text), game)
    sides = {number.value for number in find_numbers(text) if number.form == "sides"}
    sides |= {value for value, label in values.items() if not label.isdisjoint(_SIZES)}
    named = [block.get("rule") for block in blocks]
    rules = [game.rules.get(one.value if one else next(iter(game.rules), "")) for one in named]
    sides = sides.union(*(fixed_sides(rule) for rule in rules if rule))
    return _Proof(above, values, _faces("\n".join(dice)), counts, frozenset(sides), decimals, _read_named(blocks, game))


def _read_named(blocks: Sequence[Block], game: Game) -> dict[Stems, frozenset[int]]:
    """The numbers that blocks write for what readers call so: inputs, steps and degrees."""
    found = dict[Stems, frozenset[int]]()
    for block in blocks:
        for part in block.parts:
            named = part.get("rule") or block.get("rule")
            rule = game.rules.get(named.value if named else next(iter(game.rules), ""))
            for entry in part.entries if rule else ():
                for phrase in _phrases_of(entry.key, part, rule):
                    core = stems_of(phrase)
                    found[core] = found.get(core, frozenset()) | _faces(entry.value)
    return {core: values for core, values in found.items() if core and core.isdisjoint(_DIE_WORDS)}


def _phrases_of(key: str, part: Part, rule: Rule | None) -> Iterator[str]:
    """What readers call an entry of a block."""
    parts: tuple[NamedPart, ...] = (*rule.inputs, *rule.steps) if rule else ()
    for named in parts:
        if key.lower() in map(str.lower, (named.name, *name_phrases(named))):
            yield from name_phrases(named)
    outcome = part.get("outcome")
    if key == "degree" and rule:
        yield from (one.name for one in rule.outcomes if one.degree and (not outcome or outcome.value == one.name))


def _faces(text: str) -> frozenset[int]:
    return frozenset(number.value for number in find_numbers(text) if number.form not in ("decimal", "sides"))


def _read_values(text: str, game: Game) -> dict[int, Stems]:
    """The numbers of a block with the stems of what they are called there, or in the game."""
    names, found = _names_of(game), dict[int, Stems]()
    for line in text.splitlines():
        key = _stems_in(line.partition(":")[0], names) if ":" in line else frozenset()
        label = key
        for part in _PART_END.split(line):
            label = key | _stems_in(part, names) or label
            for number in find_numbers(part):
                if number.form not in ("decimal", "sides"):
                    found[number.value] = found.get(number.value, frozenset()) | label
    return found


def _stems_in(text: str, names: Mapping[str, Stems]) -> Stems:
    """The stems of the words of a block, and of what readers call the parts of a rule that it names."""
    words = [word.lower() for word in _NAME.findall(text)]
    return stems_of(text.replace("_", " ")).union(*(names[word] for word in words if word in names))


def _names_of(game: Game) -> dict[str, Stems]:
    """The stems of the phrases for each part of a rule, by its name; a degree is one of its outcomes."""
    names = dict[str, Stems]()
    for rule in game.rules.values():
        parts: tuple[NamedPart, ...] = (*rule.inputs, *rule.steps, *rule.dice, *rule.outcomes)
        graded = [("degree", outcome.name) for outcome in rule.outcomes if outcome.degree]
        for name, words in (*((part.name.lower(), " ".join(name_phrases(part))) for part in parts), *graded):
            names[name] = names.get(name, frozenset()) | stems_of(words)
    return names
