// How likely everything is: chances in doubles, right to 1e-12, or an honest «cannot».
// Dice become distributions over the few sums that the answer rests on; nothing is subtracted, so no digits are lost.
/** @import * as T from "./engine.d.ts" */
/** @import {Coordinate, Die, Faces, Hope, Plan, Rest, State, Sums, Turn, Values} from "./parts.d.ts" */
/** @import {Formula, Ready} from "./play.js" */
import { Setting, Stop, Rule, attempt, best, bind, compile, namesIn, policies, remains, suggest, sum, tell, valueOf, worstFirst } from "./play.js";

const MOST_WORK = 2e7; // steps of the innermost loops: a tenth of a second or so
const TINY = 1e-24; // what is rarer than this in a sum is left out
const MOST_LOST = 5e-13; // how far chances may be from adding up to one
const ALIKE = 1e-12; // hopes that differ by less are the same, as in Python
class TooMuch extends Stop {}
const cannot = () => new TooMuch(tell("wrong states"));

// ---- plans: which sums over the dice a question rests on

/** @param {T.Tree} tree @returns {tree is number | ["word", string]} */
const fixed = (tree) => typeof tree === "number" || tree[0] === "word";

class Planner {
  /** @param {Setting} setting */
  constructor(setting) {
    this.setting = setting;
    this.rule = setting.rule;
    /** @type {Map<string, {tree: T.Tree, form: Map<number, number> | null}>} */
    this.steps = new Map();
    for (const name of setting.open) {
      const tree = this.fold(this.tree(name));
      this.steps.set(name, { tree, form: this.linear(tree) });
    }
    /** @type {Map<string, Coordinate>} */
    this.coordinates = new Map();
    /** @type {Map<string, T.Tree>} */
    this.used = new Map();
  }
  /** @param {string} name @returns {T.Tree} */
  tree(name) {
    const { asked, steps } = this.rule, entry = asked.get(name);
    if (!entry) return /** @type {any} */ (steps.get(name)).tree;
    const constant = (/** @type {any} */ value) => (typeof value === "string" ? ["word", value] : value);
    return ["if", entry.asked.tree, constant(this.setting.values[name] ?? entry.default), constant(entry.default)];
  }
  /** A tree in which everything that is known is worked out. @param {T.Tree} tree @returns {T.Tree} */
  fold(tree) {
    if (fixed(tree) || tree[0] === "tally") return tree;
    const [op, ...args] = tree;
    if (op === "name") {
      const value = this.setting.known[args[0]], step = this.steps.get(args[0]);
      if (step) return fixed(step.tree) ? step.tree : tree;
      return value === undefined ? tree : typeof value === "string" ? ["word", value] : value;
    }
    if (op === "lookup") {
      const row = this.fold(args[1]);
      return this.settled(["lookup", args[0], row, args[2]], [row]);
    }
    const first = this.fold(args[0]);
    if (op === "if" && fixed(first)) return this.fold(first ? args[1] : args[2]);
    if ((op === "and" || op === "or") && fixed(first))
      return !!first === (op === "or") || args.length === 1 ? +!!first : this.fold([op, ...args.slice(1)]);
    const folded = [first, ...args.slice(1).map((/** @type {T.Tree} */ arg) => this.fold(arg))];
    return this.settled([op, ...folded], folded);
  }
  /** @param {any} tree @param {T.Tree[]} parts @returns {T.Tree} */
  settled(tree, parts) {
    if (!parts.every(fixed)) return tree;
    const [value] = attempt(() => compile(tree, this.rule.game, "")({}, []));
    return value === null ? tree : typeof value === "string" ? ["word", value] : value;
  }
  /** A tree as so many of each tally and a constant (-1), if it is no more than that. @param {T.Tree} tree @returns {Map<number, number> | null} */
  linear(tree) {
    if (typeof tree === "number") return new Map([[-1, tree]]);
    const [op, ...args] = tree;
    if (op === "name") return this.steps.get(args[0])?.form ?? null;
    if (op === "tally") return ["sum", "count"].includes(this.rule.tallies[args[0]].function) ? new Map([[args[0], 1]]) : null;
    if (op !== "+" && op !== "neg" && op !== "*") return null;
    const parts = args.flatMap((/** @type {T.Tree} */ arg) => this.linear(arg) ?? []);
    if (parts.length < args.length) return null;
    if (op === "+") return added(parts);
    const open = parts.filter((part) => part.size > 1 || !part.has(-1)), others = parts.filter((part) => !open.includes(part));
    if (open.length !== 1) return null;
    return scaled(open[0], op === "neg" ? -1 : others.reduce((so, part) => so * (part.get(-1) ?? 0), 1));
  }
  /** A tree over the coordinates that are kept. @param {T.Tree} tree @returns {T.Tree} */
  rewrite(tree) {
    if (fixed(tree)) return tree;
    const form = this.linear(tree), [op, ...args] = tree, again = (/** @type {T.Tree} */ arg) => this.rewrite(arg);
    if (form && [...form.values()].every((times) => Math.abs(times) < 1e6)) return this.coordinate(form);
    if (op === "tally") return this.place(`tally ${args[0]}`, { form: null, tally: args[0] });
    if (op === "name") return this.use(args[0], tree);
    if (op === "lookup") return ["lookup", args[0], again(args[1]), args[2]];
    const plain = op === "+" ? args.filter((/** @type {T.Tree} */ arg) => this.linear(arg)) : [];
    if (plain.length < 2 || plain.length === args.length) return [op, ...args.map(again)];
    return ["+", again(["+", ...plain]), ...args.filter((/** @type {T.Tree} */ arg) => !plain.includes(arg)).map(again)];
  }
  /** @param {string} name @param {T.Tree} tree @returns {T.Tree} */
  use(name, tree) {
    const step = this.steps.get(name);
    if (step && !this.used.has(name)) this.used.set(name, this.rewrite(step.tree));
    return tree;
  }
  /** @param {Map<number, number>} sum @returns {T.Tree} */
  coordinate(sum) {
    const own = [...sum].filter(([tally, times]) => tally >= 0 && times).sort(([a], [b]) => a - b), constant = sum.get(-1) ?? 0;
    if (!own.length) return constant;
    const times = own.reduce((so, [, one]) => shared(so, one), 0) * Math.sign(own[0][1]), form = new Map(own.map(([tally, one]) => [tally, one / times]));
    return ["+", ["*", times, this.place(`sum ${[...form]}`, { form, tally: -1 })], constant];
  }
  /** @param {string} key @param {Coordinate} made @returns {T.Tree} */
  place(key, made) {
    if (!this.coordinates.has(key)) this.coordinates.set(key, made);
    return ["tally", [...this.coordinates.keys()].indexOf(key)];
  }
  /** @param {Formula[]} formulas @returns {Plan} */
  plan(formulas) {
    const { used, rule, steps } = this, trees = formulas.map(({ tree }) => this.rewrite(this.fold(tree)));
    const lines = [...steps.keys()].filter((name) => used.has(name))
      .map((name) => ({ name, run: compile(used.get(name) ?? 0, rule.game, rule.formula(name).text) }));
    const coordinates = [...this.coordinates.values()];
    return {
      coordinates, key: [...this.coordinates.keys()].join(), runs: trees.map((tree, place) => compile(tree, rule.game, formulas[place].text)),
      asked: new Set(coordinates.flatMap(({ form, tally }) => (form ? [...form.keys()] : [tally]))),
      needs: [...used.values(), ...trees].flatMap((tree) => [...namesIn(tree)]).filter((name) => !steps.has(name)),
      work: (v, t) => {
        for (const { name, run } of lines) v[name] = run(v, t);
      },
    };
  }
}
/** The greatest number that divides both. @param {number} a @param {number} b @returns {number} */
const shared = (a, b) => (b ? shared(b, a % b) : Math.abs(a));
/** @param {Map<number, number>} form @param {number} by */
const scaled = (form, by) => new Map([...form].map(([tally, times]) => [tally, times * by]));
/** @param {Map<number, number>[]} forms */
function added(forms) {
  const found = new Map();
  for (const form of forms) for (const [tally, times] of form) found.set(tally, (found.get(tally) ?? 0) + times);
  return found;
}

