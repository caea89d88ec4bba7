"""A step of an example as the other edition says it: its rule, its inputs, what its traits give there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ..book.model import Entry
from ..checks.model import Move
from ..checks.scene import Said, Scene, values_of, with_spends, with_traits
from ..checks.traits import KEYS as TRAITS
from ..checks.traits import settled
from ..game.inputs import read_value
from ..game.model import Rule
from .matching import RulePair


class Reason(NamedTuple):
    """Why something cannot be judged: a word of the catalogue, and what it is about."""

    name: str
    about: str = ""


class PreviousStep(NamedTuple):
    """The step before, or the one that a what-if changes, by the rules of the other edition."""

    pair: RulePair | None
    scene: Scene | None
    move: Move | None


def translate_scene(scene: Scene, pair: RulePair, before: PreviousStep | None) -> Scene | Reason:
    decided = set(settled(pair.new)) if scene.roll.keys() & trait_keys(scene) else set[str]()
    inputs: dict[str, Said] = {}
    for name, said in scene.stated.items():
        now = pair.called.get(("input", name))
        if now is None:
            if not is_default(scene.rule, name, said.text):
                return Reason("input", name)
        elif now not in decided:
            value = said if not is_carried(said) else carried_value(said, name in scene.own, now, pair, before)
            if value is None:
                return Reason("carried", name)
            inputs[now] = value
    roll = {key: rename_traits(said, pair.traits) if key in TRAITS else said for key, said in scene.roll.items()}
    own = frozenset(now for name in scene.own if (now := pair.called.get(("input", name))) in inputs and now)
    return add_traits_and_spends(
        replace(scene, rule=pair.new, inputs=inputs, stated=inputs, own=own, expected=(), roll=roll)
    )


def rename_traits(said: Said, names: Mapping[str, str]) -> Said:
    """A line about traits with those names that they have now."""
    if not names:
        return said
    every = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    now = {name.lower(): other for name, other in names.items()}
    return said._replace(
        text=re.sub(rf"\b(?:{every})\b", lambda one: now[one[0].lower()], said.text, flags=re.IGNORECASE)
    )


def add_traits_and_spends(twin: Scene) -> Scene | Reason:
    """With the inputs that follow from traits and from points that are spent."""
    for keys, fill in ((set(TRAITS), lambda one: with_traits(one, {})), ({"spends"}, with_spends)):
        if twin.roll.keys() & keys:
            twin, problems = fill(twin)
            if problems:
                return Reason("said", problems[0].message)
    return twin


def trait_keys(scene: Scene) -> set[str]:
    """The lines about traits that this step says itself; those of a side stand in its phrase."""
    own = scene.part.named
    return {key for key in TRAITS if key in own or "side" in own}


def is_default(rule: Rule, name: str, text: str) -> bool:
    """Is this what holds anyway? Then nothing is lost where nobody asks for it any more."""
    entry = next(one for one in rule.inputs if one.name == name)
    return entry.default is not None and read_value(entry, text) == (entry.default, "")


def is_carried(said: Said) -> bool:
    return isinstance(said.place, Entry) and said.place.value.startswith("=")


def carried_value(said: Said, own: bool, now: str, pair: RulePair, before: PreviousStep | None) -> Said | None:
    """A value of the step before, as it is there by the other rules; nothing where nobody knows."""
    if before is None or before.scene is None or before.pair is None:
        return None
    if not own:  # a what-if repeats what its step has taken over
        return before.scene.stated.get(now)
    assert isinstance(said.place, Entry)
    name = said.place.value[1:].strip()
    values: Mapping[str, str] = dict(values_of(before.move)) if before.move else {}
    called = before.pair.called
    text = values.get(called.get(("step", name)) or called.get(("input", name)) or name)
    flag = any(one.name == now and one.form == "flag" for one in pair.new.inputs)
    return said._replace(text={"1": "yes", "0": "no"}.get(text, text) if flag else text) if text is not None else None


def stated_inputs(scene: Scene) -> dict[str, Said]:
    """What the phrase of a side says itself."""
    return {name: said for name, said in scene.inputs.items() if not scene.own or name in scene.own}
