// Chips for what is declared once the dice lie: inputs that a rule asks for only then, and points that were spent.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
/** @import {Result} from "../engine/parts.d.ts" */
import { make } from "./dom.js";
import { labelOf, loadedParts, lower } from "./page-data.js";
import { say } from "../engine/messages.js";

/** A chip for a flag, or one for each choice. @param {Card} card @param {RollSession} roll */
const askedChips = (card, roll) => roll.last.flatMap(({ side, result }) => /** @type {Result} */ (result).asks.flatMap((name) => {
  const entry = /** @type {T.Input} */ (roll.sides[side].inputs.find((one) => one.name === name)), now = result?.inputs[name], isFlag = entry.form === "flag";
  return (isFlag ? [lower(labelOf(entry))] : entry.choices).map((own, at) => {
    const isOn = isFlag ? !!now : now === own, text = roll.rule.contest ? say("chip of side", { side: card.sideNames[side], chip: own }) : own;
    if (card.isLoaded || roll.rule.hasRounds) return isOn && text;
    const click = () => card.redo(() => roll.choose(side, name, isFlag ? !isOn : own), `[data-asked="${name}"][data-at="${at}"]`);
    return make("button", { type: "button", click, "aria-pressed": String(isOn), "data-asked": name, "data-at": at }, text);
  });
}));
/** @param {Card} card @param {RollSession} roll */
export const declaredChips = (card, roll) =>
  [...(roll.over ? askedChips(card, roll) : []), roll.spent.length > 0 && say("told spends", { what: loadedParts().pointLabels(roll).join(", ") })]
    .filter(Boolean).map((one) => make("li", "rw-chip", one));
