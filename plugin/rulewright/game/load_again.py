"""Loads the entries of `again` at a rule: which dice that lie are rolled again, or earn others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .core import EXPLODE, REROLL, TURN
from .dice_tests import find_blind_test, find_test_problems
from .formula import ZERO
from .game_schema import REROLLED, REROLLS, UNKNOWN_TEST_WORDS
from .model import DiceKind, Formula, RuleAgain
from .schema import KEY, Loader
from .scope import Scope, check_formula
from .toml import Path


class AgainLoader:
    """Loads the entries of one rule; `path` is the path of the rule, `scope` what is known once its dice lie."""

    def __init__(self, loader: Loader, path: Path, raw: Mapping[str, Any], scope: Scope) -> None:
        self.loader, self.path, self.raw, self.scope = loader, path, raw.get("again", []), scope
        self.used = raw.get("again of rolls", [])  # entries of rules that are rolled, which come first

    def report(self, keys: Path, message: str) -> None:
        self.loader.report("dice", (*self.path, "again", *keys), message)

    def load(self) -> Iterator[RuleAgain]:
        listed = [((), self.raw)] if isinstance(self.raw, dict) else [((at,), own) for at, own in enumerate(self.raw)]
        for entry in self.used:
            yield self.load_entry((), entry, self.path)
        for path, entry in listed:
            if self.scope.dice:
                yield self.load_entry(path, entry, (*self.path, "again", *path))
            else:
                self.report(path, "this rule has no dice that could be rolled again")

    def load_entry(self, path: Path, entry: Mapping[str, Any], where: Path) -> RuleAgain:
        turn = entry.get("turn")
        roll = TURN if turn else entry.get("roll", "")
        self.check_keys(path, entry, roll)
        of, when = tuple(self.load_of(path, entry)), entry.get("when")
        self.loader.check_formulas(entry, {REROLLS: replace(self.scope, dice={})})
        kinds = [kind for name in of for kind in self.scope.sets.get(name, (self.scope.dice.get(name),)) if kind]
        if when:
            self.check_test(when, kinds)
        elif entry.get("pick", "all") == "all":
            when = self.loader.parse_formula_at(where, True, REROLLED)
        count = entry["count"] if "count" in entry else self.loader.parse_formula_at(where, 1, REROLLED)
        if "count" in entry:
            self.check_number(count, kinds)
        pick, keep = entry.get("pick", "all"), entry.get("keep", "new")
        face = turn if isinstance(turn, Formula) else None
        if turn:
            self.check_turn(path, face, kinds)
        return RuleAgain(entry["times"], of, pick, keep, when, roll, count, entry.get("goal"), face)

    def check_keys(self, path: Path, entry: Mapping[str, Any], roll: str) -> None:
        pick, kinds = entry.get("pick", "all"), self.scope.dice
        if ("turn" in entry) == ("roll" in entry):
            message = "an entry says what its dice lead to: write either roll or turn"
            self.report((*path, *(("turn", KEY) if roll else ())), message)
        if roll in (TURN, ""):
            for key in ("count", "keep") if roll else ():
                if key in entry:
                    self.report(
                        (*path, key, KEY), f'"{key}" is about dice that are rolled; a die is turned to one face'
                    )
            return
        if roll == EXPLODE:
            message = (
                "dice explode as they are rolled; write again on the kind, with a `when` that names what decides, or "
                "here the name of a kind that explodes, of which each die earns one"
            )
            self.report((*path, "roll"), message)
            return
        self.loader.check_known(
            "dice", (*self.path, "again", *path, "roll"), roll, (REROLL, *kinds), "there is no kind of dice"
        )
        if roll == REROLL and "count" in entry:
            self.report((*path, "count", KEY), '"count" says how many dice a die earns; a reroll is one die')
        if roll in kinds and "keep" in entry:
            self.report(
                (*path, "keep", KEY), '"keep" compares two rolls of a die; earned dice replace none, so remove it'
            )
        if roll in kinds and pick in ("any", "some"):
            message = 'dice that are earned are alike, whichever die earns them; write how many in "count" or "times"'
            self.report((*path, "pick"), message)
        if pick in ("all", "some") and entry.get("keep") == "better":
            message = (
                f'`{pick}` takes several dice at once, and `better` compares two; write pick = "any", one die after '
                "another, and in `times` how many"
            )
            self.report((*path, "keep"), message)

    def check_turn(self, path: Path, face: Formula | None, kinds: list[DiceKind]) -> None:
        """Check that dice can be turned, and that a number says to which face."""
        if face:
            self.check_number(face, kinds)
        for kind in kinds:
            if kind.deck:
                self.report((*path, "turn"), f"{kind.name} are cards, which cannot be turned to another face")
                return
            values = [own.value for own in kind.faces]
            if face and len(set(values)) < len(values):
                message = (
                    f"several faces of {kind.name} stand for the same number, so a number cannot say which is meant; "
                    'write turn = "any", and the player chooses the face'
                )
                self.report((*path, "turn"), message)
                return
            sides = kind.sides.node if kind.sides else None
            shown = values or (range(1, sides.args[0] + 1) if sides and sides.op == "number" else ())
            if face and face.node.op == "number" and shown and face.node.args[0] not in shown:
                self.report((*path, "turn"), f"no {kind.name} die shows {face.node.args[0]}; write a face that it has")
                return

    def load_of(self, path: Path, entry: Mapping[str, Any]) -> Iterator[str]:
        """The kinds and the steps that pick dice which an entry is about."""
        of, kinds = entry.get("of"), self.scope.dice
        listed, known = [of] if isinstance(of, str) else of, (*kinds, *self.scope.sets)
        every = [self.raw] if isinstance(self.raw, dict) else self.raw
        earned = {again.roll for kind in kinds.values() for again in kind.again} | {
            own.get("roll", "") for own in every
        }
        own = [name for name in kinds if "." not in name] or list(kinds)  # not the dice of rolls
        usual = [name for name in own if name not in earned or kinds[name].count.node != ZERO]
        names = usual or own if listed is None else listed
        for at, name in enumerate(names):
            here: Path = (*path, "of") if listed == [of] else (*path, "of", at)
            if name not in known and "," in name:
                parts = ", ".join(f'"{part.strip()}"' for part in name.split(","))
                self.report(here, f"write several kinds as a list: of = [{parts}]")
            else:
                self.loader.check_known("dice", (*self.path, "again", *here), name, known, "there is no kind of dice")
            if name in known and name in names[:at]:
                self.report(here, f'"{name}" appears twice')
                continue
            yield name

    def check_test(self, when: Formula, kinds: list[DiceKind]) -> None:
        """Check the test that decides which dice an entry takes; the tests of each kind may be asked."""
        for kind in kinds:
            problems = find_test_problems(when, self.scope, kind, _unknown_words(kind))
            problems = problems or find_blind_test(when, kind.face_words)
            self.loader.report_formula(when, problems)
            if problems:
                return

    def check_number(self, count: Formula, kinds: list[DiceKind]) -> None:
        """Check how many dice each die earns."""
        for kind in kinds:
            known = self.scope.test_scope(kind).without(_unknown_words(kind))
            if problems := check_formula(count.node, known):
                self.loader.report_formula(count, problems)
                return


def _unknown_words(kind: DiceKind) -> dict[str, str]:
    """The words of a throw that have no value for a die that lies."""
    return {word: why for word, why in UNKNOWN_TEST_WORDS[REROLLED].items() if word not in (*kind.tests, "value")}
