"""Numbers in sentences: links whose text is a claim."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claims_page import around, printed
from rulewright.checks.number_links import CheckedLink, check_number_links
from rulewright.source import Problem


def links(written: str, home: str = "maelstrom") -> tuple[list[CheckedLink], list[Problem]]:
    where = around(written, home)
    return check_number_links(where.page, where)


@pytest.mark.parametrize(
    "written",
    [
        "[five dice at difficulty 6](roll:action?pool=5&difficulty=6)",
        "[27.8 %](chance:botch?pool=5&threshold=2)",
        "[27,8 %](chance:botch?pool=5&threshold=2)",
        "[27.8&nbsp;%](chance:botch?pool=5&threshold=2)",
        "[about **28%** of all rolls](chance:botch?pool=5&threshold=2)",
        "[1 in 2](chance:success?pool=1&difficulty=6)",
        "[half](chance:success?pool=1&difficulty=6)",
        "[about **one in two**](chance:success?pool=1&difficulty=6)",
        "[a half of all rolls](chance:success?pool=1&difficulty=6)",
        "[97.9 %](chance:success+or+failure?pool=5&game=maelstrom-first-edition)",
        "[84.4 %](chance:net+%3E+0?pool=5)",
        "[60.6 %](chance:first?rule=step-dice/contest&first.die=d8&second.die=d6)",
        "[9](value:difficulty?row=Hard&game=ingenuity)",
        "[9](value:difficulty?row=hard&column=number&game=ingenuity)",
        "[easy](value:standard+difficulty?row=7&column=name&game=wild-die)",
        "[roll](roll:wild-die/check?code=4D&difficulty=Very+Easy)",
        "> * [27.8 %](chance:botch?pool=5&threshold=2)",
        "| a |\n|---|\n| [27.8 %](chance:botch?pool=5&threshold=2) |",
        "[27.8 %][odds]\n\n[odds]: chance:botch?pool=5&threshold=2",
        '<a href="chance:botch?pool=5&amp;threshold=2">x</a>',
    ],
)
def test_right_numbers(written: str) -> None:
    found, problems = links(written)
    if not written.startswith("<a"):
        assert not problems, printed(problems)
        assert [one.status for one in found] == ["passed"]


def test_other_links_are_none_of_our_business() -> None:
    assert links("[a](page.md) [b](#here) ![27 %](chance:botch) [c](https://example.org/chance:x)") == ([], [])


WRONG = """# Numbers

You botch [27.9 %](chance:botch?pool=5&threshold=2), or [**0,2**](chance:botch?pool=5&threshold=2),
or [5/18](chance:botch?pool=5&threshold=2), or [1 in 9](chance:botch?pool=5&threshold=2).

- [a third](chance:botch?pool=5&threshold=2), [half or a third](chance:botch?pool=5&threshold=2)
- [often](chance:botch?pool=5) and [2 of 3](chance:botch?pool=5)
- [5 %](chance:bodge?pool=5), [5 %](chance:botch?pol=5), [5 %](chance:botch?pool=99), [5 %](chance:botch)
- [5 %](chance:botch?pool=5&rule=acton), [5 %](chance:botch?pool=5&game=storm), [5 %](chance:?pool=5)
- [roll](roll:acton?pool=5), [roll](roll:storm/action), [roll](roll:action?pool=many), [roll](roll:action?pol=5)
- [8](value:difficulty?row=Hard&game=ingenuity), [nine](value:difficulty?row=Hard&game=ingenuity)
- [9](value:dificulty?row=Hard&game=ingenuity), [9](value:difficulty?row=Hrd&game=ingenuity)
- [9](value:difficulty?game=ingenuity), [9](value:difficulty?row=Hard&column=cost&game=ingenuity)
- [9](value:difficulty?row=Hard&game=genuine), [9](value:difficulty?rwo=Hard&game=ingenuity)
- [Hard](value:standard+difficulty?row=7&game=wild-die)

By reference: [12 %][odds].

[odds]: chance:botch?pool=5&threshold=2
"""


def test_wrong_numbers(golden: Callable[[str, str], None]) -> None:
    found, problems = links(WRONG)
    assert all(one.status in ("failed", "error") for one in found)
    golden("numbers/wrong.txt", printed(problems))


def test_a_fix_writes_the_right_number() -> None:
    written = "You botch [27.9 %](chance:botch?pool=5&threshold=2) of the time."
    fix = links(written)[1][0].fix
    assert fix
    assert written[: fix.span.start] + fix.text + written[fix.span.end :] == written.replace("27.9", "27.8")


PIECES = (
    "roll: chance: value: action botch success ? & = pool 5 row Hard column game ingenuity difficulty rule / % + or"
    " net 1 %20 %ff first.die d8 aim never"
)


@given(
    st.lists(st.sampled_from(PIECES.split()), max_size=12).map("".join),
    st.sampled_from(["27.8 %", "1 in 6", "x", "", "1/0", "5 6"]),
)
def test_whatever_is_linked_nothing_raises(target: str, shown: str) -> None:
    printed(links(f"[{shown}](<{target}>)")[1])
    printed(links(f"[{shown}](<chance:{target}>)")[1])
