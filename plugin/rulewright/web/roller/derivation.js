// How a roll came about, row by row, as on the cards (render/cards/derivation.py).
/** @import {Explained, Result} from "../engine/parts.d.ts" */
import { make } from "./dom.js";
import { sayOutcome } from "../engine/result-text.js";
import { explanationOf, labelOf, minus, readerName, stepName } from "./page-data.js";
import { mark, marksOf } from "./draw-dice.js";
import { carriedValues, valueText } from "../engine/rounds.js";
import { say } from "../engine/messages.js";

/** A value for readers: a number, a word, or yes or no. @param {any} value @param {boolean} isTruth */
const written = (value, isTruth) => (value === null || value === undefined ? say("not known")
  : isTruth && (value === 0 || value === 1 || value === true || value === false) ? say(value ? "yes" : "no") : minus(value));

/** A formula in words, with its values filled in, and what it results in. @param {Result} result @param {Explained} formula @param {string[]} ends */
function worked(result, [text, texts, leaves], ...ends) {
  const { truths } = explanationOf(result.rule), known = result.known;
  const values = leaves?.map((leaf) => {
    const value = typeof leaf === "string" ? known[leaf] : result.addTallies(leaf), isTruth = truths.includes(String(leaf));
    const plain = typeof value === "string" ? value : written(value, isTruth);
    return value === null || value === undefined ? null : plain.startsWith("−") ? `(${plain})` : plain;
  });
  const filled = texts && values?.every((value) => value !== null) ? texts.map((part, at) => part + (values[at] ?? "")).join("") : text;
  return [...new Set([text, filled, ...ends])];
}
/** The dice of a round that is not the last, and the values that the next one begins with. @param {Result} result */
function roundParts(result) {
  const carried = carriedValues(result), entries = result.rule.inputs.filter(({ name }) => name in carried);
  const texts = entries.map((entry) => say("setting", { name: labelOf(entry), value: minus(valueText(entry, carried[entry.name])) }));
  return [minus(result.ownDice), texts.join(", ")].filter(Boolean);
}
/** How the result came about, step by step, and what the marks on its dice mean. @param {Result} result */
export function derivation(result) {
  const { rule, outcome, degree } = result, own = explanationOf(rule), says = sayOutcome(result);
  const lines = [...result.before.map((earlier) => /** @type {[string, string[]]} */ ([say("round number", { number: earlier.bound.round }), roundParts(earlier)])),
    ...Object.entries(own.steps).filter(([name]) => stepName(rule, name))
    .map(([name, formula]) => [stepName(rule, name), worked(result, formula, written(result.steps[name], own.truths.includes(name)))])];
  if (outcome) {
    const [when, degreeIs] = own.outcomes[rule.outcomes.indexOf(outcome)];
    lines.push([readerName(outcome), [...(when ? worked(result, when) : [say("otherwise")]), ...(says ? [says] : [])]]);
    if (degreeIs) lines.push([say("degree"), worked(result, degreeIs, written(degree, false))]);
  }
  const roles = marksOf(result.rounds.flatMap(({ faces }) => faces.flat().flatMap((face) => face.roles)));
  return [...lines.map(([name, ways]) => make("div", {}, make("dt", {}, String(name)), make("dd", {},
    [...ways.slice(0, -1)].map((way) => [`${way} `, make("span", "rw-arrow", "→"), " "]), make("b", {}, ways.at(-1) ?? "")))),
    ...roles.map((role) => make("div", {}, make("dt", {}, mark(role)), make("dd", {}, say(`role ${role}`))))];
}
