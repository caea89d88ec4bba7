"""A mkdocs.yml with INHERIT: its options, folders, navigation and links are those of MkDocs."""

from __future__ import annotations

from pathlib import Path

import pytest
from mkdocs.config import load_config

from rulewright.compile.book import compile_book
from rulewright.compile.nav import order_chapters
from rulewright.compile.options import read_options
from rulewright.compile.site_yaml import YamlError, read_site
from rulewright.compile.watch import BookWatcher
from rulewright.project import find_book_root, inherited_settings
from small_book import write

BASE = """site_name: Base
docs_dir: rules
plugins: [search, {rulewright: {fail_on: warning}}]
nav: [index.md, {Play: [b.md, a.md]}]
markdown_extensions: {attr_list: {}, toc: {separator: _}}
"""
CHILD = "INHERIT: parts/base.yml\nmarkdown_extensions: {toc: {permalink: true}, admonition: {}}\n"


def make_book(folder: Path, child: str = CHILD, base: str = BASE) -> Path:
    pages = {"rules/a.md": "# A\n\n[x](b.md#b_c)\n", "rules/b.md": "# B\n\n## B c\n", "rules/index.md": "# R\n"}
    return write(folder, {"parts/base.yml": base, "mkdocs.yml": child, **pages})


def test_inherited_settings_count_as_in_mkdocs(tmp_path: Path) -> None:
    folder = make_book(tmp_path)
    settings, config = read_site(folder / "mkdocs.yml"), load_config(str(folder / "mkdocs.yml"))
    assert (settings["site_name"], settings["nav"]) == (config.site_name, config.nav)
    assert set(settings["markdown_extensions"]) == set(config.markdown_extensions) - {"tables", "fenced_code"}
    assert set(settings["markdown_extensions"]["toc"]) == set(config.mdx_configs["toc"])
    root = find_book_root(folder)
    assert root == Path(config.docs_dir)
    compiled = compile_book([root], folder)
    assert compiled.problems == []
    assert [chapter.page.file.name for chapter in order_chapters(compiled, root)] == ["index.md", "b.md", "a.md"]


def test_options_are_those_of_the_file_whose_plugins_count(tmp_path: Path) -> None:
    folder = make_book(tmp_path)
    assert read_options(folder / "rules", folder).fail_on == "warning"
    write(folder, {"mkdocs.yml": CHILD + "plugins: [search]\n"})
    assert read_options(folder / "rules", folder).fail_on == "error"
    make_book(folder, base=BASE.replace("fail_on", "fail_of"))
    (problem,) = read_options(folder / "rules", folder).problems
    assert (problem.code, problem.span.source.path, problem.span.text) == (
        "option-unknown",
        "parts/base.yml",
        "fail_of",
    )


def test_watching_notices_a_change_of_an_inherited_file(tmp_path: Path) -> None:
    folder = make_book(tmp_path)
    watcher = BookWatcher([folder / "rules"], folder)
    assert watcher.update()
    assert watcher.compiled.problems == []
    make_book(folder, base=BASE.replace("separator: _", "separator: '-'"))
    assert watcher.update()
    assert [problem.code for problem in watcher.compiled.problems] == ["link-missing"]


def test_files_that_inherit_from_each_other_or_from_nothing(tmp_path: Path) -> None:
    folder = make_book(tmp_path, base="INHERIT: ../mkdocs.yml\nsite_name: Base\n")
    assert [file.name for file in inherited_settings(folder / "mkdocs.yml")] == ["mkdocs.yml", "base.yml"]
    assert read_site(folder / "mkdocs.yml")
    (folder / "parts" / "base.yml").unlink()
    with pytest.raises(OSError, match=r"base\.yml"):
        read_site(folder / "mkdocs.yml")
    write(folder, {"parts/base.yml": "plugins: [\n"})
    with pytest.raises(YamlError):
        read_site(folder / "mkdocs.yml")
    write(folder, {"index.md": "# Book\n"})
    assert compile_book([folder], folder).problems == []  # nobody knows the ids of such a site
