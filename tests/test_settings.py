"""Settings are read alike wherever they are written: cases in tests/settings.toml, through every entrance.

The browser reads no settings that people write: a link to a roll is a list of names and values that a card wrote."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from call_counts import LINEAR, call_growth_from_half, hang_guard
from example_counts import sample
from rulewright import Game, RulewrightError
from rulewright.book.settings import FREE, PIECE, PIECES, Setting, SettingNames, parse_query, parse_settings
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.source import Source, Span
from small_book import write

CASES = tomllib.loads((Path(__file__).parent / "settings.toml").read_text("utf-8"))
RIGHT, WRONG = CASES["right"], CASES["wrong"]
GAME = """\
title = "Settings"
[tables]
ladder = { Easy = 4, Hard = 8, "Very Hard" = 10 }
[rules.check.inputs]
pool = { label = "Dice pool", also = ["cards"], min = 1, max = 20 }
need = { min = 2, max = 12, default = 6, names = "ladder" }
mood = { choice = ["calm", "very angry", "salt & pepper"], default = "calm" }
luck = { label = "With luck", flag = true, default = false }
die  = { die = [4, 6, 8], default = 4 }
dice = { label = "More dice", min = 0, max = 9, default = 0 }
[rules.check.dice]
d6 = { sides = 6 }
[rules.check.steps]
odd  = "if(mood = 'very angry', 2000, if(mood = 'salt & pepper', 4000, 0))"
code = "pool + 100 * need + odd + 10000 * luck + 100000 * die + 1000000 * dice"
[rules.check.outcomes]
high = { when = "sum(d6) > 3" }
low  = {}
[rules.duel]
contest = { of = "check", compare = "code", ties = "none" }
"""
DEFAULTS = {"need": 6, "mood": "calm", "luck": 0, "die": 4, "dice": 0}


def code(inputs: Mapping[str, Any]) -> int:
    """The step `code` with these inputs."""
    own: dict[str, Any] = {**DEFAULTS, **inputs}
    moods = 2000 * (own["mood"] == "very angry") + 4000 * (own["mood"] == "salt & pepper")
    return int(own["pool"] + 100 * own["need"] + moods + 10**4 * own["luck"] + 10**5 * own["die"] + 10**6 * own["dice"])


def blocks(text: str, value: int) -> dict[str, str]:
    """The blocks and links of a page that write settings in all their places."""
    return {
        "claim": f"```claim\nrule: check\nmean(code; {text}) = {value}\n```",
        "odds": f"```odds\nrule: check\npool: 1\nshow: mean code\nexpect: {text} = {value}\n```",
        "side": f"```example\nrule: duel\nside Ida: {text}, code {value}\nside Ulf: pool 1, code 400601\n"
        f"winner: {'Ida' if value > 400601 else 'Ulf'}\n```",
        "link": f"[Roll](roll:check?{quote(text, safe='&;,=:').replace('%20', '+')})",
        "plain link": f"[Roll](<roll:check?{text}>)",
    }


@cache
def book() -> CompiledBook:
    """A page for each case and place; compiled once."""
    files = {"game.toml": GAME}
    for number, (text, expected) in enumerate([*RIGHT.items(), *WRONG.items()]):
        value = code(expected) if isinstance(expected, dict) else 1
        files |= {f"case-{number}/{place}.md": f"# x\n\n{own}\n" for place, own in blocks(text, value).items()}
    with TemporaryDirectory() as folder:
        return compile_book([write(Path(folder), files)], Path(folder))


def problems(text: str, place: str) -> list[str]:
    number = [*RIGHT, *WRONG].index(text)
    return [own.message for own in book().problems if own.path.endswith(f"case-{number}/{place}.md")]


@pytest.mark.parametrize("text", RIGHT)
def test_right(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Callable[..., tuple[int, str, str]]
) -> None:
    for place in blocks("", 0):
        assert problems(text, place) == [], place
    found = Game.from_text(GAME).read_settings("check", text)
    assert code_of(found) == code(RIGHT[text])
    monkeypatch.chdir(write(tmp_path, {"game.toml": GAME}))
    for words in ([text], text.replace('"', "").split()):
        status, out, err = ran("odds", "check", *words, "--json")
        assert status == 0, err
        assert json.loads(out)["steps"]["code"] == code(RIGHT[text])


def code_of(texts: Mapping[str, str]) -> int:
    mean = Game.from_text(GAME).odds("check", inputs=texts).mean("code")
    assert mean is not None
    return int(mean)


@pytest.mark.parametrize("text", WRONG)
def test_wrong(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Callable[..., tuple[int, str, str]]
) -> None:
    for place in ("claim", "odds", "link", "plain link"):
        assert [message for message in problems(text, place) if WRONG[text] in message], (place, problems(text, place))
    with pytest.raises(RulewrightError) as raised:
        Game.from_text(GAME).read_settings("check", text)
    assert WRONG[text] in str(raised.value)
    monkeypatch.chdir(write(tmp_path, {"game.toml": GAME}))
    status, _, err = ran("odds", "check", text)
    assert status
    assert err


LINES = """\
```example
rule: check
Dice pool: 5
need: Hard
With luck: yes
dice: 4
code: 410805
```

```odds
rule: check
cards: 5
input need: 8
rows: with luck
show: mean code
expect: with luck no = 400805
```

```roller
rule: check
With luck: yes
```

