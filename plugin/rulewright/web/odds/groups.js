// Groups of dice that depend on each other: the joint distribution of what they add to the coordinates. A pool of dice
// that only add up is a power of the generating function of one die. Dice without end are listed up to an end.
/** @import {Branch, Coordinate, Moments, Place, Point, Sums, TailCase} from "../engine/parts.d.ts" */
/** @import {Automaton} from "./automaton.js" */
/** @import {Budget} from "./budget.js" */
import { cachedIn, sum } from "../engine/messages.js";
import { Family } from "./family.js";
import { Packing, choose, convolve, power, sumsOf } from "./sums.js";

const NOTHING = 1e-16; // what doubles leave of 0
const MOSTLY_EMPTY = 16; // places for each value that may occur, from which on a pool is kept sparse
const MOST_ROWS = 20_000; // combinations of classes
const MOMENT_COST = 16; // of a pair of classes, whose chances and means are long fractions in Python
const PRODUCT_COST = 5e-6, PRODUCT_GROWTH = 1.585; // steps of a product of long integers in Python, by their bits

const ROUNDED_BITS = 450; // bits of probabilities that Python rounds, on average

/** The least and the greatest value of each coordinate. @param {Point[]} points @returns {[number, number][]} */
export const rangesOf = (points) => (points[0]?.[0] ?? []).map((_, d) => points.reduce(([low, high], [{ [d]: value }]) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]));
/** A distribution that is known state by state; `missing` is the chance of states that were not followed. */
export class StateGroup {
  isEndless = false;
  hasLines = false;
  leastEnd = 0;
  /** @param {Point[]} states @param {number} missing @param {boolean} isWhole  false if so little is missing that means are right without */
  constructor(states, missing = 0, isWhole = !missing) {
    this.isWhole = isWhole;
    this.states = states;
    this.missing = missing;
  }
  ranges() {
    return rangesOf(this.states);
  }
  /** @returns {Point[]} */
  points() {
    return this.states;
  }
  bits() {
    return this.missing ? ROUNDED_BITS : 0;
  }
  /** @returns {TailCase[]} */
  tailCases() {
    return [];
  }
  hasClasses() {
    return false;
  }
  closedPoints() {
    return this.states;
  }
}
/** What a throw counts for each tally; a die counts on its last throw. @param {Automaton} machine @param {Place} place @param {Branch} branch */
function countThrow(machine, { kind }, { landing, next }) {
  if (landing.isReplaced) return landing.hits;
  const pool = machine.bound.kinds[kind], { rule } = machine.bound, whole = pool.finalHits(landing.hits, landing.value);
  return rule.tallies.map((tally, at) => {
    if (tally.kind !== kind || tally.perThrow || !pool.kind.explodes) return whole[at];
    return tally.run ? 0 : tally.function === "sum" ? landing.value : +(tally.function === "count" && !next);
  });
}
/** What throws add to coordinates. @param {Automaton} machine @param {Coordinate[]} coordinates @returns {(place: Place, branch: Branch | null) => number[]} */
export const addsTo = (machine, coordinates) => (place, branch) => {
  const counts = branch && countThrow(machine, place, branch);
  return coordinates.map(({ form }) => (counts ? sum(form.map(([tally, times]) => times * counts[tally])) : 0));
};
/** The sum of equal dice. Python multiplies series of classes, packed into integers, where these are dense.
 * @param {Budget} budget @param {[number, number][]} terms  packed, with their chances @param {number} classes  of other coordinates
 * @param {number} length  of the axis @param {number} dice @param {number} most  of the axis @param {number} limit  of keys @param {number} bits @param {number} width  of a die that only leads to itself @returns {Sums} */
