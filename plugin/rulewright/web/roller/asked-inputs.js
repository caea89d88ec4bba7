// Choices that arise once the dice lie.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Roller} from "./roller.js" */
/** @import {Result} from "../engine/parts.d.ts" */
import { button, fieldset } from "./dom.js";
import { labelOf } from "./page-data.js";
import { yesNo } from "./question-form.js";

/** @param {Roller} roller */
export const asked = (roller) => roller.match.last.flatMap(({ side, result }) => /** @type {Result} */ (result).asks.map((name) => {
  const { match } = roller, entry = /** @type {T.Input} */ (match.sides[side].inputs.find((one) => one.name === name)), now = result?.inputs[name];
  const options = /** @type {[string, any][]} */ (entry.form === "flag" ? yesNo() : entry.choices.map((one) => [one, one]));
  const choose = (/** @type {any} */ value, /** @type {number} */ at) => () =>
    roller.redo(() => match.choose(side, name, value), `[data-asked="${name}"]:nth-of-type(${at + 1})`);
  return fieldset("rw-choices", labelOf(entry), options.map(([text, value], at) =>
    button(text, choose(value, at), { "aria-pressed": String(entry.form === "flag" ? !!now === value : now === value), "data-asked": name })));
}));
