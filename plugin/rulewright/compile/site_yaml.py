"""Reads the YAML of mkdocs.yml: as nodes, or as data together with the files that it inherits from.

No code that tags name is run: nothing is constructed but what `construct` is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as File
from typing import Any, NamedTuple

from ..project import inherited_settings, read_zensical

_READ_KEYS = re.compile(
    r"""^["']?(?:markdown_extensions|plugins|hooks|nav|validation|site_url|use_directory_urls|\w+_docs)\b""",
    re.MULTILINE,
)
_PYTHON_TAG = re.compile(r"tag:yaml\.org,2002:python/(?:name|object/apply|object/new):(.*)")


class YamlError(ValueError):
    """A text is not YAML, or a value cannot be constructed; carries the offset of the mistake."""

    def __init__(self, fact: str, offset: int) -> None:
        super().__init__(fact)
        self.offset = offset


class Tagged(NamedTuple):
    """A value with the name of the Python code that would make it."""

    code: str
    value: Any


@contextmanager
def _translate_errors() -> Iterator[None]:
    import yaml  # type: ignore[import-untyped]

    try:
        yield
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        fact = str(getattr(error, "problem", None) or error).partition("\n")[0]
        raise YamlError(fact, mark.index if mark else 0) from error


def compose(text: str) -> Any:
    """The top node of a text; None if it is empty."""
    with _translate_errors():
        import yaml

        return yaml.compose(text, Loader=yaml.SafeLoader)


def construct(node: Any) -> Any:
    """The value of a node, with the types of YAML; a tag that needs Python is an error."""
    with _translate_errors():
        import yaml

        return yaml.SafeLoader("").construct_object(node, deep=True)


def mapping_items(node: Any) -> list[tuple[Any, Any]]:
    return list(node.value) if getattr(node, "id", "") == "mapping" else []


def mapping_value(node: Any, name: str) -> Any:
    """The node of a key; None without one."""
    return next((value for key, value in mapping_items(node) if key.value == name), None)


def read_site(file: File) -> dict[str, Any]:
    """The settings of a site: dictionaries, lists, texts and `Tagged`. Unreadable ones raise an OSError or ValueError.

    As in MkDocs, dictionaries of a file and of those that it inherits from are merged; anything else is replaced.
    """
    if file.suffix == ".toml":
        return read_zensical(file)
    settings = dict[str, Any]()
    for inherited in reversed([*inherited_settings(file)]):
        text = inherited.read_text(encoding="utf-8-sig")
        if not _READ_KEYS.search(text):  # saves the import of a YAML library
            continue
        try:
            data = _plain_data(compose(text), {})
        except RecursionError as error:
            raise YamlError("nested too deeply", 0) from error
        settings = _merge(settings, data if isinstance(data, dict) else {})
    return settings


def _plain_data(node: Any, known: dict[int, Any]) -> Any:
    """The data of a node; `known` are the nodes that aliases refer to."""
    if id(node) not in known:
        known[id(node)] = ""  # for a node that contains itself
        kind = getattr(node, "id", "")
        value: Any = getattr(node, "value", "")
        if kind == "mapping":
            value = {str(key.value): _plain_data(inner, known) for key, inner in value}
        elif kind == "sequence":
            value = [_plain_data(inner, known) for inner in value]
        code = _PYTHON_TAG.match(getattr(node, "tag", ""))
        known[id(node)] = Tagged(code[1], value) if code else value
    return known[id(node)]


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in over.items():
        inner = merged.get(name)
        merged[name] = _merge(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged
