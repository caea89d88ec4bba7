// One roll from beginning to end, whoever gives the faces.
/** @import {Die, Faces, Landing, Ready, Setting} from "./parts.d.ts" */
import { throwAnew } from "./rerolls.js";
import { grouped, value } from "./bound-rule.js";
import { MOST, Stop, add, say, sum } from "./messages.js";

export class Play {
  /** @param {Setting} setting @param {Faces} faces */
  constructor(setting, faces) {
    this.setting = setting;
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
    const { kinds, rule } = this.setting;
    for (const ready of kinds) for (this.left = ready.count; this.left; this.left--) this.dice.push(this.die(ready));
    rule.rerolls.forEach((reroll, number) => throwAnew(this, reroll, number));
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
        if (this.taken(kinds[kind], may)) this.dice.push(this.die(kinds[kind]));
      }
      newest = this.dice.slice(from);
    }
    return this.settled();
  }
  /** What is not kept is marked. */
  settled() {
    for (const ready of this.setting.kinds) if (ready.kind.keep) this.drop(ready, /** @type {number} */ (ready.keep));
    return this;
  }
  /** @param {Ready} ready */
  die(ready) {
    this.faces.begin?.(ready);
    return this.thrown(ready);
  }
  /** One die, thrown on as long as it explodes. @param {Ready} ready @returns {Die} */
  thrown(ready) {
    /** @type {Landing[]} */
    const throws = [];
    for (let last = 0; ; last = throws[throws.length - 1].face) {
      const landing = ready.land(this.faces.face(ready), last, throws.length + 1);
      throws.push(landing);
      if (++this.throws > MOST) throw new Stop(say("wrong throws", { most: grouped(MOST) }));
      if (!landing.explodes) break;
      if (landing.mayStop && !this.faces.onward(ready)) {
        this.declined++;
        break;
      }
    }
    this.faces.end?.(ready);
    return { kind: ready.number, throws, round: this.round, kept: true, tries: [] };
  }
  /** The dice that a round has earned, as declared; in each kind last those that may be declined. @param {Die[]} dice */
  earned(dice) {
    const { rule } = this.setting, offers = [];
    for (const die of dice)
      if (rule.dice[die.kind].again)
        for (const landing of die.throws)
          for (let left = landing.earns; left > 0; left--) {
            offers.push({ kind: rule.dice[die.kind].again.roll, may: landing.mayDecline });
            if (offers.length > MOST) throw new Stop(say("wrong offers", { most: grouped(MOST) }));
          }
    return offers.sort((a, b) => a.kind - b.kind || +a.may - +b.may);
  }
  /** @param {Ready} ready @param {boolean} may */
  taken(ready, may) {
    if (!may || this.faces.offered(ready)) return true;
    this.declined++;
    return false;
  }
  /** Dice that are not kept are marked; of equal ones the first thrown stay. @param {Ready} ready @param {number} keep */
  drop(ready, keep) {
    const sign = ready.kind.keep.highest ? -1 : 1, own = this.dice.filter((die) => die.kind === ready.number);
    for (const die of own.sort((a, b) => sign * (value(a) - value(b))).slice(keep)) die.kept = false;
  }
  /** The value of every tally over the dice that are kept. */
  tallies() {
    const { kinds, rule } = this.setting, found = rule.tallies.map(() => 0);
    for (const ready of kinds) {
      const own = this.dice.filter((die) => die.kind === ready.number && die.kept).map(({ throws }) => ready.counted(throws));
      rule.tallies.forEach((tally, place) => {
        if (tally.kind === ready.number && own.length) found[place] = together(tally.function, own.map((die) => die[place]));
      });
    }
    return found;
  }
}
/** @param {string} way @param {number[]} hits  what the dice of a kind count */
const together = (way, hits) => (way === "highest" ? Math.max(...hits) : way === "lowest" ? Math.min(...hits) : sum(hits));
