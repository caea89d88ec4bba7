"""Parses the arguments of `roll` and `odds`: finds the rule that is named, and reads its key=value inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File

from ..api.files import game_name, game_place, open_any_game, project_of, suggest_games
from ..api.request import RuleRequest, RulewrightError, Side, check_aim, key_of, record_keys, sides_of
from ..book.disk import is_file_on_disk
from ..book.settings import PIECE, Setting, parse_settings
from ..checks.roll_records import join_texts
from ..checks.written_settings import (
    INPUT,
    aim_setting,
    named_inputs,
    record_setting,
    setting_names,
    unknown_input_message,
    value_message,
)
from ..game.core import AIM, PICKED
from ..game.model import CONTEST_SIDES, Game, Input, Rule
from ..globs import matches_any
from ..paths import relative_path
from ..play.record import RECORD_KEYS
from ..play.spends import apply_untrained, gather_inputs
from ..play.validate import load_game_text
from ..project import (
    GAME_FILE,
    PYPROJECT,
    SITE_SETTINGS,
    find_game_file,
    find_game_pages,
    find_games,
    find_surrounding_book,
    include_all,
)
from ..render.reports import format_problems
from ..render.text_width import visible
from ..source import Problem, Source, Span, find_similar, suggest
from .terminal import INDENT, SOMETHING_WRONG, CommandError, pad, screen_width, with_choices, with_hint


def _parse_words(request: RuleRequest, words: Sequence[str], allow_record: bool) -> RuleRequest:
    """Parse the key=value arguments into a request; given dice are allowed only with `allow_record`."""
    keys: set[str] = set()
    for key, value in _read_settings(request, words):
        if key in keys:
            raise CommandError(f"{key} is given twice")
        keys.add(key)
        if key == AIM and key not in named_inputs(request.rule):
            request.aim = _parse_aim(request.rule, key, value)
        else:
            _store_argument(request, key, value, record_keys(request.rule) if allow_record else ())
    for side in request.sides:
        side.record = join_texts(side.rule, side.record)
        if "dice" not in side.record and side.record:
            raise CommandError(f"{key_of(side, next(iter(side.record)))}= goes with {key_of(side, 'dice')}=")
        if side.traits:
            _add_traits(side)
    return request


def _read_settings(request: RuleRequest, words: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """The settings as name and value, as players write them too. An argument such as `dice="1 4"` is one value."""
    keys = [record_setting(key_of(side, name)) for side in request.sides for name in _names_of_dice(side.rule)]
    others = (aim_setting(request.rule, AIM), Setting("seed", PIECE))
    keys += [key for key in others if key.name not in named_inputs(request.rule)]
    names = setting_names(request.rule, *keys)
    whole = re.compile(rf"({'|'.join(re.escape(key.name) for key in keys)})[=:]\s*([^\"]*\s[^\"]*)", re.IGNORECASE)
    text = "\n".join(whole.sub(r'\1="\2"', word) if whole.fullmatch(word) else word for word in words)
    for item in parse_settings(Span(Source("", text), 0, len(text)), names):
        if not item.name:
            raise CommandError(unknown_input_message(request.rule, "", item.value, ()))
        yield item.name.lower(), None if item.is_alone else item.value


def _names_of_dice(rule: Rule) -> Iterator[str]:
    """The arguments that only the dice can judge."""
    yield from (*record_keys(rule), "traits")
    yield from (entry.name for entry in rule.inputs if entry.form == PICKED)


def _add_traits(side: Side) -> None:
    """Set the inputs that follow from `traits=`; a given one must agree."""
    key = key_of(side, "traits")
    if side.rule.traits is None:
        names = ", ".join(entry.name for entry in side.rule.inputs)
        raise CommandError(f"{side.rule.name} takes no traits; write its inputs: {names}")
    terms, inputs, mistakes = gather_inputs(side.rule, side.traits)
    changed, more = apply_untrained(side.rule, terms, {**side.inputs, **inputs})
    if mistakes or more:
        raise CommandError(f"{key}: {[*mistakes, *more][0].message}")
    for name, value in {**inputs, **changed}.items():
        given = side.inputs.setdefault(name, value)
        if given.lower() != value.lower():
            raise CommandError(f"{key} gives {name} {value}, and {name}={given} says otherwise; leave one of them out")
    for entry in side.rule.inputs:
        if entry.name in side.inputs:
            _check_value(side, entry, side.inputs[entry.name])


def _store_argument(request: RuleRequest, key: str, value: str | None, record: Sequence[str]) -> None:
    """Store one argument as an input or as part of the record."""
    side, name = _find_side(request, key.removeprefix(f"{INPUT} "))
    entry = next((entry for entry in side.rule.settings if entry.name == name), None)
    if entry and (name not in record or key.startswith(f"{INPUT} ")):
        side.inputs[name] = _check_value(side, entry, value)
    elif name == AIM and request.rule.contest:
        side.aim = _parse_aim(side.rule, key, value)
    elif name == "traits" and value:
        side.traits = value
    elif name in record:
        side.record[name] = _record_value(name, key, value)
    else:
        raise CommandError(_unknown_input(side, name, record))


def _find_side(request: RuleRequest, key: str) -> tuple[Side, str]:
    if not request.rule.contest:
        return request.sides[0], key
    side, dot, name = key.partition(".")
    if not dot:
        raise CommandError(f"in a contest each side has its own: write first.{key}=… or second.{key}=…")
    if side not in CONTEST_SIDES:
        raise CommandError(f'there is no side "{side}"; the sides are first and second')
    return request.sides[CONTEST_SIDES.index(side)], name


def _check_value(side: Side, entry: Input, value: str | None) -> str:
    key, text = key_of(side, entry.name), "yes" if value is None and entry.form == "flag" else value
    if not text:
        raise CommandError(f"{key} needs a value; write {key}=…")
    if complaint := value_message(key, entry, text):
        raise CommandError(complaint)
    return text


def _record_value(name: str, key: str, value: str | None) -> str:
    if value is None:
        raise CommandError(f"{key} needs a value: {key}=…")
    if name == "declined" and not (value.isascii() and value.isdigit() and len(value) < 6):
        raise CommandError(f'{key} is the number of dice that were not thrown, not "{value}"')
    return value


def _unknown_input(side: Side, name: str, record: Sequence[str]) -> str:
    if name in RECORD_KEYS and name not in record:
        return f"odds do not depend on dice that are already rolled; {name}= belongs to rulewright roll"
    if name == "seed":
        return "the seed is an option; write --seed N"
    known = [entry.name for entry in side.rule.settings]
    suggestion = find_similar(name, [*known, *record, AIM])
    note = f"did you mean {suggestion}?" if suggestion else suggest(name, known)
    return with_hint(f'{side.rule.name} has no input "{name}"', note)


def _parse_aim(rule: Rule, key: str, value: str | None) -> str:
    if not value:
        raise CommandError(f"{key} needs a value; write {key}=…")
    try:
        return check_aim(rule, value)
    except RulewrightError as error:
        raise CommandError(str(error)) from None


def named_values(rule: Rule, inputs: Mapping[str, str]) -> dict[str, str]:
    """The names used instead of numbers, such as Hard, by input."""
    names = {}
    for entry in rule.inputs:
        text = inputs.get(entry.name, "").lower()
        name = next((name for name in (entry.names.named_numbers if entry.names else ()) if name.lower() == text), None)
        if name:
            names[entry.name] = name
    return names


class UnknownGameError(CommandError):
    """No game of the book has this name."""


@dataclass(frozen=True)
class _NamedGame:
    """A game and its name on the command line: its folder, relative to the book's root."""

    name: str
    game: Game

    def rule(self, name: str) -> Rule | None:
        """A rule by its name, in any letter case."""
        return next((rule for own, rule in self.game.rules.items() if own.lower() == name.lower()), None)

    def title(self, rule: Rule) -> str:
        return f"{self.game.title} · {rule.label}" if rule.label else self.game.title


