// Answers questions about games, one line of JSON each: the other side of tests/engine.py.
import { createInterface } from "node:readline";
import * as engine from "../../plugin/rulewright/web/engine.js";

const games = new Map();
const first = ([place]) => place;
const worst = (dice, places, keep) =>
  places.reduce((a, b) => (keep === "lower" ? dice[b].value > dice[a].value : dice[b].value < dice[a].value) ? b : a);

function told(result, whole) {
  if (!result) return null;
  const { steps, outcome, degree, dice, rerolled, declined } = result;
  const short = { steps, outcome: outcome?.name ?? null, degree, dice, rerolled, declined };
  if (!whole) return short;
  return { ...short, faces: result.faces, marks: result.marks, unasked: result.unasked, ...engine.explain(result) };
}
function reckoned({ rule, inputs, policy, whole }) {
  const { odds, complaints } = engine.odds(rule, inputs, policy);
  if (!odds || rule.contest || !whole) return { odds: odds && { policy: odds.policy, chances: odds.chances }, complaints };
  const steps = [...rule.steps.keys()], spread = (step) => odds.spread(step) && [...odds.spread(step)];
  const degrees = rule.outcomes.filter((outcome) => outcome.degree).map(({ name }) => [name, odds.meanDegree(name)]);
  return { complaints, odds: { policy: odds.policy, chances: odds.chances,
    means: Object.fromEntries(steps.map((step) => [step, odds.mean(step)])), degrees: Object.fromEntries(degrees),
    spreads: Object.fromEntries(steps.map((step) => [step, spread(step)])) } };
}
const doors = {
  check: ({ rule, inputs, dice, declined, rerolled, whole }) => {
    const { result, complaints } = engine.check(rule, inputs, dice, declined, rerolled);
    return { result: told(result, whole), complaints };
  },
  roll: ({ rule, inputs, seed, policy, pick, whole }) => {
    const { result, complaints } = engine.roll(rule, inputs, seed, { policy, ...(pick === "worst" ? { pick: worst } : {}) });
    return { result: told(result, whole), complaints };
  },
  odds: reckoned,
  numbers: ({ seed, count }) => {
    const next = engine.generator(seed);
    return Array.from({ length: count }, next);
  },
  below: ({ seed, sides, count }) => {
    const next = engine.generator(seed);
    return [Array.from({ length: count }, () => engine.below(next, sides)), next()];
  },
};
function answer(question) {
  if (question.load) {
    games.set(question.name, engine.load(question.load));
    return null;
  }
  if (question.many) return question.many.map((one) => answer({ ...question, ...one, many: undefined }));
  const rule = games.get(question.game)?.rules[question.rule];
  return doors[question.door]({ ...question, rule });
}
createInterface({ input: process.stdin }).on("line", (line) => {
  try {
    console.log(JSON.stringify({ answer: answer(JSON.parse(line)) }));
  } catch (error) {
    console.log(JSON.stringify({ crash: String(error?.stack ?? error) }));
  }
});
