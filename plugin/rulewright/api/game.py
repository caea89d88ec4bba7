"""A game for programs: its rules, rolls, odds, tables and checks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path as File
from typing import Any

from ..game import model
from ..odds.policies import POLICIES, relevant_policies
from ..play.validate import load_game_text
from ..project import GAME_FILE, find_surrounding_book
from ..render.reports import format_problems
from ..source import Problem, suggest
from . import odds as odds_module
from . import roll as roll_module
from .describe import Rule, Table, describe_rule
from .files import game_name, open_any_game, suggest_games
from .odds import Odds
from .request import RuleRequest, RulewrightError, make_request, write_value
from .roll import Roll

RECORD_KEYS = ("dice", "rerolled", "declined")
_MAX_SEED = 2**32 - 1
_Inputs = Mapping[str, Any] | None


class Game:
    """A game: load it, then roll its rules, compute their odds, and check rolls that were written down.

    Inputs are keyword arguments: numbers, True and False, or text as in a block (`difficulty="Hard"`, `die="d8"`). In a
    contest each side has its own: `first={"die": "d8"}`, or `inputs={"first.die": "d8"}`, which also helps where an
    input has the name of another parameter. What is wrong raises `RulewrightError`."""

    def __init__(self, game: model.Game, name: str) -> None:
        """Use `Game.load`, `Game.from_text` or `Book.games`."""
        self._game, self.name = game, name

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Game:
        """Load a game: a game.toml, its folder, or a page that declares a game."""
        here = File.cwd()
        file = File(os.path.normpath(here / path))
        folder, file = file, file / GAME_FILE if file.is_dir() else file
        if not file.is_file():
            hint = suggest_games(folder, here)
            raise RulewrightError(f"there is no game in {os.fspath(path)}{'; ' if hint else ''}{hint}")
        game, problems = open_any_game(file, here)
        if game is None:
            raise _broken_game(problems) if problems else RulewrightError(f"there is no game in {os.fspath(path)}")
        return cls(game, game_name(file, find_surrounding_book(here)))

    @classmethod
    def from_text(cls, text: str, name: str = "game") -> Game:
        """A game from the text of a game.toml; it can neither extend another nor use tables of pages."""
        game, problems = load_game_text(text, GAME_FILE, folder=name)
        if game is None:
            raise _broken_game(problems)
        return cls(game, name)

    @property
    def title(self) -> str:
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
        """A table by its name, in any letter case."""
        table = {known.lower(): table for known, table in self.tables.items()}.get(name.lower())
        if table is None:
            raise RulewrightError(_unknown(f"{self.name} has no table «{name}»", name, list(self.tables)))
        return table

    def odds(self, rule: str, /, *, inputs: _Inputs = None, policy: str = "", **values: Any) -> Odds:
        """The exact odds of a rule."""
        return odds_module.compute_odds(self._request(rule, {**(inputs or {}), **values}, policy))

    def roll(
        self, rule: str, /, *, seed: int | None = None, inputs: _Inputs = None, policy: str = "", **values: Any
    ) -> Roll:
        """Roll a rule, or evaluate the dice given as `dice="1 4 7 10"`. Returns a `ContestRoll` for a contest."""
        if seed is not None and not 0 <= seed <= _MAX_SEED:
            raise RulewrightError(f"a seed is a whole number from 0 to {_MAX_SEED}, not «{seed}»")
        request = self._request(rule, {**(inputs or {}), **values}, policy, with_record=True)
        return roll_module.roll(request, roll_module.random_seed() if seed is None else seed)

    def check(self, rule: str, /, *, inputs: _Inputs = None, **entries: Any) -> tuple[Problem, ...]:
        """Check a roll that was written down: its inputs, its `dice`, and what is claimed of it.

        The entries are those of an `example` block: `outcome`, `degree`, the name of any step, `rerolled`, `winner`. A
        mapping is a side of a contest: `first={"die": "d8", "dice": 5}`. Returns the problems, none if all is right."""
        from ..book.parser import read_page  # the parser of pages takes time to import
        from ..checks.model import BlockContext
        from ..checks.registry import check_block
        from ..source import Source

        lines = [f"rule: {rule}", *_entry_lines({**(inputs or {}), **entries})]
        page = read_page(Source("", "\n".join(["```example", *lines, "```", ""])))
        context = BlockContext(page, self._game, {self._game.folder: self._game})
        problems = (problem for block in page.blocks for problem in check_block(block, context).problems)
        return tuple(problem._replace(trail=()) for problem in problems)

    def _request(self, name: str, inputs: Mapping[str, Any], policy: str, with_record: bool = False) -> RuleRequest:
        rule = {known.lower(): rule for known, rule in self._game.rules.items()}.get(name.lower())
        if rule is None:
            message = _unknown(f"{self.name} has no rule «{name}»", name, list(self._game.rules))
            raise RulewrightError(message, code="block-rule")
        title = f"{self.title} · {rule.label}" if rule.label else self.title
        request = make_request(self.name, title, rule, inputs, RECORD_KEYS if with_record else ())
        request.policy = _read_policy(rule, policy)
        return request

    def __repr__(self) -> str:
        return f"<Game {self.title}: {', '.join(self._game.rules)}>"


def _read_policy(rule: model.Rule, policy: str) -> str:
    """Check the name of a policy; empty stands for those that the rule prefers."""
    name = policy.lower()
    known = {known for own in (rule.contest.of if rule.contest else (rule,)) for known in relevant_policies(own)}
    if not name or name in known:
        return name
    if name not in POLICIES:
        raise RulewrightError(_unknown(f"there is no policy «{name}»", name, list(POLICIES)))
    note = f"known here: {', '.join(sorted(known))}" if known else "nothing there is left to choose"
    raise RulewrightError(f"the policy {name} decides nothing in {rule.name}; {note}")


def _unknown(fact: str, word: str, known: list[str]) -> str:
    return f"{fact}; {suggest(word, known)}".rstrip("; ")


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
