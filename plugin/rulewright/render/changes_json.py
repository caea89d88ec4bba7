"""The differences between two editions as JSON, for `rulewright diff --format json`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..diff.chances import OddsChange
from ..diff.compare import Change
from ..diff.counterexample import Counterexample, RollComparison
from ..diff.diff import EditionDiff
from ..diff.entities import Text
from ..diff.headings import HeadingChange, StaleLink
from ..diff.recheck import BlockResult, ChangedBlock, RecheckReport, UncheckedBlock
from .changes import phrase_text, reason_text
from .reports import problems_to_json, span_ends
from .strings import read_words


def to_json(diff: EditionDiff) -> dict[str, Any]:
    """The whole diff, including changes that only reorder."""
    return {
        "version": 1,
        "old": diff.old.name,
        "new": diff.new.name,
        "compared": diff.compared,
        "games": [
            {"game": game.name, "old_title": game.old_title, "new_title": game.new_title, **_change_json(game.change)}
            for game in diff.games
        ],
        "rolls": [_rolls_json(rolls) for rolls in diff.rolls],
        "odds": [_odds_json(odds) for odds in diff.odds],
        "examples": [_changed_block_json(block) for block in diff.recheck.changed],
        "judged": _recheck_json(diff.recheck),
        "not_judged": [_unchecked_block_json(block) for block in diff.recheck.unchecked],
        "headings": [_heading_json(heading) for heading in diff.headings],
        "links": [_link_json(link) for link in diff.stale_links],
        "aliases": {_target_text(old): _target_text(new) for old, new in diff.moved_targets.items()},
        "problems": problems_to_json(diff.game_problems),
    }


def _target_text(where: tuple[str, str]) -> str:
    return "#".join(filter(None, where))


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "part": change.part,
        "name": change.name,
        "way": change.way,
        "new_name": change.new_name,
        "sure": change.sure,
        "edits": [
            {"aspect": edit.aspect, "old": _english_text(edit.old), "new": _english_text(edit.new)}
            for edit in change.edits
        ],
        "inner": [_change_json(inner) for inner in change.children],
    }


def _english_text(text: Text) -> str:
    return phrase_text(text, read_words("en"))


def _rolls_json(comparison: RollComparison) -> dict[str, Any]:
    return {
        "game": comparison.pair.game,
        "rule": comparison.pair.new.name,
        "compared": comparison.rolls,
        "why": comparison.why or None,
        "smallest": _counterexample_json(comparison.smallest) if comparison.smallest else None,
        "defaults": {name: {"old": old, "new": new} for name, (old, new) in comparison.pair.defaults.items()},
    }


def _counterexample_json(roll: Counterexample) -> dict[str, Any]:
    inputs = dict(roll.inputs)
    return {
        "inputs": inputs,
        "dice": roll.dice,
        "rerolled": roll.rerolled,
        **({"turned": roll.turned} if roll.turned else {}),
        "old": _result_json(roll.old),
        "new": _result_json(roll.new),
    }


def _fraction_json(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "chance": float(chance)}


def _odds_json(odds: OddsChange) -> dict[str, Any]:
    largest = odds.largest
    return {
        "game": odds.pair.game,
        "rule": odds.pair.new.name,
        "asked": odds.combinations,
        "why": odds.why or None,
        "largest": None
        if largest is None
        else {
            "outcome": largest.outcome,
            "inputs": dict(largest.inputs),
            "old": _fraction_json(largest.old),
            "new": _fraction_json(largest.new),
        },
        "cells": [
            {
                **_cell_keys(odds, cell.row, cell.column),
                "old": _fraction_json(cell.old),
                "new": _fraction_json(cell.new),
            }
            for cell in odds.cells
        ],
    }


def _cell_keys(odds: OddsChange, row: str, column: str) -> Mapping[str, str]:
    return {axis: value for axis, value in ((odds.rows, row), (odds.columns, column)) if axis}


def _changed_block_json(block: ChangedBlock) -> dict[str, Any]:
    return {
        "edition": block.edition,
        "path": block.span.source.path,
        **span_ends(block.span),
        "id": block.id,
        "kind": block.kind,
        "rule": block.rule or None,
        "inputs": block.inputs,
        "dice": block.dice,
        "old": _result_json(block.old),
        "new": _result_json(block.new),
        "notes": list(block.notes),
    }


def _result_json(result: BlockResult) -> dict[str, Any]:
    return {"outcome": result.outcome or None, "degree": result.degree, "values": dict(result.steps)}


def _recheck_json(report: RecheckReport) -> dict[str, dict[str, dict[str, int]]]:
    """The number of blocks of each kind in each edition, and how many of them were rechecked."""
    counts: dict[str, dict[str, dict[str, int]]] = {"old": {}, "new": {}}
    for (edition, kind), number in report.counts.items():
        counts[edition][kind] = {"number": number, "judged": report.rechecked(edition, kind)}
    return counts


def _unchecked_block_json(block: UncheckedBlock) -> dict[str, Any]:
    return {
        "edition": block.edition,
        "path": block.span.source.path,
        **span_ends(block.span),
        "id": block.id,
        "kind": block.kind,
        "why": reason_text(block.why, read_words("en")),
    }


def _heading_json(heading: HeadingChange) -> dict[str, Any]:
    return {
        "way": heading.way,
        "old_text": heading.old_text,
        "new_text": heading.new_text,
        "old": _target_text(heading.old) or None,
        "new": _target_text(heading.new) or None,
    }


def _link_json(link: StaleLink) -> dict[str, Any]:
    fix = {**span_ends(link.fix.span), "text": link.fix.text} if link.fix else None
    return {
        "path": link.span.source.path,
        **span_ends(link.span),
        "target": link.span.text,
        "old": _target_text(link.old),
        "new": _target_text(link.new),
        "fix": fix,
    }
