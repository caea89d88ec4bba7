"""The frame of each number in a text: what it counts, what it limits, what it changes, and the words around it.

A frame says nothing about rules; `statements.py` compares it with the figures of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..source import Span
from .numbers import SIDED, Number, find_numbers
from .sentences import find_ends
from .stems import is_empty, stem, stems_of
from .words import AT_LEAST, AT_MOST, LESS_THAN, MORE_THAN, NOT, OR_LESS, OR_MORE, TO

LEAST, MOST, ABOVE, BELOW = "least", "most", "above", "below"
_EDGES = {LEAST: 0, MOST: 1, ABOVE: 1, BELOW: 0}  # from the number to the first number above the edge
_MAX_WORDS = 9  # before a number that are read for its subject
_REACH = 100  # characters around a number whose words decide what it is
_MAX_SENTENCE = 600  # characters
_MAX_NEARBY = 6  # sentences before one that say what it is about
_MAX_OTHERS = 12  # numbers of a sentence on each side that are compared with one
_MAX_TOPIC_WORDS = 6  # at the beginning of a sentence that say what it is about
_MAX_NOUN_WORDS = 4  # after it

_BEFORE = ((ABOVE, MORE_THAN), (BELOW, LESS_THAN), (MOST, AT_MOST), (LEAST, AT_LEAST))
_AFTER = ((LEAST, OR_MORE), (MOST, OR_LESS))
_TO_NUMBER = r"(?:\s+(?:an?|the|exactly|only|just|a\s+total\s+of|than))*\s*[+−–-]?$"
_BEFORE_PATTERNS = [(name, re.compile(rf"\b{words}{_TO_NUMBER}", re.IGNORECASE)) for name, words in _BEFORE]
_AFTER_PATTERNS = [(name, re.compile(rf"\s+{words}\b", re.IGNORECASE)) for name, words in _AFTER]
_NEGATED = re.compile(rf"{NOT}\s+(?:[\w’']+\s+){{0,4}}$", re.IGNORECASE)
_RANGE = re.compile(rf"\s*(?:[-–—]|{TO}|and|und)\s*$", re.IGNORECASE)
_ONE_OR = re.compile(r"\b(?:one|an?|eine?[nmrs]?|eins)\s+(?:or|oder)\s+$", re.IGNORECASE)  # "one or two traits"
_AND = re.compile(r"\b(?:and|und)\b", re.IGNORECASE)
_RANGE_START = re.compile(r"\b(?:from|between|von|zwischen)\s+$", re.IGNORECASE)
_CHANGE_BEFORE = re.compile(
    r"\b(?:adds?|adding|plus|minus|subtracts?|by|los(?:e|es|ing)|gains?|costs?|(?:rais|lower|reduc|increas)\w+|deals?"
    r"|heals?|recovers?|restores?|regains?|gets?|gets?\s+you|buys?|grants?|gives?|spends?|pays?|addiert|um|verlier\w*|kostet)"
    r"(?:\s+(?:you|it|exactly|another|an|extra|only|your))*\s+$",
    re.IGNORECASE,
)
_CHANGE_AFTER = re.compile(
    r"[\s-]+(?:(?!or\b|oder\b|and\b|und\b)\w+\s+)?(?:more|extra|additional|further|bonus|higher|lower|harder|easier|less|fewer|off|plus|mehr|weniger|höher)\b",
    re.IGNORECASE,
)
_FACE_BEFORE = re.compile(
    r"(?:\b(?:an?|every|each|any|another|opening|natural|shows?|showing|on(?:\s+an?)?|eine|jede)\s+)$", re.IGNORECASE
)
_FACE_AFTER = re.compile(
    r"\s*(?:$|[.,;:!?)]|(?:or|and|on|is|are|earns?|adds?|explodes?|counts?|does|may|that|which|who|in|to|again|fails?|succeeds?|cancels?|means?|always|never|if|when|stays|while|too|oder|ist)\b)",
    re.IGNORECASE,
)
_COPULA = re.compile(
    r"\b(?:is|are|equals?|means?|ist|sind|beträgt|usually|normally|default(?:s\s+to)?|starts?\s+at|begins?\s+at|nearly\s+always|stays(?:\s+at)?)"
    r"(?:\s+(?:always|usually|nearly|exactly|only|just|now|normally|a|an|the|set\s+(?:at|to)))*\s+[+−–-]?$|^\W*(?:[\w'’-]+\s+){0,3}[\w'’-]+\s*[:=]\s*[+−–-]?$",
    re.IGNORECASE,
)
_INSTANCE = re.compile(
    r"\b(?:with|at(?!\s+(?:the\s+)?(?:most|least)\b)|against|for|after|like|whose|had|have|holding|rating|versus|vs\.?|(?<!würfle\s)(?<!würfelt\s)(?<!würfeln\s)mit|gegen|bei)\s+(?:(?:an?|the|only|just|your|their)\s+)*(?:[\w-]+\s+){0,2}?(?:of\s+)?$"
    r"|\b(?:difficulty|target|pool|rating|level)\s+$|\b(?:each|every|any|jede\w*)\s+[\w-]+\s+(?:from|between|von|zwischen)\s+$",
    re.IGNORECASE,
)
_USUAL = re.compile(
    r"\b(?:usual|normal|default|standard|üblich\w*|normale\w*)\s+(?:[\w-]+\s+){0,2}(?:(?:of|is|von|ist)\s+)?$",
    re.IGNORECASE,
)
_COUNTING = frozenset(("more", "other", "fewer", "less", "of", "or", "mehr", "weitere", "weniger", "von", "oder"))
_HEDGE = re.compile(
    r"\b(?:mostly|around|roughly|approximately|sometimes|often|perhaps|maybe|ungefähr|etwa|manchmal)\b", re.IGNORECASE
)
_STORY = re.compile(
    r"\b(?:suggest\w*|instance|example|such\s+as|e\.g|some\s+tables|elsewhere|if\s+(?:none|no)|other\s+tables|option\w*|instead|would|could|had"
    r"|imagine|suppose|(?:is|are|was|were)\s+(?:much\s+|far\s+|even\s+|a\s+little\s+)?(?:more|less|fewer|better|worse)\s+than|he|she|his|him|hers|her|zum\s+beispiel)\b|\?\s*$|[“\"„]",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[;:()—]|(?<=\w)\s[–-]\s|,\s(?:and|but|then|while|so|or|und|aber|oder|dann)\s|,")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NOUN_END = re.compile(r"[^\w\s'’-]")
_NEGATION = re.compile(rf"{NOT}\b", re.IGNORECASE)
_EACH = re.compile(r"\W*(?:(?:and|und)\s+)?(?:each|every|any|jede\w*)\b", re.IGNORECASE)
_NEVER = re.compile(
    r"\b(?:no|not|never|cannot|nicht|nie)\s+(?:\w+\s+){0,2}(?:more|less|fewer|mehr|weniger)\b", re.IGNORECASE
)
_TOTAL = re.compile(
    r"\b(?:there\s+are|all|the\s+following|consists?\s+of|alle|es\s+gibt)\s+(?:the\s+|of\s+)*$"
    r"|\b(?:there\s+are|es\s+gibt)\s+(?:[\w-]+\s+[\w-]+,\s+)*[\w-]+\s+[\w-]+(?:,|,?\s+(?:and|und))\s+$",
    re.IGNORECASE,
)
_JOIN = re.compile(r"\s*(?:or|and|oder|und)\s*", re.IGNORECASE)
_DIE_AFTER = re.compile(
    rf"\s*[dDwW](?:[0-9]+|%)s?\b|\s+[\w]{{1,12}}?(?:{SIDED.pattern})|{SIDED.pattern}", re.IGNORECASE
)
_DIE_BEFORE = re.compile(r"(?<!\w)[0-9]*[dDwW]$")
_PART_END = re.compile(r";|,\s(?:and|but|while|so|und|aber)\b", re.IGNORECASE)
_TARGET = re.compile(
    r"\s*(?:to|from|off|on|zu|von)\s+(?:the|your|an?|its|all|any|each|every|der|die|das|dem|den)\s+((?:[\w'’-]+\s*){1,3})",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\W*(?:it|they|this|these|that|es|sie|das)\b", re.IGNORECASE)

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a text is part of: headings above it, the line that introduces its list, its row and column in a table."""

    headings: tuple[str, ...] = ()
    intro: str = ""
    term: str = ""  # what the text defines
    row: str = ""
    column: str = ""
    is_doubtful: bool = False  # a story, an example


