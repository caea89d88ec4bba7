"""Finds mistakes in tests of dice."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .game_schema import JUDGE
from .model import DiceKind, Formula
from .schema import BROKEN_NODE
from .scope import NodeProblem, Scope, check_formula, find_unrelated_test, is_constant


def find_test_problems(formula: Formula, scope: Scope, kind: DiceKind, unknown: Mapping[str, str]) -> list[NodeProblem]:
    """Check a test over dice in a scope where the `unknown` words have no value yet."""
    return check_formula(formula.node, scope.test_scope(kind).without(unknown))


def find_blind_test(formula: Formula, face_words: Collection[str] = ()) -> list[NodeProblem]:
    """Report a test that does not refer to the die, unless that is intended.

    `true` and `false` are intended. Whether dice explode, earn others or are rerolled may depend on an input
    alone; which faces are good or bad may not."""
    problem = None if formula.node is BROKEN_NODE else find_unrelated_test(formula.node, face_words)
    is_intended = formula.span.text in ("true", "false") or not (formula.scope == JUDGE or is_constant(formula.node))
    return [problem] if problem and not is_intended else []
