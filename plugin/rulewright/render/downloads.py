"""Downloads of a site (PDF, EPUB, HTML, zip), and the service worker that makes the site work offline."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from pathlib import Path as File
from tempfile import TemporaryDirectory
from urllib.parse import quote

from ..book.resolver import Place
from ..project import site_settings
from ..source import Problem
from .epub import archive
from .export import Edition, Made, NotMade, Watch, file_name, size
from .export import make as makers_make
from .strings import Words

INDEX = "search/search_index.json"
INDEX_ON_DISK = "search/search_index.js"  # the same index as a script, for pages opened from a disk
DOWNLOADS = "downloads"
HEADERS = "_headers"
FOR_OTHERS = re.compile(rf".*\.map|sitemap\.xml(\.gz)?|{HEADERS}|objects\.inv|robots\.txt|{DOWNLOADS}/.*")
PACK = re.compile(r"assets/javascripts/lunr/(?:min/)?(?:lunr\.)?(.*?)(?:\.min)?\.js")
ALSO = {"ja": "tinyseg", "th": "wordcut", "hi": "wordcut"}  # word segmenters for these languages


def site_files(site: File) -> Iterator[tuple[str, bytes]]:
    """The files of a built site that readers may need, as (path, data), sorted by path."""
    packs = wanted_packs(site)
    for file in sorted(site.rglob("*"), key=lambda file: file.relative_to(site).as_posix()):
        path = file.relative_to(site).as_posix()
        pack = PACK.fullmatch(path)
        if file.is_file() and not FOR_OTHERS.fullmatch(path) and not (pack and pack[1] not in packs):
            yield path, file.read_bytes()


def wanted_packs(site: File) -> set[str]:
    """The lunr language files that the search needs; English is built in."""
    index = site / INDEX
    known = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    languages = [name for name in known.get("config", {}).get("lang", []) if name != "en"]
    common = ["stemmer.support", "multi"] if languages else []
    return {*common, *languages, *(ALSO[name] for name in languages if name in ALSO)}


WEB = File(__file__).parents[1] / "web"
REGISTERS = "assets/keep.js"  # registers the service worker; part of every page
WORKER, MANIFEST, ICON = "offline.js", "manifest.webmanifest", "assets/book.svg"
HOME = "index.html"
MARK = 'const BOOK = { version: "", files: {} };'  # replaced by the file list


def keep(site: File, edition: Edition) -> None:
    """Write the service worker, web manifest and icon; last, because the worker lists all other files."""
    (site / ICON).parent.mkdir(exist_ok=True)
    (site / ICON).write_bytes((WEB / File(ICON).name).read_bytes())
    (site / MANIFEST).write_text(manifest(edition.title, edition.words.language), encoding="utf-8")
    (site / WORKER).write_text(worker(site), encoding="utf-8")


def manifest(title: str, language: str) -> str:
    """The web app manifest, so that a phone can install the book."""
    icon = {"src": ICON, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    told = {"name": title, "lang": language, "start_url": ".", "scope": ".", "display": "standalone", "icons": [icon]}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def worker(site: File) -> str:
    """The service worker with a hash of each file, so that an update downloads only files that changed."""
    skipped = (WORKER, INDEX_ON_DISK)
    found = {path: sha256(data).hexdigest()[:16] for path, data in site_files(site) if path not in skipped}
    files = {address(path): mark for path, mark in found.items()}
    version = sha256(json.dumps(files).encode()).hexdigest()[:16]
    told = json.dumps({"version": version, "files": files}, ensure_ascii=False, separators=(",", ":"))
    return (WEB / WORKER).read_text(encoding="utf-8").replace(MARK, f"const BOOK = {told};")


def address(path: str) -> str:
    """The URL of a file: the folder for its index.html."""
    return quote(path.removesuffix(HOME) if path.split("/")[-1] == HOME else path)


FOR_DISK = "RULEWRIGHT_FOR_DISK"  # tells the plugin in the other process that its site is for reading from a disk
AS_WRITTEN = re.compile(rb"(<(?:pre|textarea|script|style)\b.*?</(?:pre|textarea|script|style)>)", re.DOTALL)
BLANKS = re.compile(rb">\s*\n\s*<")
LEFT_OUT = (INDEX, "404.html")  # of no use on a disk


def make(edition: Edition, watch: Watch) -> Made:
    """Export the book as a zip of its site, which MkDocs builds for reading from a disk."""
    watch("")
    with TemporaryDirectory() as name:
        site = File(name, "site")
        settings = site_settings(edition.root) or written(edition, File(name))
        build(settings, site)
        return packed(site, edition)


def written(edition: Edition, folder: File) -> File:
    """Write an mkdocs.yml for a book that has none."""
    shared = [str(folder) for folder in edition.compiled.options.shared]  # else relative to this file's own folder
    plugins = ["search", {"rulewright": {"shared": shared}}]
    plain = {"site_name": edition.title, "docs_dir": str(edition.root), "plugins": plugins}
    file = folder / "mkdocs.yml"
    file.write_text(json.dumps({**plain, "theme": {"name": "material", "font": False}}), encoding="utf-8")
    return file


def build(settings: File, site: File) -> None:
    """Run MkDocs in a separate process, because nothing else here imports it."""
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(settings), "-d", str(site)]
    world = os.environ | {FOR_DISK: "1", "NO_MKDOCS_2_WARNING": "1"}
    ran = subprocess.run(
        command, cwd=settings.parent, env=world, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    if ran.returncode:
        lines = ran.stderr.strip().split("\n")
        raise NotMade(f"the site could not be built: {lines[-1]}")


def packed(site: File, edition: Edition) -> Made:
    """A zip with one folder, named after the book, with the files that readers need."""
    folder, files = file_name(edition.title), dict(site_files(site))
    strangers = {path for path in files if is_from_outside(edition.root / path, edition)}
    kept = {path: lean(path, data) for path, data in files.items() if path not in strangers and path not in LEFT_OUT}
    return archive({f"{folder}/{path}": data for path, data in kept.items()}), list(told(edition))


def is_from_outside(file: File, edition: Edition) -> bool:
    """Does a link on the disk lead to this file from outside of the project? MkDocs follows all links."""
    return file.is_file() and not edition.compiled.project.holds(file)


def told(edition: Edition) -> Iterator[Problem]:
    """Problems about linked files that are not in the zip because they are outside of the project."""
    for page in (chapter.page.page for chapter in edition.chapters):
        for link in page.links:
            found = edition.atlas.resolve(link, page)
            if not isinstance(found, Place) or found.path.startswith("../"):
                continue
            if is_from_outside(edition.root / found.path, edition):
                message = f"{link.target[:80]} cannot go along"
                yield Problem("export-picture", message, link.span, "warning", ("it lies outside of the book",))


def lean(path: str, data: bytes) -> bytes:
    """An HTML page without the whitespace that templates leave between tags."""
    if not path.endswith(".html"):
        return data
    parts = AS_WRITTEN.split(data)
    return b"".join(part if number % 2 else BLANKS.sub(b">\n<", part) for number, part in enumerate(parts))


DOWNLOADS_HOME = "index.html"
PLACES = ("</article>", "</main>", "</body>")


@dataclass
class Beside:
    """Makes the downloads once; later builds of `mkdocs serve` reuse them."""

    files: dict[str, bytes] | None = None  # by format
    problems: list[Problem] = field(default_factory=list)  # parts of the book that the formats cannot contain

    def put(self, site: File, edition: Edition, is_for_disk: bool, is_kept: bool) -> list[Problem]:
        """Write the downloads into a finished site; return their problems.

        The zip is the site itself if it can be read from a disk.
        """
        try:
            if self.files is None:
                self.files = dict(self.make(edition, site if is_for_disk else None))
            put_beside(site, edition.title, self.files, edition.words)
            if is_kept:
                keep(site, edition)
        except OSError as error:
            raise NotMade(f"{error.filename or site}: {error.strerror}") from error
        return self.problems

    def make(self, edition: Edition, site: File | None) -> Iterator[tuple[str, bytes]]:
        """The data of each configured format."""
        for form in edition.compiled.options.exports if edition.chapters else ():
            data, problems = made(form, edition, site)
            self.problems += [problem for problem in problems if problem not in self.problems]
            yield form, data


def made(form: str, edition: Edition, site: File | None) -> Made:
    """Export one format; the site itself as zip if there is one."""
    if form == "zip" and site:
        return packed(site, edition)
    try:
        return makers_make(form, edition, lambda _: None)
    except NotMade as error:
        raise NotMade(f"the {form} was not made: {error}") from error


def put_beside(site: File, title: str, files: Mapping[str, bytes], words: Words) -> None:
    """Write the downloads and list them on the home page, which each build writes again."""
    home, names = site / DOWNLOADS_HOME, {form: f"{DOWNLOADS}/{file_name(title)}.{form}" for form in files}
    for form, data in files.items():
        (site / DOWNLOADS).mkdir(exist_ok=True)
        (site / names[form]).write_bytes(data)
    if files and home.is_file():
        sizes = {form: size(len(data), words("decimal sign")) for form, data in files.items()}
        home.write_text(with_list(home.read_text("utf-8"), listed(names, sizes, words)), encoding="utf-8")


def listed(names: Mapping[str, str], sizes: Mapping[str, str], words: Words) -> str:
    """The list of downloads with their sizes, as HTML."""
    items = "".join(
        f'<li><a href="{escape(name)}" download>{escape(words(f"download {form}"))}</a> ({sizes[form]})</li>'
        for form, name in names.items()
    )
    title = escape(words("downloads"))
    return f'<section class="rulewright-downloads" aria-label="{title}"><p>{title}</p><ul>{items}</ul></section>'


def with_list(html: str, found: str) -> str:
    """The page with the list at the end of its content."""
    end = next((end for end in PLACES if end in html), "")
    place = html.rfind(end) if end else len(html)
    return html[:place] + found + html[place:]
