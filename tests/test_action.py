"""The action for GitHub and the hook for pre-commit: both files are complete, and what they run works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.arguments import PARSERS
from small_book import BLOCK, WRONG, write

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = import_module("yaml").safe_load((ROOT / "action.yml").read_text("utf-8"))
(HOOK,) = import_module("yaml").safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["id"]: step for step in ACTION["runs"]["steps"] if "id" in step}
REPAIR = "leave the path out for this book"
EXPRESSION = re.compile(r"\$\{\{ ([\w.-]+) \}\}")
BASH = shutil.which("bash") if os.name == "posix" else None  # the bash of Windows may be that of another system


class Runner:
    """Runs the step `check` of the action in a workspace, as a runner of GitHub does; Python is this one."""

    def __init__(self, folder: Path) -> None:
        self.workspace, self.temporary = folder / "workspace", folder / "temp dir"
        self.summary, self.output = folder / "summary", folder / "output"
        self.temporary.mkdir()

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        known = {f"inputs.{name}": entry["default"] for name, entry in ACTION["inputs"].items()}
        known |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        known["steps.install.outputs.interpreter"] = sys.executable
        self.summary.write_bytes(b"")
        self.output.write_bytes(b"")
        step = STEPS["check"]
        environment = {
            "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path), "CI": "true",
            "RUNNER_TEMP": str(self.temporary), "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_OUTPUT": str(self.output),
            **{name: fill(value, known) for name, value in step["env"].items()},
        }  # fmt: skip
        here = self.workspace / fill(step["working-directory"], known)
        assert BASH
        command = [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.output.read_text("utf-8").splitlines())


def fill(text: str, known: Mapping[str, str]) -> str:
    return EXPRESSION.sub(lambda match: known[match[1]], text)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    if not BASH:
        pytest.skip("the steps of the action need bash")
    runner = Runner(tmp_path)
    write(runner.workspace / "a book", {"right.md": "# Right\n\n" + BLOCK, "wrong page.md": "# Wrong\n\n" + WRONG})
    return runner


def test_a_wrong_page_fails_the_step(runner: Runner) -> None:
    assert runner.run(path="a book/right.md", strict="true").returncode == 0
    assert runner.outputs["problems"] == "0"
    done = runner.run(working_directory="a book")
    assert done.returncode == 1, done.stderr
    assert "::error file=a book/wrong page.md,line=8," in done.stdout
    assert runner.outputs == {"problems": "1", "errors": "1", "warnings": "0"}
    assert (
        runner.summary.read_text("utf-8").partition("\n\n")[2].startswith("# Report on Right\n\n**1 error** in 1 file")
    )


def test_all_inputs(runner: Runner) -> None:
    done = runner.run(
        path="a book/wrong page.md\na book/right.md\n", fail_on="never", sarif="true", report="report.md",
        badge="badge.svg", args="--info --only wrong.1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (sarif,) = runner.temporary.glob("*/rulewright.sarif")
    assert runner.outputs == {
        "problems": "1", "errors": "1", "warnings": "0", "sarif-file": str(sarif), "category": "rulewright",
    }  # fmt: skip
    assert '"uri": "a%20book/wrong%20page.md"' in sarif.read_text("utf-8")
    assert "1 error" in (runner.workspace / "badge.svg").read_text("utf-8")
    assert "**1 error** in 1 file" in (runner.workspace / "report.md").read_text("utf-8")
    assert "1 page, 1 block, 1 error" in done.stdout


def test_each_call_has_its_own_analysis(runner: Runner) -> None:
    """Code scanning replaces the alerts of a category, and a file of an earlier call must not be uploaded again."""
    files = set()
    for inputs, category in (
        ({"working_directory": "a book"}, "rulewright/a book"),
        ({"working_directory": "./a book/", "args": "--only right.1"}, "rulewright/a book"),
        ({"category": "the rules"}, "the rules"),
    ):
        runner.run(sarif="true", **inputs)
        assert runner.outputs["category"] == category
        files.add(runner.outputs["sarif-file"])
    assert len(files) == 3
    assert runner.run(path="nowhere", sarif="true").returncode == 2
    assert runner.outputs == {}


def test_a_command_that_cannot_run_fails_the_step(runner: Runner) -> None:
    done = runner.run(path="nowhere", sarif="true")
    assert (done.returncode, done.stderr) == (2, f"rulewright: there is no file or folder nowhere; {REPAIR}\n")
    assert runner.outputs == {}


def test_inputs_are_no_commands(runner: Runner) -> None:
    runner.run(path="$(touch made)", args="; touch made", report="`touch made`", fail_on='"; touch made; "')
    assert not list(runner.workspace.rglob("made*"))
    assert not [step for step in STEPS.values() if "${{" in step.get("run", "")]


def test_expressions_name_what_exists() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")
    for name in re.findall(r"inputs\.([\w-]+)", text):
        assert name in ACTION["inputs"]
    assert {name for name in ACTION["inputs"] if f"inputs.{name}" not in text} == set()
    known = {"install": {"interpreter"}, "python": {"python-path"}, "check": {*ACTION["outputs"]}}
    for step, name in re.findall(r"steps\.(\w+)\.outputs\.([\w-]+)", text):
        assert name in known[step]
    assert [step["shell"] for step in STEPS.values() if "run" in step] == ["bash", "bash"]  # on all systems


def test_the_action_installs_its_own_checkout() -> None:
    assert '-m pip install --quiet --disable-pip-version-check "$GITHUB_ACTION_PATH"' in STEPS["install"]["run"]


@pytest.mark.long
def test_the_install_step(tmp_path: Path) -> None:
    if not BASH:
        pytest.skip("the steps of the action need bash")
    output = tmp_path / "output"
    checkout = tmp_path / "checkout"
    ignored = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", "*.egg-info", "build")
    shutil.copytree(ROOT, checkout, ignore=ignored)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {
        **kept, "PYTHON": sys.executable, "RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(checkout),
        "GITHUB_OUTPUT": str(output),
    }  # fmt: skip
    subprocess.run([BASH, "-eo", "pipefail", "-c", STEPS["install"]["run"]], env=environment, check=True)
    interpreter = output.read_text("utf-8").strip().removeprefix("interpreter=")
    done = subprocess.run(
        [interpreter, "-m", "rulewright", "--version"], env=kept, cwd=tmp_path, capture_output=True, check=True
    )
    assert done.stdout.startswith(b"rulewright ")


def test_the_hook_runs_once_for_a_book() -> None:
    command, name, *words = shlex.split(HOOK["entry"])
    assert (command, HOOK["language"], HOOK["pass_filenames"]) == ("rulewright", "python", False)
    PARSERS[name]().parse_intermixed_args([*words, "books/first"])
    assert HOOK["always_run"] is True  # a deleted page, a picture or a setting can make the book wrong, too
    assert {"files", "types", "types_or"}.isdisjoint(HOOK)
