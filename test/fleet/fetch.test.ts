import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { bodyOf } from "../support/gateway.ts";
import { changedBy, createRollout } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { openPoorLine } from "../support/poorLine.ts";
import { startSender } from "../support/sender.ts";
import { sendForm } from "../support/tdbx.ts";

/**
 * The command-line sender fetches the files that its site has to apply over connections that break, verifies them and
 * reports the outcome.
 */

const version = "100.1";
const content = randomBytes(3_000_000);
const sha256 = createHash("sha256").update(content).digest("hex");
const part = `patch.zip.${sha256.slice(0, 12)}.part`;
let facilityUuid: string;
let secret: string;
let uuid: string;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const line = await openPoorLine(gateway.url);
const folder = await mkdtemp(join(tmpdir(), "platform-fetch-"));
beforeAll(async () => {
  const rows = await gateway.sql<{ uuid: string; today: string; later: string }>`
    select facility_uuid as uuid, current_date::text as today, (current_date + 100)::text as later from facility where closed_on is null
      and not exists (select from site_account where site_account.facility_uuid = facility.facility_uuid) order by facility_uuid limit 1`;
  const { today, later } = rows[0]!;
  facilityUuid = rows[0]!.uuid;
  const form = new FormData();
  form.append("file", new Blob([content]), "patch.zip");
  for (const [key, value] of Object.entries({
    fileName: "Patch to fetch",
    fileDescription: "A patch of the test",
    fileType: "PATCH",
  }))
    form.append(key, value);
  uuid = bodyOf<{ uuid: string }>(await sendForm(gateway.url, "/api/v1/download", admin, form)).uuid;
  await admin.call("PUT", `/api/v1/download/${uuid}/release`, { version, installs: ["library"] });
  await changedBy(createRollout(admin, { version, startDay: today, facilityUuids: [facilityUuid] }));
  const issued = bodyOf<{ secret: string }[]>(
    await admin.call("POST", "/api/v1/siteCredential", { facilities: [facilityUuid], expiryDate: later }),
  );
  secret = issued[0]!.secret;
});
afterEach(async () => {
  line.down(false);
  await rm(join(folder, "updates"), { recursive: true, force: true });
});
afterAll(async () => {
  await line?.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (...args: string[]) =>
  startSender(folder, ["--url", line.url, "--silence-seconds", "5", ...args], { TDBX_TOKEN: secret });
const fetching = () => start("--fetch", "updates", "--json");
const received = () =>
  stat(join(folder, "updates", part)).then(
    ({ size }) => size,
    () => 0,
  );
const files = () => readdir(join(folder, "updates"));
const isThere = async () => (await readFile(join(folder, "updates", "patch.zip"))).equals(content);
const updates = async () =>
  bodyOf<{ reason: string | null; updates: { uuid: string; report: { outcome: string; why: string } | null }[] }>(
    await admin.get(`/api/v1/facility/${facilityUuid}/updates`),
  );

test("an interrupted fetch continues where it was cut, by the same sender and by the next one", async () => {
  for (const isKilled of [false, true]) {
    const cut = line.downAfter(1_000_000);
    const first = fetching();
    await cut;
    // All that was received is in the file, except some kilobytes of headers. A sender killed earlier would have to
    // fetch more.
    await expect.poll(received).toBeGreaterThan(900_000);
    expect(await received()).toBeLessThan(content.length);
    expect(await files()).toEqual([part]);
    if (isKilled) first.child.kill("SIGKILL");
    line.down(false);
    const rest = line.downAfter(content.length);
    const { code, out, err } = isKilled ? await first.ended.then(() => fetching().ended) : await first.ended;
    expect(code, err).toBe(0);
    // What was there was not sent again: fewer bytes than the whole file came after the cut.
    expect(await Promise.race([rest.then(() => "whole"), Promise.resolve("rest")])).toBe("rest");
    if (isKilled) expect(err).toMatch(/patch\.zip: goes on at \d+ of 3000000 bytes/);
    expect(JSON.parse(out)).toEqual({
      target: version,
      reason: null,
      fetched: [{ uuid, version, file: join("updates", "patch.zip"), sha256 }],
    });
    expect([await isThere(), await files()]).toEqual([true, ["patch.zip"]]);
    await rm(join(folder, "updates"), { recursive: true });
    line.down(false);
  }
});

test("a file with a wrong digest is refused and removed, the next fetch succeeds, and a file that is there already is kept", async () => {
  const begun = fetching();
  expect((await begun.ended).code).toBe(0);
  const again = await fetching().ended;
  expect([again.code, again.err]).toEqual([
    0,
    expect.stringContaining("patch.zip: is there already, its SHA-256 is right"),
  ]);
  await rm(join(folder, "updates", "patch.zip"));
  await writeFile(join(folder, "updates", part), Buffer.alloc(1_500_000, "x"));
  const damaged = await fetching().ended;
  expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining(`patch.zip: its SHA-256 is not ${sha256}`)]);
  expect(await files()).toEqual([]);
  expect((await fetching().ended).code).toBe(0);
  expect(await isThere()).toBe(true);
});

test("the sender reports what failed and what was applied, even over a broken connection, and then has nothing more to apply", async () => {
  const failed = await start("--failed", uuid, "--why", "The disk is full").ended;
  expect([failed.code, failed.err]).toEqual([0, expect.stringContaining(`Reported: ${uuid} failed`)]);
  expect((await updates()).updates).toMatchObject([{ uuid, report: { outcome: "failed", why: "The disk is full" } }]);
  line.down(true);
  const waiting = start("--applied", uuid, "--fetch", "updates");
  const opened = line.opened();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(line.opened()).toBe(opened);
  line.down(false);
  const { code, err } = await waiting.ended;
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/Reported: \S+ was applied[^]*Nothing is to be applied to come to version 100\.1: reported/),
  ]);
  expect(await updates()).toMatchObject({ reason: "reported", updates: [] });
});

test("a refused report ends with its reason, wrong arguments end with 2, and a fetch without a site credential ends with 4", async () => {
  const none = await start("--applied", "00000000-0000-4000-8000-000000000000").ended;
  expect([none.code, none.err]).toEqual([1, expect.stringContaining("No such file is to be applied")]);
  for (const args of [
    ["--failed", uuid],
    ["--applied", uuid, "--failed", uuid, "--why", "x"],
    ["--applied", uuid, "--why", "x"],
  ])
    expect((await start(...args).ended).code).toBe(2);
  const stranger = startSender(folder, ["--url", line.url, "--fetch", "updates"], { TDBX_TOKEN: "sct_unknown" });
  expect((await stranger.ended).code).toBe(4);
});
