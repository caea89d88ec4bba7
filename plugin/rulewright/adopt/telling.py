"""Passages that tell what dice came to, and not the dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from ..book.read import read_page
from ..checks.account import accounts
from ..checks.blocks import check_block
from ..checks.drifting import differences
from ..checks.model import Around, Checked
from ..game.model import Game, Rule
from ..game.tree import COMPARISONS, names_in, walk
from ..text import Source
from .clues import Clues
from .faces import Token
from .matching import Fit
from .mentions import Found
from .roles import TOTALS, fixed_sides
from .values import options, rows, terms

MOST_ROWS = 12
MOST_NUMBERS = 3
MOST_GIVEN = 8


def judged(game: Game, lines: tuple[str, ...]) -> Checked:
    """What the check makes of a block with these lines."""
    page = read_page(Source("", "\n".join(["```example", *lines, "```", ""])))
    return check_block(page.blocks[0], Around(page, game, {}))


def told_fits(game: Game, rule: Rule, clues: Clues) -> Iterator[Fit]:
    """Every way in which the numbers of a text are steps of this rule."""
    if rule.contest or not rule.dice or any(not (token.alone or token.label) for token in clues.tokens):
        return
    names = [entry.name for entry in rule.inputs]
    for roll in islice(givens(rule, clues), MOST_GIVEN):
        for found in options(rule, clues, shown=False):
            for said in rows(found, names, MOST_ROWS):
                fit = throws(rule, clues, said) and told_fit(game, rule, clues, said, roll)
                if fit:
                    yield fit


def throws(rule: Rule, clues: Clues, said: Mapping[str, Found]) -> bool:
    """Whether a rule throws all dice that the text names by their sizes."""
    sizes = {size for kind in rule.dice if (size := fixed_sides(kind))}
    chosen = {found.text.lower() for found in said.values()}
    return all(size in sizes or f"d{size}" in chosen for _, size in terms(clues))


def told_fit(game: Game, rule: Rule, clues: Clues, said: Mapping[str, Found], roll: tuple[str, ...]) -> Fit | None:
    lines = (f"rule: {rule.name}", *(f"{name}: {found.text}" for name, found in said.items()), *roll)
    checked = judged(game, lines)
    if checked.status != "passed" or not checked.moves:
        return None
    found = list(differences(clues.told, list(accounts(checked))))
    move = checked.moves[0]
    shown = {value for value in move.steps.values() if isinstance(value, int)}
    stated = {int(one.text) for one in said.values() if one.text.isdecimal()}
    if not set(totals(rule, clues)) <= shown | stated:
        return None
    return Fit(rule, said, roll, (), move, tuple(found))


def givens(rule: Rule, clues: Clues) -> Iterator[tuple[str, ...]]:
    """The lines that tell what the dice came to: counts by their names, else one total."""
    steps = [step.name for step in rule.steps]
    counted = dict(counts(rule, clues))
    shown = labelled_dice(rule, clues.tokens)
    if counted:
        yield (*shown, "given: " + ", ".join(f"{name} {value}" for name, value in counted.items()))
    sums = summing(rule)
    likely = [name for name in steps if name in TOTALS] + [
        name for name in steps if name not in TOTALS and name in sums
    ]
    for value in dict.fromkeys(totals(rule, clues)):
        for name in likely:
            yield (*shown, f"given: {name} {value}")


@lru_cache(maxsize=512)
def summing(rule: Rule) -> set[str]:
    """The steps that add up dice, or rest on such a step: what a text may call a total."""
    found: set[str] = set()
    for step in rule.steps:
        nodes = list(walk(step.formula.node))
        added = any(node.op in ("sum", "highest", "lowest") for node in nodes)
        asks = any(node.op in COMPARISONS or node.op in ("and", "or", "not") for node in nodes[:1])
        if not asks and (added or names_in(step.formula.node) & found):
            found.add(step.name)
    return found


def counts(rule: Rule, clues: Clues) -> Iterator[tuple[str, int]]:
    """The steps that the text counts; of several counts of one name the first, for later ones are what is left."""
    names = {step.name for step in rule.steps}
    seen = set()
    for bit in clues.told.counts:
        noun, way = bit.what.rsplit(" ", 1)
        step = next((name for name in (noun + "es", noun + "s", noun) if name in names), "")
        if step and bit.sure and way != "change" and step not in seen:
            seen.add(step)
            yield step, bit.number


def totals(rule: Rule, clues: Clues) -> list[int]:
    """What the dice come to, the first number told first; a lone face may be meant so too."""
    lonely = [
        (bit.start, bit.value[0])
        for bit in clues.told.faces
        if bit.sure and not is_die(rule, bit.what) and isinstance(bit.value, tuple) and len(bit.value) == 1
    ]
    summed = [(bit.start, bit.number) for bit in clues.told.totals if bit.sure]
    return [value for _, value in sorted([*lonely, *summed])][:MOST_NUMBERS]


def is_die(rule: Rule, name: str) -> bool:
    return any(kind.name.lower() == name for kind in rule.dice)


def labelled_dice(rule: Rule, tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """The dice of kinds that the text names, beside what the others came to."""
    found: dict[str, list[str]] = {}
    for token in tokens:
        if is_die(rule, token.label):
            found.setdefault(token.label, []).append(str(token.face))
    return ("dice: " + " | ".join(" ".join([name, *faces]) for name, faces in found.items()),) if found else ()
