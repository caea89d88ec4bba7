"""Draws dice as SVG, and groups the dice of a roll in the order in which they were rolled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from math import cos, pi, sin
from typing import NamedTuple

from markupsafe import Markup, escape

from ...game.core import CoreKind
from ...game.lower import lower_rule
from ...game.model import Rule
from ...play.face_text import format_face
from ...play.result import RenderedFace, Result
from ...play.roll import Die
from ..strings import Words
from .wording import kind_label, reader_name

_CENTER = 24


class _Shape(NamedTuple):
    """The drawing of a die: SVG paths of its outline and inner edges, and the position of its number."""

    outline: str
    edges: str = ""
    baseline: int = 30  # y coordinate of the baseline of the number
    font_size: int = 17  # font size of a number with up to two digits


def _polygon_corners(count: int, radius: float, turn: float = 0) -> list[tuple[float, float]]:
    """The corners of a regular polygon, starting at the top."""
    angles = [2 * pi * (number + turn) / count for number in range(count)]
    return [(round(_CENTER + radius * sin(angle), 1), round(_CENTER - radius * cos(angle), 1)) for angle in angles]


def _closed_path(points: list[tuple[float, float]]) -> str:
    """A closed SVG path through the points."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z"


def _connect_corners(outer: list[tuple[float, float]], inner: list[tuple[float, float]]) -> str:
    """SVG path with a line from each outer corner to its inner corner."""
    return "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for (a, b), (c, d) in zip(outer, inner, strict=True))


def _d12_shape() -> _Shape:
    """The shape of a d12."""
    rim, face = _polygon_corners(10, 22), _polygon_corners(5, 13.5)
    return _Shape(_closed_path(rim), _closed_path(face) + _connect_corners(rim[::2], face), 30, 16)


_HEXAGON = "M24 2L43 13V35L24 46L5 35V13Z"
_SQUARE = "M12 5H36Q43 5 43 12V36Q43 43 36 43H12Q5 43 5 36V12Q5 5 12 5Z"
ROUND_SHAPE = _Shape("M24 3A21 21 0 0 1 24 45A21 21 0 0 1 24 3Z")
_SQUARE_SHAPE = _Shape(_SQUARE)
CARD = -1  # in place of the sides of a die
_NARROW, _WIDE = 48, 106  # the width of a die, and of the longest words on a face
_SUIT_PATHS = (
    "M0-7A3.2 3.2 0 0 1 2.6-2A3.2 3.2 0 1 1 1 3.4L2 7H-2L-1 3.4A3.2 3.2 0 1 1-2.6-2A3.2 3.2 0 0 1 0-7Z",
    "M0-7.5L5.5 0L0 7.5L-5.5 0Z",
    "M0 7C-10-1-6-8 0-3.5C6-8 10-1 0 7Z",
    "M0-7.5C10 .5 5 6 .9 3.2L2.2 7H-2.2L-.9 3.2C-5 6-10 .5 0-7.5Z",
)
_SUIT_NAMES = ("club clubs kreuz", "diamond diamonds karo", "heart hearts herz", "spade spades pik")
SUITS = {name: path for path, names in zip(_SUIT_PATHS, _SUIT_NAMES, strict=True) for name in names.split()}
SHAPES = {
    4: _Shape("M24 3L46 42H2Z", "", 36, 16),
    6: _SQUARE_SHAPE,
    8: _Shape(_HEXAGON, "M24 2L43 35H5Z", 31, 16),
    10: _Shape("M24 2L45 19V29L24 46L3 29V19Z", "M24 2L37 28L24 35L11 28ZM37 28L45 29M11 28L3 29M24 35V46", 29, 17),
    12: _d12_shape(),
    20: _Shape(_HEXAGON, "M24 11L36 32H12ZM24 2V11L43 13L36 32L43 35M36 32L24 46L12 32L5 35M12 32L5 13L24 11", 29, 13),
}

_LOW, _HIGH = 15, 33
PIPS = {
    1: [(_CENTER, _CENTER)],
    2: [(_LOW, _LOW), (_HIGH, _HIGH)],
    3: [(_LOW, _LOW), (_CENTER, _CENTER), (_HIGH, _HIGH)],
    4: [(_LOW, _LOW), (_HIGH, _LOW), (_LOW, _HIGH), (_HIGH, _HIGH)],
    5: [(_LOW, _LOW), (_HIGH, _LOW), (_CENTER, _CENTER), (_LOW, _HIGH), (_HIGH, _HIGH)],
    6: [(_LOW, _LOW), (_HIGH, _LOW), (_LOW, _CENTER), (_HIGH, _CENTER), (_LOW, _HIGH), (_HIGH, _HIGH)],
}


