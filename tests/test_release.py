"""The project's address is set once, a release is prepared and checked by a script, and the workflow is sound."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rulewright import __version__
from rulewright.release import ARCHIVE, IS_RELEASED, REPOSITORY, REQUIREMENT

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / ".ci" / "release.py"
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
ADDRESS = re.compile(r"https://github\.com/[\w.-]+/rulewright\b")
INSTALL = re.compile(
    r'(?<=install )((?:--?[\w-]+(?: mkdocs)? )*)("rulewright @ [^"\s]+"|rulewright(?=$|`))', re.MULTILINE
)
ANY_INSTALL = re.compile(r"\b(?:pip|pipx|uv tool) install\b.*\brulewright\b.*")
GENERATED = ["pyproject.toml", "README.md", *(f"rules/handbook/{name}.md" for name in ("start", "automation"))]
SEARCHED = (
    "*.md",
    "*.toml",
    "*.yml",
    "rules/**/*.md",
    "plugin/**/*.md",
    "plugin/**/*.py",
    "plugin/**/*.yml",
    ".github/**/*.yml",
)


def written() -> str:
    """The requirement as it is typed in a shell."""
    return REQUIREMENT if IS_RELEASED else f'"{REQUIREMENT}"'


def with_address(text: str) -> str:
    """A text with the address, and the requirement after `pip install`, as they are set in `release.py`."""
    return INSTALL.sub(lambda match: match[1] + written(), ADDRESS.sub(REPOSITORY, text))


@pytest.mark.parametrize("name", GENERATED)
def test_golden_the_address_is_set_once(name: str) -> None:
    path = ROOT / name
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        path.write_text(with_address(path.read_text("utf-8")), "utf-8", newline="\n")
    assert path.read_text("utf-8") == with_address(path.read_text("utf-8")), "`make golden` writes the page anew"


def test_no_file_spells_the_address_otherwise() -> None:
    files = sorted({path for pattern in SEARCHED for path in ROOT.glob(pattern)})
    texts = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}
    holders = {name for name, text in texts.items() if ADDRESS.search(text)}
    assert holders - set(GENERATED) == {"plugin/rulewright/release.py"}
    found = {(name, address) for name, text in texts.items() for address in ADDRESS.findall(text)}
    assert {address for _, address in found} == {REPOSITORY}
    installs = [(name, line) for name, text in texts.items() for line in ANY_INSTALL.findall(text)]
    assert len(installs) >= 6
    assert not [(name, line) for name, line in installs if written() not in line]
    assert not [name for name, text in texts.items() if "py" + "pi.org" in text]  # the index may have another name


def test_another_address_and_a_release_reach_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    before = "".join(
        f'{install} "rulewright @ {ARCHIVE}"\n' for install in ("pip install", "pipx install --include-deps")
    )
    monkeypatch.setitem(globals(), "REPOSITORY", "https://github.com/somebody/rulewright")
    monkeypatch.setitem(
        globals(), "REQUIREMENT", "rulewright @ https://github.com/somebody/rulewright/archive/main.zip"
    )
    monkeypatch.setitem(globals(), "IS_RELEASED", False)
    moved = with_address(before)
    assert moved.count("https://github.com/somebody/rulewright/archive/main.zip") == 2
    monkeypatch.setitem(globals(), "REQUIREMENT", "rulewright")
    monkeypatch.setitem(globals(), "IS_RELEASED", True)
    released = "pip install rulewright\npipx install --include-deps rulewright\n"
    assert with_address(moved) == with_address(released) == released


def test_the_package_says_where_it_comes_from() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(project["urls"]) == {"Homepage", "Documentation", "Source", "Changelog", "Issues"}
    paths = [url.removeprefix(f"{REPOSITORY}/blob/main/") for url in project["urls"].values()]
    assert not [path for path in paths if not path.startswith(REPOSITORY) and not (ROOT / path).is_file()]
    assert "version" in project["dynamic"]


# The script


@pytest.fixture
def script() -> dict[str, Callable[..., Any]]:
    return runpy.run_path(str(SCRIPT))


CHANGELOG = """\
# Changelog

## Unreleased

- Something new.
- Something fixed.

## 0.1.0 (2026-01-02)

