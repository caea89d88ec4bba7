// Groups of dice of which some are known: a pile says how many groups are certain, and the values of the dice that are left. Two dice
// that reach the goal exactly can always be a group: those that they would leave reach it together. As in play/table.py.
import { countGroups } from "../engine/dice-groups.js";

/** @typedef {import("../engine/parts.d.ts").Run} Run */
/** The pile with some more dice, as text. @param {number} goal @param {any} pile @param {number[]} values */
function pileDice(goal, pile, values) {
  let [groups, ...left] = String(pile).split(" ").map(Number);
  for (const value of values) {
    const other = value < goal ? left.indexOf(goal - value) : -1;
    if (value > 0 && (value >= goal || other >= 0)) {
      groups++;
      if (other >= 0) left.splice(other, 1);
    } else if (value > 0) left.push(value);
  }
  return [groups, ...left.sort((a, b) => b - a)].join(" ");
}
/** A goal and a pile, then values of dice and how often they are there. @param {Run[]} runs @returns {(v: any, t: any) => [string, number]} */
const piled = ([goal, pile, ...rest]) => (v, t) => [pileDice(goal(v, t), pile(v, t), rest.flatMap((run, place) => (place % 2 ? [] : Array(rest[place + 1](v, t)).fill(run(v, t))))), goal(v, t)];
/** Operations of formulas over piles. @type {Record<string, (runs: Run[]) => any>} */
export const PILES = {
  pile: (runs) => (/** @type {any} */ v, /** @type {any} */ t) => piled(runs)(v, t)[0],
  groups(runs) {
    const known = new Map(), work = piled(runs);
    return (/** @type {any} */ v, /** @type {any} */ t) => {
      const [pile, goal] = work(v, t), key = `${pile};${goal}`, [groups, ...left] = pile.split(" ").map(Number);
      if (!known.has(key)) known.set(key, countGroups(left, goal));
      return groups + known.get(key);
    };
  },
};
