import { readFile } from "node:fs/promises";

import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";

import { bearerAt, bodyOf, type Person, stranger } from "../support/gateway.ts";
import { mutationInputs, none } from "../support/mutationInputs.ts";
import { agreeAction, changedBy, feedSecret } from "../support/mutations.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf, formOf, graphqlFormOf, sendFormBy, tdbxOf } from "../support/tdbx.ts";

/**
 * Every REST call and every root field of GraphQL, sent by every kind of caller. A cell lists the callers that are let
 * in: they get 200, or a failure such as an unknown record or a wrong value. All others are refused (401, 403). One
 * facility has a TDB with a unique number of patients, the canary: no answer to a caller without the right to that TDB
 * may contain it. A new call has no cell, and fails here.
 */

const canary = 19_876_543;
const callers = [
  "nobody",
  "plain",
  "viewer",
  "assessor",
  "uploader",
  "manager",
  "admin",
  "token",
  "reader",
  "sender",
  "elsewhere",
  "site",
  "otherSite",
] as const;
type Caller = (typeof callers)[number];
/** The callers that may see the TDB with the canary. */
const seesCanary = new Set<Caller>(["uploader", "admin", "token", "sender"]);

const people = {} as Record<Caller, Person>;
/** The secrets of callers that use a token or a credential. */
let secrets: Partial<Record<Caller, string>>;
let facility: { facilityUuid: string; facilityName: string; districtId: number; provinceId: number };
let ids: Record<string, string>;

const api = (path: string) => `/api/v1${path}`;

const gateway = await gatewayOfFile("demo", { tokenLimit: { times: 100_000, seconds: 60 } });
beforeAll(async () => {
  const admin = await gateway.as("admin");
  const uploader = await gateway.as("uploader");
  const rows = await gateway.sql<
    typeof facility
  >`select facility_uuid, facility_name, district_id, province_id from facility
    where not exists (select from tdb where tdb.facility_uuid = facility.facility_uuid) and exists (select from assessment where assessment.facility_uuid = facility.facility_uuid)
    order by facility_uuid limit 1`;
  facility = rows[0]!;
  const other = (
    await gateway.sql<
      typeof facility
    >`select facility_uuid, district_id, province_id from facility where province_id <> ${facility.provinceId} order by facility_uuid limit 1`
  )[0]!;
  const { today } = bodyOf(await admin.get(api("/system")));
  const serviceToken = async (name: string, privileges: string[], more: object = {}) => {
    const { uuid } = bodyOf(
      await admin.call("POST", api("/serviceAccount"), { name, owner: "assessor", privileges, ...more }),
    );
    const { token } = bodyOf(
      await admin.call("POST", api(`/serviceAccount/${uuid}/token`), { name, expiryDate: today }),
    );
    return { uuid: uuid as string, token: token as string };
  };
  const reader = await serviceToken("matrix-reader", ["viewAssessments"]);
  const sender = await serviceToken("matrix-sender", ["uploadTdbs", "viewAssessments", "editAssessments"], {
    districtId: facility.districtId,
  });
  const elsewhere = await serviceToken("matrix-elsewhere", ["uploadTdbs", "viewAssessments", "editAssessments"], {
    districtId: other.districtId,
  });
  const [own, others] = bodyOf(
    await admin.call("POST", api("/siteCredential"), {
      facilities: [facility.facilityUuid, other.facilityUuid],
      expiryDate: today,
    }),
  );
  const personal = bodyOf(
    await uploader.call("POST", api("/token"), { name: "Matrix", privileges: ["uploadTdbs"], expiryDate: today }),
  );
  secrets = {
    token: personal.token,
    reader: reader.token,
    sender: sender.token,
    elsewhere: elsewhere.token,
    site: own.secret,
    otherSite: others.secret,
  };
  Object.assign(people, {
    nobody: stranger(gateway.url),
    ...Object.fromEntries(
      await Promise.all(
        (["plain", "viewer", "assessor", "uploader", "manager", "admin"] as const).map(async (login) => [
          login,
          await gateway.as(login),
        ]),
      ),
    ),
    ...Object.fromEntries(Object.entries(secrets).map(([caller, secret]) => [caller, bearerAt(gateway.url, secret)])),
  });
  // Sent by the site itself, today.
  const sent = await sendFormBy(
    gateway.url,
    own.secret,
    formOf([
      {
        name: "canary.tdbx",
        content: tdbxOf(facility.facilityUuid, { totalPatients: canary, createdAt: new Date().toISOString() }),
      },
    ]),
  );
  if (sent.status !== 200) throw new Error(`The canary was not received: ${sent.text}`);
  const one = async (text: string) => (await gateway.sql<{ id: string }>`${sql.raw(text)}`)[0]!.id;
  ids = {
    kind: "stopped",
    ...{ placeKind: "district", noId: "2147483000" },
    today,
    year: today.slice(0, 4),
    tdb: bodyOf(sent)[0].uuid,
    site: await one("select user_uuid as id from site_account limit 1"),
    account: reader.uuid,
    action: (await changedBy(agreeAction(admin, { facilityUuid: facility.facilityUuid }))).actionUuid,
    assessment: await one(
      `select assessment_uuid as id from assessment where facility_uuid = '${facility.facilityUuid}' limit 1`,
    ),
    user: await one("select user_uuid as id from app_user where user_name = 'viewer'"),
    partner: await one("select implementing_partner_id::text as id from app_user where user_name = 'viewer'"),
    code: await one(`select hmis_code as id from facility where hmis_code is not null limit 1`),
    download: await one("select download_uuid as id from download limit 1"),
    feed: await feedSecret(admin),
  };
});

