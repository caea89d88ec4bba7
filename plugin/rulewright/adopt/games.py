"""A game for a book that has none: the nearest mechanic of the gallery, with traits and tables of the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path as File

from ..book.model import Page
from ..game.find import FILE
from ..game.model import Game, Input
from ..game.validate import load_game_text
from .choosing import proposed
from .clues import Clues
from .ladders import Ladder, ladders, lines, quoted, text_of
from .model import Proposal
from .roles import asked
from .traits import Traits, traits

GALLERY = File(__file__).parent.parent / "gallery"
TOLD = 3  # mechanics that are named
MOST_TRIED = 200  # examples that are played with every mechanic


@dataclass(frozen=True)
class Mechanic:
    """A game of the gallery, and how many examples come to what their text says when it plays them."""

    name: str
    title: str
    fits: int
    without_doubt: int


@dataclass(frozen=True)
class NewGame:
    """The text of a game that is proposed, and what speaks for its mechanic."""

    text: str
    game: Game
    mechanics: tuple[Mechanic, ...]  # the nearest first
    tried: int
    traits: Mapping[str, Traits]
    tables: Sequence[Ladder]

    @property
    def doubt(self) -> str:
        """What is to be said of every block while the mechanic accounts for fewer than half of the examples."""
        if not self.game.rules or self.mechanics[0].fits * 2 >= self.tried:
            return ""
        return (
            f"the rules of {self.mechanics[0].name} account for {self.mechanics[0].fits} of {self.tried} examples only"
        )


@cache
def gallery() -> dict[str, tuple[str, Game]]:
    """Text and game of each mechanic by its name."""
    found = {}
    for folder in sorted(GALLERY.iterdir()):
        if (folder / FILE).is_file():
            text = (folder / FILE).read_text("utf-8")
            game, _ = load_game_text(text)
            if game:
                found[folder.name] = (text, game)
    return found


def new_game(title: str, pages: Sequence[Page], examples: Sequence[Clues]) -> NewGame | None:
    """What can be proposed; nothing where the pages show no traits, no tables, and no roll that any mechanic makes."""
    tried = examples[:MOST_TRIED]
    mechanics = nearest(tried)
    base = gallery()[mechanics[0].name][0] if mechanics and mechanics[0].fits else ""
    own_traits = {name: one for name, one in traits(pages).items() if is_sound(category_lines(name, one))}
    own_tables = [table for table in ladders(pages) if is_sound(lines(table))]
    if not base and not own_traits and not own_tables:
        return None
    for some_traits, some_tables in ((own_traits, own_tables), (own_traits, []), ({}, own_tables), ({}, [])):
        text = game_text(title, base, some_traits, some_tables)
        game, problems = load_game_text(text)
        if game and not problems and (base or some_traits or some_tables):
            return NewGame(text, game, tuple(mechanics[:TOLD]), len(tried), some_traits, some_tables)
    return None


def is_sound(part: Iterable[str]) -> bool:
    """Whether a game with this part alone is without problems: no gap in a table, no name that cannot be."""
    return not load_game_text("\n".join(['title = "A game"', *part, ""]))[1]


def nearest(examples: Sequence[Clues]) -> list[Mechanic]:
    """Every mechanic, the one that accounts for most examples first."""
    found = [mechanic(name, title_of(text), game, examples) for name, (text, game) in gallery().items()]
    return sorted(found, key=lambda one: (-one.fits, -one.without_doubt, one.name))


def mechanic(name: str, title: str, game: Game, examples: Iterable[Clues]) -> Mechanic:
    made = [proposal for clues in examples if isinstance(proposal := proposed(game, clues), Proposal)]
    fitting = [proposal for proposal in made if proposal.proven and proposal.agrees]
    return Mechanic(name, title, len(fitting), sum(not proposal.doubts for proposal in fitting))


def title_of(text: str) -> str:
    found = re.match(r'title = "(.*)"', text)
    return found[1] if found else ""


def game_text(title: str, base: str, found: Mapping[str, Traits], tables: Sequence[Ladder]) -> str:
    """The file, with the title of the book in the place of the mechanic's own."""
    rules = re.sub(r"\Atitle = .*\n", "", base).strip("\n")
    own = [table for table in tables if not re.search(rf"^{re.escape(quoted(table.name))} = ", rules, re.MULTILINE)]
    parts = [f"title = {text_of(title)}", with_names(rules, own)]
    parts += ["\n".join(category_lines(name, one)) for name, one in found.items()]
    parts += ["\n".join(lines(table)) for table in own]
    return "\n\n".join(filter(None, parts)) + "\n"


def category_lines(name: str, found: Traits) -> Iterator[str]:
    yield f"[traits.{quoted(name)}]"
    yield f"names = [{', '.join(map(text_of, found.names))}]"
    if found.groups:
        groups = (f"{quoted(group)} = [{', '.join(map(text_of, names))}]" for group, names in found.groups.items())
        yield f"groups = {{ {', '.join(groups)} }}"


def with_names(rules: str, tables: Sequence[Ladder]) -> str:
    """The rules, with the names of the book's difficulties where a number must be reached."""
    table = next((one for one in tables if not one.columns and re.search("difficult|target", one.name)), None)
    game, _ = load_game_text(f'title = "A game"\n{rules}\n') if table else (None, [])
    entry = (
        next((one for rule in game.rules.values() for one in rule.inputs if fitting(one, table)), None)
        if game and table
        else None
    )
    if not entry or not table:
        return rules
    most = max(*table.numbers, entry.most)
    line = re.compile(rf"^({entry.name}\s*=\s*\{{.*?max = )[0-9]+(.*?) \}}$", re.MULTILINE)
    return line.sub(lambda found: f"{found[1]}{most}{found[2]}, names = {text_of(table.name)} }}", rules, count=1)


def fitting(entry: Input, table: Ladder | None) -> bool:
    return bool(
        table and entry.form == "number" and asked(entry) and not entry.names and min(table.numbers) >= entry.least
    )