// ---- distributions: states with weights, added along sums, compared along highest and lowest

class Space {
  /** @param {Plan} plan @param {Rule} rule */
  constructor(plan, rule) {
    this.work = 0;
    /** @type {Map<string, Sums>} */
    this.memory = new Map();
    this.sums = plan.coordinates.filter(({ form }) => form);
    this.orders = plan.coordinates.filter(({ form }) => !form);
    this.signs = this.orders.map(({ tally }) => (rule.tallies[tally].function === "highest" ? 1 : -1));
    this.owners = this.orders.map(({ tally }) => rule.tallies[tally].kind);
    /** @type {(number | null)[][]} */
    this.classes = [this.signs.map(() => null)];
    this.ids = new Map([[String(this.classes[0]), 0]]);
    /** @type {Map<number, number>} */
    this.joins = new Map();
    this.one = this.state([], 1);
    /** @type {Sums} */
    this.none = { ...this.one, n: 0 };
  }
  /** @param {number} work */
  spend(work) {
    if ((this.work += work) > MOST_WORK) throw cannot();
  }
  /** Sums that many questions share. @param {string} key @param {() => Sums} make @returns {Sums} */
  remember(key, make) {
    const known = this.memory.get(key);
    if (known) return known;
    const found = make();
    this.memory.set(key, found);
    return found;
  }
  /** @param {(number | null)[]} values */
  id(values) {
    const key = String(values), found = this.ids.get(key) ?? this.classes.push(values) - 1;
    this.ids.set(key, found);
    return found;
  }
  /** The class of dice of two classes together. @param {number} a @param {number} b @returns {number} */
  join(a, b) {
    const key = a * 2 ** 26 + b, known = this.joins.get(key);
    if (known !== undefined) return known;
    const found = this.id(this.classes[a].map((one, d) => {
      const other = this.classes[b][d], sign = this.signs[d];
      return one === null || other === null ? one ?? other : sign * Math.max(sign * one, sign * other);
    }));
    this.joins.set(key, found);
    return found;
  }
  /** Dice that lie, as one state. @param {Rest[]} rests @param {number} weight @returns {Sums} */
  state(rests, weight) {
    const all = (/** @type {number} */ tally) => sum(rests.map(({ hits }) => hits[tally]));
    const x = this.sums.map(({ form }) => sum([.../** @type {Map<number, number>} */ (form)].map(([tally, times]) => times * all(tally))));
    if (x.some((place) => Math.abs(place) > 2 ** 30)) throw cannot();
    const id = this.id(this.orders.map(({ tally }, d) => {
      const own = rests.filter(({ kind }) => kind === this.owners[d]).map(({ hits }) => this.signs[d] * hits[tally]);
      return own.length ? this.signs[d] * Math.max(...own) : null;
    }));
    return { n: 1, x: x.map((place) => Int32Array.of(place)), c: Int32Array.of(id), w: Float64Array.of(weight), low: x, high: x };
  }
  /** Adds up what `fill` writes into a box. @param {number[]} low @param {number[]} high @param {Iterable<number>} ids
   * @param {(out: Float64Array, bases: Map<number, number>, keys: (part: Sums, low: number[]) => Int32Array) => void} fill @returns {Sums} */
  gather(low, high, ids, fill) {
    let size = 1;
    const step = low.map((from, d) => {
      const now = size;
      size *= high[d] - from + 1;
      return now;
    }), slots = [...new Set(ids)], whole = size * slots.length;
    this.spend(4 * whole + 500);
    const out = new Float64Array(whole);
    fill(out, new Map(slots.map((id, place) => [id, place * size])), (part, from) => {
      const keys = new Int32Array(part.n);
      part.x.forEach((column, d) => {
        for (let i = 0; i < part.n; i++) keys[i] += (column[i] - from[d]) * step[d];
      });
      return keys;
    });
    return this.collect(out, low, step, size, slots);
  }
  /** @param {Float64Array} out @param {number[]} low @param {number[]} step @param {number} size @param {number[]} slots @returns {Sums} */
  collect(out, low, step, size, slots) {
    let n = 0;
    for (const weight of out) if (weight > TINY) n++;
    const x = low.map(() => new Int32Array(n)), c = new Int32Array(n), w = new Float64Array(n);
    for (let key = 0, at = 0; at < n; key++) {
      if (!(out[key] > TINY)) continue;
      let rest = key % size;
      for (let d = step.length; d--; rest %= step[d]) x[d][at] = low[d] + Math.floor(rest / step[d]);
      c[at] = slots[Math.floor(key / size)];
      w[at++] = out[key];
    }
    /** @type {(pick: (a: number, b: number) => number) => number[]} */
    const ends = (pick) => x.map((column) => column.reduce(pick, column[0]));
    return { n, x, c, w, low: ends((a, b) => (a < b ? a : b)), high: ends((a, b) => (a > b ? a : b)) };
  }
  /** Dice of both: independent of each other. @param {Sums} a @param {Sums} b @returns {Sums} */
  times(a, b) {
    if (!a.n || !b.n) return this.none;
    if (a.n < b.n) return this.times(b, a);
    this.spend(a.n * b.n);
    const low = a.low.map((from, d) => from + b.low[d]), high = a.high.map((to, d) => to + b.high[d]);
    const parts = runs(b.c), own = [...new Set(a.c)], ids = parts.flatMap(({ id }) => own.map((one) => this.join(one, id)));
    return this.gather(low, high, ids, (out, bases, keys) => {
      const ka = keys(a, a.low), kb = keys(b, b.low);
      for (const { id, from, to } of parts)
        for (let i = 0; i < a.n; i++) {
          const base = /** @type {number} */ (bases.get(this.join(a.c[i], id))) + ka[i], weight = a.w[i];
          for (let j = from; j < to; j++) out[base + kb[j]] += weight * b.w[j];
        }
    });
  }
  /** Either of these, with factors. @param {[Sums, number][]} parts @returns {Sums} */
  plus(parts) {
    const all = parts.filter(([part]) => part.n);
    if (!all.length) return this.none;
    const [[first]] = all;
    /** @type {(pick: (...ends: number[]) => number, key: "low" | "high") => number[]} */
    const ends = (pick, key) => first.low.map((_, d) => all.reduce((so, [part]) => pick(so, part[key][d]), first[key][d]));
    const low = ends(Math.min, "low");
    return this.gather(low, ends(Math.max, "high"), all.flatMap(([part]) => [...new Set(part.c)]), (out, bases, keys) => {
      for (const [part, factor] of all) {
        const at = keys(part, low);
        for (let i = 0; i < part.n; i++) out[/** @type {number} */ (bases.get(part.c[i])) + at[i]] += factor * part.w[i];
      }
    });
  }
  /** @param {Sums} die @param {number} dice @returns {Sums} */
  power(die, dice) {
    if (dice < 2) return dice ? die : this.one;
    const half = this.power(die, dice >> 1), both = this.times(half, half);
    return dice % 2 ? this.times(both, die) : both;
  }
}
/** Stretches of one class. @param {Int32Array} c */
function runs(c) {
  /** @type {{id: number, from: number, to: number}[]} */
  const found = [];
  c.forEach((id, at) => {
    const last = found.at(-1);
    if (last?.id === id) last.to = at + 1;
    else found.push({ id, from: at, to: at + 1 });
  });
  return found;
}

