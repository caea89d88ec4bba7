"""Generated games whose rule has rounds, or is rolled by another rule: what generated_games.py writes, with more around
it. The same seed makes the same game."""

from __future__ import annotations

import re
from random import Random

from generated_games import GameWriter

_LIMIT = 6  # of what rounds carry


class RollWriter:
    """Writes one random game; `name` is the rule to look at."""

    def __init__(self, seed: int) -> None:
        self.writer, self.random = GameWriter(seed), Random(seed)
        text = self.writer.write()
        self.text = text[: text.index("[rules.duel]")]
        self.has_rounds = self.random.random() < 0.6
        if self.has_rounds:
            self.add_rounds()
        self.name = "pair" if not self.has_rounds or self.random.random() < 0.6 else "roll"
        if self.name == "pair":
            self.text += self.write_pair()

    def add_rounds(self) -> None:
        pick, steps = self.random.choice, self.writer.steps
        until = pick((f"{steps[-1]} > 1", f"held + {steps[-1]} > 3", f"{steps[-1]} = 0", f"{steps[0]} < 3"))
        rounds = (
            f'[rules.roll]\ncarry = {{ held = "max(min(held + {pick(steps)}, {_LIMIT}), -{_LIMIT})" }}\n'
            f'until = "{until}"\nmost = "{pick((1, 2, 3, 3))}"\n'
        )
        held = f"[rules.roll.inputs]\nheld = {{ min = -{_LIMIT}, max = {_LIMIT}, default = 0 }}\n"
        self.text = self.text.replace("[rules.roll]\n", rounds, 1).replace("[rules.roll.inputs]\n", held, 1)
        if self.random.random() < 0.7:
            self.text = re.sub(rf'(?m)^{steps[-1]} = "(.*)"$', rf'{steps[-1]} = "(\1) + held"', self.text)

    def write_pair(self) -> str:
        """A rule that rolls the first one two or three times."""
        pick, a, b = self.random.choice, *(self.random.choice(self.writer.steps) for _ in range(2))
        more = pick(("", f', when = "you.{a} > 0"', ", times = 2"))
        they = f"{pick(('sum', 'highest', 'lowest'))}(they: {b})" if "times" in more else f"{pick((1, 2))} * they.{b}"
        own = pick(("", f"max(min(you.{a}, 2), 0)", "1"))
        return "\n".join(
            [
                "[rules.pair]",
                pick(("", 'aim = "mean(margin)"', 'aim = "chance(win)"')),
                "[rules.pair.rolls]",
                f'you = {{ rule = "roll" }}\nthey = {{ rule = "roll"{more} }}',
                f'[rules.pair.dice]\nown = {{ count = "{own}", sides = 3 }}' if own else "",
                "[rules.pair.steps]",
                f'margin = "you.{a} - {they}{" + sum(own)" if own else ""}"',
                '[rules.pair.outcomes]\nwin = { when = "margin > 0" }\nbad = {}\n',
            ]
        )

    def inputs(self) -> dict[str, str]:
        """Values for the inputs of the rule; questions of rounds are left open."""
        if self.name == "roll":
            return self.writer.inputs(self.text)
        sides = ("you",) if "times = 2 }\n" in self.text else ("you", "they")
        own = {f"{side}.{name}": value for side in sides for name, value in self.writer.inputs(self.text).items()}
        return {name: value for name, value in own.items() if not (self.has_rounds and name[-2:] in (".c", ".g"))}
