"""The core as JSON, and its JSON Schema: each class of `core.py` becomes an object with its fields.

Formulas of a rule share one list of `nodes`; each entry is `[operation, argument…]` and refers only to entries before
it. A formula is the number of its node with its text in pieces, or just a number; pieces at odd places are what
explanations replace by values."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from .core import IF_SET, Core, CoreRule, CoreTable, Expression
from .formula import Node

_LITERALS = ("number", "word", "name", "tally", "dice", "faces")  # operations whose arguments are no nodes
_OWN_NODES = (Core, CoreRule)  # objects with a list of nodes


def core_to_json(core: Core) -> dict[str, Any]:
    data: dict[str, Any] = _Encoder([], {}).encode(Core, core)
    return data


def rule_to_json(rule: CoreRule) -> dict[str, Any]:
    data: dict[str, Any] = _Encoder([], {}).encode(CoreRule, rule)
    return data


def core_text(core: Core, **more: Any) -> str:
    """The JSON text of a core, with more entries; the same core always gives the same text."""
    return json.dumps({**core_to_json(core), **more}, ensure_ascii=False, separators=(",", ":"))


def core_from_json(data: Mapping[str, Any]) -> Core:
    decoder = _Decoder(data["tables"])
    read: Core = decoder.decode(Core, data)
    rules = {name: replace(rule, tables=decoder.tables, categories=read.register) for name, rule in read.rules.items()}
    for name, rule in rules.items():
        if rule.contest:
            rules[name] = replace(rule, sides=tuple(rules[side] for side in rule.contest.of))
    return replace(read, tables=decoder.tables, rules=rules)


def core_schema() -> dict[str, Any]:
    """The JSON Schema of a core."""
    definitions: dict[str, Any] = {
        "Expression": {
            "description": "A number, or the number of a node with the text of the formula in pieces.",
            "anyOf": [
                {"type": "integer"},
                _object(
                    {
                        "node": {"type": "integer"},
                        "text": {"type": "array", "items": {"anyOf": [{"type": "string"}, _SLOT]}},
                    }
                ),
            ],
        }
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The core of a game",
        **_schema(Core, definitions),
        "$defs": definitions,
    }


class _TableName:
    """A table, written as its name."""


@cache
def _field_types(owner: type) -> dict[str, Any]:
    """The fields of a class that are written, with their types."""
    types = get_type_hints(owner)
    written = {entry.name: entry.metadata.get("json", True) for entry in fields(owner)}
    return {name: _TableName | None if how == "name" else types[name] for name, how in written.items() if how}


@cache
def _left_out(owner: type) -> frozenset[str]:
    """The fields of a class that are only written where they are set."""
    return frozenset(entry.name for entry in fields(owner) if entry.metadata.get("json") == IF_SET["json"])


def _is_written(declared: type, name: str, value: Any) -> bool:
    return value is not None or name not in _left_out(declared)


def _split_optional(declared: Any) -> tuple[Any, bool]:
    """A type without None, and whether None is allowed."""
    options = get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)
    return Union[tuple(option for option in options if option is not NoneType)], NoneType in options  # noqa: UP007


def _part_types(declared: Any, length: int) -> list[Any]:
    """The types of the parts of a tuple."""
    types = get_args(declared)
    return [types[0]] * length if types[-1] is Ellipsis else [*types]


@dataclass(frozen=True)
class _Encoder:
    """Writes values by their declared types; `nodes` are those of the rule, `numbers` say where each is."""

    nodes: list[list[Any]]
    numbers: dict[Node, int]

    def encode(self, declared: Any, value: Any) -> Any:
        declared, _ = _split_optional(declared)
        if value is None:
            return None
        if declared is Expression:
            return self.encode_formula(value)
        if declared is Node:
            return self.number_node(value)
        if declared is _TableName:
            return value.name
        if is_dataclass(declared) and isinstance(declared, type):
            encoder = _Encoder([], {}) if declared in _OWN_NODES else self
            parts = ((name, own, getattr(value, name)) for name, own in _field_types(declared).items())
            written = ((name, own, part) for name, own, part in parts if _is_written(declared, name, part))
            data = {name: encoder.encode(own, part) for name, own, part in written}
            return {**data, "nodes": encoder.nodes} if encoder is not self else data
        if get_origin(declared) is tuple:
            types = _part_types(declared, len(value))
            return [self.encode(own, part) for own, part in zip(types, value, strict=True)]
        if get_origin(declared) is Mapping:
            return {name: self.encode(get_args(declared)[1], part) for name, part in value.items()}
        return list(value) if isinstance(value, tuple) else value

    def encode_formula(self, formula: Expression) -> Any:
        if formula.node.op == "number" and formula.text == str(formula.node.args[0]):
            return formula.node.args[0]
        pieces: list[Any] = []
        at = 0
        for start, end, leaf in formula.slots:
            pieces += [formula.text[at:start], [formula.text[start:end], leaf if isinstance(leaf, str) else list(leaf)]]
            at = end
        return {"node": self.number_node(formula.node), "text": [*pieces, formula.text[at:]]}

    def number_node(self, node: Node) -> int:
        if node not in self.numbers:
            leaf = int(node.args[0][1:]) if node.op == "tally" else None
            args = (self.number_node(arg) if isinstance(arg, Node) else arg for arg in node.args)
            self.nodes.append([node.op, *args] if leaf is None else [node.op, leaf])
            self.numbers[node] = len(self.nodes) - 1
        return self.numbers[node]


class _Decoder:
    """Reads values by their declared types."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.nodes: list[Node] = []
        self.tables = {name: self.decode(CoreTable, table) for name, table in tables.items()}

    def decode(self, declared: Any, data: Any) -> Any:
        declared, _ = _split_optional(declared)
        if data is None:
            return None
        if declared is Expression:
            return self.decode_formula(data)
        if declared is Node:
            return self.nodes[data]
        if declared is _TableName:
            return self.tables[data]
        if is_dataclass(declared) and isinstance(declared, type):
            outside = self.nodes
            self.nodes = outside if declared not in _OWN_NODES else []
            for entry in data.get("nodes", ()):
                self.nodes.append(self.decode_node(*entry))
            values = {
                name: self.decode(own, data[name]) for name, own in _field_types(declared).items() if name in data
            }
            self.nodes = outside
            return declared(**values)
        if get_origin(declared) is tuple:
            types = _part_types(declared, len(data))
            return tuple(self.decode(own, part) for own, part in zip(types, data, strict=True))
        if get_origin(declared) is Mapping:
            return {name: self.decode(get_args(declared)[1], part) for name, part in data.items()}
        return tuple(data) if isinstance(data, list) else data

    def decode_formula(self, data: Any) -> Expression:
        if isinstance(data, int):
            return Expression(str(data), Node("number", (data,)))
        text, slots = "", []
        for piece in data["text"]:
            if isinstance(piece, list):
                leaf = piece[1] if isinstance(piece[1], str) else tuple(piece[1])
                slots.append((len(text), len(text) + len(piece[0]), leaf))
            text += piece if isinstance(piece, str) else piece[0]
        return Expression(text, self.nodes[data["node"]], slots=tuple(slots))

    def decode_node(self, op: str, *args: Any) -> Node:
        if op == "tally":
            return Node(op, (f"t{args[0]}",))
        if op in _LITERALS:
            return Node(op, args)
        return Node(op, tuple(self.nodes[arg] if isinstance(arg, int) else arg for arg in args))


