// A rule bound to values of its inputs, and the transition of each face of its dice.
/** @import * as T from "./engine.d.ts" */
/** @import {Die, Formula, Transition, Rule, Run, Values} from "./parts.d.ts" */
import { withAims } from "./aims.js";
import { bind } from "./inputs.js";
import { knownNames, variables } from "./rule.js";
import { MOST, RollError, say, sum } from "./messages.js";

export class BoundRule {
  /** @param {Rule} declared @param {Values} values @param {number} round */
  constructor(declared, values, round = 1) {
    const rule = withAims(declared, values);
    this.rule = rule;
    this.values = values;
    this.round = round;
    this.known = knownNames(rule, values);
    if (rule.hasRounds) this.known.round = round;
    /** @type {number[]} of the dice on the table, while a roll goes on */
    this.tallies = [];
    /** Whether each question arose, once it was asked. @type {Record<string, boolean>} */
    this.questions = {};
    this.workOut(rule.fixed);
    this.kinds = rule.dice.map((_, number) => new DicePool(this, number));
    this.complete = [...rule.needs].every((name) => name in this.known || rule.steps.has(name));
    this.open = rule.order.filter((name) => !(rule.fixed.includes(name) && name in this.known) && !rule.askedEarly.has(name));
    /** @type {Map<string, any>} */
    this.memory = new Map();
    this.scratch = { ...this.known };
  }
  /** What can be worked out of these values. @param {string[]} names */
  workOut(names) {
    const { rule, known } = this;
    for (const name of names)
      if ([...rule.needed([rule.formula(name)])].every((one) => one in known || rule.asked.get(one)?.is_choice === false)) {
        if (rule.asked.has(name)) this.questions[name] = !!rule.formula(name).run(known, this.tallies);
        this.work(name, known, this.tallies);
      }
  }
  /** Whether a choice arises that has not been made. @param {string} name */
  isOpen(name) {
    return !!this.questions[name] && !(name in this.known);
  }
  /** Makes a choice during a roll; `means` is what formulas take it for. @param {string} name @param {any} value */
  choose(name, value, means = value) {
    this.values = { ...this.values, [name]: value };
    this.known[name] = means;
    this.complete = [...this.rule.needs].every((one) => one in this.known || this.rule.steps.has(one));
  }
  /** The same during a roll: with the tallies of the dice on the table, and with these values worked out. Kinds of dice that
   * have been rolled stay as they are. @param {number[]} tallies @param {string[]} names @param {Set<number>} rolled @returns {BoundRule} */
  continueWith(tallies, names, rolled) {
    const later = Object.assign(Object.create(BoundRule.prototype), this, { known: Object.assign(Object.create(null), this.known), questions: { ...this.questions }, tallies, memory: new Map() });
    later.workOut(names);
    later.scratch = { ...later.known };
    later.kinds = this.kinds.map((pool, number) => (rolled.has(number) ? pool : new DicePool(later, number)));
    return later;
  }
  /** One step, or one question: where it does not arise, the default holds.
   * @param {string} name @param {Values} v @param {number[]} t */
  work(name, v, t) {
    const value = this.rule.formula(name).run(v, t), entry = this.rule.asked.get(name);
    if (!entry) v[name] = value;
    else if (!value) v[name] = entry.default;
    else if (name in this.values && entry.form !== "dice") v[name] = this.values[name];
  }
  /** @param {Formula} formula @returns {number} */
  of(formula) {
    this.demand(formula.names);
    return formula.run(this.known, this.tallies);
  }
  /** @param {Iterable<string>} names */
  demand(names) {
    const missing = [...names].filter((name) => !(name in this.known));
    if (!missing.length) return;
    const needed = this.rule.needed(missing.map((name) => this.rule.steps.get(name) ?? null));
    const wanted = (/** @type {string} */ name) => !(name in this.known) && (needed.has(name) || missing.includes(name));
    const inputs = this.rule.inputs.filter((entry) => variables(entry).some(wanted)).map((entry) => entry.name).sort();
    const stop = new RollError(say("wrong open", { names: inputs.join(", ") }));
    throw Object.assign(stop, { missing: inputs });
  }
  /** Whether an entry of the rule takes a die with this value, which shows this face. @param {any} reroll @param {number} kind @param {number} value @param {number} [face] */
  meets(reroll, kind, value, face) {
    return !reroll.when || !!this.askDie(reroll.when, kind, value, face);
  }
  /** What a formula gives for a die on the table. @param {Formula} formula @param {number} kind @param {number} value @param {number} [face]  which it shows @returns {number} */
  askDie(formula, kind, value, face) {
    const { tests } = this.rule.dice[kind], shown = face === undefined ? {} : this.rule.wordsOn(kind, face);
    const /** @type {Values} */ v = { ...this.known, ...this.rule.words, ...shown, face: value, value, last: 0, throw: 1, sides: this.kinds[kind].size };
    const asked = (/** @type {Formula} */ formula) => {
      this.demand(formula.names.filter((name) => !(name in this.rule.words)));
      return +formula.run(v, []);
    };
    if (formula.names.some((name) => name in tests)) for (const name in tests) v[name] = +!!asked(tests[name]);
    return asked(formula);
  }
  /** @param {Formula} formula */
  describe(formula) {
    return [...formula.names].sort().filter((name) => name in this.known).map((name) => `${name} ${this.known[name]}`).join(", ");
  }
}
/** One kind of dice under these inputs. Each question is answered when it is asked, because each may be refused. */
export class DicePool {
  /** @param {BoundRule} bound @param {number} number */
  constructor(bound, number) {
    this.bound = bound;
    this.number = number;
    this.kind = bound.rule.dice[number];
    this.deck = this.kind.deck_of ?? number; // the kind whose deck it is
    /** @type {number | undefined} */
    this.dice = undefined;
    /** @type {number[] | undefined} */
    this.sides = undefined;
    /** Cards that a deck no longer has. @type {number[]} */
    this.drawn = [];
    /** @type {Map<any, Transition>} */
    this.transitions = new Map();
    const { again } = this.kind, tests = bound.rule.tallies.filter((one) => one.kind === number);
    const asked = [...Object.values(this.kind.tests), ...again.flatMap(({ when, count, optional }) => [when, count, optional]), ...tests.filter(({ perThrow }) => perThrow)];
    const names = asked.flatMap((one) => one?.names ?? []), open = (/** @type {string} */ name) => !(name in bound.rule.words);
    this.names = names.filter(open); // what throws rest on
    this.valueNames = tests.flatMap((one) => (one.perThrow ? [] : one.names)).filter(open); // what whole dice rest on
    this.hasHistory = names.includes("last") || names.includes("throw");
    /** @type {Values | null} */
    this.words = null;
  }
  /** @param {string} name @param {number} number @param {Formula} [formula] */
  stop(name, number, formula) {
    return new RollError(say(name, { kind: this.kind.name, number, inputs: formula && this.bound.describe(formula) }));
  }
  get count() {
    if (this.dice !== undefined) return this.dice;
    const { count } = this.kind, found = this.bound.of(count);
    if (found < 0)
      throw this.stop("wrong few", found, count);
    if (found > MOST) throw new RollError(say("wrong many", { number: grouped(found), most: grouped(MOST) }));
    return (this.dice = this.kind.deck.length ? Math.min(found, this.faces.length) : found);
  }
  /** A deck from which these cards have been drawn. @param {number[]} drawn @returns {DicePool} */
  without(drawn) {
    const left = [...this.faces];
    for (const face of drawn) left.splice(left.indexOf(face), 1);
    return Object.assign(Object.create(this), { sides: left, drawn, dice: undefined });
  }
  /** How many sides a die has, or how many cards a full deck has. */
  get size() {
    return this.faces.length + this.drawn.length;
  }
  /** How many cards of a deck show a face. @param {number} place */
  copies(place) {
    const formula = this.kind.deck[place], found = this.bound.of(formula);
    if (found < 0 || found > MOST)
      throw new RollError(say("wrong copies", { number: grouped(found), mark: this.kind.faces[place].mark, kind: this.kind.name, inputs: this.bound.describe(formula) }));
    return found;
  }
  get faces() {
    if (this.sides) return this.sides;
    const { sides, faces, deck } = this.kind;
    if (deck.length) {
      const copies = deck.map((_, place) => this.copies(place)), cards = sum(copies);
      if (cards > MOST) throw new RollError(say("wrong deck", { kind: this.kind.name, number: grouped(cards), most: grouped(MOST) }));
      return (this.sides = copies.flatMap((number, place) => Array(number).fill(place)));
    }
    if (faces.length) return (this.sides = faces.flatMap(({ copies }, place) => Array(copies).fill(place)));
    const found = this.bound.of(sides);
    if (!(found >= 1 && found <= MOST)) throw this.stop("wrong sides", found, sides);
    return (this.sides = Array.from({ length: found }, (_, face) => face + 1));
  }
  /** How many dice are kept; null when all are. @returns {number | null} */
  get keep() {
    const { keep } = this.kind, found = keep && this.bound.of(keep.number);
    if (found < 0) throw this.stop("wrong keep", found, keep.number);
    return found;
  }
  /** What this face does on this throw of a die. @returns {Transition} */
  transition(face = 0, last = 0, count = 1) {
    const key = this.hasHistory ? `${face},${last},${count}` : face;
    let found = this.transitions.get(key);
    if (!found) this.transitions.set(key, (found = this.makeTransition(face, last, count)));
    return found;
  }
  /** @param {number} face @param {number} last @param {number} count @returns {Transition} */
  makeTransition(face, last, count) {
    const { tests, again } = this.kind, { rule } = this.bound;
    if (!this.words) this.bound.demand(this.names);
    const v = (this.words ??= { ...this.bound.known });
    const asked = (/** @type {Formula | undefined} */ formula) => !!formula?.run(v, []);
    Object.assign(v, rule.words, { last, throw: count, sides: this.size }, rule.wordsOn(this.number, face));
    for (const name in tests) v[name] = +asked(tests[name]);
    /** @type {Record<string, number>} */
    const ways = { explode: 0, reroll: 0 };
    /** @type {[number, number, boolean][]} */
    const earned = [];
    for (const { roll, when, count, optional } of again) {
      if (!asked(when)) continue;
      if (typeof roll === "number") earned.push([roll, count.run(v, []), asked(optional)]);
      else ways[roll] = ways[roll] === 1 || !asked(optional) ? 1 : 2;
    }
    const hits = rule.tallies.map((one) => (one.kind === this.number && one.perThrow ? +!!one.run(v, []) : 0));
    for (const [, number] of earned) if (number < 0) throw this.stop("wrong earns", number);
    return { face, value: rule.wordsOn(this.number, face).face, good: "good" in tests && !!v.good, bad: "bad" in tests && !!v.bad, explodes: ways.explode, rerolls: ways.reroll, earned, hits };
  }
  /** What a die counts for each tally once it lies. @param {number[]} hits  what its throws count @param {number} value */
  finalHits(hits, value) {
    const { known, rule } = this.bound, test = (/** @type {Run} */ run) => {
      this.bound.demand(this.valueNames);
      return +!!run({ ...known, value, sides: this.size }, []);
    };
    return hits.map((hit, place) => {
      const { kind, run, perThrow, function: way } = rule.tallies[place];
      return kind !== this.number || perThrow ? hit : run ? test(run) : way === "count" ? 1 : value;
    });
  }
  /** @param {Transition[]} throws */
  counted(throws) {
    return this.finalHits(throws.map(({ hits }) => hits).reduce((a, b) => a.map((hit, place) => hit + b[place])), valueOf(throws));
  }
}
export const grouped = (/** @type {number} */ number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
export const valueOf = (/** @type {Transition[]} */ throws) => sum(throws.map(({ value }) => value));
export const value = (/** @type {Die} */ die) => valueOf(die.throws);
/** "6+4": the faces of a die as numbers. @param {Die} die */
export const facesOf = ({ throws }) => throws.map(({ face }) => face).join("+");
/** The bound of a rule, remembered as long as nothing changes. @param {Rule} rule @param {T.Inputs} inputs @returns {[BoundRule | null, T.Complaint[]]} */
export function bindRule(rule, inputs) {
  const key = JSON.stringify(inputs);
  if (rule.last?.[0] === key) return [rule.last[1], []];
  const [values, complaints] = bind(rule, inputs);
  if (complaints.length) return [null, complaints];
  const bound = new BoundRule(rule, values);
  rule.last = [key, bound];
  return [bound, []];
}
