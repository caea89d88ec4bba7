"""A game as entities that can be compared: each has facts, and children inside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..game.core import REROLL, ROLLS_AGAIN, TURN, Category
from ..game.formula import Node
from ..game.inputs import format_die, format_value
from ..game.model import (
    DiceKind,
    Formula,
    Game,
    Input,
    Order,
    Outcome,
    Roll,
    Rule,
    RuleAgain,
    Sheet,
    Spend,
    Step,
    Table,
    ThrowAgain,
)

_NAMING_FACTS = ("again_roll", "among", "highest", "traits_into", "specialty_into", "unused")  # facts that are names
_MARKING_TESTS = ("good", "bad")  # tests that decide how dice are drawn
PRESENTATION_FACTS = ("label", "also", "face_labels", "says", "see")
Names = Mapping[str, str]  # old name -> new name


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Text from the catalog of messages, by its name there; authors did not write it."""

    name: str
    values: tuple[tuple[str, str], ...] = ()


Text = str | _Phrase


@dataclass(frozen=True, slots=True)
class _Fact:
    """A fact about an entity; facts are equal if their values are, however they are written."""

    value: Any
    text: Text = field(compare=False)


@dataclass(frozen=True)
class Entity:
    """A rule, an input, a row of a table...; `part` says which."""

    part: str
    name: str
    facts: Mapping[str, _Fact]
    children: tuple[Entity, ...] = ()


def _to_fact(value: object) -> _Fact:
    """The value of a formula is its syntax tree; any other value is itself."""
    if isinstance(value, Formula):
        return _Fact(value.node, " ".join(value.text.split()))
    if isinstance(value, bool):
        return _Fact(value, _Phrase("yes" if value else "no"))
    if isinstance(value, _Phrase):
        return _Fact(value, value)
    return _Fact(value, str(value))


def _range_phrase(low: object, high: object) -> _Phrase:
    """For example "2 to 10"."""
    return _Phrase("range", (("low", str(low)), ("high", str(high))))


def _to_facts(**values: object) -> dict[str, _Fact]:
    """Facts for the values that are present."""
    return {name: _to_fact(value) for name, value in values.items() if value not in (None, "", (), [])}


def rename_entity(entity: Entity, names: Names) -> Entity:
    """The same entity with new names in its formulas."""
    if not names:
        return entity
    facts = {
        (names.get(aspect, aspect) if entity.part == "spend" else aspect): _rename_fact(aspect, fact, names)
        for aspect, fact in entity.facts.items()
    }
    return replace(entity, facts=facts, children=tuple(rename_entity(child, names) for child in entity.children))


def _rename_fact(aspect: str, fact: _Fact, names: Names) -> _Fact:
    if isinstance(fact.value, Node):
        return replace(fact, value=_rename_node(fact.value, names))
    if aspect == "aim":
        return replace(fact, value=rename_words(fact.value, names))
    pieces = fact.value.split(", ") if aspect in _NAMING_FACTS and isinstance(fact.value, str) else []
    return replace(fact, value=", ".join(names.get(piece, piece) for piece in pieces)) if pieces else fact


def rename_words(text: str, names: Names) -> str:
    """A text with names in it, such as an aim."""
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), text)


def _rename_node(node: Node, names: Names) -> Node:
    named = node.op in ("name", "set")
    args = [_rename_node(arg, names) if isinstance(arg, Node) else arg for arg in node.args]
    if named and args and isinstance(args[0], str):
        args[0] = names.get(args[0], args[0])
    return Node(node.op, tuple(args))


def list_features(entity: Entity, path: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Everything that defines an entity, except its own name, its label and its text."""
    yield from (
        (*path, aspect, fact.value) for aspect, fact in entity.facts.items() if aspect not in PRESENTATION_FACTS
    )
    for child in entity.children:
        yield from list_features(child, (*path, child.part, child.name))


_NEVER = Node("number", (0,))
_OTHERWISE_FACT = _Fact("otherwise", "")  # the condition of the last outcome, which has no text


def game_entity(game: Game) -> Entity:
    inner = [rule_entity(rule) for rule in game.rules.values()]
    inner += [_table_entity(table) for table in game.tables.values()]
    inner += [category_entity(category) for category in game.traits.values() if category.names]
    inner += [_sheet_entity(sheet) for sheet in game.sheets.values() if sheet.require]
    inner += [_order_entity(order) for order in game.orders.values()]
    return Entity("game", game.folder, _to_facts(title=game.title), tuple(inner))


def rule_entity(rule: Rule) -> Entity:
    inner = [_input_entity(entry) for entry in rule.declared_inputs]
    inner += [_dice_entity(kind) for kind in rule.dice]
    inner += [_reroll_entity(number, reroll) for number, reroll in enumerate(rule.rerolls, 1)]
    inner += [_step_entity(step) for step in rule.steps]
    inner += [_outcome_entity(outcome) for outcome in rule.outcomes]
    inner += [Entity("mark", name, _to_facts(formula=formula)) for name, formula in rule.marks.items()]
    inner += [_spend_entity(spend) for spend in rule.spends]
    inner += [_roll_entity(roll) for roll in rule.rolls]
    carry = rule.rounds.carry if rule.rounds else {}
    inner += [Entity("carry", name, _to_facts(formula=formula)) for name, formula in carry.items()]
    return Entity("rule", rule.name, dict(_rule_facts(rule)), tuple(inner))


def _again_facts(entry: ThrowAgain, sort: str) -> dict[str, _Fact]:
    more = {"roll": entry.roll, "times": entry.count} if sort == "again" else {}
    return _to_facts(when=entry.when, **more, optional=_formula_unless_never(entry.optional))


def _rule_facts(rule: Rule) -> Iterator[tuple[str, _Fact]]:
    aim = rule.aim.text if rule.aim else ""
    yield from _to_facts(label=rule.label, aim=aim).items()
    if rule.rounds:
        yield from _to_facts(until=rule.rounds.until, most=rule.rounds.most).items()
    if rule.contest:
        names = (side.name for side in rule.contest.of)
        of = _Phrase("against", tuple(zip(("first", "second"), names, strict=True))) if rule.contest.of else ""
        yield from _to_facts(sides=of, compared=rule.contest.compare, ties=rule.contest.ties).items()
    if rule.traits:
        into, one_of = ", ".join(rule.traits.into), ", ".join(rule.traits.one_of)
        yield from _to_facts(traits_into=into, traits_most=rule.traits.most, traits_one_of=one_of).items()
    if rule.specialties:
        own = rule.specialties
        yield from _to_facts(
            specialty_into=own.into, specialty_per_dot=own.per_dot, specialty_least=own.least, unused=own.unused_adds
        ).items()


def _input_entity(entry: Input) -> Entity:
    facts = _to_facts(
        label=entry.label, also=", ".join(entry.also), values=_allowed_values(entry),
        names=entry.names.name if entry.names else "", open=entry.open or None, asked=entry.asked,
    )  # fmt: skip
    return Entity("input", entry.name, facts | ({} if entry.default is None else {"default": _default_fact(entry)}))


def _default_fact(entry: Input) -> _Fact:
    return _to_fact(bool(entry.default) if entry.form == "flag" else format_value(entry, entry.default))


def _allowed_values(entry: Input) -> Text:
    """For example "2 to 10"."""
    by_form: dict[str, Text] = {
        "number": _range_phrase(entry.least, entry.most),
        "flag": _Phrase("yes or no"),
        "choice": ", ".join(entry.choices),
        "die": ", ".join(map(format_die, entry.dice)),
        "code": _range_phrase(f"{entry.least}D", f"{entry.most}D"),
    }
    return by_form[entry.form]


def _dice_entity(kind: DiceKind) -> Entity:
    listed = (f"{face.mark} = {face.value}" + (f" ({face.copies} ×)" if face.copies > 1 else "") for face in kind.faces)
    deck = ", ".join(f"{face.mark} = {copies.text}" for face, copies in zip(kind.faces, kind.deck, strict=False))
    deck = f"deck = {kind.deck_of}" if kind.deck_of else deck
    tests = "; ".join(f"{word} = {test.text}" for word, test in kind.tests.items() if word not in _MARKING_TESTS)
    marking = {word: test for word, test in kind.tests.items() if word in _MARKING_TESTS}
    named = {face.mark: ", ".join(filter(None, (face.label, *face.also))) for face in kind.faces}
    names = "; ".join(f"{mark} = {text}" for mark, text in named.items() if text)
    facts = _to_facts(
        label=kind.label, also=", ".join(kind.also), count=kind.count, sides=kind.sides, deck=deck,
        faces="" if kind.deck else ", ".join(listed), face_labels=names, tests=tests, **marking,
    )  # fmt: skip
    for number, entry in enumerate(kind.again):
        sort = entry.roll if entry.roll in ROLLS_AGAIN else "again"
        is_more = any((other.roll if other.roll in ROLLS_AGAIN else "again") == sort for other in kind.again[:number])
        facts |= {
            f"{sort}_{name}" + f" {number + 1}" * is_more: fact for name, fact in _again_facts(entry, sort).items()
        }
    return Entity("dice", kind.name, facts)


def _formula_unless_never(test: Formula) -> Formula | None:
    """None for the default test, which is not in the game file."""
    return None if test.node == _NEVER else test


def _reroll_entity(number: int, reroll: RuleAgain) -> Entity:
    earned: dict[str, Any] = {} if reroll.roll == REROLL else {"again_roll": reroll.roll, "again_times": reroll.count}
    if reroll.roll == TURN:
        earned = {"turn": reroll.turn or "any"}
    facts = _to_facts(
        times=reroll.times, among=", ".join(reroll.of), pick=reroll.pick, keep=reroll.keep, when=reroll.when, **earned
    )
    return Entity("reroll", str(number), facts)


def _roll_entity(roll: Roll) -> Entity:
    return Entity("roll", roll.name, _to_facts(**dict(roll.given), rolled=roll.rule, when=roll.when, times=roll.times))


def _step_entity(step: Step) -> Entity:
    label = _Phrase("hidden") if step.label == "" else step.label
    return Entity("step", step.name, _to_facts(label=label, also=", ".join(step.also), formula=step.formula))


def _outcome_entity(outcome: Outcome) -> Entity:
    facts = _to_facts(
        label=outcome.label, also=", ".join(outcome.also), when=outcome.when, degree=outcome.degree,
        says=outcome.says, see=outcome.see,
    )  # fmt: skip
    return Entity("outcome", outcome.name, {"when": _OTHERWISE_FACT, **facts})


def _spend_entity(spend: Spend) -> Entity:
    facts = _to_facts(label=spend.label, point=spend.point, most=spend.most, highest=", ".join(spend.highest))
    facts |= _to_facts(traits=", ".join(spend.traits), **dict(spend.changes))
    return Entity("spend", spend.name, facts)


def _table_entity(table: Table) -> Entity:
    rows = [_row_entity(name, table.columns, cells) for name, cells in table.rows.items()]
    rows += [_row_entity(_range_text(low, high), table.columns, cells) for low, high, cells in table.ranges]
    return Entity("table", table.name, {}, tuple(rows))


def _row_entity(name: str, columns: tuple[str, ...], cells: tuple[object, ...]) -> Entity:
    return Entity("row", name, {column: _to_fact(cell) for column, cell in zip(columns, cells, strict=False)})


def _range_text(low: int | None, high: int | None) -> str:
    return str(low) if low == high else f"{'' if low is None else low}..{'' if high is None else high}"


def category_entity(category: Category) -> Entity:
    span = "" if category.least is None and category.most is None else _range_text(category.least, category.most)
    untrained: Text = _Phrase("no") if category.untrained is None else ", ".join(
        f"{name} = {formula.text}" for name, formula in category.untrained.items()
    )  # fmt: skip
    return Entity(
        "traits",
        category.name,
        _to_facts(values=span, untrained=untrained),
        tuple(_trait_entity(category, name) for name in category.names),
    )


def _trait_entity(category: Category, name: str) -> Entity:
    groups = ", ".join(group for group, names in category.groups.items() if name in names)
    sorts = category.specialties.get(name, {})
    by_sort = {sort: _to_fact(", ".join(names)) for sort, names in sorts.items() if names}
    aliases = ", ".join(category.aliases.get(name, ()))
    return Entity("trait", name, {**by_sort, **_to_facts(groups=groups, aliases=aliases)})


def _sheet_entity(sheet: Sheet) -> Entity:
    lines = (Entity("requirement", name, _to_facts(formula=formula)) for name, formula in sheet.require.items())
    return Entity("sheet", sheet.name, {}, tuple(lines))


def _order_entity(order: Order) -> Entity:
    keys = ", ".join(f"-{key}" if key in order.descending else key for key in order.keys)
    return Entity("order", order.name, _to_facts(keys=keys, teams=order.team_key, out=", ".join(order.excluding_keys)))
