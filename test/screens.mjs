/**
 * `npm run screens`: opens every screen as `admin` of the demonstration, wide and on a phone, and prints where its first
 * figure, chart or row begins, and how many controls (buttons, fields, tabs) and links are in view besides the menu, the
 * areas of maps and the rows of tables.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runnerImport } from "vite";

import { buildAll, isBuilt, root } from "../gateway/build/build.mjs";

if (!isBuilt()) await buildAll();
const load = async (path) => (await runnerImport(join(root, path))).module;
const { screens } = await load("client/screens.ts");
const { openBrowser } = await load("test/support/openBrowser.ts");

/** In the page: the top of the first answer (or –), the controls and the links in view. */
function look() {
  const main = document.querySelector(".frame-main");
  const boxes = (selector) =>
    [...main.querySelectorAll(selector)].flatMap((node) => {
      const box = node.getBoundingClientRect();
      return box.width > 0 && box.height > 0 && getComputedStyle(node).visibility === "visible" ? [{ node, box }] : [];
    });
  const inView = (selector) =>
    boxes(selector).filter(
      ({ node, box }) =>
        box.top < innerHeight && box.bottom > 0 && !node.closest("tbody, .map-drawing, .chart-drawing"),
    ).length;
  const answers = boxes(".situation-tile-figure, .chart-card h3, .chart-drawing, .map-drawing, tbody tr, dl, main li");
  return [
    answers.length > 0 ? Math.round(Math.min(...answers.map(({ box }) => box.top + scrollY))) : "–",
    inView("button, input, select, textarea, [role=tab]"),
    inView("a[href]"),
  ];
}

const dataDir = mkdtempSync(join(tmpdir(), "platform-screens-"));
const gateway = spawn(process.execPath, [join(root, "dist", "gateway", "main.js")], {
  env: { ...process.env, PORT: "0", HOST: "127.0.0.1", DATA_DIR: dataDir, DATABASE_URL: "", DEMO: "1" },
  stdio: ["ignore", "pipe", "inherit"],
});
const browser = await openBrowser();
try {
  const address = await new Promise((resolve, reject) => {
    let output = "";
    gateway.stdout.on("data", (data) => {
      output += data;
      const [, url] = /Serving on (\S+)/.exec(output) ?? [];
      if (url) resolve(url);
    });
    gateway.on("exit", () => reject(new Error(`The gateway ended.\n${output}`)));
  });
  const sizes = [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ];
  const found = new Map(Object.values(screens).map(({ path }) => [path, []]));
  for (const viewport of sizes) {
    const page = await browser.newPage({ viewport });
    await page.goto(address);
    await page.locator("input[autocomplete=username]").fill("admin");
    await page.locator("input[type=password]").fill("demo-password");
    await page.keyboard.press("Enter");
    await page.locator(".frame-main").waitFor();
    const first = async (path) => {
      const rows = await (await page.request.get(`${address}/api/v1/${path}`)).json();
      return rows[0];
    };
    const values = {
      provinceId: (await first("province")).id,
      districtId: (await first("district")).id,
      implementingPartnerId: (await first("implementingPartner/active/true")).implementingPartnerId,
      facilityUuid: (await first("facility?limit=1")).uuid,
      mode: "EFirst",
      kind: "stopped",
      placeKind: "province",
      id: (await first("province")).id,
    };
    for (const [path, row] of found) {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      if (names.some((name) => values[name] === undefined)) continue;
      await page.goto("about:blank");
      await page.goto(`${address}/#${path.replaceAll(/:(\w+)/g, (_, name) => values[name])}`);
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      await page.waitForFunction(() => !document.querySelector(".state-loading, .chart-waiting, .frame-progress"));
      row.push(...(await page.evaluate(look)));
    }
    await page.close();
  }
  const line = (name, cells) => console.log(name.padEnd(56) + cells.map((cell) => String(cell).padStart(9)).join(""));
  line(
    "",
    sizes.flatMap(({ width }) => [`y ${width}`, "controls", "links"]),
  );
  for (const [path, row] of found) line(path, row.length > 0 ? row : ["not opened: no example"]);
} finally {
  await browser.close();
  gateway.kill("SIGTERM");
  await new Promise((resolve) => gateway.once("exit", resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
