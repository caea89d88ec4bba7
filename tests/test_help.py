"""`rulewright help` and `rulewright explain`: the handbook in the terminal; and what a command does not load."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import games
from rulewright.cli.markdown_text import format_markdown
from rulewright.cli.pager import show, text_width
from rulewright.cli.terminal import PAINTED, Screen, screen_width
from rulewright.compile.problem_families import GROUPS
from rulewright.handbook import fenced_lines, read_explanations, read_topics

Golden = Callable[[str, str], None]
Ran = Callable[..., tuple[int, str, str]]
HANDBOOK = Path(__file__).parent.parent / "rules" / "handbook"
TOPICS = read_topics()
SAMPLE = """\
# A page {#page}

Some **strong** and *soft* words, `a | b` as code, a [link](blocks.md#claims), [another](https://example.org/a),
[one here](#page), a [problem](problems.md#link-roll), a [picture](die.svg){ .big } and a [chance](chance:win?a=1).
![A die](die.svg){ width=48 } A snake_case_name and \\*stars\\* stay; so does 2 * 3 * 4.

<!-- not for readers
at all -->
## Lists

- one, which is so long that it does not fit on a line of the terminal and goes on in the next one
- two
  1. deeper
  2. with `code`
* three
  goes on here

  and has a second paragraph
1. a number

| key | what it says |
| --- | ---: |
| `a \\| b` | a cell with so many words that it has to be broken into several lines, each as wide as its column |
| b | |

### Code

````markdown
```example
# no heading
```
````

```toml title="game.toml"
title = "A line of code that is longer than the terminal is wide, and stays on one line all the same"
```

```example
pool: 3
```

> Quoted words.

!!! note "A box"
    With words,

    in two paragraphs.

<div class="grid">
</div>

[[Nightfall]] ends the page.
"""


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_golden_markdown(golden: Golden) -> None:
    lines = format_markdown(SAMPLE, 60, Screen(io.StringIO()))
    golden("cli/markdown.txt", "\n".join(lines) + "\n")
    assert not [line for line in lines if screen_width(line) > 60 and not line.startswith(" " * 6)]


def test_a_terminal_gets_colors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    lines = format_markdown(SAMPLE, 60, Screen(Terminal()))
    assert lines[0] == "\033[1mA page\033[0m"
    plain = [PAINTED.sub("", line) for line in lines]
    assert plain == format_markdown(SAMPLE, 60, Screen(io.StringIO()))


def test_every_page_is_a_topic_with_a_line_of_its_own(ran: Ran) -> None:
    assert set(TOPICS) == {file.relative_to(HANDBOOK).with_suffix("").as_posix() for file in HANDBOOK.rglob("*.md")}
    assert next(iter(TOPICS)) == "start"
    status, printed, _ = ran("help")
    assert status == 0
    listed = [
        line.split()[0] for line in printed.splitlines() if line.startswith("  ") and "rulewright" not in line[:13]
    ]
    assert listed == [name for name in TOPICS if "/" not in name]
    assert max(map(screen_width, printed.splitlines())) <= 80


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_is_shown_whole(name: str, ran: Ran) -> None:
    """Each heading and each line of code; text fits the width."""
    status, printed, _ = ran("help", name)
    assert status == 0
    lines = printed.splitlines()
    source = (HANDBOOK / f"{name}.md").read_text("utf-8")
    headings = [line for line, is_fenced in fenced_lines(source) if line.startswith("#") and not is_fenced]
    assert len(headings) == len(TOPICS[name].sections)
    assert lines[0] == TOPICS[name].title.replace("\\", "")
    assert not [line for line in lines if screen_width(line) > 80 and not line.startswith(" " * 6)]
    code = [line.strip() for line, is_fenced in fenced_lines(source) if is_fenced and line.strip()[:1] not in "`~"]
    code = [re.sub(r"^(>>>|\.\.\.) +", "", line) for line in code]  # Python is shown without prompts
    assert (
        not set(code) - {line.strip() for line in lines} - {line.strip().removeprefix("# ").strip() for line in lines}
    )


def test_a_page_of_the_gallery_by_its_own_name(ran: Ran) -> None:
    assert ran("help", "fate") == ran("help", "gallery/fate") == ran("help", "gallery/fate.md")


def test_one_section(ran: Ran) -> None:
    status, printed, _ = ran("help", "commands", "options", "of", "a", "book")
    assert status == 0
    assert printed.startswith("Options of a book\n-----------------\n")
    assert "\nChecks that can be switched\n" in printed, "what is below the heading belongs to it"
    assert "Exit codes" not in printed


def test_a_word_is_searched_for(ran: Ran) -> None:
    status, printed, _ = ran("help", "rerolled")
    assert status == 0
    assert printed.startswith("`rerolled` is not a topic. It appears in:\n")
    assert "\n  commands      rulewright roll\n" in printed
    assert max(map(screen_width, printed.splitlines())) <= 80
    _, in_topic, _ = ran("help", "commands", "rerolled")
    assert "  commands  " in in_topic
    assert "  blocks  " not in in_topic


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("blokcs", "the handbook has nothing about `blokcs`; did you mean blocks?"),
        ("xylophone", "the handbook has nothing about `xylophone`; rulewright help lists its topics"),
        ("commands xylophone", "the handbook has nothing about `xylophone`"),
    ],
)
def test_a_word_that_is_nowhere(words: str, message: str, ran: Ran) -> None:
    status, printed, error = ran("help", *words.split())
    assert (status, printed) == (2, "")
    assert message in error


@pytest.mark.parametrize(("word", "heading"), [("cards", "deck"), ("Shuffle", "deck"), ("reroll", "again")])
def test_other_names_find_a_section(ran: Ran, word: str, heading: str) -> None:
    status, printed, _ = ran("help", word)
    assert (status, printed.splitlines()[1].split()) == (0, ["game", heading])


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("baseline", "`--baseline FILE` leave out the problems that this file"),
        ("--watch", "`--watch` keep running and check"),
        ("check fix", "`--fix` write the right answers into the pages"),
        ("sarif", "`sarif` code scanning on GitHub"),
        ("exclude", "`exclude` pages and folders"),
    ],
)
def test_an_option_leads_to_its_row(words: str, first: str, ran: Ran) -> None:
    status, printed, _ = ran("help", *words.split())
    assert (status, "did you mean" in printed) == (0, False)
    assert first in printed.splitlines()[2]


def test_help_about_a_command_or_a_code_is_what_they_say_themselves(ran: Ran) -> None:
    assert ran("help", "odds") == ran("odds", "--help")
    assert ran("help", "example-step") == ran("explain", "example-step")


@pytest.mark.parametrize("code", read_explanations())
def test_every_code_is_explained(code: str, ran: Ran) -> None:
    status, printed, _ = ran("explain", code)
    assert status == 0
    assert printed.startswith(f"`{code}`\n")
    explanation = read_explanations()[code]
    assert explanation.group in printed
    assert " ".join(explanation.section.summary.split()[:4]).strip("`*") in " ".join(printed.split())
    assert explanation.section.summary


def test_a_code_as_it_was_reported(ran: Ran) -> None:
    plain = ran("explain", "example-step")
    assert plain == ran("explain", "error[example-step]") == ran("explain", "Example-Step")
    for part in ("error[example-step] the rules give", "fix: hits: 2", "Correct the number"):
        assert part in plain[1]


def test_all_codes_in_a_line_each(ran: Ran) -> None:
    status, printed, _ = ran("explain")
    assert status == 0
    assert [line.split()[0] for line in printed.splitlines() if line[2:3].strip() and line[:2] == "  "] == [
        *read_explanations()
    ]


@pytest.mark.parametrize("family", ["example", "links", "names", "prose"])
def test_a_family_is_listed(family: str, ran: Ran) -> None:
    """A family is called what the option `checks` calls it, or the first word of its codes."""
    status, printed, _ = ran("explain", family)
    assert status == 0
    listed = {line.split()[0] for line in printed.splitlines() if line.startswith("  ") and line[2:3].strip()}
    (prefix,) = GROUPS.get(family, (family,))
    assert listed == {code for code in read_explanations() if f"{code}-".startswith(f"{prefix}-")}
    assert listed


def test_a_code_that_does_not_exist(ran: Ran) -> None:
    assert ran("explain", "exmaple-step")[::2] == (
        2, "rulewright: there is no problem code `exmaple-step`; did you mean example-step?\n"
    )  # fmt: skip
    assert "rulewright explain lists all of them" in ran("explain", "xylophone")[2]


def test_explanations_as_data(ran: Ran) -> None:
    (found,) = json.loads(ran("explain", "link-roll", "--json")[1])
    assert (found["code"], found["group"]) == ("link-roll", "Links")
    assert found["text"].startswith(found["summary"].split()[0])
    assert [one["code"] for one in json.loads(ran("explain", "--json")[1])] == [*read_explanations()]


def test_a_check_names_the_code_to_look_up(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = Path("page.md")
    page.write_text("# A\n\n[a](#b), [c](#d) and 2 + 2 = 5.\n", "utf-8")
    status, printed, _ = ran("check")
    assert status == 1
    assert printed.endswith("\nfor details: rulewright explain link-missing\n")
    assert printed.count("rulewright explain") == 1
    for form in ("json", "github"):
        assert "rulewright explain" not in ran("check", "--format", form)[1]
    page.write_text("# A\n", "utf-8")
    assert "rulewright explain" not in ran("check")[1]


def test_without_arguments_there_is_an_overview(ran: Ran) -> None:
    """On the error stream and with code 2, as ruff and mdbook do: a script that forgot the command must fail."""
    status, printed, overview = ran()
    assert (status, printed) == (2, "")
    assert "rulewright help start" in overview
    assert len([line for line in overview.splitlines() if line.startswith("  rulewright ")]) == 5
    assert max(map(len, overview.splitlines())) <= 80


# The pager


@pytest.fixture
def paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the pager was given is written here; the terminal has ten lines of sixty columns."""
    script, seen = tmp_path / "pager.py", tmp_path / "seen"
    script.write_text(f"import sys; open({str(seen)!r}, 'wb').write(sys.stdin.buffer.read())", "utf-8")
    monkeypatch.setenv("PAGER", f'"{Path(sys.executable).as_posix()}" "{script.as_posix()}"')
    monkeypatch.setenv("LINES", "10")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "dumb")
    return seen


def test_a_long_text_goes_through_a_pager(paged: Path) -> None:
    terminal = Terminal()
    lines = [f"line {number} ›" for number in range(10)]
    show(lines, Screen(terminal))
    assert paged.read_text("utf-8") == "\n".join(lines) + "\n"
    assert terminal.getvalue() == ""
    assert text_width(Screen(terminal)) == 60


def test_a_short_text_or_a_pipe_has_no_pager(paged: Path) -> None:
    terminal, pipe = Terminal(), io.StringIO()
    show(["one", "two"], Screen(terminal))
    show(["one"] * 99, Screen(pipe))
    assert (terminal.getvalue(), pipe.getvalue()) == ("one\ntwo\n", "one\n" * 99)
    assert not paged.exists()
    assert text_width(Screen(pipe)) == 80


@pytest.mark.parametrize("command", ["", "no-such-pager-anywhere"])
def test_a_pager_that_is_not_there(paged: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", command)
    terminal = Terminal()
    show(["one"] * 99, Screen(terminal))
    assert terminal.getvalue() == "one\n" * 99
    assert not paged.exists()


# What is loaded

HEAVY = {
    "jinja2",
    "markdown",
    "markdown_it",
    "material",
    "mdit_py_plugins",
    "mkdocs",
    "pygments",
    "pymdownx",
    "typst",
    "yaml",
}
LIGHT = {
    "version": ["--version"], "overview": [], "list": ["--help"], "topics": ["help"], "topic": ["help", "start"],
    "search": ["help", "reroll"], "codes": ["explain"], "code": ["explain", "example-step"],
    "roll": ["roll", "maelstrom/action", "pool=5"], "odds": ["odds", "maelstrom/action", "pool=5"],
}  # fmt: skip
LOADED = "import sys\n{}\nprint(*{{name.partition('.')[0] for name in sys.modules}}, file=sys.stderr)"


@pytest.mark.parametrize("name", ["import", *LIGHT])
def test_what_needs_no_site_loads_none(name: str) -> None:
    run = f"from rulewright.cli import main; main({LIGHT.get(name)!r})"
    code = LOADED.format("import rulewright" if name == "import" else run)
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True, cwd=games.RULES
    )
    loaded = set(found.stderr.splitlines()[-1].split())
    assert "rulewright" in loaded
    assert not loaded & HEAVY
