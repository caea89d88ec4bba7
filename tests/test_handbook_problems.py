"""The handbook page "Problems": it has a heading for each code that the package can report, and for no other."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from problem_page import FILE, Section, base, first, found, replaced, sections
from rulewright.checks.number_links import LINK_CHECKS as NUMBERS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "plugin" / "rulewright"
GOLDEN = Path(__file__).parent / "golden"
CODE = re.compile(r"[a-z]+(-[a-z]+)*")
TEXT = FILE.read_text("utf-8")
SECTIONS = sections(TEXT)
NOT_SHOWN = {  # what no page of a few lines can have
    "block-lost", "extension-broken", "file-kind", "file-outside", "page-text", "page-size", "page-nesting",
    "game-size", "ignore-baseline", "internal-error", "odds-proof"}  # fmt: skip
Function = ast.FunctionDef | ast.ClassDef


class Module:
    """The parts of a module in which codes appear."""

    def __init__(self, file: Path) -> None:
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        self.functions = [node for node in nodes if isinstance(node, Function)]
        self.calls = [node for node in nodes if isinstance(node, ast.Call)]
        self.values = dict[str, list[ast.expr]]()  # of `name = …`, also in `name, other = …, …`
        for assign in (node for node in nodes if isinstance(node, ast.Assign)):
            for target in assign.targets:
                self._assign(target, assign.value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, part in zip(target.elts, value.elts, strict=False):
                self._assign(one, part)


@cache
def modules() -> tuple[Module, ...]:
    return tuple(map(Module, sorted(PACKAGE.rglob("*.py"))))


@cache
def takers() -> dict[str, set[int]]:
    """Functions and classes that report a code, by name, with the position of the argument; predicates only ask."""
    found: dict[str, set[int]] = {}
    for node in (node for module in modules() for node in module.functions):
        if not node.name.startswith("is_"):
            names = [name for name in parameters(node) if name != "self"]
            if "code" in names:
                found.setdefault(node.name, set()).add(names.index("code"))
    return found


def parameters(node: Function) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [argument.arg for argument in node.args.args]
    return [one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]


def given(call: ast.Call) -> Iterator[ast.expr]:
    """What a call gives as its code."""
    yield from (keyword.value for keyword in call.keywords if keyword.arg == "code")
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    yield from (call.args[place] for place in takers().get(name, ()) if place < len(call.args))


def literals(node: ast.expr, module: Module, names: frozenset[str] = frozenset()) -> Iterator[str]:
    """The codes that an expression can stand for; each of the names was followed already."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body, module, names)
        yield from literals(node.orelse, module, names)
    elif isinstance(node, ast.Name) and node.id not in names:
        values = module.values.get(node.id, ())
        yield from (code for value in values for code in literals(value, module, names | {node.id}))
    elif isinstance(node, ast.JoinedStr) and ast.unparse(node) == "f'link-{self.kind}'":
        yield from (f"link-{kind}" for kind in NUMBERS)


@cache
def codes() -> tuple[str, ...]:
    calls = ((module, call) for module in modules() for call in module.calls)
    return tuple(sorted({code for module, call in calls for node in given(call) for code in literals(node, module)}))


def test_each_code_has_its_heading() -> None:
    assert sorted(one.code for one in SECTIONS) == list(codes())


def test_what_was_ever_printed_is_found() -> None:
    files = (file for file in GOLDEN.rglob("*.txt") if file.parent.name != "reports")  # there, codes are made up
    texts = (file.read_text("utf-8") for file in files)
    printed = {code for text in texts for code in re.findall(r"\b(?:error|warning|info)\[([a-z-]+)\]", text)}
    assert len(printed) > 25
    assert printed <= set(codes())


@pytest.mark.parametrize("one", SECTIONS, ids=lambda one: one.code)
def test_each_says_what_it_means_and_what_to_do(one: Section) -> None:
    sentences = re.findall(r"[.!?](?=\s|$)", one.words)
    assert 2 <= len(sentences) <= 5, one.words


def test_each_shows_what_is_wrong() -> None:
    assert {one.code for one in SECTIONS if not one.files or one.message is None} == NOT_SHOWN


@pytest.mark.parametrize("one", [one for one in SECTIONS if one.files], ids=lambda one: one.code)
def test_golden_what_is_printed(one: Section, tmp_path: Path) -> None:
    problems = found(one, base(TEXT), tmp_path)
    assert {problem.code for problem in problems} == {one.code}, "\n".join(f"{p.code}: {p.message}" for p in problems)
    message = first(one, problems)
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        FILE.write_text(replaced(FILE.read_text("utf-8"), one, message), "utf-8")
    else:
        assert one.message == message, "`make golden` writes the page anew"


def test_the_page_is_linked() -> None:
    assert "(handbook/problems.md)" in (ROOT / "rules" / "index.md").read_text("utf-8")
