// Answers questions about games, one line of JSON each: the other side of tests/js_engine.py.
import { createInterface } from "node:readline";
import { load } from "../../plugin/rulewright/web/engine/engine.js";
import { answer } from "./answers.mjs";

const games = new Map();
function reply({ game, name, rule, many, ...question }) {
  if (game) games.set(name, load(game));
  const own = games.get(name).rules[rule];
  return many?.map((one) => answer(own, { ...question, ...one })) ?? null;
}
createInterface({ input: process.stdin }).on("line", (line) => {
  try {
    console.log(JSON.stringify({ answers: reply(JSON.parse(line)) }));
  } catch (error) {
    console.log(JSON.stringify({ crash: String(error?.stack ?? error) }));
  }
});
