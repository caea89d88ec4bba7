// The odds of a contest: the chance that one side has the higher value, with ties rolled again or decided.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Formula, Rule} from "../engine/parts.d.ts" */
import { readAim } from "../engine/aims.js";
import { BoundRule } from "../engine/bound-rule.js";
import { bind } from "../engine/inputs.js";
import { RollError, complaint, say } from "../engine/messages.js";
import { SIDES } from "../engine/rule.js";
import { budgetOf, orEstimate } from "./budget.js";
import { STEPS_OF_ESTIMATE, estimateContest } from "./estimate.js";
import { Odds } from "./odds.js";

/** @typedef {{aim: string, chances: Record<string, number>, unknown: number, rolls: number}} Found */
const NEVER = 1e-14; // what doubles leave of 0

/** @param {Rule} rule @param {T.Inputs} inputs @param {string} aim @param {boolean} isEstimating */
export const contestOdds = (rule, inputs, aim, isEstimating) => budgetOf(rule.game).question(() => compare(rule, inputs, aim, isEstimating));
/** @param {Rule} rule @param {T.Inputs} inputs @param {string} aim @param {boolean} isEstimating */
function compare(rule, inputs, aim, isEstimating) {
  const given = SIDES.map(() => /** @type {Record<string, any>} */ ({}));
  /** @type {T.Complaint[]} */
  const complaints = [];
  for (const [name, value] of Object.entries(inputs)) {
    const [side, ...own] = name.split("."), at = SIDES.indexOf(side.toLowerCase()), plain = name.split(".").at(-1);
    if (at >= 0 && own.length) given[at][own.join(".")] = value;
    else complaints.push(complaint(name, say("wrong side", { name: plain })));
  }
  const aims = rule.sides.map((side, at) => {
    const { aim: own, ...rest } = given[at];
    if (own === undefined || side.inputs.some(({ name }) => name === "aim")) return aim;
    given[at] = rest;
    if (!readAim(side, own)) complaints.push(complaint(`${SIDES[at]}.aim`, say("wrong aim", { name: own })));
    return own;
  });
  const bound = rule.sides.map((side, at) => {
    const [values, wrong] = bind(side, given[at]);
    complaints.push(...wrong.map((one) => ({ ...one, part: `${SIDES[at]}.${one.part}` })));
    return values;
  });
  if (complaints.length) return { odds: null, complaints };
  const { compare: step, ties } = /** @type {T.ContestData} */ (rule.contest);
  const areAlike = rule.sides[0] === rule.sides[1] && JSON.stringify([bound[0], aims[0]]) === JSON.stringify([bound[1], aims[1]]);
  const sides = rule.sides.slice(0, areAlike ? 1 : 2).map((side, at) => new Odds(new BoundRule(side, bound[at]), aims[at])), formula = (/** @type {Odds} */ side) => /** @type {Formula} */ (side.rule.steps.get(step));
  /** @type {<X>(work: (side: Odds) => X) => X[]} */
  const ofSides = (work) => sides.map((side, at) => named(SIDES[at], () => work(side)));
  /** @type {(side: Odds) => any} contests compare rules that are rolled once */
  const solverOf = (side) => side.solver;
  const plan = (/** @type {Odds} */ side) => solverOf(side).plan([], [formula(side)]), who = [...new Set(sides.map((side) => side.aim).filter(Boolean))].join(", ");
  ofSides((side) => solverOf(side).groupsOf(plan(side))); // tells which inputs are missing
  /** @type {() => Found} */
  const exact = () => {
    const [first, second = first] = ofSides((side) => side.values(formula(side))), unknown = Math.min(first.unknown + second.unknown, 1);
    return { aim: who, chances: compareSides(first.values, second.values, ties, unknown, first.isWhole && second.isWhole), unknown, rolls: 0 };
  };
  /** @type {() => Found} */
  const about = () => ({ aim: who, unknown: 1, ...estimateContest([sides[0].sample(1, STEPS_OF_ESTIMATE / 3), (sides[1] ?? sides[0]).sample(2, STEPS_OF_ESTIMATE / 3)], step, ties) });
  return { odds: isEstimating ? orEstimate(exact, about) : exact(), complaints };
}
/** A complaint about what is missing names the side. @template X @param {string} name @param {() => X} work */
function named(name, work) {
  try {
    return work();
  } catch (error) {
    const missing = /** @type {any} */ (error).missing;
    throw missing ? new RollError(say("wrong open", { names: missing.map((/** @type {string} */ one) => `${name}.${one}`).join(", ") })) : error;
  }
}
/** @param {Map<number, number>} first @param {Map<number, number>} second @param {string} ties @param {number} unknown @param {boolean} isWhole @returns {Record<string, number>} */
function compareSides(first, second, ties, unknown, isWhole) {
  let more = 0, equal = 0, less = 0, below = 0, at = 0;
  const order = [...second].sort(([a], [b]) => a - b), whole = order.reduce((so, [, share]) => so + share, 0);
  for (const [value, chance] of [...first].sort(([a], [b]) => a - b)) {
    for (; at < order.length && order[at][0] < value; at++) below += order[at][1];
    const same = order[at]?.[0] === value ? order[at][1] : 0;
    more += chance * below;
    equal += chance * same;
    less += chance * Math.max(whole - below - same, 0);
  }
  const half = unknown / 2;
  if (ties === "none") return { first: more + half, second: less + half, none: equal + half };
  if (ties !== "again") return { first: more + half + (ties === "first" ? equal : 0), second: less + half + (ties === "second" ? equal : 0) };
  if (!(more + less > NEVER)) {
    if (isWhole) throw new RollError(say("wrong endless"));
    return { first: 0.5, second: 0.5 }; // all is in what was not followed
  }
  return { first: more / (more + less), second: less / (more + less) };
}
