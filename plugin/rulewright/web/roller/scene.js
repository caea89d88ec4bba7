// What a roll puts in the place of the printed dice: dice, outcome and why.
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
/** @import {Bout, DiceRoller, Result} from "../engine/parts.d.ts" */
import { drawnDice } from "./draw-dice.js";
import { make } from "./dom.js";
import { sayOutcome } from "../engine/result-text.js";
import { faceText } from "../engine/face-text.js";
import { SIDES } from "../engine/rule.js";
import { resultSteps, verdict } from "./describe-result.js";
import { explainCompared, explainOutcome, explainStep } from "./why.js";
import { say } from "../engine/messages.js";

/** The dice; of a contest one line for each side. @param {Card} card @param {RollSession} roll */
export const thrownDice = (card, roll) =>
  roll.rule.contest ? roll.sides.map((_, side) => drawnSide(card, roll, side)) : [boutDice(roll, roll.bout, card.wraps)];
/** The dice of a bout; of one that goes on those that lie there. @param {RollSession} roll @param {Bout} bout @param {boolean} wraps */
function boutDice({ play }, { result }, wraps) {
  return result ? drawnDice(result, wraps) : (play && drawnDice(/** @type {any} */ ({ rule: play.bound.rule, rounds: [lyingDice(play)] }), wraps)) || make("div", "rw-dice");
}
/** Dice on the table, whose worth is not known yet, as a round of a result. @param {DiceRoller} play */
const lyingDice = ({ bound, dice }) => ({
  bound, play: { dice: dice.map(() => ({ rolled: [], tries: [] })) },
  faces: dice.map((die) => {
    const kind = bound.rule.dice[die.kind];
    return die.rolled.map(({ face, isReplaced }, at) => ({ kind: kind.name, round: die.round, text: faceText(kind, face), roles: isReplaced ? ["rerolled"] : at && !die.rolled[at - 1].isReplaced ? ["thrown on"] : [] }));
  }),
});
/** The outcome and its reason. @param {Card} card @param {RollSession} roll */
export function resultLines(card, roll) {
  const [name, degree] = verdict(card, roll), result = /** @type {Result} */ (roll.bout.result);
  const why = roll.rule.contest ? "" : reason(result);
  return [name && make("p", "rw-outcome", make("strong", {}, name), degree && [" ", make("span", "rw-degree", `${say("degree")} ${degree}`)]),
    why && make("p", { class: "rw-why", title: why }, why)];
}
/** The line under the outcome: the values that decided, or the sentence of the outcome where no dice did. @param {Result} result */
function reason(result) {
  const steps = result.outcome ? [] : resultSteps(result), says = sayOutcome(result);
  if (steps.length === 1) return explainStep(result, steps[0][0]);
  return (!result.rule.dice.length && says) || explainOutcome(result) || says;
}
/** @param {Card} card @param {RollSession} roll @param {number} side */
const drawnSide = (card, roll, side, { bouts, winner, rule } = roll) =>
  make("div", SIDES[side] === winner ? "rw-side rw-here" : "rw-side", make("strong", "rw-side-name", card.sideNames[side]), " ",
    bouts.filter((one) => one.side === side).map((bout) => [boutDice(roll, bout, false),
      bout.result && make("b", "rw-value", explainCompared(bout.result, /** @type {any} */ (rule.contest).compare))]));
/** Lines for dice that are not rolled yet. @param {Card} card */
export const emptyDice = ({ rule, sideNames }) =>
  rule.contest ? sideNames.map((name) => make("div", "rw-side", make("strong", "rw-side-name", name), " ", make("div", "rw-dice"))) : rule.dice.length > 0 && make("div", "rw-dice");
