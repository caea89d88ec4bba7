// The result of a roll: steps, outcome, degree, and the dice as text.
/** @import * as T from "./engine.d.ts" */
/** @import {Die, TableDie, Transition, DiceRoller, Values} from "./parts.d.ts" */
import { faceText, throwsText } from "./face-text.js";
import { fillCertain } from "./partial-result.js";
import { pickingSteps, setNames, setReader, tallyNames } from "./dice-sets.js";
import { MOST, attempt, sum } from "./messages.js";

export class Result {
  /** @param {DiceRoller} play */
  constructor(play) {
    const { bound } = play, { rule } = bound;
    this.bound = bound;
    this.rule = rule;
    this.play = play;
    this.inputs = bound.values;
    this.ownDeclined = play.declined;
    /** The rounds before. @type {Result[]} */
    this.before = [];
    /** Whether no further round follows; null where that is not known. @type {boolean | null} */
    this.isOver = true;
    this.tallies = play.tallies();
    /** @type {Values} */
    this.steps = {};
    /** @type {any} */
    this.ownOutcome = null;
    /** @type {number | null} */
    this.ownDegree = null;
    if (bound.complete) this.work();
    else fillCertain(this);
    this.addPicked();
  }
  work() {
    const { rule, bound, tallies } = this, v = bound.scratch; // what is not known yet is worked out in order
    for (const name of bound.open) bound.work(name, v, tallies);
    for (const name of rule.steps.keys()) this.steps[name] = v[name];
    this.ownOutcome = rule.outcomes.find(({ when }) => !when || when.run(v, tallies)) ?? null;
    this.ownDegree = this.ownOutcome?.degree?.run(v, tallies) ?? null;
    rule.reads.forEach((read, number) => {
      const names = tallyNames(rule, number);
      if (read && [...names].every((name) => name in v)) tallies[number] = read(v, tallies);
    });
  }
  get outcome() {
    return this.isOver ? this.ownOutcome : null;
  }
  get degree() {
    return this.isOver ? this.ownDegree : null;
  }
  /** All rounds, this one included. @returns {Result[]} */
  get rounds() {
    return [...this.before, this];
  }
  get declined() {
    return sum(this.rounds.map(({ ownDeclined }) => ownDeclined));
  }
  /** Steps that are sets of dice: their faces. */
  addPicked() {
    const { rule, steps } = this, { picked, stepNames } = rule;
    if (!picked.size) return;
    for (const [name, set] of picked) {
      const dice = this.diceIn(set);
      steps[name] = dice && dice.map((die) => throwsText(rule.dice[die.kind], die.throws)).join(" ");
    }
    this.steps = Object.fromEntries(stepNames.map((name) => [name, steps[name]]));
  }
  /** The dice in a set; null where these are not known. @param {number} set @returns {TableDie[] | null} */
  diceIn(set) {
    const { rule, known } = this;
    return setNames(rule, set).every((one) => one in known) ? setReader(rule, set, rule.game)(known, this.tallies) : null;
  }
  /** The value of a function over dice, which may be several tallies. @param {number[]} numbers @returns {number | null} */
  addTallies(numbers) {
    const found = numbers.map((number) => this.tallies[number] ?? NaN);
    return found.some(Number.isNaN) ? null : sum(found);
  }
  get knownSteps() {
    return Object.fromEntries(Object.entries(this.steps).filter(([name, value]) => value !== null && !this.rule.picks.has(name)));
  }
  /** Inputs whose question does not arise. */
  get unasked() {
    const { rule, bound } = this, v = { ...bound.known, ...this.knownSteps }, isEarly = (/** @type {string} */ name) => rule.askedEarly.has(name) && name in bound.questions;
    const able = [...rule.asked.values()].filter(({ name, asked }) => isEarly(name) || [...rule.needed([asked])].every((one) => one in v));
    return able.filter(({ name, asked }) => !(isEarly(name) ? bound.questions[name] : asked.run(v, this.tallies))).map(({ name }) => name);
  }
  /** Inputs whose question arises: a choice that is to be made now. */
  get asks() {
    const { unasked } = this;
    return [...this.rule.asked.keys()].filter((name) => !unasked.includes(name));
  }
  /** Every value that formulas can name, as far as it is known. @returns {Values} */
  get known() {
    const defaults = this.unasked.map((name) => [name, this.rule.asked.get(name).default]);
    return { ...this.bound.known, ...Object.fromEntries(defaults), ...this.knownSteps };
  }
  /** How many good faces are removed, and how many cancelled. */
  get marks() {
    const { rule, known } = this, /** @type {Record<string, number>} */ found = {};
    for (const name of ["removed", "cancelled"]) {
      const formula = rule.marks[name];
      if (formula && [...rule.needed([formula])].every((one) => one in known)) {
        const [count] = attempt(() => Math.max(formula.run(known, this.tallies), 0));
        if (count !== null) found[name] = count;
      }
    }
    return found;
  }
  /** The faces of every die, in the order thrown. @returns {T.Shown[][]} */
  get faces() {
    const { marks, rule } = this, picks = pickingSteps(rule).map((name) => this.diceIn(/** @type {number} */ (rule.picked.get(name))));
    const waiting = ["removed", "cancelled"].flatMap((role) => Array(Math.min(marks[role] ?? 0, MOST)).fill(role));
    return this.play.dice.map((die, at) => this.faceRoles(die, waiting, picks.flatMap((dice, number) => (dice?.some(({ place }) => place === at) ? `picked ${number + 1}` : []))));
  }
  /** @param {Die} die @param {string[]} waiting @param {string[]} picked @returns {T.Shown[]} */
  faceRoles(die, waiting, picked) {
    const kind = this.rule.dice[die.kind], base = [...(die.earned ? ["earned"] : []), ...(die.kept ? [] : ["dropped"]), ...picked];
    const show = (/** @type {Transition} */ { face }, /** @type {string[]} */ roles) =>
      ({ kind: kind.name, text: faceText(kind, face), round: die.round, roles });
    const gone = die.tries.filter((throws) => throws !== die.rolled).flat();
    return [...gone.map((landing) => show(landing, ["rerolled"])), ...die.rolled.map((landing, number) => {
      const roles = [...base, ...(landing.isReplaced ? ["rerolled"] : [...(landing.good ? ["good"] : []), ...(landing.bad ? ["bad"] : [])])];
      if (landing.good && !landing.isReplaced && die.kept && waiting.length) roles.push(/** @type {string} */ (waiting.shift()));
      return show(landing, number && !die.rolled[number - 1].isReplaced ? [...roles, "thrown on"] : roles);
    })];
  }
  /** The dice as a record that can be pasted into a book. */
  get dice() {
    return this.rounds.map(({ ownDice }) => ownDice).join("; ");
  }
  get ownDice() {
    const { dice } = this.rule, groups = new Map();
    for (const die of this.play.dice) {
      const key = `${die.round} ${die.kind}`;
      if (!groups.has(key)) groups.set(key, dice.length > 1 ? [dice[die.kind].name] : []);
      groups.get(key).push(throwsText(dice[die.kind], (die.tries.length ? die.tries : [die.rolled])[0]));
    }
    return [...groups.values()].map((texts) => texts.join(" ")).join(" | ");
  }
  /** The rerolls as they are recorded: "skill 2 -> 4, attribute 1 -> 3"; with bars between those of the rule where a choice was cut short. */
  get rerolled() {
    return this.againText(false);
  }
  /** Dice that were turned, alike. */
  get turned() {
    return this.againText(true);
  }
  /** @param {boolean} isTurned */
  againText(isTurned) {
    const texts = this.rounds.map((round) => round.ownAgain(isTurned));
    return texts.some(Boolean) ? texts.join("; ") : "";
  }
  /** @param {boolean} isTurned */
  ownAgain(isTurned) {
    const text = (/** @type {Die} */ die) => throwsText(this.rule.dice[die.kind], die.rolled), { rerolls, parted } = this.play;
    /** @type {string[][]} */
    const turns = [];
    for (const [old, made, turn, stays, own] of rerolls) {
      if (own !== isTurned) continue;
      const lies = stays === null ? "" : ` = ${text(stays ? old : made)}`;
      (turns[parted ? turn : 0] ??= []).push(`${this.rule.dice[old.kind].name} ${text(old)} -> ${text(made)}${lies}`);
    }
    return turns.map((own) => own.join(", ")).join(" | ").trim();
  }
}
