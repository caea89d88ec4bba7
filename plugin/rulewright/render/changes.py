"""The differences between two editions as text and Markdown: sections for `rulewright diff` and the page of changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..diff.chances import OddsChange
from ..diff.compare import Change, Edit, drop_moves
from ..diff.counterexample import Counterexample, RollComparison
from ..diff.diff import EditionDiff, GameChange
from ..diff.entities import Text
from ..diff.headings import HeadingChange, StaleLink
from ..diff.recheck import CLAIM_KINDS, BlockResult, ChangedBlock, RecheckReport, UncheckedBlock
from ..diff.replay import Reason
from ..diff.rule_pairs import RulePair
from ..game.model import CONTEST_SIDES, Rule
from .number_format import format_percent, localize
from .strings import Words
from .text_width import visible, width


@dataclass(frozen=True)
class _Line:
    """A line of a section, indented by its depth."""

    text: str
    depth: int = 0
    quiet: bool = False  # less important: gray in a terminal


@dataclass(frozen=True)
class _Grid:
    """A table; its first row and its first column are headers."""

    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class _Section:
    """A title with lines and tables."""

    title: str
    body: tuple[_Line | _Grid, ...]
    level: int = 1


def _make_grid(heads: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> _Grid:
    """A table from its corner labels, column headers and rows."""
    corner = " / ".join(filter(None, heads))
    return _Grid(((corner, *columns), *map(tuple, rows)), caption)


_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~^$&]|==|:(?=\w)|^[-+](?=\s)|(?<=^\d)[.)](?=\s))")

_WHITESPACE = re.compile(r"[^\S\u00a0]+")  # except no-break spaces


def render_markdown(sections: Iterable[_Section], level: int = 2) -> str:
    """The sections as Markdown: lists and tables."""
    return "\n".join(line for section in sections for line in _markdown_section(section, level)).rstrip("\n") + "\n"


def _markdown_section(section: _Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {_escape_markdown(section.title)}"
    yield ""
    listed = False
    for part in section.body:
        if isinstance(part, _Grid):
            yield from [""] if listed else []
            yield from _markdown_table(part)
            listed = False
        else:
            yield _markdown_item(part)
            listed = True
    yield from [""] if listed else []


def _markdown_item(line: _Line) -> str:
    return f"{'    ' * line.depth}- {_escape_markdown(line.text)}"


def _markdown_table(table: _Grid) -> Iterator[str]:
    yield from [_escape_markdown(table.caption), ""] if table.caption else []
    head, *rows = table.rows
    yield _markdown_row(head)
    yield "| " + " | ".join(["---", *["--:"] * (len(head) - 1)]) + " |"
    yield from map(_markdown_row, rows)
    yield ""


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escape_markdown, cells)) + " |"


def _escape_markdown(text: str) -> str:
    return _MARKUP.sub(r"\\\1", visible(_WHITESPACE.sub(" ", text.strip())))


_WIDTH = 80
_INDENT = "  "

_Paint = Callable[[str, str], str]


def render_text(sections: Iterable[_Section], paint: _Paint) -> Iterator[str]:
    """The sections as lines for a terminal; `paint` adds colors."""
    for number, section in enumerate(sections):
        yield from [""] if number else []
        yield paint(visible(section.title), "title")
        for part in section.body:
            yield from _text_table(part, paint) if isinstance(part, _Grid) else _text_line(part, paint)


def _text_line(line: _Line, paint: _Paint) -> Iterator[str]:
    first = _INDENT * (line.depth + 1)
    for number, words in enumerate(_fold_words(visible(line.text), _WIDTH - len(first) - len(_INDENT))):
        yield paint(first + (_INDENT if number else "") + words, "quiet" if line.quiet else "")


def _fold_words(words: str, room: int) -> Iterator[str]:
    """Lines of at most `room` columns, broken at spaces."""
    line = ""
    for word in words.split():
        if line and width(f"{line} {word}") > room:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def _text_table(table: _Grid, paint: _Paint) -> Iterator[str]:
    rooms = [max(width(visible(cell)) for cell in column) for column in zip(*table.rows, strict=True)]
    yield ""
    captions = _fold_words(visible(table.caption), _WIDTH - len(_INDENT)) if table.caption else ()
    yield from (_INDENT + paint(words, "quiet") for words in captions)
    for number, row in enumerate(table.rows):
        cells = [
            _pad_cell(visible(cell), room, column_number == 0)
            for column_number, (cell, room) in enumerate(zip(row, rooms, strict=True))
        ]
        yield paint(_INDENT * 2 + "  ".join(cells).rstrip(), "" if number else "quiet")


def _pad_cell(cell: str, room: int, left: bool) -> str:
    blanks = " " * (room - width(cell))
    return cell + blanks if left else blanks + cell


def phrase_text(text: Text, words: Words) -> str:
    """Text as it is, or a phrase of the catalog with its values."""
    return text if isinstance(text, str) else words(text.name, **dict(text.values))


def _integer_text(number: int, words: Words) -> str:
    """For example "16,540,038"."""
    return f"{number:,}".replace(",", words("thousands sign"))


def _percent_text(chance: Fraction, words: Words) -> str:
    return localize(format_percent(chance), words)


def _points_text(old: Fraction, new: Fraction, words: Words) -> str:
    """For example "+3.1": percentage points."""
    if old == new:
        return "0"
    return ("+" if new > old else "−") + localize(format_percent(abs(new - old)).removesuffix("%"), words)


def _value_text(rule: Rule, name: str, text: Text, words: Words) -> str:
    """The value of an input (or of a side, such as `first.bold`); flags as yes or no."""
    side, _, own = name.rpartition(".")
    if rule.contest and side in CONTEST_SIDES:
        return _value_text(rule.contest.of[CONTEST_SIDES.index(side)], own, text, words)
    is_flag = any(entry.name == name and entry.form == "flag" for entry in rule.inputs)
    return words("yes" if text == "yes" else "no") if is_flag else phrase_text(text, words)


def _inputs_text(pair: RulePair, inputs: Mapping[str, str], words: Words) -> str:
    """For example "pool 3, difficulty 6"."""
    return ", ".join(f"{key} {_value_text(pair.old, key, text, words)}" for key, text in inputs.items())


def _with_inputs_text(text: str, pair: RulePair, inputs: Mapping[str, str], words: Words) -> str:
    return f"{text} ({_inputs_text(pair, inputs, words)})" if inputs else text


_MOST_FACT_LETTERS = 160  # longer facts are cut


def _game_sections(diff: EditionDiff, words: Words, moves: bool) -> Iterator[_Section]:
    for game in diff.games:
        body = tuple(_game_lines(game, words, moves))
        if body or game.change.way != "changed":
            yield _Section(_game_title(game, words), body)


def _game_title(game: GameChange, words: Words) -> str:
    if game.change.way == "changed":
        both = game.old_title, game.new_title
        return words("became", old=both[0], new=both[1]) if both[0] != both[1] else both[1]
    return words(f"way {game.change.way}", thing=game.old_title or game.new_title)


def _game_lines(game: GameChange, words: Words, moves: bool) -> Iterator[_Line]:
    change = game.change if moves else drop_moves(game.change)
    for child in change.children if change else ():
        yield from _change_lines(child, words, 0)


def _change_lines(change: Change, words: Words, depth: int) -> Iterator[_Line]:
    """A changed entity, and its changes below it."""
    single = change.edits[0] if len(change.edits) == 1 and not change.children else None
    if single and change.way == "changed":
        yield _Line(f"{_entity_text(change, words)}: {_edit_text(single, words)}", depth)
        return
    if change.way == "changed":
        yield _Line(_entity_text(change, words), depth)
    else:
        new = _entity_text(change, words, change.new_name)
        way = change.way if change.sure else f"probably {change.way}"
        yield _Line(words(f"way {way}", thing=_entity_text(change, words), new=new), depth)
    yield from (_Line(_edit_text(item, words), depth + 1) for item in change.edits)
    for child in change.children:
        yield from _change_lines(child, words, depth + 1)


def _entity_text(change: Change, words: Words, name: str = "") -> str:
    """For example "outcome botch"."""
    return words(f"part {change.part}", name=name or change.name)


def _edit_text(edit: Edit, words: Words) -> str:
    aspect = words.phrases.get(f"aspect {edit.aspect.partition(' ')[0]}", edit.aspect)
    old, new = _shorten(phrase_text(edit.old, words)), _shorten(phrase_text(edit.new, words))
    if not edit.old:
        return words("fact added", aspect=aspect, new=new)
    return words("fact changed", aspect=aspect, old=old, new=new) if edit.new else words(
        "fact removed", aspect=aspect, old=old
    )  # fmt: skip


def _shorten(text: str) -> str:
    return text if len(text) <= _MOST_FACT_LETTERS else f"{text[:_MOST_FACT_LETTERS]}…"


_EDITIONS = ("old", "new")


def _example_sections(diff: EditionDiff, words: Words) -> Iterator[_Section]:
    """Empty if no rule has changed: then no result can."""
    judged = diff.recheck
    if judged.changed:
        yield _Section(words("examples that change"), tuple(_changed_block_lines(judged, words)))
    elif diff.games and judged.counts:
        any_judged = any(judged.rechecked("old", kind) for edition, kind in judged.counts if edition == "old")
        none = [_Line(words("none ends differently"))] if any_judged else []
        if body := (*none, *_recheck_lines(judged, words)):
            yield _Section(words("examples"), body)


def _changed_block_lines(judged: RecheckReport, words: Words) -> Iterator[_Line]:
    for block in judged.changed:
        yield _Line(words(f"example of {block.edition}", place=_block_place(block)))
        description = "; ".join(filter(None, [block.inputs, block.dice]))
        description = description or (block.rule if block.kind == "example" else words(f"block {block.kind}"))
        old, new = _result_text(block.old, words), _result_text(block.new, words)
        yield _Line(words("ends before and after", what=description, old=old, new=new), 1)
        yield from (_Line(note, 2, quiet=True) for note in block.notes)
    yield from _recheck_lines(judged, words)


def _block_place(block: ChangedBlock | UncheckedBlock) -> str:
    return f"{block.path}:{block.span.source.position(block.span.start)[0]} {block.id}"


def _result_text(end: BlockResult, words: Words) -> str:
    if end.sort == "claim":
        return words(f"claim {end.outcome}")
    return end.text if end.degree is None else words("with degree", outcome=end.outcome, degree=end.degree)


def _recheck_lines(judged: RecheckReport, words: Words) -> Iterator[_Line]:
    """How many blocks were rechecked, and the undecided ones of the older edition by reason."""
    for edition in _EDITIONS:
        counts = ", ".join(
            words(f"judged {kind}", judged=judged.rechecked(edition, kind), number=judged.counts[edition, kind])
            for kind in ("example", *CLAIM_KINDS)
            if (edition, kind) in judged.counts
        )
        if counts and (edition == "old" or any(judged.rechecked(*key) for key in judged.counts if key[0] == edition)):
            yield _Line(words(f"judged of {edition}", what=counts), quiet=True)
    reasons = dict.fromkeys(block.why for block in judged.unchecked if block.edition == "old")
    for why in reasons:
        yield _Line(words("not judged", why=reason_text(why, words)))
        yield _Line(
            ", ".join(_block_place(block) for block in judged.unchecked if block.edition == "old" and block.why == why),
            1,
        )


def reason_text(why: Reason, words: Words) -> str:
    """Why a block of the older edition was not rechecked."""
    return words(f"not judged {why.name}", about=why.about)


_MOST_ROWS, _MOST_COLUMNS = 10, 9


def _play_sections(diff: EditionDiff, words: Words) -> Iterator[_Section]:
    """One for each rule that works differently: the smallest roll that shows it, then the chances."""
    rolls, odds = {id(rolls.pair): rolls for rolls in diff.rolls}, {id(odds.pair): odds for odds in diff.odds}
    pairs = {id(pair): pair for pair in [*(rolls.pair for rolls in diff.rolls), *(odds.pair for odds in diff.odds)]}
    for key, pair in pairs.items():
        body = [*_roll_lines(rolls.get(key), words), *_odds_lines(odds.get(key), words)]
        yield _Section(words("rolls and chances", rule=_rule_name(pair)), tuple(body))
    yield from _example_sections(diff, words)


def _rule_name(pair: RulePair) -> str:
    own = pair.new.label or pair.new.name
    return f"{pair.game}/{own}" if pair.game else own


def _roll_lines(rolls: RollComparison | None, words: Words) -> Iterator[_Line]:
    if rolls is None:
        return
    pair, smallest = rolls.pair, rolls.smallest
    kind = "roll" if pair.old.dice else "inputs"
    if rolls.why:
        yield _Line(words(f"no rolls {rolls.why}"))
    elif smallest is None:
        yield _Line(words(f"no {kind} differ", number=_integer_text(rolls.rolls, words)))
    else:
        ends = {"old": _result_text(smallest.old, words), "new": _result_text(smallest.new, words)}
        yield _Line(words(f"smallest {kind}", what=_roll_text(pair, smallest, words), **ends))
    for name, both in pair.defaults.items():
        old, new = (_value_text(pair.old, name, text, words) for text in both)
        yield _Line(words("left out otherwise", input=name, old=old, new=new))


def _roll_text(pair: RulePair, roll: Counterexample, words: Words) -> str:
    """For example "1 1 6 (pool 3, difficulty 6)"."""
    inputs = _inputs_text(pair, roll.inputs, words)
    dice = words("with rerolls", dice=roll.dice, rerolled=roll.rerolled) if roll.rerolled else roll.dice
    dice = words("with turned", dice=dice, turned=roll.turned) if roll.turned else dice
    return words("with inputs", dice=dice, inputs=inputs) if dice and inputs else dice or inputs


def _odds_lines(odds: OddsChange | None, words: Words) -> Iterator[_Line | _Grid]:
    if odds is None:
        return
    if odds.why:
        yield _Line(words(f"no odds {odds.why}"))
    elif odds.largest is None:
        yield _Line(words("chances same", number=_integer_text(odds.combinations, words)))
    else:
        pair, largest = odds.pair, odds.largest
        both = {"old": _percent_text(largest.old, words), "new": _percent_text(largest.new, words)}
        inputs = _inputs_text(pair, largest.inputs, words)
        yield _Line(words("largest change", outcome=_outcome_text(pair, largest.outcome, words), inputs=inputs, **both))
        points = {(cell.row, cell.column): _points_text(cell.old, cell.new, words) for cell in odds.cells}
        caption = _with_inputs_text(_grid_caption(pair, largest.outcome, words), pair, odds.fixed, words)
        cells = {(cell.row, cell.column): cell.new - cell.old for cell in odds.cells}
        changed = {key: change for key, change in cells.items() if change}
        yield _odds_grid(pair, (odds.rows, odds.columns), points, changed, caption, words)


def _outcome_text(pair: RulePair, name: str, words: Words) -> str:
    """The author's name for an outcome; words for the winner of a contest."""
    if not pair.old.contest:
        return name
    return words(f"side {CONTEST_SIDES.index(name) + 1}") if name in CONTEST_SIDES else words("tie")


