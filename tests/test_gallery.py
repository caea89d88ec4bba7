"""The gallery: each game is short, its page passes, and its chances are what counting on fingers gives."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable
from contextlib import chdir
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb
from pathlib import Path

import pytest

import rulewright
from example_counts import sample
from rulewright.adopt.gallery import read_gallery
from rulewright.cli import main

HANDBOOK = Path(__file__).parent.parent / "rules" / "handbook"
GALLERY = Path(rulewright.__file__).parent / "gallery"
NAMES = sorted(folder.name for folder in GALLERY.iterdir() if folder.is_dir())
Faces = tuple[int, ...]
F = Fraction


def share(sides: int, times: int, holds: Callable[[Faces], bool]) -> F:
    """How many of all throws of equal dice there are for which something holds."""
    throws = list(product(range(1, sides + 1), repeat=times))
    return F(sum(holds(faces) for faces in throws), len(throws))


def exploding(sides: int, least: int) -> F:
    """The chance that a die that is thrown on after its highest face comes to this or more."""
    if least <= 1:
        return F(1)
    return sum((F(1, sides) for face in range(least, sides)), F(0)) + F(1, sides) * exploding(sides, least - sides)


def hits_of_pool(pool: int, hits: int) -> F:
    """Exactly so many fives and sixes, where each six brings one more die: (4 + x) / (6 - x) for one die."""
    return sum(
        (
            comb(pool, own) * 4 ** (pool - own) * comb(pool + more - 1, more) * F(1, 6 ** (pool + more))
            for own in range(min(pool, hits) + 1)
            for more in [hits - own]
        ),
        F(0),
    )


def kept(sides: int, rolled: int, keep: int, least: int) -> F:
    """The best of some exploding dice; below `least` no die of more than that matters."""
    single = {value: exploding(sides, value) - exploding(sides, value + 1) for value in range(1, least)}
    below = F(0)
    for values in product([value for value in single if single[value]], repeat=rolled):
        if sum(sorted(values)[-keep:]) < least:
            chance = F(1)
            for value in values:
                chance *= single[value]
            below += chance
    return 1 - below


def pushed(dice: int) -> F:
    """At least one six, where all but ones and sixes are thrown again."""
    return 1 - (F(1, 6) + F(4, 6) * F(5, 6)) ** dice


def blackjack(first: int, second: int) -> F:
    """One d20 below its skill and above the other; exactly the skill beats everything."""

    def rank(roll: int, skill: int) -> int:
        return 100 if roll == skill else roll if roll < skill else 0

    return share(20, 2, lambda rolls: rank(rolls[0], first) > rank(rolls[1], second))


@cache
def groups_of_ten(dice: Faces) -> int:
    """The most groups of dice that reach ten each, by trying every group that could be one of them."""
    groups = (group for size in range(1, len(dice) + 1) for group in combinations(range(len(dice)), size))
    return max(
        (
            1 + groups_of_ten(tuple(die for place, die in enumerate(dice) if place not in group))
            for group in groups
            if sum(dice[place] for place in group) >= 10
        ),
        default=0,
    )


def best_two(dice: Faces) -> int:
    return sum(sorted(die for die in dice if die > 1)[-2:])


def successes(dice: int, hits: int) -> F:
    """Exactly so many fives and sixes."""
    return comb(dice, hits) * F(1, 3) ** hits * F(2, 3) ** (dice - hits)


def three_of_four(least: int) -> F:
    """The best three of four dice come to this or more."""
    return share(6, 4, lambda four: sum(four) - min(four) >= least)


def dying(steady: int, fading: int) -> F:
    """Back on your feet before three good rolls or three bad ones."""
    good = dying(steady + 1, fading) if steady < 2 else F(0)
    bad = dying(steady, fading + 1) if fading < 2 else F(0)
    return F(1, 6) + F(2, 6) * good + F(3, 6) * bad


def caught(loot: int) -> F:
    """A 1 before the loot is more than 20, where going on is no longer worth it."""
    return F(1, 6) + sum((F(1, 6) * caught(loot + face) for face in range(2, 7) if loot + face <= 20), F(0))


SKILL = [(0, 0), (1, 0), (1, 0), (0, 1), (1, 1), (2, 0)]  # hits and edges on each face
DANGER = [(0, 0), (0, 0), (1, 0), (0, 1), (0, 1), (1, 1)]  # blocks and costs


def symbols(skill: int, danger: int, holds: Callable[[int, int], bool]) -> F:
    """How many of all rolls pass a test of hits less blocks, and edges less costs."""
    rolls = list(product(*[SKILL] * skill, *[[(-block, -cost) for block, cost in DANGER]] * danger))
    return F(sum(holds(sum(hits for hits, _ in roll), sum(edges for _, edges in roll)) for roll in rolls), len(rolls))


KNOWN: list[tuple[str, str, str, F]] = [
    ("d20/check", "target=11", "success or critical success", F(1, 2)),
    ("d20/check", "target=11 luck=advantage", "success or critical success", F(3, 4)),
    ("d20/check", "target=11 luck=disadvantage", "critical success", F(1, 400)),
    ("d20/check", "bonus=5 luck=advantage target=16", "success", share(20, 2, lambda two: 11 <= max(two) < 20)),
    ("two-d6/move", "", "success", F(6, 36)),
    ("two-d6/move", "bonus=1", "partly", share(6, 2, lambda two: 6 <= sum(two) < 9)),
    ("two-d6/move", "bonus=-1", "trouble", share(6, 2, lambda two: sum(two) < 8)),
    ("percentile/test", "skill=45", "critical", F(3, 100)),
    ("percentile/test", "skill=45", "special", F(9 - 3, 100)),
    ("percentile/test", "skill=45 modifier=-60", "success or special or critical", F(1, 100)),
    ("percentile/test", "skill=45", "fumble", F(3, 100)),
    ("d6-pool/action", "pool=6 needed=3", "success", 1 - sum((hits_of_pool(6, hits) for hits in range(3)), F(0))),
    ("d6-pool/action", "pool=3", "botch", F(4, 6) ** 3 - F(3, 6) ** 3),
    ("fate/action", "skill=Good difficulty=Good", "tie", F(19, 81)),
    ("fate/action", "skill=Great difficulty=Average", "style", share(3, 4, lambda four: sum(four) - 8 >= 0)),
    ("best-die/test", "trait=d6 skill=d6", "success", 1 - F(4, 6) ** 2),
    ("best-die/test", "trait=d4 skill=d8 tool=d6", "mishap", F(1, 4 * 8 * 6)),
    ("trait-and-wild/trait", "trait=d8", "success", 1 - (1 - exploding(8, 4)) * (1 - exploding(6, 4))),
    ("trait-and-wild/trait", "trait=d10 modifier=-3", "success", 1 - (1 - exploding(10, 7)) * (1 - exploding(6, 7))),
    ("trait-and-wild/trait", "trait=d4 wild=no modifier=-2", "success", exploding(4, 6)),
    ("roll-and-keep/check", "rolled=3 kept=2 target=12", "success", kept(10, 3, 2, 12)),
    ("roll-and-keep/check", "rolled=1 kept=1 target=10", "success", F(1, 10)),
    ("blackjack/opposed", "first.skill=13 second.skill=9", "first", blackjack(13, 9)),
    ("blackjack/opposed", "first.skill=13 second.skill=9", "second", blackjack(9, 13)),
    ("exploding-damage/damage", "armor=Mail", "nothing", share(6, 2, lambda two: sum(two) <= 4)),
    ("exploding-damage/damage", "strength=1 weapon=d4 armor=Leather", "wounded", exploding(4, 7)),
    ("highest-of-pool/action", "pool=0", "bad", F(27, 36)),
    ("highest-of-pool/action", "pool=0", "full", F(1, 36)),
    ("highest-of-pool/action", "pool=0", "critical", F(0)),
    ("highest-of-pool/action", "pool=1", "partial", F(1, 3)),
    ("highest-of-pool/action", "pool=3", "critical", share(6, 3, lambda dice: dice.count(6) > 1)),
    ("highest-of-pool/action", "pool=3", "full", share(6, 3, lambda dice: dice.count(6) == 1)),
    ("highest-of-pool/action", "pool=3", "partial", share(6, 3, lambda dice: 4 <= max(dice) < 6)),
    ("push/action", "base=3", "success", 1 - F(5, 6) ** 3),
    ("push/action", "base=3 gear=1 pushed=yes", "success", pushed(4)),
    ("hit-and-damage/attack", "bonus=5 armor=14", "hit", F(11, 20)),
    ("hit-and-damage/attack", "bonus=-5 armor=30", "miss", F(19, 20)),
    ("effect-die/test", "trait=d6 skill=d6 help=2", "success", share(6, 4, lambda four: best_two(four) >= 8)),
    ("effect-die/test", "trait=d4 skill=d4 help=0", "success", F(1, 16)),
    ("matches/action", "pool=4", "failure", F(10 * 9 * 8 * 7, 10**4)),
    ("raises/risk", "pool=4 needed=2", "success", share(10, 4, lambda dice: groups_of_ten(tuple(sorted(dice))) >= 2)),
    ("raises/risk", "pool=3 needed=1", "success", share(10, 3, lambda dice: sum(dice) >= 10)),
    ("symbols/check", "skill=2 danger=2", "triumph", symbols(2, 2, lambda hits, edges: hits > 0 and edges > 0)),
    ("symbols/check", "skill=3 danger=1", "costly", symbols(3, 1, lambda hits, edges: hits > 0 and edges < 0)),
    ("hand/draw", "cards=5", "three", F(13 * 4 * comb(48, 2), comb(52, 5))),
    ("hand/draw", "cards=3", "nothing", F(48 * 44, 51 * 50)),
    ("combat-dice/volley", "shots=2 armor=0 aimed=yes", "destroyed", F(4, 9) ** 2),
    ("combat-dice/volley", "shots=3", "unharmed", share(3, 3, lambda dice: sum(dice) - 3 <= 1)),
    ("weapon-table/strike", "weapon=Maul", "hit", share(6, 2, lambda two: sum(two) >= 8)),
    ("weapon-table/strike", "weapon=Dagger bonus=-3", "hit", share(6, 2, lambda two: sum(two) >= 9)),
    (
        "two-pools/exchange", "strike=4 guard=3", "wound",
        sum((successes(4, hits) * successes(3, less) for hits in range(5) for less in range(min(hits, 4))), F(0)),
    ),
    ("ability-scores/character", "", "hopeless", (1 - three_of_four(14)) ** 6),
    (
        "ability-scores/character", "", "strong",
        1 - (1 - three_of_four(15)) ** 6 - 6 * three_of_four(15) * (1 - three_of_four(15)) ** 5,
    ),
    ("dying/dying", "", "up", dying(0, 0)),
    ("dying/dying", "fading=2", "up", dying(0, 2)),
    ("long-task/climb", "pool=3", "top", sum((successes(9, hits) for hits in range(5, 10)), F(0))),
    ("long-task/climb", "pool=2 hours=4 done=2", "top", sum((successes(8, hits) for hits in range(3, 9)), F(0))),
    ("push-your-luck/turn", "", "caught", caught(0)),
    ("push-your-luck/turn", "held=14", "caught", caught(14)),
]  # fmt: skip


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them in one book, away from the book of this project."""
    return Path(shutil.copytree(GALLERY, tmp_path_factory.mktemp("gallery") / "games"))


