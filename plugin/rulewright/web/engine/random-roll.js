// Rolls dice at random, from a seed or any other source of numbers.
/** @import * as T from "./engine.d.ts" */
/** @import {Checked, Choose, DicePool, FaceSource, Judge, Rule, BoundRule} from "./parts.d.ts" */
import { chooseAims } from "./aims.js";
import { tableDie } from "./ask-dice.js";
import { playRounds } from "./rounds.js";
import { below, generator } from "./random.js";
import { bindRule, value } from "./bound-rule.js";
import { attempt, best } from "./messages.js";

/** @param {Rule} rule @param {T.Inputs} inputs @param {number | (() => number)} source @param {T.Choices} choices @returns {Checked} */
export function rollRandom(rule, inputs, source, choices = {}) {
  const next = typeof source === "number" ? generator(source) : source;
  const { taking } = chooseAims(rule, choices.aim), take = (/** @type {DicePool} */ pool) => choices.take?.(pool.kind.name) ?? pool.kind.taken ?? taking.what !== "never";
  const [found, complaints] = attempt(() => {
    const [bound, wrong] = bindRule(rule, inputs);
    if (!bound) return { result: null, complaints: wrong };
    const choose = /** @type {Choose} */ (choices.pick ? (_, dice, places, number) =>
      /** @type {any} */ (choices).pick(dice.map(tableDie(rule)), places, rule.rerolls[number].keep) : (choices.advise ?? worstFirst)(bound, choices.aim ?? ""));
    const faces = { face: (/** @type {DicePool} */ pool) => pool.faces[below(next, pool.faces.length)], onward: take, offered: take, choose, prefers: choices.prefers ?? choices.judge?.(choices.aim ?? "") ?? higher, answer: choices.answer ?? choices.answers?.(choices.aim ?? ""), turnDie: turner(choose.turnDie ?? turnHighest) };
    return { result: playRounds(bound, faces), complaints: [] };
  });
  return found ?? { result: null, complaints };
}
/** The face of a die with the highest value. @type {NonNullable<Choose["turnDie"]>} */
export const turnHighest = ({ bound: { kinds }, dice }, place) => {
  const { kind, faces } = kinds[dice[place].kind];
  return best(faces, (face) => kind.faces[face]?.value ?? face);
};
/** @param {NonNullable<Choose["turnDie"]>} chosen @returns {FaceSource["turnDie"]} */
const turner = (chosen) => (play, place, number, left, face) => face ?? chosen(play, place, number, left);
/** Whether a new die is worth more than the old one. @type {Judge} */
export const higher = ({ dice }, place, made) => value(made) > value(dice[place]);
/** The die in most need. @param {BoundRule} bound @returns {Choose} */
export const worstFirst = ({ rule }) => (_, dice, places, number) =>
  best(places, (place) => (rule.rerolls[number].keep === "lower" ? 1 : -1) * value(dice[place]));
