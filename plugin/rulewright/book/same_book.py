"""Whether two pages belong to one book, edition and language, by their paths."""

from __future__ import annotations

import posixpath
import re

from .resolver import LinkResolver

_BOOK_MARKERS = ("game.toml", "mkdocs.yml", "book.toml")  # a folder with one of these is a separate book
_LANGUAGE_CODE = re.compile(
    "af|ar|az|be|bg|bn|bs|ca|cs|cy|da|de|el|en|eo|es|et|eu|fa|fi|fil|fr|ga|gl|he|hi|hr|hu|hy|id|is|it|ja|ka|kk|ko|la|lt"
    "|lv|mk|mn|ms|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|tw|uk|ur|uz|vi|zh|cn|jp|kr|br"
    "|eng|deu|ger|fra|fre|spa|ita|por|rus|ukr|pol|jpn|chn|zho|chi|kor|nld|dut|ces|cze|swe|fin|hun|tur"
    "|english|german|deutsch|french|fran[cç]ais|spanish|espa[nñ]ol|italian|italiano|portuguese|russian"
    "|ukrainian|polish|japanese|chinese|korean|dutch|czech"
)
_CODE_OR_WORD = re.compile("be|he|hi|id|is|it|la|no|te|th|tl|br")  # after a hyphen these are words: `what-is-it.md`
_REGION_CODE = re.compile(r"([a-z]{2,3})[-_](?:[A-Z]{2}|[A-Z][a-z]{3})")  # pt-BR, zh-Hans
_LAST_WORD = re.compile(r".*([._ -])([^\W\d_]+)")
_EDITION_MARK = re.compile(
    r"(?<![a-z0-9])(?:v\d[\d.]*|\d[\d.]*e(?:d(?:ition)?)?|\d+\.\d+|ed(?:ition)?[-_ ]?\d+"
    r"|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|revised|old|new)[-_ ]?ed(?:ition)?)(?![a-z0-9])"
)
_ARCHIVE = re.compile(r"[._-]*(?:old|archived?|archives|attic|backups?|deprecated|legacy|obsolete|unused)[._-]*")


def same_book(resolver: LinkResolver, path: str, other: str) -> bool:
    """True if two pages belong to the same book, edition and language."""
    is_gone = posixpath.dirname(path) not in resolver.page_folders | {""}  # a whole folder may have another name now
    return language_and_edition(path) == language_and_edition(other) and (
        is_gone or _book_folder(resolver, path) == _book_folder(resolver, other)
    )


def is_nearby(resolver: LinkResolver, path: str, other: str) -> bool:
    """True if a page may be suggested on another: not the page of an archive, another language or another site."""
    roots = resolver.dialect.roots
    own = [[root for root in roots if place.startswith(f"{root}/")] for place in (path, other)]
    return own[0] == own[1] and language_and_edition(path) == language_and_edition(other)


def side_by_side(path: str, other: str) -> bool:
    """True if one page is in the folder of the other or deeper; not at the root: its folders may be books."""
    first, second = sorted((posixpath.dirname(path), posixpath.dirname(other)), key=len)
    return first == second or (bool(first) and second.startswith(f"{first}/"))


def _book_folder(resolver: LinkResolver, path: str) -> str:
    """The nearest folder above a page that is a separate book; empty for the root."""
    folder = posixpath.dirname(path)
    while folder and not any(resolver.has_file(f"{folder}/{marker}") for marker in _BOOK_MARKERS):
        folder = posixpath.dirname(folder)
    return folder


def language_and_edition(path: str) -> tuple[str, ...]:
    """The languages and editions in the path of a page, and its archive folders."""
    *folders, name = path.split("/")
    names = [*folders, posixpath.splitext(name)[0]]
    marks = (mark for part in names for mark in (*_language_codes(part), *_EDITION_MARK.findall(part.lower())))
    return (*marks, *(folder.lower() for folder in folders if _ARCHIVE.fullmatch(folder.lower())))


def _language_codes(name: str) -> list[str]:
    """The language in a name: `de`, `pt-BR`, `combat.de`, `Ironsworn-md-en`."""
    region, last = _REGION_CODE.fullmatch(name), _LAST_WORD.fullmatch(name)
    if _LANGUAGE_CODE.fullmatch(name.lower()) or (region and _LANGUAGE_CODE.fullmatch(region[1])):
        return [name.lower()]
    code = last[2].lower() if last else ""
    is_code = last and _LANGUAGE_CODE.fullmatch(code) and (last[1] == "." or not _CODE_OR_WORD.fullmatch(code))
    return [code] if is_code else []
