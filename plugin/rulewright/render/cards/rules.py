"""Data of cards that describe a rule in words, a character sheet, or the order of turns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from ...checks.model import Checked
from ...game.formula import Node
from ...game.model import Formula, Kind, Outcome, Reroll, Rule, Spend
from ..numbers import listed
from ..strings import Words
from .card import HEAD, Line
from .dice import mark
from .wording import LEVELS, Asked, Speaker, asked, label, named, readable, test_words

NONE, ONE = Node("number", (0,)), Node("number", (1,))
TIGHT = LEVELS["*"] + 1  # puts a sum in parentheses next to ×


class Item(NamedTuple):
    """A named part of a rule, such as a kind of dice, and its description."""

    name: str
    lines: list[str]


class Section(NamedTuple):
    heading: str
    items: list[Item]


class Told(NamedTuple):
    """A rule in words: its inputs and the sections about dice, steps, outcomes and so on."""

    inputs: list[Asked]
    sections: list[Section]


def rule(checked: Checked, words: Words) -> Told | None:
    return rule_in_words(checked.rule, words) if checked.rule else None


def rule_in_words(rule: Rule, words: Words) -> Told:
    """Describes a rule, without empty sections."""
    sections = (
        Section(words("heading dice"), [kind(rule, one, words) for one in rule.dice]),
        Section(words("heading again"), [reroll(rule, one, words) for one in rule.rerolls]),
        Section(
            words("heading steps"), [Item(named(one.name), [readable(one.formula, words, rule)]) for one in rule.steps]
        ),
        Section(words("heading outcomes"), [outcome(rule, one, words) for one in rule.outcomes]),
        Section(words("heading spends"), [spend(rule, one, words) for one in rule.spends]),
        Section(words("heading contest"), list(contest(rule, words))),
    )
    return Told(asked(rule, words), [section for section in sections if section.items])


def kind(rule: Rule, found: Kind, words: Words) -> Item:
    """Describes a kind of dice: number, faces, good and bad faces, further throws."""
    lines = [how_many(rule, found, words)]
    if found.faces:
        faces = [face.replace("-", "−") for face, _ in found.faces]
        lines.append(words("faces are", faces=listed(faces, words, "and")))
    if found.good:
        lines.append(words("counts as good", test=test_words(found.good, words)))
    if found.bad:
        lines.append(words("counts as bad", test=test_words(found.bad, words)))
    return Item(named(found.name), [*lines, *onward(rule, found, words)])


def how_many(rule: Rule, found: Kind, words: Words) -> str:
    """The number of dice of a kind, such as "pool × d10" or "1 × d20, if luck"."""
    die, count = sides_of(rule, found, words), found.count.node
    if count == NONE:
        return words("dice earned only", die=die)
    if count.op == "if" and count.args[1:] == (ONE, NONE):
        return words("dice if", die=die, test=Speaker(words, frozenset()).say(count.args[0]))
    return words("dice so many", number=Speaker(words, frozenset()).say(count, TIGHT), die=die)


def sides_of(rule: Rule, found: Kind, words: Words) -> str:
    """The name of a die: "d10", "the attribute die", or a die whose number of sides is a formula."""
    if found.sides is None:
        return words("die with faces")
    node = found.sides.node
    if node.op == "number":
        return f"d{node.args[0]}"
    dice = {entry.name for entry in rule.inputs if entry.form == "die"}
    if node.op == "name" and node.args[0] in dice:
        return words("that die", kind=named(node.args[0]))
    return words("die of formula", sides=readable(found.sides, words, rule))


def onward(rule: Rule, found: Kind, words: Words) -> Iterator[str]:
    """Describes earned dice, exploding dice and which dice are kept."""
    if earned := found.again:
        times = Speaker(words, frozenset(), in_test=True).say(earned.times.node, TIGHT)
        text = words("earns", test=test_words(earned.when, words), number=times, kind=named(earned.roll))
        yield optional(text, earned.optional, words)
    if found.explode:
        text = words("explodes", test=test_words(found.explode.when, words))
        yield optional(text, found.explode.optional, words)
    if kept := found.keep:
        which = "keep highest" if kept.highest else "keep lowest"
        yield words(which, number=readable(kept.number, words, rule))


def optional(text: str, when: Formula, words: Words) -> str:
    """Adds to a text that the player may decline the throw, always or under a condition."""
    if when.node.op == "number":
        return words("optional", text=text) if when.node.args[0] else text
    return words("optional when", text=text, test=test_words(when, words))


def reroll(rule: Rule, found: Reroll, words: Words) -> Item:
    """Describes a reroll: which dice, how often and which result counts."""
    kinds = listed([named(name) for name in found.among], words)
    times = readable(found.times, words, rule)
    test = test_words(found.when, words) if found.when else ""
    which = words(f"reroll {found.pick}", kinds=kinds, test=test)
    return Item(which, [words("reroll times", number=times), words(f"keep {found.keep}")])


def outcome(rule: Rule, found: Outcome, words: Words) -> Item:
    """Describes an outcome: its condition, degree and sentence."""
    lines = [words("otherwise")]
    if found.when:  # the first outcome whose condition holds counts
        first = found is rule.outcomes[0]
        lines = [words("when" if first else "when next", test=readable(found.when, words, rule))]
    if found.degree:
        lines.append(words("degree is", formula=readable(found.degree, words, rule)))
    return Item(named(found.name), [*lines, *([blanks(found.says)] if found.says else [])])


def spend(rule: Rule, found: Spend, words: Words) -> Item:
    """Describes what a point does to a roll, and how many can be spent."""
    lines = [change(rule, name, formula, words) for name, formula in found.changes.items()]
    if found.highest:
        lines.append(words("spend highest", kinds=listed([named(kind) for kind in found.highest], words)))
    if found.traits:
        lines.append(words("spend traits", traits=listed(list(found.traits), words)))
    if found.most:
        lines.append(words("spend most", number=found.most))
    return Item(found.label or named(found.name), lines)


def change(rule: Rule, name: str, formula: Formula, words: Words) -> str:
    """The new value of an input, such as "Spend a dot: yes." or "extra becomes extra + 3"."""
    flag = next((entry for entry in rule.inputs if entry.name == name and entry.form == "flag"), None)
    if flag and formula.node.op == "number":
        return f"{label(flag)}: {words('yes' if formula.node.args[0] else 'no')}."
    return words("spend changes", name=named(name), formula=readable(formula, words, rule))


def blanks(says: str) -> str:
    """The sentence of an outcome with the names of its values in parentheses."""
    return re.sub(r"\{([^{}]*)\}", lambda place: f"({named(place[1])})", says)


def contest(rule: Rule, words: Words) -> Iterator[Item]:
    """Describes the sides of a contest, the winner and ties."""
    if not rule.contest:
        return
    for number, side in enumerate(rule.contest.of, 1):
        yield Item(words(f"side {number}"), [words("plays", rule=side.label)])
    yield Item(words("winner"), [words("higher wins", step=named(rule.contest.compare))])
    yield Item(words("tie"), [words(f"tie {rule.contest.ties}")])


SHEET_WORDS = (*HEAD, "sheet", "verdict", "holds")


class Character(NamedTuple):
    """A character sheet; `broken` are its violations, and a sheet without any is legal."""

    traits: list[Line]
    holds: str
    mark: Markup
    verdict: str
    broken: list[str]


class Acting(NamedTuple):
    """A character in the order of turns, with the values that decide its position."""

    name: str
    values: str


def sheet(checked: Checked, words: Words) -> Character | None:
    """The data of a character sheet; None if it could not be checked."""
    if checked.sheet is None or checked.status in ("skipped", "error"):
        return None
    entries = checked.block.entries
    traits = [Line(spelled(one.key_span.text), one.value) for one in entries if one.key not in SHEET_WORDS]
    holds = checked.block.get("holds")
    broken = list(checked.violations)
    sign, verdict = ("bad", "sheet broken") if broken else ("good", "sheet legal")
    return Character(traits, holds.value if holds else "", mark(sign), words(verdict), broken)


def spelled(key: str) -> str:
    """A name as written, without quotes."""
    return key.strip("\"'")


def order(checked: Checked, _words: Words) -> list[Acting] | None:
    """The characters in their order, each with the values that decide it."""
    phrases = {entry.name: entry.value for entry in checked.block.entries if entry.key == "side"}
    return [Acting(name, phrases.get(name, "")) for name in checked.acting] or None
