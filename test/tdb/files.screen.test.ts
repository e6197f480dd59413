import { readFile, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { bodyOf } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";
import { tdbxOf } from "../support/tdbx.ts";

/** The upload screen and the downloads in a real browser. */

const [browser, gateway] = await screensOfFile();
const facilityUuid = (
  await gateway.db.selectFrom("facility").select("facilityUuid").orderBy("facilityUuid").executeTakeFirstOrThrow()
).facilityUuid;

const notification = (page: Page, text: string) => page.locator(".notification", { hasText: text });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const picker = (page: Page) => page.getByLabel("TDB files");
const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });

test("files are checked, sent and confirmed with the specified texts", async () => {
  const screen = await screenAs(browser, gateway, "uploader", { width: 390, colorScheme: "dark" });
  const { page } = screen;
  await screen.open("/tdb");
  await expect.poll(() => page.locator("h1").innerText()).toBe("TDB Upload");
  await picker(page).setInputFiles([asFile("a.tdbx", Buffer.from("x")), asFile("b.txt", Buffer.from("x"))]);
  await notification(page, "Only TDBX files can be uploaded, do not included unsupported files.").waitFor();
  await button(page, "2 file(s) FAILED to upload, Click Browse to Try again..!").waitFor();
  const content = tdbxOf(facilityUuid);
  await picker(page).setInputFiles([
    asFile(`${"n".repeat(80)}.tdbx`, content),
    asFile("bad.tdbx", Buffer.from("letter")),
  ]);
  await page.getByText("This is no TDBX file, or it is damaged or cut short.").waitFor();
  await page.getByText(`${"n".repeat(60)}…`).waitFor();
  await button(page, "Upload").click();
  await button(page, "1 file(s) FAILED to upload, Click Browse to Try again..!").waitFor();
  await picker(page).setInputFiles([asFile("again.tdbx", content), asFile("new.tdbx", tdbxOf(facilityUuid))]);
  await page.getByText("This file looks like one that was already received").waitFor();
  await button(page, "Upload").click();
  await notification(page, "Successfully uploaded TDB files!").waitFor();
  await button(page, "2 file(s) uploaded, Click Browse to Add more..!").waitFor();
  await page.getByText("was already received: this is the earlier receipt.").waitFor();
  await expect.poll(() => page.getByText(createHash("sha256").update(content).digest("hex")).count()).toBe(1);
  expect(await layoutFaults(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  screen.expectClean();
});

test("of a file that cannot be accepted not a byte is sent, and the others of its batch are", async () => {
  const screen = await screenAs(browser, gateway, "uploader", { width: 390 });
  const { page } = screen;
  await screen.open("/tdb");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") sent.push(`${request.postDataBuffer()?.length} bytes`);
    if (request.method() === "POST" && request.url().endsWith("/resumable")) sent.push("begun");
  });
  const good = tdbxOf(facilityUuid, {}, 10_000);
  const damaged = asFile("damaged.tdbx", tdbxOf(facilityUuid, {}, 3_000_000).subarray(0, 2_900_000));
  const unknown = asFile("unknown.tdbx", tdbxOf("no-such-facility", {}, 200_000));
  await picker(page).setInputFiles([damaged, unknown, asFile("good.tdbx", good)]);
  await expect.poll(() => page.getByText("Will not be sent.").count()).toBe(2);
  await button(page, "Upload").click();
  await button(page, "2 file(s) FAILED to upload, Click Browse to Try again..!").waitFor();
  const results = page.getByRole("region", { name: "Results" });
  await results.getByText("This is no TDBX file, or it is damaged or cut short.").waitFor();
  await results.getByRole("listitem").filter({ hasText: "unknown.tdbx" }).getByText("facility").waitFor();
  await results.getByText("was received.").waitFor();
  // Nothing would change by trying again.
  expect(await page.getByRole("button", { name: /^Try again/ }).count()).toBe(0);
  // Nothing is begun for the damaged file and for the one of an unknown facility.
  expect(sent).toEqual(["begun", `${good.length} bytes`]);
  expect(await rowsOf(good)).toHaveLength(1);
  screen.expectClean();
});

