import type { ArgBuilder, ObjectRef } from "@pothos/core";

import type { PageInput } from "../../db/page.ts";
import type { Context } from "../context.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionOf } from "../graphql/connection.ts";
import { loadNode } from "../graphql/node.ts";
import { connectionRules } from "../page.rules.ts";
import { parse } from "../parse.ts";
import { dateRangeRules } from "../period.rules.ts";
import { District, ImplementingPartner, Province } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import * as tdb from "./tdb.ts";
import { type TdbFilter, tdbFilterRules } from "./tdb.rules.ts";

/** Transport databases: their records, never their content. */

export const Tdb = builder.objectRef<tdb.TdbRow>("Tdb");
builder.node(Tdb, {
  description: "A transport database: a facility's exported data, received as one file.",
  id: { resolve: ({ uuid }) => uuid },
  loadOne: loadNode((id, context) => tdb.readTdb(context, id)),
  fields: (t) => ({
    uuid: t.exposeString("uuid"),
    facilityUuid: t.exposeString("facilityUuid"),
    facility: t.field({ type: Facility, resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid) }),
    district: t.field({
      type: District,
      resolve: ({ districtId, district: name, provinceId, province }) => ({ districtId, name, provinceId, province }),
    }),
    province: t.field({ type: Province, resolve: ({ provinceId, province: name }) => ({ provinceId, name }) }),
    implementingPartner: t.field({
      type: ImplementingPartner,
      nullable: true,
      description: "The partner that supports the facility today.",
      resolve: ({ implementingPartnerId, implementingPartner, implementingPartnerActive: active }) =>
        implementingPartnerId != null && implementingPartner
          ? { implementingPartnerId, implementingPartner, active: active ?? false }
          : null,
    }),
    uploadDate: t.field({ type: "Date", description: "Day of receipt.", resolve: ({ uploadDate }) => uploadDate }),
    uploadTime: t.exposeString("uploadTime", { description: "Time of receipt, HH:MM in the ministry's zone." }),
    deltaTdb: t.exposeBoolean("deltaTdb", { description: "Whether it holds only what changed since the one before." }),
    tdbCreationDate: t.field({
      type: "Date",
      description: "Day on which the facility made it.",
      resolve: ({ tdbCreationDate }) => tdbCreationDate,
    }),
    totalPatients: t.exposeInt("totalPatients", { description: "All clients of the facility when it was made, of a delta too." }),
    fileSize: t.exposeFloat("fileSize", { description: "Bytes." }),
    fileName: t.exposeString("fileName", { description: "Name under which it was sent." }),
    sha256: t.exposeString("sha256", { description: "SHA-256 of the file, in hexadecimal." }),
    reference: t.exposeInt("reference", { description: "Number of its receipt." }),
    userFirstName: t.exposeString("userFirstName", { description: "First name of who sent it." }),
    userSurname: t.exposeString("userSurname", { description: "Surname of who sent it." }),
  }),
});

/** Defined with its noun; the fields that list it stand with the other dashboards. */
export const TdbHistoryFacilityRow = builder.objectRef<tdb.TdbHistoryFacility>("TdbHistoryFacilityRow").implement({
  description: "A facility's latest TDB of a range of days.",
  fields: (t) => ({
    facilityId: t.exposeString("facilityId", { description: "The facilityUuid." }),
    districtName: t.exposeString("districtName"),
    facilityName: t.exposeString("facilityName"),
    dateUploaded: t.field({ type: "Date", description: "Day of receipt.", resolve: ({ dateUploaded }) => dateUploaded }),
    totalPatients: t.exposeInt("totalPatients", { description: "All clients of the facility when the TDB was made." }),
  }),
});

const about = "Newest first, by receipt, unless sorted otherwise. Needs uploadTdbs or administrator: null with an error otherwise.";
const days = {
  start: { type: "Date", description: "First day of receipt." },
  end: { type: "Date", description: "Last day of receipt, included." },
} as const;

