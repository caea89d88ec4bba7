"""Data of example cards: one scene for the roll, each `then` and each `instead`, with the steps explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from ...checks.model import Checked, Move
from ...game.formula import COMPARISONS, Node, walk
from ...game.model import SIDES, Formula, Rule
from ...odds.answer import chances
from ...odds.distribution import Chance
from ...play.compiled_rule import program
from ...play.result import Result, say
from ...play.result import filled as explain_filled
from ..game_json import leaf_data
from ..numbers import value
from ..strings import Words
from .card import Line
from .dice import Group, Meaning, groups, legend
from .odds import Bar, bars
from .wording import TRUTHS, Given, Speaker, given, is_truth, named, readable, single_kinds

BLANK = "\0"  # delimiter that appears in no formula
BRANCHING = {"if", "word", *TRUTHS} - {*COMPARISONS}  # unreadable with values filled in

Named = str | int  # a name, or the number of a tally of dice
Say = Callable[[Named], str | None]  # returns the value; None if it is not known


class Blanks(NamedTuple):
    """A formula in words with blanks for its values: the value of a leaf follows each text but the last."""

    texts: list[str]
    leaves: list[Named]


class How(NamedTuple):
    """A step explained: `parts` are its formula in names, in values, and its result."""

    name: str
    parts: list[str]


def derivation(result: Result, words: Words) -> list[How]:
    """Explains all steps, the outcome and its degree."""
    say, flags = values_of(result, words), truths(result.rule)
    steps = [
        How(named(name), both_ways(formula, result, words, say, value(result.steps.get(name), words, name in flags)))
        for name, formula in result.setting.program.formulas.items()
    ]
    return [*steps, *outcome(result, words, say)]


def both_ways(formula: Formula, result: Result, words: Words, say: Say, *found: str) -> list[str]:
    """A formula in names, in values if that is readable, and its result, without repetitions."""
    texts = [readable(formula, words, result.rule)]
    if blanks := with_blanks(formula, words, result.rule):
        texts.append(filled(formula, blanks, result.rule, words, say))
    return list(dict.fromkeys([*texts, *found]))


def outcome(result: Result, words: Words, say: Say) -> list[How]:
    """Explains the condition of the outcome and its degree."""
    found = result.outcome
    if found is None:
        return []
    why = both_ways(found.when, result, words, say) if found.when else [words("otherwise")]
    degree = both_ways(found.degree, result, words, say, value(result.degree, words)) if found.degree else []
    return [How(found.name, why), *([How(words("degree"), degree)] if degree else [])]


@lru_cache(maxsize=4096)
def with_blanks(formula: Formula, words: Words, rule: Rule) -> Blanks | None:
    """A formula in words with blanks for its values; None if it is unreadable with values filled in."""
    if any(node.op in BRANCHING for node in walk(formula.node)):
        return None
    made, leaves = program(rule), list[Named]()

    def blank(node: Node) -> str:
        leaves.append(leaf_data(node, made))
        return f"{BLANK}{len(leaves) - 1}{BLANK}"

    parts = Speaker(words, single_kinds(rule), blank).say(formula.node).split(BLANK)
    return Blanks(parts[::2], [leaves[int(number)] for number in parts[1::2]])


def filled(formula: Formula, blanks: Blanks, rule: Rule, words: Words, say: Say) -> str:
    """Fills in the values; renders the formula again if one is not known, since its words may need parentheses."""
    values = list(map(say, blanks.leaves))
    if None in values:
        made = program(rule)
        return Speaker(words, single_kinds(rule), lambda node: say(leaf_data(node, made))).say(formula.node)
    return "".join(part for pair in zip_longest(blanks.texts, values) for part in pair if part)


@lru_cache(maxsize=256)
def truths(rule: Rule) -> frozenset[str]:
    """The names of steps and inputs whose value is yes or no."""
    steps = {step.name for step in rule.steps if is_truth(step.formula)}
    return frozenset(steps | {entry.name for entry in rule.inputs if entry.form == "flag"})


def values_of(result: Result, words: Words) -> Say:
    """A function that returns the text for the value of a name or a tally in this result."""
    flags = truths(result.rule)

    def say(leaf: Named) -> str | None:
        found = result.tallies[leaf] if isinstance(leaf, int) else result.known.get(leaf)
        return shown(found, words, leaf in flags)

    return say


def shown(found: Any, words: Words, truth: bool) -> str | None:
    """A value as text for a formula: words in quotes, negative numbers in parentheses."""
    if found is None:
        return None
    if isinstance(found, str):
        return words("quoted", text=found)
    text = value(found, words, truth)
    return f"({text})" if text.startswith("−") else text


TOLD = ("traits", "holds", "required", "uses", "spends", "given")


class Step(NamedTuple):
    name: str
    value: str


class Bout(NamedTuple):
    """One roll of a side in a contest, and the value that is compared."""

    groups: list[Group]
    value: str


class Side(NamedTuple):
    """One side of a contest; several bouts if there were ties."""

    name: str
    inputs: list[Given]
    bouts: list[Bout]
    wins: bool


class Scene(NamedTuple):
    """One roll on an example card.

    `heading` connects it to the roll before. Details are the entries apart from inputs and dice.
    """

    heading: str
    rule: Rule
    inputs: list[Given]
    told: list[Line]
    groups: list[Group]
    steps: list[Step]
    outcome: str
    degree: str
    says: str
    odds: list[Bar]
    how: list[How]
    sides: list[Side]
    differences: list[str]  # what the author wrote, and what the rules say instead


def scene(move: Move, words: Words, heading: str, inputs: list[Given]) -> Scene:
    """Collects the data of a scene from a checked move."""
    result = move.result if not move.sides else None
    degree = "" if move.degree is None else value(move.degree, words)
    return Scene(
        heading,
        move.rule,
        inputs,
        told(move, words),
        groups(result, words) if result else [],
        steps(move, words),
        scenes_outcome(move, words),
        degree,
        says(move, result),
        bars(known, words, move.outcome) if (known := odds(move)) else [],
        derivation(result, words) if result else [],
        sides(move, words),
        differences(move, words),
    )


def told(move: Move, words: Words) -> list[Line]:
    """Entries apart from inputs and dice: traits, specialties, points, results."""
    named = move.part.named if move.part else {}
    return [
        Line(words(f"told {key}"), called(move.rule, key, named[key].value) or words("none"))
        for key in TOLD
        if key in named
    ]


def called(rule: Rule, key: str, text: str) -> str:
    """The text of an entry; points by the labels from the rule, such as "Fate: one die at its highest (luck)"."""
    return ", ".join(point(rule, part.strip()) for part in text.split(",")) if key == "spends" else text


def point(rule: Rule, text: str) -> str:
    """The label of a point, followed by the die it is spent on."""
    found = [one for one in rule.spends if one.label and f"{text.lower()} ".startswith(f"{one.name} ")]
    if not found:
        return text
    best = max(found, key=lambda one: len(one.name))
    die = text[len(best.name) :].strip()
    return f"{best.label} ({die})" if die else best.label


def steps(move: Move, words: Words) -> list[Step]:
    """The steps whose values are known."""
    flags = truths(move.rule)
    return [
        Step(named(name), value(found, words, name in flags)) for name, found in move.steps.items() if found is not None
    ]


def scenes_outcome(move: Move, words: Words) -> str:
    """The name of the outcome, or the winner of a contest."""
    if not move.sides:
        return move.outcome or ""
    return words("nobody wins") if move.outcome == "none" else words("wins", name=move.outcome)


def says(move: Move, result: Result | None) -> str:
    """The sentence of the outcome; empty if one of its values is not known."""
    if result:
        return say(result)
    found = next((one.says for one in move.rule.outcomes if one.name == move.outcome), "")
    text = explain_filled(found, {**move.steps, "degree": move.degree})
    return "" if "?" in text and "?" not in found else text


def odds(move: Move) -> Mapping[str, Chance]:
    """The chances of all outcomes; empty if they do not follow from the inputs alone."""
    named = move.part.named if move.part else {}
    if "spends" in named:  # points are spent after the roll
        return {}
    policy = named["policy"].value.lower() if "policy" in named else ""
    if not move.sides:
        return chances(move.rule, move.inputs, policy) if move.outcome and move.rule.dice else {}
    inputs = {f"{place}.{name}": text for place, side in sided(move) for name, text in inputs_of(side).items()}
    names = {place: side.name for place, side in sided(move)}
    return {names.get(name, name): chance for name, chance in chances(move.rule, inputs, policy).items()}


def sided(move: Move) -> list[tuple[str, Any]]:
    """The sides of a contest with the prefixes of their inputs."""
    return list(zip(SIDES, move.sides, strict=True))


def inputs_of(side: Any) -> Mapping[str, str]:
    texts: Mapping[str, str] = side.bouts[0].move.inputs
    return texts


def sides(move: Move, words: Words) -> list[Side]:
    """The data of all sides of a contest."""
    return [
        Side(
            side.name,
            given(side.bouts[0].move.rule, inputs_of(side), words),
            [
                Bout(groups(bout.move.result, words) if bout.move.result else [], value(bout.value, words))
                for bout in side.bouts
            ],
            side.name == move.outcome,
        )
        for side in move.sides
    ]


def differences(move: Move, words: Words) -> list[str]:
    """Messages for entries whose value differs from the result of the rules."""
    found = []
    real = {**move.steps, "outcome": move.outcome, "degree": move.degree, "winner": move.outcome}
    for entry in move.part.entries if move.part else ():
        if entry.key in real and not same(entry.value, real[entry.key]):
            shown = words("nothing") if real[entry.key] is None else value(real[entry.key], words)
            found.append(words("says but is", name=named(entry.key), said=entry.value, real=shown))
    return found


def same(text: str, found: Any) -> bool:
    """Whether the text of an entry means this value."""
    plain = text.strip().lower().replace("−", "-").lstrip("+")
    plain = {"yes": "1", "true": "1", "no": "0", "false": "0"}.get(plain, plain)
    return plain == str(int(found) if isinstance(found, bool) else found).lower()


class Example(NamedTuple):
    """The scenes of an example and the legend for all of them."""

    scenes: list[Scene]
    legend: list[Meaning]


def example(checked: Checked, words: Words) -> Example | None:
    """The data of an example card; None if it was skipped or could not be evaluated."""
    if not checked.moves or checked.status == "skipped":
        return None
    scenes, base = [], checked.moves[0]
    for move in checked.moves:
        scenes.append(examples_told(move, base, words))
        base = base if part_of(move) == "instead" else move
    rolls = [one.result for move in checked.moves for one in (move, *bouts(move)) if one.result]
    return Example(scenes, legend(rolls, words))


def part_of(move: Move) -> str:
    """`then`, `instead`, or empty for the first roll."""
    return move.part.name if move.part else ""


def bouts(move: Move) -> list[Move]:
    """The rolls of all sides of a contest."""
    return [bout.move for side in move.sides for bout in side.bouts]


def examples_told(move: Move, base: Move, words: Words) -> Scene:
    """A scene with its heading: `instead` lists what it changes; `then` names its rule if that is a different one."""
    inputs = given(move.rule, move.inputs, words)
    if part_of(move) != "instead":
        other = move.rule is not base.rule
        heading = words("then with", rule=move.rule.label) if other else words("then")
        return scene(move, words, heading if part_of(move) else "", inputs)
    before = given(base.rule, base.inputs, words)
    changed = [words("setting", name=one.label, value=one.value).strip() for one in inputs if one not in before]
    if move.rule.game != base.rule.game:
        folder = move.rule.game.rpartition("/")[2]
        changed.append(words("rules of", game=named(folder.replace("-", " ")).capitalize()))
    if move.rule.label != base.rule.label:
        changed.append(move.rule.label)
    changes = ", ".join(changed) or said(move) or words("other dice")
    return scene(move, words, words("what if", changes=changes), no_inputs())


def said(move: Move) -> str:
    """The traits or points of an `instead`, for a heading that has nothing else to list."""
    named = move.part.named if move.part else {}
    return ", ".join(called(move.rule, key, named[key].value) for key in ("traits", "spends") if key in named)


def no_inputs() -> list[Given]:
    """An empty list: the heading lists the changed inputs already."""
    return []
