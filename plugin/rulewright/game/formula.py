"""Lexer and parser of formulas: text to syntax tree. The handbook page "Formulas" describes the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

from ..source import suggest

MAX_NUMBER = 2**53 - 1
_MAX_LENGTH = 2_000  # characters
_MAX_BRACKET_DEPTH = 40  # nested brackets
_MAX_TREE_DEPTH = 80  # depth of the tree; the compiler and the evaluator are recursive
DICE_FUNCTIONS = ("sum", "count", "highest", "lowest")
ROUNDING_FUNCTIONS = ("down", "up", "near")
COMPARISONS = ("=", "!=", "<=", ">=", "<", ">")
FUNCTIONS = (*DICE_FUNCTIONS, *ROUNDING_FUNCTIONS, "if", "min", "max", "abs", "lookup")
THROW_WORDS = ("face", "last", "throw", "good", "bad")
DIE_WORDS = ("value", "sides")
_SHEET_WORDS = ("sumof", "number", "dots")
RESERVED_WORDS = frozenset((*FUNCTIONS, *THROW_WORDS, *DIE_WORDS, *_SHEET_WORDS, "and", "or", "not"))


@dataclass(frozen=True, slots=True)
class Node:
    """One operation of a formula; `args` are nodes, or the plain names, words and numbers that it needs.

    `labels` are the offsets of the kinds, tables and columns among them. Comparing trees ignores all offsets."""

    op: str
    args: tuple[Any, ...]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    labels: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    def child_nodes(self) -> Iterator[Node]:
        return (arg for arg in self.args if isinstance(arg, Node))

    def label_node(self, number: int) -> Node:
        """A node with the offsets of one label."""
        start, end = self.labels[number] if number < len(self.labels) else (self.start, self.end)
        return Node("label", (), start, end)


FACE = Node("name", ("face",))


def compared_face(node: Node) -> Node | None:
    """The word in `face = 'word'`, which is a whole face as it is written."""
    if node.op not in ("=", "!=") or FACE not in node.args:
        return None
    return next((arg for arg in node.args if arg.op == "word"), None)


def walk(node: Node) -> Iterator[Node]:
    """The node and its descendants, in preorder."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += [arg for arg in reversed(current.args) if isinstance(arg, Node)]


def _tree_depth(node: Node) -> int:
    return 1 + max((_tree_depth(child) for child in node.child_nodes()), default=0)


def collect_names(node: Node) -> set[str]:
    return {inner.args[0] for inner in walk(node) if inner.op == "name"}


_SIGN_ALIASES = {  # signs of other languages and of mathematics that mean exactly one of ours
    "==": "=", "<>": "!=", "=<": "<=", "=>": ">=", "≤": "<=", "≥": ">=", "≠": "!=", "&&": "and", "||": "or", "×": "*",
    "·": "*", "−": "-",
}  # fmt: skip
_SIGN_ADVICE = {  # what people type: what to write instead
    "&": "and", "|": "or", "!": "not", "÷": "down(a / b)", "//": "down(a / b)", "**": "a * a", "^": "a * a",
    "%": "a - b * down(a / b) for the rest of a division", "[": "(", "]": ")", "{": "(", "}": ")", "–": "-",
    ".": "whole numbers, or down(a / b), up(a / b) or near(a / b) for a fraction",
    "\u201c": "single straight quotes: 'word'", "\u201d": "single straight quotes: 'word'",
    "\u201e": "single straight quotes: 'word'", "\u2018": "single straight quotes: 'word'",
    "\u2019": "single straight quotes: 'word'", '"': "single quotes: 'word'",
}  # fmt: skip
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)|(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<word>'[^'\x00-\x1f\x7f\ud800-\udfff]*')"
    r"|(?P<strange>//|\*\*)"
    r"|(?P<sign>==|<>|=<|=>|&&|\|\||<=|>=|!=|[-+*/()=<>,−≤≥≠×·])|(?P<other>.)",
    re.DOTALL,
)


