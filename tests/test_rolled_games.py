"""Every rule of the games that we show rolls in a page, with its own data only."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulewright
from built_site import SETTINGS, build
from games import GAMES, load_shipped_game
from rulewright.game.model import Game
from rulewright.play.validate import load_game
from rulewright.render.scripts import DiceScripts, PageRolls
from rulewright.render.strings import read_words

GALLERY = Path(rulewright.__file__).parent / "gallery"
SHOWN = [*GAMES, *sorted(folder.name for folder in GALLERY.iterdir() if folder.is_dir())]


@cache
def gallery_game(name: str) -> Game:
    found, problems = load_game(GALLERY / name / "game.toml")
    assert found, problems
    return found


def shown_game(name: str) -> Game:
    return load_shipped_game(name) if name in GAMES else gallery_game(name)


# Rolls every rule of a page, types its dice, takes every choice, copies it, and follows what was copied.
WALK = """async () => {
  const copied = [], rolls = [];
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void copied.push(text) } });
  const wait = () => new Promise((done) => setTimeout(done));
  for (const host of document.querySelectorAll("rule-card")) {
    const card = (await host.open(), host.card), all = (name) => [...host.querySelectorAll(name)];
    const typing = () => all(".rw-asking form")[0];
    const answer = (time) => {
      if (!typing()) return all(".rw-asking .rw-choices .rw-button").at(time % 2 ? 0 : -1)?.click();
      const { labels, sides } = card.roll.question;
      typing().querySelector("input").value = labels[0] ?? 1 + (time % sides);
      typing().requestSubmit();
    };
    const finish = (button) => {
      button?.click();
      for (let time = 0; time < 40 && !card.roll.over; time++) answer(time);
      rolls.push(!!card.roll.over);
    };
    all(".rw-roll")[0].click();
    for (const chip of all(".rw-chip > [aria-expanded]")) {
      if (chip.getAttribute("aria-expanded") === "false") chip.click();
      for (const box of all(".rw-open :is(input[type=number], input[type=text])")) {
        box.value ||= box.placeholder && box.type === "text" ? box.placeholder : Math.max(1, box.min);
        box.dispatchEvent(new Event("change", { bubbles: true }));
      }
    }
    const typed = () => all(".rw-menu-buttons > .rw-buttons > button")[0];
    for (let time = 0; time < 3; time++) finish(all(".rw-roll")[0]);
    if (card.rule.dice.length || card.rule.contest) for (let time = 0; time < 3; time++) finish(typed());
    for (const name of [".rw-points button", "[data-asked]"])
      for (const [at] of all(name).entries()) finish(all(name)[at]);
    for (const name of ["Copy link", "Copy as example"]) {
      const find = () => all("button").find((one) => one.textContent === name);
      for (let time = 0; time < 500 && !find(); time++) await wait(); // it comes with the odds
      find().click();
      await wait();
    }
    const fragment = new URL(copied.at(-2)).hash;
    const others = [`${fragment}&spends=nothing`, fragment.replaceAll(/rerolled=[^&]*/g, "rerolled=2+->+3")];
    for (const text of [fragment, ...others]) {
      const before = card.roll;
      card.replay(new URLSearchParams(text.slice(text.indexOf("?") + 1)));
      rolls.push(text !== fragment || card.roll !== before);
    }
  }
  return [rolls.length, rolls.every(Boolean), copied.length];
}"""


GAMES_IN_PAGES = """\
def on_page_markdown(markdown, **_):
    return markdown.replace("GAME", %r)
"""
DUEL = """\
```game
title = "Duel"
[rules.blow.dice]
die = { sides = 6 }
[rules.blow.steps]
total = "sum(die)"
[rules.duel]
contest = { of = "blow", compare = "total", ties = "again" }
```
"""


def test_a_game_that_others_put_into_a_page_has_what_it_needs(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "hook.py").write_text(GAMES_IN_PAGES % DUEL, encoding="utf-8")
    pages = {"index.md": "# Duel\n\nGAME\n\n```roller\nrule: duel\n```\n"}
    site = build(tmp_path, pages, settings=f"{SETTINGS}hooks: [hook.py]\n")
    assert site.code == 0, site.said
    (name,) = re.findall(r"&quot;:&quot;(data-\w+)&quot;", site.text("index.html"))
    assert '"title":"Duel"' in site.text(f"assets/rulewright/{name}.js")


@pytest.mark.parametrize("name", [pytest.param(SHOWN[0], marks=pytest.mark.smoke), *SHOWN[1:]])
def test_every_rule_of_a_game_rolls(browser: Any, tmp_path: Path, name: str) -> None:
    own = shown_game(name)
    rolling = DiceScripts({own.folder: own}, read_words("en"))
    cards = "".join(
        f'<rule-card data-kind="roller" data-game="{own.folder}" data-rule="{rule}" data-button="Roll"></rule-card>'
        for rule in own.rules
    )
    page = f"<!doctype html><title>Dice</title><article>{cards}</article>"
    page += rolling.linked_scripts(PageRolls({own.folder: own}), "{}.js".format)
    for script, text in rolling.script_files([own]).items():
        (tmp_path / f"{script}.js").write_text(text, encoding="utf-8")
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    tab, wrong = browser.new_page(), []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto((tmp_path / "index.html").as_uri())
    rolls, whole, copied = tab.evaluate(WALK)
    tab.close()
    assert not wrong
    assert whole
    assert (rolls >= 3 * len(own.rules), copied) == (True, 2 * len(own.rules))
