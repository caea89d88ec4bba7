"""Sites built by MkDocs: links, contents, search, what is said and when a build fails."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import indent

import pytest
from mkdocs.config.defaults import MkDocsConfig

from built_site import SETTINGS, Serving, Site, again, build, links, works
from rulewright.cli import main
from rulewright.mkdocs_plugin import RulewrightPlugin
from small_book import BLOCK, WRONG

QUIET = ((), ("-q",), ("-v",), ("--strict",), ("-q", "--strict"), ("-v", "--strict"))


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_golden_a_page(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    page = "# Größe & *Kraft*\n\nintro\n- a\n- b\n\n<!-- toc -->\n\n## Toss\n\nCoins.\n\n### Deep\n\ntext [up](#toss)\n"
    site = build(tmp_path, {"index.md": page}, "--strict")
    assert site.code == 0, site.said
    golden("published/site.html", site.article() + "\n")
    assert "<title>Book</title>" in site.text("index.html")


def test_search_knows_headings_and_no_cards(tmp_path: Path) -> None:
    page = f"# One\n\n[TOC]\n\nfirst\n\n## Größe\n\nsecond diﬃculty\n\n{BLOCK}\nbehind\n\n## Two\n\nthird\n"
    sections = build(tmp_path, {"index.md": page}).sections
    assert {"", "#groe", "#two"} <= sections.keys()
    assert sections["#groe"]["text"] == "<p>second difficulty</p> <p>behind</p>"
    assert sections[""]["text"] == "<p>first</p>"


def test_no_search_index_has_the_words_of_cards(tmp_path: Path) -> None:
    """The search of MkDocs itself does not know `data-search-exclude`."""
    settings = SETTINGS.replace("{name: material, font: false}", "mkdocs")
    site = build(tmp_path, {"index.md": f"# One\n\nfirst\n\n{BLOCK}\n{BLOCK}\nlast\n"}, settings=settings)
    assert "rulewright card" not in site.text("index.html")
    assert site.text("index.html").count("<rule-card") == 2
    assert site.sections["#one"]["text"] == "first last"


LINKS = [
    "[a](#home)", "[b](rules/actions.md#using-specialties--more)", "[c](rules/actions.md#using-specialties-more)",
    "[d](/rules/actions#again-1)", "[e](rules/actions/#again_1)", "[[actions#Using Specialties & more|f]]",
    "[g](rules/actions.html)", '<a href="rules/actions.md#own">h</a>', "[i](rules/actions.md?x=1#toss.1)",
    "[j](rules/#über)", "![k](/rules/pic.svg)", "[l](rules/actions.md#hidden)", '<img src="/rules/pic.svg">', "[m]",
    "[n](https://example.org/a?b=1&c=2)", "[o](rules/actions.md#user-content-fn-x)", "[p](rules/actions.md#quiet)",
]  # fmt: skip
ACTIONS = f"""\
# Actions

## Using Specialties & more

You have some.

## Again

One way.

## Again

Another way.

## Other {{#own}}

A third way.

## Toss

{BLOCK}
<!-- claim
id: hidden
rule: toss
chance(win; coins 2) = 1/4
-->