/** The callers that are let in, by kind of call. All others get 401 (nobody) or 403. */
const signedIn = callers.filter((caller) => !["nobody", "site", "otherSite"].includes(caller));
const rights = {
  anybody: callers.filter((caller) => !["site", "otherSite"].includes(caller)),
  signedIn,
  people: signedIn.filter((caller) => !["token", "reader", "sender", "elsewhere"].includes(caller)),
  viewAssessments: ["viewer", "assessor", "admin", "reader", "sender", "elsewhere"],
  editAssessments: ["assessor", "admin", "sender", "elsewhere"],
  tdbRows: ["uploader", "admin", "token", "sender", "elsewhere"],
  allTdbRows: ["uploader", "admin", "token"],
  send: ["uploader", "admin", "token", "sender", "elsewhere", "site", "otherSite"],
  downloads: ["uploader", "admin"],
  viewFleet: ["viewer", "assessor", "uploader", "admin", "token", "reader", "sender", "elsewhere"],
  manageUsers: ["manager", "admin"],
  administrator: ["admin"],
  sites: ["site", "otherSite"],
} as const satisfies Record<string, readonly Caller[]>;

const here = (right: readonly Caller[]) => right.filter((caller) => caller !== "elsewhere");
/** The callers that are let in. `hides`: the others may get 404 instead of 403. */
type Cell = readonly Caller[] | { may: readonly Caller[]; hides: true };

