"""Loads rules that use rules: inputs, dice and steps of a rule that is rolled become parts of the rule that rolls it.

A roll `attack` of a rule with the step `level` brings `attack.level`, its dice `attack.d100`, and what is known of its
result: `attack.outcome` and `attack.degree`. So a rule with rolls is one rule with all its dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ..source import suggest
from .aims import TAKING, write_goal
from .core import CoreTable
from .formula import DICE_FUNCTIONS, SET_OPERATIONS, Node, collect_names, walk
from .formula_lexer import FormulaError
from .formula_parser import parse_formula
from .intervals import Interval
from .model import Formula, Roll
from .result_sets import ResultSetError, ResultSets, find_roll
from .roll_bounds import find_bounds
from .schema import BROKEN_NODE, KEY, Loader
from .toml import Path, inner_span

_MOST_TIMES = 20
_NEVER = Node("number", (0,))
_UNUSABLE = {"contest": "a contest", "until": "rolled again and again"}
RawRule = Mapping[str, Any]  # a rule as written, with its formulas parsed
_Waiting = tuple[str, Path, RawRule, bool]


@dataclass
class _RollReader:
    """Reads one roll of a rule; `copies` are the prefixes of its parts, one for each time."""

    loader: Loader
    path: Path
    name: str
    raw: Mapping[str, Any]
    owner: RawRule
    used: RawRule
    tables: Mapping[str, CoreTable]
    copies: tuple[str, ...] = ()
    times: Formula | None = None
    helpers: dict[str, Any] = field(default_factory=dict)  # steps for functions over all results
    functions: dict[str, Node] = field(default_factory=dict)  # these functions, for readers

    def read(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[Any]]:
        """The inputs, kinds of dice, steps and entries of `again` that this roll brings."""
        self.find_copies()
        inputs, dice, steps, again = dict[str, Any](), dict[str, Any](), dict[str, Any](), list[Any]()
        for name, entry in self.used.get("inputs", {}).items():
            if name not in self.raw.get("with", {}) and name not in self.owner.get("inputs", {}):
                parts = {"code": [f"{self.name}.{part}" for part in entry["code"]]} if "code" in entry else {}
                if "asked" not in entry:
                    inputs[f"{self.name}.{name}"] = {**entry, **parts, "label": self.label_of(self.name, name, entry)}
        for number, prefix in enumerate(self.copies, 1):
            one = _Copy(self, prefix, self.condition(number))
            inputs |= one.questions()
            again += one.again()
            dice |= one.dice()
            steps |= one.steps()
        return inputs, dice, steps, again

    def label_of(self, prefix: str, name: str, entry: Mapping[str, Any]) -> str:
        own = entry.get("label", name.replace("_", " ").capitalize())
        return f"{prefix.replace('_', ' ').capitalize()}: {own}" if own else ""

    @cached_property
    def questions(self) -> dict[str, Mapping[str, Any]]:
        """The questions of the used rule that nothing in the rule that rolls it answers."""
        answered = {*self.raw.get("with", {}), *self.owner.get("inputs", {})}
        inputs = self.used.get("inputs", {}).items()
        return {name: entry for name, entry in inputs if "asked" in entry and name not in answered}

    def find_copies(self) -> None:
        times = self.raw.get("times")
        if times is None:
            self.copies = (self.name,)
            return
        found = find_bounds(self.owner, times)
        if not isinstance(found, Interval) or found.high > _MOST_TIMES:
            repair = f"write min({times.text}, {_MOST_TIMES})" if times.node.op != "number" else "write fewer"
            message = f"a rule is rolled at most {_MOST_TIMES} times, and this has no such limit; {repair}"
            self.loader.report("roll", (*self.path, "times"), message)
            self.copies = (f"{self.name}_1",)
            return
        self.copies = tuple(f"{self.name}_{number}" for number in range(1, int(found.high) + 1))
        self.times = None if found.is_exact else times

    def condition(self, number: int) -> str:
        """When the roll is made this time; empty if always."""
        when = self.raw.get("when")
        parts = [f"({when.text})"] if when is not None else []
        parts += [f"({self.times.text}) >= {number}"] if self.times else []
        return " and ".join(parts)

    def is_word(self, node: Node) -> bool:
        """Whether a formula of the used rule gives a word."""
        if node.op == "if":
            return self.is_word(node.args[1])
        if node.op == "lookup":
            table, column = self.tables.get(node.args[0]), node.args[2]
            number = 0 if table is None or column not in table.columns else table.columns.index(column)
            return table is not None and not any(isinstance(cells[number], int) for cells in table.cells)
        if node.op == "name":
            step = self.used.get("steps", {}).get(node.args[0])
            choice = "choice" in self.used.get("inputs", {}).get(node.args[0], {})
            return choice or (step is not None and self.is_word(_step_formula(step).node))
        return node.op == "word"

    def names(self, prefix: str) -> dict[str, str]:
        """What the names of the used rule mean in the rule that rolls it."""
        named: dict[str, str] = {}
        for name, entry in self.used.get("inputs", {}).items():
            own = name in self.owner.get("inputs", {}) and name not in self.raw.get("with", {})
            is_each = name in self.raw.get("with", {}) or name in self.questions
            place = "" if own else f"{prefix}." if is_each else f"{self.name}."
            named |= {part: f"{place}{part}" for part in entry.get("code", [name])}
        named |= {name: f"{prefix}.{name}" for name in self.used.get("steps", {})}
        return named | {name: f"{prefix}.{name}" for name in ("outcome", "degree")}

    # Functions over all results

    def function_name(self, node: Node, text: str) -> str | None:
        """The step that stands for a function over all results, such as `highest(ability: total)`."""
        body, unknown = node.args[1], [] if node.args[1] is None else sorted(collect_names(node.args[1]))
        if body is None and node.op != "count":
            return None
        names = self.names("")
        if not set(unknown) <= names.keys() | self.owner.get("inputs", {}).keys():
            return None
        step = f"{self.name}.{node.op}_{len(self.helpers) + 1}"
        values = ["1" if body is None else f"({_write(body, self.names(prefix), text)})" for prefix in self.copies]
        formula = self.raw["rule_formula"]
        self.helpers[step] = {"is": _parse(self.combine(node.op, values), formula), "label": ""}
        self.functions[step] = _rename(node, self.names(self.copies[0]) if self.copies else {})
        return step

    def set_function(self, node: Node, text: str) -> str:
        """The step that stands for a function over some results, such as `sum(highest 3 of stat by total: total)`."""
        known = self.names("").keys() | self.owner.get("inputs", {}).keys() | self.owner.get("steps", {}).keys()
        for part in walk(node):
            if part.op == "name" and part.args[0] not in known:
                raise ResultSetError(
                    f"there is no step «{part.args[0]}» of {self.name}; {suggest(part.args[0], known)}", part
                )

        def write(part: Node, number: int) -> str:
            return _write(part, self.names(self.copies[number]) if number >= 0 else {}, text)

        step = f"{self.name}.{node.op}_{len(self.helpers) + 1}"
        guards = [self.condition(number) for number in range(1, len(self.copies) + 1)]
        sets = ResultSets(step, guards, write)
        whole = sets.function(node.op, *node.args)
        hidden = {**sets.steps, step: whole}.items()
        self.helpers |= {name: {"is": _parse(own, self.raw["rule_formula"]), "label": ""} for name, own in hidden}
        self.functions[step] = _rename(node, self.names(self.copies[0]) if self.copies else {})
        return step

    def combine(self, op: str, values: list[str]) -> str:
        """The text of a function over these values, as far as they are rolled."""
        guards = [self.condition(number) for number in range(1, len(values) + 1)]
        if op in ("sum", "count"):
            parts = [
                f"if({guard}, {value}, 0)" if guard else f"({value})"
                for guard, value in zip(guards, values, strict=True)
            ]
            return " + ".join(parts) or "0"
        text, function = "0", {"highest": "max", "lowest": "min"}[op]
        for number, guard in enumerate(guards, 1):
            here = f"{function}({', '.join(values[:number])})" if number > 1 else values[0]
            text = f"if({guard}, {here}, {text})" if guard else here
        return text


@dataclass
class _Copy:
    """The parts of the used rule, renamed for one time that it is rolled."""

    reader: _RollReader
    prefix: str
    condition: str

    @cached_property
    def names(self) -> dict[str, str]:
        return self.reader.names(self.prefix)

    def rename(self, formula: Formula, guard: str = "") -> Formula:
        text = _write(formula.node, self.names, formula.text, self.kinds)
        return _parse(guard.format(text) if guard else text, formula)

    @cached_property
    def kinds(self) -> dict[str, str]:
        return {name: f"{self.prefix}.{name}" for name in self.reader.used.get("dice", {})}

    def rename_all(self, data: Any) -> Any:
        if isinstance(data, Formula):
            return self.rename(data)
        if isinstance(data, dict):
            return {key: self.rename_all(part) for key, part in data.items()}
        return [self.rename_all(part) for part in data] if isinstance(data, list) else data

    def dice(self) -> dict[str, Any]:
        return {self.kinds[name]: self.kind(name, raw) for name, raw in self.reader.used.get("dice", {}).items()}

    def kind(self, name: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        renamed: dict[str, Any] = self.rename_all(raw)
        own, is_only = raw.get("label", name), len(self.reader.used.get("dice", {})) == 1
        renamed["label"] = self.prefix.replace("_", " ") + ("" if is_only else f" {own}")
        if isinstance(raw.get("deck"), str):
            renamed["deck"] = self.kinds.get(raw["deck"], raw["deck"])
        if any(entry["optional"].node != _NEVER for entry in _list(raw.get("again", []))):
            renamed.setdefault("taken", self.reader.used.get("aim", "").lower().strip() != TAKING[1])
        for entry in _list(renamed.get("again", [])):
            entry["roll"] = self.kinds.get(entry["roll"], entry["roll"])
        if self.condition and raw["count"].node != _NEVER:  # dice that are only earned are so
            renamed["count"] = self.rename(raw["count"], self.guard("0"))
        return renamed

    def guard(self, none: str) -> str:
        condition = self.condition.replace("{", "{{").replace("}", "}}")
        return f"if({condition}, {{}}, {none})" if condition else ""

    def questions(self) -> dict[str, Any]:
        """The questions of the used rule, with what each choice is made for."""
        found, asked = dict[str, Any](), self.reader.questions
        goal = self.goal
        for name, entry in asked.items():
            own = {**entry, "label": self.reader.label_of(self.prefix, name, entry)}
            own["asked"] = self.rename(entry["asked"], self.guard("0"))
            if "goal" in entry:  # of a rule that the used rule rolls
                own["goal"] = self.rename(entry["goal"], self.guard("0"))
            elif "default" not in entry and goal:
                own["goal"] = _parse(goal, entry["asked"])
            found[f"{self.prefix}.{name}"] = own
        return found

    @cached_property
    def goal(self) -> str:
        """What choices of the used rule are made for; empty if it has no aim."""
        asked = self.reader.questions.items()
        choices = [f"{self.prefix}.{name}" for name, entry in asked if "default" not in entry]
        return write_goal(self.reader.used.get("aim", ""), self.prefix, choices)

    def again(self) -> Iterator[dict[str, Any]]:
        """The entries of `again` of the used rule, for its own dice."""
        used = self.reader.used
        for raw in (*used.get("again of rolls", ()), *_list(used.get("again", []))):
            own: dict[str, Any] = self.rename_all(raw)
            names = _list(raw.get("of") or self.own_kinds)
            own["roll"] = self.kinds.get(raw["roll"], raw["roll"])
            own["of"] = [self.kinds.get(name) or self.names.get(name, name) for name in names]
            is_choice = raw.get("pick") in ("any", "some") or raw.get("keep") == "better"
            if "goal" not in raw and self.goal and is_choice:
                own["goal"] = _parse(self.goal, raw["times"])
            yield own

    @cached_property
    def own_kinds(self) -> list[str]:
        """The kinds that an entry of `again` is about that names none: those of the rule that are not only earned."""
        kinds: Mapping[str, Any] = self.reader.used.get("dice", {})
        own = [name for name in kinds if "." not in name] or [*kinds]
        return [name for name in own if kinds[name]["count"].node != _NEVER] or own

    def steps(self) -> dict[str, Any]:
        steps: dict[str, Any] = {}
        for name, formula in self.reader.raw.get("with", {}).items():
            steps[f"{self.prefix}.{name}"] = {"is": formula, "label": ""}
        for name, raw in self.reader.used.get("steps", {}).items():
            given = raw if isinstance(raw, Mapping) else {"is": raw}
            label = given.get("label", name.replace("_", " "))
            none = "'none'" if self.reader.is_word(given["is"].node) else "0"
            shown = f"{self.prefix.replace('_', ' ')}: {label}" if label else ""
            is_set = given["is"].node.op in SET_OPERATIONS  # without dice it is empty
            own = {"is": self.rename(given["is"], "" if is_set else self.guard(none)), "label": shown}
            if given["is"].node.op == "any_of" and (goal := given.get("goal") or self.goal):
                own["goal"] = _parse(goal, given["is"]) if isinstance(goal, str) else self.rename(goal)
            steps[f"{self.prefix}.{name}"] = own
        return steps | self.result()

    def result(self) -> dict[str, Any]:
        """The outcome as a word, and its degree."""
        outcomes = self.reader.used.get("outcomes", {})
        if not outcomes or any("'" in name for name in outcomes):
            return {}
        last = next(reversed(outcomes))
        formula = self.reader.raw["rule_formula"]
        word, degree = f"'{last}'", self.degree_text(outcomes[last])
        for name, raw in list(reversed(outcomes.items()))[1:]:
            when = _write(raw["when"].node, self.names, raw["when"].text, self.kinds)
            word, degree = f"if({when}, '{name}', {word})", f"if({when}, {self.degree_text(raw)}, {degree})"
        found = {"outcome": (word, self.guard("'none'"))}
        if any("degree" in raw for raw in outcomes.values()):
            found["degree"] = (degree, self.guard("0"))
        return {
            f"{self.prefix}.{key}": {"is": _parse(guard.format(text) if guard else text, formula), "label": ""}
            for key, (text, guard) in found.items()
        }

    def degree_text(self, raw: Mapping[str, Any]) -> str:
        formula = raw.get("degree")
        return _write(formula.node, self.names, formula.text, self.kinds) if formula else "0"


def expand_rolls(
    loader: Loader, path: Path, raw: RawRule, rules: Mapping[str, RawRule], tables: Mapping[str, CoreTable]
) -> tuple[RawRule, tuple[Roll, ...]]:
    """A rule with the parts of the rules that it rolls; `rules` are those that it can roll."""
    inputs, dice, steps, rolls = dict[str, Any](), dict[str, Any](), dict[str, Any](), list[Roll]()
    again = list[Any]()
    readers: dict[str, _RollReader] = {}
    for name, entry in raw["rolls"].items():
        own: Path = (*path, "rolls", name)
        used = rules.get(entry["rule"])
        if used is None:
            loader.report(
                "roll", (*own, "rule"), f"there is no rule «{entry['rule']}» to roll; {suggest(entry['rule'], rules)}"
            )
            continue
        if message := _why_unusable(used):
            loader.report(
                "roll", (*own, "rule"), f"«{entry['rule']}» is {message}, and such a rule cannot be rolled yet"
            )
            continue
        known = used.get("inputs", {})
        for given in entry.get("with", {}):
            loader.check_known(
                "roll", (*own, "with", given, KEY), given, known, f"the rule {entry['rule']} has no input"
            )
        formula = loader.parse_formula_at((*own, "rule"), 0, "step")
        own_raw = {**_name_functions(entry, readers), "rule_formula": formula}
        reader = readers[name] = _RollReader(loader, own, name, own_raw, raw, used, tables)
        more = reader.read()
        inputs, dice, steps, again = inputs | more[0], dice | more[1], steps | more[2], again + more[3]
        kinds = tuple(tuple(f"{prefix}.{kind}" for kind in used.get("dice", {})) for prefix in reader.copies)
        outcomes = ((key, one.get("label", key.replace("_", " "))) for key, one in used.get("outcomes", {}).items())
        written = (entry.get("with", {}), entry.get("when"), entry.get("times"))
        rolls.append(Roll(name, entry["rule"], kinds, reader.copies, tuple(outcomes), *written, reader.functions))
    rest = {key: part for key, part in raw.items() if key != "rolls"}
    rest = _replace_functions(rest, readers)
    helpers = {step: own for reader in readers.values() for step, own in reader.helpers.items()}
    expanded = {
        **rest,
        "inputs": {**raw.get("inputs", {}), **inputs},
        "dice": {**raw.get("dice", {}), **dice},
        "steps": {**steps, **helpers, **rest.get("steps", {})},
        "again of rolls": again,
    }
    return expanded, tuple(rolls)


def find_used(raw: RawRule) -> set[str]:
    """The rules that a rule uses: those that it rolls, and those that declare its inputs."""
    likes = (entry["like"].partition(".")[0] for entry in raw.get("inputs", {}).values() if "like" in entry)
    sides = raw.get("contest", {}).get("of", ())
    return {entry["rule"] for entry in raw.get("rolls", {}).values()}.union(
        likes, (sides,) if isinstance(sides, str) else sides
    )


def order_by_use(waiting: list[_Waiting]) -> list[_Waiting]:
    """Rules after those that they use; in a circle as they are."""
    ordered: list[_Waiting] = []
    while waiting:
        names = {entry[0] for entry in waiting}
        ready = [entry for entry in waiting if not find_used(entry[2]) & names - {entry[0]}] or waiting
        ordered += ready
        waiting = [entry for entry in waiting if entry not in ready]
    return ordered


def fill_likes(loader: Loader, path: Path, raw: RawRule, rules: Mapping[str, RawRule]) -> RawRule:
    """A rule whose inputs are declared in full."""
    inputs = {}
    for name, entry in raw.get("inputs", {}).items():
        if "like" not in entry:
            inputs[name] = entry
            continue
        rule, _, other = entry["like"].partition(".")
        found = rules.get(rule, {}).get("inputs", {}).get(other)
        if found is None:
            known = [f"{owner}.{own}" for owner, data in rules.items() for own in data.get("inputs", {})]
            message = f"there is no input «{entry['like']}»; {suggest(entry['like'], known)}"
            loader.report("input", (*path, "inputs", name, "like"), message)
        inputs[name] = {
            **(found or {"min": 0, "max": 0}),
            **{key: part for key, part in entry.items() if key != "like"},
        }
    return {**raw, "inputs": inputs} if inputs else raw


def _why_unusable(raw: RawRule) -> str:
    """Why a rule cannot be rolled by another; empty if it can."""
    return next((text for key, text in _UNUSABLE.items() if key in raw), "")


def _step_formula(raw: Any) -> Formula:
    found: Formula = raw["is"] if isinstance(raw, Mapping) else raw
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _replace_functions(data: Any, readers: Mapping[str, _RollReader]) -> Any:
    """The same data with a name in place of each function over all results of a roll."""
    if isinstance(data, Formula):
        try:
            return replace(data, node=_replace_in(data.node, readers, data.text))
        except ResultSetError as error:
            loader = next(iter(readers.values())).loader
            span = inner_span(data.span, data.text, error.node.start, error.node.end)
            loader.report("formula", (), error.message.rstrip("; "), span)
            return replace(data, node=BROKEN_NODE)
    if isinstance(data, dict):
        return {key: _replace_functions(part, readers) for key, part in data.items()}
    return [_replace_functions(part, readers) for part in data] if isinstance(data, list) else data


def _name_functions(data: Any, readers: Mapping[str, _RollReader]) -> Any:
    """The formulas of a roll with names, in their texts too, for functions over all results of the rolls above."""
    if isinstance(data, Formula):
        named: Formula = _replace_functions(data, readers)
        found = [node for node in walk(named.node) if node.op == "name"]
        text = data.text
        for node in sorted(found, key=lambda node: node.start, reverse=True):
            text = text[: node.start] + node.args[0] + text[node.end :]
        return data if text == data.text or named.node is BROKEN_NODE else _parse(text, data)
    return {key: _name_functions(part, readers) for key, part in data.items()} if isinstance(data, dict) else data


def _replace_in(node: Node, readers: Mapping[str, _RollReader], text: str) -> Node:
    if node.op in DICE_FUNCTIONS and isinstance(node.args[0], Node) and node.args[0].op == "set":
        reader = readers.get(node.args[0].args[0])
        if reader and (step := reader.function_name(node, text)):
            return Node("name", (step,), node.start, node.end)
    elif (
        node.op in DICE_FUNCTIONS
        and isinstance(node.args[0], Node)
        and (reader := readers.get(find_roll(node.args[0])))
    ):
        return Node("name", (reader.set_function(node, text),), node.start, node.end)
    args = tuple(_replace_in(arg, readers, text) if isinstance(arg, Node) else arg for arg in node.args)
    return replace(node, args=args)


def _parse(text: str, formula: Formula) -> Formula:
    try:
        return Formula(text, parse_formula(text), formula.span, formula.scope)
    except FormulaError:  # the used rule has a mistake there, which is reported at its place
        return formula


def _rename(node: Node, names: Mapping[str, str]) -> Node:
    """The same formula with other names."""
    if node.op == "name":
        return replace(node, args=(names.get(node.args[0], node.args[0]),))
    return replace(node, args=tuple(_rename(arg, names) if isinstance(arg, Node) else arg for arg in node.args))


def _write(node: Node, names: Mapping[str, str], text: str, kinds: Mapping[str, str] | None = None) -> str:
    """The text of a part of a formula with its names replaced; `text` is that of the whole."""
    start, end = (0, len(text)) if kinds is not None else (node.start, node.end)
    part = text[start:end]
    for name_start, name_end, name in sorted(_find_names(node, names, kinds or {}), reverse=True):
        part = part[: name_start - start] + name + part[name_end - start :]
    return part


def _find_names(node: Node, names: Mapping[str, str], kinds: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    if node.op == "name" and node.args[0] in names:
        yield node.start, node.end, names[node.args[0]]
    elif node.op == "set" and node.args[0] in {**names, **kinds}:
        yield node.start, node.end, f"'{ {**names, **kinds}[node.args[0]] }'"
    for child in node.child_nodes():
        yield from _find_names(child, names, kinds)
