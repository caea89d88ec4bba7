// The same checks in one go, up to the first that fails: what mutations are run against. Odds take longest, so they wait.
import { conformance } from "./conformance.mjs";
import { page } from "./page.mjs";

const last = ([name]) => +/: odds /.test(name);
for (const [, check] of [...page, ...conformance].sort((a, b) => last(a) - last(b))) check();
