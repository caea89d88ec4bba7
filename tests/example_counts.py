"""How many cases a test with random data tries: few in `make test`, twelve times as many in `make test-long`."""

from __future__ import annotations

from hypothesis import settings

DEFAULT_EXAMPLES = 100  # the default of Hypothesis


def scale_examples(count: int) -> int:
    """Two fifths of the count in `make test`, five times the count in `make test-long` (profiles: conftest.py)."""
    return -(-count * settings().max_examples // DEFAULT_EXAMPLES)
