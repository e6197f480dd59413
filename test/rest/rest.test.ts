import { beforeAll, expect, test } from "vitest";

import { bearerAt, bodyOf, type Person } from "../support/gateway.ts";
import { type Description, ruleOf, type Schema } from "../support/description.ts";
import { addPathValues, type PathValues } from "../support/pathValues.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** Rules for every call of /api/v1, checked on each call in the description. */

/** A facility, signed in by its site credential. */
let site: Person;
let paths: Description["paths"];
let values: PathValues;
const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
const document = bodyOf<Description>(await admin.get("/api/v1/openapi.json"));
beforeAll(async () => {
  ({ paths } = document);
  const days = await gateway.sql<{ day: string }>`select (current_date + 60)::text as day`;
  values = await addPathValues(gateway.db, admin, gateway.url);
  const issued = await admin.call("POST", "/api/v1/siteCredential", {
    facilities: [values.facilityUuid],
    expiryDate: days[0]!.day,
  });
  site = bearerAt(gateway.url, bodyOf<{ secret: string }[]>(issued)[0]!.secret);
});

const reads = () => Object.keys(paths).filter((path) => paths[path]!["get"] && !path.endsWith("/logout"));
/** Only sites may call /site/me. */
const callerFor = (path: string) => (path.startsWith("/api/v1/site/me") ? site : admin);
/** The errors of a failure in FHIR's form, as `errorsOf` returns them. */
const outcomeOf = ({ text }: { text: string }) =>
  (JSON.parse(text) as { issue: { expression: string[]; diagnostics: string }[] }).issue.map(
    ({ expression, diagnostics }) => ({ path: expression[0], message: diagnostics.replace(/^\w+: /, "") }),
  );
const errorsOf = ({ body }: { body: unknown }) =>
  (body as { errors?: { path: string; message: string }[] } | undefined)?.errors ?? [];

test("every answer matches the description", async () => {
  expect(reads().length).toBeGreaterThan(90);
  for (const path of reads()) {
    const answer = await callerFor(path).get(values.filled(path));
    expect([path, answer.status]).toEqual([path, 200]);
    const type = answer.headers.get("content-type")!.split(";")[0]!;
    const content = paths[path]!["get"]!.responses["200"]!.content!;
    // The first media type is the default.
    expect([path, Object.keys(content)[0]]).toEqual([path, type]);
    if (type !== "application/json") continue;
    expect([path, ruleOf(document, content[type]!.schema).safeParse(answer.body).error?.issues]).toEqual([
      path,
      undefined,
    ]);
    expect([path, Boolean(answer.headers.get("etag"))]).toEqual([path, true]);
  }
});

test("a text that is no uuid names no record in a path; as a filter it is refused by name", async () => {
  const uuidsOf = (path: string, within: string) =>
    paths[path]!["get"]!.parameters!.filter(
      ({ in: place, name }) => place === within && /^uuid$|Uuid$/.test(name) && name !== "facilityUuid",
    ).map(({ name }) => name);
  for (const path of reads()) {
    for (const name of uuidsOf(path, "path"))
      expect([path, (await admin.get(values.filled(path, { [name]: "abc" }))).status]).toEqual([path, 404]);
    for (const name of uuidsOf(path, "query")) {
      const answer = await admin.get(`${values.filled(path)}?${name}=abc`);
      expect([path, errorsOf(answer)]).toEqual([path, [{ path: name, message: "must be a UUID" }]]);
    }
  }
  const tokens = ["/token/abc", `/user/${values.valueOf("/user/{userUuid}", "userUuid")}/token/abc`];
  for (const path of tokens) expect((await admin.call("DELETE", `/api/v1${path}`)).status).toBe(404);
});

