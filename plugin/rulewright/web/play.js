// Plays the rules of a game: formulas, rolls, results and their explanation. How to use it is told in engine.d.ts.
// Whatever is wrong with what somebody typed leaves as a Stop and reaches the caller as a complaint.
/** @import * as T from "./engine.d.ts" */
/** @import {Die, Faces, Landing, Run, Values, Worth} from "./parts.d.ts" */
import { below, generator } from "./random.js";

/** @type {Record<string, string>} */
let words = {};
/** In which words complaints are made: the phrases of the catalogue. @param {Record<string, string>} found */
export const speak = (found) => void (words = found);
/** @param {string} name @param {Record<string, any>} values  a phrase with its blanks filled in */
export const tell = (name, values = {}) => (words[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));

const LARGEST = Number.MAX_SAFE_INTEGER;
const MOST = 10_000; // dice at once, sides of a die, throws of a roll

export class Stop extends Error {
  /** @param {string} message @param {string} part @param {number} start @param {number} end */
  constructor(message, part = "rule", start = 0, end = 0) {
    super(message);
    this.part = part;
    this.start = start;
    this.end = end;
  }
}
/** @template R @param {() => R} work @returns {[R | null, T.Complaint[]]} */
export function attempt(work) {
  try {
    return [work(), []];
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return [null, [{ part: error.part, message: error.message, start: error.start, end: error.end }]];
  }
}
/** @template X @param {X[]} list @param {(x: X) => number} key  the first of those with the greatest key */
export const best = (list, key) => list.reduce((a, b) => (key(b) > key(a) ? b : a));
export const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);

// ---- formulas

/** A formula: its tree, its text cut at every name and count, and the function that works it out. */
export class Formula {
  /** @param {T.FormulaData} raw @param {T.GameData} game */
  constructor(raw, game) {
    const { tree, text } = typeof raw === "number" ? { tree: raw, text: [String(raw)] } : raw;
    this.tree = tree;
    this.parts = text;
    this.text = text.map((part) => (Array.isArray(part) ? part[0] : part)).join("");
    this.names = [...namesIn(tree)];
    this.run = compile(tree, game, this.text);
  }
}
/** @param {T.Tree} tree @returns {Set<string>} */
export function namesIn(tree, found = new Set()) {
  if (Array.isArray(tree)) {
    if (tree[0] === "name") found.add(tree[1]);
    else for (const arg of tree.slice(1)) namesIn(/** @type {T.Tree} */ (arg), found);
  }
  return found;
}
/** @param {any} a @param {any} b */
export const same = (a, b) => (typeof a === "string" ? a.toLowerCase() === b.toLowerCase() : a === b);
/** @type {Record<string, (a: any, b: any) => boolean>} */
const COMPARED = {
  "=": same, "!=": (a, b) => !same(a, b), "<": (a, b) => a < b, "<=": (a, b) => a <= b,
  ">": (a, b) => a > b, ">=": (a, b) => a >= b,
};
/** @param {string} way @param {number} over @param {number} under */
function divide(way, over, under) {
  const down = Math.floor((over - (over % under)) / under) - (over % under && over < 0 !== under < 0 ? 1 : 0);
  const rest = Math.abs(over - down * under);
  return down + (way === "up" ? +!!rest : way === "near" ? +(2 * rest >= Math.abs(under)) : 0);
}
/** @param {T.TableData} table @param {any} row @returns {any[] | undefined} */
function cells(table, row) {
  if (typeof row === "string") return Object.entries(table.rows).find(([name]) => same(name, row))?.[1];
  return table.ranges.find(([low, high]) => (low ?? -Infinity) <= row && row <= (high ?? Infinity))?.[2];
}
/** Trees become functions; no code is made from text, so that strict pages can use this.
 * @param {T.Tree} tree @param {T.GameData} game @param {string} text @returns {Run} */
export function compile(tree, game, text) {
  if (!Array.isArray(tree)) return () => tree;
  const [op, first] = tree;
  if (op === "word") return () => first;
  if (op === "name") return (v) => v[first];
  if (op === "tally") return (_, t) => t[first];
  const stop = (/** @type {string} */ name, values = {}) => new Stop(tell(name, values) + (text && `: ${text}`));
  const inside = (/** @type {number} */ value) => {
    if (value > LARGEST || value < -LARGEST) throw stop("wrong far", { most: LARGEST });
    return value;
  };
  if (op === "lookup") {
    const table = game.tables[first], row = compile(tree[2], game, text), column = table.columns.indexOf(tree[3]);
    return (v, t) => {
      const found = cells(table, row(v, t));
      if (!found) throw stop("wrong row", { table: first, row: row(v, t) });
      return found[column];
    };
  }
  const runs = tree.slice(1).map((arg) => compile(arg, game, text)), [a, b] = runs, compare = COMPARED[op];
  if (compare) return (v, t) => +compare(a(v, t), b(v, t));
  if (MADE[op]) return MADE[op](runs, inside);
  return (v, t) => {
    const over = a(v, t), under = b(v, t);
    if (!under) throw stop("wrong zero");
    return divide(op, over, under);
  };
}
/** @type {Record<string, (runs: Run[], inside: (value: number) => number) => Run>} */
const MADE = {
  "+": (runs, inside) => (v, t) => {
    let found = 0, exact = true;
    for (const run of runs) exact = Number.isSafeInteger((found += run(v, t))) && exact;
    return exact ? found : inside(Number(runs.reduce((so, run) => so + BigInt(run(v, t)), 0n)));
  },
  "*": (runs, inside) => (v, t) => {
    const values = runs.map((run) => run(v, t));
    return values.includes(0) ? 0 : inside(values.reduce((a, b) => a * b));
  },
  neg: ([a]) => (v, t) => 0 - a(v, t),
  abs: ([a]) => (v, t) => Math.abs(a(v, t)),
  not: ([a]) => (v, t) => +!a(v, t),
  if: ([a, b, c]) => (v, t) => (a(v, t) ? b : c)(v, t),
  and: (runs) => (v, t) => +runs.every((run) => run(v, t)),
  or: (runs) => (v, t) => +runs.some((run) => run(v, t)),
  max: ([a, b, ...more]) => (v, t) => Math.max(a(v, t), b(v, t), ...more.map((run) => run(v, t))),
  min: ([a, b, ...more]) => (v, t) => Math.min(a(v, t), b(v, t), ...more.map((run) => run(v, t))),
};

// ---- what can still be told where something is not known

