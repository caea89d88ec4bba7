// A pool whose coordinates depend on the order of its dice: the highest and the lowest die, and what the kept dice add up
// to. Kept dice: a walk over the values, the best first, over how many dice show each. Without `keep`, sums are taken of
// all dice within a range of values; exactly these extremes have those that are not all above its lowest or below its
// highest value. What that subtracts to nothing but for rounding is left out.
/** @import {Coordinate, DieResult, Place, Point, TailCase} from "../engine/parts.d.ts" */
/** @import {Automaton} from "./automaton.js" */
import { add, cachedIn, sum } from "../engine/messages.js";
import { NotExactError, budgetOf } from "./budget.js";
import { Family } from "./family.js";
import { addsTo, powerOf, rangesOf } from "./groups.js";
import { constantFrom } from "./rerolled-die.js";
import { Packing, choose } from "./sums.js";

const ROUNDED = 1e-13; // of what was added up: the difference is 0

export class OrderedGroup {
  missing = 0;
  isWhole = true;
  hasLines = false;
  /** @param {Automaton} machine @param {number} kind @param {Coordinate[]} coordinates @param {number} dice @param {number | null} keep */
  constructor(machine, kind, coordinates, dice, keep) {
    this.machine = machine;
    this.budget = budgetOf(machine.bound.rule.game);
    this.kind = kind;
    this.coordinates = coordinates;
    this.dice = dice;
    this.keep = keep;
    this.pool = machine.bound.kinds[kind];
    this.isHighest = keep === null || this.pool.kind.keep.highest;
    this.start = machine.start(kind);
    const { tallies } = machine.bound.rule, value = (/** @type {Place} */ _, /** @type {any} */ branch) => [branch?.landing.value ?? 0];
    const perThrow = coordinates.filter(({ extreme }) => !extreme).map((one) => ({ ...one, form: one.form.filter(([tally]) => tallies[tally].perThrow) })), plain = addsTo(machine, perThrow);
    this.isEndless = false;
    if (this.pool.kind.explodes) {
      const alone = new Family(machine, [this.start], 1, value);
      if (alone.least(this.start, 0) === -Infinity) throw new NotExactError();
      this.isEndless = alone.isEndless(this.start);
    }
    this.family = new Family(machine, [this.start], 1 + perThrow.length, (place, branch) => [...value(place, branch), ...plain(place, branch)], 0);
    this.least = this.leastEnd = this.family.axisLow(this.start);
    if (this.isEndless) { // from the end on, all tests of values have one answer
      const tests = coordinates.flatMap(({ form }) => form.flatMap(([tally]) => (tallies[tally].run && !tallies[tally].perThrow ? [tallies[tally].test] : []))), flat = constantFrom(machine.bound, kind, tests, "value");
      if (flat === null) throw new NotExactError();
      this.leastEnd = Math.max(this.least, flat);
    }
    this.extremes = new Set(coordinates.map(({ extreme }) => extreme));
    this.counted = keep === null ? dice : Math.min(keep, dice);
    /** @type {Map<string, Point[]>} */
    this.known = new Map();
  }
  /** @returns {[number, number][]} */
  ranges() {
    if (this.isEndless) {
      const variables = new Map(this.variables("", -1, 0)), total = (/** @type {[string, number][]} */ form, /** @type {(a: number, b: number) => number} */ pick) =>
        sum(form.map(([name, times]) => pick(.../** @type {[number, number]} */ (variables.get(name)?.map((end) => times && times * end)))));
      return this.coordinates.map((one) => [total(this.form(one, ""), Math.min), total(this.form(one, ""), Math.max)]);
    }
    return rangesOf(this.points(0));
  }
  /** The bounds of the lowest die, those between and the highest, one of them from an end on; and those of all counts.
   * @param {string} prefix @param {number} moved @param {number} end @returns {[string, [number, number]][]} */
  variables(prefix, moved, end) {
    const { least, counted, family, start } = this, { tallies } = this.machine.bound.rule, floors = [least, least * (counted - 2), least];
    if (moved >= 0) floors[moved] = moved === 1 ? end + least * (counted - 3) : end;
    let number = 0;
    const counts = this.coordinates.flatMap(({ form, extreme }, d) => {
      if (extreme) return [];
      number++;
      let low = family.least(start, number), high = /** @type {number} */ (family.high[number].get(start));
      for (const [tally, times] of form)
        if (tallies[tally].function === "count" && !tallies[tally].perThrow) [low, high] = [low + Math.min(times, 0), high + Math.max(times, 0)];
      return [/** @type {[string, [number, number]]} */ ([`${prefix}counts ${d}`, [low * counted, high * counted]])];
    });
    return [...["low", "mid", "high"].map((name, at) => /** @type {[string, [number, number]]} */ ([prefix + name, [floors[at], Infinity]])), ...counts];
  }
  /** A coordinate as a sum of these. @param {Coordinate} coordinate @param {string} prefix @returns {[string, number][]} */
  form(coordinate, prefix) {
    const { counted } = this, { tallies } = this.machine.bound.rule;
    if (coordinate.extreme) return [[prefix + (coordinate.extreme === "highest" || counted === 1 ? "high" : "low"), 1]];
    const found = /** @type {[string, number][]} */ ([[`${prefix}counts ${this.coordinates.indexOf(coordinate)}`, 1]]);
    for (const [tally, times] of coordinate.form)
      if (tallies[tally].function === "sum") for (const [least, name] of /** @type {[number, string][]} */ ([[1, "high"], [2, "low"], [3, "mid"]])) if (counted >= least) found.push([prefix + name, times]);
    return found;
  }
  /** @param {number[]} slots @param {number} end @returns {TailCase[]} */
  tailCases(slots, end) {
    const prefix = `${slots[0]} `, coordinates = this.coordinates.map((one, d) => /** @type {[number, [string, number][]]} */ ([slots[d], this.form(one, prefix)]));
    const growing = ["low", "mid", "high"].flatMap((name, moved) => (coordinates.some(([, form]) => form.some(([own]) => own === prefix + name)) ? [{ moved, moving: [prefix + name] }] : []));
    if (!growing.length) growing.push({ moved: 0, moving: [] }); // dice get there all the same, and other groups have any value then
    return growing.map(({ moved, moving }) => ({ variables: this.variables(prefix, moved, end), coordinates, moving }));
  }
  /** @param {number} end */
  bits(end) {
    const [base, growth] = this.family.bits(this.start);
    return this.dice * (base + (this.isEndless ? Math.max(end - this.least - 1, 0) * growth : 0));
  }
  hasClasses() {
    return false;
  }
  /** The tail of one die as its value at the end, with the same chance. @param {number} end */
  closedPoints(end) {
    return this.points(end, true);
  }
  /** @param {number} end @returns {Point[]} */
  points(end, isClosed = false) {
    return cachedIn(this.known, this.isEndless ? `${end} ${isClosed}` : "", () => {
      const ways = this.dieResults(end, isClosed), far = Math.max(1 - sum(ways.map(({ weight }) => weight)), 0);
      /** @type {Map<string, [number[], number, number]>} */
      const found = new Map();
      const visit = (/** @type {number[]} */ adds, /** @type {number} */ high, /** @type {number} */ low, /** @type {number} */ weight) => {
        const values = this.coordinates.map(({ extreme }, d) => (extreme ? (extreme === "highest" ? high : low) : adds[d]));
        const state = cachedIn(found, String(values), () => /** @type {[number[], number, number]} */ ([values, 0, 0]));
        state[1] += weight;
        state[2] += Math.abs(weight);
      };
      const bits = this.bits(end) + this.dice;
      if (this.keep === null) this.withoutKeep(ways, this.isEndless && !isClosed ? far : 0, bits, visit);
      else this.keptDice(ways, this.isEndless && !isClosed && !this.isHighest ? far : 0, bits, visit);
      return [...found.values()].flatMap(([values, weight, all]) => (weight > ROUNDED * all ? [/** @type {Point} */ ([values, weight])] : []));
    });
  }
  /** The ways in which one die can end before an end, the best first. @param {number} end @param {boolean} isClosed @returns {DieResult[]} */
  dieResults(end, isClosed) {
    const { family, start, pool } = this, { least } = this, cut = this.isEndless ? Math.max(end - least, 1) : family.span(start);
    const { terms, packing } = family.expand(start, cut), lows = family.others.map((d) => family.least(start, d)), none = this.machine.bound.rule.tallies.map(() => 0);
    const result = (/** @type {number} */ value, /** @type {number[]} */ others, /** @type {number} */ weight) => {
      const counts = pool.finalHits(none, value);
      let at = 0;
      return { value, weight, adds: this.coordinates.map(({ form, extreme }) => (extreme ? 0 : others[at++] + sum(form.map(([tally, times]) => times * counts[tally])))) };
    };
    const counted = new Map(), found = terms.map(([exponent, key, weight]) => {
      const others = packing.unpack(key).map((one, d) => one + lows[d]);
      add(counted, String(others), weight);
      return result(least + exponent, others, weight);
    });
    if (isClosed && this.isEndless)
      for (const [key, [others, chance]] of family.marginals(start)) found.push(result(end, others, Math.max(chance - (counted.get(key) ?? 0), 0)));
    return this.isHighest ? found.reverse() : found;
  }
  /** @param {DieResult[]} ways @param {number} far  the chance of values in the tail, which are not kept @param {number} bits
   * @param {(adds: number[], high: number, low: number, weight: number) => void} visit */
  keptDice(ways, far, bits, visit) {
    const { dice } = this, most = Math.min(/** @type {number} */ (this.keep), dice), size = this.coordinates.length;
    const [best, last] = this.isHighest ? ["highest", "lowest"] : ["lowest", "highest"], seesBest = this.extremes.has(best), seesLast = this.extremes.has(last);
    const spend = (/** @type {number} */ steps) => this.budget.spend(6 * steps, 5 * bits);
    const values = [...new Set(ways.map(({ value }) => value))];
    let rest = far + sum(ways.map(({ weight }) => weight));
    /** @type {Map<string, {left: number, adds: number[], first: number, end: number, weight: number}>} */
    let states = new Map([["", { left: most, adds: Array(size).fill(0), first: 0, end: 0, weight: 1 }]]);
    for (const [number, value] of values.entries()) {
      const own = ways.filter((way) => way.value === value), total = sum(own.map(({ weight }) => weight));
      rest = number === values.length - 1 ? far : rest - total;
      /** @type {Map<string, [number[], number]>[]} what 0, 1, 2, … kept dice with this value add up to */
      const sums = [new Map([["", [Array(size).fill(0), 1]]])];
      for (let kept = 0; kept < most; kept++) {
        spend(sums[kept].size * own.length);
        sums.push(new Map());
        for (const [adds, weight] of sums[kept].values())
          for (const way of own) {
            const after = adds.map((one, d) => one + way.adds[d]);
            cachedIn(sums[kept + 1], String(after), () => /** @type {[number[], number]} */ ([after, 0]))[1] += weight * way.weight;
          }
      }
      spend((most + 1) * (most + 12));
      const ended = Array.from({ length: most + 1 }, (_, left) => dropped(dice - most + left, left, total, rest)), after = new Map();
      for (const { left, adds, first, end, weight } of states.values()) {
        const top = seesBest && left === most ? value : first, bottom = seesLast ? value : end;
        spend(sum(sums.slice(0, left + 1).map((one) => one.size)));
        for (const [more, share] of sums[left].values()) {
          const all = adds.map((one, d) => one + more[d]);
          if (this.isHighest) visit(all, top, bottom, weight * share * ended[left]);
          else visit(all, bottom, top, weight * share * ended[left]);
        }
        for (let count = 0; count < left; count++)
          for (const [more, share] of sums[count].values()) {
            const next = { left: left - count, adds: adds.map((one, d) => one + more[d]), first: count ? top : first, end: count ? bottom : end, weight: 0 };
            cachedIn(after, `${next.left};${next.adds};${next.first};${next.end}`, () => next).weight += weight * choose(dice - most + left, count) * share;
          }
      }
      states = after;
    }
  }
  /** @param {DieResult[]} ways @param {number} far @param {number} bits @param {(adds: number[], high: number, low: number, weight: number) => void} visit */
  withoutKeep(ways, far, bits, visit) {
    const { dice, extremes } = this, values = [...new Set(ways.map(({ value }) => value))].sort((a, b) => a - b);
    if (extremes.size === 1 && extremes.has("lowest")) { // the others may be in the tail, but not all of them
      let above = far + sum(ways.map(({ weight }) => weight));
      for (const value of values) {
        const left = value === values[values.length - 1] ? far : above - sum(ways.filter((way) => way.value === value).map(({ weight }) => weight));
        visit([], value, value, above ** dice - left ** dice);
        above = left;
      }
      return;
    }
    const seesHighest = extremes.has("highest"), seesLowest = extremes.has("lowest"), tops = seesHighest ? [...values.keys()] : [values.length - 1];
    const spans = this.coordinates.map((_, d) => Math.max(...ways.map(({ adds }) => adds[d])) - Math.min(...ways.map(({ adds }) => adds[d])));
    const either = (/** @type {boolean} */ both) => (both ? [0, 1] : [0]);
    this.budget.spend((tops.length * (seesLowest ? values.length / 2 : 1) * values.length * Math.min(Math.max(0, ...spans) * dice + 1, choose(ways.length + dice - 1, dice))) / 4, bits);
    const lows = spans.map((_, d) => Math.min(...ways.map(({ adds }) => adds[d]))), packing = new Packing(spans.map((span, d) => [lows[d] * dice, lows[d] * dice + span * dice]));
    const sums = ways.map(({ value, adds, weight }) => ({ value, adds, weight, key: packing.pack(adds.map((one, d) => one - lows[d])) })), /** @type {Map<string, any>} */ memory = new Map(), plain = this.coordinates.flatMap(({ extreme }, d) => (extreme ? [] : [d]));
    const within = (/** @type {number} */ low, /** @type {number} */ high) => cachedIn(memory, `${low} ${high}`, () => {
      const own = new Map(), some = sums.filter(({ value }) => value >= low && value <= high);
      for (const { key, weight } of some) add(own, key, weight);
      if (!own.size || !plain.length) return { keys: own.size ? [0] : [], weights: [sum([...own.values()]) ** dice] };
      const widths = plain.map((d) => Math.max(...some.map(({ adds }) => adds[d])) - Math.min(...some.map(({ adds }) => adds[d])));
      const axis = plain[widths.indexOf(Math.max(...widths))], classes = new Set(some.map(({ adds }) => String(adds.toSpliced(axis, 1)))).size;
      return powerOf(this.budget, [...own], classes, Math.max(...widths) + 1, dice, Infinity, Infinity, bits + 8);
    });
    for (const top of values.length ? tops : [])
      for (const bottom of seesLowest ? [...values.keys()].slice(0, top + 1) : [0])
        for (const less of either(seesHighest)) for (const more of either(seesLowest)) {
          const found = bottom + more <= top - less ? within(values[bottom + more], values[top - less]) : { keys: [], weights: [] };
          found.keys.forEach((/** @type {number} */ key, /** @type {number} */ at) => visit(packing.unpack(key), values[top], values[bottom], (-1) ** (less + more) * found.weights[at]));
        }
  }
}
/** @type {number[]} */
const LOGS = [0];
/** The logarithm of a factorial. @param {number} n */
function logFactorial(n) {
  while (LOGS.length <= n) LOGS.push(LOGS[LOGS.length - 1] + Math.log(LOGS.length));
  return LOGS[n];
}
/** The weight of n dice of which the last `kept` that are kept show a value and the others this or a later one: the sum of
 * C(n, s) · total^(s - kept) · rest^(n - s). @param {number} n @param {number} kept @param {number} total @param {number} rest */
function dropped(n, kept, total, rest) {
  let found = 0;
  for (let s = kept; s <= n; s++)
    if (rest > 0 || s === n)
      found += Math.exp(logFactorial(n) - logFactorial(s) - logFactorial(n - s) + (s - kept && (s - kept) * Math.log(total)) + (n - s && (n - s) * Math.log(rest)));
  return found;
}
