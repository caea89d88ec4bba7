"""Mistakes that would go unnoticed because the text is read as something else: each must be reported."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest

from rulewright.book.parser import read_page
from rulewright.book.rule_links import check_schemes
from rulewright.compile.book import CheckedPage, compile_book
from rulewright.compile.watch import BookWatcher
from rulewright.play.validate import load_game_text
from rulewright.source import Source

GAME = """```game
title = "Jobs"
[rules.job]
inputs.pool = { min = 1, max = 9, default = 2 }
dice.pool = { count = "pool", sides = 6 }
steps.hits = "sum(pool)"
outcomes.clean = { when = "hits >= 5" }
outcomes.botch = {}
```
"""


def page(folder: Path, text: str, name: str = "page.md") -> CheckedPage:
    (folder / name).write_text(text, "utf-8")
    (found,) = [one for one in compile_book([folder], folder).pages if one.file == folder / name]
    return found


def told(found: CheckedPage) -> list[tuple[str, str, str]]:
    return [(problem.code, problem.span.text, problem.message) for problem in found.problems]


def test_a_second_game_of_a_page_is_too_much(tmp_path: Path) -> None:
    found = page(tmp_path, f"# Jobs\n\n{GAME}\n```game\ntitle = \n```\n\n```roller\npool: 3\n```\n")
    message = "this page has a game already, in line 3; one page holds one game"
    assert told(found) == [("block-game", "game", message)]
    assert [block.status for block in found.blocks] == ["passed", "error", "passed"]


def noticed(text: str) -> list[tuple[str, str]]:
    return [(problem.span.text, problem.notes[0]) for problem in read_page(Source("page.md", text)).problems]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("<!-- Example\npool: 2\ndice: 1 2\n-->", "example"),
        ("<!-- Example\nPool: 2\nDice: 1 2\nOutcome: clean\n-->", "example"),
        ("<!--CLAIM\nchance(clean; pool 2) > 1/2\n-->", "claim"),
        ("<!-- Game\ntitle = 'Jobs'\n[rules.job]\n-->", "game"),
        ("```Roller\npool: 3\n```", "roller"),
        ("~~~ ODDS\nvary: pool 1..3\n~~~", "odds"),
    ],
)
def test_capitals_make_no_difference_to_the_word_of_a_block(text: str, kind: str) -> None:
    found = read_page(Source("page.md", f"Text.\n\n{text}\n"))
    assert [block.kind for block in found.blocks] == [kind]
    assert not found.problems


@pytest.mark.parametrize(
    ("text", "word", "note"),
    [
        ("<!-- exampel\npool: 2\ndice: 1 2\noutcome: clean\n-->", "exampel", "did you mean example?"),
        ("<!-- Calim\r\nchance(clean; pool 2) = 1/2\r\n-->", "Calim", "did you mean claim?"),
        ("> <!-- rolller\n> pool: 2\n> -->", "rolller", "did you mean roller?"),
        ("<!-- gmae\ntitle = 'Jobs'\n-->", "gmae", "did you mean game?"),
        ("<!-- example pool: 2 -->", "example", "write each key into a line of its own below it"),
        ("Text <!-- Example pool: 2, dice: 1 2 -->", "Example", "write each key into a line of its own below it"),
        ("<!-- sheet rule: people\nname: X -->", "sheet", "write each key into a line of its own below it"),
        ("<!--\nexample\npool: 2\ndice: 1 2\n-->", "example", "write each key into a line of its own below it"),
    ],
)
def test_a_hidden_block_with_a_slip_is_told(text: str, word: str, note: str) -> None:
    assert noticed(f"Text.\n\n{text}\n") == [(word, note)]


@pytest.mark.parametrize(
    "inside",
    [
        "Example", "Examples\nGood: a roll\nBad: a feeling", "Example\nThis is how it looks.\n", "Rules\nTODO: write\n",
        "rules\ntodo: write these\n", "examples: see below", "table of contents", "Table\n| a | b |\n| - | - |\n",
        "table width: 50", "order: 3", "order matters: the first counts", "rule of thumb: 2", "game state: finished",
        "games\nWe played these last year: none.\n", "example usage: rulewright check", "sheet 3", "rule-set\nid: 2\n",
        "markdownlint-disable MD013", "prettier-ignore", "toc", "name\nid: 3\n", "border\nwidth: 3\n", "title: Order",
        "claim: 12 is odd", "samples\nfirst: one\nsecond: two\n", "Order\n1. salt\n2. bread\n", "Game\nof the year\n",
    ],
)  # fmt: skip
def test_ordinary_comments_are_left_alone(inside: str) -> None:
    found = read_page(Source("page.md", f"Text.\n\n<!-- {inside} -->\n"))
    assert not found.problems
    assert not found.blocks


@pytest.mark.parametrize(
    ("scheme", "meant"),
    [
        ("rol", "roll"), ("rolls", "roll"), ("Rlol", "roll"), ("chanc", "chance"), ("chnace", "chance"),
        ("vlaue", "value"), ("valeu", "value"),
    ],
)  # fmt: skip
def test_a_slip_in_the_kind_of_a_link_is_told(scheme: str, meant: str, tmp_path: Path) -> None:
    (problem,) = page(tmp_path, f"{GAME}\nThrow [two dice]({scheme}:job?pool=2).\n").problems
    assert (problem.code, problem.severity, problem.span.text) == (f"link-{meant}", "warning", f"{scheme}:")
    assert problem.notes == (f"did you mean {meant}:?",)


def test_capitals_make_no_difference_to_the_kind_of_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = page(tmp_path, f"{GAME}\nThrow [two](Roll:job?pool=2): [1](CHANCE:botch?pool=2).\n")
    assert [(link.kind, link.status) for link in found.links] == [("roll", "passed"), ("chance", "failed")]
    shown = markdown.markdown(found.page.source.text, extensions=["fenced_code", "rulewright"])
    assert 'class="rulewright-roll"' in shown


OTHERS = """
    aaa about acct afp apt at bitcoin blob cap chrome cid coap code content cvs data dav discord dns doi ed2k
    etherpad facetime fax feed figma file finger fish ftp geo git gopher gtalk h323 hash http https iax icon
    im imap info ipp irc iris itms jar javascript jdbc ldap lastfm magnet mailto maps market message mid mms
    mongodb msg mvn news nfs nntp notion obsidian oid onenote pkg poll pop role pres proxy reload res rmi
    rsync rtmp rtsp sftp sgn sip skype slack sms snmp soap spotify ssh steam svn tag teams tel telnet tip toll
    tv udp unreal urn view vnc vscode wais webcal whatsapp ws wss xmpp xri zoom zotero change valve valid
