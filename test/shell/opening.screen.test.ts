import { cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { applicationState, axe, screenAs, storedFiles } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openLine } from "../support/line.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { buildOther } from "./otherBuild.ts";
import { openPoorLine } from "../support/poorLine.ts";
import { release, someFiles } from "./release.ts";

/** The application opens offline after the first visit, and switches to a new build only once it has all its files. */

const built = fileURLToPath(new URL("../../dist/client", import.meta.url));
const offline = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to fetch|status of 404/;

let browser: Browser;
let gateway: TestGateway;
let clientDir: string;
/** A real build of changed sources: its About screen has another title. */
let second: string;

beforeAll(async () => {
  [clientDir, second] = [
    await mkdtemp(join(tmpdir(), "platform-client-")),
    await mkdtemp(join(tmpdir(), "platform-client-")),
  ];
  await cp(built, clientDir, { recursive: true });
  await buildOther(second, { file: "/AboutScreen.tsx", from: 'title="About"', to: 'title="About, later"' });
  [browser, gateway] = await Promise.all([openBrowser(), testGateway("demo", { clientDir })]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
  for (const folder of [clientDir, second]) if (folder) await rm(folder, { recursive: true, force: true });
});

/** The names of the builds that this device has. */
const builds = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("build-")));

const update = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update().catch(() => {}));
/** The page's title after a reload. Chromium may not answer a reload that begins while one worker replaces another. */
const titleOf = async (page: Page) => {
  await page.reload({ timeout: 10_000 });
  await page.locator("h1").waitFor();
  return page.evaluate(async () => (await (await fetch("/")).text()).match(/<title>(.*)<\/title>/)![1]!.split(" ")[0]);
};

test("after the first visit the application opens offline, and can then fetch all files for a visit to a facility", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true, width: 390 });
  const { page, open } = screen;
  await open("/");
  await page.evaluate(() => navigator.serviceWorker.ready);
  const first = await applicationState(page, "complete?");
  expect(first).toMatchObject({ complete: false });
  expect(first.bytes).toBeGreaterThan(20_000);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.context().setOffline(false);
  // The test's offline mode does not reach every browser's worker, so the files are moved away instead.
  await rename(join(clientDir, "assets"), join(clientDir, "away"));
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: false });
  await rename(join(clientDir, "away"), join(clientDir, "assets"));
  expect(await applicationState(page, "fetch all")).toEqual({ complete: true, missing: 0, bytes: 0 });
  const worker = await readFile(join(clientDir, "sw.js"), "utf8");
  expect(worker).toContain("/assets/AssessmentScreen-");
  // Charts are half of all bytes, and a visit needs none.
  expect(worker).not.toMatch(/assets\/(?:Chart|QrCode)-/);
  screen.expectClean(offline);
});

test("without network, a device that has lost a file says what it waits for, and opens when the network is back", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true, width: 390 });
  const { page, open } = screen;
  await open("/");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  const lost = (await storedFiles(page)).find((path) => /\/application-.*\.js$/.test(path))!;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.clearBrowserCache");
  await page.evaluate(async (path) => {
    for (const name of await caches.keys()) await (await caches.open(name)).delete(path);
  }, lost);
  await page.context().setOffline(true);
  // The test's offline mode does not reach every browser's worker, so the files are moved away too.
  await rename(join(clientDir, "assets"), join(clientDir, "away"));
  await page.reload();
  await page.getByText("The server cannot be reached. The page opens as soon as the connection is back.").waitFor();
  expect(await axe(page)).toEqual([]);
  await rename(join(clientDir, "away"), join(clientDir, "assets"));
  await page.context().setOffline(false);
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  expect(await storedFiles(page)).toContain(lost);
  screen.expectClean(offline);
});

test("the files that the first visit left out are fetched once the network has been idle for a minute", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page, open } = screen;
  await page.clock.install();
  await open("/");
  expect(await applicationState(page, "complete?")).toMatchObject({ complete: false });
  await page.clock.fastForward(60_000);
  await expect.poll(() => applicationState(page, "complete?")).toEqual({ complete: true, missing: 0, bytes: 0 });
  screen.expectClean();
});

