import type { ObjectRef } from "@pothos/core";

import type { PageInput } from "../../db/list/page.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionsBelow, readConnection } from "../graphql/connection.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { District, ImplementingPartner, Province } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import { silentCountReads, silentCountsBelowReads, silentSiteReads } from "./silenceReads.rules.ts";
import * as silence from "./silence.ts";
import {
  irregularities,
  type IrregularityKind,
  irregularityKinds,
  siteFilterRules,
  type SiteLevel,
  type SiteOrder,
  siteCountRules,
  type SiteSet,
} from "./silence.rules.ts";
import { Tdb } from "./tdb.graphql.ts";

/** Silent sites: facilities that have sent no TDB for too long, or irregular ones. */

const recent = "Day of receipt of the last such TDB of the last 90 days, null without any.";
const right = "Needs uploadTdbs or administrator: null with an error otherwise.";
const seesTdbs = "Null for people who may not see TDBs.";

const TdbIrregularity = builder.enumType("TdbIrregularity", {
  description: "What is wrong with a TDB in the row of its facility's others.",
  values: Object.fromEntries(
    irregularityKinds.map((kind) => [
      kind,
      { value: kind, description: `${irregularities[kind].words}. ${irregularities[kind].meaning}` },
    ]),
  ) as Record<IrregularityKind, { value: IrregularityKind; description: string }>,
});

const SilentSiteSet = builder.enumType("SilentSiteSet", {
  description: "Which facilities a list of overdue sites shows.",
  values: {
    OVERDUE: {
      value: "overdue",
      description: "Those that should have sent a TDB by now, those that never did included.",
    },
    NEVER_SENT: { value: "neverSent", description: "Those that should send and never did." },
    IRREGULAR: { value: "irregular", description: "Those with an irregular TDB received in the last 90 days." },
    EXPECTED: { value: "expected", description: "All that should send." },
    ALL: { value: "all", description: "All facilities." },
  } satisfies Record<string, { value: SiteSet; description: string }>,
});

const SilentSiteOrder = builder.enumType("SilentSiteOrder", {
  description: "The order of a list of overdue sites.",
  values: {
    SILENCE_DESC: { value: "silence", description: "Overdue the longest first, never sent last." },
    FACILITY_ASC: { value: "facility", description: "By the facility's name." },
    PLACE_ASC: { value: "place", description: "By province, district and the facility's name." },
    SILENCE: {
      value: "silence",
      description: "Overdue the longest first, never sent last.",
      deprecationReason: "SILENCE_DESC is the same. Goes on 1 July 2027.",
    },
    FACILITY: {
      value: "facility",
      description: "By the facility's name.",
      deprecationReason: "FACILITY_ASC is the same. Goes on 1 July 2027.",
    },
    PLACE: {
      value: "place",
      description: "By province, district and the facility's name.",
      deprecationReason: "PLACE_ASC is the same. Goes on 1 July 2027.",
    },
  } satisfies Record<string, { value: SiteOrder; description?: string; deprecationReason?: string }>,
});

const SilentSiteLevel = builder.enumType("SilentSiteLevel", {
  description: "The units that overdue sites are counted by.",
  values: {
    PROVINCE: { value: "province", description: "A row for each province." },
    DISTRICT: { value: "district", description: "A row for each district." },
    IMPLEMENTING_PARTNER: {
      value: "ip",
      description: "A row for each partner, the last one for facilities without one.",
    },
  } satisfies Record<string, { value: SiteLevel; description: string }>,
});

