// The roller: throws the dice of a rule on the page, or asks for those that fell on a table, and tells what comes of it.
// Games, words and shapes stand once on the page as JSON (publish/rolling.py); without these what stands there stays.
/**
 * @import * as T from "./engine.d.ts"
 * @import {Result, Rule} from "./play.js"
 * @typedef {[string, string, number, number]} Shape  outline, edges, where the number stands, its size
 * @typedef {{words: Record<string, string>, home: string, alone: boolean,
 *   shapes: Record<string, Shape>, pips: Record<string, number[][]>,
 *   badges: Record<string, string>, strokes: Record<string, string>}} Page
 * @typedef {{side: number, answers: T.Answer[], result: Result | null}} Bout
 * @typedef {{kind: string, text: string, roles: string[], sides: number, place: number}} Face
 */
import { ask, explain, load, shown, speak, tell as say, winner } from "./play.js";
import { below, chance, generator } from "./random.js";
import { odds } from "./odds.js";
import { check } from "./record.js";

const KEPT = 10, MOST_TIES = 100, SIDES = ["first", "second"];
const TRUTHS = ["=", "!=", "<", "<=", ">", ">=", "and", "or", "not"];
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
const spaced = (/** @type {string} */ name) => name.replaceAll("_", " ");
const labelOf = (/** @type {T.Input} */ { label, name }) => label || spaced(name)[0].toUpperCase() + spaced(name).slice(1);
const minus = (/** @type {any} */ text) => String(text).replaceAll("-", "−");

// ---- elements

/** @template {string} K @param {K} tag @param {Record<string, any>} attributes @param {(Node | string)[]} children
 * @returns {K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : HTMLElement} */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes).append(...children);
  return /** @type {any} */ (made);
}
/** @param {Element} element @param {Record<string, any>} attributes */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : String(value));
  return element;
}
/** @param {string} tag @param {Record<string, any>} attributes @param {(Node | string)[]} children */
function draw(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes).append(...children);
  return made;
}
/** @param {string} text @param {() => void} click @param {Record<string, any>} more */
const button = (text, click, more = {}) => make("button", { type: "button", class: "rw-button", click, ...more }, text);

