"""Lexer and parser of formulas: text to syntax tree. The handbook page "Formulas" describes the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from ..source import suggest

LARGEST = 2**53 - 1
LONGEST = 2_000  # characters
DEEPEST = 40  # nested brackets
TALLEST = 80  # depth of the tree; the compiler and the evaluator are recursive
DICE = ("sum", "count", "highest", "lowest")
ROUNDINGS = ("down", "up", "near")
COMPARISONS = ("=", "!=", "<=", ">=", "<", ">")
FUNCTIONS = (*DICE, *ROUNDINGS, "if", "min", "max", "abs", "lookup")
THROW_WORDS = ("face", "last", "throw", "good", "bad")
DIE_WORDS = ("value", "sides")
SHEET_WORDS = ("sumof", "number", "dots")
RESERVED = frozenset((*FUNCTIONS, *THROW_WORDS, *DIE_WORDS, *SHEET_WORDS, "and", "or", "not"))


@dataclass(frozen=True, slots=True)
class Node:
    """One operation of a formula; `args` are nodes, or the plain names, words and numbers that it needs.

    `labels` are the offsets of the kinds, tables and columns among them. Comparing trees ignores all offsets."""

    op: str
    args: tuple[Any, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    labels: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    def nodes(self) -> Iterator[Node]:
        return (arg for arg in self.args if isinstance(arg, Node))

    def label(self, number: int) -> Node:
        """A node with the offsets of one label."""
        start, end = self.labels[number] if number < len(self.labels) else (self.start, self.end)
        return Node("label", (), start, end)


def walk(node: Node) -> Iterator[Node]:
    """The node and its descendants, in preorder."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += reversed(list(found.nodes()))


def depth(node: Node) -> int:
    return 1 + max((depth(child) for child in node.nodes()), default=0)


def names_in(node: Node) -> set[str]:
    return {inner.args[0] for inner in walk(node) if inner.op == "name"}


def to_json(node: Node) -> Any:
    """A formula as nested lists, the form that the browser receives; numbers are plain numbers."""
    if node.op == "number":
        return node.args[0]
    return [node.op, *(to_json(arg) if isinstance(arg, Node) else arg for arg in node.args)]


SIGNS = {  # what people type: what to write instead
    "==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "≠": "!=", "&&": "and", "||": "or", "&": "and",
    "|": "or", "!": "not", "×": "*", "·": "*", "÷": "down(a / b)", "//": "down(a / b)", "**": "a * a", "^": "a * a",
    "%": "a - b * down(a / b) for what a division leaves over", "[": "(", "]": ")", "{": "(", "}": ")", "–": "-",
    ".": "whole numbers; for a fraction down(a / b), up(a / b) or near(a / b)",
    "\u201c": "single straight quotes: 'word'", "\u201d": "single straight quotes: 'word'",
    "\u201e": "single straight quotes: 'word'", "\u2018": "single straight quotes: 'word'",
    "\u2019": "single straight quotes: 'word'", '"': "single quotes: 'word'",
}  # fmt: skip
TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)|(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<word>'[^'\x00-\x1f\x7f\ud800-\udfff]*')"
    r"|(?P<strange>==|<>|=<|=>|&&|\|\||//|\*\*)"
    r"|(?P<sign><=|>=|!=|[-+*/()=<>,−])|(?P<other>.)",
    re.DOTALL,
)


