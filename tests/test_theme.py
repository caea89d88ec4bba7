"""Repairs of the theme's finished HTML; test_site_browser.py checks that nothing is left to repair."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from built_site import SETTINGS, build
from rulewright.render.strings import read_words
from rulewright.render.theme import repair_html

INDEXES = SETTINGS.replace("font: false}", "font: false, features: [navigation.indexes]}")
PAGES = {"index.md": "# Book\n", "one/index.md": "# One\n", "one/a.md": "# A\n", "two/index.md": "# Two\n"}


def test_parts_of_the_navigation_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    html = build(tmp_path, PAGES, settings=INDEXES).text("index.html")
    assert re.findall(r'<span class="rw-heard">([^<]*)</span>', html) == ["One"]
    assert 'aria-label="Two"' in html
    called = re.findall(r'aria-labelledby="(__nav_\w+)"', html)
    assert called
    assert all(f'id="{name}"' in html for name in called)


def test_what_is_repaired_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    html = build(tmp_path, PAGES, settings=INDEXES).text("index.html")
    assert html.count('role="dialog" aria-label="Search"') == 1
    assert repair_html(html, read_words("en")).count("rw-heard") == 1
