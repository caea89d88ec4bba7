"""Questions for both engines: inputs, rolls, records with and without mistakes, all from one seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from rulewright.game.generator import Generator
from rulewright.game.inputs import shown
from rulewright.game.model import Input, Rule
from rulewright.game.odds.advise import player
from rulewright.game.odds.answer import Odds, odds
from rulewright.game.result import Result, check, roll
from told import complaint_data, odds_data, told

Question = dict[str, Any]
POLICIES = ("", "always", "never", "best mean", "best chance")
WRONG = ("99", "maybe", "-1", "d7", "", "complicatio", "Hardd", "2D+9", "YES", "none", "−3", " 4 ")
PIECES = ("11", "0", "+", "6+6", "|", "wild", "foo", "1+", "3", "1,2", "[", "−1", "Blank", "regular", "10")


def value_of(entry: Input, random: Random) -> Any:
    if entry.form == "flag":
        return random.random() < 0.5
    if entry.form in ("choice", "die"):
        return random.choice(entry.choices or entry.dice)
    number = random.randint(entry.least, min(entry.most, entry.least + 12))
    return (number, random.randint(0, 2)) if entry.form == "code" else number


def inputs_for(rule: Rule, random: Random, wrong: bool = True) -> dict[str, str]:
    """Values for most inputs, as people write them; now and then one that will not do."""
    found = {}
    for entry in rule.inputs:
        fate = random.random()
        if fate < 0.02 and wrong:
            found[entry.name] = random.choice(WRONG)
        elif fate < 0.03 and wrong:
            found[entry.name[:-1] + "x"] = "1"
        elif fate > 0.15:
            found[entry.name] = shown(entry, value_of(entry, random))
    return found


def spoiled(text: str, random: Random) -> str:
    """A record as it is, or with one mistake."""
    pieces = text.split(" ")
    at, what = random.randrange(len(pieces)), random.randrange(9)
    if what == 0:
        pieces[at] = random.choice(PIECES)
    elif what == 1:
        del pieces[at]
    elif what == 2:
        pieces.insert(at, random.choice(PIECES))
    elif what == 3:
        pieces[at] += "+2"
    elif what == 4:
        pieces = [piece for piece in pieces if piece != "|"]
    return " ".join(pieces)


def roll_of(rule: Rule, inputs: Mapping[str, str], random: Random, whole: bool) -> tuple[Question, Any, Result | None]:
    seed, policy = random.getrandbits(32), random.choice(POLICIES)
    result, complaints = roll(rule, inputs, player(rule, Generator(seed), policy))
    question = {"door": "roll", "inputs": dict(inputs), "seed": seed, "policy": policy, "whole": whole}
    return question, told(result, complaints, whole), result


def check_of(
    rule: Rule, inputs: Mapping[str, str], result: Result, random: Random, whole: bool = True
) -> tuple[Question, Any]:
    """A roll as a book would record it, or nearly so."""
    keeps = random.random() < 0.2
    stated = {name: value for name, value in inputs.items() if keeps or name not in result.unasked}
    dice, rerolled = spoiled(result.dice, random), result.rerolled
    rerolled = spoiled(rerolled, random) if random.random() < 0.3 else rerolled
    declined = result.throw.declined + (random.random() < 0.1)
    question = {"dice": dice, "declined": declined, "rerolled": rerolled}
    answer = told(*check(rule, stated, dice, declined, rerolled), whole)
    return {"door": "check", "inputs": stated, **question, "whole": whole}, answer


def odds_of(rule: Rule, inputs: Mapping[str, str], policy: str) -> tuple[Question, Any]:
    found, complaints = odds(rule, inputs, policy)
    question = {"door": "odds", "inputs": dict(inputs), "policy": policy, "whole": isinstance(found, Odds)}
    return question, {
        "odds": odds_data(found) if found else None,
        "complaints": [complaint_data(complaint) for complaint in complaints],
    }


def contest_inputs(rule: Rule, random: Random) -> dict[str, str]:
    assert rule.contest
    sides = zip(("first", "second"), rule.contest.of, strict=True)
    return {f"{side}.{name}": value for side, own in sides for name, value in inputs_for(own, random).items()}


def questions(
    rule: Rule, random: Random, many: int, rolls: int = 2, whole: float = 1
) -> Iterator[tuple[Question, Any]]:
    """Some rolls and a record for the same inputs, then others; `whole` is how often everything is told of a roll."""
    for _ in range(many):
        inputs = inputs_for(rule, random)
        for _ in range(rolls):
            question, answer, result = roll_of(rule, inputs, random, random.random() < whole)
            yield question, answer
        if result:
            yield check_of(rule, inputs, result, random, random.random() < max(whole, 0.3))
