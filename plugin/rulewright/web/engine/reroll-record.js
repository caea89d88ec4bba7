// A recorded roll with rerolls: finds the recorded die for each reroll of the rule.
/** @import {Die, DiceRoller, DicePool, Judge, Rule} from "./parts.d.ts" */
import { same } from "./formula.js";
import { faceText, joinNames, parseThrows, throwsText } from "./face-text.js";
import { facesOf, value } from "./bound-rule.js";
import { RollError, say } from "./messages.js";
import { Record } from "./record.js";

/** @typedef {{kind: number | null, before: string, after: string, start: number, end: number, round: number, turn: number | null, lies: string, key: string}} Entry  a recorded reroll */
const KEYS = ["rerolled", "turned"];
/** What an entry of the rule does to a die. @param {string} key */
const done = (key) => say(`done ${key}`);
/** @param {string} text @param {Rule} rule @param {string} key  rerolled or turned @returns {Entry[]} */
export function parseRerolls(text, rule, key) {
  let bars = 0, round = 0;
  return [...text.matchAll(/[|;]|[^,|;]+/g)].flatMap(({ 0: part, index }) => {
    const bare = part.trim(), start = index + part.indexOf(bare), end = start + bare.length;
    if (bare === "|") bars++;
    if (bare === ";") [bars, round] = [0, round + 1];
    if (bare === "|" || bare === ";" || !bare) return [];
    const name = RegExp(`^${rule.kindNames}(?!\\s*(?:->|→))`, "iu").exec(bare)?.[0], [arrow, lies = ""] = bare.slice(name?.length ?? 0).split(" = "), sides = arrow.trim().split(/\s*(?:->|→)\s*/);
    if (sides.length !== 2 || sides.some((side) => !side || side.includes(" "))) {
      const example = `${rule.dice[0]?.name ?? "skill"} 2 -> 4`;
      throw new RollError(say("wrong reroll", { text: bare, example, done: done(key) }), key, start, end);
    }
    const kind = name ? rule.dice.findLastIndex((one) => same(one.name, name)) : null;
    return [{ kind, before: sides[0], after: sides[1], start, end, round, turn: text.split(";")[round].includes("|") ? bars : null, lies: lies.trim(), key }];
  });
}
/** @param {DicePool} pool @param {Entry} entry */
const before = (pool, entry) => parseThrows(pool, entry.before, true)?.join("+");
/** @param {DicePool} pool @param {Die} die @param {Entry} entry */
const fits = (pool, die, entry) => (entry.kind ?? pool.number) === pool.number && [facesOf(die), die.rolled.map(({ face }) => face).join("+"), String(value(die))].includes(before(pool, entry) ?? "");
/** "skill 2", "wild 6+4". @param {DicePool} pool @param {Die} die */
const tableDieText = ({ kind }, die) => `${kind.name} ${throwsText(kind, die.rolled)}`;

