"""A book with all sorts of edits at once, and what people read about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from two_editions import write_edition

OLD = """\
title = "Smugglers"

[traits.skills]
names = ["Bribe", "Hide", "Knots", "Sail", "Swim"]
range = "0..5"

[sheets.new.require]
"six dots" = "sumof(skills) = 6"

[orders.watch]
by = ["-eyes"]

[tables.coast]
Calm  = 5
Rough = 8

[rules.slip]
label  = "Slip past"
traits = { into = "nerve" }

[rules.slip.inputs]
nerve = { min = 0, max = 5 }
coast = { min = 2, max = 12, names = "coast", default = 5 }
crew  = { min = 0, max = 3, default = 0 }

[rules.slip.dice.night]
sides   = 6
again = { when = "face = 6", roll = "explode" }

[rules.slip.steps]
total = "sum(night) + nerve"

[rules.slip.outcomes]
clear  = { when = "total >= coast", degree = "total - coast" }
caught = {}

[rules.chase]
contest = { of = "slip", compare = "total", ties = "first" }

[rules.dice_game.dice]
bone = { count = 2, sides = 6 }

[rules.dice_game.outcomes]
won  = { when = "sum(bone) = 7" }
lost = {}
"""
NEW = (
    ('"Hide"', '"Shadow"'),
    ('"Swim"', '"Swimming"'),
    ("(skills) = 6", "(skills) = 7"),
    ('["-eyes"]', '["eyes"]'),
    ("Rough = 8", "Rough = 9"),
    ("default = 5 }", "default = 6 }"),
    ("total >= coast", "total > coast"),
    ('"first"', '"again"'),
    ("caught = {}", "seized = {}"),
)
PAGE = """\
# Smugglers

## Slipping past

```example
id: plain
nerve: 3
coast: Calm
dice: 2
outcome: clear
degree: 0
```

```example
id: on-and-on
nerve: 1
coast: Rough
dice: 6+2
outcome: clear
degree: 1

instead:
coast: Calm
outcome: clear
degree: 4
```

```example
id: told
nerve: 2
given: total 5
outcome: clear
degree: 0
```

```example
id: by-skill
traits: Swim 2
dice: 3
outcome: clear
```

```example
id: by-another-skill
traits: Hide 2
dice: 3
outcome: clear
```

```example
id: not-yet
nerve: 2
dice: 3
outcome: clear
skip: to be written
```

## A chase

```example
id: even
rule: chase
side Ann: nerve 2, dice 3
side Bob: nerve 1, dice 4
winner: Ann
```

```example
id: ahead
rule: chase
side Ann: nerve 2, dice 4
side Bob: total 5
winner: Ann
```

```example
id: bones
rule: dice_game
dice: 3 4
outcome: won
```

```claim
id: half
rule: slip
nerve: 2
chance(clear) = 2/3
```

```sheet
id: ann
sheet: new
Hide: 3
Sail: 3
verdict: legal
```

```order
id: lookout
by: watch
side Ann: eyes 2
side Bob: eyes 4
result: Bob, Ann
```
"""


@pytest.fixture(autouse=True)
def _two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = OLD
    for before, after in NEW:
        assert before in new
        new = new.replace(before, after)
    head, _, _ = new.partition("[rules.dice_game")
    write_edition(tmp_path / "old", {"game.toml": OLD, "a.md": PAGE})
    write_edition(tmp_path / "new", {"game.toml": head, "a.md": PAGE})
    monkeypatch.chdir(tmp_path)


FAIR = """\
title = "Markt"

[rules.feilschen.inputs]
wert   = { min = -2, max = 8, default = 0 }
kenner = { flag = true, default = false }

[rules.feilschen.dice]
mut = { count = 4, sides = 6 }

[rules.feilschen.steps]
summe = "sum(mut) + wert + if(kenner, 2, 0)"

[rules.feilschen.outcomes]
billig = { when = "summe >= 15" }
teuer  = {}

[rules.wette]
contest = { of = "feilschen", compare = "summe", ties = "first" }
"""


def test_a_book_in_german(ran: Callable[..., tuple[int, str, str]], golden: Callable[[str, str], None]) -> None:
    """Numbers, and what is so or not, as they are written there."""
    new = FAIR.replace("max = 8", "max = 9").replace("default = false", "default = true").replace(">= 15", ">= 17")
    settings = {"mkdocs.yml": "site_name: Markt\nplugins:\n  - rulewright: {language: de}\n"}
    write_edition(Path("alt"), {"game.toml": FAIR})
    write_edition(Path("neu"), {"game.toml": new.replace('"first"', '"none"'), **settings})
    status, printed, wrong = ran("diff", "alt", "neu", "--markdown")
    golden("diff/german.md", printed)
    assert (status, wrong) == (0, "")
    assert re.search(r"\d\u00a0%", printed)
    status, printed, wrong = ran("diff", "alt", "neu")
    assert "normally: no → yes" in printed, "a terminal is spoken to in English"


@pytest.mark.parametrize(
    ("name", "options"), [("many.txt", ()), ("many.md", ("--markdown",)), ("many.json", ("--json",))]
)
def test_what_people_read(
    name: str, options: tuple[str, ...], ran: Callable[..., tuple[int, str, str]], golden: Callable[[str, str], None]
) -> None:
    status, printed, wrong = ran("diff", "old", "new", *options)
    golden(f"diff/{name}", printed)
    assert (status, wrong) == (0, "")


def test_the_older_book_is_right(ran: Callable[..., tuple[int, str, str]]) -> None:
    assert ran("check", "old")[0] == 0
