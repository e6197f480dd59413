import { z } from "zod";

import { byField, siteColumnNames, siteKindNames } from "../../db/facility/facilityFields.rules.ts";
import { AssessmentBody } from "../assessment/assessment.rest.ts";
import { FacilityConnectivity, fieldBodies } from "../facility/facility.rest.ts";
import { idRule } from "../input/page.rules.ts";
import { linkNextOf } from "../rest/list.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { listLastVisits, readSiteList } from "./site.ts";
import { lastVisitQueryRules, siteScopeRules } from "./site.rules.ts";
import type { SiteList } from "./siteList.rules.ts";

/** Routes for working offline. */

const column = <Rule extends z.ZodType>(rule: Rule, description?: string) =>
  description ? z.array(rule).describe(description) : z.array(rule);
const bodies = fieldBodies(siteColumnNames);
/** Columns of plain fields. Degrees have 5 decimals. */
const columns = byField(siteColumnNames, (name) => column(bodies[name])) as {
  [Name in keyof typeof bodies]: z.ZodArray<(typeof bodies)[Name]>;
};
const SiteListBody = z
  .object({
    cursor: z
      .string()
      .describe("To be sent as `since` to /api/v1/changes: what comes after it is new to who has this list"),
    total: z.number().describe("How many sites: the length of each column"),
    provinces: z.array(z.object({ provinceId: z.number(), province: z.string() })),
    districts: z.array(z.object({ districtId: z.number(), district: z.string(), provinceId: z.number() })),
    implementingPartners: z.array(
      z.object({ implementingPartnerId: z.number(), implementingPartner: z.string(), active: z.boolean() }),
    ),
    serviceAreas: z.array(z.object({ serviceAreaId: z.number(), serviceArea: z.string() })),
    connectivityTypes: z.array(z.object({ id: z.number(), type: z.string() })),
    connectivityProviders: z.array(z.object({ id: z.number(), provider: z.string() })),
    kinds: z.array(z.object(fieldBodies(siteKindNames))),
    connectivities: z.array(FacilityConnectivity.omit({ facilityUuid: true })),
    serviceAreaSets: z.array(z.array(z.number())),
    facilityUuid: column(z.string()),
    facilityName: column(z.string()),
    districtId: column(z.number()),
    implementingPartnerId: column(z.number().nullable()),
    kind: column(z.number(), "Places in `kinds`, from 0"),
    connectivity: column(z.number(), "Places in `connectivities`"),
    serviceAreaSet: column(z.number(), "Places in `serviceAreaSets`"),
    ...columns,
  })
  .meta({ id: "SiteList" }) satisfies z.ZodType<SiteList>;

const tags = ["Working without network"];

export function siteRoutes(server: RestServer): void {
  server.get(
    "/site",
    {
      schema: {
        operationId: "getSiteList",
        summary: "All sites of a scope in a compact form",
        description:
          "Columns instead of rows: the same place in each column is the same facility, and what repeats is sent once beside them. " +
          "The whole country needs some 100 kB of a line (compressed). From its `cursor` on, /api/v1/changes with the kinds facility, facilitySettings and " +
          "facilityConnectivity shows what changed since; after a 410 there fetch the list again. What is the same has the same ETag.",
        tags,
        querystring: siteScopeRules,
        response: { 200: SiteListBody },
      },
    },
    (request) => readSiteList(request.context, request.query),
  );
  server.get(
    "/assessment/latest/district/:districtId",
    {
      ...needs("viewAssessments"),
      schema: {
        operationId: "listLatestAssessmentsOfDistrict",
        summary: "The latest assessment of each facility of a district, by the facility's name",
        description:
          "Facilities that were never visited are left out. Written to the audit as an export. Needs viewAssessments, editAssessments or administrator.",
        tags,
        params: z.strictObject({ districtId: idRule }),
        querystring: lastVisitQueryRules,
        response: { 200: z.array(AssessmentBody) },
      },
    },
    async (request, reply) => {
      const visits = await listLastVisits(request.context, {
        districtId: request.params.districtId,
        asOf: request.query.asOf,
      });
      return linkNextOf(request, reply, request.query, visits, ({ assessmentUuid }) => assessmentUuid);
    },
  );
}
