// Evaluates a question over independent sources of chance, one after the other: variable elimination. A source is a group
// of dice, or how many dice of a pool show one of its faces. After each only what the rest of the question still needs is
// kept: formulas whose dice are all known become numbers; sums and maxima become partial ones; comparisons that can only
// end in one way are decided, and what only these need is forgotten. Equal states are merged. So `max(a, b, c)` never
// needs all dice at once, and a walk over faces only knows the best face so far.
// All numbers are kept in one frame, an array with a slot for each: coordinates, statements, partial results, bounds.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Point, Run, Source, Statement, Values} from "../engine/parts.d.ts" */
import { COMPARED, compile } from "../engine/formula.js";
import { cachedIn, sum } from "../engine/messages.js";
import { compileOpen, highOf, holds, lowOf } from "./open-values.js";
import { Plan, opOf, partsOf, sizeOf, some, withParts } from "./plan.js";
import { choose } from "./sums.js";

const NODES = 10; // of formulas that cost as much as a step
const OPEN = 2; // the state of a comparison that is not decided; otherwise 0 or 1
const LONGEST_TEST = 2000; // characters of the test whether a number is still needed
/** @typedef {{text: string, holds: (f: any[]) => boolean} | null} Test  of slots; null always holds */
/** @typedef {[Run, Run]} Ends  the bounds of a formula */

/** A pool as one source for each of its faces: how many dice show it. The last face is on all dice that are left.
 * @param {number} dice @param {number[]} slots @param {number[]} shares @param {number} size  of the die
 * @returns {Source[]} */
export function faceSources(dice, slots, shares, size) {
  let open = 1;
  const faceBits = shares.map((share) => Math.log2(share * size));
  return slots.map((slot, number) => {
    const share = Math.min(shares[number] / open, 1), isLast = number === slots.length - 1;
    open -= shares[number];
    const points = Array.from({ length: dice + 1 }, (_, left) => (isLast ? [left] : [...Array(left + 1).keys()]).map((times) =>
      /** @type {Point} */ ([[times], isLast ? 1 : choose(left, Math.min(times, left - times)) * share ** times * (1 - share) ** (left - times)])));
    return { slots: [slot], points: number ? points : points[dice], perLeft: number > 0, ranges: new Map([[slot, [0, dice]]]), rest: slots.slice(number + 1),
      bits: Math.max(dice * (1 + faceBits[number] / 2), dice * faceBits[number]) };
  });
}
/** What came of a question: the weight of each outcome, or of each outcome with values.
 * @param {Plan} plan @param {Source[]} sources @param {Values} known @param {boolean} gathering @param {Map<number, T.Tree>} [replaced]  coordinates as sums of others
 * @returns {{key: any[], weight: number}[]} */
export function eliminate(plan, sources, known, gathering, replaced = new Map()) {
  const key = `${gathering} ${sources.map(({ slots, rest }) => [slots, rest ?? "-"].join(";"))} ${JSON.stringify([...replaced])}`;
  return cachedIn(plan.compiled, key, () => new Elimination(plan, sources, gathering, replaced)).run(known, sources);
}

