"""Builds an MkDocs site without and with Rulewright, and lists the files that differ.

DIR holds an `mkdocs.yml`, or is a settings file. Nothing is written there. A site without a block, a rule link or a
declared term must be the same to the byte; the exit code is 0 then, else 1.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .compile.options import read_options
from .compile.settings import GIVEN

POSITIONS = ("last", "first")  # where Rulewright is among the plugins, unless the settings name it

_BUILD = """\
import json, logging, sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.utils import yaml_load

settings, target, given, position = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), sys.argv[4]
logging.basicConfig(level="WARNING", format="%(levelname)s %(message)s")
with open(settings, encoding="utf-8") as file:
    plugins = (yaml_load(file) or {}).get("plugins", ["search"]) or []
if isinstance(plugins, dict):
    plugins = [{name: value or {}} for name, value in plugins.items()]
names = [next(iter(plugin)) if isinstance(plugin, dict) else plugin for plugin in plugins]
place = names.index("rulewright") if "rulewright" in names else 0 if position == "first" else len(plugins)
plugins[place : place + ("rulewright" in names)] = [] if given is None else ["rulewright"]
config = load_config(settings, site_dir=target, plugins=plugins)
if given is not None:
    config.plugins["rulewright"].given_options = given
config.plugins.on_startup(command="build", dirty=False)
build(config)
config.plugins.on_shutdown()
"""


@dataclass(frozen=True)
class SiteBuild:
    """A finished build: its folder, its exit code and what it wrote to the terminal."""

    folder: Path
    code: int
    output: str


@dataclass(frozen=True)
class Comparison:
    """A build without Rulewright and one with it, the number of files of the first, and those that differ."""

    stock: SiteBuild
    build: SiteBuild
    files: int
    different: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        return not self.different and self.stock.code == self.build.code


def compare_site(settings: Path, given: str = "", position: str = "last") -> Comparison:
    """Build a site twice and compare the files; those that two builds without Rulewright write differently are equal.

    `given` are options of the plugin, as YAML; `position` is its place among the plugins, unless the settings
    name it.
    """
    with TemporaryDirectory() as name:
        stock = build_site(settings, Path(name, "stock"))
        build = build_site(settings, Path(name, "ours"), given, position)
        different: Collection[str] = find_differences(stock.folder, build.folder)
        if different:
            again = build_site(settings, Path(name, "again"))
            changing = set(find_differences(stock.folder, again.folder))
            different = [path for path in different if path not in changing]
        return Comparison(stock, build, sum(1 for _ in _file_names(stock.folder)), tuple(different))


def build_site(settings: Path, target: Path, given: str | None = None, position: str = "last") -> SiteBuild:
    """Build a site into a folder, with options of Rulewright as YAML; without Rulewright if `given` is None."""
    settings = (settings / "mkdocs.yml" if settings.is_dir() else settings).resolve()
    environment = {"SOURCE_DATE_EPOCH": "0", "NO_MKDOCS_2_WARNING": "1", **os.environ}
    command = [sys.executable, "-c", _BUILD, str(settings), str(target), json.dumps(given), position]
    process = subprocess.run(
        command, cwd=settings.parent, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return SiteBuild(target, process.returncode, process.stdout + process.stderr)


def find_differences(one: Path, other: Path) -> list[str]:
    """The files that only one folder has, or that are not the same in both."""
    names = sorted({*_file_names(one), *_file_names(other)})
    return [name for name in names if not _is_same_file(one / name, other / name)]


def _file_names(folder: Path) -> Iterator[str]:
    return (file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def _is_same_file(one: Path, other: Path) -> bool:
    if one.suffix == ".gz":  # holds the time of its compression
        return one.exists() == other.exists()
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m rulewright.compare_site",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", metavar="DIR", type=Path)
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE", help="an option of the plugin, such as dice=on")
    parser.add_argument("--position", choices=POSITIONS, default=POSITIONS[0], help="the place among the plugins")
    given = parser.parse_args(arguments)
    settings = given.site / "mkdocs.yml" if given.site.is_dir() else given.site
    if not settings.is_file():
        parser.error(
            f"there is no {settings.as_posix()}; name the folder of an mkdocs.yml, both sites are built from it"
        )
    if wrong := [option for option in given.options if "=" not in option]:
        parser.error(f"{wrong[0]} is not an option of the plugin; write OPTION=VALUE, such as dice=on")
    options = "\n".join(option.replace("=", ": ", 1) for option in given.options)
    problems = read_options(settings.parent, Path.cwd(), settings, options).problems
    if messages := [problem.message for problem in problems if problem.span.source.path == GIVEN]:
        parser.error("\n".join(messages))
    result = compare_site(settings, options, given.position)
    print(f"exit code without Rulewright {result.stock.code}, with it {result.build.code}")
    print(f"{len(result.different)} of {result.files} files differ", *result.different[:40], sep="\n  ")
    if result.build.code:
        print(result.build.output[-3000:])
    return 0 if result.is_same else 1


if __name__ == "__main__":
    sys.exit(main())
