// Picks the die to reroll from which most can be expected, for rolls that nobody plays by hand.
/** @import {Choose, Die, FinalState, BoundRule, Turn} from "./parts.d.ts" */
import { worstFirst } from "./random-roll.js";
import { policies } from "./inputs.js";
import { OddsCalculator } from "./odds-calculator.js";
import { stateKey, onlyAsked } from "./final-states.js";
import { valueOf } from "./bound-rule.js";
import { BudgetError } from "./distributions.js";
import { Rerolls, turnsOf } from "./reroll-odds.js";
import { sum } from "./messages.js";

/** Picks the die to throw anew from which most can be hoped. @param {BoundRule} bound @param {string} policy @returns {Choose} */
export function adviser(bound, policy) {
  const [taking, choosing] = policies(bound.rule, policy), key = `advice ${taking} ${choosing}`, { memory } = bound;
  return (play, dice, places, number, left) => {
    try {
      const calculator = new OddsCalculator(bound, taking === "always", choosing), thrown = bound.kinds.filter(({ count }) => count).map((pool) => pool.number);
      if (!memory.has(key)) memory.set(key, new Rerolls(calculator, new Set(), thrown, turnsOf(bound, thrown), calculator.space(calculator.plan([]))));
      const rerolls = memory.get(key), ids = dice.map((die) => rerolls.ids.get(stateKey(resting(bound, die, rerolls.asked, taking === "always"))));
      const turn = rerolls.turns.findIndex((/** @type {Turn} */ one) => one.entry === number && one.left === left);
      const [, id] = rerolls.value(rerolls.state(ids), turn);
      return id === null ? null : places.find((place) => ids[place] === id) ?? null;
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return worstFirst(bound)(play, dice, places, number, left);
    }
  };
}
/** A die on the table as the odds see it. @param {BoundRule} bound @param {Die} die @param {Set<number>} asked @param {boolean} eager @returns {FinalState} */
function resting(bound, { kind, throws }, asked, eager) {
  const kids = sum(throws.map(({ earns, mayDecline }) => (eager || !mayDecline ? earns : 0)));
  return { kind, value: valueOf(throws), hits: onlyAsked(asked, bound.kinds[kind].counted(throws)), kids, weight: 1 };
}
