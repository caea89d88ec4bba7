// The input of a number that has names, such as a difficulty: a number with a list.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Control} from "../engine/parts.d.ts" */
import { make } from "./dom.js";
import { numberStepper, numberText } from "./number-field.js";
import { say } from "../engine/messages.js";

/** @param {T.Input} entry @param {string} label @returns {Control} */
export function namedField(entry, label) {
  const { least, most, named, open } = entry, { box, element } = numberStepper(entry, label);
  const fits = named.filter(([, number]) => least <= number && number <= most);
  const list = make("select", { "aria-label": say("roll by name", { label }) }, make("option", { value: "" }, "…"),
    fits.map(([name, number]) => make("option", { value: number }, name)));
  const follow = () => (list.value = fits.some(([, number]) => String(number) === box.value) ? box.value : "");
  box.addEventListener("input", follow);
  list.addEventListener("change", () => (box.value = list.value));
  return {
    element: fits.length ? make("div", "rw-named", element, list) : element, read: () => box.value,
    write: (value) => {
      box.value = String(named.find(([name]) => name.toLowerCase() === value.toLowerCase())?.[1] ?? numberText(value));
      follow();
    },
  };
}
