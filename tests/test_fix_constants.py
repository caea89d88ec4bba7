"""A constant of a game is changed, then `check --fix` runs: no page may end up quiet and wrong.

The verifier is its own: it reads pages line by line and shares nothing with the package but the results of blocks."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rulewright.book.page import Part
from rulewright.cli import main
from rulewright.compile.book import CompiledBook, compile_book

RULES = Path(__file__).parent.parent / "rules"
EXTENDED = {"maelstrom": ["maelstrom-first-edition"], "maelstrom-first-edition": ["maelstrom"]}


class Constant(NamedTuple):
    """What is changed in a game: the first place below a line where the old text is."""

    game: str
    below: str
    old: str
    new: str


CONSTANTS = [
    Constant("maelstrom", "[rules.action.dice.regular]", "sides = 10", "sides = 12"),
    Constant("maelstrom", "[rules.action.dice.regular]", "face = 1", "face <= 2"),
    Constant("maelstrom", "[rules.action.dice.regular]", "face = 10", "face >= 9"),
    Constant("maelstrom", "[rules.action.dice.regular]", "count = 2", "count = 1"),
    Constant("maelstrom", "[rules.action.steps]", "successes - threshold", "successes - threshold - 1"),
    Constant("maelstrom", "[rules.action.outcomes]", "net > 0", "net > 1"),
    Constant("maelstrom", "[rules.action.outcomes]", '"net"', '"net + 1"'),
    Constant("maelstrom", "[rules.rest.steps]", "current + 1", "current + 2"),
    Constant("maelstrom", "[rules.endure.steps]", "current - 1", "current - 2"),
    Constant("maelstrom-first-edition", "[rules.action.outcomes]", "failures > 0", "failures > 1"),
    Constant("maelstrom-first-edition", "[rules.action.outcomes]", "kept > failures", "kept > failures + 1"),
    Constant("maelstrom-first-edition", "[rules.action.dice.regular]", "face = 1", "face <= 2"),
    Constant("wild-die", "[rules.check.dice]", "face = 6", "face >= 5"),
    Constant("wild-die", "[rules.check.steps]", "sum(wild) = 1", "sum(wild) <= 2"),
    Constant("wild-die", "[rules.check.outcomes]", "total >= difficulty", "total > difficulty"),
    Constant("wild-die", "[rules.check.spends]", "bonus + 3", "bonus + 5"),
    Constant("wild-die", "[rules.check.steps]", "bonus - lost", "bonus - lost + 1"),
    Constant("wild-die", "[rules.take_ten.steps]", "10 + points", "12 + points"),
    Constant("wild-die", "[tables.rushing]", '"26..50" = 10', '"26..50" = 12'),
    Constant("wild-die", "[rules.attack.steps]", "10, 0", "8, 0"),
    Constant("wild-die", "[rules.rounds.steps]", "5 * rounds", "6 * rounds"),
    Constant("step-dice", "[rules.check.outcomes]", "total >= target", "total > target + 1"),
    Constant("step-dice", "[rules.step.steps]", "min(4 + 2", "min(6 + 2"),
    Constant("step-dice", "[rules.level.steps]", "min(shift, 2), -2", "min(shift, 3), -3"),
    Constant("step-dice", "[rules.check.inputs]", "default = 4", "default = 5"),
    Constant("ingenuity", "[rules.test.steps]", "lucky, 3", "lucky, 5"),
    Constant("ingenuity", "[rules.test.steps]", "sum(luck) >= 20", "sum(luck) >= 15"),
    Constant("ingenuity", "[rules.test.outcomes]", "total >= difficulty", "total >= difficulty + 2"),
    Constant("ingenuity", "[tables.difficulty]", "Moderate     = 6", "Moderate     = 7"),
    Constant("ingenuity", "[rules.damage.steps]", "amount / 2", "amount / 3"),
]
SAMPLE = {21}  # of a game with a ladder
FENCE = re.compile(r"^[ >]*(`{3,}|~{3,})")
HEADING = re.compile(r"^[ >]*#{1,6} ")
NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")
CHECKED = re.compile(r"\[[^\]]*\]\((?:chance|value):[^)]*\)")
HAPPENS = re.compile(r"^[ >]*(outcome|degree|winner|verdict|result)\s*:")
WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]

Key = tuple[str, str]  # a page and the id of a block
Happened = dict[Key, list[Any]]


def copy_of(constant: Constant, folder: Path) -> Path:
    for name in (constant.game, *EXTENDED.get(constant.game, [])):
        shutil.copytree(RULES / name, folder / name)
    return folder


def change(constant: Constant, folder: Path) -> None:
    file = folder / constant.game / "game.toml"
    text = file.read_text("utf-8")
    head, below, tail = text.partition(constant.below)
    assert constant.old in tail, constant
    file.write_text(head + below + tail.replace(constant.old, constant.new, 1), "utf-8")


def happened(compiled: CompiledBook, *, stated: bool = False) -> Happened:
    """What happens in every block by the rules: all of it, or what the block states itself."""
    found: Happened = {}
    for page in compiled.pages:
        for block in page.blocks:
            moves = [
                (
                    move.outcome if not stated or asks(move.part, "outcome", "winner") else "",
                    move.degree if not stated or asks(move.part, "degree") else "",
                )
                for move in block.moves
            ]
            found[page.page.source.path, block.block.id] = [*moves, block.acting, block.violations]
    return found


def asks(part: Part | None, *keys: str) -> bool:
    return part is not None and any(part.get(key) for key in keys)


def blamed(compiled: CompiledBook) -> set[Key]:
    """Blocks that something is said about."""
    return {(one.span.source.path, one.trail[-1]) for one in compiled.problems if one.trail}


@cache
def as_it_was(game: str) -> tuple[Happened, Happened]:
    compiled = compile_book([RULES / name for name in (game, *EXTENDED.get(game, []))], RULES)
    assert not compiled.problems
    return happened(compiled), happened(compiled, stated=True)


def differing(before: Happened, after: Happened) -> set[Key]:
    return {key for key in after if after[key] != before[key]}


def prose_of(lines: list[str], at: int) -> str:
    """The section of a line, without fences, comments, targets of links, and numbers that are checked on their own."""
    text, inside, kept = "\n".join(lines), "", list[str]()
    text = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    headings = [0]
    for number, line in enumerate(text.split("\n")):
        fence = FENCE.match(line)
        if fence and not inside:
            inside = fence[1]
        elif fence and fence[1] == inside:
            inside = ""
        elif not inside and HEADING.match(line):
            headings.append(number)
        kept.append("" if inside or fence else re.sub(r"\]\([^)]*\)", "]", CHECKED.sub("", line)))
    start = max(number for number in headings if number <= at)
    end = min((number for number in headings if number > at), default=len(kept))
    return "\n".join(kept[start:end])


def quiet_and_wrong(before: str, after: str) -> Iterator[str]:
    """What a fix must not have done to a page."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        yield "lines were added or removed"
        return
    for at, (was, now) in enumerate(zip(old, new, strict=True)):
        if was == now:
            continue
        if HAPPENS.match(was):
            yield f"what happens was changed: {was}"
        if NUMBER.sub("#", was).replace("~", "=") != NUMBER.sub("#", now).replace("~", "="):
            yield f"more than a number was changed: {was}"
        prose = prose_of(old, at) + prose_of(new, at)
        for one, other in zip(NUMBER.findall(was), NUMBER.findall(now), strict=False):
            spoken = [rf"(?<![\d.]){re.escape(one)}(?!\d|\.\d)"]
            spoken += [rf"\b{WORDS[int(one)]}\b"] if one.isdecimal() and int(one) < len(WORDS) else []
            if one != other and re.search("|".join(spoken), prose, re.IGNORECASE):
                yield f"the text still says {one}: {was}"