export class RerollRecord extends Record {
  /** @param {string} dice @param {Entry[]} rerolls @param {Rule} rule @param {Judge} [judge]  who says which of two dice is better */
  constructor(dice, rerolls, rule, judge) {
    super(dice, rule);
    this.judge = judge;
    this.allRerolls = rerolls;
    this.openEntries();
  }
  openEntries() {
    this.misfit = "";
    /** @type {{[key: string]: {list: Entry[], at: number}}} */
    this.entries = Object.fromEntries(KEYS.map((own) => [own, { at: 0, list: this.allRerolls.filter(({ round, key }) => round === this.number && key === own) }]));
  }
  goesOn() {
    if (!super.goesOn()) return false;
    this.openEntries();
    return true;
  }
  close() {
    super.close();
    const late = this.allRerolls.find(({ round }) => round > this.number);
    if (late) throw this.extraRound(late.key, late.start, late.end);
  }
  /** @param {DiceRoller} play @param {Die[]} dice @param {number[]} places @param {number} number */
  choose({ bound, turn, taken }, dice, places, number) {
    const key = KEYS[+(bound.rule.rerolls[number].roll === "turn")], { list, at } = this.entries[key], entry = list[at + taken.length];
    if (!entry || (entry.turn ?? turn) !== turn) return null;
    const pool = (/** @type {number} */ place) => bound.kinds[dice[place].kind];
    const fitting = places.filter((place) => fits(pool(place), dice[place], entry));
    const names = [...new Set(fitting.map((place) => pool(place).kind.name))];
    if (names.length > 1) {
      const { before, after } = entry;
      throw new RollError(say("wrong which", { kinds: joinNames(names), kind: names[0], before, after, done: done(key) }), key, entry.start, entry.end);
    }
    if (!fitting.length && !taken.length) {
      const shown = places.slice(0, 12).map((place) => tableDieText(pool(place), dice[place])).join(", ");
      this.misfit = say("wrong misfit", { dice: shown, done: done(key) });
    }
    return fitting.find((place) => facesOf(dice[place]) === before(pool(place), entry)) ?? fitting[0] ?? null;
  }
  /** @param {DicePool} pool @param {Die} die */
  rethrow(pool, die, key = KEYS[0]) {
    const now = tableDieText(pool, die), own = this.entries[key], entry = own.list[own.at++], last = own.list.at(-1), words = { die: now, key, done: done(key) };
    if (!entry)
      throw new RollError(say("wrong unwritten", words), last ? key : "dice", last?.end ?? this.length, last?.end ?? this.length);
    if (!fits(pool, die, entry)) throw new RollError(say("wrong other", words), key, entry.start, entry.end);
    this.load(pool, entry.after, [key, entry.start, entry.end]);
  }
  /** The face that is written; where nothing is written at all, the one that the rule says.
   * @param {DiceRoller} play @param {number} place @param {number} _number @param {number} _left @param {number | null} face */
  turnDie({ bound, dice }, place, _number, _left, face) {
    const pool = bound.kinds[dice[place].kind], { kind } = pool;
    if (face !== null && !this.allRerolls.some(({ key }) => key === KEYS[1])) return face;
    this.rethrow(pool, dice[place], KEYS[1]);
    const shown = /** @type {number} */ (this.chain.shift()), fail = (/** @type {string} */ name, words = {}) => new RollError(say(name, { ...words, after: this.text }), ...this.here);
    if (this.chain.length) throw fail("wrong turned faces");
    if (face !== null && face !== shown) throw fail("wrong turned", { die: tableDieText(pool, dice[place]), face: faceText(kind, face) });
    return shown;
  }
  /** Which of two dice stays: what is written, otherwise what is better. @type {Judge} */
  prefers(play, place, made, number, left) {
    const own = this.entries.rerolled, { lies, start, end } = own.list[own.at - 1], { kind } = play.bound.kinds[made.kind], old = play.dice[place];
    const [after, before] = [made, old].map(({ rolled }) => throwsText(kind, rolled));
    if (!lies && facesOf(old) === facesOf(made)) return true;
    if (!lies && this.judge) return this.judge(play, place, made, number, left);
    if (lies !== after && lies !== before) throw new RollError(say("wrong lies", { line: `${kind.name} ${before} -> ${after}`, after, before }), "rerolled", start, end);
    return lies === after;
  }
  closeRound() {
    super.closeRound();
    const left = Object.values(this.entries).find(({ list, at }) => list[at]);
    if (!left) return;
    const { at, list } = left, { turn, key, start, end } = list[at], none = this.groups.length && this.rule.rerolls.length ? "wrong anew now" : "wrong anew ever";
    const name = turn !== null ? "wrong anew bars" : at ? "wrong anew more" : none;
    throw new RollError(this.misfit || say(name, { number: at, turn: (turn ?? 0) + 1, done: done(key) }), key, start, end);
  }
}