BADGES = {  # SVG paths, centered at 0 0 in a circle
    "good": "M-3.6 .4L-1.2 3.2L3.8-3",
    "bad": "M-3-3L3 3M3-3L-3 3",
    "earned": "M-4 0H4M0-4V4",
    "thrown on": "M-4-3.5L-.5 0L-4 3.5M0-3.5L3.5 0L0 3.5",
    "rerolled": "M3.4-2A4 4 0 1 0 3.8 1.4M3.8-5V-1.6H.4",
    "dropped": "M0-4V3.6M-3 .8L0 3.8L3 .8",
    "picked 1": "M0-3.8L3.8 0L0 3.8L-3.8 0Z",
    "picked 2": "M0-3.6L3.6 2.8H-3.6Z",
    "picked 3": "M-2.8-2.8H2.8V2.8H-2.8Z",
}
PICK_ROLES = tuple(BADGES)[-3:]  # a step picks the die; badges at the top right and the bottom left
STROKES = {"removed": "M7 41L41 7", "cancelled": "M5 37L37 5M11 43L43 11"}  # across the whole die
_ORIGIN_ROLES = ("earned", "thrown on", "rerolled")  # why a die was rolled; badge at the top left
_VALUE_ROLES = ("dropped", "good", "bad")  # what a face counts as; badge at the bottom right
_CSS_CLASSES = {role: f"rw-{role.replace(' ', '-')}" for role in (*BADGES, *STROKES)}


def draw_die(
    words: Words,
    face: str,
    sides: int,
    roles: tuple[str, ...],
    kind: int = 0,
    label: str = "",
    picks: tuple[str, ...] = (),
) -> Markup:
    """The SVG of one face. Its name is its label; what is drawn, too, unless the mark is a single character.

    `sides` is 0 for dice with text on their faces, and CARD for cards; both are as wide as their longest word. `kind`
    is the number of the kind in the rule and selects a color, `picks` are what readers call the steps that pick dice.
    """
    shape = SHAPES.get(sides, ROUND_SHAPE) if sides > 0 else _SQUARE_SHAPE
    marked_roles = [role for role in roles if role in _CSS_CLASSES]
    lines = (label if len(face) > 1 and label else face).split("&") if len(face) > 1 else [face]
    width = face_width(face, sides, label)
    css_classes = [f"rw-kind{min(kind, 2)}", *["rw-wide"] * (width > _NARROW), *map(_CSS_CLASSES.get, marked_roles)]
    elements = [
        f'<path class="rw-body" d="{shape.outline}"/>' if sides > 0 else _draw_rectangle(sides, width),
        *([f'<path class="rw-edge" d="{shape.edges}"/>'] if shape.edges else []),
        *(f'<path class="rw-stroke" d="{STROKES[role]}"/>' for role in STROKES if role in marked_roles),
        _draw_pips(int(face)) if sides == 6 and face in "123456" else _draw_text(lines, shape, width),
        *_draw_badges(marked_roles, width),
    ]
    name = name_face(words, label or face, sides)
    meanings = ", ".join(describe_role(words, role, picks) for role in marked_roles)
    title = f"{name}: {meanings}" if meanings else name
    return Markup(
        f'<svg class="rw-die {" ".join(filter(None, css_classes))}" viewBox="0 0 {width} 48" role="img" fill="none" '
        f'stroke="currentColor"><title>{escape(title)}</title>{"".join(elements)}</svg>'
    )


def face_width(face: str, sides: int, label: str = "") -> int:
    """The width of a drawing: that of a die, or room for the longest word on a card or a face with text."""
    text = label if len(face) > 1 and label else face
    lines = text.split("&")
    longest = max(len(line) for line in lines if not _is_suit(line, lines))
    return _NARROW if sides > 0 or longest < 4 else min(16 + 10 * longest, _WIDE)


def _is_suit(line: str, lines: list[str]) -> bool:
    """Whether one of several parts of a card is drawn as the sign of its suit."""
    return len(lines) > 1 and line != lines[0] and line.lower() in SUITS


def name_face(words: Words, face: str, sides: int) -> str:
    """What readers call a face, such as "10 on a d10", "12 of hearts" or "success, advantage"."""
    text = face.replace("-", "−")
    if sides > 0:
        return words("face of die", face=text, sides=sides)
    parts = text.split("&") if len(text) > 1 else [text]
    is_card = sides == CARD and len(parts) == 2
    return words("card of", rank=parts[0], suit=parts[1]) if is_card else ", ".join(parts)


