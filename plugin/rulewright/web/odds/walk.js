// The walk: odds of rules whose dice end, whatever their formulas ask of the dice. As odds/walk.py, which explains it.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {BoundRule, DieFace, Formula, Frame, Member, Pool, Rule, Values} from "../engine/parts.d.ts" */
/** @import {Setup} from "./walk-frames.js" */
import { optionsOf } from "../engine/inputs.js";
import { number } from "../engine/intervals.js";
import { inputSets } from "../engine/partial-result.js";
import { RollError, cachedIn, say, sum } from "../engine/messages.js";
import { MOST_TURNS, NotExactError, tooMuch } from "./budget.js";
import { either, leafOf, substitute, textOf, walkTree } from "./fold.js";
import { opOf, ruleSets } from "./plan.js";
import { entryKinds, findDeck, kindsIn, lateNames, setKinds, valuesNamed } from "./rule-facts.js";
import { OrderMattersError, PAIR_COST, Unroller, askAboutLaterFaces, chosenName, earningOf, goesOn } from "./unroll.js";
import { findDice, settleFaces } from "./walk-again.js";
import { RerollPlan, addWalked, pickBest, worthOf } from "./walk-choices.js";
import { askedSize, countDraws, takeDrawn, tellApart } from "./walk-decks.js";
import { EndlessDie, closeRolls, mergeRolls, wordsAsked } from "./walk-endless.js";
import { Segment, boundsOf, findAsked, foresee, kindsFrom, layPools, namesOf, neededStatements, nodesOf } from "./walk-frames.js";
import { pickDice, pickParameters } from "./walk-picks.js";
import { COUNTS, ORDERED, chooseForm, mergeFaces, orderFaces, shapeOf, sidesIn } from "./walk-pools.js";

const STATE_COST = 40; // what a state costs where the walk stops, in steps
const MOST_SETTLED = 3; // how often an entry may roll dice again and belong to their faces
export const CLOSED = -70; // dice without end are followed until less than 2^-70 is left, which is left out
const MOST_VIRTUAL = 2; // so many dice are rolled even if it is not known whether they are there
const MOST_DICE = 10_000, MOST_SIDES = 10_000;
/** @typedef {Map<string, {key: any[], weight: number}>} Walked  where a walk leads to */

/** Whether a test never holds. @param {T.Tree} tree @returns {boolean} */
const isFalse = (tree) => tree === 0 || (opOf(tree) === "and" && /** @type {any[]} */ (tree).slice(1).some(isFalse));

/** @param {Formula} goal */
const textOfGoal = ({ tree }) => textOf(tree);

