// The result of a roll in words: sentence, outcome, steps, derivation.
/** @import {RollSession} from "./roll-session.js" */
/** @import {Result} from "../engine/parts.d.ts" */
import { make } from "./dom.js";
import { explain } from "../engine/explain.js";
import { minus, sideName, spaced } from "./page-data.js";
import { say } from "../engine/messages.js";

const TRUTHS = ["=", "!=", "<", "<=", ">", ">=", "and", "or", "not"];

/** What came of it, in one sentence. @param {RollSession} roll */
export function summarize(roll) {
  const { contest } = roll.rule, [name, degree] = verdict(roll), result = /** @type {Result} */ (roll.bout.result);
  if (contest) return `${name} (${roll.last.map(({ result }) => minus(result?.steps[contest.compare])).join(" : ")})`;
  const text = degree ? `${name}, ${say("degree")} ${degree}` : name || stepsOf(result).map((pair) => pair.join(" ")).join(", ");
  return [text, minus(explain(result).dice)].filter(Boolean).join(" · ");
}
/** The outcome, and its degree where it has one. @param {RollSession} roll */
export function verdict({ rule, winner, bout: { result } }) {
  if (rule.contest) return [winner === "none" ? say("nobody wins") : say("wins", { name: sideName(winner) })];
  return [result?.outcome?.name ?? "", minus(result?.degree ?? "")];
}
/** @param {Result} result @returns {[string, string][]} */
export function stepsOf(result) {
  return Object.entries(result.steps).filter(([, value]) => value !== null).map(([name, value]) => {
    const tree = result.rule.steps.get(name)?.tree, truth = Array.isArray(tree) && TRUTHS.includes(tree[0]);
    return [spaced(name), truth && (value === 0 || value === 1) ? say(value ? "yes" : "no") : minus(value)];
  });
}
/** How the result came about, line by line. @param {Result} result */
export function derivation(result) {
  const lines = explain(result).derivation.map((text) => {
    const [, name, rest] = /** @type {RegExpExecArray} */ (/^([^:]*):? ?(.*)$/s.exec(text)), parts = rest.split(" → "), end = parts.pop() ?? "";
    return make("div", {}, make("dt", {}, spaced(name)), make("dd", {}, parts.map((part) => `${minus(spaced(part))} → `), make("b", {}, minus(spaced(end)))));
  });
  return make("details", "rw-more", make("summary", {}, say("steps")), make("dl", "rw-how", lines));
}