{BLOCK.replace("rule:", "id: quiet@show: no@rule:").replace("@", chr(10))}
note[^x] [back](../#home) [sib](../rules/)

[^x]: text
"""
BOOK = {
    "index.md": "# Home\n\n" + "\n\n".join(LINKS) + "\n\n[m]: rules/actions#own\n",
    "rules/index.md": "# Rules\n\n## Über\n\n[up](../index.md) [self](index.md#%C3%BCber)\n",
    "rules/actions.md": ACTIONS,
    "rules/pic.svg": '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
}


@pytest.mark.parametrize("directories", ["true", "false"])
def test_every_link_that_is_accepted_works(tmp_path: Path, directories: str) -> None:
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - footnotes\n")
    site = build(tmp_path, BOOK, "--strict", settings=f"{settings}use_directory_urls: {directories}\n")
    assert site.code == 0, site.said
    found = links(site.folder)
    assert len(found) > len(LINKS)
    assert [link for link in found if not works(site.folder, *link)] == []


@pytest.mark.parametrize(("anchors", "ids"), [("host", 0), ("add", 1)])
def test_ids_of_other_dialects_are_added_to_pages_of_the_host_if_asked_for(
    tmp_path: Path, anchors: str, ids: int
) -> None:
    settings = SETTINGS.replace("markdown: commonmark", f"anchors: {anchors}")
    pages = {"index.md": "# Home\n\n[a](more.md#attack--defense)\n", "more.md": "# More\n\n## Attack & defense\n"}
    article = build(tmp_path, pages, settings=settings).article("more/index.html")
    assert article.count('id="attack-defense"') == 1, "the id of the host stays"
    assert article.count('<span id="attack--defense"></span>') == ids


def mode(renderer: str, settings: str = SETTINGS) -> str:
    return settings.replace("markdown: commonmark", f"markdown: {renderer}")


@pytest.mark.parametrize("options", QUIET, ids=" ".join)
def test_a_wrong_example_fails_the_build(tmp_path: Path, options: tuple[str, ...]) -> None:
    site = build(tmp_path, {"index.md": f"# Toss\n\n{WRONG}"}, *options)
    assert site.code == 1
    assert "book/docs/index.md:8:9: error[example-degree]" in site.said
    assert site.said.count("error[example-degree]") == 1


@pytest.mark.parametrize("options", QUIET, ids=" ".join)
def test_a_right_example_does_not(tmp_path: Path, options: tuple[str, ...]) -> None:
    site = build(tmp_path, {"index.md": f"# Toss\n\n{BLOCK}"}, *options)
    assert site.code == 0, site.said
    assert "error[" not in site.said


@pytest.mark.parametrize(
    ("option", "page", "code"),
    [
        ("fail_on: never", WRONG, 0),
        ("fail_on: warning", "[One](#gone)\n\n# One\n", 0),
        ("checks: {links: on}", "[One](#gone)\n\n# One\n", 1),
        ("checks: {example-degree: off}", WRONG, 0),
        ("fail_on: sometimes", BLOCK, 1),
        ("falls_on: never", BLOCK, 1),
    ],
)
def test_options(tmp_path: Path, option: str, page: str, code: int) -> None:
    settings = SETTINGS.replace("markdown: commonmark", option)
    site = build(tmp_path, {"index.md": page}, settings=settings)
    assert site.code == code, site.said
    assert ("book/mkdocs.yml:7:" in site.said) == (option in ("fail_on: sometimes", "falls_on: never"))


READING = """\
# A

Example: Ann rolls three dice, 2, 2 and 1, and has 2 successes.

| d6 | what |
| --- | --- |
| 1-3 | a lamp |
| 5 | a rope |
| 6 | a coin |
"""


@pytest.mark.parametrize(
    ("option", "codes", "failed"),
    [
        ("", [], 0),
        ("fail_on: error", [], 0),
        ("checks: {rollable: on}", ["rollable-gap"], 1),
        ("checks: {prose-unchecked: on}", ["prose-unchecked"], 0),
        ("fail_on: warning", ["prose-unchecked", "rollable-gap"], 1),
        ("fail_on: warning, checks: {prose: off}", ["rollable-gap"], 1),
    ],
)
def test_what_a_build_judges_beside_blocks(tmp_path: Path, option: str, codes: list[str], failed: int) -> None:
    """Sentences and tables only where the options ask for it, when serving too; `rulewright check` always does."""
    settings = SETTINGS.replace("markdown: commonmark", option)
    site = build(tmp_path, {"index.md": READING}, settings=settings)
    assert (sorted(re.findall(r"(?:warning|error)\[([a-z-]+)\]", site.said)), site.code) == (codes, failed)
    config = Serving(tmp_path).load()
    config.plugins.on_startup(command="serve", dirty=False)
    compiled = plugin_of(config).compile_pages(config)
    assert [problem.code for problem in compiled.problems] == codes


def plugin_of(config: MkDocsConfig) -> RulewrightPlugin:
    plugin = config.plugins["rulewright"]
    assert isinstance(plugin, RulewrightPlugin)
    return plugin


UNUSED = ("rulewright.render.epub", "rulewright.lint.sum", "rulewright.prose.facts", "rulewright.checks.trait_names")


def test_a_build_does_not_import_what_it_does_not_run(tmp_path: Path) -> None:
    build(tmp_path, {"index.md": f"# Toss\n\n{BLOCK}"})
    script = "import sys, mkdocs.__main__ as main\ntry:\n    main.cli()\nfinally:\n    print(*sys.modules)"
    command = [sys.executable, "-c", script, "build", "-q", "-f", "book/mkdocs.yml", "-d", "site"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert "rulewright.lint.registry" in modules
    assert not {*UNUSED} & {*modules}


PATHS = ("index.html", "more/index.html", "reference/rules/index.html", "404.html")


def test_pages_of_authors_can_be_edited_and_others_not(tmp_path: Path) -> None:
    """Nobody can edit a page that nobody has written."""
    settings = SETTINGS.replace("font: false}", "font: false, features: [content.action.edit]}")
    settings = settings.replace("markdown: commonmark", "reference: on")
    settings += "repo_url: https://example.org/book\nedit_uri: edit/main/docs/\n"
    site = build(tmp_path, {"index.md": f"# Book\n\n{BLOCK}\n", "more.md": "# More\n"}, settings=settings)
    edited = {path: re.findall(r'href="(https://example.org/book/edit/[^"]*)"', site.text(path)) for path in PATHS}
    assert edited == {
        "index.html": ["https://example.org/book/edit/main/docs/index.md"],
        "more/index.html": ["https://example.org/book/edit/main/docs/more.md"],
        "reference/rules/index.html": [],
        "404.html": [],
    }


@pytest.mark.parametrize(
    ("names", "directories", "count"),
    [
        (("dice.md", "dice/index.md"), "true", 1),
        (("dice.md", "dice/index.md"), "false", 0),
        (("Dice.md", "dice.md"), "false", 1),
        (("dice/README.md", "other.md"), "true", 0),
    ],
)
def test_two_files_for_one_page(
    tmp_path: Path, names: tuple[str, str], directories: str, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command line says it; a build leaves it to MkDocs."""
    (tmp_path / "CASE").touch()
    if names[0].lower() == names[1] and (tmp_path / "case").exists():
        pytest.skip("this file system ignores case, so it has only one of these files")
    settings = f"{SETTINGS}use_directory_urls: {directories}\n"
    site = build(tmp_path, {"index.md": "# Home\n", names[0]: "# A\n", names[1]: "# B\n"}, settings=settings)
    assert (site.code, site.said.count("page-address")) == (0, 0)
    main(["check", "book"])
    assert capsys.readouterr().out.count("error[page-address]") == count


HOOK = """\
def on_page_markdown(markdown, **_):
    return markdown.replace("DEGREE", "4").replace("SECTION", "## Made elsewhere\\n\\n" + EXTRA)

EXTRA = '''%s'''
"""


def hooked(folder: Path, hook: str, pages: dict[str, str], *options: str, settings: str = SETTINGS) -> Site:
    folder.joinpath("book").mkdir(exist_ok=True)
    folder.joinpath("book", "hook.py").write_text(hook, encoding="utf-8")
    return build(folder, pages, *options, settings=f"{settings}hooks: [hook.py]\n")


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
def test_what_others_made_of_a_page_is_checked(tmp_path: Path, renderer: str) -> None:
    page = f"---\ntitle: x\n---\n\n# Toss\n\nSECTION\n\n## Own\n\n{WRONG.replace('degree: 4', 'degree: DEGREE')}\nend\n"
    site = hooked(tmp_path, HOOK % WRONG, {"index.md": page}, settings=mode(renderer))
    assert site.code == 1
    assert site.said.count("error[example-degree]") == 2
    assert "book/docs/index.md:7:1: error[example-degree]" in site.said, "where it was put"
    assert "book/docs/index.md:16:1: error[example-degree]" in site.said, "the line that was changed"
    assert 'something that runs before the page is read has put it there: "degree: 4"' in site.said
    assert site.article().count('class="rulewright-block"') == 2


def test_lines_of_changed_pages(tmp_path: Path) -> None:
    page = f"# Toss\n\nSECTION\n\n## Own\n\n{WRONG}\nend\n"
    site = hooked(tmp_path, HOOK % BLOCK, {"index.md": page})
    assert site.code == 1
    assert "book/docs/index.md:12:9: error[example-degree]" in site.said
    assert "12 | degree: 4" in site.said


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
def test_a_block_that_others_took_away(tmp_path: Path, renderer: str) -> None:
    hook = "import re\ndef on_page_content(html, **_):\n    return html.replace('id=\"toss.2\"', '')\n"
    site = hooked(tmp_path, hook, {"index.md": f"# Toss\n\n{BLOCK}\n{BLOCK}\n{BLOCK}"}, settings=mode(renderer))
    assert site.code == 1
    assert site.said.count("error[block-lost]") == 1
    assert "book/docs/index.md:11:4: error[block-lost] the example toss.2 was checked" in site.said


def test_a_page_with_blocks_of_an_extension_is_left_to_the_host(tmp_path: Path) -> None:
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - pymdownx.blocks.admonition\n")
    box = "# A\n\ntext\n- no list\n\n/// note\nBox\n///\n"
    site = build(tmp_path, {"index.md": box, "b.md": "# B\n\ntext\n- list\n\n`/// note`\n"}, settings=settings)
    assert site.code == 0
    assert site.said.count("index.md uses the block syntax `///`, so Python-Markdown renders this page") == 1
    assert '<div class="admonition note">' in site.article()
    assert "<li>no list" not in site.article()
    assert "<li>list</li>" in site.article("b/index.html")


def test_an_unknown_extension_leaves_all_pages_to_the_host(tmp_path: Path) -> None:
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - wikilinks\n")
    site = build(tmp_path, {"index.md": "# A\n\ntext\n- no list\n"}, settings=settings)
    assert site.said.count("Python-Markdown renders all pages: Rulewright does not know the extension wikilinks") == 1
    assert "<li>" not in site.article()


@pytest.mark.parametrize(
    ("option", "page", "renderer"),
    [
        ("dice: on", "", "host"),
        ("markdown: commonmark", "", "commonmark"),
        ("markdown: {commonmark: [rules/**]}", "", "host"),
        ("markdown: {commonmark: ['*.md']}", "", "commonmark"),
        ("dice: on", "---\nmarkdown: commonmark\n---\n", "commonmark"),
        ("markdown: commonmark", "---\nmarkdown: host\n---\n", "host"),
    ],
)
def test_who_renders_a_page(tmp_path: Path, option: str, page: str, renderer: str) -> None:
    settings = SETTINGS.replace("markdown: commonmark", option)
    article = build(tmp_path, {"index.md": f"{page}# A\n\ntext\n- item\n"}, settings=settings).article()
    assert ("<li>item</li>" in article) == (renderer == "commonmark")


def test_serving_goes_on_after_mistakes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def change(name: str, before: str, after: str) -> str:
        file = tmp_path / "book" / "docs" / name
        file.write_text(file.read_text("utf-8").replace(before, after), encoding="utf-8")
        caplog.clear()
        return serving.article()

    build(tmp_path, {"index.md": f"# Toss\n\n{BLOCK}"})
    serving = Serving(tmp_path)
    caplog.set_level("INFO", "mkdocs")
    assert "rulewright-mistakes" not in serving.article()
    assert "the rules give degree 1, the example says 3" in change("index.md", "degree: 1", "degree: 3")
    assert "book/docs/index.md:8:9: error[example-degree]" in caplog.text
    assert "rulewright-mistakes" not in change("game.toml", "heads - 1", "heads + 1")
    assert "error[" not in caplog.text
    assert "the game has mistakes and cannot be played" in change("game.toml", "title = ", "title : ")
    assert caplog.text.count("error[") == 1
    assert "book/docs/game.toml:1:" in caplog.text
    assert "rulewright-mistakes" not in change("game.toml", "title : ", "title = ")


def test_games_outside_of_the_book_are_watched(tmp_path: Path) -> None:
    build(tmp_path, {"index.md": "# Toss\n"})
    book = tmp_path / "book"
    (book / "docs" / "game.toml").rename(book / "game.toml")
    (book / "docs" / "game.toml").write_text('title = "Own"\nextends = ".."\n', encoding="utf-8")
    (book / "pyproject.toml").write_text("[tool.rulewright]\n", encoding="utf-8")
    config = Serving(tmp_path).load()
    watched = config.plugins.on_config(config).watch
    assert [Path(file).name for file in watched] == ["game.toml", "pyproject.toml"]
    assert Path(watched[0]).parent == book


def test_a_page_without_a_game_says_so_once(tmp_path: Path) -> None:
    build(tmp_path, {"index.md": f"# Toss\n\n{BLOCK}"})
    (tmp_path / "book" / "docs" / "game.toml").unlink()
    site = again(tmp_path)
    assert site.code == 1
    assert site.said.count("error[block-game]") == 1
    assert "Traceback" not in site.said


SNIPPETS = "  - pymdownx.snippets: {base_path: [parts], check_paths: true}\n"


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
def test_snippets(tmp_path: Path, renderer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "book" / "parts").mkdir(parents=True)
    (tmp_path / "book" / "parts" / "one.md").write_text(f"## From elsewhere\n\n{WRONG}", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "book")
    settings = mode(renderer, SETTINGS).replace("  - attr_list\n", f"  - attr_list\n{SNIPPETS}")
    site = build(tmp_path, {"index.md": '# Toss\n\n--8<-- "one.md"\n\n## Own\n'}, settings=settings)
    assert site.code == 1
    assert "docs/index.md:3:1: error[example-degree]" in site.said
    assert 'id="from-elsewhere.1"' in site.article()
    assert 'id="from-elsewhere"' in site.article()


PLACES = """\
# Toss

> quote
>
> BLOCK

- item

    BLOCK

!!! note
    text

    BLOCK

a *x* <!-- another comment -->

<!-- claim
rule: toss
chance(win; coins 2) = 1/4
-->

    ```example
    code
    ```
"""


def test_the_host_renders_fences_and_cards_take_their_places(tmp_path: Path) -> None:
    page = re.sub(
        r"^(.*)BLOCK$",
        lambda line: "".join(f"{line[1]}{part}\n" for part in BLOCK.splitlines()),
        PLACES,
        flags=re.MULTILINE,
    )
    settings = mode("host").replace("  - attr_list\n", "  - admonition\n  - pymdownx.superfences\n")
    site = build(tmp_path, {"index.md": page}, settings=settings)
    article = site.article()
    assert site.code == 0, site.said
    assert article.count('<div class="rulewright-block"') == 3
    assert [article.count(word) for word in ("chance(win", "another comment", "rulewright0block", "```example")] == [
        0, 1, 0, 1,
    ]  # fmt: skip
    around = ["<blockquote", "<li", '<div class="admonition']
    places = [article.rindex(tag, 0, article.index(f'id="toss.{n}"')) for n, tag in enumerate(around, 1)]
    assert places == sorted(places)


def test_a_block_that_the_host_does_not_see_is_a_problem_with_its_repair(tmp_path: Path) -> None:
    inside = "".join(f"    {line}\n" for line in BLOCK.splitlines())
    site = build(tmp_path, {"index.md": f"# Toss\n\n- item\n\n{inside}"}, settings=mode("host"))
    assert site.code == 1
    assert "Python-Markdown shows the example toss.1 as text, because it does not see a fence here" in site.said
    assert "or add `pymdownx.superfences` to `markdown_extensions`" in site.said
    assert "outcome: win" in site.article(), "readers see what the host makes of it"


@pytest.mark.parametrize(("extensions", "code"), [("[]", 1), ("[pymdownx.superfences]", 0)])
def test_a_check_fails_where_a_build_does(tmp_path: Path, extensions: str, code: int) -> None:
    """A fence in a list, which the host reads only with an extension."""
    page = f"# Toss\n\n- item\n\n{indent(BLOCK, '    ')}\n- text\n\n    ```\n    code\n    ```\n"
    settings = f"site_name: Book\ntheme: mkdocs\nmarkdown_extensions: {extensions}\nplugins: [rulewright]\n"
    site = build(tmp_path, {"index.md": page}, settings=settings)
    assert site.code == main(["check", str(tmp_path / "book")]) == code, site.said


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
def test_numbers_in_sentences_lead_nowhere(tmp_path: Path, renderer: str) -> None:
    page = "# Toss\n\n[25 %](chance:win?coins=2) of the time, with [two *coins*](roll:toss?coins=2&bonus=0).\n"
    site = build(tmp_path, {"index.md": page}, "--strict", settings=mode(renderer))
    assert site.code == 0, site.said
    assert '<span class="rulewright-chance" data-chance="win?coins=2">25 %</span>' in site.article()
    roll = '<span class="rulewright-roll" data-roll="toss?coins=2&amp;bonus=0">two <em>coins</em></span>'
    assert roll in site.article()


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
def test_the_browser_gets_inputs_as_the_engine_reads_them(tmp_path: Path, renderer: str) -> None:
    queries = ["bonus=+5&coins=2", "COINS=2&bonus=%2B5", "coins=2,Bonus=5", "coins=2;bonus=+5&rule=toss"]
    tosses = "".join(f"Toss [two coins](roll:Toss?{query}).\n\n" for query in queries)
    page = f"# Toss\n\n{tosses}{BLOCK.replace('coins: 3', 'Coins: +3')}"
    site = build(tmp_path, {"index.md": page}, "--strict", settings=mode(renderer))
    assert site.code == 0, site.said
    found = re.findall(r'data-roll="toss[?]([^"]*)"', site.article())
    assert [set(inputs.split("&amp;")) for inputs in found] == [{"coins=2", "bonus=5"}] * len(queries)
    assert 'data-inputs="coins=3"' in site.article()


GENERATED = """\
from mkdocs.structure.files import File

def on_files(files, config):
    files.append(File.generated(config, "made/page.md", content=%r))
    return files
"""


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
def test_pages_that_others_make(tmp_path: Path, renderer: str) -> None:
    hook = GENERATED % f"# Made\n\nlist\n- one\n\n{WRONG}"
    pages = {"index.md": "# Home\n\n[made](made/page.md) [there](made/page.md#made)\n"}
    site = hooked(tmp_path, hook, pages, settings=mode(renderer))
    assert site.code == 1
    assert site.said.count("book/docs/made/page.md:11:9: error[example-degree]") == 1
    assert ("<li>one</li>" in site.article("made/page/index.html")) == (renderer == "commonmark")


def test_the_extension_may_be_named_beside_the_plugin(tmp_path: Path) -> None:
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - rulewright\n")
    site = build(tmp_path, {"index.md": f"# Toss\n\n{WRONG}"}, settings=settings)
    assert site.said.count("error[example-degree]") == 1
    assert site.article().count('class="rulewright-block"') == 1


def test_a_page_that_cannot_be_read(tmp_path: Path) -> None:
    build(tmp_path, {"index.md": "# Home\n"})
    (tmp_path / "book" / "docs" / "game.toml").write_text("title = 3\n", encoding="utf-8")
    site = again(tmp_path)
    assert site.code == 1
    assert "book/docs/game.toml:1:9: error[" in site.said


def test_blocks_in_containers(tmp_path: Path) -> None:
    inside = "".join(f"    {line}\n" for line in BLOCK.splitlines())
    quoted = "".join(f"> {line}\n" for line in BLOCK.splitlines())
    page = f'# Toss\n\n=== "One"\n\n{inside}\n!!! note\n\n{inside}\n- item\n\n{inside}\n{quoted}\n> [!TIP]\n{quoted}'
    site = build(tmp_path, {"index.md": page}, "--strict")
    article = site.article()
    around = [
        '<div class="tabbed-block',
        '<div class="admonition note',
        "<li",
        "<blockquote",
        '<div class="admonition tip',
    ]
    places = [article.rindex(tag, 0, article.index(f'id="toss.{n}"')) for n, tag in enumerate(around, 1)]
    assert site.code == 0, site.said
    assert places == sorted(places)


def test_a_hidden_block_before_the_title(tmp_path: Path) -> None:
    hidden = "<!-- a note -->\n\n<!-- example\nid: first\nrule: toss\ncoins: 1\ndice: 1\noutcome: loss\n-->\n\n"
    pages = {"index.md": "# Home\n\n[there](page.md#first)\n", "page.md": f"{hidden}# The Title\n\nText\n"}
    site = build(tmp_path, pages, "--strict")
    assert site.code == 0, site.said
    assert "<title>The Title - Book</title>" in site.text("page/index.html")
    assert site.article("page/index.html").count('id="first"') == 1


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
@pytest.mark.parametrize("broken", ["context.render_card", "context.other", "book.check_page"])
def test_a_bug_on_one_page_names_the_page_and_spares_the_others(
    tmp_path: Path, renderer: str, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("boom")

    targets = {
        "context.render_card": "rulewright.render.context.render_card",
        "context.other": "rulewright.render.context.is_same_text",
        "book.check_page": "rulewright.compile.book.check_page",
    }
    monkeypatch.setattr(targets[broken], fail)
    site = build(tmp_path, {"index.md": f"# Toss\n\n{BLOCK}\n", "b.md": "# B\n"}, settings=mode(renderer))
    assert site.code == 1
    assert "book/docs/index.md:1:1: error[internal-error] a bug in Rulewright keeps this page from being" in site.said
    assert "ValueError: boom" in site.said
    assert "Traceback" not in site.said
    assert "Toss" in site.article()
    assert "<h1" in site.article("b/index.html") or renderer == "commonmark"


def test_a_page_of_prose_has_nothing_of_ours(tmp_path: Path) -> None:
    """Where Rulewright renders all pages, only those with a block, a link to a rule or a term carry its styles."""
    texts = {"plain": "Some prose.", "card": BLOCK, "link": "[Some](roll:toss?coins=4) coins.", "word": "A chance."}
    pages = {f"{name}.md": f"# Page\n\n{text}\n" for name, text in texts.items()}
    pages |= {"index.md": "# Book\n", "glossary.md": "# Glossary\n\nChance\n: What may happen.\n"}
    settings = SETTINGS.replace("{markdown: commonmark}", "{markdown: commonmark, terms: [glossary.md], reference: on}")
    site = build(tmp_path, pages, settings=settings)
    assert site.code == 0, site.said
    assert styled_pages(site) == {"card", "link", "word", "reference/rules", "reference/terms"}


def styled_pages(site: Site) -> set[str]:
    pages = [file for file in site.folder.rglob("index.html") if "rulewright.css" in file.read_text("utf-8")]
    return {file.parent.relative_to(site.folder).as_posix() for file in pages}
