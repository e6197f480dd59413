import type { Database, Handle } from "../../db/engine/connect.ts";
import { type NewBoundary, updateBoundaries } from "../../db/reference/boundary.ts";
import { findIsEmpty, insertRows } from "../../db/demo/demo.ts";
import { insertDistricts, insertEntries, type ListTable, updatePartnerStates } from "../../db/facility/load.ts";
import { rebuildRollups } from "../../db/derived/recount.ts";
import {
  connectivityProviders,
  connectivityTypes,
  createFacilities,
  type DemoFacility,
  serviceAreas,
} from "./demo.facilities.ts";
import { createRollout } from "./demo.fleet.ts";
import { createDownloads, createTdbs, writeFiles } from "./demo.files.ts";
import { createMachines } from "./demo.machines.ts";
import { ministry, partners, password, temporaryPassword, users } from "./demo.people.ts";
import { fiscalYearOf, namedPeriodOf, quarterOfMonth } from "../calendar/fiscal.rules.ts";
import { boxOf } from "../reference/boundary.rules.ts";
import { outlineCredit, outlines } from "./demo.outlines.ts";
import { provinces } from "./demo.places.ts";
import { moment, uuidOf } from "./demo.random.ts";
import { createClosed, createIdentifiers, createMerges } from "./demo.registry.ts";
import { createVisits, type DemoVisit, historyStart, versions } from "./demo.visits.ts";

type DemoInput = {
  /** the ministry's day, YYYY-MM-DD: the history ends there */
  today: string;
  dataDir: string;
  hashPassword: (password: string) => Promise<string>;
};

/** Whether the database has neither users nor facilities, so that the demonstration can be loaded. */
export const isEmpty = (database: Database): Promise<boolean> => findIsEmpty(database);

/** Ids by name. */
type Ids = Map<string, number>;

async function insertNames(handle: Handle, table: ListTable, names: string[]): Promise<Ids> {
  const entries = await insertEntries(handle, { table, names });
  return new Map(entries.map(({ id, name }) => [name, id]));
}

async function insertPlaces(handle: Handle): Promise<{ provinceIds: Ids; districtIds: Ids }> {
  const provinceIds = await insertNames(
    handle,
    "province",
    provinces.map(({ name }) => name),
  );
  const districts = provinces.flatMap((province) =>
    province.districts.map((name) => ({ provinceId: provinceIds.get(province.name)!, name })),
  );
  const entries = await insertDistricts(handle, { districts });
  // No two districts of Zambia share a name.
  return { provinceIds, districtIds: new Map(entries.map(({ districtId, name }) => [name, districtId])) };
}

/** Stores the outlines of the provinces and districts. */
async function insertOutlines(handle: Handle, provinceIds: Ids, districtIds: Ids): Promise<void> {
  const boundaries = Object.entries(outlines).map(([name, path]): NewBoundary => {
    const district = name.split("/")[1];
    const place =
      district === undefined ? { provinceId: provinceIds.get(name)! } : { districtId: districtIds.get(district)! };
    return { ...place, path, ...boxOf(path) };
  });
  await updateBoundaries(handle, { boundaries, credit: outlineCredit });
}

const userUuidOf = (userName: string): string => uuidOf(`user ${userName}`, 7);

async function insertUsers(
  handle: Handle,
  partnerIds: Ids,
  since: string,
  hashes: Map<boolean, string>,
): Promise<void> {
  const rows = users.map(({ partner, privileges, temporary = false, ...user }, index) => ({
    ...user,
    ...privileges,
    userUuid: userUuidOf(user.userName),
    primaryEmail: `${user.userName}@demo.example`,
    primaryPhoneNumber: `+26090000000${index + 1}`,
    implementingPartnerId: partnerIds.get(partner)!,
    passwordHash: hashes.get(temporary)!,
    passwordTemporary: temporary,
    active: true,
    version: 1,
    createdAt: since,
    updatedAt: since,
  }));
  await insertRows(handle, { table: "appUser", rows });
}

