// The roller: throws the dice of a rule on the page, or asks for those that fell on a table, and tells what comes of it.
// Games, words and shapes stand once on the page as JSON (publish/rolling.py); without these what stands there stays.
/** @import * as T from "./engine.d.ts" */
/** @import {Bout, Child, Face, Field, Looks, Page, Result, Rule} from "./parts.d.ts" */
import { ask, winner } from "./asking.js";
import { explain } from "./explain.js";
import { shown } from "./inputs.js";
import { SIDES, odds } from "./odds.js";
import { lacking } from "./outline.js";
import { load } from "./program.js";
import { below, chance, generator } from "./random.js";
import { check } from "./record.js";
import { spend } from "./spend.js";
import { gather, sample } from "./traits.js";
import { say as say, speak } from "./words.js";

const KEPT = 10, MOST_TIES = 100;
const TRUTHS = ["=", "!=", "<", "<=", ">", ">=", "and", "or", "not"];
const ASKED = ".rw-asking :is(input, button)";
const ORIGINS = ["earned", "thrown on", "rerolled"], WORTHS = ["dropped", "good", "bad"];

// ---- what the page holds

/** @type {WeakMap<Element, any>} */
const known = new WeakMap();
/** What an element with data holds, read once. @param {string} name @param {string} value @param {(data: any) => any} use */
function held(name, value, use) {
  const holder = [...document.querySelectorAll(`template[${name}]`)].find((one) => one.getAttribute(name) === value);
  if (!holder) return null;
  if (!known.has(holder)) known.set(holder, use(JSON.parse(/** @type {HTMLTemplateElement} */ (holder).content.textContent ?? "")));
  return known.get(holder);
}
/** @returns {Page | null} */
const page = () => held("data-words", "", (data) => (speak(data.words), data));
/** A rule by the name that cards have for its game, or by the folder that links name. @param {string} game @param {string} name @returns {Rule | null} */
function ruleOf(game, name) {
  const loaded = (/** @type {string} */ one) => held("data-game", one, load);
  const all = [...document.querySelectorAll("template[data-game]")].map((one) => loaded(one.getAttribute("data-game") ?? ""));
  const rules = (loaded(game) ?? all.find(({ folder }) => folder === game))?.rules ?? {};
  return Object.hasOwn(rules, name) ? rules[name] : null;
}
/** The rules that are played: both sides of a contest, or the rule itself. @param {Rule} rule */
const sidesOf = (rule) => (rule.contest ? rule.sides : [rule]);
/** @param {Rule} rule @param {number} side  what stands before the names of inputs */
const placeOf = (rule, side) => (rule.contest ? `${SIDES[side]}.` : "");
/** @param {Rule} rule */
const throwsDice = (rule) => sidesOf(rule).some(({ dice }) => dice.length > 0);
const spaced = (/** @type {string} */ name) => name.replaceAll("_", " ");
const labelOf = (/** @type {T.Input} */ { label, name }) => label || spaced(name)[0].toUpperCase() + spaced(name).slice(1);
const minus = (/** @type {any} */ text) => String(text).replaceAll("-", "−");

// ---- elements

/** @template {string} K @param {K} tag @param {Looks} [looks] @param {Child[]} children
 * @returns {K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : HTMLElement} */
const make = (tag, looks = {}, ...children) => /** @type {any} */ (filled(document.createElement(tag), looks, children));
/** @param {string} tag @param {Looks} looks @param {Child[]} children */
const draw = (tag, looks, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), looks, children);
/** An element with its class, or its attributes and listeners, and with those children that there are.
 * @template {Element} E @param {E} made @param {Looks} looks @param {Child[]} children */
function filled(made, looks, children) {
  for (const [name, value] of Object.entries(typeof looks === "string" ? { class: looks } : looks))
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : String(value));
  made.append(.../** @type {any[]} */ (children).flat(2).filter(Boolean));
  return made;
}
/** @param {Element} place @param {Child[]} children  what stands there now */
function renew(place, ...children) {
  place.replaceChildren();
  filled(place, {}, children);
}
/** @param {string} text @param {() => void} click @param {Record<string, any>} more */
const button = (text, click, more = {}) => make("button", { type: "button", class: "rw-button", click, ...more }, text);
/** @param {string} text @param {Child} box  a control with its label */
const labelled = (text, box) => make("label", "rw-field", make("span", {}, text), box);
/** @param {string} text */
const alarm = (text) => make("p", { class: "rw-note", role: "alert" }, text);
/** Goes to the first of these that there is. @param {ParentNode} place @param {string[]} selectors */
const focus = (place, ...selectors) =>
  /** @type {HTMLElement | undefined} */ (selectors.flatMap((one) => [...place.querySelectorAll(one)])[0])?.focus();

const cssClass = (/** @type {string} */ role) => `rw-${role.replace(" ", "-")}`;
/** Those of some roles that have a mark. @param {string[]} roles */
const marksOf = (roles) => Object.keys({ .../** @type {Page} */ (page()).badges, .../** @type {Page} */ (page()).strokes }).filter((role) => roles.includes(role));
/** One face, as on the cards. @param {Face} face */
function die({ text, roles, sides, place }) {
  const { shapes, pips, strokes } = /** @type {Page} */ (page());
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
  draw("circle", { r: 7.5 }), draw("path", { d: /** @type {Page} */ (page()).badges[role] }));
/** The mark of a role by itself. @param {string} role */
function mark(role) {
  const stroke = /** @type {Page} */ (page()).strokes[role];
  return draw("svg", { class: `rw-mark ${cssClass(role)}`, viewBox: "-12 -12 24 24", "aria-hidden": "true", fill: "none", stroke: "currentColor" },
    stroke ? draw("path", { class: "rw-stroke", transform: "translate(-12 -12) scale(.5)", d: stroke }) : badge(role, 0));
}
/** The throws of one die as they fell, also where a second one was worse and the first one counts.
 * @param {any} die @param {T.Shown[]} faces */
