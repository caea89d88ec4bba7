"""Finds parts of a game that nothing uses: inputs, kinds of dice, tests, hidden steps and traits.

A step that readers see is a result, even where no formula goes on with it; so is a kind of dice with words on its
faces. What only pages use is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..source import Problem, Span
from .core import PICKED, Expression
from .formula import MARKING_TESTS, collect_names, collect_sets
from .model import DiceKind, Game, Rule

_WORD = re.compile(r"[^\W\d]\w*")
_Mentions = Callable[[str], bool]  # whether a page has this word
_Found = tuple[Span, str]


def find_unused(game: Game, is_mentioned: _Mentions) -> Iterator[Problem]:
    """A warning for each part of a game that nothing uses; traits may also be there to check names in prose."""
    elsewhere = frozenset[str]().union(*map(_names_of_rolls, game.rules.values()))
    for rule in game.rules.values():
        for span, message in _find_in_rule(rule, _used_names(rule, game) | elsewhere, is_mentioned):
            if span.source is rule.span.source:  # what a rule inherits may be used in the game that it comes from
                yield Problem("unused", message, span, "warning")
    yield from _find_unused_traits(game, is_mentioned)


def _find_in_rule(rule: Rule, used: frozenset[str], is_mentioned: _Mentions) -> Iterator[_Found]:
    for entry in rule.inputs:
        if "." not in entry.name and entry.form != PICKED and used.isdisjoint(entry.variable_names):
            yield entry.span, f"no formula of {rule.name} uses the input {entry.name}; use it, or remove it"
    useful = _useful_kinds(rule, used)
    for kind in rule.dice:
        if "." in kind.name:
            continue
        if kind.name not in useful and _is_for_formulas(rule, kind, used):
            repair = f"add them up in a step, such as sum({kind.name}), or remove them"
            yield kind.span, f"no formula of {rule.name} looks at the {kind.name} dice; {repair}"
        for word, test in kind.tests.items():
            if word not in used and word not in MARKING_TESTS:
                yield test.span, f"no formula asks for the test {word}; write count({kind.name}: {word}), or remove it"
    for step in rule.steps:
        is_hidden = step.label == "" and "." not in step.name
        if is_hidden and step.name not in used and not is_mentioned(step.name):
            yield step.formula.span, f"nothing uses the step {step.name}, and readers do not see it; remove it"


def _useful_kinds(rule: Rule, used: frozenset[str]) -> set[str]:
    """The kinds of dice that formulas look at, and those that earn such dice."""
    useful, before = set(used), 0
    while before < len(useful):
        before = len(useful)
        useful |= {kind.name for kind in rule.dice if any(entry.roll in useful for entry in kind.again)}
        useful |= {kind.deck_of for kind in rule.dice if kind.deck_of and kind.name in useful}  # what is gone matters
    return useful


def _is_for_formulas(rule: Rule, kind: DiceKind, used: frozenset[str]) -> bool:
    """Whether dice are of use only where a formula looks at them: readers cannot make sense of the faces alone."""
    if not (rule.steps or rule.outcomes) or not kind.tests.keys().isdisjoint(MARKING_TESTS):
        return False
    has_numbers = not kind.faces or any(face.value for face in kind.faces)
    return has_numbers or any(word in used for face in kind.faces for word in face.words)


def _used_names(rule: Rule, game: Game) -> frozenset[str]:
    """The names of values, sets, kinds and tests that are used in a rule or by a contest of it."""
    names = set[str](rule.rounds.carry if rule.rounds else ())
    for formula in _formulas(rule):
        names |= collect_names(formula.node) | collect_sets(formula.node)
    names |= {*rule.traits.into} if rule.traits else set()  # else these traits could not be written
    names |= {rule.specialties.into, rule.specialties.unused_adds} if rule.specialties else set()
    texts = [rule.aim.text if rule.aim else "", *(outcome.says for outcome in rule.outcomes)]
    names |= {name for entry in rule.rerolls for name in (*entry.of, entry.roll)}
    names |= {other.contest.compare for other in game.rules.values() if other.contest}
    return frozenset(names).union(*(_WORD.findall(text) for text in texts))


def _names_of_rolls(rule: Rule) -> frozenset[str]:
    """What a rule knows of the rules that it rolls, by the names that these use: `level` for `attack.level`."""
    names = set[str]()
    for formula in _formulas(rule) if rule.rolls else ():
        names |= {name.rpartition(".")[2] for name in collect_names(formula.node) if "." in name}
    return frozenset(names)


def _formulas(rule: Rule) -> Iterator[Expression]:
    found: list[Expression | None] = [entry.asked for entry in rule.inputs]
    for kind in rule.dice:
        found += [kind.count, kind.sides, *kind.tests.values(), *kind.deck]
        found += [own for entry in kind.again for own in (entry.when, entry.count, entry.optional)]
    found += [own for entry in rule.rerolls for own in (entry.times, entry.when, entry.count, entry.turn)]
    found += [*(step.formula for step in rule.steps), *rule.marks.values()]
    found += [own for outcome in rule.outcomes for own in (outcome.when, outcome.degree)]
    rounds = rule.rounds
    found += [rounds.until, rounds.most, *rounds.carry.values()] if rounds else []
    found += [own for spend in rule.spends for own in spend.changes.values()]
    return filter(None, found)


def _find_unused_traits(game: Game, is_mentioned: _Mentions) -> Iterator[Problem]:
    if game.sheets or any(rule.traits for rule in game.rules.values()):
        return
    for category in game.traits.values():
        if not any(map(is_mentioned, (category.name, *category.names))):
            message = f"no rule takes the traits of {category.name}; write traits = {{ into = … }} in a rule"
            yield Problem("unused", f"{message}, or remove them", game.trait_spans[category.name], "info")
