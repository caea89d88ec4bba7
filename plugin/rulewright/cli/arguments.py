"""The argument parsers of all commands, with their help texts."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from .. import __version__
from ..source import suggest
from .invocation import as_started
from .report_formats import FORMATS, FormatAction
from .terminal import COULD_NOT_RUN, CommandError

_MOST_SEEDS = 2**32
_ABOUT = "Checks a tabletop rulebook against its own rules, and publishes it."
_OVERVIEW = f"""\
{_ABOUT}

  rulewright new my-book             write a small complete book to start from
  rulewright check                   find the mistakes in the book you are in
  rulewright odds RULE key=value     exact chances
  rulewright roll RULE key=value     roll the dice
  rulewright export pdf              the book as one file

First steps: rulewright help start. All commands: rulewright --help"""
_LIST = """\
commands:
  check     look for mistakes in pages and games
  coverage  which numbers of the text are bound to the rules
  roll      roll the dice of a rule, or evaluate dice from the table
  odds      the exact chances of a rule
  export    the book as one file, to print or read offline
  new       a small complete book to start from
  init      the options and a first game for a folder of pages
  diff      what has changed from one edition to the next
  adopt     blocks for the prose examples of an old book
  help      the handbook: topics, sections, and a search
  explain   what a problem code means, with an example and the repair

`rulewright COMMAND --help` says more about each."""
_VALUES = """\
RULE is the name of a rule, or GAME/RULE with the game's folder. Without it, the
only rule of the book is meant; if there are several, they are listed. A GAME
that is not here may be one of the gallery. Inputs are written key=value; a key
alone means yes. In a contest each side has its own:
first.KEY=value second.KEY=value.
traits="Strength 3 + Brawl 2" gives the inputs that traits fill."""
_CHECK = """\
Options of a book are in mkdocs.yml, under the plugin rulewright, or in
pyproject.toml under [tool.rulewright]:

  fail_on: error         or warning, or never: what makes the command fail
  checks:                single codes, or all that begin with one word: names,
    prose-unchecked: off prose, links, or what looks at any page: rollable …"""
_COVERAGE = """\
bound    a change of the number, or of the rule, is noticed
checked  compared in another way, as in an example with a block
wrong    the game, or what is beside the number, says something else
free     need not agree with the game: a page, a year, a story
unbound  nothing notices a change; a label or `also` in the game may help

--mutate tries it: each constant of the games and each number that is not free
becomes one more, one at a time, in memory. Listed is what no check notices.

examples:
  rulewright coverage
  rulewright coverage rules/combat.md --all
  rulewright coverage --fail-under 60
  rulewright coverage --mutate --sample 200"""
_ROLL = f"""\
{_VALUES}

dice=, rerolled=, turned= and declined= describe dice that are on the table
already: they are evaluated instead of rolled.

examples:
  rulewright roll d6-pool/action pool=5 needed=2
  rulewright roll d20/check bonus=5 dice=14
  rulewright roll blackjack/opposed first.skill=12 second.skill=8"""
_EXPORT = """\
Title, version, paper, columns and dark may also be among the options of the
book. A book whose blocks or games have mistakes is not exported: correct them, or
set fail_on: never."""
_NEW = """\
The book has two pages, a game, the settings of its site, and a workflow for
GitHub that checks and publishes it. The games it can start from:

{games}

For a folder that has pages already there is `rulewright init`."""
_INIT = """\
Reports what kind of book it is, asks about the dice, and writes a game.toml.
For an MkDocs site it adds the plugin to mkdocs.yml. Each answer shows the odds.
Everything is shown before it is written, nothing is overwritten, and q quits.
Without a terminal the answers are lines of standard input.

examples:
  rulewright init
  rulewright init --game fate
  rulewright init --yes"""
_ADOPT = """\
What is proposed is shown as a difference and changes nothing. A line "# ?" in a
block is a doubt: the text leaves something open, or says something else than
the rules. A book without a game.toml gets one."""
_DIFF = """\
OLD and NEW are folders, or revisions of Git; without NEW, the current files.
Folders with one game each are compared whatever they are called.

examples:
  rulewright diff rules/maelstrom-first-edition rules/maelstrom
  rulewright diff v1.0 v2.0 --markdown
  rulewright diff HEAD --fix"""
_HELP = """\
Without a topic, the topics are listed.

