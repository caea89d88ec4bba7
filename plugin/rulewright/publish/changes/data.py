"""All that has changed, as data for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...diff.chances import OddsChange
from ...diff.compare import Change
from ...diff.counterexample import Counterexample, RollComparison
from ...diff.diff import EditionDiff
from ...diff.entities import Text
from ...diff.headings import HeadingChange, StaleLink
from ...diff.recheck import BlockResult, ChangedBlock, RecheckReport, UncheckedBlock
from ..reports import as_json as problems_json
from ..reports import ends
from ..words import read_words
from .sections import phrase_text, reason_text


def to_json(found: EditionDiff) -> dict[str, Any]:
    """Everything, moves included."""
    return {
        "version": 1,
        "old": found.old.name,
        "new": found.new.name,
        "compared": found.compared,
        "games": [
            {"game": one.name, "old_title": one.old_title, "new_title": one.new_title, **_change_json(one.change)}
            for one in found.games
        ],
        "rolls": [_rolls_json(one) for one in found.rolls],
        "odds": [_odds_json(one) for one in found.odds],
        "examples": [_changed_block_json(one) for one in found.recheck.changed],
        "judged": _recheck_json(found.recheck),
        "not_judged": [_unchecked_block_json(one) for one in found.recheck.unchecked],
        "headings": [_heading_json(one) for one in found.headings],
        "links": [_link_json(one) for one in found.stale_links],
        "aliases": {_target_text(old): _target_text(new) for old, new in found.moved_targets.items()},
        "problems": problems_json(found.game_problems),
    }


def _target_text(where: tuple[str, str]) -> str:
    return "#".join(filter(None, where))


def _change_json(one: Change) -> dict[str, Any]:
    return {
        "part": one.part,
        "name": one.name,
        "way": one.way,
        "new_name": one.new_name,
        "sure": one.sure,
        "edits": [
            {"aspect": edit.aspect, "old": _english_text(edit.old), "new": _english_text(edit.new)}
            for edit in one.edits
        ],
        "inner": [_change_json(inner) for inner in one.children],
    }


def _english_text(text: Text) -> str:
    return phrase_text(text, read_words("en"))


def _rolls_json(one: RollComparison) -> dict[str, Any]:
    return {
        "game": one.pair.game,
        "rule": one.pair.new.name,
        "compared": one.rolls,
        "why": one.why or None,
        "smallest": _counterexample_json(one.smallest) if one.smallest else None,
        "defaults": {_target_text: {"old": old, "new": new} for _target_text, (old, new) in one.pair.defaults.items()},
    }


def _counterexample_json(one: Counterexample) -> dict[str, Any]:
    inputs = dict(one.inputs)
    return {
        "inputs": inputs,
        "dice": one.dice,
        "rerolled": one.rerolled,
        "old": _result_json(one.old),
        "new": _result_json(one.new),
    }


def _fraction_json(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "chance": float(chance)}


def _odds_json(one: OddsChange) -> dict[str, Any]:
    largest = one.largest
    return {
        "game": one.pair.game,
        "rule": one.pair.new.name,
        "asked": one.asked,
        "why": one.why or None,
        "largest": None
        if largest is None
        else {
            "outcome": largest.outcome,
            "inputs": dict(largest.inputs),
            "old": _fraction_json(largest.old),
            "new": _fraction_json(largest.new),
        },
        "cells": [
            {**_cell_keys(one, cell.row, cell.column), "old": _fraction_json(cell.old), "new": _fraction_json(cell.new)}
            for cell in one.cells
        ],
    }


def _cell_keys(one: OddsChange, row: str, column: str) -> Mapping[str, str]:
    return {_target_text: value for _target_text, value in ((one.rows, row), (one.columns, column)) if _target_text}


def _changed_block_json(one: ChangedBlock) -> dict[str, Any]:
    return {
        "edition": one.edition,
        "path": one.span.source.path,
        **ends(one.span),
        "id": one.id,
        "kind": one.kind,
        "rule": one.rule or None,
        "inputs": one.inputs,
        "dice": one.dice,
        "old": _result_json(one.old),
        "new": _result_json(one.new),
        "notes": list(one.notes),
    }


def _result_json(one: BlockResult) -> dict[str, Any]:
    return {"outcome": one.outcome or None, "degree": one.degree, "values": dict(one.steps)}


def _recheck_json(one: RecheckReport) -> dict[str, dict[str, dict[str, int]]]:
    """How many blocks of each kind there are in each edition, and how many of them the other one could judge."""
    found: dict[str, dict[str, dict[str, int]]] = {"old": {}, "new": {}}
    for (edition, kind), number in one.counts.items():
        found[edition][kind] = {"number": number, "judged": one.rechecked(edition, kind)}
    return found


def _unchecked_block_json(one: UncheckedBlock) -> dict[str, Any]:
    return {
        "edition": one.edition,
        "path": one.span.source.path,
        **ends(one.span),
        "id": one.id,
        "kind": one.kind,
        "why": reason_text(one.why, read_words("en")),
    }


def _heading_json(one: HeadingChange) -> dict[str, Any]:
    return {
        "way": one.way,
        "old_text": one.old_text,
        "new_text": one.new_text,
        "old": _target_text(one.old) or None,
        "new": _target_text(one.new) or None,
    }


def _link_json(one: StaleLink) -> dict[str, Any]:
    fix = {**ends(one.fix.span), "text": one.fix.text} if one.fix else None
    return {
        "path": one.span.source.path,
        **ends(one.span),
        "target": one.span.text,
        "old": _target_text(one.old),
        "new": _target_text(one.new),
        "fix": fix,
    }
