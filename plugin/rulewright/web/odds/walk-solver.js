// Picks the engine for each question, as odds/walk_solver.py: the solver of pools where it knows all that is asked, else the walk.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Aims, BoundRule, Formula, Rule} from "../engine/parts.d.ts" */
import { cachedIn, say, sum } from "../engine/messages.js";
import { BudgetError, NotExactError, budgetOf, ifPaid } from "./budget.js";
import { isTruth, walkTree } from "./fold.js";
import { opOf } from "./plan.js";
import { isOpen, meanOf } from "./open-values.js";
import { asksSymbols, isOneWave, keptSet, kindsOf, lateNames, tallyNames } from "./rule-facts.js";
import { Solver } from "./solve.js";
import { goesOn } from "./unroll.js";
import { answered, openChoices, withoutLast } from "./walk-choices.js";
import { CLOSED, Walk } from "./walk.js";

const MOST_FRAMES = 200; // questions about a rule
const WAYS_LEFT_OPEN = [[8, 3 / 4], [-CLOSED, 2 / 3], [CLOSED, 1 / 2]], LAST_WAY = -8; // how much is left open, and what later ways may cost
const NOISE = 1e-13; // what doubles leave of 0

/** @param {BoundRule} bound @param {Aims} aims */
export const makeSolver = (bound, aims) =>
  isPlain(bound.rule) && bound.rule.tallies.every((_, number) => knowsTally(bound.rule, number)) ? new Solver(bound, aims) : new WalkSolver(bound, aims);
/** Whether the dice of a rule are such as the solver knows, whatever is asked of them. @param {Rule} rule */
const isPlain = (rule) => isOneWave(rule) && !rule.inputs.some((entry) => entry.is_choice) && !rule.rerolls.some((entry) => entry.goal || entry.roll !== "reroll" || entry.pick === "some" || entry.keep === "better" || entry.read || asksSymbols(rule, entry)) && !rule.dice.some(({ deck }) => deck.length);
/** Whether the solver knows a function over dice: a sum or the like over a kind, or over those it keeps. @param {Rule} rule @param {number} number */
function knowsTally(rule, number) {
  const { set, word, function: way, test, perThrow } = rule.tallies[number];
  if (word || set === null || way === "groups" || (test !== null && way !== "count")) return false;
  if (test !== null && !isTruth(test) && !(opOf(test) === "name" && kindsOf(rule, set).some((kind) => test[1] in rule.dice[kind].tests))) return false; // how often a symbol is there
  const late = lateNames(rule), isKind = rule.sets[set].op === "kind";
  if (perThrow && !isKind && kindsOf(rule, set).some((kind) => goesOn(rule, kind))) return false; // which of two dice that went on far is kept decides what its throws show
  return (isKind || keptSet(rule, kindsOf(rule, set)[0]) === set) && ![...tallyNames(rule, number)].some((name) => late.includes(name));
}

export class WalkSolver {
  /** `worth`: of results, if that is not the aim alone. @param {BoundRule} bound @param {Aims} aims @param {import("./walk-choices.js").Worth} [worth] */
  constructor(bound, aims, worth) {
    this.worth = worth;
    this.bound = answered(bound, aims);
    this.aims = aims;
    this.chooses = openChoices(this.bound).length > 0 || bound.rule.rerolls.some(({ chooses, goal }) => chooses && !goal);
    this.eager = aims.taking.what !== "never";
    this.budget = budgetOf(bound.rule.game);
    /** @type {Solver | null} */
    this.known = null;
  }
  get solver() {
    return (this.known ??= new Solver(this.bound, this.aims));
  }
  /** Whether the solver knows everything that a question needs. @param {Formula[]} formulas */
  isKnown(formulas) {
    const { rule } = this.bound;
    if (this.worth || !isPlain(rule)) return false;
    const names = [...rule.needed(formulas)].filter((name) => rule.steps.has(name) || rule.asked.has(name));
    const parts = [...formulas, ...names.map((name) => rule.formula(name))].flatMap(({ tree }) => [...walkTree(tree)]);
    return parts.every((part) => !["dice", "faces"].includes(opOf(part)) && (opOf(part) !== "tally" || knowsTally(rule, /** @type {any} */ (part)[1])));
  }
  /** The weights of a question, by outcome and values. @param {Formula[]} conditions @param {Formula[]} values */
  solve(conditions, values, forMean = false) {
    if (this.isKnown([...conditions, ...values])) return this.solver.solve(conditions, values, forMean);
    const { found, leavesOut } = this.walkOpen(conditions, values, values.length > 0 && !forMean), weights = [], means = [];
    let unknown = 0, isListed = true;
    for (const { key, weight } of found.values()) {
      if (!key.some(isOpen)) weights.push({ key, weight });
      else if (forMean) means.push({ key: key.map(meanOf), weight });
      else [unknown, isListed] = [unknown + weight, false];
    }
    if (leavesOut) unknown += Math.max(1 - unknown - sum(weights.map(({ weight }) => weight)), 0);
    if (unknown < NOISE) unknown = 0;
    return { weights: [...weights, ...means], unknown, isExact: !leavesOut && isListed && means.every(({ key }) => !key.includes(null)), isWhole: !leavesOut && isListed };
  }
  /** Where the walk leads to, with open numbers if these do not decide what is asked, and if they do not cost too much. @param {Formula[]} conditions @param {Formula[]} values */
  walkOpen(conditions, values, isListing = false) {
    const { rule } = this.bound;
    return this.budget.question(() => {
      if (!rule.dice.some((_, kind) => goesOn(rule, kind))) return this.follow(conditions, values);
      for (const [way, kept] of WAYS_LEFT_OPEN.slice(+isListing)) {
        const found = ifPaid(() => this.budget.keeping(() => this.follow(conditions, values, way), kept));
        if (found) return found;
      }
      return this.follow(conditions, values, LAST_WAY);
    });
  }
  /** Where the walk leads to. @param {Formula[]} conditions @param {Formula[]} values */
  walked(conditions, values) {
    return this.follow(conditions, values).found;
  }
  /** @param {Formula[]} conditions @param {Formula[]} values */
  follow(conditions, values, leftOpen = CLOSED) {
    return this.budget.question(() => refusing(() => {
      const walk = this.walk(conditions, values, leftOpen), found = walk.follow(walk.frame, walk.known);
      return { found: withoutLast(found, walk.goals.length + +this.chooses), leavesOut: walk.leavesOut };
    }));
  }
  /** @param {Formula[]} conditions @param {Formula[]} values */
  walk(conditions, values, leftOpen = CLOSED) {
    const { rule } = this.bound, frames = cachedIn(rule.memory, "frames", () => new Map());
    if (frames.size > MOST_FRAMES) frames.clear();
    return new Walk(this.bound, conditions, this.chooses ? [...values, /** @type {Formula} */ (this.aims.goal.formula)] : values, this.budget, frames, this.eager, this.worth, leftOpen);
  }
  /** What a question needs is known, or a complaint says so. @param {Formula[]} conditions @param {Formula[]} values @returns {any} */
  plan(conditions, values) {
    return this.isKnown([...conditions, ...values]) ? this.solver.plan(conditions, values) : refusing(() => this.walk(conditions, values));
  }
  /** Nothing that goes on without end; as in Python, even where the solver knows all that is asked. @returns {any} */
  groupsOf() {
    return [[], null];
  }
}
/** @template X @param {() => X} work @returns {X} */
function refusing(work) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof NotExactError)) throw error;
    throw new BudgetError(say("wrong walk"));
  }
}
