// A die that explodes and is rerolled as a whole while a test of its value holds, for some rounds. What an attempt that
// does not count has added must be forgotten. So whether it counts is decided before its first face: an attempt that
// counts has the faces of all attempts that do, with their chances among these.
/** @import {BoundRule, Branch, Place} from "../engine/parts.d.ts" */
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Automaton} from "./automaton.js" */
import { number, single, truth, valueSet } from "../engine/intervals.js";
import { cachedIn, sum } from "../engine/messages.js";
import { inliner } from "./automaton.js";
import { NotExactError } from "./budget.js";
import { ruleSets } from "./plan.js";

const FAR = 2 ** 40, MOST_VALUES = 1000;

/** The least number from which on all tests have the same answer. @param {BoundRule} bound @param {number} kind @param {T.Tree[]} tests @param {string} name */
export function constantFrom(bound, kind, tests, name) {
  const v = { ...ruleSets(bound.rule).v };
  for (const one in bound.known) v[one] = single(bound.known[one]);
  v.sides = single(bound.kinds[kind].faces.length);
  const isConstant = (/** @type {number} */ from) => tests.every((test) => truth(number(valueSet(test, { ...v, [name]: [from, Infinity] }, [], bound.rule.game))) !== null);
  if (!isConstant(FAR)) return null;
  let low = -FAR, high = FAR;
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (isConstant(middle)) high = middle;
    else low = middle;
  }
  return high;
}

export class RerolledDie {
  /** @param {Automaton} machine @param {number} kind */
  constructor(machine, kind) {
    this.machine = machine;
    this.kind = kind;
    this.rounds = machine.rounds(kind);
    const { bound } = machine;
    if (this.rounds.some(({ keep }) => keep !== "new") || bound.kinds[kind].faces.some((face) => bound.rule.wordsOn(kind, face).face < 1)) throw new NotExactError();
    const inline = inliner(bound.rule.dice[kind].tests, { value: ["name", "face"] });
    const constant = constantFrom(bound, kind, this.rounds.map(({ when }) => inline(when.tree)), "face");
    if (constant === null || constant > MOST_VALUES) throw new NotExactError();
    this.constant = Math.max(constant, 1); // the value from which on the test has one answer
    this.known = new Map();
    this.open = new Set(); // places whose chance is being found
  }
  /** The faces of an attempt that counts, with their chances; at its beginning, a new attempt instead.
   * @param {Place} place @returns {[number, Branch | null, [Place, number][]][]} */
  branches(place) {
    const rows = this.counting(place), counts = sum(rows.map(([share]) => share));
    if (place.turn) return rows.map(([share, branch, children]) => [share / counts, branch, children]);
    const again = place.attempt ? place.attempt[1] + 1 : 1, { machine, kind } = this;
    return [...rows, [Math.abs(1 - counts) < 1e-15 ? 0 : 1 - counts, null, [[again < this.rounds.length ? machine.place(kind, 0, 0, [0, again]) : machine.place(kind), 1]]]];
  }
  /** The faces, each with the chance that it falls and the attempt counts in the end. @param {Place} place @returns {[number, Branch, [Place, number][]][]} */
  counting({ kind, last, turn, attempt }) {
    const [value, round] = attempt ?? [0, 0], { machine } = this, plain = machine.place(kind, last, Math.max(turn, 1));
    const counts = (/** @type {number} */ total) => +!machine.bound.meets(this.rounds[round], kind, total);
    return machine.branches(plain).flatMap((branch) => {
      const children = [...machine.children(branch)], total = value + branch.landing.value;
      let chance;
      if (!branch.next) chance = counts(total);
      else if (total < this.constant) {
        const next = machine.place(kind, branch.next.last, branch.next.turn, [total, round]);
        children[0] = [next, 1];
        chance = cachedIn(this.known, next, () => {
          if (this.open.has(next)) throw new NotExactError(); // it can come back without a change of its value
          this.open.add(next);
          return sum(this.counting(next).map(([share]) => share));
        });
      } else chance = counts(this.constant); // every value from here on has the same answer
      return chance ? [/** @type {[number, Branch, [Place, number][]]} */ ([chance * branch.share, branch, children])] : [];
    });
  }
}