// ---- the odds of one setting

class Reckoner {
  /** @param {Setting} setting @param {boolean} eager @param {string} choosing */
  constructor(setting, eager, choosing) {
    this.setting = setting;
    this.rule = setting.rule;
    this.eager = eager;
    this.choosing = choosing;
    /** @type {Rerolls | null} */
    this.made = null;
  }
  /** What formulas come to: each state is told, with its weight.
   * @param {Formula[]} formulas @param {(value: (formula: number) => any, weight: number) => void} told */
  each(formulas, told) {
    const answer = new Answer(this, this.plan(formulas)), states = answer.reckon();
    if (!(Math.abs(1 - states.w.reduce((a, b) => a + b, 0)) < MOST_LOST)) throw cannot();
    answer.each(states, told);
  }
  /** @param {number[]} kinds @param {Turn[]} turns @param {Space} space @returns {Rerolls} */
  rerolls(kinds, turns, space) {
    const every = new Set(this.rule.tallies.keys());
    this.made ??= new Rerolls(this, every, kinds, turns, space);
    this.made.space = space;
    return this.made;
  }
  /** @param {Formula[]} formulas */
  plan(formulas) {
    const plan = new Planner(this.setting).plan(formulas);
    this.setting.demand(plan.needs);
    return plan;
  }
  /** Where sums over these coordinates live: for all settings under which dice fall alike. @param {Plan} plan @returns {Space} */
  space(plan) {
    const { rule, setting } = this, { spaces } = rule, times = rule.rerolls.map((reroll) => setting.of(reroll.times));
    const values = setting.kinds.flatMap((ready) => [...ready.names, ...ready.valueNames, ...ready.kind.sides?.names ?? []]);
    const whens = rule.rerolls.flatMap(({ when }) => when?.names ?? []), key = JSON.stringify([plan.key, this.eager, times, [...values, ...whens].map((name) => setting.known[name])]);
    const found = spaces.get(key) ?? new Space(plan, rule);
    if (spaces.size > 50) spaces.clear();
    spaces.set(key, found);
    found.work = 0;
    return found;
  }
  /** All ways in which one die can come to rest. @param {Ready} ready @param {Set<number>} asked @param {Space} space @returns {Rest[]} */
  rests(ready, asked, space) {
    const { rule } = this, { number: kind, faces } = ready, compared = rule.rerolls.length || ready.kind.keep;
    const valued = compared || rule.tallies.some(({ perThrow, run, function: way }) => !perThrow && (run || way !== "count"));
    const weights = new Map();
    for (const face of faces) weights.set(face, (weights.get(face) ?? 0) + 1 / faces.length);
    /** @type {Map<string, Rest>} */
    const found = new Map();
    /** @type {Map<string, any>} */
    let waiting = new Map([["", { kind, value: 0, hits: rule.tallies.map(() => 0), kids: 0, weight: 1, last: 0 }]]);
    for (let count = 1; waiting.size; count++) {
      const after = new Map();
      let pending = 0;
      for (const so of waiting.values())
        for (const [face, share] of weights) {
          space.spend(100);
          const landing = ready.land(face, so.last, count), weight = so.weight * share;
          const hits = only(asked, so.hits.map((/** @type {number} */ hit, /** @type {number} */ place) => hit + landing.hits[place]));
          const kids = so.kids + (this.eager || !landing.mayDecline ? landing.earns : 0), value = valued ? so.value + face : 0;
          const onward = landing.explodes && (this.eager || !landing.mayStop);
          pending += onward ? weight : 0;
          tally(onward ? after : found, { kind, value, hits, kids, weight, last: onward && ready.telling ? face : 0 });
        }
      waiting = pending < 1e-20 ? new Map() : after;
    }
    const rests = new Map();
    for (const rest of found.values())
      tally(rests, { ...rest, hits: only(asked, ready.rested(rest.hits, rest.value)), value: compared ? rest.value : 0 });
    return [...rests.values()];
  }
}
/** @param {Set<number>} asked @param {number[]} hits */
const only = (asked, hits) => hits.map((hit, place) => (asked.has(place) ? hit : 0));
/** @param {Map<string, Rest>} found @param {any} rest */
function tally(found, rest) {
  const key = `${rest.last},${rest.kind},${rest.value},${rest.kids},${rest.hits}`, known = found.get(key);
  if (known) known.weight += rest.weight;
  else found.set(key, rest);
}

