"""Random small games over sets of dice, each with an own account of what its formulas mean: plain Python over plain
dice.

A formula is a text and a function of a roll. A roll is the list of its dice, each a kind, its place in the order
rolled, a face and a number of sides. Nothing here knows the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple


class Die(NamedTuple):
    kind: int
    place: int
    face: int
    sides: int


Roll = Sequence[Die]
Values = dict[str, Any]  # inputs, steps, words over faces


class Formula(NamedTuple):
    text: str
    run: Callable[[Roll, Values], int]


class DiceSet(NamedTuple):
    text: str
    run: Callable[[Roll, Values], list[Die]]
    kinds: frozenset[int]


KINDS = ("a", "b", "long c")


class SetGame:
    """One random game: its text, and all ways to roll it."""

    def __init__(self, seed: int, waves: bool = True) -> None:
        self.random = Random(seed)
        self.names = KINDS[: self.random.choice((1, 2, 2, 3))]
        self.counts = [self.random.choice((1, 2, 2, 3)) for _ in self.names]
        self.sides = [self.random.choice((2, 3, 4, 4, 6)) for _ in self.names]
        while self.number_of_rolls() > 1500:
            self.counts[self.counts.index(max(self.counts))] -= 1
        self.inputs: dict[str, Any] = {"n": self.random.randint(0, 3), "flag": self.random.random() < 0.5}
        self.known: list[str] = list(self.inputs)
        self.steps: dict[str, Formula] = {}
        self.late: tuple[Formula, int] | None = None
        self.sets: dict[str, DiceSet] = {}
        for number in range(self.random.choice((1, 2, 3))):
            self.add_step(f"step{number}")
        if waves and self.random.random() < 0.4:
            self.add_wave()
            self.add_step("after")
        first = self.comparison(self.number(2))
        self.outcomes = [("one", first), ("two", self.comparison(self.number(2))), ("rest", None)]

    def number_of_rolls(self) -> int:
        rolls = 1
        for count, sides in zip(self.counts, self.sides, strict=True):
            rolls *= sides**count
        return rolls

    def pick(self, things: Sequence[Any]) -> Any:
        return self.random.choice(things)

    def add_step(self, name: str) -> None:
        if self.random.random() < 0.3:
            own = self.dice_set(2)
            self.sets[name] = DiceSet(name, own.run, own.kinds)
            self.steps[name] = Formula(own.text, lambda roll, values: len(own.run(roll, values)))
            return
        self.steps[name] = self.number(2)
        self.known.append(name)

    def add_wave(self) -> None:
        """Dice whose number depends on a step."""
        step = self.pick([name for name in self.known if name not in self.inputs] or ["n"])
        limit = self.pick((1, 2, 3))
        sides = self.pick((2, 3))
        formula = Formula(f"max(min({step}, {limit}), 0)", lambda _, values: max(min(int(values[step]), limit), 0))
        self.late = formula, sides
        self.names = (*self.names, "late")
        self.counts.append(0)
        self.sides.append(sides)

    # Sets

    def dice_set(self, depth: int) -> DiceSet:
        if not depth or self.random.random() < 0.3:
            return self.whole_kind()
        ways: tuple[Callable[[int], DiceSet], ...] = (self.together, self.picked, self.picked, self.where, self.without)
        return self.random.choice(ways)(depth)

    def whole_kind(self) -> DiceSet:
        if self.sets and self.random.random() < 0.3:
            return self.random.choice(list(self.sets.values()))
        number = self.random.randrange(len(self.names))
        name = self.names[number]
        text = f"'{name}'" if " " in name else name
        return DiceSet(text, lambda roll, _: [die for die in roll if die.kind == number], frozenset({number}))

    def together(self, depth: int) -> DiceSet:
        one, other = self.dice_set(depth - 1), self.dice_set(depth - 1)
        if one.kinds & other.kinds:
            return one
        return DiceSet(
            f"({one.text}), ({other.text})",
            lambda roll, values: sorted([*one.run(roll, values), *other.run(roll, values)]),
            one.kinds | other.kinds,
        )

    def picked(self, depth: int) -> DiceSet:
        own, number, high = self.dice_set(depth - 1), self.pick(("1", "2", "3", "n")), self.pick((True, False))
        by, key = self.pick((
            ("", lambda die: die.face), ("", lambda die: die.face),
            (" by 10 * value + sides", lambda die: 10 * die.face + die.sides),
        ))  # fmt: skip

        def run(roll: Roll, values: Values) -> list[Die]:
            amount = int(values["n"] if number == "n" else number)
            order = sorted(
                own.run(roll, values), key=lambda die: ((-key(die) if high else key(die)), die.kind, die.place)
            )
            return sorted(order[:amount])

        name = "highest" if high else "lowest"
        return DiceSet(f"{name} {number} of ({own.text}){by}", run, own.kinds)

    def where(self, depth: int) -> DiceSet:
        own, (text, test) = self.dice_set(depth - 1), self.die_test()
        return DiceSet(
            f"({own.text}) where {text}",
            lambda roll, values: [die for die in own.run(roll, values) if test(die, values)],
            own.kinds,
        )

    def without(self, depth: int) -> DiceSet:
        own = self.dice_set(depth - 1)
        taken = self.pick((self.picked(1), self.where(1)))
        return DiceSet(
            f"({own.text}) without ({taken.text})",
            lambda roll, values: [die for die in own.run(roll, values) if die not in taken.run(roll, values)],
            own.kinds,
        )

    def die_test(self) -> tuple[str, Callable[[Die, Values], int]]:
        limit, op = self.pick(("1", "2", "3", *self.known)), self.pick((">=", "<", "=", "!="))
        word = self.pick(("value", "value", "sides"))
        return f"{word} {op} {limit}", lambda die, values: _compare(
            op, die.face if word == "value" else die.sides, _value(limit, values)
        )

    # Numbers

    def number(self, depth: int) -> Formula:
        usual: tuple[Callable[[int], Formula], ...] = (self.dice_function, self.dice_function, self.dice_function)
        return self.random.choice((*usual, self.over, self.sum_of, self.leaf))(depth)

    def leaf(self, depth: int) -> Formula:  # noqa: ARG002
        text = self.pick(("1", "2", *self.known))
        return Formula(text, lambda _, values: _value(text, values))

    def sum_of(self, depth: int) -> Formula:
        if not depth:
            return self.leaf(0)
        one, other = self.number(depth - 1), self.number(depth - 1)
        op = self.pick(("+", "-", "max", "if"))
        if op == "max":
            return Formula(
                f"max({one.text}, {other.text})",
                lambda roll, values: max(one.run(roll, values), other.run(roll, values)),
            )
        if op == "if":
            test = self.comparison(one)
            return Formula(
                f"if({test.text}, {other.text}, {one.text})",
                lambda roll, values: other.run(roll, values) if test.run(roll, values) else one.run(roll, values),
            )
        sign = 1 if op == "+" else -1
        return Formula(
            f"({one.text} {op} ({other.text}))",
            lambda roll, values: one.run(roll, values) + sign * other.run(roll, values),
        )

    def comparison(self, left: Formula) -> Formula:
        op, right = self.pick((">=", "<", "=", "!=")), self.leaf(0)
        return Formula(
            f"({left.text}) {op} {right.text}",
            lambda roll, values: _compare(op, left.run(roll, values), right.run(roll, values)),
        )

    def dice_function(self, depth: int) -> Formula:
        function, own = self.pick(("sum", "count", "highest", "lowest")), self.dice_set(min(depth, 2))
        body, worth = self.pick((
            ("", None), ("", None),
            ("face >= 2", lambda die, _: int(die.face >= 2)),
            ("face = n", lambda die, values: int(die.face == values["n"])),
            ("if(face = 1, 6, sides - face)", lambda die, _: 6 if die.face == 1 else die.sides - die.face),
            ("rest(face / 2)", lambda die, _: die.face % 2),
        ))  # fmt: skip
        if function == "count" and body.startswith("if"):
            function = "sum"  # a count is of what holds

        def run(roll: Roll, values: Values) -> int:
            dice = own.run(roll, values)
            worths = [worth(die, values) if worth else 1 if function == "count" else die.face for die in dice]
            if function == "count":
                return sum(bool(one) for one in worths)
            if function == "sum" or not worths:
                return sum(worths)
            return max(worths) if function == "highest" else min(worths)

        return Formula(f"{function}({own.text}{': ' if body else ''}{body})", run)

    def over(self, depth: int) -> Formula:  # noqa: ARG002
        """A word over the faces of a kind."""
        function, own, weighted = self.pick(("max", "sum", "count")), self.whole_kind(), self.pick((True, False))
        number = min(own.kinds)
        kind = f"'{self.names[number]}'" if " " in self.names[number] else self.names[number]
        text = f"count({own.text}: face = f)"

        def run(roll: Roll, values: Values) -> int:
            dice = own.run(roll, values)
            shown = [sum(die.face == face for die in dice) for face in range(1, self.sides[number] + 1)]
            worths = [face if times >= 2 else 0 for face, times in enumerate(shown, 1)] if weighted else shown
            if function == "count":
                return sum(times >= 2 for times in shown)
            return max(worths) if function == "max" else sum(worths)

        body = f"{text} >= 2" if function == "count" else f"if({text} >= 2, f, 0)" if weighted else text
        return Formula(f"{function}(f of {kind}: {body})", run)

    # The game

    @property
    def text(self) -> str:
        lines = [
            'title = "Made of sets"',
            "[rules.roll.inputs]",
            "n = { min = 0, max = 3 }",
            "flag = { flag = true }",
            "[rules.roll.dice]",
        ]
        for name, count, sides in zip(self.names, self.counts, self.sides, strict=True):
            amount = f'"{self.late[0].text}"' if name == "late" and self.late else str(count)
            lines.append(f'"{name}" = {{ count = {amount}, sides = {sides} }}')
        lines.append("[rules.roll.steps]")
        lines += [f'{name} = "{step.text}"' for name, step in self.steps.items()]
        lines.append("[rules.roll.outcomes]")
        lines += [f'{name} = {{ when = "{when.text}" }}' if when else f"{name} = {{}}" for name, when in self.outcomes]
        return "\n".join([*lines, ""])

    def rolls(self) -> Iterator[tuple[list[Die], Values, Fraction]]:
        """Every roll with the values of its steps, and how likely it is."""
        kinds = range(len(self.names) - bool(self.late))
        dice = [(kind, place) for kind in kinds for place in range(self.counts[kind])]
        share = Fraction(1, self.number_of_rolls())
        for faces in product(*(range(1, self.sides[kind] + 1) for kind, _ in dice)):
            roll = [Die(kind, place, face, self.sides[kind]) for (kind, place), face in zip(dice, faces, strict=True)]
            if not self.late:
                yield roll, self.evaluate(roll), share
                continue
            amount, sides = self.late[0].run(roll, self.evaluate(roll)), self.late[1]
            for more in product(range(1, sides + 1), repeat=amount):
                whole = [*roll, *(Die(len(self.names) - 1, place, face, sides) for place, face in enumerate(more))]
                yield whole, self.evaluate(whole), share / sides**amount

    def evaluate(self, roll: Roll) -> Values:
        values: Values = dict(self.inputs)
        for name, step in self.steps.items():
            values[name] = step.run(roll, values)
        return values

    def chances(self) -> tuple[dict[str, Fraction], dict[str, Counter[int]]]:
        """The chance of each outcome, and the distribution of each step that is a number."""
        outcomes = {name: Fraction(0) for name, _ in self.outcomes}
        steps: dict[str, Any] = {name: Counter() for name in self.steps if name not in self.sets}
        for roll, values, share in self.rolls():
            name = next(name for name, when in self.outcomes if not when or when.run(roll, values))
            outcomes[name] += share
            for step, found in steps.items():
                found[int(values[step])] += share
        return outcomes, steps


def _value(text: str, values: Values) -> int:
    return int(text) if text.isdigit() else int(values[text])


def _compare(op: str, left: int, right: int) -> int:
    return int({">=": left >= right, "<": left < right, "=": left == right, "!=": left != right}[op])
