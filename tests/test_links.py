"""Links: every dialect, what is said of those that lead nowhere, texts that name another heading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from call_counts import LINEAR, call_growth
from link_cases import check_links
from rulewright.book.page import Page
from rulewright.book.parser import read_page
from rulewright.book.resolver import DeadLink, LinkResolver, LinkTarget
from rulewright.cli.report import Report
from rulewright.compile.book import compile_book
from rulewright.source import Problem, Source
from source_books import BOTH, Books, source_books

BOOK = {
    "index.md": "# The book\n",
    "character.md": "# Character\n## Attributes\n## Skills & feats\n## Skills & feats\n## Speed {#sp}\n<a id=old>",
    "combat/index.md": "# Combat\n\n## Turns\n",
    "combat/armour.md": "# Armour\n\n## Light Armour\n\n## Ünder Fire\n\nText[^1]\n\n[^1]: Note.\n",
}


def book(**pages: str) -> list[Page]:
    return pages_of(BOOK | {path.replace("__", "/") + ".md": text for path, text in pages.items()})


def pages_of(texts: dict[str, str], root: str = "") -> list[Page]:
    return [read_page(Source(root + path, text)) for path, text in texts.items()]


def nothing(_path: str) -> bool:
    return False


def check(*links: str, path: str = "combat__attack") -> list[Problem]:
    """Problems of links on a page beside the others."""
    return check_links(book(**{path: "# Attack\n\n## Aim\n\n" + "\n\n".join(links) + "\n"}), exists=nothing)


GOOD = {
    "#aim": "combat/attack.md#aim",
    "#": "combat/attack.md#",
    "#top": "combat/attack.md#top",
    "armour.md": "combat/armour.md#",
    "armour.md#light-armour": "combat/armour.md#light-armour",
    "./armour.md#light-armour": "combat/armour.md#light-armour",
    "../character.md#attributes": "character.md#attributes",
    "../character.md#sp": "character.md#sp",
    "../character.md#old": "character.md#old",
    "../character.md?x=1#attributes": "character.md#attributes",
    "../character.md#skills--feats": "character.md#skills--feats",
    "../character.md#skills-feats": "character.md#skills--feats",
    "../character.md#skills--feats-1": "character.md#skills--feats-1",
    "../character.md#skills--feats_1": "character.md#skills--feats-1",
    "../character.md#skills-feats_1": "character.md#skills--feats-1",
    "armour.md#ünder-fire": "combat/armour.md#ünder-fire",
    "armour.md#%C3%BCnder-fire": "combat/armour.md#ünder-fire",
    "armour.md#under-fire": "combat/armour.md#ünder-fire",
    "armour.md#fn:1": "combat/armour.md#fn:1",
    "/character#attributes": "character.md#attributes",
    "/character/#attributes": "character.md#attributes",
    "/character.md": "character.md#",
    "/combat/": "combat/index.md#",
    "/combat/#turns": "combat/index.md#turns",
    "/": "index.md#",
    "../armour/": "combat/armour.md#",
    "../armour/#light-armour": "combat/armour.md#light-armour",
    "../../character/": "character.md#",
    "armour": "combat/armour.md#",
    "armour.html": "combat/armour.md#",
    "index.md#turns": "combat/index.md#turns",
    "../": "index.md#",
    "./": "combat/index.md#",
}


@pytest.mark.parametrize("target", GOOD)
def test_dialects(target: str) -> None:
    pages = book(combat__attack=f"# Attack\n\n## Aim\n\n[x]({target})\n")
    atlas = LinkResolver(pages, "", nothing)
    found = atlas.resolve(pages[-1].links[0], pages[-1])
    assert isinstance(found, LinkTarget)
    assert f"{found.path}#{found.anchor}" == GOOD[target]
    assert check_links(pages, exists=nothing) == []


@pytest.mark.parametrize(
    "link",
    [
        "[[Armour]]", "[[armour#light-armour]]", "[[Armour#Light Armour|leather]]", "[[Character#Skills & feats]]",
        "[[character]]", "[[#Aim]]", "[[combat/armour]]", "<a href='armour.md#light-armour'>x</a>",
        "[x][y]\n\n[y]: armour.md", "[x](https://example.org/a#b)", "<mailto:a@b.cd>", "<a@b.cd>", "[x](//example.org)",
        "[x](roll:action?pool=5#c)", "[5 %](chance:botch?pool=5)",
        "[x]({{base}}/a.md)",
    ],
)  # fmt: skip
def test_other_ways_to_write_a_link(link: str) -> None:
    assert check(link) == []


def test_pages_with_a_longer_ending() -> None:
    pages = pages_of({"a.md": "[x](b.markdown#b) [y](/b#b) [z](../b/)\n", "b.markdown": "# B\n"})
    assert check_links(pages, exists=nothing) == []


@pytest.mark.parametrize("root", ["rules", "rules/", "./rules", "/home/me/rules"])
def test_the_root_of_a_book(root: str) -> None:
    pages = pages_of(BOOK | {"a.md": "[x](/character#attributes) ![y](/img/b.png)"}, root.rstrip("/") + "/")
    asked: list[str] = []

    def exists(path: str) -> bool:
        asked.append(path)
        return True

    assert check_links(pages, root, exists) == []
    files = [path for path in asked if path.endswith(".png")]
    assert [path.removeprefix("./") for path in files] == [f"{root.rstrip('/').removeprefix('./')}/img/b.png"]


BAD = {
    "[x](#aimm)": ("#aimm", "there is no #aimm on this page", ("did you mean #aim?",)),
    "[x](#attributes)": ("#attributes", "there is no #attributes on this page", ("../character.md has #attributes",)),
    "[x](#attributess)": (
        "#attributess",
        "there is no #attributess on this page",
        ("did you mean ../character.md#attributes?",),
    ),
    "[x](armour.md#attributes)": (
        "armour.md#attributes",
        "there is no #attributes on combat/armour.md",
        ("../character.md has #attributes",),
    ),
    "[x](armour.md#qqq)": ("armour.md#qqq", "there is no #qqq on combat/armour.md", ()),
    "[x](#sail)": ("#sail", "there is no #sail on this page", ()),  # of the same length as `aim`, but no slip
    "[x](#attributes-2)": ("#attributes-2", "there is no #attributes-2 on this page", ()),
    "[x](#Aim)": ("#Aim", "there is no #Aim on this page", ("did you mean #aim?",)),
    "[x](../character.md#skills)": (
        "../character.md#skills",
        "there is no #skills on character.md",
        ("did you mean #skills--feats?",),
    ),
    "[x](character.md)": ("character.md", "there is no page character.md", ("did you mean ../character.md?",)),
    "[x](armor.md#y)": ("armor.md#y", "there is no page armor.md", ("did you mean armour.md?",)),
    "[x](zzz.md)": ("zzz.md", "there is no page zzz.md", ()),
    "[x](zzz.md#turns)": ("zzz.md#turns", "there is no page zzz.md", ("index.md has #turns",)),
    "[x](rules.pdf)": ("rules.pdf", "there is no file rules.pdf", ()),
    "![x](a.png)": ("a.png", "there is no file a.png", ()),
    "![x](/img/a.svg)": ("/img/a.svg", "there is no file /img/a.svg", ()),
    "[x]()": ("", "this link has no target", ()),
    "[[Nowhere|x]]": ("Nowhere", "there is no page Nowhere", ()),
    "[x][y]\n\n[y]: zzz.md": ("zzz.md", "there is no page zzz.md", ()),
    "<a href='zzz.md'>x</a>": ("zzz.md", "there is no page zzz.md", ()),
}


@pytest.mark.parametrize("link", BAD)
def test_links_that_lead_nowhere(link: str) -> None:
    (problem,) = check(link)
    assert (problem.code, problem.severity) == ("link-missing", "error")
    assert (problem.span.text, problem.message, problem.notes) == BAD[link]
    assert problem.trail == ("Attack", "Aim")


def test_links_into_one_page_have_one_cause() -> None:
    problems = check("[w4](#w4)\n[w6](#w6) [w4](#w4)", "[w10](#w10)")
    assert [problem.message for problem in problems] == [
        f"there is no #{name} on this page" for name in ("w4", "w6", "w4", "w10")
    ]
    assert {problem.cause for problem in problems} == {"combat/attack.md does not have the ids that links name"}


def test_other_missing_anchors_are_problems_of_their_own() -> None:
    assert len(check("[a](#one)", "[b](#two)", "[c](armour.md#one)")) == 3


def test_links_to_a_missing_page_have_one_cause() -> None:
    problems = check("[a](spells.md#fire)", "[b](spells.md#fire)", "[c](spells.md#fir)", "[d](spells.md)")
    assert [problem.message for problem in problems] == ["there is no page spells.md"] * 4
    assert {problem.cause for problem in problems} == {"links go to combat/spells.md, which is missing"}


def test_files_on_disk(tmp_path: Path) -> None:
    (tmp_path / "a.png").touch()
    texts = {"index.md": "![x](a.png) [y](a.png) ![z](b.png)\n"}
    pages = pages_of(texts, f"{tmp_path}/")
    assert [problem.span.text for problem in check_links(pages, str(tmp_path))] == ["b.png"]


@pytest.mark.parametrize(("names", "severity"), [(["map", "inn"], "info"), (["rule"], "error")])
def test_a_badge_does_not_make_missing_pictures_errors(names: list[str], severity: str, tmp_path: Path) -> None:
    """A folder with fewer pictures than its links name came without them; a slip in a name stays an error."""
    (tmp_path / "rules.svg").write_text("<svg/>")
    text = "# A\n\n" + " ".join(f"![x]({name}.svg)" for name in names)
    problems = check_links(pages_of({"a.md": text}, f"{tmp_path}/"), f"{tmp_path}/")
    assert {problem.severity for problem in problems} == {severity}


@pytest.mark.parametrize("tool", ["", "mkdocs.yml", "book.toml"])
@pytest.mark.parametrize(
    ("files", "severity"),
    [
        (["images/p1.png", "images/p2.png"], "error"),  # a wrong folder
        (["images/P3.png"], "error"),
        (["notes/map.png"], "info"),
        ([], "info"),
    ],
)
def test_pictures_that_are_missing_are_judged_alike_by_every_tool(
    tool: str, files: list[str], severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that came without its pictures is one question; a picture in another folder makes the path wrong."""
    pages = tmp_path / ("src" if tool == "book.toml" else "docs" if tool else "")
    texts = {f"{pages}/index.md": "# A\n\n" + "".join(f"![x](img/p{number}.png) " for number in range(1, 6))}
    (tmp_path / tool).write_text("site_name: x\n" if tool == "mkdocs.yml" else "") if tool else None
    for name, text in {**texts, **{f"{pages}/{name}": "" for name in files}}.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    monkeypatch.chdir(tmp_path)
    compiled = replace(compile_book([tmp_path], tmp_path), with_info=True)
    problems = [problem for problem in compiled.problems if problem.code == "link-missing"]
    assert [problem.severity for problem in problems] == [severity] * 5
    line = "5 links to pictures and downloads not checked: the folder has none of these files; "
    assert (line in Report(replace(compiled, with_info=False), tmp_path).format("text")) == (severity == "info")


