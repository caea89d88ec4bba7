"""Pages whose text another plugin changed: every place in the new text maps to a place in the file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from rulewright.book.parser import read_page
from rulewright.render.text_from_plugins import is_same_text, map_problems, match_lines
from rulewright.source import Fix, Problem, Source, Span

LINES = st.lists(st.sampled_from(["", "a", "b", "long line", "  c", "d\u00fc"]), max_size=12)


@settings(max_examples=scale_examples(200), deadline=None)
@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]))
def test_equal_lines_belong_together(new: list[str], old: list[str], end: str) -> None:
    text, file = Source("p.md", "\n".join(new)), Source("p.md", end.join(old))
    found = match_lines(text, file)
    assert found.lines.keys() | found.neighbors.keys() == set(range(1, len(new or [""]) + 1))
    for line, other in found.lines.items():
        assert text.line(line) == file.line(other)
    assert list(found.lines.values()) == sorted(set(found.lines.values())), "no line twice, and in order"
    for offset in range(len(text.text) + 1):
        span, known = found.map_span(Span(text, offset, min(offset + 3, len(text.text))))
        assert 0 <= span.start <= span.end <= len(file.text)
        if known and "\n" not in text.text[offset : offset + 3]:
            assert span.text == text.text[offset : offset + 3]


@pytest.mark.parametrize(
    ("old", "line", "place"),
    [
        ("a\nb\nc\n", "c", (3, 1)),
        ("---\nx: 1\n---\nnew\nb\nc\n", "c", (6, 1)),
        ("a\nMACRO\nc\n", "b", (2, 1)),
        ("a\nc\n", "b", (1, 1)),
        ("c\n", "a", (1, 1)),
    ],
)
def test_places(old: str, line: str, place: tuple[int, int]) -> None:
    new = Source("p.md", "a\nb\nc\n")
    file = Source("p.md", old)
    start = new.text.index(line)
    problem = Problem("x", "y", Span(new, start, start + 1), fix=Fix(Span(new, start, start + 1), "z"))
    (found,) = map_problems([problem], new, file)
    assert file.position(found.span.start) == place
    assert (found.fix is None) == (line not in old.split("\n"))
    assert bool(found.notes) == (line not in old.split("\n"))


@pytest.mark.parametrize("start", ["", "---\ntitle: x\n---\n", "\ufeff", "---\r\ntitle: x\r\n---\r\n\r\n"])
def test_a_page_without_its_front_matter_is_the_same(start: str) -> None:
    page = read_page(Source("p.md", f"{start}# A\n\ntext\n\n"))
    assert is_same_text(page, "# A\n\ntext\n")
    assert not is_same_text(page, "# A\n\nother\n")
