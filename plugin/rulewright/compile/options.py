"""The options of a book: what fails, and which checks are made."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import Any

from ..checks.reading.all import CHECKS
from ..game.find import project_folders
from ..root import Root
from ..text import Problem, nearest
from .settings import Setting, read_settings

KNOWN = (
    "title", "version", "language", "paper", "columns", "dark", "dice", "fail_on", "checks", "parser", "exports",
    "offline", "since", "shared", "terms", "exclude",
)  # fmt: skip
FAILING = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
READING = {check.name: (check.name,) for check in CHECKS}
GROUPS = {"names": ("trait",), "prose": ("prose",), "links": ("link",), **READING}  # the first words of their codes
FAMILIES = (
    *READING, "block", "character", "claim", "comment", "contest", "dice", "endless", "example", "export", "formula",
    "game", "heading", "input", "link", "name", "odds", "option", "order", "outcome", "page", "prose", "range", "rule",
    "sheet", "spend", "table", "trait", "wrong", "file",
)  # fmt: skip
FORMS = ("pdf", "html", "epub", "zip")  # of a book that readers can take along
ON, OFF = ("on", "yes", "true"), ("off", "no", "false")
CHOICES = {
    "fail_on": tuple(FAILING), "parser": ("own", "host"), "paper": ("a4", "a5", "letter"), "columns": ("1", "2"),
    "dark": (*ON, *OFF), "dice": (*ON, *OFF), "offline": (*ON, *OFF),
}  # fmt: skip
# Their values are kept as they are.
SAID = ("fail_on", "parser", "language", "title", "version", "paper", "columns", "since")
LISTS = {
    "terms": "terms lists pages",
    "exclude": "exclude lists pages and folders",
}  # options whose values are paths, seen from the folder of the pages
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Options:
    """What applies to a book, and what is wrong with how it was said."""

    fail_on: str = "error"
    checks: dict[str, bool] = field(default_factory=dict)  # codes and groups that are switched
    problems: tuple[Problem, ...] = ()
    parser: str = "own"
    language: str = "en"
    title: str = ""  # of the exported book; without it the first page has one
    version: str = ""
    paper: str = "a4"
    columns: str = "1"
    dark: bool = False
    dice: bool = True  # can dice in sentences and tables be rolled?
    exports: tuple[str, ...] = ()  # the files that lie beside the site
    offline: bool = False  # does the site stay on a phone that has seen it?
    terms: tuple[str, ...] = ()  # the pages whose definition lists explain words to readers
    exclude: tuple[str, ...] = ()  # pages and folders that are not part of the book
    since: str = ""  # the edition before: a folder from the root of the disk, or a revision of Git
    shared: tuple[File, ...] = ()  # folders outside the project that the book may use

    def wanted(self, code: str) -> bool:
        """A code decides for itself, else its group does."""
        family = code.partition("-")[0]
        group = next((name for name, families in GROUPS.items() if family in families), "")
        return self.checks.get(code, self.checks.get(group, True))

    def asks(self, group: str) -> bool:
        """Is the group on, or at least one code of it?"""
        return self.checks.get(group, True) or any(
            on and code.startswith(f"{group}-") for code, on in self.checks.items()
        )

    def of(self, problems: Iterable[Problem]) -> list[Problem]:
        """Those problems that somebody wants to hear of."""
        return [problem for problem in problems if self.wanted(problem.code)] if self.checks else list(problems)

    def failing(self, problems: Iterable[Problem], strict: bool = False) -> bool:
        severities = FAILING["warning" if strict else self.fail_on]
        return any(problem.severity in severities for problem in problems)


def read_options(folder: File, here: File, site: File | None = None) -> Options:
    """`site` is the mkdocs.yml that is used; without it the nearest one counts."""
    settings = read_settings(folder, here, site)
    said, checks, problems = dict[str, str](), dict[str, bool](), list(settings.problems)
    lists, shares = dict[str, tuple[str, ...]](), None
    for setting in settings.found:
        if setting.name not in KNOWN:
            problems.append(unknown("option", setting, KNOWN))
        elif setting.name == "checks":
            problems += switches(checks, setting)
        elif setting.name == "exports":
            problems += unknown_forms(setting)
            said["exports"] = ",".join(forms(setting))
        elif setting.name == "shared":
            shares = setting  # the last one counts
        elif setting.name in LISTS:
            lists[setting.name], wrong = paths(setting)
            problems += wrong
        elif setting.name == "since":
            said["since"], wrong = edition(setting, here)
            problems += wrong
        elif bad := unfit(setting):
            problems.append(bad)
        else:
            choices = CHOICES.get(setting.name)
            said[setting.name] = str(setting.value).lower() if choices else str(setting.value)
    shared, wrong = shared_folders(shares, project_folders(folder, site)[0]) if shares else ((), [])
    return replace(settled(said, checks, lists, (*problems, *wrong)), shared=shared)


def root_of(folder: File, here: File, site: File | None = None) -> Root:
    """What a book in this folder may read and write; its options are read only when it uses a folder elsewhere."""
    return Root(project_folders(folder, site), lambda: read_options(folder, here, site).shared)


def shared_folders(setting: Setting, project: File) -> tuple[tuple[File, ...], list[Problem]]:
    """One or several, relative to the project."""
    names = setting.value if isinstance(setting.value, list) else [setting.value]
    if not all(isinstance(name, str) and name and "\0" not in name for name in names):
        return (), [wrong_value(setting, "shared is a list of folders, relative to the project")]
    folders = {name: File(os.path.normpath(project / name)) for name in names}
    missing = [name for name, folder in folders.items() if not folder.is_dir()]
    problems = [
        Problem("option-value", f"shared: there is no folder «{name}» in {project.as_posix()}", setting.span)
        for name in missing
    ]
    return tuple(folder for name, folder in folders.items() if name not in missing), problems


def settled(
    said: dict[str, str], checks: dict[str, bool], lists: dict[str, tuple[str, ...]], problems: tuple[Problem, ...]
) -> Options:
    known: dict[str, Any] = {name: said[name] for name in SAID if name in said}
    return Options(
        checks=checks,
        problems=problems,
        dark=said.get("dark", "").lower() in ON,
        dice=said.get("dice", "").lower() not in OFF,
        exports=tuple(form for form in FORMS if form in said.get("exports", "").split(",")),
        offline=said.get("offline", "").lower() in ON,
        terms=lists.get("terms", ()),
        exclude=lists.get("exclude", ()),
        **known,
    )


def edition(setting: Setting, here: File) -> tuple[str, list[Problem]]:
    """A folder from where the option stands, or a revision of Git."""
    from .revisions import complaint, folder_of

    name, base = str(setting.value), (here / setting.span.source.path).parent
    if wrong := complaint(name, base):
        return "", [Problem("option-value", f"since: {wrong}", setting.span)]
    return str(folder_of(name, base) or name), []


def paths(setting: Setting) -> tuple[tuple[str, ...], list[Problem]]:
    """One path or several."""
    values = setting.value if isinstance(setting.value, list) else [setting.value]
    if all(isinstance(value, str) and value.strip() for value in values):
        return tuple(values), []
    example = "[glossary.md, drafts/*.md]"
    return (), [wrong_value(setting, f"{LISTS[setting.name]}, such as {example}")]


def forms(setting: Setting) -> list[str]:
    """One or several, in any letter case."""
    several = setting.value if isinstance(setting.value, list) else [setting.value]
    return [str(form).lower() for form in several if form is not None]


def unknown_forms(setting: Setting) -> list[Problem]:
    wrong = any(form not in FORMS for form in forms(setting))
    return [wrong_value(setting, f"exports are any of {', '.join(FORMS)}")] if wrong else []


def unfit(setting: Setting) -> Problem | None:
    """What is wrong with a value, as far as the values of this option are known."""
    choices = CHOICES.get(setting.name)
    if choices and str(setting.value).lower() not in choices:
        return wrong_value(setting, f"{setting.name} is {listed(choices)}")
    if setting.name == "language" and not LANGUAGE.fullmatch(str(setting.value)):
        return wrong_value(setting, "language is a short code such as en or de")
    return None


def listed(words: tuple[str, ...]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def switches(checks: dict[str, bool], setting: Setting) -> list[Problem]:
    if setting.inner is None and setting.value is not None:
        return [wrong_value(setting, "checks are written with on or off behind each")]
    return switch(checks, setting.inner or ())


def switch(checks: dict[str, bool], settings: Iterable[Setting]) -> list[Problem]:
    problems = []
    for setting in settings:
        said = str(setting.value).lower()
        if setting.name not in GROUPS and not is_code(setting.name):
            problems.append(unknown("check", setting, (*GROUPS, *(f"{one}-…" for one in FAMILIES))))
        elif said in (*ON, *OFF):
            checks[setting.name] = said in ON
        else:
            problems.append(wrong_value(setting, "a check is on or off"))
    return problems


def is_code(name: str) -> bool:
    family, dash, rest = name.partition("-")
    return family in FAMILIES and bool(rest or not dash)


def unknown(what: str, setting: Setting, known: tuple[str, ...]) -> Problem:
    near = nearest(setting.name, known)
    note = f"did you mean {near}?" if near else f"known here: {', '.join(known)}"
    return Problem("option-unknown", f"there is no {what} «{setting.name}»; {note}", setting.key)


def wrong_value(setting: Setting, said: str) -> Problem:
    return Problem("option-value", f"{said}, not «{setting.span.text.partition(chr(10))[0].strip()}»", setting.span)
