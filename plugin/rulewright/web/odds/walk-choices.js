// Choices of a walk: what leads to the best mean of a value of a question. As odds/walk_choices.py, which explains it.
/** @import {Aims, Rule} from "../engine/parts.d.ts" */
/** @import {Walked} from "./walk.js" */
/** @import {Class} from "./walk-again.js" */
import { best, cachedIn, sum } from "../engine/messages.js";
import { BoundRule } from "../engine/bound-rule.js";
import { keepsOld, noFace } from "../engine/rerolls.js";
import { NotExactError } from "./budget.js";
import { meanOf } from "./open-values.js";
import { spread } from "./walk-again.js";

const SO_CLOSE = 1e12; // results that differ by less than one part in so many are equal

/** Choices for the aim of the rule that are not given. @param {BoundRule} bound */
export const openChoices = ({ rule, values }) => rule.inputs.filter(({ name, is_choice, goal }) => is_choice && !goal && !(name in values));
/** With the answer of the aim to every question, if it has one. @param {BoundRule} bound @param {Aims} aims @returns {BoundRule} */
export function answered(bound, { answer }) {
  const open = openChoices(bound);
  return answer === null || !open.length ? bound : new BoundRule(bound.rule, { ...bound.values, ...Object.fromEntries(open.map(({ name }) => [name, answer])) });
}
/** @param {any} mean */
function known(mean) {
  if (mean === null) throw new NotExactError();
  return Number(mean);
}
/** @typedef {(key: any[]) => number} Worth  of the outcome and the values of a question */
/** The worth of the value at a place, from the end. @param {number} place @returns {Worth} */
export const worthOf = (place) => (key) => known(meanOf(key[key.length - place]));
/** The mean of what results are worth; without that, of the last value. @param {Walked} walked @param {Worth} [worth] */
export function meanWorth(walked, worth = worthOf(1)) {
  let sum = 0;
  for (const { key, weight } of walked.values()) sum += worth(key) * weight;
  return sum;
}
/** @param {number} value @param {number} than */
export const isBetter = (value, than) => (value - than) * SO_CLOSE > Math.max(1, Math.abs(than));
/** The option that leads to the best; of equal ones the first. @template X @param {Iterable<[X, () => Walked]>} options @param {Worth} [worth] @returns {[X, Walked]} */
export function pickBest(options, worth) {
  const [first, ...others] = Array.from(options, ([option, follow]) => /** @type {[X, Walked]} */ ([option, follow()]));
  let chosen = first, most = others.length ? meanWorth(first[1], worth) : 0;
  for (const way of others) {
    const own = meanWorth(way[1], worth);
    if (isBetter(own, most)) [chosen, most] = [way, own];
  }
  return chosen;
}
/** Adds what a state leads to. @param {Walked} found @param {Walked} walked @param {number} weight */
export function addWalked(found, walked, weight) {
  for (const [name, { key, weight: share }] of walked) {
    const old = found.get(name);
    if (old) old.weight += weight * share;
    else found.set(name, { key, weight: weight * share });
  }
}
/** Without so many of the last values, which are only what choices are made for. @param {Walked} walked @param {number} number */
export function withoutLast(walked, number) {
  if (!number) return walked;
  /** @type {Walked} */
  const found = new Map();
  for (const { key, weight } of walked.values()) {
    const own = key.slice(0, -number);
    addWalked(found, new Map([[JSON.stringify(own), { key: own, weight: 1 }]]), weight);
  }
  return found;
}
/** All ways to pick up to so many dice of classes of these sizes: more dice first, and of the first places.
 * @param {number[]} sizes @param {number} most @param {number[]} places */
