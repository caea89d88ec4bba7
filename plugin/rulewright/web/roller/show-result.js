// What came of a roll, and what can be done with it.
/** @import {Match} from "./roll-session.js" */
/** @import {Roller} from "./roller.js" */
/** @import {Result} from "../engine/parts.d.ts" */
import { groups, mark, marksOf } from "./draw-dice.js";
import { asked } from "./asked-inputs.js";
import { button, make } from "./dom.js";
import { asExample, asFragment } from "./share-roll.js";
import { explain } from "../engine/explain.js";
import { minus, sideName } from "./page-data.js";
import { SIDES } from "../engine/rule.js";
import { points } from "./spend-buttons.js";
import { reached } from "./reached-values.js";
import { derivation, stepsOf, verdict } from "./describe-result.js";
import { say } from "../engine/messages.js";

/** Dice, steps, outcome, choices, ways to copy it. @param {Roller} roller */
export function came(roller) {
  const { match, isLoaded } = roller, { contest } = match.rule, { results } = match, [result] = results;
  const says = contest ? "" : explain(result).says, [name, degree] = verdict(match);
  const line = name && make("p", "rw-outcome", make("strong", {}, name),
    degree && [" ", make("span", "rw-degree", `${say("degree")} `, make("b", {}, degree))], says && [" ", make("span", "rw-says", says)]);
  const sides = contest ? make("div", "rw-sides", match.sides.map((_, side) => drawnSide(match, side, contest.compare)))
    : [groups(result), make("ul", "rw-steps", stepsOf(result).map(([name, value]) => make("li", {}, `${name} `, make("b", {}, value))))];
  const marks = marksOf(results.flatMap((one) => one.faces.flat().flatMap((face) => face.roles)));
  return [sides, line, match.rule.inputs.some(({ open, named }) => open && named.length) && reached(match),
    !isLoaded && [match.sides.some(({ asked }) => asked.size) && asked(roller), match.rule.spends.length > 0 && points(roller)], !contest && derivation(result),
    marks.length > 0 && make("p", "rw-legend", marks.map((role) => make("span", {}, mark(role), ` ${say(`role ${role}`)}`))),
    make("p", "rw-buttons", button(say("roll copy example"), () => roller.copy(asExample(match))),
      button(say("roll copy link"), () => roller.copy(location.href.replace(/#.*/s, "") + asFragment(match))))];
}
/** @param {Match} match @param {number} side @param {string} step */
const drawnSide = ({ bouts, winner }, side, step) =>
  make("div", { class: SIDES[side] === winner ? "rw-side rw-here" : "rw-side" }, make("p", {}, make("strong", {}, sideName(SIDES[side]))),
    bouts.filter((one) => one.side === side).map(({ result }) => make("div", "rw-bout", groups(/** @type {Result} */ (result)),
      make("b", "rw-value", minus(result?.steps[step])))));
