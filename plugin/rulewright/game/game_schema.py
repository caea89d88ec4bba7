"""The schema of game.toml: every key with its type, its description and, for a formula, its scope."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from .formula import RESERVED_WORDS
from .model import MAX_SIDES
from .old_keys import (
    move_to_rule,
    replace_among,
    replace_earned_number,
    replace_explode,
    replace_keep,
    replace_marking_test,
    replace_policies,
    replace_reroll,
)
from .schema import ON_SHEET, Field, Items, KnownKeys, NamedEntries, OneOf, Scalar

_TEXT = Scalar(("text",))
_WHOLE = Scalar(("whole",))
_LIMIT = Scalar(("whole",), least=-(10**9), most=10**9)
_SIDES = Scalar(("whole",), least=0, most=MAX_SIDES)
_FACE = Scalar(("whole",), least=-MAX_SIDES, most=MAX_SIDES)
_COUNT = Scalar(("whole",), least=1, most=1000)
_MAX_ENTRIES = 200  # inputs, kinds, steps or outcomes of one rule
_FLAG = Scalar(("flag",))
_TEXTS = Items(_TEXT)
_LABEL = Field(_TEXT, "what a reader sees")
_ALSO = Field(Items(_TEXT, 1, labels="a value in prose"), "other words for it in prose")

NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]*")  # names that formulas can use, and keys of an order
RESERVED_NAMES = RESERVED_WORDS | {"outcome", "degree"}  # words of formulas
RESERVED_ORDER_KEYS = ("until",)  # not allowed as keys of an order
DICE_SEPARATORS = "|[];"  # separators of dice in a record

# The scopes of formulas, in the order of a roll. load_rule.py determines the names that each contains.
UNTRAINED = "untrained"  # inputs of the rules that take traits
BEFORE = "before"  # inputs, dice and steps known before dice of a kind are rolled
SPENT = "spent"  # inputs known before the roll
JUDGE = "judge"  # BEFORE, evaluated for each throw: is its face good or bad?
THROW = "throw"  # BEFORE, evaluated for each throw: does it explode or earn dice?
REROLLS = "rerolls"  # inputs, and steps that need no dice
REROLLED = "rerolled"  # REROLLS, evaluated for each die on the table: is it rerolled?
_STEP = "step"  # inputs, dice, and the steps above
_QUESTION = "question"  # names that do not depend on the answer to the question
RESULT = "result"  # inputs, dice and steps
CARRIED = "carried"  # RESULT; the value may be a word
MOST = "most"  # BEFORE, without the number of the round
_VALUE_UNKNOWN = {"value": "the die has not come to rest yet"}
UNKNOWN_TEST_WORDS = {  # words of a test over dice that have no value yet in a scope, and why
    JUDGE: {**_VALUE_UNKNOWN, **dict.fromkeys(("good", "bad"), "that is what this kind of dice is about to say")},
    THROW: _VALUE_UNKNOWN,
    REROLLED: dict.fromkeys(
        ("last", "throw", "good", "bad", "value"), "once dice lie only the values of whole dice are known"
    ),
}


def _formula_shape(scope: str) -> Scalar:
    return Scalar(("text", "whole", "flag"), called="a formula in quotes, or a whole number,", scope=scope)


TRAITS = KnownKeys(
    {
        "names": Field(_TEXTS, "the names of the traits of this category"),
        "range": Field(_TEXT, 'the values a trait can have, such as "0..5"'),
        "groups": Field(NamedEntries(_TEXTS), "named groups of these traits"),
        "aliases": Field(NamedEntries(OneOf((_TEXT, _TEXTS))), "other names by which a trait is known"),
        "untrained": Field(
            OneOf((Scalar(("text",), ("not allowed",)), NamedEntries(_formula_shape(UNTRAINED)))),
            'inputs that change when the trait is 0, or "not allowed"',
        ),
        "specialties": Field(NamedEntries(NamedEntries(_TEXTS)), "the specialties of each trait, by kind"),
    }
)

_CELL = Scalar(("whole", "text"))
_ROWS = NamedEntries(OneOf((Items(_CELL), _CELL)))
TABLE = KnownKeys(
    {
        "columns": Field(Items(_TEXT, 1, labels="a column"), "the names of the columns"),
        "rows": Field(_ROWS, "named rows, one value for each column"),
        "ranges": Field(_ROWS, 'rows for ranges of numbers, such as "66..99" or "41.."'),
        "page": Field(_TEXT, "a page beside this file, whose table has the rows"),
        "heading": Field(_TEXT, "the heading above that table"),
    },
    others=_WHOLE,
)

INPUT = KnownKeys(
    {
        "label": _LABEL,
        "also": _ALSO,
        "min": Field(_LIMIT, "the smallest number allowed; of a die code, the fewest dice"),
        "max": Field(_LIMIT, "the largest number allowed; of a die code, the most dice"),
        "default": Field(Scalar(("text", "whole", "flag")), "the value when nothing is said"),
        "flag": Field(_FLAG, "a yes or no"),
        "choice": Field(
            OneOf((Items(_TEXT, 1, _MAX_ENTRIES, "a choice"), _TEXT)), "the words to choose from, or a table"
        ),
        "die": Field(Items(_SIDES, 1, _MAX_ENTRIES), "the sides to choose from; 0 is no die"),
        "code": Field(Items(_TEXT, 2, 2), "a die code such as 4D+2: the names of its dice and of its pips"),
        "like": Field(_TEXT, "RULE.INPUT: declared as there, but for what is written here"),
        "names": Field(_TEXT, "a table of the game whose names stand for numbers"),
        "open": Field(_FLAG, "may be unknown at the table"),
        "asked": Field(_formula_shape(_QUESTION), "the choice arises only when this holds"),
    },
    hints={
        "range": "write min = … and max = …",
        "values": 'write choice = ["…", "…"], or min = … and max = …',
        "options": 'write choice = ["…", "…"]',
        "type": "write flag = true for yes or no, min and max for a number, choice for words, or die for dice",
    },
)

PICKS = ("all", "any", "some", "highest", "lowest")
KEEPS = ("new", "higher", "lower", "better")
RULE_AGAIN = KnownKeys(
    {
        "of": Field(
            OneOf((_TEXT, Items(_TEXT, 1))),
            "a kind of dice, a step that picks dice, or a list of them; otherwise all kinds that are not only earned",
        ),
        "pick": Field(
            Scalar(("text",), PICKS),
            "of the dice for which `when` holds: all, one (any, highest, lowest), or some together; all unless given",
        ),
        "when": Field(_formula_shape(REROLLED), "asked of each die; all dice unless given"),
        "times": Field(_formula_shape(REROLLS), "how often, one pick after another; 1 unless given", default=1),
        "roll": Field(_TEXT, '"reroll": the whole die is rolled again; or a kind of dice that is earned'),
        "turn": Field(
            Scalar(("text", "whole", "flag"), called="a formula or any,", scope=REROLLED, word="any"),
            "not rolled: the value of the face that each die is turned to; any: the player chooses the face",
        ),
        "count": Field(_formula_shape(REROLLED), "how many dice each die earns; 1 unless given"),
        "keep": Field(Scalar(("text",), KEEPS), "which of old and new stays; better: by the aim; new unless given"),
    },
    hints={"among": replace_among},
)
AGAIN = KnownKeys(
    {
        "when": Field(_formula_shape(THROW), "asked of every throw", required=True),
        "roll": Field(
            _TEXT,
            'a kind of dice that is earned; "explode": the same die is rolled on and adds up; "reroll": a new throw '
            "replaces this one",
            required=True,
        ),
        "count": Field(_formula_shape(THROW), "how many dice are earned; 1 unless given"),
        "optional": Field(_formula_shape(THROW), "the player may decline", default=0),
    },
    hints={
        "times": replace_earned_number,
        **dict.fromkeys(("of", "pick", "keep", "turn"), partial(move_to_rule, RULE_AGAIN.fields)),
    },
)
FACE = KnownKeys(
    {
        "is": Field(_FACE, "the number it stands for; in a list, what is on it", required=True),
        "label": _LABEL,
        "also": _ALSO,
    }
)
LISTED_FACE = KnownKeys(
    {
        "is": Field(_TEXT, "the number it stands for; in a list, what is on it", required=True),
        "label": _LABEL,
        "also": _ALSO,
    }
)
KIND = KnownKeys(
    {
        "count": Field(
            _formula_shape(BEFORE),
            "how many dice are thrown; 1 unless given, 0 for dice that are only earned",
            default=1,
        ),
        "sides": Field(_formula_shape(BEFORE), "how many sides each die has"),
        "faces": Field(
            OneOf((NamedEntries(OneOf((_FACE, FACE))), Items(OneOf((_TEXT, LISTED_FACE)), 1))),
            'the faces of the die: a list such as ["-", "s", "s&a"], or names with the numbers that they stand for',
        ),
        "deck": Field(
            OneOf((NamedEntries(OneOf((Items(OneOf((_TEXT, _FACE)), 1), Scalar(("text", "whole"))))), _TEXT)),
            "cards that are not put back: how many there are of each, or the parts of which each card has one; or the "
            "kind from whose deck these cards are drawn",
        ),
        "tests": Field(
            NamedEntries(_formula_shape(JUDGE), _MAX_ENTRIES),
            'tests of a face by name, such as hit = "face >= 5"; `good` and `bad` also decide how dice are drawn',
        ),
        "again": Field(OneOf((Items(AGAIN), AGAIN)), "what a throw leads to; all entries that hold happen"),
        "label": _LABEL,
        "also": _ALSO,
    },
    hints={"explode": replace_explode, "good": replace_marking_test, "bad": replace_marking_test, "keep": replace_keep},
)
STEP = KnownKeys(
    {
        "is": Field(_formula_shape(_STEP), "how it is worked out", required=True),
        "label": Field(_TEXT, "what a reader sees; an empty label hides the step"),
        "also": _ALSO,
    }
)
OUTCOME = KnownKeys(
    {
        "when": Field(_formula_shape(RESULT), "when it is this outcome; the first that holds wins"),
        "degree": Field(_formula_shape(RESULT), "how much of it"),
        "says": Field(_TEXT, "what it means, in a sentence"),
        "see": Field(_TEXT, "a link from this folder to where more is said of it; cards lead there"),
        "label": _LABEL,
        "also": _ALSO,
    }
)
SPEND = KnownKeys(
    {
        "label": _LABEL,
        "point": Field(_TEXT, "what is spent; the name of the entry unless given"),
        "changes": Field(NamedEntries(_formula_shape(SPENT)), "inputs that change"),
        "highest": Field(Items(_TEXT, 1), "kinds of dice: one die is set to its highest face"),
        "most": Field(_COUNT, "how many of these points one roll takes"),
        "traits": Field(Items(_TEXT, 1), "only for rolls of these traits"),
    }
)
ROLL = KnownKeys(
    {
        "rule": Field(_TEXT, "the rule that is rolled", required=True),
        "with": Field(NamedEntries(_formula_shape(_STEP), _MAX_ENTRIES), "what its inputs are"),
        "when": Field(_formula_shape(RESULT), "whether it is rolled"),
        "times": Field(_formula_shape(RESULT), "how often it is rolled"),
    }
)
TIES = ("first", "second", "again", "none")
RULE = KnownKeys(
    {
        "label": _LABEL,
        "traits": Field(
            KnownKeys(
                {
                    "into": Field(OneOf((_TEXT, Items(_TEXT, 1))), "the input, or several", required=True),
                    "most": Field(_COUNT, "how many traits at most"),
                    "one_of": Field(_TEXTS, "categories of which only one trait may take part"),
                }
            ),
            "where a sum of traits goes",
        ),
        "specialties": Field(
            KnownKeys(
                {
                    "into": Field(_TEXT, "the flag that a used specialty sets", required=True),
                    "per_dot": Field(_COUNT, "how many may be used for each dot"),
                    "least": Field(
                        _COUNT, "dots that a trait needs before its specialties can be used; 1 unless given"
                    ),
                    "unused_adds": Field(_TEXT, "the input raised by each required one that is not used"),
                }
            ),
            "what specialties do",
        ),
        "inputs": Field(NamedEntries(INPUT, _MAX_ENTRIES), "what is known before the roll"),
        "dice": Field(
            NamedEntries(KIND, _MAX_ENTRIES, "a kind of dice", DICE_SEPARATORS), "the dice, in the order they are read"
        ),
        "rolls": Field(NamedEntries(ROLL, 20), "other rules that are rolled, and what they are given"),
        "again": Field(
            OneOf((Items(RULE_AGAIN), RULE_AGAIN)),
            "after the roll: dice that are rerolled, or that earn other dice, one entry after the other",
        ),
        "steps": Field(
            NamedEntries(OneOf((_formula_shape(_STEP), STEP)), _MAX_ENTRIES), "what is worked out, in order"
        ),
        "marks": Field(
            KnownKeys(
                {
                    "removed": Field(_formula_shape(RESULT), "good faces removed"),
                    "cancelled": Field(_formula_shape(RESULT), "good faces cancelled"),
                }
            ),
            "how many good faces are drawn so",
        ),
        "carry": Field(NamedEntries(_formula_shape(CARRIED), _MAX_ENTRIES), "what inputs are afterwards"),
        "until": Field(_formula_shape(RESULT), "rolled again and again, until this holds at the end of a round"),
        "most": Field(_formula_shape(MOST), "how many rounds at most"),
        "outcomes": Field(NamedEntries(OUTCOME, _MAX_ENTRIES, "an outcome"), "what comes of it, in order"),
        "spends": Field(
            NamedEntries(SPEND, _MAX_ENTRIES, "something to spend"), "points that change a roll after it fell"
        ),
        "contest": Field(
            KnownKeys(
                {
                    "of": Field(OneOf((_TEXT, Items(_TEXT, 2, 2))), "the rule that each side rolls", required=True),
                    "compare": Field(_TEXT, "the step that is compared", required=True),
                    "ties": Field(Scalar(("text",), TIES), "who wins a tie", required=True),
                }
            ),
            "two sides roll against each other",
        ),
        "aim": Field(_TEXT, "what choices are made for, such as chance(success), -mean(harm) or always"),
    },
    hints={"policies": replace_policies, "reroll": replace_reroll},
)
SHEET = KnownKeys(
    {
        "groups": Field(NamedEntries(_TEXTS), "names for several categories, groups or traits together"),
        "require": Field(
            NamedEntries(_formula_shape(ON_SHEET), labels="a requirement"),
            "requirements, each with its name",
            required=True,
        ),
    }
)
ORDER = KnownKeys(
    {
        "by": Field(Items(_TEXT, 1), "keys, the first counts most; a - before one: the greatest first", required=True),
        "alternate": Field(_TEXT, "the key that names a team: teams take turns"),
        "out": Field(_TEXTS, "keys that keep whoever has one from acting"),
    }
)
CATEGORIES, TABLES = NamedEntries(TRAITS), NamedEntries(TABLE)
RULES = NamedEntries(RULE, labels="a rule", separators="/")
SHEETS, ORDERS = NamedEntries(SHEET, labels="a sheet"), NamedEntries(ORDER, labels="an order")
GAME = KnownKeys(
    {
        "title": Field(_TEXT, "the name of the game", required=True),
        "extends": Field(_TEXT, "the folder of the game this one starts from"),
        "traits": Field(CATEGORIES, "the traits of characters, by category"),
        "tables": Field(TABLES, "tables of numbers and words"),
        "rules": Field(RULES, "the rules, the first is the default"),
        "sheets": Field(SHEETS, "what is required of characters"),
        "orders": Field(ORDERS, "who acts when"),
    },
    hints={
        key: f"it belongs to a rule; write [rules.NAME.{key}] with the name of the rule"
        for key in ("inputs", "dice", "steps", "outcomes", "marks", "contest", "spends")
    },
)


def json_schema() -> dict[str, Any]:
    """The JSON Schema of game.toml, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game for Rulewright",
        **GAME.schema(),
    }
