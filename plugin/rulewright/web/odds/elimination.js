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
import { ANY_ENDS, OPEN, anyOf, both, combineEnds, conditionOf, countNodes, decideEnds, truthPlace, withSlot } from "./bound-ends.js";
import { compileOpen, highOf, holds, lowOf } from "./open-values.js";
import { PILES } from "./piles.js";
import { Plan, opOf, partsOf, sizeOf, some, withParts } from "./plan.js";
import { choose } from "./sums.js";

const NODES = 10; // of formulas that cost as much as a step
/** @import {Conditional, Ends, Faces, Test} from "./bound-ends.js" */

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
    return { slots: [slot], points: number ? points : points[dice], perLeft: number > 0, ranges: new Map([[slot, [0, dice]]]), rest: slots.slice(number + 1), pool: slots[0],
      bits: Math.max(dice * (1 + faceBits[number] / 2), dice * faceBits[number]) };
  });
}
/** What came of a question: the weight of each outcome, or of each outcome with values.
 * @param {Plan} plan @param {Source[]} sources @param {Values} known @param {boolean} gathering @param {Map<number, T.Tree>} [replaced]  coordinates as sums of others
 * @returns {{key: any[], weight: number}[]} */
export function eliminate(plan, sources, known, gathering, replaced = new Map()) {
  const key = `${gathering} ${sources.map(({ slots, rest, pool }) => [slots, rest ?? "-", pool ?? "-"].join(";"))} ${JSON.stringify([...replaced])}`;
  return cachedIn(plan.compiled, key, () => new Elimination(plan, sources, gathering, replaced)).run(known, sources);
}

class Elimination {
  /** @param {Plan} plan @param {Source[]} sources @param {boolean} gathering @param {Map<number, T.Tree>} replaced */
  constructor(plan, sources, gathering, replaced) {
    this.plan = plan;
    this.slots = Math.max(plan.slots, ...sources.flatMap(({ slots }) => slots.map((slot) => slot + 1)));
    /** @type {Map<number, number>} */
    this.lefts = new Map(); // how many dice of each pool are left
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
    let rest = new Residual(this, statements, targets, [], new Map());
    const last = sources.length - 1;
    this.stages = sources.map(({ slots, rest: faces, pool = -1 }, number) => {
      if (number === last) return rest.last(gathering, pool);
      const pools = new Map([...rest.pools, [pool, faces ?? []]]);
      if (!faces?.length) pools.delete(pool);
      const step = new Step(rest, slots, pools), stage = step.stage(pool);
      nodes.push(step.size());
      rest = new Residual(this, step.waiting(), step.targets, [...step.uses.keys()], pools);
      return stage;
    });
    if (!sources.length) this.stages = [rest.last(gathering, -1)];
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
        const before = stage.lefts.map((slot) => frame[slot]);
        for (const [values, share] of perLeft ? points[frame[stage.left]] : points) {
          for (let place = 0; place < slots.length; place++) frame[slots[place]] = values[place];
          const key = stage.work(known, frame), name = key.length === 1 && typeof key[0] !== "object" ? key[0] : key.join(), one = found.get(name);
          if (one) one.weight += weight * share;
          else found.set(name, { keys: key, weight: weight * share });
          stage.lefts.forEach((slot, place) => (frame[slot] = before[place]));
        }
      }
      states = [...found.values()];
    });
    return states.map(({ keys, weight }) => ({ key: keys, weight }));
  }
}

