"""Outcomes of a rule by the words that its game has for them."""

from __future__ import annotations

import re

from ..checks.drifting import CLASSES
from ..game.model import Rule
from .clues import Clues

BAD = {"bad", "trouble", "disaster", "mishap", "nothing", "complication", "setback", "loss", "lose", "bust"}
BEFORE = (
    r"(?:\b(?:an?|is|was|it['’]?s|the|by|with|means|makes|counts\sas|for|comes\sto|result\sof)\s"
    r"(?:only\s|just\s)?(?:an?\s)?)"
)
VERDICT = r"[:,—–]\s(?:an?|the)\s"
DENIED = re.compile(r"\b(?:not|no|never|without|n['’]t)\b[^.;,]{0,20}$", re.IGNORECASE)


def outcome_words(rule: Rule, clues: Clues) -> list[str]:
    """Outcomes that the text calls by their own names; common words for success and failure only behind a colon."""
    found = []
    for outcome in rule.outcomes:
        name = outcome.name.lower()
        common = name in CLASSES and " " not in name
        pattern = (
            rf"{VERDICT}{re.escape(name)}(?=[.,;!)]|$)"
            if common
            else rf"{BEFORE}{re.escape(name)}\b|\b(?:s?he|it|they|you|and|who)\s{re.escape(name)}s\b"
        )
        for one in re.finditer(pattern, clues.text, re.IGNORECASE):
            told = clues.reading.sure(one.start(), one.end()) and not DENIED.search(clues.reading.before(one.start()))
            if told and name not in found:
                found.append(name)
    return found


def speaks_against(rule: Rule, outcome: str | None, clues: Clues) -> tuple[str, ...]:
    """What the text says of the outcome, where the rules give another and the game has words of its own."""
    if outcome is None:
        return ()
    name, words = outcome.lower(), outcome_words(rule, clues)
    if words:
        return () if name in words else (f"the text says {' and '.join(words)}, this block comes to {outcome}",)
    said = {CLASSES.get(str(bit.value), "") for bit in clues.told.outcomes if bit.sure and not bit.negated} - {""}
    if name in CLASSES or len(said) != 1:
        return ()
    word = said.pop()
    return () if (word == "success") != (name in BAD) else (f"the text says {word}, this block comes to {outcome}",)
