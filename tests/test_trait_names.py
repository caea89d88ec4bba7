"""Names of traits in roll expressions, compared with the traits of the page's game."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.parser import read_page
from rulewright.checks.model import BlockContext
from rulewright.checks.trait_names import check_trait_names
from rulewright.game.model import Game
from rulewright.play.validate import load_game, load_game_text
from rulewright.source import Problem, Source
from source_books import BOTH, GAMES, Books, source_books

HERE = Path(__file__).parent
RULES = HERE.parent / "rules"


def game_of(name: str, folder: Path = RULES) -> Game:
    game, problems = load_game(folder / name / "game.toml")
    assert game
    assert not problems
    return game


MAELSTROM = game_of("maelstrom")


def names(text: str, game: Game | None = MAELSTROM, **games: Game) -> list[Problem]:
    return check_trait_names(BlockContext(read_page(Source("book.md", text)), game, games))


def found(text: str) -> list[tuple[str, str]]:
    """Each name with what is said of it."""
    return [(problem.span.text, "; ".join((problem.message, *problem.notes))) for problem in names(text)]


UNKNOWN = [
    ("Roll Precision + Drive.", "Drive", 'there is no trait "Drive"; did you mean Driving?'),
    ("Roll Precison + Driving.", "Precison", 'there is no trait "Precison"; did you mean Precision?'),
    ("It is a reflex + strength check.", "reflex", 'there is no trait "reflex"; did you mean Reflexes?'),
    ("Roll *strength* and *acrobatic*.", "acrobatic", "write one of the game's traits"),
    ("They roll Strength and Athletic.", "Athletic", "did you mean Athletics?"),
    ("Use Wits plus Heavy Weapon.", "Heavy Weapon", "did you mean Heavy Weapons?"),
    ("Roll Strength + Brawling.", "Brawling", "it is a general specialty of Melee; write Melee, and Brawling as"),
    ("Roll Wits + Law.", "Law", '"Law" is no trait: it is an advanced specialty of Humanities'),
    ("Roll Wits + Surveillance.", "Surveillance", "it is a general specialty of Stealth and of Tradecraft"),
    ("Put two dots in Academics.", "Academics", "write one of the game's traits, or add this one to [traits]"),
    ("She has three dots in Wits and one dot in Streetwize.", "Streetwize", "did you mean Streetwise?"),
    ("Roll Reflex!", "Reflex", "did you mean Reflexes?"),
    ("> **Example:** roll **Wits + Sorcery** now", "Sorcery", 'there is no trait "Sorcery"'),
    ("Roll `Precision + Drive`.", "Drive", "did you mean Driving?"),
    ("- a\n  - Sorcery + Wits", "Sorcery", 'there is no trait "Sorcery"'),
]


@pytest.mark.parametrize(("text", "name", "said"), UNKNOWN)
def test_unknown_names(text: str, name: str, said: str) -> None:
    [(word, message)] = found(text)
    assert word == name
    assert said in message


QUIET = [
    "Roll Precision + Driving, or Reflexes + Strength.",
    "Roll PRECISION plus heavy weapons.",
    "Roll *strength* and *athletics*, then run.",
    "Roll Strength + 2.",
    "Roll 2d6+3 and d6+d4+1.",
    "Roll Attribute + Ability.",
    "Usually one rolls Attribute + Skill.",
    "Roll Strength and pray.",
    "Roll Strength and Mira laughs.",
    "Roll Strength + whatever your game master says.",
    "Roll Wits + bonus.",
    "Add Willpower + Wits.",
    "Salt + Pepper, Ctrl + C, Anna + Ben.",
    "Roll +strength, or Face Danger +wits; Resupply with +strength.",
    "Some dots in a map, two dots in the sky, dots in talents.",
    "She connects the dots in London.",
    "Two dots in Physical and one dot in Mental.",
    "Roll Initiative! Roll Dice! Roll Twice!",
    "Make a Stealth check and a Perception roll.",
    "Swords + Shields are for Melee.",
    "    Precision + Drive",
    "<!-- Precision + Drive -->",
    "```text\nPrecision + Drive\n```",
    "```example\ntraits: Precision 3 + Driving 2\n```\n",
    "```example\ntraits: precision 3 + 2\n```\n",
    "```example\ntraits:\n```\n",
]


@pytest.mark.parametrize("text", QUIET)
def test_quiet_where_it_is_not_sure(text: str) -> None:
    assert found(text) == []


def test_places_and_severity() -> None:
    [problem] = names("# Rolls\n\n> Roll **Precision + Drive**\r\n> at once, and Precision + Drive again.\n")
    assert (problem.code, problem.severity, problem.trail) == ("trait-unknown", "warning", ("Rolls",))
    assert problem.span.source.position(problem.span.start) == (3, 22)


@pytest.mark.parametrize("name", ["wild-die", "step-dice", "ingenuity", "maelstrom-first-edition"])
def test_silent_without_a_whole_register(name: str) -> None:
    """Games without traits, and one whose list of abilities is still empty."""
    assert names("Roll Precision + Drive. Two dots in Drive.", game_of(name)) == []
    assert names("Roll Precision + Drive.", None) == []


def test_aliases_are_names() -> None:
    game, _ = load_game_text(
        'title = "A"\n[traits.all]\nnames = ["Might", "Grace"]\naliases = { Might = "Brawn" }\n', "game.toml"
    )
    assert names("Roll Brawn + Grace.", game) == []
    assert len(names("Roll Brawm + Grace.", game)) == 1


WRONG_NAMES = {
    "own": [("Law", 43), ("Academics", 44), ("Drive", 64), ("Brawling", 68), ("reflex", 97)],
    "source": [("Law", 291), ("Academics", 291), ("Drive", 361), ("Brawling", 367), ("reflex", 489)],
}


@pytest.mark.parametrize("which", BOTH)
@pytest.mark.parametrize("number", range(5))
def test_source_books(which: Books, number: int, tmp_path: Path) -> None:
    for name in GAMES:
        shutil.copytree(RULES / name, tmp_path / name)
    text = source_books(which)[f"00{number}.md"]
    (tmp_path / GAMES[number] / "book.md").write_bytes(text.encode())
    source = Source("book.md", text)
    problems = check_trait_names(BlockContext(read_page(source), game_of(GAMES[number], tmp_path), {}))
    wrong = [(problem.span.text, source.position(problem.span.start)[0]) for problem in problems]
    assert wrong == (WRONG_NAMES[which] if number == 0 else [])


@given(
    st.lists(
        st.sampled_from(
            [
                "Roll",
                "Strength",
                "+",
                "plus",
                "and",
                "*wits*",
                "Drive",
                "dots in",
                "two",
                "3",
                "Heavy",
                "Weapon",
                "law",
                ",",
                "\n",
            ]
        )
    )
)
def test_whatever_is_written(words: list[str]) -> None:
    for problem in names(" ".join(words)):
        assert problem.span.text.strip()


@given(st.text(max_size=100))
def test_any_text(text: str) -> None:
    names(f"Roll {text} + Wits and two dots in {text}\n\n```example\ntraits: {text}\n```\n")
