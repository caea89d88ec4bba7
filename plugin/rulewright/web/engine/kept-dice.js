// The distribution of dice of which only the highest or lowest are kept.
/** @import {DicePool, FinalState, StateSpace} from "./parts.d.ts" */
import { sum } from "./messages.js";

/** Put in order value by value. @param {StateSpace} space @param {FinalState[]} rests @param {DicePool} pool */
export function keepDice(space, rests, { count, kind, keep }) {
  const sign = kind.keep.highest ? -1 : 1, most = /** @type {number} */ (keep);
  let found = Array.from({ length: count + 1 }, (_, dice) => (dice ? space.none : space.one));
  for (const value of [...new Set(rests.map((rest) => rest.value))].sort((a, b) => sign * (a - b))) {
    space.spend(5 * count * count);
    const own = rests.filter((rest) => rest.value === value), whole = sum(own.map(({ weight }) => weight));
    const die = space.plus(own.map((rest) => [space.state([rest], rest.weight), 1])), powers = [space.one];
    while (powers.length <= Math.min(count, most)) powers.push(space.times(powers[powers.length - 1], die));
    found = found.map((_, dice) => space.plus(found.slice(0, dice + 1).map((before, done) => {
      const more = dice - done, stay = Math.max(Math.min(more, most - done), 0);
      return [space.times(before, powers[stay]), choose(count - done, more) * whole ** (more - stay)];
    })));
  }
  return found[count];
}
/** @param {number} n @param {number} k @returns {number} */
const choose = (n, k) => (k ? (choose(n - 1, k - 1) * n) / k : 1);
