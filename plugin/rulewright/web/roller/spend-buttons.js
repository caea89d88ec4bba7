// Buttons to spend points after a roll.
/** @import {RollSession} from "./roll-session.js" */
/** @import {Card} from "./card.js" */
import { ask } from "../engine/ask-dice.js";
import { button, fieldset } from "./dom.js";
import { spend } from "../engine/spends.js";
import { say } from "../engine/messages.js";

/** What points leave of the inputs, and do to the dice. @param {RollSession} roll */
export function applySpent(roll, spent = roll.spent) {
  const { side } = roll.bout;
  return spend(roll.sides[side], roll.inputs[side], spent.join(", "), roll.traits);
}
/** The points that there are, as they are written and as a reader sees them. @param {RollSession} roll @returns {[string, string][]} */
function offers({ rule }) {
  const able = rule.contest ? [] : rule.spends.filter(({ changes }) => !Object.keys(changes).some((name) => rule.asked.has(name)));
  return able.flatMap(({ name, label, highest }) => (highest.length > 1 ? highest : [""]).map((kind) => [`${name} ${kind}`.trim(), kind ? `${label} (${kind})` : label]));
}
/** What readers call the points that are spent. @param {RollSession} roll */
export const pointLabels = (roll) => roll.spent.map((one) => new Map(offers(roll)).get(one) ?? one);
/** Whether these points can be spent, and do something. @param {RollSession} roll @param {string[]} spent */
function helps(roll, spent) {
  const { rule, bout } = roll, { inputs, complaints, lay } = applySpent(roll, spent), before = applySpent(roll).inputs;
  if (complaints.length || ask(rule, inputs, []).complaints.length) return false;
  if (JSON.stringify(inputs) !== JSON.stringify(before)) return true;
  const plain = ask(rule, inputs, bout.answers).result, after = plain && lay(plain);
  return !!after && !after.complaints.length && JSON.stringify(after.result.steps) !== JSON.stringify(bout.result?.steps);
}
/** Those that can be spent, and those that are, to be taken back. @param {Card} card @param {RollSession} roll */
export function spendButtons(card, roll) {
  const { spent } = roll, all = offers(roll), labels = new Map(all), more = all.filter(([one]) => helps(roll, [...spent, one]));
  const point = (/** @type {string} */ one, /** @type {string[]} */ list, /** @type {boolean} */ taken) =>
    button(labels.get(one) ?? one, () => card.redo(() => (roll.spent = list), ".rw-points button"), { "aria-pressed": String(taken) });
  return spent.length + more.length > 0 && fieldset("rw-choices rw-points", say("roll spend"),
    spent.map((one, at) => point(one, spent.toSpliced(at, 1), true)), more.map(([one]) => point(one, [...spent, one], false)));
}
