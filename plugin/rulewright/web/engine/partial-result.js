// Partial evaluation: what is certain of a roll with unknown inputs, and which inputs it needs.
/** @import * as T from "./engine.d.ts" */
/** @import {Result, Rule, Run, ValueSet} from "./parts.d.ts" */
import { Formula, namesIn, same } from "./formula.js";
import { variables } from "./rule.js";
import { ANY, BOTH, between, valueSet, single, hull, number, certain, truth } from "./intervals.js";
import { talliesIn, tallyNames } from "./dice-sets.js";
import { BoundRule, bindRule } from "./bound-rule.js";
import { attempt } from "./messages.js";

/** What is known of every value, be it only its range. @param {BoundRule} bound @param {ValueSet[]} t */
function knownSets({ rule, known, values, questions }, t, /** @type {any} */ rolled = []) {
  /** @type {Record<string, ValueSet>} */
  const v = {};
  for (const entry of rule.inputs) Object.assign(v, inputSets(entry));
  for (const name in known) v[name] = single(known[name]);
  const read = (/** @type {Formula} */ formula) => readTallies(rule, formula, v, t, rolled);
  for (const name of rule.order) {
    read(rule.formula(name));
    const isSettled = rule.askedEarly.has(name) && name in questions, entry = rule.asked.get(name);
    const found = isSettled ? single(+questions[name]) : valueSet(rule.formula(name).tree, v, t, rule.game);
    v[name] = entry?.form === "dice" ? v[name] : entry ? askedSet(entry, values[name], found) : found;
  }
  for (const { when, degree } of rule.outcomes) for (const own of [when, degree]) if (own) read(own);
  return v;
}
/** What a formula reads from the table, as far as the values are certain that decide it.
 * @param {Rule} rule @param {Formula} formula @param {Record<string, ValueSet>} v @param {ValueSet[]} t @param {any} rolled */
function readTallies(rule, formula, v, t, rolled) {
  for (const number of talliesIn(formula.tree))
    if (rule.reads[number]) {
      const names = [...tallyNames(rule, number)], values = Object.fromEntries(names.map((name) => [name, v[name] && certain(v[name])]));
      const isKnown = rolled.table && names.every((name) => values[name] !== null && values[name] !== undefined);
      if (rolled.table) rolled[number] = isKnown ? /** @type {Run} */ (rule.reads[number])({ ...rolled.table.known, ...values }, rolled) : NaN;
      t[number] = isKnown ? single(rolled[number]) : ANY;
    }
}
/** All of a roll that is certain. @param {Result} result */
export function fillCertain(result) {
  const { rule, bound } = result, t = result.tallies.map(single), v = knownSets(bound, t, /** @type {any} */ (result.tallies));
  const of = (/** @type {Formula} */ formula) => valueSet(formula.tree, v, t, rule.game);
  for (const name of rule.steps.keys()) result.steps[name] = certain(v[name]);
  for (const outcome of rule.outcomes) {
    const holds = outcome.when ? truth(number(of(outcome.when))) : true;
    if (holds === null) return;
    if (!holds) continue;
    const degree = outcome.degree && certain(of(outcome.degree));
    result.ownDegree = typeof degree === "number" ? degree : null;
    result.ownOutcome = outcome;
    return;
  }
}
/** The formulas in a part of a rule. @param {any} part @returns {T.Tree[]} */
const formulaTrees = (part) =>
  part instanceof Formula ? [part.tree] : part && typeof part === "object" ? Object.values(part).flatMap(formulaTrees) : [];
/** Inputs without which nothing can be told of a roll: what is open may stay so, unless a contest compares it.
 * @param {Rule} rule @param {T.Inputs} inputs @param {string} [compare] @returns {T.Input[]} */