test("after many facilities were viewed the application still opens offline, with those that were viewed last", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page, open } = screen;
  const facilities = await gateway.db
    .selectFrom("facility")
    .select(["facilityUuid", "facilityName"])
    .orderBy("facilityUuid")
    .limit(26)
    .execute();
  const [unseen, ...viewed] = facilities;
  for (const { facilityUuid } of viewed) await open(`/facility/${facilityUuid}`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await applicationState(page, "fetch all");
  await page.context().setOffline(true);
  await page.goto(`${gateway.url}/#/`);
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  for (const { facilityUuid, facilityName } of viewed.slice(-3)) {
    await page.goto(`${gateway.url}/#/facility/${facilityUuid}`);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: facilityName, exact: true }).waitFor();
    await page.getByRole("region", { name: "Facility details" }).waitFor();
  }
  await page.goto(`${gateway.url}/#/facility/${unseen!.facilityUuid}`);
  const others = page.getByRole("region", { name: "Facilities kept on this device" }).getByRole("link");
  await others.nth(19).waitFor();
  const names = await others.allInnerTexts();
  expect(names.slice(0, 20)).toEqual(
    viewed
      .toReversed()
      .map(({ facilityName }) => facilityName)
      .slice(0, 20),
  );
  screen.expectClean(offline);
});

test("a new build is used once it is complete; a missing or changed file keeps the old build in use", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page, open } = screen;
  await open("/");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await applicationState(page, "fetch all");
  const [old] = await builds(page);
  expect(await builds(page)).toEqual([old]);

  const [name, text] = ["added-Second.js", `export const words = "Second";`];
  await release(built, clientDir, "Second", [{ name, text }]);
  const added = join(clientDir, "assets", name);
  for (const damage of [() => rm(added), () => writeFile(added, `${text} // cut`)]) {
    await damage();
    await update(page);
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.installing === null))
      .toBe(true);
    await expect.poll(() => titleOf(page)).toBe("SmartCare");
  }
  await writeFile(added, text);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator("h1").waitFor();
  await update(page);
  await expect.poll(() => titleOf(other)).toBe("Second");
  await page.evaluate(() => (location.hash = "#/about"));
  await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
  await expect.poll(() => titleOf(page)).toBe("Second");
  await expect.poll(() => builds(page)).toEqual(["build-Second"]);
  screen.expectClean(/added-Second|integrity/);
});

test("a real build whose download breaks off changes nothing; it is completed and used when the connection is back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "platform-client-"));
  await cp(built, folder, { recursive: true });
  const served = await testGateway("demo", { clientDir: folder });
  const line = await openPoorLine(served.url);
  const screen = await screenAs(browser, { ...served, url: line.url }, "assessor", { keepsApplication: true });
  const { page: old, open } = screen;
  const about = async (page: Page, title: string) => {
    await page.goto(`${line.url}/#/about`);
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  };
  await open("/");
  await old.evaluate(() => navigator.serviceWorker.ready);
  expect(await applicationState(old, "fetch all")).toMatchObject({ complete: true });
  const [first] = await builds(old);
  expect(await builds(old)).toEqual([first]);

  await rm(folder, { recursive: true });
  await cp(second, folder, { recursive: true });
  // The worker, the page and a part of the next file arrive.
  const head = 1500;
  const [worker, page] = await Promise.all(
    ["sw.js.br", "index.html.br"].map(async (name) => (await stat(join(folder, name))).size),
  );
  const dead = line.downAfter(worker! + page! + 3 * head);
  await update(old);
  await dead;
  await expect.poll(async () => (await builds(old)).length).toBe(2);
  await expect
    .poll(() => old.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.installing === null))
    .toBe(true);
  const filesOf = (name: string) => old.evaluate(async (of) => (await (await caches.open(of)).keys()).length, name);
  const later = (await builds(old)).find((name) => name !== first)!;
  const [fileCount, laterCount] = [await filesOf(first!), await filesOf(later)];
  expect(laterCount).toBeGreaterThan(0);
  expect(laterCount).toBeLessThan(fileCount);

  // While the connection is down, and after it is back: the open window works on and another one opens, both with the
  // old build.
  await about(old, "About");
  const other = await old.context().newPage();
  await other.goto(`${line.url}/`);
  await other.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await about(other, "About");
  line.down(false);
  await other.reload();
  await about(other, "About");

  await update(other);
  await expect
    .poll(async () => {
      await other.reload().catch(() => {});
      return other.getByRole("heading", { level: 1 }).innerText();
    })
    .toBe("About, later");
  expect(await builds(old)).toContain(first);
  // The gateway no longer has the old files.
  for (const [path, title] of [
    ["/provinces", "All Provinces"],
    ["/search", "Facility Search"],
    ["/about", "About"],
  ] as const) {
    await old.evaluate((to) => (location.hash = `#${to}`), path);
    await old.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
  }
  await old.reload();
  await about(old, "About, later");
  await expect.poll(() => builds(old)).toEqual([later]);
  screen.expectClean(offline, /integrity|Failed to load resource/);
  await screen.close();
  await line.stop();
  await served.stop();
  await rm(folder, { recursive: true, force: true });
});