/** @type {[number, number]} */
const ANY = [-Infinity, Infinity];
/** @type {[number, number]} */
const BOTH = [0, 1];
/** @param {number} low @param {number} high @returns {[number, number]} */
const between = (low, high) =>
  [low < -LARGEST ? -Infinity : Math.min(low, LARGEST), high > LARGEST ? Infinity : Math.max(high, -LARGEST)];
/** @param {any} value @returns {Worth} */
const exactly = (value) => (typeof value === "string" ? [value] : [value, value]);
/** @param {Worth} worth */
const isWords = (worth) => typeof worth[0] === "string";
/** @param {[number, number]} worth @returns {boolean | null} */
const truth = ([low, high]) => (low > 0 || high < 0 ? true : low === high ? false : null);
/** @param {boolean | null} value @returns {Worth} */
const known = (value) => (value === null ? BOTH : [+value, +value]);
/** @param {Worth} worth */
const told = (worth) => (isWords(worth) ? (worth.length === 1 ? worth[0] : null) : worth[0] === worth[1] ? worth[0] : null);
/** @param {number[]} ends */
const hull = (ends) => between(Math.min(...ends), Math.max(...ends));
/** @param {number} a @param {number} b */
const product = (a, b) => (a && b && a * b);
/** @param {Worth[]} found @returns {Worth} */
function either(found) {
  const words = found.filter(isWords);
  if (words.length) return words.length === found.length ? [...new Set(words.flat())].map(String) : ANY;
  return hull(/** @type {number[]} */ (found.flat()));
}
/** @param {T.Tree} tree @param {Record<string, Worth>} v @param {Worth[]} t @param {T.GameData} game @returns {Worth} */
function bound(tree, v, t, game) {
  if (!Array.isArray(tree)) return [tree, tree];
  const [op, first] = tree;
  if (op === "word") return [first];
  if (op === "name") return v[first];
  if (op === "tally") return t[first];
  if (op === "lookup") return looked(game.tables[first], bound(tree[2], v, t, game), tree[3]);
  const every = tree.slice(1).map((arg) => () => bound(arg, v, t, game));
  if (op === "if") {
    const holds = truth(number(every[0]()));
    return holds === null ? either([every[1](), every[2]()]) : every[holds ? 1 : 2]();
  }
  const values = every.map((work) => work());
  if ((op === "=" || op === "!=") && values.some(isWords)) {
    if (!values.every(isWords)) return BOTH;
    const [a, b] = values.map((value) => new Set(value.map((word) => String(word).toLowerCase())));
    const alike = ![...a].some((word) => b.has(word)) ? false : new Set([...a, ...b]).size === 1 ? true : null;
    return known(alike === null ? null : alike === (op === "="));
  }
  return spanned(op, values.map(number));
}
/** What a formula comes to over values that are known; null where that cannot be told. @param {T.Tree} tree @param {Values} known @param {T.GameData} game */
export const bounded = (tree, known, game) => told(bound(tree, Object.fromEntries(Object.entries(known).map(([name, value]) => [name, exactly(value)])), [], game));
/** @param {Worth} worth @returns {[number, number]} */
const number = (worth) => (isWords(worth) ? ANY : /** @type {[number, number]} */ (worth));
/** @param {string} op @param {[number, number][]} list @returns {Worth} */
function spanned(op, list) {
  const lows = list.map(([low]) => low), highs = list.map(([, high]) => high), [[a, z], [b, y] = ANY] = list;
  if (op === "+") return between(sum(lows), sum(highs));
  if (op === "*")
    return list.reduce(([a, z], [b, y]) => hull([product(a, b), product(a, y), product(z, b), product(z, y)]));
  if (op === "neg") return between(0 - z, 0 - a);
  if (op === "abs") return between(Math.max(a, -z, 0), Math.max(-a, z));
  if (op === "max") return between(Math.max(...lows), Math.max(...highs));
  if (op === "min") return between(Math.min(...lows), Math.min(...highs));
  if (op === "not") return known(truth(list[0]) === null ? null : !truth(list[0]));
  if (op === "and" || op === "or") {
    const truths = list.map(truth), decides = op === "or";
    return known(truths.includes(decides) ? decides : truths.includes(null) ? null : !decides);
  }
  if (op in COMPARED) {
    const low = a - y, high = z - b;
    if (op === "=" || op === "!=") return known(low > 0 || high < 0 ? op === "!=" : low === high ? op === "=" : null);
    const holds = COMPARED[op](low, 0);
    return known(holds === COMPARED[op](high, 0) ? holds : null);
  }
  if (b === 1 && y === 1) return list[0];
  const under = [b, y, -1, 1].filter((end) => end && b <= end && end <= y);
  return under.length ? hull([a, z].flatMap((end) => under.map((by) => divided(op, end, by)))) : ANY;
}
/** @param {string} way @param {number} over @param {number} under */
function divided(way, over, under) {
  if (Math.abs(over) === Infinity && Math.abs(under) < Infinity) return under > 0 ? over : -over;
  if (Math.abs(under) === Infinity) return over === 0 ? 0 : over > 0 === under > 0 ? 1 : -1;
  return divide(way, over, under);
}
/** @param {T.TableData} table @param {Worth} row @param {string} column @returns {Worth} */
function looked(table, row, column) {
  const all = [...Object.entries(table.rows), ...table.ranges.map(([low, high, found]) => [[low, high], found])];
  const fits = (/** @type {any} */ name) => typeof name === "string" ? isWords(row) && row.some((word) => same(name, word))
    : !isWords(row) && (name[0] ?? -Infinity) <= row[1] && row[0] <= (name[1] ?? Infinity);
  const fitting = all.filter(([name]) => fits(name)), place = table.columns.indexOf(column);
  return either((fitting.length ? fitting : all).map(([, found]) => exactly(/** @type {any} */ (found)[place])));
}
// ---- a game, its rules, and a rule with values for its inputs

