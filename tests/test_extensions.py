"""Lints and block kinds of other packages: found through entry points, and never a traceback."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from built_site import build
from rulewright import Book, Game
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.compile.extensions import Extensions, load_extensions
from rulewright.compile.options import read_options
from rulewright.compile.watch import BookWatcher
from rulewright.render.cards.card import render_card
from rulewright.render.export import BookExport, export_book
from rulewright.render.single_file import make as make_single_file
from rulewright.render.strings import read_words
from small_book import BLOCK, write

MODULE = """\
from rulewright.extend import BlockKind, Check, LintResult, Problem, all_passages


def find_shouts(context):
    passages = list(all_passages(context))
    problems = [
        Problem("shout-loud", "this paragraph shouts", passage.span(0, len(passage.text)), "warning")
        for passage in passages
        if passage.text.isupper()
    ]
    return LintResult(len(passages), tuple(problems), tuple(passage.text for passage in passages))


def find_echoes(facts):
    return []


def check_weather(block, context):
    entry = block.get("sky")
    if entry is None:
        return [Problem("weather-sky", "write `sky: clear` or another sky", block.word)]
    return [] if entry.value != "green" else [Problem("sky", "no sky is green", entry.value_span)]


def render_weather(block):
    return f"<p class='sky'>The sky is {block.get('sky').value}.</p>"


def crash(*_):
    return 1 / 0


