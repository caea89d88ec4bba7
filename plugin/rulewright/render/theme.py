"""Material for MkDocs: what makes a site work from a disk."""

from __future__ import annotations

from typing import Any

SHIM = "assets/iframe-worker.js"  # makes the search work from a disk
_OFFLINE = ("offline", "material/offline")
_INSTANT = "navigation.instant"


def is_for_disk(config: Any) -> bool:
    """Does the author want the site to work when opened from a disk?"""
    return any(name in config.plugins for name in _OFFLINE)


def prepare_for_disk(config: Any) -> None:
    """Make links lead to files, and browsers load whole pages, as a site on a disk needs it."""
    config.use_directory_urls = False
    features = config.theme.get("features") or []
    config.theme["features"] = [feature for feature in features if not feature.startswith(_INSTANT)]
