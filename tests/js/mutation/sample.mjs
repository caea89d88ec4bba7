// Some of all small changes, picked by chance but always the same ones: which of them does no check notice?
// Arguments: how many of each part, the share in percent that must be noticed, parts such as odds.js or roll.js:1-130.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { generator } from "./plugin/rulewright/web/engine/random.js";

const CHECKS = 'ulimit -v 4000000; ulimit -t 30; exec "$0" tests/js/quick.mjs'; // some changes fill all memory, or never end
const OPTIONS = { plugins: null, ignorers: [], excludedMutations: [], noHeader: false };
const silent = { isDebugEnabled: () => false, debug() {}, info() {} };

function checked(mutant) {
  const env = { ...process.env, __STRYKER_ACTIVE_MUTANT__: mutant };
  return spawnSync("sh", ["-c", CHECKS, process.execPath], { env, stdio: "ignore" }).status === 0;
}
/** All changes of a part; the file itself can make each of them from now on. */
async function changes(name, lines) {
  const content = readFileSync(name, "utf8"), [from, to] = lines?.split("-").map(Number) ?? [];
  const mutate = lines ? [{ start: { line: from - 1, column: 0 }, end: { line: to - 1, column: 1e4 } }] : true;
  const { files, mutants } = await new Instrumenter(silent).instrument([{ name, mutate, content }], OPTIONS);
  writeFileSync(name, files[0].content);
  return { mutants, content };
}
function picked(mutants, many) {
  const next = generator(1), order = mutants.map((mutant) => [next(), mutant]);
  return order.sort(([a], [b]) => a - b).slice(0, many).map(([, mutant]) => mutant);
}
function told({ location: { start, end }, replacement }, lines) {
  const own = lines.slice(start.line, end.line + 1).join("\n").slice(start.column);
  const length = own.length - (lines[end.line].length - end.column), short = (text) => text.replace(/\s+/g, " ").slice(0, 160);
  return `${start.line + 1}:${start.column + 1}  ${short(own.slice(0, length))}  →  ${short(replacement)}`;
}
/** How many percent of a sample are noticed. */
async function tried(part, many) {
  const [file, lines] = part.split(":"), name = `plugin/rulewright/web/engine/${file}`, { mutants, content } = await changes(name, lines);
  if (!checked("")) throw Error("the checks fail on unchanged code");
  const sample = picked(mutants, many), left = sample.filter((mutant) => {
    const stays = checked(mutant.id);
    if (stays) console.log(`${part}:${told(mutant, content.split("\n"))}`);
    return stays;
  });
  writeFileSync(name, content);
  const share = 100 * (1 - left.length / sample.length);
  console.log(`${part}: ${share.toFixed(1)}% of ${sample.length} changes noticed, of ${mutants.length} in all\n`);
  return share;
}
const [many, least, ...parts] = process.argv.slice(2), shares = [];
for (const part of parts) shares.push(await tried(part, Number(many)));
process.exitCode = shares.every((share) => share >= Number(least)) ? 0 : 1;
