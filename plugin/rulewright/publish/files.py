"""Files written whole: whoever looks finds the old one or the new one, never half of either."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path as File

HALF = ".part"


def write_whole(file: File, data: bytes) -> None:
    clear_strays(file)
    half = file.with_name(f".{file.name}.{os.getpid()}{HALF}")
    try:
        with half.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        half.replace(file)
    except OSError as error:
        with suppress(OSError):
            half.unlink()
        raise OSError(error.errno, error.strerror, str(file)) from error


def clear_strays(file: File) -> None:
    """What is left of runs that were ended before they were done."""
    stray = re.compile(rf"\.{re.escape(file.name)}\.([0-9]+){re.escape(HALF)}")
    for other in file.parent.iterdir() if file.parent.is_dir() else ():
        found = stray.fullmatch(other.name)
        if found and not is_running(int(found[1])):
            with suppress(OSError):
                other.unlink()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return process != os.getpid()
