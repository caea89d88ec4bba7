"""Shows a long text one screen at a time."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence

from .terminal import PAINTED, WIDTH, Screen

_WIDEST = 100  # columns of text that still read well


def text_width(screen: Screen) -> int:
    """The columns to fill: those of the terminal, within reason."""
    return min(shutil.get_terminal_size().columns, _WIDEST) if screen.stream.isatty() else WIDTH


def show(lines: Sequence[str], screen: Screen) -> None:
    """Print lines; on a terminal that they do not fit on, through a pager."""
    command = _pager() if screen.stream.isatty() and len(lines) >= shutil.get_terminal_size().lines else []
    if not command:
        screen.print(*lines)
        return
    text = "\n".join(lines if screen.color else [PAINTED.sub("", line) for line in lines]) + "\n"
    screen.stream.flush()
    environment = {"LESS": "FRX", **os.environ}  # less: quit if one screen is enough, show colors, leave the text there
    encoded = text.encode(screen.stream.encoding or "utf-8", "replace")
    subprocess.run(command, input=encoded, env=environment, check=False)


def _pager() -> list[str]:
    """The command that the user asks for in PAGER, else `less`; none if there is none."""
    command = shlex.split(os.environ.get("PAGER", "less"))
    return command if command and shutil.which(command[0]) else []
