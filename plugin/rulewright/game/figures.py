"""The figures of a game: every whole number that its rules use, with what it is about and its span.

A text that states a rule states these; `prose/statements.py` finds out which. Parts that nothing uses have none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..source import Source, Span
from .core import Category, Expression
from .formula import COMPARISONS, PICKS, ROUNDING_FUNCTIONS, THROW_WORDS, Node, collect_names, collect_sets, walk
from .model import DiceKind, Formula, Game, Input, NamedPart, Outcome, Rule, Sheet, Table
from .toml import Path, SpanIndex, inner_span, read_toml
from .unused import find_unused

# What a figure is in its rule. An edge separates numbers below it from those at or above it: a limit of an input, what
# an outcome needs, or another.
VALUE, EDGE, LIMIT, OUTCOME, FACE, CHANGE, FACTOR, DIVISOR, DICE, SIDES, PICK, DEFAULT, NAMED, CELL, SIZE = (
    "value", "edge", "limit", "outcome", "face", "change", "factor", "divisor", "dice", "sides", "pick", "default",
    "named", "cell", "size",
)  # fmt: skip
THROW = "throw"  # how often a die has been rolled, which is no face
SHEETS = "sheets."  # begins the name of a sheet where a rule could be
_FLIPPED = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "=": "=", "!=": "!="}
_PAST = {">": 1, "<=": 1}  # the first number at or above the edge, as seen from the number in the formula

_ROLLS_AGAIN = {"explode": ("explode", "roll again", "throw again"), "reroll": ("reroll", "roll again", "throw again")}

Phrases = tuple[str, ...]


class Cell(NamedTuple):
    """A place in a table of a game; the numbers of a range have no column. `names` are the words in its row."""

    table: str
    row: int
    column: str
    names: Phrases


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a game. `subjects` name what it measures, `operands` what it is added to or multiplied by, and
    `topics` what else it is about: an outcome, a condition, a row."""

    value: int
    role: str
    subjects: Phrases
    operands: Phrases
    topics: Phrases
    rule: str  # the name of its rule, or of its sheet; empty for tables and traits
    span: Span
    statement: str  # the part of the game in its own words: "success needs total >= 10"
    edge: int | None = None
    is_upper: bool = True  # whether what counts is at or above the edge
    given: tuple[int, ...] = ()  # the numbers of the condition on which it counts
    cell: Cell | None = None
    is_implied: bool = False  # nobody wrote it: the one die that a face earns

    @property
    def shown(self) -> str:
        """The number as the game writes it; a number of names as a number."""
        text = self.span.text.strip()
        return text if text.strip("+- ").isdecimal() else str(self.value)

    @property
    def place(self) -> str:
        return f"{self.span.source.path}:{self.span.source.position(self.span.start)[0]}"


def find_figures(game: Game) -> tuple[Figure, ...]:
    """All figures of a game that its rules use."""
    unused = [problem.span for problem in find_unused(game, lambda _: False) if problem.severity == "warning"]
    places = _Places({})
    figures = [figure for rule in game.rules.values() for figure in _RuleReader(game, rule, places).read()]
    for table in game.tables.values():
        figures += _read_table(game, table, places)
    for category in game.traits.values():
        figures += _read_category(category, game.trait_spans.get(category.name), places)
        figures += _read_untrained(game, category)
    for sheet in game.sheets.values():
        figures += _read_sheet(sheet)
    return tuple(figure for figure in figures if not any(_contains(span, figure.span) for span in unused))


