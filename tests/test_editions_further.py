"""Throws that go on: dice earned, thrown on or thrown anew, beside loops that know nothing of the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from rulewright.editions.chosen import tables
from rulewright.editions.grid import axes
from rulewright.editions.matching import GamePair, RulePair, rule_pairs
from rulewright.editions.onward import Onward, onward
from rulewright.editions.parting import Parting, parting
from rulewright.game.validate import load_game, load_game_text

RULES = Path(__file__).parent.parent / "rules"
Ends = Iterator[tuple[str, str]]

GAME = """\
title = "Onward"
[rules.r.inputs]
need = {{ min = 2, max = 9, default = 5 }}
[rules.r.dice.d]
{dice}
{more}
[rules.r.steps]
total = "{total}"
[rules.r.outcomes]
yes = {{ when = "total {sign} need" }}
no  = {{}}
"""


def pair(old: dict[str, str], new: dict[str, str]) -> RulePair:
    usual = {"dice": "sides = 4", "more": "", "total": "sum(d)", "sign": ">="}
    games = []
    for change in (old, new):
        found, problems = load_game_text(GAME.format(**{**usual, **change}), "game.toml")
        assert found, [one.message for one in problems]
        games.append(found)
    return next(rule_pairs(GamePair("", *games)))


def went(two: RulePair) -> Onward:
    every = axes(two.old, two.new)
    assert every is not None
    found = onward(two.old, two.new, tables(two, every))
    assert found
    return found


def ends(found: Onward) -> Counter[tuple[int, str, str]]:
    """By the number that is needed: how many throws end like this in the two editions."""
    told: Counter[tuple[int, str, str]] = Counter()
    for table, one in found.throws:
        assert one.old.outcome
        assert one.new.outcome
        told[table.inputs["need"], one.old.outcome.name, one.new.outcome.name] += one.ways
    return told


def by_need(throws: Callable[[int], Ends]) -> Counter[tuple[int, str, str]]:
    return Counter((need, *one) for need in range(2, 10) for one in throws(need))


def yes(holds: bool) -> str:
    return "yes" if holds else "no"


def test_dice_that_are_thrown_on() -> None:
    def throws(need: int) -> Ends:
        """A four is thrown on, twice at most: then it has to end."""
        for chain in [(4, last) for last in (1, 2, 3)] + [(4, 4, last) for last in (1, 2, 3)]:
            yield yes(sum(chain) >= need), yes(sum(chain) > need)

    explode = {"dice": 'sides = 4\nexplode = "face = 4"'}
    found = went(pair(explode, {**explode, "sign": ">"}))
    assert ends(found) == by_need(throws)
    assert (found.complete, found.longer) == (True, True)


def test_one_edition_throws_on_and_the_other_does_not() -> None:
    def throws(need: int) -> Ends:
        for chain in product((3, 4), (1, 2)):
            yield yes(chain[0] >= need), yes(sum(chain) >= need)
        for first, second, third in product((3, 4), (3, 4), (1, 2)):
            yield yes(first >= need), yes(first + second + third >= need)

    found = went(pair({}, {"dice": 'sides = 4\nexplode = "face >= 3"'}))
    assert ends(found) == by_need(throws)


COUNTED = {"total": "count(d, face >= 3) + count(e, face >= 3)"}
EARNED = {
    **COUNTED, "dice": 'count = 2\nsides = 4\nagain = {{ when = "face = 4", roll = "e", times = {times} }}',
    "more": '[rules.r.dice.e]\ncount = 0\nsides = 4\nagain = {{ when = "face = 4", roll = "e", times = 1 }}',
}  # fmt: skip


def test_dice_that_are_earned() -> None:
    """The older edition earns one die for a four, the newer one two: it takes the first, and then one more."""

    def throws(need: int) -> Ends:
        for hand in combinations_with_replacement((1, 2, 3, 4), 2):
            for stream in product((1, 2, 3, 4), repeat=2):
                good = [sum(face >= 3 for face in (*hand, *stream[:taken])) for taken in (1, 2)]
                if hand.count(4) == 1 and 4 not in stream:  # with more fours it would go on for longer
                    yield yes(good[0] >= need), yes(good[1] >= need)

    old, new = ({key: text.format(times=times) for key, text in EARNED.items()} for times in (1, 2))
    found = went(pair(old, new))
    assert ends(found) == by_need(throws)
    assert found.longer


ANEW = '[[rules.r.reroll]]\ntimes = {times}\npick = "{pick}"\nkeep = "{keep}"'


def test_dice_of_which_a_player_throws_one_anew() -> None:
    def throws(need: int) -> Ends:
        for hand in combinations_with_replacement((1, 2, 3, 4), 2):
            for chosen, face in product((0, 1), (1, 2, 3, 4)):
                total = max(hand[chosen], face) + hand[1 - chosen]
                yield yes(total >= need), yes(total > need)

    anew = {"dice": "count = 2\nsides = 4", "more": ANEW.format(times=1, pick="any", keep="higher")}
    found = went(pair(anew, {**anew, "sign": ">"}))
    assert ends(found) == by_need(throws)
    assert (found.complete, found.longer) == (True, False)


def test_dice_of_which_only_one_edition_throws_one_anew() -> None:
    def throws(need: int) -> Ends:
        for hand in combinations_with_replacement((1, 2, 3, 4), 2):
            for face in (1, 2, 3, 4):
                yield yes(sum(hand) >= need), yes(min(hand[1], face) + hand[0] >= need)

    dice = {"dice": "count = 2\nsides = 4"}
    found = went(pair(dice, {**dice, "more": ANEW.format(times=1, pick="highest", keep="lower")}))
    assert ends(found) == by_need(throws)


def test_three_dice_thrown_anew_are_more_than_are_looked_at() -> None:
    dice = {"dice": "sides = 4", "more": ANEW.format(times=3, pick="highest", keep="new")}
    found = went(pair(dice, {**dice, "sign": ">"}))
    assert (found.tried, found.longer) == (0, True)


def maelstrom() -> RulePair:
    old, new = (load_game(RULES / name / "game.toml", name)[0] for name in ("maelstrom-first-edition", "maelstrom"))
    assert old
    assert new
    return next(one for one in rule_pairs(GamePair("", old, new)) if one.new.name == "action")


def test_two_editions_of_maelstrom() -> None:
    """All settings that were looked at, counted face by face: tens earn one die or two."""
    found = went(maelstrom())
    tried, apart = 0, 0
    for table in found.chosen:
        assert table.inputs["specialty"]
        assert table.inputs["pool"] <= 3
        known = [table.inputs[name] for name in ("pool", "difficulty", "raised", "threshold")]
        own = Counter(map(len, map(set, face_by_face(*known))))
        tried, apart = tried + own.total(), apart + own[2]
    assert found.tried == tried
    further = parting(maelstrom()).further  # type: ignore[union-attr]
    assert further
    assert (further.tried, further.apart) == (tried, apart)


def face_by_face(pool: int, difficulty: int, raised: int, threshold: int) -> Ends:
    for hand in combinations_with_replacement(range(1, 11), pool):
        if hand.count(10) != 1:  # none brings nothing, and two bring four dice
            continue
        for first, second in product(range(1, 10), repeat=2):
            yield tuple(  # type: ignore[misc]
                ended(hand, earned, difficulty + raised, threshold, first_edition)
                for earned, first_edition in (((first,), True), ((first, second), False))
            )


def ended(hand: tuple[int, ...], earned: tuple[int, ...], reach: int, threshold: int, first_edition: bool) -> str:
    good = sum(face >= reach for face in (*hand, *earned))
    kept = max(good - threshold, 0)
    bad = (*hand, *earned).count(1) if first_edition else hand.count(1)
    if first_edition and kept == 0 and bad:
        return "botch"
    if kept > bad:
        return f"success {kept - bad}"
    return "botch" if bad > kept and not first_edition else "failure"  # how bad is counted by one edition only


def said(two: RulePair) -> Parting:
    found = parting(two)
    assert found
    return found


def test_what_holds_for_all_others_is_held_against_them() -> None:
    explode = {"dice": 'sides = 4\nexplode = "face = 4"'}
    same = said(pair(explode, {**explode, "sign": ">"})).further
    assert same
    assert (same.unlike, bool(same.apart)) == (0, True)  # total = need, whatever has been thrown
    other = said(pair({}, explode))
    assert not other.parted
    assert other.further
    assert other.further.apart == other.further.unlike > 0
    assert other.further.smallest[0].dice == "4+1"


def test_other_dice_cannot_be_laid_side_by_side() -> None:
    assert said(pair({}, {"dice": "sides = 6"})).why == "dice"


@pytest.mark.parametrize("most", [1, 60])
def test_a_setting_is_looked_at_whole_or_not_at_all(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    explode = {"dice": 'sides = 4\nexplode = "face = 4"'}
    every = went(pair(explode, {**explode, "sign": ">"}))
    monkeypatch.setattr("rulewright.editions.onward.MOST_TRIALS", most)
    found = went(pair(explode, {**explode, "sign": ">"}))
    assert len(every.chosen) == 8
    assert (len(found.chosen), found.complete) == ({1: 0, 60: 8}[most], most == 60)
    assert found.tried == 6 * len(found.chosen)
