"""Builds the orders of a game: the keys by which participants are sorted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .build_names import NAME
from .model import Order
from .places import Path
from .shape import KEY

if TYPE_CHECKING:
    from .build import Builder

MEANT = ("until",)  # has a meaning of its own in a block


def build_orders(builder: Builder, raw: Mapping[str, Any]) -> dict[str, Order]:
    builder.labels([(name, ("orders", name, KEY)) for name in raw], "an order")
    return {name: build_order(builder, ("orders", name), name, value) for name, value in raw.items()}


def build_order(builder: Builder, path: Path, name: str, raw: Mapping[str, Any]) -> Order:
    keys: list[str] = []
    for number, written in enumerate(raw["by"]):
        key = written.removeprefix("-").strip()
        check_key(builder, (*path, "by", number), key, keys)
        keys.append(key)
    for number, key in enumerate(raw.get("out", ())):
        check_key(builder, (*path, "out", number), key, [])
    if "alternate" in raw:
        check_key(builder, (*path, "alternate"), raw["alternate"], keys)
    downward = frozenset(key for key, written in zip(keys, raw["by"], strict=True) if written.startswith("-"))
    where = builder.where((*path, KEY))
    return Order(name, tuple(keys), downward, raw.get("alternate", ""), tuple(raw.get("out", ())), where)


def check_key(builder: Builder, path: Path, key: str, taken: list[str]) -> None:
    if not NAME.fullmatch(key) or key in MEANT:
        builder.problem(
            "order", path, f"«{key}» cannot be a key: a to z, digits and _, such as initiative or -initiative"
        )
    elif key in taken:
        builder.problem("order", path, f"«{key}» stands here twice; who is equal once is equal again")
