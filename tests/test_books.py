"""The five rulebooks: nothing is missing, everything is shown, and no page has an empty promise."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.book.page import BLOCK_KINDS
from rulewright.checks.model import CheckedBlock, Move
from rulewright.compile.book import CheckedPage, compile_book
from rulewright.game.model import Game
from shipped_books import compile_shipped_books
from source_books import EXTRA, source_books
from source_books import GAMES as BOOKS

HERE = Path(__file__).parent
RULES = HERE.parent / "rules"

CHANCES = {"chances.md"}  # pages of tables, about everything
LEAST_WORDS = 8  # below a heading, blocks not counted
PLACEHOLDER = re.compile(r"\b(TBD|TODO|FIXME|XXX|lorem ipsum|coming soon|to be (?:written|done))\b|^\?$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$|<!--.*?-->", re.MULTILINE | re.DOTALL)


class Place(NamedTuple):
    """A section or a topic, and where its book has it."""

    book: str
    topic: str
    page: str
    anchor: str


@cache
def pages(book: str) -> dict[str, CheckedPage]:
    return {page.file.name: page for page in compile_shipped_books().pages if page.file.parent.name == book}


def blocks(book: str) -> list[CheckedBlock]:
    return [block for page in pages(book).values() for block in page.blocks]


def game_of(book: str) -> Game:
    game = pages(book)["index.md"].game
    assert game
    return game


def checklist() -> Iterator[tuple[str, str, list[Place], list[Place]]]:
    """Each book with its source, the sections of that source, and further topics."""
    for part in (HERE / "data" / "books.txt").read_text("utf-8").split("\n[")[1:]:
        head, _, rest = part.partition("\n")
        book, source = head.split("] ")
        sections, _, topics = rest.partition("\n---\n")
        yield book, source, list(places(book, sections)), list(places(book, topics))


def places(book: str, text: str) -> Iterator[Place]:
    for line in filter(None, text.splitlines()):
        topic, target = line.split(" > ")
        yield Place(book, topic, *target.split("#"))


SECTIONS = dict(zip(BOOKS, (94, 42, 26, 12, 27), strict=True))  # how many the source of each book has
PLACES = [place for _, _, sections, topics in checklist() for place in (*sections, *topics)]


def said_below(page: CheckedPage, anchor: str) -> str:
    """The text below a heading, down to the next one that is as high."""
    headings = page.page.headings
    at = next(n for n, heading in enumerate(headings) if heading.id == anchor)
    ends = (heading.line for heading in headings[at + 1 :] if heading.level <= headings[at].level)
    lines = page.page.source.text.splitlines()
    return "\n".join(lines[headings[at].line : next(ends, len(lines) + 1) - 1])


def test_the_books_are_checked_and_nothing_is_wrong() -> None:
    assert [problem for book in BOOKS for page in pages(book).values() for problem in page.problems] == []
    assert {block.status for book in BOOKS for block in blocks(book)} == {"passed"}


def test_there_are_blocks_of_all_kinds() -> None:
    assert all(blocks(book) for book in BOOKS)
    used = {block.block.kind for book in BOOKS for block in blocks(book)}
    assert used >= {"example", "claim", "odds", "roller", "rule", "table", "sheet", "order"}
    assert used <= set(BLOCK_KINDS)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.book}: {place.topic}")
def test_every_topic_has_its_place(place: Place) -> None:
    page = pages(place.book).get(place.page)
    assert page, f"{place.book} has no page {place.page}"
    assert place.anchor in {heading.id for heading in page.page.headings}
    assert len(FENCE.sub("", said_below(page, place.anchor)).split()) >= LEAST_WORDS


@pytest.mark.parametrize(
    ("book", "source", "sections"),
    [pytest.param(book, source, had, marks=EXTRA, id=book) for book, source, had, _ in checklist()],
)
def test_the_list_has_every_section_of_the_source(book: str, source: str, sections: list[Place]) -> None:
    """The list was taken from the sources; without them, the tests above prove that our books hold what it lists."""
    assert [place.topic for place in sections] == topics(source_books("source")[f"{source}.md"]), book


def topics(text: str) -> list[str]:
    return re.findall(r"^#+ +(.+?) *$", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL), re.MULTILINE)


def test_every_book_has_its_list_of_sections() -> None:
    lists = [(book, source, len(sections)) for book, source, sections, _ in checklist()]
    assert lists == [(book, f"{number:03}", SECTIONS[book]) for number, book in enumerate(BOOKS)]
    assert topics("# A\n<!--\n## B\n-->\nb\n### C d \n#no\n") == ["A", "C d"]


def test_every_page_is_a_place_of_something_and_leads_on() -> None:
    for book in BOOKS:
        named = {place.page for place in PLACES if place.book == book}
        for name, page in pages(book).items():
            assert name in named | CHANCES, f"{book}/{name} covers nothing"
            assert page.page.links, f"{book}/{name} leads nowhere"


# Everything that is declared is shown.


def declared(book: str) -> list[str]:
    """The rules that the book's own game.toml declares."""
    return sorted(set(re.findall(r"^\[+rules\.(\w+)", (RULES / book / "game.toml").read_text("utf-8"), re.MULTILINE)))


