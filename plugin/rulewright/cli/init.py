"""`rulewright init`: the options and a first game for a folder of pages, by interview."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path as File

from ..adopt.gallery import format_string
from ..adopt.game_text import sample_rule, samples, write_game
from ..adopt.guess_dice import Family
from ..adopt.interview import (
    Answers,
    Question,
    complete,
    default_of,
    expectation,
    family_text,
    next_question,
    read_answer,
    suggest_answers,
)
from ..adopt.survey import FIRST_PAGE, BookSurvey, detect_book, survey_book, write_first_page
from ..compile.games import display_path
from ..compile.installers import find_installers
from ..compile.options import root_of
from ..compile.settings import NAME
from ..compile.write_mkdocs_yml import (
    PLUGIN_LINES,
    SUMMARY,
    add_plugin,
    convert_summary,
    exclude_games,
    has_plugin,
    make_settings,
)
from ..paths import relative_path
from ..project import GAME_FILE, PYPROJECT, SITE_SETTINGS, BookPlace, find_repository_above, has_index
from ..render.export import write_atomically
from ..render.reports import count
from ..source import LINE_BREAK
from .check import paint
from .gallery_names import require_known_game
from .game_preview import GamePreview
from .invocation import as_started
from .prompt import QUIT_MESSAGE, Prompter, QuitError, choice_lines
from .terminal import INDENT, NOTHING_WRONG, CommandError, Screen, pad, progress

_MAX_DICE = 4  # dice codes in the report
_EXTENSION_LINES = f"[project.markdown_extensions]\n{NAME} = {{}}"  # in zensical.toml
_MAX_MECHANICS = 3  # of those that explain the examples
_MAX_LINES = 30  # of a new file
_MAX_PLACES = 5  # places of examples in the report


@dataclass(frozen=True)
class _Edit:
    """A file to write: a new one, or one that changes."""

    file: File
    before: bytes | None
    after: bytes


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    require_known_game(options.game)
    survey = survey_book(detect_book(here), here, progress(sys.stderr))
    if not survey.pages:
        raise CommandError("there are no pages here; `rulewright new FOLDER` starts a new book")
    screen.print(*_survey_lines(survey, here), "")
    is_silent = options.yes or (options.game and not sys.stdin.isatty())
    prompter = Prompter(screen, sys.stdin, takes_defaults=bool(is_silent))
    try:
        preview = _make_game(survey, options, here, prompter, screen)
        edits = [*_game_edits(survey, preview), *_option_edits(survey, here, prompter, screen)]
        screen.print(*_index_lines(survey, here))
        if edits and not prompter.confirm(f"Write {_join_paths(edits, here)}?"):
            raise QuitError
    except QuitError:
        screen.print(QUIT_MESSAGE)
        return NOTHING_WRONG
    _write_all(edits, survey.place, here)
    screen.print(*([f"wrote {_join_paths(edits, here)}"] if edits else ["nothing has to be written"]))
    site = next((edit.file for edit in edits if edit.file.name in SITE_SETTINGS), _site_settings(survey))
    screen.print("next:", *_next_lines(survey, preview, here, site), *(_installer_lines(survey, here) if site else ()))
    return NOTHING_WRONG


def _survey_lines(survey: BookSurvey, here: File) -> Iterator[str]:
    """What kind of book it is, and what its pages say about dice."""
    folder = display_path(survey.place.pages, here)
    where = "" if folder == os.curdir else f" in {folder}/"
    pages = "" if survey.kind == "a single page" else f", {count(survey.pages, 'page')}{where}"
    yield f"{survey.kind}{pages}: {survey.title}"
    if survey.dice:
        named = [f"{code} {number:,}" for code, number in survey.dice[:_MAX_DICE]]
        named[0] += " times" if survey.dice[0][1] > 1 else " time"
        yield f"{INDENT}dice named most often: {', '.join(named)}"
    if survey.family and not survey.mechanic:
        yield _family_line(survey.family)
    if survey.examples:
        fits = ", ".join(f"{name} fits {number}" for name, number in survey.mechanics[:_MAX_MECHANICS])
        of_these = f"; {fits}" if fits else ""
        yield f"{INDENT}{count(len(survey.examples), 'example')} of a roll in the text{of_these}"
        yield from (f"{INDENT * 2}{place}" for place in survey.examples[:_MAX_PLACES])
        if len(survey.examples) > _MAX_PLACES:
            more = len(survey.examples) - _MAX_PLACES
            yield as_started(f"{INDENT * 2}… and {more} more: `rulewright adopt` lists them all")


def _family_line(family: Family) -> str:
    return f"{INDENT}{family.sentences} sentences speak of {family_text(family.answers)}"


def _make_game(
    survey: BookSurvey, options: Namespace, here: File, prompter: Prompter, screen: Screen
) -> GamePreview | None:
    """The first game, from the gallery or by interview; None if the book has one."""
    if survey.games:
        screen.print(
            f"{display_path(survey.games[0], here)} has a game already, so there are no questions about it", ""
        )
        return None
    if options.game:
        answers = complete({"family": "gallery", "game": options.game, "title": survey.title}, {})
    else:
        family = survey.family.answers if survey.family else {}
        defaults = {**suggest_answers(survey.mechanic, family), **survey.outcome_names, "title": survey.title}
        if prompter.takes_defaults and "family" not in defaults:
            screen.print(*map(as_started, _NO_FAMILY), "")
            return None
        answers = _interview(defaults, prompter, screen)
    preview = _preview(answers)
    screen.print(*_game_lines(survey, preview, here, screen))
    return preview


_NO_FAMILY = (
    "The pages do not say clearly which dice the game rolls, so there is no game yet.",
    "Run `rulewright init` without --yes to answer, or name a mechanic with --game.",
)


def _interview(defaults: Answers, prompter: Prompter, screen: Screen) -> Answers:
    """Ask all questions; each answer shows the odds of the game so far."""
    answers: dict[str, str] = {}
    screen.print(f"A few questions make a first {GAME_FILE}.", "Enter takes the answer in brackets, q quits.", "")
    while question := next_question(answers):
        only = question.only_answer(answers)
        answers[question.name] = only or _ask(question, answers, defaults, prompter, screen)
        if not only and question.name != "title":
            screen.print("", *_preview(complete(answers, defaults)).odds_lines(screen), "")
    screen.print("")
    return answers


def _ask(question: Question, answers: Answers, defaults: Answers, prompter: Prompter, screen: Screen) -> str:
    choices, default = question.choices(answers), default_of(question, answers, defaults)
    if prompter.takes_defaults and not default:
        default = choices[0].value
    if len(choices) > 1:
        is_named = question.name in ("game", "sides", "names") or not all(choice.text for choice in choices)
        entries = [(choice.value if is_named else "", choice.text) for choice in choices]
        screen.print(question.text, *choice_lines(entries))
        number = next((n for n, choice in enumerate(choices, 1) if choice.value == default), 0)
        prompt, shown = "Your answer", str(number) if number else default
    else:
        prompt, shown = question.text.format(" and ".join(choices[0].value.rsplit(", ", 1))), default
    return prompter.ask(
        prompt, shown, lambda text: read_answer(question, answers, text), expectation(question, answers)
    )


def _preview(answers: Answers) -> GamePreview:
    return GamePreview(write_game(answers), sample_rule(answers), samples(answers))


def _game_lines(survey: BookSurvey, preview: GamePreview, here: File, screen: Screen) -> Iterator[str]:
    """The whole game, its odds, a sample roll, and an example block to paste."""
    yield screen.paint(display_path(survey.game_file, here), "title")
    yield from (f"{INDENT}{line}".rstrip() for line in preview.text.splitlines())
    yield from ("", screen.paint("Its odds", "title"), *preview.odds_lines(screen))
    report, block = preview.roll_lines(screen)
    yield from ("", screen.paint("A sample roll", "title"), *(f"{INDENT}{line}" for line in report[1:]))
    yield from ("", screen.paint("The same as an example, to paste into a page", "title"))
    yield from (*(f"{INDENT}{line}" for line in block), "")


def _game_edits(survey: BookSurvey, preview: GamePreview | None) -> list[_Edit]:
    return [_Edit(survey.game_file, None, preview.text.encode())] if preview else []


def _option_edits(survey: BookSurvey, here: File, prompter: Prompter, screen: Screen) -> list[_Edit]:
    """The changes of settings that this book needs; what cannot be edited surely is printed instead."""
    is_mdbook = survey.place.kind == "mdBook" and survey.place.pages.parent == survey.place.home
    if is_mdbook or (not survey.place.kind and survey.pages > 1):
        return _site_edits(survey, here, prompter, screen)
    if survey.place.kind == "Jekyll":
        screen.print(*map(as_started, _JEKYLL), "")
    if survey.place.kind == "MkDocs" and survey.place.settings:
        edit = _plugin_edit(survey.place.settings, here, screen)
        return [edit] if edit else []
    if (
        survey.place.kind == "Zensical"
        and survey.place.settings
        and NAME not in survey.place.settings.read_text("utf-8")
    ):
        shown = display_path(survey.place.settings, here)
        screen.print(f"{shown} is not changed; please add our extension to it:", *_indented(_EXTENSION_LINES), "")
    if not survey.output:
        return []
    file, lines = survey.place.home / PYPROJECT, f"[tool.rulewright]\nexclude = [{format_string(survey.output)}]\n"
    if not os.path.lexists(file):
        return [_Edit(file, None, lines.encode())]
    screen.print(f"{display_path(file, here)} is there already; please add these lines:", *_indented(lines), "")
    return []


def _site_edits(survey: BookSurvey, here: File, prompter: Prompter, screen: Screen) -> list[_Edit]:
    """Settings for a site of a folder of pages, and its first page if there is none.

    MkDocs wants its settings above the folder of the pages; nothing is written above a folder that is the project."""
    pages = survey.place.pages
    file = pages.parent / SITE_SETTINGS[0]
    if pages == survey.place.home and not find_repository_above(pages):
        screen.print(*map(as_started, _SEPARATE_FOLDER), "")
        return []
    if os.path.lexists(file):
        return []
    summary = pages / SUMMARY
    first = "" if has_index(pages) else FIRST_PAGE
    nav = convert_summary(summary.read_text("utf-8-sig", errors="replace"), pages, first) if summary.is_file() else ""
    edits = [_Edit(file, None, make_settings(survey.title, pages.name, nav).encode())]
    if first:
        contents = [(path, title) for path, title in survey.contents if not (nav and path == SUMMARY)]
        edits.append(_Edit(pages / FIRST_PAGE, None, write_first_page(survey.title, contents).encode()))
    for edit in edits:
        screen.print(screen.paint(display_path(edit.file, here), "title"), *_shorten(edit.after.decode()), "")
    question = f"Write {_join_paths(edits, here)} to publish these pages as a site with dice that roll?"
    return edits if prompter.confirm(question, "n" if survey.place.kind else "y") else []


def _shorten(text: str) -> list[str]:
    """The lines of a new file, without the middle of a long one."""
    lines = _indented(text)
    left_out = len(lines) - _MAX_LINES
    return lines if left_out <= 1 else [*lines[:_MAX_LINES], f"{INDENT}… and {left_out:,} more lines"]


_JEKYLL = (
    "Jekyll goes on publishing these pages, and shows blocks as code. Checking them needs no more than the game.",
    "For readers, `rulewright export html` makes one file with dice that roll; `rulewright help site` says what a site",
    "of MkDocs needs. There is no offer to write one here, because Jekyll's templates and includes are not Markdown.",
)
_SEPARATE_FOLDER = (
    "MkDocs publishes a folder inside the one that has its settings. To publish these pages as a site, move",
    f"them and {GAME_FILE} into a folder such as docs, and run `rulewright init` again.",
)


def _index_lines(survey: BookSurvey, here: File) -> Iterator[str]:
    """A site without a first page shows an error at its address."""
    if survey.place.kind == "MkDocs" and not has_index(survey.place.pages):
        folder = display_path(survey.place.pages, here)
        yield from (f"{folder} has no {FIRST_PAGE}: a site opens with it, so please write one", "")


def _site_settings(survey: BookSurvey) -> File | None:
    """The settings of the site that has the plugin."""
    settings = survey.place.settings if survey.place.kind == "MkDocs" else None
    return settings if settings and has_plugin(settings.read_text("utf-8", errors="replace")) else None


def _plugin_edit(settings: File, here: File, screen: Screen) -> _Edit | None:
    """The change of mkdocs.yml, which is shown; None if there is none, or none that is certain."""
    shown, before = display_path(settings, here), settings.read_bytes()
    with suppress(UnicodeDecodeError):
        text = before.decode("utf-8")
        if has_plugin(text):
            return None
        after = None if settings.is_symlink() else add_plugin(text)
        if after is not None:
            excluded = exclude_games(after)
            if excluded is None and GAME_FILE not in after:
                screen.print(
                    f"please add {GAME_FILE} to `exclude_docs` in {shown}: else the site publishes its data", ""
                )
            after = excluded or after
            old, new = (LINE_BREAK.split(version.rstrip("\r\n")) for version in (text, after))
            diff = unified_diff(old, new, shown, shown, lineterm="")
            screen.print(*(paint(line, screen) for line in diff), "")
            return _Edit(settings, before, after.encode())
    screen.print(f"{shown} is not changed; please add the plugin rulewright to it:", *_indented(PLUGIN_LINES), "")
    return None


def _indented(text: str) -> list[str]:
    return [INDENT + line for line in text.splitlines()]


def _join_paths(edits: Sequence[_Edit], here: File) -> str:
    *others, last = (display_path(edit.file, here) for edit in edits)
    return f"{', '.join(others)} and {last}" if others else last


def _write_all(edits: Sequence[_Edit], place: BookPlace, here: File) -> None:
    """Write all files or none. A file that appeared or changed in the meantime is left as it is.

    Only new settings of a site may be written above the book: see `_site_edits`."""
    written: list[_Edit] = []
    project = root_of(place.home, here).including(place.pages)
    try:
        for edit in edits:
            if edit.file.parent != place.home.parent and not project.contains(edit.file):
                raise CommandError(f"{display_path(edit.file, here)} is outside the project and is not written")
            _require_unchanged(edit, here)
            written.append(edit)
            write_atomically(edit.file, edit.after)
    except BaseException:
        for edit in written:
            _undo(edit)
        raise


def _require_unchanged(edit: _Edit, here: File) -> None:
    shown = display_path(edit.file, here)
    if edit.before is None and os.path.lexists(edit.file):
        raise CommandError(f"{shown} is there already and is left as it is")
    if edit.before is not None and edit.file.read_bytes() != edit.before:
        raise CommandError(f"{shown} was changed in the meantime and is left as it is; run this again")


def _undo(edit: _Edit) -> None:
    with suppress(OSError):
        if edit.file.read_bytes() != edit.after:
            return
        if edit.before is None:
            edit.file.unlink()
        else:
            write_atomically(edit.file, edit.before)


def _next_lines(survey: BookSurvey, preview: GamePreview | None, here: File, site: File | None) -> Iterator[str]:
    """The next three commands that make sense here, and what each is for."""
    steps = [("rulewright check", "looks for mistakes in all pages")]
    if not (preview or survey.games):
        steps.insert(0, ("rulewright init", "asks which dice you roll, because there is no game yet"))
    if preview:
        words = " ".join(f'{key}="{value}"' if " " in value else f"{key}={value}" for key, value in _inputs(preview))
        steps.append((f"rulewright odds {preview.rule.name} {words}", "exact chances"))
    adopts = ("rulewright adopt", "proposes blocks for the examples that it can read")
    place = shlex.quote(relative_path(site, here)) if site and site.parent != here else ""
    more = [(f"mkdocs serve -f {place}" if place else "mkdocs serve", "shows the site while you write")] if site else []
    more += [adopts] if survey.examples else []
    more += [("rulewright export html", "the book as one file, with dice that roll")]
    steps += [step for step in more if step not in steps][: 3 - len(steps)]
    steps = [(as_started(command), purpose) for command, purpose in steps]
    room = max(len(command) for command, _ in steps)
    yield from (f"{INDENT}{pad(command, room)}{INDENT}{purpose}" for command, purpose in steps)


def _installer_lines(survey: BookSurvey, here: File) -> Iterator[str]:
    """The files that have to install Rulewright where the site is built, each with what to add."""
    home = survey.place.home
    installers = list(find_installers([home, find_repository_above(home) or home]))
    if installers:
        yield "where the site is built, Rulewright has to be installed, too; add it to"
        yield from (f"{INDENT}{display_path(file, here)}: {requirement}" for file, requirement in installers)


def _inputs(preview: GamePreview) -> Sequence[tuple[str, str]]:
    return list(preview.typical.inputs.items())
