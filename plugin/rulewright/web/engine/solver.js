// What a question comes to: states with weights, and what formulas make of each.
/** @import {Plan, Ready, Reckoner, Rest, Sums} from "./parts.d.ts" */
import { family } from "./earned-dice.js";
import { kept } from "./kept-dice.js";
import { restsOf } from "./final-states.js";
import { rerolled, rounds, turnsOf } from "./reroll-odds.js";
import { once } from "./messages.js";

export class Answer {
  /** @param {Reckoner} reckoner @param {Plan} plan */
  constructor(reckoner, plan) {
    this.reckoner = reckoner;
    this.setting = reckoner.setting;
    this.plan = plan;
    this.space = reckoner.space(plan);
  }
  /** @param {Sums} states @param {(value: (formula: number) => any, weight: number) => void} told */
  each(states, told) {
    const { coordinates, work, runs } = this.plan, { space } = this, v = { ...this.setting.known }, t = coordinates.map(() => 0);
    let add = 0, order = 0;
    const from = coordinates.map(({ form }) => (form ? add++ : order++)), value = (/** @type {number} */ at) => runs[at](v, t);
    space.spend(states.n * 20 * (runs.length + coordinates.length));
    for (let i = 0; i < states.n; i++) {
      for (let d = 0; d < t.length; d++) t[d] = coordinates[d].form ? states.x[from[d]][i] : space.classes[states.c[i]][from[d]] ?? 0;
      work(v, t);
      told(value, states.w[i]);
    }
  }
  /** Whether something is counted on dice of a kind, or on dice that they earn. @param {number} kind @returns {boolean} */
  seen(kind, before = 0) {
    const { tallies, dice } = this.setting.rule, { again } = dice[kind];
    const counted = [...this.plan.asked].some((place) => tallies[place].kind === kind);
    return counted || (!!again && before < dice.length && this.seen(again.roll, before + 1));
  }
  reckon() {
    const { setting, space } = this, thrown = setting.kinds.filter(({ count }) => count).map(({ number }) => number);
    const turns = setting.rule.rerolls.length ? turnsOf(setting, thrown) : [], picking = turns.filter(({ reroll }) => reroll.pick !== "all");
    const touched = new Set(picking.some(({ reroll }) => reroll.pick === "any") ? thrown : picking.flatMap(({ kinds }) => kinds));
    let found = touched.size ? rerolled(this, [...touched], turns.filter(({ kinds }) => kinds.some((kind) => touched.has(kind)))) : space.one;
    for (const kind of thrown) {
      if (touched.has(kind) || !this.seen(kind)) continue;
      const ready = setting.kinds[kind], { count, keep } = ready;
      found = space.times(found, space.remember(`${count} of ${kind} keep ${keep}`, () => {
        const rests = turns.length ? rounds(this, ready, turns) : this.rests(ready);
        return keep === null ? space.power(this.die(rests), count) : kept(space, rests, ready);
      }));
    }
    return found;
  }
  /** @param {Ready} ready */
  rests(ready) {
    return restsOf(ready, this.plan.asked, this.space, this.reckoner.eager);
  }
  /** @param {Rest[]} rests @param {Sums} [child] @returns {Sums} */
  die(rests, child) {
    const { space } = this, by = new Map(), [{ kind }] = rests;
    for (const rest of rests) {
      once(by, rest.kids, () => []).push([space.state([rest], rest.weight), 1]);
    }
    return space.plus([...by].map(([kids, parts]) => [this.with(space.plus(parts), kind, kids, child), 1]));
  }
  /** Dice, and all that they earned. @param {Sums} found @param {number} kind @param {number} kids @param {Sums} [child] */
  with(found, kind, kids, child) {
    const { again } = this.setting.rule.dice[kind], { space } = this;
    return kids && this.seen(again.roll) ? space.times(found, space.power(child ?? family(this, again.roll), kids)) : found;
  }
  /** @param {Sums} found @param {Rest[]} rests */
  grown(found, rests) {
    return rests.reduce((so, { kind, kids }) => this.with(so, kind, kids), found);
  }
  /** Dice that lie, as one state of those that are kept. @param {Rest[]} rests @param {number} weight @returns {Sums} */
  lying(rests, weight) {
    return this.space.state(this.setting.kinds.flatMap(({ number, keep, kind }) => {
      const own = rests.filter((rest) => rest.kind === number);
      return keep === null ? own : own.sort((a, b) => (kind.keep.highest ? -1 : 1) * (a.value - b.value)).slice(0, keep);
    }), weight);
  }
}
