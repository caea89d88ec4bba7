// Plans a question about odds: the coordinates (sums over the dice) that it depends on.
/** @import * as T from "./engine.d.ts" */
/** @import {Coordinate, Formula, Plan, BoundRule} from "./parts.d.ts" */
import { compile, namesIn } from "./formula.js";
import { add, attempt } from "./messages.js";

/** @param {T.Tree} tree @returns {tree is number | ["word", string]} */
const fixed = (tree) => typeof tree === "number" || tree[0] === "word";

export class Planner {
  /** @param {BoundRule} bound */
  constructor(bound) {
    this.bound = bound;
    this.rule = bound.rule;
    /** @type {Map<string, {tree: T.Tree, form: Map<number, number> | null}>} */
    this.steps = new Map();
    for (const name of bound.open) {
      const tree = this.fold(this.tree(name));
      this.steps.set(name, { tree, form: this.linear(tree) });
    }
    /** @type {Map<string, Coordinate>} */
    this.coordinates = new Map();
    /** @type {Map<string, T.Tree>} */
    this.used = new Map();
  }
  /** @param {string} name @returns {T.Tree} */
  tree(name) {
    const { asked, steps } = this.rule, entry = asked.get(name);
    if (!entry) return /** @type {any} */ (steps.get(name)).tree;
    const constant = (/** @type {any} */ value) => (typeof value === "string" ? ["word", value] : value);
    return ["if", entry.asked.tree, constant(this.bound.values[name] ?? entry.default), constant(entry.default)];
  }
  /** A tree in which everything that is known is worked out. @param {T.Tree} tree @returns {T.Tree} */
  fold(tree) {
    if (fixed(tree) || tree[0] === "tally") return tree;
    const [op, ...args] = tree;
    if (op === "name") {
      const value = this.bound.known[args[0]], step = this.steps.get(args[0]);
      if (step) return fixed(step.tree) ? step.tree : tree;
      return value === undefined ? tree : typeof value === "string" ? ["word", value] : value;
    }
    if (op === "lookup") {
      const row = this.fold(args[1]);
      return this.foldConstants(["lookup", args[0], row, args[2]], [row]);
    }
    const first = this.fold(args[0]);
    if (op === "if" && fixed(first)) return this.fold(first ? args[1] : args[2]);
    if ((op === "and" || op === "or") && fixed(first))
      return !!first === (op === "or") || args.length === 1 ? +!!first : this.fold([op, ...args.slice(1)]);
    const folded = [first, ...args.slice(1).map((arg) => this.fold(arg))];
    return this.foldConstants([op, ...folded], folded);
  }
  /** @param {any} tree @param {T.Tree[]} parts @returns {T.Tree} */
  foldConstants(tree, parts) {
    if (!parts.every(fixed)) return tree;
    const [value] = attempt(() => compile(tree, this.rule.game, "")({}, []));
    return value === null ? tree : typeof value === "string" ? ["word", value] : value;
  }
  /** A tree as so many of each tally and a constant (-1), if it is no more than that. @param {T.Tree} tree @returns {Map<number, number> | null} */
  linear(tree) {
    if (typeof tree === "number") return new Map([[-1, tree]]);
    const [op, ...args] = tree;
    if (op === "name") return this.steps.get(args[0])?.form ?? null;
    if (op === "tally") return ["sum", "count"].includes(this.rule.tallies[args[0]].function) ? new Map([[args[0], 1]]) : null;
    if (op !== "+" && op !== "neg" && op !== "*") return null;
    const parts = args.flatMap((arg) => this.linear(arg) ?? []);
    if (parts.length < args.length) return null;
    if (op === "+") return addForms(parts);
    const open = parts.filter((part) => part.size > 1 || !part.has(-1)), others = parts.filter((part) => !open.includes(part));
    if (open.length !== 1) return null;
    return scaleForm(open[0], op === "neg" ? -1 : others.reduce((so, part) => so * (part.get(-1) ?? 0), 1));
  }
  /** A tree over the coordinates that are kept. @param {T.Tree} tree @returns {T.Tree} */
  rewrite(tree) {
    if (fixed(tree)) return tree;
    const form = this.linear(tree), [op, ...args] = tree, again = (/** @type {T.Tree} */ arg) => this.rewrite(arg);
    if (form && [...form.values()].every((times) => Math.abs(times) < 1e6)) return this.coordinate(form);
    if (op === "tally") return this.place(`tally ${args[0]}`, { form: null, tally: args[0] });
    if (op === "name") return this.use(args[0], tree);
    if (op === "lookup") return ["lookup", args[0], again(args[1]), args[2]];
    const plain = op === "+" ? args.filter((arg) => this.linear(arg)) : [];
    if (plain.length < 2 || plain.length === args.length) return [op, ...args.map(again)];
    return ["+", again(["+", ...plain]), ...args.filter((arg) => !plain.includes(arg)).map(again)];
  }
  /** @param {string} name @param {T.Tree} tree @returns {T.Tree} */
  use(name, tree) {
    const step = this.steps.get(name);
    if (step && !this.used.has(name)) this.used.set(name, this.rewrite(step.tree));
    return tree;
  }
  /** @param {Map<number, number>} sum @returns {T.Tree} */
  coordinate(sum) {
    const own = [...sum].filter(([tally, times]) => tally >= 0 && times).sort(([a], [b]) => a - b), constant = sum.get(-1) ?? 0;
    if (!own.length) return constant;
    const times = own.reduce((so, [, one]) => shared(so, one), 0) * Math.sign(own[0][1]), form = new Map(own.map(([tally, one]) => [tally, one / times]));
    return ["+", ["*", times, this.place(`sum ${[...form]}`, { form, tally: -1 })], constant];
  }
  /** @param {string} key @param {Coordinate} made @returns {T.Tree} */
  place(key, made) {
    if (!this.coordinates.has(key)) this.coordinates.set(key, made);
    return ["tally", [...this.coordinates.keys()].indexOf(key)];
  }
  /** @param {Formula[]} formulas @returns {Plan} */
  plan(formulas) {
    const { used, rule, steps } = this, trees = formulas.map(({ tree }) => this.rewrite(this.fold(tree)));
    const lines = [...steps.keys()].filter((name) => used.has(name))
      .map((name) => ({ name, run: compile(used.get(name) ?? 0, rule.game, rule.formula(name).text) }));
    const coordinates = [...this.coordinates.values()];
    return {
      coordinates, key: [...this.coordinates.keys()].join(), runs: trees.map((tree, place) => compile(tree, rule.game, formulas[place].text)),
      asked: new Set(coordinates.flatMap(({ form, tally }) => (form ? [...form.keys()] : [tally]))),
      needs: [...used.values(), ...trees].flatMap((tree) => [...namesIn(tree)]).filter((name) => !steps.has(name)),
      work: (v, t) => {
        for (const { name, run } of lines) v[name] = run(v, t);
      },
    };
  }
}
/** The greatest number that divides both. @param {number} a @param {number} b @returns {number} */
const shared = (a, b) => (b ? shared(b, a % b) : Math.abs(a));
/** @param {Map<number, number>} form @param {number} by */
const scaleForm = (form, by) => new Map([...form].map(([tally, times]) => [tally, times * by]));
/** @param {Map<number, number>[]} forms */
function addForms(forms) {
  const found = new Map();
  for (const form of forms) for (const [tally, times] of form) add(found, tally, times);
  return found;
}
