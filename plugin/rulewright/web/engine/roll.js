// Rolls the dice of a bound rule: explosions, earned dice, rerolls, kept dice. Faces and decisions come from a FaceSource.
/** @import {Die, FaceSource, Transition, DicePool, BoundRule} from "./parts.d.ts" */
import { rerollDice } from "./rerolls.js";
import { grouped, value } from "./bound-rule.js";
import { MOST, RollError, add, say, sum } from "./messages.js";

export class DiceRoller {
  /** @param {BoundRule} bound @param {FaceSource} faces */
  constructor(bound, faces) {
    this.bound = bound;
    this.faces = faces;
    this.declined = this.throws = 0;
    /** @type {Die[]} */
    this.dice = [];
    this.left = 0; // dice of this kind still to come in this round, the one in hand included
    /** @type {[Die, Die, number][]} the old die, the new one, and which of the rerolls that are due it was */
    this.rerolls = [];
    this.turn = -1;
    this.passed = this.parted = false; // a choice was cut short; and more was thrown anew after that
    this.round = 1;
  }
  run() {
    const { kinds, rule } = this.bound;
    for (const pool of kinds) for (this.left = pool.count; this.left; this.left--) this.dice.push(this.die(pool));
    rule.rerolls.forEach((reroll, number) => rerollDice(this, reroll, number));
    for (let newest = this.dice; ; ) {
      this.round++;
      const offers = this.earned(newest), earned = new Map();
      if (!offers.length) break;
      for (const { kind } of offers) add(earned, kind, 1);
      this.faces.round?.(new Map(earned));
      const from = this.dice.length;
      for (const { kind, may } of offers) {
        this.left = earned.get(kind);
        earned.set(kind, this.left - 1);
        if (this.isTaken(kinds[kind], may)) this.dice.push(this.die(kinds[kind]));
      }
      newest = this.dice.slice(from);
    }
    return this.markDropped();
  }
  /** What is not kept is marked. */
  markDropped() {
    for (const pool of this.bound.kinds) if (pool.kind.keep) this.drop(pool, /** @type {number} */ (pool.keep));
    return this;
  }
  /** @param {DicePool} pool */
  die(pool) {
    this.faces.begin?.(pool);
    return this.rollDie(pool);
  }
  /** One die, thrown on as long as it explodes. @param {DicePool} pool @returns {Die} */
  rollDie(pool) {
    /** @type {Transition[]} */
    const throws = [];
    for (let last = 0; ; last = throws[throws.length - 1].value) {
      const landing = pool.transition(this.faces.face(pool), last, throws.length + 1);
      throws.push(landing);
      if (++this.throws > MOST) throw new RollError(say("wrong throws", { most: grouped(MOST) }));
      if (!landing.explodes) break;
      if (landing.mayStop && !this.faces.onward(pool)) {
        this.declined++;
        break;
      }
    }
    this.faces.end?.(pool);
    return { kind: pool.number, throws, round: this.round, kept: true, tries: [] };
  }
  /** The dice that a round has earned, as declared; in each kind last those that may be declined. @param {Die[]} dice */
  earned(dice) {
    const { rule } = this.bound, offers = [];
    for (const die of dice)
      if (rule.dice[die.kind].again)
        for (const landing of die.throws)
          for (let left = landing.earns; left > 0; left--) {
            offers.push({ kind: rule.dice[die.kind].again.roll, may: landing.mayDecline });
            if (offers.length > MOST) throw new RollError(say("wrong offers", { most: grouped(MOST) }));
          }
    return offers.sort((a, b) => a.kind - b.kind || +a.may - +b.may);
  }
  /** @param {DicePool} pool @param {boolean} may */
  isTaken(pool, may) {
    if (!may || this.faces.offered(pool)) return true;
    this.declined++;
    return false;
  }
  /** Dice that are not kept are marked; of equal ones the first thrown stay. @param {DicePool} pool @param {number} keep */
  drop(pool, keep) {
    const sign = pool.kind.keep.highest ? -1 : 1, own = this.dice.filter((die) => die.kind === pool.number);
    for (const die of own.sort((a, b) => sign * (value(a) - value(b))).slice(keep)) die.kept = false;
  }
  /** The value of every tally over the dice that are kept. */
  tallies() {
    const { kinds, rule } = this.bound, found = rule.tallies.map(() => 0);
    for (const pool of kinds) {
      const own = this.dice.filter((die) => die.kind === pool.number && die.kept).map(({ throws }) => pool.counted(throws));
      rule.tallies.forEach((tally, place) => {
        if (tally.kind === pool.number && own.length) found[place] = combine(tally.function, own.map((die) => die[place]));
      });
    }
    return found;
  }
}
/** @param {string} way @param {number[]} hits  what the dice of a kind count */
const combine = (way, hits) => (way === "highest" ? Math.max(...hits) : way === "lowest" ? Math.min(...hits) : sum(hits));