- The first one.
"""


def test_a_changelog_is_cut(script: dict[str, Callable[..., Any]]) -> None:
    cut = script["cut_changelog"](CHANGELOG, "0.2.0", "2026-03-04")
    assert cut.startswith("# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-03-04)\n\n- Something new.\n")
    assert cut.endswith("- Something fixed.\n\n## 0.1.0 (2026-01-02)\n\n- The first one.\n")
    assert script["release_notes"](cut, "0.2.0") == "- Something new.\n- Something fixed.\n"
    assert script["release_notes"](cut, "0.1.0") == "- The first one.\n"


@pytest.mark.parametrize(
    ("text", "version", "why"),
    [
        (CHANGELOG, "0.1.0", "has a section already"),
        (CHANGELOG.replace("Unreleased", "Later"), "0.2.0", "there is no section `## Unreleased`"),
        ("## Unreleased\n\n## 0.1.0 (2026-01-02)\n\n- One.\n", "0.2.0", "nothing is listed"),
    ],
)
def test_a_changelog_that_cannot_be_cut(
    script: dict[str, Callable[..., Any]], text: str, version: str, why: str
) -> None:
    with pytest.raises(SystemExit, match=re.escape(why)):
        script["cut_changelog"](text, version, "2026-03-04")


def test_notes_of_a_version_that_has_none(script: dict[str, Callable[..., Any]]) -> None:
    for version in ("0.3.0", "0.1"):
        with pytest.raises(SystemExit, match=re.escape(f"there is no section `## {version} (DATE)`")):
            script["release_notes"](CHANGELOG, version)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What the script reads and writes, with the changelog of this project."""
    for name in (".ci/release.py", "plugin/rulewright/__init__.py", "plugin/rulewright/release.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    return tmp_path


def release(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(project / ".ci" / "release.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_a_release_is_prepared_and_checked(project: Path) -> None:
    assert release(project, "--tag", "v9.8.7").returncode == 1
    assert release(project, "9.8.7").returncode == 0
    package = project / "plugin" / "rulewright"
    assert '__version__ = "9.8.7"\n' in (package / "__init__.py").read_text("utf-8")
    assert "IS_RELEASED = True" in (package / "release.py").read_text("utf-8")
    assert runpy.run_path(str(package / "release.py"))["REQUIREMENT"] == "rulewright"
    checked = release(project, "--tag", "v9.8.7")
    assert (checked.returncode, checked.stdout) == (0, "- Something new.\n- Something fixed.\n")
    wrong = release(project, "--tag", "v9.8.8")
    assert wrong.returncode == 1
    assert "the tag v9.8.8 is not the version 9.8.7" in wrong.stderr


@pytest.mark.parametrize("version", ["", "v1.2.3", "1.2", "1.2.3.4", "01.2.3", "1.2.3-beta", "--tag"])
def test_a_version_that_is_none_changes_nothing(project: Path, version: str) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert release(project, version).returncode == 1
    assert {path: path.read_bytes() for path in before} == before


def test_this_project_can_be_released(script: dict[str, Callable[..., Any]]) -> None:
    assert script["read_version"]((ROOT / "plugin" / "rulewright" / "__init__.py").read_text("utf-8")) == __version__
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert script["release_notes"](script["cut_changelog"](text, "9.8.7", "2026-03-04"), "9.8.7").startswith(
        ("- ", "### ")
    )


# The workflow


def workflow() -> dict[str, Any]:
    return import_module("yaml").load(WORKFLOW.read_text("utf-8"), import_module("yaml").BaseLoader)  # type: ignore[no-any-return]


def test_only_a_tag_publishes_and_only_after_the_tests() -> None:
    jobs = workflow()["jobs"]
    assert workflow()["on"] == {"push": {"tags": ["v*"]}}
    assert set(jobs["publish"]["needs"]) == {"test", "install"}
    assert jobs["install"]["needs"] == "build"
    assert jobs["announce"]["needs"] == "publish"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert workflow()["permissions"] == {"contents": "read"}
    assert "secrets." not in WORKFLOW.read_text("utf-8")
    (publish,) = [step["uses"] for step in jobs["publish"]["steps"] if "publish" in step["uses"]]
    assert publish.startswith("pypa/gh-action-")


def test_every_python_that_is_promised_is_tested() -> None:
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(classifiers))
    jobs = workflow()["jobs"]
    assert versions == jobs["test"]["strategy"]["matrix"]["python"] == jobs["install"]["strategy"]["matrix"]["python"]


def test_the_files_that_the_workflow_runs_are_there() -> None:
    runs = [step["run"] for job in workflow()["jobs"].values() for step in job["steps"] if "run" in step]
    files = re.findall(r"\.ci/[\w.]+", "\n".join(runs))
    assert sorted(files) == [".ci/release.py", ".ci/run"]
    assert not [file for file in files if not (ROOT / file).is_file()]
