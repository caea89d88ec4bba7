// How a roll came about, row by row, as on the cards (render/cards/derivation.py).
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
/** @import {Die, Explained, ExplainedRow, Result} from "../engine/parts.d.ts" */
import { make, renew } from "./dom.js";
import { sayOutcome } from "../engine/result-text.js";
import { explanationOf, labelOf, lower, minus, readerName, spaced, stepName } from "./page-data.js";
import { faceText } from "../engine/face-text.js";
import { faceName, mark, marksOf, meaning } from "./draw-dice.js";
import { carriedValues, valueText } from "../engine/rounds.js";
import { reachedLine } from "./reached-values.js";
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
/** @typedef {[string, string[], ExplainedRow[]?, string?]} OwnRow  its name, its parts, what it unfolds, and what is left out of names there */
const CARD = -1; // in place of sides
/** The first throws of a die, in a line of text. @param {Result} result @param {Die} die */
function dieText({ rule }, die) {
  const kind = rule.dice[die.kind], throws = die.tries[0] ?? die.rolled;
  return throws.map(({ face }, at) => {
    const mark = faceText(kind, face), { label } = kind.faces[face] ?? {};
    return (at ? (throws[at - 1].isReplaced ? " → " : "+") : "") + (kind.deck.length && !label ? faceName(mark, CARD) : minus(label ?? mark));
  }).join("");
}
/** Dice of one kind. @param {Result} result @param {Die[]} dice @param {boolean} [isNamed] */
function diceText(result, dice, isNamed) {
  const texts = dice.map((die) => dieText(result, die)), name = isNamed ? `${readerName(result.rule.dice[dice[0].kind])} ` : "";
  return name + texts.join(texts.some((text) => text.includes(" ")) ? ", " : " ");
}
/** Dice by kind and wave, with their kinds if there are several. @param {Result} result @param {Die[]} dice */
function groupTexts(result, dice) {
  /** @type {Die[][]} */
  const groups = [];
  dice.forEach((die, at) => (at && dice[at - 1].kind === die.kind && dice[at - 1].round === die.round ? groups[groups.length - 1].push(die) : groups.push([die])));
  return groups.map((own) => diceText(result, own, dice.some(({ kind }) => kind !== dice[0].kind))).join(", ");
}
const entryOf = (/** @type {Result} */ { rule }, /** @type {string} */ name) => /** @type {T.Input} */ (rule.inputs.find((entry) => entry.name === name));
/** What was chosen; empty where the question does not arise. @param {Result} result @param {string} name */
function answer(result, name) {
  const value = result.known[name] ?? null, entry = entryOf(result, name);
  return value === null || result.unasked.includes(name) ? "" : entry.form === "flag" ? written(value, true) : minus(valueText(entry, value));
}
/** @param {Result} result @param {string} name @param {string} lead */
const stepTitle = ({ rule }, name, lead) => stepName(rule, name).replace(lead, "") || spaced(name.split(".").at(-1) ?? "");
/** The rows of a round, as far as it has them. @param {Result} result @param {ExplainedRow[]} rows @param {string} lead  what is left out of the names of steps
 * @returns {OwnRow[]} */
