"""The report for an editor without a command line: a Markdown document to read, annotate and send back.

All text that comes from the book is escaped, so it shows as it is written and cannot change the document around it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from ..compile.books import Compiled
from ..compile.files import REPORT_MARK
from ..compile.nav import find_title, order_chapters
from ..compile.problem_families import SUBJECTS, weigh
from ..source import Problem, Span
from .digest import Digest, Entry
from .entry_text import other_lines
from .fingerprints import IdentifiedProblem
from .reports import SEVERITIES, count, format_fix, format_problem_counts
from .text_width import visible

_CONTEXT = 120  # characters of a long line that are quoted before and after the place
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_SPECIAL = re.compile(r"[\\`*_\[\]<|~$]|&(?=#?\w+;)")
_BLOCK_START = re.compile(r"^(\s*)([-+=#>]|\d+(?=[.)]))")
_BLOCK_ID = re.compile(r"[^\s/]+\.\d+")
_QUOTE_MARKS = re.compile(r"^[\s>]+")


def format_markdown(compiled: Compiled, digested: Digest[IdentifiedProblem], limit: int = 0) -> str:
    """The whole report; with a `limit` of bytes, it ends early and says how much is left out."""
    titles = _page_titles(compiled)
    problems = [identified for entry in digested.entries for identified in entry.all]
    title = f"# Report on {_escape(_book_title(compiled, titles))}"
    pages = _by_page(problems, titles)
    lines = [REPORT_MARK, "", title, "", *_summary(compiled, len(pages))]
    if len(pages) > 1:
        lines += ["", *_overview(titles, pages)]
    size, left_out = len("\n".join(lines).encode()), digested.left_out.total()
    for subject, group in groupby(digested.entries, lambda entry: _subject(entry.first.problem)):
        lines += ["", f"## {subject}"]
        for entry in group:
            new = ["", *_entry(entry, titles)]
            size += len("\n".join(new).encode(errors="replace")) + 1
            if limit and size > limit:
                left_out += 1
            else:
                lines += new
    if left_out:
        lines += ["", f"{count(left_out, 'more problem')} did not fit in here."]
    return "\n".join(lines)


def _subject(problem: Problem) -> str:
    """The heading above a problem."""
    return "Remarks" if problem.severity == "info" else SUBJECTS[weigh(problem.code)].capitalize()


def _by_page(
    problems: Sequence[IdentifiedProblem], titles: Mapping[str, str]
) -> list[tuple[str, list[IdentifiedProblem]]]:
    """The problems of each page, in reading order."""
    order = {path: number for number, path in enumerate(titles)}
    ordered = sorted(problems, key=lambda identified: order.get(identified.problem.path, -1))
    return [(path, list(group)) for path, group in groupby(ordered, lambda identified: identified.problem.path)]


def _page_titles(compiled: Compiled) -> dict[str, str]:
    """The titles of the pages by path, in reading order."""
    chapters = [chapter.page for book in compiled.books for chapter in order_chapters(book, book.games.root)]
    return {page.page.source.path: page.page.title for page in [*chapters, *compiled.pages]}


def _book_title(compiled: Compiled, titles: dict[str, str]) -> str:
    if len(compiled.books) > 1:
        return f"{len(compiled.books)} books"
    return find_title(compiled.books[0], titles.values()) or "the rules"


def _summary(compiled: Compiled, page_count: int) -> Iterator[str]:
    problems = compiled.problems
    counts = format_problem_counts(problems)
    found = f"**{counts}** in {count(page_count, 'file')}" if problems else f"**{counts}**"
    yield f"{found[:2]}{found[2:3].upper()}{found[3:]}. {_checked(compiled)}"
    if problems:
        yield ""
        yield "What costs a player most comes first. Each entry has a number, which stays the same as long as its line"
        yield "does, so you can refer to it. Tick the box when an entry is settled, and write your notes below it."


def _checked(compiled: Compiled) -> str:
    """What was checked: "Checked: 5 pages with 12 examples, claims and other blocks"."""
    pages = count(len(compiled.pages), "page")
    blocks = len(compiled.blocks)
    if not blocks:
        return f"The check read {pages}."
    passed = sum(block.status == "passed" for block in compiled.blocks)
    return f"The check read {pages}; {passed:,} of {blocks:,} examples, claims and tables agree with the rules."


def _overview(titles: dict[str, str], pages: Sequence[tuple[str, list[IdentifiedProblem]]]) -> Iterator[str]:
    """A table with the number of problems on each page."""
    present = {entry.problem.severity for _, entries in pages for entry in entries}
    nouns = {name: f"{noun}s".capitalize() for name, noun in SEVERITIES.items() if name in present}
    yield f"| Page | {' | '.join(nouns.values())} |"
    yield f"| --- |{' ---: |' * len(nouns)}"
    for path, entries in pages:
        severities = Counter(entry.problem.severity for entry in entries)
        yield f"| {_page_heading(titles, path)} | {' | '.join(str(severities[name] or '') for name in nouns)} |"


def _page_heading(titles: dict[str, str], path: str) -> str:
    """The title of a page, with its path if another page has the same; without a title, the name of the file."""
    title = titles.get(path)
    is_repeated = title and sum(other == title for other in titles.values()) > 1
    return _escape(f"{title} ({path})" if is_repeated else title or path.rpartition("/")[2])


def _entry(entry: Entry[IdentifiedProblem], titles: Mapping[str, str]) -> Iterator[str]:
    """One problem as an item of a task list, with the other places that have the same cause."""
    identified, problem = entry.first, entry.first.problem
    is_file = problem.span.start == problem.span.end == 0
    trail = " › ".join(_shown_trail(problem.trail, titles.get(problem.path, "")))
    place = ", ".join(
        filter(None, [_code(identified.path), f"line {problem.line}" if not is_file else "", _escape(trail)])
    )
    kind = SEVERITIES[problem.severity].capitalize()
    yield f"- [ ] **{kind} {identified.number}** ({place}): {_escape_message(problem.message)}"
    if not is_file and (quoted := _quote(problem.span)):
        yield from ("", f"  > {quoted}")
    yield from _repair(problem, [*_others(entry)])


def _others(entry: Entry[IdentifiedProblem]) -> Iterator[str]:
    paths = {id(identified.problem): identified.path for identified in entry.others}
    problems = [identified.problem for identified in entry.others]
    return other_lines(entry.first.problem, problems, lambda other: f"`{paths[id(other)]}` line {other.line}")


def _repair(problem: Problem, others: Sequence[str]) -> Iterator[str]:
    """The right answer, the notes and the other places, as paragraphs of the item."""
    if problem.fix:
        yield from ("", f"  Correct it to: {_code(format_fix(problem))}")
    notes = [line for note in (*problem.notes, *others) for line in note.split("\n") if line.strip()]
    if notes:
        yield ""
        yield from (f"  - {_escape_message(note.strip())}" for note in notes)


def _shown_trail(trail: Sequence[str], page_title: str) -> Iterator[str]:
    """The headings around a problem, without the title of the page and the id of the block."""
    for number, name in enumerate(trail):
        is_title = number == 0 and name == page_title
        is_id = number == len(trail) - 1 and _BLOCK_ID.fullmatch(name)
        if not (is_title or is_id):
            yield name


def _quote(span: Span) -> str:
    """The line of a problem with its place as code; the rest of a long line is left out."""
    number, column = span.source.position(span.start)
    line = span.source.line(number)
    start = min(column - 1, len(line))
    end = min(start + span.end - span.start, len(line))
    before, marked, after = line[:start], line[start:end], line[end:]
    if len(before) > _CONTEXT:
        before = "… " + before[-_CONTEXT:]
    if len(marked) > 2 * _CONTEXT:
        marked, after = marked[: 2 * _CONTEXT], " …"
    if len(after) > _CONTEXT:
        after = after[:_CONTEXT] + " …"
    before = _QUOTE_MARKS.sub("", before)
    if not marked.strip():
        return _escape(before + marked + after).strip()
    inner = marked.strip()
    gap = marked[: len(marked) - len(marked.lstrip())], marked[len(marked.rstrip()) :]
    return f"{_escape(before + gap[0])}{_code(inner)}{_escape(gap[1] + after, is_start=False)}".strip()


def _code(text: str) -> str:
    """A code span with any text."""
    text = visible(text)
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    edge = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{edge}{text}{edge}{ticks}"


def _escape_message(text: str) -> str:
    """A message of ours: `code` stays code, all other Markdown is escaped."""
    parts = _CODE.split(text.replace("\n", " "))
    return "".join(_code(part) if number % 2 else _escape(part, not number) for number, part in enumerate(parts))


def _escape(text: str, is_start: bool = True) -> str:
    """Text that Markdown shows as it is."""
    escaped = _SPECIAL.sub(lambda match: "\\" + match.group(), visible(text))
    return _BLOCK_START.sub(_escape_start, escaped) if is_start else escaped


def _escape_start(match: re.Match[str]) -> str:
    """Escape what would begin a list, a heading or a quotation: `-`, `#`, and the dot of `1.`."""
    space, sign = match.groups()
    return f"{space}{sign}\\" if sign.isdigit() else f"{space}\\{sign}"
