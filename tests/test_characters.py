"""Characters in files of their own, and sheets against plain counting."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from math import comb
from pathlib import Path

import pytest

from games import RULES, load_shipped_game
from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.compile.characters import read_json
from rulewright.compile.watch import BookWatcher
from rulewright.game.sheets import Character, find_violations
from rulewright.render.reports import format_problems
from rulewright.source import Source

HERO = """\
sheet = "starting"
game  = "maelstrom"
name  = "Mara"
holds = ["Extreme Range", "Pistols", "Sniper Rifles"]

[traits]
Strength = 3
Precision = 4
Reflexes = 1
Perception = 2
Intelligence = 2
Wits = 2
Alertness = 1
Athletics = 1
Melee = 1
Stealth = 2
Survival = 1
Driving = 3
Firearms = 3
Tradecraft = 2
Piloting = 1
Medicine = 2
Navigation = 2
Engineering = 1
"""
WRONG = HERO.replace("Strength = 3", "Strenght = 3").replace("Wits = 2", "Wits = 7").replace("Pistols", "Pistol")
STRANGE = HERO.replace('name  = "Mara"', 'nmae = "Mara"\nnotes = 3').replace("Melee = 1", "Melee = [1]")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "maelstrom").mkdir()
    text = (RULES / "maelstrom" / "game.toml").read_text("utf-8")
    (tmp_path / "maelstrom" / "game.toml").write_text(text, "utf-8")
    return tmp_path


def as_json(hero: str) -> str:
    return json.dumps(tomllib.loads(hero), indent=1)


def report(book: Path, name: str, content: str, capsys: pytest.CaptureFixture[str]) -> str:
    (book / name).write_text(content, "utf-8")
    main(["check", name])
    return capsys.readouterr().out


@pytest.mark.parametrize(("name", "write"), [("mara.toml", str), ("mara.json", as_json)])
def test_a_legal_character(
    book: Path, name: str, write: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "1 character, no problems" in report(book, name, write(HERO), capsys)


def test_what_is_said(book: Path, capsys: pytest.CaptureFixture[str], golden: Callable[[str, str], None]) -> None:
    broken = HERO.replace("Strength = 3", "Strength = 5").replace("Engineering = 1\n", "")
    cases = {
        "broken.toml": broken,
        "broken.json": as_json(broken),
        "wrong.toml": WRONG,
        "strange.json": as_json(STRANGE),
        "syntax.toml": HERO.replace("Wits = 2", "Wits = "),
        "syntax.json": as_json(HERO).replace('"Wits": 2', '"Wits": '),
        "sheet.toml": HERO.replace('"starting"', '"startin"'),
        "game.json": as_json(HERO).replace('"maelstrom"', '"maelstorm"'),
        "nowhere.toml": HERO.replace('game  = "maelstrom"', ""),
    }
    told = "\n".join(report(book, name, hero, capsys) for name, hero in cases.items())
    golden("characters.txt", re.sub(r"(game\.toml):\d+", r"\1:LINE", told))


def test_a_folder_is_searched_for_characters(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "mara.json").write_text(as_json(HERO), "utf-8")
    (book / "package.json").write_text('{"name": "x", "sheets": 1}', "utf-8")
    (book / "other.toml").write_text("[tool]\nsheet = 3\n", "utf-8")
    assert main(["check", "."]) == 0
    assert "1 character, no problems" in capsys.readouterr().out


def test_a_file_that_is_no_character(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "other.toml").write_text("a = 1\n", "utf-8")
    assert main(["check", "other.toml"]) == 2
    assert "does not say which sheet it is" in capsys.readouterr().err


def test_a_character_stays_checked(book: Path) -> None:
    watching = BookWatcher([book], book)
    watching.update()
    for hero in (HERO, HERO.replace("Wits = 2", "Wits = 3"), WRONG, HERO):
        (book / "mara.toml").write_text(hero, "utf-8")
        watching.update()
        assert format_problems(watching.compiled.problems) == format_problems(compile_book([book], book).problems)


@pytest.mark.parametrize("seed", range(30))
def test_places_in_json(seed: int) -> None:
    """Each value, cut out of the text, reads as what it is."""
    chance = random.Random(seed)

    def some(depth: int) -> object:
        kinds: list[object] = [1, -2.5, True, None, 'a "b" [,{', ""] + ([{}, []] if depth else [])
        found = chance.choice(kinds)
        if found == {}:
            return {f'k"{number}': some(depth - 1) for number in range(chance.randrange(4))}
        return [some(depth - 1) for _ in range(chance.randrange(4))] if found == [] else found

    data = {"top": some(3), "more": some(3)}
    _, places, problems = read_json(
        Source("a.json", json.dumps(data, indent=chance.choice([None, 2]))), "character-file"
    )
    assert not problems
    for path, span in places.values.items():
        found: object = data
        for part in path:
            found = found[part]  # type: ignore[index]
        assert json.loads(span.text) == found
    assert all(json.loads(span.text) == path[-1] for path, span in places.keys.items())


SHEET = load_shipped_game("maelstrom").sheets["starting"]
ATTRIBUTES = load_shipped_game("maelstrom").traits["attributes"].names
ABILITIES = {name: load_shipped_game("maelstrom").traits[name].names for name in ("talents", "skills", "knowledges")}
OF_ATTRIBUTES, OF_ABILITIES = list(SHEET.require)[:4], list(SHEET.require)[4:9]


def broken(dots: dict[str, int], names: list[str], held: dict[str, int] | None = None) -> list[str]:
    """Which of these requirements are not met."""
    sheet = replace(SHEET, require={name: SHEET.require[name] for name in names})
    return find_violations(sheet, load_shipped_game("maelstrom"), Character(dots, held or {}))


def legal_spreads() -> list[tuple[int, ...]]:
    """Every way to spread the dots over six attributes that the sheet allows; up to 5 each, in any order."""
    orders = {tuple(sorted(spread)) for spread in product(range(6), repeat=3)}
    halves = {half: set(permutations(half)) for half in orders if 5 <= sum(half) <= 9}
    found: list[tuple[int, ...]] = []
    for first, second in product(halves, repeat=2):
        dots = dict(zip(ATTRIBUTES, (*first, *second), strict=True))
        if not broken(dots, OF_ATTRIBUTES):
            found += [(*one, *other) for one in halves[first] for other in halves[second]]
    return found


def test_the_ways_to_spread_attributes() -> None:
    spreads = legal_spreads()
    assert len(spreads) == 240
    assert Counter(sum(spread) for spread in spreads) == {14: 240}
    assert Counter(sum(spread[:3]) for spread in spreads) == {8: 120, 6: 120}
    assert all(max(spread) >= 3 for spread in spreads)
    assert sum(sum(dots >= 3 for dots in spread) >= 2 for spread in spreads) == 240 * 39 // 40
    assert sum(sum(dots >= 3 for dots in spread) >= 3 for spread in spreads) == 240 * 27 // 40
    left = Counter(spread.count(1) for spread in spreads)
    assert left == {0: 240 // 20, 1: 240 * 7 // 20, 2: 240 * 9 // 20, 3: 240 * 3 // 20}


def test_the_ways_to_spread_abilities() -> None:
    """One sheet for each way to spread the levels over the categories, weighed by how many sheets are like it."""
    legal = every = 0
    splits = set()
    sizes = {name: len(names) for name, names in ABILITIES.items()}
    for threes, twos, ones in product(thirds(2), thirds(4), thirds(6)):
        levels = dict(zip(sizes, zip(threes, twos, ones, strict=True), strict=True))
        ways = 1
        for name, (three, two, one) in levels.items():
            ways *= comb(sizes[name], three) * comb(sizes[name] - three, two) * comb(sizes[name] - three - two, one)
        every += ways
        if ways and not broken(spread(levels), OF_ABILITIES):
            legal += ways
            splits.add(tuple(3 * three + 2 * two + one for three, two, one in levels.values()))
    assert (every, legal, len(splits)) == (18739801080, 14038605840, 45)
    assert max(max(split) for split in splits) == 12


def thirds(number: int) -> list[tuple[int, int, int]]:
    """The ways to split a number over three categories."""
    return [split for split in product(range(number + 1), repeat=3) if sum(split) == number]  # type: ignore[misc]


def spread(levels: dict[str, tuple[int, int, int]]) -> dict[str, int]:
    dots: dict[str, int] = {}
    for name, (three, two, one) in levels.items():
        dots |= dict(zip(ABILITIES[name], [3] * three + [2] * two + [1] * one, strict=False))
    return dots


def test_specialties_on_a_sheet() -> None:
    names = list(SHEET.require)[9:]
    assert names == ["one advanced specialty", "two general specialties"]
    assert broken({}, names, {"advanced": 1, "general": 2}) == []
    assert broken({}, names, {"general": 1}) == names
