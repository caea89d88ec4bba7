// Distributions of sums: sparse convolution. Several coordinates are packed into one number, each with as many places as
// the whole pool may need; so adding states is adding numbers. Where the result is dense it is added up in an array.
/** @import {Sums} from "../engine/parts.d.ts" */
import { add } from "../engine/messages.js";

const SPARSE = 16; // places for each pair of states, from which on an array would be mostly empty
const LARGEST_BOX = 4e6;
const TINY = 1e-30; // what is rarer than this in a sum is left out

/** Coordinates of vectors as digits of one number; the first counts most. */
export class Packing {
  /** @param {[number, number][]} ranges  the least and the greatest value of each coordinate of the whole sum */
  constructor(ranges) {
    this.ranges = ranges;
    this.strides = ranges.map(() => 1);
    for (let d = ranges.length - 1; d > 0; d--) this.strides[d - 1] = this.strides[d] * (ranges[d][1] - ranges[d][0] + 1);
  }
  /** @param {number[]} digits  values, each counted from the least */
  pack(digits) {
    let key = 0;
    for (let d = 0; d < digits.length; d++) key += digits[d] * this.strides[d];
    return key;
  }
  /** The values. @param {number} key */
  unpack(key) {
    let rest = key;
    return this.ranges.map(([low], d) => {
      const digit = Math.floor(rest / this.strides[d]);
      rest -= digit * this.strides[d];
      return digit + low;
    });
  }
}
/** @param {Iterable<[number, number]>} weights @returns {Sums} */
export function sumsOf(weights) {
  const sorted = [...weights].sort(([a], [b]) => a - b);
  return { keys: sorted.map(([key]) => key), weights: sorted.map(([, weight]) => weight) };
}
/** The sums of both. @param {Sums} left @param {Sums} right @param {number} cut  keys from here on are left out @returns {Sums} */
export function convolve(left, right, cut = Infinity) {
  if (!left.keys.length || !right.keys.length) return { keys: [], weights: [] };
  const low = left.keys[0] + right.keys[0], high = Math.min(left.keys[left.keys.length - 1] + right.keys[right.keys.length - 1], cut - 1);
  const size = high - low + 1;
  if (size < 1) return { keys: [], weights: [] };
  const isDense = size <= LARGEST_BOX && size <= SPARSE * left.keys.length * right.keys.length + 1000, box = isDense ? new Float64Array(size) : [], /** @type {Map<number, number>} */ found = new Map();
  left.keys.forEach((key, i) => {
    const from = key - low, weight = left.weights[i];
    for (let j = 0; j < right.keys.length; j++) {
      const place = from + right.keys[j];
      if (place >= size) break;
      if (isDense) box[place] += weight * right.weights[j];
      else add(found, low + place, weight * right.weights[j]);
    }
  });
  if (!isDense) return sumsOf(found);
  /** @type {Sums} */
  const all = { keys: [], weights: [] };
  box.forEach((weight, place) => weight > TINY && all.keys.push(low + place) && all.weights.push(weight));
  return all;
}
/** The sum of equal dice, by doubling. @param {Sums} die @param {number} dice @param {(left: Sums, right: Sums) => Sums} join @returns {Sums} */
export function power(die, dice, join) {
  if (dice === 1) return die;
  const half = power(die, dice >> 1, join), both = join(half, half);
  return dice % 2 ? join(both, die) : both;
}
/** How many ways there are to choose. @param {number} n @param {number} k */
export function choose(n, k) {
  let found = 1;
  for (let i = 1; i <= k; i++) found *= (n - k + i) / i;
  return found;
}
