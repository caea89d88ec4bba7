"""Windows and macOS, simulated: drives, letter case, decomposed letters, line ends, consoles, pipes, open files.

What only the real system shows is tested where the suite runs there; `.github/workflows/test.yml` runs it on all three.
"""

from __future__ import annotations

import ast
import errno
import importlib.util
import io
import json
import ntpath
import os
import posixpath
import re
import shlex
import stat
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

import built_site
import rulewright
from rulewright import paths
from rulewright.book import disk
from rulewright.cli import main, streams
from rulewright.cli.check import require_one_drive
from rulewright.cli.terminal import COMMANDS, CommandError
from rulewright.compile import game_tables, workers
from rulewright.compile.book import compile_book
from rulewright.game import load
from rulewright.globs import matches_any
from rulewright.render import export
from small_book import BLOCK, GAME, WRONG

ROOT = Path(__file__).parent.parent
Ran = Callable[..., tuple[int, str, str]]


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


# Paths


@pytest.mark.parametrize(
    ("path", "start", "rules", "expected"),
    [
        (r"C:\books\salt\a.md", r"C:\books\salt", ntpath, "a.md"),
        (r"C:\books\salt\gm\a.md", r"C:\books\other", ntpath, "../salt/gm/a.md"),
        (r"c:\Books\Salt\a.md", r"C:\books\salt", ntpath, "a.md"),
        (r"D:\salt\a.md", r"C:\books", ntpath, "D:/salt/a.md"),
        (r"\\shelf\books\salt\a.md", r"C:\books", ntpath, "//shelf/books/salt/a.md"),
        (r"\\shelf\books\salt\a.md", r"\\shelf\books", ntpath, "salt/a.md"),
        ("/books/salt/a\\b.md", "/books", posixpath, "salt/a\\b.md"),
    ],
)
def test_paths_are_written_with_slashes(path: str, start: str, rules: Any, expected: str) -> None:
    assert paths.relative_path(path, start, rules) == expected


@pytest.mark.parametrize(
    ("names", "is_refused"),
    [
        ((r"C:\books\a", r"c:\books\b"), False),
        ((r"C:\books", r"D:\books"), True),
        ((r"\\shelf\books\a", r"C:\books"), True),
        ((r"\\shelf\books\a", r"\\shelf\books\b"), False),
    ],
)
def test_a_check_stays_on_one_drive(names: tuple[str, ...], is_refused: bool) -> None:
    places = [PureWindowsPath(name) for name in names]
    if not is_refused:
        require_one_drive(places)
        return
    with pytest.raises(CommandError, match="on different drives"):
        require_one_drive(places)


@pytest.mark.parametrize(
    ("command", "status"), [("export html {book} -o {other}/out.html", 0), ("new {other}/fresh", 0)]
)
def test_output_on_another_drive(
    tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch, command: str, status: int
) -> None:
    """Between two drives of Windows there is no relative path."""
    book, other = write(tmp_path / "book", {"index.md": "# A\n"}), write(tmp_path / "other", {"x.txt": ""})
    relpath = os.path.relpath

    def refuse(path: Any, start: Any = os.curdir) -> str:
        if "other" in str(path):
            raise ValueError("path is on mount 'D:', start on mount 'C:'")
        return str(relpath(path, start))

    monkeypatch.setattr(os.path, "relpath", refuse)
    found, out, err = ran(*command.format(book=book, other=other).split())
    assert (found, err) == (status, "")
    assert other.as_posix() in out


@pytest.mark.parametrize("pattern", ["drafts", "drafts/", r"drafts\old", r".\drafts", r"drafts\*.md", "drafts/**"])
def test_patterns_may_be_written_with_backslashes(pattern: str) -> None:
    assert matches_any("drafts/old.md" if pattern.endswith(".md") else "drafts/old/a.md", [pattern])


