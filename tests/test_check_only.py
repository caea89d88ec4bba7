"""`check --only`: some blocks, and nothing of the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from small_book import BLOCK, WRONG, write

Said = Callable[..., tuple[int, str, str]]
DRIFTED = "Example: Ann tosses three coins. The degree is 4.\n\n" + BLOCK
NAMED = WRONG.replace("rule:", "id: named\nrule:")
UNKNOWN = BLOCK.replace("coins:", "cions:")


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pages = {
        "a.md": f"# One\n\n{BLOCK}\n{WRONG}\n[x](#gone)\n\n## Two\n\n{NAMED}",
        "sub/b.md": f"# One\n\n{WRONG}\n# Told\n\n{DRIFTED}\n# Misspelled\n\n{UNKNOWN}",
    }
    monkeypatch.chdir(write(tmp_path, pages))
    return tmp_path


@pytest.fixture
def check(ran: Said) -> Said:
    return partial(ran, "check")


@pytest.mark.parametrize(
    ("ids", "status", "summary"),
    [
        (["one.1"], 1, "2 pages, 2 blocks, 1 error"),  # the same id on two pages
        (["a.md::one.1"], 0, "1 page, 1 block, no problems"),
        (["./a.md::one.2"], 1, "1 page, 1 block, 1 error"),
        (["named"], 1, "1 page, 1 block, 1 error"),
        (["named", "a.md::one.2"], 1, "1 page, 2 blocks, 2 errors"),
        (["named", "sub/b.md::one.1"], 1, "2 pages, 2 blocks, 2 errors"),
        (["told.1"], 0, "1 page, 1 block, 1 warning"),  # its text has drifted from it
    ],
)
def test_what_is_counted(ids: list[str], status: int, summary: str, check: Said) -> None:
    found, printed, _ = check(*(word for name in ids for word in ("--only", name)))
    lines = [line for line in printed.splitlines() if not line.startswith("for details: ")]
    assert (found, lines[-1]) == (status, summary)


def test_what_is_printed(check: Said, golden: Callable[[str, str], None]) -> None:
    _, printed, _ = check("--only", "misspelled.1", "--only", "told.1")
    golden("only/two.txt", printed)


def test_the_same_as_data(check: Said) -> None:
    data = json.loads(check("--only", "a.md::one.2", "--format", "json")[1])
    assert data["summary"] | {"pages": 1, "blocks": 1, "failed": 1, "passed": 0} == data["summary"]
    assert [block["id"] for block in data["blocks"]] == ["one.2"]
    assert [problem["code"] for problem in data["problems"]] == ["example-degree"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("tld.1", "; did you mean told.1?"),
        ("a.md::one.3", "; did you mean a.md::one.2?"),
        ("b.md::one.1", "; did you mean sub/b.md::one.1?"),
        ("xyz", ""),
    ],
)
def test_ids_that_no_block_has(name: str, near: str, check: Said) -> None:
    assert check("--only", "told.1", "--only", name) == (2, "", f'rulewright: there is no block "{name}"{near}\n')
