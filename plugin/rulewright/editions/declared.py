"""A game as things that can be compared."""

from __future__ import annotations

from collections.abc import Iterator

from ..game.inputs import die_name, shown
from ..game.model import Category, Formula, Game, Input, Kind, Order, Outcome, Reroll, Rule, Sheet, Spend, Table
from ..game.tree import Node
from .things import Phrase, Text, Thing, Told, fact, facts, span

NEVER = Node("number", (0,))
OTHERWISE = Told("otherwise", "")  # when the last outcome comes, which needs no words


def game_thing(game: Game) -> Thing:
    inner = [rule_thing(rule) for rule in game.rules.values()]
    inner += [table_thing(table) for table in game.tables.values()]
    inner += [category_thing(one) for one in game.traits.values() if one.names]
    inner += [sheet_thing(one) for one in game.sheets.values() if one.require]
    inner += [order_thing(one) for one in game.orders.values()]
    return Thing("game", game.folder, facts(title=game.title), tuple(inner))


def rule_thing(rule: Rule) -> Thing:
    inner = [input_thing(one) for one in rule.inputs]
    inner += [kind_thing(one) for one in rule.dice]
    inner += [reroll_thing(number, one) for number, one in enumerate(rule.rerolls, 1)]
    inner += [Thing("step", one.name, facts(formula=one.formula)) for one in rule.steps]
    inner += [outcome_thing(one) for one in rule.outcomes]
    inner += [Thing("mark", name, facts(formula=formula)) for name, formula in rule.marks.items()]
    inner += [spend_thing(one) for one in rule.spends]
    return Thing("rule", rule.name, dict(rule_facts(rule)), tuple(inner))


def rule_facts(rule: Rule) -> Iterator[tuple[str, Told]]:
    yield from facts(label=rule.label, policies=", ".join(rule.policies)).items()
    if rule.contest:
        names = (one.name for one in rule.contest.of)
        of = Phrase("against", tuple(zip(("first", "second"), names, strict=True))) if rule.contest.of else ""
        yield from facts(sides=of, compared=rule.contest.compare, ties=rule.contest.ties).items()
    if rule.traits:
        into, one_of = ", ".join(rule.traits.into), ", ".join(rule.traits.one_of)
        yield from facts(traits_into=into, traits_most=rule.traits.most, traits_one_of=one_of).items()
    if rule.specialties:
        own = rule.specialties
        yield from facts(
            specialty_into=own.into, specialty_per_dot=own.per_dot, specialty_least=own.least, unused=own.unused_adds
        ).items()


def input_thing(entry: Input) -> Thing:
    told = facts(
        label=entry.label, values=allowed(entry), names=entry.names.name if entry.names else "",
        open=entry.open or None, asked=entry.asked,
    )  # fmt: skip
    return Thing("input", entry.name, told | ({} if entry.default is None else {"default": default(entry)}))


def default(entry: Input) -> Told:
    return fact(bool(entry.default) if entry.form == "flag" else shown(entry, entry.default))


def allowed(entry: Input) -> Text:
    """«2 to 10»."""
    by_form: dict[str, Text] = {
        "number": span(entry.least, entry.most),
        "flag": Phrase("yes or no"),
        "choice": ", ".join(entry.choices),
        "die": ", ".join(map(die_name, entry.dice)),
        "code": span(f"{entry.least}D", f"{entry.most}D"),
    }
    return by_form[entry.form]


def kind_thing(kind: Kind) -> Thing:
    faces = ", ".join(f"{label} = {number}" for label, number in kind.faces)
    told = facts(count=kind.count, sides=kind.sides, faces=faces, good=kind.good, bad=kind.bad)
    if kind.again:
        told |= facts(again_when=kind.again.when, again_roll=kind.again.roll, again_times=kind.again.times)
        told |= facts(again_optional=unless_never(kind.again.optional))
    if kind.explode:
        told |= facts(explode_when=kind.explode.when, explode_optional=unless_never(kind.explode.optional))
    if kind.keep:
        told |= facts(**{"keep_highest" if kind.keep.highest else "keep_lowest": kind.keep.number})
    return Thing("dice", kind.name, told)


def unless_never(test: Formula) -> Formula | None:
    """What is asked where nobody wrote it is no fact."""
    return None if test.node == NEVER else test


def reroll_thing(number: int, reroll: Reroll) -> Thing:
    told = facts(
        times=reroll.times, among=", ".join(reroll.among), pick=reroll.pick, keep=reroll.keep, when=reroll.when
    )
    return Thing("reroll", str(number), told)


def outcome_thing(outcome: Outcome) -> Thing:
    told = facts(when=outcome.when, degree=outcome.degree, says=outcome.says, see=outcome.see)
    return Thing("outcome", outcome.name, {"when": OTHERWISE, **told})


def spend_thing(spend: Spend) -> Thing:
    told = facts(label=spend.label, point=spend.point, most=spend.most, highest=", ".join(spend.highest))
    told |= facts(traits=", ".join(spend.traits), **dict(spend.changes))
    return Thing("spend", spend.name, told)


def table_thing(table: Table) -> Thing:
    rows = [row_thing(name, table.columns, cells) for name, cells in table.rows.items()]
    rows += [row_thing(span_text(low, high), table.columns, cells) for low, high, cells in table.ranges]
    return Thing("table", table.name, {}, tuple(rows))


def row_thing(name: str, columns: tuple[str, ...], cells: tuple[object, ...]) -> Thing:
    return Thing("row", name, {column: fact(cell) for column, cell in zip(columns, cells, strict=False)})


def span_text(low: int | None, high: int | None) -> str:
    return str(low) if low == high else f"{'' if low is None else low}..{'' if high is None else high}"


def category_thing(category: Category) -> Thing:
    span = "" if category.least is None and category.most is None else span_text(category.least, category.most)
    untrained: Text = Phrase("no") if category.untrained is None else ", ".join(
        f"{name} = {formula.text}" for name, formula in category.untrained.items()
    )  # fmt: skip
    return Thing(
        "traits",
        category.name,
        facts(values=span, untrained=untrained),
        tuple(trait_thing(category, name) for name in category.names),
    )


def trait_thing(category: Category, name: str) -> Thing:
    groups = ", ".join(group for group, names in category.groups.items() if name in names)
    sorts = category.specialties.get(name, {})
    told = {sort: fact(", ".join(names)) for sort, names in sorts.items() if names}
    aliases = ", ".join(category.aliases.get(name, ()))
    return Thing("trait", name, {**told, **facts(groups=groups, aliases=aliases)})


def sheet_thing(sheet: Sheet) -> Thing:
    lines = (Thing("requirement", name, facts(formula=formula)) for name, formula in sheet.require.items())
    return Thing("sheet", sheet.name, {}, tuple(lines))


def order_thing(order: Order) -> Thing:
    keys = ", ".join(f"-{key}" if key in order.downward else key for key in order.keys)
    return Thing("order", order.name, facts(keys=keys, teams=order.alternate, out=", ".join(order.out)))
