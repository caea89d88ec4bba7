"""What the handbook says about each code of a problem, for reports that carry their own explanations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path as File
from typing import NamedTuple

_SECTION = re.compile(r"^### `([a-z-]+)`\n(.*?)(?=^#{1,3} |\Z)", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_FIRST_SENTENCE = re.compile(r".*?\.(?=\s|$)", re.DOTALL)


class ProblemHelp(NamedTuple):
    """The first sentence of a section, and all of its text, both without links."""

    summary: str
    text: str


def explain_problems(codes: Iterable[str]) -> dict[str, ProblemHelp]:
    """The help for each code; for one without a section, such as that of another package, only its name."""
    sections = _read_sections()
    return {code: sections.get(code) or _name_only(code.replace("-", " ")) for code in codes}


def _name_only(name: str) -> ProblemHelp:
    return ProblemHelp(f"{name}.", f"A problem of the kind {name}.")


def _read_sections() -> dict[str, ProblemHelp]:
    """The sections of the handbook page; empty if this package comes without its handbook."""
    packaged = files("rulewright") / "handbook" / "pages" / "problems.md"
    checkout = File(__file__).parents[3] / "rules" / "handbook" / "problems.md"
    page = next((page for page in (packaged, checkout) if page.is_file()), None)
    text = _FENCE.sub("", page.read_text(encoding="utf-8")) if page else ""  # examples may have headings, too
    return {code: _make_help(section) for code, section in _SECTION.findall(text)}


def _make_help(section: str) -> ProblemHelp:
    text = _LINK.sub(r"\1", " ".join(section.split()))
    sentence = _FIRST_SENTENCE.match(text)
    return ProblemHelp(sentence[0] if sentence else text, text)
