"""Dice as pictures: a shape for each number of sides, marked by what the face is worth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup, escape

from ..words import Words
from .shapes import BOX, PIPS, ROUND, SHAPES, Shape

BADGES = {  # drawn around 0 0, in a circle
    "good": "M-3.6 .4L-1.2 3.2L3.8-3",
    "bad": "M-3-3L3 3M3-3L-3 3",
    "earned": "M-4 0H4M0-4V4",
    "thrown on": "M-4-3.5L-.5 0L-4 3.5M0-3.5L3.5 0L0 3.5",
    "rerolled": "M3.4-2A4 4 0 1 0 3.8 1.4M3.8-5V-1.6H.4",
    "dropped": "M0-4V3.6M-3 .8L0 3.8L3 .8",
}
STROKES = {"removed": "M7 41L41 7", "cancelled": "M5 37L37 5M11 43L43 11"}  # across the whole die
ORIGINS = ("earned", "thrown on", "rerolled")  # where a face comes from; their badges sit at the top left
WORTHS = ("dropped", "good", "bad")  # what it counts for: at the bottom right
LOST = ("removed", "cancelled", "dropped", "rerolled")
CLASS = {role: f"rw-{role.replace(' ', '-')}" for role in (*BADGES, *STROKES)}


@lru_cache(maxsize=4096)
def die(words: Words, face: str, sides: int, roles: tuple[str, ...], kind: int = 0) -> Markup:
    """One face; `sides` is 0 for dice whose faces are no numbers, `kind` counts the kinds of a rule."""
    shape = SHAPES.get(sides, ROUND) if sides else BOX
    shown = [role for role in roles if role in CLASS]
    names = " ".join(["rw-die", f"rw-kind{min(kind, 2)}", *(CLASS[role] for role in shown)])
    inside = [
        f'<path class="rw-body" d="{shape.outline}"/>',
        *([f'<path class="rw-edge" d="{shape.edges}"/>'] if shape.edges else []),
        *(f'<path class="rw-stroke" d="{STROKES[role]}"/>' for role in STROKES if role in shown),
        pips(int(face)) if sides == 6 and face in "123456" else number(face, shape),
        *badges(shown),
    ]
    return Markup(
        f'<svg class="{names}" viewBox="0 0 48 48" role="img" fill="none" stroke="currentColor">'
        f"<title>{escape(alternative(words, face, sides, shown))}</title>{''.join(inside)}</svg>"
    )


def alternative(words: Words, face: str, sides: int, roles: list[str]) -> str:
    """«10 (d10): good, earned»."""
    shown = face.replace("-", "−")
    name = words("face of die", face=shown, sides=sides) if sides else shown
    return f"{name}: {', '.join(words(f'role {role}') for role in roles)}" if roles else name


def pips(face: int) -> str:
    circles = "".join(f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in PIPS[face])
    return f'<g class="rw-pips">{circles}</g>'


def number(face: str, shape: Shape) -> str:
    """What is written on the face; long texts get smaller."""
    size = shape.size if len(face) < 3 else max(shape.size * 2.4 / len(face), 5)
    return (
        f'<text class="rw-number" x="24" y="{shape.base}" text-anchor="middle" font-size="{size:g}">'
        f"{escape(face.replace('-', '−'))}</text>"
    )


def badges(roles: list[str]) -> Iterator[str]:
    """Every role has a mark of its own, so that nothing is told by colour alone."""
    worth = next((role for role in WORTHS if role in roles), "")
    if worth and not any(role in STROKES for role in roles):
        yield badge(worth, 40)
    if origin := next((role for role in ORIGINS if role in roles), ""):
        yield badge(origin, 8)


def badge(role: str, place: int) -> str:
    return (
        f'<g class="rw-badge {CLASS[role]}" transform="translate({place} {place})">'
        f'<circle r="7.5"/><path d="{BADGES[role]}"/></g>'
    )


@lru_cache(maxsize=512)
def mark(role: str) -> Markup:
    """The mark of a role by itself, for the line that says what marks mean."""
    if role in STROKES:
        inside = f'<path class="rw-stroke" transform="translate(-12 -12) scale(.5)" d="{STROKES[role]}"/>'
    else:
        inside = f'<g class="rw-badge {CLASS[role]}"><circle r="7.5"/><path d="{BADGES[role]}"/></g>'
    return Markup(
        f'<svg class="rw-mark {CLASS[role]}" viewBox="-12 -12 24 24" aria-hidden="true" fill="none" '
        f'stroke="currentColor">{inside}</svg>'
    )
