import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { applicationState, screenAs } from "./browser.ts";
import { testGateway, type TestGateway } from "./gateway.ts";
import { openBrowser } from "./openBrowser.ts";

/** The application opens without network after its first visit, and takes a new build over when it has all of it, not before. */

const built = fileURLToPath(new URL("../dist/client", import.meta.url));
const offline = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|status of 404/;

let browser: Browser;
let gateway: TestGateway;
let clientDir: string;

beforeAll(async () => {
  clientDir = await mkdtemp(join(tmpdir(), "platform-client-"));
  await cp(built, clientDir, { recursive: true });
  [browser, gateway] = await Promise.all([openBrowser(), testGateway("demo", { clientDir })]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
  await rm(clientDir, { recursive: true, force: true });
});

/** The names of the builds that this device has. */
const builds = (page: Page) => page.evaluate(async () => (await caches.keys()).filter((name) => name !== "windows"));

/**
 * Lays another build in the place of the one that is served: the page's text says so, and one of its files is new. The name of the
 * build and the digest are what the build itself would have written.
 */
async function release(words: string): Promise<void> {
  const digest = (text: string | Buffer) => `sha256-${createHash("sha256").update(text).digest("base64")}`;
  const drop = async (name: string) => {
    for (const ending of [".br", ".gz"]) await rm(join(clientDir, name + ending), { force: true });
  };
  const pages: string[] = [];
  for (const name of ["index.html", "demonstration.html"]) {
    const text = (await readFile(join(built, name), "utf8")).replace("<title>SmartCare", `<title>${words} SmartCare`);
    await writeFile(join(clientDir, name), text);
    await drop(name);
    pages.push(digest(text));
  }
  const added = `/assets/added-${words}.js`;
  await writeFile(join(clientDir, added), `export const words = "${words}";`);
  const worker = await readFile(join(built, "sw.js"), "utf8");
  const [whole, json] = /const build = (.*);/.exec(worker)!;
  const build = JSON.parse(json!) as { name: string; files: { path: string; integrity: string; bytes: number; opens: boolean }[] };
  const files = build.files.map((file) => (file.path === "/" ? { ...file, integrity: pages.join(" ") } : file));
  files.push({ path: added, integrity: digest(await readFile(join(clientDir, added))), bytes: 40, opens: true });
  await writeFile(join(clientDir, "sw.js"), worker.replace(whole, () => `const build = ${JSON.stringify({ name: words, files })};`));
  await drop("sw.js");
}

const update = (page: Page) => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update().catch(() => {}));
const titleOf = async (page: Page) => {
  await page.reload();
  await page.locator("h1").waitFor();
  return page.evaluate(async () => (await (await fetch("/")).text()).match(/<title>(.*)<\/title>/)![1]!.split(" ")[0]);
};

test("after the first visit the application opens without network, and all that a visit to a facility needs is fetched when the line is quiet", async () => {
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
  // Not every browser's worker hears of the test's offline: the files are taken away instead.
  await rename(join(clientDir, "assets"), join(clientDir, "away"));
  expect(await applicationState(page, "fetch all")).toMatchObject({ complete: false });
  await rename(join(clientDir, "away"), join(clientDir, "assets"));
  expect(await applicationState(page, "fetch all")).toEqual({ complete: true, missing: 0, bytes: 0 });
  screen.expectClean(offline);
  await screen.close();
});

test("a new build is taken over when all of it is there; a file that is missing or is not what was built keeps the old one whole", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { keepsApplication: true });
  const { page, open } = screen;
  await open("/");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await applicationState(page, "fetch all");
  const [old] = await builds(page);
  expect(await builds(page)).toEqual([old]);

  await release("Second");
  const added = join(clientDir, "assets/added-Second.js");
  const text = await readFile(added, "utf8");
  for (const damage of [() => rm(added), () => writeFile(added, `${text} // cut`)]) {
    await damage();
    await update(page);
    await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.installing === null)).toBe(true);
    expect(await titleOf(page)).toBe("SmartCare");
  }
  await writeFile(added, text);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator("h1").waitFor();
  await update(page);
  // The window that was open goes on with its own files; another one opens with the new ones.
  await expect.poll(() => titleOf(other), { timeout: 20_000 }).toBe("Second");
  expect(await builds(page)).toContain(old);
  await page.evaluate(() => (location.hash = "#/about"));
  await page.getByRole("heading", { level: 1, name: "About" }).waitFor();
  expect(await titleOf(page)).toBe("Second");
  await expect.poll(() => builds(page), { timeout: 20_000 }).toEqual(["build-Second"]);
  screen.expectClean(/added-Second|integrity/);
  await screen.close();
});
