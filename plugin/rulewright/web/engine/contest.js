// Contests: who wins, and the odds of both sides.
/** @import * as T from "./engine.d.ts" */
/** @import {Rule, Values} from "./parts.d.ts" */
import { Odds } from "./rule-odds.js";
import { bind } from "./inputs.js";
import { SIDES } from "./rule.js";
import { BoundRule } from "./bound-rule.js";
import { RollError, complaint, say } from "./messages.js";

/** Who wins a contest; «again» where both are to throw again. @param {{contest: T.ContestData | null}} rule @param {T.Result} first @param {T.Result} second @returns {string | null} */
export function winner({ contest }, first, second) {
  const { compare, ties } = /** @type {T.ContestData} */ (contest), a = first.steps[compare], b = second.steps[compare];
  if (typeof a !== "number" || typeof b !== "number") return null;
  return a > b ? "first" : a < b ? "second" : ties;
}
/** @param {Rule} rule @param {T.Inputs} inputs @param {string} policy */
export function contest(rule, inputs, policy) {
  const given = SIDES.map(() => /** @type {Record<string, any>} */ ({}));
  /** @type {T.Complaint[]} */
  const complaints = [];
  for (const [name, value] of Object.entries(inputs)) {
    const [side, ...own] = name.split("."), at = SIDES.indexOf(side.toLowerCase()), plain = name.split(".").at(-1);
    if (at >= 0 && own.length) given[at][own.join(".")] = value;
    else complaints.push(complaint(name, say("wrong side", { name: plain })));
  }
  const bound = rule.sides.map((side, at) => {
    const [values, wrong] = bind(side, given[at]);
    complaints.push(...wrong.map((one) => ({ ...one, part: `${SIDES[at]}.${one.part}` })));
    return values;
  });
  if (complaints.length) return { odds: null, complaints };
  const { compare, ties } = /** @type {T.ContestData} */ (rule.contest);
  const sides = rule.sides.map((side, at) => sideOdds(side, bound[at], compare, policy, SIDES[at]));
  return { odds: { policy: [...new Set(sides.map((side) => side.policy).filter(Boolean))].join(", "), chances: compareSides(sides[0].spread, sides[1].spread, ties) }, complaints };
}
/** @param {Rule} rule @param {Values} values @param {string} step @param {string} policy @param {string} name */
function sideOdds(rule, values, step, policy, name) {
  try {
    const own = new Odds(new BoundRule(rule, values), policy);
    return { policy: own.policy, spread: own.values(step) };
  } catch (error) {
    const missing = /** @type {any} */ (error).missing;
    throw missing ? new RollError(say("wrong open", { names: missing.map((/** @type {string} */ one) => `${name}.${one}`).join(", ") })) : error;
  }
}
/** @param {Map<number, number>} first @param {Map<number, number>} second @param {string} ties */
function compareSides(first, second, ties) {
  let more = 0, equal = 0, less = 0;
  for (const [a, chance] of first) for (const [b, other] of second) {
    if (a > b) more += chance * other;
    else if (a < b) less += chance * other;
    else equal += chance * other;
  }
  if (ties === "none") return { first: more, second: less, none: equal };
  if (ties !== "again") return { first: more + (ties === "first" ? equal : 0), second: less + (ties === "second" ? equal : 0) };
  if (!(more + less > 1e-14)) throw new RollError(say("wrong endless"));
  return { first: more / (more + less), second: less / (more + less) };
}
