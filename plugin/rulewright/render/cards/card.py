"""Renders a block as an HTML card: collects the data for its kind and fills the Jinja template."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from html import escape
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ...book.page import Block, Part
from ...checks.model import CheckedBlock
from ...game.model import Outcome, Rule
from ..roll_data import inputs_query
from ..strings import Words
from .dice import are_many
from .wording import format_title, lowercase_label

_TEMPLATES = Path(__file__).parents[1] / "templates"


@cache
def jinja_environment() -> Environment:
    """Jinja environment with our templates."""
    loader = FileSystemLoader(_TEMPLATES)
    env = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    env.filters["are_many"] = are_many
    return env


_UNLISTED_KEYS = ("id", "title", "show", "proves", "wrong", "skip")  # part of the headline, or not meant for readers
HEADER_KEYS = (*_UNLISTED_KEYS, "game", "rule", "name")


class KeyValue(NamedTuple):
    """An entry of a block: its key and its value."""

    key: str
    value: str


class _WrittenPart(NamedTuple):
    """The lines of one part of a block, up to the next `then:` or `instead:`."""

    heading: str
    lines: list[KeyValue]


def _build_written(block: Block, words: Words) -> list[_WrittenPart]:
    """The entries of a block as written, for a block without other data to show.

    Leaves out the entries that name a rule or a table, unless there are no others: no card is empty.
    """
    parts = [
        _WrittenPart(words(f"begins {part.name}") if part.name else "", _list_entries(part, HEADER_KEYS))
        for part in block.parts
    ]
    if block.statements:
        parts.append(_WrittenPart("", [KeyValue("", span.text.strip()) for span in block.statements]))
    nonempty = [piece for piece in parts if piece.lines]
    return nonempty or [
        _WrittenPart("", named_entries)
        for part in block.parts
        if (named_entries := _list_entries(part, _UNLISTED_KEYS))
    ]


def _list_entries(part: Part, excluded_keys: tuple[str, ...]) -> list[KeyValue]:
    """The entries of a part, without the excluded keys."""
    return [
        KeyValue(
            f"{entry.key} {entry.name}".strip(),
            " / ".join([entry.value, *(line.text for line in entry.lines)]).strip(" /"),
        )
        for entry in part.entries
        if entry.key not in excluded_keys
    ]


_BUILDERS = {
    "example": "examples.build_example",
    "odds": "odds.build_odds_grid",
    "claim": "odds.build_claim",
    "rule": "rules.build_rule",
    "roller": "odds.build_roller",
    "table": "odds.build_table_grid",
    "sheet": "rules.build_sheet",
    "order": "rules.build_order",
}

_STANDALONE_KEYS = ("title", "wrong", "skip")  # enough for a card without a body


_ROLLS = ("example", "roller")  # templates of cards that can be rolled


class _CardBuilder(Protocol):
    """Builds the data of a card for its template; None if there is nothing to show."""

    def __call__(self, checked: CheckedBlock, words: Words) -> object: ...


@cache
def _find_builder(kind: str) -> _CardBuilder | None:
    """The function that builds the data for a kind of block, imported on first use."""
    module, _, name = _BUILDERS.get(kind, "").partition(".")
    return cast(_CardBuilder, getattr(import_module(f".{module}", __package__), name)) if module else None


def build_card(checked: CheckedBlock, words: Words) -> object | None:
    """The data of a card, the same for every format; None if the block has only its lines to show."""
    builder = _find_builder(checked.block.kind)
    return builder(checked, words) if builder else None


def card_title(checked: CheckedBlock) -> str:
    """The title of a card, in every format: its own, or the name of its table, sheet, order or rule."""
    block, declaration = checked.block, checked.table or checked.sheet or checked.order
    rule = checked.rule if block.kind != "claim" else None
    return block.title or (format_title(declaration.name) if declaration else rule.label if rule else "")


def _no_link(_outcome: Outcome) -> str:
    """Links no outcome: the default for books without such sections."""
    return ""


def render_card(
    checked: CheckedBlock,
    words: Words,
    outcome_link: Callable[[Outcome], str] = _no_link,
    element: str = "rule-card",  # "div" where nothing can be rolled
) -> str:
    """The HTML of a block, empty for `show: no`. Outcomes link to the sections that explain them."""
    block = checked.block
    if not block.shown:
        return ""
    if block.kind == "game":
        return f'<pre><code class="language-toml">{escape(block.text.content, quote=False)}</code></pre>'
    data, name = build_card(checked, words), block.kind
    if data is None:
        data, name = (Markup(checked.html), "extension") if checked.html else (_build_written(block, words), "written")
        if not (data or any(map(block.get, _STANDALONE_KEYS))):
            return ""
    elif block.form == "line" and name == "example":
        name = "line"
    title, caption = card_title(checked), getattr(data, "caption", "")
    if caption and not block.title:  # tables of one rule differ in what they show
        title = f"{title}: {lowercase_label(caption, words)}"
    template = jinja_environment().get_template(f"{name}.html")
    context = {
        "checked": checked,
        "block": block,
        "words": words,
        "card": data,
        "inputs": inputs_query(checked.rule, checked.inputs) if checked.rule else "",
        "name": title,
        "is_roll": name in _ROLLS,
        "element": element,
    }
    return template.render(context, more=partial(_link_outcome, outcome_link))


def _link_outcome(outcome_link: Callable[[Outcome], str], rule: Rule, name: str) -> str:
    """The link of an outcome, called by the templates as `more`; empty without one."""
    outcome = next((outcome for outcome in rule.outcomes if outcome.name == name), None)
    return outcome_link(outcome) if outcome and outcome.see else ""
