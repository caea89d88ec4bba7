"""Formulas and inputs of a rule in words: "face ≥ difficulty", "Difficulty 6", "2 to 10"."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from ...game.formula import COMPARISONS, DICE, DIE_WORDS, ROUNDINGS, THROW_WORDS, Node
from ...game.inputs import die_name, read_value, shown
from ...game.model import SIDES, Formula, Input, Rule
from ..numbers import listed, local
from ..strings import Words

SIGNS = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}
LEVELS = {"or": 1, "and": 2, "not": 3, **dict.fromkeys(COMPARISONS, 4), "+": 5, "neg": 5, "*": 6}
SENTENCE, ATOM = 0, 9  # precedence of clauses, and of parts that never need parentheses
TRUTHS = (*COMPARISONS, "and", "or", "not")

Leaf = Callable[[Node], str | None]  # text that replaces a name or a count of dice; None to keep its words


def unknown(_node: Node) -> None:
    return None  # no replacement text


@lru_cache(maxsize=4096)
def readable(formula: Formula, words: Words, rule: Rule) -> str:
    """A formula in words; cached because every card of the rule repeats it."""
    return Speaker(words, single_kinds(rule)).say(formula.node)


def test_words(formula: Formula, words: Words) -> str:
    """A condition for a throw or a die in words, such as "face ≥ difficulty"."""
    return Speaker(words, frozenset(), in_test=True).say(formula.node)


@lru_cache(maxsize=256)
def single_kinds(rule: Rule) -> frozenset[str]:
    """Kinds with at most one die: their sum is that die."""
    earned = {kind.again.roll for kind in rule.dice if kind.again}
    single = (kind.name for kind in rule.dice if is_single(kind.count.node) and not kind.again)
    return frozenset(name for name in single if name not in earned)


def is_single(count: Node) -> bool:
    """Whether the count of a kind is 1, or 1 under a condition and else 0."""
    if count.op == "if":
        return all(is_single(part) or part == Node("number", (0,)) for part in count.args[1:])
    return count == Node("number", (1,))


def tests(node: Node) -> bool:
    """Whether a node is a count that ends with a condition, so that text after it would seem to belong to that."""
    return node.op == "count" and len(node.args) == 2 and not is_judged(node.args[1])


def is_judged(test: Node) -> bool:
    """Whether the test of a count is "good" or "bad"."""
    return test.op == "name" and test.args[0] in ("good", "bad")


def is_truth(formula: Formula) -> bool:
    """Whether the value of a formula is true or false."""
    return formula.node.op in TRUTHS


def named(name: str) -> str:
    """A name for readers, with spaces instead of underscores."""
    return name.replace("_", " ")


def begun(name: str) -> str:
    """A name for the headline of a card, such as "Own turn"."""
    text = named(name)
    return text[:1].upper() + text[1:]


class Speaker(NamedTuple):
    """Renders the nodes of a formula in words, with parentheses where precedence needs them."""

    words: Words
    single: frozenset[str]  # kinds with at most one die
    leaf: Leaf = unknown
    in_test: bool = False  # in the test of a count, where names are values of a throw

    def say(self, node: Node, least: int = SENTENCE) -> str:
        """A node in words, in parentheses if its precedence is too low for its place."""
        text = self.leaf(node) if node.op == "name" or node.op in DICE else None
        if text is not None:
            return text
        return f"({self.plain(node)})" if self.level(node) < least else self.plain(node)

    def level(self, node: Node) -> int:
        """The precedence of the words of a node."""
        if node.op in ("if", "min", "max", *ROUNDINGS) or tests(node):
            return SENTENCE
        return LEVELS.get(node.op, ATOM)

    def plain(self, node: Node) -> str:
        """A node in words, without parentheses around it."""
        for operators, say in SAID.items():
            if node.op in operators:
                return say(self, node)
        return str(node.args[0])

    def name(self, node: Node) -> str:
        name: str = node.args[0]
        return self.words(f"word {name}") if self.in_test and name in (*THROW_WORDS, *DIE_WORDS) else named(name)

    def word(self, node: Node) -> str:
        return self.words("quoted", text=node.args[0])

    def sum(self, node: Node) -> str:
        first, *others = node.args
        text = self.say(first, LEVELS["+"])
        for part in others:
            minus = part.op == "neg"
            text += f" {'−' if minus else '+'} {self.say(part.args[0] if minus else part, LEVELS['*'])}"
        return text

    def product(self, node: Node) -> str:
        return " × ".join(self.say(part, LEVELS["*"] + 1) for part in node.args)

    def negative(self, node: Node) -> str:
        return f"−{self.say(node.args[0], LEVELS['*'])}"

    def comparison(self, node: Node) -> str:
        left, right = (self.say(part, LEVELS["+"]) for part in node.args)
        return f"{left} {SIGNS[node.op]} {right}"

    def joined(self, node: Node) -> str:
        return f" {self.words(node.op)} ".join(self.say(part, LEVELS[node.op] + 1) for part in node.args)

    def negation(self, node: Node) -> str:
        return self.words("not", what=self.say(node.args[0], ATOM))

    def choice(self, node: Node) -> str:
        test, then, other = node.args
        rest = self.say(other, SENTENCE if other.op == "if" else 1)
        return self.words("if", test=self.say(test, 1), then=self.say(then, 1), other=rest)

    def extreme(self, node: Node) -> str:
        """`max(a, 0)` becomes "a, at least 0"."""
        if len(node.args) == 2 and node.args[1].op == "number":
            return self.words(f"{node.op} of one", what=self.say(node.args[0], 1), limit=self.say(node.args[1]))
        parts = [self.say(part, LEVELS["not"]) for part in node.args]  # joined by "and"
        return self.words(f"{node.op} of all", first=", ".join(parts[:-1]), last=parts[-1])

    def absolute(self, node: Node) -> str:
        return f"|{self.say(node.args[0])}|"

    def division(self, node: Node) -> str:
        over, under = (self.say(part, LEVELS["*"] + 1) for part in node.args)
        return self.words(f"round {node.op}", over=over, under=under)

    def lookup(self, node: Node) -> str:
        table, row, column = node.args
        return self.words("lookup", table=named(table), row=self.say(row), column=named(column))

    def over_dice(self, node: Node) -> str:
        kind = named(node.args[0])
        if node.op != "count" and node.args[0] in self.single:
            return self.words("that die", kind=kind)
        if node.op != "count" or len(node.args) == 1:
            return self.words(f"{node.op} of dice", kind=kind)
        test: Node = node.args[1]
        if is_judged(test):
            return self.words(f"{test.args[0]} dice", kind=kind)
        return self.words("dice with", kind=kind, test=self._replace(in_test=True).say(test))


SAID: dict[tuple[str, ...], Callable[[Speaker, Node], str]] = {
    ("name",): Speaker.name,
    ("word",): Speaker.word,
    ("+",): Speaker.sum,
    ("*",): Speaker.product,
    ("neg",): Speaker.negative,
    COMPARISONS: Speaker.comparison,
    ("and", "or"): Speaker.joined,
    ("not",): Speaker.negation,
    ("if",): Speaker.choice,
    ("min", "max"): Speaker.extreme,
    ("abs",): Speaker.absolute,
    ROUNDINGS: Speaker.division,
    ("lookup",): Speaker.lookup,
    DICE: Speaker.over_dice,
}


class Given(NamedTuple):
    """The label and value of an input; the value of a flag that is set is empty."""

    label: str
    value: str


class Asked(NamedTuple):
    """An input as the rule declares it: its label, its name in formulas, its range and its initial value."""

    label: str
    name: str
    may_be: str
    start: str


def given(rule: Rule, texts: Mapping[str, str], words: Words) -> list[Given]:
    """The inputs that have a value, in the order of the rule."""
    return [stated(entry, texts[entry.name], words) for entry in rule.inputs if entry.name in texts]


def stated(entry: Input, text: str, words: Words) -> Given:
    """An input and its value: "Difficulty 6", "Using a specialty", "Using a specialty: no", "Pace: running"."""
    value = given_text(entry, text, words)
    return Given(f"{label(entry)}:" if entry.form in ("flag", "choice") and value else label(entry), value)


def label(entry: Input) -> str:
    """The label of an input, or its name."""
    return entry.label or named(entry.name).capitalize()


def label_of(rule: Rule, name: str, words: Words) -> str:
    """The label of an input by its name, also of a side such as `first.die`; any other name with spaces."""
    if rule.contest and "." in name:
        side, _, own = name.partition(".")
        number = SIDES.index(side)
        return words(f"of side {number + 1}", name=label_of(rule.contest.of[number], own, words))
    found = next((entry for entry in rule.inputs if entry.name == name), None)
    return label(found) if found else named(name)


def given_text(entry: Input, text: str, words: Words) -> str:
    """A value as it was written; a named number with its number."""
    value, complaint = read_value(entry, text)
    if complaint:
        return text
    if entry.form == "flag":
        return "" if value else words("no")
    written = local(shown(entry, value), words)
    if entry.form == "number" and text.strip().replace("−", "-").lstrip("+") != str(value):
        return words("named number", name=text, number=written)
    return words("none") if written == die_name(0) else written


def asked(rule: Rule, words: Words, texts: Mapping[str, str] | None = None) -> list[Asked]:
    """All inputs of a rule, with initial values from `texts` or their defaults."""
    return [question(rule, entry, words, texts) for entry in rule.inputs]


def question(rule: Rule, entry: Input, words: Words, texts: Mapping[str, str] | None) -> Asked:
    """One input; its name is empty if the label is the same."""
    name = listed([named(one) for one in entry.variables], words, "and")
    told = "" if name == label(entry).lower() else name
    text = (texts or {}).get(entry.name)
    start = default(entry, words) if text is None else given_text(entry, text, words) or words("yes")
    return Asked(label(entry), told, may_be(rule, entry, words), start)


def default(entry: Input, words: Words) -> str:
    """The default value of an input in words, empty without one."""
    return "" if entry.default is None else given_text(entry, shown(entry, entry.default), words) or words("yes")


def may_be(rule: Rule, entry: Input, words: Words) -> str:
    """The range of an input: "2 to 10", "d4, d6 or d8", "yes or no", with its named values and its condition."""
    text = RANGES[entry.form](entry, words)
    if entry.names:
        names = [name for name, number in entry.names.names.items() if entry.least <= number <= entry.most]
        text = words("or by name", values=text, names=listed(names, words))
    if entry.open:
        text = words("may be unknown", values=text)
    return words("asked when", values=text, test=readable(entry.asked, words, rule)) if entry.asked else text


def number_range(entry: Input, words: Words) -> str:
    return words("range", low=local(str(entry.least), words), high=local(str(entry.most), words))


def code_range(entry: Input, words: Words) -> str:
    return words("range", low=f"{entry.least}D", high=f"{entry.most}D+2")


def dice_range(entry: Input, words: Words) -> str:
    return listed([die_name(sides) if sides else words("none") for sides in entry.dice], words)


def either(_entry: Input, words: Words) -> str:
    return listed([words("yes"), words("no")], words)


def choices(entry: Input, words: Words) -> str:
    return listed([words("quoted", text=choice) for choice in entry.choices], words)


RANGES = {"number": number_range, "code": code_range, "die": dice_range, "flag": either, "choice": choices}
