"""One rule after the other: inputs, dice, steps, outcomes, each with the names that it may use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..text import suggest
from .breeding import endless
from .build_dice import build_dice, build_rerolls
from .inputs import read_value
from .model import Contest, Formula, Input, Outcome, Rule, Step, Table
from .names import NUMBER, Scope, Worth, check, worth
from .shape import KEY
from .toml import Path
from .tree import DICE, RESERVED, names_in, walk

if TYPE_CHECKING:
    from .build import Builder

NAME = re.compile(r"[a-z][a-z0-9_]*")
BLOCK_WORDS = (
    "dice given rerolled declined skip wrong then instead traits holds uses policy side winner outcome degree expect"
    " rows columns show as required verdict by result name game rule id title"
)
KEYS = frozenset(BLOCK_WORDS.split()) | RESERVED
FORMS = ("flag", "choice", "die", "code")


class RuleBuilder:
    """Builds the rules of a game from data whose shape has been checked."""

    def __init__(self, builder: Builder, folder: str, tables: Mapping[str, Table], raw: Mapping[str, Any]) -> None:
        self.builder, self.folder, self.tables, self.raw = builder, folder, tables, raw

    def rules(self) -> dict[str, Rule]:
        rules = {name: self.rule(name, raw) for name, raw in self.raw.items()}
        return {name: self.contest(rule, rules) if "contest" in self.raw[name] else rule for name, rule in rules.items()}

    def problem(self, code: str, path: Path, message: str) -> None:
        self.builder.problem(code, path, message)

    def rule(self, name: str, raw: Mapping[str, Any]) -> Rule:
        path: Path = ("rules", name)
        before = len(self.builder.problems)
        inputs = tuple(self.input((*path, "inputs", key), key, value) for key, value in raw.get("inputs", {}).items())
        values = {variable: worth_of(entry) for entry in inputs for variable in entry.variables}
        scope = Scope(values, frozenset(values), tables=self.tables)
        dice = build_dice(self.builder, path, raw.get("dice", {}), scope)
        scope = replace(scope, dice={kind.name: kind for kind in dice})
        steps, scope = self.steps(path, raw.get("steps", {}), scope)
        marks = self.formulas((*path, "marks"), raw.get("marks", {}), scope)
        rule = Rule(
            self.folder, name, raw.get("label", name.replace("_", " ").capitalize()), self.builder.where((*path, KEY)),
            inputs, dice, build_rerolls(self.builder, (*path, "reroll"), raw.get("reroll", []), scope), steps, marks,
            self.outcomes(path, raw.get("outcomes", {}), scope), None, self.policies(raw),
            raw.get("traits", {}), raw.get("specialties", {}), self.tables,
        )  # fmt: skip
        self.names(path, rule, raw)
        self.questions(path, rule, scope)
        if len(self.builder.problems) == before:
            for kind, message in endless(rule):
                self.problem("endless-dice", (*path, "dice", kind), message)
        return rule

    def input(self, path: Path, name: str, raw: Mapping[str, Any]) -> Input:
        forms = [form for form in FORMS if form in raw]
        if len(forms) > 1:
            self.problem("input", path, f"{name} is either a {' or a '.join(forms)}; split it into two inputs")
        form = forms[0] if forms else "number"
        entry = Input(
            name, form, raw.get("label", name.replace("_", " ").capitalize()), self.builder.where(path),
            raw.get("min", 0), raw.get("max", 0), tuple(raw.get("choice", ())), tuple(raw.get("die", ())),
            tuple(raw.get("code", ())), None, self.table(path, raw), raw.get("open", False),
            self.builder.formula((*path, "asked"), raw["asked"]) if "asked" in raw else None,
        )  # fmt: skip
        self.limits(path, entry, raw)
        if "default" not in raw:
            return entry
        value, complaint = read_value(entry, raw["default"])
        if complaint:
            self.problem("input", (*path, "default"), f"this default does not fit: {complaint}")
        return replace(entry, default=value)

    def table(self, path: Path, raw: Mapping[str, Any]) -> Table | None:
        name = raw.get("names")
        if name is not None and name not in self.tables:
            self.problem("input", (*path, "names"), f"there is no table «{name}»; {suggest(name, self.tables)}")
        return self.tables.get(name) if name else None

    def limits(self, path: Path, entry: Input, raw: Mapping[str, Any]) -> None:
        if entry.form in ("number", "code"):
            for key in ("min", "max"):
                if key not in raw:
                    self.problem("input", path, f"{entry.name} is a number and needs a {key}")
        elif "min" in raw or "max" in raw:
            self.problem("input", path, f"min and max are for numbers and codes; {entry.name} is a {entry.form}")
        if entry.least > entry.most:
            self.problem("input", path, f"{entry.name} would go from {entry.least} down to {entry.most}; swap min and max")
        if max(abs(entry.least), abs(entry.most)) > 10**9:
            self.problem("input", path, "limits go from -1000000000 to 1000000000")
        if entry.form == "code" and entry.least < 0 or any(sides < 0 for sides in entry.dice):
            self.problem("input", path, "dice cannot be fewer than 0")
        if entry.asked and "default" not in raw:
            self.problem("input", path, f"{entry.name} is asked only at times, so it needs a default for all others")

    def steps(self, path: Path, raw: Mapping[str, Any], scope: Scope) -> tuple[tuple[Step, ...], Scope]:
        steps = []
        for number, (name, value) in enumerate(raw.items()):
            formula = self.builder.formula((*path, "steps", name), value)
            scope = replace(scope, later=frozenset(list(raw)[number:]))
            found: Worth = NUMBER
            if formula:
                found, complaints = worth(formula.node, scope)
                self.builder.complaints(formula, complaints)
                steps.append(Step(name, formula))
                if not any(node.op in DICE for node in walk(formula.node)) and names_in(formula.node) <= scope.fixed:
                    scope = replace(scope, fixed=scope.fixed | {name})
            scope = replace(scope, values={**scope.values, name: found})
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
            self.says(place, value.get("says", ""), scope)
            if "when" not in value and number < len(raw):
                self.problem("outcome", place, f"{name} has no «when», so nothing below it can ever be; move it to the end")
            if "when" in value and number == len(raw):
                self.problem("outcome", place, f"the last outcome, {name}, has a «when», so some throws would come to nothing")
            outcomes.append(
                Outcome(name, parts.get("when"), parts.get("degree"), value.get("says", ""), value.get("see", ""), self.builder.where(place))
            )
        return tuple(outcomes)

    def says(self, path: Path, text: str, scope: Scope) -> None:
        for name in re.findall(r"\{([^{}]*)\}", text):
            if name not in scope.values and name != "degree":
                self.problem("outcome", (*path, "says"), f"there is no step «{name}» to fill in; {suggest(name, scope.values)}")

    def policies(self, raw: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(raw.get("policies", ()))

    def names(self, path: Path, rule: Rule, raw: Mapping[str, Any]) -> None:
        """One name, one thing; and none that a block or a formula needs for itself."""
        taken: dict[str, str] = {}
        named: list[tuple[str, str, Path]] = []
        for entry in rule.inputs:
            place: Path = (*path, "inputs", entry.name)
            named += [("an input", entry.name, (*place, KEY))] + [("an input", part, (*place, "code")) for part in entry.parts]
        named += [("a step", step.name, (*path, "steps", step.name, KEY)) for step in rule.steps]
        for what, name, place in named:
            if not NAME.fullmatch(name):
                self.problem("name", place, f"«{name}» cannot be a name; use small letters, digits and _, a letter first")
            elif name in KEYS:
                self.problem("name", place, f"«{name}» has a meaning of its own and cannot name {what}")
            elif name in taken:
                self.problem("name", place, f"«{name}» already names {taken[name]} of this rule")
            taken.setdefault(name, what)
        for outcome in rule.outcomes:
            if outcome.name in taken:
                self.problem("name", (*path, "outcomes", outcome.name, KEY), f"«{outcome.name}» already names {taken[outcome.name]} of this rule")
        self.references(path, rule)

    def references(self, path: Path, rule: Rule) -> None:
        forms = {entry.name: entry.form for entry in rule.inputs}
        wanted = [("traits", "into", ("number", "die", "code")), ("specialties", "into", ("flag",)), ("specialties", "unused_adds", ("number",))]
        for part, key, allowed in wanted:
            name = getattr(rule, part).get(key)
            if name is not None and forms.get(name) not in allowed:
                note = suggest(name, [known for known, form in forms.items() if form in allowed])
                self.problem("name", (*path, part, key), f"«{name}» is no input of the form {' or '.join(allowed)}; {note}")

    def questions(self, path: Path, rule: Rule, scope: Scope) -> None:
        """An input may be asked about after steps that do not rest on it, and before those that do."""
        for entry in rule.inputs:
            if not entry.asked:
                continue
            tied: set[str] = {entry.name}
            for step in rule.steps:
                if names_in(step.formula.node) & tied:
                    tied.add(step.name)
            values = {name: found for name, found in scope.values.items() if name not in tied}
            self.builder.complaints(entry.asked, check(entry.asked.node, replace(scope, values=values)))
            self.order(path, rule, entry, tied)

    def order(self, path: Path, rule: Rule, entry: Input, tied: set[str]) -> None:
        assert entry.asked
        named, steps = names_in(entry.asked.node), [step.name for step in rule.steps]
        first = next((name for name in steps if name in tied), None)
        late = [name for name in steps[steps.index(first) :] if name in named - tied] if first else []
        if late:
            self.problem("name", (*path, "steps", late[-1]), f"{entry.name} is asked when {late[-1]} is known; move {late[-1]} above {first}")

    def contest(self, rule: Rule, rules: Mapping[str, Rule]) -> Rule:
        path: Path = ("rules", rule.name)
        raw = self.raw[rule.name]
        if rule.dice or rule.steps or rule.outcomes or rule.inputs:
            self.problem("contest", path, f"{rule.name} is a contest; its dice and steps are those of the rule it is of")
        spec = raw["contest"]
        of = [spec["of"]] * 2 if isinstance(spec["of"], str) else spec["of"]
        for number, name in enumerate(of):
            place = (*path, "contest", "of") if isinstance(spec["of"], str) else (*path, "contest", "of", number)
            self.side(place, (*path, "contest", "compare"), name, spec["compare"], rules)
            if isinstance(spec["of"], str):
                break
        if spec["ties"] == "again" and not any(rules[name].dice for name in of if name in rules):
            self.problem("contest", (*path, "contest", "ties"), "without dice a tie comes again for ever; choose first, second or none")
        return replace(rule, contest=Contest(tuple(rules[name] for name in of if name in rules), spec["compare"], spec["ties"]))

    def side(self, path: Path, compare: Path, name: str, step: str, rules: Mapping[str, Rule]) -> None:
        side = rules.get(name)
        if side is None or "contest" in self.raw.get(name, {}):
            plain = [known for known in rules if "contest" not in self.raw[known]]
            self.problem("contest", path, f"there is no rule «{name}» to roll; {suggest(name, plain)}")
        elif step not in [found.name for found in side.steps]:
            self.problem("contest", compare, f"{name} has no step «{step}»; {suggest(step, [found.name for found in side.steps])}")


def worth_of(entry: Input) -> Worth:
    return entry.choices if entry.form == "choice" else NUMBER


