// Reads and writes faces of dice as text.
/** @import {Kind, Transition, DicePool} from "./parts.d.ts" */
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