class Elimination {
  /** @param {Plan} plan @param {Source[]} sources @param {boolean} gathering @param {Map<number, T.Tree>} replaced */
  constructor(plan, sources, gathering, replaced) {
    this.plan = plan;
    this.slots = Math.max(plan.slots, ...sources.flatMap(({ slots }) => slots.map((slot) => slot + 1)));
    this.left = this.slots++; // how many dice of a pool are left
    this.words = new Set([...plan.statements.values()].filter(({ isWord, isGiven }) => isWord || isGiven).map(({ slot }) => slot));
    /** @type {(tree: T.Tree) => T.Tree} */
    const replace = (tree) => {
      if (opOf(tree) === "tally") return replaced.get(/** @type {any} */ (tree)[1]) ?? tree;
      const made = withParts(tree, replace);
      return opOf(made) === "+" ? ["+", .../** @type {any[]} */ (made).slice(1).flatMap((part) => (opOf(part) === "+" ? part.slice(1) : [part]))] : made;
    };
    const statements = [...plan.statements.values()].map((one) => ({ ...one, tree: replaced.size ? replace(one.tree) : one.tree }));
    const targets = plan.targets.map((one) => ({ ...one, tree: replaced.size ? replace(one.tree) : one.tree }));
    /** @type {number[]} */
    const nodes = []; // that each stage works out
    let rest = new Residual(this, statements, targets, [], false);
    const last = sources.length - 1;
    this.stages = sources.map(({ slots, rest: faces }, number) => {
      if (number === last) return rest.last(gathering);
      const step = new Step(rest, slots, faces ?? []), stage = step.stage();
      nodes.push(step.size());
      rest = new Residual(this, step.waiting(), step.targets, [...step.uses.keys()], !!faces?.length);
      return stage;
    });
    if (!sources.length) this.stages = [rest.last(gathering)];
    nodes.push(rest.size());
    this.costs = nodes.map((size) => 1 + (plan.hasStageCosts ? size : plan.size) / NODES);
  }
  /** @param {Values} known @param {Source[]} sources */
  run(known, sources) {
    const { budget } = this.plan, frame = Array(this.slots).fill(0), all = sources.length ? sources : [/** @type {Source} */ ({ slots: [], points: [[[], 1]], ranges: new Map(), bits: 0 })];
    let bits = 0, states = [{ keys: /** @type {any[]} */ ([]), weight: 1 }];
    const ranges = new Map(all.flatMap((source) => [...source.ranges]));
    this.stages.forEach((stage, number) => {
      const { points, slots, perLeft } = all[number];
      bits += all[number].bits;
      budget.spend(states.length * (perLeft ? (points[points.length - 1].length >> 1) + 1 : points.length) * this.costs[number], bits);
      stage.begin(frame, ranges);
      const found = new Map();
      for (const { keys, weight } of states) {
        stage.carried.forEach((slot, place) => (frame[slot] = keys[place]));
        const before = frame[this.left];
        for (const [values, share] of perLeft ? points[before] : points) {
          for (let place = 0; place < slots.length; place++) frame[slots[place]] = values[place];
          frame[this.left] = before;
          const key = stage.work(known, frame), name = key.length === 1 && typeof key[0] !== "object" ? key[0] : key.join(), one = found.get(name);
          if (one) one.weight += weight * share;
          else found.set(name, { keys: key, weight: weight * share });
        }
      }
      states = [...found.values()];
    });
    return states.map(({ keys, weight }) => ({ key: keys, weight }));
  }
}

/** What is left of a question: statements, tests of outcomes and values, and what is known. */
class Residual {
  /** @param {Elimination} whole @param {Statement[]} statements @param {{tree: T.Tree, text: string}[]} targets @param {number[]} carried @param {boolean} inPool */
  constructor(whole, statements, targets, carried, inPool) {
    this.whole = whole;
    this.statements = statements;
    this.targets = targets;
    this.carried = carried;
    this.inPool = inPool;
    /** @type {Map<T.Tree, Set<number>>} */
    this.memory = new Map();
  }
  /** How many nodes the formulas have. */
  size() {
    return sum([...this.statements, ...this.targets].map(({ tree }) => sizeOf(tree)));
  }
  /** The slots that a formula needs. @param {T.Tree} tree @returns {Set<number>} */
  leaves(tree) {
    if (!Array.isArray(tree)) return new Set();
    return cachedIn(this.memory, tree, () => new Set([...(tree[0] === "tally" ? [tree[1]] : tree[0] === "status" ? [tree[2]] : []), ...partsOf(tree).flatMap((part) => [...this.leaves(part)])]));
  }
  /** @param {T.Tree} tree */
  compile(tree, text = "") {
    return (this.whole.plan.isOpen ? compileOpen : compile)(withoutStatus(tree), { tables: this.whole.plan.rule.game.tables }, text);
  }
  /** The loop over the last source. @param {boolean} gathering */
  last(gathering) {
    const { conditions } = this.whole.plan, lines = this.statements.map(({ slot, tree, text }) => ({ slot, run: this.compile(tree, text) }));
    const targets = this.targets.map(({ tree, text }) => this.compile(tree, text)), tests = targets.slice(0, conditions), values = gathering ? targets.slice(conditions) : [];
    return {
      carried: this.allCarried(), begin: () => {},
      work: (/** @type {Values} */ v, /** @type {any[]} */ f) => {
        for (const { slot, run } of lines) f[slot] = run(v, f);
        let outcome = 0;
        while (outcome < tests.length && !holds(tests[outcome](v, f))) outcome++;
        return [outcome, ...values.map((run) => run(v, f))];
      },
    };
  }
  allCarried() {
    return this.inPool ? [this.whole.left, ...this.carried] : this.carried;
  }
}
/** A formula with comparisons that may have been decided before written as `if`. @param {T.Tree} tree @returns {T.Tree} */
function withoutStatus(tree) {
  const made = withParts(tree, withoutStatus);
  return Array.isArray(made) && made[0] === "status" ? ["if", ["=", ["tally", made[2]], OPEN], made[1], ["tally", made[2]]] : made;
}
/** Whether a formula may have no value; it is only evaluated where the whole question is. @param {T.Tree} tree */
const mayFail = (tree) => some(tree, (part) => ["lookup", "down", "up", "near", "rest"].includes(opOf(part)));

