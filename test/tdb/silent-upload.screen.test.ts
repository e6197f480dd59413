import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";
import { openPoorLine } from "../support/poorLine.ts";
import { tdbxOf } from "../support/tdbx.ts";

const [browser, gateway] = await screensOfFile();
const { facilityUuid } = await gateway.db
  .selectFrom("facility")
  .select("facilityUuid")
  .orderBy("facilityUuid")
  .executeTakeFirstOrThrow();

test("an upload whose connections all died silently continues with the first request after that", async () => {
  const line = await openPoorLine(gateway.url, 400_000);
  const screen = await screenAs(browser, { url: line.url, as: (login) => gateway.as(login) }, "uploader");
  const { page } = screen;
  try {
    await screen.open("/tdb");
    const content = tdbxOf(facilityUuid, {}, 3_000_000);
    await page
      .getByLabel("TDB files")
      .setInputFiles([{ name: "silent.tdbx", mimeType: "application/octet-stream", buffer: content }]);
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await page.getByText(/\/s/).waitFor();
    const failed: string[] = [];
    page.on("requestfailed", (request) => failed.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const before = line.opened();
    // The browser keeps several idle connections. After the silence none of them works, but a new one does.
    expect(before).toBeGreaterThan(2);
    line.swallow(true);
    line.swallow(false);
    await page.getByRole("button", { name: "1 file(s) uploaded, Click Browse to Add more..!" }).waitFor();
    expect(line.opened()).toBeGreaterThan(before);
    // Only the upload's request under way is lost: the dead connections were used up by the HEAD requests that look for
    // a new one.
    expect(failed.filter((call) => call !== "HEAD /api/v1/tdb/resumable")).toEqual([
      expect.stringMatching(/^(PATCH|HEAD|POST) .+resumable\/.+/),
    ]);
    const sha256 = createHash("sha256").update(content).digest("hex");
    await expect
      .poll(() => gateway.db.selectFrom("tdb").select("tdbUuid").where("sha256", "=", sha256).execute())
      .toHaveLength(1);
  } finally {
    await screen.close();
    await line.stop();
  }
});