class FormulaError(Exception):
    """A syntax error in a formula, with its start and end offsets."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    for found in TOKEN.finditer(text):
        kind = found.lastgroup or ""
        if kind in ("strange", "other"):
            raise FormulaError(strange(found.group()), found.start(), found.end())
        if kind != "blank":
            yield Token(kind, found.group().replace("−", "-"), found.start(), found.end())
    yield Token("end", "", len(text), len(text))


def strange(sign: str) -> str:
    """The message about a character that formulas do not have."""
    if sign in SIGNS:
        return f"a formula does not know «{sign}»; write {SIGNS[sign]}"
    if sign == "'":
        return "the word that begins with this quote has no end"
    if sign.isalpha():
        return (
            f"names in a formula have no «{sign}»; a kind of dice, a table or a column that has it stands in 'quotes'"
        )
    return f"a formula cannot hold «{sign}»" if sign.isprintable() else f"a formula cannot hold {ascii(sign)[1:-1]}"


def leftover(text: str) -> str:
    """The message about a token after a complete formula."""
    if text == "/":
        return "«/» may only divide inside down(a / b), up(a / b) or near(a / b)"
    if text == ")":
        return "this bracket closes nothing"
    if text == ",":
        return "a comma stands only between the values of a function"
    if re.fullmatch(r"d[0-9]+", text):
        return "a formula does not throw dice: declare them, then write sum(…) of their kind"
    if text.lower() in ("and", "or", "not"):
        return f"write «{text.lower()}» in small letters"
    return f"a sign such as + or * is missing before «{text}»"


OVER_GROUPS = {"sumof": "sumof", "number": "numberof"}
VALUES = {"if": "three values: if(condition, then, else)", "abs": "one value: abs(a)"}


def parse(text: str, on_sheet: bool = False) -> Node:
    """Parse a formula, or raise FormulaError. With `on_sheet`, sumof and number are functions over groups of traits."""
    if len(text) > LONGEST:
        said = f"this formula has {len(text):,} characters; a formula may have {LONGEST:,}: split it into steps"
        raise FormulaError(said, 0, LONGEST)
    parser = Parser(text, on_sheet)
    node = parser.whole()
    if depth(node) > TALLEST:
        raise FormulaError("this is nested too deeply; split it into steps", 0, len(text))
    return node


# precedence of operators
LEVELS = {"or": 0, "and": 1, "not": 2, **dict.fromkeys(COMPARISONS, 3), "+": 4, "-": 4, "*": 5}


class Parser:
    """Precedence climbing parser; a chain of equal operators becomes one flat node."""

    def __init__(self, text: str, on_sheet: bool) -> None:
        self.depth, self.on_sheet = 0, on_sheet
        self.tokens = tokens(text)
        self.token = next(self.tokens)

    def whole(self) -> Node:
        if self.token.kind == "end":
            self.fail("the formula is empty")
        node = self.formula()
        if self.token.kind != "end":
            self.fail(leftover(self.token.text))
        return node

    def formula(self) -> Node:
        return self.level(0)

    def level(self, least: int) -> Node:
        """Parse an expression whose operators outside of brackets have at least this precedence."""
        node = self.negated() if self.token.text == "not" and least <= LEVELS["not"] else self.signed()
        while (level := LEVELS.get(self.token.text, -1)) >= least and self.token.text != "not":
            node = self.compared(node) if self.token.text in COMPARISONS else self.joined(node, level)
        return node

    def joined(self, first: Node, level: int) -> Node:
        """Parse the rest of a chain of operators; a - b becomes the sum of a and -b."""
        parts, op = [first], "+" if self.token.text == "-" else self.token.text
        while LEVELS.get(self.token.text) == level:
            sign = self.take()
            part = self.level(level + 1)
            parts.append(Node("neg", (part,), sign.start, part.end) if sign.text == "-" else part)
        return Node(op, tuple(parts), first.start, parts[-1].end)

    def compared(self, left: Node) -> Node:
        sign = self.take().text
        right = self.level(LEVELS["+"])
        if self.token.text in COMPARISONS:
            self.fail("comparisons do not chain; join two of them with «and»")
        return Node(sign, (left, right), left.start, right.end)

    def negated(self) -> Node:
        """Parse one or more `not`. Two in a row turn any number into 1 or 0, so at most two are kept."""
        start, count = self.token.start, 0
        while self.token.text == "not":
            self.take()
            count += 1
        node = self.level(LEVELS["="])
        for _ in range(2 - count % 2):
            node = Node("not", (node,), start, node.end)
        return node

    def signed(self) -> Node:
        start, count = self.token.start, 0
        while self.token.text == "-":
            self.take()
            count += 1
        node = self.atom()
        return Node("neg", (node,), start, node.end) if count % 2 else node

    def atom(self) -> Node:
        token = self.token
        if token.text == "(":
            return self.bracket()
        if token.kind not in ("number", "word", "name") or token.text in ("and", "or", "not"):
            self.fail(self.no_value())
        self.take()
        if token.kind == "number":
            return number(token)
        if token.kind == "word":
            return Node("word", (token.text[1:-1],), token.start, token.end)
        if self.token.text == "(":
            return self.call(token)
        if token.text in FUNCTIONS:
            raise FormulaError(f"«{token.text}» needs brackets: {token.text}(…)", token.start, token.end)
        return Node("name", (token.text,), token.start, token.end)

    def enter(self) -> int:
        """Consume an opening bracket; return its offset."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"brackets are nested deeper than {DEEPEST}; split this into steps")
        return self.take().start

    def leave(self) -> int:
        self.depth -= 1
        return self.expect(")").end

    def bracket(self) -> Node:
        start = self.enter()
        inner = self.formula()
        return Node(inner.op, inner.args, start, self.leave(), inner.labels)

    def call(self, name: Token) -> Node:
        if self.on_sheet and name.text in OVER_GROUPS:
            self.enter()
            return self.over_group(name)
        if name.text not in FUNCTIONS:
            said = (
                "known only on sheets" if name.text in SHEET_WORDS else "no function; " + suggest(name.text, FUNCTIONS)
            )
            raise FormulaError(f"«{name.text}» is {said}", name.start, name.end)
        self.enter()
        if name.text in DICE:
            return self.over_dice(name)
        if name.text in ROUNDINGS:
            over, under = self.division(name.text)
            return Node(name.text, (over, under), name.start, self.leave())
        return self.lookup(name) if name.text == "lookup" else self.plain(name)

    def plain(self, name: Token) -> Node:
        found = [self.formula()]
        while self.token.text == ",":
            self.take()
            found.append(self.formula())
        end = self.leave()
        wanted = {"if": 3, "abs": 1}.get(name.text)
        if wanted != len(found) and (wanted or len(found) < 2):
            said = VALUES.get(name.text, f"two values or more: {name.text}(a, b)")
            raise FormulaError(f"{name.text} takes {said}", name.start, end)
        return Node(name.text, tuple(found), name.start, end)

    def over_dice(self, name: Token) -> Node:
        kind, test = self.label("kind of dice"), None
        if name.text == "count" and self.token.text == ",":
            self.take()
            test = self.formula()
        elif self.token.text == ",":
            self.fail(f"only count takes a test; {name.text} looks at all dice of a kind")
        return Node(name.text, (label(kind), test), name.start, self.leave(), ((kind.start, kind.end),))

    def over_group(self, name: Token) -> Node:
        group, test = self.label("group of traits"), None
        if name.text == "number":
            if self.token.text != ",":
                self.fail("number takes a group and a test: number(group, dots >= 1)")
            self.take()
            test = self.formula()
        place = ((group.start, group.end),)
        return Node(OVER_GROUPS[name.text], (label(group), test), name.start, self.leave(), place)

    def lookup(self, name: Token) -> Node:
        table = self.label("table")
        self.comma()
        row = self.formula()
        self.comma()
        column = self.label("column")
        places = ((table.start, table.end), (column.start, column.end))
        return Node("lookup", (label(table), row, label(column)), name.start, self.leave(), places)

    def comma(self) -> None:
        if self.token.text != ",":
            self.fail("lookup takes three things: lookup(table, row, column)")
        self.take()

    def division(self, name: str) -> tuple[Node, Node]:
        over = self.level(LEVELS["*"])
        if self.token.text in ("+", "-"):
            self.fail(f"put brackets around what is divided: {name}((a + b) / c)")
        if self.token.text != "/":
            self.fail(f"{name} rounds a division: {name}(a / b)")
        self.take()
        under = self.signed()
        if self.token.kind != "end" and self.token.text != ")":
            self.fail(f"put brackets around what divides: {name}(a / (b * c))")
        return over, under

    def label(self, what: str) -> Token:
        """Parse the name of a kind of dice, a table or a column: a bare name, or any text in quotes."""
        if self.token.kind not in ("word", "name"):
            self.fail(f"the name of a {what} is missing here")
        found = self.take()
        if found.kind == "name" and self.token.text not in (",", ")", ""):
            self.fail(f"the name of a {what} that holds blanks or signs stands in 'quotes'")
        return found

    def take(self) -> Token:
        token, self.token = self.token, next(self.tokens, self.token)
        return token

    def expect(self, sign: str) -> Token:
        if self.token.text != sign:
            self.fail(self.absent(sign))
        return self.take()

    def fail(self, message: str) -> NoReturn:
        raise FormulaError(message, self.token.start, self.token.end)

    def absent(self, sign: str) -> str:
        """The message about a token in place of an expected sign."""
        if self.token.kind == "end":
            return f"the formula stops too early: «{sign}» is missing here"
        return (
            leftover(self.token.text) if self.token.text == "/" else f"«{sign}» is missing before «{self.token.text}»"
        )

    def no_value(self) -> str:
        """The message about a token in place of a value."""
        if self.token.kind == "end":
            return "the formula stops too early: a value is missing here"
        if self.token.text == "not":
            return "put brackets around it: (not …)"
        return f"a value is missing before «{self.token.text}»"


def number(token: Token) -> Node:
    value = int(token.text)
    if value > LARGEST:
        raise FormulaError(f"numbers go up to {LARGEST}", token.start, token.end)
    return Node("number", (value,), token.start, token.end)


def label(token: Token) -> str:
    return token.text[1:-1] if token.kind == "word" else token.text
