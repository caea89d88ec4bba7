"""Files of a whole book that lie beside its site, and the list of them on its first page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path as File

from ..text import Problem
from .edition import Edition, Made, NotMade
from .finished import DOWNLOADS
from .folder import packed
from .kept import keep
from .makers import file_name, make, size
from .words import Words

HOME = "index.html"
PLACES = ("</article>", "</main>", "</body>")


@dataclass
class Beside:
    """Made once: while a site is served, each build finds them here."""

    files: dict[str, bytes] | None = None  # by their formats
    problems: list[Problem] = field(default_factory=list)  # what of the book is not in them as it is written

    def put(self, site: File, edition: Edition, is_for_disk: bool, is_kept: bool) -> list[Problem]:
        """Into a finished site, which is packed as it is where it can be read from a disk."""
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
        for form in edition.compiled.options.exports if edition.chapters else ():
            data, problems = made(form, edition, site)
            self.problems += [problem for problem in problems if problem not in self.problems]
            yield form, data


def made(form: str, edition: Edition, site: File | None) -> Made:
    if form == "zip" and site:
        return packed(site, edition)
    try:
        return make(form, edition, lambda _: None)
    except NotMade as error:
        raise NotMade(f"the {form} was not made: {error}") from error


def put_beside(site: File, title: str, files: Mapping[str, bytes], words: Words) -> None:
    """Into the finished site, which is written anew each time."""
    home, names = site / HOME, {form: f"{DOWNLOADS}/{file_name(title)}.{form}" for form in files}
    for form, data in files.items():
        (site / DOWNLOADS).mkdir(exist_ok=True)
        (site / names[form]).write_bytes(data)
    if files and home.is_file():
        sizes = {form: size(len(data), words("decimal sign")) for form, data in files.items()}
        home.write_text(with_list(home.read_text("utf-8"), listed(names, sizes, words)), encoding="utf-8")


def listed(names: Mapping[str, str], sizes: Mapping[str, str], words: Words) -> str:
    """As HTML; readers learn what they get and how much of it."""
    items = "".join(
        f'<li><a href="{escape(name)}" download>{escape(words(f"download {form}"))}</a> ({sizes[form]})</li>'
        for form, name in names.items()
    )
    title = escape(words("downloads"))
    return f'<section class="rulewright-downloads" aria-label="{title}"><p>{title}</p><ul>{items}</ul></section>'


def with_list(html: str, found: str) -> str:
    """At the end of what stands on the page."""
    end = next((end for end in PLACES if end in html), "")
    place = html.rfind(end) if end else len(html)
    return html[:place] + found + html[place:]
