"""Sites that have nothing of ours stay as they are, to the byte; others change on the pages that have something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from example_counts import sample
from rulewright.compare_site import build_site, compare_site
from rulewright.compare_site import main as compare
from small_book import BLOCK, GAME, WRONG, write

HOOK = """\
import re

def on_page_markdown(markdown, **_):
    return re.sub(r"^@option (\\S+)$", r'<a id="option.\\1"></a>', markdown, flags=re.MULTILINE)

def on_post_page(output, **_):
    return re.sub(r'="([a-z-]+)"', r"=\\1", output)  # as a minifier leaves out quotes
"""
PAGE = """\
# Cargo Bay / Docking Bay

Intro.
- no list in Python-Markdown
- [ ] no task

#Heading without a space

## Setup

## Setup

## Über uns { #config.enabled }

See [missing](nowhere.md#gone), [[wiki link]], [Pace][], [github](#cargo-bay--docking-bay), <a href="nowhere/">html</a>.

Cost
:   3 mana

Cost
:   7 mana. Everything has a cost, 2d6+3.

/// note | A box
Text in a box.
///

::: some.module

<!-- a comment --> Roll 1d6 to get 3.5 on average, or 70%% of 2d6.

@option blog_dir

<div>

    <div class="indented">HTML</div>

</div>

!!! tip "Box"
    text

    ```python
    x = 1
    ```

=== "Tab"

    text

| d6 | what |
| -- | ---- |
| 1-2 | `a|b` |
| 4 | gap |

--8<-- "part.txt"

Footnote[^1].   HTML is short.

[^1]: A note.

*[HTML]: Hypertext
"""
RICH = """\
site_name: Rich
site_url: https://example.org/book/
theme:
  name: material
  features: [navigation.instant, navigation.tabs, toc.follow]
extra:
  analytics: {provider: google, property: G-XXXXXXXXXX}
hooks: [hook.py]
plugins: [search, offline]
markdown_extensions:
  - abbr
  - admonition
  - attr_list
  - def_list
  - footnotes
  - md_in_html
  - toc: {permalink: true, slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}}
  - pymdownx.blocks.admonition
  - pymdownx.snippets: {base_path: [.]}
  - pymdownx.superfences
  - pymdownx.tabbed: {alternate_style: true}
"""
PLAIN = """\
site_name: Plain
theme: mkdocs
use_directory_urls: false
nav: [index.md, {Rules: rules/stats.md}]
markdown_extensions: [def_list, meta]
"""
FILES = {
    "docs/index.md": PAGE,
    "docs/rules/game.toml": GAME,
    "docs/rules/stats.md": "name: Goblin\ncr: 1/4\n\n# Goblin\n\nArmor\n:   15\n\n" + PAGE,
    "docs/rules/stats/index.md": "---\ntitle: Same address\n---\n\nText.\n",
    "docs/other.md": "\ufeff# Windows\r\n\r\ntext\r\n- item\r\n",
    "docs/empty.md": "",
    "docs/picture.svg": '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    "part.txt": "A [snippet](#part){ .button }.\n",
    "hook.py": HOOK,
}


def make_site(folder: Path, settings: str, **more: str) -> Path:
    files = {name: text.replace("%%", "%") for name, text in FILES.items()}
    return write(folder, {**files, **more, "mkdocs.yml": settings})


@pytest.mark.parametrize("settings", sample([RICH, PLAIN], 2), ids=["rich", "plain"])
def test_a_site_without_blocks_is_the_same_to_the_byte(tmp_path: Path, settings: str) -> None:
    files = {name: text for name, text in FILES.items() if name != "docs/other.md"}
    result = compare_site(write(tmp_path, {**files, "docs/old.md": FILES["docs/other.md"], "mkdocs.yml": settings}))
    assert result.stock.code == 0
    assert (result.build.code, result.different) == (0, ()), result.build.output


def test_a_page_with_a_block_changes_itself_only(tmp_path: Path) -> None:
    pages = {"docs/rules/toss.md": f"# Toss\n\n{BLOCK}\n\n## Setup\n\ntext\n- no list\n"}
    result = compare_site(make_site(tmp_path, RICH, **pages))
    assert (result.stock.code, result.build.code) == (0, 0), result.build.output
    ours = {path for path in result.different if path.startswith("assets/rulewright/")}
    names = {re.sub(r"-\w+", "", path).rpartition("/")[2] for path in ours}
    assert names == {"data.js", "generated.css", "loader.js", "odds.js", "roller.js", "rulewright.css"}
    assert {*result.different} - ours == {
        "rules/toss.html", "search/search_index.json", "search/search_index.js",
    }  # fmt: skip


@pytest.mark.parametrize("plugins", sample(["plugins: [search, rulewright: {dice: off}]\n", ""], 2))
def test_options_are_those_of_the_build(tmp_path: Path, plugins: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether the settings name Rulewright or not."""
    book = write(
        tmp_path, {"docs/index.md": "# Page\n\nRoll 2d6.\n", "mkdocs.yml": PLAIN.replace("nav", "#") + plugins}
    )
    assert compare([str(book)]) == 0
    assert compare([str(book), "dice=on"]) == 1
    assert "\n  index.html\n" in capsys.readouterr().out


def test_pages_that_are_not_in_the_site_are_left_out(tmp_path: Path) -> None:
    pages = {"docs/rules/draft.md": WRONG, "docs/rules/_part.md": WRONG, "docs/rules/toss.md": BLOCK}
    settings = PLAIN + 'exclude_docs: "_*.md"\ndraft_docs: "draft.md"\n'
    book = make_site(tmp_path / "book", settings, **pages)
    result = build_site(book, tmp_path / "site", "")
    assert result.code == 0, result.output
    result = build_site(make_site(book, PLAIN, **pages), tmp_path / "site", "")
    assert result.code == 1
    assert "docs/rules/draft.md:" in result.output
    assert "docs/rules/_part.md:" in result.output


@pytest.mark.parametrize(
    ("arguments", "repair"),
    [
        (["nowhere"], "name the folder of an mkdocs.yml, both sites are built from it"),
        (["book", "site"], "site is not an option of the plugin; write OPTION=VALUE, such as dice=on"),
        (["book", "nonsense=on"], 'there is no option "nonsense"; known here: title, version,'),
        (["book", "fail_on=banana", "dice=on"], 'fail_on is error, warning or never, not "banana"'),
        (["book", "dice=["], "this file cannot be read as YAML"),
    ],
)
def test_a_comparison_of_what_is_no_site_could_not_run(
    tmp_path: Path,
    arguments: list[str],
    repair: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, {"book/mkdocs.yml": PLAIN})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        compare(arguments)
    assert stop.value.code == 2
    assert repair in capsys.readouterr().err
