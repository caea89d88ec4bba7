"""The cases in tests/conformance/: what Python says, one file a game, for every other language to agree with.

A file holds the game as the browser gets it, and cases: a rule, a question, the answer. Of odds, chances are given by
two bounds, which are mostly one number. `made_games.json` are the texts of games that a random generator once wrote,
and of some that ask for what these seldom do.
`formulas.json` holds the cases of tests/formulas.md: each replaces some keys of the one rule of its game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, product
from pathlib import Path
from random import Random
from typing import Any

from engine_cases import (
    any_aims,
    check_with_spends,
    contest_inputs,
    gather_case,
    gather_random_case,
    odds_case,
    questions,
    random_inputs,
    spend_case,
)
from formula_world import DICE, PAGE, TABLE, played, table_rule
from formula_world import cases as formula_cases
from games import GAMES, load_shipped_game
from recorded_rolls import play_case, read_cases
from result_data import result_data
from rulewright.game.core_json import core_to_json, rule_to_json
from rulewright.game.lower import lower_game, lower_rule
from rulewright.game.model import Game, Rule
from rulewright.play.result import check_roll
from rulewright.play.validate import load_game, load_game_text

FOLDER = Path(__file__).parent / "conformance"
# With how many rolls by chance; with two exploding dice of which any is thrown anew, the browser takes too long.
RIGHT = {
    "dice": 20, "contests": 20, "folk": 20, "points": 20, "anew": 0, "endless": 20, "choices": 20, "faces": 20,
    "decks": 20, "again": 20, "again-of-the-rule": 20, "picked-again": 4, "turned": 6, "rolls": 6, "rolled-choices": 6,
    "rounds": 6, "asked-in-any-order": 6, "endless-waves": 6,
}  # fmt: skip
MECHANICS = (  # of tests/mechanics: waves, sets, decks, rolls, rounds, choices, dice without end
    "5e-attack", "alien-stress", "anima", "benny", "chaos-bag", "chronicles-rote", "cortex-prime", "dc-heroes",
    "deadlands", "death-saves", "earthdawn", "extended-test", "feng-shui", "godlike-hard", "hackmaster", "l5r5",
    "liars-dice",
    "marvel-multiverse", "monopoly-jail", "mothership", "mythras-differential", "otherkind", "pig", "poker-hands",
    "rolemaster", "roll-for-shoes", "seventh-sea-3", "torg", "tunnels-and-trolls", "usage-die", "x-wing",
    "yahtzee-sixes", "year-zero-twice",
)  # fmt: skip
SUMS = (
    "Blade 3", "Blade 5", "Song 0", "lay 2 + Dance 1", "Blade 1 + Staff 2", "Blade d6 + Luck 2D+1", "Luck none",
    "Blade 0 + Song 2 + Luck 1", "Staff d6 + d8", "Blade 2D + 4D", "Luck 2 + 3", "Ballad 1 + Song 1", "Blade d6+1",
    "Staff none + Blade none", "  Luck   2  ", "Lukc 2", "Blade 3 +", "+ Blade 3", "d6", "Luck 999999", "Luck d12",
    "Blade 12D", "Luck 3x", "Luck\n3", "Good Luck 12", "Luck 3 3",
)  # fmt: skip
SPENT = (
    "point", "half", "half, point", "point die", "half die, half", "keen", "keen, keen", "worst left", "worst right",
    "worst", "worst up", "best, best", "none", "point (die", "Worst Left, WORST RIGHT", "later",
    "point more", "Point More, point", "point (a, b)", "point (a) b, half", "point(a,b)c, half", ", half,",
)  # fmt: skip
ANEW = (
    "wild 6+4 -> 5", "WILD 10 -> 5", "2->6+1, tame 3 → 4", "3 -> 5", "wild 7 -> 2", "wild 2 -> 6",
    "wild 2 -> 6+", "wild 2",
    "-> 3", "wild 2 -> 3, wild 3 -> 4, tame 3 -> 2", "wild 2 - > 3", "tame 9 -> 1", "64 -> 1", "wild 6 -> 2",
    "10 -> 6+6+1",
    "wild 6 + 4 -> 5", "", "wild 2   ->   4", "tame 2 -> 3",
)  # fmt: skip
TWICE = (  # two rerolls by choice, then the lowest wild die
    "| tame 3 -> 1 | wild 2 -> 6+1", "tame 3 -> 1, wild 2 -> 1", "wild 2 -> 3 | tame 3 -> 1 | wild 3 -> 2",
    "wild 2 -> 3, tame 3 -> 4 | tame 4 -> 1 | wild 3 -> 2", "wild 2 -> 3, tame 3 -> 4, tame 4 -> 1, wild 3 -> 2",
    "|| wild 2 -> 1", "||| wild 2 -> 1", "| | wild 2 -> 1, tame 3 -> 4", "| tame 3 -> 4, tame 4 -> 5 | wild 2 -> 1",
    "| tame 9 -> 1 | wild 2 -> 1", "tame 3 -> 2 | | wild 2 -> 1", "wild 2 -> 1 |", "|", "| tame 3 | wild 2 -> 1",
    "| 3 -> 1 | wild 2 -> 1", "| 2 -> 6 | wild 2 -> 1",
)  # fmt: skip
SPENT_FROM: tuple[dict[str, str], ...] = (
    {"part": "0", "plus": "1"}, {"part": "2", "plus": "9"}, {"part": "2"}, {"plus": "many"}, {"part": "1", "plus": "4"},
)  # fmt: skip
ODDS_OF = (  # formulas with much that is known before any die is thrown
    "if(lucky, points, 0)", "if(not lucky, points, 0)", "lucky and points > 20", "lucky or points > 20",
    "not lucky and points > 20 and a > 3", "lucky or a > 3 or points > 20", "points > 20 or lucky",
    "points > 20 and lucky",
    "a * points - b * sum(regular)", "-(points - sum('wild one')) * 3", "points * sum('wild one')", "0 * points + c",
    "lookup(wounds, min(down(points / 5), 9), name)", "lookup('hit zone', zone, damage) + points", "points + half * 2",
    "lookup('hit zone', zone, name)", "if(points > 20, mood, 'none')", "if(mood = 'calm', 1, 2) * count(regular: good)",
    "highest(regular) - lowest(regular)", "highest(nothing) + highest('wild one')", "max(points, 2 * points - 20, a)",
    "count(regular: good) - 2 * count(regular: bad) - c", "down(-points / 7)", "if(points > a, points * 2, points)",
    "abs(points - 22) + points + 3", "(points > 9) + (points > 19) + a", "count('wild one': face = 6) * 1000000",
    "down(points / c)", "points * 2000000", "points * 2000000 + c * sum(regular) + count(regular)",
)  # fmt: skip
ODDS_WITH: tuple[dict[str, str], ...] = (
    {},
    {"lucky": "yes", "a": "1", "mood": "very angry"},
    {"c": "2", "b": "-3", "zone": "Leg"},
)


@cache
def made_texts() -> list[str]:
    found: list[str] = json.loads((FOLDER / "made_games.json").read_text(encoding="utf-8"))
    return found


@cache
def made_game(number: int) -> Game:
    found, problems = load_game_text(made_texts()[number])
    assert found, problems
    return found


def files() -> list[str]:
    """The names of the files: the games of the house, those that use every key, mechanics, the made ones by number."""
    return [*GAMES, *RIGHT, *MECHANICS, *(f"made-{number:02}" for number in range(len(made_texts()))), "formulas"]


def game_of(name: str) -> tuple[Game, int]:
    """The game of a file, and how many cases each of its rules gets."""
    if name in RIGHT:
        return load_whole(FOLDER.parent / "games_right" / f"{name}.toml"), RIGHT[name]
    if name in GAMES:
        return load_shipped_game(name), 10
    if name in MECHANICS:
        return load_whole(FOLDER.parent / "mechanics" / name / "game.toml"), 2
    made = made_game(int(name.removeprefix("made-")))
    return made, 3 if made.title == "Made up" else 12


def load_whole(file: Path) -> Game:
    found, problems = load_game(file)
    assert found, problems
    return found


def file_text(name: str) -> str:
    """The whole file: one line a case."""
    data, found = formula_file() if name == "formulas" else game_file(name)
    head = json.dumps(data, ensure_ascii=False)
    lines = [json.dumps(case, ensure_ascii=False) for case in found]
    return '{"game": ' + head + ',\n"cases": [\n' + ",\n".join(lines) + "\n]}\n"


def game_file(name: str) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    own, many = game_of(name)
    return core_to_json(lower_game(own)), chain(cases(own, many), recorded_cases(name), told_cases(name, own))


def told_cases(name: str, own: Game) -> Iterator[dict[str, Any]]:
    """Each way of adding up traits, and of spending points."""
    for question, answer in left_out(own.rules["roll"]) if own.title == "What is left out" else ():
        yield {"rule": "roll", **question, "answer": answer}
    for rule in list(own.rules.values())[:1] if name in GAMES else ():
        for question, answer in misspelled(rule):
            yield {"rule": rule.name, **question, "answer": answer}
    for rule, inputs, aim in asked_badly(own) if name in (*GAMES, "contests") else ():
        question, answer = odds_case(rule, inputs, aim)
        yield {"rule": rule.name, **question, "answer": answer}
    for rule in own.rules.values() if name == "folk" else ():
        for text, skill in product(SUMS, "19"):
            question, answer = gather_case(rule, {"skill": skill} if rule.name != "three" else {}, text)
            yield {"rule": rule.name, **question, "answer": answer}
    for rule_name, written in {"anew": ANEW, "twice": TWICE}.items() if name == "anew" else ():
        for rerolled, dice in product(written, ("wild 6+4 2 | tame 3", "wild 3 2 | tame 3")):
            question = {"door": "check", "inputs": {}, "dice": dice, "declined": 0, "rerolled": rerolled, "whole": True}
            answer = result_data(*check_roll(own.rules[rule_name], {}, dice, 0, rerolled), with_details=True)
            yield {"rule": rule_name, **question, "answer": answer}
    for spends, inputs, traits in product(SPENT, SPENT_FROM, (None, ["climb"], ["Swim"])) if name == "points" else ():
        record = {"dice": "left 3 5 | right 2 4", "declined": 0, "rerolled": "", "spends": spends, "traits": traits}
        question = {"door": "check", "inputs": inputs, **record, "whole": True}
        answer = result_data(*check_with_spends(own.rules["roll"], question), with_details=True)
        yield {"rule": "roll", **question, "answer": answer}


LEFT_OUT = {"n": "2", "far": "5", "zone": "Arm", "code": "2D+1", "late": "yes", "lucky": "yes"}
LYING = ("red 3 5 | red die 2", "1 1 4", "red die 2")


def left_out(rule: Rule) -> Iterator[tuple[dict[str, Any], Any]]:
    """What can still be told where some inputs are not known."""
    for count in (0, 1, 5, 6):
        for names in combinations(LEFT_OUT, count):
            inputs = {name: LEFT_OUT[name] for name in names}
            for dice in LYING:
                question = {
                    "door": "check",
                    "inputs": inputs,
                    "dice": dice,
                    "declined": 0,
                    "rerolled": "",
                    "whole": True,
                }
                yield question, result_data(*check_roll(rule, inputs, dice), with_details=True)
            yield odds_case(rule, inputs, "")


MISSPELLED = (
    "dificulty", "difficultyy", "tluciffid", "lopo", "poolpool", "thershold", "hold", "culty", "rased", "speciality",
    "d", "attrbute", "tribute", "profiency", "advantge", "advantages", "disadvant", "luk", "kul", "skliil", "xyz",
    "cdoe", "die",
)  # fmt: skip


def misspelled(rule: Rule) -> Iterator[tuple[dict[str, Any], Any]]:
    """Names that are nearly those of inputs."""
    for name in MISSPELLED:
        question = {"door": "check", "inputs": {name: "1"}, "dice": "", "declined": 0, "rerolled": "", "whole": False}
        yield question, result_data(*check_roll(rule, {name: "1"}, ""))


def asked_badly(own: Game) -> Iterator[tuple[Rule, dict[str, str], str]]:
    """Aims that nobody knows, sides that a contest does not have."""
    for rule in own.rules.values():
        for aim in ("sometimes", "mean(totl)", "Always") if rule.rerolls else ():
            yield rule, {}, aim
        for name in (
            ("third.die", "first", "die", "", "first.", ".die", "Second.DIE", "first.a.b") if rule.contest else ()
        ):
            yield rule, {"first.die": "d8", "second.die": "d6", name: "d8"}, ""


def formula_file() -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """All formulas that have a value or none; those that name an input also where no input is known."""
    base, problems = load_game_text(TABLE)
    assert base, problems
    return core_to_json(lower_game(base)), chain(formula_questions(), formula_odds())


def formula_questions() -> Iterator[dict[str, Any]]:
    unknown = re.sub(r"(?m)^(\w+ += .*), default = .* }$", r"\1 }", TABLE)
    for case in formula_cases(PAGE.read_text("utf-8")):
        if not case.wrong:
            yield formula_case(case.formula, case.inputs, TABLE)
        if not case.wrong and re.search(r"\b[abc]\b|zone|lucky|mood|pips|half", case.formula):
            yield formula_case(case.formula, {}, unknown)


def formula_odds() -> Iterator[dict[str, Any]]:
    """How likely each value of these formulas is."""
    for formula in ODDS_OF:
        rule = played(formula, TABLE)[0]
        for inputs in ODDS_WITH if rule else ():
            assert rule
            question, answer = odds_case(rule, inputs, "")
            yield {"rule": rule.name, "changes": changes_of(rule), **question, "answer": answer}


def changes_of(rule: Rule) -> dict[str, Any]:
    """What differs from the rule of the table."""
    base, data = (rule_to_json(lower_rule(own)) for own in (table_rule(), rule))
    return {key: value for key, value in data.items() if value != base[key]}


def formula_case(formula: str, inputs: dict[str, str], table: str) -> dict[str, Any]:
    rule, problems, _ = played(formula, table)
    assert rule, problems
    changes = changes_of(rule)
    answer = result_data(*check_roll(rule, inputs, DICE), True)
    question = {"door": "check", "inputs": inputs, "dice": DICE, "declined": 0, "rerolled": "", "whole": True}
    return {"rule": rule.name, "changes": changes, **question, "answer": answer}


def recorded_cases(folder: str) -> Iterator[dict[str, Any]]:
    """The rolls of tests/cases that belong to a game."""
    for case in read_cases():
        own, _, name = case.value("rule").partition("/")
        if own == folder:
            record = {"dice": case.value("dice"), "declined": int(case.value("declined") or 0)}
            record |= {"rerolled": case.value("rerolled"), "inputs": case.inputs}
            answer = result_data(*play_case(case), True)
            yield {"rule": name, "door": "check", **record, "whole": True, "answer": answer}


def cases(own: Game, many: int) -> Iterator[dict[str, Any]]:
    for name, rule in own.rules.items():
        random = Random(name)
        if rule.dice or rule.contest:
            for question, answer in rule_cases(rule, random, many):
                yield {"rule": name, **question, "answer": answer}


def rule_cases(rule: Rule, random: Random, many: int) -> Iterator[tuple[dict[str, Any], Any]]:
    if not rule.contest:
        yield from questions(rule, random, many)
    for _ in range(many):
        inputs = contest_inputs(rule, random) if rule.contest else random_inputs(rule, random)
        yield odds_case(rule, inputs, random.choice(any_aims(rule)))
    for _ in range(2 * many if rule.spends else 0):
        yield spend_case(rule, random)
    for _ in range(2 * many if rule.traits else 0):
        yield gather_random_case(rule, random)
