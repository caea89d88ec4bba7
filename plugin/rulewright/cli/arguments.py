"""The argument parsers of all commands, with their help texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from .. import __version__
from ..source import suggest
from .terminal import COULD_NOT_RUN, CommandError

_MOST_SEEDS = 2**32
_ABOUT = "Reads the rules of a tabletop game, plays them, and works out exact odds."
_LIST = """\
commands:
  check    look for mistakes in games
  roll     throw the dice of a rule, or judge dice that lie on the table
  odds     the exact chances of a rule
  export   the book as one file, to print and to take along
  new      a small complete book to start from
  diff     what has changed from one edition to the next
  adopt    blocks for the prose examples of an old book

`rulewright COMMAND --help` tells more about each."""
_VALUES = """\
RULE is the name of a rule, or GAME/RULE with the game's folder; without it, the
rules are listed. What a rule must know is written key=value; a key alone means
yes. In a contest each side has its own: first.KEY=value second.KEY=value."""
_CHECK = """\
Options of a book stand in mkdocs.yml, under the plugin rulewright, or in
pyproject.toml under [tool.rulewright]:

  fail_on: error         or warning, or never: what makes the command fail
  checks:                single codes, or all that begin with one word: names,
    prose-unchecked: off prose, links, or what looks at any page: rollable …"""
_ROLL = f"""\
{_VALUES}

dice=, rerolled= and declined= describe dice that lie on the table already: they
are judged instead of thrown.

examples:
  rulewright roll maelstrom/action pool=5 difficulty=8 specialty
  rulewright roll maelstrom/action pool=4 difficulty=8 dice="1 4 7 10"
  rulewright roll step-dice/contest first.die=d8 second.die=d6"""
_EXPORT = """\
Title, version, paper, columns and dark may also stand among the options of the
book. A book with mistakes is not exported: mend them, or set fail_on: never."""
_NEW = """\
The book has two pages, a game, the settings of its site, and a workflow for
GitHub that checks and publishes it. The games it can start from:

{games}"""
_ADOPT = """\
What is proposed is shown as a difference and changes nothing. A line «# ?» in a
block is a doubt: the text leaves something open, or says something else than
the rules. A book without a game.toml gets one."""
_DIFF = """\
OLD and NEW are folders, or revisions of Git; without NEW it is what lies here.
Folders with one game each are compared whatever they are called.

examples:
  rulewright diff rules/maelstrom-first-edition rules/maelstrom
  rulewright diff v1.0 v2.0 --markdown
  rulewright diff HEAD --fix"""
_ODDS = f"""\
{_VALUES}

examples:
  rulewright odds maelstrom/action pool=5
  rulewright odds ingenuity/test attribute=d6 difficulty=Hard advantage=1
  rulewright odds step-dice/contest first.die=d8 second.die=d6"""


class ParserExitError(Exception):
    """The parser has printed everything, such as the help text; exit with `status`."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


