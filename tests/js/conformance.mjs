// All cases in tests/conformance/, put to the engine as it lies.
import { readFileSync, readdirSync } from "node:fs";
import { load } from "../../plugin/rulewright/web/engine/engine.js";
import { answer } from "./answers.mjs";
import { casesOf } from "./cases.mjs";

const folder = new URL("../conformance/", import.meta.url);
export const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const files = readdirSync(folder).filter((name) => name.endsWith(".json") && !/^(generator|made_games)/.test(name));
export const conformance = files.flatMap((file) => [...casesOf(file, read(file), load, answer)]);
