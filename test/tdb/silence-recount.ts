import { sql } from "kysely";

import type { Handle } from "../../db/engine/connect.ts";
import type { Scope } from "../../db/list/scope.ts";

/**
 * A slow and simple recount of silent sites: it reads every TDB and compares it with every other TDB of its facility.
 */

export type Country = Awaited<ReturnType<typeof readCountry>>;

const zone = "Africa/Lusaka";
const localOf = (column: string) =>
  sql<string>`to_char(${sql.ref(column)} at time zone ${zone}, 'YYYY-MM-DD HH24:MI:SS.US')`;

/** All facilities, TDBs and partners with local times as text, and today's date in the same time zone. */
export async function readCountry(handle: Handle) {
  const { rows } = await sql<{ today: string }>`select (now() at time zone ${zone})::date::text as today`.execute(
    handle,
  );
  return {
    today: rows[0]!.today,
    facilities: await handle
      .selectFrom("facility")
      .innerJoin("district", "district.districtId", "facility.districtId")
      .innerJoin("province", "province.provinceId", "facility.provinceId")
      .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
      .selectAll("facility")
      .select([
        "district.name as district",
        "province.name as province",
        "implementingPartner.name as implementingPartner",
      ])
      .execute(),
    tdbs: await handle
      .selectFrom("tdb")
      .select([
        "tdbUuid",
        "facilityUuid",
        "delta",
        "totalPatients",
        localOf("uploadedAt").as("received"),
        localOf("tdbCreatedAt").as("created"),
      ])
      .execute(),
    units: {
      province: (await handle
        .selectFrom("province")
        .select(["provinceId as id", "name", "provinceId"])
        .execute()) as Unit[],
      district: (await handle
        .selectFrom("district")
        .select(["districtId as id", "name", "provinceId", "districtId"])
        .execute()) as Unit[],
    },
  };
}
type Unit = { id: number; name: string; provinceId: number; districtId?: number };
type Sent = Country["tdbs"][number];

const creationKey = ({ created, received, tdbUuid }: Sent) => `${created} ${received} ${tdbUuid}`;
const receiptKey = ({ received, tdbUuid }: Sent) => `${received} ${tdbUuid}`;
const daysFrom = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The kinds of irregularity of one TDB, compared with all TDBs of its facility. */
function recountKinds(it: Sent, ofFacility: Sent[]): string[] {
  const before = ofFacility.filter((other) => creationKey(other) < creationKey(it));
  return [
    ...(ofFacility.some((other) => receiptKey(other) < receiptKey(it) && other.created > it.created)
      ? ["creationBack"]
      : []),
    ...(before.some((other) => other.totalPatients > it.totalPatients) ? ["clientsBack"] : []),
    ...(it.delta && before.every((other) => other.delta) ? ["deltaWithoutBase"] : []),
  ].toSorted();
}

/** Every irregularity of the country, as "uuid kind". */
export function recountIrregularities({ tdbs }: Country): string[] {
  return tdbs
    .flatMap((it) =>
      recountKinds(
        it,
        tdbs.filter(({ facilityUuid }) => facilityUuid === it.facilityUuid),
      ).map((kind) => `${it.tdbUuid} ${kind}`),
    )
    .toSorted();
}

const deployed = new Set<string | null>(["EFirst", "EFast", "ELast", "Partial"]);

const recounted = new WeakMap<Country, Site[]>();

/** The list row of each facility in the scope. */
export function recountSites(country: Country, scope: Scope): Site[] {
  const sites = recounted.get(country) ?? recountAll(country);
  recounted.set(country, sites);
  return sites.filter((site) =>
    (Object.keys(scope) as (keyof Scope)[]).every((key) => scope[key] == null || site[key] === scope[key]),
  );
}

