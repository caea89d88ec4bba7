// The input of a whole number within its bounds.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Control} from "../engine/parts.d.ts" */
import { labelled, make } from "./dom.js";

/** A whole number within its bounds: what lies beyond them cannot stay. @param {T.Input} entry */
export function numberBox({ least, most, open, default: usual }) {
  const box = make("input", { type: "number", inputmode: least < 0 ? null : "numeric", min: least, max: most, step: 1, placeholder: open ? "?" : null });
  const hold = (/** @type {number} */ low) => {
    const number = Math.round(Number(box.value));
    if (box.value && (number > most || number < low || String(number) !== box.value)) box.value = String(Math.min(Math.max(number, low), most));
  };
  box.addEventListener("input", () => hold(Math.min(least, 0)));
  box.addEventListener("change", () => (box.value || open || typeof usual !== "number" ? hold(least) : (box.value = String(usual))));
  return box;
}
/** @param {T.Input} entry @param {string} label @returns {Control} */
export function numberField(entry, label) {
  const box = numberBox(entry);
  return { element: labelled(label, box), read: () => box.value, write: (value) => (box.value = value) };
}
