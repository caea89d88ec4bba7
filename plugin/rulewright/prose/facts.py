"""Collects everything that a prose example states about a roll: outcomes, difficulty, counts, totals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ..book.text import Passage
from .dice import find_codes, find_faces, find_pools
from .mood import Reading, Sentence, StatedValue
from .number_words import AFTER_RESULT, AMOUNT, LIMIT, NUMBER, number
from .words import (
    AGAINST,
    ALSO_NOW,
    COMES_TO,
    COUNTED,
    DIFFICULTY,
    IN_TOTAL,
    LAST_COUNTS,
    NOT,
    NUMBER_IS,
    OF_A_CHANGE,
    OTHER_COUNTS,
    TOTALS,
    A,
)

_COPULA = (
    r"(?:\b(?:is|was|becomes?|became|means?|meant|results?\sin|ends?\sin|ended\sin|counts\sas|makes\s(?:it|this|that))"
    r"|['’]s)"
)
_ADJECTIVES = (
    r"(?:(?:an?|the|only|just|still|even|merely|not|no|real|simple|clear|narrow|great|partial|plain|complete|total|full)"
    r"\s){0,4}"
)
_NAMED = re.compile(
    rf"{_COPULA}\s({_ADJECTIVES})(critical\s(?:success|failure)|success|failure|botch|fumble|miss|hit)\b", re.IGNORECASE
)
_SCORED = re.compile(
    r"\b(?:rolls?|rolled|gets?|got|scor\w+|suffers?|suffered)\s(an?\s)(critical\s(?:success|failure)|fumble)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"""\b(?:(critically\s)?(succeeds?|succeeded|fails?|failed|botches|botched|fumbles|fumbled|misses|missed"""
    r"""|(?<=n['’]t\s)(?:botch|miss|fumble)|(?<=not\s)(?:botch|miss|fumble))"""
    r"""|(?:is|was|are|were)\s(?:not\s)?(successful|unsuccessful)|(pass(?:es|ed))\s(?:the|this|her|his|their|its)\s(?:test|check|roll))\b""",
    re.IGNORECASE,
)
_ENOUGH = re.compile(r"\benough\sto\s(succeed)\b", re.IGNORECASE)
_DENIED = re.compile(rf"{NOT}\b(?:\s[\w’']+){{0,3}}\s*$", re.IGNORECASE)
_ONE_DIE = re.compile(  # `the 2 is no hit`: other dice of the roll may be
    rf"\b(?:the|each|every|that|this|his|her|their)\s(?:\w+\s)?(?:{NUMBER}|die|one)\s$", re.IGNORECASE
)
_MEANS = re.compile(r"\bto\s$", re.IGNORECASE)
_ADJECTIVE = re.compile(
    rf"(?:\b(?:an?|the|any|every|each|his|her|their|its|of|both|before|after|from|by|for|with|against|some|more|many)|{AMOUNT})\s$",
    re.IGNORECASE,
)  # `a failed roll`
_TO_DO = re.compile(r"\s(?:to|in|at)\b", re.IGNORECASE)  # `fails to notice` is about the story, not about a roll
_STEMS = {
    "succe": "success",
    "fail": "failure",
    "botch": "botch",
    "fumbl": "botch",
    "miss": "failure",
    "pass": "success",
}
_NAMES = {"successful": "success", "unsuccessful": "failure", "fumble": "botch", "miss": "failure", "hit": "success"}
_ROLLS = re.compile(r"\b(?:re-?)?(?:roll\w*|dice|die|tests?|checks?|throws?|threw|pool)\b", re.IGNORECASE)


def _find_outcomes(reading: Reading) -> Iterator[StatedValue]:
    """`value` is success, failure, botch, critical success or critical failure."""
    for pattern in (_NAMED, _SCORED):
        for found in pattern.finditer(reading.text, reading.label_end):
            name, is_denied = re.sub(r"\s+", " ", found[2].lower()), _is_negated(reading, found.start(2))
            if not (is_denied and _ONE_DIE.search(reading.text[: found.start()])):
                yield _build_outcome(reading, *found.span(2), _NAMES.get(name, name), is_denied)
    for found in _ENOUGH.finditer(reading.text, reading.label_end):
        yield _build_outcome(reading, *found.span(1), "success", _is_negated(reading, found.start()))
    yield from _find_verbs(reading)


def _find_verbs(reading: Reading) -> Iterator[StatedValue]:
    for found in _VERB.finditer(reading.text, reading.label_end):
        group = next(number for number in (2, 3, 4) if found[number])
        word, (start, end) = found[group].lower(), found.span(group)
        before = reading.text[reading.clause_start(start) : found.start()]
        name = _NAMES.get(word) or next(name for stem, name in _STEMS.items() if word.startswith(stem))
        if (
            _MEANS.search(before)
            or _ADJECTIVE.search(before)
            or (word.startswith("fail") and _TO_DO.match(reading.text, end))
        ):
            continue
        name = f"critical {name}" if found[1] else name
        yield _build_outcome(reading, start, end, name, _is_negated(reading, found.start(group)))


def _build_outcome(reading: Reading, start: int, end: int, name: str, negated: bool) -> StatedValue:
    """Build the Bit of an outcome."""
    bit = reading.stated_value(start, end, name)
    return StatedValue(bit.value, "", bit.span, start, end, bit.sure, negated)


def _is_negated(reading: Reading, start: int) -> bool:
    """True if the clause before an offset has a negation."""
    return bool(_DENIED.search(reading.text[reading.clause_start(start) : start]))


def _mentions_rolls(reading: Reading) -> bool:
    return bool(_ROLLS.search(reading.text, reading.label_end))


_ONE = r"\b(?:an?|eine?n?)\b"
_ONLY_ONE, _OTHER_COUNTS, _LAST_COUNTS = (
    re.compile(words, re.IGNORECASE) for words in (_ONE, OTHER_COUNTS, LAST_COUNTS)
)
_LINK = rf"(?:\s+{NUMBER_IS})?(?:\s+{ALSO_NOW})*\s*[:=]?\s*"
_DIFFICULTY = (
    re.compile(rf"\b{DIFFICULTY}{_LINK}({NUMBER})(?!\s+{OF_A_CHANGE})", re.IGNORECASE),
    re.compile(
        rf"\b{AGAINST}\s(?:{A}\s)?({NUMBER})(?=\s*(?:[.,;:!?)—–]|$|\n|(?:and|but|to|with|und|aber|mit)\b))",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:an?|the)\s({NUMBER})[\s-]+difficulty\b", re.IGNORECASE),
)
_THRESHOLD = (
    re.compile(rf"\bthresh?hold{_LINK}({AMOUNT})(?!\s+(?:higher|lower|more|less|dice))", re.IGNORECASE),
    re.compile(rf"\b(?:an?\s|the\s)?({NUMBER})[\s-]+thresh?hold\b", re.IGNORECASE),
)


def _counts_of(nouns: Iterable[str]) -> re.Pattern[str]:
    """A regex for a number of these nouns."""
    listed = "|".join(re.escape(noun) for noun in sorted(nouns, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w-])({AMOUNT}|{_ONE})\s((?:{OTHER_COUNTS}|{LAST_COUNTS}|rolled|uncancelled)\s)?({listed})\b",
        re.IGNORECASE,
    )


_COUNT = _counts_of(COUNTED)
_CHANGE = re.compile(
    r"""\b(?:add(?:s|ed|ing)?|los(?:e|es|t|ing)|cancel\w*|remov\w*|discard\w*|subtract\w*|takes?\saway|eats?|each|every|per|grants?"""
    r"""|needs?|needed|requires?|another|strikes?\sout|costs?|cross(?:es|ed)?\sout|pairs?|at\s(?:least|most)|only\sone|than|up\sto)\b""",
    re.IGNORECASE,
)
_FINAL_BEFORE = re.compile(
    r"\b(?:total(?:\sof|\sis|\swas)|leav(?:es|ing)|left\swith|end(?:s|ed|ing)?(?:\sup)?\swith|w(?:i|ou)nds?\sup\swith|net|final(?:ly)?|keeps|in\sthe\send|"
    r"remain(?:s|ing)?|comes\sto|makes|altogether|overall)\s(?:[\w’']+\s){0,2}$",
    re.IGNORECASE,
)
_FINAL_AFTER = re.compile(
    r"\s(?:remain(?:s|ing)?|(?:is|are)\sleft|left|in\stotal|in\sall|altogether|overall)\b", re.IGNORECASE
)
_CANCELLED = re.compile(
    r"[\w\s,]{0,40}\b(?:cancel\w*|(?:is|are)\s(?:\w+\s){0,2}(?:removed|discarded|lost|cancelled|ignored))\b",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"(?:\b(?:is|was|means|makes\s(?:it|this|that)|counts\sas|becomes)|['’]s)\s(?:\w+\s)?$", re.IGNORECASE
)
_EARNED = re.compile(
    r"\b(?:roll\w*|g[eo]ts?|with|has|have|scor\w+|earn\w*|makes?|shows?)\s(?:[\w,]+\s){0,6}$", re.IGNORECASE
)
_VALUE = (
    r"(?:an?\s|also\s)?(?:(?:value|total|score|sum|result|final\sresult)\sof\s)?(?:exactly\s|only\s|just\s)?(?:an?\s)?"
)
_TOTAL = (
    re.compile(
        rf"\b(?:grand\s)?total(?:s|led|ing|ling|ed)?\b(?:\s+(?:of|is|was|comes\sto|to|at|becomes|rises\sto))?\s*[:=]?\s*(?:an?\s)?({NUMBER})",
        re.IGNORECASE,
    ),
    re.compile(rf"\bresult(?:s|ing|ed)?\s(?:in|of|is|was)\s{_VALUE}({NUMBER})", re.IGNORECASE),
    re.compile(rf"\b{COMES_TO}\s{_VALUE}({NUMBER})", re.IGNORECASE),
    re.compile(rf"[0-9]\s?=\s?({NUMBER})", re.IGNORECASE),
    re.compile(rf"\b(?:final|total)\s(?:roll|result|score)\s(?:is|was|of)\s({NUMBER})", re.IGNORECASE),
    re.compile(rf"\b({NUMBER})\s{IN_TOTAL}\b", re.IGNORECASE),
)
_SUM_AFTER = re.compile(r"\s\([0-9]+\s?\+")
_RESULTS_VERB = re.compile(
    r"\s(?:in|total|altogether|insgesamt|beats?|is|was|meets?|exceeds?|equals?|falls?|fails?|succeeds?|misses|does|would|clears?)\b",
    re.IGNORECASE,
)
_DICE = re.compile(r"\b(?:(?:roll|rolls|rolled|dice|die)\b|würf|wirft)", re.IGNORECASE)
_LIKE_TOTAL = re.compile(rf"\b{TOTALS}", re.IGNORECASE)
_BOUND = re.compile(r"\b(?:lowest|highest|minimum|maximum|least|most|best|worst|average|mean)\b", re.IGNORECASE)
_EXTREME = re.compile(
    rf"\b(lowest|minimum|least|worst|highest|maximum|most|best)\s(?:[^\W\d]+\s){{0,8}}?(?:is|was|of|be)\s(?:an?\s)?({NUMBER})",
    re.IGNORECASE,
)
_MARGIN = (
    re.compile(
        rf"\b(?:succe\w+|fail\w*|miss\w*|beat\w*|w[io]n\w*|exceed\w*|pass\w*|short|over|made\sit)(?:\s[\w’']+){{0,3}}?\sby\s(?:a\s|only\s|just\s)*({NUMBER})",
        re.IGNORECASE,
    ),
    re.compile(rf"\bdegree\s(?:of\s(?:success\sof\s)?|is\s)?({NUMBER})", re.IGNORECASE),
)
_DOTS = re.compile(rf"({AMOUNT}|an?)\sdots?\s(?:in|of)\s((?:[A-Z][\w’'-]*)(?:\s[A-Z][\w’'-]*)*)")
_RATED = re.compile(r"\b(?:an?\s|the\s)?([^\W\d_]+)\sof\s([+−-]?[0-9]*d?[0-9]{1,3})\b(?!\s*%)")


def _find_difficulties(reading: Reading) -> Iterator[StatedValue]:
    """Numbers that a roll must reach."""
    return _find_numbers(reading, _DIFFICULTY)


def _find_thresholds(reading: Reading) -> Iterator[StatedValue]:
    return _find_numbers(reading, _THRESHOLD)


def _find_margins(reading: Reading) -> Iterator[StatedValue]:
    """Numbers by which a roll succeeded or failed."""
    return _find_numbers(reading, _MARGIN)


def _find_numbers(reading: Reading, patterns: tuple[re.Pattern[str], ...]) -> Iterator[StatedValue]:
    """A Bit for each number that one of the patterns matches."""
    taken: set[int] = set()
    for pattern in patterns:
        for found in pattern.finditer(reading.text, reading.label_end):
            value = number(found[1])
            if value is not None and found.start(1) not in taken:
                taken.add(found.start(1))
                yield reading.stated_value(*found.span(1), value)


_PRODUCT = re.compile(r"[0-9]\s?[x×*]\s?[0-9]+\s?=\s?$")


def _find_totals(reading: Reading) -> Iterator[StatedValue]:
    """Sums of dice; minimum and maximum of a roll are not results."""
    for bit in _find_numbers(reading, _TOTAL):
        clause, sentence = reading.text[reading.clause_begin(bit.start) : bit.start], reading.before(bit.start)
        if _PRODUCT.search(clause):
            continue
        told = _LIKE_TOTAL.search(clause) or "=" in clause or _DICE.search(sentence)
        is_alone = _is_standalone(reading.text, bit.end) or _SUM_AFTER.match(reading.text, bit.end)
        if told and is_alone and (clause.rstrip().endswith("=") or not _BOUND.search(clause)):
            yield bit


def _is_standalone(text: str, end: int) -> bool:
    """True if a number does not count a noun after it and is not a limit."""
    return bool((AFTER_RESULT.match(text, end) or _RESULTS_VERB.match(text, end)) and not LIMIT.match(text, end))


def find_counts(reading: Reading, nouns: Mapping[str, str] = COUNTED) -> Iterator[StatedValue]:
    """Numbers of successes, botches, failures, or of other nouns: `what` is the one name of the noun's forms, and
    final, count or change."""
    for found in (_COUNT if nouns is COUNTED else _counts_of(nouns)).finditer(reading.text, reading.label_end):
        value, way = number(found[1]), _classify_count(reading, found)
        value = 1 if _ONLY_ONE.fullmatch(found[1]) else value
        if value is not None and way:
            yield reading.stated_value(*found.span(1), value, f"{nouns[found[3].lower()]} {way}", found.end())


def _classify_count(reading: Reading, found: re.Match[str]) -> str:
    """Classify a count as final, count or change; empty if an article or `no` only names an outcome."""
    before = reading.text[reading.clause_start(found.start()) : found.start()]
    described, article = (found[2] or "").strip(), _ONLY_ONE.fullmatch(found[1])
    if _OTHER_COUNTS.fullmatch(described):
        return "change"
    if (article or found[1].lower() == "no") and _NAMING.search(before):
        return ""
    left = _FINAL_BEFORE.search(before) or _FINAL_AFTER.match(reading.text, found.end())
    if left or _LAST_COUNTS.fullmatch(described):
        return "final"
    if _CHANGE.search(before) or _CANCELLED.match(reading.text, found.end()):
        return "change"
    return "count" if not article or _EARNED.search(before) else ""


def _find_bounds(reading: Reading) -> Iterator[StatedValue]:
    """The least and the most that a roll can give."""
    for found in _EXTREME.finditer(reading.text, reading.label_end):
        value = number(found[2])
        if value is not None and _is_standalone(reading.text, found.end(2)):
            what = "least" if found[1].lower() in ("lowest", "minimum", "least", "worst") else "most"
            yield replace(
                reading.stated_value(*found.span(2), value, what), sure=not reading.sentence(found.start()).is_supposed
            )


def _find_dots(reading: Reading) -> Iterator[StatedValue]:
    """Ratings of traits: three dots in Precision, a dexterity of d6."""
    for found in _DOTS.finditer(reading.text, reading.label_end):
        value = 1 if found[1].lower() in ("a", "an") else number(found[1])
        if value is not None:
            yield reading.stated_value(*found.span(1), value, found[2])
    for found in _RATED.finditer(reading.text, reading.label_end):
        if "d" in found[2] or found[2][0] in "+−-":
            yield reading.stated_value(*found.span(2), found[2], found[1].lower())


StatedValues = tuple[StatedValue, ...]


@dataclass(frozen=True)
class ProseFacts:
    """All values of a passage in the order of the text; `sure` separates facts from suppositions."""

    passage: Passage
    sentences: tuple[Sentence, ...]
    faces: StatedValues
    codes: StatedValues
    pools: StatedValues
    difficulties: StatedValues
    thresholds: StatedValues
    counts: StatedValues
    totals: StatedValues
    margins: StatedValues
    bounds: StatedValues
    dots: StatedValues
    outcomes: StatedValues
    of_rolls: bool  # the passage speaks of dice, rolls, tests

    @property
    def difficulty(self) -> StatedValue | None:
        return _first_fact(self.difficulties)

    @property
    def threshold(self) -> StatedValue | None:
        return _first_fact(self.thresholds)

    @property
    def total(self) -> StatedValue | None:
        return _first_fact(reversed(self.totals))

    @property
    def outcome(self) -> StatedValue | None:
        return _first_fact(bit for bit in reversed(self.outcomes) if not bit.negated)

    @property
    def is_checkable(self) -> bool:
        """True if the passage states dice or a result as a fact."""
        counts = (bit for bit in self.counts if not bit.subject.endswith("change"))
        numbers = (*self.faces, *self.codes, *self.pools, *counts, *self.totals, *self.margins)
        return any(bit.sure for bit in numbers) or (self.of_rolls and any(bit.sure for bit in self.outcomes))


def _first_fact(bits: Iterable[StatedValue]) -> StatedValue | None:
    return next((bit for bit in bits if bit.sure), None)


def read_facts(passage: Passage) -> ProseFacts:
    """Read all values from a passage."""
    reading = Reading(passage)
    return ProseFacts(
        passage=passage,
        sentences=tuple(reading.sentences),
        faces=_sort_values(find_faces(reading)),
        codes=_sort_values(find_codes(reading)),
        pools=_sort_values(find_pools(reading)),
        difficulties=_sort_values(_find_difficulties(reading)),
        thresholds=_sort_values(_find_thresholds(reading)),
        counts=_sort_values(find_counts(reading)),
        totals=_sort_values(_find_totals(reading)),
        margins=_sort_values(_find_margins(reading)),
        bounds=_sort_values(_find_bounds(reading)),
        dots=_sort_values(_find_dots(reading)),
        outcomes=_sort_values(_find_outcomes(reading)),
        of_rolls=_mentions_rolls(reading),
    )


def _sort_values(bits: Iterable[StatedValue]) -> StatedValues:
    return tuple(sorted(bits, key=lambda bit: (bit.start, bit.end)))
