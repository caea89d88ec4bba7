"""The site of this repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from built_site import links, works

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    return folder, subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


Built = tuple[Path, subprocess.CompletedProcess[str]]


def test_the_site_builds_without_a_warning(built: Built) -> None:
    folder, build = built
    assert build.returncode == 0, build.stderr
    assert (folder / "index.html").exists()
    assert not list(folder.rglob("game.toml")), "games are data, not pages"


def test_every_link_of_the_site_works(built: Built) -> None:
    folder, _ = built
    found = links(folder)
    assert len(found) > 100
    assert [link for link in found if not works(folder, *link)] == []
