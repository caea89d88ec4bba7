"""Parses the arguments of `roll` and `odds`: finds the rule that is named, and reads its key=value inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import relpath
from pathlib import Path as File

from ..compile.page_tables import open_game
from ..game.game_schema import POLICIES
from ..game.inputs import read_value
from ..game.model import SIDES, Game, Input, Rule
from ..project import FILE, book_root, games_below, nearest_game, pages_with_games, project_folders
from ..render.reports import format_problems
from ..render.text_width import visible
from ..root import Root
from ..source import Problem, nearest, suggest
from .terminal import INDENT, SOMETHING_WRONG, Stop, cells, hint, one_of, pad

RECORD = ("dice", "rerolled", "declined")


@dataclass
class Side:
    """One side of a contest, or the only side: its rule, its inputs, and a record of given dice."""

    name: str
    rule: Rule
    inputs: dict[str, str] = field(default_factory=dict)
    record: dict[str, str] = field(default_factory=dict)

    @property
    def declined(self) -> int:
        return int(self.record.get("declined", 0))


@dataclass
class Asked:
    """A request to roll a rule or to compute its odds: the rule, its game and title, and the arguments by side."""

    game: str
    title: str
    rule: Rule
    sides: list[Side]
    policy: str = ""

    @property
    def inputs(self) -> dict[str, str]:
        """All inputs; in a contest, their keys begin with the side."""
        return {key_of(side, name): value for side in self.sides for name, value in side.inputs.items()}


def key_of(side: Side, name: str) -> str:
    return f"{side.name}.{name}" if side.name else name


def sides_of(rule: Rule) -> list[Side]:
    contest = zip(SIDES, rule.contest.of, strict=True) if rule.contest else [("", rule)]
    return [Side(name, own) for name, own in contest]


def read_words(asked: Asked, words: Sequence[str], judging: bool) -> Asked:
    """Parse the key=value arguments into a request; given dice are allowed only with `allow_record`."""
    seen: set[str] = set()
    for word in words:
        key, value = split(word)
        if key in seen:
            raise Stop(f"{key} is given twice")
        seen.add(key)
        if key == "policy":
            asked.policy = policy(asked.rule, value)
        else:
            put(asked, key, value, RECORD if judging else ())
    for side in asked.sides:
        if "dice" not in side.record and side.record:
            raise Stop(f"{key_of(side, next(iter(side.record)))}= goes with {key_of(side, 'dice')}=")
    return asked


def split(word: str) -> tuple[str, str | None]:
    key, equals, value = word.partition("=")
    key = key.strip().lower()
    if not key:
        raise Stop(f"«{word}» has no name in front of its value; write name=value")
    return key, value.strip() if equals else None


def put(asked: Asked, key: str, value: str | None, record: Sequence[str]) -> None:
    """Store one argument as an input or as part of the record."""
    side, name = side_of(asked, key)
    entry = next((entry for entry in side.rule.inputs if entry.name == name), None)
    if entry:
        side.inputs[name] = value_of(side, entry, value)
    elif name in record:
        side.record[name] = record_value(name, key, value)
    else:
        raise Stop(unknown(side, name, record))


def side_of(asked: Asked, key: str) -> tuple[Side, str]:
    if not asked.rule.contest:
        return asked.sides[0], key
    side, dot, name = key.partition(".")
    if not dot:
        raise Stop(f"in a contest each side has its own: write first.{key}=… or second.{key}=…")
    if side not in SIDES:
        raise Stop(f"there is no side «{side}»; the sides are first and second")
    return asked.sides[SIDES.index(side)], name


def value_of(side: Side, entry: Input, value: str | None) -> str:
    key = key_of(side, entry.name)
    if value is None and entry.form != "flag":
        raise Stop(f"{key} needs a value: {key}=…")
    text = "yes" if value is None else value
    complaint = read_value(entry, text)[1]
    if complaint:
        raise Stop(f"{key}{complaint.removeprefix(entry.name)}".rstrip("; "))
    return text


def record_value(name: str, key: str, value: str | None) -> str:
    if value is None:
        raise Stop(f"{key} needs a value: {key}=…")
    if name == "declined" and not (value.isascii() and value.isdigit() and len(value) < 6):
        raise Stop(f"{key} is the number of dice that were not thrown, not «{value}»")
    return value


def unknown(side: Side, name: str, record: Sequence[str]) -> str:
    if name in RECORD and name not in record:
        return f"odds do not depend on dice that lie already; {name}= belongs to rulewright roll"
    if name == "seed":
        return "the seed is an option: --seed N"
    known = [entry.name for entry in side.rule.inputs]
    found = nearest(name, [*known, *record, "policy"])
    note = f"did you mean {found}?" if found else suggest(name, known)
    return hint(f"{side.rule.name} has no input «{name}»", note)


def policy(rule: Rule, value: str | None) -> str:
    name = (value or "").lower()
    if name not in POLICIES:
        raise Stop(f"there is no policy «{name}»; {suggest(name, POLICIES)}")
    from ..odds.policies import relevant_policies

    known = {name for own in (rule.contest.of if rule.contest else (rule,)) for name in relevant_policies(own)}
    if name not in known:
        note = f"known here: {', '.join(sorted(known))}" if known else "nothing there is left to choose"
        raise Stop(f"the policy {name} decides nothing in {rule.name}; {note}")
    return name


def named_values(rule: Rule, inputs: Mapping[str, str]) -> dict[str, str]:
    """The names used instead of numbers, such as Hard, by input."""
    found = {}
    for entry in rule.inputs:
        text = inputs.get(entry.name, "").lower()
        name = next((name for name in (entry.names.names if entry.names else ()) if name.lower() == text), None)
        if name:
            found[entry.name] = name
    return found


@dataclass(frozen=True)
class Found:
    """A game and its name on the command line: its folder, relative to the book's root."""

    name: str
    game: Game

    def rule(self, name: str) -> Rule | None:
        """A rule by its name, in any letter case."""
        return next((rule for own, rule in self.game.rules.items() if own.lower() == name.lower()), None)

    def title(self, rule: Rule) -> str:
        """A title such as "Maelstrom · Action"."""
        return f"{self.game.title} · {rule.label}" if rule.label else self.game.title


