import type { PageInput } from "../../db/list/page.ts";
import type { LedgerOrder, LedgerSource } from "../../db/ledger/ledger.rules.ts";
import { rangeAbout } from "../calendar/range.rules.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder, type SchemaTypes } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { enumOf } from "../graphql/enums.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import type { TokenRow } from "../auth/token.ts";
import { AccessToken } from "../user/account.graphql.ts";
import { createLedgerFeed } from "./feed.ts";
import { newFeedRules } from "./feed.rules.ts";
import * as acts from "./ledger.ts";
import { type Direction, type LedgerFilterInput, ledgerFilterRules, type LedgerKind } from "./ledger.rules.ts";
import { ledgerReads } from "./ledgerReads.rules.ts";

/** The ledger: every change of facilities' states in a scope and a period. */

const forVisitors = "Needs viewAssessments.";
const LedgerKindEnum = enumOf<LedgerKind>("LedgerKind", "What changed at a facility.", {
  works: "Whether SmartCare works, as visits found.",
  power: "Whether primary or backup power works, as visits found.",
  backupPower: "Whether backup power works, as visits found.",
  version: "The library version, as visits found.",
  mode: "The deployment mode, as visits found.",
  silence: "Whether data is overdue: from the first day after it was due, until data is received.",
  partner: "The implementing partner.",
  registry: "The registry: added, closed, reopened, renamed, moved, merged, or parted again.",
  connectivity: "Whether it is connected to a network, and whether there is mobile coverage.",
  action: `Actions that were agreed, done or dropped. ${forVisitors}`,
  note: `Notes on entries of the work list. ${forVisitors}`,
  setAside: `Visits that were set aside or restored, and for who may see TDBs also these. ${forVisitors}`,
});
const DirectionEnum = enumOf<Direction>("LedgerDirection", "Whether a change is for the better.", {
  better: "It stands better than before.",
  worse: "It stands worse than before.",
  new: "Nothing was known before: a first answer, first data, a new facility.",
  neither: "Neither better nor worse.",
});
const SourceEnum = enumOf<LedgerSource>("LedgerSource", "Where a change was read.", {
  visit: "A visit.",
  tdb: "A TDB, or that none was received.",
  facility: "An act on the facility.",
  action: "An action.",
  worklist: "The work list.",
  import: "An import of facilities that is applied.",
});
const OrderEnum = enumOf<LedgerOrder>("LedgerOrder", "The order of the ledger.", {
  newest: "The newest change first.",
  site: "Facility by facility: the one with the newest change first, and its newest change first.",
});

