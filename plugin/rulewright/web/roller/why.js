// Why a roll has its outcome, in one line: the values that its condition compares, as on the cards (render/cards/why.py).
/** @import * as T from "../engine/engine.d.ts" */
/** @import {Result} from "../engine/parts.d.ts" */
import { COMPARED, compile, namesIn } from "../engine/formula.js";
import { attempt, say } from "../engine/messages.js";
import { labelOf, lower, minus, pageData, readerName, stepName } from "./page-data.js";

const PLURAL_ENDING = /(?<=ss|ch|sh|ix)es$|(?<!s)s$/;
const CHAINED = ["name", "+", "neg", "if", "min", "max"];

/** @typedef {{value: number, isNegative: boolean, name: string, isCount: boolean}} Term  of a sum; dice and numbers have no name */
const opOf = (/** @type {T.Tree} */ tree) => (Array.isArray(tree) ? tree[0] : "number");
/** @param {T.Tree} tree @returns {any[]} */
const argsOf = (tree) => (Array.isArray(tree) ? tree.slice(1) : []);

/** The values that decided a roll; empty if no numbers did. @param {Result} result */
export function explainOutcome(result) {
  const { outcomes } = result.rule, at = outcomes.indexOf(/** @type {any} */ (result.outcome)), reasons = new Reasons(result), own = outcomes[at]?.when;
  const failed = outcomes.slice(0, Math.max(at, 0)).reverse().flatMap(({ when }) => (when && COMPARED[opOf(when.tree)] ? [when.tree] : []));
  return (own ? [own.tree] : failed).map((tree) => reasons.condition(tree)).find(Boolean) ?? "";
}
/** The sum that a step adds up; empty if it is not a sum. @param {Result} result @param {string} name */
export function explainStep(result, name) {
  const reasons = new Reasons(result), terms = reasons.expand(reasons.step(name));
  return terms && terms.length > 1 ? reasons.writeSum(terms) : "";
}
/** The value that one side of a contest compares; its outcome where the rule replaces the value by a fixed rank.
 * @param {Result} result @param {string} step */
