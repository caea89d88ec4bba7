// Builds formulas and works out at once whatever is known, so that what is left is as small as it can be. Sums become flat
// lists of different terms with factors, which lets the elimination addUp up the terms that it knows. What may have no value,
// such as a division by 0 or a missing row, stays as it is: it is only wrong where it is evaluated. As in odds/fold.py.
/** @import * as T from "../engine/engine.d.ts" */
import { COMPARED, divide } from "../engine/formula.js";
import { opOf } from "./plan.js";

const DIVISIONS = ["down", "up", "near", "rest"];
export const PLAIN_LEAVES = ["word", "name", "tally", "leaf", "dice", "faces", "earned"];
/** @param {any} value @returns {T.Tree} */
export const leafOf = (value) => (typeof value === "string" ? ["word", value] : Number(value));
/** @param {T.Tree} tree */
export const textOf = (tree) => JSON.stringify(tree);
/** @param {T.Tree} a @param {T.Tree} b */
export const isSame = (a, b) => a === b || textOf(a) === textOf(b);
/** Whether a formula yields only 1 and 0. @param {T.Tree} tree */
export const isTruth = (tree) => (Array.isArray(tree) ? !!COMPARED[tree[0]] || ["not", "and", "or"].includes(tree[0]) : tree === 0 || tree === 1);
/** The formulas in a formula. @param {T.Tree} tree @returns {T.Tree[]} */
export function childrenOf(tree) {
  if (!Array.isArray(tree) || PLAIN_LEAVES.includes(tree[0])) return [];
  return tree[0] === "lookup" ? [tree[2], ...(Array.isArray(tree[3]) ? [tree[3]] : [])] : tree.slice(1);
}
/** The same operation with other arguments. @param {T.Tree} tree @param {(part: T.Tree) => T.Tree} change @param {T.Tables} game @returns {T.Tree} */
export function mapped(tree, change, game) {
  if (!Array.isArray(tree) || PLAIN_LEAVES.includes(tree[0])) return tree;
  const args = tree[0] === "lookup" ? [tree[1], change(tree[2]), Array.isArray(tree[3]) ? change(/** @type {any} */ (tree[3])) : tree[3]] : tree.slice(1).map(change);
  return fold(tree[0], args, game);
}
/** Every formula in a formula, itself first. @param {T.Tree} tree @returns {Generator<T.Tree>} */
export function* walkTree(tree) {
  yield tree;
  for (const part of childrenOf(tree)) yield* walkTree(part);
}
/** A sum, flat: each term once, with its factor. @param {T.Tree[]} terms @returns {T.Tree} */
export function addUp(terms) {
  /** @type {Map<string, [T.Tree, number]>} */
  const factors = new Map();
  let fixed = 0;
  const collect = (/** @type {T.Tree} */ tree, /** @type {number} */ factor) => {
    const [op, first, second] = /** @type {any[]} */ (Array.isArray(tree) ? tree : ["number"]);
    if (op === "number") fixed += Number(tree) * factor;
    else if (op === "+") for (const part of /** @type {any[]} */ (tree).slice(1)) collect(part, factor);
    else if (op === "neg") collect(first, -factor);
    else if (op === "*" && /** @type {any[]} */ (tree).length === 3 && typeof first === "number") collect(second, factor * first);
    else {
      const key = textOf(tree), known = factors.get(key);
      factors.set(key, [tree, (known ? known[1] : 0) + factor]);
    }
  };
  for (const term of terms) collect(term, 1);
  const parts = [...factors.values()].filter(([, factor]) => factor).map(([tree, factor]) => scaledTree(tree, factor));
  if (fixed || !parts.length) parts.push(fixed);
  return parts.length === 1 ? parts[0] : ["+", ...parts];
}
/** @param {T.Tree} tree @param {number} factor @returns {T.Tree} */
const scaledTree = (tree, factor) => (factor === 1 ? tree : factor === -1 ? ["neg", tree] : ["*", factor, tree]);
/** @param {T.Tree} left @param {T.Tree} right */
export const subtract = (left, right) => addUp([left, ["neg", right]]);
/** @param {T.Tree[]} args @returns {T.Tree} */
export function multiply(args) {
  let factor = 1;
  const others = args.filter((arg) => typeof arg !== "number" || !(factor *= arg, true));
  if (!others.length || !factor) return others.length ? 0 : factor;
  return addUp([scaledTree(others.length === 1 ? others[0] : ["*", ...others], factor)]);
}
/** max or min, flat. @param {string} op @param {T.Tree[]} args @returns {T.Tree} */
export function extreme(op, args) {
  const flat = args.flatMap((arg) => (opOf(arg) === op ? /** @type {any[]} */ (arg).slice(1) : [arg]));
  const numbers = flat.filter((part) => typeof part === "number"), others = [...new Map(flat.filter((part) => typeof part !== "number").map((part) => [textOf(part), part])).values()];
  const parts = numbers.length ? [...others, numbers.reduce((a, b) => (op === "max" ? Math.max(a, b) : Math.min(a, b)))] : others;
  return parts.length === 1 ? parts[0] : [op, ...parts];
}
/** @param {T.Tree} test @param {T.Tree} then @param {T.Tree} other @returns {T.Tree} */
export function either(test, then, other) {
  if (typeof test === "number") return test ? then : other;
  if (isSame(then, other)) return then;
  return then === 1 && other === 0 && isTruth(test) ? test : ["if", test, then, other];
}
/** @param {string} op @param {T.Tree} left @param {T.Tree} right @returns {T.Tree} */
export function compared(op, left, right) {
  const plain = [left, right].map((arg) => (typeof arg === "number" ? arg : arg[0] === "word" ? arg[1] : null));
  if (plain[0] !== null && plain[1] !== null) return +COMPARED[op](plain[0], plain[1]);
  return isSame(left, right) ? +["=", "<=", ">="].includes(op) : [op, left, right];
}
/** `and` or `or`; what decides ends the list. @param {string} op @param {T.Tree[]} args @returns {T.Tree} */
export function joinTests(op, args) {
  /** @type {T.Tree[]} */
  const left = [], decides = op === "or";
  for (const arg of args) {
    if (typeof arg !== "number") left.push(arg);
    else if (!!arg === decides) {
      if (!left.length) return +decides;
      left.push(+decides);
      break;
    }
  }
  if (!left.length) return +!decides;
  return left.length === 1 ? asTruth(left[0]) : [op, ...left];
}
/** 1 where a formula is true, else 0. @param {T.Tree} tree @returns {T.Tree} */
export const asTruth = (tree) => (typeof tree === "number" ? +!!tree : isTruth(tree) ? tree : ["!=", tree, 0]);
/** The tree of an operation, or its value. @param {string} op @param {any[]} args @param {T.Tables} game @returns {T.Tree} */
export function fold(op, args, game) {
  if (op === "+") return addUp(args);
  if (op === "neg") return addUp([["neg", args[0]]]);
  if (op === "*") return multiply(args);
  if (op === "if") return either(args[0], args[1], args[2]);
  if (op === "and" || op === "or") return joinTests(op, args);
  if (COMPARED[op]) return compared(op, args[0], args[1]);
  if (op === "max" || op === "min") return extreme(op, args);
  const values = args.map((arg) => (Array.isArray(arg) ? (arg[0] === "word" ? arg[1] : null) : arg));
  if (values.includes(null)) return [op, ...args];
  const [first, second, third] = values;
  if (op === "not") return +!first;
  if (op === "abs") return Math.abs(first);
  if (DIVISIONS.includes(op) && second) return divide(op, first, second);
  if (op === "lookup") {
    const table = game.tables[first], column = table.columns.findIndex((name) => name.toLowerCase() === String(third).toLowerCase());
    const found = typeof second === "string" ? Object.entries(table.rows).find(([name]) => name.toLowerCase() === second.toLowerCase())?.[1]
      : table.ranges.find(([low, high]) => (low ?? -Infinity) <= second && second <= (high ?? Infinity))?.[2];
    if (column >= 0 && found && found[column] !== null && found[column] !== undefined) return leafOf(found[column]);
  }
  return [op, ...args];
}
/** Whether this is a sum of variables and constants. @param {T.Tree} tree @param {Map<number, any>} values  that are not variables, by slot @returns {boolean} */
export function isSum(tree, values) {
  const [op, first, second] = Array.isArray(tree) ? /** @type {any[]} */ (tree) : ["number"];
  if (op === "+" || op === "neg") return childrenOf(tree).every((part) => isSum(part, values));
  return op === "number" || (op === "tally" && !values.has(first)) || (op === "*" && typeof first === "number" && isSum(second, values));
}
/** A formula in which sums are compared one by one: `a >= max(b, c)` as `a - b >= 0 and a - c >= 0`; values that are sums are written out.
 * @param {T.Tree} tree @param {Map<number, T.Tree>} values  by slot @returns {T.Tree} */
