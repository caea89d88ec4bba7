"""All that has changed, as data for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...editions.chances import OddsChange
from ...editions.compare import Change
from ...editions.counterexample import Counterexample, RollComparison
from ...editions.examples import End, Retold, Unjudged
from ...editions.headings import Shift
from ...editions.judging import Judgement
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
        "rolls": [rolls(one) for one in found.rolls],
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


def rolls(one: RollComparison) -> dict[str, Any]:
    return {
        "game": one.pair.game,
        "rule": one.pair.new.name,
        "compared": one.rolls,
        "why": one.why or None,
        "smallest": counterexample(one.smallest) if one.smallest else None,
        "defaults": {name: {"old": old, "new": new} for name, (old, new) in one.pair.defaults.items()},
    }


def counterexample(one: Counterexample) -> dict[str, Any]:
    inputs = dict(one.inputs)
    return {"inputs": inputs, "dice": one.dice, "rerolled": one.rerolled, "old": end(one.old), "new": end(one.new)}


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
