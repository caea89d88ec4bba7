"""The sheet block: checks the traits of a character against the requirements of a sheet of the game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..book.page import Block, Entry
from ..game.core import is_within
from ..game.model import Game, Sheet
from ..game.sheets import Character, find_violations, group_dots_of, list_group_values
from ..game.traits import (
    ListedSpecialty,
    TextProblem,
    describe_limits,
    describe_unknown,
    find_owners,
    find_trait,
    find_unknown_specialty,
    is_complete,
    parse_specialties,
    parse_terms,
)
from ..source import Problem, Span, suggest
from .model import BlockContext, CheckedBlock, check_show, finish_block, make_problem, setting_entries
from .safe_fixes import either_note
from .static_blocks import find_block_game

_SHEET_KEYS = ("sheet", "verdict", "holds")
_LEGAL = "legal"
_VERDICT_NOTE = "write verdict: legal, or below verdict: what is broken, one name a line"


class WrittenTrait(NamedTuple):
    """A trait on a sheet: name and value as text, with the span of each."""

    name: str
    value: str
    name_span: Span
    value_span: Span


@dataclass
class CharacterReader:
    """Reads the traits of a character and collects problems."""

    game: Game
    dots: dict[str, int] = field(default_factory=dict)
    specialty_counts: dict[str, int] = field(default_factory=dict)
    problems: list[tuple[str, str, Span]] = field(default_factory=list)  # code, message, span

    @property
    def character(self) -> Character:
        return Character(self.dots, self.specialty_counts)

    def read_trait(self, stated: WrittenTrait) -> None:
        category, name = find_trait(self.game.traits, stated.name)
        terms, mistakes = parse_terms(f"- {stated.value}")
        if category is None and is_complete(self.game.traits):
            unknown_message = describe_unknown(self.game.traits, stated.name_span.text.strip("\"'"))
            self.problems.append(("block-key", unknown_message, stated.name_span))
        elif name in self.dots:
            self.problems.append(("block-key", f"{name} appears twice", stated.name_span))
        elif mistakes or len(terms) != 1:
            message = f"the value of {name} is a number of dots, a die or a code"
            self.problems.append(("block-value", message, stated.value_span))
        else:
            if category and terms[0].is_plain_number and not is_within(terms[0].dots, category.least, category.most):
                message = f"{name} goes {describe_limits(category)}, not {terms[0].dots}"
                self.problems.append(("block-value", message, stated.value_span))
            self.dots[name] = terms[0].dots

    def read_specialties(self, text: str, span: Span) -> None:
        for specialty in parse_specialties(text, self.game.traits):
            message = (
                find_unknown_specialty(specialty, self.game.traits)
                or TextProblem(self.count_specialty(specialty), 0, 0)
            ).message
            if message:
                self.problems.append(("block-value", message, span.subspan(specialty.start, specialty.end)))

    def count_specialty(self, specialty: ListedSpecialty) -> str:
        """Counts a specialty by its kind; returns a message if two abilities have it as different kinds."""
        owners = find_owners(self.game.traits, specialty.name)
        kinds = {kind for trait, kind in owners.items() if specialty.owners and trait in specialty.owners}
        if len(kinds) > 1:
            return f"say whose it is, as in {specialty.name} ({next(iter(owners))}): {', '.join(owners)}"
        for kind in kinds:
            self.specialty_counts[kind] = self.specialty_counts.get(kind, 0) + 1
        return ""


def check_sheet(block: Block, context: BlockContext) -> CheckedBlock:
    """Checks the traits and the verdict of a sheet block."""
    problems = list(check_show(block))
    game, missing = find_block_game(block, context)
    sheet, more = _find_named_sheet(block, game) if game else (None, missing)
    problems += more
    if game is None or sheet is None:
        return finish_block(block, problems)
    reading = _read_character(game, map(_trait_from_entry, setting_entries(block, _SHEET_KEYS)), block.get("holds"))
    problems += [make_problem(block, code, message, span) for code, message, span in reading.problems]
    broken = find_violations(sheet, game, reading.character)
    verdict, more = _read_verdict(block, sheet)
    problems += more
    if not problems and not block.problems:
        problems += _compare_verdict(block, JudgedSheet(sheet, game, reading.character, tuple(broken)), verdict)
    return finish_block(block, problems, sheet=sheet, violations=tuple(broken))


def _trait_from_entry(entry: Entry) -> WrittenTrait:
    return WrittenTrait(entry.key, entry.value, entry.key_span, entry.value_span)


def _read_character(game: Game, traits: Iterable[WrittenTrait], holds: Entry | None) -> CharacterReader:
    reading = CharacterReader(game)
    for trait in traits:
        reading.read_trait(trait)
    if holds:
        reading.read_specialties(holds.value, holds.value_span)
    return reading


def _find_named_sheet(block: Block, game: Game) -> tuple[Sheet | None, list[Problem]]:
    entry = block.get("sheet")
    if entry is None:
        message = "sheet: is missing; it says which sheet of the game this is"
        return None, [make_problem(block, "block-value", message, block.word)]
    match = find_sheet(game, entry.value)
    if match:
        return match, []
    note = suggest(entry.value, game.sheets) or f"declare [sheets.{_toml_key(entry.value)}] in game.toml"
    message = f'{game.title} has no sheet "{entry.value}"; {note}'
    return None, [make_problem(block, "block-value", message, entry.value_span)]


def _toml_key(name: str) -> str:
    """A name as a part of a header in game.toml."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f'"{name}"'