function inTime({ throws, tries }, faces) {
  const place = tries.indexOf(throws);
  if (place < 0) return faces;
  const early = tries.slice(0, place).flat().length, stays = faces.length - throws.length;
  return [...faces.slice(0, early), ...faces.slice(stays), ...faces.slice(early, stays)];
}
/** @param {Result} result */
function groups(result) {
  /** @type {[string, string, number, T.Shown[][]][]} */
  const found = [];
  for (const faces of result.faces.map((one, number) => inTime(result.play.dice[number], one)).filter((one) => one.length)) {
    const { kind, round } = faces[0], last = found.at(-1);
    if (last?.[0] === `${round} ${kind}`) last[3].push(faces);
    else found.push([`${round} ${kind}`, kind, round, [faces]]);
  }
  const alone = found.length === 1 && result.rule.dice.length === 1;
  return found.length > 0 && make("div", "rw-groups", found.map(([, kind, round, dice]) => {
    const place = result.rule.dice.findIndex((one) => one.name === kind), ready = result.setting.kinds[place];
    const sides = ready.kind.faces.length ? 0 : ready.faces.length;
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
function bars(chances, here, named) {
  return Object.entries(chances).map(([name, share]) => make("tr", { class: name === here ? "rw-here" : null },
    make("th", { scope: "row" }, named(name)), make("td", "rw-figure", percent(share)),
    make("td", "rw-line", draw("svg", { class: "rw-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "rw-track", width: 100, height: 8 }), draw("rect", { class: "rw-share", width: (share * 100).toFixed(2), height: 8 })))));
}
const sideName = (/** @type {string} */ name) =>
  name === "none" ? say("nobody") : SIDES.includes(name) ? say(`side ${SIDES.indexOf(name) + 1}`) : name;

// ---- one roll

/** A roll, or the throws of a contest, played as far as faces and choices are known. */
class Match {
  /** @param {Rule} rule @param {T.Inputs[]} inputs @param {(() => number) | null} next  null where a reader types the faces
   * @param {string[] | null} traits  those that are rolled, where that is known */
  constructor(rule, inputs, next, traits = null) {
    this.rule = rule;
    this.traits = traits;
    /** @type {string[]} points, once the dice lie */
    this.spent = [];
    /** @type {Map<string, T.Answer[]>} what was thrown or told, by what was asked: points and choices change no die that lies */
    this.lying = new Map();
    /** @type {string[]} */
    this.keys = [];
    this.inputs = inputs;
    this.asked = inputs; // before any choice is added
    this.next = next;
    this.sides = sidesOf(rule);
    /** @type {Bout[]} */
    this.bouts = [];
    /** @type {string[]} faces that were typed and not yet asked for */
    this.typed = [];
    /** @type {T.Question | null} */
    this.question = null;
    /** @type {string[]} */
    this.complaints = [];
    /** @type {T.Input[][]} inputs without which it cannot go on, side by side */
    this.missing = [];
  }
  get bout() {
    return this.bouts[this.bouts.length - 1];
  }
  get last() {
    return this.bouts.slice(-this.sides.length);
  }
  /** First, second, none; again; empty where there are no two sides. */
  get winner() {
    const [one, two] = this.last.map(({ result }) => result);
    return this.rule.contest && one && two ? winner(this.rule, one, two) ?? "" : "";
  }
  get over() {
    const whole = this.bouts.length > 0 && this.bouts.length % this.sides.length === 0 && this.bout.result !== null;
    return whole && (this.winner !== "again" || this.bouts.length >= MOST_TIES * 2);
  }
  /** Goes on as long as nobody has to be asked. */
  advance() {
    this.question = null;
    this.complaints = [];
    this.missing = [];
    while (!this.over) {
      if (!this.bout || this.bout.result) this.bouts.push({ side: this.bouts.length % this.sides.length, answers: [], result: null });
      const { side, answers } = this.bout, { inputs, lay } = this.spending(), asking = ask(this.sides[side], inputs, answers);
      this.bout.result = /** @type {any} */ (asking.result && lay(asking.result).result);
      this.complaints = asking.complaints.map(({ message }) => message);
      if (asking.missing) this.plead(this.sides.map(({ inputs }, at) => inputs.filter(({ name }) => at === side && asking.missing?.includes(name))));
      this.question = asking.question;
      if (this.complaints.length) return;
      if (!asking.question) continue;
      const { key, before } = this, known = before[this.keys.filter((one) => one === key).length];
      const faces = known === undefined ? this.faces(asking.question) : [known];
      if (!faces.length) return;
      for (const face of faces) this.answer(face, known === undefined);
    }
  }
  /** Says what must be given. @param {T.Input[][]} missing */
  plead(missing) {
    this.missing = missing;
    this.complaints = pleas(this.rule, missing);
  }
  /** What points leave of the inputs, and do to the dice. @param {string[]} spent */
  spending(spent = this.spent) {
    const { side } = this.bout;
    return spend(this.sides[side], this.inputs[side], spent.join(", "), this.traits);
  }
  /** What is asked; an answer is good for the same question among the same dice. */
  get key() {
    const { what, round, dice, kind, anew } = /** @type {any} */ (this.question);
    return [this.bouts.length, what, round, ...(what === "pick" ? dice.map(dieText) : [kind, anew])].join();
  }
  get before() {
    return this.lying.get(this.key) ?? [];
  }
  /** @param {T.Answer} one */
  answer(one, fresh = true) {
    const { key } = this;
    if (fresh) this.lying.set(key, [...this.before, one]);
    this.keys.push(key);
    this.bout.answers.push(one);
  }
  /** The last answer was none. */
  retract() {
    this.lying.get(this.keys.pop() ?? "")?.pop();
    this.bout.answers.pop();
    this.typed = [];
  }
  /** Everything once more, with the answers that are known. */
  again() {
    this.bouts = [];
    this.keys = [];
    this.advance();
  }
  /** Faces for a question; plain dice of a kind all at once. @param {T.Question} question @returns {T.Answer[]} */
  faces(question) {
    const { next } = this;
    if (question.what !== "face") return [];
    if (!next) return this.typed.splice(0, 1);
    const { sides, labels, left } = question;
    const simple = this.sides[this.bout.side].dice.every(({ explode, again }) => !explode && !again?.optional?.tree);
    return Array.from({ length: simple ? Math.max(left, 1) : 1 }, () => {
      const place = below(next, sides);
      return labels.length ? labels[place] : place + 1;
    });
  }
  /** An input that was asked for once the dice lay. @param {number} side @param {string} name @param {any} value */
  choose(side, name, value) {
    this.inputs = this.inputs.with(side, { ...this.inputs[side], [name]: value });
  }
  /** The points that can be spent now, as they are written and as a reader sees them. @returns {[string, string][]} */
  get points() {
    const { rule } = this, result = this.bout.result;
    if (rule.contest || !result) return [];
    const able = rule.spends.filter(({ changes }) => ![...Object.keys(changes)].some((name) => rule.asked.has(name)));
    return able.flatMap(({ name, label, highest }) => (highest.length > 1 ? highest : [""]).map((kind) =>
      /** @type {[string, string]} */ ([`${name} ${kind}`.trim(), kind ? `${label} (${kind})` : label]))).filter(([text]) => this.helps([...this.spent, text]));
  }
  /** Whether these points can be spent, and do something. @param {string[]} spent */
  helps(spent) {
    const { inputs, complaints, lay } = this.spending(spent), before = this.spending().inputs;
    if (complaints.length || ask(this.rule, inputs, []).complaints.length) return false;
    if (JSON.stringify(inputs) !== JSON.stringify(before)) return true;
    const plain = ask(this.rule, inputs, this.bout.answers).result, after = plain && lay(plain);
    return !!after && !after.complaints.length && JSON.stringify(after.result.steps) !== JSON.stringify(this.bout.result?.steps);
  }
}
/** Which inputs must be given, side by side. @param {Rule} rule @param {T.Input[][]} missing */
const pleas = (rule, missing) => missing.flatMap((some, side) => some.length
  ? (rule.contest ? `${sideName(SIDES[side])}: ` : "") + say("wrong open", { names: some.map(labelOf).join(", ") }) : []);
/** Faces as people write them. @param {string} text @param {boolean} signs  whether + may be a face */
const facesIn = (text, signs) => text.split(signs ? /[\s,|]+/ : /[\s,|+]+/).filter(Boolean);
const dieText = (/** @type {T.Lying} */ { kind, text }) => `${kind} ${minus(text)}`;

/** What came of it, in one sentence. @param {Match} match */
function sentence(match) {
  if (match.rule.contest) {
    const values = match.last.map(({ result }) => result?.steps[/** @type {any} */ (match.rule.contest).compare]);
    return `${verdict(match)} (${values.map(minus).join(" : ")})`;
  }
  const result = /** @type {Result} */ (match.bout.result), { dice } = explain(result);
  return [verdict(match) || stepsOf(result).map(([name, text]) => `${name} ${text}`).join(", "), minus(dice)].filter(Boolean).join(" · ");
}
/** @param {Match} match */
function verdict(match) {
  if (match.rule.contest) return match.winner === "none" ? say("nobody wins") : say("wins", { name: sideName(match.winner) });
  const { outcome, degree } = /** @type {Result} */ (match.bout.result);
  return outcome ? outcome.name + (degree === null ? "" : `, ${say("degree")} ${minus(degree)}`) : "";
}
/** @param {Result} result @returns {[string, string][]} */
function stepsOf(result) {
  return Object.entries(result.steps).filter(([, value]) => value !== null).map(([name, value]) => {
    const tree = result.rule.steps.get(name)?.tree, truth = Array.isArray(tree) && TRUTHS.includes(tree[0]);
    return [spaced(name), truth && (value === 0 || value === 1) ? say(value ? "yes" : "no") : minus(value)];
  });
}
/** The inputs of a finished roll as a book would have them; what points have changed as it was before.
 * @param {Result} result @param {T.Inputs} given @param {string[]} spent @returns {[string, string][]} */
function inputsOf(result, given = {}, spent = []) {
  const { rule } = result, points = rule.spends.filter(({ name }) => spent.some((one) => `${one} `.startsWith(`${name} `)));
  const changed = points.flatMap(({ changes }) => Object.keys(changes));
  return rule.inputs.filter(({ name }) => name in (changed.includes(name) ? given : result.inputs) && !result.unasked.includes(name))
    .map((entry) => [entry.name, changed.includes(entry.name) ? String(given[entry.name]) : shown(entry, result.inputs[entry.name])]);
}

/** «dice: 5 3», «declined: 1»: what there is of it. @param {Result} result @param {string} sign  what stands behind the names */
const thrownIn = ({ dice, rerolled, declined }, sign) =>
  Object.entries({ dice, rerolled, declined }).filter(([, value]) => value).map((pair) => pair.join(sign));
/** A block that says all this again. @param {Match} match */
function asExample({ rule, bouts, sides, spent, inputs: given, winner: won }) {
  const { folder, alone } = rule.game, lines = [...(folder && !alone ? [`game: ${folder}`] : []), `rule: ${rule.name}`];
  const results = bouts.map(({ result }) => /** @type {Result} */ (result));
  if (rule.contest) {
    sides.forEach((_, side) => {
      const own = results.filter((_, at) => bouts[at].side === side), inputs = inputsOf(own[0]).map((pair) => pair.join(" "));
      lines.push(`side ${SIDES[side]}: ${[...inputs, ...own.flatMap((result) => thrownIn(result, " "))].join(", ")}`);
    });
    lines.push(`winner: ${won}`);
  } else {
    const [{ outcome, degree, steps }] = results;
    lines.push(...inputsOf(results[0], given[0], spent).map((pair) => pair.join(": ")));
    if (spent.length) lines.push(`spends: ${spent.join(", ")}`);
    lines.push(...thrownIn(results[0], ": "));
    if (outcome) lines.push(`outcome: ${outcome.name}`, ...(degree === null ? [] : [`degree: ${degree}`]));
    else lines.push(...Object.entries(steps).filter(([, value]) => value !== null).map((pair) => pair.join(": ")));
  }
  return ["```example", ...lines, "```", ""].join("\n");
}
/** The part of an address that says all this again. @param {Match} match */
function asFragment({ rule, bouts, spent, inputs: given }) {
  const told = new URLSearchParams(spent.length ? { spends: spent.join(", ") } : {});
  for (const { side, result } of bouts) {
    const { dice, rerolled, declined } = /** @type {Result} */ (result), place = placeOf(rule, side);
    for (const [name, value] of inputsOf(/** @type {Result} */ (result), given[side], spent)) told.set(place + name, value);
    for (const [name, value] of Object.entries({ dice, rerolled, declined })) told.append(place + name, String(value || ""));
  }
  return `#roll:${encodeURIComponent(rule.game.folder)}/${encodeURIComponent(rule.name)}?${told}`;
}

// ---- the inputs of one side, as labelled controls

/** @param {T.Input} entry @param {unknown} value  what it starts from @returns {Field} */
function field(entry, value) {
  const made = control(entry, labelOf(entry));
  made.write(String(value ?? ""));
  return { entry, ...made };
}
/** @param {T.Input} entry @param {string} label @returns {Omit<Field, "entry">} */
function control(entry, label) {
  const { form } = entry;
  if (form === "flag") {
    const box = make("input", { type: "checkbox" });
    return {
      element: make("label", "rw-field rw-tick", box, make("span", {}, label)),
      read: () => (box.checked ? "yes" : "no"), write: (value) => (box.checked = /^(yes|true|1)$/i.test(value)),
    };
  }
  if (form === "die" || form === "choice") {
    const names = form === "choice" ? entry.choices : entry.dice.map((sides) => shown(entry, sides));
    const list = make("select", {}, names.map((name) => make("option", { value: name }, name === "none" ? say("none") : name)));
    const plain = (/** @type {string} */ text) => text.toLowerCase().replace(/^d(?=\d)/, "");
    return {
      element: labelled(label, list),
      read: () => list.value, write: (value) => (list.value = names.find((name) => plain(name) === plain(value)) ?? names[0]),
    };
  }
  return form === "code" ? codeField(entry, label) : numberField(entry, label);
}
/** A whole number within its bounds: what lies beyond them cannot stay. @param {T.Input} entry */
function numberBox({ least, most, open, default: usual }) {
  const box = make("input", { type: "number", inputmode: least < 0 ? null : "numeric", min: least, max: most, step: 1, placeholder: open ? "?" : null });
  const hold = (/** @type {number} */ low) => {
    const number = Math.round(Number(box.value));
    if (box.value && (number > most || number < low || String(number) !== box.value)) box.value = String(Math.min(Math.max(number, low), most));
  };
  box.addEventListener("input", () => hold(Math.min(least, 0)));
  box.addEventListener("change", () => (box.value || open || typeof usual !== "number" ? hold(least) : (box.value = String(usual))));
  return box;
}
/** A die code: how many dice, and what is added. @param {T.Input} entry @param {string} label @returns {Omit<Field, "entry">} */
function codeField(entry, label) {
  const box = numberBox(entry), list = make("select", { "aria-label": say("roll pips", { label }) }, ["D", "D+1", "D+2"].map((value) => make("option", { value }, value)));
  return {
    element: make("div", "rw-named", labelled(label, box), list),
    read: () => box.value && box.value + list.value,
    write: (value) => {
      const [, dice = "", pips = ""] = /^(\d+)(d(?:\+\d+)?)/i.exec(value.replaceAll(" ", "")) ?? [];
      [box.value, list.value] = [dice, pips.toUpperCase() || "D"];
    },
  };
}
/** A number; where names stand for numbers, also a list of them. @param {T.Input} entry @param {string} label @returns {Omit<Field, "entry">} */
function numberField(entry, label) {
  const { least, most, named, open } = entry, box = numberBox(entry), read = () => box.value;
  const number = (/** @type {string} */ value) => String(named.find(([name]) => name.toLowerCase() === value.toLowerCase())?.[1] ?? value);
  const whole = labelled(label, box);
  const fits = named.filter(([, number]) => least <= number && number <= most);
  if (!fits.length) return { element: whole, read, write: (value) => (box.value = number(value)) };
  const list = make("select", { "aria-label": say("roll by name", { label }) }, make("option", { value: "" }, open ? "?" : "…"),
    fits.map(([name, number]) => make("option", { value: number }, name)));
  const follow = () => (list.value = fits.some(([, number]) => String(number) === box.value) ? box.value : "");
  box.addEventListener("input", follow);
  list.addEventListener("change", () => (box.value = list.value));
  return {
    element: make("div", "rw-named", whole, list), read,
    write: (value) => {
      box.value = number(value);
      follow();
    },
  };
}

// ---- a character: names and numbers of traits, kept on the device when a reader asks for it

/** @type {Map<string, string>} */
const characters = new Map();
/** @param {T.GameData} game */
function characterOf(game) {
  const name = `rulewright character ${game.folder || game.title}`;
  const stored = (/** @type {(storage: Storage) => any} */ use) => {
    try {
      return use(localStorage);
    } catch {
      return null; // a page from a disk, or a browser that keeps nothing
    }
  };
  const kept = stored((storage) => storage.getItem(name));
  return {
    text: characters.get(name) ?? kept ?? "", kept: kept !== null,
    keep: (/** @type {string} */ text, /** @type {boolean} */ asked) => {
      characters.set(name, text);
      stored((storage) => (asked ? storage.setItem(name, text) : storage.removeItem(name)));
    },
  };
}
/** «Precision + Firearms» with the values of a character behind the names. @param {string} sum @param {string} character */
function withValues(sum, character) {
  const lines = character.split(/[\n,;]/).flatMap((line) => [/^\s*(.*?\S)[\s:]+((?:none|d?\d+|\d+d)(?:\s*\+\s*\d+)?)\s*$/i.exec(line) ?? []]);
  const own = new Map(lines.map(([, name = "", value = ""]) => [name.toLowerCase(), value]));
  return sum.split("+").map((piece) => `${piece.trimEnd()} ${own.get(piece.trim().toLowerCase()) ?? ""}`.trim()).join(" + ");
}

// ---- the tray: the last result, in sight while it is scrolled away on a phone

/** @type {HTMLElement | null} */
let tray = null;
/** @type {IntersectionObserver | null} */
let watcher = null;
/** @param {string} text @param {HTMLElement | null} place  where it stands in full; nowhere for a message */
function showTray(text, place) {
  hideTray();
  const back = () => place?.scrollIntoView({ block: "center" });
  tray = make("div", { class: place ? "rw-tray rw-card" : "rw-tray rw-card rw-plea", role: "region", "aria-label": say("roll tray"), hidden: !!place, "data-search-exclude": true },
    place ? button(text, back, { class: "rw-button rw-back" }) : make("p", { role: "alert" }, text), button("×", hideTray, { "aria-label": say("roll close") }));
  document.body.append(tray);
  if (!place) return;
  const own = tray;
  watcher = new IntersectionObserver(([{ isIntersecting }]) => {
    own.hidden = isIntersecting;
    if (!place.isConnected) hideTray();
  });
  watcher.observe(place);
}
function hideTray() {
  watcher?.disconnect();
  tray?.remove();
}

// ---- the element

class Roller extends HTMLElement {
  rule = /** @type {Rule} */ (/** @type {unknown} */ (null));
  match = /** @type {Match} */ (/** @type {unknown} */ (null));
  isLoaded = false;
  history = /** @type {string[]} */ ([]);
  fields = /** @type {Field[][]} */ ([]);
  traits = /** @type {string[] | null} */ (null);
  form = make("form");
  asking = make("div", "rw-asking");
  outcome = make("div", "rw-came");
  told = make("p", { class: "rw-heard", role: "status" });
  chances = make("div");
  earlier = make("div");
  next = chance();
  connectedCallback() {
    const rule = ruleOf(this.dataset.game ?? "", this.dataset.rule ?? "");
    if (!rule || !page() || this.querySelector("form")) return;
    this.rule = rule;
    const seed = this.getAttribute("seed");
    if (seed !== null) this.next = generator(Number(seed));
    this.build(Object.fromEntries(new URLSearchParams(this.dataset.inputs)));
  }
  /** @param {Record<string, string>} start */
  build(start) {
    const rule = this.rule, headline = this.querySelector(":scope > .rw-headline");
    const sides = sidesOf(rule);
    this.fields = [];
    this.traits = null;
    const parts = sides.map((side, at) => {
      const { contest } = rule, made = side.inputs.filter(({ asked }) => !asked)
        .map((entry) => field(entry, start[placeOf(rule, at) + entry.name] ?? (entry.default === null ? null : shown(entry, entry.default))));
      this.fields.push(made);
      return make(contest ? "fieldset" : "div", "rw-fields", contest && make("legend", {}, sideName(SIDES[at])),
        contest && side.traits && this.summing(side, at).slice(0, 2), made.map(({ element }) => element));
    });
    const dice = throwsDice(rule);
    this.form = make("form", { novalidate: true, submit: (/** @type {Event} */ event) => this.rolled(event), input: () => this.changed(), change: () => this.changed() },
      rule.traits && !rule.contest && this.summing(rule, 0), parts, make("p", "rw-buttons", make("button", "rw-button rw-go", say(dice ? "roll now" : "roll work out")),
        dice && button(say("roll typed"), () => this.begin(null))));
    for (const part of [this.asking, this.outcome, this.told, this.chances, this.earlier]) part.replaceChildren();
    this.replaceChildren(...(headline ? [headline] : []), this.form, this.asking, this.outcome, this.told, this.chances, this.earlier);
    this.reckon();
  }
  /** What the controls say. @returns {T.Inputs[]} */
  get inputs() {
    return this.fields.map((side) =>
      Object.fromEntries(side.map(({ entry, read }) => [entry.name, read().trim()]).filter(([, value]) => value !== "")));
  }
  /** A sum of traits that fills the inputs of a side, what is wrong with it, and the character whose values it knows.
   * @param {Rule} rule @param {number} side */
  summing(rule, side) {
    const { game } = rule, note = make("p", { class: "rw-note", role: "status", hidden: true });
    const names = Object.values(game.register).flatMap((category) => category.names), own = characterOf(game);
    const box = make("input", { type: "text", autocomplete: "off", placeholder: sample(rule) ?? null });
    const keep = make("input", { type: "checkbox" }), text = make("textarea", { rows: 8, spellcheck: "false" });
    /** @type {Record<string, string>} inputs as they were before traits changed them */
    let before = {};
    const fill = () => {
      const fields = this.fields[side], write = (/** @type {Record<string, any>} */ all) => {
        for (const one of fields) if (one.entry.name in all) one.write(String(all[one.entry.name]));
      };
      write(before);
      const given = this.inputs[side], found = box.value.trim() ? gather(rule, withValues(box.value, text.isConnected ? text.value : characterOf(game).text), given) : null;
      before = Object.fromEntries(Object.keys(found?.inputs ?? {}).filter((name) => !rule.traits?.into.includes(name)).map((name) => [name, String(given[name] ?? "")]));
      write(found?.inputs ?? {});
      this.traits = found && !found.complaints.length ? found.names : null;
      note.hidden = !found?.complaints.length;
      note.textContent = found?.complaints.map(({ message }) => message).join("; ") ?? "";
      this.reckon();
    };
    const store = () => own.keep(text.value, keep.checked);
    [text.value, keep.checked] = [own.text || names.join("\n"), own.kept];
    box.addEventListener("change", fill);
    text.addEventListener("change", () => (store(), fill()));
    keep.addEventListener("change", store);
    return [labelled(say("roll traits"), box), note,
      make("details", "rw-more", make("summary", {}, say("roll character")), labelled(say("roll character told"), text),
        make("label", "rw-field rw-tick", keep, make("span", {}, say("roll keep"))))];
  }
  changed() {
    this.heed();
    this.reckon();
  }
  /** A complaint goes as soon as what it is about is changed. */
  heed() {
    const { inputs } = this, empty = (this.match?.missing ?? []).map((some, side) => (some.some(({ name }) => name in inputs[side]) ? [] : some));
    const left = pleas(this.rule, empty);
    for (const one of this.asking.querySelectorAll("[role=alert]")) if (!left.includes(one.textContent ?? "")) one.remove();
  }
  /** @param {Event} event */
  rolled(event) {
    event.preventDefault();
    this.begin(this.next);
  }
  /** @param {(() => number) | null} next */
  begin(next) {
    this.match = new Match(this.rule, this.inputs, next, this.traits);
    this.isLoaded = false;
    const missing = this.lacking(this.inputs);
    if (missing.flat().length) {
      this.match.plead(missing);
      this.show();
    } else this.onward();
    if (this.match.missing.length) focus(this.form, "[aria-invalid]");
    else if (!next) focus(this.asking, "input");
  }
  /** What is empty and must not be, side by side. @param {T.Inputs[]} inputs */
  lacking(inputs) {
    return sidesOf(this.rule).map((side, at) => lacking(side, inputs[at], this.rule.contest?.compare));
  }
  /** Plays on, and shows where that led. */
  onward() {
    const match = this.match;
    match.advance();
    if (match.complaints.length && !match.next && match.bout.answers.length) {
      const wrong = match.complaints;
      match.retract();
      match.advance();
      match.complaints = wrong;
    }
    this.show();
    if (match.over) this.remember(sentence(match));
  }
  /** @param {string} text */
  remember(text) {
    this.history = [text, ...this.history].slice(0, KEPT);
    this.told.textContent = text;
    this.list();
    if (!this.closest("dialog")) showTray(text, this.outcome ?? this);
  }
  list() {
    const { history } = this;
    const clear = () => {
      this.history = [];
      this.list();
      focus(this.form, "button");
    };
    renew(this.earlier, history.length > 1 && make("details", "rw-more", make("summary", {}, say("roll before", { number: history.length })),
      make("ol", "rw-history", history.map((text) => make("li", {}, text))), button(say("roll forget"), clear)));
  }
  show() {
    const match = this.match, { question, complaints, over } = match;
    renew(this.asking, complaints.map(alarm), question && !over && this.question(question),
      over && match.typed.length > 0 && alarm(say("roll left over", { faces: match.typed.join(" ") })));
    if (question) this.told.textContent = this.asking.querySelector("legend")?.textContent ?? "";
    renew(this.outcome, over && this.came());
    this.fields.forEach((fields, side) => fields.forEach(({ entry, element }) => {
      if (match.missing[side]?.includes(entry)) element.querySelector("input")?.setAttribute("aria-invalid", "true");
    }));
    this.reckon();
  }
  /** What has to be told before it goes on. @param {T.Question} question */
  question(question) {
    const match = this.match, lying = question.dice.length > 0 && make("p", "rw-told", question.dice.map(dieText).join(", "));
    const whose = match.rule.contest ? `${sideName(SIDES[match.bout.side])}: ` : "";
    const answer = (/** @type {T.Answer} */ one) => () => {
      match.answer(one);
      this.onward();
      focus(this, ASKED, ".rw-go");
    };
    const choices = (/** @type {string} */ text, /** @type {[string, T.Answer][]} */ list) => [lying, make("fieldset", "rw-choices",
      make("legend", {}, whose + text), list.map(([name, one]) => button(name, answer(one))))];
    if (question.what === "pick") {
      const dice = question.places.map((place) => /** @type {[string, number]} */ ([dieText(question.dice[place]), place]));
      return choices(say("roll pick", { keep: say(`keep ${question.keep}`) }), [...dice, [say("roll none"), null]]);
    }
    const { kind, left } = question;
    if (question.what !== "face") return choices(say(question.what === "onward" ? "roll onward" : "roll offered", { kind }), [[say("yes"), true], [say("no"), false]]);
    const box = make("input", { type: "text", inputmode: question.labels.length ? null : "numeric", autocomplete: "off" });
    const take = (/** @type {Event} */ event) => {
      event.preventDefault();
      match.typed = facesIn(box.value, question.labels.includes("+"));
      this.onward();
      focus(this.asking, "input");
    };
    const text = question.anew ? say("roll anew", { kind }) : say(question.round > 1 ? "roll faces earned" : "roll faces", { kind, number: left });
    return [lying, make("form", { class: "rw-typing", submit: take, input: () => this.heed() }, make("fieldset", "rw-choices", make("legend", {}, whose + text),
      labelled(say("roll shown"), box), make("button", "rw-button", say("roll take"))))];
  }
  /** Dice, steps, outcome and what can be done with them. */
  came() {
    const match = this.match, results = match.bouts.map(({ result }) => /** @type {Result} */ (result)), [result] = results;
    const says = match.rule.contest ? "" : explain(result).says, text = verdict(match).split(`, ${say("degree")} `);
    const line = text[0] && make("p", "rw-outcome", make("strong", {}, text[0]),
      text[1] && [" ", make("span", "rw-degree", `${say("degree")} `, make("b", {}, text[1]))], says && [" ", make("span", "rw-says", says)]);
    const sides = match.rule.contest ? make("div", "rw-sides", match.sides.map((_, side) => this.side(side)))
      : [groups(result), make("ul", "rw-steps", stepsOf(result).map(([name, value]) => make("li", {}, `${name} `, make("b", {}, value))))];
    const marks = marksOf(results.flatMap((one) => one.faces.flat().flatMap((face) => face.roles)));
    return [sides, line, reached(match), this.asked(), this.points(), !match.rule.contest && derivation(result),
      marks.length > 0 && make("p", "rw-legend", marks.map((role) => make("span", {}, mark(role), ` ${say(`role ${role}`)}`))),
      make("p", "rw-buttons", button(say("roll copy example"), () => this.copy(asExample(match))),
        button(say("roll copy link"), () => this.copy(location.href.replace(/#.*/s, "") + asFragment(match))))];
  }
  /** @param {number} side */
  side(side) {
    const { bouts, rule, winner: won } = this.match, step = /** @type {any} */ (rule.contest).compare;
    return make("div", { class: SIDES[side] === won ? "rw-side rw-here" : "rw-side" }, make("p", {}, make("strong", {}, sideName(SIDES[side]))),
      bouts.filter((one) => one.side === side).map(({ result }) => make("div", "rw-bout", groups(/** @type {Result} */ (result)),
        make("b", "rw-value", minus(/** @type {Result} */ (result).steps[step])))));
  }
  /** The same dice once more, after a change. @param {() => void} change @param {string} selector  what has the focus then */
  redo(change, selector) {
    const match = this.match;
    if (match.over) this.history.shift();
    change();
    match.typed = [];
    match.again();
    this.show();
    if (match.over) this.remember(sentence(match));
    focus(this, match.question ? ASKED : selector);
  }
  /** Points: those that can be spent, and those that are, to be taken back. */
  points() {
    const match = this.match, { spent, points, rule } = match;
    if (this.isLoaded || !(spent.length + points.length)) return null;
    const now = (/** @type {string[]} */ list) => () => this.redo(() => (match.spent = list), ".rw-points button");
    const labels = new Map(points), label = (/** @type {string} */ one) => labels.get(one) ?? rule.spends.find(({ name }) => `${one} `.startsWith(`${name} `))?.label ?? one;
    return make("fieldset", "rw-choices rw-points", make("legend", {}, say("roll spend")),
      spent.map((one, at) => button(label(one), now(spent.filter((_, place) => place !== at)), { "aria-pressed": "true" })),
      points.map(([one, name]) => button(name, now([...spent, one]), { "aria-pressed": "false" })));
  }
  /** Choices that arise now that the dice lie. */
  asked() {
    const match = this.match;
    if (this.isLoaded) return [];
    return match.last.flatMap(({ side, result }) => /** @type {Result} */ (result).asks.map((name) => {
      const entry = /** @type {T.Input} */ (match.sides[side].inputs.find((one) => one.name === name)), now = /** @type {Result} */ (result).inputs[name];
      const options = /** @type {[string, any][]} */ (entry.form === "flag" ? [[say("yes"), true], [say("no"), false]] : entry.choices.map((one) => [one, one]));
      const choose = (/** @type {any} */ value, /** @type {number} */ at) => () =>
        this.redo(() => match.choose(side, name, value), `[data-asked="${name}"]:nth-of-type(${at + 1})`);
      return make("fieldset", "rw-choices", make("legend", {}, labelOf(entry)), options.map(([text, value], at) =>
        button(text, choose(value, at), { "aria-pressed": String(entry.form === "flag" ? !!now === value : now === value), "data-asked": name })));
    }));
  }
  /** Odds for what the controls say; where the last roll fell is marked. */
  reckon() {
    const rule = this.rule, all = this.inputs;
    for (const { element, read } of this.fields.flat()) if (read()) element.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
    const inputs = rule.contest ? Object.assign({}, ...all.map((side, at) => Object.fromEntries(Object.entries(side).map(([name, value]) => [placeOf(rule, at) + name, value])))) : all[0];
    const match = this.match, found = throwsDice(rule) ? odds(rule, inputs).odds : null;
    const same = match?.over && JSON.stringify(match.asked) === JSON.stringify(all), here = !same ? "" : rule.contest ? match.winner : match.bout.result?.outcome?.name ?? "";
    renew(this.chances, found && Object.keys(found.chances).length > 0 && make("table", "rw-bars", make("caption", {}, say("odds at start")),
      make("tbody", {}, bars(found.chances, here, rule.contest ? sideName : String))));
  }
  /** @param {string} text */
  async copy(text) {
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false), told = this.told;
    if (done) return void (told.textContent = say("roll copied"), this.asking.replaceChildren(make("p", "rw-note", say("roll copied"))));
    const box = make("textarea", { readonly: true, rows: 6, "aria-label": say("roll copy yourself") });
    box.value = text;
    this.asking.replaceChildren(make("p", "rw-note", say("roll copy yourself"), box));
    box.select();
  }
  /** A roll that a link tells: checked, then shown. @param {URLSearchParams} told */
  replay(told) {
    this.arrived = location.hash;
    const rule = this.rule, sides = sidesOf(rule);
    this.build(Object.fromEntries(told));
    const match = new Match(rule, [], null), complaints = [];
    match.inputs = sides.map((_, side) => {
      const place = placeOf(rule, side), own = [...told].filter(([name]) => name.startsWith(place)).map(([name, value]) => [name.slice(place.length), value]);
      return Object.fromEntries(own.filter(([name]) => !["dice", "rerolled", "declined", "spends"].includes(name)));
    });
    const spends = rule.contest ? "" : told.get("spends") ?? "";
    match.spent = spends.split(",").map((one) => one.trim()).filter(Boolean);
    const dice = told.getAll(`${placeOf(rule, 0)}dice`).length;
    if (dice) complaints.push(...pleas(rule, this.lacking(match.inputs)));
    const count = complaints.length ? 0 : Math.min(dice, MOST_TIES);
    for (let at = 0; at < count * sides.length; at++) {
      const side = at % sides.length, [dice, rerolled, declined] = ["dice", "rerolled", "declined"].map((name) => told.getAll(placeOf(rule, side) + name)[Math.floor(at / sides.length)] ?? "");
      const found = check(sides[side], match.inputs[side], dice, Number(declined) || 0, rerolled, spends);
      complaints.push(...found.complaints.map(({ message }) => message));
      match.bouts.push({ side, answers: [], result: /** @type {any} */ (found.result) });
    }
    if (!dice) complaints.push(...sides.flatMap((side, at) => ask(side, match.inputs[at], []).complaints).filter(({ part }) => part !== "rule").map(({ message }) => message));
    const good = !complaints.length && match.over;
    if (good) {
      match.asked = this.inputs;
      this.match = match;
      this.isLoaded = true;
      this.show();
      this.remember(sentence(match));
    } else if (count || complaints.length)
      renew(this.asking, alarm([say("roll bad link"), ...complaints].join(" ")));
    this.scrollIntoView({ block: "nearest" });
  }
}
/** How the result came about, line by line. @param {Result} result */
function derivation(result) {
  const lines = explain(result).derivation.map((text) => {
    const [, name, rest] = /** @type {RegExpExecArray} */ (/^([^:]*):? ?(.*)$/s.exec(text)), parts = rest.split(" → "), end = parts.pop() ?? "";
    return make("div", {}, make("dt", {}, spaced(name)), make("dd", {}, parts.map((part) => `${minus(spaced(part))} → `), make("b", {}, minus(spaced(end)))));
  });
  return make("details", "rw-more", make("summary", {}, say("steps")), make("dl", "rw-how", lines));
}
/** Where a named value was left open: those at which this roll has the first outcome. @param {Match} match */
function reached({ rule, bouts: [{ result }] }) {
  if (rule.contest || !result || result.outcome) return null;
  const entry = rule.inputs.find(({ name, open, named }) => open && named.length && !(name in result.inputs));
  if (!entry) return null;
  const given = Object.fromEntries(inputsOf(result)), first = rule.outcomes[0]?.name;
  const won = entry.named.filter(([, value]) => entry.least <= value && value <= entry.most
    && check(rule, { ...given, [entry.name]: value }, result.dice, result.declined, result.rerolled).result?.outcome?.name === first);
  const names = won.map(([name, value]) => say("named number", { name, number: minus(value) })).join(", ");
  return make("p", "rw-outcome rw-reached", make("strong", {}, first), " ", names ? say("roll reaches", { names }) : say("roll reaches none"));
}

/** An example that can be rolled anew. */
class Card extends HTMLElement {
  connectedCallback() {
    const { kind, game = "", rule = "", inputs = "" } = this.dataset;
    const own = kind === "example" && page() ? ruleOf(game, rule) : null, roll = { "data-game": game, "data-rule": rule, "data-inputs": inputs };
    if (!own || this.querySelector(".rw-again")) return;
    const place = make("div", {}), name = say(throwsDice(own) ? "roll yourself" : "roll work out");
    if (this.matches(".rw-oneline")) {
      const open = () => dialog(this, name, roll);
      return void this.append(button(name, open, { class: "rw-button rw-again", "aria-haspopup": "dialog" }));
    }
    const toggle = button(name, () => {
      const open = !place.firstChild;
      toggle.setAttribute("aria-expanded", String(open));
      renew(place, open && make("rule-roller", { class: "rw-inner", ...roll }));
      if (open) focus(place, "button");
    }, { class: "rw-button rw-again", "aria-expanded": "false" });
    this.append(make("p", "rw-buttons", toggle), place);
  }
}

/** Words of a sentence that can be rolled: a button that opens a roller. @param {HTMLElement} link */
function rollable(link) {
  const [, name, query] = /** @type {RegExpExecArray} */ (/^([^?]*)\??(.*)$/s.exec(link.dataset.roll ?? "")), told = new URLSearchParams(query);
  const cut = name.lastIndexOf("/"), game = cut < 0 ? told.get("game") ?? page()?.home ?? "" : name.slice(0, cut);
  told.delete("game");
  if (link.querySelector("button") || !ruleOf(game, name.slice(cut + 1))) return;
  const click = () => dialog(link, link.textContent ?? "", { "data-game": game, "data-rule": name.slice(cut + 1), "data-inputs": told });
  link.replaceChildren(make("button", { type: "button", class: "rw-link", "aria-haspopup": "dialog", click }, ...link.childNodes));
}
/** A roller above the page. @param {Element} from @param {string} label @param {Record<string, any>} roll */
function dialog(from, label, roll) {
  const close = button(say("roll close"), () => box.close());
  const roller = make("rule-roller", { class: "rw-card rw-inner", "data-kind": "roller", ...roll });
  const box = make("dialog", { class: "rw-dialog rw-card", "data-kind": "roller", "aria-label": label, close: () => box.remove() }, make("p", "rw-buttons", close), roller);
  (from.closest("article, main") ?? document.body).append(box);
  box.showModal();
  focus(roller, ".rw-go");
}
/** A roll that the address tells. */
function arrive() {
  const rollers = /** @type {Roller[]} */ ([...document.querySelectorAll("rule-roller")]);
  for (const one of rollers) if (one.arrived && one.arrived !== location.hash) one.heed();
  if (tray?.matches(".rw-plea")) hideTray();
  if (!location.hash.startsWith("#roll:") || !page()) return;
  const found = /^#roll:([^/?]*)\/([^/?]*)\?(.*)$/s.exec(location.hash) ?? ["", "", "", ""];
  const [game, rule] = [found[1], found[2]].map((one) => new URLSearchParams(`x=${one}`).get("x") ?? "");
  const fits = (/** @type {any} */ one) => one.dataset.rule === rule && ruleOf(one.dataset.game, rule)?.game.folder === game;
  if (!rollers.some(fits)) /** @type {HTMLElement | null} */ ([...document.querySelectorAll("rule-card")].find(fits)?.querySelector(".rw-again") ?? null)?.click();
  const roller = /** @type {Roller | undefined} */ ([...document.querySelectorAll("rule-roller")].find(fits));
  if (!roller) return showTray(say("roll bad link"), null);
  if (roller.arrived !== location.hash) roller.replay(new URLSearchParams(found[3]));
}
function look() {
  if (page()) for (const link of document.querySelectorAll("[data-roll]")) rollable(/** @type {HTMLElement} */ (link));
}
if (!customElements.get("rule-roller")) {
  customElements.define("rule-roller", Roller);
  customElements.define("rule-card", Card);
  look();
  arrive();
  addEventListener("hashchange", arrive);
  // Themes that change pages without loading them say so.
  /** @type {any} */ (globalThis).document$?.subscribe(() => (hideTray(), look(), arrive()));
}
