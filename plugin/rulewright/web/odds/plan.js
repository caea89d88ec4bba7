// Rewrites a question about a rule over as few numbers of the dice as possible. Formulas use dice through tallies; sums
// of tallies that only appear together become one coordinate, so that `successes + bonus successes` costs one dimension.
// Steps that are such sums disappear; others stay as statements. Every coordinate and statement is a slot: formulas
// refer to it as ["tally", slot], and only inputs keep their names. An open question about dice asks for a given answer.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Coordinate, Formula, LinearSum, Rule, Statement, ValueSet, Values} from "../engine/parts.d.ts" */
import { talliesIn } from "../engine/dice-sets.js";
import { namesIn } from "../engine/formula.js";
import { number, single, truth, valueSet } from "../engine/intervals.js";
import { add, cachedIn, sum } from "../engine/messages.js";
import { inputSets } from "../engine/partial-result.js";
import { budgetOf, tooMuch } from "./budget.js";

const ROUNDING = ["down", "up", "near"];
/** @type {[number, number]} */
const MOST_TALLY = [-(2 ** 40), 2 ** 40]; // because dice and faces are limited
/** @param {T.Tree} tree */
export const opOf = (tree) => (Array.isArray(tree) ? tree[0] : "number");
/** The formulas in a formula. @param {T.Tree} tree @returns {T.Tree[]} */
export function partsOf(tree) {
  if (!Array.isArray(tree) || ["word", "name", "tally"].includes(tree[0])) return [];
  return tree[0] === "lookup" ? [tree[2]] : tree[0] === "status" ? [tree[1]] : tree.slice(1);
}
/** The same formula with other parts. @param {T.Tree} tree @param {(part: T.Tree) => T.Tree} change @returns {T.Tree} */
export function withParts(tree, change) {
  if (!Array.isArray(tree) || ["word", "name", "tally"].includes(tree[0])) return tree;
  if (tree[0] === "lookup") return ["lookup", tree[1], change(tree[2]), tree[3]];
  return tree[0] === "status" ? ["status", change(tree[1]), tree[2]] : [tree[0], ...tree.slice(1).map(change)];
}
/** Whether a formula or any part of it passes a test. @param {T.Tree} tree @param {(tree: T.Tree) => boolean} test @returns {boolean} */
export const some = (tree, test) => test(tree) || partsOf(tree).some((part) => some(part, test));
/** How many nodes a formula has. @param {T.Tree} tree @returns {number} */
export const sizeOf = (tree) => 1 + sum(partsOf(tree).map(sizeOf));
/** @param {any} value @returns {T.Tree} */
const constant = (value) => (typeof value === "string" ? ["word", value] : Number(value));

/** What every value of a rule can be before any input is known. @param {Rule} rule */
export const ruleSets = (rule) => cachedIn(rule.memory, "sets", () => {
  /** @type {Record<string, ValueSet>} */
  const v = Object.assign({}, ...rule.inputs.map(inputSets)), t = rule.tallies.map(() => MOST_TALLY);
  if (rule.hasRounds) v.round = [1, 2 ** 31];
  for (const name of rule.order) if (rule.steps.has(name)) v[name] = valueSet(rule.formula(name).tree, v, t, rule.game);
  return { v, t };
});

/** Whether formulas look at dice in a way that tallies of single kinds do not tell. @param {Rule} rule @param {(Formula | null)[]} formulas */
const readsTable = (rule, formulas) => rule.reads.length > 0 && [...formulas, ...[...rule.needed(formulas)].filter((name) => rule.order.includes(name)).map((name) => rule.formula(name))]
  .some((formula) => formula && talliesIn(formula.tree).some((number) => rule.reads[number]));
