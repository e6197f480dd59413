import type { Revisions } from "../db/derived/revision.ts";
import type { Database } from "../db/engine/connect.ts";
import type { Privileges } from "./access/access.rules.ts";
import type { AuditAction } from "./audit/events.rules.ts";
import type { SecondFactorHolders } from "./auth/secondFactor.rules.ts";
import type { Replica } from "../db/engine/replica/replica.ts";
import type { ReadRecord } from "./reading/record.ts";
import type { Shares } from "./reading/shares.ts";
import type { Files } from "./storage/files.ts";

/**
 * A caller that is no person: a service account, which may be limited to one place or partner, or a facility with its site credential,
 * which may only send that facility's TDBs and ask about itself.
 */
export type Machine = { kind: "service"; limit: Limit | null } | { kind: "site"; facilityUuid: string; facilityName: string };
/** The one place or partner whose facilities a service account reaches. */
export type Limit = { provinceId: number | null; districtId: number | null; implementingPartnerId: number | null };

/** Who calls: the signed-in person of a request, or a machine, with what they may do through this session or token. */
export type Viewer = {
  userUuid: string;
  userName: string;
  implementingPartnerId: number;
  privileges: Privileges;
  /** set when the request came with an access token or a site credential */
  tokenUuid: string | null;
  /** set when it is no person's */
  machine?: Machine;
  /** an administrator, by session or by token, whose account has no second factor */
  lacksSecondFactor?: boolean;
  /** the primary's WAL position after everything they wrote; null or missing: nothing was recorded */
  writtenUntil?: string | null;
  /** how often each noun had been changed when they were found (db/derived/revision.ts) */
  revisions?: Revisions;
};

/** A refusal, to be written to the audit log together with the answer. */
export type Denial = {
  action: AuditAction;
  subject?: { type: string; id: string };
  facilityUuid?: string;
  details?: Record<string, unknown>;
};

/** What an act knows about the request that called it, from REST or GraphQL. */
export type Context = {
  /** the database of this request; for a request that only reads it may be a replica (reading.ts) */
  db: Database;
  /** the primary: for what must be current in a reading request too (sign-in, limits, locks, the feed), and for the audit */
  primary: Database;
  replica?: Replica | undefined;
  /** set when the request only reads */
  isReading?: boolean;
  /** who has written by this request, if that is not the viewer: the person who signed in */
  writer?: string;
  files: Files;
  viewer: Viewer | null;
  /** the account of the viewer, to share fairly by */
  caller?: string;
  /** who signed in and must set up a second factor before anything else: until then there is no viewer */
  enrolling?: Viewer;
  /** who must have a second factor; nobody if it is missing */
  secondFactorOf?: SecondFactorHolders;
  /** what is noted of a reading request, so that its answer can be kept (reading/record.ts) */
  record?: ReadRecord;
  /** the queue of heavy statements; none in a context without a gateway */
  shares?: Shares;
  /** whether the caller has gone */
  isLeft?: () => boolean;
  /** refusals so far: written to the audit log when the request is answered, even if its transactions are rolled back */
  denials: Denial[];
  /** throws when the locked record is no longer the one that the caller has read (rest/etag.ts); missing for a call without a condition */
  expect?: (held: unknown) => void;
  /** the result of each file of this request so far, returned if the rest fails; none in a context without a request */
  received?: unknown[];
  /** the id of the request, under which its failures are in the log; none in a context without a request */
  requestId?: string;
  /** writes a failure of this request to the log */
  log?: (failure: unknown, message: string) => void;
  /** the address by which the caller reached the platform, such as https://platform.example */
  origin?: string;
  /** called for every event that is written to the audit, and for sign-ins that are refused unchecked, for the metrics */
  onEvent?: (event: { action: string; outcome: string }) => void;
  /** the caller's network address */
  address: string;
  /** the ministry's zone, for example Africa/Lusaka */
  timeZone: string;
  /** days within which a facility that should send a TDB is expected to send the next one */
  tdbRhythmDays: number;
  /** hours for which the parts of an unfinished upload are kept after its last byte */
  uploadKeepHours: number;
  /** cookies that the answer shall set; null clears one */
  cookies: {
    read: (name: "session" | "reset") => string | undefined;
    set: (name: "session" | "reset", value: string | null, maxAgeSeconds?: number) => void;
  };
};
