// The input of a whole number within its bounds, with buttons for one less and one more.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Control} from "../engine/parts.d.ts" */
import { button, labelled, make } from "./dom.js";
import { say } from "../engine/messages.js";

const WAIT = 400, AGAIN = 50; // milliseconds until a button that is held counts on, and between two steps

/** A number as the browser reads it. @param {string} text */
export const numberText = (text) => text.trim().replace("−", "-").replace(/^[+]/, "");
/** Signs that a field for numbers would not take: a plus is left out, a true minus is one. @param {any} event */
function typeSigns(event) {
  if (!/[+−]/.test(event.data ?? "")) return;
  event.preventDefault();
  if (numberText(event.data)) document.execCommand("insertText", false, numberText(event.data));
}
/** A whole number within its bounds: what lies beyond them cannot stay. @param {T.Input} entry */
function numberBox({ least, most, open, default: usual }) {
  const box = make("input", { type: "number", inputmode: least < 0 ? null : "numeric", min: least, max: most, step: 1, placeholder: open ? "?" : null });
  const hold = (/** @type {number} */ low) => {
    const number = Math.round(Number(box.value));
    if (box.value && (number > most || number < low || String(number) !== box.value)) box.value = String(Math.min(Math.max(number, low), most));
  };
  box.addEventListener("beforeinput", typeSigns);
  box.addEventListener("input", () => hold(Math.min(least, 0)));
  box.addEventListener("change", () => (box.value || open || typeof usual !== "number" ? hold(least) : (box.value = String(usual))));
  return box;
}
/** A button that counts as long as it is held. @param {string} text @param {string} label @param {() => void} step */
function counter(text, label, step) {
  let timer = 0, held = false;
  const count = () => {
    held = true;
    step();
    timer = setTimeout(count, AGAIN);
  };
  const stop = () => clearTimeout(timer);
  return button(text, () => held || step(), {
    class: "rw-button rw-step", "aria-label": label, pointerup: stop, pointerleave: stop, pointercancel: stop,
    contextmenu: (/** @type {Event} */ event) => event.preventDefault(),
    pointerdown: () => {
      held = false;
      stop();
      timer = setTimeout(count, WAIT);
    },
    keydown: () => (held = false),
  });
}
/** The number with its label between the buttons. @param {T.Input} entry @param {string} label */
export function numberStepper(entry, label) {
  const { least, most } = entry, box = numberBox(entry);
  const by = (/** @type {number} */ more) => () => {
    box.value = String(Math.min(Math.max(box.value ? Number(box.value) + more : least, least), most));
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const element = make("div", "rw-stepped", counter("−", say("roll less", { label }), by(-1)), labelled(label, box), counter("+", say("roll more", { label }), by(1)));
  return { box, element };
}
/** @param {T.Input} entry @param {string} label @returns {Control} */
export function numberField(entry, label) {
  const { box, element } = numberStepper(entry, label);
  return { element, read: () => box.value, write: (value) => (box.value = numberText(value)) };
}
