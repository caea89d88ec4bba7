"""Reads our settings from pyproject.toml, mkdocs.yml and zensical.toml: keys and values with their places."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path as File
from typing import Any, NamedTuple

from ..game.toml import Path, SpanIndex, SpanScanner, syntax_problem
from ..project import (
    BOOK_SETTINGS,
    PYPROJECT,
    SITE_SETTINGS,
    find_site_settings,
    has_setting,
    inherited_settings,
    nearest_pyproject,
)
from ..source import Problem, Source, Span
from .games import display_path
from .site_yaml import YamlError, compose, construct, mapping_items, mapping_value

NAME = "rulewright"
OPTION_NAMES = (
    "title", "version", "language", "paper", "columns", "dark", "dice", "fail_on", "checks", "markdown", "anchors",
    "reference", "coverage", "policy", "colophon", "exports", "offline", "since", "shared", "terms", "exclude",
    "ignore", "baseline",
)  # fmt: skip
_TABLE: Path = ("tool", NAME)
_PLUGINS = "plugins"
_ZENSICAL_TABLE: Path = ("project", _PLUGINS, NAME)
_BAD_FILE = "option-value"


class Setting(NamedTuple):
    """A key with its value and their spans; `inner` has the entries of a table."""

    name: str
    value: Any
    key: Span
    span: Span
    inner: tuple[Setting, ...] | None = None


class Settings(NamedTuple):
    """The settings of all files, later ones overriding earlier ones, and the problems of unreadable files."""

    entries: tuple[Setting, ...] = ()
    problems: tuple[Problem, ...] = ()


GIVEN = "OPTION=VALUE"  # the place of options that no file has


def read_settings(folder: File, here: File, site: File | None, given: str) -> Settings:
    """Read the nearest pyproject.toml that has our table, then mkdocs.yml (`site`, or the nearest one), then `given`.

    A mkdocs.yml without plugins has those of the nearest file that it inherits from.
    """
    settings: list[Setting] = []
    problems: list[Problem] = []
    sites = inherited_settings(site) if (site := site or find_site_settings(folder)) else ()
    plugins = next((file for file in sites if has_setting(file, _PLUGINS)), site)
    for file, read in ((nearest_pyproject(folder), _from_toml), (plugins, _from_site)):
        try:
            settings += read(_open_source(file, here)) if file else ()
        except _UnreadableError as error:
            problems.append(error.problem)
    source = Source(GIVEN, given)
    try:
        settings += _yaml_settings(compose(given), source) if given else ()
    except YamlError as error:
        problems.append(_yaml_problem(source, error))
    return Settings(tuple(settings), tuple(problems))


class _UnreadableError(Exception):
    """A file cannot be read; carries the problem to report."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def settings_files(folder: File, site: File | None = None) -> list[File]:
    """Every path that may hold settings for a folder, existing or not. `site` is its mkdocs.yml, if it is known."""
    names = (PYPROJECT, *SITE_SETTINGS, *BOOK_SETTINGS)
    site = site or find_site_settings(folder)
    inherited = inherited_settings(site) if site else ()
    return [*(parent / name for parent in (folder, *folder.parents) for name in names), *inherited]


def _open_source(file: File, here: File) -> Source:
    path = display_path(file, here)
    try:
        return Source(path, file.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        span_of_file = Span(Source(path, ""), 0, 0)
        raise _UnreadableError(
            Problem(_BAD_FILE, f"this file is not UTF-8 text (byte {error.start})", span_of_file)
        ) from error


def _from_site(source: Source) -> tuple[Setting, ...]:
    """The options of our plugin in mkdocs.yml or zensical.toml."""
    return _from_toml(source, _ZENSICAL_TABLE) if source.path.endswith(".toml") else _from_yaml(source)


def _from_toml(source: Source, path: Path = _TABLE) -> tuple[Setting, ...]:
    source = Source(source.path, source.text.removeprefix("\ufeff"))
    places = SpanIndex(source)
    try:
        data = tomllib.loads(source.text.replace("\r\n", "\n"))
        SpanScanner(source, places).scan()
    except RecursionError as error:
        raise _UnreadableError(_too_deep(source)) from error
    except ValueError as error:
        raise _UnreadableError(syntax_problem(source, str(error))._replace(code=_BAD_FILE)) from error
    table: Any = data
    for name in path:
        table = table.get(name) if isinstance(table, dict) else None
    return tuple(_toml_settings(table, path, places)) if isinstance(table, dict) else ()


def _too_deep(source: Source) -> Problem:
    return Problem(_BAD_FILE, "this file is nested too deeply to be read", Span(source, 0, 0))


def _toml_settings(table: dict[str, Any], path: Path, places: SpanIndex) -> Iterator[Setting]:
    for name, value in table.items():
        own = (*path, name)
        key = places.keys.get(own, Span(places.source, 0, 0))
        inner = tuple(_toml_settings(value, own, places)) if isinstance(value, dict) else None
        yield Setting(name, value, key, places.values.get(own, key), inner)


def _from_yaml(source: Source) -> tuple[Setting, ...]:
    """Construct only the settings of our plugin: other parts of mkdocs.yml may have tags that need Python."""
    if NAME not in source.text:
        return ()
    try:
        return tuple(_yaml_settings(_plugin_node(compose(source.text), source), source))
    except RecursionError as error:
        raise _UnreadableError(_too_deep(source)) from error
    except YamlError as error:
        raise _UnreadableError(_yaml_problem(source, error)) from error


_YAML_REPAIRS = {  # what YAML complains about: what to write
    "mapping values are not allowed": "write each key on a line of its own, indented below the key it belongs to",
    "cannot start any token": "indent with spaces, and put text that begins with a special sign in quotes",
    "could not find expected ':'": "write key: value, with a space after the colon",
    "expected <block end>": "indent keys of one level alike",
}


def _yaml_problem(source: Source, error: YamlError) -> Problem:
    start = min(error.offset, len(source.text))
    repair = next((repair for words, repair in _YAML_REPAIRS.items() if words in str(error)), "")
    message = f"this file cannot be read as YAML: {error}{'; ' if repair else ''}{repair}"
    return Problem(_BAD_FILE, message, Span(source, start, start))


def _plugin_node(top: Any, source: Source) -> Any:
    """The node of our plugin: an item `rulewright:` of a list, or an entry of a mapping."""
    plugins = mapping_value(top, _PLUGINS)
    is_list = getattr(plugins, "id", "") == "sequence"
    items = plugins.value if is_list else [plugins]
    for pairs in map(mapping_items, items) if is_list else ():
        names = [key.value for key, _ in pairs]
        if NAME in names and (beside := next((key for key, _ in pairs if key.value in OPTION_NAMES), None)):
            message = f"{beside.value} is beside {NAME}, not below it; indent it by two more spaces"
            raise _UnreadableError(Problem("option-value", message, _node_span(beside, source)))
    return next((value for item in items for key, value in mapping_items(item) if key.value == NAME), None)


def _yaml_settings(node: Any, source: Source) -> Iterator[Setting]:
    for key, value in mapping_items(node):
        table = value.id == "mapping"
        inner = tuple(_yaml_settings(value, source)) if table else None
        data = {entry.name: entry.value for entry in inner or ()} if table else construct(value)
        yield Setting(str(key.value), data, _node_span(key, source), _node_span(value, source), inner)


def _node_span(node: Any, source: Source) -> Span:
    start = node.start_mark.index
    whole = source.text[start : node.end_mark.index]
    return Span(source, start, start + len(whole.rstrip()))
