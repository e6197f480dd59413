import type { AssessmentRow } from "../../db/assessment/assessment.ts";
import type { ChangeRow, FeedPosition } from "../../db/change/change.ts";
import { listDepartures } from "../../db/audit/audit.ts";
import * as db from "../../db/change/change.ts";
import { type Action, loadActions } from "../action/action.ts";
import { mayEverywhere, requireRight, requireViewer } from "../access/access.ts";
import type { Capability } from "../access/access.rules.ts";
import { type AssessmentState, loadAssessmentStates } from "../assessment/assessment.ts";
import type { Context } from "../context.ts";
import {
  type FacilityRow,
  type FacilitySettings,
  loadAreasOf,
  loadFacilities,
  settingsOf,
} from "../facility/facility.ts";
import { type Identifier, loadIdentifiersOf } from "../facility/identifier.ts";
import { invalid, Problem } from "../problem.ts";
import { readPrimary } from "../reading/reading.ts";
import {
  type DistrictRow,
  type PartnerRow,
  type ProvinceRow,
  readDistrict,
  readPartner,
  readProvince,
} from "../reference/reference.ts";
import { type DownloadRow, loadDownload } from "../download/download.ts";
import { loadRollouts, type Rollout } from "../fleet/rollout.ts";
import { loadTargets, type Target } from "../target/target.ts";
import { loadUser, type UserRow } from "../user/user.ts";
import { loadTdbs, type TdbRow } from "../tdb/tdb.ts";
import { type ChangeKind, changeKinds, cursorRules, usualKinds } from "./change.rules.ts";
import { newsOf } from "./news.ts";

/**
 * The feed of changes, shared by REST and GraphQL. A client that always asks with the cursor of the last answer gets a
 * complete copy of the data. A change appears only when no transaction that began before it is still open, so none is
 * skipped.
 */

/** The present record of a change, by its kind. */
export type ChangedRecord =
  | { kind: "facility"; facility: FacilityRow; identifiers: Identifier[] }
  | { kind: "facilityConnectivity"; facility: FacilityRow }
  | { kind: "facilitySettings"; facility: FacilityRow; settings: FacilitySettings }
  | { kind: "assessment"; assessment: AssessmentRow; state: AssessmentState }
  | { kind: "tdb"; tdb: TdbRow }
  | { kind: "province"; province: ProvinceRow }
  | { kind: "district"; district: DistrictRow }
  | { kind: "implementingPartner"; partner: PartnerRow }
  | { kind: "user"; user: UserRow }
  | { kind: "download"; download: DownloadRow }
  | { kind: "target"; target: Target }
  | { kind: "release"; download: DownloadRow }
  | { kind: "rollout"; rollout: Rollout }
  | { kind: "action"; action: Action };
export type Change = Pick<ChangeRow, "kind" | "key" | "action" | "changedAt"> & { record: ChangedRecord | null };
export type Changes = { kinds: ChangeKind[]; changes: Change[]; cursor: string; hasMore: boolean };

const rightOf: Partial<Record<ChangeKind, Capability>> = {
  assessment: "viewAssessments",
  action: "viewAssessments",
  tdb: "viewTdbs",
  user: "manageUsers",
  download: "accessDownloads",
  release: "accessDownloads",
  rollout: "viewFleet",
};

const restart =
  "Begin again without `since`: everything is sent again. Whatever you hold and do not get again no longer exists.";
const badCursor = () => invalid([{ path: "since", message: `is not a cursor of this feed. ${restart}` }]);
const goneCursor = () =>
  new Problem(
    "GONE",
    `This cursor is from another database, or from before a backup of this one was restored. ${restart}`,
  );

const beginning: FeedPosition = { transaction: "0", sequence: "0" };
type Cursor = { name: string; at: FeedPosition; known: string | null; kinds: ChangeKind[] };

const encode = ({ name, at, known, kinds }: Cursor): string =>
  Buffer.from(JSON.stringify([name, at.transaction, at.sequence, known, kinds])).toString("base64url");

function decode(cursor: string): Cursor {
  try {
    const [name, transaction, sequence, known, kinds] = cursorRules.parse(
      JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")),
    );
    const decoded = { name, at: { transaction, sequence }, known, kinds };
    if (encode(decoded) === cursor) return decoded;
  } catch {
    // All malformed cursors get the same answer.
  }
  throw badCursor();
}

/**
 * The kinds to return: those asked for, else those of the cursor, else `usualKinds`; without kinds that the caller may
 * not read.
 *
 * @throws Problem UNAUTHENTICATED, FORBIDDEN (a kind asked for), or INVALID (a kind that the cursor does not have)
 */
