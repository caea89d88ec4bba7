"""Reports as SARIF 2.1.0, the format that code scanning of GitHub and many other tools read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..source import Fix, Span
from .code_hosts import full_message
from .digest import Entry
from .fingerprints import IdentifiedProblem
from .problem_help import ProblemHelp, explain_problems
from .reports import format_fix, span_ends

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"  # the identifier of the format; nothing is fetched
_ROOT = "%SRCROOT%"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_SEVERITIES = {"error": "error", "warning": "warning", "info": "recommendation"}  # as GitHub calls them
_ABSOLUTE = re.compile(r"/|[A-Za-z]:")


def format_sarif(entries: Sequence[Entry[IdentifiedProblem]]) -> str:
    """A log with one run: the codes that occur as rules, and each cause as a result with all of its places."""
    problems = [identified for entry in entries for identified in entry.all]
    helps = explain_problems(dict.fromkeys(identified.problem.code for identified in problems))
    rule_numbers = {code: number for number, code in enumerate(helps)}
    severities = {identified.problem.code: identified.problem.severity for identified in reversed(problems)}
    driver = {
        "name": "Rulewright",
        "semanticVersion": __version__,
        "rules": [_make_rule(code, help_text, severities[code]) for code, help_text in helps.items()],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_make_result(entry, rule_numbers[entry.first.problem.code]) for entry in entries],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _make_rule(code: str, help_text: ProblemHelp, severity: str) -> dict[str, Any]:
    return {
        "id": code,
        "shortDescription": {"text": help_text.summary},
        "fullDescription": {"text": help_text.text},
        "help": {"text": help_text.text, "markdown": help_text.text},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"problem.severity": _SEVERITIES[severity], "tags": ["rulebook", code.partition("-")[0]]},
    }


def _make_result(entry: Entry[IdentifiedProblem], rule_number: int) -> dict[str, Any]:
    identified, problem = entry.first, entry.first.problem
    others = [
        {"id": number, "physicalLocation": _make_location(other), "message": {"text": other.problem.message}}
        for number, other in enumerate(entry.others, 1)
    ]
    trail = [{"name": problem.trail[-1], "fullyQualifiedName": " › ".join(problem.trail)}] if problem.trail else []
    fixes = {"fixes": [_make_fix(problem.fix, identified.path, format_fix(problem))]} if problem.fix else {}
    return {
        "ruleId": problem.code,
        "ruleIndex": rule_number,
        "level": _LEVELS[problem.severity],
        "message": {"text": "\n".join(full_message(entry))},
        "locations": [
            {"physicalLocation": _make_location(identified), **({"logicalLocations": trail} if trail else {})}
        ],
        **({"relatedLocations": others, "occurrenceCount": len(entry.all)} if others else {}),
        "partialFingerprints": {"rulewright/v1": identified.fingerprint},
        **fixes,
    }


def _make_location(identified: IdentifiedProblem) -> dict[str, Any]:
    region = {**_make_region(identified.problem.span), "snippet": {"text": identified.problem.span.text}}
    return {"artifactLocation": _artifact_location(identified.path), "region": region}


def _artifact_location(path: str) -> dict[str, str]:
    """The address of a file; one outside the repository has no base."""
    is_inside = not (path.startswith("../") or _ABSOLUTE.match(path))
    return {"uri": quote(path), **({"uriBaseId": _ROOT} if is_inside else {})}


def _make_region(span: Span) -> dict[str, int]:
    """A region with columns in characters; its end is exclusive, as that of a span."""
    ends = span_ends(span)
    names = {"line": "startLine", "column": "startColumn", "end_line": "endLine", "end_column": "endColumn"}
    return {name: ends[key] for key, name in names.items()}


def _make_fix(fix: Fix, path: str, description: str) -> dict[str, Any]:
    replacement = {"deletedRegion": _make_region(fix.span), "insertedContent": {"text": fix.text}}
    change = {"artifactLocation": _artifact_location(path), "replacements": [replacement]}
    return {"description": {"text": description}, "artifactChanges": [change]}
