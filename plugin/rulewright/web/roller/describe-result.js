// The result of a roll in words: outcome and summary.
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
/** @import {Result} from "../engine/parts.d.ts" */
import { diceLine, sayOutcome } from "../engine/result-text.js";
import { capital, explanationOf, minus, readerName, stepName } from "./page-data.js";
import { say } from "../engine/messages.js";

/** What came of it, in one sentence. @param {Card} card @param {RollSession} roll */
export function summarize(card, roll) {
  const { contest } = roll.rule, [name, degree] = verdict(card, roll), result = /** @type {Result} */ (roll.bout.result);
  if (contest) return `${name} (${roll.last.map(({ result }) => minus(result?.steps[contest.compare])).join(" : ")})`;
  return [degree ? `${name}, ${say("degree")} ${degree}` : name, minus(diceLine(result))].filter(Boolean).join(" · ");
}
/** The outcome, and its degree where it has one; the results of a rule without outcomes. @param {Card} card @param {RollSession} roll */
export function verdict(card, { rule, winner, bout: { result } }) {
  if (rule.contest) return [winner === "none" ? say("nobody wins") : say("wins", { name: card.sideName(winner) })];
  const { outcome, degree } = /** @type {Result} */ (result), wins = outcome && card.winners[outcome.name.toLowerCase()];
  return outcome ? [wins ? say("wins", { name: wins }) : capital(readerName(outcome)), degree === null || (outcome.says && !rule.dice.length) ? "" : minus(degree)] : [results(/** @type {Result} */ (result)), ""];
}
/** The steps that no other step uses and that say something: without what is not known or does not hold. @param {Result} result */
export function resultSteps({ rule, steps }) {
  const used = new Set([...rule.steps.values()].flatMap(({ names }) => names)), { truths } = explanationOf(rule);
  return Object.entries(steps).filter(([name, value]) => !used.has(name) && stepName(rule, name) && (value || (value === 0 && !truths.includes(name))));
}
/** @param {Result} result */
function results(result) {
  const { truths } = explanationOf(result.rule);
  const text = resultSteps(result).map(([name, value]) => say("setting", { name: stepName(result.rule, name), value: truths.includes(name) ? "" : minus(value) }).trim()).join(", ");
  return text && capital(text);
}
