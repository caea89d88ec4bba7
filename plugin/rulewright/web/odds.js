// How likely everything is: chances in doubles, right to 1e-12, or an honest «cannot».
// Dice become distributions over the few sums that the answer rests on; nothing is subtracted, so no digits are lost.
/**
 * @import * as T from "./engine.d.ts"
 * @import {Die, Faces, Landing, Play, Values} from "./play.js"
 * @typedef {{kind: number, value: number, hits: number[], kids: number, weight: number}} Rest  a die that has come to rest
 * @typedef {{n: number, x: Int32Array, c: Int32Array, w: Float64Array}} Sums  places, classes and weights of n states
 * @typedef {{add: Map<number, number>[], order: number[], needs: string[], asked: Set<number>,
 *   values: (v: Values, t: number[]) => void, runs: import("./play.js").Run[]}} Plan
 */
import { Ready, Rule, Setting, Stop, WHOLE, attempt, best, bind, compile, named, namesIn, policies, remains, suggest } from "./play.js";

const MOST_WORK = 3e7; // steps of the innermost loops: a tenth of a second or so
const TINY = 1e-24; // what is rarer than this in a sum is left out; all of it is counted as lost
const MOST_LOST = 1e-14;
const cannot = () => new Stop("an exact answer would need too many states; ask for fewer dice");

// ---- plans: which sums over the dice a question rests on

/** @param {T.Tree} tree @returns {tree is number | ["word", string]} */
const fixed = (tree) => typeof tree === "number" || tree[0] === "word";

