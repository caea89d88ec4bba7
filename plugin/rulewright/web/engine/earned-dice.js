// Dice that other dice earn, with all that these earn in turn.
/** @import {Answer, Rest, Sums} from "./parts.d.ts" */
import { cannot } from "./distributions.js";
import { sum } from "./messages.js";

/** A die that was earned, with all that come of it. @param {Answer} answer @param {number} kind @returns {Sums} */
export function family(answer, kind) {
  const { setting, space } = answer, own = circle(setting.rule.dice, kind);
  return space.remember(`family ${kind}`, () => {
    const all = (own.length ? own : [kind]).map((one) => {
      if (setting.kinds[one].keep !== null) throw cannot();
      return answer.rests(setting.kinds[one]);
    }).reverse();
    return own.length ? grownUp(answer, all) : answer.die(all[0]);
  });
}
/** Dice that earn dice of their own kind: followed until so few are left that nobody could tell. @param {Answer} answer @param {Rest[][]} all */
function grownUp(answer, all) {
  const { space } = answer;
  let found = space.none;
  for (let left = 1; left > 1e-19; space.spend(1000)) {
    for (const own of all) left = sum(own.map(({ weight, kids }) => (kids ? -weight * Math.expm1(kids * Math.log1p(-left)) : 0)));
    for (const own of all) found = answer.die(own, found);
  }
  return found;
}
/** The kinds through which a kind earns dice of its own kind, itself first. @param {any[]} dice @param {number} kind */
function circle(dice, kind) {
  const found = [kind];
  for (let one = dice[kind].again?.roll; one !== undefined; one = dice[one].again?.roll) {
    if (one === kind) return found;
    if (found.includes(one)) return [];
    found.push(one);
  }
  return [];
}
