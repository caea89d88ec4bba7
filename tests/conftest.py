"""What all tests share."""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from jinja2 import Environment, FileSystemBytecodeCache
from mkdocs.theme import Theme

import rulewright
from browser import run_playwright, start_chromium
from rulewright.cli import main
from rulewright.game.core_json import core_to_json
from rulewright.game.lower import lower_game
from rulewright.game.model import Game
from rulewright.odds.proof import find_false_odds
from rulewright.source import Problem

pytest_plugins = ["pytester"]
for name in [name for name in os.environ if name.startswith("GITHUB_")]:  # tests write no summary of their step
    del os.environ[name]
os.environ.pop("FORCE_COLOR", None)  # set by some services, for their own log
_NO_PRIVILEGE = 1314  # an error of Windows
# How long a case takes depends on what else the machine does, so the clock decides nothing. `make test` tries the same
# cases on every run; `make test-long` looks for others (--hypothesis-profile=explore).
TIMELESS: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("fixed", **TIMELESS, derandomize=True, database=None, max_examples=15)
settings.register_profile("explore", **TIMELESS, derandomize=False, max_examples=500)
settings.load_profile("fixed")

# Hypothesis also draws the constants of every module that is imported: with all of them here from the beginning, the
# cases do not depend on which tests have run before, in which process.
for found in pkgutil.walk_packages(rulewright.__path__, "rulewright."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)


@pytest.fixture(scope="session", autouse=True)
def prove_each_game_once() -> Iterator[None]:
    """Hundreds of tests compile the same few games; one proof of their odds is enough for a process."""
    proved = set[str]()

    def find_once(game: Game) -> Iterator[Problem]:
        content = json.dumps(core_to_json(lower_game(game)))
        if content in proved:
            return
        problems = list(find_false_odds(game))
        if not problems:
            proved.add(content)
        yield from problems

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulewright.compile.late_problems.find_false_odds", find_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def compile_templates_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """More than half of the work for a small site is that of its theme's templates, which are the same for all."""
    cache, make = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates"))), Theme.get_env

    def make_with_cache(theme: Theme) -> Environment:
        made = make(theme)
        made.bytecode_cache = cache
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Theme, "get_env", make_with_cache)
        yield


@pytest.fixture(scope="session")
def playwright_driver() -> Iterator[Any]:
    with run_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright_driver: Any) -> Iterator[Any]:
    """The browser that all tests of a process share."""
    running = start_chromium(playwright_driver)
    yield running
    running.close()


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What reads the books of this repository comes first, one after the other: so one process alone compiles them."""
    readers = {path for path in {item.path for item in items} if "shipped_books" in path.read_text("utf-8")}
    items.sort(key=lambda item: item.path not in readers)


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end, so nobody looks for garbage among them: that takes a third of a second."""
    gc.collect()
    gc.freeze()


def pytest_itemcollected(item: pytest.Item) -> None:
    """`-k golden` finds every test that uses the fixture, whatever the test is called. Browsers take long."""
    fixtures = getattr(item, "fixturenames", ())
    if "golden" in fixtures:
        item.extra_keyword_matches.add("golden")
    if "browser" in fixtures and not item.get_closest_marker("smoke"):
        item.add_marker("long")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call() -> Iterator[None]:
    """Windows makes symbolic links only for administrators and developers."""
    try:
        yield
    except OSError as error:
        if getattr(error, "winerror", None) == _NO_PRIVILEGE:
            pytest.skip("symbolic links need a privilege on Windows")
        raise
