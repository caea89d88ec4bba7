"""Writes the `game.toml` that answers to the interview describe, with comments that teach its parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from ..checks.odds_block import ODDS_KEYS
from ..checks.scene import EXAMPLE_KEYS
from ..game.game_schema import NAME_PATTERN, RESERVED_NAMES
from .gallery import format_string, read_gallery, with_title
from .interview import Answers, dice_count, labels_of, most_bonus, roles_of, sides_of, target_bounds


class Sample(NamedTuple):
    """Inputs of a rule for which odds are shown, and how they are called."""

    label: str
    inputs: Mapping[str, str]


@dataclass(frozen=True)
class _Roll:
    """A rule up to the value that is compared: lines of TOML as pairs of a key and its text."""

    name: str
    label: str
    about: str  # what is rolled, in a sentence
    inputs: Sequence[tuple[str, str]]
    dice: Sequence[tuple[str, str]]
    steps: Sequence[tuple[str, str]]
    value: str  # the step that is compared


_SAYS = {
    "critical": "You do it better than you hoped.",
    "success": "You do it.",
    "full": "You do it.",
    "partial": "You do it, but at a price.",
    "tie": "You do it, but only just.",
    "fumble": "You do not do it, and something else goes wrong.",
    "failure": "You do not do it.",
}
_LADDER = (
    "[tables]\n"
    "ladder = { Terrible = -2, Poor = -1, Mediocre = 0, Average = 1, Fair = 2, Good = 3, Great = 4, Superb = 5 }"
)


_WORD = re.compile(r"\b[a-z]\w*")

_LONGEST_ENTRY = 110  # letters; what is longer gets a line for each of its keys


def write_game(answers: Answers) -> str:
    """The text of the game."""
    if answers["family"] == "gallery":
        return with_title(read_gallery()[answers["game"]].text, answers["title"])
    roll = _ROLLS[answers["family"]](answers)
    head, names = f"rules.{roll.name}", _own_names(answers, roll)
    inputs = [(names[name], text) for name, text in (*roll.inputs, *_compared_input(answers))]
    parts = [
        f"title = {format_string(answers['title'])}",
        *(
            [f"# Names that stand for numbers wherever an input uses this table.\n{_LADDER}"]
            if _has_ladder(inputs)
            else []
        ),
        f"{_comment(roll.about)}\n[{head}]\nlabel = {format_string(roll.label)}",
        _table("What is known before the roll. Readers see the labels.", f"{head}.inputs", inputs),
        _table("The dice.", f"{head}.dice", [(_rename(kind, names), _rename(text, names)) for kind, text in roll.dice]),
        _table(
            "What is worked out from the dice, in this order.",
            f"{head}.steps",
            [(step, _rename(text, names)) for step, text in roll.steps],
        ),
    ]
    if outcomes := [*_outcomes(answers, roll, names)]:
        about = "The first outcome that applies counts. Readers see what it says."
        parts.append(_table(about, f"{head}.outcomes", outcomes))
    if answers["compare"] == "opposed":
        parts.append("\n".join(_contest(answers, roll)))
    return "\n\n".join(parts) + "\n"


def _spoken(answers: Answers, name: str) -> str:
    return labels_of(answers)[name].lower()


def _own_names(answers: Answers, roll: _Roll) -> dict[str, str]:
    """For the usual name of each input the one that its label gives; the usual one if a formula could not use that."""
    taken = {name for name, _ in (*roll.steps, *roll.dice)} | {*answers.get("names", "").split(", ")}
    usual_labels = labels_of({name: answer for name, answer in answers.items() if name != "labels"})
    names: dict[str, str] = {}
    reserved = {*RESERVED_NAMES, *EXAMPLE_KEYS, *ODDS_KEYS}  # an input of such a name is written `input dice`
    for usual, label in labels_of(answers).items():
        plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
        own = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
        is_fit = NAME_PATTERN.fullmatch(own) and own not in reserved | taken | {*names.values()}
        names[usual] = own if is_fit and label != usual_labels[usual] else usual
    return names


def _rename(text: str, names: Mapping[str, str]) -> str:
    """A formula, or the name of a kind of dice, with other names for its inputs."""
    return _WORD.sub(lambda word: names.get(word[0], word[0]), text)


def _has_ladder(inputs: Iterable[tuple[str, str]]) -> bool:
    return any('names = "ladder"' in text for _, text in inputs)


def _comment(text: str) -> str:
    return "\n".join(wrap(text, 100, initial_indent="# ", subsequent_indent="# "))


def _table(about: str, name: str, entries: Sequence[tuple[str, str]]) -> str:
    room = max(len(key) for key, _ in entries)
    return "\n".join([f"# {about}", f"[{name}]", *(f"{key:<{room}} = {text}" for key, text in entries)])


def _number(
    answers: Answers, name: str, least: int, most: int, default: int | None = None, more: str = ""
) -> tuple[str, str]:
    """An input that is a number: its usual name, and its declaration."""
    usual = "" if default is None else f", default = {default}"
    return name, f"{{ label = {format_string(labels_of(answers)[name])}, min = {least}, max = {most}{usual}{more} }}"


def _kind(sides: int | str, count: int | str = 1, explodes: bool = False) -> str:
    """A kind of dice; a number or the name of an input."""
    parts = [] if count == 1 else [f"count = {_value(count)}"]
    parts += [f"sides = {_value(sides)}"]
    top = sides if isinstance(sides, int) else "sides"
    parts += [f'again = {{ when = "face = {top}", roll = "explode" }}'] if explodes else []
    return f"{{ {', '.join(parts)} }}"


def _value(value: int | str) -> str:
    return str(value) if isinstance(value, int) else format_string(value)


def _explodes(answers: Answers) -> bool:
    return answers["explode"] == "yes"


def _added_dice(answers: Answers) -> _Roll:
    """One die or several, plus a bonus."""
    sides, count, most = sides_of(answers), dice_count(answers), most_bonus(answers)
    name, label = ("move", "Move") if answers["compare"] == "bands" else ("check", "Check")
    die, again = f"d{sides}", f" A {sides} is rolled again and added." if _explodes(answers) else ""
    return _Roll(
        name,
        label,
        f"Roll {f'{count}{die}' if count > 1 else f'a {die}'} and add your {_spoken(answers, 'bonus')}.{again}",
        [_number(answers, "bonus", -max(1, most // 3), most, 0)],
        [(die, _kind(sides, count, _explodes(answers)))],
        [("total", f'"sum({die}) + bonus"')],
        "total",
    )


def _pool(answers: Answers) -> _Roll:
    """A pool whose hits are counted."""
    sides, hit = sides_of(answers), int(answers["hit"])
    explodes = _explodes(answers)
    dice = [("count", _value(_pool_count(answers))), ("sides", str(sides)), ("tests", f'{{ good = "face >= {hit}" }}')]
    dice += [("again", f'{{ when = "face = {sides}", roll = "pool" }}')] if explodes else []
    whole = f"{{ {', '.join(f'{key} = {value}' for key, value in dice)} }}"
    entries = [("pool", whole)] if len(whole) < _LONGEST_ENTRY else [(f"pool.{key}", value) for key, value in dice]
    more = f" Each {sides} brings one more die." if explodes else ""
    which = f"Each {hit} or more" if hit < sides else f"Each {sides}"
    return _Roll(
        "action",
        "Action",
        f"Roll a pool of d{sides}. {which} is a hit.{more}",
        _pool_inputs(answers),
        entries,
        [("hits", '"count(pool: good)"')],
        "hits",
    )


def _pool_inputs(answers: Answers) -> list[tuple[str, str]]:
    """The size of the pool, and the die for which a point was spent."""
    pool = _number(answers, "pool", 1, int(answers["most"]))
    return [pool, _number(answers, "extra", 0, 1, 0)] if answers["extra"] == "yes" else [pool]


def _pool_count(answers: Answers) -> str:
    return "pool + extra" if answers["extra"] == "yes" else "pool"


def _highest_of_pool(answers: Answers) -> _Roll:
    """A pool whose highest die counts."""
    sides = sides_of(answers)
    die = f"d{sides}"
    bands = answers["compare"] == "bands"
    counted = [("top", f'"count({die}: face = {sides})"')] if bands else []
    return _Roll(
        "action",
        "Action",
        f"Roll a pool of {die}. The highest die counts.",
        _pool_inputs(answers),
        [(die, _kind(sides, _pool_count(answers)))],
        [("best", f'"highest({die})"'), *counted],
        "best",
    )


def _step_dice(answers: Answers) -> _Roll:
    """The die of a trait, perhaps with that of a skill."""
    method, explodes = answers["method"], _explodes(answers)
    names = ("trait",) if method == "single" else ("trait", "skill")
    formula = {"single": "sum(trait)", "best": "max(sum(trait), sum(skill))", "added": "sum(trait) + sum(skill)"}[
        method
    ]
    which = {"single": "", "best": " The better one counts.", "added": " Add them up."}[method]
    again = " A die that shows its highest face is rolled again and added." if explodes else ""
    labels = labels_of(answers)
    inputs = [(name, f"{{ label = {format_string(labels[name])}, die = [4, 6, 8, 10, 12] }}") for name in names]
    if answers["modifier"] == "yes":
        inputs.append(_number(answers, "modifier", -5, 5, 0))
        formula, which = f"{formula} + modifier", f"{which} Add your {labels['modifier'].lower()}."
    return _Roll(
        "test",
        "Test",
        f"Roll the {' and the '.join(f'die of your {labels[name].lower()}' for name in names)}.{which}{again}",
        inputs,
        [(name, _kind(name, explodes=explodes)) for name in names],
        [("total", f'"{formula}"')],
        "total",
    )


_UNDER = {"d100": (1, 95), "d20": (2, 19), "3d6": (5, 16)}  # skills where the highest rolls always fail


def _roll_under(answers: Answers) -> _Roll:
    """A roll that must not exceed a skill."""
    dice = answers["sides"]
    sides, count = sides_of(answers), int(dice.partition("d")[0] or 1)
    least, most = _UNDER[dice] if answers["compare"] == "bands" else (count, count * sides - (dice == "d100"))
    steps = [("roll", f'"sum(d{sides})"')]
    if answers["compare"] == "opposed":
        steps.append(("rank", '"if(roll <= skill, roll, 0)"'))
    return _Roll(
        "test",
        "Test",
        f"Roll {dice if count > 1 else f'a {dice}'} and get your {_spoken(answers, 'skill')} or less.",
        [_number(answers, "skill", least, most)],
        [(f"d{sides}", _kind(sides, count))],
        steps,
        steps[-1][0],
    )


def _fate(answers: Answers) -> _Roll:
    """Four Fate dice plus a skill."""
    steps = [("total", '"sum(fate) + skill"')]
    if answers["compare"] == "target":
        steps.append(("shifts", '"total - difficulty"'))
    return _Roll(
        "action",
        "Action",
        f"Roll four Fate dice and add your {_spoken(answers, 'skill')}.",
        [_number(answers, "skill", -2, 5, more=', names = "ladder"')],
        [("fate", '{ count = 4, faces = { "-" = -1, "0" = 0, "+" = 1 } }')],
        steps,
        steps[-1][0],
    )


def _roll_and_keep(answers: Answers) -> _Roll:
    """Several dice of which the highest are kept."""
    sides = sides_of(answers)
    again = f" A {sides} is rolled again and added." if _explodes(answers) else ""
    return _Roll(
        "check",
        "Check",
        f"Roll several d{sides}, keep the highest and add them up.{again}",
        [_number(answers, "rolled", 1, 10), _number(answers, "kept", 1, 10, 2)],
        [(f"d{sides}", _kind(sides, "rolled", _explodes(answers)))],
        [("total", f'"sum(highest kept of d{sides})"')],
        "total",
    )


def _challenge_dice(answers: Answers) -> _Roll:
    """One die plus a bonus, which beats each challenge die that is lower."""
    die = f"d{sides_of(answers)}"
    return _Roll(
        "move",
        "Move",
        f"Roll a {die} and add your {_spoken(answers, 'bonus')}. Compare the sum, 10 at most, with each of two d10.",
        [_number(answers, "bonus", 0, 5, 0)],
        [("action", _kind(sides_of(answers))), ("challenge", _kind(10, 2))],
        [("score", '"min(sum(action) + bonus, 10)"')],
        "score",
    )


_ROLLS = {
    "one": _added_dice,
    "sum": _added_dice,
    "pool": _pool,
    "highest": _highest_of_pool,
    "step": _step_dice,
    "under": _roll_under,
    "fate": _fate,
    "keep": _roll_and_keep,
    "challenge": _challenge_dice,
}


def _compared_input(answers: Answers) -> Iterator[tuple[str, str]]:
    """The input for what a roll is compared with, unless that is fixed."""
    family = answers["family"]
    if answers["compare"] != "target":
        return
    if family == "fate":
        yield _number(answers, "difficulty", -2, 5, more=', names = "ladder"')
    elif family == "pool":
        yield _number(answers, "needed", 1, min(5, int(answers["most"])), 1)
    elif family != "under":
        yield _number(answers, "target", *target_bounds(answers), int(answers["target"]))


def _outcomes(answers: Answers, roll: _Roll, own: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The outcomes with their conditions; the last one has none."""
    names = answers.get("names", "").split(", ")
    conditions = _conditions(answers, roll)
    for name, role in zip(names, roles_of(answers), strict=False):
        when = f'when = "{_rename(conditions[role], own)}", ' if role in conditions else ""
        key = name if name.isascii() and name.replace("-", "").isalnum() else format_string(name)
        yield key, f"{{ {when}says = {format_string(_SAYS[role])} }}"


