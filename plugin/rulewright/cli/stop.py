"""The end of a command that cannot go on."""

from __future__ import annotations

from collections.abc import Sequence

NOTHING_WRONG, SOMETHING_WRONG, COULD_NOT_RUN = 0, 1, 2


class Stop(Exception):
    """Why a command ends early, in words for the person who typed it, and the exit code."""

    def __init__(self, message: str, status: int = COULD_NOT_RUN) -> None:
        super().__init__(message)
        self.status = status


def hint(fact: str, note: str) -> str:
    """What is wrong, and what might be meant, if that is known."""
    return f"{fact}; {note}" if note else fact


def one_of(fact: str, names: Sequence[str]) -> str:
    """What is wrong, and below it what can be chosen from."""
    return "\n".join([fact, *names])
