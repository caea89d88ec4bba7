"""The language of game.toml as data: every key, its shape, and what it says."""

from __future__ import annotations

from typing import Any

from .model import MOST_SIDES
from .shape import Either, Field, Items, Keys, Named, Scalar

TEXT = Scalar(("text",))
WHOLE = Scalar(("whole",))
LIMIT = Scalar(("whole",), least=-(10**9), most=10**9)
SIDES = Scalar(("whole",), least=0, most=MOST_SIDES)
FACE = Scalar(("whole",), least=-MOST_SIDES, most=MOST_SIDES)
COUNT = Scalar(("whole",), least=1, most=1000)
SOME = 200  # inputs, kinds, steps or outcomes of one rule
FLAG = Scalar(("flag",))
FORMULA = Scalar(("text", "whole", "flag"), called="a formula in quotes, or a whole number,")
TEXTS = Items(TEXT)

TRAITS = Keys(
    {
        "names": Field(TEXTS, "the names of the traits of this category"),
        "range": Field(TEXT, 'the values a trait can have, such as "0..5"'),
        "groups": Field(Named(TEXTS), "named groups of these traits"),
        "aliases": Field(Named(Either((TEXT, TEXTS))), "other names by which a trait is known"),
        "untrained": Field(
            Either((Scalar(("text",), ("not allowed",)), Named(FORMULA))),
            'inputs that change when the trait is 0, or "not allowed"',
        ),
        "specialties": Field(Named(Named(TEXTS)), "the specialties of each trait, by kind"),
    }
)

CELL = Scalar(("whole", "text"))
ROWS = Named(Either((Items(CELL), CELL)))
TABLE = Keys(
    {
        "columns": Field(Items(TEXT, 1), "the names of the columns"),
        "rows": Field(ROWS, "named rows, one value for each column"),
        "ranges": Field(ROWS, 'rows for ranges of numbers, such as "66..99" or "41.."'),
        "page": Field(TEXT, "a page beside this file, whose table has the rows"),
        "heading": Field(TEXT, "the heading above that table"),
    },
    others=WHOLE,
)

INPUT = Keys(
    {
        "label": Field(TEXT, "what a reader sees"),
        "min": Field(LIMIT, "the smallest number allowed; of a die code, the fewest dice"),
        "max": Field(LIMIT, "the largest number allowed; of a die code, the most dice"),
        "default": Field(Scalar(("text", "whole", "flag")), "the value when nothing is said"),
        "flag": Field(FLAG, "a yes or no"),
        "choice": Field(Items(TEXT, 1, SOME), "the words to choose from"),
        "die": Field(Items(SIDES, 1, SOME), "the sides to choose from; 0 is no die"),
        "code": Field(Items(TEXT, 2, 2), "a die code such as 4D+2: the names of its dice and of its pips"),
        "names": Field(TEXT, "a table of the game whose names stand for numbers"),
        "open": Field(FLAG, "may be unknown at the table"),
        "asked": Field(FORMULA, "the choice arises only when this holds"),
    }
)