/** All calls by right. Those with a body are sent one that changes nothing. */
const restCells: [right: Cell, calls: string[]][] = [
  [rights.anybody, ["GET /system", "POST /auth", "GET /auth/logout"]],
  // Whoever has the address reads what its owner may.
  [callers, ["GET /ledger/atom/{feed}"]],
  [
    rights.signedIn,
    [
      ...[
        "GET /auth",
        "GET /province",
        "GET /province/{provinceId}",
        "GET /district",
        "GET /district/province/{provinceId}",
        "GET /district/{districtId}",
      ],
      ...[
        "GET /implementingPartner/active/true",
        "GET /implementingPartner/{partner}",
        "GET /serviceArea",
        "GET /connectivityType",
        "GET /connectivityProvider",
      ],
      ...[
        "GET /smartCareAssessmentVersion",
        "GET /privilege",
        "GET /privilege/ip/{partner}",
        "GET /privilege/facility/{facilityUuid}",
        "GET /token",
      ],
      ...["POST /user/me/password", "PATCH /user"],
      ...[
        "GET /facility",
        "GET /facility/province/{provinceId}",
        "GET /facility/mode/EFirst/province/{provinceId}",
        "GET /facility/district/{districtId}",
      ],
      ...[
        "GET /facility/mode/EFirst/district/{districtId}",
        "GET /facility/ip/{partner}",
        "GET /facility/mode/EFirst/ip/{partner}",
        "GET /facility/mode/EFirst",
      ],
      ...[
        "GET /facility/search/args/health",
        "GET /facilityMetadata/{facilityUuid}",
        "GET /facilityConnectivity/{facilityUuid}",
        "GET /facility/settings/{facilityUuid}",
      ],
      ...["GET /facility/by/hmis/{code}", "GET /facility/identifiers/{facilityUuid}", "GET /identifierSystem"],
      ...[
        "GET /facility/csv",
        "GET /facility/ndjson",
        "GET /facility/geojson",
        "GET /dhis2/organisationUnits",
        "GET /changes",
        "GET /site",
      ],
      ...[
        "GET /fhir/metadata",
        "GET /fhir/Location",
        "GET /fhir/Organization",
        "GET /fhir/Location/{facilityUuid}",
        "GET /fhir/Organization/{facilityUuid}",
      ],
      ...["province", "district", "ip"].map((level) => `GET /dash/silentSites/${level}`),
      ...["functionalityComparison", "deploymentMode", "libraryVersion", "cpuCore", "osX64"].flatMap((chart) => [
        `GET /dash/${chart}/{year}/-1/-1`,
        `GET /dash/${chart}/province/{provinceId}/{year}/-1/-1`,
        `GET /dash/${chart}/district/{districtId}/{year}/-1/-1`,
        `GET /dash/${chart}/ip/{partner}/{year}/-1`,
      ]),
      ...[
        "GET /dash/summarySheet",
        "GET /dash/summarySheet/province/{provinceId}",
        "GET /dash/summarySheet/district/{districtId}",
        "GET /dash/summarySheet/ip/{partner}",
      ],
      ...["GET /dash/tdbHistory/province/{today}/{today}", "GET /dash/tdbHistory/district/{today}/{today}"],
      ...[
        "GET /facility/state/{facilityUuid}",
        "GET /worklist/{kind}",
        "GET /worklist/{kind}/csv",
        ...["GET /ledger", "GET /ledger/counts", "GET /ledger/csv", "GET /ledger/ndjson"],
        "GET /tdb/silent",
        "GET /tdb/silent/csv",
        "GET /tdb/silent/facility/{facilityUuid}",
      ],
      ...["GET /dash/attainment/{year}/-1", "GET /situation", "GET /boundaries/provinces", "GET /boundaries/districts"],
      ...["POST /query/check", "GET /query/{none}", "GET /query/{none}.csv", "GET /query/{none}.ndjson"],
    ],
  ],
  [
    rights.people,
    [
      "GET /user/me/secondFactor",
      "GET /auth/seal-key",
      "GET /user/me/session",
      "DELETE /user/me/session",
      "POST /token",
      "DELETE /token/{none}",
    ],
  ],
  [rights.people, ["begin", "confirm", "end", "recoveryCodes"].map((act) => `POST /user/me/secondFactor/${act}`)],
  [
    { may: ["viewer", "manager", "admin"], hides: true },
    ["GET /user/{user}", "GET /user/meta/{user}", "GET /privilege/user/{user}"],
  ],
  [{ may: ["manager", "admin"], hides: true }, ["GET /user/{user}/token"]],
  [
    rights.manageUsers,
    [
      ...[
        "GET /user",
        "GET /user/csv",
        "POST /user",
        "GET /user/new",
        "GET /user/ip/{partner}",
        "DELETE /user/{user}/token/{none}",
      ],
      ...["resetPassword", "deactivate", "reactivate", "endEverything", "removeSecondFactor"].map(
        (act) => `POST /user/{none}/${act}`,
      ),
    ],
  ],
  [
    here(rights.viewAssessments),
    [
      "GET /assessment/list/facility/{facilityUuid}",
      "GET /assessment/{assessment}",
      "GET /assessment/revisions/{assessment}",
      "GET /assessment/csv/assessment/{assessment}",
      "GET /assessment/latest/district/{districtId}",
      "GET /action/{action}",
    ],
  ],
  [
    rights.viewAssessments,
    [
      "GET /assessment/list/user/{user}/start/{today}/end/{today}",
      "GET /assessment/csv/{today}/{today}",
      "GET /assessment/ndjson/{today}/{today}",
      "GET /assessment/geojson/{today}/{today}",
      "GET /action/list",
      "GET /action/csv",
    ],
  ],
  [
    here(rights.editAssessments),
    ["GET /assessment/facility/{facilityUuid}", "PATCH /facility/settings/{facilityUuid}"],
  ],
  [rights.editAssessments, ["POST /assessment", "PATCH /assessment", "PUT /facilityConnectivity"]],
  [
    rights.tdbRows,
    [
      ...[
        "GET /tdb/province/{provinceId}/{today}/{today}",
        "GET /tdb/ip/{partner}",
        "GET /tdb/list/user/{user}/start/{today}/end/{today}",
      ],
      ...[
        "GET /tdb/meta/list/all/{today}/{today}",
        "GET /tdb/meta/list/all/csv/{today}/{today}",
        "GET /tdb/meta/list/all/ndjson/{today}/{today}",
      ],
    ],
  ],
  [here(rights.tdbRows), ["GET /tdb/district/{districtId}/{today}/{today}", "GET /tdb/facility/{facilityUuid}"]],
  [rights.allTdbRows, ["GET /tdb/count/{today}/{today}"]],
  [rights.administrator, ["GET /tdb/file/{tdb}"]],
  [
    rights.send,
    [
      ...[
        "POST /tdb",
        "GET /tdb/resumable",
        "POST /tdb/resumable",
        "GET /tdb/resumable/{none}/hashes",
        "POST /tdb/resumable/{none}/finish",
      ],
      ...["PATCH /tdb/resumable/{none}", "DELETE /tdb/resumable/{none}"],
    ],
  ],
  [
    rights.downloads,
    ["GET /download", "GET /download/{download}", "GET /download/release", "GET /download/{download}/release"],
  ],
  [rights.viewFleet, ["GET /fleet", "GET /fleet/site"]],
  [here(rights.viewFleet), ["GET /facility/{facilityUuid}/updates", "GET /facility/{facilityUuid}/updates/reports"]],
  [here(rights.editAssessments), ["POST /facility/{facilityUuid}/updates/{none}"]],
  [
    rights.administrator,
    [
      ...[
        "POST /download",
        "DELETE /download/{none}",
        "PUT /download/{none}/release",
        "GET /system/checks",
        "GET /audit",
        "GET /audit/action",
        "GET /audit/csv",
      ],
      ...["PUT /facility/identifiers/{facilityUuid}"],
      ...[
        "POST /facility",
        "PATCH /facility/{none}",
        "GET /facility/{facilityUuid}/merge/{facilityUuid}",
        "GET /registry/merge",
      ],
      ...[
        "GET /registry/place/{placeKind}",
        "GET /registry/place/{placeKind}/{districtId}",
        "PATCH /registry/place/{placeKind}/{noId}",
        "DELETE /registry/place/{placeKind}/{noId}",
      ],
      ...[
        "POST /registry/place/{placeKind}",
        ...["close", "reopen", "split"].map((act) => `POST /registry/place/{placeKind}/{noId}/${act}`),
      ],
      ...["close", "reopen", "merge", "unmerge"].map((act) => `POST /facility/{none}/${act}`),
      ...[
        "GET /registry/import",
        "POST /registry/import",
        "GET /registry/import/{none}",
        "GET /registry/import/{none}/rows",
        "GET /registry/import/{none}/reading",
        "DELETE /registry/import/{none}",
      ],
      ...["decisions", "apply", "revert"].map((act) => `POST /registry/import/{none}/${act}`),
      ...["GET /registry/reconciliations", "POST /registry/reconciliations", "GET /registry/reconciliations/{none}"],
      "GET /registry/reconciliations/{none}/csv",
      ...[
        "GET /serviceAccount",
        "POST /serviceAccount",
        "GET /serviceAccount/{account}",
        "PATCH /serviceAccount/{none}",
        "DELETE /serviceAccount/{none}",
      ],
      ...[
        "GET /serviceAccount/{account}/token",
        "POST /serviceAccount/{none}/token",
        "DELETE /serviceAccount/{none}/token/{none}",
      ],
      ...[
        "GET /siteCredential",
        "POST /siteCredential",
        "POST /siteCredential/revoke",
        "DELETE /siteCredential/{none}",
      ],
    ],
  ],
  [
    rights.sites,
    [
      "GET /site/me",
      "GET /site/me/receipts",
      "GET /site/me/needs",
      "POST /site/me/renew",
      "GET /site/me/updates",
      "POST /site/me/updates/{none}",
    ],
  ],
];
/** Valid bodies that change nothing, for calls that refuse an empty body before they check the caller's right. */
const bodies: Record<string, () => object> = {
  "POST /facility/{facilityUuid}/updates/{none}": () => ({ outcome: "applied" }),
  "POST /token": () => ({ name: "Of the matrix", expiryDate: ids["today"], privileges: [] }),
  "POST /user/me/secondFactor/begin": () => ({ password: "not-the-one" }),
  "POST /user/me/secondFactor/confirm": () => ({ code: "000000" }),
  "POST /user/me/secondFactor/end": () => ({ password: "not-the-one" }),
  "POST /user/me/secondFactor/recoveryCodes": () => ({ password: "not-the-one" }),
};
/** Calls that end the caller's session. */
const ending = new Set(["GET /auth/logout", "signOut"]);

