// A card that a reader has touched: its inputs, its roll, and what it showed before.
/** @import {Field, Rule} from "../engine/parts.d.ts" */
import { Chips, WANTED } from "./chips.js";
import { traitFields } from "./character.js";
import { summarize } from "./describe-result.js";
import { alarm, button, focus, make, renew, renewBefore } from "./dom.js";
import { field } from "./input-field.js";
import { showMenu } from "./menu.js";
import { afterRolls, hasDice, inputPrefix, nameSides, ruleOf, sideName, sidesOf } from "./page-data.js";
import { CONTROLS, questionForm } from "./next-question.js";
import { RollSession, missingBySide, missingMessages } from "./roll-session.js";
import { emptyDice, resultLines, thrownDice } from "./scene.js";
import { chance, generator } from "../engine/random.js";
import { SIDES } from "../engine/rule.js";
import { shown } from "../engine/inputs.js";
import { say } from "../engine/messages.js";

const KEPT = 10; // rolls in the history

export class Card {
  roll = /** @type {RollSession | null} */ (null);
  isLoaded = false; // whether a link told the roll
  /** @type {string[]} */ history = [];
  /** @type {Field[][]} */ fields = [];
  /** @type {(HTMLElement | null)[][]} */ traitParts = [];
  /** Aims of rolls, side by side. @type {Record<string, string>[]} */ aims = [];
  /** @type {string[] | null} */ traits = null;
  /** @type {Chips} */ chips;
  settled = ""; // the inputs of the dice that are shown
  frame = 0; // the animation frame that shows the odds
  asking = make("div", "rw-asking");
  status = make("p", { class: "rw-heard", role: "status" });
  menu = make("div", "rw-menu-buttons");
  back = button(say("roll back"), () => this.restore(), { class: "rw-link rw-back" });
  /** What was printed, part by part. @type {Map<Element, ChildNode[]>} */
  printed = new Map();

