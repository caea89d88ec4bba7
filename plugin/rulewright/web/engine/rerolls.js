// Dice of a roll that are thrown anew.
/** @import {Die, Play, Reroll} from "./parts.d.ts" */
import { facesOf, value } from "./bound-rule.js";
import { MOST, best } from "./messages.js";

/** @param {Play} play @param {Reroll} reroll @param {number} number */
export function throwAnew(play, reroll, number) {
  const { dice, setting } = play, times = Math.min(setting.of(reroll.times), MOST);
  const places = reroll.among.flatMap((kind) => dice.flatMap((die, place) => (die.kind === kind ? [place] : [])));
  if (!places.length || times <= 0) return;
  play.turn++;
  for (let left = times; left; left--) {
    const chosen = picked(play, reroll, places, number, left);
    if (!chosen) return;
    for (const place of chosen) dice[place] = another(play, reroll, dice[place]);
  }
}
/** @param {Play} play @param {Reroll} reroll @param {number[]} places @param {number} number @param {number} left */
function picked(play, reroll, places, number, left) {
  const { dice, setting } = play, { pick } = reroll;
  if (pick === "all") return places.filter((place) => setting.meets(reroll, dice[place].kind, value(dice[place])));
  if (pick !== "any") return [best(places, (place) => (pick === "highest" ? 1 : -1) * value(dice[place]))];
  const chosen = play.faces.choose?.(play, dice, places, number, left) ?? null;
  if (chosen === null) {
    play.passed = true;
    return null;
  }
  const seen = (/** @type {number} */ at) => `${dice[at].kind} ${facesOf(dice[at])}`;
  return places.filter((place) => seen(place) === seen(chosen)).slice(0, 1);
}
/** @param {Play} play @param {Reroll} reroll @param {Die} old */
function another(play, reroll, old) {
  const ready = play.setting.kinds[old.kind];
  play.faces.rethrow?.(ready, old);
  const made = play.thrown(ready), stays = remains(reroll.keep, value(old), value(made));
  play.rerolls.push([old, made, play.turn]);
  play.parted ||= play.passed;
  return { ...(stays ? old : made), tries: [...(old.tries.length ? old.tries : [old.throws]), made.throws] };
}
/** @param {string} keep @param {number} old @param {number} made  whether the old die stays */
export const remains = (keep, old, made) => (keep === "higher" ? old >= made : keep === "lower" ? old <= made : false);
