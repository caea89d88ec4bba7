"""`rulewright coverage --mutate`: changes each number of a book by one step and lists what no check notices."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path as File
from random import Random
from typing import Any, NamedTuple

from ..compile.mutants import Mutant, find_mutants, try_mutants
from ..compile.watch import BookWatcher
from ..render.reports import format_position, span_ends
from ..render.text_width import visible
from .streams import json_text
from .terminal import NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen, progress

_SEED = 1  # of a sample, so that it is always the same


class _Tried(NamedTuple):
    mutant: Mutant
    is_noticed: bool


def run_mutants(books: Sequence[Sequence[File]], here: File, options: Namespace) -> int:
    """Try the changes of some books and print which are not noticed."""
    if options.badge or (options.sample is not None and options.sample < 1):
        raise CommandError("--badge shows coverage; leave out --mutate" if options.badge else "a sample has 1 or more")
    screen, found = Screen(sys.stdout), list[tuple[BookWatcher, Mutant]]()
    for places in books:
        watcher = BookWatcher(places, here)
        watcher.update()
        found += [(watcher, mutant) for mutant in find_mutants(watcher)]
    if not found:
        raise CommandError("no number to change: coverage compares pages with the game.toml beside or above them")
    tried = list(_try_all(_choose(found, options.sample)))
    counts = {"constants": _count(tried, True), "numbers": _count(tried, False)}
    noticed, total = (sum(part) for part in zip(*counts.values(), strict=True))
    if options.format == "json":
        parts = {name: {"noticed": part, "changes": whole} for name, (part, whole) in counts.items()}
        summary = {"changes": total, "noticed": noticed, **parts}
        screen.print(json_text({"version": 1, "summary": summary, "changes": list(map(_to_json, tried))}))
    else:
        screen.print(*(_describe(mutant) for mutant, is_noticed in tried if not is_noticed))
        texts = [f"{part:,} of {whole:,} {name}" for name, (part, whole) in counts.items()]
        screen.print(f"{noticed:,} of {total:,} changes noticed: {texts[0]}, {texts[1]} in the text")
    is_low = options.fail_under is not None and 100 * noticed // total < options.fail_under
    return SOMETHING_WRONG if is_low else NOTHING_WRONG


def _choose(found: list[tuple[BookWatcher, Mutant]], sample: int | None) -> list[tuple[BookWatcher, Mutant]]:
    if sample is None or sample >= len(found):
        return found
    return [found[number] for number in sorted(Random(_SEED).sample(range(len(found)), sample))]


def _try_all(chosen: Sequence[tuple[BookWatcher, Mutant]]) -> Iterator[_Tried]:
    show, done = progress(sys.stderr, things="changes"), 0
    for watcher in dict.fromkeys(watcher for watcher, _ in chosen):
        mutants = [mutant for own, mutant in chosen if own is watcher]
        for tried in map(_Tried, mutants, try_mutants(watcher, mutants)):
            yield tried
            done += 1
            show(done, len(chosen))


def _count(tried: Sequence[_Tried], constants: bool) -> tuple[int, int]:
    """How many changes are noticed, and how many there are."""
    own = [one.is_noticed for one in tried if one.mutant.is_constant is constants]
    return sum(own), len(own)


def _describe(mutant: Mutant) -> str:
    source, start, _ = mutant.span
    line = source.line(source.position(start)[0]).strip()
    return f"{format_position(mutant.span)}: {mutant.span.text} becomes {mutant.becomes}  {visible(line)[:80]}"


def _to_json(tried: _Tried) -> dict[str, Any]:
    mutant = tried.mutant
    return {
        "path": mutant.span.source.path,
        **span_ends(mutant.span),
        "text": mutant.span.text,
        "becomes": mutant.becomes,
        "of": "game" if mutant.is_constant else "text",
        "noticed": tried.is_noticed,
    }
