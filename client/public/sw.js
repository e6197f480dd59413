/*
 * Stores the application's files on the device, so that it opens without network after its first visit. Answers of the
 * server and what people type are stored by the application itself, never here.
 *
 * A new build is installed in two steps. First all of its files are fetched and checked against their digests, beside
 * the build in use; files that arrived stay when the connection is lost. Only then do windows get the new page. Files
 * of an older build are deleted when no window uses them any more.
 */

/* the build's files */
// { name, files: [{ path, integrity, bytes, need: "opening" | "visit" | "field" }] }, written by
// client/build/serviceWorker.ts

const ofBuilds = "build-";
const cacheName = ofBuilds + build.name;
/** The build of each window. */
const windowsName = "windows";
/** Copies of people's work (client/store/copies.ts). This worker never deletes them. */
const copiesName = "work-copies";
const known = new Map(build.files.map((file) => [file.path, file]));
/* Only the path identifies an answer. */
const byAddress = { ignoreVary: true, ignoreSearch: true };

const find = async (path) => (await caches.open(cacheName)).match(path, byAddress);

/* The name of a file in /assets/ changes with its content: two builds have the same file under the same name. */
const isNamedByContent = (path) => path.startsWith("/assets/");
const findAnywhere = async (path) =>
  (await find(path)) ?? (isNamedByContent(path) ? caches.match(path, byAddress) : undefined);

/* Usually the page has just fetched the file. If the browser's cached copy is damaged, it is fetched again. */
async function fetchWhole(path, integrity) {
  if (!isNamedByContent(path)) return fetch(path, { integrity, cache: "no-cache" });
  return fetch(path, { integrity }).catch(() => fetch(path, { integrity, cache: "reload" }));
}

/* Fetches and stores a file, unless it is stored already. Throws if it is not the built file. */
async function take(file) {
  const cache = await caches.open(cacheName);
  const { path, integrity } = file;
  if (await cache.match(path, byAddress)) return;
  const response = (await findAnywhere(path)) ?? (await fetchWhole(path, integrity));
  if (!response.ok || response.redirected) throw new TypeError(`${path}: ${response.status}`);
  await cache.put(path, response);
}

/* One after the other, so that other requests get through in between. */
async function takeAll(files) {
  for (const file of files) await take(file);
}

const olderNames = async () =>
  (await caches.keys()).filter((name) => ![cacheName, windowsName, copiesName].includes(name));

/*
 * On a device without the application, only the files that it needs to open, which the page has just fetched. On a
 * device with an older build, all files, so that every screen that opened without network still does.
 */
async function install() {
  const isFirst = (await olderNames()).length === 0;
  const wanted = build.files.filter(({ need }) => need === "opening" || !isFirst);
  // Workers of earlier clients delete a build that is not complete yet, because they take it for an older one. An
  // incomplete build is not installed.
  for (let rounds = 3; rounds > 0; rounds -= 1) {
    await takeAll(wanted);
    if ((await missingOf(wanted)).length === 0) return;
  }
  throw new TypeError("Files of the build went again while it was fetched.");
}

async function missingOf(files) {
  const cache = await caches.open(cacheName);
  const paths = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  return files.filter(({ path }) => !paths.has(path));
}

self.addEventListener("install", (event) => event.waitUntil(install().then(() => self.skipWaiting())));

/* The builds that were stored when this one took over. Any other is newer and still incomplete, and must stay. */
const formerPath = "/former-builds";
async function noteFormer() {
  await (await caches.open(cacheName)).put(formerPath, new Response(JSON.stringify(await olderNames())));
}
const formerNames = async () => (await find(formerPath))?.json() ?? [];

/* Removes older builds that no window uses. A window whose build is unknown may use any of them. */
async function tidy() {
  const windows = await caches.open(windowsName);
  const open = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  const pathOf = ({ id }) => `/window/${id}`;
  const builds = await Promise.all(open.map(async (one) => (await windows.match(pathOf(one)))?.text()));
  if (builds.includes(undefined)) return;
  for (const name of await formerNames()) if (!builds.includes(name)) await caches.delete(name);
  const paths = new Set(open.map(pathOf));
  for (const note of await windows.keys()) if (!paths.has(new URL(note.url).pathname)) await windows.delete(note);
}

self.addEventListener("activate", (event) =>
  event.waitUntil(
    noteFormer()
      .then(tidy)
      .then(() => self.clients.claim()),
  ),
);

/*
 * A stored response as a new one of the same bytes. Of the stored one itself, Chromium would store the compiled code in
 * the same entry of the cache, and it deletes an entry to which it cannot write because the disk is full: the device
 * would lose the file. Undefined if the bytes cannot be read.
 */
async function renewed(kept) {
  try {
    return kept && new Response(await kept.arrayBuffer(), kept);
  } catch {
    return undefined;
  }
}

/* The stored page; without one, the page from the network. */
const openPage = async (request) => (await renewed(await find("/"))) ?? fetch(request);

async function openFile(request, path) {
  const kept = await renewed(await findAnywhere(path));
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && isNamedByContent(path)) {
    const copy = response.clone();
    await (await caches.open(cacheName)).put(path, copy).catch(() => {});
  }
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (pathname === "/") event.respondWith(openPage(request));
  } else if (isNamedByContent(pathname) || known.has(pathname)) event.respondWith(openFile(request, pathname));
});

const ofVisit = build.files.filter(({ need }) => need !== "field");

/* How much of these files is stored. `bytes` is the transferred size of the missing ones. */
async function state(files) {
  const missing = await missingOf(files);
  return {
    complete: missing.length === 0,
    missing: missing.length,
    bytes: missing.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/* The build of a window that has loaded these files. */
async function buildOf(files) {
  const scripts = files.filter((path) => /\/start-[^/]*\.js$/.test(path));
  if (scripts.every((path) => known.has(path))) return cacheName;
  for (const name of await olderNames()) if (await (await caches.open(name)).match(scripts[0], byAddress)) return name;
  return undefined;
}

/* Stores the files that a window has loaded, some of them before this worker ran, and notes the window's build. */
async function keep({ files }, { id }) {
  const windowBuild = await buildOf(files);
  if (windowBuild) await (await caches.open(windowsName)).put(`/window/${id}`, new Response(windowBuild));
  const cache = await caches.open(windowBuild ?? cacheName);
  for (const path of files) if (!(await cache.match(path, byAddress))) await cache.add(path).catch(() => {});
}

/* Fetches what is missing of these files. */
async function complete(files) {
  await takeAll(files).catch(() => {});
  return state(files);
}

const acts = {
  "complete?": () => state(build.files),
  "fetch visit": () => complete(ofVisit),
  "fetch all": () => complete(build.files),
  keep,
};

self.addEventListener("message", (event) => {
  const act = acts[event.data?.kind];
  if (!act) return;
  const done = act(event.data, event.source).then((answer) => event.ports[0]?.postMessage(answer));
  event.waitUntil(done.then(tidy));
});
