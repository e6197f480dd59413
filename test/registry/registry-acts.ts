import { randomBytes, randomInt } from "node:crypto";

import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";
import { type Answer, bodyOf, type Person } from "../support/gateway.ts";

/** Random acts of people who maintain the registry. Each act chooses its object at random among the stored rows. */

const word = () => randomBytes(4).toString("hex");
const chance = (share: number) => Math.random() < share;
const kinds = { province: "province", district: "district", implementingPartner: "implementing_partner" } as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];
const pick = <One>(list: readonly One[]): One => list[randomInt(list.length)]!;

type Site = {
  uuid: string;
  name: string;
  code: string | null;
  districtId: number;
  closedOn: string | null;
  day: string;
};
type Caller = { call: Person["call"]; sendCsv: (csv: string) => Promise<Answer> };

/** The acts by name. Each returns the answer of the gateway, or nothing if there is no object for the act. */
export function registryActs(db: Handle, { call, sendCsv }: Caller): Record<string, () => Promise<Answer | undefined>> {
  const api = (path: string) => `/api/v1${path}`;
  const rowsOf = async <Row>(text: string) => (await sql<Row>`${sql.raw(text)}`.execute(db)).rows;
  const randomRow = async <Row>(text: string) => (await rowsOf<Row>(`${text} order by random() limit 1`))[0];
  const randomSites = (condition: string, many = 1) =>
    rowsOf<Site>(`
      select facility_uuid as uuid, facility_name as name, hmis_code as code, district_id, closed_on, coalesce(
        (select max(assessed_at)::date from assessment where facility_uuid = facility.facility_uuid), current_date - 90)
        + (random() * (current_date - coalesce((select max(assessed_at)::date from assessment where facility_uuid = facility.facility_uuid), current_date - 90)))::integer as day
      from facility where ${condition} order by random() limit ${many}`);
  const placeOf = async (kind: Kind, condition = "true") =>
    (await randomRow<{ id: number }>(`select ${kinds[kind]}_id as id from ${kinds[kind]} where ${condition}`))?.id;
  const open = (kind: Kind) => (kind === "implementingPartner" ? "active" : "closed_on is null");
  const ofSite = async (condition: string, act: (one: Site) => Promise<Answer | undefined>) => {
    const [one] = await randomSites(condition);
    return one && act(one);
  };
  /** The answer has the status of a conflict if the change was refused. */
  const changeRollout = async (input: object): Promise<Answer> => {
    const query = "mutation ($input: ChangeRolloutInput!) { changeRollout(input: $input) { errors { path message } } }";
    const answer = await call("POST", "/graphql", { query, variables: { input } });
    const { data } = bodyOf<{ data?: { changeRollout: { errors: object[] } } }>(answer);
    return data?.changeRollout.errors.length === 0 ? answer : { ...answer, status: Math.max(answer.status, 409) };
  };
  const ofPlace = async (
    kind: Kind,
    condition: string,
    act: (path: string, id: number) => Promise<Answer | undefined>,
  ) => {
    const id = await placeOf(kind, condition);
    return id === undefined ? undefined : act(api(`/registry/place/${kind}/${id}`), id);
  };
  const today = async () => (await rowsOf<{ today: string }>("select current_date as today"))[0]!.today;
  const identifiers = () => [
    { system: "dhis2", value: `D${randomBytes(5).toString("hex")}` },
    ...(chance(0.5) ? [{ system: "ihris", value: word() }] : []),
  ];

  return {
    add: async () =>
      call("POST", api("/facility"), {
        facilityName: `Storm ${word()}`,
        districtId: await placeOf("district", open("district")),
        ...(chance(0.5) ? { hmisCode: `S${word()}` } : {}),
      }),
    rename: () =>
      ofSite("true", ({ uuid }) => call("PATCH", api(`/facility/${uuid}`), { facilityName: `Renamed ${word()}` })),
    code: () =>
      ofSite("closed_on is null", ({ uuid }) =>
        call("PATCH", api(`/facility/${uuid}`), { hmisCode: chance(0.8) ? `C${word()}` : null }),
      ),
    move: () =>
      ofSite("true", async ({ uuid }) =>
        call("PATCH", api(`/facility/${uuid}`), { districtId: await placeOf("district", open("district")) }),
      ),
    partner: () =>
      ofSite("true", async ({ uuid }) =>
        call("PATCH", api(`/facility/${uuid}`), {
          implementingPartnerId: chance(0.2) ? null : await placeOf("implementingPartner", "active"),
        }),
      ),
    identifiers: () =>
      ofSite("true", ({ uuid }) => call("PUT", api(`/facility/identifiers/${uuid}`), { identifiers: identifiers() })),
    close: () =>
      ofSite("closed_on is null", ({ uuid, day }) =>
        call("POST", api(`/facility/${uuid}/close`), { closedOn: day, reason: "The storm" }),
      ),
    reopen: () => ofSite("closed_on is not null", ({ uuid }) => call("POST", api(`/facility/${uuid}/reopen`))),
    merge: async () => {
      const [from, into] = await randomSites("closed_on is null", 2);
      return from && into && call("POST", api(`/facility/${from.uuid}/merge`), { into: into.uuid });
    },
    undo: async () => {
      const merge = await randomRow<{ uuid: string }>("select facility_uuid as uuid from facility_merge");
      return merge && call("POST", api(`/facility/${merge.uuid}/unmerge`));
    },
    addPlace: async () => {
      const kind = pick(kindNames);
      return call("POST", api(`/registry/place/${kind}`), {
        name: `Place ${word()}`,
        ...(kind === "district" ? { provinceId: await placeOf("province", open("province")) } : {}),
      });
    },
    renamePlace: () => ofPlace(pick(kindNames), "true", (path) => call("PATCH", path, { name: `Named ${word()}` })),
    moveDistrict: () =>
      ofPlace("district", "true", async (path) =>
        call("PATCH", path, { provinceId: await placeOf("province", open("province")) }),
      ),
    split: async () => {
      const kind = pick(kindNames);
      return ofPlace(kind, open(kind), async (path, id) => {
        const part = kind === "province" ? "district" : "facility";
        const parts = (
          await rowsOf<{ key: string }>(
            `select ${part}_${kind === "province" ? "id" : "uuid"} as key from ${part} where ${kinds[kind]}_id = ${id}`,
          )
        ).map(({ key }) => key);
        return call("POST", `${path}/split`, {
          name: `Split ${word()}`,
          [kind === "province" ? "districtIds" : "facilityUuids"]: parts.filter(() => chance(0.3)),
        });
      });
    },
    closePlace: async () => {
      const kind = pick(kindNames);
      const empty =
        kind === "implementingPartner"
          ? "name like 'Split%'"
          : `not exists (select from facility where facility.${kinds[kind]}_id = ${kinds[kind]}.${kinds[kind]}_id and facility.closed_on is null)`;
      return ofPlace(kind, `${open(kind)} and ${empty}`, async (path) =>
        call("POST", `${path}/close`, { closedOn: await today() }),
      );
    },
    reopenPlace: async () => {
      const kind = pick(kindNames);
      return ofPlace(kind, `not (${open(kind)})`, (path) => call("POST", `${path}/reopen`));
    },
    removePlace: async () => {
      const kind = pick(kindNames);
      return ofPlace(
        kind,
        `not exists (select from facility where facility.${kinds[kind]}_id = ${kinds[kind]}.${kinds[kind]}_id)`,
        (path) => call("DELETE", path),
      );
    },
    import: async () => {
      const named = await rowsOf<{ code: string; name: string; province: string; district: string }>(`
        select hmis_code as code, facility_name as name, province.name as province, district.name as district
        from facility join district using (district_id) join province on province.province_id = district.province_id
        where hmis_code is not null and facility.closed_on is null and district.closed_on is null order by random() limit 3`);
      if (named.length < 3) return undefined;
      const [one, two, three] = named as [(typeof named)[0], (typeof named)[0], (typeof named)[0]];
      const csv = [
        "hmisCode;name;province;district;facilityType;dhis2Uid",
        `${one.code};${one.name};${one.province};${one.district};Type ${word()};`,
        `${two.code};Imported ${word()};${three.province};${three.district};;D${randomBytes(5).toString("hex")}`,
        `;New ${word()};${three.province};${three.district};Health Post;D${randomBytes(5).toString("hex")}`,
      ];
      const sent = await sendCsv(csv.join("\n"));
      if (sent.status !== 200) return sent;
      const path = api(`/registry/import/${(sent.body as { uuid: string }).uuid}`);
      const decided = await call("POST", `${path}/decisions`, { decision: "accepted", all: true });
      return decided.status === 200 ? call("POST", `${path}/apply`, {}) : decided;
    },
    revert: async () => {
      const one = await randomRow<{ uuid: string }>(
        "select import_uuid as uuid from registry_import where status = 'applied'",
      );
      return one && call("POST", api(`/registry/import/${one.uuid}/revert`), {});
    },
    rollout: async () => {
      const one = await randomRow<{ uuid: string }>("select rollout_uuid as uuid from rollout where ended_at is null");
      return (
        one &&
        changeRollout({
          uuid: one.uuid,
          ...pick([{ percentage: 1 + randomInt(100) }, { state: "PAUSED" }, { state: "RUNNING" }]),
        })
      );
    },
  };
}
