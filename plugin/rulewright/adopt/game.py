"""Drafts a game for a book without one: the best mechanic of the gallery, with the traits and tables of the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from ..book.page import Heading, Page
from ..book.tables import Table, read_tables
from ..book.text import opening_text
from ..game.model import Game, Input
from ..lint.table_totals import is_total
from ..play.validate import load_game_text
from ..prose.evidence import Evidence
from .gallery import format_string, read_gallery
from .game_text import write_game
from .guess_dice import MARGIN, Family, guess_family
from .inputs import is_difficulty
from .interview import can_ask_about, complete, find_outcome_names
from .propose import Proposal, propose

_NUMBER = re.compile(r"[+−–-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})")
_UNIT = re.compile(rf"({_NUMBER.pattern})\s?([^\W\d_]{{1,4}}\.?|[%$€£])?")
_RANGE = re.compile(r"([0-9]{1,5})\s?(?:[-–—]|to|\.\.)\s?([0-9]{1,5})|([0-9]{1,5})\s?(?:\+|or more|and above|and up)")
_LETTERS = re.compile(r"[^\W\d_]")
_CAPTION = re.compile(r"^(?:table|tab\.?)\s*[0-9.]*\s*[:.–—-]?\s*", re.IGNORECASE)
_MAX_TABLES, _MAX_ROWS = 20, 200


class _DraftTable(NamedTuple):
    """A table in the form of `game.toml`."""

    name: str
    columns: tuple[str, ...]  # none for named numbers
    rows: tuple[tuple[str, tuple[int | str, ...]], ...]
    ranged: bool = False

    @property
    def numbers(self) -> list[int]:
        return [cells[0] for _, cells in self.rows if isinstance(cells[0], int)]


def _draft_tables(pages: Iterable[Page]) -> list[_DraftTable]:
    """The tables of these pages that a game can use, one for each name."""
    found: dict[str, _DraftTable] = {}
    for page in pages:
        for table in read_tables(page):
            made = _draft_table(table)
            if made and made.name not in found and len(found) < _MAX_TABLES:
                found[made.name] = made
    return list(found.values())


def _draft_table(table: Table) -> _DraftTable | None:
    """Convert a table of a page; None if a game cannot use it."""
    name = _table_name(table)
    rows = [[cell.text.strip() for cell in row] for row in table.rows if not is_total(row[0].text)]
    columns = list(zip(*rows, strict=True)) or [() for _ in table.header]
    if not name or len(columns) < 2 or not 2 <= len(rows) <= _MAX_ROWS:
        return None
    heads = [head.text.strip().lower() for head in table.header]
    if all(_RANGE.fullmatch(text) for text in columns[0]):
        return _table_by_range(name, columns)
    if _is_numbers(columns[0]) and _is_names(columns[1]):
        columns, heads = [columns[1], columns[0], *columns[2:]], [heads[1], heads[0], *heads[2:]]
    if not _is_names(columns[0]):
        return None
    numbers = [(head, column) for head, column in zip(heads[1:], columns[1:], strict=True) if _is_numbers(column)]
    return _table_by_name(name, columns[0], numbers) if numbers else None


def _table_by_name(name: str, names: Sequence[str], numbers: Sequence[tuple[str, Sequence[str]]]) -> _DraftTable | None:
    """Convert the rows in which every cell is a number; with one column of numbers they become named numbers."""
    values = [[_parse_integer(text) for text in column] for _, column in numbers]
    rows = [(row, cells) for row, *cells in zip(names, *values, strict=True) if None not in cells]
    ready = tuple((row, tuple(cell for cell in cells if cell is not None)) for row, cells in rows)
    heads = tuple(head or f"column {number}" for number, (head, _) in enumerate(numbers, 1))
    if len(ready) < 2 or len(set(heads)) < len(heads):
        return None
    return _DraftTable(name, heads if len(heads) > 1 else (), ready)


def _table_by_range(name: str, columns: Sequence[Sequence[str]]) -> _DraftTable | None:
    if not _is_names(columns[1]):
        return None
    rows = tuple((_format_range(text), (cell,)) for text, cell in zip(columns[0], columns[1], strict=True))
    return _DraftTable(name, ("name",), rows, True)


def _format_range(text: str) -> str:
    found = _RANGE.fullmatch(text)
    assert found
    return f"{int(found[1])}..{int(found[2])}" if found[1] else f"{int(found[3])}.."


def _table_name(table: Table) -> str:
    """The name of a table: its short caption, else the heading above it."""
    caption = table.caption.strip() if len(table.caption) < 60 and not table.caption.endswith(".") else ""
    said = caption.rstrip(":") or (table.trail[-1] if table.trail else "")
    words = re.sub(r"[^\w\s-]", "", _CAPTION.sub("", said.strip())).lower()
    return " ".join(words.split())[:50]


def _is_names(texts: Sequence[str]) -> bool:
    """True if every cell has letters and no two are equal."""
    spelled = [text.lower() for text in texts]
    return all(_LETTERS.search(text) and len(text) < 60 for text in texts) and len(set(spelled)) == len(spelled)


def _is_numbers(texts: Sequence[str]) -> bool:
    """True for numbers of one unit; a dash is an empty cell, but most cells must have numbers."""
    filled = [text for text in texts if text not in ("", "-", "–", "—", "−")]
    found = [_UNIT.fullmatch(text) for text in filled]
    return len(filled) * 2 > len(texts) and all(found) and len({one[2] for one in found if one}) == 1


def _parse_integer(text: str) -> int | None:
    found = _UNIT.fullmatch(text)
    return int(re.sub("[−–]", "-", found[1]).replace(",", "")) if found else None


def _table_lines(ladder: _DraftTable) -> Iterator[str]:
    """The table as TOML."""
    yield f"[tables.{_format_key(ladder.name)}]"
    rows = (f"{_format_key(name)} = {_format_cells(ladder, cells)}" for name, cells in ladder.rows)
    if not ladder.columns:
        yield from rows
    else:
        yield f"columns = [{', '.join(map(_format_value, ladder.columns))}]"
        yield f"{'ranges' if ladder.ranged else 'rows'} = {{ {', '.join(rows)} }}"


def _format_cells(ladder: _DraftTable, cells: Sequence[int | str]) -> str:
    return f"[{', '.join(map(_format_value, cells))}]" if ladder.columns else _format_value(cells[0])


def _format_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _format_value(key)


def _format_value(value: int | str) -> str:
    """A number or string as TOML."""
    return format_string(value) if isinstance(value, str) else str(value)


_CATEGORIES = {
    "attributes", "abilities", "skills", "talents", "knowledges", "characteristics", "stats", "statistics",
    "proficiencies", "aptitudes", "approaches", "traits", "qualities", "careers", "disciplines",
}  # fmt: skip
NAME = re.compile(r"[^\W\d_][\w’'-]*(?:[ -][^\W\d_][\w’'-]*){0,2}")
_ENTRY = re.compile(r"\s*([^\W\d_][\w’' -]{0,40}?)\s*(?:[:.(–—]|\s-\s|$)")
_MAX_NAMES = 60
_MIN_NAMES = 2


@dataclass
class _TraitCategory:
    """A trait category: its names and their groups."""

    names: list[str]
    groups: dict[str, list[str]] = field(default_factory=dict)


def _find_traits(pages: Iterable[Page]) -> dict[str, _TraitCategory]:
    """All trait categories of the pages; of several lists for one the first."""
    found: dict[str, _TraitCategory] = {}
    for page in pages:
        for ways in (_traits_by_headings, _traits_by_terms, _traits_by_lists):
            for name, category in ways(page):
                if name not in found and _MIN_NAMES <= len(category.names) <= _MAX_NAMES:
                    found[name] = category
    return _remove_repeated(found)


def _category_name(text: str) -> str:
    """The category that a heading announces, else an empty string."""
    word = re.sub(r"^(?:the|list of)\s+", "", text.strip().lower())
    return word if word in _CATEGORIES else ""


def _traits_by_headings(page: Page) -> Iterator[tuple[str, _TraitCategory]]:
    for number, heading in enumerate(page.headings):
        name = _category_name(heading.text)
        below = list(_headings_below(page.headings, number))
        if not name or not below:
            continue
        top = [one for one in below if one.level == min(other.level for other in below)]
        if any(_category_name(one.text) for one in top):
            continue
        groups = {one.text: _heading_names(_headings_below(page.headings, page.headings.index(one))) for one in top}
        if any(groups.values()):
            grouped = {group.lower(): names for group, names in groups.items() if names}
            yield name, _TraitCategory([one for names in grouped.values() for one in names], grouped)
        else:
            yield name, _TraitCategory(_heading_names(top))


def _headings_below(headings: tuple[Heading, ...], number: int) -> Iterator[Heading]:
    """The headings below one, up to the next of its own level."""
    for heading in headings[number + 1 :]:
        if heading.level <= headings[number].level:
            return
        yield heading


def _heading_names(headings: Iterable[Heading]) -> list[str]:
    return list(dict.fromkeys(one.text.strip() for one in headings if NAME.fullmatch(one.text.strip())))


def _traits_by_terms(page: Page) -> Iterator[tuple[str, _TraitCategory]]:
    """Categories from definition lists below a heading."""
    found: dict[str, list[str]] = {}
    for term in page.terms:
        name = _category_name(term.trail[-1]) if term.trail else ""
        if name and NAME.fullmatch(term.text.strip()):
            found.setdefault(name, []).append(term.text.strip())
    yield from ((name, _TraitCategory(list(dict.fromkeys(names)))) for name, names in found.items())


def _traits_by_lists(page: Page) -> Iterator[tuple[str, _TraitCategory]]:
    """Categories from the first words of list items below a heading."""
    headings, name, names = iter(page.headings), "", list[str]()
    for number, token in enumerate(page.tokens):
        if token.type == "heading_open" and (heading := next(headings, None)):
            yield from _list_category(name, names)
            name, names = _category_name(heading.text), []
        elif name and token.type == "list_item_open" and token.level == 1:
            entry = _ENTRY.match(opening_text(page, number))
            if entry and NAME.fullmatch(entry[1]):
                names.append(entry[1])
        elif name and names and token.type in ("bullet_list_close", "ordered_list_close") and token.level == 0:
            yield from _list_category(name, names)
            name = ""
    yield from _list_category(name, names)


def _list_category(name: str, names: list[str]) -> Iterator[tuple[str, _TraitCategory]]:
    if name and names:
        yield name, _TraitCategory(list(dict.fromkeys(names)))


def _remove_repeated(found: Mapping[str, _TraitCategory]) -> dict[str, _TraitCategory]:
    """Remove names that an earlier category has: one name means one trait."""
    taken: set[str] = set()
    ready = {}
    for name, one in found.items():
        names = [own for own in one.names if own.lower() not in taken]
        taken |= {own.lower() for own in names}
        groups = {group: [own for own in own_names if own in names] for group, own_names in one.groups.items()}
        if len(names) >= _MIN_NAMES:
            ready[name] = _TraitCategory(names, {group: own for group, own in groups.items() if own})
    return ready


_MAX_MECHANICS = 3  # mechanics in the report
_MAX_EXAMPLES = 200  # examples that are tried with every mechanic
_MIN_EXAMPLES = 3  # fewer are no evidence for a mechanic


@dataclass(frozen=True)
class Mechanic:
    """A game of the gallery, and the number of examples whose text agrees with its rules."""

    name: str
    title: str
    fitting_examples: int
    certain_examples: int


@dataclass(frozen=True)
class DraftGame:
    """The text of a drafted game, and the evidence for its mechanic."""

    text: str
    game: Game
    mechanics: tuple[Mechanic, ...]  # the nearest first
    tried: int
    traits: Mapping[str, _TraitCategory]
    tables: Sequence[_DraftTable]
    family: Family | None  # of dice, whose usual rules the game has because no mechanic fits


@cache
def _load_games() -> dict[str, Game]:
    """The game of each mechanic by name."""
    games = {name: load_game_text(entry.text)[0] for name, entry in sorted(read_gallery().items())}
    return {name: game for name, game in games.items() if game}


def draft_game(title: str, pages: Sequence[Page], examples: Sequence[Evidence], chosen: str = "") -> DraftGame | None:
    """Draft a game; None if the pages have no traits, tables or usual dice, and no roll that a mechanic explains.

    The rules are those of the `chosen` mechanic, if there is one."""
    tried = examples[:_MAX_EXAMPLES]
    mechanics = [try_mechanic(chosen, tried)] if chosen else find_likely_mechanics(tried)
    texts = [page.source.text for page in pages]
    family = None if mechanics else guess_family(texts)
    base = read_gallery()[mechanics[0].name].text if mechanics else _write_rules(title, family, texts)
    own_traits = {name: one for name, one in _find_traits(pages).items() if _is_sound(_category_lines(name, one))}
    own_tables = [table for table in _draft_tables(pages) if _is_sound(_table_lines(table))]
    if not base and not own_traits and not own_tables:
        return None
    for some_traits, some_tables in ((own_traits, own_tables), (own_traits, []), ({}, own_tables), ({}, [])):
        text = _write_game(title, base, some_traits, some_tables)
        game, problems = load_game_text(text)
        if game and not problems and (base or some_traits or some_tables):
            nearest = tuple(mechanics[:_MAX_MECHANICS])
            return DraftGame(text, game, nearest, len(tried), some_traits, some_tables, family)
    return None


def _write_rules(title: str, family: Family | None, texts: Iterable[str]) -> str:
    """A game of this family of dice, as `init` writes it if every answer is the usual one; empty without a family."""
    if not family:
        return ""
    suggested = {**family.answers, **find_outcome_names(texts)}
    return write_game(complete({"family": family.answers["family"], "title": title}, suggested))


def _is_sound(part: Iterable[str]) -> bool:
    """True if a game with only this part has no problems."""
    return not load_game_text("\n".join(['title = "A game"', *part, ""]))[1]


def find_likely_mechanics(examples: Sequence[Evidence]) -> list[Mechanic]:
    """The mechanics that explain at least three examples and half of all, the one that explains most first."""
    tried = examples[:_MAX_EXAMPLES]
    needed = max(_MIN_EXAMPLES, (len(tried) + 1) // 2)
    if len(tried) < needed:
        return []
    return [one for one in rank_mechanics(tried, len(tried) - needed) if one.fitting_examples >= needed]


def clearest_mechanic(likely: Sequence[Mechanic]) -> str:
    """The mechanic that explains clearly more examples than the next one; empty if there is none.

    An unusual one is no rival of a common one: it also explains what is said of the dice that they share."""
    ranked = sorted(likely, key=lambda one: (-one.fitting_examples, not can_ask_about(one.name)))
    for best in ranked[:1]:
        rivals = [one for one in ranked[1:] if can_ask_about(one.name) or not can_ask_about(best.name)]
        if best.fitting_examples >= MARGIN * max((one.fitting_examples for one in rivals), default=0):
            return best.name
    return ""


def rank_mechanics(examples: Sequence[Evidence], most_misses: int | None = None) -> list[Mechanic]:
    """All mechanics, the one that explains most examples first; one with more misses is tried no further."""
    found = [try_mechanic(name, examples, most_misses) for name in _load_games()]
    return sorted(found, key=lambda one: (-one.fitting_examples, -one.certain_examples, one.name))


def try_mechanic(name: str, examples: Sequence[Evidence], most_misses: int | None = None) -> Mechanic:
    """How many examples a mechanic explains."""
    fitting, misses = list[Proposal](), 0
    for clues in examples:
        made = propose(_load_games()[name], clues)
        if isinstance(made, Proposal) and made.proven and made.agrees:
            fitting.append(made)
        else:
            misses += 1
        if most_misses is not None and misses > most_misses:
            break
    certain = sum(not proposal.doubts for proposal in fitting)
    return Mechanic(name, read_gallery()[name].title, len(fitting), certain)


def _write_game(title: str, base: str, found: Mapping[str, _TraitCategory], tables: Sequence[_DraftTable]) -> str:
    """The text of `game.toml`: the mechanic with the book's title, traits and tables."""
    rules = re.sub(r"\Atitle = .*\n", "", base).strip("\n")
    own = [
        table for table in tables if not re.search(rf"^{re.escape(_format_key(table.name))} = ", rules, re.MULTILINE)
    ]
    parts = [f"title = {_format_value(title)}", _with_names(rules, own)]
    parts += ["\n".join(_category_lines(name, one)) for name, one in found.items()]
    parts += ["\n".join(_table_lines(table)) for table in own]
    return "\n\n".join(filter(None, parts)) + "\n"


