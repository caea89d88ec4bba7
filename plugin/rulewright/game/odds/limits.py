"""How much an answer may cost. Budgets count states and digits, not seconds: the same question always ends alike."""

MOST_STATES = 1_000_000
MOST_DIGITS = 150_000_000  # states times the length of their weights
MOST_PARTS = 100_000  # operations in a formula when the steps that it names are written out
TOO_MANY_STATES = "an exact answer would need too many states; ask for fewer dice"
NAME_ONCE = "name each step once, such as `2 * x` for `x + x`"


class TooMuch(Exception):
    """An exact answer would need more than the budget allows."""

    def __init__(self, message: str = TOO_MANY_STATES) -> None:
        super().__init__(message)


class TooLong(TooMuch):
    """A formula grows too long when the steps that it names are written out."""

    def __init__(self, formula: str) -> None:
        super().__init__(
            f"`{formula}` has more than {MOST_PARTS:,} parts when the steps that it names are written out; {NAME_ONCE}"
        )
