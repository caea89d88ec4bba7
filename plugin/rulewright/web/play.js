// One roll from beginning to end, whoever gives the faces.
/** @import {Die, Faces, Landing, Ready, Setting} from "./parts.d.ts" */
import { grouped, valueOf } from "./setting.js";
import { MOST, Stop, best, sum, tell } from "./words.js";

/** «6+4»: the faces of a die as numbers. @param {Die} die */
export const facesOf = ({ throws }) => throws.map(({ face }) => face).join("+");
export const value = (/** @type {Die} */ die) => valueOf(die.throws);

export class Play {
  /** @param {Setting} setting @param {Faces} faces */
  constructor(setting, faces) {
    this.setting = setting;
    this.faces = faces;
    this.declined = this.throws = 0;
    /** @type {Die[]} */
    this.dice = [];
    this.left = 0; // dice of this kind still to come in this round, the one in hand included
    /** @type {[Die, Die, number][]} the old die, the new one, and which of the rerolls that are due it was */
    this.rerolls = [];
    this.turn = -1;
    this.passed = this.parted = false; // a choice was cut short; and more was thrown anew after that
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
    if (!places.length || times <= 0) return;
    this.turn++;
    for (let left = times; left; left--) {
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
    if (chosen === null) {
      this.passed = true;
      return null;
    }
    const seen = (/** @type {number} */ at) => `${dice[at].kind} ${facesOf(dice[at])}`;
    return places.filter((place) => seen(place) === seen(chosen)).slice(0, 1);
  }
  /** @param {any} reroll @param {Die} old */
  anew(reroll, old) {
    const ready = this.setting.kinds[old.kind];
    this.faces.rethrow?.(ready, old);
    const made = this.thrown(ready), stays = remains(reroll.keep, value(old), value(made));
    this.rerolls.push([old, made, this.turn]);
    this.parted ||= this.passed;
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
<<<<<<< ours
=======

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
  /** The rerolls as they are recorded: «skill 2 -> 4, attribute 1 -> 3»; with bars between those of the rule where a choice was cut short. */
  get rerolled() {
    const text = (/** @type {Die} */ die) => throwsText(this.rule.dice[die.kind], die.throws), { rerolls, parted } = this.play;
    /** @type {string[][]} */
    const turns = [];
    for (const [old, made, turn] of rerolls) (turns[parted ? turn : 0] ??= []).push(`${this.rule.dice[old.kind].name} ${text(old)} -> ${text(made)}`);
    return turns.map((own) => own.join(", ")).join(" | ").trim();
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
>>>>>>> theirs
