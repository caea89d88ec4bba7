"""What was learned of moved headings, added to the file of the book that remembers them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path as File

from ..root import Root
from ..text import Source
from .aliases import FILE, open_aliases, read_aliases
from .games import shown
from .mending import MendedPage, write

HEAD = """\
# Where headings and pages are that have another name or another place now: old = new.
# `rulewright diff --learn` adds to this list. Links to the old places go on working.

"""
Where = tuple[str, str]


def with_aliases(root: File, here: File, learned: Mapping[Where, Where], project: Root) -> MendedPage | None:
    """The file with what was learned; nothing where that is nothing new. Lines that are there stay as they are."""
    file = root / FILE
    source, problem = open_aliases(file, here, project) if file.is_file() else (Source(shown(file, here), ""), None)
    known = read_aliases(root, here, project)
    if problem or known.problems:
        return None
    more = {written(old): written(new) for old, new in learned.items()}
    fresh = {old: new for old, new in more.items() if old not in known.found and old != new}
    if not fresh:
        return None
    before = source.text or HEAD
    end = "" if before.endswith("\n") else "\n"
    after = Source(source.path, before + end + "".join(lines(fresh)))
    return MendedPage(file, source, after, frozenset(), project)


def written(where: Where) -> str:
    return "#".join(filter(None, where))


def lines(aliases: Mapping[str, str]) -> Iterable[str]:
    return [f"{text(old)} = {text(new)}\n" for old, new in aliases.items()]


def text(name: str) -> str:
    """As TOML; what JSON escapes, TOML escapes alike."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_history(page: MendedPage) -> bool:
    """A new file, or new lines in the one that is there; not where somebody has changed it meanwhile."""
    if page.before.text:
        return write(page)
    try:
        with page.file.open("xb") as file:
            file.write(page.after.text.encode())
    except FileExistsError:
        return write(page)
    return True
