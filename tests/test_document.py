"""The document of a page: what every format renders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.book.parser import read_page
from rulewright.book.resolver import DeadLink, LinkResolver, LinkTarget
from rulewright.compile.book import compile_book
from rulewright.render import document as doc
from rulewright.render.export import BookExport
from rulewright.render.read_document import read_document
from rulewright.render.single_file import make
from rulewright.source import Source
from small_book import write

MARKERS = {"==": "mark", "^^": "ins"}


def read(text: str, *others: tuple[str, str]) -> doc.Document:
    pages = [read_page(Source(path, content)) for path, content in (("a.md", text), *others)]
    resolver = LinkResolver(pages, "", lambda _: False)
    return read_document(pages[0], lambda link: resolver.resolve(link, pages[0]), MARKERS)


def nodes(node: Any) -> Iterator[Any]:
    yield node
    for child in getattr(node, "children", ()):
        yield from nodes(child)


def test_links_know_their_targets() -> None:
    text = "[b](b.md#two) [gone](gone.md) [out](https://example.org) [roll](roll:toss?coins=2)"
    found = list(nodes(read(text, ("b.md", "# B\n\n## Two\n"))))
    there, gone, out = [node.address.target for node in found if isinstance(node, doc.Link)]
    assert isinstance(there, LinkTarget)
    assert (there.path, there.anchor) == ("b.md", "two")
    assert isinstance(gone, DeadLink)
    assert out is None
    rules = [node.target for node in found if isinstance(node, doc.RuleLink)]
    assert rules == ["roll:toss?coins=2"]


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("> [!tip] A *b*\n> c", ("tip", "A b", "c", False, False)),
        ("> [!important]- A\n>\n> b", ("info", "A", "b", True, False)),
        ("> [!a b]+", ("a", "A b", "", True, True)),
        ("> [!caution]\n> b\n> c", ("danger", "Caution", "b\nc", False, False)),
        ("> [!quote]  \n> b", ("quote", "Quote", "b", False, False)),
        ("> \\[!tip] a", None),
        ("> [!tip]*a*", None),
        ("> [!tip]a", None),
        ("> a [!tip]", None),
        ("> - [!tip] a", None),
        (">", None),
    ],
)
def test_quotes_that_are_boxes(quote: str, expected: tuple[str, str, str, bool, bool] | None) -> None:
    (node,) = read(quote).children
    if expected is None:
        assert isinstance(node, doc.Element)
        assert node.tag == "blockquote"
    else:
        assert isinstance(node, doc.Box)
        title, body = doc.text_of(node.title), doc.text_of(node.children)
        assert (node.kind, title, body, node.folds, node.is_open) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a ==b *c* d== e", [("mark", "b c d")]),
        ("==*a*== ^^b `c`^^", [("mark", "a"), ("ins", "b c")]),
        ("==a *b*\n*c* d==", [("mark", "a b\nc d")]),
        ("==a==", []),  # within one text the extension of the host does it
        ("a == *b* c==", []),
        ("==a *b* ==", []),
        ("\\==a *b* c==", []),
        ("==a *b* c", []),
    ],
)
def test_signs_around_other_content(text: str, expected: list[tuple[str, str]]) -> None:
    found = [node for block in read(text).children for node in nodes(block) if isinstance(node, doc.Element)]
    assert [(node.tag, doc.text_of(node.children)) for node in found if node.tag != "em"] == expected


def test_notes_come_in_the_order_of_their_references() -> None:
    document = read("a[^b] c[^a] d[^b]\n\n[^c]: C\n\n[^a]: A\n\n[^b]: B\n\n[^b]: again\n")
    assert [(label, doc.text_of(note)) for label, note in document.notes.items()] == [
        ("b", "B"),
        ("a", "A"),
        ("c", "C"),
    ]
    assert document.references == {"b": 2, "a": 1}


def test_a_tab_with_an_open_element_takes_nothing_with_it(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": '# A\n\n=== "T"\n    <div>\n    raw\n\nafter\n'})
    page, problems = make(BookExport(compile_book([tmp_path], tmp_path), tmp_path), lambda _: None)
    assert problems == []
    assert b"<p>after</p>" in page