def test_there_are_enough() -> None:
    assert len(NAMES) >= 24
    assert {known[0].partition("/")[0] for known in KNOWN} == set(NAMES)


@pytest.mark.parametrize(("rule", "words", "outcomes", "chance"), KNOWN, ids=[f"{one[0]} {one[1]}" for one in KNOWN])
def test_chances_that_are_known(
    rule: str, words: str, outcomes: str, chance: F, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, _, name = rule.partition("/")
    with chdir(book / folder):
        assert main(["odds", name, *words.split(), "--json"]) == 0
    found = {outcome["name"]: F(outcome["exact"]) for outcome in json.loads(capsys.readouterr().out)["outcomes"]}
    assert sum((found[one] for one in outcomes.split(" or ")), F(0)) == chance


@pytest.mark.parametrize("name", NAMES)
def test_each_is_short_and_has_a_title_of_its_own(name: str) -> None:
    text = (GALLERY / name / "game.toml").read_text("utf-8")
    assert 10 <= len(text.splitlines()) <= 25
    assert max(map(len, text.splitlines())) <= 150
    titles = [tomllib.loads((GALLERY / one / "game.toml").read_text("utf-8"))["title"] for one in NAMES]
    assert len(set(titles)) == len(NAMES)


@pytest.mark.parametrize("name", sample(NAMES, 3))
def test_each_page_passes(name: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--strict", "--info", str(book / name)]) == 0, capsys.readouterr().out
    kinds = re.findall(r"^```(\w+)$", (book / name / "rolling.md").read_text("utf-8"), re.MULTILINE)
    assert {"rule", "example", "odds", "claim", "roller"} <= set(kinds)


def in_the_handbook(name: str) -> str:
    """The page of a game as the handbook shows it: the game itself stands on the page."""
    game, page = ((GALLERY / name / file).read_text("utf-8") for file in ("game.toml", "rolling.md"))
    body = page.removeprefix("# Rolling\n\n")
    start = f"To start a book from this game: `rulewright new FOLDER --game {name}`."
    return f"# {tomllib.loads(game)['title']}\n\n{start}\n\n```game\n{game}```\n\n{body}"


@pytest.mark.parametrize("name", NAMES)
def test_golden_the_handbook_shows_each(name: str) -> None:
    file = HANDBOOK / "gallery" / f"{name}.md"
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        file.parent.mkdir(exist_ok=True)
        file.write_text(in_the_handbook(name), "utf-8")
    assert file.read_text("utf-8") == in_the_handbook(name), "`make golden` writes the page anew"


def test_the_handbook_lists_each() -> None:
    rows = re.findall(
        r"^\| \[(.+?)\]\(gallery/([\w-]+)\.md\) \| `([\w-]+)` \| (.+) \|$",
        (HANDBOOK / "gallery.md").read_text("utf-8"),
        re.MULTILINE,
    )
    titles = {name: tomllib.loads((GALLERY / name / "game.toml").read_text("utf-8"))["title"] for name in NAMES}
    assert sorted((name, title) for title, name, *_ in rows) == sorted(titles.items())
    assert all(name == written for _, name, written, _ in rows)
    assert {name: about for _, name, _, about in rows} == {name: one.about for name, one in read_gallery().items()}
    assert sorted(read_gallery()) == NAMES
