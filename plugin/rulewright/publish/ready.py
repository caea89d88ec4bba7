"""Templates made ready to be filled are kept beside ours, as Python keeps its modules. To make those of a theme ready
is a third of what a site takes to start."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from jinja2 import BytecodeCache, Environment, compiler
from jinja2.bccache import Bucket

TEMPLATES = Path(__file__).parent / "templates"


class Ready(BytecodeCache):
    """Those of one site are not kept: nobody would ever clear them away."""

    def __init__(self, site: Path | None) -> None:
        self.site = site
        self.setting = ""

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        self.setting = self.setting or "\n".join(setting(environment))
        return super().get_bucket(environment, name, filename, source)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """Nothing for one that is not kept."""
        if filename is None or (self.site and Path(filename).is_relative_to(self.site)):
            return ""
        return sha256(f"{name}\n{filename}\n{self.setting}".encode()).hexdigest()[:16]

    def load_bytecode(self, bucket: Bucket) -> None:
        """What is not there or damaged is made again."""
        if bucket.key:
            with suppress(OSError, EOFError, UnpicklingError), place(bucket).open("rb") as opened:
                bucket.load_bytecode(opened)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Where that is not allowed, each process makes them ready for itself."""
        if not bucket.key or sys.dont_write_bytecode:
            return
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
    return Path(cache_from_source(str(TEMPLATES / f"{bucket.key}.py")))


def setting(environment: Environment) -> Iterator[str]:
    """What the code of a template rests on besides its text: who compiles it, how templates are written, and what may
    already be worked out then."""
    made = Path(compiler.__file__).stat()
    yield f"{compiler.__file__} {made.st_mtime_ns} {made.st_size}"
    yield str(sorted((name, one) for name, one in vars(environment).items() if isinstance(one, str | bool)))
    yield str(sorted(environment.extensions))
    for table in (environment.filters, environment.tests, {"finalize": environment.finalize}):
        yield str(sorted((name, origin(one)) for name, one in table.items()))


def origin(one: Any) -> str:
    named = one if hasattr(one, "__qualname__") else type(one)
    return f"{named.__module__}.{named.__qualname__}"
