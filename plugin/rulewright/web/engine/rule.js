// Loads a game from its JSON, and compiles the formulas of its rules.
/** @import * as T from "./engine.d.ts" */
/** @import {Kind, Outcome, Reroll, BoundRule, Tally, Values} from "./parts.d.ts" */
import { Formula, compile, namesIn } from "./formula.js";
import { shown } from "./inputs.js";

export const SIDES = ["first", "second"]; // of a contest
/** @param {T.GameData} data @returns {T.Game} */
export function load(data) {
  const formulas = (/** @type {any} */ raw) => raw && Object.fromEntries(Object.entries(raw).map(([name, one]) => [name, new Formula(one, data)]));
  const register = Object.fromEntries(Object.entries(data.register).map(([name, one]) => [name, { ...one, untrained: formulas(one.untrained) }]));
  const game = { ...data, register }, rules = Object.fromEntries(Object.entries(data.rules).map(([name, raw]) => [name, new Rule(game, name, raw)]));
  for (const rule of Object.values(rules)) rule.sides = rule.contest ? rule.contest.of.map((name) => rules[name]) : [];
  return { title: data.title, folder: data.folder, alone: data.alone, rules: /** @type {any} */ (rules) };
}
export class Rule {
  /** @param {T.GameData} game @param {string} name @param {T.RuleData} raw */
  constructor(game, name, raw) {
    const formula = (/** @type {any} */ one) => (one === null ? null : new Formula(one, game));
    /** @type {(part: any, ...keys: string[]) => any} */
    const filled = (part, ...keys) => part && { ...part, ...Object.fromEntries(keys.map((key) => [key, formula(part[key])])) };
    const named = (/** @type {string} */ table) =>
      game.tables[table].ranges.length
        ? game.tables[table].ranges.map(([low, high, row]) => [String(row[0]), low ?? high ?? 0])
        : Object.entries(game.tables[table].rows).map(([key, row]) => [key, row[0]]);
    this.game = game;
    this.name = name;
    this.label = raw.label;
    this.contest = raw.contest;
    this.policies = raw.policies;
    this.traits = raw.traits;
    /** @type {Rule[]} */
    this.sides = [];
    /** @type {T.Input[]} */
    this.inputs = raw.inputs.map((entry) => ({ ...filled(entry, "asked"), named: entry.names ? named(entry.names) : [] }));
    /** @type {Kind[]} */
    this.dice = raw.dice.map((kind) => ({
      ...filled(kind, "count", "sides", "good", "bad"), again: filled(kind.again, "when", "times", "optional"),
      explode: filled(kind.explode, "when", "optional"), keep: filled(kind.keep, "number"),
    }));
    /** @type {Reroll[]} */
    this.rerolls = raw.rerolls.map((entry) => filled(entry, "times", "when"));
    /** @type {Tally[]} */
    this.tallies = raw.tallies.map((tally) => ({ ...tally, run: tally.test === null ? null : compile(tally.test, game, ""),
      names: tally.test === null ? [] : [...namesIn(tally.test)] }));
    /** @type {Map<string, Formula>} */
    this.steps = new Map(raw.steps.map(([step, one]) => [step, new Formula(one, game)]));
    /** @type {Record<string, Formula>} */
    this.marks = filled(raw.marks, ...Object.keys(raw.marks));
    /** @type {Outcome[]} */
    this.outcomes = raw.outcomes.map((outcome) => filled(outcome, "when", "degree"));
    /** @type {T.Spend[]} */
    this.spends = raw.spends.map((one) => ({ ...one, changes: filled(one.changes, ...Object.keys(one.changes)) }));
    this.order = raw.order;
    this.fixed = raw.fixed;
    /** @type {Map<string, any>} */
    this.asked = new Map(this.inputs.filter((entry) => entry.asked).map((entry) => [entry.name, entry]));
    this.needs = this.needed([...this.steps.values(), ...this.outcomes.flatMap((one) => [one.when, one.degree])]);
    /** @type {[string, BoundRule] | null} */
    this.last = null;
    /** @type {Map<string, any>} */
    this.memory = new Map(); // of odds
    const names = this.dice.map((kind) => kind.name).sort((a, b) => b.length - a.length);
    const escaped = names.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    this.kindNames = names.length ? `(?:${escaped})(?![^\\s,|\\[\\]])` : "(?!)";
  }
  /** @param {string} name @returns {Formula} */
  formula(name) {
    return this.steps.get(name) ?? this.asked.get(name).asked;
  }
  /** All names that these formulas rest on, through steps and questions. @param {(Formula | null)[]} formulas */
  needed(formulas) {
    /** @type {Set<string>} */
    const found = new Set();
    for (const waiting = [...formulas]; waiting.length; )
      for (const name of waiting.pop()?.names ?? [])
        if (!found.has(name)) {
          found.add(name);
          if (this.steps.has(name) || this.asked.has(name)) waiting.push(this.formula(name));
        }
    return found;
  }
}
/** @param {T.Input} entry */
export const variables = (entry) => (entry.parts.length ? entry.parts : [entry.name]);
/** @param {Rule} rule @param {Values} values @param {(name: string) => boolean} meant */
export const formatInputs = (rule, values, meant) =>
  rule.inputs.filter((entry) => entry.name in values && variables(entry).some(meant))
    .map((entry) => `${entry.name} ${shown(entry, values[entry.name])}`).join(", ");

/** The values of inputs as formulas name them: a die code becomes its two parts. @param {Rule} rule @param {Values} values */
export function knownNames(rule, values) {
  /** @type {Values} */
  const known = Object.create(null);
  for (const entry of rule.inputs)
    if (entry.name in values)
      variables(entry).forEach((name, place) => (known[name] = entry.parts.length ? values[entry.name][place] : values[entry.name]));
  return known;
}
