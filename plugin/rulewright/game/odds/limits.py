"""How much an answer may cost. Budgets count states and digits, not seconds: the same question always ends alike."""

MOST_STATES = 1_000_000
MOST_DIGITS = 150_000_000  # states times the length of their weights


class TooMuch(Exception):
    """An exact answer would need more than the budget allows."""
