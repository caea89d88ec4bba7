"""Prose examples: finds them, matches them with example blocks, reports unchecked ones and contradictions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..book.page import Block, Page
from ..book.text import Passage, blocks_after, blocks_before, blocks_inside, closing_index, opening_text, read_passages
from ..prose.facts import ProseFacts, read_facts
from ..prose.mood import BOX, LABEL, begins_as_example, is_introduced, is_label
from ..prose.words import AND, A
from ..source import Problem, Span, sort_problems
from .drift import BlockFacts, Difference, collect_facts, find_differences
from .model import CheckedBlock

_FACE_LIST = re.compile(rf"[0-9]\W{{1,9}}(?:(?:{AND}|{A})\s){{0,2}}[0-9]")  # the digits of a list of faces


class _ProseExample(NamedTuple):
    """A passage that describes a roll, with the blocks next to it."""

    passage: Passage
    facts: ProseFacts
    blocks: tuple[Block, ...]
    is_labeled: bool  # whether it has a label such as "Example:"


def find_examples(page: Page) -> list[_ProseExample]:
    """Labeled examples with dice or a result, and with a block other examples and paragraphs that list its dice."""
    results = [one for passage in candidate_passages(page) if (one := _read_example(page, passage))]
    return _assign_blocks(page, results)


def candidate_passages(page: Page, more: Callable[[int], bool] = lambda _: False) -> Iterator[Passage]:
    """Possible examples; a label of its own is joined with the next paragraph. `more` accepts other paragraphs."""
    label: Passage | None = None
    is_likely = _make_candidate_test(page)
    for passage in read_passages(page, _make_whole_test(page), lambda number: is_likely(number) or more(number)):
        candidate = label.join(passage) if label and passage.first == label.last + 1 else passage
        label = candidate if is_label(candidate) else None
        if label is None:
            yield candidate


def _make_whole_test(page: Page) -> Callable[[int], bool]:
    """A predicate on tokens: whether a quote or box is a single example."""

    def is_whole(number: int) -> bool:
        is_marked = "example" in page.tokens[number].info.lower().split() or LABEL.match(opening_text(page, number))
        return bool(is_marked) or _follows_label(page, number)

    return is_whole


def _follows_label(page: Page, number: int) -> bool:
    return (
        number > 2
        and page.tokens[number - 1].type == "paragraph_close"
        and _is_short_label(page.tokens[number - 2].content)
    )


def _is_short_label(text: str) -> bool:
    return len(text) < 60 and bool(LABEL.match(text) or BOX.match(text))


def _make_candidate_test(page: Page) -> Callable[[int], bool]:
    """A predicate on tokens: whether a paragraph may be an example, a cheap test before it is parsed."""

    def is_candidate(number: int) -> bool:
        text = page.tokens[number + 1].content
        if LABEL.match(text) or BOX.match(text) or _follows_label(page, number):
            return True
        return bool(blocks_after(page, number + 2))

    return is_candidate


def _read_example(page: Page, passage: Passage) -> _ProseExample | None:
    is_labeled = begins_as_example(passage)
    if not is_labeled and not (blocks_after(page, passage.last) or blocks_inside(page, passage.first, passage.last)):
        return None
    is_example = is_labeled or is_introduced(passage)
    if not is_example and not _FACE_LIST.search(passage.text):
        return None
    facts = read_facts(passage)
    if is_example:
        return _ProseExample(passage, facts, (), is_labeled) if facts.is_checkable else None
    has_dice = any(bit.sure and isinstance(bit.value, tuple) and len(bit.value) > 1 for bit in facts.faces)
    return _ProseExample(passage, facts, (), False) if has_dice else None


def _assign_blocks(page: Page, unassigned: Sequence[_ProseExample]) -> list[_ProseExample]:
    """Assigns blocks to the example before or after them, whichever leaves fewer examples without a block."""
    forward, backward = _assign_in_direction(page, unassigned, True), _assign_in_direction(page, unassigned, False)
    return backward if _count_without_blocks(backward) < _count_without_blocks(forward) else forward


def _count_without_blocks(assigned: Sequence[_ProseExample]) -> int:
    return sum(not prose_example.blocks for prose_example in assigned)


def _assign_in_direction(page: Page, unassigned: Sequence[_ProseExample], forward: bool) -> list[_ProseExample]:
    """Assigns blocks to examples, preferring the ones after it if `forward`; a row of blocks may be shared."""
    taken: set[int] = set()
    blocks_by_holder: dict[int, list[Block]] = {}
    assigned = []
    for prose_example in unassigned:
        inside = _enclosed_blocks(page, prose_example.passage, blocks_by_holder)
        before = [
            block
            for block in blocks_before(page, prose_example.passage.first)
            if prose_example.is_labeled and id(block) not in taken
        ]
        after = blocks_after(page, prose_example.passage.last)
        own_blocks = inside or ((after or before) if forward else (before or after))
        if inside or len(own_blocks) == 1:
            taken.update(map(id, own_blocks))
        assigned.append(prose_example._replace(blocks=tuple(own_blocks)))
    return assigned


def _enclosed_blocks(page: Page, passage: Passage, blocks_by_holder: dict[int, list[Block]]) -> list[Block]:
    """The blocks inside the passage, or inside the list item, tab or box that contains it."""
    direct = blocks_inside(page, passage.first, passage.last)
    holder = passage.container_token
    if direct or holder < 0 or blocks_after(page, passage.last):
        return direct  # of several examples in a box, each has the block after it
    if holder not in blocks_by_holder:
        blocks_by_holder[holder] = blocks_inside(page, holder, closing_index(page.tokens, holder))
    return blocks_by_holder[holder]


__all__ = ["ProseFacts", "WrongSentence", "check_drift", "check_unchecked", "find_wrong_sentences", "read_facts"]


@dataclass(frozen=True)
class WrongSentence:
    """A sentence that contradicts its block, with the problems."""

    span: Span
    text: str  # without markup
    problems: tuple[Problem, ...]


def check_unchecked(
    page: Page, known_examples: Sequence[_ProseExample] | None = None, *, has_game: bool = True
) -> tuple[int, list[Problem]]:
    """The number of labeled prose examples, and a problem for each that has no block.

    Pass the examples of the page if they are known. Without a game none of them could be checked."""
    labeled = [
        prose_example
        for prose_example in (find_examples(page) if known_examples is None else known_examples)
        if prose_example.is_labeled
    ]
    severity = "warning" if has_game else "info"
    return len(labeled), [
        _unchecked_problem(prose_example, severity) for prose_example in labeled if not prose_example.blocks
    ]


def _unchecked_problem(prose_example: _ProseExample, severity: str) -> Problem:
    passage = prose_example.passage
    start = len(passage.text) - len(passage.text.lstrip())
    end = min((end for end in (passage.text.find(sign, start) for sign in ":.\n") if end > 0), default=start + 7)
    message = "this example describes a roll that nothing checks"
    notes = (
        "put an example block after it, or into the same box; in <!-- example … --> it is checked and not shown",
        "`rulewright adopt` proposes the block",
    )
    return Problem(
        "prose-unchecked", message, passage.span(start, min(end, start + 40)), severity, notes, passage.trail
    )


def compared_values(examples: Iterable[_ProseExample]) -> list[Span]:
    """The spans of the values that examples state as facts and that are compared with their blocks."""
    spans = list[Span]()
    for example in examples:
        facts = example.facts
        if any(block.kind == "example" for block in example.blocks):
            counts = (value for value in facts.counts if not value.subject.endswith("change"))
            others = (*facts.difficulties, *facts.thresholds, *facts.totals, *facts.margins)
            spans += [value.span for value in (*facts.faces, *facts.pools, *counts, *others) if value.sure]
    return spans


def told_blocks(examples: Iterable[_ProseExample]) -> list[tuple[Span, list[Block]]]:
    """The text of each example with the example blocks that it tells."""
    told = list[tuple[Span, list[Block]]]()
    for example in examples:
        blocks = [block for block in example.blocks if block.kind == "example" and not block.get("wrong")]
        told += [(example.passage.span(0, len(example.passage.text)), blocks)] if blocks else []
    return told


def check_drift(
    page: Page, results: Iterable[CheckedBlock | BlockFacts], known_examples: Sequence[_ProseExample] | None = None
) -> list[Problem]:
    """Problems for words that contradict the results of the block next to them."""
    return sort_problems(
        problem
        for wrong_sentence in _find_contradictions(page, results, known_examples)
        for problem in wrong_sentence.problems
    )


def find_wrong_sentences(page: Page, results: Iterable[CheckedBlock | BlockFacts]) -> list[WrongSentence]:
    """The sentences that would still be wrong if every block had the correct results."""
    sentences_by_span: dict[tuple[int, int], WrongSentence] = {}
    for wrong_sentence in _find_contradictions(page, results):
        previous = sentences_by_span.get((wrong_sentence.span.start, wrong_sentence.span.end))
        problems = (*previous.problems, *wrong_sentence.problems) if previous else wrong_sentence.problems
        sentences_by_span[wrong_sentence.span.start, wrong_sentence.span.end] = WrongSentence(
            wrong_sentence.span, wrong_sentence.text, problems
        )
    return [sentences_by_span[key] for key in sorted(sentences_by_span)]


def _find_contradictions(
    page: Page, results: Iterable[CheckedBlock | BlockFacts], known_examples: Sequence[_ProseExample] | None = None
) -> Iterator[WrongSentence]:
    """Each difference with the sentence that contains it."""
    prose_examples = find_examples(page) if known_examples is None else known_examples
    block_ids = {id(block) for example in prose_examples for block in example.blocks if block.kind == "example"}
    facts_by_block: dict[int, list[BlockFacts]] = {}
    for result in results if block_ids else ():
        if id(result.block) in block_ids:
            facts_by_block.setdefault(id(result.block), []).extend(
                [result] if isinstance(result, BlockFacts) else collect_facts(result)
            )
    for example in prose_examples if facts_by_block else ():
        blocks = [block for block in example.blocks if block.kind == "example"]
        if all(facts_by_block.get(id(block)) for block in blocks):
            yield from _compare_example(example, [facts for block in blocks for facts in facts_by_block[id(block)]])


def _compare_example(example: _ProseExample, block_facts: list[BlockFacts]) -> Iterator[WrongSentence]:
    passage = example.passage
    for difference in find_differences(example.facts, block_facts):
        sentence = next(
            candidate for candidate in example.facts.sentences if candidate.start <= difference.start < candidate.end
        )
        text = passage.text[sentence.start : sentence.end].strip()
        yield WrongSentence(
            passage.span(sentence.start, sentence.end),
            text,
            (_drift_problem(passage, difference, block_facts[0].block),),
        )


def _drift_problem(passage: Passage, difference: Difference, block: Block) -> Problem:
    note = f"the block {block.id} begins in line {block.line}; change the one that is wrong"
    span, trail = passage.span(difference.start, difference.end), (*passage.trail, block.id)
    return Problem("prose-drift", difference.message, span, "warning", (note,), trail)
