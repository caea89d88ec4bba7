// Reads and writes faces of dice as text.
/** @import {Kind, Transition, DicePool, Rule} from "./parts.d.ts" */
import { same } from "./formula.js";
import { suggest } from "./inputs.js";
import { say } from "./messages.js";

const LISTED = 20; // faces in a message
/** @param {Kind} kind @param {number} face @returns {string} */
export const faceText = (kind, face) => kind.faces[face]?.mark ?? String(face);
/** @param {Kind} kind @param {Transition[]} throws */
export const throwsText = (kind, throws) => throws.map(({ face }, at) => (at ? SIGNS[throws[at - 1].isReplaced ? "reroll" : "explode"] : "") + faceText(kind, face)).join("");
/** Signs before a throw that adds up, and before one that replaces. @type {Record<string, string>} */
export const SIGNS = { explode: "+", reroll: ">" };
/** The signs that may stand between throws of one die. @param {Kind} kind */
const signsOf = ({ explodes, rerolls }) => (explodes ? "+" : "") + (rerolls ? ">" : "");
/** @param {string} text @param {string} signs */
const cut = (text, signs) => (signs ? text.split(RegExp(`[${signs}]`)) : [text]);
/** The sign before each throw of one die. @param {Kind} kind @param {string} text */
export const signsIn = (kind, text) => ["", ...[...text].filter((sign) => signsOf(kind).includes(sign))];
/** @param {Kind} kind @param {string} text @returns {number | undefined} */
function faceNumber(kind, text) {
  const low = text.replaceAll("−", "-").toLowerCase();
  if (kind.faces.length) {
    const sorted = (/** @type {string} */ mark) => mark.split("&").sort().join("&"), own = sorted(low);
    const place = kind.faces.findIndex(({ mark }) => sorted(mark.replaceAll("−", "-").toLowerCase()) === own);
    return place < 0 ? undefined : place;
  }
  return /^\d{1,8}$/.test(low) ? Number(low) : undefined;
}
/** @param {DicePool} pool @param {string} text @returns {number[] | null}  the faces of one die; null where one is not on it */
export function parseThrows({ kind, faces }, text, anyFace = false) {
  const found = cut(text, signsOf(kind)).map((part) => faceNumber(kind, part));
  return found.every((face) => face !== undefined && (anyFace || faces.includes(face))) ? /** @type {number[]} */ (found) : null;
}
/** Why this can be no die of its kind. @param {DicePool} pool @param {string} text */
export function impossible(pool, text) {
  const { kind, faces, bound } = pool, { name } = kind, signs = signsOf(kind), parts = cut(text, signs || "+>");
  const wrong = parts.filter((part) => !parseThrows(pool, part));
  if (!signs && parts.length > 1 && !wrong.length) return say("wrong joined", { kind: name, faces: parts.join(" ") });
  if (signs && wrong.includes("")) return say("wrong plus", { text, sign: [...text].find((sign) => signs.includes(sign)) });
  if (/^\p{L}/u.test(text) && !kind.faces.length)
    return say("wrong kind", { text, kind: name, near: suggest(text, bound.rule.dice.map((one) => one.name)) });
  const marks = kind.faces.map(({ mark }) => mark), labels = (marks.length > LISTED ? [...marks.slice(0, LISTED - 2), "…", marks.at(-1)] : marks).join(", ");
  const own = signs ? wrong[0] ?? text : text, place = faceNumber(kind, own), drawn = pool.drawn.filter((face) => face === place).length;
  const what = !kind.deck.length ? (labels ? "wrong mark" : "wrong face") : drawn ? "wrong drawn" : place !== undefined ? "wrong without" : "wrong card";
  return say(what, { kind: name, text: own, faces: labels, most: faces.length, number: drawn });
}
/** Dice in a text, with the names of kinds and the signs between them. @param {string} text @param {Rule} rule */
export function parseDice(text, rule) {
  const pieces = RegExp(`(${rule.kindNames})|([|[\\]])|(;)|[^\\s,|;[\\]]+`, "giu"), every = [...text.matchAll(pieces)];
  const isFace = (/** @type {any} */ kind, /** @type {string} */ word) => !!parseThrows(/** @type {any} */ ({ kind, faces: [] }), word, true);
  let named = ""; // where a kind is called like one of its own faces, its name comes first; where like another's, it begins a group
  return every.map((found, place) => {
    let what = found[1] ? "kind" : found[2] ? "bar" : found[3] ? "round" : "die";
    const start = found.index, word = found[0].toLowerCase(), next = every[place + 1], isLast = !next || !!next[2] || !!next[3], last = every[place - 1];
    if (what === "kind") {
      const kind = rule.dice.findLast(({ name }) => same(name, word)), faced = rule.dice.filter((one) => one.faces.length && isFace(one, word));
      const begins = !last || !!last[2] || !!last[3] || text.slice(last.index + last[0].length, start).includes(",") || rule.dice.some(({ name }) => named && same(name, named) && !faced.some((one) => one.name === name));
      if (kind && faced.includes(kind) ? word === named || isLast : faced.length && !(begins && !isLast && isFace(kind, next[0]))) what = "die";
    }
    named = what === "bar" || what === "round" ? "" : what === "kind" ? word : named;
    return { what, text: what === "kind" ? word : found[0], start, end: start + found[0].length };
  });
}
/** @param {string[]} names */
export const joinNames = (names) => names.join(` ${say("and")} `);
