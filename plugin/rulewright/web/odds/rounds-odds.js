// Odds of rules that are rolled again and again: an absorbing chain over the carried values. Each state is answered by the
// solver of one round. Where the number of the round matters, rounds follow one another; else the mean number of visits of
// every state solves a system of equations.
/** @import {Aims, BoundRule, Formula, Values} from "../engine/parts.d.ts" */
/** @import {Worth} from "./walk-choices.js" */
import { openChoices } from "./walk-choices.js";
import { number, truth, valueSet } from "../engine/intervals.js";
import { RollError, add, cachedIn, say, sum } from "../engine/messages.js";
import { bindRound, mostRounds } from "../engine/rounds.js";
import { formatInputs } from "../engine/rule.js";
import { BudgetError, tooMuch, budgetOf } from "./budget.js";
import { ruleSets } from "./plan.js";
import { stateGroups } from "./components.js";
import { eliminateLines } from "./lines.js";
import { RoundsPlan } from "./rounds-plan.js";
import { WalkSolver, makeSolver } from "./walk-solver.js";

const LEAST_LEFT = 1e-20; // what is not followed any further
const MOST_ROUND_STATES = 20_000;
const ROUND_STATE_COST = 50; // of a state, in steps of the budget
const WIDE_ROUNDS = 0.1; // bounds so far apart say nothing
/** @typedef {{moves: Map<string, number>, ends: Map<string, number>, unknown: number, isExact: boolean}} Row  what one round leads to */
/** @typedef {import("./solve.js").Answer} Answer */

export const ROUND = /** @type {any} */ ({ tree: ["name", "round"], text: "round", names: ["round"] });
const isRound = (/** @type {Formula | undefined} */ formula) => String(formula?.tree) === "name,round";
const derivedFormula = (/** @type {Formula} */ formula, /** @type {any} */ tree) => /** @type {any} */ ({ tree, text: formula.text, names: formula.names });