const hidden = "For who may see assessments; null for others.";
const LedgerEntry = builder.objectRef<acts.LedgerEntry>("LedgerEntry").implement({
  description: "A change of a facility's state.",
  fields: (t) => ({
    id: t.id({ description: "Names the change.", resolve: ({ id }) => id }),
    facilityUuid: t.exposeString("facilityUuid", { description: "The facility." }),
    facility: t.field({
      type: Facility,
      description: "The facility.",
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    day: t.field({
      type: "Date",
      description: "The day of the visit, of the receipt or of the act.",
      resolve: ({ day }) => day,
    }),
    kind: t.expose("kind", { type: LedgerKindEnum, description: "What changed." }),
    event: t.exposeString("event", {
      description:
        "What happened within the kind: added, closed, reopened, renamed, moved, merged, parted; internet, mobile; agreed, done, dropped; setAside, restored; of a note the kind of the entry; else the kind itself.",
    }),
    from: t.exposeString("from", {
      nullable: true,
      description: "In words, such as yes, no, not recorded; null where nothing was before.",
    }),
    to: t.exposeString("to", { description: "In words." }),
    direction: t.expose("direction", { type: DirectionEnum, description: "Whether it is for the better." }),
    who: t.exposeString("who", {
      nullable: true,
      description: `The user name of who visited or did it. Of changes of a facility: for administrators. Of others: ${hidden}`,
    }),
    comment: t.exposeString("comment", { nullable: true, description: `What somebody wrote about it. ${hidden}` }),
    source: t.expose("source", { type: SourceEnum, description: "Where it was read." }),
    assessmentUuid: t.exposeString("assessmentUuid", { nullable: true, description: `The visit. ${hidden}` }),
  }),
});
const LedgerCount = builder.objectRef<acts.LedgerCount>("LedgerCount").implement({
  description: "How many changes of a kind and direction there are.",
  fields: (t) => ({
    kind: t.expose("kind", { type: LedgerKindEnum, description: "What changed." }),
    direction: t.expose("direction", { type: DirectionEnum, description: "Whether they are for the better." }),
    count: t.exposeInt("count", { description: "How many changes." }),
  }),
});

type ArgBuilder = PothosSchemaTypes.QueryFieldBuilder<SchemaTypes, unknown>["arg"];
const filterArgs = (arg: ArgBuilder) => ({
  provinceId: arg.int({ description: "Only of facilities of this province." }),
  districtId: arg.int({ description: "Only of facilities of this district." }),
  implementingPartnerId: arg.int({ description: "Only of facilities that this partner supports today." }),
  facilityUuid: arg.string({ description: "Only of this facility." }),
  start: arg({ type: "Date", description: "The first day; by default 29 days before the last one." }),
  end: arg({ type: "Date", description: "The last day; by default today." }),
  range: arg.string({ description: `${rangeAbout} Instead of start and end.` }),
  kinds: arg({
    type: [LedgerKindEnum],
    description: "Only these kinds. A kind that the caller may not see is refused; without kinds it is left out.",
  }),
  direction: arg({ type: DirectionEnum, description: "Only changes of this direction." }),
});

type Asked = Partial<LedgerFilterInput> & PageInput & { sort?: LedgerOrder | null | undefined };
function asked({ first, after, last, before, offset, sort, ...filter }: Asked) {
  return {
    ...parse(ledgerFilterRules, filter),
    sort: sort ?? "newest",
    page: parse(connectionRules, { first, after, last, before, offset }),
  };
}

builder.queryFields((t) => ({
  ledger: t.connection({
    type: LedgerEntry,
    nullable: true,
    extensions: { reads: ledgerReads },
    description:
      "Every change of facilities' states in a scope and a period, by default of the last 30 days, the newest first.",
    args: {
      ...filterArgs(t.arg),
      sort: t.arg({ type: OrderEnum, description: "By default the newest change first." }),
      offset: t.arg.int(),
    },
    resolve: (_, args, context, info) => readConnection(acts.listLedger, context, asked(args), info),
  }),
  ledgerCounts: t.field({
    type: [LedgerCount],
    nullable: true,
    extensions: { reads: ledgerReads },
    description: "How many changes the ledger has of each kind and direction that occurs.",
    args: filterArgs(t.arg),
    resolve: (_, args, context) => acts.countLedger(context, parse(ledgerFilterRules, args)),
  }),
}));

const CreateLedgerFeedInput = builder.inputType("CreateLedgerFeedInput", {
  description: "What the feed shows of the last 30 days, and its name.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The title of the feed, and the name of its access token." }),
    provinceId: t.int({ description: "Only of facilities of this province." }),
    districtId: t.int({ description: "Only of facilities of this district." }),
    implementingPartnerId: t.int({ description: "Only of facilities that this partner supports." }),
    kinds: t.field({ type: [LedgerKindEnum], description: "Only these kinds." }),
    direction: t.field({ type: DirectionEnum, description: "Only changes of this direction." }),
  }),
});
const CreateLedgerFeedPayload = builder
  .objectRef<{ token?: TokenRow; address?: string; errors: InputError[] }>("CreateLedgerFeedPayload")
  .implement({
    fields: (t) => ({
      accessToken: t.field({
        type: AccessToken,
        nullable: true,
        description: "The token that is the address's secret. Revoking it ends the feed.",
        resolve: ({ token }) => token,
      }),
      address: t.string({
        nullable: true,
        description: "The feed's address. Answered this once.",
        resolve: ({ address }) => address,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });

builder.mutationFields((t) => ({
  createLedgerFeed: t.field({
    type: CreateLedgerFeedPayload,
    description:
      "Makes an address at which the ledger of a scope is read as Atom, without signing in, with the rights that the caller has then. It ends with its access token, at the latest after 366 days.",
    args: { input: t.arg({ type: CreateLedgerFeedInput, required: true }) },
    resolve: (_, { input }, context) => withErrors(() => createLedgerFeed(context, parse(newFeedRules, input))),
  }),
}));
