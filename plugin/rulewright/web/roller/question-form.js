// The form for the next question of a roll: faces that were rolled on a table, or a choice.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Roller} from "./roller.js" */
import { button, fieldset, focus, labelled, make } from "./dom.js";
import { dieText } from "./roll-session.js";
import { sidePrefix } from "./page-data.js";
import { say } from "../engine/messages.js";

export const CONTROLS = ".rw-asking :is(input, button)";

/** @returns {[string, boolean][]} */
export const yesNo = () => [[say("yes"), true], [say("no"), false]];
/** Faces as people write them. @param {string} text @param {boolean} signs  whether + may be a face */
const facesIn = (text, signs) => text.split(signs ? /[\s,|]+/ : /[\s,|+]+/).filter(Boolean);
/** @param {Roller} roller @param {T.Question} question */
export function questionForm(roller, question) {
  const { roll } = roller, { what, dice, labels, anew, round, left, kind } = /** @type {any} */ (question);
  const whole = (/** @type {string} */ text, /** @type {any[]} */ ...more) => [dice.length > 0 && make("p", "rw-told", dice.map(dieText).join(", ")),
    fieldset("rw-choices", sidePrefix(roll.rule, roll.bout.side) + text, ...more)];
  const choices = (/** @type {string} */ text, /** @type {[string, T.Answer][]} */ list) => whole(text, list.map(([name, one]) => button(name, () => {
    roll.answer(one);
    roller.onward();
    focus(roller, CONTROLS, ".rw-go");
  })));
  if (question.what === "pick")
    return choices(say("roll pick", { keep: say(`keep ${question.keep}`) }),
      [...question.places.map((place) => /** @type {[string, number]} */ ([dieText(dice[place]), place])), [say("roll none"), null]]);
  if (what !== "face") return choices(say(what === "onward" ? "roll onward" : "roll offered", { kind }), yesNo());
  const box = make("input", { type: "text", inputmode: labels.length ? null : "numeric", autocomplete: "off" });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    roll.typed = facesIn(box.value, labels.includes("+"));
    roller.onward();
    focus(roller.asking, "input");
  };
  const text = anew ? "roll anew" : round > 1 ? "roll faces earned" : "roll faces";
  return make("form", { class: "rw-typing", submit, input: () => roller.refresh() },
    whole(say(text, { kind, number: left }), labelled(say("roll shown"), box), make("button", "rw-button", say("roll take"))));
}
