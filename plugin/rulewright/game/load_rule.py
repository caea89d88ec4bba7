"""Loads the rules of a game: inputs, dice, steps, outcomes, spends and contests.

The schema assigns a scope to each formula; this module determines the names in each scope."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..source import suggest
from .aims import read_aim
from .core import ROUND, Category, TraitSum
from .formula import collect_names, needs_dice
from .game_schema import BEFORE, MOST, RESULT, RULES, SPENT
from .inputs import find_late_names, late_inputs, parse_value
from .load_again import AgainLoader
from .load_contest import is_plain_contest, load_contest, lower_contest
from .load_dice import DiceLoader
from .load_rolls import expand_rolls, fill_likes, find_used, order_by_use
from .load_rounds import load_rounds
from .model import Formula, Input, Outcome, Rule, SpecialtyRules, Spend, Step, Table
from .roll_aims import list_roll_aims
from .roll_parts import RawRule
from .rule_choices import find_aim_problems, find_dependents, find_needs, find_picks
from .rule_names import find_name_problems
from .schema import BROKEN_NODE, KEY, Loader
from .scope import NUMBER_TYPE, UNKNOWN_TYPE, Scope, ValueType, check_formula, infer_set, infer_type, is_set
from .stages import order_formulas
from .toml import Path, inner_span

_INPUT_FORMS = ("flag", "choice", "die", "code")
_FORMS_OF_KEYS = {  # keys that only some forms of input know
    "min": ("number", "code"), "max": ("number", "code"), "names": ("number",), "open": ("number",),
    "asked": ("flag", "choice", "number"),
}  # fmt: skip
_FOUND_LATER = "outcomes are found after the steps; a number of one outcome is its `degree`"
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass
class LoadedRules:
    """The rules of a game; `sound` rules and `contests` have no problems and can be evaluated."""

    rules: dict[str, Rule] = field(default_factory=dict)
    evaluable: list[str] = field(default_factory=list)
    evaluable_contests: list[str] = field(default_factory=list)


class SharedParts(NamedTuple):
    """What all rules of a game share."""

    folder: str
    tables: Mapping[str, Table]
    categories: Mapping[str, Category]


def load_rules(loader: Loader, raw: Mapping[str, Any], shared: SharedParts) -> LoadedRules:
    loaded, raws = LoadedRules(), dict[str, RawRule]()
    before = len(loader.problems)
    waiting: list[tuple[str, Path, RawRule, bool]] = []

    def load(name: str, path: Path, data: RawRule, is_sound: bool) -> None:
        if "rolls" in data:
            data, rolls = expand_rolls(loader, path, data, raws, shared.tables)
            rule = _RuleLoader(loader, path, name, data, shared).load()
            rule = replace(rule, rolls=rolls, aims_of_rolls=tuple(list_roll_aims(data, rule.span)))
        else:
            rule = _RuleLoader(loader, path, name, data, shared).load()
        loaded.rules[name], raws[name] = rule, data
        if loader.is_sound_since(before) and is_sound:
            loaded.evaluable.append(name)

    for name, path, data in RULES.entries(raw, ("rules",), loader):
        is_sound = len(loader.problems) == before
        if find_used(data):
            waiting.append((name, path, data, is_sound))
        else:
            load(name, path, data, is_sound)
        before = len(loader.problems)
    contests, rolled = list[str](), set[str]().union(*(find_used(data) for _, _, data, _ in waiting))
    for name, path, data, has_sound_data in order_by_use(waiting):
        is_sound = has_sound_data and find_used(data) <= set(loaded.evaluable)
        is_plain = is_plain_contest(data, raws, contests)
        lowered = lower_contest(loader, path, data, raws) if "contest" in data and not is_plain else data
        load(name, path, fill_likes(loader, path, lowered, raws), is_sound)
        if is_plain and name in rolled:
            raws[name] = expand_rolls(loader, path, lower_contest(loader, path, data, raws), raws, shared.tables)[0]
        contests += [name] if is_plain and len(loader.problems) == before else []
        before = len(loader.problems)
    loaded.rules = {name: loaded.rules[name] for name in raw if name in loaded.rules}
    loaded.evaluable = [name for name in raw if name in loaded.evaluable]
    sound = not loader.problems
    plain = {name: rule for name, rule in loaded.rules.items() if name not in contests}
    for name in contests:
        contest = load_contest(loader, ("rules", name), raw[name], plain)
        loaded.rules[name] = replace(loaded.rules[name], contest=contest)
        steps = [[step.name for step in side.steps] for side in contest.of]
        if sound and len(steps) == 2 and all(contest.compare in names for names in steps):
            loaded.evaluable_contests.append(name)
    return loaded


class _RuleLoader:
    """Loads one rule from data that matches the schema; `path` is its path in the file."""

    def __init__(self, loader: Loader, path: Path, name: str, raw: Mapping[str, Any], shared: SharedParts) -> None:
        self.loader, self.path, self.name, self.raw, self.shared = loader, path, name, raw, shared

    def load(self) -> Rule:
        raw, shared = self.raw, self.shared
        inputs = tuple(self.load_input(name, entry) for name, entry in self.part("inputs").items())
        known = self.inputs_scope(inputs)
        if "until" in raw:
            known = replace(known, values={**known.values, ROUND: NUMBER_TYPE}, dice_free=known.dice_free | {ROUND})
        dice_loader = DiceLoader(self.loader, self.path, self.part("dice"))
        dice = tuple(dice_loader.load_kind(name, entry) for name, entry in self.part("dice").items())
        steps, scope = self.load_steps(replace(known, dice={kind.name: kind for kind in dice}))
        inputs += tuple(find_picks(steps))
        outcomes = tuple(self.load_outcomes(scope))
        aim, wrong_aim = read_aim(raw["aim"], steps, outcomes) if "aim" in raw else (None, "")
        late = find_late_names(inputs, {step.name: step.formula for step in steps})
        for kind in dice:
            dice_loader.check_tests(kind, scope)
        rule = Rule(
            game=shared.folder,
            name=self.name,
            label=raw.get("label", _label_from_name(self.name)),
            span=self.loader.where((*self.path, KEY)),
            inputs=inputs,
            dice=dice,
            rerolls=tuple(AgainLoader(self.loader, self.path, raw, scope).load()),
            steps=steps,
            marks=self.part("marks"),
            outcomes=outcomes,
            rounds=load_rounds(self.loader, self.path, raw, inputs, scope),
            contest=None,  # set when all rules are known
            aim=aim,
            spends=tuple(self.load_spends(inputs)),
            traits=self.load_trait_sum(),
            specialties=self.load_specialties(),
            tables=shared.tables,
            categories=shared.categories,
        )
        fixed = known.without({ROUND: "how many rounds there are is known before the first"})
        self.loader.check_formulas(raw, {BEFORE: scope, RESULT: scope, SPENT: known.without(late), MOST: fixed})
        for path, message in find_name_problems(rule):
            self.report("name", path, message)
        for path, message in find_aim_problems(rule, wrong_aim):
            self.report("aim", path, message)
        self.check_questions(rule, scope)
        if not any(raw.get(part) for part in ("dice", "steps", "outcomes", "contest")):
            self.report("rule", (KEY,), f"the rule {rule.name} says nothing: it has no dice, steps or outcomes")
        return rule

    def part(self, key: str) -> dict[str, Any]:
        part: dict[str, Any] = self.raw.get(key, {})
        return part

    def report(self, code: str, keys: Path, message: str) -> None:
        self.loader.report(code, (*self.path, *keys), message)

    # Inputs

    def load_input(self, name: str, raw: Mapping[str, Any]) -> Input:
        before = len(self.loader.problems)
        path: Path = ("inputs", name)
        entry = Input(
            name=name,
            form=self.load_form(path, name, raw),
            label=raw.get("label", _label_from_name(name)),
            span=self.loader.where((*self.path, *path)),
            least=raw.get("min", 0),
            most=raw.get("max", 0),
            choices=self.load_choices(path, raw),
            dice=tuple(raw.get("die", ())),
            parts=tuple(raw.get("code", ())),
            default=None,
            names=self.load_named_numbers(path, raw),
            open=raw.get("open", False),
            asked=raw.get("asked"),
            goal=raw.get("goal"),
            also=tuple(raw.get("also", ())),
        )
        self.check_limits(path, entry, raw)
        for number, sides in enumerate(entry.dice):
            if sides in entry.dice[:number]:
                self.report("input", (*path, "die", number), f"{sides} appears twice")
        if not entry.label and ("asked" in raw or "default" not in raw):
            message = (
                f'readers do not see {name}, because its label is empty; give it a label, or a default and no "asked"'
            )
            self.report("input", (*path, "label"), message)
        if "asked" in raw and "default" not in raw and entry.form in _FORMS_OF_KEYS["asked"]:
            return replace(entry, default=(*entry.choices, entry.least)[0], is_choice=True)
        if "default" not in raw or len(self.loader.problems) > before:
            return entry
        value, message_text = parse_value(entry, raw["default"])
        if message_text:
            note = self.describe_changing_default(entry, str(raw["default"]))
            self.report("input", (*path, "default"), f"this default does not fit: {message_text}{note}")
        return replace(entry, default=value)

    def describe_changing_default(self, entry: Input, text: str) -> str:
        """How to write a default that depends on other values; empty if the text is not one."""
        known = {*self.raw.get("inputs", ()), *self.raw.get("steps", ())} - {entry.name}
        if entry.form != "number" or known.isdisjoint(re.findall(r"[a-z]\w*", text)):
            return ""
        unset = entry.least - 1
        formula = f"if({entry.name} = {unset}, {text}, {entry.name})"
        return f"; write default = {unset}, min = {unset}, and {formula} in the formulas"

    def load_choices(self, path: Path, raw: Mapping[str, Any]) -> tuple[str, ...]:
        """The words of a choice: a list, or the rows of a table."""
        choice, tables = raw.get("choice", ()), self.shared.tables
        if not isinstance(choice, str):
            return tuple(choice)
        if choice not in tables:
            self.report("input", (*path, "choice"), f'there is no table "{choice}"; {suggest(choice, tables)}')
        elif not tables[choice].rows:
            self.report("input", (*path, "choice"), f"the rows of {choice} have no names to choose from")
        return tuple(tables[choice].rows) if choice in tables else ()

    def load_form(self, path: Path, name: str, raw: Mapping[str, Any]) -> str:
        forms = [form for form in _INPUT_FORMS if form in raw]
        for other in forms[1:]:
            message = f"{name} is a {forms[0]} already; make a second input for the {other}"
            self.report("input", (*path, other, KEY), message)
        if raw.get("flag") is False:
            message = '"flag = true" makes an input a yes or no; for anything else leave it out'
            self.report("input", (*path, "flag"), message)
        form = forms[0] if forms else "number"
        for key, owners in _FORMS_OF_KEYS.items():
            if key in raw and form not in owners:
                message = f'"{key}" is for a {" or a ".join(owners)}, and {name} is a {form}'
                self.report("input", (*path, key, KEY), message)
        return form

    def check_limits(self, path: Path, entry: Input, raw: Mapping[str, Any]) -> None:
        if entry.form not in _FORMS_OF_KEYS["min"]:
            return
        missing = [key for key in ("min", "max") if key not in raw]
        if missing:
            message = f"{entry.name} is a {entry.form} and needs a {' and a '.join(missing)}"
            self.report("input", (*path, KEY), message)
        elif entry.least > entry.most:
            message = f"{entry.name} would go from {entry.least} down to {entry.most}; swap min and max"
            self.report("input", (*path, "max"), message)
        elif entry.form == "code" and entry.least < 0:
            self.report("input", (*path, "min"), "dice cannot be fewer than 0")

    def load_named_numbers(self, path: Path, raw: Mapping[str, Any]) -> Table | None:
        """The table of names for the numbers of an input."""
        if "names" not in raw:
            return None
        name, tables, message = raw["names"], self.shared.tables, ""
        if name not in tables:
            message = f'there is no table "{name}"; {suggest(name, tables)}'
        elif tables[name].ranges:
            words = [cells[0] for _, _, cells in tables[name].ranges]
            repeated = next((word for number, word in enumerate(words) if word in words[:number]), None)
            if not all(isinstance(word, str) for word in words):
                message = f"the first column of {name} holds numbers; names for numbers are needed there"
            elif repeated is not None:
                message = f'"{repeated}" stands for two ranges in the table {name}, so it names no number'
        elif not all(isinstance(cells[0], int) for cells in tables[name].rows.values()):
            message = f"the first column of {name} holds words; numbers are needed there"
        if message:
            self.report("input", (*path, "names"), message)
        return tables.get(name)

    def inputs_scope(self, inputs: tuple[Input, ...]) -> Scope:
        values: dict[str, ValueType] = {}
        for entry in inputs:
            names = (name.lower() for name in entry.variable_names)  # capitals are reported once, at the input
            values |= dict.fromkeys(names, entry.choices if entry.form == "choice" else NUMBER_TYPE)
        codes = {entry.name: f"formulas name its parts: {' and '.join(entry.parts)}" for entry in inputs if entry.parts}
        return Scope(values, frozenset(values) - late_inputs(inputs), tables=self.shared.tables, forbidden=codes)

    def check_questions(self, rule: Rule, scope: Scope) -> None:
        """Check questions: an input may be asked after steps that do not depend on it, and before those that do."""
        needs = find_needs(rule)
        for entry in rule.inputs:
            if isinstance(entry.asked, Formula):
                forbidden = find_dependents(needs, entry.name)
                self.loader.report_formula(entry.asked, check_formula(entry.asked.node, scope.without(forbidden)))

    # Steps and outcomes

    def load_steps(self, scope: Scope) -> tuple[tuple[Step, ...], Scope]:
        """The steps, and the scope of the formulas after them."""
        raw = self.part("steps")
        steps = {name: _read_step(name, entry) for name, entry in raw.items()}
        formulas = {step.name: step.formula for step in steps.values()}
        order = order_formulas({name: formula.node for name, formula in formulas.items()})
        marks = {face.mark for kind in scope.dice.values() for face in kind.faces}
        unknown = (
            {"outcome", *self.part("outcomes")} - scope.values.keys() - formulas.keys() - scope.dice.keys() - marks
        )
        outcomes = dict.fromkeys(unknown, _FOUND_LATER)
        for number, name in enumerate(order):
            formula, later = formulas[name], dict.fromkeys(order[number:], f'it rests on "{name}" itself')
            here = scope.without({**outcomes, **later, name: "a step cannot rest on itself"})
            if is_set(formula.node, here):
                kinds, problems = infer_set(formula.node, here)
                self.loader.report_formula(formula, problems)
                steps[name] = replace(steps[name], is_set=True)
                scope = replace(scope, sets={**scope.sets, name: kinds})
                continue
            result, problems = infer_type(formula.node, here)
            self.loader.report_formula(formula, problems)
            if not needs_dice(formula.node) and collect_names(formula.node) <= scope.dice_free:
                scope = replace(scope, dice_free=scope.dice_free | {name})
            values = {**scope.values, name.lower(): UNKNOWN_TYPE if formula.node is BROKEN_NODE else result}
            scope = replace(scope, values=values)
        return tuple(steps.values()), scope

    def load_outcomes(self, scope: Scope) -> Iterator[Outcome]:
        raw = self.part("outcomes")
        for number, (name, entry) in enumerate(raw.items(), 1):
            path: Path = ("outcomes", name)
            self.check_placeholders(path, entry, scope)
            if "when" not in entry and number < len(raw):
                message = f'"{name}" has no "when", so nothing below it can ever be; move it to the end'
                self.report("outcome", (*path, KEY), message)
            if number == len(raw) and all("when" in other for other in raw.values()):
                message = (
                    f'"{name}" is the last outcome and takes what the others leave; '
                    "leave its `when` out, or add an outcome without one below it"
                )
                self.report("outcome", (*path, "when"), message)
            span, see = self.loader.where((*self.path, *path)), entry.get("see", "")
            link = inner_span(self.loader.where((*self.path, *path, "see")), see, 0, len(see)) if see else span
            yield Outcome(
                name, entry.get("when"), entry.get("degree"), entry.get("says", ""), see, span, link,
                entry.get("label", ""), tuple(entry.get("also", ())),
            )  # fmt: skip

    def check_placeholders(self, keys: Path, raw: Mapping[str, Any], scope: Scope) -> None:
        known = [*scope.values, *(["degree"] if "degree" in raw else [])]
        text, path = raw.get("says", ""), (*self.path, *keys)
        for match in _PLACEHOLDER.finditer(text):
            if match[1] not in known:
                message = f'there is no input or step "{match[1]}" to fill in; {suggest(match[1], known)}'
                span = inner_span(self.loader.where((*path, "says")), text, *match.span())
                self.loader.report("outcome", path, message, span)

    def load_spends(self, inputs: tuple[Input, ...]) -> Iterator[Spend]:
        able = [entry.name for entry in inputs if entry.form in ("number", "flag", "die")]
        for name, raw in self.part("spends").items():
            path = (*self.path, "spends", name)
            highest, changes = tuple(raw.get("highest", ())), raw.get("changes", {})
            for number, kind in enumerate(highest):
                missing = "there is no kind of dice"
                self.loader.check_known("spend", (*path, "highest", number), kind, self.part("dice"), missing)
            if not highest and not changes:
                message = f"{name} changes nothing; write changes = {{ … }} or highest = […]"
                self.loader.report("spend", (*path, KEY), message)
            for changed in changes:
                if changed not in able:
                    note = suggest(changed, able)
                    message = f'there is no input "{changed}" that a formula can change; {note}'
                    self.loader.report("spend", (*path, "changes", changed, KEY), message)
            label, point = raw.get("label", name.capitalize()), raw.get("point", name)
            span, traits = self.loader.where((*path, KEY)), tuple(raw.get("traits", ()))
            yield Spend(name, label, point, changes, highest, raw.get("most"), traits, span)

    # Traits

    def load_trait_sum(self) -> TraitSum | None:
        raw = self.part("traits")
        if not raw:
            return None
        for number, name in enumerate(raw.get("one_of", ())):
            path = (*self.path, "traits", "one_of", number)
            self.loader.check_known("trait", path, name, self.shared.categories, "there are no traits")
        into = (raw["into"],) if isinstance(raw["into"], str) else tuple(raw["into"])
        return TraitSum(into, raw.get("most"), tuple(raw.get("one_of", ())))

    def load_specialties(self) -> SpecialtyRules | None:
        return SpecialtyRules(**raw) if (raw := self.part("specialties")) else None


def _read_step(name: str, raw: Formula | Mapping[str, Any]) -> Step:
    """A step: a formula, or a table with the formula and what readers call its value."""
    if isinstance(raw, Formula):
        return Step(name, raw)
    return Step(name, raw["is"], raw.get("label"), tuple(raw.get("also", ())), goal=raw.get("goal"))


def _label_from_name(name: str) -> str:
    return name.replace("_", " ").capitalize()