export function* listPicks(sizes, most, places) {
  const own = places.map((place) => sizes[place]);
  for (let number = Math.min(Math.max(most, 0), sum(own)); number >= 0; number--)
    for (const counts of picksOf(own, number)) yield sizes.map((_, place) => counts[places.indexOf(place)] ?? 0);
}
/** @param {number[]} sizes @param {number} number @returns {Generator<number[]>} */
function* picksOf([size, ...others], number) {
  if (size === undefined) yield [];
  else if (!number) yield [0, ...others.map(() => 0)];
  else for (let first = Math.min(size, number); first >= Math.max(number - sum(others), 0); first--)
    for (const rest of picksOf(others, number - first)) yield [first, ...rest];
}
/** @typedef {{taken: number[], turned: number[] | null}} Move  so many dice of each class are rolled again, or turned to faces that are chosen */
/** @type {(counts: number[], more: number[], sign?: number) => number[]} */
const movedCounts = (counts, more, sign = 1) => counts.map((count, place) => count + sign * more[place]);
/** Dice that a player rolls again or turns, some or one at a time; a state says how many dice show each face. */
export class RerollPlan {
  /** @param {any} entry @param {Class[]} classes @param {(counts: number[]) => Walked} end @param {any} budget @param {Worth} [worth] @param {((counts: number[]) => number[]) | null} [able]  how many dice of each class it may take */
  constructor(entry, classes, end, budget, worth, able, kinds = /** @type {Rule["dice"]} */ ([])) {
    this.kinds = kinds;
    this.worth = worth;
    this.able = able ?? ((counts) => counts);
    this.entry = entry;
    this.classes = classes;
    this.end = end;
    this.budget = budget;
    const kindOf = (/** @type {number} */ place) => classes.findIndex(({ kind }) => kind === classes[place].kind);
    this.places = classes.flatMap(({ meets }, place) => (meets ? [place] : [])).sort((a, b) => kindOf(a) - kindOf(b) || classes[a].value - classes[b].value);
    /** @type {Map<string, number>} */
    this.sides = new Map();
    for (const { group, weight } of classes) this.sides.set(group, entry.turn ? 1 : (this.sides.get(group) ?? 0) + weight);
    this.forgets = entry.keep === "new" && !entry.turn; // what dice showed before does not matter
    /** @type {Map<string, [Move | null, Walked]>} */
    this.found = new Map();
    /** @type {Map<string, Walked>} */
    this.rolled = new Map();
    /** @type {Map<string, [number[], Walked]>} */
    this.turned = new Map();
  }
  /** The dice to roll or turn next, as numbers by class, and where that leads to; null to stop. @param {number} left @param {number[]} counts @returns {[Move | null, Walked]} */
  best(left, counts) {
    return cachedIn(this.found, `${left};${counts}`, () => (left > 0 ? pickBest(this.options(left, counts), this.worth) : [null, this.end(counts)]));
  }
  /** @param {number} left @param {number[]} counts @returns {Iterable<[Move | null, () => Walked]>} */
  *options(left, counts) {
    const picks = this.listTaken(counts);
    for (const taken of picks)
      if (!this.entry.choosesFace) yield [{ taken, turned: null }, () => this.roll(left, counts, taken)];
      else {
        const [turned, walked] = this.bestFaces(left - 1, movedCounts(counts, taken, -1), this.totals(taken));
        yield [{ taken, turned }, () => walked];
      }
    if (["any", "some"].includes(this.entry.pick) || !picks.length) yield [null, () => this.best(0, counts)[1]];
  }
  /** @param {number[]} counts @returns {number[][]} */
  listTaken(counts) {
    const { pick } = this.entry, able = this.able(counts), there = this.places.filter((place) => able[place]), value = (/** @type {number} */ place) => this.classes[place].value;
    const toCounts = (/** @type {[number, number][]} */ taken) => taken.reduce((so, [place, number]) => so.with(place, number), counts.map(() => 0));
    if (pick === "all") return [toCounts(there.map((place) => [place, able[place]]))];
    if (pick === "any") return there.map((place) => toCounts([[place, 1]]));
    if (pick === "some") return [...listPicks(able, Infinity, there)].slice(0, -1); // the last is none
    if (!there.length) return [];
    const picked = best(there, (place) => (pick === "highest" ? 1 : -1) * value(place));
    if (there.some((place) => place !== picked && this.classes[place].group === this.classes[picked].group && value(place) === value(picked))) throw new NotExactError();
    return [toCounts([[picked, 1]])];
  }
  /** How many of the dice taken are of each group. @param {number[]} taken */
  totals(taken) {
    return [...this.sides.keys()].map((group) => sum(taken.filter((_, place) => this.classes[place].group === group)));
  }
  /** The best faces for so many dice of each group, beside the dice that stay. @param {number} left @param {number[]} rest @param {number[]} taken */
  bestFaces(left, rest, taken) {
    return cachedIn(this.turned, `${left};${rest};${taken}`, () => {
      return pickBest(this.listTurned(taken).map((way) => [way, () => this.best(left, movedCounts(rest, way))[1]]), this.worth);
    });
  }
  /** What so many dice of each group can show once they have been turned. @param {number[]} taken */
  listTurned(taken) {
    const { classes } = this, groups = [...this.sides.keys()];
    return taken.reduce((ways, dice, at) => {
      const own = classes.flatMap(({ group }, place) => (group === groups[at] ? [place] : [])).sort((a, b) => classes[a].value - classes[b].value);
      const shown = Array.from(picksOf(own.map(() => dice), dice), (numbers) => (this.budget.spend(4), classes.map((_, place) => numbers[own.indexOf(place)] ?? 0)));
      this.budget.spend(ways.length * shown.length);
      return ways.flatMap((way) => shown.map((more) => movedCounts(way, more)));
    }, [classes.map(() => 0)]);
  }
  /** The place of the face that dice of a class are turned to. @param {Class} own */
  placeOfTurned({ kind, group, turn }) {
    const place = this.classes.findIndex((next) => next.group === group && next.value === turn);
    if (place < 0) throw noFace(this.kinds[kind], turn);
    return place;
  }
  /** Rolls these dice again, and follows the best plan from there. @param {number} left @param {number[]} counts @param {number[]} taken @returns {Walked} */
  roll(left, counts, taken) {
    const rest = movedCounts(counts, taken, -1), key = this.forgets ? `${left};${rest};${this.totals(taken)}` : `${left};${counts};${taken}`;
    return cachedIn(this.rolled, key, () => this.addUp(left, counts, taken, rest));
  }
  /** @param {number} left @param {number[]} counts @param {number[]} taken @param {number[]} rest */
  addUp(left, counts, taken, rest) {
    /** @type {Walked} */
    const found = new Map();
    for (const [rolled, weight] of this.listRolls(taken).values()) {
      this.budget.spend(4);
      const after = movedCounts(rolled, rest);
      addWalked(found, this.entry.keep === "better" ? this.better(left - 1, after, counts)[1] : this.best(left - 1, after)[1], weight);
    }
    return found;
  }
  /** The better of two states, and where it leads to; of equal ones the new one. @param {number} left @param {number[]} made @param {number[]} old @returns {[number[], Walked]} */
  better(left, made, old) {
    const [afterMade, afterOld] = [made, old].map((state) => this.best(left, state)[1]);
    return isBetter(meanWorth(afterOld, this.worth), meanWorth(afterMade, this.worth)) ? [old, afterOld] : [made, afterMade];
  }
  /** What these dice can show afterwards, with chances. @param {number[]} taken */
  listRolls(taken) {
    const { classes, entry } = this, /** @type {Map<string, [number[], number]>} */ start = new Map([["", [classes.map(() => 0), 1]]]);
    let states = start;
    taken.forEach((dice, number) => {
      if (!dice) return;
      const own = classes[number], shares = classes.map(() => 0), /** @type {typeof start} */ after = new Map();
      if (own.turn !== null) shares[this.placeOfTurned(own)] = 1;
      else classes.forEach((next, place) => {
        if (next.group === own.group) shares[keepsOld(entry.keep, own.value, next.value) ? number : place] += next.weight / /** @type {number} */ (this.sides.get(own.group));
      });
      for (const [more, share] of spread(dice, shares))
        for (const [old, weight] of states.values()) {
          const counts = movedCounts(old, more), key = String(counts), known = after.get(key);
          if (known) known[1] += weight * share;
          else after.set(key, [counts, weight * share]);
        }
      states = after;
    });
    return states;
  }
}
