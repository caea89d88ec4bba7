// Reads and formats the values of inputs.
/** @import * as T from "./engine.d.ts" */
/** @import {Rule, Values} from "./parts.d.ts" */
import { splitAim } from "./aims.js";
import { same } from "./formula.js";
import { complaint, say } from "./messages.js";

/** The nearest known word, as sentences name it. @param {string} word @param {string[]} names */
export function suggest(word, names) {
  const spelled = new Map(names.map((name) => [name.toLowerCase(), name])), low = word.toLowerCase();
  const ranked = [...spelled.keys()].map((name) => ({ name, near: likeness(name, low) })).filter(({ near }) => near >= 0.6);
  ranked.sort((a, b) => b.near - a.near || (a.name < b.name ? 1 : -1));
  if (ranked.length) return say("wrong near", { name: spelled.get(ranked[0].name) });
  return names.length && names.length <= 12 ? say("wrong known", { names: names.join(", ") }) : "";
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
const wrong = (name, values) => Error(say(name, values));
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
    return wrong("wrong choice", { name, text, near: say("wrong known", { names: dice.map(dieName).join(", ") }) });
  },
  aim({ name, choices }, text) {
    const low = text.toLowerCase().split(/\s+/).join(" ");
    return splitAim(low, choices).every((one) => choices.includes(one)) ? low : wrong("wrong choice", { name, text, near: suggest(text, choices) });
  },
  dice: (_, text) => text.split(/\s+/).join(" "), // the dice on the table say what it means
  code({ name, least, most }, text) {
    const found = /^(\d{1,6})d([+-]\d{1,2})?$/i.exec(text.replaceAll(" ", "")), [dice, pips] = [Number(found?.[1]), Number(found?.[2] ?? 0)];
    if (!found || pips < 0 || pips > 2) return wrong("wrong code", { name, text });
    return least <= dice && dice <= most ? [dice, pips] : wrong("wrong range", { name, least: `${least}D`, most: `${most}D`, text: `${dice}D` });
  },
};
/** What can be chosen, the plainest first. @param {T.Input} entry @returns {any[]} */
export const optionsOf = ({ form, choices, least, most }) => (choices.length ? choices : Array.from({ length: (form === "flag" ? 1 : most) - least + 1 }, (_, place) => least + place));
/** @param {Rule} rule @param {T.Inputs} given @returns {[Values, T.Complaint[]]} */
export function bind(rule, given) {
  /** @type {Values} */
  const values = {};
  const spelled = new Map([...rule.aimsOfRolls, ...rule.inputs].map((entry) => [entry.name.toLowerCase(), entry])), complaints = [];
  for (const entry of rule.inputs) if (entry.default !== null && !entry.is_choice) values[entry.name] = entry.default;
  for (const [name, raw] of Object.entries(given)) {
    const entry = spelled.get(name.toLowerCase());
    const text = typeof raw === "boolean" ? (raw ? "yes" : "no") : String(raw).trim().replaceAll("−", "-");
    const value = entry ? READERS[entry.form](entry, text)
      : wrong("wrong input", { rule: rule.name, name, near: suggest(name, [...spelled.keys()]) });
    if (value instanceof Error) complaints.push(complaint(name, value.message.replace(/; $/, entry?.form === "number" ? "" : ";")));
    else if (entry) values[entry.name] = value;
  }
  return [values, complaints];
}
