"""The parser shows lines and words only to rules that could read them, and finds what it finds when all are asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.book.markdown import parser, with_rules
from rulewright.book.paper import paper
from rulewright.text import Source

HERE = Path(__file__).parent
BOOK = [*(HERE.parent / "rules").rglob("*.md"), *HERE.rglob("*.md")]
SEEDS = (HERE.parent.parent / "shared" / "seeds").glob("*.txt")
TEXTS = [file for file in sorted([*BOOK, *SEEDS]) if "node_modules" not in file.parts]
SNIPPETS = (
    "\n", "\n\n", " ", "    ", "\t", "word", "two words", "a-b: c!", "é“”", "\u00a0", "\f", "1", "12. ", "1. ", "2) ",
    "- ", "* ", "+ ", "- [x] ", "-", "--", "---", "***", "* * *", "=", "===", "# ", "#", "> ", "> [!NOTE]\n", "```",
    "~~~", "example\n", "| a | b |\n", "| --- | ---: |\n", "|", "\\|", "[a](b)", "[a]: b\n", "[a]", "[^x]",
    "[^x]: note\n", "![i](p \"t\")", "!", "![", "[[Wiki|w]]", "[[", "[", "]", "(", ")", "*", "**", "_", "__", "~", "~~",
    "`", "``", "\\", "\\*", "&amp;", "&", "<", "<b>", "<pre>", "<?", "?>", "<!-- x -->", "<http://a.b>",
    "<div markdown=\"1\">", "</div>", "!!! note \"T\"\n", "??? x\n", "=== \"Tab\"\n", "*[HP]: hit\n", "Term\n",
    ": what\n", "~ what\n", "{#id}", "{.c}", "{", "}", "$", "$x$", "$$", "\\(a\\)", "\\[",
)  # fmt: skip


CELLS = (
    "\n",
    "\n> ",
    "\n- ",
    "\n  ",
    "\n    ",
    "|",
    "||",
    " | ",
    "\\|",
    "\\",
    "-",
    "--",
    ":",
    ":-",
    "-:",
    " ",
    "\t",
    "\v",
    "a",
    "`|`",
    "=",
)


def tells_the_same(text: str) -> None:
    for formulas in (False, True):
        shown: dict[str, object] = {}
        every: dict[str, object] = {}
        normal = paper(Source("page.md", text)).text
        assert parser(formulas).parse(normal, shown) == with_rules(formulas).parse(normal, every)
        assert shown.get("references") == every.get("references")


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: re.sub(r"\W+", "-", str(file.relative_to(HERE.parent.parent))))
def test_a_page_is_read_alike(file: Path) -> None:
    tells_the_same(file.read_bytes().decode(errors="replace"))


@settings(deadline=None, max_examples=1_000)
@given(
    st.lists(st.sampled_from(CELLS), max_size=30).map("".join),
    st.lists(st.sampled_from(CELLS), max_size=20).map("".join),
)
def test_what_looks_like_a_table_is_read_alike(above: str, below: str) -> None:
    tells_the_same(above + below)
    tells_the_same(f"{above}|b\n|-|{'-|' * above.rpartition(chr(10))[2].count('|')}\n{below}")


@settings(deadline=None, max_examples=1_000)
@given(st.lists(st.sampled_from(SNIPPETS), max_size=40).map("".join))
def test_what_nobody_writes_is_read_alike(text: str) -> None:
    tells_the_same(text)
