// The final states of one die after all its throws, with their probabilities.
/** @import {DicePool, FinalState, StateSpace} from "./parts.d.ts" */
import { add } from "./messages.js";

/** All ways in which one die can come to rest. @param {DicePool} pool @param {Set<number>} asked @param {StateSpace} space @param {boolean} eager @returns {FinalState[]} */
export function finalStates(pool, asked, space, eager) {
  const { rule } = pool.bound, { number: kind, faces } = pool, compared = rule.rerolls.length || pool.kind.keep;
  const valued = compared || rule.tallies.some(({ perThrow, run, function: way }) => !perThrow && (run || way !== "count"));
  const weights = new Map();
  for (const face of faces) add(weights, face, 1 / faces.length);
  /** @type {Map<string, FinalState>} */
  const found = new Map();
  /** @type {Map<string, FinalState & { last: number }>} */
  let waiting = new Map([["", { kind, value: 0, hits: rule.tallies.map(() => 0), kids: 0, weight: 1, last: 0 }]]);
  for (let count = 1; waiting.size; count++) {
    const after = new Map();
    let pending = 0;
    for (const so of waiting.values())
      for (const [face, share] of weights) {
        space.spend(100);
        const landing = pool.transition(face, so.last, count), weight = so.weight * share;
        const hits = onlyAsked(asked, so.hits.map((hit, place) => hit + landing.hits[place]));
        const kids = so.kids + (eager || !landing.mayDecline ? landing.earns : 0), value = valued ? so.value + face : 0;
        const onward = landing.explodes && (eager || !landing.mayStop);
        pending += onward ? weight : 0;
        addState(onward ? after : found, { kind, value, hits, kids, weight, last: onward && pool.hasHistory ? face : 0 });
      }
    waiting = pending < 1e-20 ? new Map() : after;
  }
  const rests = new Map();
  for (const rest of found.values())
    addState(rests, { ...rest, hits: onlyAsked(asked, pool.finalHits(rest.hits, rest.value)), value: compared ? rest.value : 0 });
  return [...rests.values()];
}
/** @param {Set<number>} asked @param {number[]} hits */
export const onlyAsked = (asked, hits) => hits.map((hit, place) => (asked.has(place) ? hit : 0));
/** @param {Map<string, FinalState>} found @param {any} rest */
export function addState(found, rest) {
  const key = `${rest.last},${rest.kind},${rest.value},${rest.kids},${rest.hits}`, known = found.get(key);
  if (known) known.weight += rest.weight;
  else found.set(key, rest);
}
/** @param {FinalState} rest */
export const stateKey = ({ kind, value, hits, kids }) => `${kind} ${value} ${hits} ${kids}`;