/** What a question comes to: states with weights, and what formulas make of each. */
class Answer {
  /** @param {Reckoner} reckoner @param {Plan} plan */
  constructor(reckoner, plan) {
    this.reckoner = reckoner;
    this.setting = reckoner.setting;
    this.plan = plan;
    this.space = reckoner.space(plan);
  }
  /** @param {Sums} states @param {(value: (formula: number) => any, weight: number) => void} told */
  each(states, told) {
    const { coordinates, work, runs } = this.plan, { space } = this, v = { ...this.setting.known }, t = coordinates.map(() => 0);
    let add = 0, order = 0;
    const from = coordinates.map(({ form }) => (form ? add++ : order++)), value = (/** @type {number} */ at) => runs[at](v, t);
    space.spend(states.n * 20 * (runs.length + coordinates.length));
    for (let i = 0; i < states.n; i++) {
      for (let d = 0; d < t.length; d++) t[d] = coordinates[d].form ? states.x[from[d]][i] : space.classes[states.c[i]][from[d]] ?? 0;
      work(v, t);
      told(value, states.w[i]);
    }
  }
  /** Whether something is counted on dice of a kind, or on dice that they earn. @param {number} kind @returns {boolean} */
  seen(kind, before = 0) {
    const { tallies, dice } = this.setting.rule, { again } = dice[kind];
    const counted = [...this.plan.asked].some((place) => tallies[place].kind === kind);
    return counted || (!!again && before < dice.length && this.seen(again.roll, before + 1));
  }
  reckon() {
    const { setting, space } = this, thrown = setting.kinds.filter(({ count }) => count).map(({ number }) => number);
    const turns = turnsOf(setting, thrown), picking = turns.filter(({ reroll }) => reroll.pick !== "all");
    const touched = new Set(picking.some(({ reroll }) => reroll.pick === "any") ? thrown : picking.flatMap(({ kinds }) => kinds));
    let found = touched.size ? this.rerolled([...touched], turns.filter(({ kinds }) => kinds.some((kind) => touched.has(kind)))) : space.one;
    for (const kind of thrown) {
      if (touched.has(kind) || !this.seen(kind)) continue;
      const ready = setting.kinds[kind], { count, keep } = ready;
      found = space.times(found, space.remember(`${count} of ${kind} keep ${keep}`, () =>
        keep === null ? space.power(this.die(this.rounds(ready, turns)), count) : this.kept(this.rounds(ready, turns), ready)));
    }
    return found;
  }
  /** One die after rounds in which all dice of some faces are thrown anew. @param {Ready} ready @param {Turn[]} turns */
  rounds(ready, turns) {
    const fresh = this.reckoner.rests(ready, this.plan.asked, this.space);
    let rests = fresh;
    for (const { reroll, kinds } of turns) {
      if (!kinds.includes(ready.number)) continue;
      const after = new Map();
      for (const old of rests)
        for (const [rest, share] of anew(this.setting, reroll, old, fresh)) tally(after, { ...rest, weight: old.weight * share });
      rests = [...after.values()];
    }
    return rests;
  }
  /** @param {Rest[]} rests @param {Sums} [child] @returns {Sums} */
  die(rests, child) {
    const { space } = this, by = new Map(), [{ kind }] = rests;
    for (const rest of rests) {
      const parts = by.get(rest.kids) ?? by.set(rest.kids, []).get(rest.kids);
      parts.push([space.state([rest], rest.weight), 1]);
    }
    return space.plus([...by].map(([kids, parts]) => [this.with(space.plus(parts), kind, kids, child), 1]));
  }
  /** Dice, and all that they earned. @param {Sums} found @param {number} kind @param {number} kids @param {Sums} [child] */
  with(found, kind, kids, child) {
    const { again } = this.setting.rule.dice[kind], { space } = this;
    return kids && this.seen(again.roll) ? space.times(found, space.power(child ?? this.family(again.roll), kids)) : found;
  }
  /** A die that was earned, with all that come of it. @param {number} kind @returns {Sums} */
  family(kind) {
    const { space } = this, circle = this.circle(kind);
    return space.remember(`family ${kind}`, () => {
      const all = (circle.length ? circle : [kind]).map((one) => {
        if (this.setting.kinds[one].keep !== null) throw cannot();
        return this.reckoner.rests(this.setting.kinds[one], this.plan.asked, space);
      }).reverse();
      return circle.length ? this.grownUp(all) : this.die(all[0]);
    });
  }
  /** Dice that earn dice of their own kind: followed until so few are left that nobody could tell. @param {Rest[][]} all */
  grownUp(all) {
    const { space } = this;
    let found = space.none;
    for (let left = 1; left > 1e-19; space.spend(1000)) {
      for (const own of all) left = sum(own.map(({ weight, kids }) => (kids ? -weight * Math.expm1(kids * Math.log1p(-left)) : 0)));
      for (const own of all) found = this.die(own, found);
    }
    return found;
  }
  /** The kinds through which a kind earns dice of its own kind, itself first. @param {number} kind */
  circle(kind) {
    const { dice } = this.setting.rule, found = [kind];
    for (let one = dice[kind].again?.roll; one !== undefined; one = dice[one].again?.roll) {
      if (one === kind) return found;
      if (found.includes(one)) return [];
      found.push(one);
    }
    return [];
  }
  /** Dice of which the highest or lowest are kept, put in order value by value. @param {Rest[]} rests @param {Ready} ready */
  kept(rests, { count, kind, keep }) {
    const { space } = this, sign = kind.keep.highest ? -1 : 1, most = /** @type {number} */ (keep);
    let found = Array.from({ length: count + 1 }, (_, dice) => (dice ? space.none : space.one));
    for (const value of [...new Set(rests.map((rest) => rest.value))].sort((a, b) => sign * (a - b))) {
      space.spend(5 * count * count);
      const own = rests.filter((rest) => rest.value === value), whole = sum(own.map(({ weight }) => weight));
      const die = space.plus(own.map((rest) => [space.state([rest], rest.weight), 1])), powers = [space.one];
      while (powers.length <= Math.min(count, most)) powers.push(space.times(powers[powers.length - 1], die));
      found = found.map((_, dice) => space.plus(found.slice(0, dice + 1).map((before, lain) => {
        const more = dice - lain, stay = Math.max(Math.min(more, most - lain), 0);
        return [space.times(before, powers[stay]), choose(count - lain, more) * whole ** (more - stay)];
      })));
    }
    return found[count];
  }
  /** @param {number[]} kinds @param {Turn[]} turns */
  rerolled(kinds, turns) {
    const { space } = this, rerolls = this.reckoner.rerolls(kinds, turns, space), by = new Map();
    for (const [{ ids }, weight] of rerolls.ended()) {
      const rests = ids.map((id) => rerolls.rests[id]), key = kidsOf(rests).join();
      const parts = by.get(key) ?? by.set(key, []).get(key);
      parts.push([this.lying(rests, weight), 1, rests]);
    }
    return space.plus([...by.values()].map((parts) => [this.grown(space.plus(parts.map((/** @type {any} */ [part]) => [part, 1])), parts[0][2]), 1]));
  }
  /** @param {Sums} found @param {Rest[]} rests */
  grown(found, rests) {
    return rests.reduce((so, { kind, kids }) => this.with(so, kind, kids), found);
  }
  /** Dice that lie, as one state of those that are kept. @param {Rest[]} rests @param {number} weight @returns {Sums} */
  lying(rests, weight) {
    return this.space.state(this.setting.kinds.flatMap(({ number, keep, kind }) => {
      const own = rests.filter((rest) => rest.kind === number);
      return keep === null ? own : own.sort((a, b) => (kind.keep.highest ? -1 : 1) * (a.value - b.value)).slice(0, keep);
    }), weight);
  }
}
/** @param {number} n @param {number} k @returns {number} */
const choose = (n, k) => (k ? (choose(n - 1, k - 1) * n) / k : 1);
/** How many dice of each kind these have earned. @param {Rest[]} rests */
function kidsOf(rests) {
  /** @type {number[]} */
  const found = [];
  for (const { kind, kids } of rests) found[kind] = (found[kind] ?? 0) + kids;
  return found;
}

