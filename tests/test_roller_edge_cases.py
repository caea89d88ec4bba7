"""The roller with unusual books and readers: long words, many figures, missing values, outcomes named like sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from built_site import build
from roller_page import WAKE, figures, menu, unfold

MADE = "site_name: Book\ntheme: {name: material, font: false}\nplugins: [rulewright]\n"
LONG = "Donaudampfschifffahrtsgesellschaftskapitaenspatent"
ODD = f"""\
# Odd

One word: [{LONG}](roll:long?pool=2).

```game
title = "Odd"
[traits.arms]
names = ["{LONG}", "Staff"]
[tables.words]
{LONG} = 3
Easy = 2

[rules.long]
traits = {{ into = "pool" }}
[rules.long.inputs]
pool = {{ label = "{LONG}", min = 0, max = 9, default = 3 }}
hard = {{ label = "{LONG}", min = 0, max = 99, names = "words", default = 3 }}
flag = {{ label = "{LONG}", flag = true, default = false }}
late = {{ label = "{LONG}", choice = ["{LONG}", "b"], default = "b", asked = "{LONG.lower()} > 0" }}
[rules.long.dice]
{LONG} = {{ count = "pool", sides = 100 }}
wild = {{ sides = 6 }}
[rules.long.steps]
{LONG.lower()} = "sum({LONG}) + sum(wild)"
[rules.long.outcomes]
{LONG} = {{ when = "{LONG.lower()} >= hard", degree = "{LONG.lower()}", says = "{LONG} {LONG}." }}
none = {{}}

[rules.rare.dice]
die = {{ count = 9, sides = 9 }}
[rules.rare.steps]
nines = "count(die: face = 9)"
[rules.rare.outcomes]
"critical failure" = {{ when = "nines = 9" }}
complication = {{ when = "nines = 0" }}
success = {{}}

[rules.test.inputs]
skill = {{ min = 1, max = 20 }}
against = {{ min = 1, max = 20, open = true }}
[rules.test.dice]
die = {{ sides = 20 }}
[rules.test.steps]
total = "sum(die)"
rank = "if(total > skill, 0, total)"
[rules.test.outcomes]
success = {{ when = "rank > against" }}
none = {{}}
[rules.duel]
contest = {{ of = "test", compare = "rank", ties = "none" }}

[rules.shot]
traits = {{ into = "code" }}
[rules.shot.inputs]
code = {{ code = ["d", "pips"], min = 1, max = 9, default = "1D" }}
[rules.shot.dice]
die = {{ count = "d", sides = 6 }}
[rules.shot.steps]
total = "sum(die) + pips"

[rules.sum.inputs]
one = {{ min = 0, max = 9 }}
two = {{ min = 0, max = 9 }}
[rules.sum.steps]
total = "one + two"
```
""" + "".join(f"\n```roller\nrule: {name}\n```\n" for name in ("long", "rare", "test", "duel", "shot", "sum"))
CUT = """roller => {
    const edge = roller.getBoundingClientRect().right
    const all = roller.querySelectorAll(':not(svg *, option, .rw-heard, .rw-chips *, .rw-open span, .rw-odds-text *)')
    return [...all].filter(one => one.checkVisibility() && one.getBoundingClientRect().right > edge)
        .map(one => one.outerHTML)
}"""
LINES = """cell => {
    const text = new Range()
    text.selectNodeContents(cell)
    return new Set([...text.getClientRects()].map(line => line.y)).size
}"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Any:
    site = build(tmp_path_factory.mktemp("odd"), {"index.md": ODD}, settings=MADE)
    assert site.code == 0, site.said
    page = request.getfixturevalue("browser").new_page(viewport={"width": 320, "height": 800}, reduced_motion="reduce")
    page.goto((site.folder / "index.html").as_uri())
    return page


@pytest.fixture
def page(opened: Any) -> Iterator[Any]:
    """The page as it was when it was opened, and nothing on it complains."""
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.set_default_timeout(30_000)
    opened.reload()
    opened.evaluate(WAKE)
    yield opened
    assert not complaints


