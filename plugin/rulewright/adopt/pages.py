"""A page with the blocks that its prose examples should have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..book.layout import Opening
from ..book.model import Page
from ..book.paper import Paper, paper
from ..book.prose import Passage, blocks_after
from ..book.prose import passage as read_passage
from ..book.read import read_page
from ..checks.beside import examples, told_passages
from ..checks.blocks import check_block
from ..checks.model import Around
from ..checks.told.dice import ROLL
from ..checks.told.label import begins_as_example
from ..checks.told.mood import SCENE
from ..game.model import Game
from ..text import Source
from .choosing import proposed, with_doubt
from .clues import Clues
from .difference import Insertion, inserted
from .model import Left, Proposal
from .placing import insertions

LONGEST = 6_000  # characters; a longer passage is no example
ROLLED = re.compile(
    rf"{ROLL}[^.\n]{{0,60}}?(?:[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)", re.IGNORECASE
)
NOT_ENOUGH = "what it tells is not enough for a block that passes"
MOST_ROUNDS = 5
NO_GAME = "there is no game for this page"


@dataclass(frozen=True)
class AdoptedPage:
    """A page before and after, what was put in, and which examples were left."""

    before: Source
    after: Source
    edits: tuple[Insertion, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    left: tuple[Left, ...] = ()


def candidates(page: Page) -> Iterator[tuple[Passage, bool]]:
    """Passages that may tell a roll and have no block yet; the flag says whether they call themselves examples."""
    checked = {passage.first for one in examples(page) if one.blocks for passage in [one.passage]}
    for passage in told_passages(page, lambda number: bool(ROLLED.search(page.tokens[number + 1].content))):
        labelled = begins_as_example(passage)
        if not labelled and SCENE.match(passage.text.strip()):
            continue
        if passage.first not in checked and len(passage.text) <= LONGEST and not blocks_after(page, passage.last):
            yield passage, labelled


def adopted(page: Page, game: Game | None, doubt: str = "") -> AdoptedPage:
    """The page with a block for each example that the game can account for; `doubt` is one of the game itself."""
    found, left, last = list[Proposal](), list[Left](), -1
    for clues, labelled in examined(page):
        if clues.passage.first <= last:
            continue
        made = understood(page, game, clues, labelled) if game else Left(clues.passage, NO_GAME)
        last = max(made.passage.last, clues.passage.last) if isinstance(made, Proposal) else last
        if isinstance(made, Proposal) and (labelled or (certain(made) and shows_dice(clues) and not doubt)):
            found.append(with_doubt(made, doubt) if doubt else made)
        elif labelled and tells(clues):
            left.append(made if isinstance(made, Left) else Left(clues.passage, "it tells no result"))
    return settled(page, game, found, left)


def tells(clues: Clues) -> bool:
    return bool(clues.told.checkable or clues.tokens or clues.signs)


def understood(page: Page, game: Game, clues: Clues, labelled: bool) -> Proposal | Left:
    """What is proposed for a passage, or for it with the paragraph behind it where an example runs over both."""
    made = proposed(game, clues) if tells(clues) else Left(clues.passage, "it tells no result")
    after = following(page, clues.passage) if labelled and not (isinstance(made, Proposal) and certain(made)) else None
    if after is None:
        return made
    both = Clues(clues.passage.joined(after))
    longer = proposed(game, both) if tells(both) else made
    if not isinstance(longer, Proposal) or not certain(longer) or blocks_after(page, after.last):
        return made
    return longer._replace(passage=clues.passage) if clues.told.checkable else longer


def following(page: Page, passage: Passage) -> Passage | None:
    """The paragraph right behind another one in the same place, if it is no example of its own."""
    number = passage.last + 1
    if passage.container or number >= len(page.tokens) or page.tokens[number].type != "paragraph_open":
        return None
    opening = Opening(number, passage.trail, passage.holder)
    after = read_passage(page, sheet_of(page.source), opening, number + 2)
    return None if begins_as_example(after) or len(after.text) > LONGEST else after


def examined(page: Page) -> Iterator[tuple[Clues, bool]]:
    for passage, labelled in candidates(page):
        yield Clues(passage), labelled


def shows_dice(clues: Clues) -> bool:
    """Whether there is more than a face that some rule speaks of."""
    return len(clues.tokens) > 1 or bool(clues.signs) or any(bit.sure for bit in clues.told.totals)


def certain(made: Proposal) -> bool:
    """A passage that does not say that it is an example is taken for one when all of it agrees with the rules."""
    return made.proven and not made.doubts


def settled(page: Page, game: Game | None, found: Sequence[Proposal], left: Sequence[Left]) -> AdoptedPage:
    """The page with the blocks that pass where they would stand; those that do not are left."""
    proposals, others = list(found), list(left)
    for _ in range(MOST_ROUNDS):
        edits = insertions(page.source, proposals)
        after = inserted(page.source, edits)
        bad = failing(page, after, game, proposals) if proposals else set()
        if not bad:
            return AdoptedPage(page.source, after, tuple(edits), tuple(proposals), in_order(others))
        others += [Left(proposals[place].passage, NOT_ENOUGH) for place in bad]
        proposals = [one for place, one in enumerate(proposals) if place not in bad]
    others += [Left(one.passage, NOT_ENOUGH) for one in proposals]
    return AdoptedPage(page.source, page.source, (), (), in_order(others))


def in_order(left: Sequence[Left]) -> tuple[Left, ...]:
    return tuple(sorted(left, key=lambda one: one.passage.line))


def failing(page: Page, after: Source, game: Game | None, proposals: Sequence[Proposal]) -> set[int]:
    """Which proposals are no blocks on the new page that pass; all of them where blocks went astray."""
    new = read_page(after)
    wanted = {"\n".join(one.lines) for one in proposals}
    around = Around(new, game, {})
    made = [block for block in new.blocks if block.text.content.strip() in wanted]
    passed = {block.text.content.strip() for block in made if check_block(block, around).status == "passed"}
    bad = {place for place, one in enumerate(proposals) if "\n".join(one.lines) not in passed}
    astray = len(new.blocks) != len(page.blocks) + len(proposals)
    return set(range(len(proposals))) if astray and not bad else bad


@lru_cache(maxsize=1)
def sheet_of(source: Source) -> Paper:
    return paper(source)
