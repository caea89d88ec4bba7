// A roll or contest in progress: its dice, answers and choices so far.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Bout, DiceRoller, Rule} from "../engine/parts.d.ts" */
import { ask } from "../engine/ask-dice.js";
import { winner } from "../engine/contest.js";
import { missingInputs } from "../engine/partial-result.js";
import { labelOf, loadedParts, minus, sidePrefix, sidesOf } from "./page-data.js";
import { below } from "../engine/random.js";
import { say } from "../engine/messages.js";

export const MOST_TIES = 100;

export class RollSession {
  /** @type {string[]} */ spent = []; // points, once the dice lie
  /** What was thrown or told, by what was asked: points and choices change no die that lies. @type {Map<string, T.Answer[]>} */
  known = new Map();
  /** @type {string[]} */ keys = [];
  /** @type {Bout[]} */ bouts = [];
  /** @type {string[]} */ typed = []; // faces that were not yet asked for
  /** @type {T.Question | null} */ question = null;
  /** @type {DiceRoller | undefined} */ play; // with the dice on the table, while there is a question
  /** @type {string[]} */ complaints = [];
  /** @type {T.Input[][]} */ missing = []; // inputs without which it cannot go on, side by side
  /** @param {Rule} rule @param {T.Inputs[]} inputs @param {(() => number) | null} next  null where a reader types the faces
   * @param {string[] | null} traits  those that are rolled, where that is known */
  constructor(rule, inputs, next, traits = null) {
    this.rule = rule;
    this.traits = traits;
    this.inputs = inputs;
    this.asked = inputs; // before any choice is added
    this.next = next;
    this.sides = sidesOf(rule);
  }
  get bout() {
    return this.bouts[this.bouts.length - 1];
  }
  get results() {
    return this.bouts.flatMap(({ result }) => result ?? []);
  }
  get last() {
    return this.bouts.slice(-this.sides.length);
  }
  /** First, second, none; again; empty where there are no two sides. */
  get winner() {
    const [one, two] = this.last.map(({ result }) => result);
    return this.rule.contest && one && two ? winner(this.rule, one, two) ?? "" : "";
  }
  get over() {
    const whole = this.bouts.length > 0 && this.bouts.length % this.sides.length === 0 && this.bout.result !== null;
    return whole && (this.winner !== "again" || this.bouts.length >= MOST_TIES * 2);
  }
  /** Goes on as long as nobody has to be asked. */
  advance() {
    this.question = null;
    this.complaints = [];
    this.missing = [];
    while (!this.over) {
      if (!this.bout || this.bout.result) this.bouts.push({ side: this.bouts.length % this.sides.length, answers: [], result: null });
      const { side, answers } = this.bout, spent = this.spent.length ? loadedParts().applySpent(this) : null;
      const asking = ask(this.sides[side], spent?.inputs ?? this.inputs[side], answers), { result } = asking;
      this.bout.result = result && spent ? spent.lay(result).result : result;
      this.complaints = asking.complaints.map(({ message }) => message);
      if (asking.missing) this.askFor(this.sides.map(({ inputs }, at) => inputs.filter(({ name }) => at === side && asking.missing?.includes(name))));
      this.question = asking.question;
      this.play = asking.play;
      if (this.complaints.length) return;
      if (!asking.question) continue;
      const { key, before } = this, known = before[this.keys.filter((one) => one === key).length];
      const faces = known === undefined ? this.faces(asking.question) : [known];
      if (!faces.length) return;
      for (const face of faces) this.answer(face, known === undefined);
    }
  }
  /** Says what must be given. @param {T.Input[][]} missing */
  askFor(missing) {
    this.missing = missing;
    this.complaints = missingMessages(this.rule, missing);
  }
  /** What is asked; an answer is good for the same question among the same dice. */
  get key() {
    const { what, number, round, dice, kind, name, anew } = /** @type {any} */ (this.question);
    return [this.bouts.length, what, number, round, ...(what === "pick" ? dice.map(dieText) : [kind ?? name, anew])].join();
  }
  get before() {
    return this.known.get(this.key) ?? [];
  }
  /** @param {T.Answer} one */
  answer(one, fresh = true) {
    const { key } = this;
    if (fresh) this.known.set(key, [...this.before, one]);
    this.keys.push(key);
    this.bout.answers.push(one);
  }
  /** The last answer was none. */
  retract() {
    this.known.get(this.keys.pop() ?? "")?.pop();
    this.bout.answers.pop();
    this.typed = [];
  }
  /** Everything once more, with the answers that are known. */
  again() {
    this.bouts = [];
    this.keys = [];
    this.advance();
  }
  /** Faces for a question; plain dice of a kind all at once. @param {T.Question} question @returns {T.Answer[]} */
  faces(question) {
    const { next } = this;
    if (question.what !== "face") return [];
    if (!next) return this.typed.splice(0, 1);
    const { sides, labels, left } = question;
    const simple = this.sides[this.bout.side].dice.every(({ again, deck }) => !deck.length && again.every(({ roll, optional }) => typeof roll === "number" && !optional.tree));
    return Array.from({ length: simple ? Math.max(left, 1) : 1 }, () => {
      const place = below(next, sides);
      return labels.length ? labels[place] : place + 1;
    });
  }
  /** An input that was asked for once the dice lay. @param {number} side @param {string} name @param {any} value */
  choose(side, name, value) {
    this.inputs = this.inputs.with(side, { ...this.inputs[side], [name]: value });
  }
}
/** What is empty and must not be, side by side. @param {Rule} rule @param {T.Inputs[]} inputs */
export const missingBySide = (rule, inputs) => sidesOf(rule).map((side, at) => (side.inputs.some((entry) => entry.default === null) ? missingInputs(side, inputs[at], rule.contest?.compare) : []));
/** Which inputs must be given, side by side. @param {Rule} rule @param {T.Input[][]} missing */
export const missingMessages = (rule, missing) => missing.flatMap((some, side) => some.length
  ? sidePrefix(rule, side) + say("wrong open", { names: some.map(labelOf).join(", ") }) : []);
const dieText = (/** @type {T.TableDie} */ { kind, text }) => `${kind} ${minus(text)}`;
