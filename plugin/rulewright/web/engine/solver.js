// Solves a question about odds: the distribution of all dice over the coordinates of its plan.
/** @import {Plan, DicePool, OddsCalculator, FinalState, Distribution} from "./parts.d.ts" */
import { earnedDice } from "./earned-dice.js";
import { keepDice } from "./kept-dice.js";
import { finalStates } from "./final-states.js";
import { rerollPicked, rerollAll, turnsOf } from "./reroll-odds.js";
import { cachedIn } from "./messages.js";

export class Solver {
  /** @param {OddsCalculator} calculator @param {Plan} plan */
  constructor(calculator, plan) {
    this.calculator = calculator;
    this.bound = calculator.bound;
    this.plan = plan;
    this.space = calculator.space(plan);
  }
  /** @param {Distribution} states @param {(value: (formula: number) => any, weight: number) => void} visit */
  each(states, visit) {
    const { coordinates, work, runs } = this.plan, { space } = this, v = { ...this.bound.known }, t = coordinates.map(() => 0);
    let add = 0, order = 0;
    const from = coordinates.map(({ form }) => (form ? add++ : order++)), value = (/** @type {number} */ at) => runs[at](v, t);
    space.spend(states.n * 20 * (runs.length + coordinates.length));
    for (let i = 0; i < states.n; i++) {
      for (let d = 0; d < t.length; d++) t[d] = coordinates[d].form ? states.x[from[d]][i] : space.classes[states.c[i]][from[d]] ?? 0;
      work(v, t);
      visit(value, states.w[i]);
    }
  }
  /** Whether something is counted on dice of a kind, or on dice that they earn. @param {number} kind @returns {boolean} */
  isCounted(kind, before = 0) {
    const { tallies, dice } = this.bound.rule, { again } = dice[kind];
    const counted = [...this.plan.asked].some((place) => tallies[place].kind === kind);
    return counted || (!!again && before < dice.length && this.isCounted(again.roll, before + 1));
  }
  distribution() {
    const { bound, space } = this, thrown = bound.kinds.filter(({ count }) => count).map(({ number }) => number);
    const turns = bound.rule.rerolls.length ? turnsOf(bound, thrown) : [], picking = turns.filter(({ reroll }) => reroll.pick !== "all");
    const touched = new Set(picking.some(({ reroll }) => reroll.pick === "any") ? thrown : picking.flatMap(({ kinds }) => kinds));
    let found = touched.size ? rerollPicked(this, [...touched], turns.filter(({ kinds }) => kinds.some((kind) => touched.has(kind)))) : space.one;
    for (const kind of thrown) {
      if (touched.has(kind) || !this.isCounted(kind)) continue;
      const pool = bound.kinds[kind], { count, keep } = pool;
      found = space.times(found, space.cached(`${count} of ${kind} keep ${keep}`, () => {
        const rests = turns.length ? rerollAll(this, pool, turns) : this.rests(pool);
        return keep === null ? space.power(this.die(rests), count) : keepDice(space, rests, pool);
      }));
    }
    return found;
  }
  /** @param {DicePool} pool */
  rests(pool) {
    return finalStates(pool, this.plan.asked, this.space, this.calculator.eager);
  }
  /** @param {FinalState[]} rests @param {Distribution} [child] @returns {Distribution} */
  die(rests, child) {
    const { space } = this, by = new Map(), [{ kind }] = rests;
    for (const rest of rests) {
      cachedIn(by, rest.kids, () => []).push([space.state([rest], rest.weight), 1]);
    }
    return space.plus([...by].map(([kids, parts]) => [this.addEarned(space.plus(parts), kind, kids, child), 1]));
  }
  /** Dice, and all that they earned. @param {Distribution} found @param {number} kind @param {number} kids @param {Distribution} [child] */
  addEarned(found, kind, kids, child) {
    const { again } = this.bound.rule.dice[kind], { space } = this;
    return kids && this.isCounted(again.roll) ? space.times(found, space.power(child ?? earnedDice(this, again.roll), kids)) : found;
  }
  /** @param {Distribution} found @param {FinalState[]} rests */
  withEarned(found, rests) {
    return rests.reduce((so, { kind, kids }) => this.addEarned(so, kind, kids), found);
  }
  /** Dice that lie, as one state of those that are kept. @param {FinalState[]} rests @param {number} weight @returns {Distribution} */
  tableState(rests, weight) {
    return this.space.state(this.bound.kinds.flatMap(({ number, keep, kind }) => {
      const own = rests.filter((rest) => rest.kind === number);
      return keep === null ? own : own.sort((a, b) => (kind.keep.highest ? -1 : 1) * (a.value - b.value)).slice(0, keep);
    }), weight);
  }
}