const rowsOf = (content: Buffer) =>
  gateway.db
    .selectFrom("tdb")
    .select("tdbUuid")
    .where("sha256", "=", createHash("sha256").update(content).digest("hex"))
    .execute();
/** Writes a file to disk: a file of more than 50 MB cannot be passed to the browser in any other way. */
async function onDisk(name: string, content: Buffer): Promise<string> {
  const path = join(gateway.dataDir, name);
  await writeFile(path, content);
  return path;
}
async function signIn(page: Page, login: string): Promise<void> {
  await page.getByLabel("Username or email").fill(login);
  await page.getByLabel("Password", { exact: true }).fill("demo-password");
  await button(page, "Sign in").last().click();
}
/** The session has ended: the screen stays, and a notice opens the dialog to sign in. */
async function askToSignIn(page: Page): Promise<void> {
  await page.getByText("Your session ended. Sign in to").waitFor();
  await button(page, "Sign in").click();
  await page.getByLabel("Username or email").waitFor();
}
/** Aborts all parts after the first million bytes of a file, until it is opened. */
async function wallOn(page: Page) {
  let isOpen = false;
  let cutAt = 0;
  await page.route("**/tdb/resumable/*", (route) => {
    const offset = Number(route.request().headers()["upload-offset"] ?? 0);
    if (isOpen || offset <= 1_000_000) return route.continue();
    cutAt = offset;
    return route.abort();
  });
  return {
    cutAt: () => cutAt,
    /** Also reports to the page that the network is back, so that the test need not wait for the next attempt. */
    open: async () => {
      isOpen = true;
      await page.evaluate(() => dispatchEvent(new Event("online")));
    },
  };
}
const cutOff = "The server cannot be reached. It goes on by itself.";
/** The offsets from which parts were sent. */
function offsetsOf(page: Page): number[] {
  const offsets: number[] = [];
  page.context().on("request", (request) => {
    if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
  });
  return offsets;
}

test("a cut upload continues in another browser if the same file is chosen there, and another file is refused", async () => {
  const content = tdbxOf(facilityUuid, {}, 30_000_000);
  const path = await onDisk("slow.tdbx", content);
  const first = await screenAs(browser, gateway, "uploader");
  // A gateway of an earlier version answers like this.
  await first.page.route("**/tdb/resumable?size=*", (route) =>
    route.fulfill({ status: 422, json: { detail: "size: is not a known key" } }),
  );
  await first.open("/tdb");
  const { cutAt } = await wallOn(first.page);
  await picker(first.page).setInputFiles(path);
  await button(first.page, "Upload").click();
  await first.page.getByText(cutOff).waitFor();
  await first.page.close({ runBeforeUnload: false });
  await first.close();

  const second = await screenAs(browser, gateway, "uploader", { width: 390, colorScheme: "dark" });
  const { page } = second;
  const offsets = offsetsOf(page);
  await second.open("/tdb");
  const unfinished = page.getByRole("region", { name: "Unfinished uploads" });
  await unfinished.getByText("of 28.61 MB received").waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  const choose = async (file: string) => {
    const chooser = page.waitForEvent("filechooser");
    await button(page, "Choose the file of slow.tdbx").click();
    await (await chooser).setFiles(file);
  };
  const other = Buffer.from(content);
  other[100_000]! ^= 1;
  // The archive's directory holds the checksums, so it differs if the content differs: here the hash of the end shows
  // it.
  other[other.length - 100]! ^= 1;
  await choose(await onDisk("other.tdbx", other));
  await notification(page, "other.tdbx is another file than slow.tdbx: its size or its content differs.").waitFor();
  await choose(path);
  await page.getByText(/Goes on where it stopped: .+ of 28.61 MB are at the server/).waitFor();
  await button(page, "Upload").click();
  await button(page, "1 file(s) uploaded, Click Browse to Add more..!").waitFor();
  expect(Math.min(...offsets)).toBe(cutAt());
  await expect.poll(() => rowsOf(content)).toHaveLength(1);
  await unfinished.waitFor({ state: "detached" });
  // A busy server may ask to wait before it checks the file: the upload tries again.
  second.expectClean(/status of 429 .*\/finish/);
});

