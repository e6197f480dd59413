import type { Handle } from "./connect.ts";
import { dayOf, type Days, onDays, timeOf } from "./day.ts";
import { instant, type Order, type Page, type PageInput, readPage } from "./page.ts";
import { inScope, type Scope } from "./scope.ts";

/** A TDB's record with the names of its facility, places and partner of today, and of who sent it. */
const tdbs = (handle: Handle) =>
  handle
    .selectFrom("tdb")
    .innerJoin("facility", "facility.facilityUuid", "tdb.facilityUuid")
    .innerJoin("district", "district.districtId", "facility.districtId")
    .innerJoin("province", "province.provinceId", "facility.provinceId")
    .innerJoin("appUser", "appUser.userUuid", "tdb.userUuid")
    .leftJoin("implementingPartner", "implementingPartner.implementingPartnerId", "facility.implementingPartnerId")
    .select([
      "tdb.tdbUuid as uuid",
      "tdb.facilityUuid",
      "facility.facilityName as facility",
      "facility.districtId",
      "district.name as district",
      "facility.provinceId",
      "province.name as province",
      "facility.implementingPartnerId",
      "implementingPartner.name as implementingPartner",
      "implementingPartner.active as implementingPartnerActive",
      dayOf("tdb.uploadedAt").as("uploadDate"),
      timeOf("tdb.uploadedAt").as("uploadTime"),
      "tdb.delta as deltaTdb",
      dayOf("tdb.tdbCreatedAt").as("tdbCreationDate"),
      "tdb.totalPatients",
      "tdb.fileSize",
      "appUser.firstName as userFirstName",
      "appUser.surname as userSurname",
      instant("tdb.uploadedAt").as("receivedAt"),
    ]);

export type TdbRow = Awaited<ReturnType<ReturnType<typeof tdbs>["executeTakeFirstOrThrow"]>>;

const byReceipt: Order = {
  columns: [
    { key: "receivedAt", column: "tdb.uploadedAt", type: "timestamptz" },
    { key: "uuid", column: "tdb.tdbUuid", type: "uuid" },
  ],
  descending: true,
};

export function findTdb(handle: Handle, { uuid }: { uuid: string }): Promise<TdbRow | undefined> {
  return tdbs(handle).where("tdb.tdbUuid", "=", uuid).executeTakeFirst();
}

/** TDBs of a facility or a scope, received on these days, the latest received first. */
export function listTdbs(
  handle: Handle,
  { facilityUuid, page, ...filter }: Scope & Days & { facilityUuid?: string | null; page: PageInput },
): Promise<Page<TdbRow>> {
  let query = tdbs(handle).where(inScope(filter)).where(onDays("tdb.uploadedAt", filter));
  if (facilityUuid != null) query = query.where("tdb.facilityUuid", "=", facilityUuid);
  return readPage(query, byReceipt, page);
}

export type TdbHistoryFacility = {
  facilityId: string;
  districtName: string;
  facilityName: string;
  dateUploaded: string;
  totalPatients: number;
};

/** The latest TDB received on these days from each facility of the scope, by district and facility name. */
export function listTdbHistoryFacilities(
  handle: Handle,
  { days, scope, page }: { days: Required<Days>; scope: Scope; page: PageInput },
): Promise<Page<TdbHistoryFacility>> {
  const latest = handle
    .selectFrom("tdb")
    .innerJoin("facility", "facility.facilityUuid", "tdb.facilityUuid")
    .innerJoin("district", "district.districtId", "facility.districtId")
    .where(onDays("tdb.uploadedAt", days))
    .where(inScope(scope))
    .distinctOn("tdb.facilityUuid")
    .orderBy("tdb.facilityUuid")
    .orderBy("tdb.tdbCreatedAt", "desc")
    .orderBy("tdb.uploadedAt", "desc")
    .orderBy("tdb.tdbUuid", "desc")
    .select([
      "tdb.facilityUuid as facilityId",
      "district.name as districtName",
      "facility.facilityName",
      dayOf("tdb.uploadedAt").as("dateUploaded"),
      "tdb.totalPatients",
    ]);
  const order: Order = {
    columns: [
      { key: "districtName", column: "latest.districtName", type: "text" },
      { key: "facilityName", column: "latest.facilityName", type: "text" },
      { key: "facilityId", column: "latest.facilityId", type: "text" },
    ],
  };
  return readPage(handle.selectFrom(latest.as("latest")).selectAll(), order, page);
}
