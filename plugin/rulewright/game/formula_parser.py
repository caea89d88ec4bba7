"""Parser of formulas: tokens to syntax tree."""

from __future__ import annotations

from typing import NoReturn

from ..source import suggest
from .formula import (
    COMPARISONS,
    DICE_FUNCTIONS,
    FUNCTIONS,
    MARKING_TESTS,
    MAX_NUMBER,
    OVER_FUNCTIONS,
    RESERVED_WORDS,
    ROUNDING_FUNCTIONS,
    SHEET_WORDS,
    Node,
)
from .formula_lexer import FormulaError, Token, describe_leftover, tokenize

_MAX_LENGTH = 2_000  # characters
_MAX_BRACKET_DEPTH = 40  # nested brackets
_MAX_TREE_DEPTH = 80  # depth of the tree; the compiler and the evaluator are recursive
_OTHER_FUNCTIONS = {  # functions of spreadsheets and programming languages: what to write instead
    "floor": "down(a / b)", "ceil": "up(a / b)", "ceiling": "up(a / b)", "round": "near(a / b)", "total": "sum(…)",
    "add": "sum(…)", "maximum": "max(a, b)", "minimum": "min(a, b)", "worst": "lowest(…)", "best": "highest(…)",
    "average": "down(a / b) of a sum and a count", "avg": "down(a / b) of a sum and a count",
    "int": "down(a / b)", "trunc": "down(a / b)", "mod": "rest(a / b)", "iff": "if(condition, then, else)",
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


def _tree_depth(node: Node) -> int:
    return 1 + max((_tree_depth(child) for child in node.child_nodes()), default=0)


# precedence of operators
_PRECEDENCE = {"or": 0, "and": 1, "not": 2, **dict.fromkeys(COMPARISONS, 3), "+": 4, "-": 4, "*": 5}


_OTHER_PICKS = {  # words before a number of dice: what to write instead
    **dict.fromkeys(("best", "top", "keep", "upper"), "highest"), **dict.fromkeys(("worst", "bottom"), "lowest"),
    **dict.fromkeys(("exactly", "some", "choose"), "any"),
}  # fmt: skip
_PICK_WORDS = ("highest", "lowest", "first", "any")
_SET_SIGNS = (",", ")", ":", "", "by", "where", "without")  # what may follow a set of dice


class _Parser:
    """Precedence climbing parser; a chain of equal operators becomes one flat node."""

    def __init__(self, text: str, on_sheet: bool) -> None:
        self.text, self.on_sheet = text, on_sheet
        self.tokens = list(tokenize(text))
        self.place = self.depth = 0
        self.last_comma = -1  # the place of a comma at which a set ends
        self.go_to(0, 0)

    def go_to(self, place: int, depth: int) -> None:
        self.place, self.depth, self.token = place, depth, self.tokens[place]
        if self.token.kind == "bad":
            self.fail(self.token.text)

    def parse_whole(self) -> Node:
        if self.token.kind == "end":
            self.fail("the formula is empty")
        has_words, has_comma = (False, False) if self.on_sheet else self.find_set_signs()
        try:
            return self.finish(self.parse_set() if has_words else self.parse_expression())
        except FormulaError as error:
            if not has_comma or has_words:
                raise
            self.go_to(0, 0)
            try:
                return self.finish(self.parse_set())
            except FormulaError:
                raise error from None

    def finish(self, node: Node) -> Node:
        if self.token.kind != "end":
            self.fail(describe_leftover(self.token.text))
        return node

    def find_set_signs(self) -> tuple[bool, bool]:
        """Whether words of a set and whether commas stand outside of all brackets."""
        depth, outside = 0, set()
        for token in self.tokens:
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if not depth and token.kind in ("name", "sign"):
                outside.add(token.text)
        return bool(outside & {"of", "where", "without"}), "," in outside

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
            self.fail('comparisons do not chain; join two of them with "and"')
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
            raise FormulaError(f'"{token.text}" needs brackets: {token.text}(…)', token.start, token.end)
        return _name_node(token)

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

    def parse_call(self, name: Token) -> Node:
        if self.on_sheet and name.text in _GROUP_FUNCTIONS:
            self.open_bracket()
            return self.parse_group_call(name)
        if name.text not in FUNCTIONS:
            raise FormulaError(_describe_unknown_function(name.text), name.start, name.end)
        self.open_bracket()
        if name.text in OVER_FUNCTIONS and self.token.kind == "name" and self.tokens[self.place + 1].text == "of":
            return self.parse_over(name)
        if name.text in DICE_FUNCTIONS:
            return self.parse_dice_call(name)
        if name.text in ROUNDING_FUNCTIONS:
            dividend, divisor = self.parse_division(name.text)
            return Node(name.text, (dividend, divisor), name.start, self.close_bracket())
        own_calls = {"lookup": self.parse_lookup, "groups": self.parse_groups}
        return own_calls.get(name.text, self.parse_plain_call)(name)

    def parse_plain_call(self, name: Token) -> Node:
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

    def parse_dice_call(self, name: Token) -> Node:
        dice, body = self.parse_set(), None
        if self.token.text == ":":
            self.take()
            body = self.parse_expression()
        elif self.token.text == "," and name.text == "count":
            self.fail_at_test(dice)
        elif self.token.text == ",":
            pick = name.text if name.text != "sum" else "highest"
            self.fail(f"for some of the dice write sum({pick} 2 of d6); a colon comes before what each die gives")
        return Node(name.text, (dice, body), name.start, self.close_bracket())

    def fail_at_test(self, dice: Node) -> NoReturn:
        """Say that a test comes after a colon."""
        comma = self.take()
        test = self.parse_expression()
        wanted = f"face = {test.args[0]}" if test.op == "number" else self.text[test.start : test.end]
        message = f"a test comes after a colon; write count({self.text[dice.start : dice.end]}: {wanted})"
        raise FormulaError(message, comma.start, test.end)

    def parse_groups(self, name: Token) -> Node:
        self.last_comma = self.find_last_comma()
        dice = self.parse_set()
        self.last_comma = -1
        if self.token.text != ",":
            self.fail("groups takes dice and the value that each group reaches: groups(d10, 10)")
        self.take()
        number = self.parse_expression()
        return Node(name.text, (dice, number), name.start, self.close_bracket())

    def find_last_comma(self) -> int:
        """The place of the last comma before the bracket that closes this call."""
        depth, found = 0, -1
        for place in range(self.place, len(self.tokens)):
            text = self.tokens[place].text
            depth += {"(": 1, ")": -1}.get(text, 0)
            if depth < 0:
                break
            found = place if text == "," and not depth else found
        return found

    def parse_over(self, name: Token) -> Node:
        """Parse a function of a word that runs over faces or numbers: `max(f of d10: …)`, `sum(i of 1..3: …)`."""
        word = self.take()
        if word.text in _PICK_WORDS:
            self.fail(f"the number is missing here: {word.text} 2 of d6")
        self.take()
        if self.token.kind == "number" or self.token.text == "-":
            low = self.parse_signed()
            self.expect("..")
            high = self.parse_level(_PRECEDENCE["+"])
            domain = Node("range", (low, high), low.start, high.end)
        else:
            domain = _faces_node(self.parse_set())
        self.expect(":")
        body = self.parse_expression()
        offsets = ((word.start, word.end),)
        return Node("over", (name.text, word.text, domain, body), name.start, self.close_bracket(), offsets)

    # Sets of dice

    def parse_set(self) -> Node:
        """Parse a set of dice; from loose to tight: `by`, `where` and `without`, `of`, comma."""
        node = self.parse_filtered()
        if self.token.text != "by":
            return node
        if not node.op.startswith(("highest_of", "lowest_of")) or node.args[2]:
            self.fail("`by` says how `highest N of` or `lowest N of` compares dice; put these in brackets")
        self.take()
        order = self.parse_expression()
        return Node(node.op, (*node.args[:2], order), node.start, order.end)

    def parse_filtered(self) -> Node:
        node = self.parse_picked()
        while (word := self.token.text) in ("where", "without"):
            self.take()
            other = self.parse_expression() if word == "where" else self.parse_picked()
            node = Node(word, (node, other), node.start, other.end)
        return node

    def parse_picked(self) -> Node:
        pick, after = self.token, self.tokens[min(self.place + 1, len(self.tokens) - 1)]
        is_number = after.kind == "number" or after.text == "("
        if pick.text not in _PICK_WORDS or not (is_number or (after.kind == "name" and after.text not in _SET_SIGNS)):
            return self.parse_joined()
        self.take()
        if self.token.text == "(":
            number = self.parse_bracket()
        else:
            token = self.take()
            number = _number_node(token) if token.kind == "number" else _name_node(token)
        if self.token.text != "of":
            self.fail(f"`of` and a set of dice are missing here: {pick.text} 2 of d6")
        self.take()
        dice = self.parse_picked()
        return Node(f"{pick.text}_of", (number, dice, None), pick.start, dice.end)

    def parse_joined(self) -> Node:
        parts = [self.parse_set_part()]
        while self.token.text == "," and self.place != self.last_comma:
            place, depth = self.place, self.depth
            self.take()
            try:
                if self.token.text in RESERVED_WORDS or self.token.text in MARKING_TESTS:
                    self.fail("")
                part = self.parse_set_part()
                if self.token.text not in _SET_SIGNS:
                    self.fail("")
                parts.append(part)
            except FormulaError:  # what follows the comma is no set
                self.go_to(place, depth)
                break
        return parts[0] if len(parts) == 1 else Node("together", tuple(parts), parts[0].start, parts[-1].end)

    def parse_set_part(self) -> Node:
        if self.token.text == "(":
            start = self.open_bracket()
            inner = self.parse_set()
            return Node(inner.op, inner.args, start, self.close_bracket())
        label = self.parse_label("kind of dice")
        return Node("set", (_label_text(label),), label.start, label.end, ((label.start, label.end),))

    def parse_group_call(self, name: Token) -> Node:
        group, test = self.parse_label("group of traits"), None
        if name.text == "number":
            if self.token.text != ",":
                self.fail("number takes a group and a test: number(group, dots >= 1)")
            self.take()
            test = self.parse_expression()
        offsets = ((group.start, group.end),)
        return Node(_GROUP_FUNCTIONS[name.text], (_label_text(group), test), name.start, self.close_bracket(), offsets)

    def parse_lookup(self, name: Token) -> Node:
        table = self.parse_label("table")
        self.expect_comma()
        row = self.parse_expression()
        self.expect_comma()
        if self.token.text == "(":
            column: str | Node = self.parse_bracket()
            end = self.close_bracket()
            return Node("lookup", (_label_text(table), row, column), name.start, end, ((table.start, table.end),))
        if (
            self.tokens[min(self.place + 1, len(self.tokens) - 1)].text in ("(", "+", "-", "*")
            or self.token.text == "-"
        ):
            self.fail("a column that is worked out needs brackets: lookup(table, row, (1 + n))")
        label = self.parse_label("column")
        offsets = ((table.start, table.end), (label.start, label.end))
        return Node("lookup", (_label_text(table), row, _label_text(label)), name.start, self.close_bracket(), offsets)

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

    def parse_label(self, label_kind: str) -> Token:
        """Parse the name of a kind of dice, a table or a column: a bare name, or any text in quotes."""
        if self.token.kind not in ("word", "name"):
            self.fail(f"the name of a {label_kind} is missing here")
        token = self.take()
        if self.token.kind == "number" and (pick := _OTHER_PICKS.get(token.text)):
            up_to = ", which is up to so many" if pick == "any" else ""
            message = f"`{token.text}` does not pick dice; write {pick} {self.token.text} of a set{up_to}"
            raise FormulaError(message, token.start, token.end)
        if token.kind == "name" and self.token.text not in _SET_SIGNS:
            self.fail(f"the name of a {label_kind} with spaces or signs needs 'quotes'")
        return token

    def take(self) -> Token:
        token = self.token
        self.go_to(min(self.place + 1, len(self.tokens) - 1), self.depth)
        return token

    def expect(self, sign: str) -> Token:
        if self.token.text != sign:
            self.fail(self.describe_missing_sign(sign))
        return self.take()

    def fail(self, message: str) -> NoReturn:
        raise FormulaError(message, self.token.start, self.token.end)

    def describe_missing_sign(self, sign: str) -> str:
        """The message about a token in place of an expected sign."""
        if self.token.kind == "end":
            return f'the formula stops too early: "{sign}" is missing here'
        return (
            describe_leftover(self.token.text)
            if self.token.text in ("/", "in")
            else f'"{sign}" is missing before "{self.token.text}"'
        )

    def describe_missing_value(self) -> str:
        """The message about a token in place of a value."""
        if self.token.kind == "end":
            return "the formula stops too early: a value is missing here"
        if self.token.text == "not":
            return "put brackets around it: (not …)"
        return f'a value is missing before "{self.token.text}"'


def _number_node(token: Token) -> Node:
    value = int(token.text)
    if value > MAX_NUMBER:
        raise FormulaError(f"numbers go up to {MAX_NUMBER}", token.start, token.end)
    return Node("number", (value,), token.start, token.end)


def _name_node(token: Token) -> Node:
    return Node("name", (token.text,), token.start, token.end)


def _faces_node(dice: Node) -> Node:
    """The faces that a set can show; `cards.rank` are the ranks of the cards."""
    name, _, part = dice.args[0].rpartition(".") if dice.op == "set" else ("", "", "")
    if name and dice.end - dice.start == len(dice.args[0]):  # not in quotes
        return Node("faces_of", (Node("set", (name,), dice.start, dice.start + len(name)), part), dice.start, dice.end)
    return Node("faces_of", (dice, None), dice.start, dice.end)


def _describe_unknown_function(name: str) -> str:
    if name in SHEET_WORDS:
        return f"`{name}` is known only on sheets"
    other = _OTHER_FUNCTIONS.get(name.lower())
    return f"`{name}` is not a function; " + (
        f"write {other}" if other else suggest(name, FUNCTIONS) or f"known here: {', '.join(FUNCTIONS)}"
    )


def _label_text(token: Token) -> str:
    return token.text[1:-1] if token.kind == "word" else token.text