test.each([true, false])(
  "a page whose build was replaced reloads with the new one if a screen's file is gone (service worker: %s)",
  async (keepsApplication) => {
    const folder = await mkdtemp(join(tmpdir(), "platform-client-"));
    const lay = async (build: string) => {
      await rm(folder, { recursive: true });
      await cp(build, folder, { recursive: true });
    };
    await lay(built);
    const served = await testGateway("demo", { clientDir: folder });
    const screen = await screenAs(browser, served, "assessor", { keepsApplication });
    const { page } = screen;
    await screen.open("/");
    if (keepsApplication) await page.evaluate(() => navigator.serviceWorker.ready);
    await lay(second);
    await page.evaluate(() => (location.hash = "#/about"));
    await page.getByRole("heading", { level: 1, name: "About, later", exact: true }).waitFor();

    if (!keepsApplication) {
      // A file that no build has: the page reloads once, then says what is wrong.
      for (const name of await readdir(join(folder, "assets")))
        if (name.startsWith("SearchScreen")) await rm(join(folder, "assets", name));
      let loads = 0;
      page.on("load", () => (loads += 1));
      await page.evaluate(() => (location.hash = "#/search"));
      const installed = page.getByRole("heading", { level: 1, name: "A new version was installed" });
      await installed.waitFor();
      await expect.poll(() => loads).toBe(1);
      await installed.waitFor();
      await screen.settled();
      expect(loads).toBe(1);
      expect(await axe(page)).toEqual([]);
      await lay(second);
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByRole("heading", { level: 1, name: "Facility Search" }).waitFor();
    }
    screen.expectClean(offline, /Failed to load resource|\/assets\/|Refused to apply style/);
    await screen.close();
    await served.stop();
    await rm(folder, { recursive: true, force: true });
  },
);

test("a new build is complete when it is used, also if the old one deletes files while it is fetched", async () => {
  await cp(built, clientDir, { recursive: true });
  const line = await openLine(gateway.url, { bitsPerSecond: 4_000_000 });
  const screen = await screenAs(browser, { as: gateway.as, url: line.url }, "assessor", { keepsApplication: true });
  const { page, open } = screen;
  await open("/");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await applicationState(page, "fetch all");
  await release(built, clientDir, "Third", someFiles("Third", 20, 50_000));
  await page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration())!;
    const before = registration.active!;
    void registration.update();
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const replaced = async () => {
      while (registration.active === before) await pause(50);
    };
    // A window reports its loaded files to the worker, which then deletes unused ones. The pause between two reports
    // grows: a worker that is never idle is not replaced, and on a busy machine it answers late.
    for (let rest = 100; registration.active === before; rest += 100) {
      const { port1, port2 } = new MessageChannel();
      const answered = new Promise((resolve) => port1.addEventListener("message", resolve));
      port1.start();
      before.postMessage({ kind: "keep", files: [] }, [port2]);
      await Promise.race([answered, replaced()]);
      await pause(rest);
    }
  });
  expect(await applicationState(page, "complete?")).toEqual({ complete: true, missing: 0, bytes: 0 });
  line.swallow(true);
  await line.close();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
});