"""


@pytest.mark.parametrize(
    "link", [f"[a]({scheme}:job?pool=2)" for scheme in OTHERS.split()] + ["[a](rol://b)", "<rol:job>"]
)
def test_other_kinds_of_links_are_left_alone(link: str) -> None:
    assert not list(check_schemes(read_page(Source("page.md", link)).links))


FOREIGN = [
    "```EXAMPLE\nA knight walks in.\n```",
    "```EXAMPLE\npool: 3\n```",
    "~~~ Example\nrule: 1\n~~~",
    "```example\nAttack: three dice against Defense.\n```",
    "```exampel\npool: 3\n```",
    "```{example}\npool: 3\n```",
    "```TABLE\nsword 3\n```",
    "```table\nsword | 3\n```",
    "```Rule\n```",
    "```claim\nThe butler did it.\n```",
    "```game\n+---+\n| x |\n+---+\n```",
    "> ```GAME\n> pass the ball\n> ```",
    "    ```example\n    pool: 3\n    ```",
]


@pytest.mark.parametrize("fence", FOREIGN)
def test_a_book_without_a_game_keeps_its_own_fences(
    fence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = page(tmp_path, f"# A\n\n{fence}\n")
    assert (found.blocks, found.problems) == ((), ())
    text = found.page.source.text
    plain = markdown.markdown(text, extensions=["fenced_code", "rulewright"])
    assert "rulewright" not in plain
    assert "<code" in plain


@pytest.mark.parametrize("fence", [one for one in FOREIGN if "+---+" not in one])
def test_a_book_with_a_game_is_told_of_them(fence: str, tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text(GAME, "utf-8")
    found = page(tmp_path, f"# A\n\n{fence}\n")
    assert found.blocks or {one.code for one in found.problems} <= {"block-unknown", "block-indented"}
    assert found.problems


@pytest.mark.parametrize(
    "fence",
    ["```example\npool: 3\ndice: 1 2 3\n```", "```odds\nrule: job\n```", "```claim\nchance(clean; pool 2) > 1/2\n```"],
)
def test_what_is_surely_a_block_needs_a_game(fence: str, tmp_path: Path) -> None:
    found = page(tmp_path, f"# A\n\n{fence}\n")
    assert [block.status for block in found.blocks] == ["error"]
    assert "there is no game here" in found.problems[0].message


def test_a_book_that_gets_its_first_game_while_it_is_watched(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# A\n\n```EXAMPLE\npool: 2\ndice: 1 2\noutcome: clean\n```\n", "utf-8")
    watching = BookWatcher([tmp_path], tmp_path)
    watching.update()
    assert not watching.compiled.blocks
    (tmp_path / "rules.md").write_text(GAME, "utf-8")
    assert watching.update()
    assert [block.block.kind for block in watching.compiled.blocks] == ["example", "game"]
    (tmp_path / "rules.md").unlink()
    assert watching.update()
    assert not watching.compiled.problems


ASKED = "\n```roller\npool: 3\n```\n\n```example\npool: 2\ndice: 1 2\n```\n\nThrow [two](roll:job?pool=2).\n"


def test_a_misspelt_game_is_told_once_and_not_by_each_block(tmp_path: Path) -> None:
    text = GAME.replace("```game", "```gmae")
    found = page(tmp_path, text + ASKED)
    assert [(problem.span.text, problem.severity) for problem in found.problems] == [("gmae", "error")]
    assert [block.status for block in found.blocks] == ["error", "error"]
    assert [problem.severity for problem in page(tmp_path, text).problems] == ["warning"]


def test_beside_a_game_of_the_folder_a_word_like_game_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(GAME.removeprefix("```game\n").removesuffix("```\n"), "utf-8")
    found = page(tmp_path, "```gmae\na\n```\n\n```roller\npool: 3\n```\n")
    assert [(problem.span.text, problem.severity) for problem in found.problems] == [("gmae", "warning")]
    assert [block.status for block in found.blocks] == ["passed"]


@pytest.mark.parametrize(("others", "notes"), [({}, ()), ({"indexes.md": "# Names"}, ()), ({"a/index.md": "# A"}, ())])
def test_no_page_is_proposed_to_itself(others: dict[str, str], notes: tuple[str, ...], tmp_path: Path) -> None:
    for name, text in others.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    (problem,) = page(tmp_path, "# Home\n\nSee [ghosts](ghosts/index.md).\n", "index.md").problems
    assert (problem.message, problem.notes) == ("there is no page ghosts/index.md", notes)


LOOT = """```game
title = "Loot"
[tables.loot]
heading = "Loot"
[rules.find]
dice.found = { count = 1, sides = 6 }
steps.gold = "lookup(loot, sum(found), Gold)"
outcomes.found = {}
```

