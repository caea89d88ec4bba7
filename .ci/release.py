"""Prepares and checks a release.

.ci/release.py 0.2.0               write the version, and make "Unreleased" in CHANGELOG.md its section
.ci/release.py --tag v0.2.0        check that the tag is the version, and print its section of the changelog
"""

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSION_FILE = ROOT / "plugin" / "rulewright" / "__init__.py"
RELEASE_FILE = ROOT / "plugin" / "rulewright" / "release.py"
CHANGELOG = ROOT / "CHANGELOG.md"

_VERSION = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)
_ALLOWED = re.compile(r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:(?:a|b|rc)\d+)?")
_UNRELEASED = "## Unreleased\n"


def read_version(text: str) -> str:
    """The version that `__init__.py` states."""
    match = _VERSION.search(text)
    if not match:
        raise SystemExit('plugin/rulewright/__init__.py: write a line `__version__ = "0.1.0"`')
    return match[1]


def write_version(text: str, version: str) -> str:
    """The text of `__init__.py` with another version."""
    return _VERSION.sub(f'__version__ = "{version}"', text, count=1)


def cut_changelog(text: str, version: str, date: str) -> str:
    """The changelog with its unreleased changes as the section of a version, below an empty "Unreleased"."""
    before, heading, rest = text.partition(_UNRELEASED)
    if not heading:
        raise SystemExit("CHANGELOG.md: there is no section `## Unreleased`")
    if re.search(rf"^## {re.escape(version)}\b", text, re.MULTILINE):
        raise SystemExit(f"CHANGELOG.md: version {version} has a section already")
    if not rest.partition("\n## ")[0].strip():
        raise SystemExit("CHANGELOG.md: nothing is listed under `## Unreleased`")
    return f"{before}{heading}\n## {version} ({date})\n{rest}"


def release_notes(text: str, version: str) -> str:
    """What the changelog says about one version, without the heading."""
    match = re.search(rf"^## {re.escape(version)} \([^)\n]*\)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not match:
        raise SystemExit(f"CHANGELOG.md: there is no section `## {version} (DATE)`; run .ci/release.py {version}")
    return match[1].strip() + "\n"


def check_tag(tag: str, version: str) -> None:
    if tag != f"v{version}":
        raise SystemExit(
            f"the tag {tag} is not the version {version}; run .ci/release.py {tag.removeprefix('v')} first"
        )


def main(arguments: list[str]) -> None:
    match arguments:
        case ["--tag", tag]:
            version = read_version(VERSION_FILE.read_text("utf-8"))
            check_tag(tag, version)
            sys.stdout.write(release_notes(CHANGELOG.read_text("utf-8"), version))
        case [version] if _ALLOWED.fullmatch(version):
            changelog = cut_changelog(CHANGELOG.read_text("utf-8"), version, f"{datetime.now(UTC):%Y-%m-%d}")
            CHANGELOG.write_text(changelog, "utf-8", newline="\n")
            VERSION_FILE.write_text(write_version(VERSION_FILE.read_text("utf-8"), version), "utf-8", newline="\n")
            switch = RELEASE_FILE.read_text("utf-8").replace("IS_RELEASED = False", "IS_RELEASED = True")
            RELEASE_FILE.write_text(switch, "utf-8", newline="\n")
            print(f"version {version}; next: make golden test, commit, git tag v{version}")
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
