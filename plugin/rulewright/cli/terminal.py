"""Terminal output: exit codes, errors that end a command, colors, line wrapping and progress."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from ..render.text_width import BLOCKS, draw_bar, visible, width
from .streams import can_show, has_color, is_terminal

if TYPE_CHECKING:
    from fractions import Fraction

COMMANDS = ("check", "coverage", "roll", "odds", "export", "new", "init", "adopt", "diff", "help", "explain")
NOTHING_WRONG, SOMETHING_WRONG, COULD_NOT_RUN = 0, 1, 2


class CommandError(Exception):
    """Ends a command with a message for the user and an exit code."""

    def __init__(self, message: str, status: int = COULD_NOT_RUN) -> None:
        super().__init__(message)
        self.status = status


def with_hint(fact: str, note: str) -> str:
    """An error message with a suggestion, if there is one."""
    return f"{fact}; {note}" if note else fact


def with_choices(fact: str, names: Sequence[str]) -> str:
    """An error message followed by the possible names, one per line."""
    return "\n".join([fact, *names])


WIDTH = 80
INDENT = "  "
_STYLES = {"title": "1", "verdict": "1", "quiet": "2", "good": "32", "bad": "31", "lost": "33", "bar": "36"}
_SHADES, _PLAIN_SHADES = "█▓▒·░", "#=+-."
PAINTED = re.compile(r"(\033\[[0-9;]*m)")


class Screen:
    """An output stream: colors only on a terminal, block characters only if the encoding has them."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.color = has_color(stream)
        self.blocks = can_show(stream, BLOCKS)

    def print(self, *lines: str) -> None:
        """Print lines; control characters other than our own colors are made visible."""
        for line in "\n".join(lines).split("\n") if lines else ():
            parts = (part if number % 2 else visible(part) for number, part in enumerate(PAINTED.split(line)))
            print("".join(parts).rstrip(), file=self.stream)

    def paint(self, words: str, style: str) -> str:
        return f"\033[{_STYLES[style]}m{words}\033[0m" if self.color and style and words else words

    def heading(self, left: str, right: str) -> str:
        """A title, and at the right edge the name to type."""
        gap = max(WIDTH - width(left) - width(right), 2)
        return self.paint(left, "title") + " " * gap + self.paint(right, "quiet")

    def bar(self, share: Fraction, length: int) -> str:
        """A bar for a chance, with the characters that the stream can show."""
        return draw_bar(share, length, self.blocks)

    def stacked_bar(self, shares: Sequence[Fraction], length: int) -> str:
        """One bar for all outcomes, each with its own mark."""
        marks, total, done, bar = self.draw_marks(len(shares)), 0 * shares[0], 0, ""
        for mark, share in zip(marks, shares, strict=True):
            total += share
            end = round(total * length)
            bar += mark * (end - done)
            done = end
        return bar.ljust(length)

    def draw_marks(self, count: int) -> str:
        """The marks of so many outcomes in a stacked bar."""
        shades = _SHADES if self.blocks else _PLAIN_SHADES
        return shades[: count - 1] + shades[-1] if 2 <= count <= len(shades) else (shades * count)[:count]


def screen_width(text: str) -> int:
    """The width of a text on the screen, ignoring color codes."""
    return width(PAINTED.sub("", text))


def join_parts(parts: Sequence[str], gap: str, first: str = INDENT, then: str | None = None) -> list[str]:
    """Join parts with `gap` and break them into lines; further lines begin with `then`."""
    lines, line, empty = [], first, True
    for part in parts:
        if not empty and screen_width(line + gap + part) > WIDTH:
            lines.append((line + gap).rstrip())
            line, empty = " " * screen_width(first) if then is None else then, True
        line, empty = line + part if empty else line + gap + part, False
    return [*lines, line]


def wrap(text: str, first: str = INDENT, then: str | None = None) -> list[str]:
    """Break a text into lines at its spaces."""
    return join_parts(visible(text).split(), " ", first, then)


def pad(text: str, length: int) -> str:
    """Pad a text to a width on the screen."""
    return text + " " * max(length - screen_width(text), 0)


_FIRST_DELAY = 0.5  # seconds before anything is shown
_UPDATE_INTERVAL = 0.1  # seconds between updates
CLEAR = "\r\033[K"


def progress(
    stream: TextIO, clock: Callable[[], float] = monotonic, things: str = "pages"
) -> Callable[[int, int], None]:
    """A callback (done, total) that shows progress on one line and clears it at the end."""
    if not is_terminal(stream):
        return lambda _done, _total: None
    last_update, is_shown = clock() + _FIRST_DELAY - _UPDATE_INTERVAL, False

    def show_progress(done: int, total: int) -> None:
        nonlocal last_update, is_shown
        now = clock()
        if done == total and is_shown:
            stream.write(CLEAR)
        elif done < total and now - last_update >= _UPDATE_INTERVAL:
            last_update, is_shown = now, True
            stream.write(f"{CLEAR}{done:,} of {total:,} {things}")
        stream.flush()

    return show_progress
