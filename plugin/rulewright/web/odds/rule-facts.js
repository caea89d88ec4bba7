// What formulas of a rule rest on: the values that they name and the kinds of dice that they look at, through sets and
// functions over dice. As the methods of CoreRule.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Rule} from "../engine/parts.d.ts" */
import { THROWS } from "../engine/rule.js";
import { walkTree } from "./fold.js";
import { opOf } from "./plan.js";

/** The values that formulas name, directly or through the dice that they look at. @param {Rule} rule @param {(T.Tree | null | undefined)[]} trees @returns {Set<string>} */
export function valuesNamed(rule, ...trees) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const tree of trees)
    for (const part of tree === null || tree === undefined ? [] : walkTree(tree)) {
      if (opOf(part) === "name") found.add(/** @type {any} */ (part)[1]);
      else if (opOf(part) === "tally") for (const name of tallyNames(rule, /** @type {any} */ (part)[1])) found.add(name);
      else if (opOf(part) === "dice") for (const name of setNames(rule, /** @type {any} */ (part)[1])) found.add(name);
    }
  for (const word of Object.keys(rule.words)) found.delete(word);
  return found;
}
/** The kinds whose cards are drawn from the same deck as those of this kind, itself included. @param {Rule} rule @param {number} kind */
export function findDeck({ dice }, kind) {
  const first = dice[kind].deck_of ?? kind;
  return dice[kind].deck.length ? [...dice.keys()].filter((own) => own === first || dice[own].deck_of === first) : [];
}
/** @param {Rule} rule @param {number} number @returns {Set<string>} */
export function tallyNames(rule, number) {
  const { test, domain, word, set } = rule.tallies[number], found = valuesNamed(rule, test, domain);
  found.delete(word);
  return set === null ? found : new Set([...found, ...setNames(rule, set)]);
}
/** @param {Rule} rule @param {number} number @returns {Set<string>} */
function setNames(rule, number) {
  const { op, number: amount, by, test, of } = rule.sets[number], found = valuesNamed(rule, amount?.tree, by, test);
  return op === "kind" ? found : new Set([...found, ...of.flatMap((/** @type {number} */ part) => [...setNames(rule, part)])]);
}
/** The kinds of dice that formulas look at. @param {Rule} rule @param {(T.Tree | null | undefined)[]} trees @returns {Set<number>} */
export function kindsIn(rule, ...trees) {
  /** @type {Set<number>} */
  const found = new Set();
  for (const tree of trees)
    for (const part of tree === null || tree === undefined ? [] : walkTree(tree)) {
      if (opOf(part) === "tally") for (const kind of tallyKinds(rule, /** @type {any} */ (part)[1])) found.add(kind);
      else if (opOf(part) === "dice") for (const kind of setKinds(rule, /** @type {any} */ (part)[1])) found.add(kind);
      else if (opOf(part) === "faces") for (const kind of /** @type {any[]} */ (part).slice(2)) found.add(kind);
    }
  return found;
}
/** @param {Rule} rule @param {number} number @returns {Set<number>} */
export function tallyKinds(rule, number) {
  const { test, domain, set } = rule.tallies[number];
  return new Set([...kindsIn(rule, test, domain), ...(set === null ? [] : setKinds(rule, set))]);
}
/** @param {Rule} rule @param {number} number @returns {number[]} */
export function setKinds(rule, number) {
  const { op, of, number: amount, by, test } = rule.sets[number];
  return op === "kind" ? of : [...kindsIn(rule, amount?.tree, by, test), ...of.flatMap((/** @type {number} */ part) => setKinds(rule, part))];
}
/** The kinds of dice in a set, in its order. @param {Rule} rule @param {number} number @returns {number[]} */
export function kindsOf(rule, number) {
  const { op, of } = rule.sets[number];
  return op === "kind" ? of : [...new Set((op === "without" ? of.slice(0, 1) : of).flatMap((/** @type {number} */ part) => kindsOf(rule, part)))];
}
/** Whether all first dice are rolled at once, without a look at dice. @param {Rule} rule */
export const isOneWave = ({ stages, rerolls }) => rerolls.every(({ roll }) => typeof roll === "string") && /^v?d?a?e?v?$/.test(stages.map(({ what }) => what[0]).join(""));
/** The kinds of dice that decide what an entry of the rule rolls again; none where it earns others. @param {Rule} rule @param {any} entry @returns {number[]} */
export const entryKinds = (rule, { among, read, of, roll }) => (typeof roll === "number" ? [] : read ? [...new Set(setKinds(rule, of))].sort((a, b) => a - b) : among);
/** Whether an entry asks of its dice more than numbers: symbols, or whole faces. @param {Rule} rule @param {any} entry */
export function asksSymbols(rule, { when }) {
  const tests = Object.assign({}, ...rule.dice.map((kind) => kind.tests)), own = when?.names ?? [];
  const names = own.some((/** @type {string} */ name) => name in tests) ? [...own, ...rule.dice.flatMap((kind) => Object.values(kind.tests).flatMap((test) => test.names))] : own;
  return names.some((/** @type {string} */ name) => name in rule.words && !(name in tests) && !THROWS.includes(name));
}
/** The values that are known only after dice have been rolled. @param {Rule} rule @returns {string[]} */
export const lateNames = (rule) => rule.order.filter((name) => !rule.fixed.includes(name));
/** The set of the highest or lowest dice of a kind, if these are all that the rule looks at; otherwise null. @param {Rule} rule @param {number} kind @returns {number | null} */
export function keptSet(rule, kind) {
  const used = new Set(rule.tallies.flatMap(({ set }) => (set !== null && kindsOf(rule, set).includes(kind) ? [set] : []))), [set] = used;
  if (used.size !== 1) return null;
  const { op, by, of, number } = rule.sets[set], late = lateNames(rule);
  const isKept = (op === "highest" || op === "lowest") && by === null && rule.sets[of[0]].op === "kind";
  return isKept && ![...valuesNamed(rule, number?.tree)].some((name) => late.includes(name)) ? set : null;
}
