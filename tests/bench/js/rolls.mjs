// Seconds for 10,000 rolls of five ten-sided dice, successes from 6, botches on 1: ours, and rpg-dice-roller's.
// Then seconds for the odds of twenty dice, plain and with a specialty, once everything is warm. One line of JSON.
import { DiceRoll } from "@dice-roller/rpg-dice-roller";
import { chance, load, odds, roll } from "../../../plugin/rulewright/web/engine/engine.js";

let text = "";
for await (const part of process.stdin) text += part;
const { action } = load(JSON.parse(text)).rules, next = chance();

function best(work, rounds, times = 1) {
  const taken = Array.from({ length: rounds }, (_, round) => {
    const start = performance.now();
    for (let turn = 0; turn < times; turn++) work(round * times + turn);
    return (performance.now() - start) / 1000 / times;
  });
  return Math.min(...taken);
}
const many = (work) => () => {
  for (let left = 10_000; left; left--) work();
};
const asked = (specialty) => best((turn) => odds(action, { pool: 20, difficulty: 2 + (turn % 9), threshold: turn % 4, specialty }), 9, 40);
console.log(JSON.stringify({
  ours: best(many(() => roll(action, { pool: 5, difficulty: 6 }, next)), 9),
  theirs: best(many(() => new DiceRoll("5d10>=6f=1")), 3),
  plain: asked(false), specialty: asked(true),
}));
