"""What a package needs to add a lint or a block kind to Rulewright.

A lint is a `Check`, declared under the entry point group `rulewright.lints`; a block kind is a `BlockKind`, declared
under `rulewright.blocks`. Both return `Problem` objects, whose codes begin with the name of the lint or kind. Stable
are the names in `__all__` and what the handbook page "Library" says about them.
"""

from .book.page import Block, Entry, Page
from .book.text import Passage
from .checks.model import BlockContext, BlockKind
from .lint.interface import Check, LintContext, LintResult, all_passages
from .source import Fix, Problem, Source, Span

__all__ = [
    "Block",
    "BlockContext",
    "BlockKind",
    "Check",
    "Entry",
    "Fix",
    "LintContext",
    "LintResult",
    "Page",
    "Passage",
    "Problem",
    "Source",
    "Span",
    "all_passages",
]
