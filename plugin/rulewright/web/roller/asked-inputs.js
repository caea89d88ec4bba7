// Buttons for inputs that a rule asks for only after the dice are rolled.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
/** @import {Result} from "../engine/parts.d.ts" */
import { button, fieldset } from "./dom.js";
import { labelOf } from "./page-data.js";
import { yesNo } from "./next-question.js";

/** @param {Card} card @param {RollSession} roll */
export const askedButtons = (card, roll) => roll.last.flatMap(({ side, result }) => /** @type {Result} */ (result).asks.map((name) => {
  const entry = /** @type {T.Input} */ (roll.sides[side].inputs.find((one) => one.name === name)), now = result?.inputs[name];
  const options = /** @type {[string, any][]} */ (entry.form === "flag" ? yesNo() : entry.choices.map((one) => [one, one]));
  const choose = (/** @type {any} */ value, /** @type {number} */ at) => () =>
    card.redo(() => roll.choose(side, name, value), `[data-asked="${name}"]:nth-of-type(${at + 1})`);
  return fieldset("rw-choices", labelOf(entry), options.map(([text, value], at) =>
    button(text, choose(value, at), { "aria-pressed": String(entry.form === "flag" ? !!now === value : now === value), "data-asked": name })));
}));