def test_links_into_a_missing_folder_have_one_cause() -> None:
    texts = {"a/one.md": "[x](gone/x.md) [y](gone/deep/y.md) [z](/lost/z.md)\n", "b/two.md": "[x](gone/z.md)\n"}
    causes = [problem.cause for problem in check_links(pages_of(texts), "")]
    assert causes == [
        f"links go into a folder {name}, and no page is there" for name in ("gone", "gone", "/lost", "gone")
    ]


@pytest.mark.parametrize(
    ("links", "wrong"),
    [
        ("[light armour](armour.md#turns)", []),
        ("[Light Armour](armour.md#ünder-fire)", ["armour.md#ünder-fire"]),
        ("[light *armour*](armour.md#armour)", []),
        ("[armour](armour.md#light-armour)", []),
        ("[attributes](../character.md#sp)", ["../character.md#sp"]),
        ("[Aim](../character.md#attributes)", []),
        ("[skills & feats](../character.md#skills--feats-1)", []),
        ("[here](../character.md#sp)", []),
        ("[attributes][x] and [attributes][x]\n\n[x]: ../character.md#sp", ["../character.md#sp"]),
        ("[character](../character.md#sp)", []),
        ("[[Character#Speed|attributes]]", ["Character#Speed"]),
    ],
)
def test_texts_that_name_another_heading(links: str, wrong: list[str]) -> None:
    problems = [problem for problem in check(links) if problem.code == "link-label"]
    assert [(problem.span.text, problem.severity) for problem in problems] == [(span, "warning") for span in wrong]


