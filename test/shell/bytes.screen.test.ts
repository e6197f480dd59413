import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";

import { groups } from "../../vite.config.ts";
import { measureBytes } from "./bytes.ts";
import { screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { budgets, measureVisits, requestBudgets, signInAt, upBudgets } from "./wire.ts";

/** The bytes of a first visit, and how files are sent. */

const clientDir = fileURLToPath(new URL("../../dist/client/", import.meta.url));

const gateway = await gatewayOfFile();

/** An answer with its body as it was sent: fetch would decompress it. */
function get(path: string, encoding: string, headers: Record<string, string> = {}, at = gateway) {
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>(
    (resolve, reject) => {
      const { port } = new URL(at.url);
      request({ host: "127.0.0.1", port, path, headers: { "accept-encoding": encoding, ...headers } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (data: Buffer) => parts.push(data));
        answer.on("end", () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }),
        );
      })
        .on("error", reject)
        .end();
    },
  );
}

test("the transferred bytes of a first visit, a second visit and a working day stay within their budgets", async () => {
  const browser = await openBrowser();
  try {
    const measured = await measureVisits(browser, gateway.url, await signInAt(gateway.url));
    expect(measured.map(({ name }) => name).toSorted()).toEqual(Object.keys(budgets).toSorted());
    const isTooMuch = ({ name, down, up, requests }: (typeof measured)[number]) =>
      down > budgets[name]! || up > (upBudgets[name] ?? Infinity) || requests > (requestBudgets[name] ?? Infinity);
    expect(measured.filter(isTooMuch)).toEqual([]);
  } finally {
    await browser.close();
  }
});

test("a first visit fetches the files that the budget counts, others only on demand, and none twice", async () => {
  const counted = measureBytes().screens.find(({ name }) => name === "ProvincesScreen")!;
  const browser = await openBrowser();
  try {
    const { page, open } = await screenAs(browser, gateway, "plain");
    const fetched: string[] = [];
    // A file that was fetched is read from the browser's cache when it is imported.
    const network = await page.context().newCDPSession(page);
    const cached = new Set<string>();
    network.on("Network.requestServedFromCache", ({ requestId }) => cached.add(requestId));
    network.on("Network.responseReceived", ({ requestId, response }) => {
      if (!cached.has(requestId) && !response.fromDiskCache) fetched.push(new URL(response.url).pathname.slice(1));
    });
    await network.send("Network.enable");
    await open("/provinces");
    const assets = fetched.filter((file) => file.startsWith("assets/"));
    expect(assets).toEqual([...new Set(assets)]);
    expect(counted.files.filter((file) => !assets.includes(file))).toEqual([]);
    const { onDemand } = measureBytes();
    const later = new Set(onDemand.flatMap(({ files }) => files));
    expect(assets.filter((file) => !counted.files.includes(file) && !later.has(file))).toEqual([]);
  } finally {
    await browser.close();
  }
});

test("each group of modules is built into a file", () => {
  const built = new Set(
    measureBytes().screens.flatMap(({ files }) => files.map((file) => /^assets\/(\w+)-/.exec(file)?.[1])),
  );
  expect(groups.map(({ name }) => name).filter((name) => !built.has(name))).toEqual([]);
});

test("the first script waits for no library and no other part of the application", () => {
  const page = readFileSync(join(clientDir, "index.html"), "utf8");
  const first = readFileSync(join(clientDir, /<script type="module"[^>]* src="\/([^"]+)"/.exec(page)![1]!), "utf8");
  const imported = [...first.matchAll(/from"\.\/([\w-]+)-[\w-]{8}\.js"/g)].map(([, name]) => name);
  expect(imported).toEqual(["rolldown-runtime", "ground"]);
});

test("Blueprint's style comes before ours, so that ours holds", () => {
  const page = readFileSync(join(clientDir, "index.html"), "utf8");
  const styles = [...page.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"/g)]
    .map(([, file]) => readFileSync(join(clientDir, file!), "utf8"))
    .join("");
  const [blueprint, ours] = [styles.indexOf("}.bp6-button{"), styles.indexOf(".menu-entry{")];
  expect([blueprint > 0, ours > blueprint]).toEqual([true, true]);
});

test("files are sent in an encoding that the browser accepts, and those with a hash in their name may be cached forever", async () => {
  const script = measureBytes().screens[0]!.files.find((file) => file.endsWith(".js") && file.includes("vendor"))!;
  const plain = readFileSync(join(clientDir, script));
  const [brotli, gzip, none] = await Promise.all(
    ["gzip, deflate, br", "gzip", "identity"].map((encoding) => get(`/${script}`, encoding)),
  );
  expect([brotli, gzip, none].map((answer) => answer!.headers["content-encoding"])).toEqual(["br", "gzip", undefined]);
  expect(brotliDecompressSync(brotli!.body).equals(plain)).toBe(true);
  expect(gunzipSync(gzip!.body).equals(plain)).toBe(true);
  expect(none!.body.equals(plain)).toBe(true);
  for (const answer of [brotli!, gzip!, none!]) {
    expect(answer.status).toBe(200);
    expect(answer.headers["vary"]).toMatch(/accept-encoding/i);
    expect(answer.headers["content-type"]).toMatch(/javascript/);
    expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    // The hash in the name makes these headers unnecessary.
    expect([answer.headers["etag"], answer.headers["last-modified"], answer.headers["accept-ranges"]]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }

  const page = await get("/", "br");
  expect(page.headers["content-type"]).toMatch(/text\/html/);
  expect(page.headers["cache-control"]).toBe("no-cache");
  expect((await get("/", "br", { "if-none-match": String(page.headers["etag"]) })).status).toBe(304);
  expect((await get("/.vite/manifest.json", "identity")).status).toBe(404);
  // Files of former builds are not found either.
  for (const path of ["/assets/App-0000.js", "/nothing.js"])
    expect([path, (await get(path, "br")).status]).toEqual([path, 404]);
});

test("the page of a demonstration says so before any script runs, in every encoding; other pages do not", async () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
  const note = "Demonstration: all facilities, people and figures are made up.";
  const isNoted = async (at: TestGateway) =>
    Promise.all(
      Object.entries(unpack).map(async ([encoding, read]) =>
        read((await get("/", encoding, {}, at)).body)
          .toString()
          .includes(note),
      ),
    );
  expect(await isNoted(gateway)).toEqual([true, true, true]);
  const other = await testGateway("empty");
  try {
    expect(await isNoted(other)).toEqual([false, false, false]);
  } finally {
    await other.stop();
  }
});
