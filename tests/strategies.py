"""Hypothesis strategies for small valid games, as the text of a game.toml, and for the inputs of any rule.

`games()` makes the text and reads it: games with endless dice are filtered out, any other problem is a failure.
`inputs_of(rule)` makes values as authors write them. The rule is called `roll`, and nothing in it can divide by 0, roll
a negative number of dice or a die without sides."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from rulewright.game.inputs import format_value
from rulewright.game.model import Game, Input, Rule
from rulewright.odds.aims import effective_aims
from rulewright.play.validate import load_game_text

Draw = Callable[[st.SearchStrategy[Any]], Any]
WORDS = ("low", "high", "very high")
DIE_WORD = re.compile(r"\b(face|last|throw|good|bad|value|sides)\b")
KINDS = ("red", "blue", "long die")
FACES = (
    {"-": -1, "0": 0, "+": 1},
    {"x": -2, "y": 3},
    {"blank": 0, "One": 1, "two": 2, "more": 4},
    {"skull": -3, "sun": 5, "-1": -1},
)


@dataclass(frozen=True, repr=False)
class GeneratedGame:
    """A generated game: its text, and the game read from it."""

    text: str
    game: Game

    def __repr__(self) -> str:
        return self.text

    @property
    def rule(self) -> Rule:
        return self.game.rules["roll"]


@dataclass(frozen=True)
class Names:
    """The names that a formula may use."""

    numbers: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dice: tuple[str, ...] = ()  # kinds of dice that can be counted
    kept: Mapping[str, str] = field(default_factory=dict)  # the dice of each kind that count
    marked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # good and bad, where a kind says which
    fixed: tuple[str, ...] = ()  # numbers that need no dice: what a test over dice may name
    fixed_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def test(self, *more: str) -> Names:
        """The names for a test over dice: these, and those that need no dice."""
        return Names((*more, *self.fixed), self.fixed_words)


@st.composite
def games(draw: Draw, optional: bool = True, picked: bool = False) -> GeneratedGame:
    """A game with one rule; without `optional` no throw can be declined, with `picked` dice are picked for rerolls."""
    text = "\n".join(['title = "Made up"', *rule_lines(draw, optional, picked)]) + "\n"
    game, problems = load_game_text(text)
    assume(not any(problem.code == "endless-dice" for problem in problems))
    assert game, (text, [problem.message for problem in problems])
    return GeneratedGame(text, game)


def inputs_of(rule: Rule, most: int = 6) -> st.SearchStrategy[dict[str, str]]:
    """Values for all inputs, as in a book; numbers stay close to their minimum."""
    return st.fixed_dictionaries({entry.name: value_of(entry, most) for entry in rule.inputs})


def aims_of(rule: Rule) -> st.SearchStrategy[str]:
    """Aims that decide the choices of a rule; the empty one is its own."""
    step = next(step.name for step in reversed(rule.steps) if step.name != "mood")
    return st.sampled_from(("", *(re.sub(r"mean.*", f"mean({step})", aim) for aim in effective_aims(rule))))


def value_of(entry: Input, most: int) -> st.SearchStrategy[str]:
    values: st.SearchStrategy[Any] = {
        "number": st.integers(entry.least, min(entry.most, entry.least + most)) | st.just(entry.default or entry.least),
        "flag": st.booleans(),
        "choice": st.sampled_from(entry.choices or ("",)),
        "die": st.sampled_from(entry.dice or (0,)),
        "code": st.tuples(st.integers(entry.least, min(entry.most, entry.least + most)), st.integers(0, 2)),
    }[entry.form]
    return values.map(lambda value: format_value(entry, value))


def rule_lines(draw: Draw, optional: bool, picked: bool = False) -> list[str]:
    """The lines of a rule; its choice may be missing, conditional, before the dice or after the first step."""
    inputs, numbers = input_lines(draw)
    choice = {"c": WORDS} if draw(st.booleans()) else {}
    late = bool(choice) and draw(st.booleans())
    names = Names(numbers, {} if late else choice, fixed=numbers, fixed_words={} if late else choice)
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True))
    can_decline = optional and draw(st.booleans())
    marked = {kind: draw(st.sampled_from(((), ("good",), ("bad",), ("good", "bad")))) for kind in kinds}
    dice = [line for kind in kinds for line in kind_lines(draw, kind, marked, names, can_decline)]
    steps, names = step_lines(
        draw, replace(names, dice=tuple(kinds), kept=kept_dice(draw, kinds, names), marked=marked), choice
    )
    rerolls = reroll_lines(draw, kinds, names, picked)
    if choice:
        inputs.append(choice_line(draw, Names((*numbers, "step0") if late else numbers), late))
    return [*inputs, *dice, *steps, *rerolls, *mark_lines(draw, names), *outcome_lines(draw, names)]


def input_lines(draw: Draw) -> tuple[list[str], tuple[str, ...]]:
    """Some of four inputs, one for each form of numbers; all have a default."""
    least = draw(st.integers(0, 1))
    forms = {
        ("n",): f"n = {{ min = {least}, max = {draw(st.integers(least, 4))}, default = {least} }}",
        ("f",): f"f = {{ flag = true, default = {draw(st.sampled_from(('true', 'false')))} }}",
        ("s",): "s = { die = [2, 3, 4, 6], default = 4 }",
        ("d", "pips"): 'code = { code = ["d", "pips"], min = 1, max = 3, default = "2D+1" }',
    }
    wanted = draw(st.lists(st.sampled_from(list(forms)), max_size=3, unique=True))
    return ["[rules.roll.inputs]", *(forms[form] for form in wanted)], tuple(name for form in wanted for name in form)


def choice_line(draw: Draw, names: Names, late: bool) -> str:
    question = draw(truth_formula(names) if late else st.none() | truth_formula(names))
    condition_text = f', asked = "{question}"' if question else ""
    return f"c = {{ choice = {list(WORDS)}, default = 'high'{condition_text} }}"


def kind_lines(
    draw: Draw, kind: str, marked: Mapping[str, tuple[str, ...]], names: Names, can_decline: bool
) -> list[str]:
    extra = draw(st.sampled_from(("plain", "plain", "again", "explode", "explode", "explode and again")))
    lines = [
        f'[rules.roll.dice."{kind}"]',
        f'count = "{draw(dice_count(names))}"',
        draw(dice_sides(names, "explode" in extra)),
    ]
    lines += [f'tests.{word} = "{draw(depending_on_die(throw_test(names, ())))}"' for word in marked[kind]]
    test, again = throw_test(names, marked[kind]), list[str]()
    if "again" in extra:
        count = draw(st.sampled_from(("0", "1", "2", "if(face = sides, 2, 1)")))
        declined = ", optional = true" if can_decline else ""
        roll = draw(st.sampled_from(list(marked)))
        again.append(f'{{ when = "{draw(rare_test(test))}", roll = "{roll}", count = "{count}"{declined} }}')
    if "explode" in extra:
        when, stop = draw(rare_test(test)), draw(st.sampled_from(("", "face = sides", "throw > 1", "1")))
        declined = f', optional = "{stop}"' if stop and can_decline else ""
        again.insert(0, f'{{ when = "{when}", roll = "explode"{declined} }}')
    return [*lines, *([f"again = [{', '.join(again)}]"] if again else [])]


def kept_dice(draw: Draw, kinds: list[str], names: Names) -> dict[str, str]:
    """The dice of each kind that count: all, or the best or worst."""
    numbers = ("0", "1", "2", *(f"(max({name}, 0))" for name in names.numbers))
    kept = {}
    for kind in kinds:
        which, number = draw(st.sampled_from(("", "", "highest", "lowest"))), draw(st.sampled_from(numbers))
        kept[kind] = f"{which} {number} of '{kind}'" if which else f"'{kind}'"
    return kept


def dice_count(names: Names) -> st.SearchStrategy[str]:
    few = [f"min({name}, 3)" for name in names.numbers]
    return st.sampled_from(("0", "1", "2", "3", *few, *(f"if({name} > 1, 2, 1)" for name in names.numbers)))


def dice_sides(names: Names, explode: bool) -> st.SearchStrategy[str]:
    """Numbered sides or faces with marks; the marks of dice that explode contain no +."""
    numbers = st.sampled_from(("2", "3", "4", "6", *(f"{name} + 2" for name in names.numbers)))
    marks = st.sampled_from([faces for faces in FACES if not (explode and "+" in faces)])
    listed = marks.map(lambda faces: ", ".join(f'"{mark}" = {number}' for mark, number in faces.items()))
    return numbers.map('sides = "{}"'.format) | listed.map("faces = {{ {} }}".format)


def rare_test(test: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A test that few faces meet, so that rolls end."""
    few = st.sampled_from(("face = sides", "face = 1", "face = sides and last != sides", "face = 1 and throw < 3"))
    return few | test.map("face = sides and {}".format) | test.map("face = 1 and not {}".format)


