"""Books on paper: what Typst makes of them, read again from the PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.generic import ContentStream

import shipped_books
from color_tokens import Color, contrast_ratio
from example_counts import sample, scale_examples
from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.render.export import BookExport, find_picture
from rulewright.render.read_document import BOX_TYPES
from rulewright.render.typst.book import STYLES, make
from rulewright.render.typst.compiler import compile_replacing
from rulewright.render.typst.page import column_widths, fit_table
from rulewright.render.typst.syntax import string_literal, text
from rulewright.source import Problem
from small_book import BLOCK, GAME, WRONG, write

CONSTRUCTS = Path(__file__).parent / "pages" / "published" / "constructs.md"
DRAWING = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
SETTINGS = '[tool.rulewright]\ntitle = "The Book of Coins"\nversion = "Third printing"\nfail_on = "never"\n'


def printed(folder: Path, files: dict[str, str]) -> tuple[PdfReader, list[Problem]]:
    write(folder, {"pyproject.toml": SETTINGS, **files})
    data, problems = make(BookExport(compile_book([folder], folder), folder), lambda _: None)
    return PdfReader(BytesIO(data)), problems


def words(reader: PdfReader) -> str:
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in reader.pages))


def figures(reader: PdfReader) -> list[list[float]]:
    """Where pictures lie on their pages: left, bottom, right, top."""

    def walk(one: Any) -> Iterator[list[float]]:
        found = one.get_object() if hasattr(one, "get_object") else one
        if isinstance(found, dict) and found.get("/S") == "/Figure":
            yield [float(side) for side in found["/A"][0]["/BBox"]]
        for inner in (
            found if isinstance(found, list) else [found["/K"]] if isinstance(found, dict) and "/K" in found else []
        ):
            yield from walk(inner)

    return list(walk(reader.trailer["/Root"]["/StructTreeRoot"]))  # type: ignore[index]


def outline(reader: PdfReader) -> list[tuple[int, str]]:
    """The bookmarks with their depths."""

    def walk(items: list[object], depth: int) -> list[tuple[int, str]]:
        found = []
        for item in items:
            found += walk(item, depth + 1) if isinstance(item, list) else [(depth, str(item["/Title"]))]  # type: ignore[index]
        return found

    return walk(list(reader.outline), 1)


def titles_of_pages(reader: PdfReader) -> list[list[str]]:
    """The headings on each page."""
    found: list[list[str]] = [[] for _ in reader.pages]
    waiting: list[Any] = list(reader.outline)
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        else:
            found[reader.get_destination_page_number(item) or 0].append(str(item["/Title"]))
    return found


def test_a_book_has_cover_contents_outline_and_running_heads(tmp_path: Path) -> None:
    story = "Nobody looks away before the last coin has come to rest. " * 40
    reader, problems = printed(
        tmp_path,
        {
            "index.md": f"# Coins\n\nSee [the toss](rules/toss.md#heads).\n\n## Why coins\n\n{story}\n",
            "rules/index.md": "# Rules\n\nTwo of them.\n",
            "rules/toss.md": f"# The toss\n\n## Heads\n\n{story}\n\n{story}\n\n{BLOCK}",
        },
    )
    assert problems == []
    assert reader.metadata
    assert reader.metadata.title == "The Book of Coins"
    pages = [page.extract_text() for page in reader.pages]
    assert "The Book of Coins" in pages[0]
    assert "Third printing" in pages[0]
    assert "Contents" in pages[1]
    assert re.search(r"Heads[ .]+2", pages[1])
    assert outline(reader) == [(1, "Coins"), (2, "Why coins"), (1, "Rules"), (2, "The toss"), (3, "Heads")]
    assert "(p.\N{NO-BREAK SPACE}2)" in pages[2]
    assert "Rules" in pages[-1].split("\n")[0]


def test_links_lead_to_their_places(tmp_path: Path) -> None:
    reader, _ = printed(
        tmp_path,
        {
            "a.md": "# A\n\n[to b](b.md), [to its end](b.md#end), [here](#a), [out](https://example.org/x)\n",
            "b.md": "# B\n\nWords.\n\n## End\n\n[gone](c.md) and [none](#nowhere)\n",
        },
    )
    kinds = [annotation.get_object() for page in reader.pages for annotation in page.get("/Annots", ())]
    addresses = [str(one["/A"]["/URI"]) for one in kinds if "/A" in one and "/URI" in one["/A"]]
    inside = [one for one in kinds if "/Dest" in one or "/D" in one.get("/A", {})]
    assert addresses == ["https://example.org/x"]
    assert len(inside) >= 3 + 3  # and the lines of the contents
    assert "gone and none" in words(reader)


def test_every_construct_comes_to_paper(tmp_path: Path) -> None:
    files = {"constructs.md": CONSTRUCTS.read_text(encoding="utf-8"), "dice.svg": DRAWING}
    reader, problems = printed(tmp_path, files)
    told = words(reader)
    for part in ("strong, emphasis, gone", "after a hard break", "Short.", "With a title", "difficult flight"):
        assert part in told, part
    assert not [problem for problem in problems if problem.code != "export-glyph"], problems
    assert "not shown" not in told


def test_blocks_are_cards(tmp_path: Path) -> None:
    blocks = (
        "```rule\nrule: toss\n```\n",
        "```odds\nrule: toss\nrows: coins 1..4\nshow: chance of win\nas: heatmap\n```\n",
        "```claim\nrule: toss\nshow: card\nchance(win; coins 2) = 1/4\n```\n",
        "```roller\nrule: toss\ncoins: 3\n```\n",
        "```example\nrule: toss\ncoins: 2\ndice: 2 2\noutcome: win\nshow: line\n```\n",
        "```example\nrule: toss\ncoins: 2\ndice: 2 2\noutcome: win\nshow: no\n```\n",
    )
    reader, problems = printed(tmp_path, {"a.md": "# A\n\n" + BLOCK + "\n" + "\n".join(blocks)})
    told = words(reader)
    assert problems == []
    for part in (
        "Toss 3 dice 2 2 1",
        "Win degree 1 heads 2 against 2",
        "Win 50.0%, loss 50.0%",
        "You win if there are at least 2 heads.",
        "25.0%",
        "exactly 1/4",
        "→ Win degree 1",
    ):
        assert part in told, part


TABLE = """
[tables.den_alarm]
Wache = 4
Torhaus = 6
"""


def test_a_table_has_its_name(tmp_path: Path) -> None:
    page = "# A\n\n```table\nname: den_alarm\n```\n\n```table\nname: den_alarm\ntitle: Who comes\n```\n"
    reader, problems = printed(tmp_path, {"game.toml": GAME + TABLE, "a.md": page})
    told = words(reader)
    assert problems == []
    assert "TABLE Den alarm" in told
    assert "TABLE Who comes" in told


PEOPLE = """
[sheets.starting.require]
"few skills" = "sumof(skills) <= 4"