def _conditions(answers: Answers, roll: _Roll) -> Mapping[str, str]:
    """When each outcome applies."""
    family, compare = answers["family"], answers["compare"]
    if family == "under":
        return _under_conditions(answers)
    if family == "fate":
        return {"critical": "shifts >= 3", "success": "shifts > 0", "tie": "shifts = 0"}
    if family == "pool":
        return {"success": "hits >= needed", "full": "hits >= 2", "partial": "hits = 1"}
    if family == "challenge":
        return {"full": "score > highest(challenge)", "partial": "score > lowest(challenge)"}
    if compare == "bands" and family == "highest":
        (high, low), sides = answers["bands"].split(), answers["sides"].partition("d")[2]
        sign = "=" if high == sides else ">="
        return {"critical": "top >= 2", "full": f"best {sign} {high}", "partial": f"best >= {low}"}
    if compare == "bands":
        high, low = answers["bands"].split()
        return {"full": f"total >= {high}", "partial": f"total >= {low}"}
    return {"success": f"{roll.value} >= target"}


def _under_conditions(answers: Answers) -> Mapping[str, str]:
    critical, fumble = {
        "d100": ("roll <= up(skill / 10)", "roll > 95"),
        "d20": ("roll = 1", "roll = 20"),
        "3d6": ("roll <= 4", "roll >= 17"),
    }[answers["sides"]]
    return {"critical": critical, "success": "roll <= skill", "fumble": fumble}


