// How likely everything is: chances in doubles, right to 1e-12, or an honest «cannot».
// Dice become distributions over the few sums that the answer rests on; nothing is subtracted, so no digits are lost.
/** @import * as T from "./engine.d.ts" */
/** @import {Formula, Rule, Values} from "./parts.d.ts" */
import { bind, policies, suggest } from "./inputs.js";
import { Reckoner } from "./reckoner.js";
import { Setting } from "./setting.js";
import { Stop, attempt, say } from "./words.js";

class Odds {
  /** @param {Setting} setting @param {string} policy */
  constructor(setting, policy) {
    const { rule } = setting, [taking, choosing] = policies(rule, policy);
    this.setting = setting;
    this.rule = rule;
    const optional = (/** @type {any} */ kind) => [kind.again, kind.explode].some((part) => part && part.optional.tree !== 0);
    const picks = (/** @type {any} */ reroll) => reroll.pick === "any" && setting.of(reroll.times) > 0;
    this.policy = [...(rule.dice.some(optional) ? [taking] : []), ...(rule.rerolls.some(picks) ? [choosing] : [])].join(", ");
    this.reckoner = new Reckoner(setting, taking === "always", choosing);
    this.whens = rule.outcomes.flatMap(({ when }) => when ?? []);
    /** @type {Record<string, number>} */
    this.chances = Object.fromEntries(rule.outcomes.map(({ name }) => [name, 0]));
  }
  /** The chances are worked out at once, so that what keeps them from it is said. */
  now() {
    const { outcomes } = this.rule;
    if (outcomes.length) this.reckoner.each(this.whens, (value, weight) => (this.chances[outcomes[this.outcome(value)].name] += weight));
    return this;
  }
  /** The number of the first outcome that holds. @param {(at: number) => any} value */
  outcome(value) {
    const at = this.whens.findIndex((_, place) => value(place));
    return at < 0 ? this.whens.length : at;
  }
  /** @param {string} step @returns {Map<any, number>} */
  values(step) {
    const values = new Map();
    this.reckoner.each([/** @type {Formula} */ (this.rule.steps.get(step))], (value, weight) => {
      const one = value(0);
      values.set(one, (values.get(one) ?? 0) + weight);
    });
    return values;
  }
  /** @param {string} step @returns {Map<any, number> | null} */
  spread(step) {
    return attempt(() => this.values(step))[0];
  }
  /** @param {string} step */
  mean(step) {
    const spread = this.spread(step);
    return spread && mean([...spread]);
  }
  /** The mean degree of an outcome, all others counted as 0. @param {string} outcome */
  meanDegree(outcome) {
    const number = this.rule.outcomes.findIndex(({ name }) => name === outcome), { degree } = this.rule.outcomes[number];
    const [found] = attempt(() => {
      /** @type {[any, number][]} */
      const values = [];
      this.reckoner.each([...this.whens, degree], (value, weight) => {
        if (this.outcome(value) === number) values.push([value(this.whens.length), weight]);
      });
      return mean(values);
    });
    return found;
  }
}
/** @param {[any, number][]} values */
const mean = (values) => (values.some(([value]) => typeof value === "string") ? null : values.reduce((so, [value, weight]) => so + value * weight, 0));

/** @param {Rule} rule @param {T.Inputs} inputs @returns {{odds: T.Odds | null, complaints: T.Complaint[]}} */
export function odds(rule, inputs, policy = "") {
  const known = ["always", "never", "best mean", "best chance"];
  const complain = (/** @type {string} */ part, /** @type {string} */ message) => ({ part, message, start: 0, end: 0 });
  if (policy && !known.includes(policy)) return { odds: null, complaints: [complain("policy", say("wrong policy", { name: policy, near: suggest(policy, known) }))] };
  const [found, complaints] = attempt(() => {
    if (rule.contest) return contest(rule, inputs, policy);
    const [values, wrong] = bind(rule, inputs);
    return { odds: wrong.length ? null : new Odds(new Setting(rule, values), policy).now(), complaints: wrong };
  });
  return /** @type {any} */ (found ?? { odds: null, complaints });
}
export const SIDES = ["first", "second"];
/** @param {Rule} rule @param {T.Inputs} inputs @param {string} policy */
function contest(rule, inputs, policy) {
  const given = SIDES.map(() => /** @type {Record<string, any>} */ ({}));
  /** @type {T.Complaint[]} */
  const complaints = [];
  for (const [name, value] of Object.entries(inputs)) {
    const [side, ...own] = name.split("."), at = SIDES.indexOf(side.toLowerCase()), plain = name.split(".").at(-1);
    if (at >= 0 && own.length) given[at][own.join(".")] = value;
    else complaints.push({ part: name, message: say("wrong side", { name: plain }), start: 0, end: 0 });
  }
  const bound = rule.sides.map((side, at) => {
    const [values, wrong] = bind(side, given[at]);
    complaints.push(...wrong.map((one) => ({ ...one, part: `${SIDES[at]}.${one.part}` })));
    return values;
  });
  if (complaints.length) return { odds: null, complaints };
  const { compare, ties } = /** @type {T.ContestData} */ (rule.contest);
  const sides = rule.sides.map((side, at) => sideOf(side, bound[at], compare, policy, SIDES[at]));
  return { odds: { policy: [...new Set(sides.map((side) => side.policy).filter(Boolean))].join(", "), chances: compared(sides[0].spread, sides[1].spread, ties) }, complaints };
}
/** @param {Rule} rule @param {Values} values @param {string} step @param {string} policy @param {string} name */
function sideOf(rule, values, step, policy, name) {
  try {
    const own = new Odds(new Setting(rule, values), policy);
    return { policy: own.policy, spread: own.values(step) };
  } catch (error) {
    const missing = /** @type {any} */ (error).missing;
    throw missing ? new Stop(say("wrong open", { names: missing.map((/** @type {string} */ one) => `${name}.${one}`).join(", ") })) : error;
  }
}
/** @param {Map<number, number>} first @param {Map<number, number>} second @param {string} ties */
function compared(first, second, ties) {
  let more = 0, equal = 0, less = 0;
  for (const [a, chance] of first) for (const [b, other] of second) {
    if (a > b) more += chance * other;
    else if (a < b) less += chance * other;
    else equal += chance * other;
  }
  if (ties === "none") return { first: more, second: less, none: equal };
  if (ties !== "again") return { first: more + (ties === "first" ? equal : 0), second: less + (ties === "second" ? equal : 0) };
  if (!(more + less > 1e-14)) throw new Stop(say("wrong endless"));
  return { first: more / (more + less), second: less / (more + less) };
}
