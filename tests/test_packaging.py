"""What is installed: each import is declared, the wheel is complete, and the lowest versions that are declared work."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from rulewright.handbook import read_topics
from rulewright.release import REPOSITORY, REQUIREMENT
from rulewright.render.export import EXPORTERS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "plugin" / "rulewright"
BENCH = ROOT / "tests" / "bench"
NAME = re.compile(r"[\w.-]+")
LOWEST = re.compile(r"^([\w.-]+)\s*>=\s*([\d.]+)")
WRITTEN = re.compile(r"^(?:import|from) +(\w+(?:, \w+)*)", re.MULTILINE)  # in the programs that the bench starts
LOADED_BY = {"pytest_plugin.py": {"pytest"}}  # pytest alone reads its plugin


@cache
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]  # type: ignore[no-any-return]


def requirements(extra: str = "") -> list[str]:
    found: list[str] = project()["optional-dependencies"][extra] if extra else project()["dependencies"]
    return found


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*extras: str) -> set[str]:
    lines = [line for extra in ("", *extras) for line in requirements(extra)]
    return {plain(found[0]) for line in lines if (found := NAME.match(line))}


def imported(text: str, inside: bool) -> Iterator[str]:
    """The packages that a module imports; with `inside`, those of programs in its texts too."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module.partition(".")[0]
        elif inside and isinstance(node, ast.Constant) and isinstance(node.value, str):
            for names in WRITTEN.findall(node.value):
                yield from names.split(", ")


@cache
def distributions_by_package() -> Mapping[str, list[str]]:
    return packages_distributions()


def missing(file: Path, known: set[str], own: set[str], inside: bool = False) -> dict[str, str]:
    """Imported packages that nothing declares, with the module they are for."""
    found = set(imported(file.read_text("utf-8"), inside)) - own - sys.stdlib_module_names
    names = {name: {plain(one) for one in distributions_by_package().get(name, [name])} for name in found}
    return {name: file.name for name, distributions in names.items() if not distributions & known}


def test_what_the_package_imports_is_declared() -> None:
    known = declared()
    files = sorted(PACKAGE.rglob("*.py"))
    assert [
        found for file in files if (found := missing(file, known | LOADED_BY.get(file.name, set()), {"rulewright"}))
    ] == []


def test_what_the_bench_imports_is_declared() -> None:
    own = {"rulewright", "bench", *(file.stem for file in (ROOT / "tests").glob("*.py"))}
    files = [file for file in sorted(BENCH.glob("*.py")) if not file.name.startswith("test_")]
    known = declared("bench")
    found = [name for file in files for name in missing(file, known, own, inside=True)]
    assert not found


def test_programs_in_texts_are_seen() -> None:
    assert {"weasyprint", "pytest", "mktestdocs"} <= {
        name for file in BENCH.glob("*.py") for name in imported(file.read_text("utf-8"), inside=True)
    }


@pytest.mark.parametrize("line", requirements())
def test_a_dependency_has_a_lowest_version(line: str) -> None:
    assert LOWEST.match(line)


def ignored_files(*patterns: str) -> set[str]:
    """The tracked files of the package that these patterns name: the build leaves out whatever .gitignore names."""
    command = ["git", "ls-files", "--cached", "--ignored", *patterns, "--", "plugin/rulewright", "rules/handbook"]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return set(listed.splitlines())


def test_no_tracked_file_is_missing_from_the_wheel() -> None:
    """A line `site/` in .gitignore once took the scripts of the site out of the wheel."""
    assert ignored_files("--exclude-from=.gitignore") == set()
    assert "plugin/rulewright/web/site/single-file-search.js" in ignored_files("--exclude=site/")
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert build == {
        "targets": {
            "wheel": {
                "packages": ["plugin/rulewright"],
                "force-include": {"rules/handbook": "rulewright/handbook/pages"},
            }
        }
    }


# Where nothing else is installed


