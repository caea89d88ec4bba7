"""Patterns that are compiled when they are first asked."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from rulewright.text import Late, late
from test_house import modules


def test_it_answers_as_the_pattern_would() -> None:
    shape, same = late("(a+)b", re.IGNORECASE), re.compile("(a+)b", re.IGNORECASE)
    assert shape.pattern == same.pattern
    assert [one.span(1) for one in shape.finditer("aab AB")] == [one.span(1) for one in same.finditer("aab AB")]
    assert not shape.fullmatch("aabb")


def test_nothing_is_compiled_before_it_is_asked() -> None:
    broken = late("(")
    with pytest.raises(re.error):
        broken.search("")


def test_every_pattern_can_be_compiled() -> None:
    found = [
        one
        for module in modules()
        for one in vars(import_module(f"rulewright.{module.name}".removesuffix(".__init__"))).values()
        if isinstance(one, Late)
    ]
    assert len(found) > 200
    for one in found:
        re.compile(one.pattern, one.flags)
