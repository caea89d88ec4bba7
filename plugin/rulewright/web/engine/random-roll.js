// Faces that nobody has thrown yet.
/** @import * as T from "./engine.d.ts" */
/** @import {Checked, Choose, Ready, Rule, Setting} from "./parts.d.ts" */
import { lain } from "./ask-dice.js";
import { policies } from "./inputs.js";
import { Play } from "./roll.js";
import { below, generator } from "./random.js";
import { Result } from "./result.js";
import { settle, value } from "./bound-rule.js";
import { attempt, best } from "./messages.js";

/** @param {Rule} rule @param {T.Inputs} inputs @param {number | (() => number)} source @param {T.Choices} choices @returns {Checked} */
export function deal(rule, inputs, source, choices = {}) {
  const next = typeof source === "number" ? generator(source) : source;
  const [taking] = policies(rule, choices.policy ?? ""), take = (/** @type {Ready} */ ready) => choices.take?.(ready.kind.name) ?? taking === "always";
  const [found, complaints] = attempt(() => {
    const [setting, wrong] = settle(rule, inputs);
    if (!setting) return { result: null, complaints: wrong };
    const choose = /** @type {Choose} */ (choices.pick ? (_, dice, places, number) =>
      /** @type {any} */ (choices).pick(dice.map(lain(rule)), places, rule.rerolls[number].keep) : (choices.advise ?? worstFirst)(setting, choices.policy ?? ""));
    const faces = { face: (/** @type {Ready} */ ready) => ready.faces[below(next, ready.faces.length)], onward: take, offered: take, choose };
    return { result: new Result(new Play(setting, faces).run()), complaints: [] };
  });
  return found ?? { result: null, complaints };
}
/** The die in most need. @param {Setting} setting @returns {Choose} */
export const worstFirst = ({ rule }) => (_, dice, places, number) =>
  best(places, (place) => (rule.rerolls[number].keep === "lower" ? 1 : -1) * value(dice[place]));
