"""The pools of a stage in the form that has the fewest states, and the segment of the walk that begins with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from ..game.formula import Node
from .budget import Budget, NotExactError
from .rule_facts import entry_kinds, goes_on
from .unroll import PAIR_COST, OrderMattersError, Unroller, ask_about_later_faces
from .walk_decks import asked_size, tell_apart
from .walk_endless import shape_endless
from .walk_frames import Frame, Segment, Setup, count_pairs, foresee
from .walk_pools import COUNTS, ORDERED, Pool, choose_form, merge_faces, order_faces


class PoolShaper:
    """Shapes the pools of a walk; `held` are kinds of dice that may be rolled again or picked, by stage."""

    def __init__(self, setup: Setup, held: Sequence[Collection[int]], budget: Budget, left_open: int) -> None:
        self.setup, self.rule, self.held = setup, setup.rule, held
        self.budget, self.left_open = budget, left_open

    def shape_pools(self, frame: Frame, position: int, pools: Sequence[Pool]) -> tuple[list[Pool], Segment]:
        """The pools in the form that has the fewest states; formulas that tell equal dice apart need another one."""
        if not pools and ("stopped", position) in frame.found:
            raise NotExactError("dice wait for each other")
        probe, held = self.probe(frame, position, pools), self.held[position]
        ready = [self.shape_pool(pool, probe, held) for pool in pools]
        self.budget.spend(PAIR_COST * count_pairs(probe, frame, ready))
        while True:
            key = ("segment", position, tuple([pool.shape for pool in ready]))
            try:
                foresee(self.setup, frame, position, ready)
                segment = frame.remembered(key, partial(Segment, self.setup, frame, position, tuple(ready), held))
            except OrderMattersError as error:
                places = [place for place, pool in enumerate(ready) if pool.kind == error.kind]
                if error.kind in held or not places or goes_on(self.rule, error.kind):
                    raise
                for place in places:
                    ready[place] = tell_apart(ready[place], pools[place], error.first)
            else:
                if not pools and segment.frame:
                    segment.frame.found["stopped", position] = True
                return ready, segment

    def shape_pool(self, pool: Pool, probe: Unroller, held: Collection[int]) -> Pool:
        if goes_on(self.rule, pool.kind):
            return shape_endless(pool, probe, pool.kind in held, self.left_open, self.budget)
        faces = pool.faces
        kinds = self.rule.find_deck(pool.kind) or (pool.kind,)
        merged = faces if pool.drawn else merge_faces(probe, kinds, faces)
        form = choose_form(pool.dice, faces, merged)
        form = COUNTS if pool.kind in held else ORDERED if pool.present else form
        faces = order_faces(merged if form == COUNTS else faces)
        return replace(pool, form=form, faces=faces, size=asked_size(pool, probe))

    def probe(self, frame: Frame, position: int, pools: Sequence[Pool]) -> Unroller:
        """What formulas ask about single dice of these pools."""
        tables, domains = self.setup.lay_probes(frame, pools)
        unroller = Unroller(self.rule, self.setup.constants, tables, domains, self.setup.eager)
        unroller.budget = self.budget
        for node in frame.nodes:
            unroller.unroll(node)
        ask_about_later_faces(unroller)
        for stage in self.setup.program[position:]:
            for entry in [self.rule.again[int(stage.of[0])]] if stage.what == "again" else []:
                unroller.unroll(Node("dice", (entry.of,)))
                for kind in entry_kinds(self.rule, entry):
                    if entry.when:
                        unroller.ask_kind(kind, entry.when.node)
                    if entry.turn:
                        unroller.ask_kind(kind, entry.turn.node)
                    if entry.pick != "all" or entry.keep != "new" or entry.turn:
                        unroller.ask_kind(kind, Node("name", ("value",)))
        return unroller
