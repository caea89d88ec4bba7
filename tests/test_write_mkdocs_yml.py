"""The edit of mkdocs.yml: the plugin is added, and every other byte stays."""

from __future__ import annotations

from importlib import import_module

import pytest

from rulewright.compile.write_mkdocs_yml import add_plugin, exclude_games, has_plugin, make_settings

yaml = import_module("yaml")  # it brings no types
LISTS = {
    "indented": ("plugins:\n  - search\n\nnav: []\n",
     "plugins:\n  - search\n  - rulewright\n\nnav: []\n"),
    "flush": ("plugins:\n- search # find\n# end\n", "plugins:\n- search # find\n- rulewright\n# end\n"),
    "options": (
        "plugins:\n    - 'search'\n    - blog:\n        post_dir: .\n\n# x\nnav:\n",
        "plugins:\n    - 'search'\n    - blog:\n        post_dir: .\n    - rulewright\n\n# x\nnav:\n",
    ),
    "empty options": (
        "plugins:\n  - search:\n\nnav: []\n", "plugins:\n  - search:\n  - rulewright\n\nnav: []\n"
    ),
    "one line": ("plugins: [search, blog]  # all\n", "plugins: [search, blog, rulewright]  # all\n"),
    "several lines": ("plugins: [\n  search,\n]\n", "plugins: [\n  search, rulewright,\n]\n"),
    "mapping": ("plugins:\n  search: {}\n", "plugins:\n  search: {}\n  rulewright: {}\n"),
    "flow mapping": ("plugins: {search: {}}\n", "plugins: {search: {}, rulewright: {}}\n"),
    "windows": (
        "plugins:\r\n  - search\r\nnav: []\r\n",
        "plugins:\r\n  - search\r\n  - rulewright\r\nnav: []\r\n"),
    "no line end": ("plugins:\n  - search", "plugins:\n  - search\n  - rulewright"),
    "tags": (
        "x: !ENV [A, b]\nplugins:\n  - a: {f: !!python/name:os.path.join }\n",
        "x: !ENV [A, b]\nplugins:\n  - a: {f: !!python/name:os.path.join }\n  - rulewright\n",
    ),
    "none": (
        "site_name: x  # mine", "site_name: x  # mine\n\nplugins:\n  - search\n  - rulewright\n"
    ),
    "none, windows": (
        "site_name: x\r\n", "site_name: x\r\n\r\nplugins:\r\n  - search\r\n  - rulewright\r\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_the_plugin_is_added(name: str) -> None:
    before, after = LISTS[name]
    assert add_plugin(before) == after
    assert has_plugin(after)
    assert not has_plugin(before)
    assert add_plugin(after) is None


@pytest.mark.parametrize(
    "text",
    [
        "plugins:\n", "plugins: search\n", "plugins: []\n", "INHERIT: base.yml\n",
        "- a\n- b\n", "", "a: [\n", "a: 1\n---\nb: 2\n",
        "plugins: [a]\nplugins: [b]\n", "x: &p [a]\nplugins: *p\n", "x: &p\n  - a\nplugins: *p\n", "{site_name: x}\n",
        "site_name: x\n...\n", "plugins:\n  - search\n  - rulewright\n",
        "plugins:\n  - meta: |\n      text\n\n\n",
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_edited_with_certainty_is_left(text: str) -> None:
    assert add_plugin(text) is None


def test_an_inherited_list_is_not_replaced_but_an_own_one_grows() -> None:
    edited = add_plugin("INHERIT: base.yml\nplugins:\n  - search\n")
    assert edited == "INHERIT: base.yml\nplugins:\n  - search\n  - rulewright\n"
    assert yaml.safe_load(edited)["plugins"] == ["search", "rulewright"]


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_games_are_excluded_by_one_more_line(end: str) -> None:
    before = f"site_name: x  # mine{end}"
    edited = exclude_games(before)
    assert edited
    assert edited.startswith(before)
    assert yaml.safe_load(edited) == {"site_name": "x", "exclude_docs": "game.toml"}
    assert exclude_games(edited) is None


@pytest.mark.parametrize(
    "text", ["exclude_docs: a\n", "INHERIT: base.yml\n", "- a\n", "", "{a: b}\n", "a: |\n  text\n...\n"]
)
def test_where_games_cannot_be_excluded_with_certainty(text: str) -> None:
    assert exclude_games(text) is None


@pytest.mark.parametrize("title", ['The "long" road', "Wölfe: # 1", "a\\b"])
def test_new_settings_are_valid_for_every_title(title: str) -> None:
    settings = yaml.safe_load(make_settings(title, "chapters"))
    assert settings["site_name"] == title
    assert settings["docs_dir"] == "chapters"
    assert settings["exclude_docs"] == "game.toml"
    assert has_plugin(make_settings(title, "chapters"))