test.each([
  ["was sent", false],
  ["was answered", true],
])(
  "if a window is closed after all bytes arrived but before the request to finish %s, another window sends no byte again",
  async (_, isDone) => {
    const content = tdbxOf(facilityUuid, {}, 2_000_000);
    const path = await onDisk(`all-there-${isDone}.tdbx`, content);
    const first = await screenAs(browser, gateway, "uploader");
    await first.open("/tdb");
    const finishRequested = new Promise<void>((resolve) => {
      void first.page.route("**/finish", async (route) => {
        if (isDone) await route.fetch();
        else {
          // A request that is only delayed is sent when its window is closed.
          await first.page.context().setOffline(true);
          await route.abort();
        }
        resolve();
      });
    });
    await picker(first.page).setInputFiles(path);
    await button(first.page, "Upload").click();
    await finishRequested;
    await first.page.close({ runBeforeUnload: false });
    await first.close();

    const second = await screenAs(browser, gateway, "uploader");
    const { page } = second;
    const offsets = offsetsOf(page);
    await second.open("/tdb");
    await picker(page).setInputFiles(path);
    await page.getByText("1 file(s), total size 1.91 MB").waitFor();
    await button(page, "Upload").click();
    await button(page, "1 file(s) uploaded, Click Browse to Add more..!").waitFor();
    await page.getByText(isDone ? "was already received: this is the earlier receipt." : "was received.").waitFor();
    expect(offsets).toEqual([]);
    await expect.poll(() => rowsOf(content)).toHaveLength(1);
    expect((await (await gateway.as("uploader")).get("/api/v1/tdb/resumable")).body).toEqual([]);
    second.expectClean();
  },
);

test("uploads continue when the screen is left, and after the session ended once the same person has signed in again", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await page.goto(`${gateway.url}/#/tdb`);
  await signIn(page, "uploader");
  await page.getByRole("heading", { name: "TDB Upload" }).waitFor();
  const wall = await wallOn(page);
  const contents = [tdbxOf(facilityUuid, {}, 5_000_000), tdbxOf(facilityUuid, {}, 50_000)];
  const offsets = offsetsOf(page);
  await picker(page).setInputFiles([asFile("one.tdbx", contents[0]!), asFile("two.tdbx", contents[1]!)]);
  await button(page, "Upload").click();
  await page.getByText(cutOff).waitFor();
  await page.getByRole("link", { name: "About" }).first().click();
  const notice = page.getByRole("complementary", { name: "Upload under way" });
  await notice.getByText(/^TDB Upload: \d+ % of 2 file\(s\)/).waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  await page.context().clearCookies();
  await wall.open();
  await askToSignIn(page);
  offsets.length = 0;
  await signIn(page, "uploader");
  await notification(page, "Successfully uploaded TDB files!").waitFor();
  expect(offsets[0]).toBe(wall.cutAt());
  for (const content of contents) await expect.poll(() => rowsOf(content)).toHaveLength(1);
  await notice.waitFor({ state: "detached" });
  screen.expectClean(/401|net::ERR_FAILED/);
});

