"""A real browser for tests: Debian's Chromium through Playwright; without it such tests are skipped and say so."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def program() -> str:
    """Where the browser is; empty where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


@contextmanager
def run_playwright() -> Iterator[Any]:
    """The driver of browsers, of which a process can have only one."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: make test sets it up")
    with playwright.sync_playwright() as driver:
        yield driver


def start_chromium(driver: Any) -> Any:
    if not program():
        pytest.skip("no Chromium found: apt-get install chromium")
    return driver.chromium.launch(executable_path=program(), args=list(FLAGS))


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Nobody wants to read which files were fetched."""


class Careful(Quiet):
    """Sends what `_headers` of the site says, as hosts of static sites do."""

    def end_headers(self) -> None:
        for line in Path(self.directory, "_headers").read_text("utf-8").splitlines()[1:]:
            self.send_header(*line.strip().split(": ", 1))
        super().end_headers()


@contextmanager
def served(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """The address at which a folder can be reached while the test runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


THEME_FLAWS = (  # what axe finds in Material itself, by rule and a part of the element
    ("aria-dialog-name", 'class="md-search"'),
    ("landmark-unique", 'class="md-code__nav"'),
    ("color-contrast", "md-copyright"),
)


def axe_without_theme(page: Any, contrast: bool = True) -> list[str]:
    """What axe finds on a page, without what it finds on any page of the theme."""
    return [line for line in axe(page, contrast) if not any(is_flaw(line, *flaw) for flaw in THEME_FLAWS)]


def is_flaw(line: str, rule: str, part: str) -> bool:
    return line.startswith(f"{rule}: ") and part in line


def axe(page: Any, contrast: bool = True) -> list[str]:
    """What axe finds on a page, one line for each place; without contrast it is four times as quick."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    rules = {"color-contrast": {"enabled": contrast}}
    found = page.evaluate("async rules => (await axe.run({rules})).violations", rules)
    return [
        f"{rule['id']}: {place['html'][:160]} ({place['failureSummary'].splitlines()[-1].strip()})"
        for rule in found
        for place in rule["nodes"]
    ]
