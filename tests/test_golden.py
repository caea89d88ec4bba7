from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def golden_folder(tmp_path: Path) -> Path:
    return tmp_path


def test_a_golden_is_written_on_request_and_compared_otherwise(
    golden: Callable[[str, str], None], golden_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_GOLDEN", "1")
    golden("deep/er.txt", "ein Würfel\r\n")
    assert (golden_folder / "deep/er.txt").read_bytes() == "ein Würfel\r\n".encode()

    monkeypatch.delenv("RULEWRIGHT_GOLDEN")
    golden("deep/er.txt", "ein Würfel\r\n")
    with pytest.raises(AssertionError, match="make golden"):
        golden("deep/er.txt", "ein Würfel\n")
    with pytest.raises(AssertionError, match="does not exist"):
        golden("other.txt", "")