@dataclass(frozen=True, slots=True)
class Frame:
    """A number with its frame. Words are stems.

    `noun` is what it counts, `head` what comes before it in its clause, `sentence` all of its sentence, `nearby` the
    sentences before and the line above a list, `headings` those above, the nearest first."""

    number: Number
    span: Span
    sentence_span: Span
    text: str  # of the sentence
    before: str  # the part of it before the number
    limit: str  # least, most, above, below; empty if it is no limit
    is_face: bool
    is_change: bool
    is_stated: bool  # after "is", "usually", a colon
    is_doubtful: bool  # it may tell a story
    is_share: bool  # a percentage is near
    is_example: bool
    is_negated: bool
    is_total: bool  # all of something: "there are four"
    is_each: bool  # the clause begins with "each": it is about parts
    is_instance: bool  # "at difficulty 7": one case, not the rule
    noun: tuple[str, ...]
    head: tuple[str, ...]
    sentence: Stems
    nearby: Stems
    headings: tuple[Stems, ...]
    clause: Stems  # up to the next semicolon or colon
    target: Stems  # what it is added to, or is on: "on a bonus die"
    others: tuple[int, ...]  # the other numbers of the sentence
    faces: tuple[int, ...]  # those of them that a die shows

    @property
    def value(self) -> int:
        return self.number.value

    @property
    def edge(self) -> int | None:
        return self.value + _EDGES[self.limit] if self.limit else None