  /** @param {HTMLElement} host */
  constructor(host) {
    const { game = "", rule = "", inputs = "" } = host.dataset, seed = host.getAttribute("seed");
    this.host = host;
    /** The names of sides by their rolls. @type {Record<string, string>} */
    this.winners = JSON.parse(host.dataset.sides ?? "{}");
    this.rule = nameSides(/** @type {Rule} */ (ruleOf(game, rule)), this.winners);
    this.next = seed === null ? chance() : generator(Number(seed));
    this.start = Object.fromEntries(new URLSearchParams(inputs));
    this.button = /** @type {HTMLElement} */ (host.querySelector(".rw-roll"));
    const names = [...host.querySelectorAll(":scope > .rw-scene > .rw-side > .rw-side-name")].map((name) => name.textContent ?? "");
    this.sideNames = SIDES.map((side, at) => names[at] ?? sideName(side));
    this.readInputs();
    this.settled = JSON.stringify(this.inputs);
    this.result = /** @type {HTMLElement} */ (this.button.parentElement);
    this.scene = /** @type {HTMLElement} */ (this.result.parentElement);
    this.wraps = !!host.querySelector(":scope > .rw-scene > .rw-many");
    if (!host.querySelector(":scope > .rw-head")) renewBefore(this.result, emptyDice(this));
    this.title = this.part(".rw-head > .rw-title", () => this.makeHead());
    const panel = this.part(".rw-menu > .rw-panel", () => this.makeMenu());
    this.how = this.part(".rw-menu > .rw-panel > .rw-worked", () => make("div", "rw-worked"));
    this.bars = this.part(".rw-menu > .rw-panel > .rw-bars", () => panel.appendChild(make("table", "rw-bars")));
    this.stack = this.part(".rw-odds", () => make("div", { class: "rw-odds", role: "img", hidden: true }));
    if (!this.stack.parentElement) this.scene.after(this.stack);
    for (const part of [this.title, this.scene, this.result, this.how, this.bars, this.stack]) this.printed.set(part, [...part.childNodes]);
    this.label = this.stack.getAttribute("aria-label") ?? "";
    this.fold = /** @type {HTMLDetailsElement} */ (panel.parentElement);
    panel.prepend(this.menu, this.how);
    const steps = make("div", { class: "rw-open", hidden: true, input: () => this.changed(), change: () => this.changed() });
    this.head = /** @type {HTMLElement} */ (this.title.parentElement);
    this.head.after(steps);
    this.chips = new Chips(this, this.head.querySelector(".rw-chips") ?? this.head.appendChild(make("ul", "rw-chips")), steps);
    host.prepend(this.status);
    host.addEventListener("keydown", (event) => this.escape(event));
    host.classList.add("rw-live");
    this.explain();
    if (host.dataset.kind === "roller") this.showOdds();
  }
  /** A part of this card, not of a row below it. @param {string} css @param {() => HTMLElement} create @returns {HTMLElement} */
  part(css, create) {
    return this.host.querySelector(`:scope > ${css}`) ?? create();
  }
  makeHead() {
    const title = make("p", "rw-title", make("strong", {}, this.rule.label));
    this.host.prepend(make("div", "rw-head", title));
    return title;
  }
  makeMenu() {
    const panel = make("div", "rw-panel");
    this.host.append(make("details", "rw-menu", make("summary", { "aria-label": say("more about roll") }, "⋯"), panel));
    return panel;
  }
  readInputs() {
    this.fields = sidesOf(this.rule).map((side, at) => side.inputs.filter(({ asked }) => !asked)
      .map((entry) => field(entry, this.start[inputPrefix(this.rule, at) + entry.name] ?? (entry.default === null ? null : shown(entry, entry.default)))));
    this.aims = this.aimsIn(this.start);
    this.traitParts = sidesOf(this.rule).map((side, at) => (side.traits ? traitFields(this, side, at).slice(0, this.rule.contest ? 2 : 3) : []));
  }
  /** The aims of rolls among these. @param {Record<string, string>} given @returns {Record<string, string>[]} */
  aimsIn(given) {
    return sidesOf(this.rule).map((side, at) => Object.fromEntries(side.aimsOfRolls.map(({ name }) => [name, given[inputPrefix(this.rule, at) + name]]).filter(([, text]) => text)));
  }
  /** What the controls say. */
  get inputs() {
    return this.fields.map((side, at) =>
      ({ ...this.aims[at], ...Object.fromEntries(side.map(({ entry, read }) => [entry.name, read().trim()]).filter(([, value]) => value !== "")) }));
  }
  /** @param {string} side  as the engine names it */
  sideName(side) {
    return this.sideNames[SIDES.indexOf(side)] ?? sideName(side);
  }
  /** A press on Roll or on a chip. @param {Element} target */
  press(target) {
    const chip = target.closest("[data-input]");
    if (chip) this.chips.press(chip.getAttribute("data-input") ?? "");
    else if (target === this.button) this.begin(this.next);
  }
  /** @param {KeyboardEvent} event */
  escape(event) {
    if (event.key !== "Escape") return;
    if (this.chips.open) this.chips.close(true);
    else if (this.fold.open) {
      this.fold.open = false;
      focus(this.fold, "summary");
    } else if (this.roll?.question) this.restore();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  /** After a change of a control: the bar follows in the next frame, so that a button that is held never waits. */
  changed() {
    this.chips.follow();
    this.refresh();
    this.fade();
    this.frame ||= requestAnimationFrame(() => this.showOdds());
  }
  /** Dice and outcome fade where they belong to other inputs. */
  fade(settled = this.settled) {
    const { classList } = this.host, isStale = JSON.stringify(this.inputs) !== settled;
    if (isStale && !classList.contains("rw-stale") && this.host.querySelector(":scope > .rw-scene .rw-outcome")) this.status.textContent = say("roll to see");
    this.settled = settled;
    classList.toggle("rw-stale", isStale);
  }
  /** A complaint goes as soon as what it is about is changed. */
  refresh() {
    const { inputs } = this, empty = (this.roll?.missing ?? []).map((some, side) => (some.some(({ name }) => name in inputs[side]) ? [] : some));
    const left = missingMessages(this.rule, empty);
    for (const one of this.asking.querySelectorAll("[role=alert]")) if (!left.includes(one.textContent ?? "")) one.remove();
    for (const { element, read } of this.fields.flat()) if (read()) element.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
  }
  /** @param {(() => number) | null} next  null where a reader types the faces */
  begin(next) {
    const roll = new RollSession(this.rule, this.inputs, next, this.traits), missing = missingBySide(this.rule, this.inputs);
    this.isLoaded = false;
    this.roll = roll;
    if (missing.flat().length) {
      roll.askFor(missing);
      this.show(roll);
    } else this.onward(roll);
    if (roll.missing.flat().length) return this.demand(roll.missing);
    if (this.chips.open === WANTED) this.chips.close(false);
    if (!next) focus(this.asking, "input");
  }
  type() {
    this.fold.open = false;
    this.begin(null);
  }
  /** Shows what must be given; what is still missing after that is an error. @param {import("../engine/engine.d.ts").Input[][]} missing */
  demand(missing) {
    const { panel } = this.chips, isError = this.chips.demand(missing);
    const boxes = this.fields.flatMap((fields, at) => fields.flatMap(({ entry, element }) => (missing[at]?.includes(entry) ? element.querySelector("input") ?? [] : [])));
    if (isError) for (const box of boxes) box.setAttribute("aria-invalid", "true");
    if (isError) panel.append(this.asking);
    else this.asking.replaceChildren();
    this.status.textContent = isError ? "" : panel.querySelector(".rw-told")?.textContent ?? "";
    boxes[0]?.focus({ preventScroll: true });
  }
  /** Plays on, and shows where that led. @param {RollSession} roll */
  onward(roll) {
    roll.advance();
    if (roll.complaints.length && !roll.next && roll.bout.answers.length) {
      const wrong = roll.complaints;
      roll.retract();
      roll.advance();
      roll.complaints = wrong;
    }
    this.show(roll);
  }
  /** @param {RollSession} roll */
  show(roll) {
    const { question, complaints, over } = roll, { asking, result, title } = this;
    const isPending = question && !over;
    renew(asking, complaints.map(alarm), isPending && questionForm(this, roll, question),
      over && [roll.typed.length > 0 && alarm(say("roll left over", { faces: roll.typed.join(" ") }))]);
    if (over || isPending) {
      renewBefore(result, thrownDice(this, roll));
      renewBefore(this.button, over && resultLines(this, roll));
      if (this.host.dataset.kind === "example" && !this.back.isConnected) {
        this.head.style.minHeight = `${this.head.offsetHeight}px`;
        renew(title, make("strong", {}, say("roll yours")), " ", this.back);
        this.chips.keepLine();
      }
      this.chips.declare(roll);
    }
    result.after(asking);
    if (isPending) this.status.textContent = asking.querySelector("legend")?.textContent ?? "";
    if (over) {
      this.fade(JSON.stringify(roll.asked));
      this.remember(roll);
    }
    this.showOdds();
    this.explain();
  }
  /** How the roll works out, and what can be done with it. */
  explain() {
    const { roll } = this, more = roll && afterRolls(() => this.explain());
    if (roll?.over && more) more.explain(this, roll);
    showMenu(this, more);
  }
  /** @param {RollSession} roll */
  remember(roll) {
    const text = summarize(this, roll);
    this.history = [text, ...this.history].slice(0, KEPT);
    this.status.textContent = text;
  }
  /** The same dice once more, after a change. @param {() => void} change @param {string} selector  what has the focus then */
  redo(change, selector) {
    const { roll } = this;
    if (!roll) return;
    if (roll.over) this.history.shift();
    change();
    roll.typed = [];
    roll.again();
    this.show(roll);
    if (roll.question) this.fold.open = false;
    focus(this.host, roll.question ? CONTROLS : selector);
  }
  /** What was printed, with its inputs. */
  restore() {
    this.roll = null;
    this.chips.declare(null);
    this.chips.close(false);
    this.aims = this.aimsIn(this.start);
    this.fields.forEach((fields, at) => fields.forEach(({ entry, write }) =>
      write(this.start[inputPrefix(this.rule, at) + entry.name] ?? (entry.default === null ? "" : shown(entry, entry.default)))));
    this.chips.follow();
    this.fade(JSON.stringify(this.inputs));
    for (const [part, children] of this.printed) part.replaceChildren(...children);
    this.head.style.minHeight = "";
    this.chips.keepLine();
    if (this.stack.firstChild) this.stack.setAttribute("aria-label", this.label);
    else this.showOdds();
    this.explain();
    this.button.focus({ preventScroll: true });
  }
  /** Odds for what the controls say; where the last roll fell is marked. */
  showOdds() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const more = hasDice(this.rule) ? afterRolls(() => this.showOdds()) : null;
    if (more) more.showOdds(this);
    else this.bars.hidden = this.stack.hidden = true;
  }
  /** The roll of a link; a roll that is made before its script has loaded stays. @param {URLSearchParams} link */
  replay(link) {
    const { roll } = this;
    afterRolls(() => roll === this.roll && this.replay(link))?.replay(this, link);
  }
}