export function missingInputs(rule, inputs, compare) {
  const [found] = attempt(() => {
    const [bound] = bindRule(rule, inputs);
    if (!bound) return [];
    const t = rule.tallies.map(() => ANY), v = { ...Object.fromEntries([...Object.keys(rule.words), ...rule.tallies.map(({ word }) => word)].map((name) => [name, ANY])), ...knownSets(bound, t) };
    /** Names that still count: what is certain needs none, and a branch that is not taken. @param {T.Tree} tree @param {Set<string>} names */
    const awaited = (tree, names) => {
      if (!Array.isArray(tree) || certain(valueSet(tree, v, t, rule.game)) !== null) return names;
      const [op, ...args] = /** @type {any[]} */ (tree), holds = op === "if" ? truth(number(valueSet(args[0], v, t, rule.game))) : null;
      if (op === "name" && !names.has(args[0])) {
        names.add(args[0]);
        if (rule.steps.has(args[0]) || rule.asked.has(args[0])) awaited(rule.formula(args[0]).tree, names);
      } else for (const arg of holds === null ? args : [args[holds ? 1 : 2]]) awaited(arg, names);
      return names;
    };
    const all = (/** @type {T.Tree[]} */ trees) => trees.reduce((names, tree) => awaited(tree, names), /** @type {Set<string>} */ (new Set()));
    const ends = all(formulaTrees(compare ? rule.formula(compare) : [...rule.steps.values(), rule.outcomes]));
    const dice = all([...formulaTrees([rule.dice, rule.rerolls]), ...rule.tallies.map(({ test }) => test)]);
    return rule.inputs.filter((entry) => !(entry.name in bound.values) && !entry.is_choice && variables(entry).some((name) =>
      (ends.has(name) && !!(compare || !entry.open)) || (dice.has(name) && !entry.open)));
  });
  return found ?? [];
}
/** The range of every variable of an input. @param {T.Input} entry @returns {Record<string, ValueSet>} */
export function inputSets(entry) {
  const { form, name, parts, least, most, dice } = entry;
  if (form === "dice") return { [name]: [entry.default, "?"] };
  if (form === "code") return { [parts[0]]: between(least, most), [parts[1]]: [0, 2] };
  return { [name]: form === "choice" ? entry.choices : form === "flag" ? BOTH : form === "die" ? hull(dice) : [least, most] };
}
/** @param {T.Input} entry @param {any} value @param {ValueSet} found @returns {ValueSet} */
function askedSet(entry, value, found) {
  const holds = truth(number(found)), isOpen = value === undefined && entry.is_choice, now = value ?? entry.default;
  if (isOpen ? holds : holds || same(now, entry.default)) return isOpen ? inputSets(entry)[entry.name] : single(now);
  return holds === false ? single(entry.default) : ANY;
}
/** The same with a rule without choices and entries of `again`, if these inputs leave nothing of both. As odds/unasked.py. @param {BoundRule} bound @returns {BoundRule} */
export function withoutUnasked(bound) {
  const { rule, known, values } = bound, choices = rule.inputs.filter((entry) => entry.is_choice);
  if (rule.hasRounds || !choices.length) return bound;
  const /** @type {Record<string, any>} */ v = {};
  for (const name of [...rule.inputs.flatMap(variables), ...rule.order]) v[name] = ANY;
  for (const name in known) v[name] = single(known[name]);
  const isNothing = (/** @type {any} */ formula) => number(valueSet(formula.tree, v, rule.tallies.map(() => ANY), rule.game))[1] <= 0;
  if (!choices.every(({ asked }) => asked && isNothing(asked))) return bound;
  const never = Object.fromEntries(choices.map((entry) => [entry.name, entry.default]));
  for (const name in never) v[name] = single(never[name]);
  if (!rule.rerolls.every(({ times }) => isNothing(times))) return bound;
  if (!rule.memory.has("unasked")) rule.memory.set("unasked", leaveOut(rule, never));
  const reduced = rule.memory.get("unasked");
  return reduced ? new BoundRule(reduced, { ...values, ...never }) : bound;
}
/** A rule without its choices and entries; null if its dice are not all known at once. @param {Rule} rule @param {T.Inputs} never @returns {Rule | null} */
function leaveOut(rule, never) {
  const isFirst = +(rule.stages[0]?.what === "values"), stages = rule.stages.slice(isFirst), isLeft = (/** @type {any} */ name) => !(name in never);
  const namesOf = (/** @type {string} */ what) => stages.flatMap((stage) => (stage.what === what ? /** @type {any[]} */ (stage.of) : []));
  const later = namesOf("values").filter((name, place, all) => isLeft(name) && all.lastIndexOf(name) === place), dice = stages.filter(({ what }) => what === "dice"), earned = [...new Set(namesOf("earned"))];
  if (dice.length !== 1 || namesOfDice(rule).some((name) => later.includes(name) || !isLeft(name))) return null;
  const fixed = isFirst ? /** @type {string[]} */ (rule.stages[0].of).filter(isLeft) : [];
  const inputs = rule.inputs.map((entry) => (entry.is_choice ? { ...entry, asked: null, is_choice: false, goal: undefined } : entry));
  return Object.assign(Object.create(rule), {
    inputs, asked: new Map([...rule.asked].filter(([name]) => isLeft(name))), rerolls: [], memory: new Map(), last: null, fixed, askedEarly: new Set(), order: [...fixed, ...later],
    stages: [...(isFirst ? [{ what: "values", of: fixed }] : []), ...dice, ...(earned.length ? [{ what: "earned", of: earned }] : []), { what: "values", of: later }],
  });
}
/** The names that decide what dice do, and what is read from them. @param {Rule} rule @returns {string[]} */
function namesOfDice({ dice, sets, tallies }) {
  const formulas = dice.flatMap((kind) => [kind.count, kind.sides, ...Object.values(kind.tests), ...kind.deck, ...kind.again.flatMap(({ when, count, optional }) => [when, count, optional])]);
  const trees = [...formulas.map((own) => own?.tree), ...sets.flatMap(({ by, test, number }) => [by, test, number?.tree]), ...tallies.flatMap(({ test, domain }) => [test, domain])];
  return trees.flatMap((tree) => [...namesIn(/** @type {any} */ (tree))]);
}
