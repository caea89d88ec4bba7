"""Traits and specialties in an example: the inputs they give, and what is said beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..book.model import Block, Entry
from ..book.phrases import Item
from ..game.expression import Slip, Term
from ..game.gathering import gather, untrained
from ..game.inputs import bind, read_value, shown
from ..game.model import Rule
from ..game.specialties import Use
from ..text import Fix, Problem, Span
from .model import trouble

KEYS = ("traits", "holds", "required", "uses")
LISTS = KEYS[1:]


@dataclass
class Gathered:
    """What the traits of a step come to; `stated` are the inputs that the step itself names."""

    block: Block
    rule: Rule
    texts: Mapping[str, str]  # the lines behind `traits`, `holds`, `required` and `uses`
    spans: Mapping[str, Span]
    stated: Mapping[str, str]
    inputs: dict[str, str] = field(default_factory=dict)  # what follows for them
    sources: dict[str, str] = field(default_factory=dict)  # and from which line
    problems: list[Problem] = field(default_factory=list)

    def work_out(self) -> None:
        terms = self.sum() if "traits" in self.texts else []
        if any(key in self.texts for key in LISTS):
            self.specialties(terms)

    def sum(self) -> list[Term]:
        if self.rule.traits is None:
            self.refuse("traits", f"{self.rule.name} takes no traits; write its inputs", 0, 0)
            return []
        terms, inputs, slips = gather(self.rule, self.texts["traits"])
        changed, more = untrained(self.rule, terms, {**self.stated, **inputs})
        self.note("traits", [*slips, *more])
        if not slips and not more:
            self.set("traits", {**inputs, **changed})
        return terms

    def specialties(self, terms: list[Term]) -> None:
        settings = self.rule.specialties
        first = next(key for key in LISTS if key in self.texts)
        if settings is None:
            self.refuse(first, f"{self.rule.name} knows no specialties", 0, 0)
            return
        lists = {key: self.texts[key] for key in LISTS if key in self.texts}
        use = Use(self.rule, terms, lists)
        if lists.get("uses") and "traits" not in self.texts:
            self.refuse("uses", "say what is rolled, with its dots: traits: …", 0, 0)
            return
        used, unused = use.judge()
        for key, slip in use.slips:
            self.note(key, [slip])
        if not use.slips and set(lists) != {"holds"}:
            self.set("uses" if "uses" in lists else "required", {settings.into: "yes" if used else "no"})
            self.add(settings.unused_adds, unused)

    def add(self, name: str, number: int) -> None:
        """Raises an input by the required specialties that are not used."""
        if not name or not number:
            return
        before = bind(self.rule, {**self.stated, **self.inputs})[0].get(name)
        if not isinstance(before, int):
            self.refuse("required", f"{name} has to be known when a required specialty raises it", 0, 0)
            return
        self.set("required", {name: str(before + number)})

    def set(self, key: str, inputs: Mapping[str, str]) -> None:
        self.inputs |= inputs
        self.sources |= dict.fromkeys(inputs, key)

    def note(self, key: str, slips: list[Slip]) -> None:
        for slip in slips:
            self.refuse(key, *slip)

    def refuse(self, key: str, message: str, start: int, end: int) -> None:
        span = self.spans[key]
        if end > start:
            span = span.part(start, end)
        self.problems.append(trouble(self.block, "example-traits", message, span))


def settled(rule: Rule) -> list[str]:
    """The inputs that traits and specialties decide alone: stated beside them, they are compared."""
    into = [*rule.traits.into] if rule.traits else []
    return [*into, rule.specialties.into] if rule.specialties else into


def contradicted(gathered: Gathered, entries: Mapping[str, Entry | Item]) -> Iterator[Problem]:
    """Inputs that are stated beside the traits and come out otherwise."""
    rule = gathered.rule
    for entry in rule.inputs:
        stated, found = entries.get(entry.name), gathered.inputs.get(entry.name)
        if stated is None or found is None or entry.name not in settled(rule):
            continue
        if gathered.sources[entry.name] not in entries:  # a what-if that says otherwise on purpose
            continue
        meant, complaint = read_value(entry, stated.value)
        right, wrong = read_value(entry, found)
        if complaint or wrong or meant == right:
            continue
        source = gathered.sources[entry.name]
        message = f"`{source}` gives {entry.name} {shown(entry, right)}, the example says {stated.value}"
        problem = trouble(gathered.block, "example-input", message, stated.value_span)
        yield problem._replace(fix=Fix(stated.value_span, shown(entry, right)))