def test_links_in_print(golden: Callable[[str, str], None]) -> None:
    problems = check(
        "[d4](#d4) [d6](#d6)", "[Attributes](../character.md#sp)", "[x](armor.md)", "![map](map.png)", "[y](#turn)"
    )
    golden("book/links.txt", "".join(map(printed, problems)))


def printed(problem: Problem) -> str:
    line, column = problem.span.source.position(problem.span.start)
    first = f"{problem.span.source.path}:{line}:{column}: {problem.severity}[{problem.code}] {problem.message}"
    return "\n   ".join([first, *problem.notes]) + "\n"


# the source books


@pytest.mark.parametrize("which", BOTH)
def test_links_of_the_source_books(which: Books, golden: Callable[[str, str], None]) -> None:
    problems = check_links(pages_of(source_books(which)), exists=nothing)
    golden(f"book/{which}-books.txt", "".join(map(printed, problems)))


LINKS_TO_DICE = {"own": 8, "source": 9}


@pytest.mark.parametrize("which", BOTH)
def test_the_known_mistakes_of_the_source_books(which: Books) -> None:
    problems = check_links(pages_of(source_books(which)), exists=nothing)
    told = [(problem.span.source.path, problem.code, problem.span.text) for problem in problems]
    assert ("000.md", "link-label", "#starting-attributes") in told
    dice = [problem.span.text for problem in problems if problem.cause.startswith("links go to dice")]
    assert len(dice) == LINKS_TO_DICE[which]
    assert set(dice) == {f"#d{sides}" for sides in (4, 6, 8, 10, 12)}
    assert sum(path == "000.md" for path, _, _ in told) == 1
    assert sum(code == "link-label" for _, code, _ in told) == 1


