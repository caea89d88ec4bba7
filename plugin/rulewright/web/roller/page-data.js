// The data of a page (games, messages, shapes of dice; see render/scripts.py), and the names of rules and inputs for readers.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {AfterRoll, Explanations, Page, Rule} from "../engine/parts.d.ts" */
import { SIDES, load } from "../engine/rule.js";
import { cachedIn, say, speak } from "../engine/messages.js";

/** @type {Page} */
let page;
/** @type {Map<string, T.Game>} */
const games = new Map();
/** @type {Map<any, T.Game>} */
const loaded = new Map();
/** @type {AfterRoll | null} */
let more = null;
/** @type {() => Promise<AfterRoll>} */
let fetchMore;
/** Takes what the loader has brought. @param {Page} words @param {string} name @param {any} data @param {() => Promise<AfterRoll>} fetch */
export function receive(words, name, data, fetch) {
  page = words;
  fetchMore = fetch;
  speak(words.words);
  if (data) games.set(name, cachedIn(loaded, data, () => loadExplained(data)));
}
/** What finds odds, explains, replays links and spends points; null while its script is not there yet, and `again` is called once it is. @param {() => void} again */
export function afterRolls(again) {
  if (!more) fetchMore().then((found) => {
    more = found;
    again();
  }, console.warn);
  return more;
}
/** The same after what only its script can have done, such as spending points. */
export const loadedParts = () => /** @type {AfterRoll} */ (more);
/** @param {T.GameData & {explanations: Record<string, Explanations>}} data */
function loadExplained(data) {
  const game = load(data);
  for (const [name, rule] of Object.entries(game.rules)) Object.assign(rule, { explained: data.explanations[name] });
  return game;
}
/** What readers are told of the formulas of a rule; copies of it, such as those with other aims, inherit that. @param {Rule} rule */
export const explanationOf = (rule) => /** @type {{explained: Explanations}} */ (/** @type {any} */ (rule)).explained;
export const pageData = () => page;
/** @param {string} game @param {string} name @returns {Rule | null} */
export function ruleOf(game, name) {
  const rules = games.get(game)?.rules ?? {};
  return Object.hasOwn(rules, name) ? /** @type {any} */ (rules[name]) : null;
}
/** The rules that are played: both sides of a contest, or the rule itself. @param {Rule} rule */
export const sidesOf = (rule) => (rule.contest ? rule.sides : [rule]);
/** "first side: ", where there are two. @param {Rule} rule @param {number} side */
export const sidePrefix = (rule, side) => (rule.contest ? `${sideName(SIDES[side])}: ` : "");
/** @param {Rule} rule @param {number} side  what stands before the names of inputs */
export const inputPrefix = (rule, side) => (rule.contest ? `${SIDES[side]}.` : "");
/** @param {Rule} rule */
export const hasDice = (rule) => sidesOf(rule).some(({ dice }) => dice.length > 0);
export const spaced = (/** @type {string} */ name) => name.replaceAll("_", " ");
export const capital = (/** @type {string} */ text) => text[0].toUpperCase() + text.slice(1);
export const labelOf = (/** @type {T.Input} */ { label, name }) => label || capital(spaced(name));
/** Names that examples give to sides, which keep their case. @type {Set<string>} */
const sideNames = new Set();
/** A label in the middle of a line: lower case, but for German. @param {string} label */
export const lower = (label) => (page.language.startsWith("de") ? label : label.replace(/(?<=^|: ).(?!\p{Lu})/gu, (one, at) => (at === 0 && sideNames.has(label.split(": ")[0]) ? one : one.toLowerCase())));
/** A rule with the names that an example gives to its two rolls, as render/cards/side_names.py has it. @param {Rule} rule @param {Record<string, string>} names @returns {Rule} */
export function nameSides(rule, names) {
  const rolls = Object.keys(names), isOf = (/** @type {string} */ name) => rolls.some((roll) => name.startsWith(`${roll}.`));
  if (!rolls.length) return rule;
  for (const name of Object.values(names)) sideNames.add(name);
  const shown = new Map(rolls.map((roll) => [spaced(roll).toLowerCase(), names[roll]])), any = rolls.map(spaced).sort((one, other) => other.length - one.length).join("|");
  const called = (/** @type {string} */ text, start = "^", flags = "iu") => text.replace(RegExp(`${start}(?:${any})(?=: | |$)`, flags), (roll) => shown.get(roll.toLowerCase()) ?? roll);
  /** @type {(one: any) => any} */
  const within = (one) => typeof one === "string" ? called(one, "(?<![\\p{L}\\d])", "gu") : Array.isArray(one) ? one.map(within)
    : one && typeof one === "object" ? Object.fromEntries(Object.entries(one).map(([key, part]) => [key, within(part)])) : one;
  /** @type {(one: any) => any} */
  const own = (one) => (one.label && isOf(one.name) ? { ...one, label: called(one.label) } : one);
  const inputs = rule.inputs.map(own);
  return Object.assign(Object.create(rule), {
    memory: new Map(), last: null, explained: within(explanationOf(rule)), inputs, dice: rule.dice.map(own), asked: new Map(inputs.filter(({ asked }) => asked).map((entry) => [entry.name, entry])),
    labels: new Map([...rule.labels].map(([name, label]) => [name, isOf(name) ? called(label) : label])),
    outcomes: rule.outcomes.map((one) => ({ ...one, label: names[one.name.toLowerCase()] ?? /** @type {any} */ (one).label })) });
}
export const minus = (/** @type {any} */ text) => String(text).replaceAll("-", "−");
export const sideName = (/** @type {string} */ name) =>
  name === "none" ? say("nobody") : SIDES.includes(name) ? say(`side ${SIDES.indexOf(name) + 1}`) : name;
/** The name of an outcome or a kind of dice for readers. @param {{name: string, label?: string} | undefined | null} one */
export const readerName = (one) => one?.label ?? spaced(one?.name ?? "");
/** @param {Rule} rule @param {string} name */
export const kindName = (rule, name) => readerName(/** @type {any} */ (rule.dice.find((kind) => kind.name === name)) ?? { name });
/** The name of a step for readers; empty where they never see it. @param {Rule} rule @param {string} name */
export const stepName = (rule, name) => rule.labels.get(name) ?? spaced(name);
