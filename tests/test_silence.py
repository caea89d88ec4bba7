"""Problems that the author knows: ignore comments, the option `ignore`, and baselines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright import Book

Check = Callable[..., str]
Ran = Callable[..., tuple[int, str, str]]
SETTINGS = "[tool.rulewright]\n"
GAME = """title = "Coin"
[rules.coin.dice]
d2 = { sides = 2, count = 1 }
[rules.coin.outcomes]
heads = { when = "sum(d2) = 2" }
tails = {}
"""
EXAMPLE = "```example\nrule: coin\ndice: 1\noutcome: heads\n```\n"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


def codes(ran: Ran, *words: str) -> list[tuple[str, int]]:
    """The code and line of each problem."""
    problems = json.loads(ran("check", "--format", "json", "--info", *words)[1])["problems"]
    return [(problem["code"], problem["line"]) for problem in problems]


def write_page(book: Path, text: str, name: str = "a.md") -> None:
    (book / name).parent.mkdir(exist_ok=True)
    (book / name).write_text(f"# Page\n\n{text}")


COMMENT = "<!-- rulewright: ignore link-missing -->"
SCOPES = {  # a page from its third line on: the lines on which a dead link is still reported
    f"{COMMENT}\n[a](x.md)\n[b](y.md)\n\n[c](z.md)\n": [7],
    f"{COMMENT}\n\n[a](x.md)\n": [],
    f"{COMMENT}\n- [a](x.md)\n\n- [b](y.md)\n\n[c](z.md)\n": [8],
    f"{COMMENT}\n## [a](x.md)\n\n[b](y.md)\n": [6],
    f"{COMMENT}\n| a |\n|---|\n| [a](x.md) |\n\n[b](y.md)\n": [8],
    f"- {COMMENT}\n  [a](x.md)\n- [b](y.md)\n": [5],
    f"<!-- rulewright: ignore sum-wrong -- so it is printed -->\n{COMMENT}\n[a](x.md)\n": [],
    "<!-- rulewright: ignore links -->\n[a](x.md)\n": [],
    "<!-- rulewright: ignore sum-wrong, link-missing -->\n[a](x.md)\n": [],
    "<!-- rulewright: ignore sum-wrong -->\n[a](x.md)\n": [4],
    f"`{COMMENT}`\n\n[a](x.md)\n": [5],
    f"```text\n{COMMENT}\n```\n\n[a](x.md)\n": [7],
}


@pytest.mark.parametrize("text", SCOPES)
def test_a_comment_is_about_the_next_block_element(text: str, book: Path, ran: Ran) -> None:
    write_page(book, text)
    assert [line for code, line in codes(ran) if code == "link-missing"] == SCOPES[text]


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        (f"{COMMENT}\nNo link.\n", "ignore-unused", "delete this comment"),
        (f"{COMMENT}\n", "ignore-unused", "no block element follows"),
        (f"Text {COMMENT}\n", "ignore-unused", "no block element follows"),
        ("<!-- rulewright: ignore -->\nText\n", "ignore-code", "names no code"),
        ("<!-- rulewright: ignore link-mising -->\nText\n", "ignore-code", "did you mean link-missing?"),
        ("<!-- rulewright: ignore example-degree -->\nText\n", "ignore-code", "`skip:`"),
        ("<!-- rulewright: ignore option-value -->\nText\n", "ignore-code", "correct the settings"),
    ],
)
def test_useless_comments_are_reported(text: str, code: str, part: str, book: Path, ran: Ran) -> None:
    write_page(book, text)
    (problem,) = json.loads(ran("check", "--format", "json", "--info")[1])["problems"]
    assert (problem["code"], problem["line"]) == (code, 3)
    assert part in problem["message"]
    assert problem["severity"] == ("info" if code == "ignore-unused" else "warning")


def test_a_check_that_is_off_leaves_no_unused_comment(book: Path, ran: Ran) -> None:
    (book / "pyproject.toml").write_text(f"{SETTINGS}checks = {{ links = false }}\n")
    write_page(book, f"{COMMENT}\n[a](x.md)\n")
    assert codes(ran) == []


def test_an_example_cannot_be_ignored(book: Path, ran: Ran) -> None:
    (book / "game.toml").write_text(GAME)
    (book / "pyproject.toml").write_text(f'{SETTINGS}ignore = {{ "a.md" = "example-outcome" }}\n')
    write_page(book, f"<!-- rulewright: ignore example-outcome -->\n{EXAMPLE}")
    assert sorted(code for code, _ in codes(ran)) == ["example-outcome", "ignore-code", "ignore-code"]


def test_pages_and_folders_are_ignored_by_an_option(book: Path, ran: Ran) -> None:
    (book / "pyproject.toml").write_text(f'{SETTINGS}ignore = {{ "old/**" = ["link-missing", "spelling"] }}\n')
    write_page(book, "[a](x.md)\n")
    write_page(book, "[a](x.md)\n", "old/b.md")
    assert codes(ran) == [("link-missing", 3), ("ignore-unused", 2)]
    assert "ignored: 1 problem, by comments or by the option `ignore`" in ran("check")[1]
    assert codes(ran, "a.md") == [("link-missing", 3)], "a part of the book cannot tell what is unused"


def test_the_option_in_mkdocs_yml(book: Path, ran: Ran) -> None:
    entries = "    ignore:\n      a.md:\n      - link-missing\n      - gone\n"
    site = f"site_name: x\ndocs_dir: .\nplugins:\n- rulewright:\n{entries}"
    (book / "mkdocs.yml").write_text(site)
    write_page(book, "[a](x.md)\n")
    problems = json.loads(ran("check", "--format", "json")[1])["problems"]
    assert [(problem["path"], problem["line"], problem["code"]) for problem in problems] == [
        ("mkdocs.yml", 8, "ignore-code")
    ]


@pytest.mark.parametrize("value", ['"links"', '{ "a.md" = 3 }', '{ "a.md" = [""] }'])
def test_a_wrong_value_of_the_option(value: str, book: Path, ran: Ran) -> None:
    (book / "pyproject.toml").write_text(f"{SETTINGS}ignore = {value}\n")
    write_page(book, "Text.\n")
    assert codes(ran) == [("option-value", 2)]


def test_a_baseline_knows_lines_wherever_they_are(book: Path, ran: Ran) -> None:
    write_page(book, "[a](x.md) and [b](x.md)\n\n[c](y.md)\n", "rules/a.md")
    (book / "lists").mkdir()
    assert ran("check", "--write-baseline", "lists/known.json")[0] == 0
    entries = json.loads((book / "lists/known.json").read_text())["problems"]
    assert entries == [
        {"code": "link-missing", "path": "../rules/a.md", "text": "[a](x.md) and [b](x.md)", "count": 2},
        {"code": "link-missing", "path": "../rules/a.md", "text": "[c](y.md)", "count": 1},
    ]
    write_page(book, "New.\n\n[a](x.md) and [b](x.md)\n\n[c](y.md)\n\n[c](y.md)\n", "rules/a.md")
    assert codes(ran, "--baseline", "lists/known.json") == [("link-missing", 9)]
    status, text, _ = ran("check", "--baseline", "lists/known.json")
    assert (status, "known: 3 problems, listed in lists/known.json" in text) == (1, True)


def test_a_baseline_works_from_another_folder(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    write_page(book, "[a](x.md)\n", "rules/a.md")
    ran("check", "--write-baseline", "known.json")
    monkeypatch.chdir(book / "rules")
    assert ran("check", "--baseline", "../known.json", ".")[0] == 0


def test_entries_that_nothing_needs_are_reported(book: Path, ran: Ran) -> None:
    write_page(book, "[a](x.md) and [b](x.md)\n")
    write_page(book, "[a](x.md)\n", "b.md")
    ran("check", "--write-baseline", "known.json")
    write_page(book, "[a](x.md) and [b](a.md)\n")
    (book / "b.md").unlink()
    before = (book / "known.json").read_text()
    assert {code for code, _ in codes(ran, "--baseline", "known.json")} == {"link-missing", "ignore-baseline"}
    assert codes(ran, "--baseline", "known.json").count(("ignore-baseline", 1)) == 2
    assert (book / "known.json").read_text() == before


def test_blocks_are_not_in_a_baseline(book: Path, ran: Ran) -> None:
    (book / "game.toml").write_text(GAME)
    write_page(book, EXAMPLE)
    status, text, _ = ran("check", "--write-baseline", "known.json")
    assert (status, "error[example-outcome]" in text) == (1, True)
    assert json.loads((book / "known.json").read_text())["problems"] == []


WRONG_PARTS: tuple[tuple[str, object], ...] = (
    ("code", None), ("path", 5), ("path", ["a.md"]), ("text", {}), ("text", True),
    ("count", -3), ("count", 0), ("count", "2"), ("count", 1.5), ("count", True), ("count", float("inf")),
)  # fmt: skip
DAMAGED = [
    json.dumps({"problems": [{"code": "link-missing", "path": "a.md", "text": "x", "count": 1, key: value}]})
    for key, value in WRONG_PARTS
]


@pytest.mark.parametrize("text", ["", "[]", '{"problems": [{"code": 1}]}', '{"problems": 3}', "\x80", *DAMAGED])
def test_a_baseline_that_cannot_be_read_stops_the_check(text: str, book: Path, ran: Ran) -> None:
    write_page(book, "Text.\n")
    (book / "known.json").write_bytes(text.encode("latin-1"))
    status, _, error = ran("check", "--baseline", "known.json")
    assert (status, error) == (2, "rulewright: known.json: it is not a baseline\n"), "no advice to overwrite it"
    assert "there is no such file" in ran("check", "--baseline", "other.json")[2]


@pytest.mark.parametrize("words", [("--fix",), ("--watch",), ("--only", "a.1"), ("--baseline", "known.json")])
def test_a_baseline_is_written_for_the_whole_book(words: tuple[str, ...], book: Path, ran: Ran) -> None:
    write_page(book, "Text.\n")
    assert ran("check", "--write-baseline", "known.json", *words)[0] == 2
    assert not (book / "known.json").exists()


@pytest.mark.parametrize("site", [False, True], ids=["pyproject.toml", "mkdocs.yml"])
def test_the_option_baseline_needs_no_flag(site: bool, book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    if site:
        plugins = "plugins: [{rulewright: {baseline: lists/known.json}}]"
        (book / "mkdocs.yml").write_text(f"site_name: x\ndocs_dir: rules\n{plugins}\n")
    else:
        (book / "pyproject.toml").write_text(f'{SETTINGS}baseline = "lists/known.json"\n')
    (book / "lists").mkdir()
    write_page(book, "[a](x.md) and [b](x.md)\n", "rules/a.md")
    assert {code for code, _ in codes(ran)} == {"option-baseline", "link-missing"}
    assert "rulewright check --write-baseline lists/known.json writes one" in ran("check")[1]
    status, text, _ = ran("check", "--write-baseline", "lists/known.json")
    assert (status, "option-baseline" in text) == (0, False)
    status, text, _ = ran("check")
    assert (status, "known: 2 problems, listed in lists/known.json" in text) == (0, True)
    monkeypatch.chdir(book / "rules")
    assert ran("check")[0] == 0, "seen from the settings, wherever the command runs"
    monkeypatch.chdir(book)
    assert Book.load(".").check().ok
    assert Book.load(".").pages[0].problems == ()
    (book / "other.json").write_text('{"problems": []}')
    assert codes(ran, "--baseline", "other.json")[-1][0] == "link-missing", "the flag takes the place of the option"
    write_page(book, "[a](x.md) and [b](x.md) new\n", "rules/a.md")
    assert codes(ran) == [("link-missing", 3), ("link-missing", 3), ("ignore-baseline", 1)]


def test_a_baseline_outside_the_project_is_not_read(book: Path, ran: Ran) -> None:
    (book.parent / "known.json").write_text('{"problems": []}')
    (book / "mkdocs.yml").write_text("site_name: x\nplugins: [{rulewright: {baseline: ../known.json}}]\n")
    write_page(book, "Text.\n", "docs/a.md")
    assert [code for code, _ in codes(ran)] == ["option-baseline"]
    text = ran("check")[1]
    assert "outside the project" in text
    assert "--write-baseline" not in text


@pytest.mark.parametrize("value", ["", "[a, b]", "true", '""', "' '", "{a: b}", '"a\\0b"'])
def test_a_wrong_value_of_the_option_baseline(value: str, book: Path, ran: Ran) -> None:
    (book / "mkdocs.yml").write_text(f"site_name: x\nplugins:\n  - rulewright:\n      baseline: {value}\n")
    write_page(book, "Text.\n", "docs/a.md")
    assert [code for code, _ in codes(ran)] == ["option-value"]
    assert "baseline is the path of a file, such as known.json, not " in ran("check")[1]


@pytest.mark.parametrize(("value", "fact"), [(".", "this is a folder"), ("mkdocs.yml", "it is not a baseline")])
def test_what_is_no_baseline_is_not_to_be_overwritten(value: str, fact: str, book: Path, ran: Ran) -> None:
    (book / "mkdocs.yml").write_text(f"site_name: x\nplugins: [{{rulewright: {{baseline: {value}}}}}]\n")
    write_page(book, "Text.\n", "docs/a.md")
    text = ran("check")[1]
    assert f"error[option-baseline] {value}: {fact}" in text
    assert "--write-baseline" not in text


def test_what_is_ignored_is_not_fixed(book: Path, ran: Ran) -> None:
    write_page(book, f"{COMMENT}\n[a](#Page)\n\n[b](#Page)\n")
    ran("check", "--fix")
    assert (book / "a.md").read_text().endswith("[a](#Page)\n\n[b](#page)\n")
