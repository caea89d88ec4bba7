// Rerolls dice of a roll: which ones, and whether the old or the new die stays.
/** @import {DicePool, Die, DiceRoller, Reroll} from "./parts.d.ts" */
import { facesOf, value } from "./bound-rule.js";
import { MOST, RollError, best, say } from "./messages.js";

/** @param {DiceRoller} play @param {Reroll} reroll @param {number} number */
export function rerollDice(play, reroll, number) {
  const { dice, bound } = play, times = Math.min(bound.of(reroll.times), MOST), places = times > 0 ? findDice(play, reroll) : [];
  if (!places.length) return;
  play.turn++;
  for (let left = times; left; left--) {
    const able = places.filter((place) => meets(play, reroll, dice[place])), chosen = able.length ? pickDice(play, reroll, able, number, left) : [];
    if (!chosen.length) return;
    for (const place of chosen) {
      const old = dice[place], die = (dice[place] = (reroll.roll === "turn" ? turnDie : rerollDie)(play, reroll, place, number, left));
      if (die.rolled === old.rolled && play.collected.has(old)) play.collected.add(die);
    }
  }
}
/** The dice of a set: of whole kinds, by kind, then in the order rolled. @param {DiceRoller} play @param {Reroll} reroll @returns {number[]} */
function findDice(play, { among, read }) {
  if (!read) return among.flatMap((kind) => play.dice.flatMap((die, place) => (die.kind === kind ? [place] : [])));
  return read(play.bound.known, play.markDropped().tallies()).map((/** @type {{place: number}} */ { place }) => place);
}
/** @param {DiceRoller} play @param {Reroll} reroll @param {Die} die */
const meets = ({ bound }, reroll, die) => bound.meets(reroll, die.kind, value(die), die.throws[die.throws.length - 1].face);
/** The dice of one pick; none if the player stops. @param {DiceRoller} play @param {Reroll} reroll @param {number[]} able @param {number} number @param {number} left */
function pickDice(play, { pick }, able, number, left) {
  const { dice } = play, seen = (/** @type {number} */ at) => `${dice[at].kind} ${facesOf(dice[at])}`;
  if (pick === "all") return able;
  if (pick !== "any" && pick !== "some") return [best(able, (place) => (pick === "highest" ? 1 : -1) * value(dice[place]))];
  const /** @type {number[]} */ taken = (play.taken = []);
  while (taken.length < (pick === "some" ? able.length : 1)) {
    const rest = able.filter((place) => !taken.includes(place)), chosen = play.faces.choose?.(play, dice, rest, number, left) ?? null;
    if (chosen === null) break;
    taken.push(/** @type {number} */ (rest.find((place) => seen(place) === seen(chosen))));
  }
  play.passed ||= !taken.length;
  return taken;
}
/** @param {DiceRoller} play @param {Reroll} reroll @param {number} place @param {number} number @param {number} left */
function rerollDie(play, reroll, place, number, left) {
  const old = play.dice[place], pool = play.bound.kinds[old.kind];
  if (!play.rest(pool).faces.length) return old;
  play.faces.rethrow?.(play.rest(pool), old);
  const made = play.rollDie(pool, old.round, old.earned), isChosen = reroll.keep === "better";
  const stays = isChosen ? !play.faces.prefers?.(play, place, made, number, left) : keepsOld(reroll.keep, value(old), value(made));
  play.rerolls.push([old, made, play.turn, isChosen ? stays : null, false]);
  play.parted ||= play.passed;
  return { ...(stays ? old : made), tries: [...(old.tries.length ? old.tries : [old.rolled]), made.rolled] };
}
/** Sets a die to another face; it is not rolled, so it does not roll on. @param {DiceRoller} play @param {Reroll} reroll @param {number} place @param {number} number @param {number} left */
function turnDie(play, { turn }, place, number, left) {
  const old = play.dice[place], { bound } = play, pool = bound.kinds[old.kind];
  const face = turn ? findFace(pool, bound.askDie(turn, old.kind, value(old), old.throws[old.throws.length - 1].face)) : null;
  const rolled = [pool.transition(/** @type {number} */ (play.faces.turnDie ? play.faces.turnDie(play, place, number, left, face) : face), 0, 1)], made = { ...old, throws: rolled, rolled, tries: [] };
  play.rerolls.push([old, made, play.turn, null, true]);
  play.parted ||= play.passed;
  return { ...made, tries: [...(old.tries.length ? old.tries : [old.rolled]), rolled] };
}
/** The face with this value, to which a die is turned. @param {DicePool} pool @param {number} value */
function findFace({ kind, faces }, value) {
  const found = faces.find((face) => (kind.faces.length ? kind.faces[face].value : face) === value);
  if (found === undefined) throw noFace(kind, value);
  return found;
}
/** @param {{name: string}} kind @param {any} value */
export const noFace = ({ name }, value) => new RollError(say("wrong turn", { kind: name, value }));
/** @param {string} keep @param {number} old @param {number} made  whether the old die stays */
export const keepsOld = (keep, old, made) => (keep === "higher" ? old >= made : keep === "lower" ? old <= made : false);
