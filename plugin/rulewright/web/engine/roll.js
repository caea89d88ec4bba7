// Rolls the dice of a bound rule: explosions, earned dice, rerolls, kept dice. Faces and decisions come from a FaceSource.
/** @import {Die, FaceSource, Transition, DicePool, BoundRule} from "./parts.d.ts" */
import { layOut } from "./dice-sets.js";
import { readPicked } from "./picked-dice.js";
import { rerollDice } from "./rerolls.js";
import { grouped, value } from "./bound-rule.js";
import { MOST, RollError, add, cachedIn, say, sum } from "./messages.js";

export class DiceRoller {
  /** @param {BoundRule} bound @param {FaceSource} faces */
  constructor(bound, faces) {
    this.bound = bound;
    this.faces = faces;
    this.declined = this.throws = 0;
    /** @type {Die[]} */
    this.dice = [];
    this.left = 0; // dice of this kind still to come in this round, the one in hand included
    /** @type {[Die, Die, number, boolean | null, boolean][]} the old die, the new one, which of the rerolls that are due it was, whether the old one stays, where that is chosen, and whether it was turned */
    this.rerolls = [];
    this.turn = -1;
    /** @type {number[]} */
    this.taken = []; // dice that are picked together
    this.passed = this.parted = false; // a choice was cut short; and more was thrown anew after that
    this.round = 1;
    this.isEarning = false; // dice that were earned are rolled now
    /** @type {Set<number>} kinds whose first dice have been rolled */
    this.rolled = new Set();
    /** @type {Set<Die>} dice whose earned dice are known */
    this.collected = new Set();
    /** @type {{kind: number, may: boolean}[]} earned dice that are still to be rolled */
    this.offers = [];
    /** The cards drawn from each deck. @type {Map<number, number[]>} */
    this.drawn = new Map();
  }
  /** A kind of dice, or what is left of a deck. @param {DicePool} pool */
  rest(pool) {
    return pool.kind.deck.length ? pool.without(this.drawn.get(pool.deck) ?? []) : pool;
  }
  run() {
    const { stages, rerolls } = this.bound.rule;
    stages.forEach(({ what, of }, place) => {
      const numbers = /** @type {number[]} */ (of);
      if (what === "values" && ((this.dice.length && place + 1 < stages.length) || this.hasChoice(of))) this.lookAt(of.map(String));
      else if (what === "dice") this.rollWave(numbers);
      else if (what === "again") for (const number of numbers) this.again(rerolls[number], number);
      else if (what === "earned") for (let more = true; more; ) more = this.rollEarned(numbers);
    });
    return this.markDropped();
  }
  /** What an entry of the rule leads to: other throws, or more dice. @param {import("./parts.d.ts").Reroll} entry @param {number} number */
  again(entry, number) {
    const { roll } = entry;
    if (typeof roll === "string") return rerollDice(this, entry, number);
    this.lookAt([]);
    this.bound.demand(this.bound.rule.namesOf(entry.times)); // picks too
    for (let left = Math.min(this.bound.of(entry.times), MOST); left > 0; left--) this.offers.push({ kind: roll, may: false });
  }
  /** Works out values from the dice on the table. @param {string[]} names */
  lookAt(names) {
    const bound = (this.bound = this.bound.continueWith(this.markDropped().tallies(), [], this.rolled));
    for (const name of names) {
      bound.workOut([name]);
      if (!bound.isOpen(name)) continue;
      const entry = bound.rule.asked.get(name), answer = bound.values[name] ?? this.faces.answer?.(this, entry);
      if (answer !== null && answer !== undefined) bound.choose(name, answer, entry.form === "dice" ? readPicked(bound, name, answer) : answer);
    }
    bound.scratch = { ...bound.known };
  }
  /** Whether something is chosen here that has not been given, or is found only on the table. @param {(string | number)[]} names */
  hasChoice(names) {
    const { rule, values } = this.bound;
    return names.map((name) => rule.asked.get(String(name))).some((entry) => entry?.form === "dice" || (entry?.is_choice && !(entry.name in values)));
  }
  /** The first dice of these kinds. @param {number[]} numbers */
  rollWave(numbers) {
    if (this.rolled.size) {
      this.lookAt([]);
      this.beginRound(new Map());
      this.isEarning = false;
    }
    for (const number of numbers) {
      const pool = this.bound.kinds[number];
      for (this.left = this.rest(pool).count; this.left; this.left--) this.dice.push(this.die(pool));
      this.rolled.add(number);
    }
  }
  /** @param {Map<number, number>} earned */
  beginRound(earned) {
    this.round++;
    this.faces.round?.(new Map(earned));
  }
  /** The dice of these kinds that dice have earned; whether there were any. @param {number[]} numbers */
  rollEarned(numbers) {
    const found = [...this.offers, ...this.earned()], due = new Map();
    const offers = this.withinDeck(found.filter(({ kind }) => numbers.includes(kind)).sort((a, b) => a.kind - b.kind || +a.may - +b.may));
    this.offers = found.filter(({ kind }) => !numbers.includes(kind));
    if (!offers.length) return false;
    for (const { kind } of offers) add(due, kind, 1);
    this.beginRound(due);
    this.isEarning = true;
    for (const { kind, may } of offers) {
      this.left = due.get(kind);
      due.set(kind, this.left - 1);
      if (this.isTaken(this.bound.kinds[kind], may)) this.dice.push(this.die(this.bound.kinds[kind], true));
    }
    return true;
  }
  /** Without cards that a deck no longer has. @param {{kind: number, may: boolean}[]} offers */
  withinDeck(offers) {
    const room = new Map();
    return offers.filter(({ kind }) => {
      const pool = this.bound.kinds[kind];
      if (!pool.kind.deck.length) return true;
      if (!room.has(kind)) room.set(kind, this.rest(pool).faces.length);
      add(room, kind, -1);
      return room.get(kind) >= 0;
    });
  }
  /** What is not kept is marked. */
  markDropped() {
    for (const pool of this.bound.kinds)
      if (pool.kind.keep && this.dice.some(({ kind }) => kind === pool.number)) this.drop(pool, /** @type {number} */ (pool.keep));
    return this;
  }
  /** @param {DicePool} pool */
  die(pool, earned = false) {
    this.faces.begin?.(this.rest(pool));
    return this.rollDie(pool, this.round, earned);
  }
  /** One die of a round, thrown on as long as it explodes. @param {DicePool} pool @param {number} round @param {boolean} earned @returns {Die} */
  rollDie(pool, round, earned) {
    /** @type {Transition[]} */
    const rolled = [];
    for (let last = 0, way = ""; ; last = rolled[rolled.length - 1].value) {
      const landing = pool.transition(this.draw(pool, way), last, rolled.length + 1);
      if (++this.throws > MOST) throw new RollError(say("wrong throws", { most: grouped(MOST) }));
      const isReplaced = this.goesOn(pool, "reroll", landing.rerolls);
      rolled.push(isReplaced ? { ...landing, isReplaced } : landing);
      way = isReplaced ? "reroll" : "explode";
      if (!isReplaced && !this.goesOn(pool, way, landing.explodes)) break;
    }
    this.faces.end?.(pool);
    return { kind: pool.number, throws: rolled.filter((landing) => !landing.isReplaced), rolled, round, earned, kept: true, tries: [] };
  }
  /** Whether the same die is rolled again; 2: if the player wants that. @param {DicePool} pool @param {string} way @param {number} holds */
  goesOn(pool, way, holds) {
    if (!holds || !this.rest(pool).faces.length) return false;
    if (holds !== 2) return true;
    const isWanted = this.faces.onward(pool, way);
    if (!isWanted) this.declined++;
    return isWanted;
  }
  /** The next face. @param {DicePool} pool @param {string} way */
  draw(pool, way) {
    const face = this.faces.face(this.rest(pool), way);
    if (pool.kind.deck.length) cachedIn(this.drawn, pool.deck, () => /** @type {number[]} */ ([])).push(face);
    return face;
  }
  /** The dice that dice have earned since this was asked. */
  earned() {
    const { rule } = this.bound, offers = [];
    for (const die of this.dice)
      if (rule.dice[die.kind].earnedKinds.length && !this.collected.has(die))
        for (const [kind, number, may] of die.rolled.flatMap((landing) => landing.earned))
          for (let left = number; left > 0; left--) {
            offers.push({ kind, may });
            if (offers.length > MOST) throw new RollError(say("wrong offers", { most: grouped(MOST) }));
          }
    this.collected = new Set(this.dice);
    return offers;
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
    own.sort((a, b) => sign * (value(a) - value(b))).forEach((die, place) => (die.kept = place < keep));
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
    return rule.reads.length || rule.picked.size ? Object.assign(found, { table: layOut(this.bound, this.dice) }) : found;
  }
}
/** @param {string} way @param {number[]} hits  what the dice of a kind count */
const combine = (way, hits) => (way === "highest" ? Math.max(...hits) : way === "lowest" ? Math.min(...hits) : sum(hits));