export function splitComparisons(tree, values) {
  if (!childrenOf(tree).length || opOf(tree) === "lookup") return tree;
  const [op, ...args] = /** @type {any[]} */ (tree), own = args.map((arg) => splitComparisons(arg, values));
  return ["<", "<=", ">", ">="].includes(op) ? splitOne(op, own[0], own[1], values) : /** @type {any} */ ([op, ...own]);
}
/** @param {string} op @param {T.Tree} first @param {T.Tree} second @param {Map<number, T.Tree>} values @returns {T.Tree} */
function splitOne(op, first, second, values) {
  const left = writtenOut(first, values), right = writtenOut(second, values);
  for (const side of [left, right]) {
    if (opOf(side) !== "max" && opOf(side) !== "min") continue;
    const parts = childrenOf(side).map((arg) => (side === left ? splitOne(op, arg, right, values) : splitOne(op, left, arg, values)));
    return joinTests((opOf(side) === (side === left ? "min" : "max")) === (op[0] === ">") ? "and" : "or", parts);
  }
  return isSum(left, values) && isSum(right, values) ? compared(op, subtract(left, right), 0) : compared(op, left, right);
}
/** A sum without names of other sums; the same for those of which one is the largest. @param {T.Tree} tree @param {Map<number, T.Tree>} values @returns {T.Tree} */
function writtenOut(tree, values) {
  const own = opOf(tree) === "tally" ? values.get(/** @type {any} */ (tree)[1]) : undefined;
  if (own !== undefined && isSum(own, values)) return own;
  return opOf(tree) === "max" || opOf(tree) === "min" ? extreme(opOf(tree), childrenOf(tree).map((arg) => writtenOut(arg, values))) : tree;
}
/** A formula with the values of some names. @param {T.Tree} tree @param {Record<string, any>} values @param {T.Tables} game @returns {T.Tree} */
export function substitute(tree, values, game) {
  if (Array.isArray(tree) && tree[0] === "name") return tree[1] in values && typeof values[tree[1]] !== "object" ? leafOf(values[tree[1]]) : tree;
  return mapped(tree, (part) => substitute(part, values, game), game);
}
