// Dice that have come to rest: all ways in which a die can, and how likely each is.
/** @import {Ready, Rest, Space} from "./parts.d.ts" */
import { add } from "./messages.js";

/** All ways in which one die can come to rest. @param {Ready} ready @param {Set<number>} asked @param {Space} space @param {boolean} eager @returns {Rest[]} */
export function restsOf(ready, asked, space, eager) {
  const { rule } = ready.setting, { number: kind, faces } = ready, compared = rule.rerolls.length || ready.kind.keep;
  const valued = compared || rule.tallies.some(({ perThrow, run, function: way }) => !perThrow && (run || way !== "count"));
  const weights = new Map();
  for (const face of faces) add(weights, face, 1 / faces.length);
  /** @type {Map<string, Rest>} */
  const found = new Map();
  /** @type {Map<string, Rest & { last: number }>} */
  let waiting = new Map([["", { kind, value: 0, hits: rule.tallies.map(() => 0), kids: 0, weight: 1, last: 0 }]]);
  for (let count = 1; waiting.size; count++) {
    const after = new Map();
    let pending = 0;
    for (const so of waiting.values())
      for (const [face, share] of weights) {
        space.spend(100);
        const landing = ready.land(face, so.last, count), weight = so.weight * share;
        const hits = only(asked, so.hits.map((hit, place) => hit + landing.hits[place]));
        const kids = so.kids + (eager || !landing.mayDecline ? landing.earns : 0), value = valued ? so.value + face : 0;
        const onward = landing.explodes && (eager || !landing.mayStop);
        pending += onward ? weight : 0;
        tally(onward ? after : found, { kind, value, hits, kids, weight, last: onward && ready.telling ? face : 0 });
      }
    waiting = pending < 1e-20 ? new Map() : after;
  }
  const rests = new Map();
  for (const rest of found.values())
    tally(rests, { ...rest, hits: only(asked, ready.rested(rest.hits, rest.value)), value: compared ? rest.value : 0 });
  return [...rests.values()];
}
/** @param {Set<number>} asked @param {number[]} hits */
export const only = (asked, hits) => hits.map((hit, place) => (asked.has(place) ? hit : 0));
/** @param {Map<string, Rest>} found @param {any} rest */
export function tally(found, rest) {
  const key = `${rest.last},${rest.kind},${rest.value},${rest.kids},${rest.hits}`, known = found.get(key);
  if (known) known.weight += rest.weight;
  else found.set(key, rest);
}
/** @param {Rest} rest */
export const nameOf = ({ kind, value, hits, kids }) => `${kind} ${value} ${hits} ${kids}`;
