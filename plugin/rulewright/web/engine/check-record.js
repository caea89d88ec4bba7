// Checks a recorded roll against its rule.
/** @import * as T from "./engine.d.ts" */
/** @import {Checked, Judge, Result, Rule} from "./parts.d.ts" */
import { playRounds, splitAnswers } from "./rounds.js";
import { RerollRecord, parseRerolls } from "./reroll-record.js";
import { bindRule } from "./bound-rule.js";
import { spend } from "./spends.js";
import { attempt, complaint, say } from "./messages.js";
import { Record } from "./record.js";

/** @param {Rule} rule @param {T.Inputs} given @param {string[] | null} traits @returns {Checked} */
export function check(rule, given, dice = "", declined = 0, rerolled = "", spends = "", traits = null, /** @type {Judge | undefined} */ judge = undefined, turned = "") {
  const spent = spends ? spend(rule, given, spends, traits) : null, inputs = spent?.inputs ?? given;
  if (spent?.complaints.length) return { result: null, complaints: spent.complaints };
  const [found, stopped] = attempt(() => {
    const { answers, rest, complaints: wrong } = splitAnswers(rule, inputs), [bound, complaints] = bindRule(rule, rest);
    if (!bound || wrong.length) return { result: null, complaints: [...wrong, ...complaints] };
    const entries = () => [...parseRerolls(rerolled, rule, "rerolled"), ...parseRerolls(turned, rule, "turned")];
    const record = rerolled || turned || rule.rerolls.length ? new RerollRecord(dice, entries(), rule, judge) : new Record(dice, rule);
    record.answers = answers;
    const result = playRounds(bound, record);
    record.close();
    const laid = spent?.lay(result) ?? { result, complaints: [] };
    return { result: laid.result, complaints: [...checkDeclined(result.declined, declined), ...checkUnasked(result, rest), ...laid.complaints] };
  });
  return found ?? { result: null, complaints: stopped };
}
/** @param {number} offered @param {number} declined @returns {T.Complaint[]} */
function checkDeclined(offered, declined) {
  if (offered === declined) return [];
  const fact = say(["record no offer", "record one offer"][offered] ?? "record some offers", { number: offered });
  const message = say(!declined ? "wrong declined face" : offered ? "wrong declined" : "wrong declined any", { declined, fact, number: offered });
  return [complaint("declined", message)];
}
/** @param {Result} result @param {T.Inputs} inputs @returns {T.Complaint[]} */
function checkUnasked(result, inputs) {
  const given = Object.keys(inputs).map((name) => name.toLowerCase());
  return result.unasked.filter((name) => given.includes(name) && result.before.every(({ unasked }) => unasked.includes(name)))
    .map((name) => complaint(name, say("wrong asked", { name, test: result.rule.formula(name).text })));
}