def read_request(words: Sequence[str], allow_record: bool) -> RuleRequest:
    """Parse all arguments: the rule comes first, then its inputs."""
    here = File.cwd()
    clean = [visible(" ".join(word.split())) for word in words]
    if clean and (match := re.fullmatch(r"([^\s=?(&;,]+) ([^/]+)", clean[0])):
        clean[:1] = [match[1], match[2]]  # `"action pool 5"`
    if clean and (match := re.fullmatch(r"([^=?(&;,]+?)\s*[?&;,(]\s*(\w[\w.]*\s*=[^)]*)\)?", clean[0])):
        clean[:1] = [match[1], match[2]]  # `risk?pool=3`, as in a link, or `risk(pool=3)`
    if not clean or "=" in clean[0]:
        named, rule = _unnamed_rule(here)
    else:
        named, rule = _find_rule(clean.pop(0), here)
    return _parse_words(RuleRequest(named.name, named.title(rule), rule, sides_of(rule)), clean, allow_record)


def _find_rule(name: str, here: File) -> tuple[_NamedGame, Rule]:
    """Resolve `rule` or `game/rule` to a rule and its game."""
    folder, _, own = name.replace("\\", "/").rpartition("/")
    if folder:
        try:
            file = _find_game(folder, here)
        except UnknownGameError:
            if game := _gallery_game(folder):
                return _rule_of(game, own)
            raise
        return _rule_of(_load_game(file, here), own)
    near = find_game_file(here)
    named = _load_game(near, here) if near else None
    if named and (rule := named.rule(own)):
        return named, rule
    return _only_rule(own, here)


