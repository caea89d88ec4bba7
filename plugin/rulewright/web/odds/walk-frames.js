// Frames and segments of a walk: what is left of a question where the walk stops, and what leads to the next stop. As
// odds/walk_frames.py, which explains it.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Frame, Member, Pool, Rule, Source, Statement, ValueSet, Values} from "../engine/parts.d.ts" */
import { valueSet } from "../engine/intervals.js";
import { cachedIn } from "../engine/messages.js";
import { NotExactError, ifPaid } from "./budget.js";
import { eliminate } from "./elimination.js";
import { PLAIN_LEAVES, splitComparisons, textOf, walkTree } from "./fold.js";
import { opOf } from "./plan.js";
import { findDeck, kindsIn, valuesNamed } from "./rule-facts.js";
import { Unroller, chosenName, earningOf, goesOn, questionOf } from "./unroll.js";
import { faceSourcesOf, faceValues, isByFaces, membersOf, sourcesOf } from "./walk-pools.js";

/** @typedef {{rule: Rule, conditions: {tree: T.Tree, text: string}[], values: {tree: T.Tree, text: string}[], program: {what: string, of: any[]}[], constants: Record<string, T.Tree>, eager: boolean, budget: any}} Setup  what all frames of a walk have in common */

/** @type {[number, number]} */
const WIDEST = [-(2 ** 40), 2 ** 40];
/** All formulas. @param {Frame} frame @returns {T.Tree[]} */
export const nodesOf = ({ statements, targets, parameters }) => [...statements.values(), ...targets, ...parameters.values()];
/** The kinds of dice that are rolled by then. @param {Setup} setup @param {number} position */
export const kindsBefore = ({ program }, position) => kindsRolled(program.slice(0, position));
/** The kinds of dice that are rolled then or later. @param {Setup} setup @param {number} position */
export const kindsFrom = ({ program }, position) => kindsRolled(program.slice(position));
/** @param {Setup["program"]} stages @returns {number[]} */
const kindsRolled = (stages) => stages.flatMap(({ what, of }) => (what === "dice" || what === "earned" ? of : []));
/** The values that formulas name, by which states are told apart. @param {Frame} frame @param {Rule} rule */
export function namesOf(frame, rule) {
  const own = [...frame.tables.values()].flat().flatMap(({ count, words }) => [count, ...Object.values(words)]);
  return [...valuesNamed(rule, ...nodesOf(frame), ...own)].sort();
}
/** Whether this is a function over dice that are still to be rolled. @param {T.Tree} tree */
export const isLate = (tree) => ["dice", "faces", "earned", "tally"].includes(opOf(tree));
/** @param {T.Tree} tree */
const hasNoValue = (tree) => [...walkTree(tree)].some((part) => ["lookup", "down", "up", "near", "rest"].includes(opOf(part)));
/** The formulas of a rule once these pools lie, and the values of their faces. @param {Setup} setup @param {Frame} frame @param {number} position @param {Pool[]} pools */
export function layPools(setup, frame, position, pools, isProbe = false) {
  const tables = new Map(frame.tables), domains = new Map(frame.domains), { rule, constants, eager } = setup;
  for (const kind of isProbe ? rule.dice.keys() : kindsBefore(setup, position)) if (!tables.has(kind)) tables.set(kind, []);
  for (const pool of [...pools].sort((a, b) => +(a.present !== null) - +(b.present !== null))) {
    const unroller = new Unroller(rule, constants, tables, domains, eager);
    const present = isProbe || pool.present === null ? null : unroller.unroll(pool.present);
    if (present !== null && [...walkTree(present)].some(isLate)) throw new NotExactError();
    const deck = findDeck(rule, pool.kind);
    for (const kind of isProbe && deck.length ? deck : [pool.kind]) {
      const members = isProbe ? [{ kind, words: {}, count: /** @type {T.Tree} */ (["leaf", `f${pool.number}`]), place: 0, follows: null, since: pool.since, weight: 1, face: null, block: null }] : membersOf(pool, unroller, present);
      tables.set(kind, [...(tables.get(kind) ?? []), ...members]);
      domains.set(kind, (pool.drawn && domains.get(deck.find((own) => domains.has(own)) ?? kind)) || faceValues(pool.thrown ?? pool.faces));
    }
  }
  const made = new Unroller(rule, constants, tables, domains, eager, isProbe ? [] : kindsFrom(setup, position));
  if (isProbe) made.budget = setup.budget;
  return { unroller: made, domains };
}
/** An OrderMattersError if a formula that waits for other dice will tell equal dice of these pools apart. @param {Setup} setup @param {Frame} frame @param {number} position @param {Pool[]} pools */
export function foresee(setup, frame, position, pools) {
  if (!kindsFrom(setup, position).length) return;
  const { unroller: { tables }, domains } = layPools(setup, frame, position, pools), { rule, constants, eager } = setup;
  const unroller = new Unroller(rule, constants, new Map(rule.dice.map((_, kind) => [kind, tables.get(kind) ?? []])), domains, eager);
  for (const tree of nodesOf(frame)) unroller.unroll(tree);
}
/** The walk from a frame to the next stop, or to the end, for pools of certain shapes. */
export class Segment {
  /** @param {Setup} setup @param {Frame} frame @param {number} position @param {Pool[]} pools @param {Set<number>} held  kinds that may be rolled again there */
  constructor(setup, frame, position, pools, held) {
    const { unroller, domains } = layPools(setup, frame, position, pools), texts = [...setup.conditions, ...setup.values].map(({ text }) => text);
    const statements = new Map([...frame.statements].map(([name, tree]) => [name, unroller.unroll(tree)])), targets = frame.targets.map((tree) => unroller.unroll(tree));
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {SegmentPlan | undefined} */
    this.compared = undefined;
    /** @type {string[]} */
    this.names = []; // of the values by which states are told apart
    if (position < setup.program.length) {
      const later = [...frame.parameters].map(([key, tree]) => (opOf(tree) === "earned" && +key.split(" ")[1] >= 100 * (position + 1) ? tree : unroller.unroll(tree))), cut = new Cut(setup.rule, position, statements, [...targets, ...later], unroller.tables, held, new Set(choicesFrom(setup, position).map(chosenName)));
      this.frame = cut.makeFrame(frame, targets.length, domains);
      this.names = [...cut.names.values()].map(([, name]) => name);
      this.plan = new SegmentPlan(setup, 0, statements, [...cut.names.values()].map(([tree]) => ({ tree, text: "" })), frame.bounds);
    } else this.plan = new SegmentPlan(setup, setup.conditions.length, statements, targets.map((tree, place) => ({ tree, text: texts[place] })), frame.bounds);
  }
  /** Rolls pool after pool. Where that costs too much, all pools are rolled together, high faces first. @param {Values} known @param {Pool[]} pools */
  run(known, pools) {
    const { plan } = this, slotOf = (/** @type {string} */ leaf) => plan.slotOf(leaf), sources = pools.flatMap((pool) => sourcesOf(pool, slotOf)), add = (/** @type {any} */ own, /** @type {Source[]} */ from) => eliminate(own, from, known, true);
    const counted = pools.filter(isByFaces), { left } = plan.budget;
    if (counted.length < 2) return add(plan, sources);
    const found = ifPaid(() => add(plan, sources));
    if (found) return found;
    plan.budget.left = left / 2;
    const first = pools.filter((pool) => !isByFaces(pool)).flatMap((pool) => sourcesOf(pool, slotOf)), together = counted.flatMap((pool) => faceSourcesOf(pool, slotOf)).sort((a, b) => b.value - a.value || 0);
    return add((this.compared ??= plan.withComparisons()), [...first, ...together.map(({ source }) => source)]);
  }
}
/** A question for the elimination: statements and targets over slots. */
export class SegmentPlan {
  hasStageCosts = true;
  /** @param {Setup} setup @param {number} conditions @param {Map<string, T.Tree>} statements @param {{tree: T.Tree, text: string}[]} targets @param {Record<string, ValueSet>} bounds */
  constructor({ rule, budget }, conditions, statements, targets, bounds) {
    this.rule = rule;
    this.budget = budget;
    this.conditions = conditions;
    this.isOpen = rule.dice.some((_, kind) => goesOn(rule, kind));
    this.sets = { v: bounds };
    this.compiled = new Map();
    /** @type {Map<string, number>} */
    this.leaves = new Map();
    this.slots = 0;
    const needed = neededStatements(statements, targets.map(({ tree }) => tree)), /** @type {Map<string, number>} */ slots = new Map();
    for (const name of needed.keys()) slots.set(name, this.slots++);
    const seated = (/** @type {T.Tree} */ tree) => this.seat(tree, slots), wide = boundsOf(rule, bounds, statements, []);
    /** @type {Map<string, Statement>} */
    this.statements = new Map([...needed].map(([name, tree]) => [name, { name, slot: /** @type {number} */ (slots.get(name)), text: rule.steps.get(name)?.text ?? "", isGiven: false, isWord: typeof wide[name]?.[0] === "string", tree: seated(tree) }]));
    this.targets = targets.map(({ tree, text }) => ({ tree: seated(tree), text }));
    this.size = 0;
  }
  /** The same question with comparisons of single sums, which are decided as soon as their difference is. */
  withComparisons() {
    const values = new Map([...this.statements.values()].map(({ slot, tree }) => [slot, tree])), change = (/** @type {{tree: T.Tree}} */ one) => /** @type {any} */ ({ ...one, tree: splitComparisons(one.tree, values) });
    const targets = this.targets.map(change), statements = new Map([...this.statements].map(([name, one]) => [name, change(one)])), slots = new Map([...statements].map(([name, { slot }]) => [slot, name])), needed = new Set(), waiting = targets.map(({ tree }) => tree);
    while (waiting.length)
      for (const part of walkTree(/** @type {T.Tree} */ (waiting.pop()))) {
        const name = opOf(part) === "tally" ? slots.get(/** @type {any} */ (part)[1]) : undefined;
        if (name !== undefined && !needed.has(name)) waiting.push(statements.get(name).tree);
        needed.add(name);
      }
    return /** @type {SegmentPlan} */ (Object.assign(Object.create(SegmentPlan.prototype), this, { targets, statements: new Map([...statements].filter(([name]) => needed.has(name))), compiled: new Map(), isThorough: true }));
  }
  /** @param {string} leaf */
  slotOf(leaf) {
    return cachedIn(this.leaves, leaf, () => this.slots++);
  }
  /** A formula over slots. @param {T.Tree} tree @param {Map<string, number>} slots @returns {T.Tree} */
  seat(tree, slots) {
    if (opOf(tree) === "leaf") return ["tally", this.slotOf(/** @type {any} */ (tree)[1])];
    if (opOf(tree) === "name" && slots.has(/** @type {any} */ (tree)[1])) return ["tally", slots.get(/** @type {any} */ (tree)[1])];
    return plainMapped(tree, (part) => this.seat(part, slots));
  }
}
/** The same tree with other parts, not folded. @param {T.Tree} tree @param {(part: T.Tree) => T.Tree} change @returns {T.Tree} */
export function plainMapped(tree, change) {
  if (!Array.isArray(tree) || PLAIN_LEAVES.includes(tree[0])) return tree;
  if (tree[0] === "lookup") return ["lookup", tree[1], change(tree[2]), Array.isArray(tree[3]) ? change(/** @type {any} */ (tree[3])) : tree[3]];
  return [tree[0], ...tree.slice(1).map(change)];
}
/** @param {T.Tree} tree */
const plainNames = (tree) => [...walkTree(tree)].flatMap((part) => (opOf(part) === "name" ? [/** @type {any} */ (part)[1]] : []));
/** @param {Map<string, T.Tree>} statements @param {T.Tree[]} targets */
export function neededStatements(statements, targets) {
  const needed = new Set(), waiting = [...targets];
  while (waiting.length)
    for (const name of plainNames(/** @type {T.Tree} */ (waiting.pop())))
      if (statements.has(name) && !needed.has(name)) {
        needed.add(name);
        waiting.push(/** @type {T.Tree} */ (statements.get(name)));
      }
  return new Map([...statements].filter(([name]) => needed.has(name)));
}
/** Bounds of all values that formulas name, where nothing is known of dice.
 * @param {Rule} rule @param {Record<string, ValueSet>} bounds @param {Map<string, T.Tree>} statements @param {T.Tree[]} trees @returns {Record<string, ValueSet> & {trees?: ValueSet[]}} */