```claim
rule: check
Dice pool: 5
mean(code) rises with input need 2..12 for more dice 0..2
```
"""


def test_lines_of_blocks_take_the_same_names(tmp_path: Path) -> None:
    write(tmp_path, {"game.toml": GAME, "page.md": LINES})
    compiled = compile_book([tmp_path], tmp_path)
    assert [problem.message for problem in compiled.problems] == []
    assert [block.status for block in compiled.blocks] == ["passed"] * 4
    write(
        tmp_path,
        {"game.toml": GAME, "page.md": LINES.replace("need: Hard", "pool: 5").replace("cards: 5", "pool: 5\ncards: 5")},
    )
    assert [problem.message for problem in compile_book([tmp_path], tmp_path).problems][:2] == [
        "pool is set twice; keep one of the two"
    ] * 2


# What has no rule to judge it: dice, traits, names of rules


NAMES = SettingNames(
    {
        "dice": Setting("dice", FREE),
        "red dice": Setting("red dice", FREE),
        "traits": Setting("traits", FREE),
        "rerolled": Setting("rerolled", PIECES, lambda text: all("->" in part for part in text.split(","))),
        "rule": Setting("rule", PIECE),
        "skill": Setting("skill", PIECE),
        "pool": Setting("pool", accepts=lambda text: text.isdigit()),
        "luck": Setting("luck", accepts=lambda text: text in ("yes", "no"), is_flag=True),
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dice 1, 4, 7, pool 3", [("dice", "1, 4, 7"), ("pool", "3")]),
        ("dice [1, 4] [1, 10], pool 5", [("dice", "[1, 4] [1, 10]"), ("pool", "5")]),
        ("dice 3 4 5 6; 1 1 2 6; pool 2", [("dice", "3 4 5 6; 1 1 2 6"), ("pool", "2")]),
        ("dice 3, dice 5", [("dice", "3"), ("dice", "5")]),
        ("dice skill 3 | pool 4", [("dice", "skill 3 | pool 4")]),
        ('dice "skill 3, pool 4", pool 5', [("dice", "skill 3, pool 4"), ("pool", "5")]),
        ('"red dice" 2 3, pool 1', [("red dice", "2 3"), ("pool", "1")]),
        ("dice 2 3 pool=1", [("dice", "2 3"), ("pool", "1")]),
        ("traits Skill 3 + Luck 2, dice 4", [("traits", "Skill 3 + Luck 2"), ("dice", "4")]),
        ("traits Wits 3, other=4", [("traits", "Wits 3"), ("other", "4")]),
        ("rerolled skill 2 -> 4, pool 1 -> 3, pool 5", [("rerolled", "skill 2 -> 4, pool 1 -> 3"), ("pool", "5")]),
        ("rule a/b, other 3, pool 4", [("rule", "a/b"), ("other", "3"), ("pool", "4")]),
        ("rule a/b pool=4", [("rule", "a/b"), ("pool", "4")]),
        ("luck, pool 2", [("luck", "yes"), ("pool", "2")]),
        ("luck pool 2", [("luck", "yes"), ("pool", "2")]),
        ("rule, pool 2", [("rule", "yes"), ("pool", "2")]),
        ("dice\n1\n4\npool\n3", [("dice", "1 4"), ("pool", "3")]),
        ("1 2, 3", [("", "1 2"), ("", "3")]),
        ("", []),
        (" , ;& ", []),
    ],
)
def test_what_only_a_rule_can_judge(text: str, expected: list[tuple[str, str]]) -> None:
    items = parse_settings(Span(Source("a.md", f"- {text} -"), 2, 2 + len(text)), NAMES)
    assert [(item.name, item.value) for item in items] == expected
    for item in items:
        assert item.value in ("yes", " ".join(item.value_span.text.split()))
        assert item.name_span.text in ("", item.name)


def test_queries() -> None:
    text = "pool=5&rule=Very+H%C3%A4rd%21&luck&skill=%C3%84"
    items = parse_query(Span(Source("a.md", text), 0, len(text)), NAMES)
    assert [(item.name, item.value, item.value_span.text) for item in items] == [
        ("pool", "5", "5"), ("rule", "Very Härd!", "Very+H%C3%A4rd%21"), ("luck", "yes", "luck"),
        ("skill", "Ä", "%C3%84"),
    ]  # fmt: skip


PARTS = [
    "skill",
    "ſkill",
    "SKıLL",
    "Red  Dice",
    '"',
    "->",
    ",",
    ";",
    "&amp;",
    "=",
    ".",
    "3",
    " ",
    "\n",
    "(",
    "pool",
    "%C5%BFkill",
]


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.lists(st.sampled_from(PARTS)).map("".join))
def test_any_text_is_read(text: str) -> None:
    span = Span(Source("", text), 0, len(text))
    for item in (*parse_settings(span, NAMES), *parse_query(span, NAMES)):
        assert 0 <= item.value_span.start <= item.value_span.end <= len(text)


HOSTILE = [
    "[" * 50000, "a" + " " * 50000 + "b", "a," * 20000, "'a" * 20000, "(,[" * 20000, "dice 1 " * 9000,
    "pool 1 a," * 6000, "rerolled 1, " * 3000, "% +" * 20000,
]  # fmt: skip


@pytest.mark.parametrize("text", sample(HOSTILE, 3))
def test_hostile_settings_are_read(text: str) -> None:
    def read(text: str) -> None:
        parse_query(Span(Source("a.md", text), 0, len(text)), NAMES)

    with hang_guard():
        read(text)
    assert call_growth_from_half(read, text) < LINEAR
