"""Compares the facts that a prose example states with the facts of its block; uncertain facts are ignored."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ..book.page import Block
from ..game.figures import name_phrases
from ..game.inputs import bind_inputs
from ..game.model import Rule
from ..play.bound_rule import RollError
from ..play.result import Result
from ..prose.dice import PART, parse_faces
from ..prose.facts import ProseFacts, StatedValues, find_counts
from ..prose.mood import Reading, StatedValue
from ..prose.outcome_names import OUTCOME_CLASSES, find_named_outcomes
from ..prose.statements import OTHER_ROLLS
from ..prose.stems import stems_of
from ..prose.words import COUNTED, NUMBER_IS
from .model import CheckedBlock, Move

_Faces = tuple[int, ...]


@dataclass(frozen=True)
class BlockFacts:
    """Facts of one step of a checked block that prose can contradict; `faces` is empty if no dice are recorded."""

    block: Block
    inputs: Mapping[str, Any]  # values by name, including defaults
    faces: Sequence[tuple[str, _Faces]]  # kind and faces, in the order recorded
    steps: Mapping[str, Any]
    outcome: str | None
    degree: int | None
    rule: Rule
    good_counts: tuple[int, ...] = ()  # number of good faces up to the end of each group
    dice_counts: tuple[int, ...] = ()  # number of dice in each group
    die_sizes: frozenset[int] = frozenset()  # die sizes that are rolled; empty if unknown

    @cached_property
    def outcomes(self) -> dict[str, tuple[str, ...]]:
        """Every outcome of the rule, with its phrases."""
        return {one.name: name_phrases(one) for one in self.rule.outcomes}

    @cached_property
    def named_values(self) -> dict[str, tuple[str, Mapping[str, Any]]]:
        """What the words for the values of an input mean, by the phrases for it: "difficulty" and "Hard"."""
        named = dict[str, tuple[str, Mapping[str, Any]]]()
        for entry in self.rule.inputs:
            values = entry.names.named_numbers if entry.names else {word: word for word in entry.choices}
            if values and not entry.asked:
                named |= {phrase.lower(): (entry.name, values) for phrase in name_phrases(entry)}
        return named

    @cached_property
    def nouns(self) -> dict[str, str]:
        """The steps that have a plural for a label: what they count, with its singular."""
        phrases = {phrase.lower(): step.name for step in self.rule.steps for phrase in (step.label or "", *step.also)}
        plurals = {phrase: name for phrase, name in phrases.items() if re.fullmatch(r"\w+[^\Ws]s", phrase)}
        own = {phrase: name for phrase, name in plurals.items() if COUNTED.get(name) != COUNTED.get(phrase, "")}
        return own | {phrase[:-1]: name for phrase, name in own.items()}

    @property
    def numbers(self) -> dict[str, int]:
        return {name: int(value) for name, value in self.steps.items() if isinstance(value, int)}


def collect_facts(checked: CheckedBlock) -> Iterator[BlockFacts]:
    """The facts of each step of a block; none for errors, skipped blocks, `wrong:` blocks and contests."""
    if checked.block.kind != "example" or checked.block.get("wrong") or checked.status in ("error", "skipped"):
        return
    for move in checked.moves:
        if not move.rule.contest:
            yield step_facts(checked.block, move)


def step_facts(block: Block, move: Move) -> BlockFacts:
    """Collects the facts of one evaluated step."""
    if move.result is None:
        inputs, _ = bind_inputs(move.rule, move.inputs)
        return BlockFacts(block, inputs, (), move.steps, move.outcome, move.degree, move.rule)
    groups = _dice_groups(move.result)
    faces = [(kind, tuple(face for face, _ in thrown)) for kind, thrown, _ in groups]
    good_counts = tuple(sum(fine for _, thrown, _ in groups[: n + 1] for _, fine in thrown) for n in range(len(groups)))
    inputs, dice = dict(move.result.setting.values), tuple(number for _, _, number in groups)
    sides = frozenset(_die_sizes(move.result))
    return BlockFacts(block, inputs, faces, move.steps, move.outcome, move.degree, move.rule, good_counts, dice, sides)


def _dice_groups(result: Result) -> list[tuple[str, list[tuple[int, bool]], int]]:
    """Groups by round and kind: the kind, its faces (rerolled ones too) with whether they count, and the dice count."""
    groups: dict[tuple[int, int, int], tuple[list[tuple[int, bool]], list[int]]] = {}
    for number, die in ((number, die) for number, played in enumerate(result.rounds) for die in played.roll.dice):
        faces, members = groups.setdefault((number, die.round, die.kind), ([], []))
        members.append(1)
        rerolled = [throw for throws in die.tries if throws is not die.rolled for throw in throws]
        faces += [(throw.value, False) for throw in rerolled]
        faces += [(throw.value, throw.good and not throw.is_replaced) for throw in die.rolled]
    return [(result.rule.kinds[kind].name, faces, len(dice)) for (*_, kind), (faces, dice) in groups.items()]


def _die_sizes(result: Result) -> Iterator[int]:
    for kind in result.setting.kinds:
        with suppress(RollError):  # a die that is none here
            if not kind.kind.deck:
                yield kind.size


class Difference(NamedTuple):
    """A contradiction between text and block: the words and the message."""

    bit: StatedValue
    start: int
    end: int
    message: str


def _make_difference(bit: StatedValue, stated: str, fact: str, start: int = -1, end: int = -1) -> Difference:
    first, last = (bit.start, bit.end) if start < 0 else (start, end)
    return Difference(bit, first, last, f"the text says {stated}, the block beside it {fact}")


def _format_faces(face_values: _Faces) -> str:
    return " ".join(map(str, face_values))


def _format_choices(choices: set[int]) -> str:
    return " or ".join(map(str, sorted(choices)))


def _input_values(facts: BlockFacts, names: Sequence[str]) -> set[int]:
    return {value for name, value in facts.inputs.items() if name in names and isinstance(value, int)}


def _all_recorded_faces(facts: BlockFacts) -> _Faces:
    return tuple(face for _, group in facts.faces for face in group)


def possible_numbers(facts: BlockFacts) -> set[int]:
    return {sum(group) for _, group in facts.faces} | set(facts.numbers.values()) | {sum(_all_recorded_faces(facts))}


def _summarize_steps(facts: BlockFacts) -> str:
    """The numeric steps as `successes 3, botches 1`."""
    return ", ".join(f"{name} {value}" for name, value in facts.numbers.items())


def _compare_faces(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    """Each list of faces must be among the recorded dice; a single number may also be a sum or a step."""
    if not all(facts.faces for facts in all_facts):
        return
    for bit in text_facts.faces:
        stated = bit.value if isinstance(bit.value, tuple) else ()
        groups = [recorded_group for facts in all_facts for recorded_group in _recorded_faces(facts, bit.subject)]
        if not bit.sure or any(not Counter(stated) - Counter(group) for group in groups):
            continue
        if len(stated) > 1 or _is_kind(bit.subject, all_facts):
            yield _first_face_difference(
                text_facts, bit, stated, max(groups, key=lambda group: _similarity(group, stated))
            )
        elif not any(stated[0] in possible_numbers(facts) for facts in all_facts):
            recorded = "; ".join(
                f"{_format_faces(_all_recorded_faces(facts))} ({_summarize_steps(facts)})" for facts in all_facts
            )
            yield _make_difference(bit, str(stated[0]), f"has {recorded}")


def _recorded_faces(facts: BlockFacts, kind: str) -> list[_Faces]:
    """The faces of the named kind; without one, the faces of each group and of all groups together."""
    if _is_kind(kind, [facts]):
        return [tuple(face for name, group in facts.faces if name.lower() == kind for face in group)]
    return [*(group for _, group in facts.faces), _all_recorded_faces(facts)]


def _is_kind(name: str, all_facts: Sequence[BlockFacts]) -> bool:
    return bool(name) and all(any(kind.lower() == name for kind, _ in facts.faces) for facts in all_facts)


def _similarity(group: _Faces, stated: _Faces) -> tuple[int, int]:
    return _count_common(group, stated), -abs(len(group) - len(stated))


def _count_common(some: _Faces, others: _Faces) -> int:
    return sum(min(some.count(face), others.count(face)) for face in set(some))


def _first_face_difference(text_facts: ProseFacts, bit: StatedValue, stated: _Faces, recorded: _Faces) -> Difference:
    """The difference at the first face that the block does not have."""
    left, recorded_text = Counter(recorded), _format_faces(recorded)
    for part in PART.finditer(text_facts.passage.text, bit.start, bit.end):
        for face in parse_faces(part[0]):
            if not left[face]:
                word = list(re.finditer(r"[\w’']+", part[0]))[-1]
                face_start = part.start() + word.start()
                return _make_difference(
                    bit, f"{face} here", f"has {recorded_text}", face_start, part.start() + word.end()
                )
            left[face] -= 1
    return _make_difference(bit, _format_faces(stated), f"has {recorded_text}")


def _compare_pools(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    for bit in text_facts.pools:
        allowed = [_pool_sizes(facts) for facts in all_facts]
        if bit.sure and not bit.subject and all(allowed) and bit.number not in set().union(*allowed):
            sizes = set().union(
                *(set(facts.dice_counts[:1]) | _input_values(facts, ("pool", "dice")) for facts in all_facts)
            )
            yield _make_difference(bit, f"{bit.number} dice", f"has {_format_choices(sizes)}")


def _pool_sizes(facts: BlockFacts) -> set[int]:
    """The dice counts that a text may state: a numeric input, the size of a group, or the dice rolled so far."""
    if not facts.dice_counts and not _input_values(facts, ("pool",)):
        return set()
    sums = {sum(facts.dice_counts[: number + 1]) for number in range(len(facts.dice_counts))}
    return {value for value in facts.inputs.values() if isinstance(value, int)} | set(facts.dice_counts) | sums


def _compare_die_sizes(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    """Compares the die sizes of expressions such as d6+d4."""
    if not all(facts.die_sizes for facts in all_facts):
        return
    die_sizes = frozenset().union(*(facts.die_sizes for facts in all_facts))
    for bit in text_facts.codes:
        for part in re.finditer(r"(?<![0-9])[dW]([0-9]+)", str(bit.value)):
            if bit.sure and int(part[1]) not in die_sizes and not _is_of_other_roll(text_facts, bit):
                yield _make_difference(
                    bit, f"d{part[1]}", f"throws {' and '.join(f'd{sides}' for sides in sorted(die_sizes))}"
                )
                break


def _is_of_other_roll(text_facts: ProseFacts, bit: StatedValue) -> bool:
    """Whether a sentence speaks of a roll such as damage, which may have other dice."""
    sentence = next(one for one in text_facts.sentences if one.start <= bit.start < one.end)
    return not OTHER_ROLLS.isdisjoint(stems_of(text_facts.passage.text[sentence.start : sentence.end]))


_PARTIAL_DICE = re.compile(
    r"\s(?:\w+\s){1,2}(?:from|on|with|in|for)\s(?:the|this|that|these|those|her|his|their|its|each)\b"
)
_ANOTHER = re.compile(r"\b(?:another|more|each|again|then)\b", re.IGNORECASE)
_TARGET_INPUTS = ("difficulty", "target", "target_number", "tn", "dc", "schwierigkeit", "zielwert")
_MODIFIER_INPUTS = ("raised", "raise", "modifier", "modifiers", "unskilled")
_TOTAL_STEPS = ("total", "result", "sum", "score", "summe", "ergebnis", "gesamt")
_COUNTED_WORD = re.compile(rf"\b(?:{'|'.join(COUNTED)})\b", re.IGNORECASE)
_COUNTED_NOUNS = frozenset(COUNTED.values())


def find_differences(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> list[Difference]:
    """All differences in reading order; each fact in the text may match any of the steps."""
    if not all_facts:
        return []
    results = [
        *_compare_faces(text_facts, all_facts),
        *_compare_numbers(
            text_facts.difficulties, "difficulty", [_target_numbers(facts) for facts in all_facts], all_facts
        ),
        *_compare_numbers(
            text_facts.thresholds, "threshold", [_input_values(facts, ("threshold",)) for facts in all_facts], all_facts
        ),
        *_compare_pools(text_facts, all_facts),
        *_compare_die_sizes(text_facts, all_facts),
        *_compare_counts(text_facts, all_facts),
        *_compare_labeled_counts(text_facts, all_facts),
        *_compare_named_values(text_facts, all_facts),
        *_compare_totals(text_facts, all_facts),
        *_compare_numbers(
            text_facts.margins, "a margin of", [_possible_margins(facts) for facts in all_facts], all_facts
        ),
        *(_compare_named_outcomes(text_facts, all_facts) or _compare_outcomes(text_facts, all_facts)),
    ]
    return sorted(results, key=lambda difference: (difference.start, difference.end))


def _compare_numbers(
    bits: StatedValues, name: str, allowed: Sequence[set[int]], all_facts: Sequence[BlockFacts]
) -> Iterator[Difference]:
    """Each number must be allowed by some step; undecided if a step allows none."""
    if not all(allowed) or not all_facts:
        return
    everything = set().union(*allowed)
    for bit in bits:
        if bit.sure and bit.number not in everything:
            yield _make_difference(bit, f"{name} {bit.number}", f"has {_format_choices(everything)}")


def _target_numbers(facts: BlockFacts) -> set[int]:
    base, raises = _input_values(facts, _TARGET_INPUTS), _input_values(facts, _MODIFIER_INPUTS)
    base |= {value for name, value in facts.numbers.items() if name in _TARGET_INPUTS}
    return base | {number + raised for number in base for raised in raises}


def _possible_margins(facts: BlockFacts) -> set[int]:
    total_values = {value for name, value in facts.numbers.items() if name in _TOTAL_STEPS}
    distances = {abs(value - needed) for value in total_values for needed in _input_values(facts, _TARGET_INPUTS)}
    return distances | ({facts.degree} if facts.degree is not None else set())


def _compare_counts(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    """Compares counts such as "two successes" with the steps of that name; counts before the last may be partial."""
    for number, bit in enumerate(text_facts.counts):
        noun, scope = bit.subject.rsplit(" ", 1)
        if not bit.sure or scope == "change" or not all(_counted_steps(facts, noun) for facts in all_facts):
            continue
        if scope == "count" and _is_partial_count(text_facts, bit):
            continue
        later = (later_bit.subject.split(" ")[0] for later_bit in text_facts.counts[number + 1 :] if later_bit.sure)
        last = scope == "final" or noun not in later
        if bit.number not in set().union(*(_possible_counts(facts, noun, last) for facts in all_facts)):
            recorded = "; ".join(dict.fromkeys(_summarize_steps(facts) for facts in all_facts))
            text = text_facts.passage.text
            word = _COUNTED_WORD.search(text, bit.end)
            yield _make_difference(bit, f"{text[bit.start : bit.end]} {word[0] if word else noun}", f"has {recorded}")


def _compare_labeled_counts(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    """Compares "three lights" with the step that is called lights; where more follow, there may be fewer."""
    nouns = {noun: step for facts in all_facts for noun, step in facts.nouns.items()}
    bits = [bit for bit in find_counts(Reading(text_facts.passage), nouns) if bit.sure] if nouns else []
    for number, bit in enumerate(bits):
        step, scope = bit.subject.rsplit(" ", 1)
        recorded = [facts.numbers[step] for facts in all_facts if step in facts.numbers]
        is_last = all(later.subject.rsplit(" ", 1)[0] != step for later in bits[number + 1 :])
        if scope == "change" or len(recorded) < len(all_facts) or _is_partial_count(text_facts, bit):
            continue
        if bit.number not in recorded and (is_last or bit.number > max(recorded)):
            text = text_facts.passage.text
            noun = next(word for word in re.findall(r"\w+", text[bit.end :]) if word.lower() in nouns)
            stated = f"{text[bit.start : bit.end]} {noun}"
            yield _make_difference(bit, stated, f"has {step} {_format_choices(set(recorded))}")


def _compare_named_values(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    """Compares "the difficulty is Hard" with the number or the choice of the block."""
    reading = Reading(text_facts.passage)
    for phrase, (name, values) in all_facts[0].named_values.items():
        words = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
        pattern = rf"\b{re.escape(phrase)}(?:\s{NUMBER_IS}|:)\s({words})(?=[.,;:!?)]|\s(?:and|but|for|und|aber)\b|$)"
        for found in re.finditer(pattern, reading.text, re.IGNORECASE):
            stated = next(value for word, value in values.items() if word.lower() == found[1].lower())
            if reading.sure(*found.span(1)) and all(facts.inputs.get(name, stated) != stated for facts in all_facts):
                bit = reading.stated_value(*found.span(1), stated)
                recorded = " or ".join(dict.fromkeys(str(facts.inputs[name]) for facts in all_facts))
                yield _make_difference(bit, f"{phrase} {found[1]}", f"has {name} {recorded}")


def _is_partial_count(text_facts: ProseFacts, bit: StatedValue) -> bool:
    """Whether a count covers some of the dice only: "one success with the nine and another with the ten"."""
    end = next(sentence.end for sentence in text_facts.sentences if sentence.start <= bit.start < sentence.end)
    return bool(
        _PARTIAL_DICE.match(text_facts.passage.text, bit.end) or _ANOTHER.search(text_facts.passage.text, bit.end, end)
    )


def _counted_steps(facts: BlockFacts, noun: str) -> dict[str, int]:
    return {name: value for name, value in facts.numbers.items() if COUNTED.get(name) == noun}


def plural(noun: str) -> str:
    return noun + ("es" if noun.endswith(("s", "h")) else "s")


def _possible_counts(facts: BlockFacts, noun: str, last: bool) -> set[int]:
    allowed = set(_counted_steps(facts, noun).values())
    kind = OUTCOME_CLASSES.get((facts.outcome or "").lower())
    if noun == "success":
        others = {name for other_noun in _COUNTED_NOUNS - {noun} for name in _counted_steps(facts, other_noun)}
        allowed |= {value for name, value in facts.numbers.items() if name not in others}
        allowed |= set() if last else set(facts.good_counts)
    elif not last:
        allowed |= set(range(max(allowed, default=0) + 1))
    if kind and noun in (kind, facts.outcome) and facts.degree is not None:
        allowed.add(facts.degree)
    return allowed


def _compare_totals(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    if not all(set(facts.numbers) & set(_TOTAL_STEPS) for facts in all_facts):
        return
    recorded = {value for facts in all_facts for name, value in facts.numbers.items() if name in _TOTAL_STEPS}
    allowed = recorded.union(*(possible_numbers(facts) | _possible_margins(facts) for facts in all_facts))
    for bit in text_facts.totals:
        if bit.sure and bit.number not in allowed:
            yield _make_difference(bit, f"{bit.number}", f"comes to {_format_choices(recorded)}")


def _compare_named_outcomes(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> list[Difference]:
    """A difference if the text names outcomes of the rule, and none of them is that of a step."""
    if not all(facts.outcome for facts in all_facts):
        return []
    phrases = {name: words for facts in all_facts for name, words in facts.outcomes.items()}
    named = find_named_outcomes(Reading(text_facts.passage), phrases, as_result=True)
    reached = {str(facts.outcome).lower() for facts in all_facts}
    if not named or any(one.name in reached for one in named):
        return []
    start, end, name = named[-1]
    span = text_facts.passage.span(start, end)
    bit = StatedValue(name, "", span, start, end, True)
    names = " and ".join(dict.fromkeys(str(facts.outcome) for facts in all_facts))
    return [_make_difference(bit, text_facts.passage.text[start:end], f"comes to {names}")]


def _compare_outcomes(text_facts: ProseFacts, all_facts: Sequence[BlockFacts]) -> Iterator[Difference]:
    """A difference only if no word for an outcome fits any of the steps."""
    stated = [bit for bit in text_facts.outcomes if bit.sure]
    if not stated or not all(facts.outcome for facts in all_facts):
        return
    if any(_fits_outcome(bit, stated, facts) for bit in stated for facts in all_facts):
        return
    names = " and ".join(dict.fromkeys(str(facts.outcome) for facts in all_facts))
    bit = stated[-1]
    word = text_facts.passage.text[bit.start : bit.end]
    yield _make_difference(bit, f"not {word}" if bit.negated else word, f"comes to {names}")


def _fits_outcome(bit: StatedValue, stated: Sequence[StatedValue], facts: BlockFacts) -> bool:
    """Whether a word may mean the outcome of a step; unknown words and outcomes always fit."""
    outcome = (facts.outcome or "").lower()
    kind, stated_kind = OUTCOME_CLASSES.get(outcome), OUTCOME_CLASSES.get(str(bit.value))
    if kind is None or stated_kind is None or _is_flagged(facts, str(bit.value)):
        return True
    if bit.negated:
        return kind != stated_kind
    if stated_kind == "failure" and kind == "botch":
        return "failure" not in facts.outcomes or any(other_bit.value == "botch" for other_bit in stated)
    if str(bit.value).startswith("critical") and str(bit.value) not in facts.outcomes and stated_kind == "botch":
        return kind != "success"
    return kind == stated_kind


def _is_flagged(facts: BlockFacts, word: str) -> bool:
    return bool(facts.steps.get(word.replace(" ", "_")))
