"""How many cases a test with random data tries: few in `make test`, over thirty times as many in `make test-long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

DEFAULT_EXAMPLES = 100  # the default of Hypothesis


def scale_examples(count: int) -> int:
    """A seventh of the count in `make test`, five times the count in `make test-long` (profiles: conftest.py)."""
    return -(-count * settings().max_examples // DEFAULT_EXAMPLES)


def sample(values: Iterable[Any], every: int) -> list[Any]:
    """Parameters of a test: the first and then one in so many in `make test`, all in `make test-long`."""
    return [pytest.param(value, marks=[pytest.mark.long] * (at % every > 0)) for at, value in enumerate(values)]