def pages_in(folder: Path) -> dict[str, str]:
    return {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in sorted(folder.rglob("*.md"))}


def verify(constant: Constant, folder: Path) -> int:
    """How many lines were fixed; that none of it leaves a page quiet and wrong is asserted."""
    change(constant, copy_of(constant, folder))
    checked = compile_book([folder], folder)
    told, (was, was_stated) = blamed(checked), as_it_was(constant.game)
    assert checked.problems, "nobody notices this change"
    unnoticed = differing(was_stated, happened(checked, stated=True)) - told
    assert not unnoticed, unnoticed
    before = pages_in(folder)
    assert main(["check", "--fix"]) in (0, 1)
    after = pages_in(folder)
    wrong = [(name, why) for name in before for why in quiet_and_wrong(before[name], after[name])]
    assert not wrong, wrong
    left = blamed(compile_book([folder], folder))
    quiet = (differing(was, happened(checked)) & told) - left
    assert not quiet, quiet
    return sum(
        one != other
        for name in before
        for one, other in zip(before[name].split("\n"), after[name].split("\n"), strict=True)
    )


def at_place(constant: Constant) -> str:
    return f"{constant.game} {constant.new}"


def marked(number: int, constant: Constant) -> Any:
    return pytest.param(constant, id=at_place(constant), marks=() if number in SAMPLE else pytest.mark.long)


@pytest.mark.parametrize("constant", [marked(number, one) for number, one in enumerate(CONSTANTS)])
def test_a_changed_constant(constant: Constant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    count = verify(constant, tmp_path)
    assert count or constant not in [CONSTANTS[number] for number in SAMPLE]  # there is something to verify


def test_there_are_thirty_of_five_games() -> None:
    assert len(set(CONSTANTS)) == 30
    assert {one.game for one in CONSTANTS} == {file.parent.name for file in RULES.glob("*/game.toml")}
