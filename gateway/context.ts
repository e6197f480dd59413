import type { RevisedNoun, Revisions } from "../db/derived/revision.ts";
import type { Database } from "../db/engine/connect.ts";
import type { Privileges } from "./access/access.rules.ts";
import type { AuditAction } from "./audit/events.rules.ts";
import type { SecondFactorHolders } from "./auth/secondFactor.rules.ts";
import type { Replica } from "../db/engine/replica/replica.ts";
import type { Statistics } from "./reading/reads.rules.ts";
import type { Shares } from "./reading/shares.ts";
import type { Files } from "./storage/files.ts";

/**
 * A caller that is not a person: a service account, which may be limited to one place or partner, or a facility with
 * its site credential, which may only send that facility's TDBs and read data about itself.
 */
export type Machine =
  | { kind: "service"; limit: Limit | null }
  | { kind: "site"; facilityUuid: string; facilityName: string };
/** The place or partner to whose facilities a service account is limited. */
export type Limit = { provinceId: number | null; districtId: number | null; implementingPartnerId: number | null };

/** Who calls: the signed-in person of a request, or a machine, with what they may do through this session or token. */
export type Viewer = {
  userUuid: string;
  userName: string;
  implementingPartnerId: number;
  privileges: Privileges;
  /** set when the request came with an access token or a site credential */
  tokenUuid: string | null;
  /** set if the token is the secret of a feed's address: its name, and what the feed shows (gateway/ledger/feed.ts) */
  feed?: { name: string; asked: unknown };
  /** set if the caller is not a person */
  machine?: Machine;
  /** an administrator, by session or by token, whose account has no second factor */
  lacksSecondFactor?: boolean;
  /** the primary's WAL position after all that the caller wrote; null or missing: none was recorded */
  writtenUntil?: string | null;
  /**
   * the revision of each noun (subject of the product) at the time when the viewer was read (db/derived/revision.ts)
   */
  revisions?: Revisions;
};

/** A refusal, to be written to the audit log together with the answer. */
export type Denial = {
  action: AuditAction;
  subject?: { type: string; id: string };
  facilityUuid?: string;
  details?: Record<string, unknown>;
};

/** The cookies of sign-in: of the session, of a password's replacement, and of the browser (auth/device.ts). */
export type CookieName = "session" | "reset" | "device";

/** What an act knows about the request that called it, from REST or GraphQL. */
export type Context = {
  /** the database of this request; for a request that only reads it may be a replica (reading/reading.ts) */
  db: Database;
  /**
   * the primary: for what must be current in a reading request too (sign-in, limits, locks, the feed), and for the
   * audit
   */
  primary: Database;
  replica?: Replica | undefined;
  /** set when the request only reads */
  isReading?: boolean;
  /** the uuid of the person for whom this request has written, if that is not the viewer: one who has just signed in */
  writer?: string;
  files: Files;
  viewer: Viewer | null;
  /** the account of the viewer, by which heavy statements are shared fairly */
  caller?: string;
  /** the person who has signed in but must set up a second factor first; until then there is no viewer */
  enrolling?: Viewer;
  /** who must have a second factor; nobody if it is missing */
  secondFactorOf?: SecondFactorHolders;
  /**
   * the nouns from which the answer to a GraphQL query comes; missing if it must not be kept (reading/nounsOfDocument.ts)
   */
  answersFrom?: readonly RevisedNoun[] | undefined;
  /** the queue of heavy statements; none in a context without a gateway */
  shares?: Shares;
  /** the sizes of tables, by which the cost of a GraphQL query is estimated; none in a context without a gateway */
  statistics?: () => Statistics;
  /** whether the caller has gone */
  isLeft?: () => boolean;
  /** looks again at the caller's rights, after an answer has waited; throws if the caller was signed out or lost one */
  lookAgain?: () => Promise<void>;
  /**
   * refusals so far: written to the audit log when the request is answered, even if its transactions are rolled back
   */
  denials: Denial[];
  /**
   * throws if the locked record is no longer the one that the caller has read (rest/etag.ts); missing if the call has
   * no condition
   */
  expect?: (held: unknown) => void;
  /** the result of each file of this request so far, returned if the rest fails; none in a context without a request */
  received?: unknown[];
  /** the id of the request, under which its failures are in the log; none in a context without a request */
  requestId?: string;
  /** answers a GraphQL query with the rights of a context, within all limits; none in a context without a gateway */
  ask?: (
    context: Context,
    query: string,
  ) => Promise<{
    data?: unknown;
    errors?: readonly { message: string; extensions?: Record<string, unknown> }[] | undefined;
  }>;
  /** writes a failure of this request to the log */
  log?: (failure: unknown, message: string) => void;
  /** the address by which the caller reached the platform, such as https://platform.example */
  origin?: string;
  /**
   * called for the metrics: for every event that is written to the audit log, even if its transaction is rolled back
   * later, and for sign-ins that are refused without a check
   */
  onEvent?: (event: { action: string; outcome: string }) => void;
  /** the caller's network address */
  address: string;
  /** the network of that address, by which wrong sign-ins are counted */
  network: string;
  /** the ministry's zone, for example Africa/Lusaka */
  timeZone: string;
  /** days within which a facility that should send a TDB is expected to send the next one */
  tdbRhythmDays: number;
  /** hours for which the parts of an unfinished upload are kept after its last byte */
  uploadKeepHours: number;
  /** reads cookies of the request, and sets cookies of the answer; null clears one */
  cookies: {
    read: (name: CookieName) => string | undefined;
    set: (name: CookieName, value: string | null, maxAgeSeconds?: number) => void;
  };
};
