"""Drafts a block for each example of a page that the game explains, and keeps those that pass in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..book.page import Page
from ..book.parser import read_page
from ..book.text import blocks_after
from ..checks.adopt_doubts import DOUBT
from ..checks.model import BlockContext
from ..checks.registry import check_block
from ..game.model import Game
from ..project import GAME_FILE
from ..prose.evidence import Evidence
from ..source import Source
from .candidates import Introduction, find_candidates, inner_paragraphs, next_paragraph
from .insert import Insertion, apply_insertions, build_insertions
from .propose import Proposal, Unmatched, propose

_NOT_ENOUGH = "a block with only this would fail; write the inputs and the result of the roll"
_MOST_ROUNDS = 5
_NARRATED = re.compile(
    r"\b(?:s?he|they|(?!You)[A-Z][\w’'-]+)\s(?:[\w’'-]+\s){0,3}?(?:rolls|rolled|gets|got|throws|threw)\b"
)
_UNLABELLED = "this may be no example; begin it with `Example:` if it is one"
_NO_RESULT = "write what the roll results in"
_NO_GAME = f"this page has no {GAME_FILE} to compare it with"


@dataclass(frozen=True)
class AdoptedPage:
    """A page before and after, its insertions, and the examples without a block."""

    before: Source
    after: Source
    edits: tuple[Insertion, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()


def adopt_page(page: Page, game: Game | None, hidden: bool = False) -> AdoptedPage:
    """The page with a block for each example that the game explains; `hidden` ones are comments."""
    found, left, last = list[Proposal](), list[Unmatched](), -1
    for clues, made, introduction in _draft_blocks(page, game):
        if clues.passage.first <= last:
            continue
        last = max(made.passage.last, clues.passage.last) if isinstance(made, Proposal) else last
        if isinstance(made, Proposal) and _is_wanted(made, clues, introduction):
            found.append(made)
        elif _is_example(clues, introduction):
            left.append(_leave(made, introduction))
    return _keep_passing(page, game, found, left, hidden)


def _draft_blocks(page: Page, game: Game | None) -> Iterator[tuple[Evidence, Proposal | Unmatched, Introduction]]:
    """The block of each passage; the paragraphs of a quote that tells several rolls have one each."""
    for clues, introduction in examine_page(page):
        made = _draft_block(page, game, clues, introduction) if game else Unmatched(clues.passage, _NO_GAME)
        rolls = [] if isinstance(made, Proposal) and _is_certain(made) else _split_rolls(clues)
        if game and len(rolls) > 1:
            yield from (
                (roll, _draft_block(page, game, roll, Introduction.WORDS), Introduction.WORDS) for roll in rolls
            )
        else:
            yield clues, made, introduction


def _split_rolls(clues: Evidence) -> list[Evidence]:
    """The paragraphs of a quote or box, if several of them tell a roll."""
    parts = [Evidence(passage) for passage in inner_paragraphs(clues.passage)]
    rolls = [
        part
        for part in parts
        if part.tokens or part.signs or part.dice_sums or any(bit.sure for bit in part.facts.totals)
    ]
    return rolls if len(rolls) > 1 else []


def _is_wanted(made: Proposal, clues: Evidence, introduction: Introduction) -> bool:
    """Whether a block is worth a look: that of a label always; without one it must be sure that a roll is told."""
    if introduction == Introduction.LABEL:
        return True
    is_told = made.agrees and bool(clues.signs or clues.dice_sums or len(clues.tokens) > 1)
    is_shown = is_told if not made.doubts else made.proven and _shows_dice(clues)
    if introduction and not made.is_contradicted and (is_shown or _states_inputs(made)):
        return True
    has_signs = bool(clues.signs or clues.dice_sums)
    if is_told and (made.proven or (has_signs and not made.doubts and _NARRATED.search(clues.text))):
        return True
    return _is_certain(made) and (bool(introduction) or _shows_dice(clues))


def _states_inputs(made: Proposal) -> bool:
    """Whether a block has more than the dice, so that something in it can be checked."""
    keys = {line.partition(":")[0] for line in made.lines if not line.startswith(DOUBT)}
    return len(keys - {"rule", "dice", "given", "outcome", "degree"}) > (0 if made.agrees else 1)


def _leave(made: Proposal | Unmatched, introduction: Introduction) -> Unmatched:
    """An example without a block: what makes it doubtful, or that the text may be no example at all."""
    if isinstance(made, Unmatched):
        return made
    return Unmatched(
        made.passage, "; ".join((*made.doubts, *made.gaps)) or _UNLABELLED if introduction else _UNLABELLED
    )


def find_rolls(page: Page) -> Iterator[Evidence]:
    """The examples of a page that have no block: what `init` counts and `adopt` proposes blocks for."""
    for clues, introduction in examine_page(page):
        rolls = [(roll, Introduction.WORDS) for roll in _split_rolls(clues)] or [(clues, introduction)]
        yield from (roll for roll, words in rolls if _is_example(roll, words))


def _is_example(clues: Evidence, introduction: Introduction) -> bool:
    """Whether a passage tells a roll; one without a label must show its dice and a result."""
    is_labelled = introduction == Introduction.LABEL
    shows_dice = bool(clues.tokens) and clues.facts.is_checkable
    return _has_content(clues) if is_labelled else shows_dice or len(clues.signs) > 1


def _has_content(clues: Evidence) -> bool:
    is_told = clues.tokens or clues.signs or clues.dice_sums or clues.signed_totals({})
    return bool(clues.facts.is_checkable or is_told)


def _draft_block(page: Page, game: Game, clues: Evidence, introduction: Introduction) -> Proposal | Unmatched:
    """Draft a block for a passage, or for it and the next paragraph if an example needs both."""
    made = propose(game, clues) if _has_content(clues) else Unmatched(clues.passage, _NO_RESULT)
    after = (
        next_paragraph(page, clues.passage)
        if introduction and not (isinstance(made, Proposal) and _is_certain(made))
        else None
    )
    if after is None:
        return made
    if clues.tokens and Evidence(after).tokens:
        return made  # two rolls
    both = Evidence(clues.passage.join(after))
    longer = propose(game, both) if _has_content(both) else made
    if not isinstance(longer, Proposal) or not _is_certain(longer) or blocks_after(page, after.last):
        return made
    shows_result = clues.tokens or clues.signs or any(bit.sure for bit in clues.facts.totals)
    return longer._replace(passage=clues.passage) if shows_result else longer


def examine_page(page: Page) -> Iterator[tuple[Evidence, Introduction]]:
    for passage, introduction in find_candidates(page):
        yield Evidence(passage), introduction


def _shows_dice(clues: Evidence) -> bool:
    """True if the text shows more than one face, symbols, their sum, or a total."""
    return len(clues.tokens) > 1 or bool(clues.signs or clues.dice_sums) or any(bit.sure for bit in clues.facts.totals)


def _is_certain(made: Proposal) -> bool:
    """True if the text agrees with the rules in everything; required for a passage without a label."""
    return made.proven and not (made.doubts or made.gaps)


def _keep_passing(
    page: Page, game: Game | None, found: Sequence[Proposal], left: Sequence[Unmatched], hidden: bool
) -> AdoptedPage:
    """The page with all blocks that pass in place; the others are left out."""
    proposals, others = list(found), list(left)
    for _ in range(_MOST_ROUNDS):
        edits = build_insertions(page.source, proposals, hidden)
        after = apply_insertions(page.source, edits)
        bad = _failing_proposals(page, after, game, proposals) if proposals else set()
        if not bad:
            return AdoptedPage(page.source, after, tuple(edits), tuple(proposals), _sort_unmatched(others))
        others += [Unmatched(proposals[place].passage, _NOT_ENOUGH) for place in bad]
        proposals = [one for place, one in enumerate(proposals) if place not in bad]
    others += [Unmatched(one.passage, _NOT_ENOUGH) for one in proposals]
    return AdoptedPage(page.source, page.source, (), (), _sort_unmatched(others))


def _sort_unmatched(left: Sequence[Unmatched]) -> tuple[Unmatched, ...]:
    return tuple(sorted(left, key=lambda one: one.passage.line))


def _failing_proposals(page: Page, after: Source, game: Game | None, proposals: Sequence[Proposal]) -> set[int]:
    """Indexes of proposals whose blocks do not pass on the new page; all of them if blocks went missing."""
    new = read_page(after)
    wanted = {"\n".join(one.lines) for one in proposals}
    around = BlockContext(new, game, {})
    made = [block for block in new.blocks if block.text.content.strip() in wanted]
    passed = {block.text.content.strip() for block in made if check_block(block, around).status == "passed"}
    bad = {place for place, one in enumerate(proposals) if "\n".join(one.lines) not in passed}
    astray = len(new.blocks) != len(page.blocks) + len(proposals)
    return set(range(len(proposals))) if astray and not bad else bad
