"""Prose examples: what is read in them, which are unchecked, where they have drifted from their blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.page import Page
from rulewright.book.parser import read_page
from rulewright.book.text import Passage, read_passages
from rulewright.checks.example import check_example
from rulewright.checks.model import BlockContext, CheckedBlock
from rulewright.checks.prose_examples import check_drift, check_unchecked, find_examples, find_wrong_sentences
from rulewright.play.validate import load_game, load_game_text
from rulewright.prose.facts import ProseFacts, read_facts
from rulewright.prose.mood import StatedValue
from rulewright.prose.number_words import number
from rulewright.source import Problem, Source
from source_books import BOTH, Books, source_books

HERE = Path(__file__).parent
RULES = HERE.parent / "rules"
KINDS = {
    "faces": "faces",
    "codes": "code",
    "pools": "pool",
    "difficulties": "difficulty",
    "thresholds": "threshold",
    "counts": "",
    "totals": "total",
    "margins": "margin",
    "bounds": "bound",
    "dots": "dots",
    "outcomes": "outcome",
}


def page_of(text: str) -> Page:
    return read_page(Source("book.md", text))


def every_passage(page: Page) -> list[Passage]:
    return list(read_passages(page))


def lines(told: ProseFacts) -> list[str]:
    """What was found, as the cases write it."""
    return [line(kind, bit) for name, kind in KINDS.items() for bit in getattr(told, name)] or ["nothing"]


def line(kind: str, bit: StatedValue) -> str:
    value = " ".join(map(str, bit.value)) if isinstance(bit.value, tuple) else str(bit.value)
    what = bit.subject
    if not kind:
        what, kind = bit.subject.split(" ")
    words = ["" if bit.sure else "maybe", kind, "not" if bit.negated else "", what, value]
    return " ".join(word for word in words if word)


def cases() -> Iterator[tuple[str, Passage, list[str]]]:
    page = page_of((HERE / "cases" / "prose.md").read_text(encoding="utf-8"))
    for passage in every_passage(page):
        behind = page.tokens[passage.last + 1] if passage.last + 1 < len(page.tokens) else None
        if behind and behind.type == "fence" and behind.info == "told":
            yield passage.text[9:60], passage, behind.content.splitlines()


@pytest.mark.parametrize(("passage", "expected"), [pytest.param(*case[1:], id=case[0]) for case in cases()])
def test_what_a_passage_tells(passage: Passage, expected: list[str]) -> None:
    assert lines(read_facts(passage)) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("seven", 7), ("Twenty-one", 21), ("a dozen", 12), ("no", 0), ("sixes", 6), ("5s", 5), ("five (5)", 5)],
)
def test_numbers(text: str, value: int) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["", "many", "²", "twenty-ten", "-3", "seven eight", "9" * 20])
def test_no_numbers(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Example: she rolls 3 dice.", True),
        ("**Example** She rolls 3 dice.", True),
        ("*Example of play:* she rolls 3 dice.", True),
        ("Example 2. She rolls 3 dice.", True),
        ("Examples: she rolls 3 dice.", True),
        ("> ***Example***  \n> She rolls 3 dice.", True),
        ("!!! example\n    She rolls 3 dice.", True),
        ('??? example "On the roof"\n    She rolls 3 dice.', True),
        ("> [!NOTE]\n> **Example:** she rolls 3 dice.", True),
        ("**Example:**\n\nShe rolls 3 dice.", True),
        ("> [!example]\n> She rolls 3 dice.", True),
        ("> [!note] For example\n> She rolls 3 dice.", False),
        (":::info Example\nShe rolls 3 dice.\n:::", True),
        (":::info[Example]\n\nShe rolls 3 dice.\n\n:::", True),
        (":::tip The exemplary die\nShe rolls 3 dice.\n:::", False),
        ("**Example:**\n\n> She rolls 3 dice.", True),
        ("- Example: she rolls 3 dice.", True),
        ("Example characters roll 3 dice.", False),
        ("For example: she rolls 3 dice.", False),
        ("She rolls 3 dice.", False),
        ("!!! note\n    She rolls 3 dice.", False),
        ("<!-- Example: she rolls 3 dice. -->", False),
        ("    Example: she rolls 3 dice.", False),
        ("# Example: she rolls 3 dice.", False),
    ],
)
def test_what_begins_as_an_example(text: str, expected: bool) -> None:
    count, problems = check_unchecked(page_of(text))
    assert (count, len(problems)) == (expected, expected)


BLOCK = "```example\npool: 3\ndice: 3 5 8\noutcome: success\n```\n"
QUOTED = "".join(f"> {text}\n" for text in BLOCK.splitlines())
INDENTED = "".join(f"    {text}\n" for text in BLOCK.splitlines())
TOLD = "Example: she rolls 3 dice.\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{TOLD}\n{BLOCK}",
        f"{TOLD}{BLOCK}",
        f"{BLOCK}\n{TOLD}",
        f"> {TOLD}>\n{QUOTED}",
        f"> {TOLD}\n{BLOCK}",
        f"> {TOLD}\n<!-- example\npool: 3\n-->\n",
        f"!!! example\n    She rolls 3 dice.\n\n{INDENTED}",
        f"- {TOLD}\n  ```example\n  pool: 3\n  ```\n",
        f"{TOLD}\n{BLOCK}\n{TOLD}\n{BLOCK}",
        f"{BLOCK}\n{TOLD}\n{BLOCK}\n{TOLD}",
        f'=== "One"\n    {TOLD}\n    They look at each other.\n\n{INDENTED}',
    ],
)
def test_a_block_beside_an_example(text: str) -> None:
    count, problems = check_unchecked(page_of(text))
    assert count >= 1
    assert not problems


@pytest.mark.parametrize(
    "text",
    [
        TOLD,
        f"{TOLD}\nThey look at each other.\n\n{BLOCK}",
        f"{TOLD}\n## Next\n\n{BLOCK}",
        f"- {TOLD}- She does not.\n\n  ```example\n  pool: 3\n  ```\n",
        f"{TOLD}\n```text\npool: 3\n```\n",
    ],
)
def test_a_block_that_is_not_beside(text: str) -> None:
    assert [len(check_unchecked(page_of(text))[1])] == [1]


GERMAN = """
title = "Wurf"

