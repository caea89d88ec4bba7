"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from rulewright.cli import main

pytest_plugins = ["pytester"]
settings.register_profile("house", deadline=None)  # how long a case takes depends on what else the machine does
settings.load_profile("house")


@pytest.fixture
def golden_folder() -> Path:
    return Path(__file__).parent / "golden"


@pytest.fixture
def golden(golden_folder: Path) -> Callable[[str, str], None]:
    """`golden(name, text)` compares a text with tests/golden/NAME; `make golden` writes the file instead."""

    def compare(name: str, text: str) -> None:
        path = golden_folder / name
        if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert path.exists(), f"tests/golden/{name} does not exist: `make golden` writes it"
        assert text == path.read_bytes().decode(), f"tests/golden/{name} says otherwise: `make golden` writes it anew"

    return compare


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """`ran("check", "--fix")` runs a command in this process: its status, and what it printed."""

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main([*arguments])
        return status, *capsys.readouterr()

    return run


def pytest_itemcollected(item: pytest.Item) -> None:
    """`-k golden` finds every test that uses the fixture, whatever the test is called."""
    if "golden" in getattr(item, "fixturenames", ()):
        item.extra_keyword_matches.add("golden")