def _schema(declared: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; classes become definitions."""
    declared, can_be_null = _split_optional(declared)
    if can_be_null:
        return {"anyOf": [_schema(declared, definitions), {"type": "null"}]}
    if get_origin(declared) is Union:
        return {"anyOf": [_schema(option, definitions) for option in get_args(declared)]}
    if get_origin(declared) is tuple:
        types = get_args(declared)
        if types[-1] is Ellipsis:
            return {"type": "array", "items": _schema(types[0], definitions)}
        parts = [_schema(own, definitions) for own in types]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
    if get_origin(declared) is Mapping:
        return {"type": "object", "additionalProperties": _schema(get_args(declared)[1], definitions)}
    if declared not in _PLAIN_SCHEMAS and is_dataclass(declared) and isinstance(declared, type):
        if declared.__name__ not in definitions:
            definitions[declared.__name__] = {}
            keys = {name: _schema(own, definitions) for name, own in _field_types(declared).items()}
            keys |= {"nodes": _NODES} if declared in _OWN_NODES else {}
            description = " ".join((declared.__doc__ or "").split())
            is_described = not description.startswith(f"{declared.__name__}(")  # Python describes all other classes so
            own = _object(keys, _left_out(declared))
            definitions[declared.__name__] = {**({"description": description} if is_described else {}), **own}
        return {"$ref": f"#/$defs/{declared.__name__}"}
    return dict(_PLAIN_SCHEMAS[declared])


def _object(keys: Mapping[str, Any], left_out: Collection[str] = ()) -> dict[str, Any]:
    required = [key for key in keys if key not in left_out]
    return {"type": "object", "properties": {**keys}, "required": required, "additionalProperties": False}


_NAME_OR_NUMBER = {"type": ["string", "integer"]}
_LEAF = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}
_SLOT = {"type": "array", "prefixItems": [{"type": "string"}, _LEAF], "minItems": 2, "maxItems": 2}
_NODES = {
    "type": "array",
    "items": {"type": "array", "prefixItems": [{"type": "string"}], "items": _NAME_OR_NUMBER, "minItems": 2},
}
_PLAIN_SCHEMAS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"}, bool: {"type": "boolean"}, int: {"type": "integer"},
    Any: {"type": ["string", "integer", "array", "null"]},
    Node: {"type": "integer"}, _TableName: {"type": "string"}, Expression: {"$ref": "#/$defs/Expression"},
}  # fmt: skip