const cssClass = (/** @type {string} */ role) => `rw-${role.replace(" ", "-")}`;
/** One face, as on the cards. @param {Face} face */
function die({ text, roles, sides, place }) {
  const { shapes, pips, badges, strokes } = /** @type {Page} */ (page());
  const [outline, edges, base, size] = sides ? shapes[sides] ?? shapes.round : shapes[6];
  const marked = [...Object.keys(badges), ...Object.keys(strokes)].filter((role) => roles.includes(role));
  const struck = Object.keys(strokes).filter((role) => roles.includes(role));
  const name = sides ? say("face of die", { face: minus(text), sides }) : minus(text);
  const title = marked.length ? `${name}: ${marked.map((role) => say(`role ${role}`)).join(", ")}` : name;
  const worth = struck.length ? "" : WORTHS.find((role) => roles.includes(role)), origin = ORIGINS.find((role) => roles.includes(role));
  const font = text.length < 3 ? size : Math.max(size * 2.4 / text.length, 5);
  return draw("svg", {
    class: ["rw-die", `rw-kind${Math.min(place, 2)}`, ...marked.map(cssClass)].join(" "), viewBox: "0 0 48 48", role: "img", fill: "none",
    stroke: "currentColor",
  }, draw("title", {}, title), draw("path", { class: "rw-body", d: outline }),
  ...(edges ? [draw("path", { class: "rw-edge", d: edges })] : []),
  ...struck.map((role) => draw("path", { class: "rw-stroke", d: strokes[role] })),
  sides === 6 && pips[text]
    ? draw("g", { class: "rw-pips" }, ...pips[text].map(([cx, cy]) => draw("circle", { cx, cy, r: 4 })))
    : draw("text", { class: "rw-number", x: 24, y: base, "text-anchor": "middle", "font-size": font }, minus(text)),
  ...(worth ? [badge(worth, 40)] : []), ...(origin ? [badge(origin, 8)] : []));
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
/** @param {Result} result */
function groups(result) {
  /** @type {[string, string, number, T.Shown[][]][]} */
  const found = [];
  for (const faces of result.faces.filter((one) => one.length)) {
    const { kind, round } = faces[0], last = found.at(-1);
    if (last?.[0] === `${round} ${kind}`) last[3].push(faces);
    else found.push([`${round} ${kind}`, kind, round, [faces]]);
  }
  const alone = found.length === 1 && result.rule.dice.length === 1;
  return found.length ? [make("div", { class: "rw-groups" }, ...found.map(([, kind, round, dice]) => {
    const place = result.rule.dice.findIndex((one) => one.name === kind), ready = result.setting.kinds[place];
    const sides = ready.kind.faces.length ? 0 : ready.faces.length;
    const name = alone ? "" : round === 1 ? kind : say(round === 2 ? "earned group" : "earned on", { kind });
    return make("div", { class: "rw-group" }, ...(name ? [make("span", { class: "rw-group-name" }, name)] : []),
      make("span", { class: "rw-dice" }, ...dice.map((faces) => thrown(faces.map((face) => ({ ...face, sides, place }))))));
  }))] : [];
}
/** All throws of one die. @param {Face[]} faces */
const thrown = (faces) => make("span", { class: "rw-throw rw-fall" }, ...faces.flatMap((face, at) => {
  const sign = face.roles.includes("thrown on") ? "+" : at && faces[at - 1].roles.includes("rerolled") ? "→" : "";
  return [...(sign ? [make("span", { class: "rw-sign" }, sign)] : []), die(face)];
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
/** @param {Record<string, number>} chances @param {string} here */
function bars(chances, here) {
  return Object.entries(chances).map(([name, share]) => make("tr", { class: name === here ? "rw-here" : null },
    make("th", { scope: "row" }, sideName(name)), make("td", { class: "rw-figure" }, percent(share)),
    make("td", { class: "rw-line" }, draw("svg", { class: "rw-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "rw-track", width: 100, height: 8 }), draw("rect", { class: "rw-share", width: (share * 100).toFixed(2), height: 8 })))));
}
const sideName = (/** @type {string} */ name) =>
  name === "none" ? say("nobody") : SIDES.includes(name) ? say(`side ${SIDES.indexOf(name) + 1}`) : name;

// ---- one roll

/** A roll, or the throws of a contest, played as far as faces and choices are known. */
class Match {
  /** @param {Rule} rule @param {T.Inputs[]} inputs @param {(() => number) | null} next  null where a reader types the faces */
  constructor(rule, inputs, next) {
    this.rule = rule;
    this.inputs = inputs;
    this.asked = inputs; // before any choice is added
    this.next = next;
    this.sides = rule.contest ? rule.sides : [rule];
    /** @type {Bout[]} */
    this.bouts = [];
    /** @type {string[]} faces that were typed and not yet asked for */
    this.typed = [];
    /** @type {T.Question | null} */
    this.question = null;
    /** @type {string[]} */
    this.complaints = [];
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
    while (!this.over) {
      if (!this.bout || this.bout.result) this.bouts.push({ side: this.bouts.length % this.sides.length, answers: [], result: null });
      const { side, answers } = this.bout, asking = ask(this.sides[side], this.inputs[side], answers);
      this.bout.result = /** @type {any} */ (asking.result);
      this.complaints = asking.complaints.map(({ message }) => message);
      if (this.complaints.length) return;
      if (!asking.question) continue;
      const faces = this.faces(asking.question);
      if (!faces.length) return void (this.question = asking.question);
      answers.push(...faces);
    }
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
    this.inputs[side] = { ...this.inputs[side], [name]: value };
    for (const bout of this.bouts) if (bout.side === side) bout.result = /** @type {any} */ (ask(this.sides[side], this.inputs[side], bout.answers).result);
    this.advance();
  }
}
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
/** The inputs of a finished roll as a book would have them. @param {Result} result @returns {[string, string][]} */
const inputsOf = (result) => result.rule.inputs
  .filter(({ name }) => name in result.inputs && !result.unasked.includes(name))
  .map((entry) => [entry.name, shown(entry, result.inputs[entry.name])]);

/** A block that says all this again. @param {Match} match */
function asExample({ rule, bouts, sides, winner: won }) {
  const { folder } = rule.game, alone = page()?.alone && folder === page()?.home, lines = [...(folder && !alone ? [`game: ${folder}`] : []), `rule: ${rule.name}`];
  const results = bouts.map(({ result }) => /** @type {Result} */ (result));
  if (rule.contest) {
    sides.forEach((_, side) => {
      const own = results.filter((_, at) => bouts[at].side === side), inputs = inputsOf(own[0]).map((pair) => pair.join(" "));
      const told = own.flatMap(({ dice, rerolled, declined }) =>
        [`dice ${dice}`, ...(rerolled ? [`rerolled ${rerolled}`] : []), ...(declined ? [`declined ${declined}`] : [])]);
      lines.push(`side ${SIDES[side]}: ${[...inputs, ...told].join(", ")}`);
    });
    lines.push(`winner: ${won}`);
  } else {
    const [{ dice, rerolled, declined, outcome, degree, steps }] = results;
    lines.push(...inputsOf(results[0]).map((pair) => pair.join(": ")));
    if (dice) lines.push(`dice: ${dice}`);
    if (rerolled) lines.push(`rerolled: ${rerolled}`);
    if (declined) lines.push(`declined: ${declined}`);
    if (outcome) lines.push(`outcome: ${outcome.name}`, ...(degree === null ? [] : [`degree: ${degree}`]));
    else lines.push(...Object.entries(steps).filter(([, value]) => value !== null).map((pair) => pair.join(": ")));
  }
  return ["```example", ...lines, "```", ""].join("\n");
}
/** The part of an address that says all this again. @param {Match} match */
function asFragment({ rule, bouts }) {
  const told = new URLSearchParams();
  for (const { side, result } of bouts) {
    const { dice, rerolled, declined } = /** @type {Result} */ (result), place = rule.contest ? `${SIDES[side]}.` : "";
    for (const [name, value] of inputsOf(/** @type {Result} */ (result))) told.set(place + name, value);
    for (const [name, value] of Object.entries({ dice, rerolled, declined })) told.append(place + name, String(value || ""));
  }
  return `#roll:${encodeURIComponent(rule.game.folder)}/${encodeURIComponent(rule.name)}?${told}`;
}

// ---- the inputs of one side, as labelled controls

/** @param {T.Input} entry @param {unknown} value  what it starts from @returns {[HTMLElement, () => string]} */
function field(entry, value) {
  const label = labelOf(entry), { form } = entry;
  if (form === "flag") {
    const box = make("input", { type: "checkbox" });
    box.checked = /^(yes|true|1)$/i.test(String(value));
    return [make("label", { class: "rw-field rw-tick" }, box, make("span", {}, label)), () => (box.checked ? "yes" : "no")];
  }
  if (form === "die" || form === "choice") {
    const names = form === "choice" ? entry.choices : entry.dice.map((sides) => shown(entry, sides));
    const list = make("select", {}, ...names.map((name) => make("option", { value: name }, name === "none" ? say("none") : name)));
    list.value = names.find((name) => name.toLowerCase() === String(value ?? "").toLowerCase()) ?? names[0];
    return [make("label", { class: "rw-field" }, make("span", {}, label), list), () => list.value];
  }
  if (form === "code") {
    const box = make("input", { type: "text", autocomplete: "off", spellcheck: "false", size: 6, value: String(value ?? "") });
    return [make("label", { class: "rw-field" }, make("span", {}, label), box), () => box.value];
  }
  return numberField(entry, value, label);
}
/** A number; where names stand for numbers, also a list of them. @param {T.Input} entry @param {unknown} value @param {string} label @returns {[HTMLElement, () => string]} */
function numberField({ least, most, named, open }, value, label) {
  const start = named.find(([name]) => name.toLowerCase() === String(value ?? "").toLowerCase())?.[1] ?? value ?? "";
  const box = make("input", { type: "number", inputmode: least < 0 ? null : "numeric", min: least, max: most, step: 1, value: start,
    placeholder: open ? "?" : null });
  const whole = make("label", { class: "rw-field" }, make("span", {}, label), box);
  const fits = named.filter(([, number]) => least <= number && number <= most);
  if (!fits.length) return [whole, () => box.value];
  const list = make("select", { "aria-label": say("roll by name", { label }) }, make("option", { value: "" }, open ? "?" : "…"),
    ...fits.map(([name, number]) => make("option", { value: number }, name)));
  const follow = () => (list.value = fits.some(([, number]) => String(number) === box.value) ? box.value : "");
  box.addEventListener("input", follow);
  list.addEventListener("change", () => (box.value = list.value));
  follow();
  return [make("div", { class: "rw-named" }, whole, list), () => box.value];
}

// ---- the element

class Roller extends HTMLElement {
  connectedCallback() {
    const rule = ruleOf(this.dataset.game ?? "", this.dataset.rule ?? "");
    if (!rule || !page() || this.querySelector("form")) return;
    this.rule = rule;
    /** @type {Match | null} */
    this.match = null;
    this.isLoaded = false;
    /** @type {string[]} */
    this.history = [];
    const seed = this.getAttribute("seed");
    this.next = seed === null ? chance() : generator(Number(seed));
    this.build(Object.fromEntries(new URLSearchParams(this.dataset.inputs)));
  }
  /** @param {Record<string, string>} start */
  build(start) {
    const rule = /** @type {Rule} */ (this.rule), headline = this.querySelector(":scope > .rw-headline");
    const sides = rule.contest ? rule.sides : [rule];
    /** @type {{entry: T.Input, read: () => string}[][]} */
    this.fields = [];
    const parts = sides.map((side, at) => {
      const place = rule.contest ? `${SIDES[at]}.` : "", legend = rule.contest ? [make("legend", {}, sideName(SIDES[at]))] : [];
      const made = side.inputs.filter(({ asked }) => !asked).map((entry) => {
        const usual = entry.default === null ? null : shown(entry, entry.default);
        const [element, read] = field(entry, start[place + entry.name] ?? usual);
        return { entry, read, element };
      });
      /** @type {any} */ (this.fields).push(made);
      return make(rule.contest ? "fieldset" : "div", { class: "rw-fields" }, ...legend, ...made.map(({ element }) => element));
    });
    const dice = sides.some((side) => side.dice.length);
    this.form = make("form", { novalidate: true, submit: (/** @type {Event} */ event) => this.rolled(event), input: () => this.reckon(), change: () => this.reckon() },
      ...parts, make("p", { class: "rw-buttons" }, make("button", { class: "rw-button rw-go" }, say(dice ? "roll now" : "roll work out")),
        ...(dice ? [button(say("roll typed"), () => this.begin(null))] : [])));
    this.asking = make("div", { class: "rw-asking" });
    this.outcome = make("div", { class: "rw-came" });
    this.told = make("p", { class: "rw-heard", role: "status" });
    this.chances = make("div", {});
    this.earlier = make("div", {});
    this.replaceChildren(...(headline ? [headline] : []), this.form, this.asking, this.outcome, this.told, this.chances, this.earlier);
    this.reckon();
  }
  /** What the controls say. @returns {T.Inputs[]} */
  get inputs() {
    return /** @type {any} */ (this.fields).map((/** @type {{entry: T.Input, read: () => string}[]} */ side) =>
      Object.fromEntries(side.map(({ entry, read }) => [entry.name, read().trim()]).filter(([, value]) => value !== "")));
  }
  /** @param {Event} event */
  rolled(event) {
    event.preventDefault();
    this.begin(/** @type {() => number} */ (this.next));
  }
  /** @param {(() => number) | null} next */
  begin(next) {
    this.match = new Match(/** @type {Rule} */ (this.rule), this.inputs, next);
    this.isLoaded = false;
    this.onward();
    if (!next) this.asking?.querySelector("input")?.focus();
  }
  /** Plays on, and shows where that led. */
  onward() {
    const match = /** @type {Match} */ (this.match);
    match.advance();
    if (match.complaints.length && !match.next && match.bout.answers.length) {
      const wrong = match.complaints;
      match.bout.answers.pop();
      match.typed = [];
      match.advance();
      match.complaints = wrong;
    }
    this.show();
    if (match.over) this.remember(sentence(match));
  }
  /** @param {string} text */
  remember(text) {
    this.history = [text, .../** @type {string[]} */ (this.history)].slice(0, KEPT);
    /** @type {HTMLElement} */ (this.told).textContent = text;
    this.list();
  }
  list() {
    const { history = [] } = this;
    const clear = () => {
      this.history = [];
      this.list();
      this.form?.querySelector("button")?.focus();
    };
    this.earlier?.replaceChildren(...(history.length > 1 ? [make("details", { class: "rw-more" }, make("summary", {}, say("roll before", { number: history.length })),
      make("ol", { class: "rw-history" }, ...history.map((text) => make("li", {}, text))), button(say("roll forget"), clear))] : []));
  }
  show() {
    const match = /** @type {Match} */ (this.match), { question, complaints, over } = match;
    this.asking?.replaceChildren(...complaints.map((text) => make("p", { class: "rw-note", role: "alert" }, text)),
      ...(question && !over ? this.question(question) : []),
      ...(over && match.typed.length ? [make("p", { class: "rw-note", role: "alert" }, say("roll left over", { faces: match.typed.join(" ") }))] : []));
    if (question) /** @type {HTMLElement} */ (this.told).textContent = this.asking?.querySelector("legend")?.textContent ?? "";
    this.outcome?.replaceChildren(...(over ? this.came() : []));
    this.reckon();
  }
  /** What has to be told before it goes on. @param {T.Question} question */
  question(question) {
    const match = /** @type {Match} */ (this.match), lying = question.dice.length ? [make("p", { class: "rw-told" }, question.dice.map(dieText).join(", "))] : [];
    const whose = match.rule.contest ? `${sideName(SIDES[match.bout.side])}: ` : "";
    const answer = (/** @type {T.Answer} */ one) => () => {
      match.bout.answers.push(one);
      this.onward();
      /** @type {HTMLElement | null} */ (this.asking?.querySelector("input, button") ?? this.form?.querySelector(".rw-go") ?? null)?.focus();
    };
    const choices = (/** @type {string} */ text, /** @type {[string, T.Answer][]} */ list) => [...lying, make("fieldset", { class: "rw-choices" },
      make("legend", {}, whose + text), ...list.map(([name, one]) => button(name, answer(one))))];
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
      this.asking?.querySelector("input")?.focus();
    };
    const text = question.anew ? say("roll anew", { kind }) : say(question.round > 1 ? "roll faces earned" : "roll faces", { kind, number: left });
    return [...lying, make("form", { class: "rw-typing", submit: take }, make("fieldset", { class: "rw-choices" }, make("legend", {}, whose + text),
      make("label", { class: "rw-field" }, make("span", {}, say("roll shown")), box), make("button", { class: "rw-button" }, say("roll take"))))];
  }
  /** Dice, steps, outcome and what can be done with them. */
  came() {
    const match = /** @type {Match} */ (this.match), results = match.bouts.map(({ result }) => /** @type {Result} */ (result)), [result] = results;
    const says = match.rule.contest ? "" : explain(result).says, text = verdict(match).split(`, ${say("degree")} `);
    const line = text[0] ? [make("p", { class: "rw-outcome" }, make("strong", {}, text[0]),
      ...(text[1] ? [" ", make("span", { class: "rw-degree" }, `${say("degree")} `, make("b", {}, text[1]))] : []),
      ...(says ? [" ", make("span", { class: "rw-says" }, says)] : []))] : [];
    const sides = match.rule.contest ? [make("div", { class: "rw-sides" }, ...match.sides.map((_, side) => this.side(side)))]
      : [...groups(result), list("rw-steps", stepsOf(result).map(([name, value]) => [`${name} `, make("b", {}, value)]))];
    const roles = new Set(results.flatMap((one) => one.faces.flat().flatMap((face) => face.roles)));
    const { badges, strokes } = /** @type {Page} */ (page()), marks = [...Object.keys(badges), ...Object.keys(strokes)].filter((role) => roles.has(role));
    return [...sides, ...line, ...reached(match), ...this.asked(), ...(match.rule.contest ? [] : [derivation(result)]),
      ...(marks.length ? [make("p", { class: "rw-legend" }, ...marks.map((role) => make("span", {}, mark(role), ` ${say(`role ${role}`)}`)))] : []),
      make("p", { class: "rw-buttons" }, button(say("roll copy example"), () => this.copy(asExample(match))),
        button(say("roll copy link"), () => this.copy(location.href.replace(/#.*/s, "") + asFragment(match))))];
  }
  /** @param {number} side */
  side(side) {
    const { bouts, rule, winner: won } = /** @type {Match} */ (this.match), step = /** @type {any} */ (rule.contest).compare;
    return make("div", { class: SIDES[side] === won ? "rw-side rw-here" : "rw-side" }, make("p", {}, make("strong", {}, sideName(SIDES[side]))),
      ...bouts.filter((one) => one.side === side).map(({ result }) => make("div", { class: "rw-bout" }, ...groups(/** @type {Result} */ (result)),
        make("b", { class: "rw-value" }, minus(/** @type {Result} */ (result).steps[step])))));
  }
  /** Choices that arise now that the dice lie. */
  asked() {
    const match = /** @type {Match} */ (this.match);
    if (this.isLoaded) return [];
    return match.last.flatMap(({ side, result }) => /** @type {Result} */ (result).asks.map((name) => {
      const entry = /** @type {T.Input} */ (match.sides[side].inputs.find((one) => one.name === name)), now = /** @type {Result} */ (result).inputs[name];
      const options = /** @type {[string, any][]} */ (entry.form === "flag" ? [[say("yes"), true], [say("no"), false]] : entry.choices.map((one) => [one, one]));
      const choose = (/** @type {any} */ value, /** @type {number} */ at) => () => {
        match.choose(side, name, value);
        /** @type {string[]} */ (this.history).shift();
        this.show();
        this.remember(sentence(match));
        /** @type {HTMLElement[]} */ ([...this.querySelectorAll(`[data-asked="${name}"]`)])[at]?.focus();
      };
      return make("fieldset", { class: "rw-choices" }, make("legend", {}, labelOf(entry)), ...options.map(([text, value], at) =>
        button(text, choose(value, at), { "aria-pressed": String(entry.form === "flag" ? !!now === value : now === value), "data-asked": name })));
    }));
  }
  /** Odds for what the controls say; where the last roll fell is marked. */
  reckon() {
    const rule = /** @type {Rule} */ (this.rule), all = this.inputs;
    const inputs = rule.contest ? Object.assign({}, ...all.map((side, at) => Object.fromEntries(Object.entries(side).map(([name, value]) => [`${SIDES[at]}.${name}`, value])))) : all[0];
    const dice = (rule.contest ? rule.sides : [rule]).some((side) => side.dice.length), match = this.match;
    const found = dice ? odds(rule, inputs).odds : null;
    const same = match?.over && JSON.stringify(match.asked) === JSON.stringify(all), here = !same ? "" : rule.contest ? match.winner : match.bout.result?.outcome?.name ?? "";
    this.chances?.replaceChildren(...(found && Object.keys(found.chances).length ? [make("table", { class: "rw-bars" }, make("caption", {}, say("odds at start")),
      make("tbody", {}, ...bars(found.chances, here)))] : []));
  }
  /** @param {string} text */
  async copy(text) {
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false), told = /** @type {HTMLElement} */ (this.told);
    if (done) return void (told.textContent = say("roll copied"), this.asking?.replaceChildren(make("p", { class: "rw-note" }, say("roll copied"))));
    const box = make("textarea", { readonly: true, rows: 6, "aria-label": say("roll copy yourself") });
    box.value = text;
    this.asking?.replaceChildren(make("p", { class: "rw-note" }, say("roll copy yourself"), box));
    box.select();
  }
  /** A roll that a link tells: checked, then shown. @param {URLSearchParams} told */
  replay(told) {
    this.arrived = location.hash;
    const rule = /** @type {Rule} */ (this.rule), sides = rule.contest ? rule.sides : [rule];
    this.build(Object.fromEntries(told));
    const match = new Match(rule, [], null), complaints = [];
    match.inputs = sides.map((_, side) => {
      const place = rule.contest ? `${SIDES[side]}.` : "";
      const own = [...told].filter(([name]) => name.startsWith(place)).map(([name, value]) => [name.slice(place.length), value]);
      return Object.fromEntries(own.filter(([name]) => !["dice", "rerolled", "declined"].includes(name)));
    });
    const place = (/** @type {number} */ side) => (rule.contest ? `${SIDES[side]}.` : ""), count = Math.min(told.getAll(`${place(0)}dice`).length, MOST_TIES);
    for (let at = 0; at < count * sides.length; at++) {
      const side = at % sides.length, [dice, rerolled, declined] = ["dice", "rerolled", "declined"].map((name) => told.getAll(place(side) + name)[Math.floor(at / sides.length)] ?? "");
      const found = check(sides[side], match.inputs[side], dice, Number(declined) || 0, rerolled);
      complaints.push(...found.complaints.map(({ message }) => message));
      match.bouts.push({ side, answers: [], result: /** @type {any} */ (found.result) });
    }
    const good = !complaints.length && match.over;
    if (good) {
      match.asked = this.inputs;
      this.match = match;
      this.isLoaded = true;
      this.show();
      this.remember(sentence(match));
    } else if (count)
      this.asking?.replaceChildren(make("p", { class: "rw-note", role: "alert" }, [say("roll bad link"), ...complaints].join(" ")));
    this.scrollIntoView({ block: "nearest" });
  }
}
/** @param {string} name @param {(Node | string)[][]} items */
const list = (name, items) => make("ul", { class: name }, ...items.map((parts) => make("li", {}, ...parts)));
/** How the result came about, line by line. @param {Result} result */
function derivation(result) {
  const lines = explain(result).derivation.map((text) => {
    const [, name, rest] = /** @type {RegExpExecArray} */ (/^([^:]*):? ?(.*)$/s.exec(text)), parts = rest.split(" → "), end = parts.pop() ?? "";
    return make("div", {}, make("dt", {}, spaced(name)), make("dd", {}, ...parts.map((part) => `${minus(spaced(part))} → `), make("b", {}, minus(spaced(end)))));
  });
  return make("details", { class: "rw-more" }, make("summary", {}, say("steps")), make("dl", { class: "rw-how" }, ...lines));
}
/** Where a named value was left open: those at which this roll has the first outcome. @param {Match} match */
function reached({ rule, bouts: [{ result }] }) {
  if (rule.contest || !result || result.outcome) return [];
  const entry = rule.inputs.find(({ name, open, named }) => open && named.length && !(name in result.inputs));
  if (!entry) return [];
  const given = Object.fromEntries(inputsOf(result)), first = rule.outcomes[0]?.name;
  const won = entry.named.filter(([, value]) => entry.least <= value && value <= entry.most
    && check(rule, { ...given, [entry.name]: value }, result.dice, result.declined, result.rerolled).result?.outcome?.name === first);
  const names = won.map(([name, value]) => say("named number", { name, number: minus(value) })).join(", ");
  return [make("p", { class: "rw-outcome rw-reached" }, make("strong", {}, first), " ", names ? say("roll reaches", { names }) : say("roll reaches none"))];
}

/** An example that can be rolled anew. */
class Card extends HTMLElement {
  connectedCallback() {
    const { kind, game = "", rule = "", inputs = "" } = this.dataset;
    const own = kind === "example" && page() ? ruleOf(game, rule) : null;
    if (!own || this.matches(".rw-oneline") || this.querySelector(".rw-again")) return;
    const place = make("div", {}), dice = (own.contest ? own.sides : [own]).some((side) => side.dice.length);
    const toggle = button(say(dice ? "roll yourself" : "roll work out"), () => {
      const open = !place.firstChild;
      toggle.setAttribute("aria-expanded", String(open));
      place.replaceChildren(...(open ? [make("rule-roller", { class: "rw-inner", "data-game": game, "data-rule": rule, "data-inputs": inputs })] : []));
      if (open) place.querySelector("button")?.focus();
    }, { class: "rw-button rw-again", "aria-expanded": "false" });
    this.append(make("p", { class: "rw-buttons" }, toggle), place);
  }
}

/** Words of a sentence that can be rolled: a button that opens a roller. @param {HTMLElement} link */
function rollable(link) {
  const [, name, query] = /** @type {RegExpExecArray} */ (/^([^?]*)\??(.*)$/s.exec(link.dataset.roll ?? "")), told = new URLSearchParams(query);
  const cut = name.lastIndexOf("/"), game = cut < 0 ? told.get("game") ?? page()?.home ?? "" : name.slice(0, cut);
  told.delete("game");
  if (link.querySelector("button") || !ruleOf(game, name.slice(cut + 1))) return;
  const opener = make("button", { type: "button", class: "rw-link", "aria-haspopup": "dialog", click: () => {
    const close = button(say("roll close"), () => box.close());
    const roller = make("rule-roller", { class: "rw-card rw-inner", "data-kind": "roller", "data-game": game, "data-rule": name.slice(cut + 1), "data-inputs": told });
    const box = make("dialog", { class: "rw-dialog rw-card", "data-kind": "roller", "aria-label": link.textContent, close: () => box.remove() }, make("p", { class: "rw-buttons" }, close), roller);
    (link.closest("article, main") ?? document.body).append(box);
    box.showModal();
    /** @type {HTMLElement | null} */ (roller.querySelector(".rw-go"))?.focus();
  } }, ...link.childNodes);
  link.replaceChildren(opener);
}
/** A roll that the address tells. */
function arrive() {
  const found = /^#roll:([^/?]*)\/([^/?]*)\?(.*)$/s.exec(location.hash);
  if (!found) return;
  const [game, rule] = [found[1], found[2]].map(decodeURIComponent);
  const fits = (/** @type {any} */ one) => one.dataset.rule === rule && ruleOf(one.dataset.game, rule)?.game.folder === game;
  const rollers = /** @type {Roller[]} */ ([...document.querySelectorAll("rule-roller")]);
  if (!rollers.some(fits)) /** @type {HTMLElement | null} */ ([...document.querySelectorAll("rule-card")].find(fits)?.querySelector(".rw-again") ?? null)?.click();
  const roller = /** @type {Roller | undefined} */ ([...document.querySelectorAll("rule-roller")].find(fits));
  if (roller && roller.arrived !== location.hash) roller.replay(new URLSearchParams(found[3]));
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
  /** @type {any} */ (globalThis).document$?.subscribe(() => (look(), arrive()));
}
