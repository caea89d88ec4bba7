"""The options of a book: what its settings mean; unknown or wrong ones are reported."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import Any, NamedTuple

from ..book.page import BLOCK_KINDS, Page
from ..globs import matches_any
from ..lint.interface import Check
from ..lint.registry import select_checks
from ..paths import relative_path
from ..project import project_folders
from ..root import Root
from ..source import Problem, Span, find_similar
from .baseline import Baseline, BaselineError, read_baseline
from .extensions import Extensions, load_extensions
from .problem_families import FAMILIES, GROUPS, LINT_GROUPS, OWN_LINKS, is_code
from .settings import OPTION_NAMES, Setting, read_settings

_NO_PAGE_OF_HOST = "**/*.mdx"  # MkDocs makes no page of it
_FAILING_SEVERITIES = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
_READING_GROUPS = ("names", "prose", *LINT_GROUPS)  # what judges sentences and tables that are not blocks
_HOST_FAMILIES = ("comment", "heading", "link", "nav", "page")  # in a build the business of the host
_LINK_CODES = ("link-missing", "link-dialect", "link-label", "link-moved")
_EXPORT_FORMATS = ("pdf", "html", "epub", "zip")  # of the exported book
ON, _OFF = ("on", "yes", "true"), ("off", "no", "false")
_SWITCHES = ("colophon", "coverage", "dark", "dice", "offline", "policy", "reference")  # on or off; off unless given
HOST, COMMONMARK = "host", "commonmark"  # who renders a page: the Markdown of the site, or Rulewright
CHOICES = {
    "fail_on": tuple(_FAILING_SEVERITIES), "paper": ("a4", "a5", "letter"), "columns": ("1", "2"),
    "markdown": (HOST, COMMONMARK), "anchors": (HOST, "add"), **dict.fromkeys(_SWITCHES, (*ON, *_OFF)),
}  # fmt: skip
# Options whose values are stored unchanged.
_PLAIN_OPTIONS = ("fail_on", "anchors", "language", "title", "version", "paper", "columns", "since")
_PATH_OPTIONS = {
    "terms": "terms lists pages",
    "exclude": "exclude lists pages and folders",
    "commonmark": "commonmark lists pages and folders",
}  # options whose values are paths, relative to the folder of the pages
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]+)*")


class IgnoredPath(NamedTuple):
    """An entry of `ignore`: the pages that a pattern names may have problems with a code."""

    pattern: str
    code: Span


@dataclass(frozen=True)
class Options:
    """The options of a book, and the problems of their settings."""

    fail_on: str = "error"
    checks: dict[str, bool] = field(default_factory=dict)  # codes and groups that are switched on or off
    problems: tuple[Problem, ...] = ()
    markdown: str = HOST  # who renders pages that say nothing themselves
    commonmark: tuple[str, ...] = ()  # the pages and folders that Rulewright renders
    anchors: str = HOST  # "add": headings also get the ids that links in other dialects use
    language: str = "en"
    title: str = ""  # of the exported book; by default that of the first page
    version: str = ""
    paper: str = "a4"
    columns: str = "1"
    dark: bool = False
    dice: bool = False  # whether dice in sentences and tables can be rolled
    policy: bool = False  # whether the site has a content security policy
    colophon: bool = False  # whether each book ends with a line about what was checked
    reference: bool = False  # whether the site has pages about its rules, its terms and its state
    coverage: bool = False  # whether the site has a page about the numbers in its text
    exports: tuple[str, ...] = ()  # the forms to download from the site
    offline: bool = False  # whether the site works offline after a visit
    terms: tuple[str, ...] = ()  # the pages whose definition lists explain words to readers
    exclude: tuple[str, ...] = ()  # pages and folders that are not part of the book
    ignore: tuple[IgnoredPath, ...] = ()  # known problems by path
    baseline: Baseline | None = None  # known problems by page and line
    since: str = ""  # the previous edition: an absolute folder or a Git revision
    left_to_host: tuple[str, ...] = ()  # families of problems that the host reports
    shared: tuple[File, ...] = ()  # folders outside the project that the book may use
    extensions: Extensions = field(default_factory=Extensions, compare=False)  # what other packages add

    @property
    def lints(self) -> tuple[Check, ...]:
        """The lints that are switched on, ours first."""
        others = (lint for lint in self.extensions.lints if self.is_group_enabled(lint.name))
        return (*select_checks(self.is_group_enabled), *others)

    @property
    def judges_links(self) -> bool:
        """Whether any problem of a Markdown link is reported; a build leaves all of them to the host."""
        return any(map(self.is_enabled, _LINK_CODES))

    def renderer_of(self, path: str, page: Page) -> str:
        """Who renders a page: what its front matter says, else the pages that `markdown` lists, else the site."""
        own = page.meta.get("markdown")
        if own and own.text in (HOST, COMMONMARK):
            return own.text
        return COMMONMARK if matches_any(path, self.commonmark) else self.markdown

    def is_enabled(self, code: str) -> bool:
        """Whether problems with this code are reported: its own switch wins over that of its group."""
        family = code.partition("-")[0]
        group = self.extensions.find_name(code) or next(
            (name for name, families in GROUPS.items() if family in families), ""
        )
        is_ours = family not in self.left_to_host or code in OWN_LINKS
        return self.checks.get(code, self.checks.get(group, is_ours))

    def is_group_enabled(self, group: str) -> bool:
        """Whether the group, or at least one code of it, is on."""
        return self.checks.get(group, True) or any(
            on and code.startswith(f"{group}-") for code, on in self.checks.items()
        )

    def for_build(self) -> Options:
        """The options of a build: links and headings are left to the host, and only blocks and games are judged.

        `fail_on: warning` asks for sentences and tables too; a check that is switched on asks for itself.
        """
        groups = () if self.fail_on == "warning" else (*_READING_GROUPS, *(lint.name for lint in self.extensions.lints))
        checks = {**dict.fromkeys(groups, False), **self.checks}
        return replace(self, checks=checks, left_to_host=_HOST_FAMILIES, exclude=(*self.exclude, _NO_PAGE_OF_HOST))

    def enabled_problems(self, problems: Iterable[Problem]) -> list[Problem]:
        """The problems that are switched on."""
        return [problem for problem in problems if self.is_enabled(problem.code)]

    def compare_with_baseline(self, problems: Iterable[Problem], paths: Sequence[str] = ()) -> list[Problem]:
        """The problems that are switched on and not in the baseline, and a remark (`ignore-baseline`) for each of its
        entries that no problem on the pages at `paths` has any more."""
        enabled = self.enabled_problems(problems)
        if self.baseline is None:
            return enabled
        return [*self.baseline.without_known(enabled), *self.baseline.unused_entries(enabled, paths)]

    def has_failure(self, problems: Iterable[Problem], strict: bool = False) -> bool:
        """Whether one of the problems makes the command fail."""
        severities = _FAILING_SEVERITIES["warning" if strict else self.fail_on]
        return any(problem.severity in severities for problem in problems)


def read_options(folder: File, here: File, site: File | None = None, given: str = "") -> Options:
    """Read the options of a book. `site` is its mkdocs.yml, by default the nearest one; `given` are more, as YAML."""
    settings, extensions = (
        read_settings(folder, here, site, given),
        load_extensions({*GROUPS, *FAMILIES, *BLOCK_KINDS}),
    )
    values, checks = dict[str, str](), dict[str, bool]()
    problems = [*settings.problems, *extensions.problems]
    lists, files = dict[str, tuple[str, ...]](), dict[str, Setting]()
    for setting in settings.entries:
        if setting.name not in OPTION_NAMES:
            problems.append(_unknown_problem("option", setting, OPTION_NAMES))
        elif setting.name == "checks":
            problems += _parse_checks(checks, setting, extensions)
        elif setting.name == "exports":
            problems += _check_formats(setting)
            values["exports"] = ",".join(_parse_formats(setting))
        elif setting.name in ("shared", "baseline"):
            files[setting.name] = setting  # the last one counts
        elif setting.name in _PATH_OPTIONS:
            lists[setting.name], wrong = _parse_paths(setting)
            problems += wrong
        elif setting.name == "markdown" and setting.inner is not None:
            lists["commonmark"], wrong = _parse_commonmark(setting)
            problems += wrong
        elif setting.name == "since":
            values["since"], wrong = _parse_edition(setting, here)
            problems += wrong
        elif bad := _check_value(setting):
            problems.append(bad)
        else:
            choices = CHOICES.get(setting.name)
            values[setting.name] = str(setting.value).lower() if choices else str(setting.value)
    project = project_folders(folder, site)
    shared, wrong = _parse_shared_folders(files["shared"], project[0]) if "shared" in files else ((), [])
    ignore, wrong_ignores = _parse_ignored(setting for setting in settings.entries if setting.name == "ignore")
    options = _make_options(values, checks, lists, (*problems, *wrong, *wrong_ignores))
    options = replace(options, shared=shared, ignore=ignore, extensions=extensions)
    root = Root(project, lambda: shared)
    return _with_baseline(options, files["baseline"], here, root) if "baseline" in files else options


def _with_baseline(options: Options, setting: Setting, here: File, root: Root) -> Options:
    """The options with the baseline that a setting names, seen from its file."""
    home, name = (here / setting.span.source.path).parent, setting.value
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        wrong = _wrong_value(setting, "baseline is the path of a file, such as known.json")
        return replace(options, problems=(*options.problems, wrong))
    file = File(os.path.normpath(home / name))
    try:
        if refusal := root.including(home).find_refusal(file):
            raise BaselineError(refusal.message)
        return replace(options, baseline=read_baseline(file, here))
    except BaselineError as error:
        is_missing = not refusal and not os.path.lexists(file)
        repair = f"; rulewright check --write-baseline {relative_path(file, here)} writes one" if is_missing else ""
        wrong = Problem("option-baseline", f"{name}: {error}{repair}", setting.span)
        return replace(options, problems=(*options.problems, wrong))


def root_of(folder: File, here: File, site: File | None = None) -> Root:
    """The folders a book may read and write. Its options are read only when a file is outside the project."""
    return Root(project_folders(folder, site), lambda: read_options(folder, here, site).shared)


def _parse_shared_folders(setting: Setting, project: File) -> tuple[tuple[File, ...], list[Problem]]:
    """Parse `shared`: one or several folders, relative to the project."""
    names = setting.value if isinstance(setting.value, list) else [setting.value]
    if not all(isinstance(name, str) and name and "\0" not in name for name in names):
        return (), [_wrong_value(setting, "shared is a list of folders, relative to the project")]
    folders = {name: File(os.path.normpath(project / name)) for name in names}
    missing = [name for name, folder in folders.items() if not folder.is_dir()]
    problems = [
        Problem("option-value", f'shared: there is no folder "{name}" in {project.as_posix()}', setting.span)
        for name in missing
    ]
    return tuple(folder for name, folder in folders.items() if name not in missing), problems


def _make_options(
    values: dict[str, str], checks: dict[str, bool], lists: dict[str, tuple[str, ...]], problems: tuple[Problem, ...]
) -> Options:
    known: dict[str, Any] = {name: values[name] for name in (*_PLAIN_OPTIONS, "markdown") if name in values}
    known |= {name: values.get(name, "").lower() in ON for name in _SWITCHES}
    return Options(
        checks=checks,
        problems=problems,
        exports=tuple(form for form in _EXPORT_FORMATS if form in values.get("exports", "").split(",")),
        terms=lists.get("terms", ()),
        exclude=lists.get("exclude", ()),
        commonmark=lists.get("commonmark", ()),
        **known,
    )


def _parse_edition(setting: Setting, here: File) -> tuple[str, list[Problem]]:
    """Parse `since`: a folder relative to the settings file, or a Git revision."""
    from .editions import edition_error, find_folder

    name, base = str(setting.value), (here / setting.span.source.path).parent
    if wrong := edition_error(name, base):
        return "", [Problem("option-value", f"since: {wrong}", setting.span)]
    return str(find_folder(name, base) or name), []


def _parse_commonmark(setting: Setting) -> tuple[tuple[str, ...], list[Problem]]:
    """Parse `markdown: {commonmark: [...]}`: the pages that Rulewright renders."""
    pages, unknown = tuple[str, ...](), list[Problem]()
    for entry in setting.inner or ():
        if entry.name == COMMONMARK:
            pages, wrong = _parse_paths(entry)
            unknown += wrong
        else:
            unknown.append(_unknown_problem("renderer", entry, (COMMONMARK,)))
    return pages, unknown


def _parse_paths(setting: Setting) -> tuple[tuple[str, ...], list[Problem]]:
    """Parse an option with one or several paths."""
    values = setting.value if isinstance(setting.value, list) else [setting.value]
    if all(isinstance(value, str) and value.strip() for value in values):
        return tuple(values), []
    example = "[glossary.md, drafts/*.md]"
    return (), [_wrong_value(setting, f"{_PATH_OPTIONS[setting.name]}, such as {example}")]


def _parse_ignored(settings: Iterable[Setting]) -> tuple[tuple[IgnoredPath, ...], list[Problem]]:
    """Parse `ignore`: codes by pages, folders or patterns."""
    entries, ignored, wrong = list[Setting](), list[IgnoredPath](), list[Problem]()
    for setting in settings:
        entries = list(setting.inner or ())  # those of the last file count
        if setting.inner is None:
            repair = "write a path, a colon and a list of codes below it"
            wrong.append(_wrong_value(setting, "ignore has codes by path", repair))
    for entry in entries:
        codes = entry.value if isinstance(entry.value, list) else [entry.value]
        if not all(isinstance(code, str) and code for code in codes):
            wrong.append(_wrong_value(entry, "what is ignored on a page is a list of codes, such as [link-missing]"))
            continue
        end = 0
        for code in codes:
            start = entry.span.text.find(code, end)
            end = start + len(code)
            ignored.append(IgnoredPath(entry.name, entry.span.subspan(start, end)))
    return tuple(ignored), wrong


def _parse_formats(setting: Setting) -> list[str]:
    """Parse `exports`: one or several formats, in lower case."""
    several = setting.value if isinstance(setting.value, list) else [setting.value]
    return [str(form).lower() for form in several if form is not None]


def _check_formats(setting: Setting) -> list[Problem]:
    wrong = any(form not in _EXPORT_FORMATS for form in _parse_formats(setting))
    return [_wrong_value(setting, f"exports are any of {', '.join(_EXPORT_FORMATS)}")] if wrong else []


def _check_value(setting: Setting) -> Problem | None:
    """The problem with a value, if the option has a fixed set of values or is a language."""
    choices = CHOICES.get(setting.name)
    if choices and str(setting.value).lower() not in choices:
        return _wrong_value(setting, f"{setting.name} is {_join_words(choices)}")
    if setting.name == "language" and not _LANGUAGE.fullmatch(str(setting.value)):
        return _wrong_value(setting, "language is a short code such as en or de")
    return None


def _join_words(words: tuple[str, ...]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _parse_checks(checks: dict[str, bool], setting: Setting, extensions: Extensions) -> list[Problem]:
    if setting.inner is None and setting.value is not None:
        example = "write each check on a line of its own below checks, such as links: off"
        return [_wrong_value(setting, "a check is on or off", example)]
    return _set_checks(checks, setting.inner or (), extensions)


def _set_checks(checks: dict[str, bool], settings: Iterable[Setting], extensions: Extensions) -> list[Problem]:
    problems = []
    for setting in settings:
        value = str(setting.value).lower()
        if setting.name not in GROUPS and not is_code(setting.name) and not extensions.find_name(setting.name):
            known = (*GROUPS, *extensions.helps, *(f"{family}-…" for family in FAMILIES))
            problems.append(_unknown_problem("check", setting, known))
        elif value in (*ON, *_OFF):
            checks[setting.name] = value in ON
        else:
            problems.append(_wrong_value(setting, "a check is on or off"))
    return problems


def _unknown_problem(noun: str, setting: Setting, known: tuple[str, ...]) -> Problem:
    near = find_similar(setting.name, known)
    note = f"did you mean {near}?" if near else f"known here: {', '.join(known)}"
    return Problem("option-unknown", f'there is no {noun} "{setting.name}"; {note}', setting.key)


def _wrong_value(setting: Setting, expectation: str, repair: str = "") -> Problem:
    value = setting.span.text.partition("\n")[0].strip()
    message = f'{expectation}, not "{value}"{"; " if repair else ""}{repair}'
    return Problem("option-value", message, setting.span)