def read_request(words: Sequence[str], judging: bool) -> Asked:
    """Parse all arguments: the rule comes first, then its inputs."""
    here = File.cwd()
    clean = [visible(" ".join(word.split())) for word in words]
    if not clean or "=" in clean[0]:
        raise every_rule(here)
    found, rule = find_rule(clean[0], here)
    return read_words(Asked(found.name, found.title(rule), rule, sides_of(rule)), clean[1:], judging)


def find_rule(name: str, here: File) -> tuple[Found, Rule]:
    """Resolve `rule` or `game/rule` to a rule and its game."""
    folder, _, own = name.replace("\\", "/").rpartition("/")
    if folder:
        return rule_of(readable(named_game(folder, here), here), own)
    near = nearest_game(here)
    found = readable(near, here) if near else None
    if found and (rule := found.rule(own)):
        return found, rule
    return only_rule(own, here)


def rule_of(found: Found, name: str) -> tuple[Found, Rule]:
    rule = found.rule(name)
    if rule is None:
        raise Stop(hint(f"{found.name} has no rule «{name}»", suggest(name, found.game.rules)))
    return found, rule


def named_game(folder: str, here: File) -> File:
    """Find a game by its folder or page: relative to the book's root, to here, or as a unique ending of its path."""
    root = book_root(here)
    for base in (root, here):
        for file in (base / folder / FILE, base / folder):
            if file.is_file():
                return file
    files, parts = files_of_games(root), [part.lower() for part in folder.split("/")]
    found = [file for file in files if [part.lower() for part in place(file).parts][-len(parts) :] == parts]
    if len(found) == 1:
        return found[0]
    names = [game_name(file, root) for file in found or files]
    if found:
        raise Stop(one_of(f"there are {len(found)} games «{folder}»; write one of", [INDENT + name for name in names]))
    raise Stop(hint(f"there is no game «{folder}»", suggest(folder, names)))


