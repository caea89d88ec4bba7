"""Two editions of a small book, and the recheck of an example after changes to its game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulewright.diff.edition import Edition, read_edition
from rulewright.diff.recheck import RecheckReport, recheck_blocks
from rulewright.diff.rule_pairs import pair_games, pair_rules

Pages = Mapping[str, str]
Changes = list[tuple[str, str]]

DUEL = """\
title = "Duel"

[rules.strike.inputs]
skill = { min = 0, max = 9, default = 0 }
luck  = { min = 0, max = 9, default = 0 }

[rules.strike.dice]
d = { count = 2, sides = 6, tests = { good = "face >= 5" } }

[rules.strike.steps]
hits  = "count(d: good)"
total = "sum(d) + skill"

[rules.strike.outcomes]
hit  = { when = "total >= 9", degree = "total - 9" }
miss = {}

[rules.duel]
contest = { of = "strike", compare = "total", ties = "first" }

[rules.purse.inputs]
coins = { min = 0, max = 50 }

[rules.purse.steps]
left = "coins - 3"
"""


def write_edition(folder: Path, pages: Pages) -> Edition:
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return read_edition(folder.name, folder, folder.parent)


def recheck_editions(old: Edition, new: Edition) -> RecheckReport:
    games = pair_games(old, new)
    return recheck_blocks(old, new, games, [rule_pair for pair in games for rule_pair in pair_rules(pair)])


def example_page(text: str) -> str:
    return f"# Duel\n\n```example\nid: one\n{text.strip()}\n```\n"


def recheck_example(
    tmp_path: Path, example: str, *changes: tuple[str, str], game: str = DUEL
) -> tuple[list[str], list[str]]:
    """For an example and changes of its game: the results that change, and why blocks are undecided."""
    new = game
    for before, after in changes:
        assert before in new
        new = new.replace(before, after)
    page = example_page(example)
    report = recheck_editions(
        *(
            write_edition(tmp_path / name, {"game.toml": toml, "a.md": page})
            for name, toml in (("old", game), ("new", new))
        )
    )
    own_changes = [changed for changed in report.changed if changed.edition == "old"]
    results = [f"{changed.old.text} -> {changed.new.text}" for changed in own_changes]
    return results, [
        f"{changed.why.name} {changed.why.about}".strip() for changed in report.unchecked if changed.edition == "old"
    ]


HIT = "dice: 5 4\noutcome: hit\ndegree: 0"
