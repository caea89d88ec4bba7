// Rolls dice one after the other, state by state, and merges equal states. Slow but general: it handles what sums cannot,
// such as dice that are picked for a reroll, the highest of earned dice, two numbers without end at once. States that are
// too unlikely to follow count as missing.
/** @import {Coordinate, FinalState, Kept, Place, Reduced, RollState, Waiting} from "../engine/parts.d.ts" */
/** @import {Automaton} from "./automaton.js" */
import { add, cachedIn, sum } from "../engine/messages.js";
import { ifPaid, budgetOf, tooMuch } from "./budget.js";
import { FinalStates, UNLIKELY } from "./final-states.js";
import { StateGroup } from "./groups.js";

const NO_DICE = -(2 ** 50); // the highest of no dice
const FOR_SUMS = 1 / 10; // of the budget is kept to add up dice that were followed one by one
const COST = 10; // of dice kept and waiting, in steps
const MOST_MISSED = 0.1; // wider bounds are useless
/** @typedef {Map<string, [number[], number]>} Inside  weights of the counts so far */
/** @typedef {Map<string, {kept: Kept, waiting: Waiting, inside: Inside}>} Rooms  by kept and waiting dice */

/** @param {Inside} inside @param {number[]} values @param {number} weight */
const addState = (inside, values, weight) => void (cachedIn(inside, String(values), () => /** @type {[number[], number]} */ ([values, 0]))[1] += weight);

