"""Scripts made small for readers say the same as those that lie here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from js_engine import NODE
from rulewright.book.parser import read_page
from rulewright.compile.book import CheckedPage
from rulewright.render.scripts import DICE, LOADER, ODDS, ROLLER, DiceScripts, bundle_modules, minify_script
from rulewright.render.strings import read_words
from rulewright.source import Source

# The parser of Node's own console; places are left out, and how something is written.
COMPARE = r"""
const { parse } = require("internal/deps/acorn/acorn/dist/acorn"), { readFileSync } = require("fs");
const bare = (key, value) => (key === "start" || key === "end" ? undefined
  : typeof value === "bigint" ? `${value}n` : value instanceof RegExp ? String(value) : value);
const tree = (text) => JSON.stringify(parse(text, { ecmaVersion: "latest" }), bare);
const [one, other] = JSON.parse(readFileSync(0, "utf8")).map(tree);
process.stdout.write(String(one === other));
"""
TRICKY = r"""
const all = ["a  =  b // no comment", 'it\'s { a }', `one  ,  two /* no comment */ ${1  +  2}  three`, "\\" ];  // one
/** @type {string} */
const found = all . length > 2  ?  all [ 0 ] : "" , plain = /** @type {any} */ (found);
const pattern = /a  b[/ "'`]  \/ {2,}/gu, half = 6  /  2  /  1;
const every = [ /" , "/ , /' : '/g ].map((one) => one.test(" ( x ) "));
let a = 1  -  -1  +  +2, b = a++  +  ++a, c = a--  -  --a;
a += 1;  b  -=  -  c;
/* two
   lines */ const after = ! /  =  /.test(" = ") && ( 1 in [ 1 , 2 ] );
const twice = (x) => {
  if (x)
    return x  *  2
  else
    return
      x
}
label: for ( const one of [ 1 , 2 ] ) { if ( one ) continue label }
const object = { get a ( ) { return 1 } , async * b ( ) { yield * [ ] } , "c d" : { ...{ } } , [ `e  f` ] : 1 };
"""


def same(one: str, other: str) -> bool:
    command = [str(NODE), "--expose-internals", "-e", COMPARE]
    ran = subprocess.run(command, input=json.dumps([one, other]), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return bool(ran.stdout == "true")


@pytest.mark.parametrize("name", [ROLLER, ODDS, LOADER, DICE, "single-file"])
def test_each_script_says_the_same_when_it_is_small(name: str) -> None:
    whole = bundle_modules(name)
    small = minify_script(whole)
    assert len(small) < 0.75 * len(whole)
    assert same(whole, small)


def test_what_looks_like_something_else() -> None:
    small = minify_script(TRICKY)
    assert same(TRICKY, small)
    for gone in ("/** @type", "// one", "two\n", " ? ", "{ get", " * 2", "{\n", "\n}"):
        assert gone not in small


def test_a_difference_is_noticed() -> None:
    assert not same('say(" a")', 'say("a")')
    assert not same("return_ = /a b/", "return_ = /a  b/")


PAGES = [  # and whether the script for dice in sentences is needed
    ("Roll 2d6.", True),
    ("2d6", True),
    ("(10D%) of *them*", True),
    ("A d20 + 5, or d8−1.", True),
    ("| d12 |\n| --- |\n| word |", True),
    ("<p>Roll 2d6.</p>", True),
    ("A d20 for luck.", False),
    ("100d6, a2d6, 1.2d6, x/2d6, #2d6 and -2d6", False),
    ("ad20 + 5 and .d8-1", False),
    ("d20 + x, d12345 + 1", False),
    ("`2d6`\n\n```\n2d6\n```\n\n| 1 |\n| --- |\n| d12 |", False),
    ("And word by word, 3 days.", False),
]


def scripts_of(text: str, plain: bool = True) -> str:
    page = CheckedPage(Path("a.md"), read_page(Source("a.md", text)), None, (), ())
    scripts = DiceScripts({}, read_words("en"), plain)
    return scripts.linked_scripts(scripts.rolls_of([page]), lambda name: f"{name}.js")


@pytest.mark.parametrize(("text", "needed"), PAGES, ids=[text for text, _ in PAGES])
def test_dice_in_sentences_bring_their_script(text: str, needed: bool) -> None:
    assert (f'src="{DICE}.js"' in scripts_of(text)) is needed
    assert f'src="{ROLLER}.js"' not in scripts_of(text)
    assert not scripts_of(text, plain=False)