// ---- dice thrown anew: which one is picked, and what comes of it

/** @param {Setting} setting @param {number[]} thrown */
function turnsOf(setting, thrown) {
  /** @type {Turn[]} */
  const turns = [];
  setting.rule.rerolls.forEach((reroll, entry) => {
    const kinds = reroll.among.filter((/** @type {number} */ kind) => thrown.includes(kind)), times = kinds.length ? Math.max(setting.of(reroll.times), 0) : 0;
    const following = turns.length + times;
    if (following > 100) throw cannot();
    for (let left = times; left; left--) turns.push({ entry, left, reroll, kinds, following });
  });
  return turns;
}
/** What a die may be after a round. @param {Setting} setting @param {any} reroll @param {Rest} old @param {Rest[]} fresh @returns {[Rest, number][]} */
const anew = (setting, reroll, old, fresh) =>
  reroll.pick !== "all" || setting.meets(reroll, old.kind, old.value)
    ? fresh.map((rest) => [remains(reroll.keep, old.value, rest.value) ? old : rest, rest.weight]) : [[old, 1]];

class Rerolls {
  /** @param {Reckoner} reckoner @param {Set<number>} asked @param {number[]} kinds @param {Turn[]} turns @param {Space} space */
  constructor(reckoner, asked, kinds, turns, space) {
    const { setting } = reckoner, choosing = turns.some(({ reroll }) => reroll.pick === "any");
    this.setting = setting;
    this.space = space;
    this.turns = turns;
    this.score = choosing ? scorer(reckoner) : null;
    this.asked = new Set([...asked, ...(this.score?.plan.asked ?? [])]);
    this.kinds = kinds.map((kind) => ({ kind, fresh: reckoner.rests(setting.kinds[kind], this.asked, space) }));
    this.rests = this.kinds.flatMap(({ fresh }) => fresh);
    this.ids = new Map(this.rests.map((rest, id) => [nameOf(rest), id]));
    const values = new Set(this.rests.map(({ kind, value }) => `${kind} ${value}`));
    this.ordered = this.rests.length > values.size; // equal dice may count differently, and the first is meant
    /** @type {Map<string, State>} */
    this.states = new Map();
    /** @type {Map<string, [number, number][]>} */
    this.led = new Map();
  }
  /** Dice that lie; unless it matters who was first, in the order of how they came to rest. @param {number[]} ids @returns {State} */
  state(ids) {
    const own = this.ordered ? ids : [...ids].sort((a, b) => a - b), key = String(own), known = this.states.get(key);
    if (known) return known;
    this.space.spend(500);
    const made = { ids: own, hopes: [], moves: new Map() };
    this.states.set(key, made);
    return made;
  }
  /** How all dice lie when the last turn is over. */
  ended() {
    let states = new Map([[this.state([]), 1]]);
    const gather = (/** @type {(state: State) => [State, number][]} */ moves) => {
      const found = new Map();
      for (const [before, weight] of states) {
        const after = moves(before);
        this.space.spend(20 * after.length);
        for (const [state, share] of after) found.set(state, (found.get(state) ?? 0) + weight * share);
      }
      states = found;
    };
    for (const { kind, fresh } of this.kinds)
      for (let left = this.setting.kinds[kind].count; left; left--)
        gather(({ ids }) => fresh.map((rest) => [this.state([...ids, this.id(rest)]), rest.weight]));
    this.turns.forEach((_, number) => gather((state) => this.moves(state, number, this.pick(state, number))));
    return states;
  }
  /** @param {Rest} rest */
  id(rest) {
    return /** @type {number} */ (this.ids.get(nameOf(rest)));
  }
  /** Where a turn leads; `picked` is the die to throw anew. @param {State} state @param {number} number @param {number | null} picked
   * @returns {[State, number][]} */
  moves(state, number, picked) {
    const { reroll, entry } = this.turns[number], key = `${entry} ${picked}`, known = state.moves.get(key);
    if (reroll.pick !== "all" && picked === null) return [[state, 1]];
    if (known) return known;
    const made = picked === null ? this.every(state.ids, number)
      : this.ways(number, picked).map(([id, share]) => /** @type {[State, number]} */ ([this.state(state.ids.with(state.ids.indexOf(picked), id)), share]));
    this.space.spend(50 * made.length);
    state.moves.set(key, made);
    return made;
  }
  /** A round over every die that shows what is thrown anew. @param {number[]} ids @param {number} number @returns {[State, number][]} */
  every(ids, number) {
    /** @type {[number[], number][]} */
    let found = [[[], 1]];
    for (const id of ids) {
      const ways = this.turns[number].kinds.includes(this.rests[id].kind) ? this.ways(number, id) : [[id, 1]];
      this.space.spend(50 * found.length * ways.length);
      found = found.flatMap(([dice, weight]) => ways.map(([made, share]) => /** @type {[number[], number]} */ ([[...dice, made], weight * share])));
    }
    return found.map(([dice, weight]) => [this.state(dice), weight]);
  }
  /** What becomes of a die that is thrown anew. @param {number} number @param {number} id @returns {[number, number][]} */
  ways(number, id) {
    const { reroll, entry } = this.turns[number], key = `${entry} ${id}`, known = this.led.get(key);
    if (known) return known;
    const old = this.rests[id], fresh = this.kinds.find(({ kind }) => kind === old.kind)?.fresh ?? [], found = new Map();
    for (const [rest, share] of anew(this.setting, reroll, old, fresh)) found.set(this.id(rest), (found.get(this.id(rest)) ?? 0) + share);
    this.led.set(key, [...found]);
    return [...found];
  }
  /** The dice that may be picked; of equally good ones the first is meant: by kind, then by value. @param {State} state @param {number} number */
  candidates({ ids }, number) {
    const { rests } = this, ordered = [...ids].sort((a, b) => rests[a].value - rests[b].value);
    return this.turns[number].kinds.flatMap((kind) => ordered.filter((id) => rests[id].kind === kind));
  }
  /** @param {State} state @param {number} number */
  pick(state, number) {
    const { pick } = this.turns[number].reroll;
    if (pick === "all") return null;
    if (pick === "any") return this.value(state, number)[1];
    return best(this.candidates(state, number), (id) => (pick === "highest" ? 1 : -1) * this.rests[id].value);
  }
  /** The best that can still be made of dice, and the die to pick for it. @param {State} state @param {number} number @returns {Hope} */
  value(state, number) {
    return (state.hopes[number] ??= this.weighed(state, number));
  }
  /** @param {State} state @param {number} number @returns {Hope} */
  weighed(state, number) {
    const turn = this.turns[number], { score } = this;
    if (!turn) return [score ? score.of(state.ids.map((id) => this.rests[id])) : 0, null];
    const mean = (/** @type {number | null} */ picked) => {
      let found = 0;
      for (const [after, share] of this.moves(state, number, picked)) found += share * this.value(after, number + 1)[0];
      return found;
    };
    if (turn.reroll.pick !== "any") return [mean(this.pick(state, number)), null];
    let [hope] = this.value(state, turn.following), chosen = null;
    for (const picked of new Set(this.candidates(state, number))) {
      const found = mean(picked), gain = (found - hope) / Math.max(1, Math.abs(hope)) / ALIKE, near = Math.abs(gain);
      if (near > 0.9 && near < 1.1) throw cannot(); // doubles do not tell on which side it is
      if (gain > 1) [hope, chosen] = [found, picked];
      else if (gain > -1) chosen ??= picked;
    }
    return [hope, chosen];
  }
}
/** @param {Rest} rest */
const nameOf = ({ kind, value, hits, kids }) => `${kind} ${value} ${hits} ${kids}`;
/** How good dice are that lie: the mean of the last step, or the chance of the first outcome. @param {Reckoner} reckoner */
function scorer(reckoner) {
  const { rule } = reckoner, when = reckoner.choosing === "best chance" && rule.outcomes[0]?.when;
  const plan = reckoner.plan(when ? [when] : [...rule.steps.values()].slice(-1)), answer = new Answer(reckoner, plan);
  return {
    plan,
    of: (/** @type {Rest[]} */ rests) => {
      let found = 0;
      answer.each(answer.grown(answer.lying(rests, 1), rests), (value, weight) => {
        const worth = plan.runs.length ? value(0) : 0;
        found += typeof worth === "string" ? 0 : weight * (when ? +!!worth : worth);
      });
      return found;
    },
  };
}
/** Picks the die to throw anew from which most can be hoped. @param {Setting} setting @param {string} policy @returns {Faces["choose"]} */
export function adviser(setting, policy) {
  const [taking, choosing] = policies(setting.rule, policy), key = `advice ${taking} ${choosing}`, { memory } = setting;
  return (play, dice, places, number, left) => {
    try {
      const reckoner = new Reckoner(setting, taking === "always", choosing), thrown = setting.kinds.filter(({ count }) => count).map((ready) => ready.number);
      if (!memory.has(key)) memory.set(key, new Rerolls(reckoner, new Set(), thrown, turnsOf(setting, thrown), reckoner.space(reckoner.plan([]))));
      const rerolls = memory.get(key), ids = dice.map((die) => rerolls.ids.get(nameOf(resting(setting, die, rerolls.asked, taking === "always"))));
      const turn = rerolls.turns.findIndex((/** @type {Turn} */ one) => one.entry === number && one.left === left);
      const [, id] = rerolls.value(rerolls.state(ids), turn);
      return id === null ? null : places.find((place) => ids[place] === id) ?? null;
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      return worstFirst(setting)(play, dice, places, number, left);
    }
  };
}
/** A die on the table as the odds see it. @param {Setting} setting @param {Die} die @param {Set<number>} asked @param {boolean} eager @returns {Rest} */
function resting(setting, { kind, throws }, asked, eager) {
  const kids = sum(throws.map(({ earns, mayDecline }) => (eager || !mayDecline ? earns : 0)));
  return { kind, value: valueOf(throws), hits: only(asked, setting.kinds[kind].counted(throws)), kids, weight: 1 };
}

