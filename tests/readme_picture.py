"""Makes the picture of README.md: a wrong example as the check tells it, and the card of the right one.

Run it by `make picture`, and look at what came of it."""

from __future__ import annotations

import base64
import html
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import run_playwright, start_chromium
from rulewright.compile.book import compile_book
from rulewright.render.reports import format_problems

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "site_overrides" / "assets" / "readme.png"
WRONG, RIGHT = "total: 8", "total: 7"
SETTINGS = "site_name: Two Dice\ndocs_dir: rules\ntheme: {name: material, font: false}\nplugins: [rulewright]\n"
PAINT = re.compile("\033\\[([\\d;]+)m(.*?)\033\\[0m", re.DOTALL)
COLOURS = {"1;31": "#ff8272", "1;33": "#f3c677", "1": "#ffffff", "2": "#9a94a3", "32": "#8fd694"}
LOOK = """
body { margin: 0; padding: 28px; width: 1140px; background: #efe9dc; display: grid; gap: 24px;
       grid-template-columns: 690px 1fr; align-items: center; }
pre { margin: 0; padding: 22px 24px; border-radius: 10px; background: #241f2b; color: #ddd7e4;
      font: 13.5px/1.5 "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre-wrap; }
img { width: 100%; display: block; }
"""


def main() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    game = fence(readme, "```", "toml")
    page = fence(readme, "````", "markdown")
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder)
        (book / "rules").mkdir()
        (book / "rules" / "game.toml").write_text(game, "utf-8")
        (book / "rules" / "jumping.md").write_text(page, "utf-8")
        told = format_problems(compile_book([book / "rules"], book / "rules").problems, colour=True)
        (book / "rules" / "jumping.md").write_text(page.replace(WRONG, RIGHT), "utf-8")
        (book / "mkdocs.yml").write_text(SETTINGS, "utf-8")
        build = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
        subprocess.run(build, cwd=book, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
        draw(book / "site" / "jumping" / "index.html", told)


def fence(readme: str, ticks: str, language: str) -> str:
    found = re.search(rf"^{ticks}{language}\n(.*?)^{ticks}$", readme, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def draw(page: Path, told: str) -> None:
    with run_playwright() as driver:
        browser = start_chromium(driver)
        window = browser.new_page(viewport={"width": 470, "height": 900}, device_scale_factor=2)
        window.goto(page.as_uri())
        card = base64.b64encode(window.locator(".rulewright-block").first.screenshot()).decode()
        screen = PAINT.sub(lambda found: span(*found.groups()), html.escape("$ rulewright check\n" + told, quote=False))
        window = browser.new_page(viewport={"width": 1196, "height": 100}, device_scale_factor=1.5)
        window.set_content(
            f'<!doctype html><style>{LOOK}</style><pre>{screen}</pre><img src="data:image/png;base64,{card}">'
        )
        window.locator("body").screenshot(path=str(PICTURE))


def span(style: str, words: str) -> str:
    return f'<span style="color: {COLOURS.get(style, "inherit")}">{words}</span>'


if __name__ == "__main__":
    main()
