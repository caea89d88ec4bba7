"""Output streams on every system: encodings, colors, closed pipes, and JSON that survives them."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
import unicodedata
from collections.abc import Mapping
from typing import Any, TextIO

_READABLE = "rulewright.readable"  # name of our error handler for characters that an encoding lacks
_ANSI_MODE = 4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING
_PLAIN = {
    "«": '"', "»": '"', "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "›": ">", "—": "-", "–": "-", "‒": "-",
    "−": "-", "·": "-", "•": "*", "×": "x", "÷": "/", "⁄": "/", "→": "->", "≈": "~", "≤": "<=", "≥": ">=", "≠": "!=",
    "±": "+-", "µ": "u", "μ": "u", "ß": "ss", "█": "#",
}  # fmt: skip


def to_plain(text: str) -> str:
    """A text in ASCII that people can still read: `->` for an arrow, `u` for `ü`, `?` for what has no likeness."""
    known = "".join(_PLAIN.get(character, character) for character in text)
    decomposed = "".join(_PLAIN.get(character, character) for character in unicodedata.normalize("NFKD", known))
    letters = (character for character in decomposed if not unicodedata.combining(character))
    return "".join(character if character.isascii() else "?" for character in letters)


def _replace_readably(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return to_plain(error.object[error.start : error.end]), error.end


def prepare_stream(stream: TextIO, system: str = os.name, environment: Mapping[str, str] = os.environ) -> None:
    """Never fail on a character; on Windows, write UTF-8 into pipes and files, as other tools do."""
    codecs.register_error(_READABLE, _replace_readably)
    if isinstance(stream, io.TextIOWrapper):
        is_free = system == "nt" and not stream.isatty() and not environment.get("PYTHONIOENCODING")
        stream.reconfigure(encoding="utf-8" if is_free else None, errors=_READABLE)


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal that understands escape codes."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and _enable_ansi(stream)


def has_color(stream: TextIO) -> bool:
    """Whether to print colors: NO_COLOR and FORCE_COLOR decide, in this order, else whether it is a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def _enable_ansi(stream: TextIO) -> bool:
    """Make a Windows console understand escape codes; False if it is too old for that."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        kernel, mode = ctypes.windll.kernel32, ctypes.c_ulong()
        try:
            handle = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
        except OSError:
            return True  # a terminal of an editor, not a console of Windows
        return bool(
            kernel.GetConsoleMode(handle, ctypes.byref(mode)) and kernel.SetConsoleMode(handle, mode.value | _ANSI_MODE)
        )
    return True


def is_broken_pipe(error: OSError, system: str = os.name) -> bool:
    """Whether the reader of our output is gone; Windows has no number of its own for that."""
    return isinstance(error, BrokenPipeError) or (
        system == "nt" and error.errno == errno.EINVAL and error.filename is None
    )


def json_text(data: Any, stream: TextIO | None = None) -> str:
    r"""Data as JSON, with `\u2026` for what the encoding of the stream lacks (standard output if none is given)."""
    from json import dumps

    text = dumps(data, ensure_ascii=False, indent=2)
    return text if can_show(stream or sys.stdout, text) else dumps(data, indent=2)


def can_show(stream: TextIO, letters: str) -> bool:
    """Whether the encoding of a stream has all of these characters."""
    try:
        letters.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
