// A small bar with the last result, shown while the roller is scrolled out of sight on a phone.
import { button, make } from "./dom.js";
import { say } from "../engine/messages.js";

/** @type {HTMLElement | null} */
let tray = null;
/** @type {IntersectionObserver | null} */
let watcher = null;
/** @param {string} text @param {HTMLElement | null} place  where it stands in full; nowhere for a message */
export function showTray(text, place) {
  hideTray();
  const back = () => place?.scrollIntoView({ block: "center" });
  tray = make("div", { class: place ? "rw-tray rw-card" : "rw-tray rw-card rw-plea", role: "region", "aria-label": say("roll tray"), hidden: !!place, "data-search-exclude": true },
    place ? button(text, back, { class: "rw-button rw-back" }) : make("p", { role: "alert" }, text), button("×", hideTray, { "aria-label": say("roll close") }));
  document.body.append(tray);
  if (!place) return;
  const own = tray;
  watcher = new IntersectionObserver(([{ isIntersecting }]) => {
    own.hidden = isIntersecting;
    if (!place.isConnected) hideTray();
  });
  watcher.observe(place);
}
export function hideTray() {
  watcher?.disconnect();
  tray?.remove();
}
/** A message about a link goes with the link. */
export function hideMessage() {
  if (tray?.matches(".rw-plea")) hideTray();
}