export class StateSearch {
  /** @param {Automaton} machine @param {Coordinate[]} coordinates @param {Set<number> | null} needed */
  constructor(machine, coordinates, needed = null) {
    this.machine = machine;
    this.kinds = machine.bound.kinds;
    this.coordinates = coordinates;
    this.finals = new FinalStates(machine, needed);
    this.neutral = coordinates.map(({ extreme }) => (extreme ? NO_DICE : 0));
    this.budget = budgetOf(machine.bound.rule.game);
    this.isWhole = true; // whether no state was left out
    /** @type {Map<FinalState, Reduced>} */
    this.reduced = new Map();
    /** @type {Map<string, Reduced>} */
    this.shapes = new Map();
    /** @type {Map<Place, [Reduced, number][]>} */
    this.ways = new Map();
  }
  /** @param {number} steps */
  spend(steps) {
    this.budget.spend(2 * steps);
  }
  /** @param {number[]} left @param {number[]} right */
  combine(left, right) {
    return left.map((one, d) => {
      const other = right[d], { extreme } = this.coordinates[d];
      if (!extreme) return one + other;
      return one === NO_DICE ? other : other === NO_DICE ? one : Math[extreme === "highest" ? "max" : "min"](one, other);
    });
  }
  /** The distribution of all dice of these kinds, without picked rerolls. @param {number[]} kinds */
  rollKinds(kinds) {
    const dice = kinds.map((kind) => /** @type {[Place, number]} */ ([this.machine.start(kind), this.kinds[kind].count]));
    if (kinds.some((kind) => this.kinds[kind].keep !== null)) return this.finish([[{ values: this.neutral, kept: [], waiting: this.queue([], dice) }, 1]]);
    /** @type {Inside} */
    let found = new Map([["", [this.neutral, 1]]]);
    for (const [place, number] of dice) if (number) {
      const rooms = this.roomOf([], this.queue([], [[place, 1]]), new Map([["", [this.neutral, 1]]]));
      found = this.convolve(found, this.equalDice(this.budget.keeping(() => this.follow(rooms), FOR_SUMS), number));
    }
    return this.toGroup(found);
  }
  /** The distribution of rolled dice, dice that are still to be rolled, and all dice that they earn.
   * @param {[[FinalState[], number][], [FinalState[], number][]][]} parts  independent pairs @param {number[]} kinds */
  continueFrom(parts, kinds) {
    const waiting = this.queue([], kinds.map((kind) => [this.machine.start(kind), this.kinds[kind].count])), /** @type {Map<string, [RollState, number]>} */ found = new Map();
    for (const [first, second] of parts) {
      const left = this.merge(first), right = this.merge(second);
      this.spend(4 * left.length * right.length);
      for (const [one, weight] of left)
        for (const [other, share] of right) {
          const kept = [...one.kept, ...other.kept].sort(([a], [b]) => a - b), later = [...one.waiting, ...other.waiting].map(([, place, number]) => /** @type {[Place, number]} */ ([place, number]));
          const state = { values: this.combine(one.values, other.values), kept, waiting: this.queue(waiting, later) };
          cachedIn(found, keyOf(state), () => /** @type {[RollState, number]} */ ([state, 0]))[1] += weight * share;
        }
    }
    return this.finish([...found.values()]);
  }
  /** @param {[FinalState[], number][]} states @returns {[RollState, number][]} */
  merge(states) {
    /** @type {Map<string, [RollState, number]>} */
    const found = new Map();
    for (const [dice, weight] of states) {
      const state = this.stateOf(dice);
      cachedIn(found, keyOf(state), () => /** @type {[RollState, number]} */ ([state, 0]))[1] += weight;
    }
    return [...found.values()];
  }
  /** Dice on the table as one state. @param {FinalState[]} dice @returns {RollState} */
  stateOf(dice) {
    let values = this.neutral, kept = /** @type {Kept} */ ([]), waiting = /** @type {Waiting} */ ([]);
    for (const one of dice.map((rest) => this.reduce(rest))) {
      values = this.combine(values, one.values);
      ({ kept, waiting } = this.after(kept, waiting, one));
    }
    return { values, kept, waiting };
  }
  /** @param {[RollState, number][]} states */
  finish(states) {
    if (states.every(([{ waiting }]) => !waiting.length)) {
      /** @type {Inside} */
      const found = new Map();
      for (const [{ values, kept }, weight] of states) addState(found, this.withKept(values, kept), weight);
      return new StateGroup([...found.values()].map(([values, weight]) => [values.map(noDice), weight]), 0, this.isWhole && !this.finals.isLossy);
    }
    /** @type {Rooms} */
    const rooms = new Map();
    for (const [{ values, kept, waiting }, weight] of states) addState(this.room(rooms, kept, waiting), values, weight);
    return this.toGroup(this.follow(rooms));
  }
  /** @param {Inside} found */
  toGroup(found) {
    const missing = this.isWhole && !this.finals.isLossy ? 0 : Math.max(1 - sum([...found.values()].map(([, weight]) => weight)), Number.MIN_VALUE);
    if (missing > MOST_MISSED) throw tooMuch();
    /** @type {Inside} */
    const merged = new Map();
    for (const [values, weight] of found.values()) addState(merged, values.map(noDice), weight);
    return new StateGroup([...merged.values()], missing);
  }
  /** @param {Rooms} rooms @param {Kept} kept @param {Waiting} waiting */
  room(rooms, kept, waiting) {
    return cachedIn(rooms, roomKey(kept, waiting), () => ({ kept, waiting, inside: new Map() })).inside;
  }
  /** @param {Kept} kept @param {Waiting} waiting @param {Inside} inside @returns {Rooms} */
  roomOf(kept, waiting, inside) {
    return new Map([[roomKey(kept, waiting), { kept, waiting, inside }]]);
  }
  /** Rolls the waiting dice, one per state at a time, until none is worth following. @param {Rooms} start */
  follow(start) {
    /** @type {Inside} */
    const done = new Map();
    let rooms = start;
    while (rooms.size) {
      for (const [key, { kept, waiting, inside }] of rooms)
        if (!waiting.length) {
          for (const [values, weight] of inside.values()) addState(done, this.withKept(values, kept), weight);
          rooms.delete(key);
        }
      const after = this.rollNext(rooms);
      if (!after) break;
      rooms = after;
    }
    for (const { waiting } of rooms.values()) if (!waiting.some(([, { kind }]) => this.machine.earnsOwnKind(kind))) throw tooMuch();
    return done;
  }
  /** The states after one more die; null if that is too much to follow. @param {Rooms} rooms @returns {Rooms | null} */
  rollNext(rooms) {
    /** @type {Rooms} */
    const found = new Map();
    for (const { kept, waiting, inside } of rooms.values()) {
      const [turn, place, number] = waiting[waiting.length - 1], left = waiting.slice(0, -1), ways = this.waysOf(place);
      if (number > 1) left.push([turn, place, number - 1]);
      const mayLose = this.finals.isLossy || this.machine.earnsOwnKind(place.kind), likely = [...inside.values()].filter(([, weight]) => !mayLose || weight > UNLIKELY);
      this.isWhole &&= likely.length === inside.size;
      if (!likely.length) continue;
      if (ifPaid(() => this.budget.spend(ways.length * (likely.length + COST))) === null) {
        this.isWhole = false;
        return null;
      }
      for (const [die, share] of ways) {
        const next = this.after(kept, left, die), into = this.room(found, next.kept, next.waiting);
        for (const [values, weight] of likely) addState(into, this.combine(values, die.values), weight * share);
      }
    }
    return found;
  }
  /** @param {Kept} kept @param {Waiting} waiting @param {Reduced} die */
  after(kept, waiting, die) {
    return { kept: die.kept ? this.keep(kept, die.kept) : kept, waiting: die.earned.length ? this.queue(waiting, die.earned.map(([kind, times]) => [this.machine.place(kind), times])) : waiting };
  }
  /** The final states of a die to be rolled, merged where the question does not tell them apart. @param {Place} place */
  waysOf(place) {
    return cachedIn(this.ways, place, () => {
      const ways = place.turn ? this.finals.ofKind(place.kind) : this.finals.afterRerolls(place.kind, this.machine.rounds(place.kind)), found = new Map();
      for (const [rest, weight] of ways) add(found, this.reduce(rest), weight);
      return [...found];
    });
  }
  /** @param {FinalState} rest @returns {Reduced} */
  reduce(rest) {
    return cachedIn(this.reduced, rest, () => {
      const isKept = this.kinds[rest.kind].keep !== null, values = isKept ? this.neutral : this.count(rest);
      const key = `${rest.kind};${values};${isKept ? rest.key : ""};${rest.earned}`;
      return cachedIn(this.shapes, key, () => ({ kind: rest.kind, values, kept: isKept ? rest : null, earned: rest.earned }));
    });
  }
  /** What one die adds to each coordinate. @param {FinalState} rest */
  count(rest) {
    const { tallies } = this.machine.bound.rule;
    return this.coordinates.map(({ form, extreme }) => (!extreme ? sum(form.map(([tally, times]) => times * rest.counts[tally])) : tallies[form[0][0]].kind === rest.kind ? rest.value : NO_DICE));
  }
  /** @param {number[]} values @param {Kept} kept */
  withKept(values, kept) {
    return kept.reduce((so, [, , rest]) => this.combine(so, this.count(rest)), values);
  }
  /** The kept dice with one more; among equals, dice rolled earlier stay. @param {Kept} kept @param {FinalState} rest @returns {Kept} */
  keep(kept, rest) {
    const pool = this.kinds[rest.kind], rank = pool.kind.keep.highest ? -rest.value : rest.value, own = kept.filter(([kind]) => kind === rest.kind);
    const at = own.filter(([, other]) => other <= rank).length;
    own.splice(at, 0, [rest.kind, rank, rest]);
    return [...kept.filter(([kind]) => kind !== rest.kind), ...own.slice(0, /** @type {number} */ (pool.keep))].sort(([a], [b]) => a - b);
  }
  /** Adds dice to those that wait. Kinds with `keep` are rolled last: they earn nothing, so their order does not matter.
   * @param {Waiting} waiting @param {[Place, number][]} dice @returns {Waiting} */
  queue(waiting, dice) {
    const found = [...waiting];
    for (const [place, number] of dice) {
      if (!number) continue;
      const turn = this.kinds[place.kind].keep === null ? 2 : place.turn ? 0 : 1, at = found.findIndex(([other, one]) => (other - turn || one.kind - place.kind || one.last - place.last || one.turn - place.turn) >= 0);
      if (at >= 0 && found[at][1] === place) found[at] = [turn, place, found[at][2] + number];
      else found.splice(at < 0 ? found.length : at, 0, [turn, place, number]);
    }
    return found;
  }
  /** @param {Inside} left @param {Inside} right @returns {Inside} */
  convolve(left, right) {
    this.budget.spend(2 * left.size * right.size);
    /** @type {Inside} */
    const found = new Map();
    for (const [values, weight] of left.values()) for (const [other, share] of right.values()) addState(found, this.combine(values, other), weight * share);
    if (!this.isWhole || this.finals.isLossy) for (const [key, [, weight]] of found) if (!(weight > UNLIKELY)) found.delete(key);
    return found;
  }
  /** @param {Inside} single @param {number} number @returns {Inside} */
  equalDice(single, number) {
    if (number === 1) return single;
    const half = this.equalDice(single, number >> 1), both = this.convolve(half, half);
    return number % 2 ? this.convolve(both, single) : both;
  }
}
const noDice = (/** @type {number} */ value) => (value === NO_DICE ? 0 : value); // the highest of no dice is shown as 0
/** @param {Kept} kept @param {Waiting} waiting */
const roomKey = (kept, waiting) => `${kept.map(([, , { key }]) => key)};${waiting.map(([, { id }, number]) => [id, number])}`;
/** @param {RollState} state */
const keyOf = ({ values, kept, waiting }) => `${values};${roomKey(kept, waiting)}`;
