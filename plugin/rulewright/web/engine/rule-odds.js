// The odds of one rule with given inputs: chances of outcomes, means and distributions of steps.
/** @import {Formula, BoundRule} from "./parts.d.ts" */
import { policies } from "./inputs.js";
import { OddsCalculator } from "./odds-calculator.js";
import { add, attempt } from "./messages.js";

export class Odds {
  /** @param {BoundRule} bound @param {string} policy */
  constructor(bound, policy) {
    const { rule } = bound, [taking, choosing] = policies(rule, policy);
    this.bound = bound;
    this.rule = rule;
    const optional = rule.dice.some(({ again, explode }) => [again, explode].some((part) => part && part.optional.tree !== 0));
    const picks = rule.rerolls.some(({ pick, times }) => pick === "any" && bound.of(times) > 0);
    this.policy = [optional && taking, picks && choosing].filter(Boolean).join(", ");
    this.calculator = new OddsCalculator(bound, taking === "always", choosing);
    this.whens = rule.outcomes.flatMap(({ when }) => when ?? []);
    /** @type {Record<string, number>} */
    this.chances = Object.fromEntries(rule.outcomes.map(({ name }) => [name, 0]));
  }
  /** The chances are worked out at once, so that what keeps them from it is said. */
  now() {
    const { outcomes } = this.rule;
    if (outcomes.length) this.calculator.each(this.whens, (value, weight) => (this.chances[outcomes[this.outcome(value)].name] += weight));
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
    this.calculator.each([/** @type {Formula} */ (this.rule.steps.get(step))], (value, weight) => add(values, value(0), weight));
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
      this.calculator.each([...this.whens, degree], (value, weight) => {
        if (this.outcome(value) === number) values.push([value(this.whens.length), weight]);
      });
      return mean(values);
    });
    return found;
  }
}
/** @param {[any, number][]} values */
const mean = (values) => (values.some(([value]) => typeof value === "string") ? null : values.reduce((so, [value, weight]) => so + value * weight, 0));
