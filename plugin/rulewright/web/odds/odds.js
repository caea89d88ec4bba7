// How likely everything is: chances of outcomes, means and distributions of steps, in doubles, or a complaint that says why
// not. The same algorithms and the same budget as in Python (odds/): both engines answer, or both decline. Where Python has
// fractions for dice without end, these are followed until less than one part in 10^13 is left.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Formula, Rule} from "../engine/parts.d.ts" */
import { chooseAims, degreeOf, readAim } from "../engine/aims.js";
import { BoundRule } from "../engine/bound-rule.js";
import { bind } from "../engine/inputs.js";
import { add, attempt, complaint, say, sum } from "../engine/messages.js";
import { withoutUnasked } from "../engine/partial-result.js";
import { contestOdds } from "./contest-odds.js";
import { STEPS_OF_ESTIMATE, rollSample, shares } from "./estimate.js";
import { orEstimate } from "./budget.js";
import { ROUND, RoundsSolver } from "./rounds-odds.js";
import { openChoices } from "./walk-choices.js";
import { makeSolver } from "./walk-solver.js";

/** With `isEstimating`, chances that cost too much are estimated from some rolls.
 * @param {Rule} rule @param {T.Inputs} inputs @returns {{odds: T.Odds | null, complaints: T.Complaint[]}} */
export function odds(rule, inputs, aim = "", isEstimating = false) {
  const isKnown = !aim || (rule.contest ? rule.sides : [rule]).every((side) => readAim(side, aim));
  if (!isKnown) return { odds: null, complaints: [complaint("aim", say("wrong aim", { name: aim }))] };
  const [found, complaints] = attempt(() => {
    if (rule.contest) return contestOdds(rule, inputs, aim, isEstimating);
    const [values, complaints] = bind(rule, inputs);
    if (complaints.length) return { odds: null, complaints };
    const own = new Odds(new BoundRule(rule, values), aim);
    return { odds: isEstimating ? orEstimate(() => own.now(), () => own.about()) : own.now(), complaints };
  });
  return /** @type {any} */ (found ?? { odds: null, complaints });
}

export class Odds {
  /** @param {BoundRule} declared @param {string} aim */
  constructor(declared, aim) {
    const bound = withoutUnasked(declared), { rule } = bound, aims = chooseAims(rule, aim);
    this.rule = rule;
    const optional = rule.dice.some(({ again, taken }) => taken === undefined && again.some((part) => part.optional.tree !== 0));
    const picks = rule.rerolls.some((entry) => entry.chooses && !entry.goal && (attempt(() => bound.of(entry.times))[0] ?? 1) > 0);
    this.aim = [optional && aims.taking.text, (picks || (aims.answer === null && openChoices(bound).length)) && aims.goal.text, aims.answer !== null && openChoices(bound).length && aims.taking.text].filter((one, place, all) => one && all.indexOf(one) === place).join(", ");
    this.solver = rule.hasRounds ? new RoundsSolver(bound, aims) : makeSolver(bound, aims);
    this.unknown = this.rolls = 0;
    /** @type {Record<string, number>} */
    this.chances = Object.fromEntries(rule.outcomes.map(({ name }) => [name, 0]));
  }
  /** The chances are worked out at once, so that what keeps them from it is said. */
  now() {
    const { weights, unknown } = this.solver.solve(this.rule.outcomes.flatMap(({ when }) => when ?? []), []);
    for (const { key: [outcome], weight } of weights) if (this.rule.outcomes[outcome]) this.chances[this.rule.outcomes[outcome].name] += weight;
    for (const name in this.chances) this.chances[name] += unknown / 2;
    this.unknown = unknown;
    return this;
  }
  /** An estimate, of which nothing is certain. */
  about() {
    const sample = this.sample(), { outcomes } = this.rule;
    this.chances = shares(outcomes.map(({ name }) => name), sample.map(({ outcome }) => outcome));
    this.unknown = 1;
    this.rolls = sample.length;
    return this;
  }
  sample(seed = 1, budget = STEPS_OF_ESTIMATE) {
    return rollSample(this.solver.bound, this.solver.eager, seed, budget);
  }
  /** The chance of each value of a step, and what is unknown. @param {Formula} formula */
  values(formula, forMean = false) {
    const values = new Map(), { weights, ...rest } = this.solver.solve([], [formula], forMean);
    for (const { key, weight } of weights) add(values, key[1], weight);
    return { values, ...rest };
  }
  /** @param {string} step @returns {Map<any, number> | null} */
  spread(step) {
    return attempt(() => this.values(this.formula(step)).values)[0];
  }
  /** @param {string} step */
  mean(step) {
    return attempt(() => this.meanOf(this.formula(step)))[0];
  }
  /** The formula of a step, or the number of the round. @param {string} step @returns {Formula} */
  formula(step) {
    return this.rule.steps.get(step) ?? ROUND;
  }
  /** The mean degree of an outcome, all others counted as 0; elsewhere the degree may have no value. @param {string} outcome */
  meanDegree(outcome) {
    const degree = degreeOf(this.rule, outcome);
    return degree && attempt(() => this.meanOf(degree))[0];
  }
  /** @param {Formula} formula */
  meanOf(formula) {
    const { values, isExact } = this.values(formula, true);
    return !isExact || [...values.keys()].some((value) => typeof value === "string") ? null : sum([...values].map(([value, weight]) => value * weight));
  }
}