/** The caller. If the call ends the session, a person gets a new session for it. */
async function callerOf(caller: Caller, call: string): Promise<Person> {
  if (
    !ending.has(call) ||
    !(["plain", "viewer", "assessor", "uploader", "manager", "admin"] as Caller[]).includes(caller)
  )
    return people[caller];
  const fresh = stranger(gateway.url);
  expect((await fresh.call("POST", api("/auth"), { login: caller, password: "demo-password" })).status).toBe(200);
  return fresh;
}
/** Wrong passwords of one test must not count in the next one. */
beforeEach(async () => void (await sql`delete from sign_in_limit`.execute(gateway.db)));

const filled = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ({ ...ids, ...facility, none })[name] as string);
/** Matches the path of the committed description that a call belongs to. */
const shapeOf = (path: string) =>
  new RegExp(
    `^/api/v1${path.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}|true|EFirst|health|hmis|none|-1/g, "(\\{\\w+\\}|$&)")}$`,
  );

test("the matrix has a cell for every call of the description", async () => {
  const { paths } = JSON.parse(await readFile("gateway/openapi.json", "utf8")) as { paths: Record<string, object> };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const calls = restCells
    .flatMap(([, each]) => each)
    .map((call) => {
      const [method, path] = call.split(" ") as [string, string];
      return { method, shape: shapeOf(path) };
    });
  const missing = described.filter((text) => {
    const [method, path] = text.split(" ") as [string, string];
    return !calls.some((call) => call.method === method && call.shape.test(path));
  });
  expect(missing).toEqual([]);
});

