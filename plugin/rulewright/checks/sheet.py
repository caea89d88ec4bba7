"""The sheet block: checks the traits of a character against the requirements of a sheet of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..book.page import Block, Entry
from ..game.model import Game, Sheet, within
from ..game.sheets import Character, account, dots_by, violations
from ..game.traits import Named, Slip, find_trait, finished, limits, owners_of, read_list, read_terms, strange, unknown
from ..source import Problem, Span, suggest
from .model import Around, Checked, closed, settings, trouble, wrong_show
from .safe_fixes import either
from .static_blocks import game_of

WORDS = ("sheet", "verdict", "holds")
LEGAL = "legal"
HOW = "write verdict: legal, or below verdict: what is broken, one name a line"


class Written(NamedTuple):
    """A trait on a sheet: name and value as text, with the span of each."""

    name: str
    value: str
    name_span: Span
    value_span: Span


@dataclass
class Reading:
    """Reads the traits of a character and collects problems."""

    game: Game
    dots: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    slips: list[tuple[str, str, Span]] = field(default_factory=list)  # code, message, span

    @property
    def character(self) -> Character:
        return Character(self.dots, self.held)

    def trait(self, written: Written) -> None:
        category, name = find_trait(self.game.traits, written.name)
        terms, slips = read_terms(f"- {written.value}")
        if category is None and finished(self.game.traits):
            said = unknown(self.game.traits, written.name_span.text.strip("\"'"))
            self.slips.append(("block-key", said, written.name_span))
        elif name in self.dots:
            self.slips.append(("block-key", f"{name} stands here twice", written.name_span))
        elif slips or len(terms) != 1:
            message = f"the value of {name} is a number of dots, a die or a code"
            self.slips.append(("block-value", message, written.value_span))
        else:
            if category and terms[0].counted and not within(terms[0].dots, category.least, category.most):
                message = f"{name} goes {limits(category)}, not {terms[0].dots}"
                self.slips.append(("block-value", message, written.value_span))
            self.dots[name] = terms[0].dots

    def specialties(self, text: str, span: Span) -> None:
        for one in read_list(text, self.game.traits):
            message = (strange(one, self.game.traits) or Slip(self.whose(one), 0, 0)).message
            if message:
                self.slips.append(("block-value", message, span.part(one.start, one.end)))

    def whose(self, one: Named) -> str:
        """Counts a specialty by its kind; returns a message if two abilities have it as different kinds."""
        owners = owners_of(self.game.traits, one.name)
        found = {kind for trait, kind in owners.items() if one.owners and trait in one.owners}
        if len(found) > 1:
            return f"say whose it is, as in {one.name} ({next(iter(owners))}): {', '.join(owners)}"
        for kind in found:
            self.held[kind] = self.held.get(kind, 0) + 1
        return ""


def check_sheet(block: Block, around: Around) -> Checked:
    """Checks the traits and the verdict of a sheet block."""
    problems = list(wrong_show(block))
    game, missing = game_of(block, around)
    sheet, more = named_sheet(block, game) if game else (None, missing)
    problems += more
    if game is None or sheet is None:
        return closed(block, problems)
    reading = read_character(game, map(written, settings(block, WORDS)), block.get("holds"))
    problems += [trouble(block, code, message, span) for code, message, span in reading.slips]
    broken = violations(sheet, game, reading.character)
    verdict, more = read_verdict(block, sheet)
    problems += more
    if not problems and not block.problems:
        problems += compare(block, Judged(sheet, game, reading.character, tuple(broken)), verdict)
    return closed(block, problems, sheet=sheet, violations=tuple(broken))


def written(entry: Entry) -> Written:
    return Written(entry.key, entry.value, entry.key_span, entry.value_span)


def read_character(game: Game, traits: Iterable[Written], holds: Entry | None) -> Reading:
    reading = Reading(game)
    for one in traits:
        reading.trait(one)
    if holds:
        reading.specialties(holds.value, holds.value_span)
    return reading


def named_sheet(block: Block, game: Game) -> tuple[Sheet | None, list[Problem]]:
    entry = block.get("sheet")
    if entry is None:
        message = "sheet: is missing; it says which sheet of the game this is"
        return None, [trouble(block, "block-value", message, block.word)]
    found = find_sheet(game, entry.value)
    if found:
        return found, []
    message = f"{game.title} has no sheet «{entry.value}»; {suggest(entry.value, game.sheets)}".rstrip("; ")
    return None, [trouble(block, "block-value", message, entry.value_span)]


def find_sheet(game: Game, name: str) -> Sheet | None:
    return {known.lower(): sheet for known, sheet in game.sheets.items()}.get(name.lower())


def read_verdict(block: Block, sheet: Sheet) -> tuple[dict[str, Span], list[Problem]]:
    """The requirements that the verdict names as broken, each with its span."""
    entry = block.get("verdict")
    if entry is None:
        return {}, [trouble(block, "block-value", "nothing is said of whether this sheet is legal", block.word, (HOW,))]
    names = [*([entry.value_span] if entry.value else []), *entry.lines]
    if not names:
        return {}, [trouble(block, "block-value", "the verdict is missing", entry.key_span, (HOW,))]
    if [span.text.lower() for span in names] == [LEGAL]:
        return {}, []
    known = {name.lower(): name for name in sheet.require}
    problems = [nothing_required(block, span, sheet) for span in names if span.text.lower() not in known]
    return {known[span.text.lower()]: span for span in names if span.text.lower() in known}, problems


def nothing_required(block: Block, span: Span, sheet: Sheet) -> Problem:
    message = f"nothing is required by the name «{span.text}»; {suggest(span.text, sheet.require)}"
    return trouble(block, "block-value", message.rstrip("; "), span)


class Judged(NamedTuple):
    sheet: Sheet
    game: Game
    character: Character
    broken: tuple[str, ...]


def compare(block: Block, judged: Judged, verdict: dict[str, Span]) -> Iterator[Problem]:
    """Problems for broken requirements missing from the verdict, and for named ones that are met."""
    entry = block.get("verdict")
    assert entry
    place = entry.value_span if entry.value else entry.key_span
    for name, span in verdict.items():
        if name not in judged.broken:
            only = len(verdict) == 1 and not judged.broken and span == place
            repairs = (either("verdict", LEGAL, "the sheet or what it requires"),) if only else ()
            notes = (*reasons(judged, name), *repairs)
            yield trouble(block, "sheet-verdict", f"this is met: {name}", span, notes)
    for name in judged.broken:
        if name not in verdict:
            yield trouble(block, "sheet-verdict", f"this is broken: {name}", place, reasons(judged, name))


def reasons(judged: Judged, name: str) -> tuple[str, ...]:
    """Notes: the computed values, and the formula of the requirement with its file and line."""
    formula = judged.sheet.require[name]
    dots = dots_by(judged.sheet, judged.game.traits, judged.character)
    counted = ", ".join(f"{asked} is {found}" for asked, found in account(formula, dots, judged.game.tables))
    line = formula.span.source.place(formula.span.start)[0]
    return tuple(filter(None, [counted, f"{formula.span.source.path}:{line}: {name} = {formula.text}"]))
