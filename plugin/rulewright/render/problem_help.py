"""What the handbook says about each code of a problem, for reports that carry their own explanations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..handbook import read_explanations

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
    """The sections of the handbook, without their examples."""
    texts = {code: _FENCE.sub("", found.section.text) for code, found in read_explanations().items()}
    return {code: _make_help(text) for code, text in texts.items()}


def _make_help(section: str) -> ProblemHelp:
    text = _LINK.sub(r"\1", " ".join(section.split()))
    sentence = _FIRST_SENTENCE.match(text)
    return ProblemHelp(sentence[0] if sentence else text, text)
