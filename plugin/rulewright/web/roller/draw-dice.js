// Draws dice as SVG.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {DrawnFace, Kind, Result, Rule} from "../engine/parts.d.ts" */
import { draw, make } from "./dom.js";
import { kindName, minus, pageData, stepName } from "./page-data.js";
import { pickingSteps } from "../engine/dice-sets.js";
import { say, sum } from "../engine/messages.js";

const ORIGINS = ["earned", "thrown on", "rerolled"], WORTHS = ["dropped", "good", "bad"];

const cssClass = (/** @type {string} */ role) => `rw-${role.replace(" ", "-")}`;
/** Those of some roles that have a mark. @param {string[]} roles */
export const marksOf = (roles) => Object.keys({ ...pageData().badges, ...pageData().strokes }).filter((role) => roles.includes(role));
/** Whether a part of a card is drawn as the sign of its suit. @param {string} line @param {number} at */
const isSuit = (line, at) => at > 0 && line.toLowerCase() in pageData().suits;
/** The parts of a face that & joins. @param {string} text */
const partsOf = (text) => (text.length > 1 ? text.split("&") : [text]);
/** What readers call a face: "10 on a d10", "12 of hearts". @param {string} face @param {number} sides */
export function faceName(face, sides) {
  const text = minus(face), parts = partsOf(text), [rank, suit] = parts;
  return sides > 0 ? say("face of die", { face: text, sides }) : sides === CARD && parts.length === 2 ? say("card of", { rank, suit }) : parts.join(", ");
}
/** One face, as on the cards. @param {DrawnFace} face */
function die({ text: mark, label, roles, sides, place, rule }) {
  const { shapes, pips, strokes, suits } = pageData(), isText = sides <= 0;
  const [outline, edges, base, size] = isText ? shapes[6] : shapes[sides] ?? shapes.round;
  const marked = marksOf(roles), struck = marked.filter((role) => role in strokes), name = faceName(label, sides);
  const text = mark.length > 1 ? label : mark, lines = partsOf(text);
  const title = marked.length ? `${name}: ${roles.filter((role) => marked.includes(role)).map((role) => meaning(rule, role)).join(", ")}` : name;
  const worth = struck.length ? "" : WORTHS.find((role) => roles.includes(role)), origin = ORIGINS.find((role) => roles.includes(role));
  const longest = Math.max(...lines.map((line, at) => (isSuit(line, at) ? 0 : line.length)));
  const width = isText && longest > 3 ? Math.min(16 + 10 * longest, WIDE) : NARROW, isWide = width > NARROW;
  const x = sides === CARD && !isWide ? 8 : 5, y = sides === CARD ? 3 : 5;
  const fit = isWide ? Math.min(size, (width - 16) / (0.68 * longest)) : longest < 3 ? size : size * 2.4 / longest;
  const font = Math.round(Math.min(fit, 2 * size / lines.length) * 10) / 10;
  return draw("svg", {
    class: ["rw-die", "rw-fall", `rw-kind${Math.min(place, 2)}`, ...(isWide ? ["rw-wide"] : []), ...marked.map(cssClass)].join(" "),
    viewBox: `0 0 ${width} 48`, role: "img", fill: "none", stroke: "currentColor",
  }, draw("title", {}, title), isText ? draw("rect", { class: "rw-body", x, y, width: width - 2 * x, height: 48 - 2 * y, rx: x === 8 ? 5 : 6 }) : draw("path", { class: "rw-body", d: outline }),
  !isText && edges && draw("path", { class: "rw-edge", d: edges }),
  struck.map((role) => draw("path", { class: "rw-stroke", d: strokes[role] })),
  sides === 6 && pips[text]
    ? draw("g", "rw-pips", pips[text].map(([cx, cy]) => draw("circle", { cx, cy, r: 4 })))
    : lines.map((line, at) => {
      const top = base + (at - (lines.length - 1) / 2) * font;
      return isSuit(line, at) ? draw("path", { class: "rw-suit", transform: `translate(${width / 2} ${top - 5})`, d: suits[line.toLowerCase()] })
        : draw("text", { class: "rw-number", x: width / 2, y: top, "text-anchor": "middle", "font-size": font }, minus(line));
    }),
  worth && badge(worth, width - 8, 40), origin && badge(origin, 8, 8),
  marked.filter(isPick).map((role) => (role.endsWith("1") ? badge(role, width - 8, 8) : badge(role, 8, 40))));
}
const isPick = (/** @type {string} */ role) => role.startsWith("picked");
/** What a mark means: "earned", or the step that picks the die. @param {Rule} rule @param {string} role */
export const meaning = (rule, role) => (isPick(role) ? stepName(rule, pickingSteps(rule)[+role.slice(-1) - 1]) : say(`role ${role}`));
/** @param {string} role @param {number} x @param {number} y */
const badge = (role, x, y) => draw("g", { class: `rw-badge ${cssClass(role)}`, transform: `translate(${x} ${y})` },
  draw("circle", { r: 7.5 }), draw("path", { d: pageData().badges[role] }));
