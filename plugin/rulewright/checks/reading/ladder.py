"""Named steps of a ladder: «Superb (+5)» against the table that names them, and Fate dice against their total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...book.prose import Passage
from ...text import Problem, Span
from .ladder_learned import USE, Ladder, known, ladders, step
from .ladder_rolls import Throw, signed, throws, wrong
from .model import Check, Noticed, Reading
from .texts import texts

HABIT = 3  # so often the same other number behind a name is no slip
FARTHEST = 6
STRONGER = ("Very", "Extra", "Almost", "Nearly", "Not", "Quite", "More", "Less", "Super")


class Use(NamedTuple):
    """A name with a number in brackets behind it."""

    name: str
    value: int
    span: Span
    trail: tuple[str, ...]


def look(reading: Reading) -> Noticed:
    steps = tuple(ladders(reading))
    named = tuple(use for text in texts(reading) for use in uses(text))
    rolls = tuple(throw for text in texts(reading) for throw in throws(text))
    return Noticed(len(named) + len(rolls), facts=(*steps, *named, *rolls))


def uses(text: Passage) -> Iterator[Use]:
    for found in USE.finditer(text.text):
        name, value = step(found)
        yield Use(name, value, text.span(*found.span("value" if found["value"] else "first")), text.trail)


def settled(facts: Sequence[Ladder | Use | Throw]) -> list[Problem]:
    named = [fact for fact in facts if isinstance(fact, Use)]
    rolls = [fact for fact in facts if isinstance(fact, Throw)]
    ladder = known(fact for fact in facts if not isinstance(fact, Use | Throw))
    return [*misnamed(named, ladder), *(told for throw in rolls if (told := miscounted(throw, ladder)))]


def misnamed(named: Sequence[Use], ladder: Mapping[str, int]) -> Iterator[Problem]:
    often = Counter((on_ladder(use.name, ladder), use.value) for use in named)
    for use in named:
        name = on_ladder(use.name, ladder)
        right = ladder.get(name)
        if right is not None and 0 < abs(right - use.value) <= FARTHEST and often[name, use.value] < HABIT:
            yield other_step(use, name, right, ladder)


def on_ladder(name: str, ladder: Mapping[str, int]) -> str:
    """The step that a name ends with: «Her Superb» is Superb, «Very Good» is not Good."""
    words = name.split(" ")
    for at in range(len(words)):
        ending = " ".join(words[at:])
        if ending in ladder and not (at and words[at - 1] in STRONGER):
            return ending
    return ""


def other_step(use: Use, name: str, right: int, ladder: Mapping[str, int]) -> Problem:
    others = [other for other, value in ladder.items() if value == use.value]
    either = f", or {others[0]} if {signed(use.value)} is meant" if others else ""
    message = f"{name} is {signed(right)} on the ladder of this book, but the text says {signed(use.value)}"
    return Problem("ladder-step", message, use.span, "warning", (f"write {signed(right)}{either}",), use.trail)


def miscounted(throw: Throw, ladder: Mapping[str, int]) -> Problem | None:
    found = wrong(throw, ladder)
    if not found:
        return None
    message = f"the dice {throw.shown} come to {found[0]}, but the text says {found[1]}"
    note = "change the faces, the number that is added or the total"
    return Problem("ladder-total", message, throw.span, "warning", (note,), throw.trail)


LADDER = Check("ladder", "named steps", look, settled)
