import { sql } from "kysely";

import type { Database } from "../../db/engine/connect.ts";
import { bodyOf, type Person } from "./gateway.ts";
import { agreeAction, changedBy, feedSecret, saveQuery } from "./mutations.ts";
import { tusOf } from "./tdbx.ts";

export type PathValues = {
  /** of the facility that each path uses */
  facilityUuid: string;
  /** the value of a parameter of this path of the description */
  valueOf: (path: string, name: string) => string;
  /** the path with all its values, or with these others */
  filled: (path: string, other?: Record<string, string>) => string;
};

const list = "name,province,district\nPath Clinic,Nowhere,Nowhere\n";
const csv = { "content-type": "text/csv" };

/**
 * Values of existing records for the paths of all calls that read. Tests that make each of these calls fill its path
 * with them. Records that the demonstration lacks are created by its administrator, at this address. A new parameter
 * needs a line in `named`, a new `{uuid}` one in `uuids`.
 */
export async function addPathValues(db: Database, admin: Person, url: string): Promise<PathValues> {
  const made = async (method: string, path: string, body: unknown, headers = {}): Promise<{ uuid: string }> => {
    const answer = await admin.call(method, `/api/v1${path}`, body, headers);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return bodyOf(answer);
  };
  const { rows } = await sql<
    Record<"facilityUuid" | "assessmentUuid" | "userUuid" | "tdb" | "download" | "hmisCode", string>
  >`
    select facility_uuid, assessment_uuid, user_uuid, (select tdb_uuid from tdb limit 1) as tdb, (select download_uuid from download limit 1) as download,
      (select hmis_code from facility where hmis_code is not null limit 1) from assessment limit 1`.execute(db);
  const { tdb, download, hmisCode, ...ids } = rows[0]!;
  await made("PUT", `/download/${download}/release`, { version: "99", installs: ["library"] });
  const action = await changedBy(agreeAction(admin, { facilityUuid: ids.facilityUuid }));
  const named: Record<string, string> = {
    actionUuid: action.actionUuid,
    ...{
      ...ids,
      into: ids.facilityUuid,
      system: "hmis",
      value: hmisCode,
      locationId: "country",
      organizationId: "country",
    },
    ...{
      id: "1",
      provinceId: "1",
      districtId: "1",
      implementingPartnerId: "1",
      kind: "stopped",
      placeKind: "province",
      mode: "EFirst",
      active: "true",
      text: "clinic",
      secret: await feedSecret(admin),
    },
    ...{ year: "2026", quarter: "-1", start: "2020-01-01", end: "2030-12-31" },
  };
  /** By the beginning of the path after /api/v1. */
  const uuids: Record<string, string> = {
    "/download/": download,
    "/facility/": download,
    "/query/": (
      await changedBy(saveQuery(admin, { name: "Provinces", query: "{ provinces { nodes { name } } }", shared: true }))
    ).uuid,
    "/registry/import/": (await made("POST", "/registry/import", list, csv)).uuid,
    "/registry/reconciliations/": (await made("POST", "/registry/reconciliations?source=Paths", list, csv)).uuid,
    "/serviceAccount/": (
      await made("POST", "/serviceAccount", { name: "path-reader", owner: "manager", privileges: ["viewAssessments"] })
    ).uuid,
    "/tdb/file/": tdb,
    "/tdb/resumable/": (await tusOf(url, admin).create(5000)).split("/").at(-1)!,
  };
  const valueOf = (path: string, name: string): string => {
    const value =
      name === "uuid" ? Object.entries(uuids).find(([start]) => path.startsWith(`/api/v1${start}`))?.[1] : named[name];
    if (value === undefined) throw new Error(`test/support/pathValues.ts has no value for {${name}} of ${path}`);
    return value;
  };
  return {
    facilityUuid: ids.facilityUuid,
    valueOf,
    filled: (path, other = {}) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => other[name] ?? valueOf(path, name)),
  };
}
