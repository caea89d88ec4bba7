// Example cards that can be rolled again, and words of a sentence that open a roller.
import { button, focus, make, renew } from "./dom.js";
import { page, ruleOf, hasDice } from "./page-data.js";
import { say } from "../engine/messages.js";

/** An example that can be rolled anew. */
export class Card extends HTMLElement {
  connectedCallback() {
    const { kind, game = "", rule = "", inputs = "" } = this.dataset;
    const own = kind === "example" && page() ? ruleOf(game, rule) : null, roll = { "data-game": game, "data-rule": rule, "data-inputs": inputs };
    if (!own || this.querySelector(".rw-again")) return;
    const place = make("div", {}), name = say(hasDice(own) ? "roll yourself" : "roll work out");
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
export function rollable(link) {
  const [, name, query] = /** @type {RegExpExecArray} */ (/^([^?]*)\??(.*)$/s.exec(link.dataset.roll ?? "")), params = new URLSearchParams(query);
  const cut = name.lastIndexOf("/"), game = cut < 0 ? params.get("game") ?? page()?.home ?? "" : name.slice(0, cut);
  params.delete("game");
  if (link.querySelector("button") || !ruleOf(game, name.slice(cut + 1))) return;
  const click = () => dialog(link, link.textContent ?? "", { "data-game": game, "data-rule": name.slice(cut + 1), "data-inputs": params });
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
