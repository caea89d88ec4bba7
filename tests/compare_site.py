"""Builds an MkDocs site without and with Rulewright, and lists what differs: `python tests/compare_site.py DIR`.

DIR holds an `mkdocs.yml`, or is such a file. Nothing is written there. A site without a block, rule link or declared
term must be the same to the byte; the exit code is 0 then. Options after DIR are those of the plugin: `dice=on`.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

_BUILD = """\
import json, logging, sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.utils import yaml_load

settings, target, options = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
logging.basicConfig(level="WARNING", format="%(levelname)s %(message)s")
more = {}
if options is not None:
    with open(settings, encoding="utf-8") as file:
        plugins = (yaml_load(file) or {}).get("plugins", ["search"])
    if isinstance(plugins, dict):
        more["plugins"] = {**plugins, "rulewright": options}
    else:
        known = [plugin for plugin in plugins or () if plugin != "rulewright" and "rulewright" not in plugin]
        more["plugins"] = [*known, {"rulewright": options}]
config = load_config(settings, site_dir=target, **more)
config.plugins.on_startup(command="build", dirty=False)
build(config)
config.plugins.on_shutdown()
"""


@dataclass(frozen=True)
class Comparison:
    """The exit codes of both builds, the files of the first one, and those that are not the same in the second."""

    stock_code: int
    code: int
    output: str
    files: int
    different: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        return not self.different and self.stock_code == self.code


def compare_site(place: Path, options: dict[str, object] | None = None) -> Comparison:
    """Build a site twice and compare it; files that differ between two builds without Rulewright do not count."""
    settings = place / "mkdocs.yml" if place.is_dir() else place
    with TemporaryDirectory() as name:
        stock, again, ours = Path(name, "stock"), Path(name, "again"), Path(name, "ours")
        first = _build(settings, stock, None)
        second = _build(settings, ours, options or {})
        different = _differences(stock, ours)
        if different:
            _build(settings, again, None)
            changing = set(_differences(stock, again))
            different = [path for path in different if path not in changing]
        files = sum(file.is_file() for file in stock.rglob("*"))
        return Comparison(first.returncode, second.returncode, second.stderr, files, tuple(different))


def _build(settings: Path, target: Path, options: dict[str, object] | None) -> subprocess.CompletedProcess[str]:
    environment = {"SOURCE_DATE_EPOCH": "0", "NO_MKDOCS_2_WARNING": "1", **os.environ}
    command = [sys.executable, "-c", _BUILD, str(settings.resolve()), str(target), json.dumps(options)]
    folder = settings.resolve().parent
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )


def _differences(one: Path, other: Path) -> list[str]:
    """The files that only one folder has, or that are not the same in both."""
    names = sorted({*_names(one), *_names(other)})
    return [name for name in names if not _is_same_file(one / name, other / name)]


def _names(folder: Path) -> Iterator[str]:
    return (file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def _is_same_file(one: Path, other: Path) -> bool:
    if one.suffix == ".gz":  # holds the time of its compression
        return one.exists() == other.exists()
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", metavar="DIR", type=Path)
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    given = parser.parse_args()
    result = compare_site(given.site, dict(option.split("=", 1) for option in given.options))
    print(f"exit code without Rulewright {result.stock_code}, with it {result.code}")
    print(f"{len(result.different)} of {result.files} files differ", *result.different[:40], sep="\n  ")
    if result.code != result.stock_code:
        print(result.output[-3000:])
    return 0 if result.is_same else 1


if __name__ == "__main__":
    sys.exit(main())