def _gallery_game(name: str) -> _NamedGame | None:
    """A game of the gallery, to try out where no game has its name."""
    from ..adopt.gallery import read_gallery

    entry = read_gallery().get(name.lower())
    game = load_game_text(entry.text, GAME_FILE, folder=entry.name)[0] if entry else None
    return _NamedGame(entry.name, game) if entry and game else None


def _rule_of(named: _NamedGame, name: str) -> tuple[_NamedGame, Rule]:
    rule = named.rule(name)
    if rule is None:
        raise CommandError(with_hint(f'{named.name} has no rule "{name}"', suggest(name, named.game.rules)))
    return named, rule


def _find_game(folder: str, here: File) -> File:
    """Find a game by its folder or page: relative to the book's root, to here, or as a unique ending of its path."""
    root = find_surrounding_book(here)
    for base in (root, here):
        for file in (base / folder / GAME_FILE, base / folder):
            if is_file_on_disk(str(file)):
                return file
    files, parts = _files_of_games(root), [part.lower() for part in folder.split("/")]
    matches = [file for file in files if [part.lower() for part in game_place(file).parts][-len(parts) :] == parts]
    if len(matches) == 1:
        return matches[0]
    names = [game_name(file, root) for file in matches or files]
    if matches:
        raise CommandError(
            with_choices(f'there are {len(matches)} games "{folder}"; write one of', [INDENT + name for name in names])
        )
    below = suggest_games(here / folder, here) or suggest_games(root / folder, here)
    raise UnknownGameError(with_hint(f'there is no game "{folder}"', below or suggest(folder, names)))


def _files_of_games(root: File) -> list[File]:
    """Every game.toml of a book; if there is none, the pages that define a game."""
    project, is_excluded = project_of(root), _exclusion(root)
    return list(find_games(root, project, is_excluded)) or list(find_game_pages(root, project, is_excluded))


def _exclusion(root: File) -> Callable[[File], bool]:
    """Whether a file is excluded from a book. Its options, slow to import, are read only if they may exclude any."""
    if not any(_may_exclude(folder / name) for folder in (root, *root.parents) for name in (PYPROJECT, *SITE_SETTINGS)):
        return include_all
    from ..compile.options import read_options

    patterns = read_options(root, File.cwd()).exclude
    return lambda file: matches_any(relative_path(file, root), patterns)