export function powerOf(budget, terms, classes, length, dice, most, limit, bits, width = Infinity) {
  const die = sumsOf(terms), cut = Math.min((length - 1) * dice + 1, most), rows = choose(dice + classes - 1, classes - 1), isDense = cut <= MOSTLY_EMPTY * terms.length * dice;
  if (!isDense || (classes > 1 && rows > MOST_ROWS)) return power(die, dice, (a, b) => join(budget, a, b, limit));
  if (classes === 1) budget.spend(cut * Math.min(terms.length / 4, width), bits);
  else {
    budget.spend(2 * rows * cut, bits);
    budget.spend((rows + dice * classes) * PRODUCT_COST * (cut * bits) ** PRODUCT_GROWTH);
  }
  return power(die, dice, (a, b) => convolve(a, b, limit));
}
/** @param {Budget} budget @param {Sums} left @param {Sums} right @param {number} limit */
function join(budget, left, right, limit) {
  budget.spend(left.keys.length * right.keys.length);
  return convolve(left, right, limit);
}

/** Independent dice of one or more kinds. */
export class PoolGroup {
  missing = 0;
  isWhole = true;
  hasLines = true; // points can replace a tail that values follow in a line
  /** @param {Family} family @param {[Place, number][]} starts @param {Map<string, any>} memory  of what pools of the same dice share */
  constructor(family, starts, memory) {
    this.family = family;
    this.starts = starts;
    this.memory = memory;
    /** @type {Moments | null} */
    this.classes = null;
    this.isEndless = starts.some(([place]) => family.isEndless(place));
    this.leastEnd = sum(starts.map(([place, dice]) => family.axisLow(place) * dice));
  }
  /** @returns {[number, number][]} */
  ranges() {
    const { low, high } = this.family, all = (/** @type {Map<Place, number>} */ ends) => sum(this.starts.map(([place, dice]) => /** @type {number} */ (ends.get(place)) * dice));
    return low.map((ends, d) => [all(ends), all(high[d])]);
  }
  /** All values before an end; of dice that end, all. @param {number} end @returns {Point[]} */
  points(end) {
    const { family, starts } = this, { axis, sign, others } = family, ranges = this.ranges(), cut = this.isEndless ? Math.max(end - this.leastEnd, 1) : Infinity;
    const packing = new Packing([[this.leastEnd, Infinity], ...others.map((d) => ranges[d])]), key = `${cut} ${starts.map(([{ id }, dice]) => [id, dice])}`;
    const parts = cachedIn(this.memory, key, () => starts.map(([place, dice]) => this.weights(place, dice, cut, packing)));
    const all = /** @type {Sums[]} */ (parts).reduce((a, b) => join(family.budget, a, b, cut * packing.strides[0]));
    family.budget.spend(all.keys.length);
    return all.keys.map((one, at) => {
      const [first, ...rest] = packing.unpack(one);
      return [[...rest.slice(0, axis), sign * first, ...rest.slice(axis)], all.weights[at]];
    });
  }
  /** @param {number} end */
  bits(end) {
    return sum(this.starts.map(([place, dice]) => {
      const [base, growth] = this.family.bits(place);
      return dice * base + Math.max(end - this.leastEnd - 1, 0) * growth;
    }));
  }
  /** What can happen in the tail, as variables that move. @param {number[]} slots @param {number} end @param {boolean} byClass @returns {TailCase[]} */
  tailCases(slots, end, byClass) {
    const { axis, sign } = this.family, ranges = this.ranges(), names = slots.map(String);
    ranges[axis] = sign > 0 ? [end, Infinity] : [-Infinity, -end];
    return [{ variables: names.map((name, d) => [name, ranges[d]]), coordinates: slots.map((slot, d) => [slot, [[names[d], 1]]]), moving: byClass ? [names[axis]] : names }];
  }
  /** Whether the chance of each class of the tail is known: of the values of the coordinates that are bounded. */
  hasClasses() {
    return this.family.isLinear();
  }
  /** All values before an end, and points that replace the tail: with the same chance, and the same mean of what follows in a line.
   * @param {number} end @param {boolean} byClass @param {boolean} withMeans @returns {Point[]} */
  closedPoints(end, byClass, withMeans) {
    const points = this.points(end), { axis, sign } = this.family, edge = sign * end;
    if (!this.isEndless) return points;
    if (!byClass) {
      const base = this.ranges().map(([low], d) => (d === axis ? edge : low)), chance = 1 - sum(points.map(([, weight]) => weight));
      if (!withMeans) return [...points, [base, chance]];
      const shares = base.map((from, d) => {
        const mean = sum(this.starts.map(([place, dice]) => dice * this.family.mean(d, place))), before = sum(points.map(([values, weight]) => values[d] * weight));
        return (mean - before - chance * from) * (d === axis ? sign : 1);
      });
      return [...points, ...shares.map((share, d) => /** @type {Point} */ ([base.map((from, at) => from + (at === d ? (d === axis ? sign : 1) : 0)), share])), [base, chance - sum(shares)]];
    }
    /** @type {Map<string, [number[], number, number]>} */
    const before = new Map(), others = (/** @type {number[]} */ values) => values.toSpliced(axis, 1);
    for (const [values, weight] of points) {
      const one = cachedIn(before, String(others(values)), () => /** @type {[number[], number, number]} */ ([others(values), 0, 0]));
      one[1] += weight;
      one[2] += weight * values[axis];
    }
    const classes = (this.classes ??= this.starts.map(([place, dice]) => poolMoments(this.family.marginals(place), dice, this.family.budget)).reduce((a, b) => joinMoments(a, b, this.family.budget)));
    return [...points, ...[...classes.values()].flatMap(([values, total, mean]) => {
      const [, counted, sumBefore] = before.get(String(values)) ?? [values, 0, 0], chance = total - counted, share = withMeans ? (sign * mean - sumBefore - chance * edge) * sign : 0;
      const at = (/** @type {number} */ step, /** @type {number} */ part) => (Math.abs(part) > NOTHING ? [/** @type {Point} */ ([values.toSpliced(axis, 0, edge + step), part])] : []);
      return [...at(0, chance - share), ...at(sign, share)];
    })];
  }
  /** @param {Place} place @param {number} dice @param {number} most @param {Packing} packing */
  weights(place, dice, most, packing) {
    const { family } = this, { terms, packing: own } = family.expand(place, family.isEndless(place) ? most : family.span(place)), limit = most * packing.strides[0];
    const packed = terms.map(([exponent, key, share]) => /** @type {[number, number]} */ ([packing.pack([exponent, ...own.unpack(key)]), share]));
    const classes = new Set(terms.map(([, key]) => key)).size, length = (terms.at(-1)?.[0] ?? -1) + 1, [base, growth] = family.bits(place);
    return powerOf(family.budget, packed.filter(([key]) => key < limit), classes, length, dice, most, limit, dice * (Math.floor(base) + 1) + Math.min((length - 1) * dice + 1, most) * Math.ceil(growth) + 8, family.loopWidth(place));
  }
}
/** Chances of classes, and means of the axis times these, of equal dice. @param {Moments} die @param {number} dice @param {Budget} budget @returns {Moments} */
function poolMoments(die, dice, budget) {
  const none = [...die.values()][0][0].map(() => 0);
  let found = /** @type {Moments} */ (new Map([[String(none), [none, 1, 0]]]));
  for (let number = 0; number < dice; number++) found = joinMoments(found, die, budget);
  return found;
}
/** The same of dice together. @param {Moments} left @param {Moments} right @param {Budget} budget @returns {Moments} */
function joinMoments(left, right, budget) {
  budget.spend(MOMENT_COST * left.size * right.size);
  /** @type {Moments} */
  const found = new Map();
  for (const [values, chance, mean] of left.values())
    for (const [more, other, otherMean] of right.values()) {
      const all = values.map((one, d) => one + more[d]), one = cachedIn(found, String(all), () => /** @type {[number[], number, number]} */ ([all, 0, 0]));
      one[1] += chance * other;
      one[2] += mean * other + chance * otherMean;
    }
  return found;
}
