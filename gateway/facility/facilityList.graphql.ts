import type { ObjectRef } from "@pothos/core";

import type { Edge, PageInput, ParentKey } from "../../db/list/page.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionsBelow, readConnection } from "../graphql/connection.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { District, ImplementingPartner, Province, ServiceArea } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import { Facility, FunctionalityStatusMode } from "./facility.graphql.ts";
import { facilityFilterRules, type Mode, searchTextRule } from "./facility.rules.ts";
import { facilitiesBelowReads, facilityListReads } from "./facilityReads.rules.ts";
import { filterArg, modePeriodTexts as texts, sortArg } from "./facilityFilter.graphql.ts";
import { facilityMatchArgument } from "./facilityFilter.rules.ts";
import * as facility from "./facility.ts";

/** Lists of facilities: of the country, and below a place, a partner or a service area. */

type Filters = {
  search?: string | null;
  mode?: Mode | null;
  year?: number | null;
  quarter?: number | null;
  month?: number | null;
  asOf?: string | null;
  filter?: unknown;
  sort?: facility.FacilitySort | null;
};

/** The input of the act for the arguments of a list of facilities. */
const asked = (
  scope: Scope,
  { search, mode, year, quarter, month, asOf, filter, sort, ...page }: Filters & PageInput,
) => ({
  ...parse(facilityFilterRules, { ...scope, mode, year, quarter, month, asOf }),
  match: filter == null ? null : (parse(facilityMatchArgument, { filter }).filter ?? null),
  search: search == null ? null : parse(searchTextRule, search, "search"),
  sort,
  page: parse(connectionRules, page),
});

builder.queryField("facilities", (t) =>
  t.connection({
    type: Facility,
    extensions: { reads: facilityListReads },
    description:
      "Facilities by name, without the closed ones unless a filter asks for them; with search the best match first.",
    args: {
      search: t.arg.string({ description: texts.search }),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int(),
      mode: t.arg({ type: FunctionalityStatusMode, description: texts.mode }),
      year: t.arg.int({ description: texts.year }),
      quarter: t.arg.int({ description: texts.quarter }),
      month: t.arg.int({ description: texts.month }),
      asOf: t.arg({ type: "Date", description: texts.asOf }),
      filter: t.arg(filterArg),
      sort: t.arg(sortArg),
      offset: t.arg.int(),
    },
    resolve: (_, { provinceId, districtId, implementingPartnerId, ...rest }, context, info) =>
      readConnection(
        facility.listFacilities,
        context,
        asked({ provinceId, districtId, implementingPartnerId }, rest),
        info,
      ),
  }),
);

const facilitiesBelow = connectionsBelow(facility.listFacilities, (args: Filters & PageInput) => asked({}, args));

/** The edge from a place, partner or service area to its facilities. */
const facilitiesEdge = <Row>(
  parent: ObjectRef<SchemaTypes, Row>,
  about: string,
  edge: Edge,
  keyOf: (row: Row) => ParentKey,
) =>
  builder.objectField(parent, "facilities", (t) =>
    t.connection({
      type: Facility,
      extensions: { reads: facilitiesBelowReads(edge) },
      description: about,
      args: {
        search: t.arg.string({ description: texts.search }),
        mode: t.arg({ type: FunctionalityStatusMode, description: texts.mode }),
        year: t.arg.int({ description: texts.year }),
        quarter: t.arg.int({ description: texts.quarter }),
        month: t.arg.int({ description: texts.month }),
        asOf: t.arg({ type: "Date", description: texts.asOf }),
        filter: t.arg(filterArg),
        sort: t.arg(sortArg),
        offset: t.arg.int(),
      },
      resolve: (row, args, context, info) => facilitiesBelow(context, { [edge]: keyOf(row) }, args, info),
    }),
  );

facilitiesEdge(Province, "Its facilities by name.", "provinceId", ({ provinceId }) => provinceId);
facilitiesEdge(District, "Its facilities by name.", "districtId", ({ districtId }) => districtId);
facilitiesEdge(
  ImplementingPartner,
  "Facilities that it supports today, by name.",
  "implementingPartnerId",
  ({ implementingPartnerId }) => implementingPartnerId,
);
facilitiesEdge(
  ServiceArea,
  "Facilities where it is active, by name.",
  "serviceAreaId",
  ({ serviceAreaId }) => serviceAreaId,
);
