import { openBrowser } from "../support/openBrowser.ts";
import { freePort } from "./freePort.ts";
import { atLeast, type Goal, notMeasured } from "./goals.ts";
import { install, loadFrom } from "./install.ts";
import { middle } from "./middle.ts";
import type { Place } from "./place.ts";
import { startProduct } from "./product.ts";
import type { Samples } from "./samples.ts";
import { table } from "./table.ts";

/**
 * Lighthouse's scores of the first screens, as on a mid-tier phone on a slow line: its mobile preset, which assumes a
 * phone that is 4 times slower than this machine. That is meant for machines with an index of 1500 to 2000; for slower
 * ones Lighthouse recommends less (its docs/throttling.md), so that it is the same phone everywhere. Both are reported;
 * the goals are for that phone.
 */

/** The newest that runs on Node.js 20. */
const version = "12";
const runs = 3;
const mostVisits = 9;
const mostTries = 3;
/** 10 percent, as a natural logarithm */
const nearEnough = 0.1;
const wanted = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof wanted;
const categories = Object.keys(wanted) as Category[];

const usualSlowdown = 4;
/** The index of that phone: the middle of what the preset is meant for, divided by its slowdown. */
const phoneIndex = 1750 / usualSlowdown;

const pagesOf = (facilityUuid: string) => ({
  login: "/",
  home: "/",
  provinces: "/#/provinces",
  facility: `/#/facility/${facilityUuid}`,
  assessment: `/#/assessment/facility/${facilityUuid}`,
});

type Report = {
  runtimeError?: { message: string };
  categories: Record<Category, { score: number }>;
  audits: Record<string, { numericValue: number }>;
  environment: { benchmarkIndex: number };
  configSettings: { throttling: { cpuSlowdownMultiplier: number } };
};
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>;

/** One visit by a browser with an empty cache. */
async function visitOnce(
  lighthouse: Lighthouse,
  { url, cookie, slowdown }: { url: string; cookie: string; slowdown: number },
): Promise<Report> {
  const port = await freePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  try {
    const flags = {
      port,
      output: "json",
      logLevel: "error",
      onlyCategories: categories,
      extraHeaders: cookie ? { cookie } : {},
    };
    const throttling = { rttMs: 150, throughputKbps: 1638.4, cpuSlowdownMultiplier: slowdown };
    return (await lighthouse(url, { ...flags, throttling }))!.lhr;
  } finally {
    await browser.close();
  }
}

/** A visit is repeated if no trace of it was recorded, which happens now and then. */
async function visit(lighthouse: Lighthouse, page: { url: string; cookie: string; slowdown: number }): Promise<Report> {
  for (let left = mostTries; ; left -= 1) {
    const report = await visitOnce(lighthouse, page);
    if (!report.runtimeError) return report;
    if (left === 1) throw new Error(report.runtimeError.message);
  }
}

const score = (report: Report, category: Category) => Math.round(report.categories[category].score * 100);
const ms = (report: Report, audit: string) => Math.round(report.audits[audit]!.numericValue);

const indexOf = ({ environment }: Report) => environment.benchmarkIndex;
const slowdownOf = ({ configSettings }: Report) => configSettings.throttling.cpuSlowdownMultiplier;

async function several(visits: () => Promise<Report>): Promise<Report[]> {
  const reports: Report[] = [];
  for (let run = 0; run < runs; run += 1) reports.push(await visits());
  return reports;
}

/**
 * Visits during which the machine was as fast as assumed. Its speed varies from one to the next, and is only known
 * afterwards. If it varies too much, the visits that came nearest.
 */
async function asOnPhone(before: Report[], visitAt: (slowdown: number) => Promise<Report>): Promise<Report[]> {
  const distance = (report: Report) => Math.abs(Math.log(indexOf(report) / slowdownOf(report) / phoneIndex));
  const reports: Report[] = [];
  let last = middle(before, indexOf);
  while (reports.length < mostVisits && reports.filter((report) => distance(report) < nearEnough).length < runs) {
    last = await visitAt(Math.max(1, Math.min(usualSlowdown, indexOf(last) / phoneIndex)));
    reports.push(last);
  }
  return reports.toSorted((one, other) => distance(one) - distance(other)).slice(0, runs);
}

export async function measureLighthouse(
  place: Place,
  { facilityUuids }: Samples,
): Promise<{ goals: Goal[]; text: string }> {
  const installed = await install("lighthouse", version);
  if (typeof installed === "string")
    return { goals: [notMeasured("Lighthouse", "95, 100 and 100", installed)], text: "" };
  const product = await startProduct(place);
  try {
    const lighthouse = (await loadFrom(installed.folder, "lighthouse"))["default"] as Lighthouse;
    const { headers } = product.asClient({ method: "GET", path: "/" });
    const rows: (string | number)[][] = [];
    const goals: Goal[] = [];
    for (const [name, path] of Object.entries(pagesOf(facilityUuids[0]!))) {
      const page = {
        url: `http://127.0.0.1:${product.port}${path}`,
        cookie: name === "login" ? "" : headers!["cookie"]!,
      };
      const preset = await several(() => visit(lighthouse, { ...page, slowdown: usualSlowdown }));
      const asPhone = await asOnPhone(preset, (slowdown) => visit(lighthouse, { ...page, slowdown }));
      const shown = [asPhone, preset].map((reports) => ({
        reports,
        report: middle(reports, (each) => score(each, "performance")),
      }));
      const { report, reports } = shown[0]!;
      const why = `blocked ${ms(report, "total-blocking-time")}, largest paint ${ms(report, "largest-contentful-paint")} ms; the runs: ${reports.map((each) => score(each, "performance")).join(", ")}`;
      for (const category of categories)
        goals.push(atLeast(`Lighthouse, ${name}: ${category}`, score(report, category), wanted[category], "", why));
      for (const each of shown)
        rows.push([
          each === shown[0] ? name : "",
          slowdownOf(each.report).toFixed(1),
          ...categories.map((category) => String(score(each.report, category))),
          ...["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index"].map((audit) =>
            String(ms(each.report, audit)),
          ),
          each.report.audits["cumulative-layout-shift"]!.numericValue.toFixed(3),
          String(Math.round(indexOf(each.report))),
        ]);
    }
    const head = [
      "",
      "slowdown",
      ...categories,
      "first paint ms",
      "largest ms",
      "blocked ms",
      "speed index",
      "shift",
      "index",
    ];
    return {
      goals,
      text: `Lighthouse ${installed.version}, its mobile preset: 1.6 Mbit/s, 150 ms there and back; the middle of ${runs} (--questions lighthouse)
${table(head, rows)}
  index: Lighthouse's of this machine meanwhile; it sways with what else the machine does. First as slow as makes it the phone of the preset
  (index ${phoneIndex}), of those visits that it was for, which decides the goals; then 4 times slower whatever the machine is.`,
    };
  } finally {
    await product.stop();
    await installed.remove();
  }
}
