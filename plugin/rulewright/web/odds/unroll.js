// Rewrites formulas over sets of dice as plain formulas over numbers that sources of chance decide, as odds/unroll.py, which
// explains it. A member stands for dice of a kind that no formula tells apart; in a set it has the dice from `low` to `high`.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Member, Rule} from "../engine/parts.d.ts" */
import { addUp, either, compared, extreme, isSame, joinTests, textOf, mapped, multiply, subtract, asTruth } from "./fold.js";
import { NotExactError } from "./budget.js";
import { kindsIn, setKinds, tallyKinds } from "./rule-facts.js";

export const PAIR_COST = 2; // what it costs to tell which of two members is picked first
const BEYOND = 2 ** 40; // beyond every value of a die
export const DICE = "how many dice"; // word of a die with those of its own kind that it earns
/** @typedef {Record<string, T.Tree>} Words */
/** @typedef {Map<number, [T.Tree, T.Tree]>} Dice  by the number of the member */

/** The dice of a kind must be told apart in the order rolled. */
export class OrderMattersError extends NotExactError {
  /** @param {number} kind @param {number | null} first */
  constructor(kind, first = null) {
    super();
    this.kind = kind;
    this.first = first;
  }
}
/** The kinds that earn dice of a kind, with the entries that say so; not the kind itself, but for cards. @param {Rule} rule @param {number} kind @returns {Map<number, any[]>} */
export const earningOf = (rule, kind) =>
  new Map(rule.dice.map((own, number) => /** @type {[number, any[]]} */ ([number, own.again.filter(({ roll }) => roll === kind)])).filter(([number, entries]) => entries.length && (number !== kind || rule.dice[kind].deck.length)));
/** Whether dice earn dice of their own kind, with which they are one. @param {Rule} rule @param {number} kind */
export const isFamily = (rule, kind) => rule.dice[kind].earnedKinds.includes(kind) && !rule.dice[kind].deck.length;
/** @param {Rule} rule @param {number} kind */
const rollsOn = (rule, kind) => rule.dice[kind].explodes || rule.dice[kind].rerolls;
/** Whether a die may be rolled several times, or comes with others of its kind. @param {Rule} rule @param {number} kind */
export const goesOn = (rule, kind) => rollsOn(rule, kind) || isFamily(rule, kind);

/** What formulas of a walk call the answer to a question. @param {string} name */
export const chosenName = (name) => `CHOSEN_${name}`;
/** What they call the number of dice that are picked, of the member at this place of a kind. @param {string} name @param {number} kind @param {number} place */
export const takenName = (name, kind, place) => `${chosenName(name)}_N${kind}_${place}`;
/** What they call the whole answer that a name is a part of. @param {string} name */
export const questionOf = (name) => name.split("_N")[0];

