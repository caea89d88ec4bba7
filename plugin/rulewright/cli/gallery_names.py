"""Names of games of the gallery as commands take them."""

from __future__ import annotations

from ..adopt.gallery import read_gallery, suggest_game
from .terminal import CommandError


def require_known_game(name: str | None) -> None:
    if name and name not in read_gallery():
        raise CommandError(f'the gallery has no game "{name}"; {suggest_game(name)}')
