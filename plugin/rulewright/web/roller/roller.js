// The roller element: rolls the dice of a rule, or asks for real dice, and shows the result and the odds.
// Without its data (page-data.js) the page stays as it is.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Field, Rule} from "../engine/parts.d.ts" */
import { Card, rollable } from "./card.js";
import { traitFields } from "./character.js";
import { bars } from "./draw-dice.js";
import { alarm, button, focus, make, renew } from "./dom.js";
import { missingBySide, sessionFromLink } from "./share-roll.js";
import { field } from "./input-field.js";
import { shown } from "../engine/inputs.js";
import { RollSession, missingMessages } from "./roll-session.js";
import { odds } from "../engine/odds.js";
import { resultElements } from "./show-result.js";
import { page, inputPrefix, ruleOf, sideName, sidesOf, hasDice } from "./page-data.js";
import { SIDES } from "../engine/rule.js";
import { CONTROLS, questionForm } from "./question-form.js";
import { chance, generator } from "../engine/random.js";
import { hideMessage, hideTray, showTray } from "./result-tray.js";
import { summarize } from "./describe-result.js";
import { say } from "../engine/messages.js";

const KEPT = 10;

export class Roller extends HTMLElement {
  rule = /** @type {Rule} */ (/** @type {unknown} */ (null));
  roll = /** @type {RollSession} */ (/** @type {unknown} */ (null));
  isLoaded = false;
  /** @type {string[]} */ history = [];
  /** @type {Field[][]} */ fields = [];
  /** @type {string[] | null} */ traits = null;
  form = make("form");
  asking = make("div", "rw-asking");
  outcome = make("div", "rw-came");
  status = make("p", { class: "rw-heard", role: "status" });
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
        .map((entry) => field(entry, start[inputPrefix(rule, at) + entry.name] ?? (entry.default === null ? null : shown(entry, entry.default))));
      this.fields.push(made);
      return make(contest ? "fieldset" : "div", "rw-fields", contest && make("legend", {}, sideName(SIDES[at])),
        contest && side.traits && traitFields(this, side, at).slice(0, 2), made.map(({ element }) => element));
    });
    const dice = hasDice(rule), changed = () => (this.refresh(), this.showOdds());
    const submit = (/** @type {Event} */ event) => (event.preventDefault(), this.begin(this.next));
    this.form = make("form", { novalidate: true, submit, input: changed, change: changed },
      rule.traits && !contest && traitFields(this, rule, 0), parts, make("p", "rw-buttons", make("button", "rw-button rw-go", say(dice ? "roll now" : "roll work out")),
        dice && button(say("roll typed"), () => this.begin(null))));
    const below = [this.asking, this.outcome, this.status, this.chances, this.earlier];
    for (const part of below) renew(part);
    renew(this, headline, this.form, below);
    this.showOdds();
  }
  /** What the controls say. @returns {T.Inputs[]} */
  get inputs() {
    return this.fields.map((side) =>
      Object.fromEntries(side.map(({ entry, read }) => [entry.name, read().trim()]).filter(([, value]) => value !== "")));
  }
  /** A complaint goes as soon as what it is about is changed. */
  refresh() {
    const { inputs } = this, empty = (this.roll?.missing ?? []).map((some, side) => (some.some(({ name }) => name in inputs[side]) ? [] : some));
    const left = missingMessages(this.rule, empty);
    for (const one of this.asking.querySelectorAll("[role=alert]")) if (!left.includes(one.textContent ?? "")) one.remove();
  }
  /** @param {(() => number) | null} next */
  begin(next) {
    this.roll = new RollSession(this.rule, this.inputs, next, this.traits);
    this.isLoaded = false;
    const missing = missingBySide(this.rule, this.inputs);
    if (missing.flat().length) {
      this.roll.askFor(missing);
      this.show();
    } else this.onward();
    if (this.roll.missing.length) focus(this.form, "[aria-invalid]");
    else if (!next) focus(this.asking, "input");
  }
  /** Plays on, and shows where that led. */
  onward() {
    const roll = this.roll;
    roll.advance();
    if (roll.complaints.length && !roll.next && roll.bout.answers.length) {
      const wrong = roll.complaints;
      roll.retract();
      roll.advance();
      roll.complaints = wrong;
    }
    this.show();
  }
  /** @param {string} text */
  remember(text) {
    this.history = [text, ...this.history].slice(0, KEPT);
    this.status.textContent = text;
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
    const roll = this.roll, { question, complaints, over } = roll;
    renew(this.asking, complaints.map(alarm), question && !over && questionForm(this, question),
      over && roll.typed.length > 0 && alarm(say("roll left over", { faces: roll.typed.join(" ") })));
    if (question) this.status.textContent = this.asking.querySelector("legend")?.textContent ?? "";
    renew(this.outcome, over && resultElements(this));
    this.fields.forEach((fields, side) => fields.forEach(({ entry, element }) => {
      if (roll.missing[side]?.includes(entry)) element.querySelector("input")?.setAttribute("aria-invalid", "true");
    }));
    this.showOdds();
    if (over) this.remember(summarize(roll));
  }
  /** The same dice once more, after a change. @param {() => void} change @param {string} selector  what has the focus then */
  redo(change, selector) {
    const roll = this.roll;
    if (roll.over) this.history.shift();
    change();
    roll.typed = [];
    roll.again();
    this.show();
    focus(this, roll.question ? CONTROLS : selector);
  }
  /** Odds for what the controls say; where the last roll fell is marked. */
  showOdds() {
    const rule = this.rule, all = this.inputs;
    for (const { element, read } of this.fields.flat()) if (read()) element.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
    const inputs = Object.fromEntries(all.flatMap((side, at) => Object.entries(side).map(([name, value]) => [inputPrefix(rule, at) + name, value])));
    const roll = this.roll, found = hasDice(rule) ? odds(rule, inputs).odds : null;
    const same = roll?.over && JSON.stringify(roll.asked) === JSON.stringify(all), here = !same ? "" : rule.contest ? roll.winner : roll.bout.result?.outcome?.name ?? "";
    renew(this.chances, found && Object.keys(found.chances).length > 0 && make("table", "rw-bars", make("caption", {}, say("odds at start")),
      make("tbody", {}, bars(found.chances, here, rule.contest ? sideName : String))));
  }
  /** @param {string} text */
  async copy(text) {
    const done = await navigator.clipboard?.writeText(text).then(() => true, () => false), note = say(done ? "roll copied" : "roll copy yourself");
    const box = done ? null : make("textarea", { readonly: true, rows: 6, "aria-label": note }, text);
    renew(this.asking, make("p", "rw-note", note, box));
    this.status.textContent = note;
    box?.select();
  }
  /** A roll that a link tells: checked, then shown. @param {URLSearchParams} link */
  replay(link) {
    this.arrived = location.hash;
    this.build(Object.fromEntries(link));
    const roll = sessionFromLink(this.rule, link), { complaints, bouts } = roll;
    if (!complaints.length && roll.over) {
      roll.asked = this.inputs;
      this.roll = roll;
      this.isLoaded = true;
      this.show();
    } else if (bouts.length || complaints.length) renew(this.asking, alarm([say("roll bad link"), ...complaints].join(" ")));
    this.scrollIntoView({ block: "nearest" });
  }
}
/** A roll that the address tells. */
function arrive() {
  const rollers = /** @type {Roller[]} */ ([...document.querySelectorAll("rule-roller")]);
  for (const one of rollers) if (one.arrived && one.arrived !== location.hash) one.refresh();
  hideMessage();
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

