// Draws dice, and bars of chances, as SVG.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Face, Result} from "../engine/parts.d.ts" */
import { draw, make } from "./dom.js";
import { pageData, minus } from "./page-data.js";
import { say } from "../engine/messages.js";

const ORIGINS = ["earned", "thrown on", "rerolled"], WORTHS = ["dropped", "good", "bad"];

const cssClass = (/** @type {string} */ role) => `rw-${role.replace(" ", "-")}`;
/** Those of some roles that have a mark. @param {string[]} roles */
export const marksOf = (roles) => Object.keys({ ...pageData().badges, ...pageData().strokes }).filter((role) => roles.includes(role));
/** One face, as on the cards. @param {Face} face */
function die({ text, roles, sides, place }) {
  const { shapes, pips, strokes } = pageData();
  const [outline, edges, base, size] = sides ? shapes[sides] ?? shapes.round : shapes[6];
  const marked = marksOf(roles), struck = marked.filter((role) => role in strokes);
  const name = sides ? say("face of die", { face: minus(text), sides }) : minus(text);
  const title = marked.length ? `${name}: ${marked.map((role) => say(`role ${role}`)).join(", ")}` : name;
  const worth = struck.length ? "" : WORTHS.find((role) => roles.includes(role)), origin = ORIGINS.find((role) => roles.includes(role));
  const font = text.length < 3 ? size : Math.max(size * 2.4 / text.length, 5);
  return draw("svg", {
    class: ["rw-die", `rw-kind${Math.min(place, 2)}`, ...marked.map(cssClass)].join(" "), viewBox: "0 0 48 48", role: "img", fill: "none",
    stroke: "currentColor",
  }, draw("title", {}, title), draw("path", { class: "rw-body", d: outline }),
  edges && draw("path", { class: "rw-edge", d: edges }),
  struck.map((role) => draw("path", { class: "rw-stroke", d: strokes[role] })),
  sides === 6 && pips[text]
    ? draw("g", "rw-pips", pips[text].map(([cx, cy]) => draw("circle", { cx, cy, r: 4 })))
    : draw("text", { class: "rw-number", x: 24, y: base, "text-anchor": "middle", "font-size": font }, minus(text)),
  worth && badge(worth, 40), origin && badge(origin, 8));
}
/** @param {string} role @param {number} at */
const badge = (role, at) => draw("g", { class: `rw-badge ${cssClass(role)}`, transform: `translate(${at} ${at})` },
  draw("circle", { r: 7.5 }), draw("path", { d: pageData().badges[role] }));
/** The mark of a role by itself. @param {string} role */
export function mark(role) {
  const stroke = pageData().strokes[role];
  return draw("svg", { class: `rw-mark ${cssClass(role)}`, viewBox: "-12 -12 24 24", "aria-hidden": "true", fill: "none", stroke: "currentColor" },
    stroke ? draw("path", { class: "rw-stroke", transform: "translate(-12 -12) scale(.5)", d: stroke }) : badge(role, 0));
}
/** The throws of one die as they fell, also where a second one was worse and the first one counts.
 * @param {any} die @param {T.Shown[]} faces */
function inRollOrder({ throws, tries }, faces) {
  const early = tries.slice(0, tries.indexOf(throws)).flat().length, stays = faces.length - throws.length;
  return [...faces.slice(0, early), ...faces.slice(stays), ...faces.slice(early, stays)];
}
/** @param {Result} result */
export function diceGroups(result) {
  /** @type {[string, string, number, T.Shown[][]][]} */
  const found = [];
  for (const faces of result.faces.map((one, number) => inRollOrder(result.play.dice[number], one)).filter((one) => one.length)) {
    const { kind, round } = faces[0], last = found.at(-1);
    if (last?.[0] === `${round} ${kind}`) last[3].push(faces);
    else found.push([`${round} ${kind}`, kind, round, [faces]]);
  }
  const alone = found.length === 1 && result.rule.dice.length === 1;
  return found.length > 0 && make("div", "rw-groups", found.map(([, kind, round, dice]) => {
    const place = result.rule.dice.findIndex((one) => one.name === kind), pool = result.bound.kinds[place];
    const sides = pool.kind.faces.length ? 0 : pool.faces.length;
    const name = alone ? "" : round === 1 ? kind : say(round === 2 ? "earned group" : "earned on", { kind });
    return make("div", "rw-group", name && make("span", "rw-group-name", name),
      make("span", "rw-dice", dice.map((faces) => thrown(faces.map((face) => ({ ...face, sides, place }))))));
  }));
}
/** All throws of one die. @param {Face[]} faces */
const thrown = (faces) => make("span", "rw-throw rw-fall", faces.map((face, at) => {
  const sign = face.roles.includes("thrown on") ? "+" : at && [face, faces[at - 1]].some(({ roles }) => roles.includes("rerolled")) ? "→" : "";
  return [sign && make("span", "rw-sign", sign), die(face)];
}));

/** «84.4%», with more figures for what is rare or almost certain. @param {number} share */
function percent(share) {
  const rest = Math.min(share, 1 - share) * 100;
  let places = 1;
  if (rest > 1e-11 && rest < 1) for (places = 2; places < 8 && rest * 10 ** places < 10; ) places++;
  const least = 0.5 / 10 ** (places + 2), tiny = rest > 1e-11 && rest / 100 < least;
  const number = !tiny ? (share * 100 + 1e-10).toFixed(places)
    : share < 0.5 ? `<${(10 ** -places).toFixed(places)}` : `>${(100 - 10 ** -places).toFixed(places)}`;
  return say("percent", { number: number.replace(".", say("decimal sign")) });
}
/** @param {Record<string, number>} chances @param {string} here @param {(name: string) => string} named */
export function bars(chances, here, named) {
  return Object.entries(chances).map(([name, share]) => make("tr", { class: name === here ? "rw-here" : null },
    make("th", { scope: "row" }, named(name)), make("td", "rw-figure", percent(share)),
    make("td", "rw-line", draw("svg", { class: "rw-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "rw-track", width: 100, height: 8 }), draw("rect", { class: "rw-share", width: (share * 100).toFixed(2), height: 8 })))));
}
