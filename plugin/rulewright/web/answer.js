// What a question comes to: states with weights, and what formulas make of each.
/** @import {Plan, Ready, Reckoner, Rest, Sums, Turn} from "./parts.d.ts" */
import { restsOf, tally } from "./rests.js";
import { cannot } from "./space.js";
import { anew, turnsOf } from "./turns.js";
import { sum } from "./words.js";

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
    const turns = turnsOf(setting, thrown), picking = turns.filter(({ reroll }) => reroll.pick !== "all");
    const touched = new Set(picking.some(({ reroll }) => reroll.pick === "any") ? thrown : picking.flatMap(({ kinds }) => kinds));
    let found = touched.size ? this.rerolled([...touched], turns.filter(({ kinds }) => kinds.some((kind) => touched.has(kind)))) : space.one;
    for (const kind of thrown) {
      if (touched.has(kind) || !this.seen(kind)) continue;
      const ready = setting.kinds[kind], { count, keep } = ready;
      found = space.times(found, space.remember(`${count} of ${kind} keep ${keep}`, () =>
        keep === null ? space.power(this.die(this.rounds(ready, turns)), count) : this.kept(this.rounds(ready, turns), ready)));
    }
    return found;
  }
  /** One die after rounds in which all dice of some faces are thrown anew. @param {Ready} ready @param {Turn[]} turns */
  rounds(ready, turns) {
    const fresh = restsOf(ready, this.plan.asked, this.space, this.reckoner.eager);
    let rests = fresh;
    for (const { reroll, kinds } of turns) {
      if (!kinds.includes(ready.number)) continue;
      const after = new Map();
      for (const old of rests)
        for (const [rest, share] of anew(this.setting, reroll, old, fresh)) tally(after, { ...rest, weight: old.weight * share });
      rests = [...after.values()];
    }
    return rests;
  }
  /** @param {Rest[]} rests @param {Sums} [child] @returns {Sums} */
  die(rests, child) {
    const { space } = this, by = new Map(), [{ kind }] = rests;
    for (const rest of rests) {
      const parts = by.get(rest.kids) ?? by.set(rest.kids, []).get(rest.kids);
      parts.push([space.state([rest], rest.weight), 1]);
    }
    return space.plus([...by].map(([kids, parts]) => [this.with(space.plus(parts), kind, kids, child), 1]));
  }
  /** Dice, and all that they earned. @param {Sums} found @param {number} kind @param {number} kids @param {Sums} [child] */
  with(found, kind, kids, child) {
    const { again } = this.setting.rule.dice[kind], { space } = this;
    return kids && this.seen(again.roll) ? space.times(found, space.power(child ?? this.family(again.roll), kids)) : found;
  }
  /** A die that was earned, with all that come of it. @param {number} kind @returns {Sums} */
  family(kind) {
    const { space } = this, circle = this.circle(kind);
    return space.remember(`family ${kind}`, () => {
      const all = (circle.length ? circle : [kind]).map((one) => {
        if (this.setting.kinds[one].keep !== null) throw cannot();
        return restsOf(this.setting.kinds[one], this.plan.asked, space, this.reckoner.eager);
      }).reverse();
      return circle.length ? this.grownUp(all) : this.die(all[0]);
    });
  }
  /** Dice that earn dice of their own kind: followed until so few are left that nobody could tell. @param {Rest[][]} all */
  grownUp(all) {
    const { space } = this;
    let found = space.none;
    for (let left = 1; left > 1e-19; space.spend(1000)) {
      for (const own of all) left = sum(own.map(({ weight, kids }) => (kids ? -weight * Math.expm1(kids * Math.log1p(-left)) : 0)));
      for (const own of all) found = this.die(own, found);
    }
    return found;
  }
  /** The kinds through which a kind earns dice of its own kind, itself first. @param {number} kind */
  circle(kind) {
    const { dice } = this.setting.rule, found = [kind];
    for (let one = dice[kind].again?.roll; one !== undefined; one = dice[one].again?.roll) {
      if (one === kind) return found;
      if (found.includes(one)) return [];
      found.push(one);
    }
    return [];
  }
  /** Dice of which the highest or lowest are kept, put in order value by value. @param {Rest[]} rests @param {Ready} ready */
  kept(rests, { count, kind, keep }) {
    const { space } = this, sign = kind.keep.highest ? -1 : 1, most = /** @type {number} */ (keep);
    let found = Array.from({ length: count + 1 }, (_, dice) => (dice ? space.none : space.one));
    for (const value of [...new Set(rests.map((rest) => rest.value))].sort((a, b) => sign * (a - b))) {
      space.spend(5 * count * count);
      const own = rests.filter((rest) => rest.value === value), whole = sum(own.map(({ weight }) => weight));
      const die = space.plus(own.map((rest) => [space.state([rest], rest.weight), 1])), powers = [space.one];
      while (powers.length <= Math.min(count, most)) powers.push(space.times(powers[powers.length - 1], die));
      found = found.map((_, dice) => space.plus(found.slice(0, dice + 1).map((before, lain) => {
        const more = dice - lain, stay = Math.max(Math.min(more, most - lain), 0);
        return [space.times(before, powers[stay]), choose(count - lain, more) * whole ** (more - stay)];
      })));
    }
    return found[count];
  }
  /** @param {number[]} kinds @param {Turn[]} turns */
  rerolled(kinds, turns) {
    const { space } = this, rerolls = this.reckoner.rerolls(kinds, turns, space), by = new Map();
    for (const [{ ids }, weight] of rerolls.ended()) {
      const rests = ids.map((id) => rerolls.rests[id]), key = kidsOf(rests).join();
      const parts = by.get(key) ?? by.set(key, []).get(key);
      parts.push([this.lying(rests, weight), 1, rests]);
    }
    return space.plus([...by.values()].map((parts) => [this.grown(space.plus(parts.map((/** @type {any} */ [part]) => [part, 1])), parts[0][2]), 1]));
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
/** @param {number} n @param {number} k @returns {number} */
const choose = (n, k) => (k ? (choose(n - 1, k - 1) * n) / k : 1);
/** How many dice of each kind these have earned. @param {Rest[]} rests */
function kidsOf(rests) {
  /** @type {number[]} */
  const found = [];
  for (const { kind, kids } of rests) found[kind] = (found[kind] ?? 0) + kids;
  return found;
}
