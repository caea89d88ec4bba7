"""Which aims decide the choices of a rule, for players and for odds."""

from __future__ import annotations

from typing import NamedTuple

from ..game.aims import TAKING, mean_of_last, read_aim
from ..game.core import CoreAim, CoreRule, Reroll
from ..game.lower import lower_rule
from ..game.model import Rule
from ..play.bound_rule import BoundRule, RollError

_ALWAYS = CoreAim(TAKING[0], TAKING[0])


class Aims(NamedTuple):
    """What decides on optional dice, and which dice are picked."""

    taking: CoreAim
    goal: CoreAim
    answer: int | None = None  # to all questions, where the aim is `always` or `never`

    @property
    def takes(self) -> bool:
        """Whether optional dice are rolled."""
        return self.taking.what != TAKING[1]


def relevant_aims(rule: Rule | CoreRule) -> tuple[str, ...]:
    """The aims that make a difference for a rule."""
    core = lower_rule(rule)
    has_optional = any(kind.follows_aim for kind in core.kinds)
    has_choice = any(entry.follows_aim for entry in core.again)
    taking = TAKING if has_optional or (_asks(core) and _asks_yes_or_no(core)) else ()
    return taking + (_usual_goals(core) if has_choice else ())


def _usual_goals(core: CoreRule) -> tuple[str, ...]:
    """The mean of the last step, and the chance of the first outcome."""
    means = (mean_of_last(core.steps).text,) if core.steps else ()
    return (*means, *(f"chance({outcome.name})" for outcome in core.outcomes[:1] if outcome.when))


def _own_goals(core: CoreRule) -> tuple[str, ...]:
    """The aim of a rule, unless that is `always` or `never`."""
    return tuple(aim.text for aim in core.aims if aim.what not in TAKING) or _usual_goals(core)


def _may_happen(setting: BoundRule, entry: Reroll) -> bool:
    """Whether dice are rolled again with these inputs, as far as that is known before the roll."""
    try:
        return bool(setting.evaluate(entry.times) > 0)
    except RollError:
        return True


def _asks(rule: CoreRule) -> bool:
    """Whether something is asked during a roll that only an aim can answer."""
    return any(entry.follows_aim for entry in rule.inputs)


def _asks_yes_or_no(rule: CoreRule) -> bool:
    """Whether `always` and `never` answer everything that is asked."""
    return all(entry.form == "flag" for entry in rule.inputs if entry.follows_aim)


def _sides_of(rule: Rule | CoreRule) -> tuple[CoreRule, ...]:
    core = lower_rule(rule)
    return core.sides or (core,)


def effective_aims(rule: Rule | CoreRule) -> list[str]:
    """The aims that decide something in a rule, or in the rules of a contest."""
    return list(dict.fromkeys(name for side in _sides_of(rule) for name in relevant_aims(side)))


def invalid_aim_message(rule: Rule | CoreRule, text: str) -> str:
    """Why a text is not an aim of a rule, or of the rules of a contest; empty if it is one."""
    text, known, sides = " ".join(text.lower().split()), effective_aims(rule), _sides_of(rule)
    if not text or text in known:
        return ""
    usual = dict.fromkeys([*known, *(goal for side in sides if _asks(side) for goal in _own_goals(side))])
    note = f"write {' or '.join(usual)}" if usual else "nothing there is left to choose, so leave it out"
    if text in TAKING:
        return f"the aim {text} decides nothing in {rule.name}; {note}"
    if "(" not in text:
        return f'there is no aim "{text}"; {note}'
    messages = [read_aim(text, side.steps, side.outcomes)[1] for side in sides]
    if not usual and not any(messages):
        return f"nothing is left to choose in {rule.name}; leave the aim out"
    return next(filter(None, messages), "")


def is_aim(rule: Rule | CoreRule, text: str) -> bool:
    """Whether a text can be read as an aim of a rule, or of the rules of a contest, whatever is left to choose."""
    return not any(read_aim(text, side.steps, side.outcomes)[1] for side in _sides_of(rule))


def choose_aims(rule: Rule | CoreRule, text: str = "") -> Aims:
    """What decides the choices of a rule: the aim given, otherwise that of the rule."""
    core = lower_rule(rule)
    given = [_read_cached(core, text)] if text else []
    wanted = [*given, *core.aims]
    taking = next((aim for aim in wanted if aim.what in TAKING), _ALWAYS)
    goal = next((aim for aim in wanted if aim.what not in TAKING), None)
    takes = _asks_yes_or_no(core) and bool(wanted) and wanted[0].what in TAKING
    answer = TAKING[::-1].index(wanted[0].what) if takes else None
    return Aims(taking, goal or mean_of_last(core.steps), answer)


def _read_cached(core: CoreRule, text: str) -> CoreAim:
    aim = core.cached(("aim", text), lambda: read_aim(text, core.steps, core.outcomes)[0])
    return aim or _ALWAYS


def aims_in_use(setting: BoundRule, text: str) -> tuple[Aims, str]:
    """The aims of a rule, and the text of those that decide the choices which arise with these inputs."""
    aims = choose_aims(setting.rule, text)
    in_use = [aims.taking.text] if any(kind.follows_aim for kind in setting.rule.kinds) else []
    if any(reroll.follows_aim and _may_happen(setting, reroll) for reroll in setting.rule.again):
        in_use.append(aims.goal.text)
    if setting.leaves_to_aim:
        in_use.append(aims.goal.text if aims.answer is None else aims.taking.text)
    return aims, ", ".join(dict.fromkeys(in_use))
