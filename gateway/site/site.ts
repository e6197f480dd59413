import * as db from "../../db/machine/site.ts";
import { requireRight, requireViewer, requireWithin } from "../access/access.ts";
import { type AssessmentState, loadAssessmentStates } from "../assessment/assessment.ts";
import { recordAudit } from "../audit/audit.ts";
import { readCursor } from "../change/change.ts";
import type { ChangeKind } from "../change/change.rules.ts";
import { knownDay } from "../calendar/asOf.ts";
import type { Context } from "../context.ts";
import {
  checkScope,
  listConnectivityProviders,
  listConnectivityTypes,
  listServiceAreas,
  readDistrict,
  readPartner,
  readProvince,
} from "../reference/reference.ts";
import { readFieldList } from "../fieldList/fieldList.ts";
import type { SiteScope } from "./site.rules.ts";
import { columnsOf, type Site, type SiteList } from "./siteList.rules.ts";

/** Acts that return the data that a device needs for working offline, shared by REST and GraphQL. */

const kinds: ChangeKind[] = ["facility", "facilitySettings", "facilityConnectivity"];

const siteOf = ({
  connectivityPresent,
  connectivityTypeId,
  connectivityDetails,
  mobileCoverage,
  mobileProviderId,
  ...site
}: db.SiteRow): Site => ({
  ...site,
  connectivity: {
    present: connectivityPresent,
    type: connectivityTypeId,
    details: connectivityDetails,
    mobileCoverage,
    mobileProvider: mobileProviderId,
  },
});

const different = (ids: readonly (number | null)[]): number[] => [...new Set(ids)].filter((id) => id !== null);

/**
 * All sites of a scope, as columns. A device keeps them up to date by the feed of changes from `cursor` on.
 *
 * @throws Problem UNAUTHENTICATED, FORBIDDEN or NOT_FOUND
 */
export async function readSiteList(context: Context, { fieldList, ...place }: SiteScope): Promise<SiteList> {
  requireViewer(context);
  await checkScope(context, place);
  if (fieldList != null) await readFieldList(context, fieldList);
  // Read before the sites, so that none of their changes is skipped.
  const cursor = await readCursor(context, kinds);
  const sites = (await db.listSites(context.db, { ...place, fieldList })).map(siteOf);
  const [serviceAreas, connectivityTypes, connectivityProviders, districts, partners] = await Promise.all([
    listServiceAreas(context),
    listConnectivityTypes(context),
    listConnectivityProviders(context),
    Promise.all(different(sites.map(({ districtId }) => districtId)).map((id) => readDistrict(context, id))),
    Promise.all(
      different(sites.map(({ implementingPartnerId }) => implementingPartnerId)).map((id) => readPartner(context, id)),
    ),
  ]);
  const provinces = await Promise.all(
    different(districts.map(({ provinceId }) => provinceId)).map((id) => readProvince(context, id)),
  );
  return {
    cursor,
    total: sites.length,
    provinces: provinces.map(({ provinceId, name }) => ({ provinceId, province: name })),
    districts: districts.map(({ districtId, name, provinceId }) => ({ districtId, district: name, provinceId })),
    implementingPartners: partners,
    serviceAreas,
    connectivityTypes,
    connectivityProviders,
    ...columnsOf(sites),
  };
}

/**
 * The latest assessment of each facility of a district, of all time or as at a day, by the facility's name; those never
 * visited are left out.
 *
 * @throws Problem UNAUTHENTICATED, FORBIDDEN or NOT_FOUND
 */
export async function listLastVisits(
  context: Context,
  { districtId, asOf }: { districtId: number; asOf?: string | null },
): Promise<AssessmentState[]> {
  requireRight(context, "viewAssessments", "somewhere");
  requireWithin(context, { ...(await readDistrict(context, districtId)), implementingPartnerId: null });
  await recordAudit(context, {
    action: "assessment.export",
    outcome: "done",
    details: { districtId, latest: true, ...(asOf == null ? {} : { asOf }) },
  });
  const assessmentUuids = await db.listLastVisitUuids(context.db, {
    districtId,
    asOf: asOf == null ? null : knownDay(context, asOf, "asOf"),
  });
  const visits = await loadAssessmentStates(context, assessmentUuids);
  return assessmentUuids.flatMap((uuid) => visits.get(uuid)?.state ?? []);
}
