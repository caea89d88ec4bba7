// Reads the data of a page (games, messages, shapes of dice; see render/scripts.py), and names rules and inputs for readers.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Page, Rule} from "../engine/parts.d.ts" */
import { SIDES, load } from "../engine/rule.js";
import { say, speak } from "../engine/messages.js";

/** @type {WeakMap<Element, any>} */
const known = new WeakMap();
/** What an element with data holds, read once. @param {string} name @param {string} value @param {(data: any) => any} use */
function readTemplate(name, value, use) {
  const holder = document.querySelector(`template[${name}="${CSS.escape(value)}"]`);
  if (!holder) return null;
  if (!known.has(holder)) known.set(holder, use(JSON.parse(/** @type {HTMLTemplateElement} */ (holder).content.textContent ?? "")));
  return known.get(holder);
}
/** @returns {Page | null} */
export const page = () => readTemplate("data-words", "", (data) => (speak(data.words), data));
/** What there must be where something was drawn. */
export const pageData = () => /** @type {Page} */ (page());
/** A rule by the name that cards have for its game, or by the folder that links name. @param {string} game @param {string} name @returns {Rule | null} */
export function ruleOf(game, name) {
  const loaded = (/** @type {string} */ one) => readTemplate("data-game", one, load);
  const all = [...document.querySelectorAll("template[data-game]")].map((one) => loaded(one.getAttribute("data-game") ?? ""));
  const rules = (loaded(game) ?? all.find(({ folder }) => folder === game))?.rules ?? {};
  return Object.hasOwn(rules, name) ? rules[name] : null;
}
/** The rules that are played: both sides of a contest, or the rule itself. @param {Rule} rule */
export const sidesOf = (rule) => (rule.contest ? rule.sides : [rule]);
/** «first side: », where there are two. @param {Rule} rule @param {number} side */
export const sidePrefix = (rule, side) => (rule.contest ? `${sideName(SIDES[side])}: ` : "");
/** @param {Rule} rule @param {number} side  what stands before the names of inputs */
export const inputPrefix = (rule, side) => (rule.contest ? `${SIDES[side]}.` : "");
/** @param {Rule} rule */
export const hasDice = (rule) => sidesOf(rule).some(({ dice }) => dice.length > 0);
export const spaced = (/** @type {string} */ name) => name.replaceAll("_", " ");
export const labelOf = (/** @type {T.Input} */ { label, name }) => label || spaced(name)[0].toUpperCase() + spaced(name).slice(1);
export const minus = (/** @type {any} */ text) => String(text).replaceAll("-", "−");
export const sideName = (/** @type {string} */ name) =>
  name === "none" ? say("nobody") : SIDES.includes(name) ? say(`side ${SIDES.indexOf(name) + 1}`) : name;
