"""Finds the files that say what is installed where a site is built: they have to name Rulewright, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path as File

from ..project import PYPROJECT
from ..release import REQUIREMENT

_PATTERNS = ("requirements*.txt", "*/requirements*.txt", PYPROJECT, ".github/workflows/*.y*ml", ".gitlab-ci.yml")
_BUILDER = re.compile(r"\b(?:mkdocs|properdocs|zensical)\b")
_INSTALLS = re.compile(rf"\binstall\b.*{_BUILDER.pattern}")  # in a workflow, which may name them for other reasons
_NAME = re.compile(r"\brulewright\b")


def find_installers(folders: Iterable[File]) -> Iterator[tuple[File, str]]:
    """Each file that installs the builder of a site but not Rulewright, and what is to be added to it."""
    files = (file for folder in folders for pattern in _PATTERNS for file in sorted(folder.glob(pattern)))
    for file in dict.fromkeys(files):
        text = file.read_text("utf-8", errors="replace") if file.is_file() and not file.is_symlink() else ""
        installs = _INSTALLS if file.suffix in (".yml", ".yaml") else _BUILDER
        if installs.search(text) and not _NAME.search(text):
            yield file, REQUIREMENT if file.suffix == ".txt" else f'"{REQUIREMENT}"'
