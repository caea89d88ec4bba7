// What an answer may cost, in steps: pairs of states that are joined, products of numbers. The same as in Python
// (odds/plan.py), so that both engines answer the same questions; time plays no part.
import { RollError, say } from "../engine/messages.js";

const MOST_STEPS = 2_000_000; // of one part of an answer
const LONG = 10_000; // bits of a number in Python that make a step cost twice as much

export class BudgetError extends RollError {}
/** Sums without end cannot answer this question; the search through states can. */
export class NotExactError extends Error {}
export const tooMuch = () => new BudgetError(say("wrong states"));

export class Budget {
  left = MOST_STEPS;
  /** @param {number} steps @param {number} bits  of the whole numbers that Python would multiply */
  spend(steps, bits = 0) {
    this.left -= steps * (1 + bits / LONG);
    if (this.left < 0) throw tooMuch();
  }
}