const TdbSort = builder.enumType("TdbSort", {
  values: {
    NEWEST: { value: "newest", description: "The last received first." },
    OLDEST: { value: "oldest", description: "The first received first." },
    CREATED_NEWEST: { value: "createdNewest", description: "Those that their facilities made last first." },
    CREATED_OLDEST: { value: "createdOldest", description: "Those that their facilities made first first." },
    LARGEST: { value: "largest", description: "The largest file first." },
    SMALLEST: { value: "smallest", description: "The smallest file first." },
    FACILITY: { value: "facility", description: "By the facility's name, then by receipt." },
    FACILITY_DESCENDING: { value: "facilityDescending", description: "By the facility's name from Z to A, then the last received first." },
  } as const,
});

/** What every list of TDBs can be narrowed and sorted by. */
const narrowing = (arg: ArgBuilder<SchemaTypes>) => ({
  start: arg(days.start),
  end: arg(days.end),
  createdStart: arg({ type: "Date", description: "First day on which it was made." }),
  createdEnd: arg({ type: "Date", description: "Last day on which it was made, included." }),
  delta: arg.boolean({ description: "Only delta TDBs, or only whole ones." }),
  minSize: arg.float({ description: "Only files of so many bytes or more." }),
  maxSize: arg.float({ description: "Only files of so many bytes or fewer." }),
  sort: arg({ type: TdbSort, description: "NEWEST unless given." }),
  oldestFirst: arg.boolean({ description: "The first received first: the same as sort: OLDEST." }),
  offset: arg.int(),
});

type Narrowing = Pick<TdbFilter, "start" | "end" | "createdStart" | "createdEnd" | "delta" | "minSize" | "maxSize"> & {
  sort?: tdb.TdbSort | null;
  oldestFirst?: boolean | null;
};

async function tdbsOf(
  context: Context,
  scope: Scope & { facilityUuid?: string | null; userUuid?: string | null },
  args: Narrowing & PageInput,
) {
  const { first, after, last, before, offset, sort, oldestFirst, ...narrow } = args;
  const filter = parse(tdbFilterRules, { ...scope, ...narrow });
  const page = parse(connectionRules, { first, after, last, before, offset });
  return connectionOf(await tdb.listTdbs(context, { ...filter, sort: sort ?? (oldestFirst ? "oldest" : "newest"), page }));
}

builder.queryField("tdbs", (t) =>
  t.connection({
    type: Tdb,
    nullable: true,
    description: about,
    args: {
      facilityUuid: t.arg.string(),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int({ description: "Only of facilities that this partner supports today." }),
      userUuid: t.arg.string({ description: "Only those that this person sent." }),
      ...narrowing(t.arg),
    },
    resolve: (_, { facilityUuid, provinceId, districtId, implementingPartnerId, userUuid, ...rest }, context) =>
      tdbsOf(context, { facilityUuid, provinceId, districtId, implementingPartnerId, userUuid }, rest),
  }),
);

/** The edge from a facility, place or partner to its TDBs. */
const tdbsEdge = <Row>(parent: ObjectRef<SchemaTypes, Row>, scopeOf: (row: Row) => Scope & { facilityUuid?: string }) =>
  builder.objectField(parent, "tdbs", (t) =>
    t.connection({
      type: Tdb,
      nullable: true,
      description: about,
      args: narrowing(t.arg),
      resolve: (row, args, context) => tdbsOf(context, scopeOf(row), args),
    }),
  );

tdbsEdge(Facility, ({ facilityUuid }) => ({ facilityUuid }));
tdbsEdge(Province, ({ provinceId }) => ({ provinceId }));
tdbsEdge(District, ({ districtId }) => ({ districtId }));
tdbsEdge(ImplementingPartner, ({ implementingPartnerId }) => ({ implementingPartnerId }));

builder.queryField("tdbCount", (t) =>
  t.int({
    nullable: true,
    description: "TDBs received on these days. Needs uploadTdbs or administrator.",
    args: {
      start: t.arg({ ...days.start, required: true }),
      end: t.arg({ ...days.end, required: true }),
    },
    resolve: (_, args, context) => tdb.countTdbs(context, parse(dateRangeRules, args)),
  }),
);
