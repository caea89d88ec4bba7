// What is of use only once a reader has rolled: the script of odds brings it (render/scripts.py).
/** @import {AfterRoll} from "../engine/parts.d.ts" */
import { copyExample, copyLink } from "./copy-roll.js";
import { derivation } from "./derivation.js";
import { odds } from "../odds/odds.js";

/** @type {AfterRoll} */
export const afterRoll = { odds, derivation, copyExample, copyLink };
