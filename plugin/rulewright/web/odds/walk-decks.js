// Cards of a walk: what is left of a deck, and cards that are told apart by when they were drawn. As odds/walk_decks.py.
/** @import {DieFace, Member, Pool, Rule, Values} from "../engine/parts.d.ts" */
import { namesIn } from "../engine/formula.js";
import { sum } from "../engine/messages.js";
import { NotExactError } from "./budget.js";
import { asTruth, joinTests, leafOf, substitute } from "./fold.js";
import { Unroller, earningOf } from "./unroll.js";
import { COUNTS, ORDERED, SORTED, completeWords, orderFaces } from "./walk-pools.js";

const MOST_DRAWS = 60; // one after the other
const MOST_SINGLE = 80; // cards that are told apart one by one, times the faces they may show

/** How often dice of a kind may be earned one after the other: once, but from a deck by each of its own cards. @param {Rule} rule @param {number} kind @param {Values} known */
export function countDraws(rule, kind, known) {
  const entries = earningOf(rule, kind).get(kind) ?? [], { deck } = rule.dice[kind], constants = Object.fromEntries(Object.entries(known).map(([name, value]) => [name, leafOf(value)]));
  const unroller = new Unroller(rule, constants, new Map(), new Map(), true);
  let draws = 0;
  for (const [place, { tree }] of entries.length ? deck.entries() : []) {
    const face = Object.fromEntries(Object.entries(rule.wordsOn(kind, place)).map(([name, value]) => [name, leafOf(value)])), words = completeWords(unroller, kind, face, deck.length);
    if (joinTests("or", entries.map(({ when }) => asTruth(unroller.formula(when.tree, words, {})))) === 0) continue;
    const copies = substitute(tree, known, rule.game);
    if (typeof copies !== "number") throw new NotExactError();
    draws += copies;
  }
  if (draws > MOST_DRAWS) throw new NotExactError();
  return Math.max(draws, 1);
}
/** How many cards a deck has, if formulas ask for its `sides`; else it does not matter, and states share formulas. @param {Pool} pool @param {Unroller} probe */
export function askedSize({ kind, faces, drawn, isDeck }, probe) {
  const trees = [...(probe.asked.get(kind)?.values() ?? []), ...Object.values(probe.rule.dice[kind].tests).map(({ tree }) => tree)];
  return isDeck && trees.some((tree) => namesIn(tree).has("sides")) ? sum(faces.map(({ weight }) => weight)) + drawn : 0;
}
/** The cards that are left of a deck, as formulas tell them apart, and how many have been drawn. @param {DieFace[]} faces @param {Member[]} members @param {Values} known @param {Rule} rule @returns {[DieFace[], number]} */
export function takeDrawn(faces, members, known, rule) {
  if (!members.length) return [faces, 0];
  /** @type {Map<string, DieFace>} */
  const left = new Map();
  const drawn = members.map(({ count, face, weight }) => {
    const number = substitute(count, known, rule.game), key = JSON.stringify(face);
    if (typeof number !== "number" || !face) throw new NotExactError();
    left.set(key, { words: face, weight: (left.get(key)?.weight ?? weight) - number });
    return number;
  });
  return [[...left.values()], sum(drawn)];
}
/** Blocks of cards in the order drawn, so that the first ones are whole blocks; else each card is one. @param {Pool} pool @param {number | null} first */
function divideCards({ dice, faces, blocks }, first) {
  const ends = new Set([...blocks.map((_, number) => sum(blocks.slice(0, number + 1))), dice]);
  if (first !== null && first > 0 && first < dice && !ends.has(first)) {
    const starts = [...new Set([0, first, ...ends])].sort((a, b) => a - b);
    return starts.slice(1).map((end, place) => end - starts[place]);
  }
  if (blocks.length === dice || dice * faces.length > MOST_SINGLE) throw new NotExactError();
  return Array(dice).fill(1);
}
/** A pool in a form that knows more of the order of its dice, of cards which are the first ones. @param {Pool} pool @param {Pool} before @param {number | null} first @returns {Pool} */
export function tellApart(pool, before, first) {
  if (pool.isDeck) return { ...pool, blocks: divideCards(pool, first) };
  if (pool.form === ORDERED) throw new NotExactError();
  return { ...pool, form: pool.form === SORTED ? COUNTS : ORDERED, faces: orderFaces(before.faces) };
}