_TIES = {
    "first": "the first side wins a tie",
    "second": "the second side, which defends, wins a tie",
    "again": "after a tie both roll again",
    "none": "nobody wins a tie",
}


def _contest(answers: Answers, roll: _Roll) -> Iterator[str]:
    yield f"# Two sides roll, and the higher {roll.value} wins; {_TIES[answers['ties']]}."
    yield "[rules.opposed]"
    yield f'label   = "Opposed {roll.label.lower()}"'
    yield f'contest = {{ of = "{roll.name}", compare = "{roll.value}", ties = "{answers["ties"]}" }}'


def sample_rule(answers: Answers) -> str:
    """The name of the rule whose odds are shown."""
    if answers["family"] == "gallery":
        return ""
    return "opposed" if answers["compare"] == "opposed" else _ROLLS[answers["family"]](answers).name


def samples(answers: Answers) -> list[Sample]:
    """Three questions to the rule that show its range."""
    if answers["family"] == "gallery":
        entry = read_gallery()[answers["game"]]
        return [Sample(", ".join(f"{name} {value}" for name, value in entry.sample.items()), entry.sample)]
    usual, values, other_inputs = _SAMPLES[answers["family"]](answers)
    own = _own_names(answers, _ROLLS[answers["family"]](answers))
    name, fixed = own[usual], {own[key]: value for key, value in other_inputs.items()}
    if answers["compare"] == "opposed":
        other = values[0]
        return [
            Sample(
                f"{name} {value} against {other}" if value[-1].isdigit() else f"{value} against {other}",
                _on_side("first", {name: value, **fixed}) | _on_side("second", {name: other, **fixed}),
            )
            for value in values
        ]
    more = {own["difficulty"]: "Fair"} if answers["family"] == "fate" else {}
    usual_targets = {"difficulty": "Fair", "needed": "1", "target": answers.get("target", "")}
    targets = "".join(f", {own[key]} {target}" for key, target in usual_targets.items() if key in own)
    return [Sample(f"{name} {value}{targets}", {name: value, **fixed, **more}) for value in values]


