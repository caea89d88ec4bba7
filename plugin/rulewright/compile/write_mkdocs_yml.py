"""Writes a mkdocs.yml, or adds the plugin to one by the smallest edit: comments, order and quotes stay as they are."""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from pathlib import Path as File
from posixpath import normpath
from typing import Any
from urllib.parse import unquote

from ..book.parser import read_page
from ..project import GAME_FILE
from ..root import Root
from ..source import LINE_BREAK, Source
from .settings import NAME
from .site_yaml import compose, mapping_items, mapping_value

_PLUGINS, _PARENT, _EXCLUDE = "plugins", "INHERIT", "exclude_docs"
_LINE_END = "\n"
_DEFAULT_PLUGIN = "search"  # what MkDocs uses if there is no list of plugins
_STRING_TAG = "tag:yaml.org,2002:str"
_CHAPTER = re.compile(
    r"^([ \t]*)(?:(?:[-*+]|\d+[.)])[ \t]+)?\[(.+)\]\(<?(?:\./)?([^()<>]*)>?\)[ \t]*$", re.MULTILINE
)  # of an mdBook
_Tree = tuple[Any, ...]  # a node without its style and places

SUMMARY = "SUMMARY.md"  # the navigation of an mdBook
PLUGIN_LINES = f"{_PLUGINS}:\n  - {_DEFAULT_PLUGIN}\n  - {NAME}\n"  # for a file without plugins


def make_settings(title: str, folder: str, nav: str = "") -> str:
    """A mkdocs.yml for pages that have no site yet, with the look of a new book; `nav` is that of an mdBook."""
    excluded = f"{_EXCLUDE}: |\n  {GAME_FILE}\n  {SUMMARY}\n" if nav else _exclude_line(_LINE_END)
    return (
        f"site_name: {_quote(title)}\ndocs_dir: {_quote(folder)}\n{excluded}"
        f"\ntheme:\n  name: material\n  font: false  # nothing is fetched from elsewhere\n\n{_PLUGINS}:\n"
        f"  - {_DEFAULT_PLUGIN}\n  - {NAME}:\n      markdown: commonmark  # pages are rendered as GitHub renders them\n"
        f"{nav}"
    )


def convert_summary(text: str, folder: File, first: str = "") -> str:
    """The navigation of MkDocs for the chapters of the SUMMARY.md of an mdBook, after a first page.

    What is not a file in the folder of the pages is left out, and so are sections without any page."""
    chapters = list[tuple[int, str, str]]()
    for found in reversed([*_CHAPTER.finditer(text)]):
        indent, path = len(found[1].expandtabs(4)), _chapter_path(found[3], folder)
        if path or (chapters and chapters[0][0] > indent):
            chapters.insert(0, (indent, _plain_title(found[2]), path))
    lines, levels = [f"  - {_quote(first)}"] if first else [], list[int]()
    for (indent, title, path), (next_indent, _, _) in zip_longest(chapters, chapters[1:], fillvalue=(0, "", "")):
        while levels and levels[-1] >= indent:
            levels.pop()
        item = f"{'    ' * len(levels)}  - "
        levels.append(indent)
        if next_indent > indent:
            lines += [f"{item}{_quote(title)}:", *([f"    {item}{_quote(path)}"] if path else [])]
        else:
            lines.append(f"{item}{_quote(title)}: {_quote(path)}")
    return "\n".join(["", "nav:", *lines, ""]) if chapters else ""


def _chapter_path(target: str, folder: File) -> str:
    """The path of the page that a chapter names; empty if the folder has no such file."""
    path = normpath(unquote(target.partition("#")[0])) if target.partition("#")[0] else ""
    is_inside = bool(path) and not path.startswith(("/", "../")) and Root([folder]).contains(folder / path)
    return path if is_inside and (folder / path).is_file() else ""


def _plain_title(text: str) -> str:
    """A title without Markdown, which MkDocs shows as it is."""
    headings = read_page(Source("", f"# {text}")).headings
    return headings[0].text if headings and headings[0].text else text


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # YAML reads it alike


def _exclude_line(end: str) -> str:
    return f"{_EXCLUDE}: {GAME_FILE}  # data, not for readers{end}"


def exclude_games(text: str) -> str | None:
    """The text of the file without games in the site; None if it says already what is excluded, or cannot be edited."""
    top = _compose(text)
    keys = [key.value for key, _ in mapping_items(top)] if top else [_EXCLUDE]
    if _EXCLUDE in keys or _PARENT in keys or top.flow_style:
        return None
    end = _line_end(text)
    gap = "" if LINE_BREAK.search(text[-1:]) else end
    edited = f"{text}{gap}{end}{_exclude_line(end)}"
    after = _compose(edited)
    entry = ((_STRING_TAG, _EXCLUDE), (_STRING_TAG, GAME_FILE))
    return edited if after and _tree(after) == (*_tree(top), entry) else None


