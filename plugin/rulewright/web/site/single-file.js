// Behavior of a book in a single file: finds sections, explains terms, remembers light or dark.
/** @import {Places, Section} from "./single-file-search.js" */
import { places, plain, search } from "./single-file-search.js";

const root = document.documentElement;
/** @param {string} css @returns {HTMLElement} */
const one = (css) => /** @type {HTMLElement} */ (document.querySelector(css));
/** @param {string} css @returns {HTMLElement[]} */
const all = (css) => [...document.querySelectorAll(css)].map((element) => /** @type {HTMLElement} */ (element));
/** @param {string} tag @param {string} text */
const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
const HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]", APART = /^(?:P|LI|T[DHR]|D[TDLI]V?|PRE|BR|BLOCKQUOTE)$/;
const SILENT = "[data-search-exclude], .toc, .cover, svg";
const MOST = 12;
root.classList.add("script");

// ---- sections

/** @returns {Section[]} */
function sections() {
  /** @type {Section[]} */
  const found = [];
  /** @type {[number, string][]} */
  let above = [];
  const walker = document.createTreeWalker(one("main"), NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(SILENT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const last = found[found.length - 1];
    if (node instanceof HTMLElement && node.matches(HEADINGS)) {
      const level = Number(node.ariaLevel ?? node.tagName[1]), title = (node.textContent ?? "").trim();
      above = above.filter(([other]) => other < level);
      found.push({ heading: node, title, trail: above.map(([, text]) => text).join(" › "), text: "" });
      above.push([level, title]);
    } else if (!last) continue;
    else if (node instanceof Element) last.text += APART.test(node.tagName) ? " " : "";
    else if (!node.parentElement?.closest(HEADINGS)) last.text += node.nodeValue;
  }
  for (const section of found) section.text = section.text.replace(/\s+/g, " ").trim();
  return found;
}

/** The words around the first hit. @param {Section} section @param {string[]} hits */
function excerpt(section, hits) {
  const line = make("small", ""), wanted = new Set(hits);
  const tokens = section.text.split(/([\p{L}\p{N}\p{M}]+)/u);
  const is = (/** @type {string} */ token) => wanted.has(plain(token));
  const first = Math.max(tokens.findIndex(is) - 14, 0);
  if (first) line.append("… ");
  for (const token of tokens.slice(first, first + 44)) line.append(is(token) ? make("mark", token) : token);
  return line;
}

// ---- the box for searching

const input = /** @type {HTMLInputElement} */ (one("#find")), panel = one(".found"), list = one("#found"), state = one(".state");
/** @type {[Section[], Places] | undefined} */
let index;
/** @type {[Section, string[]][]} */
let hits = [];
let here = 0;

function show() {
  index ??= ((found) => /** @type {[Section[], Places]} */ ([found, places(found)]))(sections());
  hits = search(input.value, ...index);
  const number = hits.length, { none = "", one: single = "", some = "" } = state.dataset;
  state.textContent = number > 1 ? some.replace("%", String(number)) : number ? single : none;
  list.replaceChildren(...hits.slice(0, MOST).map(([section, words], at) => {
    const item = make("li", "");
    Object.assign(item, { id: `found-${at}`, role: "option", onclick: () => go(at) });
    item.append(make("small", section.trail), make("strong", section.title), excerpt(section, words));
    return item;
  }));
  open(Boolean(input.value.trim()));
  choose(0);
}

/** @param {boolean} wanted */
function open(wanted) {
  panel.hidden = !wanted;
  input.ariaExpanded = String(wanted);
}

/** @param {number} number */
function choose(number) {
  const items = [...list.children];
  here = items.length ? (number + items.length) % items.length : 0;
  items.forEach((item, at) => (item.ariaSelected = String(at === here)));
  input.setAttribute("aria-activedescendant", items.length ? `found-${here}` : "");
  items[here]?.scrollIntoView({ block: "nearest" });
}

/** @param {number} number */
function go(number) {
  const heading = hits[number]?.[0].heading;
  if (!heading) return;
  open(false);
  location.hash = heading.id || heading.closest("[id]")?.id || "";
  heading.tabIndex = -1;
  heading.focus();
}

input.addEventListener("input", show);
input.addEventListener("focus", () => input.value && show());
input.addEventListener("keydown", (event) => {
  const key = event.key;
  if (key === "Escape" && panel.hidden) input.value = "";
  else if (key === "Escape") open(false);
  else if (key === "ArrowDown") choose(here + 1);
  else if (key === "ArrowUp") choose(here - 1);
  else if (key === "Enter") go(here);
  else return;
  event.preventDefault();
});
addEventListener("keydown", (event) => {
  const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
  if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey && (event.key === "/" || event.key === "s")) {
    event.preventDefault();
    input.focus();
  }
});
addEventListener("click", (event) => {
  if (event.target instanceof Node && !one(".find").contains(event.target)) open(false);
});

