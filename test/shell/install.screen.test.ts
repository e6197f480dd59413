import { expect, test } from "vitest";

import { axe, layoutFaults, screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** The application can be installed on a phone or a computer. */

const [browser, gateway] = await screensOfFile();

type Picture = { src: string; sizes: string; type: string };
type Manifest = { icons: Picture[]; screenshots: Picture[]; shortcuts: { name: string; url: string }[] };

test("the browser finds no fault in the manifest, and its pictures and shortcuts are there", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390, keepsApplication: true });
  const { page } = screen;
  await screen.open("/");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const devtools = await page.context().newCDPSession(page);
  const { data, errors } = await devtools.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(await devtools.send("Page.getInstallabilityErrors")).toEqual({ installabilityErrors: [] });
  const { icons, screenshots, shortcuts } = JSON.parse(data!) as Manifest;
  for (const { src, sizes, type } of [...icons, ...screenshots]) {
    const answer = await page.request.get(`${gateway.url}${src}`);
    const bytes = await answer.body();
    // The width and height of a PNG file.
    const size = `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
    expect([answer.headers()["content-type"], size], src).toEqual([type, sizes]);
  }
  const titles = [];
  for (const { url } of shortcuts) {
    await screen.open(url.slice(url.indexOf("#") + 1));
    titles.push(await page.locator("h1").innerText());
  }
  expect(titles).toEqual(["Facility Search", "My week", "My week"]);
  screen.expectClean();
});

test("a browser that does not agree to keep what is stored is said not to, with what helps", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page } = screen;
  await screen.open("/field");
  await page.getByText(/points? to look at$/).click();
  await page.getByRole("button", { name: "Ask to keep it" }).click();
  await page.getByText(/^The browser did not agree\. Install this page from the browser's menu/).waitFor();
  expect([await axe(page), await layoutFaults(page)]).toEqual([[], []]);
  screen.expectClean();
});