def _on_side(side: str, inputs: Mapping[str, str]) -> dict[str, str]:
    return {f"{side}.{name}": value for name, value in inputs.items()}


_SampleInput = tuple[str, Sequence[str], Mapping[str, str]]  # an input, three values of it, the other inputs


def _bonus_samples(answers: Answers) -> _SampleInput:
    most = most_bonus(answers)
    return "bonus", [str(most * third // 3) for third in range(3)], {}


def _pool_samples(answers: Answers) -> _SampleInput:
    most = int(answers["most"])
    start, step = (2, 2) if answers["family"] == "pool" else (1, 1)
    return "pool", list(dict.fromkeys(str(min(start + step * number, most)) for number in range(3))), {}


def _step_samples(answers: Answers) -> _SampleInput:
    return "trait", ["d6", "d8", "d12"], {} if answers["method"] == "single" else {"skill": "d6"}


def _skill_samples(answers: Answers) -> _SampleInput:
    return (
        "skill",
        {"d100": ["25", "50", "75"], "d20": ["5", "10", "15"], "3d6": ["8", "11", "14"]}[answers["sides"]],
        {},
    )


def _challenge_samples(_answers: Answers) -> _SampleInput:
    return "bonus", ["1", "2", "3"], {}


def _fate_samples(_answers: Answers) -> _SampleInput:
    return "skill", ["Average", "Good", "Superb"], {}


def _kept_samples(_answers: Answers) -> _SampleInput:
    return "rolled", ["2", "4", "6"], {}


_SAMPLES = {
    "one": _bonus_samples,
    "sum": _bonus_samples,
    "pool": _pool_samples,
    "highest": _pool_samples,
    "step": _step_samples,
    "under": _skill_samples,
    "fate": _fate_samples,
    "keep": _kept_samples,
    "challenge": _challenge_samples,
}
