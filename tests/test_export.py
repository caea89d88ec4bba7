"""Exports: the same bytes on every run, complete or not written at all, one clear message on failure."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from example_counts import sample
from rulewright.cli import main
from small_book import BLOCK, write

FORMATS = ("html", "epub", "pdf", "zip")
ROLLER = "```roller\nrule: toss\ncoins: 3\n```\n"
PAGES = {
    "index.md": f"# Coins\n\nSee [the toss](toss.md#heads). HP.\n\n*[HP]: Hit points\n\n{BLOCK}\n{ROLLER}",
    "toss.md": "# Toss\n\n## Heads\n\n![a die](dice.svg) Höhe\n\nTerm\n: Means something.\n",
    "dice.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>",
    "pyproject.toml": '[tool.rulewright]\ntitle = "Coins"\n',
}
UNTITLED = {"one.md": f"{BLOCK}\n{ROLLER}\n[once more](roll:toss?coins=3)\n", "more/two.md": "Words.\n"}
STOPPED = """
import os, sys
from rulewright.cli import main
form, out, book, last = sys.argv[1:]
folder, count = os.path.dirname(out), 0

def touch(event, arguments):  # nothing more happens to the folder of the export after so many events
    global count
    if event in ("open", "os.rename", "os.remove", "os.chmod") and str(arguments[0]).startswith(folder):
        count += 1
        if count == int(last):
            os._exit(9)

sys.addaudithook(touch)
assert main(["export", form, book, "-o", out]) == 0
os._exit(0)
"""
EVERY = """
import sys
from rulewright.cli import main
folder, *forms = sys.argv[1:]
for form in forms:
    assert main(["export", form, "-o", f"{folder}.{form}"]) == 0
"""
LOOP = """
import os, sys
from rulewright.cli import main
form, out, *books = sys.argv[1:]
sys.stdout = open(os.devnull, "w")
while True:
    for book in books:
        assert main(["export", form, book, "-o", out]) == 0
        os.write(2, b".")
