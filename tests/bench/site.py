"""What the plugin adds to a build: pages with examples, beside the same pages with their fences as plain code.

Processors' time of whole processes, so that nothing is warm. Run by itself: python tests/bench/site.py"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.clock import SURROUNDINGS, shown
from bench.pages import GAMES, NETS, STORY

PAGES, SECTIONS, EXAMPLES = 100, 15, 5
RUNS = 3
GOAL, START_GOAL = 1.35, 0.1
SETTINGS = """\
site_name: Nights
docs_dir: docs
theme: {name: material, font: false}
markdown_extensions: [attr_list, pymdownx.highlight, pymdownx.superfences, toc: {permalink: true}]
plugins: [search%s]
"""


def page_text(number: int) -> str:
    """300 lines: headings, paragraphs, lists, a table in each section, an example in every third."""
    return f"# Night {number}\n\n" + "\n".join(section(number, part) for part in range(SECTIONS))


def section(number: int, part: int) -> str:
    example = part < EXAMPLES * 3 and part % 3 == 0
    return (
        f"## Part {part} of night {number}\n\n{STORY}\n\n"
        f"- the lamp, which goes out in round {part}\n- the crate, *nailed* shut\n- a **rope** of {number} feet\n\n"
        f"| what | weight |\n| --- | ---: |\n| lamp | {part} |\n| rope | {number} |\n\n"
        + (
            example_text(number, part)
            if example
            else f"{STORY}\n\n{STORY} Then [on](#part-{part}-of-night-{number}).\n"
        )
    )


def example_text(number: int, part: int) -> str:
    difficulty = (number + part) % 6
    return (
        f"```example\nrule: action\npool: 4\ndifficulty: {4 + difficulty}\nspecialty: yes\n"
        f"dice: 1 4 7 10 | 1 10 | 4 8\nnet: {NETS[difficulty]}\n```\n"
    )


def write_site(folder: Path, pages: int, ours: bool) -> None:
    docs = folder / "docs"
    docs.mkdir()
    for number in range(pages):
        (docs / f"{'index' if number == 0 else f'night-{number}'}.md").write_text(page_text(number), encoding="utf-8")
    if ours:
        (docs / "game.toml").write_text((GAMES / "game.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "mkdocs.yml").write_text(SETTINGS % (", rulewright" if ours else ""), encoding="utf-8")


def build_time(pages: int, ours: bool) -> float:
    """The best of some builds."""
    with tempfile.TemporaryDirectory() as name:
        write_site(Path(name), pages, ours)
        return min(one_build(Path(name)) for _ in range(RUNS))


def one_build(folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True, env=SURROUNDINGS)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def rows() -> Iterator[tuple[str, str, str, str]]:
    """What is built, the time of plain Material, ours, and the goal."""
    plain, ours = build_time(PAGES, False), build_time(PAGES, True)
    name = f"{PAGES} pages of 300 lines with {EXAMPLES} examples each"
    yield name, shown(plain), shown(ours), f"{ours / plain:.2f} × (goal: {GOAL:.2f} ×)"
    plain, ours = build_time(1, False), build_time(1, True)
    yield "one page: the start", shown(plain), shown(ours), f"+{shown(ours - plain)} (goal: {shown(START_GOAL)})"


if __name__ == "__main__":
    for cells in rows():
        print(*cells, sep=" | ")
