import { readFile } from "node:fs/promises";

import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import { readQuestions } from "../../client/explorer/examples.ts";
import { questionIn, queryOf } from "../../client/query/question.ts";
import { usualQuestions } from "../../client/query/usualQuestions.ts";
import { twins, type Values } from "../query/questionTwins.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { insertRandomHistory } from "./dash-data.ts";

/**
 * The questions of docs/questions.md: each is one query with one CSV, whose rows equal those of plain SQL over
 * assessments and TDBs.
 */

const guide = await readFile("docs/questions.md", "utf8");
const questions = readQuestions(guide);

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  await insertRandomHistory(gateway.db, 20, 200, 60);
});

/** The rows of a CSV, without the header. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of csv
    .replace(/^\uFEFF/, "")
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/g)) {
    // A cell that looks like a formula has an apostrophe before it.
    rows.at(-1)!.push((quoted?.replaceAll('""', '"') ?? bare ?? "").replace(/^'(?=[=+@-])/, ""));
    if (end === "\r\n") rows.push([]);
    else if (end === "") break;
  }
  return rows.slice(1).filter((row) => row.length > 1);
}
/** The column of a list of groups that says how much was counted; undefined in other lists. */
const countColumn = (csv: string): number | undefined => {
  const index = csv
    .split("\r\n")[0]!
    .split(",")
    .findIndex((name) => /\b(facilities|assessments|tdbCount)$/.test(name));
  return index < 0 ? undefined : index;
};
const inOrder = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).toSorted();

test("each question has its SQL", () => {
  expect(questions.map(({ name }) => name)).toEqual(Object.keys(twins));
});

test.each(questions)("$title", async ({ query, variables, name }) => {
  const csv = await admin.call("POST", "/graphql?pages=all", { query, variables }, { accept: "text/csv" });
  expect([csv.status, csv.headers.get("content-type")], csv.text.slice(0, 500)).toEqual([
    200,
    expect.stringContaining("text/csv"),
  ]);
  const csvRows = rowsOf(csv.text);
  expect(csvRows.length).toBeGreaterThan(0);
  const columns = csvRows[0]!.map((_, index) => sql.ref(`column${index}`));
  const rows =
    await gateway.sql<Values>`select * from (${twins[name]!(variables as Values)}) as answer (${sql.join(columns)})`;
  // Plain SQL has no rows for groups in which nothing was counted (graph-groups.test.ts recounts them).
  const count = countColumn(csv.text);
  const counted = (all: string[][]) => (count === undefined ? all : all.filter((row) => row[count] !== "0"));
  expect(inOrder(counted(csvRows))).toEqual(
    inOrder(counted(rows.map((row) => Object.values(row).map((value) => (value === null ? "" : String(value)))))),
  );
  const { data, errors } = (await admin.graphql(query, variables)) as { data: object; errors?: unknown };
  expect([errors, Object.keys(data).length]).toEqual([undefined, 1]);
});

/** The question of the builder (/questions) that asks the same. Where the query lists sites, it counts them. */
const built: Record<string, string> = {
  MedianDaysBetweenVisits: "subject=visits&by=province&measure=between",
  MovedToEFirst: "by=partner&measure=sites&order=highest&moved=toEFirst",
  StaffPerDistrictAndQuarter: "by=district&and=quarter&measure=staff",
  OldVersions: "by=partner&measure=sites&order=highest&below=4.5.0.10",
  NeverAssessed: "by=district&measure=sites&order=highest&assessed=no",
  PowerButNotFunctional: "measure=sites&order=highest&functional=no&primaryPower=yes",
  GapsBetweenTdbs: "subject=tdbs&by=province&measure=between",
  CompletenessByQuarter: "by=province&and=quarter&measure=assessed",
  VisitsPerPerson: "subject=visits&by=person&measure=visits",
  ChangeOfFunctionality: "by=district&measure=working&way=difference",
  NotVisitedSince: "measure=sites&order=highest&assessedBefore=LAST_180_DAYS",
  NoBackupAndNoCoverage: "measure=sites&order=highest&backupPower=no&mobile=no",
  ModeByOwner: "by=owner&and=mode&measure=sites",
  FunctionalByServiceArea: "by=area&measure=areaWorks",
  NotesAboutTheNetwork: "subject=visits&by=province&measure=visits&range=LAST_12_MONTHS&order=highest&noted=network",
  StaffPerEFirstSite: "by=province&measure=staffEach&order=highest&modes=EFirst",
  TdbVolume: "subject=tdbs&by=province&and=month&measure=bytes",
  FallingClients: "measure=sites&order=highest&fell=LAST_12_MONTHS",
  UpgradedLongAgo: "measure=sites&order=highest&upgraded=LAST_24_MONTHS",
  WorstDistricts: "by=district&measure=works&order=lowest&first=10",
  VisitsPerSite: "subject=visits&by=partner&measure=visits&per=there",
  GrowthOfClients: "subject=tdbs&by=province&measure=clients&way=percent",
  VisitsAddedUp: "subject=visits&by=month&measure=visits&way=running",
  ClientsPerStaff: "by=province&measure=clients&per=staff",
  SitesNear: "by=mode&measure=sites&order=highest&near=-15.4167%2C28.2833%2C20",
  FailedTwice: "by=district&measure=sites&order=highest&inARow=SMART_CARE_FUNCTIONAL.2.no",
  InvertersNoted: "subject=visits&by=province&measure=visits&range=LAST_12_MONTHS&order=highest&noted=inverter",
  PeopleServed: "by=province&measure=population&order=highest&functional=yes",
  VisitorsPerSite: "subject=visits&by=partner&measure=visitors",
  ComputersByPartner: "by=partner&measure=computers",
  DaysToReceipt: "subject=visits&by=province&measure=receipt",
  SentButNeverAssessed: "measure=sites&order=highest&assessed=no&sent=yes",
};

test("each is among the builder's questions to begin with, which are all answered, with as many sites", async () => {
  expect(Object.keys(built)).toEqual(questions.map(({ name }) => name));
  const usual = Object.values(usualQuestions).flat();
  const missing = Object.entries(built).filter(([, part]) => !usual.some((address) => address.includes(part)));
  expect(missing).toEqual([]);
  const answers: Record<string, Record<string, number>[]> = {};
  for (const address of usual) {
    const { data, errors } = (await admin.graphql(queryOf(questionIn(new URLSearchParams(address)), true), {})) as {
      data: Record<string, Record<string, number>[]>;
      errors?: unknown;
    };
    expect([address, errors]).toEqual([address, undefined]);
    answers[address] = Object.values(data)[0]!;
  }
  const variablesOf = (name: string) => questions.find((one) => one.name === name)!.variables as Values;
  for (const name of ["OldVersions", "NeverAssessed", "PowerButNotFunctional", "NoBackupAndNoCoverage", "SitesNear"]) {
    const { rows } = await sql`${twins[name]!(variablesOf(name))}`.execute(gateway.db);
    const [, groups] = Object.entries(answers).find(([address]) => address.includes(built[name]!))!;
    const sum = groups.reduce((all, { facilities }) => all + facilities!, 0);
    expect([name, sum, sum > 0]).toEqual([name, rows.length, true]);
  }
});
