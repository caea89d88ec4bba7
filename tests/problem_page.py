"""The sections of the handbook page "Problems": what is said of a code, what is wrong in its files, what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from rulewright.compile.book import CompiledBook, compile_book
from rulewright.render.export import EXPORTERS, BookExport
from rulewright.render.reports import format_problems as printed
from rulewright.source import Problem, sort_problems

FILE = Path(__file__).parent.parent / "rules" / "handbook" / "problems.md"
FENCE = re.compile(
    r'^(?P<ticks>`{3,})(?P<lang>\w+)(?: title="(?P<name>[^"]+)")?\n(?P<text>.*?)^(?P=ticks)$', re.MULTILINE | re.DOTALL
)
HEADING = re.compile(r"^### `([a-z-]+)`$")
PAGE = "page.md"


class Section(NamedTuple):
    code: str
    words: str
    files: dict[str, str]
    message: str | None  # what stands there as printed


def sections(text: str) -> list[Section]:
    return [section(code, part) for code, part in parts(text)]


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Each code with all that stands below its heading; what looks like a heading inside of a fence is none."""
    code, lines, fence = "", list[str](), ""
    for line in text.splitlines(keepends=True):
        ticks = re.match("`{3,}", line)
        if ticks and (not fence or line.rstrip() == fence):
            fence = "" if fence else ticks[0]
        if not fence and line.startswith("#"):
            if code:
                yield code, "".join(lines)
            heading = HEADING.match(line.rstrip())
            code, lines = heading[1] if heading else "", []
        else:
            lines.append(line)
    if code:
        yield code, "".join(lines)


def section(code: str, below: str) -> Section:
    fences = list(FENCE.finditer(below))
    files = {fence["name"] or PAGE: fence["text"] for fence in fences if fence["lang"] != "output"}
    messages = [fence["text"] for fence in fences if fence["lang"] == "output"]
    return Section(code, FENCE.sub("", below).strip(), files, messages[0] if messages else None)


def base(text: str) -> dict[str, str]:
    """The game at the head of the page, to which all sections belong."""
    fence = FENCE.search(text)
    assert fence
    assert fence["name"] == "game.toml"
    return {"game.toml": fence["text"]}


def found(one: Section, game: dict[str, str], folder: Path) -> list[Problem]:
    """Every problem of the book that a section shows; what only an export notices is found by one."""
    for name, text in {**game, **one.files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (folder / "ferry.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', "utf-8")
    (folder / "ferry.webm").write_bytes(b"no picture")
    with chdir(folder):
        return told(one, folder)


def told(one: Section, folder: Path) -> list[Problem]:
    compiled = compile_book([folder], folder)
    exported = export(compiled, folder) if one.code.startswith("export-") else []
    return sort_problems([*CompiledBook(**{**vars(compiled), "with_info": True}).problems, *exported])


def export(compiled: CompiledBook, folder: Path) -> list[Problem]:
    """What the makers of files say that cannot hold all of a book; the same words of two count once."""
    makers = [import_module(f"rulewright.render.{name}").make for form, name in EXPORTERS.items() if form != "zip"]
    told = [problem for make in makers for problem in make(BookExport(compiled, folder), lambda _title: None)[1]]
    return list(dict.fromkeys(told))


def first(one: Section, problems: list[Problem]) -> str:
    """What the tool prints of the first problem with the code of the section."""
    return printed([problem for problem in problems if problem.code == one.code][:1]) + "\n"


def replaced(text: str, one: Section, message: str) -> str:
    """The page with another message in one section."""
    before, heading, below = text.partition(f"\n### `{one.code}`\n")
    return before + heading + below.replace(f"```output\n{one.message}```", f"```output\n{message}```", 1)