class Place:
    """A new virtual environment; Rulewright comes from the wheel alone, everything else from the index."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.wheel, self.bin = folder, wheel, folder / "venv" / "bin"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = f"{self.bin}{os.pathsep}{kept['PATH']}"
        self.environment = {**kept, "PATH": path, "CI": "1", "NO_MKDOCS_2_WARNING": "1"}
        folder.mkdir(exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)

    def run(self, *command: str, here: Path | None = None) -> str:
        made = subprocess.run(
            [self.bin / command[0], *command[1:]], cwd=here or self.folder, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        assert made.returncode == 0, f"{' '.join(command)}\n{made.stdout}"
        return made.stdout

    def script(self, lines: str, here: Path) -> str:
        """Run the lines of a step as GitHub does."""
        made = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", lines], cwd=here, env=self.environment,
            text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        assert made.returncode == 0, f"{lines}\n{made.stdout}"
        return made.stdout

    def install(self, *what: str, here: Path | None = None) -> str:
        beside = ("--find-links", str(self.wheel.parent))
        return self.run("pip", "install", "-q", "--disable-pip-version-check", *beside, *what, here=here)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made from the files of the repository alone, in a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name in filter(None, tracked.split("\0")):
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "source" / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "build"], check=True)
    subprocess.run([python, "-m", "build", "-o", folder / "made", folder / "source"], check=True, capture_output=True)
    (made,) = (folder / "made").glob("*.whl")  # made from the sdist
    return made


def steps(workflow: Path) -> list[str]:
    """The commands that a workflow runs, as they are written."""
    jobs = import_module("yaml").safe_load(workflow.read_text("utf-8"))["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def tracked_files(folder: Path) -> set[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
    return set(filter(None, listed.split("\0")))


@pytest.mark.long
def test_the_wheel_has_the_package_and_the_handbook(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        names = {name for name in held.namelist() if ".dist-info/" not in name}
        (metadata,) = [held.read(name).decode() for name in held.namelist() if name.endswith("/METADATA")]
    pages = {f"rulewright/handbook/pages/{name}" for name in tracked_files(ROOT / "rules" / "handbook")}
    assert names == pages | {f"rulewright/{name}" for name in tracked_files(PACKAGE)}
    assert f"Project-URL: Source, {REPOSITORY}\n" in metadata
    links = re.findall(r"\]\(([^)#]+)\)", metadata)
    assert not [link for link in links if not link.startswith(("https://", "chance:"))]


@pytest.mark.long
def test_the_sdist_has_every_tracked_file(wheel: Path) -> None:
    (sdist,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as held:
        names = {name.partition("/")[2] for name in held.getnames()}
    assert names == tracked_files(ROOT) | {"PKG-INFO"}


@pytest.mark.long
def test_a_new_book_passes_where_only_the_wheel_is_installed(wheel: Path, tmp_path: Path) -> None:
    place = Place(tmp_path / "new", wheel)
    place.install(str(wheel))
    assert place.run("rulewright", "--version").split() == ["rulewright", wheel.name.split("-")[1]]
    assert place.run("rulewright", "help", "start").startswith("Five minutes\n")
    assert place.run("rulewright", "explain", "example-step").startswith("`example-step`\n")
    topics = place.run("rulewright", "help")
    assert all(f"\n  {name} " in topics for name in read_topics() if "/" not in name)
    place.run("rulewright", "new", "book")

    # Where the book is checked there is nothing but what its requirements ask for. They name the project's address,
    # which is replaced by the wheel.
    there, book = Place(tmp_path / "there", wheel), place.folder / "book"
    requirements_file = book / "requirements.txt"
    assert requirements_file.read_text("utf-8").splitlines()[-1] == REQUIREMENT
    requirements_file.write_text(f"rulewright @ {wheel.as_uri()}\n", "utf-8")
    commands = steps(book / ".github" / "workflows" / "book.yml")
    assert [command.split()[:2] for command in commands] == [
        ["pip", "install"], ["rulewright", "check"], ["mkdocs", "build"],
    ]  # fmt: skip
    for command in commands:
        there.script(command, book)
    assert (book / "site" / "index.html").is_file()
    for form in EXPORTERS:
        there.run("rulewright", "export", form, here=book)
        assert (book / f"book.{form}").stat().st_size > 1000
    settings = (book / "mkdocs.yml").read_text("utf-8")
    options = f"      offline: on\n      exports: [{', '.join(EXPORTERS)}]\n"
    (book / "mkdocs.yml").write_text(settings.replace("  - rulewright:\n", f"  - rulewright:\n{options}"), "utf-8")
    there.run("mkdocs", "build", "--strict", "-d", "offline", here=book)
    shown = [path.name for path in (book / "offline").rglob("*")]
    assert {path.rpartition(".")[2] for path in shown} >= {"html", "epub", "pdf", "zip"}
    assert [name for name in shown if "worker" in name]
    rule = "rules/move"
    assert "success" in there.run("rulewright", "odds", rule, "--json", here=book)
    assert "total" in there.run("rulewright", "roll", rule, "--seed", "3", "--json", here=book)
    there.run("rulewright", "adopt", here=book)
    there.run("pip", "check")


@pytest.mark.long
def test_the_first_steps_of_the_release_workflow(wheel: Path, tmp_path: Path) -> None:
    (first_steps,) = [
        step for step in steps(ROOT / ".github" / "workflows" / "release.yml") if "rulewright new" in step
    ]
    place = Place(tmp_path / "newcomer", wheel)
    place.install(str(wheel))
    place.script(first_steps, place.folder)
    assert (place.folder / "book" / "site" / "index.html").is_file()


IMPORTS = """
import importlib, pkgutil, sys
import rulewright
for module in pkgutil.walk_packages(rulewright.__path__, "rulewright."):
    if module.name not in ("rulewright.__main__", "rulewright.pytest_plugin"):
        importlib.import_module(module.name)
print(len([name for name in sys.modules if name.startswith("rulewright.")]))
"""


@pytest.mark.long
def test_the_lowest_versions_that_are_declared_work(wheel: Path, tmp_path: Path) -> None:
    place = Place(tmp_path / "lowest", wheel)
    lowest = {name: bound for line in requirements() for name, bound in LOWEST.findall(line)}
    assert len(lowest) == len(requirements())
    (place.folder / "lowest.txt").write_text("".join(f"{name}=={version}\n" for name, version in lowest.items()))
    place.install("-c", "lowest.txt", str(wheel))
    installed = place.run("pip", "list", "--format", "freeze", "--disable-pip-version-check")
    versions = dict(line.split("==") for line in installed.split() if "==" in line)
    found = {plain(name): version for name, version in versions.items()}
    assert all(found[plain(name)].startswith(version) for name, version in lowest.items()), installed
    assert int(place.run("python", "-c", IMPORTS)) > 100
    place.run("rulewright", "new", "book", "--game", "d6-pool")
    for command in (["rulewright", "check", "--strict"], ["mkdocs", "build", "--strict"]):
        place.run(*command, here=place.folder / "book")
    for form in ("html", "epub", "pdf"):
        place.run("rulewright", "export", form, here=place.folder / "book")
    for name in ("rules", "site_overrides"):  # our own books use all that a page can hold
        shutil.copytree(ROOT / name, place.folder / name)
    shutil.copy(ROOT / "mkdocs.yml", place.folder)
    place.run("rulewright", "check", "--strict")
    place.run("mkdocs", "build", "--strict", "-q", "-d", "made")
