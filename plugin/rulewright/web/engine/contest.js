// Who wins a contest.
/** @import * as T from "./engine.d.ts" */

/** "again" where both are to throw again. @param {{contest: T.ContestData | null}} rule @param {T.Result} first @param {T.Result} second @returns {string | null} */
export function winner({ contest }, first, second) {
  const { compare, ties } = /** @type {T.ContestData} */ (contest), a = first.steps[compare], b = second.steps[compare];
  if (typeof a !== "number" || typeof b !== "number") return null;
  return a > b ? "first" : a < b ? "second" : ties;
}
