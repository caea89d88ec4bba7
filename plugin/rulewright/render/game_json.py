"""A game as JSON for the browser: all its rules, with formulas as trees.

`web/engine/engine.d.ts` describes every key (GameData). What follows from the declaration alone is computed here, so
that the browser need not: tallies over the dice, the order of steps and inputs, formulas that need no dice.
"""

from __future__ import annotations

import json
from typing import Any

from ..game.formula import DICE_FUNCTIONS, Node
from ..game.model import Category, DiceKind, Formula, Game, Input, Outcome, Reroll, Rule, Spend, Table
from ..play.compiled_rule import CompiledRule, Tally, compile_rule

_VERSION = 1


def game_json(game: Game) -> str:
    """The JSON text of a game; the same game always gives the same text."""
    return json.dumps(game_data(game), ensure_ascii=False, separators=(",", ":"))


def game_data(game: Game) -> dict[str, Any]:
    return {
        "version": _VERSION,
        "folder": game.folder,
        "alone": game.is_inline,
        "title": game.title,
        "tables": {name: _table_data(table) for name, table in game.tables.items()},
        "register": {name: _category_data(category) for name, category in game.traits.items()}
        if _takes_traits(game)
        else {},
        "rules": {name: RuleWriter(rule).data() for name, rule in game.rules.items()},
    }


def _table_data(table: Table) -> dict[str, Any]:
    return {
        "columns": list(table.columns),
        "rows": {name: list(cells) for name, cells in table.rows.items()},
        "ranges": [[low, high, list(cells)] for low, high, cells in table.ranges],
    }


class RuleWriter:
    """Converts one rule; its formulas refer to dice kinds and tallies by number."""

    def __init__(self, rule: Rule) -> None:
        self.rule, self.compiled = rule, compile_rule(rule)

    def data(self) -> dict[str, Any]:
        rule, compiled = self.rule, self.compiled
        steps = [[step.name, self.formula(step.formula), *_label_entry(step.label)] for step in rule.steps]
        marks = {name: self.formula(mark) for name, mark in rule.marks.items()}
        outcomes = [self.outcome(outcome) for outcome in rule.outcomes]
        inputs = [self.input(entry) for entry in rule.inputs]
        return {
            "label": rule.label,
            "inputs": inputs,
            "dice": [self.kind(kind) for kind in rule.dice],
            "rerolls": [self.reroll(entry) for entry in rule.rerolls],
            "tallies": [_tally_data(tally) for tally in compiled.tallies],
            "order": compiled.order,
            "fixed": compiled.fixed,
            "steps": steps,
            "marks": marks,
            "outcomes": outcomes,
            "policies": list(rule.policies),
            "traits": _traits_data(rule),
            "spends": [self.spend(spend) for spend in rule.spends],
            "contest": _contest_data(rule),
        }

    def formula(self, formula: Formula | None) -> Any:
        """A number as it is, else the tree and the text split at the values that explanations fill in."""
        if formula is None:
            return None
        tree = _tree_data(self.compiled.get_node(formula))
        return tree if formula.text == str(tree) else {"tree": tree, "text": _text_pieces(formula, self.compiled)}

    def input(self, entry: Input) -> dict[str, Any]:
        keys = ("name", "form", "label", "least", "most", "choices", "dice", "parts", "default", "open")
        plain = {key: getattr(entry, key) for key in keys}
        return plain | {"names": entry.names.name if entry.names else None, "asked": self.formula(entry.asked)}

    def kind(self, kind: DiceKind) -> dict[str, Any]:
        labels = {face.mark: face.label or None for face in kind.face_names}
        faces = [[mark, value, *_label_entry(labels.get(mark))] for mark, value in kind.faces]
        plain = {"name": kind.name, "faces": faces} | _label_key(kind.label)
        formulas = {key: self.formula(getattr(kind, key)) for key in ("count", "sides", "good", "bad")}
        return plain | formulas | {"again": self.again(kind), "explode": self.explode(kind), "keep": self.keep(kind)}

    def again(self, kind: DiceKind) -> dict[str, Any] | None:
        again = kind.again
        if not again:
            return None
        roll = self.rule.kind_indices[again.roll]
        return {"roll": roll} | {key: self.formula(getattr(again, key)) for key in ("when", "times", "optional")}

    def explode(self, kind: DiceKind) -> dict[str, Any] | None:
        explode = kind.explode
        if not explode:
            return None
        return {"when": self.formula(explode.when), "optional": self.formula(explode.optional)}

    def keep(self, kind: DiceKind) -> dict[str, Any] | None:
        keep = kind.keep
        return {"highest": keep.highest, "number": self.formula(keep.number)} if keep else None

    def reroll(self, entry: Reroll) -> dict[str, Any]:
        among = [self.rule.kind_indices[name] for name in entry.among]
        formulas = {"times": self.formula(entry.times), "when": self.formula(entry.when)}
        return {"among": among, "pick": entry.pick, "keep": entry.keep} | formulas

    def outcome(self, outcome: Outcome) -> dict[str, Any]:
        plain = {"name": outcome.name, "says": outcome.says, "see": outcome.see} | _label_key(outcome.label)
        return plain | {"when": self.formula(outcome.when), "degree": self.formula(outcome.degree)}

    def spend(self, spend: Spend) -> dict[str, Any]:
        plain = {"name": spend.name, "label": spend.label, "point": spend.point, "most": spend.most}
        changes = {name: self.formula(formula) for name, formula in spend.changes.items()}
        return plain | {"traits": list(spend.traits), "highest": list(spend.highest), "changes": changes}