SHOUT = Check("shout", "lines of text", find_shouts, help="Capitals are hard to read.")
MY_LINT = Check("my-lint", "", lambda _: LintResult(), find_echoes)
WEATHER = BlockKind("weather", check_weather, "Weather", render_weather, "What the sky looks like.")
PLAIN = BlockKind("omen", lambda block, context: [])
BROKEN_LINT = Check("crash", "", crash)
BROKEN_BLOCK = BlockKind("boom", crash)
BROKEN_BOOK = Check("late", "", lambda _: LintResult(0, (), ("x",)), crash)
BAD_HTML = BlockKind("torn", lambda block, context: [], render=lambda block: "<p>never closed")
NO_PROBLEM = Check("untyped", "", lambda _: LintResult(0, ("no problem",)))
TAKEN = Check("sum-up", "", lambda _: LintResult())
UPPER = BlockKind("Weather", lambda block, context: [])
NUMBER = 7
"""
WEATHER = "```weather\nsky: green\n```\n"
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """`install(lints={"shout": "SHOUT"})` installs a package with these entry points."""

    def add(lints: dict[str, str] | None = None, blocks: dict[str, str] | None = None) -> None:
        folder = tmp_path / "packages"
        info = folder / "tiny_package-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-package\nVersion: 1.0\n", "utf-8")
        groups = {"rulewright.lints": lints or {}, "rulewright.blocks": blocks or {}}
        lines = []
        for group, entries in groups.items():
            lines += [f"[{group}]", *(f"{name} = tiny_module:{value}" for name, value in entries.items())]
        (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")
        (folder / "tiny_module.py").write_text(MODULE, "utf-8")
        monkeypatch.syspath_prepend(folder)
        monkeypatch.delitem(sys.modules, "tiny_module", raising=False)

    return add


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """`book(page, options)` writes a book and goes there."""

    def create(page: str, options: str = "") -> Path:
        folder = write(tmp_path / "book", {"index.md": f"# Title\n\n{page}", "pyproject.toml": options})
        monkeypatch.chdir(folder)
        return folder

    return create


def codes() -> list[tuple[str, str]]:
    return [(problem.code, problem.message) for problem in Book.load().check().problems]


def test_a_lint_reports_counts_and_is_switched_by_its_name(install: Install, book: Callable[..., Path]) -> None:
    install(lints={"shout": "SHOUT", "my-lint": "MY_LINT"})
    book("DO NOT SHOUT\n\nSpeak softly.\n")
    report = Book.load().check()
    assert [(one.code, one.line, one.severity) for one in report.problems] == [("shout-loud", 3, "warning")]
    assert report.summary["looked"]["lines of text"] == 2
    book("DO NOT SHOUT\n", "[tool.rulewright.checks]\nshout-loud = 'off'\nmy-lint = 'off'\n")
    assert codes() == []
    book("DO NOT SHOUT\n", "[tool.rulewright.checks]\nshout = 'off'\n")
    assert codes() == []
    book("Softly.\n", "[tool.rulewright.checks]\nshuot = 'off'\n")
    assert codes() == [("option-unknown", 'there is no check "shuot"; did you mean shout?')]


def test_without_the_package_its_names_are_unknown(book: Callable[..., Path]) -> None:
    book(WEATHER, "[tool.rulewright.checks]\nmy-lint = 'off'\n")
    assert [code for code, _ in codes()] == ["option-unknown"]
    assert Book.load().check().blocks == ()


@pytest.mark.parametrize("arguments", [(), ("--format", "json")])
def test_the_command_knows_blocks_of_packages(
    install: Install, book: Callable[..., Path], ran: Callable[..., tuple[int, str, str]], arguments: tuple[str, ...]
) -> None:
    install(blocks={"weather": "WEATHER"})
    book(f"{WEATHER}\n<!-- weather\nsky: blue\n-->\n\n```weather\nnight: yes\n```\n")
    status, printed, _ = ran("check", *arguments)
    assert status == 1
    if arguments:
        report = json.loads(printed)
        assert [(block["kind"], block["status"]) for block in report["blocks"]] == [
            ("weather", "failed"), ("weather", "passed"), ("weather", "failed")
        ]  # fmt: skip
        assert [problem["code"] for problem in report["problems"]] == ["weather-sky", "weather-sky"]
        assert report["problems"][0]["trail"] == ["Title", "title.1"]
    else:
        assert "index.md:4:6: error[weather-sky] no sky is green" in printed
        assert "3 blocks, 2 errors" in printed


def test_keys_of_every_block_work_in_blocks_of_packages(install: Install, book: Callable[..., Path]) -> None:
    install(blocks={"weather": "WEATHER"})
    book("```weather\nsky: green\nwrong: on purpose\n```\n\n```weather\nsky: green\nskip: later\n```\n")
    assert [block.status for block in Book.load().check().blocks] == ["passed", "skipped"]


def test_a_book_without_a_game_has_them_too(install: Install, book: Callable[..., Path]) -> None:
    install(blocks={"weather": "WEATHER"})
    (book(WEATHER) / "game.toml").unlink()
    assert codes() == [("weather-sky", "no sky is green")]


def test_watching_sees_what_a_check_sees(install: Install, book: Callable[..., Path]) -> None:
    install(lints={"shout": "SHOUT"}, blocks={"weather": "WEATHER"})
    folder = book(f"DO NOT SHOUT\n\n{WEATHER}")
    watcher = BookWatcher([folder], folder)
    watcher.update()
    expected = ["shout-loud", "weather-sky"]
    assert [problem.code for problem in watcher.compiled.problems] == expected
    assert [problem.code for problem in Book.load().check().problems] == expected


def test_cards_show_what_the_package_renders_or_the_lines(install: Install, book: Callable[..., Path]) -> None:
    install(blocks={"weather": "WEATHER", "omen": "PLAIN"})
    book("```weather\nsky: blue\ntitle: Noon\n```\n\n```omen\nbird: a <crow>\n```\n")
    weather, omen = (render_card(checked, read_words("en")) for checked in compiled().blocks)
    assert "<p class='sky'>The sky is blue.</p>" in weather
    assert 'aria-label="Weather: Noon" data-kind="weather" data-status="passed"' in weather
    assert '<span class="rw-sort">Omen</span>' in omen
    assert "bird a &lt;crow&gt;</li>" in omen


def compiled() -> CompiledBook:
    return compile_book([Path.cwd()], Path.cwd())


@pytest.mark.parametrize("renderer", ["commonmark", "host"])
def test_a_site_shows_them(install: Install, tmp_path: Path, renderer: str) -> None:
    install(lints={"shout": "SHOUT"}, blocks={"weather": "WEATHER", "omen": "PLAIN"})
    settings = (
        f"site_name: Sky\ntheme: mkdocs\nplugins: [rulewright: {{markdown: {renderer}, checks: {{shout: off}}}}]\n"
    )
    page = "# Sky\n\nDO NOT SHOUT\n\n```weather\nsky: blue\n```\n\n```omen\nbird: crow\n```\n"
    site = build(tmp_path, {"index.md": page}, "--strict", settings=settings)
    assert site.code == 0, site.said
    html = site.text("index.html")
    assert "The sky is blue.</p>" in html
    assert "bird crow</li>" in html
    wrong = build(tmp_path / "wrong", {"index.md": f"# Sky\n\n{WEATHER}"}, settings=settings)
    assert wrong.code == 1
    assert "error[weather-sky] no sky is green" in wrong.said


def test_exports_show_them(install: Install, book: Callable[..., Path]) -> None:
    install(blocks={"weather": "WEATHER"})
    book("```weather\nsky: blue\n```\n")
    html, problems = make_single_file(BookExport(compiled(), Path.cwd()), lambda *_: None)
    assert b"The sky is blue." in html
    assert problems == []
    for form in ("epub", "pdf"):
        data, problems = export_book(form, BookExport(compiled(), Path.cwd()), lambda *_: None)
        assert (bool(data), problems) == (True, [])


@pytest.mark.parametrize(
    ("lints", "blocks", "message"),
    [
        ({"gone": "GONE"}, {}, "the lint `gone` of the package tiny-package cannot be loaded: AttributeError: "),
        ({"number": "NUMBER"}, {}, "the lint `number` of the package tiny-package is not a Check"),
        ({"weather": "WEATHER"}, {}, "the lint `weather` of the package tiny-package is not a Check"),
        ({}, {"shout": "SHOUT"}, "the block kind `shout` of the package tiny-package is not a BlockKind"),
        ({"sum": "TAKEN"}, {}, "the lint `sum` of the package tiny-package has the name of another: sum-up"),
        ({"a": "SHOUT", "b": "SHOUT"}, {}, "the lint `b` of the package tiny-package has the name of another: shout"),
        ({}, {"up": "UPPER"}, "the block kind `up` of the package tiny-package has the name 'Weather'; a name has"),
        ({"crash": "BROKEN_LINT"}, {}, "the lint `crash` stopped with an error: ZeroDivisionError: division by zero"),
        ({"late": "BROKEN_BOOK"}, {}, "the lint `late` stopped with an error: ZeroDivisionError: division by zero"),
        ({"untyped": "NO_PROBLEM"}, {}, "the lint `untyped` stopped with an error: TypeError: 'no problem' is not a"),
        ({}, {"boom": "BROKEN_BLOCK"}, "the block kind `boom` stopped with an error: ZeroDivisionError: division by"),
        ({}, {"torn": "BAD_HTML"}, "the block kind `torn` stopped with an error: ParseError: mismatched tag"),
    ],
)
def test_a_broken_extension_is_one_problem(
    install: Install, book: Callable[..., Path], lints: dict[str, str], blocks: dict[str, str], message: str
) -> None:
    install(lints, blocks)
    folder = book(f"{BLOCK}\n```boom\na: b\n```\n\n```boom\na: b\n```\n\n```torn\na: b\n```\n")
    (folder / "more.md").write_text("# More\n\nText.\n", "utf-8")
    (problem,) = Book.load().check().problems
    assert problem.code == "extension-broken"
    assert problem.message.startswith(message)
    assert len(problem.notes) == 1
    book("", "[tool.rulewright.checks]\nextension-broken = 'off'\n")
    assert codes() == []


def test_their_explanations_are_found_by_code(install: Install, book: Callable[..., Path]) -> None:
    install(lints={"shout": "SHOUT", "my-lint": "MY_LINT"}, blocks={"weather": "WEATHER"})
    folder = book("")
    extensions = read_options(folder, folder).extensions
    assert [extensions.find_name(code) for code in ("shout-loud", "my-lint-x", "weather", "shouting", "sums")] == [
        "shout", "my-lint", "weather", None, None
    ]  # fmt: skip
    assert extensions.helps["shout"] == "Capitals are hard to read."


def test_they_are_loaded_once_for_a_book_and_not_for_a_game(
    install: Install, book: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    install(lints={"shout": "SHOUT"})
    book(f"{BLOCK}\n\n[a](b.md)\n")
    loads = []

    def load(reserved: Collection[str]) -> Extensions:
        loads.append(reserved)
        return load_extensions(reserved)

    monkeypatch.setattr("rulewright.compile.options.load_extensions", load)
    Book.load().check()
    assert len(loads) == 1
    Game.load(".").roll("toss", coins=1)
    assert len(loads) == 1
