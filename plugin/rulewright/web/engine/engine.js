// The engine as one door: what each part does is told in engine.d.ts. A page that wants to stay small opens the parts
// when it needs them: ask-dice.js asks for dice, explain.js explains; check-record.js checks written dice; odds.js works out chances.
/** @import * as T from "./engine.d.ts" */
import { adviser } from "../odds/advise.js";
import { answerer, judge } from "../odds/walk-table.js";
import { check as checkRecord } from "./check-record.js";
import { rollRandom } from "./random-roll.js";

export { ask } from "./ask-dice.js";
export { winner } from "./contest.js";
export { explain } from "./explain.js";
export { shown } from "./inputs.js";
export { odds } from "../odds/odds.js";
export { load } from "./rule.js";
export { below, chance, generator } from "./random.js";
export { spend } from "./spends.js";
export { gather } from "./traits.js";
export { speak } from "./messages.js";

/** Throws the dice of a rule; who picks dice for a reroll follows the aim. @type {typeof T.roll} */
export const roll = (rule, inputs, source, choices = {}) => rollRandom(/** @type {any} */ (rule), inputs, source, { advise: adviser, answers: answerer, judge, ...choices });
/** Checks written dice; what is better where they do not say so follows the aim of the rule. @type {typeof T.check} */
export const check = (rule, inputs, dice, declined, rerolled, spends, traits, turned) => /** @type {any} */ (checkRecord(/** @type {any} */ (rule), inputs, dice, declined, rerolled, spends, traits, judge(""), turned));
