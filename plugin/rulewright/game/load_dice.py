"""Loads the dice of a rule: kinds with their faces and tests, and what their throws lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .core import ROLLS_AGAIN
from .dice_tests import find_blind_test, find_test_problems
from .faces import Deck, check_kind, load_deck, read_faces
from .game_schema import JUDGE, THROW, UNKNOWN_TEST_WORDS
from .model import DiceKind, ThrowAgain
from .schema import KEY, Loader, collect_formulas
from .scope import Scope, check_formula
from .toml import Path


class DiceLoader:
    """Loads the kinds of dice of one rule from data that matches the schema; `path` is the path of the rule."""

    def __init__(self, loader: Loader, path: Path, kinds: Mapping[str, Any]) -> None:
        self.loader, self.path, self.kinds = loader, path, kinds
        self.decks: dict[str, Deck] = {}  # of the kinds that declare them

    def report(self, code: str, keys: Path, message: str) -> None:
        self.loader.report(code, (*self.path, *keys), message)

    def load_kind(self, name: str, raw: Mapping[str, Any]) -> DiceKind:
        path: Path = ("dice", name)
        check_kind(self.loader, (*self.path, *path), name, self.kinds)
        deck = self.load_deck(name, path, raw.get("deck", {}))
        return DiceKind(
            name, raw["count"], raw.get("sides"), deck.faces or tuple(read_faces(raw.get("faces", {}))),
            self.loader.where((*self.path, *path)), raw.get("tests", {}), tuple(self.load_again(path, raw)),
            raw.get("label", ""), tuple(raw.get("also", ())), deck.copies, deck.parts,
            raw["deck"] if isinstance(raw.get("deck"), str) else "", raw.get("taken"),
        )  # fmt: skip

    def load_deck(self, name: str, path: Path, raw: Any) -> Deck:
        """The cards of a kind; the name of another kind means what is left of its deck."""
        if not isinstance(raw, str):
            deck = self.decks[name] = load_deck(self.loader, (*self.path, *path, "deck"), raw)
            return deck
        able = [kind for kind, own in self.decks.items() if "deck" in self.kinds[kind]]
        self.loader.check_known("dice", (*self.path, *path, "deck"), raw, able, "no kind above with a deck is called")
        for kind in (raw, name):
            if raw in able and "again" in self.kinds[kind]:
                both = f"{kind} and {name if kind == raw else raw}"
                message = f"{both} share a deck, so their cards cannot be drawn again; remove `again`"
                self.report("dice", ("dice", kind, "again", KEY), message)
        return self.decks.get(raw, Deck())

    def load_again(self, path: Path, raw: Mapping[str, Any]) -> Iterator[ThrowAgain]:
        """What throws of a kind lead to."""
        again, at = raw.get("again", []), (*path, "again")
        listed = [(at, again)] if isinstance(again, dict) else [((*at, place), own) for place, own in enumerate(again)]
        for own_path, entry in listed:
            where, roll, known = (*self.path, *own_path), entry["roll"], (*self.kinds, *ROLLS_AGAIN)
            self.loader.check_known("dice", (*where, "roll"), roll, known, "there is no kind of dice")
            if "count" in entry and roll in ROLLS_AGAIN:
                message = f'"count" says how many dice a throw earns; {roll} is one die'
                self.report("dice", (*own_path, "count", KEY), message)
            count = entry["count"] if "count" in entry else self.loader.parse_formula_at(where, 1, THROW)
            optional = entry["optional"] if "optional" in entry else self.loader.parse_formula_at(where, 0, THROW)
            yield ThrowAgain(roll, entry["when"], count, optional)

    def check_tests(self, kind: DiceKind, before: Scope) -> None:
        """Check the tests of throws of a kind; they may name all that is known before these dice are rolled."""
        known = replace(before, dice_free=frozenset(before.values))
        for copies in kind.deck:
            self.loader.report_formula(copies, check_formula(copies.node, before))
        causes = [entry.when for entry in kind.again]
        unknown = {test: UNKNOWN_TEST_WORDS[JUDGE] | _later_tests(kind, word) for word, test in kind.tests.items()}
        for formula in collect_formulas(self.kinds[kind.name]):
            if formula.scope in (JUDGE, THROW):
                words = unknown.get(formula, UNKNOWN_TEST_WORDS[THROW])
                problems = find_test_problems(formula, known, kind, words)
                if formula.scope == JUDGE or formula in causes:
                    problems = problems or find_blind_test(formula, kind.face_words)
                self.loader.report_formula(formula, problems)


def _later_tests(kind: DiceKind, word: str) -> dict[str, str]:
    """The tests that have no value yet where a test is asked, each with the reason."""
    words = list(kind.tests)
    later = dict.fromkeys(words[words.index(word) :], "it is only declared further down")
    return later | {word: "a test cannot rest on itself"}
