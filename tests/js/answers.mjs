// How a question is put to the engine, and how its answer looks as JSON: the same form as tests/result_data.py gives.
import { readFileSync } from "node:fs";
import * as whole from "../../plugin/rulewright/web/engine/engine.js";

const english = JSON.parse(readFileSync(new URL("../../plugin/rulewright/render/catalogue/en.json", import.meta.url), "utf8"));

/** Picks as a beginner would: the die in most need. */
const worst = (dice, places, keep) =>
  places.reduce((a, b) => ((keep === "lower" ? dice[b].value > dice[a].value : dice[b].value < dice[a].value) ? b : a));

/** Puts questions to this engine, which may be one with some modules only. */
export function answering(engine) {
  engine.speak(english);
  function told(result, whole) {
    if (!result) return null;
    const { steps, outcome, degree, dice, rerolled, turned, declined } = result;
    const short = { steps, outcome: outcome?.name ?? null, degree, dice, rerolled, ...(turned && { turned }), declined };
    if (!whole) return short;
    return { ...short, faces: result.faces, marks: result.marks, unasked: result.unasked, ...engine.explain(result) };
  }
  function reckoned({ rule, inputs, aim, whole, estimating }) {
    const { odds, complaints } = engine.odds(rule, inputs, aim, estimating);
    const short = odds && { aim: odds.aim, chances: odds.chances, unknown: odds.unknown, rolls: odds.rolls };
    if (!odds || !whole) return { odds: short, complaints };
    const steps = [...rule.steps.keys()], spread = (step) => odds.spread(step) && [...odds.spread(step)];
    const degrees = rule.outcomes.filter((outcome) => outcome.degree).map(({ name }) => [name, odds.meanDegree(name)]);
    const all = (of) => Object.fromEntries(steps.map((step) => [step, of(step)]));
    const more = { means: all((step) => odds.mean(step)), degrees: Object.fromEntries(degrees), spreads: all(spread) };
    return { complaints, odds: { ...short, ...more } };
  }
  const doors = {
    check({ rule, inputs, dice, declined, rerolled, turned, spends, traits, whole }) {
      const { result, complaints } = engine.check(rule, inputs, dice, declined, rerolled, spends, traits, turned);
      return { result: told(result, whole), complaints };
    },
    roll({ rule, inputs, seed, aim, pick, picks, whole }) {
      const ways = picks && ((_, places) => places[picks.shift() % (places.length + 1)] ?? null); // the last way is none of them
      const { result, complaints } = engine.roll(rule, inputs, seed, { aim, ...(pick === "worst" ? { pick: worst } : picks ? { pick: ways } : {}) });
      return { result: told(result, whole), complaints };
    },
    gather: ({ rule, inputs, traits }) => engine.gather(rule, traits, inputs),
    odds: reckoned,
  };
  return (rule, question) => doors[question.door]({ ...question, rule });
}
export const answer = answering(whole);
