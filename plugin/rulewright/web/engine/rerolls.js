// Rerolls dice of a roll: which ones, and whether the old or the new die stays.
/** @import {Die, DiceRoller, Reroll} from "./parts.d.ts" */
import { facesOf, value } from "./bound-rule.js";
import { MOST, best } from "./messages.js";

/** @param {DiceRoller} play @param {Reroll} reroll @param {number} number */
export function rerollDice(play, reroll, number) {
  const { dice, bound } = play, times = Math.min(bound.of(reroll.times), MOST);
  const places = reroll.among.flatMap((kind) => dice.flatMap((die, place) => (die.kind === kind ? [place] : [])));
  if (!places.length || times <= 0) return;
  play.turn++;
  for (let left = times; left; left--) {
    const chosen = pickPlaces(play, reroll, places, number, left);
    if (!chosen) return;
    for (const place of chosen) {
      const old = dice[place], die = (dice[place] = rerollDie(play, reroll, old));
      if (die.rolled === old.rolled && play.collected.has(old)) play.collected.add(die);
    }
  }
}
/** @param {DiceRoller} play @param {Reroll} reroll @param {number[]} places @param {number} number @param {number} left */
function pickPlaces(play, reroll, places, number, left) {
  const { dice, bound } = play, { pick } = reroll, able = places.filter((place) => bound.meets(reroll, dice[place].kind, value(dice[place])));
  if (pick === "all" || !able.length) return able;
  if (pick !== "any") return [best(able, (place) => (pick === "highest" ? 1 : -1) * value(dice[place]))];
  const chosen = play.faces.choose?.(play, dice, able, number, left) ?? null;
  if (chosen === null) {
    play.passed = true;
    return null;
  }
  const seen = (/** @type {number} */ at) => `${dice[at].kind} ${facesOf(dice[at])}`;
  return able.filter((place) => seen(place) === seen(chosen)).slice(0, 1);
}
/** @param {DiceRoller} play @param {Reroll} reroll @param {Die} old */
function rerollDie(play, reroll, old) {
  const pool = play.bound.kinds[old.kind];
  if (!play.rest(pool).faces.length) return old;
  play.faces.rethrow?.(play.rest(pool), old);
  const made = play.rollDie(pool, old.round, old.earned), stays = keepsOld(reroll.keep, value(old), value(made));
  play.rerolls.push([old, made, play.turn]);
  play.parted ||= play.passed;
  return { ...(stays ? old : made), tries: [...(old.tries.length ? old.tries : [old.rolled]), made.rolled] };
}
/** @param {string} keep @param {number} old @param {number} made  whether the old die stays */
export const keepsOld = (keep, old, made) => (keep === "higher" ? old >= made : keep === "lower" ? old <= made : false);
