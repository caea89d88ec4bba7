"""Checked blocks and the summary of a book as data for other programs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

from ..checks.model import CheckedBlock, Move
from ..compile.books import Compiled
from ..play.result import Result
from .fingerprints import find_repository, repository_path
from .reports import SEVERITIES, problems_to_json, span_ends

if TYPE_CHECKING:
    from ..checks.coverage import CoveredNumber

_STATUSES = {"passed": "passed", "failed": "failed", "error": "errors", "skipped": "skipped"}


def count_pages_and_blocks(compiled: Compiled) -> dict[str, int]:
    """The number of pages, and of blocks by status."""
    counts = dict.fromkeys(_STATUSES.values(), 0)
    for block in compiled.blocks:
        counts[_STATUSES[block.status]] += 1
    prose = {
        "prose_examples": sum(page.prose_examples for page in compiled.pages),
        "unchecked_examples": sum(page.unchecked_examples for page in compiled.pages),
    }
    from ..checks.coverage import count_states  # its modules read prose

    numbers = count_states(compiled.coverage)
    return {"pages": len(compiled.pages), "blocks": len(compiled.blocks), **counts, **prose, **numbers}


def book_to_json(compiled: Compiled, here: File) -> dict[str, Any]:
    """The JSON report: summary, blocks and problems. Paths begin at `here`, and at the root of its repository."""
    repository, problems = find_repository(here, os.environ), compiled.problems
    severities = Counter(problem.severity for problem in problems)

    def with_path(entry: dict[str, Any]) -> dict[str, Any]:
        return {**entry, "repository_path": repository_path(entry["path"], here, repository)}

    return {
        "version": 1,
        "summary": {
            **count_pages_and_blocks(compiled),
            "looked": compiled.checked_counts,
            "unread": len(compiled.unread),
            "ignored": sum(page.ignored_count for page in compiled.pages),
            "problems": {name: severities[name] for name in SEVERITIES},
        },
        "blocks": [with_path(block) for block in blocks_to_json(compiled.blocks)],
        "problems": [with_path(problem) for problem in problems_to_json(problems)],
        "coverage": [with_path(number) for number in coverage_to_json(compiled.coverage)],
    }


def coverage_to_json(numbers: Iterable[CoveredNumber]) -> list[dict[str, Any]]:
    """The `coverage` of the JSON report: the numbers of the text with their states."""
    return [
        {
            "path": number.span.source.path,
            **span_ends(number.span),
            "text": number.span.text,
            "state": number.state,
            "to": number.to,
        }
        for number in numbers
    ]


def blocks_to_json(blocks: Iterable[CheckedBlock]) -> list[dict[str, Any]]:
    """The `blocks` of the JSON report."""
    return [_block_to_json(block) for block in blocks]


def _block_to_json(checked: CheckedBlock) -> dict[str, Any]:
    block, first = checked.block, checked.moves[0] if checked.moves else None
    moves = [_move_to_json(move) for move in checked.moves]
    return {
        "id": block.id,
        "kind": block.kind,
        "path": block.span.source.path,
        "line": block.line,
        "game": checked.rule.game if checked.rule else "",
        "rule": checked.rule.name if checked.rule else "",
        "status": checked.status,
        "inputs": dict(first.inputs) if first else {},
        "dice": _dice_to_json(first.result) if first and first.result else [],
        "result": moves[0]["result"] if moves else None,
        "steps": moves if len(moves) > 1 else [],
    }


def _move_to_json(move: Move) -> dict[str, Any]:
    result = {"outcome": move.outcome, "degree": move.degree, "values": dict(move.steps)}
    result |= {"winner": move.winner} if move.winners else {}
    return {
        "game": move.rule.game,
        "rule": move.rule.name,
        "inputs": dict(move.inputs),
        "dice": _dice_to_json(move.result) if move.result else [],
        "result": result,
    }


def _dice_to_json(result: Result) -> list[dict[str, Any]]:
    """Every face with its kind, round and roles."""
    faces = (face for die in result.faces for face in die)
    return [{"kind": face.kind, "face": face.text, "round": face.round, "roles": list(face.roles)} for face in faces]
