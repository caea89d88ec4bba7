"""Sums of traits and lists of specialties, whatever an author writes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import load_shipped_game, load_shipped_rule
from rulewright.game.traits import SpecialtyUse, TextProblem, find_trait, parse_specialties, parse_terms
from rulewright.play.spends import gather_inputs

REGISTER = load_shipped_game("maelstrom").traits
NAMES = [name for category in REGISTER.values() for name in category.names]
PIECES = st.sampled_from(
    [*NAMES[:6], "Firearms", "Drive", "+", " ", "0", "3", "d8", "4D", "none", ",", "(Melee)", "Power Armor"]
)
TEXTS = st.lists(PIECES, max_size=8).map(" ".join) | st.text(max_size=20)


def inside(slip: TextProblem, text: str) -> bool:
    return 0 <= slip.start <= slip.end <= len(text) + 1 and bool(slip.message)


@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES[:6]), st.integers(0, 5)), min_size=1, max_size=2, unique_by=lambda one: one[0]
    )
)
def test_a_pool_is_the_sum(traits: list[tuple[str, int]]) -> None:
    text = " + ".join(f"{name} {dots}" for name, dots in traits)
    terms, inputs, slips = gather_inputs(load_shipped_rule("maelstrom/action"), text)
    assert not slips
    assert [(term.name, term.dots) for term in terms] == traits
    assert inputs == {"pool": str(sum(dots for _, dots in traits))}


@given(TEXTS)
def test_any_sum_is_read(text: str) -> None:
    for name in ("maelstrom/action", "wild-die/check", "step-dice/check", "ingenuity/test"):
        terms, _, slips = gather_inputs(load_shipped_rule(name), text)
        assert all(inside(slip, text) for slip in slips)
        assert all(text[term.start : term.end] for term in terms)


@given(TEXTS)
def test_any_list_of_specialties_is_read(text: str) -> None:
    for one in parse_specialties(text, REGISTER):
        assert text[one.start : one.end].startswith(one.name)
    terms = parse_terms("Precision 3 + Melee 2")[0]
    use = SpecialtyUse(load_shipped_rule("maelstrom/action"), terms, {"uses": text, "required": text, "holds": text})
    use.check()
    assert all(inside(slip, text) for _, slip in use.problems)


@pytest.mark.parametrize(
    ("written", "name"), [("firearms", "Firearms"), ("HEAVY weapons", "Heavy Weapons"), ("x", "x")]
)
def test_capitals_do_not_matter(written: str, name: str) -> None:
    assert find_trait(REGISTER, written)[1] == name