def describe_role(words: Words, role: str, picks: Sequence[str]) -> str:
    """What a mark means: "earned", or the step that picks the die."""
    place = int(role[-1]) - 1 if role in PICK_ROLES else len(picks)
    return picks[place] if place < len(picks) else words(f"role {role}")


def face_text(words: Words, kind: CoreKind, face: int) -> str:
    """A face in a line of text: its label, or "12 of hearts"."""
    mark = format_face(kind, face)
    label = kind.faces[face].label if kind.faces else None
    return name_face(words, mark, CARD) if kind.deck and not label else (label or mark).replace("-", "−")


def _draw_rectangle(sides: int, width: int) -> str:
    """The outline of a card, or of a die with text."""
    inset, top, corner = (8, 3, 5) if sides == CARD and width == _NARROW else (5, 3 if sides == CARD else 5, 6)
    size = f'width="{width - 2 * inset}" height="{48 - 2 * top}" rx="{corner}"'
    return f'<rect class="rw-body" x="{inset}" y="{top}" {size}/>'


def _draw_pips(face: int) -> str:
    circles = "".join(f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in PIPS[face])
    return f'<g class="rw-pips">{circles}</g>'


def _draw_text(lines: list[str], shape: _Shape, width: int) -> str:
    """The text on a face, smaller if it is long; parts that & joins are below each other."""
    longest = max(len(line) for line in lines if not _is_suit(line, lines))
    size = shape.font_size if longest < 3 else shape.font_size * 2.4 / longest
    if width > _NARROW:
        size = min(shape.font_size, (width - 16) / (0.68 * longest))
    size = round(min(size, 2 * shape.font_size / len(lines)), 1)
    x, top, text = f"{width / 2:g}", shape.baseline - (len(lines) - 1) * size / 2, ""
    for number, line in enumerate(lines):
        y = round(top + number * size, 1)
        if _is_suit(line, lines):
            text += f'<path class="rw-suit" transform="translate({x} {y - 5:g})" d="{SUITS[line.lower()]}"/>'
        else:
            place = f'x="{x}" y="{y:g}" text-anchor="middle" font-size="{size:g}"'
            text += f'<text class="rw-number" {place}>{escape(line.replace("-", "−"))}</text>'
    return text


def _draw_badges(roles: list[str], width: int) -> Iterator[str]:
    """Badges of the roles, so that no information depends on color alone."""
    value_role = next((role for role in _VALUE_ROLES if role in roles), "")
    if value_role and not any(role in STROKES for role in roles):
        yield _draw_badge(value_role, width - 8, 40)
    if origin_role := next((role for role in _ORIGIN_ROLES if role in roles), ""):
        yield _draw_badge(origin_role, 8, 8)
    for role in roles:
        if role in PICK_ROLES:
            yield _draw_badge(role, *((width - 8, 8) if role == PICK_ROLES[0] else (8, 40)))


def _draw_badge(role: str, x: int, y: int) -> str:
    return (
        f'<g class="rw-badge {_CSS_CLASSES[role]}" transform="translate({x} {y})">'
        f'<circle r="7.5"/><path d="{BADGES[role]}"/></g>'
    )


def draw_mark(role: str) -> Markup:
    """The mark of a role without a die."""
    if role in STROKES:
        inside = f'<path class="rw-stroke" transform="translate(-12 -12) scale(.5)" d="{STROKES[role]}"/>'
    else:
        inside = f'<g class="rw-badge {_CSS_CLASSES[role]}"><circle r="7.5"/><path d="{BADGES[role]}"/></g>'
    return Markup(
        f'<svg class="rw-mark {_CSS_CLASSES[role]}" viewBox="-12 -12 24 24" aria-hidden="true" fill="none" '
        f'stroke="currentColor">{inside}</svg>'
    )


class DiceGroup(NamedTuple):
    """Dice of one kind that were rolled in one round; a die has one picture for each of its throws."""

    name: str
    kind: int
    dice: tuple[tuple[_Picture, ...], ...]
    is_next: bool  # whether the rule was rolled again for these dice


class _Picture(NamedTuple):
    """A face and the sign before it: + if the die exploded, → if it was rerolled."""

    sign: str
    svg: Markup
    width: int


class MarkMeaning(NamedTuple):
    """A mark on a die and what it means."""

    mark: Markup
    text: str


