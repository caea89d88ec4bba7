"""The reports of `rulewright check`: each format, the files they go to, and the summary of a step on GitHub."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path as File
from typing import Any

from ..compile.books import Compiled
from ..compile.games import display_path
from ..project import GAME_FILE, is_page_name
from ..render.assets import ASSETS_FOLDER, are_current, asset_files
from ..render.blocks_json import book_to_json
from ..render.digest import MAX_PER_PAGE, Digest, count_by, digest
from ..render.entry_text import count_hidden, format_entries
from ..render.fingerprints import IdentifiedProblem, find_repository, identify_problems
from ..render.reports import count, format_problem_counts
from ..render.scripts import DiceScripts
from ..render.strings import read_words
from ..source import Problem
from .invocation import as_started
from .streams import json_text
from .terminal import CommandError

_GITHUB_SUMMARY, _GITHUB_OUTPUT = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"
_FIX_ADVICE = re.compile(r"(?<= {6})\(rulewright check --fix writes it\)$", re.MULTILINE)
_MAX_NAMES = 5  # of pages in a list
_MAX_TOTALS = 8  # of codes and folders
_SHORT_REPORT = 10  # problems; totals would say nothing new
_MAX_SUMMARY_BYTES = 1_000_000  # GITHUB_STEP_SUMMARY may have 1,048,576


@dataclass(frozen=True)
class Report:
    """A checked book as a report shows it."""

    compiled: Compiled
    here: File
    is_partial: bool = False  # whether only some blocks were asked for
    color: bool = False
    printed: Collection[Problem] = ()  # problems that a report for people leaves out, as they were printed before
    site: str | None = None  # the folder of the finished site by whose pages links were judged
    each: bool = False  # whether problems with one cause are reported one by one

    @cached_property
    def identified(self) -> list[IdentifiedProblem]:
        """The problems with their paths in the repository."""
        return identify_problems(self.compiled.problems, self.here, find_repository(self.here, os.environ))

    @cached_property
    def identified_digest(self) -> Digest[IdentifiedProblem]:
        """The same in the order of a report, grouped by cause."""
        return digest(self.identified, lambda identified: identified.problem, self.each)

    def format(self, form: str) -> str:
        """The report in one of the formats, without a line break at its end."""
        return _WRITERS[form](self)


def _text(report: Report) -> str:
    problems = [problem for problem in report.compiled.problems if problem not in report.printed]
    digested = digest(problems, lambda problem: problem, report.each)
    listed = _FIX_ADVICE.sub(lambda match: as_started(match[0]), format_entries(digested.entries, report.color))
    return "\n".join([_with_summary(listed, report, digested), *_explain_line(problems)])


def _explain_line(problems: Iterable[Problem]) -> Iterator[str]:
    """Where to read about the most frequent problem; of several, about the first one."""
    codes = Counter(problem.code for problem in problems)
    if codes:
        yield as_started(f"for details: rulewright explain {codes.most_common(1)[0][0]}")


def _with_summary(output: str, report: Report, digested: Digest[Any]) -> str:
    summary = [*_folded_lines(digested), *_total_lines(report.compiled.problems)]
    summary += [_summary(report.compiled, report.is_partial), *_checked_line(report.compiled)]
    summary += _unchecked_lines(report.compiled)
    summary += [
        *_ignored_line(report.compiled),
        *_unread_line(report.compiled),
        *_dialect_line(report.compiled),
        *_media_lines(report.compiled),
        *_site_line(report),
    ]
    summary += [*_nav_lines(report.compiled), *_assets_lines(report), *_unbound_line(report.compiled)]
    return "\n".join([*([output, ""] if output else []), *summary])


def _folded_lines(digested: Digest[Any]) -> Iterator[str]:
    """What the report does not show, and how to see it."""
    folded = sum(count_hidden(entry.others) for entry in digested.entries)
    left_out = sum(digested.left_out.values())
    if left_out:
        pages = count_by(digested.left_out.elements(), lambda path: path, _MAX_NAMES)
        yield f"more than {MAX_PER_PAGE} messages on a page; left out: {pages}"
    if folded or left_out:
        yield as_started("`rulewright check --all` lists each problem")


def _total_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """The totals of a long report by code and by folder."""
    if len(problems) > _SHORT_REPORT:
        yield f"by code: {count_by(problems, lambda problem: problem.code, _MAX_TOTALS)}"
        folders = count_by(problems, lambda problem: problem.path.rpartition("/")[0] or ".", _MAX_TOTALS)
        yield f"by folder: {folders}"


def _assets_lines(report: Report) -> Iterator[str]:
    """Where the files for sites without our plugin are older than the games or this program."""
    for book in report.compiled.books:
        folder = book.games.root / ASSETS_FOLDER
        if folder.is_dir() and book.project.has_no_outside_links(folder):
            scripts = DiceScripts(book.games.by_folder, read_words(book.options.language), book.options.dice)
            if not are_current(folder, asset_files(scripts, book.all_games.values())):
                shown = display_path(folder, report.here)
                yield as_started(f"{shown} is out of date: `rulewright export assets` writes it again")


def _json(report: Report) -> str:
    site = {"site": {"folder": report.site, "missing": _missing_pages(report)}} if report.site else {}
    return json_text({**book_to_json(report.compiled, report.here), **site})


def _github(report: Report) -> str:
    from ..render.code_hosts import format_github, shown_annotations

    digested = report.identified_digest
    shown = shown_annotations(report.compiled.problems)
    return "\n".join([_with_summary(format_github(digested.entries), report, digested), *([shown] if shown else [])])


def _gitlab(report: Report) -> str:
    from ..render.code_hosts import format_gitlab

    return format_gitlab(report.identified)


def _sarif(report: Report) -> str:
    from ..render.sarif import format_sarif

    return format_sarif(report.identified_digest.entries)


def _markdown(report: Report, limit: int = 0) -> str:
    from ..render.markdown_report import format_markdown

    return format_markdown(report.compiled, report.identified_digest, limit)


def _badge(report: Report) -> str:
    from ..render.badge import format_badge

    return format_badge(report.compiled)


_WRITERS: dict[str, Callable[[Report], str]] = {
    "text": _text,
    "json": _json,
    "github": _github,
    "gitlab": _gitlab,
    "sarif": _sarif,
    "markdown": _markdown,
    "badge": _badge,
}


def check_report_folders(files: Iterable[str], here: File) -> None:
    """Stop before anything is checked if a report could not be written."""
    for name in files:
        if not (here / name).parent.is_dir():
            raise CommandError(
                f"there is no folder {File(name).parent.as_posix()}; make it first, or write -o elsewhere"
            )
        if (here / name).is_dir():
            raise CommandError(f"{name} is a folder; write -o with the name of a file")


def write_reports(report: Report, files: Mapping[str, str], printed: str) -> None:
    """Write the reports that go to files; if one is for GitHub, also its summary and outputs."""
    for name, form in files.items():
        text = replace(report, color=False).format(form) + "\n"
        write_report_file(File(os.path.normpath(report.here / name)), text, report.compiled)
    if "github" in (printed, *files.values()):
        _report_to_github(report, os.environ)


def write_report_file(file: File, text: str, compiled: Compiled) -> None:
    """Write a report atomically, but never over a page or a game; a device such as /dev/null is written as it is."""
    from ..render.export import write_atomically

    data = text.encode(errors="replace")
    is_source = file.name == GAME_FILE or file in {page.file for page in compiled.pages}
    if is_source and file.is_file():
        raise CommandError(f"{file.name} is part of the book; write the report into another file")
    if file.exists() and not file.is_file():
        file.write_bytes(data)
    else:
        write_atomically(file, data)


def _report_to_github(report: Report, environment: Mapping[str, str]) -> None:
    """Append to the summary and to the outputs of a step, if it runs on GitHub."""
    from ..render.code_hosts import format_step_outputs, shown_annotations

    if summary := environment.get(_GITHUB_SUMMARY):
        parts = (_markdown(report, _MAX_SUMMARY_BYTES), shown_annotations(report.compiled.problems), "")
        _append(summary, "\n\n".join(filter(None, parts)) + "\n\n")
    if output := environment.get(_GITHUB_OUTPUT):
        _append(output, format_step_outputs(report.compiled.problems))


def _append(name: str, text: str) -> None:
    with File(name).open("ab") as file:
        file.write(text.encode(errors="replace"))


def require_content(compiled: Compiled) -> None:
    """Stop if there was nothing to check, because a check of the wrong folder should not pass."""
    is_empty = not any(book.games.files or book.pages or book.characters for book in compiled.books)
    if is_empty and not compiled.problems:
        raise CommandError(
            f"nothing to check: there is neither a page nor a {GAME_FILE} at or below this place; "
            "name a folder with pages (.md), or write rulewright new my-book"
            + "".join(f" ({line})" for line in _unread_line(compiled))
        )


def _summary(compiled: Compiled, is_partial: bool) -> str:
    """The summary: "5 games, 11 rules, 7 pages, 42 blocks, no problems". Of a partial check, games are not counted."""
    game_files = [file for book in compiled.books for file in book.games.files]
    games_found = [game for book in compiled.books for game in book.all_games.values()]
    rules, alone = sum(len(game.rules) for game in games_found), sum(game.is_inline for game in games_found)
    played = [] if is_partial else [count(len(game_files) + alone, "game"), count(rules, "rule")]
    pages = [count(len(compiled.pages), "page"), count(len(compiled.blocks), "block")] if compiled.pages else []
    pages += [count(len(compiled.characters), "character")] if compiled.characters else []
    books = [f"{len(compiled.books)} books"] if len(compiled.books) > 1 else []
    return ", ".join([*books, *played, *pages, format_problem_counts(compiled.problems)])


def _checked_line(compiled: Compiled) -> Iterator[str]:
    """The line "looked at 1,117 averages, 5,628 links"."""
    if phrases := [count_phrase(number, things) for things, number in compiled.checked_counts.items()]:
        yield f"looked at {', '.join(phrases)}"


def _unchecked_lines(compiled: Compiled) -> Iterator[str]:
    """Examples of rolls in a book without a game: no block can check them yet. Of several books, by folder."""
    for book in compiled.books:
        examples = 0 if book.games.files or book.all_games else sum(page.prose_examples for page in book.pages)
        if examples:
            where = f" in {display_path(book.games.root, File.cwd())}" if len(compiled.books) > 1 else ""
            yield as_started(f"{count(examples, 'example')} of a roll{where}, none checked: `rulewright init`")


def _unbound_line(compiled: Compiled) -> Iterator[str]:
    """The line "3 of 40 numbers in the text are not tied to a rule; `rulewright coverage --all` lists them"."""
    from ..checks.coverage import UNBOUND, count_states  # its modules read prose

    numbers = compiled.coverage
    if unbound := count_states(numbers)[UNBOUND]:
        verb, things = ("is", "it") if unbound == 1 else ("are", "them")
        fact = f"{unbound:,} of {count_phrase(len(numbers), 'numbers')} in the text {verb} not tied to a rule"
        yield as_started(f"{fact}; `rulewright coverage --all` lists {things}")


def _ignored_line(compiled: Compiled) -> Iterator[str]:
    """The line "ignored: 12 problems, by comments or by the option `ignore`", and one about a baseline."""
    if ignored := sum(page.ignored_count for page in compiled.pages):
        yield f"ignored: {count(ignored, 'problem')}, by comments or by the option `ignore`"
    baselines = {
        book.options.baseline.source.path: book.options.baseline for book in compiled.books if book.options.baseline
    }
    for path, baseline in baselines.items():
        yield f"known: {count(baseline.entries.total(), 'problem')}, listed in {path}"


def _unread_line(compiled: Compiled) -> Iterator[str]:
    """The line "not read: 3 .rst, 1 .md beside the book"; nothing if all pages were read."""
    suffixes = Counter(
        f"{file.suffix.lower()}{' beside the book' * is_page_name(file.name)}" for file in compiled.unread
    )
    if suffixes:
        yield f"not read: {', '.join(f'{number} {suffix}' for suffix, number in sorted(suffixes.items()))}"


def _nav_lines(compiled: Compiled) -> Iterator[str]:
    """What the navigation lacks, in short; `--info` reports it in full."""
    problems = [problem for book in compiled.books if not book.with_info for problem in book.nav_problems]
    yield from (f"{problem.path}:{problem.line}: {problem.message}" for problem in problems[:_MAX_NAMES])
    if len(problems) > _MAX_NAMES:
        more = len(problems) - _MAX_NAMES
        yield as_started(f"… and {more} more about nav: `rulewright check --info` lists them all")


def _dialect_line(compiled: Compiled) -> Iterator[str]:
    """The line "links read as Obsidian writes them: 98 of 100 paths lead to a file". Of several books, by folder."""
    for book in compiled.books:
        rules, name = book.link_rules, book.link_rules.dialect.display_name
        shown = [f"as {name} writes them"] if name else []
        shown += [f"from {', '.join(rules.dialect.roots)}"] if rules.dialect.roots else []
        fit = f": {rules.explained:,} of {rules.looked_at:,} paths lead to a file" if rules.looked_at else ""
        if shown or fit:
            where = f" in {display_path(book.games.root, File.cwd())}" if len(compiled.books) > 1 else ""
            yield f"links{where} read {', '.join(shown) or 'as plain Markdown'}{fit}"


def _media_lines(compiled: Compiled) -> Iterator[str]:
    """The line "5 links to pictures and downloads not checked: …"; `--info` lists them. Of several books, each."""
    for book in compiled.books:
        question = "" if book.with_info else book.link_rules.questions.get("media", "")
        remarks = [
            problem for page in book.pages for problem in page.problems if question and problem.cause == question
        ]
        if number := len(book.options.compare_with_baseline(remarks)):
            where = f" in {display_path(book.games.root, File.cwd())}" if len(compiled.books) > 1 else ""
            fact = f"{count(number, 'link')} to pictures and downloads{where} not checked"
            yield as_started(f"{fact}: the folder has none of these files; `rulewright check --info` lists them")


def _site_line(report: Report) -> Iterator[str]:
    """The line "links judged by the pages of site; 2 pages are not there: draft.md, old.md"."""
    if report.site:
        names = _missing_pages(report)
        more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
        verb, listed = "is" if len(names) == 1 else "are", ", ".join(names[:_MAX_NAMES])
        missing = f"; {count(len(names), 'page')} {verb} not there: {listed}{more}" if names else ""
        yield f"links judged by the pages of {report.site}{missing}"


def _missing_pages(report: Report) -> list[str]:
    """The pages that the finished site does not have."""
    return [page.page.source.path for book in report.compiled.books for page in book.unpublished]


def count_phrase(number: int, things: str) -> str:
    """A count with its noun; the plural s is at the end, or before "with" or "of"."""
    name, link, more = re.match(r"(.*?)( (?:with|of) |$)(.*)", things).groups()  # type: ignore[union-attr]
    return f"{number:,} {name.removesuffix('s') if number == 1 else name}{link}{more}"