// ---- what others ask

class Odds {
  /** @param {Setting} setting @param {string} policy */
  constructor(setting, policy) {
    const { rule } = setting, [taking, choosing] = policies(rule, policy);
    this.setting = setting;
    this.rule = rule;
    const optional = (/** @type {any} */ kind) => [kind.again, kind.explode].some((part) => part && part.optional.tree !== 0);
    const picks = (/** @type {any} */ reroll) => reroll.pick === "any" && setting.of(reroll.times) > 0;
    this.policy = [...(rule.dice.some(optional) ? [taking] : []), ...(rule.rerolls.some(picks) ? [choosing] : [])].join(", ");
    this.reckoner = new Reckoner(setting, taking === "always", choosing);
    this.whens = rule.outcomes.flatMap(({ when }) => when ?? []);
    /** @type {Record<string, number>} */
    this.chances = Object.fromEntries(rule.outcomes.map(({ name }) => [name, 0]));
  }
  /** The chances are worked out at once, so that what keeps them from it is said. */
  now() {
    const { outcomes } = this.rule;
    if (outcomes.length) this.reckoner.each(this.whens, (value, weight) => (this.chances[outcomes[this.outcome(value)].name] += weight));
    return this;
  }
  /** The number of the first outcome that holds. @param {(at: number) => any} value */
  outcome(value) {
    const at = this.whens.findIndex((_, place) => value(place));
    return at < 0 ? this.whens.length : at;
  }
  /** @param {string} step @returns {Map<any, number>} */
  values(step) {
    const values = new Map();
    this.reckoner.each([/** @type {Formula} */ (this.rule.steps.get(step))], (value, weight) => {
      const one = value(0);
      values.set(one, (values.get(one) ?? 0) + weight);
    });
    return values;
  }
  /** @param {string} step @returns {Map<any, number> | null} */
  spread(step) {
    return attempt(() => this.values(step))[0];
  }
  /** @param {string} step */
  mean(step) {
    const spread = this.spread(step);
    return spread && mean([...spread]);
  }
  /** The mean degree of an outcome, all others counted as 0. @param {string} outcome */
  meanDegree(outcome) {
    const number = this.rule.outcomes.findIndex(({ name }) => name === outcome), { degree } = this.rule.outcomes[number];
    const [found] = attempt(() => {
      /** @type {[any, number][]} */
      const values = [];
      this.reckoner.each([...this.whens, degree], (value, weight) => {
        if (this.outcome(value) === number) values.push([value(this.whens.length), weight]);
      });
      return mean(values);
    });
    return found;
  }
}
/** @param {[any, number][]} values */
const mean = (values) => (values.some(([value]) => typeof value === "string") ? null : values.reduce((so, [value, weight]) => so + value * weight, 0));

