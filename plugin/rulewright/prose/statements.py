"""Which figures of a game a number of a text speaks about. The choice does not look at the value of the number.

A number is compared with the figures of the best score. It is bound if it equals one of them, and differs if the match
is strong and none is equal; a weak match says nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..game.figures import (
    CHANGE,
    DEFAULT,
    DICE,
    EDGE,
    FACE,
    FACTOR,
    LIMIT,
    NAMED,
    OUTCOME,
    PICK,
    SHEETS,
    SIDES,
    SIZE,
    VALUE,
    Figure,
)
from .frames import ABOVE, LEAST, MOST, Frame
from .number_words import CARDINALS
from .numbers import SIDED
from .stems import Subject, read_subjects

_STRONG = 4.0  # the score from which on an unequal number is a mistake
_MARGIN = 0.75  # figures whose scores are this near to the best are as good
_RESCUE = 1.0  # a figure that equals the number saves it from being a mistake up to this far from the best
_WEAK = 1.0
_LOCAL = 2.5  # the quality of a subject that belongs to the number itself
_IN_SENTENCE = 1.5  # of one whose sentence names it

_SPANNING = frozenset(("lie", "rang", "go", "run", "begin", "start", "fall", "ris", "hav", "liegt", "reicht", "geht"))
_DICE = frozenset(("die",))
_DIE_CODE = re.compile(r"\b[0-9]*[dDwW]([0-9]+|%)")
_ANY_DIE = re.compile(rf"{_DIE_CODE.pattern}|(\w{{1,12}}?)(?={SIDED.pattern})")
_MODIFIED = re.compile(rf"{_DIE_CODE.pattern}\s?[+−–-]\s?[0-9]")
OTHER_ROLLS = frozenset(("damag", "tabl", "chart", "initiativ", "schaden", "tabell", "tabellen"))
_PICKING = frozenset(("best", "high", "low", "worst", "keep", "drop", "first"))

Stems = frozenset[str]


@dataclass(frozen=True)
class _Known:
    """A figure with the stems of its phrases."""

    figure: Figure
    subjects: tuple[Subject, ...]
    operands: tuple[Subject, ...]
    topics: tuple[Subject, ...]
    is_own: bool  # a limit of something that one rule alone has

    @property
    def objects(self) -> tuple[Subject, ...]:
        """What the number may be said of; a change also of what it changes."""
        return (*self.subjects, *self.operands) if self.figure.role == CHANGE else self.subjects


class Match(NamedTuple):
    """What a number speaks about: a figure that it equals, or one that it differs from."""

    figure: Figure
    score: float
    is_equal: bool
    is_strong: bool


@dataclass(frozen=True)
class Vocabulary:
    """The figures of a game, prepared for comparison."""

    figures: tuple[Figure, ...]

    @cached_property
    def known(self) -> tuple[_Known, ...]:
        named = [read_subjects(figure.subjects) for figure in self.figures]
        owners: dict[Stems, set[str]] = {}
        for figure, subjects in zip(self.figures, named, strict=True):
            for subject in subjects if figure.role == LIMIT else ():
                owners.setdefault(subject.core, set()).add(figure.rule)
        return tuple(
            _Known(
                figure,
                subjects,
                read_subjects(figure.operands),
                read_subjects(figure.topics),
                figure.role == LIMIT and all(len(owners[subject.core]) == 1 for subject in subjects),
            )
            for figure, subjects in zip(self.figures, named, strict=True)
        )

    @cached_property
    def by_stem(self) -> dict[str, tuple[_Known, ...]]:
        """The figures by each stem of what they may be about."""
        found: dict[str, dict[int, _Known]] = {}
        for number, known in enumerate(self.known):
            for subject in known.objects:
                for word in subject.core:
                    found.setdefault(word, {})[number] = known
        return {word: tuple(entries.values()) for word, entries in found.items()}

    def candidates(self, frame: Frame) -> Iterable[_Known]:
        headings = frame.headings[0] if frame.headings else ()
        words = {*frame.noun, *frame.head, *frame.sentence, *frame.nearby, *headings}
        given = [known for known in self.known if frame.is_change and set(known.figure.given) & set(frame.faces)]
        found = {id(known): known for word in sorted(words) for known in self.by_stem.get(word, ())}
        return (found | {id(known): known for known in given}).values()

    def declares(self, frame: Frame) -> bool:
        """Whether a number counts something that the game knows."""
        return self.knows(frame.noun)

    def knows(self, stems: Collection[str]) -> bool:
        """Whether words name something that the game measures."""
        return any(
            subject.core <= set(stems)
            for word in stems
            for known in self.by_stem.get(word, ())
            for subject in known.subjects
            if known.figure.role != SIDES
        )


def find_match(
    frame: Frame, vocabulary: Vocabulary, section_rules: Collection[str], page_rules: Collection[str]
) -> Match | None:
    """The figure that a number speaks about; None if there is none, or if it is not clear which."""
    scored = [
        _Scored(score, known)
        for known in vocabulary.candidates(frame)
        if _is_compatible(frame, known.figure) and (score := _score(frame, known, section_rules, page_rules)) >= _WEAK
    ]
    if not scored:
        return None
    best = max(score for score, _ in scored)
    near = [entry for entry in scored if entry.score >= best - _MARGIN]
    is_local = any(_quality(frame, known) >= _LOCAL for _, known in near)
    is_doubtful = frame.is_doubtful or frame.is_share or frame.is_instance
    is_certain = not (is_doubtful or (frame.is_face and frame.is_negated))
    is_used = any(known.figure.rule in page_rules or (page_rules and not known.figure.rule) for _, known in near)
    is_clear = best >= _STRONG and is_certain
    is_die = frame.number.form in ("sides", "dice")
    is_sure = not is_die or any(_is_sure_die(frame, known) for _, known in near)
    is_strong = is_clear and is_local and is_used and is_sure
    equal = [entry for entry in scored if _is_equal(frame, entry.known.figure)]
    best_equal = max(equal, key=lambda entry: entry.score, default=None)
    if best_equal and best_equal.score >= best - _MARGIN:
        is_known = best_equal.known.is_own or (is_die and is_used and is_local)
        is_bound = is_strong or (is_clear and is_known)  # what is bound may be known less surely than what is wrong
        return Match(best_equal.known.figure, best_equal.score, True, is_bound)
    is_implied = any(known.figure.is_implied for _, known in near)  # what nobody wrote is no mistake
    if is_strong and not is_implied and (best_equal is None or best_equal.score < best - _RESCUE):
        closest = min(near, key=lambda entry: abs(abs(entry.known.figure.value) - frame.value))
        return Match(closest.known.figure, best, False, True)
    return None


class _Scored(NamedTuple):
    score: float
    known: _Known


def _is_equal(frame: Frame, figure: Figure) -> bool:
    """Whether a number is what the game says, or a multiple of it: "two rounds, ten seconds"."""
    if frame.edge is not None and figure.edge is not None:
        return frame.edge == figure.edge
    value = abs(figure.value)
    if frame.is_face and figure.edge is not None:
        return (frame.value >= figure.edge) == figure.is_upper
    is_multiple = figure.role == FACTOR or frame.is_change
    return frame.value == value or (is_multiple and any(frame.value == value * times for times in frame.others))


def _is_compatible(frame: Frame, figure: Figure) -> bool:
    """Whether the form of a number fits what a figure is."""
    role, form = figure.role, frame.number.form
    if form in ("percent", "decimal", "ordinal"):
        return False
    if form == "sides" or role == SIDES:
        return form == "sides" and role == SIDES
    if frame.is_face:
        return role == FACE
    if frame.is_change:
        return role in (CHANGE, VALUE, DICE) or (role == DEFAULT and frame.is_stated and not frame.noun)
    return _is_limit(frame, figure) if frame.limit else _is_plain(frame, figure)


def _is_limit(frame: Frame, figure: Figure) -> bool:
    """Whether "at least 7" fits a figure."""
    if figure.role == LIMIT:
        return frame.limit == (LEAST if figure.edge == figure.value else MOST)
    if figure.role == FACE:
        return figure.edge is not None and figure.is_upper == (frame.limit in (LEAST, ABOVE))
    return figure.role in (EDGE, OUTCOME, VALUE, DICE, PICK)


def _is_plain(frame: Frame, figure: Figure) -> bool:
    """Whether a number without "at least", "add" or "+" fits a figure."""
    role = figure.role
    if role in (DEFAULT, NAMED):
        is_extreme = role == DEFAULT and not _PICKING.isdisjoint(frame.head)  # "the highest difficulty is 5"
        return frame.is_stated and not (frame.noun or frame.is_each or is_extreme)
    if role == EDGE:
        return bool(frame.noun) and figure.rule.startswith(SHEETS) and figure.edge is None
    if role == SIZE:
        return frame.is_total
    if role == PICK:
        return not _PICKING.isdisjoint((*frame.noun, *frame.head))
    return role in (VALUE, DICE, FACTOR) and bool(frame.noun)


def _score(frame: Frame, known: _Known, section_rules: Collection[str], page_rules: Collection[str]) -> float:
    quality = _quality(frame, known)
    if not quality:
        return 0.0
    rule = known.figure.rule
    if rule.startswith(SHEETS) and rule not in page_rules:
        return 0.0
    if (
        known.figure.role in (CHANGE, OUTCOME)
        and rule not in page_rules
        and not set(known.figure.given) & set(frame.faces)
    ):
        return min(quality, _WEAK)  # "+2" and "6 or more" say little where no block uses the rule
    is_on_page = rule in page_rules
    is_near = rule in section_rules or known.figure.role == SIZE or (known.figure.role == SIDES and is_on_page)
    near = 1.0 if is_near or known.is_own else 0.5 if is_on_page else 0.0
    beside = _nearness(frame, known.operands), _nearness(frame, known.topics)
    if frame.number.form in ("sides", "dice") and not _is_die_of(frame, known, max(beside)):
        return min(quality, _WEAK)
    return quality + sum(beside) + near


def _is_die_of(frame: Frame, known: _Known, beside: float) -> bool:
    """Whether dice are those of a rule: they are named, or the sentence names it, and no other die."""
    sizes = [code or str(CARDINALS.get(name.lower(), name)) for code, name in _ANY_DIE.findall(frame.text)]
    codes = len(_DIE_CODE.findall(frame.text))
    if len(set(sizes)) > 1 or codes > 1 or _MODIFIED.search(frame.text):
        return False
    if _is_named_die(frame, known):
        return True
    about = frame.clause.difference(*(core for core, _ in (*known.subjects, *known.operands, *known.topics)))
    return set(frame.noun) == _DICE and about.isdisjoint(OTHER_ROLLS) and (beside == 1.0 or not codes)


def _is_named_die(frame: Frame, known: _Known) -> bool:
    """Whether the name of its kind is beside a die: "the wild die is a d6", "2d6 fear dice"."""
    head = {*frame.head} if frame.is_stated else {*frame.head[:1]}
    noun = {*frame.noun}
    if frame.number.form == "sides" and "die" not in frame.noun[1:]:
        noun = set()  # "1d4 fear" is so much fear, no die of that name
    return any(core != _DICE and (core <= noun or core - _DICE <= head) for core, _ in known.subjects)


def _is_sure_die(frame: Frame, known: _Known) -> bool:
    """Whether dice are surely those of a rule: by their name or what they are counted by. What a code such as d6 is
    rolled for may be another roll: "on a successful attack, roll a d6"."""
    is_counted = any(core <= frame.sentence for core, _ in known.operands)
    return is_counted or not _DIE_CODE.search(frame.text) or _is_named_die(frame, known)


def _quality(frame: Frame, known: _Known) -> float:
    """How directly a number is about a figure."""
    if frame.is_change and set(known.figure.given) & set(frame.faces):
        return 3.0
    figure = known.figure
    if figure.role == OUTCOME and figure.value and _is_elliptic(frame) and _nearness(frame, known.topics) == 1.0:
        return _LOCAL if frame.limit in (LEAST, MOST) and not frame.is_negated else 1.0
    context = frame.sentence.union(frame.nearby, *frame.headings)
    qualities = [
        quality + (0.25 if subject.rest and subject.rest <= context else 0.0)
        for subject in known.objects
        if (quality := _subject_quality(frame, known.figure, subject.core))
    ]
    if figure.role == FACE and frame.is_face and frame.target and max(qualities, default=0.0) >= _IN_SENTENCE:
        qualities += [3.0 for core, _ in known.topics if core <= frame.target]  # "a 6 on the wild die"
    best = max(qualities, default=0.0)
    return min(best, 2.0) if figure.role == EDGE and not figure.rule else best  # rows of tables


def _is_elliptic(frame: Frame) -> bool:
    """Whether a limit does not say of what: "From 10 on"."""
    return bool(frame.limit) and not frame.noun and not frame.head


def _subject_quality(frame: Frame, figure: Figure, core: Stems) -> float:
    noun, head = set(frame.noun), set(frame.head)
    is_headed = (noun <= _DICE and (frame.is_stated or bool(frame.limit))) or frame.is_change
    if core <= noun:
        before = frame.noun[: next(place for place, word in enumerate(frame.noun) if word in core)]
        is_plain = figure.role != DICE or not before
        return 2.0 if figure.role == LIMIT or not is_plain else 3.0
    if core <= head and is_headed:
        if figure.role == LIMIT and not (frame.head[0] in core or frame.head[0] in _SPANNING):
            return 1.5
        return 3.0 if frame.is_stated or frame.head[0] in core or frame.head[0] in _SPANNING else 2.5
    if core <= noun | head and core & noun:
        return 2.5
    if core <= frame.sentence:
        is_shown = frame.is_face and core <= frame.clause and not core <= frame.target and not core <= head
        return 3.0 if is_shown else 1.5
    heading = frame.headings[0] if frame.headings else frozenset()
    if core <= heading and core <= frame.nearby and _is_elliptic(frame) and figure.value:
        return _LOCAL
    return 1.0 if core <= heading or core <= frame.nearby else 0.0


def _nearness(frame: Frame, subjects: Sequence[Subject]) -> float:
    """Whether a text speaks of one of these, too: in the sentence, or near by."""
    if any(core <= frame.sentence for core, _ in subjects):
        return 1.0
    around = frame.sentence.union(frame.nearby, *frame.headings)
    return 0.5 if any(core <= around or rest & around for core, rest in subjects) else 0.0


def find_ladder(
    frames: Sequence[Frame], vocabulary: Vocabulary, rules: Collection[str]
) -> Iterator[tuple[Frame, Match]]:
    """The outcomes that a text lists by what they need, as "From 10 on …; from 7 on …".

    If a text has as many edges as the rule, and they share one, those that are left belong together in their order."""
    stated = [
        frame
        for frame in frames
        if _is_elliptic(frame) and not (frame.is_doubtful or frame.is_share or frame.is_instance)
    ]
    for rule in rules:
        rungs = {
            figure.edge: figure
            for figure in reversed(vocabulary.figures)
            if figure.role == OUTCOME and figure.rule == rule
        }
        in_text, in_game = {frame.edge for frame in stated}, set(rungs)
        if len(in_text) != len(in_game) or len(in_game) < 2 or in_text.isdisjoint(in_game) or None in in_game:
            continue
        if not all(figure.value for figure in rungs.values()):  # "between 1 and 10" are no net successes
            continue
        pairs = dict(zip(sorted(in_text - in_game, key=_edge), sorted(in_game - in_text, key=_edge), strict=True))
        for frame in stated:
            figure = rungs[pairs.get(frame.edge, frame.edge)]
            yield frame, Match(figure, _STRONG, frame.edge == figure.edge, True)


def _edge(edge: int | None) -> int:
    return edge or 0