@pytest.mark.parametrize("name", ["rules/page.md::toss.1", r"rules\page.md::toss.1", r".\rules\page.md::toss.1"])
def test_a_block_may_be_named_with_backslashes(
    tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write(tmp_path, {"rules/game.toml": GAME, "rules/page.md": f"# Toss\n\n{BLOCK}\n# Other\n\n{WRONG}"})
    monkeypatch.chdir(tmp_path)
    block_id = json.loads(ran("check", "--format", "json")[1])["blocks"][0]["id"]
    status, out, _ = ran("check", "--only", name.replace("toss.1", block_id))
    assert status == 0
    assert "1 block, no problems" in out


@pytest.mark.parametrize("name", ["coins/toss", r"coins\toss", r"COINS\Toss"])
def test_a_rule_may_be_named_with_a_backslash(
    tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write(tmp_path, {"coins/game.toml": GAME, "cards/game.toml": GAME.replace("Coins", "Cards", 1)})
    monkeypatch.chdir(tmp_path)
    status, out, _ = ran("odds", name, "coins=2", "--json")
    assert status == 0
    assert json.loads(out)["game"] == "coins"


def test_paths_in_reports_have_slashes(tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"rules/game.toml": GAME, "rules/gm/page.md": f"# Toss\n\n{WRONG}\n![map](maps/gone.png)\n"})
    monkeypatch.chdir(tmp_path)
    report = json.loads(ran("check", str(Path("rules", "gm")), "--format", "json")[1])
    assert {problem["path"] for problem in report["problems"]} == {"rules/gm/page.md"}
    assert "file=rules/gm/page.md," in ran("check", "rules", "--format", "github")[1]
    assert "rules/gm/page.md:8:9: " in ran("check", "rules")[1]


# Names in other letters


FOLDERS = {".": ["book"], "book": ["Maps", "U\u0308bersicht.md"], "book/Maps": ["Coast.png"]}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("book/Maps/Coast.png", True),
        ("./book/Maps/../Maps/Coast.png", True),
        ("book/Maps/coast.png", False),
        ("book/maps/Coast.png", False),
        ("Book/Maps/Coast.png", False),
        ("book/\u00dcbersicht.md", True),
        ("book/\u00fcbersicht.md", False),
    ],
)
def test_a_name_in_another_case_counts_as_missing(path: str, expected: bool) -> None:
    """A file system that ignores case lists the folder under any spelling; servers do not."""
    folders = {name.lower(): names for name, names in FOLDERS.items()}

    def list_names(folder: str) -> list[str]:
        return folders[folder.replace(os.sep, "/").lower()]

    assert paths.is_spelled_as_on_disk(path, ignores_case=True, list_names=list_names) is expected
    assert paths.is_spelled_as_on_disk(path, ignores_case=False, list_names=list_names)


@pytest.mark.parametrize(
    ("files", "module", "place", "message"),
    [
        (
            {"game.toml": f'{GAME}\n[tables.gear]\npage = "Gear.md"\n', "gear.md": "# A\n"},
            game_tables,
            "game.toml",
            "there is no such page",
        ),
        (
            {"base/game.toml": GAME, "own/game.toml": 'title = "A"\nextends = "../Base"\n'},
            load,
            "own/game.toml",
            "did you mean ../base?",
        ),
    ],
    ids=["page", "extends"],
)
def test_games_name_files_in_their_own_case(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str | bytes],
    module: ModuleType,
    place: str,
    message: str,
) -> None:
    """What `page` and `extends` name exists in another case only, and the file system opens it all the same."""
    write(tmp_path, files)
    real_file, real_stat, real_bytes, real_path = Path.is_file, Path.stat, Path.read_bytes, os.path.realpath

    def on_disk(path: Path) -> Path:
        return Path(str(path).replace("Gear.md", "gear.md").replace("Base", "base"))

    monkeypatch.setattr(Path, "is_file", lambda path: real_file(on_disk(path)))
    monkeypatch.setattr(Path, "stat", lambda path, **more: real_stat(on_disk(path), **more))
    monkeypatch.setattr(Path, "read_bytes", lambda path: real_bytes(on_disk(path)))
    monkeypatch.setattr(os.path, "realpath", lambda path, **more: str(on_disk(real_path(path, **more))))
    if os.name == "posix":
        monkeypatch.setattr(
            module, "is_spelled_as_on_disk", lambda path: paths.is_spelled_as_on_disk(path, ignores_case=True)
        )
    problems = compile_book([tmp_path], tmp_path).problems
    assert message in " ".join(problem.message for problem in problems if problem.span.source.path == place)


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Con", "con-book"), ("AUX", "aux-book"), ("LPT1", "lpt1-book"), ("Contests", "contests"), ("…", "book")],
)
def test_no_export_has_the_name_of_a_device(title: str, expected: str) -> None:
    assert export.file_name(title) == expected


