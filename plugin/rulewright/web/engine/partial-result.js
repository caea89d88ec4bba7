// What is certain of a roll where some inputs are not known, and which of them must be.
/** @import * as T from "./engine.d.ts" */
/** @import {Result, Rule, Setting, Worth} from "./parts.d.ts" */
import { Formula, same } from "./formula.js";
import { variables } from "./rule.js";
import { ANY, BOTH, between, bound, exactly, hull, number, told, truth } from "./intervals.js";
import { THROWN, settle } from "./bound-rule.js";
import { attempt } from "./messages.js";

/** What is known of every value, be it only its range. @param {Setting} setting @param {Worth[]} t */
function supposed({ rule, known, values }, t) {
  /** @type {Record<string, Worth>} */
  const v = {};
  for (const entry of rule.inputs) Object.assign(v, worths(entry));
  for (const name in known) v[name] = exactly(known[name]);
  for (const name of rule.order) {
    const found = bound(rule.formula(name).tree, v, t, rule.game), entry = rule.asked.get(name);
    v[name] = entry ? askedWorth(entry, values[name] ?? entry.default, found) : found;
  }
  return v;
}
/** All of a roll that is certain. @param {Result} result */
export function outline(result) {
  const { rule, setting } = result, t = result.tallies.map(exactly), v = supposed(setting, t);
  const of = (/** @type {Formula} */ formula) => bound(formula.tree, v, t, rule.game);
  for (const name of rule.steps.keys()) result.steps[name] = told(v[name]);
  for (const outcome of rule.outcomes) {
    const holds = outcome.when ? truth(number(of(outcome.when))) : true;
    if (holds === null) return;
    if (!holds) continue;
    const degree = outcome.degree && told(of(outcome.degree));
    result.degree = typeof degree === "number" ? degree : null;
    result.outcome = outcome;
    return;
  }
}
/** The formulas in a part of a rule. @param {any} part @returns {T.Tree[]} */
const treesIn = (part) =>
  part instanceof Formula ? [part.tree] : part && typeof part === "object" ? Object.values(part).flatMap(treesIn) : [];
/** Inputs without which nothing can be told of a roll: what is open may stay so, unless a contest compares it.
 * @param {Rule} rule @param {T.Inputs} inputs @param {string} [compare] @returns {T.Input[]} */
export function lacking(rule, inputs, compare) {
  const [found] = attempt(() => {
    const [setting] = settle(rule, inputs);
    if (!setting) return [];
    const t = rule.tallies.map(() => ANY), v = { ...Object.fromEntries(THROWN.map((name) => [name, ANY])), ...supposed(setting, t) };
    /** Names that still count: what is certain needs none, and a branch that is not taken. @param {T.Tree} tree @param {Set<string>} names */
    const awaited = (tree, names) => {
      if (!Array.isArray(tree) || told(bound(tree, v, t, rule.game)) !== null) return names;
      const [op, ...args] = /** @type {any[]} */ (tree), holds = op === "if" ? truth(number(bound(args[0], v, t, rule.game))) : null;
      if (op === "name" && !names.has(args[0])) {
        names.add(args[0]);
        if (rule.steps.has(args[0]) || rule.asked.has(args[0])) awaited(rule.formula(args[0]).tree, names);
      } else for (const arg of holds === null ? args : [args[holds ? 1 : 2]]) awaited(arg, names);
      return names;
    };
    const all = (/** @type {T.Tree[]} */ trees) => trees.reduce((names, tree) => awaited(tree, names), /** @type {Set<string>} */ (new Set()));
    const ends = all(treesIn(compare ? rule.formula(compare) : [...rule.steps.values(), rule.outcomes]));
    const dice = all([...treesIn([rule.dice, rule.rerolls]), ...rule.tallies.map(({ test }) => test)]);
    return rule.inputs.filter((entry) => !(entry.name in setting.values) && variables(entry).some((name) =>
      (ends.has(name) && !!(compare || !entry.open)) || (dice.has(name) && !entry.open)));
  });
  return found ?? [];
}
/** The range of every variable of an input. @param {T.Input} entry @returns {Record<string, Worth>} */
function worths(entry) {
  const { form, name, parts, least, most, dice } = entry;
  if (form === "code") return { [parts[0]]: between(least, most), [parts[1]]: [0, 2] };
  return { [name]: form === "choice" ? entry.choices : form === "flag" ? BOTH : form === "die" ? hull(dice) : [least, most] };
}
/** @param {T.Input} entry @param {any} value @param {Worth} found @returns {Worth} */
function askedWorth(entry, value, found) {
  const holds = truth(number(found));
  if (holds || same(value, entry.default)) return exactly(value);
  return holds === false ? exactly(entry.default) : ANY;
}
