import { readFile, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "./browser.ts";
import { testGateway, type TestGateway } from "./gateway.ts";
import { openBrowser } from "./openBrowser.ts";
import { tdbxOf } from "./tdbx.ts";

/** The upload screen and the downloads in a real browser. */

let browser: Browser;
let gateway: TestGateway;
let facilityUuid: string;
beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
  facilityUuid = (await gateway.db.selectFrom("facility").select("facilityUuid").orderBy("facilityUuid").executeTakeFirstOrThrow()).facilityUuid;
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const notification = (page: Page, text: string) => page.locator(".notification", { hasText: text });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const picker = (page: Page) => page.getByLabel("TDB files");
const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });

test("files are shown for what they are, sent, and receipted, in the words of the specification", async () => {
  for (const options of [{ width: 1440, colorScheme: "light" }, { width: 390, colorScheme: "dark" }] as const) {
    const screen = await screenAs(browser, gateway, "uploader", options);
    const { page } = screen;
    await screen.open("/tdb");
    expect(await page.locator("h1").innerText()).toBe("TDB Upload");
    await picker(page).setInputFiles([asFile("a.tdbx", Buffer.from("x")), asFile("b.txt", Buffer.from("x"))]);
    await notification(page, "Only TDBX files can be uploaded, do not included unsupported files.").waitFor();
    await button(page, "2 file(s) FAILED to upload, Click Browse to Try again..!").waitFor();
    const content = tdbxOf(facilityUuid);
    await picker(page).setInputFiles([asFile(`${"n".repeat(80)}.tdbx`, content), asFile("bad.tdbx", Buffer.from("letter"))]);
    await page.getByText("It is no TDBX file, or it is damaged or cut short.").waitFor();
    await page.getByText(`${"n".repeat(60)}…`).waitFor();
    expect(await layoutFaults(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    await button(page, "Upload").click();
    await button(page, "1 file(s) FAILED to upload, Click Browse to Try again..!").waitFor();
    await picker(page).setInputFiles([asFile("again.tdbx", content), asFile("new.tdbx", tdbxOf(facilityUuid))]);
    await page.getByText("It looks like one that was already received").waitFor();
    await button(page, "Upload").click();
    await notification(page, "Successfully uploaded TDB files!").waitFor();
    await button(page, "2 file(s) uploaded, Click Browse to Add more..!").waitFor();
    await page.getByText("was already received: this is the earlier receipt.").waitFor();
    expect(await page.getByText(createHash("sha256").update(content).digest("hex")).count()).toBe(1);
    expect(await layoutFaults(page)).toEqual([]);
    expect(await axe(page)).toEqual([]);
    screen.expectClean();
    await screen.close();
  }
});

test("an upload that was cut goes on where it was when the same file is chosen after the browser was closed", async () => {
  const content = tdbxOf(facilityUuid, {}, 60_000_000);
  const path = join(gateway.dataDir, "slow.tdbx");
  await writeFile(path, content);
  const context = await browser.newContext();
  const { cookies } = await gateway.as("uploader");
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: gateway.url })));
  let page = await context.newPage();
  const begin = async () => {
    await page.goto(`${gateway.url}/#/tdb`);
    await picker(page).setInputFiles(path);
    await button(page, "Upload").click();
  };
  const link = await context.newCDPSession(page);
  await link.send("Network.enable");
  await link.send("Network.emulateNetworkConditions", { offline: false, latency: 20, downloadThroughput: -1, uploadThroughput: 10_000_000 });
  const patches: number[] = [];
  context.on("request", (request) => {
    if (request.method() === "PATCH") patches.push(Number(request.headers()["upload-offset"]));
  });
  await begin();
  // One part of 16 MiB is there; the second is on its way, and two more are to come.
  await expect.poll(() => patches.length, { timeout: 30_000 }).toBe(2);
  await page.close({ runBeforeUnload: false });
  patches.length = 0;
  page = await context.newPage();
  await begin();
  await button(page, "1 file(s) uploaded, Click Browse to Add more..!").waitFor();
  expect(patches.length).toBeGreaterThan(0);
  expect(Math.min(...patches)).toBeGreaterThanOrEqual(16 * 1024 * 1024);
  const rows = await gateway.db.selectFrom("tdb").select("tdbUuid").where("sha256", "=", createHash("sha256").update(content).digest("hex")).execute();
  expect(rows).toHaveLength(1);
  await context.close();
});

test("an upload that is cancelled before it began does not begin", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  const content = tdbxOf(facilityUuid, {}, 40_000_000);
  const path = join(gateway.dataDir, "cancelled.tdbx");
  await writeFile(path, content);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/tdb/resumable")) sent.push(request.method());
  });
  await screen.open("/tdb");
  await picker(page).setInputFiles(path);
  await page.route("**/tdb/resumable/**", (route) => route.abort());
  await button(page, "Upload").click();
  // A part of it is stored for another attempt, which first asks what there is.
  await expect.poll(() => sent, { timeout: 30_000 }).toContain("PATCH");
  await button(page, "Pause").click();
  await page.reload();
  await page.unroute("**/tdb/resumable/**");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/finish", async (route) => {
    await held;
    await route.abort();
  });
  await picker(page).setInputFiles(path);
  sent.length = 0;
  await button(page, "Upload").click();
  await expect.poll(() => sent, { timeout: 30_000 }).toEqual(["POST"]);
  await button(page, "Cancel").click();
  release();
  await screen.settled();
  expect(sent).toEqual(["POST"]);
  await screen.close();
});

