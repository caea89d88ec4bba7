"""Sheets and orders: what a character is made of and whether that is allowed, and who acts when."""

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
TIGHT = LEVELS["*"] + 1  # beside a × a sum stands in brackets


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


def rule(checked: Checked, words: Words) -> Told | None:
    return rule_in_words(checked.rule, words) if checked.rule else None


def rule_in_words(rule: Rule, words: Words) -> Told:
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
    """«pool × d10», «1 × d20, if luck»."""
    die, count = sides_of(rule, found, words), found.count.node
    if count == NONE:
        return words("dice earned only", die=die)
    if count.op == "if" and count.args[1:] == (ONE, NONE):
        return words("dice if", die=die, test=Speaker(words, frozenset()).say(count.args[0]))
    return words("dice so many", number=Speaker(words, frozenset()).say(count, TIGHT), die=die)


def sides_of(rule: Rule, found: Kind, words: Words) -> str:
    """«d10», «the attribute die», or a die whose sides are told by a formula."""
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
    """What a throw can lead to, and which dice stay."""
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
    """Some throws may be declined, always or under a condition."""
    if when.node.op == "number":
        return words("optional", text=text) if when.node.args[0] else text
    return words("optional when", text=text, test=test_words(when, words))


def reroll(rule: Rule, found: Reroll, words: Words) -> Item:
    kinds = listed([named(name) for name in found.among], words)
    times = readable(found.times, words, rule)
    test = test_words(found.when, words) if found.when else ""
    which = words(f"reroll {found.pick}", kinds=kinds, test=test)
    return Item(which, [words("reroll times", number=times), words(f"keep {found.keep}")])


def outcome(rule: Rule, found: Outcome, words: Words) -> Item:
    lines = [words("otherwise")]
    if found.when:  # the first that fits is the one that counts
        first = found is rule.outcomes[0]
        lines = [words("when" if first else "when next", test=readable(found.when, words, rule))]
    if found.degree:
        lines.append(words("degree is", formula=readable(found.degree, words, rule)))
    return Item(named(found.name), [*lines, *([blanks(found.says)] if found.says else [])])


def spend(rule: Rule, found: Spend, words: Words) -> Item:
    """What a point does to a roll, and how many of them it takes."""
    lines = [change(rule, name, formula, words) for name, formula in found.changes.items()]
    if found.highest:
        lines.append(words("spend highest", kinds=listed([named(kind) for kind in found.highest], words)))
    if found.traits:
        lines.append(words("spend traits", traits=listed(list(found.traits), words)))
    if found.most:
        lines.append(words("spend most", number=found.most))
    return Item(found.label or named(found.name), lines)


def change(rule: Rule, name: str, formula: Formula, words: Words) -> str:
    """«Spend a dot: yes», «extra becomes extra + 3»."""
    flag = next((entry for entry in rule.inputs if entry.name == name and entry.form == "flag"), None)
    if flag and formula.node.op == "number":
        return f"{label(flag)}: {words('yes' if formula.node.args[0] else 'no')}."
    return words("spend changes", name=named(name), formula=readable(formula, words, rule))


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


SHEET_WORDS = (*HEAD, "sheet", "verdict", "holds")


class Character(NamedTuple):
    """`broken` are the requirements that are not met; a sheet without any is legal."""

    traits: list[Line]
    holds: str
    mark: Markup
    verdict: str
    broken: list[str]


class Acting(NamedTuple):
    name: str
    values: str


def sheet(checked: Checked, words: Words) -> Character | None:
    if checked.sheet is None or checked.status in ("skipped", "error"):
        return None
    entries = checked.block.entries
    traits = [Line(spelled(one.key_span.text), one.value) for one in entries if one.key not in SHEET_WORDS]
    holds = checked.block.get("holds")
    broken = list(checked.violations)
    sign, verdict = ("bad", "sheet broken") if broken else ("good", "sheet legal")
    return Character(traits, holds.value if holds else "", mark(sign), words(verdict), broken)


def spelled(key: str) -> str:
    """A name as the author spells it, without the quotes that it may need."""
    return key.strip("\"'")


def order(checked: Checked, _words: Words) -> list[Acting] | None:
    """Those who act, in their order, each with what decides about it."""
    phrases = {entry.name: entry.value for entry in checked.block.entries if entry.key == "side"}
    return [Acting(name, phrases.get(name, "")) for name in checked.acting] or None
