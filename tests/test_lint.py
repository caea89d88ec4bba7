"""Lints: the cases of tests/cases/lint/, hostile texts, pages known to be clean."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from re import Pattern

import pytest

from call_counts import LINEAR, call_growth_from_half, hang_guard
from example_counts import sample
from lint_cases import Case, cases, names
from rulewright.book.host import HostSettings
from rulewright.book.parser import read_page
from rulewright.book.text import Passage
from rulewright.compile.fixes import apply_fixes
from rulewright.lint.interface import Check, LintContext, all_passages
from rulewright.lint.registry import NAMES, load_checks, page_problems, run_book_checks, run_checks
from rulewright.source import Problem, Source, sort_problems
from source_books import BOTH, Books, source_books

CHECKS = load_checks()
KNOWN = {  # what is wrong with the source books indeed, and with ours
    "unfinished": ["page-0.md unfinished-mark", "page-1.md unfinished-section", "page-1.md unfinished-mark"],
    "residue": ["page-2.md residue-letter"],
    "markup": ["page-4.md markup-level"],
}
HOST = HostSettings(extensions=frozenset(["toc", "tables", "fenced_code"]))  # a site of MkDocs that names no extension
HOSTS = {"markdown": HOST}  # for the cases of a check that reads pages as a site does
EVERY = [case for check in CHECKS if check.name in names() for case in cases(check.name)]
HOSTILE = {
    "sums": "1+" * 50_000,
    "negative sums": "1 - " * 25_000 + "= 4",
    "equations": "1 + 1 = 2 = " * 9_000,
    "brackets": "(" * 100_000,
    "closed brackets": "(" * 50_000 + ")" * 50_000,
    "dice": "d6 " * 30_000,
    "dice in brackets": "(2d6) " * 16_000,
    "averages": "7 (2d6) " * 12_000,
    "averages in averages": "7 (2d6 " * 14_000,
    "digits": "7" * 100_000,
    "spaced digits": "7 " * 50_000,
    "pipes": "| " * 50_000,
    "table": "| d6 | x |\n| --- | --- |\n" + "| 1-6 | y |\n" * 8_000,
    "wide table": "|" + " d6 |" * 200 + "\n|" + " -- |" * 200 + "\n" + ("|" + " 1 |" * 200 + "\n") * 100,
    "percent table": "| who | a | b |\n| --- | --- | --- |\n" + "| x | 50% | 51% |\n" * 5_000,
    "ranges": "1-2-" * 25_000,
    "ranges in a cell": "| d100 | x |\n|---|---|\n| 1 | " + "01-02 a " * 12_000 + " |\n",
    "huge numbers": ("9" * 400 + " (9d9) + ") * 240,
    "huge dice": "9" * 50_000 + "d" + "9" * 50_000,
    "blanks": "1" + " " * 99_000 + "= 2",
    "tabs": "1\t+\t" * 25_000,
    "marks": "*1* + " * 16_000,
    "plus and minus": "[+0+-] " * 14_000,
    "words": "Superb (+5) " * 8_000,
    "commas": "1, " * 33_000,
    "letters": "a" * 100_000,
    "slashes": "1/" * 50_000,
    "points": "1." * 50_000,
    "marks of work to do": "TODO " * 20_000,
    "work to do in brackets": "(TODO: (" * 12_000,
    "headings": "## A\n" * 20_000,
    "headings and comments": "## A\n<!-- x\n" * 7_000,
    "question marks": "?" * 100_000,
    "spaced question marks": "is ??? " * 14_000,
    "pages": "page XX " * 12_000,
    "inserts": "[insert " * 12_000,
    "ligatures": "ﬁ" * 50_000,
    "ligature words": "aﬁb " * 25_000,
    "soft hyphens": "a\u00ad" * 50_000,
    "soft hyphens at ends": "a\u00ad \n" * 25_000,
    "hyphens": "ab- " * 25_000,
    "broken words": "abcde abc- de " * 7_000,
    "numbers between": "the words go on and on and on and on and on and on and on and on\n\n7\n\n" * 1_300,
    "stars": "** " * 33_000,
    "open stars": "**a " * 25_000,
    "open comments": "a <!-- " * 14_000,
    "levels": "# A\n\n### B\n\n" * 8_000,
    "items": "- a\n  b\n- c\n" * 3_000,
    "nested items": "".join("  " * (n % 40) + "- a\n" for n in range(2_200)),
    "items below text": "a\n- b\n\n" * 4_000,
    "numbers in brackets": "1) a\n" * 6_000,
    "open elements": "<div>\n\n*a*\n\n" * 3_000,
    "crossed elements": "<div>\n\n*a*\n\n" * 2_000 + "</table>\n\n" * 2_000,
    "fences below fences": "```\n```\n" * 4_000 + "- a\n",
    "alike": "# A\n\n" + "one two three four five six seven eight nine ten eleven twelve thirteen\n\n" * 1_300,
    "alike in pairs": "# A\n\n"
    + "".join(f"{n} " * 9 + "b c d e f g h\n\n" + f"{n} " * 9 + "i j k l m n o p\n\n" for n in range(1_000)),
    "long pairs": "# A\n\n" + ("a b " * 12_000 + "c\n\n") + ("a b " * 12_000 + "d\n"),
    "slips": "| a |\n| --- |\n" + "| initiative |\n" * 4_000 + "| initative |\n",
    "many terms": "| a |\n| --- |\n" + "".join(f"| {'abcdefghij'[n % 10] * (n % 23 + 7)} |\n" for n in range(4_000)),
}


def noticed(texts: Sequence[str], checks: Sequence[Check] = CHECKS, host: HostSettings | None = None) -> list[Problem]:
    """All that is said of a book; what is settled goes through a file, as it may between processes."""
    pages = [read_page(Source(f"page-{number}.md", text)) for number, text in enumerate(texts)]
    notes = pickle.loads(pickle.dumps([run_checks(page, checks, host) for page in pages]))
    return sort_problems([*page_problems(notes), *run_book_checks(notes, checks)])


def said(problem: Problem) -> str:
    return "\n".join([problem.code, problem.message, *problem.notes])


@pytest.mark.parametrize("case", EVERY, ids=[case.id for case in EVERY])
def test_case(case: Case) -> None:
    found = noticed([case.text, case.beside], host=HOSTS.get(case.name))
    told = [said(problem) for problem in found]
    assert all(any(words in one for one in told) for words in case.expected), told
    assert all(any(words in one for words in case.expected) for one in told), told


@pytest.mark.parametrize("case", EVERY, ids=[case.id for case in EVERY])
def test_fixes_mend(case: Case) -> None:
    """What can be mended is mended by its fix, and never comes back."""
    source = Source("page-0.md", case.text)
    host = HOSTS.get(case.name)
    problems = noticed([case.text, case.beside], host=host)
    found = [one for one in problems if one.span.source.path == source.path and one.fix]
    mended = apply_fixes(source, found).text
    left = [said(one) for one in noticed([mended, case.beside], host=host) if one.fix]
    assert not left or not found


class EveryPassage(LintContext):
    def passages_with(self, *_patterns: Pattern[str]) -> list[Passage]:
        return list(all_passages(self))

    figures_with = passages_with


def test_passages_that_are_not_read_hold_nothing() -> None:
    """Checks skip the passages without a match of their patterns, which read all of them at once."""
    texts = [text for case in EVERY for text in (case.text, case.beside)]
    for page in [read_page(Source("page.md", text)) for text in [*texts, "\n\n".join(texts)]]:
        assert run_checks(page, CHECKS) == {check.name: check.check_page(EveryPassage(page)) for check in CHECKS}


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
def test_there_are_wrong_cases_and_right_ones(check: Check) -> None:
    assert {bool(case.expected) for case in cases(check.name)} == {True, False}


def test_names_of_the_registry() -> None:
    """Names are listed once more, so that options can name a check without importing it."""
    assert tuple(check.name for check in CHECKS) == NAMES


def test_no_file_is_left_behind() -> None:
    assert set(names()) == set(NAMES)


WRONG_NUMBERS = {
    "average-wrong", "ladder-total", "percentages-sum", "rollable-gap", "rollable-impossible", "rollable-overlap",
    "sum-total", "sum-wrong",
}  # fmt: skip


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
def test_codes_and_severities(check: Check) -> None:
    host = HOSTS.get(check.name)
    wrong = [case for case in cases(check.name) if case.expected]
    found = [problem for case in wrong for problem in noticed([case.text, case.beside], host=host)]
    assert all(problem.code.partition("-")[0] == check.name for problem in found)
    errors = [problem for problem in found if problem.severity not in ("warning", "info")]
    assert all(problem.code in WRONG_NUMBERS or "does not read this block" in problem.message for problem in errors)
    assert all(problem.span.text.strip() for problem in found)


def look_at_all(text: str) -> None:
    reading = LintContext(read_page(Source("page.md", text)), HOST)
    assert reading.passages is not None
    assert reading.tables is not None
    for check in CHECKS:
        check.check_book(check.check_page(reading).facts)


@pytest.mark.parametrize("text", sample(HOSTILE.values(), 10), ids=HOSTILE)
def test_hostile_pages_of_100_kb_are_read(text: str) -> None:
    with hang_guard():
        look_at_all(text)


@pytest.mark.parametrize("text", sample(HOSTILE.values(), 10), ids=HOSTILE)
def test_twice_the_page_is_twice_the_work(text: str) -> None:
    assert call_growth_from_half(look_at_all, text) < LINEAR


@pytest.mark.parametrize("check", CHECKS, ids=[check.name for check in CHECKS])
@pytest.mark.parametrize("which", BOTH)
def test_the_source_books_are_clean(which: Books, check: Check) -> None:
    texts = [*source_books(which).values()]
    found = [f"{problem.span.source.path} {problem.code}" for problem in noticed(texts, [check])]
    assert found == [*KNOWN.get(check.name, ())]
