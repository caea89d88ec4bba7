// The menu of a card: type your dice, copy the roll, spend points, and the last rolls.
/** @import {Card} from "./card.js" */
/** @import {AfterRoll} from "../engine/parts.d.ts" */
import { button, make, renew } from "./dom.js";
import { hasDice } from "./page-data.js";
import { say } from "../engine/messages.js";

/** What the menu offers now. @param {Card} card @param {AfterRoll | null} [more] */
export function showMenu(card, more) {
  const { roll, menu, history } = card, over = roll?.over && more;
  renew(menu, make("div", "rw-buttons", hasDice(card.rule) && button(say("roll typed"), () => card.type()),
    over && [button(say("roll copy link"), () => over.copyLink(card)), button(say("roll copy example"), () => over.copyExample(card))]),
  over && !card.isLoaded && roll.rule.spends.length > 0 && over.spendButtons(card, roll),
  history.length > 1 && make("details", "rw-history", make("summary", {}, say("roll before", { number: history.length })),
    make("ol", {}, history.map((text) => make("li", {}, text)))));
}