def _contains(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start and inner.end <= outer.end


@dataclass(frozen=True)
class _Places:
    """The spans of keys and values in the files of a game."""

    known: dict[int, SpanIndex]

    def index(self, source: Source) -> SpanIndex:
        if id(source) not in self.known:
            self.known[id(source)] = read_toml(source)[1]
        return self.known[id(source)]

    def find(self, source: Source, path: Path) -> Span | None:
        return self.index(source).values.get(path)

    def find_key(self, source: Source, path: Path) -> Span | None:
        return self.index(source).keys.get(path)


def name_phrases(part: NamedPart) -> Phrases:
    """What readers may call a part of a rule."""
    names = [part.label or "", *part.also, part.name.replace("_", " ")]
    return tuple(dict.fromkeys(filter(None, names)))


@dataclass(frozen=True)
class _Owner:
    """What formulas belong to: its phrases, the topics around it, and how to quote a formula of it."""

    subjects: Phrases
    topics: Phrases
    rule: str
    verb: str  # "success needs"

    def figure(self, formula: Formula, node: Node, value: int, role: str, edge: int | None = None) -> Figure:
        span = inner_span(formula.span, formula.text, node.start, node.end)
        return Figure(
            value, role, self.subjects, (), self.topics, self.rule, span, f"{self.verb} {formula.text}".strip(), edge
        )


class Condition(NamedTuple):
    """What a step of yes or no depends on."""

    phrases: Phrases
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class _FormulaReader:
    """Finds the figures of one formula. `names` are the phrases of everything that it may name."""

    formula: Formula
    owner: _Owner
    names: Mapping[str, Phrases]
    conditions: Mapping[str, Condition] = field(default_factory=dict)  # what decides the steps that it names
    single_dice: frozenset[str] = frozenset()  # kinds of which one die is rolled once

    def read(self) -> Iterator[Figure]:
        yield from self.visit(self.formula.node, VALUE)

    def visit(self, node: Node, role: str) -> Iterator[Figure]:
        number = _constant(node)
        if number is not None:
            if number or role == VALUE:
                yield self.owner.figure(self.formula, node, number, role)
        elif node.op in COMPARISONS:
            yield from self.compare(node)
        elif node.op in ("+", "*", "min", "max"):
            yield from self.combine(node)
        elif node.op == "if":
            yield from self.choose(node, role)
        elif node.op in PICKS:
            yield from self.pick(node)
        else:
            is_rounded = node.op in ROUNDING_FUNCTIONS
            for place, part in enumerate(node.child_nodes()):
                if _constant(part) is None or is_rounded or node.op == "neg":
                    yield from self.visit(part, DIVISOR if is_rounded and place else role)

    def pick(self, node: Node) -> Iterator[Figure]:
        for part in node.child_nodes():
            for figure in self.visit(part, PICK):
                own = self.phrases(node) if figure.role == PICK else ()
                yield replace(figure, subjects=(*figure.subjects, *own))

    def compare(self, node: Node) -> Iterator[Figure]:
        for part, other, op in ((node.args[1], node.args[0], node.op), (node.args[0], node.args[1], _FLIPPED[node.op])):
            number, phrases, least = _constant(part), self.phrases(other), _constant(other)
            if number is None:
                are_several = part.op == "count" and least is not None and least > 1  # one such die is not enough
                yield from () if are_several else self.visit(part, VALUE)
                continue
            names = collect_names(other)
            if names == {THROW}:
                continue
            is_face = other.op != "count" and (not names.isdisjoint(THROW_WORDS) or self.is_one_die(other, op))
            role = FACE if is_face else EDGE
            edge = None if op in ("=", "!=") else number + _PAST.get(op, 0)
            figure = self.owner.figure(self.formula, part, number, role, edge)
            subjects = self.owner.subjects if is_face else phrases
            topics = (*self.owner.subjects, *self.owner.topics, *(phrases if is_face else ()))
            is_upper = op in (">=", ">")
            yield replace(figure, subjects=subjects or self.owner.subjects, topics=topics, is_upper=is_upper)

    def is_one_die(self, node: Node, op: str) -> bool:
        """Whether a comparison looks at what one die shows."""
        is_sum = node.op == "sum" and len(node.args) == 2 and node.args[1] is None
        kinds = collect_sets(node)
        return is_sum and len(kinds) == 1 and (op == "=" or kinds <= self.single_dice)

    def combine(self, node: Node) -> Iterator[Figure]:
        """Sums, products and limits: a constant part with what the others are."""
        for part in node.child_nodes():
            number = _constant(part)
            others = tuple(
                phrase for other in node.child_nodes() if other is not part for phrase in self.phrases(other)
            )
            if number is None:
                inner = self.visit(part, CHANGE if node.op == "+" else VALUE)
                yield from self.about(inner, others)
            elif node.op in ("+", "*"):
                figure = self.owner.figure(self.formula, part, number, CHANGE if node.op == "+" else FACTOR)
                yield replace(figure, operands=others)
            elif number:  # a floor of 0 only keeps a step in its range
                edge = number + (node.op == "min")
                figure = self.owner.figure(self.formula, part, number, EDGE, edge)
                yield replace(figure, subjects=(*figure.subjects, *others))

    def choose(self, node: Node, role: str) -> Iterator[Figure]:
        condition, *values = node.args  # "more than 0" asks whether there is any, which is no limit
        yield from (figure for figure in self.visit(condition, VALUE) if figure.value or figure.edge is None)
        deciding = [self.conditions[name] for name in collect_names(condition) if name in self.conditions]
        topics = (*self.phrases(condition), *(phrase for step in deciding for phrase in step.phrases))
        given = (*_numbers(condition), *(number for step in deciding for number in step.numbers))
        for value in values:
            if _constant(value) != 0:
                for figure in self.visit(value, role):
                    yield replace(figure, topics=(*figure.topics, *topics), given=(*figure.given, *given))

    def about(self, figures: Iterable[Figure], phrases: Phrases) -> Iterator[Figure]:
        for figure in figures:
            operands = phrases if figure.role == CHANGE else ()
            yield replace(figure, operands=(*figure.operands, *operands))

    def phrases(self, node: Node) -> Phrases:
        """What a part of the formula names."""
        groups = [str(inner.args[0]) for inner in walk(node) if inner.op in ("sumof", "numberof")]
        values = () if node.op == "count" else collect_names(node)  # what dice are counted for is not what is counted
        names = [] if groups else [*values, *collect_sets(node)]
        found = [phrase for name in names for phrase in self.names.get(name, (name.replace("_", " "),))]
        return tuple(dict.fromkeys([*found, *groups]))


def _is_single(count: Node) -> bool:
    """Whether at most one die is rolled."""
    values = count.args[1:] if count.op == "if" else (count,)
    return all(value.op == "number" and value.args[0] <= 1 for value in values)


def _numbers(node: Node) -> tuple[int, ...]:
    return tuple(inner.args[0] for inner in walk(node) if inner.op == "number")


def _constant(node: Node) -> int | None:
    if node.op == "number":
        return int(node.args[0])
    if node.op == "neg" and node.args[0].op == "number":
        return -int(node.args[0].args[0])
    return None


class _RuleReader:
    """Finds the figures of one rule."""

    def __init__(self, game: Game, rule: Rule, places: _Places) -> None:
        self.game, self.rule, self.places = game, rule, places
        self.topics = tuple(dict.fromkeys((rule.label, rule.name.replace("_", " "))))
        self.names: dict[str, Phrases] = {}
        for entry in rule.inputs:
            self.names |= dict.fromkeys(entry.variable_names, name_phrases(entry))
        parts: list[NamedPart] = [*rule.steps, *rule.dice]
        self.names |= {part.name: name_phrases(part) for part in parts}
        for kind in rule.dice:
            self.names |= {test: (test, *name_phrases(kind)) for test in kind.tests}
        formulas = {step.name: step.formula.node for step in rule.steps}
        self.conditions = {name: Condition(self.named_in(node), _numbers(node)) for name, node in formulas.items()}
        self.single_dice = frozenset(kind.name for kind in rule.dice if not kind.again and _is_single(kind.count.node))

    def named_in(self, node: Node) -> Phrases:
        names = (*collect_names(node), *collect_sets(node))
        return tuple(phrase for name in names for phrase in self.names.get(name, ()))

    def counted_as(self, test: str) -> Phrases:
        """What readers call the dice that pass a test: itself, and the steps that count them."""
        steps = (step for step in self.rule.steps if step.formula.node.op == "count")
        counting = [step for step in steps if test in collect_names(step.formula.node)]
        return (test, *(phrase for step in counting for phrase in name_phrases(step)))

    def read(self) -> Iterator[Figure]:
        rule = self.rule
        for entry in rule.inputs:
            yield from self.read_input(entry)
        for kind in rule.dice:
            yield from self.read_kind(kind)
        for step in rule.steps:
            if "." not in step.name and step.label != "":
                yield from self.read_formula(step.formula, name_phrases(step), f"{step.name} is")
        for reroll in rule.rerolls:
            leads_to = self.names.get(reroll.roll, (reroll.roll,))  # dice that are earned, if it names a kind
            for formula in filter(None, (reroll.times, reroll.count, reroll.turn)):
                yield from self.read_formula(formula, leads_to, "dice that are rolled again:")
            yield from self.read_formula(reroll.when, leads_to, "dice are rolled again when")
        for outcome in rule.outcomes:
            yield from self.read_outcome(outcome)
        yield from self.read_rounds()
        yield from self.read_settings()

    def read_outcome(self, outcome: Outcome) -> Iterator[Figure]:
        if "." not in outcome.name:
            phrases = name_phrases(outcome)
            for figure in self.read_formula(outcome.when, phrases, f"{outcome.name} needs"):
                yield replace(figure, role=OUTCOME) if figure.role == EDGE else figure
            yield from self.read_formula(outcome.degree, phrases, f"the degree of {outcome.name} is")

    def read_rounds(self) -> Iterator[Figure]:
        rounds = self.rule.rounds
        if rounds:
            yield from self.read_formula(rounds.until, ("rounds",), "rounds end when")
            yield from self.read_formula(rounds.most, ("rounds",), "rounds:")
            for name, formula in rounds.carry.items():
                yield from self.read_formula(formula, self.names.get(name, ()), f"{name} becomes")

    def read_settings(self) -> Iterator[Figure]:
        """What is written as plain numbers: spends, traits and specialties."""
        rule = self.rule
        for spend in rule.spends:
            phrases = tuple(filter(None, (spend.label, spend.name, spend.point)))
            for name, formula in spend.changes.items():
                topics = (*phrases, *(trait for trait in spend.traits))
                found = self.read_formula(formula, phrases, f"{spend.name}: {name} becomes", topics)
                yield from (replace(figure, operands=()) for figure in found if figure.role == CHANGE)
            yield from self.setting(
                ("spends", spend.name, "most"), spend.most, phrases, f"{spend.name} at most", EDGE, 1
            )
        if rule.traits:
            yield from self.setting(("traits", "most"), rule.traits.most, ("traits",), "traits at most", EDGE, 1)
        if rule.specialties:
            per_dot, phrases = rule.specialties.per_dot, ("specialties",)
            yield from self.setting(("specialties", "per_dot"), per_dot, phrases, "specialties for each dot:", VALUE)
            least = rule.specialties.least
            yield from self.setting(("specialties", "least"), least, phrases, "specialties need dots:", EDGE)

    def setting(
        self, path: Path, value: int | None, subjects: Phrases, verb: str, role: str, past: int = 0
    ) -> Iterator[Figure]:
        """A plain number of the rule; `past` leads from it to its edge, if it is one."""
        span = self.find_setting(("rules", self.rule.name, *path))
        if value is not None and span:
            edge = value + past if role in (EDGE, LIMIT) else None
            yield Figure(value, role, subjects, (), self.topics, self.rule.name, span, f"{verb} {value}", edge)

    def find_setting(self, path: Path) -> Span | None:
        """Where a plain number is written; one that is declared `like` another is written there."""
        source = self.rule.span.source
        for _ in self.game.rules:
            span, like = self.places.find(source, path), self.places.find(source, (*path[:-1], "like"))
            if span or like is None:
                return span
            rule, _, name = like.text.strip("\"'").partition(".")
            path = ("rules", rule, "inputs", name, path[-1])
        return None

    def read_formula(
        self, formula: Expression | None, subjects: Phrases, verb: str, topics: Phrases = ()
    ) -> Iterator[Figure]:
        if isinstance(formula, Formula):
            owner = _Owner(subjects, (*topics, *self.topics), self.rule.name, verb)
            yield from _FormulaReader(formula, owner, self.names, self.conditions, self.single_dice).read()

    def read_input(self, entry: Input) -> Iterator[Figure]:
        if "." in entry.name:
            return
        phrases, path = name_phrases(entry), ("inputs", entry.name)
        if entry.form in ("number", "code"):
            limits = (("min", entry.least, 0, "at least"), ("max", entry.most, 1, "at most"))
            for key, value, past, verb in limits:
                yield from self.setting((*path, key), value, phrases, f"{entry.name} is {verb}", LIMIT, past)
        if entry.form == "number" and entry.default:
            yield from self.setting((*path, "default"), entry.default, phrases, f"{entry.name} by default is", DEFAULT)
        yield from self.read_formula(entry.asked, phrases, f"{entry.name} is asked when")

    def read_kind(self, kind: DiceKind) -> Iterator[Figure]:
        if "." in kind.name:
            return
        phrases = name_phrases(kind)
        is_alone = (
            sum(bool(other.count.node.op != "number" or other.count.node.args[0]) for other in self.rule.dice) == 1
        )
        counted = [phrase if "würfel" in phrase.lower() else f"{phrase} dice" for phrase in phrases]
        counted += ["dice"] if is_alone else []
        for figure in self.read_formula(kind.count, phrases, f"{kind.name} dice:"):
            if figure.role == VALUE and figure.value and figure.span.text.isdigit():
                yield replace(figure, role=DICE, subjects=tuple(counted))
            elif figure.role != VALUE:
                yield figure
        sides = {other.sides.text if other.sides else "" for other in self.rule.dice}
        sided, counts = (*phrases, *(("dice",) if len(sides) == 1 else ())), self.named_in(kind.count.node)
        for figure in self.read_formula(kind.sides, sided, f"sides of {kind.name}:"):
            yield replace(figure, role=SIDES, operands=counts) if figure.role == VALUE else figure
        for test, formula in kind.tests.items():
            yield from self.read_formula(formula, self.counted_as(test), f"{test} of {kind.name} is", phrases)
        for entry in kind.again:
            rolled = self.names.get(entry.roll, _ROLLS_AGAIN.get(entry.roll, ()))
            yield from self.read_formula(entry.when, rolled, f"{kind.name}: {entry.roll} when", phrases)
            if entry.roll in self.names:
                for figure in self.read_formula(entry.count, rolled, f"{kind.name}: {entry.roll} dice:", phrases):
                    yield replace(figure, is_implied=str(figure.value) not in figure.span.text)


def _read_table(game: Game, table: Table, places: _Places) -> Iterator[Figure]:
    users = [
        entry for rule in game.rules.values() for entry in rule.inputs if entry.names and entry.names.name == table.name
    ]
    topics = tuple(dict.fromkeys((table.name, *(phrase for entry in users for phrase in name_phrases(entry)))))
    rows = [*table.rows.items(), *((_range_text(low, high), cells) for low, high, cells in table.ranges)]
    is_named = len(table.columns) == 1 and not table.ranges
    for number, ((row, cells), spans) in enumerate(zip(rows, table.cell_spans, strict=True)):
        words = (*((row,) if row in table.rows else ()), *(cell for cell in cells if isinstance(cell, str)))
        for column, cell, span in zip(table.columns, cells, spans, strict=True):
            if isinstance(cell, int) and not isinstance(cell, bool):
                names = (row,) if is_named else (row, column)
                statement, place = f"{table.name}: {row} is {cell}", Cell(table.name, number, column, words)
                yield Figure(cell, NAMED if is_named else CELL, names, (), topics, "", span, statement, cell=place)
    for number, ((low, high, cells), spans) in enumerate(
        zip(table.ranges, table.cell_spans[len(table.rows) :], strict=True), len(table.rows)
    ):
        words, ends = tuple(cell for cell in cells if isinstance(cell, str)), _range_text(low, high)
        place = Cell(table.name, number, "", words)
        for end, past in ((low, 0), (high, 1)):
            if end is not None:
                key = places.find_key(table.span.source, ("tables", table.name, "ranges", ends))
                span = _end_of(key, end, bool(past)) if key else spans[0]
                statement, cell = f"{table.name}: {ends}", None if past and low == high else place
                yield Figure(end, EDGE, words or topics, (), topics, "", span, statement, end + past, cell=cell)


def _end_of(written: Span, end: int, is_high: bool) -> Span:
    """One end in a range, such as the 5 of "1..5"; all of it if it is written in another way."""
    at = written.text.rfind(str(end)) if is_high else written.text.find(str(end))
    return written.subspan(at, at + len(str(end))) if at >= 0 else written


def _range_text(low: int | None, high: int | None) -> str:
    ends = ["" if end is None else str(end) for end in (low, high)]
    return ends[0] if low == high else "..".join(ends)


def _read_category(category: Category, span: Span | None, places: _Places) -> Iterator[Figure]:
    if span is None:
        return
    statement = f"{category.name} has {len(category.names)} names"
    yield Figure(len(category.names), SIZE, (category.name,), (), (), "", span, statement)
    limits = places.find(span.source, ("traits", category.name, "range"))
    for end, past in ((category.least, 0), (category.most, 1)):
        if limits and end is not None:
            statement = f"{category.name} from {category.least} to {category.most}"
            span = _end_of(limits, end, bool(past))
            yield Figure(end, LIMIT, (category.name,), (), (), "", span, statement, end + past)


def _read_untrained(game: Game, category: Category) -> Iterator[Figure]:
    """What changes for a trait without dots."""
    inputs = [entry for rule in game.rules.values() if rule.traits for entry in rule.inputs]
    names = {entry.name: name_phrases(entry) for entry in inputs}
    for name, formula in (category.untrained or {}).items():
        if isinstance(formula, Formula):
            topics = (category.name, "untrained")
            owner = _Owner(names.get(name, (name,)), topics, "", f"untrained {category.name}: {name} becomes")
            yield from _FormulaReader(formula, owner, names).read()


def _read_sheet(sheet: Sheet) -> Iterator[Figure]:
    for name, formula in sheet.require.items():
        if isinstance(formula, Formula):
            owner = _Owner((name,), (), f"{SHEETS}{sheet.name}", f"{name}:")
            for figure in _FormulaReader(formula, owner, {}).read():
                if figure.value:
                    yield replace(figure, subjects=tuple(word for word in figure.subjects if word != "dots") or (name,))
