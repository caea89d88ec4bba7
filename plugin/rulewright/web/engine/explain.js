// Explains a result: how each step was computed from the dice.
/** @import * as T from "./engine.d.ts" */
/** @import {Formula, Result, Values} from "./parts.d.ts" */
import { formatInputs, variables } from "./rule.js";
import { diceLine, plain, sayOutcome } from "./result-text.js";
import { joinNames } from "./face-text.js";
import { carriedValues, valueText } from "./rounds.js";
import { say } from "./messages.js";

const quoted = (/** @type {any} */ value) => (typeof value === "string" ? `'${value}'` : plain(value));

/** @param {Result} result @returns {T.Explanation} */
export function explain(result) {
  const { rule, outcome, degree } = result, known = result.known;
  const steps = Object.entries(result.steps).map(([name, value]) => `${name} ${plain(value)}`).join(", ");
  const verdict = !rule.outcomes.length ? "" : !outcome ? whyUnknown(result)
    : outcome.name + (degree === null ? "" : `, ${say("degree")} ${degree}`);
  const worked = (/** @type {Formula} */ formula, /** @type {any[]} */ ...value) => {
    const parts = [formula.text, fill(result, formula, known), ...value.map((one) => (one === null ? say("why unknown") : quoted(one)))];
    return [...new Set(parts.map((part) => part.trim().split(/\s+/).join(" ")))].join(" → ");
  };
  const derivation = [...result.before.map(roundLine), ...[...rule.picks.keys()].flatMap((name) => (result.inputs[name] ? [`${name}: ${result.inputs[name]}`] : [])), ...[...rule.steps].map(([name, formula]) => `${name}: ${worked(formula, result.steps[name])}`)];
  if (outcome) {
    const why = outcome.when ? `: ${worked(outcome.when)}` : rule.outcomes.length > 1 ? `: ${say("why last")}` : "";
    derivation.push(outcome.name + why + (outcome.degree ? `; ${say("degree")}: ${worked(outcome.degree, degree)}` : ""));
  } else if (rule.outcomes.length) derivation.push(verdict);
  return {
    line: [steps, verdict].filter(Boolean).join(": "), derivation, dice: diceLine(result), says: sayOutcome(result), inputs: formatInputs(rule, result.inputs, () => true),
  };
}
/** One line for a round that is not the last. @param {Result} result */
function roundLine(result) {
  const { rule, inputs, ownDice, bound } = result, changes = Object.entries(carriedValues(result)).flatMap(([name, after]) => {
    const entry = /** @type {T.Input} */ (rule.inputs.find((one) => one.name === name));
    return entry.label === "" ? [] : [`${name} ${[inputs[name], after].map((value) => valueText(entry, value)).join(" → ")}`];
  });
  return `${say("why round", { number: bound.round })}: ${[ownDice, changes.join(", ")].filter(Boolean).join("; ")}`;
}
/** @param {Result} result */
function whyUnknown(result) {
  const { rule, inputs, bound, isOver } = result;
  if (isOver === false) return say("why not last", { number: bound.round, test: [...new Set([rule.rounds.until.text, fill(result, rule.rounds.until, result.known)])].join(" → ") });
  const needed = rule.needed(rule.outcomes.map((outcome) => outcome.when));
  const missing = rule.inputs.filter((entry) => variables(entry).some((name) => needed.has(name)) && !(entry.name in inputs));
  return missing.length ? say("why without", { names: joinNames(missing.map(({ name }) => name)) }) : say("why open");
}
/** The text of a formula with every name and count replaced by its value. @param {Result} result @param {Formula} formula @param {Values} known */
function fill(result, { parts }, known) {
  return parts.map((part, place) => {
    if (place % 2 === 0) return part;
    const [, of] = part, text = typeof of === "string" ? quoted(known[of]) : plain(result.addTallies(of));
    return text.startsWith("-") && /[-+−*]$/.test(String(parts[place - 1]).trimEnd()) ? `(${text})` : text;
  }).join("");
}
