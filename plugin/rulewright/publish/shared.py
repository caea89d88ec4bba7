"""Data that many pages of a site have in common, as scripts: browsers fetch each once, and pages that are read from a
disk, which may fetch no data, run them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

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
STYLE = re.compile(r"""("[^"]*")|/\*.*?\*/\s*|(?<=[{};,:>\n])\s+|\s+(?=[{>])|;(?=\s*\})""", re.DOTALL)


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


def tight(style: str) -> str:
    """A style of ours without comments and without blanks that say nothing."""
    return STYLE.sub(r"\1", style)


def delivered(file: Path) -> str:
    """A style or a script as readers fetch it; what others made keeps its licence, and stays as it is."""
    text = file.read_text(encoding="utf-8")
    return text if text.startswith("/*!") else tight(text) if file.suffix == ".css" else shortened(text)


def element(address: str, names: dict[str, str]) -> str:
    """In the place of a template that holds the data."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in names.items())
    return f'<script src="{escape(address)}" defer{told}></script>'
