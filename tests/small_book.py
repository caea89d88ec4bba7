"""A small book on the disk, for tests that change its files."""

from __future__ import annotations

from pathlib import Path

GAME = """\
title = "Coins"

[traits.skills]
names = ["Sleight", "Patience"]

[rules.toss]
label = "Toss"

[rules.toss.inputs]
coins = { label = "Coins", min = 1, max = 20 }
bonus = { label = "Bonus", min = 0, max = 5, default = 0 }

[rules.toss.dice.coin]
sides = 2
count = "coins"

[rules.toss.steps]
heads = "count(coin: face = 2) + bonus"

[rules.toss.outcomes]
win = { when = "heads >= 2", degree = "heads - 1" }
loss = {}
"""
BLOCK = """\
```example
rule: toss
coins: 3
dice: 2 2 1
outcome: win
degree: 1
```
"""
WRONG = BLOCK.replace("degree: 1", "degree: 4")


def write(folder: Path, files: dict[str, str]) -> Path:
    """Files by their paths, byte for byte; every book has the game of coins."""
    for name, text in {"game.toml": GAME, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder
