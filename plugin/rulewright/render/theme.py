"""Material for MkDocs: its overrides, and what makes a site work from a disk."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

SHIM = "assets/iframe-worker.js"  # makes the search work from a disk
_OFFLINE = ("offline", "material/offline")
_INSTANT = "navigation.instant"


def overrides_folder(config: Any) -> Path | None:
    """The folder with templates of the site."""
    return Path(config.theme.custom_dir) if config.theme.custom_dir else None


def is_for_disk(config: Any) -> bool:
    """Should the site also work when opened from a disk?"""
    return any(name in config.plugins for name in _OFFLINE)


def enable_offline(config: Any) -> None:
    """Add Material's offline plugin, as if the author had configured it; MkDocs then calls its hooks."""
    if not is_for_disk(config):
        plugin = import_module("material.plugins.offline.plugin").OfflinePlugin()
        plugin.load_config({})
        config.plugins[_OFFLINE[-1]] = plugin
    config.theme["features"] = [
        feature for feature in config.theme.get("features") or [] if not feature.startswith(_INSTANT)
    ]
    for name in _OFFLINE:
        if name in config.plugins:
            config.plugins[name].config["enabled"] = True
