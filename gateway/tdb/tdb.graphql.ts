import type { ArgBuilder, ObjectRef } from "@pothos/core";

import type { Edge, PageInput, ParentKey } from "../../db/list/page.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { PresentMode } from "../facility/facilityFilter.graphql.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { connectionsBelow, readConnection } from "../graphql/connection.ts";
import { loadNode } from "../graphql/node.ts";
import { sortEnum } from "../graphql/enums.ts";
import { connectionRules } from "../input/page.rules.ts";
import { heldArgument, setAsideArgument } from "../input/setAside.rules.ts";
import { parse } from "../input/parse.ts";
import { countedReads } from "../reading/reads.rules.ts";
import { dateRangeRules } from "../calendar/period.rules.ts";
import { District, ImplementingPartner, Province } from "../reference/reference.graphql.ts";
import type { Scope } from "../reference/reference.ts";
import { User } from "../user/user.graphql.ts";
import { loadUser } from "../user/user.ts";
import { tdbParameters } from "./listFilter.rules.ts";
import * as tdb from "./tdb.ts";
import { type TdbFilter, tdbFilterRules } from "./tdb.rules.ts";

/** Transport databases: their records, never their content. */

export const Tdb = builder.objectRef<tdb.TdbRow>("Tdb");
builder.node(Tdb, {
  description: "A transport database: a facility's exported data, received as one file.",
  id: { resolve: ({ uuid }) => uuid },
  loadOne: loadNode((id, context) => tdb.loadTdb(context, id)),
  fields: (t) => ({
    uuid: t.exposeString("uuid"),
    facilityUuid: t.exposeString("facilityUuid"),
    facility: t.field({
      type: Facility,
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
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
    totalPatients: t.exposeInt("totalPatients", {
      description: "All clients of the facility when it was made, of a delta too: 0 to 20,000,000.",
    }),
    fileSize: t.exposeFloat("fileSize", { description: "Bytes." }),
    fileName: t.exposeString("fileName", { description: "Name under which it was sent." }),
    libraryVersion: t.exposeString("libraryVersion", {
      nullable: true,
      description: "Of SmartCare at the facility, by the file.",
    }),
    sha256: t.exposeString("sha256", { description: "SHA-256 of the file, in hexadecimal." }),
    contentRemoved: t.field({
      type: "Date",
      nullable: true,
      description: "Day on which the rules of retention removed the file's content; this record stays.",
      resolve: ({ contentRemoved }) => contentRemoved,
    }),
    receiptRemoved: t.field({
      type: "Date",
      nullable: true,
      description:
        "Day on which the rules of retention removed its receipt, and with it the name under which it was sent.",
      resolve: ({ receiptRemoved }) => receiptRemoved,
    }),
    reference: t.exposeInt("reference", { description: "Number of its receipt." }),
    user: t.field({
      type: User,
      nullable: true,
      description: "Who sent it; null except for oneself and the people one manages.",
      resolve: ({ userUuid }, _, context) => loadUser(context, userUuid),
    }),
    userFirstName: t.exposeString("userFirstName", { description: "First name of who sent it." }),
    userSurname: t.exposeString("userSurname", { description: "Surname of who sent it." }),
  }),
});

/** A type of this noun. The fields that list it are with the other dashboards. */
export const TdbHistoryFacilityRow = builder.objectRef<tdb.TdbHistoryFacility>("TdbHistoryFacilityRow").implement({
  description: "A facility's latest TDB of a range of days.",
  fields: (t) => ({
    facilityId: t.exposeString("facilityId", { description: "The facilityUuid." }),
    facility: t.field({ type: Facility, resolve: ({ facilityId }, _, context) => loadFacility(context, facilityId) }),
    districtName: t.exposeString("districtName"),
    facilityName: t.exposeString("facilityName"),
    dateUploaded: t.field({
      type: "Date",
      description: "Day of receipt.",
      resolve: ({ dateUploaded }) => dateUploaded,
    }),
    totalPatients: t.exposeInt("totalPatients", { description: "All clients of the facility when the TDB was made." }),
  }),
});

const about =
  "Newest first, by receipt, unless sorted otherwise. Needs uploadTdbs or administrator: null with an error otherwise.";
const days = {
  start: { type: "Date", description: "First day of receipt." },
  end: { type: "Date", description: "Last day of receipt, included." },
} as const;

const TdbSort = sortEnum("TdbSort", "An order of TDBs.", {
  uploaded: ["UPLOADED", "time of receipt"],
  created: ["CREATED", "time at which the facility made it"],
  size: ["SIZE", "size of the file"],
  facility: ["FACILITY", "the facility's name, then by receipt"],
});

/** The filters and orders of every list of TDBs. */
const narrowing = (arg: ArgBuilder<SchemaTypes>) => ({
  start: arg(days.start),
  end: arg(days.end),
  createdStart: arg({ type: "Date", description: "First day on which it was made." }),
  createdEnd: arg({ type: "Date", description: "Last day on which it was made, included." }),
  delta: arg.boolean({ description: "Only delta TDBs, or only whole ones." }),
  minSize: arg.float({ description: "Only files of so many bytes or more." }),
  maxSize: arg.float({ description: "Only files of so many bytes or fewer." }),
  libraryVersion: arg.string({ description: tdbParameters.libraryVersion.about }),
  sender: arg.string({ description: tdbParameters.sender.about }),
  setAside: arg.boolean(setAsideArgument),
  held: arg.boolean(heldArgument),
  overdue: arg.boolean({
    description:
      "true: only of facilities that should have sent their next TDB and did not; false: of those that should send, and are in time.",
  }),
  modes: arg({ type: [PresentMode], description: tdbParameters.modes.about }),
  sort: arg({ type: TdbSort, description: "UPLOADED_DESC unless given." }),
  oldestFirst: arg.boolean({
    description: "The first received first.",
    deprecationReason: "sort: UPLOADED_ASC is the same. Goes on 1 July 2027.",
  }),
  offset: arg.int(),
});

type Narrowing = Pick<
  TdbFilter,
  | "start"
  | "end"
  | "createdStart"
  | "createdEnd"
  | "delta"
  | "minSize"
  | "maxSize"
  | "libraryVersion"
  | "sender"
  | "setAside"
  | "held"
  | "overdue"
  | "modes"
> & {
  sort?: tdb.TdbSort | null;
  oldestFirst?: boolean | null;
};

function asked(scope: Scope & { facilityUuid?: string | null; userUuid?: string | null }, args: Narrowing & PageInput) {
  const { first, after, last, before, offset, sort, oldestFirst, ...narrow } = args;
  return {
    ...parse(tdbFilterRules, { ...scope, ...narrow }),
    sort: sort ?? (oldestFirst ? ("uploaded" as const) : null),
    page: parse(connectionRules, { first, after, last, before, offset }),
  };
}

builder.queryField("tdbs", (t) =>
  t.connection({
    type: Tdb,
    nullable: true,
    extensions: { reads: countedReads(({ tdbs, firstTdb }) => ({ rows: tdbs, first: firstTdb })) },
    description: about,
    args: {
      facilityUuid: t.arg.string(),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int({ description: "Only of facilities that this partner supports today." }),
      userUuid: t.arg.string({ description: "Only those that this person sent." }),
      ...narrowing(t.arg),
    },
    resolve: (_, { facilityUuid, provinceId, districtId, implementingPartnerId, userUuid, ...rest }, context, info) =>
      readConnection(
        tdb.listTdbs,
        context,
        asked({ facilityUuid, provinceId, districtId, implementingPartnerId, userUuid }, rest),
        info,
      ),
  }),
);

const tdbsBelow = connectionsBelow(tdb.listTdbs, (args: Narrowing & PageInput) => asked({}, args));

/** The edge from a facility, place, partner or person to their TDBs. */
const tdbsEdge = <Row>(parent: ObjectRef<SchemaTypes, Row>, keyOf: (row: Row) => Partial<Record<Edge, ParentKey>>) =>
  builder.objectField(parent, "tdbs", (t) =>
    t.connection({
      type: Tdb,
      nullable: true,
      description: about,
      args: narrowing(t.arg),
      resolve: (row, args, context, info) => tdbsBelow(context, keyOf(row), args, info),
    }),
  );

tdbsEdge(Facility, ({ facilityUuid }) => ({ facilityUuid }));
tdbsEdge(Province, ({ provinceId }) => ({ provinceId }));
tdbsEdge(District, ({ districtId }) => ({ districtId }));
tdbsEdge(ImplementingPartner, ({ implementingPartnerId }) => ({ implementingPartnerId }));
tdbsEdge(User, ({ userUuid }) => ({ userUuid }));

builder.queryField("tdbCount", (t) =>
  t.int({
    nullable: true,
    description: "TDBs received on these days, without those set aside or held. Needs uploadTdbs or administrator.",
    args: {
      start: t.arg({ ...days.start, required: true }),
      end: t.arg({ ...days.end, required: true }),
    },
    resolve: (_, args, context) => tdb.countTdbs(context, parse(dateRangeRules, args)),
  }),
);
