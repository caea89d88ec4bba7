// The same checks in one go, up to the first that fails: what mutations are run against. Of each file the first cases come
// first, so that most changes are noticed at once.
import { conformance } from "./conformance.mjs";
import { page } from "./page.mjs";

const place = ([name]) => Number(/ (\d+): /.exec(name)?.[1] ?? 0);
for (const [, check] of [...page, ...conformance].sort((a, b) => place(a) - place(b))) check();
