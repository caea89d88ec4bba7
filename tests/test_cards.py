"""Cards: what readers get to see in the place of each kind of block."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

import card_book
from call_counts import count_calls
from js_engine import NODE
from rulewright.checks.model import CheckedBlock
from rulewright.odds.distribution import Chance
from rulewright.render.cards.card import render_card
from rulewright.render.cards.chips import list_chips
from rulewright.render.cards.dice import BADGES, CARD, STROKES, SUITS, draw_die
from rulewright.render.cards.outcome_odds import OutcomeOdds, build_outcome_odds, whole_percents
from rulewright.render.strings import languages, read_words

Golden = Callable[[str, str], None]
ENGLISH, GERMAN = read_words("en"), read_words("de")
FENCE = "```"
ROOT = Path(__file__).parent.parent


def in_lines(html: str) -> str:
    """Each picture on a line of its own, so that a difference can be read."""
    return html.replace("<svg", "\n<svg").replace("</svg>", "</svg>\n")


def block(name: str) -> CheckedBlock:
    return next(one for one in card_book.blocks() if one.block.id == name)


def shown(text: str, kind: str = "example") -> str:
    return render_card(card_book.of_text(f"# Page\n\n{FENCE}{kind}\n{text}\n{FENCE}\n"), ENGLISH)


def words_of(html: str) -> str:
    """What stands on a card, without its pictures."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"<svg.*?</svg>", " ", html, flags=re.DOTALL)).split())


def test_the_page_has_nothing_wrong_and_every_kind() -> None:
    assert [problem.message for page in card_book.compiled().pages for problem in page.problems] == []
    kinds = {one.block.kind for one in card_book.blocks()}
    assert kinds == {"example", "odds", "claim", "rule", "roller", "table", "sheet", "order"}


@pytest.mark.parametrize("name", card_book.names())
def test_each_card(name: str, golden: Golden) -> None:
    golden(f"cards/{name}.html", in_lines(render_card(block(name), ENGLISH)))


def test_in_german(golden: Golden) -> None:
    cards = [words_of(render_card(one, GERMAN)) for one in card_book.blocks()]
    golden("cards/german.txt", "\n\n".join(filter(None, cards)) + "\n")


@pytest.mark.parametrize("language", languages())
def test_no_line_ends_before_a_percent_sign(language: str) -> None:
    """A blank there is one that does not break; the roller says it by the same catalogue."""
    cards = "".join(render_card(one, read_words(language)) for one in card_book.blocks())
    assert re.search(r"\d\W?%", cards)
    assert not re.search(r"\d[ \t\n\u2009]%", cards)


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("rule", "rule: prob", "Rule rule prob"),
        ("roller", "rule: prob\ntitle: Roll this", "Roll Roll this rule prob"),
        ("table", "game: fate\nname: prob", "Table game fate name prob"),
        ("example", "rule: prob\ndice: 3", "Example dice 3"),
        ("odds", "rule: prob\nskip: later", "Odds Not checked: later rule prob"),
        ("table", "skip: later", "Table Not checked: later"),
        ("table", "id: nothing", ""),
        ("table", "", ""),
    ],
)
def test_no_card_is_empty(kind: str, text: str, told: str) -> None:
    """What cannot be worked out is shown as it is written; of what says nothing there is no card."""
    assert words_of(shown(text, kind)) == told


def odds_of(text: str, game: str) -> str:
    return words_of(shown(f"game: {game}\n{text}", "odds"))


def test_hardly_ever_is_one_row_at_the_end_of_an_endless_table() -> None:
    """A fumble is 1 in 6, and beyond the last row all that is left together."""
    found = odds_of("rule: check\ncode: 3D\nshow: distribution of total\nas: bars", "wild-die")
    rows = re.findall(r"(\d+(?: or more)?) (<?[\d.]+%)", found)
    assert rows[0] == ("3", "0.5%")
    assert rows[-2:] == [("29", "0.1%"), ("30 or more", "0.2%")]
    assert abs(sum(float(share[:-1]) for _, share in rows) - 100) < 1