const TdbSilence = builder.objectRef<silence.Site>("TdbSilence").implement({
  description: "How long a facility has sent no TDB, whether it should have, and what was irregular lately.",
  fields: (t) => ({
    facility: t.field({
      type: Facility,
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    lastTdbCreationDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day on which its latest TDB was made; null when it never sent one.",
      resolve: ({ lastTdbCreationDate }) => lastTdbCreationDate,
    }),
    lastTdbUploadDate: t.field({
      type: "Date",
      nullable: true,
      description: "Day of receipt of that TDB.",
      resolve: ({ lastTdbUploadDate }) => lastTdbUploadDate,
    }),
    daysSinceLastTdb: t.exposeInt("daysSinceLastTdb", {
      nullable: true,
      description: "Days from lastTdbCreationDate to today, or to asOf.",
    }),
    rhythmDays: t.exposeInt("rhythmDays", {
      description: "Days within which a TDB is expected (the setting TDB_RHYTHM_DAYS).",
    }),
    expected: t.exposeBoolean("expected", {
      description:
        "Whether it should send TDBs: the system is deployed by its latest assessment, or it sent one before.",
    }),
    overdue: t.exposeBoolean("overdue", {
      description: "Whether it should send and its last TDB is older than rhythmDays, or there is none.",
    }),
    irregular: t.exposeBoolean("irregular", {
      nullable: true,
      description: `Whether one of the three dates is there. ${seesTdbs}`,
    }),
    deltaWithoutBaseDate: t.field({
      type: "Date",
      nullable: true,
      description: `${recent} ${irregularities.deltaWithoutBase.meaning} ${seesTdbs}`,
      resolve: ({ deltaWithoutBaseDate }) => deltaWithoutBaseDate,
    }),
    creationBackDate: t.field({
      type: "Date",
      nullable: true,
      description: `${recent} ${irregularities.creationBack.meaning} ${seesTdbs}`,
      resolve: ({ creationBackDate }) => creationBackDate,
    }),
    clientsBackDate: t.field({
      type: "Date",
      nullable: true,
      description: `${recent} ${irregularities.clientsBack.meaning} ${seesTdbs}`,
      resolve: ({ clientsBackDate }) => clientsBackDate,
    }),
  }),
});

const SilentSiteCount = builder.objectRef<silence.SiteCount>("SilentSiteCount").implement({
  description: "Facilities of a province, district or partner, counted by whether they send their TDBs.",
  fields: (t) => ({
    hxId: t.exposeInt("hxId", { nullable: true, description: "The unit's id; null for facilities without a partner." }),
    name: t.exposeString("name"),
    facilities: t.exposeInt("facilities"),
    expected: t.exposeInt("expected", { description: "Facilities that should send TDBs." }),
    overdue: t.exposeInt("overdue", {
      description: "Of these, those whose last TDB is older than rhythmDays, and those that never sent one.",
    }),
    neverSent: t.exposeInt("neverSent", { description: "Of the overdue, those that never sent one." }),
    irregular: t.exposeInt("irregular", {
      nullable: true,
      description: `Facilities with an irregular TDB received in the last 90 days. ${seesTdbs}`,
    }),
    rhythmDays: t.exposeInt("rhythmDays", {
      description: "Days within which a TDB is expected (the setting TDB_RHYTHM_DAYS).",
    }),
  }),
});

type Asked = { show?: SiteSet | null; sort?: SiteOrder | null; search?: string | null; asOf?: string | null };

const asked = (scope: Scope, { show, sort, search, asOf, ...page }: Asked & PageInput) => ({
  ...parse(siteFilterRules, { ...scope, show: show ?? undefined, sort: sort ?? undefined, search, asOf }),
  page: parse(connectionRules, page),
});

const about = {
  list: "Facilities that have sent no TDB for too long, or irregular ones. IRREGULAR and asOf need uploadTdbs or administrator: null with an error otherwise.",
  counts: "The same as counts, by name. Of partners those that support facilities of the scope.",
};
const listArgs = {
  show: { type: SilentSiteSet, defaultValue: "overdue", description: "Which of them." },
  sort: { type: SilentSiteOrder, defaultValue: "silence", description: "In which order." },
} as const;
const asOf = {
  type: "Date",
  description: "As at the end of this day, by the TDBs and assessments up to and including it; without it now.",
} as const;
const countAsOf = { ...asOf, description: `${asOf.description} ${right}` };
const search = { description: "Part of the facility's name or code; case, accents and apostrophes do not count." };