def has_plugin(text: str) -> bool:
    """Whether the file lists the plugin."""
    return (_STRING_TAG, NAME) in _plugin_keys(_tree(mapping_value(_compose(text), _PLUGINS)))


def add_plugin(text: str) -> str | None:
    """The text of the file with the plugin; None if it cannot be edited with certainty."""
    top = _compose(text)
    if top is None or has_plugin(text):
        return None
    keys = [key.value for key, _ in mapping_items(top)]
    if keys.count(_PLUGINS) > 1 or (_PARENT in keys and _PLUGINS not in keys):
        return None
    plugins = mapping_value(top, _PLUGINS)
    edited = _append_list(text) if _PLUGINS not in keys else _insert_entry(text, plugins)
    after = _compose(edited) if edited is not None else None
    return edited if after is not None and _is_only_addition(top, after) else None


def _compose(text: str) -> Any:
    """The top node; None unless the text is one YAML mapping."""
    try:
        top = compose(text)
    except (ValueError, RecursionError):
        return None
    return top if getattr(top, "id", "") == "mapping" else None


def _append_list(text: str) -> str:
    """Add the key at the end of the file."""
    end = _line_end(text)
    gap = "" if LINE_BREAK.search(text[-1:]) else end
    return text + gap + end + PLUGIN_LINES.replace("\n", end)


def _insert_entry(text: str, plugins: Any) -> str | None:
    """Add an entry after the last one of a list or a mapping; None if it is neither, or empty."""
    if getattr(plugins, "id", "") not in ("sequence", "mapping") or not plugins.value:
        return None
    entry = NAME if plugins.id == "sequence" else f"{NAME}: {{}}"
    end = _end_of(plugins.value[-1])
    if plugins.flow_style:
        return f"{text[:end]}, {entry}{text[end:]}"
    if text[end - 1] in "\r\n":  # a block of text, which ends after the lines below it
        return None
    line = LINE_BREAK.search(text, end)
    stop = line.start() if line else len(text)
    mark = "- " if plugins.id == "sequence" else ""
    return f"{text[:stop]}{_line_end(text)}{' ' * plugins.start_mark.column}{mark}{entry}{text[stop:]}"


def _end_of(node: Any) -> int:
    """The offset after the last character of a node, or of an entry of a mapping; block nodes end after blank lines."""
    if isinstance(node, tuple):
        key, value = node
        is_empty = value.id == "scalar" and value.start_mark.index == value.end_mark.index
        return _end_of(key) + 1 if is_empty else _end_of(value)
    if node.id == "scalar" or node.flow_style or not node.value:
        end: int = node.end_mark.index
        return end
    return _end_of(node.value[-1])


def _line_end(text: str) -> str:
    found = re.search(r"\r\n|\n|\r", text)
    return found[0] if found else "\n"


def _tree(node: Any) -> _Tree:
    if node is None:
        return ()
    if node.id == "scalar":
        return node.tag, node.value
    if node.id == "sequence":
        return node.tag, *map(_tree, node.value)
    return node.tag, *((_tree(key), _tree(value)) for key, value in node.value)


def _plugin_keys(plugins: _Tree) -> list[_Tree]:
    """The names of the plugins in a list or a mapping."""
    is_list = bool(plugins) and plugins[0].endswith(":seq")
    entries = plugins[1:] if isinstance(plugins[1:], tuple) else ()
    if not is_list:
        return [entry[0] for entry in entries if isinstance(entry, tuple)]
    return [entry[1][0] if entry[0].endswith(":map") and len(entry) > 1 else entry for entry in entries]


def _is_only_addition(before: Any, after: Any) -> bool:
    """Whether the plugin, after the default one where there was no list, is all that was added."""
    old = {key.value: _tree(value) for key, value in mapping_items(before)}
    new = {key.value: _tree(value) for key, value in mapping_items(after)}
    plugins = new.pop(_PLUGINS, ())
    known = old.pop(_PLUGINS, None)
    default = [(_STRING_TAG, _DEFAULT_PLUGIN)]
    names = _plugin_keys(plugins)
    before_names = default if known is None else _plugin_keys(known)
    is_kept = known is None or plugins[: len(known)] == known
    return old == new and is_kept and names == [*before_names, (_STRING_TAG, NAME)]
