// Rerolls: which dice a player picks, and the distribution of the dice after all rerolls. Dice that no reroll can pick stay
// as they are; where they only shift the expected result, the choices are the same. Expected results that differ by less
// than one part in 10^12 are equal. A player who neither gains nor loses by a reroll takes it.
/** @import {BoundRule, FinalState, Reroll, Turn} from "../engine/parts.d.ts" */
/** @import {StateSearch} from "./state-search.js" */
import { add, best, cachedIn } from "../engine/messages.js";
import { MOST_TURNS, tooMuch } from "./budget.js";
import { compareStates, keptAfter } from "./final-states.js";

const ALIKE = 1e-12;
/** @typedef {number[]} State  the final states of dice, by number */
/** @typedef {Map<string, [State, number]>} States */
/** @typedef {{known: Map<string, [number, number | null]>, others: State}} Choices  the best, given the dice that stay */

/** The turns in which dice of these kinds may be rerolled. @param {BoundRule} bound @param {number[]} kinds */
export function turnsOf(bound, kinds) {
  /** @type {Turn[]} */
  const turns = [];
  bound.rule.rerolls.forEach((reroll, entry) => {
    const own = reroll.among.filter((kind) => kinds.includes(kind)), times = own.length ? Math.max(bound.of(reroll.times), 0) : 0, following = turns.length + times;
    if (following > MOST_TURNS) throw tooMuch();
    for (let left = times; left; left--) turns.push({ entry, left, reroll, kinds: own, following });
  });
  return turns;
}
/** @param {States} states @param {State} state @param {number} weight */
const put = (states, state, weight) => void (cachedIn(states, String(state), () => /** @type {[State, number]} */ ([state, 0]))[1] += weight);

