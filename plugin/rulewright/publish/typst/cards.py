"""Blocks on paper: what stands on the card of the site, all of it unfolded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...checks.model import Checked
from ..cards.bars import Bar
from ..cards.claims import Claim, Statement, claim
from ..cards.derivation import How
from ..cards.examples import Example, example
from ..cards.formulas import begun
from ..cards.grids import Grid, odds, table
from ..cards.inputs import Asked, Given
from ..cards.people import Acting, Character, order, sheet
from ..cards.rollers import Part, Roller, roller
from ..cards.rules import Told, rule_in_words
from ..cards.scenes import Scene, Side
from ..cards.throws import Group
from ..words import Words
from .drawings import Drawings
from .grids import bar, numbers
from .marks import call, content, flag, quoted, text

LONG = 36  # lines of a rule or a table that may go on on the next page


@dataclass(frozen=True)
class Desk:
    """What all cards of a print have in common."""

    words: Words
    drawings: Drawings

    def card(self, checked: Checked) -> str:
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
        """The steps with their values, one after the other; the rule itself stands elsewhere."""
        shown = text(";  ").join(strong(one.name) + text(" " + " → ".join(one.parts[-2:])) for one in lines)
        return call("quiet", body=line(text(self.words("steps") + ": ") + shown)) if lines else ""

    def likely(self, found: Iterable[Bar]) -> str:
        here = [one for one in found if one.here]
        said = "".join(strong(self.words("odds of outcome", outcome=one.name, chance=one.text)) for one in here)
        return call("quiet", body=line(text(self.words("odds of this") + " ") + said)) if here else ""

    def legend(self, made: Example) -> str:
        marks = (self.drawings(one.mark, "mark") + text(f" {one.text}   ") for one in made.legend)
        return call("quiet", body=line("".join(marks))) if made.legend else ""

    def lines(self, checked: Checked) -> str:
        """An example as one line of text for each of its scenes."""
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

    # people

    def sheet(self, made: Character | None) -> str | None:
        if made is None:
            return None
        holds = line(text(f"{self.words('told holds')} ") + strong(made.holds)) if made.holds else ""
        verdict = line(self.drawings(made.mark, "mark") + text(" ") + call("worth", body=text(made.verdict)))
        broken = "".join(call("how", "[–]", body=text(one)) for one in made.broken)
        return pairs((one.key, one.value) for one in made.traits) + holds + verdict + broken

    def order(self, made: Sequence[Acting] | None) -> str | None:
        """Who acts first has the number 1."""
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
    """Names with their values, one after the other."""
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
