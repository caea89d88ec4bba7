"""What to write instead of keys that earlier versions of the language had, with the values of the game at hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Mapping
from typing import Any

from .core import EXPLODE, REROLL
from .toml import Path

Hint = Callable[[Mapping[str, Any], Path], str]  # from the table with the key, and its path
_EACH_THROW = ("throw", "last", "first")  # what only the test of a throw can ask
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def replace_explode(kind: Mapping[str, Any], _: Path) -> str:
    explode = kind["explode"]
    own = explode if isinstance(explode, dict) else {"when": explode}
    entry = {"when": own.get("when", "face = 6"), "roll": EXPLODE, **own}
    return f"write {_line('again', [entry, *_entries(kind.get('again', []))])}"


def replace_marking_test(kind: Mapping[str, Any], _: Path) -> str:
    tests = {word: kind[word] for word in ("good", "bad") if word in kind}
    return f"write tests = {_write({**tests, **kind.get('tests', {})})}"


def replace_keep(kind: Mapping[str, Any], path: Path) -> str:
    name, keep = str(path[-1]), kind["keep"] if isinstance(kind["keep"], dict) else {}
    which, number = next(iter(keep.items()), ("highest", 1))
    count = str(number) if re.fullmatch(r"\w+", str(number)) else f"({number})"
    dice = name if re.fullmatch(r"[A-Za-z_]\w*", name) else f"'{name}'"
    return f"write what counts in the steps, such as sum({which} {count} of {dice})"


def replace_earned_number(entry: Mapping[str, Any], _: Path) -> str:
    return f"write {_line('count', [entry['times']])}"


def move_to_rule(known: Container[str], entry: Mapping[str, Any], path: Path) -> str:
    """What to write for an entry that is about dice once they lie, and not about each throw at once; `known` are the
    keys of the entries of a rule."""
    if entry.get("roll") == EXPLODE:
        return "each throw explodes by itself; remove this key"
    late = [word for word in _EACH_THROW if re.search(rf"\b{word}\b", str(entry.get("when", "")))]
    own = {key: value for key, value in entry.items() if key in known and not (key == "when" and late)}
    picked = {"pick": "any"} if entry.get("optional") and "pick" not in entry else {}
    lines = (
        f"{key} = {_write(value)}" for key, value in {"of": path[3], **own, **picked}.items() if path[0] == "rules"
    )
    notes = ['; with pick = "any" it is optional'] if picked else []
    notes += (
        [f"; and a `when` without {' and '.join(late)}, as only a throw has {'it' if len(late) == 1 else 'them'}"]
        if late
        else []
    )
    text = f"write it for dice that have been rolled: [[rules.{path[1]}.again]] with {', '.join(lines)}"
    return text + "".join(notes)


def replace_policies(rule: Mapping[str, Any], _: Path) -> str:
    policies = [str(policy) for policy in _entries(rule["policies"])]
    policy = next((policy for policy in policies if policy.startswith("best")), "".join(policies[:1]))
    return f"write aim = {_write(name_aim(policy, rule.get('steps', {}), rule.get('outcomes', {})))}"


def replace_reroll(rule: Mapping[str, Any], path: Path) -> str:
    entry = next((own for own in _entries(rule["reroll"]) if isinstance(own, dict)), {})
    own = {{"among": "of"}.get(key, key): value for key, value in entry.items()}
    lines = (f"{key} = {_write(value)}" for key, value in {"roll": REROLL, **own}.items())
    return f"write [[rules.{path[-1]}.again]] with {', '.join(lines)}"


def replace_among(entry: Mapping[str, Any], _: Path) -> str:
    return f"write of = {_write(entry['among'])}"


def name_aim(policy: str, steps: Mapping[str, Any], outcomes: Mapping[str, Any]) -> str:
    """An aim in place of a policy: the mean of the last step, or the chance of the first outcome."""
    if policy == "best mean":
        return f"mean({['STEP', *steps][-1]})"
    return f"chance({next(iter(outcomes), 'OUTCOME')})" if policy == "best chance" else policy


def _entries(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _line(key: str, values: list[Any]) -> str:
    """A line with one value, or a list of them."""
    return f"{key} = {_write(values[0] if len(values) == 1 else values)}"


def _write(value: Any) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        pairs = (f"{key if _BARE_KEY.fullmatch(key) else _write(key)} = {_write(own)}" for key, own in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_write, value))}]"
    return json.dumps(value, ensure_ascii=False)
