"""Renders blocks as Typst cards: the same data as the cards of the site, with all details unfolded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

from ...checks.model import CheckedBlock
from ..cards.card import build_card, card_title
from ..cards.dice import DiceGroup
from ..cards.examples import ContestSide, Example, Scene
from ..cards.odds import Cell, Claim, Grid, Roller, Statement
from ..cards.outcome_odds import hundredths
from ..cards.rules import CharacterSheet, Turn
from ..strings import Words
from .syntax import array, call, content, flag, string_literal, text

LIGHT_COLORS = {
    "card": "#ffffff", "ink": "#1d1b19", "line": "#cfc9bd", "accent": "#8a3b12", "good": "#2b6a40", "bad": "#a3271f",
    "second": "#7d5200", "third": "#2c5a8c", "lost": "#756c60", "on": "#ffffff",
}  # fmt: skip
_DARK_COLORS = {
    "card": "#1d1f24", "ink": "#e9e6df", "line": "#4a4a50", "accent": "#e0a36a", "good": "#83cf97", "bad": "#f3938a",
    "second": "#e6ba5e", "third": "#93bbe8", "lost": "#a1978a", "on": "#1a1712",
}  # fmt: skip
_LOST_ROLES = ("removed", "cancelled", "dropped", "rerolled")
_INSIDE = ".rw-{role} > .rw-number,.rw-{role} > .rw-suit,.rw-{role} > .rw-pips"  # what a face shows
_SVG_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_CSS_RULE = re.compile(r"[^{}]+\{[^{}]*\}")
_CLASS_NAME = re.compile(r"rw-[\w-]+")


def drawing_css(colors: Mapping[str, str]) -> str:
    """CSS of the SVG drawings, the same as in the style sheet of the site."""
    lines = [
        ".rw-body{fill:$card;stroke:$ink;stroke-width:2;stroke-linejoin:round}",
        ".rw-edge{stroke:$ink;stroke-linejoin:round;opacity:.45}",
        ".rw-number,.rw-suit,.rw-pips{fill:$ink;stroke:none;font-weight:700;font-family:'Libertinus Serif'}",
        ".rw-kind1 > .rw-body,.rw-kind1 > .rw-edge{stroke:$second}",
        ".rw-kind2 > .rw-body,.rw-kind2 > .rw-edge{stroke:$third}",
        ".rw-stroke{stroke:$bad;stroke-width:1.8;stroke-linecap:round}",
        ".rw-badge > circle{stroke:$card;stroke-width:1.5}",
        ".rw-badge > path{stroke:$on;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}",
        ".rw-track{fill:$line}.rw-share{fill:$accent}",
        *(_color_css(role, role) for role in ("good", "bad")),
        *(_faded_css(role) for role in _LOST_ROLES),
        ".rw-earned > circle{fill:$second}.rw-thrown-on > circle{fill:$third}",
        ".rw-picked-1 > circle,.rw-picked-2 > circle,.rw-picked-3 > circle{fill:$accent}",
        ".rw-dropped > circle,.rw-rerolled > circle{fill:$lost}",
    ]
    return re.sub(r"\$(\w+)", lambda name: colors[name[1]], "".join(lines))


def _color_css(role: str, color: str) -> str:
    """CSS of a role that fills the die with a color."""
    inside = f"{_INSIDE.format(role=role)}{{fill:$on}}.rw-{role} > .rw-edge{{stroke:$on}}"
    return f".rw-{role} > .rw-body{{fill:${color};stroke:${color}}}{inside}.rw-{role} > circle{{fill:${color}}}"


def _faded_css(role: str) -> str:
    """CSS of a role that draws the die with a dashed outline."""
    body = f".rw-{role} > .rw-body{{fill:none;stroke:$lost;stroke-dasharray:3 2.5;stroke-width:1.5}}"
    return f"{body}{_INSIDE.format(role=role)}{{fill:$lost}}.rw-{role} > .rw-edge{{stroke:$lost}}"


class Drawings:
    """Defines each SVG drawing once as a Typst variable, because many cards share them."""

    def __init__(self, dark: bool) -> None:
        colors = _DARK_COLORS if dark else LIGHT_COLORS
        self.svg_start = f'<svg xmlns="http://www.w3.org/2000/svg" color="{colors["ink"]}" '
        self.css_rules = [(rule, _required_classes(rule)) for rule in _CSS_RULE.findall(drawing_css(colors))]
        self.names: dict[tuple[str, str], str] = {}

    def __call__(self, svg: str, kind: str = "die") -> str:
        """The Typst code that inserts a drawing; `kind` is the Typst function that sets its size."""
        return f"#{self.names.setdefault((kind, svg), f'drawn{len(self.names)}')};"

    def define_all(self) -> str:
        """The Typst definitions of all drawings that were inserted so far."""
        return "".join(f"#let {name} = {self.write_drawing(*drawing)[1:-1]}\n" for drawing, name in self.names.items())

    def write_drawing(self, kind: str, svg: str) -> str:
        """The Typst call for an SVG; the title of the SVG is the text alternative."""
        title = _SVG_TITLE.search(svg)
        styled_svg = (
            str(svg).replace("<svg ", self.svg_start, 1).replace(">", f"><style>{self.select_css(svg)}</style>", 1)
        )
        return call(kind, string_literal(styled_svg), string_literal(unescape(title[1])) if title else "none")

    def select_css(self, svg: str) -> str:
        """The CSS rules that match a class of this drawing."""
        svg_classes = set(_CLASS_NAME.findall(svg))
        return "".join(rule for rule, selectors in self.css_rules if any(names <= svg_classes for names in selectors))


def _required_classes(rule: str) -> list[set[str]]:
    """For each selector of a CSS rule, the classes it requires."""
    return [set(_CLASS_NAME.findall(selector)) for selector in rule.partition("{")[0].split(",")]


_CARD_WIDTH = 44  # of a card, in em
_CHARACTER_WIDTH = 0.54  # average width of a character, in em
_COLUMN_GAP = 1.1  # gap between two columns, in em


def _write_table(grid: Grid) -> str:
    """The Typst table of a grid."""
    head = "".join(f"{content(text(name))}, " for name in (grid.corner, *grid.columns))
    rows = "".join(
        content(call("strong", body=text(name))) + ", " + "".join(map(_write_cell, cells)) + "\n"
        for name, cells in grid.rows
    )
    has_bars = any(cell.look in ("bar", "gauge") for _, cells in grid.rows for cell in cells)
    widths = array(["auto", *["1fr" if has_bars else "auto"] * len(grid.columns)])
    alignments = array(["left", *["right"] * len(grid.columns)])
    table = f"#table(columns: {widths}, align: {alignments}, table.header({head}), {rows})"
    return call("numbers", f"{_fit_font_size(grid):.2f}em", body=table)


def _fit_font_size(grid: Grid) -> float:
    """The font size in em with which no word has to be broken."""
    longest = [max(len(name) for name in (grid.corner, *(name for name, _ in grid.rows)))]
    longest += [
        max(len(name), *(len(cells[index].text) for _, cells in grid.rows)) for index, name in enumerate(grid.columns)
    ]
    return max(0.6, min(1.0, _CARD_WIDTH / sum(long * _CHARACTER_WIDTH + _COLUMN_GAP for long in longest)))


def _write_cell(cell: Cell) -> str:
    """A table cell in Typst, with a shaded background or a bar."""
    if cell.look == "heat":
        return f"table.cell(fill: heat({round(cell.heat * 100)}%), {content(text(cell.text))}), "
    if cell.look:
        length = f"{hundredths(cell.share)}%"
        return content(call("gauge", length, flag(cell.look == "gauge"), body=text(cell.text))) + ", "
    return content(text(cell.text)) + ", "


_PARTS = ("again", "roll", "round")  # rows of an explanation that are printed
_PICKED = "rw-picked"  # the class of a mark
_MOST_LINES = 36  # lines; a longer card may break across pages


@dataclass(frozen=True)
class CardWriter:
    """Renders cards; the drawings are shared by all cards of the PDF."""

    words: Words
    drawings: Drawings

    def write_card(self, checked: CheckedBlock) -> str:
        """The Typst source of a block, empty for `show: no`."""
        block = checked.block
        if not block.shown:
            return ""
        if block.kind == "game":
            return call("raw", string_literal(block.text.content.rstrip()), block="true", lang='"toml"')
        data = build_card(checked, self.words)
        if isinstance(data, Example) and block.form == "line":
            return self.write_short_example(data, block.title)
        body = call("raw", string_literal(block.text.content.rstrip()), block="true")
        if data is not None:
            body = _BODY_WRITERS[block.kind](self, data)
        is_long = block.kind in ("rule", "table", "odds") and body.count("\n") > _MOST_LINES
        sort = "" if data and block.kind in ("example", "roller") else checked.label or self.words(block.kind)
        chips = [content(text(chip.text)) for chip in getattr(data, "chips", ())]
        head = [content(text(sort)), content(text(card_title(checked))), array(chips), flag(is_long)]
        return call("card", *head, body=self.write_notes(checked) + body)

    def write_notes(self, checked: CheckedBlock) -> str:
        """The notes of a block that is wrong on purpose or not checked."""
        wrong, skipped = checked.block.get("wrong"), checked.block.get("skip")
        notes = [(self.words("wrong on purpose"), wrong)] if wrong else []
        notes += [(self.words("not checked"), skipped)] if skipped else []
        return "".join(call("card-note", body=_strong(heading) + text(f" {entry.value}")) for heading, entry in notes)

    # examples

    def write_example(self, data: Example) -> str:
        """Dice and outcome with its reason; further rolls are written the same way below."""
        return self.write_scene(data.scene) + "".join(map(self.write_row, data.rows))

    def write_row(self, scene: Scene) -> str:
        return call("row", content(text(scene.heading)), body=self.write_scene(scene))

    def write_scene(self, scene: Scene) -> str:
        sides = "".join(map(self.write_side, scene.sides))
        notes = "".join(call("card-note", body=text(difference)) for difference in scene.differences)
        return self.write_dice(scene.groups) + sides + self.write_outcome(scene) + self.write_parts(scene) + notes

    def write_parts(self, scene: Scene) -> str:
        """What the dice alone do not show: rounds, rolls of other rules, dice rolled again, which were picked."""
        rows = (row for row in scene.how if row.what in _PARTS)
        lines = [call("how", content(text(row.name)), body=text(" → ".join(row.parts))) for row in rows]
        picked = (self.drawings(mark, "mark") + text(f" {name}   ") for mark, name in scene.marks if _PICKED in mark)
        body = "".join(lines) + (_line(names) if (names := "".join(picked)) else "")
        return call("quiet", body=body) if body else ""

    def write_side(self, side: ContestSide) -> str:
        bouts = text("   ").join(
            self.write_groups(bout.groups) + call("worth", body=text(bout.value)) for bout in side.bouts
        )
        return _line(_strong(side.name) + text("  ") + bouts)

    def write_outcome(self, scene: Scene) -> str:
        if not scene.outcome:
            return ""
        degree = text(f" {self.words('degree')} {scene.degree}") if scene.degree else ""
        why = call("quiet", body=text(f"  {scene.why}")) if scene.why else ""
        return _line(call("worth", body=text(scene.outcome)) + degree + why)

    def write_short_example(self, data: Example, title: str) -> str:
        """An example with `show: line`: one line of text for each scene."""
        lines = "".join(map(self.write_short_scene, [data.scene, *data.rows]))
        return (_line(_strong(title)) if title else "") + lines

    def write_short_scene(self, scene: Scene) -> str:
        start = scene.heading or ", ".join(chip.text for chip in scene.chips)
        result = " ".join(filter(None, [scene.outcome, scene.degree and f"{self.words('degree')} {scene.degree}"]))
        return _line(text(f"{start} ") + self.write_groups(scene.groups) + text(" → ") + _strong(result))

    # dice

    def write_dice(self, groups: Sequence[DiceGroup]) -> str:
        return _line(self.write_groups(groups)) if groups else ""

    def write_groups(self, groups: Sequence[DiceGroup]) -> str:
        return "".join(self.write_group(group) for group in groups)

    def write_group(self, group: DiceGroup) -> str:
        name = call("group-name", body=text(group.name)) if group.name else ""
        first, *others = (
            call("throw", body="".join(text(picture.sign) + self.drawings(picture.svg) for picture in die))
            for die in group.dice
        )
        sign = text("· ") if group.is_next else ""
        return sign + call("group", body=call("box", body=name + first) + "".join(others))

    # numbers

    def write_grid(self, grid: Grid) -> str:
        return call("quiet", body=_line(text(grid.caption))) + _write_table(grid)

    def write_claim(self, data: Claim) -> str:
        return "".join(map(self.write_statement, data.statements))

    def write_statement(self, statement: Statement) -> str:
        sign = self.drawings(statement.mark, "mark") if statement.verdict else ""
        body = call("raw", string_literal(statement.text)) + "".join(text(f"  {line}") for line in statement.lines)
        return call("claim", content(sign), content(text(statement.verdict)), body=body)

    def write_roller(self, data: Roller) -> str:
        """The chances for the inputs that are set; nobody rolls on paper."""
        return call("quiet", body=_line(text(data.odds.label))) if data.odds else ""

    def write_rule(self, paragraphs: Sequence[str]) -> str:
        return "".join(_line(text(paragraph)) for paragraph in paragraphs)

    def write_sheet(self, character: CharacterSheet) -> str:
        verdict = _line(self.drawings(character.mark, "mark") + text(" ") + call("worth", body=text(character.verdict)))
        return verdict + "".join(call("how", "[–]", body=text(violation)) for violation in character.broken)

    def write_order(self, turns: Sequence[Turn]) -> str:
        """The order of turns as a numbered list."""
        entries = (_strong(turn.name) + call("quiet", body=text(f"  {turn.values}".rstrip())) for turn in turns)
        return call("enum", *map(content, entries)) + "\n\n"


def _strong(words: str) -> str:
    return call("strong", body=text(words))


def _line(body: str) -> str:
    return call("card-line", body=body)


_BODY_WRITERS: dict[str, Callable[[CardWriter, Any], str]] = {
    "example": CardWriter.write_example,
    "odds": CardWriter.write_grid,
    "table": CardWriter.write_grid,
    "claim": CardWriter.write_claim,
    "sheet": CardWriter.write_sheet,
    "order": CardWriter.write_order,
    "roller": CardWriter.write_roller,
    "rule": CardWriter.write_rule,
}
