// Dice with their follow-up dice: what each face adds to the coordinates of a group, and the dice that it leads to. One
// coordinate, the axis, may grow without end. The generating function of a die is the sum of its faces, each times the
// series of the dice that follow it: every coefficient follows from earlier ones. Throws that add nothing and lead back
// to where they came from would need themselves; linear equations replace them by the throws that lead out.
/** @import {Branch, Effect, Moments, Place} from "../engine/parts.d.ts" */
/** @import {Automaton} from "./automaton.js" */
import { add, cachedIn, sum } from "../engine/messages.js";
import { NotExactError, budgetOf } from "./budget.js";
import { RerolledDie } from "./rerolled-die.js";
import { Packing } from "./sums.js";

/** Solves x = rows·x + right. @param {Map<Place, Map<Place, number>>} rows @param {Map<Place, number>} right */
export function solveLinear(rows, right) {
  const places = [...rows.keys()], at = new Map(places.map((place, number) => [place, number]));
  const system = places.map((place) => {
    const line = [...places.map(() => 0), right.get(place) ?? 0];
    for (const [other, share] of rows.get(place) ?? []) line[/** @type {number} */ (at.get(other))] -= share;
    line[/** @type {number} */ (at.get(place))] += 1;
    return line;
  });
  places.forEach((_, step) => {
    const best = system.slice(step).reduce((a, b) => (Math.abs(b[step]) > Math.abs(a[step]) ? b : a)), from = system.indexOf(best);
    [system[step], system[from]] = [system[from], system[step]];
    for (const line of system) {
      const factor = line === best ? 0 : line[step] / best[step];
      if (factor) for (let d = step; d < line.length; d++) line[d] -= factor * best[d];
    }
  });
  return new Map(places.map((place, number) => [place, system[number][places.length] / system[number][number]]));
}

