"""Finds mistakes in the choices of a rule and in its aim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..source import Problem
from .aims import TAKING
from .core import PICKED
from .formula import ZERO, collect_names
from .formula_parser import parse_formula
from .model import Formula, Game, Input, Rule, Step
from .schema import KEY
from .toml import Path


def find_aim_problems(rule: Rule, message: str) -> Iterator[tuple[Path, str]]:
    """What is wrong with the aim of a rule, with the path to it; `message` says what is wrong with its text."""
    if message:
        yield ("aim",), message
    elif not rule.aim and find_open_choices(rule):
        yield (KEY,), _describe_missing_aim(rule)
    elif rule.aim and rule.aim.text in TAKING and (what := _find_rich_choice(rule)):
        yield ("aim",), f"`{rule.aim.text}` cannot say {what}; write {_usual_aim(rule)}"


def _describe_missing_aim(rule: Rule) -> str:
    """What a player chooses in a rule that does not say what for, and the line that says it; empty if nothing."""
    choices = [*find_open_choices(rule), *_list_old_choices(rule)]
    return (
        f"{rule.label} lets players choose {' and '.join(choices)}, and does not say what for; "
        f'write aim = "{_usual_aim(rule)}", for example'
        if choices
        else ""
    )


def _usual_aim(rule: Rule) -> str:
    """An aim that fits a rule: its first outcome, its last number, or yes where nothing else is chosen."""
    if _list_optional(rule) and not _picks_die(rule) and not find_open_choices(rule):
        return TAKING[0]
    steps = [step.name for step in rule.steps if not step.is_set and "." not in step.name]
    shown = [step.name for step in rule.steps if step.name in steps and step.label != ""] or steps
    usual = f"chance({rule.outcomes[0].name})" if rule.outcomes else f"mean({shown[-1]})" if shown else ""
    return usual or "mean(STEP)"


def _list_optional(rule: Rule) -> list[str]:
    """The kinds of dice of a rule that a player may decline to roll on."""
    own = [kind for kind in rule.dice if "." not in kind.name]
    return [kind.name for kind in own if any(entry.optional.node != ZERO for entry in kind.again)]


def _picks_die(rule: Rule) -> bool:
    return any(reroll.pick == "any" and reroll.keep != "better" for reroll in rule.own_rerolls)


def _list_old_choices(rule: Rule) -> list[str]:
    """Choices that are made in some way where there is no aim: dice are taken, and picked for the last step."""
    optional = _list_optional(rule)
    rolls_on = [f"whether {' and '.join(optional)} dice roll on"] if optional else []
    return rolls_on + ["which die is picked"] * _picks_die(rule)


def _find_rich_choice(rule: Rule) -> str:
    """What a player chooses that is not just yes or no."""
    if any(reroll.pick in ("any", "some") or reroll.keep == "better" for reroll in rule.own_rerolls):
        return "which die is picked"
    if any(reroll.chooses_face for reroll in rule.own_rerolls):
        return "to which face a die is turned"
    rich = (entry for entry in rule.inputs if entry.follows_aim and entry.form != "flag")
    return next((f"which dice {e.name} takes" if e.form == PICKED else f"what {e.name} is" for e in rich), "")


def find_picks(steps: Sequence[Step]) -> Iterator[Input]:
    """The dice that players pick, as inputs: `any 2 of d6` is asked where there are dice."""
    for step in steps:
        node, span = step.formula.node, step.formula.span
        if node.op == "any_of":
            number, dice = (step.formula.text[part.start : part.end] for part in node.args[:2])
            text = ("" if node.args[0].op == "number" else f"{number} > 0 and ") + f"count({dice}) > 0"
            asked = Formula(text, parse_formula(text), span)
            label = step.label or step.name.replace("_", " ").capitalize()
            yield Input(
                step.name, PICKED, label, default="", asked=asked, is_choice=True, span=span, also=step.also,
                goal=step.goal,
            )  # fmt: skip


def find_aim_doubts(game: Game) -> Iterator[Problem]:
    """An error for each rule without an aim that its choices need, a warning where the aim does not decide them all."""
    for rule in game.rules.values():
        optional = _list_optional(rule)
        if not rule.aim and (message := _describe_missing_aim(rule)):
            yield Problem("aim", message, rule.span)
        elif rule.aim and optional and rule.aim.text not in TAKING and not find_open_choices(rule):
            rolls_on = _list_old_choices(rule)[0]
            if not any(reroll.pick == "any" for reroll in rule.own_rerolls):
                message = (
                    f"`{rule.aim.text}` does not decide {rolls_on}, which odds take for yes; write always or never"
                )
                yield Problem("aim", message, rule.span, "warning")


def find_open_choices(rule: Rule) -> list[str]:
    """What a player chooses in a rule that only an aim can decide for odds, as messages name it."""
    asked = [f"`{entry.name}`" for entry in rule.inputs if entry.follows_aim]
    picked = any(reroll.pick == "some" or reroll.keep == "better" for reroll in rule.own_rerolls)
    turned = any(reroll.chooses_face for reroll in rule.own_rerolls)
    return [
        *asked,
        *(["which dice are rolled again"] if picked else []),
        *(["to which faces dice are turned"] if turned else []),
    ]


def find_needs(rule: Rule) -> dict[str, set[str]]:
    """The names in the formula of each step and each question."""
    formulas = {step.name: step.formula for step in rule.steps}
    formulas |= {entry.name: entry.asked for entry in rule.inputs if isinstance(entry.asked, Formula)}
    return {name: collect_names(formula.node) for name, formula in formulas.items()}


def find_dependents(needs: Mapping[str, set[str]], name: str) -> dict[str, str]:
    """What rests on the answer to a question, directly or not, each with the reason why the question cannot name it."""
    dependents, before = {name: "it is the answer to this question"}, 0
    while before < len(dependents):
        before = len(dependents)
        more = [own for own, names in needs.items() if own not in dependents and names & dependents.keys()]
        dependents |= dict.fromkeys(more, f"it rests on the answer to {name}")
    return dependents