/** One more source becomes known: the new formulas, the numbers to carry on, and when these are still needed. */
class Step {
  /** @param {Residual} rest @param {number[]} slots @param {number[]} faces */
  constructor(rest, slots, faces) {
    this.rest = rest;
    this.whole = rest.whole;
    this.slots = slots;
    this.faces = faces;
    this.known = new Set([...slots, ...rest.carried]);
    /** @type {Statement[]} */
    this.complete = [];
    /** @type {Map<number, T.Tree>} */
    this.parts = new Map(); // partial results
    this.namesOfParts = new Map();
    /** @type {Map<number, {tree: T.Tree, before: number}>} */
    this.statuses = new Map(); // new comparisons that may be decided, and their status before
    /** @type {Map<number, [number, number]>} */
    this.ahead = new Map(); // coordinates that are not known, with slots for their bounds
    /** @type {Map<number, [number, number]>} */
    this.boundsOfStatements = new Map();
    /** @type {((v: Values, f: any[]) => void)[]} */
    this.bounds = []; // lines that work out bounds and decide comparisons
    this.written = new Set();
    /** @type {Map<number, Statement>} */
    this.statements = new Map();
    for (const one of rest.statements) {
      const isKnown = this.isKnown(one.tree);
      if (isKnown) {
        this.complete.push(one);
        this.known.add(one.slot);
      }
      this.statements.set(one.slot, isKnown ? one : { ...one, tree: this.reduce(one.tree) });
    }
    this.targets = rest.targets.map((one) => ({ ...one, tree: this.reduce(one.tree) }));
    /** Sums of terms, and terms that are not decided. @type {Set<number>} */
    this.gathered = new Set();
    /** @type {Map<number, Test[]>} */
    this.uses = new Map();
    this.findBounds();
    this.findUses();
  }
  /** How many nodes are worked out for each value of the source. */
  size() {
    const own = [...this.parts.values(), ...this.complete.map(({ tree }) => tree)];
    return sum([...own, ...(this.statuses.size ? [...this.statements.values(), ...this.targets].map(({ tree }) => tree) : [])].map((tree) => countNodes(tree, this.faces)));
  }
  /** @param {T.Tree} tree */
  isKnown(tree) {
    return [...this.rest.leaves(tree)].every((slot) => this.known.has(slot));
  }
  /** @param {T.Tree} tree @returns {T.Tree} */
  carry(tree) {
    if (opOf(tree) === "tally") return tree;
    const slot = cachedIn(this.namesOfParts, JSON.stringify(tree), () => {
      this.parts.set(this.whole.slots, tree);
      return this.whole.slots++;
    });
    return ["tally", slot];
  }
  /** A formula with everything that is known replaced by numbers to carry on. @param {T.Tree} tree @returns {T.Tree} */
  reduce(tree) {
    if (!Array.isArray(tree) || tree[0] === "tally" || !this.rest.leaves(tree).size) return tree;
    if (tree[0] === "status" && !this.isKnown(tree)) return this.status(this.reduceParts(tree[1]), tree[2]);
    if (this.isKnown(tree) && !mayFail(tree)) return this.carry(tree);
    const made = this.reduceParts(tree);
    return COMPARED[tree[0]] && !mayFail(made) && this.isNumber(made) && partsOf(made).every((part) => this.hasBounds(part)) ? this.status(made, -1) : made;
  }
  /** The same for each part; those of a sum or a maximum that are known become one number. @param {T.Tree} tree @returns {T.Tree} */
  reduceParts(tree) {
    let own = tree;
    if (Array.isArray(tree) && ["+", "max", "min", "and", "or"].includes(tree[0])) {
      const ready = tree.slice(1).filter((part) => this.rest.leaves(part).size && this.isKnown(part) && !mayFail(part));
      if (ready.length > 1) own = [tree[0], this.carry([tree[0], ...ready]), ...tree.slice(1).filter((part) => !ready.includes(part))];
    }
    return withParts(own, (part) => this.reduce(part));
  }
  /** Whether a comparison is one of numbers for sure. @param {T.Tree} tree */
  isNumber(tree) {
    const { words, plan: { sets } } = this.whole;
    return !some(tree, (part) => ["word", "lookup"].includes(opOf(part)) || (opOf(part) === "tally" && words.has(/** @type {any} */ (part)[1]))
      || (opOf(part) === "name" && typeof (sets.v[/** @type {any} */ (part)[1]]?.[0] ?? "") === "string"));
  }
  /** @param {T.Tree} tree @param {number} before @returns {T.Tree} */
  status(tree, before) {
    const text = JSON.stringify(tree), known = [...this.statuses].find(([, one]) => one.before === before && JSON.stringify(one.tree) === text), slot = known ? known[0] : this.whole.slots++;
    this.statuses.set(slot, { tree, before });
    return ["status", tree, slot];
  }
  /** Whether anything is known of a value before all its dice are; `combineEnds` says how. @param {T.Tree} tree @returns {boolean} */
  hasBounds(tree) {
    const op = opOf(tree), parts = partsOf(tree), waiting = op === "tally" && !this.known.has(/** @type {any} */ (tree)[1]) && this.statements.get(/** @type {any} */ (tree)[1]);
    if (waiting) return this.hasBounds(waiting.tree);
    if (op === "+" || op === "neg" || (op === "*" && typeof parts[0] === "number")) return parts.every((part) => this.hasBounds(part));
    if (op === "max" || op === "min" || op === "if") return parts.some((part) => this.hasBounds(part));
    return !["*", "abs", "lookup", "word", "groups", "down", "up", "near", "rest"].includes(op);
  }
  waiting() {
    return [...this.statements.values()].filter((one) => !this.complete.includes(one));
  }
  /** Lines that decide comparisons, and add up what is decided. */
  findBounds() {
    for (const { tree } of [...this.waiting(), ...this.targets]) this.lookAhead(tree);
    if (!this.statuses.size) return;
    for (const { slot, tree } of this.waiting()) this.boundsOfStatements.set(slot, this.store(this.ends(tree)));
    for (const { tree } of this.targets) this.ends(tree);
    this.targets = this.targets.map((one) => ({ ...one, tree: this.gather(one.tree) }));
    for (const one of this.waiting()) this.statements.set(one.slot, { ...one, tree: this.gather(one.tree) });
  }
  /** Coordinates that are not known, with slots for their bounds. @param {T.Tree} tree */
  lookAhead(tree) {
    const slot = opOf(tree) === "tally" ? /** @type {any} */ (tree)[1] : -1;
    if (slot >= 0 && !this.parts.has(slot) && !this.known.has(slot) && !this.statements.has(slot) && !this.ahead.has(slot)) this.ahead.set(slot, [this.whole.slots++, this.whole.slots++]);
    for (const part of partsOf(tree)) this.lookAhead(part);
  }
  /** A formula in which terms of a sum that only a comparison can take away are added up once it is decided. @param {T.Tree} tree @returns {T.Tree} */
  gather(tree) {
    if (!partsOf(tree).length) return tree;
    const made = /** @type {any} */ (withParts(tree, (part) => this.gather(part))), isHere = (/** @type {number} */ slot) => !this.statements.has(slot) && (this.parts.has(slot) || this.known.has(slot));
    const /** @type {T.Tree[]} */ parts = partsOf(made), isTerm = (/** @type {T.Tree} */ part) => isHere(conditionOf(part)?.slot ?? -1), isSum = (/** @type {any} */ part) => opOf(part) === "tally" && isHere(part[1]);
    if (made[0] !== "+" || !parts.some(isTerm)) return made;
    const total = this.whole.slots++, sums = parts.filter(isSum).map((part) => /** @type {any} */ (part)[1]);
    const left = parts.filter(isTerm).map((part) => {
      const { slot, comparison: [, , status], factor } = /** @type {Conditional} */ (conditionOf(part)), own = this.whole.slots++;
      this.gathered.add(own);
      return { slot, status, factor, own, tree: withSlot(part, own) };
    });
    this.gathered.add(total);
    this.bounds.push((_, f) => {
      let found = 0;
      for (const slot of sums) found += f[slot];
      for (const { slot, status, factor, own } of left) {
        f[own] = f[status] === OPEN ? f[slot] : 0;
        if (f[status] !== OPEN) found += factor * f[slot] * f[status];
      }
      f[total] = found;
    });
    return ["+", ["tally", total], ...left.map((one) => one.tree), ...parts.filter((part) => !isTerm(part) && !isSum(part))];
  }
  /** When each number is still needed: tests on the statuses, one for each use. */
  findUses() {
    /** @type {Map<number, Test[]>} */
    const waiting = new Map();
    for (const { tree } of this.targets) this.visit(tree, null, waiting);
    for (const { slot, tree } of this.waiting().reverse()) if (waiting.has(slot)) this.visit(tree, anyOf(waiting.get(slot) ?? []), waiting);
  }
  /** @param {T.Tree} tree @param {Test} test @param {Map<number, Test[]>} waiting */
  visit(tree, test, waiting) {
    const op = opOf(tree), all = /** @type {any[]} */ (tree), note = (/** @type {Map<number, Test[]>} */ map, /** @type {number} */ slot) => void cachedIn(map, slot, () => []).push(test);
    if (op === "tally") {
      const slot = all[1];
      if (this.parts.has(slot) || this.known.has(slot) || this.gathered.has(slot)) note(this.uses, slot);
      else if (this.statements.has(slot)) note(waiting, slot);
    } else if (this.gathered.has(conditionOf(tree)?.slot ?? -1)) {
      const { slot, comparison } = /** @type {Conditional} */ (conditionOf(tree));
      note(this.uses, slot);
      this.visit(comparison, both(test, comparison[2], true, OPEN), waiting);
    } else if (op === "status") {
      note(this.uses, all[2]);
      this.visit(all[1], both(test, all[2], true, OPEN), waiting);
    } else if (op === "if" && opOf(all[1]) === "status" && !mayFail(tree)) {
      this.visit(all[1], test, waiting);
      this.visit(all[2], both(test, all[1][2], false, 0), waiting);
      this.visit(all[3], both(test, all[1][2], false, 1), waiting);
    } else for (const part of partsOf(tree)) this.visit(part, mayFail(tree) ? null : test, waiting);
  }
  /** The loop over the values of the source. */
  stage() {
    const { rest, whole, faces, slots: [first] } = this, { left } = whole, text = rest.targets[0]?.text ?? "";
    const lines = [...this.complete.map(({ slot, tree, text: own }) => ({ slot, run: rest.compile(tree, own) })), ...[...this.parts].map(([slot, tree]) => ({ slot, run: rest.compile(tree, text) }))];
    const kept = [...this.uses].map(([slot, tests]) => ({ slot, test: whole.words.has(slot) ? null : anyOf(tests) })), ahead = [...this.ahead], { bounds } = this;
    return {
      carried: rest.allCarried(),
      begin: (/** @type {any[]} */ f, /** @type {Map<number, [number, number]>} */ ranges) => {
        for (const [slot, [low, high]] of ahead) [f[low], f[high]] = ranges.get(slot) ?? [-Infinity, Infinity];
        if (faces.length && !rest.inPool) f[left] = ranges.get(first)?.[1];
      },
      work: (/** @type {Values} */ v, /** @type {any[]} */ f) => {
        if (faces.length) f[left] -= f[first];
        for (const { slot, run } of lines) f[slot] = run(v, f);
        for (const line of bounds) line(v, f);
        const key = faces.length ? [f[left]] : [];
        for (const { slot, test } of kept) key.push(!test || test.holds(f) ? f[slot] : 0);
        return key;
      },
    };
  }
  /** Bounds in slots of their own, so that they are worked out once. @param {Ends} ends @returns {[number, number]} */
  store([low, high]) {
    const { whole } = this, a = whole.slots++, b = whole.slots++;
    this.bounds.push((v, f) => {
      f[a] = low(v, f);
      f[b] = high(v, f);
    });
    return [a, b];
  }
  /** The bounds of a formula; comparisons whose sides cannot meet are decided on the way. @param {T.Tree} tree @returns {Ends} */
  ends(tree) {
    const op = opOf(tree), all = /** @type {any[]} */ (tree);
    if (!partsOf(tree).length) return this.leafEnds(tree);
    if (op === "status") {
      const slot = all[2];
      if (!this.written.has(slot)) this.decide(slot);
      return [(_, f) => f[slot] & 1, (_, f) => +!!f[slot]];
    }
    const [a, b] = this.store(combineEnds(tree, partsOf(tree).map((part) => this.ends(part)), this.faces, this.whole.left));
    return [(_, f) => f[a], (_, f) => f[b]];
  }
  /** @param {T.Tree} tree @returns {Ends} */
  leafEnds(tree) {
    const [op, own] = Array.isArray(tree) ? tree : ["number"], at = (/** @type {number} */ slot) => /** @type {Run} */ ((_, f) => f[slot]);
    if (op === "number") return [() => tree, () => tree];
    if (op === "name" && !own.startsWith("given ") && typeof this.whole.plan.sets.v[own]?.[0] === "number") return [(v) => lowOf(v[own]), (v) => highOf(v[own])];
    if (op !== "tally" || this.whole.words.has(own)) return ANY_ENDS;
    const ahead = this.ahead.get(own), bounds = this.boundsOfStatements.get(own);
    if (ahead) return [at(ahead[0]), at(this.faces.includes(own) ? this.whole.left : ahead[1])];
    return bounds ? [at(bounds[0]), at(bounds[1])] : [(_, f) => lowOf(f[own]), (_, f) => highOf(f[own])];
  }
  /** @param {number} slot */
  decide(slot) {
    this.written.add(slot);
    const { tree, before } = /** @type {{tree: any, before: number}} */ (this.statuses.get(slot)), op = tree[0], [[a, z], [b, y]] = partsOf(tree).map((part) => this.ends(part));
    this.bounds.push((v, f) => {
      if (before >= 0 && f[before] !== OPEN) f[slot] = f[before];
      else f[slot] = decideEnds(op, a(v, f), z(v, f), b(v, f), y(v, f));
    });
  }
}
/** @type {Ends} */
const ANY_ENDS = [() => -Infinity, () => Infinity];
/** Whether a number from a to z compares so with one from b to y. @param {string} op @param {number} a @param {number} z @param {number} b @param {number} y */
function decideEnds(op, a, z, b, y) {
  if (op === ">" || op === ">=") [op, a, z, b, y] = [op === ">" ? "<" : "<=", b, y, a, z];
  if (op === "<") return z < b ? 1 : a >= y ? 0 : OPEN;
  if (op === "<=") return z <= b ? 1 : a > y ? 0 : OPEN;
  const same = a === z && z === b && b === y, apart = z < b || a > y;
  return same ? +(op === "=") : apart ? +(op !== "=") : OPEN;
}
/** @typedef {{slot: number, comparison: any, factor: number}} Conditional  a number that is there if a comparison holds */
/** How a term such as `3 * (dice * (best > 4))` or `if(best > 4, dice, 0)` rests on a comparison. @param {T.Tree} tree @returns {Conditional | null} */
function conditionOf(tree) {
  const op = opOf(tree), parts = /** @type {any[]} */ (partsOf(tree)), ops = parts.map(opOf);
  if (op === "neg" || (op === "*" && parts.length === 2 && typeof parts[0] === "number")) {
    const inner = conditionOf(parts[parts.length - 1]);
    return inner && { ...inner, factor: inner.factor * (op === "neg" ? -1 : parts[0]) };
  }
  const [status, number] = [parts.find((part) => opOf(part) === "status"), parts.find((part) => opOf(part) === "tally")];
  const isTerm = (op === "*" && parts.length === 2) || (op === "if" && ops[0] === "status" && ops[1] === "tally" && parts[2] === 0);
  return isTerm && status && number ? { slot: number[1], comparison: status, factor: 1 } : null;
}
/** The same term with another number. @param {T.Tree} tree @param {number} slot @returns {T.Tree} */
const withSlot = (tree, slot) => withParts(tree, (part) => (opOf(part) === "tally" ? ["tally", slot] : opOf(part) === "status" || typeof part === "number" ? part : withSlot(part, slot)));
/** How often the number of dice that show a face of a pool is in a term; 0 if it is something else. @param {T.Tree} tree @param {number[]} pool @returns {number} */
function faceFactor(tree, pool) {
  const [op, first, second] = Array.isArray(tree) ? /** @type {any[]} */ (tree) : [];
  if (op === "tally") return +pool.includes(first);
  if (op === "neg") return -faceFactor(first, pool);
  return op === "*" && partsOf(tree).length === 2 && typeof first === "number" ? first * faceFactor(second, pool) : 0;
}
/** How many nodes a formula has, of those of a sum one for all faces of a pool. @param {T.Tree} tree @param {number[]} pool @returns {number} */
function countNodes(tree, pool) {
  const parts = partsOf(tree), others = opOf(tree) === "+" ? parts.filter((part) => !faceFactor(part, pool)) : parts;
  return 1 + +(others.length < parts.length) + sum(others.map((part) => countNodes(part, pool)));
}
/** The bounds of an operation from those of its parts; `left` dice of a pool are still to be rolled, and each shows one of its faces.
 * @param {T.Tree} tree @param {Ends[]} ends @param {number[]} pool @param {number} left @returns {Ends} */