test("downloads stand under their headings; an administrator adds one", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 1440 });
  const { page } = screen;
  await screen.open("/downloads");
  expect(await page.locator("h2").allInnerTexts()).toEqual(["Installers", "Upgraders", "Patches", "Other files"]);
  await button(page, "Add file").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("File type").selectOption("INSTALLER");
  await dialog.getByLabel("File", { exact: true }).setInputFiles(asFile("setup-for-tests.exe", Buffer.from("made-up")));
  expect(await dialog.getByLabel("File name").inputValue()).toBe("setup-for-tests.exe");
  await button(page, "Upload").click();
  for (const name of ["File description", "Database key"]) await dialog.getByText(`${name} is required`).waitFor();
  await dialog.getByLabel("Description").fill("An installer that tests add");
  await dialog.getByLabel("Database key").fill("12345678");
  expect(await axe(page)).toEqual([]);
  await button(page, "Upload").click();
  await notification(page, "Successfully uploaded files").waitFor();
  await page.getByRole("rowheader", { name: "setup-for-tests.exe" }).waitFor();
  // The list is pale for the moment in which it is asked again.
  await expect.poll(() => axe(page), { timeout: 30_000 }).toEqual([]);

  await page.route("**/graphql*", (route) => route.abort());
  await button(page, "Withdraw setup-for-tests.exe").click();
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await notification(page, "The server cannot be reached. Check the connection and try again.").waitFor();
  await page.unroute("**/graphql*");
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("rowheader", { name: "setup-for-tests.exe" }).waitFor({ state: "detached" });
  screen.expectClean(/net::ERR_FAILED/);
  await screen.close();
});

test("the TDBs of a range of days are listed, counted when asked, exported and fetched back", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const { today } = (await (await gateway.as("admin")).get("/api/v1/system")).body as { today: string };
  const range = { start: `${Number(today.slice(0, 4)) - 1}-01-01`, end: today };
  const total = (await (await gateway.as("admin")).get(`/api/v1/tdb/count/${range.start}/${range.end}`)).body as number;
  await screen.open(`/user/me?tab=allTdbs&start=${range.start}&end=${range.end}`);
  await page.getByRole("tab", { name: "All Uploaded TDBs" }).click();
  await screen.settled();
  expect(await page.getByRole("table", { name: /TDB/ }).getByRole("columnheader").allInnerTexts()).toEqual([
    "Uploaded", "Facility", "District/Province", "Delta TDB", "Created", "Clients", "Size (MB)", "User & IP", "File",
  ]);
  await button(page, "TDB total count").click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("status").innerText()).toBe("");
  await dialog.getByRole("button", { name: "Count", exact: true }).click();
  await dialog.getByRole("button", { name: "Clear", exact: true }).waitFor();
  expect(Number((await dialog.getByRole("status").innerText()).replaceAll(/\D/g, ""))).toBe(total);
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Clear", exact: true }).click();
  await dialog.getByRole("button", { name: "Count", exact: true }).waitFor();
  expect(await dialog.getByRole("status").innerText()).toBe("");
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  const exported = page.waitForEvent("download");
  await page.getByText("Export CSV").click();
  expect((await exported).suggestedFilename()).toBe(`tdbs-${range.start}-to-${range.end}.csv`);
  // On the tab of a facility the stored file is fetched by whoever sees the row.
  await page.getByRole("table", { name: /TDB/ }).getByRole("link").first().click();
  await page.getByRole("tab", { name: "Uploaded TDBs", exact: true }).click();
  await screen.settled();
  const fetched = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Fetch / }).first().click();
  const file = await readFile((await (await fetched).path())!);
  const kept = await gateway.db.selectFrom("tdb").select("tdbUuid").where("sha256", "=", createHash("sha256").update(file).digest("hex")).execute();
  expect(kept).toHaveLength(1);
  const audit = await gateway.db.selectFrom("auditEvent").select("subjectId").where("action", "=", "tdb.fetch").execute();
  expect(audit).toEqual([{ subjectId: kept[0]!.tdbUuid }]);
  screen.expectClean();
  await screen.close();
});

test("those without the right are told, and sent home", async () => {
  for (const path of ["/tdb", "/downloads"]) {
    const screen = await screenAs(browser, gateway, "plain");
    await screen.open(path);
    await notification(screen.page, "You dont have the rights to access this feature").waitFor();
    expect(await screen.page.locator("h1").innerText()).toBe("Home");
    await screen.close();
  }
});
