// What came of a roll, and what can be done with it.
/** @import * as T from "./engine.d.ts" */
/** @import {Match} from "./match.js" */
/** @import {Roller} from "./roller.js" */
/** @import {Result} from "./parts.d.ts" */
import { groups, mark, marksOf } from "./drawing.js";
import { button, fieldset, make } from "./element.js";
import { asExample, asFragment } from "./example.js";
import { explain } from "./explain.js";
import { SIDES } from "./odds.js";
import { labelOf, minus, sideName } from "./page.js";
import { yesNo } from "./question.js";
import { derivation, reached, stepsOf, verdict } from "./verdict.js";
import { say } from "./words.js";

/** Dice, steps, outcome, choices, ways to copy it. @param {Roller} roller */
export function came(roller) {
  const { match, isLoaded } = roller, { contest } = match.rule, results = match.bouts.map(({ result }) => /** @type {Result} */ (result)), [result] = results;
  const says = contest ? "" : explain(result).says, [name, degree] = verdict(match);
  const line = name && make("p", "rw-outcome", make("strong", {}, name),
    degree && [" ", make("span", "rw-degree", `${say("degree")} `, make("b", {}, degree))], says && [" ", make("span", "rw-says", says)]);
  const sides = contest ? make("div", "rw-sides", match.sides.map((_, side) => drawnSide(match, side, contest.compare)))
    : [groups(result), make("ul", "rw-steps", stepsOf(result).map(([name, value]) => make("li", {}, `${name} `, make("b", {}, value))))];
  const marks = marksOf(results.flatMap((one) => one.faces.flat().flatMap((face) => face.roles)));
  return [sides, line, reached(match), !isLoaded && [asked(roller), points(roller)], !contest && derivation(result),
    marks.length > 0 && make("p", "rw-legend", marks.map((role) => make("span", {}, mark(role), ` ${say(`role ${role}`)}`))),
    make("p", "rw-buttons", button(say("roll copy example"), () => roller.copy(asExample(match))),
      button(say("roll copy link"), () => roller.copy(location.href.replace(/#.*/s, "") + asFragment(match))))];
}
/** @param {Match} match @param {number} side @param {string} step */
const drawnSide = ({ bouts, winner }, side, step) =>
  make("div", { class: SIDES[side] === winner ? "rw-side rw-here" : "rw-side" }, make("p", {}, make("strong", {}, sideName(SIDES[side]))),
    bouts.filter((one) => one.side === side).map(({ result }) => make("div", "rw-bout", groups(/** @type {Result} */ (result)),
      make("b", "rw-value", minus(result?.steps[step])))));
/** Points: those that can be spent, and those that are, to be taken back. @param {Roller} roller */
function points(roller) {
  const { match } = roller, { spent, offers } = match, labels = new Map(offers), more = offers.filter(([one]) => match.helps([...spent, one]));
  const point = (/** @type {string} */ one, /** @type {string[]} */ list, /** @type {boolean} */ taken) =>
    button(labels.get(one) ?? one, () => roller.redo(() => (match.spent = list), ".rw-points button"), { "aria-pressed": String(taken) });
  return spent.length + more.length > 0 && fieldset("rw-choices rw-points", say("roll spend"),
    spent.map((one, at) => point(one, spent.toSpliced(at, 1), true)), more.map(([one]) => point(one, [...spent, one], false)));
}
/** Choices that arise now that the dice lie. @param {Roller} roller */
const asked = (roller) => roller.match.last.flatMap(({ side, result }) => /** @type {Result} */ (result).asks.map((name) => {
  const { match } = roller, entry = /** @type {T.Input} */ (match.sides[side].inputs.find((one) => one.name === name)), now = result?.inputs[name];
  const options = /** @type {[string, any][]} */ (entry.form === "flag" ? yesNo() : entry.choices.map((one) => [one, one]));
  const choose = (/** @type {any} */ value, /** @type {number} */ at) => () =>
    roller.redo(() => match.choose(side, name, value), `[data-asked="${name}"]:nth-of-type(${at + 1})`);
  return fieldset("rw-choices", labelOf(entry), options.map(([text, value], at) =>
    button(text, choose(value, at), { "aria-pressed": String(entry.form === "flag" ? !!now === value : now === value), "data-asked": name })));
}));
