/**
 * `npm run screens`: opens every screen as `admin` of the demonstration, wide and on a phone, and prints where its first
 * figure, chart or row begins, how much of it moved while it loaded (cumulative layout shift, with 100 ms before each
 * answer), and what is in view besides the menu: controls (buttons, fields, tabs), how many of them the specification
 * fixes, and links. A tab counts as one, and so does a line that unfolds something. A choice counts as one, however many
 * segments, radio buttons or tiles it has: people see one question, and the keyboard stops at it once. Not counted are
 * the areas of maps and charts, what stands in the rows of tables, read-only fields, and what the bar at the bottom of a form covers.
 * A first answer that begins too low, too much movement, or too many controls that the specification does not fix, are
 * marked with an asterisk. `npm run screens -- /fleet` looks only at paths with this beginning and names their controls.
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

/** What a person comes to see: a figure (how many a list has too), chart, map or row, the state of the device, or an address. */
const answer = [
  ...[".situation-tile-figure", ".ledger-count", ".chart-card h3", ".chart-drawing", ".map-drawing"],
  ...["caption", ".link-list-caption", "tbody tr", "dl", "main li", ".field-ready summary", "address"],
].join(", ");

const [beginning = ""] = process.argv.slice(2);

/** At most so many controls are in view besides those that the specification fixes. */
const mostControls = 15;

/** So much of a screen may move while it loads. */
const mostShift = 0.02;

