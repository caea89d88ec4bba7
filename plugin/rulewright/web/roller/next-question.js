// The form for the next question of a roll: faces that were rolled on a table, or a choice.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
/** @import {Rule} from "../engine/parts.d.ts" */
import { button, fieldset, focus, labelled, make } from "./dom.js";
import { kindName, labelOf, lower, minus } from "./page-data.js";
import { optionsOf, shown } from "../engine/inputs.js";
import { say } from "../engine/messages.js";

export const CONTROLS = ".rw-asking :is(input, button)";

const HINTS = 6; // faces that show how they are written
/** In a further round: its number, and the values that it begins with. @param {Rule} rule @param {T.Question} question */
const roundTexts = ({ rounds, inputs }, { number, values }) => (number < 2 ? [] : [say("round number", { number }),
  ...inputs.filter(({ name, label }) => label !== "" && name in rounds.carry).map((entry) => say("setting", { name: lower(labelOf(entry)), value: minus(shown(entry, values[entry.name])) }))]);
/** @returns {[string, boolean][]} */
export const yesNo = () => [[say("yes"), true], [say("no"), false]];
/** Faces as people write them. @param {string} text @param {boolean} signs  whether + may be in a face */
const facesIn = (text, signs) => text.split(signs ? /[\s,|]+/ : /[\s,|+]+/).filter(Boolean);
/** @param {Card} card @param {RollSession} roll @param {T.Question} question */
export function questionForm(card, roll, question) {
  const { what, dice, labels, anew, earned, left, kind: name } = /** @type {any} */ (question), own = roll.sides[roll.bout.side];
  const kind = name && kindName(own, name), dieText = (/** @type {T.TableDie} */ die) => `${kindName(own, die.kind)} ${minus(die.text)}`;
  const lying = roundTexts(own, question);
  const whole = (/** @type {string} */ text, /** @type {any[]} */ ...more) => [lying.length > 0 && make("p", "rw-told", lying.join(" · ")),
    fieldset("rw-choices", (roll.rule.contest ? `${card.sideNames[roll.bout.side]}: ` : "") + text, ...more)];
  const choices = (/** @type {string} */ text, /** @type {[string, T.Answer][]} */ list) => whole(text, list.map(([name, one]) => button(name, () => {
    roll.answer(one);
    card.onward(roll);
    focus(card.host, CONTROLS, ".rw-roll");
  })));
  if (question.what === "pick")
    return choices(question.name ? labelOf(/** @type {T.Input} */ (own.inputs.find((one) => one.name === question.name))) : question.more ? say(question.keep === "turn" ? "roll turn which" : "roll pick more") : question.keep === "turn" ? say("roll turn which") : say("roll pick", { keep: say(`keep ${question.keep}`) }),
      [...question.places.map((place) => /** @type {[string, number]} */ ([dieText(dice[place]), place])), [say("roll none"), null]]);
  if (question.what === "keep") return choices(say("roll which", { kind }), question.pair.map((text, place) => [minus(text), place > 0]));
  if (question.what === "turn") return choices(say("roll turn", { die: `${kind} ${minus(question.text)}` }), question.labels.map((text) => [minus(text), text]));
  if (question.what === "choice") {
    const entry = /** @type {T.Input} */ (own.inputs.find((one) => one.name === question.name));
    return choices(labelOf(entry), optionsOf(entry).map((value) => [entry.form === "flag" ? say(value ? "yes" : "no") : String(value), value]));
  }
  if (what !== "face") return choices(say(`roll ${what}`, { kind }), yesNo());
  const hints = [...new Set(/** @type {string[]} */ (labels))], isDeck = own.dice.some((one) => one.name === name && one.deck.length);
  const placeholder = hints.slice(0, HINTS).join(" ") + (hints.length > HINTS ? " …" : "");
  const box = make("input", { type: "text", inputmode: labels.length ? null : "numeric", autocomplete: "off", placeholder });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    roll.typed = facesIn(box.value, labels.some((/** @type {string} */ one) => one.includes("+")));
    card.onward(roll);
    focus(card.host, CONTROLS, ".rw-roll");
  };
  const text = anew ? "roll anew" : earned ? "roll faces earned" : isDeck ? "roll cards" : "roll faces";
  return make("form", { class: "rw-typing", submit, input: () => card.refresh() },
    whole(say(text, { kind, number: left }), labelled(say("roll shown"), box), make("button", "rw-button", say("roll take"))));
}
