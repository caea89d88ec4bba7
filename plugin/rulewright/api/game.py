"""A game for programs: its rules, rolls, odds, tables and checks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path as File
from typing import Any

from ..game import model
from ..play.validate import load_game_text
from ..project import GAME_FILE, find_surrounding_book
from ..render.reports import format_problems
from ..source import Problem
from . import odds as odds_module
from . import roll as roll_module
from .describe import Rule, Table, describe_rule
from .files import game_name, only_game, open_any_game, suggest_games
from .odds import Odds
from .request import (
    RuleRequest,
    RulewrightError,
    check_aim,
    cut,
    cut_words,
    find_path,
    make_request,
    require_text,
    unknown_name,
    write_value,
)
from .roll import Roll

_MAX_SEED = 2**32 - 1
_LONGEST_TEXT = 2_000  # characters of settings
_Inputs = Mapping[str, Any] | None


class Game:
    """A game: roll its rules, compute their odds, and check rolls that were written down.

        >>> game = Game.load("maelstrom")
        >>> game.odds("action", pool=5)["success"]
        Fraction(211, 250)
        >>> print(game.roll("action", pool=5, seed=7))
        botch, degree 1: It goes badly wrong.

    Inputs are keyword arguments: numbers, True and False, or text as in a block, such as `difficulty="Hard"`. The
    argument `inputs` takes the same as a dict. In a contest each side has its own: `first={"die": "d8"}`, or
    `inputs={"first.die": "d8"}`. Every mistake raises `RulewrightError`.

    Without the name of a rule, the first of the game is meant, as in blocks.

    `title` is the title that readers see, `name` the folder or page that the game was loaded from."""

    name: str
    _game: model.Game

    @classmethod
    def _make(cls, game: model.Game, name: str) -> Game:
        made = cls()
        made._game, made.name = game, name
        return made

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Load a game: a game.toml, its folder, the folder of a book with one game, or a page that declares a game.

        >>> Game.load("maelstrom").title
        'Maelstrom'
        """
        here, folder = File.cwd(), find_path(path)
        file = folder / GAME_FILE if folder.is_dir() else folder
        if folder.is_dir() and not file.is_file():
            file = only_game(folder) or file
        game, problems = open_any_game(file, here) if file.is_file() else (None, [])
        if game is None:
            raise _broken_game(problems) if problems else RulewrightError(_no_game(path, folder, here))
        return cls._make(game, game_name(file, find_surrounding_book(here)))

    @classmethod
    def from_text(cls, text: str, name: str = "game") -> Game:
        """A game from the text of a game.toml; it can neither extend another nor use tables of pages."""
        game, problems = load_game_text(require_text(text, "a game"), GAME_FILE, folder=name)
        if game is None:
            raise _broken_game(problems)
        return cls._make(game, name)

    @classmethod
    def gallery(cls, name: str) -> Game:
        """A game of the gallery, which is installed too: to try things out, or to start from.

        >>> Game.gallery("d6-pool").odds("action", pool=1)["success"]
        Fraction(1, 3)
        """
        from ..adopt.gallery import read_gallery, suggest_game

        games = read_gallery()
        if require_text(name, "the name of a game") not in games:
            raise RulewrightError(f'the gallery has no game "{cut(name)}"; {suggest_game(cut(name))}')
        return cls.from_text(games[name].text, name)

    @property
    def title(self) -> str:
        """The title of the game, as its game.toml says."""
        return self._game.title

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """The rules by name, with their inputs, steps and outcomes."""
        return {name: describe_rule(rule) for name, rule in self._game.rules.items()}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables by name."""
        return {name: Table(table) for name, table in self._game.tables.items()}

    def table(self, name: str) -> Table:
        """A table by its name, in any letter case.

        >>> Game.load("ingenuity").table("difficulty").lookup("hard")
        {'number': 9}
        """
        known = require_text(name, "the name of a table").lower()
        table = {own.lower(): table for own, table in self.tables.items()}.get(known)
        if table is None:
            raise RulewrightError(unknown_name(f'{self.title} has no table "{cut(name)}"', name, self.tables))
        return table

    def odds(self, rule: str = "", /, *, inputs: _Inputs = None, aim: str = "", **values: Any) -> Odds:
        """The exact odds of a rule.

        >>> print(Game.load("maelstrom").odds("action", pool=5))
        success  84.4%  ████████████████████▎     211/250
        botch     5.2%  █▎                        647/12500
        failure  10.4%  ██▌                       1303/12500
        """
        return odds_module.compute_odds(self._request(rule, inputs, values, aim))

    def roll(
        self, rule: str = "", /, *, seed: int | None = None, inputs: _Inputs = None, aim: str = "", **values: Any
    ) -> Roll:
        """Roll a rule, or evaluate given dice. Returns a `ContestRoll` for a contest.

        >>> game = Game.load("maelstrom")
        >>> game.roll("action", pool=5, seed=7).outcome
        'botch'
        >>> game.roll("action", pool=4, dice="6 8 9 10").outcome
        'success'

        Given dice are written as in an `example` block: `dice`, `rerolled`, `turned`, `declined`. They are never taken
        from `inputs`, nor are `seed` and `aim`, so `inputs` may come from a player."""
        request = self._request(rule, inputs, values, aim, with_record=True)
        return roll_module.roll(request, roll_module.random_seed() if seed is None else _read_seed(seed))

    def read_settings(self, rule: str, text: str | None = None, /) -> dict[str, str]:
        """The inputs in a text as players write them, for the argument `inputs` of `roll` and `odds`. The only rule of
        a game needs no name: `game.read_settings("pool 5")`.

        >>> Game.load("maelstrom").read_settings("action", "pool 5, difficulty=8, specialty")
        {'pool': '5', 'difficulty': '8', 'specialty': 'yes'}

        Between names and values are spaces, commas, semicolons, colons, & or =. Labels and the words in `also` name an
        input, too, and a choice needs no name. Nothing but inputs is read, so the text may come from a stranger."""
        from ..checks.settings import read_settings  # imports the parser of blocks

        name, written = ("", rule) if text is None else (rule, text)
        inputs, problems = read_settings(self._rule(name), require_text(written, "settings")[:_LONGEST_TEXT])
        if problems:
            raise RulewrightError("\n".join(cut_words(problem.message) for problem in problems), problems)
        return inputs

    def check(self, rule: str = "", /, *, inputs: _Inputs = None, **entries: Any) -> tuple[Problem, ...]:
        """Check a roll that was written down: its inputs, its `dice`, and what is claimed of it.

        The entries are those of an `example` block: `outcome`, `degree`, the name of any step, `rerolled`, `winner`. A
        mapping is a side of a contest: `first={"die": "d8", "dice": 5}`. Returns the problems, none if all is right.

        >>> for problem in Game.load("maelstrom").check("action", pool=5, dice="1 3 4 6 7", degree=2):
        ...     print(problem.message)
        the rules give degree 1, the example says 2
        """
        from ..book.parser import read_page  # the parser of pages takes time to import
        from ..checks.model import BlockContext
        from ..checks.registry import check_block
        from ..source import Source

        lines = [*([f"rule: {rule}"] if rule else []), *_entry_lines({**(inputs or {}), **entries})]
        page = read_page(Source("", "\n".join(["```example", *lines, "```", ""])))
        context = BlockContext(page, self._game, {self._game.folder: self._game})
        problems = (problem for block in page.blocks for problem in check_block(block, context).problems)
        return tuple(problem._replace(trail=()) for problem in problems)

    def _request(
        self, name: str, inputs: _Inputs, values: Mapping[str, Any], aim: str, with_record: bool = False
    ) -> RuleRequest:
        rule = self._rule(name)
        title = f"{self.title} · {rule.label}" if rule.label else self.title
        request = make_request(self.name, title, rule, {} if inputs is None else inputs, values, with_record)
        request.aim = check_aim(rule, aim)
        return request

    def _rule(self, name: str) -> model.Rule:
        known = require_text(name, "the name of a rule").lower() or next(iter(self._game.rules), "").lower()
        rule = {own.lower(): rule for own, rule in self._game.rules.items()}.get(known)
        if rule is None and not self._game.rules:
            raise RulewrightError(f"{self.title} has no rule", code="block-rule")
        if rule is None:
            message = unknown_name(f'{self.title} has no rule "{cut(name)}"', name, self._game.rules)
            raise RulewrightError(message, code="block-rule")
        return rule

    def __repr__(self) -> str:
        return f"<Game {self.title}: {', '.join(self._game.rules)}>"


def _read_seed(seed: object) -> int:
    if type(seed) is not int or not 0 <= seed <= _MAX_SEED:
        shown = f'the text "{cut(seed)}"' if isinstance(seed, str) else cut(seed)
        raise RulewrightError(f"a seed is a whole number from 0 to {_MAX_SEED}, not {shown}")
    return seed


def _no_game(path: str | os.PathLike[str], folder: File, here: File) -> str:
    hint, name = suggest_games(folder, here), cut(os.fspath(path))
    fact = f"there is no game in {name}" if folder.exists() else f"there is no file or folder {name}"
    return f"{fact}{'; ' if hint else ''}{hint}"


def _broken_game(problems: list[Problem]) -> RulewrightError:
    return RulewrightError(f"a game with mistakes cannot be played\n\n{format_problems(problems)}", problems)


def _entry_lines(entries: Mapping[str, Any]) -> list[str]:
    """The lines of an example block."""
    return [
        f"side {key}: {', '.join(f'{name} {write_value(item)}' for name, item in value.items())}"
        if isinstance(value, Mapping)
        else f"{key}: {write_value(value)}"
        for key, value in entries.items()
        if value is not None
    ]
