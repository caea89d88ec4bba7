"""Formulas and inputs of a rule in words: "face ≥ difficulty", "Difficulty 6", "2 to 10"."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from ...game.core import ROLLS_AGAIN
from ...game.formula import (
    COMPARISONS,
    DICE_FUNCTIONS,
    DICE_OPERATIONS,
    DIE_WORDS,
    FACE,
    PICKS,
    ROUNDING_FUNCTIONS,
    THROW_WORDS,
    Node,
)
from ...game.formula_lexer import FormulaError
from ...game.formula_parser import parse_formula
from ...game.inputs import format_die, format_value, parse_value
from ...game.model import CONTEST_SIDES, Formula, Input, NamedPart, Rule, Step
from ..number_format import join_alternatives, localize
from ..strings import Words

_COMPARISON_SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
PRECEDENCE = {"or": 1, "and": 2, "not": 3, **dict.fromkeys(COMPARISONS, 4), "+": 5, "neg": 5, "*": 6}
_SENTENCE, _ATOM = 0, 9  # precedence of clauses, and of parts that never need parentheses
BOOLEAN_OPERATORS = (*COMPARISONS, "and", "or", "not")

_LeafText = Callable[[Node], str | None]  # text that replaces a name or a count of dice; None to keep its words


def _keep_leaf(_node: Node) -> None:
    return None  # no replacement text


def describe_formula(formula: Formula, words: Words, rule: Rule) -> str:
    """A formula in words; cached because every card of the rule repeats it."""
    return rule.cached(
        ("words", formula, words), lambda: FormulaWriter(words, find_single_kinds(rule), rule=rule).write(formula.node)
    )


def find_single_kinds(rule: Rule) -> frozenset[str]:
    """Kinds with at most one die: their sum is that die."""
    earned_kinds = {entry.roll for kind in rule.dice for entry in kind.again}
    alone = [kind for kind in rule.dice if all(entry.roll in ROLLS_AGAIN for entry in kind.again)]
    flags = {entry.name for entry in rule.inputs if entry.form == "flag"}
    names = (kind.name for kind in alone if _is_single(kind.count.node, flags))
    return frozenset(name for name in names if name not in earned_kinds)


def _is_single(count: Node, flags: Collection[str]) -> bool:
    """Whether the count of a kind is 1, or 1 under a condition and else 0."""
    if count.op == "if":
        return all(_is_single(part, flags) or part == Node("number", (0,)) for part in count.args[1:])
    is_flag = count.op == "name" and count.args[0] in flags
    return is_flag or count.op in BOOLEAN_OPERATORS or count == Node("number", (1,))


def _ends_with_test(node: Node) -> bool:
    """Whether a node is a count that ends with a condition, so that text after it would seem to belong to that."""
    test = test_of(node)
    return test is not None and not _is_judged(test)


def test_of(node: Node) -> Node | None:
    """The test of a count of dice of one kind; None where it counts all dice, and for everything else."""
    return node.args[1] if node.op == "count" and kind_of(node) else None


def kind_of(node: Node) -> str:
    """The kind of dice that a function looks at; empty if it looks at others, or reads something else from them."""
    dice, body = node.args
    return str(dice.args[0]) if dice.op == "set" and (body is None or node.op == "count") else ""


def is_alike(node: Node) -> bool:
    """Whether a word over faces asks for the largest set of equal dice: `max(f of d6: count(d6: face = f))`."""
    function, word, domain, body = node.args
    counted = test_of(body) if function == "max" and domain.op == "faces_of" else None
    if counted is None or counted.op != "=" or body.args[0] != domain.args[0]:
        return False
    asked = Node("name", (domain.args[1],)) if domain.args[1] else FACE
    return {*counted.args} == {asked, Node("name", (word,))}


def _is_judged(test: Node) -> bool:
    """Whether the test of a count is "good" or "bad"."""
    return test.op == "name" and test.args[0] in ("good", "bad")


def describe_event(rule: Rule, text: str, words: Words) -> str:
    """What a block asks the chance or mean of, in words: an outcome, a step or a formula."""
    try:
        node = parse_formula(text)
    except FormulaError:  # several outcomes, or names with spaces
        node = Node("name", (text,))
    if node.op == "name":
        return reader_name(rule, text)
    return FormulaWriter(words, find_single_kinds(rule), rule=rule).write(node)


def reveal(rule: Rule, node: Node) -> Node:
    """The formula of a hidden step in place of its name, but for what is known of a roll."""
    steps = {step.name: step.formula.node for step in rule.steps if step.label == "" and "." not in step.name}
    while node.op == "name" and node.args[0] in steps:
        node = steps[node.args[0]]
    return node


def is_boolean(formula: Formula) -> bool:
    """Whether the value of a formula is true or false."""
    return formula.node.op in BOOLEAN_OPERATORS


def format_name(name: str) -> str:
    """A name for readers, with spaces instead of underscores."""
    return name.replace("_", " ")


def reader_name(rule: Rule, name: str) -> str:
    """The name of a step, outcome, kind of dice or input as readers see it; empty for a hidden step."""
    parts: tuple[NamedPart, ...] = (*rule.steps, *rule.outcomes, *rule.dice, *rule.inputs)
    part = next((part for part in parts if part.name == name), None)
    if isinstance(part, Step) and part.label is not None:
        return part.label
    return (part.label if part else "") or format_name(name)


def outcome_name(rule: Rule, name: str) -> str:
    """The name of an outcome, which may share it with a value."""
    return next((own.label for own in rule.outcomes if own.name == name), "") or format_name(name)


def value_name(rule: Rule, name: str, words: Words) -> str:
    """The name of a value in formulas for the middle of a sentence; an input, or a part of one, by its label."""
    for entry in rule.inputs:
        if name in entry.variable_names:
            label = lowercase_label(input_label(entry), words)
            return (
                words(f"{'dice' if name == entry.parts[0] else 'pips'} of code", code=label) if entry.parts else label
            )
    return reader_name(rule, name)


class SideLabel(str):
    """A label that begins with the name that an example gives to a side: "Ann: die"."""

    __slots__ = ()


def lowercase_label(label: str, words: Words) -> str:
    """A label for the middle of a sentence: lowercase, except in German, where nouns are capitalized."""
    if words.language.startswith("de"):
        return label
    if isinstance(label, SideLabel):
        name, _, own = label.partition(": ")
        return f"{name}: {lowercase_label(own, words)}"
    parts = label.split(": ")  # the roll of another rule, and its input
    return ": ".join(part if part[1:2].isupper() else part[:1].lower() + part[1:] for part in parts)


def kind_label(rule: Rule, name: str) -> str:
    """The label of a kind of dice, which may share its name with a value."""
    return next((kind.label for kind in rule.dice if kind.name == name), "") or format_name(name)


def format_title(name: str) -> str:
    """A name for the headline of a card, such as "Own turn"."""
    text = format_name(name)
    return text[:1].upper() + text[1:]


class FormulaWriter(NamedTuple):
    """Renders the nodes of a formula in words, with parentheses where precedence needs them."""

    words: Words
    single: frozenset[str]  # kinds with at most one die
    leaf: _LeafText = _keep_leaf
    in_test: bool = False  # in the test of a count, where names are values of a throw
    rule: Rule | None = None  # has the labels of values and dice
    lead: str = ""  # left out of names, in functions over all results of a roll

    def write(self, node: Node, least_precedence: int = _SENTENCE) -> str:
        """A node in words, in parentheses if its precedence is too low for its place."""
        text = self.leaf(node) if node.op == "name" or node.op in DICE_OPERATIONS else None
        if text is not None:
            return text
        if self.rule:
            node = reveal(self.rule, node)
        return f"({self.write_bare(node)})" if self.precedence(node) < least_precedence else self.write_bare(node)

    def precedence(self, node: Node) -> int:
        """The precedence of the words of a node."""
        if node.op in ("if", "min", "max", "over", "groups", *ROUNDING_FUNCTIONS) or _ends_with_test(node):
            return _SENTENCE
        return PRECEDENCE.get(node.op, _ATOM)

    def write_bare(self, node: Node) -> str:
        """A node in words, without parentheses around it."""
        for operators, writer in _WRITERS.items():
            if node.op in operators:
                return writer(self, node)
        return str(node.args[0])

    def write_name(self, node: Node) -> str:
        name: str = node.args[0]
        if self.in_test and name in (*THROW_WORDS, *DIE_WORDS):
            return self.words(f"word {name}")
        if self.rule and (found := self.rule.find_function(name)):
            return self._replace(lead=found[0].lead).write_reading(found[1])
        text = value_name(self.rule, name, self.words) if self.rule else ""
        return (text or format_name(name).replace(".", ": ")).removeprefix(self.lead)

    def write_sum(self, node: Node) -> str:
        first, *others = node.args
        text = self.write(first, PRECEDENCE["+"])
        for part in others:
            minus = part.op == "neg"
            text += f" {'−' if minus else '+'} {self.write(part.args[0] if minus else part, PRECEDENCE['*'])}"
        return text

    def write_product(self, node: Node) -> str:
        return " × ".join(self.write(part, PRECEDENCE["*"] + 1) for part in node.args)

    def write_negative(self, node: Node) -> str:
        return f"−{self.write(node.args[0], PRECEDENCE['*'])}"

    def write_comparison(self, node: Node) -> str:
        left, right = (self.write(part, PRECEDENCE["+"]) for part in node.args)
        if node.op == "=" and node.args[1].op == "word":
            entry = (
                next((one for one in self.rule.inputs if one.name == node.args[0].args[0]), None) if self.rule else None
            )
            is_verb = entry is not None and has_verbs(entry)
            is_shown = self.in_test and entry is None
            return f"{left} {right}" if is_verb or is_shown else self.words("is choice", name=left, choice=right)
        return f"{left} {_COMPARISON_SIGNS[node.op]} {right}"

    def write_logic(self, node: Node) -> str:
        return f" {self.words(node.op)} ".join(self.write(part, PRECEDENCE[node.op] + 1) for part in node.args)

    def write_negation(self, node: Node) -> str:
        return self.words("not", what=self.write(node.args[0], _ATOM))

    def write_conditional(self, node: Node) -> str:
        test, then, other = node.args
        rest = self.write(other, _SENTENCE if other.op == "if" else 1)
        return self.words("if", test=self.write(test, 1), then=self.write(then, 1), other=rest)

    def write_extreme(self, node: Node) -> str:
        """`max(a, 0)` becomes "a, at least 0"."""
        if len(node.args) == 2 and node.args[1].op == "number":
            return self.words(f"{node.op} of one", what=self.write(node.args[0], 1), limit=self.write(node.args[1]))
        parts = [self.write(part, PRECEDENCE["not"]) for part in node.args]  # joined by "and"
        return self.words(f"{node.op} of all", first=", ".join(parts[:-1]), last=parts[-1])

    def write_absolute(self, node: Node) -> str:
        return f"|{self.write(node.args[0])}|"

    def write_division(self, node: Node) -> str:
        over, under = (self.write(part, PRECEDENCE["*"] + 1) for part in node.args)
        return self.words(f"round {node.op}", over=over, under=under)

    def write_lookup(self, node: Node) -> str:
        table, row, column = node.args
        name = format_name(column) if isinstance(column, str) else self.write(column)
        return self.words("lookup", table=format_name(table), row=self.write(row), column=name)

    def write_dice(self, node: Node) -> str:
        kind = kind_of(node)
        if not kind or (self.rule and kind not in self.rule.kind_indices):
            return self.write_reading(node)
        kind_name = kind_label(self.rule, kind) if self.rule else format_name(kind)
        if node.op != "count" and kind in self.single:
            return self.words("that die", kind=kind_name)
        test = test_of(node)
        if test is None:
            return self.words(f"{node.op} of dice", kind=kind_name)
        if _is_judged(test):
            return self.words(f"{test.args[0]} dice", kind=kind_name)
        declared = self.rule.dice[self.rule.kind_indices[kind]] if self.rule else None
        if (
            declared
            and test.op == "name"
            and test.args[0] in declared.face_words
            and test.args[0] not in declared.tests
        ):
            return self.words("symbols on", symbol=format_name(test.args[0]), kind=kind_name)
        rolls_on = declared and any(entry.roll in ROLLS_AGAIN for entry in declared.again)
        form = "cards with" if declared and declared.deck else "rolls with" if rolls_on else "dice with"
        return self.words(form, kind=kind_name, test=self._replace(in_test=True).write(test))

    # Sets of dice

    def write_reading(self, node: Node) -> str:
        """A function over a set of dice."""
        dice, body = node.args
        if body is None:
            name = f"set {node.op} value" if node.op in ("highest", "lowest") else f"set {node.op}"
            return self.words(name, dice=self.write(dice))
        inner = self._replace(in_test=True)
        if node.op == "count" and body.op in BOOLEAN_OPERATORS:
            return self.words("set count where", test=inner.write(body), dice=self.write(dice))
        return self.words(f"set {node.op} over", body=inner.write(body, _ATOM), dice=self.write(dice))

    def write_groups(self, node: Node) -> str:
        return self.words("set groups", dice=self.write(node.args[0]), goal=self.write(node.args[1], _ATOM))

    def write_over(self, node: Node) -> str:
        function, word, domain, body = node.args
        if is_alike(node):
            dice, part = self.write(domain.args[0]), domain.args[1]
            return self.words("over alike part" if part else "over alike", dice=dice, part=format_name(part or ""))
        if domain.op == "faces_of":
            dice, part = self.write(domain.args[0]), domain.args[1]
            where = self.words("set part" if part else "set faces", dice=dice, part=format_name(part or ""))
        else:
            low, high = (self.write(end, _ATOM) for end in domain.args)
            where = self.words("set range", low=low, high=high)
        return self.words(f"over {function}", word=word, domain=where, body=self.write(body, _ATOM))

    def write_named_set(self, node: Node) -> str:
        name = str(node.args[0])
        if self.rule and name not in self.rule.kind_indices:
            if any(roll.name == name for roll in self.rule.rolls):
                return self.words("set rolls", roll=format_name(name))
            return reader_name(self.rule, name) or format_name(name)
        return self._write_kinds([name])

    def _write_kinds(self, kinds: list[str]) -> str:
        labels = [kind_label(self.rule, name) if self.rule else format_name(name) for name in kinds]
        form = "set kind"
        if self.rule and all(self.rule.dice[self.rule.kind_indices[name]].deck for name in kinds):
            form = "set cards"
        return self.words(form, kind=self.words("rule kinds and").join(labels))

    def write_together(self, node: Node) -> str:
        names = [str(part.args[0]) for part in node.args if part.op == "set"]
        if self.rule and len(names) == len(node.args) and all(name in self.rule.kind_indices for name in names):
            return self._write_kinds(names)
        return self.words("rule kinds and").join(map(self.write, node.args)).replace("- ", " ")

    def write_pick(self, node: Node) -> str:
        number, dice, order = node.args
        name = f"set {node.op.removesuffix('_of')}"
        text = self.words(name, number=self.write(number, _ATOM), dice=self.write(dice))
        return self.words("set by", dice=text, by=self._replace(in_test=True).write(order)) if order else text

    def write_filter(self, node: Node) -> str:
        dice, other = node.args
        if node.op == "without":
            return self.words("set without", dice=self.write(dice), other=self.write(other))
        return self.words("set where", dice=self.write(dice), test=self._replace(in_test=True).write(other))


_WRITERS: dict[tuple[str, ...], Callable[[FormulaWriter, Node], str]] = {
    ("name",): FormulaWriter.write_name,
    ("+",): FormulaWriter.write_sum,
    ("*",): FormulaWriter.write_product,
    ("neg",): FormulaWriter.write_negative,
    COMPARISONS: FormulaWriter.write_comparison,
    ("and", "or"): FormulaWriter.write_logic,
    ("not",): FormulaWriter.write_negation,
    ("if",): FormulaWriter.write_conditional,
    ("min", "max"): FormulaWriter.write_extreme,
    ("abs",): FormulaWriter.write_absolute,
    ROUNDING_FUNCTIONS: FormulaWriter.write_division,
    ("lookup",): FormulaWriter.write_lookup,
    DICE_FUNCTIONS: FormulaWriter.write_dice,
    ("groups",): FormulaWriter.write_groups,
    ("over",): FormulaWriter.write_over,
    ("set",): FormulaWriter.write_named_set,
    ("together",): FormulaWriter.write_together,
    PICKS: FormulaWriter.write_pick,
    ("where", "without"): FormulaWriter.write_filter,
}


class InputDescription(NamedTuple):
    """An input as the rule declares it: its label, its range and its initial value."""

    label: str
    may_be: str
    start: str


def input_label(entry: Input) -> str:
    """The label of an input, or its name."""
    return entry.label or format_name(entry.name).capitalize()


def has_verbs(entry: Input) -> bool:
    """Whether the choices of an input seem to begin with an English verb: "counts", "is lost"."""
    return bool(entry.choices) and all(choice.partition(" ")[0].endswith("s") for choice in entry.choices)


def find_label(rule: Rule, name: str, words: Words) -> str:
    """The label of an input by its name, also of a side such as `first.die`; any other name with spaces."""
    if rule.contest and "." in name:
        side, _, own_name = name.partition(".")
        number = CONTEST_SIDES.index(side)
        return words(f"of side {number + 1}", name=find_label(rule.contest.of[number], own_name, words))
    declared = next((entry for entry in rule.inputs if entry.name == name), None)
    return input_label(declared) if declared else reader_name(rule, name)


def format_input_value(entry: Input, text: str, words: Words) -> str:
    """A value as it was written; a named number with its number."""
    value, problem = parse_value(entry, text)
    if problem:
        return text
    if entry.form == "flag":
        return "" if value else words("no")
    text_value = localize(format_value(entry, value), words)
    if entry.form == "number" and text.strip().replace("−", "-").lstrip("+") != str(value):
        return words("named number", name=text, number=text_value)
    return words("none") if text_value == format_die(0) else text_value


def list_inputs(rule: Rule, words: Words, texts: Mapping[str, str] | None = None) -> list[InputDescription]:
    """All inputs of a rule, with initial values from `texts` or their defaults."""
    return [_describe_input(rule, entry, words, texts) for entry in rule.declared_inputs if entry.label]


def _describe_input(rule: Rule, entry: Input, words: Words, texts: Mapping[str, str] | None) -> InputDescription:
    text = (texts or {}).get(entry.name)
    start = _format_default(entry, words) if text is None else format_input_value(entry, text, words) or words("yes")
    return InputDescription(input_label(entry), _describe_range(rule, entry, words), start)


def _format_default(entry: Input, words: Words) -> str:
    """The default value of an input in words, empty without one."""
    return (
        ""
        if entry.default is None
        else format_input_value(entry, format_value(entry, entry.default), words) or words("yes")
    )


def _describe_range(rule: Rule, entry: Input, words: Words) -> str:
    """The range of an input: "2 to 10", "d4, d6 or d8", "yes or no", with its named values and its condition."""
    text = _RANGE_WRITERS[entry.form](entry, words)
    if entry.names:
        names = [name for name, number in entry.names.named_numbers.items() if entry.least <= number <= entry.most]
        text = words("or by name", values=text, names=join_alternatives(names, words))
    if entry.open:
        text = words("may be unknown", values=text)
    return words("asked when", values=text, test=describe_formula(entry.asked, words, rule)) if entry.asked else text


def _number_range(entry: Input, words: Words) -> str:
    return words("range", low=localize(str(entry.least), words), high=localize(str(entry.most), words))


def _code_range(entry: Input, words: Words) -> str:
    return words("range", low=f"{entry.least}D", high=f"{entry.most}D+2")


def _dice_range(entry: Input, words: Words) -> str:
    return join_alternatives([format_die(sides) if sides else words("none") for sides in entry.dice], words)


def _flag_range(_entry: Input, words: Words) -> str:
    return join_alternatives([words("yes"), words("no")], words)


def _choice_range(entry: Input, words: Words) -> str:
    return join_alternatives(list(entry.choices), words)


_RANGE_WRITERS = {
    "number": _number_range,
    "code": _code_range,
    "die": _dice_range,
    "flag": _flag_range,
    "choice": _choice_range,
}
