import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { namedScreens } from "../client/screens.ts";
import { allDerived } from "../db/derived/all.ts";
import { feed, records } from "../db/derived/feed.ts";
import { revision } from "../db/derived/revision.ts";
import { changeKinds } from "../gateway/change/change.rules.ts";
import { unauditedActs, uncheckedActs, type Source } from "./support/habits.ts";

/**
 * Steps of the recipes in CONTRIBUTING.md that neither types nor other tests check. Each list below names the
 * exceptions, with the reason.
 */

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(ts|tsx)$/.test(file) && !file.startsWith("client/gql/") && existsSync(file));
const read = (file: string): string => readFileSync(file, "utf8");
const sources = (kind: RegExp): Source[] =>
  files.filter((file) => kind.test(file)).map((file) => ({ file, text: read(file) }));
const nounsWith = (kind: RegExp): string[] => [...new Set(files.flatMap((file) => kind.exec(file)?.[1] ?? []))];

test("a noun with a face has tests in test/<noun>/", () => {
  const nouns = nounsWith(/^gateway\/([^/]+)\/[^/]+\.(?:graphql|rest)\.ts$/);
  expect(
    nouns.filter((noun) => !files.some((file) => file.startsWith(`test/${noun}/`) && file.endsWith(".test.ts"))),
  ).toEqual([]);
});

test("each face is registered in gateway/faces.ts, or imported by another face", () => {
  const faces = sources(/^gateway\/.*\.(graphql|rest)\.ts$/);
  const imports = (text: string, file: string) =>
    text.includes(`/${file.split("/").slice(-2).join("/")}"`) || text.includes(`"./${file.split("/").at(-1)}"`);
  const registry = read("gateway/faces.ts");
  const isReached = ({ file }: Source) =>
    imports(registry, file) || faces.some((other) => other.file !== file && imports(other.text, file));
  expect(faces.length).toBeGreaterThan(50);
  expect(faces.filter((face) => !isReached(face)).map(({ file }) => file)).toEqual([]);
});

