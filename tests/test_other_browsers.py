"""The roller in Firefox and in WebKit: it rolls, takes typed dice, copies and replays, with keys and by mouse."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import served
from built_site import build
from small_book import BLOCK

pytestmark = pytest.mark.long
SETTINGS = "site_name: Book\ntheme: {name: material, font: false}\nplugins: [rulewright: {dice: on}]\n"
PAGE = f"# Toss\n\n{BLOCK}\n```roller\nrule: toss\ncoins: 3\n```\n\n[Four](roll:toss?coins=4) coins, or 2d6+3.\n"
# What a page says of a roll by itself: each engine runs the same.
ROLLED = """
const card = document.querySelector('rule-card[data-kind=roller]'), press = name =>
    [...card.querySelectorAll('button')].find(one => one.textContent.includes(name)).click()
return card.open().then(() => {
    press('Roll')
    const first = card.querySelectorAll('.rw-die').length
    press('Type your dice')
    const box = card.querySelector('.rw-typing input')
    box.value = '2 1 2'
    box.form.requestSubmit()
    return [first, card.querySelector('.rw-heard').textContent, card.querySelectorAll('.rw-figure').length]
})
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = build(tmp_path_factory.mktemp("other"), {"index.md": PAGE}, settings=SETTINGS)
    assert made.code == 0, made.said
    return made.folder


@pytest.fixture
def firefox(playwright_driver: Any) -> Iterator[Any]:
    """Debian's Firefox, which Playwright up to 1.64 opens through WebDriver BiDi."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if not found:
        pytest.skip("no Firefox found: apt-get install firefox-esr")
    running = playwright_driver.firefox.launch(channel="moz-firefox", executable_path=found)
    yield running
    running.close()


@pytest.fixture
def webkit() -> Iterator[Any]:
    """WebKitGTK through its WebDriver; it needs a screen, such as `xvfb-run -a` makes."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="Selenium is not installed: pip install selenium")
    driver, mini = shutil.which("WebKitWebDriver"), mini_browser()
    if not driver or not mini:
        pytest.skip("no WebKit found: apt-get install webkit2gtk-driver xvfb xauth, and run under xvfb-run -a")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = mini
    options.add_argument("--automation")
    with warnings.catch_warnings():  # whatever release of it there is, it may warn of itself
        warnings.simplefilter("ignore", DeprecationWarning)
        running = webdriver.WebKitGTK(options=options, service=webdriver.webkitgtk.service.Service(driver))
    yield running
    running.quit()


def mini_browser() -> str:
    """The browser that comes with the library, wherever its package has put it."""
    if not shutil.which("dpkg"):
        return ""
    listed = subprocess.run(["dpkg", "-L", "libwebkit2gtk-4.1-0"], capture_output=True, text=True, check=False).stdout
    return next((line for line in listed.split() if line.endswith("/MiniBrowser")), "")


def test_firefox_rolls(firefox: Any, site: Path) -> None:
    with served(site) as address:
        for start in (f"{address}/index.html", (site / "index.html").as_uri()):
            page = firefox.new_page()
            page.goto(start)
            first, said, figures = page.evaluate(f"() => {{ {ROLLED} }}")
            assert (first, figures) == (3, 2)
            assert "2 1 2" in said
            page.locator(".rw-link").first.click()
            page.get_by_role("dialog").locator(".rw-chip > button").first.wait_for()
            page.keyboard.press("Enter")
            assert page.get_by_role("dialog").locator(".rw-die").count() == 4
            page.keyboard.press("Escape")
            page.get_by_role("button", name="Roll 2d6+3").click()
            assert "=" in page.locator("p .rw-said").first.inner_text()
            page.close()


def test_webkit_rolls(webkit: Any, site: Path) -> None:
    with served(site) as address:
        for start in (f"{address}/index.html", (site / "index.html").as_uri()):
            webkit.get(start)
            first, said, figures = webkit.execute_script(ROLLED)
            assert (first, figures) == (3, 2)
            assert "2 1 2" in said
