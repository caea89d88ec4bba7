// A die as a finite automaton. A place is a die about to be rolled: its kind, its last face and the number of the throw,
// as far as any formula can tell throws apart. Each face leads on to other places, and to dice that it earns.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {BoundRule, Branch, Place, Reroll, Values, ValueSet} from "../engine/parts.d.ts" */
import { namesIn } from "../engine/formula.js";
import { certain, number, single, truth, valueSet } from "../engine/intervals.js";
import { keepsOld } from "../engine/rerolls.js";
import { add, cachedIn } from "../engine/messages.js";
import { tooMuch } from "./budget.js";
import { opOf, ruleSets, withParts } from "./plan.js";

const MOST_DISTINCT = 64; // throws that formulas may tell apart
const MOST_PAIRS = 10_000; // of a face and the face before it
const MOST_ROUNDS = 100;

export class Automaton {
  /** @param {BoundRule} bound @param {boolean} eager  whether dice that may be declined are rolled */
  constructor(bound, eager) {
    this.bound = bound;
    this.eager = eager;
    /** @type {Map<string, Place>} */
    this.places = new Map();
    /** @type {Map<any, any>} */
    this.memory = new Map();
  }
  /** Throw 0 is the first one with its rerolls. A die that may be rerolled as a whole also has an attempt: its value so far, and the
   * rounds before. @param {number} kind @param {[number, number] | null} attempt @returns {Place} */
  place(kind, last = 0, turn = 1, attempt = null) {
    return cachedIn(this.places, `${kind},${last},${turn},${attempt}`, () => ({ id: this.places.size, kind, last, turn, attempt }));
  }
  /** A die of the first round. @param {number} kind */
  start(kind) {
    return this.place(kind, 0, this.rounds(kind).length ? 0 : 1);
  }
  /** The rerolls of all dice that meet a test, once for each round. @param {number} kind @returns {Reroll[]} */
  rounds(kind) {
    return cachedIn(this.memory, `rounds ${kind}`, () => this.bound.rule.rerolls.flatMap((reroll) => {
      if (reroll.pick !== "all" || !reroll.among.includes(kind)) return [];
      const times = Math.max(this.bound.of(reroll.times), 0);
      if (times > MOST_ROUNDS) throw tooMuch();
      return Array(times).fill(reroll);
    }));
  }
  /** The chance of each face. @param {number} kind @param {boolean} rerolled @returns {[number, number][]} */
  faces(kind, rerolled) {
    return cachedIn(this.memory, `faces ${kind} ${rerolled}`, () => {
      const { faces } = this.bound.kinds[kind], plain = new Map();
      for (const face of faces) add(plain, face, 1 / faces.length);
      let found = plain;
      const worth = (/** @type {number} */ face) => this.bound.rule.wordsOn(kind, face).face;
      for (const reroll of rerolled ? this.rounds(kind) : []) {
        const after = new Map();
        for (const [face, share] of found)
          for (const [fresh, part] of this.bound.meets(reroll, kind, worth(face)) ? plain : [[face, 1]])
            add(after, keepsOld(reroll.keep, worth(face), worth(fresh)) ? face : fresh, share * part);
        found = after;
      }
      return [...found].sort(([a], [b]) => a - b);
    });
  }
  /** What each face does. @param {Place} place @returns {Branch[]} */
  branches(place) {
    return (place.branches ??= this.faces(place.kind, !place.turn).map(([face, share]) => {
      const landing = this.bound.kinds[place.kind].transition(face, place.last, Math.max(place.turn, 1));
      const next = landing.explodes && (this.eager || !landing.mayStop) ? this.follow(place, landing.value) : null;
      return { share, landing, next, earns: this.eager || !landing.mayDecline ? landing.earns : 0 };
    }));
  }
  /** The dice that follow a throw. @param {Place} place @param {Branch} branch @returns {[Place, number][]} */
  children(place, { next, earns }) {
    const roll = this.earnedKind(place.kind);
    return [...(next ? [/** @type {[Place, number]} */ ([next, 1])] : []), ...(earns && roll !== null ? [/** @type {[Place, number]} */ ([this.place(roll), earns])] : [])];
  }
  /** The kind of dice that a kind earns. @param {number} kind @returns {number | null} */
  earnedKind(kind) {
    return this.bound.rule.dice[kind].again?.roll ?? null;
  }
  /** Whether a die can lead, through the dice that it earns, to a die of the same kind. @param {number} kind */
  earnsOwnKind(kind) {
    return cachedIn(this.memory, `cycle ${kind}`, () => {
      let child = this.reallyEarns(kind);
      for (let left = this.bound.kinds.length; left && child !== null && child !== kind; left--) child = this.reallyEarns(child);
      return child === kind;
    });
  }
  /** @param {number} kind @returns {number | null} */
  reallyEarns(kind) {
    const reached = [this.place(kind)];
    for (const place of reached)
      for (const branch of this.branches(place)) {
        if (branch.earns) return this.earnedKind(kind);
        if (branch.next && !reached.includes(branch.next)) reached.push(branch.next);
      }
    return null;
  }
  /** @param {Place} place @param {number} value */
  follow({ kind, turn }, value) {
    const [last, furthest] = cachedIn(this.memory, `distinct ${kind}`, () => this.distinctions(kind));
    return this.place(kind, last ? value : 0, Math.min(Math.max(turn, 1) + 1, furthest));
  }
  /** Whether the face before matters, and the throw from which on all throws are alike. @param {number} kind @returns {[boolean, number]} */
  distinctions(kind) {
    const { bound } = this, { rule } = bound, { tests: named, again, explode } = rule.dice[kind];
    /** @type {Record<string, T.Tree>} */
    const words = { good: 0, bad: 0 };
    /** @type {(tree: any) => T.Tree} */
    const inline = (tree) => (opOf(tree) === "name" && tree[1] in words ? words[tree[1]] : withParts(tree, inline));
    for (const name in named) words[name] = ["!=", inline(named[name].tree), 0];
    /** @type {[string, T.Tree][]} */
    const given = [["explode", explode?.when.tree], ["stop", explode?.optional.tree], ["earn", again?.when.tree], ["times", again?.count.tree], ["decline", again?.optional.tree],
      ...rule.tallies.flatMap((one, at) => (one.kind === kind && one.perThrow ? [/** @type {[string, T.Tree]} */ ([`hit ${at}`, one.test])] : []))];
    const tests = new Map(given.filter(([, tree]) => tree !== undefined).map(([name, tree]) => [name, inline(tree)]));
    const names = new Set([...tests.values()].flatMap((tree) => [...namesIn(tree)])), last = names.has("last");
    if (!names.has("throw")) return [last, 1];
    const faces = [...new Set(bound.kinds[kind].faces)].map((face) => rule.wordsOn(kind, face)), v = { ...ruleSets(rule).v };
    for (const word in rule.words) v[word] = single(rule.words[word]);
    for (const name in bound.known) v[name] = single(bound.known[name]);
    v.sides = single(bound.kinds[kind].faces.length);
    const since = (/** @type {number} */ turn, /** @type {Record<string, ValueSet>} */ more) => (/** @type {T.Tree} */ tree) => valueSet(tree, { ...v, throw: [turn, Infinity], ...more }, [], rule.game);
    const mayHold = (/** @type {ValueSet} */ found) => truth(number(found)) !== false, explodes = tests.get("explode");
    const values = faces.map(({ face }) => face), range = /** @type {[number, number]} */ ([Math.min(0, ...values), Math.max(0, ...values)]);
    const setsOf = (/** @type {Values} */ words) => Object.fromEntries(Object.entries(words).map(([word, value]) => [word, single(value)]));
    const before = explodes === undefined ? [] : !last ? [0]
      : faces.filter((words) => mayHold(since(1, { ...setsOf(words), last: range })(explodes))).map(({ face }) => face);
    if (before.length * faces.length > MOST_PAIRS) throw tooMuch();
    let turn = 1;
    for (const face of faces) for (const former of before)
      for (; ; turn++) {
        const of = since(turn, { ...setsOf(face), last: single(former) }), earn = tests.get("earn");
        const isSame = [...tests].every(([name, tree]) => {
          if (!namesIn(tree).has("throw")) return true;
          if (name === "times") return (earn !== undefined && !mayHold(of(earn))) || typeof certain(of(tree)) === "number";
          return truth(number(of(tree))) !== null;
        });
        if (isSame) break;
        if (turn + 1 === MOST_DISTINCT) throw tooMuch();
      }
    return [last, turn];
  }
}
