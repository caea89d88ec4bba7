"""The words that readers see: the same names in every language, and nothing said outside of the catalogue."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from rulewright.book.page import BLOCK_KINDS
from rulewright.game.game_schema import KEEPS
from rulewright.render.strings import languages, read_words

PUBLISH = Path(__file__).parent.parent / "plugin" / "rulewright" / "render"
TEMPLATES = sorted((PUBLISH / "templates").glob("*.html"))
JINJA = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
SPOKEN = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"')
ENGLISH = read_words("en")


def blanks(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


def test_there_are_english_and_german() -> None:
    assert {"en", "de"} <= set(languages())


@pytest.mark.parametrize("language", languages())
def test_every_language_says_the_same(language: str) -> None:
    words = read_words(language)
    assert words.phrases.keys() == ENGLISH.phrases.keys()
    wrong = [name for name, phrase in words.phrases.items() if blanks(phrase) != blanks(ENGLISH.phrases[name])]
    assert not wrong, f"other blanks than in English: {wrong}"
    assert not [name for name, phrase in words.phrases.items() if not phrase.strip()]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_templates_hold_no_bare_words(template: Path) -> None:
    source = JINJA.sub("", template.read_text("utf-8"))
    spoken = " ".join(SPOKEN.findall(source))
    assert not re.findall(r"[^\W\d_]+", TAG.sub(" ", source) + spoken)


def test_what_templates_ask_for_is_there() -> None:
    asked = {name for path in TEMPLATES for name in re.findall(r'words\("([^"]+)"', path.read_text("utf-8"))}
    assert asked
    assert asked <= ENGLISH.phrases.keys()


def test_what_scripts_put_together_is_there() -> None:
    """Names such as `keep ${which}`: the catalogue has a phrase for each value."""
    scripts = "\n".join(path.read_text("utf-8") for path in (PUBLISH.parent / "web").glob("*/*.js"))
    starts = set(re.findall(r"\bsay\(`([^`$]*)\$\{", scripts))
    assert {"keep ", "role ", "side "} <= starts
    assert not [start for start in starts if not any(name.startswith(start) for name in ENGLISH.phrases)]
    assert {f"keep {which}" for which in KEEPS} <= ENGLISH.phrases.keys()


def test_no_phrase_is_left_over() -> None:
    """A phrase is used where its name stands in the code, whole or as what an f-string makes of it."""
    source = "\n".join(path.read_text("utf-8") for path in [*PUBLISH.parent.rglob("*.py"), *TEMPLATES])
    source += "\n".join(path.read_text("utf-8") for path in (PUBLISH.parent / "web").glob("*/*.js"))
    made = {
        text for text in re.findall(r'f"([^"\n]+)"', source) if re.search(r"[a-z]{3}", re.sub(r"\{.*?\}", "", text))
    }
    made |= {re.sub(r"\$(\{.*?\})", r"\1", text) for text in re.findall(r"\bsay\(`([^`\n]+)`", source)}
    patterns = [re.compile(re.sub(r"\\{.*?\\}", ".+", re.escape(text))) for text in made]
    unused = [
        name
        for name in ENGLISH.phrases.keys() - set(BLOCK_KINDS)
        if f'"{name}"' not in source and not any(pattern.fullmatch(name) for pattern in patterns)
    ]
    assert not unused
