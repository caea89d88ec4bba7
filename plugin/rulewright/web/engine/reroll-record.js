// Dice that somebody wrote down with those that were thrown anew.
/** @import {Die, Play, Ready, Rule} from "./parts.d.ts" */
import { same } from "./formula.js";
import { readThrows, throwsText } from "./dice-notation.js";
import { facesOf, value } from "./bound-rule.js";
import { Stop, say } from "./messages.js";
import { Record, both } from "./record.js";

/** @typedef {{kind: number | null, before: string, after: string, start: number, end: number, turn: number | null}} Entry  a recorded reroll */
/** @param {string} text @param {Rule} rule @returns {Entry[]} */
export function readRerolls(text, rule) {
  let bars = 0;
  return [...text.matchAll(/\||[^,|]+/g)].flatMap(({ 0: part, index }) => {
    const bare = part.trim(), start = index + part.indexOf(bare), end = start + bare.length;
    if (bare === "|") bars++;
    if (bare === "|" || !bare) return [];
    const name = RegExp(`^${rule.kindNames}`, "iu").exec(bare)?.[0], sides = bare.slice(name?.length ?? 0).trim().split(/\s*(?:->|→)\s*/);
    if (sides.length !== 2 || sides.some((side) => !side || side.includes(" "))) {
      const example = `${rule.dice[0]?.name ?? "skill"} 2 -> 4`;
      throw new Stop(say("wrong reroll", { text: bare, example }), "rerolled", start, end);
    }
    const kind = name ? rule.dice.findLastIndex((one) => same(one.name, name)) : null;
    return [{ kind, before: sides[0], after: sides[1], start, end, turn: text.includes("|") ? bars : null }];
  });
}
/** @param {Ready} ready @param {Entry} entry */
const before = (ready, entry) => readThrows(ready, entry.before, true)?.join("+");
/** @param {Ready} ready @param {Die} die @param {Entry} entry */
const fits = (ready, die, entry) => (entry.kind ?? ready.number) === ready.number && [facesOf(die), String(value(die))].includes(before(ready, entry) ?? "");
/** «skill 2», «wild 6+4». @param {Ready} ready @param {Die} die */
const lyingText = ({ kind }, die) => `${kind.name} ${throwsText(kind, die.throws)}`;

export class Rewritten extends Record {
  /** @param {string} dice @param {Entry[]} rerolls @param {Rule} rule */
  constructor(dice, rerolls, rule) {
    super(dice, rule);
    this.rerolls = rerolls;
    this.again = 0;
    this.misfit = "";
  }
  /** @param {Play} play @param {Die[]} dice @param {number[]} places */
  choose({ setting, turn }, dice, places) {
    const entry = this.rerolls[this.again];
    if (!entry || (entry.turn ?? turn) !== turn) return null;
    const ready = (/** @type {number} */ place) => setting.kinds[dice[place].kind];
    const fitting = places.filter((place) => fits(ready(place), dice[place], entry));
    const names = [...new Set(fitting.map((place) => ready(place).kind.name))];
    if (names.length > 1) {
      const { before, after } = entry;
      throw new Stop(say("wrong which", { kinds: both(names), kind: names[0], before, after }), "rerolled", entry.start, entry.end);
    }
    if (!fitting.length) {
      const lying = places.slice(0, 12).map((place) => lyingText(ready(place), dice[place])).join(", ");
      this.misfit = say("wrong misfit", { dice: lying });
    }
    return fitting.find((place) => facesOf(dice[place]) === before(ready(place), entry)) ?? fitting[0] ?? null;
  }
  /** @param {Ready} ready @param {Die} die */
  rethrow(ready, die) {
    const now = lyingText(ready, die), entry = this.rerolls[this.again++], last = this.rerolls.at(-1);
    if (!entry)
      throw new Stop(say("wrong unwritten", { die: now }), last ? "rerolled" : "dice", last?.end ?? this.length, last?.end ?? this.length);
    if (!fits(ready, die, entry)) throw new Stop(say("wrong other", { die: now }), "rerolled", entry.start, entry.end);
    this.load(ready, entry.after, ["rerolled", entry.start, entry.end]);
  }
  close() {
    super.close();
    const entry = this.rerolls[this.again];
    if (!entry) return;
    const none = this.groups.length && this.rule.rerolls.length ? "wrong anew now" : "wrong anew ever";
    const name = entry.turn !== null ? "wrong anew bars" : this.again ? "wrong anew more" : none;
    throw new Stop(this.misfit || say(name, { number: this.again, turn: (entry.turn ?? 0) + 1 }), "rerolled", entry.start, entry.end);
  }
}