# many


def large_book(pages: int, links: int) -> list[Page]:
    """Every page has as many headings and links; all links are good."""

    def page(number: int) -> str:
        rows = [f"# Page {number}"]
        for n in range(links):
            target = ("", f"page-{(number * 3 + n) % pages}.md", f"/page-{(number + n) % pages}")[n % 3]
            rows += [f"\n## Heading {n}\n\nSee [the heading {n}]({target}#heading-{n * 5 % links})."]
        return "\n".join(rows)

    return pages_of({f"page-{number}.md": page(number) for number in range(pages)})


def broken_book(pages: int) -> list[Page]:
    """A good book with one more page, on which every link is wrong."""
    wrong = (f"[x](page-{n % 60}.md#zeta{'abcdefgh'[n % 8] * (n % 30)})" for n in range(pages * 20))
    return [*large_book(pages, 20), *pages_of({"z.md": "\n".join(wrong)})]


def test_a_clean_book_is_quiet_and_quick() -> None:
    books = {pages: large_book(pages, 56) for pages in (20, 40)}
    assert check_links(books[40], exists=nothing) == []
    assert call_growth(lambda pages: check_links(books[pages], exists=nothing), 20) < LINEAR


def test_a_broken_book_is_quick_as_well() -> None:
    books = {pages: broken_book(pages) for pages in (40, 80)}  # in fewer pages, most calls depend on the Python version
    assert check_links(books[80], exists=nothing)
    assert call_growth(lambda pages: check_links(books[pages], exists=nothing), 40) < LINEAR


TARGETS = st.text(st.sampled_from("abc/.#?%:-_\\ \0md[]|äß"), max_size=12)


@given(
    st.lists(TARGETS, max_size=5), st.sampled_from(["[x]({})", "[[{}]]", "<a href='{}'>", "![x]({})", "[x]: {}\n[x]"])
)
@settings(deadline=None)
def test_any_target_is_checked(targets: list[str], form: str) -> None:
    pages = pages_of({"a.md": "# A\n" + "\n\n".join(form.format(target) for target in targets), "b/c.md": "# B\n"})
    for problem in check_links(pages):
        assert 0 <= problem.span.start <= problem.span.end <= len(pages[0].source.text)
    atlas = LinkResolver(pages, "", nothing)
    assert all(isinstance(atlas.resolve(link, pages[0]), LinkTarget | DeadLink | None) for link in pages[0].links)
