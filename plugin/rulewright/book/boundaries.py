"""The book, the edition and the language of a page: a fix of a link never leads from one to another."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .atlas import Atlas

MARKERS = ("game.toml", "mkdocs.yml", "book.toml")  # a folder with one of these is a book of its own
CODE = re.compile(
    "af|ar|az|be|bg|bn|bs|ca|cs|cy|da|de|el|en|eo|es|et|eu|fa|fi|fil|fr|ga|gl|he|hi|hr|hu|hy|id|is|it|ja|ka|kk|ko|la|lt"
    "|lv|mk|mn|ms|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|tw|uk|ur|uz|vi|zh|cn|jp|kr|br"
    "|eng|deu|ger|fra|fre|spa|ita|por|rus|ukr|pol|jpn|chn|zho|chi|kor|nld|dut|ces|cze|swe|fin|hun|tur"
    "|english|german|deutsch|french|fran[cç]ais|spanish|espa[nñ]ol|italian|italiano|portuguese|russian"
    "|ukrainian|polish|japanese|chinese|korean|dutch|czech"
)
WORD = re.compile("be|he|hi|id|is|it|la|no|te|th|tl|br")  # behind a hyphen these are words: «what-is-it.md»
REGION = re.compile(r"([a-z]{2,3})[-_](?:[A-Z]{2}|[A-Z][a-z]{3})")  # pt-BR, zh-Hans
LAST = re.compile(r".*([._ -])([^\W\d_]+)")
EDITION = re.compile(
    r"(?<![a-z0-9])(?:v\d[\d.]*|\d[\d.]*e(?:d(?:ition)?)?|\d+\.\d+|ed(?:ition)?[-_ ]?\d+"
    r"|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|revised|old|new)[-_ ]?ed(?:ition)?)(?![a-z0-9])"
)


def same_book(atlas: Atlas, path: str, other: str) -> bool:
    """Whether two pages belong to one book, one edition and one language."""
    is_gone = posixpath.dirname(path) not in atlas.below | {""}  # a whole folder may have another name now
    return marks(path) == marks(other) and (is_gone or home(atlas, path) == home(atlas, other))


def side_by_side(path: str, other: str) -> bool:
    """Whether two pages are in one folder, or one is further below; what are chapters of the root may be books."""
    first, second = sorted((posixpath.dirname(path), posixpath.dirname(other)), key=len)
    return first == second or (bool(first) and second.startswith(f"{first}/"))


def home(atlas: Atlas, path: str) -> str:
    """The nearest folder above a page that is a book of its own."""
    folder = posixpath.dirname(path)
    while folder and not any(atlas.there(f"{folder}/{marker}") for marker in MARKERS):
        folder = posixpath.dirname(folder)
    return folder


def marks(path: str) -> tuple[str, ...]:
    """What the names of a page and its folders say of language and edition."""
    *folders, name = path.split("/")
    names = [*folders, posixpath.splitext(name)[0]]
    return tuple(mark for one in names for mark in (*languages(one), *EDITION.findall(one.lower())))


def languages(name: str) -> list[str]:
    """`de`, `pt-BR`, `combat.de`, `Ironsworn-md-en`."""
    region, last = REGION.fullmatch(name), LAST.fullmatch(name)
    if CODE.fullmatch(name.lower()) or (region and CODE.fullmatch(region[1])):
        return [name.lower()]
    code = last[2].lower() if last else ""
    is_code = last and CODE.fullmatch(code) and (last[1] == "." or not WORD.fullmatch(code))
    return [code] if is_code else []
