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

from ..book.resolver import LinkTarget
from ..compile.options import COMMONMARK
from ..project import find_site_settings
from ..source import Problem
from .export import (
    BookExport,
    ExportError,
    ExportResult,
    ProgressCallback,
    export_book,
    file_name,
    size_text,
    write_atomically,
    zip_files,
)
from .strings import Words

_INDEX = "search/search_index.json"
_INDEX_ON_DISK = "search/search_index.js"  # the same index as a script, for pages opened from a disk
_DOWNLOADS = "downloads"
_HEADERS = "_headers"
_NOT_FOR_READERS = re.compile(rf".*\.map|sitemap\.xml(\.gz)?|{_HEADERS}|objects\.inv|robots\.txt|{_DOWNLOADS}/.*")
_PACK = re.compile(r"assets/javascripts/lunr/(?:min/)?(?:lunr\.)?(.*?)(?:\.min)?\.js")
_SEGMENTERS = {"ja": "tinyseg", "th": "wordcut", "hi": "wordcut"}  # word segmenters for these languages


def site_files(site: File) -> Iterator[tuple[str, bytes]]:
    """The files of a built site that readers may need, as (path, data), sorted by path."""
    packs = _needed_language_packs(site)
    for file in sorted(site.rglob("*"), key=lambda file: file.relative_to(site).as_posix()):
        path = file.relative_to(site).as_posix()
        pack = _PACK.fullmatch(path)
        if file.is_file() and not _NOT_FOR_READERS.fullmatch(path) and not (pack and pack[1] not in packs):
            yield path, file.read_bytes()


def _needed_language_packs(site: File) -> set[str]:
    """The lunr language files that the search needs; English is built in."""
    index = site / _INDEX
    settings = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    languages = [name for name in settings.get("config", {}).get("lang", []) if name != "en"]
    common = ["stemmer.support", "multi"] if languages else []
    return {*common, *languages, *(_SEGMENTERS[name] for name in languages if name in _SEGMENTERS)}


_WEB = File(__file__).parents[1] / "web"
OFFLINE_SCRIPT = "assets/register-worker.js"  # registers the service worker; part of every page
_WORKER, _MANIFEST, _ICON = "offline.js", "manifest.webmanifest", "assets/book.svg"
_HOME = "index.html"
_FILES_PLACEHOLDER = 'const BOOK = { version: "", files: {} };'  # replaced by the file list


def _write_offline_files(site: File, export: BookExport) -> None:
    """Write the service worker, web manifest and icon; last, because the worker lists all other files."""
    (site / _ICON).parent.mkdir(exist_ok=True)
    write_atomically(site / _ICON, (_WEB / File(_ICON).name).read_bytes())
    write_atomically(site / _MANIFEST, _web_manifest(export.title, export.words.language).encode())
    write_atomically(site / _WORKER, _service_worker(site).encode())


