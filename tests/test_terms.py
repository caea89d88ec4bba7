"""Words that a book explains: what is said of them, where they are marked, where their marks lead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from built_site import SETTINGS, build
from rulewright.book.definitions import read_definitions
from rulewright.book.page import Definition
from rulewright.book.parser import read_page
from rulewright.compile.book import compile_book
from rulewright.render.glossary import LONGEST, Meaning, PageTerms, shorten
from rulewright.source import Source
from small_book import write

MARKED = re.compile(r'<abbr class="rulewright-term" tabindex="0" title="([^"]*)">([^<]*)</abbr>')


def terms_of(text: str) -> list[Definition]:
    return list(read_definitions(read_page(Source("page.md", text)).tokens))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Pool\n:   The *dice* you throw.\n", [("Pool", "The dice you throw.")]),
        ("Pool\n:   Dice.\n\nDie\n:   One.\n", [("Pool", "Dice."), ("Die", "One.")]),
        ("Pool\n:   One.\n:   Two.\n", [("Pool", "One. Two.")]),
        ("Pool\n:   One.\n\n    - a\n    - b\n", [("Pool", "One. a b")]),
        ("A\n:   One.\n\n    Inner\n    :   Two.\n\nB\n:   Three.\n", [("A", "One. Inner Two."), ("B", "Three.")]),
        ("Cost\n:   2 [Pace][] or *more*, [a](b.md), [[Foe]], [it][x].\n", [("Cost", "2 Pace or more, a, Foe, it.")]),
        ("no list\n", []),
    ],
)  # fmt: skip
def test_what_lists_of_definitions_say(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.name, one.text) for one in terms_of(text)] == found


def test_what_fits_beside_a_word() -> None:
    assert shorten("One.  Two\nthree.") == "One. Two three."
    long = "This sentence is repeated. " * 30
    assert shorten(long) == ("This sentence is repeated. " * 9).strip()
    assert len(shorten("word " * 100)) <= LONGEST + 2
    assert shorten("word " * 100).endswith("word …")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the pool of dice", ["pool"]),
        ("Pool and pool", ["Pool", "pool"]),
        ("whirlpool, pools, pool-side, tide_pool", []),
        ("a dice pool", ["dice pool"]),
        ("driving to Driving", ["Driving"]),
        ("ask the GM, ask the game master", ["GM", "game master"]),
        ("größe and Größe", ["größe", "Größe"]),
    ],
)
def test_words_in_a_text(text: str, found: list[str]) -> None:
    names = ("Pool", "dice pool", "Game master (GM)", "Größe")
    terms = PageTerms((*(Meaning(name, "x") for name in names), Meaning("Driving", "x", is_trait=True)))
    assert [text[start:end] for start, end, _ in terms.find(text)] == found


PAGE = """\
---
terms: true
---

# Book

