"""Asks questions in a terminal, and reads the answers from lines of standard input where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from .terminal import INDENT, CommandError, Screen, pad, wrap

_QUIT, _YES, _NO = ("q", "quit"), ("y", "yes"), ("n", "no")
QUIT_MESSAGE = "nothing was written"


class QuitError(Exception):
    """The user ends the questions."""


class Prompter:
    """Asks one question after the other. With `takes_defaults` nothing is read."""

    def __init__(self, screen: Screen, stream: TextIO, takes_defaults: bool = False) -> None:
        self._screen, self._stream = screen, stream
        self.takes_defaults = takes_defaults

    def ask(self, question: str, default: str, read: Callable[[str], str | None], expected: str) -> str:
        """The answer to a question: asked again until `read` accepts it. Enter takes a default."""
        while True:
            line = self._read_line(f"{question} [{default}]: " if default else f"{question}: ")
            value = read(line or default)
            if value is not None:
                return value
            fact = f'"{line}" is not an answer here' if line else "this question has no usual answer"
            self._screen.print(f"{INDENT}{fact}; write {expected}")

    def confirm(self, question: str, default: str = "y") -> bool:
        """A question for yes or no; Enter is yes unless another default is given."""

        def read(line: str) -> str | None:
            word = line.lower()
            return "y" if word in _YES else "n" if word in _NO else None

        return self.ask(question, default, read, "y or n") == "y"

    def _read_line(self, prompt: str) -> str:
        print(end=prompt, file=self._screen.stream, flush=True)
        if self.takes_defaults:
            self._screen.print("")
            return ""
        line = self._stream.readline()
        if not line:
            self._screen.print("")
            if self._stream.isatty():
                raise QuitError
            advice = "write one line for each question, or take all defaults with --yes"
            raise CommandError(f"the answers end before this question; {advice}")
        answer = line.strip()
        if not self._stream.isatty():
            self._screen.print(answer)
        if answer.lower() in _QUIT:
            raise QuitError
        return answer


def choice_lines(choices: Sequence[tuple[str, str]]) -> list[str]:
    """Numbered choices with their texts, aligned."""
    room = max(len(name) for name, _ in choices)
    leads = [f"{INDENT}{number:>2}  " for number in range(1, len(choices) + 1)]
    lines = []
    for lead, (name, text) in zip(leads, choices, strict=True):
        lines += wrap(text, lead + pad(name, room) + INDENT * bool(name)) if text else [lead + name]
    return lines
