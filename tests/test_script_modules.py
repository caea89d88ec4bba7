"""The script of a book contains only the modules that its games need."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulewright
from browser import chromium
from built_site import SETTINGS, build
from conformance_files import FOLDER, cases, game_of
from conformance_files import files as conformance_files
from games import GAMES, load_shipped_game
from js_engine import NODE
from rulewright.game.model import Game, Rule
from rulewright.play.validate import load_game
from rulewright.render.game_json import game_data
from rulewright.render.scripts import (
    ALL_OPTIONAL_MODULES,
    DICE,
    MODULE_ORDER,
    OPTIONAL_MODULES,
    ROLLER,
    DiceScripts,
    ModuleNames,
    bundle_modules,
    minify_script,
    needed_modules,
    order_modules,
    read_module,
    words_json,
)
from rulewright.render.strings import read_words

PARTS = Path(__file__).parent / "js" / "parts.mjs"
GALLERY = Path(rulewright.__file__).parent / "gallery"
EXPORTS = re.compile(r"^export (?:const|function|class) (\w+)", re.MULTILINE)
DOORS = {"load", "speak", "check", "roll", "odds", "gather", "explain"}


@cache
def gallery_game(name: str) -> Game:
    found, problems = load_game(GALLERY / name / "game.toml")
    assert found, problems
    return found


SHOWN = [*GAMES, *sorted(folder.name for folder in GALLERY.iterdir() if folder.is_dir())]


def shown_game(name: str) -> Game:
    return load_shipped_game(name) if name in GAMES else gallery_game(name)


def names_in(modules: Iterable[str]) -> set[str]:
    return {name for module in modules for name in EXPORTS.findall(read_module(module))}


def left_out(start: str, parts: ModuleNames) -> list[str]:
    """The names that only stand in modules which are left out."""
    return sorted(names_in(order_modules(start)) - names_in(order_modules(start, parts)))


def weight(parts: ModuleNames) -> int:
    return len(gzip.compress(minify_script(bundle_modules(ROLLER, parts)).encode(), 9))


def question(name: str, own: Game, asked: dict[str, Any]) -> str:
    """The engine of a game as a script that can be used from outside, with what to ask it."""
    parts = needed_modules([own])
    doors = sorted(DOORS & names_in(order_modules("engine", parts)))
    script = (
        bundle_modules("engine", parts).removesuffix("}\n") + f"globalThis.engine = {{ {', '.join(doors)} }};\n}}\n"
    )
    asked["cases"] = [one for one in asked["cases"] if can_be(own.rules[one["rule"]], one)]
    return json.dumps(
        {"name": name, "script": minify_script(script), "left": left_out("engine", parts), "cases": asked}
    )


def can_be(rule: Rule, asked: dict[str, Any]) -> bool:
    """A page refuses links that tell of points or rerolls where a rule knows none."""
    return bool((rule.spends or not asked.get("spends")) and (rule.rerolls or not asked.get("rerolled")))


def questions() -> Iterator[str]:
    """All games with cases, and those of the gallery. What changes rules as it goes needs what no rule says."""
    for name in conformance_files():
        if name != "formulas":
            asked = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
            yield question(name, game_of(name)[0], asked)
    for name in SHOWN:
        if name not in GAMES:
            own = gallery_game(name)
            yield question(name, own, {"game": game_data(own), "cases": list(cases(own, 10))})


@pytest.mark.long
def test_nothing_reaches_for_what_a_game_does_not_need() -> None:
    asked = list(questions())
    command = [str(NODE), str(PARTS)]
    ran = subprocess.run(command, input="\n".join(asked), capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert answers == [[]] * len(asked)


def test_every_module_of_the_list_is_left_out_somewhere() -> None:
    parts = [needed_modules([shown_game(name)]) for name in SHOWN]
    assert all(any(name not in some for some in parts) for name in OPTIONAL_MODULES if name != "odds")
    assert set().union(*parts) == ALL_OPTIONAL_MODULES
    assert "odds" not in needed_modules([])


@pytest.mark.parametrize("name", SHOWN)
def test_a_script_is_smaller_by_what_is_left_out(name: str) -> None:
    parts = needed_modules([shown_game(name)])
    left = ", ".join(sorted(ALL_OPTIONAL_MODULES - parts))
    print(f"{name}: {weight(parts)} of {weight(ALL_OPTIONAL_MODULES)} bytes without {left}")
    assert ALL_OPTIONAL_MODULES - parts
    assert weight(parts) < weight(ALL_OPTIONAL_MODULES) - 500
    assert len(words_json(read_words("en"), "", parts)) <= len(words_json(read_words("en"), ""))


def test_every_module_of_the_roller_has_its_place() -> None:
    assert sorted(MODULE_ORDER) == sorted(order_modules(ROLLER)[:-1])


def test_a_book_with_everything_gets_everything() -> None:
    games = [shown_game(name) for name in SHOWN]
    assert needed_modules(games) == ALL_OPTIONAL_MODULES
    assert bundle_modules(ROLLER, needed_modules(games)) == bundle_modules(ROLLER)
    assert bundle_modules(DICE, needed_modules([])) == bundle_modules(DICE)
    files = [file.name for file in (GALLERY.parent / "web").glob("*/*.js")]
    assert {f"{name}.js" for name in OPTIONAL_MODULES} <= set(files)
    assert len(files) == len(set(files))


# Rolls every rule of a page, types its dice, takes every choice, copies it, and follows what was copied.
WALK = """async () => {
  const copied = [], rolls = [];
  Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void copied.push(text) } });
  const moved = () => new Promise((done) => addEventListener("hashchange", () => setTimeout(done), { once: true }));
  for (const roller of document.querySelectorAll("rule-roller")) {
    const all = (name) => [...roller.querySelectorAll(name)], typing = () => all(".rw-asking form")[0];
    const go = async (fragment) => (location.hash !== fragment && ((location.hash = fragment), await moved()));
    const answer = (time) => {
      if (!typing()) return all(".rw-asking .rw-choices .rw-button").at(time % 2 ? 0 : -1)?.click();
      const { labels, sides } = roller.roll.question;
      typing().querySelector("input").value = labels[0] ?? 1 + (time % sides);
      typing().requestSubmit();
    };
    const finish = (button) => {
      button?.click();
      for (let time = 0; time < 40 && !roller.roll.over; time++) answer(time);
      rolls.push(!!roller.roll.over);
    };
    all(".rw-go")[0].click();
    for (const box of all("input[type=number]")) {
      box.value ||= Math.max(1, box.min);
      box.dispatchEvent(new Event("change", { bubbles: true }));
    }
    for (const box of all(".rw-field input[type=text]")) {
      box.value = box.placeholder;
      box.dispatchEvent(new Event("change", { bubbles: true }));
    }
    for (const button of all("form > .rw-buttons button")) for (let time = 0; time < 3; time++) finish(button);
    for (const name of [".rw-points button", "[data-asked]"])
      for (const [at] of all(name).entries()) finish(all(name)[at]);
    for (const button of all(".rw-came .rw-buttons button")) button.click();
    await new Promise((done) => setTimeout(done));
    const fragment = new URL(copied.at(-1)).hash;
    await go(fragment);
    await go(`${fragment}&spends=nothing`);
    await go(fragment.replaceAll(/rerolled=[^&]*/g, "rerolled=2+->+3"));
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
    assert "roller.js" in site.text("index.html")
    script = site.text("assets/roller.js")
    assert ["function winner(" in script, "class Rerolls" in script] == [True, False]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.mark.parametrize("name", [pytest.param(SHOWN[0], marks=pytest.mark.smoke), *SHOWN[1:]])
def test_a_page_rolls_with_the_modules_that_its_game_needs(browser: Any, tmp_path: Path, name: str) -> None:
    own = shown_game(name)
    rolling = DiceScripts({own.folder: own}, read_words("en"))
    cards = "".join(
        f'<rule-roller class="rw-card" data-kind="roller" data-game="{own.folder}" data-rule="{rule}"></rule-roller>'
        for rule in own.rules
    )
    page = rolling.add_scripts(f"<!doctype html><title>Dice</title><article>{cards}</article>", None, "{}.js".format)
    for script, text in rolling.script_files().items():
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
