"""Exports: the PDF of the books in this repository beside two programs that make PDFs of the same pages, and the rest.

Processors' time of whole processes. Run by itself: python tests/bench/exports.py"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from pypdf import PdfReader

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
from rulewright.compile.book import compile_book
from rulewright.render.export import BookExport, export_book
here = Path({book!r})
export = BookExport(compile_book([here], here), here)
begin_make = time.process_time()
export_book({form!r}, export, lambda _: None)
result = time.process_time() - begin_make
"""
WEASYPRINT = """
import logging
logging.disable()
from weasyprint import HTML
HTML(filename={page!r}).write_pdf({pdf!r}, pdf_variant="pdf/ua-1")
result = 0
"""
WITH_PDF = """
import logging
logging.disable()
from mkdocs.commands.build import build
from mkdocs.config import load_config
build(load_config({settings!r}, site_dir={site!r}))
result = 0
"""
SITE = """\
site_name: Books
docs_dir: {docs}
theme: {{name: material, font: false, custom_dir: {looks}}}
plugins: [{cards}with-pdf: {{output_path: book.pdf, toc_level: 1, custom_template_path: {folder}}}]
markdown_extensions: [attr_list]
nav: {pages}  # pages in folders are left out, pages without a title stop contents that go deeper
"""
# Without it a card of flexible boxes at the foot of a page loses all that follows, to the end of the book.
STYLES = """\
.rw-card { break-inside: auto !important; }
.rw-card :is(ul, .rw-legend, .rw-mores, .rw-groups) { display: block !important; }
"""
FENCED = re.compile(r"^(`{3,}).*?^\1", re.MULTILINE | re.DOTALL)
FEW = 0.02
HEADING = re.compile(r"^##+ ([\w ]+)$", re.MULTILINE)  # those without markup


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
    page, pdf = str(folder / "book.html"), folder / "page.pdf"
    made = cost(WEASYPRINT.format(page=page, pdf=str(pdf)))
    return made if made and is_whole(pdf) else None


def with_pdf(folder: Path, cards: bool) -> Cost | None:
    """The same pages: with cards, as we print them, or with blocks as the code that they are without us."""
    pages = json.dumps(sorted(page.relative_to(RULES).as_posix() for page in RULES.rglob("*.md")))
    looks, own = RULES.parent / "site_overrides", "rulewright, " if cards else ""
    settings = SITE.format(docs=RULES, looks=looks, pages=pages, cards=own, folder=folder)
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    (folder / "styles.scss").write_text(STYLES, encoding="utf-8")
    made = cost(WITH_PDF.format(settings=str(folder / "mkdocs.yml"), site=str(folder / "site")))
    return made if made and is_whole(folder / "site" / "book.pdf") else None


def is_whole(printed: Path) -> bool:
    """Nothing is compared with a book that ends in the middle."""
    text = squeezed("".join(page.extract_text() for page in PdfReader(printed).pages))
    pages = (FENCED.sub("", page.read_text(encoding="utf-8")) for page in RULES.rglob("*.md"))
    headings = [squeezed(heading) for page in pages for heading in HEADING.findall(page)]
    lost = [heading for heading in headings if heading not in text]
    if lost:
        print(f"bench: {printed.name} lacks {len(lost)} of {len(headings)} headings: {lost[:5]}", file=sys.stderr)
    return len(lost) < len(headings) * FEW  # some fences end elsewhere for others


def squeezed(text: str) -> str:
    """Without blanks: lines of a PDF break anywhere."""
    return "".join(text.split())


def pdf_rows() -> Iterator[tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = own("pdf", RULES, folder)
        if not ours or not is_whole(folder / "book.pdf"):
            return
        cards, code, page = with_pdf(folder, True), with_pdf(folder, False), weasyprint(folder)
    yield "PDF of the books of this repository", *pdf_cells(ours, page, cards), f"{GOAL} ×"
    own_time, its_time, beside = pdf_cells(ours, code)
    yield "mkdocs-with-pdf on its own: no cards, blocks as code", own_time, "", its_time, beside, ""


def pdf_cells(ours: Cost, *others: Cost | None) -> tuple[str, ...]:
    known = [one.cpu for one in others if one]
    beside = f"{min(known) / ours.cpu:.1f} ×" if known else "–"
    return (*(shown(one.cpu) if one else "–" for one in (ours, *others)), beside)


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