const isCanary = (text: string): boolean => text.includes(String(canary)) || text.includes(canary.toLocaleString("en"));

test("callers with the right see the canary, so that its absence from other answers is meaningful", async () => {
  for (const caller of seesCanary)
    expect([caller, isCanary((await people[caller].get(api(`/tdb/facility/${facility.facilityUuid}`))).text)]).toEqual([
      caller,
      true,
    ]);
});

describe("REST", () => {
  test.each(restCells.flatMap(([cell, calls]) => calls.map((call) => ({ call, cell }))))(
    "$call lets in only the callers of its cell",
    async ({ call, cell }) => {
      const [method, path] = call.split(" ") as [string, string];
      const { may, hides } = "may" in cell ? cell : { may: cell, hides: false };
      const outcomes: Partial<Record<Caller, string | number>> = {};
      const expected: typeof outcomes = {};
      for (const caller of callers) {
        const person = await callerOf(caller, call);
        const { status, text } = await person.call(
          method,
          api(filled(path)),
          ["GET", "DELETE"].includes(method) ? undefined : (bodies[call]?.() ?? {}),
        );
        const isRefused = status === 401 || status === 403 || (hides && status === 404);
        const asNobody = caller === "nobody" ? 401 : 403;
        expected[caller] = may.includes(caller) ? "in" : asNobody;
        outcomes[caller] = isRefused ? (hides && status === 404 ? asNobody : status) : status >= 500 ? status : "in";
        if (!seesCanary.has(caller)) expect(isCanary(text), `${call} as ${caller}`).toBe(false);
      }
      expect(outcomes).toEqual(expected);
    },
  );
});

const schema = buildSchema(await readFile("schema.graphql", "utf8"));