export function boundsOf(rule, bounds, statements, trees) {
  const found = { ...bounds };
  for (const [name, tree] of statements) found[name] = boundOf(rule, tree, found);
  /** @type {any} */ (found).trees = trees.map((tree) => boundOf(rule, tree, found));
  return found;
}
/** Whether this is a number of dice that are picked. @param {any} tree */
const isTaken = (tree) => opOf(tree) === "name" && questionOf(tree[1]) !== tree[1];
/** @param {Rule} rule @param {T.Tree} tree @param {Record<string, ValueSet>} bounds @returns {ValueSet} */
function boundOf(rule, tree, bounds) {
  const flat = (/** @type {T.Tree} */ part) => /** @type {T.Tree} */ (["leaf", "tally", "earned", "groups"].includes(opOf(part)) || isTaken(part) ? ["tally", 0] : plainMapped(part, flat));
  return valueSet(flat(tree), bounds, [WIDEST], rule.game);
}
/** The choices that are still to be made. @param {Setup} setup @param {number} position @returns {string[]} */
export const choicesFrom = ({ program }, position) => program.slice(position).flatMap(({ what, of }) => (what === "choice" ? of : []));
/** The kinds of dice that functions in formulas look at which are still to be worked out. @param {Rule} rule @param {Iterable<T.Tree>} trees @returns {Set<number>} */
export function findAsked(rule, trees) {
  const late = [...trees].flatMap((tree) => [...walkTree(tree)].filter(isLate));
  return new Set(late.flatMap((part) => [...(opOf(part) === "earned" ? earningOf(rule, /** @type {any} */ (part)[1]).keys() : kindsIn(rule, part))]));
}
/** Where the walk stops: finds the parts of formulas that are known by then, and names them. */
class Cut {
  /** @param {Rule} rule @param {number} position @param {Map<string, T.Tree>} statements @param {T.Tree[]} targets @param {Map<number, Member[]>} tables @param {Set<number>} held @param {Set<string>} chosen  answers that are still to be given */
  constructor(rule, position, statements, targets, tables, held, chosen) {
    this.rule = rule;
    this.position = position;
    this.statements = statements;
    this.isChosen = (/** @type {T.Tree} */ part) => opOf(part) === "name" && chosen.has(questionOf(/** @type {any} */ (part)[1]));
    /** @type {Set<string>} */
    this.held = new Set([...held].flatMap((kind) => (tables.get(kind) ?? []).flatMap(({ count }) => [...walkTree(count)].filter((part) => typeof part !== "number").map(textOf))));
    /** @type {Map<string, [T.Tree, string]>} */
    this.names = new Map();
    this.open = this.findOpen();
    this.left = new Map([...statements].filter(([name]) => this.open.has(name)).map(([name, tree]) => [name, this.split(tree)]));
    this.targets = targets.map((tree) => this.split(tree));
    const asked = findAsked(rule, [...this.left.values(), ...this.targets]);
    this.tables = new Map([...tables].map(([kind, members]) => [kind, asked.has(kind) || held.has(kind) ? members.map((member) => this.cutMember(member)) : []]));
  }
  /** Whether this part of a formula waits by itself for dice or an answer. @param {T.Tree} part */
  isWaiting(part) {
    return isLate(part) || this.isChosen(part) || this.held.has(textOf(part));
  }
  /** The statements that are not known; those that name them may come before them. */
  findOpen() {
    const users = /** @type {Map<string, string[]>} */ (new Map()), found = /** @type {string[]} */ ([]), open = /** @type {Set<string>} */ (new Set());
    for (const [name, tree] of this.statements) {
      for (const part of walkTree(tree)) {
        const used = /** @type {any} */ (part)[1];
        if (opOf(part) === "name") users.get(used)?.push(name) ?? users.set(used, [name]);
        if (this.isWaiting(part)) found.push(name);
      }
    }
    for (const name of found) if (!open.has(name)) open.add(name), found.push(...(users.get(name) ?? []));
    return open;
  }
  /** @param {T.Tree} tree @returns {boolean} */
  isKnown(tree) {
    return this.held.has(textOf(tree)) || ![...walkTree(tree)].some((part) => this.isWaiting(part) || (opOf(part) === "name" && this.open.has(/** @type {any} */ (part)[1])));
  }
  /** @param {T.Tree} tree */
  needsDice(tree) {
    return [...walkTree(tree)].some((part) => ["leaf", "tally"].includes(opOf(part)) || this.isChosen(part) || this.held.has(textOf(part)) || (opOf(part) === "name" && this.statements.has(/** @type {any} */ (part)[1])));
  }
  /** A formula in which every part that is known is a name. @param {T.Tree} tree @returns {T.Tree} */
  split(tree) {
    const op = opOf(tree);
    if (isLate(tree)) {
      for (const name of [...valuesNamed(this.rule, tree)].sort()) if (this.statements.has(name) && !this.open.has(name)) this.name(["name", name]);
      return tree;
    }
    if (!this.needsDice(tree)) return tree;
    if (this.isKnown(tree) && (op === "name" || op === "leaf" || !hasNoValue(tree))) return this.name(tree);
    let own = tree;
    if (op === "+" || op === "max" || op === "min") {
      const args = /** @type {any[]} */ (tree).slice(1), ready = args.filter((arg) => !this.held.has(textOf(arg)) && this.needsDice(arg) && this.isKnown(arg) && !hasNoValue(arg));
      if (ready.length > 1) own = [op, this.name([op, ...ready]), ...args.filter((arg) => !ready.includes(arg))];
    }
    return plainMapped(own, (part) => this.split(part));
  }
  /** @param {T.Tree} tree @returns {T.Tree} */
  name(tree) {
    const key = textOf(tree), isName = opOf(tree) === "name", own = isName ? /** @type {any} */ (tree)[1] : `p${this.position}_${this.names.size}`;
    if (isName && [...this.names.values()].some(([, name]) => name === own)) return tree;
    if (!this.names.has(key)) this.names.set(key, [tree, own]);
    return ["name", /** @type {any} */ (this.names.get(key))[1]];
  }
  /** @param {Member} member @returns {Member} */
  cutMember(member) {
    const words = Object.fromEntries(Object.entries(member.words).map(([name, tree]) => [name, this.split(tree)]));
    return { ...member, words, count: this.split(member.count), follows: member.follows === null ? null : this.split(member.follows) };
  }
  /** @param {Frame} frame @param {number} targets @param {Map<number, Record<string, any[]>>} domains @returns {Frame} */
  makeFrame(frame, targets, domains) {
    const named = [...this.names.values()], wide = boundsOf(this.rule, frame.bounds, this.statements, named.map(([tree]) => tree)), bounds = { ...frame.bounds };
    named.forEach(([, name], place) => (bounds[name] = /** @type {any} */ (wide.trees)[place]));
    const parameters = new Map([...frame.parameters.keys()].map((key, place) => [key, this.targets[targets + place]]));
    return { position: this.position, statements: this.left, targets: this.targets.slice(0, targets), parameters, tables: this.tables, domains, bounds, found: new Map() };
  }
}
