// The odds of one setting.
/** @import {Formula, Plan, Rerolls, Rest, Setting} from "./parts.d.ts" */
import { Answer } from "./solver.js";
import { Planner } from "./plan.js";
import { Space, cannot } from "./distributions.js";

const MOST_LOST = 5e-13; // how far chances may be from adding up to one

export class Reckoner {
  /** @param {Setting} setting @param {boolean} eager @param {string} choosing */
  constructor(setting, eager, choosing) {
    this.setting = setting;
    this.rule = setting.rule;
    this.eager = eager;
    this.choosing = choosing;
    /** @type {Rerolls | null} */
    this.rerolls = null;
  }
  /** What formulas come to: each state is told, with its weight.
   * @param {Formula[]} formulas @param {(value: (formula: number) => any, weight: number) => void} told */
  each(formulas, told) {
    const answer = new Answer(this, this.plan(formulas)), states = answer.reckon();
    if (!(Math.abs(1 - states.w.reduce((a, b) => a + b, 0)) < MOST_LOST)) throw cannot();
    answer.each(states, told);
  }
  /** @param {Formula[]} formulas */
  plan(formulas) {
    const plan = new Planner(this.setting).plan(formulas);
    this.setting.demand(plan.needs);
    return plan;
  }
  /** Where sums over these coordinates live: for all settings under which dice fall alike. @param {Plan} plan @returns {Space} */
  space(plan) {
    const { rule, setting } = this, { spaces } = rule, times = rule.rerolls.map((reroll) => setting.of(reroll.times));
    const values = setting.kinds.flatMap((ready) => [...ready.names, ...ready.valueNames, ...ready.kind.sides?.names ?? []]);
    const whens = rule.rerolls.flatMap(({ when }) => when?.names ?? []), key = JSON.stringify([plan.key, this.eager, times, [...values, ...whens].map((name) => setting.known[name])]);
    const found = spaces.get(key) ?? new Space(plan, rule);
    if (spaces.size > 50) spaces.clear();
    spaces.set(key, found);
    found.work = 0;
    return found;
  }
  /** How good dice are that lie: the mean of the last step, or the chance of the first outcome. */
  scorer() {
    const { rule } = this, when = this.choosing === "best chance" && rule.outcomes[0]?.when;
    const plan = this.plan(when ? [when] : [...rule.steps.values()].slice(-1)), answer = new Answer(this, plan);
    return {
      plan,
      of: (/** @type {Rest[]} */ rests) => {
        let found = 0;
        answer.each(answer.grown(answer.lying(rests, 1), rests), (value, weight) => {
          const worth = plan.runs.length ? value(0) : 0;
          found += typeof worth === "string" ? 0 : weight * (when ? +!!worth : worth);
        });
        return found;
      },
    };
  }
}
