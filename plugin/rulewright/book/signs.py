"""Rules of the parser by the signs they begin with: lines and words are shown only to rules that could read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

TextRule = Callable[[StateCore], None]
LineRule = Callable[[StateBlock, int, int, bool], bool]
WordRule = Callable[[StateInline, bool], bool]
PairRule = Callable[[StateInline], None]
Rule = TypeVar("Rule")
Asking = Callable[[Mapping[str, Sequence[Rule]], Sequence[Rule]], Rule]

# What these rules read has one of these signs first; any other rule is asked whatever stands there.
LINES = {
    "box": "!?", "tabs": "=", "abbreviation": "*", "math_block": "$\\", "fence": "`~", "blockquote": ">",
    "hr": "*-_", "list": "*+-0123456789", "footnote_def": "[", "reference": "[", "inner_html": "<",
    "html_block": "<", "heading": "#",
}  # fmt: skip
WORDS = {
    "newline": "\n", "math_inline": "$\\", "escape": "\\", "backticks": "`", "strikethrough": "~", "emphasis": "*_",
    "wiki": "[", "link": "[", "image": "!", "footnote_ref": "[", "autolink": "<", "html_inline": "<", "entity": "&",
}  # fmt: skip
PAIRS = {"balance_pairs": "*_~", "strikethrough": "~", "emphasis": "*_"}  # what is looked for when all is read
SIGN = re.compile(f"[{re.escape(''.join(WORDS.values()))}\\]]")  # with the one that ends the text of a link


def install(md: MarkdownIt) -> None:
    """Comes last, when all rules are known."""
    names, rules = md.core.ruler.get_active_rules(), md.core.ruler.getRules()
    first = names.index("inline")
    md.core.ruler.disable(names[first + 1 :])
    md.core.ruler.at("inline", signed(rules[first:]))
    md.block.ruler = Sorted(md.block.ruler, LINES, line_rule)
    md.inline.ruler = Sorted(md.inline.ruler, WORDS, word_rule)
    md.inline.terminator_re = SIGN
    for name, rule in zip(md.inline.ruler2.get_active_rules(), md.inline.ruler2.getRules(), strict=True):
        if name in PAIRS:
            md.inline.ruler2.at(name, paired(rule, PAIRS[name]))


def signed(rules: Sequence[TextRule]) -> TextRule:
    """The rules for what stands in paragraphs, headings and cells; where no sign is, there is nothing to be read."""

    def run(state: StateCore) -> None:
        tokens = []
        for token in state.tokens:
            if token.type == "inline":
                if SIGN.search(token.content):
                    tokens.append(token)
                else:
                    token.children = [Token("text", "", 0, content=token.content)] if token.content else []
        inside = StateCore(state.src, state.md, state.env, tokens)
        for rule in rules:
            rule(inside)

    return run


def paired(rule: PairRule, signs: str) -> PairRule:
    search = re.compile(f"[{signs}]").search
    return lambda state: rule(state) if search(state.src) else None


class Sorted(Ruler[Rule]):
    """Gives one rule in place of many: it asks those of them that could read what begins with the sign at hand."""

    def __init__(self, ruler: Ruler[Rule], signs: Mapping[str, str], asking: Asking[Rule]) -> None:
        super().__init__()
        self.ruler = ruler
        self.asking = asking
        self.signs = {
            rule: signs[name]
            for name, rule in zip(ruler.get_active_rules(), ruler.getRules(), strict=True)
            if name in signs
        }
        self.chains: dict[str, list[Rule]] = {}

    def get_active_rules(self) -> list[str]:
        return self.ruler.get_active_rules()

    def getRules(self, chainName: str = "") -> list[Rule]:  # noqa: N802, N803
        if chainName not in self.chains:
            self.chains[chainName] = [self.one(self.ruler.getRules(chainName))]
        return self.chains[chainName]

    def one(self, rules: Sequence[Rule]) -> Rule:
        by_sign = {
            sign: [rule for rule in rules if sign in self.signs.get(rule, sign)]
            for sign in "".join(self.signs.values())
        }
        return self.asking(by_sign, [rule for rule in rules if rule not in self.signs])


def line_rule(by_sign: Mapping[str, Sequence[LineRule]], others: Sequence[LineRule]) -> LineRule:
    def ask(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        start = state.bMarks[line] + state.tShift[line]
        for rule in by_sign.get(state.src[start : start + 1], others):  # noqa: SIM110 (a generator for every line takes long)
            if rule(state, line, end_line, silent):
                return True
        return False

    return ask


def word_rule(by_sign: Mapping[str, Sequence[WordRule]], others: Sequence[WordRule]) -> WordRule:
    def ask(state: StateInline, silent: bool) -> bool:
        for rule in by_sign.get(state.src[state.pos], others):  # noqa: SIM110
            if rule(state, silent):
                return True
        return False

    return ask
