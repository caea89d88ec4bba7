// The same checks in one go, up to the first that fails: what mutations are run against.
import { conformance } from "./conformance.mjs";
import { page } from "./page.mjs";

for (const [, check] of [...page, ...conformance]) check();
