"""Typst at work: from its text to the bytes of a PDF. Signs that no font has are found beforehand."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path as File
from typing import Any

from ..export import NotMade
from .markup import quoted

SURE = 0x250  # below this every font of a book has every sign
UNKNOWN = "unknown font family: "
MISSING = re.compile(r'the text `"(.+?)"` could not be displayed')
UNSEEN = re.compile(
    "[\ufe00-\ufe0f\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)  # they shape what stands before
ENOUGH = 3  # so many signs of a script are missing: so are its others


class PressError(NotMade):
    """Typst refuses the book; the message is its own."""


def compile_typst(source: str, root: File, fonts: Sequence[File] = ()) -> bytes:
    """A PDF that can be read aloud; with the fonts of Typst and of the book only, it is the same everywhere."""
    import typst

    compiler: Any = typst.compile_with_warnings
    paths = [str(font) for font in fonts]
    try:
        made, warnings = compiler(
            source.encode(),
            root=str(root),
            font_paths=paths,
            ignore_system_fonts=True,
            pdf_standards=["ua-1"],
            timestamp=0,
        )
    except typst.TypstError as error:
        raise PressError(str(error.diagnostic or error.message)) from error
    if unknown := next((one.message for one in warnings if one.message.startswith(UNKNOWN)), ""):
        name = unknown.removeprefix(UNKNOWN)
        raise PressError(f"there is no font «{name}»; put its file into site_overrides/fonts")
    return bytes(made)


def is_picture(file: File, root: File, fonts: Sequence[File]) -> bool:
    """Can Typst draw what a file holds?"""
    path = quoted((File("/") / file.relative_to(root)).as_posix())
    try:
        compile_typst(f'#set document(title: "picture")\n#image({path}, alt: "picture")', root, fonts)
    except PressError:
        return False
    return True


def press(source: str, root: File, fonts: Sequence[File] = ()) -> tuple[bytes, set[str]]:
    """The PDF, and the signs that no font has; a few of them show only among the others, when all is set."""
    missing = missing_signs(source, root, fonts)
    while True:
        try:
            return compile_typst(replaced(source, missing), root, fonts), missing
        except PressError as error:
            more = named(error) - missing
            if not more:
                raise
            missing |= more


def missing_signs(text: str, root: File, fonts: Sequence[File] = ()) -> set[str]:
    """The signs of a book that no font has; marks may come to stand on the words for such a sign."""
    missing, tried = set[str](), set[str]()
    while (pieces := to_try(replaced(text, missing)) - tried) and (found := lacking(sorted(pieces), root, fonts)):
        tried |= pieces
        missing |= found
    return missing


def lacking(pieces: list[str], root: File, fonts: Sequence[File]) -> set[str]:
    missing: set[str] = set()
    scripts = Counter[str]()
    while pieces and (found := next_missing(pieces, root, fonts)):
        missing |= found
        scripts.update(script(sign) for sign in found)
        missing |= {sign for piece in pieces for sign in piece if scripts[script(sign)] >= ENOUGH}
        pieces = [piece for piece in pieces if not missing.intersection(piece)]
    return missing


def to_try(text: str) -> set[str]:
    """Each sign that a font may lack; a mark on the sign below it, since one font has to have both."""
    signs = {sign for sign in set(text) if ord(sign) >= SURE and not sign.isspace() and not UNSEEN.match(sign)}
    marks = {sign for sign in signs if unicodedata.category(sign).startswith("M")}
    below = r'(?:\\["\\]|[^\s"\\])?'  # a quotation mark stands behind its stroke
    marked = re.findall(rf"{below}[{re.escape(''.join(sorted(marks)))}]+", text) if marks else []
    return signs | set(marked)


def next_missing(pieces: Iterable[str], root: File, fonts: Sequence[File]) -> set[str]:
    shown = "\n\n".join(f'#"{piece}";' for piece in pieces)  # a blank would be a sign for marks to stand on
    try:
        compile_typst(f'#set document(title: "signs")\n#set page(height: auto)\n{shown}', root, fonts)
    except PressError as error:
        if found := named(error):
            return found
        raise
    return set()


def named(error: PressError) -> set[str]:
    """The signs that could not be set; Typst names some by their numbers, and those beside which they stand too."""
    texts = "".join(MISSING.findall(str(error)))
    signs = re.sub(r"\\u\{([0-9a-f]+)\}", lambda found: chr(int(found[1], 16)), texts)
    return {sign for sign in signs if ord(sign) >= SURE or is_unseen(sign)}


def is_unseen(sign: str) -> bool:
    """Does it only say how others are to be set?"""
    return unicodedata.category(sign) == "Cf"


def script(sign: str) -> str:
    """The writing that a sign belongs to: CJK, HANGUL, EMOJI have no shorter name for it."""
    return unicodedata.name(sign, hex(ord(sign) // 256)).partition(" ")[0] if sign.isalpha() else sign


def in_words(sign: str) -> str:
    """What stands on paper for a sign that cannot be printed."""
    if is_unseen(sign):
        return ""
    name = unicodedata.name(sign, "").lower()
    return f"[{name}]" if name and not name.startswith("cjk") else f"[U+{ord(sign):04X}]"


def replaced(source: str, missing: Iterable[str]) -> str:
    table = {ord(sign): in_words(sign) for sign in missing}
    seen = UNSEEN.sub("", source)
    return seen.translate(table) if table else seen
