"""Published mechanics as games: their figures follow from plain counting, and the tool agrees with them.

Each folder in `tests/mechanics` is a game as its designer would write it, with a page that claims chances.
`mechanics/truth*.py` works them out in another way and shares nothing with the engine.
"""

from __future__ import annotations

import json
import re
import tomllib
from contextlib import chdir
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from mechanics import truth_again, truth_pools, truth_readings, truth_sets, truth_time, truth_totals
from mechanics.truth import TRUTHS, Chances
from rulewright import Game
from rulewright.cli import main

FOLDER = Path(__file__).parent / "mechanics"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/game.toml"))
MODULES = (truth_again, truth_pools, truth_readings, truth_sets, truth_time, truth_totals)

_WAITING = {  # what a game needs of the language that is not there yet, the rarest first
    "decks": "zombie-dice"
}
SLOW = (  # a second or more each
    "4d6-drop-lowest", "action-cards", "alien-stress", "anima", "benny", "coc7", "cortex-prime", "dc-heroes", "genesys",
    "l5r5", "pig", "poker-hands", "risk-to-the-end", "seventh-sea-3", "sorcerer", "yahtzee-sixes", "zombie-dice",
)  # fmt: skip
WAITING = {name: need for need, names in _WAITING.items() for name in names.split()}


@cache
def _claims(name: str) -> list[tuple[str, str, str, str, str]]:
    """Each claim of a page: its rule, chance or mean, of what, for which settings, and the rest of the line."""
    found, rule = [], ""
    for line in (FOLDER / name / "rules.md").read_text("utf-8").splitlines():
        if line.startswith("rule: "):
            rule = line.removeprefix("rule: ")
        if match := re.fullmatch(r"(chance|mean)\((.+?)(?:; (.*))?\) ([=~] .+)", line):
            found.append((rule, match[1], match[2], match[3] or "", match[4]))
    return found


def _arguments(settings: str) -> dict[str, str]:
    """`pool 5, luck` as the command line writes them: {"pool": "5", "luck": "yes"}."""
    parts = (part.partition(" ") for part in settings.split(", ") if part)
    return {key: value or "yes" for key, _, value in parts}


def _plain(value: str) -> int | bool | str:
    if re.fullmatch(r"d?-?\d+", value):
        return int(value.removeprefix("d"))
    return {"yes": True, "no": False}.get(value, value)


@cache
def _truth(name: str, rule: str, settings: str) -> Chances:
    values = {key.replace(".", "_"): _plain(value) for key, value in _arguments(settings).items()}
    chances = TRUTHS[name, rule](**values)
    outcomes = [chance for key, chance in chances.items() if not key.startswith("mean(")]
    assert sum(outcomes, Fraction(0)) == bool(outcomes)
    return chances


def _add(chances: Chances, outcomes: str) -> Fraction:
    """The chance of `success or critical`; an outcome that never happens has none."""
    if outcomes in chances:
        return chances[outcomes]
    return sum((chances.get(outcome, Fraction(0)) for outcome in outcomes.split(" or ")), Fraction(0))


def test_there_are_enough() -> None:
    assert len(NAMES) == 96
    assert {name for name, _ in TRUTHS} == set(NAMES)
    assert set(WAITING) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_a_rulebook(name: str) -> None:
    text, page = ((FOLDER / name / file).read_text("utf-8") for file in ("game.toml", "rules.md"))
    assert tomllib.loads(text)["title"]
    assert len(text.splitlines()) <= 60
    assert max(map(len, page.splitlines())) <= 120
    assert page.count("```example") >= 2
    assert len(_claims(name)) >= 1


@pytest.mark.parametrize("name", NAMES)
def test_claims_follow_from_counting(name: str) -> None:
    for rule, kind, of, settings, written in _claims(name):
        chances = _truth(name, rule, settings)
        value = _add(chances, of) if kind == "chance" else chances[f"mean({of})"]
        if written.startswith("="):
            assert Fraction(written[2:]) == value, (of, settings, value)
            continue
        digits = written[2:].removesuffix("%")
        scale = 100 if written.endswith("%") else 1
        places = len(digits.partition(".")[2])
        assert abs(value * scale - Fraction(digits)) <= Fraction(1, 2 * 10**places), (of, settings, float(value))


def _waits(name: str) -> list[pytest.MarkDecorator]:
    """Strict: a game that begins to work must leave the table."""
    reason = f"waits for {WAITING.get(name)}"
    return [pytest.mark.xfail(reason=reason, raises=AssertionError, strict=True)] if name in WAITING else []


def _has_outcomes(chances: Chances) -> bool:
    return any(not key.startswith("mean(") for key in chances)


def _compare_odds(name: str, rule: str, settings: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [f"{key}={value}" for key, value in _arguments(settings).items()]
    with chdir(FOLDER / name):
        assert main(["odds", rule, *arguments, "--json"]) == 0
    odds = json.loads(capsys.readouterr().out)
    found = {outcome["name"]: Fraction(outcome["exact"]) for outcome in odds["outcomes"]}
    for key, value in _truth(name, rule, settings).items():
        if step := re.fullmatch(r"mean\((\w+)\)", key):
            assert odds["steps"][step[1]] == pytest.approx(float(value)), (rule, settings, key)
        elif not key.startswith("mean("):
            assert _add(found, key) == value, (rule, settings, key)


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [*([pytest.mark.long] if name in SLOW or NAMES.index(name) % 3 else []), *_waits(name)]


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in NAMES])
def test_the_tool_agrees(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--strict", "--info", str(FOLDER / name)]) == 0, capsys.readouterr().out
    capsys.readouterr()
    game = Game.load(FOLDER / name / "game.toml")
    for rule, settings in {(rule, settings): None for rule, _, _, settings, _ in _claims(name)}:
        _compare_odds(name, rule, settings, capsys)
        truth = _truth(name, rule, settings)
        possible = {outcome for key, value in truth.items() if value for outcome in key.split(" or ")}
        for seed in range(20):
            rolled = game.roll(rule, seed=seed, inputs=_arguments(settings))
            assert rolled.outcome in possible or not _has_outcomes(truth), (rule, settings, seed)


LARGER = (  # name, rule and settings, at sizes that are played
    ("one-roll-engine", "action", "pool 10"),
    ("genesys", "check", "ability 3, proficiency 2, boost 1, difficulty 3, challenge 1, setback 1"),
    ("dont-rest-your-head", "conflict", "discipline 3, exhaustion 1, madness 1, pain 3"),
    ("sorcerer", "conflict", "mine 3, theirs 2"),
    ("l5r5", "check", "ring 4, skill 4, tn 3"),
    ("risk-to-the-end", "battle", "attackers 20, defenders 20"),
    ("zombie-dice", "turn", ""),
)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "rule", "settings"), [pytest.param(*larger, marks=_waits(larger[0])) for larger in LARGER]
)
def test_larger_settings(name: str, rule: str, settings: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _truth(name, rule, settings)
    _compare_odds(name, rule, settings, capsys)
