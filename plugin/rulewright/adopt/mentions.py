"""What the numbers of a text are about: a step of the rule, or something else than the roll."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from ..game.model import Rule, Step
from ..prose.evidence import Evidence
from ..prose.number_words import NUMBER, number
from .match import Fit

_COUNTED_NOUN = re.compile(r"['’′]|[\s-]([a-z]{3,})\b(?!\s(?:die|dice)\b)")
_RATED_NOUN = re.compile(r"\b([a-z]{3,})\s$")
_ADDS = re.compile(
    r"\b(?:adds?|adding|added|plus|minus|subtract\w*|bonus|penalty|modifier|rolls?|rolled)\b[^.;]{0,20}$"
)
_OF_ROLLS = re.compile(
    r"(?:di[ec]e?|rolls?|rolled|total|results?|success(?:es)?|failures?|hits?|points?\sto|in|on|from|for|with|and|but|is|are|was|plus"
    r"|against|the|then|which|that|his|her|their|its|giving|making|equals?|more|less|higher|lower|target|so|because|when|while)$"
)
_SCALES = ("level", "tier", "rank", "round", "turn", "step", "page", "chapter", "table", "type")


def counts_something_else(rule: Rule, clues: Evidence, figure: re.Match[str]) -> bool:
    """Whether a number counts or rates what the rule does not know: `level 3 harm`, `10 feet`."""
    before = clues.reading.before(figure.start())
    if _ADDS.search(before):
        return False
    if before.lower().endswith("instead of "):  # so much damage
        return True
    counted, rated = _COUNTED_NOUN.match(clues.text, figure.end()), _RATED_NOUN.search(before)
    nouns = [counted[1] or "feet"] if counted and not _OF_ROLLS.fullmatch(counted[1] or "feet") else []
    nouns += [rated[1]] if rated and rated[1] in _SCALES else []
    known = rule.cached(("words",), lambda: _rule_words(rule))
    return bool(nouns) and not any(noun.removesuffix("s") in known for noun in nouns)


def _rule_words(rule: Rule) -> set[str]:
    """All words, in the singular, by which a text may speak of the values of a rule."""
    names = [
        *((entry.name, entry.label, *entry.also) for entry in rule.inputs),
        *((step.name, step.label or "", *step.also) for step in rule.steps),
        *((outcome.name, outcome.label, *outcome.also) for outcome in rule.outcomes),
        *((kind.name, kind.label, *kind.also) for kind in rule.dice),
    ]
    texts = [text.lower().replace("_", " ") for parts in names for text in parts]
    return {word.removesuffix("s") for text in texts for word in text.split()}


def step_mentions(fit: Fit, clues: Evidence) -> dict[str, list[int]]:
    """Numbers that the text states before the name of a step, as "three shifts"."""
    known = (step for step in fit.rule.steps if isinstance(fit.move.steps.get(step.name), int) and step.label != "")
    found = {step.name: list(_mentions(fit.rule, step, clues)) for step in known}
    return {name: values for name, values in found.items() if values}


def unknown_steps(fit: Fit, clues: Evidence) -> list[int]:
    """Numbers that the text states before the name of a step that rests on what it does not say: "a 2-shift hit"."""
    unknown = (step for step in fit.rule.steps if step.name not in fit.move.steps and step.label != "")
    return [value for step in unknown for value in _mentions(fit.rule, step, clues)]


def _mentions(rule: Rule, step: Step, clues: Evidence) -> Iterator[int]:
    pattern = rule.cached(("step mentions", step.name), partial(_mention_pattern, step))
    for match in pattern.finditer(clues.text, clues.reading.label_end):
        value = number(match[1])
        if value is not None and clues.reading.sure(match.start(), match.end()):
            yield value


def _mention_pattern(step: Step) -> re.Pattern[str]:
    names = {step.name.replace("_", " "), (step.label or step.name).lower(), *(word.lower() for word in step.also)}
    words = "|".join(re.escape(name.removesuffix("s")) for name in sorted(names) if len(name) > 2)
    return re.compile(rf"({NUMBER})[\s-](?:{words})s?\b", re.IGNORECASE)
