// Messages in the language of the book, the RollError that stops a roll, and small helpers that all modules share.
/** @import * as T from "./engine.d.ts" */

/** @type {Record<string, string>} */
let words = {};
/** In which words complaints are made: the phrases of the catalogue. @param {Record<string, string>} found */
export const speak = (found) => void (words = found);
/** @param {string} name @param {Record<string, any>} values  a phrase with its blanks filled in */
export const say = (name, values = {}) => (words[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));

export const LARGEST = Number.MAX_SAFE_INTEGER;
export const MOST = 10_000; // dice at once, sides of a die, throws of a roll

export class RollError extends Error {
  /** @param {string} message @param {string} part @param {number} start @param {number} end */
  constructor(message, part = "rule", start = 0, end = 0) {
    super(message);
    this.part = part;
    this.start = start;
    this.end = end;
  }
}
/** @type {(part: string, message: string, start?: number, end?: number) => T.Complaint} */
export const complaint = (part, message, start = 0, end = 0) => ({ part, message, start, end });
/** @template R @param {() => R} work @returns {[R | null, T.Complaint[]]} */
export function attempt(work) {
  try {
    return [work(), []];
  } catch (error) {
    if (!(error instanceof RollError)) throw error;
    return [null, [complaint(error.part, error.message, error.start, error.end)]];
  }
}
/** @template X @param {X[]} list @param {(x: X) => number} key  the first of those with the greatest key */
export const best = (list, key) => list.reduce((a, b) => (key(b) > key(a) ? b : a));
/** @type {<K>(amounts: Map<K, number>, key: K, more: number) => void} */
export const add = (amounts, key, more) => void amounts.set(key, (amounts.get(key) ?? 0) + more);
/** What is remembered under a key, made where nothing is. @type {<K, V>(memory: Map<K, V>, key: K, make: () => V) => V} */
export const cachedIn = (memory, key, make) => memory.get(key) ?? /** @type {any} */ (memory.set(key, make()).get(key));
export const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);
