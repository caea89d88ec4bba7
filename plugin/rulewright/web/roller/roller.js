// The roller: throws the dice of a rule on the page, or asks for those that fell on a table, and tells what comes of it.
// Without the data that it needs (page-data.js) what stands there stays.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Field, Rule} from "../engine/parts.d.ts" */
import { Card, rollable } from "./card.js";
import { summing } from "./character.js";
import { bars } from "./draw-dice.js";
import { alarm, button, focus, make, renew } from "./dom.js";
import { lacks, linked } from "./share-roll.js";
import { field } from "./input-field.js";
import { shown } from "../engine/inputs.js";
import { Match, pleas } from "./roll-session.js";
import { odds } from "../engine/odds.js";
import { came } from "./show-result.js";
import { page, placeOf, ruleOf, sideName, sidesOf, throwsDice } from "./page-data.js";
import { SIDES } from "../engine/rule.js";
import { ASKED, questioned } from "./question-form.js";
import { chance, generator } from "../engine/random.js";
import { hidePlea, hideTray, showTray } from "./result-tray.js";
import { sentence } from "./describe-result.js";
import { say } from "../engine/messages.js";

const KEPT = 10;

export class Roller extends HTMLElement {
  rule = /** @type {Rule} */ (/** @type {unknown} */ (null));
  match = /** @type {Match} */ (/** @type {unknown} */ (null));
  isLoaded = false;
  /** @type {string[]} */ history = [];
  /** @type {Field[][]} */ fields = [];
  /** @type {string[] | null} */ traits = null;
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
    const { rule } = this, { contest } = rule, headline = this.querySelector(":scope > .rw-headline");
    this.fields = [];
    this.traits = null;
    const parts = sidesOf(rule).map((side, at) => {
      const made = side.inputs.filter(({ asked }) => !asked)
        .map((entry) => field(entry, start[placeOf(rule, at) + entry.name] ?? (entry.default === null ? null : shown(entry, entry.default))));
      this.fields.push(made);
      return make(contest ? "fieldset" : "div", "rw-fields", contest && make("legend", {}, sideName(SIDES[at])),
        contest && side.traits && summing(this, side, at).slice(0, 2), made.map(({ element }) => element));
    });
    const dice = throwsDice(rule), changed = () => (this.heed(), this.reckon());
    const submit = (/** @type {Event} */ event) => (event.preventDefault(), this.begin(this.next));
    this.form = make("form", { novalidate: true, submit, input: changed, change: changed },
      rule.traits && !contest && summing(this, rule, 0), parts, make("p", "rw-buttons", make("button", "rw-button rw-go", say(dice ? "roll now" : "roll work out")),
        dice && button(say("roll typed"), () => this.begin(null))));
    const below = [this.asking, this.outcome, this.told, this.chances, this.earlier];
    for (const part of below) renew(part);
    renew(this, headline, this.form, below);
    this.reckon();
  }
  /** What the controls say. @returns {T.Inputs[]} */
  get inputs() {
    return this.fields.map((side) =>
      Object.fromEntries(side.map(({ entry, read }) => [entry.name, read().trim()]).filter(([, value]) => value !== "")));
  }
  /** A complaint goes as soon as what it is about is changed. */
  heed() {
    const { inputs } = this, empty = (this.match?.missing ?? []).map((some, side) => (some.some(({ name }) => name in inputs[side]) ? [] : some));
    const left = pleas(this.rule, empty);
    for (const one of this.asking.querySelectorAll("[role=alert]")) if (!left.includes(one.textContent ?? "")) one.remove();
  }
  /** @param {(() => number) | null} next */
  begin(next) {
    this.match = new Match(this.rule, this.inputs, next, this.traits);
    this.isLoaded = false;
    const missing = lacks(this.rule, this.inputs);
    if (missing.flat().length) {
      this.match.plead(missing);
      this.show();
    } else this.onward();
    if (this.match.missing.length) focus(this.form, "[aria-invalid]");
    else if (!next) focus(this.asking, "input");
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
    renew(this.asking, complaints.map(alarm), question && !over && questioned(this, question),
      over && match.typed.length > 0 && alarm(say("roll left over", { faces: match.typed.join(" ") })));
    if (question) this.told.textContent = this.asking.querySelector("legend")?.textContent ?? "";
    renew(this.outcome, over && came(this));
    this.fields.forEach((fields, side) => fields.forEach(({ entry, element }) => {
      if (match.missing[side]?.includes(entry)) element.querySelector("input")?.setAttribute("aria-invalid", "true");
    }));
    this.reckon();
    if (over) this.remember(sentence(match));
  }
  /** The same dice once more, after a change. @param {() => void} change @param {string} selector  what has the focus then */
  redo(change, selector) {
    const match = this.match;
    if (match.over) this.history.shift();
    change();
    match.typed = [];
    match.again();
    this.show();
    focus(this, match.question ? ASKED : selector);
  }
  /** Odds for what the controls say; where the last roll fell is marked. */
  reckon() {
    const rule = this.rule, all = this.inputs;
    for (const { element, read } of this.fields.flat()) if (read()) element.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
    const inputs = Object.fromEntries(all.flatMap((side, at) => Object.entries(side).map(([name, value]) => [placeOf(rule, at) + name, value])));
    const match = this.match, found = throwsDice(rule) ? odds(rule, inputs).odds : null;
    const same = match?.over && JSON.stringify(match.asked) === JSON.stringify(all), here = !same ? "" : rule.contest ? match.winner : match.bout.result?.outcome?.name ?? "";
    renew(this.chances, found && Object.keys(found.chances).length > 0 && make("table", "rw-bars", make("caption", {}, say("odds at start")),
      make("tbody", {}, bars(found.chances, here, rule.contest ? sideName : String))));
  }
  /** @param {string} text */
  async copy(text) {
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false), note = say(done ? "roll copied" : "roll copy yourself");
    const box = done ? null : make("textarea", { readonly: true, rows: 6, "aria-label": note }, text);
    renew(this.asking, make("p", "rw-note", note, box));
    this.told.textContent = note;
    box?.select();
  }
  /** A roll that a link tells: checked, then shown. @param {URLSearchParams} told */
  replay(told) {
    this.arrived = location.hash;
    this.build(Object.fromEntries(told));
    const match = linked(this.rule, told), { complaints, bouts } = match;
    if (!complaints.length && match.over) {
      match.asked = this.inputs;
      this.match = match;
      this.isLoaded = true;
      this.show();
    } else if (bouts.length || complaints.length) renew(this.asking, alarm([say("roll bad link"), ...complaints].join(" ")));
    this.scrollIntoView({ block: "nearest" });
  }
}
/** A roll that the address tells. */
function arrive() {
  const rollers = /** @type {Roller[]} */ ([...document.querySelectorAll("rule-roller")]);
  for (const one of rollers) if (one.arrived && one.arrived !== location.hash) one.heed();
  hidePlea();
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

