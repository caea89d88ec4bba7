// How likely everything is: chances in doubles, right to 1e-12, or a complaint that says why not.
// Dice become distributions over the few sums that the answer rests on; nothing is subtracted, so no digits are lost.
/** @import * as T from "./engine.d.ts" */
/** @import {Rule} from "./parts.d.ts" */
import { Odds } from "./rule-odds.js";
import { contest } from "./contest.js";
import { bind, suggest } from "./inputs.js";
import { BoundRule } from "./bound-rule.js";
import { attempt, complaint, say } from "./messages.js";

/** @param {Rule} rule @param {T.Inputs} inputs @returns {{odds: T.Odds | null, complaints: T.Complaint[]}} */
export function odds(rule, inputs, policy = "") {
  const known = ["always", "never", "best mean", "best chance"];
  if (policy && !known.includes(policy)) return { odds: null, complaints: [complaint("policy", say("wrong policy", { name: policy, near: suggest(policy, known) }))] };
  const [found, complaints] = attempt(() => {
    if (rule.contest) return contest(rule, inputs, policy);
    const [values, wrong] = bind(rule, inputs);
    return { odds: wrong.length ? null : new Odds(new BoundRule(rule, values), policy).now(), complaints: wrong };
  });
  return /** @type {any} */ (found ?? { odds: null, complaints });
}
