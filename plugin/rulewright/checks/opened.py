"""The settings at the head of a block that asks for odds, and phrases that override them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..book.model import Block, Link
from ..book.phrases import Item
from ..game.model import Rule
from ..text import Problem, Span
from .answers import Setup
from .model import Around, find_rule, rule_of, trouble
from .settings import from_entries, from_items, inputs_of, policies_of, read_inputs, wrong_policy, wrong_value
from .verdict import COMMON, settings

ABOVE = ("game", "rule", "policy")  # what a phrase may name beside inputs


@dataclass
class Opened:
    """A block with its rule and settings; `setup` is missing where the rule is not known."""

    block: Block
    around: Around
    setup: Setup | None = None
    problems: list[Problem] = field(default_factory=list)
    is_clear: bool = True  # could all settings be read? If not, nothing is held against them

    def complain(self, code: str, message: str, span: Span, *notes: str) -> None:
        self.problems.append(trouble(self.block, code, message, span, tuple(note for note in notes if note)))

    def with_phrase(self, items: Sequence[Item]) -> Setup | None:
        """The settings with what a phrase changes; what is wrong with the phrase is noted."""
        assert self.setup
        found, problems = override(self.setup, items, self.block, self.around)
        self.problems += problems
        return found


def open_block(block: Block, around: Around, words: Iterable[str] = ()) -> Opened:
    """`words` are those that the kind of block knows beside inputs."""
    words = tuple(words)
    rule, problems = find_rule(block, around)
    opened = Opened(block, around, problems=problems)
    if rule is None:
        return opened
    policy = block.get("policy")
    items = from_entries(settings(block, (*words, "policy")))
    inputs, more = read_inputs(rule, items, block, (*COMMON, *words, "policy"))
    opened.problems += more
    if policy and (message := wrong_policy(rule, policy.value)):
        opened.complain("block-value", message, policy.value_span)
        policy = None
    opened.setup = Setup(rule, inputs, policy.value.lower() if policy else "")
    opened.is_clear = not opened.problems and not block.problems
    return opened


def override(
    setup: Setup, items: Sequence[Item], block: Block | Link, around: Around
) -> tuple[Setup | None, list[Problem]]:
    """Settings with those of a phrase on top; a phrase may also name another rule, game or policy."""
    above = {item.name.lower(): item for item in items if item.name.lower() in ABOVE}
    rule, problems = other_rule(setup.rule, above, block, around)
    if rule is None:
        return None, problems
    kept = setup.inputs if rule is setup.rule else fitting(rule, setup.inputs)
    own = [item for item in items if item.name.lower() not in ABOVE]
    inputs, more = read_inputs(rule, from_items(own), block, ABOVE)
    problems += more
    policy = setup.policy if setup.policy in policies_of(rule) else ""
    if "policy" in above:
        policy = above["policy"].value.lower()
        if message := wrong_policy(rule, policy):
            problems.append(trouble(block, "block-value", message, above["policy"].value_span))
    return (None if problems else Setup(rule, {**kept, **inputs}, policy)), problems


def other_rule(
    rule: Rule, above: Mapping[str, Item], block: Block | Link, around: Around
) -> tuple[Rule | None, list[Problem]]:
    """The rule that a phrase means: `rule other`, or the rule of the same name in `game other`."""
    item = above.get("rule") or above.get("game")
    if item is None:
        return rule, []
    folder, _, name = above["rule"].value.rpartition("/") if "rule" in above else ("", "", rule.name)
    game = above["game"].value if "game" in above else folder_of(rule, around)
    return rule_of(block, around, folder or game, name, item.value_span)


def folder_of(rule: Rule, around: Around) -> str:
    """Where the game of a rule lies; empty for the game of the page."""
    return next((folder for folder, game in around.games.items() if rule in game.rules.values()), "")


def fitting(rule: Rule, inputs: Mapping[str, str]) -> dict[str, str]:
    """The settings that make sense for another rule too."""
    known = inputs_of(rule)
    return {
        name: value for name, value in inputs.items() if name in known and not wrong_value(name, known[name], value)
    }
