// Groups of dice that reach a number together.
import { sum } from "./messages.js";

/** The most groups, no die twice, whose values reach the goal each. @param {number[]} values @param {number} goal */
export function countGroups(values, goal) {
  const dice = values.filter((value) => value > 0).sort((a, b) => b - a), alone = goal > 0 ? dice.filter((value) => value >= goal).length : dice.length;
  return alone + groupsOf(dice.slice(alone), goal, new Map());
}
/** @param {number[]} dice  the highest first, each below the goal @param {number} goal @param {Map<string, number>} known @returns {number} */
function groupsOf(dice, goal, known) {
  const most = dice.length ? Math.floor(sum(dice) / goal) : 0, key = dice.join();
  if (most < 2) return most;
  if (dice[0] + dice[dice.length - 1] >= goal) return 1 + groupsOf(dice.slice(1, -1), goal, known); // the least die that completes a group is the best
  let best = known.get(key) ?? -1;
  if (best < 0) {
    for (const rest of completions(dice.slice(1), goal - dice[0], 0)) {
      best = Math.max(best, 1 + groupsOf(rest, goal, known));
      if (best === most) break;
    }
    known.set(key, best);
  }
  return best;
}
/** What is left when some of these dice reach what is missing. @param {number[]} dice @param {number} missing @param {number} start @returns {Iterable<number[]>} */
function* completions(dice, missing, start) {
  for (let place = start; place < dice.length; place++) {
    if (place > start && dice[place] === dice[place - 1]) continue;
    const rest = [...dice.slice(0, place), ...dice.slice(place + 1)];
    if (dice[place] >= missing) yield rest;
    else yield* completions(rest, missing - dice[place], place);
  }
}
