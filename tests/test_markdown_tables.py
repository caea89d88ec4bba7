"""Tables in Markdown pages: captions, cells, and their places."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.parser import read_page
from rulewright.book.tables import Table, read_tables
from rulewright.source import Source

WORDS = st.sampled_from(["", "d6", "1–2", "01-05", "**7**", "a `b` c", "x \\| y", "2\\*3", "&lt;", "[here](#up)", "é"])


def tables_of(text: str) -> list[Table]:
    return list(read_tables(read_page(Source("page.md", text))))


def cells(table: Table) -> Iterator[tuple[str, str]]:
    """The text of each cell, and what stands in the page from its first to its last character."""
    for row in (table.header, *table.rows):
        yield from ((cell.text, cell.span(0, len(cell.text)).text) for cell in row)


def test_what_stands_above() -> None:
    table = tables_of("# Storms\n\n## By night\n\nRoll *1d6*:\n\n| a | b |\n|---|---|\n| c | d |\n")[0]
    assert table.trail == ("Storms", "By night")
    assert table.caption == "Roll 1d6:"
    assert table.line == 7
    assert [cell.text for cell in table.columns[1]] == ["d"]


def test_what_stands_above_a_box() -> None:
    text = "Roll 1d6:\n\n> | a | b |\n> |---|---|\n> | c | d |\n"
    assert tables_of(text)[0].caption == "Roll 1d6:"
    assert tables_of(f"# Here\n\n{text.partition(':')[2]}")[0].above is None


def test_cells_of_all_sorts() -> None:
    text = "> | d6 | *re*sult \\| x | |\n> |:--|--|--|\n> 1 | a `b \\| c` d\n> | | q | &lt; | lost |\n"
    assert list(cells(tables_of(text)[0])) == [
        ("d6", "d6"),
        ("result | x", "re*sult \\| x"),
        ("", ""),
        ("1", "1"),
        ("a b | c d", "a `b \\| c` d"),
        ("", ""),
        ("", ""),
        ("q", "q"),
        ("<", "&lt;"),
    ]


def test_a_table_without_rows() -> None:
    table = tables_of("| a | b |\n|---|---|\n")[0]
    assert table.rows == ()
    assert table.columns == [(), ()]


@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=5), st.booleans(), st.sampled_from(["", "> ", "- "])
)
def test_cells_stand_where_they_were_written(rows: list[tuple[str, ...]], tight: bool, mark: str) -> None:
    """Every cell lies between its own two bars."""
    glue, lead = "|" if tight else " | ", mark.replace("-", " ")
    body = [glue.join(["", *row, ""]).strip() for row in [("h1", "h2", "h3"), ("--", "--", "--"), *rows]]
    lines = [mark + body[0], *(lead + line for line in body[1:])]
    text = "\n".join(lines) + "\n"
    table = tables_of(text)[0]
    assert len(table.rows) == len(rows)
    for number, row in enumerate(table.rows, 2):
        begin = sum(len(line) + 1 for line in lines[:number])
        for place, cell in enumerate(row):
            span = cell.span(0, len(cell.text))
            assert lines[number][: span.start - begin].replace("\\|", "").count("|") == place + 1
            assert span.text in rows[number - 2][place]
