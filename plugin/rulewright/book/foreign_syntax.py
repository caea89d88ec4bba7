"""What other tools write between Markdown: blocks in their comments are read, and the code of MDX is left out.

The parser gets these lines changed; spans still lead to the lines that the author wrote."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_CLOSING = {"%%": "%%", "{/*": "*/}"}  # the ends of comments in Obsidian and MDX
_COMMENT_BLOCK = re.compile(r"[ \t>]*(%%|\{/\*)[ \t]*([a-z][\w-]*)[ \t]*")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_MODULE_CODE = re.compile(r"(?:import|export)\b")
_COMPONENT = re.compile(r"[ \t]*</?[A-Z]")
_EXPRESSION = re.compile(r"[ \t]*\{.*\}[ \t]*")
MDX_SUFFIX = ".mdx"


def translate_lines(lines: list[str], path: str, kinds: Collection[str]) -> list[str]:
    """The lines as the Markdown parser should see them: `%% example` and `{/* example` begin a hidden block."""
    is_mdx, text = path.lower().endswith(MDX_SUFFIX), "\n".join(lines)
    if not is_mdx and "%%" not in text and "{/*" not in text:
        return lines
    changed, number, fence = [*lines], 0, ""
    while number < len(lines):
        line, end = lines[number], number + 1
        if mark := _FENCE.match(line):
            is_end = mark[1].startswith(fence) and mark.end() == len(line.rstrip())
            fence = mark[1] if not fence else "" if is_end else fence
        elif not fence and (block_end := _find_block_end(lines, number, kinds)):
            start = _COMMENT_BLOCK.fullmatch(line)
            assert start
            changed[number] = f"{line[: start.start(1)]}<!--{start[2]}"
            changed[block_end] = lines[block_end].rstrip().removesuffix(_CLOSING[start[1]]) + "-->"
            end = block_end + 1
        elif is_mdx and not fence and (code_end := _find_code_end(lines, number)):
            changed[number:code_end] = [""] * (code_end - number)
            end = code_end
        number = end
    return changed


def _find_block_end(lines: Sequence[str], number: int, kinds: Collection[str]) -> int:
    """The last line of a block in a comment of another tool; 0 if none begins here, or nothing closes it."""
    start = _COMMENT_BLOCK.fullmatch(lines[number])
    if start is None or start[2] not in kinds:
        return 0
    closing = _CLOSING[start[1]]
    return next((end for end in range(number + 1, len(lines)) if lines[end].rstrip().endswith(closing)), 0)


def _find_code_end(lines: Sequence[str], number: int) -> int:
    """The line after code of MDX: imports and exports, comments, components, expressions; 0 if none begins here."""
    line = lines[number]
    if _EXPRESSION.fullmatch(line):
        return number + 1
    if line.lstrip().startswith("{/*"):
        return next((end + 1 for end in range(number, len(lines)) if "*/}" in lines[end]), 0)
    is_module_code = _MODULE_CODE.match(line) and not (number and lines[number - 1].strip())
    if not is_module_code and not _COMPONENT.match(line):
        return 0
    end = number
    while end < len(lines) and lines[end].strip():
        end += 1
        if not is_module_code and lines[end - 1].rstrip().endswith(">"):
            break
    return end