def _grid_caption(pair: RulePair, name: str, words: Words) -> str:
    phrase = "change of winning" if pair.old.contest and name in CONTEST_SIDES else "change of chance"
    return words(phrase, outcome=_outcome_text(pair, name, words))


def _odds_grid(
    pair: RulePair, heads: Sequence[str], cells: Mapping[tuple[str, str], str],
    changed: Mapping[tuple[str, str], object], caption: str, words: Words,
) -> _Grid:  # fmt: skip
    """A table of the first rows and columns that contain a change."""
    changed_rows, changed_columns = ({key[axis] for key in changed} for axis in range(2))
    rows = [row for row in dict.fromkeys(row for row, _ in cells) if row in changed_rows][:_MOST_ROWS]
    columns = [column for column in dict.fromkeys(column for _, column in cells) if column in changed_columns][
        :_MOST_COLUMNS
    ]
    both = zip(heads, (rows, columns), strict=True)
    down, across = ([_value_text(pair.old, head, key, words) for key in keys] for head, keys in both)
    body = [[head, *(cells.get((row, column), "") for column in columns)] for head, row in zip(down, rows, strict=True)]
    return _make_grid([word for word in heads if word], across, body, caption)


_HEADING_WAYS = ("renamed", "both", "moved", "added", "removed", "rewritten")
_HIDDEN_WAYS = ("moved", "rewritten")
_MOST_HEADINGS = 12  # of one way, unless all are requested


