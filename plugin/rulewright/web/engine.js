// The engine as one door: what each part does is told in engine.d.ts. A page that wants to stay small opens the parts
// when it needs them: asking.js asks for dice, explain.js explains; record.js reads written dice; odds.js works out chances.
/** @import * as T from "./engine.d.ts" */
import { adviser } from "./advise.js";
import { deal } from "./dealt.js";

export { ask } from "./asking.js";
export { winner } from "./contest.js";
export { explain } from "./explain.js";
export { shown } from "./inputs.js";
export { odds } from "./odds.js";
export { load } from "./program.js";
export { below, chance, generator } from "./random.js";
export { check } from "./record.js";
export { spend } from "./spend.js";
export { gather } from "./traits.js";
export { speak } from "./words.js";

/** Throws the dice of a rule; who picks dice for a reroll follows the policy. @type {typeof T.roll} */
export const roll = (rule, inputs, source, choices = {}) => deal(/** @type {any} */ (rule), inputs, source, { advise: adviser, ...choices });
