"""Cards and rule boxes of the five books as readers get them: labels, and nothing that was made for formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

import pytest

from games import GAMES, RULES, load_shipped_game
from rulewright.game.model import Game, NamedPart, Rule
from rulewright.render.cards.rule_text import describe_rule
from rulewright.render.cards.wording import format_name, reader_name
from rulewright.render.context import BuildContext
from rulewright.render.strings import read_words
from shipped_books import compile_shipped_books

ENGLISH = read_words("en")
CARD = re.compile(r"<rule-(?:card|roller)\b([^>]*)>(.*?)</rule-(?:card|roller)>", re.DOTALL)
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
AUTHORS_OWN = re.compile(  # titles, and the source of an example that is wrong on purpose
    r'<p class="rw-(?:headline|title)[^"]*".*?</p>|<(pre|code|script|style|template|title)\b.*?</\1>'
    r'|<(dl|div) class="rw-written".*?</\2>',
    re.DOTALL,
)
CODE = re.compile(r"[−-]1000\b|[=≠] ['“‘„\"]|\b[a-z]+_[a-z]+\b|\b(?:chance|mean)\(")


@dataclass(frozen=True, eq=False)
class Card:
    place: str
    kind: str
    rules: list[Rule]  # whose names it may show; all of the game if it does not say
    game: Game
    text: str


@pytest.fixture(scope="module")
def cards() -> list[Card]:
    """All cards of the five books as their pages show them, and the boxes of all their rules."""
    context = BuildContext(compile_shipped_books(), RULES, lambda _page, other: other)
    shown = []
    for path, checked in context.pages.items():
        book = path.partition("/")[0]
        if book in GAMES and checked.blocks:
            page = context.build_page_context(path, checked.page.source.text)
            shown += [card for block in checked.page.blocks for card in read_cards(book, page.card(block))]
    return [*shown, *rule_boxes()]


def rule_boxes() -> Iterator[Card]:
    for book in GAMES:
        game = load_shipped_game(book)
        for rule in game.rules.values():
            yield Card(f"{book}: {rule.label}", "rule", [rule], game, " ".join(describe_rule(rule, ENGLISH)))


def read_cards(book: str, html: str) -> Iterator[Card]:
    for found in CARD.finditer(html):
        attributes = dict(ATTRIBUTE.findall(found[1]))
        game = load_shipped_game(attributes.get("data-game", book))
        rules = [game.rules[attributes["data-rule"]]] if "data-rule" in attributes else [*game.rules.values()]
        text = " ".join(unescape(re.sub(r"<[^>]*>", " ", AUTHORS_OWN.sub(" ", found[2]))).split())
        yield Card(f"{book}: {attributes['aria-label']}", attributes["data-kind"], rules, game, text)


def reader_names(game: Game) -> list[str]:
    """What readers may see of a game: names of values, words of tables, of choices and of spends; the longest first."""
    names = set[str]()
    for rule in game.rules.values():
        results: tuple[NamedPart, ...] = (*rule.steps, *rule.outcomes)
        others: tuple[NamedPart, ...] = (*rule.inputs, *rule.dice)  # may share a name
        names |= {reader_name(rule, part.name) for part in results}
        names |= {part.label or format_name(part.name) for part in others}
        names |= {word for entry in rule.inputs for word in entry.choices}
        names |= {rule.label} | {spend.label for spend in rule.spends}
    for table in game.tables.values():
        names |= {
            table.name,
            *table.columns,
            *map(str, table.rows),
            *(str(cell) for cells in table.cells for cell in cells),
        }
    return sorted(filter(None, names), key=len, reverse=True)


def internal_names(rule: Rule, game: Game) -> set[str]:
    """Names of a rule that have a label, or are hidden; not those that readers see as something else."""
    parts: tuple[NamedPart, ...] = (*rule.inputs, *rule.dice, *rule.outcomes)
    parts = (*(part for part in parts if part.label), *(step for step in rule.steps if step.label is not None))
    named = {name for part in parts for name in (part.name, format_name(part.name))}
    return named - {name.lower() for name in reader_names(game)}


def sentences(game: Game) -> Iterator[str]:
    """Patterns for the sentences of outcomes, with any values."""
    for rule in game.rules.values():
        for outcome in rule.outcomes:
            if outcome.says:
                yield r"\S+".join(map(re.escape, re.split(r"\{.*?\}", outcome.says)))


def without_reader_names(text: str, game: Game) -> str:
    for pattern in sentences(game):
        text = re.sub(pattern, "·", text)
    for name in reader_names(game):
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "·", text, flags=re.IGNORECASE)
    return text


def phrase_words() -> set[str]:
    """The words of the sentences in rule boxes, which may be names of some rule as well."""
    phrases = (phrase for name, phrase in ENGLISH.phrases.items() if name.startswith("rule "))
    return {word for phrase in phrases for word in re.findall(r"[a-z]+", re.sub(r"\{.*?\}", " ", phrase.lower()))}


def leaks(card: Card) -> Iterator[str]:
    """Internal names in the text of a card, each with what is around it."""
    rules = [*card.rules, *(side for rule in card.rules if rule.contest for side in rule.contest.of)]
    names = {name for rule in rules for name in internal_names(rule, card.game)}
    text = without_reader_names(card.text, card.game)
    for name in names - phrase_words() if card.kind == "rule" else names:
        for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
            yield f'{card.place}: "{name}" in "{text[max(0, found.start() - 40) : found.end() + 40]}"'


def test_no_card_shows_a_name_that_has_a_label(cards: list[Card]) -> None:
    """Sheets, orders, and examples that are wrong on purpose show what their author typed."""
    own = [card for card in cards if card.kind in ("sheet", "order") or ENGLISH("wrong on purpose") in card.text]
    assert len(own) < len(cards) / 5
    wrong = [leak for card in cards if card not in own for leak in leaks(card)]
    assert not wrong, "\n".join(wrong)


def test_the_search_finds_such_names() -> None:
    game = load_shipped_game("maelstrom")
    assert {"net", "kept", "raised"} <= internal_names(game.rules["action"], game)
    text = without_reader_names("kept 3, successes left 3, net successes 2, You do it.", game)
    assert text.startswith("kept ·, · ·, · ·, ·")


def test_no_card_shows_code(cards: list[Card]) -> None:
    wrong = [f"{card.place}: {CODE.findall(card.text)}" for card in cards if CODE.search(card.text)]
    assert not wrong, "\n".join(wrong)


def test_every_rule_box_is_plain_text(cards: list[Card]) -> None:
    boxes = [card for card in cards if card.kind == "rule"]
    assert len(boxes) > 40
    assert not [card.place for card in boxes if not card.text.endswith((".", "!"))]