def moves_of(book: str, rule: str) -> list[Move]:
    """What came of this rule in the examples of its book."""
    meant = game_of(book).rules[rule]
    return [move for block in blocks(book) for move in block.moves if move.rule == meant]


def ends_of(move: Move) -> str | None:
    """The outcome; in a contest, which side has won."""
    if not move.sides:
        return move.outcome
    return next(
        (end for end, side in zip(("first", "second"), move.sides, strict=True) if side.name == move.outcome), ""
    )


RULES_OF_BOOKS = [(book, rule) for book in BOOKS for rule in declared(book)]


@pytest.mark.parametrize(("book", "rule"), RULES_OF_BOOKS)
def test_every_outcome_of_every_rule_is_shown(book: str, rule: str) -> None:
    seen = {ends_of(move) for move in moves_of(book, rule)}
    meant = game_of(book).rules[rule]
    wanted = ["first", "second"] if meant.contest else [outcome.name for outcome in meant.outcomes]
    assert seen
    assert set(wanted) - seen == set()


@pytest.mark.parametrize(("book", "rule"), RULES_OF_BOOKS)
def test_every_rule_stands_beside_its_paragraph(book: str, rule: str) -> None:
    meant = game_of(book).rules[rule]
    assert any(block.block.kind == "rule" and block.rule == meant for block in blocks(book))


def test_every_ability_has_its_entry_with_all_its_specialties() -> None:
    page = pages("maelstrom")["abilities.md"]
    traits = game_of("maelstrom").traits
    for category in ("talents", "skills", "knowledges"):
        for name in traits[category].names:
            entry = " ".join(said_below(page, name.lower().replace(" ", "-")).split())
            assert "**Goes with:** " in entry, name
            for kind, held in traits[category].specialties[name].items():
                assert f"**{kind.capitalize()}:** {', '.join(held)}" in entry, name


def test_the_tables_of_the_finished_character_say_what_her_sheet_says() -> None:
    text = said_below(pages("maelstrom")["creating.md"], "a-finished-character")
    cells = [cell.strip() for line in text.splitlines() if line.startswith("|") for cell in line.strip("|").split("|")]
    told = {name: dots for name, dots in pairwise(cells) if dots.isdigit() and name[:1].isalpha()}
    told |= {cell[:-2]: cell[-1] for cell in cells if re.fullmatch(r"[A-Z][A-Za-z ]* \d", cell)}
    sheet = re.search(r"^```sheet\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert sheet
    assert dict(re.findall(r"^([A-Z].*): (\d)$", sheet[1], re.MULTILINE)) == told


# Nothing stands there that nobody checks.


def test_every_example_that_is_told_is_checked() -> None:
    assert [page.file for book in BOOKS for page in pages(book).values() if page.unchecked_examples] == []


def test_no_page_holds_a_placeholder() -> None:
    for book in BOOKS:
        for page in pages(book).values():
            assert not PLACEHOLDER.search(page.page.source.text), page.file


def loose_chances(text: str) -> list[str]:
    """Lines with a percentage that is no checked number."""
    return re.findall(r".*\d ?%.*", re.sub(r"\[[^\]]*\]\((?:chance|value):[^)]*\)", "", FENCE.sub("", text)))


def test_chances_in_sentences_are_checked_numbers() -> None:
    texts = {page.file: page.page.source.text for book in BOOKS for page in pages(book).values()}
    loose = {file.name: lines for file, text in texts.items() if (lines := loose_chances(text))}
    assert loose.keys() == {"combat.md"}, loose
    assert all("wounded" in line or "65 %" in line for line in loose["combat.md"]), (
        "shares of hit points are no chances"
    )


def test_a_slip_in_each_book_is_found(tmp_path: Path) -> None:
    for book in BOOKS:
        page = shutil.copytree(RULES / book, tmp_path / book) / "index.md"
        text, slips = re.subn(r"^degree: \d$", "degree: 3", page.read_text("utf-8"), count=1, flags=re.MULTILINE)
        assert slips == 1, book
        page.write_text(text, "utf-8")
    found = compile_book([tmp_path], tmp_path).problems
    slips_found = {problem.span.source.path: problem.code for problem in found if problem.code != "link-missing"}
    assert slips_found.keys() == {f"{book}/index.md" for book in BOOKS}
    assert set(slips_found.values()) == {"example-degree"}
