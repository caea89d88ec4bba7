"""A whole site in a real browser: search, tabs, tooltips, keyboard, and the policy that it is held to."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import THEME_FLAWS, Careful, axe, is_flaw, served
from built_site import again
from rulewright.render.content_policy import POLICY_META, find_sources, insert_policy
from rulewright.render.finished_page import read_tags
from small_book import BLOCK, GAME, write

ROOT = Path(__file__).parent.parent
DEEP = "\n\n".join(f"{'#' * level} Level {level}\n\nText {level}." for level in range(2, 7))
CARDS = (
    "```roller\ntitle: A quibble\nrule: toss\n```\n\n```rule\nrule: toss\n```\n\n"
    "```odds\nrule: toss\nrows: coins 1..4\ncolumns: bonus 0..5\n```\n\n"
    "```claim\nrule: toss\nchance(win; coins 2) = 1/4\n```\n"
)
ACTIONS = f"""\
# Actions

<!-- toc -->

{DEEP}

## Tossing

Whoever has Sleight takes a *pool* of coins. The word gallimaufry stands here only.

{BLOCK}
{CARDS}
| name | heads | weight | price | where it is found | what it is good for |
| --- | --: | --- | --- | --- | --- |
| penny | 1 | a little | nothing | in every pocket of every coat | to toss |

```python
a_rather_long_line_of_code = "so long that it does not fit on the screen of a phone, nor beside a column"
```

```toml
another = "piece of code"
```

|  | left | right |
| --- | --- | --- |
| above | 1 | 2 |

- [x] done
- [ ] to do

!!! note

    Mind the `edge`.
"""
PAGES = {
    "index.md": "# Book\n\nOne [link](coins/actions.md), and words.\n",
    "game.toml": "",
    "coins/game.toml": GAME,
    "coins/index.md": "---\nterms: true\n---\n\n# Coins\n\nPool\n:   The coins in your hand.\n\nTODO\n",
    "coins/actions.md": ACTIONS,
    "more/game.toml": GAME.replace('"Coins"', '"More"', 1),
    "more/index.md": f"# More\n\n{BLOCK}",
}
KINDS = (
    "index.html", "coins/index.html", "coins/actions.html", "404.html", "reference/rules.html", "reference/terms.html",
)  # fmt: skip
SIZES = {"desk": (1280, 900), "phone": (390, 800)}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small book in the look of this site."""
    place = tmp_path_factory.mktemp("site")
    write(place / "book" / "docs", PAGES)
    (place / "book" / "docs" / "game.toml").unlink()
    settings = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[0]
    settings = settings.replace("docs_dir: rules", "docs_dir: docs")
    settings = settings.replace("custom_dir: site_overrides", f"custom_dir: {ROOT / 'site_overrides'}")
    (place / "book" / "mkdocs.yml").write_text(settings + "\n", encoding="utf-8")
    made = again(place)
    assert made.code == 0, made.said
    return made.folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site, Careful) as address:
        yield address


