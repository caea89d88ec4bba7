"""Exports: the PDF of the books in this repository beside two programs that make PDFs of the same pages, and the rest.

Processors' time of whole processes. Run by itself: python tests/bench/exports.py"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.clock import SURROUNDINGS, shown
from bench.pages import RULES, write_book

PDF_COLUMNS = ("Rulewright", "WeasyPrint", "mkdocs-with-pdf")
GOAL = 10  # times less than the faster of the others
LONG_GOAL, MEMORY_GOAL, QUICK_GOAL = "6 s", "1000 MB", "500 ms"
RUNS = 3
LONG_PAGES = 400  # of paper
MEASURED = """
import json, resource, sys, time
sys.stdout, out = open("/dev/null", "w"), sys.stdout
begin = time.perf_counter()
{work}
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
cpu = sum(one.ru_utime + one.ru_stime for one in used)
json.dump([cpu, max(one.ru_maxrss for one in used), time.perf_counter() - begin, result], out)
"""
EXPORT = """
from rulewright.cli import main
assert main(["export", {form!r}, {book!r}, "-o", {out!r}]) == 0
result = 0
"""
MAKE = """
from pathlib import Path
from rulewright.compile.books import compile_book
from rulewright.publish import makers
from rulewright.publish.edition import Edition
here = Path({book!r})
edition = Edition(compile_book([here], here), here)
begin_make = time.process_time()
makers.make({form!r}, edition, lambda _: None)
result = time.process_time() - begin_make
"""
WEASYPRINT = """
import logging
logging.disable()
from weasyprint import HTML
result = len(HTML(filename={page!r}).write_pdf(pdf_variant="pdf/ua-1"))
"""
WITH_PDF = """
import logging
logging.disable()
from mkdocs.commands.build import build
from mkdocs.config import load_config
build(load_config({settings!r}, site_dir={site!r}))
result = len(open({site!r} + "/book.pdf", "rb").read())
"""
SITE = """\
site_name: Books
docs_dir: {docs}
theme: {{name: material, font: false, custom_dir: {looks}}}
plugins: [with-pdf: {{output_path: book.pdf, toc_level: 1}}]  # deeper, and a page without a title stops it
nav: {pages}  # pages in folders are left out
"""


class Cost(NamedTuple):
    cpu: float
    memory: int  # megabytes
    wall: float
    result: float


def cost(work: str) -> Cost | None:
    """Of a process of its own; None where what it needs is not installed."""
    command = [sys.executable, "-W", "ignore", "-c", MEASURED.format(work=work)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=SURROUNDINGS)
    if ran.returncode:
        reason = ran.stderr.strip().rpartition("\n")[2] or f"ended by signal {-ran.returncode}"
        print(f"bench: {reason}", file=sys.stderr)
        return None
    cpu, memory, wall, result = json.loads(ran.stdout)
    return Cost(cpu, memory // 1024, wall, result)


def own(form: str, book: Path, folder: Path) -> Cost | None:
    return cost(EXPORT.format(form=form, book=str(book), out=str(folder / f"book.{form}")))


def weasyprint(folder: Path) -> Cost | None:
    """The same book with the same cards: the HTML file that we make, printed."""
    own("html", RULES, folder)
    return cost(WEASYPRINT.format(page=str(folder / "book.html")))


def with_pdf(folder: Path) -> Cost | None:
    """The same pages; blocks are code there, which is less to print."""
    pages = json.dumps(sorted(page.relative_to(RULES).as_posix() for page in RULES.rglob("*.md")))
    settings = SITE.format(docs=RULES, looks=RULES.parent / "site_overrides", pages=pages)
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return cost(WITH_PDF.format(settings=str(folder / "mkdocs.yml"), site=str(folder / "site")))


def pdf_rows() -> Iterator[tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = own("pdf", RULES, folder)
        others = {"WeasyPrint": weasyprint(folder), "mkdocs-with-pdf": with_pdf(folder)}
    known = [one.cpu for one in others.values() if one]
    beside = f"{min(known) / ours.cpu:.1f} ×" if known and ours else "–"
    times = [shown(one.cpu) if one else "–" for one in (ours, *others.values())]
    yield ("PDF of the books of this repository", *times, beside, f"{GOAL} ×")


def rows() -> Iterator[tuple[str, str, str]]:
    for form in ("html", "epub"):
        runs = [made.result for _ in range(RUNS) if (made := cost(MAKE.format(form=form, book=str(RULES))))]
        yield f"{form.upper()} of these books, once they are compiled", shown(min(runs)) if runs else "–", QUICK_GOAL
    long = long_book()
    yield f"PDF of {LONG_PAGES} pages of paper, whole time", shown(long.wall) if long else "–", LONG_GOAL
    yield "the same: memory", f"{long.memory} MB" if long else "–", MEMORY_GOAL


def long_book() -> Cost | None:
    """Thirty nights fill about twelve pages of paper."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_book(folder, LONG_PAGES // 12 + 1, 30)
        return own("pdf", folder, folder)


if __name__ == "__main__":
    for found in (*pdf_rows(), *rows()):
        print(" | ".join(found))
