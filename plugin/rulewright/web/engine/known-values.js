// Evaluates formulas over inputs of which some may be unknown.
/** @import * as T from "./engine.d.ts" */
/** @import {Formula, Rule} from "./parts.d.ts" */
import { bind } from "./inputs.js";
import { knownNames } from "./rule.js";
import { valueSet, single, certain } from "./intervals.js";

/** A formula over inputs that may not all be known; null where it cannot be told.
 * @param {Rule} rule @param {Formula} formula @param {T.Inputs} inputs */
export function evaluateKnown(rule, { names, tree }, inputs) {
  const known = knownNames(rule, bind(rule, inputs)[0]);
  if (!names.every((name) => name in known)) return null;
  return certain(valueSet(tree, Object.fromEntries(Object.entries(known).map(([name, value]) => [name, single(value)])), [], rule.game));
}
