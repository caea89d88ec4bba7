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
PARTS = re.compile(
    rf"""
    (?=["'`/\s]) (?:                                                # so that most places are soon left
      ( "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`  # texts and patterns stay as they are
      | (?:(?<={BEGIN})|(?<={BEGIN}[ ])) /(?![/*]) (?:\\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\n\[])+ / )
      | (?<=\n) (?:\s | //[^\n]* | /\*.*?\*/)+                        # what stands before a line
      | [ \t]*//[^\n]* | /\*.*?\*/[ \t]?                              # comments, types
      | [ ]+(?=[{SIGNS}\n]) | (?<=[{SIGNS}])[ ]+                      # blanks beside signs
      | (?<![+-])[ ](?=[+-]=?[ ](?![+-])) | (?<=[^+-][+-])[ ](?![+-])
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
    """A script of ours without comments, types, and blanks that say nothing; its lines stay, since some of them end
    statements. A text with blanks inside a text with blanks, both between backticks, is more than it understands."""
    return "".join(filter(None, PARTS.split(text)))  # what is kept is a group, and the others are not there


def element(address: str, names: dict[str, str]) -> str:
    """In the place of a template that holds the data."""
    told = "".join(f' data-{key}="{escape(value)}"' for key, value in names.items())
    return f'<script src="{escape(address)}" defer{told}></script>'
