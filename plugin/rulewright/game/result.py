"""A finished roll: what lies on the table, what follows from it, and what each face counts for."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from .inputs import bind
from .model import Formula, Outcome, Rule
from .notation import Unreadable, face_text, read_dice, read_rerolls
from .outline import Worked, work_out
from .play import Die, Faces, Play, Throw, count_tallies
from .python import Stuck
from .record import Record
from .setting import Landing, Refused, Setting


class Complaint(NamedTuple):
    """Why there is no result; `part` names what it is about (an input, «dice», «rerolled»), with its place there."""

    part: str
    message: str
    start: int = 0
    end: int = 0


class Shown(NamedTuple):
    """One face as it is drawn: its mark, the kind of its die, and everything it is."""

    kind: str
    text: str
    round: int
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """Everything about one roll of a rule."""

    setting: Setting
    throw: Throw
    tallies: tuple[int, ...]
    worked: Worked

    @property
    def rule(self) -> Rule:
        return self.setting.rule

    @property
    def steps(self) -> Mapping[str, Any]:
        return self.worked.steps

    @property
    def outcome(self) -> Outcome | None:
        return self.worked.outcome

    @property
    def degree(self) -> int | None:
        return self.worked.degree

    @cached_property
    def unasked(self) -> dict[str, Formula]:
        """Inputs whose question does not arise, each with its question."""
        made, known = self.setting.program, {**self.setting.known, **told(self.steps)}
        questions = {name: entry.asked for name, entry in made.asked.items() if entry.asked}
        able = {name: question for name, question in questions.items() if made.needed([question]) <= known.keys()}
        return {name: asked for name, asked in able.items() if not made.run_mark(asked)(known, list(self.tallies))}

    @cached_property
    def known(self) -> dict[str, Any]:
        """Every value that formulas can name, as far as it is known; what is not asked has its default."""
        defaults = {name: self.setting.program.asked[name].default for name in self.unasked}
        return {**self.setting.known, **defaults, **told(self.steps)}

    @cached_property
    def marks(self) -> dict[str, int]:
        """How many good faces are removed, and how many cancelled."""
        made, known, counts = self.setting.program, self.known, {}
        for name in ("removed", "cancelled"):
            formula = self.rule.marks.get(name)
            if formula and made.needed([formula]) <= known.keys():
                with suppress(Stuck):
                    counts[name] = max(int(made.run_mark(formula)(known, list(self.tallies))), 0)
        return counts

    @cached_property
    def faces(self) -> list[list[Shown]]:
        """The faces of every die, in the order thrown."""
        waiting = [role for role in ("removed", "cancelled") for _ in range(min(self.marks.get(role, 0), 10_000))]
        return [self.shown(die, waiting) for die in self.throw.dice]

    def shown(self, die: Die, waiting: list[str]) -> list[Shown]:
        kind = self.rule.dice[die.kind]
        base = (("earned",) if die.earned else ()) + (() if die.kept else ("dropped",))
        faces = [
            Shown(kind.name, face_text(kind, landing.face), die.round, ("rerolled",))
            for throws in die.tries
            if throws is not die.throws
            for landing in throws
        ]
        for number, landing in enumerate(die.throws):
            roles = base + (("good",) if landing.good else ()) + (("bad",) if landing.bad else ())
            if landing.good and die.kept and waiting:
                roles += (waiting.pop(0),)
            if number:
                roles += ("thrown on",)
            faces.append(Shown(kind.name, face_text(kind, landing.face), die.round, roles))
        return faces

    @cached_property
    def dice(self) -> str:
        """The dice as a record that can be pasted into a book."""
        groups: dict[tuple[int, int], list[str]] = {}
        for die in self.throw.dice:
            text = throws_text(self.rule, die.kind, (die.tries or (die.throws,))[0])
            groups.setdefault((die.round, die.kind), []).append(text)
        several = len(self.rule.dice) > 1
        return " | ".join(
            " ".join([self.rule.dice[kind].name, *texts] if several else texts) for (_, kind), texts in groups.items()
        )

    @cached_property
    def rerolled(self) -> str:
        """The rerolls as they are recorded: «skill 2 -> 4, attribute 1 -> 3»; with bars between those of the rule where
        a choice was cut short."""
        rerolls, parted = self.throw.rerolls, self.throw.parted
        turns: list[list[str]] = [[] for _ in range(rerolls[-1].turn + 1 if parted else 1)]
        for old, new, turn in rerolls:
            before, after = (throws_text(self.rule, die.kind, die.throws) for die in (old, new))
            turns[turn if parted else 0].append(f"{self.rule.dice[old.kind].name} {before} -> {after}")
        return " | ".join(map(", ".join, turns)).strip()


def told(steps: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in steps.items() if value is not None}


def throws_text(rule: Rule, kind: int, throws: tuple[Landing, ...]) -> str:
    return "+".join(face_text(rule.dice[kind], landing.face) for landing in throws)


class Prepared(NamedTuple):
    """A rule with the values that an author wrote, or why they will not do."""

    setting: Setting | None
    complaints: tuple[Complaint, ...] = ()


def prepare(rule: Rule, inputs: Mapping[str, Any]) -> Prepared:
    """Books ask for the same settings again and again; what is remembered depends on rule and texts alone."""
    given = tuple(inputs.items())
    written = all(type(raw) is str for _, raw in given)
    return remembered(rule, given) if written else prepared(rule, given)


def prepared(rule: Rule, given: tuple[tuple[str, Any], ...]) -> Prepared:
    values, complaints = bound(rule, dict(given))
    if complaints:
        return Prepared(None, complaints=tuple(complaints))
    return Prepared(Setting(rule, values))


remembered = lru_cache(maxsize=1024)(prepared)


def check(
    rule: Rule, inputs: Mapping[str, Any], dice: str, declined: int = 0, rerolled: str = ""
) -> tuple[Result | None, list[Complaint]]:
    """The result of recorded dice, or what is wrong with the record."""
    try:
        setting, complaints = prepare(rule, inputs)
        if setting is None:
            return None, list(complaints)
        result = recorded(setting, dice, rerolled)
        return result, [*declined_wrong(result, declined), *asked_in_vain(result, inputs)]
    except Unreadable as error:
        return None, [Complaint(error.part, error.message, error.start, error.end)]
    except (Refused, Stuck) as error:
        return None, [refusal(error)]


def recorded(setting: Setting, dice: str, rerolled: str) -> Result:
    """The result of a record that is read die by die."""
    record = Record(read_dice(dice, setting.rule), read_rerolls(rerolled, setting.rule), len(dice))
    result = play(setting, record)
    record.close()
    return result


def roll(rule: Rule, inputs: Mapping[str, Any], faces: Faces) -> tuple[Result | None, list[Complaint]]:
    """The result of dice thrown now."""
    values, complaints = bound(rule, inputs)
    if complaints:
        return None, complaints
    try:
        return play(Setting(rule, values), faces), []
    except (Refused, Stuck) as error:
        return None, [refusal(error)]


def refusal(error: Refused | Stuck) -> Complaint:
    formula = error.formula.text if isinstance(error, Stuck) else ""
    return Complaint("rule", f"{error}: {formula}" if formula else str(error))


def play(setting: Setting, faces: Faces) -> Result:
    return finished(setting, Play(setting, faces).run())


def finished(setting: Setting, throw: Throw) -> Result:
    tallies = count_tallies(setting, throw.dice)
    return Result(setting, throw, tuple(tallies), work_out(setting, tallies))


def bound(rule: Rule, inputs: Mapping[str, Any]) -> tuple[dict[str, Any], list[Complaint]]:
    values, complaints = bind(rule, inputs)
    return values, [Complaint(name, message.strip()) for name, message in complaints]


def declined_wrong(result: Result, declined: int) -> list[Complaint]:
    offered = result.throw.declined
    if offered == declined:
        return []
    fact = {0: "no throw was offered that is not here", 1: "1 throw that was offered is not here"}.get(
        offered, f"{offered} throws that were offered are not here"
    )
    if not declined:
        return [Complaint("declined", f"{fact}; write the face, or declined: {offered}")]
    repair = f"write declined: {offered}" if offered else "leave «declined» out"
    return [Complaint("declined", f"{declined} cannot have been declined, {fact}; {repair}")]


def asked_in_vain(result: Result, inputs: Mapping[str, Any]) -> list[Complaint]:
    """A choice that is stated although its question does not arise."""
    if not result.setting.program.asked:
        return []
    given = {name.lower() for name in inputs}
    return [
        Complaint(name, f"{name} does not come up here: it is asked when {question.text}")
        for name, question in result.unasked.items()
        if name in given
    ]
