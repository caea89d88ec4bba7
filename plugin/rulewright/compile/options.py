"""The options of a book: what fails, and which checks are made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path as File

from ..text import Problem, nearest
from .settings import Setting, read_settings

KNOWN = (
    "title", "version", "language", "paper", "columns", "dark", "dice", "fail_on", "checks", "parser", "exports",
)  # fmt: skip
FAILING = {"error": ("error",), "warning": ("error", "warning"), "never": ()}
GROUPS = {"names": ("trait",), "prose": ("prose",), "links": ("link",)}  # the first words of the codes they switch
FAMILIES = (
    "admonition", "block", "chance", "claim", "comment", "example", "game", "heading", "link", "number", "odds",
    "option", "page", "prose", "roll", "table", "trait", "value", "wrong",
)  # fmt: skip
ON, OFF = ("on", "yes", "true"), ("off", "no", "false")


@dataclass(frozen=True)
class Options:
    """What applies to a book, and what is wrong with how it was said."""

    fail_on: str = "error"
    checks: dict[str, bool] = field(default_factory=dict)  # codes and groups that are switched
    problems: tuple[Problem, ...] = ()

    def wanted(self, code: str) -> bool:
        """A code decides for itself, else its group does."""
        family = code.partition("-")[0]
        group = next((name for name, families in GROUPS.items() if family in families), "")
        return self.checks.get(code, self.checks.get(group, True))

    def of(self, problems: Iterable[Problem]) -> list[Problem]:
        """Those problems that somebody wants to hear of."""
        return [problem for problem in problems if self.wanted(problem.code)] if self.checks else list(problems)

    def failing(self, problems: Iterable[Problem], strict: bool = False) -> bool:
        severities = FAILING["warning" if strict else self.fail_on]
        return any(problem.severity in severities for problem in problems)


def read_options(folder: File, here: File) -> Options:
    settings = read_settings(folder, here)
    fail_on, checks, problems = "error", dict[str, bool](), list(settings.problems)
    for setting in settings.found:
        if setting.name not in KNOWN:
            problems.append(unknown("option", setting, KNOWN))
        elif setting.name == "fail_on" and str(setting.value) in FAILING:
            fail_on = str(setting.value)
        elif setting.name == "fail_on":
            problems.append(wrong_value(setting, "fail_on is error, warning or never"))
        elif setting.name == "checks" and setting.inner is None and setting.value is not None:
            problems.append(wrong_value(setting, "checks are written with on or off behind each"))
        elif setting.name == "checks":
            problems += switch(checks, setting.inner or ())
    return Options(fail_on, checks, tuple(problems))


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
    return family in FAMILIES and bool(dash and rest)


def unknown(what: str, setting: Setting, known: tuple[str, ...]) -> Problem:
    near = nearest(setting.name, known)
    note = f"did you mean {near}?" if near else f"known here: {', '.join(known)}"
    return Problem("option-unknown", f"there is no {what} «{setting.name}»; {note}", setting.key)


def wrong_value(setting: Setting, said: str) -> Problem:
    return Problem("option-value", f"{said}, not «{setting.span.text.partition(chr(10))[0].strip()}»", setting.span)
