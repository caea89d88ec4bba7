"""Compares the facts that a prose example states with the facts of its block; uncertain facts are ignored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..book.page import Block
from ..game.inputs import bind
from ..game.model import Rule
from ..play.result import Result
from ..prose.dice import PART, values
from ..prose.mood import Bit
from ..prose.reader import Bits, Told
from .model import Checked, Move

Faces = tuple[int, ...]


@dataclass(frozen=True)
class Account:
    """Facts of one step of a checked block that prose can contradict; `faces` is empty if no dice are recorded."""

    block: Block
    inputs: Mapping[str, Any]  # values by name, including defaults
    faces: Sequence[tuple[str, Faces]]  # kind and faces, in the order recorded
    steps: Mapping[str, Any]
    outcome: str | None
    degree: int | None
    outcomes: tuple[str, ...] = ()  # every outcome of the rule
    good: tuple[int, ...] = ()  # number of good faces up to the end of each group
    dice: tuple[int, ...] = ()  # number of dice in each group
    sides: frozenset[int] = frozenset()  # die sizes that are rolled; empty if unknown

    @property
    def numbers(self) -> dict[str, int]:
        return {name: int(value) for name, value in self.steps.items() if isinstance(value, int)}


def accounts(checked: Checked) -> Iterator[Account]:
    """The facts of each step of a block; none for errors, skipped blocks, `wrong:` blocks and contests."""
    if checked.block.kind != "example" or checked.block.get("wrong") or checked.status in ("error", "skipped"):
        return
    for move in checked.moves:
        if not move.rule.contest:
            yield account(checked.block, move)


def account(block: Block, move: Move) -> Account:
    """Collects the facts of one evaluated step."""
    outcomes = tuple(outcome.name for outcome in move.rule.outcomes)
    if move.result is None:
        inputs, _ = bind(move.rule, move.inputs)
        return Account(block, inputs, (), move.steps, move.outcome, move.degree, outcomes)
    groups = groups_of(move.result)
    faces = [(kind, tuple(face for face, _ in thrown)) for kind, thrown, _ in groups]
    good = tuple(sum(fine for _, thrown, _ in groups[: n + 1] for _, fine in thrown) for n in range(len(groups)))
    inputs, dice = dict(move.result.setting.values), tuple(number for _, _, number in groups)
    sides = sides_of(move.rule, inputs)
    return Account(block, inputs, faces, move.steps, move.outcome, move.degree, outcomes, good, dice, sides)


def groups_of(result: Result) -> list[tuple[str, list[tuple[int, bool]], int]]:
    """Groups by round and kind: the kind, its faces (rerolled ones too) with whether they count, and the dice count."""
    groups: dict[tuple[int, int], tuple[list[tuple[int, bool]], list[int]]] = {}
    for die in result.throw.dice:
        faces, counted = groups.setdefault((die.round, die.kind), ([], []))
        counted.append(1)
        gone = [throw for throws in die.tries if throws is not die.throws for throw in throws]
        faces += [(throw.face, False) for throw in gone] + [(throw.face, throw.good) for throw in die.throws]
    return [(result.rule.dice[kind].name, faces, len(dice)) for (_, kind), (faces, dice) in groups.items()]


def sides_of(rule: Rule, inputs: Mapping[str, Any]) -> frozenset[int]:
    fixed = [int(kind.sides.text) for kind in rule.dice if kind.sides and kind.sides.text.strip().isdecimal()]
    chosen = [int(inputs[entry.name]) for entry in rule.inputs if entry.form == "die" and entry.name in inputs]
    return frozenset((*fixed, *chosen))


class Difference(NamedTuple):
    """A contradiction between text and block: the words and the message."""

    bit: Bit
    start: int
    end: int
    message: str


def differs(bit: Bit, said: str, fact: str, start: int = -1, end: int = -1) -> Difference:
    first, last = (bit.start, bit.end) if start < 0 else (start, end)
    return Difference(bit, first, last, f"the text says {said}, the block beside it {fact}")


def figures(found: Faces) -> str:
    return " ".join(map(str, found))


def listed(found: set[int]) -> str:
    return " or ".join(map(str, sorted(found)))


def named(one: Account, names: Sequence[str]) -> set[int]:
    return {value for name, value in one.inputs.items() if name in names and isinstance(value, int)}


def all_faces(one: Account) -> Faces:
    return tuple(face for _, group in one.faces for face in group)


def single_numbers(one: Account) -> set[int]:
    return {sum(group) for _, group in one.faces} | set(one.numbers.values()) | {sum(all_faces(one))}


def summary(one: Account) -> str:
    """The numeric steps as `successes 3, botches 1`."""
    return ", ".join(f"{name} {value}" for name, value in one.numbers.items())


def faces(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """Each list of faces must be among the recorded dice; a single number may also be a sum or a step."""
    if not all(one.faces for one in beside):
        return
    for bit in told.faces:
        said = bit.value if isinstance(bit.value, tuple) else ()
        groups = [shown for one in beside for shown in on_the_table(one, bit.what)]
        if not bit.sure or any(not Counter(said) - Counter(group) for group in groups):
            continue
        if len(said) > 1 or is_kind(bit.what, beside):
            yield first_wrong(told, bit, said, max(groups, key=lambda group: likeness(group, said)))
        elif not any(said[0] in single_numbers(one) for one in beside):
            shown = "; ".join(f"{figures(all_faces(one))} ({summary(one)})" for one in beside)
            yield differs(bit, str(said[0]), f"has {shown}")


def on_the_table(one: Account, kind: str) -> list[Faces]:
    """The faces of the named kind; without one, the faces of each group and of all groups together."""
    if is_kind(kind, [one]):
        return [tuple(face for name, group in one.faces if name.lower() == kind for face in group)]
    return [*(group for _, group in one.faces), all_faces(one)]


def is_kind(name: str, beside: Sequence[Account]) -> bool:
    return bool(name) and all(any(kind.lower() == name for kind, _ in one.faces) for one in beside)


def likeness(group: Faces, said: Faces) -> tuple[int, int]:
    return in_common(group, said), -abs(len(group) - len(said))


def in_common(some: Faces, others: Faces) -> int:
    return sum(min(some.count(face), others.count(face)) for face in set(some))


def first_wrong(told: Told, bit: Bit, said: Faces, meant: Faces) -> Difference:
    """The difference at the first face that the block does not have."""
    left, shown = Counter(meant), figures(meant)
    for part in PART.finditer(told.passage.text, bit.start, bit.end):
        for face in values(part[0]):
            if not left[face]:
                figure = list(re.finditer(r"[\w’']+", part[0]))[-1]
                at = part.start() + figure.start()
                return differs(bit, f"{face} here", f"has {shown}", at, part.start() + figure.end())
            left[face] -= 1
    return differs(bit, figures(said), f"has {shown}")


def pools(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    for bit in told.pools:
        known = [pool_sizes(one) for one in beside]
        if bit.sure and not bit.what and all(known) and bit.number not in set().union(*known):
            sizes = set().union(*(set(one.dice[:1]) | named(one, ("pool", "dice")) for one in beside))
            yield differs(bit, f"{bit.number} dice", f"has {listed(sizes)}")


def pool_sizes(one: Account) -> set[int]:
    """The dice counts that a text may state: a numeric input, the size of a group, or the dice rolled so far."""
    if not one.dice and not named(one, ("pool",)):
        return set()
    sums = {sum(one.dice[: number + 1]) for number in range(len(one.dice))}
    return {value for value in one.inputs.values() if isinstance(value, int)} | set(one.dice) | sums


def codes(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """Compares the die sizes of expressions such as d6+d4."""
    if not all(one.sides for one in beside):
        return
    known = frozenset().union(*(one.sides for one in beside))
    for bit in told.codes:
        for part in re.finditer(r"(?<![0-9])d([0-9]+)", str(bit.value)):
            if bit.sure and int(part[1]) not in known:
                yield differs(bit, f"d{part[1]}", f"throws {' and '.join(f'd{sides}' for sides in sorted(known))}")
                break


SOME_DICE = re.compile(
    r"\s(?:\w+\s){1,2}(?:from|on|with|in|for)\s(?:the|this|that|these|those|her|his|their|its|each)\b"
)
ANOTHER = re.compile(r"\b(?:another|more|each|again|then)\b", re.IGNORECASE)
ASKED = ("difficulty", "target", "target_number", "tn", "dc")
RAISES = ("raised", "raise", "modifier", "modifiers", "unskilled")
TOTALS = ("total", "result", "sum", "score")
COUNTED = {"success", "botch", "failure", "hit", "miss", "fumble", "raise", "boon", "bane"}
CLASSES = {
    "success": "success", "critical success": "success", "hit": "success", "pass": "success",
    "failure": "failure", "fail": "failure", "miss": "failure",
    "botch": "botch", "fumble": "botch", "critical failure": "botch",
}  # fmt: skip


def differences(told: Told, beside: Sequence[Account]) -> list[Difference]:
    """All differences in reading order; each fact in the text may match any of the steps."""
    if not beside:
        return []
    found = [
        *faces(told, beside),
        *numbers(told.difficulties, "difficulty", [asked(one) for one in beside], beside),
        *numbers(told.thresholds, "threshold", [named(one, ("threshold",)) for one in beside], beside),
        *pools(told, beside),
        *codes(told, beside),
        *counts(told, beside),
        *totals(told, beside),
        *numbers(told.margins, "a margin of", [margins(one) for one in beside], beside),
        *outcomes(told, beside),
    ]
    return sorted(found, key=lambda one: (one.start, one.end))


def numbers(bits: Bits, name: str, allowed: Sequence[set[int]], beside: Sequence[Account]) -> Iterator[Difference]:
    """Each number must be allowed by some step; undecided if a step allows none."""
    if not all(allowed) or not beside:
        return
    everything = set().union(*allowed)
    for bit in bits:
        if bit.sure and bit.number not in everything:
            yield differs(bit, f"{name} {bit.number}", f"has {listed(everything)}")


def asked(one: Account) -> set[int]:
    base, raises = named(one, ASKED), named(one, RAISES)
    return base | {number + raised for number in base for raised in raises}


def margins(one: Account) -> set[int]:
    total = {value for name, value in one.numbers.items() if name in TOTALS}
    ways = {abs(value - needed) for value in total for needed in named(one, ASKED)}
    return ways | ({one.degree} if one.degree is not None else set())


def counts(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """Compares counts such as "two successes" with the steps of that name; counts before the last may be partial."""
    for number, bit in enumerate(told.counts):
        noun, way = bit.what.rsplit(" ", 1)
        if not bit.sure or way == "change" or not all(own(one, noun) for one in beside):
            continue
        if way == "count" and is_part(told, bit):
            continue
        later = (one.what.split(" ")[0] for one in told.counts[number + 1 :] if one.sure)
        last = way == "final" or noun not in later
        if bit.number not in set().union(*(possible_counts(one, noun, last) for one in beside)):
            shown = "; ".join(dict.fromkeys(summary(one) for one in beside))
            yield differs(bit, told.passage.text[bit.start : bit.end] + f" {plural(noun)}", f"has {shown}")


def is_part(told: Told, bit: Bit) -> bool:
    """Whether a count covers some of the dice only: "one success with the nine and another with the ten"."""
    end = next(one.end for one in told.sentences if one.start <= bit.start < one.end)
    return bool(SOME_DICE.match(told.passage.text, bit.end) or ANOTHER.search(told.passage.text, bit.end, end))


def own(one: Account, noun: str) -> dict[str, int]:
    return {name: value for name, value in one.numbers.items() if name in (noun, plural(noun))}


def plural(noun: str) -> str:
    return noun + ("es" if noun.endswith(("s", "h")) else "s")


def possible_counts(one: Account, noun: str, last: bool) -> set[int]:
    found = set(own(one, noun).values())
    kind = CLASSES.get((one.outcome or "").lower())
    if noun == "success":
        others = {name for other in COUNTED - {noun} for name in own(one, other)}
        found |= {value for name, value in one.numbers.items() if name not in others}
        found |= set() if last else set(one.good)
    elif not last:
        found |= set(range(max(found, default=0) + 1))
    if kind and noun in (kind, one.outcome) and one.degree is not None:
        found.add(one.degree)
    return found


def totals(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    if not all(set(one.numbers) & set(TOTALS) for one in beside):
        return
    known = {value for one in beside for name, value in one.numbers.items() if name in TOTALS}
    allowed = known.union(*(single_numbers(one) | margins(one) for one in beside))
    for bit in told.totals:
        if bit.sure and bit.number not in allowed:
            yield differs(bit, f"{bit.number}", f"comes to {listed(known)}")


def outcomes(told: Told, beside: Sequence[Account]) -> Iterator[Difference]:
    """A difference only if no word for an outcome fits any of the steps."""
    said = [bit for bit in told.outcomes if bit.sure]
    if not said or not all(one.outcome for one in beside):
        return
    if any(fits(bit, said, one) for bit in said for one in beside):
        return
    names = " and ".join(dict.fromkeys(str(one.outcome) for one in beside))
    bit = said[-1]
    word = told.passage.text[bit.start : bit.end]
    yield differs(bit, f"not {word}" if bit.negated else word, f"comes to {names}")


def fits(bit: Bit, said: Sequence[Bit], one: Account) -> bool:
    """Whether a word may mean the outcome of a step; unknown words and outcomes always fit."""
    outcome = (one.outcome or "").lower()
    kind, meant = CLASSES.get(outcome), CLASSES.get(str(bit.value))
    if kind is None or meant is None or flagged(one, str(bit.value)):
        return True
    if bit.negated:
        return kind != meant
    if meant == "failure" and kind == "botch":
        return "failure" not in one.outcomes or any(other.value == "botch" for other in said)
    if str(bit.value).startswith("critical") and str(bit.value) not in one.outcomes and meant == "botch":
        return kind != "success"
    return kind == meant


def flagged(one: Account, word: str) -> bool:
    return bool(one.steps.get(word.replace(" ", "_")))
