// The inputs of a roll as a book would have them; replays the roll of a link.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {Result, Rule} from "../engine/parts.d.ts" */
import { alarm, renew } from "./dom.js";
import { ask } from "../engine/ask-dice.js";
import { shown } from "../engine/inputs.js";
import { MOST_TIES, RollSession, missingBySide, missingMessages } from "./roll-session.js";
import { inputPrefix, sidesOf } from "./page-data.js";
import { check } from "../engine/check-record.js";
import { say } from "../engine/messages.js";

const RECORD = ["dice", "rerolled", "turned", "declined", "spends"];

/** A choice, round by round. @param {Result} result @param {T.Input} entry */
const answersOf = ({ rounds }, entry) =>
  rounds.map(({ inputs, unasked }) => (unasked.includes(entry.name) ? "" : shown(entry, inputs[entry.name]))).join("; ").replace(/[; ]+$/, "");
/** The inputs of a finished roll as a book would have them: those of the first round; what points have changed as it was before.
 * @param {Result} result @param {T.Inputs} given @param {string[]} spent @returns {[string, string][]} */
export function inputsOf(result, given = {}, spent = []) {
  const { rule } = result, points = rule.spends.filter(({ name }) => spent.some((one) => `${one} `.startsWith(`${name} `)));
  const changed = points.flatMap(({ changes }) => Object.keys(changes));
  const { rounds } = result, [{ inputs }] = rounds, own = rule.inputs.filter(({ name }) => (changed.includes(name) ? name in given : rounds.some((one) => name in one.inputs && !one.unasked.includes(name))));
  const aims = Object.entries(inputs).filter(([name]) => !rule.inputs.some((entry) => entry.name === name));
  return [...own.map((entry) => /** @type {[string, string]} */ ([entry.name, changed.includes(entry.name) ? String(given[entry.name]) : entry.is_choice ? answersOf(result, entry) : shown(entry, inputs[entry.name])])), ...aims];
}
/** What a roll cannot have had. @param {Rule} rule @param {URLSearchParams} link */
const linkProblems = (rule, link) => [
  ...(link.get("spends") && !rule.spends.length && !rule.contest ? [say("wrong spend", { rule: rule.name, text: link.get("spends") }).replace(/; $/, "")] : []),
  ...(sidesOf(rule).some((side, at) => !side.rerolls.length && link.getAll(`${inputPrefix(rule, at)}rerolled`).some(Boolean)) ? [say("wrong anew ever", { done: say("done rerolled") })] : []),
];
/** The roll that an address tells; what is wrong with it is among its complaints. @param {Rule} rule @param {URLSearchParams} link */
function sessionFromLink(rule, link) {
  const sides = sidesOf(rule), inputs = sides.map((_, side) => {
    const place = inputPrefix(rule, side), own = [...link].filter(([name]) => name.startsWith(place)).map(([name, value]) => [name.slice(place.length), value]);
    return Object.fromEntries(own.filter(([name]) => !RECORD.includes(name)).map(([name, value]) => [name.replace(/^input /, ""), value]));
  });
  const roll = new RollSession(rule, inputs, null), spends = rule.contest ? "" : link.get("spends") ?? "";
  const complain = (/** @type {T.Complaint[]} */ some) => roll.complaints.push(...some.map(({ message }) => message));
  roll.spent = spends.split(",").map((one) => one.trim()).filter(Boolean);
  const count = Math.min(link.getAll(`${inputPrefix(rule, 0)}dice`).length, MOST_TIES);
  if (count) roll.complaints = [...missingMessages(rule, missingBySide(rule, inputs)), ...linkProblems(rule, link)];
  else sides.forEach((side, at) => complain(ask(side, inputs[at], []).complaints.filter(({ part }) => part !== "rule")));
  const bouts = roll.complaints.length ? 0 : count * sides.length;
  for (let at = 0; at < bouts; at++) {
    const side = at % sides.length, [dice, rerolled, turned, declined] = RECORD.map((name) => link.getAll(inputPrefix(rule, side) + name)[Math.floor(at / sides.length)] ?? "");
    const found = check(sides[side], inputs[side], dice, Number(declined) || 0, rerolled, spends, null, undefined, turned);
    complain(found.complaints);
    roll.bouts.push({ side, answers: [], result: found.result });
  }
  return roll;
}
/** The roll of a link: checked, then shown. @param {Card} card @param {URLSearchParams} link */
export function replay(card, link) {
  const roll = sessionFromLink(card.rule, link), { complaints, bouts } = roll, start = Object.fromEntries(link);
  card.chips.close(false);
  card.aims = card.aimsIn(start);
  card.fields.forEach((fields, at) => fields.forEach(({ entry, write }) => {
    const value = start[inputPrefix(card.rule, at) + entry.name];
    if (value !== undefined) write(value);
  }));
  card.changed();
  if (!complaints.length && roll.over) {
    roll.asked = card.inputs;
    card.roll = roll;
    card.isLoaded = true;
    card.show(roll);
  } else if (bouts.length || complaints.length) {
    const { hash } = location, message = alarm([say("roll bad link"), ...complaints].join(" "));
    renew(card.asking, message);
    card.result.after(card.asking);
    addEventListener("hashchange", () => location.hash !== hash && message.remove(), { once: true });
  }
  card.host.scrollIntoView({ block: "nearest" });
}
