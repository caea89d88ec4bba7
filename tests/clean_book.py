"""A made-up rulebook in which everything is right: tables, figures, lists and links, from a seed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

WORDS = (
    "the", "watch", "keeps", "a", "lamp", "burning", "at", "every", "gate", "while", "travellers", "argue", "about",
    "tolls", "and", "nobody", "in", "town", "believes", "that", "an", "old", "map", "shows", "where", "smugglers",
    "cross", "marsh", "moor", "after", "dark", "because", "rain", "has", "washed", "away", "half", "of", "what",
    "stood", "there", "when", "guilds", "still", "paid", "for", "stone", "bridges", "over", "cold", "quick",
    "water", "near", "mills", "owned", "by", "patient", "careful", "people",
)  # fmt: skip
NOUNS = (
    "Lantern", "Ferry", "Orchard", "Granary", "Bell", "Quarry", "Harbour", "Weaver", "Kiln", "Tannery", "Abbey",
    "Tollhouse", "Well", "Mill",
)  # fmt: skip
MONSTERS = (
    "Marsh hound", "Stone owl", "Reed viper", "Hollow knight", "Salt ghoul", "Lamp eater", "Ash moth", "Bog troll",
)  # fmt: skip
LADDER = (
    "Terrible", "Poor", "Mediocre", "Fair", "Good", "Great", "Superb",
)  # fmt: skip

Part = Callable[[Random], str]


def sentence(random: Random) -> str:
    words = [random.choice(WORDS) for _ in range(random.randint(8, 18))]
    return " ".join(words).capitalize() + "."


def paragraph(random: Random) -> str:
    return " ".join(sentence(random) for _ in range(random.randint(2, 5)))


def bullets(random: Random) -> str:
    return "\n".join(f"- {sentence(random)}" for _ in range(random.randint(2, 6)))


def numbered(random: Random) -> str:
    return "\n".join(f"{number}. {sentence(random)}" for number in range(1, random.randint(3, 7)))


def stretches(random: Random, low: int, high: int) -> list[tuple[int, int]]:
    """All numbers from low to high in some stretches without gaps."""
    cuts = sorted(random.sample(range(low, high), min(random.randint(3, 7), high - low)))
    return list(zip([low, *(cut + 1 for cut in cuts)], [*cuts, high], strict=True))


def rollable(random: Random) -> str:
    """A table with a die, in one of many manners."""
    count, sides = random.choice([(1, 6), (1, 8), (1, 10), (1, 12), (1, 20), (1, 100), (2, 6), (3, 6)])
    dash, name = random.choice(["-", "–", " to "]), random.choice(NOUNS)
    width = 2 if sides == 100 else 0
    shown = [
        dash.join(f"{end:0{width}}"[-2:] for end in dict.fromkeys(ends))
        for ends in stretches(random, count, count * sides)
    ]
    if random.random() < 0.3:
        shown.reverse()
    header = f"{count if count > 1 or random.random() < 0.5 else ''}d{sides}"
    rows = [f"| {text} | {sentence(random)} |" for text in shown]
    return "\n".join([f"| {header} | {name} |", "| --- | --- |", *rows])


def open_ended(random: Random) -> str:
    """A table with 2d6 to which something is added."""
    rows = stretches(random, 3, 12)
    last = rows[-1][0]
    shown = ["2 or less", *(f"{low}–{high}" if low < high else f"{low}" for low, high in rows[:-1]), f"{last}+"]
    return "\n".join(
        ["| 2d6 + Wits | Rumour |", "|:-:|---|", *(f"| **{text}** | {sentence(random)} |" for text in shown)]
    )


def side_by_side(random: Random) -> str:
    """Twelve results in two columns, counted downwards or across."""
    downwards = random.random() < 0.5
    numbers = [(row, row + 6) if downwards else (2 * row - 1, 2 * row) for row in range(1, 7)]
    rows = [f"| {left} | {random.choice(NOUNS)} | {right} | {random.choice(NOUNS)} |" for left, right in numbers]
    return "\n".join(["| d12 | Left | d12 | Right |", "|---|---|---|---|", *rows])


def digits(random: Random) -> str:
    """A table with two dice that are read as digits; the caption names them."""
    rows = [
        f"| {ten}1–{ten}{cut} | {random.choice(NOUNS)} |\n| {ten}{cut + 1}–{ten}6 | {random.choice(NOUNS)} |"
        for ten in range(1, 7)
        for cut in [random.randint(2, 4)]
    ]
    return "\n".join(["**Finds (d66)**", "", "| Roll | Find |", "|---|---|", *rows])


def percentages(random: Random) -> str:
    """Rows that add up to 100, rounded."""
    digits, rows = random.randint(0, 1), []
    for dice in range(1, random.randint(5, 9)):
        parts = [random.randint(1, 60) for _ in range(3)]
        figures = [f"{float(Fraction(100 * part, sum(parts))):.{digits}f}%" for part in parts]
        rows.append(f"| {dice} | {' | '.join(figures)} |")
    return "\n".join(["| Dice | Success | Failure | Botch |", "|---|---|---|---|", *rows])


def monster(random: Random) -> str:
    """A creature whose averages are rounded down."""
    count, sides, bonus = random.randint(1, 12), random.choice([4, 6, 8, 10, 12]), random.randint(1, 20)
    hit, size = random.randint(1, 4), random.choice([4, 6, 8])
    life, hurt = count * (sides + 1) // 2 + bonus, hit * (size + 1) // 2
    head = f"**{random.choice(MONSTERS)}.** Armour {random.randint(10, 18)}."
    body = f"Hit Points {life} ({count}d{sides} + {bonus}), Speed {random.choice([20, 30, 40])} ft."
    return f"{head} {body} *Bite.* {hurt} ({hit}d{size}) piercing damage."


def summed(random: Random) -> str:
    """A roll that is added up."""
    faces = [random.randint(1, 6) for _ in range(random.randint(2, 4))]
    bonus = random.randint(1, 5)
    told = " + ".join(map(str, [*faces, bonus]))
    return f"Mira counts her dice and her skill: {told} = {sum(faces) + bonus}. {sentence(random)}"


def rolled(random: Random) -> str:
    """A roll told face by face."""
    count, sides = random.randint(2, 5), random.choice([4, 6, 8, 10])
    faces = [str(random.randint(1, sides)) for _ in range(count)]
    return f"Oda rolls {count}d{sides} and gets {', '.join(faces)}. {sentence(random)}"


def rungs(random: Random) -> str:
    """The ladder that all pages speak of."""
    rows = [f"| {step - 2:+d} | {name} |" for step, name in enumerate(LADDER)]
    return "\n".join(["| Step | Name |", "| --- | --- |", *(rows if random.random() < 0.5 else reversed(rows))])


def ladder(random: Random) -> str:
    step = random.randrange(len(LADDER))
    return f"The ice is {LADDER[step]} ({step - 2:+d}) cover. {sentence(random)}"


def prices(random: Random) -> str:
    rows = [f"| {random.choice(NOUNS)} | {random.randint(1, 400)} gp | {random.randint(1, 30)} lb. |" for _ in range(6)]
    return "\n".join(["| Item | Cost | Weight |", "|:--|--:|--:|", *rows])


PARTS: tuple[Part, ...] = (
    *([paragraph] * 6), bullets, numbered, rollable, open_ended, side_by_side, digits, percentages, monster, summed,
    rolled, rungs, ladder, prices,
)  # fmt: skip


def page(seed: int, number: int, pages: int, words: int) -> str:
    """One page of a book of so many; it links to itself and to others."""
    random = Random(f"{seed}/{number}")
    parts, headings = [f"# Chapter {number}"], 0
    while sum(len(part.split()) for part in parts) < words:
        headings += 1
        other = random.randrange(pages)
        parts.append(f"## {random.choice(NOUNS)} {number}-{headings}")
        parts += [random.choice(PARTS)(random) for _ in range(random.randint(2, 5))]
        parts.append(f"{sentence(random)} See [chapter {other}](chapter-{other}.md#chapter-{other}).")
    return "\n\n".join(parts) + "\n"


def write_book(folder: Path, pages: int, words: int, seed: int = 1) -> None:
    """A book of so many pages, each of about so many words."""
    for number in range(pages):
        (folder / f"chapter-{number}.md").write_text(page(seed, number, pages, words), encoding="utf-8")
