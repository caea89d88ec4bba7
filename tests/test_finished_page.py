"""The blocks of a finished page, as other plugins leave it."""

from __future__ import annotations

import pytest

from rulewright.book.parser import read_page
from rulewright.render.finished_page import find_missing_blocks, read_tags
from rulewright.source import Source

PAGE = '# Toss\n\n```example\nid: it\'s "one"\ncoins: 1\n```\n\n```example\nid: two\ncoins: 1\n```\n'
ONE = '<div class="rulewright-block" id="it&#x27;s &quot;one&quot;">card</div>'


@pytest.mark.parametrize(
    ("html", "missing"),
    [
        (f'{ONE}<div class="rulewright-block" id="two">card</div>', 0),
        (f"{ONE}<div id=two class=rulewright-block>card</div>", 0),
        (f"{ONE}<div data-x='1' class='a rulewright-block' id='two'\n>card</div>", 0),
        (f'{ONE}<div class="rulewright-block" data-id="two">card</div>', 1),
        (f'{ONE}<pre>&lt;div class="rulewright-block" id="two"&gt;</pre><div id="two">x</div>', 1),
        ("", 2),
    ],
)
def test_blocks_are_found_however_their_attributes_are_written(html: str, missing: int) -> None:
    blocks = read_page(Source("a.md", PAGE)).blocks
    assert len(list(find_missing_blocks(read_tags(html), blocks, (), False))) == missing
