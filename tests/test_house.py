"""The shape of the code: layers, sizes, and documents for developers that name only what exists."""

from __future__ import annotations

import ast
import math
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "plugin" / "rulewright"

LAYERS = (  # from top to bottom; a package imports only from layers below its own
    {"__main__", "cli", "compare_site", "mkdocs_plugin", "markdown_extension", "pytest_plugin"},
    {"api", "extend"},  # what programs import
    {"adopt"},
    {"render"},
    {"diff"},
    {"compile"},
    {"checks", "lint"},
    {"prose"},
    {"odds"},
    {"book", "play"},
    {"game"},
    {"project"},
    {"root", "globs"},
    {"paths", "source"},
    {"handbook", "release"},
    {"__init__"},
)
DEPTH = {part: depth for depth, layer in enumerate(LAYERS) for part in layer}
SAME_PART = {  # these only open a door
    "__main__": {"cli"},  # `python -m rulewright`
    "__init__": {"api", "source"},  # `from rulewright import Game`, imported on first use
}
ONLY_IN = {"mkdocs": {"mkdocs_plugin"}, "markdown_it": {"book", "render"}}

MOST_LINES_OF_A_MODULE = 500
MOST_MODULES_OF_A_CHAIN = 26  # of imports that run when a module is loaded

TOP_LEVEL = {
    "mkdocs.yml", "pyproject.toml", "README.md", "Makefile", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", ".gitignore",
    "rules", "plugin", "site_overrides", "tests", ".ci", ".github", "action.yml", ".pre-commit-hooks.yaml",
    ".gitattributes",
}  # fmt: skip


@dataclass(frozen=True)
class Module:
    """One file of the package; its name leaves out `rulewright.`: `game.formula`, `cli`."""

    path: Path

    @property
    def shown(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def name(self) -> str:
        parts = self.path.relative_to(PACKAGE).with_suffix("").parts
        return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)

    @property
    def part(self) -> str:
        return self.name.partition(".")[0]

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))


@dataclass(frozen=True)
class Import:
    """Something that a module imports, as an absolute dotted name."""

    by: Module
    line: int
    name: str
    is_eager: bool  # not inside a function or for types

    @property
    def package(self) -> str:
        return self.name.partition(".")[0]

    @property
    def part(self) -> str:
        return self.name.split(".")[1] if "." in self.name else "__init__"

    @property
    def place(self) -> str:
        return f"{self.by.shown}:{self.line}"


@cache
def modules() -> list[Module]:
    return [Module(path) for path in sorted(PACKAGE.rglob("*.py"))]


