"""What is looked for in games once all pages are read: links of outcomes, odds, and what nothing uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..book.page import Page
from ..book.resolver import LinkResolver
from ..checks.doubtful_dice import find_doubtful_dice
from ..checks.early_questions import find_early_questions
from ..checks.impossible_outcomes import find_impossible_outcomes
from ..game.model import Game
from ..game.rule_choices import find_aim_doubts
from ..game.unused import find_unused
from ..odds.cost_warnings import find_expensive_odds, find_seen_outcomes
from ..odds.proof import find_false_odds
from ..source import Problem
from .games import Games, add_problems, with_link_problems


def with_late_problems(games: Games, resolver: LinkResolver) -> Games:
    """The games with the problems that show only beside the pages."""
    found = (problem for game in games.by_folder.values() for problem in find_game_warnings(game, resolver.pages))
    return add_problems(with_link_problems(games, resolver), found)


def find_game_warnings(game: Game, pages: Sequence[Page]) -> Iterator[Problem]:
    """What is doubtful in a game that can be played; `pages` are those that may use it."""

    def is_mentioned(word: str) -> bool:
        pattern = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
        return any(pattern.search(page.source.text) for page in pages)

    yield from find_unused(game, is_mentioned)
    yield from find_aim_doubts(game)
    yield from find_early_questions(game)
    yield from find_doubtful_dice(game)
    yield from find_false_odds(game)
    yield from find_expensive_odds(game)
    yield from find_impossible_outcomes(game, find_seen_outcomes)
