"""Templates of cards, kept ready beside them as Python keeps its modules."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

from jinja2 import BytecodeCache, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

TEMPLATES = Path(__file__).parent.parent / "templates"
OWN = "rulewright"  # the folder of a theme's overrides in which cards are looked for first


class Ready(BytecodeCache):
    """Ours only: nothing is put into the folders of others."""

    def load_bytecode(self, bucket: Bucket) -> None:
        file = place(bucket)
        if file.is_file():
            with file.open("rb") as opened:
                bucket.load_bytecode(opened)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Where that is not allowed, each process makes them ready for itself."""
        file = place(bucket)
        part = file.with_name(f"{file.name}.{os.getpid()}")
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            with part.open("wb") as opened:
                bucket.write_bytecode(opened)
            part.replace(file)
        with suppress(OSError):
            part.unlink(missing_ok=True)


def place(bucket: Bucket) -> Path:
    return Path(cache_from_source(str(TEMPLATES / f"{bucket.key[:16]}.py")))


def has_own(overrides: Path | None) -> bool:
    return overrides is not None and (overrides / OWN).is_dir()


@cache
def environment(overrides: Path | None) -> Environment:
    """Templates of the site come before ours."""
    folders = [FileSystemLoader(folder) for folder in (overrides and overrides / OWN, TEMPLATES) if folder]
    ready = None if has_own(overrides) or sys.dont_write_bytecode else Ready()
    return Environment(
        loader=ChoiceLoader(folders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        bytecode_cache=ready,
    )
