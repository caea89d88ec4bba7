// Chips: the inputs of a card in a few words each. A press opens the control of one under them, or sets a flag.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {RollSession} from "./roll-session.js" */
/** @import {Child, Field, Rule} from "../engine/parts.d.ts" */
import { declaredChips } from "./asked-inputs.js";
import { focus, make, renew } from "./dom.js";
import { inputPrefix, kindName, labelOf, lower, minus, sidesOf } from "./page-data.js";
import { missingInputs } from "../engine/partial-result.js";
import { shown } from "../engine/inputs.js";
import { say } from "../engine/messages.js";

/** What the panel shows that belongs to no chip alone. */
export const MORE = "more", WANTED = "wanted";
const ROOM_FOR_MENU = 34; // pixels at the right of the first line

/** The kind of dice whose number is this input alone; empty where no others begin the roll. @param {Rule} rule @param {T.Input} entry */
function countedKind(rule, entry) {
  const first = rule.dice.filter(({ count }) => count?.tree !== 0);
  const own = first.find(({ count }) => String(count?.tree) === `name,${entry.name}`);
  return own && (first.length > 1 ? kindName(rule, own.name) : "");
}
/** "5 dice", "difficulty 6". @param {Rule} rule @param {Field} field */
function chipText(rule, { entry, read }) {
  const label = lower(labelOf(entry)), value = read(), kind = countedKind(rule, entry);
  if (entry.form === "flag") return label;
  if (!value) return say("setting", { name: label, value: "?" });
  if (entry.form === "number" && kind !== undefined && /^\d+$/.test(value))
    return say(value === "1" ? "chip die" : "chip dice", { number: value, kind }).replace("  ", " ");
  if (entry.form === "die" || entry.form === "code") {
    const die = value === "none" ? say("none") : value;
    return rule.inputs.filter(({ form }) => form === entry.form).length > 1 ? say("chip sides", { die, name: label }) : die;
  }
  const name = entry.named.find(([, number]) => String(number) === value)?.[0], number = minus(value);
  return say("setting", { name: label, value: name ? say("named number", { name, number }) : number });
}
/** The chips of a card as buttons; those that are there stay where they are. */
export class Chips {
  /** @param {Card} card @param {HTMLElement} list @param {HTMLElement} panel  opens under the chips */
  constructor(card, list, panel) {
    /** @type {Card} */
    this.card = card;
    this.list = list;
    this.panel = panel;
    this.open = "";
    /** What the chips say. @type {Map<string, string>} */
    this.values = new Map();
    /** What the book declares once the dice lie. @type {HTMLElement[]} */
    this.printed = [];
    /** What a reader declares then. @type {HTMLElement[]} */
    this.declared = [];
    list.style.scrollPaddingRight = "5em"; // for "More", which lies over the chips
    list.addEventListener("focusin", ({ target }) => { // not for a mouse: what moves away is not pressed
      const chip = /** @type {Element} */ (target);
      if (chip.matches(':focus-visible:not([data-input="more"] *)')) chip.scrollIntoView({ block: "nearest", inline: "nearest" });
    });
    const { left, width } = list.getBoundingClientRect();
    this.isBeside = left > this.box.left + 1;
    this.isWide = width > this.box.width - ROOM_FOR_MENU;
    for (const chip of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-input]")))
      if (this.find(chip.dataset.input ?? "")) this.enliven(chip, chip.textContent ?? "");
      else {
        delete chip.dataset.input;
        this.printed.push(chip);
      }
    this.height = this.box.height;
    this.keepLine();
    if (this.hasMore) this.add(MORE, say("roll inputs"));
    this.follow();
  }
  /** Chips stay on their line, whatever the title says: beside it they move sideways, and below it they stay below; so do
   * those for which a shorter title leaves a line. */
  keepLine() {
    const { style } = this.list, whole = this.box, room = `${Math.floor(whole.width) - ROOM_FOR_MENU}px`;
    style.width = this.isBeside ? "" : this.isWide ? "100%" : room;
    if (!this.isBeside) return;
    style.maxWidth = room;
    if (this.list.getBoundingClientRect().left <= whole.left + 1 && this.box.height <= this.height) style.width = room;
    else {
      style.maxWidth = "1px";
      style.maxWidth = `${Math.floor(whole.right - this.list.getBoundingClientRect().left) - ROOM_FOR_MENU}px`;
    }
  }
  /** The first lines of the card. */
  get box() {
    return /** @type {HTMLElement} */ (this.list.parentElement).getBoundingClientRect();
  }
  /** Choices and points of the reader's roll in place of those in the book. @param {RollSession | null} roll */
  declare(roll) {
    for (const chip of this.declared) chip.remove();
    this.declared = roll ? declaredChips(this.card, roll) : [];
    for (const chip of this.printed) chip.hidden = !!roll;
    this.list.prepend(...this.declared);
    if (this.declared.length) this.list.scrollLeft = 0;
  }
  /** @param {string} name */
  chip(name) {
    return /** @type {HTMLElement | undefined} */ ([...this.list.children].find((one) => /** @type {HTMLElement} */ (one).dataset.input === name));
  }
  /** @param {HTMLElement} chip @param {string} text */
  enliven(chip, text) {
    const own = this.find(chip.dataset.input ?? ""), isFlag = own?.field.entry.form === "flag";
    if (own) this.values.set(own.name, own.field.read());
    renew(chip, make("button", { type: "button", ...(isFlag ? { "aria-pressed": "true" } : { "aria-expanded": "false" }) }, text));
  }
  /** @param {string} name @param {string} text */
  add(name, text) {
    const chip = make("li", { class: "rw-chip", "data-input": name });
    this.enliven(chip, text);
    this.list.insertBefore(chip, this.chip(MORE) ?? null);
    chip.before(" ");
  }
  /** @param {string} name */
  find(name) {
    return this.all.find((one) => one.name === name);
  }
  /** @returns {{side: Rule, at: number, field: Field, name: string}[]} */
  get all() {
    const { rule, fields } = this.card;
    return sidesOf(rule).flatMap((side, at) => fields[at].filter(({ entry }) => entry.label !== "").map((field) => ({ side, at, field, name: inputPrefix(rule, at) + field.entry.name })));
  }
  /** Inputs without a chip; of those that may be unknown, a contest needs only what it compares. */
  get rest() {
    const { contest } = this.card.rule;
    return this.all.filter(({ side, field: { entry }, name }) => !this.chip(name) && !(contest && entry.open && !missingInputs(side, {}, contest.compare).includes(entry)));
  }
  /** Every chip says what its control says; an input that has been changed gets a chip. */
  follow() {
    for (const { side, at, field, name } of this.all) {
      const { entry } = field, value = field.read(), box = this.chip(name)?.firstElementChild, own = chipText(side, field);
      const before = /** @type {HTMLElement | null | undefined} */ ((this.chip(name) ?? this.chip(MORE))?.previousElementSibling);
      const isNamed = this.card.rule.contest && !before?.dataset.input?.startsWith(inputPrefix(this.card.rule, at));
      const text = isNamed ? say("chip of side", { side: this.card.sideNames[at], chip: own }) : own;
      if (box && this.values.get(name) !== value) box.textContent = text;
      if (box) this.values.set(name, value);
      if (box && entry.form === "flag") box.setAttribute("aria-pressed", String(value === "yes"));
      if (!box && this.open !== MORE && value !== (entry.default === null ? "" : shown(entry, entry.default))) this.add(name, text);
    }
    if (!this.hasMore) this.chip(MORE)?.remove();
  }
  get hasMore() {
    return this.rest.length > 0 || sidesOf(this.card.rule).some(({ traits }) => traits);
  }
  /** @param {string} name */
  press(name) {
    const flag = this.find(name)?.field;
    if (flag?.entry.form !== "flag") return this.open === name ? this.close() : this.unfold(name);
    flag.write(flag.read() === "yes" ? "no" : "yes");
    this.card.changed();
  }
  /** @param {string} name */
  unfold(name) {
    this.close(false);
    this.open = name;
    const own = this.find(name);
    if (own) renew(this.panel, own.field.element);
    else this.lay(this.rest, this.card.traitParts);
    this.panel.hidden = false;
    this.chip(name)?.firstElementChild?.setAttribute("aria-expanded", "true");
    focus(this.panel, "button, input, select");
  }
  /** Controls with their labels, in a contest by side. @param {Chips["all"]} list @param {Child[][]} more @param {Child} [lead] */
  lay(list, more, lead) {
    const { rule, sideNames } = this.card;
    renew(this.panel, lead, sidesOf(rule).map((_, at) => {
      const own = [...list.filter((one) => one.at === at).map(({ field }) => field.element), ...more[at] ?? []];
      return own.length > 0 && make(rule.contest ? "fieldset" : "div", "rw-fields", rule.contest && make("legend", {}, sideNames[at]), own);
    }));
  }
  /** Opens just the inputs that must be given; whether they were open before. @param {T.Input[][]} missing */
  demand(missing) {
    const list = this.all.filter(({ at, field }) => missing[at].includes(field.entry));
    if (this.open === WANTED && list.every(({ field }) => this.panel.contains(field.element))) return true;
    this.close(false);
    this.open = WANTED;
    this.lay(list, [], make("p", "rw-told", say("roll wanted")));
    this.panel.hidden = false;
    return false;
  }
  /** @param {boolean} back  whether the chip gets the focus */
  close(back = this.panel.contains(document.activeElement)) {
    if (!this.open) return;
    const name = this.open;
    this.open = "";
    this.chip(name)?.firstElementChild?.setAttribute("aria-expanded", "false");
    if (back) /** @type {HTMLElement} */ (document.activeElement).blur(); // a field ends its change before it goes
    this.panel.hidden = true;
    renew(this.panel);
    this.follow();
    if (back) focus(/** @type {HTMLElement} */ (this.chip(name) ?? this.list.lastElementChild), "button");
  }
}