test("a person who signs in after another person neither continues their uploads nor sees their file names", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await page.goto(`${gateway.url}/#/tdb`);
  await signIn(page, "uploader");
  await page.getByRole("heading", { name: "TDB Upload" }).waitFor();
  const wall = await wallOn(page);
  const content = tdbxOf(facilityUuid, {}, 5_000_000);
  await picker(page).setInputFiles([asFile("private.tdbx", content)]);
  await button(page, "Upload").click();
  await page.getByText(cutOff).waitFor();
  await page.context().clearCookies();
  await wall.open();
  await askToSignIn(page);
  await signIn(page, "admin");
  await page.getByRole("heading", { name: "TDB Upload" }).waitFor();
  await screen.settled();
  await expect.poll(() => page.getByText("private.tdbx").count()).toBe(0);
  await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
  await button(page, "Upload").waitFor();
  await expect.poll(() => rowsOf(content)).toEqual([]);
  const { body } = await (await gateway.as("uploader")).get("/api/v1/tdb/resumable");
  expect(body).toMatchObject([{ fileName: "private.tdbx" }]);

  await picker(page).setInputFiles([asFile("mine.tdbx", content)]);
  await page.getByText("mine.tdbx").waitFor();
  await button(page, "Sign-out").click();
  await page.getByLabel("Username or email").waitFor();
  await signIn(page, "admin");
  await page.getByRole("link", { name: "TDB Upload" }).first().click();
  await page.getByRole("heading", { name: "TDB Upload" }).waitFor();
  await expect.poll(() => page.getByText("mine.tdbx").count()).toBe(0);
});

test("one of several files is paused, resumed and cancelled while the others are sent", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/tdb");
  await wallOn(page);
  const contents = [tdbxOf(facilityUuid, {}, 5_000_000), tdbxOf(facilityUuid), tdbxOf(facilityUuid)];
  await picker(page).setInputFiles(contents.map((content, index) => asFile(`${index}.tdbx`, content)));
  await button(page, "Upload").click();
  await page.getByText(cutOff).waitFor();
  await button(page, "Pause 0.tdbx").click();
  await page.getByText("was received.").nth(1).waitFor();
  await expect
    .poll(async () =>
      [await rowsOf(contents[0]!), await rowsOf(contents[1]!), await rowsOf(contents[2]!)].map(({ length }) => length),
    )
    .toEqual([0, 1, 1]);
  await page.getByText(/^Paused at /).waitFor();
  await button(page, "Resume 0.tdbx").click();
  await page.getByText(/^Sending: /).waitFor();
  const left = page.waitForResponse(
    (response) => response.request().method() === "DELETE" && response.status() === 204,
  );
  await button(page, "Cancel 0.tdbx").click();
  await left;
  await button(page, "2 file(s) uploaded, Click Browse to Add more..!").waitFor();
  expect((await (await gateway.as("admin")).get("/api/v1/tdb/resumable")).body).toEqual([]);
  screen.expectClean(/net::ERR_FAILED/);
});

test("an upload that is cancelled before it begins is not sent", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  await screen.open("/tdb");
  const sent: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/tdb\/resumable(\?|$)/, async (route) => {
    sent.push(route.request().method());
    await held;
    await route.abort();
  });
  await picker(page).setInputFiles([asFile("cancelled.tdbx", tdbxOf(facilityUuid))]);
  await button(page, "Upload").click();
  // The client first asks whether the server has a part of the file.
  await expect.poll(() => sent).toEqual(["GET", "GET"]);
  await button(page, "Cancel").click();
  release();
  await screen.settled();
  expect(new Set(sent)).toEqual(new Set(["GET"]));
});

