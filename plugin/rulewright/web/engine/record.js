// A recorded roll: hands out its faces one by one, and stops at the die that does not fit the rule.
/** @import {FaceSource, DicePool, Rule} from "./parts.d.ts" */
import { SIGNS, faceText, impossible, joinNames, parseDice, parseThrows, signsIn } from "./face-text.js";
import { formatInputs } from "./rule.js";
import { RollError, say } from "./messages.js";

/** Hands out recorded dice in order, and stops at the die that cannot be. @implements {FaceSource} */
export class Record {
  /** @param {string} dice @param {Rule} rule */
  constructor(dice, rule) {
    this.rule = rule;
    /** Choices round by round. @type {{[name: string]: any[]}} */
    this.answers = {};
    const marks = parseDice(dice, rule), ends = [...marks.flatMap(({ what, start }) => (what === "round" ? start : [])), dice.length];
    /** The tokens of each round, and where it ends. */
    this.records = ends.map((end, at) => ({ end, marks: marks.filter(({ what, start }) => what !== "round" && start < end && (!at || start > ends[at - 1])) }));
    this.number = this.at = this.length = 0;
    this.marks = marks;
    this.rounds = 1;
    /** @type {Group[]} */
    this.groups = [];
    /** @type {Map<number, number>} */
    this.dueNow = new Map();
    this.openRound(0);
    this.text = "";
    /** @type {[string, number, number]} */
    this.here = ["dice", 0, 0];
    /** @type {number[]} */
    this.chain = [];
    /** @type {number[]} */
    this.faces = [];
    /** @type {string[]} */
    this.signs = [];
    marks.forEach(({ what, text, start, end }, place) => {
      if (what === "kind" && marks[place + 1]?.what !== "die")
        throw new RollError(say("wrong alone", { text }), "dice", start, end);
    });
  }
  /** Begins the record of a round. @param {number} number */
  openRound(number) {
    ({ marks: this.marks, end: this.length } = this.records[(this.number = number)]);
    this.at = 0;
    this.groups = [];
    this.rounds = 1;
    this.dueNow = new Map();
  }
  /** Whether the record has a further round. */
  goesOn() {
    if (this.number + 1 === this.records.length) return false;
    this.closeRound();
    this.openRound(this.number + 1);
    return true;
  }
  get group() {
    return this.groups[this.groups.length - 1];
  }
  /** @param {DicePool} pool */
  begin(pool) {
    const fresh = this.group?.pool.number !== pool.number || this.group.round !== this.rounds;
    if (fresh) this.groups.push(new Group(pool, this.rounds, this.dueNow.get(pool.number)));
    for (; this.at < this.marks.length; this.at++) {
      const { what, text, start, end } = this.marks[this.at];
      if (what === "die") {
        this.group.dice++;
        this.at++;
        return this.load(pool, text, ["dice", start, end]);
      }
      if (what === "bar" && !fresh) throw new RollError(this.group.missing("record at bar"), "dice", start, end);
      if (what === "kind" && text !== pool.kind.name.toLowerCase())
        throw new RollError(this.group.missing("record at kind", text), "dice", start, end);
    }
    throw new RollError(this.group.missing("record at end"), "dice", this.length, this.length);
  }
  /** @param {Map<number, number>} earned */
  round(earned) {
    this.rounds++;
    this.dueNow = earned;
  }
  /** @param {DicePool} pool @param {string} text @param {[string, number, number]} here */
  load(pool, text, here) {
    const throws = parseThrows(pool, text);
    if (!throws) throw new RollError(impossible(pool, text), ...here);
    [this.text, this.chain, this.faces, this.here, this.signs] = [text, throws, [], here, signsIn(pool.kind, text)];
  }
  /** The sign before the next throw. */
  get sign() {
    return this.signs[this.signs.length - this.chain.length];
  }
  /** @param {DicePool} pool @param {string} way */
  face(pool, way) {
    const { kind } = pool, sign = SIGNS[way] ?? "", { sign: written } = this, next = written === sign ? this.chain.shift() : undefined;
    if (next === undefined) {
      const last = faceText(kind, /** @type {number} */ (this.faces.at(-1))), fact = say(way === "reroll" ? "wrong replaced" : "wrong onward", { face: last, kind: kind.name });
      throw new RollError(say(this.chain.length ? "wrong sign" : "wrong unfinished", { fact, text: (this.chain.length ? last : this.text) + sign }), ...this.here);
    }
    if (kind.deck.length && !pool.faces.includes(next)) throw new RollError(impossible(pool, faceText(kind, next)), ...this.here);
    this.faces.push(next);
    return next;
  }
  /** @param {DicePool} _ @param {string} way */
  onward(_, way) {
    return this.chain.length > 0 && this.sign === SIGNS[way];
  }
  /** @param {DicePool} pool */
  end({ kind }) {
    if (!this.chain.length) return;
    const signs = [...this.signs], [now, rest] = [this.faces, this.chain].map((faces) => faces.map((face) => signs.shift() + faceText(kind, face)).join(""));
    throw new RollError(say("wrong rest", { kind: kind.name, now, rest }), ...this.here);
  }
  /** Offered dice are taken as long as the record has dice for them in this round. @param {DicePool} pool */
  offered({ kind, number }) {
    let at = this.at;
    for (; this.marks[at]?.what === "bar"; at++)
      if (this.group.pool.number === number && this.group.round === this.rounds) return false;
    const mark = this.marks[at];
    return !!mark && (mark.what === "die" || mark.text === kind.name.toLowerCase());
  }
  /** @param {unknown} _ @param {{name: string}} entry */
  answer(_, { name }) {
    return this.answers[name]?.[this.number] ?? null;
  }
  /** What is left over was not called for. */
  close() {
    this.closeRound();
    if (this.number + 1 < this.records.length) throw this.extraRound("dice", this.length, this.records[this.records.length - 1].end);
  }
  /** @param {string} part @param {number} start @param {number} end */
  extraRound(part, start, end) {
    const bound = this.groups.at(-1)?.pool.bound;
    return new RollError(say(bound?.rule.hasRounds ? "wrong round extra" : "wrong round once", { number: bound?.round }), part, start, end);
  }
  closeRound() {
    const rest = this.marks.slice(this.at).filter(({ what }) => what === "die");
    if (!rest.length) return;
    const message = say(rest.length === 1 ? "wrong extra die" : "wrong extra dice", { number: rest.length, account: this.describeRolled() });
    throw new RollError(message, "dice", rest[0].start, rest[rest.length - 1].end);
  }
  /** What a rule has thrown, in words. */
  describeRolled() {
    const first = this.groups.filter(({ isEarned }) => !isEarned).map((group) => group.description);
    const earned = this.groups.filter(({ isEarned }) => isEarned).map(({ dice, pool }) => `${dice} ${pool.kind.name}`);
    const more = earned.length ? say("record earned", { dice: earned.join(say("record then")) })
      : this.groups.some(({ pool }) => pool.kind.earnedKinds.length) ? say("record earned none") : "";
    return say("record due", { dice: joinNames(first) || say("record none") }) + more;
  }
}
/** The dice of one kind that a round throws: how many there should be, and how many are written. */
class Group {
  /** @param {DicePool} pool @param {number} round @param {number} [earned] */
  constructor(pool, round, earned) {
    this.pool = pool;
    this.round = round;
    this.isEarned = earned !== undefined;
    this.due = earned ?? pool.count;
    this.dice = 0;
  }
  get description() {
    const { bound, kind } = this.pool;
    const inputs = !this.isEarned ? formatInputs(bound.rule, bound.values, (name) => kind.count.names.includes(name)) : "";
    return say((kind.deck.length ? ["record card", "record cards"] : ["record die", "record dice"])[+(this.due !== 1)], { number: this.due, kind: kind.name }) + (inputs && ` (${inputs})`);
  }
  /** @param {string} where @param {string} text */
  missing(where, text = "") {
    const due = say(this.isEarned ? "record due earned" : "record due", { dice: this.description });
    const written = say(["record wrote none", "record wrote one"][this.dice] ?? "record wrote some", { number: this.dice });
    return say("wrong missing", { due, written, where: say(where, { text }) });
  }
}