[rules.probe]
label = "Probe"
inputs.pool = { label = "Pool", min = 1, max = 20 }
inputs.schwierigkeit = { label = "Schwierigkeit", min = 2, max = 10, default = 6 }
dice.w10 = { count = "pool", sides = 10, tests = { gut = "face >= schwierigkeit" } }
steps.erfolge = "count(w10: gut)"
steps.summe = "sum(w10)"
outcomes.gelungen = { label = "Erfolg", when = "erfolge > 0" }
outcomes.misslungen = { label = "Fehlschlag" }
"""
PAIR = "```example\npool: 2\ndice: 5 8\noutcome: gelungen\n```\n"
QUOTED_PAIR = "".join(f"> {line}\n" for line in PAIR.splitlines())


def drifted(text: str) -> list[str]:
    """The words of a page that contradict the block beside them."""
    found, problems = load_game_text(GERMAN)
    assert found, problems
    page = page_of(text if "```" in text else f"{text}\n\n{PAIR}")
    results = [check_example(block, BlockContext(page, found, {})) for block in page.blocks]
    assert [result.status for result in results] == ["passed"]
    return [problem.span.text for problem in check_drift(page, results)]


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("Mira würfelt 5 und 9.", "9", "8"),
        ("Die Würfel zeigen 5 und 9.", "9", "8"),
        ("Beispiel: Mira würfelt fünf und neun.", "neun", "acht"),
        ("Beispiel: Mira würfelt eine Fünf und eine Neun.", "Neun", "Acht"),
        ("Beispiel: Es fallen zwei Achten.", "Achten", ""),
        ("Zum Beispiel würfelt Mira eine 5 und eine 9.", "9", "8"),
        ("Die Würfel zeigen 5 und 8, zusammen 14: ein Erfolg.", "14", "13"),
        ("Beispiel: Mira würfelt mit drei Würfeln.", "drei", "zwei"),
        ("Beispiel: Sie würfelt 5 und 8 gegen Schwierigkeit 7.", "7", "6"),
        ("Beispiel: Mira würfelt 5 und 8. Das ist ein Fehlschlag.", "Fehlschlag", "Erfolg"),
        ("Beispiel: Mira würfelt zwei Erfolge.", "zwei", "einen"),
        ("Beispiel: Mit zwei W8 würfelt sie 5 und 8.", "W8", "W10"),
        ("For example, she rolls 5 and 9.", "9", "8"),
        (f"## Example of a fight\n\nMira rolls 5 and 9.\n\n{PAIR}", "9", "8"),
        (f"> ## Example of a fight\n>\n> Mira rolls 5 and 9.\n>\n{QUOTED_PAIR}", "9", "8"),
        (f"> **Example of a fight**\n>\n> Mira rolls 5 and 9.\n\n{PAIR}", "9", "8"),
        (f"> ### Beispiel einer Probe\n>\n> Die Würfel zeigen 5 und 9.\n\n{PAIR}", "9", "8"),
    ],
)
def test_drift_of_narrations(text: str, wrong: str, right: str) -> None:
    assert drifted(text) == [wrong]
    assert not right or not drifted(text.replace(wrong, right, 1))


@pytest.mark.parametrize(
    "text",
    [
        "Beispiel: Sie hätte 5 und 9 würfeln können.",
        "Beispiel: Wenn sie 5 und 9 würfelt, ist das ein Fehlschlag. Sie würfelt 8 und 5.",
        "Beispiel: Mit 9 Freunden geht sie los. Sie würfelt 8 und 5 und braucht keine 10.",
        "Beispiel: Schadet ihr ein Fehlschlag? Sie wirft 5 und 8, und das ist kein Fehlschlag.",
        "> ## Example of a fight\n>\n> Mira would need 9 and 10.\n>\n" + QUOTED_PAIR,
        "Example: The first of Mira's scores are 9 and 10. She rolls 5 and 8.",
    ],
)
def test_what_is_supposed_does_not_drift(text: str) -> None:
    assert not drifted(text)


def test_one_block_belongs_to_one_example() -> None:
    count, problems = check_unchecked(page_of(f"{TOLD}\n{BLOCK}\n{TOLD}"))
    assert (count, [problem.span.source.position(problem.span.start)[0] for problem in problems]) == (2, [9])


def checked(page: Page, game: str) -> list[CheckedBlock]:
    found, problems = load_game(RULES / game / "game.toml")
    assert found
    assert not problems
    return [check_example(block, BlockContext(page, found, {})) for block in page.blocks if block.kind == "example"]


def shown(problem: Problem) -> str:
    line, column = problem.span.source.position(problem.span.start)
    notes = "".join(f"\n    {note}" for note in problem.notes)
    return f'{line}:{column} {problem.severity}[{problem.code}] "{problem.span.text}" {problem.message}{notes}\n'


@pytest.mark.parametrize("name", ["maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity"])
def test_drift_golden(name: str, golden: Callable[[str, str], None]) -> None:
    page = page_of((HERE / "cases" / f"drift-{name}.md").read_text(encoding="utf-8"))
    results = checked(page, name)
    assert [(one.block.id, one.status) for one in results if one.status != "passed"] == []
    wrong = find_wrong_sentences(page, results)
    text = "".join(map(shown, check_drift(page, results)))
    text += "\nSentences left wrong:\n" + "".join(f"- {one.text}\n" for one in wrong)
    golden(f"prose/{name}.txt", text)


@pytest.mark.parametrize("name", ["maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity"])
def test_drift_only_where_it_is_meant(name: str) -> None:
    """Below the heading "Agrees" nothing has drifted; each example below "Drifts" has."""
    page = page_of((HERE / "cases" / f"drift-{name}.md").read_text(encoding="utf-8"))
    problems = check_drift(page, checked(page, name))
    assert {problem.trail[1] for problem in problems} == {"Drifts"}
    drifting = [block.id for block in page.blocks if block.trail[1] == "Drifts"]
    assert list(dict.fromkeys(problem.trail[-1] for problem in problems)) == drifting


FIVE = "```example\npool: 5\ndice: 1 3 6 9 9\noutcome: success\ndegree: 2\n```\n"
NONE = (HERE / "cases" / "drift-none.md").read_text(encoding="utf-8").split("\n\n")[2:]


@pytest.mark.parametrize("text", NONE)
def test_no_drift_where_nothing_definite_differs(text: str) -> None:
    page = page_of(f"{text}\n\n{FIVE}")
    assert [shown(problem) for problem in check_drift(page, checked(page, "maelstrom"))] == []
    assert check_unchecked(page)[1] == []


STORY = """Example: First he rolls two dice, 3 and 4, and fails. He tries again with three dice, gets 7, 8 and 2, and
succeeds with two successes.