[orders.turn]
by = ["-luck"]
"""


def colours(reader: PdfReader) -> set[Color]:
    """Those in which words are written."""
    found = set[Color]()
    for page in reader.pages:
        here, kept = (0.0, 0.0, 0.0), list[Color]()
        for values, sign in ContentStream(page.get_contents(), reader).operations:
            here = as_colour(values) if sign == b"scn" else here
            if sign == b"q":
                kept.append(here)
            elif sign == b"Q":
                here = kept.pop()
            elif sign in (b"Tj", b"TJ"):
                found.add(here)
    return found


def as_colour(values: list[object]) -> Color:
    found = [float(str(value)) for value in values]
    return found[0], found[len(found) // 2], found[-1]  # a grey is one number


CODE = """
```toml
[rules.toss]  # not here
label = "Toss"
```

```python
def toss(count: int) -> bool:
    return "heads" if count > 1 else None  # or so
```

```markdown
# Title **bold** and `code`
```
"""


@pytest.mark.parametrize(("dark", "ground"), [("false", "f6f2ea"), ("true", "22242a")])
def test_code_can_be_read(tmp_path: Path, dark: str, ground: str) -> None:
    reader, _ = printed(tmp_path, {"pyproject.toml": f"{SETTINGS}dark = {dark}\n", "a.md": f"# A\n{CODE}"})
    told, below = words(reader), as_colour([int(ground[at : at + 2], 16) / 255 for at in (0, 2, 4)])
    for part in ('label = "Toss"', "or so", "# Title **bold** and `code`"):
        assert part in told
    assert len(found := colours(reader)) >= 4
    assert [one for one in found if contrast_ratio(one, below) < 4.5] == []


NEXT = {
    "card": BLOCK.replace("rule: toss", "title: next\nrule: toss"),
    "table": "| next | b |\n|---|---|\n| c | d |\n",
    "list": "- next\n- b\n",
    "loose": "1. next\n\n2. b\n",
    "code": "```text\nnext\nb\n```\n",
    "box": "!!! note\n\n    next\n",
    "words": "next and more\n",
}


@pytest.mark.parametrize("lead", sample(["What comes:", "**Its name**", "### Heading"], 3))
def test_what_announces_something_stays_with_it(tmp_path: Path, lead: str) -> None:
    """The foot of the page is tried at many heights, until it would have come between the two for each kind."""
    tries = [(kind, above) for kind in NEXT for above in range(29, 43)]
    texts = [f"# {kind}\n\n" + "above\n\n" * above + f"{lead}\n\n{NEXT[kind]}" for kind, above in tries]
    reader, _ = printed(tmp_path, {f"{at:03}.md": text for at, text in enumerate(texts)})
    pages = [page.extract_text().split("\n") for page in reader.pages]
    said, moved = lead.strip("*# "), set[str]()
    for head, first, *_ in (page for page in pages if len(page) > 2):
        moved |= {head.split()[0]} if first == said else set()
    assert [page for page in pages if page[-2:-1] == [said]] == []
    assert moved == NEXT.keys()


@pytest.mark.long
def test_no_page_of_the_shipped_books_ends_with_an_announcement() -> None:
    reader = PdfReader(BytesIO(make(shipped_books.make_shipped_edition(), lambda _: None)[0]))
    titles = [{" ".join(title.split()) for title in own} for own in titles_of_pages(reader)]
    lasts = [page.extract_text().strip().split("\n")[-2:][0].strip() for page in reader.pages]
    assert len(lasts) > 150
    assert sum(map(len, titles)) > 500
    emoji = re.compile(r"\s:[\w-]+:$")  # the source of one ends with a colon, too
    assert [last for last in lasts if last.endswith(":") and not emoji.search(last)] == []
    assert [last for last, own in zip(lasts, titles, strict=True) if last in own] == []


def test_what_is_short_stays_together(tmp_path: Path) -> None:
    """A small table, a few lines of code, a card."""
    parts = {
        "table": "| first | b |\n|---|---|\n" + "| c | d |\n" * 10 + "| last | d |\n",
        "code": "```text\nfirst\n" + "b\n" * 12 + "last\n```\n",
        "card": "```odds\ntitle: first\nrule: toss\nrows: coins 1..19\nshow: mean heads\nas: bars\n```\nlast\n",
    }
    tries = [(name, above) for name in parts for above in range(20, 40)]
    texts = [f"# {name}\n\n" + "above\n\n" * above + parts[name] for name, above in tries]
    reader, _ = printed(tmp_path, {f"{at:03}.md": text for at, text in enumerate(texts)})
    pages = [page.extract_text() for page in reader.pages]
    found = [page for page in pages if "first" in page]
    assert len(found) == len(tries)
    assert [page for page in found if "last" not in page and "card" not in page.split("\n")[0]] == []
    assert [page for page in found if "card" in page and "ODDS" in page and "18" not in page] == []
    assert len(pages) > len(tries) + 10, "nothing was ever in danger"


def test_many_lines_of_contents_stand_in_two_columns(tmp_path: Path) -> None:
    text = "# A\n\n" + "".join(f"## Section {number}\n\nwords\n\n" for number in range(80))
    reader, _ = printed(tmp_path, {"a.md": text})
    first = reader.pages[1].extract_text()
    assert "Section 0" in first
    assert "Section 79" in first


def test_no_word_above_a_table_of_odds_is_parted(tmp_path: Path) -> None:
    names = ("Unbelievable", "Improbable", "Challenging", "Ambitious", "Moderate", "Absurd", "Hard", "Easy")
    game = GAME.replace("bonus = {", 'far = { label = "Far", min = 0, max = 9, default = 0, names = "far" }\nbonus = {')
    game += "\n[tables.far]\n" + "".join(f"{name} = {number}\n" for number, name in enumerate(names))
    odds = "```odds\nrule: toss\nrows: coins 1..4\ncolumns: far\nshow: chance of win\nas: heatmap\n```\n"
    reader, problems = printed(tmp_path, {"game.toml": game, "a.md": f"# A\n\n{odds}"})
    assert problems == []
    assert " ".join(names) in words(reader)


def test_people_are_cards(tmp_path: Path) -> None:
    game = GAME.replace('names = ["Sleight", "Patience"]', 'names = ["Sleight", "Patience"]\nrange = "0..5"') + PEOPLE
    sheet = "```sheet\nsheet: starting\nSleight: 3\nPatience: 2\nverdict:\nfew skills\n```\n"
    order = "```order\nby: turn\nside Ann: luck 3\nside Bob: luck 5\nresult: Bob, Ann\n```\n"
    reader, problems = printed(tmp_path, {"game.toml": game, "a.md": f"# A\n\n{sheet}\n{order}"})
    told = words(reader)
    assert problems == []
    for part in (
        "SHEET Starting",
        "Sleight 3",
        "not allowed",
        "few skills",
        "ORDER Turn",
        "1. Bob luck 5 2. Ann luck 3",
    ):
        assert part in told, part
    assert "side Ann" not in told


KINDS = (
    "note",
    "abstract",
    "info",
    "tip",
    "success",
    "question",
    "warning",
    "failure",
    "danger",
    "bug",
    "example",
    "quote",
)


@pytest.mark.parametrize("dark", ["true", "false"])
def test_each_kind_of_box_has_its_own_sign(tmp_path: Path, dark: str) -> None:
    look = STYLES.read_text(encoding="utf-8")
    told = dict(re.findall(r'^  (\w+): \((?:rgb.*\)|faint), "(.)"\),$', look, re.MULTILINE))
    assert sorted(told) == sorted(KINDS)
    assert len({*told.values()}) == len(KINDS)
    assert {*BOX_TYPES.values()} <= {*KINDS}
    boxes = "\n".join(f"!!! {kind}\n\n    Words.\n" for kind in (*KINDS, *BOX_TYPES, "unheard-of"))
    reader, problems = printed(tmp_path, {"a.md": f"# A\n\n{boxes}", "pyproject.toml": f"{SETTINGS}dark = {dark}\n"})
    assert problems == []
    assert words(reader).count("Words.") == len(KINDS) + len(BOX_TYPES) + 1


def test_a_font_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"a.md": "# A\n", "site_overrides/book.typ": '#let body-font = "Nowhere Sans"\n'})
    monkeypatch.chdir(tmp_path)
    assert main(["export", "pdf", "-o", "out.pdf"]) == 2
    said = capsys.readouterr().err
    assert said == (
        'rulewright: the pdf was not made: there is no font "nowhere sans"; put its file into site_overrides/fonts\n'
    )
    assert not (tmp_path / "out.pdf").exists()


def test_a_sign_that_no_font_has_is_told_and_replaced(tmp_path: Path) -> None:
    reader, problems = printed(tmp_path, {"a.md": "# A\n\nRoll 🎲 and 日本, ✓ and é.\n\n🎲 again.\n"})
    found = [(one.code, one.span.text, one.span.source.position(one.span.start)) for one in problems]
    assert found == [
        ("export-glyph", "日", (3, 12)), ("export-glyph", "本", (3, 13)), ("export-glyph", "🎲", (3, 6)),
    ]  # fmt: skip
    assert "Roll [game die] and [U+65E5][U+672C], ✓ and é." in words(reader)


def test_pictures_from_outside_the_book_are_refused(tmp_path: Path) -> None:
    outside = tmp_path / "secret.svg"
    outside.write_text(DRAWING, encoding="utf-8")
    book = tmp_path / "book"
    book.mkdir()
    (book / "link.svg").symlink_to(outside)
    page = "# A\n\n![one](../secret.svg) ![two](link.svg) ![three](/inside.svg) ![](inside.svg) ![four](x.txt)\n"
    reader, problems = printed(book, {"a.md": page, "inside.svg": DRAWING, "x.txt": "no picture"})
    assert [one.code for one in problems] == ["export-picture", "export-picture", "export-alt", "export-picture"]
    assert "one two" in words(reader)


def test_a_drawing_may_not_reach_outside_the_book(tmp_path: Path) -> None:
    (tmp_path / "secret.svg").write_text(DRAWING, encoding="utf-8")
    book = tmp_path / "book"
    book.mkdir()
    (book / "link.svg").symlink_to(tmp_path / "secret.svg")
    for name in ("link", "inside", "../secret", "none"):
        drawing = DRAWING.replace("<rect", f'<image href="{name}.svg"/><rect', 1)
        (book / f"{name.strip('./')}-shown.svg").write_text(drawing, encoding="utf-8")
    (book / "inside.svg").write_text(DRAWING, encoding="utf-8")
    found = [name for name in ("link", "inside", "secret", "none") if find_picture(book, "a.md", f"{name}-shown.svg")]
    assert found == ["inside"]


def test_pictures_that_cannot_be_read_are_told_and_left_out(tmp_path: Path) -> None:
    files = {
        "broken.png": "no picture",
        "empty.svg": "",
        "sign.svg": DRAWING.replace("/></svg>", "/><text y='9'>日</text></svg>"),
    }
    page = "# A\n\n" + " ".join(f"![{name}]({name})" for name in files) + " ![](good.svg)\n"
    reader, problems = printed(tmp_path, {"a.md": page, "good.svg": DRAWING, **files})
    assert [one.code for one in problems] == ["export-picture"] * 3 + ["export-alt"]
    assert "broken.png empty.svg sign.svg" in words(reader)


def test_headings_without_words(tmp_path: Path) -> None:
    """They are no titles; a picture gives its words."""
    page = (
        "# ![Coins](a.svg)\n\n##\n\n## :material-dice-6:\n\n## ![](a.svg)\n\n## \u200d\n\n[up](#section)\n\n## Toss\n"
    )
    reader, _ = printed(tmp_path, {"a.md": page, "a.svg": DRAWING})
    assert outline(reader) == [(1, "Coins"), (2, "Toss")]


def test_pictures_are_as_wide_as_their_author_wants(tmp_path: Path) -> None:
    page = "# A\n\nx ![a](a.svg){width=100} ![b](a.svg){width=50%} ![c](a.svg){width=9000} ![d](a.svg) y\n"
    reader, _ = printed(
        tmp_path, {"a.md": page, "a.svg": DRAWING.replace("width='9' height='9'", "width='8' height='16'")}
    )
    found = figures(reader)
    assert [round(right - left) for left, _, right, _ in found][:2] == [75, 232]
    assert all(left > 0 and bottom > 0 and right < 596 and top < 842 for left, bottom, right, top in found)


def test_signs_that_are_nobodys_are_told(tmp_path: Path) -> None:
    _, problems = printed(tmp_path, {"a.md": "# A\n\nA \U000f1234 and \u0378 stand here.\n"})
    assert [one.code for one in problems] == ["export-glyph"] * 2


def test_html_keeps_its_words(tmp_path: Path) -> None:
    page = "# A\n\nSee <img src='x.png' alt='the map'> here.\n\n<details><summary>More</summary>Less</details>\n"
    reader, _ = printed(tmp_path, {"a.md": page})
    assert "See the map here. More Less" in words(reader)


def test_headings_never_leave_out_a_level(tmp_path: Path) -> None:
    reader, _ = printed(
        tmp_path, {"a.md": "# A\n\n#### Deep\n\n## B\n\n###### Deeper\n", "b.md": "## No title\n\ntext\n"}
    )
    assert outline(reader) == [(1, "A"), (2, "Deep"), (2, "B"), (3, "Deeper"), (1, "No title")]


def test_columns_get_what_their_words_need() -> None:
    assert column_widths([["a", "b"], ["c", "d"]]) == ["auto", "auto"]
    name, long = column_widths([["Name", "What it does"], ["Dodge", "You step aside before the blow falls. " * 5]])
    assert name == "auto"
    assert long.endswith("fr")
    for line in (36, 78):
        code, told = column_widths([["count(regular,face>successes)", "You step aside. " * 9], ["a", "b " * 40]], line)
        assert float(code[:-2]) > 29, "the word must not be printed over what stands beside it"
        assert line <= float(code[:-2]) + float(told[:-2]) <= line + 8


def test_a_table_stands_in_one_of_two_columns_where_its_words_can() -> None:
    assert not fit_table([["Name", "What it does"], ["Dodge", "You step aside before the blow falls. " * 5]])[1]
    assert fit_table([[f"Name{number}" for number in range(7)]])[1]
    assert fit_table([["x" * 40, "y"]])[1]


@pytest.mark.parametrize("paper", ["a4", "a5", "letter"])
@pytest.mark.parametrize("columns", ["1", "2"])
def test_no_words_lie_outside_the_page(tmp_path: Path, paper: str, columns: str) -> None:
    look = f'{SETTINGS}paper = "{paper}"\ncolumns = "{columns}"\ndark = true\n'
    wide = "| " + " | ".join(f"Column{n}" for n in range(14)) + " |\n" + "|---" * 14 + "|\n"
    wide += "| " + " | ".join("something" for _ in range(14)) + " |\n"
    text_ = f"# A\n\n{wide}\n\n{'word ' * 300}\n\n{BLOCK}\n\n`{'code ' * 40}`\n\n{'unbreakable' * 12}\n"
    reader, _ = printed(tmp_path, {"pyproject.toml": look, "a.md": text_})
    for page in reader.pages:
        width, places = float(page.mediabox.width), list[float]()

        def seen(_text: str, _user: object, matrix: list[float], _font: object, _size: object) -> None:
            places.append(matrix[4])  # noqa: B023  it is called at once

        page.extract_text(visitor_text=seen)
        assert all(0 <= place <= width for place in places)


def test_the_same_book_gives_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for name in ("one", "another/place"):
        folder = write(tmp_path / name, {"a.md": f"# A\n\n{BLOCK}", "pyproject.toml": SETTINGS})
        made.append(make(BookExport(compile_book([folder], folder), folder), lambda _: None)[0])
    assert made[0] == made[1]


def test_a_book_with_mistakes_is_not_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write(tmp_path, {"a.md": f"# A\n\n{WRONG}"}))
    assert main(["export", "pdf", "-o", "out.pdf"]) == 1
    assert "the rules give degree 1" in capsys.readouterr().err
    assert not (tmp_path / "out.pdf").exists()
    (tmp_path / "a.md").write_text(f"# A\n\n{BLOCK}", encoding="utf-8")
    assert main(["export", "pdf", "-o", "out.pdf"]) == 0
    assert re.fullmatch(r"out\.pdf: 1 page of the book, [0-9]+ kB\n", capsys.readouterr().out)
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-1.7")


def test_a_book_may_bring_its_own_look(tmp_path: Path) -> None:
    own = {"site_overrides/book.typ": "#let footer = align(center)[folio #context counter(page).display()]\n"}
    reader, _ = printed(tmp_path, {"a.md": "# A\n\nWords.\n", **own})
    assert "folio 1" in words(reader)


ODD_SIGNS = st.characters(categories=["Cf", "Zl", "Zp", "Zs", "Cc", "Mn", "Me", "Mc"]) | st.sampled_from("a \n\xad")


@settings(max_examples=scale_examples(60), deadline=None)
@given(st.text(max_size=60) | st.text(ODD_SIGNS, max_size=9))
@example("a\u1680b")
@example("a\x85\xad\u2028\xad\u2029\xadb")
def test_whatever_is_written_is_text_and_no_command(written: str) -> None:
    root = Path(__file__).parent
    source = f'#set document(title: "x")\n{text(written)}\n#metadata({string_literal(written)})'
    made, _ = compile_replacing(source, root)
    assert made.startswith(b"%PDF")


@pytest.mark.skipif(not shutil.which("qpdf"), reason="qpdf is not installed")
def test_qpdf_finds_nothing(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"constructs.md": CONSTRUCTS.read_text(encoding="utf-8"), "dice.svg": DRAWING, "pyproject.toml": SETTINGS},
    )
    data, _ = make(BookExport(compile_book([tmp_path], tmp_path), tmp_path), lambda _: None)
    (tmp_path / "book.pdf").write_bytes(data)
    checked = subprocess.run(["qpdf", "--check", tmp_path / "book.pdf"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