def test_a_folder_of_our_own_may_be_entered_in_any_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"Book/map.png": b"x"})
    monkeypatch.chdir(tmp_path / "Book")
    assert paths.is_spelled_as_on_disk(str(Path.cwd() / "map.png"), ignores_case=True)
    assert not paths.is_spelled_as_on_disk(str(Path.cwd() / "MAP.png"), ignores_case=True)


def test_a_picture_in_another_case_is_reported(tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a server, also where the file system finds the picture."""
    write(tmp_path, {"Map.png": b"x", "page.md": "# A\n\n![a](map.png) ![b](Map.png)\n"})
    monkeypatch.chdir(tmp_path)
    found = Path.is_file

    def ignore_case(path: Path) -> bool:
        return found(path) or (path.parent / path.name.capitalize()).exists()

    monkeypatch.setattr(Path, "is_file", ignore_case)
    monkeypatch.setattr(
        disk, "is_spelled_as_on_disk", lambda path: paths.is_spelled_as_on_disk(path, ignores_case=True)
    )
    status, out, _ = ran("check")
    assert status == 1
    assert re.findall(r"^page\.md:3:\d+: error\[(\S+)\]", out, re.MULTILINE) == ["link-missing"]


@pytest.mark.parametrize(
    "link", ["[x](Übersicht.md)", "[x](Übersicht.md#a)", "[x](%C3%9Cbersicht.md)", "[[Übersicht]]"]
)
def test_decomposed_file_names_are_found(tmp_path: Path, link: str) -> None:
    """macOS may store the name of `Übersicht.md` with a U and two dots, which nobody types in a link."""
    name = unicodedata.normalize("NFD", "Übersicht.md")
    assert name != "Übersicht.md"
    write(tmp_path, {name: "# A\n", "page.md": f"# B\n\n{link}\n", "other.md": f"# C\n\n[x]({name})\n"})
    assert [problem.message for problem in compile_book([tmp_path], tmp_path).problems] == []


def test_a_junction_is_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has links to folders that no function of Python 3.11 calls a symbolic link."""
    tag = 0xA0000003
    monkeypatch.setattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", tag, raising=False)
    junction = SimpleNamespace(st_mode=stat.S_IFDIR, st_reparse_tag=tag)
    cloud = SimpleNamespace(st_mode=stat.S_IFDIR, st_reparse_tag=0x9000001A)
    for status, expected in ((junction, True), (cloud, False)):
        monkeypatch.setattr(os, "lstat", lambda _path, status=status: status)
        assert paths.is_link(tmp_path) is expected


def test_a_missing_file_is_no_link(tmp_path: Path) -> None:
    assert not paths.is_link(tmp_path / "gone")
    assert not paths.is_link(tmp_path / "a\0b")


# Encodings and line ends


class Console(io.TextIOWrapper):
    """A stream that may be a terminal."""

    def __init__(self, encoding: str, is_terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="")
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal

    @property
    def bytes(self) -> bytes:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


SLIP = BLOCK.replace("degree: 1", "degree: 1\nheads: 3")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_marks_stay(
    tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch, end: str, mark: str
) -> None:
    monkeypatch.delenv("CI", raising=False)
    page = f"{mark}# Ä\n\n{SLIP}\nTwo 2d6 ‑ dice.\n".replace("\n", end)
    write(tmp_path, {"game.toml": (mark + GAME).replace("\n", end if end != "\r" else "\n"), "page.md": page})
    assert ran("check", str(tmp_path), "--fix")[0] == 0
    assert (tmp_path / "page.md").read_bytes() == page.replace("heads: 3", "heads: 2").encode()


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in its own process, on a system that is not set to UTF-8; with an error for each file opened so."""
    plain = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(ROOT / "plugin")}
    removed = ("FORCE_COLOR", "NO_COLOR", "PYTHONIOENCODING", "LANG", "LC_CTYPE")
    kept = {name: value for name, value in os.environ.items() if name not in removed}
    command = [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    whole = [*command, "-m", "rulewright", *arguments]
    return subprocess.run(whole, cwd=folder, env=kept | plain | environment, capture_output=True, check=False)


LETTERS = GAME.replace('"Coins"', '"Münzen › Würfe"', 1)
PROSE = f"# Der Wurf … «Größe»\n\n{WRONG.replace('degree: 4', 'degree: 4  # −µ→⚅')}"


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("german"), {"game.toml": LETTERS, "page.md": PROSE})


def printed(arguments: tuple[str, ...], encoding: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints on a stream of this encoding."""
    console = Console(encoding)
    monkeypatch.setattr(sys, "stdout", console)
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    main(arguments)
    return console.bytes.decode(encoding).replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("encoding", "heading", "line"),
    [
        ("ascii", 'Der Wurf ... "Grosse" > der-wurf--grosse.1', "degree: 4  # -u->?"),
        ("cp437", "Der Wurf ... «Größe» > der-wurf--größe.1", "degree: 4  # -µ->?"),
        ("cp1252", "Der Wurf … «Größe» › der-wurf--größe.1", "degree: 4  # -µ->?"),
        ("utf-8", "Der Wurf … «Größe» › der-wurf--größe.1", "degree: 4  # −µ→⚅"),
    ],
)
def test_a_console_with_few_letters(
    german: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, heading: str, line: str
) -> None:
    lines = printed(("check", str(german)), encoding, monkeypatch).split("\n")
    assert lines[1:3] == [f"   {heading}", f"   8 | {line}"]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    "arguments",
    ["check --format json", "odds toss coins=2 --json", "roll toss coins=2 --seed 1 --json", "adopt --json"],
)
def test_json_loses_no_letter(german: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, encoding: str) -> None:
    monkeypatch.chdir(german)
    words = tuple(arguments.split())
    text = printed(words, encoding, monkeypatch)
    assert json.loads(text) == json.loads(printed(words, "utf-8", monkeypatch))
    assert "\\u" not in text if encoding == "utf-8" else "Größe" not in text or "⚅" not in text