def _heading_sections(diff: EditionDiff, words: Words, moves: bool) -> Iterator[_Section]:
    lines = tuple(_heading_lines(diff, words, moves))
    if lines:
        yield _Section(words("headings"), lines)
    if diff.stale_links:
        yield _Section(words("links to mend"), tuple(_link_lines(diff.stale_links, words)))


def _heading_lines(diff: EditionDiff, words: Words, moves: bool) -> Iterator[_Line]:
    """Headings that only moved, or only have new text below, are counted unless requested."""
    needed = {link.old for link in diff.stale_links}
    for way in _HEADING_WAYS:
        every = [heading for heading in diff.headings if heading.way == way]
        listed = (
            every
            if moves or way not in _HIDDEN_WAYS
            else [heading for heading in every if (diff.new.from_root(heading.old[0]), heading.old[1]) in needed]
        )
        most = len(listed) if moves else _MOST_HEADINGS
        yield from (_Line(_heading_text(heading, words)) for heading in listed[:most])
        if len(listed) > most:
            yield _Line(words("and more", number=len(listed) - most), 1, quiet=True)
        if hidden := len(every) - len(listed):
            yield _Line(words(f"hidden {way}", number=hidden), quiet=True)


def _heading_text(change: HeadingChange, words: Words) -> str:
    old, new = ("#".join(filter(None, target)) for target in (change.old, change.new))
    return words(f"heading {change.way}", old_text=change.old_text, new_text=change.new_text, old=old, new=new)


def _link_lines(stale: Sequence[StaleLink], words: Words) -> Iterator[_Line]:
    for link in stale:
        line, column = link.span.source.position(link.span.start)
        target = "#".join(filter(None, link.new))
        yield _Line(f"{link.span.source.path}:{line}:{column}: " + words("became", old=link.span.text, new=target))


def change_sections(diff: EditionDiff, words: Words, moves: bool = False, links: bool = True) -> list[_Section]:
    """All sections of a diff: games, rolls and odds, examples, headings, links to update, problems."""
    every = [*_game_sections(diff, words, moves), *_play_sections(diff, words)]
    every += [
        section for section in _heading_sections(diff, words, moves) if links or section.title != words("links to mend")
    ]
    if diff.game_problems:
        every.append(_Section(words("not compared"), tuple(_problem_lines(diff))))
    return every


def _problem_lines(diff: EditionDiff) -> list[_Line]:
    places = (
        f"{problem.span.source.path}:{problem.span.source.position(problem.span.start)[0]}: {problem.message}"
        for problem in diff.game_problems
    )
    return [_Line(text) for text in dict.fromkeys(places)]
