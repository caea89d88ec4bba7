"""Data of example cards: the first roll, and a row for each `then` and each `instead`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...checks.model import CheckedBlock, Move
from ...checks.scene import stated_step
from ...game.core import AIM
from ...game.formula import collect_names
from ...game.inputs import parse_value
from ...game.model import CONTEST_SIDES, Rule
from ...odds.distribution import Chance
from ...odds.rule_odds import compute_chances
from ...play.result import Result, describe_outcome, fill_placeholders
from ..number_format import counted_noun, format_value
from ..roll_data import inputs_query
from ..strings import Words
from .chips import Chip, list_chips
from .derivation import Derivation, explain_result, find_booleans
from .dice import DiceGroup, MarkMeaning, group_dice, list_marks
from .outcome_odds import OutcomeOdds, build_outcome_odds, name_outcomes
from .side_names import name_sides
from .why import explain_compared, explain_outcome, explain_step
from .wording import format_title, input_label, lowercase_label, outcome_name, reader_name


class Bout(NamedTuple):
    """One roll of a side in a contest, and the value that is compared."""

    groups: list[DiceGroup]
    value: str


class ContestSide(NamedTuple):
    """One side of a contest; several bouts if there were ties."""

    name: str
    bouts: list[Bout]
    wins: bool


class Scene(NamedTuple):
    """One roll of an example: what its card shows, and what it explains on request.

    `heading` connects it to the roll before it; `inputs` is a query string from which the roller starts.
    """

    heading: str
    rule: Rule
    inputs: str
    chips: list[Chip]
    groups: list[DiceGroup]
    sides: list[ContestSide]
    outcome: str
    outcome_name: str  # as the rule declares it
    degree: str
    why: str
    odds: OutcomeOdds | None
    how: list[Derivation]
    marks: list[MarkMeaning]
    differences: list[str]  # what the author wrote, and what the rules say instead
    winners: str = ""  # the names of sides by their rolls, as JSON


class Example(NamedTuple):
    """The rolls of an example: the first on the card, and rows below it that unfold under their title."""

    scene: Scene
    rows: list[Scene]
    rows_title: str

    @property
    def chips(self) -> list[Chip]:
        return self.scene.chips


def build_example(checked: CheckedBlock, words: Words) -> Example | None:
    """The data of an example card; None if it was skipped or could not be evaluated."""
    if not checked.moves or checked.status == "skipped":
        return None
    scenes, base, explained = list[Scene](), checked.moves[0], list[MarkMeaning]()
    for move in checked.moves:
        scene = _build_scene(move, base, words)
        scenes.append(scene._replace(marks=[mark for mark in scene.marks if mark not in explained]))
        explained += scene.marks
        base = base if _part_name(move) == "instead" else move
    are_what_ifs = all(_part_name(move) == "instead" for move in checked.moves[1:])
    title = counted_noun("what-ifs" if are_what_ifs else "further rolls", len(scenes) - 1, words)
    return Example(scenes[0], scenes[1:], title)


def _build_scene(move: Move, base: Move, words: Words) -> Scene:
    """Collects the data of a scene from a checked move."""
    chances, declared = move_chances(move), move.rule
    move, base = (one._replace(rule=name_sides(one.rule, one.winners)) for one in (move, base))
    result = move.result if not move.sides else None
    rolls = [roll.result for roll in (move, *(bout.move for side in move.sides for bout in side.bouts)) if roll.result]
    side_names = [side.name for side in move.sides]
    named = name_outcomes(move.rule, chances, words, side_names)
    says = _fill_sentence(move, result)
    changes = _list_changes(move, base, words) if _part_name(move) == "instead" else []
    return Scene(
        _describe_part(move, base, changes, words),
        declared,
        inputs_query(move.rule, _prefixed_inputs(move)),
        [chip for chip in _list_scene_chips(move, words) if chip.text not in changes],
        group_dice(move.rule, result, words) if result else [],
        _build_sides(move, words),
        _format_outcome(move, words),
        move.outcome or "",
        "" if move.degree is None or (says and not move.rule.dice) else format_value(move.degree, words),
        _explain(move, words, says),
        build_outcome_odds(named, words, outcome_name(move.rule, move.outcome or "")),
        explain_result(move.rule, result, words, says) if result else [],
        list_marks(move.rule, rolls, words),
        _list_differences(move, words),
        json.dumps(dict(move.winners), ensure_ascii=False) if move.winners else "",
    )


def _prefixed_inputs(move: Move) -> dict[str, str]:
    """The inputs of a roll; those of a contest have the prefixes of their sides."""
    if not move.sides:
        return dict(move.inputs)
    sides = zip(CONTEST_SIDES, move.sides, strict=True)
    return {f"{place}.{name}": text for place, side in sides for name, text in side.bouts[0].move.inputs.items()}


def _list_scene_chips(move: Move, words: Words) -> list[Chip]:
    """The inputs of a roll, then traits, points and results; traits stand for the dice that they bring."""
    details = _list_details(move, words)
    chips = list_chips(move.rule, _prefixed_inputs(move), words, [side.name for side in move.sides])
    if move.part and "traits" in move.part.by_key:
        brought = {entry.name for entry in move.rule.inputs if entry.form in ("die", "code")}
        chips = [chip for chip in chips if chip.name not in brought]
    return [*chips, *details]


_DETAIL_KEYS = ("traits", "holds", "required", "uses", "spends", "given")


def _list_details(move: Move, words: Words) -> list[Chip]:
    """Entries apart from inputs and dice: traits, specialties, points, results."""
    entries = move.part.by_key if move.part else {}
    texts = {key: _format_detail(move.rule, key, entries[key].value) for key in _DETAIL_KEYS if key in entries}
    return [
        Chip(key if key == "spends" else "", words(f"told {key}", what=text))
        for key, text in texts.items()
        if text not in ("", "none")
    ]


def _format_detail(rule: Rule, key: str, text: str) -> str:
    """The text of an entry; points by the labels from the rule, such as "Fate: one die at its highest (luck)"."""
    return ", ".join(_format_spend(rule, part.strip()) for part in text.split(",")) if key == "spends" else text


def _format_spend(rule: Rule, text: str) -> str:
    """The label of a point, followed by the die it is spent on."""
    spends = [spend for spend in rule.spends if spend.label and f"{text.lower()} ".startswith(f"{spend.name} ")]
    if not spends:
        return text
    longest = max(spends, key=lambda spend: len(spend.name))
    die = text[len(longest.name) :].strip()
    return f"{longest.label} ({die})" if die else longest.label


def _format_outcome(move: Move, words: Words) -> str:
    """The name of the outcome, the winner of a contest, or the results of a rule without outcomes."""
    if move.sides and move.outcome == "none":
        return words("nobody wins")
    if move.sides or move.winner in move.winners.values():
        return words("wins", name=move.winner)
    return format_title(outcome_name(move.rule, move.outcome)) if move.outcome else _list_results(move, words)


def _explain(move: Move, words: Words, says: str) -> str:
    """The line under the outcome: the values that decided, or the sentence of the outcome where no dice did."""
    results = [] if move.sides or move.outcome else _result_steps(move)
    if len(results) == 1:
        return explain_step(move, results[0], words)
    return (says or explain_outcome(move, words)) if not move.rule.dice else (explain_outcome(move, words) or says)


def _result_steps(move: Move) -> list[str]:
    """The steps that no other step uses and that say something: without what is not known or does not hold."""
    used = {name for step in move.rule.steps for name in collect_names(step.formula.node)}
    boolean_names = find_booleans(move.rule)
    return [
        name
        for name, value in move.steps.items()
        if name not in used and reader_name(move.rule, name) and (value or (value == 0 and name not in boolean_names))
    ]


def _list_results(move: Move, words: Words) -> str:
    """The results of a rule without outcomes."""
    boolean_names = find_booleans(move.rule)
    results = [
        words("setting", name=name, value="" if step in boolean_names else format_value(move.steps[step], words))
        for step in _result_steps(move)
        if (name := reader_name(move.rule, step))
    ]
    return format_title(", ".join(text.strip() for text in results))


def _fill_sentence(move: Move, result: Result | None) -> str:
    """The sentence of the outcome; empty if one of its values is not known."""
    if result:
        return describe_outcome(result)
    sentence = next((outcome.says for outcome in move.rule.outcomes if outcome.name == move.outcome), "")
    text = fill_placeholders(sentence, {**move.steps, "degree": move.degree})
    return "" if "?" in text and "?" not in sentence else text


def move_chances(move: Move) -> Mapping[str, Chance]:
    """The chances of all outcomes; empty if they do not follow from the inputs alone."""
    entries = move.part.by_key if move.part else {}
    if "spends" in entries or not (move.sides or (move.outcome and move.rule.dice)):  # points are spent after the roll
        return {}
    aim = entries[AIM].value.lower() if AIM in entries and AIM not in _prefixed_inputs(move) else ""
    return compute_chances(move.rule, _prefixed_inputs(move), aim)


def _build_sides(move: Move, words: Words) -> list[ContestSide]:
    """The data of all sides of a contest."""
    compared = move.rule.contest.compare if move.rule.contest else ""
    return [
        ContestSide(
            side.name,
            [
                Bout(
                    group_dice(bout.move.rule, bout.move.result, words) if bout.move.result else [],
                    explain_compared(bout.move, compared, bout.value, words),
                )
                for bout in side.bouts
            ],
            side.name == move.outcome,
        )
        for side in move.sides
    ]


def _list_differences(move: Move, words: Words) -> list[str]:
    """Messages for entries whose value differs from the result of the rules."""
    messages = []
    actual = {**move.steps, "outcome": move.outcome, "degree": move.degree, "winner": move.winner}
    for entry in move.part.entries if move.part else ():
        name = stated_step(entry)
        if name in actual and not _is_same_value(entry.value, actual[name]):
            actual_text = words("nothing") if actual[name] is None else format_value(actual[name], words)
            messages.append(words("says but is", name=reader_name(move.rule, name), said=entry.value, real=actual_text))
    return messages


def _is_same_value(text: str, actual: Any) -> bool:
    """Whether the text of an entry means this value."""
    normalized = text.strip().lower().replace("−", "-").lstrip("+")
    normalized = {"yes": "1", "true": "1", "no": "0", "false": "0"}.get(normalized, normalized)
    written = str(int(actual) if isinstance(actual, bool) else actual).lower()
    return sorted(normalized.split()) == sorted(written.split())  # dice of a set come in any order


def _part_name(move: Move) -> str:
    """`then`, `instead`, or empty for the first roll."""
    return move.part.name if move.part else ""


def _describe_part(move: Move, base: Move, changes: list[str], words: Words) -> str:
    """The heading of a row: `instead` lists what it changes; `then` names its rule if that is a different one."""
    if not _part_name(move):
        return ""
    if _part_name(move) == "then":
        return words("then with", rule=move.rule.label) if move.rule.name != base.rule.name else words("then")
    return words("what if", changes=", ".join(changes) or words("other dice"))


def _list_changes(move: Move, base: Move, words: Words) -> list[str]:
    """What is different from the roll before: inputs, game and rule, or else traits and points."""
    texts = {name: text for name, text in _prefixed_inputs(move).items() if _prefixed_inputs(base).get(name) != text}
    changes = [chip.text for chip in list_chips(move.rule, texts, words, [side.name for side in move.sides])]
    dropped = [entry for entry in move.rule.inputs if entry.form == "flag" and entry.name in texts]
    changes += [
        words("not", what=lowercase_label(input_label(entry), words))
        for entry in dropped
        if not parse_value(entry, texts[entry.name])[0]
    ]
    if move.rule.game != base.rule.game:
        changes.append(words("rules of", game=format_title(move.rule.game.rpartition("/")[2].replace("-", " "))))
    if move.rule.label != base.rule.label:
        changes.append(move.rule.label)
    entries = move.part.by_key if move.part else {}
    return changes or [
        _format_detail(move.rule, key, entries[key].value) for key in ("traits", "spends") if key in entries
    ]
