"""One rule after the other: dice, steps, outcomes, each with the names that it may use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..text import suggest
from .breeding import Effort, endless
from .build_contest import build_contest
from .build_dice import build_dice, build_rerolls
from .build_inputs import build_inputs
from .build_names import check_names
from .build_spends import build_spends
from .build_traits import build_specialties, build_sum, check_categories
from .inputs import unsettled
from .model import Category, Formula, Input, Outcome, Rule, Step, Table
from .names import NUMBER, UNKNOWN, Scope, Worth, check, worth
from .places import Path, inner
from .possible import impossible
from .shape import KEY
from .tree import DICE, names_in, walk

if TYPE_CHECKING:
    from .build import Builder

FILLED = re.compile(r"\{([^{}]*)\}")
LATE = "it is only asked when the dice lie on the table"
NO_STEPS = "dice are thrown before the steps are worked out, so they may name inputs only"


class Shared(NamedTuple):
    """What all rules of a game may name."""

    tables: Mapping[str, Table]
    register: Mapping[str, Category]


class RuleBuilder:
    """Builds the rules of a game from data whose shape has been checked."""

    def __init__(self, builder: Builder, folder: str, shared: Shared, raw: Mapping[str, Any]) -> None:
        self.builder, self.folder, self.raw = builder, folder, raw
        self.tables, self.register = shared
        self.effort = Effort()

    def rules(self) -> dict[str, Rule]:
        self.builder.labels([(name, ("rules", name, KEY)) for name in self.raw], "a rule", "/")
        rules = {name: self.rule(name, raw) for name, raw in self.raw.items()}
        sound = not self.builder.problems
        for name, raw in self.raw.items():
            if "contest" in raw:
                rules[name] = build_contest(self.builder, rules[name], rules, self.raw, sound)
        return rules

    def problem(self, code: str, path: Path, message: str) -> None:
        self.builder.problem(code, path, message)

    def rule(self, name: str, raw: Mapping[str, Any]) -> Rule:
        path: Path = ("rules", name)
        before = len(self.builder.problems)
        inputs = build_inputs(self.builder, (*path, "inputs"), raw.get("inputs", {}), self.tables)
        scope = self.scope(inputs)
        thrown = scope.without(dict.fromkeys(unsettled(inputs), LATE)).without(
            dict.fromkeys(raw.get("steps", {}), NO_STEPS)
        )
        dice = build_dice(self.builder, path, raw.get("dice", {}), thrown)
        scope = replace(scope, dice={kind.name: kind for kind in dice})
        steps, scope = self.steps(path, raw.get("steps", {}), scope)
        rule = Rule(
            self.folder, name, raw.get("label", name.replace("_", " ").capitalize()), self.builder.where((*path, KEY)),
            inputs, dice, build_rerolls(self.builder, (*path, "reroll"), raw.get("reroll", []), scope), steps,
            self.formulas((*path, "marks"), raw.get("marks", {}), scope),
            self.outcomes(path, raw.get("outcomes", {}), scope), None, tuple(raw.get("policies", ())),
            build_spends(self.builder, (*path, "spends"), raw.get("spends", {}), inputs, dice, thrown),
            build_sum(raw.get("traits", {})), build_specialties(raw.get("specialties", {})), self.tables, self.register,
        )  # fmt: skip
        check_names(self.builder, path, rule)
        check_categories(self.builder, path, rule.traits, self.register)
        self.questions(path, rule, scope)
        self.last_look(path, rule, raw, len(self.builder.problems) > before)
        return rule

    def last_look(self, path: Path, rule: Rule, raw: Mapping[str, Any], wrong: bool) -> None:
        """What can only be asked of a rule that makes sense otherwise."""
        if not any(raw.get(part) for part in ("dice", "steps", "outcomes", "contest")):
            self.problem("rule", (*path, KEY), f"the rule {rule.name} says nothing: it has no dice, steps or outcomes")
        elif not wrong:
            for kind, keys, message in impossible(rule):
                self.problem("dice", (*path, "dice", kind, *keys), message)
            for kind, message in endless(rule, self.effort):
                part = next(part for part in ("explode", "again") if part in raw["dice"][kind])
                self.problem("endless-dice", (*path, "dice", kind, part), message)

    def scope(self, inputs: tuple[Input, ...]) -> Scope:
        values: dict[str, Worth] = {}
        for entry in inputs:
            names = (name.lower() for name in entry.variables)  # capitals are complained of once, at the input
            values |= dict.fromkeys(names, entry.choices if entry.form == "choice" else NUMBER)
        codes = {entry.name: f"formulas name its parts: {' and '.join(entry.parts)}" for entry in inputs if entry.parts}
        return Scope(values, frozenset(values) - unsettled(inputs), tables=self.tables, barred=codes)

    def steps(self, path: Path, raw: Mapping[str, Any], scope: Scope) -> tuple[tuple[Step, ...], Scope]:
        steps = []
        for number, (name, value) in enumerate(raw.items(), 1):
            formula = self.builder.formula((*path, "steps", name), value)
            scope = replace(scope, later=frozenset(list(raw)[number:]))
            found: Worth = UNKNOWN
            if formula:
                found, complaints = worth(formula.node, scope.without({name: "a step cannot rest on itself"}))
                self.builder.complaints(formula, complaints)
                steps.append(Step(name, formula))
                if not any(node.op in DICE for node in walk(formula.node)) and names_in(formula.node) <= scope.fixed:
                    scope = replace(scope, fixed=scope.fixed | {name})
            scope = replace(scope, values={**scope.values, name.lower(): found})
        return tuple(steps), replace(scope, later=frozenset())

    def formulas(self, path: Path, raw: Mapping[str, Any], scope: Scope) -> dict[str, Formula]:
        found = {name: self.checked((*path, name), value, scope) for name, value in raw.items()}
        return {name: formula for name, formula in found.items() if formula}

    def checked(self, path: Path, raw: Any, scope: Scope) -> Formula | None:
        formula = self.builder.formula(path, raw)
        if formula:
            self.builder.complaints(formula, check(formula.node, scope))
        return formula

    def outcomes(self, path: Path, raw: Mapping[str, Any], scope: Scope) -> tuple[Outcome, ...]:
        outcomes = []
        for number, (name, value) in enumerate(raw.items(), 1):
            place = (*path, "outcomes", name)
            parts = self.formulas(place, {key: value[key] for key in ("when", "degree") if key in value}, scope)
            self.says(place, value, scope)
            if "when" not in value and number < len(raw):
                said = f"«{name}» has no «when», so nothing below it can ever be; move it to the end"
                self.problem("outcome", (*place, KEY), said)
            if number == len(raw) and all("when" in other for other in raw.values()):
                said = f"«{name}» is the last outcome and takes what the others leave; leave its «when» out"
                self.problem("outcome", (*place, "when"), said)
            where, says, see = self.builder.where(place), value.get("says", ""), value.get("see", "")
            link = inner(self.builder.where((*place, "see")), see, 0, len(see)) if see else where
            outcomes.append(Outcome(name, parts.get("when"), parts.get("degree"), says, see, where, link))
        return tuple(outcomes)

    def says(self, path: Path, raw: Mapping[str, Any], scope: Scope) -> None:
        known = [*scope.values, *(["degree"] if "degree" in raw else [])]
        text = raw.get("says", "")
        for found in FILLED.finditer(text):
            if found[1] not in known:
                said = f"there is no input or step «{found[1]}» to fill in; {suggest(found[1], known)}"
                span = inner(self.builder.where((*path, "says")), text, *found.span())
                self.builder.problem("outcome", path, said, span)

    def questions(self, path: Path, rule: Rule, scope: Scope) -> None:
        """An input may be asked about after steps that do not rest on it, and before those that do."""
        asked = [entry.name for entry in rule.inputs if entry.asked]
        for entry in rule.inputs:
            if not entry.asked:
                continue
            tied = [entry.name]
            for step in rule.steps:
                if names_in(step.formula.node) & set(tied):
                    tied.append(step.name)
            barred = dict.fromkeys(asked, "it is an answer to a question itself")
            barred |= dict.fromkeys(tied[1:], f"it rests on the answer to {entry.name}")
            self.builder.complaints(entry.asked, check(entry.asked.node, scope.without(barred)))
            self.order(path, rule, entry, tied)

    def order(self, path: Path, rule: Rule, entry: Input, tied: list[str]) -> None:
        assert entry.asked
        named, steps = names_in(entry.asked.node) - set(tied), [step.name for step in rule.steps]
        late = [name for name in steps[steps.index(tied[1]) :] if name in named] if len(tied) > 1 else []
        if late:
            said = f"{entry.name} is asked when {late[-1]} is known, and {tied[1]} needs the answer"
            said += f"; move {late[-1]} above {tied[1]}"
            self.problem("name", (*path, "steps", late[-1], KEY), said)