def read_frames(text: str, span_of: Callable[[int, int], Span], around: Surroundings) -> Iterator[Frame]:
    """The frames of all numbers of a text; `span_of` maps offsets to the page."""
    numbers = list(find_numbers(text))
    if not numbers:
        return
    headings = tuple(stems_of(heading) for heading in reversed(around.headings))
    line = stems_of(f"{around.intro} {around.row} {around.column}")
    before: list[Stems] = []
    topic = _first_words(around.term)
    left = iter([*numbers, None])
    number = next(left)
    for start, end in _split_sentences(text):
        inside = list[Number]()
        while number and number.start < end:
            inside.append(number)
            number = next(left)
        if inside:
            sentence = _Sentence(text, start, end, inside, around, topic, span_of(start, end))
            nearby = line.union(*before[-_MAX_NEARBY:])
            for place, one in enumerate(inside):
                yield sentence.frame(place, one, span_of(one.start, one.end), nearby, headings)
        before.append(stems_of(text[start:end]))
        topic = _first_words(text[start:end]) or topic


def _first_words(sentence: str) -> tuple[str, ...]:
    """What a sentence begins with, which is mostly what it is about; nothing for a pronoun."""
    if _PRONOUN.match(sentence):
        return ()
    words = _WORD.findall(sentence)[:_MAX_TOPIC_WORDS]
    return tuple(stem(word) for word in words if not is_empty(word))[:2]


def _split_sentences(text: str) -> Iterator[tuple[int, int]]:
    """The ends of sentences; a very long one is cut, so that no text takes long to read."""
    start = 0
    for end in [*(match.end() for match in find_ends(text)), len(text)]:
        while start < end:
            yield start, min(start + _MAX_SENTENCE, end)
            start += _MAX_SENTENCE
        start = end


