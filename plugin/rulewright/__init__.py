"""Rulewright compiles tabletop rulebooks: it proves their examples, rolls their dice and computes their odds.

    >>> from rulewright import Game
    >>> game = Game.from_text('''
    ... title = "Two dice"
    ... [rules.check.inputs]
    ... target = { min = 2, max = 12, default = 8 }
    ... [rules.check.dice.d6]
    ... count = 2
    ... sides = 6
    ... [rules.check.steps]
    ... total = "sum(d6)"
    ... [rules.check.outcomes]
    ... success = { when = "total >= target" }
    ... failure = {}
    ... ''')
    >>> game.odds("check", target=8)["success"]
    Fraction(5, 12)

Start with these two; `help(Game)` and `help(Book)` list their methods:

    Game             the rules of a game.toml: rolls, exact odds, checks of a single roll
    Book             a folder of pages with its games: all problems, blocks and numbers

This is what their methods return:

    Odds             the chance of each outcome as a Fraction, and the means and distributions of steps
    Distribution     the chance of each value of a step
    Roll             the dice of a roll, its steps and its outcome; with `explain()`
    ContestRoll      a roll of two sides, and who wins
    Die, Face        a die of a roll, and what it shows
    Rule             a rule of a game, with its label
    Input, Outcome   what a rule asks for, and how it can end
    Table            a table of a game
    Report           what a check of a book found
    BlockResult      a checked block
    Page             a page of a book
    Problem          something to fix: message, place, severity, notes

    RulewrightError  raised for a wrong argument; it says what is wrong

The handbook has a page with recipes: run `rulewright help library`.

**What stays stable.** The names in `rulewright.__all__` and in `rulewright.extend`, their parameters and public
attributes, and the keys of every `to_dict()` keep their meaning within a major version. Things are only ever added: new
names, optional parameters, attributes and keys. The texts of messages, `repr` and `explain()` are for people and may
change in any version. All other modules are internal.

Importing this package loads nothing: each name is imported on first use.
"""

TYPE_CHECKING = False  # type checkers take it for `typing.TYPE_CHECKING`, whose module takes time to import
if TYPE_CHECKING:
    from .api.book import BlockResult, Book, Page, Report
    from .api.describe import Input, Outcome, Rule, Table
    from .api.game import Game
    from .api.odds import Distribution, Odds
    from .api.request import RulewrightError
    from .api.roll import ContestRoll, Die, Face, Roll
    from .source import Problem

__version__ = "0.1.0"
__all__ = [
    "BlockResult",
    "Book",
    "ContestRoll",
    "Die",
    "Distribution",
    "Face",
    "Game",
    "Input",
    "Odds",
    "Outcome",
    "Page",
    "Problem",
    "Report",
    "Roll",
    "Rule",
    "RulewrightError",
    "Table",
    "__version__",
]

if not TYPE_CHECKING:
    _MODULES = {
        "api.book": ("BlockResult", "Book", "Page", "Report"),
        "api.describe": ("Input", "Outcome", "Rule", "Table"),
        "api.game": ("Game",),
        "api.odds": ("Distribution", "Odds"),
        "api.request": ("RulewrightError",),
        "api.roll": ("ContestRoll", "Die", "Face", "Roll"),
        "source": ("Problem",),
    }

    def __getattr__(name):
        """Import a public name on first use."""
        for module, names in _MODULES.items():
            if name in names:
                from importlib import import_module

                value = globals()[name] = getattr(import_module(f".{module}", __name__), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