/** How many dice of a pool are left. @param {Elimination} whole @param {number} pool */
const leftOf = (whole, pool) => cachedIn(whole.lefts, pool, () => whole.slots++);
/** What is left of a question: statements, tests of outcomes and values, and what is known. */
class Residual {
  /** @param {Elimination} whole @param {Statement[]} statements @param {{tree: T.Tree, text: string}[]} targets @param {number[]} carried @param {Map<number, number[]>} pools  of which some faces have been rolled, with the others */
  constructor(whole, statements, targets, carried, pools) {
    this.whole = whole;
    this.statements = statements;
    this.targets = targets;
    this.carried = carried;
    this.pools = pools;
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
    return (this.whole.plan.isOpen ? compileOpen : compile)(withoutStatus(tree), { tables: this.whole.plan.rule.game.tables, functions: PILES }, text);
  }
  /** The loop over the last source. @param {boolean} gathering @param {number} pool */
  last(gathering, pool) {
    const { conditions } = this.whole.plan, lines = this.statements.map(({ slot, tree, text }) => ({ slot, run: this.compile(tree, text) }));
    const targets = this.targets.map(({ tree, text }) => this.compile(tree, text)), tests = targets.slice(0, conditions), values = gathering ? targets.slice(conditions) : [];
    return {
      carried: this.allCarried(), begin: () => {}, lefts: [], left: leftOf(this.whole, pool),
      work: (/** @type {Values} */ v, /** @type {any[]} */ f) => {
        for (const { slot, run } of lines) f[slot] = run(v, f);
        let outcome = 0;
        while (outcome < tests.length && !holds(tests[outcome](v, f))) outcome++;
        return [outcome, ...values.map((run) => run(v, f))];
      },
    };
  }
  allCarried() {
    return [...[...this.pools.keys()].map((pool) => leftOf(this.whole, pool)), ...this.carried];
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
  /** @param {Residual} rest @param {number[]} slots @param {Map<number, number[]>} pools */
  constructor(rest, slots, pools) {
    this.rest = rest;
    this.whole = rest.whole;
    this.isThorough = /** @type {any} */ (rest.whole.plan).isThorough; // whether conditions are decided as soon as they can be, whatever that costs
    this.slots = slots;
    this.pools = pools;
    /** How many dice of its pool are left, and how many faces they may show. @type {Faces} */
    this.faces = new Map([...pools].flatMap(([pool, faces]) => faces.map((face) => [face, { left: leftOf(rest.whole, pool), size: faces.length }])));
    /** @type {Map<number, Test[]>} */
    this.usesAhead = new Map([...this.faces.keys()].map((face) => [face, []]));
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
    if (this.isThorough && ["and", "or", "not"].includes(tree[0]) && partsOf(made).some((part) => opOf(part) === "status") && !mayFail(made)) return this.status(made, -1);
    return COMPARED[tree[0]] && !mayFail(made) && this.isNumber(made) && partsOf(made).every((part) => this.hasBounds(part)) ? this.status(made, -1) : made;
  }
  /** The same for each part; those of a sum or a maximum that are known become one number. @param {T.Tree} tree @returns {T.Tree} */
  reduceParts(tree) {
    let own = tree;
    if (Array.isArray(tree) && ["+", "max", "min", "and", "or"].includes(tree[0])) {
      const ready = tree.slice(1).filter((part) => this.rest.leaves(part).size && this.isKnown(part) && !mayFail(part));
      if (ready.length > 1) own = [tree[0], this.carry([tree[0], ...ready]), ...tree.slice(1).filter((part) => !ready.includes(part))];
    }
    const all = /** @type {any[]} */ (own), waits = (/** @type {T.Tree} */ part) => opOf(part) === "tally" && this.rest.statements.some(({ slot }) => slot === /** @type {any} */ (part)[1]) && !this.isKnown(part);
    if (this.isThorough && opOf(own) === "if" && waits(all[1])) own = ["if", ["!=", all[1], 0], ...all.slice(2)];
    if (opOf(own) === "groups" && this.isKnown(all[1])) {
      const pairs = all.slice(3).flatMap((part, place) => (place % 2 ? [] : [[part, all[place + 4]]])), ready = pairs.filter((pair) => pair.every((part) => this.isKnown(part) && !mayFail(part)));
      if (ready.length) own = ["groups", all[1], this.carry(["pile", all[1], all[2], ...ready.flat()]), ...pairs.filter((pair) => !ready.includes(pair)).flat()];
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
    if (op === "+" || op === "neg" || (op === "*" && (typeof parts[0] === "number" || (this.isThorough && truthPlace(tree) >= 0)))) return parts.every((part) => this.hasBounds(part));
    if (op === "max" || op === "min" || op === "if") return parts.some((part) => this.hasBounds(part));
    return !["*", "abs", "lookup", "word", "groups", "pile", "down", "up", "near", "rest"].includes(op);
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
  /** A formula in which terms that only a comparison can take away are joined once it is decided: those of a sum are added up, and of
   * those of a maximum the largest is kept. @param {T.Tree} tree @returns {T.Tree} */
  gather(tree) {
    if (!partsOf(tree).length) return tree;
    const made = /** @type {any} */ (withParts(tree, (part) => this.gather(part)));
    return made[0] === "+" ? this.addTerms(made) : made[0] === "max" || made[0] === "min" ? this.joinExtremes(made) : made;
  }
  /** @param {any} made @returns {T.Tree} */
  addTerms(made) {
    const isHere = (/** @type {number} */ slot) => !this.statements.has(slot) && (this.parts.has(slot) || this.known.has(slot));
    const /** @type {T.Tree[]} */ parts = partsOf(made), isTerm = (/** @type {T.Tree} */ part) => isHere(conditionOf(part)?.slot ?? -1), isSum = (/** @type {any} */ part) => opOf(part) === "tally" && isHere(part[1]);
    if (!parts.some(isTerm)) return made;
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
  /** Of numbers that are there if a comparison holds, and nothing else, those that are decided. @param {any} made @returns {T.Tree} */
  joinExtremes(made) {
    /** @type {any[]} */
    const parts = made.slice(1), isMax = made[0] === "max", terms = parts.filter((part) => opOf(part) === "if" && opOf(part[1]) === "status" && typeof part[2] === "number" && typeof part[3] === "number" && (part[2] >= part[3]) === isMax);
    const here = parts.filter((part) => opOf(part) === "tally" && !this.statements.has(part[1]) && (this.parts.has(part[1]) || this.known.has(part[1])));
    if (!terms.length || terms.length + here.length < 2) return made;
    const total = this.whole.slots++, sums = here.map((part) => part[1]);
    const left = terms.map(([, [, comparison, status], then, other]) => ({ comparison, status, then, other, own: this.whole.slots++ }));
    for (const slot of [total, ...left.map(({ own }) => own)]) this.gathered.add(slot);
    this.bounds.push((_, f) => {
      const found = sums.map((slot) => f[slot]);
      for (const { status, then, other, own } of left) {
        found.push(f[status] === 1 ? then : other);
        f[own] = f[status] === OPEN ? OPEN : 0;
      }
      f[total] = Math[isMax ? "max" : "min"](...found);
    });
    const open = left.map(({ comparison, then, other, own }) => ["if", ["status", comparison, own], then, other]);
    return /** @type {any} */ ([made[0], ["tally", total], ...open, ...parts.filter((part) => !terms.includes(part) && !here.includes(part))]);
  }
  /** When each number is still needed: tests on the statuses, one for each use. */
  findUses() {
    /** @type {Map<number, Test[]>} */
    const waiting = new Map();
    let /** @type {Test} */ test = null;
    this.targets.forEach(({ tree }, place) => {
      if (place === this.whole.plan.conditions) test = null;
      this.visit(tree, test, waiting);
      if (opOf(tree) === "status" && place < this.whole.plan.conditions) test = both(test, /** @type {any} */ (tree)[2], false, 1); // a later outcome only matters if this one may not hold
    });
    for (const { slot, tree } of this.waiting().reverse()) if (waiting.has(slot)) this.visit(tree, anyOf(waiting.get(slot) ?? []), waiting);
  }
  /** @param {T.Tree} tree @param {Test} test @param {Map<number, Test[]>} waiting */
  visit(tree, test, waiting) {
    const op = opOf(tree), all = /** @type {any[]} */ (tree), term = conditionOf(tree), note = (/** @type {Map<number, Test[]>} */ map, /** @type {number} */ slot) => void cachedIn(map, slot, () => []).push(test);
    const isHere = (/** @type {number} */ slot) => this.parts.has(slot) || this.known.has(slot) || this.gathered.has(slot);
    if (op === "tally") {
      const slot = all[1];
      if (isHere(slot)) note(this.uses, slot);
      else if (this.faces.has(slot)) note(this.usesAhead, slot);
      else if (this.statements.has(slot)) note(waiting, slot);
    } else if (term) {
      const isOpen = this.gathered.has(term.slot), status = term.comparison[2];
      this.visit(["tally", term.slot], isOpen ? test : both(test, status, false, 0), waiting);
      this.visit(term.comparison, isOpen ? both(test, status, true, OPEN) : test, waiting);
    } else if (op === "status") {
      note(this.uses, all[2]);
      this.visit(all[1], both(test, all[2], true, OPEN), waiting);
    } else if (op === "if" && !mayFail(tree) && (opOf(all[1]) === "status" || (opOf(all[1]) === "tally" && isHere(all[1][1])))) {
      const isStatus = opOf(all[1]) === "status", slot = all[1][isStatus ? 2 : 1];
      this.visit(all[1], test, waiting);
      this.visit(all[2], both(test, slot, false, 0), waiting);
      this.visit(all[3], both(test, slot, !isStatus, isStatus ? 1 : 0), waiting);
    } else for (const part of partsOf(tree)) this.visit(part, mayFail(tree) ? null : test, waiting);
  }
  /** The loop over the values of the source. @param {number} pool */
  stage(pool) {
    const { rest, whole, slots: [first] } = this, left = leftOf(whole, pool), text = rest.targets[0]?.text ?? "", isPart = this.pools.has(pool), begins = isPart && !rest.pools.has(pool);
    const lines = [...this.complete.map(({ slot, tree, text: own }) => ({ slot, run: rest.compile(tree, own) })), ...[...this.parts].map(([slot, tree]) => ({ slot, run: rest.compile(tree, text) }))];
    const kept = [...this.uses].map(([slot, tests]) => ({ slot, test: whole.words.has(slot) ? null : anyOf(tests) })), ahead = [...this.ahead], { bounds } = this;
    const lefts = [...new Map([...rest.pools, ...this.pools]).keys()].map((own) => leftOf(whole, own)), after = [...this.pools.keys()].map((own) => leftOf(whole, own));
    const closing = [...this.pools].flatMap(([own, faces]) => {
      const tests = faces.flatMap((face) => this.usesAhead.get(face) ?? []), test = anyOf(tests);
      return tests.length && !test ? [] : [{ slot: leftOf(whole, own), needs: (/** @type {any[]} */ f) => tests.length > 0 && !!test?.holds(f) }];
    });
    return {
      carried: rest.allCarried(), lefts, left,
      begin: (/** @type {any[]} */ f, /** @type {Map<number, [number, number]>} */ ranges) => {
        for (const [slot, [low, high]] of ahead) [f[low], f[high]] = ranges.get(slot) ?? [-Infinity, Infinity];
        if (begins) f[left] = ranges.get(first)?.[1];
      },
      work: (/** @type {Values} */ v, /** @type {any[]} */ f) => {
        if (isPart) f[left] -= f[first];
        for (const { slot, run } of lines) f[slot] = run(v, f);
        for (const line of bounds) line(v, f);
        for (const { slot, needs } of closing) if (f[slot] && !needs(f)) f[slot] = 0; // nothing needs what the dice that are left show
        const key = after.map((slot) => f[slot]);
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
    const [a, b] = this.store(combineEnds(tree, partsOf(tree).map((part) => this.ends(part)), this.faces));
    return [(_, f) => f[a], (_, f) => f[b]];
  }
  /** @param {T.Tree} tree @returns {Ends} */
  leafEnds(tree) {
    const [op, own] = Array.isArray(tree) ? tree : ["number"], at = (/** @type {number} */ slot) => /** @type {Run} */ ((_, f) => f[slot]);
    if (op === "number") return [() => tree, () => tree];
    if (op === "name" && !own.startsWith("given ") && typeof this.whole.plan.sets.v[own]?.[0] === "number") return [(v) => lowOf(v[own]), (v) => highOf(v[own])];
    if (op !== "tally" || this.whole.words.has(own)) return ANY_ENDS;
    const ahead = this.ahead.get(own), bounds = this.boundsOfStatements.get(own);
    if (ahead) return [at(ahead[0]), at(this.faces.get(own)?.left ?? ahead[1])];
    return bounds ? [at(bounds[0]), at(bounds[1])] : [(_, f) => lowOf(f[own]), (_, f) => highOf(f[own])];
  }
  /** @param {number} slot */
  decide(slot) {
    this.written.add(slot);
    const { tree, before } = /** @type {{tree: any, before: number}} */ (this.statuses.get(slot)), op = tree[0], ends = partsOf(tree).map((part) => this.ends(part)), [[a, z], [b, y]] = [ends[0], ends[1] ?? ANY_ENDS], [sure, able] = COMPARED[op] ? ANY_ENDS : combineEnds(tree, ends, this.faces);
    this.bounds.push((v, f) => {
      if (before >= 0 && f[before] !== OPEN) f[slot] = f[before];
      else if (COMPARED[op]) f[slot] = decideEnds(op, a(v, f), z(v, f), b(v, f), y(v, f));
      else f[slot] = sure(v, f) ? 1 : able(v, f) ? OPEN : 0;
    });
  }
}