```example
pool: 2
dice: 3 4
outcome: failure
then:
pool: 3
dice: 7 8 2
outcome: success
```
"""


def test_a_story_accounts_for_all_its_steps() -> None:
    page = page_of(STORY)
    assert check_drift(page, checked(page, "maelstrom")) == []
    page = page_of(STORY.replace("7, 8 and 2", "7, 8 and 5"))
    assert [problem.span.text for problem in check_drift(page, checked(page, "maelstrom"))] == ["5"]


def find_drift(game_text: str, text: str) -> list[str]:
    """The words of a page with passing examples that contradict their blocks."""
    game, problems = load_game_text(game_text)
    assert game, problems
    page = page_of(text)
    results = [check_example(block, BlockContext(page, game, {})) for block in page.blocks]
    assert [one.status for one in results] == ["passed"]
    return [problem.span.text for problem in check_drift(page, results)]


LADDER = """
title = "Ladder"
[tables.ladder]
columns = ["number", "sides"]
ranges = { "1..4" = [1, 8], "5..9" = [3, 10] }
[rules.test.inputs]
score = { min = 1, max = 9 }
[rules.test.dice]
d20 = { sides = 20 }
ladder = { count = "lookup(ladder, score, number)", sides = "lookup(ladder, score, sides)" }
[rules.test.steps]
total = "sum(d20) + sum(ladder)"
"""


@pytest.mark.parametrize(("told", "drifted"), [("d10", []), ("d8", ["d8+d8+d8+d20"])])
def test_the_sides_of_dice_may_come_from_a_table(told: str, drifted: list[str]) -> None:
    text = (
        f"Example: Vera has a score of 7, and so she rolls {told}+{told}+{told}+d20. The d20 shows 16, the others 5, 7 "
        "and 9, for a total of 37.\n\n"
        "```example\nscore: 7\ndice: d20 16 | ladder 5 7 9\ntotal: 37\n```\n"
    )
    assert find_drift(LADDER, text) == drifted


MISHAPS = """
title = "Mishaps"
[rules.action.inputs]
pool = { min = 1, max = 9 }
[rules.action.dice]
d8 = { count = "pool", sides = 8, tests = { good = "face >= 6", bad = "face = 1" } }
[rules.action.outcomes]
mishap = { when = "count(d8: bad) > count(d8: good)", label = "mishap" }
fortune = { when = "count(d8: good) >= 2", also = ["stroke of luck"] }
failure = {}
"""


@pytest.mark.parametrize(
    ("told", "drifted"),
    [
        ("The result is a stroke of luck.", []),
        ("A stroke of luck!", []),
        ("The result is a mishap.", ["mishap"]),
        ("A mishap!", ["mishap"]),
        ("That is no mishap.", []),
        ("She fears a mishap.", []),
        ("It is not a mishap, but a stroke of luck.", []),
    ],
)
def test_outcomes_are_compared_by_the_names_of_the_game(told: str, drifted: list[str]) -> None:
    text = (
        f"Example: Ilse rolls four dice. The dice show 8, 6, 3 and 2. {told}\n\n"
        "```example\npool: 4\ndice: 8 6 3 2\noutcome: fortune\n```\n"
    )
    assert find_drift(MISHAPS, text) == drifted


NIGHTS = """
title = "Nights"
[tables.difficulty]
columns = ["needed"]
rows = { Easy = [1], Hard = [2], "Very hard" = [3] }
[rules.test.inputs]
trait = { label = "Trait", min = 1, max = 9 }
difficulty = { label = "Difficulty", min = 1, max = 5, names = "difficulty" }
weather = { label = "Weather", choice = ["calm", "storm"] }
[rules.test.dice]
d = { count = "trait", sides = 6, tests = { good = "face >= 5" } }
[rules.test.steps]
hits = { is = "count(d: good) - (weather = 'storm')", label = "lights" }
[rules.test.outcomes]
success = { when = "hits >= difficulty" }
failure = {}
"""


@pytest.mark.parametrize(
    ("told", "drifted"),
    [
        ("The difficulty is Hard.", []),
        ("The difficulty is Easy.", ["Easy"]),
        ("The difficulty is very hard.", ["very hard"]),
        ("The difficulty would be Easy by day.", []),
        ("If the difficulty is Easy, one light is enough.", []),
        ("The difficulty is Easy Street.", []),
        ("The weather is calm.", []),
        ("Weather: storm.", ["storm"]),
        ("Two lights: enough.", []),
        ("Three lights: enough.", ["Three"]),
        ("She has one light with the 5, and with the 6 two lights.", []),
        ("She needs three lights more.", []),
        ("She gets two more lights.", []),
    ],
)
def test_named_values_and_labeled_counts_are_compared(told: str, drifted: list[str]) -> None:
    text = (
        f"Example: Mirel has a trait of 4. She rolls 2, 5, 6 and 1. {told}\n\n"
        "```example\ntrait: 4\ndifficulty: Hard\nweather: calm\ndice: 2 5 6 1\nhits: 2\n```\n"
    )
    assert find_drift(NIGHTS, text) == drifted


TELLING = {  # the lines at which the examples of the books begin that tell dice or a result
    "own": [[64, 73, 78, 83], [19, 24, 27, 30], [37], [], [15, 24, 29, 42, 49, 59]],
    "source": [[361, 374, 381, 396], [39, 52, 59, 68], [240], [], [20, 29, 38, 48, 81, 95]],
}


@pytest.mark.parametrize("which", BOTH)
@pytest.mark.parametrize("number", range(5))
def test_source_books(which: Books, number: int, golden: Callable[[str, str], None]) -> None:
    """Every prose example with dice or a result is seen, and nothing else."""
    page = page_of(source_books(which)[f"00{number}.md"])
    count, problems = check_unchecked(page)
    assert [problem.span.source.position(problem.span.start)[0] for problem in problems] == TELLING[which][number]
    assert count == len(problems)
    found = [(one.passage.line, line) for one in find_examples(page) for line in lines(one.facts)]
    golden(f"prose/{which}-00{number}.txt", "".join(f"{start}: {line}\n" for start, line in found))


WORDS = st.sampled_from((HERE / "cases" / "prose-words.md").read_text(encoding="utf-8").split(" "))


@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_whatever_is_written(text: str) -> None:
    page = page_of(text)
    game, _ = load_game(RULES / "maelstrom" / "game.toml")
    results = [check_example(block, BlockContext(page, game, {})) for block in page.blocks if block.kind == "example"]
    count, problems = check_unchecked(page)
    assert count >= len(problems)
    for problem in (*problems, *check_drift(page, results)):
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    find_wrong_sentences(page, results)


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    page = page_of("Example: " + text)
    for passage in read_passages(page):
        for name in KINDS:
            for bit in getattr(read_facts(passage), name):
                assert passage.text[bit.start : bit.end]


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_every_character_of_a_passage_is_found_in_the_page(text: str) -> None:
    for passage in read_passages(page_of("x " + text)):
        for place, character in enumerate(passage.text):
            span = passage.span(place, place + 1)
            assert span.text == character or character in " \n" or span.text[:1] in "\\&"


def test_a_passage_knows_the_way_back() -> None:
    text = "> **Example:** 3 \\* 4 &amp; `5` [of *them*](a.md 'b c') ![no](d.png)<b>x</b>\r\n> and more {.x}\r\n"
    passage = next(read_passages(page_of(text), lambda _: True))
    assert passage.text == "Example: 3 * 4 & 5 of them x and more {.x}"
    for word, written in [("* 4", "\\* 4"), ("&", "&amp;"), ("5", "5"), ("them", "them"), ("and more", "and more")]:
        start = passage.text.index(word)
        assert passage.span(start, start + len(word)).text == written
    assert passage.is_emphasized(0, 8)
    assert passage.is_emphasized(passage.text.index("them"), passage.text.index("them") + 4)
    assert not passage.is_emphasized(0, 12)
    assert (passage.container, passage.line, passage.trail) == ("quote", 1, ())


def test_trails() -> None:
    page = page_of("Top\n\n# One\n\nfirst\n\n## Two\n\nsecond\n\n# Three\n\n> third\n")
    assert [passage.trail for passage in read_passages(page)] == [(), ("One",), ("One", "Two"), ("Three",)]


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("Example: Ada rolls 3 and 9, falls short of 12.", True),  # no German "falls"
        ("Example: Ada würfelt 3 und 9, falls die Würfel so liegen.", False),
        ("Example: Ada rolls 3 and 9, if the dice are kind.", False),
    ],
)
def test_words_of_one_language_are_not_read_in_another(text: str, is_sure: bool) -> None:
    passage = next(read_passages(page_of(text)))
    assert [bit.sure for bit in read_facts(passage).faces] == [is_sure]
