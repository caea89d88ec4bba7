"""Renders a block as an HTML card: collects the data for its kind and fills the Jinja template."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, lru_cache, partial
from html import escape
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, cast
from urllib.parse import urlencode

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Macro
from markupsafe import Markup

from ...book.page import Block, Part
from ...checks.model import Checked
from ...game.model import Outcome, Rule
from ..strings import Words
from .wording import begun

TEMPLATES = Path(__file__).parents[1] / "templates"
OWN = "rulewright"  # folder in a theme's overrides; templates in it replace ours


def has_own(overrides: Path | None) -> bool:
    """Whether the site overrides templates of cards."""
    return overrides is not None and (overrides / OWN).is_dir()


@cache
def environment(overrides: Path | None) -> Environment:
    """Jinja environment; templates of the site come before ours and are reloaded when they change."""
    folders = [FileSystemLoader(folder) for folder in (overrides and overrides / OWN, TEMPLATES) if folder]
    made = Environment(
        loader=ChoiceLoader(folders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=has_own(overrides),
    )
    made.filters["drawn"] = drawn
    return made


@lru_cache(maxsize=4096)
def drawn(found: Hashable, macro: Macro) -> Markup:
    """Calls a macro of a template and caches the result, because the same dice appear again and again."""
    return Markup(macro(found))


TOLD = ("id", "title", "show", "wrong", "skip")  # part of the headline, or not meant for readers
HEAD = (*TOLD, "game", "rule", "name")


class Line(NamedTuple):
    """An entry of a block: its key and its value."""

    key: str
    value: str


class Piece(NamedTuple):
    """The lines of one part of a block, up to the next `then:` or `instead:`."""

    heading: str
    lines: list[Line]


def written(block: Block, words: Words) -> list[Piece]:
    """The entries of a block as written, for a block without other data to show.

    Leaves out the entries that name a rule or a table, unless there are no others: no card is empty.
    """
    pieces = [Piece(words(f"begins {part.name}") if part.name else "", lines(part, HEAD)) for part in block.parts]
    if block.statements:
        pieces.append(Piece("", [Line("", span.text.strip()) for span in block.statements]))
    found = [piece for piece in pieces if piece.lines]
    return found or [Piece("", named) for part in block.parts if (named := lines(part, TOLD))]


def lines(part: Part, left_out: tuple[str, ...]) -> list[Line]:
    """The entries of a part, without the excluded keys."""
    return [
        Line(
            f"{entry.key} {entry.name}".strip(),
            " / ".join([entry.value, *(one.text for one in entry.lines)]).strip(" /"),
        )
        for entry in part.entries
        if entry.key not in left_out
    ]


FILLED = {
    "example": "examples.example",
    "odds": "odds.odds",
    "claim": "odds.claim",
    "rule": "rules.rule",
    "roller": "odds.roller",
    "table": "odds.table",
    "sheet": "rules.sheet",
    "order": "rules.order",
}

SAID = ("title", "wrong", "skip")  # enough for a card without a body


class Fill(Protocol):
    """Builds the data of a card for its template; None if there is nothing to show."""

    def __call__(self, checked: Checked, words: Words) -> object: ...


@cache
def fill_of(kind: str) -> Fill | None:
    """The function that builds the data for a kind of block, imported on first use."""
    module, _, name = FILLED.get(kind, "").partition(".")
    return cast(Fill, getattr(import_module(f".{module}", __package__), name)) if module else None


def nowhere(_outcome: Outcome) -> str:
    """Links no outcome: the default for books without such sections."""
    return ""


def card(
    checked: Checked, words: Words, overrides: Path | None = None, leads: Callable[[Outcome], str] = nowhere
) -> str:
    """The HTML of a block, empty for `show: no`.

    The last argument returns the address of the section that explains an outcome.
    """
    block = checked.block
    show = block.get("show")
    length = show.value.lower() if show else "card"
    if length == "no":
        return ""
    if block.kind == "game":
        return f'<pre><code class="language-toml">{escape(block.text.content, quote=False)}</code></pre>'
    fill = fill_of(block.kind)
    filled = fill(checked, words) if fill else None
    if filled is None:
        filled, fill = written(block, words), None
        if not (filled or any(map(block.get, SAID))):
            return ""
    name = "written" if fill is None else "line" if length == "line" and block.kind == "example" else block.kind
    template = environment(overrides).get_template(f"{name}.html")
    known = {
        "checked": checked,
        "block": block,
        "words": words,
        "card": filled,
        "settings": settings(checked),
        "begun": begun,
    }
    return template.render(known, more=partial(read_on, leads))


def read_on(leads: Callable[[Outcome], str], rule: Rule, name: str) -> str:
    """The link of an outcome, called by the templates as `more`; empty without one."""
    found = next((one for one in rule.outcomes if one.name == name), None)
    return leads(found) if found and found.see else ""


def settings(checked: Checked) -> str:
    """The inputs as a query string, from which the roller in the browser starts."""
    inputs = checked.moves[0].inputs if checked.moves else checked.inputs
    return urlencode(dict(inputs))
