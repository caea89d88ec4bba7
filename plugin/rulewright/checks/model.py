"""Results of checks (blocks, moves, proofs, odds tables), their status, and the lookup of games and rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..book.page import Block, Entry, Link, Page, Part
from ..game.model import Game, Order, Rule, Sheet, Table
from ..play.result import Result
from ..prose.number_words import SMALL_NUMBERS
from ..source import Problem, Span, suggest

if TYPE_CHECKING:
    from ..odds.distribution import Chance


@dataclass(frozen=True, slots=True)
class OddsTable:
    """A computed table of odds with labels; a value is a chance or a mean, or None if it cannot be computed."""

    show: str  # chance, mean, degree, distribution
    of: str  # the event or step, as the author wrote it; empty if each column is an outcome
    look: str  # table, heatmap, bars
    row_name: str
    rows: tuple[str, ...]
    column_name: str
    columns: tuple[str, ...]
    values: tuple[tuple[Chance | None, ...], ...]  # both bounds of a mean are equal

    @property
    def cells(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """The exact values; None also if only bounds are known."""
        return tuple(tuple(value.exact if value else None for value in row) for row in self.values)

    @property
    def is_chance(self) -> bool:
        """Whether the values are shown as percentages."""
        return self.show in ("chance", "distribution")


class ValueRange(NamedTuple):
    """The least and greatest value of one side over all cases; equal if there is one case."""

    span: Span
    least: Chance
    greatest: Chance
    is_chance: bool


class Proof(NamedTuple):
    """A statement that was decided; `cases` is the number of combinations of its ranges."""

    statement: Span
    holds: bool
    cases: int
    value_ranges: tuple[ValueRange, ...] = ()


class BlockContext(NamedTuple):
    """The context of a block: its page, the game of the page, and all games of the book by folder."""

    page: Page
    home: Game | None
    games: Mapping[str, Game]
    broken_games: Collection[str] = ()  # folders of games with errors; the game of the page has an empty name
    extra_checks: Mapping[str, BlockCheck] = MappingProxyType({})  # by the block kinds that other packages add


class Move(NamedTuple):
    """An evaluated step of an example; `result` is None if results were given instead of dice."""

    rule: Rule
    inputs: Mapping[str, str]
    result: Result | None
    steps: Mapping[str, Any]
    outcome: str | None
    degree: int | None
    part: Part | None = None  # the part of the block
    sides: tuple[Side, ...] = ()  # of a contest
    winners: Mapping[str, str] = MappingProxyType({})  # of a rule with two rolls: its named sides by their rolls

    @property
    def winner(self) -> str | None:
        """The side that wins, or `none`; without sides, the outcome."""
        return self.winners.get(self.outcome.lower(), "none") if self.winners and self.outcome else self.outcome


class Bout(NamedTuple):
    """One roll of a side in a contest: the value that is compared, and the move."""

    value: int
    move: Move


class Side(NamedTuple):
    name: str
    bouts: tuple[Bout, ...]
    span: Span


@dataclass(frozen=True)
class CheckedBlock:
    """A block after its check: passed, failed, error (unreadable) or skipped."""

    block: Block
    status: str
    problems: tuple[Problem, ...] = ()
    rule: Rule | None = None
    moves: tuple[Move, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)  # the settings of a roller, a claim or an odds table
    aim: str = ""
    odds: OddsTable | None = None
    proofs: tuple[Proof, ...] = ()  # the statements of a claim that were decided
    table: Table | None = None
    columns: tuple[str, ...] = ()  # the columns of the table to show
    sheet: Sheet | None = None
    violations: tuple[str, ...] = ()  # the names of the requirements that the sheet breaks
    order: Order | None = None
    acting: tuple[str, ...] = ()  # the participants in the order they act
    label: str = ""  # the name of a block kind that another package adds
    html: str = ""  # the body of its card; without it the card shows the entries


class BlockCheck(Protocol):
    """The check of a block kind."""

    def __call__(self, block: Block, context: BlockContext) -> CheckedBlock: ...


@dataclass(frozen=True)
class BlockKind:
    """A kind of block that another package adds. Its lines are `key: value`, as in all blocks.

    `check` returns the problems of a block; their codes begin with the name of the kind. `label` is what readers see
    above the card. `render` returns the body of the card as well-formed HTML; without it, and on paper, the card shows
    the lines of the block. `help` explains the kind and its codes, in Markdown."""

    name: str
    check: Callable[[Block, BlockContext], Iterable[Problem]]
    label: str = ""
    render: Callable[[Block], str] | None = None
    help: str = ""


def make_problem(
    block: Block | Link | None, code: str, message: str, span: Span, notes: tuple[str, ...] = ()
) -> Problem:
    """A problem of a block, a link or a text by itself; its trail is the headings above it and the id of the block."""
    own = (block.id,) if isinstance(block, Block) else ()
    return Problem(code, message, span, notes=notes, trail=(*(block.trail if block else ()), *own))


def value_notes(value: str) -> tuple[str, ...]:
    """What to write for a value that holds more than a value."""
    if re.search(r"[,;]\s*[^\W\d][\w ]*[:=]", value):
        return ("write each setting on a line of its own",)
    if comment := re.match(r"(.+?)\s+(?://|--)", value):
        return (f"write {comment[1]}; a comment begins with #",)
    if value.lower() in SMALL_NUMBERS:
        return (f"write {SMALL_NUMBERS.index(value.lower())}",)
    if dice := re.fullmatch(r"(\d+)\s*[dw]\d+", value, re.IGNORECASE):
        return (f"write {dice[1]}",)
    bare = value.strip(" ,;.\"'“”„‟‘’«»")
    return (f"write {bare}",) if bare and bare != value else ()


def find_rule(block: Block, context: BlockContext) -> tuple[Rule | None, list[Problem]]:
    """The rule of a block: named by `rule:` and `game:`, otherwise the first rule of the page's game."""
    game, rule = block.get("game"), block.get("rule")
    folder, _, name = rule.value.rpartition("/") if rule else ("", "", "")
    if game and not folder:
        folder = game.value
    span = (rule if rule and "/" in rule.value else game or rule).value_span if rule or game else block.word  # type: ignore[union-attr]
    return find_rule_by_name(block, context, folder, name, span)