/** @param {T.GameData} data @returns {T.Game} */
export function load(data) {
  const formulas = (/** @type {any} */ raw) => raw && Object.fromEntries(Object.entries(raw).map(([name, one]) => [name, new Formula(one, data)]));
  const register = Object.fromEntries(Object.entries(data.register).map(([name, one]) => [name, { ...one, untrained: formulas(one.untrained) }]));
  const game = { ...data, register }, rules = Object.fromEntries(Object.entries(data.rules).map(([name, raw]) => [name, new Rule(game, name, raw)]));
  for (const rule of Object.values(rules)) rule.sides = rule.contest ? rule.contest.of.map((name) => rules[name]) : [];
  return { title: data.title, folder: data.folder, alone: data.alone, rules: /** @type {any} */ (rules) };
}
export class Rule {
  /** @param {T.GameData} game @param {string} name @param {T.RuleData} raw */
  constructor(game, name, raw) {
    const formula = (/** @type {any} */ one) => (one === null ? null : new Formula(one, game));
    /** @type {(part: any, ...keys: string[]) => any} */
    const filled = (part, ...keys) => part && { ...part, ...Object.fromEntries(keys.map((key) => [key, formula(part[key])])) };
    const named = (/** @type {string} */ table) =>
      game.tables[table].ranges.length
        ? game.tables[table].ranges.map(([low, high, row]) => [String(row[0]), low ?? high ?? 0])
        : Object.entries(game.tables[table].rows).map(([key, row]) => [key, row[0]]);
    this.game = game;
    this.name = name;
    this.label = raw.label;
    this.contest = raw.contest;
    this.policies = raw.policies;
    this.traits = raw.traits;
    /** @type {Rule[]} */
    this.sides = [];
    /** @type {T.Input[]} */
    this.inputs = raw.inputs.map((entry) => ({ ...filled(entry, "asked"), named: entry.names ? named(entry.names) : [] }));
    /** @type {any[]} */
    this.dice = raw.dice.map((kind) => ({
      ...filled(kind, "count", "sides", "good", "bad"), again: filled(kind.again, "when", "times", "optional"),
      explode: filled(kind.explode, "when", "optional"), keep: filled(kind.keep, "number"),
    }));
    /** @type {any[]} */
    this.rerolls = raw.rerolls.map((entry) => filled(entry, "times", "when"));
    /** @type {any[]} */
    this.tallies = raw.tallies.map((tally) => ({ ...tally, run: tally.test === null ? null : compile(tally.test, game, ""),
      names: tally.test === null ? [] : [...namesIn(tally.test)] }));
    /** @type {Map<string, Formula>} */
    this.steps = new Map(raw.steps.map(([step, one]) => [step, new Formula(one, game)]));
    /** @type {Record<string, Formula>} */
    this.marks = filled(raw.marks, ...Object.keys(raw.marks));
    /** @type {any[]} */
    this.outcomes = raw.outcomes.map((outcome) => filled(outcome, "when", "degree"));
    /** @type {T.Spend[]} */
    this.spends = raw.spends.map((one) => ({ ...one, changes: filled(one.changes, ...Object.keys(one.changes)) }));
    this.order = raw.order;
    this.fixed = raw.fixed;
    /** @type {Map<string, any>} */
    this.asked = new Map(this.inputs.filter((entry) => entry.asked).map((entry) => [entry.name, entry]));
    this.needs = this.needed([...this.steps.values(), ...this.outcomes.flatMap((one) => [one.when, one.degree])]);
    /** @type {[string, Setting] | null} */
    this.last = null;
    /** @type {Map<string, any>} */
    this.spaces = new Map();
    const names = this.dice.map((kind) => kind.name).sort((a, b) => b.length - a.length);
    const escaped = names.map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    this.kindNames = names.length ? `(?:${escaped})(?![^\\s,|\\[\\]])` : "(?!)";
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
      for (const name of waiting.pop()?.names ?? [])
        if (!found.has(name)) {
          found.add(name);
          if (this.steps.has(name) || this.asked.has(name)) waiting.push(this.formula(name));
        }
    return found;
  }
}
/** @param {T.Input} entry */
const variables = (entry) => (entry.parts.length ? entry.parts : [entry.name]);
/** @param {Rule} rule @param {Values} values @param {(name: string) => boolean} meant */
export const said = (rule, values, meant) =>
  rule.inputs.filter((entry) => entry.name in values && variables(entry).some(meant))
    .map((entry) => `${entry.name} ${shown(entry, values[entry.name])}`).join(", ");

/** The values of inputs as formulas name them: a die code becomes its two parts. @param {Rule} rule @param {Values} values */
export function named(rule, values) {
  /** @type {Values} */
  const known = Object.create(null);
  for (const entry of rule.inputs)
    if (entry.name in values)
      variables(entry).forEach((name, place) => (known[name] = entry.parts.length ? values[entry.name][place] : values[entry.name]));
  return known;
}
export class Setting {
  /** @param {Rule} rule @param {Values} values */
  constructor(rule, values) {
    this.rule = rule;
    this.values = values;
    this.known = named(rule, values);
    for (const name of rule.fixed)
      if ([...rule.needed([rule.formula(name)])].every((one) => one in this.known || rule.asked.has(one))) this.work(name, this.known, []);
    this.kinds = rule.dice.map((_, number) => new Ready(this, number));
    this.complete = [...rule.needs].every((name) => name in this.known || rule.steps.has(name));
    this.open = rule.order.filter((name) => !(rule.fixed.includes(name) && name in this.known));
    /** @type {Map<string, any>} */
    this.memory = new Map();
    this.scratch = { ...this.known };
  }
  /** One step, or one question: where it does not arise, the default holds.
   * @param {string} name @param {Values} v @param {number[]} t */
  work(name, v, t) {
    const value = this.rule.formula(name).run(v, t), entry = this.rule.asked.get(name);
    v[name] = !entry ? value : value ? this.values[name] : entry.default;
  }
  /** @param {Formula} formula @returns {number} */
  of(formula) {
    this.demand(formula.names);
    return formula.run(this.known, []);
  }
  /** @param {Iterable<string>} names */
  demand(names) {
    const missing = [...names].filter((name) => !(name in this.known));
    if (!missing.length) return;
    const needed = this.rule.needed(missing.map((name) => this.rule.steps.get(name) ?? null));
    const wanted = (/** @type {string} */ name) => !(name in this.known) && (needed.has(name) || missing.includes(name));
    const inputs = this.rule.inputs.filter((entry) => variables(entry).some(wanted)).map((entry) => entry.name).sort();
    const stop = new Stop(tell("wrong open", { names: inputs.join(", ") }));
    throw Object.assign(stop, { missing: inputs });
  }
  /** @param {any} reroll @param {number} kind @param {number} face  whether a reroll of all such dice takes this one */
  meets(reroll, kind, face) {
    const own = ["face", "last", "throw", "sides"];
    this.demand(reroll.when.names.filter((/** @type {string} */ name) => !own.includes(name)));
    return !!reroll.when.run({ ...this.known, face, last: 0, throw: 1, sides: this.kinds[kind].faces.length }, []);
  }
  /** @param {Formula} formula */
  said(formula) {
    return [...formula.names].sort().filter((name) => name in this.known).map((name) => `${name} ${this.known[name]}`).join(", ");
  }
}
const THROWN = ["face", "last", "throw", "good", "bad", "value", "sides"];

