"""`given:` in a rule whose later dice wait for others: what is told, and dice recorded beside it, must go together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from small_book import write

Ran = Callable[..., tuple[int, str, str]]
GAME = """\
title = "Attack"
[rules.attack.inputs]
bonus = { min = 0, max = 9, default = 5 }
ac = { min = 5, max = 25, default = 15 }
n = { min = 1, max = 3, default = 1 }
[rules.attack.dice]
d20    = { sides = 20 }
damage = { count = "if(hit, if(crit, 2 * n, n), 0)", sides = 8 }
[rules.attack.steps]
crit  = "sum(d20) = 20"
hit   = "crit or (sum(d20) > 1 and sum(d20) + bonus >= ac)"
harm  = "sum(damage)"
[rules.attack.outcomes]
deep = { when = "harm > 6" }
wound = { when = "hit" }
miss = {}
"""


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("given: hit yes, harm 7\noutcome: deep", ""),
        ("given: hit yes\ndice: damage 7\noutcome: deep", ""),
        ("given: harm 7\noutcome: deep", ""),
        ("given: hit yes, crit no\ndice: damage 7\nharm: 7\noutcome: deep", ""),
        ("given: harm 7\ndice: d20 14\nhit: yes\noutcome: deep", ""),
        ("given: crit yes\ndice: damage 7 1\nharm: 8\noutcome: deep", ""),
        ("given: hit no\nharm: 0\noutcome: miss", ""),
        ("n: 2\ngiven: hit yes\ndice: damage 3 3\noutcome: wound", ""),
        ("n: 2\ngiven: hit yes\ndice: damage 3 3 1 1\noutcome: deep", ""),
        ("given: hit yes\noutcome: deep", "outcome cannot be told from what the example gives"),
        ("given: hit no, harm 7\noutcome: deep", "no roll gives hit 0, harm 7"),
        ("given: hit yes, harm 70\noutcome: deep", "no roll gives hit 1, harm 70"),
        ("given: hit no\ndice: damage 7\noutcome: deep", "no roll gives hit 0 beside these dice"),
        ("given: harm 7\ndice: d20 2\noutcome: deep", "no roll gives harm 7 beside these dice"),
        ("n: 2\ngiven: hit yes\ndice: damage 3 3 1\noutcome: deep", "no roll gives hit 1 beside these dice"),
        ("given: crit yes\ndice: damage 7 1 4\noutcome: deep",
         "nothing calls for this die: the rule rolls 2 damage dice (n 1)"),
    ],
)  # fmt: skip
def test_what_is_told(lines: str, problem: str, tmp_path: Path, ran: Ran) -> None:
    known = "" if lines.startswith("n:") else "n: 1\n"
    page = f"# Attack\n\n```example\nbonus: 5\nac: 15\n{known}{lines}\n```\n"
    write(tmp_path, {"game.toml": GAME, "page.md": page})
    status, out, _ = ran("check", str(tmp_path))
    assert status == bool(problem), out
    assert out.count("error[") == bool(problem)
    assert f"] {problem}\n" in out or not problem, out
