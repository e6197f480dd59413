import { v7 } from "uuid";
import { expect } from "vitest";

import type { Nodes, Person } from "./gateway.ts";

/**
 * Changes that only GraphQL offers, for the tests of several nouns. Words such as `functional` are written as REST and
 * the feed of changes write them.
 */

/** What a mutation did: the changed record, null if it was refused, and why it was refused. */
export type Done<Changed> = { changed: Changed; errors: { path: string; message: string }[] };

/**
 * Sends a mutation that calls its answer `done` and the record in it `changed`.
 *
 * @throws Error if it did not run: the query or its variables are wrong, or nobody is signed in
 */
export async function mutate<Changed>(person: Person, mutation: string, variables: object): Promise<Done<Changed>> {
  const { data, errors } = await person.graphql<{ done: Done<Changed> }>(mutation, variables);
  if (errors) throw new Error(errors.map(({ message }) => message).join("; "));
  return data.done;
}

/** The changed record. @throws Error if the change was refused */
export async function changedBy<Changed>(sent: Promise<Done<Changed>>): Promise<Changed> {
  const { changed, errors } = await sent;
  if (errors.length > 0) throw new Error(errors.map(({ path, message }) => `${path}: ${message}`).join("; "));
  return changed;
}

/** A refusal: of the field `path`, or of none, because of the caller's rights or of the record's state. */
export const refusedWith = (message: RegExp | string, path = "") => {
  const expected: unknown = typeof message === "string" ? message : expect.stringMatching(message);
  return { changed: null, errors: [{ path, message: expected }] };
};
export const notThere = /^There is no such /;

const upper = (word: string) => word.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
const lower = (word: string) => word.toLowerCase().replaceAll(/_\w/g, (end) => end[1]!.toUpperCase());
/** These fields of a record, which are enums of GraphQL, in REST's words. */
const inLowerCase = <Row extends Record<string, unknown>>(row: Row, names: string[]): Row => ({
  ...row,
  ...Object.fromEntries(names.map((name) => [name, lower(row[name] as string)])),
});
/** The same for what a mutation did. */
async function doneInLowerCase<Row extends Record<string, unknown>>(
  sent: Promise<Done<Row>>,
  ...names: string[]
): Promise<Done<Row>> {
  const { changed, errors } = await sent;
  return { changed: changed && inLowerCase(changed, names), errors };
}
const inUpperCase = (input: object, ...names: string[]) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      names.includes(name) && typeof value === "string" ? upper(value) : (value as unknown),
    ]),
  );

const errors = "errors { path message }";

type NewQuery = { name: string; query: string; variables?: object; shared?: boolean; description?: string };
const createQuery = `mutation ($input: CreateSavedQueryInput!) {
  done: createSavedQuery(input: $input) { changed: savedQuery { uuid path } ${errors} }
}`;
export const saveQuery = (person: Person, { variables, ...input }: NewQuery) =>
  mutate<{ uuid: string; path: string }>(person, createQuery, {
    input: { ...input, ...(variables ? { variables: JSON.stringify(variables) } : {}) },
  });
const removeQuery = `mutation ($id: ID!) {
  done: deleteSavedQuery(input: { id: $id }) { changed: savedQuery { name } ${errors} }
}`;
export const deleteQuery = (person: Person, uuid: string) =>
  mutate<{ name: string }>(person, removeQuery, { id: uuid });

const createView = `mutation ($input: CreateSavedViewInput!) {
  done: createSavedView(input: $input) { changed: savedView { uuid } ${errors} }
}`;
export const saveView = (person: Person, input: { name: string; address: string; shared?: boolean }) =>
  mutate<{ uuid: string }>(person, createView, { input });

type Target = {
  uuid: string;
  measure: string;
  year: number;
  percent: number;
  provinceId: number | null;
  districtId: number | null;
  implementingPartnerId: number | null;
  unit: string;
};
const target = "uuid measure year percent provinceId districtId implementingPartnerId unit";
const putTarget = `mutation ($input: SetTargetInput!) {
  done: setTarget(input: $input) { changed: target { ${target} } ${errors} }
}`;
export const setTarget = (person: Person, input: object) =>
  doneInLowerCase(mutate<Target>(person, putTarget, { input: inUpperCase(input, "measure") }), "measure");