function kindsFor(context: Context, asked: readonly ChangeKind[] | null, since: Cursor | null): ChangeKind[] {
  requireViewer(context);
  for (const kind of asked ?? []) if (rightOf[kind]) requireRight(context, rightOf[kind]);
  const unknown = since ? (asked ?? []).filter((kind) => !since.kinds.includes(kind)) : [];
  if (unknown.length > 0)
    throw invalid([
      {
        path: "kinds",
        message: `this cursor is not one of ${unknown.join(", ")}: use a separate cursor for each selection of kinds, and begin each without since`,
      },
    ]);
  const readable = (kind: ChangeKind) => !rightOf[kind] || mayEverywhere(context, rightOf[kind]);
  const wanted: readonly ChangeKind[] = asked ?? since?.kinds ?? usualKinds;
  return changeKinds.filter((kind) => wanted.includes(kind) && readable(kind));
}

/** The rows of these keys, in the order of the keys; null for a key without a row. */
async function thereOf<Row>(
  keys: readonly string[],
  load: (key: string) => Promise<Row | null>,
): Promise<ReadonlyMap<string, Row | null>> {
  const gone = (error: unknown) => {
    if (error instanceof Problem && error.code === "NOT_FOUND") return null;
    throw error;
  };
  return new Map(await Promise.all(keys.map(async (key) => [key, await load(key).catch(gone)] as const)));
}

/** Makes a function that finds the record of a key in rows that were read. */
const finding =
  <Row>(rows: ReadonlyMap<string, Row | null>, record: (row: Row, key: string) => ChangedRecord | null) =>
  (key: string): ChangedRecord | null => {
    const row = rows.get(key);
    return row ? record(row, key) : null;
  };

/** The present records behind changes: one read for each kind among them. */
async function recordsOf(
  context: Context,
  rows: readonly ChangeRow[],
): Promise<(row: ChangeRow) => ChangedRecord | null> {
  const keysOf = (...kinds: ChangeKind[]) => [
    ...new Set(rows.filter(({ kind, action }) => kinds.includes(kind) && action !== "withdrawn").map(({ key }) => key)),
  ];
  const [
    facilities,
    identifiers,
    areas,
    assessments,
    tdbs,
    provinces,
    districts,
    partners,
    users,
    downloads,
    targets,
    rollouts,
    actions,
  ] = await Promise.all([
    loadFacilities(context, keysOf("facility", "facilitySettings", "facilityConnectivity")),
    loadIdentifiersOf(context, keysOf("facility")),
    loadAreasOf(context, keysOf("facilitySettings")),
    loadAssessmentStates(context, keysOf("assessment")),
    loadTdbs(context, keysOf("tdb")),
    thereOf(keysOf("province"), (key) => readProvince(context, Number(key))),
    thereOf(keysOf("district"), (key) => readDistrict(context, Number(key))),
    thereOf(keysOf("implementingPartner"), (key) => readPartner(context, Number(key))),
    thereOf(keysOf("user"), (key) => loadUser(context, key)),
    thereOf(keysOf("download", "release"), (key) => loadDownload(context, key)),
    loadTargets(context, keysOf("target")),
    loadRollouts(context, keysOf("rollout")),
    loadActions(context, keysOf("action")),
  ]);
  const find: Record<ChangeKind, (key: string) => ChangedRecord | null> = {
    facility: finding(facilities, (facility, key) => ({
      kind: "facility",
      facility,
      identifiers: identifiers.get(key) ?? [],
    })),
    facilitySettings: finding(facilities, (facility, key) => ({
      kind: "facilitySettings",
      facility,
      settings: settingsOf(facility, areas.get(key) ?? []),
    })),
    facilityConnectivity: finding(facilities, (facility) => ({ kind: "facilityConnectivity", facility })),
    assessment: finding(assessments, (found) => ({ kind: "assessment", ...found })),
    tdb: finding(tdbs, (tdb) => ({ kind: "tdb", tdb })),
    province: finding(provinces, (province) => ({ kind: "province", province })),
    district: finding(districts, (district) => ({ kind: "district", district })),
    implementingPartner: finding(partners, (partner) => ({ kind: "implementingPartner", partner })),
    // Service accounts and sites are users too, but not people.
    user: finding(users, (user) => (user.kind === "person" ? { kind: "user", user } : null)),
    download: finding(downloads, (download) => ({ kind: "download", download })),
    target: finding(targets, (target) => ({ kind: "target", target })),
    release: finding(downloads, (download) => ({ kind: "release", download })),
    rollout: finding(rollouts, (rollout) => ({ kind: "rollout", rollout })),
    action: finding(actions, (action) => ({ kind: "action", action })),
  };
  return ({ kind, key, action }) => (action === "withdrawn" ? null : find[kind](key));
}

