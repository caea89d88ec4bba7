"""Tables of a game as pages print them: names with numbers, and ranges of numbers with names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..book.model import Page
from ..book.tables import Table, tables

NUMBER = re.compile(r"[+−–-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})")
UNIT = re.compile(rf"({NUMBER.pattern})\s?([^\W\d_]{{1,4}}\.?|[%$€£])?")
RANGE = re.compile(r"([0-9]{1,5})\s?(?:[-–—]|to|\.\.)\s?([0-9]{1,5})|([0-9]{1,5})\s?(?:\+|or more|and above|and up)")
LETTERS = re.compile(r"[^\W\d_]")
CAPTION = re.compile(r"^(?:table|tab\.?)\s*[0-9.]*\s*[:.–—-]?\s*", re.IGNORECASE)
MOST_TABLES, MOST_ROWS = 20, 200


class Ladder(NamedTuple):
    """A table as the game declares it."""

    name: str
    columns: tuple[str, ...]  # none for named numbers
    rows: tuple[tuple[str, tuple[int | str, ...]], ...]
    ranged: bool = False

    @property
    def numbers(self) -> list[int]:
        return [cells[0] for _, cells in self.rows if isinstance(cells[0], int)]


def ladders(pages: Iterable[Page]) -> list[Ladder]:
    """The tables of these pages that a game could use, each name once."""
    found: dict[str, Ladder] = {}
    for page in pages:
        for table in tables(page):
            made = ladder(table)
            if made and made.name not in found and len(found) < MOST_TABLES:
                found[made.name] = made
    return list(found.values())


def ladder(table: Table) -> Ladder | None:
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
    """Rows in which every number is there; a table with one column of numbers is a list of named numbers."""
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
    """What stands above a table, as its name: a short caption, else the heading."""
    caption = table.caption.strip() if len(table.caption) < 60 and not table.caption.endswith(".") else ""
    said = caption.rstrip(":") or (table.trail[-1] if table.trail else "")
    words = re.sub(r"[^\w\s-]", "", CAPTION.sub("", said.strip())).lower()
    return " ".join(words.split())[:50]


def is_names(texts: Sequence[str]) -> bool:
    """Every cell has letters and stands there once."""
    spelled = [text.lower() for text in texts]
    return all(LETTERS.search(text) and len(text) < 60 for text in texts) and len(set(spelled)) == len(spelled)


def is_numbers(texts: Sequence[str]) -> bool:
    """Numbers of one unit; a stroke stands for none, but not in most cells."""
    filled = [text for text in texts if text not in ("", "-", "–", "—", "−")]
    found = [UNIT.fullmatch(text) for text in filled]
    return len(filled) * 2 > len(texts) and all(found) and len({one[2] for one in found if one}) == 1


def whole(text: str) -> int | None:
    found = UNIT.fullmatch(text)
    return int(re.sub("[−–]", "-", found[1]).replace(",", "")) if found else None


def lines(ladder: Ladder) -> Iterator[str]:
    """The table in the words of `game.toml`."""
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
    """A number or a text as TOML has it."""
    from json import dumps

    return dumps(value, ensure_ascii=False)
