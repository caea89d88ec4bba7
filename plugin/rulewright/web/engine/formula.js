// Formulas: compiles syntax trees to functions.
/** @import * as T from "./engine.d.ts" */
/** @import {Run} from "./parts.d.ts" */
import { LARGEST, RollError, say } from "./messages.js";

const LEAVES = new Set(["word", "name", "tally", "dice", "faces"]); // their arguments are no trees

/** The nodes of a rule as trees that share their parts. @param {T.NodeData[]} nodes @returns {T.Tree[]} */
export function treesOf(nodes) {
  /** @type {T.Tree[]} */
  const trees = [];
  for (const [op, ...args] of nodes)
    trees.push(op === "number" ? Number(args[0]) : LEAVES.has(op) ? [op, ...args] : [op, ...args.map((arg) => (typeof arg === "number" ? trees[arg] : arg))]);
  return trees;
}
/** A formula: its tree, its text cut at every name and count, and the function that works it out. */
export class Formula {
  /** @param {T.FormulaData} raw @param {T.Tables} game @param {T.Tree[]} trees */
  constructor(raw, game, trees) {
    const { tree, text } = typeof raw === "number" ? { tree: raw, text: [String(raw)] } : { tree: trees[raw.node], text: raw.text };
    this.tree = tree;
    this.parts = text;
    this.text = text.map((part) => (Array.isArray(part) ? part[0] : part)).join("");
    this.names = [...namesIn(tree)];
    this.run = compile(tree, game, this.text);
  }
}
/** @param {T.Tree} tree @returns {Set<string>} */
export function namesIn(tree, found = new Set()) {
  if (Array.isArray(tree)) {
    if (tree[0] === "name") found.add(tree[1]);
    else for (const arg of tree.slice(1)) namesIn(/** @type {T.Tree} */ (arg), found);
  }
  return found;
}
/** @param {any} a @param {any} b */
export const same = (a, b) => (typeof a === "string" ? a.toLowerCase() === b.toLowerCase() : a === b);
/** @type {Record<string, (a: any, b: any) => boolean>} */
export const COMPARED = {
  "=": same, "!=": (a, b) => !same(a, b), "<": (a, b) => a < b, "<=": (a, b) => a <= b,
  ">": (a, b) => a > b, ">=": (a, b) => a >= b,
};
/** @param {string} way @param {number} over @param {number} under */
export function divide(way, over, under) {
  const down = Math.floor((over - (over % under)) / under) - (over % under && over < 0 !== under < 0 ? 1 : 0);
  const rest = Math.abs(over - down * under);
  return down + (way === "up" ? +!!rest : way === "near" ? +(2 * rest >= Math.abs(under)) : 0);
}
/** @param {T.TableData} table @param {any} row @returns {any[] | undefined} */
function cells(table, row) {
  if (typeof row === "string") return Object.entries(table.rows).find(([name]) => same(name, row))?.[1];
  return table.ranges.find(([low, high]) => (low ?? -Infinity) <= row && row <= (high ?? Infinity))?.[2];
}
/** Trees become functions; no code is made from text, so that strict pages can use this.
 * @param {T.Tree} tree @param {T.Tables} game @param {string} text @returns {Run} */
export function compile(tree, game, text) {
  if (!Array.isArray(tree)) return () => tree;
  const [op, first] = tree;
  if (op === "word") return () => first;
  if (op === "name") return (v) => v[first];
  if (op === "tally") return (v, t) => (game.reads?.[first] ? game.reads[first](v, t) : t[first]);
  const stop = (/** @type {string} */ name, values = {}) => new RollError(say(name, values) + (text && `: ${text}`));
  const inside = (/** @type {number} */ value) => {
    if (value > LARGEST || value < -LARGEST) throw stop("wrong far", { most: LARGEST });
    return value;
  };
  if (op === "lookup") {
    const table = game.tables[first], row = compile(tree[2], game, text), column = table.columns.indexOf(tree[3]);
    return (v, t) => {
      const found = cells(table, row(v, t));
      if (!found) throw stop("wrong row", { table: first, row: row(v, t) });
      return found[column];
    };
  }
  const runs = tree.slice(1).map((arg) => compile(arg, game, text)), [a, b] = runs, compare = COMPARED[op];
  if (compare) return (v, t) => +compare(a(v, t), b(v, t));
  const work = FUNCTIONS[op] ?? game.functions?.[op];
  if (work) return work(runs, inside);
  return (v, t) => {
    const over = a(v, t), under = b(v, t);
    if (!under) throw stop("wrong zero");
    return divide(op, over, under);
  };
}
/** @type {Record<string, (runs: Run[], inside: (value: number) => number) => Run>} */
const FUNCTIONS = {
  "+": (runs, inside) => (v, t) => {
    let found = 0, exact = true;
    for (const run of runs) exact = Number.isSafeInteger((found += run(v, t))) && exact;
    return exact ? found : inside(Number(runs.reduce((so, run) => so + BigInt(run(v, t)), 0n)));
  },
  "*": (runs, inside) => (v, t) => {
    const values = runs.map((run) => run(v, t));
    return values.includes(0) ? 0 : inside(values.reduce((a, b) => a * b));
  },
  neg: ([a]) => (v, t) => 0 - a(v, t),
  abs: ([a]) => (v, t) => Math.abs(a(v, t)),
  not: ([a]) => (v, t) => +!a(v, t),
  if: ([a, b, c]) => (v, t) => (a(v, t) ? b : c)(v, t),
  and: (runs) => (v, t) => +runs.every((run) => run(v, t)),
  or: (runs) => (v, t) => +runs.some((run) => run(v, t)),
  max: ([a, b, ...more]) => (v, t) => Math.max(a(v, t), b(v, t), ...more.map((run) => run(v, t))),
  min: ([a, b, ...more]) => (v, t) => Math.min(a(v, t), b(v, t), ...more.map((run) => run(v, t))),
};
