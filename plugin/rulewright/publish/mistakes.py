"""What is wrong with a block, beside it, for the author who looks at the page while writing it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..text import Problem
from .cards.templates import environment
from .words import Words


def mistakes(problems: Iterable[Problem], words: Words, overrides: Path | None = None) -> str:
    places = [(problem, problem.span.source.place(problem.span.start)[0]) for problem in problems]
    return environment(overrides).get_template("mistakes.html").render(places=places, words=words)