def throw_test(names: Names, marked: tuple[str, ...]) -> st.SearchStrategy[str]:
    """A test of a single throw."""
    return truth_formula(names.test("face", "last", "throw", "sides", *marked), 1)


def die_test(names: Names) -> st.SearchStrategy[str]:
    """A test of a die with all its throws."""
    return truth_formula(names.test("value", "sides"), 1)


def depending_on_die(test: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """The same test if it depends on the die; otherwise the test with a comparison that is always true.

    A test over dice that depends on no die is a problem; this one may still be constant."""
    always = st.sampled_from(("face >= -3", "sides > 0"))
    return test.flatmap(
        lambda text: st.just(text) if DIE_WORD.search(text) else always.map(lambda more: f"({text}) and {more}")
    )


def number_formula(names: Names, depth: int = 2) -> st.SearchStrategy[str]:
    leaves = st.integers(-3, 3).map(str)
    if names.numbers:
        leaves |= st.sampled_from(names.numbers)
    if names.dice:
        leaves |= st.sampled_from(names.dice).flatmap(lambda kind: tally_formula(names, kind))
    if not depth:
        return leaves
    part = number_formula(names, depth - 1)
    pair = st.tuples(part, part)
    return (
        leaves
        | pair.map(lambda both: f"({both[0]} + {both[1]})")
        | pair.map(lambda both: f"({both[0]} - {both[1]})")
        | pair.map(lambda both: f"max({both[0]}, {both[1]})")
        | pair.map(lambda both: f"min({both[0]}, {both[1]})")
        | st.tuples(truth_formula(names, depth - 1), part, part).map(
            lambda args: f"if({args[0]}, {args[1]}, {args[2]})"
        )
        | st.tuples(st.sampled_from(("down", "up", "near")), part).map(lambda both: f"{both[0]}({both[1]} / 2)")
        | part.map("abs({})".format)
        | part.map("-{}".format)
        | part.map("2 * {}".format)
    )


def tally_formula(names: Names, kind: str) -> st.SearchStrategy[str]:
    """Something counted over the dice of a kind."""
    test = depending_on_die(throw_test(names, names.marked.get(kind, ())) | die_test(names))
    dice = names.kept[kind]
    plain = st.sampled_from(("sum", "count", "highest", "lowest")).map(lambda name: f"{name}({dice})")
    return plain | test.map(lambda test_text: f"count({dice}: {test_text})")


def truth_formula(names: Names, depth: int = 1) -> st.SearchStrategy[str]:
    part = number_formula(replace(names, dice=names.dice if depth else ()), 0)
    condition_texts = st.tuples(part, st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), part).map(" ".join)
    for name, words in names.words.items():
        condition_texts |= st.sampled_from(words).map(lambda word, name=name: f"{name} = '{word}'")  # type: ignore[misc]
    if not depth:
        return condition_texts
    return (
        condition_texts
        | st.tuples(condition_texts, st.sampled_from(("and", "or")), condition_texts).map(
            lambda args: f"({' '.join(args)})"
        )
        | condition_texts.map("(not {})".format)
    )


