// A card above the page, for words of a sentence and for examples of one line; and messages about links.
import { button, focus, make } from "./dom.js";
import { hasDice, ruleOf } from "./page-data.js";
import { say } from "../engine/messages.js";

/** @param {string} label @param {any[]} content */
function open(label, ...content) {
  const box = make("dialog", { class: "rw-dialog rw-card", "data-kind": "roller", "aria-label": label, close: () => box.remove() },
    content, make("p", "rw-buttons", button(say("roll close"), () => box.close())));
  (document.querySelector("article") ?? document.querySelector("main") ?? document.body).append(box);
  box.showModal();
  return box;
}
/** @param {string} label @param {{game: string, rule: string, inputs: string}} roll */
export function openDialog(label, { game, rule: name, inputs }) {
  const rule = ruleOf(game, name);
  if (!rule) return null;
  const card = make("rule-card", { class: "rw-card", "data-kind": "roller", "data-game": game, "data-rule": name, "data-inputs": inputs,
    "data-button": say(hasDice(rule) ? "roll now" : "roll work out"), role: "group", "aria-label": label });
  focus(open(label, card), ".rw-roll");
  return /** @type {any} */ (card);
}
/** @type {HTMLDialogElement | undefined} */
let message;
/** A message that stays as long as the address does. @param {string} text */
export function complain(text) {
  message?.close();
  const box = (message = open(text, make("p", { role: "alert" }, text)));
  addEventListener("hashchange", () => box.close(), { once: true });
}
