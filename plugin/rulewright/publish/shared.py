"""Data that many pages of a site have in common, as scripts: browsers fetch each once, and pages that are read from a
disk, which may fetch no data, run them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from html import escape

# Puts what it holds behind itself, as pages with data of their own have it from the beginning.
SCRIPT = """\
(() => {
const own = document.currentScript, holder = document.createElement("template"), {more, ...names} = own.dataset;
const data = 'DATA';
Object.assign(holder.dataset, names);
holder.content.textContent = more ? JSON.stringify({...JSON.parse(data), ...JSON.parse(more)}) : data;
own.after(holder);
})();
"""
COMMENTS = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.DOTALL | re.MULTILINE)
TYPES = re.compile(r"/\*\*(?:(?!\*/)[^\n])*\*/ ?")
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


@cache
def name(data: str) -> str:
    """By what is in it: a game that has changed is another file."""
    return f"data-{sha256(data.encode()).hexdigest()[:10]}"


def script(data: str) -> str:
    return SCRIPT.replace("DATA", data.replace("\\", "\\\\").replace("'", "\\'"))


def scripts(found: Iterable[str]) -> dict[str, str]:
    return {name(data): script(data) for data in found}


def shortened(text: str) -> str:
    """A script without comments on lines of their own, without types, and with nothing before its lines."""
    return INDENT.sub("", TYPES.sub("", COMMENTS.sub("", text)))


def element(address: str, names: dict[str, str]) -> str:
    """In the place of a template that holds the data."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in names.items())
    return f'<script src="{escape(address)}" defer{told}></script>'
