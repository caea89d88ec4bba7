// A recorded roll with rerolls: finds the recorded die for each reroll of the rule.
/** @import {Die, DiceRoller, DicePool, Judge, Rule} from "./parts.d.ts" */
import { same } from "./formula.js";
import { joinNames, parseThrows, throwsText } from "./face-text.js";
import { facesOf, value } from "./bound-rule.js";
import { RollError, say } from "./messages.js";
import { Record } from "./record.js";

/** @typedef {{kind: number | null, before: string, after: string, start: number, end: number, round: number, turn: number | null, lies: string}} Entry  a recorded reroll */
/** @param {string} text @param {Rule} rule @returns {Entry[]} */
export function parseRerolls(text, rule) {
  let bars = 0, round = 0;
  return [...text.matchAll(/[|;]|[^,|;]+/g)].flatMap(({ 0: part, index }) => {
    const bare = part.trim(), start = index + part.indexOf(bare), end = start + bare.length;
    if (bare === "|") bars++;
    if (bare === ";") [bars, round] = [0, round + 1];
    if (bare === "|" || bare === ";" || !bare) return [];
    const name = RegExp(`^${rule.kindNames}(?!\\s*(?:->|→))`, "iu").exec(bare)?.[0], [arrow, lies = ""] = bare.slice(name?.length ?? 0).split(" = "), sides = arrow.trim().split(/\s*(?:->|→)\s*/);
    if (sides.length !== 2 || sides.some((side) => !side || side.includes(" "))) {
      const example = `${rule.dice[0]?.name ?? "skill"} 2 -> 4`;
      throw new RollError(say("wrong reroll", { text: bare, example }), "rerolled", start, end);
    }
    const kind = name ? rule.dice.findLastIndex((one) => same(one.name, name)) : null;
    return [{ kind, before: sides[0], after: sides[1], start, end, round, turn: text.split(";")[round].includes("|") ? bars : null, lies: lies.trim() }];
  });
}
/** @param {DicePool} pool @param {Entry} entry */
const before = (pool, entry) => parseThrows(pool, entry.before, true)?.join("+");
/** @param {DicePool} pool @param {Die} die @param {Entry} entry */
const fits = (pool, die, entry) => (entry.kind ?? pool.number) === pool.number && [facesOf(die), die.rolled.map(({ face }) => face).join("+"), String(value(die))].includes(before(pool, entry) ?? "");
/** «skill 2», «wild 6+4». @param {DicePool} pool @param {Die} die */
const tableDieText = ({ kind }, die) => `${kind.name} ${throwsText(kind, die.rolled)}`;

export class RerollRecord extends Record {
  /** @param {string} dice @param {Entry[]} rerolls @param {Rule} rule @param {Judge} [judge]  who says which of two dice is better */
  constructor(dice, rerolls, rule, judge) {
    super(dice, rule);
    this.judge = judge;
    this.allRerolls = rerolls;
    this.rerolls = rerolls.filter(({ round }) => !round);
    this.again = 0;
    this.misfit = "";
  }
  goesOn() {
    if (!super.goesOn()) return false;
    this.rerolls = this.allRerolls.filter(({ round }) => round === this.number);
    this.again = 0;
    this.misfit = "";
    return true;
  }
  close() {
    super.close();
    const late = this.allRerolls.find(({ round }) => round > this.number);
    if (late) throw this.extraRound("rerolled", late.start, late.end);
  }
  /** @param {DiceRoller} play @param {Die[]} dice @param {number[]} places */
  choose({ bound, turn, taken }, dice, places) {
    const entry = this.rerolls[this.again + taken.length];
    if (!entry || (entry.turn ?? turn) !== turn) return null;
    const pool = (/** @type {number} */ place) => bound.kinds[dice[place].kind];
    const fitting = places.filter((place) => fits(pool(place), dice[place], entry));
    const names = [...new Set(fitting.map((place) => pool(place).kind.name))];
    if (names.length > 1) {
      const { before, after } = entry;
      throw new RollError(say("wrong which", { kinds: joinNames(names), kind: names[0], before, after }), "rerolled", entry.start, entry.end);
    }
    if (!fitting.length && !taken.length) {
      const shown = places.slice(0, 12).map((place) => tableDieText(pool(place), dice[place])).join(", ");
      this.misfit = say("wrong misfit", { dice: shown });
    }
    return fitting.find((place) => facesOf(dice[place]) === before(pool(place), entry)) ?? fitting[0] ?? null;
  }
  /** @param {DicePool} pool @param {Die} die */
  rethrow(pool, die) {
    const now = tableDieText(pool, die), entry = this.rerolls[this.again++], last = this.rerolls.at(-1);
    if (!entry)
      throw new RollError(say("wrong unwritten", { die: now }), last ? "rerolled" : "dice", last?.end ?? this.length, last?.end ?? this.length);
    if (!fits(pool, die, entry)) throw new RollError(say("wrong other", { die: now }), "rerolled", entry.start, entry.end);
    this.load(pool, entry.after, ["rerolled", entry.start, entry.end]);
  }
  /** Which of two dice stays: what is written, otherwise what is better. @type {Judge} */
  prefers(play, place, made, number, left) {
    const { lies, start, end } = this.rerolls[this.again - 1], { kind } = play.bound.kinds[made.kind], old = play.dice[place];
    const [after, before] = [made, old].map(({ rolled }) => throwsText(kind, rolled));
    if (!lies && facesOf(old) === facesOf(made)) return true;
    if (!lies && this.judge) return this.judge(play, place, made, number, left);
    if (lies !== after && lies !== before) throw new RollError(say("wrong lies", { line: `${kind.name} ${before} -> ${after}`, after, before }), "rerolled", start, end);
    return lies === after;
  }
  closeRound() {
    super.closeRound();
    const entry = this.rerolls[this.again];
    if (!entry) return;
    const none = this.groups.length && this.rule.rerolls.length ? "wrong anew now" : "wrong anew ever";
    const name = entry.turn !== null ? "wrong anew bars" : this.again ? "wrong anew more" : none;
    throw new RollError(this.misfit || say(name, { number: this.again, turn: (entry.turn ?? 0) + 1 }), "rerolled", entry.start, entry.end);
  }
}