test("the routes of each REST face are in the list of gateway/faces.ts, or mounted by another face", () => {
  const listed = read("gateway/faces.ts").split("export const routes = [")[1]!;
  const faces = sources(/^gateway\/(?!rest\/).*\.rest\.ts$/);
  const withoutImports = (text: string) => text.replaceAll(/^import [^;]*;$/gm, "");
  const functions = faces.flatMap(({ file, text }) =>
    [...text.matchAll(/^export function (\w+)\(server\b/gm)].map(([, name]) => ({ file, name: name! })),
  );
  const isMounted = ({ file, name }: { file: string; name: string }) =>
    [listed, ...faces.filter((face) => face.file !== file).map(({ text }) => withoutImports(text))].some((text) =>
      new RegExp(`\\b${name}\\b`).test(text),
    );
  expect(functions.length).toBeGreaterThan(30);
  expect(functions.filter((each) => !isMounted(each)).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test("README.md names each noun of the gateway and of the client", () => {
  const map = read("README.md").split("## The folders")[1]!.split("### Which folder")[0]!;
  const rooms = [...new Set([...nounsWith(/^gateway\/([^/]+)\//), ...nounsWith(/^client\/([^/]+)\//)])].filter(
    (room) => room !== "build" && room !== "public",
  );
  expect(rooms.filter((room) => !new RegExp(`\`([a-z]*/)?${room}/?\``).test(map))).toEqual([]);
});

test("each screen of client/screens.ts whose path has no parameter is in the menu", () => {
  const elsewhere: Record<string, string> = {
    "/user/me": "an address of the specification for /user",
    "/user/add": "the screens of users",
    "/user/new": "an address of the specification for /user/add",
    "/users": "an address of the specification, without a link to it",
    "/report": "the list of reports",
    "/registry/facility": "the registry",
    "/registry/imports": "the registry",
    "/registry/reconciliations": "the registry",
    "/checks": "the page about the platform",
    "/about/style": "the page about the platform",
    "/glossary": "the question marks beside terms, and the page about the platform",
    "/setup": "the page about the platform, and Home until the country is set up",
  };
  const unlisted = namedScreens
    .filter(([, { path, menu }]) => !path.includes(":") && !menu)
    .map(([, { path }]) => path);
  expect(unlisted.filter((path) => !(path in elsewhere))).toEqual([]);
});

test("each screen is opened by a test other than test/shell/screens.screen.test.ts", () => {
  const modes = "by links from the charts of test/dash/overview.screen.test.ts";
  const elsewhere: Record<string, string> = {
    ...Object.fromEntries(
      ["all", "province/:provinceId", "district/:districtId", "ip/:implementingPartnerId"].map((rest) => [
        `/facilities/implementation/:mode/${rest}`,
        modes,
      ]),
    ),
    "/user/new": "the screen of /user/add",
  };
  const text = sources(/^test\/.*\.screen\.test\.ts$/)
    .filter(({ file }) => file !== "test/shell/screens.screen.test.ts")
    .map((source) => source.text)
    .join("\n");
  const isOpened = (path: string) => text.includes(path.split("/:")[0]!);
  const paths = namedScreens.map(([, { path }]) => path);
  expect(paths.filter((path) => path !== "/" && !isOpened(path) && !(path in elsewhere))).toEqual([]);
});

test("each screen's query is answered from the facilities on the device, or is listed here as needing the network", () => {
  const online = new Set([
    ...[
      "Assessment",
      "Audit",
      "Changes",
      "Checks",
      "SetUp",
      "Downloads",
      "FacilityRegistry",
      "Field",
      "Fleet",
      "Home",
      "Import",
      "Imports",
      "Reconciliation",
      "Reconciliations",
      "Report",
      "Reports",
      "SavedQuery",
      "SavedReport",
    ],
    ...["User", "UserDirectory", "Worklist"],
  ]);
  const screens = sources(/^client\/.*\.tsx?$/).flatMap(({ text }) =>
    [...text.matchAll(/\bquery (\w+)ScreenQuery\b/g)].map(([, screen]) => screen!),
  );
  const answers = read("client/facility/fieldAnswers.ts");
  expect(screens.length).toBeGreaterThan(15);
  expect(screens.filter((screen) => !online.has(screen) && !answers.includes(`  ${screen}ScreenQuery:`))).toEqual([]);
});

/**
 * Tables of accounts, of work on the registry, of people's saved items and of internals. Answers with their rows are
 * never cached, and other systems do not copy them.
 */
const internalTables = new Set([
  ...[
    "access_token",
    "recovery_code",
    "seal_key",
    "second_factor",
    "session",
    "sign_in_limit",
    "token_limit",
    "service_account",
    "site_account",
  ],
  ...["audit_event", "last_write", "legal_hold", "setting", "derived", "recount"],
  ...[
    "registry_import",
    "registry_import_row",
    "registry_import_piece",
    "registry_list_source",
    "reconciliation",
    "reconciliation_finding",
    "query_pin",
    "saved_query",
    "saved_view",
  ],
  ...["bulk_act", "bulk_act_record", "report", "field_list", "field_list_site"],
  ...allDerived.flatMap((derived) => Object.keys(derived.tables)),
]);
const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const dataTables = [
  ...read("db/schema.ts")
    .split("export interface DB {")[1]!
    .matchAll(/^ {2}(\w+):/gm),
]
  .map(([, name]) => snake(name!))
  .filter((table) => !internalTables.has(table));

test("each table is read by a noun of db/derived/revision.ts, or is listed above", () => {
  expect(dataTables.length).toBeGreaterThan(20);
  expect(dataTables.filter((table) => !revision.sources.includes(table))).toEqual([]);
});

test("each table is reported by the feed of changes, or is listed here", () => {
  const unreported = new Set([
    // Lists of choices, which rarely change and are short.
    ...[
      "service_area",
      "smartcare_version",
      "connectivity_type",
      "connectivity_provider",
      "identifier_system",
      "boundary",
    ],
    // Reported with the facility, the assessment or the TDB that they belong to.
    ...["facility_merge", "assessment_revision", "tdb_computer"],
    // Work on this platform, which other systems do not copy.
    ...["update_report", "worklist_note"],
  ]);
  expect(dataTables.filter((table) => !feed.sources.includes(table) && !unreported.has(table))).toEqual([]);
});

test("the kinds of records in db/derived/feed.ts are those of gateway/change/change.rules.ts", () => {
  const reported = Object.values(records).flatMap(({ kinds }) => Object.keys(kinds));
  expect(reported.toSorted()).toEqual([...changeKinds].toSorted());
});

test("db/derived/feed.ts names existing columns only, and each table has a kind that lists the ignored ones", () => {
  const columnsOf = (table: string) => {
    const type = table.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [
      ...read("db/schema.ts")
        .split(`export interface ${type} {`)[1]!
        .split("}")[0]!
        .matchAll(/^ {2}(\w+):/gm),
    ].map(([, name]) => snake(name!));
  };
  const kinds = Object.entries(records).flatMap(([table, { kinds: ofTable }]) =>
    Object.entries(ofTable).map(([kind, columns]) => ({ table, kind, columns })),
  );
  const unknown = kinds.flatMap(({ table, kind, columns }) =>
    ("only" in columns ? columns.only : columns.ignored)
      .filter((name) => !columnsOf(table).includes(name))
      .map((name) => `${kind}: ${table}.${name} is no column`),
  );
  const forgetful = Object.keys(records).filter(
    (table) => !kinds.some((each) => each.table === table && "ignored" in each.columns),
  );
  expect([
    ...unknown,
    ...forgetful.map(
      (table) => `${table}: no kind lists the ignored columns, so a new column would be in no report of a change`,
    ),
  ]).toEqual([]);
});

test("each figure that db/derived recounts is also counted by a slow, independent test", () => {
  const slow: Record<string, string> = {
    ...{
      latest: "test/dash/dash-recount.ts",
      places: "test/dash/dash-recount.ts",
      silence: "test/tdb/silence-recount.ts",
      state: "test/situation/situation-recount.ts",
    },
  };
  expect(
    allDerived
      .filter(({ recount }) => recount)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(Object.keys(slow).toSorted());
  const tests = sources(/^test\/.*\.test\.ts$/);
  expect(
    Object.values(slow).filter((file) => !tests.some(({ text }) => text.includes(`/${file.split("/").at(-1)}"`))),
  ).toEqual([]);
});

test("an act that writes records it in the audit log", () => {
  const ofLoad = "gateway/registry/load/load.ts records the whole load";
  const elsewhere: Record<string, string> = {
    "gateway/assessment/hold.ts: holdOrRelease": "createAssessment and updateAssessment record it",
    "gateway/auth/auth.ts: findViewer": "when a session was last seen",
    "gateway/auth/sealKey.ts: ownSealKey": "a key that a sign-in makes",
    "gateway/auth/sealKey.ts: replaceSealKey": "part of a change of password",
    "gateway/auth/secondFactor.ts: beginSecondFactor": "recorded once it is confirmed",
    "gateway/backup/scheduled.ts: runScheduledBackup": "when the last one was made; takeBackup records it",
    "gateway/reading/reading.ts: noteWriting": "when somebody last wrote",
    "gateway/registry/applyImport.ts: applyAccepted":
      "applyRegistryImport and the load record it, each with who it was",
    "gateway/registry/reconciliation.ts: keepComparison": "reconcile and the command record it, each with who it was",
    "gateway/user/userSecondFactor.ts: removeSecondFactor": "changeAccount in userAccount.ts records it",
    "gateway/reference/load/boundaries.ts: loadBoundaries": ofLoad,
    ...Object.fromEntries(
      ["loadNames", "loadPartners", "loadVersions"].map((act) => [`gateway/reference/load/lists.ts: ${act}`, ofLoad]),
    ),
    ...Object.fromEntries(
      ["addProvinces", "loadDistricts", "addDistricts"].map((act) => [
        `gateway/reference/load/places.ts: ${act}`,
        ofLoad,
      ]),
    ),
  };
  const acts = sources(/^gateway\/(?!demo|build|http|audit)[^/]+\/.*(?<!\.(?:test|rules|graphql|rest))\.ts$/);
  expect(unauditedActs(acts).filter((act) => !(act in elsewhere))).toEqual([]);
  const text = `import { insertClinic } from "../../db/clinic.ts";\n\nexport async function addClinic(context: Context) {\n  return insertClinic(context.db, {});\n}\n`;
  expect(unauditedActs([{ file: "gateway/clinic/clinic.ts", text }])).toEqual(["gateway/clinic/clinic.ts: addClinic"]);
});

test("an act checks a right itself, or is listed here: other faces and acts may call it", () => {
  const signsIn = "part of signing in or out: the caller has no rights yet";
  const figures = "decides which figures a person may see: acts that read figures call it";
  const heads = "a part of sending a TDB, after the right to it was checked";
  const elsewhere: Record<string, string> = {
    ...Object.fromEntries(
      ["ownSessionHash", "resettingUser", "signOut", "checkSession"].map((act) => [
        `gateway/auth/auth.ts: ${act}`,
        signsIn,
      ]),
    ),
    ...{
      "gateway/auth/device.ts: isOwnDevice": signsIn,
      "gateway/auth/device.ts: markDevice": signsIn,
      "gateway/auth/secondFactor.ts: acceptCode": signsIn,
      "gateway/auth/signIn.ts: signIn": signsIn,
      "gateway/auth/token.ts: findTokenViewer": signsIn,
    },
    "gateway/auth/token.ts: checkExpiry": "a rule of the acts that make tokens",
    ...Object.fromEntries(
      ["seesExactly", "shownComputers", "shownOnDays", "shownInMonth"].map((act) => [
        `gateway/dash/smallGroups.ts: ${act}`,
        figures,
      ]),
    ),
    "gateway/dash/groupUnits.ts: withEmptyGroups": "a part of the lists of groups, which check",
    "gateway/assessment/exportAssessments.ts: exportAssessment": "readAssessment checks",
    "gateway/assessment/visitActions.ts: keepVisitActions": "a part of saving a visit, which checks",
    "gateway/facility/actionEvidence.ts: judgeActions": "a part of acts that change visits or TDBs, which check",
    "gateway/facility/exportFacilities.ts: exportFacilities": "listFacilities checks",
    "gateway/facility/identifier.ts: nameOfSystem":
      "the name of an identifier system, for an identifier that was read with a right",
    "gateway/ledger/feed.ts: createLedgerFeed": "countLedger and createToken check",
    "gateway/machine/ownSite.ts: readOwnNeeds": "readOwnSilence checks",
    "gateway/situation/worklist.ts: countEntries": "takes a situation, which was read with a right",
    "gateway/system/system.ts: readSystem": "open to everybody",
    ...Object.fromEntries(
      ["lookAtHead", "checkAnnouncedFacility", "checkHead"].map((act) => [`gateway/tdb/head.ts: ${act}`, heads]),
    ),
    "gateway/tdb/unfinished.ts: hashUpload": "findTaken and readPartial read the caller's own uploads only",
    "gateway/user/userSecondFactor.ts: removeSecondFactor": "changeAccount checks",
  };
  const acts = sources(
    /^gateway\/(?!demo|build|http|audit|access|graphql|reading)[^/]+\/.*(?<!\.(?:test|rules|graphql|rest))\.ts$/,
  );
  expect(uncheckedActs(acts).toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  const text = `export async function listClinics(context: Context) {\n  return db.listClinics(context.db);\n}\n`;
  expect(uncheckedActs([{ file: "gateway/clinic/clinic.ts", text }])).toEqual([
    "gateway/clinic/clinic.ts: listClinics",
  ]);
});
