"""Legal games whose odds are dear on purpose: many dice, wide dice, dice without end, long formulas, rerolls.

The same seed makes the same game, of at most 100 lines; its rule is called `roll`, its contest `duel`."""

from __future__ import annotations

from random import Random

_ENDLESS = ("face = sides", "face >= sides - 1 and sides > 3", "face = sides and last != sides", "face = 1")
_EARNING = ("face = sides", "face = 1", "face = sides and throw = 1")


class ExpensiveGame:
    """Writes one random game."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.pick = self.random.choice
        self.kinds = [f"k{number}" for number in range(self.pick((1, 1, 2, 2, 3, 5)))]
        self.names: list[str] = []
        self.kept: dict[str, str] = {}  # the dice of a kind that count, where not all do

    def maybe(self, chance: float) -> bool:
        return self.random.random() < chance

    def write(self) -> str:
        lines = ['title = "Expensive"', "[rules.roll.dice]", *map(self.kind, self.kinds), "[rules.roll.steps]"]
        lines += [self.step(number) for number in range(self.pick((1, 2, 4, 8, 20, 60)))]
        if self.maybe(0.4):
            lines += [line for _ in range(self.pick((1, 1, 2))) for line in self.reroll()]
        lines.append("[rules.roll.outcomes]")
        for number in range(self.pick((1, 2, 5))):
            lines.append(f'o{number} = {{ when = "{self.test()}", degree = "{self.number()}" }}')
        ties = self.pick(("first", "again", "none"))
        lines += [
            "rest = {}",
            f'[rules.duel]\ncontest = {{ of = "roll", compare = "{self.names[-1]}", ties = "{ties}" }}',
        ]
        return "\n".join([*lines, ""])

    def kind(self, name: str) -> str:
        dice = self.pick((1, 2, 2, 3, 5, 10, 20, 40, 100, 400))
        parts = [f"count = {dice}"]
        if self.maybe(0.15):
            faces = self.random.sample(range(-1000, 10_000), self.pick((3, 6, 12)))
            named = ", ".join(f'"f{number}" = {face}' for number, face in enumerate(faces))
            return f"{name} = {{ {parts[0]}, faces = {{ {named} }} }}"
        parts.append(f"sides = {self.pick((2, 6, 6, 8, 10, 10, 20, 100, 1000))}")
        again = [f'{{ when = "{self.pick(_ENDLESS)}", roll = "explode" }}'] if self.maybe(0.35) else []
        if self.maybe(0.2):
            test, roll, count = self.pick(_EARNING), self.pick(self.kinds), self.pick(("1", "1", "2"))
            again.append(f'{{ when = "{test}", roll = "{roll}", count = {count} }}')
        elif self.maybe(0.3):
            kept = self.pick((1, 2, max(dice - 1, 1), max(dice // 2, 1)))
            self.kept[name] = f"{self.pick(('highest', 'lowest'))} {kept} of {name}"
        parts += [f"again = [{', '.join(again)}]"] if again else []
        return f"{name} = {{ {', '.join(parts)} }}"

    def reroll(self) -> list[str]:
        pick, keep = self.pick(("any", "highest", "lowest", "all")), self.pick(("higher", "lower", "new"))
        lines = ["[[rules.roll.again]]", 'roll = "reroll"', f'pick = "{pick}"', f'keep = "{keep}"']
        lines.append(f"times = {self.pick((1, 1, 2, 5))}")
        return [*lines, f'when = "face <= {self.pick((1, 2, 5))}"'] if pick == "all" else lines

    def step(self, number: int) -> str:
        formula = self.number()
        self.names.append(f"s{number}")
        return f's{number} = "{formula}"'

    def tally(self) -> str:
        kind = self.pick(self.kinds)
        kind = self.kept.get(kind, kind)
        face = self.random.randint(1, 10)
        return self.pick(
            (
                *(f"{function}({kind})" for function in ("sum", "sum", "highest", "lowest", "count")),
                f"count({kind}: face = {face})",
                f"count({kind}: face >= {face})",
                f"count({kind}: value = {face})",
                f"count({kind}: throw > {face % 4})",
            )
        )

    def leaf(self) -> str:
        return self.pick(self.names) if self.names and self.maybe(0.6) else self.tally()

    def number(self) -> str:
        a, b, c = self.leaf(), self.leaf(), self.leaf()
        return self.pick(
            (
                a,
                f"{a} + {b}",
                f"{a} - {b} - {c}",
                f"max({a}, {b}, {c})",
                f"min({a}, {b})",
                f"abs({a} - {b})",
                f"{a} * {self.random.randint(2, 9)} + {b}",
                f"if({a} > {b}, {c}, {a})",
                f"if({a} = {b}, {c} - 1, {c} + {b})",
                f"down({a} / {self.random.randint(2, 9)})",
                f"{a} - {self.random.randint(2, 9)} * down({a} / {self.random.randint(2, 9)})",
                f"near({self.random.randint(9, 99)} / (1 + abs({a})))",
            )
        )

    def test(self) -> str:
        a, b = self.leaf(), self.leaf()
        sign = self.pick(("=", "<", ">=", "!="))
        return self.pick((f"{a} {sign} {b}", f"{a} {sign} {self.random.randint(0, 60)}", f"{a} > 3 and {b} {sign} {a}"))
