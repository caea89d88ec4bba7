// Picks the die to reroll from which most can be expected, for rolls that nobody plays by hand.
/** @import {BoundRule, Choose, Die} from "../engine/parts.d.ts" */
import { chooseAims } from "../engine/aims.js";
import { worstFirst } from "../engine/random-roll.js";
import { ifPaid } from "./budget.js";
import { Rerolls } from "./reroll-odds.js";
import { Solver } from "./solve.js";
import { StateSearch } from "./state-search.js";

/** One player for one roll. @param {BoundRule} bound @param {string} policy @returns {Choose} */
export function adviser(bound, policy) {
  const aims = chooseAims(bound.rule, policy), isEager = aims.taking.what !== "never";
  /** @type {Rerolls | undefined} */
  let rerolls, hasNoBudget = false; // used up once, for the rest of this roll, in both engines
  const prepare = () => {
    const solver = new Solver(bound, aims);
    solver.budget.fill();
    const number = solver.groups.findIndex((group) => group.some((kind) => bound.kinds[kind].count));
    return new Rerolls(new StateSearch(solver.machine, []), solver.score(number), null);
  };
  /** A die on the table as the odds see it. @param {Rerolls} own @param {Die} die */
  const finalState = ({ search }, { kind, throws }) => {
    const hits = throws.map((landing) => landing.hits).reduce((a, b) => a.map((hit, tally) => hit + b[tally]));
    const earned = throws.map(({ earns, mayDecline }) => (isEager || !mayDecline ? earns : 0)).filter(Boolean);
    return search.finals.state(kind, throws.reduce((so, { face }) => so + face, 0), hits, earned);
  };
  return (play, dice, places, number, left) => {
    const found = hasNoBudget ? null : ifPaid(() => {
      const own = (rerolls ??= prepare()), lying = dice.map((die) => finalState(own, die)), picked = own.pick(lying, number, left);
      return [picked && (places.find((place) => lying[place] === picked) ?? null)];
    });
    hasNoBudget = !found;
    return found ? found[0] : worstFirst(bound)(play, dice, places, number, left);
  };
}