Sleight before Pool, a pool and another pool. `pool` [a pool](#words) Patience

## Pool

pool and **Sleight**, then *Sleight*

- item with Patience
  > and a pool

## Words

Pool
:   The dice of a "hand" & more. A pool has a Foe.

Foe
:   Whoever stands in the way of a pool.
"""


@pytest.fixture(params=["commonmark", "host"])
def article(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    settings = SETTINGS.replace("markdown: commonmark", f"markdown: {request.param}, terms: '**'")
    settings = settings.replace("  - attr_list\n", "  - attr_list\n  - def_list\n")
    other = "# Other\n\n## Patience\n\nPatience is what you need.\n"
    site = build(tmp_path, {"index.md": PAGE, "other.md": other}, "--strict", settings=settings)
    assert site.code == 0, site.said
    return site.article()


def test_the_first_use_in_a_section_is_marked(article: str) -> None:
    parts = re.split(r"<h[1-6]", article)[1:]
    assert [[word for _, word in MARKED.findall(part)] for part in parts] == [
        ["Sleight", "Pool", "Patience"],
        ["Sleight", "Patience"],
        ["Foe"],
    ]


def test_what_is_said_of_a_word(article: str) -> None:
    said = {word: text for text, word in MARKED.findall(article)}
    assert said["Pool"] == "The dice of a &quot;hand&quot; &amp; more. A pool has a Foe."
    assert said["Sleight"] == "Skills."
    assert said["Patience"] == "Skills. Patience is what you need."


def test_words_that_are_explained_have_ids(article: str) -> None:
    ids = re.findall(r"<dt([^>]*)>", article)
    assert ids in ([' id="term:pool"', ' id="term:foe"'], ["", ""]), "the host writes its own"


STATS = "# Powers\n\nCost\n:   Two points.\n\nPenalty\n:   Slows you by 2.\n"
STORY = "# Story\n\nThe cost is high, and so is the penalty.\n"


@pytest.mark.parametrize(
    ("front", "option", "words"),
    [
        ("", "", []),
        ("", "markdown: host", []),
        ("---\nterms: true\n---\n\n", "", ["cost", "penalty"]),
        ("---\nterms: yes\n---\n\n", "markdown: host", ["cost", "penalty"]),
        ("", "terms: powers.md", ["cost", "penalty"]),
        ("", "terms: [other, 'po*.md']", ["cost", "penalty"]),
        ("", "terms: [story.md]", []),
        ("---\nterms: false\n---\n\n", "terms: '**'", []),
    ],
)
def test_definition_lists_explain_words_only_where_this_is_declared(
    front: str, option: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = SETTINGS.replace("markdown: commonmark", option or "dice: off")
    settings = settings.replace("  - attr_list\n", "  - attr_list\n  - def_list\n")
    pages = {"index.md": STORY, "powers.md": front + STATS}
    site = build(tmp_path, pages, "--strict", settings=settings)
    assert site.code == 0, site.said
    assert [word for _, word in MARKED.findall(site.article())] == words


def test_games_of_single_pages_explain_their_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = '# {0}\n\nSleight.\n\n```game\ntitle = "{0}"\n[traits.{0}]\nnames = ["Sleight"]\n```\n'
    settings = SETTINGS.replace("commonmark}", "commonmark, terms: '**'}")
    pages = {"arts.md": game.format("arts"), "crafts.md": game.format("crafts")}
    site = build(tmp_path, pages, "--strict", settings=settings)
    assert site.code == 0, site.said
    said = {name: MARKED.findall(site.article(f"{name}/index.html")) for name in ("arts", "crafts")}
    assert said == {"arts": [("Arts.", "Sleight")], "crafts": [("Crafts.", "Sleight")]}


TWICE = "# One\n\nPool\n:   Dice in a hand.\n\nFoe\n:   An enemy.\n"
OTHER = "# Two\n\npool\n:   Water.\n\nFoe\n:   An\n    enemy.\n"


@pytest.mark.parametrize("parser", ["commonmark", "host"])
def test_a_term_with_two_meanings_is_not_explained_and_reported_once(
    parser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = SETTINGS.replace("commonmark}", f"{parser}, terms: '**'}}").replace(
        "attr_list\n", "attr_list\n  - def_list\n"
    )
    pages = {"index.md": "# Story\n\nA pool and a foe.\n", "one.md": TWICE, "two.md": OTHER}
    site = build(tmp_path, pages, settings=settings)
    assert site.code == 0, site.said
    assert [word for _, word in MARKED.findall(site.article())] == ["foe"]
    assert site.said.count("term-ambiguous") == 1
    (problem,) = compile_book([tmp_path / "book" / "docs"], tmp_path).problems
    assert (problem.code, problem.severity, problem.span.text) == ("term-ambiguous", "warning", "pool")
    assert problem.notes[0] == "the first definition is at book/docs/one.md:3"


def test_terms_of_different_games_may_have_the_same_name(tmp_path: Path) -> None:
    game = '```game\ntitle = "{0}"\n[traits.skills]\nnames = ["X{0}"]\n```\n'
    pages = {"one.md": TWICE + game.format("A"), "two.md": OTHER + game.format("B")}
    write(tmp_path / "docs", pages)
    (tmp_path / "docs" / "game.toml").unlink()
    write(tmp_path, {"mkdocs.yml": "plugins: [rulewright: {terms: '**'}]\n"})
    assert [one for one in compile_book([tmp_path / "docs"], tmp_path).problems if one.code.startswith("term")] == []


NAMED = {
    "index.md": "# Home\n\n[[Pool]] [[pool|a hand]] [[Deep heading]] [[other]]\n\n## Pool\n",
    "a/index.md": "# A\n\nPool\n:   Of A.\n\n[[Pool]] [[Foe]]\n",
    "a/more.md": "# More\n\n[[Pool]]\n",
    "b/index.md": "# B\n\nPool\n:   Of B.\n\nFoe\n:   Whoever.\n\n### Deep heading\n\n[[Pool]]\n",
    "other.md": "# Other\n\nPool\n:   Of another page.\n\n[x](#term:pool) [y](b/index.md#term:foe)\n",
}


def test_links_to_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - def_list\n")
    site = build(tmp_path, NAMED, "--strict", settings=settings)
    assert site.code == 0, site.said

    def targets(page: str) -> list[str]:
        return [one for one in re.findall(r'<a href="([^"]*)"', site.article(page)) if "headerlink" not in one]

    assert targets("index.html") == ["#pool", "#pool", "b/#deep-heading", "other/"]
    assert targets("a/index.html") == ["#term:pool", "../b/#term:foe"]
    assert targets("a/more/index.html") == ["../#term:pool"]
    assert targets("b/index.html") == ["#term:pool"]
    assert targets("other/index.html") == ["#term:pool", "../b/#term:foe"]
    assert '<dt id="term:foe">' in site.article("b/index.html")


def test_a_word_that_is_nowhere_is_still_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = SETTINGS.replace("commonmark}", "commonmark, checks: {links: on}}")
    site = build(tmp_path, {"index.md": "# Home\n\n[[Nothing]] [x](#term:nothing)\n"}, settings=settings)
    assert site.said.count("error[link-missing]") == 2


def test_words_on_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.cli import main

    write(tmp_path, NAMED)
    monkeypatch.chdir(tmp_path)
    assert main(["export", "pdf", "-o", "book.pdf"]) == 0
