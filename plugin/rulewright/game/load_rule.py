"""Loads the rules of a game: inputs, dice, rerolls, steps, outcomes, spends and contests.

The schema assigns a scope to each formula; this module determines the names in each scope."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..source import suggest
from .formula import DICE, names_in, walk
from .game_schema import BARRED, BEFORE, BETWEEN_DICE, JUDGE, NAME, REROLLED, REROLLS, RESULT, RULES, TAKEN, THROW
from .inputs import read_value, unsettled
from .model import (
    Again,
    Category,
    Contest,
    Explode,
    Formula,
    Input,
    Keep,
    Kind,
    Outcome,
    Reroll,
    Rule,
    Specialties,
    Spend,
    Step,
    Sum,
    Table,
)
from .schema import BROKEN, KEY, Loader, formulas
from .scope import NUMBER, UNKNOWN, Complaint, Scope, Worth, check, is_constant, not_about_die, worth
from .toml import Path, inner

FORMS = ("flag", "choice", "die", "code")
BELONGS = {  # keys that only some forms of input know
    "min": ("number", "code"), "max": ("number", "code"), "names": ("number",), "open": ("number",),
    "asked": ("flag", "choice"),
}  # fmt: skip
FACES = re.compile(r"[-+−]?\d+([+]\d+)*")
FILLED = re.compile(r"\{([^{}]*)\}")
OF_A_CONTEST = ("label", "contest", "policies")
LATE = "it is only asked when the dice lie on the table"
NO_STEPS = "dice are thrown before the steps are worked out, so they may name inputs only"
MOVING = "it depends on dice, and these still may change"


@dataclass
class Rules:
    """The rules of a game; `sound` rules and `contests` have no problems and can be evaluated."""

    rules: dict[str, Rule] = field(default_factory=dict)
    sound: list[str] = field(default_factory=list)
    contests: list[str] = field(default_factory=list)


class Shared(NamedTuple):
    """What all rules of a game share."""

    folder: str
    tables: Mapping[str, Table]
    register: Mapping[str, Category]


def load_rules(loader: Loader, raw: Mapping[str, Any], shared: Shared) -> Rules:
    loaded = Rules()
    entries = RULES.entries(raw, ("rules",), loader)
    before = len(loader.problems)
    for name, path, data in entries:
        loaded.rules[name] = RuleLoader(loader, path, name, data, shared).rule()
        if len(loader.problems) == before:
            loaded.sound.append(name)
        before = len(loader.problems)
    sound = not loader.problems
    plain = {name: rule for name, rule in loaded.rules.items() if "contest" not in raw[name]}
    for name in [name for name in raw if name not in plain]:
        contest = load_contest(loader, ("rules", name), raw[name], plain)
        loaded.rules[name] = replace(loaded.rules[name], contest=contest)
        steps = [[step.name for step in side.steps] for side in contest.of]
        if sound and len(steps) == 2 and all(contest.compare in names for names in steps):
            loaded.contests.append(name)
    return loaded


def load_contest(loader: Loader, path: Path, data: Mapping[str, Any], plain: Mapping[str, Rule]) -> Contest:
    """Load a contest; its sides are two of the `plain` rules."""
    raw = data["contest"]
    for part in data:
        if part not in OF_A_CONTEST:
            message = f"a contest has no {part} of its own; they are those of the rule that both sides roll"
            loader.problem("contest", (*path, part), message)
    names = [raw["of"]] * 2 if isinstance(raw["of"], str) else raw["of"]
    for number, name in enumerate(dict.fromkeys(names)):
        if name not in plain:
            place = (*path, "contest", "of", *(() if isinstance(raw["of"], str) else (number,)))
            loader.problem("contest", place, f"there is no rule «{name}» to roll; {suggest(name, plain)}")
            continue
        steps = [step.name for step in plain[name].steps]
        missing = f"the rule {name} has no step"
        loader.known("contest", (*path, "contest", "compare"), raw["compare"], steps, missing)
    return Contest(tuple(plain[name] for name in names if name in plain), raw["compare"], raw["ties"])


def test_complaints(formula: Formula, scope: Scope, kind: Kind, unknown: Mapping[str, str]) -> list[Complaint]:
    """Check a test over dice in a scope where the `unknown` words have no value yet."""
    return check(formula.node, scope.inside_test(kind).without(unknown))


class RuleLoader:
    """Loads one rule from data that matches the schema; `path` is its path in the file."""

    def __init__(self, loader: Loader, path: Path, name: str, raw: Mapping[str, Any], shared: Shared) -> None:
        self.loader, self.path, self.name, self.raw, self.shared = loader, path, name, raw, shared

    def rule(self) -> Rule:
        raw, shared = self.raw, self.shared
        inputs = tuple(self.input(name, entry) for name, entry in self.part("inputs").items())
        known = self.inputs_scope(inputs)
        late = dict.fromkeys(unsettled(inputs), LATE)
        before = known.without(late).without(dict.fromkeys(self.part("steps"), NO_STEPS))
        dice = tuple(self.kind(name, entry, before) for name, entry in self.part("dice").items())
        steps, scope = self.steps(replace(known, dice={kind.name: kind for kind in dice}))
        rule = Rule(
            shared.folder, self.name, raw.get("label", titled(self.name)), self.loader.where((*self.path, KEY)),
            inputs, dice, tuple(self.rerolls(scope)), steps, self.part("marks"), tuple(self.outcomes(scope)), None,
            tuple(raw.get("policies", ())), tuple(self.spends(inputs)), self.sum(), self.specialties(),
            shared.tables, shared.register,
        )  # fmt: skip
        self.loader.check(raw, {BEFORE: before, RESULT: scope})
        self.names(rule)
        self.questions(rule, scope)
        if not any(raw.get(part) for part in ("dice", "steps", "outcomes", "contest")):
            self.problem("rule", (KEY,), f"the rule {rule.name} says nothing: it has no dice, steps or outcomes")
        return rule

    def part(self, key: str) -> dict[str, Any]:
        part: dict[str, Any] = self.raw.get(key, {})
        return part

    def problem(self, code: str, keys: Path, message: str) -> None:
        self.loader.problem(code, (*self.path, *keys), message)

    # Inputs

    def input(self, name: str, raw: Mapping[str, Any]) -> Input:
        before = len(self.loader.problems)
        place: Path = ("inputs", name)
        entry = Input(
            name, self.form(place, name, raw), raw.get("label", titled(name)), self.loader.where((*self.path, *place)),
            raw.get("min", 0), raw.get("max", 0), tuple(raw.get("choice", ())), tuple(raw.get("die", ())),
            tuple(raw.get("code", ())), None, self.named_numbers(place, raw), raw.get("open", False), raw.get("asked"),
        )  # fmt: skip
        self.limits(place, entry, raw)
        for number, sides in enumerate(entry.dice):
            if sides in entry.dice[:number]:
                self.problem("input", (*place, "die", number), f"{sides} stands here twice")
        if "asked" in raw and "default" not in raw and entry.form in BELONGS["asked"]:
            message = f"{name} is asked only at times, so it needs a default for all others"
            self.problem("input", (*place, "asked", KEY), message)
        if "default" not in raw or len(self.loader.problems) > before:
            return entry
        value, complaint = read_value(entry, raw["default"])
        if complaint:
            self.problem("input", (*place, "default"), f"this default does not fit: {complaint}")
        return replace(entry, default=value)

    def form(self, place: Path, name: str, raw: Mapping[str, Any]) -> str:
        forms = [form for form in FORMS if form in raw]
        for other in forms[1:]:
            message = f"{name} is a {forms[0]} already; make a second input for the {other}"
            self.problem("input", (*place, other, KEY), message)
        if raw.get("flag") is False:
            message = "«flag = true» makes an input a yes or no; for anything else leave it out"
            self.problem("input", (*place, "flag"), message)
        form = forms[0] if forms else "number"
        for key, owners in BELONGS.items():
            if key in raw and form not in owners:
                message = f"«{key}» is for a {' or a '.join(owners)}, and {name} is a {form}"
                self.problem("input", (*place, key, KEY), message)
        return form

    def limits(self, place: Path, entry: Input, raw: Mapping[str, Any]) -> None:
        if entry.form not in BELONGS["min"]:
            return
        missing = [key for key in ("min", "max") if key not in raw]
        if missing:
            message = f"{entry.name} is a {entry.form} and needs a {' and a '.join(missing)}"
            self.problem("input", (*place, KEY), message)
        elif entry.least > entry.most:
            message = f"{entry.name} would go from {entry.least} down to {entry.most}; swap min and max"
            self.problem("input", (*place, "max"), message)
        elif entry.form == "code" and entry.least < 0:
            self.problem("input", (*place, "min"), "dice cannot be fewer than 0")

    def named_numbers(self, place: Path, raw: Mapping[str, Any]) -> Table | None:
        """The table of names for the numbers of an input."""
        if "names" not in raw:
            return None
        name, tables, message = raw["names"], self.shared.tables, ""
        if name not in tables:
            message = f"there is no table «{name}»; {suggest(name, tables)}"
        elif tables[name].ranges:
            words = [cells[0] for _, _, cells in tables[name].ranges]
            again = next((word for number, word in enumerate(words) if word in words[:number]), None)
            if not all(isinstance(word, str) for word in words):
                message = f"the first column of {name} holds numbers; names for numbers are needed there"
            elif again is not None:
                message = f"«{again}» stands for two ranges in the table {name}, so it names no number"
        elif not all(isinstance(cells[0], int) for cells in tables[name].rows.values()):
            message = f"the first column of {name} holds words; numbers are needed there"
        if message:
            self.problem("input", (*place, "names"), message)
        return tables.get(name)

    def inputs_scope(self, inputs: tuple[Input, ...]) -> Scope:
        values: dict[str, Worth] = {}
        for entry in inputs:
            names = (name.lower() for name in entry.variables)  # capitals are reported once, at the input
            values |= dict.fromkeys(names, entry.choices if entry.form == "choice" else NUMBER)
        codes = {entry.name: f"formulas name its parts: {' and '.join(entry.parts)}" for entry in inputs if entry.parts}
        return Scope(values, frozenset(values) - unsettled(inputs), tables=self.shared.tables, barred=codes)

    def questions(self, rule: Rule, scope: Scope) -> None:
        """Check questions: an input may be asked after steps that do not depend on it, and before those that do."""
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
            self.loader.complaints(entry.asked, check(entry.asked.node, scope.without(barred)))
            named = names_in(entry.asked.node) - set(tied)
            steps = [step.name for step in rule.steps]
            late = [name for name in steps[steps.index(tied[1]) :] if name in named] if len(tied) > 1 else []
            if late:
                message = f"{entry.name} is asked when {late[-1]} is known, and {tied[1]} needs the answer"
                message += f"; move {late[-1]} above {tied[1]}"
                self.problem("name", ("steps", late[-1], KEY), message)

    # Dice

    def kind(self, name: str, raw: Mapping[str, Any], before: Scope) -> Kind:
        place: Path = ("dice", name)
        self.sides(place, name, raw)
        again, explode, keep = raw.get("again"), raw.get("explode"), raw.get("keep", {})
        if again:
            missing = "there is no kind of dice"
            self.loader.known("dice", (*self.path, *place, "again", "roll"), again["roll"], self.part("dice"), missing)
        if isinstance(explode, Formula):
            explode = {"when": explode, "optional": self.loader.formula((*self.path, *place, "explode"), 0, THROW)}
        if "keep" in raw and len(keep) != 1:
            message = "keep = { highest = … } or keep = { lowest = … }, one of the two"
            self.problem("dice", (*place, "keep"), message)
        kind = Kind(
            name, raw["count"], raw.get("sides"), tuple(raw.get("faces", {}).items()),
            self.loader.where((*self.path, *place)), raw.get("good"), raw.get("bad"),
            Again(**again) if again else None, Explode(**explode) if explode else None,
            next((Keep(which == "highest", number) for which, number in keep.items()), None),
        )  # fmt: skip
        causes = [entry["when"] for entry in (again, explode) if entry]
        for formula in formulas(raw):
            if formula.scope in (JUDGE, THROW):
                complaints = test_complaints(formula, before, kind, BARRED[formula.scope])
                if formula.scope == JUDGE or formula in causes:
                    complaints = complaints or blind_test(formula)
                self.loader.complaints(formula, complaints)
        return kind

    def sides(self, place: Path, name: str, raw: Mapping[str, Any]) -> None:
        """Check the sides and faces of a kind; its names must not be ambiguous in a record of dice."""
        marks = {mark.lower() for kind in self.part("dice").values() for mark in kind.get("faces", {})}
        if FACES.fullmatch(name) or name.lower() in marks:
            message = f"«{name}» cannot name a kind of dice: in a row of dice it would be a face"
            self.problem("name", (*place, KEY), message)
        if "sides" not in raw and "faces" not in raw:
            self.problem("dice", (*place, KEY), f"the {name} dice need sides or faces, such as sides = 6")
        if "sides" in raw and "faces" in raw:
            message = f"the {name} dice have sides and faces; one of the two says it all"
            self.problem("dice", (*place, "faces", KEY), message)
        if "faces" in raw and not raw["faces"]:
            self.problem("dice", (*place, "faces"), "a die needs at least one face")
        if "keep" in raw and "again" in raw:
            self.problem("dice", (*place, "keep", KEY), "dice that earn more dice cannot be kept or dropped")
        faces = [(mark, (*self.path, *place, "faces", mark, KEY)) for mark in raw.get("faces", {})]
        self.loader.labels(faces, "a face", " " + BETWEEN_DICE + ("+" if "explode" in raw else ""))

    def rerolls(self, scope: Scope) -> Iterator[Reroll]:
        raw = self.raw.get("reroll", [])
        moving = dict.fromkeys(scope.values.keys() - scope.fixed, MOVING)
        resting = replace(scope.without(moving), dice={})
        for number, entry in enumerate([raw] if isinstance(raw, dict) else raw):
            place: Path = ("reroll",) if isinstance(raw, dict) else ("reroll", number)
            if not scope.dice:
                self.problem("dice", place, "this rule has no dice that could be thrown anew")
                continue
            among = tuple(entry.get("among", scope.dice))
            for at, name in enumerate(among):
                where: Path = (*place, "among", at)
                self.loader.known("dice", (*self.path, *where), name, scope.dice, "there is no kind of dice")
                if name in scope.dice and name in among[:at]:
                    self.problem("dice", where, f"«{name}» stands here twice")
            if entry["pick"] == "all" and "when" not in entry:
                message = 'pick = "all" needs a «when»: the faces that are thrown anew'
                self.problem("dice", (*place, "pick"), message)
            if entry["pick"] != "all" and "when" in entry:
                message = '«when» belongs to pick = "all"; here «pick» says which die'
                self.problem("dice", (*place, "when", KEY), message)
            self.loader.check(entry, {REROLLS: resting})
            kind = next((scope.dice[name] for name in among if name in scope.dice), None)
            if kind and "when" in entry:
                complaints = test_complaints(entry["when"], scope, kind, BARRED[REROLLED])
                self.loader.complaints(entry["when"], complaints or blind_test(entry["when"]))
            yield Reroll(entry["times"], among, entry["pick"], entry["keep"], entry.get("when"))

    # Steps and outcomes

    def steps(self, scope: Scope) -> tuple[tuple[Step, ...], Scope]:
        """The steps, and the scope of the formulas after them."""
        raw: dict[str, Formula] = self.part("steps")
        for number, (name, formula) in enumerate(raw.items(), 1):
            scope = replace(scope, later=frozenset(list(raw)[number:]))
            result, complaints = worth(formula.node, scope.without({name: "a step cannot rest on itself"}))
            self.loader.complaints(formula, complaints)
            if not any(node.op in DICE for node in walk(formula.node)) and names_in(formula.node) <= scope.fixed:
                scope = replace(scope, fixed=scope.fixed | {name})
            values = {**scope.values, name.lower(): UNKNOWN if formula.node is BROKEN else result}
            scope = replace(scope, values=values)
        return tuple(Step(name, formula) for name, formula in raw.items()), replace(scope, later=frozenset())

    def outcomes(self, scope: Scope) -> Iterator[Outcome]:
        raw = self.part("outcomes")
        for number, (name, entry) in enumerate(raw.items(), 1):
            place: Path = ("outcomes", name)
            self.says(place, entry, scope)
            if "when" not in entry and number < len(raw):
                message = f"«{name}» has no «when», so nothing below it can ever be; move it to the end"
                self.problem("outcome", (*place, KEY), message)
            if number == len(raw) and all("when" in other for other in raw.values()):
                message = f"«{name}» is the last outcome and takes what the others leave; leave its «when» out"
                self.problem("outcome", (*place, "when"), message)
            where, see = self.loader.where((*self.path, *place)), entry.get("see", "")
            link = inner(self.loader.where((*self.path, *place, "see")), see, 0, len(see)) if see else where
            yield Outcome(name, entry.get("when"), entry.get("degree"), entry.get("says", ""), see, where, link)

    def says(self, place: Path, raw: Mapping[str, Any], scope: Scope) -> None:
        known = [*scope.values, *(["degree"] if "degree" in raw else [])]
        text, path = raw.get("says", ""), (*self.path, *place)
        for match in FILLED.finditer(text):
            if match[1] not in known:
                message = f"there is no input or step «{match[1]}» to fill in; {suggest(match[1], known)}"
                span = inner(self.loader.where((*path, "says")), text, *match.span())
                self.loader.problem("outcome", path, message, span)

    def spends(self, inputs: tuple[Input, ...]) -> Iterator[Spend]:
        able = [entry.name for entry in inputs if entry.form in ("number", "flag", "die")]
        for name, raw in self.part("spends").items():
            path = (*self.path, "spends", name)
            highest, changes = tuple(raw.get("highest", ())), raw.get("changes", {})
            for number, kind in enumerate(highest):
                missing = "there is no kind of dice"
                self.loader.known("spend", (*path, "highest", number), kind, self.part("dice"), missing)
            if not highest and not changes:
                message = f"{name} changes nothing; write changes = {{ … }} or highest = […]"
                self.loader.problem("spend", (*path, KEY), message)
            for changed in changes:
                if changed not in able:
                    note = suggest(changed, able)
                    message = f"there is no input «{changed}» that a formula can change; {note}"
                    self.loader.problem("spend", (*path, "changes", changed, KEY), message)
            label, point = raw.get("label", name.capitalize()), raw.get("point", name)
            where, traits = self.loader.where((*path, KEY)), tuple(raw.get("traits", ()))
            yield Spend(name, label, point, changes, highest, raw.get("most"), traits, where)

    # Traits

    def sum(self) -> Sum | None:
        raw = self.part("traits")
        if not raw:
            return None
        for number, name in enumerate(raw.get("one_of", ())):
            path = (*self.path, "traits", "one_of", number)
            self.loader.known("trait", path, name, self.shared.register, "there are no traits")
        into = (raw["into"],) if isinstance(raw["into"], str) else tuple(raw["into"])
        return Sum(into, raw.get("most"), tuple(raw.get("one_of", ())))

    def specialties(self) -> Specialties | None:
        return Specialties(**raw) if (raw := self.part("specialties")) else None

    # Names

    def names(self, rule: Rule) -> None:
        """Check that names are unique in the rule and not reserved, and that traits go into existing inputs."""
        taken: dict[str, str] = {}
        for what, name, place in named(rule):
            twice = f"«{name}» already names {taken[name]} of this rule" if name in taken else ""
            if message := unfit(what, name) or twice:
                self.problem("name", place, message)
            taken.setdefault(name, what)
        for outcome in rule.outcomes:
            if outcome.name in taken:
                message = f"«{outcome.name}» already names {taken[outcome.name]} of this rule"
                self.problem("name", ("outcomes", outcome.name, KEY), message)
        forms = {entry.name: entry.form for entry in rule.inputs}
        for place, name, allowed in aims(rule):
            if name not in forms:
                able = [known for known in forms if forms[known] in allowed]
                self.problem("name", place, f"there is no input «{name}»; {suggest(name, able)}")
            elif forms[name] not in allowed:
                message = f"«{name}» is a {forms[name]}; this goes into a {' or a '.join(allowed)}"
                self.problem("name", place, message)


def blind_test(formula: Formula) -> list[Complaint]:
    """Report a test that does not refer to the die, unless that is intended.

    `true` and `false` are intended. Whether dice explode, earn others or are rerolled may depend on an input
    alone; which faces are good or bad may not."""
    complaint = None if formula.node is BROKEN else not_about_die(formula.node)
    meant = formula.span.text in ("true", "false") or not (formula.scope == JUDGE or is_constant(formula.node))
    return [complaint] if complaint and not meant else []


def titled(name: str) -> str:
    return name.replace("_", " ").capitalize()


def named(rule: Rule) -> Iterator[tuple[str, str, Path]]:
    """The inputs and steps that formulas can name: what each is, its name, and its path in the rule."""
    for entry in rule.inputs:
        yield "an input", entry.name, ("inputs", entry.name, KEY)
        for number, part in enumerate(entry.parts):
            yield "an input", part, ("inputs", entry.name, "code", number)
    for step in rule.steps:
        yield "a step", step.name, ("steps", step.name, KEY)


def unfit(what: str, name: str) -> str:
    if name in TAKEN:
        return f"«{name}» has a meaning of its own and cannot name {what}; choose another name"
    if NAME.fullmatch(name):
        return ""
    better = re.sub(r"[ -]+", "_", name.lower())
    note = f"; write {better}" if NAME.fullmatch(better) and better not in TAKEN else ""
    return f"«{name}» cannot name {what}: only a to z, digits and _, with a letter first{note}"


def aims(rule: Rule) -> Iterator[tuple[Path, str, tuple[str, ...]]]:
    """The inputs that traits and specialties go into: path, name and allowed forms."""
    for number, name in enumerate(rule.traits.into if rule.traits else ()):
        yield ("traits", "into", number), name, ("number", "die", "code")
    if special := rule.specialties:
        yield ("specialties", "into"), special.into, ("flag",)
        if special.unused_adds:
            yield ("specialties", "unused_adds"), special.unused_adds, ("number",)
