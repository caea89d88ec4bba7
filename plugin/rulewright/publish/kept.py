"""A site that stays with its readers: after one visit it is there without a network, until there is a newer one."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path as File
from urllib.parse import quote

from .edition import Edition
from .finished import INDEX_ON_DISK, site_files

WEB = File(__file__).parents[1] / "web"
REGISTERS = "assets/keep.js"  # part of every page
WORKER, MANIFEST, ICON = "offline.js", "manifest.webmanifest", "assets/book.svg"
HOME = "index.html"
MARK = 'const BOOK = { version: "", files: {} };'  # what the worker is told stands in the place of this


def keep(site: File, edition: Edition) -> None:
    """Written last, when all else is there."""
    (site / ICON).parent.mkdir(exist_ok=True)
    (site / ICON).write_bytes((WEB / File(ICON).name).read_bytes())
    (site / MANIFEST).write_text(manifest(edition.title, edition.words.language), encoding="utf-8")
    (site / WORKER).write_text(worker(site), encoding="utf-8")


def manifest(title: str, language: str) -> str:
    """What a phone must know to put the book among its programs."""
    icon = {"src": ICON, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
    told = {"name": title, "lang": language, "start_url": ".", "scope": ".", "display": "standalone", "icons": [icon]}
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def worker(site: File) -> str:
    """Knows each file by what is in it, so that a newer book fetches what is new and nothing else."""
    skipped = (WORKER, INDEX_ON_DISK)
    found = {path: sha256(data).hexdigest()[:16] for path, data in site_files(site) if path not in skipped}
    files = {address(path): mark for path, mark in found.items()}
    version = sha256(json.dumps(files).encode()).hexdigest()[:16]
    told = json.dumps({"version": version, "files": files}, ensure_ascii=False, separators=(",", ":"))
    return (WEB / WORKER).read_text(encoding="utf-8").replace(MARK, f"const BOOK = {told};")


def address(path: str) -> str:
    """As pages ask for it: a folder, not the page that speaks for it."""
    return quote(path.removesuffix(HOME) if path.split("/")[-1] == HOME else path)
