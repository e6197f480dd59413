import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { gatewayOfFile } from "../support/perFile.ts";
import { formOf, sendForm, tdbxOf, tusOf } from "../support/tdbx.ts";

/** Files may hold patient data: on the disk they are for the service alone. */

const gateway = await gatewayOfFile("demo");

test("folders and files are readable by the service alone: stored, staged, unfinished, and folders from before", async () => {
  const uploader = await gateway.as("uploader");
  const { facilityUuid } = await gateway.db.selectFrom("facility").select("facilityUuid").executeTakeFirstOrThrow();
  const tus = tusOf(gateway.url, uploader);
  const form = formOf([{ name: "one.tdbx", content: tdbxOf(facilityUuid) }]);
  expect((await sendForm(gateway.url, "/api/v1/tdb", uploader, form)).status).toBe(200);
  for (const isWhole of [true, false]) {
    const content = tdbxOf(facilityUuid);
    const path = await tus.create(content.length, "parts.tdbx");
    await tus.patch(path, 0, isWhole ? content : content.subarray(0, 500));
    if (isWhole) expect((await tus.finish(path)).body).toMatchObject({ accepted: true });
  }
  const files = join(gateway.dataDir, "files");
  const names = ["", ...(await readdir(files, { recursive: true }))];
  const found = await Promise.all(names.map(async (name) => ({ name, entry: await stat(join(files, name)) })));
  const open = found.filter(({ entry }) => (entry.mode & 0o777) !== (entry.isDirectory() ? 0o700 : 0o600));
  expect(open.map(({ name, entry }) => `${name} ${(entry.mode & 0o777).toString(8)}`)).toEqual([]);
  // The folders, two stored files, the parts with their note, and an outcome.
  const kinds = [expect.stringMatching(/\.outcome$/), expect.stringMatching(/\.json$/)];
  expect(names).toEqual(expect.arrayContaining(["", "incoming", "resumable", "tdb", "download", ...kinds]));
});