def find_rule_by_name(
    block: Block | Link, context: BlockContext, folder: str, name: str, span: Span
) -> tuple[Rule | None, list[Problem]]:
    """Looks up a rule by the folder of its game and its name; either may be empty."""
    game = find_game(context, folder)
    if game is None:
        return None, [make_problem(block, "block-game", missing_game_message(context, folder), span)]
    if not name:
        first = next(iter(game.rules.values()), None)
        return first, [] if first else [make_problem(block, "block-rule", f"the game {game.title} has no rules", span)]
    match = game.rules.get(name) or {known.lower(): rule for known, rule in game.rules.items()}.get(name.lower())
    if match is None:
        message = f'{game.title} has no rule "{name}"; {suggest(name, game.rules)}'.rstrip("; ")
        return None, [make_problem(block, "block-rule", message, span)]
    return match, []


BROKEN_GAME_MESSAGE = "the game has mistakes and cannot be played; fix those first"
_NAME_GAME_NOTE = "write game: with the folder of one"


def missing_game_message(context: BlockContext, folder: str, repair: str = _NAME_GAME_NOTE) -> str:
    """The message for a game that does not exist or has errors."""
    if folder.strip("/").lower() in {known.lower() for known in context.broken_games}:
        return BROKEN_GAME_MESSAGE
    if not folder:
        return f"there is no game here; {repair}"
    hint = suggest(folder, filter(None, context.games)) or "leave it out where the page has a game of its own"
    return f'there is no game "{folder}"; {hint}'


def find_game(context: BlockContext, folder: str) -> Game | None:
    """The game with this folder; the game of the page if the folder is empty."""
    if not folder or (context.home and context.home.folder == folder):
        return context.home
    match = context.games.get(folder)
    return match or {known.lower(): game for known, game in context.games.items()}.get(folder.strip("/").lower())


COMMON_KEYS = ("game", "rule", "id", "title", "show", "proves", "skip", "wrong")
_SHOW_VALUES = ("card", "line", "no")
FALSE_CODES = {"claim-false", "odds-expect", "sheet-verdict", "order-result"}  # problems of readable but false content


def is_skipped(block: Block) -> bool:
    return block.get("skip") is not None


def setting_entries(block: Block, words: Iterable[str]) -> list[Entry]:
    """The entries whose keys are not reserved for this kind of block."""
    reserved = {*COMMON_KEYS, *words}
    return [entry for entry in block.entries if entry.key not in reserved]


def finish_block(block: Block, problems: Sequence[Problem], **results: Any) -> CheckedBlock:
    """The checked block with its status; a block marked `wrong:` passes if it has problems."""
    problems = [*problems, *check_skip_reason(block), *check_proves(block)]
    wrong = block.get("wrong")
    if is_skipped(block) and not problems:
        return CheckedBlock(block, "skipped", **results)
    if wrong and not is_skipped(block):
        if not problems:
            message = "this block is said to be wrong, and nothing is wrong with it"
            notes = ("leave wrong: out, or correct what it shows",)
            problem = make_problem(block, "wrong-passes", message, wrong.key_span, notes)
            return CheckedBlock(block, "failed", (problem,), **results)
        if all(problem.code != "block-key" for problem in problems):
            return CheckedBlock(block, "passed", **results)
    return CheckedBlock(block, _compute_status(problems), tuple(problems), **results)


def _compute_status(problems: Sequence[Problem]) -> str:
    if not problems:
        return "passed"
    return "failed" if all(problem.code in FALSE_CODES for problem in problems) else "error"


def check_skip_reason(block: Block) -> list[Problem]:
    entry = block.get("skip")
    if entry is None or entry.value:
        return []
    return [make_problem(block, "block-value", "say why this is skipped: skip: reason", entry.key_span)]


def check_proves(block: Block) -> list[Problem]:
    entry = block.get("proves")
    if entry is None or entry.value.lower() == "text":
        return []
    message = "write proves: text; it means the paragraph, list or table right above"
    return [make_problem(block, "block-value", message, entry.value_span if entry.value else entry.key_span)]


def check_show(block: Block) -> list[Problem]:
    """Problems of `show:`, for every block except odds."""
    entry = block.get("show")
    if entry is None or entry.value.lower() in _SHOW_VALUES:
        return []
    message = f'show is card, line or no, not "{entry.value}"'
    return [make_problem(block, "block-value", message, entry.value_span)]
