// Numbers that dice without end leave open, as odds/open_values.py, which explains them: bounds, and where the number follows
// from the dice in a straight line, multiples of excesses. What its bounds do not decide ends the attempt.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Run} from "../engine/parts.d.ts" */
import { compile, divide } from "../engine/formula.js";
import { NotExactError } from "./budget.js";
import { opOf, partsOf } from "./plan.js";

/** @typedef {{name: string, low: number, high: number, mean: number | null}} Excess  what a die may show beyond what is counted */
/** @typedef {Map<string, [Excess, number]>} Terms  excesses with factors, by name */

export class Open {
  /** @param {number} low @param {number} high @param {number} fixed @param {Terms | null} terms */
  constructor(low, high, fixed = 0, terms = null) {
    this.low = low;
    this.high = high;
    this.fixed = fixed;
    this.terms = terms;
  }
  /** What tells it apart. */
  toString() {
    return `open ${this.low} ${this.high} ${this.fixed} ${this.terms && [...this.terms].map(([name, [{ low, high, mean }, times]]) => `${name};${low};${high};${mean};${times}`).sort().join("+")}`;
  }
  toJSON() {
    return this.toString();
  }
}
/** @param {any} value */
export const isOpen = (value) => value instanceof Open;
/** @param {any} value @returns {any} */
export const lowOf = (value) => (typeof value === "object" ? value.low : value);
/** @param {any} value @returns {any} */
export const highOf = (value) => (typeof value === "object" ? value.high : value);
/** A number and multiples of excesses. @param {number} fixed @param {Terms} terms @returns {any} */
export function makeSum(fixed, terms) {
  const own = new Map([...terms].filter(([, [, times]]) => times));
  let low = fixed, high = fixed;
  for (const [excess, times] of own.values()) {
    const ends = [excess.low && excess.low * times, excess.high && excess.high * times];
    low += Math.min(...ends);
    high += Math.max(...ends);
  }
  return own.size ? new Open(low, high, fixed, own) : fixed;
}
/** A number of which only bounds are known. @param {number} low @param {number} high @returns {any} */
export const openBetween = (low, high) => (low === high ? low : new Open(low, high));
/** A number that an open number may be. @param {any} value */
export const closeValue = (value) => (isOpen(value) ? [value.low, value.high, 0].find(Number.isFinite) : value);
/** The same of another die. @param {any} value @param {string} name */
export const renamed = (value, name) => (isOpen(value) && value.terms ? makeSum(value.fixed, new Map([...value.terms].map(([own, [excess, times]]) => [name + own, [{ ...excess, name: name + own }, times]]))) : value);
/** The mean of a number, if it is known. @param {any} value @returns {number | null} */
export function meanOf(value) {
  if (!isOpen(value)) return value;
  let mean = value.terms ? value.fixed : null;
  for (const [excess, times] of value.terms?.values() ?? []) mean = mean === null || excess.mean === null ? null : mean + times * excess.mean;
  return mean;
}
/** @param {any} a @param {any} b @returns {any} */
export function plus(a, b) {
  if (!isOpen(a) && !isOpen(b)) return a + b;
  if ((isOpen(a) && !a.terms) || (isOpen(b) && !b.terms)) return openBetween(lowOf(a) + lowOf(b), highOf(a) + highOf(b));
  const terms = new Map(a.terms ?? []);
  for (const [name, [excess, times]] of b.terms ?? []) terms.set(name, [excess, (terms.get(name)?.[1] ?? 0) + times]);
  return makeSum((isOpen(a) ? a.fixed : a) + (isOpen(b) ? b.fixed : b), terms);
}
/** @param {any} a @param {any} b @returns {any} */
function timesOpen(a, b) {
  if (isOpen(b)) {
    if (!isOpen(a)) return timesOpen(b, a);
    const ends = [lowOf(a), highOf(a)].flatMap((one) => [b.low, b.high].map((other) => one && other && one * other));
    return openBetween(Math.min(...ends), Math.max(...ends));
  }
  if (!isOpen(a) || !b) return a && b && a * b;
  if (!a.terms) return openBetween(Math.min(a.low * b, a.high * b), Math.max(a.low * b, a.high * b));
  return makeSum(a.fixed * b, new Map([...a.terms].map(([name, [excess, own]]) => [name, [excess, own * b]])));
}
/** @param {any} a @param {any} b */
const gapOf = (a, b) => plus(a, timesOpen(b, -1));
/** @param {any} value */
function isPositive(value) {
  if (lowOf(value) <= 0 && highOf(value) > 0) throw new NotExactError();
  return lowOf(value) > 0;
}
/** @param {any} a @param {any} b */
function isEqual(a, b) {
  const gap = gapOf(a, b);
  if (isOpen(gap) && gap.low <= 0 && gap.high >= 0) throw new NotExactError();
  return gap === 0;
}
/** Whether a number that may be open counts as true. @param {any} value */
export const holds = (value) => (isOpen(value) ? !isEqual(value, 0) : value);
/** The larger number; of two that may be larger only bounds are known. @param {any} a @param {any} b @returns {any} */
function larger(a, b) {
  const gap = gapOf(a, b);
  if (highOf(gap) <= 0) return b;
  return lowOf(gap) < 0 ? openBetween(Math.max(lowOf(a), lowOf(b)), Math.max(highOf(a), highOf(b))) : a;
}
/** @type {Record<string, (values: any[]) => any>} */
const OPEN_WORK = {
  "+": (values) => values.reduce(plus), "*": (values) => values.reduce(timesOpen), neg: ([a]) => timesOpen(a, -1), not: ([a]) => +!holds(a),
  max: (values) => values.reduce(larger), min: (values) => timesOpen(values.map((value) => timesOpen(value, -1)).reduce(larger), -1),
  abs: ([a]) => (a.low >= 0 ? a : a.high <= 0 ? timesOpen(a, -1) : openBetween(0, Math.max(-a.low, a.high))),
  "=": ([a, b]) => +isEqual(a, b), "!=": ([a, b]) => +!isEqual(a, b), "<": ([a, b]) => +isPositive(gapOf(b, a)), ">": ([a, b]) => +isPositive(gapOf(a, b)),
  "<=": ([a, b]) => +!isPositive(gapOf(a, b)), ">=": ([a, b]) => +!isPositive(gapOf(b, a)),
};
/** Formulas whose numbers may be open: as usual where none is. @param {T.Tree} tree @param {any} game @param {string} text @returns {Run} */
export function compileOpen(tree, game, text) {
  const plain = compile(tree, game, text), read = leavesOf(tree).map((leaf) => compile(leaf, game, ""));
  if (!read.length) return plain;
  /** @type {Run | null} */
  let open = null;
  return (v, t) => {
    for (const run of read) if (isOpen(run(v, t))) return (open ??= withOpen(tree, game, text))(v, t);
    return plain(v, t);
  };
}
/** @param {T.Tree} tree @returns {T.Tree[]} */
const leavesOf = (tree) => (["tally", "name"].includes(opOf(tree)) ? [tree] : partsOf(tree).flatMap(leavesOf));
/** @param {T.Tree} tree @param {any} game @param {string} text @returns {Run} */
function withOpen(tree, game, text) {
  const op = opOf(tree), args = /** @type {any[]} */ (tree), place = op === "lookup" ? 2 : 1;
  if (["number", "word", "name", "tally"].includes(op)) return compile(tree, game, text);
  const parts = op === "lookup" ? [args[2]] : args.slice(1), runs = parts.map((part) => withOpen(part, game, text));
  if (op === "if") return (v, t) => runs[holds(runs[0](v, t)) ? 1 : 2](v, t);
  if (op === "and") return (v, t) => +runs.every((run) => holds(run(v, t)));
  if (op === "or") return (v, t) => +runs.some((run) => holds(run(v, t)));
  const plain = compile(/** @type {any} */ ([op, ...args.slice(1, place), ...parts.map((_, at) => ["tally", at]), ...args.slice(place + parts.length)]), game, text);
  return (v, t) => {
    const values = runs.map((run) => run(v, t));
    if (!values.some(isOpen)) return plain(v, values);
    if (OPEN_WORK[op]) return OPEN_WORK[op](values);
    const [over, under] = values;
    if (op === "lookup") {
      const row = game.tables[args[1]].ranges.find((/** @type {any} */ [low, high]) => (low ?? -Infinity) <= over.low && over.high <= (high ?? Infinity));
      if (row) return row[2][game.tables[args[1]].columns.indexOf(args[3])];
    } else if (op !== "groups" && op !== "pile" && !isOpen(under)) {
      if (!under) return plain(v, [0, 0]);
      if (op === "rest") return openBetween(Math.min(under + 1, 0), Math.max(under - 1, 0));
      const own = under > 0 ? over : timesOpen(over, -1), ends = [own.low, own.high].map((end) => (Number.isFinite(end) ? divide(op, end, Math.abs(under)) : end));
      return openBetween(ends[0], ends[1]);
    }
    throw new NotExactError();
  };
}
