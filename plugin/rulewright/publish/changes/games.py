"""What has changed in the games, in words."""

from __future__ import annotations

from collections.abc import Iterator

from ...editions.compare import Change, Edit, drop_moves
from ...editions.whole import EditionDiff, GameChange
from ..words import Words
from .outline import Line, Section
from .values import phrase_text

MOST_FACT_LETTERS = 160  # letters of a fact; of a longer one only the beginning


def game_sections(found: EditionDiff, words: Words, moves: bool) -> Iterator[Section]:
    for game in found.games:
        body = tuple(game_lines(game, words, moves))
        if body or game.change.way != "changed":
            yield Section(game_title(game, words), body)


def game_title(game: GameChange, words: Words) -> str:
    if game.change.way == "changed":
        both = game.old_title, game.new_title
        return words("became", old=both[0], new=both[1]) if both[0] != both[1] else both[1]
    return words(f"way {game.change.way}", thing=game.old_title or game.new_title)


def game_lines(game: GameChange, words: Words, moves: bool) -> Iterator[Line]:
    change = game.change if moves else drop_moves(game.change)
    for one in change.inner if change else ():
        yield from change_lines(one, words, 0)


def change_lines(change: Change, words: Words, depth: int) -> Iterator[Line]:
    """A thing that has changed, and below it how."""
    single = change.edits[0] if len(change.edits) == 1 and not change.inner else None
    if single and change.way == "changed":
        yield Line(f"{entity_text(change, words)}: {edit_text(single, words)}", depth)
        return
    if change.way == "changed":
        yield Line(entity_text(change, words), depth)
    else:
        new = entity_text(change, words, change.new_name)
        way = change.way if change.sure else f"probably {change.way}"
        yield Line(words(f"way {way}", thing=entity_text(change, words), new=new), depth)
    yield from (Line(edit_text(one, words), depth + 1) for one in change.edits)
    for one in change.inner:
        yield from change_lines(one, words, depth + 1)


def entity_text(change: Change, words: Words, name: str = "") -> str:
    """«outcome botch»."""
    return words(f"part {change.part}", name=name or change.name)


def edit_text(one: Edit, words: Words) -> str:
    aspect = words.found.get(f"aspect {one.aspect}", one.aspect)
    old, new = shorten(phrase_text(one.old, words)), shorten(phrase_text(one.new, words))
    if not one.old:
        return words("fact added", aspect=aspect, new=new)
    return words("fact changed", aspect=aspect, old=old, new=new) if one.new else words(
        "fact removed", aspect=aspect, old=old
    )  # fmt: skip


def shorten(text: str) -> str:
    return text if len(text) <= MOST_FACT_LETTERS else f"{text[:MOST_FACT_LETTERS]}…"
