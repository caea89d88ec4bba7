// The inputs of a rule as controls with labels.
/** @import * as T from "./engine.d.ts" */
/** @import {Field} from "./parts.d.ts" */
import { labelled, make } from "./element.js";
import { shown } from "./inputs.js";
import { labelOf } from "./page.js";
import { say } from "./words.js";

/** @param {T.Input} entry @param {unknown} value  what it starts from @returns {Field} */
export function field(entry, value) {
  const made = control(entry, labelOf(entry));
  made.write(String(value ?? ""));
  return { entry, ...made };
}
/** @param {T.Input} entry @param {string} label @returns {Omit<Field, "entry">} */
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
  return form === "code" ? codeField(entry, label) : numberField(entry, label);
}
/** A whole number within its bounds: what lies beyond them cannot stay. @param {T.Input} entry */
function numberBox({ least, most, open, default: usual }) {
  const box = make("input", { type: "number", inputmode: least < 0 ? null : "numeric", min: least, max: most, step: 1, placeholder: open ? "?" : null });
  const hold = (/** @type {number} */ low) => {
    const number = Math.round(Number(box.value));
    if (box.value && (number > most || number < low || String(number) !== box.value)) box.value = String(Math.min(Math.max(number, low), most));
  };
  box.addEventListener("input", () => hold(Math.min(least, 0)));
  box.addEventListener("change", () => (box.value || open || typeof usual !== "number" ? hold(least) : (box.value = String(usual))));
  return box;
}
/** A die code: how many dice, and what is added. @param {T.Input} entry @param {string} label @returns {Omit<Field, "entry">} */
function codeField(entry, label) {
  const box = numberBox(entry), list = make("select", { "aria-label": say("roll pips", { label }) }, ["D", "D+1", "D+2"].map((value) => make("option", { value }, value)));
  return {
    element: make("div", "rw-named", labelled(label, box), list),
    read: () => box.value && box.value + list.value,
    write: (value) => {
      const [, dice = "", pips = ""] = /^(\d+)(d(?:\+\d+)?)/i.exec(value.replaceAll(" ", "")) ?? [];
      [box.value, list.value] = [dice, pips.toUpperCase() || "D"];
    },
  };
}
/** A number; where names stand for numbers, also a list of them. @param {T.Input} entry @param {string} label @returns {Omit<Field, "entry">} */
function numberField(entry, label) {
  const { least, most, named, open } = entry, box = numberBox(entry), read = () => box.value;
  const number = (/** @type {string} */ value) => String(named.find(([name]) => name.toLowerCase() === value.toLowerCase())?.[1] ?? value);
  const whole = labelled(label, box);
  const fits = named.filter(([, number]) => least <= number && number <= most);
  if (!fits.length) return { element: whole, read, write: (value) => (box.value = number(value)) };
  const list = make("select", { "aria-label": say("roll by name", { label }) }, make("option", { value: "" }, open ? "?" : "…"),
    fits.map(([name, number]) => make("option", { value: number }, name)));
  const follow = () => (list.value = fits.some(([, number]) => String(number) === box.value) ? box.value : "");
  box.addEventListener("input", follow);
  list.addEventListener("change", () => (box.value = list.value));
  return {
    element: make("div", "rw-named", whole, list), read,
    write: (value) => {
      box.value = number(value);
      follow();
    },
  };
}
