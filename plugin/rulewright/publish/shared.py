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
SIGNS, BEGIN = r"{}()\[\],;:?<>=&|*%^!", r"[(,=:\[!&|?>]"  # behind the second a stroke divides nothing
KEPT = rf"""( "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`  # texts and patterns stay as they are
      | (?:(?<={BEGIN})|(?<={BEGIN}[ ])) /(?![/*]) (?:\\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[])+ / )"""
PARTS = re.compile(
    rf"""
    (?=["'`/\s]) (?: {KEPT}                                         # so that most places are soon left
      | (?<=\n) (?:\s | //[^\n]* | /\*.*?\*/)+                        # what stands before a line
      | [ \t]*//[^\n]* | /\*.*?\*/[ \t]?                              # comments, types
      | [ ]+(?=[{SIGNS}\n]) | (?<=[{SIGNS}])[ ]+                      # blanks beside signs
      | (?<![+-])[ ](?=[+-]=?[ ](?![+-])) | (?<=[^+-][+-])[ ](?![+-])
    )""",
    re.DOTALL | re.VERBOSE,
)
LINES = re.compile(
    rf"""
    (?=["'`/;\n]) (?: {KEPT}
      | (?<=[;{{(\[,=?:&|>]) \n | \n (?=[)\].?:&|])  # where no statement ends
      | ;?\n? (?=\}})                                # what a brace ends anyway
    )""",
    re.DOTALL | re.VERBOSE,
)


@cache
def name(data: str) -> str:
    """By what is in it: a game that has changed is another file."""
    return f"data-{sha256(data.encode()).hexdigest()[:10]}"


def script(data: str) -> str:
    return SCRIPT.replace("DATA", data.replace("\\", "\\\\").replace("'", "\\'"))


def scripts(found: Iterable[str]) -> dict[str, str]:
    return {name(data): script(data) for data in found}


def shortened(text: str) -> str:
    """A script of ours without comments, types, and blanks and ends of lines that say nothing. A text with blanks
    inside a text with blanks, both between backticks, is more than it understands, and so is a loop without a body."""
    for pattern in (PARTS, LINES):
        text = "".join(filter(None, pattern.split(text)))  # what is kept is a group, and the others are not there
    return text


def element(address: str, names: dict[str, str]) -> str:
    """In the place of a template that holds the data."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in names.items())
    return f'<script src="{escape(address)}" defer{told}></script>'
