// A roll, or the throws of a contest, played as far as faces and choices are known.
/** @import * as T from "./engine.d.ts" */
/** @import {Bout, Rule} from "./parts.d.ts" */
import { ask, winner } from "./asking.js";
import { SIDES } from "./odds.js";
import { labelOf, minus, sideName, sidesOf } from "./page.js";
import { below } from "./random.js";
import { spend } from "./spend.js";
import { say } from "./words.js";

export const MOST_TIES = 100;

export class Match {
  spent = /** @type {string[]} */ ([]); // points, once the dice lie
  /** What was thrown or told, by what was asked: points and choices change no die that lies. @type {Map<string, T.Answer[]>} */
  lying = new Map();
  keys = /** @type {string[]} */ ([]);
  bouts = /** @type {Bout[]} */ ([]);
  typed = /** @type {string[]} */ ([]); // faces that were not yet asked for
  question = /** @type {T.Question | null} */ (null);
  complaints = /** @type {string[]} */ ([]);
  missing = /** @type {T.Input[][]} */ ([]); // inputs without which it cannot go on, side by side
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
      const { side, answers } = this.bout, { inputs, lay } = this.spending(), asking = ask(this.sides[side], inputs, answers);
      this.bout.result = /** @type {any} */ (asking.result && lay(asking.result).result);
      this.complaints = asking.complaints.map(({ message }) => message);
      if (asking.missing) this.plead(this.sides.map(({ inputs }, at) => inputs.filter(({ name }) => at === side && asking.missing?.includes(name))));
      this.question = asking.question;
      if (this.complaints.length) return;
      if (!asking.question) continue;
      const { key, before } = this, known = before[this.keys.filter((one) => one === key).length];
      const faces = known === undefined ? this.faces(asking.question) : [known];
      if (!faces.length) return;
      for (const face of faces) this.answer(face, known === undefined);
    }
  }
  /** Says what must be given. @param {T.Input[][]} missing */
  plead(missing) {
    this.missing = missing;
    this.complaints = pleas(this.rule, missing);
  }
  /** What points leave of the inputs, and do to the dice. @param {string[]} spent */
  spending(spent = this.spent) {
    const { side } = this.bout;
    return spend(this.sides[side], this.inputs[side], spent.join(", "), this.traits);
  }
  /** What is asked; an answer is good for the same question among the same dice. */
  get key() {
    const { what, round, dice, kind, anew } = /** @type {any} */ (this.question);
    return [this.bouts.length, what, round, ...(what === "pick" ? dice.map(dieText) : [kind, anew])].join();
  }
  get before() {
    return this.lying.get(this.key) ?? [];
  }
  /** @param {T.Answer} one */
  answer(one, fresh = true) {
    const { key } = this;
    if (fresh) this.lying.set(key, [...this.before, one]);
    this.keys.push(key);
    this.bout.answers.push(one);
  }
  /** The last answer was none. */
  retract() {
    this.lying.get(this.keys.pop() ?? "")?.pop();
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
    const simple = this.sides[this.bout.side].dice.every(({ explode, again }) => !explode && !again?.optional?.tree);
    return Array.from({ length: simple ? Math.max(left, 1) : 1 }, () => {
      const place = below(next, sides);
      return labels.length ? labels[place] : place + 1;
    });
  }
  /** An input that was asked for once the dice lay. @param {number} side @param {string} name @param {any} value */
  choose(side, name, value) {
    this.inputs = this.inputs.with(side, { ...this.inputs[side], [name]: value });
  }
  /** The points that there are, as they are written and as a reader sees them. @returns {[string, string][]} */
  get offers() {
    const { rule } = this, able = rule.contest ? [] : rule.spends.filter(({ changes }) => !Object.keys(changes).some((name) => rule.asked.has(name)));
    return able.flatMap(({ name, label, highest }) => (highest.length > 1 ? highest : [""]).map((kind) => [`${name} ${kind}`.trim(), kind ? `${label} (${kind})` : label]));
  }
  /** Whether these points can be spent, and do something. @param {string[]} spent */
  helps(spent) {
    const { inputs, complaints, lay } = this.spending(spent), before = this.spending().inputs;
    if (complaints.length || ask(this.rule, inputs, []).complaints.length) return false;
    if (JSON.stringify(inputs) !== JSON.stringify(before)) return true;
    const plain = ask(this.rule, inputs, this.bout.answers).result, after = plain && lay(plain);
    return !!after && !after.complaints.length && JSON.stringify(after.result.steps) !== JSON.stringify(this.bout.result?.steps);
  }
}
/** Which inputs must be given, side by side. @param {Rule} rule @param {T.Input[][]} missing */
export const pleas = (rule, missing) => missing.flatMap((some, side) => some.length
  ? (rule.contest ? `${sideName(SIDES[side])}: ` : "") + say("wrong open", { names: some.map(labelOf).join(", ") }) : []);
export const dieText = (/** @type {T.Lying} */ { kind, text }) => `${kind} ${minus(text)}`;