test("failures match the description, and forms with files are described", async () => {
  const problem = ruleOf(document, { $ref: "#/components/schemas/Problem" });
  for (const [path, status] of [
    ["/api/v1/province/0", 404],
    ["/api/v1/province/x", 422],
    ["/api/v1/tdb/count/2026-01-02/2026-01-01", 422],
  ] as const) {
    const answer = await admin.get(path);
    expect([answer.status, problem.safeParse(answer.body).error?.issues]).toEqual([status, undefined]);
  }
  const named = ({ $ref }: Schema) => document.components.schemas[String($ref).split("/").at(-1)!];
  const fieldsOf = (path: string) =>
    Object.keys(
      (named(paths[path]!["post"]!.requestBody!.content["multipart/form-data"]!.schema) as { properties: object })
        .properties,
    );
  expect(fieldsOf("/api/v1/tdb")).toEqual(["files"]);
  expect(fieldsOf("/api/v1/download")).toEqual(["file", "fileType", "fileName", "fileDescription", "dbKey"]);
});

test("an unknown query parameter is refused by name", async () => {
  for (const path of reads()) {
    const isFhir = path.startsWith("/api/v1/fhir/");
    const answer = await callerFor(path).get(
      `${values.filled(path)}?nosuch=1`,
      isFhir ? { prefer: "handling=strict" } : {},
    );
    // FHIR ignores unknown parameters. Its searches refuse them if the caller asks for strict handling.
    if (isFhir && !/(Location|Organization)$/.test(path)) {
      expect([path, answer.status]).toEqual([path, 200]);
      continue;
    }
    const errors = isFhir ? outcomeOf(answer) : errorsOf(answer);
    const message = isFhir ? "is not known" : "is not a known key";
    expect([path, answer.status, errors]).toEqual([path, isFhir ? 400 : 422, [{ path: "nosuch", message }]]);
  }
});

test("a person without the right gets 403 before the values are checked", async () => {
  const plain = await gateway.as("plain");
  for (const path of reads().filter((each) =>
    /\/api\/v1\/(tdb\/(?!silent)|assessment|audit|download|user\/ip|user$)/.test(each),
  ))
    expect([
      path,
      (await plain.get(`${values.filled(path, { start: "never", implementingPartnerId: "x" })}?nosuch=1`)).status,
    ]).toEqual([path, 403]);
  expect((await plain.call("POST", "/api/v1/user", { nosuch: 1 })).status).toBe(403);
});

test("a body that is not JSON gives 415", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"])
    expect([type, (await admin.call("PATCH", "/api/v1/user", "{}", { "content-type": type })).status]).toEqual([
      type,
      415,
    ]);
});

test("a wrong value is refused with its name and a readable reason", async () => {
  const { facilityUuid } = values;
  const settings = `/api/v1/facility/settings/${facilityUuid}`;
  const cases: [string, string, unknown, string, string][] = [
    ["GET", `/api/v1/facilityMetadata/${"x".repeat(65)}`, undefined, "facilityUuid", "may have at most 64 characters"],
    ["GET", `/api/v1/facility/search/args/${"a".repeat(5000)}`, undefined, "text", "may have at most 128 characters"],
    ["GET", "/api/v1/user/%00", undefined, "userUuid", "holds a character that cannot be stored"],
    ["GET", "/api/v1/implementingPartner/active/yes", undefined, "active", "must be one of true, false"],
    ["PATCH", settings, { serviceAreas: "1" }, "serviceAreas", "must be a list"],
    ["PATCH", settings, [], "body", "must be an object"],
    ["PUT", "/api/v1/facilityConnectivity", {}, "facilityUuid", "is required"],
    ["PUT", "/api/v1/facilityConnectivity", { facilityUuid: 5 }, "facilityUuid", "must be a text"],
    [
      "PUT",
      "/api/v1/facilityConnectivity",
      { facilityUuid, present: true, details: "half a smile \ud83d" },
      "details",
      "holds a character that cannot be stored",
    ],
    [
      "POST",
      "/api/v1/query/check",
      { query: "{ __typename }", variables: { a: "\udc00" } },
      "variables",
      "holds a character that cannot be stored",
    ],
    ["POST", "/api/v1/token", { name: "x", expiryDate: "2026-12-01" }, "privileges", "is required"],
  ];
  for (const [method, path, body, name, message] of cases)
    expect([path, errorsOf(await admin.call(method, path, body))]).toEqual([path, [{ path: name, message }]]);
});
