"""Games that were damaged, and files that are no games at all: always a game or problems, always soon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from call_counts import hang_guard
from example_counts import sample, scale_examples
from rulewright.game.model import Game
from rulewright.play.compiled_rule import compile_rule
from rulewright.play.validate import load_game, load_game_text
from rulewright.render.reports import format_problems, problems_to_json
from rulewright.source import Problem

RULES = Path(__file__).parent.parent / "rules"
FILES = sorted([*RULES.glob("*/game.toml"), *(Path(__file__).parent / "games_right").glob("*.toml")])
WORDS = """ [ ] { } " ' \"\"\" ''' = . , # \\ [[ ]] 0 -1 99999999999 true "1 + " "face >= 1" "sum(regular)" explode
    again steps inputs.x.min = 1 pool é \ud7ff"""
SNIPPETS = st.sampled_from(["", "\n", "\r", "\0", *WORDS.split()])


def soon(file: Path) -> tuple[Game | None, list[Problem]]:
    """What reading a file gives; it must end, and everything it says must print."""
    with hang_guard():
        game, problems = load_game(file, file.name)
    assert (game is None) == bool(problems)
    for rule in game.rules.values() if game else ():
        assert rule.contest or compile_rule(rule).finish_function
    format_problems(problems).encode()
    problems_to_json(problems)
    return game, problems


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """One of the games with slices of it deleted, doubled or replaced, and words put in the place of others."""
    text = draw(st.sampled_from(FILES)).read_text("utf-8")
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 8) | st.integers(0, 400))
        new = draw(SNIPPETS | st.just(text[start : start + length] * 2) | st.text(max_size=8))
        text = text[:start] + new + text[start + length :] if draw(st.booleans()) else other_word(draw, text)
    return text


def other_word(draw: st.DrawFn, text: str) -> str:
    words = list(re.finditer(r"\w+", text))
    if not words:
        return text
    old, new = draw(st.sampled_from(words)), draw(st.sampled_from(words))
    return text[: old.start()] + new[0] + text[old.end() :]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside the games, so that what extends one finds it."""
    books = tmp_path_factory.mktemp("rules")
    for file in RULES.glob("*/game.toml"):
        (books / file.parent.name).mkdir()
        (books / file.parent.name / "game.toml").write_bytes(file.read_bytes())
    (books / "spoiled").mkdir()
    return books / "spoiled"