async function insertFacilities(
  handle: Handle,
  facilities: DemoFacility[],
  since: string,
): Promise<{ partnerIds: Ids; provinceIds: Ids; districtIds: Ids }> {
  const { provinceIds, districtIds } = await insertPlaces(handle);
  const partnerIds = await insertNames(
    handle,
    "implementingPartner",
    partners.map(({ name }) => name),
  );
  await insertOutlines(handle, provinceIds, districtIds);
  await updatePartnerStates(handle, {
    partners: partners.map(({ name, active }) => ({ implementingPartnerId: partnerIds.get(name)!, active })),
  });
  const typeIds = await insertNames(handle, "connectivityType", connectivityTypes);
  const providerIds = await insertNames(handle, "connectivityProvider", connectivityProviders);
  const idIn = (ids: Ids, name: string | null) => (name === null ? null : ids.get(name)!);
  const rows = facilities.map(
    ({ province, district, partner, connectivityType, mobileProvider, serviceAreas: _areas, ...facility }) => ({
      ...facility,
      provinceId: provinceIds.get(province)!,
      districtId: districtIds.get(district)!,
      implementingPartnerId: idIn(partnerIds, partner),
      connectivityTypeId: idIn(typeIds, connectivityType),
      mobileProviderId: idIn(providerIds, mobileProvider),
      version: 1,
      createdAt: since,
      updatedAt: since,
    }),
  );
  await insertRows(handle, { table: "facility", rows });
  await insertRows(handle, { table: "facilityIdentifier", rows: createIdentifiers(facilities) });
  return { partnerIds, provinceIds, districtIds };
}

/** A draft of the nation's report of the last quarter: somebody has still to sign it. */
function createReport(today: string) {
  const { start } = namedPeriodOf({ relative: "LAST_QUARTER" }, today);
  return {
    ...{ year: fiscalYearOf(start), quarter: quarterOfMonth(Number(start.slice(5, 7))) },
    ...{ place: "National", partner: null },
    comment: "More of the assessed sites work than in the quarter before. Late data are followed up by the partners.",
    savedBy: userUuidOf("admin"),
  };
}

/** Stores sites that were merged into another one, and closed sites. */
async function insertFormer(
  handle: Handle,
  facilities: DemoFacility[],
  today: string,
  { provinceIds, districtIds }: { provinceIds: Ids; districtIds: Ids },
): Promise<void> {
  const placeOf = (district: string) => ({
    districtId: districtIds.get(district)!,
    provinceId: provinceIds.get(provinces.find(({ districts }) => districts.includes(district))!.name)!,
  });
  const merged = createMerges({ facilities, today, placeOf, userUuid: userUuidOf("admin") });
  await insertRows(handle, { table: "facilityMerge", rows: merged.map(({ merge }) => merge) });
  await insertRows(handle, { table: "facilityIdentifier", rows: merged.map(({ identifier }) => identifier) });
  await insertRows(handle, { table: "facility", rows: createClosed({ today, placeOf }) });
}

async function insertMachines(
  handle: Handle,
  machines: ReturnType<typeof createMachines>,
  since: string,
): Promise<void> {
  const rows = machines.users.map((user) => ({
    ...user,
    bio: null,
    active: true,
    version: 1,
    createdAt: since,
    updatedAt: since,
  }));
  await insertRows(handle, { table: "appUser", rows });
  await insertRows(handle, { table: "serviceAccount", rows: machines.serviceAccounts });
  await insertRows(handle, { table: "siteAccount", rows: machines.siteAccounts });
  await insertRows(handle, { table: "accessToken", rows: machines.tokens });
}

async function insertVisits(handle: Handle, visits: DemoVisit[], areaIds: Ids): Promise<void> {
  const second = {
    contactBName: null,
    contactBRole: null,
    contactBPrimaryPhone: null,
    contactBSecondaryPhone: null,
    contactBEmail: null,
  };
  const rows = visits.map(({ areas: _areas, author, ...visit }) => ({
    ...second,
    ...visit,
    userUuid: userUuidOf(author),
    version: 1,
    receivedAt: visit.assessedAt,
    updatedAt: visit.assessedAt,
  }));
  await insertRows(handle, { table: "assessment", rows });
  await insertRows(handle, {
    table: "serviceAreaAssessment",
    rows: visits.flatMap(({ assessmentUuid, areas }) =>
      areas.map(({ area, ...entry }) => ({ assessmentUuid, serviceAreaId: areaIds.get(area)!, ...entry })),
    ),
  });
}

