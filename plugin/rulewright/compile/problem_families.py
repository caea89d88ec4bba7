"""The families of problems, which are the first words of their codes: their switches, their weight, their silence."""

from __future__ import annotations

from ..book.rule_links import SCHEMES
from ..lint.registry import NAMES as LINT_NAMES

LINT_GROUPS = {name: (name,) for name in LINT_NAMES}
GROUPS = {"names": ("trait",), "prose": ("prose",), "links": ("link",), **LINT_GROUPS}  # the prefixes of their codes
OWN_LINKS = tuple(f"link-{name}" for name in (*SCHEMES, "see"))
_RULES = (
    "aim", "block", "claim", "contest", "dice", "endless", "example", "formula", "game", "input", "name", "odds",
    "order", "outcome", "range", "roll", "rounds", "rule", "sheet", "spend", "table", "unused", "wrong",
)  # fmt: skip  # of blocks and games
_SETTINGS = ("extension", "file", "internal", "option")  # what keeps us from checking
FAMILIES = (
    *LINT_GROUPS, *_RULES, *_SETTINGS,
    "character", "comment", "export", "heading", "ignore", "link", "nav", "page", "prose", "term", "trait",
)  # fmt: skip
SUBJECTS = ("numbers and rules", "tables", "names", "links", "style")  # what costs a player most comes first
_SUBJECT_OF_FAMILY = {
    **dict.fromkeys((*_RULES, *_SETTINGS, "average", "character", "die", "percentages", "prose", "sum"), 0),
    **dict.fromkeys(("ladder", "rollable"), 1),
    **dict.fromkeys(("spelling", "term", "trait"), 2),
    **dict.fromkeys(("heading", "link", "nav", "page"), 3),
}


def weigh(code: str) -> int:
    """What a problem is about, as its number in `SUBJECTS`; what other packages report is about style."""
    return 0 if code in OWN_LINKS else _SUBJECT_OF_FAMILY.get(code.partition("-")[0], len(SUBJECTS) - 1)


def is_about_rules(code: str) -> bool:
    """Whether a problem is one of a block or a game, where `skip:` and `wrong:` say what is meant."""
    return code == "trait" or code.partition("-")[0] in _RULES


def is_about_settings(code: str) -> bool:
    """Whether a problem is one of the settings, or keeps us from checking."""
    return code.partition("-")[0] in _SETTINGS


def can_be_ignored(code: str) -> bool:
    return not (is_about_rules(code) or is_about_settings(code) or code.startswith("ignore-"))


def is_code(name: str) -> bool:
    """Whether a name is a family or begins with one."""
    family, dash, rest = name.partition("-")
    return family in FAMILIES and bool(rest or not dash)
