"""`rulewright help`: the handbook in the terminal, by topic, by section or by a word in it."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Iterable

from ..handbook import Section, Topic, read_explanations, read_topics
from ..release import REPOSITORY
from ..source import find_similar
from .explain import explanation_lines
from .invocation import as_started
from .markdown_text import format_markdown, format_words
from .pager import show, text_width
from .terminal import COMMANDS, NOTHING_WRONG, CommandError, Screen

_MOST_MATCHES = 20
_ALIASES = {  # what people look for, and the heading that has it
    **dict.fromkeys(("card", "cards", "draw", "drawing", "shuffle", "shuffling"), "deck"),
    **dict.fromkeys(("explode", "explodes", "exploding", "reroll", "rerolls", "rerolling"), "again"),
}
_MARKUP = re.compile(r"^ *[`~]{3,}.*$|\s\|\s|^\||\|$", re.MULTILINE)  # fences and the lines of tables
_FIRST_CELL = re.compile(r"\| `(?:[^|\\]|\\.)*\|")
_NO_MATCH = (5, 0)
_FURTHER = """\
  rulewright help TOPIC           reads one of them
  rulewright help TOPIC HEADING   reads one section
  rulewright help WORD            finds the sections about a word
  rulewright explain CODE         explains a problem"""


def run(options: Namespace) -> int:
    screen, topics = Screen(sys.stdout), read_topics()
    name, words = (options.words or [""])[0], " ".join(options.words[1:])
    topic = _find_topic(name, topics) or (topics["commands"] if name in COMMANDS and words else None)
    if not name:
        show(_topic_list(topics.values(), screen), screen)
    elif topic is None:
        _show_other(" ".join(options.words), topics, screen)
    elif words:
        _show_sections(topic, words, screen)
    else:
        show(format_markdown(topic.text, text_width(screen), screen), screen)
    return NOTHING_WRONG


def _find_topic(name: str, topics: dict[str, Topic]) -> Topic | None:
    """A topic by its name, the last part of its name, or its file."""
    plain = name.lower().removesuffix(".md").strip("/")
    return topics.get(plain) or topics.get(f"gallery/{plain}")


def _topic_list(topics: Iterable[Topic], screen: Screen) -> list[str]:
    width, lines = text_width(screen), [screen.paint("The handbook", "title")]
    for topic in topics:
        if "/" not in topic.name:
            summary = format_words(topic.summary, screen)
            lines.append(_cut(f"  {topic.name:<12}  {summary}", width))
    return [*lines, "", *as_started(_FURTHER).split("\n"), "", f"On the web: {REPOSITORY}"]


def _show_other(words: str, topics: dict[str, Topic], screen: Screen) -> None:
    """What is not a topic: a command, a problem code, or a word to search for."""
    from .arguments import PARSERS

    explanations = read_explanations()
    if words in PARSERS:
        PARSERS[words]().print_help()
    elif words in explanations:
        show(explanation_lines(explanations[words], screen), screen)
    else:
        sections = [section for topic in topics.values() for section in topic.sections]
        show(_search(words, sections, [name for name in topics if "/" not in name], screen), screen)


def _show_sections(topic: Topic, words: str, screen: Screen) -> None:
    """The sections of a topic whose headings have the words, each with what is below it; else search in the topic."""
    chosen, level = list[Section](), 0
    for section in topic.sections[1:]:
        is_below = bool(level) and section.level > level
        if is_below or words.casefold() in _plain(section.heading).casefold():
            level = level if is_below else section.level
            chosen.append(section)
        else:
            level = 0
    if chosen:
        text = "\n\n".join(f"{'#' * section.level} {section.heading}\n\n{section.text}" for section in chosen)
        show(format_markdown(text, text_width(screen), screen), screen)
    else:
        show(_search(words, topic.sections, [_plain(section.heading) for section in topic.sections], screen), screen)


def _search(words: str, sections: Iterable[Section], names: list[str], screen: Screen) -> list[str]:
    """The sections that match, the likeliest first."""
    pattern = re.compile(rf"\b{re.escape(words)}" if words[:1].isalnum() else re.escape(words), re.IGNORECASE)
    ranks = ((_rank(section, words, pattern), section) for section in sections)
    matches = [section for rank, section in sorted(ranks, key=lambda pair: pair[0]) if rank < _NO_MATCH]
    if not matches:
        similar = find_similar(words, names)
        hint = f"did you mean {similar}?" if similar else "rulewright help lists its topics"
        raise CommandError(f"the handbook has nothing about `{words}`; {hint}")
    further = len(matches) - _MOST_MATCHES
    return [
        f"`{words}` is not a topic. It appears in:",
        *(line for section in matches[:_MOST_MATCHES] for line in _match_lines(section, words, pattern, screen)),
        *([f"  and in {further} more"] if further > 0 else []),
        "",
        as_started("rulewright help TOPIC HEADING reads one"),
    ]


def _rank(section: Section, words: str, pattern: re.Pattern[str]) -> tuple[int, int]:
    """The place of a section among the matches: by its heading, by a row for the word, by how often it has the word."""
    heading, mentions = _plain(section.heading), len(pattern.findall(section.text))
    if heading == _ALIASES.get(words.casefold()):
        return 0, 0
    if pattern.search(heading):
        return (4 if section.heading.startswith("`") and heading != words else 1), 0
    if _find_row(section, words):
        return 2, -mentions
    return (3, -mentions) if mentions else _NO_MATCH


def _find_row(section: Section, words: str) -> str:
    """The row of a table that explains a word, such as an option: its first cell has it as code."""
    for line in section.text.split("\n"):
        cell = _FIRST_CELL.match(line)
        if cell and words.casefold().lstrip("-") in re.findall(r"\w[\w-]*", cell[0].casefold()):
            return line
    return ""


def _match_lines(section: Section, words: str, pattern: re.Pattern[str], screen: Screen) -> list[str]:
    """A section of a search: topic and heading, and below it the row for the words, or what is around them."""
    width, head = text_width(screen), f"  {section.topic:<12}  {screen.paint(_plain(section.heading), 'title')}"
    row = _find_row(section, words)
    text = format_words(_MARKUP.sub(" ", row or section.text), screen).strip()
    match = pattern.search(text)
    if not match or pattern.search(_plain(section.heading)):
        return [head]
    start = 0 if row else max(match.start() - 30, 0)
    around = text[start:].partition(" ")[2] if start else text
    return [head, _cut(" " * 16 + ("… " if start else "") + around, width)]


def _plain(heading: str) -> str:
    return heading.replace("`", "")


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 2].rpartition(" ")[0] + " …"
