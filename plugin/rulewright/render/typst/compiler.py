"""Compiles Typst source to PDF, after replacing the characters that no font has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path as File
from typing import Any

from ..export import NotMade
from .markup import quoted

SURE = 0x250  # code points below are in every font for books
UNKNOWN = "unknown font family: "
MISSING = re.compile(r'the text `"(.+?)"` could not be displayed')
UNSEEN = re.compile(
    "[\ufe00-\ufe0f\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)  # variation selectors, joiners, skin tones and tags, which only modify the character before them
ENOUGH = 3  # missing characters of a script after which all of its characters count as missing


class PressError(NotMade):
    """Typst could not compile the source; carries the message of Typst."""


def compile_typst(source: str, root: File, fonts: Sequence[File] = ()) -> bytes:
    """The bytes of a PDF that follows PDF/UA-1.

    Uses only the fonts of Typst and of the book, so that the PDF is the same on every computer.
    """
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
    """Whether Typst can read this file as an image."""
    path = quoted((File("/") / file.relative_to(root)).as_posix())
    try:
        compile_typst(f'#set document(title: "picture")\n#image({path}, alt: "picture")', root, fonts)
    except PressError:
        return False
    return True


def press(source: str, root: File, fonts: Sequence[File] = ()) -> tuple[bytes, set[str]]:
    """The PDF, and the characters that no font has.

    Some of those are only reported when the whole book is compiled, so it compiles until there are no new ones.
    """
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
    """The characters of a source that no font has.

    Repeats after each replacement, because a combining mark may then follow the replacement text.
    """
    missing, tried = set[str](), set[str]()
    while (pieces := to_try(replaced(text, missing)) - tried) and (found := lacking(sorted(pieces), root, fonts)):
        tried |= pieces
        missing |= found
    return missing


def lacking(pieces: list[str], root: File, fonts: Sequence[File]) -> set[str]:
    """The characters in these texts that no font has; compiles until Typst reports no more of them."""
    missing: set[str] = set()
    scripts = Counter[str]()
    while pieces and (found := next_missing(pieces, root, fonts)):
        missing |= found
        scripts.update(script(sign) for sign in found)
        missing |= {sign for piece in pieces for sign in piece if scripts[script(sign)] >= ENOUGH}
        pieces = [piece for piece in pieces if not missing.intersection(piece)]
    return missing


def to_try(text: str) -> set[str]:
    """The texts to test: each character that a font may lack, and combining marks together with their base
    character, since one font must have both."""
    signs = {sign for sign in set(text) if ord(sign) >= SURE and not sign.isspace() and not UNSEEN.match(sign)}
    marks = {sign for sign in signs if unicodedata.category(sign).startswith("M")}
    below = r'(?:\\["\\]|[^\s"\\])?'  # quotation marks and backslashes are escaped
    marked = re.findall(rf"{below}[{re.escape(''.join(sorted(marks)))}]+", text) if marks else []
    return signs | set(marked)


def next_missing(pieces: Iterable[str], root: File, fonts: Sequence[File]) -> set[str]:
    """The missing characters that one run of Typst reports, empty if there are none."""
    shown = "\n\n".join(f'#"{piece}";' for piece in pieces)  # a space would become the base of a mark
    try:
        compile_typst(f'#set document(title: "signs")\n#set page(height: auto)\n{shown}', root, fonts)
    except PressError as error:
        if found := named(error):
            return found
        raise
    return set()


def named(error: PressError) -> set[str]:
    """The missing characters in an error of Typst, which escapes some of them and also quotes their neighbors."""
    texts = "".join(MISSING.findall(str(error)))
    signs = re.sub(r"\\u\{([0-9a-f]+)\}", lambda found: chr(int(found[1], 16)), texts)
    return {sign for sign in signs if ord(sign) >= SURE or is_unseen(sign)}


def is_unseen(sign: str) -> bool:
    """Whether a character is an invisible format character."""
    return unicodedata.category(sign) == "Cf"


def script(sign: str) -> str:
    """The script of a letter, the first word of its Unicode name; any other character is its own script."""
    return unicodedata.name(sign, hex(ord(sign) // 256)).partition(" ")[0] if sign.isalpha() else sign


def in_words(sign: str) -> str:
    """The text that replaces a character without a glyph, such as its Unicode name in brackets."""
    if is_unseen(sign):
        return ""
    name = unicodedata.name(sign, "").lower()
    return f"[{name}]" if name and not name.startswith("cjk") else f"[U+{ord(sign):04X}]"


def replaced(source: str, missing: Iterable[str]) -> str:
    """The source with missing characters replaced, and without modifiers such as variation selectors."""
    table = {ord(sign): in_words(sign) for sign in missing}
    seen = UNSEEN.sub("", source)
    return seen.translate(table) if table else seen