FALLING = """
title = "Falling"
[rules.roll.dice]
red = { sides = 6, again = { when = "face = 6", roll = "explode" } }
blue = { sides = 4, again = { when = "face = 4", roll = "explode" } }
[rules.roll.steps]
falls = "10 - sum(red)"
both = "sum(red) - sum(blue)"
"""


@pytest.mark.parametrize(("step", "last"), [("falls", "9 16.7% less <0.1%"), ("both", "others <0.1%")])
def test_what_is_not_listed_lies_above_or_below(step: str, last: str) -> None:
    """A table with open ends below says nothing of "or more"."""
    text = f"# Page\n\n{FENCE}game{FALLING}{FENCE}\n\n{FENCE}odds\nshow: distribution of {step}\n{FENCE}\n"
    checked = card_book.of_text(text, 1)
    assert unescape(words_of(render_card(checked, ENGLISH))).endswith(last)


def test_outcomes_may_be_called_like_what_is_not_listed() -> None:
    steps = '[rules.roll.steps]\nsum_up = "sum(red)"\n[rules.roll.dice]\nred = { sides = 6 }\n'
    outcomes = '[rules.roll.outcomes]\nbelow = { when = "sum_up < 3" }\naround = { when = "sum_up < 5" }\nbeyond = {}\n'
    text = f'# Page\n\n{FENCE}game\ntitle = "T"\n{steps}{outcomes}{FENCE}\n\n{FENCE}odds\ncolumns: outcomes\n{FENCE}\n'
    found = words_of(render_card(card_book.of_text(text, 1), ENGLISH))
    assert found.endswith("below around beyond 33.3% 33.3% 33.3%"), found


def test_a_contest_says_whose_chance_and_whose_inputs() -> None:
    found = odds_of("rule: contest\nrows: first.die\ncolumns: second.die d6 d8\nshow: chance of first", "step-dice")
    assert "chance of a win for the first side by die of the first side (down) and die of the second side" in found
    assert "Die of the first side d6 d8 d4" in found


def test_never_and_always_are_no_rounded_numbers() -> None:
    text = "game: step-dice\nshow: card\nrule: check\ndie: d12\nchance(failure; bonus 2) = 0"
    found = words_of(shown(text, "claim"))
    assert found.endswith("chance(failure; bonus 2) = 0 exactly 0 = 0.0%")


def test_an_order_without_a_title_begins_with_a_capital() -> None:
    found = words_of(shown("game: fate\nby: exchange\nside A: quick 2\nside B: quick 1\nresult: A, B", "order"))
    assert found.startswith("Order Exchange A"), found


