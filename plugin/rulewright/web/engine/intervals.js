// Interval arithmetic: the values that a formula can take where some inputs are unknown.
/** @import * as T from "./engine.d.ts" */
/** @import {ValueSet} from "./parts.d.ts" */
import { COMPARED, divide, same } from "./formula.js";
import { LARGEST, sum } from "./messages.js";

/** @type {[number, number]} */
export const ANY = [-Infinity, Infinity];
/** @type {[number, number]} */
export const BOTH = [0, 1];
/** @param {number} low @param {number} high @returns {[number, number]} */
export const between = (low, high) =>
  [low < -LARGEST ? -Infinity : Math.min(low, LARGEST), high > LARGEST ? Infinity : Math.max(high, -LARGEST)];
/** @param {any} value @returns {ValueSet} */
export const single = (value) => (typeof value === "string" ? [value] : [value, value]);
/** @param {ValueSet} worth */
const isWords = (worth) => typeof worth[0] === "string";
/** @param {[number, number]} worth @returns {boolean | null} */
export const truth = ([low, high]) => (low > 0 || high < 0 ? true : low === high ? false : null);
/** @param {boolean | null} value @returns {[number, number]} */
const decided = (value) => (value === null ? BOTH : [+value, +value]);
/** @param {ValueSet} worth */
export const certain = (worth) => (isWords(worth) ? (worth.length === 1 ? worth[0] : null) : worth[0] === worth[1] ? worth[0] : null);
/** @param {number[]} ends */
export const hull = (ends) => between(Math.min(...ends), Math.max(...ends));
/** @param {number} a @param {number} b */
const product = (a, b) => (a && b && a * b);
/** @param {ValueSet[]} found @returns {ValueSet} */
function either(found) {
  const words = found.filter(isWords);
  if (words.length) return words.length === found.length ? [...new Set(words.flat())].map(String) : ANY;
  return hull(/** @type {number[]} */ (found.flat()));
}
/** @param {T.Tree} tree @param {Record<string, ValueSet>} v @param {ValueSet[]} t @param {T.Loaded} game @returns {ValueSet} */
export function valueSet(tree, v, t, game) {
  if (!Array.isArray(tree)) return [tree, tree];
  const [op, first] = tree;
  if (op === "word") return [first];
  if (op === "name") return v[first];
  if (op === "tally") return t[first];
  if (op === "lookup") return lookupSet(game.tables[first], valueSet(tree[2], v, t, game), tree[3]);
  if (COMPARED[op] && `${first} ${tree[2]}` === "name,throw name,throw") return decided(COMPARED[op](0, 0)); // a throw is as late as itself
  const every = tree.slice(1).map((arg) => () => valueSet(arg, v, t, game));
  if (op === "if") {
    const holds = truth(number(every[0]()));
    return holds === null ? either([every[1](), every[2]()]) : every[holds ? 1 : 2]();
  }
  const values = every.map((work) => work());
  if ((op === "=" || op === "!=") && values.some(isWords)) {
    if (!values.every(isWords)) return BOTH;
    return compareWords(op, .../** @type {[string[], string[]]} */ (values));
  }
  return rangeOf(op, values.map(number));
}
/** @param {string} op @param {string[]} left @param {string[]} right @returns {[number, number]} */
export function compareWords(op, left, right) {
  const meet = left.some((one) => right.some((other) => same(one, other))), alike = [...left, ...right].every((one) => same(one, left[0]));
  return decided(meet ? (alike ? op === "=" : null) : op === "!=");
}
/** @param {ValueSet} worth @returns {[number, number]} */
export const number = (worth) => (isWords(worth) ? ANY : /** @type {[number, number]} */ (worth));
/** @param {string} op @param {[number, number][]} list @returns {ValueSet} */
export function rangeOf(op, list) {
  const lows = list.map(([low]) => low), highs = list.map(([, high]) => high), [[a, z], [b, y] = ANY] = list;
  if (op === "+") return between(sum(lows), sum(highs));
  if (op === "*")
    return list.reduce(([a, z], [b, y]) => hull([product(a, b), product(a, y), product(z, b), product(z, y)]));
  if (op === "neg") return between(0 - z, 0 - a);
  if (op === "abs") return between(Math.max(a, -z, 0), Math.max(-a, z));
  if (op === "max") return between(Math.max(...lows), Math.max(...highs));
  if (op === "min") return between(Math.min(...lows), Math.min(...highs));
  if (op === "not") return decided(truth(list[0]) === null ? null : !truth(list[0]));
  if (op === "and" || op === "or") {
    const truths = list.map(truth), decides = op === "or";
    return decided(truths.includes(decides) ? decides : truths.includes(null) ? null : !decides);
  }
  if (op in COMPARED) {
    const low = a - y, high = z - b;
    if (op === "=" || op === "!=") return decided(low > 0 || high < 0 ? op === "!=" : low === high ? op === "=" : null);
    const holds = COMPARED[op](low, 0);
    return decided(holds === COMPARED[op](high, 0) ? holds : null);
  }
  if (b === 1 && y === 1) return list[0];
  const under = [b, y, -1, 1].filter((end) => end && b <= end && end <= y);
  return under.length ? hull([a, z].flatMap((end) => under.map((by) => divideEnds(op, end, by)))) : ANY;
}
/** What the rounded quotient tends to: a number by infinity comes near 0 from the side of its sign.
 * @param {string} way @param {number} over @param {number} under */
function divideEnds(way, over, under) {
  if (Math.abs(under) === Infinity) {
    const positive = over > 0 === under > 0;
    return way === "down" && over && !positive ? -1 : way === "up" && over && positive ? 1 : 0;
  }
  if (Math.abs(over) === Infinity) return under > 0 ? over : -over;
  return divide(way, over, under);
}
/** @param {T.TableData} table @param {ValueSet} row @param {string} column @returns {ValueSet} */
export function lookupSet(table, row, column) {
  const all = [...Object.entries(table.rows), ...table.ranges.map(([low, high, found]) => [[low, high], found])];
  const fits = (/** @type {any} */ name) => typeof name === "string" ? isWords(row) && row.some((word) => same(name, word))
    : !isWords(row) && (name[0] ?? -Infinity) <= row[1] && row[0] <= (name[1] ?? Infinity);
  const fitting = all.filter(([name]) => fits(name)), place = table.columns.indexOf(column);
  return either((fitting.length ? fitting : all).map(([, found]) => single(/** @type {any} */ (found)[place])));
}
