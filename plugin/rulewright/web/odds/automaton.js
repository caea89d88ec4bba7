// A die as a finite automaton. A place is a die about to be rolled: its kind, its last face and the number of the throw,
// as far as any formula can tell throws apart. Each face leads on to other places, and to dice that it earns.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {BoundRule, Branch, Place, Reroll, Transition, Values, ValueSet} from "../engine/parts.d.ts" */
import { namesIn } from "../engine/formula.js";
import { certain, number, single, truth, valueSet } from "../engine/intervals.js";
import { keepsOld } from "../engine/rerolls.js";
import { RollError, add, cachedIn, say } from "../engine/messages.js";
import { tooMuch } from "./budget.js";
import { opOf, ruleSets, withParts } from "./plan.js";

const MOST_DISTINCT = 64; // throws that formulas may tell apart
const MOST_PAIRS = 10_000; // of a face and the face before it
const MOST_ROUNDS = 100;

/** Puts tests of a kind in place of their names. @param {Record<string, any>} named @param {Record<string, T.Tree>} words @returns {(tree: any) => T.Tree} */
export function inliner(named, words = {}) {
  /** @type {(tree: any) => T.Tree} */
  const inline = (tree) => (opOf(tree) === "name" && tree[1] in words ? words[tree[1]] : withParts(tree, inline));
  for (const name in named) words[name] = ["!=", inline(named[name].tree), 0];
  return inline;
}
/** Dice by kind, each kind once, in order. @param {[number, number][]} dice @returns {[number, number][]} */
export function addDice(dice) {
  const found = new Map();
  for (const [kind, number] of dice) if (number) add(found, kind, number);
  return [...found].sort(([a], [b]) => a - b);
}
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
      const isTaken = (/** @type {number} */ holds) => holds === 1 || (holds === 2 && this.isEager(place.kind)), isReplaced = isTaken(landing.rerolls);
      const next = isReplaced || isTaken(landing.explodes) ? this.follow(place, landing.value) : null;
      const earned = this.earnedBy(place.kind, [landing]).map(([roll, number]) => /** @type {[Place, number]} */ ([this.place(roll), number]));
      return { share, landing: isReplaced ? { ...landing, value: 0, hits: landing.hits.map(() => 0), isReplaced } : landing, next, earned };
    }));
  }
  /** Whether a die may be rolled several times at once. @param {number} kind */
  rollsOn(kind) {
    const { explodes, rerolls } = this.bound.rule.dice[kind];
    return explodes || rerolls;
  }
  /** Whether throws of a die that may be declined are made. @param {number} kind */
  isEager(kind) {
    return this.bound.rule.dice[kind].taken ?? this.eager;
  }
  /** The dice that throws of a kind earn, by kind. @param {number} own @param {Transition[]} throws @returns {[number, number][]} */
  earnedBy(own, throws) {
    return addDice(throws.flatMap(({ earned }) => earned.flatMap(([kind, number, may]) => (this.isEager(own) || !may ? [/** @type {[number, number]} */ ([kind, number])] : []))));
  }
  /** The dice that follow a throw. @param {Branch} branch @returns {[Place, number][]} */
  children({ next, earned }) {
    return next ? [[next, 1], ...earned] : earned;
  }
  /** Whether a die can lead, through the dice that it earns, to a die of the same kind. @param {number} kind */
  earnsOwnKind(kind) {
    return cachedIn(this.memory, `cycle ${kind}`, () => {
      const found = new Set(this.reallyEarns(kind));
      for (const one of found) for (const child of this.reallyEarns(one)) found.add(child);
      return found.has(kind);
    });
  }
  /** @param {number} kind @returns {Set<number>} */
  reallyEarns(kind) {
    const reached = [this.place(kind)], found = new Set();
    for (const place of reached)
      for (const { next, earned } of this.branches(place)) {
        for (const [child] of earned) found.add(child.kind);
        if (next && !reached.includes(next)) reached.push(next);
      }
    return found;
  }
  /** @param {Place} place @param {number} value */
  follow({ kind, turn }, value) {
    const [last, furthest] = cachedIn(this.memory, `distinct ${kind}`, () => this.distinctions(kind));
    return this.place(kind, last ? value : 0, Math.min(Math.max(turn, 1) + 1, furthest));
  }
  /** Whether the face before matters, and the throw from which on all throws are alike. @param {number} kind @returns {[boolean, number]} */
  distinctions(kind) {
    const { bound } = this, { rule } = bound, { tests: named, again } = rule.dice[kind];
    const inline = inliner(named);
    /** @type {[string, T.Tree][]} */
    const given = [...again.flatMap(({ when, count, optional }, at) => /** @type {[string, T.Tree][]} */ ([[`when ${at}`, when.tree], [`count ${at}`, count.tree], [`optional ${at}`, optional.tree]])),
      ...rule.tallies.flatMap((one, at) => (one.kind === kind && one.perThrow ? [/** @type {[string, T.Tree]} */ ([`hit ${at}`, one.test])] : []))];
    const tests = new Map(given.map(([name, tree]) => [name, inline(tree)]));
    const names = new Set([...tests.values()].flatMap((tree) => [...namesIn(tree)])), last = names.has("last");
    if (!names.has("throw")) return [last, 1];
    const faces = [...new Set(bound.kinds[kind].faces)].map((face) => rule.wordsOn(kind, face)), v = { ...ruleSets(rule).v };
    for (const word in rule.words) v[word] = single(rule.words[word]);
    for (const name in bound.known) v[name] = single(bound.known[name]);
    v.sides = single(bound.kinds[kind].faces.length);
    const since = (/** @type {number} */ turn, /** @type {Record<string, ValueSet>} */ more) => (/** @type {T.Tree} */ tree) => valueSet(tree, { ...v, throw: [turn, Infinity], ...more }, [], rule.game);
    const mayHold = (/** @type {ValueSet} */ found) => truth(number(found)) !== false;
    const onward = again.flatMap(({ roll }, at) => (typeof roll === "number" ? [] : [/** @type {T.Tree} */ (tests.get(`when ${at}`))]));
    const values = faces.map(({ face }) => face), range = /** @type {[number, number]} */ ([Math.min(0, ...values), Math.max(0, ...values)]);
    const setsOf = (/** @type {Values} */ words) => Object.fromEntries(Object.entries(words).map(([word, value]) => [word, single(value)]));
    const before = !onward.length ? [] : !last ? [0]
      : faces.filter((words) => onward.some((tree) => mayHold(since(1, { ...setsOf(words), last: range })(tree)))).map(({ face }) => face);
    if (before.length * faces.length > MOST_PAIRS) throw tooMuch();
    let turn = 1;
    for (const face of faces) for (const former of before)
      for (; ; turn++) {
        const of = since(turn, { ...setsOf(face), last: single(former) });
        const isSame = [...tests].every(([name, tree]) => {
          if (!namesIn(tree).has("throw")) return true;
          if (name.startsWith("count")) return !mayHold(of(/** @type {T.Tree} */ (tests.get(name.replace("count", "when"))))) || typeof certain(of(tree)) === "number";
          return truth(number(of(tree))) !== null;
        });
        if (isSame) break;
        if (turn + 1 === MOST_DISTINCT) throw new RollError(say("wrong throws apart", { kind: rule.dice[kind].name, most: MOST_DISTINCT }));
      }
    return [last, turn];
  }
}
