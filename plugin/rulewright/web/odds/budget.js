// The budget of a question: what its answer may still cost, in steps of about a microsecond. All parts of an answer spend
// from it, the same amounts as in Python (odds/plan.py), so that both engines answer the same questions; time plays no part.
import { RollError, say } from "../engine/messages.js";

const MOST_STEPS = 1_500_000; // what an answer may cost
const LONG = 4_000; // bits of a number in Python that make a step cost twice as much
export const MOST_TURNS = 100; // in which dice are rolled again
export const MOST_MISSING = 0.1; // wider bounds are useless
const FOR_LATER = 1 / 3; // of the budget is kept where something comes after

export class BudgetError extends RollError {}
/** Sums without end cannot answer this question; the search through states can. */
export class NotExactError extends Error {}
export const tooMuch = () => new BudgetError(say("wrong states"));

export class Budget {
  left = MOST_STEPS;
  isInUse = false;
  hasRefused = false; // something was too much, even if the answer does without it
  fill() {
    this.left = MOST_STEPS;
    this.hasRefused = false;
  }
  /** Fills the budget, unless this question is part of another one. @template X @param {() => X} answer */
  question(answer) {
    const isPart = this.isInUse;
    if (!isPart) this.fill();
    this.isInUse = true;
    try {
      return answer();
    } finally {
      this.isInUse = isPart;
    }
  }
  /** Keeps a share of what is left for what comes after: bounds, in case an exact answer exceeds the rest. @template X @param {() => X} work */
  keeping(work, share = FOR_LATER) {
    const kept = this.left * share;
    this.left -= kept;
    try {
      return work();
    } finally {
      this.left += kept;
    }
  }
  /** What the budget cannot pay for is not begun. @param {number} steps @param {number} bits  of the whole numbers that Python would multiply */
  spend(steps, bits = 0) {
    const cost = steps * (1 + bits / LONG);
    if (cost > this.left) {
      this.hasRefused = true;
      throw tooMuch();
    }
    this.left -= cost;
  }
}
/** What comes of it; null if that exceeds the budget. @template X @param {() => X} work @returns {X | null} */
export function ifPaid(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
    return null;
  }
}
/** An estimate where the budget allows neither an exact answer nor useful bounds. @template {{unknown: number}} X @param {() => X} exact @param {() => X} estimate @returns {X} */
export function orEstimate(exact, estimate) {
  const found = ifPaid(exact);
  return found && found.unknown <= MOST_MISSING ? found : estimate();
}
/** @type {WeakMap<object, Budget>} */
const budgets = new WeakMap();
/** The budget of a game, which all its rules share; each question fills it again. @param {{register: object}} game */
export const budgetOf = ({ register }) => budgets.get(register) ?? /** @type {Budget} */ (budgets.set(register, new Budget()).get(register));
