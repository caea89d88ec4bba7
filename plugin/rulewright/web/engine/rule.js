// Loads a game from its JSON, and compiles the formulas of its rules.
/** @import * as T from "./engine.d.ts" */
/** @import {Aim, DiceSet, Kind, Outcome, Reroll, BoundRule, Run, Tally, Values} from "./parts.d.ts" */
import { Formula, compile, namesIn, treesOf } from "./formula.js";
import { findKept, isPlain, isWhole, kindsOf, setReader, tallyNames, talliesIn, tallyReader } from "./dice-sets.js";
import { shown } from "./inputs.js";

export const SIDES = ["first", "second"]; // of a contest
export const THROWS = ["face", "last", "first", "throw", "value", "sides"];
/** @param {T.GameData} data @returns {T.Game} */
export function load(data) {
  const trees = treesOf(data.nodes), register = Object.fromEntries(Object.entries(data.register).map(([name, one]) => [name, category(one, data, trees)]));
  const game = { ...data, register }, rules = Object.fromEntries(Object.entries(data.rules).map(([name, raw]) => [name, new Rule(game, name, raw)]));
  for (const rule of Object.values(rules)) rule.sides = rule.contest ? rule.contest.of.map((name) => rules[name]) : [];
  return { title: data.title, folder: data.folder, alone: data.alone, rules: /** @type {any} */ (rules) };
}
/** @param {T.CategoryData} raw @param {T.Tables} game @param {T.Tree[]} trees @returns {T.Category} */
function category(raw, game, trees) {
  const untrained = raw.untrained && Object.fromEntries(Object.entries(raw.untrained).map(([name, one]) => [name, new Formula(one, game, trees)]));
  const specialties = Object.entries(raw.specialties).flatMap(([trait, kinds]) =>
    Object.entries(kinds).flatMap(([kind, names]) => names.map((name) => /** @type {[string, string, string]} */ ([name.split(" (")[0], kind, trait]))));
  return { ...raw, untrained, specialties };
}
export class Rule {
  /** @param {T.Loaded} game @param {string} name @param {T.RuleData} raw */
  constructor(game, name, raw) {
    const trees = treesOf(raw.nodes), formula = (/** @type {any} */ one) => (one == null ? null : new Formula(one, game, trees));
    /** @type {(part: any, ...keys: string[]) => any} */
    const filled = (part, ...keys) => part && { ...part, ...Object.fromEntries(keys.map((key) => [key, formula(part[key])])) };
    const named = (/** @type {string} */ table) =>
      game.tables[table].ranges.length
        ? game.tables[table].ranges.map(([low, high, row]) => [String(row[0]), low ?? high ?? 0])
        : Object.entries(game.tables[table].rows).map(([key, row]) => [key, row[0]]);
    /** Tallies that are read from the table, by number. @type {(Run | undefined)[]} */
    this.reads = [];
    /** @type {T.Loaded & T.Tables} */
    this.game = game = Object.assign(Object.create(game), { reads: this.reads });
    this.name = name;
    this.label = raw.label;
    this.contest = raw.contest;
    /** @type {Aim[]} */
    this.aims = raw.aims.map((aim) => filled(aim, "formula"));
    this.traits = raw.traits;
    /** How the rule goes on. @type {any} */
    this.rounds = raw.rounds && { ...filled(raw.rounds, "until", "most"), carry: filled(raw.rounds.carry, ...Object.keys(raw.rounds.carry)) };
    this.hasRounds = !!this.rounds?.until;
    /** @type {Rule[]} */
    this.sides = [];
    /** @type {T.Input[]} */
    this.inputs = raw.inputs.map((entry) => ({ ...filled(entry, "asked", "goal"), named: entry.names ? named(entry.names) : [] }));
    /** Aims that may be set for the rules that it rolls. @type {T.Input[]} */
    this.aimsOfRolls = raw.aims_of_rolls ?? [];
    /** @type {Kind[]} */
    this.dice = raw.kinds.map((kind) => {
      /** @type {Kind["again"]} */
      const again = kind.again.map((/** @type {any} */ one) => filled(one, "when", "count", "optional")), has = (/** @type {any} */ way) => again.some(({ roll }) => roll === way);
      const explodes = has("explode"), rerolls = has("reroll"), earnedKinds = again.flatMap(({ roll }) => (typeof roll === "number" ? [roll] : []));
      return { ...filled(kind, "count", "sides"), deck: kind.deck.map(formula), tests: filled(kind.tests, ...Object.keys(kind.tests)), again, explodes, rerolls, earnedKinds, keep: null };
    });
    const faces = this.dice.flatMap((kind) => kind.faces);
    /** What tests may ask of a face, each with its value where a face does not have it. @type {Values} */
    this.words = Object.fromEntries([...THROWS, ...this.dice.flatMap((kind) => Object.keys(kind.tests))].map((word) => [word, 0]));
    for (const { words } of faces) for (const word in words) this.words[word] = typeof words[word] === "string" ? "" : 0;
    this.words._mark = "";
    /** The sets of dice that formulas look at. @type {DiceSet[]} */
    this.sets = raw.sets.map((set) => ({ ...filled(set, "number"), by: set.by === null ? null : trees[set.by], test: set.test === null ? null : trees[set.test] }));
    /** Sets of dice that a player picks, by the input that says which. @type {Map<string, DiceSet>} */
    this.picks = new Map(this.sets.flatMap((set) => (set.op === "any" ? [[/** @type {any} */ (set.by)[1], set]] : [])));
    /** @type {Reroll[]} */
    this.rerolls = raw.again.map((entry) => {
      const own = filled(entry, "times", "when", "goal", "turn"), choosesFace = own.roll === "turn" && !own.turn;
      return { ...own, choosesFace, chooses: choosesFace || ["any", "some"].includes(entry.pick) || entry.keep === "better", among: kindsOf(this, entry.of), read: isWhole(this, entry.of) ? null : setReader(this, entry.of, game) };
    });
    /** @type {Tally[]} */
    this.tallies = raw.tallies.map((tally) => {
      const test = tally.body === null ? null : trees[tally.body], run = test === null ? null : compile(test, game, "");
      return { function: tally.function, set: tally.set, word: tally.word, domain: tally.domain === null ? null : trees[tally.domain], kind: -1, test, run, names: test === null ? [] : [...namesIn(test)], perThrow: tally.every_throw };
    });
    /** @type {Map<string, Formula>} */
    this.steps = new Map(raw.steps.filter(({ set }) => set === null).map((step) => [step.name, new Formula(step.formula, game, trees)]));
    /** Steps that are sets of dice, and all names of steps in order. @type {Map<string, number>} */
    this.picked = new Map(raw.steps.flatMap(({ name: own, set }) => (set === null ? [] : [[own, set]])));
    this.stepNames = raw.steps.map((step) => step.name);
    /** Names of steps for readers, where they have labels. @type {Map<string, string>} */
    this.labels = new Map(raw.steps.flatMap((step) => (typeof step.label === "string" ? [[step.name, step.label]] : [])));
    /** @type {Record<string, Formula>} */
    this.marks = filled(raw.marks, ...Object.keys(raw.marks));
    /** @type {Outcome[]} */
    this.outcomes = raw.outcomes.map((outcome) => filled(outcome, "when", "degree"));
    /** @type {T.Spend[]} */
    this.spends = raw.spends.map((one) => ({ ...one, changes: filled(one.changes, ...Object.keys(one.changes)) }));
    /** The program of a roll. */
    this.stages = raw.order;
    const values = raw.order.map(({ what, of }) => (what === "values" ? of.map(String) : null)), all = values.flatMap((names) => names ?? []);
    /** Steps and questions in the order in which they are worked out at last, and those of them that need no dice. */
    this.order = all.filter((name, place) => all.lastIndexOf(name) === place);
    this.fixed = values[0] ?? [];
    /** Questions that are asked while dice are still to be rolled. @type {Set<string>} */
    this.askedEarly = new Set(all.filter((name) => !values.at(-1)?.includes(name) && raw.inputs.some((entry) => entry.name === name)));
    /** @type {Map<string, any>} */
    this.asked = new Map(this.inputs.filter((entry) => entry.asked).map((entry) => [entry.name, entry]));
    this.readTallies();
    this.needs = this.needed([...this.steps.values(), ...this.outcomes.flatMap((one) => [one.when, one.degree]), ...this.roundFormulas]);
    /** @type {[string, BoundRule] | null} */
    this.last = null;
    /** @type {Map<string, any>} */
    this.memory = new Map(); // of odds
    const names = this.dice.map((kind) => kind.name).sort((a, b) => b.length - a.length);
    const escaped = names.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    this.kindNames = names.length ? `(?:${escaped})(?![^\\s,|;\\[\\]])` : "(?!)";
  }
  /** Tells tallies that the dice of one kind decide from those that are read from the table. */
  readTallies() {
    const late = new Set(this.stages.slice(+(this.stages[0]?.what === "values")).flatMap(({ what, of }) => (what === "values" ? of.map(String) : [])));
    const early = new Set([...this.inputs.flatMap(variables), ...this.steps.keys(), ...this.picked.keys()].filter((one) => !late.has(one)));
    /** The sets of dice that are kept, by kind. @type {(number | null)[]} */
    this.keptSets = [];
    this.keptSets = findKept(this, early);
    this.keptSets.forEach((set, kind) => {
      if (set !== null) this.dice[kind].keep = { highest: this.sets[set].op === "highest", number: this.sets[set].number };
    });
    this.tallies.forEach((tally, number) => {
      if (isPlain(this, tally, early)) tally.kind = kindsOf(this, /** @type {number} */ (tally.set))[0];
      else this.reads[number] = tallyReader(this, tally, this.game);
    });
  }
  /** All names that a formula rests on at once, also through tallies that are read from the table. @param {Formula | null | undefined} formula */
  namesOf(formula) {
    const read = formula ? talliesIn(formula.tree).filter((number) => this.reads[number]) : [];
    return [...(formula?.names ?? []), ...read.flatMap((number) => [...tallyNames(this, number)])];
  }
  /** The words for one face of a kind. @param {number} kind @param {number} face @returns {Values} */
  wordsOn(kind, face) {
    const found = this.dice[kind].faces[face];
    return found ? { face: found.value, _mark: found.mark, ...found.words } : { face };
  }
  /** The formulas at the end of a round. @returns {Formula[]} */
  get roundFormulas() {
    return this.hasRounds ? [this.rounds.until, ...Object.values(this.rounds.carry)] : [];
  }
  /** @param {string} name @returns {Formula} */
  formula(name) {
    return this.steps.get(name) ?? this.asked.get(name).asked;
  }
  /** All names that these formulas rest on, through steps and questions. @param {(Formula | null)[]} formulas */
  needed(formulas) {
    /** @type {Set<string>} */
    const found = new Set();
    for (const waiting = [...formulas]; waiting.length; )
      for (const name of this.namesOf(waiting.pop()))
        if (!found.has(name)) {
          found.add(name);
          if (this.steps.has(name) || this.asked.has(name)) waiting.push(this.formula(name));
        }
    return found;
  }
}
/** @param {T.Input} entry */
export const variables = (entry) => (entry.parts.length ? entry.parts : [entry.name]);
/** @param {Rule} rule @param {Values} values @param {(name: string) => boolean} meant */
export const formatInputs = (rule, values, meant) =>
  rule.inputs.filter((entry) => entry.name in values && variables(entry).some(meant))
    .map((entry) => `${entry.name} ${shown(entry, values[entry.name])}`).join(", ");

/** The values of inputs as formulas name them: a die code becomes its two parts. @param {Rule} rule @param {Values} values */
export function knownNames(rule, values) {
  /** @type {Values} */
  const known = Object.create(null);
  for (const entry of rule.inputs)
    if (entry.name in values && entry.form !== "dice")
      variables(entry).forEach((name, place) => (known[name] = entry.parts.length ? values[entry.name][place] : values[entry.name]));
  return known;
}