def reroll_lines(draw: Draw, kinds: list[str], names: Names, picked: bool) -> list[str]:
    lines = []
    for _ in range(draw(st.sampled_from((2, 3) if picked else (0, 0, 1, 2)))):
        among = draw(st.lists(st.sampled_from(kinds), min_size=1, unique=True))
        pick = draw(st.sampled_from((*("any",) * 4 * picked, "any", "highest", "lowest", "all")))
        times = draw(st.sampled_from(("1", "2", "-1", *(f"min({name}, 2)" for name in names.fixed))))
        lines += [
            "[[rules.roll.again]]",
            'roll = "reroll"',
            f"of = {list(among)}",
            f'pick = "{pick}"',
            f'times = "{times}"',
        ]
        lines.append(f'keep = "{draw(st.sampled_from(("higher", "lower", "new")))}"')
        if pick == "all":
            lines.append(f'when = "{draw(truth_formula(names.test("face", "sides"), 1))}"')
    return lines


def step_lines(draw: Draw, names: Names, words: Mapping[str, tuple[str, ...]]) -> tuple[list[str], Names]:
    """One to four steps, each of which may use those before; the choice is known from the second on.

    Up to two steps that need no dice come first, so that tests over dice and rerolls may use them."""
    lines = ["[rules.roll.steps]"]
    for place in range(draw(st.sampled_from((0, 1, 1, 2)))):
        name, formula = f"half{place}", draw(number_formula(Names(names.fixed, names.fixed_words), 1))
        lines.append(f'{name} = "{formula}"')
        names = replace(names, numbers=(*names.numbers, name), fixed=(*names.fixed, name))
    for place in range(draw(st.integers(1, 4))):
        name, formula = f"step{place}", draw(number_formula(names))
        lines.append(f'{name} = "{formula}"')
        names = replace(names, numbers=(*names.numbers, name), words=words)
    if draw(st.booleans()):
        lines.append(f"mood = \"if({draw(truth_formula(names))}, 'glad', 'sad')\"")
        names = replace(names, words={**words, "mood": ("glad", "sad")})
    return lines, names


def mark_lines(draw: Draw, names: Names) -> list[str]:
    wanted = draw(st.sets(st.sampled_from(("removed", "cancelled"))))
    return ["[rules.roll.marks]", *(f'{name} = "{draw(number_formula(names, 1))}"' for name in sorted(wanted))]


def outcome_lines(draw: Draw, names: Names) -> list[str]:
    lines = ["[rules.roll.outcomes]"]
    for name in ("good luck", "fair")[: draw(st.integers(0, 2))]:
        degree = draw(st.none() | number_formula(names, 1))
        more = f', degree = "{degree}"' if degree else ""
        lines.append(f'"{name}" = {{ when = "{draw(truth_formula(names))}"{more}, says = "It is {{step0}}." }}')
    return [*lines, "bad = {}"]
