"""A book in one HTML file: complete, small, and without any other file."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser import axe
from example_counts import scale_examples
from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.render.export import BookExport
from rulewright.render.sanitize import parse_html, remove_invalid_xml, to_xhtml
from rulewright.render.scripts import script_text
from rulewright.render.single_file import make, style_sheet
from rulewright.source import Problem
from shipped_books import make_shipped_edition
from small_book import BLOCK, GAME, write

HERE = Path(__file__).parent
CONSTRUCTS = HERE / "pages" / "published" / "constructs.md"
DRAWING = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
SETTINGS = '[tool.rulewright]\ntitle = "The Book of Coins"\nversion = "Third printing"\nfail_on = "never"\n'
SCRIPTS = re.compile(r"<(script|template)\b.*?</\1>", re.DOTALL)
ROLLER = "```roller\nrule: toss\ncoins: 3\n```\n"


def bound(folder: Path, files: dict[str, str]) -> tuple[str, list[Problem]]:
    write(folder, {"pyproject.toml": SETTINGS, **files})
    data, problems = make(BookExport(compile_book([folder], folder), folder), lambda _: None)
    return data.decode(), problems


def articles(page: str) -> list[str]:
    return re.findall(r"<article[^>]*>\n(.*?)\n</article>", page, re.DOTALL)


class Marks(HTMLParser):
    """The ids and links of a file, and where elements do not close one another."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids, self.links, self.open, self.wrong = Counter[str](), list[str](), list[str](), list[str]()
        self.sources: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        self.ids.update([said["id"]] if "id" in said else [])
        self.links += [said["href"]] if tag == "a" and "href" in said else []
        self.sources += [said["src"]] if "src" in said else []
        if tag not in ("meta", "br", "hr", "img", "input", "wbr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")

    @property
    def dead(self) -> list[str]:
        return [link for link in self.links if link[0] == "#" and unquote(link[1:]) not in self.ids]

    @property
    def twice(self) -> list[str]:
        return [name for name, number in self.ids.items() if number > 1]