AGAIN = Keys(
    {
        "when": Field(FORMULA, "asked of every throw", required=True),
        "roll": Field(TEXT, "the kind of the dice that are earned", required=True),
        "times": Field(FORMULA, "how many dice are earned; 1 unless given"),
        "optional": Field(FORMULA, "the player may decline"),
    }
)
EXPLODE = Keys(
    {"when": Field(FORMULA, "asked of every throw", required=True), "optional": Field(FORMULA, "the player may stop")}
)
KIND = Keys(
    {
        "count": Field(FORMULA, "how many dice are thrown; 1 unless given, 0 for dice that are only earned"),
        "sides": Field(FORMULA, "how many sides each die has"),
        "faces": Field(Named(FACE), "the marks on the die and the number each stands for"),
        "good": Field(FORMULA, "which faces are good"),
        "bad": Field(FORMULA, "which faces are bad"),
        "again": Field(AGAIN, "a throw earns more dice"),
        "explode": Field(Either((FORMULA, EXPLODE)), "the same die is thrown on and adds up"),
        "keep": Field(
            Keys({"highest": Field(FORMULA, "how many"), "lowest": Field(FORMULA, "how many")}), "only these dice count"
        ),
    }
)
PICKS = ("any", "highest", "lowest", "all")
KEEPS = ("higher", "lower", "new")
REROLL = Keys(
    {
        "times": Field(FORMULA, "how many dice, or rounds with pick = all; 1 unless given"),
        "among": Field(Items(TEXT, 1), "the kinds of dice; all unless given"),
        "pick": Field(Scalar(("text",), PICKS), "which die", required=True),
        "keep": Field(Scalar(("text",), KEEPS), "which face stays", required=True),
        "when": Field(FORMULA, "with pick = all: the faces that are thrown anew"),
    }
)
OUTCOME = Keys(
    {
        "when": Field(FORMULA, "when it is this outcome; the first that holds wins"),
        "degree": Field(FORMULA, "how much of it"),
        "says": Field(TEXT, "what it means, in a sentence"),
        "see": Field(TEXT, "a link from this folder to where more is said of it; cards lead there"),
    }
)
SPEND = Keys(
    {
        "label": Field(TEXT, "what a reader sees"),
        "point": Field(TEXT, "what is spent; the name of the entry unless given"),
        "changes": Field(Named(FORMULA), "inputs that change"),
        "highest": Field(Items(TEXT, 1), "kinds of dice: one die is set to its highest face"),
        "most": Field(COUNT, "how many of these points one roll takes"),
        "traits": Field(Items(TEXT, 1), "only for rolls of these traits"),
    }
)
TIES = ("first", "second", "again", "none")
POLICIES = ("always", "never", "best mean", "best chance")
RULE = Keys(
    {
        "label": Field(TEXT, "what a reader sees"),
        "traits": Field(
            Keys(
                {
                    "into": Field(Either((TEXT, Items(TEXT, 1))), "the input, or several", required=True),
                    "most": Field(COUNT, "how many traits at most"),
                    "one_of": Field(TEXTS, "categories of which only one trait may take part"),
                }
            ),
            "where a sum of traits goes",
        ),
        "specialties": Field(
            Keys(
                {
                    "into": Field(TEXT, "the flag that a used specialty sets", required=True),
                    "per_dot": Field(COUNT, "how many may be used for each dot"),
                    "least": Field(COUNT, "dots that a trait needs before its specialties can be used; 1 unless given"),
                    "unused_adds": Field(TEXT, "the input raised by each required one that is not used"),
                }
            ),
            "what specialties do",
        ),
        "inputs": Field(Named(INPUT, SOME), "what is known before the roll"),
        "dice": Field(Named(KIND, SOME), "the dice, in the order they are read"),
        "reroll": Field(Either((Items(REROLL), REROLL)), "dice thrown anew, one entry after the other"),
        "steps": Field(Named(FORMULA, SOME), "what is worked out, in order"),
        "marks": Field(
            Keys(
                {"removed": Field(FORMULA, "good faces removed"), "cancelled": Field(FORMULA, "good faces cancelled")}
            ),
            "how many good faces are drawn so",
        ),
        "outcomes": Field(Named(OUTCOME, SOME), "what comes of it, in order"),
        "spends": Field(Named(SPEND, SOME), "points that change a roll after it fell"),
        "contest": Field(
            Keys(
                {
                    "of": Field(Either((TEXT, Items(TEXT, 2, 2))), "the rule that each side rolls", required=True),
                    "compare": Field(TEXT, "the step that is compared", required=True),
                    "ties": Field(Scalar(("text",), TIES), "who wins a tie", required=True),
                }
            ),
            "two sides roll against each other",
        ),
        "policies": Field(
            Items(Scalar(("text",), POLICIES), 1), "how choices are made for odds; the first is the default"
        ),
    }
)
SHEET = Keys(
    {
        "groups": Field(Named(TEXTS), "names for several categories, groups or traits together"),
        "require": Field(Named(FORMULA), "requirements, each with its name", required=True),
    }
)
ORDER = Keys(
    {
        "by": Field(Items(TEXT, 1), "keys, the first counts most; a - before one: the greatest first", required=True),
        "alternate": Field(TEXT, "the key that names a team: teams take turns"),
        "out": Field(TEXTS, "keys that keep whoever has one from acting"),
    }
)
GAME = Keys(
    {
        "title": Field(TEXT, "the name of the game", required=True),
        "extends": Field(TEXT, "the folder of the game this one starts from"),
        "traits": Field(Named(TRAITS), "the traits of characters, by category"),
        "tables": Field(Named(TABLE), "tables of numbers and words"),
        "rules": Field(Named(RULE), "the rules, the first is the default"),
        "sheets": Field(Named(SHEET), "what is required of characters"),
        "orders": Field(Named(ORDER), "who acts when"),
    }
)


def schema() -> dict[str, Any]:
    """The JSON Schema of game.toml, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A game for Rulewright",
        **GAME.schema(),
    }
