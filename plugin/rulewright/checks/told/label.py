"""How a passage says of itself that it is an example."""

from __future__ import annotations

import re

from ...book.prose import Passage

LABEL = re.compile(r"[\W_]*Examples?\b", re.IGNORECASE)
BEHIND = re.compile(r"(?:\s+(?:[0-9]+|[A-Z]|of play))?\s*(?:\([^()\n]{0,60}\)\s*)?(?:[:.\n—–]|-\s|$)")
LABELLED = re.compile(rf"{LABEL.pattern}({BEHIND.pattern})?\s*", re.IGNORECASE)  # group 1: what marks it as a label


def is_label(passage: Passage) -> bool:
    """Whether a passage is nothing but «Example:», so that what follows belongs to it."""
    found = LABELLED.match(passage.text)
    return found is not None and not passage.text[found.end() :].strip()


def begins_as_example(passage: Passage) -> bool:
    """«Example:», «**Example** …», a box of the kind `example`; not a sentence that only begins with the word."""
    if "example" in passage.kind.split():
        return True
    word, label = LABEL.match(passage.text), LABELLED.match(passage.text)
    if not word or not label:
        return False
    alone = not passage.text[word.end() :].strip()
    return alone or bool(label[1]) or passage.emphasised(word.end() - 7, word.end())
