// Who picks dice for a reroll where nobody is asked.
/** @import {Choose, Die, Rest, Setting, Turn} from "./parts.d.ts" */
import { worstFirst } from "./random-roll.js";
import { policies } from "./inputs.js";
import { Reckoner } from "./odds-calculator.js";
import { nameOf, only } from "./final-states.js";
import { valueOf } from "./bound-rule.js";
import { TooMuch } from "./distributions.js";
import { Rerolls, turnsOf } from "./reroll-odds.js";
import { sum } from "./messages.js";

/** Picks the die to throw anew from which most can be hoped. @param {Setting} setting @param {string} policy @returns {Choose} */
export function adviser(setting, policy) {
  const [taking, choosing] = policies(setting.rule, policy), key = `advice ${taking} ${choosing}`, { memory } = setting;
  return (play, dice, places, number, left) => {
    try {
      const reckoner = new Reckoner(setting, taking === "always", choosing), thrown = setting.kinds.filter(({ count }) => count).map((ready) => ready.number);
      if (!memory.has(key)) memory.set(key, new Rerolls(reckoner, new Set(), thrown, turnsOf(setting, thrown), reckoner.space(reckoner.plan([]))));
      const rerolls = memory.get(key), ids = dice.map((die) => rerolls.ids.get(nameOf(resting(setting, die, rerolls.asked, taking === "always"))));
      const turn = rerolls.turns.findIndex((/** @type {Turn} */ one) => one.entry === number && one.left === left);
      const [, id] = rerolls.value(rerolls.state(ids), turn);
      return id === null ? null : places.find((place) => ids[place] === id) ?? null;
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      return worstFirst(setting)(play, dice, places, number, left);
    }
  };
}
/** A die on the table as the odds see it. @param {Setting} setting @param {Die} die @param {Set<number>} asked @param {boolean} eager @returns {Rest} */
function resting(setting, { kind, throws }, asked, eager) {
  const kids = sum(throws.map(({ earns, mayDecline }) => (eager || !mayDecline ? earns : 0)));
  return { kind, value: valueOf(throws), hits: only(asked, setting.kinds[kind].counted(throws)), kids, weight: 1 };
}