def test_golden_every_construct(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    files = {"constructs.md": CONSTRUCTS.read_text(encoding="utf-8"), "dice.svg": DRAWING}
    page, problems = bound(tmp_path, files)
    assert problems == []
    (article,) = articles(page)
    assert not re.search("[\x00-\x08\x0e-\x1f]", page)
    golden("bound/constructs.html", article + "\n")
    marks = Marks(page)
    assert (marks.wrong, marks.open, marks.dead, marks.twice) == ([], [], [], [])


def test_links_between_pages_stay_in_the_file(tmp_path: Path) -> None:
    page, problems = bound(
        tmp_path,
        {
            "index.md": "# Coins\n\n[toss](rules/toss.md), [heads](rules/toss.md#heads), [gone](nowhere.md)\n\n"
            "## Heads\n",
            "rules/toss.md": "# Toss\n\n## Heads\n\n[up](../index.md#heads), [here](#heads), [out](https://example.org)\n\n"
            f"A note[^1].\n\n[^1]: One.\n\n{BLOCK}",
            "rules/other.md": '# Toss\n\n<a name="mine"></a>[bad](javascript:x) <a href="javascript:x">raw</a>[^1]'
            '\n\n[^1]: Two. <a href="toss.md#heads">raw link</a> <a href="gone.md">dead</a>\n',
        },
    )
    marks = Marks(page)
    assert problems == []
    assert (marks.wrong, marks.dead, marks.twice) == ([], [], [])
    inside = [link for link in marks.links if ":fn" not in link]
    for link in ("#rules/toss", "#rules/toss:heads", "#index:heads", "https://example.org"):
        assert link in inside, link
    assert not [link for link in inside if link[0] != "#" and link != "https://example.org"]
    assert {"index:heads", "rules/toss:heads", "rules/toss:fn:1", "rules/other:fn:1", "rules/other:mine"} <= set(
        marks.ids
    )
    assert "gone" in articles(page)[0]


def test_parts_and_titles(tmp_path: Path) -> None:
    files = {
        "a/x.md": "no heading at all\n",
        "b/index.md": "# B\n\n#### Deep\n",
        "b/y.md": "## Y\n\n### Z\n",
        "c.md": "# C\n",
    }
    page, _ = bound(tmp_path, files)
    headings = re.findall(r"<(h[1-6])[^>]*>([^<]*)</h", page)
    assert headings == [
        ("h1", "The Book of Coins"), ("h2", "C"), ("h2", "A"), ("h3", "X"), ("h2", "B"), ("h3", "Deep"), ("h3", "Y"),
        ("h4", "Z"),
    ]  # fmt: skip
    contents = re.findall(r'<li[^>]*>(?:<a href="([^"]*)">)?([^<]+)', page.partition("</nav>")[0].partition("<nav")[2])
    assert contents == [("#c", "C"), ("", "A"), ("#a/x", "X"), ("#b/index", "B"), ("#b/y", "Y"), ("#b/y:z", "Z")]


def test_pictures_go_along_only_from_inside_the_book(tmp_path: Path) -> None:
    (tmp_path / "secret.svg").write_text(DRAWING, encoding="utf-8")
    book = tmp_path / "book"
    book.mkdir()
    (book / "link.svg").symlink_to(tmp_path / "secret.svg")
    (book / "linked").symlink_to(tmp_path)
    page, problems = bound(
        book,
        {
            "a.md": "# A\n\n![one](../secret.svg) ![two](link.svg) ![three](linked/secret.svg) ![four](x.txt)\n"
            "![five](https://example.org/x.png) ![six](gone.png) ![in](in.svg) <img src='in.svg'> ![](/in.svg)\n"
            '<img src="../secret.svg" alt="raw">\n',
            "in.svg": DRAWING,
            "x.txt": "no picture",
        },
    )
    assert [one.code for one in problems] == ["export-picture"] * 7
    assert [one.span.text for one in problems] == [
        "../secret.svg", "link.svg", "linked/secret.svg", "x.txt", "https://example.org/x.png", "gone.png",
        "../secret.svg",
    ]  # fmt: skip
    sources = Marks(page).sources
    assert len(sources) == 3
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    for word in ("one", "two", "three", "four", "five", "six", "raw"):
        assert f"<span>{word}</span>" in page


def test_html_of_authors_stays_in_its_place(tmp_path: Path) -> None:
    page, problems = bound(
        tmp_path,
        {
            "a.md": "# A\n\n<div><p>never closed\n\n</section></article><b onclick='x()'>bold\n\n"
            "<script>alert(1)</script>\n\n<iframe src='https://example.org'></iframe> words &amp;copy; <kbd>k</kbd>\n\n"
            "<svg viewBox='0 0 1 1'><path d='M0'/></svg>\n",
            "b.md": "# B\n\nStill here.\n",
        },
    )
    assert [(one.code, one.span.text) for one in problems] == [("export-html", "<script"), ("export-html", "<iframe")]
    marks = Marks(page)
    assert (marks.wrong, marks.open) == ([], [])
    first, second = articles(page)
    assert "onclick" not in first
    assert "alert(1)" not in page
    assert "words &amp;copy; <kbd>k</kbd>" in first
    assert '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0"></path></svg>' in first
    assert "Still here." in second


def test_whatever_a_book_says_ends_no_element_early(tmp_path: Path) -> None:
    name = "</title><script>x</script>"
    settings_ = SETTINGS.replace("The Book of Coins", name)
    page, _ = bound(tmp_path, {"pyproject.toml": settings_, "a.md": f"# A `{name}`\n\n[x](#a){{title='\"><b>'}}\n"})
    marks = Marks(page)
    assert (marks.wrong, marks.open) == ([], [])
    assert page.count("<script") == 1


@settings(max_examples=scale_examples(150), deadline=None)
@given(st.lists(st.sampled_from([
    "<p>", "</p>", "<div class='a'>", "</div>", "<li>", "<ul>", "</ul>", "<td>", "<table>", "</table>", "<br/>",
    "text &amp; <", "&nbsp;", "<svg viewBox='0'>", "<path/>", "</svg>", "<b onclick=x>", "<script>", "</script>",
    "<!-- c -->", "\x01", "<x:y z:a='1'>",
    '<a href="&quot;>">', "<details open>", "<style>", "]]>", "<?pi?>", "<textarea>", "<rule-card>",
])))  # fmt: skip
def test_any_html_becomes_a_tree(parts: list[str]) -> None:
    text = to_xhtml(parse_html("".join(parts)))
    tree = ElementTree.fromstring(f"<div>{remove_invalid_xml(text)}</div>")
    assert "<script" not in text
    # As text it may stay: recent releases of Python read what is in a <textarea> as text, as browsers do.
    assert not [element for element in tree.iter() if "onclick" in element.attrib]


@cache
def shipped(*books: str) -> str:
    return make(make_shipped_edition(*books), lambda _: None)[0].decode()


def test_the_shipped_books_hang_together() -> None:
    marks = Marks(shipped())
    assert (marks.wrong, marks.open, marks.dead, marks.twice) == ([], [], [], [])
    assert len(marks.links) > 500


def test_dark_is_for_readers_who_choose_it_and_whose_system_does() -> None:
    style = style_sheet()
    for scheme in (':root[data-md-color-scheme="slate"]{', ':root:not([data-md-color-scheme="default"]){'):
        assert style.count(f"{scheme}--rw-card:") == style.count(f"{scheme}color-scheme:dark;") == 1
    assert ':where([data-md-color-scheme="slate"])' not in style


def test_weight() -> None:
    """The roller has a limit of its own."""
    own = style_sheet(("book.css",)) + script_text("single-file")
    assert len(gzip.compress(own.encode(), 9)) <= 6_000
    page = SCRIPTS.sub("", shipped())
    assert len(gzip.compress(page.encode(), 9)) / len(articles(page)) < 80_000 / 20


class Seen:
    """A file as it opens in a browser without any server; what it asks for and complains of is written down."""

    def __init__(self, browser: Any, file: Path, dark: bool = False, width: int = 1280, script: bool = True) -> None:
        scheme = "dark" if dark else "light"
        window = {"width": width, "height": 900}
        self.page = browser.new_page(color_scheme=scheme, viewport=window, java_script_enabled=script)
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda asked: self.ask(asked.url))
        self.page.goto(file.as_uri())

    def ask(self, url: str) -> None:
        if not url.startswith(("data:", "file:")):
            self.wrong.append(url)

    def ground(self) -> str:
        return str(self.page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    wide = "| " + " | ".join(f"Column{n}" for n in range(20)) + " |\n" + "|---" * 20 + "|\n| " + "x | " * 20 + "\n"
    odds = "```odds\nrule: toss\nrows: coins 1..4\ncolumns: bonus 0..5\nshow: chance of win\nas: heatmap\n```\n"
    files = {
        "index.md": "# Coins\n\nThe hand of the thrower is quick. HP count.\n\n*[HP]: Hit points\n\n"
        f"{BLOCK}\n{ROLLER}\n{odds}",
        "toss.md": f"# The toss\n\n## Difficult catches\n\nWhoever catches a spinning coin.\n\n{odds}\n{wide}\n",
        "all.md": CONSTRUCTS.read_text(encoding="utf-8"),
        "dice.svg": DRAWING,
    }
    (folder / "book.html").write_text(bound(folder, files)[0], encoding="utf-8")
    return folder / "book.html"


@pytest.mark.smoke
def test_it_opens_without_a_server(browser: Any, book: Path) -> None:
    light, dark = Seen(browser, book), Seen(browser, book, dark=True)
    assert light.wrong == dark.wrong == []
    assert light.ground() != dark.ground()
    assert Seen(browser, book, dark=True, script=False).page.locator("h1").inner_text() == "The Book of Coins"
    light.page.get_by_role("button", name="Dark page").click()
    assert light.ground() == dark.ground()


@pytest.mark.smoke
def test_search_forgives_slips_and_jumps(browser: Any, book: Path) -> None:
    seen = Seen(browser, book)
    keyboard = seen.page.keyboard
    keyboard.press("/")
    for asked, found in (
        ("dificult cathces", "Difficult catches"),
        ("spinning coin", "Difficult catches"),
        ("throwr", "Coins"),
    ):
        seen.page.locator("#find").fill(asked)
        assert found in seen.page.locator("#found [aria-selected=true]").inner_text(), asked
    seen.page.locator("#find").fill("xylophone")
    assert seen.page.locator(".state").inner_text() == "Nothing found"
    seen.page.locator("#find").fill("heads")  # stands on cards only
    assert seen.page.locator("#found li").count() == 0
    seen.page.locator("#find").fill("ctaches")
    keyboard.press("Enter")
    assert seen.page.url.endswith("#toss:difficult-catches")
    assert seen.page.evaluate("document.activeElement.textContent") == "Difficult catches"
    assert seen.wrong == []


@pytest.mark.parametrize("width", [320, 390, 700])
def test_hits_lie_within_the_screen(browser: Any, book: Path, width: int) -> None:
    page = Seen(browser, book, width=width).page
    page.locator("#find").fill("catches")
    hits = page.locator(".found").bounding_box()
    assert hits["x"] >= 0
    assert hits["x"] + hits["width"] <= width
    assert page.locator(".name").bounding_box()["width"] > 60


def test_arrows_choose_among_the_hits(browser: Any, book: Path) -> None:
    seen = Seen(browser, book)
    seen.page.keyboard.press("s")
    seen.page.keyboard.type("co")
    count = seen.page.locator("#found li").count()
    assert count > 1
    seen.page.keyboard.press("ArrowUp")
    assert seen.page.locator(f"#found-{count - 1}").get_attribute("aria-selected") == "true"
    seen.page.keyboard.press("Escape")
    assert not seen.page.locator(".found").is_visible()


def test_words_are_explained(browser: Any, book: Path) -> None:
    seen = Seen(browser, book)
    seen.page.locator("abbr", has_text="HP").first.focus()
    assert seen.page.get_by_role("tooltip").inner_text() == "Hit points"
    seen.page.keyboard.press("Escape")
    assert not seen.page.get_by_role("tooltip").is_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(browser: Any, book: Path, dark: bool, width: int) -> None:
    seen = Seen(browser, book, dark, width)
    seen.page.locator("#find").fill("coin")
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(seen.page) == []


@pytest.mark.smoke
def test_dice_roll_without_a_server(browser: Any, tmp_path: Path) -> None:
    game = GAME.replace('"Coins"', '"Coins </script> & more"', 1)
    files = {"game.toml": game, "a.md": f"# A\n\n[three coins](roll:toss?coins=3)\n\n{ROLLER}\n{BLOCK}"}
    (tmp_path / "book.html").write_text(bound(tmp_path / "book", files)[0], encoding="utf-8")
    seen = Seen(browser, tmp_path / "book.html")
    roller = seen.page.locator("rule-card").first
    roller.locator("button.rw-roll").first.click()
    roller.locator(".rw-heard", has_text=re.compile(".")).wait_for(state="attached")
    assert re.search("win|loss", roller.inner_text().lower())
    assert seen.wrong == []


def test_games_of_single_pages_roll_each_their_own(browser: Any, tmp_path: Path) -> None:
    """What is copied from one names no game: the page it goes into has it."""
    files = {}
    for name, sides in (("first", 2), ("second", 1000)):
        game = GAME.replace("sides = 2", f"sides = {sides}").replace("face = 2", f"face = {sides}")
        files[f"{name}.md"] = f"# The {name}\n\n```game\n{game}```\n\n{ROLLER}\nThrow [a coin](roll:toss?coins=1).\n"
    (tmp_path / "book.html").write_text(bound(tmp_path / "book", files)[0], encoding="utf-8")
    seen = Seen(browser, tmp_path / "book.html")
    for number, sides in enumerate((2, 1000)):
        roller = seen.page.locator("rule-card").nth(number)
        roller.locator("button.rw-roll").first.click()
        roller.locator(".rw-heard", has_text=re.compile(".")).wait_for(state="attached")
        faces = roller.locator("svg.rw-die title").all_text_contents()
        assert [re.findall(r" on a d(\d+)\b", text) for text in faces] == [[str(sides)]] * 3
        seen.page.get_by_role("button", name="a coin").nth(number).click()
        seen.page.locator("dialog[open] rule-card .rw-roll").wait_for()
        seen.page.keyboard.press("Escape")
    assert seen.wrong == []


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(write(tmp_path / "coins", {"a.md": f"# A\n\n{BLOCK}"}))
    assert main(["export", "html"]) == 0
    assert re.fullmatch(r"coins\.html: 1 page of the book, [0-9]+ kB\n", capsys.readouterr().out)
    assert Path("coins.html").read_text(encoding="utf-8").startswith("<!doctype html>")
