"""Books built with other plugins: each block has its card, and pages without anything of ours are the same to the byte.

Plugins that are not installed are skipped; those of the extra `plugins` are the most used ones.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from rulewright.compare_site import POSITIONS, SiteBuild, build_site, find_differences
from small_book import BLOCK, GAME, write

SETTINGS = """\
site_name: Coins
site_url: https://example.org/
theme: {name: material, font: false}
markdown_extensions:
  - attr_list
  - admonition
  - def_list
  - footnotes
  - tables
  - toc: {permalink: true}
  - pymdownx.superfences:
      custom_fences:
        - name: mermaid
          class: mermaid
          format: !!python/name:pymdownx.superfences.fence_code_format
plugins:
  - search
"""
ON_GITHUB = "---\nmarkdown: commonmark\n---\n"
IN_A_BOX = "!!! note\n\n" + re.sub("^", "    ", BLOCK, flags=re.MULTILINE)
FILES = {
    "docs/index.md": "# Book\n\nSee [Toss](rules/toss.md) and [more](rules/github.md#list).[^1]\n- one\n\n[^1]: It.\n",
    "docs/plain.md": "# Plain\n\nTerm\n:   meaning\n\n| d6 | what |\n| -- | ---- |\n| 1-2 | a |\n",
    "docs/rules/game.toml": GAME,
    "docs/rules/toss.md": f"# Toss\n\n{BLOCK}\nRoll [three coins](roll:toss?coins=3).\n\n{IN_A_BOX}",
    "docs/rules/github.md": f"{ON_GITHUB}# GitHub\n\n{BLOCK}\n## List\n\nText:\n- one\n- two\n",
}
SHARED_FILE = re.compile(r"assets/rulewright/.*|search/search_index\.js(on)?")
CARD = re.compile(r"class=\"?rulewright-block\b")


@dataclass(frozen=True)
class Case:
    """A plugin as it is set up, and signs that it has done its work."""

    entry: str  # among `plugins`
    # Files of the finished site, and what is in them.
    signs: dict[str, str] = field(default_factory=lambda: {"plain/index.html": "Plain"})
    files: dict[str, str] = field(default_factory=dict)
    gathers: tuple[str, ...] = ()  # pages that repeat other pages
    translations: tuple[str, ...] = ()  # folders with a copy of each page
    has_history: bool = False  # is the book in a Git repository?

    @property
    def plugin(self) -> str:
        return self.entry.partition(":")[0]


CASES = [
    Case("awesome-nav", files={"docs/.nav.yml": "nav: [rules, plain.md, '*']\n"}),
    Case("awesome-pages", files={"docs/.pages": "nav: [rules, plain.md, ...]\n"}),
    Case(
        "blog",
        {"blog/2024/01/31/one/index.html": "Post."},
        {"docs/blog/index.md": "# Blog\n", "docs/blog/posts/one.md": "---\ndate: 2024-01-31\n---\n# One\n\nPost.\n"},
    ),
    Case("callouts", {"box/index.html": 'class="admonition note"'}, {"docs/box.md": "# Box\n\n> [!NOTE]\n> text\n"}),
    Case("exclude: {glob: [hidden.md]}", files={"docs/hidden.md": f"# Hidden\n\n[gone](gone.md)\n\n{BLOCK}"}),
    Case("ezlinks", {"wiki/index.html": 'href="../plain/"'}, {"docs/wiki.md": "# Wiki\n\n[[plain]]\n"}),
    Case(
        "gen-files: {scripts: [pages.py]}",
        {"made/index.html": "Made<a"},
        {"pages.py": "from mkdocs_gen_files import open\nprint('# Made', file=open('made.md', 'w'), flush=True)\n"},
    ),
    Case(
        "gh-admonitions", {"box/index.html": 'class="admonition note"'}, {"docs/box.md": "# Box\n\n> [!NOTE]\n> text\n"}
    ),
    Case(
        "git-revision-date-localized: {type: iso_date}",
        {"plain/index.html": "git-revision-date-localized-plugin"},
        has_history=True,
    ),
    Case(
        "glightbox",
        {"image/index.html": 'class="glightbox"'},
        {"docs/image.md": "# Image\n\n![a](a.svg)\n", "docs/a.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>'},
    ),
    Case(
        "i18n: {docs_structure: suffix, languages: "
        "[{locale: en, default: true, name: English}, {locale: de, name: Deutsch}]}",
        {"de/plain/index.html": "Einfach<a"},
        {"docs/plain.de.md": "# Einfach\n"},
        translations=("de/",),
    ),
    Case(
        "include-markdown",
        {"rules/part/index.html": "Part.</p>"},
        {
            "part.md": f"Part.\n\n{BLOCK}",
            "docs/rules/part.md": f'# Part\n\n{BLOCK}\n{{% include-markdown "../../part.md" %}}\n',
        },
    ),
    Case(
        "literate-nav: {nav_file: SUMMARY.md}",
        files={"docs/SUMMARY.md": "* [Book](index.md)\n* [Rules](rules/)\n* [Plain](plain.md)\n"},
    ),
    Case("llmstxt: {sections: {Pages: [index.md, plain.md]}}", {"plain/index.md": "Plain"}),
    Case(
        "macros",
        {"macro/index.html": "Coins: 2"},
        {"docs/macro.md": "# Macro\n\n{{ config.site_name }}: {{ 1 + 1 }}\n"},
    ),
    Case(
        "markdown-exec",
        {"run/index.html": "<em>nine</em>"},
        {"docs/run.md": "# Run\n\n```python exec=\"on\"\nprint('*nine*')\n```\n"},
    ),
    Case(
        "mermaid2: {javascript: mermaid.js}",
        {"graph/index.html": '<meta charset="utf-8"/>'},
        {"docs/graph.md": "# Graph\n\n```mermaid\ngraph TD;\n```\n", "docs/mermaid.js": ""},
    ),
    Case("mike"),
    Case(
        "minify: {minify_html: true, htmlmin_opts: {remove_optional_attribute_quotes: true}}",
        {"plain/index.html": "<h1 id=plain>"},
    ),
    Case(
        "mkdocstrings",
        {
            "api/index.html": 'id="json.JSONEncoder"',
            "rules/links/index.html": 'api/#json.JSONDecoder">json.JSONDecoder</a>',
        },
        {
            "docs/api.md": "# API\n\n::: json.JSONEncoder\n",
            "docs/rules/api.md": f"{ON_GITHUB}# Own\n\n{BLOCK}\n::: json.JSONDecoder\n",
            "docs/rules/links.md": f"{ON_GITHUB}# Links\n\n{BLOCK}\n[One][json.JSONEncoder], [json.JSONDecoder][].\n",
        },
    ),
    Case("offline", {"plain.html": "Plain"}),
    Case("open-in-new-tab", {"js/open_in_new_tab.js": "target"}),
    Case("pdf-export: {enabled_if_env: MAKE_PDF}"),
    Case("print-site", {"print_page/index.html": "Plain"}, gathers=("print_page/index.html",)),
    Case("privacy: {assets: false}"),
    Case("redirects: {redirect_maps: {old.md: rules/toss.md}}", {"old/index.html": "rules/toss/"}),
    Case("roamlinks", {"wiki/index.html": 'href="../plain/"'}, {"docs/wiki.md": "# Wiki\n\n[[plain]]\n"}),
    Case("rss: {use_git: false}", {"feed_rss_created.xml": "<rss"}),
    Case("section-index", {"rules/index.html": "Text."}, {"docs/rules/index.md": "# Rules\n\nText.\n"}),
    Case(
        "mkdocs-simple-hooks: {hooks: {on_page_markdown: 'hooks:change'}}",
        {"plain/index.html": "Hooked."},
        {"hooks.py": "def change(markdown, **_):\n    return markdown + '\\n\\nHooked.\\n'\n"},
    ),
    Case("social: {enabled: false}"),
    Case(
        "table-reader",
        {"table/index.html": "<table>"},
        {"docs/table.md": "# Table\n\n{{ read_csv('docs/a.csv') }}\n", "docs/a.csv": "a,b\n1,2\n"},
    ),
    Case(
        "tags",
        {"tags/index.html": "Tagged"},
        {"docs/tagged.md": "---\ntags: [coins]\n---\n# Tagged\n", "docs/tags.md": "# Tags\n\n<!-- material/tags -->\n"},
    ),
    Case("with-pdf: {enabled_if_env: MAKE_PDF}"),
]
QUICK = {"tags"}  # comes with the theme


def parameters() -> list[object]:
    installed = {entry.name.removeprefix("material/") for entry in entry_points(group="mkdocs.plugins")}
    return [
        pytest.param(
            case,
            id=case.plugin,
            marks=[
                pytest.mark.skipif(case.plugin not in installed, reason=f"the plugin {case.plugin} is not installed"),
                *[pytest.mark.long] * (case.plugin not in QUICK),
            ],
        )
        for case in CASES
    ]


@pytest.mark.parametrize("case", parameters())
def test_a_book_with_another_plugin(tmp_path: Path, case: Case) -> None:
    book = write(tmp_path / "book", {**FILES, **case.files, "mkdocs.yml": f"{SETTINGS}  - {case.entry}\n"})
    if case.has_history:
        commit(book)
    stock = build_site(book, tmp_path / "stock")
    assert stock.code == 0, stock.output
    for position in POSITIONS:
        build = build_site(book, tmp_path / position, "", position)
        assert build.code == 0, build.output
        assert_cards_are_all_that_differs(case, stock, build)


def assert_cards_are_all_that_differs(case: Case, stock: SiteBuild, build: SiteBuild) -> None:
    pages = own_pages(case, build.folder)
    on_github = next(page for page in pages if page.startswith("rules/github"))
    for file, text in {**case.signs, on_github: "<li>one"}.items():
        assert text in (build.folder / file).read_text(encoding="utf-8")
    cards = {page: len(CARD.findall((build.folder / page).read_text(encoding="utf-8"))) for page in pages}
    assert cards == pages
    different = {*find_differences(stock.folder, build.folder)} - {*pages} - {*case.gathers}
    assert [file for file in different if not SHARED_FILE.fullmatch(file)] == []
    addresses = [address for page in pages for address in (page, page.removesuffix("index.html"))]
    assert search_entries(stock.folder, addresses) == search_entries(build.folder, addresses)


def own_pages(case: Case, site: Path) -> dict[str, int]:
    """The pages of the site that have blocks, and how many."""
    pages = {}
    for name, text in {**FILES, **case.files}.items():
        if name.startswith("docs/") and name.endswith(".md") and (blocks := text.count("```example")):
            blocks += "include-markdown" in text
            page = name.removeprefix("docs/").removesuffix(".md")
            for folder in ("", *case.translations):
                file = f"{folder}{page}/index.html"
                pages[file if (site / file).exists() else f"{folder}{page}.html"] = blocks
    return {page: blocks for page, blocks in pages.items() if page != "hidden.html"}


def search_entries(site: Path, without: list[str]) -> list[dict[str, object]]:
    """What the search knows about the pages that have nothing of ours."""
    entries = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))["docs"]
    return [entry for entry in entries if entry["location"].partition("#")[0] not in without]


def commit(folder: Path) -> None:
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Add the book"]):
        author = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *author, *arguments], cwd=folder, check=True)
