// Inputs that change, by a point that is spent or because a trait has no dots.
/** @import * as T from "./engine.d.ts" */
/** @import {Formula, Rule} from "./parts.d.ts" */
import { bind } from "./inputs.js";
import { named } from "./rule.js";
import { bound, exactly, told } from "./intervals.js";

/** A formula over inputs that may not all be known; null where it cannot be told.
 * @param {Rule} rule @param {Formula} formula @param {T.Inputs} inputs */
export function workedOut(rule, { names, tree }, inputs) {
  const known = named(rule, bind(rule, inputs)[0]);
  if (!names.every((name) => name in known)) return null;
  return told(bound(tree, Object.fromEntries(Object.entries(known).map(([name, value]) => [name, exactly(value)])), [], rule.game));
}