def _label_entry(label: str | None) -> list[str]:
    """The last entry of a list: a label where there is one; that of a hidden step is empty."""
    return [] if label is None else [label]


def _label_key(label: str) -> dict[str, str]:
    return {"label": label} if label else {}


def _takes_traits(game: Game) -> bool:
    """Does any rule take traits? If not, the browser needs no trait names."""
    return any(rule.traits for rule in game.rules.values())


def _category_data(category: Category) -> dict[str, Any]:
    untrained = category.untrained
    return {
        "name": category.name,
        "names": list(category.names),
        "least": category.least,
        "most": category.most,
        "aliases": {name: list(others) for name, others in category.aliases.items()},
        "specialties": [
            [plain.partition(" (")[0], kind, trait]
            for trait, kinds in category.specialties.items()
            for kind, names in kinds.items()
            for plain in names
        ],
        "untrained": None
        if untrained is None
        else {name: _input_formula_data(formula) for name, formula in untrained.items()},
    }


def _input_formula_data(formula: Formula) -> dict[str, Any]:
    """A formula over inputs alone, which no explanation shows."""
    return {"tree": _tree_data(formula.node), "text": [formula.text]}


def _traits_data(rule: Rule) -> dict[str, Any] | None:
    traits = rule.traits
    return {"into": list(traits.into), "most": traits.most, "one_of": list(traits.one_of)} if traits else None


def _tally_data(tally: Tally) -> dict[str, Any]:
    test = None if tally.test is None else _tree_data(tally.test)
    return {"function": tally.function, "kind": tally.kind, "test": test, "perThrow": tally.is_per_throw}


def _contest_data(rule: Rule) -> dict[str, Any] | None:
    contest = rule.contest
    if not contest:
        return None
    return {"of": [own.name for own in contest.of], "compare": contest.compare, "ties": contest.ties}


def _tree_data(node: Node) -> Any:
    """Numbers as they are, else a list: the operation and its arguments."""
    if node.op == "number":
        return node.args[0]
    if node.op == "tally":
        return ["tally", int(node.args[0][1:])]
    return [node.op, *(_tree_data(arg) if isinstance(arg, Node) else arg for arg in node.args)]


def _text_pieces(formula: Formula, compiled: CompiledRule) -> list[Any]:
    """The text of a formula in pieces: plain text alternates with [source, name or tally number]."""
    pieces: list[Any] = []
    at = 0
    for node in _replaced_nodes(formula.node):
        own = formula.text[node.start : node.end]
        pieces += [formula.text[at : node.start], [own, replaced_data(node, compiled)]]
        at = node.end
    return [*pieces, formula.text[at:]]


def replaced_data(node: Node, compiled: CompiledRule) -> str | int:
    """The name of a value, or the number of a tally."""
    return str(node.args[0]) if node.op == "name" else int(compiled.get_tally_name(node)[1:])


def _replaced_nodes(node: Node) -> list[Node]:
    """The nodes that an explanation replaces by their values, in reading order."""
    if node.op == "name" or node.op in DICE_FUNCTIONS:
        return [node]
    return sorted(
        (slot for child in node.child_nodes() for slot in _replaced_nodes(child)), key=lambda leaf: leaf.start
    )
