// A result as text: the dice as they lie, and the sentence of its outcome.
/** @import {Result} from "./parts.d.ts" */

export const plain = (/** @type {any} */ value) => (value === null || value === undefined ? "?" : String(value));
/** What the outcome means, with its values filled in. @param {Result} result */
export function sayOutcome({ outcome, degree, known }) {
  /** @type {(text: string, name: string) => string} */
  const filled = (_, name) => plain(name === "degree" ? degree : known[name]).replace(/^-(?=\d)/, "−");
  return outcome?.says.replace(/\{([^{}]*)\}/g, filled) ?? "";
}
/** "regular 1 4 7 10 | bonus 1 10": the dice as they lie. @param {Result} result */
export const diceLine = (result) => result.rounds.map(ownDiceLine).join("; ");
/** @param {Result} result */
function ownDiceLine(result) {
  let before = "";
  const texts = result.faces.map((faces) => {
    const { kind, round } = faces[0], shown = faces.filter((face) => !face.roles.includes("rerolled"));
    const text = shown.map((face) => face.text).join("+"), here = `${round} ${kind}`;
    const head = here === before ? " " : `${before && " | "}${kind} `;
    before = here;
    return head + (faces.some((face) => face.roles.includes("dropped")) ? `(${text})` : text);
  });
  return texts.join("");
}
