"""A fix never changes what happens, nor a number that the text beside it repeats; links stay in their book."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from link_cases import check_links
from rulewright.book.parser import read_page
from rulewright.book.resolver import LinkResolver
from rulewright.book.same_book import language_and_edition, same_book, side_by_side
from rulewright.checks.safe_fixes import repeats_number
from rulewright.compile.book import compile_book
from rulewright.compile.fixes import BookFixer
from rulewright.source import Problem, Source, Span
from small_book import write

STEP = "```example\nrule: toss\ncoins: 9\ndice: 2 2 2 2 2 2 1 1 1\noutcome: win\ndegree: 5\nheads: 7\n```"


def only(folder: Path, text: str) -> Problem:
    (problem,) = compile_book([write(folder, {"a.md": text})], folder).problems
    return problem


@pytest.mark.parametrize(
    "beside",
    [
        "She gets 7 heads.", "She gets seven heads.", "«Seven!» she cries.", "A string of sevens.", "Her seventh head.",
        "Sie wirft sieben Mal Kopf.", "Seven of them,\nto her delight.", "| heads | 7 |\n| --- | --- |\n| a | b |",
        "- *7* heads", "> Heads: **7**", "Some <b>7</b> heads.", '<p title="x">7 heads</p>', "7d6",
        "--8<-- \"story.md\"",
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", ["before", "after"])
def test_a_number_that_the_text_repeats_is_left_to_the_author(beside: str, place: str, tmp_path: Path) -> None:
    parts = [beside, STEP] if place == "before" else [STEP, beside]
    problem = only(tmp_path, "# A\n\n" + "\n\n".join(parts) + "\n")
    assert problem.code == "example-step"
    assert problem.fix is None
    assert problem.notes[-1] == (
        "either write `heads: 6` and correct the sentences around it, or change the dice, the inputs or the rule"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"# A\n\nShe gets 6 heads, or 17, or 70.\n\n{STEP}\n",
        f"# A\n\nShe gets 7 heads.\n\n# B\n\nShe tosses.\n\n{STEP}\n",
        f"# A\n\nShe tosses.\n\n{STEP}\n\n## C\n\nAnd 7 more.\n",
        f"# A\n\n[She tosses](https://example.org/7).\n\n<!-- 7? -->\n\n{STEP}\n",
    ],
)
def test_a_number_that_nobody_repeats_is_fixed(text: str, tmp_path: Path) -> None:
    problem = only(tmp_path, text)
    assert problem.fix is not None
    assert (problem.fix.span.text, problem.fix.text) == ("7", "6")


@pytest.mark.parametrize(
    "block",
    [
        STEP.replace("rule: toss", "rule: toss\ntitle: Seven heads"),
        STEP.replace("heads: 7", "heads: 7   # she is proud of all 7"),
        STEP.replace("outcome: win\n", ""),  # what happens would be decided by the fix alone
        STEP.replace("degree: 5\n", ""),
        STEP.replace("\nheads: 7\n", "\ninstead:\ncoins: 9\nheads: 7\n"),
    ],
)
def test_a_block_has_to_say_what_happens(block: str, tmp_path: Path) -> None:
    assert only(tmp_path, f"# A\n\nShe tosses.\n\n{block}\n").fix is None


def test_a_section_of_blocks_belongs_to_the_text_before_it(tmp_path: Path) -> None:
    assert only(tmp_path, f"# A\n\nShe gets seven.\n\n## The proof\n\n{STEP}\n").fix is None


@pytest.mark.parametrize(
    ("right", "wrong", "count"),
    [("win", "loss", 1), ("degree: 5", "degree: 4", 1), ("win\ndegree: 5", "loss\ndegree: 4", 2)],
)
def test_what_happens_is_never_fixed(right: str, wrong: str, count: int, tmp_path: Path) -> None:
    block = STEP.replace("heads: 7", "heads: 6").replace(right, wrong)
    folder = write(tmp_path, {"a.md": f"# A\n\n{block}\n"})
    run = BookFixer([folder], folder)
    left = run.run().problems
    assert not run.pages
    assert len(left) == count
    assert all(one.fix is None and one.notes[-1].startswith("either write `") for one in left)


def test_no_step_is_fixed_where_the_outcome_is_disputed(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.md": f"# A\n\n{STEP.replace('win', 'loss')}\n"})
    assert [one.code for one in compile_book([folder], folder).problems if one.fix] == []


@pytest.mark.parametrize(
    ("beside", "repeated"),
    [
        ("It works 30 % of the time.", True),
        ("It works in 30 percent of all cases.", True),
        ("About a third of the time.", True),
        ("Three out of ten.", True),
        ("The chance is .. 0.3, no more.", True),
        ("A bonus of 1 or 3.", False),
        ("Half of the time.", False),
        ("It works 31 % of the time.", False),
    ],
)
def test_chances_in_other_words(beside: str, repeated: bool) -> None:
    source = Source("a.md", f"# A\n\nIt is 30 %.\n\n{beside}\n")
    start = source.text.index("30 %")
    assert repeats_number(read_page(source), Span(source, start, start + 4)) == repeated


def test_a_claim_that_a_sentence_repeats(tmp_path: Path) -> None:
    claim = "```claim\nrule: toss\nchance(win; coins 2) = 30%\n```"
    assert only(tmp_path, f"# A\n\nThey win.\n\n{claim}\n").fix is not None
    problem = only(tmp_path, f"# A\n\nThey win 30 % of the time.\n\n{claim}\n")
    assert problem.fix is None
    assert problem.notes[-1] == "either write 25% here and wherever the text repeats 30%, or change the rule"


def test_a_missing_percent_sign_is_not_rounded_away(tmp_path: Path) -> None:
    """87.5 % is no 1."""
    odds = "```odds\nrule: toss\nrows: coins 3..4\nshow: chance of win\nexpect: coins 3 = 70\n```"
    assert only(tmp_path, f"# A\n\n{odds}\n").fix is None


def links(pages: dict[str, str], files: tuple[str, ...] = ()) -> list[Problem]:
    read = [read_page(Source(path, text)) for path, text in pages.items()]
    return check_links(read, exists=lambda path: path in files)


WITH = "# Here\n\n[x]({})\n"
HERE = "# Campaign setup\n"


@pytest.mark.parametrize(
    ("page", "other", "files"),
    [
        ("game-ukr/a.md", "game-en/a.md", ()),
        ("de/a.md", "en/a.md", ()),
        ("a.de.md", "a.md", ()),
        ("rules/a.md", "rules/de/a.md", ()),
        ("core/a.md", "wip/tales.md", ()),
        ("rules/a.md", "rules/first-edition/a.md", ()),
        ("srd/v1/a.md", "srd/v2/a.md", ()),
        ("books/a.md", "books/two/b.md", ("books/two/game.toml",)),
    ],
)
def test_links_stay_in_their_book(page: str, other: str, files: tuple[str, ...]) -> None:
    """The page has no such heading, and the only one that has it is of another language, edition or book."""
    (problem,) = links({page: WITH.format("#campaign-setup"), other: HERE}, files)
    assert problem.fix is None


@pytest.mark.parametrize(
    ("page", "other"), [("a.md", "b.md"), ("rules/a.md", "rules/b.md"), ("rules/a.md", "rules/combat/b.md")]
)
def test_links_within_a_book_are_fixed(page: str, other: str) -> None:
    (problem,) = links({page: WITH.format("#campaign-setup"), other: HERE})
    assert problem.fix is not None
    assert problem.fix.text.endswith("b.md#campaign-setup")


@pytest.mark.parametrize("heading", ["Campaign setups", "Campaign setup summary", "Campaign"])
def test_two_headings_may_be_meant(heading: str) -> None:
    """That of another page, or one beside the link that is named nearly so."""
    (problem,) = links({"a.md": f"# {heading}\n\n[x](#campaign-setup)\n", "b.md": HERE})
    assert problem.fix is None


def test_an_old_place_that_is_in_another_book_now(tmp_path: Path) -> None:
    pages = {"rules/de/a.md": "# A\n\n[x](#alt)\n", "rules/en/a.md": "# New\n", "rules/de/b.md": "# Neu\n"}
    write(tmp_path, {**pages, "aliases.toml": '"rules/de/a.md#alt" = "rules/en/a.md#new"\n'})
    compiled = compile_book([tmp_path], tmp_path)
    (problem,) = (one for page in compiled.pages for one in page.problems if one.code == "link-moved")
    assert problem.fix is None
    write(tmp_path, {"aliases.toml": '"rules/de/a.md#alt" = "rules/de/b.md#neu"\n'})
    compiled = compile_book([tmp_path], tmp_path)
    (problem,) = (one for page in compiled.pages for one in page.problems if one.code == "link-moved")
    assert problem.fix is not None


def test_which_pages_belong_together() -> None:
    pages = [read_page(Source(path, "# A\n")) for path in ("one/a.md", "one/b.md", "two/a.md", "two/more/b.md")]
    atlas = LinkResolver(pages, "", lambda path: path == "two/game.toml")
    assert same_book(atlas, "one/a.md", "one/b.md")
    assert same_book(atlas, "two/a.md", "two/more/b.md")
    assert not same_book(atlas, "one/a.md", "two/a.md")
    assert same_book(atlas, "gone/a.md", "two/a.md")  # the whole folder has another name now
    assert side_by_side("a.md", "b.md")
    assert not side_by_side("a.md", "one/b.md")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("what-is-it.md", ()),
        ("7-setting-up.md", ()),
        ("chapter 2.md", ()),
        ("Ironsworn-md-en/a.md", ("en",)),
        ("a.pt.md", ("pt",)),
        ("zh-Hans/a.md", ("zh-hans",)),
        ("deutsch/a.md", ("deutsch",)),
        ("2nd-edition/a.md", ("2nd-edition",)),
        ("srd/5.1/a.md", ("5.1",)),
    ],
)
def test_languages_and_editions_by_name(path: str, expected: tuple[str, ...]) -> None:
    assert language_and_edition(path) == expected


AVERAGES = "10 (3d6) points, the eel 7 (3d4), the heron 4 (1d8), the otter 3 (1d6) and the bear 31 (7d8)."


def test_dice_may_be_the_mistake_of_an_average(tmp_path: Path) -> None:
    problem = only(tmp_path, f"# A\n\nThe pike bites for {AVERAGES} The leech drinks 11 (3d6) points.\n")
    assert problem.code == "average-rounded"
    assert problem.fix is None


@pytest.mark.parametrize(("beside", "fixed"), [("", True), ("On 10 to 15 you may go on.", False)])
def test_a_row_that_a_sentence_names(beside: str, fixed: bool, tmp_path: Path) -> None:
    table = "| d20 | x |\n|---|---|\n| 1-5 | a |\n| 6-10 | b |\n| 10-15 | c |\n| 16-20 | d |\n"
    assert (only(tmp_path, f"# A\n\n{beside}\n\n{table}").fix is not None) == fixed


@pytest.mark.parametrize("read", [lambda text: text, lambda text: text.replace("\n", "\r\n")])
def test_line_ends_do_not_matter(read: Callable[[str], str], tmp_path: Path) -> None:
    assert only(tmp_path, read(f"# A\n\nShe gets 7.\n\n{STEP}\n")).fix is None
    assert only(tmp_path, read(f"# A\n\nShe tosses.\n\n{STEP}\n")).fix is not None
