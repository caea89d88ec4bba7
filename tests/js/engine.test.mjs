// All checks of the engine in JavaScript, as Node's own tests.
import { test } from "node:test";
import { conformance } from "./conformance.mjs";
import { page } from "./page.mjs";

for (const [name, check] of [...page, ...conformance]) test(name, check);
