// The menu of a card: type your dice, copy the roll, spend points, and the last rolls.
/** @import {Card} from "./card.js" */
/** @import {AfterRoll} from "../engine/parts.d.ts" */
import { button, make, renew } from "./dom.js";
import { hasDice } from "./page-data.js";
import { spendButtons } from "./spend-buttons.js";
import { say } from "../engine/messages.js";

/** What the menu offers now. @param {Card} card @param {AfterRoll | null} [more] */
export function showMenu(card, more) {
  const { roll, menu, history } = card, over = roll?.over && more;
  const example = roll && (() => copy(card, more?.asExample(roll)));
  const link = roll && (() => copy(card, location.href.replace(/#.*/s, "") + more?.asFragment(roll, card.host.dataset.game ?? "")));
  renew(menu, make("div", "rw-buttons", hasDice(card.rule) && button(say("roll typed"), () => card.type()),
    over && [button(say("roll copy link"), /** @type {any} */ (link)), button(say("roll copy example"), /** @type {any} */ (example))]),
  roll?.over && !card.isLoaded && roll.rule.spends.length > 0 && spendButtons(card, roll),
  history.length > 1 && make("details", "rw-history", make("summary", {}, say("roll before", { number: history.length })),
    make("ol", {}, history.map((text) => make("li", {}, text)))));
}
/** @param {Card} card @param {string} [text] */
async function copy(card, text = "") {
  const done = await navigator.clipboard?.writeText(text).then(() => true, () => false), note = say(done ? "roll copied" : "roll copy yourself");
  const box = done ? null : make("textarea", { readonly: true, rows: 6, "aria-label": note }, text);
  card.menu.querySelector(".rw-copied")?.remove();
  card.menu.append(make("div", "rw-copied", make("p", {}, note), ...(box ? [box] : [])));
  card.status.textContent = note;
  box?.select();
}
