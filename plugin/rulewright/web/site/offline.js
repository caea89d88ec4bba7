// Runs beside the site, in the browser: keeps all files of the book, and answers with them whether there is a network
// or not. What it keeps is put together anew for each version, from the files kept before and from those that are new.
/** @type {{version: string, files: Record<string, string>}} */
const BOOK = { version: "", files: {} };

const worker = /** @type {any} */ (self);
const root = new URL(".", location.href).href;
const ours = `rulewright ${root} `;
const list = new URL("offline.json", root).href;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(takeOver()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(root)) return;
  event.respondWith(answer(event.request));
  if (event.request.mode === "navigate") event.waitUntil(leaveIfAlone());
});

async function keep() {
  const before = await kept();
  const cache = await caches.open(ours + BOOK.version);
  const known = before && (await before.match(list).then((/** @type {any} */ found) => found?.json()));
  const paths = Object.keys(BOOK.files);
  for (let start = 0; start < paths.length; start += 8) {
    await Promise.all(paths.slice(start, start + 8).map((path) => keepOne(path, cache, before, known ?? {})));
  }
  await cache.put(list, Response.json(BOOK.files));
  await worker.skipWaiting();
}

/** @param {string} path @param {Cache} cache @param {Cache | undefined} before @param {Record<string, string>} known */
async function keepOne(path, cache, before, known) {
  const url = new URL(path, root).href;
  const old = known[path] === BOOK.files[path] && (await before?.match(url));
  await cache.put(url, old || (await fetched(url)));
}

/** @param {string} url */
async function fetched(url) {
  const found = await fetch(url, { cache: "no-cache" });
  if (!found.ok) throw new Error(`${found.status} ${url}`);
  // A page that came by way of another address would be refused as an answer.
  return found.redirected ? new Response(await found.blob(), { headers: found.headers }) : found;
}

/** What the version before this one has kept, if it came to its end. */
async function kept() {
  for (const name of await caches.keys()) {
    if (!name.startsWith(ours) || name === ours + BOOK.version) continue;
    const cache = await caches.open(name);
    if (await cache.match(list)) return cache;
  }
}

async function takeOver() {
  await forget(ours + BOOK.version);
  await worker.clients.claim();
}

/** @param {string} [except] */
async function forget(except) {
  const names = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== except);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** @param {string} name */
const found = (name) => caches.match(new URL(name, root).href, { cacheName: ours + BOOK.version });

/** @param {Request} request */
async function answer(request) {
  const path = new URL(request.url).pathname.replace(/(^|\/)index\.html$/, "$1");
  for (const name of [path, `${path}/`, `${path}.html`]) {
    const page = await found(name);
    if (page) return page;
  }
  try {
    return await fetch(request);
  } catch (error) {
    const missing = request.mode === "navigate" && (await found("404.html"));
    if (missing) return new Response(missing.body, { status: 404, headers: missing.headers });
    throw error;
  }
}

/** Where the site does not want to be kept any more, this worker is gone from it, and goes here too. */
async function leaveIfAlone() {
  const found = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (found?.status === 404 || found?.status === 410) {
    await worker.registration.unregister();
    await forget();
  }
}