/** Stores a shared field list: the sites of one district. */
async function insertFieldList(handle: Handle, facilities: DemoFacility[], since: string): Promise<void> {
  const fieldListUuid = uuidOf("field list", 7);
  const { district } = facilities[0]!;
  const list = { fieldListUuid, ownerUuid: userUuidOf("admin"), name: `First visits: ${district}`, shared: true };
  await insertRows(handle, { table: "fieldList", rows: [{ ...list, madeAt: since }] });
  await insertRows(handle, {
    table: "fieldListSite",
    rows: facilities
      .filter((facility) => facility.district === district)
      .map(({ facilityUuid }) => ({ fieldListUuid, facilityUuid })),
  });
}

/**
 * Loads the demonstration country into an empty database: real provinces and districts, everything else made up. It is
 * the same at each start, with dates relative to today. The files are written before the rows that refer to them. The
 * rows are written in one transaction.
 */
export async function loadDemo(database: Database, { today, dataDir, hashPassword }: DemoInput): Promise<void> {
  const since = moment(historyStart(today), 8, 0);
  const facilities = createFacilities(provinces);
  const visits = createVisits(facilities, today);
  const tdbs = createTdbs(facilities, today);
  const downloads = createDownloads(today);
  const [usual, temporary] = await Promise.all([
    hashPassword(password),
    hashPassword(temporaryPassword),
    writeFiles(
      dataDir,
      [...tdbs, ...downloads].map(({ file }) => file),
    ),
  ]);
  await database.transaction().execute(async (trx) => {
    const ids = await insertFacilities(trx, facilities, since);
    const { partnerIds } = ids;
    const areaIds = await insertNames(trx, "serviceArea", serviceAreas);
    await insertRows(trx, {
      table: "facilityServiceArea",
      rows: facilities.flatMap(({ facilityUuid, serviceAreas: areas }) =>
        areas.map((area) => ({ facilityUuid, serviceAreaId: areaIds.get(area)! })),
      ),
    });
    await insertRows(trx, { table: "smartcareVersion", rows: versions });
    await insertUsers(
      trx,
      partnerIds,
      since,
      new Map([
        [false, usual],
        [true, temporary],
      ]),
    );
    await insertFormer(trx, facilities, today, ids);
    await insertMachines(
      trx,
      createMachines({
        facilities,
        today,
        ownerUuid: userUuidOf("admin"),
        partnerIdOf: (name) => partnerIds.get(name)!,
        ministry,
      }),
      since,
    );
    await insertVisits(trx, visits, areaIds);
    const authored = <T extends { author: string }>({ author, ...row }: T) => ({
      ...row,
      userUuid: userUuidOf(author),
    });
    await insertRows(trx, { table: "tdb", rows: tdbs.map(({ tdb }) => authored(tdb)) });
    await insertRows(trx, { table: "tdbComputer", rows: tdbs.flatMap(({ computers }) => computers) });
    await insertRows(trx, { table: "download", rows: downloads.map(({ download }) => authored(download)) });
    const { rollout, reports } = createRollout({
      facilities,
      visits,
      tdbs,
      downloads,
      today,
      provinceIdOf: (name) => ids.provinceIds.get(name)!,
      userUuidOf,
    });
    await insertRows(trx, { table: "rollout", rows: [rollout] });
    await insertRows(trx, { table: "updateReport", rows: reports });
    await insertRows(trx, { table: "report", rows: [createReport(today)] });
    await insertFieldList(trx, facilities, since);
    await insertRows(trx, { table: "setting", rows: [{ name: "demonstration", value: "1" }] });
    await rebuildRollups(trx);
  });
}
