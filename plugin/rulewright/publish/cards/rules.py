"""A rule in plain words, made from its declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...game.model import Formula, Kind, Outcome, Reroll, Rule
from ..words import Words
from .figures import listed
from .formulas import named, readable, test_words
from .inputs import Asked, asked


class Item(NamedTuple):
    """Something that has a name, and what is said of it."""

    name: str
    lines: list[str]


class Section(NamedTuple):
    heading: str
    items: list[Item]


class Told(NamedTuple):
    inputs: list[Asked]
    sections: list[Section]


def rule_in_words(rule: Rule, words: Words) -> Told:
    sections = (
        Section(words("heading dice"), [kind(one, words) for one in rule.dice]),
        Section(words("heading again"), [reroll(one, words) for one in rule.rerolls]),
        Section(words("heading steps"), [step(one.name, one.formula, words) for one in rule.steps]),
        Section(words("heading outcomes"), [outcome(one, words) for one in rule.outcomes]),
        Section(words("heading contest"), list(contest(rule, words))),
    )
    return Told(asked(rule, words), [section for section in sections if section.items])


def kind(found: Kind, words: Words) -> Item:
    lines = [how_many(found, words)]
    if found.faces:
        lines.append(
            words("faces are", faces=listed([face or words("blank") for face, _ in found.faces], words, "and"))
        )
    if found.good:
        lines.append(words("counts as good", test=test_words(found.good, words)))
    if found.bad:
        lines.append(words("counts as bad", test=test_words(found.bad, words)))
    return Item(named(found.name), [*lines, *onward(found, words)])


def how_many(found: Kind, words: Words) -> str:
    sides = sides_of(found, words)
    if found.count.text == "0":
        return words("dice earned only", die=sides)
    if found.count.text == "1":
        return words("dice one", die=sides)
    return words("dice so many", number=readable(found.count, words), die=sides)


def sides_of(found: Kind, words: Words) -> str:
    """«d10», or a die whose sides are told by a formula."""
    if found.sides is None:
        return words("die with faces")
    if found.sides.node.op == "number":
        return f"d{found.sides.node.args[0]}"
    return words("die of formula", sides=readable(found.sides, words))


def onward(found: Kind, words: Words) -> Iterator[str]:
    """What a throw can lead to, and which dice stay."""
    if earned := found.again:
        times = readable(earned.times, words)
        text = words("earns", test=test_words(earned.when, words), number=times, kind=named(earned.roll))
        yield optional(text, earned.optional, words)
    if found.explode:
        text = words("explodes", test=test_words(found.explode.when, words))
        yield optional(text, found.explode.optional, words)
    if kept := found.keep:
        which = "keep highest" if kept.highest else "keep lowest"
        yield words(which, number=readable(kept.number, words))


def optional(text: str, when: Formula, words: Words) -> str:
    """Some throws may be declined, always or under a condition."""
    if when.node.op == "number":
        return words("optional", text=text) if when.node.args[0] else text
    return words("optional when", text=text, test=test_words(when, words))


def reroll(found: Reroll, words: Words) -> Item:
    kinds = listed([named(name) for name in found.among], words)
    times = readable(found.times, words)
    if found.pick == "all":
        which = words("reroll all", kinds=kinds, test=test_words(found.when, words) if found.when else "")
    else:
        which = words(f"reroll {found.pick}", kinds=kinds)
    return Item(which, [words("reroll times", number=times), words(f"keep {found.keep}")])


def step(name: str, formula: Formula, words: Words) -> Item:
    return Item(named(name), [readable(formula, words)])


def outcome(found: Outcome, words: Words) -> Item:
    lines = [words("when", test=readable(found.when, words)) if found.when else words("otherwise")]
    if found.degree:
        lines.append(words("degree is", formula=readable(found.degree, words)))
    return Item(found.name, [*lines, *([blanks(found.says)] if found.says else [])])


def blanks(says: str) -> str:
    """A sentence whose values are not known yet."""
    return re.sub(r"\{([^{}]*)\}", lambda place: f"({named(place[1])})", says)


def contest(rule: Rule, words: Words) -> Iterator[Item]:
    if not rule.contest:
        return
    for number, side in enumerate(rule.contest.of, 1):
        yield Item(words(f"side {number}"), [words("plays", rule=side.label)])
    yield Item(words("winner"), [words("higher wins", step=named(rule.contest.compare))])
    yield Item(words("tie"), [words(f"tie {rule.contest.ties}")])
