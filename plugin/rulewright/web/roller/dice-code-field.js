// The input of a die code such as 4D+2: number of dice, and pips.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Control} from "../engine/parts.d.ts" */
import { make } from "./dom.js";
import { numberStepper } from "./number-field.js";
import { say } from "../engine/messages.js";

/** @param {T.Input} entry @param {string} label @returns {Control} */
export function codeField(entry, label) {
  const { box, element } = numberStepper(entry, label);
  const list = make("select", { "aria-label": say("roll pips", { label }) }, ["D", "D+1", "D+2"].map((value) => make("option", { value }, value)));
  return {
    element: make("div", "rw-named", element, list),
    read: () => box.value && box.value + list.value,
    write: (value) => {
      const [, dice = "", pips = ""] = /^(\d+)(d(?:\+\d+)?)/i.exec(value.replaceAll(" ", "")) ?? [];
      [box.value, list.value] = [dice, pips.toUpperCase() || "D"];
    },
  };
}
