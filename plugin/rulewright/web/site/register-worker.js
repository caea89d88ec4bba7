// Registers the service worker (offline.js) on each page of a site, unless the page is read from a disk.
if (location.protocol.startsWith("http") && document.currentScript instanceof HTMLScriptElement) {
  const root = new URL("..", document.currentScript.src);
  const link = document.createElement("link");
  link.rel = "manifest";
  link.href = new URL("manifest.webmanifest", root).href;
  document.head.append(link);
  // A browser that must not store anything says no, and the site works as any other.
  navigator.serviceWorker?.register(new URL("offline.js", root).href).catch(() => {});
}
