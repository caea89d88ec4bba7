"""The cases in tests/conformance/ are what the engine says today; other languages are held to them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance_files import FOLDER, file_text, files


@pytest.fixture
def golden_folder() -> Path:
    return FOLDER


@pytest.mark.parametrize("name", files())
def test_conformance_cases_are_up_to_date(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"{name}.json", file_text(name))


def test_no_file_is_left_over() -> None:
    known = {f"{name}.json" for name in files()} | {"generator.json", "made_games.json"}
    assert {entry.name for entry in os.scandir(FOLDER)} == known
