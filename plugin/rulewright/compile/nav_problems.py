"""Reports pages that the `nav` of a site leaves out, and entries of it without a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path as File

from ..book.host import Host
from ..project import find_site_settings, has_setting, inherited_settings
from ..source import Problem, Source, Span, suggest
from .games import display_path, folder_name

_KEY = re.compile(r"^nav\b", re.MULTILINE)
_MAX_NAMES = 5


def find_nav_problems(
    host: Host | None, root: File, selected: Sequence[File], pages: Sequence[File], here: File
) -> Iterator[Problem]:
    """The problems of `nav`: of the selected pages, and of its entries if these are all pages of the book."""
    settings = host.settings if host else None
    if settings is None or settings.not_in_nav is None or not settings.nav:
        return
    paths = [folder_name(file, root) for file in pages]
    left_out = [path for path in (folder_name(file, root) for file in selected) if _is_left_out(path, host)]
    absent = [path for path, _ in settings.nav if not (root / path).exists()] if len(selected) == len(pages) else []
    if not (left_out or absent) or (source := _open_settings(root, here)) is None:
        return
    key = _KEY.search(source.text)
    start, end = key.span() if key else (0, 0)
    if left_out:
        names = ", ".join(left_out[:_MAX_NAMES])
        more = f" and {len(left_out) - _MAX_NAMES} more" if len(left_out) > _MAX_NAMES else ""
        message = f"nav leaves out {names}{more}, so no menu, PDF, EPUB or HTML file has what is written there"
        note = "add each page to nav, or name it in not_in_nav, exclude_docs or draft_docs"
        yield Problem("nav-unlisted", message, Span(source, start, end), "info", (note,))
    for path in dict.fromkeys([] if settings.page_makers else absent):
        place = re.compile(rf"(?<![\w./-]){re.escape(path)}(?![\w/-])").search(source.text, end)
        span = Span(source, *place.span()) if place else Span(source, start, end)
        note = suggest(path, left_out or paths) or "remove this entry, or write the page"
        yield Problem("nav-missing", f"nav lists {path}, and there is no such page", span, "info", (note,))


def _is_left_out(path: str, host: Host | None) -> bool:
    return host is not None and host.find_destination(path) is not None and host.settings.is_left_out(path)


def _open_settings(root: File, here: File) -> Source | None:
    """The file that has `nav`: the settings of the site, or what they inherit from."""
    settings = find_site_settings(root)
    files = [file for file in inherited_settings(settings) if has_setting(file, "nav")] if settings else []
    file = files[0] if files else settings
    return Source(display_path(file, here), file.read_text("utf-8-sig", errors="replace")) if file else None
