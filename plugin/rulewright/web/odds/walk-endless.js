// Dice that go on: all that a die may show with all its throws, as faces of one roll. As odds/walk_endless.py, which explains it.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {DieFace} from "../engine/parts.d.ts" */
/** @import {Unroller, Words} from "./unroll.js" */
import { namesIn } from "../engine/formula.js";
import { certain, valueSet } from "../engine/intervals.js";
import { cachedIn, sum } from "../engine/messages.js";
import { NotExactError } from "./budget.js";
import { asTruth, leafOf, textOf } from "./fold.js";
import { closeValue, isOpen, makeSum, openBetween, plus } from "./open-values.js";
import { DICE, isFamily } from "./unroll.js";
import { completeWords } from "./walk-pools.js";

const MOST_THROWS = 200, MOST_CLASSES = 20;
const OF_THROWS = ["throw", "last", "first"];
/** @typedef {{adds: number[], more: number, isReplaced: boolean}} Throw */
/** @typedef {{totals: number[], last: number, first: number, left: number, weight: number}} State  a die so far */

/** The names in formulas. @param {T.Tree[]} trees */
const namesInAll = (trees) => trees.reduce((found, tree) => namesIn(tree, found), /** @type {Set<string>} */ (new Set()));
/** @param {DieFace} face @returns {Record<string, any>} */
const wordsOf = ({ words }) => Object.fromEntries(words);
/** The names that formulas use of a whole die. @param {any} own @param {Iterable<T.Tree>} asked */
export function wordsAsked(own, asked) {
  const names = namesInAll([...asked]);
  return Object.keys(own.tests).some((name) => names.has(name)) ? new Set([...names, ...namesInAll(Object.values(own.tests).map(({ tree }) => tree))]) : names;
}
export class EndlessDie {
  /** @param {Unroller} unroller @param {number} kind @param {DieFace[]} thrown @param {Map<string, {tree: T.Tree, isEarning: boolean}>} asked  of each throw, by word @param {Set<string>} words  that are asked of the whole die */
  constructor(unroller, kind, thrown, asked, words) {
    this.unroller = unroller;
    this.kind = kind;
    this.own = unroller.rule.dice[kind];
    /** @type {DieFace[]} */
    this.thrown = thrown;
    this.asked = [...asked.values()];
    this.sides = sum(thrown.map(({ weight }) => weight));
    this.entries = this.own.again.filter(({ roll }) => typeof roll === "string" || roll === kind);
    this.isFamily = isFamily(unroller.rule, kind);
    if (this.isFamily && (this.own.explodes || this.own.rerolls)) throw new NotExactError();
    /** What formulas call the totals. */
    this.names = ["face", ...asked.keys(), ...(this.isFamily ? [DICE] : [])];
    const leading = this.entries.flatMap(({ when, count, optional }) => [when.tree, count.tree, optional.tree]), tests = Object.values(this.own.tests).map(({ tree }) => tree);
    const names = namesInAll([...tests, ...leading, ...this.asked.map(({ tree }) => tree)]), shown = this.own.explodes || this.isFamily ? [] : thrown[0].words.slice(1).map(([name]) => name);
    this.tells = OF_THROWS.filter((name) => names.has(name)); // what tells throws apart
    this.words = [...OF_THROWS, ...shown].filter((name) => words.has(name));
    if (this.own.rerolls && [...this.tells, ...this.words].some((name) => OF_THROWS.includes(name))) throw new NotExactError();
    /** @type {Map<string, Throw>} */
    this.known = new Map();
    const throws = this.tells.length ? [] : thrown.map((_, place) => this.throw(place, 0, 0, 1)); // what is replaced might as well not happen
    const kept = thrown.filter((_, place) => throws[place] && (!throws[place].isReplaced || throws[place].adds.some(Boolean)));
    if (throws.length && !kept.length) throw new NotExactError();
    if (kept.length && kept.length < throws.length) {
      this.thrown = kept;
      this.known.clear();
    }
  }
  /** What a throw with this face does. @param {number} place @param {number} last @param {number} first @param {number} number @returns {Throw} */
  throw(place, last, first, number) {
    const told = /** @type {Record<string, number>} */ ({ last, first, throw: number });
    return cachedIn(this.known, [place, ...OF_THROWS.map((name) => (this.tells.includes(name) ? told[name] : 0))].join(), () => this.workOut(this.thrown[place], told));
  }
  /** @param {DieFace} face @param {Record<string, number>} told @returns {Throw} */
  workOut(face, told) {
    const shown = { ...wordsOf(face), ...(told.throw > 1 ? told : {}) }, { unroller } = this;
    const own = completeWords(unroller, this.kind, Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, leafOf(value)])), this.sides);
    const value = (/** @type {T.Tree} */ tree) => {
      const found = unroller.formula(tree, own, {});
      if (typeof found !== "number") throw new NotExactError();
      return found;
    };
    const following = this.entries.map(({ roll, when, count, optional }) => {
      const isTaken = value(asTruth(when.tree)) && ((unroller.rule.dice[this.kind].taken ?? unroller.eager) || !value(asTruth(optional.tree)));
      return { roll, amount: isTaken && this.isFamily ? Math.max(value(count.tree), 0) : +!!isTaken };
    });
    const isReplaced = following.some(({ roll, amount }) => roll === "reroll" && amount), more = sum(following.map(({ amount }) => amount));
    const adds = [isReplaced ? 0 : value(own.face), ...this.asked.map(({ tree, isEarning }) => (isReplaced && !isEarning ? 0 : value(tree))), ...(this.isFamily ? [1] : [])];
    return { adds, more: this.isFamily ? more : Math.min(more, 1), isReplaced };
  }
  /** All that a die may show, with chances; less than one part in `most` is left open. `bits` says how long numbers in Python are. @param {string} name @param {number} most @param {any} budget @returns {{faces: DieFace[], bits: number}} */
  listFaces(name, most, budget) {
    const size = sum(this.thrown.map(({ weight }) => weight)), /** @type {Map<string, DieFace>} */ faces = new Map();
    let states = new Map([["", /** @type {State} */ ({ totals: this.names.map(() => 0), last: 0, first: 0, left: 1, weight: 1 })]]), number = 0;
    while (states.size && sum([...states.values()].map(({ weight }) => weight)) * most >= 1) {
      if (number === MOST_THROWS) throw new NotExactError();
      number++;
      budget.spend(states.size * this.thrown.length);
      const after = new Map();
      for (const state of states.values()) for (let place = 0; place < this.thrown.length; place++) this.follow(state, (state.weight * this.thrown[place].weight) / size, place, number, after, faces);
      states = after;
    }
    const rest = states.size ? [{ words: this.restWords(name, [...states.values()]), weight: sum([...states.values()].map(({ weight }) => weight)) }] : [];
    return { faces: [...rest, ...faces.values()], bits: number * Math.log2(size) };
  }
  /** One throw of a die so far: what it becomes. @param {State} state @param {number} weight @param {number} place @param {number} number @param {Map<string, State>} after @param {Map<string, DieFace>} done */
  follow({ totals: before, last, first: firstFace, left: open }, weight, place, number, after, done) {
    const told = this.isFamily ? 1 : number, one = this.throw(place, last, firstFace, told), shown = wordsOf(this.thrown[place]), { face } = shown;
    const first = told > 1 ? firstFace : face, totals = before.map((total, at) => total + one.adds[at]), left = open - 1 + one.more, asks = (/** @type {string} */ own) => this.tells.includes(own) || this.words.includes(own);
    const state = left ? { totals, last: asks("last") && !this.isFamily ? face : 0, first: asks("first") ? first : 0, left, weight } : null;
    const own = /** @type {Record<string, any>} */ ({ ...shown, last, first, throw: number }), words = /** @type {[string, any][]} */ ([...this.names.map((name, at) => [name, totals[at]]), ...this.words.map((name) => [name, own[name]])]);
    const key = state ? [state.totals, state.last, state.first, left].join() : JSON.stringify(words), known = state ? after.get(key) : done.get(key);
    if (known) known.weight += weight;
    else if (state) after.set(key, state);
    else done.set(key, { words, weight });
  }
  /** What dice show that are still rolled on: what they have, and how often throws that add the same follow. @param {string} name @param {State[]} states @returns {[string, any][]} */
  restWords(name, states) {
    const size = sum(this.thrown.map(({ weight }) => weight)), isAlike = !this.tells.length;
    const throws = isAlike ? this.thrown.map(({ weight }, place) => ({ share: weight / size, one: this.throw(place, 0, 0, 1) })) : [...this.known.values()].map((one) => ({ share: 0, one }));
    const rest = sum(states.map(({ weight }) => weight)), more = sum(throws.map(({ share, one }) => share * one.more));
    const follow = more < 1 && isAlike ? sum(states.map(({ left, weight }) => left * weight)) / rest / (1 - more) : null, /** @type {Map<string, {adds: number[], share: number}>} */ classes = new Map();
    for (const { share, one } of throws) cachedIn(classes, one.adds.join(), () => ({ adds: one.adds, share: 0 })).share += share;
    /** @type {(own: string, low: number, high: number, mean: number | null, times?: number) => any} */
    const excess = (own, low, high, mean, times = 1) => makeSum(0, new Map([[own, [{ name: own, low, high, mean }, times]]]));
    return [...this.names.map((own, at) => {
      const have = states.map(({ totals }) => totals[at]), low = Math.min(...have), high = Math.max(...have), mean = sum(states.map(({ totals, weight }) => totals[at] * weight)) / rest;
      let total = low === high ? low : excess(`${name} ${own}`, low, high, mean);
      if (this.names.length === 1 || classes.size > MOST_CLASSES) {
        const adds = throws.map(({ one }) => one.adds[at]), each = sum(throws.map(({ share, one }) => share * one.adds[at]));
        if (adds.some(Boolean)) total = plus(total, excess(`${name} ${own} after`, Math.min(...adds) < 0 ? -Infinity : 0, Math.max(...adds) > 0 ? Infinity : 0, follow === null ? null : follow * each));
      } else [...classes.values()].forEach(({ adds, share }, number) => (total = plus(total, excess(`${name} class ${number}`, 0, Infinity, follow === null ? null : follow * share, adds[at]))));
      return /** @type {[string, any]} */ ([own, total]);
    }), ...this.words.map((own) => /** @type {[string, any]} */ ([own, this.restWord(own)]))];
  }
  /** What else formulas ask of a die that is still rolled on. @param {string} own */
  restWord(own) {
    const shown = this.thrown.map((face) => wordsOf(face)[OF_THROWS.includes(own) ? "face" : own]);
    if (shown.some((value) => typeof value === "string")) throw new NotExactError();
    return own === "throw" ? openBetween(2, Infinity) : openBetween(Math.min(...shown), Math.max(...shown));
  }
}
/** Rolls that nothing tells apart become one; one with open numbers if these decide all that is asked. @param {Unroller} unroller @param {number} kind @param {DieFace[]} faces @param {number} sides @returns {DieFace[]} */
export function mergeRolls(unroller, kind, faces, sides) {
  const /** @type {Map<string, DieFace>} */ merged = new Map(), { rule } = unroller;
  for (const face of faces) {
    const /** @type {Record<string, any>} */ bounds = {};
    const leaves = Object.fromEntries(face.words.map(([name, value], at) => {
      if (isOpen(value)) bounds[`OPEN_${at}`] = [value.low, value.high];
      return /** @type {[string, T.Tree]} */ ([name, isOpen(value) ? ["name", `OPEN_${at}`] : leafOf(value)]);
    }));
    const words = completeWords(unroller, kind, leaves, sides), totals = Object.entries(words).flatMap(([name, tree]) => (name.includes(":") || name === DICE ? [tree] : []));
    const key = JSON.stringify([...totals, ...[...(unroller.asked.get(kind)?.values() ?? [])].map((tree) => unroller.formula(tree, words, {}))].map((tree) => {
      const names = [...namesIn(tree)], found = names.length && names.every((name) => name in bounds) ? certain(valueSet(tree, bounds, [], rule.game)) : null;
      return found === null ? textOf(tree) : textOf(leafOf(found));
    }));
    const old = merged.get(key);
    merged.set(key, old ? { words: face.words, weight: old.weight + face.weight } : face);
  }
  return [...merged.values()];
}
/** The same without open numbers: what they would leave open weighs nothing. @param {DieFace[]} faces @returns {DieFace[]} */
export const closeRolls = (faces) => faces.map((face) => (face.words.some(([, value]) => isOpen(value)) ? { words: face.words.map(([name, value]) => /** @type {[string, any]} */ ([name, closeValue(value)])), weight: 0 } : face));
