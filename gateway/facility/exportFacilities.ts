import type { Page, PageInput } from "../../db/list/page.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { type FacilityRow, type FacilitySort, listFacilities, loadAreasOf, type ServiceAreaRow } from "./facility.ts";
import type { FacilityListQuery } from "./facilityQuery.rules.ts";
import { type Identifier, loadIdentifiersOf } from "./identifier.ts";
import { type FacilityState, readStates } from "./siteState.ts";

/** A facility with its service areas by name, its identifiers and its state. */
export type ExportedFacility = {
  facility: FacilityRow;
  serviceAreas: ServiceAreaRow[];
  identifiers: Identifier[];
  state: FacilityState;
};

/**
 * All facilities that match, in the order of their list (by default by name, or with a search text the best match
 * first). They are read while the caller consumes them. The export is written to the audit log.
 *
 * @throws Problem NOT_FOUND
 */
export async function exportFacilities(
  context: Context,
  filter: FacilityListQuery & { search?: string | null; sort?: FacilitySort | null },
): Promise<AsyncIterable<ExportedFacility>> {
  const read = (page: PageInput): Promise<Page<FacilityRow>> => listFacilities(context, { ...filter, page });
  const first = await read({ first: 1000 });
  await recordAudit(context, { action: "facility.export", outcome: "done", details: filter });
  return (async function* rows() {
    for (let page = first; ; page = await read({ first: 1000, after: page.cursorOf(page.rows.at(-1)!) })) {
      yield* await withBelongings(context, page.rows);
      if (!page.hasNextPage) return;
    }
  })();
}

async function withBelongings(context: Context, rows: readonly FacilityRow[]): Promise<ExportedFacility[]> {
  const facilityUuids = rows.map(({ facilityUuid }) => facilityUuid);
  const areas = await loadAreasOf(context, facilityUuids);
  const identifiers = await loadIdentifiersOf(context, facilityUuids);
  const states = await readStates(context, facilityUuids);
  return rows.map((facility) => ({
    facility,
    serviceAreas: areas.get(facility.facilityUuid) ?? [],
    identifiers: identifiers.get(facility.facilityUuid) ?? [],
    state: states.get(facility.facilityUuid)!,
  }));
}
