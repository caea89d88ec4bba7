// The form for the next question of a roll: faces that were rolled on a table, or a choice.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
import { button, fieldset, focus, labelled, make } from "./dom.js";
import { kindName, labelOf, minus } from "./page-data.js";
import { optionsOf } from "../engine/inputs.js";
import { say } from "../engine/messages.js";

export const CONTROLS = ".rw-asking :is(input, button)";

/** @returns {[string, boolean][]} */
export const yesNo = () => [[say("yes"), true], [say("no"), false]];
/** Faces as people write them. @param {string} text @param {boolean} signs  whether + may be a face */
const facesIn = (text, signs) => text.split(signs ? /[\s,|]+/ : /[\s,|+]+/).filter(Boolean);
/** @param {Card} card @param {RollSession} roll @param {T.Question} question */
export function questionForm(card, roll, question) {
  const { what, dice, labels, anew, earned, left, kind: name } = /** @type {any} */ (question), own = roll.sides[roll.bout.side];
  const kind = name && kindName(own, name), dieText = (/** @type {T.TableDie} */ die) => `${kindName(own, die.kind)} ${minus(die.text)}`;
  const whole = (/** @type {string} */ text, /** @type {any[]} */ ...more) => [dice.length > 0 && make("p", "rw-told", dice.map(dieText).join(", ")),
    fieldset("rw-choices", (roll.rule.contest ? `${card.sideNames[roll.bout.side]}: ` : "") + text, ...more)];
  const choices = (/** @type {string} */ text, /** @type {[string, T.Answer][]} */ list) => whole(text, list.map(([name, one]) => button(name, () => {
    roll.answer(one);
    card.onward(roll);
    focus(card.host, CONTROLS, ".rw-roll");
  })));
  if (question.what === "pick")
    return choices(question.name ? labelOf(/** @type {T.Input} */ (own.inputs.find((one) => one.name === question.name))) : say("roll pick", { keep: say(`keep ${question.keep}`) }),
      [...question.places.map((place) => /** @type {[string, number]} */ ([dieText(dice[place]), place])), [say("roll none"), null]]);
  if (question.what === "choice") {
    const entry = /** @type {T.Input} */ (own.inputs.find((one) => one.name === question.name));
    return choices(labelOf(entry), optionsOf(entry).map((value) => [entry.form === "flag" ? say(value ? "yes" : "no") : String(value), value]));
  }
  if (what !== "face") return choices(say(`roll ${what}`, { kind }), yesNo());
  const box = make("input", { type: "text", inputmode: labels.length ? null : "numeric", autocomplete: "off" });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    roll.typed = facesIn(box.value, labels.includes("+"));
    card.onward(roll);
    focus(card.host, CONTROLS, ".rw-roll");
  };
  const text = anew ? "roll anew" : earned ? "roll faces earned" : "roll faces";
  return make("form", { class: "rw-typing", submit, input: () => card.refresh() },
    whole(say(text, { kind, number: left }), labelled(say("roll shown"), box), make("button", "rw-button", say("roll take"))));
}