export class Plan {
  isOpen = false; // whether numbers may be open, as in walks
  /** @param {Rule} rule @param {Values} switches  flags and choices that are known @param {Formula[]} conditions @param {Formula[]} values
   * @param {number[][]} groups  kinds of dice that depend on each other */
  constructor(rule, switches, conditions, values, groups) {
    this.rule = rule;
    this.groups = groups;
    this.conditions = conditions.length;
    this.formulas = [...conditions, ...values];
    this.sets = { v: { ...ruleSets(rule).v }, t: ruleSets(rule).t };
    for (const name in switches) this.sets.v[name] = single(switches[name]);
    const isOpen = (/** @type {(Formula | null)[]} */ formulas) => readsTable(rule, formulas);
    if (isOpen(this.formulas)) throw tooMuch();
    const withDice = rule.order.filter((name) => !rule.fixed.includes(name) && !isOpen([rule.formula(name)]));
    this.risky = /** @type {Set<string>} */ (new Set()); // steps that may divide by 0
    /** @type {Map<string, T.Tree>} */
    this.simplified = new Map();
    for (const name of withDice) {
      const { tree } = rule.formula(name);
      if (this.mayDivideByZero(tree)) this.risky.add(name);
      this.simplified.set(name, this.simplify(tree));
    }
    /** @type {Map<string, LinearSum | null>} */
    this.sums = new Map();
    for (const name of withDice) if (!rule.asked.has(name)) this.sums.set(name, this.linear(/** @type {T.Tree} */ (this.simplified.get(name))));
    this.alone = new Set(); // tallies with a coordinate of their own
    this.slots = 0;
    /** @type {Coordinate[][]} */
    this.coordinates = [];
    /** @type {Map<string, Statement>} */
    this.statements = new Map();
    this.targets = /** @type {{text: string, tree: T.Tree}[]} */ ([]);
    this.needs = /** @type {Set<string>} */ (new Set());
    this.active = /** @type {number[]} */ ([]);
    this.size = 0; // of all formulas
    this.hasStageCosts = false; // whether each stage of an elimination pays for its own formulas
    this.rewriteAll();
    this.alone = this.tooWide();
    if (this.alone.size) this.rewriteAll();
    this.budget = budgetOf(rule.game);
    /** @type {Map<string, any>} */
    this.compiled = new Map();
    /** @type {Map<string, any>} */
    this.cutoffs = new Map();
    this.hint = 0; // where tails began the last time
  }
  rewriteAll() {
    this.coordinates = this.groups.map(() => []);
    this.statements = new Map();
    this.slots = 0;
    this.targets = this.formulas.map(({ tree, text }) => ({ text, tree: this.rewrite(this.simplify(tree)) }));
    const order = this.rule.order.flatMap((name) => this.statements.get(name) ?? []);
    this.statements = new Map(order.map((one) => [one.name, one]));
    this.needs = new Set([...this.targets, ...order].flatMap(({ tree }) => [...namesIn(tree)]).map((name) => name.replace(/^given /, "")));
    this.active = this.coordinates.flatMap((own, group) => (own.length ? [group] : []));
    this.size = sum([...this.targets, ...order].map(({ tree }) => sizeOf(tree))) - 3 * order.filter(({ isGiven }) => isGiven).length;
  }
  /** The tallies that a group needs. @param {number} group */
  tallies(group) {
    return new Set(this.coordinates[group].flatMap(({ form }) => form.map(([tally]) => tally)));
  }
  /** Tallies that are better split off from other sums: alone in one sum; or without end, and in several. */
  tooWide() {
    const found = new Set(), { rule } = this;
    for (const coordinates of this.coordinates) {
      const forms = coordinates.filter(({ extreme }) => !extreme).map(({ form }) => form);
      for (const tally of new Set(forms.flatMap((form) => form.map(([one]) => one)))) {
        const own = forms.filter((form) => form.some(([one]) => one === tally)), { function: way, kind } = rule.tallies[tally];
        if (own.length > 1 && ((way === "sum" && rule.dice[kind].explodes) || own.some(({ length }) => length === 1))) found.add(tally);
      }
    }
    return found;
  }
  /** A formula with everything worked out that the known inputs decide; what may divide by 0 stays, as do steps that may. @param {T.Tree} tree @returns {T.Tree} */
  simplify(tree) {
    if (this.mayDivideByZero(tree)) return this.simplifyParts(tree);
    const { v, t } = this.sets, value = this.setOf(tree, v, t);
    if (typeof value[0] === "string") return value.length === 1 ? ["word", value[0]] : this.simplifyParts(tree);
    if (value[0] === value[1]) return value[0];
    if (Array.isArray(tree) && tree[0] === "if") {
      const holds = truth(number(this.setOf(tree[1], v, t)));
      if (holds !== null) return this.simplify(tree[holds ? 2 : 3]);
    }
    return this.simplifyParts(tree);
  }
  /** @param {T.Tree} tree @param {Record<string, ValueSet>} v @param {ValueSet[]} t */
  setOf(tree, v, t) {
    return valueSet(tree, v, t, this.rule.game);
  }
  /** @param {T.Tree} tree @returns {boolean} */
  mayDivideByZero(tree) {
    return some(tree, (part) => (opOf(part) === "name" && this.risky.has(/** @type {any} */ (part)[1])) || ROUNDING.includes(opOf(part)) && truth(number(this.setOf(/** @type {any} */ (part)[2], this.sets.v, this.sets.t))) !== true);
  }
  /** @param {T.Tree} tree @returns {T.Tree} */
  simplifyParts(tree) {
    const simple = withParts(tree, (part) => this.simplify(part));
    if (!Array.isArray(simple) || (simple[0] !== "and" && simple[0] !== "or")) return simple;
    const decides = simple[0] === "or"; // what is known and does not decide is dropped; what decides may stand after a division
    const open = simple.slice(1).filter((part) => typeof part !== "number" || Boolean(part) === decides), left = open.length ? open : simple.slice(1);
    return left.length === 1 ? ["!=", left[0], 0] : [simple[0], ...left];
  }
  /** @param {T.Tree} tree */
  isFree(tree) {
    return !some(tree, (part) => opOf(part) === "tally" || (opOf(part) === "name" && this.simplified.has(/** @type {any} */ (part)[1])));
  }
  /** Tallies with their factors and a rest without dice, if a formula is no more than that. @param {T.Tree} tree @returns {LinearSum | null} */
  linear(tree) {
    if (Array.isArray(tree) && tree[0] === "tally")
      return ["sum", "count"].includes(this.rule.tallies[tree[1]].function) ? { factors: new Map([[tree[1], 1]]), rest: new Map() } : null;
    if (this.isFree(tree)) return { factors: new Map(), rest: new Map([[JSON.stringify(tree), 1]]) };
    const [op, ...args] = /** @type {any[]} */ (tree);
    if (op === "name") return this.sums.get(args[0]) ?? null;
    if (op === "neg") return scaled(this.linear(args[0]), -1);
    if (op === "+") return joined(args.map((arg) => this.linear(arg)));
    const at = op === "*" && args.length === 2 ? args.findIndex((arg) => typeof arg === "number") : -1;
    return at < 0 ? null : scaled(this.linear(args[1 - at]), args[at]);
  }
  /** The formula over slots. @param {T.Tree} tree @returns {T.Tree} */
  rewrite(tree) {
    if (this.isFree(tree)) return tree;
    const sum = this.linear(tree), [op, first] = /** @type {any[]} */ (tree);
    if (sum) {
      const terms = [...this.groupTerms(sum.factors), ...freeTerms(sum.rest)];
      return terms.length === 1 ? terms[0] : terms.length ? ["+", ...terms] : 0;
    }
    if (op === "tally") return this.coordinate(this.groupOf(first), [[first, 1]], this.rule.tallies[first].function);
    return op === "name" ? this.statement(first) : withParts(tree, (part) => this.rewrite(part));
  }
  /** @param {string} name @returns {T.Tree} */
  statement(name) {
    if (!this.statements.has(name)) {
      const tree = this.rewrite(/** @type {T.Tree} */ (this.simplified.get(name))), entry = this.rule.asked.get(name), { text } = this.rule.formula(name);
      const isWord = entry ? typeof entry.default === "string" : typeof this.sets.v[name][0] === "string";
      this.statements.set(name, { name, slot: this.slots++, text, isWord, isGiven: !!entry, tree: entry ? ["if", tree, ["name", `given ${name}`], constant(entry.default)] : tree });
    }
    return ["tally", /** @type {Statement} */ (this.statements.get(name)).slot];
  }
  /** @param {number} tally */
  groupOf(tally) {
    return this.groups.findIndex((kinds) => kinds.includes(this.rule.tallies[tally].kind));
  }
  /** One coordinate for each group of dice that a sum depends on, and for each tally that is split off. @param {Map<number, number>} factors */
  groupTerms(factors) {
    /** @type {Map<number, [number, number][]>} */
    const parts = new Map();
    for (const [tally, times] of factors) if (times) cachedIn(parts, this.groupOf(tally), () => []).push([tally, times]);
    return [...parts].flatMap(([group, part]) => {
      const alone = part.filter(([tally]) => this.alone.has(tally)).sort(byTally), rest = part.filter(([tally]) => !this.alone.has(tally)).sort(byTally);
      return [...alone.map((one) => [one]), ...(rest.length ? [rest] : [])].map((form) => {
        const factor = form.reduce((so, [, times]) => shared(so, times), 0) * Math.sign(form[0][1]);
        return times(factor, this.coordinate(group, form.map(([tally, own]) => [tally, own / factor]), ""));
      });
    });
  }
  /** @param {number} group @param {[number, number][]} form @param {string} extreme @returns {T.Tree} */
  coordinate(group, form, extreme) {
    const own = this.coordinates[group], known = own.find((one) => one.extreme === extreme && String(one.form) === String(form));
    if (!known) own.push({ slot: this.slots++, form, extreme });
    return ["tally", (known ?? own[own.length - 1]).slot];
  }
}
/** @param {[number, number]} a @param {[number, number]} b */
const byTally = ([a], [b]) => a - b;
/** The greatest number that divides both. @param {number} a @param {number} b @returns {number} */
const shared = (a, b) => (b ? shared(b, a % b) : Math.abs(a));
/** @param {number} factor @param {T.Tree} tree @returns {T.Tree} */
const times = (factor, tree) => (factor === 1 ? tree : factor === -1 ? ["neg", tree] : ["*", factor, tree]);
/** @param {LinearSum | null} sum @param {number} by @returns {LinearSum | null} */
const scaled = (sum, by) => sum && { factors: new Map([...sum.factors].map(([one, own]) => [one, own * by])), rest: new Map([...sum.rest].map(([one, own]) => [one, own * by])) };
/** @param {(LinearSum | null)[]} sums @returns {LinearSum | null} */
function joined(sums) {
  const found = { factors: new Map(), rest: new Map() };
  for (const sum of sums) {
    if (!sum) return null;
    for (const [one, own] of sum.factors) add(found.factors, one, own);
    for (const [one, own] of sum.rest) add(found.rest, one, own);
  }
  return found;
}
/** What does not depend on dice; terms that cancel stay, because they may divide by 0. @param {Map<string, number>} rest @returns {T.Tree[]} */
function freeTerms(rest) {
  let fixed = 0;
  const terms = [...rest].flatMap(([text, own]) => {
    const tree = JSON.parse(text);
    if (typeof tree !== "number") return [times(own, tree)];
    fixed += tree * own;
    return [];
  });
  return fixed ? [...terms, fixed] : terms;
}
