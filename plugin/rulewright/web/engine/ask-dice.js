// A roll of real dice on a table: asks for faces and decisions step by step.
/** @import * as T from "./engine.d.ts" */
/** @import {Asking, BoundRule, Die, FaceSource, DicePool, Rule} from "./parts.d.ts" */
import { faceText, impossible, parseThrows, throwsText } from "./face-text.js";
import { findPickable, writePicked } from "./picked-dice.js";
import { DiceRoller } from "./roll.js";
import { playRounds } from "./rounds.js";
import { bindRule, value } from "./bound-rule.js";
import { RollError, attempt } from "./messages.js";

/** A die on the table, as others see it. @param {Rule} rule @returns {(die: Die) => T.TableDie} */
export const tableDie = (rule) => (die) => ({
  kind: rule.dice[die.kind].name, round: die.round, value: value(die), text: throwsText(rule.dice[die.kind], die.rolled),
});

/** Thrown where an answer is missing: the question to ask next. */
class QuestionError extends Error {
  /** @param {T.Question} question */
  constructor(question) {
    super();
    this.question = question;
  }
}
/** Plays the answers that are there, and says what has to be answered next.
 * @param {Rule} rule @param {T.Inputs} inputs @param {T.Answer[]} answers @returns {Asking} */
export function ask(rule, inputs, answers) {
  const replies = answers[Symbol.iterator]();
  /** @type {DicePool | null} */
  let anew = null;
  /** @type {DiceRoller | undefined} */
  let play;
  try {
    const [bound, wrong] = bindRule(rule, inputs);
    if (!bound) return { question: null, result: null, complaints: wrong };
    const begin = (/** @type {BoundRule} */ own) => (play = new DiceRoller(own, faces)), now = () => /** @type {DiceRoller} */ (play);
    const next = (/** @type {any} */ question) => {
      const { value, done } = replies.next(), { bound, round, dice } = now();
      if (done) throw new QuestionError({ ...question, number: bound.round, round, dice: dice.map(tableDie(rule)), values: bound.values });
      return value;
    };
    const decide = (/** @type {string} */ what) => (/** @type {DicePool} */ { kind }) => !!next({ what, kind: kind.name, left: now().left });
    /** @type {FaceSource} */
    const faces = {
      begin: () => (anew = null),
      face: (pool) => {
        const { kind } = pool, labels = kind.faces.length ? pool.faces.map((face) => kind.faces[face].mark) : [];
        const question = { what: "face", kind: kind.name, left: anew ? 1 : now().left, sides: pool.faces.length, labels, anew: !!anew, earned: now().isEarning };
        const answer = next(question), face = parseThrows(pool, String(answer).trim());
        if (face?.length !== 1) throw new RollError(impossible(pool, String(answer).trim() || "?"), "dice");
        return face[0];
      },
      onward: (pool, way) => decide(way === "reroll" ? "reroll" : "onward")(pool), offered: decide("offered"),
      choose: (_, dice, places, number, left) => /** @type {any} */ (next({ what: "pick", places, left, keep: rule.rerolls[number].roll === "turn" ? "turn" : rule.rerolls[number].keep, more: now().taken.length })),
      prefers: ({ dice }, place, made) => !!next({ what: "keep", kind: rule.dice[made.kind].name, pair: [dice[place], made].map((die) => tableDie(rule)(die).text) }),
      rethrow: (pool) => (anew = pool),
      turnDie: ({ bound: { kinds }, dice }, place, _number, _left, face) => {
        const { kind, faces } = kinds[dice[place].kind], shown = [...new Set(faces)], labels = shown.map((own) => faceText(kind, own));
        return face ?? shown[labels.indexOf(String(next({ what: "turn", kind: kind.name, text: tableDie(rule)(dice[place]).text, labels })))];
      },
      answer: ({ bound: now }, { name, form }) => {
        if (form !== "dice") return next({ what: "choice", name });
        const [able, most] = findPickable(now, name), left = [...able];
        while (left.length && left.length > able.length - most) {
          const place = next({ what: "pick", name, places: left.map((die) => die.place), left: most - able.length + left.length });
          if (place === null) break;
          left.splice(left.findIndex((die) => die.place === place), 1);
        }
        return writePicked(rule, able.filter((die) => !left.includes(die)));
      },
    };
    return { question: null, result: playRounds(bound, faces, begin), complaints: [] };
  } catch (error) {
    if (error instanceof QuestionError) return { question: error.question, result: null, complaints: [], play };
    const [, complaints] = attempt(() => { throw error; });
    return { question: null, result: null, complaints, missing: /** @type {any} */ (error).missing };
  }
}