builder.queryField("silentSites", (t) =>
  t.connection({
    type: TdbSilence,
    nullable: true,
    extensions: { reads: silentSiteReads },
    description: about.list,
    args: {
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int({ description: "Only facilities that this partner supports today." }),
      show: t.arg(listArgs.show),
      sort: t.arg(listArgs.sort),
      search: t.arg.string(search),
      asOf: t.arg(asOf),
      offset: t.arg.int(),
    },
    resolve: (_, { provinceId, districtId, implementingPartnerId, ...rest }, context, info) =>
      readConnection(silence.listSites, context, asked({ provinceId, districtId, implementingPartnerId }, rest), info),
  }),
);
builder.queryField("silentSiteCounts", (t) =>
  t.field({
    type: [SilentSiteCount],
    nullable: true,
    description: `Overdue sites counted by unit, for everyone. ${about.counts}`,
    args: {
      level: t.arg({ type: SilentSiteLevel, required: true, description: "Which units are counted." }),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int(),
      asOf: t.arg(countAsOf),
    },
    extensions: { reads: silentCountReads },
    resolve: (_, { level, ...args }, context) => {
      const { asOf: day, ...scope } = parse(siteCountRules, args);
      return silence.countSites(context, { level, scope, asOf: day });
    },
  }),
);

const sitesBelow = connectionsBelow(silence.listSites, (args: Parameters<typeof asked>[1]) => asked({}, args));

/** The edges from a place or partner to its silent sites. */
function silenceEdges<Row>(parent: ObjectRef<SchemaTypes, Row>, edge: keyof Scope, keyOf: (row: Row) => number): void {
  builder.objectField(parent, "silentSites", (t) =>
    t.connection({
      type: TdbSilence,
      nullable: true,
      description: about.list,
      args: {
        show: t.arg(listArgs.show),
        sort: t.arg(listArgs.sort),
        search: t.arg.string(search),
        asOf: t.arg(asOf),
        offset: t.arg.int(),
      },
      resolve: (row, args, context, info) => sitesBelow(context, { [edge]: keyOf(row) }, args, info),
    }),
  );
  builder.objectField(parent, "silentSiteCounts", (t) =>
    t.field({
      type: [SilentSiteCount],
      nullable: true,
      description: `Overdue sites counted by unit, for everyone. ${about.counts}`,
      args: {
        level: t.arg({ type: SilentSiteLevel, required: true, description: "Which units are counted." }),
        asOf: t.arg(countAsOf),
      },
      extensions: { reads: silentCountsBelowReads(edge) },
      resolve: (row, { level, asOf: day }, context) =>
        silence.countSitesBelow(
          context,
          { level, edge, asOf: parse(siteCountRules, { asOf: day }).asOf ?? null },
          keyOf(row),
        ),
    }),
  );
}
silenceEdges(Province, "provinceId", ({ provinceId }) => provinceId);
silenceEdges(District, "districtId", ({ districtId }) => districtId);
silenceEdges(ImplementingPartner, "implementingPartnerId", ({ implementingPartnerId }) => implementingPartnerId);

builder.objectField(Facility, "tdbSilence", (t) =>
  t.field({
    type: TdbSilence,
    nullable: true,
    description: "How long it has sent no TDB.",
    resolve: ({ facilityUuid }, _, context) => silence.readSite(context, facilityUuid),
  }),
);
builder.objectField(Tdb, "irregularities", (t) =>
  t.field({
    type: [TdbIrregularity],
    description: "What was found when it was received, or when one that was made before it was received late.",
    resolve: ({ uuid }, _, context) => silence.loadIrregularities(context, uuid),
  }),
);
