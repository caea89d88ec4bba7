"""`rulewright explain`: what a problem code means, with an example and the repair."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Iterable

from ..handbook import Explanation, read_explanations
from ..source import suggest
from .invocation import as_started
from .markdown_text import format_markdown, format_words, wrap_words
from .pager import show, text_width
from .terminal import NOTHING_WRONG, CommandError, Screen

_REPORTED = re.compile(r"(?:error|warning|info)\[(.+)\]")  # as a report shows it
_PAGE = "problems"


def run(options: Namespace) -> int:
    screen, explanations = Screen(sys.stdout), read_explanations()
    code = _REPORTED.sub(r"\1", options.code or "").strip("`").lower()
    chosen = [explanations[code]] if code in explanations else _in_family(code, explanations)
    if not chosen:
        hint = suggest(code, explanations) or "rulewright explain lists all of them"
        raise CommandError(f"there is no problem code `{options.code}`; {hint}")
    if options.json:
        print(_as_json(chosen))
    elif code in explanations:
        show(explanation_lines(chosen[0], screen), screen)
    else:
        show([*_list(chosen, screen), "", as_started("rulewright explain CODE shows one of them")], screen)
    return NOTHING_WRONG


def explanation_lines(explanation: Explanation, screen: Screen) -> list[str]:
    """One explanation as it is printed."""
    title = f"# `{explanation.code}`\n\n*{explanation.group}*\n\n"
    lines = format_markdown(title + explanation.section.text, text_width(screen), screen)
    return [*lines, "", as_started(f"The game of the examples, and all other codes: rulewright help {_PAGE}")]


def _in_family(word: str, explanations: dict[str, Explanation]) -> list[Explanation]:
    """The explanations of all codes, or of one family such as `links`."""
    if not word:
        return [*explanations.values()]
    from ..compile.problem_families import GROUPS

    families = GROUPS.get(word, (word,))
    return [each for each in explanations.values() if any(f"{each.code}-".startswith(f"{name}-") for name in families)]


def _list(explanations: Iterable[Explanation], screen: Screen) -> list[str]:
    """A line or two for each code, below the headings of the handbook."""
    lines, group, width = list[str](), "", text_width(screen)
    for each in explanations:
        if each.group != group:
            lines += [*([""] if lines else []), screen.paint(each.group, "title")]
            group = each.group
        summary = format_words(each.section.summary, screen)
        lines += wrap_words(summary, width, f"  {each.code:<22}  ", " " * 26)
    return lines


def _as_json(explanations: Iterable[Explanation]) -> str:
    from json import dumps

    keys = [
        {"code": each.code, "group": each.group, "summary": each.section.summary, "text": each.section.text.strip()}
        for each in explanations
    ]
    return dumps(keys, ensure_ascii=False, indent=2)
