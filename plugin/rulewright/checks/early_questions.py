"""Finds choices that a player makes before the dice although nothing about these dice depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from ..game.core import PICKED, CoreRule, Expression
from ..game.dependencies import names_in
from ..game.lower import lower_rule
from ..game.model import Game, Rule
from ..play.compiled_rule import compile_rule
from ..source import Problem


def find_early_questions(game: Game) -> Iterator[Problem]:
    """A warning for each question that looks at no dice, where players usually see some before they answer."""
    for rule in game.rules.values():
        core = lower_rule(rule)
        first = next((stage for stage in core.order if stage.what == "dice"), None)
        if not first or rule.contest:
            continue
        needed = _names_of_dice(core, first.of)
        for entry in rule.inputs:
            is_own = "." not in entry.name and entry.span.source is rule.span.source
            is_early = entry.name in core.early_names and entry.name not in needed
            if entry.is_choice and entry.form != PICKED and is_own and is_early:
                yield Problem("input", _describe(rule, core, entry.name, first.of), entry.span, "warning")


def _names_of_dice(core: CoreRule, kinds: tuple[str | int, ...]) -> set[str]:
    """The values that must be known before these dice are rolled."""
    own = [core.kinds[kind] for kind in kinds if isinstance(kind, int)]
    formulas: list[Expression | None] = []
    for kind in own:
        formulas += [kind.count, kind.sides, *kind.deck, *kind.tests.values(), *kind.throw_formulas.values()]
    names = names_in(core, *(formula.node for formula in formulas if formula))
    return compile_rule(core).expand_dependencies(names)


def _describe(rule: Rule, core: CoreRule, name: str, kinds: tuple[str | int, ...]) -> str:
    asked = next(entry.asked for entry in rule.inputs if entry.name == name)
    own = [core.kinds[kind].name for kind in kinds if isinstance(kind, int) and "." not in core.kinds[kind].name]
    repair = "name a result of these rolls in `asked`"
    if own:
        parts = [f"count({own[0] if own[0].isidentifier() else repr(own[0])}) > 0"]
        if asked and asked.node.op != "number":
            parts.append(f"({asked.text})" if asked.node.op == "or" else asked.text)
        repair = f'write asked = "{" and ".join(parts)}"'
    return (
        f"{name} is answered before any dice are rolled, because `asked` looks at none; to let players see dice first, "
        f"{repair}; if it is decided before, leave `asked` out, so that {name} is an ordinary input"
    )
