"""Templates that are made ready once, whoever they belong to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader

from rulewright.publish.ready import Ready


def greeting(text: str) -> str:
    return f"Hail {text}"


def shouting(text: str) -> str:
    return text.upper()


@pytest.fixture
def theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A theme in a process that keeps what it makes ready below `kept`."""
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", str(tmp_path / "kept"))
    (tmp_path / "theme").mkdir()
    (tmp_path / "theme" / "main.html").write_text("{{ 'Ketil' | said }}", encoding="utf-8")
    return tmp_path / "theme"


def filled(theme: Path, said: Callable[[str], str] = greeting, site: Path | None = None, **settings: Any) -> str:
    """As a site that has not been built before would have it."""
    environment = Environment(loader=FileSystemLoader(theme), autoescape=True, bytecode_cache=Ready(site), **settings)
    environment.filters["said"] = said
    return environment.get_template("main.html").render()


def count(theme: Path) -> int:
    return len(list((theme.parent / "kept").rglob("*.pyc")))


def test_a_template_is_compiled_once(theme: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert filled(theme) == "Hail Ketil"
    assert count(theme) == 1
    monkeypatch.setattr(Environment, "compile", None)
    assert filled(theme) == "Hail Ketil"


def test_a_template_that_changed_is_compiled_anew(theme: Path) -> None:
    filled(theme)
    (theme / "main.html").write_text("{{ 'Arnbjorg' | said }}", encoding="utf-8")
    assert filled(theme) == "Hail Arnbjorg"
    assert count(theme) == 1


def test_what_is_worked_out_while_compiling_is_not_taken_from_others(theme: Path) -> None:
    """Jinja2 works out a filter over a text when it compiles."""
    assert filled(theme) == "Hail Ketil"
    assert filled(theme, shouting) == "KETIL"
    assert filled(theme, variable_start_string="{{{") == "{{ &#39;Ketil&#39; | said }}".replace("&#39;", "'")
    assert count(theme) == 3


def test_templates_of_one_site_are_not_kept(theme: Path) -> None:
    assert filled(theme, site=theme) == "Hail Ketil"
    assert count(theme) == 0


def test_what_was_kept_and_is_damaged_is_made_again(theme: Path) -> None:
    filled(theme)
    (kept,) = (theme.parent / "kept").rglob("*.pyc")
    whole = kept.read_bytes()
    for damaged in (b"", b"no code", whole[:20], whole[:-10], whole[: len(whole) // 2]):
        kept.write_bytes(damaged)
        assert filled(theme) == "Hail Ketil"
    assert kept.read_bytes() == whole