def find_sheet(game: Game, name: str) -> Sheet | None:
    return {known.lower(): sheet for known, sheet in game.sheets.items()}.get(name.lower())


def _read_verdict(block: Block, sheet: Sheet) -> tuple[dict[str, Span], list[Problem]]:
    """The requirements that the verdict names as broken, each with its span."""
    entry = block.get("verdict")
    if entry is None:
        return {}, [
            make_problem(
                block, "block-value", "nothing is said of whether this sheet is legal", block.word, (_VERDICT_NOTE,)
            )
        ]
    names = [*([entry.value_span] if entry.value else []), *entry.lines]
    if not names:
        return {}, [make_problem(block, "block-value", "the verdict is missing", entry.key_span, (_VERDICT_NOTE,))]
    if [span.text.lower() for span in names] == [_LEGAL]:
        return {}, []
    known = {name.lower(): name for name in sheet.require}
    problems = [_unknown_requirement(block, span, sheet) for span in names if span.text.lower() not in known]
    return {known[span.text.lower()]: span for span in names if span.text.lower() in known}, problems


def _unknown_requirement(block: Block, span: Span, sheet: Sheet) -> Problem:
    message = f'nothing is required by the name "{span.text}"; {suggest(span.text, sheet.require)}'
    return make_problem(block, "block-value", message.rstrip("; "), span)


class JudgedSheet(NamedTuple):
    sheet: Sheet
    game: Game
    character: Character
    broken: tuple[str, ...]


def _compare_verdict(block: Block, judged: JudgedSheet, verdict: dict[str, Span]) -> Iterator[Problem]:
    """Problems for broken requirements missing from the verdict, and for named ones that are met."""
    entry = block.get("verdict")
    assert entry
    verdict_span = entry.value_span if entry.value else entry.key_span
    for name, span in verdict.items():
        if name not in judged.broken:
            only = len(verdict) == 1 and not judged.broken and span == verdict_span
            repairs = (either_note("verdict", _LEGAL, "the sheet or what it requires"),) if only else ()
            notes = (*requirement_notes(judged, name), *repairs)
            yield make_problem(block, "sheet-verdict", f"this is met: {name}", span, notes)
    for name in judged.broken:
        if name not in verdict:
            yield make_problem(
                block, "sheet-verdict", f"this is broken: {name}", verdict_span, requirement_notes(judged, name)
            )


def requirement_notes(judged: JudgedSheet, name: str) -> tuple[str, ...]:
    """Notes: the computed values, and the formula of the requirement with its file and line."""
    formula = judged.sheet.require[name]
    dots = group_dots_of(judged.sheet, judged.game.traits, judged.character)
    values = ", ".join(f"{term} is {result}" for term, result in list_group_values(formula, dots, judged.game.tables))
    line = formula.span.source.position(formula.span.start)[0]
    return tuple(filter(None, [values, f"{formula.span.source.path}:{line}: {name} = {formula.text}"]))
