"""Examples and other blocks by the rules of the other edition, in words: what ends differently, what nobody can say."""

from __future__ import annotations

from collections.abc import Iterator

from ...editions.asserted import CLAIM_KINDS
from ...editions.examples import BlockResult, ChangedBlock, UncheckedBlock
from ...editions.judging import RecheckReport
from ...editions.translated import Reason
from ...editions.whole import EditionDiff
from ..words import Words
from .outline import Line, Section

EDITIONS = ("old", "new")


def example_sections(found: EditionDiff, words: Words) -> Iterator[Section]:
    """Nothing where no rule has changed: then nothing can end differently."""
    judged = found.judgement
    if judged.changed:
        yield Section(words("examples that change"), tuple(changed_block_lines(judged, words)))
    elif found.games and judged.counts:
        any_judged = any(judged.judged("old", kind) for edition, kind in judged.counts if edition == "old")
        none = [Line(words("none ends differently"))] if any_judged else []
        if body := (*none, *recheck_lines(judged, words)):
            yield Section(words("examples"), body)


def changed_block_lines(judged: RecheckReport, words: Words) -> Iterator[Line]:
    for one in judged.changed:
        yield Line(words(f"example of {one.edition}", place=block_place(one)))
        what = "; ".join(filter(None, [one.inputs, one.dice]))
        what = what or (one.rule if one.kind == "example" else words(f"block {one.kind}"))
        old, new = result_text(one.old, words), result_text(one.new, words)
        yield Line(words("ends before and after", what=what, old=old, new=new), 1)
        yield from (Line(note, 2, quiet=True) for note in one.notes)
    yield from recheck_lines(judged, words)


def block_place(one: ChangedBlock | UncheckedBlock) -> str:
    return f"{one.path}:{one.span.source.place(one.span.start)[0]} {one.id}"


def result_text(end: BlockResult, words: Words) -> str:
    if end.sort == "claim":
        return words(f"claim {end.outcome}")
    return end.text if end.degree is None else words("with degree", outcome=end.outcome, degree=end.degree)


def recheck_lines(judged: RecheckReport, words: Words) -> Iterator[Line]:
    """How many were judged, and of the older edition all that were not, by the reason."""
    for edition in EDITIONS:
        what = ", ".join(
            words(f"judged {kind}", judged=judged.judged(edition, kind), number=judged.counts[edition, kind])
            for kind in ("example", *CLAIM_KINDS)
            if (edition, kind) in judged.counts
        )
        if what and (edition == "old" or any(judged.judged(*one) for one in judged.counts if one[0] == edition)):
            yield Line(words(f"judged of {edition}", what=what), quiet=True)
    reasons = dict.fromkeys(one.why for one in judged.unjudged if one.edition == "old")
    for why in reasons:
        yield Line(words("not judged", why=reason_text(why, words)))
        yield Line(", ".join(block_place(one) for one in judged.unjudged if one.edition == "old" and one.why == why), 1)


def reason_text(why: Reason, words: Words) -> str:
    return words(f"not judged {why.name}", about=why.about)
