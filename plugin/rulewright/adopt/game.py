"""Drafts a game for a book without one: the best mechanic of the gallery, with the traits and tables of the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path as File
from typing import NamedTuple

from ..book.page import Heading, Page
from ..book.tables import Table, tables
from ..book.text import first_words
from ..game.model import Game, Input
from ..play.validate import load_game_text
from ..project import FILE
from .inputs import asked
from .passage import Clues
from .propose import Proposal, proposed

NUMBER = re.compile(r"[+−–-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})")
UNIT = re.compile(rf"({NUMBER.pattern})\s?([^\W\d_]{{1,4}}\.?|[%$€£])?")
RANGE = re.compile(r"([0-9]{1,5})\s?(?:[-–—]|to|\.\.)\s?([0-9]{1,5})|([0-9]{1,5})\s?(?:\+|or more|and above|and up)")
LETTERS = re.compile(r"[^\W\d_]")
CAPTION = re.compile(r"^(?:table|tab\.?)\s*[0-9.]*\s*[:.–—-]?\s*", re.IGNORECASE)
MOST_TABLES, MOST_ROWS = 20, 200


class Ladder(NamedTuple):
    """A table in the form of `game.toml`."""

    name: str
    columns: tuple[str, ...]  # none for named numbers
    rows: tuple[tuple[str, tuple[int | str, ...]], ...]
    ranged: bool = False

    @property
    def numbers(self) -> list[int]:
        return [cells[0] for _, cells in self.rows if isinstance(cells[0], int)]


def ladders(pages: Iterable[Page]) -> list[Ladder]:
    """The tables of these pages that a game can use, one for each name."""
    found: dict[str, Ladder] = {}
    for page in pages:
        for table in tables(page):
            made = ladder(table)
            if made and made.name not in found and len(found) < MOST_TABLES:
                found[made.name] = made
    return list(found.values())


def ladder(table: Table) -> Ladder | None:
    """Convert a table of a page; None if a game cannot use it."""
    name = name_of(table)
    columns = [[cell.text.strip() for cell in column] for column in table.columns]
    if not name or len(columns) < 2 or not 2 <= len(table.rows) <= MOST_ROWS:
        return None
    heads = [head.text.strip().lower() for head in table.header]
    if all(RANGE.fullmatch(text) for text in columns[0]):
        return by_range(name, columns)
    if is_numbers(columns[0]) and is_names(columns[1]):
        columns, heads = [columns[1], columns[0], *columns[2:]], [heads[1], heads[0], *heads[2:]]
    if not is_names(columns[0]):
        return None
    numbers = [(head, column) for head, column in zip(heads[1:], columns[1:], strict=True) if is_numbers(column)]
    return by_name(name, columns[0], numbers) if numbers else None


def by_name(name: str, names: Sequence[str], numbers: Sequence[tuple[str, Sequence[str]]]) -> Ladder | None:
    """Convert the rows in which every cell is a number; with one column of numbers they become named numbers."""
    values = [[whole(text) for text in column] for _, column in numbers]
    rows = [(row, cells) for row, *cells in zip(names, *values, strict=True) if None not in cells]
    ready = tuple((row, tuple(cell for cell in cells if cell is not None)) for row, cells in rows)
    heads = tuple(head or f"column {number}" for number, (head, _) in enumerate(numbers, 1))
    if len(ready) < 2 or len(set(heads)) < len(heads):
        return None
    return Ladder(name, heads if len(heads) > 1 else (), ready)


def by_range(name: str, columns: Sequence[Sequence[str]]) -> Ladder | None:
    if not is_names(columns[1]):
        return None
    rows = tuple((plain_range(text), (cell,)) for text, cell in zip(columns[0], columns[1], strict=True))
    return Ladder(name, ("name",), rows, True)


def plain_range(text: str) -> str:
    found = RANGE.fullmatch(text)
    assert found
    return f"{int(found[1])}..{int(found[2])}" if found[1] else f"{int(found[3])}.."


def name_of(table: Table) -> str:
    """The name of a table: its short caption, else the heading above it."""
    caption = table.caption.strip() if len(table.caption) < 60 and not table.caption.endswith(".") else ""
    said = caption.rstrip(":") or (table.trail[-1] if table.trail else "")
    words = re.sub(r"[^\w\s-]", "", CAPTION.sub("", said.strip())).lower()
    return " ".join(words.split())[:50]


def is_names(texts: Sequence[str]) -> bool:
    """True if every cell has letters and no two are equal."""
    spelled = [text.lower() for text in texts]
    return all(LETTERS.search(text) and len(text) < 60 for text in texts) and len(set(spelled)) == len(spelled)


def is_numbers(texts: Sequence[str]) -> bool:
    """True for numbers of one unit; a dash is an empty cell, but most cells must have numbers."""
    filled = [text for text in texts if text not in ("", "-", "–", "—", "−")]
    found = [UNIT.fullmatch(text) for text in filled]
    return len(filled) * 2 > len(texts) and all(found) and len({one[2] for one in found if one}) == 1


def whole(text: str) -> int | None:
    found = UNIT.fullmatch(text)
    return int(re.sub("[−–]", "-", found[1]).replace(",", "")) if found else None


def lines(ladder: Ladder) -> Iterator[str]:
    """The table as TOML."""
    yield f"[tables.{quoted(ladder.name)}]"
    rows = (f"{quoted(name)} = {cells_text(ladder, cells)}" for name, cells in ladder.rows)
    if not ladder.columns:
        yield from rows
    else:
        yield f"columns = [{', '.join(map(text_of, ladder.columns))}]"
        yield f"{'ranges' if ladder.ranged else 'rows'} = {{ {', '.join(rows)} }}"


def cells_text(ladder: Ladder, cells: Sequence[int | str]) -> str:
    return f"[{', '.join(map(text_of, cells))}]" if ladder.columns else text_of(cells[0])


def quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else text_of(key)


def text_of(value: int | str) -> str:
    """A number or string as TOML."""
    from json import dumps

    return dumps(value, ensure_ascii=False)


CATEGORIES = {
    "attributes", "abilities", "skills", "talents", "knowledges", "characteristics", "stats", "statistics",
    "proficiencies", "aptitudes", "approaches", "traits", "qualities", "careers", "disciplines",
}  # fmt: skip
NAME = re.compile(r"[^\W\d_][\w’'-]*(?:[ -][^\W\d_][\w’'-]*){0,2}")
ENTRY = re.compile(r"\s*([^\W\d_][\w’' -]{0,40}?)\s*(?:[:.(–—]|\s-\s|$)")
MOST_NAMES = 60
LEAST_NAMES = 2


@dataclass
class Traits:
    """A trait category: its names and their groups."""

    names: list[str]
    groups: dict[str, list[str]] = field(default_factory=dict)


def traits(pages: Iterable[Page]) -> dict[str, Traits]:
    """All trait categories of the pages; of several lists for one the first."""
    found: dict[str, Traits] = {}
    for page in pages:
        for ways in (by_headings, by_terms, by_lists):
            for name, category in ways(page):
                if name not in found and LEAST_NAMES <= len(category.names) <= MOST_NAMES:
                    found[name] = category
    return apart(found)


def category(text: str) -> str:
    """The category that a heading announces, else an empty string."""
    word = re.sub(r"^(?:the|list of)\s+", "", text.strip().lower())
    return word if word in CATEGORIES else ""


def by_headings(page: Page) -> Iterator[tuple[str, Traits]]:
    for number, heading in enumerate(page.headings):
        name = category(heading.text)
        below = list(inside(page.headings, number))
        if not name or not below:
            continue
        top = [one for one in below if one.level == min(other.level for other in below)]
        if any(category(one.text) for one in top):
            continue
        groups = {one.text: named(inside(page.headings, page.headings.index(one))) for one in top}
        if any(groups.values()):
            grouped = {group.lower(): names for group, names in groups.items() if names}
            yield name, Traits([one for names in grouped.values() for one in names], grouped)
        else:
            yield name, Traits(named(top))


def inside(headings: tuple[Heading, ...], number: int) -> Iterator[Heading]:
    """The headings below one, up to the next of its own level."""
    for heading in headings[number + 1 :]:
        if heading.level <= headings[number].level:
            return
        yield heading


def named(headings: Iterable[Heading]) -> list[str]:
    return list(dict.fromkeys(one.text.strip() for one in headings if NAME.fullmatch(one.text.strip())))


def by_terms(page: Page) -> Iterator[tuple[str, Traits]]:
    """Categories from definition lists below a heading."""
    found: dict[str, list[str]] = {}
    for term in page.terms:
        name = category(term.trail[-1]) if term.trail else ""
        if name and NAME.fullmatch(term.text.strip()):
            found.setdefault(name, []).append(term.text.strip())
    yield from ((name, Traits(list(dict.fromkeys(names)))) for name, names in found.items())


def by_lists(page: Page) -> Iterator[tuple[str, Traits]]:
    """Categories from the first words of list items below a heading."""
    headings, name, names = iter(page.headings), "", list[str]()
    for number, token in enumerate(page.tokens):
        if token.type == "heading_open" and (heading := next(headings, None)):
            yield from done(name, names)
            name, names = category(heading.text), []
        elif name and token.type == "list_item_open" and token.level == 1:
            entry = ENTRY.match(first_words(page, number))
            if entry and NAME.fullmatch(entry[1]):
                names.append(entry[1])
        elif name and names and token.type in ("bullet_list_close", "ordered_list_close") and token.level == 0:
            yield from done(name, names)
            name = ""
    yield from done(name, names)


def done(name: str, names: list[str]) -> Iterator[tuple[str, Traits]]:
    if name and names:
        yield name, Traits(list(dict.fromkeys(names)))


def apart(found: Mapping[str, Traits]) -> dict[str, Traits]:
    """Remove names that an earlier category has: one name means one trait."""
    taken: set[str] = set()
    ready = {}
    for name, one in found.items():
        names = [own for own in one.names if own.lower() not in taken]
        taken |= {own.lower() for own in names}
        groups = {group: [own for own in own_names if own in names] for group, own_names in one.groups.items()}
        if len(names) >= LEAST_NAMES:
            ready[name] = Traits(names, {group: own for group, own in groups.items() if own})
    return ready


GALLERY = File(__file__).parent.parent / "gallery"
TOLD = 3  # mechanics in the report
MOST_TRIED = 200  # examples that are tried with every mechanic


@dataclass(frozen=True)
class Mechanic:
    """A game of the gallery, and the number of examples whose text agrees with its rules."""

    name: str
    title: str
    fits: int
    without_doubt: int


@dataclass(frozen=True)
class NewGame:
    """The text of a drafted game, and the evidence for its mechanic."""

    text: str
    game: Game
    mechanics: tuple[Mechanic, ...]  # the nearest first
    tried: int
    traits: Mapping[str, Traits]
    tables: Sequence[Ladder]

    @property
    def doubt(self) -> str:
        """The doubt to note in every block if the mechanic explains fewer than half of the examples."""
        if not self.game.rules or self.mechanics[0].fits * 2 >= self.tried:
            return ""
        return (
            f"the rules of {self.mechanics[0].name} account for {self.mechanics[0].fits} of {self.tried} examples only"
        )


@cache
def gallery() -> dict[str, tuple[str, Game]]:
    """Text and game of each mechanic by name."""
    found = {}
    for folder in sorted(GALLERY.iterdir()):
        if (folder / FILE).is_file():
            text = (folder / FILE).read_text("utf-8")
            game, _ = load_game_text(text)
            if game:
                found[folder.name] = (text, game)
    return found


def new_game(title: str, pages: Sequence[Page], examples: Sequence[Clues]) -> NewGame | None:
    """Draft a game; None if the pages have no traits, no tables, and no roll that a mechanic explains."""
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
    """True if a game with only this part has no problems."""
    return not load_game_text("\n".join(['title = "A game"', *part, ""]))[1]


def nearest(examples: Sequence[Clues]) -> list[Mechanic]:
    """All mechanics, the one that explains most examples first."""
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
    """The text of `game.toml`: the mechanic with the book's title, traits and tables."""
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