"""


def export(form: str, folder: Path) -> bytes:
    """What the command makes of a book in that folder."""
    assert main(["export", form, str(folder), "-o", str(folder / "book")]) == 0
    return (folder / "book").read_bytes()


def export_all(folder: Path, **world: str) -> list[bytes]:
    """What another process makes of a book in that folder, in every format."""
    command = [sys.executable, "-c", EVERY, str(folder), *FORMATS]
    subprocess.run(command, cwd=folder, env=os.environ | world, check=True, capture_output=True)
    return [folder.with_suffix(f".{form}").read_bytes() for form in FORMATS]


@pytest.mark.parametrize("pages", sample([PAGES, UNTITLED], 2), ids=["titled", "untitled"])
def test_the_same_book_gives_the_same_bytes(tmp_path: Path, pages: dict[str, str]) -> None:
    """Whatever its folder is called, with a name for the book or without one."""
    one, other = write(tmp_path / "one", pages), write(tmp_path / "ein anderer" / "Ort", pages)
    first = export_all(one, TZ="Pacific/Kiritimati", LC_ALL="C", PYTHONHASHSEED="1")
    assert first == export_all(other, TZ="America/Adak", LC_ALL="C.UTF-8", PYTHONHASHSEED="2")


def killed_at_any_moment(tmp_path: Path, form: str, times: int) -> None:
    """Two books go to the same file in turns, until somebody pulls the plug."""
    books = [write(tmp_path / name, PAGES | {"extra.md": f"# {name}\n\n{text}"}) for name, text in
             (("one", BLOCK), ("two", "Words. " * 3000))]  # fmt: skip
    wholes = {export(form, book) for book in books}
    for book in books:
        (book / "book").unlink()
    out = tmp_path / "shelf" / "book.file"
    out.parent.mkdir()
    out.write_bytes(next(iter(wholes)))
    rng = random.Random(form)
    for _ in range(times):
        command = [sys.executable, "-c", LOOP, form, str(out), *map(str, books)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, bufsize=0) as running:
            assert running.stderr
            assert running.stderr.read(1) == b"."
            time.sleep(rng.random() * 0.15)
            running.kill()
        assert out.read_bytes() in wholes
    assert main(["export", form, str(books[0]), "-o", str(out)]) == 0
    assert [file.name for file in out.parent.iterdir()] == [out.name]


@pytest.mark.skipif(os.name == "nt", reason="a process cannot end itself by a signal there")
@pytest.mark.parametrize("form", sample(["html", "epub"], 2))
def test_a_killed_export_leaves_a_whole_file(tmp_path: Path, form: str) -> None:
    """It is killed before each thing that it does to the folder of its file, until it does no more."""
    old, new = write(tmp_path / "one", PAGES), write(tmp_path / "two", PAGES | {"extra.md": "# Two\n"})
    before, after = export(form, old), export(form, new)
    out = tmp_path / "shelf" / "book.file"
    out.parent.mkdir()
    out.write_bytes(before)
    codes: list[int] = []
    while 0 not in codes:
        assert len(codes) < 20
        command = [sys.executable, "-c", STOPPED, form, str(out), str(new), str(len(codes) + 1)]
        codes.append(subprocess.run(command, check=False, capture_output=True).returncode)
        assert out.read_bytes() == (after if codes[-1] == 0 else before)
    assert codes[:-1] == [9] * (len(codes) - 1)
    assert len(codes) > 2
    assert [file.name for file in out.parent.iterdir()] == [out.name]


@pytest.mark.long
@pytest.mark.parametrize("form", FORMATS[:3])  # a zip takes its time elsewhere, and is written like the others
def test_two_hundred_killed_exports_leave_a_whole_file(tmp_path: Path, form: str) -> None:
    killed_at_any_moment(tmp_path, form, 200)


@pytest.mark.skipif(os.name == "nt", reason="which process runs is not asked there")
def test_what_killed_exports_left_is_cleared_away(tmp_path: Path) -> None:
    book = write(tmp_path / "coins", PAGES)
    dead = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True
    )
    strays = [
        tmp_path / f".out.html.{int(dead.stdout)}.part",
        tmp_path / ".out.html.1.part",
        tmp_path / ".other.9.part",
    ]
    for stray in strays:
        stray.write_bytes(b"half")
    assert main(["export", "html", str(book), "-o", str(tmp_path / "out.html")]) == 0
    assert [stray.exists() for stray in strays] == [False, True, True]  # the first process runs as long as the machine


@pytest.mark.parametrize("form", sample(FORMATS[::-1], 3))
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, form: str) -> None:
    folder = write(tmp_path, PAGES)
    (folder / "out").write_bytes(b"old")

    resource = pytest.importorskip("resource", reason="limits of processes exist on Unix only")

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    command = [sys.executable, "-B", "-m", "rulewright", "export", form, "-o", "out"]
    ran = subprocess.run(command, cwd=folder, preexec_fn=full, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith("rulewright: ")
    assert ran.stderr.count("\n") == 1
    assert ("File" if form == "zip" else "out: File") + " too large" in ran.stderr
    assert (folder / "out").read_bytes() == b"old"
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_from_outside_of_the_book_comes_along(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither by its path nor by way of links on the disk, to a file or to a folder."""
    drawing = PAGES["dice.svg"].replace("<rect ", "<!-- hush --><rect ")
    write(tmp_path / "secret", {"dice.svg": drawing})
    page = "# Coins\n\n![one](../secret/dice.svg) ![two](link.svg) ![three](folder/dice.svg)\n"
    book = write(tmp_path / "book", {"index.md": page, "pyproject.toml": "[tool.rulewright]\nfail_on = 'never'\n"})
    (book / "link.svg").symlink_to(tmp_path / "secret" / "dice.svg")
    (book / "folder").symlink_to(tmp_path / "secret")
    monkeypatch.chdir(tmp_path)
    assert main(["export", form, "book", "-o", "out"]) == 0
    data = Path("out").read_bytes()
    inside = [data] if form in ("html", "pdf") else read_all(data)
    assert not [one for one in inside if b"hush" in one or b64encode(drawing.encode())[:40] in one]
    assert capsys.readouterr().err.count("[export-picture]") == (2 if form == "zip" else 3)


def read_all(data: bytes) -> list[bytes]:
    with ZipFile(BytesIO(data)) as zipped:
        return [zipped.read(name) for name in zipped.namelist()]


@pytest.mark.parametrize("place", ["/proc/book.html", "nowhere/book.html", "index.md/book.html"])
def test_where_nothing_can_be_written(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(write(tmp_path, PAGES))
    assert main(["export", "html", "-o", place]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert place in said
    assert "mistake in rulewright" not in said


@pytest.mark.parametrize(
    ("form", "name", "text", "word"), [("pdf", "site_overrides/book.typ", "#let x = (", "unclosed delimiter")]
)
def test_what_a_book_brings_along_may_be_wrong(
    tmp_path: Path,
    form: str,
    name: str,
    text: str,
    word: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(write(tmp_path, PAGES | {name: text}))
    status, said = main(["export", form, "-o", "out"]), capsys.readouterr().err
    assert status == (2 if word else 0)
    assert word in said
    assert "mistake in rulewright" not in said


def test_a_font_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write(tmp_path, PAGES | {"site_overrides/fonts/none.ttf": "no font"}))
    assert main(["export", "pdf", "-o", "out.pdf"]) == 0
