"""The index of rules: what each one asks for, what can come of it, where it is used."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from html import escape

from ...checks.model import Checked
from ...game.model import Game, Rule
from ..cards.figures import counted
from ..cards.formulas import named, readable
from ..cards.inputs import Asked, asked
from ..cards.rules import Item, contest, outcome
from .shelf import Shelf, heading, paragraph, whole

Key = tuple[str, str, str]  # a rule: its game, its name, the file where it stands
Uses = dict[Key, dict[str, list[Checked]]]  # the blocks about a rule, by the paths of their pages


def rules(shelf: Shelf) -> str:
    """As Markdown; nothing for a book without rules."""
    games = [game for game in shelf.games.values() if game.rules]
    if not games:
        return ""
    words, used = shelf.words, uses(shelf)
    parts = [heading(1, words("index of rules")), paragraph(words("index of rules says"))]
    for game in games:
        parts += [heading(2, game.title), table(shelf, game, used)]
    return whole(parts)


def uses(shelf: Shelf) -> Uses:
    found: Uses = defaultdict(lambda: defaultdict(list))
    for page in shelf.pages:
        for one in page.blocks:
            if one.rule and one.block.shown:
                found[key(one.rule)][shelf.path(page.page)].append(one)
    return found


def key(rule: Rule) -> Key:
    return rule.game, rule.name, rule.span.source.path


def table(shelf: Shelf, game: Game, used: Uses) -> str:
    words = shelf.words
    heads = [words(name) for name in ("rule", "heading inputs", "heading outcomes", "where used")]
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    rows = "\n".join(row(shelf, rule, used.get(key(rule), {})) for rule in game.rules.values())
    return (
        f'<div class="rw-scroll" tabindex="0" role="group" aria-label="{escape(game.title)}">'
        f'<table class="rw-reference"><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>'
    )


def row(shelf: Shelf, rule: Rule, used: dict[str, list[Checked]]) -> str:
    name = escape(rule.label or rule.name)
    if told := explained(used):
        name = shelf.link(*told, rule.label or rule.name)
    inputs = "".join(f"<li>{known(one, shelf)}</li>" for one in asked(rule, shelf.words))
    ends = "".join(f"<li>{item(one)}</li>" for one in results(rule, shelf))
    where = "".join(f"<li>{place(shelf, path, blocks)}</li>" for path, blocks in used.items())
    cells = "".join(f"<td>{f'<ul>{cell}</ul>' if cell else ''}</td>" for cell in (inputs, ends, where))
    return f'<tr><th scope="row">{name}</th>{cells}</tr>'


def explained(used: dict[str, list[Checked]]) -> tuple[str, str] | None:
    """Where the rule stands in plain words, else where it is first used."""
    blocks = [(path, one.block) for path, found in used.items() for one in found]
    chosen = next((pair for pair in blocks if pair[1].kind == "rule"), blocks[0] if blocks else None)
    return (chosen[0], chosen[1].id) if chosen else None


def known(one: Asked, shelf: Shelf) -> str:
    start = f" · {escape(shelf.words('normally', value=one.start))}" if one.start else ""
    return f"<b>{escape(one.label)}</b> {escape(one.may_be)}{start}"


def results(rule: Rule, shelf: Shelf) -> Iterator[Item]:
    """Outcomes, or who wins; of a rule that only works something out, what it works out."""
    if rule.contest:
        yield from contest(rule, shelf.words)
    elif rule.outcomes:
        yield from (outcome(rule, one, shelf.words) for one in rule.outcomes)
    else:
        yield from (Item(named(one.name), [readable(one.formula, shelf.words, rule)]) for one in rule.steps)


def item(one: Item) -> str:
    return f"<b>{escape(one.name)}</b> {escape(' '.join(one.lines))}"


def place(shelf: Shelf, path: str, blocks: list[Checked]) -> str:
    many = f'<span class="rw-many" title="{escape(counted("blocks", len(blocks), shelf.words))}">×{len(blocks)}</span>'
    return f"{shelf.link(path, blocks[0].block.id, shelf.title(path))} {many}"
