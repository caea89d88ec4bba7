"""What comes of checking a block."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..book.model import Block, Link, Page, Part
from ..game.model import Game, Order, Rule, Sheet, Table
from ..game.result import Result
from ..text import Problem, Span, suggest
from .odds_table import OddsTable
from .proof import Proof


class Around(NamedTuple):
    """Where a block stands: its page, the game of the page, and all games of the book by folder."""

    page: Page
    home: Game | None
    games: Mapping[str, Game]
    broken: Collection[str] = ()  # games with mistakes, by the same names; the page's own has an empty one


class Move(NamedTuple):
    """One step of an example: its rule with its inputs, and what came of it; `result` is None where dice were told."""

    rule: Rule
    inputs: Mapping[str, str]
    result: Result | None
    steps: Mapping[str, Any]
    outcome: str | None
    degree: int | None
    part: Part | None = None  # where the block tells it
    sides: tuple[Side, ...] = ()  # of a contest


class Bout(NamedTuple):
    """What one side shows in one throw-off: the value that is compared, and how it came about."""

    value: int
    move: Move


class Side(NamedTuple):
    name: str
    bouts: tuple[Bout, ...]
    span: Span


@dataclass(frozen=True)
class Checked:
    """A block after its check: passed, failed, error (unreadable) or skipped."""

    block: Block
    status: str
    problems: tuple[Problem, ...] = ()
    rule: Rule | None = None
    moves: tuple[Move, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)  # the settings of a roller, a claim, a table of odds
    policy: str = ""
    odds: OddsTable | None = None
    proofs: tuple[Proof, ...] = ()  # the statements of a claim, as far as they can be told
    table: Table | None = None
    columns: tuple[str, ...] = ()  # of the table, those to be shown
    sheet: Sheet | None = None
    violations: tuple[str, ...] = ()  # the requirements of the sheet that are not met
    order: Order | None = None
    acting: tuple[str, ...] = ()  # who acts, in this order


def trouble(block: Block | Link, code: str, message: str, span: Span, notes: tuple[str, ...] = ()) -> Problem:
    """A problem of a block or a link, with the headings above it and the block's id as trail."""
    own = (block.id,) if isinstance(block, Block) else ()
    return Problem(code, message, span, notes=notes, trail=(*block.trail, *own))


def find_rule(block: Block, around: Around) -> tuple[Rule | None, list[Problem]]:
    """The rule a block is about: `rule:` and `game:` if it names them, else the first rule of the page's game."""
    game, rule = block.get("game"), block.get("rule")
    folder, _, name = rule.value.rpartition("/") if rule else ("", "", "")
    if game and not folder:
        folder = game.value
    span = (rule if rule and "/" in rule.value else game or rule).value_span if rule or game else block.word  # type: ignore[union-attr]
    return rule_of(block, around, folder, name, span)


def rule_of(
    block: Block | Link, around: Around, folder: str, name: str, span: Span
) -> tuple[Rule | None, list[Problem]]:
    """A rule by its game's folder and its name; either may be empty."""
    game = find_game(around, folder)
    if game is None:
        return None, [trouble(block, "block-game", no_game(around, folder), span)]
    if not name:
        first = next(iter(game.rules.values()), None)
        return first, [] if first else [trouble(block, "block-rule", f"the game {game.title} has no rules", span)]
    found = game.rules.get(name) or {known.lower(): rule for known, rule in game.rules.items()}.get(name.lower())
    if found is None:
        message = f"{game.title} has no rule «{name}»; {suggest(name, game.rules)}".rstrip("; ")
        return None, [trouble(block, "block-rule", message, span)]
    return found, []


BROKEN = "the game has mistakes and cannot be played; mend those first"
NAME_IT = "write game: with the folder of one"


def no_game(around: Around, folder: str, repair: str = NAME_IT) -> str:
    """Why there is none."""
    if folder.strip("/").lower() in {known.lower() for known in around.broken}:
        return BROKEN
    if not folder:
        return f"there is no game here; {repair}"
    near = suggest(folder, filter(None, around.games)) or "leave it out where the page has a game of its own"
    return f"there is no game «{folder}»; {near}"


def find_game(around: Around, folder: str) -> Game | None:
    if not folder or (around.home and around.home.folder == folder):
        return around.home
    found = around.games.get(folder)
    return found or {known.lower(): game for known, game in around.games.items()}.get(folder.strip("/").lower())
