// The engine as one door: what each part does is told in engine.d.ts. A page that wants to stay small opens the parts
// when it needs them: play.js rolls, asks and explains; record.js reads written dice; odds.js works out chances.
/** @import * as T from "./engine.d.ts" */
import { adviser } from "./odds.js";
import { roll as thrown } from "./play.js";

export { odds } from "./odds.js";
export { ask, explain, load, shown, speak, winner } from "./play.js";
export { below, chance, generator } from "./random.js";
export { check } from "./record.js";
export { spend } from "./spend.js";
export { gather } from "./traits.js";

/** Throws the dice of a rule; who picks dice for a reroll follows the policy. @type {typeof T.roll} */
export const roll = (rule, inputs, source, choices = {}) => thrown(/** @type {any} */ (rule), inputs, source, { advise: adviser, ...choices });
