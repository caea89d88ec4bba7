"""The family of dice that `init` suggests rests on sentences about rolls, and on nothing where they do not agree."""

from __future__ import annotations

import pytest

from rulewright.adopt.guess_dice import guess_family
from rulewright.adopt.interview import complete

DAMAGE = "The axe deals 2d6 damage. The fall costs 3d6 hit points. A potion heals 2d6.\n\n"
TABLE = "| 1d100 | find |\n| --- | --- |\n| 1-50 | a coin |\n\n"
FAMILIES = {  # a sentence of a rulebook, and the answers that four of them suggest
    "Roll a d20 and add your bonus.": {"family": "one", "sides": "d20"},
    "Roll 2d6 and add Grit.": {"family": "sum", "sides": "d6", "count": "2"},
    "Roll 3d6 and add your craft.": {"family": "sum", "sides": "d6", "count": "3", "compare": "target"},
    "Roll your dice and count how many successes they show.": {"family": "pool"},
    "Each of the dice that shows a five is a hit; dice that show 6 are hits too.": {"family": "pool"},
    "Roll them all and read the highest die.": {"family": "highest"},
    "A trait is a d4, a d6, a d8, a d10 or a d12.": {"family": "step"},
    "Use the next larger die type.": {"family": "step"},
    "Roll d100: a result equal to or below your skill is a success.": {"family": "under", "sides": "d100"},
    "On a d20, roll under your **Wits**.": {"family": "under", "sides": "d20"},
    "Roll 4dF and add a skill.": {"family": "fate"},
    "With a craft of three roll 5k3.": {"family": "keep"},
    "Compare it with both challenge dice.": {"family": "challenge"},
}


@pytest.mark.parametrize("sentence", FAMILIES)
def test_sentences_about_rolls(sentence: str) -> None:
    """Dice of damage and tables do not count, however many there are."""
    text = f"{sentence}\n\n" * 4 + DAMAGE * 9 + TABLE * 9
    family = guess_family([text])
    assert family is not None
    assert family.answers == FAMILIES[sentence]
    assert {**complete(family.answers, {}), **family.answers} == complete(family.answers, {}), (
        "answers that are possible"
    )
    assert guess_family([sentence]) is None, "too few"


@pytest.mark.parametrize(
    "text",
    [
        "", DAMAGE * 20, TABLE * 20, "It takes 1d6 days. " * 9,
        "Roll a d20. " * 5 + "Roll a d12. " * 6,  # other dice are rolled more often
        "Roll 4dF. " * 6 + "Read the highest die. " * 5,  # two families
        "Roll d100 on the list of finds. " * 9,
        "Roll a d20 and add your bonus. " * 8 + "Roll under your Wits. " * 3,  # the two of them
        "If you roll equal to or below the doom die, roll a d8. " * 9,
        "```text\n" + "Roll a d20.\n\n" * 9 + "```\n",
    ],
)  # fmt: skip
def test_weak_evidence_is_no_answer(text: str) -> None:
    assert guess_family([text]) is None
