// Shows the result of a roll: dice, steps, outcome, later choices, and buttons to copy it.
/** @import {RollSession} from "./roll-session.js" */
/** @import {Roller} from "./roller.js" */
/** @import {Result} from "../engine/parts.d.ts" */
import { diceGroups, mark, marksOf } from "./draw-dice.js";
import { askedButtons } from "./asked-inputs.js";
import { button, make } from "./dom.js";
import { asExample, asFragment } from "./share-roll.js";
import { explain } from "../engine/explain.js";
import { minus, sideName } from "./page-data.js";
import { SIDES } from "../engine/rule.js";
import { spendButtons } from "./spend-buttons.js";
import { reachedLine } from "./reached-values.js";
import { derivation, stepsOf, verdict } from "./describe-result.js";
import { say } from "../engine/messages.js";

/** Dice, steps, outcome, choices, ways to copy it. @param {Roller} roller */
export function resultElements(roller) {
  const { roll, isLoaded } = roller, { contest } = roll.rule, { results } = roll, [result] = results;
  const says = contest ? "" : explain(result).says, [name, degree] = verdict(roll);
  const line = name && make("p", "rw-outcome", make("strong", {}, name),
    degree && [" ", make("span", "rw-degree", `${say("degree")} `, make("b", {}, degree))], says && [" ", make("span", "rw-says", says)]);
  const sides = contest ? make("div", "rw-sides", roll.sides.map((_, side) => drawnSide(roll, side, contest.compare)))
    : [diceGroups(result), make("ul", "rw-steps", stepsOf(result).map(([name, value]) => make("li", {}, `${name} `, make("b", {}, value))))];
  const marks = marksOf(results.flatMap((one) => one.faces.flat().flatMap((face) => face.roles)));
  return [sides, line, roll.rule.inputs.some(({ open, named }) => open && named.length) && reachedLine(roll),
    !isLoaded && [roll.sides.some(({ asked }) => asked.size) && askedButtons(roller), roll.rule.spends.length > 0 && spendButtons(roller)], !contest && derivation(result),
    marks.length > 0 && make("p", "rw-legend", marks.map((role) => make("span", {}, mark(role), ` ${say(`role ${role}`)}`))),
    make("p", "rw-buttons", button(say("roll copy example"), () => roller.copy(asExample(roll))),
      button(say("roll copy link"), () => roller.copy(location.href.replace(/#.*/s, "") + asFragment(roll))))];
}
/** @param {RollSession} roll @param {number} side @param {string} step */
const drawnSide = ({ bouts, winner }, side, step) =>
  make("div", { class: SIDES[side] === winner ? "rw-side rw-here" : "rw-side" }, make("p", {}, make("strong", {}, sideName(SIDES[side]))),
    bouts.filter((one) => one.side === side).map(({ result }) => make("div", "rw-bout", diceGroups(/** @type {Result} */ (result)),
      make("b", "rw-value", minus(result?.steps[step])))));
