// The control with a label for each kind of input.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Control, Field} from "../engine/parts.d.ts" */
import { codeField } from "./dice-code-field.js";
import { labelled, make } from "./dom.js";
import { shown } from "../engine/inputs.js";
import { namedField } from "./named-number-field.js";
import { numberField } from "./number-field.js";
import { labelOf } from "./page-data.js";
import { say } from "../engine/messages.js";

/** @param {T.Input} entry @param {unknown} value  what it starts from @returns {Field} */
export function field(entry, value) {
  const made = control(entry, labelOf(entry));
  made.write(String(value ?? ""));
  return { entry, ...made };
}
/** @param {T.Input} entry @param {string} label @returns {Control} */
function control(entry, label) {
  const { form } = entry;
  if (form === "flag") {
    const box = make("input", { type: "checkbox" });
    return {
      element: make("label", "rw-field rw-tick", box, make("span", {}, label)),
      read: () => (box.checked ? "yes" : "no"), write: (value) => (box.checked = /^(yes|true|1)$/i.test(value)),
    };
  }
  if (form === "die" || form === "choice") {
    const names = form === "choice" ? entry.choices : entry.dice.map((sides) => shown(entry, sides));
    const list = make("select", {}, names.map((name) => make("option", { value: name }, name === "none" ? say("none") : name)));
    const plain = (/** @type {string} */ text) => text.toLowerCase().replace(/^d(?=\d)/, "");
    return {
      element: labelled(label, list),
      read: () => list.value, write: (value) => (list.value = names.find((name) => plain(name) === plain(value)) ?? names[0]),
    };
  }
  return form === "code" ? codeField(entry, label) : entry.named.length ? namedField(entry, label) : numberField(entry, label);
}
