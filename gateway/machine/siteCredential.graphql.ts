import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";
import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import * as act from "./siteCredential.ts";
import { credentialFilterRules, type CredentialState, issueRules, revokeManyRules } from "./siteCredential.rules.ts";

/** Credentials of sites, for administrators. */

type Errors = { errors: InputError[] };

const SiteCredentialState = builder.enumType("SiteCredentialState", {
  description: "The state of a site's credential.",
  values: {
    unused: { description: "It was not used yet." },
    working: { description: "It works; as a filter, those not used yet and those that end soon too." },
    expiring: { description: "It works, and ends within 30 days." },
    expired: { description: "Its last day is over." },
    revoked: { description: "It was revoked." },
  } satisfies Record<CredentialState, { description: string }>,
});

const SiteCredential = builder.objectRef<act.SiteCredentialRow>("SiteCredential").implement({
  description: "With it a facility sends its own TDBs; it can do nothing else.",
  fields: (t) => ({
    uuid: t.exposeString("userUuid", { description: "Stays the same when the credential is renewed." }),
    facility: t.field({
      type: Facility,
      nullable: true,
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    state: t.field({ type: SiteCredentialState, description: "What has become of it.", resolve: ({ state }) => state }),
    issuedDate: t.field({
      type: "Date",
      description: "Day on which it was issued or renewed.",
      resolve: ({ issuedDate }) => issuedDate,
    }),
    expiryDate: t.field({
      type: "Date",
      description: "The last day on which it works.",
      resolve: ({ expiryDate }) => expiryDate,
    }),
    daysLeft: t.exposeInt("daysLeft", { description: "Days to its last one." }),
    renewed: t.exposeBoolean("renewed", {
      description: "Whether another one was made to replace it and was not used yet.",
    }),
    lastUsedDate: t.field({ type: "Date", nullable: true, resolve: ({ lastUsedDate }) => lastUsedDate }),
    lastUsedTime: t.exposeString("lastUsedTime", { nullable: true }),
    lastUsedAddress: t.exposeString("lastUsedAddress", {
      nullable: true,
      description: "The network address that it was last used from.",
    }),
  }),
});

builder.queryField("siteCredentials", (t) =>
  t.connection({
    type: SiteCredential,
    nullable: true,
    description: "Facilities that have a credential, by name. Needs administrator: null with an error otherwise.",
    args: {
      state: t.arg({ type: SiteCredentialState, description: "Only those in this state." }),
      search: t.arg.string({ description: "Part of the facility's name or code." }),
      provinceId: t.arg.int(),
      districtId: t.arg.int(),
      implementingPartnerId: t.arg.int(),
      offset: t.arg.int(),
    },
    resolve: (_, { state, search, provinceId, districtId, implementingPartnerId, ...page }, context, info) => {
      const filter = parse(credentialFilterRules, { state, search, provinceId, districtId, implementingPartnerId });
      return readConnection(act.listSiteCredentials, context, { ...filter, page: parse(connectionRules, page) }, info);
    },
  }),
);

const IssuedSiteCredential = builder.objectRef<act.Issued>("IssuedSiteCredential").implement({
  description: "A credential just issued.",
  fields: (t) => ({
    facilityUuid: t.exposeString("facilityUuid"),
    facilityName: t.exposeString("facilityName"),
    hmisCode: t.exposeString("hmisCode", { nullable: true }),
    secret: t.exposeString("secret", { description: "Answered this once." }),
    expiryDate: t.field({
      type: "Date",
      description: "The last day on which it works.",
      resolve: ({ expiryDate }) => expiryDate,
    }),
  }),
});

const IssueSiteCredentialsInput = builder.inputType("IssueSiteCredentialsInput", {
  fields: (t) => ({
    facilities: t.stringList({ required: true, description: "HMIS codes or uuids of facilities." }),
    expiryDate: t.field({
      type: "Date",
      required: true,
      description: "The last day on which they work, at most 366 days from today. A renewal gives as many days again.",
    }),
  }),
});
const RevokeSiteCredentialInput = builder.inputType("RevokeSiteCredentialInput", {
  fields: (t) => ({ uuid: t.string({ required: true }) }),
});

const RevokeSiteCredentialsInput = builder.inputType("RevokeSiteCredentialsInput", {
  fields: (t) => ({
    facilities: t.stringList({
      description: "HMIS codes or uuids of facilities; nothing else is given beside them, but `expected`.",
    }),
    state: t.field({ type: SiteCredentialState, description: "Only those in this state." }),
    search: t.string({ description: "Part of the facility's name or code." }),
    provinceId: t.int(),
    districtId: t.int(),
    implementingPartnerId: t.int(),
    expected: t.int({ description: "How many sites you expect. If the number is another one, nothing is revoked." }),
  }),
});

const IssueSiteCredentialsPayload = builder
  .objectRef<{ issued?: act.Issued[] } & Errors>("IssueSiteCredentialsPayload")
  .implement({
    fields: (t) => ({
      issued: t.field({
        type: [IssuedSiteCredential],
        description: "In the order asked for; none where anything is wrong.",
        resolve: ({ issued }) => issued ?? [],
      }),
      csv: t.string({
        nullable: true,
        description: "The same as the text of a CSV file.",
        resolve: ({ issued }) => (issued ? act.issuedCsv(issued) : null),
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const RevokeSiteCredentialPayload = builder
  .objectRef<{ credential?: act.SiteCredentialRow } & Errors>("RevokeSiteCredentialPayload")
  .implement({
    fields: (t) => ({
      siteCredential: t.field({ type: SiteCredential, nullable: true, resolve: ({ credential }) => credential }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });

const RevokeSiteCredentialsPayload = builder
  .objectRef<Partial<act.RevokedMany> & Errors>("RevokeSiteCredentialsPayload")
  .implement({
    fields: (t) => ({
      revoked: t.int({
        nullable: true,
        description: "Sites whose credentials have ended by this.",
        resolve: ({ revoked }) => revoked,
      }),
      unchanged: t.int({
        nullable: true,
        description: "Sites that had no credential to revoke.",
        resolve: ({ unchanged }) => unchanged,
      }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });

builder.mutationFields((t) => ({
  issueSiteCredentials: t.field({
    type: IssueSiteCredentialsPayload,
    description:
      "Issues a credential for each of these facilities, all or none. Needs administrator in a session: a token cannot create tokens.",
    args: { input: t.arg({ type: IssueSiteCredentialsInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({ issued: await act.issueSiteCredentials(context, parse(issueRules, input)) })),
  }),
  revokeSiteCredentials: t.field({
    type: RevokeSiteCredentialsPayload,
    description:
      "Permanently revokes the credentials of many sites, all or none: those of a list of facilities, or those that match a filter. Needs administrator.",
    args: { input: t.arg({ type: RevokeSiteCredentialsInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(() => act.revokeSiteCredentials(context, parse(revokeManyRules, input))),
  }),
  revokeSiteCredential: t.field({
    type: RevokeSiteCredentialPayload,
    description: "Permanently revokes a site's credentials, renewals too. Needs administrator.",
    args: { input: t.arg({ type: RevokeSiteCredentialInput, required: true }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({ credential: await act.revokeSiteCredential(context, input.uuid) })),
  }),
}));
