import { expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** A walk of a person through all screens in one session, without loading the page again. */

const [browser, gateway] = await screensOfFile();

const steps = 200;
/** Every fifth step is an entry of the menu, so that the walk does not stay among the lists. */
const stepsFromMenu = 5;

/** Numbers from 0 to 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test("200 links, tabs and steps of the history, followed at random: no screen fails, and the memory stays flat", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const random = numbersFrom(5);
  const memory = await page.context().newCDPSession(page);
  await memory.send("Performance.enable");
  /** What is in use after the garbage is collected: kB of script, and nodes of the document. */
  const used = async () => {
    for (let rounds = 0; rounds < 2; rounds += 1) await memory.send("HeapProfiler.collectGarbage");
    const { metrics } = await memory.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((metric) => metric.name === name)!.value;
    return { kB: Math.round(of("JSHeapUsedSize") / 1000), nodes: of("Nodes") };
  };

  await screen.open("/");
  const seen = new Set<string>();
  const atHome: Awaited<ReturnType<typeof used>>[] = [];
  for (let step = 1; step <= steps; step += 1) {
    const choice = random();
    // React Router numbers the entries of the history.
    const canGoBack = await page.evaluate(() => (history.state as { idx: number } | null)?.idx !== 0);
    if (choice < 0.15 && canGoBack) await page.goBack();
    else if (choice < 0.25) await page.goForward();
    else {
      const scope =
        step % stepsFromMenu === 0 ? page.getByRole("navigation", { name: "Main menu" }) : page.locator("main");
      const targets = scope.locator(`a[href^="#/"]:visible, [role=tab]:visible`);
      const count = await targets.count();
      if (count === 0) await page.evaluate(() => (location.hash = "#/"));
      else await targets.nth(Math.floor(random() * count)).click();
    }
    await screen.settled();
    const path = new URL(page.url()).hash.replace(/\?.*/, "").replaceAll(/[0-9a-f-]{36}|\d+/g, ":id");
    seen.add(path);
    // The page about the style shows the notice of a failure.
    const shown = path === "#/about/style" ? 1 : 0;
    expect([path, await page.getByText(/does not work right now|could not be loaded/).count()]).toEqual([path, shown]);
    if (step % 50 === 0) {
      await screen.open("/");
      atHome.push(await used());
    }
  }
  expect(seen.size).toBeGreaterThan(20);
  const [first, last] = [atHome[0]!, atHome.at(-1)!];
  expect([last.nodes < 2 * first.nodes, last.kB < 1.5 * first.kB], JSON.stringify(atHome)).toEqual([true, true]);
  screen.expectClean();
});