@cache
def imports() -> list[Import]:
    return [
        Import(module, node.lineno, name, node in tree.body)
        for module in modules()
        for tree in [module.tree]
        for node in statements(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in imported_names(module, node)
    ]


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All below a node; expressions, which have no imports, are most of a module."""
    for part in ("body", "orelse", "handlers", "finalbody", "cases"):
        for inner in getattr(node, part, ()):
            yield inner
            yield from statements(inner)


def imported_names(module: Module, node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [module_of(f"{imported_from(module, node)}.{alias.name}") for alias in node.names]


def imported_from(module: Module, node: ast.ImportFrom) -> str:
    """The dotted name behind `from`, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    folder = module.path.parents[node.level - 1].relative_to(PACKAGE.parent)
    return ".".join([*folder.parts, *filter(None, [node.module])])


def module_of(name: str) -> str:
    """`rulewright.source.Span` is no module: what is imported is `rulewright.source`."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    inside = name.startswith("rulewright.") and not path.is_dir() and not path.with_suffix(".py").exists()
    return name.rpartition(".")[0] if inside else name


def say(wrong: list[str]) -> str:
    return "\n" + "\n".join(wrong)


def test_every_module_belongs_to_a_layer() -> None:
    wrong = [f"{m.shown}: no layer holds the part `{m.part}`; see LAYERS" for m in modules() if m.part not in DEPTH]
    assert not wrong, say(wrong)


def test_imports_point_downwards() -> None:
    wrong = [
        f"{i.place}: `{i.by.part}` imports `{i.name}`, which is not in a layer below"
        for i in imports()
        if i.package == "rulewright" and not may_import(i.by.part, i.part)
    ]
    assert not wrong, say(wrong)


def may_import(part: str, other: str) -> bool:
    if other == part or other in SAME_PART.get(part, ()):
        return True
    return DEPTH.get(other, -1) > DEPTH.get(part, math.inf)


@pytest.mark.parametrize(
    ("part", "other", "allowed"),
    [
        ("cli", "game", True),
        ("game", "game", True),
        ("game", "source", True),
        ("game", "root", True),
        ("root", "source", True),
        ("root", "game", False),
        ("__main__", "cli", True),
        ("__init__", "api", True),
        ("__init__", "cli", False),
        ("cli", "api", True),
        ("compile", "api", False),
        ("game", "book", False),
        ("game", "play", False),
        ("source", "game", False),
        ("checks", "compile", False),
        ("cli", "mkdocs_plugin", False),
        ("cli", "stranger", False),
        ("stranger", "source", False),
    ],
)
def test_who_may_import_whom(part: str, other: str, allowed: bool) -> None:
    assert may_import(part, other) is allowed


def test_imports_run_in_no_circle() -> None:
    """Imports inside functions and for types count as well."""
    edges = import_edges()
    circles = [name for name in edges if name in reachable(name, edges)]
    assert not circles, circles


def import_edges(eager: bool = False) -> dict[str, set[str]]:
    """The modules that each module imports; `eager` leaves out imports inside functions and for types."""
    known = {module.name for module in modules()}
    edges: dict[str, set[str]] = {name: set() for name in known}
    for i in imports():
        if eager and not i.is_eager:
            continue
        target = i.name.removeprefix("rulewright.")
        if i.package == "rulewright" and target in known and target != i.by.name:
            edges[i.by.name].add(target)
    return edges


def reachable(name: str, edges: dict[str, set[str]]) -> set[str]:
    """All modules that a module imports, directly or not."""
    reached: set[str] = set()
    waiting = [*edges[name]]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += edges[module]
    return reached


def test_libraries_stay_where_they_belong() -> None:
    wrong = [
        f"{i.place}: `{i.package}` is imported by `{i.by.part}`, only {sorted(ONLY_IN[i.package])} may"
        for i in imports()
        if i.package in ONLY_IN and i.by.part not in ONLY_IN[i.package]
    ]
    assert not wrong, say(wrong)


def test_mkdocs_is_imported_by_one_module() -> None:
    importers = {i.by.shown for i in imports() if i.package == "mkdocs"}
    assert len(importers) <= 1, say(sorted(importers))


def test_modules_are_short() -> None:
    lengths = {m.shown: len(m.text.splitlines()) for m in modules()}
    most = MOST_LINES_OF_A_MODULE
    wrong = [f"{shown}:{most + 1}: {lines} lines, at most {most}" for shown, lines in lengths.items() if lines > most]
    assert not wrong, say(wrong)


def test_scripts_are_short() -> None:
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.glob("web/*/*.js")}
    assert max(lengths.values()) <= MOST_LINES_OF_A_MODULE, lengths


def test_the_top_level_is_tidy() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    strangers = {path.partition("/")[0] for path in listed.stdout.split("\0") if path} - TOP_LEVEL
    assert not strangers, f"these do not belong to the top level: {sorted(strangers)}"


CONTRIBUTING, ARCHITECTURE = ROOT / "CONTRIBUTING.md", ROOT / "plugin" / "ARCHITECTURE.md"
DECISIONS = sorted((ROOT / "plugin" / "decisions").glob("*.md"))
DOCUMENTS = [CONTRIBUTING, ARCHITECTURE, *DECISIONS]
MOST_BYTES = {CONTRIBUTING: 8_000, ARCHITECTURE: 10_000}
CODE = re.compile(r"`([^`\n]+)`")
DIAGRAM = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^():#]+)\)")
AT_THE_TOP = ("plugin/", "tests/", "rules/", "site_overrides/", ".ci/")
SUFFIXES = (".py", ".js", ".ts", ".css", ".json", ".html")
PLACEHOLDER = "NAME"
NAME_OF_CODE = r"_?[A-Z]\w+|_?[a-z]+_\w+"
IN_FILE = re.compile(r"((?:`\w+`[^`;.:()]{0,40}?)+)\bin\s`([\w/]+\.py)`")


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("document", MOST_BYTES, ids=shown)
def test_documents_for_developers_are_short(document: Path) -> None:
    assert len(document.read_bytes()) <= MOST_BYTES[document]


@pytest.mark.parametrize("document", DOCUMENTS, ids=shown)
def test_what_documents_for_developers_name_exists(document: Path) -> None:
    missing = [path for path in named_paths(document) if not path.exists()]
    assert not missing, say([f"{shown(document)}: there is no {path}" for path in missing])


def named_paths(document: Path) -> list[Path]:
    """The files and folders in backticks, in diagrams and in links."""
    text = document.read_text(encoding="utf-8")
    words = [word for diagram in DIAGRAM.findall(text) for word in re.findall(r"[\w./]+/[\w./]*\w\.\w+", diagram)]
    words += [word for word in CODE.findall(DIAGRAM.sub("", text)) if is_path(word)]
    paths = [(ROOT if word.startswith(AT_THE_TOP) else PACKAGE) / word for word in words if PLACEHOLDER not in word]
    return paths + [document.parent / link for link in LINK.findall(text)]


def is_path(word: str) -> bool:
    """Whether this names something of ours: `tests/cases/`, `game/load.py`, `odds/`."""
    if not re.fullmatch(r"[\w./-]+", word):
        return False
    package, slash, _ = word.partition("/")
    return word.startswith(AT_THE_TOP) or word.endswith(SUFFIXES) or (bool(slash) and package in DEPTH)


@cache
def words_of_code() -> set[str]:
    files = (path for folder in ("plugin", "tests") for path in ROOT.glob(f"{folder}/**/*.py"))
    return {word for path in files for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("document", [CONTRIBUTING, ARCHITECTURE], ids=shown)
def test_names_of_code_in_documents_exist(document: Path) -> None:
    """Constants, classes, and functions whose names have an underscore; others are ordinary words as well."""
    words = CODE.findall(DIAGRAM.sub("", document.read_text(encoding="utf-8")))
    names = {word for word in words if re.fullmatch(NAME_OF_CODE, word)} - {PLACEHOLDER}
    missing = sorted(names - words_of_code())
    assert not missing, say([f"{shown(document)}: there is no {name}" for name in missing])


def test_recipes_name_the_right_file() -> None:
    """As in "`FUNCTIONS` and `NAMES` in `game/formula.py`": all names before a file are there."""
    found = IN_FILE.findall(CONTRIBUTING.read_text(encoding="utf-8"))
    wrong = [
        f"there is no {name} in {file}"
        for names, file in found
        for name in CODE.findall(names)
        if name not in ((ROOT if file.startswith(AT_THE_TOP) else PACKAGE) / file).read_text(encoding="utf-8")
    ]
    assert len(found) > 20
    assert not wrong, say(wrong)


@pytest.mark.parametrize("decision", DECISIONS, ids=shown)
def test_decisions_have_a_number_a_date_and_three_parts(decision: Path) -> None:
    title, date, *rest = filter(None, decision.read_text(encoding="utf-8").split("\n"))
    assert re.fullmatch(rf"# {int(decision.name[:3])}\. \S.*", title)
    assert re.match(r"\d{4}-\d\d-\d\d\b", date)
    parts = ("Context", "Decision", "Consequences")
    assert [part for part in parts if any(line.startswith(f"**{part}.** ") for line in rest)] == [*parts]


def test_decisions_are_numbered_in_a_row() -> None:
    assert [int(decision.name[:3]) for decision in DECISIONS] == [*range(1, len(DECISIONS) + 1)]


def test_tests_import_no_private_names() -> None:
    """A name with an underscore may change without a test."""
    files = [file for file in (ROOT / "tests").rglob("*.py") if "node_modules" not in file.parts]
    wrong = [
        f"{file.relative_to(ROOT)}:{node.lineno}: {alias.name}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rulewright")
        for alias in node.names
        if alias.name.startswith("_") and not alias.name.startswith("__")
    ]
    assert not wrong, say(wrong)


def test_the_longest_chain_of_imports_is_short() -> None:
    edges = import_edges(eager=True)

    @cache
    def depth(name: str) -> int:
        return 1 + max((depth(target) for target in edges[name]), default=0)

    longest = max(edges, key=depth)
    assert depth(longest) <= MOST_MODULES_OF_A_CHAIN, f"{depth(longest)} modules from {longest} downwards"
