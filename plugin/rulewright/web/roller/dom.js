// Creates and fills elements of the page.
/** @import {Child, Looks} from "../engine/parts.d.ts" */

/** @template {string} K @param {K} tag @param {Looks} [looks] @param {Child[]} children
 * @returns {K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : HTMLElement} */
export const make = (tag, looks = {}, ...children) => /** @type {any} */ (filled(document.createElement(tag), looks, children));
/** @param {string} tag @param {Looks} looks @param {Child[]} children */
export const draw = (tag, looks, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", tag), looks, children);
/** An element with its class, or its attributes and listeners, and with those children that there are.
 * @template {Element} E @param {E} made @param {Looks} looks @param {Child[]} children */
function filled(made, looks, children) {
  for (const [name, value] of Object.entries(typeof looks === "string" ? { class: looks } : looks))
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : String(value));
  made.append(.../** @type {any[]} */ (children).flat(3).filter(Boolean));
  return made;
}
/** @param {Element} place @param {Child[]} children  what stands there now */
export function renew(place, ...children) {
  place.replaceChildren();
  filled(place, {}, children);
}
/** Everything else at a place anew; an element that stays never loses the focus. @param {Element} kept @param {Child[]} before */
export function renewBefore(kept, ...before) {
  for (const other of [.../** @type {Element} */ (kept.parentElement).childNodes]) if (other !== kept) other.remove();
  kept.before(.../** @type {any[]} */ (before).flat(3).filter(Boolean));
}
/** @param {string} text @param {() => void} click @param {Record<string, any>} more */
export const button = (text, click, more = {}) => make("button", { type: "button", class: "rw-button", click, ...more }, text);
/** @param {string} text @param {Child} box  a control with its label */
export const labelled = (text, box) => make("label", "rw-field", make("span", {}, text), box);
/** @param {Looks} looks @param {string} legend @param {Child[]} children */
export const fieldset = (looks, legend, ...children) => make("fieldset", looks, make("legend", {}, legend), children);
/** @param {string} text */
export const alarm = (text) => make("p", { class: "rw-note", role: "alert" }, text);
/** Goes to the first of these that there is. @param {ParentNode} place @param {string[]} selectors */
export const focus = (place, ...selectors) =>
  /** @type {HTMLElement | undefined} */ (selectors.flatMap((one) => [...place.querySelectorAll(one)])[0])?.focus({ preventScroll: true });
