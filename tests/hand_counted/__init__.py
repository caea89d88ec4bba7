"""The rules of the five games, written again by hand ("twins").

They know nothing of the engine: each counts every roll in the most obvious way, with `Fraction` and `itertools`, for
small pools. Where dice explode without end they stop after `depth` throws in a row and say how much is missing, so that
`chances[o] <= exact <= chances[o] + missing` for every outcome.
"""

from collections.abc import Callable

from . import ingenuity, maelstrom, step_dice, wild_die
from .odds import Odds, Result
from .replay import replay
from .spelling import Inputs, plain

__all__ = ["CONTESTS", "TWINS", "Odds", "Result", "plain", "replay", "twin", "twin_contest"]

TWINS: dict[tuple[str, str], Callable[..., Odds]] = {
    ("maelstrom", "action"): maelstrom.action,
    ("maelstrom", "willpower"): maelstrom.willpower,
    ("maelstrom-first-edition", "action"): maelstrom.first_edition_action,
    ("maelstrom-first-edition", "willpower"): maelstrom.willpower,
    ("wild-die", "check"): wild_die.check,
    ("step-dice", "check"): step_dice.check,
    ("ingenuity", "test"): ingenuity.skill_test,
    ("ingenuity", "luck"): ingenuity.luck_test,
}
CONTESTS: dict[tuple[str, str], tuple[str, Callable[[Odds, Odds], Odds]]] = {
    ("wild-die", "opposed"): ("check", wild_die.opposed),
    ("step-dice", "contest"): ("check", step_dice.contest),
    ("ingenuity", "against"): ("test", ingenuity.against),
    ("ingenuity", "contest"): ("test", ingenuity.contest),
}


def twin(game: str, rule: str, inputs: Inputs, aim: str | None = None, depth: int | None = None) -> Odds:
    """The odds of a rule, its inputs spelled as in a book."""
    options = {"aim": aim, "depth": depth}
    return TWINS[game, rule](**plain(inputs), **{name: value for name, value in options.items() if value is not None})


def twin_contest(game: str, rule: str, first: Inputs, second: Inputs, depth: int | None = None) -> Odds:
    """The odds of a contest: outcomes `first` and `second`."""
    of, contest = CONTESTS[game, rule]
    return contest(twin(game, of, first, depth=depth), twin(game, of, second, depth=depth))
