"""Slips that would otherwise pass without a word: what was meant is not read, and its author has to hear of it."""

from __future__ import annotations

from pathlib import Path

from rulewright.compile.books import CheckedPage, compile_book

GAME = """```game
title = "Jobs"
[rules.job]
inputs.pool = { min = 1, max = 9, default = 2 }
dice.pool = { count = "pool", sides = 6 }
steps.hits = "sum(pool)"
outcomes.clean = { when = "hits >= 5" }
outcomes.botch = {}
```
"""


def page(folder: Path, text: str, name: str = "page.md") -> CheckedPage:
    (folder / name).write_text(text, "utf-8")
    (found,) = [one for one in compile_book([folder], folder).pages if one.file.name == name]
    return found


def told(found: CheckedPage) -> list[tuple[str, str, str]]:
    return [(problem.code, problem.span.text, problem.message) for problem in found.problems]


def test_a_second_game_of_a_page_is_too_much(tmp_path: Path) -> None:
    found = page(tmp_path, f"# Jobs\n\n{GAME}\n```game\ntitle = \n```\n\n```roller\npool: 3\n```\n")
    message = "this page has a game already, in line 3; one page holds one game"
    assert told(found) == [("block-game", "game", message)]
    assert [block.status for block in found.blocks] == ["passed", "error", "passed"]