/**
 * A cursor for the present. Records of these kinds that are read after this call, and the changes after the cursor,
 * together are complete. The cursor stays the same as long as none of them changes. A caller who may not read one of
 * the kinds is refused when they use the cursor.
 */
export async function readCursor(context: Context, kinds: readonly ChangeKind[]): Promise<string> {
  requireViewer(context);
  readPrimary(context);
  const name = await db.findFeedName(context.db);
  const at = (await db.findLastPosition(context.db, { kinds })) ?? beginning;
  return encode({ name, at, known: at.transaction, kinds: [...kinds] });
}

type Asked = { since?: string | null; limit: number; kinds?: readonly ChangeKind[] | null };

/**
 * As `listChanges`; but if there is no change, it waits up to `wait` seconds for one. A waiting call holds no
 * connection to the database (news.ts).
 *
 * @throws Problem as `listChanges`
 */
export async function awaitChanges(
  context: Context,
  { wait, ...asked }: Asked & { wait?: number | null },
): Promise<Changes> {
  const found = await listChanges(context, asked);
  if (!wait || found.changes.length > 0) return found;
  const news = newsOf(context.primary);
  await news.wait(found.kinds, decode(found.cursor).at, wait, context.isLeft ?? (() => false));
  // The caller has gone. If the gateway is stopping, the database may be closed by now.
  if (context.isLeft?.()) return found;
  return news.inTurn(async () => {
    await context.lookAgain?.();
    return listChanges(context, asked);
  });
}

/**
 * Leaves out the changes of people whom the caller does not manage. Who has left the caller's partner is withdrawn, at
 * the time of leaving: what happens to them later is not told.
 */
async function withoutOthersPeople(context: Context, changes: Change[]): Promise<Change[]> {
  const { privileges, implementingPartnerId } = requireViewer(context);
  const isHidden = ({ kind, record }: Change) => kind === "user" && record === null;
  const userUuids = changes.filter(isHidden).map(({ key }) => key);
  if (privileges.administrator || userUuids.length === 0) return changes;
  const departures = new Map(
    (await listDepartures(context.db, { userUuids, implementingPartnerId })).map((each) => [
      each.userUuid,
      each.leftAt,
    ]),
  );
  return changes.flatMap((change) => {
    const leftAt = departures.get(change.key);
    return !isHidden(change) ? [change] : leftAt === undefined ? [] : [{ ...change, changedAt: leftAt }];
  });
}

/**
 * What was created, changed or withdrawn after `since` (a cursor of an answer; without one: everything from the
 * beginning), in one order, each with its present record. A record may be newer than its change; its newer change comes
 * later.
 *
 * @throws Problem UNAUTHENTICATED, FORBIDDEN (a kind asked for), INVALID (no cursor of this feed) or GONE (a cursor of
 *   another database)
 */
async function listChanges(context: Context, { since, limit, kinds: asked }: Asked): Promise<Changes> {
  requireViewer(context);
  // A record must not be older than its change.
  readPrimary(context);
  const from = since == null ? null : decode(since);
  const kinds = kindsFor(context, asked ?? null, from);
  const name = await db.findFeedName(context.db);
  if (from && (from.name !== name || (await db.findIsAhead(context.db, from.at)))) throw goneCursor();
  const after = from?.at ?? beginning;
  const known = from?.known ?? null;
  const rows = await db.listChanges(context.db, { kinds, after, known, limit });
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const { transaction, sequence } = rows.at(-1) ?? after;
  const at = { transaction, sequence };
  const recordOf = await recordsOf(context, rows);
  const changes = rows.map((row) => {
    const record = recordOf(row);
    const { kind, key, changedAt } = row;
    return { kind, key, action: record ? row.action : ("withdrawn" as const), changedAt, record };
  });
  const shown = await withoutOthersPeople(
    context,
    // Who was created and is not visible never was.
    changes.filter(
      ({ kind, record }, place) => kind !== "user" || record !== null || rows[place]!.action !== "created",
    ),
  );
  return { kinds, changes: shown, cursor: encode({ name, at, known: hasMore ? known : transaction, kinds }), hasMore };
}
