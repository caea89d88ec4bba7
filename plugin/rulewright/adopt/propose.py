"""Chooses the best fit of a passage and writes it as a block, with doubts where the text is ambiguous."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.text import Passage
from ..checks.adopt_doubts import DOUBT
from ..checks.drift import plural, possible_numbers, step_facts
from ..game.figures import name_phrases
from ..game.formula import collect_names, walk
from ..game.inputs import parse_value
from ..game.model import Game, Input, Rule
from ..play.result import check_roll
from ..prose.evidence import Evidence
from ..prose.mood import StatedValue
from ..prose.number_words import FIGURES
from ..prose.outcome_names import OUTCOME_CLASSES, find_named_outcomes
from ..prose.words import NUMBER_IS
from .inputs import TOTALS, input_options, input_roles, is_difficulty, is_neutral, rival_totals, stated_totals
from .match import Fit, check_lines, empty_block, find_fits, find_stated_fits
from .mentions import counts_something_else, step_mentions, unknown_steps

_MOST_VALUES = 20  # of an input that are tried


class Proposal(NamedTuple):
    """The lines of a block, and the doubts about it."""

    passage: Passage
    lines: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()  # what the text does not say, so that the block checks less
    proven: bool = True  # the text states a result
    agrees: bool = True  # nothing in the text contradicts the block, and it has all numbers of the text
    is_contradicted: bool = False


class Unmatched(NamedTuple):
    """A prose example without a proposal, and why."""

    passage: Passage
    why: str

    @property
    def read(self) -> str:
        """What was read in it: `faces 3 5, total 8`."""
        clues = Evidence(self.passage)
        facts = clues.facts
        stated = (("dice", facts.codes), ("pool", facts.pools), ("total", facts.totals), ("count", facts.counts))
        values = [(name, [str(bit.value) for bit in bits if bit.sure]) for name, bits in stated]
        values = [("faces", [str(token.face) for token in clues.tokens]), ("symbols", [*clues.signs]), *values]
        parts = [f"{name} {' '.join(texts)}" for name, texts in values if texts]
        parts.append(f"outcome {facts.outcome.value}" if facts.outcome else "")
        return ", ".join(filter(None, parts)) or "neither dice nor a result"


_BAD = {"bad", "trouble", "disaster", "mishap", "nothing", "complication", "setback", "loss", "lose", "bust"}


def _outcome_words(rule: Rule, clues: Evidence) -> list[str]:
    """Outcomes that the text names, in small letters."""
    phrases = {one.name: name_phrases(one) for one in rule.outcomes}
    return list(dict.fromkeys(one.name for one in find_named_outcomes(clues.reading, phrases)))


def _unsettled_names(fit: Fit, clues: Evidence) -> list[str]:
    """The outcomes that a word of the text may mean, if it is part of the name of this one and of others."""
    outcome = (fit.move.outcome or "").lower()
    if _outcome_words(fit.rule, clues):
        return []
    bits = [bit for bit in clues.facts.outcomes if bit.sure and not bit.negated]
    words = {word for bit in bits for word in (str(bit.value), clues.text[bit.start : bit.end].lower())}
    for word in sorted(words):
        names = [one.name for one in fit.rule.outcomes if word in one.name.lower().split()]
        if len(names) > 1 and word != outcome and word in outcome.split():
            return names
    return []


def _outcome_conflicts(rule: Rule, outcome: str | None, clues: Evidence) -> tuple[str, ...]:
    """Contradictions between the outcome by the rules and the outcome in the text."""
    if outcome is None:
        return ()
    name, words = outcome.lower(), _outcome_words(rule, clues)
    if words:
        return () if name in words else (f"the text says {' and '.join(words)}, this block comes to {outcome}",)
    said = {OUTCOME_CLASSES.get(str(bit.value), "") for bit in clues.facts.outcomes if bit.sure and not bit.negated} - {
        ""
    }
    if name in OUTCOME_CLASSES or len(said) != 1:
        return ()
    word = said.pop()
    return () if (word == "success") != (name in _BAD) else (f"the text says {word}, this block comes to {outcome}",)


class _Contest(NamedTuple):
    """A contest as a block, and its winner by the rules."""

    rule: Rule
    lines: tuple[str, ...]
    winner: str
    stated_winner: str  # the winner in the text; empty if it does not say

    @property
    def agrees(self) -> bool:
        return self.winner.lower() == self.stated_winner.lower()


def _find_contests(game: Game, clues: Evidence) -> Iterator[_Contest]:
    """All contests of the game that the two sides in the text may have played."""
    if len(clues.rivals) != 2:
        return
    for rule in game.rules.values():
        contest = rule.contest
        if contest and len(contest.of) == 2:
            sides = [f"side {name}: {contest.compare} {value}" for name, value in clues.rivals]
            lines = (f"rule: {rule.name}", *sides)
            moves = check_lines(game, lines).moves
            winner = moves[0].outcome or "none" if moves else ""
            if moves and check_lines(game, (*lines, f"winner: {winner}")).status == "passed":
                yield _Contest(rule, lines, winner, clues.winner)


_FIGURE = re.compile(FIGURES)
_REMAINING = ("net", "kept", "final", "remaining")


def _find_conflicts(fit: Fit, clues: Evidence) -> tuple[str, ...]:
    """Contradictions between the text and the fit, without duplicates."""
    found = [one.message.replace("the block beside it", "this block") for one in fit.differences]
    if not found:
        found += [
            *_outcome_conflicts(fit.rule, fit.move.outcome, clues),
            *_check_last_counts(fit, clues),
            *_check_last_total(fit, clues),
        ]
    return tuple(dict.fromkeys(found))


def _unexplained_numbers(fit: Fit, clues: Evidence) -> list[str]:
    """Numbers that the text states as facts and that the block does not contain."""
    one = step_facts(empty_block(), fit.move)
    figures = {int(text) for line in fit.roll for text in re.findall("[0-9]+", line)}
    chains = (text for line in fit.roll for text in re.findall(r"[0-9]+(?:\+[0-9]+)+", line))
    figures |= {sum(map(int, text.split("+"))) for text in chains}  # the sum of one die
    figures |= {int(text) for found in fit.inputs.values() for text in re.findall("[0-9]+", found.text)}
    figures |= (
        {abs(value) for value in possible_numbers(one)}
        | set(one.good_counts)
        | set(one.dice_counts)
        | set(one.die_sizes)
    )
    figures |= {abs(value) for value in one.inputs.values() if isinstance(value, int)}
    figures |= {node.args[0] for step in fit.rule.steps for node in walk(step.formula.node) if node.op == "number"}
    figures |= {abs(fit.move.degree)} if fit.move.degree is not None else set()
    figures |= set(unknown_steps(fit, clues))
    told = {one.number for one in clues.facts.pools} | {one.number for one in clues.facts.difficulties if not one.sure}
    reading = clues.reading
    found = (
        one
        for one in _FIGURE.finditer(clues.text, reading.label_end)
        if reading.sure(one.start(), one.end()) and not counts_something_else(fit.rule, clues, one)
    )
    return list(dict.fromkeys(one[0] for one in found if int(one[0]) not in figures | told))


def _check_last_counts(fit: Fit, clues: Evidence) -> Iterator[str]:
    """Check the last count of each noun against the step of that name, the degree, or what remains."""
    last: dict[str, StatedValue] = {}
    for bit in clues.facts.counts:
        if bit.sure and not bit.subject.endswith("change"):
            last[bit.subject.split(" ")[0]] = bit
    for bit in clues.facts.counts:
        if (
            bit.sure
            and bit.number > 1
            and not bit.subject.endswith("change")
            and not _has_step(fit, bit.subject.split(" ")[0])
        ):
            last.setdefault(f"{bit.subject.split(' ')[0]} {bit.number}", bit)
    for name, bit in last.items():
        noun = name.split(" ")[0]
        if bit.number not in _remaining_counts(fit, noun, bit.subject.split(" ")[1]):
            made = f"degree {fit.move.degree}" if fit.move.degree is not None else fit.move.outcome or "nothing of it"
            yield f"the text says {bit.number} {noun if bit.number == 1 else plural(noun)}, this block comes to {made}"


def _has_step(fit: Fit, noun: str) -> bool:
    return any(name in fit.move.steps for name in (noun, plural(noun)))


def _remaining_counts(fit: Fit, noun: str, way: str) -> set[int]:
    steps = {name: value for name, value in fit.move.steps.items() if isinstance(value, int)}
    own = {steps[name] for name in (noun, plural(noun)) if name in steps}
    net = {steps[name] for name in _REMAINING if name in steps}
    of_it = OUTCOME_CLASSES.get((fit.move.outcome or "").lower()) == OUTCOME_CLASSES.get(noun, noun)
    degree = {fit.move.degree} if fit.move.degree is not None and (of_it or not own) else set()
    named = {1} if of_it and not own | degree else set()  # "a success" names the outcome
    if way == "final" and degree and net:  # what is left is less than what was rolled
        return degree
    return own | net | degree | named | ({0} if not of_it else set())


def _check_last_total(fit: Fit, clues: Evidence) -> Iterator[str]:
    """Check the last total in the text against the total of the rule."""
    totals = {int(value) for name, value in fit.move.steps.items() if name in TOTALS and isinstance(value, int)}
    totals_of_text = (bit for bit in clues.facts.totals if bit.sure and not clues.is_labeled_face(bit.start))
    told = [*(bit.number for bit in totals_of_text), *stated_totals(fit.rule, clues)]
    margin = abs(fit.move.degree) if fit.move.degree is not None else None
    made = totals or {value for value in fit.move.steps.values() if isinstance(value, int)}
    if not totals and any(node.op == "sum" for step in fit.rule.steps for node in walk(step.formula.node)):
        made |= possible_numbers(step_facts(empty_block(), fit.move))
    if _is_against_rival(fit, clues):
        made |= set(_difficulty_values(fit))
        if told and told[0] not in totals:
            yield f"the text says {told[0]}, but not whose total that is"
    if told and told[-1] not in made | {margin}:
        yield f"the text says {told[-1]}, this block comes to {' or '.join(map(str, sorted(made)))}"


def _difficulty_values(fit: Fit) -> Iterator[int]:
    """What the roll has to reach: maybe the total of an opponent."""
    for entry in fit.rule.inputs:
        if is_difficulty(entry) and entry.name in fit.inputs:
            value, _ = parse_value(entry, fit.inputs[entry.name].text)
            if isinstance(value, int):
                yield value


def _is_against_rival(fit: Fit, clues: Evidence) -> bool:
    """Whether what the roll has to reach is the total of an opponent."""
    rivals = set(map(str, rival_totals(fit.rule, clues)))
    targets = [entry.name for entry in fit.rule.inputs if is_difficulty(entry) and entry.name in fit.inputs]
    return any(not fit.inputs[name].is_named and fit.inputs[name].text in rivals for name in targets)


class _Choice(NamedTuple):
    """The best fit, and others that are as good."""

    fit: Fit
    others: tuple[Fit, ...]  # equally good fits


def propose(game: Game, clues: Evidence) -> Proposal | Unmatched:
    """Draft the block of a passage, or say why there is none."""
    fits = [fit for rule in game.rules.values() for fit in find_fits(rule, clues)]
    if all(_find_conflicts(fit, clues) for fit in fits):
        met = list(_find_contests(game, clues))
        if met:
            return _propose_contest(clues, met)
        fits += [fit for rule in game.rules.values() for fit in find_stated_fits(game, rule, clues)]
    if not fits:
        return Unmatched(clues.passage, _explain_missing(game, clues))
    choice = _choose_fit(game, clues, fits)
    if names := _unsettled_names(choice.fit, clues):
        return Unmatched(clues.passage, f"write which outcome it is: {' or '.join(names)}")
    fit = choice.fit
    if fit.differences and (several := _tells_several(fit, clues)):
        return Unmatched(clues.passage, f"it describes several rolls: {several}; write a block for each")
    doubts, gaps = tuple(dict.fromkeys(_find_doubts(choice, clues))), tuple(_find_gaps(fit, clues))
    lines = _block_lines(fit, clues, (*(DOUBT + doubt for doubt in doubts), *(f"# {gap}" for gap in gaps)))
    contradicted = bool(_find_conflicts(fit, clues) or fit.guessed)
    agrees = not contradicted and not _unexplained_numbers(fit, clues)
    return Proposal(clues.passage, lines, doubts, gaps, _states_result(fit, clues), agrees, contradicted)


def _tells_several(fit: Fit, clues: Evidence) -> str:
    """What a text gives to several rolls, where one block has to differ from some of it."""
    faces = [str(token.face) for token in clues.tokens]
    told = {bit.number for bit in clues.facts.difficulties if bit.sure}
    if any(one.message.startswith("the text says difficulty") for one in fit.differences) and len(told) > 1:
        return f"difficulty {' and '.join(map(str, sorted(told)))}"
    return f"faces {' and '.join(faces)}" if fit.dropped else ""


def _explain_missing(game: Game, clues: Evidence) -> str:
    if not clues.tokens and not clues.signs:
        if clues.facts.totals or clues.facts.counts:
            return "no rule of the game results in these numbers; write the dice that were rolled"
        return "write the dice that were rolled, or their total"
    rules = [rule for rule in game.rules.values() if rule.dice and not rule.contest]
    rule = max(rules, key=lambda rule: _count_mentions(rule, clues), default=None)
    said = _describe_misfit(rule, clues) if rule else ""
    return (
        f"they do not fit {rule.name}: {said}"
        if rule and said
        else "no rule of the game rolls such dice; correct them, or declare the rule"
    )


def _describe_misfit(rule: Rule, clues: Evidence) -> str:
    """What is wrong with the faces as a roll of this rule."""
    found = input_options(rule, clues)[0]
    texts = {name: values[0].text for name, values in found.items()}
    _, complaints = check_roll(rule, texts, " ".join(str(token.face) for token in clues.tokens))
    return complaints[0].message if complaints else ""


def _choose_fit(game: Game, clues: Evidence, fits: Sequence[Fit]) -> _Choice:
    order = {name: number for number, name in enumerate(game.rules)}
    spoken = {rule.name: _count_mentions(rule, clues) for rule in game.rules.values()}

    def rank(fit: Fit) -> tuple[int, ...]:
        strange = len(_unexplained_numbers(fit, clues))
        named = -fit.named_count - spoken[fit.rule.name]
        stated = _states_result(fit, clues)
        return len(_find_conflicts(fit, clues)), len(fit.guessed), strange, not stated, named, fit.dropped

    best = min(map(rank, fits))
    equal = sorted((fit for fit in fits if rank(fit) == best), key=lambda fit: order[fit.rule.name])
    first = equal[0]
    return _Choice(first, tuple(fit for fit in equal[1:] if _fit_identity(fit) != _fit_identity(first)))


def _fit_identity(fit: Fit) -> tuple[object, ...]:
    """Identity of a fit, for comparing fits."""
    return fit.rule.name, tuple((name, found.text.lower()) for name, found in sorted(fit.inputs.items())), fit.roll


def _count_mentions(rule: Rule, clues: Evidence) -> int:
    """How many names of a rule occur in the text or in the headings above it."""
    names = {rule.name.replace("_", " "), rule.label.lower()}
    return sum(len(name) > 2 and name in clues.lowercase_text for name in names)


def _find_doubts(choice: _Choice, clues: Evidence) -> Iterator[str]:
    fit = choice.fit
    against = _find_conflicts(fit, clues)
    yield from against
    if not against:
        yield from (f"the {figure} of the text is nowhere in this block" for figure in _unexplained_numbers(fit, clues))
    yield from (f"{name} {fit.inputs[name].text} is not said, but only so the dice fit" for name in fit.guessed)
    yield from _ambiguity_doubts(choice, clues)
    yield from _unknown_words(fit, clues)
    yield from _missing_doubts(fit, clues)


def _unknown_words(fit: Fit, clues: Evidence) -> Iterator[str]:
    """Inputs that the text gives with a word for which the game has no value: "the difficulty is Hard"."""
    for entry in fit.rule.inputs:
        phrases = "|".join(map(re.escape, name_phrases(entry))) if entry.name not in fit.inputs else "(?!)"
        found = re.search(rf"(?i:\b(?:{phrases})(?:\s{NUMBER_IS}|:))\s([A-Z]\w+)", clues.text)
        if found and not entry.choices:
            yield f"{entry.name} {found[1]} is not known to the game"


def _missing_doubts(fit: Fit, clues: Evidence) -> Iterator[str]:
    """Doubts about values that the text does not state, and that the block has nevertheless."""
    missing = list(_open_inputs(fit))
    yield from (f"{e.name} is not said; {e.default} is taken as usual" for e in missing if e.default is not None)
    if all(entry.default is not None for entry in missing) and not _states_result(fit, clues):
        yield "the text does not say what comes of it"


def _find_gaps(fit: Fit, clues: Evidence) -> Iterator[str]:
    """Inputs that the text does not state, and that have no usual value: the block is right, but checks less."""
    names = [entry.name for entry in _open_inputs(fit) if entry.default is None]
    if names and fit.move.outcome is None:
        said = (
            f"so the {clues.facts.outcome.value} is"
            if clues.facts.outcome and not fit.move.outcome
            else "so its result is"
        )
        yield f"{' and '.join(names)} {'are' if names[1:] else 'is'} not said, {said} not checked"


def _open_inputs(fit: Fit) -> Iterator[Input]:
    """Inputs without a value in the text that can change the result."""
    rule, told = fit.rule, any(line.startswith("given:") for line in fit.roll)
    given = _given_steps(fit)
    formulas = [
        *(step.formula for step in rule.steps if step.name not in given),
        *(one.when for one in rule.outcomes if one.when),
    ]
    formulas += [] if told else [test for kind in rule.dice for test in kind.tests.values()]
    names = {name for formula in formulas for name in collect_names(formula.node)}
    for entry in input_roles(rule).targets:
        if entry.name not in fit.inputs and entry.name in names and not is_neutral(entry) and _matters(fit, entry):
            yield entry


def _given_steps(fit: Fit) -> set[str]:
    """The steps whose values the block takes from the text."""
    return {part.split()[0] for line in fit.roll if line.startswith("given:") for part in line[6:].split(",")}


def _matters(fit: Fit, entry: Input) -> bool:
    """Whether the roll could come to something else with another value of an input that is a number."""
    result = fit.move.result
    if result is None or entry.default is None:
        return True
    texts = {name: found.text for name, found in fit.inputs.items()}
    step = max((entry.most - entry.least) // _MOST_VALUES, 1)
    for value in (*range(entry.least, entry.most, step), entry.most):
        other, _ = check_roll(
            fit.rule,
            {**texts, entry.name: value},
            result.dice,
            result.roll.declined,
            result.rerolled,
            turned=result.turned,
        )
        name = other.outcome.name if other and other.outcome else None
        if other is None or (name, other.degree) != (fit.move.outcome, fit.move.degree):
            return True
    return False


def _ambiguity_doubts(choice: _Choice, clues: Evidence) -> Iterator[str]:
    fit = choice.fit
    rules = list(dict.fromkeys(other.rule.name for other in choice.others if other.rule.name != fit.rule.name))
    if rules:
        yield f"it may also be a roll of {' or '.join(rules)}"
    for name, found in fit.inputs.items():
        same = (other for other in choice.others if other.rule.name == fit.rule.name)
        texts = {other.inputs[name].text for other in same if name in other.inputs} - {found.text}
        if texts:
            yield f"{name} may also be {' or '.join(sorted(texts))}"
    same = (other for other in choice.others if other.rule.name == fit.rule.name)
    shown = all(line.startswith("dice:") for line in fit.roll[:1]) and not any("given:" in line for line in fit.roll)
    is_doubtful = len(clues.sign_lists) > 1 and not _states_result(fit, clues)
    if is_doubtful or (shown and any(other.roll != fit.roll and other.move.steps != fit.move.steps for other in same)):
        yield "the faces can be read in another way too"


def _states_result(fit: Fit, clues: Evidence) -> bool:
    """True if the text states a result that can agree with the rules."""
    told = clues.facts
    if any(bit.sure for bit in (*told.margins, *told.outcomes)) and fit.move.outcome is not None:
        return True
    if _outcome_words(fit.rule, clues):
        return True
    counted = [bit for bit in told.counts if bit.sure and not bit.subject.endswith("change")]
    numbers = [*counted, *(bit for bit in told.totals if bit.sure), *stated_totals(fit.rule, clues)]
    mentions = {name: values for name, values in step_mentions(fit, clues).items() if name not in _given_steps(fit)}
    if any(fit.move.steps.get(name) in values for name, values in mentions.items()):
        return True
    return len(numbers) > sum(line.count(",") + 1 for line in fit.roll if line.startswith("given:"))


def _block_lines(fit: Fit, clues: Evidence, comments: Sequence[str]) -> tuple[str, ...]:
    inputs = sorted(fit.inputs, key=[entry.name for entry in fit.rule.inputs].index)
    return (
        *comments,
        f"rule: {fit.rule.name}",
        *(f"{name}: {fit.inputs[name].text}" for name in inputs if not _is_default(fit, name)),
        *fit.roll,
        *_expected_lines(fit, clues),
    )


def _is_default(fit: Fit, name: str) -> bool:
    """True for a flag or choice with its default, and for a zero that is the default."""
    entry = next(one for one in fit.rule.inputs if one.name == name)
    value, _ = parse_value(entry, fit.inputs[name].text)
    return bool(value == entry.default and (entry.form in ("flag", "choice") or value == 0))


def _expected_lines(fit: Fit, clues: Evidence) -> Iterator[str]:
    """The outcome, and the steps whose values the text states."""
    move, given = fit.move, _given_steps(fit)
    if move.outcome is not None:
        yield f"outcome: {move.outcome}"
    if move.degree is not None:
        yield f"degree: {move.degree}"
    steps = {name: value for name, value in move.steps.items() if isinstance(value, int) and name not in given}
    told = {bit.subject.split(" ")[0] for bit in clues.facts.counts if bit.sure}
    mentions = step_mentions(fit, clues)
    shown = [
        name
        for name, value in steps.items()
        if name.removesuffix("es") in told
        or name.removesuffix("s") in told
        or (name in TOTALS and clues.facts.totals)
        or (value != move.degree and value in mentions.get(name, ()))
    ]
    if not shown and move.outcome is None and steps and not given:
        shown = [list(steps)[-1]]
    yield from (f"{name}: {int(steps[name])}" for name in shown)


def _propose_contest(clues: Evidence, met: Sequence[_Contest]) -> Proposal:
    spoken = max(_count_mentions(bout.rule, clues) for bout in met)
    likely = [bout for bout in met if _count_mentions(bout.rule, clues) == spoken]
    bout, doubts = likely[0], []
    if not bout.stated_winner:
        doubts.append("the text does not say who wins")
    elif not bout.agrees:
        doubts.append(f"the text says that {bout.stated_winner} wins, by the rules it is {bout.winner}")
    if len(likely) > 1:
        doubts.append(f"it may also be a roll of {' or '.join(other.rule.name for other in likely[1:])}")
    lines = (*(DOUBT + doubt for doubt in doubts), *bout.lines, f"winner: {bout.winner}")
    is_proven = bool(bout.stated_winner)
    return Proposal(clues.passage, lines, tuple(doubts), (), is_proven, bout.agrees or not is_proven)