def of(page: Any, rule: str) -> Any:
    return page.locator(f"rule-card[data-rule={rule}]")


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("rule", ["long", "rare"])
def test_nothing_stands_outside_of_its_card(page: Any, rule: str, width: int) -> None:
    """However long a word is, and however many figures a chance has."""
    page.set_viewport_size({"width": width, "height": 800})
    roller = of(page, rule)
    if rule == "long":
        unfold(roller).get_by_label("Traits").fill(f"{LONG * 2} 3")
        unfold(roller).get_by_label("Traits").press("Tab")
    roller.locator(".rw-roll").click()
    roller.evaluate("one => one.querySelectorAll('details').forEach(more => more.open = true)")
    assert roller.locator(".rw-bars tr").count() >= 2
    assert roller.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_short_words_are_not_broken(page: Any) -> None:
    page.set_viewport_size({"width": 320, "height": 800})
    menu(of(page, "rare"))
    name = of(page, "rare").locator("th", has_text="complication")
    assert name.evaluate(LINES) == 1


@pytest.mark.parametrize(
    ("rule", "missing"),
    [("test", ["Skill"]), ("sum", ["One, Two"]), ("duel", ["first side: Skill", "second side: Skill"])],
)
def test_what_is_missing_is_told(page: Any, rule: str, missing: list[str]) -> None:
    """Instead of a roll that comes to nothing, or a contest that nobody has won."""
    roller = of(page, rule)
    for name in ("Roll", "Type your dice") if rule != "sum" else ["Work it out"]:
        for _ in range(1 if name == "Type your dice" else 2):
            menu(roller)
            roller.get_by_role("button", name=name, exact=True).click()
        assert roller.get_by_role("alert").all_inner_texts() == [f"{one} must be given" for one in missing]
        assert not roller.locator(".rw-outcome").count()


def test_a_contest_tells_which_side_is_incomplete(page: Any) -> None:
    roller = of(page, "duel")
    unfold(roller).get_by_role("group", name="first side").get_by_label("Skill", exact=True).fill("9")
    roller.locator(".rw-roll").click()
    assert not roller.get_by_role("alert").count()
    assert roller.locator(".rw-open :is(.rw-told, legend)").all_inner_texts() == ["Needed to roll", "second side"]
    roller.locator(".rw-roll").click()
    assert roller.get_by_role("alert").inner_text() == "second side: Skill must be given"


def test_a_link_that_leaves_something_out_is_refused(page: Any) -> None:
    folder = of(page, "duel").evaluate("one => encodeURIComponent(one.dataset.game)")
    link = f"roll:{folder}/duel?first.skill=9&first.dice=5&second.dice=7"
    page.evaluate("hash => { location.hash = hash }", link)
    alert = of(page, "duel").get_by_role("alert")
    alert.wait_for()
    assert "second side: Skill must be given" in alert.inner_text()
    assert not page.locator(".rw-outcome").count()


def test_an_outcome_may_be_called_none(page: Any) -> None:
    assert figures(of(page, "long")).count() == 2
    assert of(page, "long").locator(".rw-bars th").all_inner_texts() == [LONG, "none"]


@pytest.mark.parametrize(
    ("sum_of", "said"), [("Staff 2D+2", ""), ("Staff 1D+5", "code is a die code such as 4D+2 (pips 0 to 2)")]
)
def test_pips_that_cannot_be_are_not_left_out(page: Any, sum_of: str, said: str) -> None:
    roller = of(page, "shot")
    unfold(roller).get_by_label("Traits").fill(sum_of)
    unfold(roller).get_by_label("Traits").press("Tab")
    roller.locator(".rw-roll").click()
    assert bool(roller.locator(".rw-outcome").count()) == (not said)
    assert all(said in text for text in roller.get_by_role("alert").all_inner_texts())
