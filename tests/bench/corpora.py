"""Prints for each folder what `check` reports, by code and in places, and its CPU time.

python tests/bench/corpora.py FOLDER…  [--links]      --links: only the codes of links
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any


def measure(folder: Path) -> tuple[dict[str, Any], str, float]:
    """The report of a folder as JSON, the last lines of that for people, and the seconds of CPU for the first."""
    command = [sys.executable, "-m", "rulewright", "check", str(folder)]
    before = os.times()
    done = subprocess.run([*command, "--info", "--format", "json"], capture_output=True, text=True, check=False)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(done.stdout or "{}"), done.stderr, seconds


def main() -> None:
    only_links = "--links" in sys.argv
    for folder in map(Path, (name for name in sys.argv[1:] if name != "--links")):
        report, errors, seconds = measure(folder)
        codes = Counter[tuple[str, str]]()
        for problem in report.get("problems", []):
            if not only_links or problem["code"].startswith("link-"):
                codes[problem["code"], problem["severity"]] += 1
        counts = ", ".join(f"{code} {number} {severity}" for (code, severity), number in codes.most_common())
        pages = report.get("summary", {}).get("pages", 0)
        print(
            f"{folder.name}: {pages} pages, {seconds:.1f} s, {sum(codes.values())} reports: {counts} {errors}".strip()
        )


if __name__ == "__main__":
    main()
