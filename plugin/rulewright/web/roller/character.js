// Fields for a sum of traits, and the reader's character: traits with numbers, stored on the device on request.
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Card} from "./card.js" */
/** @import {Rule} from "../engine/parts.d.ts" */
import { labelled, make } from "./dom.js";
import { gather, sample } from "../engine/traits.js";
import { say } from "../engine/messages.js";

/** @type {Map<string, string>} */
const characters = new Map();
/** @param {T.Loaded} game */
function characterOf(game) {
  const name = `rulewright character ${game.folder || game.title}`;
  const stored = (/** @type {(storage: Storage) => any} */ use) => {
    try {
      return use(localStorage);
    } catch {
      return null; // a page from a disk, or a browser that keeps nothing
    }
  };
  const kept = stored((storage) => storage.getItem(name));
  return {
    text: characters.get(name) ?? kept ?? "", kept: kept !== null,
    keep: (/** @type {string} */ text, /** @type {boolean} */ asked) => {
      characters.set(name, text);
      stored((storage) => (asked ? storage.setItem(name, text) : storage.removeItem(name)));
    },
  };
}
/** "Precision + Firearms" with the values of a character behind the names. @param {string} sum @param {string} character */
function withValues(sum, character) {
  const lines = character.split(/[\n,;]/).flatMap((line) => [/^\s*(.*?\S)[\s:]+((?:none|d?\d+|\d+d)(?:\s*\+\s*\d+)?)\s*$/i.exec(line) ?? []]);
  const own = new Map(lines.map(([, name = "", value = ""]) => [name.toLowerCase(), value]));
  return sum.split("+").map((piece) => `${piece.trimEnd()} ${own.get(piece.trim().toLowerCase()) ?? ""}`.trim()).join(" + ");
}
/** A sum of traits that fills the inputs of a side, what is wrong with it, and the character whose values it knows.
 * @param {Card} card @param {Rule} rule @param {number} side */
export function traitFields(card, rule, side) {
  const { game } = rule, note = make("p", { class: "rw-note", role: "status", hidden: true });
  const names = Object.values(game.register).flatMap((category) => category.names), own = characterOf(game);
  const box = make("input", { type: "text", autocomplete: "off", placeholder: sample(rule) ?? null });
  const keep = make("input", { type: "checkbox" }), text = make("textarea", { rows: 8, spellcheck: "false" });
  /** @type {Record<string, string>} inputs as they were before traits changed them */
  let before = {};
  const fill = () => {
    const fields = card.fields[side], write = (/** @type {Record<string, any>} */ all) => {
      for (const one of fields) if (one.entry.name in all) one.write(String(all[one.entry.name]));
    };
    write(before);
    const given = card.inputs[side], found = box.value.trim() ? gather(rule, withValues(box.value, text.isConnected ? text.value : characterOf(game).text), given) : null;
    before = Object.fromEntries(Object.keys(found?.inputs ?? {}).filter((name) => !rule.traits?.into.includes(name)).map((name) => [name, String(given[name] ?? "")]));
    write(found?.inputs ?? {});
    card.traits = found && !found.complaints.length ? found.names : null;
    note.hidden = !found?.complaints.length;
    note.textContent = found?.complaints.map(({ message }) => message).join("; ") ?? "";
    card.changed();
  };
  const store = () => own.keep(text.value, keep.checked);
  [text.value, keep.checked] = [own.text || names.join("\n"), own.kept];
  box.addEventListener("change", fill);
  text.addEventListener("change", () => (store(), fill()));
  keep.addEventListener("change", store);
  return [labelled(say("roll traits"), box), note,
    make("details", "rw-character", make("summary", {}, say("roll character")), labelled(say("roll character told"), text),
      make("label", "rw-field rw-tick", keep, make("span", {}, say("roll keep"))))];
}