export function explainCompared(result, step) {
  const reasons = new Reasons(result);
  /** @type {T.Tree} */
  let tree = ["name", step];
  for (let next = reasons.follow(tree); ["name", "if"].includes(opOf(tree)) && next !== tree; next = reasons.follow(tree)) tree = next;
  return ["number", "neg"].includes(opOf(tree)) && result.outcome ? readerName(result.outcome) : minus(result.steps[step]);
}
class Reasons {
  /** @param {Result} result */
  constructor({ rule, known, tallies }) {
    this.rule = rule;
    this.known = known;
    this.tallies = tallies;
  }
  /** @param {string} name @returns {any} */
  step(name) {
    return this.rule.steps.get(name)?.tree;
  }
  /** The value of a formula; null if it is not known. @param {T.Tree} tree @returns {any} */
  value(tree) {
    if ([...namesIn(tree)].some((name) => (this.known[name] ?? null) === null)) return null;
    const [found] = attempt(() => compile(tree, this.rule.game, "")(this.known, this.tallies));
    return typeof found === "boolean" ? Number(found) : found;
  }
  /** The values that a condition compares. @param {T.Tree} tree @returns {string} */
  condition(tree) {
    const op = opOf(tree), args = argsOf(tree);
    if (COMPARED[op]) return this.comparison(tree);
    if (op === "name") return this.step(args[0]) === undefined ? "" : this.condition(this.step(args[0]));
    if (!["and", "or", "not"].includes(op)) return "";
    const holds = !!this.value(tree), told = (/** @type {T.Tree} */ part) => this.condition(part);
    if (op === "and" && holds) return [...new Set(args.map(told).filter(Boolean))].join(", ");
    return args.filter((part) => op === "not" || !!this.value(part) === holds).map(told).find(Boolean) ?? "";
  }
  /** "4 successes − 2 botches = 2", "5 + 2 = 7 against 4", "roll 20". @param {T.Tree} tree */
  comparison(tree) {
    const [left, right] = argsOf(tree), value = this.value(left), limit = this.value(right), terms = this.expand(left);
    if (typeof value !== "number" || typeof limit !== "number" || !terms) return "";
    const isFixed = ["number", "neg"].includes(opOf(right)) && (opOf(tree) === "=" || right === 0), own = this.term(left, value);
    if (!own.name && (isFixed || !terms.length)) return "";
    let text = this.write(own);
    if (terms.length === 1 && terms[0].isCount && Math.abs(terms[0].value) === Math.abs(value)) text = this.write(terms[0]);
    else if (terms.length > 1) text = `${this.writeSum(terms)} = ${minus(value)}`;
    const other = this.term(right, limit);
    return isFixed ? text : say("against", { first: text, second: other.isCount ? this.write(other) : minus(limit) });
  }
  /** The terms of a sum that are not 0; null if a value is not known. @param {any} tree @returns {Term[] | null} */
  expand(tree) {
    const value = this.value(tree), next = this.follow(tree);
    if (typeof value !== "number") return null;
    if (next !== tree) return this.expand(next);
    const parts = ["neg", "+"].includes(opOf(tree)) ? argsOf(tree).map((part) => this.expand(part)) : [null];
    if (opOf(tree) === "neg" && parts[0]) return parts[0].map((term) => ({ ...term, isNegative: !term.isNegative }));
    if (opOf(tree) === "+") return parts.includes(null) ? null : /** @type {Term[]} */ (parts.flat());
    return value ? [this.term(tree, value)] : [];
  }
  /** What a formula comes down to in this roll: that of its step, or the branch or extreme that was taken.
   * @param {T.Tree} tree @returns {T.Tree} */
  follow(tree) {
    const op = opOf(tree), args = argsOf(tree), truth = op === "if" ? this.value(args[0]) : null;
    if (truth !== null) return args[truth ? 1 : 2];
    if (op === "min" || op === "max") return args.find((part) => opOf(part) !== "number" && this.value(part) === this.value(tree)) ?? tree;
    const inner = op === "name" ? this.step(args[0]) : undefined;
    if (inner === undefined || this.isCount(tree) || !CHAINED.includes(opOf(inner))) return tree;
    return ["if", "min", "max"].includes(opOf(inner)) && [inner, 0].includes(this.follow(inner)) ? tree : inner;
  }
  /** Whether a formula counts dice, or is a step that does. @param {T.Tree} tree @returns {boolean} */
  isCount(tree) {
    const op = opOf(tree), args = argsOf(tree);
    if (op === "name") return this.step(args[0]) !== undefined && this.isCount(this.step(args[0]));
    return op === "tally" ? this.rule.tallies[args[0]].function === "count" : ["+", "if"].includes(op) && args.every((part) => this.isCount(part));
  }
  /** A value with the name of its step or input. @param {T.Tree} tree @param {number} value @returns {Term} */
  term(tree, value) {
    const [own] = opOf(tree) === "name" ? argsOf(tree) : [""], entry = this.rule.inputs.find((one) => one.name === own);
    const name = this.step(own) !== undefined ? stepName(this.rule, own) : entry ? lower(labelOf(entry)) : "";
    return { value, isNegative: false, name, isCount: !!name && this.isCount(tree) };
  }
  /** Terms with their signs; values have names only where dice are counted. @param {Term[]} terms */
  writeSum(terms) {
    const named = terms.some(({ isCount }) => isCount);
    return terms.map((term, at) => {
      const minus = term.isNegative !== term.value < 0, sign = at ? (minus ? " − " : " + ") : minus ? "−" : "";
      return sign + this.write({ ...term, value: Math.abs(term.value), name: named ? term.name : "" });
    }).join("");
  }
  /** "4 successes", "1 success", "attack: 3 hits", "total 17", "7". @param {Term} term */
  write({ value, name, isCount }) {
    const isOne = value === 1 && pageData().language.startsWith("en");
    return isCount ? (isOne ? name.replace(PLURAL_ENDING, "") : name).replace(/(.*: )?/, `$1${minus(value)} `) : `${name} ${minus(value)}`.trim();
  }
}
