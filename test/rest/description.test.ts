import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { beforeAll, expect, test } from "vitest";

import { schema } from "../../gateway/schema.ts";
import { type Description, operationsOf, ruleOf, type Schema } from "../support/description.ts";
import { bearerAt, bodyOf } from "../support/gateway.ts";
import { addPathValues, type PathValues } from "../support/pathValues.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The OpenAPI description of each call: its names, texts, schemas, examples and statuses. */

let values: PathValues;
let token: string;
let siteToken: string;
const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const document = bodyOf<Description>(await admin.get("/api/v1/openapi.json"));
const operations = operationsOf(document);
beforeAll(async () => {
  const rows = await gateway.sql<{ day: string }>`select (current_date + 60)::text as day`;
  const { day } = rows[0]!;
  values = await addPathValues(gateway.db, admin, gateway.url);
  const make = async (path: string, body: object) => bodyOf(await admin.call("POST", `/api/v1${path}`, body));
  token = (await make("/token", { name: "Examples", privileges: ["administrator"], expiryDate: day })).token;
  siteToken = (await make("/siteCredential", { facilities: [values.facilityUuid], expiryDate: day }))[0].secret;
});

const eachOf = (found: (each: (typeof operations)[number]) => unknown) =>
  operations.map((each) => [each.operation.operationId, found(each)]);

test("each operation has a unique id, a summary, a description, a known group and its failure statuses", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids.length).toBeGreaterThan(120);
  expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  const groups = new Set(document.tags.map(({ name }) => name));
  const lacking = operations.flatMap(({ operation: { operationId, summary, description, tags } }) => [
    ...(summary ? [] : [`${operationId} has no summary`]),
    ...(description ? [] : [`${operationId} has no description`]),
    ...tags
      .filter((tag) => !groups.has(tag))
      .map((tag) => `${operationId}: the group ${tag} is not in gateway/rest/description/tags.ts`),
  ]);
  expect(lacking).toEqual([]);
  expect(
    eachOf(
      ({ operation: { responses } }) =>
        "default" in responses || !("429" in responses && "503" in responses && "422" in responses),
    ),
  ).toEqual(ids.map((id) => [id, false]));
});

/**
 * What people do on the screens alone, and no other program: it has no second interface (docs/decisions/gateway.md).
 */
const byGraphqlAlone = [
  ...[
    "acceptAssessment",
    "acceptTdb",
    "assignSites",
    "createLedgerFeed",
    "noteSites",
    "setPartnerOfSites",
    "undoBulkAct",
  ],
  ...[
    "changeRollout",
    "closeAction",
    "createAction",
    "createRollout",
    "createSavedQuery",
    "createSavedView",
    "decideReconciliationFindings",
    "deleteSavedQuery",
  ],
  ...[
    "deleteSavedView",
    "importReconciliationFindings",
    "noteWorklistEntry",
    "pinSavedQuery",
    "removeIdentifierSystem",
    "removeTarget",
  ],
  ...[
    "reopenAction",
    "restoreAssessment",
    "restoreTdb",
    "saveIdentifierSystem",
    "setAssessmentAside",
    "setTarget",
    "setTdbAside",
    "updateAction",
    "updateSavedQuery",
  ],
  ...["createFieldList", "changeFieldList", "deleteFieldList", "addSitesToFieldList", "removeSitesFromFieldList"],
  ...["saveReport", "editReport", "signReport", "discardReport"],
  // By REST these are steps of POST and GET of an import.
  ...["readRegistryImport", "reviewRegistryImport"],
];

test("each GraphQL mutation has an operation of the same name, except those of the screens alone", () => {
  const ids = new Set(operations.map(({ operation }) => operation.operationId));
  const mutations = Object.keys(schema.getMutationType()!.getFields());
  expect(mutations.length).toBeGreaterThan(30);
  expect(mutations.filter((name) => !ids.has(name)).toSorted()).toEqual(byGraphqlAlone.toSorted());
});

test("bodies and responses have named schemas, responses have headers, and limits are from 1 to 1000", () => {
  const isNamed = (found: Schema): boolean =>
    found["$ref"] !== undefined ||
    (found["type"] === "array"
      ? isNamed(found["items"] as Schema)
      : found["type"] !== "object" || found["properties"] === undefined);
  for (const { operation } of operations) {
    const { operationId, requestBody, responses } = operation;
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
    for (const content of contents)
      for (const [type, part] of Object.entries(content ?? {}))
        expect([operationId, type, isNamed(part.schema)]).toEqual([operationId, type, true]);
    for (const [status, answer] of Object.entries(responses))
      expect([operationId, status, Boolean(answer.$ref ?? answer.headers)]).toEqual([operationId, status, true]);
    for (const { schema: values, name } of operation.parameters ?? [])
      if (name === "limit") expect(values).toMatchObject({ minimum: 1, maximum: 1000 });
  }
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(
    ([, kind, name]) => [kind, name],
  );
  expect(references.filter(([kind, name]) => !document.components[kind as "schemas"][name!])).toEqual([]);
  // Names that REST and GraphQL share.
  for (const noun of [
    "Province",
    "District",
    "ImplementingPartner",
    "ServiceArea",
    "Facility",
    "FacilityConnectivity",
    "Assessment",
    "AssessmentRevision",
    "Tdb",
    "TdbReceipt",
    "User",
    "Download",
    "SiteCredential",
    "DashboardRow",
  ])
    expect([noun, noun in document.components.schemas, schema.getType(noun) !== undefined]).toEqual([noun, true, true]);
});