/** Answers questions about the last round of a rule, as Solver does about one round. */
export class RoundsSolver {
  /** @param {BoundRule} bound @param {Aims} aims */
  constructor(bound, aims) {
    this.chooses = bound.rule.rerolls.some(({ chooses, goal }) => chooses && !goal) || (aims.answer === null && openChoices(bound).length > 0);
    this.bound = bound;
    this.rule = bound.rule;
    this.aims = aims;
    /** @type {RoundsPlan | null} */
    this.planned = null;
    this.eager = aims.taking.what !== "never";
    /** @type {Map<string, ReturnType<typeof makeSolver>>} */
    this.solvers = new Map();
    this.carried = Object.keys(this.rule.rounds.carry);
    const { rule } = this, steps = rule.roundFormulas, dice = bound.kinds.flatMap((pool) => [...pool.names, ...pool.kind.count.names, ...(pool.kind.sides?.names ?? [])]);
    this.needed = new Set([...rule.needed(steps), ...rule.needed([/** @type {any} */ ({ names: dice })])].filter((name) => !rule.asked.has(name)));
    bound.demand([...this.needed].filter((name) => !rule.steps.has(name)));
    bound.demand(this.carried);
    this.budget = budgetOf(bound.rule.game);
    this.start = JSON.stringify(this.carried.map((name) => bound.known[name]));
  }
  /** The same as of a Solver. @param {Formula[]} conditions @param {Formula[]} values @returns {Answer} */
  solve(conditions, values, forMean = false) {
    return this.budget.question(() => {
      /** @type {Map<string, Row>} */
      const rows = new Map(), row = (/** @type {string} */ state, /** @type {number} */ at) => cachedIn(rows, `${at} ${state}`, () => {
        this.budget.spend(ROUND_STATE_COST);
        if (rows.size > MOST_ROUND_STATES) throw tooMuch();
        return this.makeRow(conditions, values, state, at);
      });
      if (forMean && isRound(values[0]) && !this.needsNumber([])) {
        const { visits, ...rest } = this.visit((state) => row(state, 1));
        return { ...rest, weights: [{ key: [0, sum([...visits.values()])], weight: 1 }] };
      }
      return this.needsNumber([...conditions, ...values]) ? this.follow(row, conditions, values, forMean) : this.visit((state) => row(state, 1));
    });
  }
  /** Whether the number of the round makes a difference. @param {Formula[]} formulas */
  needsNumber(formulas) {
    return this.needed.has("round") || !!this.rule.rounds.most || this.rule.needed(formulas).has("round");
  }
  /** @param {Formula[]} conditions @param {Formula[]} values @param {string} state @param {number} at @returns {Row} */
  makeRow(conditions, values, state, at) {
    const solver = this.solver(state, at), size = this.carried.length, row = /** @type {Row} */ ({ moves: new Map(), ends: new Map(), unknown: 0, isExact: true });
    const isLast = at >= mostRounds(solver.bound), answer = isLast ? solver.solve(conditions, values) : solver.solve(...this.question(conditions, values));
    for (const { key: [outcome, ...rest], weight } of answer.weights) {
      if (isLast) add(row.ends, JSON.stringify([outcome, ...rest]), weight);
      else if (rest[0]) add(row.ends, JSON.stringify([outcome, ...rest.slice(1 + size)]), weight);
      else add(row.moves, JSON.stringify(rest.slice(1, 1 + size).map((value) => (typeof value === "boolean" ? +value : value))), weight);
    }
    row.unknown = answer.unknown;
    row.isExact = answer.isExact;
    return row;
  }
  /** A question as one round can answer it: first whether the rule is over, then the carried values.
   * @param {Formula[]} conditions @param {Formula[]} values @returns {[Formula[], Formula[]]} */
  question(conditions, values) {
    const { rule } = this, { until, carry } = rule.rounds, { v, t } = ruleSets(rule), isWord = (/** @type {Formula} */ { tree }) => typeof valueSet(tree, v, t, rule.game)[0] === "string";
    const over = derivedFormula(until, ["!=", until.tree, 0]), carried = this.carried.map((name) => {
      const entry = /** @type {any} */ (rule.inputs.find((one) => one.name === name));
      return derivedFormula(carry[name], ["if", until.tree, entry.form === "choice" ? ["word", entry.choices[0]] : 0, carry[name].tree]);
    });
    return [conditions.map((own) => derivedFormula(own, ["and", until.tree, own.tree])),
      [over, ...carried, ...values.map((own) => (isWord(own) ? own : derivedFormula(own, ["if", until.tree, own.tree, 0])))]];
  }
  /** @param {string} state @param {number} at */
  solver(state, at) {
    return cachedIn(this.solvers, `${at} ${state}`, () => {
      const bound = this.bind(state, at);
      return this.chooses && at < mostRounds(bound) ? new WalkSolver(bound, this.aimsBefore, this.plan.worth(this.plan.place(state, at))) : makeSolver(bound, this.aims);
    });
  }
  /** @param {string} state @param {number} at */
  bind(state, at) {
    return at === 1 && !this.carried.length ? this.bound : bindRound(this.bound, this.valuesOf(state), at);
  }
  /** What choices are made for. @returns {Formula} */
  get goal() {
    return /** @type {Formula} */ (this.aims.goal.formula);
  }
  /** The aims in a round that may not be the last. @returns {Aims} */
  get aimsBefore() {
    return { ...this.aims, goal: { ...this.aims.goal, formula: this.question([], [this.goal])[1].at(-1) ?? null } };
  }
  /** What is asked of the round that is being rolled, and what its results are worth. @returns {[Formula[], Formula[], Worth | undefined]} */
  askNow() {
    const { round } = this.bound;
    if (round >= mostRounds(this.bound)) return [[], [this.goal], undefined];
    return [...this.question([], [this.goal]), this.plan.worth(this.plan.place(this.start, round))];
  }
  /** What each state is worth that some choices lead to. */
  get plan() {
    return (this.planned ??= this.makePlan());
  }
  makePlan() {
    const { goal, aimsBefore } = this, open = this.question([], [goal]), counts = this.needsNumber([goal]);
    if (counts && !this.rule.rounds.most) throw new BudgetError(say("wrong round choices"));
    const isLast = (/** @type {string} */ state, /** @type {number} */ at) => at >= mostRounds(this.bind(state, at));
    const play = (/** @type {string} */ state, /** @type {number} */ at, /** @type {Worth | undefined} */ worth) => {
      this.budget.spend(ROUND_STATE_COST);
      const bound = this.bind(state, at);
      return isLast(state, at) ? new WalkSolver(bound, this.aims).walked([], [goal]) : new WalkSolver(bound, aimsBefore, worth).walked(...open);
    };
    const start = { start: this.start, startNumber: this.bound.round, size: this.carried.length };
    return new RoundsPlan({ ...start, counts, play, isLast, describe: (state) => this.describe(state) }, this.budget);
  }
  /** @param {string} state */
  describe(state) {
    const values = this.valuesOf(state), inputs = formatInputs(this.rule, values, (name) => name in values);
    return inputs && say("state from", { inputs });
  }
  /** @param {string} state @returns {Values} */
  valuesOf(state) {
    const values = JSON.parse(state);
    return Object.fromEntries(this.carried.map((name, at) => [name, values[at]]));
  }
  /** Round after round, until hardly anything is left. @param {(state: string, at: number) => Row} rowOf @param {Formula[]} conditions
   * @param {Formula[]} values @param {boolean} forMean @returns {Answer} */
  follow(rowOf, conditions, values, forMean) {
    let masses = new Map([[this.start, 1]]), at = this.bound.round, unknown = 0, isExact = true, left = 1;
    /** @type {Map<string, number>} */
    const ends = new Map();
    for (; left > LEAST_LEFT; at++) {
      /** @type {Map<string, number>} */
      const after = new Map();
      let rows;
      try {
        rows = [...masses].map(([state, mass]) => /** @type {[Row, number]} */ ([rowOf(state, at), mass]));
        for (const [row] of rows) this.budget.spend(row.ends.size + row.moves.size);
      } catch (error) {
        if (!(error instanceof BudgetError) || left > WIDE_ROUNDS) throw error;
        break;
      }
      for (const [row, mass] of rows) {
        for (const [key, share] of row.ends) add(ends, key, share * mass);
        for (const [state, share] of row.moves) add(after, state, share * mass);
        unknown += row.unknown * mass;
        isExact &&= row.isExact;
      }
      masses = after;
      left = sum([...masses.values()]);
    }
    const place = left && !values.length ? this.settled(conditions, at) : null;
    if (place !== null) add(ends, JSON.stringify([place]), left);
    else unknown += left;
    isExact &&= !left || place !== null;
    return forMean && !isExact ? { weights: [], unknown: 1, isExact, isWhole: false } : this.answer(ends, unknown, isExact);
  }
  /** Which condition holds in all later rounds; null where that is not known. @param {Formula[]} conditions @param {number} from */
  settled(conditions, from) {
    const { rule } = this, { v, t } = ruleSets(rule), sets = { ...v, round: /** @type {[number, number]} */ ([from, 2 ** 31]) };
    for (const [place, { tree }] of conditions.entries()) {
      const holds = truth(number(valueSet(tree, sets, t, rule.game)));
      if (holds !== false) return holds ? place : null;
    }
    return conditions.length;
  }
  /** @param {Map<string, number>} ends @param {number} unknown @param {boolean} isExact @returns {Answer} */
  answer(ends, unknown, isExact) {
    const rest = unknown > 1e-13 ? unknown : 0;
    return { weights: [...ends].map(([key, weight]) => ({ key: JSON.parse(key), weight })), unknown: rest, isExact: isExact && !rest, isWhole: false };
  }
  /** How often each state is visited on average, and what that leads to. @param {(state: string) => Row} rowOf */
  visit(rowOf) {
    /** @type {Map<string, Row>} */
    const rows = new Map(), /** @type {Map<string, number>} */ ends = new Map();
    for (const waiting = [this.start]; waiting.length; ) {
      const state = /** @type {string} */ (waiting.pop());
      if (!rows.has(state)) {
        rows.set(state, rowOf(state));
        waiting.push(.../** @type {Row} */ (rows.get(state)).moves.keys());
      }
    }
    const of = (/** @type {string} */ state) => /** @type {Row} */ (rows.get(state)), visits = new Map([...rows.keys()].map((state) => [state, +(state === this.start)]));
    for (const group of stateGroups(rows)) {
      if (group.length > 1 || of(group[0]).moves.has(group[0])) this.solveGroup(rows, visits, group);
      for (const state of group)
        for (const [other, share] of of(state).moves) if (!group.includes(other)) add(visits, other, share * /** @type {number} */ (visits.get(state)));
    }
    let unknown = 0;
    for (const [state, times] of visits) {
      const row = of(state);
      this.budget.spend(row.ends.size + row.moves.size);
      for (const [key, share] of row.ends) add(ends, key, share * times);
      unknown += row.unknown * times;
    }
    return { visits, ...this.answer(ends, unknown, [...rows.values()].every(({ isExact }) => isExact)) };
  }
  /** The visits of states that lead to one another, from those that come from outside.
   * @param {Map<string, Row>} rows @param {Map<string, number>} visits @param {string[]} group */
  solveGroup(rows, visits, group) {
    this.budget.spend(group.length ** 3);
    const moves = group.map((state) => /** @type {Row} */ (rows.get(state)));
    if (moves.every(({ ends, unknown, moves: own }) => !ends.size && !unknown && [...own.keys()].every((other) => group.includes(other)))) {
      throw new RollError(say("wrong never ends", { state: this.describe(group[0]) }));
    }
    const lines = group.map((state, at) => [...group.map((_, from) => +(from === at) - (moves[from].moves.get(state) ?? 0)), visits.get(state) ?? 0]);
    eliminateLines(lines);
    group.forEach((state, at) => visits.set(state, lines[at][group.length] / lines[at][at]));
  }
}