def _web_manifest(title: str, language: str) -> str:
    """The web app manifest, so that a phone can install the book."""
    icon = {"src": _ICON, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    data = {"name": title, "lang": language, "start_url": ".", "scope": ".", "display": "standalone", "icons": [icon]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _service_worker(site: File) -> str:
    """The service worker with a hash of each file, so that an update downloads only files that changed."""
    skipped = (_WORKER, _INDEX_ON_DISK)
    hashes = {path: sha256(data).hexdigest()[:16] for path, data in site_files(site) if path not in skipped}
    files = {_url_of(path): mark for path, mark in hashes.items()}
    version = sha256(json.dumps(files).encode()).hexdigest()[:16]
    data = json.dumps({"version": version, "files": files}, ensure_ascii=False, separators=(",", ":"))
    return (_WEB / "site" / _WORKER).read_text(encoding="utf-8").replace(_FILES_PLACEHOLDER, f"const BOOK = {data};")


def _url_of(path: str) -> str:
    """The URL of a file: the folder for its index.html."""
    return quote(path.removesuffix(_HOME) if path.split("/")[-1] == _HOME else path)


FOR_DISK = "RULEWRIGHT_FOR_DISK"  # tells the plugin in the other process that its site is for reading from a disk
_NOT_ON_DISK = (_INDEX, "404.html")  # of no use on a disk


def write_disk_index(site: File) -> None:
    """Write the search index as a script, too, because browsers fetch no data from a disk."""
    if (site / _INDEX).is_file():
        (site / _INDEX_ON_DISK).write_bytes(b"var __index = " + (site / _INDEX).read_bytes())


def make(export: BookExport, report_progress: ProgressCallback) -> ExportResult:
    """Export the book as a zip of its site, which MkDocs builds for reading from a disk."""
    report_progress("")
    with TemporaryDirectory() as name:
        site = File(name, "site")
        settings = find_site_settings(export.root) or _write_settings(export, File(name))
        build(settings, site)
        return _pack_site(site, export)


def _write_settings(export: BookExport, folder: File) -> File:
    """Write an mkdocs.yml for a book that has none."""
    shared = [str(folder) for folder in export.compiled.options.shared]  # else relative to this file's own folder
    # Nobody has configured a renderer, so pages look as in the other exports.
    plugins = ["search", {"rulewright": {"shared": shared, "markdown": COMMONMARK}}]
    plain = {"site_name": export.title, "docs_dir": str(export.root), "plugins": plugins}
    file = folder / "mkdocs.yml"
    file.write_bytes(json.dumps({**plain, "theme": {"name": "material", "font": False}}).encode())
    return file


def build(settings: File, site: File) -> None:
    """Run MkDocs in a separate process, because nothing else here imports it."""
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(settings), "-d", str(site)]
    environment = os.environ | {FOR_DISK: "1", "NO_MKDOCS_2_WARNING": "1", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.run(
        command,
        cwd=settings.parent,
        env=environment,
        capture_output=True,
        check=False,
        encoding="utf-8",
        errors="replace",
    )
    if process.returncode:
        lines = process.stderr.strip().split("\n")
        raise ExportError(f"the site could not be built: {lines[-1]}")


def _pack_site(site: File, export: BookExport) -> ExportResult:
    """A zip with one folder, named after the book, with the files that readers need."""
    folder, files = file_name(export.title), dict(site_files(site))
    outside_paths = {path for path in files if _is_outside_file(export.root / path, export)}
    kept = {path: data for path, data in files.items() if path not in outside_paths and path not in _NOT_ON_DISK}
    return zip_files({f"{folder}/{path}": data for path, data in kept.items()}), list(_find_outside_links(export))


def _is_outside_file(file: File, export: BookExport) -> bool:
    """Does a link on the disk lead to this file from outside of the project? MkDocs follows all links."""
    return file.is_file() and not export.compiled.project.contains(file)


def _find_outside_links(export: BookExport) -> Iterator[Problem]:
    """Problems about linked files that are not in the zip because they are outside of the project."""
    for page in (chapter.page.page for chapter in export.chapters):
        for link in page.links:
            target = export.resolver.resolve(link, page)
            if not isinstance(target, LinkTarget) or target.path.startswith("../"):
                continue
            if _is_outside_file(export.root / target.path, export):
                message = f"{link.target[:80]} cannot go along"
                yield Problem("export-picture", message, link.span, "warning", ("it lies outside of the book",))


_DOWNLOADS_HOME = "index.html"
_PLACES = ("</article>", "</main>", "</body>")


@dataclass
class Downloads:
    """Makes the downloads once; later builds of `mkdocs serve` reuse them."""

    files: dict[str, bytes] | None = None  # by format
    problems: list[Problem] = field(default_factory=list)  # parts of the book that the formats cannot contain

    def write(self, site: File, export: BookExport, is_for_disk: bool, is_kept: bool) -> list[Problem]:
        """Write the downloads into a finished site; return their problems.

        The zip is the site itself if it can be read from a disk.
        """
        try:
            if self.files is None:
                self.files = dict(self.make_files(export, site if is_for_disk else None))
            _write_downloads(site, export.title, self.files, export.words)
            if is_kept:
                _write_offline_files(site, export)
        except OSError as error:
            raise ExportError(f"{error.filename or site}: {error.strerror}") from error
        return self.problems

    def make_files(self, export: BookExport, site: File | None) -> Iterator[tuple[str, bytes]]:
        """The data of each configured format."""
        for form in export.compiled.options.exports if export.chapters else ():
            data, problems = _export_format(form, export, site)
            self.problems += [problem for problem in problems if problem not in self.problems]
            yield form, data


def _export_format(form: str, export: BookExport, site: File | None) -> ExportResult:
    """Export one format; the site itself as zip if there is one."""
    if form == "zip" and site:
        return _pack_site(site, export)
    try:
        return export_book(form, export, lambda _: None)
    except ExportError as error:
        raise ExportError(f"the {form} was not made: {error}") from error


def _write_downloads(site: File, title: str, files: Mapping[str, bytes], words: Words) -> None:
    """Write the downloads and list them on the home page, which each build writes again."""
    home, names = site / _DOWNLOADS_HOME, {form: f"{_DOWNLOADS}/{file_name(title)}.{form}" for form in files}
    for form, data in files.items():
        (site / _DOWNLOADS).mkdir(exist_ok=True)
        write_atomically(site / names[form], data)
    if files and home.is_file():
        sizes = {form: size_text(len(data), words("decimal sign")) for form, data in files.items()}
        text = _insert_list(home.read_text("utf-8"), _downloads_html(names, sizes, words))
        write_atomically(home, text.encode())


def _downloads_html(names: Mapping[str, str], sizes: Mapping[str, str], words: Words) -> str:
    """The list of downloads with their sizes, as HTML."""
    items = "".join(
        f'<li><a href="{escape(name)}" download>{escape(words(f"download {form}"))}</a> ({sizes[form]})</li>'
        for form, name in names.items()
    )
    title = escape(words("downloads"))
    return f'<section class="rulewright-downloads" aria-label="{title}"><p>{title}</p><ul>{items}</ul></section>'


def _insert_list(html: str, list_html: str) -> str:
    """The page with the list at the end of its content."""
    end = next((end for end in _PLACES if end in html), "")
    place = html.rfind(end) if end else len(html)
    return html[:place] + list_html + html[place:]
