import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";

import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { afterAll, expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { openBrowser } from "../support/openBrowser.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * The page about the style beside its last pictures. `PICTURES=new` takes new ones; look at them before the commit. The
 * page uses the font that comes with the browser, drawn without hints or fonts of the machine.
 */

const browser = await openBrowser(["--font-render-hinting=none", "--disable-lcd-text"], true);
afterAll(() => browser.close());
const gateway = await gatewayOfFile();

/** At most this share of the pixels may differ: the edges of texts do, between processors. */
const tolerated = 0.0005;

test.each(
  ([390, 1440] as const).flatMap((width) =>
    (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
  ),
)("every component looks as in the last picture: $width, $colorScheme", async ({ width, colorScheme }) => {
  const screen = await screenAs(browser, gateway, "admin", { width, colorScheme });
  const { page } = screen;
  await page.goto(gateway.url);
  await page.evaluate(() => {
    for (const name of ["--font", "--font-mono"]) document.documentElement.style.setProperty(name, "Open Sans");
  });
  await screen.open("/about/style");
  for (const part of (await page.locator(".style-page > section > details > summary").all()).slice(1))
    await part.click();
  for (const chart of await page.locator(".chart-frame").all()) {
    await chart.scrollIntoViewIfNeeded();
    await chart.locator(".chart-drawing svg").waitFor();
  }
  await page.getByRole("button", { name: "Show what waits" }).click();
  await page.getByText("Loading…").waitFor();
  expect(await layoutFaults(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.move(0, 0);
  const clip = (await page.locator(".style-page").boundingBox())!;
  const taken = PNG.sync.read(await page.screenshot({ fullPage: true, clip, animations: "disabled" }));
  const file = `test/shell/pictures/style-${width}-${colorScheme}.png`;
  const remedy = `If that is meant: PICTURES=new npx vitest run --project doors test/shell/style.screen.test.ts, then look at ${file}.`;
  if (process.env["PICTURES"] === "new") {
    // With fewer colours the file is half as large, and pixelmatch does not see it.
    for (const [at, value] of taken.data.entries()) taken.data[at] = value & 0xf8;
    await writeFile(file, PNG.sync.write(taken, { colorType: 2, deflateStrategy: 0, filterType: 0 }));
    return;
  }
  expect(existsSync(file), `There is no ${file}. ${remedy}`).toBe(true);
  const last = PNG.sync.read(await readFile(file));
  const size = ({ width: across, height }: PNG) => `${across} × ${height}`;
  expect(size(taken), `The page about the style has another size than in ${file}. ${remedy}`).toBe(size(last));
  const changed = pixelmatch(last.data, taken.data, undefined, taken.width, taken.height, { threshold: 0.1 });
  expect(
    changed / (taken.width * taken.height),
    `${changed} pixels of the page about the style differ from ${file}. ${remedy}`,
  ).toBeLessThan(tolerated);
  screen.expectClean();
});