def _may_exclude(settings: File) -> bool:
    text = settings.read_bytes() if settings.is_file() else b""
    return b"rulewright" in text and b"exclude" in text


def _load_game(file: File, here: File) -> _NamedGame:
    """Load a game; stop if it has errors."""
    game, problems = open_any_game(file, here)
    if game is None:
        raise (
            _broken_game_error(problems)
            if problems
            else CommandError(f"there is no game in {relative_path(file, here)}")
        )
    return _NamedGame(game_name(file, find_surrounding_book(here)), game)


def _broken_game_error(problems: Iterable[Problem]) -> CommandError:
    return CommandError(f"a game with mistakes cannot be played\n\n{format_problems(problems)}", SOMETHING_WRONG)


def _only_rule(name: str, here: File) -> tuple[_NamedGame, Rule]:
    """The rule of this name, if exactly one game of the book has it."""
    games, problems = _read_games(here)
    candidates = [(game, rule) for game in games if (rule := game.rule(name))]
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise CommandError(
            with_choices(f'{len(candidates)} games have a rule "{name}"; write one of', _rule_list(candidates))
        )
    if not problems and (gallery_game := _gallery_game(name)):
        return gallery_game, next(iter(gallery_game.game.rules.values()))
    if problems or not games:
        raise _no_game_error(problems)
    rules = dict.fromkeys(own for named in games for own in named.game.rules)
    raise CommandError(with_hint(f'no game here has a rule "{name}"', suggest(name, rules)))


def _unnamed_rule(here: File) -> tuple[_NamedGame, Rule]:
    """The rule that is meant if none is named: the only one there is."""
    games, problems = _read_games(here)
    rules = [(named, rule) for named in games for rule in named.game.rules.values()]
    if len(rules) == 1:
        return rules[0]
    if rules:
        raise CommandError(with_choices("which rule? Write one of", _rule_list(rules)))
    raise _no_game_error(problems)


def _no_game_error(problems: Sequence[Problem]) -> CommandError:
    if problems:
        return _broken_game_error(problems)
    here = File.cwd()
    if below := suggest_games(here, here):
        pages = relative_path(find_surrounding_book(here), here)
        return CommandError(f"there is no game in the book, whose pages are in {pages}; {below} Write GAME/RULE")
    return CommandError(f"there is no {GAME_FILE} here, above or below, and no page with a game")


def find_named_games(names: Sequence[str], here: File) -> dict[str, Game]:
    """The games of these names, or all games of the book, by name."""
    found, problems = ([_load_game(_find_game(name, here), here) for name in names], []) if names else _read_games(here)
    if problems or not found:
        raise _no_game_error(problems)
    return {named.name: named.game for named in found}


def _read_games(here: File) -> tuple[list[_NamedGame], list[Problem]]:
    """All games of the book that can be loaded, and the problems of the others."""
    near, root = find_game_file(here), find_surrounding_book(here)
    games: list[_NamedGame] = []
    problems: list[Problem] = []
    files = [near, *find_games(root, project_of(root), _exclusion(root))] if near else _files_of_games(root)
    for file in dict.fromkeys(files):
        game, wrong = open_any_game(file, here)
        games += [_NamedGame(game_name(file, root), game)] if game else []
        problems += wrong
    return games, problems


def _rule_list(rules: Sequence[tuple[_NamedGame, Rule]]) -> list[str]:
    """Rules as `game/rule` with their titles, one per line."""
    names = [f"{named.name}/{rule.name}" for named, rule in rules]
    room = max(map(screen_width, names), default=0)
    titles = [named.title(rule) for named, rule in rules]
    return [f"{INDENT}{pad(name, room)}{INDENT}{title}" for name, title in zip(names, titles, strict=True)]