export class Family {
  /** @param {Automaton} machine @param {Place[]} starts @param {number} size @param {(place: Place, branch: Branch | null) => number[]} adds
   * what a throw adds to each of so many coordinates @param {number} [axis] */
  constructor(machine, starts, size, adds, axis) {
    this.machine = machine;
    this.budget = budgetOf(machine.bound.rule.game);
    /** @type {Map<Place, Effect[]>} */
    this.effects = new Map();
    this.findEffects(starts, adds);
    const numbers = [...Array(size).keys()];
    this.low = numbers.map((d) => this.bounds(d, Math.min));
    this.high = numbers.map((d) => this.bounds(d, Math.max));
    if ([...this.low.map((ends) => [ends, Infinity]), ...this.high.map((ends) => [ends, -Infinity])].some(([ends, never]) => [.../** @type {any} */ (ends).values()].includes(never)))
      throw new NotExactError(); // dice that always lead to more dice
    this.dropIdle();
    const [chosen, sign] = this.chooseAxis(axis);
    this.axis = chosen;
    this.sign = sign;
    this.others = numbers.filter((d) => d !== chosen);
    this.removeCycles();
    /** @type {Map<string, any>} */
    this.memory = new Map();
  }
  /** @param {Place[]} starts @param {(place: Place, branch: Branch | null) => number[]} adds */
  findEffects(starts, adds) {
    const { machine } = this, waiting = [...starts], rerolled = new Map();
    for (let place = waiting.pop(); place; place = waiting.pop()) {
      if (this.effects.has(place)) continue;
      this.budget.spend(15 * machine.bound.kinds[place.kind].faces.length);
      /** @type {[number, Branch | null, [Place, number][]][]} */
      let ways;
      if (place.attempt || (!place.turn && machine.rollsOn(place.kind)))
        ways = cachedIn(rerolled, place.kind, () => new RerolledDie(machine, /** @type {Place} */ (place).kind)).branches(place);
      else ways = machine.branches(place).map((branch) => [branch.share, branch, machine.children(branch)]);
      /** @type {Map<string, Effect>} */
      const found = new Map();
      for (const [share, branch, children] of ways) {
        const own = adds(place, branch), key = `${own};${children.map(([child, times]) => [child.id, times])}`;
        if (share > 0) cachedIn(found, key, () => ({ share: 0, adds: own, children })).share += share;
        waiting.push(...children.map(([child]) => child));
      }
      this.effects.set(place, [...found.values()]);
    }
  }
  /** The least or greatest that a die adds to a coordinate, with all dice that follow. @param {number} d @param {(...ends: number[]) => number} pick */
  bounds(d, pick) {
    const none = -pick(-Infinity, Infinity), { size } = this.effects, found = new Map([...this.effects.keys()].map((place) => [place, none]));
    for (let round = 0, before = String([...found.values()]); round < 3 * size; round++) {
      this.spendOnAll();
      for (const [place, effects] of this.effects) {
        const best = pick(...effects.map(({ adds, children }) => children.reduce((so, [child, times]) => so + /** @type {number} */ (found.get(child)) * times, adds[d])));
        if (best !== found.get(place)) found.set(place, round < size ? best : -none); // still growing after a round for every place: no end
      }
      if (before === (before = String([...found.values()]))) break;
    }
    return found;
  }
  /** @param {number} times  for each effect */
  spendOnAll(times = 1) {
    this.budget.spend(times * sum([...this.effects.values()].map(({ length }) => length)));
  }
  /** Dice that add nothing to any coordinate are left out. */
  dropIdle() {
    const idle = (/** @type {Place} */ place) => [...this.low, ...this.high].every((ends) => ends.get(place) === 0);
    for (const [place, effects] of this.effects)
      this.effects.set(place, effects.map((effect) => ({ ...effect, children: effect.children.filter(([child]) => !idle(child)) })));
  }
  /** The coordinate without end, negated if it has no least value; else the one with the most values. @param {number | undefined} wanted */
  chooseAxis(wanted) {
    const { low, high } = this, places = [...this.effects.keys()], at = (/** @type {Map<Place, number>} */ ends, /** @type {Place} */ place) => /** @type {number} */ (ends.get(place));
    const spans = low.map((ends, d) => Math.max(...places.map((place) => at(high[d], place) - at(ends, place))));
    const endless = spans.flatMap((span, d) => (span === Infinity ? [d] : []));
    if (endless.length > 1 || (endless.length && wanted !== undefined && wanted !== endless[0])) throw new NotExactError();
    const axis = endless[0] ?? wanted ?? spans.indexOf(Math.max(...spans));
    const up = places.some((place) => at(high[axis], place) === Infinity), down = places.some((place) => at(low[axis], place) === -Infinity);
    if (up && down) throw new NotExactError();
    return [axis, down ? -1 : 1];
  }
  /** @param {Place} place @param {number} d */
  least(place, d) {
    return /** @type {number} */ (this.low[d].get(place));
  }
  /** The end of the axis from which exponents count. @param {Place} place */
  axisLow(place) {
    return this.sign > 0 ? this.least(place, this.axis) : -/** @type {number} */ (this.high[this.axis].get(place));
  }
  /** Whether the dice that begin here may go on without end. @param {Place} place */
  isEndless(place) {
    return Math.max(Math.abs(this.least(place, this.axis)), Math.abs(/** @type {number} */ (this.high[this.axis].get(place)))) === Infinity;
  }
  /** How many values of the axis one die has, if it ends. @param {Place} place */
  span(place) {
    return /** @type {number} */ (this.high[this.axis].get(place)) - this.least(place, this.axis) + 1;
  }
  /** How many bits the weights of one die have in Python, and how many more for each exponent of the axis, where it has no end.
   * @param {Place} place @returns {[number, number]} */
  bits(place) {
    const { machine } = this, { length } = machine.bound.kinds[place.kind].faces, rounds = 1 + machine.rounds(place.kind).length;
    let prime = 2, rest = length, root = 1; // by which a die without end grows: its prime factors, each once
    for (; rest > 1; prime++) if (rest % prime === 0) for (root *= prime; rest % prime === 0; ) rest /= prime;
    return [Math.log2(length) * rounds, this.isEndless(place) ? Math.log2(root) * rounds : 0];
  }
  /** The power of x of an effect, counted from the least of its place. @param {Place} place @param {Effect} effect */
  exponent(place, { adds, children }) {
    return this.sign * adds[this.axis] + sum(children.map(([child, times]) => this.axisLow(child) * times)) - this.axisLow(place);
  }
  /** What an effect adds to the other coordinates, counted alike. @param {Place} place @param {Effect} effect */
  otherAdds(place, { adds, children }) {
    return this.others.map((d) => adds[d] + sum(children.map(([child, times]) => this.least(child, d) * times)) - this.least(place, d));
  }
  removeCycles() {
    const still = new Map([...this.effects].map(([place, effects]) => [place, effects.filter((effect) =>
      effect.children.length && this.exponent(place, effect) === 0 && this.otherAdds(place, effect).every((one) => !one))]));
    const reached = new Map([...still].map(([place, effects]) => [place, new Set(effects.flatMap(({ children }) => children.map(([child]) => child)))]));
    for (const middle of reached.keys())
      for (const after of reached.values()) if (after.has(middle)) for (const one of reached.get(middle) ?? []) after.add(one);
    const cycle = [...reached].flatMap(([place, after]) => (after.has(place) ? [place] : []));
    if (!cycle.length) return;
    /** @type {Map<Place, Map<Place, number>>} */
    const visits = new Map(cycle.map((place) => [place, new Map()])), /** @type {Map<Place, Effect[]>} */ leaving = new Map(cycle.map((place) => [place, []]));
    for (const place of cycle)
      for (const effect of this.effects.get(place) ?? []) {
        const within = still.get(place)?.includes(effect) ? effect.children.filter(([child]) => cycle.includes(child)) : [];
        if (within.length && sum(effect.children.map(([, times]) => times)) > 1) throw new NotExactError();
        for (const [child] of within) add(/** @type {Map<Place, number>} */ (visits.get(child)), place, effect.share);
        if (!within.length) leaving.get(place)?.push(effect);
      }
    const made = cycle.map((place) => /** @type {[Place, Effect[]]} */ ([place, [...solveLinear(visits, new Map([[place, 1]]))].flatMap(([other, times]) => {
      const moved = this.low.map((_, d) => (d === this.axis ? this.sign * (this.axisLow(place) - this.axisLow(other)) : this.least(place, d) - this.least(other, d)));
      return times ? (leaving.get(other) ?? []).map(({ share, adds, children }) => ({ share: times * share, adds: adds.map((one, d) => one + moved[d]), children })) : [];
    })]));
    for (const [place, effects] of made) this.effects.set(place, effects);
  }
  /** The chances of one die by the values of the other coordinates (packed) and the exponent of the axis, below an end.
   * @param {Place} start @param {number} cut @returns {{terms: [exponent: number, key: number, share: number][], packing: Packing}} */
  expand(start, cut) {
    const throws = [...this.effects.values()].flat(), most = Math.max(...throws.map(({ children }) => sum(children.map(([, times]) => times))));
    const isAlone = this.effects.get(start)?.every(({ children }) => !children.length);
    if (!isAlone) this.budget.spend(cut * throws.filter(({ children }) => children.length).length * (most > 1 ? cut : 1));
    return cachedIn(this.memory, `${start.id} ${cut}`, () => {
      const places = [...this.effects.keys()];
      const packing = new Packing(this.others.map((d) => [0, Math.max(...places.map((place) => /** @type {number} */ (this.high[d].get(place)) - this.least(place, d)))]));
      if (isAlone) {
        const found = new Map();
        for (const effect of this.effects.get(start) ?? []) add(cachedIn(found, this.exponent(start, effect), () => new Map()), packing.pack(this.otherAdds(start, effect)), effect.share);
        return { terms: [...found].sort(([a], [b]) => a - b).flatMap(([k, row]) => [...row].map(([key, share]) => [k, key, share])), packing };
      }
      const rows = new Map(places.map((place) => [place, /** @type {Map<number, number>[]} */ ([])]));
      const terms = new Map(places.map((place) => [place, (this.effects.get(place) ?? []).map((effect) => ({
        exponent: this.exponent(place, effect), adds: packing.pack(this.otherAdds(place, effect)), share: effect.share,
        part: productOf(effect.children.flatMap(([child, times]) => Array(times).fill(rows.get(child)))),
      }))]));
      const order = this.order();
      for (let k = 0; k < cut; k++)
        for (const place of order) {
          /** @type {Map<number, number>} */
          const total = new Map();
          for (const { exponent, adds, share, part } of terms.get(place) ?? [])
            if (k >= exponent) for (const [key, chance] of part(k - exponent)) add(total, key + adds, share * chance);
          rows.get(place)?.push(total);
        }
      return { terms: (rows.get(start) ?? []).flatMap((row, k) => [...row].map(([key, share]) => [k, key, share])), packing };
    });
  }
  /** How many terms decide those of a die that only leads to itself. @param {Place} place */
  loopWidth(place) {
    const effects = this.effects.get(place) ?? [], loops = effects.filter(({ children }) => children.length);
    return loops.length && loops.every(({ children: [[child, times], ...more] }) => child === place && times === 1 && !more.length) ? effects.length * (1 + loops.length) : Infinity;
  }
  /** Whether each die leads to at most one other. */
  isLinear() {
    return [...this.effects.values()].flat().every(({ children }) => sum(children.map(([, times]) => times)) <= 1);
  }
  /** The mean that a die adds to a coordinate. @param {number} d @param {Place} start @returns {number} */
  mean(d, start) {
    return cachedIn(this.memory, `mean ${d}`, () => {
      const rows = new Map(), right = new Map();
      for (const [place, effects] of this.effects) {
        const row = new Map();
        for (const { share, children } of effects) for (const [child, times] of children) add(row, child, share * times);
        rows.set(place, row);
        right.set(place, sum(effects.map(({ share, adds }) => share * adds[d])));
      }
      const found = solveLinear(rows, right);
      if (![...found.values()].every(Number.isFinite)) throw new NotExactError();
      return found;
    }).get(start);
  }
  /** For each class (values of the other coordinates) its chance, and the mean of the axis times that: linear equations over all
   * places, where each die leads to at most one other. @param {Place} start @returns {Moments} */
  marginals(start) {
    if (!this.isLinear()) throw new NotExactError();
    const byPlace = cachedIn(this.memory, `marginals ${start.id}`, () => {
      const places = [...this.effects.keys()], spans = this.others.map((d) => Math.max(...places.map((place) => /** @type {number} */ (this.high[d].get(place)) - this.least(place, d))));
      /** @type {Map<Place, Map<string, [number, number]>>} */
      const found = new Map(places.map((place) => [place, new Map()]));
      const classes = spans.reduce((so, span) => so.flatMap((values) => Array.from({ length: span + 1 }, (_, one) => [...values, one])), /** @type {number[][]} */ ([[]]));
      for (const values of classes.sort((a, b) => sum(a) - sum(b))) {
        this.spendOnAll(10);
        const rows = new Map(places.map((place) => [place, new Map()])), chances = new Map(), means = new Map(), /** @type {[Place, Place, number][]} */ drift = [];
        for (const [place, effects] of this.effects)
          for (const effect of effects) {
            const { share, adds, children: [[child] = [null]] } = effect, step = this.sign * adds[this.axis], own = this.otherAdds(place, effect), left = values.map((value, d) => value - own[d]);
            if (child && own.every((one) => !one)) {
              add(/** @type {Map<Place, number>} */ (rows.get(place)), child, share);
              drift.push([place, child, share * step]);
            } else {
              const [chance, mean] = child ? found.get(child)?.get(String(left)) ?? [0, 0] : [+left.every((one) => !one), 0];
              add(chances, place, share * chance);
              add(means, place, share * (mean + step * chance));
            }
          }
        const solved = solveLinear(rows, chances);
        for (const [place, child, moved] of drift) add(means, place, moved * /** @type {number} */ (solved.get(child)));
        const solvedMeans = solveLinear(rows, means);
        for (const place of places) found.get(place)?.set(String(values), [solved.get(place) ?? 0, solvedMeans.get(place) ?? 0]);
      }
      return found;
    });
    return new Map([...(byPlace.get(start) ?? [])].flatMap(([key, [chance, mean]]) => {
      const values = this.others.map((d, at) => (key === "" ? 0 : Number(key.split(",")[at])) + this.least(start, d));
      return chance > 1e-16 ? [[String(values), [values, chance, mean]]] : [];
    }));
  }
  /** Each place after those that it needs at the same power of x. */
  order() {
    /** @type {Place[]} */
    const found = [], open = new Set();
    const visit = (/** @type {Place} */ place) => {
      if (found.includes(place)) return;
      if (open.has(place)) throw new NotExactError();
      open.add(place);
      for (const effect of this.effects.get(place) ?? []) if (this.exponent(place, effect) === 0) effect.children.forEach(([child]) => visit(child));
      found.push(place);
    };
    [...this.effects.keys()].forEach(visit);
    return found;
  }
}
/** The product of some series, coefficient by coefficient, as far as its factors are known.
 * @param {Map<number, number>[][]} factors @returns {(k: number) => Map<number, number>} */
function productOf(factors) {
  if (!factors.length) return (k) => new Map(k ? [] : [[0, 1]]);
  const [last, ...others] = [...factors].reverse();
  if (!others.length) return (k) => last[k];
  const left = productOf(others), /** @type {Map<number, number>[]} */ known = [];
  return (k) => {
    for (let number = known.length; number <= k; number++) {
      const total = new Map();
      for (let place = 0; place <= number; place++)
        for (const [key, share] of left(place)) for (const [more, part] of last[number - place]) add(total, key + more, share * part);
      known.push(total);
    }
    return known[k];
  };
}