def game_name(file: File, root: File) -> str:
    """The folder or page of a game, relative to the book's root if it is below it."""
    own = place(file)
    return own.relative_to(root).as_posix() if own.is_relative_to(root) and own != root else own.name


def place(file: File) -> File:
    """The folder of a game.toml, or the page itself."""
    return file.parent if file.name == FILE else file


def files_of_games(root: File) -> list[File]:
    """Every game.toml of a book; if there is none, the pages that define a game."""
    project = project_of(root)
    return list(games_below(root, project)) or list(pages_with_games(root, project))


def project_of(folder: File) -> Root:
    """The folders a book may read. Its options are read only when a file is outside the project."""

    def shared() -> tuple[File, ...]:
        from ..compile.options import read_options

        return read_options(folder, File.cwd()).shared

    return Root(project_folders(folder), shared)


def readable(file: File, here: File) -> Found:
    """Load a game; stop if it has errors."""
    game, problems = opened(file, here)
    if game is None:
        raise broken(problems) if problems else Stop(f"there is no game in {shown(file, here)}")
    return Found(game_name(file, book_root(here)), game)


def opened(file: File, here: File) -> tuple[Game | None, list[Problem]]:
    project = project_of(book_root(file.parent))
    if problem := project.problem_at(file, shown(file, here)):
        return None, [problem]
    return open_game(file, shown(file, here), None, project) if file.name == FILE else game_of_page(file, here)


def game_of_page(file: File, here: File) -> tuple[Game | None, list[Problem]]:
    from ..book.parser import read_page  # imported only for games in pages
    from ..compile.book import open_page
    from ..compile.games import game_in_page

    source, problem = open_page(file, here)
    return (None, [problem]) if problem else game_in_page(read_page(source), game_name(file, book_root(here)))


def broken(problems: Iterable[Problem]) -> Stop:
    return Stop(f"a game with mistakes cannot be played\n\n{format_problems(problems)}", SOMETHING_WRONG)


def shown(file: File, here: File) -> str:
    """The path to print: relative to the current folder, with `/`."""
    return relpath(file, here).replace("\\", "/")


def only_rule(name: str, here: File) -> tuple[Found, Rule]:
    """The rule of this name, if exactly one game of the book has it."""
    games, problems = read_games(here)
    found = [(game, rule) for game in games if (rule := game.rule(name))]
    if len(found) == 1:
        return found[0]
    if found:
        raise Stop(one_of(f"{len(found)} games have a rule «{name}»; write one of", listed(found)))
    if problems or not games:
        raise nothing(problems)
    rules = dict.fromkeys(own for found in games for own in found.game.rules)
    raise Stop(hint(f"no game here has a rule «{name}»", suggest(name, rules)))


def every_rule(here: File) -> Stop:
    """The error for a missing rule name: a list of all rules."""
    games, problems = read_games(here)
    rules = [(found, rule) for found in games for rule in found.game.rules.values()]
    return Stop(one_of("which rule? Write one of", listed(rules))) if rules else nothing(problems)


def nothing(problems: Sequence[Problem]) -> Stop:
    said = f"there is no {FILE} here, above or below, and no page with a game"
    return broken(problems) if problems else Stop(said)


def read_games(here: File) -> tuple[list[Found], list[Problem]]:
    """All games of the book that can be loaded, and the problems of the others."""
    near, root = nearest_game(here), book_root(here)
    games: list[Found] = []
    problems: list[Problem] = []
    for file in dict.fromkeys([near, *games_below(root, project_of(root))] if near else files_of_games(root)):
        game, wrong = opened(file, here)
        games += [Found(game_name(file, root), game)] if game else []
        problems += wrong
    return games, problems


def listed(rules: Sequence[tuple[Found, Rule]]) -> list[str]:
    """Rules as `game/rule` with their titles, one per line."""
    names = [f"{found.name}/{rule.name}" for found, rule in rules]
    room = max(map(cells, names), default=0)
    titles = [found.title(rule) for found, rule in rules]
    return [f"{INDENT}{pad(name, room)}{INDENT}{title}" for name, title in zip(names, titles, strict=True)]