class Planner {
  /** @param {Setting} setting */
  constructor(setting) {
    this.setting = setting;
    this.rule = setting.rule;
    /** @type {Map<string, T.Tree>} */
    this.steps = new Map();
    for (const name of setting.open) this.steps.set(name, this.fold(this.tree(name)));
    /** @type {Map<string, number>} */
    this.names = new Map();
    /** @type {Map<number, number>[]} */
    this.add = [];
    /** @type {number[]} */
    this.order = [];
    /** @type {Map<string, T.Tree>} */
    this.used = new Map();
  }
  /** @param {string} name @returns {T.Tree} */
  tree(name) {
    const { asked, steps } = this.rule, entry = asked.get(name);
    if (!entry) return /** @type {any} */ (steps.get(name)).tree;
    const constant = (/** @type {any} */ value) => (typeof value === "string" ? ["word", value] : value);
    return ["if", entry.asked.tree, constant(this.setting.values[name] ?? entry.default), constant(entry.default)];
  }
  /** A tree in which everything that is known is worked out. @param {T.Tree} tree @returns {T.Tree} */
  fold(tree) {
    if (fixed(tree) || tree[0] === "tally") return tree;
    const [op, ...args] = tree;
    if (op === "name") {
      const value = this.setting.known[args[0]], step = this.steps.get(args[0]);
      if (step !== undefined) return fixed(step) ? step : tree;
      return value === undefined ? tree : typeof value === "string" ? ["word", value] : value;
    }
    if (op === "lookup") {
      const row = this.fold(args[1]);
      return this.settled(["lookup", args[0], row, args[2]], [row]);
    }
    const first = this.fold(args[0]);
    if (op === "if" && fixed(first)) return this.fold(first ? args[1] : args[2]);
    if ((op === "and" || op === "or") && fixed(first)) {
      if (!!first === (op === "or")) return op === "or" ? 1 : 0;
      return this.fold(args.length > 2 ? [op, ...args.slice(1)] : ["not", ["not", args[1]]]);
    }
    const folded = [first, ...args.slice(1).map((/** @type {T.Tree} */ arg) => this.fold(arg))];
    return this.settled([op, ...folded], folded);
  }
  /** @param {any} tree @param {T.Tree[]} parts @returns {T.Tree} */
  settled(tree, parts) {
    if (!parts.every(fixed)) return tree;
    const [value] = attempt(() => compile(tree, this.rule.game, "")({}, []));
    return value === null ? tree : typeof value === "string" ? ["word", value] : value;
  }
  /** A tree as a constant and so many of each tally, if it is no more than that. @param {T.Tree} tree @returns {Map<number, number> | null} */
  linear(tree) {
    if (typeof tree === "number") return new Map([[-1, tree]]);
    const [op, ...args] = tree, one = op === "tally" && this.rule.tallies[args[0]].function;
    if (one) return one === "sum" || one === "count" ? new Map([[args[0], 1]]) : null;
    const step = op === "name" && this.steps.get(args[0]);
    if (step) return this.linear(step);
    if (op !== "+" && op !== "neg" && op !== "*") return null;
    const parts = args.map((/** @type {T.Tree} */ arg) => this.linear(arg));
    if (parts.includes(null)) return null;
    if (op === "neg") return scaled(parts[0], -1);
    if (op === "+") return added(parts);
    const open = parts.filter((part) => [...part.keys()].some((key) => key >= 0));
    const factor = parts.filter((part) => !open.includes(part)).reduce((so, part) => so * (part.get(-1) ?? 0), 1);
    return open.length === 1 ? scaled(open[0], factor) : null;
  }
  /** A tree over the coordinates that are kept. @param {T.Tree} tree @returns {T.Tree} */
  rewrite(tree) {
    if (fixed(tree)) return tree;
    const form = this.linear(tree), [op, ...args] = tree;
    if (form && [...form.values()].every((times) => Math.abs(times) < 1e6)) return this.coordinate(form);
    if (op === "tally") return ["tally", this.place(`highest ${args[0]}`, () => this.order.push(args[0]))];
    if (op === "name") return this.use(args[0], tree);
    if (op === "lookup") return ["lookup", args[0], this.rewrite(args[1]), args[2]];
    if (op !== "+") return [op, ...args.map((/** @type {T.Tree} */ arg) => this.rewrite(arg))];
    const plain = args.filter((/** @type {T.Tree} */ arg) => this.linear(arg)), others = args.filter((/** @type {T.Tree} */ arg) => !plain.includes(arg));
    const start = plain.length ? [plain.length > 1 ? this.rewrite(["+", ...plain]) : this.rewrite(plain[0])] : [];
    return ["+", ...start, ...others.map((/** @type {T.Tree} */ arg) => this.rewrite(arg))];
  }
  /** @param {string} name @param {T.Tree} tree @returns {T.Tree} */
  use(name, tree) {
    const step = this.steps.get(name);
    if (step !== undefined && !this.used.has(name)) {
      this.used.set(name, 0); // a place in line; no step looks ahead
      this.used.set(name, this.rewrite(step));
    }
    return tree;
  }
  /** @param {Map<number, number>} form @returns {T.Tree} */
  coordinate(form) {
    const tallies = [...form].filter(([tally, times]) => tally >= 0 && times).sort(([a], [b]) => a - b), constant = form.get(-1) ?? 0;
    if (!tallies.length) return constant;
    const sign = Math.sign(tallies[0][1]), own = tallies.map(([tally, times]) => [tally, times * sign]);
    const place = ["tally", this.place(`sum ${own}`, () => this.add.push(new Map(/** @type {any} */ (own))))];
    const signed = sign < 0 ? ["neg", place] : place;
    return constant ? ["+", signed, constant] : /** @type {any} */ (signed);
  }
  /** @param {string} key @param {() => void} make */
  place(key, make) {
    if (!this.names.has(key)) {
      make();
      this.names.set(key, this.names.size);
    }
    return /** @type {number} */ (this.names.get(key));
  }
  /** @param {import("./play.js").Formula[]} formulas @returns {Plan} */
  plan(formulas) {
    const made = (/** @type {T.Tree} */ tree, /** @type {string} */ text) => compile(tree, this.rule.game, text);
    const runs = formulas.map(({ tree, text }) => made(this.rewrite(this.fold(tree)), text)), { used, rule } = this;
    const lines = this.setting.open.filter((name) => used.has(name)).map((name) => ({ name, run: made(used.get(name) ?? 0, rule.formula(name).text) }));
    const trees = [...used.values(), ...formulas.map(({ tree }) => this.rewrite(this.fold(tree)))];
    const needs = trees.flatMap((tree) => [...namesIn(tree)]).filter((name) => !this.steps.has(name));
    const kinds = [...this.names.keys()].map((key) => key.startsWith("sum"));
    const asked = new Set([...this.order, ...this.add.flatMap((form) => [...form.keys()])]);
    return { add: this.add, order: this.order, needs, asked, runs, kinds, values: (v, t) => {
      for (const { name, run } of lines) v[name] = run(v, t);
    } };
  }
}
/** @param {Map<number, number>} form @param {number} by */
const scaled = (form, by) => new Map([...form].map(([tally, times]) => [tally, times * by]));
/** @param {Map<number, number>[]} forms */
function added(forms) {
  const found = new Map();
  for (const form of forms) for (const [tally, times] of form) found.set(tally, (found.get(tally) ?? 0) + times);
  return found;
}
