"""What is read stands out from its ground in both schemes, on cards alone and in the look of the site."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path

import pytest

from color_tokens import RULE, blend, contrast_ratio, read_tokens, resolve_color
from rulewright.render.cards.odds import HEAT_OPACITY

ROOT = Path(__file__).parent.parent
CARDS = ROOT / "plugin" / "rulewright" / "web" / "rulewright.css"
SITE = ROOT / "site_overrides" / "assets" / "rulebook.css"
SCHEMES = ("default", "slate")
TEXT, GRAPHIC = 4.5, 3.0
ON_CARDS = [("rw-ink", "rw-card"), ("rw-quiet", "rw-card"), ("rw-accent", "rw-card"), ("rw-bad", "rw-card")]
ON_DICE = [(front, back) for front in ("rw-on",) for back in ("rw-good", "rw-bad", "rw-second", "rw-third", "rw-lost")]
EDGES = [(front, "rw-card") for front in ("rw-good", "rw-bad", "rw-second", "rw-third", "rw-lost", "rw-ink")]
ON_PAGES = [(front, "paper") for front in ("ink", "quiet", "accent", "accent-deep", "rw-good", "rw-bad", "rw-third")]
ON_PAGES += [("on-cover", "cover"), ("ink", "mark"), ("paper", "accent")]


@cache
def known(scheme: str, site: bool) -> dict[str, str]:
    own = read_tokens(SITE.read_text("utf-8"), scheme) if site else {}
    return read_tokens(CARDS.read_text("utf-8"), scheme) | own


def measured(scheme: str, site: bool, front: str, back: str) -> float:
    return contrast_ratio(resolve_color(known(scheme, site), front), resolve_color(known(scheme, site), back))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("site", [False, True])
@pytest.mark.parametrize(("front", "back"), [*ON_CARDS, *ON_DICE])
def test_text_on_cards(scheme: str, site: bool, front: str, back: str) -> None:
    assert measured(scheme, site, front, back) >= TEXT


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("site", [False, True])
@pytest.mark.parametrize(("front", "back"), EDGES)
def test_dice_stand_out(scheme: str, site: bool, front: str, back: str) -> None:
    assert measured(scheme, site, front, back) >= GRAPHIC


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("front", "back"), ON_PAGES)
def test_text_on_pages(scheme: str, front: str, back: str) -> None:
    assert measured(scheme, True, front, back) >= TEXT


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("site", [False, True])
@pytest.mark.parametrize("opacity", [HEAT_OPACITY[0], sum(HEAT_OPACITY)])
def test_numbers_on_a_heat_map(scheme: str, site: bool, opacity: float) -> None:
    found = known(scheme, site)
    ground = blend(resolve_color(found, "rw-heat"), resolve_color(found, "rw-card"), opacity)
    assert contrast_ratio(resolve_color(found, "rw-ink"), ground) >= TEXT


def test_code_on_its_ground() -> None:
    """The ground of code is the line colour laid over the paper; the share stands in the style sheet."""
    share = 0.38
    assert f"color-mix(in srgb, var(--line) {share:.0%}, var(--paper))" in SITE.read_text("utf-8")
    for scheme in SCHEMES:
        found = known(scheme, True)
        ground = blend(resolve_color(found, "line"), resolve_color(found, "paper"), share)
        for front in ("ink", "quiet", "accent", "rw-good", "rw-bad", "rw-third"):
            assert contrast_ratio(resolve_color(found, front), ground) >= TEXT, (scheme, front)


@pytest.mark.parametrize(
    ("one", "other", "ratio"), [("#000", "#fff", 21), ("#777777", "#ffffff", 4.48), ("#fff", "#fff", 1)]
)
def test_contrast_is_reckoned_as_everywhere(one: str, other: str, ratio: float) -> None:
    found = {"one": one, "other": "var(--same)", "same": other}
    assert contrast_ratio(resolve_color(found, "one"), resolve_color(found, "other")) == pytest.approx(ratio, abs=0.005)


def test_tokens_of_cards_have_no_specificity() -> None:
    """Their file is linked after the styles of a site, whose own tokens must win."""
    plain = re.sub(r"/\*.*?\*/", "", CARDS.read_text("utf-8").partition("@media (forced-colors")[0], flags=re.DOTALL)
    selectors = [selector.strip() for selector, body in RULE.findall(plain) if "--rw-card:" in body]
    assert len(selectors) == len(SCHEMES)
    assert all(re.fullmatch(r":where\([^()]*\)", selector) for selector in selectors)


def test_the_style_of_cards_is_small() -> None:
    assert len(gzip.compress(CARDS.read_bytes(), mtime=0)) <= 4096


def test_type_is_small_and_keeps_its_licence() -> None:
    fonts = ROOT / "site_overrides" / "assets" / "fonts"
    files = sorted(fonts.glob("*.woff2"))
    assert sum(file.stat().st_size for file in files) <= 150_000
    for file in files:
        family = file.name.partition("-latin")[0]
        assert "SIL Open Font License" in (fonts / f"{family}-OFL.txt").read_text("utf-8")
        assert f"fonts/{file.name}" in SITE.read_text("utf-8")
