// Draws dice as SVG.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {DrawnFace, Kind, Result} from "../engine/parts.d.ts" */
import { draw, make } from "./dom.js";
import { kindName, minus, pageData } from "./page-data.js";
import { say } from "../engine/messages.js";

const ORIGINS = ["earned", "thrown on", "rerolled"], WORTHS = ["dropped", "good", "bad"];

const cssClass = (/** @type {string} */ role) => `rw-${role.replace(" ", "-")}`;
/** Those of some roles that have a mark. @param {string[]} roles */
export const marksOf = (roles) => Object.keys({ ...pageData().badges, ...pageData().strokes }).filter((role) => roles.includes(role));
/** One face, as on the cards. @param {DrawnFace} face */
function die({ text: mark, label, roles, sides, place }) {
  const { shapes, pips, strokes } = pageData();
  const [outline, edges, base, size] = sides ? shapes[sides] ?? shapes.round : shapes[6];
  const marked = marksOf(roles), struck = marked.filter((role) => role in strokes);
  const text = mark.length > 1 ? label : mark, name = sides > 0 ? say("face of die", { face: minus(text), sides }) : minus(label);
  const title = marked.length ? `${name}: ${roles.filter((role) => marked.includes(role)).map((role) => say(`role ${role}`)).join(", ")}` : name;
  const worth = struck.length ? "" : WORTHS.find((role) => roles.includes(role)), origin = ORIGINS.find((role) => roles.includes(role));
  const lines = text.length > 1 ? text.split("&") : [text], longest = Math.max(...lines.map(({ length }) => length));
  const font = Math.min(longest < 3 ? size : Math.max(size * 2.4 / longest, 5), 2 * size / lines.length);
  return draw("svg", {
    class: ["rw-die", "rw-fall", `rw-kind${Math.min(place, 2)}`, ...marked.map(cssClass)].join(" "), viewBox: "0 0 48 48", role: "img", fill: "none",
    stroke: "currentColor",
  }, draw("title", {}, title), draw("path", { class: "rw-body", d: outline }),
  edges && draw("path", { class: "rw-edge", d: edges }),
  struck.map((role) => draw("path", { class: "rw-stroke", d: strokes[role] })),
  sides === 6 && pips[text]
    ? draw("g", "rw-pips", pips[text].map(([cx, cy]) => draw("circle", { cx, cy, r: 4 })))
    : lines.map((line, at) => draw("text", {
      class: "rw-number", x: 24, y: base + (at - (lines.length - 1) / 2) * font, "text-anchor": "middle", "font-size": font,
    }, minus(line))),
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
/** What readers call a face: by its label if it has one. @param {Kind} kind @param {string} mark */
const faceLabel = (kind, mark) => kind.faces.find((face) => face.mark === mark)?.label ?? mark;
const CARD = -1; // in place of sides
const MOST_IN_LINE = 16; // faces that fit side by side on a phone, smaller than printed ones

/** The dice of a result in one line, unless there are many. @param {Result} result @param {boolean} wraps  as the printed ones do */
export function drawnDice(result, wraps) {
  /** @type {[string, string, Result, T.Shown[][]][]} by round and kind */
  const found = [];
  for (const own of result.rounds)
    for (const faces of own.faces.map((one, number) => inRollOrder(own.play.dice[number], one)).filter((one) => one.length)) {
      const { kind, round } = faces[0], last = found.at(-1), key = `${own.bound.round} ${round} ${kind}`;
      if (last?.[0] === key) last[3].push(faces);
      else found.push([key, kind, own, [faces]]);
    }
  const alone = found.length === 1, many = wraps || found.flatMap(([, , , dice]) => dice.flat()).length > MOST_IN_LINE;
  return found.length > 0 && make("div", many ? "rw-dice rw-many" : "rw-dice", found.map(([, kind, own, dice], at) => {
    const place = result.rule.dice.findIndex((one) => one.name === kind), pool = own.bound.kinds[place];
    const sides = pool.kind.deck.length ? CARD : pool.kind.faces.length ? 0 : pool.faces.length;
    const name = alone || found[at - 1]?.[1] === kind ? "" : kindName(result.rule, kind);
    return make("span", "rw-group", name && [make("span", "rw-group-name", name), " "],
      dice.map((faces) => drawn(faces.map((face) => ({ ...face, label: faceLabel(pool.kind, face.text), sides, place })))));
  }));
}
/** All throws of one die. @param {DrawnFace[]} faces */
const drawn = (faces) => faces.map((face, at) => {
  const sign = face.roles.includes("thrown on") ? "+" : at && [face, faces[at - 1]].some(({ roles }) => roles.includes("rerolled")) ? "→" : "";
  return [sign && make("span", "rw-sign", sign), die(face)];
});