class FormulaError(Exception):
    """A syntax error in a formula, with its start and end offsets."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def _tokenize(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind in ("strange", "other"):
            raise FormulaError(_describe_bad_character(match.group()), match.start(), match.end())
        if kind != "blank":
            yield _Token(kind, _canonical_text(kind, match), match.start(), match.end())
    yield _Token("end", "", len(text), len(text))


def _canonical_text(kind: str, match: re.Match[str]) -> str:
    """The text of a token in its one spelling: `≥` is `>=`, `AND` is `and`, and `COUNT(` is `count(`."""
    text = match.group()
    if kind == "sign":
        return _SIGN_ALIASES.get(text, text)
    lower = text.lower()
    is_call = lower in FUNCTIONS and match.string[match.end() :].lstrip()[:1] == "("
    return lower if kind == "name" and (is_call or text in ("AND", "OR", "NOT")) else text


def _describe_bad_character(sign: str) -> str:
    """The message about a character that formulas do not have."""
    if sign in _SIGN_ADVICE:
        return f"a formula does not have `{sign}`; write {_SIGN_ADVICE[sign]}"
    if sign == "'":
        return "the word that begins with this quote has no end"
    if sign.isalpha():
        return (
            f"names in a formula have no «{sign}»; a kind of dice, a table or a column that has it stands in 'quotes'"
        )
    return f"a formula cannot hold «{sign}»" if sign.isprintable() else f"a formula cannot hold {ascii(sign)[1:-1]}"


def _describe_leftover(text: str) -> str:
    """The message about a token after a complete formula."""
    if text == "/":
        return "a division says how it rounds; write down(a / b), up(a / b) or near(a / b)"
    if text == ")":
        return "this bracket closes nothing; remove it, or write ( before it"
    if text == ",":
        return "a comma can only separate the values of a function, such as max(a, b); remove it"
    if re.fullmatch(r"d[0-9]+", text):
        declaration = f"{text} = {{ sides = {text[1:]} }}"
        return f"a formula does not roll dice; declare them, such as {declaration}, and write sum({text})"
    if text in ("x", "X"):
        return f"`{text}` does not multiply; write *"
    return f"a sign such as + or * is missing before `{text}`"


_OTHER_FUNCTIONS = {  # functions of spreadsheets and programming languages: what to write instead
    "floor": "down(a / b)", "ceil": "up(a / b)", "ceiling": "up(a / b)", "round": "near(a / b)", "total": "sum(…)",
    "add": "sum(…)", "maximum": "max(a, b)", "minimum": "min(a, b)", "worst": "lowest(…)", "best": "highest(…)",
    "average": "down(a / b) of a sum and a count", "avg": "down(a / b) of a sum and a count",
    "mod": "a - b * down(a / b)", "iff": "if(condition, then, else)",
}  # fmt: skip
_GROUP_FUNCTIONS = {"sumof": "sumof", "number": "numberof"}
_ARGUMENT_ADVICE = {"if": "three values: if(condition, then, else)", "abs": "one value: abs(a)"}


def parse_formula(text: str, on_sheet: bool = False) -> Node:
    """Parse a formula, or raise FormulaError. With `on_sheet`, sumof and number are functions over groups of traits."""
    if len(text) > _MAX_LENGTH:
        message = f"this formula has {len(text):,} characters; a formula may have {_MAX_LENGTH:,}: split it into steps"
        raise FormulaError(message, 0, _MAX_LENGTH)
    parser = _Parser(text, on_sheet)
    node = parser.parse_whole()
    if _tree_depth(node) > _MAX_TREE_DEPTH:
        raise FormulaError("this is nested too deeply; split it into steps", 0, len(text))
    return node


# precedence of operators
_PRECEDENCE = {"or": 0, "and": 1, "not": 2, **dict.fromkeys(COMPARISONS, 3), "+": 4, "-": 4, "*": 5}


class _Parser:
    """Precedence climbing parser; a chain of equal operators becomes one flat node."""

    def __init__(self, text: str, on_sheet: bool) -> None:
        self.depth, self.on_sheet = 0, on_sheet
        self.tokens = _tokenize(text)
        self.token = next(self.tokens)

    def parse_whole(self) -> Node:
        if self.token.kind == "end":
            self.fail("the formula is empty")
        node = self.parse_expression()
        if self.token.kind != "end":
            self.fail(_describe_leftover(self.token.text))
        return node

    def parse_expression(self) -> Node:
        return self.parse_level(0)

    def parse_level(self, least: int) -> Node:
        """Parse an expression whose operators outside of brackets have at least this precedence."""
        node = self.parse_not() if self.token.text == "not" and least <= _PRECEDENCE["not"] else self.parse_signed()
        while (level := _PRECEDENCE.get(self.token.text, -1)) >= least and self.token.text != "not":
            node = self.parse_comparison(node) if self.token.text in COMPARISONS else self.parse_chain(node, level)
        return node

    def parse_chain(self, first: Node, level: int) -> Node:
        """Parse the rest of a chain of operators; a - b becomes the sum of a and -b."""
        parts, op = [first], "+" if self.token.text == "-" else self.token.text
        while _PRECEDENCE.get(self.token.text) == level:
            sign = self.take()
            part = self.parse_level(level + 1)
            parts.append(Node("neg", (part,), sign.start, part.end) if sign.text == "-" else part)
        return Node(op, tuple(parts), first.start, parts[-1].end)

    def parse_comparison(self, left: Node) -> Node:
        sign = self.take().text
        right = self.parse_level(_PRECEDENCE["+"])
        if self.token.text in COMPARISONS:
            self.fail("comparisons do not chain; join two of them with «and»")
        return Node(sign, (left, right), left.start, right.end)

    def parse_not(self) -> Node:
        """Parse one or more `not`. Two in a row turn any number into 1 or 0, so at most two are kept."""
        start, count = self.token.start, 0
        while self.token.text == "not":
            self.take()
            count += 1
        node = self.parse_level(_PRECEDENCE["="])
        for _ in range(2 - count % 2):
            node = Node("not", (node,), start, node.end)
        return node

    def parse_signed(self) -> Node:
        start, count = self.token.start, 0
        while self.token.text == "-":
            self.take()
            count += 1
        node = self.parse_atom()
        return Node("neg", (node,), start, node.end) if count % 2 else node

    def parse_atom(self) -> Node:
        token = self.token
        if token.text == "(":
            return self.parse_bracket()
        if token.kind not in ("number", "word", "name") or token.text in ("and", "or", "not"):
            self.fail(self.describe_missing_value())
        self.take()
        if token.kind == "number":
            return _number_node(token)
        if token.kind == "word":
            return Node("word", (token.text[1:-1],), token.start, token.end)
        if self.token.text == "(":
            return self.parse_call(token)
        if token.text in FUNCTIONS:
            raise FormulaError(f"«{token.text}» needs brackets: {token.text}(…)", token.start, token.end)
        return Node("name", (token.text,), token.start, token.end)

    def open_bracket(self) -> int:
        """Consume an opening bracket; return its offset."""
        self.depth += 1
        if self.depth > _MAX_BRACKET_DEPTH:
            self.fail(f"brackets are nested deeper than {_MAX_BRACKET_DEPTH}; split this into steps")
        return self.take().start

    def close_bracket(self) -> int:
        self.depth -= 1
        return self.expect(")").end

    def parse_bracket(self) -> Node:
        start = self.open_bracket()
        inner = self.parse_expression()
        return Node(inner.op, inner.args, start, self.close_bracket(), inner.labels)

    def parse_call(self, name: _Token) -> Node:
        if self.on_sheet and name.text in _GROUP_FUNCTIONS:
            self.open_bracket()
            return self.parse_group_call(name)
        if name.text not in FUNCTIONS:
            raise FormulaError(_describe_unknown_function(name.text), name.start, name.end)
        self.open_bracket()
        if name.text in DICE_FUNCTIONS:
            return self.parse_dice_call(name)
        if name.text in ROUNDING_FUNCTIONS:
            dividend, divisor = self.parse_division(name.text)
            return Node(name.text, (dividend, divisor), name.start, self.close_bracket())
        return self.parse_lookup(name) if name.text == "lookup" else self.parse_plain_call(name)

    def parse_plain_call(self, name: _Token) -> Node:
        arguments = [self.parse_expression()]
        while self.token.text == ",":
            self.take()
            arguments.append(self.parse_expression())
        end = self.close_bracket()
        expected_count = {"if": 3, "abs": 1}.get(name.text)
        if expected_count != len(arguments) and (expected_count or len(arguments) < 2):
            expected_text = _ARGUMENT_ADVICE.get(name.text, f"two values or more: {name.text}(a, b)")
            raise FormulaError(f"{name.text} takes {expected_text}", name.start, end)
        return Node(name.text, tuple(arguments), name.start, end)

    def parse_dice_call(self, name: _Token) -> Node:
        kind, test = self.parse_label("kind of dice"), None
        if name.text == "count" and self.token.text == ",":
            self.take()
            test = self.parse_expression()
        elif self.token.text == ",":
            keep = f", or declare keep = {{ {name.text} = … }} for these dice" if name.text != "sum" else ""
            self.fail(f"{name.text} looks at all dice of a kind; write {name.text}({kind.text}){keep}")
        return Node(name.text, (_label_text(kind), test), name.start, self.close_bracket(), ((kind.start, kind.end),))

    def parse_group_call(self, name: _Token) -> Node:
        group, test = self.parse_label("group of traits"), None
        if name.text == "number":
            if self.token.text != ",":
                self.fail("number takes a group and a test: number(group, dots >= 1)")
            self.take()
            test = self.parse_expression()
        offsets = ((group.start, group.end),)
        return Node(_GROUP_FUNCTIONS[name.text], (_label_text(group), test), name.start, self.close_bracket(), offsets)

    def parse_lookup(self, name: _Token) -> Node:
        table = self.parse_label("table")
        self.expect_comma()
        row = self.parse_expression()
        self.expect_comma()
        column = self.parse_label("column")
        offsets = ((table.start, table.end), (column.start, column.end))
        return Node("lookup", (_label_text(table), row, _label_text(column)), name.start, self.close_bracket(), offsets)

    def expect_comma(self) -> None:
        if self.token.text != ",":
            self.fail("lookup takes three things: lookup(table, row, column)")
        self.take()

    def parse_division(self, name: str) -> tuple[Node, Node]:
        dividend = self.parse_level(_PRECEDENCE["*"])
        if self.token.text in ("+", "-"):
            self.fail(f"put brackets around what is divided: {name}((a + b) / c)")
        if self.token.text != "/":
            self.fail(f"{name} rounds a division: {name}(a / b)")
        self.take()
        divisor = self.parse_signed()
        if self.token.kind != "end" and self.token.text != ")":
            self.fail(f"put brackets around what divides: {name}(a / (b * c))")
        return dividend, divisor

    def parse_label(self, label_kind: str) -> _Token:
        """Parse the name of a kind of dice, a table or a column: a bare name, or any text in quotes."""
        if self.token.kind not in ("word", "name"):
            self.fail(f"the name of a {label_kind} is missing here")
        token = self.take()
        if token.kind == "name" and self.token.text not in (",", ")", ""):
            self.fail(f"the name of a {label_kind} that holds blanks or signs stands in 'quotes'")
        return token

    def take(self) -> _Token:
        token, self.token = self.token, next(self.tokens, self.token)
        return token

    def expect(self, sign: str) -> _Token:
        if self.token.text != sign:
            self.fail(self.describe_missing_sign(sign))
        return self.take()

    def fail(self, message: str) -> NoReturn:
        raise FormulaError(message, self.token.start, self.token.end)

    def describe_missing_sign(self, sign: str) -> str:
        """The message about a token in place of an expected sign."""
        if self.token.kind == "end":
            return f"the formula stops too early: «{sign}» is missing here"
        return (
            _describe_leftover(self.token.text)
            if self.token.text == "/"
            else f"«{sign}» is missing before «{self.token.text}»"
        )

    def describe_missing_value(self) -> str:
        """The message about a token in place of a value."""
        if self.token.kind == "end":
            return "the formula stops too early: a value is missing here"
        if self.token.text == "not":
            return "put brackets around it: (not …)"
        return f"a value is missing before «{self.token.text}»"


def _number_node(token: _Token) -> Node:
    value = int(token.text)
    if value > MAX_NUMBER:
        raise FormulaError(f"numbers go up to {MAX_NUMBER}", token.start, token.end)
    return Node("number", (value,), token.start, token.end)


def _describe_unknown_function(name: str) -> str:
    if name in _SHEET_WORDS:
        return f"`{name}` is known only on sheets"
    other = _OTHER_FUNCTIONS.get(name.lower())
    return f"`{name}` is not a function; " + (f"write {other}" if other else suggest(name, FUNCTIONS))


def _label_text(token: _Token) -> str:
    return token.text[1:-1] if token.kind == "word" else token.text
