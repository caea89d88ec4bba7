"""Why an outcome came about, in one line."""

from __future__ import annotations

from ...checks.model import Move
from ..strings import Words


def explain_outcome(move: Move, words: Words) -> str:
    return ""
