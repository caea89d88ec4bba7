"""The handbook page "Games": no key of game.toml is missing, and its steps lead to the game that is shown."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.game.aims import TAKING
from rulewright.game.game_schema import (
    AGAIN,
    FACE,
    GAME,
    INPUT,
    KEEPS,
    KIND,
    ORDER,
    OUTCOME,
    PICKS,
    ROLL,
    RULE,
    RULE_AGAIN,
    SHEET,
    SPEND,
    STEP,
    TABLE,
    TIES,
    TRAITS,
)
from rulewright.game.schema import Items, KnownKeys, NamedEntries, OneOf, Shape
from rulewright.play.validate import load_game_text

FILE = Path(__file__).parent.parent / "rules" / "handbook" / "game.md"
TEXT = FILE.read_text("utf-8")
EMPTY = "| key | what it says |\n| --- | --- |\n"


def keys_of(shape: Shape) -> KnownKeys | None:
    """The keys of a shape, also of one that may be something else, or that has many of its kind."""
    if isinstance(shape, KnownKeys):
        return shape
    inner = shape.shapes if isinstance(shape, OneOf) else (shape.of,) if isinstance(shape, Items | NamedEntries) else ()
    return next(filter(None, map(keys_of, inner)), None)


def every(keys: KnownKeys) -> Iterator[KnownKeys]:
    yield keys
    for field in keys.fields.values():
        inner = keys_of(field.of)
        if inner:
            yield from every(inner)


def part(keys: KnownKeys, name: str) -> KnownKeys:
    found = keys_of(keys.fields[name].of)
    assert found
    return found


SECTIONS = {
    "The file": GAME,
    "`[traits.CATEGORY]`": TRAITS,
    "`[tables.NAME]`": TABLE,
    "`[rules.NAME]`": RULE,
    "`traits` of a rule": part(RULE, "traits"),
    "`specialties` of a rule": part(RULE, "specialties"),
    "`[rules.NAME.inputs]`": INPUT,
    "`[rules.NAME.dice]`": KIND,
    "`again`": AGAIN,
    "`faces`": FACE,
    "`[[rules.NAME.again]]`": RULE_AGAIN,
    "`[rules.NAME.steps]`": STEP,
    "`[rules.NAME.marks]`": part(RULE, "marks"),
    "`[rules.NAME.outcomes]`": OUTCOME,
    "`[rules.NAME.spends]`": SPEND,
    "`[rules.NAME.rolls]`": ROLL,
    "`contest` of a rule": part(RULE, "contest"),
    "`[sheets.NAME]`": SHEET,
    "`[orders.NAME]`": ORDER,
}


def table(keys: KnownKeys) -> str:
    rows = (f"| `{name}`{' *' * field.required} | {field.description} |\n" for name, field in keys.fields.items())
    return EMPTY + "".join(rows)


def with_tables(text: str) -> str:
    """The page with the table of each section as the language has it now."""
    for heading, keys in SECTIONS.items():
        before, found, below = text.partition(f"\n### {heading}\n")
        assert found, heading
        text = before + found + re.sub(r"\| key \| what it says \|\n(?:\|.*\n)+", lambda _: table(keys), below, count=1)  # noqa: B023
    return text


def test_golden_every_key_is_there() -> None:
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        FILE.write_text(with_tables(TEXT), "utf-8")
    assert FILE.read_text("utf-8") == with_tables(TEXT), "`make golden` writes the page anew"


def test_no_part_of_the_language_is_forgotten() -> None:
    assert {id(keys) for keys in every(GAME)} == {id(keys) for keys in SECTIONS.values()}


@pytest.mark.parametrize("words", [PICKS, KEEPS, TIES, TAKING])
def test_every_choice_is_told(words: tuple[str, ...]) -> None:
    below = TEXT.partition("## Words that stand for one of a few")[2]
    assert not [word for word in words if f"`{word}`" not in below]


def fences(language_name: str) -> list[str]:
    return re.findall(rf"^```{language_name}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def plain(text: str) -> list[str]:
    """Lines, whatever their equals signs are lined up with."""
    return [re.sub(r"^(\w+) +=", r"\1 =", line) for line in text.splitlines()]


def test_the_steps_lead_to_the_game() -> None:
    whole = fences("game")[0]
    steps = [fence for fence in fences("toml") if TEXT.index(fence) < TEXT.index("### All of it")]
    assert len(steps) >= 6
    assert {line for step in steps for line in plain(step)} == set(plain(whole))
    game, problems = load_game_text(steps[0])
    assert game, problems


def test_what_stands_there_to_be_copied_can_be_read() -> None:
    for fence in fences("toml"):
        assert tomllib.loads(fence)


def test_the_parts_make_a_game() -> None:
    """The pieces below "Every key", put together."""
    below = [fence for fence in fences("toml") if TEXT.index(fence) > TEXT.index("## Every key")]
    more = 'title = "Parts"\n[traits.attributes]\nnames = ["Wits"]\n[rules.action]\ntraits = { into = "pool" }\n'
    text = more + "\n".join(below) + "\n"
    text = text.replace("pool  = {", "raised = { min = 0, max = 2, default = 0 }\npool  = {")
    game, problems = load_game_text(text)
    assert game, [(problem.message, problem.span.text) for problem in problems]