/** The mark of a role by itself. @param {string} role */
export function mark(role) {
  const stroke = pageData().strokes[role];
  return draw("svg", { class: `rw-mark ${cssClass(role)}`, viewBox: "-12 -12 24 24", "aria-hidden": "true", fill: "none", stroke: "currentColor" },
    stroke ? draw("path", { class: "rw-stroke", transform: "translate(-12 -12) scale(.5)", d: stroke }) : badge(role, 0, 0));
}
/** The throws of one die as they fell, also where a second one was worse and the first one counts.
 * @param {any} die @param {T.Shown[]} faces */
function inRollOrder({ rolled, tries }, faces) {
  const early = tries.slice(0, Math.max(tries.indexOf(rolled), 0)).flat().length, stays = faces.length - rolled.length;
  return [...faces.slice(0, early), ...faces.slice(stays), ...faces.slice(early, stays)];
}
/** What readers call a face: by its label if it has one. @param {Kind} kind @param {string} mark */
const faceLabel = (kind, mark) => kind.faces.find((face) => face.mark === mark)?.label ?? mark;
const CARD = -1; // in place of sides
/** Dice of one rule that is rolled several times look alike. @param {string} kind */
const alike = (kind) => kind.replace(/_\d+\./, ".");
const NARROW = 48, WIDE = 106; // a die, and the longest words on a face
const SHORT = 5; // letters of a name that is never cut off
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
  const alone = new Set(found.map(([, kind]) => kind)).size === 1;
  const groups = found.map(([, kind, own, dice], at) => {
    const { rule } = result, place = rule.dice.findIndex((one) => alike(one.name) === alike(kind)), before = found[at - 1];
    const pool = own.bound.kinds[rule.dice.findIndex((one) => one.name === kind)];
    const sides = pool.kind.deck.length ? CARD : pool.kind.faces.length ? 0 : pool.faces.length;
    const name = alone || before?.[1] === kind ? "" : kindName(rule, kind);
    return make("span", before && before[2] !== own ? "rw-group rw-next" : "rw-group", name && [make("span", name.length > SHORT ? "rw-group-name rw-long" : "rw-group-name", name), " "],
      dice.map((faces) => drawn(faces.map((face) => ({ ...face, label: faceLabel(pool.kind, face.text), sides, place, rule })))));
  });
  const faces = groups.flatMap((group) => [...group.querySelectorAll("svg")]), many = wraps || sum(faces.map(({ viewBox }) => viewBox.baseVal.width)) > MOST_IN_LINE * NARROW;
  return found.length > 0 && make("div", many ? "rw-dice rw-many" : "rw-dice", groups);
}
/** All throws of one die. @param {DrawnFace[]} faces */
const drawn = (faces) => faces.map((face, at) => {
  const sign = face.roles.includes("thrown on") ? "+" : at && [face, faces[at - 1]].some(({ roles }) => roles.includes("rerolled")) ? "→" : "";
  return [sign && make("span", "rw-sign", sign), die(face)];
});