const ownRows = (result, rows, lead = "") => rows.flatMap(([what, name, kinds = [], inner = [], results = [], outcomes]) => {
  const { rule, play, known } = result, own = explanationOf(rule), isIn = (/** @type {Die} */ { kind }) => kinds.includes(kind);
  const row = (/** @type {string} */ title, /** @type {string} */ text) => /** @type {OwnRow[]} */ (text ? [[title, [text]]] : []);
  if (what === "step") return /** @type {OwnRow[]} */ ([[stepTitle(result, name, lead), worked(result, own.steps[name], written(result.steps[name], own.truths.includes(name)))]]);
  if (what === "ask") return row(labelOf(entryOf(result, name)), answer(result, name));
  if (what === "again") return row(name, play.rerolls.map(([old, made]) => `${diceText(result, [old], true)} → ${diceText(result, [made])}`).join(", "));
  if (what !== "roll") return row(name, groupTexts(result, play.dice.filter((die) => !!die.earned === (what === "earned") && (what === "earned" || isIn(die)))));
  const dice = groupTexts(result, play.dice.filter(isIn)), title = `${name}: `;
  const ends = results.map((step) => (outcomes ? outcomes[known[step]] ?? known[step] : `${stepTitle(result, step, title)} ${written(result.steps[step], false)}`));
  return /** @type {OwnRow[]} */ (kinds.length && !dice ? [] : [[name, [dice, ends.filter(Boolean).join(", ")].filter(Boolean), inner, title]]);
});
/** The dice of a round, its choices, and what it changes. @param {Result} result @param {boolean} isLast @returns {OwnRow} */
function roundRow(result, isLast) {
  const { rows } = explanationOf(result.rule), carried = carriedValues(result);
  const setting = (/** @type {string} */ name, /** @type {string} */ value) => say("setting", { name: lower(labelOf(entryOf(result, name))), value });
  const answers = rows.filter(([what, name]) => what === "ask" && answer(result, name)).map(([, name]) => setting(name, answer(result, name)));
  const changes = result.rule.inputs.filter(({ name, label }) => label !== "" && name in carried).map((entry) =>
    setting(entry.name, [...new Set([result.inputs[entry.name], carried[entry.name]].map((value) => minus(valueText(entry, value))))].join(" → ")));
  const text = [groupTexts(result, result.play.dice), [...answers, ...changes].join(", ")].filter(Boolean).join(": ");
  return [say("round number", { number: result.bound.round }), [text], isLast ? [] : rows.filter(([what]) => what !== "ask")];
}
/** @param {Result} result @param {OwnRow} row @returns {HTMLElement} */
function drawRow(result, [name, parts, inner = [], lead = ""]) {
  const ways = [...parts.slice(0, -1).map((way) => [`${way} `, make("span", "rw-arrow", "→"), " "]), make("b", {}, parts.at(-1) ?? "")];
  return make("div", {}, make("dt", {}, name), make("dd", {}, inner.length ? make("details", "rw-inner", make("summary", {}, ways),
    make("dl", "rw-how", ownRows(result, inner, lead).map((row) => drawRow(result, row)))) : ways));
}
/** How the result came about, row by row, and what the marks on its dice mean. @param {Result} result */
function derivation(result) {
  const { rule, outcome, degree, before, rounds } = result, own = explanationOf(rule), says = sayOutcome(result);
  /** @type {OwnRow[]} */
  const ends = [];
  if (outcome) {
    const [when, degreeIs] = own.outcomes[rule.outcomes.indexOf(outcome)];
    ends.push([readerName(outcome), [...(when ? worked(result, when) : [say("otherwise")]), ...(says ? [says] : [])]]);
    if (degreeIs) ends.push([say("degree"), worked(result, degreeIs, written(degree, false))]);
  }
  const roles = marksOf(rounds.flatMap(({ faces }) => faces.flat().flatMap((face) => face.roles)));
  return [...(before.length ? rounds.map((one) => drawRow(one, roundRow(one, one === result))) : []),
    ...[...ownRows(result, own.rows.filter(([what]) => what !== "ask" || !before.length)), ...ends].map((row) => drawRow(result, row)),
    ...roles.map((role) => make("div", "rw-meaning", make("dt", {}, mark(role)), make("dd", {}, meaning(rule, role))))];
}
/** The explanation of a finished roll on its card. @param {Card} card @param {RollSession} roll */
export function explain(card, roll) {
  const reached = reachedLine(roll);
  if (reached) {
    card.result.querySelector(".rw-why")?.remove();
    card.button.before(reached);
  }
  const rows = card.rule.contest ? [] : derivation(/** @type {Result} */ (roll.bout.result));
  renew(card.how, rows.length > 0 && [make("p", "rw-caption", say("how it works out")), make("dl", "rw-how", rows)]);
}
