"""Random questions for both engines, from a seed: inputs, rolls, and records with and without mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from js_engine import shared_engine
from result_data import complaint_data, find_odds_differences, odds_data, result_data
from rulewright.game.inputs import format_value
from rulewright.game.model import Game, Input, Rule
from rulewright.odds.advise import make_player
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.result import Result, RollProblem, check_roll, roll_dice
from rulewright.play.roll import RandomGenerator
from rulewright.play.spends import (
    apply_changes,
    apply_highest,
    apply_untrained,
    find_misplaced,
    gather_inputs,
    parse_spends,
)

Question = dict[str, Any]
WRONG = ("99", "maybe", "-1", "d7", "", "complicatio", "Hardd", "2D+9", "YES", "none", "−3", " 4 ")
PIECES = ("11", "0", "+", "6+6", "|", "wild", "foo", "1+", "3", "1,2", "[", "−1", "Blank", "regular", "10")


def any_aims(rule: Rule) -> tuple[str, ...]:
    """Aims of all sorts, some of which a rule may not know; the empty one is its own."""
    own = rule.contest.of[0] if rule.contest else rule
    steps = [f"mean({step.name})" for step in own.steps[-1:] if step.name != "mood"]
    return ("", "always", "never", *steps, *(f"chance({outcome.name})" for outcome in own.outcomes[:1]))


def random_value(entry: Input, random: Random) -> Any:
    if entry.form == "flag":
        return random.random() < 0.5
    if entry.form in ("choice", "die"):
        return random.choice(entry.choices or entry.dice)
    number = random.randint(entry.least, min(entry.most, entry.least + 12))
    return (number, random.randint(0, 2)) if entry.form == "code" else number


def random_inputs(rule: Rule, random: Random, wrong: bool = True) -> dict[str, str]:
    """Values for most inputs, as people write them; sometimes a wrong one."""
    inputs = {}
    for entry in rule.inputs:
        draw = random.random()
        if draw < 0.02 and wrong:
            inputs[entry.name] = random.choice(WRONG)
        elif draw < 0.03 and wrong:
            inputs[entry.name[:-1] + "x"] = "1"
        elif draw > 0.15:
            inputs[entry.name] = format_value(entry, random_value(entry, random))
    return inputs


def spoil_record(text: str, random: Random) -> str:
    """A record as it is, or with one mistake."""
    pieces = text.split(" ")
    index, mistake = random.randrange(len(pieces)), random.randrange(9)
    if mistake == 0:
        pieces[index] = random.choice(PIECES)
    elif mistake == 1:
        del pieces[index]
    elif mistake == 2:
        pieces.insert(index, random.choice(PIECES))
    elif mistake == 3:
        pieces[index] += "+2"
    elif mistake == 4:
        pieces = [piece for piece in pieces if piece != "|"]
    return " ".join(pieces)


def roll_case(
    rule: Rule, inputs: Mapping[str, str], random: Random, whole: bool
) -> tuple[Question, Any, Result | None]:
    seed, aim = random.getrandbits(32), random.choice(any_aims(rule))
    result, complaints = roll_dice(rule, inputs, make_player(rule, RandomGenerator(seed), aim))
    question = {"door": "roll", "inputs": dict(inputs), "seed": seed, "aim": aim, "whole": whole}
    return question, result_data(result, complaints, whole), result


def check_case(
    rule: Rule, inputs: Mapping[str, str], result: Result, random: Random, whole: bool = True
) -> tuple[Question, Any]:
    """A roll as a book would record it, sometimes with mistakes."""
    keeps = random.random() < 0.2
    stated = {name: value for name, value in inputs.items() if keeps or name not in result.unasked_questions}
    dice, rerolled = spoil_record(result.dice, random), result.rerolled
    rerolled = spoil_record(rerolled, random) if random.random() < 0.3 else rerolled
    declined = result.declined + (random.random() < 0.1)
    turned = spoil_record(result.turned, random) if result.turned and random.random() < 0.3 else result.turned
    question = {"dice": dice, "declined": declined, "rerolled": rerolled} | ({"turned": turned} if turned else {})
    answer = result_data(*check_roll(rule, stated, dice, declined, rerolled, turned=turned), whole)
    return {"door": "check", "inputs": stated, **question, "whole": whole}, answer


def points_to_spend(rule: Rule, random: Random) -> str:
    """Points to spend, most of them valid."""
    names = [f"{spend.name} {kind}".strip() for spend in rule.spends for kind in (spend.highest or ("",))]
    wrong = [f"{names[0]} wild", names[0][:-1], rule.spends[-1].name, "", "(luck)"]
    return ", ".join(random.choice(names if random.random() < 0.85 else wrong) for _ in range(random.randint(1, 3)))


def check_with_spends(rule: Rule, question: Question) -> tuple[Result | None, list[RollProblem]]:
    """The result of a record on which points were spent."""
    spends, mistakes = parse_spends(rule, question["spends"])
    traits = question["traits"]
    mistakes += find_misplaced(spends, " + ".join(f"{name} 1" for name in traits) if traits else None)
    inputs, more = apply_changes(rule, spends, question["inputs"])
    mistakes = [*mistakes, *more]
    if mistakes:
        return None, [RollProblem("spends", *mistake) for mistake in mistakes]
    result, complaints = check_roll(
        rule, {**question["inputs"], **inputs}, question["dice"], question["declined"], question["rerolled"]
    )
    if result:
        result, mistakes = apply_highest(result, spends)
    return result, [*complaints, *(RollProblem("spends", *mistake) for mistake in (mistakes if result else []))]


def spend_case(rule: Rule, random: Random, whole: bool = True) -> tuple[Question, Any]:
    """A roll on which points are spent; it rolls the dice for the changed inputs."""
    inputs, spends = random_inputs(rule, random, wrong=random.random() < 0.2), points_to_spend(rule, random)
    points_spent, _ = parse_spends(rule, spends)
    after = {**inputs, **apply_changes(rule, points_spent, inputs)[0]}
    result, _ = roll_dice(rule, after, make_player(rule, RandomGenerator(random.getrandbits(32)), ""))
    stated = {name: value for name, value in inputs.items() if not result or name not in result.unasked_questions}
    record = {"dice": result.dice if result else "3", "declined": result.declined if result else 0}
    traits = random.choice(([*rule.spends[0].traits, "Con"], ["Lifting"], None))
    question = {"door": "check", "inputs": stated, **record, "rerolled": result.rerolled if result else ""}
    question |= {"spends": spends, "traits": traits, "whole": whole}
    return question, result_data(*check_with_spends(rule, question), with_details=whole)


def trait_sum(rule: Rule, random: Random) -> str:
    """A sum of traits as people write it; sometimes a wrong one."""
    names = [name for category in rule.categories.values() for name in category.names] or ["Climb", "Swim"]
    names += [other for category in rule.categories.values() for own in category.aliases.values() for other in own]
    values = ("1", "3", "0", "none", "d6", "D8", "4D", "2D + 1", "7", "d6 + 1")
    wrong = ("Climbb 2", "Precision", "", "2", "Firearms 9", "Dodge  3D ", "x 1")
    pieces = [f"{random.choice(names)} {random.choice(values[:4] if random.random() < 0.6 else values)}" for _ in "ab"]
    pieces = pieces[: random.randint(1, 2)] + [random.choice(wrong)] * (random.random() < 0.2)
    return random.choice(("+", " + ")).join(pieces)


def gather_random_case(rule: Rule, random: Random) -> tuple[Question, Any]:
    return gather_case(rule, random_inputs(rule, random, wrong=False), trait_sum(rule, random))


def gather_case(rule: Rule, inputs: dict[str, str], text: str) -> tuple[Question, Any]:
    """The inputs that follow from a sum of traits, next to given inputs."""
    terms, gathered_inputs, mistakes = gather_inputs(rule, text)
    more, others = apply_untrained(rule, terms, {**inputs, **gathered_inputs})
    mistakes = [*mistakes, *others]
    complaints = [complaint_data(RollProblem("traits", *mistake)) for mistake in mistakes]
    answer = {"inputs": {} if mistakes else {**gathered_inputs, **more}, "complaints": complaints}
    return {"door": "gather", "inputs": inputs, "traits": text}, {**answer, "names": [term.name for term in terms]}


def odds_case(rule: Rule, inputs: Mapping[str, str], aim: str, whole: bool = True) -> tuple[Question, Any]:
    """Chances of outcomes, and as a whole also means and distributions of steps."""
    odds_or_none, complaints = compute_odds(rule, inputs, aim)
    whole = whole and isinstance(odds_or_none, Odds)
    question = {"door": "odds", "inputs": dict(inputs), "aim": aim, "whole": whole}
    return question, {
        "odds": odds_data(odds_or_none, whole) if odds_or_none else None,
        "complaints": [complaint_data(complaint) for complaint in complaints],
    }


def contest_inputs(rule: Rule, random: Random) -> dict[str, str]:
    assert rule.contest
    sides = zip(("first", "second"), rule.contest.of, strict=True)
    return {f"{side}.{name}": value for side, own in sides for name, value in random_inputs(own, random).items()}


def questions(
    rule: Rule, random: Random, many: int, rolls: int = 2, whole: float = 1
) -> Iterator[tuple[Question, Any]]:
    """Some rolls and a record for the same inputs, then others; `whole` is the share of rolls with all details."""
    for _ in range(many):
        inputs = random_inputs(rule, random)
        for _ in range(rolls):
            question, answer, result = roll_case(rule, inputs, random, random.random() < whole)
            yield question, answer
        if result:
            yield check_case(rule, inputs, result, random, random.random() < max(whole, 0.3))


def require_same(game: Game, name: str, inputs: Mapping[str, str], rolls: int = 0, seed: str = "") -> None:
    """Both engines find the same odds of a rule, and the same in some rolls."""
    random, rule = Random(seed or name), game.rules[name]
    pairs = [roll_case(rule, inputs, random, True)[:2] for _ in range(rolls)]
    question, expected = odds_case(rule, inputs, "", whole=True)
    *answers, odds = shared_engine().ask_once(game, name, [*(one for one, _ in pairs), question])
    assert answers == [answer for _, answer in pairs]
    assert odds["complaints"] == expected["complaints"]
    assert not find_odds_differences(expected["odds"], odds["odds"])
