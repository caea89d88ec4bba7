"""Rechecks every block of a book with the rules of the other edition: which results change, and which are undecided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..book.page import Block
from ..checks.example import ExampleRun, run_parts
from ..checks.model import FALSE_CODES, BlockContext, CheckedBlock, Move, find_game, find_rule
from ..checks.registry import check_block
from ..checks.scene import TRAIT_KEYS, Scene, derived_input_names
from ..game.core import Category
from ..game.inputs import bind_inputs, format_value
from ..game.model import Game, Input
from ..source import Problem, Span
from .edition import Edition, EditionPage
from .entities import game_entity
from .replay import Reason, Replay, trait_keys
from .rule_pairs import GamePair, RulePair, pair_rules, rule_in_old_names, without_labels


@dataclass(frozen=True)
class BlockResult:
    """The result of a block: its outcome, or without one the steps that are known.

    `sort` says what `outcome` is: outcome, winner, verdict, result, or claim (holds or fails)."""

    outcome: str
    degree: int | None
    steps: Mapping[str, Any]
    sort: str = "outcome"

    @property
    def text(self) -> str:
        """As text, independent of the language; claims are put into words elsewhere."""
        if not self.outcome:
            return ", ".join(f"{name} {value}" for name, value in self.steps.items() if value is not None)
        if self.sort != "outcome":
            return f"{self.sort} {self.outcome}"
        return self.outcome if self.degree is None else f"{self.outcome} {self.degree}"


@dataclass(frozen=True)
class ChangedBlock:
    """A step of an example, or another block, whose result changes."""

    edition: str  # the edition that contains the block: old or new
    path: str
    span: Span
    id: str
    kind: str
    rule: str  # its name in the newer edition; empty for blocks without a rule
    inputs: str
    dice: str
    old: BlockResult
    new: BlockResult
    place: int = 0  # index among the steps of its block
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, int, str]:
        return self.path, self.id, self.place, self.dice


@dataclass(frozen=True)
class UncheckedBlock:
    """A block that cannot be decided by the other rules, or not completely."""

    edition: str
    path: str
    span: Span
    id: str
    kind: str
    why: Reason


_RecheckedBlock = ChangedBlock | UncheckedBlock


@dataclass(frozen=True)
class _Direction:
    """Which edition's blocks are rechecked; `pairs` is keyed by the rules of that edition."""

    edition: str
    pairs: Mapping[int, RulePair]

    def changed_block(self, page: EditionPage, block: Block, span: Span, **fields: Any) -> ChangedBlock:
        """`ends` are given in the direction of the recheck, and stored as old and new."""
        old, new = fields.pop("ends")
        ends = {"old": old, "new": new} if self.edition == "old" else {"old": new, "new": old}
        return ChangedBlock(self.edition, page.path, span, block.id, block.kind, **ends, **fields)

    def unchecked_block(self, page: EditionPage, block: Block, why: Reason) -> UncheckedBlock:
        return UncheckedBlock(self.edition, page.path, block.span, block.id, block.kind, why)


def _recheck_example(
    page: EditionPage, block: Block, around: BlockContext, direction: _Direction
) -> Iterator[_RecheckedBlock]:
    """The steps whose result changes, and at most one reason why the rest is undecided."""
    story = run_parts(block, around)
    scenes = [*story.scenes, *[(None, None)] * (len(block.parts) - len(story.scenes))]
    if not any(scene is None or _may_differ(scene, direction.pairs) for scene, _ in scenes):
        return
    why = _why_example_unusable(story)
    replay = Replay(direction.pairs)
    for place, (scene, move) in enumerate(scenes if why is None else ()):
        if scene is None or move is None:
            why = why or Reason("wrong")
            break
        other_scene, replayed = replay.judge(scene, move)
        if isinstance(replayed, Reason):
            why = why or replayed
        elif other_scene and not is_same_result(
            *(ends := (_example_result(scene, move), _example_result(other_scene, replayed))),
            pair := direction.pairs[id(scene.rule)],
        ):
            rule = replayed.rule if direction.edition == "old" else move.rule
            fields = {"inputs": _inputs_text(move), "dice": _dice_text(scene, move), "rule": rule.name, "place": place}
            yield direction.changed_block(
                page,
                block,
                block.parts[place].span if place else block.span,
                ends=_only_changed_steps(*ends, pair),
                **fields,
            )
    if why:
        yield direction.unchecked_block(page, block, why)


