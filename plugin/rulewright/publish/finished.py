"""The files of a finished site, and which of them its readers never ask for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path as File

INDEX = "search/search_index.json"
INDEX_ON_DISK = "search/search_index.js"  # the same as a script, for pages that are read from a disk
DOWNLOADS = "downloads"
HEADERS = "_headers"
FOR_OTHERS = re.compile(rf".*\.map|sitemap\.xml(\.gz)?|{HEADERS}|objects\.inv|robots\.txt|{DOWNLOADS}/.*")
PACK = re.compile(r"assets/javascripts/lunr/(?:min/)?(?:lunr\.)?(.*?)(?:\.min)?\.js")
ALSO = {"ja": "tinyseg", "th": "wordcut", "hi": "wordcut"}  # what cuts these languages into words


def site_files(site: File) -> Iterator[tuple[str, bytes]]:
    """What readers may need, in the order of the paths."""
    packs = wanted_packs(site)
    for file in sorted(site.rglob("*"), key=lambda file: file.relative_to(site).as_posix()):
        path = file.relative_to(site).as_posix()
        pack = PACK.fullmatch(path)
        if file.is_file() and not FOR_OTHERS.fullmatch(path) and not (pack and pack[1] not in packs):
            yield path, file.read_bytes()


def wanted_packs(site: File) -> set[str]:
    """English is what the search of the theme knows by itself; all other languages come in packs."""
    index = site / INDEX
    known = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    languages = [name for name in known.get("config", {}).get("lang", []) if name != "en"]
    common = ["stemmer.support", "multi"] if languages else []
    return {*common, *languages, *(ALSO[name] for name in languages if name in ALSO)}
