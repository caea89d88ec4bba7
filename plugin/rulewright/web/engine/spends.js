// Applies points that are spent after a roll: they change inputs, or set a die to its highest face.
/** @import * as T from "./engine.d.ts" */
/** @import {Rule, Spending, Spent} from "./parts.d.ts" */
import { evaluateKnown } from "./known-values.js";
import { same } from "./formula.js";
import { shown, suggest } from "./inputs.js";
import { DiceRoller } from "./roll.js";
import { Result } from "./result.js";
import { value } from "./bound-rule.js";
import { attempt, best, complaint, say } from "./messages.js";

/** What stands between commas, brackets aside, each with its place. @param {string} text */
const pieces = (text) => [...text.matchAll(/[^,(]*(?:\([^)]*\)?[^,(]*)*/g)].flatMap((found) => {
  const piece = found[0].trim(), start = found.index + found[0].indexOf(piece);
  return piece ? [{ piece, start, end: start + piece.length }] : [];
});
/** @param {Spent | {start: number, end: number}} at @param {string} name @param {Record<string, any>} values @returns {T.Complaint} */
const problem = ({ start, end }, name, values) => complaint("spends", say(name, values).replace(/; $/, ""), start, end);

/** The points of a list such as "point bonus, fate luck"; `traits` are those that are rolled, where that is known.
 * @param {Rule} rule @param {string} text @param {string[] | null} traits @returns {[Spent[], T.Complaint[]]} */
function read({ name, spends }, text, traits) {
  /** @type {Spent[]} */
  const found = [], /** @type {T.Complaint[]} */ slips = [];
  for (const { piece, start, end } of pieces(text)) {
    const low = piece.toLowerCase(), fitting = spends.filter((one) => `${low} `.startsWith(`${one.name.toLowerCase()} `));
    if (!fitting.length) {
      slips.push(problem({ start, end }, "wrong spend", { rule: name, text: piece, near: suggest(piece, spends.map((one) => one.name)) }));
      continue;
    }
    const spend = best(fitting, (one) => one.name.length), one = { spend, kind: low.slice(spend.name.length).trim(), start, end };
    slips.push(...checkKind(one));
    found.push(one);
  }
  found.forEach((one, at) => {
    const { point, most } = one.spend, before = found.slice(0, at + 1).filter(({ spend }) => spend.point === point).length;
    if (most && before > most) slips.push(problem(one, "wrong spend most", { most, point }));
  });
  for (const one of traits ? found : [])
    if (one.spend.traits.length && !one.spend.traits.some((own) => traits?.some((other) => same(own, other))))
      slips.push(problem(one, "wrong spend trait", { name: one.spend.name, traits: one.spend.traits.join(", ") }));
  return [found, slips];
}
/** A kind where none is asked for, one that cannot be meant, or none where there are several. @param {Spent} one */
function checkKind(one) {
  const { name, highest } = one.spend, { kind } = one;
  if (kind && !highest.length) return [problem(one, "wrong spend die", { name, kind })];
  if (kind && !highest.some((own) => same(own, kind))) return [problem(one, "wrong spend kind", { name, kind, near: suggest(kind, highest) })];
  return !kind && highest.length > 1 ? [problem(one, "wrong spend which", { name, kind: highest[0] })] : [];
}
/** What points do to a roll: the inputs that they leave, and what becomes of the dice once they lie.
 * @param {Rule} rule @param {T.Inputs} inputs @param {string} text @param {string[] | null} traits @returns {Spending} */
export function spend(rule, inputs, text, traits = null) {
  const [found, complaints] = read(rule, text, traits), after = { ...inputs };
  for (const one of found)
    for (const [name, formula] of Object.entries(one.spend.changes)) {
      const now = evaluateKnown(rule, formula, after), entry = rule.inputs.find((own) => own.name === name);
      if (now === null) complaints.push(problem(one, "wrong spend input", { input: name, name: one.spend.name }));
      else if (entry) after[name] = shown(entry, now);
    }
  return { inputs: after, complaints, lay: (result) => lay(result, found) };
}
/** The lowest die of a kind is set to its highest face, for each point that does so. @param {Result} result @param {Spent[]} found
 * @returns {{result: Result, complaints: T.Complaint[]}} */
function lay(result, found) {
  /** @type {T.Complaint[]} */
  const complaints = [];
  const { bound, rule, play } = result, spent = found.filter(({ spend }) => spend.highest.length);
  if (!spent.length) return { result, complaints };
  const [made, stopped] = attempt(() => {
    const dice = play.dice.map((die) => ({ ...die, kept: true }));
    for (const one of spent) {
      const kind = one.kind || one.spend.highest[0].toLowerCase();
      const places = dice.flatMap((die, place) => (same(rule.dice[die.kind].name, kind) ? [place] : []));
      if (!places.length) {
        complaints.push(problem(one, "wrong spend none", { kind }));
        continue;
      }
      const place = best(places, (at) => -value(dice[at])), old = dice[place], pool = bound.kinds[old.kind];
      const found = pool.faces.map((face) => pool.transition(face)), throws = [found[best([...found.keys()], (at) => found[at].value)]];
      dice[place] = { ...old, throws, rolled: throws, tries: [...(old.tries.length ? old.tries : [old.rolled]), throws] };
    }
    return new Result(Object.assign(Object.create(DiceRoller.prototype), play, { dice }).markDropped());
  });
  return { result: made ?? result, complaints: [...complaints, ...stopped] };
}
