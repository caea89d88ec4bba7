"""Random small games that use the whole language, as the text of a game.toml, and values for their inputs.

The same seed makes the same game. Its rule is called `roll`; `duel` is a contest of two such rolls. Nothing in it rolls
a negative number of dice or a die without sides; now and then something is divided by 0, or dice never end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

_T = TypeVar("_T")
WORDS = ("low", "high", "very high")
KINDS = ("red", "blue", "long die")
AIMS = ("always", "never", "mean", "chance")
TIES = ("first", "second", "again", "none")
_FACES = (
    '"-" = -1, "0" = 0, "+" = 1',
    '"x" = -2, "y" = 3',
    '"blank" = 0, "One" = 1, "two" = 2, "more" = 4',
    '"skull" = -3, "sun" = 5, "-1" = -1, "rays" = 5',
)
_NAMES_DICE = re.compile(r"\('| of '")
_TABLES = """\
[tables.level]
columns = ["number", "long name"]
ranges = { "..0" = [-1, "near"], "1..3" = [2, "far"], "4.." = [5, "far"] }
[tables."worth of words"]
columns = ["points"]
rows = { low = [1], High = [3], "very high" = [-2] }
[tables.grade]
Easy = 1
Hard = 3"""


@dataclass(frozen=True)
class _Names:
    """The names that a formula may use."""

    numbers: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()  # dice that can be counted
    marked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # good and bad, where a kind says which
    fixed: tuple[str, ...] = ()  # numbers that need no dice: what a test over dice may name
    fixed_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def test(self, *more: str) -> _Names:
        """The names for a test over dice: these, and those that need no dice."""
        return _Names((*more, *self.fixed), self.fixed_words)


class GameWriter:
    """Writes one random game."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.open_sums: list[str] = []  # over dice that may explode forever
        self.kept: dict[str, str] = {}  # the dice of a kind that count, where only the best or worst do

    def pick(self, things: Sequence[_T]) -> _T:
        return self.random.choice(things)

    def maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def some(self, things: tuple[Any, ...], least: int, most: int) -> list[Any]:
        return self.random.sample(things, self.random.randint(least, most))

    def write(self) -> str:
        inputs, numbers = self.write_inputs()
        choice = {"c": WORDS} if self.maybe(0.5) else {}
        is_late = bool(choice) and self.maybe(0.5)
        early = {} if is_late else choice
        kinds = self.some(KINDS, 1, self.pick((1, 2, 2, 3)))
        marked = {kind: self.pick(((), ("good",), ("bad",), ("good", "bad"))) for kind in kinds}
        names = _Names(numbers, early, (), marked, numbers, early)
        dice = [line for kind in kinds for line in self.write_kind(kind, names)]
        steps, names = self.write_steps(replace(names, kinds=tuple(kinds)), choice)
        rerolls = [line for _ in range(self.pick((0, 0, 0, 1, 2))) for line in self.write_reroll(kinds, names)]
        marks = [f'{name} = "{self.number(names, 1)}"' for name in self.some(("removed", "cancelled"), 0, 2)]
        if choice:
            known = tuple(name for name in numbers if name != "g")
            late = replace(names, numbers=(*known, "step0"), fixed=known, words={}, fixed_words={})
            inputs.append(self.write_choice(late if is_late else _Names(known)))
        compared = self.pick(self.steps)
        ties = self.pick(TIES if any(compared in line and _NAMES_DICE.search(line) for line in steps) else TIES[:2])
        sorts = self.some(AIMS, 1, 2) if self.maybe(0.3) else []
        sorts = [sort for sort in sorts if sort in AIMS[2:] or 'pick = "any"' not in rerolls]
        outcomes = self.write_outcomes(names)
        aim = [f'aim = "{self.aim(max(sorts, key=AIMS.index), chr(10).join(outcomes))}"'] if sorts else []
        return "\n".join(
            [
                'title = "Made up"',
                _TABLES,
                "[rules.roll]",
                *aim,
                "[rules.roll.inputs]",
                *inputs,
                *dice,
                *steps,
                *rerolls,
                "[rules.roll.marks]",
                *marks,
                *outcomes,
                "[rules.duel]",
                f'contest = {{ of = "roll", compare = "{compared}", ties = "{ties}" }}',
                "",
            ]
        )

    # Inputs

    def write_inputs(self) -> tuple[list[str], tuple[str, ...]]:
        """Some of the forms of numbers; all have a default."""
        least = self.random.randint(0, 1)
        forms = {
            ("n",): f"n = {{ min = {least}, max = 4, default = {least} }}",
            ("f",): "f = { flag = true, default = true }",
            ("g",): 'g = { flag = true, default = false, asked = "1 = 1" }',
            ("s",): "s = { die = [2, 3, 4, 6], default = 4 }",
            ("d", "pips"): 'code = { code = ["d", "pips"], min = 1, max = 3, default = "2D+1" }',
            ("k",): 'k = { min = 0, max = 4, names = "grade", default = 1 }',
        }
        wanted = self.some(tuple(forms), 0, 3)
        if ("g",) in wanted and ("n",) in wanted:
            forms["g",] = 'g = { flag = true, default = false, asked = "n > 0" }'
        return [forms[form] for form in wanted], tuple(name for form in wanted for name in form)

    def write_choice(self, names: _Names) -> str:
        asked = f', asked = "{self.truth(names)}"' if "step0" in names.numbers or self.maybe(0.5) else ""
        return f"c = {{ choice = {list(WORDS)}, default = 'high'{asked} }}"

    # Dice

    def write_kind(self, kind: str, names: _Names) -> list[str]:
        extra = self.pick(("plain", "plain", "again", "explode", "keep", "explode and keep", "explode and again"))
        faces = [one for one in _FACES if not ("explode" in extra and "+" in one)]
        sides = self.pick(("2", "3", "4", "6", *(f"{name} + 2" for name in names.numbers)))
        lines = [
            f'[rules.roll.dice."{kind}"]',
            f'count = "{self.dice_count(names)}"',
            f"faces = {{ {self.pick(faces)} }}" if self.maybe(0.3) else f'sides = "{sides}"',
        ]
        lines += [f'tests.{word} = "{self.on_die(self.throw_test(names, ()))}"' for word in names.marked[kind]]
        again = list[str]()
        if "again" in extra:
            count = self.pick(("0", "1", "1", "2", "if(face = sides, 2, 1)"))
            optional = ", optional = true" if self.maybe(0.3) else ""
            when, roll = self.rare_test(names, kind), self.pick(tuple(names.marked))
            again.append(f'{{ when = "{when}", roll = "{roll}", count = "{count}"{optional} }}')
        if "explode" in extra:
            when, stop = self.rare_test(names, kind), self.pick(("face = sides", "throw > 1", "1"))
            optional = f', optional = "{stop}"' if self.maybe(0.3) else ""
            again.insert(0, f'{{ when = "{when}", roll = "explode"{optional} }}')
        if "keep" in extra:
            number = self.pick(("0", "1", "1", "2", *(f"(max({name}, 0))" for name in names.numbers)))
            self.kept[kind] = f"{self.pick(('highest', 'lowest'))} {number} of '{kind}'"
        if "explode" in extra:
            self.open_sums.append(f"sum({self.dice_of(kind)})")
        return [*lines, *([f"again = [{', '.join(again)}]"] if again else [])]

    def dice_of(self, kind: str) -> str:
        """The dice of a kind that count."""
        return self.kept.get(kind, f"'{kind}'")

    def aim(self, sort: str, text: str) -> str:
        """An aim of this sort, for the game in this text."""
        if sort == "mean":
            return f"mean({self.steps[-1]})"
        first = re.search(r'(?ms)^\[rules\.roll\.outcomes\]\n"?([a-z ]+?)"? =', text)
        return f"chance({first[1]})" if sort == "chance" and first else sort

    def dice_count(self, names: _Names) -> str:
        few = [f"max(min({name}, 3), 0)" for name in names.numbers] + [
            f"if({name} = 'low', 2, 1)" for name in names.words
        ]
        return self.pick(("0", "1", "1", "2", "2", "3", *few))

    def rare_test(self, names: _Names, kind: str) -> str:
        """A test that few faces meet, so that rolls end."""
        test = self.throw_test(names, names.marked[kind])
        usual = ("face = sides", "face = sides", "face = 1", "face = sides and last != sides", "face = 1 and throw < 3")
        return self.pick((*usual, f"face = sides and {test}", f"face = 1 and not {test}"))

    def throw_test(self, names: _Names, marked: tuple[str, ...]) -> str:
        return self.truth(names.test("face", "face", "face", "last", "throw", "sides", *marked))

    def on_die(self, test: str) -> str:
        """The same test if it depends on the die; a test over dice that depends on no die is a problem."""
        seen = any(word in test for word in ("face", "last", "throw", "good", "bad", "value", "sides"))
        return test if seen else f"({test}) and {self.pick(('face >= -3', 'sides > 0'))}"

    def write_reroll(self, kinds: list[str], names: _Names) -> list[str]:
        pick = self.pick(("any", "highest", "lowest", "all"))
        times = self.pick(("1", "2", "-1", *(f"min({name}, 2)" for name in names.fixed)))
        lines = ["[[rules.roll.again]]", 'roll = "reroll"', f'pick = "{pick}"', f'times = "{times}"']
        if self.maybe(0.7):
            lines.append(f"of = {self.some(tuple(kinds), 1, len(kinds))}")
        lines.append(f'keep = "{self.pick(("higher", "lower", "new"))}"')
        return [*lines, f'when = "{self.on_die(self.truth(names.test("face", "sides")))}"'] if pick == "all" else lines

    # Steps and outcomes

    def write_steps(self, names: _Names, words: Mapping[str, tuple[str, ...]]) -> tuple[list[str], _Names]:
        """Steps that may use those before; `choice` is known from the second on that needs dice."""
        lines, self.steps = ["[rules.roll.steps]"], list[str]()
        for place in range(self.pick((0, 0, 1, 2))):  # without dice, so that tests over dice and rerolls may use them
            name = f"half{place}"
            lines.append(f'{name} = "{self.number(_Names(names.fixed, names.fixed_words), 1)}"')
            names = replace(names, numbers=(*names.numbers, name), fixed=(*names.fixed, name))
        for place in range(self.random.randint(1, 4)):
            name = f"step{place}"
            is_open = bool(self.open_sums) and self.maybe(0.3)
            formula = self.quotient("1", self.pick(self.open_sums)) if is_open else self.number(names)
            lines.append(f'{name} = "{formula}"')
            names = replace(names, numbers=(*names.numbers, name), words=words)
            self.steps.append(name)
        if self.maybe(0.3):
            lines.append(f"mood = \"if({self.truth(names)}, 'glad', 'sad')\"")
            names = replace(names, words={**words, "mood": ("glad", "sad")})
        return lines, names

    def write_outcomes(self, names: _Names) -> list[str]:
        lines = ["[rules.roll.outcomes]"]
        for name in ("good luck", "fair")[: self.random.randint(0, 2)]:
            degree = f', degree = "{self.number(names, 1)}"' if self.maybe(0.5) else ""
            lines.append(f'"{name}" = {{ when = "{self.truth(names)}"{degree} }}')
        return [*lines, "bad = {}"]

    # Formulas

    def number(self, names: _Names, depth: int = 2) -> str:
        if not depth or self.maybe(0.2):
            return self.leaf(names)
        a, b = (self.number(names, depth - 1) for _ in range(2))
        if self.maybe(0.2):
            return self.quotient(a, b)
        forms = [f"({a} + {b})", f"({a} + {b})", f"({a} - {b})", f"max({a}, {b})", f"min({a}, {b})", f"({a} * {b})"]
        forms += [f"abs({a})", f"-{a}", f"2 * {a}", f"if({self.truth(names)}, {a}, {b})", f"lookup(level, {a}, number)"]
        forms += [f"lookup('worth of words', {name}, points)" for name in names.words if name == "c"]
        return self.pick(forms)

    def quotient(self, over: str, under: str) -> str:
        """A division, often by something that may grow without end, and rarely by 0."""
        safe = ("2", "3", f"max(abs({under}), 1)", f"(1 + abs({under}))", f"(1 + abs({under}))")
        divisor = self.pick((*safe, f"({under})") if _NAMES_DICE.search(under) else safe)
        dividend = self.pick((f"({over})", str(self.random.randint(-12, 12))))
        return f"{self.pick(('down', 'up', 'near'))}({dividend} / {divisor})"

    def leaf(self, names: _Names) -> str:
        leaves: list[str] = [str(self.random.randint(-3, 3)), *self.some(names.numbers, 0, min(1, len(names.numbers)))]
        for kind in names.kinds:
            test = self.on_die(
                self.throw_test(names, names.marked[kind])
                if self.maybe(0.6)
                else self.truth(names.test("value", "sides"))
            )
            leaves += [
                f"{self.pick(('sum', 'sum', 'count', 'highest', 'lowest'))}({self.dice_of(kind)})",
                f"count({self.dice_of(kind)}: {test})",
            ]
        return self.pick(leaves)

    def truth(self, names: _Names) -> str:
        """A condition: one comparison or two."""
        one = self.comparison(names)
        return self.pick((one, one, f"(not {one})", f"({one} {self.pick(('and', 'or'))} {self.comparison(names)})"))

    def comparison(self, names: _Names) -> str:
        plain = f"{self.leaf(names)} {self.pick(('=', '!=', '<', '<=', '>', '>='))} {self.random.randint(-3, 6)}"
        words = [f"{name} = '{self.pick(words)}'" for name, words in names.words.items()]
        cell = f"lookup(level, {self.leaf(names)}, 'long name') = 'Far'"
        return self.pick([plain, plain, f"{plain.rpartition(' ')[0]} {self.leaf(names)}", cell, *words])

    def inputs(self, text: str) -> dict[str, str]:
        """Values for the inputs of a game, as authors write them."""
        values = {
            "n": str(self.random.randint(1, 4)),
            "f": self.pick(("yes", "no")),
            "g": self.pick(("yes", "no")),
            "s": self.pick(("d2", "d3", "d4", "d6")),
            "code": f"{self.random.randint(1, 3)}D{self.pick(('', '+1', '+2'))}",
            "k": self.pick(("0", "4", "Easy", "Hard")),
            "c": self.pick(WORDS),
        }
        return {name: value for name, value in values.items() if f"\n{name} = {{ " in text}
