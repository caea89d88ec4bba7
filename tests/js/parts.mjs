// Engines that hold only the modules that a game needs: one line of JSON each, with the names that are left out and the
// cases of the game. Whoever evaluates such a name is told; each line is answered by what was.
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";
import { answering } from "./answers.mjs";
import { casesOf } from "./cases.mjs";

function reached({ name, script, left, cases }) {
  const found = new Set();
  for (const one of left) Object.defineProperty(globalThis, one, { configurable: true, get: () => void found.add(one) });
  try {
    runInThisContext(script);
    for (const [, check] of casesOf(name, cases, engine.load, answering(engine))) check();
  } catch (error) {
    found.add(String(error.stack));
  }
  for (const one of left) delete globalThis[one];
  return [...found];
}
createInterface({ input: process.stdin }).on("line", (line) => console.log(JSON.stringify(reached(JSON.parse(line)))));
