// The distribution of dice that other dice earn, with all dice that these earn in turn.
/** @import {Solver, FinalState, Distribution} from "./parts.d.ts" */
import { tooMuch } from "./distributions.js";
import { sum } from "./messages.js";

/** A die that was earned, with all that come of it. @param {Solver} answer @param {number} kind @returns {Distribution} */
export function earnedDice(answer, kind) {
  const { bound, space } = answer, own = ownCycle(bound.rule.dice, kind);
  return space.cached(`family ${kind}`, () => {
    const all = (own.length ? own : [kind]).map((one) => {
      if (bound.kinds[one].keep !== null) throw tooMuch();
      return answer.rests(bound.kinds[one]);
    }).reverse();
    return own.length ? sumCycle(answer, all) : answer.die(all[0]);
  });
}
/** Dice that earn dice of their own kind: followed until so few are left that nobody could tell. @param {Solver} answer @param {FinalState[][]} all */
function sumCycle(answer, all) {
  const { space } = answer;
  let found = space.none;
  for (let left = 1; left > 1e-19; space.spend(1000)) {
    for (const own of all) left = sum(own.map(({ weight, kids }) => (kids ? -weight * Math.expm1(kids * Math.log1p(-left)) : 0)));
    for (const own of all) found = answer.die(own, found);
  }
  return found;
}
/** The kinds through which a kind earns dice of its own kind, itself first. @param {any[]} dice @param {number} kind */
function ownCycle(dice, kind) {
  const found = [kind];
  for (let one = dice[kind].again?.roll; one !== undefined; one = dice[one].again?.roll) {
    if (one === kind) return found;
    if (found.includes(one)) return [];
    found.push(one);
  }
  return [];
}