// ---- light and dark

const button = one(".scheme"), night = matchMedia("(prefers-color-scheme: dark)");
const kept = () => { try { return localStorage.getItem("scheme"); } catch { return null; } };
const isDark = () => (root.dataset.mdColorScheme ?? (night.matches ? "slate" : "")) === "slate";
function scheme(/** @type {string | null} */ name) {
  if (name) root.dataset.mdColorScheme = name;
  button.ariaPressed = String(isDark());
}
scheme(kept());
night.addEventListener("change", () => scheme(null));
button.addEventListener("click", () => {
  scheme(isDark() ? "default" : "slate");
  try { localStorage.setItem("scheme", root.dataset.mdColorScheme ?? ""); } catch { /* then it lasts until the file is closed */ }
});

// ---- words that are explained

const tip = Object.assign(make("div", ""), { id: "tip", role: "tooltip", hidden: true });
/** @type {HTMLElement | null} */
let explained = null;
function hide() {
  if (explained) explained.title = tip.textContent ?? "";
  explained?.removeAttribute("aria-describedby");
  explained = null;
  tip.hidden = true;
}
function explain(/** @type {HTMLElement} */ word) {
  if (word === explained) return;
  hide();
  tip.textContent = word.title;
  word.title = "";
  word.setAttribute("aria-describedby", "tip");
  explained = word;
  tip.hidden = false;
  const place = word.getBoundingClientRect(), left = Math.min(place.left, innerWidth - tip.offsetWidth - 8);
  const top = place.bottom + tip.offsetHeight + 8 > innerHeight ? place.top - tip.offsetHeight - 6 : place.bottom + 6;
  Object.assign(tip.style, { left: `${Math.max(left, 8) + scrollX}px`, top: `${top + scrollY}px` });
}
one("main").append(tip);
const titles = new Map(all("abbr[data-term][title]").map((word) => [word.dataset.term, word.title]));
for (const word of all("main abbr")) {
  word.title ||= titles.get(word.dataset.term) ?? "";
  word.tabIndex = 0;
  for (const name of ["pointerenter", "focus", "click"]) word.addEventListener(name, () => explain(word));
  for (const name of ["pointerleave", "blur"]) word.addEventListener(name, hide);
}
addEventListener("keydown", (event) => event.key === "Escape" && hide());

// ---- contents, and what is wider than the page

const wide = matchMedia("(min-width: 64rem)"), contents = /** @type {HTMLDetailsElement} */ (one(".contents details"));
const fold = () => (contents.open = wide.matches);
wide.addEventListener("change", fold);
fold();
contents.addEventListener("click", (event) => {
  if (!wide.matches && event.target instanceof HTMLAnchorElement) contents.open = false;
});
const lines = new Map(all(".contents > details > ol > li").map((line) => [line.querySelector("a")?.hash.slice(1), line]));
const watch = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen)
    lines.get(encodeURI(target.id))?.classList.toggle("here", isIntersecting);
}, { rootMargin: "-30% 0px -69% 0px" });
for (const page of all("article")) watch.observe(page);
function reach() {
  for (const box of all("main pre, main table")) box.tabIndex = box.scrollWidth > box.clientWidth ? 0 : -1;
}
addEventListener("resize", reach);
reach();
one(".find").hidden = button.hidden = false;