def test_a_system_that_is_not_set_to_utf8(tmp_path: Path) -> None:
    write(tmp_path, {"game.toml": LETTERS, "page.md": PROSE.replace(WRONG.splitlines()[-2], "degree: 1")})
    found = run(tmp_path, "export", "html", "-o", "out.html", PYTHONIOENCODING="cp1252:strict")
    assert (found.returncode, found.stderr) == (0, b"")
    assert "«Größe»" in (tmp_path / "out.html").read_text("utf-8")


TEXT_CALLS = {"open", "read_text", "fdopen"}
PROCESS_CALLS = {"run", "Popen", "check_output"}


def depends_on_system(call: ast.Call) -> bool:
    """Whether a call reads or writes text in the encoding of the system, or with its line ends."""
    is_method = isinstance(call.func, ast.Attribute)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if name == "write_text":
        return "encoding" not in keywords or "newline" not in keywords
    if "encoding" in keywords:
        return False
    if name in PROCESS_CALLS:
        return "text" in keywords or "universal_newlines" in keywords
    strings = [part.value for part in call.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if name == "read_text":
        return is_method and not strings
    is_binary = any(re.fullmatch(r"[rwxa]\+?b", text) for text in strings)
    return name in TEXT_CALLS and not is_binary and not (is_method and name == "open" and not strings)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("p.read_text()", True),
        ("p.read_text('utf-8')", False),
        ("p.write_text(t)", True),
        ("p.write_text(t, encoding='utf-8')", True),
        ("p.write_text(t, encoding='utf-8', newline='')", False),
        ("p.write_bytes(t.encode())", False),
        ("open(p)", True),
        ("open(p, 'rb')", False),
        ("p.open('w')", True),
        ("p.open('xb')", False),
        ("run(c, text=True)", True),
        ("run(c)", False),
    ],
)
def test_calls_that_name_no_encoding_are_recognized(line: str, expected: bool) -> None:
    call = ast.parse(line, mode="eval").body
    assert isinstance(call, ast.Call)
    assert depends_on_system(call) is expected


def test_no_file_of_the_package_depends_on_the_system() -> None:
    package = Path(rulewright.__file__).parent
    calls = [
        f"{file.name}:{node.lineno}"
        for file in package.rglob("*.py")
        if re.search(rb"open\(|_text\(|subprocess", data := file.read_bytes())
        for node in ast.walk(ast.parse(data))
        if isinstance(node, ast.Call) and depends_on_system(node)
    ]
    assert calls == []