class _Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises `Stop` or `Done` instead of exiting."""

    def __init__(self, prog: str, usage: str, about: str, more: str) -> None:
        super().__init__(
            prog=prog,
            usage=usage,
            description=about,
            epilog=more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}; see {self.prog} --help")

    def exit(self, status: int = 0, _message: str | None = None) -> NoReturn:
        raise ParserExitError(status)


def parse_arguments(arguments: list[str], commands: Sequence[str]) -> tuple[str, argparse.Namespace]:
    """Parse the command line into the command and its options."""
    if arguments and arguments[0] in commands:
        return arguments[0], PARSERS[arguments[0]]().parse_intermixed_args(arguments[1:])
    parser = _Parser("rulewright", "rulewright COMMAND …", _ABOUT, _LIST)
    parser.add_argument("-V", "--version", action="version", version=f"rulewright {__version__}")
    if arguments and not arguments[0].startswith("-"):
        raise CommandError(f"there is no command «{arguments[0]}»; {suggest(arguments[0], commands)}")
    parser.parse_args(arguments)
    parser.print_help()
    raise ParserExitError(COULD_NOT_RUN)


def _check_parser() -> _Parser:
    about = "Looks for mistakes in pages and games at or below the paths."
    parser = _Parser("rulewright check", "rulewright check [PATH…] [options]", about, _CHECK)
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="a folder, a page, or a game.toml; left out: this book"
    )
    formats = ("text", "json", "github")
    parser.add_argument("--format", choices=formats, default=formats[0], help="how to print what was found")
    parser.add_argument("--strict", action="store_true", help="warnings count as errors do")
    parser.add_argument("--info", action="store_true", help="tell also what may be wrong but is not certain")
    only = "only this block, by its id or as PATH::ID; may be given several times"
    parser.add_argument("--only", action="append", default=[], metavar="ID", help=only)
    finished = "judge links by the finished pages in the folder that mkdocs build writes"
    parser.add_argument("--site", metavar="DIR", help=finished)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--fix", action="store_true", help="write the right answers into the pages")
    either.add_argument("--watch", action="store_true", help="stay, and check again what changes; Ctrl-C ends it")
    return parser


def _rule_parser(name: str, about: str, more: str) -> _Parser:
    parser = _Parser(f"rulewright {name}", f"rulewright {name} RULE key=value… [options]", about, more)
    parser.add_argument("words", nargs="*", metavar="RULE key=value", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print data for other programs")
    return parser


def _roll_parser() -> _Parser:
    parser = _rule_parser("roll", "Throws the dice of a rule and says what comes of it.", _ROLL)
    parser.add_argument("--seed", type=_parse_seed, metavar="N", help="the same number gives the same dice again")
    return parser


def _odds_parser() -> _Parser:
    return _rule_parser("odds", "Works out the exact chances of a rule.", _ODDS)


def _export_parser() -> _Parser:
    about = "Writes the checked book as one file."
    parser = _Parser("rulewright export", "rulewright export FORMAT [FOLDER] [-o FILE] [options]", about, _EXPORT)
    forms = ("html", "pdf", "epub", "zip")
    parser.add_argument("format", choices=forms, metavar="FORMAT", help="html, pdf, epub or zip: the site as a folder")
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="the book, or the part of it, to export; left out: this book"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where the file goes; left out: right here")
    parser.add_argument("--paper", choices=("a4", "a5", "letter"), help="of a printed book")
    parser.add_argument("--columns", choices=("1", "2"), help="of a printed page")
    parser.add_argument("--dark", action="store_true", help="light letters on dark pages")
    return parser


def _new_parser() -> _Parser:
    from .new import DEFAULT_GAME, game_list

    about = "Writes a small complete book to start from into a new or empty folder."
    parser = _Parser("rulewright new", "rulewright new FOLDER [--game NAME]", about, _NEW.format(games=game_list()))
    parser.add_argument("folder", metavar="FOLDER", help="where the book goes; its name becomes the title")
    parser.add_argument(
        "--game", default=DEFAULT_GAME, metavar="NAME", help=f"what it starts from; {DEFAULT_GAME} unless given"
    )
    return parser


def _adopt_parser() -> _Parser:
    about = "Proposes a block for each prose example, worked out from its words."
    parser = _Parser("rulewright adopt", "rulewright adopt [FOLDER] [options]", about, _ADOPT)
    parser.add_argument(
        "folder", nargs="?", metavar="FOLDER", help="a book, a part of it, or one page; left out: this book"
    )
    parser.add_argument("--write", action="store_true", help="put the blocks into the pages")
    parser.add_argument("--json", action="store_true", help="print data for other programs")
    return parser


def _diff_parser() -> _Parser:
    about = "Tells what has changed from one edition of a book to the next."
    parser = _Parser("rulewright diff", "rulewright diff OLD [NEW] [options]", about, _DIFF)
    parser.add_argument("old", metavar="OLD", help="the older edition: a folder, or a revision of Git")
    parser.add_argument("new", metavar="NEW", nargs="?", help="the newer one; left out: what lies here")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print data for other programs")
    form.add_argument("--markdown", action="store_true", help="print a page for a book")
    form.add_argument("-q", "--quiet", action="store_true", help="print nothing")
    parser.add_argument("--moves", action="store_true", help="tell also what has only moved")
    parser.add_argument("--fix", action="store_true", help="mend links to headings that moved; learn as well")
    parser.add_argument("--learn", action="store_true", help="write down where headings are now, in aliases.toml")
    return parser


PARSERS: dict[str, Callable[[], _Parser]] = {
    "check": _check_parser,
    "roll": _roll_parser,
    "odds": _odds_parser,
    "export": _export_parser,
    "new": _new_parser,
    "adopt": _adopt_parser,
    "diff": _diff_parser,
}


def _parse_seed(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 11 else _MOST_SEEDS
    if number >= _MOST_SEEDS:
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0 to {_MOST_SEEDS - 1}, not «{text}»")
    return number