class Reader(HTMLParser):
    """What tags a card has, and what could run or be refused by a strict policy."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.strange: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("path", "circle", "rect"):
            self.open.append(tag)
        self.strange += [name for name, _ in attrs if name == "style" or name.startswith("on")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", languages())
def test_every_card_is_sound_html_without_styles_and_scripts(language: str) -> None:
    for one in card_book.blocks():
        reader = Reader(render_card(one, read_words(language)))
        assert not reader.open
        assert not reader.strange
        assert not {"script", "style", "iframe", "link"} & set(reader.tags)


HOSTILE = '"><script>alert(1)</script><b onclick=x>'


@pytest.mark.parametrize(
    "text",
    [
        f"game: maelstrom\npool: 1\ntitle: {HOSTILE}\ndice: 7\ndegree: 1",
        f"game: maelstrom\npool: 1\nwrong: {HOSTILE}\ndice: 7\ndegree: 2",
        f"game: maelstrom\npool: 1\nskip: {HOSTILE}\ndice: 7\ndegree: 2",
        f"game: maelstrom\npool: {HOSTILE}\ndice: {HOSTILE}\noutcome: {HOSTILE}",
        f"game: {HOSTILE}\nrule: {HOSTILE}",
        f"game: ingenuity\nrule: contest\nside A: attribute d6, dice 5\nside {HOSTILE}: attribute d6, dice 2",
    ],
)
def test_what_authors_write_stays_text(text: str) -> None:
    reader = Reader(shown(text))
    assert "script" not in reader.tags
    assert not reader.strange


@pytest.mark.parametrize("role", [*BADGES, *STROKES])
def test_every_role_has_a_mark_beside_its_colour(role: str) -> None:
    plain = draw_die(ENGLISH, "7", 10, ())
    marked = draw_die(ENGLISH, "7", 10, (role,))
    drawing = re.findall(r' d="([^"]*)"', marked)
    assert len(drawing) == len(re.findall(r' d="([^"]*)"', plain)) + 1
    others = [draw_die(ENGLISH, "7", 10, (other,)) for other in (*BADGES, *STROKES) if other != role]
    assert all(drawing != re.findall(r' d="([^"]*)"', other) for other in others)


@pytest.mark.parametrize(
    ("face", "sides", "roles", "said"),
    [
        ("10", 10, ("good", "earned"), "10 on a d10: counts, earned"),
        ("3", 6, (), "3 on a d6"),
        ("-", 0, (), "−"),
        ('<"&>', 0, ("bad",), "&lt;&#34;, &gt;: counts against you"),
        ("12&hearts", CARD, (), "12 of hearts"),
        ("joker", CARD, (), "joker"),
        ("s&triumph", 0, (), "s, triumph"),
    ],
)
def test_dice_say_what_they_show(face: str, sides: int, roles: tuple[str, ...], said: str) -> None:
    assert f"<title>{said}</title>" in draw_die(ENGLISH, face, sides, roles)


def test_a_suit_is_a_sign_and_a_long_word_has_room() -> None:
    queen, joker, short = (draw_die(ENGLISH, face, CARD, ()) for face in ("12&hearts", "joker", "J"))
    assert SUITS["hearts"] in queen
    assert re.findall(r"<text[^>]*>(.*?)</text>", queen) == ["12"]
    assert 'viewBox="0 0 48 48"' in queen
    assert 'viewBox="0 0 48 48"' in short
    assert 'viewBox="0 0 66 48"' in joker
    assert "rw-wide" in joker
    assert all(float(size) >= 11 for size in re.findall(r'font-size="([\d.]+)"', queen + joker + short))


@pytest.mark.parametrize(("sides", "pips"), [(6, 5), (10, 0)])
def test_only_six_sided_dice_have_pips(sides: int, pips: int) -> None:
    drawn = draw_die(ENGLISH, "5", sides, ())
    assert drawn.count('r="4"') == pips
    assert ("<text" in drawn) == (not pips)


def test_dice_differ_by_their_sides() -> None:
    outlines = {re.findall(r' d="([^"]*)"', draw_die(ENGLISH, "1", sides, ()))[-1] for sides in (4, 8, 10, 12, 20, 100)}
    assert len(outlines) == 6


def test_told_results_have_no_dice_and_what_is_not_known_is_not_said() -> None:
    html = shown("game: maelstrom\ndifficulty: 7\nthreshold: 1\ngiven: successes 2, botches 3\noutcome: botch")
    assert "rw-die" not in html
    assert "successes 2, botches 3" in words_of(html)
    assert "rw-odds" not in html  # nobody knows how many dice there were


def test_a_wrong_example_says_why_and_what_the_rules_give() -> None:
    text = words_of(
        shown("game: maelstrom\npool: 2\nwrong: nine is no success\ndice: 9 9\noutcome: failure\ndegree: 1")
    )
    assert "Wrong on purpose: nine is no success" in text
    assert "Written here: outcome failure. The rules give success." in text
    assert "Written here: degree 1. The rules give 2." in text


@pytest.mark.parametrize(("show", "seen"), [("no", ""), ("line", "rw-oneline")])
def test_show(show: str, seen: str) -> None:
    html = shown(f"game: maelstrom\npool: 1\nshow: {show}\ndice: 7\ndegree: 1")
    assert seen in html
    assert bool(html) == bool(seen)


def test_nobody_sees_a_claim_that_does_not_ask_for_it() -> None:
    text = "game: maelstrom\nchance(success; pool 5) > 1/2"
    assert shown(text, "claim") == ""
    assert "chance(success" in shown(f"{text}\nshow: card", "claim")


@pytest.mark.parametrize(
    ("inputs", "rule", "chips"),
    [
        (
            {"pool": "1", "difficulty": "6", "specialty": "yes"},
            "maelstrom/action",
            "1 die|difficulty 6|using a specialty",
        ),
        ({"pool": "5", "specialty": "no"}, "maelstrom/action", "5 dice"),
        ({"attribute": "d8", "skill": "none", "luck": "no"}, "ingenuity/test", "d8 attribute"),
        ({"code": "4D+1", "difficulty": "Moderate"}, "wild-die/check", "4D+1|difficulty Moderate (11)"),
        ({"die": "d6", "bonus": "-2"}, "step-dice/check", "d6|bonus −2"),
        ({"first.die": "d6", "second.die": "d8", "second.bonus": "1"}, "step-dice/contest", "A: d6|B: d8|bonus 1"),
    ],
)
def test_chips_are_what_a_player_says(inputs: dict[str, str], rule: str, chips: str) -> None:
    folder, _, name = rule.partition("/")
    found = card_book.compiled().all_games[folder].rules[name]
    assert "|".join(chip.text for chip in list_chips(found, inputs, ENGLISH, ["A", "B"])) == chips


def test_chips_name_the_kind_where_there_are_several() -> None:
    kinds = '[rules.roll.dice]\nblue = { count = "many", sides = 6 }\nred = { sides = 6 }'
    inputs = "[rules.roll.inputs]\nmany = { min = 1, max = 9 }"
    text = f'# Page\n\n{FENCE}game\ntitle = "T"\n{inputs}\n{kinds}\n{FENCE}\n\n{FENCE}roller\nmany: 3\n{FENCE}\n'
    assert "3 blue dice" in render_card(card_book.of_text(text, 1), ENGLISH)


def odds(*shares: Fraction, here: str = "") -> OutcomeOdds:
    chances = {f"o{number}": Chance(share, share) for number, share in enumerate(shares)}
    built = build_outcome_odds(chances, ENGLISH, here)
    assert built
    return built


def test_the_bar_has_whole_percents_and_its_label_a_decimal() -> None:
    found = odds(Fraction(844, 1000), Fraction(103, 1000), Fraction(53, 1000), here="o1")
    assert found.text == "<b>o1 10</b> · o0 85 · o2 5", "the roll first, and the sum is 100"
    assert found.label == "O0 84.4%, o1 10.3%, o2 5.3%"
    assert [outcome.text for outcome in found.outcomes] == ["84.4%", "10.3%", "5.3%"]
    assert found.stack.count("rw-here") == 1


def test_no_percent_is_rounded_to_never_or_always() -> None:
    assert odds(Fraction(1, 300), Fraction(299, 300)).text == "o0 &lt;1 · o1 &gt;99"
    assert odds(Fraction(0), Fraction(1)).text == "o1 100"


SHARES = [
    (1, 1, 1),
    (844, 104, 52),
    (0, 7, 1),
    (1, 0),
    (1, 299),
    (3, 999),
    (7, 7, 993),
    (125, 375, 500),
    (5, 5, 10, 980),
    (10**12 - 1, 1),
]


def test_whole_percents_sum_to_100_as_in_the_browser() -> None:
    given = [[Fraction(part, sum(parts)) for part in parts] for parts in SHARES]
    here = [whole_percents([Chance(share, share) for share in shares]) for shares in given]
    assert here[:4] == [["34", "33", "33"], ["85", "10", "5"], ["", "88", "12"], ["100", ""]]
    assert here[-1] == [">99", "<1"]
    plain = [texts for texts in here if not {"<1", ">99"} & {*texts}]
    assert {sum(int(text or 0) for text in texts) for texts in plain} == {100}
    module = (ROOT / "plugin/rulewright/web/roller/outcome-odds.js").as_uri()
    shares = [[float(share) for share in shares] for shares in given]
    told = f"console.log(JSON.stringify({shares}.map((one) => wholePercents(one))))"
    script = f'import {{ wholePercents }} from "{module}"; {told}'
    said = subprocess.run([NODE, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(said.stdout) == here


def test_of_many_outcomes_the_likeliest_are_named() -> None:
    assert odds(Fraction(1, 10), Fraction(2, 10), Fraction(3, 10), Fraction(4, 10)).text == "o1 20 · o2 30 · o3 40 · …"
    assert odds(*(Fraction(each, 10) for each in (1, 2, 3, 4)), here="o0").text == "<b>o0 10</b> · o2 30 · o3 40 · …"
    assert build_outcome_odds({"only": Chance(Fraction(1), Fraction(1))}, ENGLISH) is None


def test_cards_are_quick() -> None:
    """Odds aside, which are remembered from the first round: about 2,100 calls for a card when this was written."""
    found = card_book.blocks()

    def draw() -> None:
        for one in found:
            render_card(one, ENGLISH)

    draw()
    assert count_calls(draw) / len(found) < 2500


def test_a_second_throw_that_is_worse_stands_behind_the_first() -> None:
    """An arrow leads from what fell first to what fell then, whichever of the two counts."""
    roll = "game: ingenuity\nrule: test\nattribute: d8\nskill: d6\ndifficulty: Moderate\nadvantage: 1\ndice: 4 2 3\n"
    worse = shown(f"{roll}rerolled: skill 2 -> 1\ntotal: 6")
    better = shown(f"{roll}rerolled: skill 2 -> 5\ntotal: 9")
    for html, faces in (
        (worse, "2 on a d6, 1 on a d6: does not count"),
        (better, "2 on a d6: does not count, 5 on a d6"),
    ):
        assert faces in ", ".join(re.findall(r"<title>(.*?)</title>", html))
        assert html.count('class="rw-sign">→') == 1


def test_an_example_on_one_line_keeps_its_title() -> None:
    html = shown("game: maelstrom\ntitle: A lucky jump\nshow: line\npool: 2\ndice: 7 8\ndegree: 2")
    assert "rw-oneline" in html
    assert words_of(html).startswith("A lucky jump 2 dice")


def test_dice_are_called_by_the_labels_of_their_faces() -> None:
    """A sign stays a sign; a word that only formulas know does not."""
    faces = '{ "+" = { is = 1, label = "plus" }, "hit_2" = { is = 2, label = "two" } }'
    game = f'title = "T"\n[rules.roll.dice]\nd = {{ count = 2, faces = {faces} }}\n[rules.roll.steps]\ntotal = "sum(d)"'
    blocks = (f"game\n{game}", "example\ndice: + hit_2\ntotal: 3")
    text = "# Page\n\n" + "".join(f"```{block}\n```\n\n" for block in blocks)
    html = render_card(card_book.of_text(text, 1), ENGLISH)
    assert re.findall(r"<title>(.*?)</title>", html) == ["plus", "two"]
    assert re.findall(r'class="rw-number"[^>]*>(.*?)</text>', html) == ["+", "two"]


def test_a_story_rolls_the_rule_that_it_begins_with() -> None:
    story = """game: maelstrom
rule: willpower
current: 4
difficulty: 7
given: successes 1, botches 3
left: 2

then:
rule: action
pool: 2
dice: 7 8
outcome: success"""
    assert 'data-rule="willpower"' in shown(story)
