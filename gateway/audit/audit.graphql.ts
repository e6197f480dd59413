import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { sortEnum } from "../graphql/enums.ts";
import { connectionRules, uuidRule } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import * as audit from "./audit.ts";
import { type Actor, auditFilterRules } from "./audit.rules.ts";
import { auditParameters, type Outcome } from "./listFilter.rules.ts";

/** GraphQL fields of the audit log, for administrators. */

const AuditOutcome = builder.enumType("AuditOutcome", {
  description: "How something ended.",
  values: {
    done: { description: "It was done." },
    denied: { description: "The right for it was missing." },
    failed: { description: "It was tried and failed, as a sign-in with a wrong password." },
  } satisfies Record<Outcome, { description: string }>,
});

const AuditActor = builder.enumType("AuditActor", {
  description: "The kind of account with which something was done.",
  values: {
    person: { description: "A person, in a session of theirs." },
    token: { description: "A personal access token." },
    service: { description: "A service account." },
    site: { description: "A site, by its credential." },
  } satisfies Record<Actor, { description: string }>,
});

const texts = {
  userUuid: "Who did it.",
  userName: null,
  tokenUuid: "The access token through which it was done.",
  tokenName: null,
  address: "The network address of the caller.",
  login: "The login as it was typed, if no user has it.",
  facilityUuid: "The facility it was about.",
  facilityName: null,
  subjectType: "What it was about.",
  subjectId: null,
  subjectUserName: "The user name of whom it was about.",
  details: "Old and new values, as JSON text.",
} as const;

export const AuditEvent = builder.objectRef<audit.AuditRow>("AuditEvent").implement({
  description: "Something that was done, denied or failed.",
  fields: (t) => ({
    id: t.id({ resolve: ({ auditEventId }) => auditEventId }),
    occurredAt: t.exposeString("occurredAt", { description: "The instant, in UTC." }),
    date: t.field({ type: "Date", resolve: ({ date }) => date }),
    time: t.exposeString("time", { description: "HH:MM in the ministry's zone." }),
    action: t.exposeString("action", { description: "What was done, for example user.create." }),
    outcome: t.field({ type: AuditOutcome, description: "How it ended.", resolve: ({ outcome }) => outcome }),
    actor: t.field({
      type: AuditActor,
      nullable: true,
      description: "The kind of account with which it was done; null if nobody was signed in.",
      resolve: ({ actor }) => actor,
    }),
    ...Object.fromEntries(
      Object.entries(texts).map(([name, description]) => [
        name,
        t.exposeString(name as keyof typeof texts, { nullable: true, ...(description ? { description } : {}) }),
      ]),
    ),
  }),
});

const AuditSort = sortEnum("AuditSort", "An order of the audit; equal ones by time.", {
  when: ["WHEN", "time"],
  who: ["WHO", "user name, or the login as it was typed; events without either come first"],
  what: ["WHAT", "what was done, in the words of the screen"],
  outcome: ["OUTCOME", "how it ended"],
  about: ["ABOUT", "name of the facility or user it was about; events about neither come first"],
  address: ["ADDRESS", "network address of the caller; what has none first"],
});

builder.queryFields((t) => ({
  auditEvents: t.connection({
    type: AuditEvent,
    nullable: true,
    description: "The newest first unless sorted otherwise. Needs administrator: null with an error otherwise.",
    args: {
      who: t.arg.string({ description: auditParameters.who.about }),
      userUuid: t.arg.string({ description: "Done by this person." }),
      action: t.arg.string({ description: `${auditParameters.action.about} auditActions lists all.` }),
      outcome: t.arg({ type: AuditOutcome, description: auditParameters.outcome.about }),
      start: t.arg({ type: "Date", description: auditParameters.start.about }),
      end: t.arg({ type: "Date", description: auditParameters.end.about }),
      about: t.arg.string({ description: auditParameters.about.about }),
      sort: t.arg({ type: AuditSort, description: "WHEN_DESC unless given." }),
      oldestFirst: t.arg.boolean({
        description: "The first event first.",
        deprecationReason: "sort: WHEN_ASC is the same. Goes on 1 July 2027.",
      }),
      offset: t.arg.int(),
    },
    resolve: (_, { who, userUuid, action, outcome, start, end, about, sort, oldestFirst, ...page }, context, info) => {
      const filter = {
        ...parse(auditFilterRules, { who, action, outcome, start, end, about }),
        userUuid: parse(uuidRule.nullish(), userUuid, "userUuid"),
        sort: sort ?? (oldestFirst ? ("when" as const) : null),
      };
      return readConnection(audit.listAuditEvents, context, { ...filter, page: parse(connectionRules, page) }, info);
    },
  }),
  auditActions: t.field({
    type: ["String"],
    nullable: true,
    description: "Every kind of event that has been written down. Needs administrator: null with an error otherwise.",
    resolve: (_, __, context) => audit.listAuditActions(context),
  }),
}));
