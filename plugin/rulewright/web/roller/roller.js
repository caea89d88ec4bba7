// What the loader (site/loader.js) gets from this script: the cards that roll. It is left at the script's own element.
/** @import {RollerScript} from "../engine/parts.d.ts" */
import { Card } from "./card.js";
import { complain, openDialog } from "./dialog.js";
import { receive, ruleOf } from "./page-data.js";
import { say } from "../engine/messages.js";

/** A roll that the address tells: by the first card of its rule, or above the page. */
async function arrive() {
  const found = /^#roll:([^/?]*)\/([^/?]*)\?(.*)$/s.exec(location.hash) ?? ["", "", "", ""];
  const [game, rule] = [found[1], found[2]].map((one) => new URLSearchParams(`x=${one}`).get("x") ?? "");
  const hosts = /** @type {any[]} */ ([...document.querySelectorAll("rule-card[data-button]:not(.rw-oneline)")]);
  const host = hosts.find(({ dataset }) => dataset.game === game && dataset.rule === rule && ruleOf(game, rule))
    ?? openDialog(say("roller"), { game, rule, inputs: "" });
  if (host) (await host.open()).replay(new URLSearchParams(found[3]));
  else complain(say("roll bad link"));
}
/** An example of one line rolls above the page. @param {HTMLElement} host */
const openLine = (host) => ({
  press: async () => {
    const { game = "", rule = "", inputs = "" } = host.dataset, card = openDialog(host.getAttribute("aria-label") ?? "", { game, rule, inputs });
    if (card) (await card.open()).press(card.querySelector(".rw-roll"));
  },
  replay: () => {},
});
/** @type {RollerScript} */
const script = {
  receive, arrive, open: (host) => (host.matches(".rw-oneline") ? openLine(host) : new Card(host)),
  dialog: (opener, roll) => void openDialog(opener.textContent ?? "", roll),
};
/** @type {any} */ (document.currentScript).data = script;
