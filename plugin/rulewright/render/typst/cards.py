"""Renders blocks as Typst cards: the same data as the cards of the site, with all details unfolded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from ...checks.model import CheckedBlock
from ..cards.card import card_title
from ..cards.dice import DiceGroup
from ..cards.examples import ContestSide, Derivation, Example, SceneCard, build_example
from ..cards.odds import (
    Bar,
    Cell,
    Claim,
    Grid,
    Roller,
    RollerPart,
    Statement,
    build_claim,
    build_odds_grid,
    build_roller,
    build_table_grid,
)
from ..cards.rules import CharacterSheet, Turn, build_order, build_rule, build_sheet
from ..cards.wording import InputDescription, InputValue
from ..strings import Words
from .markup import array, call, content, flag, string_literal, text

LIGHT_COLORS = {
    "card": "#ffffff", "ink": "#1d1b19", "line": "#cfc9bd", "accent": "#8a3b12", "good": "#2b6a40", "bad": "#a3271f",
    "second": "#7d5200", "third": "#2c5a8c", "lost": "#756c60", "on": "#ffffff",
}  # fmt: skip
_DARK_COLORS = {
    "card": "#1d1f24", "ink": "#e9e6df", "line": "#4a4a50", "accent": "#e0a36a", "good": "#83cf97", "bad": "#f3938a",
    "second": "#e6ba5e", "third": "#93bbe8", "lost": "#a1978a", "on": "#1a1712",
}  # fmt: skip
_LOST_ROLES = ("removed", "cancelled", "dropped", "rerolled")
_SVG_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_CSS_RULE = re.compile(r"[^{}]+\{[^{}]*\}")
_CLASS_NAME = re.compile(r"rw-[\w-]+")


def drawing_css(colors: Mapping[str, str]) -> str:
    """CSS of the SVG drawings, the same as in the style sheet of the site."""
    lines = [
        ".rw-body{fill:$card;stroke:$ink;stroke-width:2;stroke-linejoin:round}",
        ".rw-edge{stroke:$ink;stroke-linejoin:round;opacity:.45}",
        ".rw-number,.rw-pips{fill:$ink;stroke:none;font-weight:700;font-family:'Libertinus Serif'}",
        ".rw-kind1 > .rw-body,.rw-kind1 > .rw-edge{stroke:$second}",
        ".rw-kind2 > .rw-body,.rw-kind2 > .rw-edge{stroke:$third}",
        ".rw-stroke{stroke:$bad;stroke-width:1.8;stroke-linecap:round}",
        ".rw-badge > circle{stroke:$card;stroke-width:1.5}",
        ".rw-badge > path{stroke:$on;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}",
        ".rw-track{fill:$line}.rw-share{fill:$accent}",
        *(_color_css(role, role) for role in ("good", "bad")),
        *(_faded_css(role) for role in _LOST_ROLES),
        ".rw-earned > circle{fill:$second}.rw-thrown-on > circle{fill:$third}",
        ".rw-dropped > circle,.rw-rerolled > circle{fill:$lost}",
    ]
    return re.sub(r"\$(\w+)", lambda name: colors[name[1]], "".join(lines))


def _color_css(role: str, color: str) -> str:
    """CSS of a role that fills the die with a color."""
    inside = f".rw-{role} > .rw-number,.rw-{role} > .rw-pips{{fill:$on}}.rw-{role} > .rw-edge{{stroke:$on}}"
    return f".rw-{role} > .rw-body{{fill:${color};stroke:${color}}}{inside}.rw-{role} > circle{{fill:${color}}}"


def _faded_css(role: str) -> str:
    """CSS of a role that draws the die with a dashed outline."""
    body = f".rw-{role} > .rw-body{{fill:none;stroke:$lost;stroke-dasharray:3 2.5;stroke-width:1.5}}"
    return f"{body}.rw-{role} > .rw-number,.rw-{role} > .rw-pips{{fill:$lost}}.rw-{role} > .rw-edge{{stroke:$lost}}"


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


_FILL_OPACITY = re.compile(r'fill-opacity="([0-9.]+)"')
_BAR_WIDTH = re.compile(r'class="rw-share" width="([0-9.]+)"')
_TRACK_CLASS = "rw-track"  # class of the track behind a bar that is a share of a whole
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
    has_bars = any(cell.svg and _BAR_WIDTH.search(cell.svg) for _, cells in grid.rows for cell in cells)
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
    if cell.svg and (heat := _FILL_OPACITY.search(cell.svg)):
        return f"table.cell(fill: heat({round(float(heat[1]) * 100)}%), {content(text(cell.text))}), "
    if cell.svg and _BAR_WIDTH.search(cell.svg):
        return content(call("gauge", *_bar_arguments(cell.svg), body=text(cell.text))) + ", "
    return content(text(cell.text)) + ", "


def _write_bar(svg: str) -> str:
    return call("bar", *_bar_arguments(svg))


def _bar_arguments(svg: str) -> tuple[str, str]:
    """The arguments of a bar: its length, and whether it has a track."""
    match = _BAR_WIDTH.search(svg)
    return f"{match[1] if match else 0}%", flag(_TRACK_CLASS in svg)


_MOST_LINES = 36  # lines; a longer card may break across pages


@dataclass(frozen=True)
class CardWriter:
    """Renders cards; the drawings are shared by all cards of the PDF."""

    words: Words
    drawings: Drawings

    def write_card(self, checked: CheckedBlock) -> str:
        """The Typst source of a block, empty for `show: no`."""
        block = checked.block
        show = block.get("show")
        if show and show.value.lower() == "no":
            return ""
        if block.kind == "game":
            return call("raw", string_literal(block.text.content.rstrip()), block="true", lang='"toml"')
        writer = _BODY_WRITERS.get(block.kind)
        body = writer(self, checked) if writer else None
        if show and show.value.lower() == "line" and block.kind == "example" and body:
            return self.write_short_example(checked)
        if body is None:
            body = call("raw", string_literal(checked.block.text.content.rstrip()), block="true")
        is_long = block.kind in ("rule", "table", "odds") and body.count("\n") > _MOST_LINES
        label = checked.label or self.words(block.kind)
        head = [content(text(label)), content(text(card_title(checked))), flag(is_long)]
        return call("card", *head, body=self.write_notes(checked) + body)

    def write_notes(self, checked: CheckedBlock) -> str:
        """The notes of a block that is wrong on purpose or not checked."""
        wrong, skipped = checked.block.get("wrong"), checked.block.get("skip")
        notes = [(self.words("wrong on purpose"), wrong)] if wrong else []
        notes += [(self.words("not checked"), skipped)] if skipped else []
        return "".join(call("card-note", body=_strong(heading) + text(f" {entry.value}")) for heading, entry in notes)

    # examples

    def write_example(self, checked: CheckedBlock) -> str | None:
        data = build_example(checked, self.words)
        if data is None:
            return None
        return "".join(self.write_scene(scene) for scene in data.scenes) + self.write_legend(data)

    def write_scene(self, scene: SceneCard) -> str:
        parts = [
            call("card-heading", body=text(scene.heading)) if scene.heading else "",
            self.write_inputs(scene.inputs),
            self.write_dice(scene.groups),
            *(_line(text(f"{detail.key} ") + _strong(detail.value)) for detail in scene.details),
            call("sides", *(content(self.write_side(side)) for side in scene.sides)) if scene.sides else "",
            _pairs((step.name, step.value) for step in scene.steps),
            self.write_outcome(scene),
            *(call("card-note", body=text(difference)) for difference in scene.differences),
            self.write_steps(scene.how),
            self.write_odds(scene.odds),
        ]
        return call("scene", body="".join(parts))

    def write_side(self, side: ContestSide) -> str:
        bouts = "".join(
            self.write_dice(bout.groups) + _line(call("worth", body=text(bout.value))) for bout in side.bouts
        )
        return _line(_strong(side.name)) + self.write_inputs(side.inputs) + bouts

    def write_outcome(self, scene: SceneCard) -> str:
        if not scene.outcome:
            return ""
        degree = text(f" {self.words('degree')} ") + _strong(scene.degree) if scene.degree else ""
        says = text(f"  {scene.says}") if scene.says else ""
        return _line(call("worth", body=text(scene.outcome[:1].upper() + scene.outcome[1:])) + degree + says)

    def write_steps(self, lines: Sequence[Derivation]) -> str:
        """The steps in one paragraph, each with its values and result."""
        steps = text(";  ").join(
            _strong(derivation.name) + text(" " + " → ".join(derivation.parts[-2:])) for derivation in lines
        )
        return call("quiet", body=_line(text(self.words("steps") + ": ") + steps)) if lines else ""

    def write_odds(self, bars: Iterable[Bar]) -> str:
        """The chance of the outcome that was rolled."""
        rolled = [bar for bar in bars if bar.here]
        chances = "".join(_strong(self.words("odds of outcome", outcome=bar.name, chance=bar.text)) for bar in rolled)
        return call("quiet", body=_line(text(self.words("odds of this") + " ") + chances)) if rolled else ""

    def write_legend(self, data: Example) -> str:
        marks = (self.drawings(entry.mark, "mark") + text(f" {entry.text}   ") for entry in data.legend)
        return call("quiet", body=_line("".join(marks))) if data.legend else ""

    def write_short_example(self, checked: CheckedBlock) -> str:
        """An example with `show: line`: one line of text for each scene."""
        data = build_example(checked, self.words)
        title = _line(_strong(checked.block.title)) if checked.block.title else ""
        return title + "".join(self.write_short_scene(scene) for scene in data.scenes) if data else ""

    def write_short_scene(self, scene: SceneCard) -> str:
        inputs = ", ".join(f"{entry.label} {entry.value}".strip() for entry in scene.inputs)
        dice = "".join(self.write_throws(group) for group in scene.groups)
        steps = ", ".join(f"{step.name} {step.value}" for step in scene.steps)
        result = " ".join(
            filter(None, [scene.outcome or steps, scene.degree and f"{self.words('degree')} {scene.degree}"])
        )
        details = text("".join(f" {detail.value} " for detail in scene.details))
        return _line(text(f"{scene.heading} {inputs}: ".lstrip()) + dice + details + text(" → ") + _strong(result))

    # dice

    def write_dice(self, groups: Sequence[DiceGroup]) -> str:
        group_bodies = (content(self.write_group(group)) for group in groups)
        return call("groups", *group_bodies) if groups else ""

    def write_group(self, group: DiceGroup) -> str:
        name = call("group-name", body=text(group.name)) if group.name else ""
        return name + self.write_throws(group)

    def write_throws(self, group: DiceGroup) -> str:
        return "".join(
            call("throw", body="".join(text(picture.sign) + self.drawings(picture.svg) for picture in die))
            for die in group.dice
        )

    # numbers

    def write_inputs(self, values: Iterable[InputValue]) -> str:
        return _pairs((entry.label, entry.value) for entry in values)

    def write_grid(self, grid: Grid | None) -> str | None:
        if grid is None:
            return None
        caption = call("quiet", body=_line(text(grid.caption)))
        return self.write_inputs(grid.inputs) + caption + _write_table(grid)

    def write_claim(self, data: Claim | None) -> str | None:
        if data is None:
            return None
        return self.write_inputs(data.inputs) + "".join(map(self.write_statement, data.statements))

    def write_statement(self, statement: Statement) -> str:
        sign = self.drawings(statement.mark, "mark") if statement.verdict else ""
        body = call("raw", string_literal(statement.text)) + "".join(text(f"  {line}") for line in statement.lines)
        return call("claim", content(sign), content(text(statement.verdict)), body=body)

    def write_roller(self, data: Roller | None) -> str | None:
        if data is None:
            return None
        rows = "".join(
            f"{content(text(bar.name))}, {content(text(bar.text))}, {content(_write_bar(bar.svg))}, "
            for bar in data.odds
        )
        odds = call("quiet", body=_line(text(self.words("odds at start")))) + f"#bars({rows});" if rows else ""
        return "".join(self.write_part(part) for part in data.parts) + odds

    def write_part(self, part: RollerPart) -> str:
        heading = call("card-heading", body=text(part.heading)) if part.heading else ""
        return heading + self.write_input_list(part.inputs)

    def write_rule(self, paragraphs: Sequence[str] | None) -> str | None:
        return None if paragraphs is None else "".join(_line(text(paragraph)) for paragraph in paragraphs)

    # characters

    def write_sheet(self, character: CharacterSheet | None) -> str | None:
        if character is None:
            return None
        holds = _line(text(f"{self.words('told holds')} ") + _strong(character.holds)) if character.holds else ""
        verdict = _line(self.drawings(character.mark, "mark") + text(" ") + call("worth", body=text(character.verdict)))
        broken = "".join(call("how", "[–]", body=text(violation)) for violation in character.broken)
        return _pairs((trait.key, trait.value) for trait in character.traits) + holds + verdict + broken

    def write_order(self, turns: Sequence[Turn] | None) -> str | None:
        """The order of turns as a numbered list."""
        if turns is None:
            return None
        entries = (_strong(turn.name) + call("quiet", body=text(f"  {turn.values}".rstrip())) for turn in turns)
        return call("enum", *map(content, entries)) + "\n\n"

    def write_input_list(self, inputs: Iterable[InputDescription]) -> str:
        return "".join(_how(entry.label, self.write_range(entry)) for entry in inputs)

    def write_range(self, entry: InputDescription) -> str:
        start = f" · {self.words('starts at', value=entry.start)}" if entry.start else ""
        return entry.may_be + start


def _strong(words: str) -> str:
    return call("strong", body=text(words))


def _how(name: str, description: str) -> str:
    return call("how", content(text(name)), body=text(description)) + "\n"


def _line(body: str) -> str:
    return call("card-line", body=body)


def _pairs(items: Iterable[tuple[str, str]]) -> str:
    """Names with their values, one after another."""
    rows = [content(text(name) + (text(" ") + _strong(value) if value else "")) for name, value in items]
    return call("pairs", *rows) if rows else ""


_BODY_WRITERS: dict[str, Callable[[CardWriter, CheckedBlock], str | None]] = {
    "example": CardWriter.write_example,
    "odds": lambda writer, checked: writer.write_grid(build_odds_grid(checked, writer.words)),
    "table": lambda writer, checked: writer.write_grid(build_table_grid(checked, writer.words)),
    "claim": lambda writer, checked: writer.write_claim(build_claim(checked, writer.words)),
    "sheet": lambda writer, checked: writer.write_sheet(build_sheet(checked, writer.words)),
    "order": lambda writer, checked: writer.write_order(build_order(checked, writer.words)),
    "roller": lambda writer, checked: writer.write_roller(build_roller(checked, writer.words)),
    "rule": lambda writer, checked: writer.write_rule(build_rule(checked, writer.words)),
}