def _may_differ(scene: Scene, pairs: Mapping[int, RulePair]) -> bool:
    """Whether the result of this step can change at all."""
    pair = pairs.get(id(scene.rule))
    by_register = bool(scene.sides or scene.roll.keys() & set(TRAIT_KEYS))
    return pair is None or pair.changed or pair.names_changed or (by_register and pair.traits_changed)


def _why_example_unusable(story: ExampleRun) -> Reason | None:
    """Why a block cannot be used even with its own rules."""
    skip, checked = story.block.get("skip"), story.finish()
    if skip:
        return Reason("skipped", skip.value)
    if checked.status != "passed" or (story.block.problems and not story.block.get("wrong")):
        problems = [*checked.problems, *story.block.problems]
        return Reason("failed", problems[0].message.partition("; ")[0] if problems else "")
    return None


def _example_result(scene: Scene, move: Move) -> BlockResult:
    if move.sides:
        return BlockResult(move.outcome or "", None, {}, "winner")
    if move.outcome:
        return BlockResult(move.outcome, move.degree, {})
    known = {name: value for name, value in move.steps.items() if value is not None}
    return BlockResult("", None, {**_gathered_inputs(scene), **known})


def _gathered_inputs(scene: Scene) -> dict[str, str]:
    """The inputs that come from traits and spent points."""
    own = set(derived_input_names(scene.rule)) if scene.roll.keys() & trait_keys(scene) else set[str]()
    return {
        name: stated.text
        for name, stated in scene.inputs.items()
        if name in own or scene.stated.get(name) is not stated
    }


def is_same_result(first: BlockResult, second: BlockResult, pair: RulePair) -> bool:
    """The same outcome and, if both have one, the same degree; without an outcome the same steps."""
    if first.sort == "winner":
        return first.outcome == second.outcome
    if not first.outcome:
        return not _changed_steps(first, second, pair)
    name = pair.outcome(first.outcome)
    return name.lower() == second.outcome.lower() and (
        None in (first.degree, second.degree) or first.degree == second.degree
    )


def _changed_steps(first: BlockResult, second: BlockResult, pair: RulePair) -> dict[str, str]:
    """The steps and inputs whose values differ, each with its new name."""
    new_names = pair.new_names
    names = {name: new_names.get(("step", name)) or new_names.get(("input", name)) or "" for name in first.steps}
    return {name: new for name, new in names.items() if second.steps.get(new, first.steps[name]) != first.steps[name]}


def _only_changed_steps(first: BlockResult, second: BlockResult, pair: RulePair) -> tuple[BlockResult, BlockResult]:
    """Without an outcome, keeps only the steps that differ."""
    if first.outcome or second.outcome:
        return first, second
    names = _changed_steps(first, second, pair)
    old, new = (
        {name: result.steps[name] for name in kept} for result, kept in ((first, names), (second, names.values()))
    )
    return replace(first, steps=old), replace(second, steps=new)


def _inputs_text(move: Move) -> str:
    """For example "pool 4, difficulty Hard": the inputs that are given, without defaults."""
    values = bind_inputs(move.rule, move.inputs)[0]
    texts = {name.lower(): text for name, text in move.inputs.items()}
    given = [entry for entry in move.rule.inputs if entry.name in values and entry.name.lower() in texts]
    return ", ".join(
        f"{entry.name} {_value_text(entry, texts[entry.name.lower()], values[entry.name])}" for entry in given
    )


def _value_text(entry: Input, text: str, value: Any) -> str:
    """A named value keeps its name: it may be another number in the other edition."""
    names = {name.lower(): name for name in entry.names.named_numbers} if entry.names else {}
    return names.get(text.strip().lower()) or format_value(entry, value)


def _dice_text(scene: Scene, move: Move) -> str:
    """The dice of the record, the given results, or the sides of a contest."""
    if move.sides:
        return "; ".join(f"{entry.name}: {' '.join(entry.value.split())}" for entry in scene.sides)
    if move.result:
        return move.result.dice
    texts = {key: scene.roll[key].text for key in ("dice", "given") if key in scene.roll}
    return ", ".join(text if key == "dice" else f"{key} {text}" for key, text in texts.items())


CLAIM_KINDS = ("claim", "odds", "sheet", "order")


def _makes_claims(block: Block) -> bool:
    """Whether the block can be wrong; a table of odds can only if it has `expect`."""
    return block.kind in CLAIM_KINDS and (block.kind != "odds" or block.get("expect") is not None)


