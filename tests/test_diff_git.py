"""Editions that are revisions of Git."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.compile.editions import NoEditionError, open_edition, unpack

PAIR = Path(__file__).parent / "data" / "editions"
Said = Callable[..., tuple[int, str, str]]


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Ferry", "-c", "user.email=ferry@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The older edition is tagged, the newer one lies there, not committed; the book is a folder in a larger whole."""
    home = tmp_path / "shelf"
    book = home / "book"
    shutil.copytree(PAIR / "old", book)
    (home / "other.md").write_text("# Other\n")
    (home / "picture.png").write_bytes(b"\x89PNG")
    (book / "away").symlink_to("/etc")
    git(home, "init", "-q", "-b", "main")
    git(home, "add", ".")
    git(home, "commit", "-q", "-m", "old")
    git(home, "tag", "v1")
    shutil.rmtree(book)
    shutil.copytree(PAIR / "new", book)
    monkeypatch.chdir(book)
    monkeypatch.delenv("CI", raising=False)
    return book


@pytest.fixture
def diff(ran: Said) -> Said:
    return partial(ran, "diff")


def test_a_revision_against_what_lies_here(repository: Path, diff: Said) -> None:
    status, printed, _ = diff("v1")
    assert status == 0
    assert "The smallest roll on which they differ: 1 1 5 (pool 3, wind 4): swamped" in printed
    assert "index.md:3:50: crossing.md#rowing-across → crossing.md#taking-the-oars" in printed
    assert diff("v1", "--fix", "-q")[0] == 0
    assert main(["check"]) == 0
    assert (repository / "aliases.toml").exists()


def test_two_revisions(repository: Path, diff: Said) -> None:
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "new")
    assert diff("v1", "HEAD") == diff("v1")
    assert diff("HEAD", "HEAD") == (0, "Nothing has changed.\n", "")
    assert diff("v1", "HEAD", "--fix")[0] == 2  # what a revision says cannot be mended


def test_a_folder_goes_before_a_revision(repository: Path, diff: Said) -> None:
    shutil.copytree(PAIR / "new", repository / "v1")
    assert diff("v1", "v1") == (0, "Nothing has changed.\n", "")


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("name", ["v2", "v1:book/index.md", "HEAD~9", "", "v1..HEAD", "a b", "\u202e"])
def test_no_such_revision(name: str, diff: Said) -> None:
    status, printed, wrong = diff("--", name, "v1")
    if name:
        assert (status, printed) == (2, "")
        assert "no folder and no revision" in wrong
    else:
        assert status == 0  # no name is the folder in which one stands


def test_a_name_is_no_option_of_git(repository: Path) -> None:
    for name in ("--output=stolen", "-h", "--all"):
        with pytest.raises(NoEditionError, match="no folder and no revision"), open_edition(name, repository):
            pass
    assert not (repository / "stolen").exists()


def test_outside_of_any_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, diff: Said) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    status, _, wrong = diff("v1")
    assert status == 2
    assert (
        wrong
        == "rulewright: there is no folder v1, and no Git repository that could have such a revision; name a folder\n"
    )


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch, diff: Said) -> None:
    monkeypatch.setenv("PATH", str(repository))
    status, _, wrong = diff("v1")
    assert status == 2
    assert "there is no Git on this machine" in wrong


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
def test_a_git_that_does_not_answer(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = repository / "git"
    slow.write_text("#!/bin/sh\nexec /bin/sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(repository))
    monkeypatch.setattr("rulewright.compile.editions.TIMEOUT_SECONDS", 0)
    with pytest.raises(NoEditionError, match="did not answer"), open_edition("v1", repository):
        pass


def test_a_folder_with_the_settings_of_a_site(repository: Path, monkeypatch: pytest.MonkeyPatch, diff: Said) -> None:
    """Compared are the pages of the site, and paths count from their root; beside it another edition may lie."""
    home = repository.parent
    (home / "mkdocs.yml").write_text("site_name: Ferry\ndocs_dir: book\n")
    shutil.copytree(PAIR / "old", home / "archive" / "v0")
    monkeypatch.chdir(home)
    for old in ("v1", "archive/v0"):
        status, printed, _ = diff(old, ".", "--markdown")
        assert status == 0
        assert (
            "Rowing across → Taking the oars (crossing.md\\#rowing-across → crossing.md\\#taking-the-oars)" in printed
        )
    assert diff("archive/v0", ".", "--fix", "-q")[0] == 0
    assert '"crossing.md#rowing-across" = "crossing.md#taking-the-oars"' in (repository / "aliases.toml").read_text()
    assert main(["check", "book"]) == 0


def test_only_plain_files_that_matter(tmp_path: Path) -> None:
    """No way out of the folder, no links, nothing large, no pictures."""
    import io
    import tarfile

    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as files:
        for name in ("page.md", "in/game.toml", "../out.md", "/abs.md", "picture.png"):
            entry = tarfile.TarInfo(name)
            entry.size = 1
            files.addfile(entry, io.BytesIO(b"x"))
        link = tarfile.TarInfo("link.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        files.addfile(link)
    root = tmp_path / "root"
    root.mkdir()
    unpack(stream.getvalue(), root)
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["root/in/game.toml", "root/page.md"]