test("downloads are listed under their headings, and an administrator adds and withdraws one", async () => {
  const screen = await screenAs(browser, gateway, "admin", { width: 1440 });
  const { page } = screen;
  await screen.open("/downloads");
  await expect
    .poll(() => page.locator("h2").allInnerTexts())
    .toEqual(["Installers", "Upgraders", "Patches", "Other files"]);
  await button(page, "Add file").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("File type").selectOption("INSTALLER");
  const picked = dialog.getByLabel("File", { exact: true });
  await picked.setInputFiles(asFile("page-for-tests.html", Buffer.from("made-up")));
  await dialog.getByText("Only files of these kinds can be added").waitFor();
  await picked.setInputFiles(asFile("setup-for-tests.exe", Buffer.from("made-up")));
  await expect.poll(() => dialog.getByLabel("File name").inputValue()).toBe("setup-for-tests.exe");
  await dialog.getByText("Only files of these kinds can be added").waitFor({ state: "hidden" });
  await button(page, "Upload").click();
  for (const name of ["Description", "Database key"]) await dialog.getByText(`${name} is required`).waitFor();
  await dialog.getByLabel("Description").fill("An installer that tests add");
  await dialog.getByLabel("Database key").fill("12345678");
  await button(page, "Upload").click();
  await notification(page, "Successfully uploaded files").waitFor();
  await page.getByRole("rowheader", { name: "setup-for-tests.exe" }).waitFor();
  const link = page.getByRole("link", { name: "Download setup-for-tests.exe" });
  expect(await link.getAttribute("href")).toMatch(/^\/api\/v1\/download\/[\w-]+$/);

  await page.route("**/graphql*", (route) => route.abort());
  await button(page, "Withdraw setup-for-tests.exe").click();
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await notification(page, "The server cannot be reached. Check the connection and try again.").waitFor();
  await page.unroute("**/graphql*");
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await page.getByRole("rowheader", { name: "setup-for-tests.exe" }).waitFor({ state: "detached" });
  screen.expectClean(/net::ERR_FAILED/);
});

test("the TDBs of a range of days are listed, counted on request, exported and downloaded", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const { today } = bodyOf<{ today: string }>(await (await gateway.as("admin")).get("/api/v1/system"));
  const range = { start: `${Number(today.slice(0, 4)) - 1}-01-01`, end: today };
  const total = bodyOf<number>(await (await gateway.as("admin")).get(`/api/v1/tdb/count/${range.start}/${range.end}`));
  await screen.open(`/user/me?tab=allTdbs&start=${range.start}&end=${range.end}`);
  await page.getByRole("tab", { name: "All Uploaded TDBs" }).click();
  await screen.settled();
  await expect
    .poll(() => page.getByRole("table", { name: /TDB/ }).getByRole("columnheader").allInnerTexts())
    .toEqual([
      "Uploaded",
      "Facility",
      "District/Province",
      "Delta TDB",
      "Created",
      "Clients",
      "Size (MB)",
      "User & IP",
      "File",
    ]);
  await button(page, "TDB total count").click();
  const dialog = page.getByRole("dialog");
  await expect.poll(() => dialog.getByRole("status").innerText()).toBe("");
  await dialog.getByRole("button", { name: "Count", exact: true }).click();
  await dialog.getByRole("button", { name: "Clear", exact: true }).waitFor();
  await expect
    .poll(async () => Number((await dialog.getByRole("status").innerText()).replaceAll(/\D/g, "")))
    .toBe(total);
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Clear", exact: true }).click();
  await dialog.getByRole("button", { name: "Count", exact: true }).waitFor();
  await expect.poll(() => dialog.getByRole("status").innerText()).toBe("");
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  const exported = page.waitForEvent("download");
  await page.getByText("Export CSV").click();
  expect((await exported).suggestedFilename()).toBe(`tdbs-${range.start}-to-${range.end}.csv`);
  // On the tab of a facility everybody who sees the row can download the stored file.
  await page.getByRole("table", { name: /TDB/ }).getByRole("link").first().click();
  await page.getByRole("tab", { name: "Uploaded TDBs", exact: true }).click();
  await screen.settled();
  const fetched = page.waitForEvent("download");
  await page
    .getByRole("link", { name: /^Fetch / })
    .first()
    .click();
  const file = await readFile((await (await fetched).path())!);
  const kept = await gateway.db
    .selectFrom("tdb")
    .select("tdbUuid")
    .where("sha256", "=", createHash("sha256").update(file).digest("hex"))
    .execute();
  expect(kept).toHaveLength(1);
  const audit = await gateway.db
    .selectFrom("auditEvent")
    .select("subjectId")
    .where("action", "=", "tdb.fetch")
    .execute();
  expect(audit).toEqual([{ subjectId: kept[0]!.tdbUuid }]);
  screen.expectClean();
});
