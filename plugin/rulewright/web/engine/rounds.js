// Rules that are rolled again and again: whether a further round follows, and with which inputs.
/** @import * as T from "./engine.d.ts" */
/** @import {FaceSource, Rule, Values} from "./parts.d.ts" */
import { BoundRule, grouped } from "./bound-rule.js";
import { bind, shown } from "./inputs.js";
import { same } from "./formula.js";
import { RollError, say } from "./messages.js";
import { Result } from "./result.js";
import { DiceRoller } from "./roll.js";

const MOST_PLAYED = 1_000; // rounds of one roll

/** How many rounds there are at most. @param {BoundRule} bound */
export function mostRounds(bound) {
  const { rounds, hasRounds } = bound.rule, most = !hasRounds ? 1 : rounds.most ? bound.of(rounds.most) : Infinity;
  if (most < 1) throw new RollError(say("wrong rounds", { number: most }));
  return most;
}
/** Whether a rule is over after this round; null where that is not known. @param {Result} result */
export function isLastRound({ bound, known, tallies }) {
  const { rounds } = bound.rule;
  if (bound.round >= mostRounds(bound)) return true;
  return rounds.until.names.every((/** @type {string} */ name) => name in known) ? !!rounds.until.run(known, tallies) : null;
}
/** What the carried inputs are afterwards, as far as it is known. @param {Result} result @returns {Values} */
export function carriedValues({ rule, known, tallies }) {
  const able = Object.entries(rule.rounds?.carry ?? {}).filter(([, { names }]) => names.every((/** @type {string} */ name) => name in known));
  return Object.fromEntries(able.map(([name, formula]) => [name, plainValue(formula.run(known, tallies))]));
}
const plainValue = (/** @type {any} */ value) => (typeof value === "boolean" ? +value : value);
/** A value that a formula yields, as an author would write it, even if the input cannot have it.
 * @param {T.Input} entry @param {any} value */
export const valueText = (entry, value) => (entry.form === "flag" && value !== 0 && value !== 1 ? String(value) : shown(entry, value));
/** Choices that are written round by round, as in "stop: no; no; yes"; the other inputs; and what is wrong.
 * @param {Rule} rule @param {T.Inputs} inputs */
export function splitAnswers(rule, inputs) {
  /** @type {Record<string, any[]>} */
  const answers = {};
  const rest = { ...inputs }, complaints = [];
  for (const entry of rule.hasRounds ? rule.inputs.filter((one) => one.is_choice) : []) {
    const key = Object.keys(inputs).find((name) => same(name, entry.name)), text = key === undefined ? "" : String(inputs[key]);
    if (!text.includes(";") || key === undefined) continue;
    delete rest[key];
    const parts = text.split(";").map((part) => (part.trim() ? bind(rule, { [entry.name]: part }) : [{}, []]));
    answers[entry.name] = parts.map(([values]) => /** @type {any} */ (values)[entry.name] ?? null);
    complaints.push(...parts.flatMap(([, wrong]) => /** @type {T.Complaint[]} */ (wrong)).map((one) => ({ ...one, message: one.message.replace(/[; ]+$/, "") })));
  }
  return { answers, rest, complaints };
}
/** The round with this number and these carried values. @param {BoundRule} bound @param {Values} carried @param {number} number
 * @param {Values} given */
export function bindRound(bound, carried, number, given = bound.values) {
  const { rule } = bound, entries = rule.inputs.filter(({ name }) => name in carried);
  const [, complaints] = bind(rule, Object.fromEntries(entries.map((entry) => [entry.name, valueText(entry, carried[entry.name])])));
  if (complaints.length) throw new RollError(say("wrong round", { message: complaints[0].message.replace(/[; ]+$/, "") }));
  return new BoundRule(rule, { ...given, ...carried }, number);
}
/** A roll; of a rule with rounds, all of them, as far as there are faces. The last one is the result.
 * @param {BoundRule} start @param {FaceSource} faces @param {(bound: BoundRule) => DiceRoller} begin @returns {Result} */
export function playRounds(start, faces, begin = (bound) => new DiceRoller(bound, faces)) {
  const given = start.values; // choices are made again each round
  let result = new Result(begin(start).run());
  while (result.rule.hasRounds) {
    result.isOver = isLastRound(result);
    const { round } = result.bound;
    if (result.isOver !== false || faces.goesOn?.(round + 1) === false) break;
    if (round === MOST_PLAYED) throw new RollError(say("wrong rounds many", { most: grouped(MOST_PLAYED) }));
    const rounds = result.rounds;
    result = new Result(begin(bindRound(result.bound, carriedValues(result), round + 1, given)).run());
    result.before = rounds;
  }
  return result;
}
