"""Tests of throws in words: the faces that meet them, such as "6 or more"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...game.formula import COMPARISONS, DIE_WORDS, FACE, THROW_WORDS, Node, walk
from ...game.model import DiceKind, Face, Rule
from ..number_format import join_alternatives
from ..strings import Words
from .wording import format_name

ZERO, ONE = Node("number", (0,)), Node("number", (1,))
COMPARISON_NAMES = {"=": "equal", "!=": "other", "<": "below", ">=": "least", ">": "above", "<=": "most"}
_FIRST_THROW = Node("=", (Node("name", ("throw",)), ONE))
_FACE_WORDS = frozenset((*THROW_WORDS, *DIE_WORDS))


class ThrowTest(NamedTuple):
    """The faces that meet a test, such as "6 or more", and the clause under which they do; either may be empty."""

    faces: str
    condition: str = ""


def flatten(op: str, node: Node) -> list[Node]:
    """The parts that an operation joins."""
    return [part for arg in node.args for part in flatten(op, arg)] if node.op == op else [node]


@dataclass(frozen=True)
class ThrowTests:
    """Says tests of throws; `clause` and `noun` say conditions and values of the rule."""

    rule: Rule
    words: Words
    clause: Callable[[Node], str]
    noun: Callable[[Node], str]

    @cached_property
    def kinds(self) -> dict[str, DiceKind]:
        return {kind.name: kind for kind in self.rule.dice}

    def describe(self, kind: str, test: Node) -> ThrowTest:
        """The faces of a kind that meet a test; parts too deep for a phrase are exceptions."""
        test = self._judged(kind, test)
        if not self.asks_throw(test):
            return ThrowTest(self.words("rule any face"), self.clause(test))
        cases = [self._throw_case(kind, case) for case in flatten("or", test)]
        faces = join_alternatives(list(dict.fromkeys(case.faces for case in cases)), self.words)
        conditions = {case.condition for case in cases}
        if len(conditions) == 1:
            return ThrowTest(faces, conditions.pop())
        return ThrowTest(self.words("rule with exceptions", faces=faces))

    @cached_property
    def face_words(self) -> frozenset[str]:
        return _FACE_WORDS | self.rule.face_words

    def asks_throw(self, node: Node) -> bool:
        """Whether a test asks for more than values that are known before the roll."""
        return any(inner.op == "name" and inner.args[0] in self.face_words for inner in walk(node))

    def _compared_word(self, node: Node) -> str:
        """The word of a throw that is compared with a known value or the number of sides, or the symbol that there is,
        or is not; empty for anything else."""
        own = node.args[0] if node.op in (*COMPARISONS, "not") else node
        word = str(own.args[0]) if own.op == "name" else ""
        if word in self.rule.face_words:
            is_plain = node.op in ("name", "not") or (node.args[1] == ZERO and node.op in ("=", "!=", ">"))
            return word if is_plain or (node.args[1:] == (ONE,) and node.op == ">=") else ""
        if word not in ("face", "last", "value") or node.op not in COMPARISONS:
            return ""
        right = node.args[1]
        return word if not self.asks_throw(right) or right == Node("name", ("sides",)) else ""

    def _compared_part(self, kind: str, node: Node) -> str:
        """The part of a card that is compared with a known value, such as its suit; else empty."""
        word = node.args[0].args[0] if node.op in COMPARISONS and node.args[0].op == "name" else ""
        return word if word in self.kinds[kind].parts and not self.asks_throw(node.args[1]) else ""

    def _judged(self, kind: str, test: Node) -> Node:
        """The formula of a test in place of its name."""
        own = self.kinds[kind].tests
        if test.op == "name" and test.args[0] in own:
            return self._judged(kind, own[test.args[0]].node)
        return Node(test.op, tuple(self._judged(kind, arg) if isinstance(arg, Node) else arg for arg in test.args))

    def _throw_case(self, kind: str, test: Node) -> ThrowTest:
        parts = flatten("and", test)
        conditions = [part for part in parts if not self.asks_throw(part)]
        atoms = {"face": list[Node](), "last": list[Node]()}
        cards: dict[str, list[Node]] = {}
        is_exact, is_first = True, False
        for part in parts:
            if own := self._compared_part(kind, part):
                cards.setdefault(own, []).append(part)
            elif about := self._compared_word(part):
                atoms["last" if about == "last" else "face"].append(_about_symbol(part, about))
            elif part == _FIRST_THROW:
                is_first = True
            elif self.asks_throw(part):
                is_exact = False
        shown = [self._faces(kind, atoms["face"])]
        shown += [
            self.words("rule card part", part=format_name(name), faces=self._faces(kind, own))
            for name, own in cards.items()
        ]
        text = join_alternatives([one for one in shown if one], self.words, "and")
        if text and atoms["last"]:
            text = self.words("rule right after", faces=text, before=self._faces(kind, atoms["last"]))
        if is_first:
            text = self.words("rule on first throw", faces=text or self.words("rule any face"))
        if text and not is_exact:
            text = self.words("rule with exceptions", faces=text)
        condition = (
            self.clause(Node("and", tuple(conditions)) if len(conditions) > 1 else conditions[0]) if conditions else ""
        )
        return ThrowTest(text or ("" if conditions and is_exact else self.words("rule certain faces")), condition)

    def _faces(self, kind: str, atoms: list[Node]) -> str:
        """The faces that meet comparisons, such as "2 to 5"."""
        if len(atoms) == 2 and {atom.op for atom in atoms} <= {"<", "<=", ">", ">="}:
            ends = sorted((atom.op[0], atom) for atom in atoms if atom.args[1].op == "number")
            if [sign for sign, _ in ends] == ["<", ">"]:
                high, low = (atom.args[1].args[0] for _, atom in ends)
                high, low = high - (ends[0][1].op == "<"), low + (ends[1][1].op == ">")
                return self.words("rule faces between", low=low, high=high)
        return join_alternatives([self._face(kind, atom) for atom in atoms], self.words, "and")

    def _face(self, kind: str, atom: Node) -> str:
        op, number = atom.op, atom.args[1]
        if number.op == "name" and number.args[0] == "sides":
            return self.words("rule highest face" if op in ("=", ">=") else "rule lower face")
        if op in ("<", ">") and number.op == "number":
            op, number = f"{op}=", Node("number", (number.args[0] + (1 if op == ">" else -1),))
        what = self._mark(kind, number)
        return what if op == "=" else self.words(f"rule face {COMPARISON_NAMES[op]}", face=what)

    def _mark(self, kind: str, number: Node) -> str:
        """A number on a die, or what is written on its face."""
        faces = () if self.kinds[kind].parts else self.kinds[kind].faces
        if number.op == "word":
            face = next((face for face in faces if face.mark.lower() == number.args[0].lower()), None)
        else:
            face = next((face for face in faces if number == Node("number", (face.value,)) and not face.words), None)
        return self.noun(number) if face is None else self.face_name(face)

    def face_name(self, face: Face) -> str:
        """What readers call a face."""
        is_blank = face.mark == "-" and not face.value
        return face.label or (self.words("rule blank") if is_blank else face.mark.replace("-", "−"))


def _about_symbol(test: Node, word: str) -> Node:
    """A test of a symbol as one of the face: `s > 0` asks for a face with s, `not s` for one without."""
    if word in ("face", "last", "value"):
        return test
    return Node("!=" if test.op == "not" or test.op == "=" else "=", (FACE, Node("word", (word,))))
