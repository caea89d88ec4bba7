"""The chances of the outcomes of a roll: one stacked bar with whole percents, and a table with a decimal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from markupsafe import Markup

from ...game.model import CONTEST_SIDES, Rule
from ...odds.distribution import Chance
from ..number_format import localized_rounded
from ..strings import Words
from .wording import outcome_name

_MOST_NAMED = 3  # outcomes in the text under the bar
_PARTS = 10**9  # of a percent; what is less is an error of doubles in the browser
_GAP = 0.7  # between two parts of the stacked bar, in hundredths of its length


class OutcomeChance(NamedTuple):
    """The chance of one outcome; `here` marks the outcome of the roll."""

    name: str
    text: str
    svg: Markup
    here: bool


class OutcomeOdds(NamedTuple):
    """The chances of all outcomes: in words for a screen reader, as a stacked bar, in short, and one by one."""

    label: str
    stack: Markup
    text: Markup
    caption: str
    outcomes: list[OutcomeChance]


def build_outcome_odds(chances: Mapping[str, Chance], words: Words, here: str | None = None) -> OutcomeOdds | None:
    """The odds of named outcomes; None unless there are two, because one alone is certain."""
    if len(chances) < 2:
        return None
    outcomes = [
        OutcomeChance(name, localized_rounded(chance, True, 1, words), draw_bar(float(chance)), name == here)
        for name, chance in chances.items()
    ]
    label = ", ".join(words("odds of outcome", outcome=name, chance=text) for name, text, _, _ in outcomes)
    rolls, text, caption = min(chance.rolls for chance in chances.values()), _list_percents(chances, here), ""
    if rolls:
        text, caption = Markup("{}").format(words("estimated odds")) + text, words("chances estimated", rolls=rolls)
    label = label[:1].upper() + label[1:]
    return OutcomeOdds(label, _draw_stack(chances, here), text, caption or words("chances before"), outcomes)


def name_outcomes(
    rule: Rule, chances: Mapping[str, Chance], words: Words, sides: Sequence[str] = ()
) -> dict[str, Chance]:
    """The chances by the names that readers see; in a contest, by the sides."""
    if not rule.contest:
        return {outcome_name(rule, name): chance for name, chance in chances.items()}
    names = sides or [words(f"side {number}") for number in (1, 2)]
    known = {**dict(zip(CONTEST_SIDES, names, strict=True)), "none": words("nobody")}
    return {known.get(name, name): chance for name, chance in chances.items()}


def draw_bar(share: float, has_track: bool = True) -> Markup:
    """SVG of a bar as long as the share, on a track if it is a share of a whole.

    Hidden from screen readers, because the number next to it says the same.
    """
    track = '<rect class="rw-track" width="100" height="8"/>' if has_track else ""
    return Markup(
        '<svg class="rw-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'{track}<rect class="rw-share" width="{hundredths(share)}" height="8"/></svg>'
    )


def _draw_stack(chances: Mapping[str, Chance], here: str | None) -> Markup:
    """SVG with a part for each outcome, as long as its chance."""
    parts, start = [], 0.0
    for name, chance in chances.items():
        share = float(chance)
        mark = " rw-here" if name == here else ""
        width = max(share - _GAP / 100, share / 2)
        parts.append(f'<rect class="rw-share{mark}" x="{hundredths(start)}" width="{hundredths(width)}" height="6"/>')
        start += share
    return Markup(
        '<svg class="rw-stack" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def hundredths(share: float) -> str:
    """A share as a length in hundredths."""
    return f"{max(min(share, 1.0), 0.0) * 100:.2f}".rstrip("0").rstrip(".")


def _list_percents(chances: Mapping[str, Chance], here: str | None) -> Markup:
    """The outcomes with whole percents, that of the roll first; of many only the most likely."""
    percents = dict(zip(chances, whole_percents(list(chances.values())), strict=True))
    ranked = sorted(filter(percents.get, chances), key=lambda name: (name != here, -float(chances[name])))
    named = sorted(ranked[:_MOST_NAMED], key=lambda name: name != here and 1 + list(chances).index(name))
    parts = [Markup("<b>{} {}</b>" if name == here else "{} {}").format(name, percents[name]) for name in named]
    return Markup(" · ").join([*parts, *(["…"] if len(ranked) > len(named) else [])])


def whole_percents(chances: Sequence[Chance]) -> list[str]:
    """The chances of all outcomes in whole percents, rounded so that they sum to 100.

    Never 0 for what can happen, which is empty for what cannot, and never 100 for what can fail.
    """
    parts = [int(chance.likely * 100 * _PARTS + Fraction(1, 2)) for chance in chances]
    whole, places = [part // _PARTS for part in parts], range(len(parts))
    missing = (sum(parts) + _PARTS // 2) // _PARTS - sum(whole)
    for place in sorted(places, key=lambda place: -(parts[place] % _PARTS))[:missing]:
        whole[place] += 1
    return [_write_percent(number, chance) for number, chance in zip(whole, chances, strict=True)]


def _write_percent(number: int, chance: Chance) -> str:
    if number == 0:
        return "<1" if chance.high > 0 else ""
    return ">99" if number == 100 and chance.low < 1 else str(number)