def group_dice(rule: Rule, result: Result, words: Words) -> list[DiceGroup]:
    """The dice of a roll by round and kind; a group has no name if there is one kind only, or after its kind."""
    keyed_dice = [(own, kind, dice) for own in result.rounds for kind, dice in _list_dice(own)]
    is_only = len({kind for _, kind, _ in keyed_dice}) == 1
    groups, previous, before = list[DiceGroup](), "", result.rounds[0]
    for own, kind, dice in keyed_dice:
        group = _build_group(rule, own, words, kind, dice, not is_only and kind != previous)
        groups.append(group._replace(is_next=own is not before))
        previous, before = kind, own
    return groups


def _list_dice(result: Result) -> Iterator[tuple[str, list[list[RenderedFace]]]]:
    """The dice of one kind after another, as they were rolled and earned."""
    ordered_faces = [
        _order_faces(die, faces) for die, faces in zip(result.roll.dice, result.faces, strict=True) if faces
    ]
    for (_, kind), dice in groupby(ordered_faces, key=lambda faces: (faces[0].round, faces[0].kind)):
        yield kind, list(dice)


def _order_faces(die: Die, faces: list[RenderedFace]) -> list[RenderedFace]:
    """The faces of one die in the order they were rolled, even if an earlier try was better and counts."""
    if not die.tries:
        return faces
    counted_try = next((number for number, throws in enumerate(die.tries) if throws is die.rolled), None)
    if counted_try is None:
        return faces
    earlier_count, counted_start = sum(map(len, die.tries[:counted_try])), len(faces) - len(die.rolled)
    return [*faces[:earlier_count], *faces[counted_start:], *faces[earlier_count:counted_start]]


def _build_group(
    rule: Rule, result: Result, words: Words, kind: str, dice: list[list[RenderedFace]], is_named: bool
) -> DiceGroup:
    """The dice of one kind from one round."""
    kind_number = rule.kind_indices[kind]
    bound_kind = result.setting.kinds[kind_number]
    sides = CARD if bound_kind.kind.deck else 0 if bound_kind.kind.faces else len(bound_kind.faces)
    labels = {face.mark: face.label for face in bound_kind.kind.faces if face.label}
    color = rule.cached(("color", kind), lambda: _find_color(rule, kind))
    throws = tuple(_draw_throws(rule, words, faces, sides, color, labels) for faces in dice)
    return DiceGroup(kind_label(rule, kind) if is_named else "", kind_number, throws, False)


def _find_color(rule: Rule, kind: str) -> int:
    """The number of the first kind that looks the same."""
    return next(number for name, number in rule.kind_indices.items() if _unnumbered(name) == _unnumbered(kind))


def _unnumbered(kind: str) -> str:
    """The name of a kind without the number of the roll that it belongs to: those look alike."""
    return re.sub(r"_\d+\.", ".", kind)


def _draw_throws(
    rule: Rule, words: Words, faces: list[RenderedFace], sides: int, kind: int, labels: Mapping[str, str]
) -> tuple[_Picture, ...]:
    """The pictures of one die, one for each throw; those of a face are cached, because many cards show it."""
    drawings, previous = list[_Picture](), tuple[str, ...]()
    for index, face in enumerate(faces):
        sign = "+" if "thrown on" in face.roles else "→" if index and "rerolled" in (*previous, *face.roles) else ""
        label = labels.get(face.text, "")
        key = words, face.text, sides, face.roles, kind, label, pick_names(rule)
        svg = rule.cached(("face", *key), partial(draw_die, *key))
        drawings.append(_Picture(sign, svg, face_width(face.text, sides, label)))
        previous = face.roles
    return tuple(drawings)


def pick_names(rule: Rule) -> tuple[str, ...]:
    """What readers call the steps that pick dice."""
    steps = rule.cached(("picking",), lambda: lower_rule(rule).picking_steps)
    return tuple(reader_name(rule, step.name) for step in steps)


def list_marks(rule: Rule, results: Iterable[Result], words: Words) -> list[MarkMeaning]:
    """The meanings of the marks that appear in these results."""
    every_face = (face for result in results for own in result.rounds for faces in own.faces for face in faces)
    used_roles, picks = {role for face in every_face for role in face.roles}, pick_names(rule)
    return [
        MarkMeaning(draw_mark(role), describe_role(words, role, picks)) for role in _CSS_CLASSES if role in used_roles
    ]


_MOST_IN_LINE = 10 * _NARROW  # what fits side by side on a phone


def are_many(groups: Iterable[DiceGroup]) -> bool:
    """Whether dice need more than one line."""
    return sum(picture.width for group in groups for die in group.dice for picture in die) > _MOST_IN_LINE