examples:
  rulewright help start
  rulewright help commands options
  rulewright help reroll"""
_EXPLAIN = """\
Without a code, all codes are listed.

examples:
  rulewright explain example-step
  rulewright explain links"""
_ODDS = f"""\
{_VALUES}

examples:
  rulewright odds d6-pool/action pool=5 needed=2
  rulewright odds d20/check bonus=5 luck=advantage
  rulewright odds blackjack/opposed first.skill=12 second.skill=8"""


class ParserExitError(Exception):
    """The parser has printed everything, such as the help text; exit with `status`."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


class _Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises `Stop` or `Done` instead of exiting."""

    takes_settings = False  # whether its arguments are key=value

    def __init__(self, prog: str, usage: str, about: str, more: str) -> None:
        super().__init__(
            prog=prog,
            usage=usage,
            description=about,
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def format_help(self) -> str:
        return as_started(super().format_help())

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{self.improve(message)}; see {self.prog} --help")

    def improve(self, message: str) -> str:
        """A message of argparse with what to write instead."""
        kind, _, rest = message.partition(": ")
        if kind == "unrecognized arguments":
            word, *values = rest.split()
            if not word.startswith("-"):
                return f"{word} is one argument too many; put quotes around a name with spaces"
            name, _, value = word.lstrip("-").partition("=")
            value = value or (values[0] if values and not values[0].startswith("-") else "…")
            if name == "seed":
                return f"{self.prog} rolls no dice; --seed belongs to rulewright roll"
            if self.takes_settings:
                return f"{word} is not an option; settings have no dashes: write {name}={value}"
            options = [option for option in self._option_string_actions if option.startswith("--")]
            return f"there is no option {word}; {suggest(word, options) or 'known here: ' + ', '.join(options)}"
        if rest == "expected one argument":
            return f"{kind.removeprefix('argument ')} needs a value; write it after a space"
        if kind == "the following arguments are required":
            example = {
                "FORMAT": "html, pdf, epub, zip, assets or core",
                "FOLDER": "the name of a new folder, such as my-book",
            }
            return f"{rest} is missing; write {example.get(rest, rest)}"
        return message

    def exit(self, status: int = 0, _message: str | None = None) -> NoReturn:
        raise ParserExitError(status)


def parse_arguments(arguments: list[str], commands: Sequence[str]) -> tuple[str, argparse.Namespace]:
    """Parse the command line into the command and its options."""
    if arguments[:1] == ["help"]:  # options are words to look for
        arguments = [word if word in ("-h", "--help") else word.lstrip("-") for word in arguments]
    if arguments and arguments[0] in commands:
        return arguments[0], PARSERS[arguments[0]]().parse_intermixed_args(arguments[1:])
    parser = _Parser("rulewright", "rulewright COMMAND …", _ABOUT, _LIST)
    parser.add_argument("-V", "--version", action="version", version=f"rulewright {__version__}")
    if arguments and not arguments[0].startswith("-"):
        raise CommandError(_describe_unknown_command(arguments, commands))
    parser.parse_args(arguments)
    print(as_started(_OVERVIEW), file=sys.stderr)
    raise ParserExitError(COULD_NOT_RUN)


_OTHER_COMMANDS = {  # commands of other tools
    "build": "mkdocs build, or rulewright export html for one file",
    "serve": "mkdocs serve",
    "lint": "rulewright check",
    "test": "rulewright check",
    "fix": "rulewright check --fix",
    "watch": "rulewright check --watch",
    "pdf": "rulewright export pdf",
    "html": "rulewright export html",
    "epub": "rulewright export epub",
}


def _describe_unknown_command(arguments: Sequence[str], commands: Sequence[str]) -> str:
    word = arguments[0]
    fact = f"there is no command `{word}`"
    if word in _OTHER_COMMANDS:
        return f"{fact}; write {_OTHER_COMMANDS[word]}"
    if Path(word).exists() or re.search(r"[/\\]|\.(?:md|markdown|toml)$", word):
        return f"{fact}; write rulewright check {word}"
    if len(arguments) > 1 and "=" in "".join(arguments[1:]):
        return f"{fact}; write rulewright odds {' '.join(arguments)}, or roll in place of odds"
    return f"{fact}; {suggest(word, commands)}"


def _check_parser() -> _Parser:
    about = "Looks for mistakes in pages and games at or below the paths."
    parser = _Parser("rulewright check", "rulewright check [PATH…] [options]", about, _CHECK)
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a folder, a page, or a game.toml; - for standard input; left out: this book",
    )
    parser.set_defaults(reports=())
    parser.add_argument(
        "--format", action=FormatAction, choices=FORMATS, help="the form of the report; text unless given"
    )
    output = "write the report of the --format before it into a file, and print text"
    parser.add_argument("-o", "--output", action=FormatAction, metavar="FILE", help=output)
    failing = parser.add_mutually_exclusive_group()
    failing.add_argument("--strict", action="store_true", help="warnings count as errors do")
    failing.add_argument("--fail-on", choices=("error", "warning", "never"), help="what makes the check fail, for once")
    parser.add_argument("--info", action="store_true", help="also report what may be wrong but is not certain")
    each = "list every problem, also those with one cause"
    parser.add_argument("--all", action="store_true", help=each)
    known = "leave out the problems that this file lists, in place of the option baseline"
    parser.add_argument("--baseline", metavar="FILE", help=known)
    list_known = "list the problems of today in this file, all but those of blocks and games"
    parser.add_argument("--write-baseline", metavar="FILE", help=list_known)
    only = "only this block, by its id or as PATH::ID; may be given several times"
    parser.add_argument("--only", action="append", default=[], metavar="ID", help=only)
    name = "the page that standard input takes the place of"
    parser.add_argument("--stdin-filename", metavar="PATH", help=name)
    finished = "judge links by the finished pages in the folder that mkdocs build writes"
    parser.add_argument("--site", metavar="DIR", help=finished)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--fix", action="store_true", help="write the right answers into the pages")
    either.add_argument("--diff", action="store_true", help="show what --fix would change, and write nothing")
    either.add_argument("--watch", action="store_true", help="keep running and check what changes; Ctrl-C ends it")
    return parser


def _coverage_parser() -> _Parser:
    about = "Counts which numbers of the text are bound to the rules, page by page."
    parser = _Parser("rulewright coverage", "rulewright coverage [PATH…] [options]", about, _COVERAGE)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a folder or a page; left out: this book")
    parser.add_argument("--all", action="store_true", help="list every number that is unbound, with its place")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text unless given")
    least = "fail if less than N percent of the numbers that are not free are covered, or noticed"
    parser.add_argument("--fail-under", type=int, metavar="N", help=least)
    parser.add_argument("--badge", metavar="FILE", help="write a badge as an SVG picture")
    parser.add_argument("--mutate", action="store_true", help="change each number, and list what no check notices")
    parser.add_argument("--sample", type=int, metavar="N", help="with --mutate: only N changes, always the same ones")
    return parser


def _rule_parser(name: str, about: str, more: str) -> _Parser:
    parser = _Parser(f"rulewright {name}", f"rulewright {name} RULE key=value… [options]", about, more)
    parser.takes_settings = True
    parser.add_argument("words", nargs="*", metavar="RULE key=value", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print data for other programs")
    return parser


def _roll_parser() -> _Parser:
    parser = _rule_parser("roll", "Rolls the dice of a rule and shows the result.", _ROLL)
    parser.add_argument("--seed", type=_parse_seed, metavar="N", help="the same number gives the same dice again")
    return parser


def _odds_parser() -> _Parser:
    return _rule_parser("odds", "Works out the exact chances of a rule.", _ODDS)


def _export_parser() -> _Parser:
    about = "Writes the checked book as one file, the files that its pages need on a site, or its games."
    parser = _Parser("rulewright export", "rulewright export FORMAT [FOLDER] [-o FILE] [options]", about, _EXPORT)
    forms = ("html", "pdf", "epub", "zip", "assets", "core")
    meaning = "html, pdf, epub, zip: the site as a folder; assets: what sites without our plugin need; core: games"
    parser.add_argument("format", choices=forms, metavar="FORMAT", help=meaning)
    parser.add_argument(
        "folder",
        nargs="*",
        default=[],  # so that it is not required
        metavar="FOLDER",
        help="the book, or the part of it, to export, or games; left out: all",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where it goes; left out: right here, assets to the pages"
    )
    parser.add_argument("--paper", choices=("a4", "a5", "letter"), help="of a printed book")
    parser.add_argument("--columns", choices=("1", "2"), help="of a printed page")
    parser.add_argument("--dark", action="store_true", help="light letters on dark pages")
    return parser


def _new_parser() -> _Parser:
    from .new import DEFAULT_GAME, HOSTS, game_list

    about = "Writes a small complete book to start from into a new or empty folder."
    usage = "rulewright new [FOLDER] [--game NAME] [--host NAME]"
    parser = _Parser("rulewright new", usage, about, _NEW.format(games=game_list()))
    parser.add_argument(
        "folder",
        nargs="?",
        metavar="FOLDER",
        help="where the book goes; its name becomes the title; left out: list the games",
    )
    parser.add_argument(
        "--game", metavar="NAME", help=f"what it starts from; left out: asks in a terminal, else takes {DEFAULT_GAME}"
    )
    parser.add_argument("--host", choices=HOSTS, default=next(iter(HOSTS)), help="what builds the site")
    parser.add_argument("--list", action="store_true", help="list the games of the gallery, each with a sample roll")
    return parser


def _init_parser() -> _Parser:
    about = "Prepares a folder of pages: its options and a first game, by a few questions."
    parser = _Parser("rulewright init", "rulewright init [--game NAME] [--yes]", about, _INIT)
    parser.add_argument("--game", metavar="NAME", help="take this game of the gallery; no questions about dice")
    parser.add_argument("--yes", action="store_true", help="take the default of every question")
    return parser


def _adopt_parser() -> _Parser:
    about = "Proposes a block for each prose example, worked out from its words."
    parser = _Parser("rulewright adopt", "rulewright adopt [FOLDER] [options]", about, _ADOPT)
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="a book, a part of it, or one page; left out: this book"
    )
    parser.add_argument("--write", action="store_true", help="put the blocks into the pages")
    parser.add_argument("--game", metavar="NAME", help="a book without a game takes this one of the gallery")
    parser.add_argument(
        "--hidden", action="store_true", help="write comments, which are checked and not shown; usual without a site"
    )
    parser.add_argument("--json", action="store_true", help="print data for other programs")
    return parser


def _diff_parser() -> _Parser:
    about = "Lists what has changed from one edition of a book to the next."
    parser = _Parser("rulewright diff", "rulewright diff OLD [NEW] [options]", about, _DIFF)
    parser.add_argument("old", metavar="OLD", help="the older edition: a folder, or a revision of Git")
    parser.add_argument("new", metavar="NEW", nargs="?", help="the newer one; left out: what is here")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print data for other programs")
    form.add_argument("--markdown", action="store_true", help="print a page for a book")
    form.add_argument("-q", "--quiet", action="store_true", help="print nothing")
    parser.add_argument("--moves", action="store_true", help="also list what has only moved")
    parser.add_argument("--fix", action="store_true", help="correct links to headings that moved; learn as well")
    parser.add_argument("--learn", action="store_true", help="write down where headings are now, in aliases.toml")
    return parser


def _help_parser() -> _Parser:
    parser = _Parser("rulewright help", "rulewright help [TOPIC [HEADING] | WORD]", "Shows the handbook.", _HELP)
    parser.add_argument(
        "words", nargs="*", metavar="TOPIC", help="a page of the handbook and a heading on it, or a word to search for"
    )
    return parser


def _explain_parser() -> _Parser:
    about = "Explains a problem code: what it means, an example, and the repair."
    parser = _Parser("rulewright explain", "rulewright explain [CODE] [options]", about, _EXPLAIN)
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code such as example-step, or a family such as links"
    )
    parser.add_argument("--json", action="store_true", help="print data for other programs")
    return parser


PARSERS: dict[str, Callable[[], _Parser]] = {
    "check": _check_parser,
    "coverage": _coverage_parser,
    "roll": _roll_parser,
    "odds": _odds_parser,
    "export": _export_parser,
    "new": _new_parser,
    "init": _init_parser,
    "adopt": _adopt_parser,
    "diff": _diff_parser,
    "help": _help_parser,
    "explain": _explain_parser,
}


def _parse_seed(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 11 else _MOST_SEEDS
    if number >= _MOST_SEEDS:
        raise argparse.ArgumentTypeError(
            f'a seed is a whole number from 0 to {_MOST_SEEDS - 1}, such as 7, not "{text}"'
        )
    return number
