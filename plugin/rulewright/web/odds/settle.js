// Where dice without end stop to matter: the end from which the outcome of a roll no longer changes. Formulas are evaluated
// over intervals in which some variables move, such as a sum of exploding dice from an end on, while all others have any
// value that they can have, but stay as they are. Of each formula we ask how it follows: not at all, in a straight line,
// or somehow. From the end on no outcome may follow. A value that follows in a straight line has the same mean as on two
// points of that line; so two weighted points replace a tail, and sums stay finite.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Followed, Interval, Option, TailCase, Values, ValueSet} from "../engine/parts.d.ts" */
/** @import {Plan} from "./plan.js" */
import { COMPARED } from "../engine/formula.js";
import { ANY, between, compareWords, hull, lookupSet, rangeOf, truth } from "../engine/intervals.js";
import { opOf } from "./plan.js";

const FARTHEST_TAIL = 2 ** 44, MOST_OPTIONS = 16, LARGEST_FACTOR = 2 ** 64;
export const STAYS = 0, IN_LINE = 1, SOMEHOW = 2; // how a value follows the variables that move

/** The least end that settles a question: first doubling from a guess, then bisection. @param {(end: number) => boolean} isSettled @param {number} least @param {number} hint */
export function findEnd(isSettled, least, hint) {
  let low = least, high = Math.max(hint, least);
  if (!isSettled(high)) {
    if (!isSettled(Math.max(FARTHEST_TAIL, 2 * high))) return null;
    for (let step = 1; !isSettled(high); step *= 2) [low, high] = [high + 1, high + step];
  }
  while (low < high) {
    const middle = high === hint ? high - 1 : Math.floor((low + high) / 2);
    if (isSettled(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}
/** Evaluates the formulas of a question while variables move; each case is of another group. */
export class Follower {
  /** @param {Plan} plan @param {Values} known @param {TailCase[]} cases */
  constructor(plan, known, cases) {
    this.plan = plan;
    this.known = known;
    this.moving = new Set(cases.flatMap(({ moving }) => moving));
    /** @type {Map<string, [number, number]>} */
    this.variables = new Map(cases.flatMap(({ variables }) => variables));
    /** @type {Map<number, Followed>} */
    this.values = new Map();
    for (const [slot, terms] of cases.flatMap(({ coordinates }) => coordinates)) {
      let fixed = 0;
      const open = terms.filter(([name, times]) => {
        const [low, high] = /** @type {[number, number]} */ (this.variables.get(name));
        if (low === high) fixed += times * low;
        return low !== high;
      });
      this.values.set(slot, { options: [this.option(this.affine(fixed, new Map(open)), [])], kinked: false, words: null });
    }
  }
  /** @param {number} fixed @param {Map<string, number>} terms @returns {Interval} */
  affine(fixed, terms) {
    let low = fixed, high = fixed;
    for (const [name, times] of terms) {
      if (!times) terms.delete(name);
      else {
        const [a, b] = /** @type {[number, number]} */ (this.variables.get(name));
        low += Math.min(a * times, b * times);
        high += Math.max(a * times, b * times);
      }
    }
    return Math.max(Math.abs(fixed), ...[...terms.values()].map(Math.abs)) > LARGEST_FACTOR ? { low: -Infinity, high: Infinity, terms: null, fixed: 0 } : { low, high, terms, fixed };
  }
  /** @param {string} op @param {Interval[]} values @returns {Interval} */
  apply(op, values) {
    if (op === "neg") return this.scale(values[0], -1);
    if (op === "+" && values.every(({ terms }) => terms)) {
      const terms = new Map();
      for (const value of values) for (const [name, times] of value.terms ?? []) terms.set(name, (terms.get(name) ?? 0) + times);
      return this.affine(values.reduce((so, { fixed }) => so + fixed, 0), terms);
    }
    if (op === "*" && values.length === 2) {
      const [a, b] = values;
      if (b.low === b.high) return this.scale(a, b.low);
      if (a.low === a.high) return this.scale(b, a.low);
    }
    return plain(/** @type {[number, number]} */ (rangeOf(op, values.map(({ low, high }) => [low, high]))));
  }
  /** @param {Interval} value @param {number} by */
  scale({ low, high, terms, fixed }, by) {
    return terms ? this.affine(fixed * by, new Map([...terms].map(([name, times]) => [name, times * by]))) : plain(hull([low && by && low * by, high && by && high * by]));
  }
  /** An option made of parts: its factors say how it follows, if it has them. @param {Interval} value @param {Option[]} parts @returns {Option} */
  option(value, parts) {
    if (value.low === value.high) return { value, follows: STAYS };
    if (value.terms) return { value, follows: [...value.terms.keys()].some((name) => this.moving.has(name)) ? IN_LINE : STAYS };
    return { value, follows: Math.max(STAYS, ...parts.map(({ follows }) => follows)) };
  }
  /** Whether the outcome stays as it is, and how the values follow. */
  answer() {
    const { statements, targets, conditions } = this.plan;
    for (const { slot, tree } of statements.values()) this.values.set(slot, this.follow(tree));
    let stays = true;
    for (const { tree } of targets.slice(0, conditions)) {
      const test = this.truth(tree);
      stays &&= followsOf(test) === STAYS;
      if (truthOf(test)) break;
    }
    return { stays, follows: Math.max(STAYS, ...targets.slice(conditions).map(({ tree }) => followsOf(this.follow(tree)))) };
  }
  /** @param {any} value @returns {Followed} */
  constant(value) {
    if (typeof value === "string") return { options: [], kinked: false, words: [value] };
    return { options: [{ value: plain([value, value]), follows: STAYS }], kinked: false, words: null };
  }
  /** @param {T.Tree} tree @returns {Followed} */
  follow(tree) {
    const [op, first, ...more] = Array.isArray(tree) ? tree : ["number"];
    if (op === "number") return this.constant(tree);
    if (op === "word") return this.constant(first);
    if (op === "tally") return /** @type {Followed} */ (this.values.get(first));
    if (op === "name") return this.constant(this.known[first]);
    if (op === "if") return this.choose(this.truth(first), more.map((part) => this.follow(part)));
    if (op === "and" || op === "or" || op === "not") return this.combine(op, [first, ...more].map((part) => this.truth(part)));
    if (op === "lookup") return this.lookUp(first, this.follow(more[0]), more[1]);
    const parts = [first, ...more].map((part) => this.follow(part));
    if (COMPARED[op]) return this.compare(op, parts[0], parts[1]);
    if (op === "down" || op === "up" || op === "near") return this.divide(op, parts);
    if (op === "max" || op === "min") return this.extreme(op, parts);
    return op === "abs" ? this.extreme("max", [parts[0], this.arithmetic("neg", parts)]) : this.arithmetic(op, parts);
  }
  /** @param {string} op @param {Followed[]} parts */
  arithmetic(op, parts) {
    const options = ways(parts).map((way) => {
      const option = this.option(this.apply(op, way.map(({ value }) => value)), way);
      return op === "*" && option.follows && way.filter(({ follows }) => follows).length > 1 ? { ...option, follows: SOMEHOW } : option;
    });
    return op === "*" && mayTurn(parts) ? this.lump(options) : this.gather(options, parts.some(({ kinked }) => kinked));
  }
  /** These options; if they are too many, a value within their bounds that follows somehow. @param {Option[]} options @param {boolean} kinked @returns {Followed} */
  gather(options, kinked) {
    const distinct = new Map(options.map((one) => [`${one.value.low} ${one.value.high} ${one.follows} ${one.value.terms && [...[...one.value.terms].sort(), one.value.fixed]}`, one]));
    return distinct.size <= MOST_OPTIONS ? { options: [...distinct.values()], kinked, words: null } : this.lump([...distinct.values()]);
  }
  /** One value within the bounds of all, which follows if any of them does. @param {Option[]} options @param {number} follows @returns {Followed} */
  lump(options, follows = STAYS) {
    const most = Math.max(follows, ...options.map((one) => one.follows)), value = plain(hull(options.flatMap((one) => [one.value.low, one.value.high])));
    return { options: [{ value, follows: most ? SOMEHOW : STAYS }], kinked: false, words: null };
  }
  /** @param {Option} left @param {Option} right */
  difference(left, right) {
    return this.option(this.apply("+", [left.value, this.scale(right.value, -1)]), [left, right]);
  }
  /** max or min: an option that never wins falls away. @param {string} op @param {Followed[]} parts */
  extreme(op, parts) {
    let { options } = parts[0], kinked = parts.some((part) => part.kinked);
    for (const part of parts.slice(1)) {
      const lost = new Set(), others = part.options.map((one) => ({ ...one })); // of the same value, too, one stays
      for (const left of options)
        for (const right of others) {
          const gap = this.difference(left, right), [low, high] = op === "max" ? [gap.value.low, gap.value.high] : [-gap.value.high, -gap.value.low];
          if (low >= 0 && part.options.length === 1) lost.add(right);
          else if (high <= 0 && options.length === 1) lost.add(left);
          else if (low < 0 && high > 0 && gap.follows) kinked = true;
        }
      options = [...options, ...others].filter((one) => !lost.has(one));
    }
    return this.gather(options, kinked && options.length > 1);
  }
  /** @param {Followed} test @param {Followed[]} branches @returns {Followed} */
  choose(test, branches) {
    const holds = truthOf(test);
    if (holds !== null) return branches[holds ? 0 : 1];
    if (branches.some(({ words }) => words)) return someWord(branches.flatMap(({ words }) => words ?? []), Math.max(followsOf(test), ...branches.map(followsOf)));
    const options = branches.flatMap((one) => one.options);
    return followsOf(test) ? this.lump(options, SOMEHOW) : this.gather(options, branches.some(({ kinked }) => kinked));
  }
  /** @param {T.Tree} tree @returns {Followed} */
  truth(tree) {
    const op = opOf(tree), found = this.follow(tree);
    return COMPARED[op] || ["and", "or", "not"].includes(op) ? found : this.compare("!=", found, this.constant(0));
  }
  /** @param {boolean | null} holds @param {number} follows @returns {Followed} */
  truthValue(holds, follows) {
    return holds === null ? { options: [{ value: plain([0, 1]), follows }], kinked: false, words: null } : this.constant(+holds);
  }
  /** @param {string} op @param {Followed} left @param {Followed} right */
  compare(op, left, right) {
    if (left.words || right.words) {
      const holds = left.words && right.words ? truth(compareWords(op, left.words, right.words)) : null;
      return this.truthValue(holds, Math.max(followsOf(left), followsOf(right)));
    }
    const truths = new Set();
    let follows = STAYS;
    for (const [one, other] of ways([left, right])) {
      const gap = this.difference(one, other), holds = truth(/** @type {[number, number]} */ (rangeOf(op, [[gap.value.low, gap.value.high], [0, 0]])));
      truths.add(holds);
      if (holds === null) follows = Math.max(follows, gap.follows);
    }
    return this.truthValue(truths.size === 1 ? [...truths][0] : null, follows ? SOMEHOW : STAYS);
  }
  /** @param {string} op @param {Followed[]} tests */
  combine(op, tests) {
    const truths = tests.map(truthOf), holds = truth(/** @type {[number, number]} */ (rangeOf(op, truths.map((one) => (one === null ? [0, 1] : [+one, +one])))));
    return this.truthValue(holds, Math.max(STAYS, ...tests.filter((_, at) => truths[at] === null).map(followsOf)));
  }
  /** A divisor that moves and may become 0 settles nothing, as that would be an error. @param {string} op @param {Followed[]} parts */
  divide(op, parts) {
    const options = ways(parts).map(([over, under]) => {
      if (under.value.low === 1 && under.value.high === 1) return over;
      const value = this.apply(op, [over.value, under.value]);
      const mayFail = under.follows && under.value.low <= 0 && under.value.high >= 0;
      return { value, follows: mayFail || (value.low !== value.high && (over.follows || under.follows)) ? SOMEHOW : STAYS };
    });
    return mayTurn(parts) || parts[1].kinked ? this.lump(options) : this.gather(options, parts.some(({ kinked }) => kinked));
  }
  /** @param {string} table @param {Followed} row @param {string} column */
  lookUp(table, row, column) {
    const cells = lookupSet(this.plan.rule.game.tables[table], row.words ?? rangeOfOptions(row), column), follows = followsOf(row);
    if (typeof cells[0] === "string") return someWord(/** @type {string[]} */ (cells), follows);
    const value = plain(/** @type {[number, number]} */ (cells));
    return { options: [{ value, follows: follows && value.low !== value.high ? SOMEHOW : STAYS }], kinked: false, words: null };
  }
}
/** @param {[number, number]} ends @returns {Interval} */
const plain = ([low, high]) => ({ low, high, terms: low === high ? new Map() : null, fixed: low === high ? low : 0 });
/** All ways to take one option of each. @param {Followed[]} parts @returns {Option[][]} */
const ways = (parts) => parts.reduce((found, { options }) => found.flatMap((way) => options.map((one) => [...way, one])), /** @type {Option[][]} */ ([[]]));
/** Whether a product or quotient may turn the order of options around while the choice of one changes. @param {Followed[]} parts */
const mayTurn = (parts) => parts.some(({ kinked }) => kinked) && parts.filter((part) => followsOf(part) > STAYS).length > 1;
/** @param {Followed} one */
function followsOf({ options, kinked }) {
  const most = Math.max(STAYS, ...options.map(({ follows }) => follows));
  return kinked && most ? SOMEHOW : most;
}
/** @param {Followed} one @returns {[number, number]} */
const rangeOfOptions = ({ options }) => (options.length ? between(Math.min(...options.map(({ value }) => value.low)), Math.max(...options.map(({ value }) => value.high))) : ANY);
/** @param {Followed} one @returns {boolean | null} */
const truthOf = (one) => (one.words ? null : truth(rangeOfOptions(one)));
/** Some word; an option without meaning says how it follows. @param {string[]} words @param {number} follows @returns {Followed} */
function someWord(words, follows) {
  const distinct = [...new Set(words)];
  return { options: [{ value: plain([0, 1]), follows: follows && distinct.length > 1 ? SOMEHOW : STAYS }], kinked: false, words: distinct };
}