export class Rerolls {
  /** @param {StateSearch} search @param {(dice: FinalState[]) => number} score @param {Set<number> | null} kinds  null for all that are rolled */
  constructor(search, score, kinds) {
    this.search = search;
    this.score = score;
    const thrown = search.kinds.filter(({ count, number }) => count && (!kinds || kinds.has(number))).map(({ number }) => number), { bound } = search.machine;
    this.turns = turnsOf(bound, thrown);
    const touched = new Set(this.turns.flatMap((turn) => turn.kinds));
    this.kinds = thrown.filter((kind) => touched.has(kind));
    this.others = thrown.filter((kind) => !touched.has(kind));
    this.finals = thrown.flatMap((kind) => [...search.finals.ofKind(kind).keys()]).sort(compareStates);
    this.numbers = new Map(this.finals.map((one, number) => [one, number]));
    /** @type {Map<string, [number, number][]>} */
    this.ways = new Map();
    /** @type {Map<string, Choices>} */
    this.choices = new Map();
    const picked = new Set(this.turns.filter(({ reroll }) => reroll.pick !== "all").flatMap((turn) => turn.kinds)), looks = this.finals.filter(({ kind }) => picked.has(kind) || search.kinds[kind].keep !== null);
    this.isOrdered = looks.length > new Set(looks.map(({ kind, value }) => `${kind} ${value}`)).size; // dice may look the same but count differently
  }
  /** The distribution of the dice after all rerolls, in parts; in each part the dice that stay are independent.
   * @returns {[[FinalState[], number][], [FinalState[], number][]][]} */
  allParts() {
    const states = this.firstRound(this.kinds), others = this.firstRound(this.others);
    const dice = (/** @type {[State, number][]} */ some) => some.map(([state, weight]) => /** @type {[FinalState[], number]} */ ([this.diceOf(state), weight]));
    return this.groupByChoices(states, others).map((alike) => {
      const ended = this.runTurns(states, this.choicesWith(alike[0][0]));
      this.search.spend(10 * (ended.size + alike.length));
      return [dice([...ended.values()]), dice(alike)];
    });
  }
  /** The dice before any reroll. @param {number[]} kinds */
  firstRound(kinds) {
    /** @type {States} */
    let states = new Map([["", [[], 1]]]);
    for (const kind of kinds) {
      const ways = this.search.finals.ofKind(kind);
      for (let left = this.search.kinds[kind].count; left; left--) {
        this.search.spend(2 * states.size * ways.size);
        /** @type {States} */
        const after = new Map();
        for (const [state, weight] of states.values()) for (const [one, share] of ways) put(after, this.place(state, state.length, this.number(one)), weight * share);
        states = after;
      }
    }
    return states;
  }
  /** @param {FinalState} one */
  number(one) {
    return cachedIn(this.numbers, one, () => this.finals.push(one) - 1);
  }
  /** One more die: at its place, or sorted if the order does not matter. @param {State} state @param {number} at @param {number} one @returns {State} */
  place(state, at, one) {
    return this.isOrdered ? state.toSpliced(at, 0, one) : [...state, one].sort((a, b) => a - b);
  }
  /** @param {State} state @param {State} [others] */
  diceOf(state, others = []) {
    const dice = [...state, ...others];
    return (this.isOrdered ? dice : dice.sort((a, b) => a - b)).map((number) => this.finals[number]);
  }
  /** The dice that stay, by which choices are best with them. @param {States} states @param {States} others */
  groupByChoices(states, others) {
    if (!this.turns.some(({ reroll }) => reroll.pick === "any")) return [[...others.values()]];
    /** @type {Map<string, [State, number][]>} */
    const classes = new Map();
    for (const [other, weight] of others.values()) {
      this.search.spend(25 * states.size);
      const scores = [...states.values()].map(([state]) => this.score(this.diceOf(state, other))), gains = scores.map((score) => score - scores[0]), unit = 10 * ALIKE * Math.max(1, ...gains.map(Math.abs));
      cachedIn(classes, String(gains.map((gain) => Math.round(gain / unit))), () => []).push([other, weight]);
    }
    return [...classes.values()];
  }
  /** @param {States} first @param {Choices} choices */
  runTurns(first, choices) {
    let states = first;
    this.turns.forEach((turn, number) => {
      /** @type {States} */
      const found = new Map();
      for (const [state, weight] of states.values()) {
        const picked = turn.reroll.pick === "any" ? this.value(choices, state, number)[1] : this.forced(state, turn);
        for (const [after, share] of this.moves(state, number, picked)) put(found, after, weight * share);
      }
      states = found;
    });
    return states;
  }
  /** The highest or lowest die; among equals the first. @param {State} state @param {Turn} turn */
  forced(state, turn) {
    const { pick } = turn.reroll, able = pick === "all" ? [] : this.candidates(state, turn);
    return able.length ? best(able, (number) => (pick === "highest" ? 1 : -1) * this.finals[number].value) : null;
  }
  /** The dice that may be picked, by kind, then by value; among equals the first is picked. @param {State} state @param {Turn} turn */
  candidates(state, turn) {
    const ordered = [...state].sort((a, b) => this.finals[a].value - this.finals[b].value);
    return turn.kinds.flatMap((kind) => ordered.filter((number) => this.finals[number].kind === kind && this.mayRoll(turn, number)));
  }
  /** Whether a turn is about a die. @param {Turn} turn @param {number} number */
  mayRoll({ kinds, reroll }, number) {
    const { kind, value } = this.finals[number];
    return kinds.includes(kind) && this.search.machine.bound.meets(reroll, kind, value);
  }
  /** The states after a turn. @param {State} state @param {number} number @param {number | null} picked @returns {[State, number][]} */
  moves(state, number, picked) {
    const turn = this.turns[number];
    if (turn.reroll.pick === "all") return this.rerollAll(state, turn);
    if (picked === null) return [[state, 1]];
    const at = state.indexOf(picked), ways = this.waysOf(turn.reroll, picked), left = state.toSpliced(at, 1);
    this.search.spend(2 * ways.length);
    return ways.map(([one, share]) => [this.place(left, at, one), share]);
  }
  /** What becomes of a die that is rerolled. @param {Reroll} reroll @param {number} old */
  waysOf(reroll, old) {
    return cachedIn(this.ways, `${reroll.keep} ${old}`, () => {
      const found = new Map(), die = this.finals[old];
      for (const [made, share] of this.search.finals.ofKind(die.kind)) add(found, this.number(keptAfter(reroll, die, made)), share);
      return [...found];
    });
  }
  /** Every die that meets the test. @param {State} state @param {Turn} turn @returns {[State, number][]} */
  rerollAll(state, turn) {
    /** @type {States} */
    let states = new Map([["", [[], 1]]]);
    for (const old of state) {
      const after = new Map(), ways = this.mayRoll(turn, old) ? this.waysOf(turn.reroll, old) : [/** @type {[number, number]} */ ([old, 1])];
      this.search.spend(2 * states.size * ways.length);
      for (const [dice, weight] of states.values()) for (const [one, share] of ways) put(after, this.place(dice, dice.length, one), weight * share);
      states = after;
    }
    return [...states.values()];
  }
  /** @param {State} others @returns {Choices} */
  choicesWith(others) {
    return cachedIn(this.choices, String(others), () => ({ known: new Map(), others }));
  }
  /** The die to pick for the best result, with so many rerolls of an entry left. @param {FinalState[]} dice @param {number} entry @param {number} left */
  pick(dice, entry, left) {
    const sorted = this.isOrdered ? dice : [...dice].sort(compareStates);
    for (const one of dice) this.number(one);
    const numbers = sorted.map((one) => this.number(one)), own = (/** @type {number[]} */ kinds) => numbers.filter((number) => kinds.includes(this.finals[number].kind));
    const turn = this.turns.findIndex((one) => one.entry === entry && one.left === left), [, picked] = this.value(this.choicesWith(own(this.others)), own(this.kinds), turn);
    return picked === null ? null : this.finals[picked];
  }
  /** The best expected result, and the die to pick for it. @param {Choices} choices @param {State} state @param {number} number @returns {[number, number | null]} */
  value(choices, state, number) {
    return cachedIn(choices.known, `${number};${state}`, () => this.findBest(choices, state, number));
  }
  /** @param {Choices} choices @param {State} state @param {number} number @returns {[number, number | null]} */
  findBest(choices, state, number) {
    const turn = this.turns[number], mean = (/** @type {number | null} */ picked) => {
      let found = 0;
      for (const [after, share] of this.moves(state, number, picked)) found += share * this.value(choices, after, number + 1)[0];
      return found;
    };
    if (!turn) {
      this.search.spend(10 * state.length);
      return [this.score(this.diceOf(state, choices.others)), null];
    }
    if (turn.reroll.pick !== "any") return [mean(this.forced(state, turn)), null];
    let [hope] = this.value(choices, state, turn.following), chosen = null;
    for (const picked of new Set(this.candidates(state, turn))) {
      const found = mean(picked), gain = (found - hope) / Math.max(1, Math.abs(hope)) / ALIKE;
      if (gain > 1) [hope, chosen] = [found, picked];
      else if (gain > -1) chosen ??= picked;
    }
    return [hope, chosen];
  }
}
