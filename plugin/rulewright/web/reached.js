// What a roll reaches where it is not known what it had to reach.
/** @import {Match} from "./match.js" */
import { make } from "./element.js";
import { inputsOf } from "./example.js";
import { minus } from "./page.js";
import { check } from "./record.js";
import { say } from "./words.js";

/** Where a named value was left open: those at which this roll has the first outcome. @param {Match} match */
export function reached({ rule, bouts: [{ result }] }) {
  if (rule.contest || !result || result.outcome) return null;
  const entry = rule.inputs.find(({ name, open, named }) => open && named.length && !(name in result.inputs));
  if (!entry) return null;
  const given = Object.fromEntries(inputsOf(result)), first = rule.outcomes[0]?.name;
  const won = entry.named.filter(([, value]) => entry.least <= value && value <= entry.most
    && check(rule, { ...given, [entry.name]: value }, result.dice, result.declined, result.rerolled).result?.outcome?.name === first);
  const names = won.map(([name, value]) => say("named number", { name, number: minus(value) })).join(", ");
  return make("p", "rw-outcome rw-reached", make("strong", {}, first), " ", names ? say("roll reaches", { names }) : say("roll reaches none"));
}
