// The best plan for choices in a rule that is rolled again and again. As odds/rounds_plan.py, which explains it.
/** @import {Walked} from "./walk.js" */
/** @import {Worth} from "./walk-choices.js" */
import { RollError, add, say } from "../engine/messages.js";
import { tooMuch } from "./budget.js";
import { stateGroups } from "./components.js";
import { eliminateLines } from "./lines.js";
import { isBetter, meanWorth } from "./walk-choices.js";

const MOST_PLANNED_STATES = 20_000;
const CERTAIN_CHANCE = 1 - 1e-12; // a chance so great is certain
/** @typedef {{start: string, startNumber: number, size: number, counts: boolean, play: (state: string, at: number, worth?: Worth) => Walked, isLast: (state: string, at: number) => boolean, describe: (state: string) => string}} PlannedRounds */

export class RoundsPlan {
  /** @param {PlannedRounds} rounds @param {any} budget */
  constructor(rounds, budget) {
    this.rounds = rounds;
    this.budget = budget;
    /** @type {Map<string, number>} */
    this.values = new Map();
    const moves = this.findMoves();
    for (const group of stateGroups(moves).reverse()) {
      if (group.length > 1 || moves.get(group[0])?.moves.has(group[0])) {
        this.checkEnds(group);
        this.improve(group);
      } else this.values.set(group[0], this.split(group[0], this.play(group[0], this.values)).rest);
    }
  }
  /** A state and the number of the round, which is 1 where it does not matter. @param {string} state @param {number} at */
  place(state, at) {
    return `${this.rounds.counts ? at : 1} ${state}`;
  }
  /** @param {string} place @returns {[string, number]} */
  read(place) {
    const end = place.indexOf(" ");
    return [place.slice(end + 1), Number(place.slice(0, end))];
  }
  /** The state that a result of a round leads to. @param {string} place @param {any[]} key */
  after(place, key) {
    const carried = key.slice(2, 2 + this.rounds.size).map((value) => (typeof value === "boolean" ? +value : value));
    return this.place(JSON.stringify(carried), this.read(place)[1] + 1);
  }
  /** What results of a round are worth; nothing for the aim itself, in the last round. @param {string} place @returns {Worth | undefined} */
  worth(place, values = this.values) {
    if (this.rounds.isLast(...this.read(place))) return undefined;
    return (key) => (key[1] ? Number(key[key.length - 1]) : /** @type {number} */ (values.get(this.after(place, key))));
  }
  /** @param {string} place @param {Map<string, number>} values */
  play(place, values) {
    return this.rounds.play(...this.read(place), this.worth(place, values));
  }
  /** The states that a round leads to and are not known yet, and what the rest is worth. @param {string} place @param {Walked} walked */
  split(place, walked) {
    const /** @type {Map<string, number>} */ moves = new Map(), isLast = this.rounds.isLast(...this.read(place));
    let rest = 0;
    for (const { key, weight } of walked.values()) {
      const after = isLast || key[1] ? null : this.after(place, key), known = after === null ? Number(key[key.length - 1]) : this.values.get(after);
      if (known !== undefined) rest += known * weight;
      else add(moves, /** @type {string} */ (after), weight);
    }
    return { moves, rest };
  }
  /** The states that some choices lead to, from each that can be reached. */
  findMoves() {
    const { start, startNumber } = this.rounds, /** @type {Map<string, {moves: Set<string>}>} */ moves = new Map();
    for (const waiting = [this.place(start, startNumber)]; waiting.length; ) {
      const place = /** @type {string} */ (waiting.pop());
      if (moves.has(place)) continue;
      if (moves.size > MOST_PLANNED_STATES) throw tooMuch();
      const seen = this.look(place);
      moves.set(place, { moves: seen });
      waiting.push(...seen);
    }
    return moves;
  }
  /** Where one round may lead to: every choice is compared, so its worth is asked. @param {string} place */
  look(place) {
    const /** @type {Set<string>} */ seen = new Set(), [state, at] = this.read(place);
    if (this.rounds.isLast(state, at)) return seen;
    const note = (/** @type {any[]} */ key) => {
      if (!key[1]) seen.add(this.after(place, key));
      return 0;
    };
    for (const { key } of this.rounds.play(state, at, note).values()) note(key);
    return seen;
  }
  /** A complaint if some choices keep the rule among these states for ever. @param {string[]} group */
  checkEnds(group) {
    const inside = new Set(group);
    for (let before = 0; inside.size !== before; ) {
      before = inside.size;
      for (const place of [...inside]) {
        const stays = (/** @type {any[]} */ key) => +(!key[1] && inside.has(this.after(place, key)));
        if (meanWorth(this.rounds.play(...this.read(place), stays), stays) < CERTAIN_CHANCE) inside.delete(place);
      }
    }
    if (inside.size) throw new RollError(say("wrong choices never end", { state: this.rounds.describe(this.read([...inside].sort()[0])[0]) }));
  }
  /** Policy iteration over states that lead to one another. @param {string[]} group */
  improve(group) {
    let values = new Map(group.map((place) => [place, 0]));
    for (let isPolicy = false; ; isPolicy = true) {
      const parts = group.map((place) => this.split(place, this.play(place, new Map([...this.values, ...values]))));
      this.budget.spend(group.length ** 3);
      const lines = parts.map(({ moves, rest }, at) => [...group.map((other, to) => +(to === at) - (moves.get(other) ?? 0)), rest]);
      eliminateLines(lines);
      const found = new Map(group.map((place, at) => [place, lines[at][group.length] / lines[at][at]]));
      const isDone = isPolicy && !group.some((place) => isBetter(/** @type {number} */ (found.get(place)), /** @type {number} */ (values.get(place))));
      values = found;
      if (isDone) break;
    }
    for (const [place, value] of values) this.values.set(place, value);
  }
}
