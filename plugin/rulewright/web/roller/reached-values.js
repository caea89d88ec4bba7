// Which named values, such as difficulties, a roll reaches if none was given.
/** @import {RollSession} from "./roll-session.js" */
import { make } from "./dom.js";
import { inputsOf } from "./share-roll.js";
import { capital, minus, readerName } from "./page-data.js";
import { check } from "../engine/check-record.js";
import { say } from "../engine/messages.js";

/** Where a named value was left open: the highest at which this roll has the first outcome, if it has it at all that are lower. @param {RollSession} roll */
export function reachedLine({ rule, bouts: [{ result }] }) {
  if (rule.contest || !result || result.outcome) return null;
  const entry = rule.inputs.find(({ name, open, named }) => open && named.length && !(name in result.inputs));
  if (!entry) return null;
  const given = Object.fromEntries(inputsOf(result)), first = rule.outcomes[0]?.name;
  const all = entry.named.filter(([, value]) => entry.least <= value && value <= entry.most).sort(([, a], [, b]) => a - b);
  const won = all.filter(([, value]) => check(rule, { ...given, [entry.name]: value }, result.dice, result.declined, result.rerolled, "", null, undefined, result.turned).result?.outcome?.name === first);
  const isUpTo = won.length > 1 && won.every((one, at) => one === all[at]);
  const names = (isUpTo ? won.slice(-1) : won).map(([name, value]) => say("named number", { name, number: minus(value) })).join(", ");
  const text = `${capital(readerName(rule.outcomes[0]))} ${names ? say(isUpTo ? "roll reaches up to" : "roll reaches", { names }) : say("roll reaches none")}`;
  return make("p", { class: "rw-why rw-reached", title: text }, text);
}
