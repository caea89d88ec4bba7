"""What a rulebook calls the values that go into its rolls: emphasized or headed words near its dice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from .dice_family import is_effect, split_sentences

_EMPHASIZED = re.compile(
    r"(\*{1,3}|_{1,3})(?=\S)([^*_\n]{2,30}?)(?<=\S)\1|\[\[?([^\[\]|\n]{2,30})\]\]?(?:\[[^\]]*\]|\([^)]*\))?"
)
_WORD = r"[^\W\d_][\w'’-]{1,20}"
_NAME = rf"(‹[^‹›]{{2,30}}›|{_WORD}(?:\s{_WORD})?)"
_WHOSE = r"(?:(?:your|the|their|his|her|its|an?)\s)"
_DIE = r"(?:dice|die|d(?:4|6|8|10|12|20))"
_PATTERNS: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "added": (re.compile(rf"(?:\b(?:add|adds|adding|plus)\s|\+\s?){_WHOSE}?{_NAME}", re.IGNORECASE),),
    "pool": (
        re.compile(rf"\b{_DIE}[^.]{{0,30}}\b(?:equal to|for|from|as)\s{_WHOSE}?{_NAME}", re.IGNORECASE),
        re.compile(rf"\brolls?\s{_WHOSE}?{_NAME}\s(?:in\s)?dice\b", re.IGNORECASE),
    ),
    "point": (
        re.compile(
            rf"\b(?:spend|burn|pay|use|mark)s?\s(?:an?|one|1)\s(?:points?\sof\s)?{_NAME}"
            rf"[^.]{{0,40}}\b(?:extra|additional|another|more|bonus)\s{_DIE}\b",
            re.IGNORECASE,
        ),
    ),
    "trait": (
        re.compile(rf"\broll\w*\s(?:the\s)?{_DIE}\s(?:of|for)\s{_WHOSE}?{_NAME}", re.IGNORECASE),
        re.compile(rf"\broll\w*\s{_WHOSE}{_NAME}\s{_DIE}\b", re.IGNORECASE),
    ),
    "second": (
        re.compile(
            rf"\broll\w*\s(?:the\s)?{_DIE}\s(?:of|for)\s[^.]{{2,40}}\b(?:and|plus)\s(?:the\s{_DIE}\sof\s)?{_WHOSE}{_NAME}",
            re.IGNORECASE,
        ),
    ),
    "skill": (
        re.compile(
            r"\b(?:under|below|or (?:less|lower) than|less than or equal to"
            rf"|(?:equal|at) (?:to )?or (?:less|lower|under|below)(?: than)?)\s{_WHOSE}{_NAME}",
            re.IGNORECASE,
        ),
    ),
    "target": (
        re.compile(
            rf"\b(?:against|beats?|meets?|reach(?:es)?|equals? or exceeds?|at least)\s{_WHOSE}{_NAME}", re.IGNORECASE
        ),
    ),
}  # fmt: skip
_NO_LABELS = {
    "all", "another", "any", "both", "dice", "die", "each", "every", "extra", "it", "more", "number", "one", "opponent",
    "result", "roll", "rolls", "score", "single", "that", "them", "this", "those", "total", "two", "value", "what",
}  # fmt: skip
_LABEL = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*")
_MIN_TIMES = 2
_TAIL = re.compile(
    r"\s(?:points?|tokens?|dice|die|rolls?|score|rating|value|level|and|or|to|for|of|if|is|as|in|on|then)\Z"
)


def find_labels(texts: Iterable[str], headings: Iterable[str]) -> dict[str, str]:
    """The label for each role of an input that the pages name. One that is named once, or beside as many others as
    there are of it, is a single skill or spell, not what the author calls all of them."""
    headed = {heading.lower() for heading in headings}
    found: dict[str, Counter[str]] = {}
    for text in texts:
        for sentence in split_sentences(_EMPHASIZED.sub(_mark_emphasis, text)):
            if is_effect(sentence):
                continue
            for role, patterns in _PATTERNS.items():
                for pattern in patterns:
                    for match in pattern.finditer(sentence):
                        if label := _read_label(match[1], headed):
                            found.setdefault(role, Counter())[label] += 1
    return {role: label for role, labels in found.items() if (label := _main_label(labels))}


def _main_label(labels: Counter[str]) -> str:
    label, times = labels.most_common(1)[0]
    return label if times >= _MIN_TIMES and times * 2 > labels.total() else ""


def _mark_emphasis(match: re.Match[str]) -> str:
    return f"‹{(match[2] or match[3]).strip()}›"


def _read_label(text: str, headed: set[str]) -> str:
    """The name in a match, as a label; empty if it is an ordinary word."""
    name = _TAIL.sub("", text.strip("‹›").strip())
    candidates = [name] if text.startswith("‹") else [name, name.partition(" ")[0]]
    for label in candidates:
        words = label.split()
        special = text.startswith("‹") or label.lower() in headed
        if words and special and words[0].lower() not in _NO_LABELS and _LABEL.fullmatch(label):
            return label[:1].upper() + label[1:]
    return ""
