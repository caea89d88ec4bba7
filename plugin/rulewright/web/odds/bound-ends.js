// The bounds of formulas, from those of their parts, and tests whether a number is still needed. As in odds/bound_code.py.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Run} from "../engine/parts.d.ts" */
import { COMPARED } from "../engine/formula.js";
import { cachedIn, sum } from "../engine/messages.js";
import { opOf, partsOf, withParts } from "./plan.js";

export const OPEN = 2; // the state of a comparison that is not decided; otherwise 0 or 1
const LONGEST_TEST = 4000; // characters of the test whether a number is still needed
/** @typedef {{text: string, holds: (f: any[]) => boolean} | null} Test  of slots; null always holds */
/** @typedef {[Run, Run]} Ends  the bounds of a formula */

/** @type {Ends} */
export const ANY_ENDS = [() => -Infinity, () => Infinity];
/** Whether a number from a to z compares so with one from b to y. @param {string} op @param {number} a @param {number} z @param {number} b @param {number} y */
export function decideEnds(op, a, z, b, y) {
  if (op === ">" || op === ">=") [op, a, z, b, y] = [op === ">" ? "<" : "<=", b, y, a, z];
  if (op === "<") return z < b ? 1 : a >= y ? 0 : OPEN;
  if (op === "<=") return z <= b ? 1 : a > y ? 0 : OPEN;
  const same = a === z && z === b && b === y, apart = z < b || a > y;
  return same ? +(op === "=") : apart ? +(op !== "=") : OPEN;
}
/** @typedef {{slot: number, comparison: any, factor: number}} Conditional  a number that is there if a comparison holds */
/** How a term such as `3 * (dice * (best > 4))` or `if(best > 4, dice, 0)` rests on a comparison. @param {T.Tree} tree @returns {Conditional | null} */
export function conditionOf(tree) {
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
export const withSlot = (tree, slot) => withParts(tree, (part) => (opOf(part) === "tally" ? ["tally", slot] : opOf(part) === "status" || typeof part === "number" ? part : withSlot(part, slot)));
/** @typedef {Map<number, {left: number, size: number}>} Faces */
/** The face of a pool in a term, and how often the number of dice that show it counts. @param {T.Tree} tree @param {Faces} faces @returns {[number, number] | null} */
function faceFactor(tree, faces) {
  const [op, first, second] = Array.isArray(tree) ? /** @type {any[]} */ (tree) : [];
  if (op === "tally") return faces.has(first) ? [first, 1] : null;
  const factor = op === "neg" ? -1 : op === "*" && partsOf(tree).length === 2 && typeof first === "number" ? first : 0, inner = factor ? faceFactor(op === "neg" ? first : second, faces) : null;
  return inner && [inner[0], factor * inner[1]];
}
/** How many nodes a formula has, of those of a sum one for all faces of pools. @param {T.Tree} tree @param {Faces} faces @returns {number} */
export function countNodes(tree, faces) {
  const parts = partsOf(tree), others = opOf(tree) === "+" ? parts.filter((part) => !faceFactor(part, faces)) : parts;
  return 1 + +(others.length < parts.length) + sum(others.map((part) => countNodes(part, faces)));
}
const TRUTHS = ["and", "or", "not", "status"];
/** @param {T.Tree} tree */
const isTest = (tree) => !!COMPARED[opOf(tree)] || TRUTHS.includes(opOf(tree));
/** The place of the condition in a product of a number and a condition. @param {T.Tree} tree */
export const truthPlace = (tree) => (partsOf(tree).length === 2 ? partsOf(tree).findIndex(isTest) : -1);
/** The bounds of a sum: all faces of a pool together show as many dice as are left, so that the best and the worst face count.
 * @param {T.Tree} tree @param {Ends[]} ends @param {Faces} faces @returns {Ends} */
function addEnds(tree, ends, faces) {
  /** @type {Map<number, {size: number, own: [number, number][]}>} */
  const pools = new Map();
  partsOf(tree).forEach((part, place) => {
    const found = faceFactor(part, faces), pool = found && faces.get(found[0]);
    if (found && pool) cachedIn(pools, pool.left, () => ({ size: pool.size, own: [] })).own.push([place, found[1]]);
  });
  const joined = [...pools].filter(([, { own }]) => own.length > 1), taken = joined.flatMap(([, { own }]) => own.map(([place]) => place)), others = ends.filter((_, place) => !taken.includes(place));
  const total = (/** @type {number} */ end, /** @type {(...all: number[]) => number} */ pick) => {
    const runs = others.map((own) => own[end]), ofPools = joined.map(([left, { size, own }]) => ({ left, factor: pick(...own.map(([, factor]) => factor), ...(own.length === size ? [] : [0])) }));
    return /** @type {Run} */ ((v, f) => runs.reduce((so, run) => so + run(v, f), ofPools.reduce((so, { left, factor }) => so + factor * f[left], 0)));
  };
  return [total(0, Math.min), total(1, Math.max)];
}
/** The bounds of an operation from those of its parts. @param {T.Tree} tree @param {Ends[]} ends @param {Faces} faces @returns {Ends} */
export function combineEnds(tree, ends, faces) {
  const [op, first] = /** @type {any[]} */ (tree), lows = ends.map(([low]) => low), highs = ends.map(([, high]) => high), pick = op === "max" ? Math.max : Math.min;
  if (op === "+") return addEnds(tree, ends, faces);
  if (op === "neg") return [(v, f) => -highs[0](v, f), (v, f) => -lows[0](v, f)];
  if (op === "max" || op === "min") return [(v, f) => pick(...lows.map((low) => low(v, f))), (v, f) => pick(...highs.map((high) => high(v, f)))];
  if (op === "*" && typeof first === "number" && ends.length === 2) {
    const times = (/** @type {Run} */ run) => /** @type {Run} */ ((v, f) => first && first * run(v, f));
    return first >= 0 ? [times(lows[1]), times(highs[1])] : [times(highs[1]), times(lows[1])];
  }
  if (op === "*" && truthPlace(tree) >= 0) {
    const place = truthPlace(tree), [sure, test] = ends[place], [low, high] = ends[1 - place];
    /** @type {(end: Run, widest: (a: number, b: number) => number) => Run} */
    const masked = (end, widest) => (v, f) => (!test(v, f) ? 0 : sure(v, f) ? end(v, f) : widest(end(v, f), 0));
    return [masked(low, Math.min), masked(high, Math.max)];
  }
  if (op === "and" || op === "or" || op === "not") {
    const truths = partsOf(tree).map((part, place) => truthEnds(part, ends[place]));
    /** @type {(end: 0 | 1) => Run} */
    const all = (end) => (v, f) => +(op === "and" ? truths.every((own) => own[end](v, f)) : truths.some((own) => own[end](v, f)));
    return op === "not" ? [(v, f) => 1 - truths[0][1](v, f), (v, f) => 1 - truths[0][0](v, f)] : [all(0), all(1)];
  }
  if (op !== "if") return COMPARED[op] ? [() => 0, () => 1] : ANY_ENDS;
  const isDecided = opOf(first) === "status";
  /** @type {(ways: Run[], widest: (a: number, b: number) => number) => Run} */
  const either = ([test, yes, no], widest) => (v, f) =>
    isDecided && test(v, f) ? yes(v, f) : isDecided && !highs[0](v, f) ? no(v, f) : widest(yes(v, f), no(v, f));
  return [either(lows, Math.min), either([lows[0], highs[1], highs[2]], Math.max)];
}
/** The bounds of whether a part of a condition holds. @param {T.Tree} part @param {Ends} ends @returns {Ends} */
const truthEnds = (part, ends) => (isTest(part) ? ends : [(v, f) => +(ends[0](v, f) > 0 || ends[1](v, f) < 0), (v, f) => +(ends[0](v, f) !== 0 || ends[1](v, f) !== 0)]);
/** @param {Test} test @param {number} slot @param {boolean} isSame @param {number} value @returns {Test} */
export function both(test, slot, isSame, value) {
  const holds = (/** @type {any[]} */ f) => (f[slot] === value) === isSame, text = `${slot} ${isSame ? "==" : "!="} ${value}`;
  return test ? { text: `${test.text} and ${text}`, holds: (f) => test.holds(f) && holds(f) } : { text, holds };
}
/** @param {Test[]} tests @returns {Test} */
export function anyOf(tests) {
  const distinct = [...new Map(tests.map((test) => [test?.text ?? "", test])).values()], text = `(${distinct.map((test) => `(${test?.text})`).join(" or ")})`;
  if (distinct.includes(null) || text.length >= LONGEST_TEST) return null;
  return distinct.length === 1 ? distinct[0] : { text, holds: (f) => distinct.some((test) => test?.holds(f)) };
}