const dropTarget = `mutation ($uuid: String!) {
  done: removeTarget(uuid: $uuid) { changed: target { ${target} } ${errors} }
}`;
export const removeTarget = (person: Person, uuid: string) =>
  doneInLowerCase(mutate<Target>(person, dropTarget, { uuid }), "measure");
/** All targets, the newest fiscal year first. */
export async function listTargets(person: Person): Promise<Target[]> {
  const { data } = await person.graphql<{ targets: Nodes<Target> }>(`{ targets(first: 100) { nodes { ${target} } } }`);
  return data.targets.nodes.map((row) => inLowerCase(row, ["measure"]));
}

export type Rollout = {
  uuid: string;
  version: string;
  channel: string;
  state: string;
  percentage: number;
  endedDate: string | null;
};
const rollout = `uuid version channel state provinceIds districtIds implementingPartnerIds facilities percentage startDay
  resumedDate endedDate createdDate`;
const enumsOfRollout = ["channel", "state"];
const newRollout = `mutation ($input: CreateRolloutInput!) {
  done: createRollout(input: $input) { changed: rollout { ${rollout} } ${errors} }
}`;
export const createRollout = (person: Person, input: object) =>
  doneInLowerCase(mutate<Rollout>(person, newRollout, { input: inUpperCase(input, "channel") }), ...enumsOfRollout);
const otherRollout = `mutation ($input: ChangeRolloutInput!) {
  done: changeRollout(input: $input) { changed: rollout { ${rollout} } ${errors} }
}`;
export const changeRollout = (person: Person, uuid: string, change: object) =>
  doneInLowerCase(
    mutate<Rollout>(person, otherRollout, { input: { uuid, ...inUpperCase(change, "state") } }),
    ...enumsOfRollout,
  );
/** All rollouts, the newest first. */
export async function listRollouts(person: Person): Promise<Rollout[]> {
  const { data } = await person.graphql<{ rollouts: Nodes<Rollout> }>(
    `{ rollouts(first: 100) { nodes { ${rollout} } } }`,
  );
  return data.rollouts.nodes.map((row) => inLowerCase(row, enumsOfRollout));
}

type NewNote = { kind: string; facilityUuid: string; comment: string; snoozedUntil?: string };
type NotedEntry = { comment: string; commentedBy: string; snoozed: boolean; snoozedUntil: string | null };
const newNote = `mutation ($input: NoteWorklistEntryInput!) {
  done: noteWorklistEntry(input: $input) { changed: entry { comment commentedBy snoozed snoozedUntil } ${errors} }
}`;
/** Notes something about an entry of the work list. */
export const noteEntry = (person: Person, input: NewNote) =>
  mutate<NotedEntry>(person, newNote, { input: inUpperCase(input, "kind") });

export type AgreedAction = { actionUuid: string; version: number };
const newAction = `mutation ($input: CreateActionInput!) {
  done: createAction(input: $input) { changed: action { actionUuid version } ${errors} }
}`;
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
/** Agrees an action at a facility, to be done within a week. */
export const agreeAction = (person: Person, input: { facilityUuid: string; text?: string; dueDay?: string }) =>
  mutate<AgreedAction>(person, newAction, {
    input: { actionUuid: v7(), text: "Replace the battery", responsible: "Ruth Kapwelo", dueDay: inAWeek(), ...input },
  });

/** Makes a feed of the whole ledger. Returns the secret of its address. */
export async function feedSecret(person: Person): Promise<string> {
  const { data } = await person.graphql<{ createLedgerFeed: { address: string } }>(
    `mutation { createLedgerFeed(input: { name: "Changes" }) { address } }`,
  );
  return data.createLedgerFeed.address.split("/").at(-1)!;
}