/** A value for an argument, by its name and type. */
function valueOf(name: string, type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return valueOf(name, type.ofType);
  if (isListType(type)) return [valueOf(name, type.ofType)];
  if (isEnumType(type))
    return name === "by"
      ? type.getValues().find((value) => value.name === "DISTRICT")?.name
      : type.getValues()[0]!.name;
  if (isInputObjectType(type)) return {};
  const known: Record<string, unknown> = {
    ...{
      facilityUuid: facility.facilityUuid,
      provinceId: facility.provinceId,
      districtId: facility.districtId,
      implementingPartnerId: Number(ids["partner"]),
    },
    createdAt: `${ids["today"]}T00:00:00Z`,
    ...{ system: "hmis", value: ids["code"], into: facility.facilityUuid },
    ...{
      assessmentUuid: ids["assessment"],
      userUuid: ids["user"],
      start: ids["today"],
      end: ids["today"],
      year: Number(ids["year"]),
      quarter: -1,
      id: ids["node"],
      ids: ids["node"],
    },
  };
  const byType: Record<string, unknown> = {
    Int: 1,
    Float: 1,
    Boolean: false,
    Date: ids["today"],
    String: none,
    ID: ids["node"],
  };
  return known[name] ?? byType[type.name] ?? none;
}
const literalOf = (value: unknown, type: GraphQLInputType): string => {
  if (isNonNullType(type)) return literalOf(value, type.ofType);
  if (isListType(type)) return `[${(value as unknown[]).map((each) => literalOf(each, type.ofType)).join()}]`;
  return isEnumType(type) ? String(value) : JSON.stringify(value);
};
/** The required arguments, and `first: 2` for lists. */
function argumentsOf(field: GraphQLField<unknown, unknown>): string {
  const given = field.args
    .filter(({ name, type }) => isNonNullType(type) || name === "first")
    .map(({ name, type }) => {
      // A report has no entire year.
      const isOfReport = field.name === "reportFigures" && name === "quarter";
      return `${name}: ${literalOf(name === "first" ? 2 : isOfReport ? 1 : valueOf(name, type), type)}`;
    });
  return given.length > 0 ? `(${given.join(", ")})` : "";
}
/** All fields of a type and of the types that it links to, `steps` levels deep. */
function selectionOf(type: GraphQLOutputType, steps: number): string {
  if (isNonNullType(type) || isListType(type)) return selectionOf(type.ofType, steps);
  if (!isObjectType(type))
    return isAbstractType(type)
      ? " { __typename ... on Tdb { totalPatients facilityUuid } ... on Facility { facilityName } }"
      : "";
  if (steps < 0) return "";
  const fields = Object.values(type.getFields()).flatMap((field) => {
    let named: GraphQLOutputType = field.type;
    while (isNonNullType(named) || isListType(named)) named = named.ofType;
    const inner = selectionOf(named, steps - 1);
    const isPlain = !isObjectType(named) && !isAbstractType(named);
    const needsArguments = field.args.some(({ type: argument }) => isNonNullType(argument));
    return (isPlain || inner !== "") && !needsArguments && field.name !== "edges"
      ? [`${field.name}${argumentsOf(field)}${inner}`]
      : [];
  });
  return fields.length > 0 ? ` { __typename ${fields.join(" ")} }` : "";
}

const signed: Cell = signedIn;
const rootCells: Record<string, Cell> = {
  ...Object.fromEntries(
    [
      ...[
        "assessmentGroups",
        "changes",
        "connectivityProviders",
        "connectivityTypes",
        "cpuCore",
        "deploymentMode",
        "district",
        "districts",
        "facilities",
        "facility",
        "facilityBy",
        "identifierSystems",
        "ledger",
        "ledgerCounts",
      ],
      ...[
        "facilityGroups",
        "functionalityComparison",
        "implementingPartner",
        "implementingPartners",
        "libraryVersion",
        "osX64",
        "province",
        "provinces",
        "savedQueries",
        "savedViews",
      ],
      ...[
        "attainment",
        "targets",
        "serviceAreas",
        "reportFigures",
        "reports",
        "silentSiteCounts",
        "silentSites",
        "siteList",
        "situation",
        "provinceBoundaries",
        "districtBoundaries",
        "report",
        "smartCareAssessmentVersions",
        "summarySheet",
        "tdbGroups",
        "tdbHistory",
        "viewer",
        "worklist",
      ],
    ].map((name) => [name, signed]),
  ),
  system: rights.anybody,
  actions: rights.viewAssessments,
  assessment: here(rights.viewAssessments),
  assessments: rights.viewAssessments,
  assessmentTemplate: here(rights.editAssessments),
  auditActions: rights.administrator,
  fieldLists: rights.editAssessments,
  setUp: rights.administrator,
  systemChecks: rights.administrator,
  facilityMerges: rights.administrator,
  registryPlaces: rights.administrator,
  registryImports: rights.administrator,
  registryReconciliations: rights.administrator,
  facilityMergePreview: rights.administrator,
  auditEvents: rights.administrator,
  downloads: rights.downloads,
  fleet: rights.viewFleet,
  fleetSites: rights.viewFleet,
  rollouts: rights.viewFleet,
  // Queried with an unknown id.
  rollout: [],
  updates: here(rights.viewFleet),
  updateReports: here(rights.viewFleet),
  node: here(rights.tdbRows),
  nodes: here(rights.tdbRows),
  // Queried with an unknown id: all callers get the same answer.
  fieldList: [],
  savedQuery: [],
  registryImport: [],
  registryImportRows: [],
  registryReconciliation: [],
  registryReconciliationFindings: [],
  user: [],
  serviceAccounts: rights.administrator,
  siteCredentials: rights.administrator,
  tdbCount: rights.allTdbRows,
  tdbHistoryFacilities: rights.tdbRows,
  tdbPreview: rights.tdbRows,
  tdbs: rights.tdbRows,
  unfinishedUploads: rights.tdbRows,
  users: rights.manageUsers,
  worklistNotes: here(rights.viewAssessments),
};

