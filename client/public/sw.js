/*
 * Keeps the application's own files on the device, so that it opens without network once it was opened with it. Answers of the
 * server and what is typed are kept by the application itself, never here.
 */
const cacheName = "application";
const patienceMs = 4000;

const isFile = ({ pathname }) => pathname.startsWith("/assets/");
const isPage = ({ pathname }) => pathname === "/" || pathname === "/before.js" || pathname === "/favicon.svg";

/* At least the page, however soon the network goes. */
async function keepFirst() {
  const cache = await caches.open(cacheName);
  for (const file of ["/", "/before.js"]) if (!(await cache.match(file))) await cache.add(file);
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepFirst());
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function keep(request, response) {
  if (response.ok) {
    const cache = await caches.open(cacheName);
    await cache.put(request, response.clone());
  }
  return response;
}

/* A file's name changes with its content: one that is kept is right for ever. */
async function fileFirst(request) {
  return (await caches.match(request)) ?? keep(request, await fetch(request));
}

/* The page names its files: where it is another page than before, files of the older release go. */
async function keepPage(key, response, kept) {
  const isSame = kept && (await kept.clone().text()) === (await response.clone().text());
  if (!isSame && key.url.endsWith("/")) {
    const cache = await caches.open(cacheName);
    for (const file of await cache.keys()) if (isFile(new URL(file.url))) await cache.delete(file);
  }
  return isSame ? response : keep(key, response);
}

/* A new release is taken at once; without network, or on one that is too slow, the kept page opens. */
async function networkFirst(request) {
  const asked = fetch(request);
  const kept = await caches.match(request.mode === "navigate" ? "/" : request);
  const key = request.mode === "navigate" ? new Request("/") : request;
  if (!kept) return keep(key, await asked);
  const slow = new Promise((resolve) => setTimeout(() => resolve(kept), patienceMs));
  const fresh = asked.then(
    (response) => (response.ok ? keepPage(key, response, kept) : response.status >= 500 ? kept : response),
    () => kept,
  );
  return Promise.race([fresh, slow]);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (isFile(url)) event.respondWith(fileFirst(request));
  else if (isPage(url)) event.respondWith(networkFirst(request));
});

/* The page names the files that it uses, also those that it had before this worker was there. */
self.addEventListener("message", (event) => {
  const { files } = event.data;
  event.waitUntil(
    caches.open(cacheName).then(async (cache) => {
      for (const file of files) if (!(await cache.match(file))) await cache.add(file).catch(() => {});
    }),
  );
});
