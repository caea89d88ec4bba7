"""Pages of other tools: MDX, blocks in the comments of Obsidian and MDX, and formats that are not read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.book.parser import read_page
from rulewright.compile.options import Options
from rulewright.source import Source
from small_book import BLOCK, WRONG, write

Ran = Callable[..., tuple[int, str, str]]
LINES = WRONG.removeprefix("```").removesuffix("```\n")
MDX = f"""---
title: Boats
---
import Tabs from '@theme/Tabs'
import {{
  Card,
}} from './card'

export const toc = {{
  TODO: 'lorem ipsum dolor',
}}

# Boats

<Tabs
  values={{[
    {{TODO: 1}},
  ]}}
>
<Card title="TODO: write this">TODO: write this</Card>
{{/* TODO: a comment
that goes on */}}
{{props.children}}

The text is read: it leads [nowhere](#nowhere).

</Tabs>

{{/* {LINES}*/}}

```jsx
import Tabs from 'x'
```
"""


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {})


def test_pages_in_mdx_are_read_without_their_code(book: Path, ran: Ran) -> None:
    write(book, {"docs/boats.mdx": MDX})
    data = json.loads(ran("check", "--info", "--format", "json")[1])
    lines = MDX.splitlines()
    found = [problem for problem in data["problems"] if problem["path"].endswith(".mdx")]
    places = {problem["code"]: lines[problem["line"] - 1][problem["column"] - 1 :] for problem in found}
    assert places == {"link-missing": "#nowhere).", "example-degree": "4"}
    (block,) = data["blocks"]
    assert (block["id"], lines[block["line"] - 1]) == ("boats.1", "{/* example")


def test_code_of_mdx_is_text_on_other_pages() -> None:
    text = "import this\n\nexport that\n\n{/* no block */}\n"
    page = read_page(Source("page.md", text))
    assert [token.content for token in page.tokens if token.type == "inline"] == text.strip().split("\n\n")


@pytest.mark.parametrize("name", ["a.md", "./a.md", "b.mdx", "./b.mdx", "b", "b.mdx#b", "a.md#a", "deep/c.mdx"])
def test_links_between_pages_in_mdx(name: str, book: Path, ran: Ran) -> None:
    pages = {"docs/a.md": f"# A\n\n[x]({name})\n", "docs/b.mdx": f"# B\n\n[x]({name})\n", "docs/deep/c.mdx": "# C\n"}
    write(book, {**pages, "docusaurus.config.js": ""})
    for words in ((), ("docs",), ("docs/a.md",)):
        assert ran("check", *words)[0] == 0
    assert ran("check", "docs/deep/c.mdx")[0] == 0


def test_a_link_to_a_page_in_mdx_that_is_missing(book: Path, ran: Ran) -> None:
    write(book, {"docs/a.md": "# A\n\n[x](no.mdx) [y](b.mdx#no)\n", "docs/b.mdx": "# B\n", "docusaurus.config.js": ""})
    assert "2 errors" in ran("check")[1]


@pytest.mark.parametrize(
    ("start", "end"), [("%% ", "%%"), ("%%", "%%"), ("{/* ", "*/}"), ("{/*", "*/}"), ("> %% ", "> %%")]
)
def test_comments_of_other_tools_hold_blocks(start: str, end: str, book: Path, ran: Ran) -> None:
    quote = "> " if start.startswith(">") else ""
    block = "".join(f"{quote}{line}\n" for line in LINES.splitlines()[1:])
    write(book, {"page.md": f"# A\n\n{start}example\n{block}{end}\n"})
    data = json.loads(ran("check", "--format", "json")[1])
    (block_data,), (problem,) = data["blocks"], data["problems"]
    place = (problem["line"], problem["column"])
    assert (block_data["line"], problem["code"], place) == (3, "example-degree", (8, 9 + len(quote)))


@pytest.mark.parametrize(
    "text",
    [
        "%% note\ntext\n%%\n",
        "%% example\nnever closed\n",
        "````md\n```md\n```\n%% example\ncoins: 3\n%%\n````\n",
        "100%% sure",
    ],
)
def test_other_comments_stay_as_they_are(text: str) -> None:
    assert not read_page(Source("page.md", text)).blocks


def test_a_build_has_no_pages_in_mdx() -> None:
    assert "**/*.mdx" in Options().for_build().exclude


def test_formats_that_are_not_read_are_counted(book: Path, ran: Ran) -> None:
    write(book, {"a.md": "# A\n\n" + BLOCK, "b.rst": "B", "c/d.RST": "", "e.adoc": "", "node_modules/f.rst": ""})
    assert "\nnot read: 1 .adoc, 2 .rst\n" in ran("check")[1] + "\n"
    assert json.loads(ran("check", "--format", "json")[1])["summary"]["unread"] == 3
    (book / "a.md").unlink()
    (book / "game.toml").unlink()
    status, _, message = ran("check")
    assert status == 2
    assert message.endswith("(not read: 1 .adoc, 2 .rst)\n")
