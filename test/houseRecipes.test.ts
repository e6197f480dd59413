import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { patterns, routes } from "../client/routes.ts";
import { allDerived } from "../db/derived/all.ts";
import { feed } from "../db/derived/feed.ts";
import { revision } from "../db/derived/revision.ts";
import { unauditedActs, type Source } from "./support/habits.ts";

/** Steps of the recipes of CONTRIBUTING.md that types and the tests of behaviour do not notice. Each list below names the exceptions, with the reason. */

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(ts|tsx)$/.test(file) && !file.startsWith("client/gql/") && existsSync(file));
const read = (file: string): string => readFileSync(file, "utf8");
const sources = (kind: RegExp): Source[] => files.filter((file) => kind.test(file)).map((file) => ({ file, text: read(file) }));
const nounsWith = (kind: RegExp): string[] => [...new Set(files.flatMap((file) => kind.exec(file)?.[1] ?? []))];

test("a noun with a face has tests in test/<noun>/", () => {
  const nouns = nounsWith(/^gateway\/([^/]+)\/[^/]+\.(?:graphql|rest)\.ts$/);
  expect(nouns.filter((noun) => !files.some((file) => file.startsWith(`test/${noun}/`) && file.endsWith(".test.ts")))).toEqual([]);
});

test("README.md names each noun of the gateway and of the client", () => {
  const map = read("README.md").split("## The map of the rooms")[1]!.split("### Walls")[0]!;
  const rooms = [...new Set([...nounsWith(/^gateway\/([^/]+)\//), ...nounsWith(/^client\/([^/]+)\//)])].filter((room) => room !== "build" && room !== "public");
  expect(rooms.filter((room) => !new RegExp(`\`([a-z]*/)?${room}/?\``).test(map))).toEqual([]);
});

test("each path of client/routes.ts has a row in client/screens.ts", () => {
  const registry = read("client/screens.ts") + read("client/router.tsx");
  expect(Object.keys(patterns).filter((name) => !registry.includes(`patterns.${name}`))).toEqual([]);
});

test("each path without a parameter has an entry in client/shell/frame/Menu.tsx", () => {
  const elsewhere: Record<string, string> = {
    "/": "the title of each page",
    "/facilities": "the screens of provinces and districts",
    "/user/me": "an address of the specification for /user",
    "/user/add": "the screens of users",
    "/user/new": "an address of the specification for /user/add",
    "/users": "an address of the specification, without a link to it",
    "/registry/facility": "the registry",
    "/registry/imports": "the registry",
    "/registry/reconciliations": "the registry",
    "/checks": "the page about the platform",
    "/report": "the overviews",
    "/changes": "the overviews",
  };
  const menu = read("client/shell/frame/Menu.tsx");
  const linked = new Set(Object.entries(routes).filter(([name]) => menu.includes(`routes.${name}(`)).map(([, pathOf]) => (pathOf as () => string)()));
  const paths = Object.values(patterns).filter((path) => !path.includes(":") && !linked.has(path));
  expect(paths.filter((path) => !(path in elsewhere))).toEqual([]);
});

test("each screen is opened by a test of its behaviour, beside test/shell/screens.screen.test.ts", () => {
  const modes = "by links from the charts of test/dash/overview.screen.test.ts";
  const elsewhere: Record<string, string> = {
    ...Object.fromEntries(["all", "province/:provinceId", "district/:districtId", "ip/:implementingPartnerId"].map((rest) => [`/facilities/implementation/:mode/${rest}`, modes])),
    "/user/new": "the screen of /user/add",
    "/checks": "not yet",
    "/report": "not yet",
  };
  const text = sources(/^test\/.*\.screen\.test\.ts$/).filter(({ file }) => file !== "test/shell/screens.screen.test.ts").map((source) => source.text).join("\n");
  const isOpened = (path: string) => text.includes(path.split("/:")[0]!);
  expect(Object.values(patterns).filter((path) => path !== "/" && !isOpened(path) && !(path in elsewhere))).toEqual([]);
});

test("each table is read by a noun of db/derived/revision.ts, or is named here", () => {
  /** Answers that hold these are never kept, nor do rows of the nouns depend on them. */
  const unread = [
    ...["access_token", "recovery_code", "seal_key", "second_factor", "session", "sign_in_limit", "token_limit", "service_account", "site_account"],
    ...["audit_event", "last_write", "legal_hold", "setting", "derived", "recount"],
    ...["registry_import", "registry_import_row", "reconciliation", "reconciliation_finding", "saved_query", "saved_view"],
  ];
  const tables = [...read("db/schema.ts").split("export interface DB {")[1]!.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(tables.length).toBeGreaterThan(30);
  const known = new Set([...revision.sources, ...allDerived.flatMap((derived) => Object.keys(derived.tables)), ...unread]);
  expect(tables.filter((table) => !known.has(table))).toEqual([]);
});

test("each table that answers are read from is told by the feed of changes, or is named here", () => {
  const untold = new Set([
    // Lists of choices, which rarely change and are short.
    ...["service_area", "smartcare_version", "connectivity_type", "connectivity_provider", "identifier_system", "boundary"],
    // Told with the facility, the assessment or the TDB that they belong to.
    ...["facility_merge", "assessment_revision", "tdb_computer"],
    // The work of this platform, of which nobody keeps a copy.
    ...["update_report", "worklist_note"],
  ]);
  const told = new Set(feed.sources);
  expect(revision.sources.filter((table) => !told.has(table) && !untold.has(table))).toEqual([]);
});

test("an act that writes records it in the audit log", () => {
  const ofLoad = "gateway/registry/load/load.ts records the whole load";
  const elsewhere: Record<string, string> = {
    "gateway/auth/auth.ts: findViewer": "when a session was last seen",
    "gateway/auth/sealKey.ts: ownSealKey": "a key that a sign-in makes",
    "gateway/auth/sealKey.ts: replaceSealKey": "part of a change of password",
    "gateway/auth/secondFactor.ts: beginSecondFactor": "recorded once it is confirmed",
    "gateway/backup/scheduled.ts: runScheduledBackup": "when the last one was made; takeBackup records it",
    "gateway/reading/reading.ts: noteWriting": "when somebody last wrote",
    "gateway/registry/applyImport.ts: applyAccepted": "applyRegistryImport and the load record it, each with who it was",
    "gateway/registry/reconciliation.ts: keepComparison": "reconcile and the command record it, each with who it was",
    "gateway/user/userSecondFactor.ts: removeSecondFactor": "changeAccount in userAccount.ts records it",
    "gateway/reference/load/boundaries.ts: loadBoundaries": ofLoad,
    ...Object.fromEntries(["loadNames", "loadPartners", "loadVersions"].map((act) => [`gateway/reference/load/lists.ts: ${act}`, ofLoad])),
    ...Object.fromEntries(["addProvinces", "loadDistricts", "addDistricts"].map((act) => [`gateway/reference/load/places.ts: ${act}`, ofLoad])),
  };
  const acts = sources(/^gateway\/(?!demo|build|http|audit)[^/]+\/.*(?<!\.(?:test|rules|graphql|rest))\.ts$/);
  expect(unauditedActs(acts).filter((act) => !(act in elsewhere))).toEqual([]);
  const text = `import { insertClinic } from "../../db/clinic.ts";\n\nexport async function addClinic(context: Context) {\n  return insertClinic(context.db, {});\n}\n`;
  expect(unauditedActs([{ file: "gateway/clinic/clinic.ts", text }])).toEqual(["gateway/clinic/clinic.ts: addClinic"]);
});
