"""First lines such as `Note: all rolls use d6`, which MkDocs takes for fields about the page."""

from __future__ import annotations

from collections.abc import Mapping

FIELDS = {
    "author", "authors", "canonical_url", "categories", "comments", "date", "description", "draft", "hide", "icon",
    "image", "language", "pin", "readtime", "robots", "search", "slug", "social", "status", "subtitle", "summary",
    "tags", "template", "title",
}  # fmt: skip


def with_header(file: str, text: str, fields: Mapping[str, object]) -> str | None:
    """The whole page, when some of the fields that were found in its first lines are no fields that anybody knows."""
    is_yaml = file.startswith("---")
    if is_yaml or not fields or FIELDS.issuperset(fields) or not file.endswith(text):
        return None
    return file.lstrip("\n")