/** In the page, before its scripts: adds up what moves, except after a click or a key. */
function watchShifts() {
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** Controls of the specification, besides tabs: by their own name or that of their group. */
const fixedNames = [
  ...["View", "Implementing partner", "Year", "Quarter", "Export Image", "Start date", "End date", "Refresh"],
  ...["Edit", "Add new", "Add file", "Add User", "Export CSV", "Save", "Export", "Upload", "Cancel"],
];

/** In the page: the top of the first answer (or –), the controls, those that the specification fixes, the links. */
function look([answer, fixed]) {
  const main = document.querySelector(".frame-main");
  const boxes = (selector) =>
    [...main.querySelectorAll(selector)].flatMap((node) => {
      const box = node.getBoundingClientRect();
      // Blueprint draws a box over the input of a checkbox, which itself is transparent.
      const isSeen = node.checkVisibility({ opacityProperty: node.type !== "checkbox", visibilityProperty: true });
      return box.width > 1 && box.height > 1 && isSeen ? [{ node, box }] : [];
    });
  const bar = main.querySelector(".assessment-actions");
  const isCovered = ({ node, box }) =>
    bar && !bar.contains(node) && (box.top + box.bottom) / 2 > bar.getBoundingClientRect().top;
  const inView = (selector) =>
    boxes(selector).filter(
      ({ node, box }) =>
        box.top < innerHeight && box.bottom > 0 && !node.closest("tbody, .map-drawing, .chart-drawing"),
    );
  const nameOf = (node) => (node.ariaLabel ?? node.labels?.[0]?.innerText ?? node.innerText).trim();
  const isFixed = ({ node }) =>
    node.role === "tab" || node.closest(".tab-choice, .facility-details") !== null || fixed.includes(nameOf(node));
  const answers = boxes(answer);
  const buttons = "button:not([role=radio], .situation-tile ~ .situation-tile *), [role=tab]";
  const controls = inView(
    `${buttons}, [role=radiogroup], fieldset:has([type=radio]), input:not([type=radio], [readonly]), select, summary, textarea`,
  ).filter((control) => !isCovered(control));
  return {
    top: answers.length > 0 ? Math.round(Math.min(...answers.map(({ box }) => box.top + scrollY))) : undefined,
    controls: controls.map(({ node }) => nameOf(node).replaceAll(/\s+/g, " ") || node.localName),
    fixed: controls.filter(isFixed).length,
    links: inView("a[href]").length,
    shift: globalThis.shift,
  };
}

/** A path with a value for each parameter, as the demonstration has it. Records that it lacks are made. */
async function examples(request, address) {
  const first = async (path) => (await (await request.get(`${address}/api/v1/${path}`)).json())[0];
  const made = async (path, data) => {
    const headers = { "content-type": path === "/graphql" ? "application/json" : "text/csv" };
    return (await request.post(`${address}${path}`, { headers, data })).json();
  };
  const { id } = await first("province");
  const { implementingPartnerId } = await first("implementingPartner/active/true");
  const { uuid: facilityUuid } = await first("facility?limit=1");
  const list = "name,province,district\nScreen Clinic,Nowhere,Nowhere\n";
  const { data } = await made("/graphql", {
    query: `mutation { createSavedQuery(input: { name: "Screens", query: "{ provinces(first: 3) { nodes { name } } }" }) { savedQuery { uuid } } }`,
  });
  const values = {
    ...{ provinceId: id, id, placeKind: "province", districtId: (await first("district")).id, implementingPartnerId },
    ...{ facilityUuid, mode: "EFirst", kind: "stopped", number: 1 },
    assessmentUuid: (await first(`assessment/list/facility/${facilityUuid}`)).uuid,
    userUuid: (await first(`user/ip/${implementingPartnerId}`)).uuid,
    queryUuid: data.createSavedQuery.savedQuery.uuid,
    imports: (await made("/api/v1/registry/import", list)).uuid,
    reconciliations: (await made("/api/v1/registry/reconciliations?source=Screens", list)).uuid,
  };
  return (path) =>
    path.replaceAll(/(\w*)\/:(\w+)/g, (_, before, name) => `${before}/${values[name] ?? values[before]}`);
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
    { width: 1440, height: 900, lowest: 300 },
    { width: 390, height: 844, lowest: 360 },
  ];
  const paths = Object.values(screens).map(({ path }) => path);
  const found = new Map(paths.filter((path) => path.startsWith(beginning)).map((path) => [path, []]));
  let filled;
  for (const { lowest, ...viewport } of sizes) {
    const page = await browser.newPage({ viewport, serviceWorkers: "block" });
    await page.addInitScript(watchShifts);
    const line = await page.context().newCDPSession(page);
    await line.send("Network.enable");
    const conditions = { offline: false, latency: 100, downloadThroughput: -1, uploadThroughput: -1 };
    await line.send("Network.emulateNetworkConditions", conditions);
    await page.goto(address);
    await page.locator("input[autocomplete=username]").fill("admin");
    await page.locator("input[type=password]").fill("demo-password");
    await page.keyboard.press("Enter");
    await page.locator(".frame-main").waitFor();
    filled ??= await examples(page.request, address);
    for (const [path, row] of found) {
      await page.goto("about:blank");
      await page.goto(`${address}/#${filled(path)}`);
      await page.locator("h1").waitFor();
      if (/not found/.test(await page.locator("h1").innerText())) throw new Error(`There is no ${filled(path)}.`);
      await page.waitForLoadState("networkidle");
      await page.waitForFunction(() => !document.querySelector(".state-loading, .chart-waiting, .frame-progress"));
      const { top, controls, fixed, links, shift } = await page.evaluate(look, [answer, fixedNames]);
      row.push(top === undefined ? "–" : `${top}${top > lowest ? "*" : " "}`);
      row.push(`${shift.toFixed(3)}${shift > mostShift ? "*" : " "}`);
      row.push(`${controls.length}${controls.length - fixed > mostControls ? "*" : " "}`, fixed, links);
      if (beginning) console.log(`${path} at ${viewport.width}: ${controls.join(", ")}`);
    }
    await page.close();
  }
  const print = (name, cells) => console.log(name.padEnd(56) + cells.map((cell) => String(cell).padStart(10)).join(""));
  print(
    "",
    sizes.flatMap(({ width }) => [`y ${width}`, "moves ", "controls ", "fixed", "links"]),
  );
  for (const [path, row] of found) print(path, row);
} finally {
  await browser.close();
  gateway.kill("SIGTERM");
  await new Promise((resolve) => gateway.once("exit", resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