test("each parameter and each body has an example that its schema accepts", () => {
  for (const { operation } of operations) {
    for (const { name, schema: values, example } of (operation.parameters ?? []).filter(({ $ref }) => !$ref)) {
      if (name === "cursor" || name === "since") continue;
      expect([operation.operationId, name, example !== undefined]).toEqual([operation.operationId, name, true]);
      expect([operation.operationId, name, ruleOf(document, values).safeParse(example).error?.issues]).toEqual([
        operation.operationId,
        name,
        undefined,
      ]);
    }
    const body = operation.requestBody?.content["application/json"];
    if (body)
      expect([
        operation.operationId,
        ruleOf(document, body.schema, { isClosed: false }).safeParse(body.example).error?.issues,
      ]).toEqual([operation.operationId, undefined]);
  }
});

test("the shell example of each call that reads succeeds as written", async () => {
  const bySession = operations.filter(
    ({ operation: { security } }) => security?.length === 1 && "session" in security[0]!,
  );
  // Two are for a browser's session; two need an identifier and a pair of facilities that the demonstration does not
  // have.
  const others = new Set(["signOut", "checkSession", "getFacilityByIdentifier", "previewFacilityMerge"]);
  const reads = operations.filter(
    (each) => each.method === "get" && !bySession.includes(each) && !others.has(each.operation.operationId),
  );
  expect(reads.length).toBeGreaterThan(85);
  for (const { method, path } of bySession.filter((each) => each.method === "get"))
    expect([path, (await bearerAt(gateway.url, token).call(method.toUpperCase(), path)).status]).toEqual([path, 403]);
  for (const { path, operation } of reads) {
    const env = {
      ...{
        PATH: process.env["PATH"],
        ADDRESS: gateway.url,
        TOKEN: path.startsWith("/api/v1/site/me") ? siteToken : token,
      },
      // Uuids and secrets of a path are variables of the shell: $FACILITY_UUID.
      ...Object.fromEntries(
        [...path.matchAll(/\{(\w*(?:uuid|secret))\}/gi)].map(([, name]) => [
          name!.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
          values.valueOf(path, name!),
        ]),
      ),
    };
    const { stdout } = await promisify(execFile)("sh", ["-euc", operation["x-codeSamples"][0]!.source], {
      env,
      maxBuffer: 1e8,
      encoding: "buffer",
    }).catch((error: { stdout?: Buffer }) => ({
      stdout: Buffer.from(`${operation.operationId} failed: ${String(error.stdout)}`),
    }));
    expect([operation.operationId, stdout.toString("utf8", 0, 200).includes(" failed: ")]).toEqual([
      operation.operationId,
      false,
    ]);
  }
});

test("the description has the status of every answer, for each caller, query and body", async () => {
  const nobody = bearerAt(gateway.url, "sct_none");
  const plain = await gateway.as("plain");
  const filled = (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      /uuid$/i.test(name)
        ? "0192f0c4-7d3e-7a51-9c0b-3f7c2a1e5d84"
        : /^(start|end)$/.test(name)
          ? "2026-01-01"
          : /^(year)$/.test(name)
            ? "2026"
            : /id$/i.test(name)
              ? "99999"
              : name === "quarter"
                ? "1"
                : name === "mode"
                  ? "EFirst"
                  : name === "active"
                    ? "true"
                    : "clinic",
    );
  for (const { method, path, operation } of operations.filter(
    ({ operation: { operationId } }) => operationId !== "signOut",
  )) {
    const bodies = operation.requestBody ? ["{", "{}", '{"nosuch":1}'] : [undefined];
    for (const who of [nobody, plain, admin])
      for (const body of bodies)
        for (const query of ["", "?nosuch=1"]) {
          const { status } = await who.call(method.toUpperCase(), filled(path) + query, body);
          expect([operation.operationId, body, query, status, String(status) in operation.responses]).toEqual([
            operation.operationId,
            body,
            query,
            status,
            true,
          ]);
        }
  }
});
