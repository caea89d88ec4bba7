"""Blocks: every shape in which a fence can stand, what stands inside, near misses."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.blocks import edit_distance, guess_kind
from rulewright.book.page import BLOCK_KINDS, Block, Page
from rulewright.book.parser import read_page
from rulewright.source import Problem, Source, Span, sort_problems

PLAIN = "```example\npool: 4\noutcome: success\n```"


def read(text: str, path: str = "rules/actions.md") -> Page:
    return read_page(Source(path, text))


def prefixed(first: str, others: str, text: str = PLAIN) -> str:
    start, *rest = text.split("\n")
    return "\n".join([first + start, *(others + line for line in rest)])


def nested(depth: int) -> str:
    """A list in a list in a list; the block stands in the innermost."""
    items = [" " * 2 * level + "- item" for level in range(depth)]
    return "\n".join([*items, "", prefixed(" " * 2 * depth, " " * 2 * depth)])


SHAPES = {
    "at the top level": f"Text.\n\n{PLAIN}\n\nMore.\n",
    "after a paragraph without a blank line": f"Text.\n{PLAIN}\nMore.\n",
    "in a bullet list, 2 spaces": "- item\n\n" + prefixed("  ", "  "),
    "in a bullet list, 4 spaces": "- item\n\n" + prefixed("    ", "    "),
    "in a bullet list, 3 spaces": "- item\n\n" + prefixed("   ", "   "),
    "in a numbered list, 2 spaces": "1. item\n\n" + prefixed("  ", "  "),
    "in a list in a list, 8 spaces": "- item\n    - item\n\n" + prefixed("        ", "        "),
    "as the first thing of an item": prefixed("- ", "  "),
    "as the first thing of an item, 3 spaces": prefixed("-  ", "   "),
    "in a numbered list, 3 spaces": "1. item\n\n" + prefixed("   ", "   "),
    "in a numbered list, 4 spaces": "10. item\n\n" + prefixed("    ", "    "),
    "in a list without a blank line": "* item\n" + prefixed("  ", "  "),
    "in a quote": "> Text.\n>\n" + prefixed("> ", "> "),
    "in a quote without blanks": prefixed(">", ">"),
    "in nested quotes": prefixed("> > ", "> > "),
    "in a quote in a list": "- item\n\n" + prefixed("  > ", "  > "),
    "in a list in a quote": "> - item\n>\n" + prefixed(">   ", ">   "),
    "in an admonition": '!!! note "Mind"\n\n' + prefixed("    ", "    "),
    "in an admonition, directly": "!!! note\n" + prefixed("    ", "    "),
    "in a collapsible": '??? example "See"\n\n' + prefixed("    ", "    "),
    "in an open collapsible": "???+ note\n" + prefixed("    ", "    "),
    "in a tab": '=== "One"\n\n    Text.\n\n=== "Two"\n\n' + prefixed("    ", "    "),
    "in an admonition in a tab": '=== "One"\n\n    !!! note\n' + prefixed("        ", "        "),
    "in a callout": "> [!NOTE]\n> Text.\n>\n" + prefixed("> ", "> "),
    "in HTML": f'<div markdown="1">\n\n{PLAIN}\n\n</div>\n',
    "in HTML without blank lines": f'<div class="x" markdown="block">\n{PLAIN}\n</div>\n',
    "in HTML in HTML": f'<div markdown="1">\n<section markdown>\n{PLAIN}\n</section>\n</div>\n',
    "in a footnote": "Text.[^1]\n\n[^1]: Note.\n\n" + prefixed("    ", "    "),
    "in a footnote that nobody refers to": "Text.\n\n[^1]: Note.\n\n" + prefixed("    ", "    "),
    "in a definition": "Term\n:   Text.\n\n" + prefixed("    ", "    "),
    "in a task": "- [x] item\n\n" + prefixed("  ", "  "),
    "with tildes": PLAIN.replace("```", "~~~"),
    "with longer fences": PLAIN.replace("```", "`````"),
    "with more words": PLAIN.replace("example", " example title=x"),
    "indented by 1": prefixed(" ", " "),
    "indented by 3": prefixed("   ", "   "),
    "indented by 3, its text not": prefixed("   ", ""),
    "at the end, without a newline": f"Text.\n\n{PLAIN}",
    "in a comment": "<!-- example\npool: 4\noutcome: success\n-->\n",
    "in a comment that ends behind the text": "<!-- example\npool: 4\noutcome: success -->\n",
    "in a comment in a list": "- item\n\n  <!-- example\n  pool: 4\n  outcome: success\n  -->\n",
    "in a comment in a quote": "> <!--example\n> pool: 4\n> outcome: success\n> -->\n",
    "in a comment in a paragraph": "Text <!-- example\npool: 4\noutcome: success\n--> and more.\n",
    "unclosed": f"Text.\n\n{PLAIN[:-4]}",
    "unclosed, with a newline": f"Text.\n\n{PLAIN[:-3]}",
    "unclosed, in a list": "- item\n\n" + prefixed("  ", "  ", PLAIN[:-4]) + "\n\nText.\n",
    "ten lists deep": nested(10),
    "behind tabs": "-\titem\n\n" + prefixed("\t", "\t"),
    "behind a tab and blanks": "- item\n\n" + prefixed("  \t", "  \t").replace("\t```", "```"),
    "after front matter": f"---\ntitle: Actions\n---\n{PLAIN}\n",
    "after a byte order mark": f"\ufeff{PLAIN}\n",
    "after a byte order mark and front matter": f"\ufeff---\ntitle: Actions\n---\n\n{PLAIN}\n",
    "with CRLF": f"Text.\n\n{PLAIN}\n".replace("\n", "\r\n"),
    "with lone CR": f"Text.\n\n{PLAIN}\n".replace("\n", "\r"),
    "with all line ends": f"a\rb\r\nc\n\r\n{PLAIN}\n",
    "after a line separator": f"a\u2028b\n\n{PLAIN}\n",
    "after a form feed and a vertical tab": f"a\fb\vc\x1cd\x85e\n\n{PLAIN}\n",
    "after a null character": f"a\0b\n\n{PLAIN}\n",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_block_is_found(shape: str) -> None:
    text = SHAPES[shape]
    (block,) = read(text).blocks
    assert (block.kind, [(entry.key, entry.value) for entry in block.entries]) == (
        "example",
        [("pool", "4"), ("outcome", "success")],
    )
    outcome = block.get("outcome")
    assert outcome
    assert outcome.value_span == Span(block.span.source, text.index("success"), text.index("success") + len("success"))
    assert outcome.key_span.text == "outcome"
    assert block.word.text == "example"
    assert block.shown is ("comment" not in shape)


@pytest.mark.parametrize("shape", SHAPES)
def test_only_what_is_unclosed_is_reported(shape: str) -> None:
    codes = [problem.code for problem in read(SHAPES[shape]).problems]
    assert codes == (["block-unclosed"] if "unclosed" in shape else [])


@pytest.mark.parametrize("kind", BLOCK_KINDS)
def test_each_kind_is_a_block(kind: str) -> None:
    assert [block.kind for block in read(f"```{kind}\n```\n").blocks] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "````markdown\n```example\npool: 4\n```\n````\n",
        "<!-- an example\npool: 4\n-->\n",
        "<!-- example: pool 4 -->\n",
        "`` ```example `` shows the word\n",
        "<pre>\n```example\npool: 4\n```\n</pre>\n",
        "```python\nexample\n```\n",
        "```\nexample\n```\n",
    ],
)
def test_no_block(text: str) -> None:
    page = read(text)
    assert (page.blocks, page.problems) == ((), ())


@pytest.mark.parametrize(
    ("text", "containers"),
    [(SHAPES["in a quote in a list"], ("list", "quote")), (SHAPES["in an admonition in a tab"], ("tab", "box"))],
)
def test_containers(text: str, containers: tuple[str, ...]) -> None:
    assert read(text).blocks[0].containers == containers


# ids and trails


def test_ids_count_below_each_heading() -> None:
    page = read(f"{PLAIN}\n# One\n{PLAIN}\n\n{PLAIN}\n## Two words\n<!-- claim\nchance(x) = 1\n-->\n# One\n{PLAIN}\n")
    assert [block.id for block in page.blocks] == ["actions.1", "one.1", "one.2", "two-words.1", "one-1.1"]
    assert [block.trail for block in page.blocks] == [(), ("One",), ("One",), ("One", "Two words"), ("One",)]


def test_a_written_id_wins_and_still_counts() -> None:
    page = read(f"# One\n```example\nID: climb # steep\n```\n{PLAIN}\n")
    assert [block.id for block in page.blocks] == ["climb", "one.2"]


def test_an_id_belongs_to_one_block() -> None:
    page = read("# One\n```example\nid: climb\n```\n```example\nid: climb\n```\n")
    (problem,) = page.problems
    assert (problem.code, problem.span.text, problem.span.source.position(problem.span.start)) == (
        "block-id",
        "climb",
        (6, 5),
    )
    assert problem.trail == ("One",)


def test_a_block_may_be_kept_from_print() -> None:
    page = read("```example\nshow: no\ntitle: A throw\n```\n")
    assert (page.blocks[0].shown, page.blocks[0].title) == (False, "A throw")


# what stands inside


def inside(text: str, kind: str = "example") -> Block:
    return read(f"# Top\n\n```{kind}\n{text}\n```\n").blocks[0]


def problems_of(page: Page) -> list[Problem]:
    """Those of the page and those of its blocks."""
    return sort_problems([*page.problems, *(problem for block in page.blocks for problem in block.problems)])


def told(text: str, kind: str = "example") -> list[tuple[str, str, tuple[int, int]]]:
    """Code, marked text, and the place, counted within the block."""
    problems = problems_of(read(f"```{kind}\n{text}\n```\n"))
    places = [problem.span.source.position(problem.span.start) for problem in problems]
    return [(p.code, p.span.text, (line - 1, column)) for p, (line, column) in zip(problems, places, strict=True)]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("degree: 3", "3"),
        ("Degree:3", "3"),
        ("  degree :  3  ", "3"),
        ("degree: 3 # three", "3"),
        ("degree: 3#4", "3#4"),
        ('degree: "a # b" # c', '"a # b"'),
        ("degree: 'a # b' # c", "'a # b'"),
        ("degree: it's # c", "it's"),
        ("degree: it's the giants' # c", "it's the giants'"),
        ('degree: 6" # inches', '6"'),
        ("degree:", ""),
        ("degree: # nothing", ""),
        ("degree: a: b", "a: b"),
        ("degree:\t3\t", "3"),
        ("degree: \u22123 \u2192 4", "\u22123 \u2192 4"),
    ],
)
def test_entries(line: str, value: str) -> None:
    (entry,) = inside(line).entries
    assert (entry.key, entry.value, entry.value_span.text) == ("degree", value, value)
    assert entry.key_span.text.lower() == "degree"


def test_comments_and_empty_lines_are_nothing() -> None:
    assert [entry.key for entry in inside("# pool: 3\n\n   # text\npool: 4").entries] == ["pool"]


def test_parts_of_an_example() -> None:
    block = inside("pool: 4\ninstead:\npool: 3\nThen:\npool: 5\ndegree: 1")
    assert [(part.name, [entry.value for entry in part.entries]) for part in block.parts] == [
        ("", ["4"]),
        ("instead", ["3"]),
        ("then", ["5", "1"]),
    ]
    assert [part.span.text for part in block.parts] == ["", "instead", "Then"]


def test_a_part_stands_alone_on_its_line() -> None:
    assert told("instead: pool 3") == [("block-line", "pool 3", (1, 10))]


def test_sides() -> None:
    block = inside("side Arnbjorg the Old: die d6, dice 5 4\nSide Bo: die d8, dice 3, dice 5")
    assert [(e.key, e.name, e.name_span.text) for e in block.entries] == [
        ("side", "Arnbjorg the Old", "Arnbjorg the Old"),
        ("side", "Bo", "Bo"),
    ]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("pool: 3\nPool: 4", [("block-key", "Pool", (2, 1))]),
        ("pool: 3\ninstead:\npool: 4", []),
        ("expect: pool 5 = 1/2\nexpect: pool 6 = 1/3", []),
        ("side A: die d6\nside B: die d6", []),
        ("side A: die d6\nside a: die d6", [("block-key", "a", (2, 6))]),
        ("pool: 3\n  pool 4 # text", [("block-line", "pool 4", (2, 3))]),
        ("degree = 3", [("block-line", "degree = 3", (1, 1))]),
        ("1 4 7 10", [("block-line", "1 4 7 10", (1, 1))]),
        (": 3", [("block-line", ": 3", (1, 1))]),
    ],
)
def test_what_is_no_entry(text: str, problems: list[tuple[str, str, tuple[int, int]]]) -> None:
    assert told(text) == problems


def test_statements_of_a_claim() -> None:
    block = inside("rule: action\n\nchance(success) = 1/2 # half\n  mean(net) ~ 2.07", "claim")
    assert [span.text for span in block.statements] == ["chance(success) = 1/2", "mean(net) ~ 2.07"]
    assert [entry.key for entry in block.entries] == ["rule"]


def test_settings_of_a_claim_come_first() -> None:
    assert told("chance(x) = 1\nrule: action", "claim") == [("block-line", "rule", (2, 1))]


def test_what_stands_under_a_verdict() -> None:
    entry = inside("sheet: starting\nverdict:\ntwelve abilities\n  five dots # each", "sheet").get("verdict")
    assert entry
    assert [span.text for span in entry.lines] == ["twelve abilities", "five dots"]


@pytest.mark.parametrize(
    "page",
    [
        '```game\ntitle = "A"\n[rules.x]\n```\n',
        '> ```game\n> title = "A"\n> [rules.x]\n> ```\n',
        '- item\r\n\r\n  ```game\r\n  title = "A"\r\n  [rules.x]\r\n  ```\r\n',
        '<!-- game\ntitle = "A"\n[rules.x]\n-->\n',
        '!!! note\n\t```game\n\ttitle = "A"\n\t[rules.x]\n\t```\n',
    ],
)
def test_the_text_of_a_game_and_its_places(page: str) -> None:
    (block,) = read(page).blocks
    assert block.text.content == 'title = "A"\n[rules.x]\n'
    for word in ("title", '"A"', "[rules.x]"):
        start = block.text.content.index(word)
        assert block.text.at(start) == page.index(word)
        assert block.text.span(start, start + len(word)).text == word


# near misses


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("exmaple", "example"), ("examples", "example"), ("exampel", "example"), ("exampels", "example"),
        ("Example", "example"), ("{.example}", "example"), ("rolller", "roller"), ("odd", "odds"), ("clam", "claim"),
        ("rules", "rule"), ("ordre", "order"), ("games", "game"), ("tabel", "table"), ("sheets", "sheet"),
        ("python", None), ("ruby", None), ("gams", None), ("text", None), ("mermaid", None), ("toml", None),
        ("html", None), ("sample", "example"), ("xmpl", None), ("odin", None), ("shell", None), ("role", None),
    ],
)  # fmt: skip
def test_words_that_are_nearly_a_kind(word: str, kind: str | None) -> None:
    assert guess_kind(word) == kind


@pytest.mark.parametrize(("one", "other", "count"), [("a", "a", 0), ("ab", "ba", 1), ("abc", "ac", 1), ("", "ab", 2)])
def test_slips(one: str, other: str, count: int) -> None:
    assert edit_distance(one, other) == edit_distance(other, one) == count


def test_a_near_miss_is_reported_at_the_word() -> None:
    (problem,) = read("> ```  exmaple\n> pool: 3\n> ```\n").problems
    assert (problem.code, problem.severity, problem.span.text) == ("block-unknown", "warning", "exmaple")
    assert problem.notes == ("did you mean example?",)


def test_a_fence_shown_as_indented_code() -> None:
    (problem,) = read("Text.\n\n    ```example\n    pool: 4\n    ```\n").problems
    assert (problem.code, problem.severity, problem.span.text) == ("block-indented", "warning", "```example")


def test_near_misses_in_print(golden: Callable[[str, str], None]) -> None:
    page = "# Climbing\n\n```exmaple\npool: 4\n```\n\n    ```odds\n    ```\n\n```example\npool: 4\npool: 5\ndegree 2\n"
    lines = []
    for problem in problems_of(read(page)):
        line, column = problem.span.source.position(problem.span.start)
        notes = "".join(f"\n   {note}" for note in problem.notes)
        lines.append(f"{line}:{column}: {problem.severity}[{problem.code}] {problem.message}{notes}\n")
    golden("book/blocks.txt", "".join(lines))


# whatever is written


LINES = st.one_of(
    st.sampled_from(["pool: 4", "instead:", "then: x", "side A: die d6", "# c", "verdict:", "a = b # c", "id: x", ":"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)


@given(st.sampled_from(BLOCK_KINDS), st.lists(LINES, max_size=8), st.sampled_from(["", "> ", "  ", "- "]))
def test_any_text_in_a_block_is_read(kind: str, lines: list[str], mark: str) -> None:
    text = "\n".join(mark + line for line in [f"```{kind}", *lines, "```"])
    page = read(text)
    for block in page.blocks:
        for part in block.parts:
            for entry in part.entries:
                assert entry.value_span.text.replace("\0", "\ufffd") == entry.value
                assert re.split(r"\s", entry.key_span.text.lower())[0] == entry.key.split()[0]
    for problem in problems_of(page):
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
