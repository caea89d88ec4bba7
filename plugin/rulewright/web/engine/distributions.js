// Distributions as weighted states: convolution of sums, comparison of highest and lowest dice.
/** @import {Plan, FinalState, Rule, Distribution} from "./parts.d.ts" */
import { RollError, cachedIn, say, sum } from "./messages.js";

const MOST_WORK = 2e7; // steps of the innermost loops: a tenth of a second or so
const TINY = 1e-24; // what is rarer than this in a sum is left out
export class BudgetError extends RollError {}
export const tooMuch = () => new BudgetError(say("wrong states"));

export class StateSpace {
  /** @param {Plan} plan @param {Rule} rule */
  constructor(plan, rule) {
    this.work = 0;
    /** @type {Map<string, Distribution>} */
    this.memory = new Map();
    this.sums = plan.coordinates.filter(({ form }) => form);
    this.orders = plan.coordinates.filter(({ form }) => !form);
    this.signs = this.orders.map(({ tally }) => (rule.tallies[tally].function === "highest" ? 1 : -1));
    this.owners = this.orders.map(({ tally }) => rule.tallies[tally].kind);
    /** @type {(number | null)[][]} */
    this.classes = [this.signs.map(() => null)];
    this.ids = new Map([[String(this.classes[0]), 0]]);
    /** @type {Map<number, number>} */
    this.joins = new Map();
    this.one = this.state([], 1);
    /** @type {Distribution} */
    this.none = { ...this.one, n: 0 };
  }
  /** @param {number} work */
  spend(work) {
    if ((this.work += work) > MOST_WORK) throw tooMuch();
  }
  /** Sums that many questions share. @param {string} key @param {() => Distribution} make @returns {Distribution} */
  cached(key, make) {
    return cachedIn(this.memory, key, make);
  }
  /** @param {(number | null)[]} values */
  id(values) {
    return cachedIn(this.ids, String(values), () => this.classes.push(values) - 1);
  }
  /** The class of dice of two classes together. @param {number} a @param {number} b @returns {number} */
  join(a, b) {
    return cachedIn(this.joins, a * 2 ** 26 + b, () => this.id(this.classes[a].map((one, d) => {
      const other = this.classes[b][d], sign = this.signs[d];
      return one === null || other === null ? one ?? other : sign * Math.max(sign * one, sign * other);
    })));
  }
  /** Dice that lie, as one state. @param {FinalState[]} rests @param {number} weight @returns {Distribution} */
  state(rests, weight) {
    const all = (/** @type {number} */ tally) => sum(rests.map(({ hits }) => hits[tally]));
    const x = this.sums.map(({ form }) => sum([.../** @type {Map<number, number>} */ (form)].map(([tally, times]) => times * all(tally))));
    if (x.some((place) => Math.abs(place) > 2 ** 30)) throw tooMuch();
    const id = this.id(this.orders.map(({ tally }, d) => {
      const own = rests.filter(({ kind }) => kind === this.owners[d]).map(({ hits }) => this.signs[d] * hits[tally]);
      return own.length ? this.signs[d] * Math.max(...own) : null;
    }));
    return { n: 1, x: x.map((place) => Int32Array.of(place)), c: Int32Array.of(id), w: Float64Array.of(weight), low: x, high: x };
  }
  /** Adds up what `fill` writes into a box. @param {number[]} low @param {number[]} high @param {Iterable<number>} ids
   * @param {(out: Float64Array, bases: Map<number, number>, keys: (part: Distribution, low: number[]) => Int32Array) => void} fill @returns {Distribution} */
  gather(low, high, ids, fill) {
    let size = 1;
    const step = low.map((from, d) => {
      const now = size;
      size *= high[d] - from + 1;
      return now;
    }), slots = [...new Set(ids)], whole = size * slots.length;
    this.spend(4 * whole + 500);
    const out = new Float64Array(whole);
    fill(out, new Map(slots.map((id, place) => [id, place * size])), (part, from) => {
      const keys = new Int32Array(part.n);
      part.x.forEach((column, d) => {
        for (let i = 0; i < part.n; i++) keys[i] += (column[i] - from[d]) * step[d];
      });
      return keys;
    });
    return this.collect(out, low, step, size, slots);
  }
  /** @param {Float64Array} out @param {number[]} low @param {number[]} step @param {number} size @param {number[]} slots @returns {Distribution} */
  collect(out, low, step, size, slots) {
    let n = 0;
    for (const weight of out) if (weight > TINY) n++;
    const x = low.map(() => new Int32Array(n)), c = new Int32Array(n), w = new Float64Array(n);
    for (let key = 0, at = 0; at < n; key++) {
      if (!(out[key] > TINY)) continue;
      let rest = key % size;
      for (let d = step.length; d--; rest %= step[d]) x[d][at] = low[d] + Math.floor(rest / step[d]);
      c[at] = slots[Math.floor(key / size)];
      w[at++] = out[key];
    }
    /** @type {(pick: (a: number, b: number) => number) => number[]} */
    const ends = (pick) => x.map((column) => column.reduce(pick, column[0]));
    return { n, x, c, w, low: ends((a, b) => (a < b ? a : b)), high: ends((a, b) => (a > b ? a : b)) };
  }
  /** Dice of both: independent of each other. @param {Distribution} a @param {Distribution} b @returns {Distribution} */
  times(a, b) {
    if (!a.n || !b.n) return this.none;
    if (a.n < b.n) return this.times(b, a);
    this.spend(a.n * b.n);
    const low = a.low.map((from, d) => from + b.low[d]), high = a.high.map((to, d) => to + b.high[d]);
    const parts = runs(b.c), own = [...new Set(a.c)], ids = parts.flatMap(({ id }) => own.map((one) => this.join(one, id)));
    return this.gather(low, high, ids, (out, bases, keys) => {
      const ka = keys(a, a.low), kb = keys(b, b.low);
      for (const { id, from, to } of parts)
        for (let i = 0; i < a.n; i++) {
          const base = /** @type {number} */ (bases.get(this.join(a.c[i], id))) + ka[i], weight = a.w[i];
          for (let j = from; j < to; j++) out[base + kb[j]] += weight * b.w[j];
        }
    });
  }
  /** Either of these, with factors. @param {[Distribution, number][]} parts @returns {Distribution} */
  plus(parts) {
    const all = parts.filter(([part]) => part.n);
    if (!all.length) return this.none;
    const [[first]] = all;
    /** @type {(pick: (...ends: number[]) => number, key: "low" | "high") => number[]} */
    const ends = (pick, key) => first.low.map((_, d) => all.reduce((so, [part]) => pick(so, part[key][d]), first[key][d]));
    const low = ends(Math.min, "low");
    return this.gather(low, ends(Math.max, "high"), all.flatMap(([part]) => [...new Set(part.c)]), (out, bases, keys) => {
      for (const [part, factor] of all) {
        const at = keys(part, low);
        for (let i = 0; i < part.n; i++) out[/** @type {number} */ (bases.get(part.c[i])) + at[i]] += factor * part.w[i];
      }
    });
  }
  /** @param {Distribution} die @param {number} dice @returns {Distribution} */
  power(die, dice) {
    if (dice < 2) return dice ? die : this.one;
    const half = this.power(die, dice >> 1), both = this.times(half, half);
    return dice % 2 ? this.times(both, die) : both;
  }
}
/** Stretches of one class. @param {Int32Array} c */
function runs(c) {
  /** @type {{id: number, from: number, to: number}[]} */
  const found = [];
  c.forEach((id, at) => {
    const last = found.at(-1);
    if (last?.id === id) last.to = at + 1;
    else found.push({ id, from: at, to: at + 1 });
  });
  return found;
}
