"""Compiles Typst source to PDF, after replacing the characters that no font has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path as File
from typing import Any

from ..export import ExportError
from .syntax import string_literal

_FIRST_RARE = 0x250  # code points below are in every font for books
_UNKNOWN_FONT = "unknown font family: "
_MISSING_GLYPH = re.compile(r'the text `"(.+?)"` could not be displayed')
MODIFIERS = re.compile(
    "[\ufe00-\ufe0f\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)  # variation selectors, joiners, skin tones and tags, which only modify the character before them
_ENOUGH_MISSING = 3  # missing characters of a script after which all of its characters count as missing


class TypstCompileError(ExportError):
    """Typst could not compile the source; carries the message of Typst."""


def _compile_typst(source: str, root: File, fonts: Sequence[File] = ()) -> bytes:
    """The bytes of a PDF that follows PDF/UA-1.

    Uses only the fonts of Typst and of the book, so that the PDF is the same on every computer.
    """
    import typst

    compiler: Any = typst.compile_with_warnings
    paths = [str(font) for font in fonts]
    try:
        pdf, warnings = compiler(
            source.encode(),
            root=str(root),
            font_paths=paths,
            ignore_system_fonts=True,
            pdf_standards=["ua-1"],
            timestamp=0,
        )
    except typst.TypstError as error:
        raise TypstCompileError(str(error.diagnostic or error.message)) from error
    if unknown_font := next((warning.message for warning in warnings if warning.message.startswith(_UNKNOWN_FONT)), ""):
        name = unknown_font.removeprefix(_UNKNOWN_FONT)
        raise TypstCompileError(f'there is no font "{name}"; put its file into site_overrides/fonts')
    return bytes(pdf)


def is_readable_picture(file: File, root: File, fonts: Sequence[File]) -> bool:
    """Whether Typst can read this file as an image."""
    path = string_literal((File("/") / file.relative_to(root)).as_posix())
    try:
        _compile_typst(f'#set document(title: "picture")\n#image({path}, alt: "picture")', root, fonts)
    except TypstCompileError:
        return False
    return True


def compile_replacing(source: str, root: File, fonts: Sequence[File] = ()) -> tuple[bytes, set[str]]:
    """The PDF, and the characters that no font has.

    Some of those are only reported when the whole book is compiled, so it compiles until there are no new ones.
    """
    missing = _find_missing(source, root, fonts)
    while True:
        try:
            return _compile_typst(_replace_missing(source, missing), root, fonts), missing
        except TypstCompileError as error:
            new = _parse_missing(error) - missing
            if not new:
                raise
            missing |= new


def _find_missing(text: str, root: File, fonts: Sequence[File] = ()) -> set[str]:
    """The characters of a source that no font has.

    Repeats after each replacement, because a combining mark may then follow the replacement text.
    """
    missing, tested = set[str](), set[str]()
    while (samples := _list_samples(_replace_missing(text, missing)) - tested) and (
        new := _find_all_missing(sorted(samples), root, fonts)
    ):
        tested |= samples
        missing |= new
    return missing


def _find_all_missing(samples: list[str], root: File, fonts: Sequence[File]) -> set[str]:
    """The characters in these texts that no font has; compiles until Typst reports no more of them."""
    missing: set[str] = set()
    scripts = Counter[str]()
    while samples and (new := _find_next_missing(samples, root, fonts)):
        missing |= new
        scripts.update(_find_script(character) for character in new)
        missing |= {
            character
            for sample in samples
            for character in sample
            if scripts[_find_script(character)] >= _ENOUGH_MISSING
        }
        samples = [sample for sample in samples if not missing.intersection(sample)]
    return missing


def _list_samples(text: str) -> set[str]:
    """The texts to test: each character that a font may lack, and combining marks together with their base
    character, since one font must have both."""
    characters = {
        character
        for character in set(text)
        if ord(character) >= _FIRST_RARE and not character.isspace() and not MODIFIERS.match(character)
    }
    marks = {character for character in characters if unicodedata.category(character).startswith("M")}
    base = r'(?:\\["\\]|[^\s"\\])?'  # quotation marks and backslashes are escaped
    marked_bases = re.findall(rf"{base}[{re.escape(''.join(sorted(marks)))}]+", text) if marks else []
    return characters | set(marked_bases)


def _find_next_missing(samples: Iterable[str], root: File, fonts: Sequence[File]) -> set[str]:
    """The missing characters that one run of Typst reports, empty if there are none."""
    source = "\n\n".join(f'#"{sample}";' for sample in samples)  # a space would become the base of a mark
    try:
        _compile_typst(f'#set document(title: "signs")\n#set page(height: auto)\n{source}', root, fonts)
    except TypstCompileError as error:
        if missing := _parse_missing(error):
            return missing
        raise
    return set()


def _parse_missing(error: TypstCompileError) -> set[str]:
    """The missing characters in an error of Typst, which escapes some of them and also quotes their neighbors."""
    texts = "".join(_MISSING_GLYPH.findall(str(error)))
    characters = re.sub(r"\\u\{([0-9a-f]+)\}", lambda match: chr(int(match[1], 16)), texts)
    return {character for character in characters if ord(character) >= _FIRST_RARE or is_invisible(character)}


def is_invisible(character: str) -> bool:
    """Whether a character is an invisible format character."""
    return unicodedata.category(character) == "Cf"


def _find_script(character: str) -> str:
    """The script of a letter, the first word of its Unicode name; any other character is its own script."""
    return (
        unicodedata.name(character, hex(ord(character) // 256)).partition(" ")[0] if character.isalpha() else character
    )


def describe_character(character: str) -> str:
    """The text that replaces a character without a glyph, such as its Unicode name in brackets."""
    if is_invisible(character):
        return ""
    name = unicodedata.name(character, "").lower()
    return f"[{name}]" if name and not name.startswith("cjk") else f"[U+{ord(character):04X}]"


def _replace_missing(source: str, missing: Iterable[str]) -> str:
    """The source with missing characters replaced, and without modifiers such as variation selectors."""
    table = {ord(character): describe_character(character) for character in missing}
    visible = MODIFIERS.sub("", source)
    return visible.translate(table) if table else visible
