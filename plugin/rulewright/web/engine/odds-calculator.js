// Calculates odds for one bound rule: plans a question, solves it, and shares state spaces between questions.
/** @import {Formula, Plan, Rerolls, FinalState, BoundRule} from "./parts.d.ts" */
import { Solver } from "./solver.js";
import { Planner } from "./plan.js";
import { StateSpace, tooMuch } from "./distributions.js";

const MOST_LOST = 5e-13; // how far chances may be from adding up to one

export class OddsCalculator {
  /** @param {BoundRule} bound @param {boolean} eager @param {string} choosing */
  constructor(bound, eager, choosing) {
    this.bound = bound;
    this.rule = bound.rule;
    this.eager = eager;
    this.choosing = choosing;
    /** @type {Rerolls | null} */
    this.rerolls = null;
  }
  /** What formulas come to: each state is visit, with its weight.
   * @param {Formula[]} formulas @param {(value: (formula: number) => any, weight: number) => void} visit */
  each(formulas, visit) {
    const answer = new Solver(this, this.plan(formulas)), states = answer.distribution();
    if (!(Math.abs(1 - states.w.reduce((a, b) => a + b, 0)) < MOST_LOST)) throw tooMuch();
    answer.each(states, visit);
  }
  /** @param {Formula[]} formulas */
  plan(formulas) {
    const plan = new Planner(this.bound).plan(formulas);
    this.bound.demand(plan.needs);
    return plan;
  }
  /** Where sums over these coordinates live: for all settings under which dice fall alike. @param {Plan} plan @returns {StateSpace} */
  space(plan) {
    const { rule, bound } = this, { spaces } = rule, times = rule.rerolls.map((reroll) => bound.of(reroll.times));
    const values = bound.kinds.flatMap((pool) => [...pool.names, ...pool.valueNames, ...pool.kind.sides?.names ?? []]);
    const whens = rule.rerolls.flatMap(({ when }) => when?.names ?? []), key = JSON.stringify([plan.key, this.eager, times, [...values, ...whens].map((name) => bound.known[name])]);
    const found = spaces.get(key) ?? new StateSpace(plan, rule);
    if (spaces.size > 50) spaces.clear();
    spaces.set(key, found);
    found.work = 0;
    return found;
  }
  /** How good dice are that lie: the mean of the last step, or the chance of the first outcome. */
  scorer() {
    const { rule } = this, when = this.choosing === "best chance" && rule.outcomes[0]?.when;
    const plan = this.plan(when ? [when] : [...rule.steps.values()].slice(-1)), answer = new Solver(this, plan);
    return {
      plan,
      of: (/** @type {FinalState[]} */ rests) => {
        let found = 0;
        answer.each(answer.withEarned(answer.tableState(rests, 1), rests), (value, weight) => {
          const worth = plan.runs.length ? value(0) : 0;
          found += typeof worth === "string" ? 0 : weight * (when ? +!!worth : worth);
        });
        return found;
      },
    };
  }
}