/** One kind of dice under these inputs. Each question is answered when it is asked, because each may be refused. */
export class Ready {
  /** @param {Setting} setting @param {number} number */
  constructor(setting, number) {
    this.setting = setting;
    this.number = number;
    this.kind = setting.rule.dice[number];
    /** @type {number | undefined} */
    this.dice = undefined;
    /** @type {number[] | undefined} */
    this.sides = undefined;
    /** @type {Map<any, Landing>} */
    this.landings = new Map();
    const { good, bad, again, explode } = this.kind, tests = setting.rule.tallies.filter((one) => one.kind === number);
    const asked = [good, bad, again?.when, again?.times, again?.optional, explode?.when, explode?.optional, ...tests.filter(({ perThrow }) => perThrow)];
    const names = asked.flatMap((one) => one?.names ?? []), open = (/** @type {string} */ name) => !THROWN.includes(name);
    this.names = names.filter(open); // what throws rest on
    this.valueNames = tests.flatMap((one) => (one.perThrow ? [] : one.names)).filter(open); // what whole dice rest on
    this.telling = names.includes("last") || names.includes("throw");
    /** @type {Values | null} */
    this.words = null;
  }
  /** @param {string} name @param {number} number @param {Formula} [formula] */
  stop(name, number, formula) {
    return new Stop(tell(name, { kind: this.kind.name, number, inputs: formula && this.setting.said(formula) }));
  }
  get count() {
    if (this.dice !== undefined) return this.dice;
    const { count } = this.kind, found = this.setting.of(count);
    if (found < 0)
      throw this.stop("wrong few", found, count);
    if (found > MOST) throw new Stop(tell("wrong many", { number: grouped(found), most: grouped(MOST) }));
    return (this.dice = found);
  }
  get faces() {
    if (this.sides) return this.sides;
    const { sides, faces } = this.kind;
    if (faces.length) return (this.sides = faces.map((/** @type {any[]} */ [, number]) => number));
    const found = this.setting.of(sides);
    if (!(found >= 1 && found <= MOST)) throw this.stop("wrong sides", found, sides);
    return (this.sides = Array.from({ length: found }, (_, face) => face + 1));
  }
  /** How many dice are kept; null when all are. @returns {number | null} */
  get keep() {
    const { keep } = this.kind, found = keep && this.setting.of(keep.number);
    if (found < 0) throw this.stop("wrong keep", found, keep.number);
    return found;
  }
  /** What this face does on this throw of a die. @returns {Landing} */
  land(face = 0, last = 0, count = 1) {
    const key = this.telling ? `${face},${last},${count}` : face;
    let found = this.landings.get(key);
    if (!found) this.landings.set(key, (found = this.landing(face, last, count)));
    return found;
  }
  /** @param {number} face @param {number} last @param {number} count @returns {Landing} */
  landing(face, last, count) {
    const { good, bad, explode, again } = this.kind;
    if (!this.words) this.setting.demand(this.names);
    const v = (this.words ??= { ...this.setting.known });
    const asked = (/** @type {Formula | undefined} */ formula) => !!formula?.run(v, []);
    Object.assign(v, { face, last, throw: count, sides: this.faces.length });
    v.good = +asked(good);
    v.bad = +asked(bad);
    const explodes = asked(explode?.when), mayStop = asked(explode?.optional);
    const earns = asked(again?.when) ? again.times.run(v, []) : 0, mayDecline = asked(again?.optional);
    const hits = this.setting.rule.tallies.map((one) => (one.kind === this.number && one.perThrow ? +!!one.run(v, []) : 0));
    if (earns < 0) throw this.stop("wrong earns", earns);
    return { face, good: !!v.good, bad: !!v.bad, explodes, mayStop, earns, mayDecline, hits };
  }
  /** What a die counts for each tally once it lies. @param {number[]} hits  what its throws count @param {number} value */
  rested(hits, value) {
    const { known, rule } = this.setting, test = (/** @type {Run} */ run) => {
      this.setting.demand(this.valueNames);
      return +!!run({ ...known, value, sides: this.faces.length }, []);
    };
    return hits.map((hit, place) => {
      const { kind, run, perThrow, function: way } = rule.tallies[place];
      return kind !== this.number || perThrow ? hit : run ? test(run) : way === "count" ? 1 : value;
    });
  }
  /** @param {Landing[]} throws */
  counted(throws) {
    return this.rested(throws.map(({ hits }) => hits).reduce((a, b) => a.map((hit, place) => hit + b[place])), valueOf(throws));
  }
}
const grouped = (/** @type {number} */ number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

// ---- one roll from beginning to end, whoever gives the faces

export const value = (/** @type {Die} */ die) => valueOf(die.throws);
export const valueOf = (/** @type {Landing[]} */ throws) => sum(throws.map(({ face }) => face));

export class Play {
  /** @param {Setting} setting @param {Faces} faces */
  constructor(setting, faces) {
    this.setting = setting;
    this.faces = faces;
    this.declined = this.throws = 0;
    /** @type {Die[]} */
    this.dice = [];
    this.left = 0; // dice of this kind still to come in this round, the one in hand included
    /** @type {[Die, Die][]} */
    this.rerolls = [];
    this.round = 1;
  }
  run() {
    const { kinds, rule } = this.setting;
    for (const ready of kinds) for (this.left = ready.count; this.left; this.left--) this.dice.push(this.die(ready));
    rule.rerolls.forEach((reroll, number) => this.reroll(number, reroll));
    for (let newest = this.dice; ; ) {
      this.round++;
      const offers = this.earned(newest), earned = new Map();
      if (!offers.length) break;
      for (const { kind } of offers) earned.set(kind, (earned.get(kind) ?? 0) + 1);
      this.faces.round?.(new Map(earned));
      const from = this.dice.length;
      for (const { kind, may } of offers) {
        this.left = earned.get(kind);
        earned.set(kind, this.left - 1);
        if (this.taken(kinds[kind], may)) this.dice.push(this.die(kinds[kind]));
      }
      newest = this.dice.slice(from);
    }
    return this.settled();
  }
  /** What is not kept is marked. */
  settled() {
    for (const ready of this.setting.kinds) if (ready.kind.keep) this.drop(ready, /** @type {number} */ (ready.keep));
    return this;
  }
  /** @param {number} number @param {any} reroll */
  reroll(number, reroll) {
    const { dice } = this, times = Math.min(this.setting.of(reroll.times), MOST);
    const places = reroll.among.flatMap((/** @type {number} */ kind) => dice.flatMap((die, place) => (die.kind === kind ? [place] : [])));
    if (places.length)
      for (let left = times; left > 0; left--) {
        const picked = this.picked(reroll, places, number, left);
        if (!picked) return;
        for (const place of picked) dice[place] = this.anew(reroll, dice[place]);
      }
  }
  /** @param {any} reroll @param {number[]} places @param {number} number @param {number} left */
  picked(reroll, places, number, left) {
    const { dice } = this, { pick } = reroll;
    if (pick === "all") return places.filter((place) => this.setting.meets(reroll, dice[place].kind, value(dice[place])));
    if (pick !== "any") return [best(places, (place) => (pick === "highest" ? 1 : -1) * value(dice[place]))];
    const chosen = this.faces.choose(this, dice, places, number, left);
    return chosen === null ? null : [chosen];
  }
  /** @param {any} reroll @param {Die} old */
  anew(reroll, old) {
    const ready = this.setting.kinds[old.kind];
    this.faces.rethrow?.(ready, old);
    const made = this.thrown(ready), stays = remains(reroll.keep, value(old), value(made));
    this.rerolls.push([old, made]);
    return { ...(stays ? old : made), tries: [...(old.tries.length ? old.tries : [old.throws]), made.throws] };
  }
  /** @param {Ready} ready */
  die(ready) {
    this.faces.begin?.(ready);
    return this.thrown(ready);
  }
  /** One die, thrown on as long as it explodes. @param {Ready} ready @returns {Die} */
  thrown(ready) {
    /** @type {Landing[]} */
    const throws = [];
    for (let last = 0; ; last = throws[throws.length - 1].face) {
      const landing = ready.land(this.faces.face(ready), last, throws.length + 1);
      throws.push(landing);
      if (++this.throws > MOST) throw new Stop(tell("wrong throws", { most: grouped(MOST) }));
      if (!landing.explodes) break;
      if (landing.mayStop && !this.faces.onward(ready)) {
        this.declined++;
        break;
      }
    }
    this.faces.end?.(ready);
    return { kind: ready.number, throws, round: this.round, kept: true, tries: [] };
  }
  /** The dice that a round has earned, as declared; in each kind last those that may be declined. @param {Die[]} dice */
  earned(dice) {
    const { rule } = this.setting, offers = [];
    for (const die of dice)
      if (rule.dice[die.kind].again)
        for (const landing of die.throws)
          for (let left = landing.earns; left > 0; left--) {
            offers.push({ kind: rule.dice[die.kind].again.roll, may: landing.mayDecline });
            if (offers.length > MOST) throw new Stop(tell("wrong offers", { most: grouped(MOST) }));
          }
    return offers.sort((a, b) => a.kind - b.kind || +a.may - +b.may);
  }
  /** @param {Ready} ready @param {boolean} may */
  taken(ready, may) {
    if (!may || this.faces.offered(ready)) return true;
    this.declined++;
    return false;
  }
  /** Dice that are not kept are marked; of equal ones the first thrown stay. @param {Ready} ready @param {number} keep */
  drop(ready, keep) {
    const sign = ready.kind.keep.highest ? -1 : 1, own = this.dice.filter((die) => die.kind === ready.number);
    for (const die of own.sort((a, b) => sign * (value(a) - value(b))).slice(keep)) die.kept = false;
  }
  /** The value of every tally over the dice that are kept. */
  tallies() {
    const { kinds, rule } = this.setting, found = rule.tallies.map(() => 0);
    for (const ready of kinds) {
      const own = this.dice.filter((die) => die.kind === ready.number && die.kept).map(({ throws }) => ready.counted(throws));
      rule.tallies.forEach((tally, place) => {
        if (tally.kind === ready.number && own.length) found[place] = together(tally.function, own.map((die) => die[place]));
      });
    }
    return found;
  }
}
/** @param {string} way @param {number[]} hits  what the dice of a kind count */
const together = (way, hits) => (way === "highest" ? Math.max(...hits) : way === "lowest" ? Math.min(...hits) : sum(hits));
/** @param {string} keep @param {number} old @param {number} made  whether the old die stays */
export const remains = (keep, old, made) => (keep === "higher" ? old >= made : keep === "lower" ? old <= made : false);

// ---- what comes of it

export class Result {
  /** @param {Play} play */
  constructor(play) {
    const { setting } = play, { rule } = setting;
    this.setting = setting;
    this.rule = rule;
    this.play = play;
    this.inputs = setting.values;
    this.declined = play.declined;
    this.tallies = play.tallies();
    /** @type {Values} */
    this.steps = {};
    /** @type {any} */
    this.outcome = null;
    /** @type {number | null} */
    this.degree = null;
    if (setting.complete) this.work();
    else this.outline();
  }
  work() {
    const { rule, setting, tallies } = this, v = setting.scratch; // what is not known yet is worked out in order
    for (const name of setting.open) setting.work(name, v, tallies);
    for (const name of rule.steps.keys()) this.steps[name] = v[name];
    this.outcome = rule.outcomes.find(({ when }) => !when || when.run(v, tallies)) ?? null;
    this.degree = this.outcome?.degree?.run(v, tallies) ?? null;
  }
  /** All that is certain where some inputs are not known. */
  outline() {
    const { rule, setting } = this, t = this.tallies.map(exactly), v = supposed(setting, t);
    const of = (/** @type {Formula} */ formula) => bound(formula.tree, v, t, rule.game);
    for (const name of rule.steps.keys()) this.steps[name] = told(v[name]);
    for (const outcome of rule.outcomes) {
      const holds = outcome.when ? truth(number(of(outcome.when))) : true;
      if (holds === null) return;
      if (!holds) continue;
      const degree = outcome.degree && told(of(outcome.degree));
      this.degree = typeof degree === "number" ? degree : null;
      this.outcome = outcome;
      return;
    }
  }
  get toldSteps() {
    return Object.fromEntries(Object.entries(this.steps).filter(([, value]) => value !== null));
  }
  /** Inputs whose question does not arise. */
  get unasked() {
    const { rule, setting } = this, v = { ...setting.known, ...this.toldSteps };
    const able = [...rule.asked.values()].filter(({ asked }) => [...rule.needed([asked])].every((name) => name in v));
    return able.filter(({ asked }) => !asked.run(v, this.tallies)).map(({ name }) => name);
  }
  /** Inputs whose question arises: a choice that is to be made now. */
  get asks() {
    const { unasked } = this;
    return [...this.rule.asked.keys()].filter((name) => !unasked.includes(name));
  }
  /** Every value that formulas can name, as far as it is known. @returns {Values} */
  get known() {
    const defaults = this.unasked.map((name) => [name, this.rule.asked.get(name).default]);
    return { ...this.setting.known, ...Object.fromEntries(defaults), ...this.toldSteps };
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
    const { marks } = this;
    const waiting = ["removed", "cancelled"].flatMap((role) => Array(Math.min(marks[role] ?? 0, MOST)).fill(role));
    return this.play.dice.map((die) => this.faceRoles(die, waiting));
  }
  /** @param {Die} die @param {string[]} waiting @returns {T.Shown[]} */
  faceRoles(die, waiting) {
    const kind = this.rule.dice[die.kind], base = [...(die.round > 1 ? ["earned"] : []), ...(die.kept ? [] : ["dropped"])];
    const show = (/** @type {Landing} */ { face }, /** @type {string[]} */ roles) =>
      ({ kind: kind.name, text: faceText(kind, face), round: die.round, roles });
    const gone = die.tries.filter((throws) => throws !== die.throws).flat();
    return [...gone.map((landing) => show(landing, ["rerolled"])), ...die.throws.map((landing, number) => {
      const roles = [...base, ...(landing.good ? ["good"] : []), ...(landing.bad ? ["bad"] : [])];
      if (landing.good && die.kept && waiting.length) roles.push(/** @type {string} */ (waiting.shift()));
      return show(landing, number ? [...roles, "thrown on"] : roles);
    })];
  }
  /** The dice as a record that can be pasted into a book. */
  get dice() {
    const { dice } = this.rule, groups = new Map();
    for (const die of this.play.dice) {
      const key = `${die.round} ${die.kind}`;
      if (!groups.has(key)) groups.set(key, dice.length > 1 ? [dice[die.kind].name] : []);
      groups.get(key).push(throwsText(dice[die.kind], (die.tries.length ? die.tries : [die.throws])[0]));
    }
    return [...groups.values()].map((texts) => texts.join(" ")).join(" | ");
  }
  /** The rerolls as they are recorded: «skill 2 -> 4, attribute 1 -> 3». */
  get rerolled() {
    const text = (/** @type {Die} */ die) => throwsText(this.rule.dice[die.kind], die.throws);
    return this.play.rerolls.map(([old, made]) => `${this.rule.dice[old.kind].name} ${text(old)} -> ${text(made)}`).join(", ");
  }
}
/** What is known of every value, be it only its range. @param {Setting} setting @param {Worth[]} t */
function supposed({ rule, known, values }, t) {
  /** @type {Record<string, Worth>} */
  const v = {};
  for (const entry of rule.inputs) Object.assign(v, worths(entry));
  for (const name in known) v[name] = exactly(known[name]);
  for (const name of rule.order) {
    const found = bound(rule.formula(name).tree, v, t, rule.game), entry = rule.asked.get(name);
    v[name] = entry ? askedWorth(entry, values[name] ?? entry.default, found) : found;
  }
  return v;
}
/** The formulas in a part of a rule. @param {any} part @returns {T.Tree[]} */
const treesIn = (part) =>
  part instanceof Formula ? [part.tree] : part && typeof part === "object" ? Object.values(part).flatMap(treesIn) : [];
/** Inputs without which nothing can be told of a roll: what is open may stay so, unless a contest compares it.
 * @param {Rule} rule @param {T.Inputs} inputs @param {string} [compare] @returns {T.Input[]} */
export function lacking(rule, inputs, compare) {
  const [found] = attempt(() => {
    const [setting] = settle(rule, inputs);
    if (!setting) return [];
    const t = rule.tallies.map(() => ANY), v = { ...Object.fromEntries(THROWN.map((name) => [name, ANY])), ...supposed(setting, t) };
    /** Names that still count: what is certain needs none, and a branch that is not taken. @param {T.Tree} tree @param {Set<string>} names */
    const awaited = (tree, names) => {
      if (!Array.isArray(tree) || told(bound(tree, v, t, rule.game)) !== null) return names;
      const [op, ...args] = /** @type {any[]} */ (tree), holds = op === "if" ? truth(number(bound(args[0], v, t, rule.game))) : null;
      if (op === "name" && !names.has(args[0])) {
        names.add(args[0]);
        if (rule.steps.has(args[0]) || rule.asked.has(args[0])) awaited(rule.formula(args[0]).tree, names);
      } else for (const arg of holds === null ? args : [args[holds ? 1 : 2]]) awaited(arg, names);
      return names;
    };
    const all = (/** @type {T.Tree[]} */ trees) => trees.reduce((names, tree) => awaited(tree, names), /** @type {Set<string>} */ (new Set()));
    const ends = all(treesIn(compare ? rule.formula(compare) : [...rule.steps.values(), rule.outcomes]));
    const dice = all([...treesIn([rule.dice, rule.rerolls]), ...rule.tallies.map(({ test }) => test)]);
    return rule.inputs.filter((entry) => !(entry.name in setting.values) && variables(entry).some((name) =>
      (ends.has(name) && !!(compare || !entry.open)) || (dice.has(name) && !entry.open)));
  });
  return found ?? [];
}
/** The range of every variable of an input. @param {T.Input} entry @returns {Record<string, Worth>} */
function worths(entry) {
  const { form, name, parts, least, most, dice } = entry;
  if (form === "code") return { [parts[0]]: between(least, most), [parts[1]]: [0, 2] };
  return { [name]: form === "choice" ? entry.choices : form === "flag" ? BOTH : form === "die" ? hull(dice) : [least, most] };
}
/** @param {T.Input} entry @param {any} value @param {Worth} found @returns {Worth} */
function askedWorth(entry, value, found) {
  const holds = truth(number(found));
  if (holds || same(value, entry.default)) return exactly(value);
  return holds === false ? exactly(entry.default) : ANY;
}
/** @param {any} kind @param {number} face @returns {string} */
export const faceText = (kind, face) => kind.faces.find((/** @type {any[]} */ [, number]) => number === face)?.[0] ?? String(face);
/** @param {any} kind @param {Landing[]} throws */
export const throwsText = (kind, throws) => throws.map(({ face }) => faceText(kind, face)).join("+");

// ---- how it came about, in words and figures

const plain = (/** @type {any} */ value) => (value === null || value === undefined ? "?" : String(value));
const quoted = (/** @type {any} */ value) => (typeof value === "string" ? `'${value}'` : plain(value));

/** @param {Result} result @returns {T.Explanation} */
export function explain(result) {
  const { rule, outcome, degree } = result, known = result.known;
  const steps = Object.entries(result.steps).map(([name, value]) => `${name} ${plain(value)}`).join(", ");
  const verdict = !rule.outcomes.length ? "" : !outcome ? notKnown(result)
    : outcome.name + (degree === null ? "" : `, ${tell("degree")} ${degree}`);
  const worked = (/** @type {Formula} */ formula, /** @type {any[]} */ ...value) => {
    const parts = [formula.text, fill(result, formula, known), ...value.map((one) => (one === null ? tell("why unknown") : quoted(one)))];
    return [...new Set(parts.map((part) => part.trim().split(/\s+/).join(" ")))].join(" → ");
  };
  const derivation = [...rule.steps].map(([name, formula]) => `${name}: ${worked(formula, result.steps[name])}`);
  if (outcome) {
    const why = outcome.when ? `: ${worked(outcome.when)}` : rule.outcomes.length > 1 ? `: ${tell("why last")}` : "";
    derivation.push(outcome.name + why + (outcome.degree ? `; ${tell("degree")}: ${worked(outcome.degree, degree)}` : ""));
  } else if (rule.outcomes.length) derivation.push(verdict);
  /** @type {(text: string, name: string) => string} */
  const filled = (_, name) => plain(name === "degree" ? degree : known[name]).replace(/^-(?=\d)/, "−");
  return {
    line: [steps, verdict].filter(Boolean).join(": "), derivation, dice: diceLine(result),
    says: outcome?.says.replace(/\{([^{}]*)\}/g, filled) ?? "", inputs: said(rule, result.inputs, () => true),
  };
}
/** @param {Result} result */
function notKnown({ rule, inputs }) {
  const needed = rule.needed(rule.outcomes.map((outcome) => outcome.when));
  const missing = rule.inputs.filter((entry) => variables(entry).some((name) => needed.has(name)) && !(entry.name in inputs));
  return missing.length ? tell("why without", { names: missing.map(({ name }) => name).join(` ${tell("and")} `) }) : tell("why open");
}
/** The text of a formula with every name and count replaced by its value. @param {Result} result @param {Formula} formula @param {Values} known */
function fill(result, { parts }, known) {
  return parts.map((part, place) => {
    if (place % 2 === 0) return part;
    const [, of] = part, text = typeof of === "number" ? plain(result.tallies[of]) : quoted(known[of]);
    return text.startsWith("-") && /[-+−*]$/.test(String(parts[place - 1]).trimEnd()) ? `(${text})` : text;
  }).join("");
}
/** «regular 1 4 7 10 | bonus 1 10»: the dice as they lie. @param {Result} result */
function diceLine(result) {
  let before = "";
  const texts = result.faces.map((faces) => {
    const { kind, round } = faces[0], lying = faces.filter((face) => !face.roles.includes("rerolled"));
    const text = lying.map((face) => face.text).join("+"), here = `${round} ${kind}`;
    const head = here === before ? " " : `${before && " | "}${kind} `;
    before = here;
    return head + (faces.some((face) => face.roles.includes("dropped")) ? `(${text})` : text);
  });
  return texts.join("");
}

// ---- what somebody typed: inputs, dice, rerolls

/** The nearest known word, as sentences name it. @param {string} word @param {string[]} names */
export function suggest(word, names) {
  const spelled = new Map(names.map((name) => [name.toLowerCase(), name])), low = word.toLowerCase();
  const ranked = [...spelled.keys()].map((name) => ({ name, near: likeness(name, low) })).filter(({ near }) => near >= 0.6);
  ranked.sort((a, b) => b.near - a.near || (a.name < b.name ? 1 : -1));
  if (ranked.length) return tell("wrong near", { name: spelled.get(ranked[0].name) });
  return names.length && names.length <= 12 ? tell("wrong known", { names: names.join(", ") }) : "";
}
/** How alike two words are: twice the letters in common stretches, the longest first. @param {string} a @param {string} b */
const likeness = (a, b) => (a || b ? (2 * common([...a], [...b])) / ([...a].length + [...b].length) : 1);
/** @param {string[]} a @param {string[]} b @returns {number} */
function common(a, b) {
  let size = 0, at = 0, to = 0;
  a.forEach((_, i) => b.forEach((_, j) => {
    let length = 0;
    while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
    if (length > size) [size, at, to] = [length, i, j];
  }));
  return size && size + common(a.slice(0, at), b.slice(0, to)) + common(a.slice(at + size), b.slice(to + size));
}
/** @param {number} sides */
const dieName = (sides) => (sides ? `d${sides}` : "none");
/** A value as an author would write it. @param {T.Input} entry @param {any} value */
export function shown(entry, value) {
  if (entry.form === "flag") return value ? "yes" : "no";
  if (entry.form === "die") return dieName(value);
  return entry.form === "code" ? `${value[0]}D${value[1] ? `+${value[1]}` : ""}` : String(value);
}
/** @param {string} name @param {Record<string, any>} values */
const wrong = (name, values) => Error(tell(name, values));
/** @type {Record<string, (entry: T.Input, text: string) => any>}  the value, or a complaint in an Error */
const READERS = {
  number({ name, least, most, named }, text) {
    const found = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : named.findLast(([known]) => same(known, text))?.[1];
    if (found === undefined) return wrong("wrong number", { name, least, most, text, near: suggest(text, named.map(([known]) => known)) });
    return least <= found && found <= most ? found : wrong("wrong range", { name, least, most, text });
  },
  flag({ name }, text) {
    const place = ["no", "yes", "false", "true"].indexOf(text.toLowerCase());
    return place < 0 ? wrong("wrong flag", { name, text }) : place % 2;
  },
  choice({ name, choices }, text) {
    return choices.find((choice) => same(choice, text)) ?? wrong("wrong choice", { name, text, near: suggest(text, choices) });
  },
  die({ name, dice }, text) {
    const bare = same(text, "none") ? "0" : text.toLowerCase().replace(/^d/, "");
    if (/^\d{1,8}$/.test(bare) && dice.includes(Number(bare))) return Number(bare);
    return wrong("wrong choice", { name, text, near: tell("wrong known", { names: dice.map(dieName).join(", ") }) });
  },
  code({ name, least, most }, text) {
    const found = /^(\d{1,6})d([+-]\d{1,2})?$/i.exec(text.replaceAll(" ", "")), [dice, pips] = [Number(found?.[1]), Number(found?.[2] ?? 0)];
    if (!found || pips < 0 || pips > 2) return wrong("wrong code", { name, text });
    return least <= dice && dice <= most ? [dice, pips] : wrong("wrong range", { name, least: `${least}D`, most: `${most}D`, text: `${dice}D` });
  },
};
/** How optional dice are taken and rerolls are chosen: as asked for, else as the rule's first policies say.
 * @param {Rule} rule @param {string} policy */
export function policies(rule, policy) {
  const first = (/** @type {string[]} */ names) => [policy, ...rule.policies].find((name) => names.includes(name)) ?? names[0];
  return [first(["always", "never"]), first(["best mean", "best chance"])];
}
/** @param {Rule} rule @param {T.Inputs} given @returns {[Values, T.Complaint[]]} */
export function bind(rule, given) {
  /** @type {Values} */
  const values = {};
  const spelled = new Map(rule.inputs.map((entry) => [entry.name.toLowerCase(), entry])), complaints = [];
  for (const entry of rule.inputs) if (entry.default !== null) values[entry.name] = entry.default;
  for (const [name, raw] of Object.entries(given)) {
    const entry = spelled.get(name.toLowerCase());
    const text = typeof raw === "boolean" ? (raw ? "yes" : "no") : String(raw).trim().replaceAll("−", "-");
    const value = entry ? READERS[entry.form](entry, text)
      : wrong("wrong input", { rule: rule.name, name, near: suggest(name, [...spelled.keys()]) });
    if (value instanceof Error) complaints.push({ part: name, message: value.message.replace(/; $/, entry?.form === "number" ? "" : ";"), start: 0, end: 0 });
    else if (entry) values[entry.name] = value;
  }
  return [values, complaints];
}
/** The setting of a rule, remembered as long as nothing changes. @param {Rule} rule @param {T.Inputs} inputs @returns {[Setting | null, T.Complaint[]]} */
export function settle(rule, inputs) {
  const key = JSON.stringify(inputs);
  if (rule.last?.[0] === key) return [rule.last[1], []];
  const [values, complaints] = bind(rule, inputs);
  if (complaints.length) return [null, complaints];
  const setting = new Setting(rule, values);
  rule.last = [key, setting];
  return [setting, []];
}

/** @param {any} kind @param {string} text @returns {number | undefined} */
function faceNumber(kind, text) {
  const low = text.replaceAll("−", "-").toLowerCase();
  if (kind.faces.length) return kind.faces.find((/** @type {any[]} */ [label]) => label.replaceAll("−", "-").toLowerCase() === low)?.[1];
  return /^\d{1,8}$/.test(low) ? Number(low) : undefined;
}
/** @param {Ready} ready @param {string} text @returns {number[] | null}  the faces of one die; null where one is not on it */
export function readThrows({ kind, faces }, text, anyFace = false) {
  const found = (kind.explode ? text.split("+") : [text]).map((part) => faceNumber(kind, part));
  return found.every((face) => face !== undefined && (anyFace || faces.includes(face))) ? /** @type {number[]} */ (found) : null;
}
/** Why this can be no die of its kind. @param {Ready} ready @param {string} text */
export function impossible(ready, text) {
  const { kind, faces, setting } = ready, { name } = kind, parts = text.split("+");
  const wrong = parts.filter((part) => !readThrows(ready, part));
  if (!kind.explode && parts.length > 1 && !wrong.length) return tell("wrong joined", { kind: name, faces: parts.join(" ") });
  if (kind.explode && wrong.includes("")) return tell("wrong plus", { text });
  if (/^\p{L}/u.test(text) && !kind.faces.length)
    return tell("wrong kind", { text, kind: name, near: suggest(text, setting.rule.dice.map((one) => one.name)) });
  const labels = kind.faces.map((/** @type {any[]} */ [label]) => label).join(", ");
  return tell(labels ? "wrong mark" : "wrong face", { kind: name, text: kind.explode ? wrong[0] : text, faces: labels, most: faces.length });
}


// ---- faces that nobody has thrown yet

/** @param {Rule} rule @param {T.Inputs} inputs @param {number | (() => number)} source @param {T.Choices} choices @returns {T.Checked} */
export function roll(rule, inputs, source, choices = {}) {
  const next = typeof source === "number" ? generator(source) : source;
  const [taking] = policies(rule, choices.policy ?? ""), take = (/** @type {Ready} */ ready) => choices.take?.(ready.kind.name) ?? taking === "always";
  const [found, complaints] = attempt(() => {
    const [setting, wrong] = settle(rule, inputs);
    if (!setting) return { result: null, complaints: wrong };
    const choose = /** @type {Faces["choose"]} */ (choices.pick ? (_, dice, places, number) =>
      /** @type {any} */ (choices).pick(dice.map(lain(rule)), places, rule.rerolls[number].keep) : (choices.advise ?? worstFirst)(setting, choices.policy ?? ""));
    const faces = { face: (/** @type {Ready} */ ready) => ready.faces[below(next, ready.faces.length)], onward: take, offered: take, choose };
    return { result: new Result(new Play(setting, faces).run()), complaints: [] };
  });
  return /** @type {any} */ (found ?? { result: null, complaints });
}
/** The die in most need. @param {Setting} setting @returns {Faces["choose"]} */
export const worstFirst = ({ rule }) => (_, dice, places, number) =>
  best(places, (place) => (rule.rerolls[number].keep === "lower" ? 1 : -1) * value(dice[place]));
/** A die on the table, as others see it. @param {Rule} rule @returns {(die: Die) => T.Lying} */
const lain = (rule) => (die) => ({
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
 * @param {Rule} rule @param {T.Inputs} inputs @param {T.Answer[]} answers @returns {T.Asking} */
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
        const { kind } = ready, labels = kind.faces.map((/** @type {any[]} */ [label]) => label);
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
    return { question: null, result: /** @type {any} */ (new Result(play.run())), complaints: [] };
  } catch (error) {
    if (error instanceof Asked) return { question: error.question, result: null, complaints: [] };
    const [, complaints] = attempt(() => { throw error; });
    return { question: null, result: null, complaints, missing: /** @type {any} */ (error).missing };
  }
}
/** Who wins a contest; «again» where both are to throw again. @param {{contest: T.ContestData | null}} rule @param {T.Result} first @param {T.Result} second @returns {string | null} */
export function winner({ contest }, first, second) {
  const { compare, ties } = /** @type {T.ContestData} */ (contest), a = first.steps[compare], b = second.steps[compare];
  if (typeof a !== "number" || typeof b !== "number") return null;
  return a > b ? "first" : a < b ? "second" : ties;
}
