"""How far a long check has come, for people who wait at a terminal."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TextIO

PATIENCE = 0.5  # seconds before anything is shown
EVERY = 0.1
CLEAR = "\r\033[K"


def progress(stream: TextIO, clock: Callable[[], float] = monotonic) -> Callable[[int, int], None]:
    """Told how many pages are done of how many; shows it on one line, which is gone in the end."""
    if not stream.isatty():
        return lambda _done, _pages: None
    last, shown = clock() + PATIENCE - EVERY, False

    def tell(done: int, pages: int) -> None:
        nonlocal last, shown
        now = clock()
        if done == pages and shown:
            stream.write(CLEAR)
        elif done < pages and now - last >= EVERY:
            last, shown = now, True
            stream.write(f"{CLEAR}{done:,} of {pages:,} pages")
        stream.flush()

    return tell
