"""Where games are searched, which rule a name means, and what `rulewright check` says of a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from rulewright import Game
from rulewright.cli import TRACEBACK, main
from rulewright.compile.book import compile_book
from rulewright.compile.watch import BookWatcher
from rulewright.project import find_book_root, find_games, find_surrounding_book
from rulewright.source import Problem, Source, Span

Golden = Callable[[str, str], None]
GAME = """title = "{title}"
[rules.{rule}]
label = "{label}"
[rules.{rule}.dice]
one = {{ sides = 6 }}
[rules.{rule}.steps]
total = "sum(one)"
"""
COUNTS = [
    "pages",
    "blocks",
    "passed",
    "failed",
    "errors",
    "skipped",
    "prose_examples",
    "unchecked_examples",
    "numbers",
    "bound",
    "checked",
    "free",
    "wrong",
    "unbound",
]
NOTHING_YET: dict[str, object] = {
    **{name: {"const": 0} for name in [*COUNTS, "unread", "ignored"]},
    "looked": {"const": {}},
    "problems": {"const": {"error": 2, "warning": 0, "info": 0}},
}
PLACE = ["path", "line", "column", "end_line", "end_column"]
PROBLEM = ["code", "severity", *PLACE, "trail", "message", "notes", "fix", "cause", "repository_path"]
REPORT = {
    "type": "object",
    "required": ["version", "summary", "blocks", "problems"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": 1},
        "summary": {"required": [*NOTHING_YET], "additionalProperties": False, "properties": NOTHING_YET},
        "blocks": {"type": "array", "maxItems": 0},
        "problems": {"type": "array", "items": {"required": PROBLEM}},
        "coverage": {"type": "array", "maxItems": 0},
    },
}


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(TRACEBACK, "1")
    return tmp_path


def put(folder: Path, rule: str = "luck", title: str = "") -> Path:
    """A game with one rule."""
    folder.mkdir(parents=True, exist_ok=True)
    text = GAME.format(title=title or folder.name.title(), rule=rule, label=rule.title())
    (folder / "game.toml").write_text(text, encoding="utf-8")
    return folder


def write(file: Path, text: str = "") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def found_below(folder: Path) -> list[str]:
    return [file.parent.relative_to(folder).as_posix() for file in find_games(folder)]


def test_folders_without_rules_are_left_out(book: Path) -> None:
    for name in ("b", "a/deep", ".hidden", "node_modules/x", "venv/lib", "built", "site"):
        put(book / name)
    write(book / "venv" / "pyvenv.cfg")
    assert found_below(book) == ["a/deep", "b", "built", "site"]
    write(book / "mkdocs.yml", "site_name: x\nsite_dir: built\n")
    assert found_below(book) == ["a/deep", "b", "site"]
    write(book / "mkdocs.yml", "site_name: x\n")
    assert found_below(book) == ["a/deep", "b", "built"]


def test_a_book_in_a_book_has_its_own_output(book: Path) -> None:
    put(book / "inner" / "out")
    put(book / "out")
    write(book / "inner" / "mkdocs.yml", "site_dir: out\n")
    assert found_below(book) == ["out"]


@pytest.mark.parametrize(
    ("setting", "root"),
    [
        ("", "docs"),
        ("docs_dir: rules", "rules"),
        ("docs_dir: 'my rules'  # all of them", "my rules"),
        ('docs_dir: "rules"', "rules"),
        ("site_name: x\r\ndocs_dir: rules\r\n", "rules"),
        ("docs_dir: nowhere", "place"),
        ("docs_dir: !ENV [RULES, rules]", "docs"),
        ("docs_dir: [", "docs"),
        ("nav:\n  docs_dir: rules", "docs"),
    ],
)
def test_the_root_of_a_book(setting: str, root: str, book: Path) -> None:
    for name in ("docs", "rules", "my rules", "place"):
        (book / name).mkdir()
    (book / "mkdocs.yml").write_bytes(setting.encode())
    assert find_book_root(book / "place") == book / root


@pytest.mark.parametrize(
    ("files", "here", "root"),
    [
        ({"mkdocs.yml": "docs_dir: rules\n"}, ".", "rules"),
        ({"mkdocs.yml": "docs_dir: rules\n"}, "rules/deep", "rules"),
        ({"mkdocs.yml": "docs_dir: rules\n"}, "beside", "rules"),
        ({"mkdocs.yml": "docs_dir: nowhere\n"}, ".", "."),
        ({"mkdocs.yml": "", "rules/book.toml": "[book]\nsrc = 'deep'\n"}, "rules/deep", "rules/deep"),
        ({"book.toml": "[book]\nsrc = 'rules'\n"}, ".", "rules"),
        ({"book.toml": "[book]\nsrc = 3\n", "src/a.md": ""}, ".", "src"),
        ({"book.toml": "[[[", "src/a.md": ""}, "rules", "src"),
        ({"book.toml": ""}, "rules", "."),
        ({".obsidian/app.json": "{}"}, "rules/deep", "."),
        ({"docusaurus.config.ts": ""}, "rules", "."),
        ({"index.html": "<script src='//cdn/docsify@4'></script>"}, "rules/deep", "."),
        ({"index.html": "<p>Hello</p>"}, "rules/deep", "rules/deep"),
        ({}, "rules", "rules"),
    ],
)
def test_the_book_around_a_folder(files: dict[str, str], here: str, root: str, book: Path) -> None:
    for name in ("rules/deep", "beside"):
        (book / name).mkdir(parents=True)
    for name, text in files.items():
        write(book / name, text)
    assert find_surrounding_book(book / here) == book / root


WRONG_PAGE = "# A\n\n[gone](#nowhere)\n"


@pytest.mark.parametrize(("command", "status"), [("check", 0), ("export html", 0), ("adopt", 0), ("check .", 1)])
def test_commands_without_a_path_take_the_book(
    command: str, status: int, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(book / "mkdocs.yml", "site_name: x\ndocs_dir: rules\n")
    write(book / "rules" / "index.md", "# The book\n")
    write(book / "tests" / "wrong.md", WRONG_PAGE)
    assert main(command.split()) == status, capsys.readouterr()
    if command.startswith("export"):
        assert (book / f"{book.name}.html").is_file()


@pytest.mark.long
def test_the_repository_is_checked_without_a_path(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(__file__).parent.parent
    monkeypatch.chdir(root)
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    assert main(["check", "rules", "--strict"]) == 0
    assert said == capsys.readouterr().out
    assert said.startswith("32 games, ")  # five, and those that stand in pages of the handbook
    assert "no problems\n" in said


EXCLUDING = "site_name: x\ndocs_dir: rules\nplugins: [{rulewright: {exclude: [drafts, 'old/**/a.md', '*.tmp.md']}}]\n"


@pytest.mark.parametrize(
    ("arguments", "pages"),
    [
        ([], ["deep/b.tmp.md", "index.md", "old/keep.md"]),
        (["rules"], ["deep/b.tmp.md", "index.md", "old/keep.md"]),
        (["rules/drafts"], ["drafts/more/y.md", "drafts/x.md"]),
        (["rules/drafts/more/y.md"], ["drafts/more/y.md"]),
    ],
)
def test_what_is_excluded(arguments: list[str], pages: list[str], book: Path) -> None:
    write(book / "mkdocs.yml", EXCLUDING)
    every = ("index", "a.tmp", "deep/b.tmp", "drafts/x", "drafts/more/y", "old/a", "old/very/deep/a", "old/keep")
    for name in every:
        write(book / "rules" / f"{name}.md", WRONG_PAGE)
    put(book / "rules" / "drafts")
    places = [book / one for one in arguments] or [find_surrounding_book(book)]
    compiled = compile_book(places, book)
    assert sorted(one.file.relative_to(book / "rules").as_posix() for one in compiled.pages) == pages
    assert list(compiled.games.by_folder) == (["drafts"] if "drafts" in "".join(arguments) else [])
    watching = BookWatcher(places, book)
    watching.update()
    assert [one.file for one in watching.compiled.pages] == [one.file for one in compiled.pages]
    write(book / "mkdocs.yml", "site_name: x\ndocs_dir: rules\n")
    assert watching.update()
    assert len(watching.compiled.pages) == (len(pages) if "drafts" in "".join(arguments) else len(every))


def test_a_link_to_a_page_that_is_excluded(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book / "mkdocs.yml", EXCLUDING)
    write(book / "rules" / "drafts" / "x.md", WRONG_PAGE)
    write(book / "rules" / "index.md", "# A\n\n[draft](drafts/x.md)\n")
    assert main(["check"]) == 0, capsys.readouterr()


def asked(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The game that a name leads to, or what is said instead."""
    status = main(["odds", name, "--json"])
    out, err = capsys.readouterr()
    return f"{json.loads(out)['game']}/{json.loads(out)['rule']}" if status == 0 else err