export class Walk {
  /** @param {BoundRule} bound @param {Formula[]} conditions @param {Formula[]} values @param {any} budget @param {Map<string, any>} cache @param {boolean} eager @param {import("./walk-choices.js").Worth} [worth] @param {number} leftOpen  of dice without end: less than 2^-n; if negative, that is left out */
  constructor(bound, conditions, values, budget, cache, eager, worth, leftOpen = CLOSED) {
    this.leftOpen = leftOpen;
    this.leavesOut = false; // whether something was left out
    this.bound = bound;
    this.rule = bound.rule;
    this.budget = budget;
    const { rule } = this;
    /** Questions that are asked between dice, and choices that are not given. @type {Map<string, T.Input>} */
    this.choices = new Map([...rule.asked].filter(([name, entry]) => (entry.is_choice && !(name in bound.values)) || (rule.askedEarly.has(name) && !rule.fixed.includes(name)) || rule.picks.has(name)));
    const late = lateNames(rule), isLate = (/** @type {string} */ name) => late.includes(name) || (this.choices.size > 0 && !(name in bound.known));
    /** @type {Map<string, T.Tree>} */
    this.late = new Map(rule.order.filter(isLate).map((name) => [name, this.lateValue(name)]));
    /** @type {Values} */
    this.known = Object.fromEntries(Object.entries(bound.known).filter(([name]) => !this.late.has(name)));
    this.usual = this.withDefaults();
    this.settled = this.findSettled();
    /** Stages in which dice are rolled that an entry of the rule earns. @type {Map<number, any>} */
    this.given = new Map();
    /** What choices of rules that are rolled are made for; these are the last values. */
    this.goals = this.findGoals([...conditions, ...values]);
    const own = this.goals.length, asks = [...values, ...this.goals], trees = [...conditions, ...asks].map(({ tree }) => tree);
    this.worth = own && worth ? (/** @type {any[]} */ key) => worth(key.slice(0, -own)) : (worth ?? worthOf(own + 1));
    const [needed, kinds] = this.findNeeds(trees);
    this.needed = needed;
    this.kinds = kinds;
    const chosen = [...this.choices.keys()].map(chosenName);
    bound.demand([...this.needed].filter((name) => !this.late.has(name) && !chosen.includes(name)).sort());
    const constants = Object.fromEntries(Object.entries(this.known).map(([name, value]) => [name, leafOf(value)]));
    /** @type {Setup} */
    this.setup = { rule, conditions, values: asks, program: this.findProgram(), constants, eager, budget };
    this.rerolled = Array.from({ length: this.setup.program.length + 1 }, (_, position) => this.rerolledKinds(position));
    this.held = this.rerolled.map((kinds, position) => new Set([...kinds, ...this.pickedKinds(position), ...kindsFrom(this.setup, position).flatMap((kind) => findDeck(rule, kind))]));
    const asked = [...this.namedByDice(trees)].filter((name) => !this.late.has(name)).sort(), given = [...this.late.keys()].filter((name) => rule.asked.has(name)).map((name) => bound.values[name]);
    const key = JSON.stringify([trees, conditions.length, this.setup.program, eager, leftOpen, given, asked.map((name) => this.known[name])]);
    /** @type {Frame} */
    this.frame = cachedIn(cache, key, () => this.root(trees));
    /** @type {Map<Frame, Map<string, Walked>>} */
    this.memory = new Map();
    /** @type {Map<Frame, Map<string, RerollPlan>>} */
    this.plans = new Map();
  }
  /** The formula of a value that dice decide; a question that is not asked leaves the default. @param {string} name @returns {T.Tree} */
  lateValue(name) {
    const { tree } = this.rule.formula(name), entry = this.rule.asked.get(name);
    const given = this.choices.has(name) ? /** @type {T.Tree} */ (["name", chosenName(name)]) : leafOf(this.bound.values[name] ?? entry?.default);
    return entry ? either(tree, given, leafOf(entry.default)) : tree;
  }
  /** @param {Formula[]} formulas @returns {Formula[]} */
  findGoals(formulas, goals = /** @type {Formula[]} */ ([])) {
    const [needed, kinds] = this.findNeeds([...formulas, ...goals].map(({ tree }) => tree)), picks = this.rule.rerolls.filter((entry) => this.kindsOf(entry).some((kind) => kinds.has(kind)));
    const found = [...[...this.choices.values()].filter(({ name }) => needed.has(chosenName(name))), ...picks].flatMap(({ goal }) => (goal ? [goal] : [])), texts = new Set(goals.map(textOfGoal));
    const more = found.find((goal) => !texts.has(textOfGoal(goal)));
    return more ? this.findGoals(formulas, [...goals, more]) : goals;
  }
  /** What a choice makes the most of. @param {{goal?: any}} entry */
  worthFor({ goal }) {
    return goal ? worthOf(this.goals.length - this.goals.findIndex((own) => textOfGoal(own) === textOfGoal(goal))) : this.worth;
  }
  /** All names and all kinds of dice that a question depends on. @param {T.Tree[]} trees @returns {[Set<string>, Set<number>]} */
  findNeeds(trees) {
    /** @type {[Set<string>, Set<number>]} */
    const [names, kinds] = [new Set(), new Set()], waiting = [...trees];
    while (waiting.length) {
      const tree = /** @type {T.Tree} */ (waiting.pop());
      for (const name of valuesNamed(this.rule, tree)) if (!names.has(name)) {
        names.add(name);
        if (this.late.has(name)) waiting.push(/** @type {T.Tree} */ (this.late.get(name)));
      }
      for (const kind of kindsIn(this.rule, tree)) if (!kinds.has(kind)) {
        kinds.add(kind);
        waiting.push(...this.kindTrees(kind));
      }
    }
    return [names, kinds];
  }
  /** What decides how many dice of a kind are rolled, what they show, and what is rolled again. @param {number} kind @returns {T.Tree[]} */
  kindTrees(kind) {
    const { rule } = this, own = rule.dice[kind], earning = earningOf(rule, kind), again = rule.rerolls.filter((entry) => this.kindsOf(entry).includes(kind));
    const formulas = [own.count, own.sides, ...Object.values(own.tests), ...own.deck, ...[...own.again.filter(({ roll }) => typeof roll === "string" || roll === kind), ...[...earning.values()].flat()].flatMap(({ when, count, optional }) => [when, count, optional]), ...again.flatMap(({ times, when, turn }) => [times, when, turn]), ...rule.rerolls.filter(({ roll }) => roll === kind).map(({ times }) => times)];
    return [...formulas.filter(Boolean).map(({ tree }) => tree), ...[...earning.keys(), ...findDeck(rule, kind)].map((one) => /** @type {T.Tree} */ (["faces", "", one])),
      ...again.filter((entry) => this.isStage(entry)).flatMap((entry) => /** @type {T.Tree[]} */ ([["faces", "", ...this.kindsOf(entry)], ...(entry.read ? [["dice", entry.of]] : [])]))];
  }
  /** The kinds of dice that decide what an entry of the rule rolls again. @param {any} entry */
  kindsOf(entry) {
    return entryKinds(this.rule, entry);
  }
  /** The names that decide what single dice do. @param {T.Tree[]} trees */
  namedByDice(trees) {
    /** @type {Set<string>} */
    const names = new Set();
    for (const tree of [...trees, ...[...this.late].filter(([name]) => this.needed.has(name)).map(([, tree]) => tree)])
      for (const part of walkTree(tree)) if (opOf(part) === "tally") for (const name of valuesNamed(this.rule, part)) names.add(name);
    for (const kind of this.kinds) for (const name of valuesNamed(this.rule, ...this.kindTrees(kind))) names.add(name);
    return new Set([...names].filter((name) => this.needed.has(name)));
  }
  /** Whether an entry of the rule may roll dice again, in a stage of its own. @param {any} entry */
  isStage(entry) {
    return this.timesOf(entry) !== 0 && !this.settled.includes(entry);
  }
  /** How often an entry of the rule rolls dice again; null if dice or choices decide that. @param {any} entry */
  timesOf(entry) {
    const times = substitute(entry.times.tree, this.usual, this.rule.game);
    return typeof times === "number" ? Math.max(times, 0) : null;
  }
  /** What is known, with the defaults of questions that do not arise. @returns {Values} */
  withDefaults() {
    const { known, late, rule } = this, usual = { ...known };
    for (const [name, { default: plain }] of rule.asked) if (late.has(name) && isFalse(substitute(rule.formula(name).tree, known, rule.game))) usual[name] = plain;
    return usual;
  }
  /** Whether throws may earn dice of a kind. @param {number} kind */
  mayEarn(kind) {
    return [...earningOf(this.rule, kind).values()].flat().some(({ when }) => !isFalse(substitute(when.tree, this.usual, this.rule.game)));
  }
  /** Entries that do the same to each die by itself, before anything looks at it: they belong to its faces. @returns {any[]} */
  findSettled() {
    const { stages, rerolls } = this.rule, /** @type {Set<any>} */ found = new Set();
    /** @type {any[]} */
    let lying = [];
    for (const { what, of } of stages)
      if (what === "again")
        for (const entry of of.map((number) => rerolls[Number(number)])) {
          const isLying = () => this.kindsOf(entry).every((kind) => lying.includes(kind));
          if (this.timesOf(entry) !== 0 && !(isLying() && this.maySettle(entry))) lying = [];
          if (isLying()) found.add(entry);
        }
      else if (what !== "values" || of.some((name) => this.choices.has(String(name)))) lying = what === "dice" ? of.map(Number) : [];
    for (;;) {
      const others = rerolls.filter((entry) => !found.has(entry) && this.timesOf(entry) !== 0), held = others.flatMap((entry) => this.kindsOf(entry));
      const left = [...found].filter((entry) => !this.kindsOf(entry).some((kind) => held.includes(kind)));
      if (left.length === found.size) return rerolls.filter((entry) => found.has(entry));
      found.clear();
      for (const entry of left) found.add(entry);
    }
  }
  /** @param {any} entry */
  maySettle(entry) {
    const times = this.timesOf(entry);
    if (entry.pick !== "all" || entry.keep !== "new" || entry.roll !== "reroll" || entry.read || times === null || times > MOST_SETTLED || entry.among.some((/** @type {number} */ kind) => goesOn(this.rule, kind))) return false;
    const trees = [entry.when?.tree, ...entry.among.flatMap((/** @type {number} */ kind) => Object.values(this.rule.dice[kind].tests).map(({ tree }) => tree))];
    return !kindsIn(this.rule, ...trees).size && ![...valuesNamed(this.rule, ...trees)].some((name) => this.late.has(name));
  }
  /** The faces of a die after the entries that belong to them. @param {number} kind @param {DieFace[]} faces */
  settle(kind, faces) {
    const own = this.settled.filter((entry) => this.kindsOf(entry).includes(kind) && this.timesOf(entry)).map((entry) => /** @type {[any, number]} */ ([entry, this.timesOf(entry)]));
    return own.length ? settleFaces(this.rule, kind, faces, own, new Unroller(this.rule, this.setup.constants, new Map(), new Map(), this.setup.eager)) : faces;
  }
  /** The stages in which something happens; dice are earned one kind after the other, those that earn others first. Dice
   * that an entry of the rule earns are rolled at once, if nobody chooses anything before they are. */
  findProgram() {
    const /** @type {any[]} */ program = [], /** @type {Set<number>} */ waiting = new Set();
    for (const { what, of } of this.rule.stages) {
      const numbers = what === "values" ? [] : of.map(Number), own = numbers.filter((kind) => this.kinds.has(kind));
      if (what === "values") for (const name of of.map(String)) if (this.choices.has(name) && this.needed.has(chosenName(name))) program.push({ what: "choice", of: [name] });
      if (what === "dice" && own.length) program.push({ what, of: own });
      if (what === "again") for (const number of numbers) {
        const entry = this.rule.rerolls[number], { roll } = entry;
        if (typeof roll === "number" && this.kinds.has(roll)) {
          this.given.set(program.length, entry);
          program.push({ what: "earned", of: [roll] });
          waiting.add(roll);
        } else if (this.kindsOf(entry).some((kind) => this.kinds.has(kind)) && this.isStage(entry)) program.push({ what, of: [number] });
      }
      if (what === "earned") {
        for (const kind of numbers) waiting.delete(kind);
        for (const kind of this.sortEarned(own.filter((kind) => this.mayEarn(kind)))) program.push(...Array(countDraws(this.rule, kind, this.known)).fill({ what, of: [kind] }));
      }
      const last = program.at(-1);
      if (waiting.size && (last.what === "choice" || (last.what === "again" && this.rule.rerolls[last.of[0]].chooses))) throw new NotExactError();
    }
    return program;
  }
  /** Kinds in an order in which each is final before it earns others. @param {number[]} kinds */
  sortEarned(kinds) {
    /** @type {number[]} */
    const done = [];
    let left = [...kinds];
    while (left.length) {
      const ready = left.find((kind) => ![...earningOf(this.rule, kind).keys()].some((one) => left.includes(one) && !(one === kind && this.rule.dice[kind].deck.length)));
      if (ready === undefined) throw new NotExactError();
      left = left.filter((kind) => kind !== ready);
      done.push(ready);
    }
    return done;
  }
  /** The kinds of dice that may be rolled again from a stage on. @param {number} position @returns {Set<number>} */
  rerolledKinds(position) {
    return new Set(this.setup.program.slice(position).flatMap(({ what, of }) => (what === "again" ? this.kindsOf(this.rule.rerolls[of[0]]) : [])));
  }
  /** The kinds of dice that may be picked from a stage on. @param {number} position */
  pickedKinds(position) {
    return kindsIn(this.rule, ...this.setup.program.slice(position).flatMap((stage) => [...pickParameters(this.rule, stage, 0).values()]));
  }
  /** @param {T.Tree[]} trees @returns {Frame} */
  root(trees) {
    const { rule } = this, /** @type {Map<string, T.Tree>} */ parameters = new Map(), /** @type {Map<number, number>} */ since = new Map(), /** @type {Set<number>} */ rerolled = new Set();
    this.setup.program.forEach((stage, position) => {
      const { what, of } = stage;
      for (const [key, tree] of pickParameters(rule, stage, position)) parameters.set(key, tree);
      for (const number of what === "choice" ? [] : of) {
        if (what === "again") {
          for (const kind of this.kindsOf(rule.rerolls[number])) rerolled.add(kind);
          parameters.set(`times ${position}`, rule.rerolls[number].times.tree);
          if (rule.rerolls[number].read) parameters.set(`of ${position}`, ["dice", rule.rerolls[number].of]);
          continue;
        }
        const { count, sides } = rule.dice[number], key = 100 * position + number;
        if (since.get(number) && rule.dice.some(({ earnedKinds }, kind) => rerolled.has(kind) && earnedKinds.includes(number))) throw new NotExactError(); // and may earn more
        const given = this.given.get(position);
        parameters.set(`count ${key}`, given ? given.times.tree : what === "dice" ? count.tree : ["earned", number, since.get(number) ?? 0]);
        if (!given) since.set(number, what === "earned" ? position : 0);
        rule.dice[number].deck.forEach(({ tree }, place) => parameters.set(`copies ${place} ${key}`, tree));
        if (sides) parameters.set(`sides ${key}`, sides.tree);
      }
    });
    const statements = new Map([...this.late].filter(([name]) => this.needed.has(name)));
    return { position: 0, statements, targets: trees, parameters, tables: new Map(), domains: new Map(), bounds: { ...ruleSets(rule).v, ...Object.fromEntries([...this.choices].flatMap(([name, entry]) => [name, chosenName(name)].map((own) => [own, inputSets(entry)[name]]))) }, found: new Map() };
  }
  /** Where the walk leads to from a frame, with what is known there; this is what a state is worth. @param {Frame} frame @param {Values} known @returns {Walked} */
  follow(frame, known) {
    const key = JSON.stringify(this.namesOf(frame).map((name) => known[name]));
    return cachedIn(cachedIn(this.memory, frame, () => new Map()), key, () => this.followState(frame, known));
  }
  /** @param {Frame} frame @param {Values} known @returns {Walked} */
  followState(frame, known) {
    const { program } = this.setup, /** @type {Pool[]} */ pools = [];
    let { position } = frame;
    for (; position < program.length; position++) {
      const stage = program[position];
      if (stage.what === "choice") {
        if (position === frame.position && this.isCut(frame, [...kindsIn(this.rule, ...pickParameters(this.rule, stage, 0).values())])) return this.choose(frame, known, stage.of[0])[1];
        break;
      }
      if (stage.what === "again") {
        if (position === frame.position && this.isCut(frame, this.kindsOf(this.rule.rerolls[stage.of[0]]))) return this.rollAgain(frame, known, stage.of[0]);
        break;
      }
      const decks = stage.of.flatMap((/** @type {number} */ kind) => findDeck(this.rule, kind));
      const rolled = pools.some(({ kind }) => decks.includes(kind)) ? null : this.rollStage(stage, position, frame, known);
      if (!rolled) break;
      pools.push(...rolled);
      while (!rolled.length && program[position + 1] === stage) position++; // cards that earn no cards
    }
    return this.runSegment(frame, known, position, pools);
  }
  /** Whether the numbers of all dice of these kinds are known, which may be rolled again or picked. @param {Frame} frame @param {number[]} kinds */
  isCut(frame, kinds) {
    return kinds.every((kind) => frame.tables.get(kind)?.every(({ count }) => ["name", "number"].includes(opOf(count))));
  }
  /** Rolls dice again as an entry of the rule says, and goes on from each state. @param {Frame} frame @param {Values} known @param {number} number */
  rollAgain(frame, known, number) {
    const times = this.workOut(frame, known, /** @type {T.Tree} */ (frame.parameters.get(`times ${frame.position}`)));
    if (typeof times !== "number") throw new NotExactError();
    const plan = this.findPlan(frame, known, this.rule.rerolls[number], times);
    return plan.best(times, plan.classes.map(({ name }) => known[name]))[1];
  }
  /** The frame behind a stage that rolls no new dice. @param {Frame} frame @returns {Frame} */
  after(frame) {
    return cachedIn(frame.found, "after", () => this.afterStage(frame));
  }
  /** @param {Frame} frame @returns {Frame} */
  afterStage(frame) {
    const { position } = frame, parameters = new Map([...frame.parameters].filter(([key]) => key !== `times ${position}` && key !== `of ${position}`));
    const after = { ...frame, position: position + 1, parameters, found: new Map() }, asked = findAsked(this.rule, nodesOf(after));
    return { ...after, tables: new Map([...frame.tables].map(([kind, own]) => [kind, asked.has(kind) || this.held[position + 1].has(kind) ? own : []])) };
  }
  /** The plan for an entry of the rule; states that differ only in the dice share it. @param {Frame} frame @param {Values} known @param {any} entry @param {number} left @returns {RerollPlan} */
  findPlan(frame, known, entry, left) {
    if (left > MOST_TURNS) throw tooMuch();
    if (left > 1 && entry.read) throw new NotExactError();
    const numbers = cachedIn(frame.found, "numbers", () => this.kindsOf(entry).flatMap((kind) => (frame.tables.get(kind) ?? []).map(({ count }) => /** @type {any} */ (count)[1])));
    const key = JSON.stringify(this.namesOf(frame).flatMap((name) => (numbers.includes(name) ? [] : [known[name]])));
    return cachedIn(cachedIn(this.plans, frame, () => new Map()), key, () => {
      const [classes, able] = findDice(this.setup, frame, known, entry), after = this.after(frame);
      return new RerollPlan(entry, classes, (counts) => {
        this.budget.spend(STATE_COST);
        return this.follow(after, { ...known, ...Object.fromEntries(classes.map(({ name }, place) => [name, counts[place]])) });
      }, this.budget, this.worthFor(entry), able, this.rule.dice);
    });
  }
  /** The best answer to a question, and where it leads to; of equal ones the first. @param {Frame} frame @param {Values} known @param {string} name @returns {[any, Walked]} */
  choose(frame, known, name) {
    if (this.rule.picks.has(name)) return pickDice(this, frame, known, /** @type {T.Input} */ (this.choices.get(name)));
    const answer = /** @type {T.Tree} */ (["name", chosenName(name)]), { values } = this.bound, entry = /** @type {T.Input} */ (this.choices.get(name)), statement = frame.statements.get(name);
    const worked = statement === undefined ? leafOf(known[name] ?? entry.default) : this.workOut(frame, known, statement); // no dice may be left to ask of
    const after = cachedIn(frame.found, "after", () => ({ ...frame, position: frame.position + 1, found: new Map(), statements: new Map([...frame.statements].filter(([own]) => own !== name)) }));
    const isKnown = typeof worked === "number" || opOf(worked) === "word";
    if (!isKnown && textOf(worked) !== textOf(answer)) throw new NotExactError();
    const options = isKnown ? [typeof worked === "number" ? worked : /** @type {any} */ (worked)[1]] : name in values ? [values[name]] : optionsOf(entry);
    this.budget.spend(STATE_COST * options.length);
    return pickBest(options.map((option) => [option, () => this.follow(after, { ...known, [name]: option })]), this.worthFor(entry));
  }
  /** A formula over the dice that lie, as far as its value is known. @param {Frame} frame @param {Values} known @param {T.Tree} tree @returns {T.Tree} */
  workOut(frame, known, tree) {
    const unroller = new Unroller(this.rule, this.setup.constants, frame.tables, frame.domains, this.setup.eager), values = { ...known };
    for (const [own, formula] of neededStatements(frame.statements, [tree])) {
      const value = substitute(unroller.unroll(formula), values, this.rule.game);
      if (typeof value === "number" || opOf(value) === "word") values[own] = typeof value === "number" ? value : value[1];
    }
    return substitute(unroller.unroll(tree), values, this.rule.game);
  }
  /** A formula with all that is known: values, and statements that follow from them. @param {Frame} frame @param {Values} known @param {T.Tree} tree @returns {T.Tree} */
  settleTree(frame, known, tree) {
    const value = substitute(tree, known, this.rule.game), values = { ...known };
    for (const [own, formula] of neededStatements(frame.statements, [value])) {
      const found = substitute(formula, values, this.rule.game);
      if (typeof found === "number" || opOf(found) === "word") values[own] = typeof found === "number" ? found : found[1];
    }
    return substitute(value, values, this.rule.game);
  }
  /** @param {Frame} frame @returns {string[]} */
  namesOf(frame) {
    return cachedIn(frame.found, "names", () => namesOf(frame, this.rule));
  }
  /** Follows states, each with what is known there, and adds up what they lead to. @param {Frame} frame @param {Values} known @param {[Values, number][]} states @returns {Walked} */
  goOn(frame, known, states) {
    this.budget.spend(STATE_COST * states.length);
    /** @type {Walked} */
    const found = new Map();
    for (const [state, weight] of states) addWalked(found, this.follow(frame, { ...known, ...state }), weight);
    return found;
  }
  /** The pools of a stage; null if it is not known yet what is rolled. @param {any} stage @param {number} position @param {Frame} frame @param {Values} known @returns {Pool[] | null} */
  rollStage({ what, of }, position, frame, known) {
    /** @type {Pool[]} */
    const pools = [];
    for (const kind of of) {
      const number = 100 * position + kind, value = (/** @type {string} */ part) => this.settleTree(frame, known, frame.parameters.get(`${part} ${number}`) ?? 0), count = value("count"), sides = value("sides");
      if (count === 0) continue;
      const most = typeof count === "number" ? count : this.mostVirtual(frame, count, kind, position);
      if (most === null || typeof sides !== "number") return null;
      const present = typeof count === "number" ? null : /** @type {T.Tree} */ (frame.parameters.get(`count ${number}`));
      const { deck } = this.rule.dice[kind], copies = deck.map((_, place) => value(`copies ${place}`));
      if (!copies.every((one) => typeof one === "number")) return null;
      const numbers = /** @type {number[]} */ (copies);
      if (numbers.some((one) => one < 0)) void this.bound.kinds[kind].faces; // says why this cannot be
      const asked = this.checkCount(kind, most), plain = this.listFaces(kind, sides, numbers), isDeck = numbers.length > 0;
      if (isDeck && (this.rerolled[position].has(kind) || this.rule.dice[kind].explodes || this.rule.dice[kind].rerolls)) throw new NotExactError();
      const [faces, drawn] = isDeck ? takeDrawn(plain, findDeck(this.rule, kind).flatMap((own) => frame.tables.get(own) ?? []), known, this.rule) : [what === "dice" ? this.settle(kind, plain) : plain, 0];
      const dice = isDeck ? Math.min(asked, sum(faces.map(({ weight }) => weight))) : asked;
      if (dice) pools.push({ kind, number, dice, form: "", faces, since: position, present, isDeck, drawn, blocks: [], size: 0 });
    }
    return pools;
  }
  /** How many dice there are at most, if these are so few that they can be rolled in any case. @param {Frame} frame @param {T.Tree} count @param {number} kind @param {number} position */
  mostVirtual(frame, count, kind, position) {
    if ([...walkTree(count)].some((part) => ["dice", "faces", "earned"].includes(opOf(part)))) return null;
    const [low, high] = number(/** @type {any} */ (boundsOf(this.rule, frame.bounds, frame.statements, [count])).trees[0]);
    return low >= 0 && high <= MOST_VIRTUAL && !this.rule.dice[kind].deck.length && !this.held[position].has(kind) && !goesOn(this.rule, kind) ? high : null;
  }
  /** @param {number} kind @param {number} count */
  checkCount(kind, count) {
    const { name } = this.rule.dice[kind];
    if (count < 0) throw new RollError(say("wrong few", { count, kind: name, values: "" }));
    if (count > MOST_DICE) throw new RollError(say("wrong many", { count, most: MOST_DICE }));
    return count;
  }
  /** The faces of a die, each with its words; of a deck, so many copies of each. @param {number} kind @param {number} sides @param {number[]} [numbers] */
  listFaces(kind, sides, numbers = /** @type {number[]} */ ([])) {
    const { rule } = this, own = rule.dice[kind];
    if (own.faces.length) {
      const names = ["face", "_mark", ...new Set(own.faces.flatMap(({ words }) => Object.keys(words)))];
      return own.faces.map(({ copies }, face) => {
        const of = { ...rule.words, ...rule.wordsOn(kind, face) };
        return { words: names.map((name) => /** @type {[string, any]} */ ([name, of[name]])), weight: numbers.length ? numbers[face] : copies };
      }).filter(({ weight }) => weight);
    }
    if (sides < 1 || sides > MOST_SIDES) throw new RollError(say("wrong sides", { kind: own.name, sides, values: "" }));
    return Array.from({ length: sides }, (_, place) => ({ words: /** @type {[string, any][]} */ ([["face", place + 1]]), weight: 1 }));
  }
  /** @param {Frame} frame @param {Values} known @param {number} position @param {Pool[]} pools @returns {Walked} */
  runSegment(frame, known, position, pools) {
    const [ready, segment] = cachedIn(frame.found, JSON.stringify([position, pools]), () => this.shapePools(frame, position, pools));
    this.budget.spend(STATE_COST);
    this.leavesOut ||= ready.some((/** @type {Pool} */ pool) => pool.leavesOut);
    const weights = segment.run(known, ready);
    if (!segment.frame) return new Map(weights.map((/** @type {any} */ one) => [JSON.stringify(one.key), one]));
    return this.goOn(segment.frame, known, weights.map((/** @type {any} */ { key, weight }) => [Object.fromEntries(segment.names.map((/** @type {string} */ name, /** @type {number} */ place) => [name, key[place + 1]])), weight]));
  }
  /** How many members are compared with one another where formulas pick the highest or lowest dice of a set. @param {Unroller} probe @param {Frame} frame @param {Pool[]} pools */
  countPairs(probe, frame, pools) {
    const sizes = new Map([...frame.tables].map(([kind, members]) => [kind, members.length]));
    for (const { kind, form, faces, blocks, dice } of pools) sizes.set(kind, (sizes.get(kind) ?? 0) + (form === COUNTS ? faces.length * Math.max(blocks.length, 1) : dice));
    const sets = [...probe.sets.keys()].map(parseFloat).filter((number) => ["highest", "lowest"].includes(this.rule.sets[number].op));
    return sum(sets.map((number) => sum([...new Set(setKinds(this.rule, number))].map((kind) => sizes.get(kind) ?? 0)) ** 2));
  }
  /** The pools in the form that has the fewest states; formulas that tell equal dice apart need another one. @param {Frame} frame @param {number} position @param {Pool[]} pools @returns {[Pool[], Segment]} */
  shapePools(frame, position, pools) {
    if (!pools.length && frame.found.has(`stopped ${position}`)) throw new NotExactError();
    const probe = this.probe(frame, position, pools), held = this.held[position];
    let ready = pools.map((pool) => {
      if (goesOn(this.rule, pool.kind)) return this.shapeEndless(pool, probe, held);
      const merged = pool.drawn ? pool.faces : mergeFaces(probe, pool.isDeck ? findDeck(this.rule, pool.kind) : [pool.kind], pool.faces), form = held.has(pool.kind) ? COUNTS : pool.present !== null ? ORDERED : chooseForm(pool.dice, pool.faces, merged);
      return { ...pool, form, faces: orderFaces(form === COUNTS ? merged : pool.faces), size: askedSize(pool, probe) };
    });
    this.budget.spend(PAIR_COST * this.countPairs(probe, frame, ready));
    for (;;) {
      try {
        foresee(this.setup, frame, position, ready);
        const segment = cachedIn(frame.found, JSON.stringify(["segment", position, ready.map(shapeOf)]), () => new Segment(this.setup, frame, position, ready, held));
        if (!pools.length && segment.frame) segment.frame.found.set(`stopped ${position}`, true);
        return [ready, segment];
      } catch (error) {
        if (!(error instanceof OrderMattersError)) throw error;
        const { kind, first } = error, isMeant = (/** @type {Pool} */ pool) => pool.kind === kind;
        if (held.has(kind) || !ready.some(isMeant) || goesOn(this.rule, kind)) throw error;
        ready = ready.map((pool, place) => (isMeant(pool) ? tellApart(pool, pools[place], first) : pool));
      }
    }
  }
  /** Dice that go on, with all their throws; those that leave numbers open are told apart. @param {Pool} pool @param {Unroller} probe @param {Set<number>} held @returns {Pool} */
  shapeEndless(pool, probe, held) {
    const { kind, faces: thrown, dice, present } = pool, { rule, setup } = this;
    if (held.has(kind)) throw new NotExactError();
    const unroller = new Unroller(rule, setup.constants, new Map(), new Map(), setup.eager), words = wordsAsked(rule.dice[kind], probe.asked.get(kind)?.values() ?? []);
    const { faces, bits } = new EndlessDie(unroller, kind, thrown, probe.askedThrows.get(kind) ?? new Map(), words).listFaces(`d${pool.number}`, 2 ** Math.abs(this.leftOpen), this.budget);
    const merged = mergeRolls(probe, kind, faces, sidesIn(thrown)), closed = closeRolls(merged), hasRest = closed.some((face, at) => face !== merged[at]);
    const form = present !== null || dice === 1 || hasRest ? ORDERED : COUNTS, own = this.leftOpen > 0 ? merged : closed;
    return { ...pool, form, faces: form === COUNTS ? orderFaces(own) : own, thrown, bits, leavesOut: hasRest && this.leftOpen < 0 };
  }
  /** What formulas ask about single dice of these pools. @param {Frame} frame @param {number} position @param {Pool[]} pools */
  probe(frame, position, pools) {
    const { unroller } = layPools(this.setup, frame, position, pools, true);
    for (const tree of nodesOf(frame)) unroller.unroll(tree);
    askAboutLaterFaces(unroller);
    for (const { what, of } of this.setup.program.slice(position)) {
      const entry = what === "again" ? this.rule.rerolls[of[0]] : null;
      if (entry) unroller.unroll(["dice", entry.of]);
      for (const kind of entry ? this.kindsOf(entry) : []) {
        if (entry?.when) unroller.askKind(kind, entry.when.tree);
        if (entry?.turn) unroller.askKind(kind, entry.turn.tree);
        if (entry && (entry.pick !== "all" || entry.keep !== "new" || entry.turn)) unroller.askKind(kind, ["name", "value"]);
      }
    }
    return unroller;
  }
}
