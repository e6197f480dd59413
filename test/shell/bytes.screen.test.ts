import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";

import { measureBytes } from "./bytes.ts";
import { screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { budgets, measureVisits, signInAt, upBudgets } from "./wire.ts";

/** The bytes of a first visit, and how files are sent. */

const clientDir = fileURLToPath(new URL("../../dist/client/", import.meta.url));
const lists = ["Home", "ProvincesScreen", "DistrictsScreen", "FacilitiesScreen", "PartnersScreen", "SearchScreen"];
const visit = new Set(["LoginScreen", "FacilityScreen"]);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});
afterAll(() => gateway?.stop());

/** An answer with its body as it was sent: fetch would decompress it. */
function get(path: string, encoding: string, headers: Record<string, string> = {}, at = gateway) {
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }>((resolve, reject) => {
    const { port } = new URL(at.url);
    request({ host: "127.0.0.1", port, path, headers: { "accept-encoding": encoding, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (data: Buffer) => parts.push(data));
      answer.on("end", () => resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }));
    })
      .on("error", reject)
      .end();
  });
}

test("the kB of script and style stay within limits: first lists 100 and 20, sign-in and facility 95 and 26, assessment 120 and 27, others 160 and 27", () => {
  const { screens } = measureBytes();
  const over = (of: typeof screens, script: number, style: number) =>
    of.filter((one) => one.script.gzip > script || one.style.gzip > style).map((one) => ({ ...one, files: one.files.length }));
  const isOfVisit = ({ name }: { name: string }) => visit.has(name);
  const isList = ({ name }: { name: string }) => lists.includes(name);
  expect(screens.filter(isList).map(({ name }) => name)).toHaveLength(lists.length);
  expect(over(screens.filter(isList), 100_000, 20_000)).toEqual([]);
  expect(over(screens.filter(isOfVisit), 95_000, 26_000)).toEqual([]);
  expect(over(screens.filter(({ name }) => name === "AssessmentScreen"), 120_000, 27_000)).toEqual([]);
  expect(over(screens.filter(({ name }) => name !== "AssessmentScreen"), 160_000, 27_000)).toEqual([]);
});

test("the transferred bytes of a first visit, a second visit and a working day stay within their budgets", async () => {
  const browser = await openBrowser();
  try {
    const measured = await measureVisits(browser, gateway.url, await signInAt(gateway.url));
    expect(measured.map(({ name }) => name).toSorted()).toEqual(Object.keys(budgets).toSorted());
    expect(measured.filter(({ name, down, up }) => down > budgets[name]! || up > (upBudgets[name] ?? Infinity))).toEqual([]);
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

test("files that can wait are fetched after the screen's answer, even if that is late", async () => {
  const browser = await openBrowser();
  try {
    const { page, open } = await screenAs(browser, gateway, "plain", { width: 390 });
    const events: string[] = [];
    page.on("request", (one) => {
      const [, later] = /(MenuDrawer|Toasts)-[^/]*\.js$/.exec(one.url()) ?? [];
      if (later) events.push(later);
    });
    await page.route("**/graphql?*", async (route) => {
      if (route.request().url().includes("operationName=ProvincesScreenQuery")) {
        await page.waitForTimeout(3000);
        events.push("answer");
      }
      await route.continue();
    });
    await open("/provinces");
    await expect.poll(() => events.length).toBe(3);
    expect(events).toEqual(["answer", expect.stringMatching(/MenuDrawer|Toasts/), expect.stringMatching(/MenuDrawer|Toasts/)]);
  } finally {
    await browser.close();
  }
});

test("every Blueprint class in use has its style in the client, also in the menu and in dialogs", async () => {
  const classesIn = (css: string) => new Set(css.match(/(?<=\.)bp6-[\w-]+/g));
  const blueprint = classesIn(readFileSync(fileURLToPath(new URL("../../node_modules/@blueprintjs/core/lib/css/blueprint.css", import.meta.url)), "utf8"));
  const { facilityUuid } = await gateway.db.selectFrom("facility").select("facilityUuid").orderBy("facilityName").limit(1).executeTakeFirstOrThrow();
  const browser = await openBrowser();
  try {
    const { page, open } = await screenAs(browser, gateway, "admin", { width: 390 });
    const unstyled = new Set<string>();
    const look = async () => {
      const { used, styled } = await page.evaluate(() => ({
        used: [...document.querySelectorAll("[class*=bp6-]")].flatMap((element) => [...element.classList]),
        styled: [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join("\n"),
      }));
      const known = classesIn(styled);
      // These classes style the letters of an icon font, which the client does not have.
      for (const name of used) if (blueprint.has(name) && !known.has(name) && !name.startsWith("bp6-icon-")) unstyled.add(name);
    };
    const openers: [path: string, button: string | undefined][] = [
      ["/provinces", "Menu"],
      [`/facility/${facilityUuid}`, "Edit"],
      [`/assessment/facility/${facilityUuid}`, undefined],
      ["/user/add", undefined],
      ["/tdb", undefined],
      ["/downloads", "Add file"],
      ["/users/directory", undefined],
      ["/user", undefined],
    ];
    for (const [path, button] of openers) {
      await open(path);
      await look();
      if (button === undefined) continue;
      await page.getByRole("button", { name: button, exact: true }).click();
      await page.getByRole("dialog").waitFor();
      await look();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    expect([...unstyled]).toEqual([]);
  } finally {
    await browser.close();
  }
});

test("files are sent in an encoding that the browser accepts, and those with a hash in their name may be cached forever", async () => {
  const script = measureBytes().screens[0]!.files.find((file) => file.endsWith(".js") && file.includes("vendor"))!;
  const plain = readFileSync(join(clientDir, script));
  const [brotli, gzip, none] = await Promise.all(["gzip, deflate, br", "gzip", "identity"].map((encoding) => get(`/${script}`, encoding)));
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
    expect([answer.headers["etag"], answer.headers["last-modified"], answer.headers["accept-ranges"]]).toEqual([undefined, undefined, undefined]);
  }

  const page = await get("/", "br");
  expect(page.headers["content-type"]).toMatch(/text\/html/);
  expect(page.headers["cache-control"]).toBe("no-cache");
  expect((await get("/", "br", { "if-none-match": String(page.headers["etag"]) })).status).toBe(304);
  expect((await get("/.vite/manifest.json", "identity")).status).toBe(404);
  // Files of former builds are not found either.
  for (const path of ["/assets/App-0000.js", "/nothing.js"]) expect([path, (await get(path, "br")).status]).toEqual([path, 404]);
});

test("the page of a demonstration says so before any script runs, in every encoding; other pages do not", async () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
  const note = "Demonstration: all facilities, people and figures are made up.";
  const isNoted = async (at: TestGateway) =>
    Promise.all(Object.entries(unpack).map(async ([encoding, read]) => read((await get("/", encoding, {}, at)).body).toString().includes(note)));
  expect(await isNoted(gateway)).toEqual([true, true, true]);
  const other = await testGateway("empty");
  try {
    expect(await isNoted(other)).toEqual([false, false, false]);
  } finally {
    await other.stop();
  }
});