@pytest.fixture
def view(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """`view("index.html", "phone", "dark")` opens a page that may speak to nobody else and must not complain."""
    contexts, wrong = [], list[str]()

    def opened(path: str, size: str = "desk", scheme: str = "light", base: str = address, **settings: Any) -> Any:
        width, height = SIZES[size]
        look = {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "reduced_motion": "reduce"}
        context = browser.new_context(**look, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request", lambda request: None if request.url.startswith((base, "data:")) else wrong.append(request.url)
        )
        page.goto(f"{base}/{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not [line for line in wrong if "404 (" not in line]


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> Callable[[Any, str], None]:
    """Screenshots stay in the cache of pytest, for whoever wants to look."""
    cache = request.config.cache
    assert cache
    folder = cache.mkdir("screens")
    return lambda page, name: page.screenshot(path=folder / f"{name}.png")


def search(page: Any, word: str, section: str) -> Any:
    """What is found in this section."""
    page.keyboard.press("s")
    page.keyboard.type(word)
    found = page.locator(".md-search-result__link", has=page.locator("h1, h2", has_text=section)).first
    found.wait_for(timeout=15_000)
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_barrier(view: Any, screen: Any, scheme: str, size: str) -> None:
    found = []
    for path in KINDS:
        page = view(path, size, scheme)
        screen(page, f"{path.replace('/', '-').removesuffix('.html')}-{scheme}-{size}")
        found += [f"{path}: {line}" for line in axe(page, contrast=size == "desk")]
        page.context.close()
    assert found == []


def test_the_flaws_of_the_theme_are_there_without_us(browser: Any, tmp_path: Path) -> None:
    """`axe_without_theme` leaves out only what a stock site has."""
    code = "```toml\npieces = 2\n```\n\n"
    write(tmp_path / "book" / "docs", {"index.md": f"# Page\n\n{code}{code}"})
    settings = "site_name: Book\ntheme: {name: material, font: false, features: [content.code.copy]}\n"
    (tmp_path / "book" / "mkdocs.yml").write_text(settings, encoding="utf-8")
    with served(again(tmp_path).folder) as address:
        page = browser.new_page()
        page.goto(f"{address}/index.html")
        found = axe(page)
        page.close()
    assert [flaw for flaw in THEME_FLAWS if not any(is_flaw(line, *flaw) for line in found)] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_open_search_has_no_barrier(view: Any, screen: Any, scheme: str, size: str) -> None:
    page = view("coins/actions.html", size, scheme)
    search(page, "level", "Actions")
    screen(page, f"search-{scheme}-{size}")
    assert axe(page) == []


@pytest.mark.smoke
def test_search_leads_to_the_section(view: Any) -> None:
    page = view("index.html")
    search(page, "gallimaufry", "Tossing").click()
    page.wait_for_url("**/coins/actions.html*#tossing")
    assert page.locator("#tossing").is_visible()


def test_search_works_from_a_disk(view: Any, site: Path) -> None:
    page = view("index.html", base=site.as_uri())
    search(page, "gallimaufry", "Tossing").click()
    page.wait_for_url("**/coins/actions.html*#tossing")


def test_nothing_is_found_in_cards(view: Any) -> None:
    page = view("index.html")
    page.keyboard.press("s")
    page.keyboard.type("quibble")  # stands on a card
    page.wait_for_function("() => /matching|Treffer/.test(document.querySelector('.md-search-result__meta').innerText)")
    assert "No matching" in page.locator(".md-search-result__meta").inner_text()


def tooltip(page: Any) -> Any:
    return page.locator(".md-tooltip2--active, .md-tooltip--active").first


@pytest.mark.parametrize("way", ["hover", "focus", "tap"])
def test_what_a_word_means(view: Any, screen: Any, way: str) -> None:
    page = view("coins/actions.html", "phone" if way == "tap" else "desk", has_touch=way == "tap")
    word = page.locator(".rulewright-term", has_text="pool")
    word.scroll_into_view_if_needed()
    getattr(word, way)()
    tooltip(page).wait_for(timeout=15_000)
    assert "The coins in your hand." in tooltip(page).inner_text()
    screen(page, f"tooltip-{way}")


def test_tabs_lead_to_games(view: Any) -> None:
    page = view("index.html")
    page.locator(".md-tabs__link", has_text="More").click()
    page.wait_for_url("**/more/index.html")
    assert page.locator(".md-tabs__item--active").inner_text().strip() == "More"


def test_contents_go_down_to_the_deepest_level(view: Any) -> None:
    page = view("coins/actions.html")
    link = page.locator("article .toc a", has_text="Level 6")
    link.click()
    page.wait_for_url("**#level-6")
    assert page.locator('.md-sidebar--secondary a[href$="#level-6"]').count() == 1


def test_neighbours_are_linked(view: Any) -> None:
    page = view("coins/actions.html")
    assert page.locator(".md-footer__link--prev").count() == page.locator(".md-footer__link--next").count() == 1


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_is_as_dark_as_the_system(view: Any, scheme: str, dark: bool) -> None:
    page = view("index.html", scheme=scheme)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)")
    assert (sum(colour) / 3 < 128) is dark
    page.locator(".md-header__option label:visible").click()
    other = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)")
    assert (sum(other) / 3 < 128) is not dark


REACHED = """() => {
    const wanted = [...document.querySelectorAll('article :is(a[href], button, input, summary, [tabindex="0"])')]
        .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && one.tabIndex >= 0)
    window.missed = new Set(wanted)
    document.addEventListener('focusin', event => {
        for (let one = event.composedPath()[0]; one; one = one.parentElement) window.missed.delete(one)
    })
    return wanted.length
}"""


def test_the_keyboard_reaches_everything(view: Any) -> None:
    page = view("coins/actions.html")
    number = page.evaluate(REACHED)
    assert number > 10
    for _ in range(number + 80):
        page.keyboard.press("Tab")
    assert page.evaluate("[...window.missed].map(one => one.outerHTML.slice(0, 120))") == []


@pytest.mark.smoke
def test_a_script_from_nowhere_does_not_run(browser: Any, address: str) -> None:
    """The policy does what it is for."""
    context = browser.new_context()
    page = context.new_page()
    said = list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{address}/index.html")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in line for line in said)
    context.close()


def test_a_policy_in_the_pages_themselves(view: Any, site: Path, tmp_path: Path) -> None:
    """For hosts that send no headers."""
    copy = shutil.copytree(site, tmp_path / "site")
    for file in copy.rglob("*.html"):
        html = file.read_text("utf-8").replace("<head>", f"<head>{POLICY_META}", 1)
        file.write_text(insert_policy(html, find_sources(read_tags(html))), encoding="utf-8")
    with served(copy) as address:
        page = view("index.html", base=address)
        search(page, "gallimaufry", "Tossing").click()
        page.wait_for_url("**/coins/actions.html*#tossing")
        page.wait_for_load_state("networkidle")
        page.context.close()
