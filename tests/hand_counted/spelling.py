"""Inputs as a book spells them (`d6`, `none`, `4D+2`), turned into what the twins take."""

import re
from typing import Any

Inputs = dict[str, Any]


def die(word: str | int) -> int:
    return 0 if word == "none" else int(str(word).removeprefix("d"))


def code(word: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)D(?:\+(\d+))?", word)
    if not match:
        raise ValueError(f"not a die code: {word}")
    return int(match[1]), int(match[2] or 0)


def plain(inputs: Inputs) -> Inputs:
    result: Inputs = {}
    for name, value in inputs.items():
        if name == "code":
            result["d"], result["pips"] = code(value)
        elif name in ("die", "attribute", "skill"):
            result[name] = die(value)
        else:
            result[name] = value
    return result
