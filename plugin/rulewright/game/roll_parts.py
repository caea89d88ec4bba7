"""The parts of a rule that another rule rolls, under the names that they have there: for each time, and each round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..source import suggest
from .aims import TAKING, uses_outcomes, write_goal
from .core import AIM, ROUND, CoreTable
from .formula import SET_OPERATIONS, ZERO, Node, collect_names, walk
from .intervals import Interval
from .model import Formula
from .renamed import as_list, parse_again, rename_nodes, step_formula, write_renamed
from .result_sets import ResultSetError, ResultSets
from .roll_aims import AIMS_OF_ROLLS, RollAims, find_aims, is_choice, is_optional
from .roll_bounds import find_bounds
from .schema import Loader
from .toml import Path

RawRule = Mapping[str, Any]  # a rule as written, with its formulas parsed
_MOST_TIMES = 20


@dataclass
class RollReader:
    """Reads one roll of a rule; `copies` are the prefixes of its parts, one for each time."""

    loader: Loader
    path: Path
    name: str
    raw: Mapping[str, Any]
    owner: RawRule
    used: RawRule
    tables: Mapping[str, CoreTable]
    copies: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()  # the same, of a rule with rounds for each round
    wholes: tuple[str, ...] = ()  # for each prefix, what the names of its time begin with
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
            rounds = _list_rounds(self, prefix, self.condition(number))
            for one in rounds:
                inputs |= one.questions()
                again += one.again()
                dice |= one.dice()
                steps |= one.steps()
            steps |= rounds[-1].whole_steps() if "until" in self.used else {}
            self.prefixes += tuple(one.prefix for one in rounds)
            self.wholes += tuple(one.whole for one in rounds)
        if "until" in self.used and not self.rounds:
            rule, most = self.raw["rule"], max(_MOST_TIMES // max(len(self.copies), 1), 1)
            fact = f"may have more than {_MOST_TIMES} rounds in all" if "most" in self.used else "may go on for ever"
            message = f'"{rule}" {fact}, and here another rule rolls it; write most = {most} in the rule {rule}'
            self.loader.report("roll", self.raw["rule_path"], message)
        return inputs, dice, steps, again

    def aims(self) -> dict[str, RollAims]:
        """The aims that may be set for this roll, and for the rolls of the used rule."""
        found = dict[str, RollAims]()
        for name, (aims, *parts) in self.used.get(AIMS_OF_ROLLS, {}).items():
            found[f"{self.name}.{name}"] = RollAims(
                aims, *(tuple(f"{one}.{own}" for one in self.prefixes for own in part) for part in parts)
            )
        aims = find_aims(self.used, [entry for entry in self.questions.values() if "goal" not in entry], self.is_word)
        return found | ({f"{self.name}.{AIM}": RollAims(aims, self.prefixes, self.wholes)} if aims else {})

    @cached_property
    def goal_aim(self) -> str:
        """The aim of the used rule, for its choices; another if formulas cannot say it, which is a problem."""
        aim: str = self.used.get("aim", "")
        quoted = next((name for name in self.used.get("outcomes", {}) if "'" in name), "")
        if not quoted or not uses_outcomes(aim):
            return aim
        fact = f'"{self.raw["rule"]}" is rolled here for `{aim}`, and such an outcome cannot have a \' in its name'
        repair = f"""call it "{quoted.replace("'", "")}", with label = "{quoted}\""""
        self.loader.report("roll", self.raw["rule_path"], f"{fact}: {quoted}; {repair}")
        return TAKING[0]

    @cached_property
    def outcomes(self) -> set[str]:
        return {name.lower() for name in self.used.get("outcomes", {})}

    @cached_property
    def rounds(self) -> int:
        """How many rounds the used rule has at most; 0 if it has none, or no such limit."""
        most = self.used.get("most")
        found = find_bounds(self.used, most) if most is not None else None
        is_known = isinstance(found, Interval) and found.high * len(self.copies) <= _MOST_TIMES
        return max(int(found.high), 1) if is_known and isinstance(found, Interval) else 0

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
            return choice or (step is not None and self.is_word(step_formula(step).node))
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
        results = ("outcome", "degree", ROUND) if "until" in self.used else ("outcome", "degree")
        return named | {name: f"{prefix}.{name}" for name in results}

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
        values = [
            "1" if body is None else f"({write_renamed(body, self.names(prefix), text)})" for prefix in self.copies
        ]
        formula = self.raw["rule_formula"]
        self.helpers[step] = {"is": parse_again(self.combine(node.op, values), formula), "label": ""}
        self.functions[step] = rename_nodes(node, self.names(self.copies[0]) if self.copies else {})
        return step

    def set_function(self, node: Node, text: str) -> str:
        """The step that stands for a function over some results, such as `sum(highest 3 of stat by total: total)`."""
        known = self.names("").keys() | self.owner.get("inputs", {}).keys() | self.owner.get("steps", {}).keys()
        for part in walk(node):
            if part.op == "name" and part.args[0] not in known:
                raise ResultSetError(
                    f'there is no step "{part.args[0]}" of {self.name}; {suggest(part.args[0], known)}', part
                )

        def write(part: Node, number: int) -> str:
            return write_renamed(part, self.names(self.copies[number]) if number >= 0 else {}, text)

        step = f"{self.name}.{node.op}_{len(self.helpers) + 1}"
        guards = [self.condition(number) for number in range(1, len(self.copies) + 1)]
        sets = ResultSets(step, guards, write)
        whole = sets.function(node.op, *node.args)
        hidden = {**sets.steps, step: whole}.items()
        self.helpers |= {name: {"is": parse_again(own, self.raw["rule_formula"]), "label": ""} for name, own in hidden}
        self.functions[step] = rename_nodes(node, self.names(self.copies[0]) if self.copies else {})
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
    """The parts of the used rule, renamed for one time, or one round of a time, that it is rolled; what is not rolled
    has the values of the round before."""

    reader: RollReader
    prefix: str
    condition: str
    whole: str  # what the names of the time begin with
    round: int = 0  # 0 if the used rule has no rounds
    before: _Copy | None = None

    @cached_property
    def names(self) -> dict[str, str]:
        names = self.reader.names(self.prefix)
        carried = self.reader.used.get("carry", {}) if self.round else ()
        return names | {name: f"{self.prefix}.{name}" for name in carried}

    def write(self, formula: Formula) -> str:
        return write_renamed(formula.node, self.names, formula.text, self.kinds)

    def rename(self, formula: Formula, guard: str = "") -> Formula:
        text = self.write(formula)
        return parse_again(guard.format(text) if guard else text, formula)

    @cached_property
    def kinds(self) -> dict[str, str]:
        return {name: f"{self.prefix}.{name}" for name in self.reader.used.get("dice", {})}

    def rename_all(self, data: Any) -> Any:
        if isinstance(data, Formula):
            return self.rename(data)
        if isinstance(data, dict):
            return {key: self.rename_all(part) for key, part in data.items()}
        return [self.rename_all(part) for part in data] if isinstance(data, list) else data

    @cached_property
    def has_optional_dice(self) -> bool:
        return any(map(is_optional, self.reader.used.get("dice", {}).values()))

    def dice(self) -> dict[str, Any]:
        return {self.kinds[name]: self.kind(name, raw) for name, raw in self.reader.used.get("dice", {}).items()}

    def kind(self, name: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        renamed: dict[str, Any] = self.rename_all(raw)
        own, is_only = raw.get("label", name), len(self.reader.used.get("dice", {})) == 1
        renamed["label"] = self.prefix.replace("_", " ") + ("" if is_only else f" {own}")
        if isinstance(raw.get("deck"), str):
            renamed["deck"] = self.kinds.get(raw["deck"], raw["deck"])
        if self.has_optional_dice:
            renamed.setdefault("taken", self.reader.used.get("aim", "").lower().strip() != TAKING[1])
        for entry in as_list(renamed.get("again", [])):
            entry["roll"] = self.kinds.get(entry["roll"], entry["roll"])
        if self.condition and raw["count"].node != ZERO:  # dice that are only earned are so
            renamed["count"] = self.rename(raw["count"], self.guard("0"))
        return renamed

    def guard(self, none: str, name: str = "") -> str:
        """What a formula for this time is put into; `none` if it is not rolled, or what `name` was before."""
        none = f"{self.before.prefix}.{name}" if self.before and name else none
        condition = self.condition.replace("{", "{{").replace("}", "}}")
        return f"if({condition}, {{}}, {none})" if condition else ""

    def questions(self) -> dict[str, Any]:
        """The questions of the used rule, with what each choice is made for."""
        found, asked = dict[str, Any](), self.reader.questions
        for name, entry in asked.items():
            own = {**entry, "label": self.reader.label_of(self.prefix, name, entry)}
            own["asked"] = self.rename(entry["asked"], self.guard("0"))
            if "goal" in entry:  # of a rule that the used rule rolls
                own["goal"] = self.rename(entry["goal"], self.guard("0"))
            elif "default" not in entry and self.goal:
                own["goal"] = parse_again(self.goal, entry["asked"])
            found[f"{self.prefix}.{name}"] = own
        return found

    @cached_property
    def goal(self) -> str:
        """What choices of the used rule are made for; empty if it has no aim."""
        asked = self.reader.questions.items()
        choices = [f"{self.prefix}.{name}" for name, entry in asked if "default" not in entry]
        return write_goal(self.reader.goal_aim, self.whole, choices, self.reader.outcomes)

    def again(self) -> Iterator[dict[str, Any]]:
        """The entries of `again` of the used rule, for its own dice."""
        used = self.reader.used
        for raw in (*used.get("again of rolls", ()), *as_list(used.get("again", []))):
            own: dict[str, Any] = self.rename_all(raw)
            names = as_list(raw.get("of") or self.own_kinds)
            own |= {"roll": self.kinds.get(raw["roll"], raw["roll"])} if "roll" in raw else {}
            own["of"] = [self.kinds.get(name) or self.names.get(name, name) for name in names]
            if "goal" not in raw and is_choice(raw) and self.goal:
                own["goal"] = parse_again(self.goal, raw["times"])
            yield own

    @cached_property
    def own_kinds(self) -> list[str]:
        """The kinds that an entry of `again` is about that names none: those of the rule that are not only earned."""
        kinds: Mapping[str, Any] = self.reader.used.get("dice", {})
        own = [name for name in kinds if "." not in name] or [*kinds]
        return [name for name in own if kinds[name]["count"].node != ZERO] or own

    def steps(self) -> dict[str, Any]:
        steps = self.given()
        for name, raw in self.reader.used.get("steps", {}).items():
            given = raw if isinstance(raw, Mapping) else {"is": raw}
            none = "'none'" if self.reader.is_word(given["is"].node) else "0"
            shown = _label_of(name, given, self.prefix)
            is_set = given["is"].node.op in SET_OPERATIONS  # without dice it is empty
            own = {"is": self.rename(given["is"], "" if is_set else self.guard(none, name)), "label": shown}
            if given["is"].node.op == "any_of" and (goal := given.get("goal") or self.goal):
                own["goal"] = parse_again(goal, given["is"]) if isinstance(goal, str) else self.rename(goal)
            steps[f"{self.prefix}.{name}"] = own
        return steps | self.result()

    def given(self) -> dict[str, Any]:
        """What inputs of the used rule are, and of one with rounds the number of this round."""
        formula, before = self.reader.raw["rule_formula"], self.before
        values: dict[str, Formula] = dict(self.reader.raw.get("with", {}))
        if self.round:
            used, base = self.reader.used, self.reader.names(self.prefix)
            for name, carried in used.get("carry", {}).items():
                text = before.write(carried) if before else base.get(name, name)
                values[name] = values[name] if name in values and not before else parse_again(text, formula)
            text = "1"
            if before:
                limit = f" and ({before.write(used['most'])}) >= {self.round}"
                text = f"{before.prefix}.{ROUND} = {before.round} and not ({before.write(used['until'])}){limit}"
                text = f"if({text}, {self.round}, {before.prefix}.{ROUND})"
            elif self.condition:
                text = f"if({self.condition}, 1, 0)"
            values[ROUND] = parse_again(text, formula)
        return {f"{self.prefix}.{name}": {"is": value, "label": ""} for name, value in values.items()}

    def whole_steps(self) -> dict[str, Any]:
        """What is known of a rule with rounds after the last of them."""
        used, formula = self.reader.used.get("steps", {}), self.reader.raw["rule_formula"]
        names = [name for name, raw in used.items() if step_formula(raw).node.op not in SET_OPERATIONS]
        names += [ROUND, *(name.removeprefix(f"{self.prefix}.") for name in self.result())]
        own = {name: parse_again(f"{self.prefix}.{name}", formula) for name in names}
        own |= self.reader.raw.get("with", {})
        labels = {name: _label_of(name, used[name], self.whole) if name in used else "" for name in own}
        return {f"{self.whole}.{name}": {"is": value, "label": labels[name]} for name, value in own.items()}

    def result(self) -> dict[str, Any]:
        """The outcome as a word, and its degree."""
        outcomes = self.reader.used.get("outcomes", {})
        if not outcomes or any("'" in name for name in outcomes):
            return {}
        last = next(reversed(outcomes))
        formula = self.reader.raw["rule_formula"]
        word, degree = f"'{last}'", self.degree_text(outcomes[last])
        for name, raw in list(reversed(outcomes.items()))[1:]:
            when = self.write(raw["when"])
            word, degree = f"if({when}, '{name}', {word})", f"if({when}, {self.degree_text(raw)}, {degree})"
        found = {"outcome": (word, self.guard("'none'", "outcome"))}
        if any("degree" in raw for raw in outcomes.values()):
            found["degree"] = (degree, self.guard("0", "degree"))
        return {
            f"{self.prefix}.{key}": {"is": parse_again(guard.format(text) if guard else text, formula), "label": ""}
            for key, (text, guard) in found.items()
        }

    def degree_text(self, raw: Mapping[str, Any]) -> str:
        formula = raw.get("degree")
        return self.write(formula) if formula else "0"


def _label_of(name: str, raw: Any, prefix: str) -> str:
    """What readers call a step of the used rule; empty if they do not see it."""
    label = raw.get("label", name.replace("_", " ")) if isinstance(raw, Mapping) else name.replace("_", " ")
    return f"{prefix.replace('_', ' ')}: {label}" if label else ""


def _list_rounds(reader: RollReader, prefix: str, condition: str) -> list[_Copy]:
    """The parts of the used rule for one time that it is rolled, round by round."""
    if "until" not in reader.used:
        return [_Copy(reader, prefix, condition, prefix)]
    rounds: list[_Copy] = []
    for number in range(1, max(reader.rounds, 1) + 1):
        own = f"{prefix}_{number}"
        before = rounds[-1] if rounds else None
        rounds.append(_Copy(reader, own, f"{own}.{ROUND} = {number}" if before else condition, prefix, number, before))
    return rounds
