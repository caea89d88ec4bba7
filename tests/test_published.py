"""Pages as they are published: the same blocks as the parser sees, everything that authors of Material sites type."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from markdown import Markdown

from rulewright.compile.books import Compiled
from rulewright.compile.games import Games
from rulewright.publish.desk import Desk
from structure import by_itself, structure

HERE = Path(__file__).parent
PAGE = HERE / "pages" / "published" / "constructs.md"
SEEDS = HERE.parent.parent / "shared" / "seeds"
USUAL = [
    "abbr", "admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "toc", "pymdownx.arithmatex",
    "pymdownx.betterem", "pymdownx.caret", "pymdownx.details", "pymdownx.emoji", "pymdownx.highlight",
    "pymdownx.inlinehilite", "pymdownx.keys", "pymdownx.mark", "pymdownx.quotes", "pymdownx.smartsymbols",
    "pymdownx.superfences", "pymdownx.tabbed", "pymdownx.tasklist", "pymdownx.tilde",
]  # fmt: skip
EXTRA = re.compile(r"\{\.[\w-]+\}|^</?div.*\n", re.MULTILINE)  # what the parser alone does not know


def settings() -> dict[str, dict[str, Any]]:
    emoji, fences = import_module("material.extensions.emoji"), import_module("pymdownx.superfences")
    mermaid = {"name": "mermaid", "class": "mermaid", "format": fences.fence_code_format}
    return {
        "toc": {"permalink": True},
        "pymdownx.arithmatex": {"generic": True},
        "pymdownx.emoji": {"emoji_index": emoji.twemoji, "emoji_generator": emoji.to_svg},
        "pymdownx.superfences": {"custom_fences": [mermaid]},
        "pymdownx.tabbed": {"alternate_style": True},
    }


def convert(text: str, names: list[str] | None = None, **more: dict[str, Any]) -> str:
    """A text that belongs to no book, with some extensions beside ours."""
    desk = Desk(Compiled(Games(HERE, {}, (), ()), ()), HERE)
    known = USUAL if names is None else names
    configs = {name: config for name, config in {**settings(), **more}.items() if name in known}
    md = Markdown(
        extensions=[*known, "rulewright"], extension_configs={**configs, "rulewright": {"desk": lambda: desk}}
    )
    first = md.convert(text)
    assert md.reset().convert(text) == first, "a page may be converted twice"
    return first


def test_golden_one_of_each(golden: Callable[[str, str], None]) -> None:
    html = convert(PAGE.read_text("utf-8"))
    assert not re.search("[\x02\x03]", html)
    golden("published/constructs.html", html + "\n")


def seeds() -> list[Path]:
    return sorted(SEEDS.glob("*.txt"))


@pytest.mark.skipif(not seeds(), reason="the source books are not here")
@pytest.mark.parametrize("path", seeds(), ids=lambda path: path.name[:3])
def test_source_books_keep_their_blocks(path: Path) -> None:
    text = path.read_text("utf-8")
    expected = by_itself(letters(EXTRA.sub("", text)))
    assert structure(convert(text)) == expected
    assert expected.count("<li>") > 0


def letters(text: str) -> str:
    for melted, plain in {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"}.items():
        text = text.replace(melted, plain)
    return text
