"""The seeded generator that every language of the project implements alike: mulberry32.

`a` is the state, all arithmetic is on 32 bits, `*` keeps the low 32 bits of a product:
    a = a + 0x6D2B79F5
    t = (a ^ a >> 15) * (a | 1)
    t = t ^ (t + (t ^ t >> 7) * (t | 61))
    number = t ^ t >> 14
A face of a die with n sides is number % n, and numbers from the last, incomplete run of n are thrown away,
so that every face is equally likely."""

from __future__ import annotations

MASK = 0xFFFFFFFF


class Generator:
    """An endless row of numbers that depends on the seed alone."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def number(self) -> int:
        self.state = (self.state + 0x6D2B79F5) & MASK
        mixed = (self.state ^ self.state >> 15) * (self.state | 1) & MASK
        mixed ^= (mixed + ((mixed ^ mixed >> 7) * (mixed | 61) & MASK)) & MASK
        return mixed ^ mixed >> 14

    def below(self, sides: int) -> int:
        """A number from 0 to sides - 1, each as likely as any other; there may be 2**32 sides at most."""
        limit = 2**32 - 2**32 % sides
        while (number := self.number()) >= limit:
            pass
        return number % sides
