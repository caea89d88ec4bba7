// The chances of all outcomes: one stacked bar with whole percents, and a table with one decimal.
/** @import {Card} from "./card.js" */
import { draw, make, renew } from "./dom.js";
import { say, sum } from "../engine/messages.js";
import { odds } from "../odds/odds.js";
import { capital, inputPrefix, readerName } from "./page-data.js";

const MOST_UNKNOWN = 0.0005; // of chances that are shown with one decimal
const MOST_NAMED = 3; // outcomes in the text under the bar
const PARTS = 1e9; // of a percent; what is less is an error of doubles
const GAP = 0.007; // between two parts of the bar
const SURE = 1e-11; // what doubles leave of 0 and 1
const MOST_LEFT = 1e-13; // what they leave of 0 alone

/** @typedef {{name: string, share: number, here: boolean}} OutcomeChance */
/** "84.4%"; never 0% for what can happen, and never 100% for what can fail; "about 84%" of an estimate. @param {number} share */
function percent(share, rolls = 0) {
  if (rolls) return say("estimate", { number: say("percent", { number: wholePercents([share], rolls)[0] }) });
  const number = share > SURE && share < 0.0005 ? "<0.1" : share < 1 - SURE && share > 0.9995 ? ">99.9" : (share * 100 + 1e-10).toFixed(1);
  return say("percent", { number: number.replace(".", say("decimal sign")) });
}
/** Whole percents, as those of render/cards/outcome_odds.py: they sum to 100, and are empty for what cannot happen. @param {number[]} shares */
export function wholePercents(shares, rolls = 0) {
  const parts = shares.map((share) => Math.round(share * 100 * PARTS)), whole = parts.map((part) => Math.floor(part / PARTS));
  const places = parts.map((_, at) => at).sort((a, b) => parts[b] % PARTS - parts[a] % PARTS);
  for (const at of places.slice(0, Math.round(sum(parts) / PARTS) - sum(whole))) whole[at]++;
  const canFail = rolls || shares.filter((share) => share > MOST_LEFT).length > 1;
  return whole.map((number, at) => (number === 0 ? (rolls || shares[at] > MOST_LEFT ? "<1" : "") : number === 100 && (canFail || parts[at] < 100 * PARTS) ? ">99" : String(number)));
}
const length = (/** @type {number} */ share) => String(+(share * 100).toFixed(2));

/** @param {HTMLElement} place @param {OutcomeChance[]} chances */
function showStack(place, chances, rolls = 0) {
  let start = 0;
  const parts = chances.map(({ share, here }) => {
    const x = length(start);
    start += share;
    return draw("rect", { class: here ? "rw-share rw-here" : "rw-share", x, width: length(Math.max(share - GAP, share / 2)), height: 6 });
  });
  const percents = wholePercents(chances.map(({ share }) => share), rolls), first = (/** @type {OutcomeChance} */ one) => Number(one.here);
  const possible = chances.map((one, at) => ({ ...one, at, text: `${one.name} ${percents[at]}` })).filter(({ at }) => percents[at]);
  const named = possible.sort((a, b) => first(b) - first(a) || b.share - a.share).slice(0, MOST_NAMED).sort((a, b) => first(b) - first(a) || a.at - b.at);
  const texts = named.flatMap(({ text, here }, at) => [at > 0 && " · ", here ? make("b", {}, text) : text]);
  place.setAttribute("aria-label", capital(chances.map(({ name, share }) => say("odds of outcome", { outcome: name, chance: percent(share, rolls) })).join(", ") || " "));
  renew(place, draw("svg", { class: "rw-stack", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" }, parts),
    make("p", "rw-odds-text", rolls > 0 && say("estimated odds"), texts, named.length < possible.length && " · …"));
}
/** @param {HTMLElement} place  a table @param {OutcomeChance[]} chances */
function showBars(place, chances, rolls = 0) {
  renew(place, make("caption", {}, rolls ? say("chances estimated", { rolls }) : say("chances before")), make("tbody", {}, chances.map(({ name, share, here }) => make("tr", { class: here && "rw-here" },
    make("th", { scope: "row" }, name), make("td", "rw-figure", percent(share, rolls)),
    make("td", "rw-line", draw("svg", { class: "rw-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "rw-track", width: 100, height: 8 }), draw("rect", { class: "rw-share", width: length(share), height: 8 })))))));
}
/** Odds for what the controls of a card say; where its last roll fell is marked. @param {Card} card */
export function showOdds(card) {
  const { rule, inputs, roll, stack, bars } = card, isSame = roll?.over && JSON.stringify(roll.asked) === JSON.stringify(inputs);
  const given = Object.fromEntries(inputs.flatMap((side, at) => Object.entries(side).map(([name, value]) => [inputPrefix(rule, at) + name, value])));
  const found = odds(rule, given, "", true).odds, here = !isSame ? "" : rule.contest ? roll.winner : roll.bout.result?.outcome?.name ?? "";
  const name = (/** @type {string} */ one) => (rule.contest ? card.sideName(one) : readerName(rule.outcomes.find((outcome) => outcome.name === one)));
  const chances = Object.entries(found && (found.rolls || found.unknown < MOST_UNKNOWN) ? found.chances : {}).map(([one, share]) => ({ name: name(one), share, here: one === here }));
  bars.hidden = chances.length < 2;
  stack.hidden = bars.hidden || (card.host.dataset.kind === "example" && !card.label); // a line more would move what is below
  showStack(stack, chances, found?.rolls);
  showBars(bars, chances, found?.rolls);
}
