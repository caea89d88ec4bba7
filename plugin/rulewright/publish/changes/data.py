"""All that has changed, as data for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...editions.apart import Apart
from ...editions.chances import OddsChange
from ...editions.compare import Change
from ...editions.examples import End, Retold, Unjudged
from ...editions.further import Further
from ...editions.headings import Shift
from ...editions.judging import Judgement
from ...editions.parting import Parting
from ...editions.places import Stale
from ...editions.things import Text
from ...editions.whole import Editions
from ..reports import as_json as problems_json
from ..reports import ends
from ..words import read_words
from .shown import reason
from .values import said


def as_data(found: Editions) -> dict[str, Any]:
    """Everything, moves included."""
    return {
        "version": 1,
        "old": found.old.name,
        "new": found.new.name,
        "compared": found.compared,
        "games": [
            {"game": one.name, "old_title": one.old_title, "new_title": one.new_title, **change(one.change)}
            for one in found.games
        ],
        "partings": [parting(one) for one in found.partings],
        "odds": [odds(one) for one in found.odds],
        "examples": [example(one) for one in found.judgement.changed],
        "judged": judged(found.judgement),
        "not_judged": [unjudged(one) for one in found.judgement.unjudged],
        "headings": [heading(one) for one in found.headings],
        "links": [link(one) for one in found.stale],
        "aliases": {name(old): name(new) for old, new in found.learned.items()},
        "problems": problems_json(found.broken),
    }


def name(where: tuple[str, str]) -> str:
    return "#".join(filter(None, where))


def change(one: Change) -> dict[str, Any]:
    return {
        "part": one.part,
        "name": one.name,
        "way": one.way,
        "new_name": one.new_name,
        "sure": one.sure,
        "edits": [{"aspect": edit.aspect, "old": english(edit.old), "new": english(edit.new)} for edit in one.edits],
        "inner": [change(inner) for inner in one.inner],
    }


def english(text: Text) -> str:
    return said(text, read_words("en"))


def parting(one: Parting) -> dict[str, Any]:
    return {
        "game": one.pair.game,
        "rule": one.pair.new.name,
        "parted": one.parted,
        "condition": " ".join(one.condition) or None,
        "formula": one.formula or None,
        "names": dict(one.names),
        "defaults": {name: {"old": old, "new": new} for name, (old, new) in one.pair.defaults.items()},
        "tried": one.tried,
        "dice": one.dice,
        "complete": one.complete,
        "why": one.why or None,
        "smallest": [throw(apart) for apart in one.smallest],
        "further": further(one.further) if one.further else None,
        "chances": [
            {one.rows: row, **({one.columns: column} if one.columns else {}), **exact(chance)}
            for (row, column), chance in one.chances.items()
        ],
    }


def throw(one: Apart) -> dict[str, Any]:
    return {"inputs": dict(one.inputs), "dice": one.dice, "old": end(one.old), "new": end(one.new)}


def further(one: Further) -> dict[str, Any]:
    """Throws that go on after the first faces."""
    return {
        "tried": one.tried,
        "dice": one.dice,
        "most_faces": one.most,
        "complete": one.complete,
        "parted": one.apart,
        "unlike": one.unlike,
        "longer_left_out": one.longer,
        "optional_dice_taken": one.taken,
        "smallest": [throw(apart) for apart in one.smallest],
    }


def exact(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "chance": float(chance)}


def odds(one: OddsChange) -> dict[str, Any]:
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
            "old": exact(largest.old),
            "new": exact(largest.new),
        },
        "cells": [
            {**keys(one, cell.row, cell.column), "old": exact(cell.old), "new": exact(cell.new)} for cell in one.cells
        ],
    }


def keys(one: OddsChange, row: str, column: str) -> Mapping[str, str]:
    return {name: value for name, value in ((one.rows, row), (one.columns, column)) if name}


def example(one: Retold) -> dict[str, Any]:
    return {
        "edition": one.edition,
        "path": one.span.source.path,
        **ends(one.span),
        "id": one.id,
        "kind": one.kind,
        "rule": one.rule or None,
        "inputs": one.inputs,
        "dice": one.dice,
        "old": end(one.old),
        "new": end(one.new),
        "notes": list(one.notes),
    }


def end(one: End) -> dict[str, Any]:
    return {"outcome": one.outcome or None, "degree": one.degree, "values": dict(one.steps)}


def judged(one: Judgement) -> dict[str, dict[str, dict[str, int]]]:
    """How many blocks of each kind there are in each edition, and how many of them the other one could judge."""
    found: dict[str, dict[str, dict[str, int]]] = {"old": {}, "new": {}}
    for (edition, kind), number in one.counts.items():
        found[edition][kind] = {"number": number, "judged": one.judged(edition, kind)}
    return found


def unjudged(one: Unjudged) -> dict[str, Any]:
    return {
        "edition": one.edition,
        "path": one.span.source.path,
        **ends(one.span),
        "id": one.id,
        "kind": one.kind,
        "why": reason(one.why, read_words("en")),
    }


def heading(one: Shift) -> dict[str, Any]:
    return {
        "way": one.way,
        "old_text": one.old_text,
        "new_text": one.new_text,
        "old": name(one.old) or None,
        "new": name(one.new) or None,
    }


def link(one: Stale) -> dict[str, Any]:
    fix = {**ends(one.fix.span), "text": one.fix.text} if one.fix else None
    return {
        "path": one.span.source.path,
        **ends(one.span),
        "target": one.span.text,
        "old": name(one.old),
        "new": name(one.new),
        "fix": fix,
    }
