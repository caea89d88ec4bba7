"""What pyproject.toml and mkdocs.yml say to us, each setting with its place."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path as File
from typing import Any, NamedTuple

from ..game.find import BOOK_SETTINGS, SITE_SETTINGS, site_settings
from ..game.places import Places, Scanner
from ..game.toml import Path, unreadable
from ..text import Problem, Source, Span
from .games import shown

PYPROJECT = "pyproject.toml"
NAME = "rulewright"
TABLE: Path = ("tool", NAME)
PLUGINS = "plugins"
BAD_FILE = "option-value"


class Setting(NamedTuple):
    """`key: value`; where the value is a table, its entries are settings too."""

    name: str
    value: Any
    key: Span
    span: Span
    inner: tuple[Setting, ...] | None = None


class Settings(NamedTuple):
    """The settings of all files, the last word coming last, and what keeps a file from being read."""

    found: tuple[Setting, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_settings(folder: File, here: File, site: File | None = None) -> Settings:
    """Those of the nearest pyproject.toml that has any, then those of the nearest mkdocs.yml."""
    found: list[Setting] = []
    problems: list[Problem] = []
    for file, read in ((nearest_table(folder), from_toml), (site or site_settings(folder), from_yaml)):
        try:
            found += read(open_source(file, here)) if file else ()
        except UnreadableError as error:
            problems.append(error.problem)
    return Settings(tuple(found), tuple(problems))


class UnreadableError(Exception):
    """A file that cannot be read, as a problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def nearest_table(folder: File) -> File | None:
    """The nearest pyproject.toml, in a folder or above it, that speaks of us as of a tool."""
    files = (place / PYPROJECT for place in (folder, *folder.parents))
    return next((file for file in files if file.is_file() and speaks(file)), None)


def candidates(folder: File) -> list[File]:
    """Every file in which settings for this folder can stand, whether it is there or not."""
    return [place / name for place in (folder, *folder.parents) for name in (PYPROJECT, *SITE_SETTINGS, *BOOK_SETTINGS)]


def speaks(file: File) -> bool:
    text = file.read_bytes()
    return NAME.encode() in text and b"[tool" in text


def open_source(file: File, here: File) -> Source:
    path = shown(file, here)
    try:
        return Source(path, file.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        place = Span(Source(path, ""), 0, 0)
        raise UnreadableError(Problem(BAD_FILE, f"this file is not UTF-8 text (byte {error.start})", place)) from error


def from_toml(source: Source) -> tuple[Setting, ...]:
    source = Source(source.path, source.text.removeprefix("\ufeff"))
    places = Places(source)
    try:
        data = tomllib.loads(source.text.replace("\r\n", "\n"))
        Scanner(source, places).scan()
    except RecursionError as error:
        raise UnreadableError(too_deep(source)) from error
    except ValueError as error:
        raise UnreadableError(unreadable(source, str(error))._replace(code=BAD_FILE)) from error
    table = data.get("tool", {})
    table = table.get(NAME) if isinstance(table, dict) else None
    return tuple(toml_settings(table, TABLE, places)) if isinstance(table, dict) else ()


def too_deep(source: Source) -> Problem:
    return Problem(BAD_FILE, "this file is nested too deeply to be read", Span(source, 0, 0))


def toml_settings(table: dict[str, Any], path: Path, places: Places) -> Iterator[Setting]:
    for name, value in table.items():
        own = (*path, name)
        key = places.keys.get(own, Span(places.source, 0, 0))
        inner = tuple(toml_settings(value, own, places)) if isinstance(value, dict) else None
        yield Setting(name, value, key, places.values.get(own, key), inner)


def from_yaml(source: Source) -> tuple[Setting, ...]:
    """Only the part behind our name is made into data: what stands elsewhere may need Python to be understood."""
    if NAME not in source.text:
        return ()
    import yaml  # type: ignore[import-untyped]

    try:
        loader = yaml.SafeLoader(source.text)
        node = plugin_node(loader.get_single_node())
        return tuple(yaml_settings(loader, node, source)) if isinstance(node, yaml.MappingNode) else ()
    except RecursionError as error:
        raise UnreadableError(too_deep(source)) from error
    except (yaml.YAMLError, ValueError) as error:
        raise UnreadableError(no_yaml(source, error)) from error


def no_yaml(source: Source, error: Exception) -> Problem:
    mark = getattr(error, "problem_mark", None)
    start = min(mark.index, len(source.text)) if mark else 0
    said = f"this file cannot be read as YAML: {getattr(error, 'problem', None) or error}"
    return Problem(BAD_FILE, said.partition("\n")[0], Span(source, start, start))


def plugin_node(top: Any) -> Any:
    """The settings of our plugin: an item `rulewright:` of a list, or an entry of a table."""
    plugins: Any = next((value for key, value in pairs(top) if key.value == PLUGINS), None)
    items = plugins.value if getattr(plugins, "id", "") == "sequence" else [plugins]
    return next((value for item in items for key, value in pairs(item) if key.value == NAME), None)


def pairs(node: Any) -> list[tuple[Any, Any]]:
    return list(node.value) if getattr(node, "id", "") == "mapping" else []


def yaml_settings(loader: Any, node: Any, source: Source) -> Iterator[Setting]:
    for key, value in pairs(node):
        table = value.id == "mapping"
        inner = tuple(yaml_settings(loader, value, source)) if table else None
        data = {one.name: one.value for one in inner or ()} if table else loader.construct_object(value, deep=True)
        yield Setting(str(key.value), data, span(key, source), span(value, source), inner)


def span(node: Any, source: Source) -> Span:
    start = node.start_mark.index
    whole = source.text[start : node.end_mark.index]
    return Span(source, start, start + len(whole.rstrip()))
