// Reads dice that somebody wrote down, and says precisely where they do not fit the rule.
/** @import * as T from "./engine.d.ts" */
/** @import {Die, Faces, Ready, Rule} from "./parts.d.ts" */
import { same } from "./formula.js";
import { faceText, impossible, readThrows, throwsText } from "./notation.js";
import { Play, facesOf, value } from "./play.js";
import { said } from "./program.js";
import { Result } from "./result.js";
import { settle } from "./setting.js";
import { spend } from "./spend.js";
import { Stop, attempt, say } from "./words.js";

/** @param {string} text @param {Rule} rule */
function readDice(text, rule) {
  const pieces = RegExp(`(${rule.kindNames})|([|[\\]])|[^\\s,|[\\]]+`, "giu");
  return [...text.matchAll(pieces)].map((found) => {
    const what = found[1] ? "kind" : found[2] ? "bar" : "die", start = found.index;
    return { what, text: what === "kind" ? found[0].toLowerCase() : found[0], start, end: start + found[0].length };
  });
}
/** @param {string} text @param {Rule} rule */
function readRerolls(text, rule) {
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

/** Hands out recorded dice in order, and stops at the die that cannot be. @implements {Faces} */
class Record {
  /** @param {string} dice @param {string} rerolled @param {Rule} rule */
  constructor(dice, rerolled, rule) {
    this.rule = rule;
    this.length = dice.length;
    this.marks = readDice(dice, rule);
    this.rerolls = readRerolls(rerolled, rule);
    this.at = this.again = 0;
    /** @type {Group[]} */
    this.groups = [];
    this.rounds = 1;
    /** @type {Map<number, number>} */
    this.dueNow = new Map();
    this.text = this.misfit = "";
    /** @type {[string, number, number]} */
    this.here = ["dice", 0, 0];
    /** @type {number[]} */
    this.chain = [];
    /** @type {number[]} */
    this.faces = [];
    this.marks.forEach(({ what, text, start, end }, place) => {
      if (what === "kind" && this.marks[place + 1]?.what !== "die")
        throw new Stop(say("wrong alone", { text }), "dice", start, end);
    });
  }
  get group() {
    return this.groups[this.groups.length - 1];
  }
  /** @param {Ready} ready */
  begin(ready) {
    const fresh = this.group?.ready !== ready || this.group.round !== this.rounds;
    if (fresh) this.groups.push(new Group(ready, this.rounds, this.dueNow.get(ready.number) ?? ready.count));
    for (; this.at < this.marks.length; this.at++) {
      const { what, text, start, end } = this.marks[this.at];
      if (what === "die") {
        this.group.dice++;
        this.at++;
        return this.load(ready, text, ["dice", start, end]);
      }
      if (what === "bar" && !fresh) throw new Stop(this.group.missing("record at bar"), "dice", start, end);
      if (what === "kind" && text !== ready.kind.name.toLowerCase())
        throw new Stop(this.group.missing("record at kind", text), "dice", start, end);
    }
    throw new Stop(this.group.missing("record at end"), "dice", this.length, this.length);
  }
  /** @param {Map<number, number>} earned */
  round(earned) {
    this.rounds++;
    this.dueNow = earned;
  }
  /** @param {Ready} ready @param {string} text @param {[string, number, number]} here */
  load(ready, text, here) {
    const throws = readThrows(ready, text);
    if (!throws) throw new Stop(impossible(ready, text), ...here);
    [this.text, this.chain, this.faces, this.here] = [text, throws, [], here];
  }
  /** @param {Ready} ready */
  face({ kind }) {
    const next = this.chain.shift();
    if (next === undefined) {
      const last = faceText(kind, /** @type {number} */ (this.faces.at(-1)));
      throw new Stop(say("wrong onward", { face: last, kind: kind.name, text: this.text }), ...this.here);
    }
    this.faces.push(next);
    return next;
  }
  onward() {
    return this.chain.length > 0;
  }
  /** @param {Ready} ready */
  end({ kind }) {
    if (!this.chain.length) return;
    const [now, rest] = [this.faces, this.chain].map((faces) => faces.map((face) => faceText(kind, face)).join("+"));
    throw new Stop(say("wrong rest", { kind: kind.name, now, rest }), ...this.here);
  }
  /** Offered dice are taken as long as the record has dice for them in this round. @param {Ready} ready */
  offered({ kind, number }) {
    let at = this.at;
    for (; this.marks[at]?.what === "bar"; at++)
      if (this.group.ready.number === number && this.group.round === this.rounds) return false;
    const mark = this.marks[at];
    return !!mark && (mark.what === "die" || mark.text === kind.name.toLowerCase());
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
  /** What is left over was not called for. */
  close() {
    const rest = this.marks.slice(this.at).filter(({ what }) => what === "die"), entry = this.rerolls[this.again];
    if (rest.length) {
      const message = say(rest.length === 1 ? "wrong extra die" : "wrong extra dice", { number: rest.length, account: this.account() });
      throw new Stop(message, "dice", rest[0].start, rest[rest.length - 1].end);
    }
    if (!entry) return;
    const none = this.groups.length && this.rule.rerolls.length ? "wrong anew now" : "wrong anew ever";
    const name = entry.turn !== null ? "wrong anew bars" : this.again ? "wrong anew more" : none;
    throw new Stop(this.misfit || say(name, { number: this.again, turn: (entry.turn ?? 0) + 1 }), "rerolled", entry.start, entry.end);
  }
  /** What a rule has thrown, in words. */
  account() {
    const first = this.groups.filter(({ round }) => round === 1).map((group) => group.told);
    const earned = this.groups.filter(({ round }) => round > 1).map(({ dice, ready }) => `${dice} ${ready.kind.name}`);
    const more = earned.length ? say("record earned", { dice: earned.join(say("record then")) })
      : this.groups.some(({ ready }) => ready.kind.again) ? say("record earned none") : "";
    return say("record due", { dice: both(first) || say("record none") }) + more;
  }
}
/** The dice of one kind that a round throws: how many there should be, and how many are written. */
class Group {
  /** @param {Ready} ready @param {number} round @param {number} due */
  constructor(ready, round, due) {
    this.ready = ready;
    this.round = round;
    this.due = due;
    this.dice = 0;
  }
  get told() {
    const { setting, kind } = this.ready;
    const inputs = this.round === 1 ? said(setting.rule, setting.values, (name) => kind.count.names.includes(name)) : "";
    return say(this.due === 1 ? "record die" : "record dice", { number: this.due, kind: kind.name }) + (inputs && ` (${inputs})`);
  }
  /** @param {string} where @param {string} text */
  missing(where, text = "") {
    const due = say(this.round === 1 ? "record due" : "record due earned", { dice: this.told });
    const written = say(["record wrote none", "record wrote one"][this.dice] ?? "record wrote some", { number: this.dice });
    return say("wrong missing", { due, written, where: say(where, { text }) });
  }
}
/** @typedef {{kind: number | null, before: string}} Entry  a recorded reroll */
/** @param {Ready} ready @param {Entry} entry */
const before = (ready, entry) => readThrows(ready, entry.before, true)?.join("+");
/** @param {Ready} ready @param {Die} die @param {Entry} entry */
const fits = (ready, die, entry) => (entry.kind ?? ready.number) === ready.number && [facesOf(die), String(value(die))].includes(before(ready, entry) ?? "");
/** @param {string[]} names */
const both = (names) => names.join(` ${say("and")} `);
/** «skill 2», «wild 6+4». @param {Ready} ready @param {Die} die */
const lyingText = ({ kind }, die) => `${kind.name} ${throwsText(kind, die.throws)}`;
/** @param {Rule} rule @param {T.Inputs} given @param {string[] | null} traits @returns {T.Checked} */
export function check(rule, given, dice = "", declined = 0, rerolled = "", spends = "", traits = null) {
  const { inputs, complaints: slips, lay } = spend(rule, given, spends, traits);
  if (slips.length) return { result: null, complaints: slips };
  const [found, stopped] = attempt(() => {
    const [setting, complaints] = settle(rule, inputs);
    if (!setting) return { result: null, complaints };
    const record = new Record(dice, rerolled, rule), result = new Result(new Play(setting, record).run());
    record.close();
    const laid = lay(/** @type {any} */ (result)), vain = askedInVain(result, inputs);
    return { result: laid.result, complaints: [...declinedWrong(result.declined, declined), ...vain, ...laid.complaints] };
  });
  return /** @type {any} */ (found ?? { result: null, complaints: stopped });
}
/** @param {number} offered @param {number} declined @returns {T.Complaint[]} */
function declinedWrong(offered, declined) {
  if (offered === declined) return [];
  const fact = say(["record no offer", "record one offer"][offered] ?? "record some offers", { number: offered });
  const message = say(!declined ? "wrong declined face" : offered ? "wrong declined" : "wrong declined any", { declined, fact, number: offered });
  return [{ part: "declined", message, start: 0, end: 0 }];
}
/** @param {Result} result @param {T.Inputs} inputs @returns {T.Complaint[]} */
function askedInVain(result, inputs) {
  const given = Object.keys(inputs).map((name) => name.toLowerCase());
  return result.unasked.filter((name) => given.includes(name))
    .map((part) => ({ part, message: say("wrong asked", { name: part, test: result.rule.formula(part).text }), start: 0, end: 0 }));
}
