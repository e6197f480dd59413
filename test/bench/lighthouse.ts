import { openBrowser } from "../openBrowser.ts";
import { freePort } from "./freePort.ts";
import { atLeast, type Goal, notMeasured } from "./goals.ts";
import { install } from "./install.ts";
import type { Place } from "./place.ts";
import { startProduct } from "./product.ts";
import type { Samples } from "./samples.ts";
import { table } from "./table.ts";

/** Lighthouse's scores of the first screens, as on a mid-tier phone on a slow line: its own mobile preset. */

/** The newest that runs on Node.js 20. */
const version = "12";
const runs = 3;
const wanted = { performance: 95, accessibility: 100, "best-practices": 100 } as const;
type Category = keyof typeof wanted;
const categories = Object.keys(wanted) as Category[];

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
};
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>;

/** One visit by a browser that has seen nothing before. */
async function visit(lighthouse: Lighthouse, url: string, cookie: string): Promise<Report> {
  const port = await freePort();
  const browser = await openBrowser([`--remote-debugging-port=${port}`]);
  try {
    const flags = { port, output: "json", logLevel: "error", onlyCategories: categories, extraHeaders: cookie ? { cookie } : {} };
    const report = (await lighthouse(url, flags))!.lhr;
    if (report.runtimeError) throw new Error(report.runtimeError.message);
    return report;
  } finally {
    await browser.close();
  }
}

const score = (report: Report, category: Category) => Math.round(report.categories[category].score * 100);
const ms = (report: Report, audit: string) => Math.round(report.audits[audit]!.numericValue);

/** The middle one of several visits by its performance, and what all of them reached. */
async function middleOf(visits: () => Promise<Report>): Promise<{ middle: Report; all: number[] }> {
  const reports: Report[] = [];
  for (let run = 0; run < runs; run += 1) reports.push(await visits());
  reports.sort((one, other) => score(one, "performance") - score(other, "performance"));
  return { middle: reports[Math.floor(runs / 2)]!, all: reports.map((report) => score(report, "performance")) };
}

export async function measureLighthouse(place: Place, { facilityUuids }: Samples): Promise<{ goals: Goal[]; text: string }> {
  const installed = await install("lighthouse", version);
  if (typeof installed === "string") return { goals: [notMeasured("Lighthouse", "95, 100 and 100", installed)], text: "" };
  const product = await startProduct(place);
  try {
    const lighthouse = (await installed.load("lighthouse"))["default"] as Lighthouse;
    const { headers } = product.asClient({ method: "GET", path: "/" });
    const rows: (string | number)[][] = [];
    const goals: Goal[] = [];
    for (const [name, path] of Object.entries(pagesOf(facilityUuids[0]!))) {
      const cookie = name === "login" ? "" : headers!["cookie"]!;
      const { middle, all } = await middleOf(() => visit(lighthouse, `http://127.0.0.1:${product.port}${path}`, cookie));
      const why = `first paint ${ms(middle, "first-contentful-paint")}, largest ${ms(middle, "largest-contentful-paint")}, blocked ${ms(middle, "total-blocking-time")} ms; the runs: ${all.join(", ")}`;
      for (const category of categories) goals.push(atLeast(`Lighthouse, ${name}: ${category}`, score(middle, category), wanted[category], "", why));
      rows.push([
        name,
        ...categories.map((category) => String(score(middle, category))),
        ...["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index"].map((audit) => String(ms(middle, audit))),
        middle.audits["cumulative-layout-shift"]!.numericValue.toFixed(3),
        String(Math.round(middle.environment.benchmarkIndex)),
      ]);
    }
    const head = ["", ...categories, "first paint ms", "largest ms", "blocked ms", "speed index", "shift", "processor"];
    return {
      goals,
      text: `Lighthouse ${installed.version}, its mobile preset: 4 times slower than this processor, 1.6 Mbit/s, 150 ms there and back; the middle of ${runs} (--questions lighthouse)
${table(head, rows)}
  processor: Lighthouse's index of this machine meanwhile. The preset is meant for 1500 to 2000; it sways with what else the machine does.`,
    };
  } finally {
    await product.stop();
    await installed.remove();
  }
}