# Loot

| Roll | Gold |
| ---- | ---- |
| 1    | 5    |
| 2–5  | 10   |
| 6    | 20   |
"""


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("| 2–5 | 10 | 99 |", 'the row "2–5" has 3 cells, the header has 2 cells'),
        ("2–5 | 10 | 99", 'the row "2–5" has 3 cells, the header has 2 cells'),
        ("| 2–5 |", 'the row "2–5" has 1 cell, the header has 2 cells'),
    ],
)
@pytest.mark.parametrize("quoted", [False, True])
def test_a_row_with_other_cells_than_the_header_is_named(row: str, message: str, quoted: bool, tmp_path: Path) -> None:
    game, mark, table = LOOT.replace("| 2–5  | 10   |", row).partition("| Roll")
    text = game + (mark + table).replace("\n", "\n> ").removesuffix("> ") if quoted else game + mark + table
    found = page(tmp_path, text.replace("| Roll", "> | Roll") if quoted else text)
    assert told(found) == [("table", "2–5", message)]


@pytest.mark.parametrize("die", ["Roll", "d6", "W6"])
@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("| 2–5 | 10 | 99 |", ("2–5", 'the row "2–5" has 3 cells, the header has 2 cells')),
        ("| 2–4 | 10 |", ("6", "the table loot says nothing for 5; make 2–4 or 6 longer, or add the missing row")),
        ("| 1–5 | 10 |", ("1–5", "the table loot says two things for 1; begin this row with 2")),
        ("| 2–6 | 10 |", ("6", "the table loot says two things for 6; leave one of the rows out")),
    ],
)
def test_what_a_game_reports_of_a_row_no_lint_repeats(
    die: str, row: str, problem: tuple[str, str], tmp_path: Path
) -> None:
    text = LOOT.replace("| 2–5  | 10   |", row).replace("| Roll", f"| {die}")
    assert told(page(tmp_path, text)) == [("table", *problem)]
    game, _, table = text.removeprefix("```game\n").partition("```\n")
    (tmp_path / "game.toml").write_text(game.replace("heading", 'page = "page.md"\nheading'), "utf-8")
    assert told(page(tmp_path, table)) == []
    (found,) = compile_book([tmp_path], tmp_path).problems
    assert (found.code, found.span.text, found.message) == ("table", *problem)


@pytest.mark.parametrize("row", ["| 2–5 | 10 |", "2–5 | 10", "| 2–5 | 10", "2–5 | 10 |", "| `2`–5 | 10 | ", "|2–5|10|"])
def test_a_row_may_be_written_in_many_ways(row: str, tmp_path: Path) -> None:
    assert told(page(tmp_path, LOOT.replace("| 2–5  | 10   |", row))) == []
    words = LOOT.replace("Gold", "Find").replace("| 5 ", r"| a \| b ").replace("10", "a").replace("20", r"\|")
    assert told(page(tmp_path, words)) == []


CHANGING = """title = "Bank"
[rules.roll]
aim = "mean(total)"
[rules.roll.inputs]
keep  = {{ min = 0, max = 3, asked = "sum(d) > 3" }}
bonus = {{ {limits} }}
[rules.roll.dice]
d = {{ count = 3, sides = 6 }}
[rules.roll.steps]
total = "sum(d) - keep + bonus"
"""


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ('min = 0, max = "keep", default = 0', "; a limit that changes is min(bonus, keep) in the formulas"),
        ('min = "keep + 1", max = 9, default = 9', "; a limit that changes is max(bonus, keep + 1) in the formulas"),
        (
            'min = 0, max = 9, default = "keep + 1"',
            "; write default = -1, min = -1, and if(bonus = -1, keep + 1, bonus) in the formulas",
        ),
        ('min = 0, max = 9, default = "many"', 'bonus is a number from 0 to 9, not "many"'),
    ],
)
def test_a_limit_or_default_that_changes_is_shown_where_it_works(limits: str, message: str) -> None:
    game, (problem, *more) = load_game_text(CHANGING.format(limits=limits))
    assert (game, more) == (None, [])
    assert problem.message.endswith(message)


RULES = GAME.removeprefix("```game\n").removesuffix("```\n")


@pytest.mark.parametrize("name", ["Game.toml", "game.tml", "gmae.toml", "games.toml", "game.toml.", "GAME.TOML"])
def test_a_game_in_a_file_of_nearly_its_name_is_told_once(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(RULES, "utf-8")
    found = page(tmp_path, f"# Jobs\n{ASKED}")
    assert not found.problems
    assert [block.status for block in found.blocks] == ["error", "error"]
    (problem,) = compile_book([tmp_path], tmp_path).problems
    assert (problem.code, problem.severity, problem.notes) == ("game-toml", "error", ("name it game.toml",))
    assert Path(problem.span.source.path).name == name


@pytest.mark.parametrize("name", ["ogre.toml", "game.json", "Game.toml", "name.toml"])
def test_other_files_beside_pages_are_no_games(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(RULES if name[0] == "o" else 'title = "Chess"\n', "utf-8")
    assert not compile_book([tmp_path], tmp_path).problems
    (tmp_path / name).write_text(RULES, "utf-8")
    (tmp_path / "game.toml").write_text(RULES, "utf-8")
    assert not page(tmp_path, "```roller\npool: 3\n```\n").problems
    assert not compile_book([tmp_path], tmp_path).problems


SITE = {"mkdocs.yml": "site_name: x\ndocs_dir: .\n", "a.md": "# A\n", "b.md": "# B\n"}


@pytest.mark.parametrize(
    ("files", "count"),
    [
        ({}, 1),
        ({"index.md": "# Home\n"}, 0),
        ({"README.md": "# Home\n"}, 0),
        ({"mkdocs.yml": f"{SITE['mkdocs.yml']}plugins:\n  - search\n  - blog\n"}, 0),
        ({"mkdocs.yml": f"{SITE['mkdocs.yml']}hooks: [make.py]\n"}, 0),
        ({"mkdocs.yml": f"{SITE['mkdocs.yml']}plugins: [search]  # no blog\n"}, 1),
    ],
)
def test_a_site_without_a_first_page(files: dict[str, str], count: int, tmp_path: Path) -> None:
    for name, text in {**SITE, **files}.items():
        (tmp_path / name).write_text(text, "utf-8")
    found = [problem.code for problem in compile_book([tmp_path], tmp_path).problems]
    assert found == ["page-index"] * count
    assert not compile_book([tmp_path / "a.md"], tmp_path).problems
    assert not compile_book([tmp_path], tmp_path, is_build=True).problems


@pytest.mark.parametrize(("first", "last"), [("```example", "```"), ("<!-- example", "-->")])
def test_a_doubt_that_is_left(first: str, last: str, tmp_path: Path) -> None:
    """The block passes, and its doubt is reported where it is; other comments, and text like it, are left alone."""
    game = 'title = "A"\n[rules.r.dice]\nd6 = { count = 1, sides = 6 }\n[rules.r.steps]\ns = "sum(d6)"\n'
    game += "[rules.r.outcomes]\nhit = {}\n"
    (tmp_path / "game.toml").write_text(game, "utf-8")
    page = tmp_path / "a.md"
    text = f"# ? A\n\n> {first}\n> # ? dice may also be 4\n> # sure\n> dice: 3\n> outcome: hit\n> {last}\n"
    page.write_bytes(text.replace("\n", "\r\n").encode())
    (problem,) = compile_book([page], tmp_path).problems
    assert (problem.code, problem.severity) == ("block-doubt", "warning")
    assert problem.message == "an open doubt: dice may also be 4"
    assert problem.span.source.position(problem.span.start) == (4, 3)
