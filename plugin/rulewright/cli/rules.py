"""What was asked for: the rule that a name on the command line means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path as File

from ..compile.page_tables import open_game
from ..game.find import FILE, book_root, games_below, nearest_game, pages_with_games, project_folders
from ..game.model import Game, Rule
from ..publish.columns import visible
from ..publish.reports import text
from ..root import Root
from ..text import Problem, suggest
from .screen import INDENT, cells, pad
from .stop import SOMETHING_WRONG, Stop, hint, one_of
from .words import Asked, read_words, sides_of


@dataclass(frozen=True)
class Found:
    """A game, and by which folder it is known: from the book's root."""

    name: str
    game: Game

    def rule(self, name: str) -> Rule | None:
        """A rule by its name, in any letter case."""
        return next((rule for own, rule in self.game.rules.items() if own.lower() == name.lower()), None)

    def title(self, rule: Rule) -> str:
        """«Maelstrom · Action»."""
        return f"{self.game.title} · {rule.label}" if rule.label else self.game.title


def read_request(words: Sequence[str], judging: bool) -> Asked:
    """The rule that is named first, and what is asked of it."""
    here = File.cwd()
    clean = [visible(" ".join(word.split())) for word in words]
    if not clean or "=" in clean[0]:
        raise every_rule(here)
    found, rule = find_rule(clean[0], here)
    return read_words(Asked(found.name, found.title(rule), rule, sides_of(rule)), clean[1:], judging)


def find_rule(name: str, here: File) -> tuple[Found, Rule]:
    """The rule that `rule` or `game/rule` stands for, and its game."""
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
    """A game by its folder or its page: from the book's root, from here, or the only one in the book that ends so."""
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
    """The folder of a game, or its page, from the book's root where it lies below it."""
    own = place(file)
    return own.relative_to(root).as_posix() if own.is_relative_to(root) and own != root else own.name


def place(file: File) -> File:
    """A game.toml speaks for its folder, a page for itself."""
    return file.parent if file.name == FILE else file


def files_of_games(root: File) -> list[File]:
    """Every game.toml of a book; where there is none, the pages in which games stand."""
    project = project_of(root)
    return list(games_below(root, project)) or list(pages_with_games(root, project))


def project_of(folder: File) -> Root:
    """What may be read for a book; its options are read only when it uses folders elsewhere."""

    def shared() -> tuple[File, ...]:
        from ..compile.options import read_options

        return read_options(folder, File.cwd()).shared

    return Root(project_folders(folder), shared)


def readable(file: File, here: File) -> Found:
    """The game of a file without mistakes."""
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
    from ..book.read import read_page  # who rolls the dice of a game.toml does not wait for what reads pages
    from ..compile.books import open_page
    from ..compile.games import game_in_page

    source, problem = open_page(file, here)
    return (None, [problem]) if problem else game_in_page(read_page(source), game_name(file, book_root(here)))


def broken(problems: Iterable[Problem]) -> Stop:
    return Stop(f"a game with mistakes cannot be played\n\n{text(problems)}", SOMETHING_WRONG)


def shown(file: File, here: File) -> str:
    """A path as it is shown: from the current folder, with `/`."""
    return relpath(file, here).replace("\\", "/")


def only_rule(name: str, here: File) -> tuple[Found, Rule]:
    """The rule of this name that a single game of the book has."""
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
    """What can be asked for, when nothing was."""
    games, problems = read_games(here)
    rules = [(found, rule) for found in games for rule in found.game.rules.values()]
    return Stop(one_of("which rule? Write one of", listed(rules))) if rules else nothing(problems)


def nothing(problems: Sequence[Problem]) -> Stop:
    said = f"there is no {FILE} here, above or below, and no page with a game"
    return broken(problems) if problems else Stop(said)


def read_games(here: File) -> tuple[list[Found], list[Problem]]:
    """All games of the book that can be read, and the problems of the others."""
    near, root = nearest_game(here), book_root(here)
    games: list[Found] = []
    problems: list[Problem] = []
    for file in dict.fromkeys([near, *games_below(root, project_of(root))] if near else files_of_games(root)):
        game, wrong = opened(file, here)
        games += [Found(game_name(file, root), game)] if game else []
        problems += wrong
    return games, problems


def listed(rules: Sequence[tuple[Found, Rule]]) -> list[str]:
    """Rules as they are typed, with what they are called."""
    names = [f"{found.name}/{rule.name}" for found, rule in rules]
    room = max(map(cells, names), default=0)
    titles = [found.title(rule) for found, rule in rules]
    return [f"{INDENT}{pad(name, room)}{INDENT}{title}" for name, title in zip(names, titles, strict=True)]
