"""Formulas of a rule as players say them: "the total is at least the difficulty", "dice that show 6 or more"."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne

from ...game.formula import COMPARISONS, DICE_OPERATIONS, ROUNDING_FUNCTIONS, SET_OPERATIONS, Node, walk
from ...game.model import Input, Step
from ..number_format import join_alternatives, localize
from ..strings import Words
from .dice_phrases import DicePhrases
from .throw_tests import COMPARISON_NAMES, ONE, ZERO, flatten
from .wording import BOOLEAN_OPERATORS, format_name, has_verbs, input_label, lowercase_label

_COMPARE = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_OPPOSITES = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OWN_ARTICLE = re.compile(r"(?:the|an?|your|my|their|his|her|its|each|every|no)\b", re.IGNORECASE)
_PLURAL = re.compile(r".*(?:[^sui\W]s|dice)", re.IGNORECASE | re.DOTALL)  # not "bonus", "class" or "basis"
_VOWEL = re.compile(r"(?!uni|us[aeu]|eu|one\b|once\b)[aeiou]", re.IGNORECASE)
_VERB = re.compile(  # how a choice begins that tells a player what to do: "push the roll", "stop here"
    r"(?:accept|activate|add|aim|bank|burn|choose|discard|draw|flip|fold|give|go|hold|ignore|invoke|keep|pass|pay|play|press|push"
    r"|quit|rely|reroll|risk|roll|sacrifice|spend|stay|stop|swap|take|try|turn|use)\b",
    re.IGNORECASE,
)
_AFTER_NOUN = re.compile(  # where the noun ends: "hits | needed", "hit points | left", "actions | this round"
    r",| (?:so|of|in|on|by|from|since|left|at|out|with|without|for|as|that|to|up|this|it|after|before"
    r"|lost|spent|kept|short|given|taken|drawn|\w+ed)\b",
    re.IGNORECASE,
)


def is_plural(label: str, words: Words) -> bool:
    """Whether an English label seems to be a plural; other languages avoid the question."""
    return words.language.startswith("en") and bool(_PLURAL.fullmatch(_AFTER_NOUN.split(label)[0]))


def find_article(name: str) -> str:
    """The indefinite article of an English name: "an" before the sound of a vowel."""
    return "an" if _VOWEL.match(name) else "a"


def is_action(label: str, words: Words) -> bool:
    """Whether an English label says what a player does: "push the roll"."""
    return words.language.startswith("en") and bool(_VERB.match(label))


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


class Speaker(DicePhrases):
    """Says the formulas of one rule in the words of a language."""

    @cached_property
    def steps(self) -> dict[str, Step]:
        return {step.name: step for step in self.rule.steps}

    @cached_property
    def inputs(self) -> dict[str, Input]:
        return {name: entry for entry in self.rule.inputs for name in entry.variable_names}

    @cached_property
    def used_names(self) -> frozenset[str]:
        """The values that steps, outcomes and questions refer to."""
        formulas = [step.formula for step in self.rule.steps]
        formulas += [one for outcome in self.rule.outcomes for one in (outcome.when, outcome.degree) if one]
        formulas += [entry.asked for entry in self.rule.inputs if entry.asked]
        return frozenset(node.args[0] for one in formulas for node in walk(one.node) if node.op == "name")

    def is_inlined(self, step: Step) -> bool:
        """Whether the formula of a step stands for its name: a hidden step, or a condition that has no label."""
        return step.label == "" or (
            step.label is None and step.name in self.used_names and self.is_condition(step.formula.node)
        )

    def reveal(self, node: Node) -> Node:
        """The formula in place of the name of a step that is inlined."""
        while node.op == "name" and (step := self.steps.get(node.args[0])) and self.is_inlined(step):
            node = step.formula.node
        return node

    def is_condition(self, node: Node) -> bool:
        """Whether the value of a formula is yes or no."""
        if node.op == "name":
            entry, step = self.inputs.get(node.args[0]), self.steps.get(node.args[0])
            return bool((entry and entry.form == "flag") or (step and self.is_condition(step.formula.node)))
        return node.op in BOOLEAN_OPERATORS

    # Names

    def the(self, label: str) -> str:
        """A label with its article."""
        roll, _, value = label.rpartition(": ")
        if roll:  # a value of a rule that is rolled
            return self.words("rule of roll", value=self.the(value), roll=roll)
        return label if self.has_article(label) else self.words("rule the", name=label)

    def bare(self, label: str) -> str:
        """A label without an article."""
        roll, _, value = label.rpartition(": ")
        return self.words("rule of roll", value=value, roll=roll) if roll else label

    def has_article(self, label: str) -> bool:
        """Whether an English label begins with an article, or a word in its place."""
        return self.words.language.startswith("en") and bool(_OWN_ARTICLE.match(label))

    def a(self, label: str) -> str:
        """A label with its indefinite article; German leaves it out."""
        if self.has_article(label):
            return label
        return self.words(f"rule {find_article(label)}", name=label)

    def label(self, name: str) -> str:
        """The label of a value for the middle of a sentence."""
        if name in self.tests.face_words:
            phrase = f"word {name}"
            return self.words(phrase) if phrase in self.words.phrases else format_name(name)
        if entry := self.inputs.get(name):
            label = lowercase_label(input_label(entry), self.words)
            part = "dice" if entry.parts and name == entry.parts[0] else "pips"
            return self.words(f"rule {part} of", code=self.the(label)) if entry.parts else label
        step = self.steps.get(name)
        return (step and step.label) or format_name(name)

    def subject(self, node: Node) -> str:
        """A value as the subject of a clause: "the total", "the number of hits"."""
        node = self.reveal(node)
        if node.op != "name" or node.args[0] in self.bound or self.is_condition(node):
            return self.noun(node, within=node.op == "if" or self.is_condition(node))
        return self.subject_label(self.label(node.args[0]))

    def subject_label(self, label: str) -> str:
        if ": " in label:
            return self.term(label)
        return self.words("rule number of", name=label) if is_plural(label, self.words) else self.lone_subject(label)

    def term(self, label: str) -> str:
        """A value at the head of its definition."""
        roll, _, value = label.rpartition(": ")
        if roll:
            return self.words("rule of roll", value=self.term(value), roll=roll)
        return self.words("rule number of", name=label) if is_plural(label, self.words) else self.the(label)

    def lone_subject(self, label: str) -> str:
        return label if self.has_article(label) else self.words("rule subject", name=label)

    # Numbers

    def noun(self, node: Node, within: bool = False) -> str:
        """A number in words; in parentheses if it is long and `within` arithmetic."""
        node = self.as_number(node)
        text = next(writer(self, node) for operators, writer in _WRITERS.items() if node.op in operators)
        is_long = node.op in ("if", "+") or (node.op in ("min", "max") and self._bounds(node)[1])
        return f"({text})" if within and is_long else text

    def as_number(self, node: Node) -> Node:
        """A formula as a number: a condition is 1 where it holds, else 0."""
        node = self.reveal(node)
        return Node("if", (node, ONE, ZERO)) if self.is_condition(node) else node

    def _number(self, node: Node) -> str:
        return localize(str(node.args[0]), self.words)

    def _word(self, node: Node) -> str:
        return str(node.args[0])

    def _name(self, node: Node) -> str:
        name = node.args[0]
        if name in self.bound:
            return self.bound[name]
        if function := self.rule.find_function(name):
            return self.all_results(*function)
        if name in self.tests.face_words and (phrase := f"rule the {name}") in self.words.phrases:
            return self.words(phrase)
        return self.the(self.label(name))

    def _sum(self, node: Node) -> str:
        """A sum; a part that is 0 unless something holds follows as "plus 3 if …"."""
        first, *others = flatten("+", node)
        others.sort(key=self._is_conditional)
        text = self.noun(first, within=first.op == "if")
        for part in others:
            sign, positive = ("minus", part.args[0]) if part.op == "neg" else ("plus", part)
            if positive.op == "number" and positive.args[0] < 0:
                sign, positive = "minus", Node("number", (-positive.args[0],))
            positive = self.as_number(positive)
            if self._is_conditional(part):
                what, test = self.noun(positive.args[1], within=True), self.clause(positive.args[0])
                text = self.words(f"rule {sign} if", text=text, what=what, test=test)
            else:
                text = self.words(f"rule {sign}", text=text, what=self.noun(positive, within=True))
        return text

    def _is_conditional(self, part: Node) -> bool:
        """Whether a part of a sum is 0 unless something holds."""
        part = self.as_number(part.args[0] if part.op == "neg" else part)
        return part.op == "if" and part.args[2] == ZERO

    def _product(self, node: Node) -> str:
        first, *others = flatten("*", node)
        text = " × ".join(self.noun(part, within=True) for part in others)
        return (
            self.words("rule twice", what=text)
            if first == Node("number", (2,))
            else self.words("rule times", number=self.noun(first, within=True), what=text)
        )

    def _negative(self, node: Node) -> str:
        if node.args[0].op == "number":
            return localize(str(-node.args[0].args[0]), self.words)
        return self.words("rule below zero", what=self.subject(node.args[0]))

    def _cases(self, node: Node) -> str:
        cases = []
        while node.op == "if":
            test, then, other = node.args
            cases.append(self.words("rule case", what=self._case(then), test=self.clause(test)))
            node = self.reveal(other)
        return ", ".join([*cases, self.words("rule other case", what=self._case(node))])

    def _case(self, node: Node) -> str:
        """A number in one case of several; a negative one is only the other with a minus."""
        if node.op == "neg" and node.args[0].op != "number":
            return self.words("rule minus alone", what=self.noun(node.args[0], within=True))
        return self.noun(node)

    def _bounds(self, node: Node) -> tuple[Node, dict[str, str]]:
        """What is limited, and its limits; none if an extreme is not a limit."""
        limits: dict[str, str] = {}
        while node.op in ("min", "max") and len(node.args) == 2 and f"rule {node.op} limit" not in limits:
            inner, limit = sorted(node.args, key=_is_literal)
            if not _is_literal(limit):
                break
            limits[f"rule {node.op} limit"] = self.noun(limit)
            node = inner
        return node, limits

    def _extreme(self, node: Node) -> str:
        inner, limits = self._bounds(node)
        if limits:
            texts = [self.words(name, limit=limits[name]) for name in sorted(limits)]
            return self.words("rule limited", what=self.noun(inner), limits=join_alternatives(texts, self.words, "and"))
        parts = [self.words("rule part", what=self.noun(part, within=True)) for part in node.args]
        which = "two" if len(parts) == 2 else "all"
        return self.words(f"rule {node.op} of {which}", parts=join_alternatives(parts, self.words, "and"))

    def _absolute(self, node: Node) -> str:
        parts = flatten("+", node.args[0])
        if len(parts) == 2 and parts[1].op == "neg":
            first, second = self.noun(parts[0], within=True), self.noun(parts[1].args[0], within=True)
            return self.words("rule difference", first=first, second=second)
        return self.words("rule size", what=self.noun(node.args[0], within=True))

    def _division(self, node: Node) -> str:
        over, under = node.args
        what = self.noun(over, within=True)
        if under == ONE:
            return what
        if under == Node("number", (2,)):
            return self.words(f"rule half {node.op}", what=what)
        return self.words(f"rule divide {node.op}", what=what, by=self.noun(under, within=True))

    def _lookup(self, node: Node) -> str:
        table, row, column = node.args
        name = self.the(format_name(column)) if isinstance(column, str) else self.noun(column)
        return self.words("rule lookup", table=format_name(table), row=self.noun(row), column=name)

    # Conditions

    def clause(self, node: Node, holds: bool = True) -> str:
        """A condition in words; its opposite unless `holds`."""
        node = self.reveal(node)
        if node.op == "not":
            return self.clause(node.args[0], not holds)
        if node.op in ("and", "or"):
            return self._logic(node, holds)
        if node.op in COMPARISONS:
            op: str = node.op if holds else _OPPOSITES[node.op]
            left, right = map(self.reveal, node.args)
            if left.op == "if" and (cases := self._compare_cases(op, left, right)) not in (None, ONE, ZERO):
                return self.clause(cases)
            return self._comparison(op, left, right)
        if node.op == "if" and (cases := self._join_cases(node)) not in (None, ONE, ZERO):
            return self.clause(cases, holds)
        if node.op == "name" and node.args[0] in self.steps and self.is_condition(node):
            label = self.label(node.args[0])
            return self.words("rule comes up", name=self.a(label)) if holds else self.words("rule no", name=label)
        if node.op == "name" and self.is_condition(node):
            flag = self.label(node.args[0])
            form = "action" if is_action(flag, self.words) else "flag"
            return self.words(f"rule {form}" if holds else f"rule not {form}", flag=flag)
        return self._comparison("!=" if holds else "=", node, ZERO)

    def _compare_cases(self, op: str, node: Node, right: Node) -> Node | None:
        """A comparison of cases with a fixed value as a condition; None if a case is no fixed value itself."""
        cases = [self.reveal(part) for part in node.args[1:]]
        if right.op not in ("number", "word") or not all(one.op in ("if", right.op) for one in cases):
            return None
        compared = [
            self._compare_cases(op, one, right)
            if one.op == "if"
            else Node("number", (int(_COMPARE[op](one.args[0], right.args[0])),))
            for one in cases
        ]
        return self._join_cases(Node("if", (node.args[0], *compared))) if None not in compared else None

    def _join_cases(self, node: Node) -> Node | None:
        """Cases that are yes or no as a condition without cases; 1 or 0 if all are alike, None if one is a number."""
        test, *cases = node.args
        then, other = (self._join_cases(part) if part.op == "if" else part for part in map(self.reveal, cases))
        if then is None or other is None or then == other:
            return then if then == other else None
        if not all(one in (ONE, ZERO) or self.is_condition(one) for one in (then, other)):
            return None
        if then == ZERO or other == ONE:  # asked the other way round
            test, then, other = Node("not", (test,)), other, then
        if then == ONE:
            return test if other == ZERO else Node("or", (test, other))
        held = Node("and", (test, then))
        return held if other == ZERO else Node("or", (held, Node("and", (Node("not", (test,)), other))))

    def _logic(self, node: Node, holds: bool) -> str:
        op = node.op if holds else {"and": "or", "or": "and"}[node.op]
        parts = [self._inner_clause(part, holds, op) for part in flatten(node.op, node)]
        return join_alternatives(parts, self.words, op)

    def _inner_clause(self, node: Node, holds: bool, outer: str) -> str:
        text, node = self.clause(node, holds), self.reveal(node)
        while node.op == "not":
            node, holds = self.reveal(node.args[0]), not holds
        own = node.op if holds else {"and": "or", "or": "and"}.get(node.op, node.op)
        return self.words("rule either", clauses=text) if own == "or" and outer == "and" else text

    def _comparison(self, op: str, left: Node, right: Node) -> str:
        if left.op == "number" and right.op != "number":
            left, right = right, left
            op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
        specials = (self._choice, self._die_comparison, self._dice_comparison, self._many)
        if special := next(filter(None, (special(op, left, right) for special in specials)), ""):
            return special
        name = f"rule {COMPARISON_NAMES[op]}"
        if op == "=" and right.op in ("number", "neg", "word"):
            name = "rule is"
        return self.words(name, left=self.subject(left), right=self.noun(right, within=True))

    def _choice(self, op: str, left: Node, right: Node) -> str:
        """A choice that was made."""
        entry = self.inputs.get(left.args[0]) if left.op == "name" and right.op == "word" else None
        if entry is None or entry.form != "choice":
            return ""
        subject = self.lone_subject(self.label(left.args[0]))
        if has_verbs(entry) and op == "=":
            return self.words("rule choice verb", left=subject, right=right.args[0])
        return self.words("rule is" if op == "=" else "rule other", left=subject, right=right.args[0])

    def _die_comparison(self, op: str, left: Node, right: Node) -> str:
        """Whether there is a die of an input that may be none."""
        entry = self.inputs.get(left.args[0]) if left.op == "name" and right == ZERO else None
        if entry is None or entry.form != "die" or op not in ("=", "!=", ">"):
            return ""
        die = self.die_label(entry)
        return self.words("rule no such die", die=die) if op == "=" else self.words("rule such a die", die=self.a(die))

    def die_label(self, entry: Input, is_many: bool = False) -> str:
        """The label of an input that is a die, with that word."""
        label = self.label(entry.name).rpartition(": ")[2]  # the roll it belongs to is said elsewhere
        is_named = label.endswith(("die", "dice", "Würfel"))
        if is_many and label.endswith(" die"):
            return f"{label[:-3]}{self.words('rule lone dice')}"
        return label if is_named else self.words("rule kind dice" if is_many else "rule kind die", kind=label)

    def _dice_comparison(self, op: str, left: Node, right: Node) -> str:
        """How many dice pass a test: "no die shows 1", "at least 2 dice show 6"."""
        counted = self.counts_alike(left) if left.op == "count" else None
        if counted is None or right.op != "number":
            return ""
        kind, number = counted[0], right.args[0] + (op == ">") - (op == "<")
        test = self.throw_test(*counted)
        amount = {">": "least", ">=": "least", "<": "most", "<=": "most", "=": "exactly"}.get(op)
        if test.condition or amount is None:
            return ""
        if number == 0 and amount != "least":
            return self.words(f"rule no {self.piece([kind])}", die=self.die_of(kind), faces=test.faces)
        if number == 1 and amount == "least":
            return self.words(f"rule any {self.piece([kind])}", die=self.die_of(kind), faces=test.faces)
        if number == 1:
            return self.words(f"rule {amount} one {self.piece([kind])}", die=self.die_of(kind), faces=test.faces)
        return self.words(f"rule {amount} dice", number=number, dice=self.dice_of([kind]), faces=test.faces)

    def _many(self, op: str, left: Node, right: Node) -> str:
        """A value with a plural name: "there are no hits", "there are at least 2 sixes"."""
        is_name = left.op == "name" and right.op == "number" and right.args[0] >= 0
        label = self.label(left.args[0]) if is_name else ": "
        if ": " in label or not is_plural(label, self.words):
            return ""
        number = right.args[0] + (op == ">") - (op == "<")
        if number < 0 or (number == 0 and op == ">="):
            return ""
        if op in ("=", "<", "<=") and number == 0:
            return self.words("rule there are no", name=label)
        if op in ("!=", ">", ">=") and number == (0 if op == "!=" else 1):
            return self.words("rule there are", name=label)
        amount = {">": "least", ">=": "least", "<": "most", "<=": "most", "=": "exactly"}.get(op)
        return self.words(f"rule there are {amount}", number=number, name=label) if amount and number != 1 else ""


def _is_literal(node: Node) -> bool:
    return node.op == "number" or (node.op == "neg" and node.args[0].op == "number")


_WRITERS: dict[tuple[str, ...], Callable[[Speaker, Node], str]] = {
    ("number",): Speaker._number,
    ("word",): Speaker._word,
    ("name",): Speaker._name,
    ("+",): Speaker._sum,
    ("*",): Speaker._product,
    ("neg",): Speaker._negative,
    ("if",): Speaker._cases,
    ("min", "max"): Speaker._extreme,
    ("abs",): Speaker._absolute,
    ROUNDING_FUNCTIONS: Speaker._division,
    ("lookup",): Speaker._lookup,
    DICE_OPERATIONS: Speaker.dice_function,
    SET_OPERATIONS: Speaker.dice_set,
}
