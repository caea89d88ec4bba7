// The final states of one die after all its throws: its value, what it counts for each tally, the dice it earns. Throw by
// throw; equal states are merged, and the rarest branches are not followed.
/** @import {FinalState, Reroll} from "../engine/parts.d.ts" */
/** @import {Automaton} from "./automaton.js" */
import { add, cachedIn } from "../engine/messages.js";
import { keepsOld } from "../engine/rerolls.js";
import { addDice } from "./automaton.js";
import { budgetOf, tooMuch } from "./budget.js";

const MOST_STATES = 20_000;
export const UNLIKELY = 1.0000001e-20; // rarer branches are not followed; they count as missing
/** @type {(a: number[], b: number[]) => number} */
const compareLists = (a, b) => {
  const at = a.findIndex((one, place) => one !== b[place]);
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? -Infinity);
};
/** By kind, value, counts, earned dice. @param {FinalState} a @param {FinalState} b */
export const compareStates = (a, b) => a.kind - b.kind || a.value - b.value || compareLists(a.counts, b.counts) || compareLists(a.earned.flat(), b.earned.flat());

export class FinalStates {
  isLossy = false; // whether some branches were too unlikely to follow
  /** Tallies that no question needs are left out, and dice that only affect these. @param {Automaton} machine @param {Set<number> | null} needed */
  constructor(machine, needed) {
    this.machine = machine;
    this.budget = budgetOf(machine.bound.rule.game);
    const { rule, kinds } = machine.bound;
    this.needed = needed ?? new Set(rule.tallies.keys());
    this.relevant = new Set([...this.needed].map((tally) => rule.tallies[tally].kind));
    for (const _ of kinds) for (const { number } of kinds) if (rule.dice[number].earnedKinds.some((kind) => this.relevant.has(kind))) this.relevant.add(number);
    /** @type {Map<string, FinalState>} */
    this.known = new Map();
    /** @type {Map<number, Map<FinalState, number>>} */
    this.weights = new Map();
  }
  /** @param {number} kind @param {number} value @param {number[]} hits  what its throws count @param {[number, number][]} earned @returns {FinalState} */
  state(kind, value, hits, earned) {
    const counts = this.machine.bound.kinds[kind].finalHits(hits, value).map((count, tally) => (this.needed.has(tally) ? count : 0));
    const key = `${kind};${value};${counts};${earned}`;
    return cachedIn(this.known, key, () => ({ key, kind, value, counts, earned }));
  }
  /** All final states of a die of this kind, with their chances. @param {number} kind */
  ofKind(kind) {
    return cachedIn(this.weights, kind, () => this.follow(kind));
  }
  /** @param {number} kind */
  follow(kind) {
    const { machine } = this, /** @type {Map<FinalState, number>} */ found = new Map();
    let waiting = new Map([["", { place: machine.place(kind), value: 0, hits: machine.bound.rule.tallies.map(() => 0), earned: /** @type {[number, number][]} */ ([]), share: 1 }]]);
    while (waiting.size) {
      const after = new Map();
      for (const { place, value, hits, earned, share } of waiting.values()) {
        this.budget.spend(10 * machine.branches(place).length);
        for (const branch of machine.branches(place)) {
          const part = share * branch.share, total = value + branch.landing.value, gained = branch.earned.flatMap(([{ kind }, number]) => (this.relevant.has(kind) ? [/** @type {[number, number]} */ ([kind, number])] : []));
          const more = gained.length ? addDice([...earned, ...gained]) : earned;
          const counts = hits.map((hit, tally) => hit + (this.needed.has(tally) ? branch.landing.hits[tally] : 0));
          if (!branch.next) add(found, this.state(kind, total, counts, more), part);
          else if (part > UNLIKELY)
            cachedIn(after, `${branch.next.id};${total};${counts};${more}`, () => ({ place: branch.next, value: total, hits: counts, earned: more, share: 0 })).share += part;
          else this.isLossy = true;
        }
      }
      waiting = after;
      if (found.size + waiting.size > MOST_STATES) throw tooMuch();
    }
    return found;
  }
  /** After rounds in which every die that meets a test is rerolled. @param {number} kind @param {Reroll[]} rounds */
  afterRerolls(kind, rounds) {
    const fresh = this.ofKind(kind), { bound } = this.machine;
    let found = fresh;
    for (const reroll of rounds) {
      /** @type {Map<FinalState, number>} */
      const after = new Map();
      for (const [old, weight] of found)
        for (const [made, share] of bound.meets(reroll, kind, old.value) ? fresh : [/** @type {[FinalState, number]} */ ([old, 1])]) add(after, keptAfter(reroll, old, made), weight * share);
      found = after;
    }
    return found;
  }
}
/** The die that counts after a reroll. @param {Reroll} reroll @param {FinalState} old @param {FinalState} made */
export const keptAfter = ({ keep }, old, made) => (keepsOld(keep, old.value, made.value) ? old : made);
