// Adds a Roll button to each card and makes buttons of `roll:` links. The roller, its words and the data of a game load
// when a reader first touches one of them.
/** @import {OpenCard, RollerScript} from "../engine/parts.d.ts" */
/** @typedef {HTMLScriptElement & {data?: any}} DataScript  a file leaves what it holds at its own element */
(() => {
  const own = /** @type {HTMLScriptElement} */ (document.currentScript), known = /** @type {any} */ (customElements.get("rule-card"));
  if (known) return known.look(own); // a theme has changed the page without loading it
  let page = own.dataset;
  /** @type {Record<string, Promise<any>>} */
  const files = {};
  /** @param {string} name */
  function file(name) {
    const inline = /** @type {DataScript | null} */ (document.querySelector(`script[data-file="${name}"]`));
    return inline ? inline.data : (files[name] ??= new Promise((done, fail) => {
      const script = /** @type {DataScript} */ (document.createElement("script"));
      script.onload = () => done(script.data);
      script.onerror = () => (delete files[name], fail(script.src));
      script.src = new URL(`${name}.js`, own.src).href;
      document.head.append(script);
    }));
  }
  const games = () => JSON.parse(page.games ?? "{}");
  /** The roller, once it knows the words of the page and a game. @param {string} game @returns {Promise<RollerScript>} */
  async function load(game) {
    const name = games()[game];
    const [roller, words, data] = await Promise.all([file("roller"), file(page.words ?? ""), name && file(name)]);
    roller.receive(words, game, data, async () => (await file("odds"))(roller.parts));
    return roller;
  }
  /** @param {string} text @param {Record<string, string>} looks */
  const button = (text, looks) => Object.assign(document.createElement("button"), { type: "button", textContent: text, ...looks });

  const division = (/** @type {string} */ className) => Object.assign(document.createElement("div"), { className });

  class RuleCard extends HTMLElement {
    /** @type {OpenCard | undefined} */
    card;
    static look = look;
    connectedCallback() {
      const { button: name } = this.dataset;
      if (!name || this.querySelector(".rw-roll")) return;
      let place = this.querySelector(".rw-single") ?? this.querySelector(":scope > .rw-scene > .rw-result");
      if (!place) {
        const scene = this.querySelector(":scope > .rw-scene") ?? this.appendChild(division("rw-scene"));
        place = scene.appendChild(division("rw-result"));
      }
      place.append(button(name, { className: "rw-roll" }));
      for (const type of ["pointerenter", "pointerdown", "focusin"]) this.addEventListener(type, () => this.open());
      this.addEventListener("click", async (event) => {
        const target = /** @type {Element} */ (event.target).closest(".rw-roll, .rw-chip");
        if (target) (this.card ?? (await this.open()))?.press(target);
      });
    }
    /** What rolls this card; without it, the next touch tries again. */
    async open() {
      try {
        const roller = await load(this.dataset.game ?? "");
        return (this.card ??= roller.open(this));
      } catch (address) {
        console.warn(address);
      }
    }
  }
  /** @param {HTMLElement} link */
  function prepare(link) {
    const [name, inputs = ""] = (link.dataset.roll ?? "").split(/\?(.*)/s), cut = name.lastIndexOf("/");
    const game = cut < 0 ? page.home ?? "" : name.slice(0, cut), rule = name.slice(cut + 1);
    if (!(game in games()) || link.querySelector("button")) return;
    const opener = button("", { className: "rw-link" });
    opener.setAttribute("aria-haspopup", "dialog");
    opener.append(...link.childNodes);
    link.append(opener);
    opener.onclick = async () => (await load(game)).dialog(opener, { game, rule, inputs });
  }
  /** A roll that the address tells. */
  async function arrive() {
    const [, game] = /^#roll:([^/?]*)\//.exec(location.hash) ?? (location.hash.startsWith("#roll:") ? ["", ""] : []);
    if (game !== undefined) (await load(new URLSearchParams(`x=${game}`).get("x") ?? "")).arrive();
  }
  /** @param {HTMLScriptElement} script */
  function look(script) {
    page = script.dataset;
    for (const link of document.querySelectorAll("[data-roll]")) prepare(/** @type {HTMLElement} */ (link));
    arrive();
  }
  customElements.define("rule-card", RuleCard);
  look(own);
  addEventListener("hashchange", arrive);
})();