def _game_of_block(block: Block, around: BlockContext) -> Game | None:
    if block.kind in ("claim", "odds"):
        rule, _ = find_rule(block, around)
        return next((game for game in (around.home, *around.games.values()) if rule and _holds_rule(game, rule)), None)
    entry = block.get("game")
    return find_game(around, entry.value if entry else "")


def _holds_rule(game: Game | None, rule: object) -> bool:
    return game is not None and any(known is rule for known in game.rules.values())


def _recheck_block(
    page: EditionPage, block: Block, around: BlockContext, other: BlockContext, direction: _Direction
) -> Iterator[_RecheckedBlock]:
    """Compares the result with its own rules and with the other ones."""
    own = check_block(block, around)
    why = _why_block_unusable(own)
    again = None if why else check_block(block, other)
    if again and (wrong := _unreadable_problem(again)):
        why = Reason("said", wrong.message)
    if why:
        yield direction.unchecked_block(page, block, why)
    elif again and (ends := (_block_result(own), _block_result(again)))[0] != ends[1]:
        notes = tuple(problem.message for problem in again.problems[:1]) if ends[1].sort == "claim" else ()
        yield direction.changed_block(
            page,
            block,
            block.span,
            ends=ends,
            rule=again.rule.name if again.rule else "",
            inputs="",
            dice="",
            notes=notes,
        )


def _unreadable_problem(checked: CheckedBlock) -> Problem | None:
    """The first problem that is not about truth; a removed requirement is not a problem."""
    verdict = checked.block.get("verdict") if checked.sheet else None
    places = [verdict.value_span, *verdict.lines] if verdict else []
    wrong = (problem for problem in checked.problems if problem.code not in FALSE_CODES and problem.span not in places)
    return next(wrong, None) if checked.status == "error" else None


def _why_block_unusable(checked: CheckedBlock) -> Reason | None:
    skip = checked.block.get("skip")
    if skip:
        return Reason("skipped", skip.value)
    if checked.status != "passed":
        return Reason("failed", checked.problems[0].message.partition("; ")[0] if checked.problems else "")
    return None


def _block_result(checked: CheckedBlock) -> BlockResult:
    if checked.block.kind == "sheet" and checked.sheet:
        return BlockResult(", ".join(checked.violations) or "legal", None, {}, "verdict")
    if checked.block.kind == "order" and checked.acting:
        return BlockResult(", ".join(checked.acting), None, {}, "result")
    passed = checked.status == "passed"
    return BlockResult("holds" if passed != bool(checked.block.get("wrong")) else "fails", None, {}, "claim")


@dataclass(frozen=True)
class RecheckReport:
    """`counts` are the blocks that depend on rules, by edition and kind.

    For the newer edition, blocks with the same text in the older one are not counted."""

    changed: tuple[ChangedBlock, ...] = ()
    unchecked: tuple[UncheckedBlock, ...] = ()
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def rechecked(self, edition: str, kind: str) -> int:
        left = sum(block.edition == edition and block.kind == kind for block in self.unchecked)
        return self.counts.get((edition, kind), 0) - left


@dataclass(frozen=True)
class _RecheckPass:
    """Rechecks the pages of one edition with the games of the other."""

    side: Edition
    other: Edition
    direction: _Direction
    games: Mapping[int, Game]  # of the other edition, keyed by the id of this edition's games
    touched: frozenset[int]  # ids of games that changed or were removed
    known: frozenset[str] = frozenset()  # texts of blocks that were rechecked already

    def around(self, page: EditionPage) -> BlockContext:
        return BlockContext(page.page, page.home, self.side.games.by_folder)

    def around_other(self, page: EditionPage) -> BlockContext:
        games = {
            name: self.games[id(game)] for name, game in self.side.games.by_folder.items() if id(game) in self.games
        }
        return BlockContext(page.page, self.games.get(id(page.home)), games)

    def run(self) -> Iterator[_RecheckedBlock]:
        for page in self.side.pages:
            around, other = self.around(page), self.around_other(page)
            for block in _claiming_blocks(page, self.known):
                if block.kind == "example":
                    yield from map(self._blame_broken_games, _recheck_example(page, block, around, self.direction))
                elif (game := _game_of_block(block, around)) and id(game) not in self.games:
                    yield self._blame_broken_games(self.direction.unchecked_block(page, block, Reason("game")))
                elif game is None or id(game) in self.touched:
                    yield from _recheck_block(page, block, around, other, self.direction)

    def _blame_broken_games(self, block: _RecheckedBlock) -> _RecheckedBlock:
        """If games of the other edition could not be loaded, that is the reason, not a missing rule."""
        gone = isinstance(block, UncheckedBlock) and block.why.name in ("rule", "game") and self.other.game_problems
        return replace(block, why=Reason("broken")) if gone and isinstance(block, UncheckedBlock) else block


