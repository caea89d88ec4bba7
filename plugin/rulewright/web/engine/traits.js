// Sums of traits such as "Precision 3 + Firearms 1": fills the inputs of a rule.
/** @import * as T from "./engine.d.ts" */
/** @import {Rule, Term} from "./parts.d.ts" */
import { evaluateKnown } from "./known-values.js";
import { same } from "./formula.js";
import { bind, shown, suggest } from "./inputs.js";
import { add, complaint, say } from "./messages.js";

const PIECE = /^\s*(?:([^\s+].*?)[\s:=]+)?(?:(none)|d(\d{1,4})|(\d{1,4})d|(\d{1,6}))\s*$/is;
const FORMS = ["none", "die", "code", "number"];
/** @type {Record<string, string>} */
const NO_ROOM = { die: "wrong trait room die", code: "wrong trait room code", number: "wrong trait room number" };

/** How much of a trait there is: a die counts its sides, three pips count as a die of a code. @param {{values: Term["values"]}} term */
const dots = ({ values }) => {
  const code = values.some(({ form }) => form === "code") ? 3 : 1;
  return values.reduce((so, { form, number }) => so + number * (form === "code" ? code : 1), 0);
};
/** @param {Rule} rule @param {string} text @param {T.Inputs} stated @returns {T.Gathered} */
export function gather(rule, text, stated = {}) {
  const sum = new SumReader(rule), { complaints } = sum;
  const terms = sum.resolve(sum.read(text));
  sum.limit(terms);
  const inputs = sum.fillInputs(terms);
  Object.assign(inputs, sum.untrained(terms, { ...stated, ...inputs }));
  return { inputs: complaints.length ? {} : inputs, complaints, names: terms.map(({ name }) => name) };
}
/** A sum that could be written here as it stands. @param {Rule} rule @returns {string | undefined} */
export function sample(rule) {
  const all = Object.values(rule.game.register).flatMap((category) => category.names.map((name) => ({ name, category })));
  const into = /** @type {T.Sum} */ (rule.traits).into.flatMap((name) => rule.inputs.find((entry) => entry.name === name) ?? []);
  const written = (/** @type {typeof all[0]} */ { name, category }, /** @type {number} */ at) => {
    const { form, dice } = into[at] ?? into[0], sides = dice.filter((one) => one > 1);
    return `${name} ${form === "die" ? `d${sides[1 - at] ?? sides[0]}` : form === "code" ? `${3 - at}D` : within(category, 2 - at)}`;
  };
  const [first, last] = [all.slice(0, 1), all.slice(1).slice(-1)];
  return [[...first, ...last], first, last].filter(({ length }) => length).map((some) => some.map(written).join(" + ")).find((text) => {
    const { inputs, complaints } = gather(rule, text);
    return !complaints.length && !bind(rule, inputs)[1].length;
  });
}
/** The nearest number that a trait can have. @param {T.Category} category @param {number} number */
const within = ({ least, most }, number) => Math.min(Math.max(number, least ?? number), most ?? Infinity);
/** One trait of a game. @param {T.Category[]} register */
function simple(register) {
  const category = register.find(({ names }) => names.length);
  return category ? `${category.names[0]} ${within(category, 3)}` : say("trait example");
}
/** A sum while it is read; what is wrong with it is gathered. */
class SumReader {
  /** @param {Rule} rule */
  constructor(rule) {
    this.rule = rule;
    this.register = Object.values(rule.game.register);
    this.into = /** @type {T.Sum} */ (rule.traits);
    /** @type {T.Complaint[]} */
    this.complaints = [];
  }
  /** @param {{start: number, end: number}} at @param {string} name @param {Record<string, any>} values */
  report({ start, end }, name, values = {}) {
    this.complaints.push(complaint("traits", say(name, values).replace(/; $/, ""), start, end));
  }
  /** The traits as they are written; a value without a name belongs to the trait before it. @param {string} text */
  read(text) {
    const terms = /** @type {Term[]} */ ([]);
    let from = 0;
    for (const piece of text.split(/\+|(?<=\d)[,;&]/)) {
      const word = piece.trim(), start = from + piece.indexOf(word), end = start + word.length;
      const [, name, ...values] = PIECE.exec(piece) ?? [], at = values.findIndex((one) => one !== undefined), last = terms.at(-1);
      const value = { form: FORMS[at], number: at > 0 ? Number(values[at]) : 0 };
      if (name) terms.push({ name, start, end: start + name.length, values: [value] });
      else if (at < 0) this.report({ start, end: word ? end : start + 1 }, word ? "wrong trait value" : "wrong trait missing", { text: word });
      else if (last) last.values.push(value);
      else this.report({ start, end }, "wrong trait start", { example: simple(this.register) });
      from += piece.length + 1;
    }
    return terms;
  }
  /** The terms under the names that the game gives them; where its lists are unfinished, any name may be right. @param {Term[]} terms */
  resolve(terms) {
    const { register } = this, found = /** @type {Term[]} */ ([]), finished = register.length && register.every(({ names }) => names.length);
    for (const term of terms) {
      const [category, name] = traitOf(register, term.name);
      if (!category && finished) this.unknown(term);
      else if (found.some((other) => other.name === name)) this.report(term, "wrong trait twice", { name });
      else if (this.within({ ...term, name, category })) found.push({ ...term, name, category });
    }
    return found;
  }
  /** @param {Term} term */
  unknown(term) {
    const { register } = this, { name } = term, names = register.flatMap((one) => one.names);
    const [, kind, trait] = register.flatMap(({ specialties }) => specialties).find(([one]) => same(one, name)) ?? [];
    this.report(term, trait ? "wrong trait special" : "wrong trait", { name, kind, trait, near: suggest(name, names) });
  }
  /** @param {Term} term */
  within(term) {
    const { category, name, values } = term, { least = null, most = null } = category ?? {}, number = dots(term);
    if (values.some(({ form }) => form === "die" || form === "code") || ((least ?? number) <= number && number <= (most ?? number))) return true;
    this.report(term, least === null ? "wrong trait most" : most === null ? "wrong trait least" : "wrong trait dots", { name, least, most, number });
    return false;
  }
  /** Traits beyond those that a roll may have. @param {Term[]} terms */
  limit(terms) {
    const { most, one_of } = this.into, limited = terms.filter(({ category }) => category && one_of.includes(category.name));
    for (const term of most ? terms.slice(most) : []) this.report(term, most === 1 ? "wrong trait one" : "wrong trait many", { most, name: term.name });
    for (const term of limited.slice(1)) this.report(term, "wrong trait either", { first: limited[0].name, name: term.name });
  }
  /** The inputs that the terms give. @param {Term[]} terms @returns {T.Inputs} */
  fillInputs(terms) {
    const { into } = this.into, filling = new InputFiller(into.flatMap((name) => this.rule.inputs.find((entry) => entry.name === name) ?? []));
    for (const term of terms)
      for (const { form, number } of term.values)
        if (!filling.put(form, number)) this.report(term, NO_ROOM[form], { name: term.name, number, inputs: into.join(say("trait or")) });
    return filling.texts;
  }
  /** The inputs that change because a trait has no dots. @param {Term[]} terms @param {T.Inputs} inputs */
  untrained(terms, inputs) {
    const changed = /** @type {T.Inputs} */ ({});
    for (const term of terms.filter(({ category, values }) => category && !dots({ values }))) {
      const { name } = term, untrained = /** @type {T.Category} */ (term.category).untrained;
      if (!untrained) this.report(term, "wrong trait untrained", { name });
      for (const [input, formula] of Object.entries(untrained ?? {})) {
        if (!this.rule.inputs.some((one) => one.name === input)) continue;
        const value = evaluateKnown(this.rule, formula, { ...inputs, ...changed });
        if (value === null) this.report(term, "wrong trait untold", { name, input });
        else changed[input] = String(value);
      }
    }
    return changed;
  }
}
/** @param {T.Category[]} known @param {string} name @returns {[T.Category | undefined, string]} */
function traitOf(known, name) {
  for (const category of known)
    for (const trait of category.names)
      if ([trait, ...(category.aliases[trait] ?? [])].some((one) => same(one, name))) return [category, trait];
  return [undefined, name];
}
/** Inputs while the values of traits go into them, each into the first that takes it. */
class InputFiller {
  /** @param {T.Input[]} inputs */
  constructor(inputs) {
    this.inputs = inputs;
    /** @type {Map<T.Input, any>} */
    this.values = new Map();
    if (inputs.every(({ form }) => form === "number")) this.put("number", 0); // without a dot there is still a pool, of none
  }
  /** Whether there is room for the value. @param {string} form @param {number} number */
  put(form, number) {
    const free = (/** @type {string} */ one) => this.inputs.find((entry) => entry.form === one && (one !== "die" || !this.values.has(entry)));
    const entry = free(form), code = form === "code" || (form === "number" && !entry) ? free("code") : undefined;
    if (form === "none") return true;
    if (code) {
      const [dice, pips] = this.values.get(code) ?? [0, 0];
      this.values.set(code, form === "code" ? [dice + number, pips] : [dice, pips + number]);
    } else if (entry) add(this.values, entry, number);
    return !!(entry ?? code);
  }
  get texts() {
    return Object.fromEntries([...this.values].map(([entry, value]) => [entry.name, entry.form === "die" ? `d${value}` : shown(entry, value)]));
  }
}
