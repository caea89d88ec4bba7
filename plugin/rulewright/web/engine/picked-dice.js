// Dice that a player picks, as they are written ("d6 5 d8 7") and as formulas see them: by their places on the table.
/** @import {BoundRule, DiceSet, Rule, TableDie} from "./parts.d.ts" */
import { setReader } from "./dice-sets.js";
import { joinNames, parseDice, throwsText } from "./face-text.js";
import { same } from "./formula.js";
import { RollError, say } from "./messages.js";

/** The dice that can be picked for an input, and how many at most. @param {BoundRule} bound @param {string} name @returns {[TableDie[], number]} */
export function findPickable({ rule, known, tallies }, name) {
  const { of, number } = /** @type {any} */ (rule.picks.get(name));
  return [setReader(rule, of[0], rule.game)(known, tallies), Math.max(number.run(known, tallies), 0)];
}
/** The places of the dice that a text means. @param {BoundRule} bound @param {string} name @param {string} text */
export function readPicked(bound, name, text) {
  const { rule } = bound, [dice, most] = findPickable(bound, name), left = [...dice], tokens = readTokens(rule, text);
  const refuse = (/** @type {string} */ key, /** @type {any} */ values) => new RollError(say(`wrong pick ${key}`, { name, ...values }), name);
  tokens.forEach((token, at) => {
    const able = left.filter(({ kind, throws, value }) => {
      const { name, explodes } = rule.dice[kind], shown = [throwsText(rule.dice[kind], throws), ...(explodes ? [value] : [])];
      return shown.some((one) => [`,${one}`, `${name},${one}`].some((own) => same(own, token)));
    });
    const [, text] = token.split(","), kinds = [...new Set(able.map((die) => rule.dice[die.kind].name))];
    if (!able.length) throw refuse("none", { text, dice: writePicked(rule, dice) });
    if (kinds.length > 1 && tokens.slice(at).filter((one) => one === token).length < able.length)
      throw refuse("both", { text, kinds: joinNames(kinds), kind: kinds[0] });
    left.splice(left.indexOf(able[0]), 1);
  });
  if (tokens.length > most) throw refuse("many", { most, number: tokens.length });
  return dice.filter((die) => !left.includes(die)).map(({ place }) => place).join(" ");
}
/** Dice as a text, with the names of their kinds if there are several in the rule. @param {Rule} rule @param {TableDie[]} dice */
export const writePicked = (rule, dice) => rule.dice.flatMap(({ name }, kind) => {
  const own = dice.filter((die) => die.kind === kind).map(({ throws }) => throwsText(rule.dice[kind], throws));
  return own.length && rule.dice.length > 1 ? [name, ...own] : own;
}).join(" ") || "none";
/** The dice in a text, each with the name of its kind, if that is written before it. @param {Rule} rule @param {string} text */
function readTokens(rule, text) {
  let kind = "";
  return parseDice(same(text, "none") ? "" : text.replaceAll("−", "-"), rule).flatMap(({ what, text }) => {
    if (what === "kind") kind = text;
    return what === "die" ? [[kind, text.toLowerCase()].join()] : [];
  });
}
