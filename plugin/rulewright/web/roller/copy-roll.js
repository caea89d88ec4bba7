// Copies a roll as an example block, or as a link.
/** @import {Result} from "../engine/parts.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
import { make } from "./dom.js";
import { explanationOf, inputPrefix } from "./page-data.js";
import { inputsOf } from "./share-roll.js";
import { SIDES } from "../engine/rule.js";
import { say } from "../engine/messages.js";

/** Inputs and steps that are called like words of an example, with what they are before them.
 * @param {Result} result @param {string} role @param {[string, any][]} pairs @returns {[string, any][]} */
const withRole = ({ rule }, role, pairs) => pairs.map(([name, value]) => [explanationOf(rule).words?.includes(name) ? `${role} ${name}` : name, value]);

/** @param {Result} result @returns {[string, any][]} */
const thrownIn = ({ dice, rerolled, turned, declined }) => Object.entries({ dice, rerolled, ...(turned && { turned }), declined });
/** A block that says all this again. @param {RollSession} roll */
function asExample({ rule, bouts, results, sides, spent, inputs: given, winner: won }) {
  const { folder, alone } = rule.game, [{ outcome, degree, steps }] = results;
  const own = (/** @type {Result} */ result) => thrownIn(result).filter(([, value]) => value);
  const side = (/** @type {Result[]} */ some) => [...withRole(some[0], "input", inputsOf(some[0])), ...some.flatMap(own)].map((pair) => pair.join(" ")).join(", ");
  /** @type {[string, any][]} */
  const said = rule.contest
    ? [...sides.map((_, at) => /** @type {[string, any]} */ ([`side ${SIDES[at]}`, side(results.filter((_, bout) => bouts[bout].side === at))])), ["winner", won]]
    : [...withRole(results[0], "input", inputsOf(results[0], given[0], spent)), ["spends", spent.join(", ") || null], ...own(results[0]),
      ...(outcome ? Object.entries({ outcome: outcome.name, degree }) : withRole(results[0], "step", Object.entries(steps)))];
  const lines = [["game", alone ? null : folder || null], ["rule", rule.name], ...said].filter(([, value]) => value !== null);
  return ["```example", ...lines.map((pair) => pair.join(": ")), "```", ""].join("\n");
}
/** The part of an address that says all this again. @param {RollSession} roll @param {string} game */
function asFragment({ rule, bouts, spent, inputs: given }, game) {
  const link = new URLSearchParams(spent.length ? { spends: spent.join(", ") } : {});
  for (const { side, result } of /** @type {{side: number, result: Result}[]} */ (bouts)) {
    const place = inputPrefix(rule, side);
    for (const [name, value] of withRole(result, "input", inputsOf(result, given[side], spent))) link.set(place + name, value);
    for (const [name, value] of thrownIn(result)) link.append(place + name, String(value || ""));
  }
  return `#roll:${encodeURIComponent(game)}/${encodeURIComponent(rule.name)}?${link}`;
}
/** @param {Card} card */
export const copyExample = (card) => copy(card, asExample(/** @type {RollSession} */ (card.roll)));
/** @param {Card} card */
export const copyLink = (card) =>
  copy(card, location.href.replace(/#.*/s, "") + asFragment(/** @type {RollSession} */ (card.roll), card.host.dataset.game ?? ""));
/** @param {Card} card @param {string} text */
async function copy(card, text) {
  const done = await navigator.clipboard?.writeText(text).then(() => true, () => false), note = say(done ? "roll copied" : "roll copy yourself");
  const box = done ? null : make("textarea", { readonly: true, rows: 6, "aria-label": note }, text);
  card.menu.querySelector(".rw-copied")?.remove();
  card.menu.append(make("div", "rw-copied", make("p", {}, note), ...(box ? [box] : [])));
  card.status.textContent = note;
  box?.select();
}