def _category_lines(name: str, found: _TraitCategory) -> Iterator[str]:
    yield f"[traits.{_format_key(name)}]"
    yield f"names = [{', '.join(map(_format_value, found.names))}]"
    if found.groups:
        groups = (
            f"{_format_key(group)} = [{', '.join(map(_format_value, names))}]" for group, names in found.groups.items()
        )
        yield f"groups = {{ {', '.join(groups)} }}"


def _with_names(rules: str, tables: Sequence[_DraftTable]) -> str:
    """The rules, with the names of the book's difficulties where a number must be reached."""
    table = next((one for one in tables if not one.columns and re.search("difficult|target", one.name)), None)
    game, _ = load_game_text(f'title = "A game"\n{rules}\n') if table else (None, [])
    entry = (
        next((one for rule in game.rules.values() for one in rule.inputs if _fitting(one, table)), None)
        if game and table
        else None
    )
    if not entry or not table:
        return rules
    most = max(*table.numbers, entry.most)
    line = re.compile(rf"^({entry.name}\s*=\s*\{{.*?max = )[0-9]+(.*?) \}}$", re.MULTILINE)
    return line.sub(lambda found: f"{found[1]}{most}{found[2]}, names = {_format_value(table.name)} }}", rules, count=1)


def _fitting(entry: Input, table: _DraftTable | None) -> bool:
    return bool(
        table
        and entry.form == "number"
        and is_difficulty(entry)
        and not entry.names
        and min(table.numbers) >= entry.least
    )
