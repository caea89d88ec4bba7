"""Renders blocks as Typst cards: the same data as the cards of the site, with all details unfolded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from ...checks.model import Checked
from ..cards.dice import Group
from ..cards.examples import Example, How, Scene, Side, example
from ..cards.odds import Bar, Cell, Claim, Grid, Part, Roller, Statement, claim, odds, roller, table
from ..cards.rules import Acting, Character, Told, order, rule_in_words, sheet
from ..cards.wording import Asked, Given, begun
from ..strings import Words
from .markup import call, content, flag, many, quoted, text

LIGHT = {
    "card": "#ffffff", "ink": "#1d1b19", "line": "#cfc9bd", "accent": "#8a3b12", "good": "#2b6a40", "bad": "#a3271f",
    "second": "#7d5200", "third": "#2c5a8c", "lost": "#756c60", "on": "#ffffff",
}  # fmt: skip
DARK = {
    "card": "#1d1f24", "ink": "#e9e6df", "line": "#4a4a50", "accent": "#e0a36a", "good": "#83cf97", "bad": "#f3938a",
    "second": "#e6ba5e", "third": "#93bbe8", "lost": "#a1978a", "on": "#1a1712",
}  # fmt: skip
LOST = ("removed", "cancelled", "dropped", "rerolled")
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
RULE = re.compile(r"[^{}]+\{[^{}]*\}")
NAME = re.compile(r"rw-[\w-]+")


def rules(colours: Mapping[str, str]) -> str:
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
        *(coloured(role, role) for role in ("good", "bad")),
        *(faded(role) for role in LOST),
        ".rw-earned > circle{fill:$second}.rw-thrown-on > circle{fill:$third}",
        ".rw-dropped > circle,.rw-rerolled > circle{fill:$lost}",
    ]
    return re.sub(r"\$(\w+)", lambda name: colours[name[1]], "".join(lines))


def coloured(role: str, colour: str) -> str:
    """CSS of a role that fills the die with a color."""
    inside = f".rw-{role} > .rw-number,.rw-{role} > .rw-pips{{fill:$on}}.rw-{role} > .rw-edge{{stroke:$on}}"
    return f".rw-{role} > .rw-body{{fill:${colour};stroke:${colour}}}{inside}.rw-{role} > circle{{fill:${colour}}}"


def faded(role: str) -> str:
    """CSS of a role that draws the die with a dashed outline."""
    body = f".rw-{role} > .rw-body{{fill:none;stroke:$lost;stroke-dasharray:3 2.5;stroke-width:1.5}}"
    return f"{body}.rw-{role} > .rw-number,.rw-{role} > .rw-pips{{fill:$lost}}.rw-{role} > .rw-edge{{stroke:$lost}}"


class Drawings:
    """Defines each SVG drawing once as a Typst variable, because many cards share them."""

    def __init__(self, dark: bool) -> None:
        colours = DARK if dark else LIGHT
        self.start = f'<svg xmlns="http://www.w3.org/2000/svg" color="{colours["ink"]}" '
        self.rules = [(one, classes(one)) for one in RULE.findall(rules(colours))]
        self.names: dict[tuple[str, str], str] = {}

    def __call__(self, svg: str, kind: str = "die") -> str:
        """The Typst code that inserts a drawing; `kind` is the Typst function that sets its size."""
        return f"#{self.names.setdefault((kind, svg), f'drawn{len(self.names)}')};"

    def defined(self) -> str:
        """The Typst definitions of all drawings that were inserted so far."""
        return "".join(f"#let {name} = {self.drawing(*drawn)[1:-1]}\n" for drawn, name in self.names.items())

    def drawing(self, kind: str, svg: str) -> str:
        """The Typst call for an SVG; the title of the SVG is the text alternative."""
        found = TITLE.search(svg)
        whole = str(svg).replace("<svg ", self.start, 1).replace(">", f"><style>{self.style(svg)}</style>", 1)
        return call(kind, quoted(whole), quoted(unescape(found[1])) if found else "none")

    def style(self, svg: str) -> str:
        """The CSS rules that match a class of this drawing."""
        present = set(NAME.findall(svg))
        return "".join(rule for rule, sought in self.rules if any(names <= present for names in sought))


def classes(rule: str) -> list[set[str]]:
    """For each selector of a CSS rule, the classes it requires."""
    return [set(NAME.findall(selector)) for selector in rule.partition("{")[0].split(",")]


OPACITY = re.compile(r'fill-opacity="([0-9.]+)"')
SHARE = re.compile(r'class="rw-share" width="([0-9.]+)"')
WHOLE = "rw-track"  # class of the track behind a bar that is a share of a whole
WIDTH = 44  # of a card, in em
LETTER = 0.54  # average width of a character, in em
BETWEEN = 1.1  # gap between two columns, in em


def numbers(grid: Grid) -> str:
    """The Typst table of a grid."""
    head = "".join(f"{content(text(name))}, " for name in (grid.corner, *grid.columns))
    rows = "".join(
        content(call("strong", body=text(name))) + ", " + "".join(map(cell, cells)) + "\n" for name, cells in grid.rows
    )
    barred = any(one.svg and SHARE.search(one.svg) for _, cells in grid.rows for one in cells)
    widths = many(["auto", *["1fr" if barred else "auto"] * len(grid.columns)])
    ways = many(["left", *["right"] * len(grid.columns)])
    table = f"#table(columns: {widths}, align: {ways}, table.header({head}), {rows})"
    return call("numbers", f"{size(grid):.2f}em", body=table)


def size(grid: Grid) -> float:
    """The font size in em with which no word has to be broken."""
    longest = [max(len(name) for name in (grid.corner, *(name for name, _ in grid.rows)))]
    longest += [
        max(len(name), *(len(cells[at].text) for _, cells in grid.rows)) for at, name in enumerate(grid.columns)
    ]
    return max(0.6, min(1.0, WIDTH / sum(long * LETTER + BETWEEN for long in longest)))


def cell(one: Cell) -> str:
    """A table cell in Typst, with a shaded background or a bar."""
    if one.svg and (heat := OPACITY.search(one.svg)):
        return f"table.cell(fill: heat({round(float(heat[1]) * 100)}%), {content(text(one.text))}), "
    if one.svg and SHARE.search(one.svg):
        return content(call("gauge", *length(one.svg), body=text(one.text))) + ", "
    return content(text(one.text)) + ", "


def bar(svg: str) -> str:
    return call("bar", *length(svg))


def length(svg: str) -> tuple[str, str]:
    """The arguments of a bar: its length, and whether it has a track."""
    found = SHARE.search(svg)
    return f"{found[1] if found else 0}%", flag(WHOLE in svg)


LONG = 36  # lines; a longer card may break across pages


@dataclass(frozen=True)
class Desk:
    """Renders cards; the drawings are shared by all cards of the PDF."""

    words: Words
    drawings: Drawings

    def card(self, checked: Checked) -> str:
        """The Typst source of a block, empty for `show: no`."""
        block = checked.block
        show = block.get("show")
        if show and show.value.lower() == "no":
            return ""
        if block.kind == "game":
            return call("raw", quoted(block.text.content.rstrip()), block="true", lang='"toml"')
        made = BODIES.get(block.kind)
        body = made(self, checked) if made else None
        if show and show.value.lower() == "line" and block.kind == "example" and body:
            return self.lines(checked)
        if body is None:
            body = call("raw", quoted(checked.block.text.content.rstrip()), block="true")
        long = block.kind in ("rule", "table", "odds") and body.count("\n") > LONG
        head = [content(text(self.words(block.kind))), content(text(name_of(checked))), flag(long)]
        return call("card", *head, body=self.notes(checked) + body)

    def notes(self, checked: Checked) -> str:
        """The notes of a block that is wrong on purpose or not checked."""
        wrong, skipped = checked.block.get("wrong"), checked.block.get("skip")
        found = [(self.words("wrong on purpose"), wrong)] if wrong else []
        found += [(self.words("not checked"), skipped)] if skipped else []
        return "".join(call("card-note", body=strong(said) + text(f" {entry.value}")) for said, entry in found)

    # examples

    def example(self, checked: Checked) -> str | None:
        made = example(checked, self.words)
        if made is None:
            return None
        return "".join(self.scene(one) for one in made.scenes) + self.legend(made)

    def scene(self, scene: Scene) -> str:
        parts = [
            call("card-heading", body=text(scene.heading)) if scene.heading else "",
            self.inputs(scene.inputs),
            self.dice(scene.groups),
            *(line(text(f"{one.key} ") + strong(one.value)) for one in scene.told),
            call("sides", *(content(self.side(side)) for side in scene.sides)) if scene.sides else "",
            pairs((step.name, step.value) for step in scene.steps),
            self.outcome(scene),
            *(call("card-note", body=text(said)) for said in scene.differences),
            self.how(scene.how),
            self.likely(scene.odds),
        ]
        return call("scene", body="".join(parts))

    def side(self, side: Side) -> str:
        bouts = "".join(self.dice(bout.groups) + line(call("worth", body=text(bout.value))) for bout in side.bouts)
        return line(strong(side.name)) + self.inputs(side.inputs) + bouts

    def outcome(self, scene: Scene) -> str:
        if not scene.outcome:
            return ""
        degree = text(f" {self.words('degree')} ") + strong(scene.degree) if scene.degree else ""
        says = text(f"  {scene.says}") if scene.says else ""
        return line(call("worth", body=text(scene.outcome[:1].upper() + scene.outcome[1:])) + degree + says)

    def how(self, lines: Sequence[How]) -> str:
        """The steps in one paragraph, each with its values and result."""
        shown = text(";  ").join(strong(one.name) + text(" " + " → ".join(one.parts[-2:])) for one in lines)
        return call("quiet", body=line(text(self.words("steps") + ": ") + shown)) if lines else ""

    def likely(self, found: Iterable[Bar]) -> str:
        """The chance of the outcome that was rolled."""
        here = [one for one in found if one.here]
        said = "".join(strong(self.words("odds of outcome", outcome=one.name, chance=one.text)) for one in here)
        return call("quiet", body=line(text(self.words("odds of this") + " ") + said)) if here else ""

    def legend(self, made: Example) -> str:
        marks = (self.drawings(one.mark, "mark") + text(f" {one.text}   ") for one in made.legend)
        return call("quiet", body=line("".join(marks))) if made.legend else ""

    def lines(self, checked: Checked) -> str:
        """An example with `show: line`: one line of text for each scene."""
        made = example(checked, self.words)
        title = line(strong(checked.block.title)) if checked.block.title else ""
        return title + "".join(self.single(scene) for scene in made.scenes) if made else ""

    def single(self, scene: Scene) -> str:
        given = ", ".join(f"{one.label} {one.value}".strip() for one in scene.inputs)
        dice = "".join(self.throws(group) for group in scene.groups)
        steps = ", ".join(f"{step.name} {step.value}" for step in scene.steps)
        came = " ".join(
            filter(None, [scene.outcome or steps, scene.degree and f"{self.words('degree')} {scene.degree}"])
        )
        told = text("".join(f" {one.value} " for one in scene.told))
        return line(text(f"{scene.heading} {given}: ".lstrip()) + dice + told + text(" → ") + strong(came))

    # dice

    def dice(self, groups: Sequence[Group]) -> str:
        drawn = (content(self.group(group)) for group in groups)
        return call("groups", *drawn) if groups else ""

    def group(self, group: Group) -> str:
        name = call("group-name", body=text(group.name)) if group.name else ""
        return name + self.throws(group)

    def throws(self, group: Group) -> str:
        return "".join(
            call("throw", body="".join(text(one.sign) + self.drawings(one.svg) for one in die)) for die in group.dice
        )

    # numbers

    def inputs(self, given: Iterable[Given]) -> str:
        return pairs((one.label, one.value) for one in given)

    def grid(self, grid: Grid | None) -> str | None:
        if grid is None:
            return None
        caption = call("quiet", body=line(text(grid.caption)))
        return self.inputs(grid.inputs) + caption + numbers(grid)

    def claim(self, made: Claim | None) -> str | None:
        if made is None:
            return None
        return self.inputs(made.inputs) + "".join(map(self.statement, made.statements))

    def statement(self, one: Statement) -> str:
        sign = self.drawings(one.mark, "mark") if one.verdict else ""
        said = call("raw", quoted(one.text)) + "".join(text(f"  {line}") for line in one.lines)
        return call("claim", content(sign), content(text(one.verdict)), body=said)

    def roller(self, made: Roller | None) -> str | None:
        if made is None:
            return None
        bars = "".join(
            f"{content(text(one.name))}, {content(text(one.text))}, {content(bar(one.svg))}, " for one in made.odds
        )
        odds = call("quiet", body=line(text(self.words("odds at start")))) + f"#bars({bars});" if bars else ""
        return "".join(self.part(one) for one in made.parts) + odds

    def part(self, part: Part) -> str:
        heading = call("card-heading", body=text(part.heading)) if part.heading else ""
        return heading + self.asked(part.inputs)

    def rule(self, made: Told) -> str:
        inputs = call("card-heading", body=text(self.words("heading inputs"))) + self.asked(made.inputs)
        sections = "".join(
            call("card-heading", body=text(section.heading))
            + "".join(how(one.name, " ".join(one.lines)) for one in section.items)
            for section in made.sections
        )
        return (inputs if made.inputs else "") + sections

    # characters

    def sheet(self, made: Character | None) -> str | None:
        if made is None:
            return None
        holds = line(text(f"{self.words('told holds')} ") + strong(made.holds)) if made.holds else ""
        verdict = line(self.drawings(made.mark, "mark") + text(" ") + call("worth", body=text(made.verdict)))
        broken = "".join(call("how", "[–]", body=text(one)) for one in made.broken)
        return pairs((one.key, one.value) for one in made.traits) + holds + verdict + broken

    def order(self, made: Sequence[Acting] | None) -> str | None:
        """The order of turns as a numbered list."""
        if made is None:
            return None
        worth = (strong(one.name) + call("quiet", body=text(f"  {one.values}".rstrip())) for one in made)
        return call("enum", *map(content, worth)) + "\n\n"

    def asked(self, inputs: Iterable[Asked]) -> str:
        return "".join(how(one.label, self.may_be(one)) for one in inputs)

    def may_be(self, one: Asked) -> str:
        start = f" · {self.words('starts at', value=one.start)}" if one.start else ""
        return (f"({one.name}) " if one.name else "") + one.may_be + start


def name_of(checked: Checked) -> str:
    """The title of a card: its own, or the name of its table, sheet, order or rule."""
    block, thing = checked.block, checked.table or checked.sheet or checked.order
    rule = checked.rule if block.kind != "claim" else None
    return block.title or (begun(thing.name) if thing else rule.label if rule else "")


def strong(words: str) -> str:
    return call("strong", body=text(words))


def how(name: str, said: str) -> str:
    return call("how", content(text(name)), body=text(said)) + "\n"


def line(body: str) -> str:
    return call("card-line", body=body)


def pairs(found: Iterable[tuple[str, str]]) -> str:
    """Names with their values, one after another."""
    shown = [content(text(name) + (text(" ") + strong(value) if value else "")) for name, value in found]
    return call("pairs", *shown) if shown else ""


BODIES: dict[str, Callable[[Desk, Checked], str | None]] = {
    "example": Desk.example,
    "odds": lambda desk, checked: desk.grid(odds(checked, desk.words)),
    "table": lambda desk, checked: desk.grid(table(checked, desk.words)),
    "claim": lambda desk, checked: desk.claim(claim(checked, desk.words)),
    "sheet": lambda desk, checked: desk.sheet(sheet(checked, desk.words)),
    "order": lambda desk, checked: desk.order(order(checked, desk.words)),
    "roller": lambda desk, checked: desk.roller(roller(checked, desk.words)),
    "rule": lambda desk, checked: desk.rule(rule_in_words(checked.rule, desk.words)) if checked.rule else None,
}
