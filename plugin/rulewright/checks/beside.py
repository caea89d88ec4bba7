"""Compares numbers in sentences and tables with the settings of what they introduce: links, blocks and sheets.

"Six dice at difficulty 7 succeed in [79.9 %](chance:success?pool=6&difficulty=7)": the six and the 7 are settings of
the link, as they are of a block that follows a sentence with a colon at its end."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..book.page import Block, Page, Trail
from ..game.figures import name_phrases
from ..game.formula import COMPARISONS, walk
from ..game.model import Formula, Game, Input, Rule
from ..prose.frames import LEAST, MOST, Frame
from ..prose.numbers import find_numbers
from ..prose.stems import Subject, is_empty, read_subjects, stems_of
from ..prose.words import IF, JOINS, MODALS
from ..source import Problem, Span
from .dice_lists import is_plain_die
from .example_owners import read_owners
from .number_links import CheckedLink, link_text_span
from .page_numbers import Beside, PageNumber, is_named

_AGAINST = re.compile(
    r"\b(?:against|versus|vs\.?|reach(?:es|ed|ing)?|beats?|gegen|erreich\w*|schafft)\s+(?:an?\s+|the\s+|eine\s+)?$",
    re.IGNORECASE,
)
_VALUES = r"[dDwW]?[0-9][0-9D+]*(?:(?:[ \t]*(?:\.\.|[,/])[ \t]*|[ \t]+)[dDwW]?[0-9][0-9D+]*)*"
_RANGE = re.compile(r"([0-9]+)\s*\.\.\s*([0-9]+)")
_TRAITS = re.compile(r"\btraits[ \t]*:?[ \t]+([^\n,;]*)")
_TRAIT = re.compile(r"([^\W\d][\w' -]*)[ \t]([dDwW]?[0-9]+)")
_RECORD = re.compile(r"^[ \t]*(?:[\w.]+\.)?(?:dice|rolled|rerolled|turned)\b.*$", re.IGNORECASE | re.MULTILINE)
_NEXT_PART = re.compile(r"^[ \t]*(?:then|instead)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_NAME_BESIDE = re.compile(r"\b([^\W\d_]{2,})\s+(?:(?:of|von)\s+)?(?:an?\s+|eine[nm]?\s+)?$", re.IGNORECASE)
_TAKING = stems_of("roll throw take use get add need give pick die würfeln wirft nimmt")
_GAP = re.compile(r"[\s>]*")
_MOST_GAP = 200  # characters between a sentence and the block that it introduces
_LEAST_REPEATED = 4  # numbers of a paragraph or table that repeat a sheet; one of them may be wrong
_SIDES = "sides"
_UNSURE = re.compile(rf"\b(?:{IF}|{MODALS}|had|instead|stattdessen)\b|\?", re.IGNORECASE)
_MOST_SUM = 8  # numbers of an example that are added to another
_MOST_LINKS = 50  # of a sentence or a table that are looked at


class _Fact(NamedTuple):
    """A setting of a link or block. `between` are further values that it has at another place of a range."""

    subjects: tuple[Subject, ...]
    values: frozenset[int]
    part: str = ""  # dice or pips, of a die code; sides, of a die
    is_target: bool = False
    between: frozenset[int] = frozenset()


class _Source(NamedTuple):
    """What states facts, in words and where it begins."""

    where: str
    start: int
    facts: tuple[_Fact, ...]
    end: int = 0  # of the text of a link that rolls
    is_example: bool = False  # whether the text tells what the block says


def compare_beside(
    page: Page,
    game: Game,
    numbers: Sequence[PageNumber],
    links: Iterable[CheckedLink],
    examples: Sequence[tuple[Span, Sequence[Block]]],
) -> dict[int, Beside]:
    """What stands beside the numbers of a page, by the identity of the frame; `examples` are texts and their blocks."""
    links = sorted(links, key=lambda checked: checked.link.span.start)
    sources = [source for checked in links if checked.rule and (source := _read_link(checked))]
    starts, blocks = [source.start for source in sources], [block.span.start for block in page.blocks]
    told = [
        (span, [_read_block(block, game, True) for block in own])
        for span, own in sorted(examples, key=lambda one: one[0].start)
    ]
    found: dict[int, Beside] = {}
    in_example: dict[int, list[PageNumber]] = {}
    for number in numbers if sources or page.blocks else ():
        near = _near_sources(number, sources, starts) or _introduced(number, page, game, blocks)
        if not near:
            in_example.setdefault(_place_of(number, told), []).append(number)
        beside = (_compare(number, near) or _compare_inside(number, near)) if near else None
        if beside:
            found[id(number.frame)] = beside
    for place, (span, own) in enumerate(told):
        found |= _compare_example(span, own, in_example.get(place, ()))
    return found | _compare_sheets(page, numbers)


def _read_link(checked: CheckedLink) -> _Source | None:
    span = link_text_span(checked.link)
    if span is None or checked.rule is None or checked.rule.contest:
        return None
    target = _target_input(checked.rule)
    facts = [
        fact
        for entry in checked.rule.inputs
        for fact in _read_input(checked.rule, entry, _given(checked, entry), target)
    ]
    return _Source("the link beside it", span.start, tuple(facts), span.end if checked.kind == "roll" else 0)


def _given(checked: CheckedLink, entry: Input) -> str:
    given = checked.inputs.get(entry.name)
    return str(given if given is not None else entry.default if entry.default is not None else "")


def _target_input(rule: Rule) -> str:
    """The input that a roll has to reach, if it is only one."""
    nodes = (node for outcome in rule.outcomes if outcome.when for node in walk(outcome.when.node))
    sides = {side.args[0] for node in nodes if node.op in COMPARISONS for side in node.args if side.op == "name"}
    inputs = {entry.name for entry in rule.inputs if entry.form == "number"} & sides
    return inputs.pop() if len(inputs) == 1 else ""


def _read_input(rule: Rule, entry: Input, text: str, target: str) -> Iterator[_Fact]:
    """What is said of one input; nothing if it is not given."""
    phrases = name_phrases(entry)
    if entry.form == "die":
        sizes = frozenset(number.value for number in find_numbers(text) if number.form in ("sides", "digits"))
        yield _Fact(read_subjects(phrases), sizes, _SIDES)
    if not text or entry.form not in ("number", "code"):
        return
    if entry.form == "code":
        codes = [list(find_numbers(code)) for code in text.split(",")]
        yield _Fact((), frozenset(code[0].value for code in codes if code), "dice")
        yield _Fact((), frozenset(code[1].value if len(code) > 1 else 0 for code in codes if code), "pips")
        return
    counts = {kind.count.text.strip() for kind in rule.dice if isinstance(kind.count, Formula)} - {"0"}
    subjects = read_subjects((*phrases, *(("dice",) if counts == {entry.name} else ())))
    inside = frozenset(
        value for low, high in _RANGE.findall(text) if len(high) < 5 for value in range(int(low), int(high) + 1)
    )
    values = frozenset(number.value for number in find_numbers(text))
    yield _Fact(subjects, values, is_target=entry.name == target, between=inside)


def _near_sources(number: PageNumber, sources: Sequence[_Source], starts: Sequence[int]) -> list[_Source]:
    """The links of a sentence, the next one first; all links of a row or a column."""
    inside = list[_Source]()
    for part in number.parts[:_MOST_LINKS]:
        first = bisect_left(starts, part.start)
        inside += sources[first : min(bisect_left(starts, part.end), first + _MOST_LINKS)]
    if number.parts != (number.frame.sentence_span,):
        return inside
    after = [source for source in inside if source.start >= number.frame.span.start or _holds(source, number.frame)]
    return [*after, *(source for source in inside if source not in after)] if after else []


def _holds(source: _Source, frame: Frame) -> bool:
    """Whether a number is in the text of a link."""
    text = frame.span.source.text
    return source.start <= frame.span.start and "](" not in text[source.start : frame.span.start]


def _introduced(number: PageNumber, page: Page, game: Game, starts: Sequence[int]) -> list[_Source]:
    """The block that a sentence with a colon introduces."""
    at = bisect_left(starts, number.introduces) if number.introduces >= 0 else len(starts)
    end = min(starts[at], number.introduces + _MOST_GAP) if at < len(starts) else 0
    gap = page.source.text[number.introduces : end] if end else "-"
    return [_read_block(page.blocks[at], game)] if _GAP.fullmatch(gap.lstrip(":*_")) else []


def _place_of(number: PageNumber, examples: Sequence[tuple[Span, list[_Source]]]) -> int:
    """The place of the example that a number is in; -1 if it is in none. Examples are in order."""
    place = number.frame.span.start
    at = bisect_right(examples, place, key=lambda example: example[0].start) - 1
    return at if at >= 0 and place < examples[at][0].end else -1


def _compare_example(span: Span, sources: Sequence[_Source], numbers: Sequence[PageNumber]) -> dict[int, Beside]:
    """What the blocks of an example say of its numbers. A number that another one explains is not wrong."""
    subjects = (core for source in sources for fact in source.facts for core, _ in fact.subjects)
    owners, found = read_owners(span, frozenset().union(*subjects)), dict[int, Beside]()
    for number in numbers:
        later = [source for source in sources if source.start > number.frame.span.start]
        near = later[:1] if len(later) < len(sources) else sources  # after a block, the text goes on to the next roll
        if owners.is_of_other(number.frame.span.start):
            continue
        beside = _compare(number, near)
        if beside and not (beside.problem and _is_explained(number, near, numbers)):
            found[id(number.frame)] = beside
    return found


def _is_explained(number: PageNumber, sources: Sequence[_Source], numbers: Sequence[PageNumber]) -> bool:
    """Whether an example says the value of its block, too, of the same setting, or adds some numbers up to it."""
    facts = [fact for source in sources for fact in source.facts if _is_about(number, fact)]
    right = frozenset().union(*(fact.values for fact in facts))
    sums = {number.frame.value}
    for other in [one for one in numbers if one is not number and any(_adds_to(one, fact) for fact in facts)][
        :_MOST_SUM
    ]:
        if other.frame.value in right:
            return True
        sums |= {value + other.frame.value for value in sums}
    return not sums.isdisjoint(right)


def _adds_to(number: PageNumber, fact: _Fact) -> bool:
    """Whether a number is one that a setting has, or by which it may change: "his sword adds 2"."""
    frame = number.frame
    is_own = not frame.noun or any(not core.isdisjoint(frame.noun) for core, _ in fact.subjects)
    return _is_about(number, fact) or (frame.is_change and is_own and frame.number.form in ("digits", "word"))


def _read_block(block: Block, game: Game, is_example: bool = False) -> _Source:
    named = block.get("rule")
    rule = game.rules.get(named.value) if named else next(iter(game.rules.values()), None)
    if rule is None or rule.contest or block.kind not in ("example", "odds", "claim", "roll"):
        return _Source("", block.span.start, ())
    text, target = _RECORD.sub("", block.text.content), _target_input(rule)
    first = _NEXT_PART.split(text)[0]
    facts = list[_Fact]()
    for entry in rule.inputs:
        names = "|".join(map(re.escape, (entry.name, *name_phrases(entry))))
        pattern = re.compile(rf"(?<![\w.])(?:{names})(?:\s*[:=]\s*|[ \t]+)({_VALUES})", re.IGNORECASE)
        given = pattern.findall(text)
        if not (is_example or (given and pattern.search(first))) and entry.default is not None:
            given.append(str(entry.default))
        facts += _read_input(rule, entry, ", ".join(given), target)
    traits = (part.strip() for line in _TRAITS.findall(text) for part in line.split("+"))
    for name, value in (match.groups() for match in map(_TRAIT.fullmatch, traits) if match):
        numbers = frozenset(number.value for number in find_numbers(value))
        facts.append(_Fact(read_subjects((name,)), numbers, _SIDES if value[0] in "dDwW" else ""))
    return _Source("the block below", block.span.start, tuple(facts), is_example=is_example)


def _compare(number: PageNumber, sources: Sequence[_Source]) -> Beside | None:
    """Whether the facts that a number is about say the same; None if it is about none, or if it tells a story."""
    frame = number.frame
    is_part = (frame.is_change and frame.noun) or frame.number.form in ("percent", "decimal")  # "two dice fewer"
    is_story = frame.is_doubtful if not sources[0].is_example else bool(_UNSURE.search(frame.text))
    if is_story or is_part or frame.limit not in ("", LEAST, MOST):
        return None
    about: Sequence[tuple[_Source, _Fact]]
    about = [(source, fact) for source in sources for fact in source.facts if _is_about(number, fact)]
    if not about or not about[0][1].values:
        return None
    source, fact = about[0]
    if fact.part == _SIDES and "block" in source.where and not is_plain_die(frame):
        return None
    if fact.part == _SIDES and not (_holds(source, frame) or "block" in source.where):
        return _compare_die(number, [(source, fact.values) for source, fact in about])
    if fact.part == _SIDES:
        about = _called(frame, about)
    is_row = number.parts != (frame.sentence_span,)
    is_any = is_row or source.is_example or fact.part == _SIDES
    allowed = frozenset().union(*(fact.values for _, fact in about)) if is_any else fact.values
    if frame.value in allowed:
        return Beside(source.where)
    if (
        not about
        or any(frame.value in fact.values | fact.between for _, fact in about)
        or (fact.part == _SIDES and source.is_example)
    ):
        return None  # dice of examples are compared with those that were rolled
    return Beside("", _problem(number, source, allowed))


def _compare_die(number: PageNumber, given: Sequence[tuple[_Source, frozenset[int]]]) -> Beside | None:
    """Whether a die before a link is one of its dice; a problem if the sentence does not name the one that is."""
    frame, (source, _) = number.frame, given[0]
    if any(frame.value in values for _, values in given):
        return Beside(source.where)
    own = [min(values) for other, values in given if other is source and len(values) == 1]
    named = [other.value for other in find_numbers(frame.text) if other.form == _SIDES]
    missing = {value for value in own if named.count(value) < own.count(value)}
    return Beside("", _problem(number, source, missing)) if missing else None


def _called(frame: Frame, about: Sequence[tuple[_Source, _Fact]]) -> Sequence[tuple[_Source, _Fact]]:
    """The dice that are called like one in a text: "her skill is a d6"; all if it has no name or no choice."""
    beside = _NAME_BESIDE.search(frame.before)
    name = frame.head[0] if frame.head and (frame.is_stated or (beside and not is_empty(beside[1]))) else ""
    if not name or name in _TAKING or len(frozenset().union(*(fact.values for _, fact in about))) < 2:
        return about
    return [
        (source, fact)
        for source, fact in about
        if any(name in core and core <= {*frame.head[: len(core) + 1]} for core, _ in fact.subjects)
    ]


def _problem(number: PageNumber, source: _Source, allowed: Collection[int]) -> Problem:
    span, right = number.frame.span, " or ".join(map(str, sorted(allowed)))
    note = f"correct the number here, or {'the block' if 'block' in source.where else 'the link'}"
    message = f"the text says {span.text}, {source.where} {right}"
    return Problem("prose-number", message, span, notes=(note,), trail=number.trail)


_BARE_SETTINGS = re.compile(rf"(?:[dDwW]?[0-9]+|[\s,;+−–-]|{JOINS})+", re.IGNORECASE)


def _compare_inside(number: PageNumber, sources: Sequence[_Source]) -> Beside | None:
    """A number in the text of a link that rolls is one of its settings, whatever it is called there; a problem if it is
    none, and the text is nothing but settings."""
    frame = number.frame
    source = next((source for source in sources if source.end and _holds(source, frame)), None)
    if source is None or frame.number.form not in ("digits", "dice") or frame.span.end > source.end:
        return None
    if not all(fact.values for fact in source.facts):
        return None  # a setting has a name
    values = frozenset().union(*(fact.values for fact in source.facts))
    if frame.value in values:
        return Beside(source.where)
    is_bare = _BARE_SETTINGS.fullmatch(frame.span.source.text, source.start, source.end)
    return Beside("", _problem(number, source, values)) if is_bare else None


def _is_about(number: PageNumber, fact: _Fact) -> bool:
    """Whether a number directly names a setting: "difficulty 7", "six dice", or a column of that name."""
    frame = number.frame
    if fact.part == "dice":
        return frame.number.form == "dice" and not frame.number.sign
    if _SIDES in (fact.part, frame.number.form):
        return frame.number.form == fact.part
    if fact.part == "pips":
        return bool(frame.number.sign) and frame.before.rstrip("+−–- ").endswith("D")
    if frame.number.form not in ("digits", "word") or (frame.is_face and not number.label):
        return False
    if fact.is_target and _AGAINST.search(frame.before):
        return True
    return any(is_named(number, core) for core, _ in fact.subjects)


def _compare_sheets(page: Page, numbers: Sequence[PageNumber]) -> dict[int, Beside]:
    """Numbers that repeat the sheet of their section: at least a few of a table or a paragraph."""
    found: dict[int, Beside] = {}
    by_trail: dict[Trail, list[PageNumber]] = {}
    sheets = {block.trail: block for block in reversed(page.blocks) if block.kind == "sheet" and not block.get("wrong")}
    for number in numbers if sheets else ():
        by_trail.setdefault(number.trail, []).append(number)
    for trail, block in sheets.items():
        facts = {frozenset(stems_of(entry.key)): entry for entry in block.entries}
        groups: dict[int, list[tuple[PageNumber, str]]] = {}
        for number in by_trail.get(trail, ()):
            names = (stems_of(number.name), frozenset(number.frame.head), frozenset(number.frame.head[:1]))
            known = next((facts[name] for name in names if name in facts), None)
            if known and not number.frame.limit:
                groups.setdefault(number.group, []).append((number, known.value))
        for group in groups.values():
            agreeing = [number for number, value in group if str(number.frame.value) == value]
            if len(group) >= _LEAST_REPEATED and len(agreeing) >= len(group) - 1:
                found |= {id(number.frame): _beside_sheet(number, value) for number, value in group}
    return found


def _beside_sheet(number: PageNumber, value: str) -> Beside:
    frame, where = number.frame, "the sheet below"
    if str(frame.value) == value:
        return Beside(where)
    message = f"the text says {frame.span.text}, {where} {value}"
    note = "correct the number here, or the sheet"
    return Beside("", Problem("prose-number", message, frame.span, notes=(note,), trail=number.trail))