class _Sentence:
    """A sentence with numbers."""

    def __init__(
        self,
        text: str,
        start: int,
        end: int,
        numbers: Sequence[Number],
        around: Surroundings,
        topic: tuple[str, ...],
        span: Span,
    ) -> None:
        self.span = span
        self.text, self.start, self.end, self.numbers, self.around = text, start, end, numbers, around
        self.topic = topic if _PRONOUN.match(text, start) or (around.term and not start) else ()
        self.row = _first_words(around.row)  # a bare number in a table is about its row
        self.term = stems_of(around.term) if around.term and not start else frozenset()
        self.stems = stems_of(text[start:end]) | self.term
        self.is_negated = bool(_NEGATION.search(text, start, end))
        self.shown = {number.start for number in numbers if self.is_shown(number)}
        self.is_share = "%" in text[start:end]
        self.is_doubtful = around.is_doubtful or bool(_STORY.search(text, start, end))

    def frame(self, place: int, number: Number, span: Span, nearby: Stems, headings: tuple[Stems, ...]) -> Frame:
        before, after = self.before(number), self.after(number)
        is_range_start = place + 1 < len(self.numbers) and self.is_range_end(place + 1)
        noun = self.noun(number) or (self.noun(self.numbers[place + 1]) if is_range_start else ())
        is_usual = bool(_USUAL.search(before))
        is_face = number.form == "plural" or number.start in self.shown
        near = self.numbers[max(place - _MAX_OTHERS, 0) : place + _MAX_OTHERS]
        others = [other for other in near if other is not number]
        return Frame(
            number=number,
            span=span,
            sentence_span=self.span,
            text=self.text[self.start : self.end].strip(),
            before=before,
            limit=self.limit(place, before, after),
            is_face=is_face,
            is_change=bool(number.sign or _CHANGE_BEFORE.search(self.led(before)) or _CHANGE_AFTER.match(after)),
            is_stated=bool(_COPULA.search(before) or is_usual),
            is_doubtful=self.is_doubtful or bool(_HEDGE.search(_last_clause(before))),
            is_share=self.is_share,
            is_example=self.around.is_doubtful,
            is_negated=self.is_negated
            and (not is_face or bool(_NEGATION.search(self.text, *self.clause_bounds(number)))),
            is_total=bool(_TOTAL.search(before)),
            is_instance=not (is_face or is_usual) and self.is_instance(place) and not _NEVER.search(before),
            is_each=bool(_EACH.match(_last_clause(before))),
            noun=noun,
            head=(*self.head(before), *self.target(after), *self.topic) or (() if noun else self.row),
            sentence=self.stems,
            nearby=nearby,
            headings=headings,
            clause=stems_of(self.text[slice(*self.clause_bounds(number))]) | self.term,
            target=frozenset(self.target(after)),
            others=tuple(other.value for other in others),
            faces=tuple(other.value for other in others if other.start in self.shown),
        )

    def before(self, number: Number) -> str:
        """The part of the sentence before a number that is read."""
        before = self.text[max(self.start, number.start - _REACH) : number.start]
        return _DIE_BEFORE.sub("", before) if number.form == "sides" else before

    def after(self, number: Number) -> str:
        end = self.number_end(number)
        return self.text[end : min(end + _REACH, self.end)]

    def number_end(self, number: Number) -> int:
        """The end of a number with its unit: the D of 4D, the sign of 10+."""
        if number.form == "plural":
            return self.text.index("s", number.end) + 1
        return number.end + (number.is_open or self.text[number.end : number.end + 1] == "D")

    def is_shown(self, number: Number) -> bool:
        """Whether a number is a face of a die: "a 20 adds", "shows 6"."""
        before, after = self.before(number), self.text[number.end : min(number.end + _REACH, self.end)]
        return number.form == "digits" and bool(_FACE_BEFORE.search(before) and _FACE_AFTER.match(after))

    def clause_bounds(self, number: Number) -> tuple[int, int]:
        cuts = [match.start() for match in _PART_END.finditer(self.text[self.start : self.end])]
        at = number.start - self.start
        first = max((cut for cut in cuts if cut < at), default=0)
        last = min((cut for cut in cuts if cut >= at), default=self.end - self.start)
        return self.start + first, self.start + last

    def is_instance(self, place: int) -> bool:
        """Whether a number is one case, or ends a range of cases."""
        starts = self.numbers[max(place - 1, 0) : place + 1] if self.is_range_end(place) else [self.numbers[place]]
        return any(_INSTANCE.search(self.before(number)) for number in starts)

    def is_range_end(self, place: int) -> bool:
        previous = self.numbers[place - 1] if place else None
        joined = self.text[self.number_end(previous) : self.numbers[place].start] if previous else ""
        return bool(_RANGE.fullmatch(joined.rstrip("-−–") if self.numbers[place].sign < 0 else joined))

    def limit(self, place: int, before: str, after: str) -> str:
        number = self.numbers[place]
        if number.is_open:
            return LEAST
        if limit := self.range_limit(place):
            return limit
        if _ONE_OR.search(before):
            return MOST
        for name, pattern in _AFTER_PATTERNS:
            if pattern.match(after):
                return name
        for name, pattern in _BEFORE_PATTERNS:
            if match := pattern.search(before):
                is_negated = name in (ABOVE, BELOW) and _NEGATED.search(before[: match.start()])
                return {ABOVE: MOST, BELOW: LEAST}[name] if is_negated else name
        return ""

    def range_limit(self, place: int) -> str:
        """The limit that one end of a range is: 7 to 9, between 2 and 10."""
        for end, limit in ((place, MOST), (place + 1, LEAST)):
            if end < len(self.numbers) and self.is_range_end(end):
                first = self.numbers[end - 1]
                joined = self.text[self.number_end(first) : self.numbers[end].start]
                if not _AND.search(joined) or _RANGE_START.search(self.before(first)):
                    return limit
        return ""

    def noun(self, number: Number) -> tuple[str, ...]:
        """The words that a number counts: "five more dots" gives more and dot."""
        stems: list[str] = []
        last = ""
        at = self.number_end(number)
        die = _DIE_AFTER.match(self.text, at)
        if die or number.form == "sides":
            stems, at = ["die"], die.end() if die else at
        next_number = next((other.start for other in self.numbers if other.start >= at), self.end)
        for match in _WORD.finditer(self.text, at, next_number):
            if _NOUN_END.search(self.text, at, match.start()) or len(stems) == _MAX_NOUN_WORDS:
                break
            at = match.end()
            if is_empty(match[0]):
                word = match[0].lower()
                if word in _COUNTING or (word in ("the", "your", "den", "der") and last in ("of", "von")):
                    last = word
                    continue
                break
            stems.append(stem(match[0]))
        return tuple(stems)

    def led(self, before: str) -> str:
        """The text before a number; for the first words of a list item, with the line above the list."""
        is_first = not before.strip(" +−–-") or _JOIN.fullmatch(before)
        return f"{self.around.intro.rstrip(' :,–—')} " if is_first and self.around.intro and not self.start else before

    def head(self, before: str) -> tuple[str, ...]:
        """The words before a number in its clause, the nearest first."""
        stated = _COPULA.search(before)
        clause = _last_clause(self.led(before[: stated.start()].rstrip(" ,:") if stated else before))
        words = _WORD.findall(clause)[-_MAX_WORDS:]
        return tuple(stem(word) for word in reversed(words) if not is_empty(word))

    def target(self, after: str) -> tuple[str, ...]:
        """What a number is added to: "add 3 to your total"."""
        match = _TARGET.match(after)
        return tuple(stem(word) for word in _WORD.findall(match[1]) if not is_empty(word)) if match else ()


def _last_clause(before: str) -> str:
    ends = [match.end() for match in _CLAUSE_END.finditer(before)]
    return before[ends[-1] :] if ends else before
