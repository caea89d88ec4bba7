"""Pages of a built site: the same blocks as the parser finds, with everything that authors of Material sites type."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import markdown
import pytest
from hypothesis import given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st
from markdown import Markdown

from example_counts import scale_examples
from html_structure import by_itself, structure
from rulewright.compile.book import CompiledBook
from rulewright.compile.games import Games
from rulewright.compile.options import Options
from rulewright.render.context import BuildContext
from source_books import BOTH, Books, source_books

HERE = Path(__file__).parent
PAGE = HERE / "pages" / "published" / "constructs.md"
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


def program(known: list[str], renderer: str = "commonmark", **more: dict[str, Any]) -> Markdown:
    """Some extensions and ours, for pages that belong to no book."""
    desk = BuildContext(CompiledBook(Games(HERE, {}, (), ()), (), Options(markdown=renderer)), HERE)
    configs = {name: config for name, config in {**settings(), **more}.items() if name in known}
    return Markdown(
        extensions=[*known, "rulewright"], extension_configs={**configs, "rulewright": {"context": lambda: desk}}
    )


def convert(text: str, names: list[str] | None = None, **more: dict[str, Any]) -> str:
    md = program(USUAL if names is None else names, "commonmark", **more)
    first = md.convert(text)
    assert md.reset().convert(text) == first, "a page may be converted twice"
    return first


PARSER = program(USUAL)


def test_golden_one_of_each(golden: Callable[[str, str], None]) -> None:
    html = convert(PAGE.read_text("utf-8"))
    assert not re.search("[\x02\x03]", html)
    golden("published/constructs.html", html + "\n")


@pytest.mark.parametrize("which", BOTH)
@pytest.mark.parametrize("number", range(5))
def test_source_books_keep_their_blocks(which: Books, number: int) -> None:
    text = source_books(which)[f"00{number}.md"]
    expected = by_itself(letters(EXTRA.sub("", text)))
    assert structure(program(USUAL).convert(text)) == expected
    assert expected.count("<li>") > 0


def letters(text: str) -> str:
    for melted, plain in {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"}.items():
        text = text.replace(melted, plain)
    return text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("==a *b* c==", "<mark>a <em>b</em> c</mark>"),
        ("x ==**b**== y", "x <mark><strong>b</strong></mark> y"),
        ("==a== *b* ==c==", "<mark>a</mark> <em>b</em> <mark>c</mark>"),
        ("^^a `b`^^ ==*c* [d](#e)== f", '<ins>a <code>b</code></ins> <mark><em>c</em> <a href="#e">d</a></mark> f'),
        ("a == *b* == c", "a == <em>b</em> == c"),
        ("==a *b*", "==a <em>b</em>"),
        (r"\==a *b*==", "==a <em>b</em>=="),
    ],
)
def test_signs_around_other_elements(text: str, html: str) -> None:
    assert convert(text, ["pymdownx.mark", "pymdownx.caret"]) == f"<p>{html}</p>"
    assert "<mark>" not in convert(text, [])


def test_fences_are_given_to_whoever_reads_them() -> None:
    page = "```python\nx = 1\n```\n\n    y = 2\n\n- a\n\n      b\n  c\n"
    assert convert(page, []).count("<pre><code") == 3
    assert convert(page, ["fenced_code", "codehilite"]).count('<div class="codehilite"><pre>') == 3
    assert convert(page, ["pymdownx.superfences", "pymdownx.highlight"]).count('<div class="highlight"><pre>') == 3
    assert convert("-\n        b\n   c\n", ["fenced_code", "codehilite"]).endswith("c</li>\n</ul>")


@pytest.mark.parametrize("signs", ["`", "``", "````", "~~~", "`~`"])
def test_signs_of_fences_in_code(signs: str) -> None:
    page = f"``````text\n{signs}\n``````\n\n`````` {signs}x{signs} ``````\n"
    html = convert(page, ["pymdownx.superfences", "pymdownx.highlight", "pymdownx.inlinehilite"])
    assert f"<code>{signs}\n</code>" in html
    assert f"<code>{signs}x{signs}</code>" in html


def test_line_breaks_and_edits_of_other_extensions() -> None:
    assert convert("a\nb\n\n```x\nc\n```\n\n***\n", ["nl2br", "fenced_code"]).count("<br") == 1
    assert convert("a {++b++} c", ["pymdownx.critic"]) == '<p>a <ins class="critic">b</ins> c</p>'


def test_comments_and_other_tools_marks() -> None:
    kept = "<!-- more -->\n\n<!-- material/tags { x } -->\n\n<pre><!-- kept --></pre>\n"
    html = convert(f"a <!-- b --> c\n\n<!-- d\n\ne -->\n\n{kept}")
    assert re.findall("<!--.*?-->", html) == ["<!-- more -->", "<!-- material/tags { x } -->", "<!-- kept -->"]
    assert "<p>a  c</p>" in html


WORDS = [
    "# H", "## H two", "text", "more *em* text", "- a", "- b", "  - c", "    - d", "1. x", "2) y", "> q", "> - ql",
    ">> deep", "", "", "```py", "```", "~~~", "    code", "\tcode", "***", "---", "===", "[l](#h)", "`c`",
    "**b", "_a_b_", "a\\*b", "&amp; &lt; &copy;", "  two", "   three", "+ p", "* s", "term", ": def", ":   def",
    "    para", "a  ", "b\\", "[r]", "[r]: /x", "1986\\. x", "https://x.y", "~~s~~", "\\`", "``a`b``", "-", "1.", "#",
    "> ", "+", "-  x", "![i](x.png)", "| a | b |", "|---|:-:|", "| 1 | 2 |", "|", "a|b", "-|-",
]  # fmt: skip


@settings_of_hypothesis(max_examples=scale_examples(150), deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(WORDS)), min_size=2, max_size=14))
def test_any_page_keeps_its_blocks(lines: list[tuple[int, str]]) -> None:
    text = "\n".join("  " * deep + line for deep, line in lines)
    assert structure(PARSER.reset().convert(text)) == by_itself(text)


DEEP = {
    "emphasis": "*a **a " * 2000 + "** a* " * 2000,
    "stars": "*" * 2000 + "a" + "*" * 2000,
    "lists": "".join("  " * deep + "- a\n" for deep in range(300)),
    "quotes": ">" * 2000 + " a",
    "boxes": "".join("    " * deep + "!!! note\n" for deep in range(120)),
    "html": '<div markdown="1">\n' * 150 + "</div>\n" * 150,
    "tabs": '=== "a"\n\n    b\n\n' * 200,
    "marks": "==a *b* " * 500,
}


@pytest.mark.parametrize("name", DEEP)
def test_nothing_is_too_deep(name: str) -> None:
    assert PARSER.reset().convert(DEEP[name]).startswith("<")


def test_without_any_other_extension() -> None:
    """What Rulewright reads by itself; what is left of the page is what extensions would have done to words."""
    html = convert(PAGE.read_text("utf-8"), [])
    for part in (
        'class="toc"',
        'class="footnote"',
        "<abbr ",
        "<details ",
        'class="tabbed-set',
        'class="task-list-item"',
    ):
        assert part in html
    assert "==marked==" in html
    assert ":material-check:" in html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ('<p markdown="1">\n*a*\n</p>', "<p><em>a</em></p>"),
        ("<p markdown>*a*</p>", "<p><em>a</em></p>"),
        ('<div markdown="span">\n*a* b\n</div>', "<div><em>a</em> b</div>"),
        ('<div markdown="block">\n*a*\n</div>', "<div>\n<p><em>a</em></p>\n</div>"),
        (
            '<figure markdown="span">\n  ![a](b.png){ width="3" }\n  <figcaption>c</figcaption>\n</figure>',
            '<figure><img alt="a" src="b.png" width="3" />\n  <figcaption>c</figcaption>\n</figure>',
        ),
        ("a (1)\n{ .annotate }\n\n1.  b", '<p class="annotate">a (1)</p>\n<ol>\n<li>b</li>\n</ol>'),
        ('!!! note inline end annotate "a"', '<div class="admonition note inline end annotate">'),
        ('[a](#){ .md-button title="b" }', '<p><a class="md-button" href="#" title="b">a</a></p>'),
    ],
)
def test_what_authors_of_material_sites_type(text: str, html: str) -> None:
    assert convert(text, ["attr_list", "md_in_html"]).startswith(html)


def test_grids_and_icons_with_classes() -> None:
    item = "-   :material-check:{ .lg .middle } __Set up__\n\n    ---\n\n    Text\n"
    html = convert(f'<div class="grid cards" markdown>\n\n{item}\n</div>\n')
    assert '<span class="twemoji lg middle">' in html
    assert re.search(
        r'<div class="grid cards">\s*<ul>\s*<li>\s*<p><span.*</span> <strong>Set up</strong></p>\s*<hr />', html
    )


@pytest.mark.parametrize(
    ("quote", "html"),
    [
        ("[!NOTE]\n> a", '<div class="admonition note">\n<p class="admonition-title">Note</p>\n<p>a</p>\n</div>'),
        ("[!note] My *title*\n> a", '<p class="admonition-title">My <em>title</em></p>\n<p>a</p>\n</div>'),
        ("[!todo] Later", '<div class="admonition todo info">\n<p class="admonition-title">Later</p>\n</div>'),
        ("[!faq]- Why?\n>\n> - a", '<details class="faq question">\n<summary>Why?</summary>\n<ul>\n<li>a</li>\n</ul>'),
        ("[!tip]+\n> a", '<details class="tip" open="open">\n<summary>Tip</summary>\n<p>a</p>\n</details>'),
        ("[!tip] x \\*y\\*\n> a", '<p class="admonition-title">x *y*</p>'),
        ("[!tip] x\n> > [!bug] y\n> > z", '<p class="admonition-title">y</p>\n<p>z</p>\n</div>\n</div>'),
        ("[!no\n> b]", "<blockquote>\n<p>[!no\nb]</p>\n</blockquote>"),
        ("![!tip](a.png)", "<blockquote>\n<p><img"),
    ],
)  # fmt: skip
def test_callouts(quote: str, html: str) -> None:
    assert html in convert(f"> {quote}\n", [])


def test_headings_with_formulas_keep_their_ids() -> None:
    page = "# Text $a$ and \\(b\\)\n\n[up](#text-a-and-b)\n"
    for names in ([], ["pymdownx.arithmatex"]):
        assert 'id="text-a-and-b"' in convert(page, names)
    assert '<span class="arithmatex">\\(b\\)</span>' in convert(page, ["pymdownx.arithmatex"])


def test_a_game_in_a_page_is_code_where_nobody_else_draws_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # what is around it would be read
    page = '# A\n\n```game\ntitle = "A <b>"\n[rules.r]\nsteps.x = "1"\n```\n'
    assert '<code class="language-toml">title = "A &lt;b&gt;"\n' in markdown.markdown(page, extensions=["rulewright"])
