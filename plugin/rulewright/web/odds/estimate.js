// Estimates odds from rolls with a fixed seed, where neither an exact answer nor useful bounds fit the budget: the same rolls,
// stopped at the same one, as in Python (odds/estimate.py). Where a player would have to choose, there is none.
/** @import {BoundRule, Sample} from "../engine/parts.d.ts" */
import { below, generator } from "../engine/random.js";
import { playRounds } from "../engine/rounds.js";
import { say, sum } from "../engine/messages.js";
import { BudgetError } from "./budget.js";

const MOST_ROLLS = 2_500;
const FEWEST_ROLLS = 100;
export const STEPS_OF_ESTIMATE = 600_000; // beside the budget of an exact answer
const STEPS_OF_ROLL = 20;
const STEPS_OF_THROW = 3; // a step of the rule costs as much as a throw

/** @param {BoundRule} bound @param {boolean} isEager @param {number} seed @param {number} left @returns {Sample} */
export function rollSample(bound, isEager, seed = 1, left = STEPS_OF_ESTIMATE) {
  const next = generator(seed), take = (/** @type {import("../engine/parts.d.ts").DicePool} */ { kind }) => kind.taken ?? isEager, results = [];
  const choose = () => {
    throw new BudgetError(say("wrong plan"));
  };
  const faces = { face: (/** @type {import("../engine/parts.d.ts").DicePool} */ pool) => pool.faces[below(next, pool.faces.length)], onward: take, offered: take, choose, prefers: choose, answer: choose, turnDie: (/** @type {any[]} */ ...[, , , , face]) => face ?? choose() };
  while (results.length < MOST_ROLLS) {
    const { steps, outcome, degree, rounds } = playRounds(bound, faces);
    left -= STEPS_OF_ROLL + STEPS_OF_THROW * (sum(rounds.map(({ play }) => play.throws)) + bound.rule.steps.size);
    if (left < 0) break;
    results.push({ steps, outcome: outcome?.name ?? null, degree });
  }
  return enough(results);
}
/** @template X @param {X[]} rolls */
function enough(rolls) {
  if (rolls.length < FEWEST_ROLLS) throw new BudgetError(say("wrong sample"));
  return rolls;
}
/** How often each of these came up. @param {string[]} names @param {(string | null)[]} found */
export const shares = (names, found) => Object.fromEntries(names.map((name) => [name, found.filter((one) => one === name).length / found.length]));
/** Who wins a contest, from the rolls of both sides in pairs. @param {Sample[]} sides @param {string} step @param {string} ties */
export function estimateContest([first, second], step, ties) {
  const pairs = first.slice(0, second.length).map(({ steps }, at) => [steps[step], second[at].steps[step]]);
  const winners = pairs.map(([a, b]) => (a > b ? "first" : a < b ? "second" : ties)), decided = enough(winners.filter((one) => one !== "again"));
  return { chances: shares(["first", "second", ...(ties === "none" ? [ties] : [])], decided), rolls: decided.length };
}
