"""Choices round by round, held to value iteration, which uses no code of the engine; in both engines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from js_engine import shared_engine
from rulewright.game.model import Game
from rulewright.odds.advise import make_player
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.result import roll_dice
from rulewright.play.roll import RandomGenerator
from rulewright.play.validate import load_game_text

PIG = (Path(__file__).parent / "mechanics" / "pig" / "game.toml").read_text("utf-8")
GAMBLE = """title = "Gamble"
[rules.gamble]
carry = { coins = "now" }
until = "now <= 0 or now >= 6"
MOST
aim = "AIM"
[rules.gamble.inputs]
coins = { min = 1, max = 5, default = 2 }
bold = { flag = true, asked = "sum(d) > 1" }
[rules.gamble.dice]
d = { sides = 3 }
more = { count = "if(bold, 2, 1)", sides = 4 }
[rules.gamble.steps]
now = "coins + if(bold, sum(more) - 5, sum(more: (face > 2) - (face < 3))) - (sum(d) = 2)"
[rules.gamble.outcomes]
rich = { when = "now >= 6" }
poor = {}
"""


def read(text: str) -> Game:
    game, problems = load_game_text(text)
    assert game, problems
    return game


def gamble(left: int, worth: Callable[[int, bool], float]) -> dict[int, float]:
    """What each number of coins is worth, with so many rounds left."""
    values = {coins: worth(coins, False) for coins in range(1, 6)}
    faces = range(1, 5)
    for number in range(left):

        def after(coins: int, is_last: bool = number == 0, known: dict[int, float] = values) -> float:
            return worth(coins, True) if is_last or not 1 <= coins <= 5 else known[coins]

        new = {}
        for coins in values:
            total = 0.0
            for d in (1, 2, 3):
                base = coins - (d == 2)
                shy = sum(after(base + (face > 2) - (face < 3)) for face in faces) / 4
                bold = sum(after(base + one + two - 5) for one in faces for two in faces) / 16
                total += max(shy, bold) if d > 1 else shy
            new[coins] = total / 3
        values = new
    return values


def odds_of(game: Game, inputs: dict[str, str] | None = None) -> Odds:
    odds, complaints = compute_odds(next(iter(game.rules.values())), inputs or {})
    assert isinstance(odds, Odds), complaints
    return odds


def ask(game: Game, inputs: dict[str, Any], rule: str, door: str = "odds", **more: Any) -> Any:
    return shared_engine().ask(game, rule, [{"door": door, "inputs": inputs, "aim": "", **more}])[0]


@pytest.mark.parametrize("most", [0, 1, 3])
@pytest.mark.parametrize("aim", ["chance(rich)", "-mean(now)"])
def test_choices_of_rounds_are_the_best(aim: str, most: int) -> None:
    game = read(GAMBLE.replace("AIM", aim).replace("MOST", f"most = {most}" if most else ""))

    def worth(coins: int, is_end: bool) -> float:
        return (float(coins >= 6) if aim == "chance(rich)" else -float(coins)) * is_end

    expected = gamble(most or 3000, worth)
    for coins in range(1, 6):
        odds = odds_of(game, {"coins": str(coins)})
        found = odds.chances["rich"].exact if aim == "chance(rich)" else -(odds.mean("now") or 0)
        assert found is not None
        assert float(found) == pytest.approx(expected[coins], abs=1e-9)
        chances = ask(game, {"coins": str(coins)}, "gamble")["odds"]["chances"]
        assert chances["rich"] == pytest.approx(float(odds.chances["rich"].exact or 0), abs=1e-9)


@pytest.mark.long
def test_pig_goes_on_up_to_twenty() -> None:
    value = [0.0] * 107
    for _ in range(200):
        value = [
            sum(max(held + face, value[held + face]) if held + face < 100 else held + face for face in range(2, 7)) / 6
            for held in range(100)
        ] + [0.0] * 7
    game = read(PIG)
    assert float(odds_of(game).mean("score") or 0) == pytest.approx(value[0], abs=1e-9)
    rule, stopped = game.rules["turn"], set()
    for held in (0, 13, 15, 18, 25):
        for seed in range(8):
            result, complaints = roll_dice(rule, {"held": str(held)}, make_player(rule, RandomGenerator(seed)))
            assert result, complaints
            answer = ask(game, {"held": str(held)}, "turn", "roll", seed=seed)["result"]
            assert answer["steps"] == result.steps
            assert answer["dice"] == result.dice
            score = int(result.known["score"])
            stopped |= {score} if score else set()
            assert score == 0 or score > 19
    assert stopped


def test_choices_that_never_end_are_a_problem() -> None:
    text = PIG.replace('until = "bust or stop or score >= 100"', 'until = "stop"')
    text = text.replace("held + sum(d6))", "min(held + sum(d6), 99))").replace("not bust", "sum(d6) > 0")
    game, message = read(text), "with some choices this never ends from held 0 on; write most = … beside until"
    _, complaints = compute_odds(game.rules["turn"], {})
    assert message in [complaint.message for complaint in complaints]
    assert message in str(ask(game, {}, "turn")["complaints"])


def test_choices_that_count_rounds_need_a_most() -> None:
    game = read(
        PIG.replace('"mean(score)"', '"mean(points)"').replace(
            "[rules.turn.outcomes]", 'points = "score - 2 * round"\n[rules.turn.outcomes]'
        )
    )
    found, complaints = compute_odds(game.rules["turn"], {})
    assert "most = …" in str(complaints or found)