export class Unroller {
  /** @param {Rule} rule @param {Words} known @param {Map<number, Member[]>} tables @param {Map<number, Record<string, any[]>>} domains @param {boolean} eager @param {number[]} waiting  kinds that wait for more dice */
  constructor(rule, known, tables, domains, eager, waiting = []) {
    this.rule = rule;
    this.known = known;
    this.tables = tables;
    this.domains = domains;
    this.eager = eager;
    this.complete = new Set([...tables.keys()].filter((kind) => !waiting.includes(kind)));
    this.members = [...tables.keys()].sort((a, b) => a - b).flatMap((kind) => tables.get(kind) ?? []);
    /** What is asked about single dice, by kind. @type {Map<number, Map<string, T.Tree>>} */
    this.asked = new Map([...tables.keys()].map((kind) => [kind, new Map()]));
    /** What is asked of each throw of dice that go on, by kind and word. @type {Map<number, Map<string, {tree: T.Tree, isEarning: boolean}>>} */
    this.askedThrows = new Map([...tables.keys()].map((kind) => [kind, new Map()]));
    /** @type {Map<string, Dice>} */
    this.sets = new Map();
    /** @type {Map<T.Tree, T.Tree>} */
    this.done = new Map();
    this.budget = /** @type {any} */ (null); // that pays for comparing members with one another
  }
  /** A formula without dice that lie. @param {T.Tree} tree @returns {T.Tree} */
  unroll(tree) {
    if (!this.done.has(tree)) this.done.set(tree, this.formula(tree, null, {}));
    return /** @type {T.Tree} */ (this.done.get(tree));
  }
  /** A formula, with the words of a die, and those that run over faces. @param {T.Tree} tree @param {Words | null} words @param {Words} over @returns {T.Tree} */
  formula(tree, words, over) {
    if (!Array.isArray(tree)) return tree;
    const [op, first] = tree;
    if (op === "name") {
      if (words && first in words) return words[first];
      if (first in over) return over[first];
      return (words || Object.keys(over).length) && first in this.known ? this.known[first] : tree;
    }
    if (op === "tally") return this.tally(tree, over);
    if (op === "dice") return setKinds(this.rule, first).every((kind) => this.complete.has(kind)) ? addUp(this.sizes(this.apart(this.dice(first, over))).map(([, size]) => size)) : tree; // a step that is a set
    if (op === "earned") return this.earned(tree);
    return mapped(tree, (part) => this.formula(part, words, over), this.rule.game);
  }
  /** A number that decides which dice are meant. @param {T.Tree} tree @param {Words} over */
  fixed(tree, over) {
    return this.formula(tree, {}, over);
  }
  /** @param {any} tree @param {Words} over @returns {T.Tree} */
  tally(tree, over) {
    const number = tree[1], tally = this.rule.tallies[number];
    if (![...tallyKinds(this.rule, number)].every((kind) => this.complete.has(kind))) {
      if (Object.keys(over).length) throw new NotExactError();
      return tree;
    }
    if (tally.word) return this.over(tally, over);
    const dice = this.dice(/** @type {number} */ (tally.set), over);
    if (tally.function === "groups") return this.groups(/** @type {T.Tree} */ (tally.test), this.apart(dice), over);
    if (tally.function === "sum" || tally.function === "count") return addUp(this.sizes(dice).map(([one, size]) => multiply([this.worth(tally, one, over), size])));
    if (tally.perThrow && [...dice.keys()].some((one) => rollsOn(this.rule, this.members[one].kind))) throw new NotExactError();
    return this.extreme(tally, this.apart(dice), over);
  }
  /** Dice that are told apart: those that earn dice of their own kind are only counted together. @param {Dice} dice */
  apart(dice) {
    if ([...dice.keys()].some((number) => isFamily(this.rule, this.members[number].kind))) throw new NotExactError();
    return dice;
  }
  /** How many dice of a kind are earned by dice that lie since a stage of the walk. @param {any} tree @returns {T.Tree} */
  earned(tree) {
    const [, kind, since] = tree, earning = earningOf(this.rule, kind);
    if (![...earning.keys()].every((one) => this.tables.has(one))) return tree;
    /** @type {T.Tree[]} */
    const found = [];
    this.members.forEach((member, number) => {
      for (const { when, count, optional } of member.since >= since ? earning.get(member.kind) ?? [] : []) {
        let amount = either(asTruth(when.tree), count.tree, 0);
        if (!(this.rule.dice[member.kind].taken ?? this.eager)) amount = either(asTruth(optional.tree), 0, amount);
        found.push(multiply([goesOn(this.rule, member.kind) ? this.askThrows(number, amount, {}, true) : this.ask(number, amount, {}), member.count]));
      }
    });
    return addUp(found);
  }
  /** A word that runs over faces or numbers, written out. @param {any} tally @param {Words} over @returns {T.Tree} */
  over(tally, over) {
    const values = this.domain(tally.domain, over);
    if (!values) throw new NotExactError();
    const parts = values.map((value) => this.formula(tally.test, null, { ...over, [tally.word]: typeof value === "string" ? ["word", value] : value }));
    if (tally.function === "max" || tally.function === "min") return parts.length ? extreme(tally.function, parts) : 0;
    return addUp(parts);
  }
  /** @param {any} tree @param {Words} over @returns {(number | string)[] | null} */
  domain(tree, over) {
    if (tree[0] === "faces") {
      const [, part, ...kinds] = tree;
      const found = new Set(kinds.flatMap((/** @type {number} */ kind) => (this.domains.get(kind)?.[part || "face"] ?? []).filter((one) =>
        !part || this.rule.dice[kind].faces.some(({ words }) => words[part] === one)))); // further cards, such as jokers, do not have it
      return /** @type {any[]} */ ([...found]).sort((a, b) => +(typeof a === "string") - +(typeof b === "string") || (a < b ? -1 : 1));
    }
    const [low, high] = tree.slice(1).map((/** @type {T.Tree} */ arg) => this.fixed(arg, over));
    return typeof low === "number" && typeof high === "number" ? Array.from({ length: Math.max(high - low + 1, 0) }, (_, place) => low + place) : null;
  }
  /** What each die of a member gives. @param {any} tally @param {number} number @param {Words} over @returns {T.Tree} */
  worth(tally, number, over) {
    const { kind, words } = this.members[number];
    if (tally.test === null) return tally.function === "count" ? words[DICE] ?? 1 : this.ask(number, ["name", "value"], over);
    if (isFamily(this.rule, kind) || (tally.perThrow && rollsOn(this.rule, kind))) return this.askThrows(number, tally.test, over);
    return this.ask(number, tally.test, over);
  }
  /** What a formula says about the dice of a member. @param {number} number @param {T.Tree} tree @param {Words} over */
  ask(number, tree, over) {
    const member = this.members[number], plain = this.formula(tree, {}, over), asked = this.asked.get(member.kind), key = textOf(plain);
    if (asked && !asked.has(key)) asked.set(key, plain);
    return this.formula(plain, member.words, {});
  }
  /** What a formula says about the throws of a die that goes on, all together. @param {number} number @param {T.Tree} tree @param {Words} over @returns {T.Tree} */
  askThrows(number, tree, over, isEarning = false) {
    const { kind, words } = this.members[number], plain = this.formula(tree, {}, over), word = `${isEarning ? "earned" : "throws"}: ${textOf(plain)}`;
    this.askedThrows.get(kind)?.set(word, { tree: plain, isEarning });
    return words[word] ?? this.formula(plain, words, {});
  }
  /** Something else that is asked about the dice of a kind. @param {number} kind @param {T.Tree} tree */
  askKind(kind, tree) {
    const plain = this.formula(tree, {}, {}), asked = this.asked.get(kind), key = textOf(plain);
    if (asked && !asked.has(key)) asked.set(key, plain);
  }
  /** How many dice of each member are in a set. @param {Dice} dice */
  sizes(dice) {
    return [...dice].map(([number, [low, high]]) => /** @type {[number, T.Tree]} */ ([number, subtract(high, low)])).filter(([, size]) => size !== 0);
  }
  /** The highest or lowest of a set; 0 if nothing is there. @param {any} tally @param {Dice} dice @param {Words} over @returns {T.Tree} */
  extreme(tally, dice, over) {
    const sizes = this.sizes(dice), worths = sizes.map(([number]) => this.worth(tally, number, over)), isHigh = tally.function === "highest";
    const known = /** @type {number[]} */ (worths.filter((worth) => typeof worth === "number")), isPlain = known.length === worths.length;
    let floor = isPlain ? (known.length ? (isHigh ? Math.min(...known) : Math.max(...known)) : 0) : isHigh ? -BEYOND : BEYOND;
    if (isHigh && isPlain && floor >= 0) floor = 0;
    if (!sizes.length) return 0;
    const found = extreme(isHigh ? "max" : "min", sizes.map(([, size], place) => either(compared(">", size, 0), worths[place], floor)));
    return floor === 0 && isHigh ? found : either(compared(">", addUp(sizes.map(([, size]) => size)), 0), found, 0);
  }
  /** How many groups of dice reach a number: an operation on a pile, values and how often they are there. @param {T.Tree} least @param {Dice} dice @param {Words} over @returns {T.Tree} */
  groups(least, dice, over) {
    return ["groups", this.fixed(least, over), 0, ...this.sizes(dice).flatMap(([number, size]) => [this.ask(number, ["name", "value"], over), size])];
  }
  /** @param {number} number @param {Words} over @returns {Dice} */
  dice(number, over) {
    const key = `${number} ${textOf(/** @type {any} */ (Object.entries(over)))}`, own = this.rule.sets[number];
    if (!this.sets.has(key)) {
      const made = this.makeSet(own, over);
      this.sets.set(key, own.op === "kind" || own.op === "together" ? made : this.apart(made));
    }
    return /** @type {Dice} */ (this.sets.get(key));
  }
  /** @param {any} own @param {Words} over @returns {Dice} */
  makeSet(own, over) {
    if (own.op === "kind") return new Map(this.members.flatMap((member, number) => (member.kind === own.of[0] ? [[number, [0, member.count]]] : [])));
    if (own.op === "highest" || own.op === "lowest") return this.pick(own, over);
    if (own.op === "first") return this.first(own, over);
    if (own.op === "together") {
      /** @type {Dice} */
      const found = new Map();
      for (const part of own.of) for (const [number, range] of this.dice(part, over)) found.set(number, found.has(number) ? unite(this.members[number], /** @type {any} */ (found.get(number)), range) : range);
      return found;
    }
    const dice = this.dice(own.of[0], over);
    if (own.op === "without") {
      const taken = this.dice(own.of[1], over), isPart = this.isPart(own.of[1], own.of[0]);
      return new Map([...dice].map(([number, range]) => [number, taken.has(number) ? takeAway(this.members[number], range, /** @type {any} */ (taken.get(number)), isPart) : range]));
    }
    if (own.op === "any") return new Map([...dice].map(([number, [low]]) => [number, [low, addUp([low, ["name", this.takenName(own.by[1], number)]])]]));
    if (own.op !== "where") throw new NotExactError();
    /** @type {Dice} */
    const found = new Map();
    for (const [number, [low, high]] of dice) {
      const test = asTruth(this.ask(number, own.test, over));
      if (test !== 0) found.set(number, [low, either(test, high, low)]);
    }
    return found;
  }
  /** What formulas call the number of dice of a member that a player picks. @param {string} name @param {number} number */
  takenName(name, number) {
    const { kind } = this.members[number];
    return takenName(name, kind, number - this.members.findIndex((own) => own.kind === kind));
  }
  /** Whether all dice of one set are in another, as far as that is plain. @param {number} number @param {number} other @returns {boolean} */
  isPart(number, other) {
    const { op, of } = this.rule.sets[number], parts = op === "without" ? of.slice(0, 1) : op === "kind" ? [] : of;
    return number === other || (parts.length > 0 && parts.every((part) => this.isPart(part, other)));
  }
  /** The first dice as rolled. @param {any} own @param {Words} over @returns {Dice} */
  first(own, over) {
    const limit = this.fixed(own.number.tree, over), most = this.rule.sets[own.of[0]].op === "kind" && typeof limit === "number" ? limit : null;
    /** @type {Dice} */
    const found = new Map(), before = [subtract(0, limit)];
    for (const [number, [low, high]] of this.dice(own.of[0], over)) {
      const { block, place, kind } = this.members[number];
      if (block && most !== null && (most <= block[0] || most >= block[1])) {
        found.set(number, [low, block[1] <= most ? high : low]);
        continue;
      }
      if (place === null) throw new OrderMattersError(kind, most);
      found.set(number, pickFrom([low, high], before));
      before.push(subtract(high, low));
    }
    return found;
  }
  /** The highest or lowest dice of a set: of each member what the better ones leave. @param {any} own @param {Words} over @returns {Dice} */
  pick(own, over) {
    const limit = subtract(0, this.fixed(own.number.tree, over)), dice = this.dice(own.of[0], over), keys = new Map([...dice.keys()].map((number) => [number, this.ask(number, own.by ?? ["name", "value"], over)]));
    this.budget?.spend(PAIR_COST * dice.size ** 2);
    return new Map([...dice].map(([number, range]) => {
      const better = [...dice].filter(([other]) => other !== number).map(([other, [low, high]]) => multiply([this.isBefore(other, number, keys, own.op), subtract(high, low)]));
      return [number, pickFrom(range, [limit, ...better])];
    }));
  }
  /** Whether one member is picked before another; of equal ones the first as declared, then as rolled.
   * @param {number} left @param {number} right @param {Map<number, T.Tree>} keys @param {string} op @returns {T.Tree} */
  isBefore(left, right, keys, op) {
    const one = this.members[left], other = this.members[right], a = /** @type {T.Tree} */ (keys.get(left)), b = /** @type {T.Tree} */ (keys.get(right));
    const isFirst = one.kind < other.kind || (one.kind === other.kind && left < right), isKind = one.kind === other.kind;
    if (isKind && one.follows !== null && other.follows !== null && isSame(a, one.follows) && isSame(b, other.follows)) return +(isFirst === (op === "highest"));
    const better = compared(op === "highest" ? ">" : "<", a, b), equal = compared("=", a, b);
    if (isKind && equal !== 0 && (one.place === null || other.place === null)) throw new OrderMattersError(one.kind);
    return isFirst ? joinTests("or", [better, equal]) : better;
  }
}
/** What is picked of some dice; `before` says what is picked already, less the number to pick. @param {[T.Tree, T.Tree]} dice @param {T.Tree[]} before @returns {[T.Tree, T.Tree]} */
function pickFrom([low, high], before) {
  const left = extreme("max", [subtract(0, addUp(before)), 0]);
  return [low, addUp([low, extreme("min", [subtract(high, low), left])])];
}
/** Whether this is one die, which is in a set or not. @param {Member} member */
const isSingle = ({ place, follows }) => place !== null || follows !== null;
/** @param {Member} member @param {[T.Tree, T.Tree]} dice @param {[T.Tree, T.Tree]} taken @param {boolean} isPart @returns {[T.Tree, T.Tree]} */
function takeAway(member, [low, high], [start, end], isPart) {
  if (isPart && isSame(start, low)) return [end, high];
  if (isSingle(member)) return [0, extreme("max", [subtract(addUp([high, start]), addUp([low, end])), 0])];
  if (isSame(start, low) || start === 0) return [extreme("min", [extreme("max", [low, end]), high]), high];
  if (isSame(end, high)) return [low, extreme("max", [extreme("min", [high, start]), low])];
  throw new OrderMattersError(member.kind);
}
/** @param {Member} member @param {[T.Tree, T.Tree]} left @param {[T.Tree, T.Tree]} right @returns {[T.Tree, T.Tree]} */
function unite(member, left, right) {
  if (isSingle(member)) return [0, extreme("max", [subtract(left[1], left[0]), subtract(right[1], right[0])])];
  if (isSame(left[0], right[0])) return [left[0], extreme("max", [left[1], right[1]])];
  if (isSame(left[1], right[0])) return [left[0], right[1]];
  if (isSame(right[1], left[0])) return [right[0], left[1]];
  throw new OrderMattersError(member.kind);
}
/** A word may run over faces of dice that are still to be rolled: then all faces that lie are told apart. @param {Unroller} unroller */
export function askAboutLaterFaces(unroller) {
  const { rule, domains } = unroller;
  rule.tallies.forEach(({ domain }, number) => {
    if (!domain || [...kindsIn(rule, domain)].every((kind) => domains.has(kind))) return;
    for (const kind of tallyKinds(rule, number)) for (const word of ["face", ...Object.keys(domains.get(kind) ?? {})]) unroller.askKind(kind, ["name", word]);
  });
}