def test_a_site_has_the_same_bytes_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where text files get CRLF unless they are written as bytes."""
    real_open = open

    def open_as_windows(file: Any, mode: str = "r", **more: Any) -> Any:
        return real_open(file, mode, **({"newline": "\r\n"} if "w" in mode and "b" not in mode else {}) | more)

    def write_as_windows(path: Path, text: str, **_: Any) -> int:
        return path.write_bytes(text.replace("\n", "\r\n").encode())

    pages = {"game.toml": GAME, "index.md": f"# Toss\n\n{BLOCK}\n```roller\nrule: toss\n```\n"}
    book = built_site.build(tmp_path, pages, settings=built_site.SETTINGS + "site_url: http://book.example/\n").folder
    expected = {path.relative_to(book): path.read_bytes() for path in book.rglob("*") if path.is_file()}
    monkeypatch.setattr("mkdocs.structure.files.open", open_as_windows, raising=False)
    monkeypatch.setattr(Path, "write_text", write_as_windows)
    again = built_site.again(tmp_path).folder
    changed = [path.as_posix() for path, data in expected.items() if (again / path).read_bytes() != data]
    assert set(changed) <= {"sitemap.xml.gz"}  # which has the time in it
    assert any(path.name.startswith("data-") for path in expected)


# Streams


@pytest.mark.parametrize(
    ("system", "environment", "is_terminal", "expected"),
    [
        ("nt", {}, False, "utf-8"),
        ("nt", {"PYTHONIOENCODING": "cp1252"}, False, "cp1252"),
        ("nt", {}, True, "cp1252"),
        ("posix", {}, False, "cp1252"),
    ],
)
def test_windows_writes_utf8_into_pipes(
    system: str, environment: dict[str, str], is_terminal: bool, expected: str
) -> None:
    console = Console("cp1252", is_terminal)
    streams.prepare_stream(console, system, environment)
    console.write("– › ≥")
    shown = "– › ≥" if expected == "utf-8" else "– › >="
    assert console.bytes == shown.encode(expected)


def test_a_stream_of_another_kind_is_left_alone() -> None:
    stream = io.StringIO()
    streams.prepare_stream(stream, "nt", {})
    assert stream.write("›") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("«a» › “b”", '"a" > "b"'),
        ("2 × 3 ÷ 4 − 1 ≥ ½ → ≈ 2⅔", "2 x 3 / 4 - 1 >= 1/2 -> ~ 22/3"),
        ("Übersicht, Größe, naïve …", "Ubersicht, Grosse, naive ..."),
        ("µ · — 龍", "u - - ?"),
    ],
)
def test_letters_degrade_readably(text: str, expected: str) -> None:
    assert streams.to_plain(text) == expected


@pytest.mark.parametrize(
    ("environment", "is_terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_who_decides_about_colors(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], is_terminal: bool, expected: bool
) -> None:
    monkeypatch.setattr(streams, "_enable_ansi", lambda _stream: True)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert streams.has_color(Console("utf-8", is_terminal)) is expected


def test_an_old_console_gets_no_escape_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(streams, "_enable_ansi", lambda _stream: False)
    assert not streams.is_terminal(Console("cp437", True))
    assert not streams.has_color(Console("cp437", True))


def test_a_closed_pipe_on_windows() -> None:
    assert streams.is_broken_pipe(BrokenPipeError(), "posix")
    assert streams.is_broken_pipe(OSError(errno.EINVAL, "Invalid argument"), "nt")
    assert not streams.is_broken_pipe(OSError(errno.EINVAL, "Invalid argument"), "posix")
    assert not streams.is_broken_pipe(OSError(errno.EINVAL, "Invalid argument", "a.md"), "nt")
    assert not streams.is_broken_pipe(OSError(errno.ENOSPC, "No space left on device"), "nt")


# Files and processes


def test_a_file_that_another_program_holds_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new, file = tmp_path / "new", tmp_path / "file"
    new.write_bytes(b"new")
    file.write_bytes(b"old")
    replace, pauses = Path.replace, list[float]()

    def refuse_twice(path: Path, target: Path) -> Path:
        if len(pauses) < 2:
            raise PermissionError(errno.EACCES, "Access is denied", str(path))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse_twice)
    monkeypatch.setattr(paths, "sleep", pauses.append)
    paths.replace_file(new, file, "nt")
    assert (file.read_bytes(), len(pauses)) == (b"new", 2)


@pytest.mark.parametrize(("system", "tries"), [("nt", 5), ("posix", 1)])
def test_a_file_that_stays_open_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, tries: int
) -> None:
    calls = list[Path]()

    def refuse(path: Path, target: Path) -> Path:
        calls.append(target)
        raise PermissionError(errno.EACCES, "Access is denied", str(path))

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(paths, "sleep", lambda _seconds: None)
    with pytest.raises(PermissionError) as error:
        paths.replace_file(tmp_path / ".page.md.tmp", tmp_path / "page.md", system)
    assert (error.value.filename, len(calls)) == (str(tmp_path / "page.md"), tries)


def test_a_process_is_never_signalled_on_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There, signal 0 is Ctrl-C, sent to every program of the console."""
    stray = tmp_path / f".book.html.{os.getpid()}.part"
    stray.write_bytes(b"half")
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a process was signalled"))
    monkeypatch.setattr(sys, "platform", "win32")
    export.write_atomically(tmp_path / "book.html", b"whole")
    assert [file.name for file in tmp_path.iterdir()] == ["book.html"]


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_one_process_where_fork_is_missing_or_unsafe(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert workers.process_count() == 1


# The workflow


WORKFLOW = ROOT / ".github" / "workflows" / "test.yml"


def workflow() -> dict[str, Any]:
    return dict(yaml.load(WORKFLOW.read_text("utf-8"), yaml.BaseLoader))  # where `on` is not a yes


def commands() -> list[list[str]]:
    steps = workflow()["jobs"]["test"]["steps"]
    lines = (line for step in steps for line in step.get("run", "").splitlines())
    return [shlex.split(line) for line in lines if line.strip()]


def test_the_workflow_covers_three_systems() -> None:
    jobs = workflow()["jobs"]["test"]
    matrix = jobs["strategy"]["matrix"]
    pairs = {(system, python) for system in matrix["system"] for python in matrix["python"]}
    pairs |= {(more["system"], more["python"]) for more in matrix["include"]}
    ends = {(system, python) for system in ("ubuntu", "macos", "windows") for python in ("3.11", "3.14")}
    assert pairs == ends | {("ubuntu", "3.12"), ("ubuntu", "3.13")}
    assert set(workflow()["on"]) == {"push", "pull_request"}
    assert workflow()["permissions"] == {"contents": "read"}
    assert workflow()["concurrency"]["cancel-in-progress"] == "true"
    project_settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project_settings["requires-python"] == f">={min(python for _, python in pairs)}"


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_of_the_workflow_exists(command: list[str]) -> None:
    """Each is a module of Python or npm, so that it needs no shell; folders and extras that it names exist."""
    assert not {"&&", "|", ";", ">", "make"} & set(command)
    if command[:2] == ["npm", "ci"]:
        assert (ROOT / command[command.index("--prefix") + 1] / "package-lock.json").is_file()
        return
    assert command[:2] == ["python", "-m"]
    assert importlib.util.find_spec(command[2]) is not None
    if command[2] == "rulewright":
        assert command[3] in COMMANDS
    for extra in (word[2:-1] for word in command if word.startswith(".[")):
        assert extra in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    made = ("build", "tests/js/node_modules")
    folders = [word for word in command[3:] if "/" in word and not word.startswith(made)]
    assert [folder for folder in folders if not (ROOT / folder).exists()] == []
    if command[2] == "pytest":
        assert importlib.util.find_spec("xdist") is not None


def test_actions_are_pinned_to_a_version() -> None:
    steps = workflow()["jobs"]["test"]["steps"]
    actions = [step["uses"] for step in steps if "uses" in step]
    assert [action.split("@")[0] for action in actions] == [
        "actions/checkout",
        "actions/setup-python",
        "actions/setup-node",
    ]
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in actions)
    for step in steps:
        if file := step.get("with", {}).get("cache-dependency-path"):
            assert (ROOT / file).is_file()


# The handbook


HANDBOOK = ROOT / "rules" / "handbook"
SHELL_LINES = [
    pytest.param(line, id=f"{page.stem}: {line}")
    for page in sorted(HANDBOOK.glob("*.md"))
    if page.stem != "start"  # how to install differs
    for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


@pytest.mark.parametrize("line", SHELL_LINES)
def test_lines_to_type_work_in_every_shell(line: str) -> None:
    """One program with its arguments: nothing that PowerShell or the Windows command prompt reads in another way."""
    program, *arguments = shlex.split(line, comments=True)
    assert program in ("rulewright", "python", "pytest", "mkdocs", "pip")
    bare = re.sub(r'"[^"$`%]*"', "", line.partition(" #")[0])
    assert re.findall(r"['&|;<>^$%~`\\!{}()@*]", bare) == []
    assert arguments
