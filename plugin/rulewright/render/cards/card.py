"""What readers see in the place of a block: a card for each kind, filled into a template."""

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
OWN = "rulewright"  # the folder of a theme's overrides in which cards are looked for first


def has_own(overrides: Path | None) -> bool:
    return overrides is not None and (overrides / OWN).is_dir()


@cache
def environment(overrides: Path | None) -> Environment:
    """Templates of the site come before ours, and may change while it is served."""
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
    """What a macro makes of something that comes again and again, such as a die that shows 1."""
    return Markup(macro(found))


TOLD = ("id", "title", "show", "wrong", "skip")  # at the head of a card, or not meant for readers
HEAD = (*TOLD, "game", "rule", "name")


class Line(NamedTuple):
    key: str
    value: str


class Piece(NamedTuple):
    """What stands up to the next `then:` or `instead:`."""

    heading: str
    lines: list[Line]


def written(block: Block, words: Words) -> list[Piece]:
    """Where nothing else is written, that also which names a rule or a table: no card is empty."""
    pieces = [Piece(words(f"begins {part.name}") if part.name else "", lines(part, HEAD)) for part in block.parts]
    if block.statements:
        pieces.append(Piece("", [Line("", span.text.strip()) for span in block.statements]))
    found = [piece for piece in pieces if piece.lines]
    return found or [Piece("", named) for part in block.parts if (named := lines(part, TOLD))]


def lines(part: Part, left_out: tuple[str, ...]) -> list[Line]:
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

SAID = ("title", "wrong", "skip")  # on a card of which nothing else is known


class Fill(Protocol):
    def __call__(self, checked: Checked, words: Words) -> object: ...


@cache
def fill_of(kind: str) -> Fill | None:
    """Imported with the first card of its kind."""
    module, _, name = FILLED.get(kind, "").partition(".")
    return cast(Fill, getattr(import_module(f".{module}", __package__), name)) if module else None


def nowhere(_outcome: Outcome) -> str:
    return ""


def card(
    checked: Checked, words: Words, overrides: Path | None = None, leads: Callable[[Outcome], str] = nowhere
) -> str:
    """The HTML of a block; what is not known about it is not shown. `leads` tells where more is said of an outcome."""
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
    found = next((one for one in rule.outcomes if one.name == name), None)
    return leads(found) if found and found.see else ""


def settings(checked: Checked) -> str:
    """The inputs as a link would carry them, for the program that rolls the same dice anew."""
    inputs = checked.moves[0].inputs if checked.moves else checked.inputs
    return urlencode(dict(inputs))
