"""HTML of authors, of which paper keeps the words."""

from __future__ import annotations

from html.parser import HTMLParser

BREAKS = {
    "br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "table", "caption", "ul", "ol", "dl", "dt", "dd",
    "pre", "blockquote", "hr", "details", "summary", "figure", "figcaption", "section", "article", "aside", "header",
    "footer",
}  # fmt: skip
SILENT = {"script", "style", "template", "head"}


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines, self.silent = [""], 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self.silent += 1
        elif tag in BREAKS:
            self.lines.append("")
        elif tag in ("img", "svg"):
            self.lines[-1] += next((value or "" for name, value in attrs if name in ("alt", "aria-label")), "")

    def handle_endtag(self, tag: str) -> None:
        if tag in SILENT:
            self.silent = max(self.silent - 1, 0)
        elif tag in BREAKS:
            self.lines.append("")
        elif tag in ("td", "th"):
            self.lines[-1] += " "

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.lines[-1] += data


def lines(html: str) -> list[str]:
    """The words of HTML, a line for each of its paragraphs, cells of a row on one."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    told = (" ".join(line.split()) for line in reader.lines)
    return [line for line in told if line]


def breaks(html: str) -> bool:
    return html.lower().lstrip("</ ").startswith("br")
