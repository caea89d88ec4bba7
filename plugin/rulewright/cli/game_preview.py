"""Shows a game before it is written: its odds at a glance, a sample roll, and an example block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..adopt.gallery import GalleryGame
from ..adopt.game_text import Sample, samples
from ..api.request import make_request
from ..game.model import Game, Rule
from ..odds.advise import make_player
from ..odds.rule_odds import compute_chances
from ..play.result import roll_dice
from ..play.roll import RandomGenerator
from ..play.validate import load_game_text
from ..render.number_format import format_percent
from .roll import preview_roll
from .terminal import INDENT, WIDTH, Screen, join_parts, pad, screen_width

_BAR_LENGTH, _PERCENT_WIDTH = 24, 8
_SEED = 1  # of the sample roll
_SIDES = {"first": "first side wins", "second": "second side wins", "none": "nobody wins"}


@dataclass(frozen=True)
class GamePreview:
    """The text of a game, a rule of it (the first if there is no name), and samples of its inputs."""

    text: str
    rule_name: str
    samples: Sequence[Sample]

    @cached_property
    def game(self) -> Game:
        game, problems = load_game_text(self.text)
        if game is None or problems:
            raise ValueError(f"a game with problems: {problems}")
        return game

    @property
    def rule(self) -> Rule:
        return self.game.rules[self.rule_name] if self.rule_name else next(iter(self.game.rules.values()))

    @property
    def typical(self) -> Sample:
        """The sample in the middle."""
        return self.samples[len(self.samples) // 2]

    def odds_lines(self, screen: Screen) -> list[str]:
        """A stacked bar for each sample, below the names of the outcomes."""
        chances = [compute_chances(self.rule, sample.inputs) for sample in self.samples]
        names = [_SIDES.get(name, name) if self.rule.contest else name for name in chances[0]]
        if not names:
            return []
        marks, room = screen.draw_marks(len(names)), max(screen_width(sample.label) for sample in self.samples)
        legend = [f"{mark} {name}" for mark, name in zip(marks, names, strict=True)]
        lead = room + 2 * len(INDENT)
        length = min(_BAR_LENGTH, WIDTH - lead - _PERCENT_WIDTH * len(names))
        is_wide = lead + screen_width("   ".join(legend)) > WIDTH
        lines = join_parts(legend, "   ", INDENT if is_wide else " " * lead)
        for sample, row in zip(self.samples, chances, strict=True):
            shares = [chance.likely for chance in row.values()]
            bar = screen.paint(screen.stacked_bar(shares, length), "bar")
            percents = "".join(format_percent(share).rjust(_PERCENT_WIDTH) for share in shares)
            lines.append(f"{INDENT}{pad(sample.label, room)}{INDENT}{bar}{percents}")
        return lines

    def roll_lines(self, screen: Screen) -> tuple[list[str], list[str]]:
        """A sample roll, and the example block that records it."""
        title = f"{self.game.title} · {self.rule.label}" if self.rule.label else self.game.title
        request = make_request(self.game.title, title, self.rule, self.typical.inputs)
        report, record = preview_roll(request, _SEED, screen)
        return report, ["```example", *record, "```"]

    def roll_line(self, room: int) -> str:
        """A sample roll in one line: the inputs, the dice if there is room, the first number and the outcome."""
        result, _ = roll_dice(self.rule, self.typical.inputs, make_player(self.rule, RandomGenerator(_SEED)))
        assert result
        assert result.outcome
        own = [(name, value) for name, value in result.steps.items() if "." not in name]  # its own
        numbers = [f"{name} {value}" for name, value in own if isinstance(value, int)]
        found = ", ".join([*numbers[:1], result.outcome.name])
        lines = [
            ": ".join(filter(None, ["; ".join(filter(None, [self.typical.label, dice])), found]))
            for dice in (f"dice {result.dice}", "")
        ]
        return next((line for line in lines if screen_width(line) <= room), lines[-1])


def gallery_preview(entry: GalleryGame) -> GamePreview:
    """The preview of a mechanic of the gallery."""
    return GamePreview(entry.text, "", samples({"family": "gallery", "game": entry.name}))