def recheck_blocks(old: Edition, new: Edition, games: Sequence[GamePair], rules: Sequence[RulePair]) -> RecheckReport:
    """The blocks of the old edition by the new rules, then those that only the new one has by the old rules."""
    further = _games_outside(old, new, games)
    all_pairs = [*games, *further]
    pairs = [*rules, *(rules for pair in further for rules in pair_rules(pair))]
    forth = _make_pass("old", old, new, all_pairs, pairs)
    known = frozenset(block.span.text for page in old.pages for block in _claiming_blocks(page))
    back = _make_pass("new", new, old, [_reverse_pair(pair) for pair in all_pairs], [pair.reversed for pair in pairs])
    back = replace(back, known=known)
    rechecked = [*forth.run()] if forth.touched else []
    changed_keys = {block.key for block in rechecked if isinstance(block, ChangedBlock)}
    rechecked += (
        [block for block in back.run() if not (isinstance(block, ChangedBlock) and block.key in changed_keys)]
        if back.touched
        else []
    )
    return RecheckReport(
        tuple(block for block in rechecked if isinstance(block, ChangedBlock)),
        tuple(block for block in rechecked if isinstance(block, UncheckedBlock)),
        {**_count_blocks("old", old), **_count_blocks("new", new, known)},
    )


def _games_outside(old: Edition, new: Edition, games: Sequence[GamePair]) -> list[GamePair]:
    """Games outside the compared folders that examples may use; paired by folder."""
    known = {id(pair.old) for pair in games} | {id(game) for game in old.own_games.values()}
    both = (
        (name, game, new.games.by_folder.get(name))
        for name, game in old.games.by_folder.items()
        if id(game) not in known
    )
    return [GamePair(name, game, other) for name, game, other in both if other]


def _reverse_pair(pair: GamePair) -> GamePair:
    return GamePair(pair.name, pair.new, pair.old)


def _make_pass(
    edition: str, side: Edition, other: Edition, games: Sequence[GamePair], rules: Iterable[RulePair]
) -> _RecheckPass:
    pairs = {id(pair.old): pair for pair in rules}
    new = {id(pair.old): _game_in_old_names(pair, pairs) for pair in games}
    touched = {
        id(pair.old) for pair in games if without_labels(game_entity(pair.old)) != without_labels(game_entity(pair.new))
    }
    gone = {id(game) for game in (*side.own_games.values(), *side.games.by_folder.values()) if id(game) not in new}
    return _RecheckPass(side, other, _Direction(edition, pairs), new, frozenset(touched | gone))


def _game_in_old_names(pair: GamePair, pairs: Mapping[int, RulePair]) -> Game:
    """The new game with old names, so that old blocks find their rules and traits."""
    known = {name: pairs[id(rule)] for name, rule in pair.old.rules.items() if id(rule) in pairs}
    rules = {**pair.new.rules, **{pair.new.name: rule_in_old_names(pair) for pair in known.values()}}
    old = {name: rules[rule_pair.new.name] for name, rule_pair in known.items()}
    return replace(pair.new, rules={**old, **rules}, traits=_traits_with_old_names(pair.new, [*known.values()]))


def _traits_with_old_names(game: Game, pairs: Sequence[RulePair]) -> dict[str, Category]:
    """Traits with their old names as aliases."""
    old = {now: name for pair in pairs for name, now in pair.traits.items()}
    return {
        name: replace(category, aliases={**category.aliases, **_old_aliases(category, old)})
        for name, category in game.traits.items()
    }


def _old_aliases(category: Category, old: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {name: (*category.aliases.get(name, ()), old[name]) for name in category.names if name in old}


def _count_blocks(edition: str, side: Edition, known: frozenset[str] = frozenset()) -> dict[tuple[str, str], int]:
    return dict(Counter((edition, block.kind) for page in side.pages for block in _claiming_blocks(page, known)))


def _claiming_blocks(page: EditionPage, known: frozenset[str] = frozenset()) -> Iterator[Block]:
    """Blocks that depend on rules."""
    for block in page.page.blocks:
        if (block.kind == "example" or _makes_claims(block)) and block.span.text not in known:
            yield block