function recountAll({ today, facilities, tdbs }: Country) {
  const rhythmDays = 30;
  /** If `today` is an earlier day, only TDBs that had been received by then count. */
  const isKnown = ({ received }: Sent) => received.slice(0, 10) <= today;
  const open = facilities.filter(({ closedOn }) => closedOn === null || closedOn > today);
  return open.map((facility) => {
    const own = tdbs.filter(({ facilityUuid }) => facilityUuid === facility.facilityUuid);
    const last = own
      .filter(isKnown)
      .reduce<Sent | undefined>(
        (best, tdb) => (best === undefined || creationKey(tdb) > creationKey(best) ? tdb : best),
        undefined,
      );
    const lastOf = (kind: string) => {
      const days = own
        .filter((tdb) => isKnown(tdb) && recountKinds(tdb, own).includes(kind))
        .map(({ received }) => received.slice(0, 10));
      const day = days.toSorted().at(-1);
      return day !== undefined && daysFrom(day, today) < 90 ? day : null;
    };
    const lastTdbCreationDate = last?.created.slice(0, 10) ?? null;
    const daysSinceLastTdb = lastTdbCreationDate === null ? null : Math.max(0, daysFrom(lastTdbCreationDate, today));
    const expected = last !== undefined || deployed.has(facility.functionalityStatusMode);
    const dates = {
      deltaWithoutBaseDate: lastOf("deltaWithoutBase"),
      creationBackDate: lastOf("creationBack"),
      clientsBackDate: lastOf("clientsBack"),
    };
    const {
      facilityUuid,
      facilityName,
      districtId,
      district,
      provinceId,
      province,
      implementingPartnerId,
      implementingPartner,
    } = facility;
    return {
      ...{
        facilityUuid,
        facilityName,
        districtId,
        district,
        provinceId,
        province,
        implementingPartnerId,
        implementingPartner,
      },
      functionalityStatusMode: facility.functionalityStatusMode,
      lastTdbCreationDate,
      lastTdbUploadDate: last?.received.slice(0, 10) ?? null,
      daysSinceLastTdb,
      rhythmDays,
      expected,
      overdue: expected && (daysSinceLastTdb === null || daysSinceLastTdb > rhythmDays),
      irregular: Object.values(dates).some((date) => date !== null),
      ...dates,
    };
  });
}
export type Site = ReturnType<typeof recountAll>[number];

export const sets: Record<string, (site: Site) => boolean> = {
  overdue: ({ overdue }) => overdue,
  neverSent: ({ overdue, lastTdbCreationDate }) => overdue && lastTdbCreationDate === null,
  irregular: ({ irregular }) => irregular,
  expected: ({ expected }) => expected,
  all: () => true,
};

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
/** Names sort by code point. In the order `silence`, facilities that never sent a TDB come last. */
export const orders: Record<string, (a: Site, b: Site) => number> = {
  silence: (a, b) =>
    compare(a.lastTdbCreationDate ?? "9999", b.lastTdbCreationDate ?? "9999") || orders["facility"]!(a, b),
  facility: (a, b) => compare(a.facilityName, b.facilityName) || compare(a.facilityUuid, b.facilityUuid),
  place: (a, b) => compare(a.province, b.province) || compare(a.district, b.district) || orders["facility"]!(a, b),
};

/** The counts of each unit in the scope, sorted by name. */
export function recountUnits(country: Country, level: "province" | "district" | "ip", scope: Scope) {
  const sites = recountSites(country, scope);
  const countOf = (hxId: number | null, name: string, own: Site[]) => {
    const [expected, overdue, neverSent, irregular] = ["expected", "overdue", "neverSent", "irregular"].map(
      (set) => own.filter(sets[set]!).length,
    );
    return { hxId, name, facilities: own.length, expected, overdue, neverSent, irregular, rhythmDays: 30 };
  };
  if (level === "ip") {
    const partners = new Map(sites.map((site) => [site.implementingPartnerId, site.implementingPartner]));
    return [...partners]
      .toSorted(([, a], [, b]) => (a === null ? 1 : b === null ? -1 : compare(a, b)))
      .map(([id, name]) =>
        countOf(
          id,
          name ?? "No implementing partner",
          sites.filter((site) => site.implementingPartnerId === id),
        ),
      );
  }
  const district = country.units.district.find(({ id }) => id === scope.districtId);
  return country.units[level]
    .filter((unit) => scope.provinceId == null || unit.provinceId === scope.provinceId)
    .filter(
      (unit) =>
        district === undefined || (level === "district" ? unit.id === district.id : unit.id === district.provinceId),
    )
    .toSorted((a, b) => compare(a.name, b.name))
    .map(({ id, name }) =>
      countOf(
        id,
        name,
        sites.filter((site) => site[`${level}Id`] === id),
      ),
    );
}
