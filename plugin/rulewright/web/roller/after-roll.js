// What is of use only once a reader has rolled: the script of odds brings it (render/scripts.py).
/** @import {AfterRoll} from "../engine/parts.d.ts" */
import { copyExample, copyLink } from "./copy-roll.js";
import { explain } from "./derivation.js";
import { showOdds } from "./outcome-odds.js";
import { replay } from "./share-roll.js";
import { applySpent, pointLabels, spendButtons } from "./spend-buttons.js";

/** @type {AfterRoll} */
export const afterRoll = { showOdds, explain, replay, spendButtons, applySpent, pointLabels, copyExample, copyLink };