/** @param {Rule} rule @param {T.Inputs} inputs @returns {{odds: T.Odds | null, complaints: T.Complaint[]}} */
export function odds(rule, inputs, policy = "") {
  const known = ["always", "never", "best mean", "best chance"];
  const complain = (/** @type {string} */ part, /** @type {string} */ message) => ({ part, message, start: 0, end: 0 });
  if (policy && !known.includes(policy)) return { odds: null, complaints: [complain("policy", tell("wrong policy", { name: policy, near: suggest(policy, known) }))] };
  const [found, complaints] = attempt(() => {
    if (rule.contest) return contest(rule, inputs, policy);
    const [values, wrong] = bind(rule, inputs);
    return { odds: wrong.length ? null : new Odds(new Setting(rule, values), policy).now(), complaints: wrong };
  });
  return /** @type {any} */ (found ?? { odds: null, complaints });
}
const SIDES = ["first", "second"];
/** @param {Rule} rule @param {T.Inputs} inputs @param {string} policy */
function contest(rule, inputs, policy) {
  const given = SIDES.map(() => /** @type {Record<string, any>} */ ({}));
  /** @type {T.Complaint[]} */
  const complaints = [];
  for (const [name, value] of Object.entries(inputs)) {
    const [side, ...own] = name.split("."), at = SIDES.indexOf(side.toLowerCase()), plain = name.split(".").at(-1);
    if (at >= 0 && own.length) given[at][own.join(".")] = value;
    else complaints.push({ part: name, message: tell("wrong side", { name: plain }), start: 0, end: 0 });
  }
  const bound = rule.sides.map((side, at) => {
    const [values, wrong] = bind(side, given[at]);
    complaints.push(...wrong.map((one) => ({ ...one, part: `${SIDES[at]}.${one.part}` })));
    return values;
  });
  if (complaints.length) return { odds: null, complaints };
  const { compare, ties } = /** @type {T.ContestData} */ (rule.contest);
  const sides = rule.sides.map((side, at) => sideOf(side, bound[at], compare, policy, SIDES[at]));
  return { odds: { policy: [...new Set(sides.map((side) => side.policy).filter(Boolean))].join(", "), chances: verdict(sides[0].spread, sides[1].spread, ties) }, complaints };
}
/** @param {Rule} rule @param {Values} values @param {string} step @param {string} policy @param {string} name */
function sideOf(rule, values, step, policy, name) {
  try {
    const own = new Odds(new Setting(rule, values), policy);
    return { policy: own.policy, spread: own.values(step) };
  } catch (error) {
    const missing = /** @type {any} */ (error).missing;
    throw missing ? new Stop(tell("wrong open", { names: missing.map((/** @type {string} */ one) => `${name}.${one}`).join(", ") })) : error;
  }
}
/** @param {Map<number, number>} first @param {Map<number, number>} second @param {string} ties */
function verdict(first, second, ties) {
  let more = 0, equal = 0, less = 0;
  for (const [a, chance] of first) for (const [b, other] of second) {
    if (a > b) more += chance * other;
    else if (a < b) less += chance * other;
    else equal += chance * other;
  }
  if (ties === "none") return { first: more, second: less, none: equal };
  if (ties !== "again") return { first: more + (ties === "first" ? equal : 0), second: less + (ties === "second" ? equal : 0) };
  if (!(more + less > 1e-14)) throw new Stop(tell("wrong endless"));
  return { first: more / (more + less), second: less / (more + less) };
}