function combineEnds(tree, ends, pool, left) {
  const [op, first] = /** @type {any[]} */ (tree), lows = ends.map(([low]) => low), highs = ends.map(([, high]) => high);
  /** @type {(runs: Run[]) => Run} */
  const total = (runs) => (v, f) => runs.reduce((so, run) => so + run(v, f), 0), pick = op === "max" ? Math.max : Math.min;
  if (op === "+") {
    const factors = partsOf(tree).map((part) => faceFactor(part, pool)), known = factors.filter(Boolean), others = (/** @type {Run[]} */ runs) => total(runs.filter((_, place) => !factors[place]));
    if (known.length < 2) return [total(lows), total(highs)];
    const [low, high] = [others(lows), others(highs)], least = Math.min(...known, ...(known.length === pool.length ? [] : [0])), most = Math.max(...known, 0);
    return [(v, f) => low(v, f) + least * f[left], (v, f) => high(v, f) + most * f[left]];
  }
  if (op === "neg") return [(v, f) => -highs[0](v, f), (v, f) => -lows[0](v, f)];
  if (op === "max" || op === "min") return [(v, f) => pick(...lows.map((low) => low(v, f))), (v, f) => pick(...highs.map((high) => high(v, f)))];
  if (op === "*" && typeof first === "number" && ends.length === 2) {
    const times = (/** @type {Run} */ run) => /** @type {Run} */ ((v, f) => first && first * run(v, f));
    return first >= 0 ? [times(lows[1]), times(highs[1])] : [times(highs[1]), times(lows[1])];
  }
  if (op !== "if") return COMPARED[op] || ["and", "or", "not"].includes(op) ? [() => 0, () => 1] : ANY_ENDS;
  const isDecided = opOf(first) === "status";
  /** @type {(ways: Run[], widest: (a: number, b: number) => number) => Run} */
  const either = ([test, yes, no], widest) => (v, f) =>
    isDecided && test(v, f) ? yes(v, f) : isDecided && !highs[0](v, f) ? no(v, f) : widest(yes(v, f), no(v, f));
  return [either(lows, Math.min), either([lows[0], highs[1], highs[2]], Math.max)];
}
/** @param {Test} test @param {number} slot @param {boolean} isSame @param {number} value @returns {Test} */
function both(test, slot, isSame, value) {
  const holds = (/** @type {any[]} */ f) => (f[slot] === value) === isSame, text = `${slot} ${isSame ? "==" : "!="} ${value}`;
  return test ? { text: `${test.text} and ${text}`, holds: (f) => test.holds(f) && holds(f) } : { text, holds };
}
/** @param {Test[]} tests @returns {Test} */
function anyOf(tests) {
  const distinct = [...new Map(tests.map((test) => [test?.text ?? "", test])).values()], text = `(${distinct.map((test) => `(${test?.text})`).join(" or ")})`;
  if (distinct.includes(null) || text.length >= LONGEST_TEST) return null;
  return distinct.length === 1 ? distinct[0] : { text, holds: (f) => distinct.some((test) => test?.holds(f)) };
}
