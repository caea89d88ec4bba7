"""The interview of `rulewright init`: questions about the dice of a game, as data, and how answers to them are read.

Answers are a mapping from the names of questions to values. `next_question` walks through the questions that apply;
`complete` takes the default of each that is left, so that there is a whole game after every answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import NamedTuple

from .gallery import read_gallery

Answers = Mapping[str, str]


class Choice(NamedTuple):
    """A value to choose, and what it means."""

    value: str
    text: str


def _no_choices(_answers: Answers) -> Sequence[Choice]:
    return ()


@dataclass(frozen=True)
class Question:
    """A question, with its choices or the kind of its free answers. The first choice is usually the default."""

    name: str
    text: str  # {} stands for the usual answer
    choices: Callable[[Answers], Sequence[Choice]] = _no_choices  # without choices, the question does not apply
    free: str = ""  # text, number, labels or names: what may be typed besides the choices
    bounds: Callable[[Answers], tuple[int, int]] = lambda _: (1, 1)  # of a number
    has_default: bool = True  # else only what the pages suggest is one: Enter must not give the wrong dice

    def applies(self, answers: Answers) -> bool:
        return bool(self.choices(answers))

    def only_answer(self, answers: Answers) -> str:
        """The answer to a question that has no other, so that nobody needs to be asked; else empty."""
        first, *others = self.choices(answers)
        return "" if others or self.free else first.value


def _by_family(choices: Mapping[str, Sequence[Choice]]) -> Callable[[Answers], Sequence[Choice]]:
    return lambda answers: choices.get(answers["family"], ())


def _dice(*sides: int) -> tuple[Choice, ...]:
    return tuple(Choice(f"d{number}", "") for number in sides)


FAMILIES = (
    Choice("one", "one die plus a bonus (d20 + bonus)"),
    Choice("sum", "several dice added up, plus a bonus (2d6 + bonus)"),
    Choice("pool", "a pool of dice; count those that show enough"),
    Choice("highest", "a pool of dice; the highest one counts"),
    Choice("step", "step dice: the better the trait, the larger the die (d4 to d12)"),
    Choice("under", "roll at or below a skill (d100, d20 or 3d6)"),
    Choice("fate", "Fate dice plus a skill"),
    Choice("keep", "roll several dice, keep some of them"),
    Choice("challenge", "one die plus a bonus, against two challenge dice (d6 + bonus, 2d10)"),
    Choice("gallery", "something else: choose from the gallery"),
)

_SIDES: dict[str, Sequence[Choice]] = {
    "one": _dice(20, 12, 10, 6, 100),
    "sum": _dice(6, 8, 10, 12),
    "pool": _dice(6, 8, 10, 12),
    "highest": _dice(6, 8, 10, 12),
    "under": (Choice("d100", "skills from 1 to 99"), Choice("d20", "skills from 1 to 20"), Choice("3d6", "")),
    "keep": _dice(10, 8, 6),
    "challenge": _dice(6, 8),
}
_STEP_DICE = (
    Choice("single", "one die, that of the trait"),
    Choice("best", "two dice, trait and skill; the better one counts"),
    Choice("added", "two dice, trait and skill, added up"),
)
_EXPLODE_SUM = (Choice("no", ""), Choice("yes", "the highest face is rolled again and added"))
_EXPLODE: dict[str, Sequence[Choice]] = {
    **dict.fromkeys(("one", "sum", "step"), _EXPLODE_SUM),
    "keep": tuple(reversed(_EXPLODE_SUM)),
    "pool": (Choice("no", ""), Choice("yes", "each highest face brings one more die")),
}
_TARGET = Choice("target", "a target number: reach it and you succeed")
_BANDS = Choice("bands", "fixed bands: success, success at a price, failure")
_OPPOSED = Choice("opposed", "the roll of an opponent: the higher one wins")
_EXTRA = (Choice("no", ""), Choice("yes", "each roll may take the extra die"))
_MODIFIER = (Choice("no", ""), Choice("yes", "such as +1 for good tools"))
_COMPARE: dict[str, Sequence[Choice]] = {
    "one": (_TARGET, _BANDS, _OPPOSED),
    "sum": (_BANDS, _TARGET, _OPPOSED),
    "pool": (
        Choice("target", "the number of hits that the task needs"),
        Choice("bands", "no hit, one hit, two or more"),
        Choice("opposed", "the hits of an opponent: more hits win"),
    ),
    "highest": (Choice("bands", "fixed bands, and two of the highest are a critical success"), _TARGET, _OPPOSED),
    "step": (_TARGET, _OPPOSED),
    "under": (
        Choice("target", "the skill alone: at or below it you succeed"),
        Choice("bands", "the skill, with critical successes and fumbles"),
        Choice("opposed", "skill and opponent: of two successes the higher roll wins"),
    ),
    "fate": (Choice("target", "a ladder of named difficulties"), _OPPOSED),
    "keep": (_TARGET, _OPPOSED),
    "challenge": (Choice("bands", "both challenge dice beaten, one of them, none"),),
}
_TIES = (
    Choice("second", "the defender"),
    Choice("first", "the one who acts"),
    Choice("again", "both roll again"),
    Choice("none", "nobody"),
)
_NAMES: dict[tuple[str, ...], Sequence[str]] = {
    ("success", "failure"): ("success, failure", "hit, miss"),
    ("full", "partial", "failure"): ("success, partial success, failure", "strong hit, weak hit, miss"),
    ("critical", "full", "partial", "failure"): (
        "critical success, success, partial success, failure", "critical hit, strong hit, weak hit, miss",
    ),
    ("critical", "success", "fumble", "failure"): (
        "critical success, success, fumble, failure", "triumph, success, disaster, failure",
    ),
    ("critical", "success", "tie", "failure"): (
        "great success, success, tie, failure", "success with style, success, tie, failure",
    ),
}  # fmt: skip


_ALL_NAMES = {name for lists in _NAMES.values() for names in lists for name in names.split(", ")}
_MIN_USES = 3  # of each name in the pages, so that a list of names is theirs


def roles_of(answers: Answers) -> tuple[str, ...]:
    """What the outcomes of this game are, in the order of their conditions; none where only two rolls are compared."""
    family, compare = answers["family"], answers.get("compare")
    if compare is None or (compare == "opposed" and family != "under"):
        return ()
    if family == "fate":
        return ("critical", "success", "tie", "failure")
    if compare == "bands":
        special = {"highest": ("critical", "full", "partial", "failure")}
        special["under"] = ("critical", "success", "fumble", "failure")
        return special.get(family, ("full", "partial", "failure"))
    return ("success", "failure")


def sides_of(answers: Answers) -> int:
    """The number of sides of the dice."""
    return int(answers["sides"].partition("d")[2])


def dice_count(answers: Answers) -> int:
    """How many dice are added up."""
    return int(answers["count"]) if answers["family"] == "sum" else 1


def most_bonus(answers: Answers) -> int:
    """The greatest bonus: about three quarters of a die, or two for each of several dice."""
    return 2 * dice_count(answers) if answers["family"] == "sum" else sides_of(answers) * 3 // 4


def likely_total(answers: Answers, share: Fraction) -> int:
    """The smallest total that the dice alone reach with a chance of at most `share`."""
    count, sides = dice_count(answers), sides_of(answers)
    below = 0
    for total in range(count, count * sides + 1):
        if Fraction(sides**count - below, sides**count) <= share:
            return total
        below += sum(
            (-1) ** kept * comb(count, kept) * comb(total - sides * kept - 1, count - 1)
            for kept in range((total - count) // sides + 1)
        )
    return count * sides


def target_bounds(answers: Answers) -> tuple[int, int]:
    """The targets that are worth a roll."""
    family = answers["family"]
    if family in ("one", "sum"):
        return dice_count(answers) + 1, dice_count(answers) * sides_of(answers) + most_bonus(answers)
    if family == "step":
        return 2, 20 if answers["method"] == "added" else 12
    if family == "keep":
        return 2, 6 * sides_of(answers)
    return 2, sides_of(answers)


def _target_choices(answers: Answers) -> Sequence[Choice]:
    family = answers["family"]
    if answers.get("compare") != "target" or family not in ("one", "sum", "step", "keep", "highest"):
        return ()
    if family == "step":
        usual = {"single": 4, "best": 5, "added": 8}[answers["method"]]
    elif family in ("one", "sum"):
        usual = likely_total(answers, Fraction(1, 2))
    else:
        usual = sides_of(answers) * 3 // 2 if family == "keep" else sides_of(answers) - 1
    return (Choice(str(usual), ""),)


def _band_choices(answers: Answers) -> Sequence[Choice]:
    """Where the bands begin; the usual ones are 10 and 7 for two d6, and 6 and 4 for the highest of a pool."""
    if answers.get("compare") != "bands" or answers["family"] not in ("one", "sum", "highest"):
        return ()
    if answers["family"] == "highest":
        sides, half = sides_of(answers), sides_of(answers) // 2
        return [
            Choice(f"{high} {low}", f"{high}{' or more' * (high < sides)}, {low} to {high - 1}, less")
            for high, low in ((sides, half + 1), (sides - 1, half))
        ]
    high, low = likely_total(answers, Fraction(1, 6)), likely_total(answers, Fraction(7, 12))
    return [
        Choice(f"{high + shift} {low + shift}", f"{high + shift} or more, {low + shift} to {high + shift - 1}, less")
        for shift in (0, 1, -1)
    ]


def _hit_choices(answers: Answers) -> Sequence[Choice]:
    if answers["family"] != "pool":
        return ()
    sides = sides_of(answers)
    least = dict.fromkeys((sides * 2 // 3 + 1, sides, sides // 2 + 1))
    return [Choice(str(face), f"{face} or more" if face < sides else f"only {face}") for face in least]


def _compare_choices(answers: Answers) -> Sequence[Choice]:
    """Without two sides that each add up or compare several exploding dice: their odds have no exact value yet."""
    choices = _COMPARE.get(answers["family"], ())
    several = answers["family"] == "keep" or answers.get("method", "single") != "single"
    return [choice for choice in choices if choice != _OPPOSED] if several and answers["explode"] == "yes" else choices


_INPUTS: Mapping[str, Sequence[tuple[str, str]]] = {  # name and usual label
    "one": (("bonus", "Bonus"),),
    "sum": (("bonus", "Bonus"),),
    "pool": (("pool", "Dice"), ("extra", "Extra die")),
    "highest": (("pool", "Dice"), ("extra", "Extra die")),
    "step": (("trait", "Trait"), ("skill", "Skill"), ("modifier", "Modifier")),
    "under": (("skill", "Skill"),),
    "fate": (("skill", "Skill"),),
    "keep": (("rolled", "Dice rolled"), ("kept", "Dice kept")),
    "challenge": (("bonus", "Bonus"),),
}
_TARGETS = {"fate": ("difficulty", "Difficulty"), "pool": ("needed", "Hits needed")}


def _inputs_of(answers: Answers) -> Sequence[tuple[str, str]]:
    """The inputs of the rule: the name of each and its usual label."""
    family = answers["family"]
    if family == "gallery" or "compare" not in answers:
        return ()
    left_out = {
        *(("extra",) if answers.get("extra") == "no" else ()),
        *(("skill",) if answers.get("method") == "single" else ()),
        *(("modifier",) if answers.get("modifier") == "no" else ()),
    }
    inputs = [entry for entry in _INPUTS[family] if entry[0] not in left_out]
    if answers["compare"] == "target" and family not in ("under", "challenge"):
        name, label = _TARGETS.get(family, ("target", "Target"))
        inputs.append((name, label))
    return inputs


def labels_of(answers: Answers) -> Mapping[str, str]:
    """The label of each input of the rule, by its usual name."""
    inputs = _inputs_of(answers)
    labels = answers["labels"].split(", ") if "labels" in answers else [label for _, label in inputs]
    return {name: label for (name, _), label in zip(inputs, labels, strict=True)}


def _label_choices(answers: Answers) -> Sequence[Choice]:
    labels = ", ".join(label for _, label in _inputs_of(answers))
    return (Choice(labels, ""),) if labels else ()


def _name_choices(answers: Answers) -> Sequence[Choice]:
    return [Choice(names, "") for names in _NAMES.get(roles_of(answers), ())]


def _pool_bounds(answers: Answers) -> tuple[int, int]:
    return (2, 20) if answers["family"] == "pool" else (2, 10)


QUESTIONS = (
    Question("family", "Which dice do you roll?", lambda _: FAMILIES, has_default=False),
    Question(
        "game",
        "Which mechanic of the gallery?",
        lambda answers: (
            [Choice(name, entry.about) for name, entry in read_gallery().items()]
            if answers["family"] == "gallery"
            else ()
        ),
    ),
    Question("sides", "Which dice are they?", _by_family(_SIDES)),
    Question("count", "How many of them?", _by_family({"sum": (Choice("2", ""),)}), "number", lambda _: (2, 6)),
    Question("method", "How many dice, and what counts?", _by_family({"step": _STEP_DICE})),
    Question("hit", "Which faces are a hit?", _hit_choices),
    Question(
        "most",
        "How many dice can a pool have?",
        _by_family({"pool": (Choice("10", ""),), "highest": (Choice("6", ""),)}),
        "number",
        _pool_bounds,
    ),
    Question(
        "extra",
        "Can a point be spent before the roll for one more die?",
        _by_family(dict.fromkeys(("pool", "highest"), _EXTRA)),
    ),
    Question("modifier", "Is a modifier added to the roll?", _by_family({"step": _MODIFIER})),
    Question("explode", "Do dice explode?", _by_family(_EXPLODE)),
    Question("compare", "What is the roll compared with?", _compare_choices),
    Question("target", "Which target is the usual one?", _target_choices, "number", target_bounds),
    Question("bands", "Where do the bands begin?", _band_choices),
    Question("ties", "Who wins a tie?", lambda answers: _TIES if answers.get("compare") == "opposed" else ()),
    Question("labels", "What does your book call {}?", _label_choices, "labels"),
    Question("names", "What are the outcomes called? (or your own names, separated by commas)", _name_choices, "names"),
    Question("title", "What is the title of the game?", lambda _: (Choice("A new game", ""),), "text"),
)


def _names_key(roles: Sequence[str]) -> str:
    return f"names of {', '.join(roles)}"


def find_outcome_names(texts: Iterable[str]) -> Answers:
    """For each kind of game the usual names of its outcomes that these pages use, if they use all of one list."""
    words = Counter[str]()
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(_ALL_NAMES, key=len, reverse=True))})\b", re.IGNORECASE)
    for text in texts:
        words.update(match[0].lower() for match in pattern.finditer(text))
    found = dict[str, str]()
    for roles, lists in _NAMES.items():
        uses, names = max((min(words[name] for name in names.split(", ")), names) for names in lists)
        if uses >= _MIN_USES:
            found[_names_key(roles)] = names
    return found


def default_of(question: Question, answers: Answers, defaults: Answers) -> str:
    """The answer that Enter gives: what the pages suggest if it is possible here, else the first choice; or nothing."""
    first = question.choices(answers)[0].value if question.has_default else ""
    suggested = defaults.get(_names_key(roles_of(answers)) if question.name == "names" else question.name)
    return first if suggested is None or read_answer(question, answers, suggested) != suggested else suggested


def next_question(answers: Answers) -> Question | None:
    """The first question that applies and has no answer yet."""
    for question in QUESTIONS:
        if question.name not in answers and question.applies(answers):
            return question
    return None


def complete(answers: Answers, defaults: Answers) -> Answers:
    """The answers, with the default or the first choice for every question that is left; the family has to be known."""
    whole = dict(answers)
    while question := next_question(whole):
        whole[question.name] = default_of(question, whole, defaults) or question.choices(whole)[0].value
    return whole


_NAME = re.compile(r"[^\W\d_][\w '’-]{0,30}")


def read_answer(question: Question, answers: Answers, text: str) -> str | None:
    """The value of a typed answer: the number of a choice, its value, or free text. None if it is none of them."""
    words = " ".join(text.split())
    choices = question.choices(answers)
    if question.free == "number":
        least, most = question.bounds(answers)
        return str(int(words)) if re.fullmatch(r"[0-9]{1,4}", words) and least <= int(words) <= most else None
    if question.free == "text":
        return words or None
    if question.free == "labels":
        return _read_names(words, len(_inputs_of(answers)))
    values = {choice.value.lower(): choice.value for choice in choices}
    if words.lower() in values:
        return values[words.lower()]
    if words.isascii() and words.isdigit() and 1 <= int(words) <= len(choices):
        return choices[int(words) - 1].value
    return _read_names(words, len(roles_of(answers))) if question.free == "names" else None


def _read_names(text: str, count: int) -> str | None:
    names = [" ".join(name.split()) for name in text.split(",")]
    distinct = len({name.lower() for name in names}) == count == len(names)
    return ", ".join(names) if distinct and all(map(_NAME.fullmatch, names)) else None


def expectation(question: Question, answers: Answers) -> str:
    """What a valid answer is, for the message after a wrong one."""
    if question.free == "number":
        least, most = question.bounds(answers)
        return f"a number from {least} to {most}"
    if question.free == "text":
        return "a title"
    if question.free == "labels":
        count = len(_inputs_of(answers))
        return "one name" if count == 1 else f"{count} names, separated by commas"
    numbers = f"a number from 1 to {len(question.choices(answers))}"
    if question.free == "names":
        return f"{numbers}, or {len(roles_of(answers))} names of your own, separated by commas"
    return numbers


_FROM_GALLERY: dict[str, dict[str, str]] = {  # mechanics that the interview can ask about
    "two-d6": {"family": "sum", "sides": "d6", "count": "2", "compare": "bands"},
    "d20": {"family": "one", "sides": "d20", "compare": "target"},
    "percentile": {"family": "under", "sides": "d100", "compare": "bands"},
    "d6-pool": {"family": "pool", "sides": "d6", "hit": "5", "explode": "yes", "compare": "target"},
    "highest-of-pool": {"family": "highest", "sides": "d6", "compare": "bands"},
    "fate": {"family": "fate", "compare": "target"},
    "best-die": {"family": "step", "method": "best", "compare": "target"},
    "roll-and-keep": {"family": "keep", "sides": "d10", "explode": "yes", "compare": "target"},
    "blackjack": {"family": "under", "sides": "d20", "compare": "opposed"},
}


def can_ask_about(mechanic: str) -> bool:
    """Whether the questions can describe a mechanic of the gallery: these are the common ones."""
    return mechanic in _FROM_GALLERY


def family_text(answers: Answers) -> str:
    """What the family of dice in these answers is, as a phrase."""
    return next(choice.text for choice in FAMILIES if choice.value == answers["family"])


def suggest_answers(mechanic: str, family: Answers) -> Answers:
    """The answers that the pages suggest: those of the mechanic that fits their examples, else of their dice.

    None if the text speaks of other dice than the examples."""
    answers = _FROM_GALLERY.get(mechanic, {"family": "gallery", "game": mechanic}) if mechanic else family
    is_clear = not family or answers["family"] in (family["family"], "gallery")
    return answers if is_clear else {}
