"""The cases in tests/conformance/ are what the engine says today; other languages are held to them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conformance_files import FOLDER, MECHANICS, RIGHT, file_text, files

SLOW = {"decks", "endless-waves", "made-24", "made-25", "picked-again", "poker-hands", "rolemaster"}


MADE = [name for name in files() if name in (*MECHANICS, *RIGHT) or name.startswith("made-")]


def marked(name: str) -> Any:
    """Of what other tests read too, every third is enough."""
    is_long = name in SLOW or (name in MADE and MADE.index(name) % 3)
    return pytest.param(name, marks=[pytest.mark.long] * bool(is_long))


@pytest.fixture
def golden_folder() -> Path:
    return FOLDER


@pytest.mark.parametrize("name", [marked(name) for name in files()])
def test_conformance_cases_are_up_to_date(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}.json", file_text(name))


def test_no_file_is_left_over() -> None:
    known = {f"{name}.json" for name in files()} | {"generator.json", "made_games.json"}
    assert {entry.name for entry in os.scandir(FOLDER)} == known
