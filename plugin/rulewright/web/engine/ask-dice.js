// A roll of dice that fall on a table: whoever throws them is asked, step by step.
/** @import * as T from "./engine.d.ts" */
/** @import {Asking, Die, Faces, Ready, Rule} from "./parts.d.ts" */
import { impossible, readThrows, throwsText } from "./dice-notation.js";
import { Play } from "./roll.js";
import { Result } from "./result.js";
import { settle, value } from "./bound-rule.js";
import { Stop, attempt } from "./messages.js";

/** A die on the table, as others see it. @param {Rule} rule @returns {(die: Die) => T.Lying} */
export const lain = (rule) => (die) => ({
  kind: rule.dice[die.kind].name, round: die.round, value: value(die), text: throwsText(rule.dice[die.kind], die.throws),
});

/** What is still to be told: thrown, so that whoever holds the dice can be asked for it. */
class Asked extends Error {
  /** @param {T.Question} question */
  constructor(question) {
    super();
    this.question = question;
  }
}
/** Plays the answers that are there, and says what has to be answered next.
 * @param {Rule} rule @param {T.Inputs} inputs @param {T.Answer[]} answers @returns {Asking} */
export function ask(rule, inputs, answers) {
  const told = answers[Symbol.iterator]();
  /** @type {Ready | null} */
  let anew = null;
  try {
    const [setting, wrong] = settle(rule, inputs);
    if (!setting) return { question: null, result: null, complaints: wrong };
    /** @type {Play} */
    let play;
    const next = (/** @type {any} */ question) => {
      const { value, done } = told.next();
      if (done) throw new Asked({ ...question, round: play.round, dice: play.dice.map(lain(rule)) });
      return value;
    };
    const decide = (/** @type {string} */ what) => (/** @type {Ready} */ { kind }) => !!next({ what, kind: kind.name, left: play.left });
    /** @type {Faces} */
    const faces = {
      begin: () => (anew = null),
      face: (ready) => {
        const { kind } = ready, labels = kind.faces.map(([label]) => label);
        const question = { what: "face", kind: kind.name, left: anew ? 1 : play.left, sides: ready.faces.length, labels, anew: !!anew };
        const answer = next(question), face = readThrows(ready, String(answer).trim());
        if (face?.length !== 1) throw new Stop(impossible(ready, String(answer).trim() || "?"), "dice");
        return face[0];
      },
      onward: decide("onward"), offered: decide("offered"),
      choose: (_, dice, places, number, left) => /** @type {any} */ (next({ what: "pick", places, left, keep: rule.rerolls[number].keep })),
      rethrow: (ready) => (anew = ready),
    };
    play = new Play(setting, faces);
    return { question: null, result: new Result(play.run()), complaints: [] };
  } catch (error) {
    if (error instanceof Asked) return { question: error.question, result: null, complaints: [] };
    const [, complaints] = attempt(() => { throw error; });
    return { question: null, result: null, complaints, missing: /** @type {any} */ (error).missing };
  }
}