test("the matrix has a cell for every root field", () => {
  expect(Object.keys(schema.getQueryType()!.getFields()).filter((name) => !(name in rootCells))).toEqual([]);
  expect(
    Object.keys(schema.getMutationType()!.getFields()).filter((name) => !(name in filesOf) && !(name in mutationsOf)),
  ).toEqual([]);
});

/** Mutations that take a file, with their arguments. */
const filesOf: Record<string, string> = {
  addDownload: 'input: { file: $file, fileType: OTHER, fileDescription: "" }',
  prepareRegistryImport: "file: $file",
  reconcileRegistry: 'file: $file, source: ""',
};
/** The callers that each mutation without a file lets in. */
const mutationsOf: Record<string, readonly Caller[]> = Object.fromEntries(
  (
    [
      [rights.anybody, ["signIn", "signOut"]],
      [
        rights.people,
        [
          "beginSecondFactor",
          "confirmSecondFactor",
          "endSecondFactor",
          "renewRecoveryCodes",
          "revokeAccessToken",
          "changeOwnPassword",
          "endOwnSessions",
          "createAccessToken",
          "createLedgerFeed",
        ],
      ],
      [rights.tdbRows, ["uploadTdbs"]],
      [
        signedIn,
        [
          "updateUser",
          "createSavedQuery",
          "updateSavedQuery",
          "createSavedView",
          "deleteSavedView",
          "deleteSavedQuery",
          "pinSavedQuery",
        ],
      ],
      [
        rights.administrator,
        [
          "revokeSiteCredentials",
          "createServiceAccount",
          "updateServiceAccount",
          "endServiceAccount",
          "createServiceAccountToken",
          "revokeServiceAccountToken",
          "issueSiteCredentials",
          "revokeSiteCredential",
          "setDownloadRelease",
          "createRollout",
          "changeRollout",
          "setTarget",
          "removeTarget",
          "setAssessmentAside",
          "restoreAssessment",
          "acceptAssessment",
          "acceptTdb",
          "setTdbAside",
          "restoreTdb",
          "addFacility",
          "changeFacility",
          "closeFacility",
          "reopenFacility",
          "mergeFacilities",
          "undoFacilityMerge",
          "decideRegistryImport",
          "decideReconciliationFindings",
          "importReconciliationFindings",
          "readRegistryImport",
          "reviewRegistryImport",
          "discardRegistryImport",
          "applyRegistryImport",
          "revertRegistryImport",
          "addRegistryPlace",
          "splitRegistryPlace",
          "changeRegistryPlace",
          "closeRegistryPlace",
          "reopenRegistryPlace",
          "removeRegistryPlace",
          "updateFacilityIdentifiers",
          "saveIdentifierSystem",
          "removeIdentifierSystem",
          "withdrawDownload",
        ],
      ],
      [
        rights.editAssessments,
        [
          "createAssessment",
          "updateAssessment",
          "createAction",
          "updateAction",
          "closeAction",
          "reopenAction",
          "assignSites",
          "noteSites",
          "setPartnerOfSites",
          "addSitesToFieldList",
          "removeSitesFromFieldList",
          "createFieldList",
          "changeFieldList",
          "deleteFieldList",
          "undoBulkAct",
          "updateFacilityConnectivity",
          "updateFacilitySettings",
          "noteWorklistEntry",
          "reportUpdate",
        ],
      ],
      [
        rights.manageUsers,
        [
          "createUser",
          "deactivateUser",
          "reactivateUser",
          "resetUserPassword",
          "removeSecondFactorOfUser",
          "endEverythingOfUser",
          "revokeUserAccessToken",
          "saveReport",
          "editReport",
          "signReport",
          "discardReport",
        ],
      ],
    ] as [readonly Caller[], string[]][]
  ).flatMap(([may, names]) => names.map((name) => [name, may])),
);