@settings(max_examples=scale_examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(spoiled())
def test_a_spoiled_game_is_a_game_or_problems(folder: Path, text: str) -> None:
    file = folder / "game.toml"
    file.write_bytes(text.encode("utf-8", "replace"))
    soon(file)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_a_game_or_problems(folder: Path, data: bytes) -> None:
    file = folder / "game.toml"
    file.write_bytes(data)
    soon(file)


@given(st.text(max_size=300) | st.text("[]{}=.\"'\n#,ab1 ", max_size=100))
def test_any_text_in_a_page_is_a_game_or_problems(text: str) -> None:
    game, problems = load_game_text(text, "page.md")
    assert (game is None) == bool(problems)


def rules(count: int, body: str) -> str:
    return "".join(f"[rules.r{number}]\n{body}" for number in range(count))


def numbered(count: int, line: str) -> str:
    return "".join(line.replace("#", str(number)) + "\n" for number in range(count))


def explodes(sides: int, when: str) -> str:
    return f'dice.k = {{ sides = {sides}, again = {{ when = "{when}", roll = "explode" }} }}\n'


LIMITS = "inputs.n = { min = 0, max = 9 }\n"
HOSTILE = {
    "10 MB": "x" * 10_000_000,
    "10 MB of brackets": "[" * 10_000_000,
    "1000 brackets": "[" * 1000 + "]" * 1000,
    "1000 nested lists": "a = " + "[" * 1000 + "]" * 1000,
    "1000 nested tables": "a = " + "{ a = " * 1000 + "1" + " }" * 1000,
    "a key of 100,000 parts": "a" + ".a" * 100_000 + " = 1",
    "a header of 100,000 parts": "[a" + ".a" * 100_000 + "]",
    "escaped quotes": '\\"""\n' * 50_000,
    "open strings": '"""\\\n' * 50_000,
    "quotes": '"' * 250_000,
    "a very long number": "a = " + "9" * 200_000,
    "a very long other number": "a = 0x" + "f" * 200_000,
    "one key 60,000 times": "a = 1\n" * 42_000,
    "many keys": numbered(20_000, "k# = 1"),
    "many tables": numbered(20_000, "[a#]"),
    "many entries": "[[rules]]\n" * 20_000,
    "all unknown names": rules(70, numbered(170, 'steps.s# = "nam#"')),
    "long formulas": "[rules.a.steps]\n" + numbered(120, f's# = "{"n * " * 490}1"'),
    "deep formulas": rules(3, LIMITS + numbered(190, f'steps.s# = "{"max(n, 1 + " * 30}1{")" * 30}"')),
    "long chains of steps": rules(50, 'steps.s = "1"\nsteps.s0 = "1"\n' + numbered(190, 'steps.t# = "s + s0"')),
    "dice in a ring": rules(20, numbered(180, 'dice.k# = { sides = 6, again = { when = "face = 6", roll = "k0" } }')),
    "exploding dice": rules(900, LIMITS + explodes(6, "face <= n or last = 1")),
    "great dice": rules(90, explodes(10000, "face = last and throw < 60")),
    "dice that end late": rules(90, explodes(100, "face > 1 and throw < 60")),
    "many ranges": '[tables.t]\ncolumns = ["a"]\n[tables.t.ranges]\n' + numbered(900, '"#" = #') + rules(
        25, LIMITS + numbered(190, 'steps.s# = "lookup(t, n, a)"')),
    "many questions": rules(15, numbered(190, 'inputs.k# = { flag = true, default = false, asked = "s0" }')
                            + numbered(190, 'steps.s# = "1"')),
    "NUL bytes": "\0" * 1000,
    "a folder that cannot be": 'title = "x"\nextends = "' + "a/" * 3000 + '"',
    "a folder with NUL": 'title = "x"\nextends = "\\u0000"',
}  # fmt: skip


@pytest.mark.parametrize("name", sample(HOSTILE, 4))
def test_hostile_files_end_soon(name: str, folder: Path) -> None:
    file = folder / "game.toml"
    text = HOSTILE[name]
    file.write_text(text if text.startswith("title") else 'title = "Hostile"\n' + text, "utf-8")
    soon(file)


@pytest.mark.parametrize("name", ["10 MB", "10 MB of brackets", "1000 brackets", "1000 nested lists", "NUL bytes"])
def test_what_is_refused_is_refused_in_one_sentence(name: str, folder: Path) -> None:
    file = folder / "game.toml"
    file.write_text(HOSTILE[name], "utf-8")
    game, problems = soon(file)
    assert game is None
    assert len(problems) == 1
    assert len(problems[0].message) < 150


def test_a_file_that_is_too_large_is_not_even_read(folder: Path) -> None:
    file = folder / "game.toml"
    file.write_bytes(b'title = "Large"\n' + b"# more\n" * 40_000)
    _, problems = soon(file)
    assert format_problems(problems) == (
        "game.toml:1:1: error[game-size] this file has 280,016 bytes and a game at most 256,000;"
        " split it, and let one extend the other"
    )


def test_a_file_of_exactly_the_allowed_size_is_read(folder: Path) -> None:
    file = folder / "game.toml"
    start = b'title = "Large"\n'
    file.write_bytes(start + b"#" * (256_000 - len(start)))
    assert soon(file)[0]


def test_no_file_and_a_folder_are_said_to_be_so(tmp_path: Path) -> None:
    for file in (tmp_path / "game.toml", tmp_path):
        game, problems = load_game(file, "game.toml")
        assert game is None
        assert problems[0].message.startswith("this file cannot be read: ")


def test_no_more_than_a_hundred_problems_are_listed() -> None:
    _, problems = load_game_text('title = "x"\n[rules.a.steps]\n' + numbered(150, 's# = "t#"'))
    assert len(problems) == 100


def test_a_game_in_a_page_extends_nothing() -> None:
    for line in ('extends = "../other"', "extends.x = 1", "[extends]"):
        _, problems = load_game_text(f'title = "x"\n{line}\n')
        assert [problem.code for problem in problems] == ["game-extends"]


def test_a_very_long_line_of_descent_is_refused(tmp_path: Path) -> None:
    for number in range(50):
        folder = tmp_path / f"g{number}"
        folder.mkdir()
        (folder / "game.toml").write_text(f'title = "g{number}"\nextends = "../g{number + 1}"\n')
    _, problems = load_game(tmp_path / "g0" / "game.toml")
    assert [problem.code for problem in problems] == ["game-extends"]
