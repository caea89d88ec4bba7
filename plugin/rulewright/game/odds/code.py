"""The code that answers a plan from the states of its groups of dice.

States come as lists of (values of the coordinates, weight), one list for each group that matters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..bounds import between
from ..program import MOST, function
from ..python import Writer
from ..ranges import evaluate

if TYPE_CHECKING:
    from .plan import Plan


class Code:
    """Compiled when first asked for."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def writer(self) -> Writer:
        bounds = self.plan.bounds
        for coordinates in self.plan.coordinates:
            for coordinate in coordinates:
                bounds = bounds.with_value(coordinate.name, between(-MOST, MOST))
        for name, node in self.plan.statements.items():
            if name not in self.plan.made.asked:
                bounds = bounds.with_value(name, evaluate(node, bounds))
        return Writer(bounds, self.plan.made.rule.tables)

    def body(self, writer: Writer) -> list[str]:
        lines = []
        for name, node in self.plan.statements.items():
            code = writer.expression(self.plan.made.formula(name), node)
            entry = self.plan.made.asked.get(name)
            lines.append(f"v_{name} = w_{name} if {code} else {entry.default!r}" if entry else f"v_{name} = {code}")
        return lines

    def opening(self) -> list[str]:
        """Inputs become local names; one that is asked keeps its given value under another name."""
        return [f"{'w' if name in self.plan.statements else 'v'}_{name} = v[{name!r}]" for name in self.plan.inputs]

    def loops(self, inner: Iterable[str]) -> list[str]:
        lines, indent = ["w = 1"], ""
        for number, group in enumerate(self.plan.active):
            names = ", ".join(coordinate.name for coordinate in self.plan.coordinates[group])
            lines.append(f"{indent}for ({names},), p{number} in states[{number}]:")
            indent += "    "
        weight = " * ".join(f"p{number}" for number in range(len(self.plan.active))) or "1"
        return [*lines, f"{indent}w = {weight}", *(indent + line for line in inner)]

    def cases(self, writer: Writer, then: str) -> list[str]:
        """What to do for each outcome; `{}` in it is the outcome's number."""
        whens = self.plan.question.whens
        lines = []
        for number, formula in enumerate(whens):
            test = writer.truth(formula, self.plan.targets[number])
            lines.append(f"{'elif' if number else 'if'} {test}: {then.format(number)}")
        last = then.format(len(whens))
        return [*lines, f"else: {last}" if whens else last]

    def compile(self, writer: Writer, start: str, loop: Iterable[str], give: str) -> Any:
        body = [*self.opening(), start, *loop, f"return {give}"]
        return writer.compile(function("run", "v, states", body), "run")

    @cached_property
    def count(self) -> Any:
        """Adds up the weights of each outcome over all states."""
        writer = self.writer()
        names = [f"o{number}" for number in range(len(self.plan.question.whens) + 1)]
        inner = [*self.body(writer), *self.cases(writer, "o{} += w")]
        return self.compile(writer, f"{' = '.join(names)} = 0", self.loops(inner), f"[{', '.join(names)}]")

    @cached_property
    def classify(self) -> Any:
        """Gives the outcome of each of a list of states, for a question about one group."""
        writer = self.writer()
        names = ", ".join(coordinate.name for coordinate in self.plan.coordinates[self.plan.active[0]])
        inner = [*self.body(writer), *self.cases(writer, "got.append({})")]
        loop = [f"for ({names},) in states:", *(f"    {line}" for line in inner)]
        return self.compile(writer, "got = []", loop, "got")

    @cached_property
    def gather(self) -> Any:
        """Adds up weights by outcome and by the values of the steps asked for."""
        writer, question = self.writer(), self.plan.question
        inner = [*self.body(writer), *self.cases(writer, "o = {}")]
        values = zip(question.values, self.plan.targets[len(question.whens) :], strict=True)
        key = "".join(f", {writer.expression(formula, node)}" for formula, node in values)
        inner += [f"k = (o{key},)", "got[k] = got.get(k, 0) + w"]
        return self.compile(writer, "got = {}", self.loops(inner), "got")