describe("GraphQL", () => {
  test.each(Object.keys(schema.getQueryType()!.getFields()))(
    "the query %s lets in only the callers of its cell",
    async (name) => {
      ids["node"] = Buffer.from(`Tdb:${ids["tdb"]}`).toString("base64");
      const field = schema.getQueryType()!.getFields()[name]!;
      const may = rootCells[name] as readonly Caller[];
      const outcomes: Partial<Record<Caller, string>> = {};
      for (const caller of callers) {
        const texts: string[] = [];
        let isIn = false;
        // As deep as the limits allow: the deepest queries may be refused.
        for (const steps of [3, 2, 1]) {
          const query = `{ ${name}${argumentsOf(field)}${selectionOf(field.type, steps)} }`;
          const { text, body } = await people[caller].call("POST", "/graphql", { query });
          texts.push(text);
          const { data } = (body ?? {}) as { data?: Record<string, unknown> };
          const value = data?.[name];
          const isNothing =
            value === null ||
            value === undefined ||
            (Array.isArray(value) && value.length > 0 && value.every((each) => each === null));
          expect(texts.join(""), `${name} as ${caller}: ${text.slice(0, 300)}`).not.toMatch(
            /GRAPHQL_VALIDATION_FAILED.*Cannot query/,
          );
          // What less deep queries answer is in this answer.
          isIn = !isNothing;
          if (isIn) break;
        }
        outcomes[caller] = isIn ? "in" : "refused";
        if (!seesCanary.has(caller)) expect(texts.some(isCanary), `${name} as ${caller}`).toBe(false);
        if (caller === "site" || caller === "otherSite")
          expect(texts.every((text) => !text.includes('"data":{'))).toBe(true);
      }
      expect(outcomes).toEqual(
        Object.fromEntries(callers.map((caller) => [caller, may.includes(caller) ? "in" : "refused"])),
      );
    },
  );

  test.each(Object.keys(mutationsOf))("the mutation %s lets in only the callers of its cell", async (name) => {
    const may = mutationsOf[name]!;
    const input = mutationInputs(ids["today"]!)[name];
    const field = schema.getMutationType()!.getFields()[name]!;
    const [argument] = field.args;
    const declared = argument && input !== undefined ? ` ($${argument.name}: ${String(argument.type)})` : "";
    const given = argument && input !== undefined ? `(${argument.name}: $${argument.name})` : "";
    const query = `mutation${declared} { ${name}${given} { errors { code path message } } }`;
    // What a record was looked for by: keys of the input, or the argument itself.
    const keys = typeof input === "object" ? Object.keys(input) : [argument?.name];
    const outcomes: Partial<Record<Caller, string>> = {};
    for (const caller of callers) {
      const person = await callerOf(caller, name);
      const { text, body } = await person.call("POST", "/graphql", {
        query,
        ...(argument && input !== undefined ? { variables: { [argument.name]: input } } : {}),
      });
      expect(text, `${name} as ${caller}`).not.toMatch(/GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT/);
      const { data } = (body ?? {}) as {
        data?: Record<string, { errors: { code: string; path: string; message: string }[] } | null>;
      };
      for (const { code, path } of data?.[name]?.errors ?? [])
        if (code === "NOT_FOUND") expect(keys, `${name} as ${caller}: ${path}`).toContain(path);
      const refusal = data?.[name]?.errors.find(
        ({ path, message }) => path === "" && !message.startsWith("No second factor is being set up"),
      );
      outcomes[caller] = data?.[name] && !refusal ? "in" : "refused";
      if (caller === "site" || caller === "otherSite")
        expect([data, (body as { status?: number }).status]).toEqual([undefined, 403]);
    }
    expect(outcomes).toEqual(
      Object.fromEntries(callers.map((caller) => [caller, may.includes(caller) ? "in" : "refused"])),
    );
  });

  test.each(Object.keys(filesOf))("the mutation %s, which takes a file, lets in administrators only", async (name) => {
    const query = `mutation ($file: Upload!) { ${name}(${filesOf[name]}) { errors { path message } } }`;
    const outcomes: Partial<Record<Caller, string>> = {};
    for (const caller of callers) {
      const form = graphqlFormOf(query, [{ name: "of-the-matrix.zip", content: Buffer.from("none") }], "file");
      const secret = secrets[caller];
      const headers: Record<string, string> = secret
        ? { authorization: `Bearer ${secret}` }
        : { cookie: cookiesOf(people[caller]) };
      const response = await fetch(`${gateway.url}/graphql`, { method: "POST", body: form, headers });
      const { data } = (await response.json()) as {
        data?: Record<string, { errors: { path: string; message: string }[] }>;
      };
      outcomes[caller] = data && !data[name]!.errors.some(({ path }) => path === "") ? "in" : "refused";
      if (caller === "site" || caller === "otherSite") expect([response.status, data]).toEqual([403, undefined]);
    }
    expect(outcomes).toEqual(
      Object.fromEntries(callers.map((caller) => [caller, caller === "admin" ? "in" : "refused"])),
    );
  });
});