def test_a_bare_rule_is_that_of_the_nearest_game(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(book / "a")
    put(book / "b")
    (book / "a" / "pages").mkdir()
    monkeypatch.chdir(book / "a" / "pages")
    assert asked("luck", capsys) == "a/luck"
    assert asked("LUCK", capsys) == "a/luck"


def test_a_bare_rule_may_be_that_of_the_only_game(
    book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(book / "mkdocs.yml", "docs_dir: rules\n")
    put(book / "rules" / "a")
    put(book / "rules" / "b", rule="test")
    assert asked("test", capsys) == "b/test"
    monkeypatch.chdir(book / "rules" / "a")
    assert asked("test", capsys) == "b/test"


def test_candidates_are_listed(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(book / "a", title="First")
    put(book / "bb", title="Second")
    assert asked("luck", capsys) == (
        'rulewright: 2 games have a rule "luck"; write one of\n  a/luck   First · Luck\n  bb/luck  Second · Luck\n'
    )


def test_games_by_folder(book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    write(book / "mkdocs.yml", "docs_dir: rules\n")
    put(book / "rules" / "near" / "a")
    put(book / "rules" / "far" / "a")
    put(book / "rules" / "far" / "b")
    assert asked("near/a/luck", capsys) == "near/a/luck"
    assert asked("rules/near/a/luck", capsys) == "near/a/luck"
    assert asked("b/luck", capsys) == "far/b/luck"
    assert asked("a/luck", capsys) == 'rulewright: there are 2 games "a"; write one of\n  far/a\n  near/a\n'
    monkeypatch.chdir(book / "rules" / "far")
    assert asked("a/luck", capsys) == "far/a/luck"
    assert "did you mean far/b?" in asked("far/bb/luck", capsys)


@pytest.mark.parametrize("folder", ["", "near", "near/a"])
def test_a_story_goes_on_with_another_rule(folder: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the same game, wherever that lies in its book; cards and reports call it by its folder there."""
    put(book / folder, title="A")
    file = book / folder / "game.toml"
    more = GAME.format(title="", rule="fate", label="Fate").partition("\n")[2]
    write(file, file.read_text(encoding="utf-8") + more)
    text = "# A\n\n```example\nrule: luck\ndice: 3\ntotal: 3\nthen:\nrule: fate\ndice: 4\ntotal: 4\n```\n"
    write(book / folder / "page.md", text)
    assert main(["check", "--format", "json"]) == 0
    (block,) = json.loads(capsys.readouterr().out)["blocks"]
    assert (block["status"], block["game"]) == ("passed", folder)


@pytest.mark.parametrize("settings", ["mkdocs.yml", "pyproject.toml"])
def test_games_that_are_excluded_are_not_found(
    settings: str, book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unless they are named, or are the nearest game."""
    options = {"mkdocs.yml": EXCLUDING, "pyproject.toml": "[tool.rulewright]\nexclude = ['drafts']\n"}
    write(book / "mkdocs.yml", "site_name: x\ndocs_dir: rules\n")
    write(book / settings, options[settings])
    put(book / "rules" / "real")
    put(book / "rules" / "drafts" / "new")
    write(book / "rules" / "drafts" / "page.md", f"# A\n\n```game\n{GAME.format(title='A', rule='a', label='A')}```\n")
    assert asked("luck", capsys) == "real/luck"
    assert asked("a", capsys) == 'rulewright: no game here has a rule "a"; known here: luck\n'
    assert asked("rules/drafts/new/luck", capsys) == "drafts/new/luck"
    assert main(["odds"]) == 0
    assert "real/luck" in capsys.readouterr().out  # the only rule needs no name
    monkeypatch.chdir(book / "rules" / "drafts" / "new")
    assert asked("luck", capsys) == "drafts/new/luck"


ROOTS = {  # the settings of each tool, and the folder of its pages
    "MkDocs": ({"mkdocs.yml": "site_name: x\ndocs_dir: rules\n"}, "rules"),
    "docs": ({"mkdocs.yml": "site_name: x\n"}, "docs"),
    "mdBook": ({"book.toml": "[book]\nsrc = 'text'\n"}, "text"),
    "Obsidian": ({".obsidian/app.json": "{}"}, ""),
    "Docusaurus": ({"docusaurus.config.js": ""}, ""),
    "docsify": ({"index.html": "<script src='docsify.js'></script>"}, ""),
    "nearest": ({"mkdocs.yml": "docs_dir: other\n", "inner/book.toml": "[book]\nsrc = 'text'\n"}, "inner/text"),
}


@pytest.mark.parametrize("subfolder", ["", "part/deep"])
@pytest.mark.parametrize("tool", ROOTS)
def test_every_command_takes_the_book_it_stands_in(
    tool: str, subfolder: str, book: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files, pages = ROOTS[tool]
    for name, text in files.items():
        write(book / name, text)
    home = book / "inner" if tool == "nearest" else book
    (book / "other").mkdir()
    write(book / pages / "index.md", "# The book\n")
    write(book / pages / "part" / "deep" / "page.md", "# A page\n\nExample: Ann rolls a 3, for a total of 3.\n")
    put(book / pages / "games" / "fate")
    monkeypatch.chdir(book / pages / subfolder if subfolder else home)
    assert main(["check", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["pages"] == 2
    assert main(["adopt", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["pages"] == 2
    assert main(["export", "html", "-o", "out.html"]) == 0
    assert "2 pages of the book" in capsys.readouterr().out
    Path("out.html").unlink()
    assert asked("luck", capsys) == "games/fate/luck"
    assert asked("fate/luck", capsys) == "games/fate/luck"


def test_no_games_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("luck", capsys) == "rulewright: there is no game.toml here, above or below, and no page with a game\n"
    assert main(["roll"]) == 2
    capsys.readouterr()
    assert main(["check"]) == 2
    assert capsys.readouterr().err.startswith("rulewright: nothing to check: ")


def test_a_game_that_stands_in_a_page(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is found where no game has a file, and by the name of its page anywhere."""
    game = f"# Fate\n\n```game\n{GAME.format(title='Fate', rule='fate', label='Fate')}```\n"
    write(book / "more" / "fate.md", game)
    write(book / "none.md", "# None\n\nA ``` game without a block.\n")
    for name in ("fate", "more/fate.md/fate", "fate.md/fate"):
        assert asked(name, capsys) == "more/fate.md/fate"
    assert asked("luck", capsys) == 'rulewright: no game here has a rule "luck"; known here: fate\n'
    assert asked("none.md/fate", capsys) == "rulewright: there is no game in none.md\n"
    put(book / "near", title="Near")
    assert asked("luck", capsys) == "near/luck"
    assert asked("more/fate.md/fate", capsys) == "more/fate.md/fate"
    main(["check"])
    assert capsys.readouterr().out.startswith("2 games, 2 rules, 2 pages, 1 block, no problems")
    write(book / "more" / "fate.md", game.replace("sides = 6", 'sides = "six"'))
    assert main(["roll", "more/fate.md/fate"]) == 1
    assert "a game with mistakes cannot be played" in capsys.readouterr().err


def test_a_folder_beside_a_book_is_one_of_its_own(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book / "mkdocs.yml", "site_name: x\n")
    put(book / "docs", title="Of the book", rule="fate")
    put(book / "drafts")
    write(book / "drafts" / "page.md", "# A\n\n```example\nrule: luck\ndice: 3\ntotal: 3\n```\n")
    for place in ("drafts", "drafts/page.md"):
        assert main(["check", place]) == 0
        assert "1 block, no problems" in capsys.readouterr().out
    assert main(["check", "."]) == 0
    assert capsys.readouterr().out.startswith("2 games, 2 rules, 1 page, 1 block, no problems")
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("1 game, 1 rule, no problems")


ASKING = """
```example
{rule}
dice: 3
```

```roller
{rule}
```

```table
{table}
```

The odds are [1/6](roll:{link}).
"""


@pytest.mark.parametrize("place", ["folder", "page", "elsewhere"])
def test_a_game_with_mistakes_is_told_once(place: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And not again by all that cannot be judged without it."""
    game = GAME.format(title="Luck", rule="luck", label="Luck").replace("sides = 6", 'sides = "six"')
    put(book, title="Root")
    named = place == "elsewhere"
    page = ASKING.format(
        rule="game: Bad" if named else "rule: luck",
        table="game: Bad\nname: t" if named else "name: t",
        link="bad/luck?value=3" if named else "luck?value=3",
    )
    head = f"```game\n{game}```\n" if place == "page" else ""
    write(book / "page.md" if named else book / "bad" / "page.md", f"# Luck\n{head}{page}")
    if place != "page":
        write(book / "bad" / "game.toml", game)
    assert main(["check", "--format", "json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert [one["message"] for one in said["problems"]] == ['there is no input or step "six"; known here: total']
    assert {one["status"] for one in said["blocks"]} == {"error"}


def test_a_game_with_mistakes_is_not_played(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(book / "bad" / "game.toml", 'title = "Bad"\n[rules.luck.steps]\ntotal = "sum(dice)"\n')
    for name in ("bad/luck", "luck"):
        assert main(["roll", name]) == 1
        assert "bad/game.toml:3:" in capsys.readouterr().err
    put(book / "good")
    assert asked("luck", capsys) == "good/luck"


# What check says


BROKEN = """title = "Broken"

[rules.test.inputs]
bonus = { min = 5, max = -5 }

[rules.test.dice]
pair = { count = 2, sides = 6 }

[rules.test.steps]
total = "sum(pairs) + bonus"
"""


@pytest.fixture
def broken(book: Path) -> Path:
    write(book / "z" / "game.toml", BROKEN)
    write(book / "extended" / "game.toml", 'title = "Extended"\nextends = "../z"\n')
    put(book / "fine")
    return book


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_problems_of_all_games(form: str, capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    assert main(["check", "--format", form]) == 1
    golden(f"cli/check/{form}.txt", capsys.readouterr().out)


@pytest.mark.usefixtures("broken")
def test_the_report_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, REPORT)
    places = [(problem["path"], problem["line"], problem["column"]) for problem in report["problems"]]
    assert len(places) == len(set(places)), "an extended game says nothing twice"
    assert {path for path, _, _ in places} == {"z/game.toml"}


def test_paths_are_shown_from_here(
    broken: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(broken / "fine")
    assert main(["check", "../z/game.toml", str(broken / "z")]) == 1
    out = capsys.readouterr().out
    assert out.startswith("../z/game.toml:")
    assert "\n1 game, " in out


def test_only_what_was_asked_for(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "fine", "--strict"]) == 0
    assert capsys.readouterr().out == "1 game, 1 rule, no problems\n"
    assert main(["check", str(broken / "fine" / "game.toml")]) == 0


@pytest.mark.parametrize(
    ("severity", "strict", "status"), [("warning", False, 0), ("warning", True, 1), ("info", True, 0)]
)
def test_warnings_count_only_when_strict(
    severity: str, strict: bool, status: int, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(book / "a") / "game.toml"
    problem = Problem("some", "said", Span(Source("a/game.toml", "text"), 0, 1), severity)
    monkeypatch.setattr("rulewright.compile.games.open_game", lambda *_: (None, [problem]))
    assert main(["check", str(file), *(["--strict"] if strict else [])]) == status


def test_a_game_of_the_gallery_is_found_where_no_game_has_its_name(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ("d20/check bonus=5", "D20 bonus=5", "d20/check bonus 5"):
        assert main(["odds", *words.split(), "--json"]) == 0
        assert '"game":"d20"' in capsys.readouterr().out.replace(" ", "")
    spoken = []
    for words in ("pool=5 needed=2", "pool 5, hits needed 2", "Dice pool: 5; Hits needed: 2"):
        assert main(["odds", "d6-pool/action", *words.split()]) == 0
        spoken.append(capsys.readouterr().out)
    assert len(set(spoken)) == 1
    put(book / "d20")
    assert asked("d20/luck", capsys) == "d20/luck"
    assert main(["odds", "d20/check"]) == 2
    assert capsys.readouterr().err.startswith('rulewright: d20 has no rule "check"')


def test_a_game_below_is_named(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(book / "mybot" / "rules")
    assert Game.load("mybot").rules.keys() == {"luck"}
    assert asked("mybot/luck", capsys) == 'rulewright: there is no game "mybot"; did you mean mybot/rules?\n'
    (book / "docs").mkdir()
    write(book / "mkdocs.yml", "site_name: x\n")
    assert main(["odds", "luck"]) == 2
    fact = "there is no game in the book, whose pages are in docs; did you mean mybot/rules? Write GAME/RULE"
    assert capsys.readouterr().err == f"rulewright: {fact}\n"
    assert asked("mybot/rules/luck", capsys) == "rules/luck"
