"""How this program was started, so that the commands that it prints can be typed as they are."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import PurePath, PureWindowsPath

from ..release import IS_RELEASED, REQUIREMENT
from .terminal import COMMANDS

_COMMAND = re.compile(
    rf"(?<![\w./\\@-])(?:(rulewright)(?= (?:{'|'.join(COMMANDS)}|COMMAND)\b| --\w)|(mkdocs)(?= (?:build|serve)\b))"
)
_UVX_FOLDERS = ("archive-v", "environments-v", "builds-v")  # in the cache of uv; `uv tool install` has another place


def as_started(text: str) -> str:
    """A text of ours whose commands begin as the user began this one."""
    prefix = find_prefix(sys.argv[0], sys.orig_argv, sys.prefix, sys.platform)
    if prefix == "rulewright":
        return text
    is_module = prefix.endswith("-m rulewright")
    mkdocs = f"{prefix.removesuffix('rulewright')}mkdocs" if is_module else "mkdocs"
    return _COMMAND.sub(lambda match: prefix if match[1] else mkdocs, text)


def find_prefix(program: str, typed: Sequence[str], environment: str, platform: str) -> str:
    """The words in front of the arguments.

    `program` is argv[0], `typed` is what Python was started with, and `environment` the folder of its packages."""
    path = PureWindowsPath(program) if platform == "win32" else PurePath(program)
    if path.parts[-2:] == ("rulewright", "__main__.py"):
        return f"{_python(typed[0], platform)} -m rulewright"
    parts = (PureWindowsPath(environment) if platform == "win32" else PurePath(environment)).parts
    requirement = "" if IS_RELEASED else f'"{REQUIREMENT}" '
    if "uv" in parts and any(part.startswith(_UVX_FOLDERS) for part in parts):
        return f"uvx {requirement and f'--from {requirement}'}rulewright"
    if "pipx" in parts and (".cache" in parts or "Cache" in parts) and "venvs" not in parts:
        return f"pipx run {requirement and f'--spec {requirement}'}rulewright"
    return "rulewright"


def _python(typed: str, platform: str) -> str:
    """Python as it was typed. On Windows `py` starts it by its whole path, so a path means `py` there."""
    if platform == "win32":
        path = PureWindowsPath(typed)
        return path.name if path.name == typed else "py"
    return typed if " " not in typed else f'"{typed}"'
